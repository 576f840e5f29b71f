/* SPDX-License-Identifier: Apache-2.0 */
/* Device options and the model, for the programs that load one. */
#ifndef CMD_DEVICE_H
#define CMD_DEVICE_H

#include "cmd.h"

/* Rows of a program's options; cmd_device_option() takes their values. */
enum { OPT_NODE = 1000 };
extern const char *const cmd_devices[];	/* enum npu_device; ends with NULL */
#define CMD_DEVICE_OPTIONS \
	ONE_OF('d', "device", "=WHICH", cmd_devices, \
	    "auto, npu (never the emulator) or emu"), \
	TAKES('L', "library", "=FILE", COMPLETE_FILE, "libnoe.so to use"), \
	TAKES(OPT_NODE, "node", "=PATH", COMPLETE_FILE, \
	    "device node (/dev/aipu)")

/* Rows of program.env for them. */
#define CMD_DEVICE_ENV \
	{ "NPU_DEVICE", "auto, npu or emu, as -d" }, \
	{ "NPU_LIBRARY", "libnoe.so to use, as -L (else searched for)" }, \
	{ "NPU_TWIN", "ONNX twin for the emulator (else found)" }, \
	{ "NPU_ORT", "libonnxruntime for the emulator (else found)" }, \
	{ "NPU_NOE_DEVICE", "device number for library 3.x (else 1, 0, 2, 3)" }

/*
 * The device by the options, else by the environment.  Its note prints on
 * stderr; its stop is cmd_stop.  Owned by device.c.
 */
extern struct npu_options cmd_device;

/* The program.version of programs that load a model: the libnoe found. */
char *cmd_device_version(void);

/* True if c was one of the device options. */
bool cmd_device_option(int c, const char *arg);
/* Reads the environment and finds the emulator, after the options. */
void cmd_device_resolve(void);

/* As cmd_model_path(), but the note is left to cmd_open_model(). */
char *cmd_model_to_open(const char *name);

/*
 * Claims stdout, catches signals and loads the model that name means; dies
 * after printing the library's own messages.  The model is closed on every way
 * out of the program, unless it has called cmd_on_exit(): then that function
 * calls cmd_close_model().
 */
struct npu *cmd_open_model(const char *name);
/* The same for a program that continues after a failure: negative, and *err
 * names what could not be opened. */
int cmd_try_open_model(const char *name, struct npu **npu,
    struct npu_err *err);
/* Opens a queue on the model, which is closed with it; dies.  depth as in
 * npu_queue_open(). */
struct npu_queue *cmd_open_queue(unsigned depth);
/* The path of the model. */
const char *cmd_model_in_use(void);
/* Closes the model now. */
void cmd_close_model(void);

/* Prints on stderr what the library printed since the last call; only_verbose:
 * only with -v, else drops it. */
void cmd_show_library_output(bool only_verbose);
/* Returns it instead, to be printed if the inference fails; with -v prints it
 * now.  NULL: nothing.  Owned by the caller; cmd_show_captured() prints and
 * frees it. */
char *cmd_keep_library_output(void);
void cmd_show_captured(char *text);

/*
 * If a signal has set cmd_stop: closes the model, removes unfinished files and
 * dies of that signal, so that the parent sees 128 + n.
 */
void cmd_end_if_stopped(void);

#endif
