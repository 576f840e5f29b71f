// SPDX-License-Identifier: Apache-2.0
/* cix-pack - make a model file for the emulator from descriptors and ONNX. */
#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/json_reason.h"
#include "base/num.h"
#include "cmd.h"
#include "model/cix.h"
#include "model/onnx.h"
#include "tensor_list.h"

/* Limits of the inputs; the container itself is limited to 2 GiB. */
#define ONNX_LIMIT ((size_t)1 << 30)
#define JSON_LIMIT ((size_t)1 << 24)

enum { OPT_NAME = 256 };

static const struct opt options[] = {
	TAKES('I', "model-input", "=SPEC", COMPLETE_NONE,
	    "an input, NAME:TYPE:SHAPE[:SCALE[:ZERO]]"),
	TAKES('O', "model-output", "=SPEC", COMPLETE_NONE, "an output"),
	BETWEEN("         TYPE is s8, u8, s32, f16 ...; SHAPE such as "
	    "1x3x224x224;\n"
	    "         SCALE is steps per unit (default 1); ZERO is the zero "
	    "point\n"
	    "         in steps (default 0)"),
	TAKES('J', "spec", "=FILE", COMPLETE_FILE,
	    "inputs, outputs and name from JSON, as npu-info writes it of a "
	    "model; - is standard input"),
	TAKES(OPT_NAME, "name", "=NAME", COMPLETE_NONE,
	    "of the model (default: the ONNX file's)"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes"),
	FLAG('v', "verbose", "say what each input and output is"),
	CMD_COMMON,
	BETWEEN("\nOrder is what counts: the first input named is input 0.  "
	    "Some of the\n"
	    "ONNX model's are changed by their names, and the others kept."),
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
	"Writes a .cix model file with the ONNX model inside it, and with\n"
	"that model's inputs and outputs, or those named.  Only the emulator\n"
	"runs it: no compiler was at work, and its target is one that no\n"
	"hardware has.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE },
};

struct cix_pack_options {
	struct tensor_list in, out;
	char *name;		/* owned; NULL: not given */
	const char *output;	/* NULL: stdout */
};

/* Where a descriptor comes from: a fault of an option is wrong usage, one of a
 * JSON file a bad file. */
struct spec_origin {
	const char *name;	/* "--model-input", "twin.json: input 0" */
	bool is_file;
};

static char *
copy(const char *s)
{
	char *c = strdup(s);

	if (c == NULL)
		cmd_die("out of memory");
	return c;
}

__attribute__((format(printf, 2, 3)))
static _Noreturn void
refuse(const struct spec_origin *from, const char *fmt, ...)
{
	char line[1024];
	int n = snprintf(line, sizeof(line), "%.400s: ", from->name);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
	va_end(ap);
	if (from->is_file)
		cmd_die("%s", line);
	cmd_usage("%s", line);
}

static void
set_name(char dst[NPU_MAX_NAME], const char *name, size_t n,
    const struct spec_origin *from)
{
	if (n >= NPU_MAX_NAME)
		refuse(from, "the name '%.*s' is longer than %d bytes",
		    (int)n, name, NPU_MAX_NAME - 1);
	memcpy(dst, name, n);
	dst[n] = '\0';
}

static void
set_type(struct npu_tensor *t, const char *name, const struct spec_origin *from)
{
	int code = npu_dtype_by_name(name);

	if (code < 0)
		refuse(from, "'%s' is not an element type such as s8, u8, "
		    "s32 or f16", name);
	t->dtype = (uint32_t)code;
}

static void
add_dim(struct npu_tensor *t, int64_t dim, const struct spec_origin *from)
{
	if (dim < 1 || dim > INT32_MAX)
		refuse(from, "dimension %" PRId64 " is not from 1 to %d",
		    dim, INT32_MAX);
	if (t->ndim == NPU_MAX_DIMS)
		refuse(from, "more than %d dimensions", NPU_MAX_DIMS);
	t->dim[t->ndim++] = (uint32_t)dim;
}

/* The size of type and shape; stops growing where cix_write() refuses it
 * anyway. */
static void
set_size(struct npu_tensor *t, const struct spec_origin *from)
{
	uint64_t size = npu_dtype_size(t->dtype);

	if (size == 0)
		refuse(from, "%s has no whole number of bytes; say \"bytes\" "
		    "in JSON", npu_dtype_name(t->dtype));
	for (uint32_t i = 0; i < t->ndim && size < NPU_MAX_PAYLOAD; i++)
		size *= t->dim[i];
	t->size = size;
}

static void
set_scale(struct npu_tensor *t, double scale, const struct spec_origin *from)
{
	t->scale = (float)scale;
	if (scale < 0 || scale > FLT_MAX || (scale > 0 && t->scale == 0))
		refuse(from, "scale %g is not from 0 to %g", scale,
		    (double)FLT_MAX);
}

/* ---- NAME:TYPE:SHAPE[:SCALE[:ZERO]] ----------------------------------- */

/* Names may hold colons: the last field that is a type is the type. */
static char *
find_type(char *spec)
{
	char *found = NULL, *at, field[16];

	for (at = strchr(spec, ':'); at != NULL; at = strchr(at + 1, ':')) {
		snprintf(field, sizeof(field), "%.*s",
		    (int)strcspn(at + 1, ":"), at + 1);
		if (npu_dtype_by_name(field) >= 0)
			found = at + 1;
	}
	return found;
}

static void
parse_shape(struct npu_tensor *t, char *s, const struct spec_origin *from)
{
	struct npu_err err;
	int64_t dim;
	char *one;

	while ((one = strsep(&s, "x,")) != NULL) {
		if (num_int(one, 1, INT32_MAX, &dim, &err) < 0)
			cmd_usage("%s: dimension %s", from->name, err.msg);
		add_dim(t, dim, from);
	}
}

/* A float type has no steps. */
static void
check_scale(const struct npu_tensor *t, const struct spec_origin *from)
{
	if (npu_dtype_is_float(t->dtype) && ((t->scale != 1 && t->scale != 0) ||
	    t->zero_point != 0))
		refuse(from, "'%s': %s is never scaled; leave SCALE and ZERO "
		    "out", t->name, npu_dtype_name(t->dtype));
}

static void
parse_spec(struct tensor_list *l, const char *option, const char *arg)
{
	const struct spec_origin from = { option, false };
	struct npu_tensor t = { .scale = 1 };
	char *spec = copy(arg), *type, *field;
	struct npu_err err;
	double scale;
	int64_t zero;

	if ((type = find_type(spec)) == NULL)
		cmd_usage("%s: '%s' is not NAME:TYPE:SHAPE[:SCALE[:ZERO]], "
		    "with a TYPE such as s8, u8 or f16", option, arg);
	set_name(t.name, spec, (size_t)(type - 1 - spec), &from);
	set_type(&t, strsep(&type, ":"), &from);
	if ((field = strsep(&type, ":")) == NULL)
		cmd_usage("%s: '%s' has no SHAPE such as 1x3x224x224",
		    option, arg);
	parse_shape(&t, field, &from);
	if ((field = strsep(&type, ":")) != NULL) {
		if (num_double(field, 0, FLT_MAX, &scale, &err) < 0)
			cmd_usage("%s: scale %s", option, err.msg);
		set_scale(&t, scale, &from);
	}
	if ((field = strsep(&type, ":")) != NULL) {
		if (num_int(field, INT32_MIN, INT32_MAX, &zero, &err) < 0)
			cmd_usage("%s: zero point %s", option, err.msg);
		t.zero_point = (int32_t)zero;
	}
	if (type != NULL)
		cmd_usage("%s: '%s' has more than 5 fields", option, arg);
	set_size(&t, &from);
	check_scale(&t, &from);
	tensor_list_append(l, &t, option);
	free(spec);
}

/* ---- JSON ------------------------------------------------------------- */

/* Member key of o, if it is there and not null, which must be of type. */
static const json_t *
member(const json_t *o, const char *key, json_type type, const char *where)
{
	const json_t *v = json_object_get(o, key);

	if (v == NULL || json_is_null(v))
		return NULL;
	if (json_typeof(v) != type &&
	    !(type == JSON_REAL && json_is_integer(v)))
		cmd_die("%s: \"%s\" has the wrong type", where, key);
	return v;
}

static void
json_shape(struct npu_tensor *t, const json_t *o,
    const struct spec_origin *from)
{
	const char *where = from->name;
	const json_t *shape = member(o, "shape", JSON_ARRAY, where);
	const json_t *size = member(o, "bytes", JSON_INTEGER, where), *dim;
	size_t i;

	json_array_foreach(shape, i, dim) {
		if (!json_is_integer(dim))
			cmd_die("%s: \"shape\" is not a list of whole "
			    "numbers", where);
		add_dim(t, json_integer_value(dim), from);
	}
	if (shape != NULL && (t->ndim > 0 || size == NULL)) {
		set_size(t, from);
		if (size != NULL && json_integer_value(size) !=
		    (json_int_t)t->size)
			refuse(from, "\"bytes\" is %lld, but type and shape "
			    "make %" PRIu64, (long long)
			    json_integer_value(size), t->size);
	} else if (size != NULL && json_integer_value(size) > 0)
		t->size = (uint64_t)json_integer_value(size);
	else
		cmd_die("%s: has neither \"shape\" nor \"bytes\"",
		    where);
}

static void
json_tensor(struct tensor_list *l, const json_t *o, const char *file, size_t i)
{
	struct npu_tensor t = { .scale = 1 };
	const json_t *v;
	char where[300];
	const struct spec_origin from = { where, true };

	snprintf(where, sizeof(where), "%s: %s %zu", file, l->kind, i);
	if (!json_is_object(o))
		cmd_die("%s: not an object", where);
	if ((v = member(o, "name", JSON_STRING, where)) != NULL)
		set_name(t.name, json_string_value(v), json_string_length(v),
		    &from);
	if ((v = member(o, "type", JSON_STRING, where)) == NULL)
		cmd_die("%s: no \"type\"", where);
	set_type(&t, json_string_value(v), &from);
	json_shape(&t, o, &from);
	if ((v = member(o, "scale", JSON_REAL, where)) != NULL)
		set_scale(&t, json_number_value(v), &from);
	if ((v = member(o, "zero_point", JSON_INTEGER, where)) != NULL) {
		if (json_integer_value(v) < INT32_MIN ||
		    json_integer_value(v) > INT32_MAX)
			cmd_die("%s: zero point %lld has more than 32 bits",
			    where, (long long)json_integer_value(v));
		t.zero_point = (int32_t)json_integer_value(v);
	}
	tensor_list_append(l, &t, file);
}

static void
json_list(struct tensor_list *l, const json_t *model, const char *key,
    const char *file)
{
	const json_t *a = member(model, key, JSON_ARRAY, file), *o;
	size_t i;

	if (a == NULL)
		cmd_die("%s: no \"%s\"", file, key);
	json_array_foreach(a, i, o)
		json_tensor(l, o, file, i);
}

/* The model itself, or a document of npu-info --json with one model. */
static void
parse_json(struct cix_pack_options *o, const char *path)
{
	const char *file = cmd_input_name(path);
	const json_t *model, *models, *name;
	json_error_t e;
	json_t *root;
	size_t n;
	char *text;

	text = cmd_read_file(path, JSON_LIMIT, &n);
	if ((root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e)) == NULL)
		cmd_die("%s: no JSON such as npu-info --json writes: line %d: "
		    "%s", file, e.line, json_reason(&e));
	model = root;
	if ((models = member(root, "models", JSON_ARRAY, file)) != NULL) {
		if (json_array_size(models) != 1)
			cmd_die("%s: %zu models; one is needed", file,
			    json_array_size(models));
		model = json_array_get(models, 0);
	}
	if (!json_is_object(model))
		cmd_die("%s: the model is not an object", file);
	json_list(&o->in, model, "inputs", file);
	json_list(&o->out, model, "outputs", file);
	name = member(model, "name", JSON_STRING, file);
	if (name != NULL && o->name == NULL)
		o->name = copy(json_string_value(name));
	json_decref(root);
	free(text);
}

