// SPDX-License-Identifier: Apache-2.0
/*
 * Tests instruction streams: those made by mktxn in both versions, where each
 * damage is refused for its own reason; the files of the test data; and the
 * sizes of random transfers, which are compared with their definition.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/txn.h"
#include "model/txn_sizes.h"
#include "tap.h"
#include "tools/txngen/stream.h"
#include "tools/txngen/txn_rows.h"

static struct bytes
view(const struct buf *b)
{
	return (struct bytes){ (const uint8_t *)b->p, b->n };
}

/* Writes the buffers as in expected.tsv: "0:in:1024 1:out:64". */
static void
list_buffers(const struct txn *t, struct buf *out)
{
	static const char *const ways[] = { "none", "in", "out", "inout" };

	buf_clear(out);
	for (size_t i = 0; i < t->n_buffers; i++)
		buf_printf(out, "%s%u:%s:%" PRIu64, i > 0 ? " " : "",
		    t->buffers[i].argument, ways[t->buffers[i].in +
		    2 * t->buffers[i].out], t->buffers[i].bytes);
	buf_add(out, "", 1);
}

/* ---- The rows of mktxn ------------------------------------------------- */

static bool
row_holds(size_t i, int rc, const struct txn *t, struct npu_err *err)
{
	const char *buffers = txn_row_buffers(i), *says = txn_row_says(i);
	struct buf found = { 0 };
	bool good;

	if (buffers == NULL)
		return rc == NPU_EFORMAT && strstr(err->msg, says) != NULL;
	if (rc < 0)
		return false;
	list_buffers(t, &found);
	good = strcmp(found.p, buffers) == 0 && t->complete == (says == NULL);
	if (says != NULL)
		good &= txn_check_complete(t, err) == NPU_EFORMAT &&
		    strstr(err->msg, says) != NULL;
	else
		good &= txn_check_complete(t, err) == 0;
	if (!good)
		diag("%s", found.p);
	buf_free(&found);
	return good;
}

static void
all_rows(bool old)
{
	struct npu_err err;
	struct buf b = { 0 };
	struct txn t;
	int rc;

	for (size_t i = 0; txn_row_name(i) != NULL; i++) {
		err.msg[0] = '\0';
		buf_clear(&b);
		txn_row_make(i, old, &b);
		rc = txn_read(&t, view(&b), &err);
		if (!ok(row_holds(i, rc, &t, &err), "version %s: the stream "
		    "'%s' is read or refused as expected",
		    old ? "1.0" : "0.1", txn_row_name(i)))
			diag("%d, %s", rc, err.msg);
		if (rc == 0)
			txn_free(&t);
	}
	buf_free(&b);
}

/* Reads row name in version 0.1.  The stream's bytes are then in *b.  If
 * reading fails, *t is empty. */
static int
read_row(const char *name, struct buf *b, struct txn *t)
{
	size_t i = 0;

	while (txn_row_name(i) != NULL && strcmp(txn_row_name(i), name) != 0)
		i++;
	if (txn_row_name(i) == NULL)
		exit(1);
	buf_clear(b);
	txn_row_make(i, false, b);
	*t = (struct txn){ .generation = 3 };
	return txn_read(t, view(b), NULL);
}

/* ---- Other properties of streams --------------------------------------- */

static void
header(void)
{
	struct buf b = { 0 };
	struct txn t;

	read_row("sound", &b, &t);
	ok(t.major == 0 && t.minor == 1 && t.generation == 3 && t.rows == 6 &&
	    t.columns == 4 && t.memory_rows == 1 && t.operations == 7,
	    "the header's fields are read");
	ok(t.words.p == (const uint8_t *)b.p && t.words.n == b.n,
	    "the words of a binary file are not copied");
	ok(strcmp(txn_device(&t), "npu1") == 0,
	    "a stream of generation 3 is for npu1");
	txn_free(&t);
	read_row("newer", &b, &t);
	ok(strcmp(txn_device(&t), "npu4 and newer") == 0,
	    "a stream of generation 4 is for npu4 and newer");
	txn_free(&t);
	buf_free(&b);
}

static void
text(void)
{
	static const char *const names[] = { "text", "text-small", "text-dos",
	    "text-airy", "text-no-end" };
	struct buf binary = { 0 }, b = { 0 };
	struct txn sound, t;

	read_row("sound", &binary, &sound);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ok(read_row(names[i], &b, &t) == 0 && t.words.n == binary.n &&
		    memcmp(t.words.p, binary.p, binary.n) == 0,
		    "%s has the same words as the binary file", names[i]);
		txn_free(&t);
	}
	txn_free(&sound);
	buf_free(&binary);
	buf_free(&b);
}

