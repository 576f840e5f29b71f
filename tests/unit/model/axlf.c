// SPDX-License-Identifier: Apache-2.0
/* Reads containers made by mkaxlf.  Fields and sizes are described in
 * xclbin(5). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/axlf_names.h"
#include "model/foreign.h"
#include "model/xclbin.h"
#include "tap.h"
#include "tools/axlfgen/axlf.h"

static struct bytes
make(const char *name, struct buf *b)
{
	buf_clear(b);
	axlfgen_named(name, b);
	return (struct bytes){ (uint8_t *)b->p, b->n };
}

static struct bytes
text_bytes(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static bool
is_text(struct bytes b, const char *s)
{
	return b.n == strlen(s) && memcmp(b.p, s, b.n) == 0;
}

/* ---- Header and table -------------------------------------------------- */

static void
header(void)
{
	struct buf b = { 0 };
	struct axlf a;
	char uuid[37];

	ok(axlf_read(&a, make("sound", &b), NULL) == 0, "a sound file is read");
	axlf_uuid_text(a.uuid, uuid);
	ok(strcmp(uuid, "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff") == 0,
	    "the uuid is printed in the order of its bytes");
	ok(a.major == 2 && a.minor == 25 && a.patch == 7,
	    "the patch level precedes the major and minor version");
	ok(a.time == 1700000000 && a.length == b.n && a.sections == 7 &&
	    *a.platform == '\0',
	    "time, length, number of sections and platform are read");
	memset(b.p + 0x160, 'p', 64);
	ok(axlf_read(&a, (struct bytes){ (uint8_t *)b.p, b.n }, NULL) == 0 &&
	    strlen(a.platform) == 64,
	    "a platform name of 64 bytes needs no NUL");
	buf_free(&b);
}

static void
refusals(void)
{
	static const struct {
		const char *start, *says;
	} rows[] = {
		{ "", "empty" },
		{ "version https://git-lfs.github.com/spec/v1\n",
		    "not an xclbin, but a Git LFS pointer (git lfs pull)" },
		{ " \n<!DOCTYPE html>", "not an xclbin, but a web page" },
		{ "xclbin1", "not an xclbin, but a container of the first "
		    "form, xclbin1" },
		{ "xclbin2", "not an xclbin: no NUL follows 'xclbin2'" },
		{ "xclbin23", "not an xclbin: no NUL follows 'xclbin2'" },
		{ "\x7f" "ELF\1", "not an xclbin, but an ELF file" },
		{ "PK\3\4", "not an xclbin, but a zip archive" },
		{ "xclbi", "not an xclbin: does not begin with 'xclbin2'" },
	};
	uint8_t cut[AXLF_HEADER - 1] = "xclbin2";
	struct npu_err err;
	struct axlf a;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!ok(axlf_read(&a, text_bytes(rows[i].start), &err) ==
		    NPU_EFORMAT && strcmp(err.msg, rows[i].says) == 0,
		    "a file with a wrong beginning is refused: %.20s",
		    rows[i].says))
			diag("%s", err.msg);
	ok(axlf_read(&a, (struct bytes){ cut, sizeof(cut) }, &err) ==
	    NPU_EFORMAT && strcmp(err.msg, "455 bytes are too few: the header "
	    "has 456") == 0, "a header that lacks one byte is refused");
}

