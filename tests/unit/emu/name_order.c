// SPDX-License-Identifier: Apache-2.0
/* Tests name_order(), which finds for each tensor of a model the corresponding
 * tensor of its twin. */
#include <string.h>

#include "emu/name_order.h"
#include "tap.h"

enum { MOST = 5 };

static const struct {
	const char *what;
	uint32_t n;
	const char *model[MOST], *twin[MOST];
	uint32_t at[MOST];
} orders[] = {
	{ "the same names in the same order are paired",
	    2, { "a", "b" }, { "a", "b" }, { 0, 1 } },
	{ "two names in reverse order are paired by name",
	    2, { "b", "a" }, { "a", "b" }, { 1, 0 } },
	{ "three rotated names are paired by name",
	    3, { "c", "a", "b" }, { "a", "b", "c" }, { 2, 0, 1 } },
	{ "different names are paired in order",
	    3, { "x", "y", "z" }, { "a", "b", "c" }, { 0, 1, 2 } },
	{ "one common name is paired, and the other tensors in order",
	    3, { "x", "a", "z" }, { "a", "b", "c" }, { 1, 0, 2 } },
	{ "a common last name is paired, and the other tensors in order",
	    3, { "c", "x", "y" }, { "a", "b", "c" }, { 2, 0, 1 } },
	{ "empty names are paired in order",
	    2, { "", "" }, { "a", "b" }, { 0, 1 } },
	{ "equal names are paired in their order",
	    3, { "a", "a", "b" }, { "b", "a", "a" }, { 1, 2, 0 } },
	{ "a repeated name without a second partner gets the remaining tensor",
	    3, { "a", "a", "b" }, { "b", "c", "a" }, { 2, 1, 0 } },
	{ "no tensors need no pairs", 0, { NULL }, { NULL }, { 0 } },
};

int
main(void)
{
	uint32_t at[MOST];

	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		ok(name_order(orders[i].model, orders[i].twin, orders[i].n,
		    at) && memcmp(at, orders[i].at,
		    orders[i].n * sizeof(*at)) == 0, "%s", orders[i].what);
	done();
}
