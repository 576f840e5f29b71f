/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of this folder share. */
#ifndef DIAGNOSE_XCLBIN_IMPL_H
#define DIAGNOSE_XCLBIN_IMPL_H

#include "diagnose/xclbin/xclbin.h"
#include "model/dpu_arguments.h"
#include "model/xclbin_units.h"

/* A kernel whose attributes passed the check of metadata. */
struct xclbin_kernel {
	const struct dpu_kernel *xml;	/* NULL: libxrt skips it */
	struct dpu_arguments arguments;	/* ids are 0, 1, 2 and so on */
	/* Ids of the pointers: first the instructions, then the buffers.  An
	 * instruction stream numbers the buffers in this order. */
	uint64_t *pointer;
	size_t instructions, buffers;
};

/* A file under examination. */
struct xclbin_case {
	const char *name;
	struct bytes file;
	const struct xclbin_stream *stream;	/* NULL: no stream */
	struct npu_err header;		/* code 0: the header could be read */
	struct xclbin x;
	/* Checks that did not fail; later checks depend on them. */
	bool sections, partition, metadata, layout;
	bool no_memory;
	bool mended;			/* a check has the command of
					   xclbin_mend() */
	struct xclbin_kernel *kernel;	/* for each of x.kernels; NULL: not
					   judged yet */
	const struct dpu_kernel *first;	/* first kernel that libxrt accepts;
					   NULL: none */
	struct xclbin_units units;	/* if the layout passed */
};

struct xclbin_rule {
	const char *name;
	void (*check)(struct xclbin_case *k, struct health_check *c);
};

void xclbin_check_file(struct xclbin_case *k, struct health_check *c);
void xclbin_check_sections(struct xclbin_case *k, struct health_check *c);
void xclbin_check_partition(struct xclbin_case *k, struct health_check *c);
void xclbin_check_pdi(struct xclbin_case *k, struct health_check *c);
void xclbin_check_metadata(struct xclbin_case *k, struct health_check *c);
void xclbin_check_layout(struct xclbin_case *k, struct health_check *c);
void xclbin_check_kernel(struct xclbin_case *k, struct health_check *c);
void xclbin_check_memory(struct xclbin_case *k, struct health_check *c);

/* Needs k->stream. */
void xclbin_check_insts(const struct xclbin_case *k, struct health_check *c);

/* Finds a section that exists and is complete. */
bool xclbin_section(const struct xclbin_case *k, uint32_t kind,
    struct bytes *data);

/* Allocates n zeroed items of size bytes.  Sets k->no_memory and returns NULL
 * on failure. */
void *xclbin_alloc(struct xclbin_case *k, size_t n, size_t size);

/* Returns the data about a kernel of x.kernels that passed the check of
 * metadata. */
const struct xclbin_kernel *xclbin_kernel(const struct xclbin_case *k,
    const struct dpu_kernel *xml);

/* Judges the ids and the registers of the arguments of a kernel whose
 * attributes passed, and lists its pointers; returns false on failure. */
bool xclbin_judge_arguments(struct xclbin_case *x, struct xclbin_kernel *k,
    const struct dpu_kernel *xml, struct health_check *c);

/*
 * Sets next to the command that adds all missing sections and writes the result
 * to a file beside the original: "xclbin-pack -i main.xclbin --add-kernel
 * main_kernels.json -o main-fixed.xclbin".  The input files have the names that
 * mlir-aie's aiecc gives them.  The first check that calls this gets the
 * command, which also repairs what later checks find; later checks get "".
 */
void xclbin_mend(struct xclbin_case *k, char next[HEALTH_NEXT]);

#endif
