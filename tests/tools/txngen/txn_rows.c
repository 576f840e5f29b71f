// SPDX-License-Identifier: Apache-2.0
#include "row.h"
#include "txn_rows.h"

static const struct row *const tables[] = { transfer_rows, register_rows,
    operation_rows, damage_rows, file_rows };

/* Returns row i of all tables; at the end, a row without a name. */
static const struct row *
find_row(size_t i)
{
	const struct row *r = tables[0];

	for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++)
		for (r = tables[t]; r->name != NULL; r++)
			if (i-- == 0)
				return r;
	return r;
}

const char *
txn_row_name(size_t i)
{
	return find_row(i)->name;
}

const char *
txn_row_buffers(size_t i)
{
	return find_row(i)->buffers;
}

const char *
txn_row_says(size_t i)
{
	return find_row(i)->says;
}

static void
fill(const struct row *r, struct stream *s)
{
	if (r->fill != NULL) {
		r->fill(s);
		return;
	}
	stream_set(s, 0, 1, r->shape);
	stream_patch(s, stream_descriptor(0, 1) + 4, 0, r->plus);
	stream_write(s, MM2S, r->repeats << 16 | 1);
	stream_output(s);
}

void
txn_row_make(size_t i, bool old, struct buf *out)
{
	const struct row *r = find_row(i);
	struct stream s;

	stream_begin(&s, old, out);
	fill(r, &s);
	if (!r->as_is)
		stream_end(&s);
}
