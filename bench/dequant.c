// SPDX-License-Identifier: Apache-2.0
/*
 * dequant - compares npu_dequantise() with a memcpy() that reads and writes as
 * many bytes, with data that is not in the cache.  Goal: at least 0.9 times the
 * speed of memcpy().
 */
#include <string.h>

#include "bench.h"
#include "npu.h"

enum { N = 16 << 20, RUNS = 15 };

static bool
compare(uint32_t dtype, const uint8_t *q, float *x, uint8_t *copy)
{
	struct npu_tensor t = { .dtype = dtype, .scale = 27.6738f,
	    .zero_point = 60 };
	size_t bytes = N * (npu_dtype_size(dtype) + sizeof(float)) / 2;
	double ours[RUNS], peer[RUNS], a, b, begin;
	char figures[80];

	for (int i = 0; i < RUNS; i++) {
		begin = now_ms();
		memcpy(copy, x, bytes);
		peer[i] = now_ms() - begin;
		begin = now_ms();
		if (npu_dequantise(&t, q, N, x, NULL) < 0)
			exit(1);
		ours[i] = now_ms() - begin;
		/* Keeps the compiler from dropping unused results. */
		__asm__ volatile("" : : "r"(copy), "r"(x) : "memory");
	}
	a = median(ours, RUNS);
	b = median(peer, RUNS);
	snprintf(figures, sizeof(figures), "%.2f ms, memcpy %.2f ms, %.2f of "
	    "its speed", a, b, b / a);
	return verdict(npu_dtype_name(dtype), figures, ">= 0.9", b / a >= 0.9);
}

int
main(void)
{
	static const uint32_t types[] = { NPU_S8, NPU_S16, NPU_F16 };
	uint8_t *q = malloc(N * 2), *copy = malloc(N * 4);
	float *x = malloc(N * 4);
	uint32_t r = 1;
	bool met = true;

	if (q == NULL || copy == NULL || x == NULL)
		return 1;
	for (size_t i = 0; i < N * 2; i++) {
		r = r * 1664525 + 1013904223;	/* Numerical Recipes' ranqd1 */
		q[i] = (uint8_t)(r >> 24);
	}
	memset(x, 1, N * 4);
	memset(copy, 1, N * 4);
	printf("dequantise %d elements, median of %d:\n", N, RUNS);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		met = compare(types[i], q, x, copy) && met;
	free(q);
	free(copy);
	free(x);
	return met ? 0 : 1;
}
