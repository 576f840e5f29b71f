// SPDX-License-Identifier: Apache-2.0
/* metadata.c - the check of EMBEDDED_METADATA: kernels and their arguments. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/xclbin/impl.h"

enum { MOST_REGISTERS = 4088 };	/* bytes in a command: libxrt */

#define NEXT_AGAIN "# correct the kernels, and pack the file again"

/* Whose attribute is judged: "argument 'bo0' of kernel 'MLIR_AIE'". */
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

/* Judges an attribute that must be there; false: it is missing. */
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

/* Judges an attribute that must be a number; false: it is not. */
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

	if (!judge_there(p, "addressQualifier", value, c))
		return false;
	if (*value != '\0' && value[strspn(value, "0123456789")] == '\0')
		return true;
	describe(p, where);
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s: addressQualifier="
	    "'%.40s' is not a number", where, value);
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

/* ---- All arguments of a kernel ----------------------------------------- */

bool
xclbin_argument_id(const struct dpu_argument *a, uint64_t *id)
{
	return a->id != NULL && *a->id != '\0' && dpu_number(a->id, id, NULL);
}

static int
by_number(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return (*a > *b) - (*a < *b);
}

/* Ids are 0, 1, 2 and so on, in any order; equal ones count once. */
static bool
judge_ids(struct xclbin_case *x, const struct dpu_kernel *k,
    struct health_check *c)
{
	uint64_t *id = xclbin_alloc(x, k->arguments, sizeof(*id)), next = 0;
	size_t n = 0;

	if (id == NULL)
		return false;
	for (size_t i = 0; i < k->arguments; i++)
		n += xclbin_argument_id(&k->argument[i], &id[n]);
	qsort(id, n, sizeof(*id), by_number);
	for (size_t i = 0; i < n && id[i] <= next; i++)
		next = id[i] + 1;
	if (n > 0 && id[n - 1] >= next)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "kernel '%.60s': no "
		    "argument has the id %" PRIu64, name_of(k->name), next);
	free(id);
	return c->verdict != HEALTH_FAIL;
}

struct span {
	uint64_t from, to;
	const char *name;
};

static int
by_start(const void *p, const void *q)
{
	const struct span *a = p, *b = q;

	return (a->from > b->from) - (a->from < b->from);
}

/* The map of registers, all of whose numbers have been judged. */
static bool
judge_registers(struct xclbin_case *x, const struct dpu_kernel *k,
    struct health_check *c)
{
	struct span *span = xclbin_alloc(x, k->arguments, sizeof(*span));
	uint64_t size, end = 0;

	if (span == NULL)
		return false;
	for (size_t i = 0; i < k->arguments; i++) {
		const struct dpu_argument *a = &k->argument[i];

		span[i].name = a->name;
		dpu_number(a->offset, &span[i].from, NULL);
		dpu_number(a->size, &size, NULL);
		span[i].to = size > UINT64_MAX - span[i].from ? UINT64_MAX :
		    span[i].from + size;
		end = span[i].to > end ? span[i].to : end;
	}
	qsort(span, k->arguments, sizeof(*span), by_start);
	for (size_t i = 1; i < k->arguments && c->verdict == HEALTH_OK; i++)
		if (span[i].from < span[i - 1].to)
			health_judge(c, HEALTH_WARN, "", "arguments '%.40s' "
			    "and '%.40s' of kernel '%.60s' overlap",
			    span[i - 1].name, span[i].name, name_of(k->name));
	if (end > MOST_REGISTERS && dpu_kernel_counts(k))
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "the arguments of "
		    "kernel '%.60s' end at %" PRIu64 "; a command has room "
		    "for %d bytes", name_of(k->name), end, MOST_REGISTERS);
	free(span);
	return c->verdict != HEALTH_FAIL;
}

static bool
judge_kernel(struct xclbin_case *x, const struct dpu_kernel *k,
    struct health_check *c)
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
	return judge_ids(x, k, c) && judge_registers(x, k, c);
}

/* ---- The section ------------------------------------------------------- */

static int
by_name(const void *p, const void *q)
{
	const struct dpu_kernel *const *a = p, *const *b = q;

	return strcmp((*a)->name, (*b)->name);
}

/* Collects the kernels that libxrt knows. */
static void
collect(struct xclbin_case *k)
{
	const struct dpu_kernels *all = &k->x.kernels;

	if ((k->kernel = xclbin_alloc(k, all->n, sizeof(*k->kernel))) == NULL)
		return;
	for (size_t i = 0; i < all->n; i++)
		if (dpu_kernel_counts(&all->kernel[i]))
			k->kernel[k->kernels++] = &all->kernel[i];
	qsort(k->kernel, k->kernels, sizeof(*k->kernel), by_name);
}

static void
judge(struct xclbin_case *k, struct health_check *c)
{
	const struct dpu_kernels *all = &k->x.kernels;

	health_judge(c, HEALTH_OK, "", "%s", "");
	for (size_t i = 0; i < all->n; i++)
		if (!judge_kernel(k, &all->kernel[i], c))
			return;
	collect(k);
	if (k->kernels == 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "no kernel in "
		    "/project/platform/device/core is for an NPU: none has "
		    "type=\"dpu\" or extended-data");
	else if (c->finding[0] == '\0')
		health_judge(c, HEALTH_OK, "", "kernel '%.60s'%s",
		    k->kernel[0]->name, k->kernels > 1 ? " and others" : "");
}

void
xclbin_check_metadata(struct xclbin_case *k, struct health_check *c)
{
	char next[HEALTH_TEXT];
	struct bytes data;

	xclbin_kernels_command(k, next);
	if (!xclbin_section(k, AXLF_EMBEDDED_METADATA, &data))
		health_judge(c, HEALTH_FAIL, next, "there is no "
		    "EMBEDDED_METADATA, which names the kernels");
	else if (k->x.kernels_err.code != 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "not XML: %s",
		    k->x.kernels_err.msg);
	else if (!k->x.kernels.core)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "there is no "
		    "/project/platform/device/core, where kernels are");
	else
		judge(k, c);
	k->metadata = c->verdict != HEALTH_FAIL;
}
