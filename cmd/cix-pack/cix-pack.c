// SPDX-License-Identifier: Apache-2.0
/* cix-pack - make a model file for the emulator from descriptors and ONNX. */
#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "model/cix.h"
#include "model/identify.h"
#include "model/onnx.h"
#include "model_json.h"
#include "spec.h"

/* A .cix file itself is limited to 2 GiB. */
#define ONNX_LIMIT ((size_t)1 << 30)

enum { OPT_NAME = 256 };

static const struct opt options[] = {
	TAKES('I', "model-input", "=SPEC", COMPLETE_NONE,
	    "describe an input: NAME:TYPE:SHAPE[:SCALE[:ZERO]]"),
	TAKES('O', "model-output", "=SPEC", COMPLETE_NONE,
	    "describe an output"),
	BETWEEN("         TYPE is s8, u8, s32, f16 ...; SHAPE such as "
	    "1x3x224x224;\n"
	    "         SCALE is steps per unit (default 1); ZERO is the zero "
	    "point\n"
	    "         in steps (default 0)"),
	TAKES('J', "spec", "=FILE", COMPLETE_FILE,
	    "take inputs, outputs and name from the JSON that npu-info writes "
	    "about a model; - is standard input"),
	TAKES(OPT_NAME, "name", "=NAME", COMPLETE_NONE,
	    "name of the model (default: the ONNX file's name)"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes"),
	FLAG('v', "verbose", "describe each input and output"),
	CMD_COMMON,
	BETWEEN("\nThe order matters: the first input given is input 0.  "
	    "If you describe\n"
	    "only some inputs or outputs, they are matched by name, and the "
	    "others\n"
	    "stay as in the ONNX model."),
	{ 0 },
};

static const struct moved moved[] = {
	{ "-n", "--name", "--count" },
	{ "--json", "--spec", "JSON as output" },
	{ 0 },
};

const struct program program = {
	.name = "cix-pack",
	.synopsis = "cix-pack [-qv] [-I SPEC]... [-O SPEC]... [-J FILE] "
	    "[--name=NAME]\n       [-o FILE] [ONNX]",
	.examples =
	"  cix-pack -o model.cix model.onnx\n"
	"  cix-pack -I image:u8:1x3x640x640:255 -O boxes:f16:1x84x8400 \\\n"
	"      -o yolo.cix yolo.onnx\n"
	"  npu-info --json real.cix | cix-pack -J - -o twin.cix real.onnx\n",
	.help =
	"Writes a .cix model file that contains an ONNX model, with the\n"
	"inputs and outputs of that model or with those that you give.  Only\n"
	"the emulator can run the file: it is not compiled, and is marked\n"
	"for a target that does not exist as hardware.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE },
};

struct cix_pack_options {
	struct tensor_list in, out;
	char *name;		/* owned; NULL: not given */
	const char *output;	/* NULL: stdout */
};

/* ---- The ONNX model --------------------------------------------------- */

/* Returns the file's name without its folder and extension, or "model" if path
 * is NULL or stdin.  Owned by the caller. */
static char *
default_name(const char *path)
{
	const char *base = path == NULL || strcmp(path, "-") == 0 ? "model" :
	    strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	char *name = cmd_copy(base), *dot;

	if ((dot = strrchr(name, '.')) != NULL && dot != name)
		*dot = '\0';
	return name;
}

/* Dies if the file is not a whole ONNX model.  lib/model names the format of a
 * file that is often mistaken for a model. */
static void
check_onnx(const char *path, struct bytes onnx)
{
	struct cix_model m;
	struct npu_err err;

	if (cix_parse(onnx, &m, &err) == 0)
		cmd_die("%s: a .cix model already; an ONNX model is needed",
		    path);
	if (identify_check_twin(onnx, &err) < 0 ||
	    onnx_check_whole(onnx, &err) < 0)
		cmd_die_err(path, &err);
	if (onnx_external(onnx, NULL) > 0)
		cmd_die("%s: its weights are in other files, which would not "
		    "be in the model; save it as one file (onnx.save), then "
		    "pack that", path);
}

/* Adds the bytes of the model file to *file.  The user named the descriptors,
 * so a descriptor that cannot be written is a usage error. */
static void
pack(const struct cix_pack_options *o, struct bytes onnx, struct buf *file)
{
	const struct cix_pack c = {
		.name = o->name, .twin = onnx,
		.device = CIX_DEVICE_EMULATOR,
		.inputs = o->in.t, .n_inputs = o->in.n,
		.outputs = o->out.t, .n_outputs = o->out.n,
	};
	struct npu_err err;
	int rc = cix_write(&c, file, &err);

	if (rc == NPU_EUSAGE)
		cmd_usage("%s", err.msg);
	if (rc < 0)
		cmd_die_err(NULL, &err);
}

static void
complete_tensors(struct cix_pack_options *o, const char *file,
    struct bytes onnx)
{
	struct onnx_ports p;
	struct npu_err err;

	if (onnx_ports_read(&p, onnx, &err) < 0)
		cmd_die_err(file, &err);
	tensor_list_complete(&o->in, file, p.in, p.n_in);
	tensor_list_complete(&o->out, file, p.out, p.n_out);
	onnx_ports_free(&p);
}

static void
write_model(struct cix_pack_options *o, const char *path)
{
	struct bytes onnx = { NULL, 0 };
	struct buf file = { 0 };
	struct output out;

	if (path != NULL) {
		onnx.p = cmd_read_file(path, ONNX_LIMIT, &onnx.n);
		check_onnx(cmd_input_name(path), onnx);
		complete_tensors(o, cmd_input_name(path), onnx);
	}
	tensor_list_check_names(&o->in);
	tensor_list_check_names(&o->out);
	if (o->name == NULL)
		o->name = default_name(path);
	cmd_open_output(&out, o->output, true);
	pack(o, onnx, &file);
	cmd_write_buf(&out, &file);
	cmd_close_output(&out);
	tensor_list_print(&o->in);
	tensor_list_print(&o->out);
	free((void *)(uintptr_t)onnx.p);
}

/* ---- Options ---------------------------------------------------------- */

/* --name overrides the name in the JSON file, also if --name comes later. */
static void
parse_json(struct cix_pack_options *o, const char *path)
{
	char *name = model_json_read(path, &o->in, &o->out);

	if (o->name == NULL)
		o->name = name;
	else
		free(name);
}

static void
parse_option(struct cix_pack_options *o, int opt)
{
	switch (opt) {
	case 'I': spec_parse(&o->in, "--model-input", optarg); break;
	case 'J': parse_json(o, optarg); break;
	case 'O': spec_parse(&o->out, "--model-output", optarg); break;
	case OPT_NAME: free(o->name); o->name = cmd_copy(optarg); break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	}
}

static void
read_options(struct cix_pack_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (optind + 1 < argc)
		cmd_usage("takes one ONNX model, not %d", argc - optind);
	if (optind == argc && (o->in.n == 0 || o->out.n == 0))
		cmd_usage("no %s is given; use --model-input and "
		    "--model-output, --spec or an ONNX model",
		    o->in.n == 0 ? "input" : "output");
}

int
main(int argc, char *argv[])
{
	struct cix_pack_options o = {
		.in = { .kind = "input", .option = 'I' },
		.out = { .kind = "output", .option = 'O' },
	};

	cmd_start();
	read_options(&o, argc, argv);
	write_model(&o, argv[optind]);
	tensor_list_free(&o.in);
	tensor_list_free(&o.out);
	free(o.name);
	cmd_exit(EXIT_DONE);
}
