// SPDX-License-Identifier: Apache-2.0
/*
 * score-boxes - prints the mean average precision of detections, computed as
 * for COCO
 *
 * Reads detections, one JSON object per line and picture, as yolo-detect -F
 * jsonl writes them.  Reads the truth from the same lines of the file that
 * draw-scenes --truth wrote.
 *
 * The rules are the rules of pycocotools at IoU 0.5, all sizes.  Within a
 * class, the program takes the detections by falling confidence.  It matches
 * each detection with an object of the same picture and class, which is not
 * matched yet, has an IoU of at least 0.5, and overlaps the detection most.
 * The detection is right if there is such an object.  The precision at a recall
 * is the best precision at that recall or a higher recall.  The mean of the
 * precisions at the recalls 0, 0.01, ... 1 is the average precision of the
 * class.  The result is the mean over the classes that occur.  Only the first
 * 100 detections of a picture count.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum { MOST_CLASSES = 1000, MOST_DETECTIONS = 100, RECALLS = 101 };

struct box {
	unsigned class;
	size_t picture;
	double confidence;
	double at[4];		/* x0, y0, x1, y1 */
	bool taken;		/* an object that a detection matches */
};

struct boxes {
	struct box *b;
	size_t n, room;
	size_t pictures;
	size_t *first;		/* box of each picture, and n */
};

static char names[MOST_CLASSES][40];

static const char help[] =
"usage: score-boxes --truth=FILE [--goal=P] < detections\n"
"\n"
"  -t, --truth=FILE         what draw-scenes --truth wrote\n"
"  -g, --goal=P             fail below this percentage (0)\n"
"  -h, --help               this text\n"
"\n"
"Exit status: 0 done, 1 failed, 2 usage, 4 below the goal.\n";

/* ---- Reading ---------------------------------------------------------- */

static bool
read_corners(const json_t *array, double at[4])
{
	if (json_array_size(array) != 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		if (!json_is_number(json_array_get(array, i)))
			return false;
		at[i] = json_number_value(json_array_get(array, i));
	}
	return at[0] <= at[2] && at[1] <= at[3];
}

/* Reads a detection, or an object of the truth, which has no confidence. */
static bool
read_box(const json_t *o, struct box *b)
{
	const json_t *id = json_object_get(o, "id");
	const json_t *confidence = json_object_get(o, "confidence");
	const char *name = json_string_value(json_object_get(o, "class"));

	if (!json_is_integer(id) || json_integer_value(id) < 0 ||
	    json_integer_value(id) >= MOST_CLASSES || name == NULL)
		return false;
	b->class = (unsigned)json_integer_value(id);
	snprintf(names[b->class], sizeof(names[0]), "%s", name);
	b->confidence = json_number_value(confidence);
	return read_corners(json_object_get(o, "box"), b->at);
}

static void
add_picture(struct boxes *v, const json_t *list, const char *path)
{
	struct box b = { .picture = v->pictures };
	size_t i;
	json_t *o;

	v->first = grow(v->first, v->pictures + 2, sizeof(*v->first));
	v->first[v->pictures] = v->n;
	json_array_foreach (list, i, o) {
		if (!read_box(o, &b))
			die(1, "%s: line %zu: entry %zu is not a box with a "
			    "class",
			    path, v->pictures + 1, i + 1);
		if (v->n == v->room) {
			v->room = v->room * 2 + 64;
			v->b = grow(v->b, v->room, sizeof(*v->b));
		}
		v->b[v->n++] = b;
	}
	v->first[++v->pictures] = v->n;
}

/* Reads the boxes in the list called key of each line of f. */
static struct boxes
read_boxes(FILE *f, const char *path, const char *key)
{
	struct boxes v = { 0 };
	char *line = NULL;
	size_t room = 0;
	json_error_t why;
	json_t *o, *list;

	while (getline(&line, &room, f) >= 0) {
		o = json_loads(line, JSON_REJECT_DUPLICATES, &why);
		if (o == NULL)
			die(1, "%s: line %zu: %s", path, v.pictures + 1,
			    why.text);
		list = json_object_get(o, key);
		if (!json_is_array(list))
			die(1, "%s: line %zu: no list \"%s\"", path,
			    v.pictures + 1, key);
		add_picture(&v, list, path);
		json_decref(o);
	}
	if (ferror(f))
		die(1, "%s: %s", path, strerror(errno));
	free(line);
	return v;
}

/* ---- Matching --------------------------------------------------------- */

static double
overlap(const double a[4], const double b[4])
{
	double w = (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);
	double h = (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);
	double both = w > 0 && h > 0 ? w * h : 0;
	double all = (a[2] - a[0]) * (a[3] - a[1]) +
	    (b[2] - b[0]) * (b[3] - b[1]) - both;

	return all > 0 ? both / all : 0;
}

