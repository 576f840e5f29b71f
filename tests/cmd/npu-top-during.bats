#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-top --during: the busy share while a command runs.

load ../support/helper
load ../support/fakeboard

STATUS=0x8004410a CORES=0xc00c4118
BUSY=01000000

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	fake_board b 6.2.0
}

during() {
	npu-top --root=b "$@"
}

@test "--during prints the busy share on stderr; stdout is the command's" {
	fake_answer b $STATUS $BUSY
	fake_answer b $CORES "$(u32 0 0 5)"		# core 1 is busy
	run --separate-stderr -0 during --during sh -c 'echo data; sleep .5'
	[ "$output" = data ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr =~ ^'npu-top: sh: NPU busy 100.0 % of '([0-9.]+)\ s\ \
\([0-9]+\ to\ 100\ %,\ ([0-9]+)\ samples\)\;\ cores\ 0.0\ %,\ 100.0\ %,\ 0.0\ %$ ]]
	awk -v s="${BASH_REMATCH[1]}" -v n="${BASH_REMATCH[2]}" \
	    'BEGIN { exit !(s >= .5 && n > 0) }'
}

@test "--during: the status of the command, or 4 if the NPU was never used" {
	run --separate-stderr -4 during --during sleep 0.3
	[[ $stderr =~ ^'npu-top: sleep: the NPU was never used in '[0-9.]+\ s$ ]]
	run --separate-stderr -7 during --during sh -c 'sleep 0.2; exit 7'
	[[ $stderr == 'npu-top: sh: the NPU was never used in '* ]]
	fake_answer b $STATUS $BUSY
	run --separate-stderr -0 during --during sleep 0.3
	run --separate-stderr -7 during --during sh -c 'sleep 0.2; exit 7'
	run --separate-stderr -137 during --during sh -c 'kill -KILL $$'
	[[ $stderr == 'npu-top: sh: '* ]]
}

@test "--during counts interrupts, which a short command also causes" {
	# The status is idle whenever it is asked.
	run --separate-stderr -0 during --during sh -c '
	    sed "s/^ 77: .*aipu$/ 77: 41 2 GICv3 391 Level aipu/" \
		b/proc/interrupts >i && cat i >b/proc/interrupts'
	[[ $stderr == 'npu-top: sh: NPU busy '*'; 1 interrupt' ]]
	# Without a sample and without a count, the use is unknown.
	rm b/proc/interrupts
	grep -v "^$STATUS" b/dev/aipu >n && cat n >b/dev/aipu
	run --separate-stderr -5 during --during true
	[[ $stderr == 'npu-top: true: the use of the NPU in '*' s is unknown'* ]]
}

@test "--during: a command that cannot be run is 127 or 126, as in env(1)" {
	run --separate-stderr -127 during --during no-such-command
	[ "$stderr" = "npu-top: no-such-command: No such file or directory" ]
	: >file
	run --separate-stderr -126 during --during ./file
	[ "$stderr" = "npu-top: ./file: Permission denied" ]
}

@test "--during runs nothing without a device, or without the right to ask" {
	mkdir e
	run --separate-stderr -3 npu-top --root=e --during touch ran
	[ ! -e ran ]
	rm b/dev/aipu
	run --separate-stderr -3 during --during touch ran
	[ ! -e ran ]
	echo 'open EACCES' >b/dev/aipu
	run --separate-stderr -3 during --during touch ran
	[[ $stderr == *"b/dev/aipu: Permission denied"* ]]
	[ ! -e ran ]
}

@test "--during takes the words after it as the command, with its options" {
	run --separate-stderr during --during printf '%s\n' -n 1 --json -q
	[ "$output" = $'-n\n1\n--json\n-q' ]
	run --separate-stderr during --during -- echo -- x
	[ "$output" = '-- x' ]
}

@test "--during: other formats are one output; -o writes it to a file" {
	fake_answer b $STATUS $BUSY
	run --separate-stderr -0 during -F json -o j --during \
	    sh -c 'echo data; sleep .3'
	[ "$output" = data ]
	[ "$stderr" = "" ]
	jq -e '.schema == "npu-top/1" and .busy == 1 and .seconds >= .3' j
	[ "$(wc -l <j)" -eq 1 ]
	fake_answer b $CORES "$(u32 0 0 5)"
	during -F csv -o c --during sleep .2
	[ "$(wc -l <c)" -eq 4 ]			# a header and three cores
	during -o t --during sleep .2
	[[ $(cat t) == 'sleep: NPU busy 100.0 % of '* ]]
	run --separate-stderr -0 during --json --during sh -c 'sleep .2; echo x'
	[ "$output" = x ]
	jq -e '.busy == 1' <<<"$stderr"
}

@test "--during: wrong usage" {
	for o in '--during' '--during --' '-n 2 --during true' \
	    '-i 1s --during true' 'word --during true' \
	    'word -q --during true'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 during $o
		[ "$output" = "" ]
		[[ ${stderr_lines[0]} == "npu-top: "* ]]
	done
}

@test "--during passes SIGTERM on, and Ctrl-C is the command's" {
	fake_answer b $STATUS $BUSY
	npu-top --root=b --during sh -c 'trap "exit 9" TERM; : >ready
	    while :; do sleep 0.1; done' 2>err 3>&- &
	pid=$!
	until [ -e ready ]; do sleep 0.1; done
	kill -TERM $pid
	st=0
	wait $pid || st=$?
	[ $st -eq 9 ]
	[[ $(cat err) == 'npu-top: sh: NPU busy 100.0 % of '* ]]
	# The terminal sends SIGINT to both; only the command ends.
	# shellcheck disable=SC2016 # the inner shell expands
	run --separate-stderr -130 setsid --wait bash -ic '
	    npu-top --root=b --during sh -c "kill -INT 0; sleep 60"'
	[[ $stderr == *'npu-top: sh: '* ]]
}

@test "--during: Ctrl-C ends a loop of the shell, as without npu-top" {
	# A shell continues its loop unless SIGINT killed the program itself.
	cat >loop <<-'END'
	for i in 1 2; do
		npu-top --root=b --during sh -c 'kill -INT 0; sleep 60'
		echo "round $i"
	done
	END
	run --separate-stderr -130 setsid --wait bash loop
	[ "$output" = "" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	# A status of 130 is not a signal.
	run --separate-stderr -0 bash -c '
	    npu-top --root=b --during sh -c "exit 130"; echo $?'
	[ "$output" = 130 ]
}

@test "--during: the status is the command's if the parent ignores SIGCHLD" {
	run --separate-stderr -7 env --ignore-signal=CHLD npu-top --root=b \
	    --during sh -c 'sleep 0.2; exit 7'
	run --separate-stderr -7 env --ignore-signal=CHLD npu-top --root=b \
	    --during sh -c 'exit 7'
}

@test "--during -o: a file that cannot be written is found before the command" {
	for o in none/x b; do
		run --separate-stderr -1 during -o $o --during touch ran
		[[ $stderr == "npu-top: $o: "* ]]
		[ ! -e ran ]
	done
	# The file appears when it is complete.
	during -o x --during sh -c '[ ! -e x ]' || [ $? -eq 4 ]
	[ -s x ]
	[ "$(echo .x* x?*)" = '.x* x?*' ]
}

@test "--during reports that the device has gone, and does not wait for it" {
	run --separate-stderr during --during rm b/dev/aipu
	[[ ${stderr_lines[0]} == 'npu-top: the device is gone: '* ]]
	[[ $stderr != *waiting* ]]
}
