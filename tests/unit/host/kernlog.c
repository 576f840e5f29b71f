// SPDX-License-Identifier: Apache-2.0
/* The kernel's log: its lines, which are kept, and who may read it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/kernlog.h"
#include "tap.h"

#define NO 77777		/* us of a line without a time */

static const struct {
	const char *what, *line, *text;	/* NULL: not a line of the kernel's */
	uint64_t us;
} rows[] = {
	{ "a record of /dev/kmsg", "6,339,5140900,-;aipu: probe", "aipu: probe",
	    5140900 },
	{ "fields that later kernels add", "3,339,5140900,c,caller=T1;a;b",
	    "a;b", 5140900 },
	{ "a process's record", "30,1,2,-;systemd[1]: host name set", NULL, 0 },
	{ "a record's dictionary", " SUBSYSTEM=platform", NULL, 0 },
	{ "no text", "6,339,5140900,-;", NULL, 0 },
	{ "no ';'", "6,339,5140900,- text", "6,339,5140900,- text", NO },
	{ "a time of more than 64 bits", "6,1,18446744073709551616,-;x",
	    "6,1,18446744073709551616,-;x", NO },
	{ "dmesg", "[    5.140900] aipu: probe", "aipu: probe", 5140900 },
	{ "dmesg after a week", "[604800.000001] x", "x", 604800000001 },
	{ "dmesg -r", "<6>[    5.140900] x", "x", 5140900 },
	{ "dmesg -r of a process", "<30>[    5.140900] x", NULL, 0 },
	{ "another clock", "[Fri Nov 20 04:18:00 2026] x",
	    "[Fri Nov 20 04:18:00 2026] x", NO },
	{ "a fraction of another length", "[5.14] x", "[5.14] x", NO },
	{ "microseconds of more than 64 bits",
	    "[18446744073710.000000] x", "[18446744073710.000000] x", NO },
	{ "a time and no more", "[    5.140900] ", NULL, 0 },
	{ "no time", "aipu: probe", "aipu: probe", NO },
	{ "what a terminal would obey", "a\033[2J\r\177b",
	    "a\\x1b[2J\\x0d\\x7fb", NO },
	{ "what is no ASCII", "\303\251\377", "\\xc3\\xa9\\xff", NO },
	{ "nothing", "", NULL, 0 },
	{ "a number alone", "6", "6", NO },
	{ "no second number", "6,x,1,-;a", "6,x,1,-;a", NO },
	{ "no third", "6,7", "6,7", NO },
	{ "no flags", "6,7,8;a", "6,7,8;a", NO },
	{ "seconds alone", "[5] x", "[5] x", NO },
	{ "no fraction", "[5.] x", "[5.] x", NO },
	{ "no end of the time", "[5.140900 x", "[5.140900 x", NO },
	{ "one microsecond more than 64 bits", "[18446744073709.551616] x",
	    "[18446744073709.551616] x", NO },
	{ "no priority", "<x>[5.140900] x", "<x>[5.140900] x", NO },
	{ "no end of the priority", "<6[5.140900] x", "<6[5.140900] x", NO },
};

static struct bytes
of(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static void
lines(void)
{
	static const char *const any[] = { "", NULL };
	struct host_kernlog_line l;
	char longest[2 * HOST_LOG_LINE];
	bool rc;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		l = (struct host_kernlog_line){ .us = NO };
		rc = host_parse_kernlog(of(rows[i].line), any, &l);
		if (!ok(rc == (rows[i].text != NULL) && (!rc ||
		    (strcmp(l.text, rows[i].text) == 0 &&
		    l.timed == (rows[i].us != NO) &&
		    l.us == (rows[i].us != NO ? rows[i].us : 0))), "%s",
		    rows[i].what))
			diag("%d '%s' %llu", rc, l.text,
			    (unsigned long long)l.us);
	}
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	ok(host_parse_kernlog(of(longest), any, &l) &&
	    strlen(l.text) == HOST_LOG_LINE - 1, "a long line is cut");
	memset(longest + HOST_LOG_LINE - 3, '\033', 2);
	ok(host_parse_kernlog(of(longest), any, &l) &&
	    strlen(l.text) == HOST_LOG_LINE - 3, "not within an escape");
}

