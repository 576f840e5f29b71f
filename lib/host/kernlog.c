// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "host/host.h"
#include "host/kernlog.h"
#include "host/platform.h"
#include "host/scan.h"

#define KMSG "/dev/kmsg"

enum {
	LOG_SIZE = 1 << 24,
	RECORD = 8192,		/* the kernel's own buffer for one record
				   (kernel/printk, CONSOLE_EXT_LOG_MAX) */
	RECORDS = 1 << 20,	/* most records read */
	HALF = HOST_LOG_LINES / 2,
};

/* ---- Lines ------------------------------------------------------------- */

static bool
pop_byte(struct bytes *b, uint8_t c)
{
	if (b->n == 0 || *b->p != c)
		return false;
	b->p++;
	b->n--;
	return true;
}

/* Parses "6,339,5140900,-;text" (the kernel's
 * Documentation/ABI/testing/dev-kmsg). */
static bool
parse_kmsg(struct bytes *b, uint64_t *priority, uint64_t *us)
{
	struct bytes at = *b;
	const uint8_t *text;
	uint64_t number;

	if (!scan_uint(&at, priority) || !pop_byte(&at, ',') ||
	    !scan_uint(&at, &number) || !pop_byte(&at, ',') ||
	    !scan_uint(&at, us) || !pop_byte(&at, ',') ||
	    (text = memchr(at.p, ';', at.n)) == NULL)
		return false;
	at.n -= (size_t)(text + 1 - at.p);
	at.p = text + 1;
	*b = at;
	return true;
}

/* Parses "[ 12.345678] ", printed by dmesg. */
static bool
parse_seconds(struct bytes *b, uint64_t *us)
{
	struct bytes at = *b;
	uint64_t s, fraction;
	size_t digits;

	if (!pop_byte(&at, '['))
		return false;
	scan_blanks(&at);
	if (!scan_uint(&at, &s) || !pop_byte(&at, '.'))
		return false;
	digits = at.n;
	if (!scan_uint(&at, &fraction) || digits - at.n != 6 ||
	    !pop_byte(&at, ']') ||
	    __builtin_mul_overflow(s, 1000000u, &s) ||
	    __builtin_add_overflow(s, fraction, us))
		return false;
	scan_blanks(&at);
	*b = at;
	return true;
}

/* Parses "<6>", printed by dmesg -r. */
static void
parse_priority(struct bytes *b, uint64_t *priority)
{
	struct bytes at = *b;
	uint64_t v;

	if (!pop_byte(&at, '<') || !scan_uint(&at, &v) ||
	    !pop_byte(&at, '>'))
		return;
	*priority = v;
	*b = at;
}

/* Copies text; bytes that are not printable are escaped as the kernel does in
 * /dev/kmsg. */
static void
copy_text(struct bytes b, char out[HOST_LOG_LINE])
{
	size_t at = 0;

	for (size_t i = 0; i < b.n; i++) {
		bool plain = b.p[i] >= 0x20 && b.p[i] < 0x7f;

		if (at + (plain ? 1 : 4) >= HOST_LOG_LINE)
			break;
		if (plain)
			out[at++] = (char)b.p[i];
		else
			at += (size_t)sprintf(out + at, "\\x%02x", b.p[i]);
	}
	out[at] = '\0';
}

/* Removes the header of *b; returns false if the line is not a message of the
 * kernel. */
static bool
parse_head(struct bytes *b, struct host_kernlog_line *line)
{
	uint64_t priority = 0;

	*line = (struct host_kernlog_line){ .us = 0 };
	/* A line such as " SUBSYSTEM=platform" belongs to the record before. */
	if (b->n == 0 || *b->p == ' ')
		return false;
	line->timed = parse_kmsg(b, &priority, &line->us);
	if (!line->timed) {
		parse_priority(b, &priority);
		line->timed = parse_seconds(b, &line->us);
	}
	if (!line->timed)
		line->us = 0;
	/* Messages with a facility other than 0 come from processes
	 * (syslog(3)). */
	return b->n > 0 && priority < 8;
}

/* ---- Words ------------------------------------------------------------- */

static bool
is_alnum(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z');
}

bool
host_log_has(struct bytes text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.n; i++)
		if ((i == 0 || !is_alnum(text.p[i - 1])) &&
		    strncasecmp((const char *)text.p + i, word, n) == 0)
			return true;
	return false;
}

static bool
has_one(struct bytes text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (host_log_has(text, *words))
			return true;
	return false;
}

bool
host_parse_kernlog(struct bytes b, const char *const *words,
    struct host_kernlog_line *out)
{
	struct host_kernlog_line line;

	if (!parse_head(&b, &line) || !has_one(b, words))
		return false;
	copy_text(b, line.text);
	*out = line;
	return true;
}

