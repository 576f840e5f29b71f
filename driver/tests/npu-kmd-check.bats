# SPDX-License-Identifier: Apache-2.0
# npu-kmd check: which tree it is, and which changes a kernel needs.  It is
# shell and awk, for which one leg is enough.
# bats file_tags=native,slow

load ../../tests/support/helper
load fakekmd

@test "a tree is identified by its contents, not by its own version" {
	for kind in $kinds cix-6.x upstream-4.1; do
		tree $kind
		echo 'PACKAGE_VERSION="1.0.0"' >t/dkms.conf
		npu-kmd check t --kernel=7.3 --json >json || [ $? -eq 4 ]
		[ "$(jq -r .tree.id json)" = $kind ]
		[ "$(jq -r .schema json)" = npu-kmd-check/1 ]
		run -4 npu-kmd check t --kernel=7.3
		[[ ${lines[0]} == "tree: $kind, "* ]]
		[ "$(jq -r .tree.refused json)" = "$(sed -n \
		    's/^adapt refuses it: //p' <<<"$output" |
		    grep . || echo null)" ]
	done
}

@test "changes of a kernel outside 6.1 to 7.3 are not known: status 5" {
	tree orangepi-5.11.0
	npu-kmd adapt t
	for k in 5.10 6.0 7.4 9.9; do
		run -5 npu-kmd check t --kernel=$k
		[[ ${lines[-1]} == "kernel $k: needs nothing changed that is \
known; known are 6.1 to 7.3" ]]
		run -5 npu-kmd check t --kernel=$k --json
		[ "$(jq .kernel_known <<<"$output")" = false ]
	done
	for k in 6.1 7.3; do
		run -0 npu-kmd check t --kernel=$k --json
		[ "$(jq .kernel_known <<<"$output")" = true ]
	done
}

@test "the sizes of the ioctls agree with a compiler" {
	cat >sizes.c <<-'END'
	#include <stdio.h>
	#include "armchina_aipu.h"
	int main(void)
	{
		printf("%zu %zu %zu\n", sizeof(struct aipu_cap),
		    sizeof(struct aipu_buf_request),
		    sizeof(struct aipu_job_desc));
		return 0;
	}
	END
	for kind in orangepi-5.11.0 upstream-4.2; do
		tree $kind
		"${CC:-cc}" -I t/armchina-npu/include sizes.c -o sizes
		npu-kmd check t --kernel=7.3 --json >json || [ $? -eq 4 ]
		[ "$(jq -r '.ioctl | "\(.capability) \(.buffer) \(.job)"' \
		    json)" = "$(./sizes)" ]
	done
	# The table has the same sizes for the vendor's 4.2.
	[ "$(./sizes)" = "200 80 144" ]
}

@test "each kernel needs the changes of its own API" {
	# Releases: from the headers of 6.1, 6.12 and 7.2, and the commits that
	# kmd/changes names.
	while read -r kind kernel want; do
		tree "$kind"
		got=$(rows "$kernel")
		[ "$got" = "$want" ] || {
			echo "$kind $kernel: $got, not $want"
			return 1
		}
	done <<-'END'
	orangepi-5.11.0 6.1 8
	orangepi-5.11.0 6.10 8
	orangepi-5.11.0 6.11 3 8
	orangepi-5.11.0 6.12.107+deb13-arm64 3 8
	orangepi-5.11.0 6.13 2 3 4 8
	orangepi-5.11.0 6.14 2 3 4 8
	orangepi-5.11.0 6.15 1 2 3 4 6 8
	orangepi-5.11.0 6.18 1 2 3 4 6 8
	orangepi-5.11.0 7.0 1 2 3 4 5 6 7 8
	orangepi-5.11.0 7.3-rc7 1 2 3 4 5 6 7 8
	sky1-linux 7.3 1 2 3 4 5 6 7 8
	upstream-4.0 6.12 3 8
	upstream-4.2 7.2 1 2 3 4 5 6 7 8
	cix-6.x 6.11 3 8
	sixpatch 6.1 3 4
	sixpatch 6.4 3 4 6
	sixpatch 6.12 3 4 6
	sixpatch 6.18 3 4 6
	sixpatch 7.2 3 4 5 6 7
	END
}

