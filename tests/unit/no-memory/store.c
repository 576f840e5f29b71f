// SPDX-License-Identifier: Apache-2.0
/* Vectors without memory: the failure is reported, and an index keeps its
 * earlier vectors. */
#include <jansson.h>

#include "base/err.h"
#include "index_file.h"
#include "nomem.h"
#include "stats/drift.h"
#include "store/line.h"

/* ---- An index ----------------------------------------------------------- */

/* Returns true if the folder contains only the index. */
static bool
is_alone(void)
{
	DIR *d = opendir(index_folder);
	struct dirent *e;
	bool alone = true;

	while ((e = readdir(d)) != NULL)
		alone = alone && (e->d_name[0] == '.' ||
		    strcmp(e->d_name, "x") == 0);
	closedir(d);
	return alone;
}

enum { NAMES = 40 };

static int
add_names(struct index *ix, int *added, struct npu_err *err)
{
	uint8_t sha256[INDEX_SHA256];
	char id[20];
	int rc;

	for (int i = 0; i < NAMES; i++) {
		float x[2] = { (float)i, 1 };
		int n = snprintf(id, sizeof(id), "name %d", i);

		memset(sha256, i, sizeof(sha256));
		if ((rc = index_add(ix, &(struct index_row){ .id = id,
		    .n = (size_t)n, .sha256 = sha256, .x = x }, err)) < 0)
			return rc;
		*added = i + 1;
	}
	return 0;
}

/* Returns true if the index opens and has exactly the added vectors. */
static bool
is_there(int added)
{
	struct index_row row;
	struct index_map *m;
	bool all;

	if (index_map_path(&m, index_path, NULL) < 0)
		return false;
	all = index_rows(m) == (uint64_t)added &&
	    strcmp(index_map_header(m)->model, "m.cix") == 0;
	for (int i = 0; all && i < added; i++)
		all = index_row(m, (uint64_t)i, &row, NULL) == 0 &&
		    row.x[0] == (float)i;
	index_unmap(m);
	return all;
}

static int
write_index(struct npu_err *err)
{
	const struct index_header h = index_example();
	struct index *ix = NULL;
	size_t at = nomem_at;
	int added = 0, rc;

	unlink(index_path);
	if ((rc = index_open(&ix, index_path, &h, err)) == 0)
		rc = add_names(ix, &added, err);
	if (ix != NULL && index_close(ix, rc < 0 ? NULL : err) < 0 && rc == 0)
		rc = NPU_ESYSTEM;
	nomem_at = 0;
	if ((access(index_path, F_OK) == 0 && !is_there(added)) ||
	    !is_alone())
		rc = NOMEM_WRONG;
	nomem_at = at;
	return rc;
}

/* Temporary names beside the index are random, but all may exist already. */
static void
no_name(void)
{
	const struct index_header h = index_example();
	struct npu_err err = { .msg = "" };
	struct index *ix;

	unlink(index_path);
	nomem_taken = true;
	ok(index_open(&ix, index_path, &h, &err) == NPU_ESYSTEM &&
	    strcmp(err.msg, "cannot be made: File exists") == 0 && is_alone(),
	    "if every temporary name beside an index exists, this is reported: "
	    "%s", err.msg);
	nomem_taken = false;
}

/* Reads the result of the last write_index(). */
static int
read_index(struct npu_err *err)
{
	struct index_row row;
	struct index_map *m;
	int rc, n = 0, fd;

	if ((rc = index_map_path(&m, index_path, err)) < 0)
		return rc;
	if (index_rows(m) != NAMES)
		rc = NOMEM_WRONG;
	index_unmap(m);
	if (rc != 0)
		return rc;
	fd = open(index_path, O_RDONLY);
	if ((rc = index_scan_fd(&m, fd, err)) < 0) {
		close(fd);
		return rc;
	}
	while ((rc = index_scan_next(m, &row, err)) > 0)
		n++;
	if (rc == 0)
		rc = index_scan_end(m, err);
	index_unmap(m);
	close(fd);
	return rc == 0 && n != NAMES ? NOMEM_WRONG : rc;
}

