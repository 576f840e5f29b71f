# SPDX-License-Identifier: Apache-2.0
# Every bats file loads this file.  It adds our programs and tools to PATH,
# changes to an empty working directory, and cleans the environment.  B names
# the build tree (default: build).
# shellcheck shell=bash

bats_require_minimum_version 1.5.0
# A program that fails before a pipe makes the test fail.
set -o pipefail

TOP=${BATS_TEST_DIRNAME%/*/*}
case ${B:-build} in
/*) ;;
*) B=$TOP/${B:-build} ;;
esac
export TOP B PATH="$B/bin:$B/tests/tools:$PATH" LC_ALL=C

for v in "${!NPU_@}" "${!CLIP_@}" "${!UMD_@}" "${!ORT_@}"; do
	[ "$v" = NPU_TEST_DATA ] || unset "$v"
done
: "${NPU_TEST_DATA:=$TOP/../shared/data}"
# No models of the user who runs the tests.
export NPU_TEST_DATA XDG_DATA_HOME=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}/.share

cd "$BATS_TEST_TMPDIR" 2>/dev/null || cd "$BATS_FILE_TMPDIR" || exit 1

# A test that does not end within TEST_LIMIT seconds fails.  The limit of bats
# 1.8 itself can outlive a quick test, and bats then waits for it.
if [ -n "${TEST_LIMIT:-}" ] && [ -n "${BATS_TEST_NAME:-}" ]; then
	trap 'echo "no end within $TEST_LIMIT s"; exit 1' ABRT
	"$TOP/tests/support/limit" "$TEST_LIMIT" $$ &
	disown
fi

# run [-STATUS | !] [--separate-stderr] COMMAND...: replaces run of bats, and
# sets the same variables.  It uses no mktemp and fewer steps, each of which
# bats would trace, and takes a third of the time.  The tests run some thousands
# of commands.
# shellcheck disable=SC2034 # tests and bats use the variables
run() {
	local want='' apart='' flags=$- file
	while [[ ${1-} == [-!]* ]]; do
		case $1 in
		'!') want='!' ;;
		-[0-9]*) want=${1#-} ;;
		--separate-stderr)
			apart=1 file=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}
			file+=.stderr.$BASHPID ;;
		*) echo "run: $1: unknown option" >&2; return 1 ;;
		esac
		shift
	done
	# Functions in the command continue after a failure, as in bats.
	set +eET
	if [ "$apart" ]; then
		output=$("$@" 2>"$file") && status=0 || status=$?
		read -rd '' stderr <"$file"
		IFS=$'\n' read -rd '' -a stderr_lines <<<"$stderr"
	else
		output=$("$@" 2>&1) && status=0 || status=$?
	fi
	IFS=$'\n' read -rd '' -a lines <<<"$output"
	set "-$flags"
	case $want in
	'') return ;;
	'!') [ "$status" -eq 0 ] || return 0 ;;
	*) [ "$status" -ne "$want" ] || return 0 ;;
	esac
	BATS_ERROR_SUFFIX=", which ended with status $status"
	return 1
}

# need_data FILE: sets DATA to the path of a file of the test data.  Skips the
# test if there is no test data at all; .ci/run counts such a skip as a failure
# if the data is there.
need_data() {
	[ -d "$NPU_TEST_DATA" ] || skip "no test data (NPU_TEST_DATA)"
	[ -e "$NPU_TEST_DATA/$1" ] || {
		echo "missing in the test data: $1" >&2
		return 1
	}
	export DATA=$NPU_TEST_DATA/$1
}

# floats FILE: prints little-endian 32-bit floats on one line, "3 9.35 -3.4".
floats() {
	od -An -v -t f4 "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

# bytes FILE: prints the bytes of FILE as unsigned numbers on one line.
bytes() {
	od -An -v -t u1 "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

# shuffled SEED: prints the lines of stdin in an order that depends on SEED.
shuffled() {
	perl -e 'srand shift; my @all = <STDIN>;
	    print splice @all, rand @all, 1 while @all' "$1"
}

# f32 NUMBER...: writes little-endian 32-bit floats to stdout.
f32() {
	perl -e 'print pack("f<*", @ARGV)' -- "$@"
}

# broken_file FILE: makes FILE a plain file that can be opened but not read
# (EIO): the memory of the reading process at address 0.
broken_file() {
	ln -sfn /proc/self/mem "$1"
}

# torn FILE COMMAND...: runs COMMAND.  Its standard input is the bytes of FILE
# and then an error (EIO) instead of the end, as from a terminal that was closed
# on its other side.
torn() {
	/usr/bin/python3 -c '
import os, pty, subprocess, sys, tty
ours, theirs = pty.openpty()
tty.setraw(theirs)
os.write(theirs, open(sys.argv[1], "rb").read())
os.close(theirs)
sys.exit(subprocess.run(sys.argv[2:], stdin=ours).returncode)' "$@"
}

# bad_lists NAME...: writes two lists of these names with an invalid last line:
# in the file long, a line of 70000 bytes; in the file nul, a name with a NUL.
bad_lists() {
	{
		printf '%s\n' "$@"
		head -c 70000 /dev/zero | tr '\0' x
	} >long
	{
		printf '%s\n' "$@"
		printf 'a\0b\n'
	} >nul
}

# loaded PID: waits until process PID has loaded the emulator.  Programs prepare
# for signals before they load it.
loaded() {
	for _ in $(seq 1200); do
		! grep -qs libnoe-emu "/proc/$1/maps" || return 0
		sleep 0.05
	done
	echo "process $1 has not loaded the emulator in 60 s" >&2
	return 1
}
