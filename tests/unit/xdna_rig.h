/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a device to the stage that a test needs, call by call.  The test's
 * next call can then be a wrong call. */
#ifndef TESTS_UNIT_XDNA_RIG_H
#define TESTS_UNIT_XDNA_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "tap.h"
#include "tools/txngen/stream.h"
#include "xdna_job.h"

extern const struct xdna_calls xdna_emulated;

/* The stages of a device.  Each stage includes all earlier stages. */
enum stage { OPEN, HEAP, MAPPED, CONTEXT, PDI, CONFIGURED, READY };

enum { IN_SIZE = 1024, OUT_SIZE = 64 };	/* of stream_sound() */

static struct {
	int fd;
	uint8_t *heap, *in, *out;	/* mapped */
	uint32_t *command;
	uint32_t heap_bo, pdi_bo, stream_bo, command_bo, in_bo, out_bo;
	uint32_t hwctx, syncobj;
	struct buf stream;
	uint8_t *mapped[8];
	size_t size[8];
	unsigned mappings;
} rig;

/* Makes a call.  Returns 0, or the errno. */
static int
call(uint32_t request, void *arg)
{
	return xdna_emulated.ioctl(rig.fd, request, arg) == 0 ? 0 : errno;
}

/* ---- Memory ------------------------------------------------------------ */

static int
create(uint32_t type, uint64_t size, uint32_t *handle)
{
	struct xdna_create_bo c = { .type = type, .size = size };
	int number = call(XDNA_CREATE_BO, &c);

	*handle = c.handle;
	return number;
}

static struct xdna_get_bo_info
info(uint32_t handle)
{
	struct xdna_get_bo_info g = { .handle = handle };

	call(XDNA_GET_BO_INFO, &g);
	return g;
}

/* Maps memory of the node, at the address 'at' if that is not NULL.  rig_end()
 * unmaps the memory.  Returns 0 or an errno. */
static int
map(uint64_t offset, size_t n, int flags, uint8_t *at, uint8_t **p)
{
	*p = xdna_emulated.mmap(at, n, PROT_READ | PROT_WRITE, flags |
	    (at != NULL ? MAP_FIXED : 0), rig.fd, (off_t)offset);
	if (*p == MAP_FAILED)
		return errno;
	rig.mapped[rig.mappings % 8] = *p;
	rig.size[rig.mappings++ % 8] = n;
	return 0;
}

/* Maps the heap of n bytes at the address off + a multiple of 64 MiB. */
static int
map_heap(size_t n, size_t off)
{
	const size_t room = 3 * (size_t)XDNA_HEAP_SIZE;
	uint8_t *p = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	    MAP_NORESERVE, -1, 0);
	size_t before = (XDNA_HEAP_SIZE - (uintptr_t)p % XDNA_HEAP_SIZE) %
	    XDNA_HEAP_SIZE;

	munmap(p, room);
	return map(info(rig.heap_bo).map_offset, n, MAP_SHARED,
	    p + before + off, &rig.heap);
}

static int
sync_bo(uint32_t handle, uint32_t direction, uint64_t offset, uint64_t size)
{
	struct xdna_sync_bo s = { handle, direction, offset, size };

	return call(XDNA_SYNC_BO, &s);
}

/* Makes a buffer in the heap that contains the bytes.  The device sees the
 * bytes only if synced is true. */
static int
put(const void *bytes, size_t n, bool synced, uint32_t *handle)
{
	int number = create(XDNA_BO_DEV, n, handle);

	if (number != 0)
		return number;
	memcpy(rig.heap + (info(*handle).xdna_addr -
	    info(rig.heap_bo).xdna_addr), bytes, n);
	return synced ? sync_bo(*handle, XDNA_TO_DEVICE, 0, n) : 0;
}

/* ---- Contexts ---------------------------------------------------------- */

static struct xdna_qos no_demands;

static struct xdna_create_hwctx
sound_context(void)
{
	return (struct xdna_create_hwctx){ .qos = (uintptr_t)&no_demands,
	    .operations = 2048, .tiles = 4 };
}

static int
make_context(void)
{
	struct xdna_create_hwctx c = sound_context();
	int number = call(XDNA_CREATE_HWCTX, &c);

	rig.hwctx = c.handle;
	rig.syncobj = c.syncobj;
	return number;
}

static int
configure(const struct xdna_cus *cus)
{
	struct xdna_config_hwctx c = { .handle = rig.hwctx,
	    .value = (uintptr_t)cus, .size = sizeof(*cus) };

	return call(XDNA_CONFIG_HWCTX, &c);
}

/* ---- Commands ---------------------------------------------------------- */

static void
put_address(unsigned word, uint64_t address)
{
	memcpy(&rig.command[word], &address, sizeof(address));
}

/* Returns the address that a packet must use for memory that is mapped at p. */
static uint64_t
address_of(uint32_t handle, const uint8_t *p)
{
	uint64_t a = info(handle).xdna_addr;

	return a == XDNA_NOWHERE ? (uintptr_t)p : a;
}

