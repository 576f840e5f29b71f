// SPDX-License-Identifier: Apache-2.0
/*
 * Tests that arguments of kernels are merged as libxrt merges them (XRT
 * 963c58ee, core/common/xclbin_parser.cpp, merge_args()), and that the compute
 * units are those that libxrt passes to the driver
 * (core/common/api/xrt_xclbin.cpp, init_kernels()).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/dpu_arguments.h"
#include "model/xclbin_units.h"
#include "tap.h"

/* ---- Arguments --------------------------------------------------------- */

static struct dpu_argument
argument(const char *name, const char *id, const char *offset,
    const char *size)
{
	return (struct dpu_argument){ .name = (char *)(uintptr_t)name,
	    .id = (char *)(uintptr_t)id,
	    .offset = (char *)(uintptr_t)offset,
	    .size = (char *)(uintptr_t)size };
}

/* Returns true if the arguments merge to the text "NAME ID OFFSET SIZE, ..." */
static bool
merges(struct dpu_argument *list, size_t n, size_t numbered, const char *want)
{
	struct dpu_kernel k = { .argument = list, .arguments = n };
	struct dpu_arguments a;
	struct buf b = { 0 };
	bool good;

	if (dpu_arguments_merge(&a, &k) < 0)
		exit(1);
	for (size_t i = 0; i < a.n; i++)
		buf_printf(&b, "%s%s %" PRId64 " %" PRIu64 " %" PRIu64,
		    i > 0 ? ", " : "", a.item[i].first->name,
		    (int64_t)a.item[i].id, a.item[i].offset, a.item[i].size);
	buf_add(&b, "", 1);
	good = strcmp(b.p, want) == 0 && a.numbered == numbered;
	if (!good)
		diag("%zu: %s", a.numbered, b.p);
	buf_free(&b);
	dpu_arguments_free(&a);
	return good;
}

static void
merged(void)
{
	struct dpu_argument order[] = { argument("c", "2", "8", "4"),
	    argument("a", "0", "0", "4"), argument("b", "1", "4", "4") };
	struct dpu_argument equal[] = { argument("a", "0", "0", "8"),
	    argument("x", "1", "0x2000", "8"), argument("y", "1", "0x2c", "4"),
	    argument("z", "1", "0x30", "2") };
	struct dpu_argument loose[] = { argument("x", "", "16", "8"),
	    argument("y", "", "32", "8"), argument("z", "-1", "48", "1"),
	    argument("a", "0x0", "0", "8") };
	struct dpu_argument great[] = { argument("a", "0", "8",
	    "18446744073709551615"), argument("b", "0", "9", "1") };

	ok(merges(NULL, 0, 0, ""),
	    "a kernel without arguments has an empty list");
	ok(merges(order, 3, 3, "a 0 0 4, b 1 4 4, c 2 8 4"),
	    "arguments are sorted by their ids");
	ok(merges(equal, 4, 2, "a 0 0 8, x 1 44 14"), "equal ids become one "
	    "argument with the first name, the least offset and the sum of "
	    "sizes");
	ok(merges(loose, 4, 1, "a 0 0 8, x -1 16 8, y -1 32 8, z -1 48 1"),
	    "arguments without an id are not merged, and come last");
	ok(merges(great, 2, 1, "a 0 8 18446744073709551615"),
	    "a sum that exceeds 64 bits becomes the greatest number");
}

static void
roles(void)
{
	static const struct {
		const char *name;
		enum dpu_role role;
	} rows[] = {
		{ "opcode", DPU_OPCODE }, { "instr", DPU_INSTR },
		{ "instruct", DPU_INSTR }, { "ninstr", DPU_NINSTR },
		{ "nistruct", DPU_NINSTR }, { "ninstruct", DPU_NINSTR },
		{ "instr0", DPU_OTHER }, { "bo0", DPU_OTHER },
		{ "", DPU_OTHER },
	};
	struct dpu_argument a;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		a = argument(rows[i].name, "0", "0", "8");
		ok(dpu_argument_role(&a) == rows[i].role,
		    "the role of an argument named '%s' is right",
		    rows[i].name);
	}
}

