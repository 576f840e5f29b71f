# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# A tree of the vendor's source: its identity, and the sites in it.  The tree is
# untrusted: no file in it is run, and only the files named here are opened.

# FILE, its role in scan.awk, and the sites that it must have, ROW or ROW/KIND.
# Files of other platforms may be missing.
tree_files() {
	# printf is built in; a program could fail.
	printf '%s\n' 'Makefile make 1 2' \
	    'armchina-npu/sky1/sky1.c soc 3 5 8 P' \
	    'armchina-npu/default/default.c soc 3' \
	    'armchina-npu/r329/r329.c soc 3' \
	    'armchina-npu/aipu_dma_buf.c dma 4' \
	    'armchina-npu/aipu_mm.c mm 6/layout 6/use I' \
	    'armchina-npu/aipu_irq.c irq 7'
}

max_source=4194304	# bytes; the largest known file has 80,000
max_line=1024		# bytes; the longest has 135; the time is quadratic

# enter_tree TREE: changes to TREE, or ends.
enter_tree() {
	tree=$1
	unset CDPATH
	case $tree in
	/*) cd -P "$tree" 2>/dev/null ;;
	*) cd -P "./$tree" 2>/dev/null ;;
	esac || die "$tree: not a folder that can be entered"
	for f in Makefile armchina-npu/aipu_mm.c armchina-npu/sky1/sky1.c; do
		[ -e "$f" ] || [ -L "$f" ] ||
			die "$tree: no $f in it: not the driver's folder," \
			    "in which Makefile and armchina-npu/ are"
	done
}

# The last line of a complete output.  Without it, nobody would notice that a
# program in front of a | could not be started, or was killed.
whole='npu-kmd: whole'

no_program() {
	die "$tree: a program that reads it failed; is there memory, and room" \
	    "for processes?"
}

sound=' '	# files that plain_files has checked

# plain_files FILE...: ends unless each FILE is valid text, and the path to it
# does not lead out of the tree by a link.
plain_files() {
	unread=
	for f; do
		case $sound$unread in
		*" $f "*) ;;
		*) unread="$unread$f " ;;
		esac
	done
	# shellcheck disable=SC2086 # names of ours
	if [ -z "$unread" ] || all_plain $unread; then
		sound="$sound$unread"
		return
	fi
	# Find the file that is not valid, and the reason.
	for f in $unread; do
		plain_file "$f"
		sound="$sound$f "
	done
}

# all_plain FILE...: succeeds if all files are valid; runs few programs.
all_plain() {
	for f; do
		[ ! -L armchina-npu ] && [ ! -L "${f%/*}" ] && [ ! -L "$f" ] &&
		    [ -f "$f" ] && [ -r "$f" ] || return
	done
	# All files together are within the limit for a single file.
	n=$({ cat "$@" && printf '\n%s\n' "$whole"; } 2>/dev/null |
	    head -c $((max_source + 1)) 2>/dev/null |
	    tr '\000' '\001' 2>/dev/null |
	    awk -v most="$max_line" -v whole="$whole" -v size="$max_source" '
	    { bytes += length + 1; was = $0 }
	    /\001/ || length > most { bytes = size + 1; exit }
	    END { print bytes <= size && was == whole }' 2>/dev/null) &&
	    [ "$n" = 1 ]
}

# plain_file FILE: ends unless FILE is valid text.
plain_file() {
	for d in armchina-npu "${1%/*}" "$1"; do
		[ ! -L "$d" ] || die "$tree: $d: a symbolic link; give the" \
		    "folder that holds the files themselves"
	done
	[ -f "$1" ] || die "$tree: $1: no such file"
	[ -r "$1" ] || die "$tree: $1: cannot be read"
	n=$(head -c $((max_source + 1)) <"$1" | wc -c)
	case $n in
	'' | *[!0-9\ ]*) no_program ;;
	esac
	[ $((n)) -le "$max_source" ] || die "$tree: $1: more than" \
	    "$max_source bytes: no source file of the driver"
	# Some awks end a line at a NUL.
	n=$({ tr '\000' '\001' <"$1" && printf '\n%s\n' "$whole"; } |
	    awk -v most="$max_line" -v whole="$whole" '
	    /\001/ { what = "NUL"; exit }
	    length > most { what = NR; exit }
	    { was = $0 }
	    END {
		if (what == "" && was == whole)
			what = "sound"
		print what
	    }')
	case $n in
	sound) ;;
	'') no_program ;;
	NUL) die "$tree: $1: has NUL bytes, or 01: not a text" ;;
	*) die "$tree: $1:$n: a line of more than $max_line bytes:" \
	    "no source file of the driver" ;;
	esac
}

# here: prints the names of tree_files, without optional files that are missing.
here() {
	tree_files | while read -r f _; do
		case $f in
		*/default.c | */r329.c)
			[ -e "$f" ] || [ -L "$f" ] || continue ;;
		esac
		echo "$f"
	done
}

tree_sizes() {
	awk -f "$KMD/ccode.awk" -f "$KMD/sizes.awk" \
	    armchina-npu/include/armchina_aipu.h
}

# identify: sets id ("" if no known tree fits), name, kmd, sizes, adapts,
# library.
identify() {
	trees=${NPU_KMD_TREES:-$KMD/trees}
	set -- armchina-npu/include/armchina_aipu.h
	while read -r word _ f _; do
		[ "$word" = feature ] && { [ -e "$f" ] || [ -L "$f" ]; } ||
			continue
		set -- "$@" "$f"
	done <"$trees"
	plain_files "$@"
	sizes=$(tree_sizes) || no_program
	found=$(SIZES=$sizes HERE=" $* " awk -f "$KMD/identify.awk" \
	    "$trees") || no_program
	IFS='|' read -r _ id name kmd _ _ adapts library <<-END
	$found
	END
}

# scan FILE ROLE [PREFIX]: prints the sites of scan.awk, each after PREFIX.
scan() {
	awk -v role="$2" -v prefix="${3:-}" -f "$KMD/ccode.awk" \
	    -f "$KMD/scan.awk" "$1"
}
