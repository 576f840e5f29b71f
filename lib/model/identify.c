// SPDX-License-Identifier: Apache-2.0
#include "model/elf.h"
#include "model/foreign.h"
#include "model/identify.h"
#include "model/names.h"
#include "model/onnx.h"

/* Six fields, six offsets and a version table cannot be smaller. */
#define SHORTEST 64

/* For another machine than the NPU; what is cut before that is the NPU's. */
static bool
is_other_elf(struct bytes f)
{
	return bytes_start(f, "\x7f" "ELF") && f.n >= 20 &&
	    (f.p[18] | f.p[19] << 8) != ELF_MACHINE_ZHOUYI;
}

static bool
is_zeros(struct bytes f)
{
	return f.p[0] == 0 && memcmp(f.p, f.p + 1, f.n - 1) == 0;
}

/* The beginning suffices: the first words of a container have zero bytes. */
static bool
is_text(struct bytes f)
{
	for (size_t i = 0; i < f.n && i < 512; i++)
		if (f.p[i] == 0x7f || (f.p[i] < 0x20 &&
		    strchr("\t\n\f\r", f.p[i]) == NULL) || f.p[i] == 0)
			return false;
	return true;
}

/* Protobuf up to its end, with the version of ONNX first, which is required.  A
 * container that began so would have its root beyond half a megabyte. */
static bool
is_onnx(struct bytes f)
{
	struct bytes none;

	return f.n > 4 && f.p[0] == 0x08 && f.p[1] > 0 && f.p[1] < 0x80 &&
	    f.p[2] >= 0x08 && onnx_metadata(f, "", &none, NULL) >= 0;
}

/* Models of other runtimes: the bytes that their formats begin with
 * (TensorFlow Lite's schema.fbs, PKWARE's APPNOTE 4.3.7, HDF5's specification
 * III.A, ggml's gguf.md, Rockchip's rknn-toolkit2). */
static const struct {
	enum cix_check check;
	size_t at;
	const char *bytes;
} runtimes[] = {
	{ CIX_BAD_TFLITE, 4, "TFL3" },
	{ CIX_BAD_ZIP, 0, "PK\x03\x04" },
	{ CIX_BAD_HDF5, 0, "\x89HDF\r\n\x1a\n" },
	{ CIX_BAD_GGUF, 0, "GGUF" },
	{ CIX_BAD_RKNN, 0, "RKNN" },
};

static enum cix_check
find_runtime(struct bytes f)
{
	struct bytes rest;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(*runtimes); i++)
		if (bytes_sub(f, runtimes[i].at, strlen(runtimes[i].bytes),
		    &rest) && CIX_BROKEN(runtimes[i].check,
		    bytes_start(rest, runtimes[i].bytes)))
			return runtimes[i].check;
	return CIX_SOUND;
}

int
identify_check(struct bytes f, struct npu_err *err)
{
	enum cix_check check;

	if (CIX_BROKEN(CIX_BAD_EMPTY, f.n == 0))
		return cix_refuse(err, CIX_BAD_EMPTY, "%s", "");
	if (CIX_BROKEN(CIX_BAD_LFS_POINTER, foreign_is_lfs_pointer(f)))
		check = CIX_BAD_LFS_POINTER;
	else if (CIX_BROKEN(CIX_BAD_WEB_PAGE, foreign_is_web_page(f)))
		check = CIX_BAD_WEB_PAGE;
	else if (CIX_BROKEN(CIX_BAD_OTHER_ELF, is_other_elf(f)))
		check = CIX_BAD_OTHER_ELF;
	else if (CIX_BROKEN(CIX_BAD_BARE_ELF, bytes_start(f, "\x7f" "ELF")))
		check = CIX_BAD_BARE_ELF;
	else if (CIX_BROKEN(CIX_BAD_AIPU_BIN, bytes_start(f, "AIPU BIN")))
		check = CIX_BAD_AIPU_BIN;
	else if (CIX_BROKEN(CIX_BAD_ZEROS, f.n > 0 && is_zeros(f)))
		check = CIX_BAD_ZEROS;
	else if (CIX_BROKEN(CIX_BAD_PLAIN_TEXT, is_text(f)))
		check = CIX_BAD_PLAIN_TEXT;
	else if (CIX_BROKEN(CIX_BAD_ONNX, is_onnx(f)))
		check = CIX_BAD_ONNX;
	else if ((check = find_runtime(f)) != CIX_SOUND)
		;
	else if (CIX_BROKEN(CIX_BAD_SHORT, f.n < SHORTEST))
		check = CIX_BAD_SHORT;
	else
		return 0;
	return cix_refuse(err, check, "%zu bytes", f.n);
}

/* ---- The builder ------------------------------------------------------ */

static bool
printable(uint8_t c)
{
	return c >= 0x20 && c < 0x7f;
}

void
identify_builder(struct bytes file, struct cix_model *m)
{
	const uint8_t *at, *start, *end;

	at = memmem(file.p, file.n, "AIPUBuilder", 11);
	if (at == NULL)
		return;
	for (start = at; start > file.p && at - start < 32 &&
	    printable(start[-1]); start--)
		;
	for (end = at; end < file.p + file.n && end - start < 79 &&
	    printable(*end); end++)
		;
	names_copy(m->builder, sizeof(m->builder),
	    (struct bytes){ start, (size_t)(end - start) });
}
