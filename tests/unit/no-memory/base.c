// SPDX-License-Identifier: Apache-2.0
/* Without memory: files, gzip, JSON, and the header of a .npy file. */
#include <zlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/gunzip.h"
#include "base/json.h"
#include "nomem.h"
#include "tensor/npy.h"

static int
write_npy(struct npu_err *err)
{
	struct npu_tensor t = { .dtype = NPU_F32, .ndim = 2, .dim = { 2, 3 },
	    .size = 24, .scale = 1 };
	struct buf b = { 0 };
	int rc = npy_encode(&t, &b, err);

	if (rc == 0 && (b.n % 64 != 0 || memcmp(b.p, "\x93NUMPY", 6) != 0))
		rc = NOMEM_WRONG;
	buf_free(&b);
	return rc;
}

/* Decompresses 200 KB of zeros. */
static int
unzip(struct npu_err *err)
{
	static uint8_t zeros[200000], packed[1000];
	static size_t n;
	struct buf out = { 0 };
	z_stream z = { 0 };
	int rc;

	if (n == 0) {
		deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0);
		z.next_in = zeros;
		z.avail_in = sizeof(zeros);
		z.next_out = packed;
		z.avail_out = sizeof(packed);
		if (deflate(&z, Z_FINISH) != Z_STREAM_END)
			exit(1);
		n = z.total_out;
		deflateEnd(&z);
	}
	rc = gunzip((struct bytes){ packed, n }, 1 << 20, &out, err);
	if (rc == 0 && (out.n != sizeof(zeros) || out.p[out.n - 1] != 0))
		rc = NOMEM_WRONG;
	buf_free(&out);
	return rc;
}

static int
load(struct npu_err *err)
{
	struct buf b = { 0 };
	int rc = file_load("tests/data/text-parts.txt", 1 << 24, &b, err);

	if (rc == 0 && (b.n < 2 || b.p[0] != '#'))
		rc = NOMEM_WRONG;
	buf_free(&b);
	return rc;
}

static int
write_json(struct npu_err *err)
{
	struct json j = { 0 };
	int rc = 0;

	json_object(&j);
	json_key(&j, "of");
	for (int i = 0; i < 300; i++)
		json_str(&j, "a word");
	json_end_object(&j);
	if (j.out.failed)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	json_free(&j);
	return rc;
}

int
main(void)
{
	nomem("the header of a .npy file", write_npy);
	nomem("decompressing a gzip file", unzip);
	nomem("reading a file", load);
	nomem("writing a JSON text", write_json);
	nomem_files = true;
	nomem("reading a file from a disk with errors", load);
	nomem_errno = EINTR;
	nomem("reading a file while signals interrupt", load);
	return done();
}