/* An index of another process, complete or without its end. */
static struct buf others;

static size_t
index_size(void)
{
	struct buf b = index_bytes();
	size_t n = b.n;

	buf_free(&b);
	return n;
}

static int
join_index(size_t less, struct npu_err *err)
{
	const struct index_header h = index_example();
	size_t at = nomem_at;
	struct index *ix = NULL;
	const float x[2] = { NAMES, 1 };
	const uint8_t sha256[INDEX_SHA256] = { 99 };
	const struct index_row row = { .id = "new", .n = 3,
	    .sha256 = sha256, .x = x };
	int rc;

	nomem_at = 0;
	index_write(others.p, others.n - less);
	nomem_at = at;
	if ((rc = index_open(&ix, index_path, &h, err)) == 0 &&
	    (rc = index_add(ix, &row, err)) == 0 &&
	    index_count(ix) != NAMES + (less == 0))
		rc = NOMEM_WRONG;
	if (ix != NULL && index_close(ix, rc < 0 ? NULL : err) < 0 && rc == 0)
		rc = NPU_ESYSTEM;
	nomem_at = 0;
	if (rc == 0 && index_size() != others.n + (less == 0 ? 128 : 0))
		rc = NOMEM_WRONG;
	nomem_at = at;
	return rc;
}

static int
join_whole(struct npu_err *err)
{
	return join_index(0, err);
}

static int
join_cut(struct npu_err *err)
{
	return join_index(10, err);
}

/* Vectors of 256 KiB, which do not fit into the first mapping. */
enum { LARGE = 65536, VECTORS = 6 };

static int
add_large(struct index *ix, char id, struct npu_err *err)
{
	static float x[LARGE];
	uint8_t sha256[INDEX_SHA256] = { (uint8_t)id };

	x[0] = (float)id;
	return index_add(ix, &(struct index_row){ .id = &id, .n = 1,
	    .sha256 = sha256, .x = x }, err);
}

static int
write_large(struct npu_err *err)
{
	static float x[LARGE];
	uint8_t sha256[INDEX_SHA256] = { 'a' + VECTORS - 1 };
	struct index_header h = index_example();
	struct index *ix = NULL;
	int rc;

	h.dim = LARGE;
	unlink(index_path);
	if ((rc = index_open(&ix, index_path, &h, err)) < 0)
		return rc;
	for (char id = 'a'; id < 'a' + VECTORS && rc == 0; id++)
		rc = add_large(ix, id, err);
	if (rc == 0 && (!index_content(ix, sha256, x) ||
	    x[0] != 'a' + VECTORS - 1))
		rc = NOMEM_WRONG;
	if (index_close(ix, rc < 0 ? NULL : err) < 0 && rc == 0)
		rc = NPU_ESYSTEM;
	return rc;
}

/* Another process adds more vectors than fit into the mapping of the file. */
static int
follow_large(struct npu_err *err)
{
	struct index_header h = index_example();
	struct index *ix = NULL, *other = NULL;
	size_t at = nomem_at;
	int rc;

	h.dim = LARGE;
	unlink(index_path);
	if ((rc = index_open(&ix, index_path, &h, err)) < 0)
		return rc;
	nomem_at = 0;
	rc = index_open(&other, index_path, &h, NULL);
	for (char id = 'a'; id < 'a' + VECTORS && rc == 0; id++)
		rc = add_large(other, id, NULL);
	index_close(other, NULL);
	nomem_at = at;
	if (rc < 0)
		rc = NOMEM_WRONG;
	else if ((rc = index_catch_up(ix, err)) == 0 &&
	    index_count(ix) != VECTORS)
		rc = NOMEM_WRONG;
	index_close(ix, NULL);
	return rc;
}

