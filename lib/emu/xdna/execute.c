// SPDX-License-Identifier: Apache-2.0
/* execute.c - runs a command on the emulated array: the instruction stream
 * moves words from the device's view to a twin, and the twin's results back. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "emu/xdna/execute.h"
#include "emu/xdna/fault.h"
#include "emu/xdna/packet.h"
#include "emu/xdna/say.h"
#include "emu/xdna/stream.h"
#include "emu/xdna/twin.h"
#include "model/txn_sizes.h"

enum {
	LINE = 64,		/* bytes in a line of the processor's cache */
	LENGTH_AT = 12,		/* in the header of a stream */
};

static struct xemu_stream stream;	/* the last stream */

void
xemu_forget_stream(void)
{
	xemu_stream_free(&stream);
}

/* ---- Memory by address ------------------------------------------------- */

/* Returns the argument that begins at the address.  Memory that is not an
 * argument was not pinned, so the device cannot reach it. */
static struct xemu_bo *
find(const struct xemu_command *c, uint64_t address)
{
	for (uint32_t i = 0; i < c->arguments; i++) {
		struct xemu_bo *b = xemu_bo(c->argument[i]);

		if (b != NULL && (b->address != XDNA_NOWHERE ? b->address :
		    (uintptr_t)b->host) == address && address != 0)
			return b;
	}
	return NULL;
}

/* ---- Transfers --------------------------------------------------------- */

/* Sets *b to the buffer of the transfer. */
static int
find_buffer(const struct xemu_command *c, const struct xemu_packet *p,
    const struct xemu_transfer *t, struct xemu_bo **b, struct npu_err *err)
{
	uint64_t end = t->plus + 4 * (txn_greatest_word(t->word, t->runs) + 1);

	if (t->argument >= XEMU_BUFFERS)
		return npu_fail(err, NPU_EFORMAT, "buffer %u: the firmware "
		    "translates the addresses of the first %d", t->argument,
		    XEMU_BUFFERS);
	*b = find(c, p->buffer[t->argument]);
	if (*b == NULL || (*b)->type == XDNA_BO_DEV)
		return npu_fail(err, NPU_EFORMAT, "buffer %u is not among the "
		    "command's arguments", t->argument);
	if (end > (*b)->size)
		return npu_fail(err, NPU_EFORMAT, "buffer %u has %llu bytes, "
		    "the stream moves words up to byte %llu", t->argument,
		    (unsigned long long)(*b)->size, (unsigned long long)end);
	return 0;
}

static bool
is_plain(const struct xemu_transfer *t)
{
	return t->runs == 1 && t->word[3] == 0;	/* does not wrap, steps by 1 */
}

/* Copies the transfer's words between its buffer and the array of words at
 * p. */
static void
move_words(const struct xemu_bo *b, const struct xemu_transfer *t,
    uint32_t *p)
{
	uint8_t *at = b->device + t->plus;

	if (is_plain(t) && t->out)
		memcpy(at, p, t->word[0] * sizeof(*p));
	else if (is_plain(t))
		memcpy(p, at, t->word[0] * sizeof(*p));
	else
		for (unsigned r = 0; r < t->runs; r++)
			for (uint32_t e = 0; e < t->word[0]; e++, p++) {
				uint8_t *w = at + 4 * txn_word(t->word, e, r);

				if (t->out)
					memcpy(w, p, sizeof(*p));
				else
					memcpy(p, w, sizeof(*p));
			}
}

/* Copies the words of all transfers in one direction. */
static int
move_all(const struct xemu_command *c, const struct xemu_packet *packet,
    bool out, uint32_t *p, struct npu_err *err)
{
	struct xemu_bo *b = NULL;
	int rc;

	for (size_t i = 0; i < stream.n; i++) {
		const struct xemu_transfer *t = &stream.transfer[i];

		if (t->out != out)
			continue;
		if ((rc = find_buffer(c, packet, t, &b, err)) < 0)
			return rc;
		move_words(b, t, p);
		p += (size_t)t->word[0] * t->runs;
	}
	return 0;
}

static int
compute(const struct xemu_command *c, const struct xemu_packet *packet,
    struct npu_err *err)
{
	uint32_t *in = calloc(stream.in + 1, sizeof(*in));
	uint32_t *out = calloc(stream.out + 1, sizeof(*out));
	int rc;

