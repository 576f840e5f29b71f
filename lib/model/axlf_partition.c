// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "model/axlf_partition.h"

static struct axlf_array
array(struct bytes b, uint64_t at)
{
	struct axlf_array a = { 0 };

	bytes_u32(b, at, &a.count);
	bytes_u32(b, at + 4, &a.at);
	return a;
}

bool
axlf_array_fits(const struct axlf_partition *p, const struct axlf_array *a,
    size_t size)
{
	struct bytes all;

	return a->count == 0 ||
	    bytes_sub(p->data, a->at, (uint64_t)a->count * size, &all);
}

int
axlf_array_check(const struct axlf_partition *p, const struct axlf_array *a,
    size_t size, const char *what, struct npu_err *err)
{
	struct bytes all;

	if (bytes_sub(p->data, a->at, (uint64_t)a->count * size, &all))
		return 0;
	return npu_fail(err, NPU_EFORMAT, "%s: %" PRIu32 " of %zu bytes at %"
	    PRIu32 " run past the end of the section, %zu", what, a->count,
	    size, a->at, p->data.n);
}

/* Copies item i, which has size bytes, to to. */
static bool
get(const struct axlf_partition *p, const struct axlf_array *a, uint32_t i,
    void *to, size_t size)
{
	return i < a->count &&
	    bytes_get(p->data, a->at + (uint64_t)i * size, to, size);
}

bool
axlf_column(const struct axlf_partition *p, uint32_t i, uint16_t *column)
{
	return axlf_array_fits(p, &p->start_columns, sizeof(*column)) &&
	    get(p, &p->start_columns, i, column, sizeof(*column));
}

bool
axlf_number_of(const struct axlf_partition *p, const struct axlf_array *a,
    uint32_t i, uint64_t *number)
{
	return axlf_array_fits(p, a, sizeof(*number)) &&
	    get(p, a, i, number, sizeof(*number));
}

bool
axlf_image(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    struct bytes *image)
{
	return bytes_sub(p->data, pdi->image.at, pdi->image.count, image);
}

bool
axlf_text(const struct axlf_partition *p, uint32_t at, struct bytes *text)
{
	/* Fail after the last NUL: otherwise each name there would be searched
	 * to the end of the section. */
	if (at >= p->text_end)
		return false;
	text->p = p->data.p + at;
	text->n = strnlen((const char *)text->p, p->text_end - at);
	return true;
}

bool
axlf_pdi(const struct axlf_partition *p, uint32_t i, struct axlf_pdi *pdi)
{
	uint8_t raw[AXLF_PDI_SIZE];
	struct bytes b = { raw, sizeof(raw) };

	if (!get(p, &p->pdis, i, raw, sizeof(raw)))
		return false;
	*pdi = (struct axlf_pdi){ .image = array(b, 16),
	    .groups = array(b, 24) };
	bytes_get(b, 0, pdi->uuid, sizeof(pdi->uuid));
	return true;
}

bool
axlf_group(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    uint32_t i, struct axlf_group *group)
{
	uint8_t raw[AXLF_GROUP_SIZE];
	struct bytes b = { raw, sizeof(raw) };

	if (!get(p, &pdi->groups, i, raw, sizeof(raw)))
		return false;
	*group = (struct axlf_group){ .type = raw[4],
	    .kernels = array(b, 16), .before = array(b, 24) };
	bytes_u32(b, 0, &group->name_at);
	bytes_get(b, 8, &group->id, sizeof(group->id));
	return true;
}

void
axlf_each_kernel(const struct axlf_partition *p, void (*fn)(void *arg,
    const struct axlf_pdi *pdi, uint64_t id), void *arg)
{
	struct axlf_group group;
	struct axlf_pdi pdi;
	uint64_t id;

	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		for (uint32_t g = 0; axlf_group(p, &pdi, g, &group); g++)
			for (uint32_t k = 0; axlf_number_of(p, &group.kernels,
			    k, &id); k++)
				fn(arg, &pdi, id);
}

/* ---- The whole -------------------------------------------------------- */

/* Subtracts n from *left.  Returns false if *left is less than n. */
static bool
take(uint64_t *left, uint64_t n)
{
	if (n > *left)
		return false;
	*left -= n;
	return true;
}

static bool
take_numbers(const struct axlf_partition *p, const struct axlf_array *a,
    uint64_t *left)
{
	return !axlf_array_fits(p, a, sizeof(uint64_t)) ||
	    take(left, (uint64_t)a->count * sizeof(uint64_t));
}

static bool
take_group(const struct axlf_partition *p, const struct axlf_group *g,
    uint64_t *left)
{
	struct bytes name = { NULL, 0 };

	axlf_text(p, g->name_at, &name);
	return take(left, AXLF_GROUP_SIZE + (uint64_t)name.n) &&
	    take_numbers(p, &g->kernels, left) &&
	    take_numbers(p, &g->before, left);
}

/*
 * Returns whether all groups together, with their names and numbers, are no
 * larger than the section.  This is true if no two of them share bytes.  It
 * limits the time for reading all groups to what the file's size allows.
 */
static bool
is_bounded(const struct axlf_partition *p)
{
	uint64_t left = p->data.n;
	struct axlf_group group;
	struct axlf_pdi pdi;

	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		for (uint32_t k = 0; axlf_group(p, &pdi, k, &group); k++)
			if (!take_group(p, &group, &left))
				return false;
	return true;
}

/* Reports why the parts are not bounded.  If an array runs past the end of the
 * section, the bytes behind it are neither PDIs nor groups, and only seem to
 * overlap; therefore this error is reported first. */
static int
refuse(const struct axlf_partition *p, struct npu_err *err)
{
	struct axlf_pdi pdi;

	if (axlf_array_check(p, &p->pdis, AXLF_PDI_SIZE, "PDIs", err) < 0)
		return NPU_EFORMAT;
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		if (axlf_array_check(p, &pdi.groups, AXLF_GROUP_SIZE, "groups",
		    err) < 0)
			return NPU_EFORMAT;
	return npu_fail(err, NPU_EFORMAT, "it describes more than its %zu "
	    "bytes: its parts overlap", p->data.n);
}

static size_t
text_end(struct bytes section)
{
	const uint8_t *nul = memrchr(section.p, 0, section.n);

	return nul != NULL ? (size_t)(nul - section.p) + 1 : 0;
}

int
axlf_partition_read(struct axlf_partition *p, struct bytes section,
    struct npu_err *err)
{
	if (section.n < AXLF_PARTITION_HEAD)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes are too few: "
		    "its head has %d", section.n, AXLF_PARTITION_HEAD);
	*p = (struct axlf_partition){ .data = section,
	    .text_end = text_end(section),
	    .start_columns = array(section, 40), .pdis = array(section, 120) };
	bytes_u32(section, 4, &p->name_at);
	bytes_u32(section, 8, &p->operations);
	bytes_get(section, 16, &p->fingerprint, sizeof(p->fingerprint));
	bytes_get(section, 24, &p->pre_post, sizeof(p->pre_post));
	bytes_u16(section, 32, &p->columns);
	bytes_u32(section, 128, &p->commit_at);
	return is_bounded(p) ? 0 : refuse(p, err);
}
