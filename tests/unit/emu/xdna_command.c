// SPDX-License-Identifier: Apache-2.0
/*
 * The commands of the emulated device.  Each test breaks one rule of submitting
 * or waiting, on both kernels (drivers/accel/amdxdna/amdxdna_ctx.c, aie2_ctx.c,
 * drivers/gpu/drm/drm_syncobj.c).
 */
#include "xdna_rig.h"

/* ---- EXEC_CMD ---------------------------------------------------------- */

static int
submit(struct xdna_exec_cmd e)
{
	return call(XDNA_EXEC_CMD, &e);
}

#define SUBMIT_WITH(name, field, value) \
static int \
name(void) \
{ \
	struct xdna_exec_cmd e = sound_command(); \
\
	e.field = (value); \
	return submit(e); \
}
SUBMIT_WITH(sound, n, 3)
SUBMIT_WITH(with_ext, ext, 1)
SUBMIT_WITH(with_ext_flags, ext_flags, 1)
SUBMIT_WITH(of_type_1, type, 1)
SUBMIT_WITH(no_commands, commands, 0)
SUBMIT_WITH(two_commands, commands, 2)
SUBMIT_WITH(other_context, hwctx, rig.hwctx + 1)
SUBMIT_WITH(unknown_command, command, 77)
SUBMIT_WITH(command_in_buffer, command, rig.in_bo)
SUBMIT_WITH(command_in_heap, command, rig.pdi_bo)
SUBMIT_WITH(too_many_arguments, n, 4096)
SUBMIT_WITH(no_arguments, n, 0)
SUBMIT_WITH(arguments_nowhere, arguments, 0)

static int
argument(uint32_t handle)
{
	struct xdna_exec_cmd e = sound_command();

	arguments[1] = handle;
	return submit(e);
}

static int
unknown_argument(void)
{
	return argument(77);
}

static int
command_as_argument(void)
{
	return argument(rig.command_bo);
}

static int
before_configuration(void)
{
	struct xdna_exec_cmd e;
	int number = make_context();

	e = sound_command();
	return number != 0 ? number : submit(e);
}

static int
many_in_flight(void)
{
	int number = 0;

	for (int i = 0; i < 9; i++)
		number |= sound();
	return number;
}

/* ---- The wait ---------------------------------------------------------- */

#define WAIT_WITH(name, field, value) \
static int \
name(void) \
{ \
	struct xdna_timeline_wait w = sound_wait(); \
\
	w.field = (value); \
	sound(); \
	return call(XDNA_TIMELINE_WAIT, &w); \
}
WAIT_WITH(wait_sound, n, 1)
WAIT_WITH(wait_forever, deadline_ns, INT64_MAX)
WAIT_WITH(wait_relative, deadline_ns, INT64_C(5000000))
WAIT_WITH(wait_none, n, 0)
WAIT_WITH(wait_two, n, 2)
WAIT_WITH(wait_pad, pad, 1)
WAIT_WITH(wait_flags, flags, 0x10)
WAIT_WITH(wait_no_handles, handles, 0)
WAIT_WITH(wait_no_points, points, 0)
WAIT_WITH(wait_without_flag, flags, 0)

static int
wait_unknown(void)
{
	struct xdna_timeline_wait w = sound_wait();

	waited_object = rig.hwctx;
	return call(XDNA_TIMELINE_WAIT, &w);
}

static int
wait_not_submitted(void)
{
	struct xdna_timeline_wait w = sound_wait();

	return call(XDNA_TIMELINE_WAIT, &w);
}

static int
wait_not_submitted_no_flag(void)
{
	struct xdna_timeline_wait w = sound_wait();

	w.flags = 0;
	return call(XDNA_TIMELINE_WAIT, &w);
}

/* A wait for an ended command succeeds even after its deadline. */
static int
wait_again(void)
{
	wait_sound();
	return wait_relative();
}

/* The packet's memory is closed before the command runs. */
static int
wait_closed(void)
{
	struct xdna_timeline_wait w = sound_wait();
	struct xdna_gem_close c = { .handle = rig.command_bo };

	sound();
	call(XDNA_GEM_CLOSE, &c);
	return call(XDNA_TIMELINE_WAIT, &w);
}

static int
wait_unmapped(void)
{
	struct xdna_timeline_wait w = sound_wait();

	sound();
	xdna_emulated.munmap(rig.command, 4096);
	return call(XDNA_TIMELINE_WAIT, &w);
}

