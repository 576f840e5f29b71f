# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# The manifest of an adapted tree, the working folder: after a first line, lines
# of "BEFORE AFTER FILE", where BEFORE and AFTER are SHA-256.  A tree comes from
# others, and so may the manifest in it; therefore only our files are touched.
# The shell reads the manifest: a program that fails must not look like a
# program that finds nothing.

manifest_head='npu-kmd manifest 1'

# sum_files FILE...: sets sums, for sum_from_list.
sum_files() {
	sums=
	[ $# -eq 0 ] || sums=$(sha256sum "$@" 2>/dev/null) || no_program
	sums="$sums
"
}

# sum_from_list FILE: sets sum, for a FILE passed to sum_files.
sum_from_list() {
	sum=${sums%%"  $1
"*}
	sum=${sum##*
}
}

# make_folder FILE: creates the folder of FILE.
make_folder() {
	[ -d "${1%/*}" ] || mkdir -p "${1%/*}"
}

# ours_or_none: ends if one of adapt's own files is a symbolic link.
ours_or_none() {
	for f in .npu-kmd.new .npu-kmd.orig .npu-kmd.manifest; do
		[ ! -L "$f" ] || die "$tree: $f: a symbolic link, so not" \
		    "by npu-kmd; remove it"
	done
	[ ! -e .npu-kmd.manifest ] || [ -f .npu-kmd.manifest ] ||
		die "$tree: .npu-kmd.manifest: not a file, so not by" \
		    "npu-kmd; remove it"
}

# originals_spare: without a manifest, checks that each file in .npu-kmd.orig
# also exists in its place.  Ends if it does not, because the file may be the
# only copy.
originals_spare() {
	for file in $(here); do
		o=.npu-kmd.orig/$file
		[ ! -f "$o" ] || cmp -s "$o" "$file" ||
			die "$tree: $o: differs, and .npu-kmd.manifest is" \
			    "gone; put it back by hand, or remove .npu-kmd.orig"
	done
}

# manifest_settle: sets state to none, adapted or mixed.  Ends if the tree has
# been changed since.  Removes the leftovers of an unfinished adapt.
manifest_settle() {
	ours_or_none
	state=none
	if [ ! -e .npu-kmd.manifest ]; then
		originals_spare
		rm -rf .npu-kmd.new .npu-kmd.orig .npu-kmd.orig.new \
		    .npu-kmd.manifest.new 2>/dev/null ||
			die "$tree: cannot be written"
		return
	fi
	manifest_read
	# shellcheck disable=SC2086 # names of ours
	sum_files $files
	state=adapted
	while read -r before after file; do
		sum_from_list "$file"
		case $sum in
		"$after") ;;
		"$before") state=mixed ;;
		*) die "$tree: $file: changed by hand since it was" \
		    "adapted; the original is .npu-kmd.orig/$file" ;;
		esac
	done <<-END
	$manifest
	END
	# adapt was killed after its last file and before its end.
	[ $state != adapted ] || rm -rf .npu-kmd.new
}

is_sum() {
	case $1 in
	*[!0-9a-f]*) return 1 ;;
	esac
	[ ${#1} -eq 64 ]
}

is_ours() {
	while read -r ours _; do
		[ "$ours" != "$1" ] || return 0
	done <<-END
	$(tree_files)
	END
	return 1
}

# manifest_read: sets manifest to its lines, and files to the names in it.  Each
# must be one of our files, and its original must exist.
manifest_read() {
	[ -r .npu-kmd.manifest ] ||
		die "$tree: .npu-kmd.manifest: cannot be read"
	manifest=$(head -c 4096 <.npu-kmd.manifest) || no_program
	[ ${#manifest} -lt 4095 ] && [ "${manifest%%
*}" = "$manifest_head" ] ||
		die "$tree: .npu-kmd.manifest: not written by npu-kmd"
	manifest=${manifest#"$manifest_head"}
	manifest=${manifest#?}
	files=
	originals=
	while read -r before after file; do
		is_sum "$before" && is_sum "$after" ||
			die "$tree: .npu-kmd.manifest: damaged; put the" \
			    "originals of .npu-kmd.orig back by hand"
		is_ours "$file" || die "$tree: .npu-kmd.manifest: $file is no" \
		    "file that npu-kmd changes"
		files="$files $file"
		originals="$originals .npu-kmd.orig/$file"
	done <<-END
	$manifest
	END
	[ ! -L .npu-kmd.orig/armchina-npu ] ||
		die "$tree: .npu-kmd.orig/armchina-npu: a symbolic link"
	# shellcheck disable=SC2086 # names of ours
	plain_files $files $originals
	# shellcheck disable=SC2086
	sum_files $originals
	while read -r before _ file; do
		sum_from_list ".npu-kmd.orig/$file"
		[ "$sum" = "$before" ] ||
			die "$tree: .npu-kmd.orig/$file: not the original" \
			    "that was kept; it cannot be undone"
	done <<-END
	$manifest
	END
}

# staged: prints the names of the changed files in .npu-kmd.new.
staged() {
	tree_files | while read -r file _; do
		[ ! -f ".npu-kmd.new/$file" ] || echo "$file"
	done
}

# manifest_write: writes the originals, then the manifest, each completely or
# not at all.
manifest_write() {
	rm -rf .npu-kmd.orig .npu-kmd.orig.new &&
	    mkdir .npu-kmd.orig.new || no_write
	# shellcheck disable=SC2046 # names of ours
	set -- $(staged)
	for file; do
		copy=.npu-kmd.orig.new/$file
		make_folder "$copy" && cp -p "$file" "$copy" || no_write
	done
	before=$(sha256sum "$@") &&
	    after=$(cd .npu-kmd.new && sha256sum "$@") || no_write
	{
		echo "$manifest_head" || no_write
		for file; do
			echo "${before%% *} ${after%% *} $file" || no_write
			before=${before#*
} after=${after#*
}
		done
	} >.npu-kmd.new/manifest || no_write
	mv .npu-kmd.orig.new .npu-kmd.orig || no_write
	sync . 2>/dev/null || :
	mv .npu-kmd.new/manifest .npu-kmd.manifest || no_write
}

no_write() {
	die "$tree: cannot be written; nothing changed"
}

manifest_apply() {
	for file in $(staged); do
		mv -f ".npu-kmd.new/$file" "$file" ||
			die "$tree: $file: cannot be written; run" \
			    "npu-kmd adapt --undo"
	done
}

# manifest_undo, after manifest_settle: restores every file of the manifest.
# The files get the current time, which shows make that they have changed.
manifest_undo() {
	rm -rf .npu-kmd.new
	mkdir .npu-kmd.new || die "$tree: cannot be written"
	while read -r before _ file; do
		sum_from_list "$file"
		[ "$sum" != "$before" ] || continue
		cp -p ".npu-kmd.orig/$file" .npu-kmd.new/file &&
		    touch .npu-kmd.new/file &&
		    mv -f .npu-kmd.new/file "$file" ||
			die "$tree: $file: cannot be written; try again"
	done <<-END
	$manifest
	END
	rm -f .npu-kmd.manifest &&
	    rm -rf .npu-kmd.orig .npu-kmd.new ||
		die "$tree: cannot be written; try again"
}
