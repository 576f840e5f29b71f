// SPDX-License-Identifier: Apache-2.0
/* insts.c - checks that an instruction stream fits the container. */
#include <stdio.h>
#include <stdlib.h>

#include "diagnose/xclbin/impl.h"

#define NEXT_BUILD "aiecc.py --aie-generate-xclbin --aie-generate-npu-insts " \
	"--xclbin-name=main.xclbin --npu-insts-name=insts.bin aie.mlir" \
	"  # writes both in one build"

/* ---- Kernels ------------------------------------------------------------ */

/* Which kernels have all buffers of the stream. */
struct fitting {
	size_t most;			/* most buffers of a kernel */
	const char *name, *other;	/* a kernel that fits, and a kernel that
					   does not; NULL: none */
};

static struct fitting
find_fitting(const struct xclbin_case *k)
{
	struct fitting f = { .most = 0 };

	for (size_t i = 0; i < k->x.kernels.n; i++) {
		const struct xclbin_kernel *kernel = &k->kernel[i];

		if (kernel->xml == NULL)
			continue;
		if (kernel->buffers > f.most)
			f.most = kernel->buffers;
		if (kernel->buffers < k->stream->txn.arguments)
			f.other = kernel->xml->name;
		else if (f.name == NULL)
			f.name = kernel->xml->name;
	}
	return f;
}

/* ---- The check ---------------------------------------------------------- */

static void
judge_fitting(const struct txn *t, const struct fitting *f,
    struct health_check *c)
{
	char other[80] = "";
	struct npu_err err;

	if (f->other != NULL)
		snprintf(other, sizeof(other), ", not kernel '%.60s'",
		    f->other);
	if (txn_check_complete(t, &err) < 0)
		health_judge(c, HEALTH_WARN, "", "%s", err.msg);
	else
		health_judge(c, HEALTH_OK, "", "version %u.%u for %s, %zu "
		    "buffer%s: fits kernel '%.60s'%s", t->major, t->minor,
		    txn_device(t), t->n_buffers, t->n_buffers == 1 ? "" : "s",
		    f->name, other);
}

static void
judge(const struct xclbin_case *k, struct health_check *c)
{
	const struct txn *t = &k->stream->txn;
	struct fitting f = find_fitting(k);
	struct npu_err err;

	if (txn_fits(t, (unsigned)f.most, k->x.partition.columns, &err) < 0)
		health_judge(c, HEALTH_FAIL, NEXT_BUILD, "%s", err.msg);
	else
		judge_fitting(t, &f, c);
}

void
xclbin_check_insts(const struct xclbin_case *k, struct health_check *c)
{
	const struct npu_err *broken = &k->stream->broken;

	if (broken->code != 0)
		health_judge(c, HEALTH_FAIL, k->stream->lfs_pointer ?
		    "git lfs pull" : NEXT_BUILD, "%s", broken->msg);
	else if (!k->layout || !k->partition)
		health_judge(c, HEALTH_SKIP, "", "it needs the partition, the "
		    "metadata and the layout");
	else
		judge(k, c);
}