static void
has(void)
{
	ok(host_log_has(of("armchina_NPU: x"), "npu"), "any case");
	ok(host_log_has(of("[npu] x"), "npu"), "at a bracket");
	ok(host_log_has(of("{npu} x"), "npu"), "at a brace");
	ok(!host_log_has(of("input: keyboard"), "npu"), "not within a word");
	ok(!host_log_has(of("np"), "npu"), "shorter than the word");
	ok(host_log_has(of("an npu0"), "npu"), "the start of a word");
	ok(host_log_has(of("a: Unknown symbol x"), "unknown symbol"),
	    "a phrase");
}

/* ---- Files ------------------------------------------------------------- */

static const char *const folders[] = { "var", "var/log", "dev" };
static const char *const npu[] = { "npu", "aipu", NULL };
static char root[] = "/tmp/kernlog.XXXXXX";
static struct host_kernlog k;

static int
with(const char *path, const char *text)
{
	char full[200];
	FILE *f;
	int rc;

	snprintf(full, sizeof(full), "%s%s", root, path);
	if ((f = fopen(full, "w")) == NULL || fputs(text, f) < 0 ||
	    fclose(f) != 0)
		exit(1);
	rc = host_read_kernlog(root, npu, &k, NULL);
	unlink(full);
	return rc;
}

static void
many(size_t n, size_t left_out, const char *what)
{
	char *text = malloc(n * 32), *at = text, *end;
	uint64_t want;
	bool right;

	if (text == NULL)
		exit(1);
	for (size_t i = 0; i < n; i++)
		at += sprintf(at, "6,%zu,%zu,-;npu\n6,1,1,-;else\n", i, i);
	end = at;
	*end = '\0';
	right = with("/dev/kmsg", text) == 0 && k.n == n - left_out &&
	    k.left_out == left_out;
	for (size_t i = 0; right && i < k.n; i++) {
		want = i < HOST_LOG_LINES / 2 ? i : i + left_out;
		right = k.line[i].us == want;
	}
	if (!ok(right, "%s", what))
		diag("%zu lines, %zu left out", k.n, k.left_out);
	free(text);
}

static void
files(void)
{
	struct npu_err err = { .detail = 0 };
	char path[200];
	mode_t mask;

	if (mkdtemp(root) == NULL)
		exit(1);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		mkdir(path, 0700);
	}
	ok(host_read_kernlog(root, npu, &k, &err) == NPU_ESYSTEM &&
	    err.detail == ENOENT && k.hidden[0] == '\0', "no log: %s",
	    err.msg);
	ok(with("/var/log/dmesg", "[    1.000000] aipu: a\ninput: b\nNPU c\n")
	    == 0 && k.n == 2 && k.line[0].us == 1000000 &&
	    strcmp(k.line[1].text, "NPU c") == 0, "/var/log/dmesg");
	ok(with("/dev/kmsg", "") == 0 && k.n == 0, "an empty log");
	ok(with("/dev/kmsg", "open EPERM\n") == NPU_ESYSTEM && strcmp(k.hidden,
	    "user root (CAP_SYSLOG) may read /dev/kmsg") == 0, "%s", k.hidden);
	ok(with("/dev/kmsg", "open EACCES\n") == NPU_ESYSTEM &&
	    strstr(k.hidden, "may read /dev/kmsg") != NULL, "%s", k.hidden);
	mask = umask(077);
	ok(with("/dev/kmsg", "open EACCES\n") == NPU_ESYSTEM &&
	    strncmp(k.hidden, "user ", 5) == 0, "%s", k.hidden);
	umask(mask);
	ok(with("/dev/kmsg", "open EPIPE\n") == 0 &&
	    with("/dev/kmsg", "open ENOSYS\n") == 0 &&
	    with("/dev/kmsg", "open npu\n") == 0 && k.n == 1,
	    "other lines stand for themselves");
	many(HOST_LOG_LINES, 0, "as many as are kept");
	many(HOST_LOG_LINES + 1, 1, "one more");
	many(3 * HOST_LOG_LINES - 7, 2 * HOST_LOG_LINES - 7, "thrice as many");
	for (int i = 2; i >= 0; i--) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		rmdir(path);
	}
	rmdir(root);
}

/* This machine's log: it may be hidden or absent, but is not waited for. */
static void
own(void)
{
	struct npu_err err = { .msg = "" };
	int rc = host_read_kernlog("", npu, &k, &err);

	ok(rc == 0 || (err.detail != 0 && err.detail != EAGAIN),
	    "this machine's: %zu lines %s", k.n, rc == 0 ? "" : err.msg);
}

int
main(void)
{
	lines();
	has();
	files();
	own();
	return done();
}
