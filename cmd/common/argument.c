// SPDX-License-Identifier: Apache-2.0
/* argument.c - the arguments of options: numbers, times and choices. */
#include <string.h>

#include "base/num.h"
#include "cmd.h"

int64_t
cmd_int(const char *option, const char *arg, int64_t least, int64_t most)
{
	struct npu_err err;
	int64_t v;

	if (num_int(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

int
cmd_choice(const char *option, const char *arg, const char *const *names)
{
	struct buf all = { 0 };

	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(arg, names[i]) == 0)
			return i;
	for (int i = 0; names[i] != NULL; i++)
		buf_printf(&all, "%s%s", i == 0 ? "" : names[i + 1] != NULL ?
		    ", " : " or ", names[i]);
	cmd_usage("%s: '%s' is not %.*s", option, arg, (int)all.n, all.p);
}

double
cmd_double(const char *option, const char *arg, double least, double most)
{
	struct npu_err err;
	double v;

	if (num_double(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

int32_t
cmd_duration_ms(const char *option, const char *arg)
{
	struct npu_err err;
	int32_t ms;

	if (num_duration_ms(arg, &ms, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return ms;
}
