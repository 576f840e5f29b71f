# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd adapt TREE - changes the tree in place to build on kernels 6.1 to 7.3,
# or restores the changed files.  It may be killed at any step:
#
#	.npu-kmd.new/		the changed files, until all are verified
#	.npu-kmd.orig/		then the originals, either complete or absent
#	.npu-kmd.manifest	last: from here on the tree may be mixed,
#				and each file is original or changed
#
# A mixed tree is first restored, no matter which step was interrupted.

. "$KMD/tree.sh"
. "$KMD/manifest.sh"

# stage FILE ROLE EXPECTED...: writes the changed copy of FILE to .npu-kmd.new
# if FILE needs changes.  Ends if FILE is not as expected.
stage() {
	file=$1 role=$2
	shift 2
	scan "$file" "$role" >.npu-kmd.new/before ||
		die "$tree: $file: cannot be read"
	verdict=$(WANT=$* awk -F '\t' '
	    $2 == "odd" && odd == "" { odd = "odd " $4 " " $1 " " $3 }
	    { found[$1] = found[$1 "/" $3] = 1; todo += $2 == "todo" }
	    END {
		n = split(ENVIRON["WANT"], want, " ")
		for (i = 1; i <= n && want[i] in found; i++)
			;
		print (odd != "" ? odd : i <= n ? "missing " want[i] : \
		    "todo " todo + 0)
	    }' .npu-kmd.new/before)
	case $verdict in
	'odd '*)
		read -r _ line row kind <<-END
		$verdict
		END
		die "$tree: $file:$line: row $row: expected $kind," \
		    "as in the trees that are known; nothing changed" ;;
	'missing '*) die "$tree: $file: row ${verdict#* }: not found, neither" \
	    "as in the trees that are known nor adapted; nothing changed" ;;
	'todo 0') ;;
	'todo '*) change_file "${verdict#* }" ;;
	*) no_program ;;
	esac
}

# change_file N: changes N places in $file.
change_file() {
	! finds '[nN][pP][uU]_[kK][mM][dD]_|npu-kmd [0-9]' "$file" ||
		die "$tree: $file: adapted in part; put the original back" \
		    "(git checkout) first"
	new=.npu-kmd.new/$file
	make_folder "$new" && cp -p "$file" "$new" ||
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
	changed="$changed$file: $1 changed
"
}

# no_carriage_returns FILE...: ends if a file has carriage returns.
no_carriage_returns() {
	crlf=$(grep -l "$(printf '\r')" "$@")
	case $? in
	0) die "$tree: ${crlf%%
*}: lines end in CR LF; convert the tree (dos2unix) first" ;;
	1) ;;
	*) no_program ;;
	esac
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