	if (in == NULL || out == NULL)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else if ((rc = move_all(c, packet, false, in, err)) == 0 &&
	    (rc = xemu_twin(in, stream.in * sizeof(*in), out,
	    stream.out * sizeof(*out), err)) == 0)
		rc = move_all(c, packet, true, out, err);
	free(in);
	free(out);
	return rc;
}

/* ---- A command --------------------------------------------------------- */

/* Reads the instructions from the device's view. */
static int
read_stream(const struct xemu_command *c, const struct xemu_packet *p,
    struct npu_err *err)
{
	const struct xemu_bo *b = find(c, p->instructions);
	uint32_t length;
	int rc;

	if (p->opcode != XDNA_OPCODE || p->unit >= c->units)
		return npu_fail(err, NPU_EFORMAT, "opcode %llu of unit %u: "
		    "opcode %d and %u units are there",
		    (unsigned long long)p->opcode, p->unit, XDNA_OPCODE,
		    c->units);
	if (b == NULL || b->type != XDNA_BO_DEV)
		return npu_fail(err, NPU_EFORMAT, "the instructions are not in "
		    "a part of the heap that is among the command's arguments");
	/* The firmware uses the length in the stream's header; programs give
	 * the length in bytes or in words. */
	memcpy(&length, b->device + LENGTH_AT, sizeof(length));
	if (length > b->size || (p->length != length &&
	    p->length != length / 4))
		return npu_fail(err, NPU_EFORMAT, "the instructions, as the "
		    "device sees them, are %u bytes long; the command says "
		    "%llu, in memory of %llu", length, (unsigned long long)
		    p->length, (unsigned long long)b->size);
	if ((rc = xemu_stream_read(&stream, (struct bytes){ b->device,
	    length }, err)) < 0)
		return npu_prefix(err, rc, "the instructions, as the device "
		    "sees them");
	if (stream.generation != c->generation || stream.columns > c->columns)
		return npu_fail(err, NPU_EFORMAT, "the instructions are of "
		    "generation %u and %u columns, the context has %u and %u",
		    stream.generation, stream.columns, c->generation,
		    c->columns);
	return 0;
}

static uint32_t
end_of(const struct xemu_command *c, const struct xemu_packet *p)
{
	struct npu_err err;

	if (xemu_fault_hang() >= 0)
		return XDNA_TIMEOUT;
	if (xemu_fault_state() != 0)
		return xemu_fault_state();
	if (read_stream(c, p, &err) == 0 && compute(c, p, &err) == 0)
		return XDNA_COMPLETED;
	xemu_say("%s", err.msg);
	return XDNA_ERROR;
}

/* ---- The processor's cache --------------------------------------------- */

/* Writes the processor's dirty cache lines over the device's results, after the
 * command has ended.  A line is dirty if it differs from before, a copy of the
 * memory from the time when the command began. */
static void
write_back(const struct xemu_bo *b, const uint8_t *before)
{
	for (uint64_t at = 0; at < b->mapped; at += LINE) {
		size_t n = b->mapped - at < LINE ? b->mapped - at : LINE;

		if (memcmp(b->host + at, before + at, n) != 0)
			memcpy(b->device + at, b->host + at, n);
	}
}

static bool
is_cached(const struct xemu_bo *b)
{
	return b != NULL && b->type == XDNA_BO_SHMEM && b->host != NULL;
}

void
xemu_execute(const struct xemu_command *c)
{
	const struct xemu_bo *packet = xemu_bo(c->packet), *b;
	uint8_t *before[XEMU_ARGUMENTS] = { NULL };
	struct xemu_packet p;

	/* The kernel does not report such a packet: its state stays. */
	if (!xemu_read_packet(packet, &p)) {
		xemu_say("the packet of a command is not one");
		return;
	}
	for (uint32_t i = 0; i < c->arguments; i++) {
		b = xemu_bo(c->argument[i]);
		if (is_cached(b) && (before[i] = malloc(b->mapped)) != NULL)
			memcpy(before[i], b->device, b->mapped);
	}
	xemu_set_state(packet, end_of(c, &p));
	for (uint32_t i = 0; i < c->arguments; i++) {
		b = xemu_bo(c->argument[i]);
		if (before[i] != NULL && is_cached(b))
			write_back(b, before[i]);
		free(before[i]);
	}
}
