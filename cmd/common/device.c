// SPDX-License-Identifier: Apache-2.0
/* device.c - the options and the model of programs that use the NPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "device.h"
#include "device/noe.h"
#include "dimensions.h"
#include "origin.h"

static struct npu *loaded;

/* npu_open()'s only note is about the emulator; later notes do not concern the
 * origin. */
static void
note(void *arg, const char *line)
{
	(void)arg;
	if (loaded != NULL) {
		cmd_note("%s", line);
		return;
	}
	origin_emulator(line);
	origin_print();
}

static const struct npu_names names = { .library = "--library",
	.emulator = "--library", .device_npu = "-d npu",
	.device_emu = "-d emu", .dims = "--dim",
	.threads = "--threads", .provider = "--provider" };

struct npu_options cmd_device = { .note = note, .stop = &cmd_stop,
	.names = &names };

static struct npu_queue *queue;		/* on the model; NULL: not open */
static char *model_path;
static bool device_given;

const char *const cmd_providers[] = { "cpu", "zhouyi", NULL };
const char *const cmd_devices[] = { "auto", "npu", "emu", NULL };

static void
set_device(const char *where, const char *word)
{
	cmd_device.device = (enum npu_device)cmd_choice(where, word,
	    cmd_devices);
}

bool
cmd_device_option(int c, const char *arg)
{
	switch (c) {
	case 'd':
		set_device("--device", arg);
		device_given = true;
		return true;
	case 'L':
		cmd_device.library = cmd_named("--library", arg);
		return true;
	case OPT_NODE:
		cmd_device.node = cmd_named("--node", arg);
		return true;
	case OPT_PROVIDER:
		cmd_device.provider = (enum npu_provider)cmd_choice(
		    "--provider", arg, cmd_providers);
		return true;
	case OPT_CACHE:
		cmd_device.cache = cmd_named("--cache", arg);
		return true;
	case OPT_FALLBACK:
		cmd_device.fallback = true;
		return true;
	}
	return cmd_dim_option(c, arg);
}

void
cmd_device_resolve(void)
{
	const char *env = getenv("NPU_DEVICE");

	if (!device_given && env != NULL && *env != '\0')
		set_device("NPU_DEVICE", env);
	if (cmd_device.provider != NPU_PROVIDER_ZHOUYI &&
	    (cmd_device.cache != NULL || cmd_device.fallback))
		cmd_usage("%s needs --provider=zhouyi", cmd_device.fallback ?
		    "--fallback" : "--cache");
	cmd_device.dims = cmd_dims()->dim;
	cmd_device.n_dims = cmd_dims()->n;
	if (cmd_device.emulator == NULL)
		cmd_device.emulator =
		    cmd_data_path("lib/npu-utils/libnoe-emu.so");
}

char *
cmd_device_version(void)
{
	char path[1024], *line;

	cmd_device_resolve();
	cmd_claim_stdout();	/* a library may print when it is loaded */
	if (noe_find(&cmd_device, path, sizeof(path)) == 0)
		line = cmd_text("libnoe %s", path);
	else
		line = cmd_copy("libnoe not found; npu-utils(7) says where it "
		    "is looked for");
	free(cmd_captured());
	return line;
}

void
cmd_show_captured(char *text)
{
	char *line, *rest;

	if (text == NULL)
		return;
	for (line = strtok_r(text, "\n", &rest); line != NULL;
	    line = strtok_r(NULL, "\n", &rest))
		cmd_warn("the library says: %s", line);
	free(text);
}

void
cmd_show_library_output(bool only_verbose)
{
	char *text = cmd_captured();

	if (!only_verbose || cmd_verbose)
		cmd_show_captured(text);
	else
		free(text);
}

char *
cmd_keep_library_output(void)
{
	char *text = cmd_captured();

	if (!cmd_verbose)
		return text;
	cmd_show_captured(text);
	return NULL;
}

void
cmd_close_model(void)
{
	npu_queue_close(queue);
	queue = NULL;
	npu_close(loaded);
	loaded = NULL;
	cmd_show_library_output(true);
}

static void
close_on_exit(void *unused)
{
	(void)unused;
	cmd_close_model();
}

void
cmd_end_if_stopped(void)
{
	if (cmd_stop == 0)
		return;
	cmd_close_model();
	cmd_die_of_signal();
}

const char *
cmd_model_in_use(void)
{
	return model_path;
}

static char *
find_model(const char *name, struct npu_err *err)
{
	if (cmd_device.device == NPU_DEVICE_AUTO &&
	    noe_named_library(&cmd_device) == NULL)
		origin_expect_emulator();
	return cmd_find_model(name, err);
}

char *
cmd_model_to_open(const char *name)
{
	struct npu_err err;
	char *path = find_model(name, &err);

	if (path == NULL)
		cmd_die_err(cmd_visible_name(name), &err);
	return path;
}

/* Announces that opening the model takes long. */
static void
note_compiling(void)
{
	const char *cache = cmd_device.cache;

	if (cmd_device.provider == NPU_PROVIDER_ZHOUYI &&
	    (cache == NULL || access(cache, F_OK) < 0))
		cmd_note("%s: compiling it for the NPU takes about 14 s%s",
		    model_path, cache == NULL ? "; --cache=FILE keeps the "
		    "result" : "");
}

int
cmd_try_open_model(const char *name, struct npu **npu, struct npu_err *err)
{
	int rc;

	free(model_path);
	model_path = find_model(name, err);
	if (model_path == NULL)
		return npu_prefix(err, err->code, "%s",
		    cmd_visible_name(name));
	cmd_claim_stdout();
	cmd_catch_signals();
	if (!cmd_has_on_exit())
		cmd_on_exit(close_on_exit, NULL);
	note_compiling();
	if ((rc = npu_open(&loaded, model_path, &cmd_device, err)) < 0)
		return rc;
	origin_print();
	*npu = loaded;
	return 0;
}

struct npu *
cmd_open_model(const char *name)
{
	struct npu_err err;
	struct npu *npu = NULL;

	if (cmd_try_open_model(name, &npu, &err) < 0) {
		cmd_end_if_stopped();
		cmd_show_library_output(false);
		cmd_die_err(NULL, &err);
	}
	cmd_end_if_stopped();
	cmd_show_library_output(true);
	return npu;
}

struct npu_queue *
cmd_open_queue(unsigned depth)
{
	struct npu_err err;

	if (npu_queue_open(&queue, loaded, depth, &err) < 0)
		cmd_die_err(model_path, &err);
	return queue;
}
