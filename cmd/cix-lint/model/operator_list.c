// SPDX-License-Identifier: Apache-2.0
/* operator_list.c - searches tables of operators. */
#include "model/onnx_graph.h"
#include "operator_list.h"

/* Compares "DOMAIN:TYPE" with a name. */
static int
compare(struct bytes domain, struct bytes type, const char *name)
{
	struct bytes rest = { (const uint8_t *)name, strlen(name) };
	struct bytes start = { rest.p, rest.n < domain.n ? rest.n : domain.n };
	int c;

	if (onnx_is_standard(domain))
		return bytes_compare(type, rest);
	if ((c = bytes_compare(domain, start)) != 0)
		return c;
	if (start.n == rest.n || name[start.n] != ':')
		return start.n == rest.n || name[start.n] < ':' ? 1 : -1;
	return bytes_compare(type, (struct bytes){ rest.p + start.n + 1,
	    rest.n - start.n - 1 });
}

const void *
operator_find(const void *table, size_t size, size_t n, struct bytes domain,
    struct bytes type)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *row = (const char *)table + middle * size;
		const char *name;
		int c;

		memcpy(&name, row, sizeof(name));
		if ((c = compare(domain, type, name)) == 0)
			return row;
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
