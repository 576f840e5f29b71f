# SPDX-License-Identifier: Apache-2.0
# Tests that `make lint` finds faults and that suppressions have reasons, and
# runs it on a few files.  The full run, `make lint`, takes minutes.
# bats file_tags=native,slow

load ../support/helper

lint() {
	env -u MAKEFLAGS make -C "$TOP" --no-print-directory -k "$@"
}

@test "gcc, clang-tidy and cppcheck accept 20 random files; SEED=N for others" {
	cd "$TOP" || return
	find lib cmd models tests/tools -name '*.c' -not -name torn.c \
	    -not -name '*_tables.c' | LC_ALL=C sort | shuffled "${SEED:-1}" | sed -n 1,20p >"$BATS_TEST_TMPDIR/drawn"
	cat "$BATS_TEST_TMPDIR/drawn"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/drawn")" -eq 20 ]
	lint B="$BATS_TEST_TMPDIR/b" LINT_SRC="$(xargs <"$BATS_TEST_TMPDIR/drawn")" \
	    lint-cppcheck lint-gcc lint-tidy
}

# bad NAME: writes NAME.c from stdin, a program with a planted fault, and adds
# the #include lines.
bad() {
	{
		printf '#include <stdio.h>\n#include <stdlib.h>\n'
		printf '#include <string.h>\n\n'
		cat
	} >"$1.c"
}

# finds GOAL NAME TEXT: fails unless this goal of make fails for NAME.c with
# TEXT.
finds() {
	touch "$2.c"
	run lint B="$PWD/b" LINT_SRC="$PWD/$2.c" "$1"
	echo "$output"
	[ "$status" -ne 0 ]
	grep -qE "$2\.c:[0-9]+:[0-9]+: .*$3" <<<"$output"
}

@test "gcc, clang-tidy and cppcheck find planted faults, none in good code" {
	bad good <<-'END'
	int
	main(int argc, char *argv[])
	{
		char *s = malloc(strlen(argv[0]) + 1);

		(void)argc;
		if (s == NULL)
			return 1;
		memcpy(s, argv[0], strlen(argv[0]) + 1);
		printf("%s\n", s);
		free(s);
		return 0;
	}
	END
	sed '/free(s)/a\	printf("%c\\n", *s);' good.c >freed.c
	sed 's/malloc(.*)/malloc(10)/; s/s == NULL/s != NULL/' good.c >null.c
	sed 's/(void)argc;/if (argc > 1);/' good.c >empty.c
	sed 's/return 0;/{ char t[4]; t[argc > 9 ? 1 : 4] = 0; return t[4]; }/' \
	    good.c >bound.c
	sed 's/return 0;/{ int z = argc > 9; return z != 0 ? 1 : 7 \/ z; }/' \
	    good.c >zero.c
	for g in lint-gcc lint-tidy lint-cppcheck; do
		lint B="$PWD/b" LINT_SRC="$PWD/good.c" $g
	done
	finds lint-gcc freed use-after-free
	finds lint-gcc null analyzer-null
	finds lint-tidy empty bugprone-suspicious-semicolon
	finds lint-cppcheck bound 'out of bounds'
	finds lint-tidy zero clang-analyzer-core.DivideZero
}

# Each file alone is correct; cppcheck's exit status ignores such a finding.
@test "a fault across two files, found by cppcheck, also fails make lint" {
	echo 'int first(const char *s);' >first.h
	cat >callee.c <<-'END'
	#include "first.h"

	int
	first(const char *s)
	{
		return *s;
	}
	END
	bad caller <<-'END'
	#include "first.h"

	int
	main(int argc, char *argv[])
	{
		return argc == 2 ? first(argv[1]) : first(NULL);
	}
	END
	run lint B="$PWD/b" LINT_SRC="$PWD/callee.c $PWD/caller.c" lint-cppcheck
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *"/callee.c:6:"*ctunullpointer* ]]
	sed -i 's/first(NULL)/1/' caller.c
	lint B="$PWD/b" LINT_SRC="$PWD/callee.c $PWD/caller.c" lint-cppcheck
}

@test "suppressions are few, and each has a reason" {
	cd "$TOP" || return
	sed -n '/^Checks/,$p' .clang-tidy | tr ', ' '\n\n' |
	    sed -n 's/^-\([a-z].*\)/\1/p' >"$BATS_TEST_TMPDIR/checks"
	n=$(wc -l <"$BATS_TEST_TMPDIR/checks")
	[ "$n" -gt 0 ]
	while read -r check; do
		grep -q "^# $check: ." .clang-tidy || {
			echo "no reason: $check"
			false
		}
	done <"$BATS_TEST_TMPDIR/checks"
	# The reason is a comment in the line before, or before a group of
	# similar entries.
	for f in tests/lint/cppcheck.supp tests/lint/lint.mk; do
		awk '/^[a-zA-Z]+:[a-z]|^LINT_NOT_|eval LINT_NOT_/ {
			left++
			if (!said)
				print FILENAME ":" FNR ": no reason"
		}
		{ said = /^#/ || (said && /\\$/) }
		END { print left + 0 >"/dev/stderr" }' $f
	done >"$BATS_TEST_TMPDIR/bad" 2>"$BATS_TEST_TMPDIR/left"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
	{ grep -rnE -B 1 'NOLINT(NEXTLINE|BEGIN)?' lib cmd models tests/tools \
	    --include='*.[ch]' || [ $? -eq 1 ]; } |
	    sed /NOLINTEND/d >"$BATS_TEST_TMPDIR/nolint"
	m=$(grep -cE 'NOLINT' "$BATS_TEST_TMPDIR/nolint" || [ $? -eq 1 ])
	# Each NOLINT names its check, after a comment with the reason.
	[ "$(grep -cE '/\* NOLINT[A-Z]*\([a-z]' "$BATS_TEST_TMPDIR/nolint")" = "$m" ]
	[ "$(grep -cE -- '-[0-9]+-.*[a-z(). ]+ \*/$' \
	    "$BATS_TEST_TMPDIR/nolint")" = "$m" ]
	left=$(awk '{ n += $1 } END { print n }' "$BATS_TEST_TMPDIR/left")
	echo "$n checks, $left entries, $m in the source"
	[ $((n + left + m)) -le 25 ]
}
