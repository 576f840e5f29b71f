// SPDX-License-Identifier: Apache-2.0
/* shape_list.c - parses a list of shapes. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "shape_list.h"

static const char *
skip_space(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Reads a size, and moves *at past it.  Returns NULL, or why it cannot. */
static const char *
read_size(const char **at, int64_t *size)
{
	char *end;
	long long v;

	if (!isdigit((unsigned char)**at))
		return "a size is not a number above 0";
	v = strtoll(*at, &end, 10);
	if (v < 1 || v > UINT32_MAX)
		return "a size is not between 1 and 4294967295";
	*size = v;
	*at = end;
	return NULL;
}

/* Reads the sizes after a '[', and moves *at past the ']'. */
static const char *
read_shape(const char **at, struct listed_shape *shape)
{
	const char *why;

	*shape = (struct listed_shape){ 0 };
	*at = skip_space(*at);
	if (**at == ']') {
		++*at;
		return NULL;
	}
	for (;; ++*at) {
		if (shape->ndim == ONNX_MOST_DIMS)
			return "a shape has more than 16 sizes";
		*at = skip_space(*at);
		if ((why = read_size(at, &shape->dim[shape->ndim++])) != NULL)
			return why;
		*at = skip_space(*at);
		if (**at == ']') {
			++*at;
			return NULL;
		}
		if (**at != ',')
			return "a shape does not end with ]";
	}
}

static const char *
add_shape(struct shape_list *s, const char **at)
{
	if (s->n == s->room) {
		s->room = s->room == 0 ? 4 : 2 * s->room;
		s->shape = cmd_realloc(s->shape, s->room * sizeof(*s->shape));
	}
	return read_shape(at, &s->shape[s->n++]);
}

/* A pair of brackets around the whole list is allowed. */
const char *
shape_list_parse(struct shape_list *s, const char *text)
{
	const char *at = skip_space(text), *why;
	bool outer;

	*s = (struct shape_list){ .shape = NULL };
	outer = *at == '[' && *skip_space(at + 1) == '[';
	if (outer)
		at = skip_space(at + 1);
	while (*at == '[') {
		at++;
		if ((why = add_shape(s, &at)) != NULL)
			return why;
		at = skip_space(at);
		if (*at == ',')
			at = skip_space(at + 1);
	}
	if (outer && *at++ != ']')
		return "the list of shapes does not end with ]";
	return *skip_space(at) == '\0' && s->n > 0 ? NULL :
	    "a shape does not begin with [";
}

void
shape_list_free(struct shape_list *s)
{
	free(s->shape);
	*s = (struct shape_list){ .shape = NULL };
}
