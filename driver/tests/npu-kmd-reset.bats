# SPDX-License-Identifier: Apache-2.0
# npu-kmd reset, on boards that consist of files.  A program takes the steps in
# place of a machine, and changes the files as a board would.  npu-info reads
# them.  Shell and awk: one leg is enough.
# bats file_tags=native

load ../../tests/support/helper
load fakekmd
load ../../tests/support/fakeboard

STATUS=0x8004410a BUSY=01000000 IDLE=00000000

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	fake_board b 6.2.0
	echo 'armchina_npu 131072 0 - Live 0x0000000000000000 (OE)' \
	    >b/proc/modules
	fake_answer b $STATUS $BUSY
	# step: notes its words, and does what steps.sh says.
	cat >step <<-'END'
	#!/bin/bash
	[ "$1" = sleep ] || echo "$*" >>steps
	. ./steps.sh
	END
	chmod +x step
	: >steps
	: >steps.sh
	export NPU_KMD_FAKE=$PWD/step
}

# ends WORDS: a board whose NPU is idle after the step WORDS, a pattern.
ends() {
	cat >steps.sh <<-END
	PATH=$PATH
	case \$1 in
	kill) [ \$2 = "\${fatal-TERM}" ] && rm -r b/proc/\$3/fd ;;
	esac
	case \$* in
	$1) sed 's/^$STATUS .*/$STATUS $IDLE/' b/dev/aipu >n
	    mv n b/dev/aipu ;;
	esac
	[ \$1 != request ] || exit "\${refused-0}"
	exit 0
	END
}

reset() {
	run --separate-stderr "$1" npu-kmd reset --root=b "${@:2}"
}

