/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of amdxdna, the kernel's driver for AMD's NPUs: the calls made
 * here, their numbers and structures, with our own names.  Numbers and sizes
 * are from include/uapi/drm/amdxdna_accel.h and include/uapi/drm/drm.h of Linux
 * 6.14 to 7.2, and were compared with the header of Debian's linux-libc-dev
 * 7.2.13; Debian 12 and 13 have no such header.  If a compiler has the header,
 * lib/device/xdna/abi.c compares.
 *
 * lib/device/xdna makes these calls, lib/emu/xdna answers them.
 */
#ifndef XDNA_ABI_H
#define XDNA_ABI_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define XDNA_DRIVER "amdxdna_accel_driver"

/* ---- Five functions ---------------------------------------------------- */

/* The five functions of the system that reach a device; each works like the
 * system's function of that name.  The emulated device has five others. */
struct xdna_calls {
	int (*open)(const char *path, int flags);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	void *(*mmap)(void *at, size_t n, int protection, int flags, int fd,
	    off_t offset);
	int (*munmap)(void *p, size_t n);
	int (*close)(int fd);
};

/* ---- Calls ------------------------------------------------------------- */

#define XDNA_VERSION		0xc0406400u
#define XDNA_GEM_CLOSE		0x40086409u
#define XDNA_TIMELINE_WAIT	0xc03064cau
#define XDNA_CREATE_HWCTX	0xc0386440u
#define XDNA_DESTROY_HWCTX	0xc0086441u
#define XDNA_CONFIG_HWCTX	0xc0186442u
#define XDNA_CREATE_BO		0xc0206443u
#define XDNA_GET_BO_INFO	0xc0306444u
#define XDNA_SYNC_BO		0xc0186445u
#define XDNA_EXEC_CMD		0xc0386446u
#define XDNA_GET_INFO		0xc0106447u
#define XDNA_WAIT_CMD		0x40106449u	/* not in Linux 6.14 */

/* DRM_IOCTL_VERSION: lengths are in and out, texts are at the caller's
 * addresses. */
struct xdna_version {
	int32_t major, minor, patch, pad;
	uint64_t name_n, name, date_n, date, description_n, description;
};

struct xdna_gem_close {
	uint32_t handle, pad;
};

enum xdna_bo { XDNA_BO_SHMEM = 1, XDNA_BO_HEAP = 2, XDNA_BO_DEV = 3,
    XDNA_BO_CMD = 4 };

struct xdna_create_bo {
	uint64_t flags, vaddr;		/* 0 */
	uint64_t size;
	uint32_t type;			/* enum xdna_bo */
	uint32_t handle;		/* out */
};

/* The address of memory without an address. */
#define XDNA_NOWHERE UINT64_MAX

struct xdna_get_bo_info {
	uint64_t ext, ext_flags;	/* 0 */
	uint32_t handle, pad;
	uint64_t map_offset, vaddr, xdna_addr;	/* out */
};

enum { XDNA_TO_DEVICE = 0, XDNA_FROM_DEVICE = 1 };

struct xdna_sync_bo {
	uint32_t handle, direction;
	uint64_t offset, size;
};

enum { XDNA_INFO_AIE = 1, XDNA_INFO_POWER = 9 };

struct xdna_get_info {
	uint32_t param, size;
	uint64_t buffer;
};

/* Rows of one kind of tile. */
struct xdna_rows {
	uint16_t count, start, dma_channels, locks, events, pad[3];
};

/* Filled by XDNA_INFO_AIE. */
struct xdna_aie {
	uint32_t column_size;
	uint16_t columns, rows;
	uint32_t major, minor;
	struct xdna_rows core, memory, shim;
};

/* Filled by XDNA_INFO_POWER. */
struct xdna_power {
	uint8_t mode, pad[7];
};

/* Quality of service; zeros request nothing. */
struct xdna_qos {
	uint32_t gops, fps, bandwidth, latency, frame_time, priority;
};

struct xdna_create_hwctx {
	uint64_t ext, ext_flags;	/* 0 */
	uint64_t qos;			/* address of a struct xdna_qos */
	uint32_t umq_bo, log_buf_bo;	/* 0 */
	uint32_t operations;		/* per cycle */
	uint32_t tiles;			/* columns times rows of cores */
	uint32_t memory, doorbell;	/* 0 */
	uint32_t handle, syncobj;	/* out */
};