static void
pointers(void)
{
	static const struct {
		const char *qualifier;
		bool number, pointer;
	} rows[] = {
		{ "0", true, false }, { "1", true, true },
		{ "02", true, true }, { "4", true, false },
		{ "18446744073709551615", true, false },
		{ "18446744073709551616", false, false },
		{ "18446744073709551617", false, false },
		{ "", false, false }, { "1x", false, false },
		{ "0x1", false, false }, { NULL, false, false },
	};
	uint64_t unused;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct dpu_argument a = { .qualifier =
		    (char *)(uintptr_t)rows[i].qualifier };

		ok(dpu_qualifier(a.qualifier, &unused) == rows[i].number &&
		    dpu_argument_is_pointer(&a) == rows[i].pointer,
		    "an argument with addressQualifier '%s' is a pointer, or "
		    "not, as expected",
		    a.qualifier != NULL ?
		    a.qualifier : "(none)");
	}
}

/* ---- Units ------------------------------------------------------------- */

/* Makes an IP_LAYOUT with n names, and then more times the last name. */
static void
make_layout(struct buf *b, const char *const *names, uint32_t n,
    uint32_t more)
{
	uint8_t entry[80];
	uint32_t head[2] = { n + more, 0 };

	buf_clear(b);
	buf_add(b, head, sizeof(head));
	for (uint32_t i = 0; i < n + more; i++) {
		memset(entry, 0, sizeof(entry));
		snprintf((char *)entry + 16, 64, "%s",
		    names[i < n ? i : n - 1]);
		buf_add(b, entry, sizeof(entry));
	}
}

static const char xml[] = "<project><platform><device><core>"
    "<kernel name=\"B\" type=\"dpu\"/><kernel name=\"other\"/>"
    "<kernel name=\"AB\" type=\"dpu\"/><kernel name=\"A\"><extended-data/>"
    "</kernel><kernel name=\"B\" type=\"dpu\"/></core></device></platform>"
    "</project>";

/* Finds the units of xml's kernels in a layout.  Each unit gives "KERNEL
 * ENTRY", two indices, and the text wanted has all units. */
static bool
finds(const char *const *names, uint32_t n, uint32_t more, bool too_many,
    const char *want)
{
	struct buf layout = { 0 }, b = { 0 };
	struct xclbin x = { .has_partition = false };
	struct xclbin_units u;
	bool good;

	make_layout(&layout, names, n, more);
	x.ips = axlf_ip_list((struct bytes){ (uint8_t *)layout.p, layout.n });
	if (dpu_kernels_read(&x.kernels, (struct bytes){ (const uint8_t *)xml,
	    strlen(xml) }, NULL) < 0 || xclbin_find_units(&u, &x) < 0)
		exit(1);
	for (size_t i = 0; i < u.n; i++)
		buf_printf(&b, "%s%td %u", i > 0 ? ", " : "",
		    u.unit[i].kernel - x.kernels.kernel, u.unit[i].entry);
	buf_add(&b, "", 1);
	good = u.more == too_many && (want == NULL || strcmp(b.p, want) == 0);
	if (!good)
		diag("%d: %s", u.more, b.p);
	dpu_kernels_free(&x.kernels);
	buf_free(&b);
	buf_free(&layout);
	return good;
}

static void
units(void)
{
	static const char *const names[] = { "AB:x", "A:x", "A:y:z", "C:x",
	    "A", ":x", "other:x", "ABC:x", "AA:x" };
	static const char *const twice[] = { "B:x" };
	static const char *const once[] = { "A:x" };

	ok(finds(names, 9, 0, false, "2 0, 3 1, 3 2"), "an entry "
	    "KERNEL:INSTANCE belongs to the kernel of this name, if libxrt "
	    "knows the kernel");
	ok(finds(twice, 1, 0, false, "0 0"),
	    "of two kernels with one name, the first is used");
	ok(finds(once, 1, 31, false, NULL), "32 units are accepted");
	ok(finds(once, 1, 32, true, NULL), "33 units are too many");
	ok(finds(twice, 1, 15, false, NULL),
	    "16 entries for a name of two kernels count as 32 units");
	ok(finds(twice, 1, 16, true, NULL),
	    "17 entries for a name of two kernels are too many");
}

int
main(void)
{
	merged();
	roles();
	pointers();
	units();
	return done();
}
