// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axlf.h"
#include "xml.h"

/* The sections of a file, in this order. */
enum { MEMORIES, PARTITION, METADATA, LAYOUT, CONNECTIONS, KEYS, UNKNOWN,
    SECOND, SECTIONS };
enum { HEADER = 0x1c8, ROW = 40, HEAD = 184, PDI = 96, GROUP = 96, MOST = 4 };

/* A file before it is written, and the offsets of its parts. */
struct file {
	const char *label, *second;	/* second NULL: one partition */
	const char *keys;
	void (*xml)(const struct axlfgen_xml *x, struct buf *b);
	struct axlfgen_xml kernels;
	uint32_t pdis;
	bool one_uuid;
	struct buf out;
	size_t at[SECTIONS], size[SECTIONS];	/* of each section */
	uint32_t pdi, group;		/* in the partition: offsets of the
					   first PDI's structure and of the last
					   group's */
};

/* ---- Bytes ------------------------------------------------------------- */

static void
pad(struct buf *b)
{
	while (b->n % 8 != 0)
		buf_add(b, "", 1);
}

static void
zeros(struct buf *b, size_t n)
{
	while (n-- > 0)
		buf_add(b, "", 1);
}

static void
set(struct buf *b, size_t at, uint64_t v, size_t n)
{
	memcpy(b->p + at, &v, n);
}

static void
add(struct buf *b, uint64_t v, size_t n)
{
	buf_add(b, &v, n);
}

/* ---- AIE_PARTITION ----------------------------------------------------- */

/* Adds a text at the next multiple of 8, and stores its offset at byte at. */
static void
add_text(struct buf *b, size_t at, const char *s)
{
	pad(b);
	set(b, at, b->n, 4);
	buf_add(b, s, strlen(s) + 1);
}

/* Adds n numbers, the first and then steps of step, and stores their count and
 * offset at byte at. */
static void
add_numbers(struct buf *b, size_t at, size_t size, uint64_t first,
    uint64_t step, uint32_t n)
{
	pad(b);
	set(b, at, n, 4);
	set(b, at + 4, b->n, 4);
	for (uint32_t i = 0; i < n; i++)
		add(b, first + i * step, size);
}

static void
add_image(struct buf *b, size_t at, uint32_t i)
{
	static const uint32_t marks[] = { 0xdd, 0x11223344, 0x55667788,
	    0x99aabbcc };

	pad(b);
	set(b, at, 64 + i, 4);
	set(b, at + 4, b->n, 4);
	buf_add(b, marks, sizeof(marks));
	for (uint32_t k = 16; k < 64 + i; k++)
		add(b, k * 7 + i, 1);
}

/* Fills the structure of PDI i, which is at pdi, and adds everything that it
 * refers to. */
static void
fill_pdi(struct file *f, struct buf *b, size_t pdi, uint32_t i)
{
	size_t group;

	for (int k = 0; k < 16; k++)
		set(b, pdi + k, k * 0x11 + (f->one_uuid ? 0 : i), 1);
	add_image(b, pdi + 16, i);
	pad(b);
	group = b->n;
	zeros(b, GROUP);
	set(b, pdi + 24, 1, 4);
	set(b, pdi + 28, group, 4);
	add_text(b, group, i == 0 ? "first" : "next");
	set(b, group + 4, i + 1, 1);
	set(b, group + 8, i + 1, 8);
	add_numbers(b, group + 16, 8, 0x901 + 2 * i, 1, 2);
	add_numbers(b, group + 24, 8, 0xc1, 1, i);
	f->group = (uint32_t)group;
}

static void
add_partition(struct file *f, struct buf *b, const char *label)
{
	zeros(b, HEAD);
	set(b, 8, 1024, 4);
	set(b, 16, 23423, 8);
	set(b, 24, 12345, 8);
	set(b, 32, 2, 2);
	add_text(b, 4, label);
	add_text(b, 128, "c0ffee");
	add_numbers(b, 40, 2, 0, 2, 3);
	pad(b);
	set(b, 120, f->pdis, 4);
	set(b, 124, b->n, 4);
	f->pdi = (uint32_t)b->n;
	zeros(b, (size_t)f->pdis * PDI);
	for (uint32_t i = 0; i < f->pdis; i++)
		fill_pdi(f, b, f->pdi + (size_t)i * PDI, i);
}

/* ---- The other sections ------------------------------------------------ */

static void
add_name(struct buf *b, const char *name, size_t n)
{
	char room[64] = "";

	snprintf(room, sizeof(room), "%s", name);
	buf_add(b, room, n);
}

