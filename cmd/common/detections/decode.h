/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes a detector's output to detections, which it writes, for yolo-detect
 * and yolo-decode.
 *
 *	decode_defaults(&d);
 *	while ((opt = cmd_option(argc, argv)) != -1)
 *		if (!decode_option(&d, opt, optarg))
 *			...
 *	decode_open(&d);
 *	decode_begin(&d, model);
 *	for each picture:
 *		decode_prepare(&d, &tensor, place, &err);
 *		picture.found = decode_tensor(&d, data, &geometry, place,
 *		    &picture.n);
 *		detection_writer_put(&d.writer, &picture);
 *	status = decode_end(&d);
 */
#ifndef CMD_DETECTIONS_DECODE_H
#define CMD_DETECTIONS_DECODE_H

#include "writer.h"

enum {
	DECODE_AGNOSTIC = 320, DECODE_CLASSES, DECODE_CONF_COLUMN,
	DECODE_COORDINATES, DECODE_FIRST, DECODE_FIT, DECODE_IDS, DECODE_IOU,
	DECODE_NAMES, DECODE_NO_NMS,
};
extern const char *const decode_fits[], *const decode_axes[],
    *const decode_coordinates[];

/* Rows of a program's options. */
#define DECODE_OPTIONS \
	TAKES('c', "conf", "=0.25", COMPLETE_NONE, "only scores above this"), \
	TAKES(DECODE_IOU, "iou", "=0.7", COMPLETE_NONE, \
	    "of boxes that overlap more, keep the best"), \
	TAKES(DECODE_CLASSES, "classes", "=LIST", COMPLETE_NONE, \
	    "only these, by name or number: person,2"), \
	FLAG(DECODE_AGNOSTIC, "agnostic", "classes suppress each other"), \
	FLAG(DECODE_NO_NMS, "no-nms", \
	    "suppress nothing: all candidates"), \
	TAKES('n', "count", "=300", COMPLETE_NONE, \
	    "at most so many objects in a picture; 0: all"), \
	TAKES(DECODE_NAMES, "names", "=FILE", COMPLETE_FILE, \
	    "names of the classes, one in each line (default: the model's, " \
	    "or COCO's for 80)"), \
	ONE_OF(DECODE_FIRST, "first", "=AXIS", decode_axes, \
	    "what comes first, classes or boxes (default: from the " \
	    "shape)"), \
	ONE_OF(DECODE_COORDINATES, "coordinates", "=UNIT", decode_coordinates, \
	    "boxes in pixels (default), or in parts of the input, 0 to 1"), \
	ONE_OF(DECODE_FIT, "fit", "=FIT", decode_fits, \
	    "letterbox (default) or stretch"), \
	ONE_OF('F', "format", "=FORMAT", detection_formats, \
	    "tsv (default on a terminal), jsonl (default elsewhere), json, " \
	    "csv, coco, yolo"), \
	TAKES(DECODE_IDS, "image-ids", "=FILE", COMPLETE_FILE, \
	    "coco: a file with an id and a name in each line"), \
	FLAG(DECODE_CONF_COLUMN, "conf-column", "yolo: with confidences"), \
	TAKES('o', "output", "=FILE", COMPLETE_FILE, \
	    "write to FILE; yolo: files in that folder"), \
	OUTPUT_DIR_OPTIONS, \
	FLAG('e', "exit-status", "exit 4 if nothing was found at all"), \
	FLAG('q', "quiet", "no notes, no progress"), \
	FLAG('v', "verbose", "say what became of each picture's boxes")

struct detection_decoder {
	struct yolo_options options;
	struct detection_style style;
	enum yolo_layout layout;
	enum fit fit;
	bool exit_status;		/* -e */
	bool has_max, has_iou;
	const char *names_file;		/* --names */
	const char *classes;		/* --classes */
	const char *classes_option;	/* its name in messages; NULL: the
					   option's own */

	struct classnames names;	/* n is 0 while the names are unknown */
	bool names_known;		/* the names come from a file or the
					   model */
	bool *wanted;			/* owned: the classes of
					   options.classes */
	struct yolo *yolo;		/* NULL: not created yet */
	struct npu_tensor tensor;	/* the tensor that yolo decodes */
	struct yolo_shape shape;
	struct detection_writer writer;
};

/* Sets the defaults that --help documents. */
void decode_defaults(struct detection_decoder *d);
/* Reads one of DECODE_OPTIONS.  Returns false for another option. */
bool decode_option(struct detection_decoder *d, int c, const char *arg);

/*
 * Opens the output.  Call after reading the options and setting style.several.
 */
void decode_open(struct detection_decoder *d);
/* Reads the class names from --names, else from the twin of the model at path
 * model (NULL: none). */
void decode_begin(struct detection_decoder *d, const char *model);

/*
 * Prepares for tensors described by *t.  Fails if *t is not the output of a
 * detector, or if the number of classes differs from before.  Notes begin with
 * place ("stdin: frame 2").  A wrong --classes is a usage error here, once
 * names are known.
 */
int decode_prepare(struct detection_decoder *d, const struct npu_tensor *t,
    const char *place, struct npu_err *err);

/* Returns the side of the square input whose three YOLOv8 grids, of 8, 16 and
 * 32 pixels a cell, have that many boxes; 0 if no side fits. */
uint32_t decode_input_side(uint32_t boxes);

/*
 * Decodes data, a tensor as last prepared for, to the detections in a picture
 * that was fitted by *g.  The result is valid until the next call.  Dies if the
 * tensor does not come from a YOLOv8 detection head, and without memory.
 */
const struct detection *decode_tensor(struct detection_decoder *d,
    const void *data, const struct geometry *g, const char *place, size_t *n);

/* Dies of such a tensor where the input's size is unknown, before any tensor
 * was decoded. */
void decode_check(const struct detection_decoder *d, const void *data,
    const char *place);

/* Frees the memory of decode_begin() and later calls, but not the output. */
void decode_free(struct detection_decoder *d);
/* Closes the output.  Returns its exit status, or the status of an earlier
 * failure. */
int decode_end(struct detection_decoder *d);

/* Reads the class names in the metadata of the twin of the model at path.
 * Returns 1, or 0 without a twin or without names in it, or negative with the
 * reason in *err. */
int model_names(struct classnames *names, const char *path,
    struct npu_err *err);

#endif