static void
table(void)
{
	struct buf b = { 0 };
	struct axlf_section s;
	struct axlf a;
	uint32_t n = 0;

	axlf_read(&a, make("sound", &b), NULL);
	ok(axlf_section(&a, 0, &s) && s.kind == AXLF_MEM_TOPOLOGY &&
	    strcmp(s.name, "memories") == 0 && s.size == 88 && s.whole &&
	    s.data.n == 88 && s.data.p == (uint8_t *)b.p + s.at,
	    "a section's data points into the file's bytes");
	ok(axlf_section(&a, 6, &s) && s.kind == 99 && s.whole &&
	    !axlf_section(&a, 7, &s),
	    "the last section is returned, although its kind is unknown");
	ok(axlf_find(&a, AXLF_IP_LAYOUT, &s) && s.size == 8 + 2 * 80 &&
	    !axlf_find(&a, AXLF_PDI, &s), "a section is found by its kind");
	axlf_read(&a, make("twice", &b), NULL);
	ok(axlf_find(&a, AXLF_AIE_PARTITION, &s) && axlf_section(&a, 1, &s) &&
	    s.kind == AXLF_AIE_PARTITION,
	    "of two sections of one kind, the first is found");
	axlf_read(&a, make("far-section", &b), NULL);
	ok(axlf_section(&a, 1, &s) && !s.whole && s.data.n == 0 &&
	    s.at == UINT64_MAX - 8,
	    "a section whose offset plus size wraps around is not in the file");
	axlf_read(&a, make("many", &b), NULL);
	while (axlf_section(&a, n, &s))
		n++;
	ok(a.sections == UINT32_MAX && n == (b.n - AXLF_HEADER) / 40,
	    "a table with too large a count ends at the end of the file");
	axlf_read(&a, make("crowd", &b), NULL);
	for (n = 0; axlf_section(&a, n, &s);)
		n++;
	ok(a.sections == 12000 && n == 10000,
	    "at most 10000 sections are returned");
	buf_free(&b);
}

/* ---- Lists ------------------------------------------------------------- */

static struct axlf_list
list_of(const struct axlf *a, uint32_t kind,
    struct axlf_list (*list)(struct bytes data))
{
	struct axlf_section s = { .kind = 0 };

	axlf_find(a, kind, &s);
	return list(s.data);
}

static void
lists(void)
{
	struct buf b = { 0 };
	struct axlf_connection c;
	struct axlf_memory m;
	struct axlf_list l;
	struct axlf_ip ip;
	struct axlf a;

	axlf_read(&a, make("sound", &b), NULL);
	l = list_of(&a, AXLF_MEM_TOPOLOGY, axlf_memory_list);
	m = axlf_memory(&l, 1);
	ok(l.count == 2 && l.n == 2 && m.type == 1 && m.used == 0 &&
	    m.kib == 0x20000 && m.base == 0x8000000 &&
	    strcmp(m.tag, "SRAM") == 0, "all fields of a memory are read");
	l = list_of(&a, AXLF_IP_LAYOUT, axlf_ip_list);
	ip = axlf_ip(&l, 1);
	ok(l.n == 2 && ip.type == AXLF_IP_PS_KERNEL && ip.subtype == 1 &&
	    ip.functional == 0 && ip.id == 0x902 && ip.base == 0x2000 &&
	    strcmp(ip.name, "K0:I1") == 0 && ip.ended,
	    "all fields of an entry of IP_LAYOUT are read");
	ok(axlf_ip_is_of(&ip, "K0") && !axlf_ip_is_of(&ip, "K") &&
	    !axlf_ip_is_of(&ip, "K0:") && !axlf_ip_is_of(&ip, "K0:I1"),
	    "an entry belongs to the kernel named before its ':'");
	ok(axlf_ip(&l, 0).base == AXLF_NOT_USED,
	    "an unused address reads as AXLF_NOT_USED");
	l = list_of(&a, AXLF_CONNECTIVITY, axlf_connection_list);
	c = axlf_connection(&l, 0);
	ok(l.n == 2 && l.head == 4 && c.argument == 1 && c.ip == 0 &&
	    c.memory == 0 && axlf_connection(&l, 1).memory == 1,
	    "connections follow their count without padding");
	axlf_read(&a, make("count-99", &b), NULL);
	l = list_of(&a, AXLF_MEM_TOPOLOGY, axlf_memory_list);
	ok(l.count == 99 && l.room == 2 && l.n == 2,
	    "a count larger than the section is cut to what the section has");
	buf_free(&b);
}

