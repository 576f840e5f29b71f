/* SPDX-License-Identifier: Apache-2.0 */
/* Device options and the model, for the programs that load one. */
#ifndef CMD_DEVICE_H
#define CMD_DEVICE_H

#include "cmd.h"
#include "dimensions.h"

/* Rows for a program's options; cmd_device_option() reads their values. */
enum { OPT_NODE = 1000, OPT_PROVIDER = 1020, OPT_CACHE, OPT_FALLBACK };
extern const char *const cmd_devices[];	/* names of enum npu_device; ends
					   with NULL */
#define CMD_DEVICE_OPTIONS \
	ONE_OF('d', "device", "=WHICH", cmd_devices, \
	    "auto, npu (never the emulator) or emu"), \
	TAKES('L', "library", "=FILE", COMPLETE_FILE, "libnoe.so to use"), \
	TAKES(OPT_NODE, "node", "=PATH", COMPLETE_FILE, \
	    "device node (/dev/aipu)")

/* Rows for programs that can run an ONNX model on the NPU.  Call
 * cmd_device_option() for them as well. */
extern const char *const cmd_providers[];
#define CMD_PROVIDER_OPTIONS \
	ONE_OF(OPT_PROVIDER, "provider", "=NAME", cmd_providers, \
	    "where an ONNX model runs: cpu, or zhouyi: the NPU"), \
	TAKES(OPT_CACHE, "cache", "=FILE", COMPLETE_FILE, \
	    "with zhouyi: keep the compiled model in FILE"), \
	FLAG(OPT_FALLBACK, "fallback", \
	    "with zhouyi: other operators run on the processor")

/* Rows of the device's variables for program.env. */
#define CMD_DEVICE_ENV \
	{ "NPU_DEVICE", "auto, npu or emu, as -d" }, \
	{ "NPU_LIBRARY", "libnoe.so to use, as -L (else searched for)" }, \
	{ "NPU_TWIN", "ONNX twin for the emulator (else found)" }, \
	{ "NPU_ORT", "libonnxruntime for the emulator (else found)" }, \
	{ "NPU_NOE_DEVICE", "device number for library 3.x (else 1, 0, 2, 3)" }

/*
 * The device that the options, or else the environment, select.  Notes are
 * printed on stderr; stop is cmd_stop.  Owned by device.c.
 */
extern struct npu_options cmd_device;

/* program.version of programs that load a model: names the libnoe found. */
char *cmd_device_version(void);

/* True if c was one of the device options. */
bool cmd_device_option(int c, const char *arg);
/* Reads the environment and finds the emulator, after the options. */
void cmd_device_resolve(void);

/*
 * Does the same as cmd_model_path(), but leaves the note to cmd_open_model().
 */
char *cmd_model_to_open(const char *name);

/*
 * Claims stdout, catches signals and loads the model that name means; dies
 * after printing the library's own messages.  The model is closed at every exit
 * of the program.  After cmd_on_exit(), the function registered there must call
 * cmd_close_model().
 */
struct npu *cmd_open_model(const char *name);
/* Does the same for a program that continues after a failure.  Returns a
 * negative number, and *err names what could not be opened. */
int cmd_try_open_model(const char *name, struct npu **npu,
    struct npu_err *err);
/* Opens a queue on the model, which is closed with the model; dies if it
 * cannot.  depth is the same as in npu_queue_open(). */
struct npu_queue *cmd_open_queue(unsigned depth);
/* Returns the path of the model. */
const char *cmd_model_in_use(void);
/* Closes the model now. */
void cmd_close_model(void);

/* Prints on stderr what the library printed since the last call.  If
 * only_verbose is true, prints it only with -v and else drops it. */
void cmd_show_library_output(bool only_verbose);
/* Returns the library's output, to be printed if the inference fails; with -v
 * prints it now.  Returns NULL if there is nothing.  The caller owns the
 * result, which cmd_show_captured() prints and frees. */
char *cmd_keep_library_output(void);
void cmd_show_captured(char *text);

/*
 * If a signal has set cmd_stop, closes the model, removes unfinished files and
 * dies of that signal.  The parent then sees 128 + n.
 */
void cmd_end_if_stopped(void);

#endif
