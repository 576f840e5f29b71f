// SPDX-License-Identifier: Apache-2.0
/* A fake node of the kernel driver: its table, sound and damaged, and its
 * answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "diagnose/kmd.h"
#include "tap.h"

/* A fake node in memory, below this root, at this path. */
#define ROOT "/proc/self/fd"

static char *
make_node(const void *text, size_t n)
{
	static char path[20];
	static int fd = -1;

	if (fd >= 0)
		close(fd);
	fd = memfd_create("node", MFD_CLOEXEC);
	if (fd < 0 || write(fd, text, n) != (ssize_t)n)
		exit(1);
	snprintf(path, sizeof(path), "/%d", fd);
	return path;
}

static int
open_fake(struct kmd *k, const void *text, size_t n, struct npu_err *err)
{
	return kmd_open(k, ROOT, make_node(text, n), err);
}

#define ASK "0x8004410a "
#define T8 "00*1 00*1 00*1 00*1 00*1 00*1 00*1 00*600000"
#define T16 "0123456789abcdef"
#define T64 T16 T16 T16 T16
#define T256 T64 T64 T64 T64
#define T2048 T256 T256 T256 T256 T256 T256 T256 T256

static const struct {
	const char *what, *text, *says;	/* NULL: accepted */
} damages[] = {
	{ "sound", "# a node\n\n \t\n" ASK "01000000\n", NULL },
	{ "no end of the last line", ASK "\t01000000 ", NULL },
	{ "an error", ASK "EIO\n", NULL },
	{ "tabs", "0x8004410a\t01000000\t\n", NULL },
	{ "a sign", ASK "0!\n", "pairs of digits 0 to f" },
	{ "a time of no number", ASK "00*x\n", "from 1 to 600000 ms" },
	{ "2048 digits", ASK T2048 "\n", NULL },
	{ "nothing", "", NULL },
	{ "2050 digits", ASK T2048 "00\n", "2050 digits, but at most 2048" },
	{ "half a byte", ASK "010\n", "line 1: the answer to 0x8004410a" },
	{ "no digit", "\n" ASK "0g\n", "line 2: the answer to 0x8004410a" },
	{ "capitals", ASK "0A\n", "pairs of digits 0 to f" },
	{ "no answer", ASK "\n", "the answer to 0x8004410a" },
	{ "no such error", ASK "EWHAT\n", "nor a known error" },
	{ "a short request", "0x8004410 00\n", "8 digits" },
	{ "a long request", "0x8004410a0 00\n", "8 digits" },
	{ "no hexadecimal", "8004410a00 00\n", "8 digits" },
	{ "a strange digit", "0x8004410z 00\n", "8 digits" },
	{ "twice", ASK "00\n" ASK "01\n", "line 2: 0x8004410a is there twice"
	    },
	{ "turns", ASK "01000000*125  EIO*375 \n", NULL },
	{ "8 turns", ASK T8 "\n", NULL },
	{ "9 turns", ASK T8 " 00*1\n", "0x8004410a has more than 8 answers" },
	{ "an only turn", ASK "01000000*1\n", NULL },
	{ "a turn without time", ASK "00*1 01\n", "says for how long" },
	{ "a turn of no time", ASK "00*0 01*1\n", "from 1 to 600000 ms" },
	{ "a turn too long", ASK "00*600001\n", "from 1 to 600000 ms" },
	{ "a turn of words", ASK "00*1s\n", "from 1 to 600000 ms" },
	{ "a turn of nothing", ASK "*1\n", "nor a known error" },
	{ "two times", ASK "00*1*1\n", "from 1 to 600000 ms" },
	{ "open gives nothing", "open\n", "the error of open is not known" },
	{ "open gives bytes", "open 00\n", "the error of open is not known" },
	{ "open fails", "open EACCES\n", ": Permission denied" },
};