static void
short_lists(void)
{
	uint8_t raw[8 + 80] = { 0xff, 0xff, 0xff, 0xff };
	struct axlf_list l = axlf_ip_list((struct bytes){ raw, sizeof(raw) });

	ok(l.count == -1 && l.n == 0 && l.room == 1,
	    "a list with a negative count is empty");
	l = axlf_connection_list((struct bytes){ raw, 3 });
	ok(l.count == 0 && l.n == 0 && l.room == 0,
	    "a list of 3 bytes, too short for a count, is empty");
	memset(raw, 1, sizeof(raw));
	l = axlf_ip_list((struct bytes){ raw, sizeof(raw) });
	ok(l.n == 1 && !axlf_ip(&l, 0).ended &&
	    strlen(axlf_ip(&l, 0).name) == 64,
	    "a name of 64 bytes without NUL is returned, but not as ended");
}

/* ---- AIE_PARTITION ----------------------------------------------------- */

static struct axlf_partition
partition_of(const char *name, struct buf *b)
{
	struct axlf_partition p = { .columns = 0 };
	struct npu_err err;
	struct xclbin x;

	if (xclbin_read(&x, make(name, b), &err) == 0 && x.has_partition)
		p = x.partition;
	xclbin_free(&x);
	return p;
}

static void
partition(void)
{
	struct buf b = { 0 };
	struct axlf_partition p = partition_of("two", &b);
	struct bytes text = { NULL, 0 }, image = { NULL, 0 };
	struct axlf_group g = { .id = 0 };
	struct axlf_pdi pdi = { .groups.count = 0 };
	uint16_t column = 0;
	uint64_t id = 0;

	ok(p.columns == 2 && p.operations == 1024 && p.fingerprint == 23423 &&
	    p.pre_post == 12345, "the numbers of a partition are read");
	ok(axlf_column(&p, 2, &column) && column == 4 &&
	    !axlf_column(&p, 3, &column),
	    "the start columns of a partition are read");
	ok(axlf_text(&p, p.name_at, &text) && is_text(text, "") &&
	    axlf_text(&p, p.commit_at, &text) && is_text(text, "c0ffee"),
	    "name and commit of a partition are read");
	ok(axlf_pdi(&p, 1, &pdi) && pdi.uuid[0] == 1 && pdi.uuid[15] == 0 &&
	    axlf_image(&p, &pdi, &image) && image.n == 65 &&
	    memcmp(image.p, "\xdd\0\0\0\x44\x33\x22\x11", 8) == 0 &&
	    !axlf_pdi(&p, 2, &pdi), "the second of two PDIs is read");
	ok(axlf_group(&p, &pdi, 0, &g) && g.type == 2 && g.id == 2 &&
	    axlf_text(&p, g.name_at, &text) && is_text(text, "next") &&
	    axlf_number_of(&p, &g.kernels, 1, &id) && id == 0x904 &&
	    axlf_number_of(&p, &g.before, 0, &id) && id == 0xc1 &&
	    !axlf_number_of(&p, &g.before, 1, &id) &&
	    !axlf_group(&p, &pdi, 1, &g),
	    "the group of the second PDI is read");
	buf_free(&b);
}

struct seen {
	uint64_t id[4];
	uint8_t uuid[4];	/* the first byte of each PDI's uuid */
	size_t n;
};

static void
see(void *arg, const struct axlf_pdi *pdi, uint64_t id)
{
	struct seen *s = arg;

	if (s->n < 4) {
		s->uuid[s->n] = pdi->uuid[0];
		s->id[s->n] = id;
	}
	s->n++;
}

static void
kernel_ids(void)
{
	struct buf b = { 0 };
	struct axlf_partition p = partition_of("two", &b);
	struct seen s = { .n = 0 };

	axlf_each_kernel(&p, see, &s);
	ok(s.n == 4 && s.id[0] == 0x901 && s.id[1] == 0x902 &&
	    s.id[2] == 0x903 && s.id[3] == 0x904,
	    "each kernel id of each group of each PDI is visited, in order");
	ok(s.uuid[0] == 0 && s.uuid[1] == 0 && s.uuid[2] == 1 &&
	    s.uuid[3] == 1, "each kernel id is visited with its PDI");
	p = partition_of("far-ids", &b);
	s.n = 0;
	axlf_each_kernel(&p, see, &s);
	ok(s.n == 0, "a list of kernel ids outside the section yields no id");
	buf_free(&b);
}

