/* SPDX-License-Identifier: Apache-2.0 */
/* Why jansson refuses a text, in words for the user.  In a header, because only
 * programs that read JSON are linked with jansson. */
#ifndef BASE_JSON_REASON_H
#define BASE_JSON_REASON_H

#include <jansson.h>

/* Replaces messages of jansson that name its flags or are empty. */
static inline const char *
json_reason(const json_error_t *e)
{
	switch (json_error_code(e)) {
	case json_error_null_character:
		return "a NUL (\\u0000) in a string";
	case json_error_null_byte_in_key:
		return "a NUL (\\u0000) in a key";
	case json_error_out_of_memory:
		return "out of memory";
	default:
		return e->text;
	}
}

#endif
