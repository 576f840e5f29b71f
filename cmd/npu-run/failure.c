// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "device.h"
#include "failure.h"
#include "json_error.h"
#include "original.h"

static struct {
	const char *schema, *path;
} document;

static void
end_early(void *unused)
{
	(void)unused;
	original_close_opened();
	cmd_close_model();
	if (document.schema != NULL && json_ends_failed())
		json_write_failure(document.schema, document.path);
}

void
failure_begin(bool dry_run, bool is_json, const char *output)
{
	if (is_json)
		document.schema = dry_run ? "npu-run-plan/1" : "npu-run-ref/1";
	document.path = dry_run ? output : NULL;
	cmd_on_exit(end_early, NULL);
}

void
failure_end(void)
{
	document.schema = NULL;
}
