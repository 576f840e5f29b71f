// SPDX-License-Identifier: Apache-2.0
/* xclbin.c - all checks of a file, in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
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

/* ---- Commands ---------------------------------------------------------- */

/* Adds name as one word of a shell; false: there is no room. */
static bool
quote(char *to, size_t size, const char *name)
{
	size_t n = strlen(name);

	if (*name != '\0' && *name != '-' && name[strspn(name,
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	    "./_-+,:@%")] == '\0')
		return snprintf(to, size, "%s", name) < (int)size;
	/* A quote in a name would need another form. */
	return n + 4 < size && strchr(name, '\'') == NULL &&
	    snprintf(to, size, "'%s%s'", *name == '-' ? "./" : "", name) > 0;
}

void
xclbin_pack_command(const struct xclbin_case *k, const char *options,
    char next[HEALTH_TEXT])
{
	size_t n = strlen(k->name);
	size_t stem = n > 7 && strcmp(k->name + n - 7, ".xclbin") == 0 ?
	    n - 7 : n;
	char fixed[80], from[84] = "FILE.xclbin", to[84] = "FIXED.xclbin";
	char a[84], b[84];

	if (strcmp(k->name, "stdin") != 0 && (size_t)snprintf(fixed,
	    sizeof(fixed), "%.*s-fixed.xclbin", (int)stem, k->name) <
	    sizeof(fixed) && quote(a, sizeof(a), k->name) &&
	    quote(b, sizeof(b), fixed)) {
		memcpy(from, a, sizeof(from));
		memcpy(to, b, sizeof(to));
	}
	snprintf(next, HEALTH_TEXT, "xclbin-pack -i %s %s -o %s", from,
	    options, to);
}

/* ---- The checks -------------------------------------------------------- */

/* The call that is wrong where the file is right. */
static void
check_call(struct xclbin_case *k, struct health_check *c)
{
	const char *name = k->kernels > 0 ? k->kernel[0]->name : NULL;

	if (name == NULL || !k->layout) {
		health_judge(c, HEALTH_SKIP, "", "it needs a kernel");
		return;
	}
	health_judge(c, HEALTH_OK, "", "with libxrt: register_xclbin(), "
	    "hw_context, kernel '%.64s'; load_xclbin() fails with every file; "
	    "xdna-run needs no XRT", name);
}

static const struct xclbin_rule rules[XCLBIN_CHECKS] = {
	{ "file", xclbin_check_file },
	{ "sections", xclbin_check_sections },
	{ "partition", xclbin_check_partition },
	{ "pdi", xclbin_check_pdi },
	{ "metadata", xclbin_check_metadata },
	{ "layout", xclbin_check_layout },
	{ "kernel", xclbin_check_kernel },
	{ "memory", xclbin_check_memory },
	{ "call", check_call },
};

/* Has a check for the stream, if there is one.  The first two say whether there
 * are sections to look at. */
static void
run(struct xclbin_case *k, struct health_check *checks)
{
	for (int i = 0; i < XCLBIN_CHECKS && !k->no_memory; i++) {
		checks[i] = (struct health_check){ .name = rules[i].name };
		if (i == 1 && k->header.code != 0)
			health_judge(&checks[i], HEALTH_SKIP, "",
			    "it needs the header");
		else if (i > 1 && !k->sections)
			health_judge(&checks[i], HEALTH_SKIP, "",
			    "it needs the sections");
		else
			rules[i].check(k, &checks[i]);
	}
	if (k->stream != NULL && !k->no_memory) {
		checks[XCLBIN_CHECKS] = (struct health_check){
		    .name = "insts" };
		xclbin_check_insts(k, &checks[XCLBIN_CHECKS]);
	}
}

int
xclbin_check(struct bytes file, const char *name,
    struct health_check checks[XCLBIN_CHECKS], struct npu_err *err)
{
	return xclbin_check_with(file, name, NULL, checks, err);
}

int
xclbin_check_with(struct bytes file, const char *name,
    const struct xclbin_stream *stream, struct health_check *checks,
    struct npu_err *err)
{
	struct xclbin_case k = { .name = name, .file = file,
	    .stream = stream };

	k.no_memory = xclbin_read(&k.x, file, &k.header) == NPU_ESYSTEM;
	run(&k, checks);
	free(k.kernel);
	xclbin_free(&k.x);
	return k.no_memory ? npu_fail(err, NPU_ESYSTEM, "out of memory") : 0;
}

bool
xclbin_runs(const struct health_check *checks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (checks[i].verdict == HEALTH_FAIL)
			return false;
	return true;
}