static void
columns_of(const char *name, unsigned columns)
{
	struct buf b = { 0 };
	struct txn t;

	ok(read_row(name, &b, &t) == 0 && t.columns_used == columns,
	    "the stream '%s' uses %u column%s",
	    name, columns, columns > 1 ? "s" : "");
	txn_free(&t);
	buf_free(&b);
}

static void
fits(void)
{
	struct npu_err err = { .msg = "" };
	struct buf b = { 0 };
	struct txn t;

	columns_of("sound", 1);
	columns_of("second-queues", 4);
	columns_of("wide-wait", 7);
	columns_of("far-block", 4);
	read_row("second-queues", &b, &t);
	ok(txn_fits(&t, 5, 4, &err) == 0,
	    "a stream for 5 buffers and 4 columns fits them");
	ok(txn_fits(&t, 4, 4, &err) == NPU_EUSAGE &&
	    strstr(err.msg, "buffer 4 of a kernel with 4") != NULL,
	    "a stream that uses buffer 4 does not fit a kernel with 4 buffers");
	ok(txn_fits(&t, 5, 3, &err) == NPU_EUSAGE &&
	    strstr(err.msg, "column 3 of a partition with 3") != NULL,
	    "a stream that uses column 3 does not fit a partition with 3 "
	    "columns");
	/* Linux, aie2_hwctx_col_list(): a partition has 1 to all columns of the
	 * device. */
	ok(txn_fits(&t, 5, 5, &err) == 0,
	    "a stream for npu1 fits a partition with all 5 columns of npu1");
	ok(txn_fits(&t, 5, 6, &err) == NPU_EUSAGE && strstr(err.msg, "npu1, "
	    "which has 5 columns, and the partition needs 6") != NULL,
	    "a stream for npu1 does not fit a partition with 6 columns");
	txn_free(&t);
	read_row("newer", &b, &t);
	ok(txn_fits(&t, 5, 8, &err) == 0,
	    "a stream for npu4 fits a partition with 8 columns");
	txn_free(&t);
	read_row("patched-only", &b, &t);
	ok(t.arguments == 8 && txn_fits(&t, 7, 4, NULL) == NPU_EUSAGE,
	    "a kernel needs a buffer whose address is patched in, even if no "
	    "data move");
	txn_free(&t);
	buf_free(&b);
}

/* Tests words too wide for version 1.0 to hold. */
static void
wide_words(void)
{
	struct npu_err err = { .msg = "" };
	struct buf b = { 0 };
	struct stream s;
	struct txn t;

	stream_begin(&s, false, &b);
	stream_set(&s, 0, 1, (struct shape){ .length = 1 });
	stream_adopt(&s, 0, 1, 512);
	stream_end(&s);
	ok(txn_read(&t, view(&b), &err) == NPU_EFORMAT && strstr(err.msg,
	    "buffer 512, but a kernel has at most 512") != NULL,
	    "a stream that uses buffer 512 is refused");
	stream_change(&s, b.n / 4 - 4, 0);
	stream_change(&s, b.n / 4 - 3, 1);
	ok(txn_read(&t, view(&b), &err) == NPU_EFORMAT && strstr(err.msg,
	    "buffer 4294967296, ") != NULL,
	    "a stream that uses buffer 2^32 is refused");
	stream_change(&s, b.n / 4 - 5, 1);
	ok(txn_read(&t, view(&b), &err) == NPU_EFORMAT && strstr(err.msg,
	    "0x10001d024, but addresses of registers have 32 bits") != NULL,
	    "a register address of more than 32 bits is refused");
	buf_free(&b);
}

/*
 * Tests that every prefix of a sound file is refused, and that no read goes
 * past its end.  The length in the header is changed to fit the prefix as well.
 */
static void
cuts(void)
{
	struct buf b = { 0 };
	struct txn t;
	size_t n, taken = 0;

	read_row("sound", &b, &t);
	for (n = 0; n < b.n; n++) {
		uint8_t *copy = malloc(n > 0 ? n : 1);
		uint32_t length = (uint32_t)n;

		if (copy == NULL)
			exit(1);
		memcpy(copy, b.p, n);
		taken += txn_read(&t, (struct bytes){ copy, n }, NULL) == 0;
		if (n >= 16)
			memcpy(copy + 12, &length, sizeof(length));
		taken += txn_read(&t, (struct bytes){ copy, n }, NULL) == 0;
		free(copy);
	}
	ok(n == 272 && taken == 0, "no prefix of a stream is accepted");
	buf_free(&b);
}

/* ---- Sizes ------------------------------------------------------------- */