/* Matches d with an object.  Returns false if no object is left. */
static bool
match(struct boxes *truth, const struct box *d)
{
	struct box *best = NULL, *t;
	double most = 0.5, u;

	for (size_t i = truth->first[d->picture];
	    i < truth->first[d->picture + 1]; i++) {
		t = &truth->b[i];
		u = overlap(t->at, d->at);
		if (t->class != d->class || t->taken || u < most)
			continue;
		most = u;
		best = t;
	}
	if (best != NULL)
		best->taken = true;
	return best != NULL;
}

/* Sorts by falling confidence, and equal confidences in the order of
 * reading. */
static int
by_confidence(const void *a, const void *b)
{
	const struct box *x = *(struct box *const *)a;
	const struct box *y = *(struct box *const *)b;

	if (x->confidence != y->confidence)
		return x->confidence > y->confidence ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Returns the detections of a class that count, by falling confidence.  The
 * caller frees the list. */
static struct box **
ranked(const struct boxes *v, unsigned class, size_t *n)
{
	struct box **out = grow(NULL, v->n + 1, sizeof(struct box *));

	*n = 0;
	for (size_t i = 0; i < v->n; i++)
		if (v->b[i].class == class &&
		    i - v->first[v->b[i].picture] < MOST_DETECTIONS)
			out[(*n)++] = &v->b[i];
	qsort(out, *n, sizeof(struct box *), by_confidence);
	return out;
}

/* wanted: the number of objects of that class. */
static double
average_precision(struct boxes *truth, const struct boxes *found,
    unsigned class, size_t wanted)
{
	double best[RECALLS] = { 0 }, sum = 0, precision;
	size_t n, right = 0, at;
	struct box **d = ranked(found, class, &n);

	for (size_t i = 0; i < n; i++) {
		right += match(truth, d[i]);
		/* The recall after this detection, in hundredths. */
		at = right * 100 / wanted;
		precision = (double)right / (double)(i + 1);
		best[at] = precision > best[at] ? precision : best[at];
	}
	free(d);
	for (int i = RECALLS - 1; i >= 0; i--) {
		if (i + 1 < RECALLS && best[i + 1] > best[i])
			best[i] = best[i + 1];
		sum += best[i];
	}
	return sum / RECALLS;
}

/* ---- Main ------------------------------------------------------------- */

static int
judge(struct boxes *truth, const struct boxes *found, double goal)
{
	size_t wanted[MOST_CLASSES] = { 0 }, classes = 0;
	double sum = 0, ap, mean;

	for (size_t i = 0; i < truth->n; i++)
		wanted[truth->b[i].class]++;
	for (unsigned k = 0; k < MOST_CLASSES; k++) {
		if (wanted[k] == 0)
			continue;
		ap = average_precision(truth, found, k, wanted[k]);
		printf("  %-24s %6.2f %% of n = %zu\n", names[k], 100 * ap,
		    wanted[k]);
		sum += ap;
		classes++;
	}
	if (classes == 0)
		die(1, "no object in any of %zu pictures", truth->pictures);
	mean = 100 * sum / (double)classes;
	printf("  %-24s %6.2f %% of n = %zu in %zu pictures", "mAP50", mean,
	    truth->n, truth->pictures);
	if (goal > 0)
		printf("  (goal %g %%: %s)", goal,
		    mean >= goal ? "met" : "MISSED");
	printf("\n");
	return mean >= goal ? 0 : 4;
}

static const struct option options[] = {
	{ "truth", required_argument, NULL, 't' },
	{ "goal", required_argument, NULL, 'g' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

int
main(int argc, char *argv[])
{
	struct boxes truth, found;
	const char *path = NULL;
	double goal = 0;
	int opt, status;
	FILE *f;

	while ((opt = getopt_long(argc, argv, "t:g:h", options, NULL)) != -1) {
		switch (opt) {
		case 't': path = optarg; break;
		case 'g': goal = percentage("--goal", optarg); break;
		case 'h': fputs(help, stdout); finish();
		default: return 2;
		}
	}
	if (path == NULL || optind != argc)
		die(2, "--truth and no operand; see --help");
	f = open_file(path, "r");
	truth = read_boxes(f, path, "objects");
	fclose(f);
	found = read_boxes(stdin, "stdin", "detections");
	if (found.pictures != truth.pictures)
		die(1, "detections in %zu pictures, truth of %zu",
		    found.pictures, truth.pictures);
	status = judge(&truth, &found, goal);
	free(truth.b);
	free(truth.first);
	free(found.b);
	free(found.first);
	if (fflush(stdout) != 0)
		die(1, "stdout: %s", strerror(errno));
	return status;
}
