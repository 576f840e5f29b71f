/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files here. */
#ifndef DIAGNOSE_XCLBIN_IMPL_H
#define DIAGNOSE_XCLBIN_IMPL_H

#include "diagnose/xclbin/xclbin.h"
#include "model/xclbin.h"

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
	const struct dpu_kernel **kernel;	/* sorted by name; those that
						   libxrt knows */
	size_t kernels;
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

/* The kernel of an entry of IP_LAYOUT; NULL: there is none of that name. */
const struct dpu_kernel *xclbin_kernel_of(const struct xclbin_case *k,
    const struct axlf_ip *ip);

/* The number of an argument that passed the check of metadata; false: it has
 * none. */
bool xclbin_argument_id(const struct dpu_argument *a, uint64_t *id);

/* The ids of the arguments that are a kernel's buffers, in order: those that an
 * instruction stream counts. */
struct xclbin_buffers {
	unsigned n;
	uint64_t id[TXN_BUFFERS];
};

/* Of a kernel that passed the check of metadata. */
void xclbin_find_buffers(const struct dpu_kernel *kernel,
    struct xclbin_buffers *b);

/*
 * A command that packs the file again with OPTIONS, into a file beside it:
 * "xclbin-pack -i main.xclbin OPTIONS -o main-fixed.xclbin".
 */
void xclbin_pack_command(const struct xclbin_case *k, const char *options,
    char next[HEALTH_TEXT]);

#define XCLBIN_ADD_BANKS \
	"--add-section MEM_TOPOLOGY:JSON:main_mem_topology.json"

/* The command that adds the kernels, after what --add-kernel makes has been
 * removed; and the topology, which it needs. */
void xclbin_kernels_command(const struct xclbin_case *k,
    char next[HEALTH_TEXT]);

#endif