struct xdna_destroy_hwctx {
	uint32_t handle, pad;
};

struct xdna_config_hwctx {
	uint32_t handle, type;		/* type 0: compute units */
	uint64_t value;			/* an address */
	uint32_t size, pad;
};

/* One compute unit. */
struct xdna_cus {
	uint16_t n, pad[3];		/* n is 1 */
	uint32_t bo;			/* contains the PDI */
	uint8_t function, pad2[3];
};

struct xdna_exec_cmd {
	uint64_t ext, ext_flags;	/* 0 */
	uint32_t hwctx, type;		/* 0 */
	uint64_t command;		/* a handle */
	uint64_t arguments;		/* address of handles */
	uint32_t commands, n;		/* commands is 1; n arguments */
	uint64_t sequence;		/* out */
};

struct xdna_wait_cmd {
	uint32_t hwctx, timeout_ms;	/* timeout 0: for ever */
	uint64_t sequence;
};

enum { XDNA_WAIT_FOR_SUBMIT = 2 };

struct xdna_timeline_wait {
	uint64_t handles, points;	/* addresses */
	int64_t deadline_ns;		/* by CLOCK_MONOTONIC */
	uint32_t n, flags, first, pad;
	uint64_t hint;			/* 0 */
};

/* ---- A command --------------------------------------------------------- */

/* Word 0: the state, the words that follow, opcode 0, type 3. */
#define XDNA_PACKET(words) (1u | (uint32_t)(words) << 12 | 3u << 28)
#define XDNA_PACKET_STATE 0xfu

enum xdna_state { XDNA_NEW = 1, XDNA_COMPLETED = 4, XDNA_ERROR = 5,
    XDNA_ABORT = 6, XDNA_TIMEOUT = 8 };

enum {
	XDNA_OPCODE = 3,		/* the kernel's: run instructions */
	XDNA_COMMAND_SIZE = 4096,
	/* Most bytes of the register map: libxrt counts whole words. */
	XDNA_REGISTERS = XDNA_COMMAND_SIZE - 8,
	XDNA_HEAP_SIZE = 64 << 20,	/* also its alignment */
};

/* ---- Sizes ------------------------------------------------------------- */

/* A call's number contains the size of its structure. */
#define XDNA_SIZE(call) ((call) >> 16 & 0x3fff)

static_assert(sizeof(struct xdna_version) == XDNA_SIZE(XDNA_VERSION), "");
static_assert(sizeof(struct xdna_gem_close) == XDNA_SIZE(XDNA_GEM_CLOSE), "");
static_assert(sizeof(struct xdna_timeline_wait) ==
    XDNA_SIZE(XDNA_TIMELINE_WAIT), "");
static_assert(sizeof(struct xdna_create_hwctx) ==
    XDNA_SIZE(XDNA_CREATE_HWCTX), "");
static_assert(sizeof(struct xdna_destroy_hwctx) ==
    XDNA_SIZE(XDNA_DESTROY_HWCTX), "");
static_assert(sizeof(struct xdna_config_hwctx) ==
    XDNA_SIZE(XDNA_CONFIG_HWCTX), "");
static_assert(sizeof(struct xdna_create_bo) == XDNA_SIZE(XDNA_CREATE_BO), "");
static_assert(sizeof(struct xdna_get_bo_info) ==
    XDNA_SIZE(XDNA_GET_BO_INFO), "");
static_assert(sizeof(struct xdna_sync_bo) == XDNA_SIZE(XDNA_SYNC_BO), "");
static_assert(sizeof(struct xdna_exec_cmd) == XDNA_SIZE(XDNA_EXEC_CMD), "");
static_assert(sizeof(struct xdna_wait_cmd) == XDNA_SIZE(XDNA_WAIT_CMD), "");
static_assert(sizeof(struct xdna_get_info) == XDNA_SIZE(XDNA_GET_INFO), "");
static_assert(sizeof(struct xdna_aie) == 64, "");
static_assert(sizeof(struct xdna_power) == 8, "");
static_assert(sizeof(struct xdna_qos) == 24, "");
static_assert(sizeof(struct xdna_cus) == 16, "");

#endif
