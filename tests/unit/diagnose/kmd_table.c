// SPDX-License-Identifier: Apache-2.0
/* A fake node of the kernel driver: its table, valid and damaged, and its
 * answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "diagnose/kmd.h"
#include "tap.h"

/* The folder of a fake node in memory.  Its path is below this root. */
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
	{ "a valid table is accepted",
	    "# a node\n\n \t\n" ASK "01000000\n", NULL },
	{ "a last line without a line end is accepted",
	    ASK "\t01000000 ", NULL },
	{ "an errno as the answer is accepted", ASK "EIO\n", NULL },
	{ "TABs between fields are accepted",
	    "0x8004410a\t01000000\t\n", NULL },
	{ "an answer with '!' is refused",
	    ASK "0!\n", "pairs of digits 0 to f" },
	{ "a time that is not a number is refused",
	    ASK "00*x\n", "from 1 to 600000 ms" },
	{ "an answer of 2048 digits is accepted", ASK T2048 "\n", NULL },
	{ "an empty table is accepted", "", NULL },
	{ "an answer of 2050 digits is refused",
	    ASK T2048 "00\n", "2050 digits, but at most 2048" },
	{ "an answer with half a byte is refused",
	    ASK "010\n", "line 1: the answer to 0x8004410a" },
	{ "an answer with a letter that is not a digit is refused",
	    "\n" ASK "0g\n", "line 2: the answer to 0x8004410a" },
	{ "an answer in upper case is refused",
	    ASK "0A\n", "pairs of digits 0 to f" },
	{ "a request without an answer is refused",
	    ASK "\n", "the answer to 0x8004410a" },
	{ "an unknown errno is refused", ASK "EWHAT\n", "nor a known error" },
	{ "a request of 7 digits is refused", "0x8004410 00\n", "8 digits" },
	{ "a request of 9 digits is refused", "0x8004410a0 00\n", "8 digits" },
	{ "a request without 0x is refused", "8004410a00 00\n", "8 digits" },
	{ "a request with a letter that is not a digit is refused",
	    "0x8004410z 00\n", "8 digits" },
	{ "a second line for a request is refused",
	    ASK "00\n" ASK "01\n", "line 2: 0x8004410a is there twice"
	    },
	{ "answers that take turns are accepted",
	    ASK "01000000*125  EIO*375 \n", NULL },
	{ "8 answers that take turns are accepted", ASK T8 "\n", NULL },
	{ "9 answers that take turns are refused",
	    ASK T8 " 00*1\n", "0x8004410a has more than 8 answers" },
	{ "a single answer with a time is accepted", ASK "01000000*1\n", NULL },
	{ "an answer without a time before another is refused",
	    ASK "00*1 01\n", "says for how long" },
	{ "a time of 0 ms is refused",
	    ASK "00*0 01*1\n", "from 1 to 600000 ms" },
	{ "a time above 600000 ms is refused",
	    ASK "00*600001\n", "from 1 to 600000 ms" },
	{ "a time with a unit is refused",
	    ASK "00*1s\n", "from 1 to 600000 ms" },
	{ "a time without an answer is refused",
	    ASK "*1\n", "nor a known error" },
	{ "two times for an answer are refused",
	    ASK "00*1*1\n", "from 1 to 600000 ms" },
	{ "open without an errno is refused",
	    "open\n", "the error of open is not known" },
	{ "open with bytes is refused",
	    "open 00\n", "the error of open is not known" },
	{ "open with an errno fails with this errno",
	    "open EACCES\n", ": Permission denied" },
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
	ok(open_fake(&k, text, n, &err) == 0,
	    "a table of 32 requests is accepted");
	kmd_close(&k);
	n += (size_t)sprintf(text + n, "0x00004120 00\n");
	ok(open_fake(&k, text, n, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "line 33: more than 32") != NULL, "a table of 33 "
	    "requests is refused");
	memset(text, '\n', sizeof(text));
	ok(open_fake(&k, text, KMD_TABLE, &err) == 0,
	    "a table of 65536 bytes is accepted");
	kmd_close(&k);
	ok(open_fake(&k, text, KMD_TABLE + 1, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "more than 65536 bytes") != NULL, "a table of "
	    "65537 bytes is refused");
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
	    "a missing file fails with ENOENT");
	if (pipe(ends) < 0)
		exit(1);
	snprintf(path, sizeof(path), "/%d", ends[0]);
	ok(kmd_open(&k, ROOT, path, &err) == NPU_ENODEV,
	    "a pipe is refused without waiting");
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
	    "a request that the table does not list fails with ENOTTY");
	k.generation = KMD_424;
	ok(kmd_ask(&k, KMD_HW_STATUS, &v, 4, &err) == 0 &&
	    v == KMD_EXCEPTION, "a request that the table lists is answered");
	ok(kmd_version(&k, version, sizeof(version), &err) == NPU_EDEVICE &&
	    err.detail == EIO && strstr(err.msg, "GET_DRIVER_VERSION") != NULL,
	    "a request that the table lists with an errno fails with it");
	kmd_close(&k);
}

/* The NPU is idle for 5 ms and busy for 15 ms in turn, by the monotonic
 * clock. */
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
	    "answers take turns at the right times"))
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
