# SPDX-License-Identifier: Apache-2.0
# The parts of driver/tests' kernel matrix that need no kernel: the choice of
# kernels, reading a build's log, what npu-kmd reports for the stub, and the
# adapted stub.  `make -C driver check-kernels` runs the rest.
# bats file_tags=native,slow

load ../../tests/support/helper

setup() {
	PATH=$TOP/driver:$PATH
	STUB=$TOP/driver/tests/stub
	export NPU_KMD_TREES=$TOP/driver/tests/stub.trees
	. "$TOP/driver/tests/kernels-lib.sh"
}

@test "the oldest available kernel and the newest of each series are chosen" {
	run -0 choose <<-'END'
	5.10.0-32-arm64
	6.1.0-47-arm64
	6.1.0-48-arm64
	6.1.0-50-arm64
	6.12.94+deb13-arm64
	6.12.107+deb13-arm64
	7.2.6+deb13-arm64
	7.3.4+deb13-arm64
	END
	[ "$(echo $output)" = "6.1.0-47-arm64 6.1.0-50-arm64 \
6.12.107+deb13-arm64 7.2.6+deb13-arm64 7.3.4+deb13-arm64" ]
	[ "$(echo 7.3.4-arm64 | choose)" = 7.3.4-arm64 ]
	run -0 choose </dev/null
	[ "$output" = "" ]
}

# The output of kbuild of 6.12 and 7.3 and gcc 14.2 for the stub.
@test "the row that went wrong is found in a build log" {
	while read -r row line; do
		[ "$(echo "$line" | seen_in_log 1 2 3 4 5 8)" = \
		    "${row#-}" ] || { echo "$row: $line"; false; }
		run -0 seen_in_log 6 7 <<<"$line"
		[ "$output" = "" ]
	done <<-'END'
	1 armchina-npu/aipu_irq.c:5:10: fatal error: stub.h: No such file or directory
	2 CC      armchina-npu/sky1/sky1.o
	2 CC      /tree/./armchina-npu/aipu.o
	- CC [M]  armchina-npu/sky1/sky1.o
	- CC [M]  /tree/./armchina-npu/aipu.o
	- CC      scripts/mod/empty.o
	3 armchina-npu/sky1/sky1.c:162:19: error: initialization of 'void (*)(struct platform_device *)' from incompatible pointer type 'int (*)(struct platform_device *)' [-Wincompatible-pointer-types]
	4 armchina-npu/aipu_dma_buf.c:54:18: error: 'DMA_BUF' undeclared here (not in a function)
	- armchina-npu/aipu_dma_buf.c:54:18: warning: 'x' defined but not used [-Wunused-variable]
	5 armchina-npu/sky1/sky1.c:271:13: error: void value not ignored as it ought to be
	8 /tree/./armchina-npu/sky1/sky1.c:33:16: error: implicit declaration of function 'scmi_device_set_freq'; did you mean 'acpi_device_set_power'? [-Wimplicit-function-declaration]
	- armchina-npu/sky1/sky1.c:33:16: error: implicit declaration of function 'frob' [-Wimplicit-function-declaration]
	END
}

@test "the offset of a member is read from pahole's output" {
	run -0 iovad_at <<-'END'
	struct iommu_dma_cookie {
		enum iommu_dma_cookie_type type;                 /*     0     4 */

		/* XXX 4 bytes hole, try to pack */

		struct iova_domain         iovad __attribute__((__aligned__(8))); /*     8   128 */
	END
	[ "$output" = 8 ]
	[ "$(echo '	struct iova_domain         iovad;                /*     0   128 */' |
	    iovad_at)" = 0 ]
	run -0 iovad_at <<<'pahole: Invalid argument'
	[ "$output" = "" ]
}

# IRQF_SHARED 0x80, _PROBE_SHARED 0x100, _ONESHOT 0x2000, _COND_ONESHOT 0x40000,
# which request_irq() adds (include/linux/interrupt.h).
@test "the flags of an interrupt are read from objdump's output" {
	run -0 irq_flags <<-'END'
	  2c:	52800001 	mov	w1, #0x1                   	// #1
	  30:	d2843003 	mov	x3, #0x2180                	// #8576
	  34:	aa1303e5 	mov	x5, x19
	  38:	f2a00083 	movk	x3, #0x4, lsl #16
	  3c:	94000000 	bl	0 <request_threaded_irq>
	  40:	52800003 	mov	w3, #0x1                   	// #1
	END
	[ "$output" -eq $((0x42180)) ]
	printf '%s\n' '  30: 52803003 	mov	w3, #0x180  // #384' \
	    '  3c: 94000000 	bl	0 <request_threaded_irq>' >plain
	[ "$(irq_flags <plain)" -eq $((0x180)) ]
}

# The release from which on each row is needed: reference driver 3.
@test "check reports for the stub the changes of each kernel" {
	while read -r kernel rows; do
		run --separate-stderr -4 npu-kmd check --json \
		    --kernel="$kernel" "$STUB"
		[ "$(echo "$output" | jq -r .tree.id)" = stub ]
		[ "$(echo "$output" | jq -r .ioctl.capability)" = 424 ]
		[ "$(echo "$output" | jq -r '.needed[].id' | sort -u |
		    tr -d '\n')" = "$rows" ]
	done <<-'END'
	6.1 8
	6.10 8
	6.11 38
	6.12.107+deb13-arm64 38
	6.13 2348
	6.15 123468
	7.0 12345678
	7.3.4 12345678
	END
}

@test "the stub is known only with its own table" {
	unset NPU_KMD_TREES
	run --separate-stderr -1 npu-kmd check --json --kernel=6.12 "$STUB"
	[ "$(echo "$output" | jq -r .tree.id)" = null ]
}

@test "the adapted stub needs no change, and --undo restores it" {
	cp -R "$STUB" tree
	run -0 npu-kmd adapt tree
	for k in 6.1 6.11 6.12 6.13 6.15 7.0 7.3; do
		run -0 npu-kmd check --kernel=$k tree
	done
	cp -R tree once
	run -0 npu-kmd adapt tree
	diff -r once tree
	run -0 npu-kmd adapt --undo tree
	diff -r "$STUB" tree
}

@test "the scripts of the matrix print their usage" {
	for s in setup run; do
		run -2 "$TOP/driver/tests/kernels-$s.sh"
		[[ $output == "usage: kernels-$s.sh FOLDER"* ]]
	done
	run -2 "$TOP/driver/tests/kernels.sh"
	[[ $output == "usage: kernels.sh FOLDER"* ]]
}
