/* SPDX-License-Identifier: Apache-2.0 */
/* How the shapes of outputs, and multiply-accumulates, follow from a node's
 * inputs, for each kind of operator: see the specification of ONNX's operators.
 * A shape that cannot be known is not set. */
#ifndef MODEL_SHAPES_INFER_H
#define MODEL_SHAPES_INFER_H

#include "model/shapes/step.h"

/* elementwise.c */
void infer_same(struct step *s);		/* one input counts */
void infer_same_pair(struct step *s);		/* for two outputs */
void infer_quantised(struct step *s);		/* DynamicQuantizeLinear */
void infer_broadcast(struct step *s);
void infer_broadcast_quantised(struct step *s);	/* inputs 0 and 3 */
void infer_where(struct step *s);

/* windows.c */
void infer_conv(struct step *s);
void infer_conv_transpose(struct step *s);
void infer_pool(struct step *s);
void infer_global_pool(struct step *s);
void infer_roi_align(struct step *s);
void infer_grid_sample(struct step *s);
bool count_conv(const struct step *s, uint64_t *macs);
bool count_conv_transpose(const struct step *s, uint64_t *macs);

/* products.c */
void infer_matmul(struct step *s);
void infer_gemm(struct step *s);
void infer_recurrent(struct step *s);
bool count_matmul(const struct step *s, uint64_t *macs);
bool count_recurrent(const struct step *s, uint64_t *macs);

/* constants.c */
void infer_constant(struct step *s);
void infer_constant_of_shape(struct step *s);
void infer_range(struct step *s);
void infer_shape(struct step *s);
void infer_size(struct step *s);
void infer_stated(struct step *s);		/* attribute shape */

/* layouts.c */
void infer_reshape(struct step *s);
void infer_flatten(struct step *s);
void infer_squeeze(struct step *s);
void infer_unsqueeze(struct step *s);
void infer_transpose(struct step *s);
void infer_depth_to_space(struct step *s);
void infer_space_to_depth(struct step *s);

/* extents.c */
void infer_expand(struct step *s);
void infer_tile(struct step *s);
void infer_pad(struct step *s);
void infer_resize(struct step *s);
void infer_upsample(struct step *s);

/* pieces.c */
void infer_concat(struct step *s);
void infer_concat_quantised(struct step *s);	/* inputs 2, 5, 8 ... */
void infer_split(struct step *s);
void infer_slice(struct step *s);
void infer_gather(struct step *s);
void infer_gather_elements(struct step *s);
void infer_gather_nd(struct step *s);

/* reductions.c */
void infer_reduce(struct step *s);
void infer_arg(struct step *s);			/* ArgMax, ArgMin */
void infer_topk(struct step *s);
void infer_one_hot(struct step *s);
void infer_non_zero(struct step *s);
void infer_non_max_suppression(struct step *s);

#endif
