// SPDX-License-Identifier: Apache-2.0
/* Chooses one of the kernels in pass_kernels.h. */
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "base/cpu.h"
#include "image/kernels/pass.h"
#include "image/kernels/pass_kernels.h"

static const struct pass_kernel *
kernel(void)
{
#if defined(__x86_64__)
	if (cpu_has_avx512vnni() && cpu_has_avx512bw())
		return &pass_vnni;
	if (cpu_has_avx2())
		return &pass_avx2;
#elif defined(PASS_NEON)
	if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP)
		return &pass_neon;
#endif
	return &pass_plain;
}

int
pass_prepare(struct windows *w)
{
	const struct pass_kernel *k = kernel();

	return k->prepare != NULL ? k->prepare(w) : 0;
}

void
pass_along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	kernel()->along(w, row, out);
}

void
pass_along_sums(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    int32_t *const out[PASS_ROWS])
{
	kernel()->along_sums(w, row, out);
}

void
pass_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, const int32_t *from, int32_t *to, uint8_t *out)
{
	kernel()->across(row, k, n, bytes, from, to, out);
}

void
pass_across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to)
{
	kernel()->across_s16(row, k, n, bytes, to);
}
