// SPDX-License-Identifier: Apache-2.0
/* case.c - shared by the checks of a file: sections, memory, commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell.h"
#include "diagnose/xclbin/impl.h"

void *
xclbin_alloc(struct xclbin_case *k, size_t n, size_t size)
{
	void *p = calloc(n > 0 ? n : 1, size);

	k->no_memory |= p == NULL;
	return p;
}

bool
xclbin_section(const struct xclbin_case *k, uint32_t kind, struct bytes *data)
{
	struct axlf_section s;

	if (!axlf_find(&k->x.axlf, kind, &s) || !s.whole)
		return false;
	*data = s.data;
	return true;
}

const struct xclbin_kernel *
xclbin_kernel(const struct xclbin_case *k, const struct dpu_kernel *xml)
{
	return &k->kernel[xml - k->x.kernels.kernel];
}

/* ---- Commands ---------------------------------------------------------- */

/* Writes "xclbin-pack -i main.xclbin OPTIONS -o main-fixed.xclbin". */
static void
pack_command(const struct xclbin_case *k, const char *options,
    char next[HEALTH_NEXT])
{
	size_t n = strlen(k->name);
	size_t stem = n > 7 && strcmp(k->name + n - 7, ".xclbin") == 0 ?
	    n - 7 : n;
	char fixed[80], from[84] = "FILE.xclbin", to[84] = "FIXED.xclbin";
	char a[84], b[84];

	if (strcmp(k->name, "stdin") != 0 && (size_t)snprintf(fixed,
	    sizeof(fixed), "%.*s-fixed.xclbin", (int)stem, k->name) <
	    sizeof(fixed) && shell_word(a, sizeof(a), k->name) &&
	    shell_word(b, sizeof(b), fixed)) {
		memcpy(from, a, sizeof(from));
		memcpy(to, b, sizeof(to));
	}
	snprintf(next, HEALTH_NEXT, "xclbin-pack -i %s%s -o %s", from, options,
	    to);
}

static bool
has(const struct xclbin_case *k, uint32_t kind)
{
	struct axlf_section s;

	return axlf_find(&k->x.axlf, kind, &s);
}

void
xclbin_mend(struct xclbin_case *k, char next[HEALTH_NEXT])
{
	/* The sections that --add-kernel makes must not exist before. */
	static const struct {
		uint32_t kind;
		const char *remove;
	} made[] = {
		{ AXLF_EMBEDDED_METADATA,
		    " --remove-section EMBEDDED_METADATA" },
		{ AXLF_IP_LAYOUT, " --remove-section IP_LAYOUT" },
		{ AXLF_CONNECTIVITY, " --remove-section CONNECTIVITY" },
	};
	bool kernels = !has(k, AXLF_EMBEDDED_METADATA) ||
	    !has(k, AXLF_IP_LAYOUT) || (!has(k, AXLF_CONNECTIVITY) &&
	    !has(k, AXLF_GROUP_CONNECTIVITY));
	/* --add-kernel reads only MEM_TOPOLOGY. */
	bool banks = !has(k, AXLF_MEM_TOPOLOGY) && (kernels ||
	    !has(k, AXLF_GROUP_TOPOLOGY));
	const char *remove[3] = { "", "", "" };
	char options[HEALTH_NEXT - 200];	/* names need up to 166 */

	*next = '\0';
	if (k->mended)
		return;
	k->mended = true;
	for (size_t i = 0; kernels && i < 3; i++)
		if (has(k, made[i].kind))
			remove[i] = made[i].remove;
	snprintf(options, sizeof(options), "%s%s%s%s%s%s", remove[0],
	    remove[1], remove[2], has(k, AXLF_AIE_PARTITION) ? "" :
	    " --add-section AIE_PARTITION:JSON:main_aie_partition.json",
	    banks ? " --add-section MEM_TOPOLOGY:JSON:main_mem_topology.json" :
	    "", kernels ? " --add-kernel main_kernels.json" : "");
	pack_command(k, options, next);
}
