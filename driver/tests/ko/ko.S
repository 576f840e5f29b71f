/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Only the parts of a module that npu-kmd verify reads; a kernel could not run
 * it.  Each macro removes or damages one part; see
 * driver/tests/npu-kmd-verify.bats.  For aarch64.
 */
#ifndef LICENCE
#define LICENCE "license=GPL v2"
#endif
#ifndef NS
#define NS "import_ns=DMA_BUF"
#endif
#ifndef ALIAS
#define ALIAS "alias=acpi*:CIXH4000:*"
#endif
#ifndef VERMAGIC
#define VERMAGIC \
	"vermagic=6.12.107-arm64 SMP preempt mod_unload modversions aarch64"
#endif
#ifndef SIZE			/* of the answer to QUERY_CAP, and _IOC_READ */
#define SIZE 0x8000 + 424
#endif
#ifndef VERSION
#define VERSION "5.11.0"
#endif

	.section .modinfo, "a"
	.asciz LICENCE
	.asciz NS
#ifdef NS2
	.asciz NS2
#endif
	.asciz ALIAS
	.asciz VERMAGIC
	.asciz "name=aipu"

	.section .rodata.str1.8, "aMS", %progbits, 1
	.asciz "not a version: 1.2.3"
	.asciz VERSION
#ifdef VERSION2
	.asciz VERSION2
#endif

#ifdef LARGE
	.data
	.zero LARGE
#endif

	.text
aipu_ioctl:
#ifdef APART			/* a compiler may put others between them */
	movz	x2, #0x4100
	movz	w3, #0x80c8, lsl #16
	nop
	movk	x2, #SIZE, lsl #16
#elif defined(TURNED)
	movz	w2, #SIZE, lsl #16
	movk	w2, #0x4100
#elif defined(STALE)		/* w2 has been given something else between */
	movz	w2, #SIZE, lsl #16
	movz	w2, #0x4100
#else
	movz	w2, #0x4100
	movk	w2, #SIZE, lsl #16
#endif
	cmp	w1, w2
	ret

#ifdef BUILTIN			/* as code that is compiled without -DMODULE */
	.section .initcall6.init, "a"
	.quad	aipu_ioctl
#else
	.section .init.text, "ax"
#ifdef UNDEFINED
	bl	init_module
init_module2:
#elif !defined(NO_INIT)
	.globl init_module
init_module:
#endif
	mov	w0, #0
	ret
	.section .exit.text, "ax"
#ifndef NO_EXIT
	.globl cleanup_module
cleanup_module:
#endif
	ret
#endif

#ifdef TAKES			/* symbols of the kernel, one weak */
	.text
	bl	dma_buf_export
	bl	scmi_device_set_freq
	.weak	perhaps
	bl	perhaps
#endif
#ifdef CRC			/* struct modversion_info */
	.section __versions, "a"
	.quad	0x1d0bcaa9
	.ascii	"module_layout"
	.zero	56 - 13
	.quad	CRC
	.ascii	"dma_buf_export"
	.zero	56 - 14
#endif
#ifdef EXTENDED_CRC
	.section __version_ext_crcs, "a"
	.long	0x1d0bcaa9, EXTENDED_CRC
	.section __version_ext_names, "a"
	.asciz	"module_layout"
	.asciz	"dma_buf_export"
#endif

#ifndef OBJECT			/* added by modpost */
	.section .gnu.linkonce.this_module, "aw"
	.globl __this_module
__this_module:
	.zero 64
#if defined(NO_INIT) || defined(BUILTIN)
	.quad	0
#else
	.quad	init_module
#endif
#endif
	.section .note.gnu.build-id, "a", %note
	.long	4, 20, 3
	.asciz	"GNU"
#ifndef BUILD_ID
#define BUILD_ID 0x11
#endif
	.fill	20, 1, BUILD_ID
