#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels.sh FOLDER [KERNEL...] - builds the stub for each kernel of FOLDER,
# both unchanged and adapted by npu-kmd.
#
# Unchanged, each construct must be wrong for exactly the kernels for which
# kmd/changes lists it and `npu-kmd check` reports it.  Adapted, no construct
# may be wrong for any kernel, the module must build without a warning, and
# `npu-kmd verify` must find nothing bad.  For row 6 the kernel's own types
# (BTF) are used, if its headers have them.  Exit status 1: a result was not as
# expected.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/kernels-lib.sh"

# The release that changed each row (driver/kmd/changes); row 8: all releases.
since='1:6015 2:6013 3:6011 4:6013 5:7000 6:6015 7:7000 8:0'
NPU_KMD_TREES=$here/stub.trees
export NPU_KMD_TREES

# wrong MESSAGE: also writes to a file, because it may run in a subshell.
wrong() {
	echo "kernels: $*" | tee -a "$to/stub/wrong" >&2
}

# code KERNEL: prints 6012 for 6.12.107+deb13-arm64.
code() {
	echo "$1" | awk -F '[.+-]' '{ print $1 * 1000 + $2 }'
}

# expected KERNEL: prints the rows that are wrong in an unchanged tree.
expected() {
	for s in $since; do
		[ "$(code "$1")" -lt "${s#*:}" ] || echo "${s%%:*}"
	done
}

# build TREE KERNEL LOG [ARGUMENT...]
build() {
	b_tree=$1 b_kernel=$2 b_log=$3
	shift 3
	"$here/kernels-run.sh" "$to" "$b_tree" \
	    make -C "/usr/src/linux-headers-$b_kernel" -k -j "$(nproc)" \
	    M=/tree ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- \
	    CC=aarch64-linux-gnu-gcc STUB_VERSION=4.0.0 \
	    BUILD_TARGET_PLATFORM_KMD=BUILD_PLATFORM_SKY1 "$@" modules \
	    >"$b_log" 2>&1
}

# cookie TREE FILE: prints the offset of the IOVA domain according to FILE.
cookie() {
	"$here/kernels-run.sh" "$to" "$1" pahole -C iommu_dma_cookie "$2" \
	    2>/dev/null | iovad_at
}

# rows_of_objects TREE KERNEL: prints 6 and 7 if they are wrong; "6?" if that
# cannot be determined.
rows_of_objects() {
	ours=$(cookie "$1" armchina-npu/aipu_mm.o)
	theirs=$(cookie "$1" "/usr/src/linux-headers-$2/vmlinux")
	case $theirs in
	'') echo '6?' ;;
	"$ours") ;;
	*) echo 6 ;;
	esac
	flags=$("$here/kernels-run.sh" "$to" "$1" aarch64-linux-gnu-objdump \
	    -dr armchina-npu/aipu_irq.o | irq_flags)
	# IRQF_SHARED must be set, and IRQF_ONESHOT (0x2000) must not be set
	# where it causes a warning.
	[ $((${flags:-0} & 0x80)) -ne 0 ] || wrong "$2: no flags in aipu_irq.o"
	[ $((${flags:-0} & 0x2000)) -eq 0 ] ||
	    [ "$(code "$2")" -lt 7000 ] || echo 7
}

# as_it_is KERNEL: prints the rows that are wrong, one a line.
as_it_is() {
	t=$to/stub/$1/as-it-is
	rm -rf "$t"
	mkdir -p "$t"
	cp -R "$here/stub/." "$t"
	! build "$t" "$1" "$t.log" || wrong "$1: the stub builds as it is"
	seen_in_log 1 2 <"$t.log"
	if ! [ -e "$t/armchina-npu/aipu_mm.o" ]; then
		# Pass the flags in another way, to see what their absence
		# hides.
		build "$t" "$1" "$t.log" KCFLAGS='-DKMD_VERSION=__func__
		    -I/tree/armchina-npu/include' || :
	fi
	seen_in_log 3 4 5 8 <"$t.log"
	rows_of_objects "$t" "$1"
}

# checked KERNEL: prints the rows that npu-kmd check reports as needed.
checked() {
	"$here/../npu-kmd" check --json --kernel="$1" "$here/stub" |
	    jq -r '.needed[].id' | sort -un
}

# adapted KERNEL: prints the faults of the module, or nothing.
adapted() {
	t=$to/stub/$1/adapted
	rm -rf "$t"
	cp -R "$to/stub/adapted" "$t"
	build "$t" "$1" "$t.log" || echo "does not build, see $t.log"
	seen_in_log 1 2 3 4 5 8 <"$t.log" | sed 's/^/row /'
	rows_of_objects "$t" "$1" | grep -v '?' | sed 's/^/row /'
	! grep -E '^(/tree/|armchina-npu/).*warning:|^WARNING:' "$t.log" || :
	[ -e "$t/aipu.ko" ] || return 0
	"$here/../npu-kmd" verify "$t/aipu.ko" \
	    --kernel="$to/root/usr/src/linux-headers-$1" >"$t.verify" 2>&1 ||
		cat "$t.verify"
	tr '\000' '\n' <"$t/aipu.ko" >"$t.text"
	grep -qx 'parmtype=iova32:bool' "$t.text" || echo 'no iova32'
	grep -q 'npu-kmd: core .* has no device' "$t.text" ||
		echo 'no check of the cores'
}

# line KERNEL: prints its line of the table, and complaints on stderr.
line() {
	is=$(as_it_is "$1" | sort -u)
	want=$(expected "$1")
	row=
	for n in 1 2 3 4 5 6 7 8; do
		case "
$is
" in
		*"
$n
"*) row="$row $n" now=bad ;;
		*"
$n?
"*) row="$row ?" now= ;;
		*) row="$row ." now=good ;;
		esac
		case "
$want
" in
		*"
$n
"*) then=bad ;;
		*) then=good ;;
		esac
		[ "${now:-$then}" = $then ] ||
			wrong "$1: row $n as it is: $now, expected $then"
	done
	[ "$(checked "$1")" = "$want" ] ||
		wrong "$1: check says: $(checked "$1" | tr '\n' ' ')"
	bad=$(adapted "$1")
	[ -z "$bad" ] || wrong "$1: adapted: $bad"
	printf '%-24s %s   %s\n' "$1" "$row" "${bad:+not }good"
}

[ $# -ge 1 ] || {
	echo 'usage: kernels.sh FOLDER [KERNEL...]' >&2
	exit 2
}
"$here/kernels-setup.sh" "$@"
to=$(cd "$1" && pwd)
rm -rf "$to/stub"
mkdir -p "$to/stub/adapted"
cp -R "$here/stub/." "$to/stub/adapted"
"$here/../npu-kmd" adapt "$to/stub/adapted"
printf '%-24s  %s   %s\n' 'kernel' '1 2 3 4 5 6 7 8' adapted
while read -r k; do
	line "$k"
done <"$to/kernels"
[ ! -e "$to/stub/wrong" ]
