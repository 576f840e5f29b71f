/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the kernel driver without the vendor's library: the ioctls of
 * /dev/aipu that change nothing.  Other ioctls cannot be issued: every request
 * comes from the table in kmd.c.
 */
#ifndef DIAGNOSE_KMD_H
#define DIAGNOSE_KMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

enum kmd_question {
	KMD_CAP,		/* layout depends on the generation; see
				   kmd_query() */
	KMD_PARTITIONS,		/* all partitions, one after the other */
	KMD_HW_STATUS,		/* u32: enum kmd_status */
	KMD_VERSION,		/* a string */
	KMD_CLUSTER_STATUS,	/* u32 cluster, u32 status, u32 idle cores */
	KMD_JOB_THREADS,	/* u32[32]: threads whose jobs run; 0: none */
};

/* Generations of the interface, in order.  The size of the answer to KMD_CAP,
 * which is part of the request, identifies the generation. */
enum kmd_generation {
	KMD_UNKNOWN,
	KMD_192,		/* Arm China 3.7 */
	KMD_424,		/* Arm China 3.8 to 4.0, CIX 5.11.0 */
	KMD_200,		/* Arm China 4.1 and 4.2, CIX 6 */
};

enum kmd_status { KMD_IDLE, KMD_BUSY, KMD_EXCEPTION };

enum {
	KMD_ROOM = 1024,	/* bytes of the longest answer */
	KMD_PARTS = 8,		/* most partitions, and clusters of one */
	KMD_TABLE = 1 << 16,	/* most bytes of a fake node */
	KMD_ROWS = 32,		/* most requests in a fake node */
	KMD_TURNS = 8,		/* most answers to one request */
	KMD_TURN_MS = 600000,	/* longest turn of an answer */
};

struct kmd_table;		/* a fake node's answers */

struct kmd {
	int fd;			/* -1: none */
	enum kmd_generation generation;
	/* ioctl(2), or a test's function; arg is a fake node's table. */
	int (*ioctl)(void *arg, int fd, unsigned long request, void *answer);
	void *arg;
	struct kmd_table *table;	/* owned */
};

struct kmd_cap {
	uint32_t partitions, clusters;
	uint32_t cores, enabled, tecs;	/* in all clusters */
	uint32_t isa;			/* of the first partition; 5: v3 */
	uint32_t gm_bytes[2];		/* shared on-chip memory */
	/* (of the first partition) */
	uint32_t first_clusters, cluster_cores[KMD_PARTS];
};

/*
 * Opens the node for reading.  Fails with errno as the detail.  Close with
 * kmd_close().
 *
 * With a root other than "" the node is a text file.  Each line has a request
 * and its answer, "0x81a84100 HEX" or "0x80c84100 ENOTTY"; requests that are
 * not listed fail with ENOTTY; "open EACCES" makes open(2) fail.  Several
 * answers to one request take turns by the clock, in a cycle, each for its
 * number of milliseconds: "0x8004410a 01000000*125 00000000*375".
 */
int kmd_open(struct kmd *k, const char *root, const char *node,
    struct npu_err *err);
void kmd_close(struct kmd *k);

/*
 * Copies the first size bytes of the answer to answer; bytes that the driver
 * does not write are 0.  answer also contains the input, the cluster of
 * KMD_CLUSTER_STATUS.  Fails with NPU_EUSAGE for a question that this
 * generation must not be asked; with NPU_EDEVICE, and errno as the detail, if
 * the driver refuses.
 */
int kmd_ask(struct kmd *k, enum kmd_question q, void *answer, size_t size,
    struct npu_err *err);

/* Finds the generation and its capability; call this before other questions. */
int kmd_query(struct kmd *k, struct kmd_cap *cap, struct npu_err *err);
/* Reads a version such as "5.11.0"; bytes that are not printable become '?'. */
int kmd_version(struct kmd *k, char *version, size_t size,
    struct npu_err *err);

/* Returns the size of a generation's capability in bytes; 0 for KMD_UNKNOWN. */
unsigned kmd_cap_bytes(enum kmd_generation g);

/* ---- A fake node ------------------------------------------------------- */

/* Parses a fake node's text.  Free *table with free(). */
int kmd_parse_table(const void *text, size_t size, struct kmd_table **table,
    struct npu_err *err);

#endif
