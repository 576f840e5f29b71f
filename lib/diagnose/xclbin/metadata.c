// SPDX-License-Identifier: Apache-2.0
/* metadata.c - checks EMBEDDED_METADATA: kernels and their arguments. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/xclbin/impl.h"

#define NEXT_AGAIN "# correct the kernels, and pack the file again"

/* The element whose attribute is judged: "argument 'bo0' of kernel
 * 'MLIR_AIE'". */
struct place {
	const struct dpu_kernel *kernel;
	const struct dpu_argument *argument;	/* NULL: the kernel's own */
};

static const char *
name_of(const char *name)
{
	return name != NULL ? name : "?";
}

static void
describe(const struct place *p, char text[160])
{
	if (p->argument != NULL)
		snprintf(text, 160, "argument '%.60s' of kernel '%.60s'",
		    name_of(p->argument->name), name_of(p->kernel->name));
	else
		snprintf(text, 160, "kernel '%.60s'",
		    name_of(p->kernel->name));
}

/* Judges an attribute that must exist; returns false if it is missing. */
static bool
judge_there(const struct place *p, const char *name, const char *value,
    struct health_check *c)
{
	char where[160];

	if (value != NULL)
		return true;
	describe(p, where);
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s has no attribute %s",
	    where, name);
	return false;
}

/* Judges an attribute that must be a number; returns false if it is not. */
static bool
judge_number(const struct place *p, const char *name, const char *value,
    struct health_check *c)
{
	char where[160];
	uint64_t number;
	bool junk;

	if (!judge_there(p, name, value, c))
		return false;
	describe(p, where);
	if (!dpu_number(value, &number, &junk)) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s: %s='%.40s' is "
		    "not a number", where, name, value);
		return false;
	}
	if (junk)
		health_judge(c, HEALTH_WARN, "", "%s: %s='%.40s' has more "
		    "behind its number", where, name, value);
	return true;
}

static bool
judge_qualifier(const struct place *p, struct health_check *c)
{
	const char *value = p->argument->qualifier;
	char where[160];
	uint64_t unused;

	if (!judge_there(p, "addressQualifier", value, c))
		return false;
	if (dpu_qualifier(value, &unused))
		return true;
	describe(p, where);
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s: addressQualifier="
	    "'%.40s' is not a number of at most 64 bits, in digits", where,
	    value);
	return false;
}

static bool
judge_argument(const struct dpu_kernel *k, const struct dpu_argument *a,
    struct health_check *c)
{
	const struct place p = { k, a };

	return judge_there(&p, "name", a->name, c) &&
	    judge_number(&p, "id", a->id, c) &&
	    judge_number(&p, "offset", a->offset, c) &&
	    judge_number(&p, "size", a->size, c) &&
	    judge_number(&p, "hostSize", a->host_size, c) &&
	    judge_qualifier(&p, c);
}

/* ---- A kernel ---------------------------------------------------------- */

static bool
judge_kernel(struct xclbin_case *x, const struct dpu_kernel *k,
    struct xclbin_kernel *judged, struct health_check *c)
{
	const struct place p = { k, NULL };

	if (!judge_there(&p, "name", k->name, c))
		return false;
	if (k->extended && (!judge_number(&p, "dpu_kernel_id", k->id, c) ||
	    !judge_number(&p, "functional", k->functional, c)))
		return false;
	for (size_t i = 0; i < k->arguments; i++)
		if (!judge_argument(k, &k->argument[i], c))
			return false;
	if (dpu_kernel_counts(k) && k->arguments == 0) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "kernel '%.60s' has "
		    "no arguments", k->name);
		return false;
	}
	return xclbin_judge_arguments(x, judged, k, c);
}

/* ---- The section ------------------------------------------------------- */

/* Judges all kernels; returns how many libxrt accepts, or -1 after a
 * failure. */
static long
judge_kernels(struct xclbin_case *k, struct health_check *c)
{
	const struct dpu_kernels *all = &k->x.kernels;
	long known = 0;

	if ((k->kernel = xclbin_alloc(k, all->n, sizeof(*k->kernel))) == NULL)
		return -1;
	for (size_t i = 0; i < all->n; i++) {
		if (!judge_kernel(k, &all->kernel[i], &k->kernel[i], c))
			return -1;
		if (!dpu_kernel_counts(&all->kernel[i]))
			continue;
		k->kernel[i].xml = &all->kernel[i];
		if (known++ == 0)
			k->first = &all->kernel[i];
	}
	return known;
}

static void
judge(struct xclbin_case *k, struct health_check *c)
{
	long known;

	health_judge(c, HEALTH_OK, "", "%s", "");
	if ((known = judge_kernels(k, c)) < 0)
		return;
	if (known == 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "no kernel in "
		    "/project/platform/device/core is for an NPU: none has "
		    "type=\"dpu\" or extended-data");
	else if (c->finding[0] == '\0')
		health_judge(c, HEALTH_OK, "", "kernel '%.60s'%s",
		    k->first->name, known > 1 ? " and others" : "");
}

void
xclbin_check_metadata(struct xclbin_case *k, struct health_check *c)
{
	char next[HEALTH_NEXT];
	struct bytes data;

	if (!xclbin_section(k, AXLF_EMBEDDED_METADATA, &data)) {
		xclbin_mend(k, next);
		health_judge(c, HEALTH_FAIL, next, "it lacks "
		    "EMBEDDED_METADATA, which names the kernels");
	} else if (k->x.kernels_err.code != 0) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "its XML cannot be "
		    "read: %s", k->x.kernels_err.msg);
	} else if (!k->x.kernels.core) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "it lacks "
		    "/project/platform/device/core, where kernels are");
	} else {
		judge(k, c);
	}
	k->metadata = c->verdict != HEALTH_FAIL;
}