/* ---- Keeping lines ----------------------------------------------------- */

struct keep {
	struct host_kernlog *log;
	const char *const *words;
	size_t seen;
};

/* Keeps a line.  The first half of the lines stays; the second half is a ring
 * until keep_end(). */
static void
keep_line(struct keep *k, struct bytes b)
{
	struct host_kernlog_line line;
	size_t at = k->seen;

	if (!host_parse_kernlog(b, k->words, &line))
		return;
	if (at >= HALF)
		at = HALF + (at - HALF) % (HOST_LOG_LINES - HALF);
	k->log->line[at] = line;
	k->seen++;
}

static void
reverse(struct host_kernlog_line *line, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct host_kernlog_line t = line[i];

		line[i] = line[n - 1 - i];
		line[n - 1 - i] = t;
	}
}

/* Rotates the ring: its oldest line becomes the first. */
static void
keep_end(struct keep *k)
{
	struct host_kernlog_line *ring = k->log->line + HALF;
	size_t n = HOST_LOG_LINES - HALF, first;

	k->log->n = k->seen;
	if (k->seen <= HOST_LOG_LINES)
		return;
	k->log->n = HOST_LOG_LINES;
	k->log->left_out = k->seen - HOST_LOG_LINES;
	first = (k->seen - HALF) % n;
	reverse(ring, first);
	reverse(ring + first, n - first);
	reverse(ring, n);
}

/* ---- Reading ----------------------------------------------------------- */

/* Each read() returns one record.  Lines after the record's first line are a
 * dictionary.  EPIPE: some records were overwritten in the meantime. */
static int
read_records(int fd, struct keep *k)
{
	uint8_t record[RECORD];
	struct bytes b, line;
	size_t all = 0;
	ssize_t n;

	for (int i = 0; i < RECORDS && all < LOG_SIZE; i++) {
		n = read(fd, record, sizeof(record));
		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : errno;
		all += (size_t)n;
		b = (struct bytes){ record, (size_t)n };
		if (!scan_line(&b, &line))
			return 0;
		keep_line(k, line);
	}
	return 0;
}

static int
read_device(struct keep *k)
{
	int fd = open(KMSG, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	int error;

	if (fd < 0)
		return errno;
	/* In a container this may be another file. */
	if (fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode))
		error = ENODEV;
	else
		error = read_records(fd, k);
	close(fd);
	return error;
}

/* Returns the errno of a first line such as "open EPERM", which stands for a
 * failure of the device; else 0. */
static int
fake_error(struct bytes b)
{
	struct bytes line;

	if (!scan_line(&b, &line) || !bytes_start(line, "open "))
		return 0;
	if (line.n == 10 && bytes_start(line, "open EPERM"))
		return EPERM;
	return line.n == 11 && bytes_start(line, "open EACCES") ? EACCES : 0;
}

static int
read_text(const char *root, const char *path, struct keep *k)
{
	char *text;
	struct npu_err err = { .detail = 0 };
	struct bytes b, line;
	int n = host_load_file(root, path, LOG_SIZE, &text, &err), error;

	b = (struct bytes){ (uint8_t *)text, n > 0 ? (size_t)n : 0 };
	error = n < 0 ? err.detail : fake_error(b);
	while (error == 0 && scan_line(&b, &line))
		keep_line(k, line);
	free(text);
	return error;
}

/* With dmesg_restrict, EPERM refuses a file whose mode lets everybody read
 * it. */
static void
describe_hidden(const char *root, const char *path, int error,
    struct host_kernlog *log)
{
	char who[60] = "";

	if (error != EACCES && error != EPERM)
		return;
	if (error == EACCES)
		host_read_readers(root, path, who, sizeof(who));
	snprintf(log->hidden, sizeof(log->hidden), "%s may read %s",
	    who[0] != '\0' ? who : "user root (CAP_SYSLOG)", path);
}

int
host_read_kernlog(const char *root, const char *const *words,
    struct host_kernlog *log, struct npu_err *err)
{
	struct keep k = { log, words, 0 };
	const char *path = KMSG;
	int error;

	log->n = log->left_out = 0;
	log->hidden[0] = '\0';
	error = *root == '\0' ? read_device(&k) : read_text(root, path, &k);
	if (*root != '\0' && error != 0 && error != EACCES &&
	    error != EPERM) {
		path = "/var/log/dmesg";
		error = read_text(root, path, &k);
	}
	if (error == 0) {
		keep_end(&k);
		return 0;
	}
	describe_hidden(root, path, error, log);
	return npu_fail_detail(err, NPU_ESYSTEM, error, "%s%s: %s", root,
	    path, strerror(error));
}
