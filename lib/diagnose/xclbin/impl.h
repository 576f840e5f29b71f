/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files here. */
#ifndef DIAGNOSE_XCLBIN_IMPL_H
#define DIAGNOSE_XCLBIN_IMPL_H

#include "diagnose/xclbin/xclbin.h"
#include "model/dpu_arguments.h"
#include "model/xclbin_units.h"

/* A kernel whose attributes passed the check of metadata. */
struct xclbin_kernel {
	const struct dpu_kernel *xml;	/* NULL: libxrt does not know it */
	struct dpu_arguments arguments;	/* ids are 0, 1, 2 and so on */
	/* Ids of the pointers: first the instructions, then the buffers, which
	 * an instruction stream counts in this order. */
	uint64_t *pointer;
	size_t instructions, buffers;
};

/* A file under examination. */
struct xclbin_case {
	const char *name;
	struct bytes file;
	const struct xclbin_stream *stream;	/* NULL: not asked for */
	struct npu_err header;		/* code 0: it could be read */
	struct xclbin x;
	/* What later checks need: these found nothing to fail. */
	bool sections, partition, metadata, layout;
	bool no_memory;
	bool mended;			/* a check has xclbin_mend()'s
					   command */
	struct xclbin_kernel *kernel;	/* for each of x.kernels; NULL: not
					   judged yet */
	const struct dpu_kernel *first;	/* that libxrt knows; NULL: none */
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

/* The section is there, and whole. */
bool xclbin_section(const struct xclbin_case *k, uint32_t kind,
    struct bytes *data);

/* Memory for n items of size bytes, zeroed; NULL after k->no_memory is set. */
void *xclbin_alloc(struct xclbin_case *k, size_t n, size_t size);

/* What is known of a kernel of x.kernels that passed the check of metadata. */
const struct xclbin_kernel *xclbin_kernel(const struct xclbin_case *k,
    const struct dpu_kernel *xml);

/* Judges the ids and the registers of a kernel's arguments, whose attributes
 * passed, and lists its pointers; false after a failure. */
bool xclbin_judge_arguments(struct xclbin_case *x, struct xclbin_kernel *k,
    const struct dpu_kernel *xml, struct health_check *c);

/*
 * Sets next to the command that adds all sections which the file lacks, by the
 * names that mlir-aie's aiecc gives their files, and writes a file beside it:
 * "xclbin-pack -i main.xclbin --add-kernel main_kernels.json -o
 * main-fixed.xclbin".  The first check that asks gets the command, which also
 * mends what later checks find; these get "".
 */
void xclbin_mend(struct xclbin_case *k, char next[HEALTH_NEXT]);

#endif
