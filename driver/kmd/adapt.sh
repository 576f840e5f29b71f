# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd adapt TREE - change it in place so that it builds on kernels 6.1 to
# 7.3, or put back what was changed.  Every step may be the last one:
#
#	.npu-kmd.new/		the changed files, until they are all verified
#	.npu-kmd.orig/		then the originals, complete or not there
#	.npu-kmd.manifest	last: from here on the tree may be mixed,
#				and each file is its original or its change
#
# A mixed tree is first put back, whichever way it was going.

. "$KMD/tree.sh"
. "$KMD/manifest.sh"

# stage FILE ROLE EXPECTED...: writes its changed copy to .npu-kmd.new, if it
# needs one; ends where the file is not as expected.
stage() {
	file=$1 role=$2
	shift 2
	scan "$file" "$role" >.npu-kmd.new/before ||
		die "$tree: $file: cannot be read"
	while IFS='	' read -r row state kind line _; do
		[ "$state" != odd ] ||
			die "$tree: $file:$line: row $row: expected $kind," \
			    "as in the trees that are known; nothing changed"
	done <.npu-kmd.new/before
	want=$(WANT=$* awk -F '\t' '
	    { found[$1] = found[$1 "/" $3] = 1 }
	    END {
		n = split(ENVIRON["WANT"], want, " ")
		for (i = 1; i <= n && want[i] in found; i++)
			;
		if (i <= n)
			print want[i]
	    }' .npu-kmd.new/before)
	[ -z "$want" ] || die "$tree: $file: row $want: not found, neither" \
	    "as in the trees that are known nor adapted; nothing changed"
	! finds '	todo	' .npu-kmd.new/before || change_file
}

change_file() {
	! finds '[nN][pP][uU]_[kK][mM][dD]_|npu-kmd [0-9]' "$file" ||
		die "$tree: $file: adapted in part; put the original back" \
		    "(git checkout) first"
	new=.npu-kmd.new/$file
	mkdir -p "${new%/*}" && cp -p "$file" "$new" ||
		die "$tree: cannot be written; nothing changed"
	newline=1
	[ -z "$(tail -c 1 "$file")" ] || newline=0
	why=$(END_NEWLINE=$newline awk -f "$KMD/texts.awk" \
	    -f "$KMD/edit.awk" .npu-kmd.new/before "$file" 2>&1 >"$new") ||
		die "$tree: $file:$(echo "$why" | head -n 1): not found" \
		    "where it was; nothing changed"
	scan "$new" "$role" >.npu-kmd.new/after
	why=$(awk -f "$KMD/verify-edit.awk" .npu-kmd.new/before \
	    .npu-kmd.new/after "$file" "$new") ||
		die "$tree: $file:$why after the change; nothing changed"
	places=$(grep -c '	todo	' .npu-kmd.new/before) || no_program
	changed="$changed$file: $places changed
"
}

# no_carriage_returns FILE...
no_carriage_returns() {
	cr=$(printf '\r')
	for f; do
		! finds "$cr" "$f" || die "$tree: $f: lines end in CR LF;" \
		    "convert the tree (dos2unix) first"
	done
}

adapt() {
	identify
	[ -n "$id" ] || die "$tree: not a tree that is known (ioctl sizes" \
	    "$sizes); npu-kmd(8) lists those that are; nothing changed"
	[ "$adapts" = yes ] ||
		die "$tree: $id, $name: $adapts; nothing changed"
	# shellcheck disable=SC2046 # names of ours
	set -- $(here)
	plain_files "$@"
	no_carriage_returns "$@"
	mkdir .npu-kmd.new 2>/dev/null ||
		die "$tree: cannot be written; nothing changed"
	trap 'st=$?; rm -rf .npu-kmd.new; ended $st' EXIT
	trap 'exit 1' HUP INT TERM
	changed=
	while read -r file role expected; do
		[ -f "$file" ] || continue
		# shellcheck disable=SC2086 # rows
		stage "$file" "$role" $expected
	done <<-END
	$(tree_files)
	END
	if [ -z "$changed" ]; then
		put "$tree: $id needs no change"
		return
	fi
	put "$tree: $id, $name
${changed%?}"
	manifest_write
	manifest_apply
}

kmd_adapt() {
	need_operands 1 'the folder of the source' "$@"
	enter_tree "$1"
	manifest_settle
	case $opt_undo$state in
	1none) put "$tree: not adapted; nothing to undo" ;;
	1*) manifest_undo; put "$tree: as before it was adapted" ;;
	adapted) put "$tree: already adapted; nothing changed" ;;
	mixed)
		manifest_undo
		adapt ;;
	none) adapt ;;
	esac
}
