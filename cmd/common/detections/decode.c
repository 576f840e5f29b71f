// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "decode.h"
#include "suggest.h"
#include "tensor/tensor.h"

/* Scores in steps coarser than this cause a note. */
#define COARSE 0.01

/* ---- Options ---------------------------------------------------------- */

void
decode_defaults(struct detection_decoder *d)
{
	*d = (struct detection_decoder){ .options = { .conf = .25, .iou = .7,
	    .max = 300 }, .fit = FIT_LETTERBOX };
}

const char *const decode_fits[] = { "letterbox", "stretch", NULL };
const char *const decode_axes[] = { "classes", "boxes", NULL };
const char *const decode_coordinates[] = { "pixels", "parts", NULL };

static enum fit
parse_fit(const char *arg)
{
	return cmd_choice("--fit", arg, decode_fits) == 0 ? FIT_LETTERBOX :
	    FIT_STRETCH;
}

static enum yolo_layout
parse_layout(const char *arg)
{
	return cmd_choice("--first", arg, decode_axes) == 0 ?
	    YOLO_CLASSES_FIRST : YOLO_BOXES_FIRST;
}

bool
decode_option(struct detection_decoder *d, int c, const char *arg)
{
	if (output_naming_option(&d->style.naming, c))
		return true;
	switch (c) {
	case 'c': d->options.conf = cmd_double("--conf", arg, 0, 1); break;
	case 'e': d->exit_status = true; break;
	case 'F': d->style.format = detection_format_parse(arg); break;
	case 'o': d->style.output = arg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case DECODE_AGNOSTIC: d->options.agnostic = true; break;
	case DECODE_CLASSES: d->classes = arg; break;
	case DECODE_CONF_COLUMN: d->style.conf_column = true; break;
	case DECODE_COORDINATES:
		d->options.parts = cmd_choice("--coordinates", arg,
		    decode_coordinates) == 1;
		break;
	case DECODE_FIT: d->fit = parse_fit(arg); break;
	case DECODE_IDS: d->style.image_ids = arg; break;
	case DECODE_IOU:
		d->options.iou = cmd_double("--iou", arg, 0, 1);
		d->has_iou = true;
		break;
	case DECODE_FIRST: d->layout = parse_layout(arg); break;
	case 'n':
		d->options.max = (uint32_t)cmd_int("--count", arg, 0,
		    YOLO_MAX_CANDIDATES);
		d->has_max = true;
		break;
	case DECODE_NAMES: d->names_file = arg; break;
	case DECODE_NO_NMS: d->options.no_nms = true; break;
	default: return false;
	}
	return true;
}

/* ---- Classes ---------------------------------------------------------- */

static void
read_names_file(struct detection_decoder *d)
{
	struct npu_err err;
	struct bytes text;
	size_t n;
	int rc;

	text.p = cmd_read_file(d->names_file, CLASSNAMES_MAX_FILE, &n);
	text.n = n;
	rc = classnames_read(&d->names, text, &err);
	free((void *)(uintptr_t)text.p);
	if (rc < 0)
		cmd_die_err(cmd_input_name(d->names_file), &err);
	d->names_known = true;
}

static void
read_model_names(struct detection_decoder *d, const char *model)
{
	struct npu_err err;
	int rc = model_names(&d->names, model, &err);

	if (rc < 0)
		cmd_note("%s: class names are not the model's: %s; name them "
		    "with --names", model, err.msg);
	d->names_known = rc > 0;
}

/* Returns the class whose name or number is word[0..n). */
static uint32_t
class_of(const struct detection_decoder *d, const char *word, size_t n)
{
	const struct classnames *names = &d->names;
	const char *option = d->classes_option != NULL ? d->classes_option :
	    "--classes";
	struct suggestion nearest;
	uint64_t number = 0;
	size_t digits = 0;

	suggest_begin(&nearest, word, n);
	for (uint32_t i = 0; i < names->n; i++) {
		if (strlen(names->name[i]) == n &&
		    memcmp(names->name[i], word, n) == 0)
			return i;
		suggest_try(&nearest, names->name[i]);
	}
	for (; digits < n && digits < 9 && word[digits] >= '0' &&
	    word[digits] <= '9'; digits++)
		number = number * 10 + (uint64_t)(word[digits] - '0');
	if (digits == n && n > 0 && number < names->n)
		return (uint32_t)number;
	if (digits == n && n > 0)
		cmd_usage("%s: %.*s is not a class from 0 to %zu", option,
		    (int)n, word, names->n - 1);
	if (nearest.best != NULL)
		cmd_usage("%s: no class is called '%.*s'; did you mean '%s'?",
		    option, (int)n, word, nearest.best);
	cmd_usage("%s: no class is called '%.*s'; they are %s%s%s%s",
	    option, (int)n, word, names->name[0], names->n > 1 ? ", " : "",
	    names->n > 1 ? names->name[1] : "", names->n > 2 ? ", ..." : "");
}

static void
choose_classes(struct detection_decoder *d)
{
	const char *s = d->classes;
	size_t n;

	if (s == NULL || d->wanted != NULL || d->names.n == 0)
		return;
	d->wanted = cmd_alloc(d->names.n * sizeof(*d->wanted));
	for (;; s += n + 1) {
		n = strcspn(s, ",");
		d->wanted[class_of(d, s, n)] = true;
		if (s[n] == '\0')
			break;
	}
	d->options.classes = d->wanted;
}

