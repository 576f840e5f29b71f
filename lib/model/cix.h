/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model file: a .cix container and the graph ELFs in it (cix(5); noe-abi 7
 * and 8).  These functions turn bytes into descriptions; they do not use a
 * file, device or library.  All checks of noe-abi 8 are made before any byte is
 * trusted, because the vendor library crashes on most damaged files (noe-abi
 * 1.1).
 */
#ifndef MODEL_CIX_H
#define MODEL_CIX_H

#include "base/buf.h"
#include "base/bytes.h"
#include "model/check.h"
#include "npu.h"

/* The maximum size of a model file: the container's offsets have 32 bits. */
#define CIX_LARGEST ((size_t)4 << 30)

/* ISA numbers of compilermsg.device (noe-abi 8.1). */
enum {
	CIX_ISA_X2 = 5,
	CIX_ISA_EMULATOR = 15,	/* ours; hardware does not have it
				 * (architecture, The emulator) */
};

/* compilermsg.device of a model that only the emulator runs. */
#define CIX_DEVICE_EMULATOR (CIX_ISA_EMULATOR << 16 | 1204)

/* The kind of a sub-section of a feature-map list (noe-abi 8.2). */
enum cix_kind {
	CIX_INPUT = 0,
	CIX_OUTPUT = 1,
	CIX_DUMP = 2,
	CIX_INTERMEDIATE = 3,
	CIX_CONSTANT = 4,
	CIX_PROFILE = 10,
	CIX_PRINTF = 12,
	CIX_LAYER_COUNTER = 13,
	CIX_ERROR_CODE = 14,
	CIX_ZEROCOPY_CONSTANT = 15,
	CIX_OUT_SHAPE = 16,
	CIX_SEGMMU = 255,
};

struct cix_tensor {
	struct npu_tensor desc;	/* scale as in the file, even if 0; name and
				 * shape from the container, if it has them and
				 * they agree with the size */
	uint32_t kind;		/* enum cix_kind */
	uint32_t id;		/* index within its kind */
};

/* One subgraph of the container. */
struct cix_graph {
	char name[NPU_MAX_NAME];
	uint32_t backend;	/* 0 cpu, 1 npu, 2 gpu; ignored by the
				 * library */
	uint64_t offset, size;	/* of its blob in the file, bytes */
	bool is_npu;		/* a graph ELF; members below are set */
	uint32_t isa, config, arch, revision;	/* compilermsg.device */
	char target[16];	/* "X2_1204", "emulator", "isa7_0001" */
	struct { uint32_t major, minor, number; } build;
	uint32_t file_version;
	bool dynamic_shape;
	/* Bytes of sections and notes in the file ... */
	uint64_t text, rodata_section, data, note;
	uint64_t rodata, desc, weight;
	/*
	 * ... and of memory on the device (noe-abi 9).  Once per model:
	 * load_memory = text + rodata_section + static sections.  Once per job:
	 * job_memory = rodata + desc + reuse + TECs x (stack + private_data),
	 * with the 4 TECs of a core of the Sky1.  Both are lower bounds: the
	 * driver adds pages and task blocks.
	 */
	uint64_t stack, reuse, private_data;
	uint64_t load_memory, job_memory;
	uint32_t subgraphs;	/* entries of the subgraphs note */
	/*
	 * Inputs, outputs, then the other kinds in rising order.  A tensor of
	 * kind 0, 1, 2 or 16 has its id as index in its kind.  If the ids are
	 * not exactly 0 to n - 1, the order is the same as in the library
	 * (tensor_order.c).  Other kinds are in file order.
	 */
	struct cix_tensor *tensors;
	size_t n_tensors;
	uint32_t n_inputs, n_outputs;	/* at the start of tensors */
	struct bytes twin;	/* the ONNX model that cix-pack added; n 0:
				 * absent; points into the parsed bytes */
	struct bytes elf;	/* the blob; points into the same bytes */
	struct bytes params;	/* the rodata note; points into the same bytes;
				 * n 0: absent */
	int deferred;		/* the first check of kind CIX_LATE that
				 * cix_parse_lenient() or cix_parse_graph()
				 * skipped, or CIX_SOUND */
};

struct cix_model {
	char name[NPU_MAX_NAME];
	int32_t version[3];
	bool draft;
	char builder[80];	/* the "AIPUBuilder ..." text, or "" */
	struct cix_graph *graphs;	/* at least one; the library runs the
					 * first */
	size_t n_graphs;
};

/*
 * Describes the container in file.  All data is copied except twin, elf and
 * params.  Fails with NPU_EFORMAT and an enum cix_check in err->detail.  Does
 * not check whether a device runs the target and ISA; lib/device decides that.
 * Free with cix_free().
 */
int cix_parse(struct bytes file, struct cix_model *m, struct npu_err *err);

/*
 * Does the same with the checks of library 2.0.2, for the emulator: checks of
 * kind CIX_LATE do not fail but set graph.deferred, checks of kind CIX_OURS are
 * left out, and only the first subgraph must be valid.
 */
int cix_parse_lenient(struct bytes file, struct cix_model *m,
    struct npu_err *err);

/* Does the same for a bare graph ELF, which noe_load_graph_helper() loads.
 * Free with cix_graph_free(). */
int cix_parse_graph(struct bytes elf, struct cix_graph *g,
    struct npu_err *err);

void cix_free(struct cix_model *m);
void cix_graph_free(struct cix_graph *g);

/* ---- Writing: cix-pack ------------------------------------------------ */

struct cix_pack {
	const char *name;		/* the model's name */
	const struct npu_tensor *inputs, *outputs;
	size_t n_inputs, n_outputs;
	struct bytes twin;		/* the ONNX file; n 0: absent */
	uint32_t device;		/* compilermsg.device */
};

/* Writes a container with one graph ELF that passes cix_parse(). */
int cix_write(const struct cix_pack *p, struct buf *out, struct npu_err *err);

#endif
