# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd verify FILE.ko [--kernel=] [--json] - whether a module can be loaded.
# verify.awk has the findings, elf.awk reads.

kmd_verify() {
	need_operands 1 FILE.ko "$@"
	kernel_of "$opt_kernel"
	found=$(verify_module "$1" "$kernel" "$kernel_dir" "$opt_json")
	st=$?
	case $st in
	0 | 4) put "$found" ;;
	3) die "$1: $found" ;;
	*) die "$1: could not be read" ;;
	esac
	return $st
}

# verify_module FILE KERNEL HEADERS JSON: the findings, and their status: 0 or
# 4; 3 with the reason alone.  HEADERS may be "".
verify_module() {
	KMD_NAME=$1 KMD_RELEASE=$2 KMD_JSON=$4 KMD_MAGIC=''
	[ -z "$3" ] || KMD_MAGIC=$(magic_of "$3")
	open_module "$1" || return
	export KMD_NAME KMD_RELEASE KMD_MAGIC KMD_JSON
	awk -f "$KMD/json.awk" -f "$KMD/elf.awk" -f "$KMD/verify.awk"
}

# open_module FILE: sets KMD_FILE, KMD_CAT and KMD_SIZE for elf.awk; or a
# reason on stdout, and 3.
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
	KMD_SIZE=$(wc -c <"$KMD_FILE" | tr -d ' ')
	case $(od -An -v -tx1 -N 6 <"$KMD_FILE" | tr -d ' \n') in
	fd377a585a00) unpack_by xz ;;
	28b52ffd*) unpack_by zstd ;;
	1f8b*) unpack_by gzip ;;
	esac
}

# A module is some megabytes; its vendor's, with debug information, 7.
most_unpacked=268435456

# unpack_by TOOL: a packed module is unpacked anew for each look at it, so that
# no file need be written.
unpack_by() {
	command -v "$1" >/dev/null || {
		echo "packed by $1, which is not installed"
		return 3
	}
	KMD_CAT="$1 -dc"
	KMD_SIZE=$(
		{
			{ "$1" -dc <"$KMD_FILE" 2>/dev/null || echo - >&3; } |
			    head -c $((most_unpacked + 1)) | wc -c | tr -d ' '
		} 3>&1 | sort -r | tr '\n' ' '
	)
	KMD_SIZE=${KMD_SIZE% }
	case $KMD_SIZE in
	$((most_unpacked + 1))*)
		echo "packed by $1: more than $most_unpacked bytes unpacked" ;;
	*[!0-9]*) echo "packed by $1: damaged" ;;
	*) return 0 ;;
	esac
	return 3
}

# magic_of HEADERS: what a kernel built there asks of a module behind its name
# (include/linux/vermagic.h), or nothing where that cannot be known.
magic_of() {
	awk '
	/^CONFIG_[A-Z0-9_]*=y$/ { sub(/=y/, ""); on[$0] = 1 }
	/^CONFIG_ARM64=y/ { on["CONFIG_ARM64"] = 1 }
	END {
		# A seed of that build, and other architectures, are not known.
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
	}' "$1/include/config/auto.conf" 2>/dev/null
}
