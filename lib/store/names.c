// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "store/index.h"

const char *
index_norm_name(enum index_norm norm)
{
	return norm == INDEX_NORM_L2 ? "l2" : "none";
}

const char *
index_kind_name(enum index_kind kind)
{
	return kind == INDEX_TEXT ? "text" : kind == INDEX_IMAGE ? "image" :
	    "any";
}

bool
index_is_known(const uint8_t sha256[INDEX_SHA256])
{
	static const uint8_t zeros[INDEX_SHA256];

	return memcmp(sha256, zeros, sizeof(zeros)) != 0;
}

void
index_hex(const uint8_t sha256[INDEX_SHA256], char hex[65])
{
	for (size_t i = 0; i < INDEX_SHA256; i++)
		snprintf(hex + 2 * i, 3, "%02x", sha256[i]);
}
