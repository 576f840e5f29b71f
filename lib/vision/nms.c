// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "vision/nms.h"

static inline float
least(float a, float b)
{
	return a < b ? a : b;
}

static inline float
most_of(float a, float b)
{
	return a > b ? a : b;
}

/* Returns the area of the intersection of b and box i of e. */
static inline float
shared(const struct nms_eight *e, int i, const struct nms_box *b)
{
	float w = least(b->x2, e->x2[i]) - most_of(b->x1, e->x1[i]);
	float h = least(b->y2, e->y2[i]) - most_of(b->y1, e->y1[i]);

	return most_of(w, 0) * most_of(h, 0);
}

/* Returns whether a box overlaps, by the definition: a quotient in 32 bits,
 * rounded once, can be exactly equal to the threshold. */
static bool
overlaps(const struct nms_eight *e, const struct nms_box *b, float area,
    float iou)
{
	for (int i = 0; i < NMS_LANES; i++) {
		float both = shared(e, i, b);

		if (both / (area + e->area[i] - both) > iou)
			return true;
	}
	return false;
}

/* Returns whether a box overlaps.  Products are faster than quotients and
 * preselect the boxes.  They round differently, so their threshold is a little
 * lower. */
static bool
any_overlaps(const struct nms_eight *e, size_t eights,
    const struct nms_box *b, float area, float iou)
{
	const float lower = iou * (1 - 0x1p-20f);

	for (; eights > 0; e++, eights--) {
		int hit = 0;

		for (int i = 0; i < NMS_LANES; i++) {
			float both = shared(e, i, b);

			hit |= both > lower * (area + e->area[i] - both);
		}
		if (hit && overlaps(e, b, area, iou))
			return true;
	}
	return false;
}

/* Fills a new group of eight with boxes that do not overlap anything. */
static void
begin_eight(struct nms_eight *e)
{
	for (int i = 0; i < NMS_LANES; i++) {
		e->x1[i] = e->y1[i] = HUGE_VALF;
		e->x2[i] = e->y2[i] = -HUGE_VALF;
		e->area[i] = 0;
	}
}

static void
put(struct nms_eight *e, size_t at, const struct nms_box *b, float area)
{
	size_t i = at % NMS_LANES;

	e += at / NMS_LANES;
	if (i == 0)
		begin_eight(e);
	e->x1[i] = b->x1;
	e->y1[i] = b->y1;
	e->x2[i] = b->x2;
	e->y2[i] = b->y2;
	e->area[i] = area;
}

/* Suppresses boxes within one group.  Its members are sorted, best first. */
static void
suppress(struct nms *m, const struct nms_box *boxes, const uint32_t *member,
    size_t n, float iou, size_t most)
{
	size_t kept = 0;

	for (size_t i = 0; i < n && kept < most; i++) {
		const struct nms_box *b = &boxes[member[i]];
		float area = (b->x2 - b->x1) * (b->y2 - b->y1);

		if (any_overlaps(m->eights, (kept + NMS_LANES - 1) / NMS_LANES,
		    b, area, iou))
			continue;
		put(m->eights, kept++, b, area);
		m->kept[member[i]] = 1;
	}
}

/* Sorts boxes by group to member, keeping their order.  start[g] is where group
 * g begins. */
static void
sort_by_group(struct nms *m, const uint32_t *group, uint32_t groups, size_t n)
{
	uint32_t at = 0, count;

	memset(m->start, 0, (groups + 1) * sizeof(*m->start));
	for (size_t i = 0; i < n; i++)
		m->start[group[i]]++;
	for (uint32_t g = 0; g <= groups; g++) {
		count = m->start[g];
		m->start[g] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		m->member[m->start[group[i]]++] = (uint32_t)i;
}

size_t
nms(struct nms *m, const struct nms_box *boxes, const uint32_t *group,
    uint32_t groups, size_t n, float iou, size_t most, uint32_t *place)
{
	size_t found = 0;
	uint32_t from = 0;

	sort_by_group(m, group, groups, n);
	memset(m->kept, 0, n);
	/* sort_by_group() moved each start to the end of its group. */
	for (uint32_t g = 0; g < groups; g++) {
		suppress(m, boxes, m->member + from, m->start[g] - from, iou,
		    most);
		from = m->start[g];
	}
	for (size_t i = 0; i < n && found < most; i++)
		if (m->kept[i])
			place[found++] = (uint32_t)i;
	return found;
}
