// SPDX-License-Identifier: Apache-2.0
/* Which of its twin's tensors each tensor of a model is. */
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
	{ "the same order", 2, { "a", "b" }, { "a", "b" }, { 0, 1 } },
	{ "turned round", 2, { "b", "a" }, { "a", "b" }, { 1, 0 } },
	{ "rotated", 3, { "c", "a", "b" }, { "a", "b", "c" }, { 2, 0, 1 } },
	{ "other names", 3, { "x", "y", "z" }, { "a", "b", "c" },
	    { 0, 1, 2 } },
	{ "one name of three", 3, { "x", "a", "z" }, { "a", "b", "c" },
	    { 1, 0, 2 } },
	{ "the last name of three", 3, { "c", "x", "y" }, { "a", "b", "c" },
	    { 2, 0, 1 } },
	{ "no names", 2, { "", "" }, { "a", "b" }, { 0, 1 } },
	{ "a name twice", 3, { "a", "a", "b" }, { "b", "a", "a" },
	    { 1, 2, 0 } },
	{ "a name more often than there", 3, { "a", "a", "b" },
	    { "b", "c", "a" }, { 2, 1, 0 } },
	{ "none", 0, { NULL }, { NULL }, { 0 } },
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
