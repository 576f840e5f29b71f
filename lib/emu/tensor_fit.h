/* SPDX-License-Identifier: Apache-2.0 */
/* Converts between the bytes of a model's tensor and the elements of its twin's
 * tensor. */
#ifndef EMU_TENSOR_FIT_H
#define EMU_TENSOR_FIT_H

#include "emu/ort.h"
#include "noe_abi.h"

struct tensor_fit {
	struct npu_tensor desc;		/* the model's; scale 0 is stored as
					 * 1 */
	struct npu_tensor twin;		/* the twin's, not scaled */
	size_t count;			/* elements in each */
	size_t ndim;
	int64_t dim[NPU_MAX_DIMS + 2];	/* the twin's; inputs: all known */
	enum {
		FIT_SAME,	/* copies the bytes */
		FIT_INTEGER,	/* between integers; clips to the range */
		FIT_REAL,	/* by float32 and the descriptor */
	} conversion;
};

/*
 * Fails if desc and t cannot describe the same tensor; *status is then the
 * documented status (libnoe-emu(7)).  closed: every dimension must be known, or
 * follow from the number of elements.
 */
int tensor_fit_init(struct tensor_fit *f, const struct npu_tensor *desc,
    const struct ort_tensor *t, bool closed, noe_status_t *status,
    struct npu_err *err);

/* Sets d to the elements that bytes represents.  d->p is bytes itself, or
 * memory that tensor_fit_free() frees. */
int tensor_fit_input(const struct tensor_fit *f, void *bytes,
    struct ort_data *d, struct npu_err *err);
void tensor_fit_free(const struct tensor_fit *f, struct ort_data *d);

/* Writes the bytes that represent the twin's elements d. */
int tensor_fit_output(const struct tensor_fit *f, const struct ort_data *d,
    void *bytes, struct npu_err *err);

#endif
