// SPDX-License-Identifier: Apache-2.0
/* Tests vectors at the limits of an index, and at the limits of what vec-drift
 * keeps. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "index_file.h"
#include "stats/drift.h"
#include "tap.h"

static void
refused(const struct index_header *h, const char *says)
{
	struct npu_err err = { .msg = "" };
	struct index *ix;

	if (!ok(index_open(&ix, index_path, h, &err) == NPU_EUSAGE &&
	    strstr(err.msg, says) != NULL && access(index_path, F_OK) < 0,
	    "an index is not created: %s", says))
		diag("%s", err.msg);
}

static void
headers(void)
{
	struct index_header h = index_example();
	char *longer = malloc(INDEX_MAX_TEXT + 2);
	struct index *ix;

	h.dim = 0;
	refused(&h, "0 numbers a vector; 1 to 1048576 are possible");
	h.dim = INDEX_MAX_DIM + 1;
	refused(&h, "1048577 numbers");
	h = index_example();
	memset(longer, 'm', INDEX_MAX_TEXT + 1);
	longer[INDEX_MAX_TEXT + 1] = '\0';
	h.model = longer;
	refused(&h, "longer than 16384 bytes");
	h.model = NULL;
	h.preprocessing = longer;
	refused(&h, "longer than 16384 bytes");
	longer[INDEX_MAX_TEXT] = '\0';
	ok(index_open(&ix, index_path, &h, NULL) == 0 &&
	    index_put(ix, "a", 1, 3, 4) == 0 && index_close(ix, NULL) == 0,
	    "an index with the longest preprocessing and no model is created");
	ok(strcmp(index_shown(), "a=3,4") == 0,
	    "the vectors of this index are read");
	ok(index_open(&ix, index_path, &h, NULL) == 0 &&
	    index_close(ix, NULL) == 0,
	    "this index can be opened again with the same texts");
	h.preprocessing = NULL;
	ok(index_open(&ix, index_path, &h, NULL) == NPU_EUSAGE,
	    "this index cannot be opened with a different preprocessing");
	unlink(index_path);
	free(longer);
}

/* Tests that only a regular file can hold vectors. */
static void
others(void)
{
	const struct index_header h = index_example();
	struct npu_err err = { .msg = "" };
	struct index_map *m;
	struct index *ix;

	mkdir(index_path, 0777);
	ok(index_open(&ix, index_path, &h, NULL) < 0 &&
	    index_map_path(&m, index_path, NULL) < 0,
	    "a folder cannot be opened as an index");
	rmdir(index_path);
	ok(index_open(&ix, "/dev/zero", &h, &err) < 0 &&
	    index_map_path(&m, "/dev/zero", NULL) < 0,
	    "a device cannot be opened as an index");
	index_write("NPUI", 4);
	ok(index_map_path(&m, index_path, &err) == NPU_EFORMAT &&
	    index_open(&ix, index_path, &h, NULL) < 0,
	    "a file with the first four bytes of an index is refused: %s",
	    err.msg);
	unlink(index_path);
	ok(index_map_bytes(&m, "NPUINDEX", 8, &err) == NPU_EFORMAT,
	    "the first 8 bytes of an index are refused");
	ok(index_close(NULL, NULL) == 0, "closing NULL succeeds");
	ok(strcmp(index_kind_name(INDEX_ANY), "any") == 0 &&
	    strcmp(index_kind_name(INDEX_TEXT), "text") == 0 &&
	    strcmp(index_kind_name(INDEX_IMAGE), "image") == 0 &&
	    strcmp(index_norm_name(INDEX_NORM_L2), "l2") == 0 &&
	    strcmp(index_norm_name(INDEX_NORM_NONE), "none") == 0,
	    "kinds and norms have names");
}

static void
windows(void)
{
	struct drift_options o = { .window = DRIFT_LENGTH, .history = 3,
	    .warmup = 1, .below = NAN, .mads = NAN };
	uint8_t a[DRIFT_MODEL] = { 1 }, b[DRIFT_MODEL] = { 2 };
	static float x[DRIFT_DIM + 1] = { 1 };
	struct npu_err err = { .msg = "" };
	struct drift_verdict v;
	struct drift *d;

	if (drift_open(&d, &o, NULL) < 0)
		abort();
	ok(drift_add(d, x, 0, &v, &err) < 0,
	    "a vector without elements is refused: %s", err.msg);
	ok(drift_add(d, x, DRIFT_DIM + 1, &v, &err) == NPU_EUSAGE &&
	    strstr(err.msg, "more than is kept") != NULL,
	    "a vector with too many elements is refused: %s", err.msg);
	ok(drift_add(d, x, DRIFT_DIM / 2, &v, &err) == NPU_EUSAGE &&
	    strstr(err.msg, "10000 vectors of 524288") != NULL,
	    "a vector with too many elements for this window is refused: %s",
	    err.msg);
	ok(drift_add(d, (float[]){ .6f, .8f }, 2, &v, NULL) == 0 &&
	    drift_add(d, (float[]){ -.6f, -.8f }, 2, &v, NULL) == 0 &&
	    v.similarity == -1, "a cosine is never below -1");
	ok(drift_model(d, NULL, NULL) == 0 && drift_model(d, a, NULL) == 0 &&
	    drift_model(d, a, NULL) == 0 && drift_model(d, NULL, NULL) == 0 &&
	    drift_model(d, b, &err) == NPU_EUSAGE,
	    "another model is refused: %s",
	    err.msg);
	drift_close(d);
	drift_close(NULL);
}

int
main(void)
{
	index_place();
	headers();
	others();
	windows();
	return done();
}
