// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "cmd.h"

/* The firmware translates the addresses of only this many buffers (mlir-aie,
 * AIETargetNPU.cpp). */
enum { TRANSLATED = 5 };

/* ---- --buffers --------------------------------------------------------- */

static const struct direction {
	const char *name;
	bool in, out;
} directions[] = {
	{ "in", true, false },
	{ "out", false, true },
	{ "inout", true, true },
};

enum { DIRECTIONS = sizeof(directions) / sizeof(*directions) };

const char *
buffers_direction(const struct xdna_buffer *b)
{
	for (size_t i = 0; i < DIRECTIONS; i++)
		if (directions[i].in == b->in && directions[i].out == b->out)
			return directions[i].name;
	return "-";
}

/* Parses "in:1024" or "-". */
static void
parse_one(struct xdna_buffer *b, char *word)
{
	char *size = strchr(word, ':');

	if (cmd_is_dash(word))
		return;
	if (size != NULL)
		*size++ = '\0';
	for (size_t i = 0; size != NULL && i < DIRECTIONS; i++)
		if (strcmp(word, directions[i].name) == 0) {
			b->in = directions[i].in;
			b->out = directions[i].out;
			b->bytes = (uint64_t)cmd_size("--buffers", size, 1,
			    INT64_C(1) << 32);
			return;
		}
	cmd_usage("--buffers: '%s%s%s' is not in:BYTES, out:BYTES, "
	    "inout:BYTES or -", word, size != NULL ? ":" : "",
	    size != NULL ? size : "");
}

void
buffers_parse(struct buffers_option *o, const char *arg)
{
	char *copy = cmd_copy(arg), *rest = copy, *word;
	bool out = false;

	*o = (struct buffers_option){ .n = 0 };
	while ((word = strsep(&rest, ",")) != NULL) {
		if (o->n == XDNA_BUFFERS)
			cmd_usage("--buffers: '%s' has more than %d buffers",
			    arg, XDNA_BUFFERS);
		parse_one(&o->buffer[o->n], word);
		out |= o->buffer[o->n++].out;
	}
	if (!out)
		cmd_usage("--buffers: '%s' has no out and no inout, so there "
		    "would be no result", arg);
	free(copy);
}

/* ---- From the stream --------------------------------------------------- */

/* Dies if the stream moves more data to or from the buffer than the option
 * allows. */
static void
check_option(const struct buffers_option *o, const struct txn_buffer *b,
    const char *stream)
{
	const struct xdna_buffer none = { .bytes = 0 };
	const struct xdna_buffer *said = b->argument < o->n ?
	    &o->buffer[b->argument] : &none;
	const struct xdna_buffer moved = { .in = b->in, .out = b->out };

	if (b->bytes > said->bytes || (b->in && !said->in) ||
	    (b->out && !said->out))
		cmd_die("%s: buffer %u is %s:%" PRIu64 " in the stream, but "
		    "%s:%" PRIu64 " in --buffers", stream, b->argument,
		    buffers_direction(&moved), b->bytes,
		    buffers_direction(said), said->bytes);
}

/* Dies if the stream or the option uses more buffers than the kernel has, or
 * than the firmware translates. */
static void
check_numbers(const struct xdna_job *job, const struct txn *t,
    const struct buffers_option *o, const char *stream)
{
	unsigned most = t->arguments;
	struct npu_err err;

	if (txn_fits(t, job->buffers, job->columns, &err) < 0)
		cmd_die_err(stream, &err);
	for (unsigned i = 0; i < o->n; i++)
		if (o->buffer[i].bytes > 0 && i >= most)
			most = i + 1;
	if (most > job->buffers)
		cmd_die("--buffers: buffer %u does not exist: the kernel has "
		    "%u, counted from 0", most - 1, job->buffers);
	if (most > TRANSLATED)
		cmd_die("%s: buffer %u is used, and the firmware translates "
		    "only the first %d addresses", stream, most - 1,
		    TRANSLATED);
}

void
buffers_set(struct xdna_job *job, const struct txn *t,
    const struct buffers_option *o, const char *stream)
{
	struct npu_err err;

	if (o->n == 0 && txn_check_complete(t, &err) < 0)
		cmd_die("%s: %s; describe them with --buffers", stream,
		    err.msg);
	check_numbers(job, t, o, stream);
	for (size_t i = 0; i < t->n_buffers; i++) {
		const struct txn_buffer *b = &t->buffers[i];
		struct xdna_buffer *to = &job->buffer[b->argument];

		if (o->n > 0)
			check_option(o, b, stream);
		to->bytes = b->bytes, to->in = b->in, to->out = b->out;
	}
	for (unsigned i = 0; i < o->n && i < job->buffers; i++) {
		struct xdna_buffer *to = &job->buffer[i];

		to->bytes = o->buffer[i].bytes;
		to->in = o->buffer[i].in, to->out = o->buffer[i].out;
	}
}
