// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "info.h"
#include "model/axlf_names.h"

/* Replaces each byte that is not valid UTF-8 by '?'. */
static void
make_utf8(char *s, size_t n)
{
	uint32_t c;
	size_t len;

	for (size_t i = 0; i < n; i += len > 0 ? len : 1)
		if ((len = utf8_decode(s + i, n - i, &c)) == 0)
			s[i] = '?';
}

/* Adds n bytes, with control characters replaced. */
static void
put_printable(struct buf *b, const void *p, size_t n)
{
	size_t at = b->n;

	buf_add(b, p, n);
	if (!b->failed)
		cmd_printable(b->p + at, n);
}

/* Adds n bytes of the container's contents, with control characters and invalid
 * UTF-8 replaced. */
static void
put_foreign(struct buf *b, const void *p, size_t n)
{
	size_t at = b->n;

	put_printable(b, p, n);
	if (!b->failed)
		make_utf8(b->p + at, n);
}

/* Adds before and the name in quotes; adds nothing if the name is empty. */
static void
put_name(struct buf *b, const char *before, struct bytes name)
{
	if (name.n == 0)
		return;
	buf_printf(b, "%s'", before);
	put_foreign(b, name.p, name.n);
	buf_puts(b, "'");
}

static struct bytes
bytes_of(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* ---- Sections ---------------------------------------------------------- */

static void
put_section(struct buf *b, const struct axlf_section *s, uint64_t *left)
{
	const char *name = axlf_name(&axlf_kinds, s->kind);
	struct bytes label;
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, s->kind);
	buf_printf(b, "  %-19s %10" PRIu64 " byte%s at %" PRIu64,
	    name != NULL ? name : number, s->size, num_plural(s->size), s->at);
	put_name(b, ", name ", bytes_of(s->name));
	if (info_label(s, left, &label))
		put_name(b, ", label ", label);
	buf_puts(b, s->whole ? "\n" : ", past the end of the file\n");
}

static void
put_sections(struct buf *b, const struct axlf *a)
{
	struct axlf_section s;
	uint64_t left = a->file.n;
	uint32_t n = 0;

	buf_printf(b, "sections: %" PRIu32 "\n", a->sections);
	for (; !info_hides_sections(a) && axlf_section(a, n, &s); n++)
		put_section(b, &s, &left);
	if (info_hides_sections(a))
		buf_printf(b, "  (not shown: a file has at most %d)\n",
		    AXLF_MOST_SECTIONS);
	else if (n < a->sections)
		buf_printf(b, "  (the file ends after %" PRIu32 ")\n", n);
}

/* ---- The partition ----------------------------------------------------- */

static void
put_numbers(struct buf *b, const char *what, const struct axlf_partition *p,
    const struct axlf_array *a)
{
	uint64_t v;

	if (a->count == 0)
		return;
	buf_puts(b, what);
	if (!axlf_array_fits(p, a, sizeof(v)))
		buf_printf(b, " (%" PRIu32 " at %" PRIu32 ", past the end)",
		    a->count, a->at);
	for (uint32_t i = 0; axlf_number_of(p, a, i, &v); i++)
		buf_printf(b, " 0x%" PRIx64, v);
}

static void
put_group(struct buf *b, const struct axlf_partition *p,
    const struct axlf_group *g)
{
	const char *type = axlf_name(&axlf_groups, g->type);
	struct bytes name;

	buf_puts(b, "    group");
	if (axlf_text(p, g->name_at, &name))
		put_name(b, " ", name);
	buf_printf(b, " id 0x%" PRIx64 ", ", g->id);
	if (type != NULL)
		buf_puts(b, type);
	else
		buf_printf(b, "type %u", g->type);
	put_numbers(b, ", kernels", p, &g->kernels);
	put_numbers(b, ", after groups", p, &g->before);
	buf_puts(b, "\n");
}

/* Adds a line if the array is not completely inside the section. */
static void
put_cut(struct buf *b, const char *what, const struct axlf_partition *p,
    const struct axlf_array *a, size_t size)
{
	if (!axlf_array_fits(p, a, size))
		buf_printf(b, "%s: %" PRIu32 " at %" PRIu32 ", past the end\n",
		    what, a->count, a->at);
}