@test "check and a compiler agree about a file" {
	for kernel in 6.1 6.10 6.11 6.12 6.13 6.14 6.15 6.19 7.0 7.3; do
		for kind in orangepi-5.11.0 sixpatch; do
			tree $kind
			npu-kmd check t --kernel=$kernel --json >json || [ $? -eq 4 ]
			for f in sky1/sky1.c default/default.c aipu_mm.c \
			    aipu_dma_buf.c aipu_irq.c; do
				n=$(jq "[.needed[] | select(.reason |
				    test(\"by hand|left out\") | not) |
				    .places[] | select(.file ==
				    \"armchina-npu/$f\")] | length" json)
				st=0
				for_kernel $kernel $f >out 2>&1 || st=1
				[ $((n > 0)) -eq $st ] || {
					echo "$kind $kernel $f: $n listed"
					cat out
					return 1
				}
			done
		done
	done
}

@test "each reported line has the construct" {
	tree orangepi-5.11.0
	npu-kmd check t --kernel=7.3 --json >json || [ $? -eq 4 ]
	jq -r '.needed[] | .id as $i | .places[] | "\($i) \(.file) \(.line)"' \
	    json | while read -r id file line; do
		case $id in
		1) want='EXTRA_CFLAGS \+=' ;;
		2) want='\$\(SRC_DIR\)/.*\.o' ;;
		3) want='\.remove = ' ;;
		4) want='MODULE_IMPORT_NS\(DMA_BUF\)' ;;
		5) want='ret = pm_runtime_put\(' ;;
		6) want='enum iommu_dma_cookie_type.*;|= .*->iova_cookie;' ;;
		7) want='IRQF_ONESHOT \|' ;;
		8) want='scmi_device_' ;;
		esac
		sed -n "${line}p" "t/$file" | grep -E "$want" ||
			echo "$id $file $line" >>bad
	done
	[ ! -e bad ]
	[ "$(jq '[.needed[].places[]] | length' json)" -eq 15 ]
	run -4 npu-kmd check t --kernel=7.3
	[ "${lines[4]}" = "Makefile:6 and 1 more: 1, since 6.15: kbuild ignores\
 EXTRA_CFLAGS and reads ccflags-y" ]
}

# headers DIR: creates headers of CIX's 6.6, which declare the helpers.
headers() {
	mkdir -p "$1/include/config" "$1/include/linux"
	echo 6.6.89-cix >"$1/include/config/kernel.release"
	echo CONFIG_ARCH_CIX=y >"$1/include/config/auto.conf"
	echo 'int scmi_device_opp_table_parse(struct device *dev);' \
	    >"$1/include/linux/scmi_protocol.h"
}

@test "a CIX kernel has the helpers if its headers declare them" {
	tree orangepi-5.11.0
	headers "a b"
	run -0 npu-kmd check t --kernel="a b"
	[ "${lines[3]}" = "kernel 6.6.89-cix: needs nothing changed" ]
	: >"a b/include/linux/scmi_protocol.h"
	got=$(rows "a b")
	[ "$got" = 8 ]
	# Mainline also has CONFIG_ARCH_CIX today.
	headers "a b"
	: >"a b/include/config/auto.conf"
	got=$(rows "a b")
	[ "$got" = 8 ]
	# Debian's headers for an architecture are in two folders.
	headers two
	mkdir common
	mv two/include/linux common/
	mkdir common/include
	mv common/linux common/include/
	echo "include /usr/src/common/Makefile" >two/Makefile
	run -0 npu-kmd check t --kernel=two
}

@test "an unknown tree: status 1, and its sizes" {
	tree orangepi-5.11.0
	sed -i 's/base.32./base[31]/' t/armchina-npu/include/armchina_aipu.h
	run --separate-stderr -1 npu-kmd check t --kernel=7.3
	[ "$output" = "" ]
	[[ $stderr == "npu-kmd: t: not a tree that is known (ioctl sizes 416"* ]]
	run --separate-stderr -1 npu-kmd check t --kernel=7.3 --json
	[ "$(jq -c '[.tree, .needed]' <<<"$output")" = '[null,[]]' ]
	run -1 npu-kmd check "$TOP/lib"
	[[ $output == *"not the driver's folder"* ]]
	run -1 npu-kmd check none
	[ "$output" = "npu-kmd: none: not a folder that can be entered" ]
	run -2 npu-kmd check
}

@test "--json: a failed command also prints exactly one document" {
	mkdir empty
	for args in 'check none' 'check empty' 'verify none' 'verify empty' \
	    'dkms --root=none'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -1 npu-kmd $args --json
		[ "$(jq -c '[.schema, .error.status]' <<<"$output")" = \
		    "[\"npu-kmd-${args%% *}/1\",1]" ]
		[ "$stderr" = "npu-kmd: $(jq -r .error.message <<<"$output")" ]
	done
	run --separate-stderr -2 npu-kmd check --json
	[ "$output" = "" ]
	tree orangepi-5.11.0
	sed -i 's/base.32./base[31]/' t/armchina-npu/include/armchina_aipu.h
	run --separate-stderr -1 npu-kmd check t --json --kernel=7.3
	[ "${#lines[@]}" -eq 1 ]
}

@test "unusual names of a tree make no difference" {
	for name in 'a b' -t 'x=y' $'new\nline' '$(echo hi)' 'a|b'; do
		tree orangepi-5.11.0
		rm -rf ./"$name"
		mv t "./$name"
		run -4 npu-kmd check --kernel=7.3 -- "$name"
		[ "${lines[0]}" = "tree: orangepi-5.11.0, Orange Pi's\
 component_cix, KMD 5.11.0" ]
	done
}

@test "all installed awks agree" {
	tree sixpatch
	npu-kmd check t --kernel=7.3 --json >want || [ $? -eq 4 ]
	n=0
	for awk in mawk gawk original-awk 'busybox awk'; do
		command -v "${awk%% *}" >/dev/null || continue
		mkdir -p bin
		printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >bin/awk
		chmod +x bin/awk
		PATH=$PWD/bin:$PATH npu-kmd check t --kernel=7.3 --json >got ||
			[ $? -eq 4 ]
		cmp want got
		n=$((n + 1))
	done
	[ $n -gt 0 ]
}