static uint64_t
rng(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

/* Computes the greatest word index by the definition, word by word.  Returns
 * UINT64_MAX if txn_word() gives a different word. */
static uint64_t
greatest_by_loop(const struct shape *d, const uint32_t w[8], unsigned runs)
{
	uint64_t most = 0;

	for (unsigned r = 0; r < runs; r++)
		for (uint64_t e = 0; e < d->length; e++) {
			uint64_t a0 = e, a1 = 0, a2 = 0, at;

			if (d->wrap0 > 0) {
				a0 = e % d->wrap0;
				a1 = e / d->wrap0;
			}
			if (d->wrap0 > 0 && d->wrap1 > 0) {
				a2 = a1 / d->wrap1;
				a1 = a1 % d->wrap1;
			}
			at = a0 * d->step0 + a1 * d->step1 + a2 * d->step2;
			if (d->places > 1)
				at += r % d->places * (uint64_t)d->step;
			if (txn_word(w, (uint32_t)e, r) != at)
				return UINT64_MAX;
			if (at > most)
				most = at;
		}
	return most;
}

/* Returns a small step, or any step. */
static uint32_t
random_step(void)
{
	return 1 + (uint32_t)(rng() % (rng() % 2 ? 9 : 1 << 20));
}

static void
sizes(void)
{
	uint32_t w[8];
	size_t wrong = 0;

	for (size_t i = 0; i < 20000; i++) {
		struct shape d = {
			.length = 1 + (uint32_t)(rng() % 90),
			.wrap0 = (uint32_t)(rng() % 8), .step0 = random_step(),
			.wrap1 = (uint32_t)(rng() % 5), .step1 = random_step(),
			.step2 = random_step(), .step = random_step(),
			.places = 1 + (uint32_t)(rng() % 5),
		};
		unsigned runs = 1 + (unsigned)(rng() % 7);

		shape_pack(d, w);
		if (txn_greatest_word(w, runs) == greatest_by_loop(&d, w,
		    runs))
			continue;
		if (wrong++ == 0)
			diag("length %u, wraps %u %u, steps %u %u %u, %u "
			    "places %u apart, %u runs", d.length, d.wrap0,
			    d.wrap1, d.step0, d.step1, d.step2, d.places,
			    d.step, runs);
	}
	ok(wrong == 0, "txn_greatest_word() agrees with the definition for "
	    "20000 random transfers");
}

/* ---- The files of the test data ---------------------------------------- */

/* Reads a file for a kernel with 5 buffers and a partition with 4 columns. */
static int
read_all(struct txn *t, struct bytes file, struct npu_err *err)
{
	int rc = txn_read(t, file, err);

	if (rc == 0 && ((rc = txn_check_complete(t, err)) < 0 ||
	    (rc = txn_fits(t, 5, 4, err)) < 0))
		txn_free(t);
	return rc;
}

/* Checks one file.  A refusal must have the reason in note; otherwise, version
 * and device must be as in note. */
static void
data_file(const char *folder, const char *name, const char *buffers,
    const char *note)
{
	struct buf file = { 0 }, found = { 0 };
	struct npu_err err = { .msg = "" };
	char path[4096];
	struct txn t;
	int rc;

	snprintf(path, sizeof(path), "%s/%s.insts", folder, name);
	if (file_load(path, TXN_LARGEST, &file, &err) < 0) {
		ok(false, "%s: %s", name, err.msg);
		return;
	}
	rc = read_all(&t, view(&file), &err);
	if (rc == 0) {
		list_buffers(&t, &found);
		snprintf(err.msg, sizeof(err.msg), "version %u.%u, %s",
		    t.major, t.minor, txn_device(&t));
		ok(strcmp(found.p, buffers) == 0 && strcmp(err.msg, note) ==
		    0, "%s: %s, %s", name, buffers, note);
		txn_free(&t);
	} else {
		ok(strcmp(buffers, "refused") == 0 && strstr(err.msg, note) !=
		    NULL, "the file %s is refused: %s", name, note);
	}
	diag("%s", err.msg);
	buf_free(&found);
	buf_free(&file);
}

static void
data(void)
{
	const char *all = getenv("NPU_TEST_DATA");
	char folder[3000], path[4096];
	struct buf tsv = { 0 };
	char *rest, *line;

	snprintf(folder, sizeof(folder), "%s/xdna/insts",
	    all != NULL ? all : "");
	snprintf(path, sizeof(path), "%s/expected.tsv", folder);
	if (all == NULL || file_load(path, 1 << 20, &tsv, NULL) < 0) {
		ok(true, "the files of the test data are read # SKIP no test "
		    "data (NPU_TEST_DATA)");
		return;
	}
	buf_add(&tsv, "", 1);
	rest = tsv.p;
	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
		const char *name = strsep(&line, "\t");
		const char *buffers = strsep(&line, "\t");

		if (buffers != NULL && line != NULL)
			data_file(folder, name, buffers, line);
	}
	buf_free(&tsv);
}

int
main(void)
{
	all_rows(false);
	all_rows(true);
	header();
	text();
	fits();
	wide_words();
	cuts();
	sizes();
	data();
	return done();
}
