// SPDX-License-Identifier: Apache-2.0
/*
 * Each call for a job fails once, and each is interrupted once, on both
 * kernels.  The error message names the failed call, the errno and what to do,
 * and nothing is left behind.  An interrupted call is repeated.  Further tests:
 * commands that fail, hang, or are stopped.
 */
#include <signal.h>
#include <sys/time.h>

#include "tap.h"
#include "tools/txngen/stream.h"
#include "xdna_job.h"
#include "xdna_watch.h"

extern const struct xdna_calls xdna_emulated;

enum { FRAMES = 2, SIZE = 64 };

static struct buf stream;		/* reads 64 bytes and writes 64 bytes */
static struct xdna_job job;
static volatile sig_atomic_t stop;
static bool begun;			/* the first frame has begun */
static struct xdna_calls calls;

static void
make_stream(void)
{
	struct stream s;

	stream_begin(&s, false, &stream);
	for (unsigned i = 0; i < 2; i++) {
		stream_set(&s, 0, i, (struct shape){ .length = SIZE / 4 });
		stream_adopt(&s, 0, i, i);
		stream_write(&s, i == 0 ? MM2S : S2MM, i);
	}
	stream_wait(&s, 0, 1);
	stream_end(&s);
	make_job(&stream, &job);
}

/* Runs the frames and closes the device.  Returns NPU_EFORMAT if an output is
 * wrong. */
static int
run(const char *fault, int32_t timeout_ms, struct npu_err *err)
{
	struct xdna *x = NULL;
	char in[SIZE];
	int rc;

	setenv("NPU_XDNA_FAULT", fault, 1);
	watch_begin();
	begun = false;
	err->msg[0] = '\0';
	if ((rc = xdna_open(&x, &calls, "emulated", &stop, err)) < 0)
		return rc;
	rc = xdna_load(x, &job, err);
	for (int i = 0; i < FRAMES && rc == 0; i++) {
		begun = true;
		memset(in, 'a' + i, sizeof(in));
		memcpy(xdna_memory(x, 0), in, sizeof(in));
		rc = xdna_run(x, timeout_ms, err);
		if (rc == 0 && memcmp(xdna_memory(x, 1), in, SIZE) != 0)
			rc = NPU_EFORMAT;
	}
	if (rc == 0)
		return xdna_end(x, err);
	xdna_close(x);
	return rc;
}

/* ---- Each call fails --------------------------------------------------- */

static bool
is_free_call(const char *name)
{
	return strcmp(name, "GEM_CLOSE") == 0 ||
	    strcmp(name, "DESTROY_HWCTX") == 0;
}

/* Returns true if the failure of the last call, with this errno, was handled as
 * it must be. */
static bool
failed_well(int rc, int number, const struct npu_err *err)
{
	char text[200], *after;
	size_t n;

	if (watch.failed == NULL)
		return false;
	n = (size_t)snprintf(text, sizeof(text), "%s: %s (%s): ", watch.failed,
	    strerror(number), strerrorname_np(number));
	after = strstr(err->msg, text);
	return rc == (begun ? NPU_EDEVICE : NPU_ENODEV) &&
	    err->detail == number && after != NULL && after[n] != '\0' &&
	    /* Closing the node frees the rest in the kernel. */
	    (is_free_call(watch.failed) ? watch.nodes == 0 &&
	    watch.bytes == 0 : watch_is_even());
}

/* Lets each call fail in turn.  A wait that times out is tested elsewhere. */
static void
each_call(const char *kernel, const char *name, int number)
{
	unsigned wrong = 0, n = 1;
	struct npu_err err;
	char fault[64];
	int rc;

	for (;; n++) {
		snprintf(fault, sizeof(fault), "%u:%s", n, name);
		rc = run(fault, 10000, &err);
		/* There are fewer calls than n: none has failed. */
		if (watch.calls < n)
			break;
		if (failed_well(rc, number, &err))
			continue;
		if (wrong++ == 0)
			diag("call %u, %s: %d, %s", n, watch.failed, rc,
			    err.msg);
	}
	ok(wrong == 0 && n > 40 && rc == 0 && watch_is_even(),
	    "Linux %s: if any of %u calls fails with %s, the failure is "
	    "reported and nothing is left", kernel, n - 1, name);
}

/* ---- Each call that frees fails ---------------------------------------- */

static int free_call;			/* the call that fails, from 1 */

static int
failing_munmap(void *p, size_t n)
{
	int rc = watch_munmap(p, n);

	/* Two calls, which trim the heap's mapping, come before the first
	 * frame. */
	if (!begun || --free_call != 0)
		return rc;
	errno = ENOMEM;
	return -1;
}

