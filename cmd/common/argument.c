// SPDX-License-Identifier: Apache-2.0
/* argument.c - the arguments of options: numbers, times and choices. */
#include <string.h>

#include "base/num.h"
#include "cmd.h"

/* By num_int() or num_size(). */
static int64_t
whole(const char *option, const char *arg, int64_t least, int64_t most,
    int (*parse)(const char *, int64_t, int64_t, int64_t *, struct npu_err *))
{
	struct npu_err err;
	int64_t v;

	if (parse(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

int64_t
cmd_int(const char *option, const char *arg, int64_t least, int64_t most)
{
	return whole(option, arg, least, most, num_int);
}

int64_t
cmd_size(const char *option, const char *arg, int64_t least, int64_t most)
{
	return whole(option, arg, least, most, num_size);
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

const char *
cmd_named(const char *option, const char *arg)
{
	if (*arg == '\0')
		cmd_usage("%s: an empty name; a file has a name", option);
	return arg;
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
cmd_interval_ms(const char *option, const char *arg, int32_t least)
{
	struct npu_err err;
	int32_t ms;

	if (num_duration_ms(arg, &ms, &err) < 0 || ms < least)
		cmd_usage("%s: '%s' is not a time such as 500ms, 10s or 2min, "
		    "from %dms to 24d", option, arg, (int)least);
	return ms;
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
