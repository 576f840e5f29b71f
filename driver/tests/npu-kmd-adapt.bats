# SPDX-License-Identifier: Apache-2.0
# npu-kmd adapt: one result that every kernel accepts, and --undo.  It is shell
# and awk, for which one leg is enough.
# bats file_tags=native,slow

load ../../tests/support/helper
load fakekmd

kernels='6.1 6.4 6.10 6.11 6.12 6.13 6.14 6.15 6.18 7.0 7.3'
sources='sky1/sky1.c default/default.c r329/r329.c aipu_dma_buf.c aipu_mm.c
aipu_irq.c'

@test "an adapted tree needs no change for any kernel" {
	for kind in $kinds; do
		tree $kind
		npu-kmd adapt t
		for kernel in $kernels; do
			run -0 npu-kmd check t --kernel=$kernel
			[ "${lines[3]}" = "adapted: yes" ]
		done
	done
}

@test "code that adapt inserts includes the header of KERNEL_VERSION" {
	tree orangepi-5.11.0
	sed -i '/linux.version\.h/d' t/armchina-npu/*.c t/armchina-npu/*/*.c
	npu-kmd adapt t
	for f in aipu_mm.c aipu_dma_buf.c sky1/sky1.c; do
		[ "$(grep -oE 'linux/version\.h|KERNEL_VERSION' \
		    t/armchina-npu/$f | head -n 1)" = linux/version.h ]
	done
}

@test "an adapted file compiles for every kernel" {
	# upstream's sky1.c binds nodes, which our kernel.h does not support.
	for kind in orangepi-5.11.0 sixpatch sky1-linux; do
		tree $kind
		npu-kmd adapt t
		for kernel in $kernels; do
			# shellcheck disable=SC2086 # words
			for_kernel $kernel "$sources" || {
				echo "$kind $kernel"
				return 1
			}
			# With the helpers, devfreq is compiled as well.
			for_kernel $kernel sky1/sky1.c -fsyntax-only -DCIX \
			    -DCONFIG_ENABLE_DEVFREQ
		done
	done
}

@test "a second run changes nothing, and --undo restores every byte" {
	for kind in $kinds; do
		tree $kind
		chmod 640 t/Makefile
		chmod 755 t/armchina-npu/aipu_mm.c
		cp -a t before
		npu-kmd adapt t
		[ "$(stat -c %a t/Makefile)" = 640 ]
		[ "$(stat -c %a t/armchina-npu/aipu_mm.c)" = 755 ]
		sums t >once
		run -0 npu-kmd adapt t
		[ "$output" = "t: already adapted; nothing changed" ]
		sums t | cmp once -
		run -0 npu-kmd adapt t --undo
		[ "$output" = "t: as before it was adapted" ]
		diff -r before t
		[ "$(stat -c %a t/Makefile)" = 640 ]
		run -0 npu-kmd adapt --undo t
		[ "$output" = "t: not adapted; nothing to undo" ]
		rm -rf before
	done
}

@test "a tree adapted by others, without a manifest, needs no change" {
	tree orangepi-5.11.0
	npu-kmd adapt t
	rm -r t/.npu-kmd.*
	sums t >before
	run -0 npu-kmd adapt t
	[ "$output" = "t: orangepi-5.11.0 needs no change" ]
	sums t | cmp before -
}

