// SPDX-License-Identifier: Apache-2.0
/* The kernel's log: how lines are parsed, which lines are kept, and who may
 * read the log. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/kernlog.h"
#include "tap.h"

#define NO 77777		/* us of a line without a time */

static const struct {
	const char *what, *line, *text;	/* NULL: the line is left out */
	uint64_t us;
} rows[] = {
	{ "a record of /dev/kmsg is split into time and text",
	    "6,339,5140900,-;aipu: probe", "aipu: probe",
	    5140900 },
	{ "additional fields of later kernels are skipped",
	    "3,339,5140900,c,caller=T1;a;b",
	    "a;b", 5140900 },
	{ "a record that a process wrote is left out",
	    "30,1,2,-;systemd[1]: host name set", NULL, 0 },
	{ "a line of a record's dictionary is left out",
	    " SUBSYSTEM=platform", NULL, 0 },
	{ "a record without text is left out", "6,339,5140900,-;", NULL, 0 },
	{ "a record without ';' is kept as text",
	    "6,339,5140900,- text", "6,339,5140900,- text", NO },
	{ "a record whose time exceeds 64 bits is kept as text",
	    "6,1,18446744073709551616,-;x",
	    "6,1,18446744073709551616,-;x", NO },
	{ "a line of dmesg is split into time and text",
	    "[    5.140900] aipu: probe", "aipu: probe", 5140900 },
	{ "the time of dmesg after a week is read",
	    "[604800.000001] x", "x", 604800000001 },
	{ "a line of dmesg -r is split into time and text",
	    "<6>[    5.140900] x", "x", 5140900 },
	{ "a line of dmesg -r that a process wrote is left out",
	    "<30>[    5.140900] x", NULL, 0 },
	{ "a line with the date of dmesg -T is kept as text",
	    "[Fri Nov 20 04:18:00 2026] x",
	    "[Fri Nov 20 04:18:00 2026] x", NO },
	{ "a time without 6 digits after the point is kept as text",
	    "[5.14] x", "[5.14] x", NO },
	{ "a time whose microseconds exceed 64 bits is kept as text",
	    "[18446744073710.000000] x", "[18446744073710.000000] x", NO },
	{ "a line with only a time is left out", "[    5.140900] ", NULL, 0 },
	{ "a line without a time is kept as text",
	    "aipu: probe", "aipu: probe", NO },
	{ "control characters are escaped", "a\033[2J\r\177b",
	    "a\\x1b[2J\\x0d\\x7fb", NO },
	{ "bytes that are not ASCII are escaped",
	    "\303\251\377", "\\xc3\\xa9\\xff", NO },
	{ "an empty line is left out", "", NULL, 0 },
	{ "a line with only a number is kept as text", "6", "6", NO },
	{ "a record without a sequence number is kept as text",
	    "6,x,1,-;a", "6,x,1,-;a", NO },
	{ "a record without a time is kept as text", "6,7", "6,7", NO },
	{ "a record without flags is kept as text", "6,7,8;a", "6,7,8;a", NO },
	{ "a time without a point is kept as text", "[5] x", "[5] x", NO },
	{ "a time without digits after the point is kept as text",
	    "[5.] x", "[5.] x", NO },
	{ "a time without ']' is kept as text",
	    "[5.140900 x", "[5.140900 x", NO },
	{ "a time one microsecond above 64 bits is kept as text",
	    "[18446744073709.551616] x",
	    "[18446744073709.551616] x", NO },
	{ "a priority that is not a number is kept as text",
	    "<x>[5.140900] x", "<x>[5.140900] x", NO },
	{ "a priority without '>' is kept as text",
	    "<6[5.140900] x", "<6[5.140900] x", NO },
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
	    strlen(l.text) == HOST_LOG_LINE - 3,
	    "a long line is not cut within an escape sequence");
}

static void
has(void)
{
	ok(host_log_has(of("armchina_NPU: x"), "npu"), "the case of letters "
	    "does not matter");
	ok(host_log_has(of("[npu] x"), "npu"), "a word is found behind '['");
	ok(host_log_has(of("{npu} x"), "npu"), "a word is found behind '{'");
	ok(!host_log_has(of("input: keyboard"), "npu"), "a word is not found "
	    "within another word");
	ok(!host_log_has(of("np"), "npu"), "a text shorter than the word does "
	    "not contain it");
	ok(host_log_has(of("an npu0"), "npu"), "a word is found at the "
	    "beginning of another word");
	ok(host_log_has(of("a: Unknown symbol x"), "unknown symbol"),
	    "several words are found together");
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
	    err.detail == ENOENT && k.hidden[0] == '\0',
	    "without any log, reading fails with ENOENT: %s",
	    err.msg);
	ok(with("/var/log/dmesg", "[    1.000000] aipu: a\ninput: b\nNPU c\n")
	    == 0 && k.n == 2 && k.line[0].us == 1000000 &&
	    strcmp(k.line[1].text, "NPU c") == 0, "/var/log/dmesg is read, and "
	    "only lines about the NPU are kept");
	ok(with("/dev/kmsg", "") == 0 && k.n == 0, "an empty /dev/kmsg gives "
	    "no lines");
	ok(with("/dev/kmsg", "open EPERM\n") == NPU_ESYSTEM && strcmp(k.hidden,
	    "user root (CAP_SYSLOG) may read /dev/kmsg") == 0, "after EPERM, "
	    "the message names root: %s", k.hidden);
	ok(with("/dev/kmsg", "open EACCES\n") == NPU_ESYSTEM &&
	    strstr(k.hidden, "may read /dev/kmsg") != NULL, "after EACCES, the "
	    "message names who may read the log: %s", k.hidden);
	mask = umask(077);
	ok(with("/dev/kmsg", "open EACCES\n") == NPU_ESYSTEM &&
	    strncmp(k.hidden, "user ", 5) == 0, "for a log of mode 600, the "
	    "message names its owner: %s", k.hidden);
	umask(mask);
	ok(with("/dev/kmsg", "open EPIPE\n") == 0 &&
	    with("/dev/kmsg", "open ENOSYS\n") == 0 &&
	    with("/dev/kmsg", "open npu\n") == 0 && k.n == 1,
	    "a line with open, but without EPERM or EACCES, is an ordinary "
	    "line");
	many(HOST_LOG_LINES, 0, "as many lines as fit are all kept");
	many(HOST_LOG_LINES + 1, 1,
	    "with one line too many, one line in the middle is left out");
	many(3 * HOST_LOG_LINES - 7, 2 * HOST_LOG_LINES - 7,
	    "with three times as many lines, the first and the last are kept");
	for (int i = 2; i >= 0; i--) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		rmdir(path);
	}
	rmdir(root);
}

/* Reads this machine's log, which may be hidden or absent, without waiting for
 * it. */
static void
own(void)
{
	struct npu_err err = { .msg = "" };
	int rc = host_read_kernlog("", npu, &k, &err);

	ok(rc == 0 || (err.detail != 0 && err.detail != EAGAIN),
	    "this machine's log is read, or an error is reported: %zu lines %s",
	    k.n, rc == 0 ? "" : err.msg);
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
