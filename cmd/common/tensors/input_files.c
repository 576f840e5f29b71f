// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "cmd.h"
#include "input_files.h"

void
input_files_add(struct input_files *f, const char *arg)
{
	f->arg = cmd_realloc(f->arg, (f->n + 1) * sizeof(*f->arg));
	f->arg[f->n++] = arg;
}

/* Adds "the model's inputs are 'a', 'b'"; an input without a name is listed by
 * number. */
static void
list_inputs(const struct npu *npu, struct buf *b)
{
	uint32_t n = npu_inputs(npu);
	const char *name;

	buf_puts(b, n == 1 ? "the model's input is " :
	    "the model's inputs are ");
	for (uint32_t i = 0; i < n; i++) {
		name = npu_input(npu, i)->name;
		buf_puts(b, i > 0 ? ", " : "");
		if (*name != '\0')
			buf_printf(b, "'%s'", name);
		else
			buf_printf(b, "%" PRIu32, i);
	}
	buf_add(b, "", 1);
	cmd_check_buf(b);
}

/* Returns the input that "NAME=" in arg means, or -1.  Sets *file to the rest
 * of arg. */
static int64_t
named_input(const struct npu *npu, const char *arg, const char **file)
{
	const char *equals = strchr(arg, '=');
	char name[NPU_MAX_NAME];
	struct buf list = { 0 };
	int64_t i;

	*file = arg;
	if (equals == NULL || (size_t)(equals - arg) >= sizeof(name))
		return -1;
	memcpy(name, arg, (size_t)(equals - arg));
	name[equals - arg] = '\0';
	*file = equals + 1;
	for (uint32_t k = 0; k < npu_inputs(npu); k++)
		if (*name != '\0' && strcmp(npu_input(npu, k)->name, name) == 0)
			return k;
	if (num_int(name, 0, (int64_t)npu_inputs(npu) - 1, &i, NULL) == 0)
		return i;
	list_inputs(npu, &list);
	cmd_usage("--input=%s: no input is named '%s'; %s", arg, name, list.p);
}

void
input_files_assign(const struct input_files *f, const struct npu *npu,
    const char **file)
{
	uint32_t n = npu_inputs(npu), next = 0;
	bool stdin_taken = false;
	const char *path;
	int64_t i;

	for (uint32_t k = 0; k < f->n; k++) {
		i = named_input(npu, f->arg[k], &path);
		while (i < 0 && next < n && file[next] != NULL)
			next++;
		if (i < 0)
			i = next;
		if (i >= n && n == 1)
			cmd_usage("--input=%s: the model has one input",
			    f->arg[k]);
		if (i >= n)
			cmd_usage("--input=%s: the model has %" PRIu32
			    " inputs", f->arg[k], n);
		if (file[i] != NULL)
			cmd_usage("--input=%s: input %" PRId64 " has a file "
			    "already", f->arg[k], i);
		if (cmd_is_dash(path) && stdin_taken)
			cmd_usage("--input=%s: stdin is another input's "
			    "already", f->arg[k]);
		stdin_taken |= cmd_is_dash(path);
		file[i] = path;
	}
}
