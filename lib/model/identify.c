// SPDX-License-Identifier: Apache-2.0
#include "model/elf.h"
#include "model/foreign.h"
#include "model/identify.h"
#include "model/names.h"
#include "model/onnx.h"

/* A container cannot be smaller: it has six fields, six offsets and a version
 * table. */
#define SHORTEST 64

/* Returns whether f is an ELF for a machine other than the NPU.  A file that
 * ends before the machine field counts as the NPU's. */
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

/* Returns whether f is text.  Its start is sufficient: the first words of a
 * container have zero bytes. */
static bool
is_text(struct bytes f)
{
	for (size_t i = 0; i < f.n && i < 512; i++)
		if (f.p[i] == 0x7f || (f.p[i] < 0x20 &&
		    strchr("\t\n\f\r", f.p[i]) == NULL) || f.p[i] == 0)
			return false;
	return true;
}

/* Returns whether f is protobuf up to its end, and begins like an ONNX file. */
static bool
is_onnx(struct bytes f)
{
	struct bytes none;

	return onnx_begins(f) && onnx_metadata(f, "", &none, NULL) >= 0;
}

/*
 * Models of other runtimes, and other files that users pass as models, with the
 * first bytes of each format (TensorFlow Lite's schema.fbs, PKWARE's APPNOTE
 * 4.3.7, HDF5's specification III.A, ggml's gguf.md, llama.cpp's llama.h of
 * 468ea24f, Rockchip's rknn-toolkit2, ONNX Runtime's ort.fbs, MAGIC_NUMBER of
 * PyTorch's torch/serialization.py as a pickle of protocol 2, XRT's xclbin.h,
 * numpy's format.py).  Safetensors (README.md) begin with a size of 64 bits,
 * which is at most 100 MB, and JSON.
 */
static const struct {
	enum cix_check check;
	uint8_t at, n;
	const char *bytes;
} runtimes[] = {
	{ CIX_BAD_TFLITE, 4, 4, "TFL3" },
	{ CIX_BAD_ORT, 4, 4, "ORTM" },
	{ CIX_BAD_ZIP, 0, 4, "PK\x03\x04" },
	{ CIX_BAD_TORCH, 0, 14,
	    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19" },
	{ CIX_BAD_SAFETENSORS, 4, 6, "\0\0\0\0{\"" },
	{ CIX_BAD_HDF5, 0, 8, "\x89HDF\r\n\x1a\n" },
	{ CIX_BAD_GGUF, 0, 4, "GGUF" },
	/* "ggml", "ggmf", "ggjt" and "ggla" as numbers. */
	{ CIX_BAD_GGML, 0, 4, "lmgg" },
	{ CIX_BAD_GGML, 0, 4, "fmgg" },
	{ CIX_BAD_GGML, 0, 4, "tjgg" },
	{ CIX_BAD_GGML, 0, 4, "algg" },
	{ CIX_BAD_RKNN, 0, 4, "RKNN" },
	{ CIX_BAD_XCLBIN, 0, 8, "xclbin2" },
	{ CIX_BAD_NPY, 0, 6, "\x93NUMPY" },
};

static enum cix_check
find_runtime(struct bytes f)
{
	struct bytes rest;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(*runtimes); i++)
		if (bytes_sub(f, runtimes[i].at, runtimes[i].n, &rest) &&
		    CIX_BROKEN(runtimes[i].check, memcmp(rest.p,
		    runtimes[i].bytes, rest.n) == 0))
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

int
identify_check_twin(struct bytes f, struct npu_err *err)
{
	struct npu_err found = { .detail = CIX_SOUND };

	identify_check(f, &found);
	switch (found.detail) {
	case CIX_SOUND: case CIX_BAD_ONNX: case CIX_BAD_SHORT:
		return 0;
	}
	*err = found;
	return found.code;
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
