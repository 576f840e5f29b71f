// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "diagnose/kmd.h"
#include "diagnose/kmd_table.h"

enum { PARTITION = 128 };	/* bytes of a partition's description */

#define BIT(g) (1u << (g))
#define ALL (BIT(KMD_192) | BIT(KMD_424) | BIT(KMD_200))

/*
 * All questions that are ever asked (kernel-driver 6).  In older CIX drivers,
 * the numbers 24 and 25 are cache operations that differ only in size, so these
 * questions are only for the newest generation.  room: bytes that the driver
 * may write.  The driver copies the version and the partitions completely, even
 * if the request has a smaller size (noe-abi 9).
 */
static const struct question {
	enum kmd_question question;
	unsigned generations;
	uint32_t request;
	unsigned room;
	const char *name;
} questions[] = {
	{ KMD_CAP, BIT(KMD_424), 0x81a84100, 424, "QUERY_CAP" },
	{ KMD_CAP, BIT(KMD_200), 0x80c84100, 200, "QUERY_CAP" },
	{ KMD_CAP, BIT(KMD_192), 0x80c04100, 192, "QUERY_CAP" },
	{ KMD_PARTITIONS, ALL, 0x80804101, KMD_PARTS * PARTITION,
	    "QUERY_PARTITION_CAP" },
	{ KMD_HW_STATUS, ALL, 0x8004410a, 4, "GET_HW_STATUS" },
	{ KMD_VERSION, ALL, 0x80084112, 64, "GET_DRIVER_VERSION" },
	{ KMD_CLUSTER_STATUS, BIT(KMD_200), 0xc00c4118, 12,
	    "GET_CLUSTER_STATUS" },
	{ KMD_JOB_THREADS, BIT(KMD_200), 0x80804119, 128,
	    "GET_RUNNING_JOB_THREAD_ID" },
};

#define NQUESTIONS (sizeof(questions) / sizeof(*questions))

/* Offsets in the answer to QUERY_CAP, from the driver's public headers: Arm
 * China 3.7 (192 bytes), 4.0 (424), 4.1 and 4.2 (200). */
static const struct kmd_layout {
	unsigned gm, partition;
} layouts[] = {
	[KMD_192] = { 52, 64 },
	[KMD_424] = { 284, 296 },
	[KMD_200] = { 60, 72 },
};

/* ---- The node ---------------------------------------------------------- */

static int
real_ioctl(void *arg, int fd, unsigned long request, void *answer)
{
	(void)arg;
	return ioctl(fd, request, answer);
}

/* Opens the node only for reading, without waiting. */
static int
open_node(struct kmd *k, const char *node, struct npu_err *err)
{
	struct stat st;
	int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return npu_fail_detail(err, NPU_ENODEV, errno, "%s: %s", node,
		    strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode)) {
		close(fd);
		return npu_fail_detail(err, NPU_ENODEV, ENOTTY,
		    "%s: not a device node", node);
	}
	k->fd = fd;
	return 0;
}

int
kmd_open(struct kmd *k, const char *root, const char *node,
    struct npu_err *err)
{
	struct kmd o = { .fd = -1, .ioctl = real_ioctl };
	int rc;

	if (*root == '\0') {
		rc = open_node(&o, node, err);
	} else if ((rc = kmd_load_table(root, node, &o.table, err)) == 0) {
		o.ioctl = kmd_table_ioctl;
		o.arg = o.table;
	}
	if (rc == 0)
		*k = o;
	return rc;
}

void
kmd_close(struct kmd *k)
{
	if (k->fd >= 0)
		close(k->fd);
	free(k->table);
	*k = (struct kmd){ .fd = -1 };
}

/* ---- Questions --------------------------------------------------------- */

/* Asks with a buffer that is large enough for any answer. */
static int
issue(struct kmd *k, const struct question *q, void *answer, size_t size,
    struct npu_err *err)
{
	_Alignas(8) uint8_t room[KMD_ROOM] = { 0 };
	size_t n = size < q->room ? size : q->room;
	int rc;

	memcpy(room, answer, n);
	do {
		rc = k->ioctl(k->arg, k->fd, q->request, room);
	} while (rc < 0 && errno == EINTR);
	if (rc < 0)
		return npu_fail_detail(err, NPU_EDEVICE, errno, "%s (%#x): %s",
		    q->name, (unsigned)q->request, strerror(errno));
	memset(answer, 0, size);
	memcpy(answer, room, n);
	return 0;
}

int
kmd_ask(struct kmd *k, enum kmd_question q, void *answer, size_t size,
    struct npu_err *err)
{
	for (size_t i = 0; i < NQUESTIONS; i++)
		if (questions[i].question == q &&
		    (questions[i].generations & BIT(k->generation)) != 0)
			return issue(k, &questions[i], answer, size, err);
	return npu_fail(err, NPU_EUSAGE,
	    "question %u is not for a driver of generation %u", (unsigned)q,
	    (unsigned)k->generation);
}

