// SPDX-License-Identifier: Apache-2.0
/*
 * explain_machine.c - messages about a machine with an AMD NPU: from the
 * kernel's log, and from programs that the kernel refuses.
 *
 * Sources: the messages of the driver and of XRT's NPU part, amd/xdna-driver
 * 856409ca (drivers/accel/amdxdna, src/shim); and what their authors say about
 * them in the issues named below.  An issue without a project is an issue of
 * xdna-driver.
 */
#include <errno.h>

#include "diagnose/xclbin/explain.h"

#define LOG "sudo dmesg | grep -i amdxdna"
#define LOG_DIAGNOSE "sudo dmesg | xclbin-check --diagnose=-  # explains the " \
	"lines before this one"
#define VERSIONS "uname -r; modinfo amdxdna | grep ^version  # take a newer " \
	"kernel, or the driver of the package with XRT"
#define FIRMWARE "ls -l /lib/firmware/amdnpu/*  # install the newest " \
	"linux-firmware, then reboot"
#define IOMMU "cat /proc/cmdline  # remove amd_iommu=off and iommu=off; " \
	"switch the IOMMU on in the firmware's menu"
#define GROUP "sudo usermod -aG render \"$USER\"  # and log in again"
#define MEMLOCK "ulimit -l  # raise memlock in /etc/security/limits.d, or " \
	"docker run --ulimit memlock=-1"
#define COLUMNS "xclbin-info FILE  # has the columns; fuser -v /dev/accel/* " \
	"shows who holds the NPU"
#define LOAD "sudo modprobe amdxdna  # in a container: docker run --device " \
	"/dev/accel"
#define REBOOT "sudo reboot"
#define SET_MODE "sudo xrt-smi configure --pmode MODE"
#define CHECK_COLUMNS "xclbin-check FILE  # has both numbers; if they fit, " \
	"take a newer kernel or driver"
#define CHECK_CALL "xdna-run FILE.xclbin INSTS  # makes the calls as the " \
	"driver wants them"
#define STREAM "xclbin-check FILE --insts=INSTS  # xdna-run makes buffers as " \
	"long as the stream needs"
#define KEY "mokutil --sb-state  # sign the module, or switch secure boot off"

#define FEW_LOCKED "too little memory may be locked: XRT locks 64 MiB"
#define NO_COLUMNS "too few columns are free: another program holds them, or " \
	"the file needs all"
#define TOO_MANY "the file needs more columns than this NPU has"
#define NO_HEAP "the program has not mapped its heap before it asks for a " \
	"context"
#define OLD_DRIVER "the driver is older than the program that calls it"
#define NOT_YOURS "only root, or the same user, may see whose contexts " \
	"there are"
#define ROOT_MODE "only root may set the power mode, which inference does " \
	"not need"
#define NO_MODE "the driver does not set this power mode"
#define NO_PASID "the IOMMU is off, or in a mode without PASID"
#define PAGE_FAULT "the NPU used memory that is not mapped for it: a buffer " \
	"is too short or of the wrong group, or the driver is at fault"
#define NO_ANSWER "the NPU does not answer on the PCI bus, as after a reset " \
	"or a sleep that failed"
#define NO_NPU "XRT finds no NPU: its driver did not start, or XRT's part " \
	"for NPUs is not installed"
#define NO_NODE "the node is missing: the driver is not loaded, or this " \
	"container was not given the node"
#define NO_FIRMWARE "the firmware's file is missing, or cannot be read"
#define BAD_FIRMWARE "the firmware and the driver do not fit"
#define NOT_STARTED "the driver could not start the NPU"
#define CLOCK "the clock of the NPU could not be set, and later contexts " \
	"may fail"
#define BAD_HEAP "the heap is not 64 MiB at an address that is a multiple of " \
	"64 MiB"

