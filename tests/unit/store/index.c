// SPDX-License-Identifier: Apache-2.0
/* Tests the index file: its bytes, its names, and failures of its writers. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/buf.h"
#include "index_file.h"
#include "store/layout.h"
#include "tap.h"

/* ---- The bytes --------------------------------------------------------- */

/* An index with bus.jpg twice.  Listed are the rows of 16 bytes that are not
 * all zero.  A program in Python made them from vec-index(5). */
static const struct {
	size_t at;
	const char *hex;
} expected[] = {
	{ 0, "4e5055494e44455802000000c0000000" },
	{ 16, "02000000010000000200000005000000" },
	{ 32, "04000000000000000000000000000000" },
	{ 64, "000102030405060708090a0b0c0d0e0f" },
	{ 80, "101112131415161718191a1b1c1d1e1f" },
	{ 96, "aeb17bf3d9eb7e520000000000000000" },
	{ 128, "6d2e63697863726f7000000000000000" },
	{ 192, "56524543070000000000000000000000" },
	{ 208, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
	{ 224, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
	{ 240, "8235d762afd3682f54ecd8df198a3e36" },
	{ 256, "9a99193fcdcc4c3f6275732e6a706700" },
	{ 320, "5652454307000000c000000000000000" },
	{ 336, "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" },
	{ 352, "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" },
	{ 368, "68c688253dbd46fe9c8780bfbe617fd1" },
	{ 384, "0000803f000000006275732e6a706700" },
};
enum { EXPECTED_BYTES = 448 };

static bool
row_is(const struct buf *b, size_t at, const char *hex)
{
	char got[33] = "";

	for (size_t k = 0; k < 16; k++)
		snprintf(got + 2 * k, 3, "%02x", (unsigned char)b->p[at + k]);
	if (strcmp(got, hex) != 0)
		diag("at %zu: %s", at, got);
	return strcmp(got, hex) == 0;
}

static void
bytes(void)
{
	const char zeros[33] = "00000000000000000000000000000000";
	struct index *ix = index_open_example();
	bool same = true;
	struct buf b;
	size_t i = 0;

	index_put(ix, "bus.jpg", 0xaa, .6f, .8f);
	index_put(ix, "bus.jpg", 0xbb, 1, 0);
	index_close(ix, NULL);
	b = index_bytes();
	for (size_t at = 0; at + 16 <= b.n; at += 16) {
		bool here = i < sizeof(expected) / sizeof(*expected) &&
		    expected[i].at == at;

		same = row_is(&b, at, here ? expected[i].hex : zeros) && same;
		i += here;
	}
	ok(b.n == EXPECTED_BYTES && same,
	    "every byte of the file is as in vec-index(5)");
	ok(strcmp(index_shown(), "bus.jpg=1,0") == 0,
	    "of two records with one name, the later counts");
	buf_free(&b);
	unlink(index_path);
}

/* ---- Names ------------------------------------------------------------- */

static void
named(void)
{
	struct index *ix = index_open_example(), *other;
	uint8_t sha256[INDEX_SHA256];
	float x[2] = { 0 };

	ok(index_count(ix) == 0 && !index_put_has(ix, "a", 1) &&
	    strcmp(index_shown(), "") == 0, "a new index has no names");
	ok(index_put(ix, "a", 1, 3, 4) == 0 && index_put(ix, "b", 2, 5, 6) ==
	    0 && index_put(ix, "", 3, 7, 8) == 0,
	    "three vectors are added, one without a name");
	ok(index_put_has(ix, "a", 1) && index_put_has(ix, "b", 2) &&
	    index_put_has(ix, "", 3), "the three vectors are found");
	ok(!index_put_has(ix, "a", 2) && !index_put_has(ix, "c", 1),
	    "a vector is not found with another content or another name");
	memset(sha256, 2, sizeof(sha256));
	ok(index_content(ix, sha256, x) && x[0] == 5 && x[1] == 6,
	    "a vector is found by its content");
	memset(sha256, 9, sizeof(sha256));
	ok(!index_content(ix, sha256, x),
	    "a vector is not found by another content");
	other = index_open_example();
	ok(index_count(other) == 3 && index_put_has(other, "b", 2),
	    "after opening the index again, the vectors are found");
	ok(index_put(other, "a", 4, 9, 9) == 0 && index_put_has(ix, "a", 1) &&
	    index_catch_up(ix, NULL) == 0 && index_put_has(ix, "a", 4) &&
	    !index_put_has(ix, "a", 1), "a record replaced by one writer is "
	    "seen by the other after it catches up");
	ok(index_put(ix, "d", 5, 1, 2) == 0 && index_put(other, "d", 6, 2, 1)
	    == 0 && index_count(other) == 4,
	    "two writers can add records in turn");
	ok(strcmp(index_shown(), "b=5,6 =7,8 a=9,9 d=2,1") == 0,
	    "a reader sees each name once: %s", index_shown());
	index_close(ix, NULL);
	index_close(other, NULL);
	unlink(index_path);
}

static void
many(void)
{
	struct index *ix = index_open_example();
	bool all = true;
	char id[20];

	for (int i = 0; i < 3000; i++) {
		snprintf(id, sizeof(id), "%d", i % 2000);
		all = index_put(ix, id, i % 251, (float)i, 1) == 0 && all;
	}
	ok(all && index_count(ix) == 2000,
	    "3000 records with 2000 names count as 2000");
	for (int i = 0; i < 2000; i++) {
		snprintf(id, sizeof(id), "%d", i);
		all = index_put_has(ix, id, (i < 1000 ? i + 2000 : i) % 251) &&
		    all;
	}
	ok(all, "each name has its last content");
	index_close(ix, NULL);
	ix = index_open_example();
	ok(index_count(ix) == 2000 && index_put_has(ix, "999", 2999 % 251),
	    "after opening the index again, each name has its last content");
	index_close(ix, NULL);
	unlink(index_path);
}

static void
refused(void)
{
	struct index *ix = index_open_example();
	char *id = calloc(1, INDEX_MAX_ID + 1);
	uint8_t sha256[INDEX_SHA256] = { 0 };
	struct npu_err err = { 0 };
	float x[] = { 1, NAN };
	struct index_row row = { .id = "a", .n = 1, .sha256 = sha256, .x = x };

	ok(index_add(ix, &row, &err) == NPU_EUSAGE &&
	    strcmp(err.msg, "number 2 of 2 is not finite") == 0,
	    "a vector with NaN is refused");
	x[1] = 0;
	row.id = id;
	row.n = INDEX_MAX_ID + 1;
	ok(index_add(ix, &row, &err) == NPU_EUSAGE
	    && strcmp(err.msg, "a name of 65537 bytes; the limit is 65536") ==
	    0, "a name that is too long is refused");
	row.n = INDEX_MAX_ID;
	ok(index_add(ix, &row, &err) == 0 &&
	    index_count(ix) == 1, "a name of the maximum length is added");
	index_close(ix, NULL);
	unlink(index_path);
	free(id);
}

/* ---- Another kind of vector -------------------------------------------- */

static void
differs(struct index_header h, const char *says)
{
	struct npu_err err = { 0 };
	struct index *ix;

	if (!ok(index_open(&ix, index_path, &h, &err) == NPU_EUSAGE &&
	    strstr(err.msg, says) != NULL,
	    "an index for other vectors is not opened: %s", says))
		diag("%s", err.msg);
}

static void
others(void)
{
	struct index *ix = index_open_example();
	struct index_header h;

	index_put(ix, "a", 1, 3, 4);
	index_close(ix, NULL);
	h = index_example();
	h.dim = 3;
	differs(h, "its vectors have 2 numbers, these have 3");
	h = index_example();
	h.model_sha256[31] = 0xff;
	differs(h, "its vectors are by model m.cix (000102030405), these by "
	    "m.cix (000102030405): an index has vectors of one; ");
	h = index_example();
	h.preprocessing = "stretch";
	differs(h, "its vectors have preprocessing crop, these have "
	    "stretch: an index has one; ");
	h = index_example();
	h.norm = INDEX_NORM_NONE;
	differs(h, "its vectors have norm l2, these have none: an "
	    "index has one; ");
	h = index_example();
	h.kind = INDEX_TEXT;
	differs(h, "it holds vectors of pictures, not of texts: an index "
	    "holds one kind; name another, and vec-nearest compares the two");
	h = index_example();
	h.model = "copy.cix";
	differs((h.dim = 0, h), "have 2 numbers, these have 0");
	unlink(index_path);
	differs(h, "0 numbers a vector; 1 to 1048576 are possible");
	ok(access(index_path, F_OK) < 0,
	    "if the header is refused, no file is created");
}

/* Tests that the first vector added decides the kind of an index. */
static void
vacant(void)
{
	struct index *pictures = index_open_example(), *texts = NULL;
	struct index_header h = index_example();
	struct npu_err err = { 0 };

	h.kind = INDEX_TEXT;
	h.model_sha256[0] = 0xff;
	h.preprocessing = "of text";
	if (!ok(index_open(&texts, index_path, &h, &err) == 0,
	    "an index of pictures without a vector can be opened for texts"))
		diag("%s", err.msg);
	ok(index_put(texts, "t", 1, 3, 4) == 0 &&
	    index_put(pictures, "p", 2, 3, 4) == NPU_EFORMAT &&
	    strcmp(index_shown(), "t=3,4") == 0,
	    "after the first text is added, a picture is refused");
	index_close(texts, NULL);
	index_close(pictures, NULL);
	unlink(index_path);
	pictures = index_open_example();
	index_open(&texts, index_path, &h, NULL);
	ok(index_put(pictures, "p", 2, 3, 4) == 0 &&
	    index_put(texts, "t", 1, 3, 4) == NPU_EFORMAT &&
	    strcmp(index_shown(), "p=3,4") == 0, "the first vector decides, "
	    "not the last writer that opened the index");
	index_close(texts, NULL);
	index_close(pictures, NULL);
	unlink(index_path);
}

/* ---- Cut short --------------------------------------------------------- */

/* Tests that nothing remains of a cut record that is longer than the record
 * that replaces it. */
static void
long_cut(void)
{
	struct index *ix = index_open_example();
	char name[301] = "";

	memset(name, 'n', 300);
	index_put(ix, name, 1, 1, 2);
	index_close(ix, NULL);
	if (truncate(index_path, 192 + 128 + 350) < 0)
		exit(1);
	ix = index_open_example();
	index_put(ix, "c", 3, 5, 6);
	index_close(ix, NULL);
	ok(strcmp(index_shown(), "a=1,2 c=5,6") == 0,
	    "nothing remains of a cut record that is replaced: %s",
	    index_shown());
}

/* Tests a file that ends at each byte of its records.  A reader sees the whole
 * records, and a writer continues after them. */
static void
cuts(void)
{
	static const char *const shown[] = { "", "a=1,2", "a=1,2 b=3,4" };
	static const char *const then[] = { "c=5,6", "a=1,2 c=5,6",
	    "a=1,2 b=3,4 c=5,6" };
	const size_t header = 192, record = 128;
	struct index *ix = index_open_example();
	bool read = true, added = true;
	struct buf b;

	index_put(ix, "a", 1, 1, 2);
	index_put(ix, "b", 2, 3, 4);
	index_close(ix, NULL);
	b = index_bytes();
	ok(b.n == header + 2 * record, "the file has two records");
	for (size_t n = header; n <= b.n; n++) {
		size_t whole = (n - header) / record;

		index_write(b.p, n);
		read = strcmp(index_shown(), shown[whole]) == 0 && read;
		ix = index_open_example();
		index_put(ix, "c", 3, 5, 6);
		index_close(ix, NULL);
		added = strcmp(index_shown(), then[whole]) == 0 && added;
	}
	ok(read, "a reader ignores a record that is cut at any byte");
	ok(added, "a writer writes the next record in place of a cut record");
	memset(b.p + header + record, 0, record);
	index_write(b.p, b.n);
	ok(strcmp(index_shown(), "a=1,2") == 0,
	    "zeros at the end are not a record");
	long_cut();
	buf_free(&b);
	unlink(index_path);
}

/* Tests a full disk: no part of the record stays. */
static void
full(void)
{
	struct index *ix = index_open_example();
	const struct rlimit limit = { 192 + 128 + 50, RLIM_INFINITY };
	struct rlimit old;
	struct stat st = { 0 };
	pid_t child;
	int status;

	index_put(ix, "a", 1, 1, 2);
	index_close(ix, NULL);
	if ((child = fork()) == 0) {
		signal(SIGXFSZ, SIG_IGN);
		ix = index_open_example();
		getrlimit(RLIMIT_FSIZE, &old);
		setrlimit(RLIMIT_FSIZE, &limit);
		status = index_put(ix, "b", 2, 3, 4) == NPU_ESYSTEM &&
		    stat(index_path, &st) == 0 && st.st_size == 192 + 128;
		setrlimit(RLIMIT_FSIZE, &old);
		_exit(status && index_put(ix, "c", 3, 5, 6) == 0 ? 0 : 1);
	}
	ok(waitpid(child, &status, 0) == child && status == 0 &&
	    stat(index_path, &st) == 0 && st.st_size == 192 + 2 * 128 &&
	    strcmp(index_shown(), "a=1,2 c=5,6") == 0,
	    "a record that does not fit leaves no bytes in the file");
	unlink(index_path);
}

/* ---- Writers ----------------------------------------------------------- */

enum { EACH = 500 };

/* Starts a process that adds records with so many names. */
static pid_t
start_writer(int writer, int names)
{
	struct index *ix;
	pid_t child;
	char id[20];

	fflush(stdout);
	if ((child = fork()) != 0)
		return child;
	ix = index_open_example();
	for (int i = 0; i < names; i++) {
		snprintf(id, sizeof(id), "%d.%d", writer, i);
		if (index_put(ix, id, writer, (float)i, (float)writer) < 0)
			_exit(1);
	}
	_exit(index_close(ix, NULL) == 0 ? 0 : 1);
}

/* Returns true if every row was added by a writer of start_writer(), in the
 * writer's order. next counts the rows of each writer. */
static bool
in_order(const struct index_map *m, int next[2])
{
	struct index_row row;
	char id[20];

	for (uint64_t i = 0; i < index_rows(m); i++) {
		int w;

		if (index_row(m, i, &row, NULL) < 0)
			return false;
		w = (int)row.x[1] & 1;
		snprintf(id, sizeof(id), "%d.%d", w, next[w]);
		if (strlen(id) != row.n || memcmp(id, row.id, row.n) != 0 ||
		    row.x[0] != (float)next[w])
			return false;
		next[w]++;
	}
	return true;
}

static bool
all_there(int next[2])
{
	struct npu_err err = { 0 };
	struct index_map *m;
	bool good;

	next[0] = next[1] = 0;
	if (index_map_path(&m, index_path, &err) < 0) {
		diag("%s", err.msg);
		return false;
	}
	good = in_order(m, next);
	index_unmap(m);
	return good;
}

static void
two_writers(void)
{
	int next[2], status[2] = { 1, 1 };
	pid_t a = start_writer(0, EACH), b = start_writer(1, EACH);

	waitpid(a, &status[0], 0);
	waitpid(b, &status[1], 0);
	ok(status[0] == 0 && status[1] == 0 && all_there(next) &&
	    next[0] == EACH && next[1] == EACH,
	    "two writers that both create the file add %d records each", EACH);
	unlink(index_path);
}

/* Tests that nothing is added while another process holds the lock. */
static void
waits(void)
{
	const struct timespec t = { .tv_nsec = 100000000 };
	int fd, status = 1;
	bool waited;
	struct stat st;
	pid_t child;

	index_close(index_open_example(), NULL);
	if ((fd = open(index_path, O_RDONLY)) < 0 || flock(fd, LOCK_EX) < 0)
		exit(1);
	child = start_writer(0, 3);
	nanosleep(&t, NULL);
	waited = fstat(fd, &st) == 0 && st.st_size == 192;
	flock(fd, LOCK_UN);	/* the child has this descriptor as well */
	close(fd);
	waitpid(child, &status, 0);
	ok(waited && status == 0 && stat(index_path, &st) == 0 &&
	    st.st_size == 192 + 3 * 128, "a writer waits for the lock");
	unlink(index_path);
}

/* Tests that a writer adds nothing if the file became shorter than it was. */
static void
shorter(void)
{
	struct index *ix = index_open_example();
	struct npu_err err = { 0 };

	index_put(ix, "a", 1, 3, 4);
	index_put(ix, "b", 2, 5, 6);
	ok(truncate(index_path, 192 + 128) == 0 && index_catch_up(ix, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "it was cut") != NULL &&
	    index_put(ix, "c", 3, 7, 8) == NPU_EFORMAT,
	    "a writer refuses a file that became shorter: %s", err.msg);
	index_close(ix, NULL);
	ok(strcmp(index_shown(), "a=3,4") == 0,
	    "after a refusal, the remaining records stay");
	unlink(index_path);
}

/* Kills the writer after a number of records and a part of the next. */
static void
kill_soon(pid_t child, unsigned round)
{
	struct timespec t = { .tv_nsec = (long)(round * 7919 % 997) * 1000 };
	const off_t enough = 192 + 128 * (off_t)(round * 13 % 200);
	struct stat st = { 0 };

	while (st.st_size < enough)
		if (stat(index_path, &st) < 0)
			st.st_size = 0;
	nanosleep(&t, NULL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Tests that a killed writer leaves a file of whole records, and that no record
 * seen whole is lost. */
static void
killed(void)
{
	int rounds = 30, next[2], some = 0;
	bool good = true;
	struct index *ix;

	for (int i = 0; i < rounds; i++) {
		kill_soon(start_writer(0, INT_MAX), (unsigned)i);
		if (access(index_path, F_OK) < 0)
			continue;
		good = all_there(next) && good;
		some += next[0] > 0;
		ix = index_open_example();
		good = index_count(ix) == (uint64_t)next[0] &&
		    index_put(ix, "last", 7, 1, 0) == 0 && good;
		index_close(ix, NULL);
		ix = index_open_example();
		good = index_count(ix) == (uint64_t)next[0] + 1 && good;
		index_close(ix, NULL);
		unlink(index_path);
	}
	ok(good && some > rounds / 2, "of %d killed writers, the %d that had "
	    "begun leave whole records", rounds, some);
}

int
main(void)
{
	alarm(1800);
	index_place();
	bytes();
	named();
	many();
	refused();
	others();
	vacant();
	cuts();
	full();
	waits();
	shorter();
	two_writers();
	killed();
	return done();
}