static void
partition_damage(void)
{
	struct buf b = { 0 };
	struct axlf_partition p = partition_of("far-name", &b);
	struct bytes bytes;
	struct axlf_pdi pdi = { .groups.count = 0 };
	struct axlf_group g;
	uint64_t id;
	uint16_t column;

	ok(!axlf_text(&p, p.name_at, &bytes) &&
	    !axlf_text(&p, (uint32_t)p.data.n, &bytes),
	    "a text at or past the end of the section is not returned");
	p = partition_of("far-columns", &b);
	ok(p.start_columns.count == 1 << 30 && !axlf_column(&p, 0, &column),
	    "start columns past the end of the section are not returned");
	p = partition_of("far-image", &b);
	ok(axlf_pdi(&p, 0, &pdi) && !axlf_image(&p, &pdi, &bytes),
	    "PDI data past the end of the section are not returned");
	p = partition_of("far-ids", &b);
	ok(axlf_pdi(&p, 0, &pdi) && axlf_group(&p, &pdi, 0, &g) &&
	    !axlf_array_fits(&p, &g.kernels, 8) &&
	    !axlf_number_of(&p, &g.kernels, 0, &id),
	    "kernel ids past the end of the section are not returned");
	p = partition_of("far-groups", &b);
	ok(axlf_pdi(&p, 0, &pdi) && axlf_group(&p, &pdi, 0, &g) &&
	    !axlf_group(&p, &pdi, 2, &g),
	    "groups past the end of the section are not returned");
	ok(partition_of("overlap", &b).columns == 0 &&
	    partition_of("short-partition", &b).columns == 0,
	    "overlapping groups or a cut partition header mean no partition");
	buf_free(&b);
}

/* Tests lists whose size in bytes wraps around in 32 bits.  Their elements
 * would overlap. */
static void
wrapped(void)
{
	/* 96 times the count is 16 * 2^32 + 32. */
	const uint32_t count = 0x2aaaaaab, one = 1, at = 184;
	const uint32_t lists[] = { 8, 184, 4, 184 };
	uint8_t raw[184 + 4 * 96];
	struct axlf_partition p;
	struct npu_err err;

	memset(raw, 0, sizeof(raw));
	for (size_t i = 184; i < sizeof(raw); i += 96)
		memcpy(raw + i + 16, lists, sizeof(lists));
	memcpy(raw + 120, &count, 4);
	memcpy(raw + 124, &at, 4);
	ok(axlf_partition_read(&p, (struct bytes){ raw, sizeof(raw) }, &err) ==
	    NPU_EFORMAT && strcmp(err.msg, "PDIs: 715827883 of 96 bytes at 184 "
	    "run past the end of the section, 568") == 0,
	    "PDIs are refused if their size wraps around in 32 bits");
	memcpy(raw + 120, &one, 4);
	memcpy(raw + 184 + 24, &count, 4);
	memcpy(raw + 184 + 28, &at, 4);
	ok(axlf_partition_read(&p, (struct bytes){ raw, sizeof(raw) }, &err) ==
	    NPU_EFORMAT && strcmp(err.msg, "groups: 715827883 of 96 bytes at "
	    "184 run past the end of the section, 568") == 0,
	    "groups are refused if their size wraps around in 32 bits");
}

/* Makes a section with a header and GROUPS groups.  All groups share one name
 * at the end of the section, which does not end with NUL. */
