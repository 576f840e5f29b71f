# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# A machine, or a tree that looks like one (--root=DIR): its kernels, modules
# and settings, and functions that write its files.

# The names of the module: the vendor's, and names of its ports.
module_names='aipu armchina_npu armchina_npu_r2p0'

# set_root: sets R, the prefix of every path.
set_root() {
	R=${opt_root%/}
	[ -z "$opt_root" ] || [ -d "$opt_root" ] ||
		die "--root=$opt_root: not a folder"
	# Its files are listed separated by newlines.
	case $R in
	*'
'*) die "--root=$R: a newline in the name" ;;
	'' | /*) ;;
	*) R=./$R ;;
	esac
	below "$R/lib/modules"
	[ -d "$real" ] || below "$R/usr/lib/modules"
	MODULES=$real
	detail "the machine is ${R:-/}, its modules are in $MODULES"
}

# below PATH: sets real to PATH without symbolic links.  Follows each link as
# the machine below $R would: an absolute link begins at $R, and ".." does not
# lead above $R.  Ends if links form a loop.  If PATH is not below $R, or $R is
# empty, real is PATH itself.
below() {
	real=$1
	case $1 in
	"$R"/*) [ -n "$R" ] || return 0 ;;
	*) return 0 ;;
	esac
	rest=${1#"$R"} real=$R links=0
	while [ -n "$rest" ]; do
		step=${rest%%/*}
		rest=${rest#"$step"}
		rest=${rest#/}
		case $step in
		'' | .) continue ;;
		..) [ "$real" = "$R" ] || real=${real%/*}; continue ;;
		esac
		[ -h "$real/$step" ] || { real=$real/$step; continue; }
		# The limit is the kernel's MAXSYMLINKS (include/linux/namei.h).
		links=$((links + 1))
		[ $links -le 40 ] || die "$1: a loop of symbolic links"
		# The x protects newlines at the end.
		to=$(readlink -- "$real/$step" && echo x) ||
			no_help "$real/$step"
		to=${to%?x}
		rest=$to/$rest
		case $to in
		/*) real=$R ;;
		esac
	done
}

# readable FILE: sets real (below), and succeeds if it is a regular file that
# can be read.
readable() {
	below "$1"
	[ -f "$real" ] && [ -r "$real" ]
}

# has FILE ERE: succeeds if FILE can be read and has a matching line; has is
# then the name of FILE.
has() {
	has=${1#"$R"}
	readable "$1" && finds "$2" "$real"
}

# running_kernel: sets k; "" if a tree has no running kernel.
running_kernel() {
	k=
	if [ -z "$R" ]; then
		k=$(uname -r) || no_help 'the running kernel'
		return
	fi
	! readable "$R/proc/sys/kernel/osrelease" ||
		IFS= read -r k <"$real" || :
}

# config_of KERNEL: prints the configuration of KERNEL, from /boot, from the
# folder of its modules, or, for the running kernel, from /proc; prints nothing
# if it is not known.
config_of() {
	for f in "$R/boot/config-$1" "$MODULES/$1/config"; do
		if readable "$f"; then
			cat "$real"
			return
		fi
	done
	running_kernel
	if [ "$1" = "$k" ] && readable "$R/proc/config.gz" &&
	    command -v gzip >/dev/null; then
		gzip -dc <"$real"
	fi
}

# module_file KERNEL NAME: sets file to the file that modprobe would load, as
# named in modules.dep; or to "".
module_file() {
	file=
	below "$MODULES/$1/modules.dep"
	[ -f "$real" ] || return 0
	file=$(awk -F : -v name="$2" '{
		n = $1
		sub(/.*\//, "", n)
		if (n !~ /\.ko(\.(gz|xz|zst))?$/)
			next
		sub(/\.ko.*/, "", n)
		gsub(/-/, "_", n)
		if (n == name) {
			print $1
			exit
		}
	}' "$real") || no_help "$MODULES/$1/modules.dep"
}

