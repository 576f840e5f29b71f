/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job for an AMD NPU: mlir-aie's register map with five buffers, a PDI that
 * has only its marks, and an instruction stream from the test data or made by
 * the test.
 */
#ifndef TESTS_UNIT_XDNA_JOB_H
#define TESTS_UNIT_XDNA_JOB_H

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/file.h"
#include "device/xdna/xdna.h"
#include "model/txn.h"

/* A PDI that no array would load.  It has only the marks that the firmware
 * looks for. */
static const uint8_t marked_pdi[200] = {
	[0] = 0xdd, [4] = 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55,
	0xcc, 0xbb, 0xaa, 0x99, [0x28] = 0x93, 0x80, 0xca, 0x14,
	[0x38] = 'I', 'D', 'P', 'P',
	[0xa0] = 'a', 'i', 'e', '_', 'i', 'm', 'a', 'g', 'e',
};

/* Returns the path of a file of the test data; NULL without test data. */
__attribute__((unused)) static const char *
data_path(const char *name)
{
	const char *all = getenv("NPU_TEST_DATA");
	static char path[4096];

	snprintf(path, sizeof(path), "%s/xdna/%s", all != NULL ? all : "",
	    name);
	return all != NULL ? path : NULL;
}

/* Reads a file of the test data; false without test data. */
__attribute__((unused)) static bool
load_data(const char *name, struct buf *out)
{
	const char *path = data_path(name);

	return path != NULL && file_load(path, 1 << 28, out, NULL) == 0;
}

static struct bytes
bytes_of(const struct buf *b)
{
	return (struct bytes){ (const uint8_t *)b->p, b->n };
}

/* Makes a job for four columns from the stream.  Returns false if the stream
 * cannot be read. */
__attribute__((unused)) static bool
make_job(const struct buf *stream, struct xdna_job *j)
{
	struct txn t;

	if (txn_read(&t, bytes_of(stream), NULL) < 0)
		return false;
	*j = (struct xdna_job){
		.pdi = { marked_pdi, sizeof(marked_pdi) },
		.instructions = bytes_of(stream),
		.columns = 4, .operations = 2048,
		.opcode = { 0, 8 }, .instr = { 8, 8 }, .ninstr = { 0x10, 4 },
		.registers = 0x3c, .buffers = 5,
	};
	for (unsigned i = 0; i < 5; i++)
		j->buffer[i].address = (struct xdna_register){
		    0x14 + 8 * i, 8 };
	for (size_t i = 0; i < t.n_buffers; i++) {
		struct xdna_buffer *b = &j->buffer[t.buffers[i].argument % 5];

		b->bytes = t.buffers[i].bytes;
		b->in = t.buffers[i].in;
		b->out = t.buffers[i].out;
	}
	txn_free(&t);
	return true;
}

#endif
