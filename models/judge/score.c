// SPDX-License-Identifier: Apache-2.0
/*
 * score - compares embeddings of pictures with embeddings of captions
 *
 * Both inputs are streams of labelled f32 vectors, as npu-dequant writes them.
 * With --truth (from draw-shapes), the program evaluates the models: caption k
 * belongs to class k, and the most similar caption is the models' answer.
 * Otherwise it prints a table.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu.h"
#include "options.h"

enum { MOST_WIDTH = 65536, MOST_NAME = 200 };

/* n vectors of the same width, one after the other. */
struct score_vectors {
	const char *from;	/* for messages */
	float *x;
	size_t n, width;
};

static const char help[] =
"usage: score [--rows=FILE] [--columns=FILE] captions < pictures\n"
"       score --truth=FILE [--goal=P] [--held-out-goal=P] captions < pictures\n"
"\n"
"  -R, --rows=FILE          names of the pictures, one a line\n"
"  -C, --columns=FILE       names of the captions, one a line\n"
"  -t, --truth=FILE         what draw-shapes --truth wrote\n"
"  -g, --goal=P             fail below this percentage right (0)\n"
"  -H, --held-out-goal=P    the same for the held-out classes alone (0)\n"
"  -h, --help               this text\n"
"\n"
"Exit status: 0 done, 1 failed, 2 usage, 4 below a goal.\n";

/* ---- Vectors ---------------------------------------------------------- */

/* Reads the label of the next vector.  Returns its width, or 0 at the end. */
static size_t
read_label(FILE *f, const char *name)
{
	uint8_t head[NPU_LABEL_SIZE];
	struct npu_label l;
	struct npu_err err;
	size_t n = fread(head, 1, sizeof(head), f);

	if (n == 0 && feof(f))
		return 0;
	if (n != sizeof(head))
		die(1, "%s: the stream ends within a label", name);
	if (npu_label_decode(head, &l, &err) < 0)
		die(1, "%s: %s", name, err.msg);
	if (l.tensor.dtype != NPU_F32 || l.tensor.size < sizeof(float) ||
	    l.tensor.size > MOST_WIDTH * sizeof(float))
		die(1, "%s: not a vector of 1 to %d f32; npu-dequant makes one",
		    name, MOST_WIDTH);
	return l.tensor.size / sizeof(float);
}

static void
normalise(struct score_vectors *v, float *x)
{
	struct npu_err err;

	if (npu_l2_normalise(x, v->width, &err) < 0)
		die(1, "%s: vector %zu: %s", v->from, v->n, err.msg);
}

static struct score_vectors
read_vectors(FILE *f, const char *name)
{
	struct score_vectors v = { .from = name };
	size_t width, room = 0;

	while ((width = read_label(f, name)) > 0) {
		if (v.n > 0 && width != v.width)
			die(1, "%s: vector %zu has %zu numbers, those before "
			    "it %zu", name, v.n, width, v.width);
		v.width = width;
		if (v.n == room) {
			room = room * 2 + 16;
			v.x = grow(v.x, room * width, sizeof(float));
		}
		if (fread(v.x + v.n * width, sizeof(float), width, f) != width)
			die(1, "%s: the stream ends within vector %zu", name,
			    v.n);
		normalise(&v, v.x + v.n * width);
		v.n++;
	}
	if (v.n == 0)
		die(1, "%s: no vector", name);
	return v;
}

static double
cosine(const struct score_vectors *a, size_t i, const struct score_vectors *b,
    size_t j)
{
	double sum = 0;

	for (size_t k = 0; k < a->width; k++)
		sum += (double)a->x[i * a->width + k] *
		    (double)b->x[j * b->width + k];
	return sum;
}

/* Returns the index of the caption that is most similar to picture i. */
static size_t
winner(const struct score_vectors *pictures, size_t i,
    const struct score_vectors *captions)
{
	size_t best = 0;
	double most = -2, c;

	for (size_t j = 0; j < captions->n; j++) {
		c = cosine(pictures, i, captions, j);
		if (c > most) {
			most = c;
			best = j;
		}
	}
	return best;
}

/* ---- Table ------------------------------------------------------------ */

/* Reads n names from the lines of path.  path NULL: the names are numbers. */
static char (*
read_names(const char *path, size_t n))[MOST_NAME]
{
	char (*names)[MOST_NAME] = grow(NULL, n, sizeof(*names));
	FILE *f = path == NULL ? NULL : open_file(path, "r");

	for (size_t i = 0; i < n; i++) {
		snprintf(names[i], MOST_NAME, "%zu", i + 1);
		if (f == NULL)
			continue;
		if (fgets(names[i], MOST_NAME, f) == NULL)
			die(1, "%s: %zu names for %zu vectors", path, i, n);
		names[i][strcspn(names[i], "\n")] = '\0';
	}
	if (f != NULL)
		fclose(f);
	return names;
}

