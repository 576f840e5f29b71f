# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# tests/fuzz/seeds.sh - the beginning of each NAME.seeds DIR, which is called at
# the root of the repository: goes to DIR and sets
#	TOP	the root
#	B	the build tree; a tool is "$B/tests/tools/NAME"
#	DATA	the test data, a folder that may be absent; a script reads all that
#		it wants from it if it is there
#	tmp	an empty folder for files that are no seeds
#	empty	a pattern: the names of files that may be empty, at first none
shopt -s inherit_errexit
export LC_ALL=C
TOP=$PWD
: "${B:=build}"
[[ $B == /* ]] || B=$TOP/$B
: "${NPU_TEST_DATA:=$TOP/../shared/data}"
DATA=$NPU_TEST_DATA
[[ $DATA == /* ]] || DATA=$TOP/$DATA
empty=

# finish: the end of each script.
finish() {
	local status=$? bad
	bad=$(find . "$tmp" -type f -empty ! -name "$empty")
	rm -rf "$tmp"
	[ "$status" -eq 0 ] || exit "$status"
	[ -z "$bad" ] || {
		echo "empty: $bad" >&2
		exit 1
	}
}

cd "$1" || exit
tmp=$(mktemp -d)
trap finish EXIT
