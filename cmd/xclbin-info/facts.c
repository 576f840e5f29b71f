// SPDX-License-Identifier: Apache-2.0
/* facts.c - facts about a container, for both the text and the JSON output. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "info.h"
#include "xclbin/dump.h"

void
info_created(const struct axlf *a, char text[32])
{
	/* The last second of the year 9999. */
	const uint64_t last = 253402300799u;
	time_t t = (time_t)a->time;
	struct tm tm;

	if (a->time == 0 || a->time > last || gmtime_r(&t, &tm) == NULL ||
	    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		*text = '\0';
}

bool
info_number(const char *text, uint64_t *number)
{
	return text != NULL && *text != '\0' && dpu_number(text, number, NULL);
}

bool
info_hides_sections(const struct axlf *a)
{
	return a->sections > AXLF_MOST_SECTIONS;
}

/* ---- Instances --------------------------------------------------------- */

/* The limit of kernels times entries of IP_LAYOUT.  A container that can run
 * has at most 32 units (xclbin_units.h). */
enum { MOST_PAIRS = 65536 };

bool
info_shows_instances(const struct info_file *f)
{
	return f->x.ips.n == 0 ||
	    f->x.kernels.n <= MOST_PAIRS / f->x.ips.n;
}

void
info_instances(const struct info_file *f, const struct dpu_kernel *k,
    void (*fn)(void *arg, const char *instance), void *arg)
{
	for (uint32_t i = 0; k->name != NULL && i < f->x.ips.n; i++) {
		struct axlf_ip ip = axlf_ip(&f->x.ips, i);

		if (axlf_ip_is_of(&ip, k->name))
			fn(arg, strchr(ip.name, ':') + 1);
	}
}

/* ---- The partition ----------------------------------------------------- */

bool
info_label(const struct axlf_section *s, uint64_t *left, struct bytes *label)
{
	struct axlf_partition p;

	*label = (struct bytes){ (const uint8_t *)"", 0 };
	if (s->kind != AXLF_AIE_PARTITION)
		return true;
	if (!s->whole || s->size > *left)
		return false;
	*left -= s->size;
	return axlf_partition_read(&p, s->data, NULL) == 0 &&
	    axlf_text(&p, p.name_at, label);
}

int
info_image(const struct axlf_partition *p, uint32_t i, struct axlf_pdi *pdi,
    struct bytes *image, struct npu_err *err)
{
	if (!axlf_pdi(p, i, pdi))
		return npu_fail(err, NPU_EFORMAT, "PDI %" PRIu32 ": not in "
		    "the section", i);
	if (!axlf_image(p, pdi, image))
		return npu_fail(err, NPU_EFORMAT, "PDI %" PRIu32 ": %" PRIu32
		    " bytes at offset %" PRIu32 " of %zu", i,
		    pdi->image.count, pdi->image.at, p->data.n);
	return 0;
}

int
info_partition_fault(const struct axlf_partition *p, struct npu_err *err)
{
	const struct axlf_section s = { .kind = AXLF_AIE_PARTITION,
	    .whole = true, .data = p->data, .size = p->data.n };
	struct json unused = { .pretty = false };
	struct axlf_pdi pdi;
	struct bytes image;
	int rc = xclbin_dump(&unused, &s, err);

	json_free(&unused);
	for (uint32_t i = 0; rc == 0 && i < p->pdis.count; i++)
		rc = info_image(p, i, &pdi, &image, err);
	return rc;
}
