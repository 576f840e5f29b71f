// SPDX-License-Identifier: Apache-2.0
/*
 * nearest VEC-NEAREST FOLDER - compares a whole process that finds the nearest
 * of 200000 vectors of 512 numbers with one pass over the same bytes.  The pass
 * maps the file at once, maps it step by step, or uses read(), and the fastest
 * of the three counts.  The file is in the page cache: the process waits only
 * for memory, and other processes do not disturb its processor time.  The
 * process also checks all labels of frames, and all headers and checksums of an
 * index.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "spawn.h"
#include "store/index.h"
#include "tensor/npy.h"

enum { DIM = 512, VECTORS = 200000, RUNS = 15, PIECE = 1 << 18 };

/* Minimum speed, as a fraction of the speed of a plain read. */
#define GOAL .8

#define LANES uint64_t __attribute__((vector_size(16)))

static _Noreturn void
failed(const char *what)
{
	perror(what);
	exit(1);
}

static void
draw(float *x)
{
	static uint32_t state = 1;

	for (int i = 0; i < DIM; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		x[i] = (float)(int32_t)state;
	}
}

/* rows vectors as .npy */
static void
write_npy(const char *path, uint32_t rows)
{
	struct npu_tensor t = { .dtype = NPU_F32, .ndim = 2, .dim = { rows,
	    DIM }, .scale = 1, .size = (uint64_t)rows * DIM * sizeof(float) };
	FILE *f = fopen(path, "w");
	struct buf head = { 0 };
	float x[DIM];

	if (f == NULL || npy_encode(&t, &head, NULL) < 0)
		failed(path);
	fwrite(head.p, 1, head.n, f);
	for (uint32_t i = 0; i < rows; i++) {
		draw(x);
		fwrite(x, sizeof(*x), DIM, f);
	}
	buf_free(&head);
	if (fclose(f) != 0)
		failed(path);
}

static void
write_index(const char *path)
{
	const struct index_header h = { .dim = DIM };
	uint8_t sha256[INDEX_SHA256] = { 0 };
	struct index *ix;
	float x[DIM];
	char id[40];

	if (index_open(&ix, path, &h, NULL) < 0)
		failed(path);
	for (int i = 0; i < VECTORS; i++) {
		draw(x);
		memcpy(sha256, &i, sizeof(i));
		snprintf(id, sizeof(id), "photos/%06d.jpg", i);
		if (index_add(ix, &(struct index_row){ .id = id,
		    .n = strlen(id), .sha256 = sha256, .x = x }, NULL) < 0)
			failed(path);
	}
	index_close(ix, NULL);
}

/* Writes the same vectors as frames of one vector, each after its label. */
static void
write_frames(const char *path)
{
	const struct npu_label l = { .count = 1, .tensor = { .dtype = NPU_F32,
	    .ndim = 2, .dim = { 1, DIM }, .scale = 1,
	    .size = DIM * sizeof(float) } };
	FILE *f = fopen(path, "w");
	uint8_t label[NPU_LABEL_SIZE];
	float x[DIM];

	if (f == NULL || npu_label_encode(&l, label, NULL) < 0)
		failed(path);
	for (int i = 0; i < VECTORS; i++) {
		draw(x);
		fwrite(label, 1, sizeof(label), f);
		fwrite(x, sizeof(*x), DIM, f);
	}
	if (fclose(f) != 0)
		failed(path);
}

/* Returns the processor time of this process or its children, in ms. */
static double
used_ms(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

/* ---- The peers --------------------------------------------------------- */

static void
take_in(const void *p, size_t n)
{
	const LANES *v = p;
	LANES a = { 0 }, b = a, c = a, d = a;

	for (size_t i = 0; i + 4 <= n / sizeof(*v); i += 4) {
		a ^= v[i];
		b ^= v[i + 1];
		c ^= v[i + 2];
		d ^= v[i + 3];
	}
	a ^= b ^ c ^ d;
	__asm__ volatile("" : : "m"(a));
}

static double
read_mapped(const char *path, size_t size, int populate)
{
	double begin = used_ms(RUSAGE_SELF);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *p = mmap(NULL, size, PROT_READ, MAP_SHARED | populate, fd, 0);

	if (p == MAP_FAILED)
		failed(path);
	take_in(p, size);
	munmap(p, size);
	close(fd);
	return used_ms(RUSAGE_SELF) - begin;
}

static double
read_copied(const char *path)
{
	static uint64_t piece[PIECE / 8] __attribute__((aligned(64)));
	double begin = used_ms(RUSAGE_SELF);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		failed(path);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		take_in(piece, (size_t)n);
	close(fd);
	return used_ms(RUSAGE_SELF) - begin;
}

static double
search(const char *program, const char *base, const char *query)
{
	const char *const argv[] = { program, "-n", "10", base, query, NULL };
	double begin = used_ms(RUSAGE_CHILDREN);

	reap(spawn(argv, NULL), program);
	return used_ms(RUSAGE_CHILDREN) - begin;
}

/* ---- ------------------------------------------------------------------- */

static double
least(double a, double b)
{
	return a < b ? a : b;
}

static bool
compare(const char *what, const char *program, const char *base,
    const char *one, const char *many)
{
	double ours[RUNS], all[RUNS], ahead[RUNS], mapped[RUNS], copied[RUNS];
	double peer, mine;
	struct stat st;
	char figures[120], limit[20];

	if (stat(base, &st) < 0)
		failed(base);
	for (int i = 0; i < RUNS; i++) {
		mapped[i] = read_mapped(base, (size_t)st.st_size, 0);
		ours[i] = search(program, base, one);
		copied[i] = read_copied(base);
		ahead[i] = read_mapped(base, (size_t)st.st_size, MAP_POPULATE);
		all[i] = search(program, base, many);
	}
	peer = least(least(median(mapped, RUNS), median(ahead, RUNS)),
	    median(copied, RUNS));
	mine = median(ours, RUNS);
	snprintf(figures, sizeof(figures), "%.2f GB/s, plain read %.2f, "
	    "ratio %.2f", (double)st.st_size / mine / 1e6,
	    (double)st.st_size / peer / 1e6, peer / mine);
	snprintf(limit, sizeof(limit), ">= %g", GOAL);
	verdict(what, figures, limit, peer / mine >= GOAL);
	snprintf(figures, sizeof(figures), "%.1f ms, one %.1f ms",
	    median(all, RUNS), mine);
	figure("  32 queries in one pass", figures);
	return peer / mine >= GOAL;
}

int
main(int argc, char *argv[])
{
	char base[4096], one[4096], many[4096];
	bool met;

	if (argc != 3)
		return 2;
	snprintf(base, sizeof(base), "%s/base", argv[2]);
	snprintf(one, sizeof(one), "%s/one.npy", argv[2]);
	snprintf(many, sizeof(many), "%s/many.npy", argv[2]);
	write_npy(one, 1);
	write_npy(many, 32);
	printf("nearest of %d vectors of %d, a process each, median of %d:\n",
	    VECTORS, DIM, RUNS);
	write_npy(base, VECTORS);
	met = compare(".npy of 410 MB", argv[1], base, one, many);
	unlink(base);
	write_frames(base);
	met = compare("labelled frames of 422 MB", argv[1], base, one, many) &&
	    met;
	unlink(base);
	write_index(base);
	met = compare("index of 435 MB", argv[1], base, one, many) && met;
	unlink(base);
	return met ? 0 : 1;
}
