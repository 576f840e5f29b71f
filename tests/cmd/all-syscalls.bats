#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# System calls that fail or are interrupted: strace(1) injects their results,
# and all other calls run as usual.

load ../support/helper

setup() {
	printf 'a photo of a bus\na cat\n' >texts
	clip-tokenize -q -F ids texts >want
}

# refused CALL:error=ERROR... PROGRAM...: runs PROGRAM.  CALL fails in all its
# processes.
refused() {
	strace -f -qq -o trace -e "trace=${1%%:*}" -e "inject=$1" "${@:2}"
}

# refusals: prints the number of calls that strace made fail.
refusals() {
	grep -c '(INJECTED)$' trace
}

# bats test_tags=native
@test "a file system may lack fsync(); a failed fsync() is reported" {
	refused fsync:error=EINVAL clip-tokenize -q -F ids -o out texts
	[ "$(refusals)" -eq 1 ]
	cmp out want
	rm out
	run --separate-stderr -1 refused fsync:error=EIO \
	    clip-tokenize -q -F ids -o out texts
	[ "$stderr" = "clip-tokenize: out: write error: Input/output error" ]
	[ "$(refusals)" -eq 1 ]
	[ ! -e out ]
	[ -z "$(find . -name '.npu-*')" ]
}

# Without random numbers, the temporary file's name contains the process ID.
# bats test_tags=native
@test "an existing file with the temporary file's name is not overwritten" {
	cat >taken <<-'END'
	name=$(printf '.npu-%016x' $$)
	echo mine >"$name"
	exec strace -D -qq -o /dev/null -e inject=getrandom:error=ENOSYS \
	    clip-tokenize -q -F ids -o out texts
	END
	run --separate-stderr -1 sh taken
	[ "$stderr" = "clip-tokenize: out: File exists" ]
	[ ! -e out ]
	[ "$(cat .npu-*)" = mine ]
	refused getrandom:error=ENOSYS clip-tokenize -q -F ids -o out texts
	cmp out want
}

# bats test_tags=native,slow
@test "-j 0 uses the most threads allowed if processors cannot be counted" {
	strace -f -qq -o trace -e trace=sched_getaffinity,clone,clone3 \
	    -e inject=sched_getaffinity:error=EINVAL \
	    clip-tokenize -q -F ids -j 0 texts | cmp - want
	[ "$(refusals)" -eq 1 ]
	[ "$(grep -c '^[0-9]* *clone' trace)" -eq 256 ]
}

# bats test_tags=native,slow
@test "a call that a signal interrupts is repeated" {
	npu-info -d emu --plain >info
	for call in write wait4; do
		refused "$call:error=EINTR:when=1" npu-info -d emu --plain |
		    cmp - info
		[ "$(refusals)" -ge 1 ]
	done
	mkcix --in s8:4 --out s8:4 >m.cix
	refused wait4:error=EINTR:when=1 npu-bench -q -d emu -P 2 --min-iter=5 \
	    --json m.cix >out
	[ "$(refusals)" -eq 1 ]
	jq -e '[.together[].processes] == [2]' out
}

# If a program was started with SIGCHLD ignored, it gets no exit status of
# children that have ended.
# bats test_tags=native,slow
@test "a parent that gets no exit status uses its children's reports" {
	npu-info -d emu --plain >info
	refused wait4:error=ECHILD:when=1 npu-info -d emu --plain | cmp - info
	[ "$(refusals)" -eq 1 ]
	mkcix --in s8:4 --out s8:4 >m.cix
	perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' \
	    npu-bench -q -d emu -P 2 --min-iter=5 --json m.cix >out 2>err
	jq -e '[.together[].processes] == [2]' out
	run -1 grep 'its process ended' err
}

# bats test_tags=native
@test "if npu-info's child cannot answer, the library counts as ended" {
	# The first write of each of the two processes fails, so the message
	# cannot be printed either.
	run -3 refused write:error=EPIPE:when=1 npu-info -d emu
	grep -q 'write(2, "npu-info: the library ended the ' trace
	[ "$(refusals)" -eq 2 ]
}