@test "each text that adapt inserts occurs once in the result" {
	for kind in $kinds; do
		tree $kind
		npu-kmd adapt t
		cat t/Makefile t/armchina-npu/*.c t/armchina-npu/sky1/*.c >all
		while read -r n text; do
			[ "$(grep -cF -- "$text" all)" -eq "$n" ] || {
				echo "$kind: $n $text"
				return 1
			}
		done <<-'END'
		0 EXTRA_CFLAGS
		0 $(SRC_DIR)/
		0 $(PWD)
		1 module_param_named(iova32, npu_kmd_iova32, bool, 0444);
		1 if (npu_kmd_iova32) {
		1 if (npu_kmd_cores(&p_dev->dev, CIX_NPU_PD_NUM))
		1 MODULE_IMPORT_NS(DMA_BUF);
		1 = npu_kmd_cookie(iommu_domain);
		2 = npu_kmd_put(
		0 KERNEL_VERSION(6, 4, 0)
		END
		# The flags after IRQF_ONESHOT | are kept.
		grep -v '/\*' all >plain
		run -1 grep '^[^*]*IRQF_ONESHOT' plain
		grep -q '^	    IRQF_SHARED, "fixture", data);' all
	done
}

# program NAME RELEASE FILE: builds and runs fixtures/run/NAME.c with t's FILE.
program() {
	for_kernel "$2" "$3" -c -o part.o
	for_kernel "$2" "$FIXTURES/run/$1.c" -c -o main.o
	"${CC:-cc}" -o "$1" main.o part.o
}

@test "addresses are reserved in either kind of cookie, and nowhere else" {
	for kind in orangepi-5.11.0 sixpatch; do
		tree $kind
		npu-kmd adapt t
		for kernel in '6.1 8' '6.12 8' '6.14 8' '6.15 0' '7.3 0'; do
			program reserve ${kernel% *} aipu_mm.c
			# 35 bits; or 32 bits and 3 GiB without a cookie, by the
			# fixture itself, or on request.
			cat >want <<-END
			dma 1 35 800000000 1 ${kernel#* }
			identity 0 32 800000000 0 -1
			none 0 32 800000000 0 -1
			iova32 0 32 c0000000 0 -1
			END
			./reserve >got
			diff want got
		done
	done
}

@test "a core without a device gives -ENODEV, and every device is put" {
	tree orangepi-5.11.0
	npu-kmd adapt t
	for kernel in 6.1 7.3; do
		program cores $kernel sky1/sky1.c
		while IFS='|' read -r nodes want; do
			# shellcheck disable=SC2086
			[ "$(./cores $nodes)" = "$(printf %b "$want")" ] || {
				./cores $nodes
				return 1
			}
		done <<-'END'
		CRE0 CRE1 CRE2|0 3
		=dat PPRS CRE0 CRE1 PRS0- CRE2|0 3
		CRE0 CRE1 CRE2 CRE3-|0 3
		CRE0 CRE1- CRE2|npu-kmd: core CRE1- has no device: no _HID in ACPI; see npu-kmd(8)\nput CRE1-; -19 1
		CRE0 CRE1|npu-kmd: ACPI has 2 cores, not 3; see npu-kmd(8)\n-19 2
		PPRS|npu-kmd: ACPI has 0 cores, not 3; see npu-kmd(8)\n-19 0
		END
	done
	# Arm China's source has the nodes themselves.
	tree upstream-4.0
	npu-kmd adapt t
	grep -q 'have < want' t/armchina-npu/sky1/sky1.c
	run -1 grep 'has no device' t/armchina-npu/sky1/sky1.c
}

# verdict NEW: prints verify-edit.awk's output for NEW as a change of old.
verdict() {
	for f in old "$1"; do
		awk -v role=mm -f "$KMD/ccode.awk" -f "$KMD/scan.awk" "$f" \
		    >"$f.sites" || return
	done
	awk -f "$KMD/verify-edit.awk" old.sites "$1.sites" old "$1"
}

@test "a change is verified before it is applied" {
	KMD=$TOP/driver/kmd
	tree orangepi-5.11.0
	cp t/armchina-npu/aipu_mm.c old
	npu-kmd adapt t
	cp t/armchina-npu/aipu_mm.c new
	run -0 verdict new
	[ "$output" = "" ]
	sed '/dma_mask = 35/d' new >lost
	run -3 verdict lost
	[[ $output == *": a line was lost" ]]
	sed 's/npu_kmd_cookie(iommu_domain)/iommu_domain->iova_cookie/' new \
	    >undone
	run -3 verdict undone
	[[ $output == *": still to be changed: use" ]]
	sed 's/if (npu_kmd_iova32)/if (0)/' new >less
	run -3 verdict less
	[[ $output == *": still to be changed: iova32" ]]
	sed 's/= npu_kmd_cookie(.*/= NULL;/' new >none
	run -3 verdict none
	[[ $output == *": row 6: 1 changes missing" ]]
}

