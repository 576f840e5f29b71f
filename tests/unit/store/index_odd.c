// SPDX-License-Identifier: Apache-2.0
/* Tests an index whose file changes while it is open, which vec-index(5)
 * forbids, and an index whose name is a link to a missing file. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "index_file.h"
#include "store/layout.h"
#include "tap.h"

/* A sound file: a header of 192 bytes, then a and b. */
enum { A = 192, B = A + 128, NAME = 64 + 8 };

static struct index *
open_example(void)
{
	const struct index_header h = index_example();
	struct index *ix;

	if (index_open(&ix, index_path, &h, NULL) < 0)
		exit(1);
	return ix;
}

static struct index *
open_two(void)
{
	struct index *ix;

	unlink(index_path);
	ix = open_example();
	if (index_put(ix, "a", 1, 1, 2) < 0 || index_put(ix, "b", 2, 3, 4) < 0)
		exit(1);
	return ix;
}

static void
put_byte(off_t at, char byte)
{
	int fd = open(index_path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || pwrite(fd, &byte, 1, at) != 1)
		exit(1);
	close(fd);
}

/* Changes a byte of the record of a after a was found. */
static void
renamed(off_t at, char byte, const char *what)
{
	struct index *ix = open_two();

	ok(index_put_has(ix, "a", 1), "a is found");
	put_byte(at, byte);
	ok(!index_put_has(ix, "a", 1), "%s: a is not found", what);
	ok(index_put(ix, "a", 3, 5, 6) == 0 && index_count(ix) == 3 &&
	    index_put_has(ix, "a", 3) && index_put_has(ix, "b", 2),
	    "%s: a is added as a new record", what);
	index_close(ix, NULL);
	unlink(index_path);
}

/* Changes the last name's length, after it was read, to exceed the file. */
static void
longer(void)
{
	struct npu_err err = { .msg = "" };
	struct index_row row;
	struct index_map *m;

	index_close(open_two(), NULL);
	if (index_map_path(&m, index_path, NULL) < 0)
		exit(1);
	ok(index_row(m, 1, &row, &err) == 0 && row.n == 1,
	    "the record of b is read");
	put_byte(B + 5, 1);
	if (!ok(index_row(m, 1, &row, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "record at 320: its 384 bytes have another "
	    "checksum than ") == err.msg,
	    "a record whose name exceeds the file after a change is refused"))
		diag("%s", err.msg);
	index_unmap(m);
	unlink(index_path);
}

static void
behind(void)
{
	struct layout_head head;
	const struct bytes none = { (const uint8_t *)"", 0 };

	ok(layout_get_head(none, 2, 1, &head, NULL) == 0,
	    "the header of a record behind the end is not read");
}

/* Opening a link to a missing file creates the target, and leaves no other file
 * in the folder.  Opening a link to itself fails. */
static void
dangling(void)
{
	const struct index_header h = index_example();
	struct npu_err err = { .msg = "" };
	struct index *ix;
	struct dirent *e;
	struct stat st;
	int files = 0;
	DIR *d;

	if (symlink("target", index_path) < 0)
		exit(1);
	if (!ok(index_open(&ix, index_path, &h, &err) == 0,
	    "opening a link to a missing file creates the target"))
		diag("%s", err.msg);
	else
		index_close(ix, NULL);
	ok(lstat(index_path, &st) == 0 && S_ISLNK(st.st_mode),
	    "the link remains a link");
	d = opendir(index_folder);
	while ((e = readdir(d)) != NULL)
		files += e->d_name[0] != '.' || strlen(e->d_name) > 2;
	ok(files == 2, "no other file is in the folder");
	unlinkat(dirfd(d), "target", 0);
	closedir(d);
	unlink(index_path);
	if (symlink(strrchr(index_path, '/') + 1, index_path) < 0)
		exit(1);
	ok(index_open(&ix, index_path, &h, &err) == NPU_ESYSTEM &&
	    strcmp(err.msg, strerror(ELOOP)) == 0,
	    "opening a link to itself fails with ELOOP");
	unlink(index_path);
}

int
main(void)
{
	index_place();
	renamed(A + NAME, 'x', "a changed name");
	renamed(A + 4, 2, "a longer name");
	renamed(A + 7, 1, "a name that exceeds the file");
	longer();
	behind();
	dangling();
	return done();
}