static int
map_others(struct npu_err *err)
{
	struct index_map *m;
	int rc = index_map_bytes(&m, others.p, others.n, err);

	if (rc < 0)
		return rc;
	rc = index_rows(m) == NAMES ? 0 : NOMEM_WRONG;
	index_unmap(m);
	return rc;
}

/* ---- A line -------------------------------------------------------------- */

static int
read_line(struct npu_err *err)
{
	static const char text[] = "{\"id\":\"bus\",\"model\":\"m.cix\","
	    "\"kind\":\"image\",\"vector\":[0.6,0.8,null,1]}";
	struct line l = { 0 };
	int rc = line_read(&l, text, strlen(text), err);

	/* jansson reports some failures as a premature end of input. */
	if (rc == NPU_EFORMAT && nomem_at != 0)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (rc == 0 && (l.dim != 4 || l.x[3] != 1 || strcmp(l.id, "bus") != 0))
		rc = NOMEM_WRONG;
	line_free(&l);
	return rc;
}

/* ---- Drift --------------------------------------------------------------- */

static int
take(struct drift *d, float x, float y, double similarity,
    struct npu_err *err)
{
	struct drift_verdict v;
	int rc = drift_add(d, (float[]){ x, y }, 2, &v, err);

	if (rc < 0)
		return rc;
	return similarity < 0 || v.similarity == similarity ? 0 : NOMEM_WRONG;
}

/* Saves a state with a window of two and continues it: 1,0 is similar to itself
 * and not similar to 0,1. */
static int
use_drift(struct npu_err *err)
{
	struct drift_options o = { .window = 2, .history = 2, .warmup = 1,
	    .below = .5, .mads = 3 };
	struct drift *d = NULL, *other = NULL;
	struct buf b = { 0 };
	int rc;

	if ((rc = drift_open(&d, &o, err)) < 0 ||
	    (rc = take(d, 1, 0, -1, err)) != 0 ||
	    (rc = take(d, 1, 0, 1, err)) != 0)
		goto out;
	drift_encode(d, &b);
	if (b.failed) {
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
		goto out;
	}
	if ((rc = drift_open(&other, &o, err)) < 0 ||
	    (rc = drift_decode(other, (struct bytes){ (void *)b.p, b.n },
	    err)) < 0)
		goto out;
	rc = take(other, 0, 1, 0, err);
out:
	drift_close(d);
	drift_close(other);
	buf_free(&b);
	return rc;
}

int
main(void)
{
	index_place();
	nomem("writing an index", write_index);
	write_index(NULL);
	nomem("reading an index", read_index);
	others = index_bytes();
	nomem("reading an index in memory", map_others);
	nomem("adding to an index of another process", join_whole);
	nomem("writing large vectors", write_large);
	nomem("reading large vectors that another process adds", follow_large);
	no_name();
	nomem_files = true;
	nomem("adding to a truncated index of another process", join_cut);
	nomem("writing large vectors to a disk with errors", write_large);
	nomem("writing an index to a disk with errors", write_index);
	nomem_errno = EINVAL;
	nomem("writing an index where calls fail with EINVAL", write_index);
	nomem_errno = ENOSYS;
	nomem("writing an index on a system without some calls", write_index);
	nomem_errno = EEXIST;
	nomem("writing an index where names exist already", write_index);
	nomem_errno = EINTR;
	nomem("writing an index while signals interrupt", write_index);
	write_index(NULL);
	nomem("reading an index while signals interrupt", read_index);
	nomem_errno = EIO;
	nomem("reading an index from a disk with errors", read_index);
	nomem_files = false;
	nomem("using a state of vec-drift", use_drift);
	json_set_alloc_funcs(malloc, free);	/* our functions, which fail */
	nomem("reading a line of JSON", read_line);
	buf_free(&others);
	return done();
}
