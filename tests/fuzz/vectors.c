// SPDX-License-Identifier: Apache-2.0
/*
 * Vectors in all their formats: reading from a file and from a pipe gives the
 * same results, with valid memory and a name for each vector.  A .safetensors
 * is recognised in a file only.
 */
#include "base/bytes.h"
#include "tensor/safetensors.h"
#include "vectors/reader.h"
#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "vectors" };

enum { PIPE = 60000 };		/* bytes that fit into a pipe at once */

struct given {
	const char *path;
	bool once;
	uint64_t rows, sum;
	struct npu_err err;
	int rc;			/* of the last vector_reader_next() */
};

static void
look(struct given *g, const struct vector *row)
{
	uint32_t bits;

	for (uint32_t i = 0; row->x != NULL && i < row->dim; i++) {
		memcpy(&bits, &row->x[i], sizeof(bits));
		g->sum = g->sum * 31 + bits;
	}
	for (size_t i = 0; i < row->id_n; i++)
		g->sum = g->sum * 31 + (uint8_t)row->id[i];
	if ((row->x == NULL) == (row->error == NULL) ||
	    row->number != g->rows + 1 || *vector_name(row) == '\0')
		abort();
	g->rows++;
}

static void
read_all(void *arg)
{
	struct given *g = arg;
	const struct vector_reader_options o = { .once = g->once };
	struct vector row;
	struct vector_reader v;

	vector_reader_open(&v, g->path, &o);
	/* After the last row it is known which rows are current. */
	while (v.scanning && (g->rc = vector_reader_next(&v, &row,
	    &g->err)) > 0)
		;
	vector_reader_end_scan(&v);
	while ((g->rc = vector_reader_next(&v, &row, &g->err)) > 0)
		look(g, &row);
	vector_reader_close(&v);
}

static bool
sound(struct given *g, const char *path)
{
	g->path = path;
	return dies(read_all, g) == DIES_ALIVE && g->rc == 0;
}

static bool
only_in_file(const uint8_t *p, size_t n)
{
	size_t header;

	return n >= SAFETENSORS_FIRST && safetensors_begins(p, n, &header);
}

static void
check_pipe(const uint8_t *p, size_t n, const struct given *file, bool good)
{
	struct given piped = { 0 };
	int ends[2];
	char path[40];

	if (pipe(ends) < 0 || write(ends[1], p, n) != (ssize_t)n)
		abort();
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	if (sound(&piped, path) != good || (good &&
	    (piped.rows != file->rows || piped.sum != file->sum)))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static int first;	/* descriptor that the program may use */
	struct given file = { 0 }, once = { .once = true };
	bool good;

	if (n > PIPE)
		return 0;
	if (first == 0) {
		dies_file(p, n);
		first = open("/dev/null", O_RDONLY);
	}
	good = sound(&file, dies_file(p, n));
	if (sound(&once, dies_file(p, n)) != good ||
	    (good && (once.rows != file.rows || once.sum != file.sum)))
		abort();
	if (!only_in_file(p, n))
		check_pipe(p, n, &file, good);
	close_range((unsigned)first, ~0u, 0);
	return 0;
}