static void
no_nul(void)
{
	enum { GROUPS = 20000, N = 184 + 96 + GROUPS * 96 };
	uint8_t *p = calloc(1, N);
	struct axlf_partition a;
	const uint32_t counts[] = { 1, 184 }, groups[] = { GROUPS, 280 };
	const uint32_t name = N - 8;
	struct bytes text;

	if (p == NULL)
		exit(1);
	memcpy(p + 120, counts, 8);
	memcpy(p + 184 + 24, groups, 8);
	for (size_t i = 0; i < GROUPS; i++)
		memcpy(p + 280 + i * 96, &name, 4);
	memset(p + name, 'x', 8);
	/* The groups fill the section from byte 280 on. */
	ok(axlf_partition_read(&a, (struct bytes){ p, N }, NULL) == 0 &&
	    a.text_end == name && !axlf_text(&a, name, &text) &&
	    axlf_text(&a, 0, &text) && text.n == 0,
	    "a text behind the last NUL of the section is not returned");
	free(p);
}

/* ---- The whole file ---------------------------------------------------- */

static void
whole(void)
{
	struct buf b = { 0 };
	struct npu_err err;
	struct xclbin x;

	ok(xclbin_read(&x, make("two", &b), &err) == 0 && x.has_partition &&
	    x.kernels.n == 2 && x.ips.n == 4 && *x.partition_err.msg == '\0' &&
	    *x.kernels_err.msg == '\0', "all parts of a sound file are read");
	xclbin_free(&x);
	ok(xclbin_read(&x, make("far-section", &b), &err) == 0 &&
	    !x.has_partition && x.kernels.n == 1 && strcmp(x.partition_err.msg,
	    "its section runs past the end of the file") == 0,
	    "kernels are read although the partition is outside the file");
	xclbin_free(&x);
	ok(xclbin_read(&x, make("cut-xml", &b), &err) == 0 && x.has_partition &&
	    x.kernels.n == 1 && x.kernels_err.code == NPU_EFORMAT,
	    "kernels before an error in the XML are kept");
	xclbin_free(&x);
	ok(xclbin_read(&x, make("xclbin1", &b), &err) == NPU_EFORMAT &&
	    x.kernels.n == 0,
	    "after a refused header, no kernel needs to be freed");
	xclbin_free(&x);
	buf_free(&b);
}

static void
cuts(void)
{
	struct buf b = { 0 };
	struct bytes all = make("two", &b);
	struct npu_err err;
	struct xclbin x;
	size_t shown = 0;

	for (size_t n = 0; n < all.n; n++) {
		uint8_t *copy = malloc(n > 0 ? n : 1);

		if (copy == NULL)
			exit(1);
		memcpy(copy, all.p, n);
		shown += xclbin_read(&x, (struct bytes){ copy, n }, &err) == 0;
		xclbin_free(&x);
		free(copy);
	}
	ok(shown == all.n - AXLF_HEADER,
	    "every prefix of a file that has the whole header is read");
	buf_free(&b);
}

static void
names(void)
{
	ok(strcmp(axlf_name(&axlf_kinds, 32), "AIE_PARTITION") == 0 &&
	    strcmp(axlf_name(&axlf_kinds, 36), "DTBO") == 0 &&
	    axlf_name(&axlf_kinds, 37) == NULL &&
	    axlf_number(&axlf_kinds, "GROUP_TOPOLOGY") == 26 &&
	    axlf_number(&axlf_kinds, "aie_partition") == -1,
	    "kinds of sections have the names of XRT");
	ok(strcmp(axlf_name(&axlf_memories, 10), "MEM_HOST") == 0 &&
	    strcmp(axlf_name(&axlf_ips, 7), "IP_PS_KERNEL") == 0 &&
	    strcmp(axlf_name(&axlf_groups, 3), "PRE_POST") == 0 &&
	    axlf_number(&axlf_qualifiers, "STREAM") == 4,
	    "memories, IPs, groups and qualifiers have the names of XRT");
	ok(foreign_name(text_bytes("xclbin2")) != NULL &&
	    foreign_name(text_bytes("hello")) == NULL,
	    "a foreign file is named, and plain text is not");
}

int
main(void)
{
	header();
	refusals();
	table();
	lists();
	short_lists();
	partition();
	kernel_ids();
	partition_damage();
	wrapped();
	no_nul();
	whole();
	cuts();
	names();
	return done();
}
