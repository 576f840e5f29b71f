#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Where the system refuses a call or breaks one off, in whose place strace(1)
# answers; the rest is as it is without.

load ../support/helper

setup() {
	printf 'a photo of a bus\na cat\n' >texts
	clip-tokenize -q -F ids texts >want
}

# refused CALL:error=ERROR... PROGRAM...: with all its processes.
refused() {
	strace -f -qq -o trace -e "trace=${1%%:*}" -e "inject=$1" "${@:2}"
}

# refusals: how many calls were answered by strace.
refusals() {
	grep -c '(INJECTED)$' trace
}

# bats test_tags=native
@test "a file system without fsync() is written to, one that fails is told" {
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

# Without random numbers the name beside it is made of the process's number.
# bats test_tags=native
@test "a name for a new file that is taken stays what it is" {
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

# bats test_tags=native
@test "-j 0 where processors cannot be counted: as many as there may be" {
	strace -f -qq -o trace -e trace=sched_getaffinity,clone,clone3 \
	    -e inject=sched_getaffinity:error=EINVAL \
	    clip-tokenize -q -F ids -j 0 texts | cmp - want
	[ "$(refusals)" -eq 1 ]
	[ "$(grep -c '^[0-9]* *clone' trace)" -eq 256 ]
}

# bats test_tags=native
@test "what a signal breaks off is asked again" {
	npu-info -d emu --plain >info
	for call in write wait4; do
		refused "$call:error=EINTR:when=1" npu-info -d emu --plain |
		    cmp - info
		[ "$(refusals)" -ge 1 ]
	done
	mkcix --in s8:4 --out s8:4 >m.cix
	refused wait4:error=EINTR:when=1 npu-bench -q -d emu -P 2 -n 5 \
	    --json m.cix >out
	[ "$(refusals)" -eq 1 ]
	jq -e '[.together[].processes] == [2]' out
}

# A program that was started with SIGCHLD ignored has no children to wait for,
# once they have ended.
# bats test_tags=native
@test "whose children are gone without a status goes by what they said" {
	npu-info -d emu --plain >info
	refused wait4:error=ECHILD:when=1 npu-info -d emu --plain | cmp - info
	[ "$(refusals)" -eq 1 ]
	mkcix --in s8:4 --out s8:4 >m.cix
	perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' \
	    npu-bench -q -d emu -P 2 -n 5 --json m.cix >out 2>err
	jq -e '[.together[].processes] == [2]' out
	run ! grep -q 'its process ended' err
}

# bats test_tags=native
@test "a part of npu-info whose answer is lost is told as the library's end" {
	# The first that each of the two processes writes; then there is no
	# place to tell it, either.
	run -3 refused write:error=EPIPE:when=1 npu-info -d emu
	grep -q 'write(2, "npu-info: the library ended the ' trace
	[ "$(refusals)" -eq 2 ]
}
