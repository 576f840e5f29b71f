// SPDX-License-Identifier: Apache-2.0
#include <jansson.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/json_reason.h"
#include "cmd.h"
#include "key_values.h"

/* jansson may need a hundred bytes for each byte. */
enum { MOST = 1 << 20 };

static int
parse(struct bytes section, json_t **root, struct npu_err *err)
{
	json_error_t e;

	if (section.n > MOST)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes of JSON are more "
		    "than the %d that are read", section.n, MOST);
	/*
	 * jansson 2.14 reads invalid memory if it cannot allocate a string of
	 * 16 bytes (strbuffer_append_bytes()): let the program end before that.
	 */
	json_set_alloc_funcs(cmd_alloc, free);
	*root = json_loadb((const char *)section.p, section.n, 0, &e);
	if (*root != NULL)
		return 0;
	if (json_error_code(&e) == json_error_out_of_memory ||
	    e.text[0] == '\0')
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return npu_fail(err, NPU_EFORMAT, "byte %d: %s", e.position,
	    json_reason(&e));
}

static int
each_pair(const json_t *list, void (*fn)(void *arg, const char *key,
    const char *value), void *arg, struct npu_err *err)
{
	if (!json_is_array(list))
		return npu_fail(err, NPU_EFORMAT, "no array 'key_values'");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *pair = json_array_get(list, i);
		const char *key = json_string_value(json_object_get(pair,
		    "key"));
		const char *value = json_string_value(json_object_get(pair,
		    "value"));

		if (key == NULL || value == NULL)
			return npu_fail(err, NPU_EFORMAT, "key_values[%zu]: "
			    "no text '%s'", i, key == NULL ? "key" : "value");
		fn(arg, key, value);
	}
	return 0;
}

int
key_values_read(struct bytes section, void (*fn)(void *arg,
    const char *key, const char *value), void *arg, struct npu_err *err)
{
	json_t *root;
	int rc;

	if (section.n == 0)
		return 0;
	if ((rc = parse(section, &root, err)) < 0)
		return rc;
	rc = each_pair(json_object_get(root, "key_values"), fn, arg, err);
	json_decref(root);
	return rc;
}