# flags DIR [VAR=VALUE...]: sets $flags to the compiler flags of the tree's Makefile.
flags() {
	local dir=$1
	shift
	printf 'include t/Makefile\nall:\n\t@echo $(ccflags-y)\n' >print.mk
	flags=$(make -s -f print.mk srctree="$dir" src=SRC "$@" all)
}

@test "devfreq is left out only where the helpers do not exist" {
	tree orangepi-5.11.0
	npu-kmd adapt t
	mkdir -p "cix/include/linux" main/include/linux
	echo 'int scmi_device_opp_table_parse(struct device *dev);' \
	    >cix/include/linux/scmi_protocol.h
	echo '#define SCMI' >main/include/linux/scmi_protocol.h
	flags cix CONFIG_ARCH_CIX=y
	[[ $flags == *" -DCONFIG_ENABLE_DEVFREQ" ]]
	for words in cix 'main CONFIG_ARCH_CIX=y' 'none CONFIG_ARCH_CIX=y' \
	    'cix CONFIG_ARCH_CIX=y BUILD_NPU_DEVFREQ=n'; do
		# shellcheck disable=SC2086
		flags $words
		[[ $flags != *DEVFREQ* ]]
	done
	flags main
	[[ $flags == "-DFIXTURE -ISRC/armchina-npu "* ]]
}

@test "a file without a newline at its end stays without it" {
	tree orangepi-5.11.0
	for f in Makefile armchina-npu/aipu_dma_buf.c armchina-npu/aipu_mm.c; do
		printf %s "$(cat t/$f)" >x
		cp x t/$f
	done
	cp -r t before
	npu-kmd adapt t
	for f in Makefile armchina-npu/aipu_dma_buf.c armchina-npu/aipu_mm.c; do
		[ -n "$(tail -c 1 t/$f)" ]
	done
	for_kernel 6.12 aipu_dma_buf.c
	for_kernel 7.3 aipu_dma_buf.c
	npu-kmd adapt --undo t
	diff -r before t
}

@test "unexpected source is refused with file and line, and not changed" {
	while IFS=@ read -r edit message; do
		tree orangepi-5.11.0
		(cd t/armchina-npu && eval "$edit")
		sums t >before
		run --separate-stderr -1 npu-kmd adapt t
		[ "$output" = "" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "npu-kmd: t: $message"* ]] || {
			echo "$edit: $stderr"
			return 1
		}
		sums t | cmp before -
		[ ! -e t/.npu-kmd.new ]
	done <<-'END'
	sed -i 's/^SRC_DIR := .*/SRC_DIR := x/' ../Makefile@Makefile:9: row 2: expected SRC_DIR := .,
	sed -i '/SRC_DIR)/d; /^PARTS/d' ../Makefile@Makefile: row 2: not found
	sed -i 's/EXTRA_CFLAGS += -DCONFIG_E/CONFIG := -DCONFIG_E/' ../Makefile@Makefile:14: row 8: expected flag
	sed -i 's/ret = pm_runtime_put(dev)/return pm_runtime_put(dev)/' sky1/sky1.c@armchina-npu/sky1/sky1.c:34: row 5: expected ret = pm_runtime_put(...);
	sed -i '/\.remove =/d' sky1/sky1.c@armchina-npu/sky1/sky1.c:0: row 3: expected one platform_driver with one .remove
	sed -i 's/^static int fixture_remove/int fixture_remove/' sky1/sky1.c@armchina-npu/sky1/sky1.c:81: row 3: expected int fixture_remove()
	sed -i '/fixture_priv_init(&/d' sky1/sky1.c@armchina-npu/sky1/sky1.c:0: row P: expected a call of priv_init()
	sed -i 's/IRQF_ONESHOT | IRQF_SHARED/IRQF_SHARED | IRQF_ONESHOT/' aipu_irq.c@armchina-npu/aipu_irq.c:13: row 7: expected IRQF_ONESHOT | in request_irq()
	sed -i 's/cookie = iommu_domain->/cookie = mm->iommu_domain->/' aipu_mm.c@armchina-npu/aipu_mm.c:37: row 6: expected cookie = iommu_domain->iova_cookie;
	sed -i 's/enum iommu_dma_cookie_type.*type;/int type;/' aipu_mm.c@armchina-npu/aipu_mm.c: row 6/layout: not found
	sed -i 's/^FINISH:/END:/' aipu_mm.c@armchina-npu/aipu_mm.c:45: row I: expected a label FINISH
	echo 'MODULE_IMPORT_NS(OTHER);' >>aipu_dma_buf.c@armchina-npu/aipu_dma_buf.c:5: row 4: expected one MODULE_IMPORT_NS()
	sed -i '/MODULE_IMPORT_NS(D/d' aipu_dma_buf.c@armchina-npu/aipu_dma_buf.c: row 4: not found
	sed -i 's/^int fixture_put/int npu_kmd_put;\n&/' sky1/sky1.c@armchina-npu/sky1/sky1.c: adapted in part
	sed -i 's/more.7/more[9/' include/armchina_aipu.h@not a tree that is known (ioctl sizes 424 56 144)
	sed -i 's/base.32/base[31/' include/armchina_aipu.h@not a tree that is known
	END
}

