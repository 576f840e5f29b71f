// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_output.h"
#include "image/crop.h"
#include "image/write.h"
#include "pictures/fd_source.h"
#include "vision/annotate.h"

bool
drawn_output_to_stdout(const struct drawn_output *s)
{
	return s->draw != NULL && strcmp(s->draw, "-") == 0;
}

bool
drawn_output_wanted(const struct drawn_output *s)
{
	return s->draw != NULL || s->crop != NULL;
}

void
drawn_output_open(struct drawn_output *s)
{
	if (drawn_output_to_stdout(s)) {
		cmd_open_output(&s->out, NULL, true);
	} else if (s->draw != NULL) {
		s->drawn.path = s->draw;
		output_dir_open(&s->drawn);
	}
	if (s->crop != NULL) {
		s->crops.path = s->crop;
		output_dir_open(&s->crops);
	}
}

/* ---- Files ------------------------------------------------------------- */

static void
fail(struct drawn_output *s, const char *name, const struct npu_err *err)
{
	cmd_warn("%s: %s", name, err->msg);
	s->failed = true;
}

static void
write_image(struct output *o, const struct image *image,
    enum picture_format format)
{
	struct npu_err err;

	if (picture_write(image, format, 0, output_sink(o), &err) < 0)
		cmd_die_err(o->path, &err);
}

/* Writes a picture to a folder.  False, after a message, if the folder cannot
 * have a file of that name. */
static bool
put_file(struct drawn_output *s, struct output_dir *folder,
    const struct preprocessed *p, const char *ending, const struct image *image)
{
	struct npu_err err;
	struct output o;
	const char *path = output_dir_path(folder, p->file != NULL ? p->file :
	    "stdin", p->number, ending, &err);

	if (path == NULL) {
		fail(s, p->name, &err);
		return false;
	}
	cmd_open_output(&o, path, false);
	write_image(&o, image, PICTURE_PNG);
	cmd_close_output(&o);
	return true;
}

/* ---- Objects ----------------------------------------------------------- */

/* Converts a class name to a part of a file name: each byte that is not an
 * ASCII letter or digit becomes '_'. */
static void
plain_name(const char *class, char *name, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && class[i] != '\0'; i++) {
		char c = class[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9')))
			c = '_';
		name[i] = c;
	}
	name[i] = '\0';
}

static struct annotation
annotation_of(const struct classnames *names, const struct detection *d)
{
	struct annotation a = { .name = names->name[d->class],
	    .class = d->class, .confidence = (double)d->confidence };

	for (int k = 0; k < 4; k++)
		a.box[k] = (double)d->box[k];
	return a;
}

/* Writes an object's part of the picture.  False if the folder cannot have a
 * file for this picture, and so none for its other objects. */
static bool
put_crop(struct drawn_output *s, const struct preprocessed *p,
    const struct annotation *a, size_t number)
{
	char ending[96], class[64];
	struct image part;
	struct npu_err err;
	bool named;

	plain_name(a->name, class, sizeof(class));
	snprintf(ending, sizeof(ending), "%zu.%s.png", number, class);
	if (image_crop(&p->image, box_rect(a->box), &part, &err) < 0) {
		fail(s, p->name, &err);
		return true;
	}
	named = put_file(s, &s->crops, p, ending, &part);
	free(part.rgb);
	return named;
}

bool
drawn_output_put(struct drawn_output *s, struct preprocessed *p,
    const struct classnames *names, const struct detection *found, size_t n)
{
	struct annotation *a = cmd_alloc(n * sizeof(*a));
	bool crops = s->crop != NULL, failed = s->failed, drawn;

	s->failed = false;
	for (size_t i = 0; i < n; i++) {
		a[i] = annotation_of(names, &found[i]);
		crops = crops && put_crop(s, p, &a[i], i + 1);
	}
	if (s->draw != NULL)
		annotate(&p->image, a, n, &(struct annotate_style){ 0 });
	free(a);
	if (drawn_output_to_stdout(s)) {
		write_image(&s->out, &p->image, PICTURE_PPM);
		cmd_end_record(&s->out);
	} else if (s->draw != NULL) {
		put_file(s, &s->drawn, p, "png", &p->image);
	}
	drawn = !s->failed;
	s->failed |= failed;
	return drawn;
}

void
drawn_output_close(struct drawn_output *s)
{
	if (drawn_output_to_stdout(s))
		cmd_close_output(&s->out);
	else if (s->draw != NULL)
		output_dir_close(&s->drawn);
	if (s->crop != NULL)
		output_dir_close(&s->crops);
}