static void
write_packet(void)
{
	memset(rig.command, 0, 17 * sizeof(*rig.command));
	rig.command[0] = 0x30010001;
	rig.command[1] = 1;
	rig.command[2] = 3;
	put_address(4, info(rig.stream_bo).xdna_addr);
	rig.command[6] = (uint32_t)rig.stream.n;
	put_address(7, address_of(rig.in_bo, rig.in));
	put_address(9, address_of(rig.out_bo, rig.out));
}

static int
ready(void)
{
	uint8_t *p = NULL;
	struct stream s;
	int number = 0;

	if (rig.stream.n == 0) {
		stream_begin(&s, false, &rig.stream);
		stream_whole(&s);
	}
	number |= put(rig.stream.p, rig.stream.n, true, &rig.stream_bo);
	number |= create(XDNA_BO_CMD, 4096, &rig.command_bo);
	number |= map(info(rig.command_bo).map_offset, 4096, MAP_SHARED, NULL,
	    &p);
	rig.command = (uint32_t *)(void *)p;
	number |= create(XDNA_BO_SHMEM, IN_SIZE, &rig.in_bo);
	number |= map(info(rig.in_bo).map_offset, 4096, MAP_SHARED, NULL,
	    &rig.in);
	number |= create(XDNA_BO_SHMEM, OUT_SIZE, &rig.out_bo);
	number |= map(info(rig.out_bo).map_offset, 4096, MAP_SHARED, NULL,
	    &rig.out);
	if (number == 0)
		write_packet();
	return number;
}

static uint32_t arguments[3];

__attribute__((unused)) static struct xdna_exec_cmd
sound_command(void)
{
	arguments[0] = rig.stream_bo;
	arguments[1] = rig.in_bo;
	arguments[2] = rig.out_bo;
	return (struct xdna_exec_cmd){ .hwctx = rig.hwctx,
	    .command = rig.command_bo, .arguments = (uintptr_t)arguments,
	    .commands = 1, .n = 3 };
}

static uint32_t waited_object;
static uint64_t waited_point;

__attribute__((unused)) static struct xdna_timeline_wait
sound_wait(void)
{
	waited_object = rig.syncobj;
	waited_point = 0;
	return (struct xdna_timeline_wait){
	    .handles = (uintptr_t)&waited_object,
	    .points = (uintptr_t)&waited_point,
	    .deadline_ns = (int64_t)clock_ns() + INT64_C(10000000000),
	    .n = 1, .flags = XDNA_WAIT_FOR_SUBMIT };
}

/* ---- Stages ------------------------------------------------------------ */

static int
step_to(enum stage stage)
{
	struct xdna_cus cus = { .n = 1 };

	switch (stage) {
	case OPEN:
		rig.fd = xdna_emulated.open("emulated", O_RDWR);
		return rig.fd < 0 ? errno : 0;
	case HEAP:
		return create(XDNA_BO_HEAP, XDNA_HEAP_SIZE, &rig.heap_bo);
	case MAPPED:
		return map_heap(XDNA_HEAP_SIZE, 0);
	case CONTEXT:
		return make_context();
	case PDI:
		return put(marked_pdi, sizeof(marked_pdi), true, &rig.pdi_bo);
	case CONFIGURED:
		cus.bo = rig.pdi_bo;
		return configure(&cus);
	case READY:
		return ready();
	}
	return EINVAL;
}

static void
rig_begin(enum stage last)
{
	int number = 0;

	for (int stage = OPEN; stage <= (int)last && number == 0; stage++)
		number = step_to((enum stage)stage);
	if (number != 0)
		ok(false, "stage %d: errno %d", last, number);
}

static void
rig_end(void)
{
	for (unsigned i = 0; i < rig.mappings && i < 8; i++)
		xdna_emulated.munmap(rig.mapped[i], rig.size[i]);
	if (rig.fd >= 0)
		xdna_emulated.close(rig.fd);
	buf_free(&rig.stream);
	memset(&rig, 0, sizeof(rig));
	rig.fd = -1;
}

/* ---- Rows -------------------------------------------------------------- */

/* A rule of the kernel.  fn breaks the rule, on a device at this stage, and
 * returns an errno. */
struct rule {
	const char *name;
	enum stage stage;
	int (*fn)(void);
	int expected[2];	/* with Linux 6.14, 7.2 */
};

__attribute__((unused)) static void
check_rules(const struct rule *rules, size_t n)
{
	static const char *const kernels[] = { "6.14", "7.2" };
	int number;

	rig.fd = -1;
	for (size_t k = 0; k < 2; k++) {
		setenv("NPU_XDNA_KERNEL", kernels[k], 1);
		for (size_t i = 0; i < n; i++) {
			rig_begin(rules[i].stage);
			number = rules[i].fn();
			rig_end();
			if (!ok(number == rules[i].expected[k], "Linux %s: "
			    "%s gives %s", kernels[k], rules[i].name,
			    rules[i].expected[k] == 0 ? "success" :
			    strerrorname_np(rules[i].expected[k])))
				diag("errno %d, %s", number,
				    strerror(number));
		}
	}
}

#endif
