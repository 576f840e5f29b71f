// SPDX-License-Identifier: Apache-2.0
/* Reads the activity of an NPU from a tree of files that changes between
 * readings. */
#include <fcntl.h>
#include <math.h>

#include "base/clock.h"
#include "boardtree.h"
#include "diagnose/activity_impl.h"
#include "tap.h"

static struct activity *a;
static struct activity_reading r;
static struct npu_err err;

#define THREADS "0x80804119 ffffffff" Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z12 "\n"
#define Z4 "00000000"
#define Z12 Z4 Z4 Z4
#define Z16 Z12 Z4

static void
reading(void)
{
	memset(&r, 0, sizeof(r));
	activity_sample(a);
	activity_read(a, &r);
}

/* Reads with this text in a file, and then restores the file. */
static void
with(const char *path, const char *text, const char *before)
{
	board_put(path, text);
	reading();
	board_put(path, before);
}

static void
files(void)
{
	with(DEVICE "/devfreq/npu/cur_freq", NULL, "1200000000\n");
	ok(isnan(r.mhz),
	    "without the file of the clock, the frequency is unknown");
	with(DEVICE "/devfreq/npu/cur_freq", "fast\n", "1200000000\n");
	ok(isnan(r.mhz), "a frequency that is not a number is unknown");
	with(DEVICE "/devfreq/npu/cur_freq", "-5\n", "1200000000\n");
	ok(isnan(r.mhz), "a negative frequency is unknown");
	reading();
	ok(r.mhz == 1200, "a frequency in Hz is read as MHz");
	with(DEVICE "/power/runtime_status", NULL, "active\n");
	ok(r.power[0] == '\0', "without its file, the power state is unknown");
	with("/proc/interrupts", "", "  CPU0\n 7:  1  GICv3 1 Level  aipu\n");
	ok(isnan(r.interrupts),
	    "without a line for the device, interrupts are unknown");
	with("/proc/interrupts", "  CPU0\n 7:  9300000000000000000  GICv3 1 "
	    "Level  aipu\n", "  CPU0\n 7:  1  GICv3 1 Level  aipu\n");
	ok(isnan(r.interrupts), "too large a number of interrupts is unknown");
}

static void
sensor(int i, const char *name, const char *temp)
{
	char path[200];

	snprintf(path, sizeof(path), "/sys/class/thermal/thermal_zone%d/type",
	    i);
	board_put(path, name);
	snprintf(path, sizeof(path), "/sys/class/thermal/thermal_zone%d/temp",
	    i);
	board_put(path, temp);
}

static void
temperature(void)
{
	sensor(0, "npu0\n", "50000\n");
	sensor(1, "npu1\n", "60000\n");
	sensor(2, "npu2\n", "40000\n");
	sensor(3, "cpu\n", "90000\n");
	a->sensors_ns = 0;
	reading();
	ok(strcmp(r.sensor, "npu1") == 0 && r.celsius == 60,
	    "of the NPU's sensors, the hottest is read: %s", r.sensor);
}

/* ---- Sums -------------------------------------------------------------- */

static void
sums(void)
{
	struct activity_totals x = { 1000, 10, 10, 5 }, y = x;

	y.active_ms = 20;
	y.suspended_ms = 40;
	y.ns = ACTIVITY_SECOND + 1000;
	y.interrupts = 8;
	ok(activity_active(&x, &y) == 0.25,
	    "activity is the active time as a fraction of all time");
	ok(activity_interrupts(&x, &y) == 3,
	    "interrupts are counted per second");
	ok(isnan(activity_active(&x, &x)),
	    "if no time has passed, activity is unknown");
	ok(isnan(activity_interrupts(&x, &x)),
	    "if no time has passed, interrupts are unknown");
	y.suspended_ms = 9;
	ok(isnan(activity_active(&x, &y)),
	    "if the suspended time decreases, activity is unknown");
	y.suspended_ms = -1;
	ok(isnan(activity_active(&x, &y)),
	    "if the suspended time is now unknown, activity is unknown");
	x.suspended_ms = -1;
	ok(isnan(activity_active(&x, &y)),
	    "if the suspended time was unknown before, activity is unknown");
	y.active_ms = 9;
	x.suspended_ms = 1;
	ok(isnan(activity_active(&x, &y)),
	    "if the active time decreases, activity is unknown");
}

/* ---- The driver --------------------------------------------------------- */

/* The processor time of this process determines how often the driver is
 * asked. */
static void
self(void)
{
	uint64_t step = a->step;

	/* 5 % of a processor in the last two seconds. */
	a->judged_ns = a->last.ns - 2 * ACTIVITY_SECOND;
	a->judged_self_ns -= ACTIVITY_SECOND / 10;
	reading();
	ok(a->step == 2 * step, "if this process needs much time, the driver "
	    "is asked half as often");
	a->step = ACTIVITY_SLOW_MS * UINT64_C(1000000);
	a->judged_ns = a->last.ns - 2 * ACTIVITY_SECOND;
	a->judged_self_ns -= ACTIVITY_SECOND / 10;
	reading();
	ok(a->step == ACTIVITY_SLOW_MS * UINT64_C(1000000),
	    "the interval has an upper limit");
	/* Almost no time in an hour. */
	a->judged_ns = a->last.ns - 3600 * ACTIVITY_SECOND;
	reading();
	ok(a->step == ACTIVITY_SLOW_MS / 2 * UINT64_C(1000000),
	    "if this process needs little time, the driver is asked twice as "
	    "often");
	a->step = step;
	a->judged_ns = a->last.ns - 3600 * ACTIVITY_SECOND;
	reading();
	ok(a->step == step, "the interval has a lower limit");
	/* Neither much nor little time: 0.4 % of 100 s. */
	a->step = 2 * step;
	a->judged_ns = a->last.ns - 100 * ACTIVITY_SECOND;
	a->judged_self_ns -= 4 * ACTIVITY_SECOND / 10;
	reading();
	ok(a->step == 2 * step, "if this process needs moderate time, the "
	    "interval does not change");
}