/* ---- The ONNX model --------------------------------------------------- */

/* The file's name without folder and .onnx; "model" without a file. */
static char *
default_name(const char *path)
{
	const char *base = path == NULL || strcmp(path, "-") == 0 ? "model" :
	    strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	char *name = copy(base), *dot;

	if ((dot = strrchr(name, '.')) != NULL && dot != name)
		*dot = '\0';
	return name;
}

/*
 * The files that users take for ONNX by mistake are those that they take for
 * models, so lib/model names them.
 */
static void
check_onnx(const char *path, struct bytes onnx)
{
	struct cix_model m;
	struct npu_err err;

	if (cix_parse(onnx, &m, &err) == 0)
		cmd_die("%s: a .cix model already; an ONNX model is needed",
		    path);
	switch (err.detail) {
	case CIX_BAD_EMPTY: case CIX_BAD_LFS_POINTER: case CIX_BAD_WEB_PAGE:
	case CIX_BAD_ZEROS: case CIX_BAD_PLAIN_TEXT: case CIX_BAD_BARE_ELF:
		cmd_die("%s: %s", path, err.msg);
	}
	if (onnx_is_cut(onnx))
		cmd_die("%s: an ONNX model that was cut: its graph goes on "
		    "behind the %zu bytes of the file; fetch it again", path,
		    onnx.n);
	if (onnx_external(onnx, NULL) > 0)
		cmd_die("%s: its weights are in other files, which would not "
		    "be in the model; save it as one file (onnx.save), then "
		    "pack that", path);
}

/* The model as bytes in *file.  The user named the descriptors, so one that
 * cannot be written is wrong usage. */
static void
pack(const struct cix_pack_options *o, struct bytes onnx, struct buf *file)
{
	const struct cix_pack c = {
		.name = o->name, .twin = onnx,
		.device = CIX_ISA_EMULATOR << 16 | 1204,
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
	tensor_list_tell(&o->in);
	tensor_list_tell(&o->out);
	free((void *)(uintptr_t)onnx.p);
}

/* ---- Options ---------------------------------------------------------- */

static void
parse_option(struct cix_pack_options *o, int opt)
{
	switch (opt) {
	case 'I': parse_spec(&o->in, "--model-input", optarg); break;
	case 'J': parse_json(o, optarg); break;
	case 'O': parse_spec(&o->out, "--model-output", optarg); break;
	case OPT_NAME: free(o->name); o->name = copy(optarg); break;
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
		cmd_usage("one ONNX model, not %d", argc - optind);
	if (optind == argc && (o->in.n == 0 || o->out.n == 0))
		cmd_usage("no %s is named; --model-input and --model-output, "
		    "--spec or an ONNX model name them",
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