static void
put_pdi(struct buf *b, const struct axlf_partition *p,
    const struct axlf_pdi *pdi)
{
	struct axlf_group g;
	struct bytes image;
	char uuid[37];

	axlf_uuid_text(pdi->uuid, uuid);
	buf_printf(b, "  PDI %s, %" PRIu32 " byte%s%s\n", uuid,
	    pdi->image.count, num_plural(pdi->image.count),
	    axlf_image(p, pdi, &image) ? "" : ", past the end");
	for (uint32_t i = 0; axlf_group(p, pdi, i, &g); i++)
		put_group(b, p, &g);
	put_cut(b, "    groups", p, &pdi->groups, AXLF_GROUP_SIZE);
}

static void
put_partition(struct buf *b, const struct axlf_partition *p)
{
	struct axlf_pdi pdi;
	struct bytes commit;
	uint16_t column;

	buf_printf(b, "partition: %u column%s", p->columns,
	    num_plural(p->columns));
	for (uint32_t i = 0; axlf_column(p, i, &column); i++)
		buf_printf(b, "%s %u", i == 0 ? ", may begin at" : ",", column);
	buf_printf(b, ", %" PRIu32 " operations per cycle", p->operations);
	if (axlf_text(p, p->commit_at, &commit))
		put_name(b, ", commit ", commit);
	buf_puts(b, "\n");
	put_cut(b, "  start columns", p, &p->start_columns, sizeof(column));
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		put_pdi(b, p, &pdi);
	put_cut(b, "  PDIs", p, &p->pdis, AXLF_PDI_SIZE);
}

/* ---- Kernels ----------------------------------------------------------- */

static void
put_attribute(struct buf *b, const char *s)
{
	if (s == NULL)
		buf_puts(b, "?");
	else
		put_foreign(b, s, strlen(s));
}

static void
put_argument(struct buf *b, const struct dpu_argument *a)
{
	uint64_t offset, size;

	if (info_number(a->offset, &offset))
		buf_printf(b, "    0x%02" PRIx64, offset);
	else
		buf_puts(b, "    ?   ");
	if (info_number(a->size, &size))
		buf_printf(b, " %3" PRIu64 "  ", size);
	else
		buf_puts(b, "   ?  ");
	put_attribute(b, a->name);
	buf_puts(b, ": ");
	put_attribute(b, a->type);
	buf_puts(b, "\n");
}

struct instances {
	struct buf *b;
	bool any;
};

static void
put_instance(void *arg, const char *instance)
{
	struct instances *i = arg;

	buf_puts(i->b, i->any ? " " : ", instances: ");
	i->any = true;
	put_foreign(i->b, instance, strlen(instance));
}

static void
put_instances(struct buf *b, const struct info_file *f,
    const struct dpu_kernel *k)
{
	struct instances i = { .b = b };

	if (!info_shows_instances(f))
		return;
	info_instances(f, k, put_instance, &i);
	if (!i.any)
		buf_puts(b, ", no instance");
}

static void
put_kernel(struct buf *b, const struct info_file *f,
    const struct dpu_kernel *k)
{
	const char *functional = NULL;
	uint64_t v;

	buf_puts(b, "kernel ");
	put_attribute(b, k->name);
	if (info_number(k->id, &v))
		buf_printf(b, ": id 0x%" PRIx64, v);
	else
		buf_puts(b, ": no id");
	if (info_number(k->functional, &v) && v <= UINT32_MAX)
		functional = axlf_name(&axlf_functionals, (uint32_t)v);
	if (functional != NULL)
		buf_printf(b, ", %s", functional);
	put_instances(b, f, k);
	buf_puts(b, "\n");
	for (size_t i = 0; i < k->arguments; i++)
		put_argument(b, &k->argument[i]);
}

void
info_text(struct buf *b, const struct info_file *f)
{
	const struct axlf *a = &f->x.axlf;
	char uuid[37], created[32];

	axlf_uuid_text(a->uuid, uuid);
	info_created(a, created);
	put_printable(b, f->name, strlen(f->name));
	buf_printf(b, ": xclbin2, %zu bytes", f->bytes);
	if (a->length != f->bytes)
		buf_printf(b, " (its header states %" PRIu64 ")", a->length);
	buf_printf(b, "\nuuid: %s\nmade: %s by version %u.%u.%u\n", uuid,
	    *created != '\0' ? created : "at an unknown time", a->major,
	    a->minor, a->patch);
	if (*a->platform != '\0') {
		buf_puts(b, "platform: ");
		put_foreign(b, a->platform, strlen(a->platform));
		buf_puts(b, "\n");
	}
	put_sections(b, a);
	if (f->x.has_partition)
		put_partition(b, &f->x.partition);
	for (size_t i = 0; i < f->x.kernels.n; i++)
		put_kernel(b, f, &f->x.kernels.kernel[i]);
}