@test "a malicious tree is refused, and files outside it are not touched" {
	mkdir outside
	echo precious >outside/aipu_mm.c
	while IFS='|' read -r edit message; do
		tree orangepi-5.11.0
		(cd t/armchina-npu && eval "$edit")
		for option in '' --undo; do
			# shellcheck disable=SC2086
			run --separate-stderr npu-kmd adapt t $option
			[ "$status" -eq 1 ] ||
				[ "$output" = "t: not adapted; nothing to undo" ]
			[ "$status" -eq 0 ] || [[ $stderr == \
			    "npu-kmd: t: $message"* ]] || {
				echo "$edit: $stderr"
				return 1
			}
			[ "${#stderr_lines[@]}" -le 1 ]
			[ "$(cat outside/*)" = precious ]
			[ "$(ls outside)" = aipu_mm.c ]
			[ -n "$option" ] || [ "$status" -eq 1 ]
		done
	done <<-'END'
	ln -sf ../../outside/aipu_mm.c aipu_mm.c|armchina-npu/aipu_mm.c: a symbolic link
	mv aipu_mm.c x; ln -s x aipu_mm.c|armchina-npu/aipu_mm.c: a symbolic link
	mv sky1 ../sky1; ln -s ../sky1 sky1|armchina-npu/sky1: a symbolic link
	cd ..; mv armchina-npu x; ln -s x armchina-npu|armchina-npu: a symbolic link
	ln -sf /dev/zero ../Makefile|Makefile: a symbolic link
	rm aipu_irq.c; mkfifo aipu_irq.c|armchina-npu/aipu_irq.c: no such file
	rm aipu_irq.c; mkdir aipu_irq.c|armchina-npu/aipu_irq.c: no such file
	printf 'a\0b' >>aipu_mm.c|armchina-npu/aipu_mm.c: has NUL bytes
	sed -i 's/$/\r/' aipu_mm.c|armchina-npu/aipu_mm.c: lines end in CR LF
	printf '%01025d\n' 0 >>aipu_mm.c|armchina-npu/aipu_mm.c:53: a line of more than 1024 bytes
	head -c 4194305 /dev/zero >>aipu_mm.c|armchina-npu/aipu_mm.c: more than 4194304 bytes
	ln -s ../../outside ../.npu-kmd.new|.npu-kmd.new: a symbolic link
	ln -s ../../outside ../.npu-kmd.orig|.npu-kmd.orig: a symbolic link
	ln -s ../../outside/aipu_mm.c ../.npu-kmd.manifest|.npu-kmd.manifest: a symbolic link
	mkdir ../.npu-kmd.manifest|.npu-kmd.manifest: not a file
	rm include/*.h; mkfifo include/armchina_aipu.h|armchina-npu/include/armchina_aipu.h: no such file
	rm aipu_job_manager.c; mkfifo aipu_job_manager.c|armchina-npu/aipu_job_manager.c: no such file
	truncate -s 1T aipu_job_manager.c|armchina-npu/aipu_job_manager.c: more than 4194304 bytes
	ln -s ../../outside zhouyi; ln -sf nowhere aipu_job_manager.c|armchina-npu/aipu_job_manager.c: a symbolic link
	echo x >../.npu-kmd.manifest|.npu-kmd.manifest: not written by npu-kmd
	END
}

# forge FILE: writes a manifest that lists FILE as changed, with an original.
forge() {
	mkdir -p "t/.npu-kmd.orig/$(dirname "$1")"
	echo bad >"t/.npu-kmd.orig/$1"
	echo 'npu-kmd manifest 1' >t/.npu-kmd.manifest
	echo "$(sha256sum <"t/.npu-kmd.orig/$1" | cut -c 1-64)" \
	    "$(sha256sum <"t/$1" | cut -c 1-64) $1" >>t/.npu-kmd.manifest
}

@test "a manifest cannot name a file that adapt does not change" {
	tree orangepi-5.11.0
	echo precious >outside
	for f in ../outside armchina-npu/aipu_job_manager.c; do
		forge $f
		run -1 npu-kmd adapt --undo t
		[ "$output" = "npu-kmd: t: .npu-kmd.manifest: $f is no file\
 that npu-kmd changes" ]
	done
	[ "$(cat outside)" = precious ]
	forge Makefile
	two='Makefile armchina-npu/sky1/sky1.c'
	sed -i "s,Makefile,$two," t/.npu-kmd.manifest
	run -1 npu-kmd adapt --undo t
	[ "$output" = "npu-kmd: t: .npu-kmd.manifest: $two is no file\
 that npu-kmd changes" ]
	for edit in 's/^.\(.* Makefile\)/\1/' 's/^.\(.* Makefile\)/X\1/' \
	    's/ .\(.* Makefile\)/ \1/'; do
		forge Makefile
		sed -i "$edit" t/.npu-kmd.manifest
		run -1 npu-kmd adapt --undo t
		[ "$output" = "npu-kmd: t: .npu-kmd.manifest: damaged; put\
 the originals of .npu-kmd.orig back by hand" ]
	done
	npu-kmd adapt t 2>err || rm -r t/.npu-kmd.*
	npu-kmd adapt t
	echo x >>t/.npu-kmd.orig/Makefile
	run -1 npu-kmd adapt --undo t
	[[ $output == *".npu-kmd.orig/Makefile: not the original"* ]]
}

@test "an original without a manifest is not discarded" {
	tree orangepi-5.11.0
	npu-kmd adapt t
	rm t/.npu-kmd.manifest
	for option in '' --undo; do
		# shellcheck disable=SC2086
		run -1 npu-kmd adapt t $option
		[ "$output" = "npu-kmd: t: .npu-kmd.orig/Makefile: differs,\
 and .npu-kmd.manifest is gone; put it back by hand, or remove .npu-kmd.orig" ]
	done
	[ -f t/.npu-kmd.orig/armchina-npu/aipu_mm.c ]
}

@test "adapt does not wait for an original that is not a regular file" {
	for edit in 'mkfifo Makefile' 'truncate -s 1T Makefile' \
	    'ln -s ../Makefile Makefile'; do
		tree orangepi-5.11.0
		npu-kmd adapt t
		(cd t/.npu-kmd.orig && rm Makefile && eval "$edit")
		run -1 timeout 60 npu-kmd adapt --undo t
		[[ $output == "npu-kmd: t: .npu-kmd.orig/Makefile: "* ]]
	done
}

@test "a file that was later changed by hand is neither lost nor hidden" {
	tree orangepi-5.11.0
	npu-kmd adapt t
	echo '/* mine */' >>t/armchina-npu/aipu_mm.c
	for option in --undo ''; do
		# shellcheck disable=SC2086
		run -1 npu-kmd adapt t $option
		[ "$output" = "npu-kmd: t: armchina-npu/aipu_mm.c: changed by\
 hand since it was adapted; the original is .npu-kmd.orig/armchina-npu/aipu_mm.c" ]
	done
	grep -q mine t/armchina-npu/aipu_mm.c
}