unsigned
kmd_cap_bytes(enum kmd_generation g)
{
	for (size_t i = 0; i < NQUESTIONS; i++)
		if (questions[i].question == KMD_CAP &&
		    questions[i].generations == BIT(g))
			return questions[i].room;
	return 0;
}

/* Finds the generation whose request the driver accepts; *answer is its
 * capability. */
static int
find_generation(struct kmd *k, uint8_t answer[KMD_ROOM], struct npu_err *err)
{
	enum kmd_generation g;
	int rc = 0;

	for (size_t i = 0; i < NQUESTIONS; i++) {
		if (questions[i].question != KMD_CAP)
			continue;
		memset(answer, 0, KMD_ROOM);
		rc = issue(k, &questions[i], answer, KMD_ROOM, err);
		for (g = KMD_192; rc == 0 && g <= KMD_200; g++)
			if (questions[i].generations == BIT(g))
				k->generation = g;
		if (rc == 0 || (err->detail != ENOTTY &&
		    err->detail != EINVAL))
			return rc;
	}
	return npu_prefix(err, rc, "the driver knows none of the three "
	    "capability numbers");
}

/* Adds the clusters of a partition. */
static int
add_partition(const uint8_t *p, unsigned index, struct kmd_cap *c,
    struct npu_err *err)
{
	struct bytes b = { p, PARTITION };
	uint32_t isa, clusters, v[3];

	bytes_u32(b, 8, &isa);
	bytes_u32(b, 24, &clusters);
	if (clusters > KMD_PARTS)
		return npu_fail(err, NPU_EFORMAT, "partition %u: %u clusters, "
		    "but at most %u are known", index, clusters, KMD_PARTS);
	for (uint32_t i = 0; i < clusters; i++) {
		bytes_get(b, 28 + 12 * i, v, sizeof(v));
		for (int k = 0; k < 3; k++)
			if (v[k] > UINT16_MAX)
				return npu_fail(err, NPU_EFORMAT,
				    "partition %u, cluster %u: %u cores or "
				    "TECs, but at most %u are known", index, i,
				    v[k], UINT16_MAX);
		c->cores += v[0];
		c->enabled += v[1];
		c->tecs += v[0] * v[2];
		if (index == 0)
			c->cluster_cores[i] = v[0];
	}
	c->clusters += clusters;
	if (index == 0) {
		c->isa = isa;
		c->first_clusters = clusters;
	}
	return 0;
}

static int
add_partitions(struct kmd *k, const uint8_t *first, struct kmd_cap *c,
    struct npu_err *err)
{
	uint8_t all[KMD_PARTS * PARTITION] = { 0 };
	int rc;

	if (c->partitions == 0 || c->partitions > KMD_PARTS)
		return npu_fail(err, NPU_EFORMAT, "the driver has %u "
		    "partitions, but 1 to %u are known", c->partitions,
		    KMD_PARTS);
	memcpy(all, first, PARTITION);
	if (c->partitions > 1 && (rc = kmd_ask(k, KMD_PARTITIONS, all,
	    sizeof(all), err)) < 0)
		return rc;
	for (unsigned i = 0; i < c->partitions; i++)
		if ((rc = add_partition(all + i * PARTITION, i, c, err)) < 0)
			return rc;
	return 0;
}

int
kmd_query(struct kmd *k, struct kmd_cap *cap, struct npu_err *err)
{
	struct kmd_cap c = { 0 };
	uint8_t answer[KMD_ROOM];
	struct npu_err why = { .msg = "" };	/* the driver's error for an
						   unknown request */
	const struct kmd_layout *l;
	int rc;

	if ((rc = find_generation(k, answer, &why)) == 0) {
		l = &layouts[k->generation];
		memcpy(&c.partitions, answer, sizeof(c.partitions));
		memcpy(c.gm_bytes, answer + l->gm, sizeof(c.gm_bytes));
		rc = add_partitions(k, answer + l->partition, &c, &why);
	}
	if (rc == 0)
		*cap = c;
	else if (err != NULL)
		*err = why;
	return rc;
}

int
kmd_version(struct kmd *k, char *version, size_t size, struct npu_err *err)
{
	char text[64];
	int rc = 0;

	memset(text, 0, sizeof(text));
	rc = kmd_ask(k, KMD_VERSION, text, sizeof(text) - 1, err);
	if (rc < 0)
		return rc;
	for (char *s = text; *s != '\0'; s++)
		if (*s < ' ' || *s > '~')
			*s = '?';
	snprintf(version, size, "%s", text);
	return 0;
}