static void
threads(void)
{
	board_node(BOARD_VERSION BOARD_IDLE THREADS);
	reading();
	reading();
	ok(r.here && r.counts.threads == 1 && r.thread[0].pid == 0,
	    "a thread without a process has process number 0");
}

/* A node that was rewritten counts as another node and is opened again. */
static void
anew(void)
{
	char full[2 * PATH_MAX], copy[2 * PATH_MAX];
	struct timespec t[2];
	struct stat st;

	board_node(BOARD_IDLE);
	reading();
	ok(r.here && r.driver_version[0] == '\0',
	    "a driver without a version is read");
	snprintf(full, sizeof(full), "%s/dev/aipu", board);
	stat(full, &st);
	t[0] = t[1] = st.st_mtim;
	t[1].tv_nsec = t[1].tv_nsec == 0 ? 1 : 0;
	utimensat(AT_FDCWD, full, t, 0);
	reading();
	ok(r.here && a->identity.st_mtim.tv_nsec == t[1].tv_nsec,
	    "a node that was written within the same second is opened again");
	t[1].tv_sec--;
	utimensat(AT_FDCWD, full, t, 0);
	reading();
	ok(a->identity.st_mtim.tv_sec == t[1].tv_sec,
	    "a node with an earlier time is opened again");
	ok(truncate(full, a->identity.st_size - 1) == 0,
	    "the node's file can be shortened");
	utimensat(AT_FDCWD, full, t, 0);
	reading();
	ok(r.here && a->identity.st_size == st.st_size - 1,
	    "a node that is shorter is opened again");
	/* The file on another disk, a device with another number, and a device,
	 * whose size and times mean nothing. */
	st = a->identity;
	a->identity.st_dev++;
	reading();
	ok(r.here && a->identity.st_dev == st.st_dev,
	    "a node on another disk is opened again");
	a->identity.st_rdev++;
	reading();
	ok(r.here && a->identity.st_rdev == st.st_rdev,
	    "a node with another device number is opened again");
	a->identity.st_mode = S_IFCHR | 0600;
	a->identity.st_size++;
	reading();
	ok(r.here && a->identity.st_size == st.st_size + 1,
	    "a device is not opened again because of its size");
	/* Another file in its place. */
	snprintf(copy, sizeof(copy), "%s/dev/copy", board);
	ok(link(full, copy) == 0, "a link keeps the old file");
	board_node(BOARD_VERSION BOARD_IDLE);
	reading();
	ok(strcmp(r.driver_version, "6.2.0") == 0, "another file in place of "
	    "the node is opened");
	unlink(copy);
}

static void
lost(void)
{
	board_node(BOARD_VERSION "0x8004410a EIO\n");
	reading();
	reading();
	ok(!r.here || r.counts.samples == 0,
	    "a node that fails gives no samples");
	activity_sample(a);
	ok(!a->here && activity_next(a) == UINT64_MAX,
	    "after a failure, no next query is planned");
	board_put("/dev/aipu", "open EPERM\n");
	reading();
	ok(!r.here && r.hidden[ACTIVITY_STATUS][0] != '\0',
	    "a node that may not be opened is reported as hidden");
	board_node(BOARD_VERSION BOARD_IDLE);
	reading();
	ok(r.here, "a node that works again is read");
}

/* The search for a missing device is repeated after a while. */
static void
device(void)
{
	char full[2 * PATH_MAX];

	snprintf(full, sizeof(full),
	    "%s/sys/bus/platform/devices/CIXH4000:00", board);
	unlink(full);
	a->device[0] = '\0';
	reading();
	ok(isnan(r.mhz) && r.power[0] == '\0',
	    "without a device, frequency and power are unknown");
	board_link("/sys/bus/platform/devices/CIXH4000:00",
	    "../../../devices/platform/CIXH4000:00");
	reading();
	ok(isnan(r.mhz),
	    "a missing device is not searched for in each reading");
	a->device_ns -= 11 * ACTIVITY_SECOND;
	reading();
	ok(r.mhz == 1200, "a missing device is searched for after ten seconds");
	board_put(DEVICE "/devfreq/npu/cur_freq", NULL);
	board_put(DEVICE "/devfreq/npu/governor", NULL);
	board_put(DEVICE "/devfreq/npu/available_frequencies", NULL);
	snprintf(full, sizeof(full), "%s" DEVICE "/devfreq/npu", board);
	ok(rmdir(full) == 0, "the folder of the clock can be removed");
	reading();
	ok(isnan(r.mhz),
	    "after the clock's folder is gone, the frequency is unknown");
}

int
main(void)
{
	activity_close(NULL);
	if (!board_open())
		return 1;
	ok(activity_open(&a, board, "/dev/aipu", 1, NULL) == NPU_ENODEV,
	    "without a board, activity_open() fails");
	board_make();
	if (activity_open(&a, board, "/dev/aipu", 1, &err) < 0) {
		printf("Bail out! %s\n", err.msg);
		return 1;
	}
	files();
	temperature();
	sums();
	self();
	threads();
	anew();
	lost();
	device();
	activity_close(a);
	board_remove();
	return done();
}
