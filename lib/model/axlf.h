/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AXLF, the container of AMD's xclbin files: a header, a table of sections, and
 * the sections (xclbin(5)).  Layout: XRT 963c58ee,
 * src/runtime_src/core/include/xrt/detail/xclbin.h; observed in files of
 * xclbinutil 2.25.0.
 *
 * The reader returns what the file has, even if no device would run the file.
 * The caller owns the bytes; only fields and names are copied.
 */
#ifndef MODEL_AXLF_H
#define MODEL_AXLF_H

#include "base/bytes.h"
#include "npu.h"

enum {
	AXLF_HEADER = 0x1c8,		/* bytes before the table of sections */
	AXLF_SECTION_HEADER = 40,
	AXLF_MOST_SECTIONS = 10000,	/* libxrt refuses a file with more:
					   "unreasonable m_numSections" */
};

/* The kinds of sections that matter for an NPU. */
enum axlf_kind {
	AXLF_BITSTREAM = 0,
	AXLF_EMBEDDED_METADATA = 2,
	AXLF_MEM_TOPOLOGY = 6,
	AXLF_CONNECTIVITY = 7,
	AXLF_IP_LAYOUT = 8,
	AXLF_BUILD_METADATA = 14,
	AXLF_KEYVALUE_METADATA = 15,
	AXLF_USER_METADATA = 16,
	AXLF_PDI = 18,
	AXLF_SYSTEM_METADATA = 22,
	AXLF_GROUP_TOPOLOGY = 26,
	AXLF_GROUP_CONNECTIVITY = 27,
	AXLF_AIE_PARTITION = 32,
};

/* Offsets of the header's fields, in bytes. */
enum {
	AXLF_AT_SIGNATURE = 0x008,	/* i32; -1: not signed */
	AXLF_AT_KEYS = 0x028,		/* 256 bytes */
	AXLF_AT_UNIQUE = 0x128,		/* u64 */
	AXLF_AT_LENGTH = 0x130,		/* u64 */
	AXLF_AT_TIME = 0x138,		/* u64 */
	AXLF_AT_ROM_TIME = 0x140,	/* u64 */
	AXLF_AT_PATCH = 0x148,		/* u16 */
	AXLF_AT_MAJOR = 0x14a,
	AXLF_AT_MINOR = 0x14b,
	AXLF_AT_MODE = 0x14c,		/* u16 */
	AXLF_AT_INTERFACE = 0x150,	/* uuid */
	AXLF_AT_PLATFORM = 0x160,	/* text of 64 bytes */
	AXLF_AT_UUID = 0x1a0,
	AXLF_AT_DEBUG = 0x1b0,		/* text of 16 bytes */
	AXLF_AT_SECTIONS = 0x1c0,	/* u32 */
};

struct axlf {
	struct bytes file;
	uint64_t length;	/* of the file, according to the header */
	uint64_t time;		/* of creation: seconds since 1970 */
	uint8_t major, minor;	/* version of the program that wrote it */
	uint16_t patch;
	char platform[65];	/* "" in files for NPUs */
	uint8_t uuid[16];	/* in the order of its text form */
	uint32_t sections;	/* number according to the header */
};

/* Reads the header.  For other files, the message of NPU_EFORMAT says what they
 * are. */
int axlf_read(struct axlf *a, struct bytes file, struct npu_err *err);

struct axlf_section {
	uint32_t kind;		/* enum axlf_kind or another number */
	char name[17];
	uint64_t at, size;	/* according to the table */
	bool whole;		/* the file has all of its bytes */
	struct bytes data;	/* size bytes if whole; else empty */
};

/* Stores section i in *s.  Returns false if the table or the file ends before
 * it, or if i is AXLF_MOST_SECTIONS or more. */
bool axlf_section(const struct axlf *a, uint32_t i, struct axlf_section *s);
/* Finds the first section of the kind; further sections of the kind have no
 * effect.  Returns false if the file has no such section. */
bool axlf_find(const struct axlf *a, uint32_t kind, struct axlf_section *s);

/* Writes the text form: "c3ed9a7d-c812-a284-e0af-e07991e64e05". */
void axlf_uuid_text(const uint8_t uuid[16], char text[37]);

#endif
