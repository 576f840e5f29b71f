# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# The manifest of an adapted tree, the working folder: "BEFORE AFTER FILE"
# after a first line, BEFORE and AFTER being SHA-256.  A tree comes from others,
# so the manifest in it may, too: nothing but our files is touched by it.  It is
# read by the shell: a program that fails is not one that finds nothing in it.

manifest_head='npu-kmd manifest 1'

sum_of() {
	{ sum=$(sha256sum <"$1"); } 2>/dev/null || return
	echo "${sum%% *}"
}

# ours_or_none: the files of adapt are no links to elsewhere.
ours_or_none() {
	for f in .npu-kmd.new .npu-kmd.orig .npu-kmd.manifest; do
		[ ! -L "$f" ] || die "$tree: $f: a symbolic link, so not" \
		    "by npu-kmd; remove it"
	done
	[ ! -e .npu-kmd.manifest ] || [ -f .npu-kmd.manifest ] ||
		die "$tree: .npu-kmd.manifest: not a file, so not by" \
		    "npu-kmd; remove it"
}

# originals_spare: without a manifest, each file of .npu-kmd.orig is in its
# place as well; ends where one is not, because it may be the only copy.
originals_spare() {
	for file in $(here); do
		o=.npu-kmd.orig/$file
		[ ! -f "$o" ] || cmp -s "$o" "$file" ||
			die "$tree: $o: differs, and .npu-kmd.manifest is" \
			    "gone; put it back by hand, or remove .npu-kmd.orig"
	done
}

# manifest_settle: sets state: none, adapted or mixed; ends where the tree has
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
	manifest_sound
	state=adapted
	while read -r before after file || [ -n "$before" ]; do
		[ "$before" != "${manifest_head%% *}" ] || continue
		is=$(sum_of "$file")
		case $is in
		"$after") ;;
		"$before") state=mixed ;;
		*) die "$tree: $file: changed by hand since it was" \
		    "adapted; the original is .npu-kmd.orig/$file" ;;
		esac
	done <.npu-kmd.manifest
	# Killed between its last file and its end.
	[ $state != adapted ] || rm -rf .npu-kmd.new
}

# manifest_sound: each line names one of our files, whose original is there.
manifest_sound() {
	[ "$(wc -c <.npu-kmd.manifest)" -lt 4096 ] &&
	    [ "$(head -n 1 .npu-kmd.manifest)" = "$manifest_head" ] ||
		die "$tree: .npu-kmd.manifest: not written by npu-kmd"
	sed 1d .npu-kmd.manifest | grep -vE \
	    '^[0-9a-f]{64} [0-9a-f]{64} [A-Za-z0-9_/.-]+$' | grep -q . &&
		die "$tree: .npu-kmd.manifest: damaged; put the originals" \
		    "of .npu-kmd.orig back by hand"
	# What is sound is read once, all together.
	set --
	for file in $(here); do
		set -- "$@" "$file"
		[ ! -f ".npu-kmd.orig/$file" ] ||
			set -- "$@" ".npu-kmd.orig/$file"
	done
	! all_plain "$@" || sound="$sound$* "
	while read -r before _ file || [ -n "$before" ]; do
		[ "$before" != "${manifest_head%% *}" ] || continue
		tree_files | grep -q "^$file " ||
			die "$tree: .npu-kmd.manifest: $file is no file" \
			    "that npu-kmd changes"
		plain_files "$file"
		[ ! -L .npu-kmd.orig/armchina-npu ] ||
			die "$tree: .npu-kmd.orig/armchina-npu: a symbolic link"
		plain_files ".npu-kmd.orig/$file"
		grep -q "^$(sum_of ".npu-kmd.orig/$file") [^ ]* $file\$" \
		    .npu-kmd.manifest ||
			die "$tree: .npu-kmd.orig/$file: not the original" \
			    "that was kept; it cannot be undone"
	done <.npu-kmd.manifest
}

# staged: the names of the changed files in .npu-kmd.new.
staged() {
	tree_files | while read -r file _; do
		[ ! -f ".npu-kmd.new/$file" ] || echo "$file"
	done
}

# manifest_write: the originals, then the manifest, each complete or not there.
manifest_write() {
	rm -rf .npu-kmd.orig .npu-kmd.orig.new &&
	    mkdir .npu-kmd.orig.new || no_write
	echo "$manifest_head" >.npu-kmd.new/manifest || no_write
	for file in $(staged); do
		mkdir -p ".npu-kmd.orig.new/$(dirname "$file")" &&
		    cp -p "$file" ".npu-kmd.orig.new/$file" || no_write
		before=$(sum_of "$file") &&
		    after=$(sum_of ".npu-kmd.new/$file") &&
		    echo "$before $after $file" >>.npu-kmd.new/manifest ||
			no_write
	done
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

# manifest_undo: every file of the manifest is its original again.  The time
# is that of now, so that make sees a change.
manifest_undo() {
	rm -rf .npu-kmd.new
	mkdir .npu-kmd.new || die "$tree: cannot be written"
	while read -r before _ file || [ -n "$before" ]; do
		[ "$before" != "${manifest_head%% *}" ] || continue
		[ "$(sum_of "$file")" != "$before" ] || continue
		cp -p ".npu-kmd.orig/$file" .npu-kmd.new/file &&
		    touch .npu-kmd.new/file &&
		    mv -f .npu-kmd.new/file "$file" ||
			die "$tree: $file: cannot be written; try again"
	done <.npu-kmd.manifest
	rm -f .npu-kmd.manifest &&
	    rm -rf .npu-kmd.orig .npu-kmd.new ||
		die "$tree: cannot be written; try again"
}