static void
add_memories(struct buf *b)
{
	add(b, 2, 8);
	for (int i = 0; i < 2; i++) {
		add(b, i == 0 ? 0x102 : 1, 8);	/* DRAM, used; DDR4, not used */
		add(b, 0x10000 << i, 8);
		add(b, 0x4000000 << i, 8);
		add_name(b, i == 0 ? "HOST" : "SRAM", 16);
	}
}

static void
add_layout(const struct file *f, struct buf *b)
{
	const struct axlfgen_xml *k = &f->kernels;
	char name[32];

	add(b, k->kernels * k->instances, 8);
	for (uint32_t i = 0; i < k->kernels * k->instances; i++) {
		add(b, 7, 4);
		add(b, 1 | (0x901 + i) << 16, 4);
		add(b, i == 0 ? UINT64_MAX : 0x2000, 8);
		snprintf(name, sizeof(name), "K%u:I%u", i / k->instances,
		    i % k->instances);
		add_name(b, name, 64);
	}
}

static void
add_connections(struct buf *b)
{
	static const int32_t c[] = { 2, 1, 0, 0, 3, 0, 1 };

	buf_add(b, c, sizeof(c));
}

static void
add_section(struct file *f, int i, uint32_t kind, const char *name,
    const struct buf *b)
{
	size_t row = HEADER + (size_t)i * ROW;

	pad(&f->out);
	f->at[i] = f->out.n;
	f->size[i] = b->n;
	set(&f->out, row, kind, 4);
	memcpy(f->out.p + row + 4, name, strlen(name));
	set(&f->out, row + 24, f->out.n, 8);
	set(&f->out, row + 32, b->n, 8);
	buf_add(&f->out, b->p, b->n);
}

static void
build(struct file *f)
{
	static const uint32_t kind[SECTIONS] = { 6, 32, 2, 8, 7, 15, 99, 32 };
	struct buf part[SECTIONS] = { { .n = 0 } }, *out = &f->out;
	int n = f->second != NULL ? SECTIONS : SECOND;

	if (f->second != NULL)
		add_partition(f, &part[SECOND], f->second);
	add_memories(&part[MEMORIES]);
	add_partition(f, &part[PARTITION], f->label);
	f->xml(&f->kernels, &part[METADATA]);
	add_layout(f, &part[LAYOUT]);
	add_connections(&part[CONNECTIONS]);
	buf_puts(&part[KEYS], f->keys);
	buf_puts(&part[UNKNOWN], "99");
	buf_add(out, "xclbin2", 8);
	zeros(out, HEADER - 8 + (size_t)n * ROW);
	memset(out->p + 8, 0xff, 0x120);
	set(out, 0x138, 1700000000, 8);
	set(out, 0x148, 7, 2);
	set(out, 0x14a, 2, 1);
	set(out, 0x14b, 25, 1);
	for (int i = 0; i < 16; i++)
		set(out, 0x1a0 + (size_t)i, 0xf0 + i, 1);
	set(out, 0x1c0, n, 4);
	for (int i = 0; i < n; i++) {
		add_section(f, i, kind[i], i == 0 ? "memories" : "", &part[i]);
		buf_free(&part[i]);
	}
	set(out, 0x130, out->n, 8);
}

/* ---- Changes before the file is written -------------------------------- */

static void two(struct file *f) { f->pdis = f->kernels.kernels = 2; }
static void one_uuid(struct file *f) { f->pdis = 2; f->one_uuid = true; }
static void odd_label(struct file *f) { f->label = "caf\xe9\x1b[1m"; }
static void twice(struct file *f) { f->second = "other"; }
static void bad_keys(struct file *f) { f->keys = "{\"key_values\":[{}]}"; }
static void laughs(struct file *f) { f->xml = axlfgen_laughs; }
static void defaults(struct file *f) { f->xml = axlfgen_defaults; }
static void no_xml(struct file *f) { f->xml = axlfgen_cut; }
static void
pairs(struct file *f)
{
	f->kernels.kernels = 300;
	f->kernels.instances = 1;
}

/* ---- Damage after the file is written ---------------------------------- */

/* Sets n bytes at an offset in the partition. */
static void
damage(struct file *f, size_t at, uint64_t v, size_t n)
{
	set(&f->out, f->at[PARTITION] + at, v, n);
}

