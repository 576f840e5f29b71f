# SPDX-License-Identifier: Apache-2.0
# The tables of lib/text and lib/image that are kept in git.
# bats file_tags=native

load ../support/helper

@test "each table in git equals the output of its program" {
	make -C "$TOP" -s --no-print-directory B="$PWD/b" new-tables </dev/null
	n=0
	for t in b/gen/*_tables.c; do
		name=${t##*/}
		cmp "$t" "$TOP"/lib/*/data/"$name"
		n=$((n + 1))
	done
	[ "$n" -eq "$(find "$TOP/lib" -name '*_tables.c' | wc -l)" ]
	[ "$n" -ge 6 ]
}
