/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AXLF, the container of AMD's xclbin files: a header, a table of sections, the
 * sections (xclbin(5)).  Layout: XRT 963c58ee,
 * src/runtime_src/core/include/xrt/detail/xclbin.h; seen in files of xclbinutil
 * 2.25.0.
 *
 * A reader shows what is there, even in a file that no device would run.  Bytes
 * belong to the caller; only fields and names are copied.
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

/* The kinds of sections that mean something for an NPU. */
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

/* Offsets of the header's fields; bytes. */
enum {
	AXLF_AT_SIGNATURE = 0x008,	/* i32; -1: none */
	AXLF_AT_KEYS = 0x028,		/* 256 */
	AXLF_AT_UNIQUE = 0x128,		/* u64 */
	AXLF_AT_LENGTH = 0x130,		/* u64 */
	AXLF_AT_TIME = 0x138,		/* u64 */
	AXLF_AT_ROM_TIME = 0x140,	/* u64 */
	AXLF_AT_PATCH = 0x148,		/* u16 */
	AXLF_AT_MAJOR = 0x14a,
	AXLF_AT_MINOR = 0x14b,
	AXLF_AT_MODE = 0x14c,		/* u16 */
	AXLF_AT_INTERFACE = 0x150,	/* uuid */
	AXLF_AT_PLATFORM = 0x160,	/* text of 64 */
	AXLF_AT_UUID = 0x1a0,
	AXLF_AT_DEBUG = 0x1b0,		/* text of 16 */
	AXLF_AT_SECTIONS = 0x1c0,	/* u32 */
};

struct axlf {
	struct bytes file;
	uint64_t length;	/* of the file, as the header states it */
	uint64_t time;		/* when it was made: seconds since 1970 */
	uint8_t major, minor;	/* version of the program that made it */
	uint16_t patch;
	char platform[65];	/* "" in files for NPUs */
	uint8_t uuid[16];	/* in the order in which it is printed */
	uint32_t sections;	/* as the header states it */
};

/* Reads the header.  NPU_EFORMAT says what the bytes are instead. */
int axlf_read(struct axlf *a, struct bytes file, struct npu_err *err);

struct axlf_section {
	uint32_t kind;		/* enum axlf_kind or another number */
	char name[17];
	uint64_t at, size;	/* as stated */
	bool whole;		/* the file has all of it */
	struct bytes data;	/* whole: size bytes; else none */
};

/* Gets the i-th section; false if the table or the file ends before, or i is
 * AXLF_MOST_SECTIONS or more. */
bool axlf_section(const struct axlf *a, uint32_t i, struct axlf_section *s);
/* Finds the first section of that kind, the only one that counts; false if no
 * section has the kind. */
bool axlf_find(const struct axlf *a, uint32_t kind, struct axlf_section *s);

/* "c3ed9a7d-c812-a284-e0af-e07991e64e05" */
void axlf_uuid_text(const uint8_t uuid[16], char text[37]);

#endif
