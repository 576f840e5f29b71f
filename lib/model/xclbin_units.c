// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "model/xclbin_units.h"

/* Sorts by name; equal names stay in file order. */
static int
by_name(const void *p, const void *q)
{
	const struct dpu_kernel *const *a = p, *const *b = q;
	int order = strcmp((*a)->name, (*b)->name);

	return order != 0 ? order : (*a > *b) - (*a < *b);
}

/* Compares the n bytes at word with a text, as strcmp() does.  word need not
 * end with a NUL; no byte after n is read. */
static int
compare(const char *word, size_t n, const char *text)
{
	int order = strncmp(word, text, n);

	return order != 0 || text[n] == '\0' ? order : -1;
}

/* Returns the first kernel whose name does not sort before name, which has n
 * bytes. */
static size_t
find(const struct dpu_kernel **kernel, size_t kernels, const char *name,
    size_t n)
{
	size_t low = 0, high = kernels;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(name, n, kernel[middle]->name) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds entry i if it belongs to a kernel.  If several kernels have the name,
 * each counts as a unit, but libxrt uses the first kernel for all of them. */
static void
add(struct xclbin_units *u, size_t *units, const struct dpu_kernel **kernel,
    size_t kernels, const struct axlf_list *ips, uint32_t i)
{
	struct axlf_ip ip = axlf_ip(ips, i);
	const char *colon = strchr(ip.name, ':');
	size_t n, first;

	if (colon == NULL)
		return;
	n = (size_t)(colon - ip.name);
	first = find(kernel, kernels, ip.name, n);
	for (size_t k = first; k < kernels && *units <= XCLBIN_UNITS &&
	    compare(ip.name, n, kernel[k]->name) == 0; k++)
		if (++*units <= XCLBIN_UNITS && k == first)
			u->unit[u->n++] = (struct xclbin_unit){ kernel[k],
			    i };
}

int
xclbin_find_units(struct xclbin_units *u, const struct xclbin *x)
{
	const struct dpu_kernels *all = &x->kernels;
	const struct dpu_kernel **kernel;
	size_t kernels = 0, units = 0;

	kernel = calloc(all->n > 0 ? all->n : 1, sizeof(*kernel));
	if (kernel == NULL)
		return NPU_ESYSTEM;
	for (size_t i = 0; i < all->n; i++)
		if (dpu_kernel_counts(&all->kernel[i]))
			kernel[kernels++] = &all->kernel[i];
	qsort(kernel, kernels, sizeof(*kernel), by_name);
	u->n = 0;
	for (uint32_t i = 0; i < x->ips.n && units <= XCLBIN_UNITS; i++)
		add(u, &units, kernel, kernels, &x->ips, i);
	u->more = units > XCLBIN_UNITS;
	free(kernel);
	return 0;
}
