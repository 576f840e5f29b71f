/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a detector's answer to detections: what yolo-detect and yolo-decode
 * share beside the writing.
 *
 *	decoding_defaults(&d);
 *	while ((opt = cmd_option(argc, argv)) != -1)
 *		if (!decoding_option(&d, opt, optarg))
 *			...
 *	decoding_begin(&d, model);
 *	for each picture:
 *		decoding_tensor(&d, &tensor, place, &err);
 *		pictured.found = decoding_find(&d, data, &geometry, place,
 *		    &pictured.n);
 *		detections_put(&d.writer, &pictured);
 *	status = decoding_end(&d);
 */
#ifndef DECODING_H
#define DECODING_H

#include "detections.h"

enum {
	DECODING_AGNOSTIC = 320, DECODING_CLASSES, DECODING_CONF_COLUMN,
	DECODING_FIT, DECODING_IDS, DECODING_IOU, DECODING_LAYOUT,
	DECODING_MAX, DECODING_NAMES, DECODING_NO_NMS,
};

/* Rows of both programs' option tables. */
#define DECODING_OPTIONS \
	{ "agnostic", no_argument, NULL, DECODING_AGNOSTIC }, \
	{ "classes", required_argument, NULL, DECODING_CLASSES }, \
	{ "conf", required_argument, NULL, 'c' }, \
	{ "conf-column", no_argument, NULL, DECODING_CONF_COLUMN }, \
	{ "exit-status", no_argument, NULL, 'e' }, \
	{ "fit", required_argument, NULL, DECODING_FIT }, \
	{ "format", required_argument, NULL, 'F' }, \
	{ "image-ids", required_argument, NULL, DECODING_IDS }, \
	{ "iou", required_argument, NULL, DECODING_IOU }, \
	{ "layout", required_argument, NULL, DECODING_LAYOUT }, \
	{ "max", required_argument, NULL, DECODING_MAX }, \
	{ "names", required_argument, NULL, DECODING_NAMES }, \
	{ "no-nms", no_argument, NULL, DECODING_NO_NMS }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "verbose", no_argument, NULL, 'v' }

/* And of their --help. */
#define DECODING_HELP \
	"  -c, --conf=0.25       scores above it\n" \
	"      --iou=0.7         overlap above which the better one stays\n" \
	"      --classes=LIST    only these, by name or number: person,2\n" \
	"      --agnostic        classes suppress each other\n" \
	"      --no-nms          nothing is suppressed: all candidates\n" \
	"      --max=300         at most so many a picture; 0: all\n" \
	"      --names=FILE      names of the classes, one a line (default:\n" \
	"                        those of the model, or COCO's for 80)\n" \
	"      --layout=AXIS     which comes first, classes or boxes\n" \
	"                        (default: as the shape tells)\n" \
	"      --fit=FIT         letterbox (default) or stretch\n" \
	"  -F, --format=FORMAT   tsv (default on a terminal), jsonl\n" \
	"                        (default elsewhere), json, csv, coco, yolo\n" \
	"      --image-ids=FILE  coco: an id and a file name a line\n" \
	"      --conf-column     yolo: with confidences\n" \
	"  -o, --output=FILE     write to FILE; yolo: files in that folder\n" \
	"  -e, --exit-status     exit 4 if nothing was found at all\n" \
	"  -q, --quiet           no notes\n" \
	"  -v, --verbose         say what became of each picture's boxes\n"

struct decoding {
	struct yolo_options options;
	struct detections_style style;
	enum yolo_layout layout;
	enum fit fit;
	bool tell;			/* -e */
	bool max_said, iou_said;
	const char *names_file;		/* --names */
	const char *classes_said;	/* --classes */

	struct classnames names;	/* n 0: not known yet */
	bool names_known;		/* told by a file or the model */
	bool *wanted;			/* owned: options.classes */
	struct yolo *yolo;		/* NULL: none yet */
	struct npu_tensor tensor;	/* of yolo */
	struct yolo_shape shape;
	struct detections writer;
};

/* What --help says is the default. */
void decoding_defaults(struct decoding *d);
/* Takes one of DECODING_OPTIONS; false if it is another. */
bool decoding_option(struct decoding *d, int c, const char *arg);

/*
 * Once the options are read, and style.several is set: class names come from
 * --names, else from the twin of the model at path model (NULL: none), and the
 * output is opened.
 */
void decoding_begin(struct decoding *d, const char *model);

/*
 * Makes ready for tensors as *t.  Fails when *t is no answer of a detector, or
 * of one with other classes than before; notes begin with place ("stdin: frame
 * 2").  A wrong --classes is a usage error here, where names are known.
 */
int decoding_tensor(struct decoding *d, const struct npu_tensor *t,
    const char *place, struct npu_err *err);

/* The side of the square input that has so many boxes in YOLOv8's three grids,
 * of 8, 16 and 32 pixels a cell; 0 if none has. */
uint32_t decoding_side(uint32_t boxes);

/*
 * What these bytes, of the tensor that was made ready for last, say is in a
 * picture fitted as *g says.  The detections last until the next call.  Dies
 * only when there is no memory.
 */
const struct detection *decoding_find(struct decoding *d, const void *data,
    const struct geometry *g, const char *place, size_t *n);

/* Closes the output.  The exit status, if nothing else has failed. */
int decoding_end(struct decoding *d);

/* The class names in the metadata of the twin of the model at path: 1, 0 if it
 * has no twin or that no names, negative with the reason. */
int twin_names(struct classnames *names, const char *path,
    struct npu_err *err);

#endif
