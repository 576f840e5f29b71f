// SPDX-License-Identifier: Apache-2.0
/* refusal.c - calls of the driver, and what to do where it refuses one. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "device/xdna/impl.h"

/* What to do about a refusal, by the call and the errno; "": any call.
 * Sources: drivers/accel/amdxdna of Linux 6.14 to 7.2, and what users met
 * (xdna-run(1), DIAGNOSTICS). */
static const struct {
	const char *call;
	int number;
	const char *next;
} advice[] = {
	{ "open", ENOENT, "load the driver (sudo modprobe amdxdna), or use "
	    "-d emu" },
	{ "open", ENODEV, "load the driver (sudo modprobe amdxdna), or use "
	    "-d emu" },
	{ "open", ENXIO, "load the driver (sudo modprobe amdxdna), or use "
	    "-d emu" },
	{ "open", EACCES, "join its group (sudo usermod -aG render \"$USER\""
	    "), and log in again" },
	{ "open", EPERM, "join its group (sudo usermod -aG render \"$USER\""
	    "), and log in again" },
	{ "VERSION", ENOTTY, "this is not the node of an NPU; --node names "
	    "another" },
	{ "VERSION", EINVAL, "this is not the node of an NPU; --node names "
	    "another" },
	{ "CREATE_BO", ENOSPC, "the PDI and the instructions do not fit into "
	    "the heap of 64 MiB" },
	{ "CREATE_HWCTX", EINVAL, "the container needs more columns than the "
	    "device has, or the firmware refuses the heap; see xclbin-check "
	    "and dmesg" },
	{ "CREATE_HWCTX", ENOENT, "no context is free; end other programs "
	    "that use the NPU" },
	{ "CREATE_HWCTX", ENOSPC, "other programs hold the columns; end "
	    "them" },
	{ "CREATE_HWCTX", EBUSY, "other programs hold the contexts; end "
	    "them" },
	{ "CREATE_HWCTX", ENODEV, "the firmware does not answer; restart the "
	    "machine" },
	{ "CONFIG_HWCTX", EINVAL, "the device does not take the PDI; see "
	    "xclbin-check" },
	{ "EXEC_CMD", EINVAL, "the driver does not take the command; see "
	    "dmesg" },
	{ "mmap", EAGAIN, "memory may not be locked; ulimit -l shows how "
	    "much, limits.conf(5) raises it" },
	{ "", ENOMEM, "memory is short; end other programs" },
	{ "", ENOSPC, "memory of the device is short; end other programs" },
	{ "", EAGAIN, "try again, and see dmesg" },
	{ "", EMFILE, "too many files are open; ulimit -n shows how many may "
	    "be" },
	{ "", ENODEV, "the device is gone; see dmesg" },
	{ "", EIO, "the device failed; see dmesg" },
	{ "", EOPNOTSUPP, "the driver is older or newer than Linux 6.14 to "
	    "7.2; see xclbin-check" },
};

static const char *
advise(const char *call, int number)
{
	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++)
		if (advice[i].number == number && (*advice[i].call == '\0' ||
		    strcmp(advice[i].call, call) == 0))
			return advice[i].next;
	return "see dmesg";
}

int
xdna_refused(const struct xdna *x, const char *what, int number,
    struct npu_err *err)
{
	const char *name = strerrorname_np(number);

	return npu_fail_detail(err, x->running ? NPU_EDEVICE : NPU_ENODEV,
	    number, "%s: %s (%s): %s", what, strerror(number),
	    name != NULL ? name : "?", advise(what, number));
}

/* ---- Calls ------------------------------------------------------------- */

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
