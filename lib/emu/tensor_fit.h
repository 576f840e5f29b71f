/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between the bytes of a model's tensor and the elements of its
 * twin's. */
#ifndef EMU_TENSOR_FIT_H
#define EMU_TENSOR_FIT_H

#include "emu/ort.h"
#include "noe_abi.h"

struct tensor_fit {
	struct npu_tensor desc;		/* the model's; scale 0 became 1 */
	struct npu_tensor twin;		/* the twin's, not scaled */
	size_t count;			/* elements of both */
	size_t ndim;
	int64_t dim[NPU_MAX_DIMS + 2];	/* the twin's; inputs: all known */
	enum {
		FIT_SAME,	/* the bytes as they are */
		FIT_INTEGER,	/* integer to integer, clipped to its range */
		FIT_REAL,	/* through float32 and the descriptor */
	} conversion;
};

/*
 * Fails where desc and t cannot describe the same tensor; *status is then the
 * documented one (libnoe-emu(7)).  closed: every dimension must be known, or
 * follow from the number of elements.
 */
int tensor_fit_init(struct tensor_fit *f, const struct npu_tensor *desc,
    const struct ort_tensor *t, bool closed, noe_status_t *status,
    struct npu_err *err);

/* Sets d to the elements that bytes stand for; d->p is bytes themselves, or is
 * freed by tensor_fit_free(). */
int tensor_fit_input(const struct tensor_fit *f, void *bytes,
    struct ort_data *d, struct npu_err *err);
void tensor_fit_free(const struct tensor_fit *f, struct ort_data *d);

/* Writes the bytes that stand for the twin's elements d. */
int tensor_fit_output(const struct tensor_fit *f, const struct ort_data *d,
    void *bytes, struct npu_err *err);

#endif
