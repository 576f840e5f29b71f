// SPDX-License-Identifier: Apache-2.0
/* refusal.c - advice for calls that the driver refuses. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "device/xdna/impl.h"

/* Advice by call ("": any call) and errno.  Sources: drivers/accel/amdxdna of
 * Linux 6.14 to 7.2, and failures that users met (xdna-run(1), DIAGNOSTICS). */
static const struct {
	const char *call;
	int numbers[3];		/* 0: end of the list */
	const char *next;
} advice[] = {
	{ "open", { ENOENT, ENODEV, ENXIO }, "load the driver (sudo modprobe "
	    "amdxdna), or use -d emu" },
	{ "open", { EACCES, EPERM }, "join its group (sudo usermod -aG render "
	    "\"$USER\"), and log in again" },
	{ "VERSION", { ENOTTY, EINVAL }, "this is not the node of an NPU; "
	    "--node names another" },
	{ "CREATE_BO", { ENOSPC }, "the PDI and the instructions do not fit "
	    "into the heap of 64 MiB" },
	{ "CREATE_HWCTX", { EINVAL }, "the container needs more columns than "
	    "the device has, or the firmware refuses the heap; see "
	    "xclbin-check and dmesg" },
	{ "CREATE_HWCTX", { ENOENT }, "no context is free; end other programs "
	    "that use the NPU" },
	{ "CREATE_HWCTX", { ENOSPC }, "other programs hold the columns; end "
	    "them" },
	{ "CREATE_HWCTX", { EBUSY }, "other programs hold the contexts; end "
	    "them" },
	{ "CREATE_HWCTX", { ENODEV }, "the firmware does not answer; restart "
	    "the machine" },
	{ "CONFIG_HWCTX", { EINVAL }, "the device does not take the PDI; see "
	    "xclbin-check" },
	{ "EXEC_CMD", { EINVAL }, "the driver does not take the command; see "
	    "dmesg" },
	{ "mmap", { EAGAIN }, "memory may not be locked; ulimit -l shows how "
	    "much, limits.conf(5) raises it" },
	{ "", { ENOMEM }, "memory is short; end other programs" },
	{ "", { ENOSPC }, "memory of the device is short; end other "
	    "programs" },
	{ "", { EAGAIN }, "try again, and see dmesg" },
	{ "", { EMFILE }, "too many files are open; ulimit -n shows how many "
	    "may be" },
	{ "", { ENODEV }, "the device is gone; see dmesg" },
	{ "", { EIO }, "the device failed; see dmesg" },
	{ "", { EOPNOTSUPP }, "the driver is older or newer than Linux 6.14 "
	    "to 7.2; see xclbin-check" },
};

/* Returns whether row i applies to this refusal. */
static bool
is_about(size_t i, const char *call, int number)
{
	const int *n = advice[i].numbers;

	return (*advice[i].call == '\0' || strcmp(advice[i].call, call) ==
	    0) && (n[0] == number || n[1] == number || n[2] == number);
}

static const char *
advise(const char *call, int number)
{
	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++)
		if (is_about(i, call, number))
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
