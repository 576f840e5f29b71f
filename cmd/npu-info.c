// SPDX-License-Identifier: Apache-2.0
/* npu-info - tell what NPU is here and what a model file holds. */
#include <string.h>

#include "base/json.h"
#include "device.h"
#include "device/info.h"
#include "info.h"

enum { OPT_JSON = 256 };

static const struct option options[] = {
	CMD_COMMON,
	CMD_DEVICE_OPTIONS,
	{ "json", no_argument, NULL, OPT_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-info",
	.synopsis = "npu-info [options] [MODEL...]",
	.examples = "  npu-info\n"
	    "  npu-info --json clip_txt.cix | jq '.models[0].inputs'\n",
	.help = "Tells what NPU, driver and library are here (status 3: "
	    "none), or, given models,\nwhat they hold; that needs neither "
	    "device nor library.\n\n"
	    CMD_DEVICE_HELP
	    "      --json            one JSON document, schema npu-info/1\n"
	    "  -q, --quiet           no notes on stderr\n"
	    "  -v, --verbose         also what the vendor library says\n",
	.options = options,
	.env = env,
	.version = cmd_device_version,
};

static const char *
or_unknown(const char *s)
{
	return *s != '\0' ? s : "unknown";
}

static void
text_device(struct buf *t, const struct npu_device_info *d, const char *node)
{
	if (d->emulator)
		buf_printf(t, "device     emulator %s, no hardware\n",
		    d->emulator_version);
	else
		buf_printf(t, "device     %s\n", node);
	buf_printf(t, "target     %s\n", or_unknown(d->target));
	buf_printf(t, "cores      %u in %u cluster%s, %u partition%s\n",
	    d->cores, d->clusters, d->clusters == 1 ? "" : "s", d->partitions,
	    d->partitions == 1 ? "" : "s");
	buf_printf(t, "driver     %s\n", or_unknown(d->driver_version));
	buf_printf(t, "library    %s, version %s\n", d->library,
	    or_unknown(d->library_version));
	buf_printf(t, "npu-utils  %s\n", NPU_VERSION);
}

/* 0 means "it did not tell": null, never 0 (rule 28). */
static void
json_count(struct json *j, const char *key, uint32_t n)
{
	json_key(j, key);
	if (n != 0)
		json_uint(j, n);
	else
		json_null(j);
}

static void
json_device(struct json *j, const struct npu_device_info *d, const char *node)
{
	json_object(j);
	json_key(j, "node");
	json_str(j, d->emulator ? NULL : node);
	json_key(j, "emulator");
	json_bool(j, d->emulator);
	json_member_str(j, "emulator_version", d->emulator_version);
	json_member_str(j, "target", d->target);
	json_count(j, "partitions", d->partitions);
	json_count(j, "clusters", d->clusters);
	json_count(j, "cores", d->cores);
	json_member_str(j, "driver_version", d->driver_version);
	json_member_str(j, "library", d->library);
	json_member_str(j, "library_version", d->library_version);
	json_end_object(j);
}

static void
json_error(struct json *j, const struct npu_err *err)
{
	json_key(j, "error");
	json_object(j);
	json_key(j, "message");
	json_str(j, err->msg);
	json_key(j, "status");
	json_int(j, cmd_status(err));
	json_end_object(j);
}

/* The device, as text in t or members of j.  Returns the exit status. */
static int
tell_device(struct buf *t, struct json *j)
{
	const char *node = cmd_device.node != NULL ? cmd_device.node :
	    NPU_DEFAULT_NODE;
	struct npu_device_info d;
	struct npu_err err;
	int rc;

	/* npu-info never falls back (design, The device). */
	if (cmd_device.device == NPU_DEVICE_AUTO)
		cmd_device.device = NPU_DEVICE_NPU;
	cmd_claim_stdout();
	rc = npu_device_ask(&cmd_device, &d, &err);
	cmd_show_library_words(rc == 0);
	if (j != NULL) {
		json_key(j, "devices");
		json_array(j);
		if (rc == 0)
			json_device(j, &d, node);
		json_end_array(j);
		if (rc < 0)
			json_error(j, &err);
	} else if (rc == 0) {
		cmd_printable(d.target, strlen(d.target));
		cmd_printable(d.driver_version, strlen(d.driver_version));
		cmd_printable(d.library_version, strlen(d.library_version));
		text_device(t, &d, node);
	}
	if (rc == 0)
		return EXIT_DONE;
	cmd_warn("%s", err.msg);
	return cmd_status(&err);
}

/* Each model on its own: a bad one does not hide the others. */
static int
tell_models(struct buf *t, struct json *j, char **names, int n)
{
	int status = EXIT_DONE;

	if (j != NULL) {
		json_key(j, "models");
		json_array(j);
	}
	for (int i = 0; i < n; i++) {
		if (!info_model(t, j, names[i]))
			status = EXIT_FAILED;
	}
	if (j != NULL)
		json_end_array(j);
	return status;
}

/* Text or JSON of what was asked for; returns the exit status. */
static int
tell(bool json, char **names, int n)
{
	struct json j = { .pretty = true };
	struct buf t = { 0 };
	int status;

	if (json) {
		json_object(&j);
		json_key(&j, "schema");
		json_str(&j, "npu-info/1");
		json_key(&j, "npu_utils");
		json_str(&j, NPU_VERSION);
	}
	status = n > 0 ? tell_models(&t, json ? &j : NULL, names, n) :
	    tell_device(&t, json ? &j : NULL);
	if (json) {
		json_end_object(&j);
		buf_puts(&j.out, "\n");
	}
	cmd_write_document(NULL, json ? &j.out : &t);
	return status;
}

int
main(int argc, char *argv[])
{
	bool json = false;
	int c;

	cmd_start();
	while ((c = cmd_option(argc, argv)) != -1) {
		if (cmd_device_option(c, optarg))
			continue;
		switch (c) {
		case OPT_JSON: json = true; break;
		case 'q': cmd_quiet = true; break;
		case 'v': cmd_verbose = true; break;
		}
	}
	cmd_device_ready();
	cmd_exit(tell(json, argv + optind, argc - optind));
}
