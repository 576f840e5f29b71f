// SPDX-License-Identifier: Apache-2.0
#include "cmd.h"
#include "json_error.h"
#include "unread.h"

void
xclbin_unread(struct json *j, const char *name, const struct npu_err *err)
{
	cmd_warn("%s: %s", name, err->msg);
	if (j == NULL)
		return;
	json_object(j);
	json_key(j, "file"), json_str(j, name);
	json_error(j, cmd_last_message(), EXIT_FAILED);
	json_end_object(j);
}
