/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jansson.h of the coverage build, found before the library's own: its macros
 * as functions, or their checks of a pointer would be counted as branches of
 * each line that uses one.
 */
#ifndef TESTS_COVERAGE_JANSSON_H
#define TESTS_COVERAGE_JANSSON_H

#include_next <jansson.h>

#define COVERAGE_IS(name) \
	__attribute__((unused)) static bool \
	coverage_is_##name(const json_t *json) \
	{ \
		return json_is_##name(json); \
	}

#include <stdbool.h>

COVERAGE_IS(object)
COVERAGE_IS(array)
COVERAGE_IS(string)
COVERAGE_IS(integer)
COVERAGE_IS(real)
COVERAGE_IS(number)
COVERAGE_IS(true)
COVERAGE_IS(false)
COVERAGE_IS(boolean)
COVERAGE_IS(null)

#undef json_is_object
#undef json_is_array
#undef json_is_string
#undef json_is_integer
#undef json_is_real
#undef json_is_number
#undef json_is_true
#undef json_is_false
#undef json_is_boolean
#undef json_is_null
#define json_is_object coverage_is_object
#define json_is_array coverage_is_array
#define json_is_string coverage_is_string
#define json_is_integer coverage_is_integer
#define json_is_real coverage_is_real
#define json_is_number coverage_is_number
#define json_is_true coverage_is_true
#define json_is_false coverage_is_false
#define json_is_boolean coverage_is_boolean
#define json_is_null coverage_is_null

__attribute__((unused)) static bool
coverage_element(const json_t *array, size_t i, json_t **value)
{
	return i < json_array_size(array) &&
	    (*value = json_array_get(array, i)) != NULL;
}

__attribute__((unused)) static bool
coverage_member(const char *key, json_t **value)
{
	return key != NULL && (*value = json_object_iter_value(
	    json_object_key_to_iter(key))) != NULL;
}

#undef json_array_foreach
#define json_array_foreach(array, i, value) \
	for (i = 0; coverage_element(array, i, (json_t **)&value); i++)

#undef json_object_foreach
#define json_object_foreach(object, key, value) \
	for (key = json_object_iter_key(json_object_iter(object)); \
	    coverage_member(key, (json_t **)&value); \
	    key = json_object_iter_key(json_object_iter_next(object, \
	    json_object_key_to_iter(key))))

#endif
