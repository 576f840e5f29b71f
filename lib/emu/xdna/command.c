// SPDX-License-Identifier: Apache-2.0
/* command.c - submitting commands and waiting for them.  A command does not run
 * until the program waits for it. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "emu/xdna/context.h"
#include "emu/xdna/fault.h"

enum {
	/* The existing flags of a wait: all, for submit, available,
	 * deadline. */
	FLAGS = 0xf,
	STEP_MS = 10,		/* sleep interval of a hang */
};

/* ---- Submission -------------------------------------------------------- */

/* Copies the command's arguments.  Linux 6.14 has commands of a memory type of
 * their own, which cannot be arguments; in 7.2 commands are buffers.  More
 * arguments than fit here are refused in the way in which the kernel refuses
 * more than 4095. */
static int
copy_arguments(struct xemu_command *c, const struct xdna_exec_cmd *e)
{
	const struct xemu_bo *b;

	if (e->n > XEMU_ARGUMENTS)
		return EINVAL;
	if (e->n > 0 && e->arguments == 0)
		return EFAULT;
	if (e->n > 0)
		memcpy(c->argument, (const void *)(uintptr_t)e->arguments,
		    e->n * sizeof(*c->argument));
	c->arguments = e->n;
	for (uint32_t i = 0; i < e->n; i++)
		if ((b = xemu_bo(c->argument[i])) == NULL)
			return ENOENT;
		else if (b->type == XDNA_BO_CMD &&
		    b->address == XDNA_NOWHERE)
			return EOPNOTSUPP;
	return 0;
}

static bool
is_command(const struct xemu_bo *b)
{
	return b != NULL && b->host != NULL && (b->type == XDNA_BO_CMD ||
	    (b->type == XDNA_BO_SHMEM && b->address != XDNA_NOWHERE));
}

static void
run_first(struct xemu_context *x)
{
	xemu_execute(&x->command[0]);
	x->waiting--;
	memmove(x->command, x->command + 1, x->waiting * sizeof(*x->command));
}

int
xemu_exec(struct xdna_exec_cmd *e)
{
	struct xemu_context *x = xemu_context(e->hwctx);
	struct xemu_command c = { .packet = (uint32_t)e->command };
	int number;

	if (e->ext != 0 || e->ext_flags != 0 || e->type != 0 ||
	    e->commands != 1 || !is_command(xemu_bo(c.packet)))
		return EINVAL;
	if ((number = copy_arguments(&c, e)) != 0)
		return number;
	if (x == NULL || !x->configured)
		return EINVAL;
	/* The kernel waits until a slot is free. */
	if (x->waiting == XEMU_IN_FLIGHT)
		run_first(x);
	c.columns = x->columns;
	c.units = x->units;
	c.generation = x->generation;
	c.sequence = x->next;
	c.submitted_ns = (int64_t)clock_ns();
	x->command[x->waiting++] = c;
	e->sequence = x->next++;
	return 0;
}

/* ---- The wait ---------------------------------------------------------- */

/* Emulates a command that hangs.  Returns 0 if the kernel gives up by now, or
 * ETIME at the deadline.  Otherwise sleeps for a moment and returns EINTR, as
 * after a signal, which lets the caller decide whether to go on. */
static int
hang(const struct xemu_context *x, int64_t deadline_ns)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000 };
	int64_t now = (int64_t)clock_ns();

	if (now - x->command[0].submitted_ns >= xemu_fault_hang() * 1000000)
		return 0;
	if (now >= deadline_ns)
		return ETIME;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
	return EINTR;
}

/* Runs the commands that were submitted up to the point. */
static int
run_until(struct xemu_context *x, uint64_t point, int64_t deadline_ns)
{
	int number;

	while (x->waiting > 0 && x->command[0].sequence <= point) {
		if (xemu_fault_hang() >= 0 && (number = hang(x,
		    deadline_ns)) != 0)
			return number;
		run_first(x);
	}
	return 0;
}

/* Waits until the deadline, which is an absolute time since the machine's
 * start.  A program that passes a duration gives a deadline in the past, and
 * gets ETIME if a command has not ended. */
static int
wait_for(struct xemu_context *x, uint64_t point, int64_t deadline_ns)
{
	if (x->waiting == 0 || x->command[0].sequence > point)
		return 0;
	if ((int64_t)clock_ns() >= deadline_ns)
		return ETIME;
	return run_until(x, point, deadline_ns);
}

int
xemu_wait(const struct xdna_timeline_wait *w)
{
	struct xemu_context *x;
	uint32_t handle;
	uint64_t point;

	/* A context has one object, so waiting for several is a mistake. */
	if ((w->flags & ~(uint32_t)FLAGS) != 0 || w->n != 1 || w->pad != 0)
		return EINVAL;
	if (w->handles == 0 || w->points == 0)
		return EFAULT;
	memcpy(&handle, (const void *)(uintptr_t)w->handles, sizeof(handle));
	memcpy(&point, (const void *)(uintptr_t)w->points, sizeof(point));
	if ((x = xemu_context_of_syncobj(handle)) == NULL)
		return ENOENT;
	if (point < x->next)
		return wait_for(x, point, w->deadline_ns);
	/* The point was not submitted, and no other thread will submit it. */
	return (w->flags & XDNA_WAIT_FOR_SUBMIT) == 0 ? EINVAL : ETIME;
}

int
xemu_wait_cmd(const struct xdna_wait_cmd *w)
{
	struct xemu_context *x = xemu_context(w->hwctx);
	int64_t deadline = INT64_MAX;

	if (x == NULL || w->sequence >= x->next)
		return EINVAL;
	if (w->timeout_ms != 0)
		deadline = (int64_t)clock_ns() +
		    (int64_t)w->timeout_ms * 1000000;
	return wait_for(x, w->sequence, deadline);
}
