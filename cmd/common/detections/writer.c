// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "delimited.h"
#include "json_error.h"
#include "writer.h"

/* ---- Numbers, the same in all formats ---------------------------------- */

double
detection_pixels(double v)
{
	return round(v * 100) / 100;
}

double
detection_confidence(double v)
{
	char s[40];

	snprintf(s, sizeof(s), "%.5g", v);
	return strtod(s, NULL);
}

static void
put_number(struct buf *b, double v)
{
	char s[40];

	num_format_double(v, s, sizeof(s));
	buf_puts(b, s);
}

/* ---- JSON ------------------------------------------------------------- */

static void
json_box(struct json *j, const struct detection *d)
{
	json_key(j, "box");
	json_array(j);
	for (int i = 0; i < 4; i++)
		json_double(j, detection_pixels((double)d->box[i]));
	json_end_array(j);
}

/* Adds the object on one line, even in a pretty document. */
static void
json_detection(struct json *j, const struct detection *d, const char *name)
{
	const bool pretty = j->pretty;

	json_object(j);
	j->pretty = false;
	json_key(j, "class");
	json_str(j, name);
	json_key(j, "id");
	json_uint(j, d->class);
	json_key(j, "confidence");
	json_double(j, detection_confidence((double)d->confidence));
	json_box(j, d);
	json_end_object(j);
	j->pretty = pretty;
}

static void
json_side(struct json *j, const char *key, uint32_t pixels)
{
	json_key(j, key);
	if (pixels != 0)
		json_uint(j, pixels);
	else
		json_null(j);
}

/* Adds a failure's message; without a picture, also the exit status. */
static void
json_reason(struct json *j, const struct detected_picture *p)
{
	if (p->status != 0) {
		json_error(j, cmd_last_message(), p->status);
		return;
	}
	json_key(j, "error");
	json_object(j);
	json_member_str(j, "message", p->error);
	json_end_object(j);
}

static void
json_picture(struct json *j, const struct detection_writer *w,
    const struct detected_picture *p)
{
	json_object(j);
	json_key(j, "schema");
	json_str(j, "yolo-detect/1");
	json_key(j, "file");
	json_str(j, p->file);
	if (p->frame != 0) {
		json_key(j, "frame");
		json_uint(j, p->frame);
	}
	json_side(j, "width", p->width);
	json_side(j, "height", p->height);
	json_key(j, "conf");
	json_double(j, w->style.conf);
	json_key(j, "iou");
	json_double(j, w->style.iou);
	if (p->error != NULL || p->status != 0)
		json_reason(j, p);
	json_key(j, "detections");
	json_array(j);
	for (size_t i = 0; i < p->n; i++)
		json_detection(j, &p->found[i],
		    w->names->name[p->found[i].class]);
	json_end_array(j);
	json_end_object(j);
}

/* Adds a result in pycocotools' form: the box is a corner and two sides. */
static void
json_result(struct json *j, const struct detection_writer *w,
    const struct detection *d, uint64_t image)
{
	const double x = (double)d->box[0], y = (double)d->box[1];
	const double box[] = { x, y, (double)d->box[2] - x,
	    (double)d->box[3] - y };

	json_object(j);
	json_key(j, "image_id");
	json_uint(j, image);
	json_key(j, "category_id");
	json_uint(j, classnames_are_coco(w->names) ?
	    classnames_coco_category(d->class) : d->class + 1);
	json_key(j, "bbox");
	json_array(j);
	for (int i = 0; i < 4; i++)
		json_double(j, detection_pixels(box[i]));
	json_end_array(j);
	json_key(j, "score");
	json_double(j, detection_confidence((double)d->confidence));
	json_end_object(j);
}

/* Keeps the message of a failure, for a list without results. */
static void
keep_failure(struct detection_writer *w, const struct detected_picture *p)
{
	if (w->style.format != DETECTIONS_COCO)
		return;
	free(w->failure);
	w->failure = p->error == NULL ? cmd_copy(cmd_last_message()) :
	    cmd_text("%s: %s", p->file != NULL ? p->file : "stdin", p->error);
}

/* Writes the results of a picture.  A picture without objects does not need an
 * id. */
