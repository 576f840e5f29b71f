/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#if defined(__x86_64__)
#include <features.h>
#include <stdbool.h>

/*
 * Which instruction sets programs can use on this x86-64 processor and kernel.
 * The loader of glibc knows since 2.33 (sys/platform/x86.h).  libgcc gives the
 * same answer, but a program that asks libgcc executes CPUID whenever it
 * starts, which took 4 % of the time of --version in a virtual machine.
 */
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#define CPU_HAS(loader_name, libgcc_name) CPU_FEATURE_ACTIVE(loader_name)
#else
#define CPU_HAS(loader_name, libgcc_name) __builtin_cpu_supports(libgcc_name)
#endif

static inline bool
cpu_has_avx2(void)
{
	return CPU_HAS(AVX2, "avx2");
}

static inline bool
cpu_has_fma(void)
{
	return CPU_HAS(FMA, "fma");
}

static inline bool
cpu_has_avx512f(void)
{
	return CPU_HAS(AVX512F, "avx512f");
}

static inline bool
cpu_has_avx512bw(void)
{
	return CPU_HAS(AVX512BW, "avx512bw");
}

static inline bool
cpu_has_avx512dq(void)
{
	return CPU_HAS(AVX512DQ, "avx512dq");
}

static inline bool
cpu_has_avx512_vbmi(void)
{
	return CPU_HAS(AVX512_VBMI, "avx512vbmi");
}

static inline bool
cpu_has_avx512_vnni(void)
{
	return CPU_HAS(AVX512_VNNI, "avx512vnni");
}
#endif

#endif
