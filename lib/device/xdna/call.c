// SPDX-License-Identifier: Apache-2.0
/* call.c - calls of the driver, and which calls are repeated. */
#include <errno.h>

#include "base/err.h"
#include "device/xdna/impl.h"

bool
xdna_again(const struct xdna *x)
{
	return errno == EINTR && (x->stop == NULL || *x->stop == 0);
}

int
xdna_call(struct xdna *x, uint32_t request, void *arg, const char *what,
    struct npu_err *err)
{
	int rc;

	do
		rc = x->calls->ioctl(x->fd, request, arg);
	while (rc < 0 && xdna_again(x));
	if (rc >= 0)
		return 0;
	if (errno == EINTR)
		return npu_fail(err, NPU_ESTOPPED, "stopped");
	return xdna_refused(x, what, errno, err);
}

void
xdna_not_freed(struct xdna *x, const char *what)
{
	if (x->not_freed != NULL)
		return;
	x->not_freed = what;
	x->not_freed_errno = errno;
}

void
xdna_free_call(struct xdna *x, uint32_t request, void *arg, const char *what)
{
	int rc;

	do
		rc = x->calls->ioctl(x->fd, request, arg);
	while (rc < 0 && errno == EINTR);
	if (rc < 0)
		xdna_not_freed(x, what);
}
