/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a container in every way, for the target axlf and a unit test: calls
 * every accessor, makes both forms of xclbin-info's output, and prints each
 * section as JSON.
 */
#ifndef TESTS_FUZZ_AXLFREAD_H
#define TESTS_FUZZ_AXLFREAD_H

#include <stdlib.h>

#include "model/axlf_names.h"
#include "model/xclbin_units.h"
#include "xclbin-info/info.h"
#include "xclbin/dump.h"

static volatile uint64_t axlfread_sink;

static inline void
axlfread_must(bool cond, const char *what)
{
	if (!cond) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

static inline void
axlfread_bytes(struct bytes b)
{
	for (size_t i = 0; i < b.n; i++)
		axlfread_sink += b.p[i];
}

static inline void
axlfread_string(const char *s)
{
	axlfread_sink += s != NULL ? strlen(s) : 0;
}

/* The output may be 64 times as long as the file, plus space for 65536
 * instances of 64 bytes, where each byte may become 6 bytes. */
static inline void
axlfread_judge(const struct buf *b, size_t bytes)
{
	axlfread_must(!b->failed, "memory suffices");
	axlfread_must(b->n / 64 <= bytes + 65536 * 6 + 64,
	    "the length of the output");
}

static inline void
axlfread_group(const struct axlf_partition *p, const struct axlf_group *g)
{
	struct bytes text;
	uint64_t number;

	if (axlf_text(p, g->name_at, &text))
		axlfread_bytes(text);
	axlf_name(&axlf_groups, g->type);
	for (uint32_t i = 0; axlf_number_of(p, &g->kernels, i, &number); i++)
		axlfread_sink += number;
	for (uint32_t i = 0; axlf_number_of(p, &g->before, i, &number); i++)
		axlfread_sink += number;
}

static inline void
axlfread_partition(const struct axlf_partition *p)
{
	struct axlf_group g;
	struct axlf_pdi pdi;
	struct bytes b;
	uint16_t column;

	for (uint32_t i = 0; axlf_column(p, i, &column); i++)
		axlfread_sink += column;
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++) {
		if (axlf_image(p, &pdi, &b) && b.n > 0)
			axlfread_sink += (uint64_t)b.p[0] + b.p[b.n - 1];
		for (uint32_t k = 0; axlf_group(p, &pdi, k, &g); k++)
			axlfread_group(p, &g);
	}
}

static inline void
axlfread_lists(struct bytes data)
{
	struct axlf_list l = axlf_memory_list(data);

	for (uint32_t i = 0; i < l.n; i++)
		axlfread_string(axlf_memory(&l, i).tag);
	l = axlf_ip_list(data);
	for (uint32_t i = 0; i < l.n; i++) {
		struct axlf_ip ip = axlf_ip(&l, i);

		axlfread_sink += axlf_ip_is_of(&ip, "MLIR_AIE");
	}
	l = axlf_connection_list(data);
	for (uint32_t i = 0; i < l.n; i++)
		axlfread_sink += (uint64_t)axlf_connection(&l, i).memory;
}

static inline void
axlfread_section(const struct axlf_section *s, size_t bytes)
{
	struct json j = { .pretty = true };
	struct npu_err err;

	axlfread_must(s->whole ? s->data.n == s->size : s->data.n == 0,
	    "a section has all of its bytes, or none");
	if (!s->whole)
		return;
	axlfread_lists(s->data);
	if (xclbin_can_dump(s->kind) && xclbin_dump(&j, s, &err) == 0)
		axlfread_must(j.depth == 0, "the dump is whole");
	axlfread_judge(&j.out, bytes);
	json_free(&j);
}

static inline void
axlfread_kernels(const struct dpu_kernels *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct dpu_kernel *k = &all->kernel[i];

		axlfread_must(all->core, "kernels belong to a core");
		axlfread_sink += dpu_kernel_counts(k);
		axlfread_string(k->name);
		for (size_t n = 0; n < k->instances; n++)
			axlfread_string(k->instance[n]);
		for (size_t n = 0; n < k->arguments; n++) {
			axlfread_string(k->argument[n].name);
			axlfread_string(k->argument[n].host_size);
		}
	}
}

/* Finds the units if all kernels have a name. */
static inline void
axlfread_units(const struct xclbin *x)
{
	struct xclbin_units u;

	for (size_t i = 0; i < x->kernels.n; i++)
		if (x->kernels.kernel[i].name == NULL)
			return;
	if (xclbin_find_units(&u, x) < 0)
		abort();
	axlfread_must(u.n <= XCLBIN_UNITS, "units are bounded");
	for (size_t i = 0; i < u.n; i++) {
		struct axlf_ip ip = axlf_ip(&x->ips, u.unit[i].entry);

		axlfread_must(axlf_ip_is_of(&ip, u.unit[i].kernel->name),
		    "an entry belongs to its kernel");
	}
}

/* Reads the whole file.  Returns false if the header is refused. */
static inline bool
axlfread(struct bytes file)
{
	struct info_file f = { .name = "f", .bytes = file.n };
	struct json j = { .pretty = true };
	struct axlf_section s;
	struct npu_err err;
	struct buf b = { 0 };

	if (xclbin_read(&f.x, file, &err) < 0) {
		axlfread_must(*err.msg != '\0', "a refusal has a reason");
		xclbin_free(&f.x);
		return false;
	}
	/*
	 * Sections may overlap.  Reading more sections than real files have
	 * would take too long.
	 */
	for (uint32_t i = 0; i < 64 && axlf_section(&f.x.axlf, i, &s); i++)
		axlfread_section(&s, file.n);
	if (f.x.has_partition) {
		axlfread_partition(&f.x.partition);
		info_partition_fault(&f.x.partition, &err);
	}
	axlfread_kernels(&f.x.kernels);
	axlfread_units(&f.x);
	info_text(&b, &f);
	axlfread_judge(&b, file.n);
	info_json(&j, &f);
	axlfread_must(j.depth == 0, "the document is whole");
	axlfread_judge(&j.out, file.n);
	json_free(&j);
	buf_free(&b);
	xclbin_free(&f.x);
	return true;
}

#endif
