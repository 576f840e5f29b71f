# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# A machine, or a tree that looks like one (--root=DIR): its kernels, modules
# and settings, and how a file of it is written.

# The module's names: the vendor's, and those of ports of it.
module_names='aipu armchina_npu armchina_npu_r2p0'

# set_root: sets R, the prefix of every path.
set_root() {
	R=${opt_root%/}
	[ -z "$opt_root" ] || [ -d "$opt_root" ] ||
		die "--root=$opt_root: not a folder"
	# Its files are separated by newlines.
	case $R in
	*'
'*) die "--root=$R: a newline in the name" ;;
	'' | /*) ;;
	*) R=./$R ;;
	esac
	MODULES=$R/lib/modules
	[ -d "$MODULES" ] || MODULES=$R/usr/lib/modules
}

# running_kernel: sets k; "" if a tree does not have it.
running_kernel() {
	k=
	if [ -z "$R" ]; then
		k=$(uname -r) || no_help 'the running kernel'
		return
	fi
	f=$R/proc/sys/kernel/osrelease
	[ ! -r "$f" ] || [ ! -f "$f" ] || IFS= read -r k <"$f" || :
}

# module_file KERNEL NAME: file is where modprobe finds it, below
# MODULES/KERNEL; or "".
module_file() {
	file=
	[ -f "$MODULES/$1/modules.dep" ] || return 0
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
	}' "$MODULES/$1/modules.dep") || no_help "$MODULES/$1/modules.dep"
}

# settings FOLDER: the files modprobe or udev reads as FOLDER/*.conf, each name
# once: one in /etc hides that in /usr/lib (modprobe.d(5)).
settings() {
	seen=/
	for d in "$R/etc" "$R/run" "$R/usr/local/lib" "$R/usr/lib" "$R/lib"; do
		for f in "$d/$1"/*.conf; do
			[ -e "$f" ] || [ -h "$f" ] || continue
			case $seen in
			*"/${f##*/}/"*) continue ;;
			esac
			# A link to /dev/null hides it, too.
			[ -d "$f" ] || seen=$seen${f##*/}/
			[ ! -f "$f" ] || printf '%s\n' "$f"
		done
	done
}

# blacklisted NAME: black is the file that keeps aliases from loading it; fails
# where none does.
blacklisted() {
	black=$(settings modprobe.d | while IFS= read -r f; do
		[ -r "$f" ] || continue
		is=$(awk -v name="$1" '
		    { gsub(/-/, "_", $2) }
		    $1 == "blacklist" && $2 == name { found = 1 }
		    END { print (found ? "black" : "no") }' "$f")
		case $is in
		black) printf '%s' "${f#"$R"}"; exit ;;
		no) ;;
		*) exit 1 ;;
		esac
	done) || no_help "$R/etc/modprobe.d"
	[ -n "$black" ]
}

# within PATH: ends unless its folder, links followed, is in the tree of --root,
# or the nearest folder above it that exists.
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

# put_file MODE FILE: stdin becomes FILE, at once or not at all.  A link in its
# place is replaced, not followed.
put_file() {
	note "writes $2"
	within "$2"
	(umask 022 && mkdir -p -- "${2%/*}") ||
		die "${2%/*}: cannot be made; root may"
	[ ! -d "$2" ] || die "$2: a folder is in its place"
	# With a dot: the programs that read the folder ignore it.
	new=$(mktemp -- "${2%/*}/.npu-kmd.XXXXXX" 2>/dev/null) ||
		die "$2: cannot be written; root may"
	# Renamed only when all of it is on the disk.
	{ cat >"$new" && chmod "$1" "$new" && sync -- "$new" &&
	    mv -f -- "$new" "$2"; } 2>/dev/null || {
		rm -f -- "$new"
		die "$2: cannot be written; is there room?"
	}
}

# drop_file FILE: removes it, the leftovers of a killed put_file, and the folder
# that was for it alone, if it is empty.
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