@test "a known tree that adapt does not support stays unchanged" {
	for kind in cix-6.x upstream-4.1; do
		tree $kind
		sums t >before
		why=$(npu-kmd check t --kernel=7.3 |
		    sed -n 's/^adapt refuses it: //p') || [ $? -eq 4 ]
		[ -n "$why" ]
		run -1 npu-kmd adapt t
		[[ $output == "npu-kmd: t: $kind, "*": $why; nothing changed" ]]
		sums t | cmp before -
	done
}

# broken: creates in bin the commands that change a tree.  The call at which
# count is 1 fails; or it does its work and then kills the process group.
broken() {
	mkdir -p bin
	for c in cp mv mkdir rm touch; do
		cat >bin/$c <<-END
		#!/bin/sh
		read -r n how <"\$COUNT"
		echo \$((n - 1)) \$how >"\$COUNT"
		[ \$n\$how != 1fails ] || exit 1
		PATH=\${PATH#*:} $c "\$@"
		st=\$?
		[ \$n\$how != 1kills ] || kill -9 0
		exit \$st
		END
		chmod +x bin/$c
	done
}

# attempt N HOW OPTION: runs npu-kmd for t with the Nth call broken.
attempt() {
	echo "$1" "$2" >count
	# In its own process group: kill 0 must not end the test.
	# shellcheck disable=SC2086
	COUNT=$PWD/count PATH=$TOP_DIR/bin:$PATH \
	    setsid -w npu-kmd adapt t $3 >out 2>&1 || :
}

# each_step OPTION DO...: runs DO N for each step of npu-kmd adapt OPTION for t,
# in a folder with a copy of t, in parallel on all processors.
each_step() {
	local option=$1 n steps
	shift
	TOP_DIR=$PWD
	broken
	cp -a t whole
	attempt 999 runs "$option"
	read -r n _ <count
	steps=$((999 - n))
	# Each of six files is copied at least twice and moved at least once.
	[ $steps -gt 18 ] || return
	local at=0 pids
	while [ $at -lt $steps ]; do
		pids=
		for n in $(seq "$(nproc)"); do
			at=$((at + 1))
			[ $at -le $steps ] || break
			mkdir $at
			cp -a whole $at/t
			(cd $at && set -e && "$@" $at) &
			pids="$pids $!"
		done
		for n in $pids; do
			wait $n || return
		done
	done
	echo "$steps" >steps
}

undo_and_again() {
	attempt $1 kills '' 2>/dev/null
	cp -a t half
	npu-kmd adapt --undo t >out
	diff -r ../before t
	rm -rf t
	mv half t
	npu-kmd adapt t >out
	diff -r ../after t
}

@test "adapt killed at any step can be undone and repeated" {
	tree sixpatch
	cp -a t before
	cp -a t after
	npu-kmd adapt after
	each_step '' undo_and_again
}

undo_after_undo() {
	attempt $1 kills --undo 2>/dev/null
	npu-kmd adapt --undo t >out
	diff -r ../before t
}

@test "adapt --undo killed at any step can be repeated" {
	tree orangepi-5.11.0
	cp -a t before
	npu-kmd adapt t
	each_step --undo undo_after_undo
}

undo_after_failure() {
	attempt $1 fails ''
	! grep -qE '^npu-kmd: t: .*(cannot be written)' out || echo >said
	npu-kmd adapt --undo t >out
	diff -r ../before t
}

@test "a failed step is reported, and the changes can be undone" {
	tree orangepi-5.11.0
	cp -a t before
	each_step '' undo_after_failure
	# All except the last step, which only cleans up.
	[ "$(find . -name said | wc -l)" -eq $(($(cat steps) - 1)) ]
}
