# SPDX-License-Identifier: Apache-2.0
# Shared by tests/environment/run and tests/environment/kills: the cases, the
# fixtures, and checks for whole files.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables of the runners and of one.bash

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
# shellcheck source=tests/torture/one.bash
. "$here/../torture/one.bash"

# begin B: a folder to work in, and the fixtures.
begin() {
	local v
	B=$(cd "$1" && pwd)
	work=$(mktemp -d "$B/environment.XXXXXX")
	chmod 755 "$work"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	export B LC_ALL=C NPU_DEVICE=emu
	PATH=$here/bin:$B/bin:$B/tests/tools:$B/tools:$here/../../driver:$PATH
	for v in "${!NPU_@}" "${!CLIP_@}" "${!UMD_@}" "${!ORT_@}"; do
		[ "$v" = NPU_DEVICE ] || unset "$v"
	done
	export F=$work/f
	mkdir "$F"
	(cd "$F" && "${FIXTURES:-$here/fixtures}") >"$work/fixtures" 2>&1 || {
		echo "environment: the fixtures could not be made:" >&2
		cat "$work/fixtures" >&2
		exit 1
	}
	fixtures=$F
	if [ -n "${CASES:-}" ]; then
		cat "$CASES"
	else
		cat "$here/../torture/cases" "$here/cases"
	fi >"$work/all-cases"
}

# each_case PATTERN DO...: DO for each case that PATTERN fits, as read_case
# leaves it; only_first is set for the first of each program.
each_case() {
	local pattern=$1 options was=
	shift
	while read -r name options <&3; do
		case $name in
		'' | '#'*) continue ;;
		esac
		first=
		[[ $was == *" ${name%%/*} "* ]] || first=y
		was="$was ${name%%/*} "
		# shellcheck disable=SC2254 # a pattern
		case $name in
		$pattern) ;;
		*) continue ;;
		esac
		read_case "$options"
		"$@"
	done 3<"$work/all-cases"
}

# ---- Checks for whole files, beyond one.bash ---------------------------------

# The names in an index, which may still have none.
index_names() {
	local id
	for id in 'a bus' 'a photo of a bus'; do
		vec-nearest -F jsonl -n 0 --id="$id" "$1" >"$dir.matches" \
		    2>"$dir.why" || continue
		jq -r '[.matches[].id] | sort | .[]' "$dir.matches"
		return
	done
	grep -q ": no vector is called '" "$dir.why"
}

see_rows() {
	wc -l
}

# A tree that npu-kmd adapted is restored by --undo.
whole_tree() {
	rm -rf "$dir.tree"
	cp -r "$1" "$dir.tree" &&
	    npu-kmd adapt --undo "$dir.tree" >/dev/null 2>&1 &&
	    diff -r "$dir.tree" "$fixtures/tree" >/dev/null
}

# All that npu-kmd writes to a machine can be removed without a trace.
whole_machine() {
	local c
	rm -rf "$dir.m"
	cp -r "$1" "$dir.m" &&
	    npu-kmd autoload off --root="$dir.m" 2>/dev/null &&
	    npu-kmd ssdt remove --root="$dir.m" 2>/dev/null &&
	    diff -r "$dir.m" "$fixtures/m" >/dev/null
}

# put_cases_files: into $dir, a copy of each of its files.
put_cases_files() {
	local f
	rm -rf "$dir" "$dir".*
	mkdir "$dir"
	for f in $has; do
		cp -r "$fixtures/$f" "$dir/"
	done
}

# same_named FILE: as the good run made it.
same_named() {
	if [ -d "$good/$1" ]; then
		diff -r -x '.npu-*' "$good/$1" "$dir/$1" >/dev/null 2>&1
	else
		same "$good/$1" "$dir/$1"
	fi
}

# as_before FILE: as it was before the run.
as_before() {
	if [ -e "$fixtures/$1" ] && [[ " $has " == *" $1 "* ]]; then
		diff -r "$fixtures/$1" "$dir/$1" >/dev/null 2>&1
	else
		[ ! -e "$dir/$1" ]
	fi
}

# half FILE: prints what is wrong with it, if it is neither.
half() {
	local f
	! same_named "$1" && ! as_before "$1" && [ -e "$dir/$1" ] || {
		[ -e "$dir/$1" ] || [[ " $has " != *" $1 "* ]] ||
			echo "$1 was lost"
		return 0
	}
	! "whole_$whole" "$dir/$1" || return 0
	[ -d "$dir/$1" ] && [ "$whole" = no ] || {
		echo "half of $1"
		return
	}
	for f in "$dir/$1"/* "$dir/$1"/.[!.]*; do
		[ ! -e "$f" ] || same "$good/$1/${f##*/}" "$f" ||
			echo "in $1: half of ${f##*/}"
	done
}
