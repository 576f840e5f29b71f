#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Vectors are loaded into SQLite as vec-nearest(1) shows; the nearest vectors
# must be the same there.  `scripts/setup check` fetches the extension.

load ../support/helper

setup() {
	case $(uname -m) in
	aarch64) arch=arm64 ;;
	*) arch=x64 ;;
	esac
	[ -e "$TOP/build/setup/$arch/vec0.so" ] ||
	    skip 'no sqlite-vec (scripts/setup check)'
	ln -s "$TOP/build/setup/$arch/vec0.so" .
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/vec-nearest.1"
	mv "$(grep -l sqlite3 page.*.sh)" pipeline.sh
}

# lines N SEED: prints N vectors of 24 numbers, with names as files may have.
lines() {
	perl -e 'my ($n, $seed) = @ARGV; srand $seed; for my $i (1 .. $n) {
	    printf "{\"id\":\"photo \\\"%d\\\", \\u00e9.jpg\",".
	    "\"vector\":[%s]}\n", $i,
	    join ",", map { sprintf "%.6f", rand(2) - 1 } 1 .. 24 }' "$1" "$2"
}

# agree: runs the page's example.  Its names must equal ours, and its scores
# must equal ours as floats.
agree() {
	rm -f photos.db
	sh -e pipeline.sh >theirs
	vec-nearest -n 5 -F jsonl photos.jsonl query.jsonl |
	    jq -r '.matches[] | [.id, .score] | @tsv' >ours
	[ "$(wc -l <ours)" -eq 5 ]
	paste ours theirs | awk -F '\t' '
	    $1 != $3 || $2 - $4 > 1e-5 || $4 - $2 > 1e-5 { print; bad = 1 }
	    END { exit bad }'
}

# bats test_tags=slow
@test "SQLite finds the same neighbours as vec-nearest" {
	lines 300 1 >photos.jsonl
	for seed in 2 3 4; do
		lines 1 $seed >query.jsonl
		agree
	done
}

# bats test_tags=slow
@test "SQLite finds the same neighbours for clip-embed's vectors" {
	need_data images/photos/bus.jpg
	# Ten texts, whose vectors have length 1.
	for c in red green blue purple orange; do
		echo "a $c circle"
		echo "a $c star"
	done | clip-embed -q --lines -F jsonl >photos.jsonl
	clip-embed -q --text='a photo of a blue star' -F jsonl >query.jsonl
	agree
}

@test "the page's example works if the first picture failed" {
	lines 1 2 >query.jsonl
	{ echo '{"id":"x.jpg","error":"no picture"}'; lines 9 1; } >photos.jsonl
	sh -e pipeline.sh >theirs
	[ "$(wc -l <theirs)" -eq 5 ]
}
