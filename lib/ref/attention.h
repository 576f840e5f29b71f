/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attention on 64 x 64 matrices of s8 in 32-bit integers, bit for bit as a
 * kernel on an AMD XDNA core computes it.  Without floating point, so that
 * every compiler gives the same bytes on every processor.
 *
 * qkv is Q, K and V, each REF_MATRIX elements, row by row; out is REF_MATRIX
 * elements.  They must not overlap.  No sum leaves the 32 bits: a score is at
 * most 64 x 128 x 128 = 2^20, and weights of a row times V less than 2^23.
 *
 * ref_attention() is designed by this project and differs by at most 0.505
 * steps from softmax(Q K^T / 8) V.  The others repeat kernels of the report
 * that this project calls guide 004 (the repository
 * Unicorn-Commander/Unicorn-Amanuensis, attention_int8_64x64_tiled.c and its
 * relatives, November 2025), for comparison:
 *
 *	ref_attention_int8	the first, whose scores saturate at s8
 *	ref_attention_lut8	its successor as the source has it: scores >> 3,
 *				distances to the greatest >> 8
 *	ref_attention_shift4	the same as it was compiled: scores >> 4
 *	ref_attention_guide	the same without the second shift: as intended
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