static bool
put_results(struct detection_writer *w, const struct detected_picture *p)
{
	uint64_t id;

	if (p->n == 0)
		return true;
	if (!coco_ids_find(&w->ids, p->file, p->frame, &id))
		return false;
	for (size_t i = 0; i < p->n; i++) {
		/* One result a line: the array is formatted by hand. */
		buf_puts(&w->json.out, w->results++ > 0 ? ",\n" : "[\n");
		w->json.comma = false;
		json_result(&w->json, w, &p->found[i], id);
	}
	return true;
}

/* ---- Lines ------------------------------------------------------------ */

static void
put_lines(struct detection_writer *w, const struct detected_picture *p)
{
	const bool csv = w->style.format == DETECTIONS_CSV;
	void (*text)(struct buf *, const char *) = csv ? csv_text : tsv_text;
	const char *gap = csv ? "," : "\t";
	struct buf *b = &w->json.out;

	for (size_t i = 0; i < p->n; i++) {
		const struct detection *d = &p->found[i];

		text(b, p->file != NULL ? p->file : "-");
		if (p->frame != 0)
			buf_printf(b, "#%llu", (unsigned long long)p->frame);
		buf_puts(b, gap);
		text(b, w->names->name[d->class]);
		buf_printf(b, "%s%u%s", gap, d->class, gap);
		put_number(b, detection_confidence((double)d->confidence));
		for (int k = 0; k < 4; k++) {
			buf_puts(b, gap);
			put_number(b, detection_pixels((double)d->box[k]));
		}
		buf_puts(b, "\n");
	}
}

/* ---- Files of YOLO ----------------------------------------------------- */

/*
 * Adds a line: class, centre and sides relative to the picture's, confidence.
 */
static void
yolo_line(struct buf *b, const struct detected_picture *p,
    const struct detection *d, bool confidence)
{
	const double w = p->width, h = p->height;
	const double x1 = (double)d->box[0], y1 = (double)d->box[1];
	const double x2 = (double)d->box[2], y2 = (double)d->box[3];

	buf_printf(b, "%u %.6g %.6g %.6g %.6g", d->class, (x1 + x2) / 2 / w,
	    (y1 + y2) / 2 / h, (x2 - x1) / w, (y2 - y1) / h);
	if (confidence) {
		buf_puts(b, " ");
		put_number(b, detection_confidence((double)d->confidence));
	}
	buf_puts(b, "\n");
}

/* Opens a picture's file in the folder.  Returns false, with a warning, if the
 * picture cannot have a file. */
static bool
put_file(struct detection_writer *w, const struct detected_picture *p)
{
	struct buf b = { 0 };
	struct npu_err err;
	const char *file = p->file == NULL && p->on_stdin ? "-" : p->file;
	const char *path = output_dir_path(&w->folder, file, p->frame, "txt",
	    &err);

	if (path == NULL) {
		cmd_warn("%s: %s", p->file != NULL ? p->file : "stdin",
		    err.msg);
		return false;
	}
	for (size_t i = 0; i < p->n; i++)
		yolo_line(&b, p, &p->found[i], w->style.conf_column);
	cmd_write_document(path, &b);
	return true;
}

/* ---- Public functions -------------------------------------------------- */

/* In the order of the enumeration, which begins with UNSET. */
const char *const detection_formats[] = { "tsv", "csv", "json", "jsonl",
    "coco", "yolo", NULL };

enum detection_format
detection_format_parse(const char *arg)
{
	return DETECTIONS_TSV + cmd_choice("--format", arg, detection_formats);
}

static void
check_style(struct detection_style *s)
{
	if (s->format == DETECTIONS_UNSET)
		s->format = s->output == NULL && cmd_stdout_is_terminal() ?
		    DETECTIONS_TSV : DETECTIONS_JSONL;
	if (s->image_ids != NULL && s->format != DETECTIONS_COCO)
		cmd_usage("--image-ids is for --format=coco");
	if (s->conf_column && s->format != DETECTIONS_YOLO)
		cmd_usage("--conf-column is for --format=yolo");
	if (s->format == DETECTIONS_YOLO && (s->output == NULL ||
	    strcmp(s->output, "-") == 0))
		cmd_usage("--format=yolo makes a file for each picture; say in "
		    "which folder with --output");
}

