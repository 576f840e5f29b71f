# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# npu-kmd verify FILE.ko [--kernel=] [--root=] [--json] - checks whether a
# module can be loaded.  verify.awk has the findings, symbols.awk the findings
# on symbols, and signature.sh the finding on its signature; elf.awk reads the
# file.
# shellcheck source=driver/kmd/machine.sh
. "$KMD/machine.sh"
# shellcheck source=driver/kmd/signature.sh
. "$KMD/signature.sh"

kmd_verify() {
	need_operands 1 FILE.ko "$@"
	set_root
	running_kernel
	[ -n "$opt_kernel$k" ] || die "--root=$opt_root: it names no kernel" \
	    "that runs; name one by --kernel=6.12"
	kernel_of "${opt_kernel:-${R:+$k}}"
	detail "the kernel is $kernel${kernel_dir:+, of $kernel_dir}"
	[ -n "$kernel_dir" ] || headers_of "$kernel"
	found=$(captured=y
	    verify_module "$1" "$kernel" "$kernel_dir" "$opt_json")
	st=$?
	case $st in
	0 | 4) put "$found" ;;
	3) die "$1: $found" ;;
	*) fails "$found" "$1" ;;
	esac
	return $st
}

# verify_module FILE KERNEL HEADERS JSON: prints the findings.  Status 0 or 4 as
# the findings say; 3 with only the reason; any other status if a program
# failed.  HEADERS may be "".
verify_module() {
	KMD_NAME=$1 KMD_RELEASE=$2 KMD_JSON=$4 KMD_MAGIC='' KMD_SYMVERS=''
	[ -z "$3" ] || KMD_MAGIC=$(magic_of "$3") || return 1
	below "${3:-/nowhere}/Module.symvers"
	[ ! -f "$real" ] || KMD_SYMVERS=$real
	KMD_NS_WARNS=''
	built=${3:-/nowhere}/include/config/auto.conf
	! has "$built" '^CONFIG_MODULE_ALLOW_MISSING_NAMESPACE_IMPORTS=y' ||
		KMD_NS_WARNS=1
	open_module "$1" || return
	signature_of "$2" "$3" || return
	export KMD_NAME KMD_RELEASE KMD_MAGIC KMD_JSON KMD_SYMVERS \
	    KMD_SIGNATURE KMD_NS_WARNS
	awk -f "$KMD/json.awk" -f "$KMD/elf.awk" -f "$KMD/symbols.awk" \
	    -f "$KMD/verify.awk"
}

# headers_of KERNEL: sets kernel_dir to the headers of KERNEL on the machine, or
# to "".
headers_of() {
	kernel_dir=
	for d in ${R:+"$R/usr/src/linux-headers-$1"} "$MODULES/$1/build"; do
		below "$d"
		if [ -d "$real" ]; then
			kernel_dir=$real
			return
		fi
	done
}

# open_module FILE: sets KMD_FILE, KMD_CAT and KMD_SIZE for elf.awk.  If that
# fails, prints a reason on stdout and returns 3, or returns 1.
open_module() {
	case $1 in
	/*) KMD_FILE=$1 ;;
	*) KMD_FILE=./$1 ;;
	esac
	KMD_CAT=''
	export KMD_FILE KMD_CAT KMD_SIZE
	if ! [ -e "$1" ]; then
		if [ -h "$1" ]; then
			echo 'a link that leads nowhere'
		else
			echo 'No such file or directory'
		fi
		return 3
	fi
	[ -f "$1" ] || { echo 'not a regular file'; return 3; }
	[ -r "$1" ] || { echo 'Permission denied'; return 3; }
	KMD_SIZE=$(wc -c <"$KMD_FILE") || return 1
	# Some print blanks before the number.
	KMD_SIZE=$((KMD_SIZE))
	magic=$(od -An -v -tx1 -N 6 <"$KMD_FILE") || return 1
	case $magic in
	' fd 37 7a 58 5a 00') unpack_by xz ;;
	' 28 b5 2f fd'*) unpack_by zstd ;;
	' 1f 8b'*) unpack_by gzip ;;
	' '* | '') ;;
	*) return 1 ;;
	esac
}

# A module has some megabytes; the vendor's, with debug information, has 7.
most_unpacked=268435456

# unpack_by TOOL: sets KMD_CAT and KMD_SIZE for a packed module, which is
# unpacked each time it is read, without a temporary file.
unpack_by() {
	command -v "$1" >/dev/null || {
		echo "packed by $1, which is not installed"
		return 3
	}
	KMD_CAT="$1 -dc"
	# Its status and the number of bytes, in any order.
	KMD_SIZE=$(
		{
			{
				"$1" -dc <"$KMD_FILE" 2>/dev/null
				echo "($?)" >&3
			} | {
				head -c $((most_unpacked + 1)) ||
					echo '(head)' >&3
			} | wc -c
		} 3>&1
	) || return 1
	case $KMD_SIZE in
	*'(head)'*) return 1 ;;
	*$((most_unpacked + 1))*)
		echo "packed by $1: more than $most_unpacked bytes unpacked"
		return 3 ;;
	*'(0)'*)
		KMD_SIZE=${KMD_SIZE%'(0)'*}${KMD_SIZE#*'(0)'}
		KMD_SIZE=$((KMD_SIZE)) ;;
	# All three tools return 1 for a damaged file; with 2, gzip and xz warn
	# of garbage after the end.
	*'(1)'* | *'(2)'*) echo "packed by $1: damaged"; return 3 ;;
	*) return 1 ;;
	esac
}

# magic_of HEADERS: prints the rest of vermagic, after the release, that a
# kernel built there requires (include/linux/vermagic.h); nothing if it is not
# known.
magic_of() {
	readable "$1/include/config/auto.conf" || return 0
	awk '
	/^CONFIG_[A-Z0-9_]*=y$/ { sub(/=y/, ""); on[$0] = 1 }
	/^CONFIG_ARM64=y/ { on["CONFIG_ARM64"] = 1 }
	END {
		# The seed of a build, and other architectures, are not known.
		if ("CONFIG_RANDSTRUCT" in on || !("CONFIG_ARM64" in on))
			exit
		if ("CONFIG_SMP" in on)
			printf "SMP "
		if ("CONFIG_PREEMPT_RT" in on)
			printf "preempt_rt "
		else if ("CONFIG_PREEMPT_BUILD" in on)
			printf "preempt "
		if ("CONFIG_MODULE_UNLOAD" in on)
			printf "mod_unload "
		if ("CONFIG_MODVERSIONS" in on)
			printf "modversions "
		print "aarch64"
	}' "$real"
}
