/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attention on 64 x 64 matrices of s8 in 32-bit integers, bit for bit as a
 * kernel on an AMD XDNA core computes it.  It does not use floating point;
 * therefore every compiler gives the same bytes on every processor.
 *
 * qkv is Q, K and V, each with REF_MATRIX elements, row by row; out has
 * REF_MATRIX elements.  They must not overlap.  All sums fit in 32 bits: a
 * score is at most 64 x 128 x 128 = 2^20, and the weights of a row times V are
 * less than 2^23.
 *
 * ref_attention() was designed by this project and differs by at most 0.505
 * steps from softmax(Q K^T / 8) V.  The other functions repeat, for comparison,
 * kernels of the report that this project calls guide 004 (the repository
 * Unicorn-Commander/Unicorn-Amanuensis, attention_int8_64x64_tiled.c and its
 * relatives, November 2025):
 *
 *	ref_attention_int8	the first, whose scores saturate at s8
 *	ref_attention_lut8	its successor as in the source: scores >> 3,
 *				differences to the highest score >> 8
 *	ref_attention_shift4	the successor as it was compiled: scores >> 4
 *	ref_attention_guide	the successor as it was intended: without the
 *				second shift
 */
#ifndef REF_ATTENTION_H
#define REF_ATTENTION_H

#include <stdint.h>

enum { REF_SIDE = 64, REF_MATRIX = REF_SIDE * REF_SIDE };

void ref_attention(const int8_t *qkv, int8_t *out);
void ref_attention_guide(const int8_t *qkv, int8_t *out);
void ref_attention_lut8(const int8_t *qkv, int8_t *out);
void ref_attention_shift4(const int8_t *qkv, int8_t *out);
void ref_attention_int8(const int8_t *qkv, int8_t *out);

#endif