# module_at KERNEL FILE: sets real to the location of a FILE of modules.dep:
# below MODULES/KERNEL unless FILE begins with / (kmod, libkmod-module.c).
module_at() {
	case $2 in
	/*) below "$R$2" ;;
	*) below "$MODULES/$1/$2" ;;
	esac
}

# settings FOLDER: prints the files that modprobe or udev reads as
# FOLDER/*.conf, each name once: a file in /etc hides the file of the same name
# in /usr/lib (modprobe.d(5)).
settings() {
	seen=/
	for d in "$R/etc" "$R/run" "$R/usr/local/lib" "$R/usr/lib" "$R/lib"; do
		below "$d/$1"
		for f in "$real"/*.conf; do
			[ -e "$f" ] || [ -h "$f" ] || continue
			case $seen in
			*"/${f##*/}/"*) continue ;;
			esac
			below "$f"
			# A link to /dev/null also hides it.
			[ -d "$real" ] || seen=$seen${f##*/}/
			[ ! -f "$real" ] || printf '%s\n' "$d/$1/${f##*/}"
		done
	done
}

# blacklisted NAME: sets black to the file that keeps aliases from loading NAME;
# fails if no file does.
blacklisted() {
	files=$(captured=y; settings modprobe.d) || fails "$files"
	black=$(printf '%s\n' "$files" | while IFS= read -r f; do
		readable "$f" || continue
		is=$(awk -v name="$1" '
		    { gsub(/-/, "_", $2) }
		    $1 == "blacklist" && $2 == name { found = 1 }
		    END { print (found ? "black" : "no") }' "$real")
		case $is in
		black) printf '%s' "${f#"$R"}"; exit ;;
		no) ;;
		*) exit 1 ;;
		esac
	done) || no_help "$R/etc/modprobe.d"
	[ -n "$black" ]
}

# within PATH: ends unless its folder, after following links, is in the tree of
# --root.  If the folder does not exist, the nearest existing folder above it
# must be.
within() {
	[ -n "$R" ] || return 0
	up=${1%/*}
	while [ ! -d "$up" ] && [ ! -h "$up" ]; do
		up=${up%/*}
	done
	case $(cd -P -- "$up" 2>/dev/null && pwd)/ in
	"$(cd -P -- "$R" && pwd)"/*) ;;
	*) die "${1%/*}: a link that leads out of $opt_root" ;;
	esac
}

# put_file MODE FILE: writes stdin to FILE, completely or not at all.  A link in
# its place is replaced, not followed.
put_file() {
	note "writes $2"
	within "$2"
	(umask 022 && mkdir -p -- "${2%/*}") ||
		die "${2%/*}: cannot be made; root may"
	[ ! -d "$2" ] || die "$2: a folder is in its place"
	# Its name begins with a dot: programs that read the folder ignore it.
	new=$(mktemp -- "${2%/*}/.npu-kmd.XXXXXX" 2>/dev/null) ||
		die "$2: cannot be written; root may"
	# It is renamed only when all of its data is on the disk.
	{ cat >"$new" && chmod "$1" "$new" && sync -- "$new" &&
	    mv -f -- "$new" "$2"; } 2>/dev/null || {
		rm -f -- "$new"
		die "$2: cannot be written; is there room?"
	}
}

# drop_file FILE: removes FILE, the leftovers of a killed put_file, and the
# folder that was only for FILE, if it is empty.
drop_file() {
	[ -d "${1%/*}" ] || return 0
	within "$1"
	if [ -e "$1" ] || [ -h "$1" ]; then
		note "removes $1"
		rm -f -- "$1" 2>/dev/null ||
			die "$1: cannot be removed; root may"
	fi
	rm -f -- "${1%/*}"/.npu-kmd.?????? 2>/dev/null
	case ${1%/*} in
	*/npu-kmd) rmdir -- "${1%/*}" 2>/dev/null || : ;;
	esac
}
