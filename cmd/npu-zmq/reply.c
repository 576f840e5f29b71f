// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "reply.h"

void
reply_rows(float rows[REPLY_ROWS][REPLY_COLUMNS],
    const struct detection *found, size_t n, uint32_t width, uint32_t height)
{
	memset(rows, 0, REPLY_ROWS * sizeof(*rows));
	for (size_t i = 0; i < n && i < REPLY_ROWS; i++) {
		const struct detection *d = &found[i];

		rows[i][0] = (float)d->class;
		rows[i][1] = d->confidence;
		rows[i][2] = d->box[1] / (float)height;
		rows[i][3] = d->box[0] / (float)width;
		rows[i][4] = d->box[3] / (float)height;
		rows[i][5] = d->box[2] / (float)width;
	}
}

void
reply_error(struct json *j, const char *why)
{
	json_object(j);
	json_key(j, "error");
	json_str(j, why);
	json_end_object(j);
}

void
reply_error_header(struct json *j, const char *why)
{
	struct buf dtype = { 0 };

	buf_printf(&dtype, "error: %s", why);
	json_object(j);
	json_key(j, "error");
	json_str(j, why);
	json_key(j, "shape");
	json_array(j);
	json_uint(j, 0);
	json_end_array(j);
	json_key(j, "dtype");
	json_str(j, dtype.failed ? "error" : dtype.p);
	json_end_object(j);
	buf_free(&dtype);
}
