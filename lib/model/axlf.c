// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "model/axlf.h"
#include "model/foreign.h"

static const char magic[8] = "xclbin2";

static int
check_magic(struct bytes file, struct npu_err *err)
{
	const char *what = foreign_name(file);

	if (file.n >= sizeof(magic) &&
	    memcmp(file.p, magic, sizeof(magic)) == 0)
		return 0;
	if (bytes_start(file, magic))
		return npu_fail(err, NPU_EFORMAT, "not an xclbin: no NUL "
		    "follows 'xclbin2'");
	if (what != NULL)
		return npu_fail(err, NPU_EFORMAT, file.n == 0 ? "%s" :
		    "not an xclbin, but %s", what);
	return npu_fail(err, NPU_EFORMAT, "not an xclbin: does not begin with "
	    "'xclbin2'");
}

int
axlf_read(struct axlf *a, struct bytes file, struct npu_err *err)
{
	int rc;

	if ((rc = check_magic(file, err)) < 0)
		return rc;
	if (file.n < AXLF_HEADER)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes are too few: the "
		    "header has %d", file.n, AXLF_HEADER);
	*a = (struct axlf){ .file = file, .major = file.p[AXLF_AT_MAJOR],
	    .minor = file.p[AXLF_AT_MINOR] };
	bytes_get(file, AXLF_AT_LENGTH, &a->length, sizeof(a->length));
	bytes_get(file, AXLF_AT_TIME, &a->time, sizeof(a->time));
	bytes_u16(file, AXLF_AT_PATCH, &a->patch);
	bytes_get(file, AXLF_AT_PLATFORM, a->platform,
	    sizeof(a->platform) - 1);
	bytes_get(file, AXLF_AT_UUID, a->uuid, sizeof(a->uuid));
	bytes_u32(file, AXLF_AT_SECTIONS, &a->sections);
	return 0;
}

bool
axlf_section(const struct axlf *a, uint32_t i, struct axlf_section *s)
{
	struct bytes h;

	if (i >= a->sections || i >= AXLF_MOST_SECTIONS ||
	    !bytes_sub(a->file, AXLF_HEADER + (uint64_t)i *
	    AXLF_SECTION_HEADER, AXLF_SECTION_HEADER, &h))
		return false;
	*s = (struct axlf_section){ .kind = 0 };
	bytes_u32(h, 0, &s->kind);
	bytes_get(h, 4, s->name, sizeof(s->name) - 1);
	bytes_get(h, 24, &s->at, sizeof(s->at));
	bytes_get(h, 32, &s->size, sizeof(s->size));
	s->whole = bytes_sub(a->file, s->at, s->size, &s->data);
	return true;
}

bool
axlf_find(const struct axlf *a, uint32_t kind, struct axlf_section *s)
{
	for (uint32_t i = 0; axlf_section(a, i, s); i++)
		if (s->kind == kind)
			return true;
	return false;
}

void
axlf_uuid_text(const uint8_t uuid[16], char text[37])
{
	size_t n = 0;

	for (int i = 0; i < 16; i++)
		n += (size_t)snprintf(text + n, 37 - n, "%s%02x",
		    i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}
