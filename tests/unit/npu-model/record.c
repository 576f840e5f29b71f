// SPDX-License-Identifier: Apache-2.0
/* The record of a folder: what is read, what is refused, and that many
 * processes lose nothing. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "npu-model/record.h"
#include "tap.h"

const struct program program = { .name = "record" };

#define SUM "0123456789abcdef0123456789abcdef" \
    "0123456789abcdef0123456789abcdef"

static char folder[] = "/tmp/npu-model-record.XXXXXX";
static struct npu_err err;

/* Adds a file to the record, which says that it has so many bytes. */
static int
add(const char *file, uint64_t size)
{
	struct record_entry e = { .file = (char *)file, .size = size,
	    .source = (char *)"https://host/a", .sum = { SUM } };

	return record_add(folder, &e, 1, &err);
}

static size_t
count(void)
{
	struct record r;
	size_t n = record_read(&r, folder, &err) == 0 ? r.n : 9999;

	record_free(&r);
	return n;
}

static void
test_changes(void)
{
	const struct record_entry *e;
	struct record r;

	ok(count() == 0, "a folder without a record has none");
	ok(add("a.cix", 1) == 0 && add("sub/b.cix", 2) == 0 && count() == 2,
	    "two files are added");
	ok(add("a.cix", 3) == 0 && count() == 2,
	    "a file that is added again has one entry");
	record_read(&r, folder, &err);
	e = record_find(&r, "a.cix");
	ok(e != NULL && e->size == 3 && strcmp(e->sum.text, SUM) == 0 &&
	    strcmp(e->source, "https://host/a") == 0 && e->etag == NULL &&
	    strlen(e->date) == 20, "its entry is the last that was added");
	ok(record_find(&r, "b.cix") == NULL, "b.cix is not sub/b.cix");
	record_free(&r);
	ok(record_remove(folder, "a.cix", &err) == 0 && count() == 1 &&
	    record_remove(folder, "a.cix", &err) == 0 && count() == 1,
	    "a file is removed once");
	record_remove(folder, "sub/b.cix", &err);
}

/* The time of an entry is the file's. */
static void
test_time(void)
{
	char *path = cmd_text("%s/c", folder);
	struct record r;
	struct stat st;

	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	add("c", 0);
	stat(path, &st);
	record_read(&r, folder, &err);
	ok(r.n == 1 && r.entry[0].modified_ns ==
	    (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec,
	    "an entry has the time of its file");
	record_free(&r);
	record_remove(folder, "c", &err);
	unlink(path);
	free(path);
}

enum { PROCESSES = 50 };

static void
test_processes(void)
{
	bool fine = true;
	char name[20];
	int status;

	for (int i = 0; i < PROCESSES; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		if (fork() == 0)
			_exit(add(name, 1) == 0 ? 0 : 1);
	}
	while (wait(&status) > 0)
		fine = fine && status == 0;
	ok(fine && count() == PROCESSES,
	    "50 processes that add at the same time lose no entry");
}

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "the body is empty" },
	{ "{", "not JSON" },
	{ "[]", "its schema is not npu-model/1" },
	{ "{\"schema\":\"npu-model/2\",\"files\":[]}", "its schema is not" },
	{ "{\"schema\":\"npu-model/1\"}", "files is missing, not a list" },
	{ "{\"schema\":\"npu-model/1\",\"files\":[1]}",
	    "file 1: a number, not an object" },
#define FILES "{\"schema\":\"npu-model/1\",\"files\":[{"
#define GOOD "\"sha256\":\"" SUM "\""
	{ FILES GOOD "}]}", "file 1: file is not a string" },
	{ FILES GOOD ",\"file\":\"../x\"}]}",
	    "file 1: file: the path has a part '..'" },
	{ FILES GOOD ",\"file\":\"/etc/passwd\"}]}",
	    "file 1: file: the path is absolute" },
	{ FILES GOOD ",\"file\":\"a\\nb\"}]}",
	    "file 1: file: the path has control characters" },
	{ FILES GOOD ",\"file\":\"a\\u0000b\"}]}", "not JSON" },
	{ FILES "\"sha256\":\"12\",\"file\":\"a\"}]}",
	    "file 1: sha256 is not a text of 64" },
	{ FILES GOOD ",\"file\":\"a\",\"size_bytes\":-1}]}",
	    "file 1: size_bytes is not a whole number" },
	{ FILES GOOD ",\"file\":\"a\",\"size_bytes\":1.5}]}",
	    "file 1: size_bytes is not a whole number" },
	{ FILES GOOD ",\"file\":\"a\",\"etag\":{}}]}",
	    "file 1: etag is an object, not a string" },
};

static void
test_refusals(void)
{
	struct record r;
	int rc;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		rc = record_parse(&r, (struct bytes){ (const void *)bad[i].text,
		    strlen(bad[i].text) }, &err);
		record_free(&r);
		ok(rc < 0 && strncmp(err.msg, bad[i].why,
		    strlen(bad[i].why)) == 0, "refused: %s", bad[i].why);
	}
}

int
main(void)
{
	char *path;

	if (mkdtemp(folder) == NULL)
		return 1;
	test_changes();
	test_time();
	test_processes();
	test_refusals();
	path = cmd_text("%s/%s", folder, RECORD_NAME);
	ok(unlink(path) == 0 && rmdir(folder) == 0,
	    "the folder has the record, and nothing else");
	free(path);
	return done();
}