static int
wait_cmd(uint32_t hwctx, uint64_t sequence)
{
	struct xdna_wait_cmd w = { hwctx, 10000, sequence };

	return call(XDNA_WAIT_CMD, &w);
}

static int
old_wait(void)
{
	sound();
	return wait_cmd(rig.hwctx, 0);
}

static int
old_wait_not_submitted(void)
{
	return wait_cmd(rig.hwctx, 0);
}

static int
old_wait_unknown(void)
{
	return wait_cmd(77, 0);
}

static const struct rule rules[] = {
	{ "EXEC_CMD", READY, sound, { 0, 0 } },
	{ "EXEC_CMD with ext", READY, with_ext, { EINVAL, EINVAL } },
	{ "EXEC_CMD with ext_flags", READY, with_ext_flags,
	    { EINVAL, EINVAL } },
	{ "EXEC_CMD of type 1", READY, of_type_1, { EINVAL, EINVAL } },
	{ "EXEC_CMD with 0 commands", READY, no_commands, { EINVAL, EINVAL } },
	{ "EXEC_CMD with two commands", READY, two_commands,
	    { EINVAL, EINVAL } },
	{ "EXEC_CMD in an unknown context", READY, other_context,
	    { EINVAL, EINVAL } },
	{ "EXEC_CMD before CONFIG_HWCTX", READY, before_configuration,
	    { EINVAL, EINVAL } },
	{ "a command with an unknown handle", READY, unknown_command,
	    { EINVAL, EINVAL } },
	{ "a command in the memory of an ordinary buffer",
	    READY, command_in_buffer, { EINVAL, 0 } },
	{ "a command in the heap", READY, command_in_heap,
	    { EINVAL, EINVAL } },
	{ "4096 arguments", READY, too_many_arguments, { EINVAL, EINVAL } },
	{ "no arguments", READY, no_arguments, { 0, 0 } },
	{ "a NULL pointer to the arguments", READY, arguments_nowhere,
	    { EFAULT, EFAULT } },
	{ "an argument with an unknown handle", READY, unknown_argument,
	    { ENOENT, ENOENT } },
	{ "a command as an argument", READY, command_as_argument,
	    { EOPNOTSUPP, 0 } },
	{ "9 commands in flight", READY, many_in_flight, { 0, 0 } },

	{ "a wait", READY, wait_sound, { 0, 0 } },
	{ "a wait without a deadline", READY, wait_forever, { 0, 0 } },
	{ "a wait until 5 ms after the machine's start", READY,
	    wait_relative, { ETIME, ETIME } },
	{ "a wait for an ended command", READY, wait_again, { 0, 0 } },
	{ "a wait for 0 objects", READY, wait_none, { EINVAL, EINVAL } },
	{ "a wait for two objects", READY, wait_two, { EINVAL, EINVAL } },
	{ "a wait with pad", READY, wait_pad, { EINVAL, EINVAL } },
	{ "a wait with an unknown flag", READY, wait_flags,
	    { EINVAL, EINVAL } },
	{ "a wait without handles", READY, wait_no_handles,
	    { EFAULT, EFAULT } },
	{ "a wait without points", READY, wait_no_points,
	    { EFAULT, EFAULT } },
	{ "a wait for a submitted command, without WAIT_FOR_SUBMIT", READY,
	    wait_without_flag, { 0, 0 } },
	{ "a wait for an unknown object",
	    READY, wait_unknown, { ENOENT, ENOENT } },
	{ "a wait for a command that was not submitted", READY,
	    wait_not_submitted, { ETIME, ETIME } },
	{ "a wait for a command that was not submitted, without "
	    "WAIT_FOR_SUBMIT", READY, wait_not_submitted_no_flag,
	    { EINVAL, EINVAL } },
	{ "a wait for a command whose packet is closed", READY, wait_closed,
	    { 0, 0 } },
	{ "a wait for a command whose packet is not mapped", READY,
	    wait_unmapped, { 0, 0 } },
	{ "WAIT_CMD", READY, old_wait, { EINVAL, 0 } },
	{ "WAIT_CMD before EXEC_CMD", READY, old_wait_not_submitted,
	    { EINVAL, EINVAL } },
	{ "WAIT_CMD in an unknown context", READY, old_wait_unknown,
	    { EINVAL, EINVAL } },
};

int
main(void)
{
	setenv("NPU_TWIN", "copy", 1);
	check_rules(rules, sizeof(rules) / sizeof(*rules));
	return done();
}