static void
tables(void)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		struct npu_err err = { .msg = "" };
		struct kmd k = { .fd = 77 };
		int rc = open_fake(&k, damages[i].text,
		    strlen(damages[i].text), &err);

		if (!ok(damages[i].says == NULL ? rc == 0 : rc < 0 &&
		    k.fd == 77 && strstr(err.msg, damages[i].says) != NULL,
		    "a table: %s", damages[i].what))
			diag("%d, %s", rc, err.msg);
		if (rc == 0)
			kmd_close(&k);
	}
}

static void
limits(void)
{
	static char text[KMD_TABLE + 1];
	struct npu_err err = { .msg = "" };
	struct kmd k = { .fd = -1 };
	size_t n = 0;

	for (unsigned i = 0; i < KMD_ROWS; i++)
		n += (size_t)sprintf(text + n, "0x000041%02x 00\n", i);
	ok(open_fake(&k, text, n, &err) == 0, "32 answers");
	kmd_close(&k);
	n += (size_t)sprintf(text + n, "0x00004120 00\n");
	ok(open_fake(&k, text, n, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "line 33: more than 32") != NULL, "33 answers");
	memset(text, '\n', sizeof(text));
	ok(open_fake(&k, text, KMD_TABLE, &err) == 0, "65536 bytes");
	kmd_close(&k);
	ok(open_fake(&k, text, KMD_TABLE + 1, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "more than 65536 bytes") != NULL, "65537 bytes");
}

static void
no_tables(void)
{
	struct npu_err err = { .msg = "" };
	struct kmd k = { .fd = -1 };
	char path[20];
	int ends[2];

	ok(kmd_open(&k, ROOT, "/none", &err) == NPU_ENODEV &&
	    err.detail == ENOENT && strstr(err.msg, ROOT "/none: ") != NULL,
	    "no such file");
	if (pipe(ends) < 0)
		exit(1);
	snprintf(path, sizeof(path), "/%d", ends[0]);
	ok(kmd_open(&k, ROOT, path, &err) == NPU_ENODEV,
	    "a pipe is not waited for");
	close(ends[0]);
	close(ends[1]);
}

static void
fake_answers(void)
{
	static const char text[] = ASK "02000000\n0x80084112 EIO\n";
	struct kmd k = { .fd = -1 };
	struct npu_err err = { .msg = "" };
	struct kmd_cap c;
	uint32_t v = 77;
	char version[20];

	ok(open_fake(&k, text, sizeof(text) - 1, &err) == 0 &&
	    kmd_query(&k, &c, &err) == NPU_EDEVICE && err.detail == ENOTTY,
	    "what a table does not list is ENOTTY");
	k.generation = KMD_424;
	ok(kmd_ask(&k, KMD_HW_STATUS, &v, 4, &err) == 0 &&
	    v == KMD_EXCEPTION, "what it lists is answered");
	ok(kmd_version(&k, version, sizeof(version), &err) == NPU_EDEVICE &&
	    err.detail == EIO && strstr(err.msg, "GET_DRIVER_VERSION") != NULL,
	    "or fails as it says");
	kmd_close(&k);
}

/* 5 ms idle, 15 ms busy, by the monotonic clock. */
static void
turns(void)
{
	static const char text[] = ASK "00000000*5 01000000*15\n";
	struct kmd k = { .fd = -1 };
	unsigned wrong = 0, seen[2] = { 0, 0 };
	uint64_t before, after;
	uint32_t v;

	if (open_fake(&k, text, sizeof(text) - 1, NULL) < 0)
		exit(1);
	k.generation = KMD_424;
	for (int i = 0; i < 200; i++) {
		usleep(500);
		before = clock_ns() / 1000000;
		if (kmd_ask(&k, KMD_HW_STATUS, &v, 4, NULL) < 0 || v > 1)
			exit(1);
		after = clock_ns() / 1000000;
		seen[v]++;
		wrong += after == before && v != (after % 20 >= 5);
	}
	if (!ok(wrong == 0 && seen[0] > 0 && seen[1] > 0,
	    "answers take turns by the clock"))
		diag("%u wrong of %u idle and %u busy", wrong, seen[0],
		    seen[1]);
	kmd_close(&k);
}

int
main(void)
{
	tables();
	limits();
	no_tables();
	fake_answers();
	turns();
	return done();
}
