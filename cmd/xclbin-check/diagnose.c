// SPDX-License-Identifier: Apache-2.0
/* diagnose.c - explains messages (--diagnose). */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "diagnose/xclbin/explain.h"
#include "lines.h"

enum { LINE = 1 << 20 };	/* maximum bytes of a line on stdin */

struct diagnosis {
	struct output out;
	bool plain;
	uint64_t known;		/* lines that could be explained */
};

static void
put_line(struct diagnosis *d, const char *p, size_t n)
{
	const struct explanation *e = explain((struct bytes){
	    (const uint8_t *)p, n });
	struct buf b = { 0 };

	if (e == NULL)
		return;
	d->known++;
	buf_printf(&b, d->plain ? "%s\t%s\t%s\n" : "%s: %s; next: %s\n",
	    e->check, e->cause, e->next);
	cmd_write_buf(&d->out, &b);
	cmd_end_record(&d->out);
}

static void
put_text(struct diagnosis *d, const char *text)
{
	for (size_t n; *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		put_line(d, text, n);
	}
}

static void
put_stdin(struct diagnosis *d)
{
	struct lines l;
	char *p;
	size_t n;

	lines_open(&l, cmd_open_input("-"), cmd_input_name("-"), '\n', LINE);
	while (lines_next(&l, &p, &n))
		put_line(d, p, n);
	lines_close(&l);
}

int
check_diagnose(const char *text, bool plain, const char *output)
{
	struct diagnosis d = { .plain = plain };

	cmd_open_output(&d.out, output, false);
	cmd_abandon_output_on_exit(&d.out);
	if (cmd_is_dash(text))
		put_stdin(&d);
	else
		put_text(&d, text);
	cmd_on_exit(NULL, NULL);
	cmd_close_output(&d.out);
	if (d.known > 0)
		return EXIT_DONE;
	cmd_warn("--diagnose: not a known message of an AMD NPU; 'xclbin-check "
	    "FILE' checks a file, 'xclbin-check' this machine");
	return EXIT_NOVERDICT;
}
