// SPDX-License-Identifier: Apache-2.0
/* Class names from the ONNX file that a model was compiled from. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "decode.h"
#include "model/cix.h"
#include "model/onnx.h"
#include "model/twin.h"

#define MAX_TWIN ((size_t)2 << 30)	/* bytes; protobuf's limit */

static int
from_onnx(struct classnames *names, struct bytes onnx, struct npu_err *err)
{
	struct bytes value;
	int rc;

	if ((rc = onnx_metadata(onnx, "names", &value, err)) <= 0)
		return rc;
	if ((rc = classnames_literal(names, value, err)) < 0)
		return npu_prefix(err, rc, "its class names");
	return 1;
}

/* Reads a file and frees its name. */
static int
from_file(struct classnames *names, char *file, struct npu_err *err)
{
	struct buf b = { 0 };
	int rc;

	if ((rc = file_load(file, MAX_TWIN, &b, err)) == 0)
		rc = from_onnx(names, (struct bytes){ (uint8_t *)b.p, b.n },
		    err);
	if (rc < 0)
		npu_prefix(err, rc, "%s", file);
	buf_free(&b);
	free(file);
	return rc;
}

/* Reads the twin within the model. */
static int
from_cix(struct classnames *names, struct bytes file, bool *has,
    struct npu_err *err)
{
	struct cix_model m;
	int rc = cix_parse(file, &m, err);

	if (rc < 0)
		return rc;
	*has = m.graphs[0].twin.n > 0;
	if (*has)
		rc = from_onnx(names, m.graphs[0].twin, err);
	cix_free(&m);
	return rc;
}

/* Reads the names in the model itself.  *has: the model is an ONNX file, or
 * contains one. */
static int
from_model(struct classnames *names, const char *path, bool *has,
    struct npu_err *err)
{
	struct buf b = { 0 };
	struct bytes file;
	int rc;

	if ((rc = file_load(path, CIX_LARGEST, &b, err)) < 0)
		return rc;
	file = (struct bytes){ (uint8_t *)b.p, b.n };
	*has = onnx_begins(file);
	rc = *has ? from_onnx(names, file, err) :
	    from_cix(names, file, has, err);
	if (rc < 0)
		npu_prefix(err, rc, "%s%s", *has && onnx_begins(file) ? "" :
		    "the twin in ", path);
	buf_free(&b);
	return rc;
}

int
model_names(struct classnames *names, const char *path, struct npu_err *err)
{
	bool has = false;
	char *file;
	int rc;

	/* Search in the order of libnoe-emu(7), THE TWIN. */
	if ((rc = twin_named(path, &file, err)) < 0)
		return rc;
	if (rc > 0)
		return from_file(names, file, err);
	if ((rc = from_model(names, path, &has, err)) != 0 || has)
		return rc;
	if ((rc = twin_around(path, &file, err)) > 0)
		return from_file(names, file, err);
	return rc == NPU_EUSAGE ? 0 : rc;	/* no twin, therefore no
						   names */
}