static int
failing_close(int fd)
{
	watch_close(fd);
	if (--free_call != 0)
		return 0;
	errno = EIO;
	return -1;
}

static void
frees(void)
{
	static const char *const failures[] = { "munmap: Cannot allocate "
	    "memory (ENOMEM): ", "close: Input/output error (EIO): " };
	struct npu_err err;
	int rc, wrong = 0;

	calls = watch_calls;
	calls.munmap = failing_munmap;
	calls.close = failing_close;
	/* The calls free two buffers, the command, the heap, and then the
	 * node. */
	for (int i = 1; i <= 5; i++) {
		free_call = i;
		rc = run("", 10000, &err);
		if ((rc != NPU_EDEVICE || !watch_is_even() || strncmp(err.msg,
		    failures[i == 5], strlen(failures[i == 5])) != 0) &&
		    wrong++ == 0)
			diag("%d: %d, %s", i, rc, err.msg);
	}
	ok(wrong == 0, "if munmap() or close() fails, this is reported and the "
	    "rest is freed");
	calls = watch_calls;
}

/* ---- Each call is interrupted ------------------------------------------ */

static void
interrupted(const char *kernel)
{
	struct npu_err err;
	unsigned made;
	int rc;

	rc = run("", 10000, &err);
	made = watch.calls;
	ok(rc == 0 && watch_is_even(),
	    "Linux %s: without a fault, the job runs",
	    kernel);
	rc = run("each:EINTR", 10000, &err);
	if (!ok(rc == 0 && watch_is_even() && watch.calls > 3 * made / 2,
	    "Linux %s: each of %u calls is interrupted once and is repeated",
	    kernel, made))
		diag("%d, %s", rc, err.msg);
	stop = 1;
	rc = run("each:EINTR", 10000, &err);
	ok(rc == NPU_ESTOPPED && watch_is_even(),
	    "Linux %s: a stop ends an interrupted open()", kernel);
	/* The first call is open(). */
	rc = run("2:EINTR", 10000, &err);
	ok(rc == NPU_ESTOPPED && watch_is_even(),
	    "Linux %s: a stop ends an interrupted call after open()", kernel);
	stop = 0;
}

/* ---- Commands ---------------------------------------------------------- */

static void
states(void)
{
	static const struct {
		const char *fault, *name;
		int state;
	} rows[] = {
		{ "state:1", "state 1 (NEW)", 1 },
		{ "state:5", "state 5 (ERROR)", 5 },
		{ "state:6", "state 6 (ABORT)", 6 },
		{ "state:8", "state 8 (TIMEOUT)", 8 },
		{ "state:9", "state 9", 9 },
		/* The kernel gives up before the caller does. */
		{ "hang:50", "state 8 (TIMEOUT)", 8 },
	};
	struct npu_err err;
	int rc;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		rc = run(rows[i].fault, -1, &err);
		if (!ok(rc == NPU_EDEVICE && err.detail == rows[i].state &&
		    strstr(err.msg, rows[i].name) != NULL &&
		    watch_is_even(), "%s is reported as %s", rows[i].fault,
		    rows[i].name))
			diag("%d, %s", rc, err.msg);
	}
}

static void
set_stop(int number)
{
	(void)number;
	stop = 1;
}

static void
stopped(void)
{
	const struct itimerval soon = { .it_value = { .tv_usec = 100000 } };
	struct sigaction act = { .sa_handler = set_stop };
	struct npu_err err;
	int rc;

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	rc = run("hang", -1, &err);
	ok(rc == NPU_ESTOPPED && watch_is_even(),
	    "a signal ends the wait for a command that hangs");
	stop = 0;
}

static void
hangs(void)
{
	struct npu_err err;
	struct xdna *x = NULL;
	int rc = run("hang", 60, &err);

	ok(rc == NPU_ETIMEOUT && strstr(err.msg, "within 60 ms") != NULL &&
	    watch_is_even(), "a command that hangs ends with a timeout");
	watch_begin();
	rc = xdna_open(&x, &watch_calls, "emulated", NULL, &err);
	if (rc == 0 && (rc = xdna_load(x, &job, &err)) == 0)
		rc = xdna_run(x, 0, &err);
	ok(rc == NPU_ETIMEOUT,
	    "a timeout of 0 ends the wait for a command that hangs");
	rc = x == NULL ? 0 : xdna_run(x, 1000, &err);
	ok(rc == NPU_EDEVICE && strstr(err.msg, "has not ended") != NULL,
	    "after a timeout, no other command runs on the same memory");
	xdna_close(x);
	ok(watch_is_even(), "after a timeout, closing leaves nothing behind");
}