void
detection_writer_open(struct detection_writer *w,
    const struct detection_style *s)
{
	*w = (struct detection_writer){ .style = *s };
	check_style(&w->style);
	if (w->style.format == DETECTIONS_YOLO) {
		w->folder.path = s->output;
		w->folder.naming = s->naming;
		output_dir_open(&w->folder);
		return;
	}
	if (w->style.format == DETECTIONS_COCO)
		coco_ids_open(&w->ids, w->style.image_ids);
	/* A failure to open the output is not reported in any document. */
	w->writing = true;
	cmd_open_output(&w->out, s->output, false);
	w->writing = false;
	/*
	 * Flush records even to a file: results must survive a later failure.
	 */
	w->out.record_flush = true;
	if (w->style.format == DETECTIONS_CSV)
		buf_puts(&w->json.out,
		    "file,class,id,confidence,x1,y1,x2,y2\n");
	w->json.pretty = w->style.format == DETECTIONS_JSON;
	if (w->json.pretty && s->several)
		json_array(&w->json);
}

/* Writes what is buffered to the output. */
static void
flush(struct detection_writer *w)
{
	struct buf *b = &w->json.out;

	w->writing = true;
	if (b->failed)
		cmd_die("out of memory");
	cmd_write(&w->out, b->p, b->n);
	buf_clear(b);
	cmd_end_record(&w->out);
	w->writing = false;
}

void
detection_writer_put(struct detection_writer *w,
    const struct detected_picture *p)
{
	bool done = true;

	switch (w->style.format) {
	case DETECTIONS_JSONL:
		w->json.comma = false;
		json_picture(&w->json, w, p);
		buf_puts(&w->json.out, "\n");
		break;
	case DETECTIONS_JSON:
		json_picture(&w->json, w, p);
		break;
	case DETECTIONS_COCO:
		done = put_results(w, p);
		break;
	case DETECTIONS_YOLO:
		done = p->error != NULL || put_file(w, p);
		break;
	default:
		put_lines(w, p);
		break;
	}
	if (!done)
		w->failed = true;
	if (!done || p->error != NULL || p->status != 0)
		keep_failure(w, p);
	w->pictures++;
	w->found += p->n;
	if (w->style.format != DETECTIONS_YOLO)
		flush(w);
}

/* Without results, writes an empty array, or an object with the failure. */
static void
end_results(struct detection_writer *w)
{
	if (w->results > 0) {
		buf_puts(&w->json.out, "\n]\n");
	} else if (w->failure == NULL) {
		buf_puts(&w->json.out, "[]\n");
	} else {
		json_object(&w->json);
		json_error(&w->json, w->failure, EXIT_FAILED);
		json_end_object(&w->json);
		buf_puts(&w->json.out, "\n");
	}
}

static void
end_document(struct detection_writer *w)
{
	if (w->json.pretty && w->style.several)
		json_end_array(&w->json);
	if (w->json.pretty)
		buf_puts(&w->json.out, "\n");
	if (w->style.format == DETECTIONS_COCO)
		end_results(w);
	flush(w);
}

void
detection_writer_fail(struct detection_writer *w, int status)
{
	const struct detected_picture failure = { .status = status };

	keep_failure(w, &failure);
	if (w->style.format == DETECTIONS_JSON &&
	    (w->style.several || w->pictures == 0))
		json_picture(&w->json, w, &failure);
}

/* Completes a document that was partly written; else writes a document with
 * only the error.  Without it, a reader could mistake an earlier document for
 * the result of this run. */
static void
end_coco(struct detection_writer *w)
{
	w->writing = true;
	if (w->results > 0 && w->out.temporary == NULL)
		end_document(w);
	else
		json_write_failure(NULL, w->style.output);
}

void
detection_writer_end_early(struct detection_writer *w)
{
	if (w->style.format == DETECTIONS_YOLO || w->writing ||
	    !json_ends_failed())
		return;
	if (w->style.format == DETECTIONS_COCO)
		end_coco(w);
	if (w->style.format != DETECTIONS_JSON)
		return;
	detection_writer_fail(w, cmd_status_at_exit);
	end_document(w);
	w->writing = true;
	cmd_close_output(&w->out);
}

void
detection_writer_close(struct detection_writer *w)
{
	if (w->style.format == DETECTIONS_YOLO) {
		output_dir_close(&w->folder);
		return;
	}
	end_document(w);
	w->writing = true;	/* no early end can follow */
	cmd_close_output(&w->out);
	coco_ids_close(&w->ids);
	free(w->failure);
	json_free(&w->json);
}