static int
widest(char (*names)[MOST_NAME], size_t n)
{
	size_t w = 6;

	for (size_t i = 0; i < n; i++)
		w = strlen(names[i]) > w ? strlen(names[i]) : w;
	return (int)w;
}

static void
print_table(const struct score_vectors *p, const struct score_vectors *c,
    const char *row_file, const char *column_file)
{
	char (*rows)[MOST_NAME] = read_names(row_file, p->n);
	char (*columns)[MOST_NAME] = read_names(column_file, c->n);
	int left = widest(rows, p->n), each = widest(columns, c->n);
	size_t best;

	printf("%*s", left, "");
	for (size_t j = 0; j < c->n; j++)
		printf(" %*s ", each, columns[j]);
	printf("\n");
	for (size_t i = 0; i < p->n; i++) {
		best = winner(p, i, c);
		printf("%-*s", left, rows[i]);
		for (size_t j = 0; j < c->n; j++)
			printf(" %*.3f%c", each, cosine(p, i, c, j),
			    j == best ? '*' : ' ');
		printf("\n");
	}
	free(columns);
	free(rows);
}

/* ---- Evaluation ------------------------------------------------------- */

struct result {
	size_t n, right;
};

/* Reads the class of picture i, and whether it is held out, from a line of
 * f. */
static size_t
read_truth(FILE *f, const char *path, size_t i, size_t classes, bool *held)
{
	char line[2000], word[6];
	unsigned class;

	if (fgets(line, sizeof(line), f) == NULL)
		die(1, "%s: %zu lines, but there are more pictures", path, i);
	if (sscanf(line, "{\"class\":%u,\"held_out\":%5[a-z]", &class,
	    word) != 2)
		die(1, "%s: line %zu is not from draw-shapes --truth", path,
		    i + 1);
	if (class >= classes)
		die(1, "%s: line %zu: class %u, but there are %zu captions",
		    path, i + 1, class, classes);
	*held = strcmp(word, "true") == 0;
	return class;
}

/* Prints one line.  Returns whether the goal was met. */
static bool
verdict(const char *what, struct result r, double goal)
{
	double percent = 100.0 * (double)r.right / (double)r.n;
	bool met = r.n > 0 && percent >= goal;

	printf("  %-24s %6.2f %% of n = %zu", what, r.n > 0 ? percent : 0,
	    r.n);
	if (goal > 0)
		printf("  (goal %g %%: %s)", goal, met ? "met" : "MISSED");
	printf("\n");
	return met;
}

static int
evaluate(const struct score_vectors *p, const struct score_vectors *c,
    const char *path, const double goal[2])
{
	struct result all = { 0 }, out = { 0 };
	FILE *f = open_file(path, "r");
	bool held, met;

	for (size_t i = 0; i < p->n; i++) {
		bool right = read_truth(f, path, i, c->n, &held) ==
		    winner(p, i, c);

		all.n++;
		all.right += right;
		out.n += held;
		out.right += held && right;
	}
	if (fgetc(f) != EOF)
		die(1, "%s: more lines than the %zu pictures", path, p->n);
	fclose(f);
	met = verdict("top-1, all classes", all, goal[0]);
	return verdict("held-out classes alone", out, goal[1]) && met ? 0 : 4;
}

/* ---- Main ------------------------------------------------------------- */

static const struct option options[] = {
	{ "rows", required_argument, NULL, 'R' },
	{ "columns", required_argument, NULL, 'C' },
	{ "truth", required_argument, NULL, 't' },
	{ "goal", required_argument, NULL, 'g' },
	{ "held-out-goal", required_argument, NULL, 'H' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

int
main(int argc, char *argv[])
{
	const char *rows = NULL, *columns = NULL, *truth = NULL;
	struct score_vectors pictures, captions;
	double goal[2] = { 0, 0 };
	int opt, status = 0;
	FILE *f;

	while ((opt = getopt_long(argc, argv, "R:C:t:g:H:h", options,
	    NULL)) != -1) {
		switch (opt) {
		case 'R': rows = optarg; break;
		case 'C': columns = optarg; break;
		case 't': truth = optarg; break;
		case 'g': goal[0] = percentage("--goal", optarg); break;
		case 'H':
			goal[1] = percentage("--held-out-goal", optarg);
			break;
		case 'h': fputs(help, stdout); return 0;
		default: return 2;
		}
	}
	if (optind + 1 != argc)
		die(2, "one operand, the captions' vectors; see --help");
	f = open_file(argv[optind], "r");
	captions = read_vectors(f, argv[optind]);
	fclose(f);
	pictures = read_vectors(stdin, "stdin");
	if (pictures.width != captions.width)
		die(1, "pictures have %zu numbers, captions %zu",
		    pictures.width, captions.width);
	if (truth != NULL)
		status = evaluate(&pictures, &captions, truth, goal);
	else
		print_table(&pictures, &captions, rows, columns);
	free(pictures.x);
	free(captions.x);
	return status;
}
