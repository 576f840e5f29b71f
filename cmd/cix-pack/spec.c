// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cmd.h"
#include "descriptor.h"
#include "spec.h"

/* Names may contain colons, so the last field that names an element type is the
 * type. */
static char *
find_type(char *spec)
{
	char *found = NULL, *at, field[16];

	for (at = strchr(spec, ':'); at != NULL; at = strchr(at + 1, ':')) {
		snprintf(field, sizeof(field), "%.*s",
		    (int)strcspn(at + 1, ":"), at + 1);
		if (npu_dtype_by_name(field) >= 0)
			found = at + 1;
	}
	return found;
}

static void
parse_shape(struct npu_tensor *t, char *s, const struct spec_origin *from)
{
	struct npu_err err;
	int64_t dim;
	char *one;

	while ((one = strsep(&s, "x,")) != NULL) {
		if (num_int(one, 1, INT32_MAX, &dim, &err) < 0)
			cmd_usage("%s: dimension %s", from->name, err.msg);
		descriptor_add_dim(t, dim, from);
	}
}

/* Float types have neither scale nor zero point. */
static void
check_scale(const struct npu_tensor *t, const struct spec_origin *from)
{
	if (npu_dtype_is_float(t->dtype) && ((t->scale != 1 && t->scale != 0) ||
	    t->zero_point != 0))
		descriptor_refuse(from, "'%s': %s is never scaled; leave SCALE "
		    "and ZERO out", t->name, npu_dtype_name(t->dtype));
}

void
spec_parse(struct tensor_list *l, const char *option, const char *arg)
{
	const struct spec_origin from = { option, false };
	struct npu_tensor t = { .scale = 1 };
	char *spec = cmd_copy(arg), *type, *field;
	struct npu_err err;
	double scale;
	int64_t zero;

	if ((type = find_type(spec)) == NULL)
		cmd_usage("%s: '%s' is not NAME:TYPE:SHAPE[:SCALE[:ZERO]], "
		    "with a TYPE such as s8, u8 or f16", option, arg);
	descriptor_set_name(t.name, spec, (size_t)(type - 1 - spec), &from);
	descriptor_set_type(&t, strsep(&type, ":"), &from);
	if ((field = strsep(&type, ":")) == NULL)
		cmd_usage("%s: '%s' has no SHAPE such as 1x3x224x224",
		    option, arg);
	parse_shape(&t, field, &from);
	if ((field = strsep(&type, ":")) != NULL) {
		if (num_double(field, 0, FLT_MAX, &scale, &err) < 0)
			cmd_usage("%s: scale %s", option, err.msg);
		descriptor_set_scale(&t, scale, &from);
	}
	if ((field = strsep(&type, ":")) != NULL) {
		if (num_int(field, INT32_MIN, INT32_MAX, &zero, &err) < 0)
			cmd_usage("%s: zero point %s", option, err.msg);
		t.zero_point = (int32_t)zero;
	}
	if (type != NULL)
		cmd_usage("%s: '%s' has more than 5 fields", option, arg);
	descriptor_set_size(&t, &from);
	check_scale(&t, &from);
	tensor_list_append(l, &t, option);
	free(spec);
}
