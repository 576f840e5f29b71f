// SPDX-License-Identifier: Apache-2.0
#include "base/err.h"
#include "model/xclbin.h"

/* Stores the bytes of the first section of the kind.  Returns false if the
 * section does not exist, or, with *err set, if the file does not have all of
 * it. */
static bool
find(const struct axlf *a, uint32_t kind, struct bytes *data,
    struct npu_err *err)
{
	struct axlf_section s;

	if (!axlf_find(a, kind, &s))
		return false;
	*data = s.data;
	if (!s.whole)
		npu_fail(err, NPU_EFORMAT, "its section runs past the end of "
		    "the file");
	return s.whole;
}

int
xclbin_read(struct xclbin *x, struct bytes file, struct npu_err *err)
{
	struct npu_err unused;
	struct bytes data;
	int rc;

	*x = (struct xclbin){ .has_partition = false };
	if ((rc = axlf_read(&x->axlf, file, err)) < 0)
		return rc;
	if (find(&x->axlf, AXLF_AIE_PARTITION, &data, &x->partition_err))
		x->has_partition = axlf_partition_read(&x->partition, data,
		    &x->partition_err) == 0;
	if (find(&x->axlf, AXLF_IP_LAYOUT, &data, &unused))
		x->ips = axlf_ip_list(data);
	if (find(&x->axlf, AXLF_EMBEDDED_METADATA, &data, &x->kernels_err) &&
	    (rc = dpu_kernels_read(&x->kernels, data, &x->kernels_err)) ==
	    NPU_ESYSTEM)
		return npu_fail(err, rc, "%s", x->kernels_err.msg);
	return 0;
}

void
xclbin_free(struct xclbin *x)
{
	dpu_kernels_free(&x->kernels);
}
