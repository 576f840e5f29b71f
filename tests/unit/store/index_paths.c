// SPDX-License-Identifier: Apache-2.0
/* Tests vectors of files.  An index knows them by their paths, and recognises
 * renamed files.  Also tests older indexes, of version 1, and empty files. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/buf.h"
#include "index_file.h"
#include "store/layout.h"
#include "tap.h"

enum { HEADER = 192, RECORD = 128 };

/* ---- Files ------------------------------------------------------------- */

/* Returns the absolute path of a file next to the index.  The file need not
 * exist. */
static const char *
beside(const char *name)
{
	static char path[PATH_MAX + 100];
	char folder[PATH_MAX];

	if (realpath(index_folder, folder) == NULL)
		exit(1);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void
make_file(const char *name)
{
	int fd = open(beside(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		exit(1);
	close(fd);
}

/* Adds (x, 0) under id for a file next to the index, with content c. */
static int
put_file(struct index *ix, const char *id, const char *name, int c, float x)
{
	const char *path = beside(name);
	uint8_t sha256[INDEX_SHA256];
	const float v[] = { x, 0 };

	memset(sha256, c, sizeof(sha256));
	return index_add(ix, &(struct index_row){ .id = id, .n = strlen(id),
	    .path = path, .path_n = strlen(path), .sha256 = sha256, .x = v },
	    NULL);
}

static bool
has_file(struct index *ix, const char *id, const char *name, int c)
{
	const char *path = beside(name);
	uint8_t sha256[INDEX_SHA256];

	memset(sha256, c, sizeof(sha256));
	return index_has(ix, &(struct index_row){ .id = id, .n = strlen(id),
	    .path = path, .path_n = strlen(path), .sha256 = sha256 });
}

static bool
shows(const char *what)
{
	if (strcmp(index_shown(), what) == 0)
		return true;
	diag("%s, not %s", index_shown(), what);
	return false;
}

/* ---- The bytes --------------------------------------------------------- */

/* The second record of 192 + 2 * 128 bytes.  A program in Python made it from
 * vec-index(5). */
static void
bytes(void)
{
	static const char expected[] =
	    "5652454307000000c000000000000a00"
	    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	    "faa061ec1c0eef3312e50eee56c87295"
	    "0000803f000000006275732e6a70672f"
	    "612f6275732e6a706700000000000000";
	uint8_t sha256[INDEX_SHA256];
	const float x[] = { 1, 0 };
	const struct index_row row = { .id = "bus.jpg", .n = 7,
	    .path = "/a/bus.jpg", .path_n = 10, .sha256 = sha256, .x = x };
	struct index *ix = index_open_example();
	char got[sizeof(expected)] = "";
	struct buf b;

	memset(sha256, 0xbb, sizeof(sha256));
	index_put(ix, "bus.jpg", 0xbb, .6f, .8f);
	ok(index_add(ix, &row, NULL) == 0 && index_count(ix) == 1,
	    "adding a known name with a path gives the name a path");
	index_close(ix, NULL);
	b = index_bytes();
	for (size_t i = 0; i < sizeof(got) / 2; i++)
		snprintf(got + 2 * i, 3, "%02x",
		    (unsigned char)b.p[HEADER + RECORD + i]);
	if (!ok(b.n == HEADER + 2 * RECORD && strcmp(got, expected) == 0,
	    "the bytes of the record are as in vec-index(5)"))
		diag("%s", got);
	buf_free(&b);
	unlink(index_path);
}

/* ---- Paths ------------------------------------------------------------- */

static void
paths(void)
{
	struct index *ix = index_open_example();

	make_file("p");
	make_file("q");
	put_file(ix, "p", "p", 1, 1);
	ok(has_file(ix, "../d/p", "p", 1),
	    "a file is found under any name, by its path");
	ok(!has_file(ix, "p", "q", 1),
	    "another file is not found under the same name");
	put_file(ix, "q", "q", 1, 1);
	ok(shows("p=1,0 q=1,0"),
	    "two files with the same bytes are two vectors");
	put_file(ix, "./p", "p", 2, 2);
	ok(shows("q=1,0 ./p=2,0"), "a file that changed is replaced");
	index_close(ix, NULL);
	ix = index_open_example();
	ok(index_count(ix) == 2 && has_file(ix, "", "p", 2) &&
	    has_file(ix, "", "q", 1),
	    "after opening the index again, the files are found");
	index_close(ix, NULL);
	unlink(index_path);
	unlink(beside("p"));
	unlink(beside("q"));
}

static void
renames(void)
{
	struct index *ix = index_open_example();

	make_file("new");
	put_file(ix, "old", "old", 1, 1);
	put_file(ix, "other", "other", 2, 2);
	put_file(ix, "absent", "absent", 1, 1);
	ok(index_count(ix) == 3,
	    "a new file that does not exist does not replace a missing file");
	put_file(ix, "absent", "absent", 3, 3);
	put_file(ix, "new", "new", 2, 2);
	ok(index_count(ix) == 3 && shows("old=1,0 absent=3,0 new=2,0"),
	    "a new file that exists replaces a missing file with the same "
	    "bytes");
	ok(!has_file(ix, "other", "other", 2), "a replaced file is not found");
	put_file(ix, "other", "other", 9, 9);
	ok(index_count(ix) == 4 && has_file(ix, "", "other", 9) &&
	    has_file(ix, "", "new", 2),
	    "a replaced file is found after it is added again");
	index_close(ix, NULL);
	ix = index_open_example();
	ok(index_count(ix) == 4 && has_file(ix, "", "new", 2) &&
	    has_file(ix, "", "old", 1),
	    "after opening the index again, the renamed files are found");
	index_close(ix, NULL);
	unlink(index_path);
	unlink(beside("new"));
}

/* Renames every second file. */
static void
many(void)
{
	struct index *ix = index_open_example();
	char id[2][20];
	bool all = true;

	for (int i = 0; i < 200; i++) {
		snprintf(id[0], sizeof(id[0]), "%d", i);
		put_file(ix, id[0], id[0], i, (float)i);
	}
	for (int i = 0; i < 200; i += 2) {
		snprintf(id[1], sizeof(id[1]), "r%d", i);
		make_file(id[1]);
		put_file(ix, id[1], id[1], i, 0);
		unlink(beside(id[1]));
	}
	for (int i = 0; i < 200; i++) {
		snprintf(id[0], sizeof(id[0]), "%d", i);
		snprintf(id[1], sizeof(id[1]), "r%d", i);
		all = has_file(ix, "", id[0], i) == (i % 2 == 1) &&
		    has_file(ix, "", id[1], i) == (i % 2 == 0) && all;
	}
	ok(all && index_count(ix) == 200,
	    "each of 200 files is found by its present name");
	index_close(ix, NULL);
	unlink(index_path);
}

/* ---- Version 1 --------------------------------------------------------- */

/* The bytes of the header that differ in version 1.  The same program in Python
 * made them. */
static const uint8_t version1[] = { 1, 0, 0, 0 },
    checksum1[] = { 0x56, 0x49, 0x0d, 0x80, 0x19, 0xf7, 0xff, 0xbd };

/* Makes an index as programs before version 2 made it. */
static struct buf
make_old(void)
{
	struct index *ix = index_open_example();
	struct buf b;

	index_put(ix, "a", 1, 1, 2);
	index_put(ix, "b", 2, 3, 4);
	index_close(ix, NULL);
	b = index_bytes();
	memcpy(b.p + 8, version1, sizeof(version1));
	memcpy(b.p + 96, checksum1, sizeof(checksum1));
	index_write(b.p, b.n);
	return b;
}

/* Returns 1 if the file is the old file, 2 if it is the old file as version 2,
 * or 0. */
static int
version(const struct buf *old)
{
	struct buf b = index_bytes();
	int is = b.n == old->n ? b.p[8] : 0;

	if (is != 0 && memcmp(b.p + HEADER, old->p + HEADER,
	    old->n - HEADER) != 0)
		is = 0;
	if (!shows("a=1,2 b=3,4"))
		is = 0;
	buf_free(&b);
	return is;
}

static void
old_version(void)
{
	struct buf old = make_old();
	struct index *ix;

	ok(version(&old) == 1, "an index of version 1 is read");
	index_close(index_open_example(), NULL);
	ok(version(&old) == 2, "a writer changes version 1 to version 2");
	ix = index_open_example();
	make_file("a");
	make_file("b");
	ok(!has_file(ix, "a", "a", 1) && put_file(ix, "a", "a", 1, 1) == 0 &&
	    has_file(ix, "a", "a", 1) && index_count(ix) == 2,
	    "adding a name without a path gives the name a path");
	ok(put_file(ix, "../b", "b", 2, 3) == 0 && index_count(ix) == 2 &&
	    shows("a=1,0 ../b=3,0"),
	    "adding a name in another folder gives the name a path");
	index_close(ix, NULL);
	buf_free(&old);
	unlink(index_path);
	unlink(beside("a"));
	unlink(beside("b"));
}

/* Tests SIGKILL while version 1 becomes version 2. */
static void
killed(void)
{
	struct buf old = make_old();
	int count[3] = { 0 };
	struct timespec t = { 0 };
	pid_t child;

	for (int i = 0; i < 200; i++) {
		index_write(old.p, old.n);
		fflush(stdout);
		if ((child = fork()) == 0) {
			index_close(index_open_example(), NULL);
			_exit(0);
		}
		t.tv_nsec = i * 7919 % 997 * 4000;
		nanosleep(&t, NULL);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		count[version(&old)]++;
	}
	diag("%d of version 1, %d of version 2", count[1], count[2]);
	ok(count[0] == 0,
	    "after 200 kills, the file is the old one or the new one");
	buf_free(&old);
	unlink(index_path);
}

/* ---- An empty file ----------------------------------------------------- */

static void
empty(void)
{
	struct stat st;
	struct index *ix;

	index_write("", 0);
	if (chmod(index_path, 0640) < 0)
		exit(1);
	ix = index_open_example();
	ok(index_count(ix) == 0 && index_put(ix, "a", 1, 1, 2) == 0 &&
	    shows("a=1,2"), "an empty file becomes an index");
	ok(stat(index_path, &st) == 0 && (st.st_mode & 07777) == 0640,
	    "the new index keeps the permissions of the empty file");
	index_close(ix, NULL);
	unlink(index_path);
}

/* Tests an index that is removed while it is open. */
static void
removed(void)
{
	struct index *ix = index_open_example();
	struct npu_err err = { .msg = "" };

	unlink(index_path);
	ok(index_put(ix, "a", 1, 1, 2) == NPU_ESYSTEM &&
	    index_catch_up(ix, &err) == NPU_ESYSTEM,
	    "writing to a removed index fails: %s", err.msg);
	index_close(ix, NULL);
}

int
main(void)
{
	alarm(1800);
	index_place();
	bytes();
	paths();
	renames();
	many();
	old_version();
	killed();
	empty();
	removed();
	return done();
}