static void magic_1(struct file *f) { f->out.p[6] = '1'; }
static void no_nul(struct file *f) { f->out.p[7] = '3'; }
static void short_file(struct file *f) { f->out.n = 100; }
static void length_0(struct file *f) { set(&f->out, 0x130, 0, 8); }
static void no_time(struct file *f) { set(&f->out, 0x138, 0, 8); }
static void odd_time(struct file *f) { set(&f->out, 0x138, UINT64_MAX, 8); }
static void many(struct file *f) { set(&f->out, 0x1c0, UINT32_MAX, 4); }
static void far_name(struct file *f) { damage(f, 4, 1 << 20, 4); }
static void far_columns(struct file *f) { damage(f, 40, 1 << 30, 4); }
static void far_pdis(struct file *f) { damage(f, 120, UINT32_MAX, 4); }
static void far_groups(struct file *f) { damage(f, f->pdi + 24, 999, 4); }
static void far_image(struct file *f) { damage(f, f->pdi + 20, 99999, 4); }
static void far_ids(struct file *f) { damage(f, f->group + 16, 1 << 29, 4); }
static void odd_type(struct file *f) { damage(f, f->group + 4, 9, 1); }
static void
short_partition(struct file *f)
{
	set(&f->out, HEADER + PARTITION * ROW + 32, HEAD - 1, 8);
}
static void
far_section(struct file *f)
{
	set(&f->out, HEADER + PARTITION * ROW + 24, UINT64_MAX - 8, 8);
}
static void
count_99(struct file *f)
{
	set(&f->out, f->at[MEMORIES], 99, 4);
}

/* The kernel ids of the last group are the whole section. */
static void
overlap(struct file *f)
{
	damage(f, f->group + 16, f->size[PARTITION] / 8, 4);
	damage(f, f->group + 20, 0, 4);
}

/* Both PDIs are the same two thirds of the section. */
static void
overlap_images(struct file *f)
{
	for (uint32_t i = 0; i < 2; i++) {
		damage(f, f->pdi + i * PDI + 16, f->size[PARTITION] * 2 / 3, 4);
		damage(f, f->pdi + i * PDI + 20, 0, 4);
	}
}

/* 12,000 sections that are all the same partition, whose name has 400,000
 * bytes. */
static void
crowd(struct file *f)
{
	struct buf *b = &f->out;
	size_t head = HEADER + 12000 * ROW, n = 400000;

	b->n = HEADER;
	zeros(b, 12000 * ROW + HEAD + n);
	set(b, 0x1c0, 12000, 4);
	for (size_t at = HEADER; at < head; at += ROW) {
		set(b, at, 32, 4);
		set(b, at + 24, head, 8);
		set(b, at + 32, HEAD + n, 8);
	}
	set(b, head + 4, HEAD, 4);
	memset(b->p + head + HEAD, 'x', n - 1);
}

static const struct {
	const char *name;
	void (*change)(struct file *f);
	void (*damage)(struct file *f);
} rows[] = {
	{ "sound", NULL, NULL }, { "two", two, NULL }, { "twice", twice, NULL },
	{ "odd-label", odd_label, NULL }, { "no-time", NULL, no_time },
	{ "odd-time", NULL, odd_time }, { "odd-type", NULL, odd_type },
	{ "length-0", NULL, length_0 }, { "xclbin1", NULL, magic_1 },
	{ "no-nul", NULL, no_nul }, { "short", NULL, short_file },
	{ "many", NULL, many }, { "crowd", NULL, crowd },
	{ "far-section", NULL, far_section }, { "far-name", NULL, far_name },
	{ "short-partition", NULL, short_partition },
	{ "far-columns", NULL, far_columns }, { "far-pdis", NULL, far_pdis },
	{ "far-groups", NULL, far_groups }, { "far-image", NULL, far_image },
	{ "far-ids", NULL, far_ids }, { "count-99", NULL, count_99 },
	{ "one-uuid", one_uuid, NULL }, { "overlap", NULL, overlap },
	{ "overlap-images", two, overlap_images },
	{ "bad-keys", bad_keys, NULL }, { "laughs", laughs, NULL },
	{ "defaults", defaults, NULL }, { "cut-xml", no_xml, NULL },
	{ "pairs", pairs, NULL },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

const char *
axlfgen_name(size_t i)
{
	return i < ROWS ? rows[i].name : NULL;
}

void
axlfgen_make(size_t i, struct buf *out)
{
	struct file f = { .label = "", .pdis = 1, .xml = axlfgen_kernels,
	    .kernels = { .kernels = 1, .instances = 2 },
	    .keys = "{\"key_values\":[{\"key\":\"made by\","
	    "\"value\":\"\\\"a/b\\\"\"}]}" };

	if (rows[i].change != NULL)
		rows[i].change(&f);
	build(&f);
	if (rows[i].damage != NULL)
		rows[i].damage(&f);
	buf_add(out, f.out.p, f.out.n);
	out->failed |= f.out.failed;
	buf_free(&f.out);
}

void
axlfgen_named(const char *name, struct buf *out)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0) {
			axlfgen_make(i, out);
			return;
		}
	fprintf(stderr, "no such container: %s\n", name);
	exit(2);
}