void
decode_open(struct detection_decoder *d)
{
	if (d->options.no_nms && d->options.agnostic)
		cmd_usage("--agnostic is about what --no-nms leaves out");
	if (d->options.no_nms && d->has_iou)
		cmd_usage("--iou is about what --no-nms leaves out");
	d->style.conf = d->options.conf;
	d->style.iou = d->options.no_nms ? (double)NAN : d->options.iou;
	detection_writer_open(&d->writer, &d->style);
}

void
decode_begin(struct detection_decoder *d, const char *model)
{
	if (d->names_file != NULL)
		read_names_file(d);
	else if (model != NULL)
		read_model_names(d, model);
	choose_classes(d);
}

/* ---- Tensors ---------------------------------------------------------- */

static void
warn_quality(const struct detection_decoder *d, const char *place)
{
	const struct npu_tensor *t = &d->tensor;
	char why[300];

	if (!d->names_known && yolo_doubtful(&d->shape, why, sizeof(why)))
		cmd_warn("%s: %s", place, why);
	if (yolo_hopeless(t, d->options.parts, why, sizeof(why)))
		cmd_warn("%s: %s", place, why);
	else if (!npu_dtype_is_float(t->dtype) && tensor_step(t) > COARSE)
		cmd_note("%s: one scale holds pixels and scores, so these are "
		    "%.4g apart", place, tensor_step(t));
}

static bool
same_tensor(const struct npu_tensor *a, const struct npu_tensor *b)
{
	return a->dtype == b->dtype && a->ndim == b->ndim &&
	    memcmp(a->dim, b->dim, sizeof(a->dim)) == 0 &&
	    a->scale == b->scale && a->zero_point == b->zero_point;
}

int
decode_prepare(struct detection_decoder *d, const struct npu_tensor *t,
    const char *place, struct npu_err *err)
{
	const uint32_t names = d->names_known ? (uint32_t)d->names.n : 0;
	struct yolo_shape shape;
	int rc;

	if (d->yolo != NULL && same_tensor(t, &d->tensor))
		return 0;
	yolo_close(d->yolo);
	d->yolo = NULL;
	if ((rc = yolo_shape(&shape, t, d->layout, names, err)) < 0)
		return rc;
	if (d->names.n != 0 && d->names.n != shape.classes)
		return npu_fail(err, NPU_EFORMAT, "%u classes, but those "
		    "before had %zu", shape.classes, d->names.n);
	if (d->names.n == 0 && (rc = classnames_default(&d->names,
	    shape.classes, err)) < 0)
		return rc;
	if ((rc = yolo_open(&d->yolo, t, &shape, err)) < 0)
		return rc;
	d->tensor = *t;
	d->shape = shape;
	d->writer.names = &d->names;
	choose_classes(d);
	warn_quality(d, place);
	return 0;
}

uint32_t
decode_input_side(uint32_t boxes)
{
	/* A side of 32 s has 16 s^2 + 4 s^2 + s^2 boxes. */
	for (uint32_t s = 1; 21 * s * s <= boxes; s++)
		if (21 * s * s == boxes)
			return 32 * s;
	return 0;
}

static void
report(const struct detection_decoder *d, const struct yolo_counts *c, size_t n,
    const char *place)
{
	if (c->not_finite > 0)
		cmd_note("%s: NaN or infinite numbers passed over: %" PRIu64,
		    place, c->not_finite);
	if (c->beyond > 0)
		cmd_note("%s: candidates beyond the best %d left out: %" PRIu64
		    "; raise --conf", place, YOLO_MAX_CANDIDATES, c->beyond);
	if (c->more && !d->has_max)
		cmd_note("%s: more than %u objects; --count=0 gives all", place,
		    d->options.max);
	cmd_detail("%s: candidates: %" PRIu64 ", without area in the picture: "
	    "%" PRIu64 ", objects: %zu", place, c->candidates,
	    c->degenerate, n);
}

void
decode_check(const struct detection_decoder *d, const void *data,
    const char *place)
{
	const struct geometry unknown = { 0 };
	struct npu_err err;

	if (yolo_check(d->yolo, data, &unknown, &d->options, &err) < 0)
		cmd_die_err(place, &err);
}

const struct detection *
decode_tensor(struct detection_decoder *d, const void *data,
    const struct geometry *g, const char *place, size_t *n)
{
	const struct detection *found;
	struct yolo_counts c;
	struct npu_err err;

	if (yolo_decode(d->yolo, data, g, &d->options, &found, n, &c,
	    &err) < 0 || yolo_check(d->yolo, data, g, &d->options, &err) < 0)
		cmd_die_err(place, &err);
	report(d, &c, *n, place);
	return found;
}

void
decode_free(struct detection_decoder *d)
{
	yolo_close(d->yolo);
	classnames_free(&d->names);
	free(d->wanted);
}

int
decode_end(struct detection_decoder *d)
{
	int status = EXIT_DONE;

	detection_writer_close(&d->writer);
	if (d->writer.failed)
		status = EXIT_FAILED;
	else if (d->exit_status && d->writer.found == 0)
		status = EXIT_VERDICT;
	decode_free(d);
	return status;
}
