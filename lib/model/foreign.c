// SPDX-License-Identifier: Apache-2.0
#include <strings.h>

#include "model/foreign.h"

bool
foreign_is_web_page(struct bytes f)
{
	static const char *const starts[] = { "<!doctype html", "<html",
	    "<head" };
	size_t at = bytes_start(f, "\xef\xbb\xbf") ? 3 : 0;

	while (at < f.n && strchr(" \t\r\n", f.p[at]) != NULL && f.p[at] != 0)
		at++;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (f.n - at >= strlen(starts[i]) &&
		    strncasecmp((const char *)f.p + at, starts[i],
		    strlen(starts[i])) == 0)
			return true;
	return false;
}

bool
foreign_is_lfs_pointer(struct bytes f)
{
	return bytes_start(f, "version https://git-lfs");
}

static const struct {
	const char *start, *name;
} starts[] = {
	{ "xclbin1", "a container of the first form, xclbin1" },
	{ "xclbin2", "an xclbin" },
	{ "\x7f" "ELF", "an ELF file" },
	{ "PK\x03\x04", "a zip archive" },
	{ "\x1f\x8b", "compressed by gzip" },
	{ "\xfd" "7zXZ", "compressed by xz" },
	{ "(\xb5/\xfd", "compressed by zstd" },
};

const char *
foreign_name(struct bytes f)
{
	if (f.n == 0)
		return "empty";
	if (foreign_is_lfs_pointer(f))
		return "a Git LFS pointer (git lfs pull)";
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (bytes_start(f, starts[i].start))
			return starts[i].name;
	return foreign_is_web_page(f) ? "a web page" : NULL;
}
