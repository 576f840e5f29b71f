// SPDX-License-Identifier: Apache-2.0
/* parser_key.c - finds the keys of the parser. */
#include "parser_key.h"

const struct ini_key *
parser_key(const struct ini *ini, const char *name)
{
	const struct ini_key *k = ini_find(ini, "Parser", name);

	if (k == NULL)
		k = ini_find(ini, "Common", name);
	return k != NULL && *k->value != '\0' ? k : NULL;
}