@test "reset: an NPU that answers needs nothing, also with --yes" {
	fake_answer b $STATUS $IDLE
	fake_process b 71 npu-run /dev/null /dev/aipu
	reset -0 --yes
	[ "${lines[0]}" = '/dev/aipu is open in npu-run (71)' ]
	[[ ${lines[1]} == 'the NPU is idle; no model was run, because '* ]]
	[ ${#lines[@]} -eq 2 ]
	[ ! -s steps ]
}

@test "reset without --yes prints holders and steps, and takes none" {
	fake_process b 71 npu-run /dev/null /dev/aipu
	fake_process b 80 npu-serve /dev/aipu
	fake_process b 9 other /dev/aipu0 /x/dev/aipu "$PWD/b/dev/aipu"
	cp -a b before
	reset -4
	diff -r --no-dereference before b
	[ ! -s steps ]
	[ "$output" = '/dev/aipu is open in npu-run (71), npu-serve (80)
the NPU does not answer: its driver says busy, no job ended in 3 s, and no model was run
jobs: ends npu-run (71), npu-serve (80), which lose their work
requests: resets the NPU by requests to the driver; all jobs are lost
device: unbinds CIXH4000:00 from armchina and binds it again; programs that use the NPU fail
module: unloads armchina_npu and loads it again; programs that use the NPU fail' ]
	[[ $stderr == 'npu-kmd: reset: nothing was done; --yes takes these steps'* ]]
}

@test "reset --yes: the steps in order, until the NPU answers" {
	local all='kill TERM 71
request ./b/dev/aipu 0x411f
request ./b/dev/aipu 0x411e
write CIXH4000:00 ./b/sys/bus/platform/drivers/armchina/unbind
write CIXH4000:00 ./b/sys/bus/platform/drivers/armchina/bind
modprobe -r armchina_npu
modprobe armchina_npu'
	while IFS='|' read -r words n; do
		: >steps
		rm -rf b/proc/71
		fake_process b 71 npu-run /dev/null /dev/aipu
		fake_answer b $STATUS $BUSY
		ends "$words"
		reset -0 --yes
		diff steps <(head -n "$n" <<<"$all")
		[[ ${lines[-1]} == 'the NPU is idle; '* ]]
		[ "$stderr" = "" ]
	done <<-'END'
	kill*71|1
	request*411e|3
	write*/bind|5
	modprobe*armchina_npu|7
	END
	# No step helps.
	: >steps
	fake_answer b $STATUS $BUSY
	ends none
	reset -4 --yes
	[ "$(grep -c 'the NPU does not answer' <<<"$output")" -eq 4 ]
	[[ $stderr == *'switch the board off and on'* ]]
}

@test "reset --yes: a process that ignores SIGTERM gets SIGKILL" {
	fake_process b 71 npu-run /dev/aipu
	ends 'kill*KILL*71'
	echo 'fatal=KILL' | cat - steps.sh >s && mv s steps.sh
	reset -0 --yes
	[ "$(cat steps)" = $'kill TERM 71\nkill KILL 71' ]
}

@test "reset --yes: a process that does not end stops the steps" {
	fake_process b 71 npu-run /dev/aipu
	ends none
	echo 'fatal=NONE' | cat - steps.sh >s && mv s steps.sh
	reset -4 --yes
	[ "$(cat steps)" = $'kill TERM 71\nkill KILL 71' ]
	[[ $stderr == *'npu-run (71) did not end'*'boot again' ]]
}

@test "reset --yes: a process that opens the device meanwhile stops the steps" {
	ends none
	sed -i '/^exit 0/d' steps.sh
	echo '[ "$2" != CIXH4000:00 ] && exit
	mkdir -p b/proc/90/fd
	ln -sf /dev/aipu b/proc/90/fd/3
	echo late >b/proc/90/comm' >>steps.sh
	reset -4 --yes
	[ "$(grep -c modprobe steps)" -eq 0 ]
	[[ $stderr == *'late (90) opened /dev/aipu meanwhile'* ]]
}

@test "reset --yes: a driver without the requests is not asked, or says so" {
	ends 'write*/bind'
	echo 'refused=2' | cat - steps.sh >s && mv s steps.sh
	reset -0 --yes
	[ "$(grep -c 'does not have the request' <<<"$stderr")" -eq 2 ]
	rm -r b
	fake_board b 5.11.0
	fake_answer b $STATUS $BUSY
	: >steps
	reset -0 --yes
	[ "$(cat steps)" = "$(printf 'write 14260000.aipu %s\n' \
	    ./b/sys/bus/platform/drivers/armchina/{unbind,bind})" ]
	[ "$stderr" = "" ]
}

@test "reset: --root --yes, no node, and no npu-info" {
	unset NPU_KMD_FAKE
	reset -2 --yes
	[[ $stderr == *'--yes is for this machine, not for --root'* ]]
	mkdir bin
	for c in dash readlink awk sed grep cat ls id; do
		ln -s "$(command -v $c)" bin/
	done
	kmd=$(command -v npu-kmd)
	PATH=$PWD/bin run --separate-stderr -1 bin/dash "$kmd" reset --root=b
	[[ $stderr == *'npu-info: not found'*'install npu-utils' ]]
	rm b/dev/aipu
	reset -1
	[[ $stderr == *'dev/aipu: not there'* ]]
}

@test "reset: the name of a file cannot make another process a holder" {
	fake_process b 1 init /dev/null
	mkdir -p b/proc/9/fd
	ln -s $'x\n./b/proc/1/fd:\nl 3 -> /dev/aipu' b/proc/9/fd/0
	echo evil >b/proc/9/comm
	reset -4
	[ "${lines[0]}" = '/dev/aipu is not open in any process' ]
}

@test "reset: a request that a file does not have differs from a refused one" {
	request() {
		sh -u -c 'KMD=$1; . "$KMD/common.sh"; . "$KMD/reset.sh"
		    request "$2" 0x411f' sh "$TOP/driver/kmd" "$1"
	}
	run -2 request /dev/null
	run -1 request ./none
}

# asks WORDS: npu-info does this before it answers.
asks() {
	local own
	own=$(command -v npu-info)
	mkdir ask
	printf '#!/bin/sh\n%s\nexec %s "$@"\n' "$1" "$own" >ask/npu-info
	chmod +x ask/npu-info
	PATH=$PWD/ask:$PATH
}

# gone PID: waits until a process has ended.
gone() {
	for _ in $(seq 600); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

@test "reset: a signal ends it, and its question, at once" {
	local st=0
	asks 'echo $$ >asked; exec sleep 300'
	npu-kmd reset --root=b >out 2>&1 3>&- &
	until [ -s asked ]; do sleep 0.1; done
	kill -TERM $!
	gone $!
	wait $! || st=$?
	[ $st -eq 143 ]
	gone "$(cat asked)"
}

@test "reset: a process that cannot be killed does not hold it" {
	# shellcheck disable=SC2016 # the inner shell expands
	run -0 sh -u -c 'KMD=$1; . "$KMD/common.sh"; . "$KMD/reset.sh"
	    limit=1
	    limited sleep 300 >&2
	    echo $?
	    limited sh -c "exit 7"
	    echo $?
	    kill() { [ "$1" = -KILL ] || command kill "$@"; }
	    limited sleep 10 >/dev/null 2>&1 3>&-
	    echo $?' sh "$TOP/driver/kmd"
	[ "$output" = $'124\n7\n124' ]
}

@test "reset: a busy NPU that finishes jobs answers" {
	fake_process b 71 npu-run /dev/aipu
	echo '[ "$1" != sleep ] || sed -i "s/ 40  / 41  /" b/proc/interrupts' \
	    >steps.sh
	reset -0 --yes
	[ "${lines[1]}" = 'the NPU answers: it is busy and finishes jobs' ]
	[ ! -s steps ]
}

@test "reset: a node that may not be read is not an NPU that hangs" {
	echo 'open EACCES' >b/dev/aipu
	reset -1
	[ ${#lines[@]} -eq 1 ]
	[[ $stderr == *'whether the NPU answers is unknown: only '* ]]
}

@test "reset: an npu-info that prints nothing is not an answer" {
	asks 'exit 2'
	reset -1 --yes
	[ ! -s steps ]
	[[ $stderr == *'npu-info --doctor prints nothing; try it' ]]
}

@test "reset --yes ends only the processes that it named" {
	# 71 ends during the question; the service of 80 starts 90.
	fake_process b 71 npu-run /dev/aipu
	fake_process b 80 npu-serve /dev/aipu
	asks 'rm -rf b/proc/71'
	ends none
	sed -i '/^exit 0/d' steps.sh
	echo '[ "$1" = kill ] && [ ! -e b/proc/90 ] && mkdir -p b/proc/90/fd &&
	    ln -s /dev/aipu b/proc/90/fd/3 && echo npu-serve >b/proc/90/comm
	exit 0' >>steps.sh
	reset -4 --yes
	[ "$(grep -v request steps)" = 'kill TERM 80' ]
	[[ $output == *'jobs: ends npu-serve (80), which '* ]]
	[[ $stderr == *'npu-serve (90) opened'*'stop the service'* ]]
}

@test "reset --yes: a signal does not leave the device without its driver" {
	local st=0
	ends none
	echo '[ "${2-}${3##*/}" != CIXH4000:00unbind ] || { : >now; sleep 2; }' |
	    cat - steps.sh >s && mv s steps.sh
	npu-kmd reset --root=b --yes >out 2>&1 3>&- &
	until [ -e now ]; do sleep 0.1; done
	kill -TERM $!
	wait $! || st=$?
	grep -q '/bind$' steps
}

@test "reset: where no step is possible, it does not announce steps" {
	rm -r b
	fake_board b 5.11.0
	fake_answer b $STATUS $BUSY
	rm -f b/proc/modules b/sys/devices/platform/*/driver
	reset -4
	[ ${#lines[@]} -eq 2 ]
	[[ $stderr == *'reset: no step is possible here; '* ]]
}
