// SPDX-License-Identifier: Apache-2.0
/* An ONNX file's metadata: refused with a message, or within the file; and
 * where its weights are. */
#include <stdlib.h>

#include "model/onnx.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct bytes v = { 0 };
	int rc = onnx_metadata((struct bytes){ p, n }, "names", &v, &err);

	if (rc < 0 && err.msg[0] == '\0')
		abort();
	if (rc == 1 && v.n > 0 && (v.p < p || v.n > n ||
	    (size_t)(v.p - p) > n - v.n))
		abort();
	err.msg[0] = '\0';
	rc = onnx_external((struct bytes){ p, n }, &err);
	if (rc > 1 || (rc < 0) != (err.msg[0] != '\0'))
		abort();
	return 0;
}