const struct explain_row explain_machine[] = {
	/* Locked memory: issue 903, and the README on large buffers. */
	{ "mmap(addr=*len=*prot=*flags=*failed", 0, { "limits", FEW_LOCKED,
	    MEMLOCK } },
	{ "Lock limit exceeded", 0, { "limits", FEW_LOCKED, MEMLOCK } },
	{ "failed to allocate BO", 0, { "limits", FEW_LOCKED, MEMLOCK } },
	{ "AMDXDNA_CREATE_BO", EAGAIN, { "limits", FEW_LOCKED, MEMLOCK } },
	{ "AMDXDNA_CREATE_BO", ENOMEM, { "limits", FEW_LOCKED, MEMLOCK } },
	{ "IOCTL_AMDXDNA_", ENOMEM, { "limits", "memory is short, or too "
	    "little may be locked", "free -m; ulimit -l" } },

	/* Contexts: issue 1066, mlir-aie 2333, IRON 3, fastflow 58,
	 * nix-amd-ai 79. */
	{ "AMDXDNA_CREATE_*CTX", EINVAL, { "partition", "the file needs more "
	    "columns than this NPU has, or driver and library are of "
	    "different age", CHECK_COLUMNS } },
	/* (aie2_ctx.c, aie2_hwctx_col_list) */
	{ "Invalid num_col", 0, { "partition", TOO_MANY, CHECK_COLUMNS } },
	{ "aie2_hwctx_col_list: Start * end * width", 0, { "partition",
	    TOO_MANY, CHECK_COLUMNS } },
	{ "Create col list failed", 0, { "partition", TOO_MANY,
	    CHECK_COLUMNS } },
	{ "Number of tiles is zero", 0, { "partition", "the file asks for no "
	    "column", CHECK_COLUMNS } },
	{ "client dev heap object not exist", 0, { "call", NO_HEAP,
	    CHECK_CALL } },
	{ "AMDXDNA_CREATE_*CTX", ENOSPC, { "partition", NO_COLUMNS,
	    COLUMNS } },
	{ "Alloc hw resource failed", 0, { "partition", NO_COLUMNS,
	    COLUMNS } },
	{ "Allocate AIE resource failed", 0, { "partition", NO_COLUMNS,
	    COLUMNS } },
	{ "AMDXDNA_CREATE_*CTX", ENOENT, { "call", NO_HEAP, CHECK_CALL } },
	{ "Map host buffer failed", 0, { "call", BAD_HEAP, CHECK_CALL } },
	{ "Map host buf failed", 0, { "call", BAD_HEAP, CHECK_CALL } },
	{ "AMDXDNA_CONFIG_*CTX", EINVAL, { "call", "the program configures a "
	    "context twice, or without a PDI in a device buffer",
	    CHECK_CALL } },
	{ "AMDXDNA_EXEC_CMD", EOPNOTSUPP, { "call", "the program lists its "
	    "command as an argument of the command", CHECK_CALL } },
	{ "Init hwctx failed", 0, { "driver",
	    "the driver could not make a context", LOG_DIAGNOSE } },
	{ "AMDXDNA_CREATE_*CTX", 0, { "driver",
	    "the driver could not make a context", LOG_DIAGNOSE } },

	/* Permissions: issue 307, FastFlowLM 400. */
	{ "AMDXDNA_SET_STATE", EACCES, { "power", ROOT_MODE, SET_MODE } },
	{ "AMDXDNA_SET_STATE", EPERM, { "power", ROOT_MODE, SET_MODE } },
	{ "AMDXDNA_SET_STATE", EINVAL, { "power", NO_MODE, VERSIONS } },
	{ "AMDXDNA_SET_STATE", EOPNOTSUPP, { "power", NO_MODE, VERSIONS } },
	{ "AMDXDNA_SET_STATE", 0, { "power", NO_MODE, VERSIONS } },
	{ "AMDXDNA_GET_INFO", EACCES, { "interface", NOT_YOURS,
	    "sudo xrt-smi examine" } },
	{ "AMDXDNA_GET_ARRAY", EACCES, { "interface", NOT_YOURS,
	    "sudo xrt-smi examine" } },
	{ "IOCTL_AMDXDNA_", EACCES, { "node",
	    "you may not use the NPU", GROUP } },
	{ "IOCTL_AMDXDNA_", EPERM, { "node",
	    "you may not use the NPU", GROUP } },
	{ "/dev/accel*Permission denied", 0, { "node",
	    "you may not open the NPU's node", GROUP } },
	{ "/dev/accel*permission denied", 0, { "node",
	    "you may not open the NPU's node", GROUP } },
	{ "Permission denied: '/dev/accel", 0, { "node",
	    "you may not open the NPU's node", GROUP } },
	{ "No such file or directory: '/dev/accel", 0, { "node", NO_NODE,
	    LOAD } },
	{ "/dev/accel*Operation not permitted", 0, { "node", "the container "
	    "may not open the NPU's node",
	    "docker run --device /dev/accel --ulimit memlock=-1 IMAGE" } },
	{ "/dev/accel*No such file or directory", 0, { "node", NO_NODE,
	    LOAD } },
	{ "/dev/accel*no such file or directory", 0, { "node", NO_NODE,
	    LOAD } },
	{ "/dev/accel*does not exist", 0, { "node", NO_NODE, LOAD } },
	{ "Open /dev/accel*failed", 0, { "node",
	    "the NPU's node cannot be opened", LOG_DIAGNOSE } },
	{ "Failed to open KMQ device", 0, { "node",
	    "the NPU's node cannot be opened", LOG_DIAGNOSE } },

	/* Driver and program of different age: issues 118 and 1447. */
	{ "AMDXDNA_GET_INFO", 0, { "interface", OLD_DRIVER, VERSIONS } },
	{ "AMDXDNA_GET_ARRAY", 0, { "interface", OLD_DRIVER, VERSIONS } },
	{ "AMDXDNA_WAIT_CMD", EINVAL, { "interface", OLD_DRIVER, VERSIONS } },
	{ "IOCTL_AMDXDNA_", EINVAL, { "interface", "driver and "
	    "program are of different versions", VERSIONS } },
	{ "IOCTL_AMDXDNA_", EOPNOTSUPP, { "interface", OLD_DRIVER,
	    VERSIONS } },
	{ "amdxdna version * is incompatible", 0, { "interface", OLD_DRIVER,
	    VERSIONS } },

	/* Firmware: issues 282, 389, 421, 1074, 1193, 1257, mlir-aie 1539,
	 * FastFlowLM 421. */
	{ "firmware load for amdnpu/* failed", 0, { "firmware", NO_FIRMWARE,
	    FIRMWARE } },
	{ "firmware/amdnpu/* failed with error", 0, { "firmware", NO_FIRMWARE,
	    FIRMWARE } },
	{ "request_firmware *, ret", 0, { "firmware", NO_FIRMWARE,
	    FIRMWARE } },
	{ "Incompatible firmware protocol", 0, { "firmware",
	    BAD_FIRMWARE, FIRMWARE ", or take a newer kernel" } },
	{ "Firmware minor version smaller than supported", 0, { "firmware",
	    BAD_FIRMWARE, FIRMWARE } },
	{ "NPU firmware version*is incompatible", 0, { "firmware",
	    BAD_FIRMWARE, FIRMWARE } },
	{ "firmware is not alive", 0, { "firmware", BAD_FIRMWARE,
	    FIRMWARE } },
	{ "Invalid mbox magic", 0, { "firmware", BAD_FIRMWARE, FIRMWARE } },
	{ "failed to validate fw", 0, { "firmware", BAD_FIRMWARE,
	    FIRMWARE } },
	{ "smu cmd * failed", 0, { "firmware", "the NPU could not be "
	    "switched: firmware and driver do not fit", FIRMWARE } },
	{ "Access power failed", 0, { "firmware", "the NPU could not be "
	    "switched: firmware and driver do not fit", FIRMWARE } },
	{ "Power off failed", 0, { "firmware", "the NPU could not be "
	    "switched: firmware and driver do not fit", FIRMWARE } },
	{ "IOCTL_AMDXDNA_", ETIME, { "firmware",
	    "the firmware did not answer in time", LOG_DIAGNOSE } },
	{ "xdna*Wait for completion timeout", 0, { "firmware",
	    "the firmware did not answer in time", REBOOT } },
	{ "msg_wait: command opcode * failed, status", 0, { "firmware",
	    "the firmware refused a command of the driver", LOG
	    "  # the next line says which" } },

	/* The IOMMU: issues 62, 168, 299, 704, 1028. */
	{ "Enable PASID failed", 0, { "iommu", NO_PASID, IOMMU } },
	{ "SVA bind device failed", 0, { "iommu", NO_PASID, IOMMU } },
	{ "SVA get pasid failed", 0, { "iommu", NO_PASID, IOMMU } },
	{ "PASID not available for pid", 0, { "iommu", NO_PASID, IOMMU } },
	{ "PASID unavailable and carveout", 0, { "iommu", NO_PASID, IOMMU } },
	{ "Can not assign PASID", 0, { "iommu", NO_PASID, IOMMU } },

	/*
	 * A transfer to an address that is not in any page table of the device
	 * (drivers/iommu/amd/iommu.c): buffers of the wrong group, issue 1645;
	 * buffers that are too short, 1bit-MONSTER 1601; drivers, IRON 43.
	 */
	{ "amdxdna*AMD-Vi: Event logged [IO_PAGE_FAULT", 0, { "iommu",
	    PAGE_FAULT, STREAM } },
	{ "^AMD-Vi: Event logged [IO_PAGE_FAULT domain=", 0, { "iommu",
	    PAGE_FAULT, STREAM } },

	/* The driver: issues 14, 50, 168, 923, 957, 1670, XRT 9141. */
	{ "Module amdxdna not found", 0, { "driver", "this kernel has no "
	    "driver for the NPU, which Linux has since 6.14",
	    "uname -r  # take a newer kernel" } },
	{ "insert 'amdxdna': Key was rejected", 0, { "driver",
	    "secure boot takes signed modules only", KEY } },
	{ "insert 'amdxdna': Required key not available", 0, { "driver",
	    "secure boot takes signed modules only", KEY } },
	{ "could not insert 'amdxdna'", 0, { "driver",
	    "the driver cannot be loaded", LOG_DIAGNOSE } },
	{ "No such device with index '*'", 0, { "driver", NO_NPU, LOAD } },
	{ "No NPU device found", 0, { "driver", NO_NPU, LOAD } },
	{ "no the XDNA NPU devices found", 0, { "driver", NO_NPU, LOAD } },
	{ "amdxdna*Hardware init failed", 0, { "driver", NOT_STARTED,
	    LOG_DIAGNOSE } },
	{ "probe with driver amdxdna failed", 0, { "driver", NOT_STARTED,
	    LOG_DIAGNOSE } },
	{ "amdxdna: probe of * failed with error", 0, { "driver", NOT_STARTED,
	    LOG_DIAGNOSE } },
	{ "start npu failed", 0, { "driver", NOT_STARTED, LOG_DIAGNOSE } },
	{ "aie*_hw_start: failed to", 0, { "driver", NOT_STARTED,
	    LOG_DIAGNOSE } },
	{ "Heap BO is not supported on CMA platform", 0, { "driver", "this "
	    "driver does not run on a kernel with CMA, a newer driver does",
	    VERSIONS } },
	{ "Flags mismatch irq *xdna_mailbox", 0, { "driver", "an earlier "
	    "context was not cleaned up, which newer drivers do", REBOOT } },
	{ "IOCTL_AMDXDNA_", ENODEV, { "driver",
	    "the driver lost its NPU", LOG_DIAGNOSE } },
	{ "IOCTL_AMDXDNA_", 0, { "driver", "the driver refused a call",
	    LOG_DIAGNOSE } },

	/* Power. */
	{ "Set hclock to * failed", 0, { "power", CLOCK, REBOOT } },
	{ "Set mpnpu clock to * failed", 0, { "power", CLOCK, REBOOT } },
	{ "Set * dpm level * failed", 0, { "power", CLOCK, REBOOT } },

	/* The device: issue 168, 1bit-MONSTER 1920. */
	{ "not ready *after FLR", 0, { "device",
	    "the NPU was reset by hand, which loses it", REBOOT } },
	/* (drivers/pci/pci.c: every bit of a register reads as one) */
	{ "amdxdna*Unable to change power state from*device inaccessible", 0, {
	    "device", NO_ANSWER, REBOOT } },
	{ "^Unable to change power state from*device inaccessible", 0, {
	    "device", NO_ANSWER, REBOOT } },
	{ "aie*Start hardware failed", 0, { "device",
	    "the NPU did not come back after a reset or a sleep", REBOOT } },
	{ "Running under hypervisor not supported", 0, { "device",
	    "this is a virtual machine, which cannot use the NPU",
	    "systemd-detect-virt  # run on the host" } },
};

const size_t explain_machine_rows = sizeof(explain_machine) /
    sizeof(*explain_machine);
