// SPDX-License-Identifier: Apache-2.0
/* rows.c - writes the tensors of models as comma- or tab-separated values. */
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "delimited.h"
#include "info.h"
#include "model/cix.h"

void
info_rows_head(struct buf *t, char separator)
{
	static const char *const names[] = { "path", "subgraph", "kind", "id",
	    "name", "type", "shape", "bytes", "scale", "zero_point" };
	const char between[] = { separator, '\0' };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		buf_printf(t, "%s%s", i > 0 ? between : "", names[i]);
	buf_puts(t, "\n");
}

static void
put_text(struct buf *t, char separator, const char *s)
{
	const char after[] = { separator, '\0' };

	if (separator == ',')
		csv_text(t, s);
	else
		tsv_text(t, s);
	buf_puts(t, after);
}

static void
put_row(struct buf *t, char c, const char *path, size_t graph,
    const struct cix_tensor *ct)
{
	const struct npu_tensor *d = &ct->desc;
	const char *type = npu_dtype_name(d->dtype);
	char shape[NPU_MAX_DIMS * 11 + 1] = "", code[16], scale[32];
	size_t n = 0;

	for (uint32_t i = 0; i < d->ndim; i++)
		n += (size_t)snprintf(shape + n, sizeof(shape) - n,
		    "%s%" PRIu32, i > 0 ? "," : "", d->dim[i]);
	snprintf(code, sizeof(code), "0x%" PRIx32, d->dtype);
	num_format_float(d->scale, scale, sizeof(scale));
	put_text(t, c, path);
	buf_printf(t, "%zu%c%s%c%" PRIu32 "%c", graph, c,
	    info_kind_name(ct->kind), c, ct->id, c);
	put_text(t, c, d->name);
	put_text(t, c, type != NULL ? type : code);
	put_text(t, c, shape);
	buf_printf(t, "%" PRIu64 "%c%s%c%" PRId32 "\n", d->size, c, scale, c,
	    d->zero_point);
}

void
info_rows(struct buf *t, char separator, const char *path,
    const struct cix_model *m)
{
	for (size_t i = 0; i < m->n_graphs; i++)
		for (size_t k = 0; m->graphs[i].is_npu &&
		    k < m->graphs[i].n_tensors; k++)
			put_row(t, separator, path, i,
			    &m->graphs[i].tensors[k]);
}
