#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The rules that all programs share, docs/rules.md, asked of each.  The numbers
# in the names of tests are theirs.

load ../support/helper

programs() {
	for p in "$B"/bin/*; do
		basename "$p"
	done
}

# each COMMAND...: for every program p; a failure names it.
each() {
	for p in $(programs); do
		"$@" || {
			echo "$p: failed: $*"
			return 1
		}
	done
}

help_is_data() {
	"$p" --help >out 2>err && [ ! -s err ] &&
		head -n 1 out | grep -qx 'Examples:' &&
		[ "$(grep -c "^  .*$p" out)" -ge 2 ] &&
		"$p" -h | cmp - out
}

@test "--help: stdout, status 0, two examples first (10, 14)" {
	each help_is_data
}

version_is_data() {
	"$p" --version >out 2>err && [ ! -s err ] &&
		[ "$(head -n 1 out)" = "$p (npu-utils) $want" ] &&
		grep -qx "libnpu $want" out
}

@test "--version: name, version and the library's (13)" {
	want=$(sed -n 's/^#define NPU_VERSION "\(.*\)"/\1/p' "$TOP/lib/npu.h")
	[ -n "$want" ]
	each version_is_data
}

full_device() {
	for o in --help --version; do
		st=0
		"$p" $o >/dev/full 2>err || st=$?
		[ $st -eq 1 ] && [ "$(cat err)" = \
		    "$p: write error: No space left on device" ] || return 1
		st=0
		"$p" $o >&- 2>err || st=$?
		[ $st -eq 1 ] && grep -q "^$p: write error: " err || return 1
	done
}

@test "a full or closed stdout is a write error, --help included (17, 21)" {
	each full_device
}

wrong_option() {
	st=0
	"$p" --no-such-option </dev/null >out 2>err || st=$?
	[ $st -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 2 ] &&
		grep -q "^$p: unknown option '--no-such-option'" err &&
		grep -qx "Try '$p --help' for more information." err
}

@test "the reason is there however long the name is (23)" {
	name=$(printf '/d%.0s' $(seq 2040))
	for n in "$name" "$name$name$name"; do
		run --separate-stderr -1 npu-info "$n"
		[[ $stderr == "npu-info: /d/d/d"*": "[FN]* ]]
		[[ $stderr == *": No such file or directory" ||
		    $stderr == *": File name too long" ]]
	done
}

@test "a wrong option: one line and a hint, status 2 (11)" {
	each wrong_option
}

abbreviation() {
	st=0
	"$p" --versio </dev/null >out 2>err || st=$?
	[ $st -eq 2 ] && grep -q "did you mean '--version'?" err
}

@test "long options are not abbreviated; the nearest is suggested (6)" {
	each abbreviation
}

short_has_long() {
	# Every "-x" at the head of a line of --help stands before a long form.
	! "$p" --help | grep -E '^  -[a-zA-Z0-9]' |
	    grep -vE '^  -[a-zA-Z0-9], --' | grep .
}

@test "every option has a long form (1)" {
	each short_has_long
}

letters() {
	"$p" --help |
	    sed -nE "s/^  -([a-zA-Z0-9]), (--[a-z0-9-]+).*/\1 \2 $p/p" >>letters
	[ -s letters ]
}

@test "the letters are those of the tables of docs/rules.md (5)" {
	each letters
	# A row of the first is a letter and its name, one of the second a
	# letter and "--name: PROGRAM, PROGRAM; --name: ...".
	awk '
	NR == FNR && /^\| -. \| --[^ ]* \| / { one[substr($2, 2) " " $4]; next }
	NR == FNR && /^\| -. \| --.*: / {
		n = split(substr($0, 8, length($0) - 9), part, "; ")
		for (i = 1; i <= n; i++) {
			split(part[i], at, ": ")
			m = split(at[2], who, ", ")
			for (j = 1; j <= m; j++)
				own[substr($2, 2) " " at[1] " " who[j]]
		}
	}
	NR == FNR { next }
	$1 " " $2 in one { used[$1 " " $2]; next }
	$0 in own { used[$0]; next }
	{ print "not in a table: " $0 }
	END {
		for (row in one)
			if (!(row in used))
				print "no program has it: " row
		for (row in own)
			if (!(row in used))
				print "no program has it: " row
	}' "$TOP/docs/rules.md" letters >bad
	cat bad
	[ ! -s bad ]
}

no_files() {
	mkdir -p home tmp work
	(cd work && HOME=$PWD/../home TMPDIR=$PWD/../tmp "$p" --help) \
	    >/dev/null && [ -z "$(find home tmp work -type f)" ]
}

@test "no file is written that was not named (38)" {
	each no_files
}

little_stack() {
	for kib in $sizes; do
		st=0
		(ulimit -s $kib; exec "$p" --help) >out 2>err || st=$?
		[ $st -eq 1 ] && [ ! -s out ] && [ "$(cat err)" = \
		    "$p: the limit of the stack is $kib KiB, and 256 are\
 needed; see 'ulimit -s'" ] || return 1
	done
	case ${LEG-native} in
	asan | coverage) ;;
	*) (ulimit -s 256; exec "$p" --help) >out ;;
	esac
}

# Under qemu it would be qemu's; a counted program needs more itself.
# bats test_tags=no-arm64
@test "a stack with too little room is told, not overrun" {
	if [ "${LEG-native}" = coverage ]; then
		p=npu-info sizes=255
		little_stack
	else
		sizes='64 128 255'
		each little_stack
	fi
}

# bats test_tags=no-arm64
@test "a program that a library ends leaves no part of a file" {
	mkfifo in
	exec 8<>in
	npu-dequant -q -r -t s8 -s 1 -o o <in 3>&- 8>&- &
	pid=$!
	printf x >&8
	for _ in $(seq 200); do
		[ -z "$(find . -name '.npu-*')" ] || break
		sleep 0.05
	done
	[ -n "$(find . -name '.npu-*')" ]
	kill -ABRT $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 134 ]
	[ "$(ls -A)" = in ]
}
