/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <features.h>
#include <stdbool.h>

/*
 * Which instruction sets of x86-64 programs can use on this processor and
 * kernel; on other processors, none.  The loader of glibc knows since 2.33
 * (sys/platform/x86.h).  libgcc gives the same answer, but a program that asks
 * libgcc executes CPUID whenever it starts, which took 4 % of the time of
 * --version in a virtual machine.
 */
#if !defined(__x86_64__)
#define CPU_HAS(libgcc_name, loader_name) false
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#define CPU_HAS(libgcc_name, loader_name) CPU_FEATURE_ACTIVE(loader_name)
#else
#define CPU_HAS(libgcc_name, loader_name) __builtin_cpu_supports(libgcc_name)
#endif

/* Defines bool cpu_has_NAME(void). */
#define CPU_SET(name, loader_name) \
static inline bool \
cpu_has_##name(void) \
{ \
	return CPU_HAS(#name, loader_name); \
}

CPU_SET(avx2, AVX2)
CPU_SET(fma, FMA)
CPU_SET(avx512f, AVX512F)
CPU_SET(avx512bw, AVX512BW)
CPU_SET(avx512dq, AVX512DQ)
CPU_SET(avx512vbmi, AVX512_VBMI)
CPU_SET(avx512vnni, AVX512_VNNI)

#endif
