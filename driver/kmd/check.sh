# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd check TREE - identifies the tree, and the changes that a kernel needs.

. "$KMD/tree.sh"

# has_helpers: succeeds if the kernel has CIX's SCMI functions.  Only headers
# show this.  Mainline does not have the functions, so a kernel known only by
# its version counts as not having them.
has_helpers() {
	d=${kernel_dir:-/lib/modules/$kernel/build}
	# Debian's headers for one architecture include headers for all.
	common=
	[ ! -f "$d/Makefile" ] || [ ! -r "$d/Makefile" ] ||
		common=$(sed -n 's,^include \(.*\)/Makefile$,\1,p' \
		    "$d/Makefile") || no_help "$d/Makefile"
	common=${common%%
*}
	any_finds '^CONFIG_ARCH_CIX=y$' "$d/include/config/auto.conf" \
	    "$d/.config" &&
		any_finds scmi_device_opp_table_parse \
		    "$d/include/linux/scmi_protocol.h" \
		    "${common:-$d}/include/linux/scmi_protocol.h" \
		    "$d/../${common##*/}/include/linux/scmi_protocol.h"
}

# any_finds ERE FILE...: finds() in the files that exist.
any_finds() {
	ere=$1
	shift
	for f; do
		[ -f "$f" ] && [ -r "$f" ] || continue
		! finds "$ere" "$f" || return 0
	done
	return 1
}

# tree_sites: the sites found by scan, each after its file's name; then $whole.
tree_sites() {
	tree_files | while read -r file role _; do
		[ -f "$file" ] || continue
		scan "$file" "$role" "$file	" || exit 1
	done && echo "$whole"
}

# needed: "ROW|SINCE|FILE|LINE|WHY" for each site that must be changed for this
# kernel, in order of rows; last, "9|$whole".
needed() {
	tree_sites | awk -F '|' -v kernel="$kernel_code" \
	    -v helpers="$helpers" -v whole="$whole" '
	    function code(v,    p) {
		split(v, p, ".")
		return p[1] * 1000 + p[2]
	    }
	    sites && $0 == whole {
		print "9|" whole
		next
	    }
	    !sites {
		if (/^[1-8]/)
			change[$1 " " $2] = $0
		next
	    }
	    {
		split($0, s, "\t")
		if (s[3] != "todo" || !((s[2] " " s[4]) in change))
			next
		split(change[s[2] " " s[4]], c, "|")
		if (c[3] != "" && kernel < code(c[3]) ||
		    c[4] != "" && kernel >= code(c[4]) ||
		    c[1] == 8 && helpers != "")
			next
		print c[1] "|" c[5] "|" s[1] "|" s[5] "|" c[6]
	    }' "$KMD/changes" sites=1 - | sort -t '|' -s -k 1,1n
}

check_text() {
	echo "tree: $id, $name, KMD $kmd"
	echo "ioctl sizes: $sizes (capability, buffer, job)"
	echo "libraries: $library"
	[ -z "$adapted" ] || echo "adapted: yes"
	[ "$adapts" = yes ] || echo "adapt refuses it: $adapts"
	if [ -z "$sites" ] && is_known_kernel; then
		echo "kernel $kernel: needs nothing changed"
		return
	elif [ -z "$sites" ]; then
		echo "kernel $kernel: needs nothing changed that is known;" \
		    "known are 6.1 to 7.3"
		return
	fi
	echo "kernel $kernel: needs changed"
	# One line for the sites of a file with the same reason.
	echo "$sites" | awk -F '|' '
	    function out() {
		if (n)
			print where (n > 1 ? " and " n - 1 " more" : "") \
			    ": " what
	    }
	    {
		if ($1 "|" $3 "|" $5 != key) {
			out()
			n = 0
			where = $3 ":" $4
			what = $1 ", " ($2 == "never" ? "never in mainline" : \
			    "since " $2) ": " $5
			key = $1 "|" $3 "|" $5
		}
		n++
	    }
	    END { out() }'
}

# is_known_kernel: the table does not have the changes of other kernels.
is_known_kernel() {
	[ "$kernel_code" -ge 6001 ] && [ "$kernel_code" -le 7003 ]
}

check_json() {
	refused=$adapts
	[ "$adapts" != yes ] || refused=
	line=${id:+known}
	for v in "$id" "$name" "$kmd" "$library" "$kernel"; do
		v=$(json_str "$v") || return
		line="$line|$v"
	done
	v=$(json_str "$refused") || return
	{
		known=true
		is_known_kernel || known=false
		echo "$line|$sizes|${adapted:+true}|$v|$known"
		echo "$sites"
	} | awk -F '|' -f "$KMD/json.awk" -f "$KMD/check-json.awk"
}

kmd_check() {
	need_operands 1 'the folder of the source' "$@"
	kernel_of "$opt_kernel"
	detail "the kernel is $kernel${kernel_dir:+, of $kernel_dir}"
	case $kernel_dir in
	'' | /*) ;;
	*) kernel_dir=$PWD/$kernel_dir ;;
	esac
	enter_tree "$1"
	identify
	adapted=
	[ ! -f .npu-kmd.manifest ] || adapted=y
	sites=
	if [ -n "$id" ]; then
		# shellcheck disable=SC2046 # names of ours
		plain_files $(here)
		helpers=
		! has_helpers || helpers=y
		sites=$(needed)
		case $sites in
		*"9|$whole") sites=${sites%"9|$whole"} ;;
		*) no_program ;;
		esac
		# Remove the newline before it.
		sites=${sites%?}
	fi
	if [ -n "$opt_json" ]; then
		text=$(check_json) && [ -n "$text" ] || no_program
		put "$text"
	elif [ -n "$id" ]; then
		text=$(check_text) || no_program
		put "$text"
	fi
	[ -n "$id" ] || die "$tree: not a tree that is known (ioctl sizes" \
	    "$sizes); npu-kmd(8) lists those that are"
	[ -z "$sites" ] || exit 4
	is_known_kernel || exit 5
}