/* ---- Jobs that cannot be loaded ---------------------------------------- */

static int
load(const struct xdna_job *j, struct npu_err *err)
{
	struct xdna *x = NULL;
	int rc;

	unsetenv("NPU_XDNA_FAULT");
	watch_begin();
	if ((rc = xdna_open(&x, &watch_calls, "emulated", NULL, err)) == 0)
		rc = xdna_load(x, j, err);
	xdna_close(x);
	return rc;
}

static void
refuse(struct xdna_job j, int code, const char *says)
{
	struct npu_err err = { .msg = "" };
	int rc = load(&j, &err);

	if (!ok(rc == code && strstr(err.msg, says) != NULL &&
	    watch_is_even(), "a job is refused: %s", says))
		diag("%d, %s", rc, err.msg);
}

static void
jobs(void)
{
	struct xdna_job j = job;
	static const uint8_t zeros[256];

	j.columns = 6;
	refuse(j, NPU_ENODEV, "needs 6 columns, the device has 5");
	j.columns = 0;
	refuse(j, NPU_ENODEV, "needs 0 columns");
	j = job;
	j.pdi = (struct bytes){ zeros, sizeof(zeros) };
	refuse(j, NPU_ENODEV, "does not take the PDI");
	j.pdi = (struct bytes){ zeros, 0 };
	refuse(j, NPU_EUSAGE, "the PDI of 0 bytes");
	j = job;
	j.instructions.n = XDNA_HEAP_SIZE;
	refuse(j, NPU_EUSAGE, "do not fit into the heap");
	j = job;
	j.registers = XDNA_COMMAND_SIZE;
	refuse(j, NPU_EUSAGE, "do not fit into a command");
	j = job;
	j.buffer[4].address.at = j.registers - 7;
	refuse(j, NPU_EUSAGE, "do not fit into a command");
}

/* ---- Drivers that give wrong answers ----------------------------------- */

static unsigned long lie_about;

static int
lying_ioctl(int fd, unsigned long request, void *arg)
{
	int rc = watch_ioctl(fd, request, arg);
	const struct xdna_version *v = arg;
	const struct xdna_get_info *g = arg;
	struct xdna_get_bo_info *b = arg;

	if (rc < 0 || request != lie_about)
		return rc;
	if (request == XDNA_VERSION)
		memcpy((void *)(uintptr_t)v->name, "i915", 5);
	else if (request == XDNA_GET_INFO)
		memset((void *)(uintptr_t)g->buffer, 0, g->size);
	else if (b->handle == 2)	/* the first part of the heap */
		b->xdna_addr = 0x1000;
	return rc;
}

static void
lie(unsigned long request, const char *says)
{
	struct xdna_calls lying = watch_calls;
	struct npu_err err = { .msg = "" };
	struct xdna *x = NULL;
	int rc;

	unsetenv("NPU_XDNA_FAULT");
	lying.ioctl = lying_ioctl;
	lie_about = request;
	watch_begin();
	if ((rc = xdna_open(&x, &lying, "emulated", NULL, &err)) == 0)
		rc = xdna_load(x, &job, &err);
	xdna_close(x);
	if (!ok(rc == NPU_ENODEV && strstr(err.msg, says) != NULL &&
	    watch_is_even(), "a driver is refused: %s", says))
		diag("%d, %s", rc, err.msg);
}

int
main(void)
{
	static const char *const kernels[] = { "6.14", "7.2" };

	watched = &xdna_emulated;
	calls = watch_calls;
	setenv("NPU_TWIN", "copy", 1);
	make_stream();
	for (size_t k = 0; k < 2; k++) {
		setenv("NPU_XDNA_KERNEL", kernels[k], 1);
		each_call(kernels[k], "EIO", EIO);
		each_call(kernels[k], "EINVAL", EINVAL);
		each_call(kernels[k], "ENOMEM", ENOMEM);
		each_call(kernels[k], "EAGAIN", EAGAIN);
		interrupted(kernels[k]);
	}
	frees();
	states();
	hangs();
	stopped();
	jobs();
	lie(XDNA_VERSION, "the driver 'i915' has this node");
	lie(XDNA_GET_INFO, "the driver reports 0 columns");
	lie(XDNA_GET_BO_INFO, "which is not in the heap");
	buf_free(&stream);
	buf_free(&watch.lines);
	return done();
}
