/* SPDX-License-Identifier: Apache-2.0 */
/* Between a descriptor's bytes and the elements that the twin takes. */
#ifndef EMU_TENSOR_FIT_H
#define EMU_TENSOR_FIT_H

#include "emu/ort.h"

struct port {
	struct npu_tensor desc;		/* the model's; scale 0 is 1 */
	struct npu_tensor twin;		/* the twin's, not scaled */
	size_t count;			/* elements of both */
	size_t ndim;
	int64_t dim[NPU_MAX_DIMS + 2];	/* the twin's; inputs: all known */
	enum {
		PORT_SAME,	/* the bytes as they are */
		PORT_WHOLE,	/* integer to integer, clipped to its range */
		PORT_REAL,	/* through float32 and the descriptor */
	} way;
};

/*
 * Fails where desc and t cannot be about the same tensor; *status is then the
 * documented one.  closed: every dimension must be known, or follow from the
 * number of elements.
 */
int port_fit(struct port *p, const struct npu_tensor *desc,
    const struct ort_tensor *t, bool closed, noe_status_t *status,
    struct npu_err *err);

/* The elements that bytes stand for: d->p is bytes, or for port_free(). */
int port_enter(const struct port *p, void *bytes, struct ort_data *d,
    struct npu_err *err);
void port_free(const struct port *p, struct ort_data *d);

/* The bytes that stand for what the twin gave. */
int port_leave(const struct port *p, const struct ort_data *d, void *bytes,
    struct npu_err *err);

#endif
