#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The expected numbers follow from the files that a test writes (fakeboard.bash)
# and from the definitions of the manual page.

load ../support/helper
load ../support/fakeboard

# Requests that the driver answers (kernel-driver 6).
STATUS=0x8004410a CORES=0xc00c4118 THREADS=0x80804119
IDLE=00000000 BUSY=01000000

# has FILE LINES: waits until FILE has at least LINES lines.
has() {
	for _ in $(seq 600); do
		# The shell may not have created the file yet.
		if [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; then
			return 0
		fi
		sleep 0.1
	done
	return 1
}

# stop: sends SIGTERM to the process $pid, which must end by that signal.
stop() {
	local st=0
	kill "$pid"
	wait "$pid" || st=$?
	[ "$st" -eq 143 ]
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	fake_board b 6.2.0
}

# bats test_tags=slow
@test "--json: a line about a board whose NPU is busy" {
	fake_answer b $STATUS $BUSY
	fake_answer b $CORES "$(u32 0 0 5)"		# bit 1 is 0: core 1 is busy
	fake_answer b $THREADS "$(u32 71 0 70 71)$(zeros 112)"
	fake_process b 70 npu-run /dev/null /dev/aipu
	fake_process b 8 other /dev/null /dev/aipu0 /x/dev/aipu
	fake_process b 9 late /dev/aipu /dev/aipu
	mkdir b/proc/71
	printf 'Name:\tworker\nTgid:\t70\n' >b/proc/71/status
	echo worker >b/proc/71/comm
	before=$(date +%s)
	run --separate-stderr -0 npu-top --root=b -n 1 -i 1s
	after=$(date +%s)
	[ "$stderr" = "" ]
	[ "${#lines[@]}" -eq 1 ]
	echo "$output" | jq -e '
	    .schema == "npu-top/1" and .node == "/dev/aipu" and .here and
	    .gone == null and .driver_version == "6.2.0" and
	    .status == "busy" and .busy == 1 and .samples > 0 and
	    .exceptions == 0 and .mhz == 1200 and
	    .power_status == "suspended" and .hidden == {} and
	    .seconds >= 1 and .self > 0'
	echo "$output" | jq -e '.cores == [
	    { cluster: 0, core: 0, busy: 0 }, { cluster: 0, core: 1, busy: 1 },
	    { cluster: 0, core: 2, busy: 0 }]'
	echo "$output" | jq -e '.threads == [
	    { thread: 71, pid: 70, command: "worker", busy: 1 },
	    { thread: 70, pid: 70, command: "npu-run", busy: 1 }] and
	    .holders == [{ pid: 9, command: "late" },
	    { pid: 70, command: "npu-run" }] and .holders_age >= 0'
	echo "$output" | jq -e --argjson a "$before" --argjson b "$after" \
	    '.time | sub("\\.\\d{3}Z$"; "Z") | fromdate | . >= $a and . <= $b'
}

# bats test_tags=slow
@test "the limits of a share are the Clopper-Pearson interval" {
	# With all of n samples busy, p^n = 0.025; with none, (1 - p)^n = 0.025.
	fake_answer b $STATUS $BUSY
	npu-top --root=b -n 1 -i 1s | jq -e '.busy_high == 1 and
	    (.busy_low - pow(0.025; 1 / .samples) | fabs) < 0.0001'
	fake_answer b $STATUS $IDLE
	npu-top --root=b -n 1 -i 1s | jq -e '.busy_low == 0 and
	    .status == "idle" and .busy == 0 and
	    (.busy_high - 1 + pow(0.025; 1 / .samples) | fabs) < 0.0001'
}

# Two further tests are in tests/unit: work with the period of the interval is
# measured correctly (diagnose/sampler.c), and the times of output do not drift
# (cmd/ticker.c).

# bats test_tags=slow
@test "rates are calculated from the changes since the previous output" {
	npu-top --root=b -i 1s >lines 3>&- &
	pid=$!
	has lines 1
	# npu-top sees all changes at the same time.
	kill -STOP $pid
	d=b/sys/devices/platform/CIXH4000:00
	echo 1334 >$d/power/runtime_active_time		# + 100
	echo 99065 >$d/power/runtime_suspended_time	# + 300
	sed -i 's/^ 77: .*aipu$/ 77: 71 5 GICv3 391 Level aipu/' \
	    b/proc/interrupts				# 42 + 34
	echo 600000000 >$d/devfreq/CIXH4000:00/cur_freq
	echo active >$d/power/runtime_status
	# The node stays the same file and is never empty.
	sed "s/^$STATUS .*/$STATUS $BUSY/" b/dev/aipu >busy
	cat busy 1<>b/dev/aipu
	n=$(wc -l <lines)
	kill -CONT $pid
	has lines $((n + 3))
	stop
	# One line shows the changes.  All later lines have the new current
	# values.
	jq -s -e '.[0].active == null and .[0].interrupts_per_second == 0 and
	    .[0].mhz == 1200 and
	    ([.[].active] | map(select(. != null)) == [0.25]) and
	    ([.[] | .interrupts_per_second * .seconds] | add - 34 | fabs) <
	    0.5 and .[0].busy == 0 and .[-1].busy == 1 and .[-1].mhz == 600 and
	    .[-1].power_status == "active"' lines
}

# bats test_tags=slow
@test "a counter that decreases has an unknown rate in that interval" {
	npu-top --root=b -i 200ms >lines 3>&- &
	pid=$!
	has lines 1
	sed -i 's/^ 77: .*aipu$/ 77: 1 1 GICv3 391 Level aipu/' \
	    b/proc/interrupts
	n=$(wc -l <lines)
	has lines $((n + 3))
	stop
	jq -s -e '[.[].interrupts_per_second] |
	    index(null) > 0 and (map(select(. != null)) | all(. == 0))' lines
}

# zone N TYPE MILLIDEGREES: creates a temperature sensor.
zone() {
	mkdir -p "b/sys/class/thermal/thermal_zone$1"
	echo "$2" >"b/sys/class/thermal/thermal_zone$1/type"
	echo "$3" >"b/sys/class/thermal/thermal_zone$1/temp"
}

# bats test_tags=slow
@test "the temperature is the NPU's, or else the hottest, with its name" {
	zone 0 soc-thermal 44000
	zone 1 gpu-thermal 61500
	npu-top --root=b -n 1 -i 100ms |
	    jq -e '.sensor == "gpu" and .celsius == 61.5'
	zone 2 NPU0-thermal 50250
	zone 3 npu1-thermal 50125
	npu-top --root=b -n 1 -i 100ms |
	    jq -e '.sensor == "NPU0" and .celsius == 50.25'
	rm -r b/sys/class/thermal
	npu-top --root=b -n 1 -i 100ms |
	    jq -e '.sensor == null and .celsius == null'
}

# power N NAME MICROWATTS: creates a power sensor.
power() {
	mkdir -p "b/sys/class/hwmon/hwmon$1"
	echo "$2" >"b/sys/class/hwmon/hwmon$1/name"
	echo "$3" >"b/sys/class/hwmon/hwmon$1/power1_input"
}

# bats test_tags=slow
@test "watts are the NPU's, or else of the sensor that measures the most" {
	npu-top --root=b -n 1 -i 100ms |
	    jq -e '.power_sensor == null and .watts == null'
	npu-top --root=b -n 1 -i 100ms -F text >view
	run -1 grep '^watts ' view
	power 0 fan 250000
	power 1 board 12500000
	npu-top --root=b -n 1 -i 100ms |
	    jq -e '.power_sensor == "board" and .watts == 12.5'
	power 2 npu_rail 3250000
	npu-top --root=b -n 1 -i 100ms |
	    jq -e '.power_sensor == "npu_rail" and .watts == 3.25'
	npu-top --root=b -n 1 -i 100ms -F text |
	    grep -x 'watts       3.25 W, npu_rail'
}

# bats test_tags=slow
@test "an old driver has no cores and threads, and is not asked for them" {
	fake_board old 5.11.0
	fake_answer old $STATUS $BUSY
	fake_answer old $CORES "$(u32 0 0 0)"
	run --separate-stderr -0 npu-top --root=old -n 1 -i 1s
	echo "$output" | jq -e '.busy == 1 and .cores == null and
	    .threads == null and .driver_version == "5.11.0" and
	    .mhz == 1200'
	# A driver 6.x that refuses these requests gives the same result.
	npu-top --root=b -n 1 -i 1s |
	    jq -e '.busy == 0 and .cores == null and .threads == null'
}

# bats test_tags=slow
@test "--json: the status of an NPU in an exception is exception" {
	fake_answer b $STATUS 02000000
	npu-top --root=b -n 1 -i 1s | jq -e '.status == "exception" and
	    .exceptions == .samples and .busy == 0'
}

# bats test_tags=slow
@test "a value that a permission hides is null, with who may read it" {
	echo 'open EACCES' >b/dev/aipu
	chmod 0600 b/dev/aipu
	run --separate-stderr -0 npu-top --root=b -n 2 -i 100ms
	[ "$stderr" = "" ]
	echo "$output" | jq -s -e 'length == 2 and (.[1] |
	    .here == false and .busy == null and .samples == 0 and
	    .status == null and .holders == null and .mhz == 1200 and
	    (.hidden | keys) == ["status"] and
	    (.hidden.status | endswith(" may read /dev/aipu")))'
	run --separate-stderr -0 npu-top --root=b -n 1 -i 100ms --plain
	[[ $output == *"	busy	hidden	user "*" may read /dev/aipu"* ]]
	[[ $output == *"	mhz	known	1200.000"* ]]
}

# bats test_tags=slow
@test "without a device at the start: status 3, one line" {
	rm b/dev/aipu
	run --separate-stderr -3 npu-top --root=b
	why="no NPU to watch: b/dev/aipu: No such file or directory; 'npu-info --doctor' says what is wrong"
	[ "$stderr" = "npu-top: $why" ]
	[ "$(jq -c '[.schema, .error.message, .error.status]' \
	    <<<"$output")" = "[\"npu-top/1\",\"$why\",3]" ]
	run --separate-stderr -3 npu-top --root=b --plain
	[ "$output" = "" ]
	run --separate-stderr -3 npu-top --node=/nowhere/aipu -n 1
	[[ $stderr == *": /nowhere/aipu: No such file or directory; "* ]]
	echo '0x80c84100 EIO' >b/dev/aipu
	run --separate-stderr -3 npu-top --root=b
	[[ $stderr == *": b/dev/aipu: QUERY_CAP"*"Input/output error; "* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	# A file that is not a table of answers, and a file that is not a plain
	# file.
	echo junk >b/dev/aipu
	run --separate-stderr -3 npu-top --root=b
	[[ $stderr == *": b/dev/aipu: line 1: begins with neither "* ]]
	rm b/dev/aipu
	mkfifo b/dev/aipu
	run --separate-stderr -3 timeout 60 npu-top --root=b
}

# bats test_tags=slow
@test "a device that disappears and comes back is reported in notes and lines" {
	fake_process b 70 npu-run /dev/aipu
	npu-top --root=b -i 200ms >lines 2>err 3>&- &
	pid=$!
	has lines 2
	mv b/dev/aipu b/gone
	n=$(wc -l <lines)
	has lines $((n + 4))
	mv b/gone b/dev/aipu
	n=$(wc -l <lines)
	has lines $((n + 4))
	stop
	[ "$(cat err)" = "npu-top: the device is gone: b/dev/aipu: \
No such file or directory; waiting for it
npu-top: /dev/aipu: the device is there again" ]
	jq -s -e '[.[].here] | . as $h | index(false) as $f |
	    $f >= 2 and $h[-1] and ($h[$f:] | index(true)) >= 2' lines
	jq -s -e '.[-1].samples > 0 and .[-1].holders[0].pid == 70 and
	    (map(select(.here | not)) | length > 1 and
	    all(.holders == null and .mhz == 1200 and
	    (.gone | startswith("b/dev/aipu: ")))) and
	    (map(select(.here | not))[1] | .samples == 0 and .busy == null)' \
	    lines
}

# bats test_tags=slow
@test "if the device disappears, --plain prints unknown, the view the reason" {
	fake_answer b $CORES "$(u32 0 0 5)"
	npu-top --root=b -i 100ms --plain >lines 2>err 3>&- &
	pid=$!
	has lines 5
	mv b/dev/aipu b/gone
	# Two outputs, of about 20 lines each, begin after the device has gone.
	n=$(wc -l <lines)
	has lines $((n + 80))
	stop
	tail -n 30 lines | grep '	core.0.0	unknown	$'
	tail -n 30 lines | grep '	busy	unknown	$'
	mv b/gone b/dev/aipu
	live 'npu-top --root=b -i 100ms & shown "driver 6.2.0"
	    mv b/dev/aipu b/gone; shown "gone        b/dev/aipu: No such file"
	    kill $!; wait $!; [ $? -eq 143 ]' >view
	grep -q 'gone        b/dev/aipu: No such file' view
}

# bats test_tags=slow
@test "-q: a device that does not answer is gone, and no note is printed" {
	npu-top -q --root=b -i 200ms >lines 2>err 3>&- &
	pid=$!
	has lines 1
	cp b/dev/aipu good
	fake_answer b $STATUS ENODEV
	n=$(wc -l <lines)
	has lines $((n + 4))
	tail -n 1 lines >gone
	mv good b/dev/aipu
	n=$(wc -l <lines)
	has lines $((n + 4))
	stop
	[ ! -s err ]
	jq -e '.samples == 0 and .busy == null' gone
	jq -s -e '.[-1].samples > 0' lines
}

# bats test_tags=slow
@test "--plain: four fields a line, with the values of --json" {
	fake_answer b $STATUS $BUSY
	fake_answer b $CORES "$(u32 0 0 6)"
	fake_answer b $THREADS "$(u32 70)$(zeros 124)"
	fake_process b 70 'np u' /dev/aipu
	run --separate-stderr -0 npu-top --root=b -n 2 -i 1s --plain
	awk -F '\t' 'NF != 4 { exit 1 }' <<<"$output"
	names=$(cut -f 2 <<<"$output" | sed -n 1,21p)
	[[ $output == *"	busy	known	1.0000"* ]]
	[[ $output == *"	active	unknown	"* ]]
	[[ $output == *"	core.0.0	known	1.0000"* ]]
	[[ $output == *"	core.0.2	known	0.0000"* ]]
	[[ $output == *"	thread.70	known	1.0000 70 np u"* ]]
	[[ $output == *"	holder.70	known	np u"* ]]
	[ "$(echo "$output" | cut -f 1 | sort -u | wc -l)" -eq 2 ]
	npu-top --root=b -n 1 -i 1s >line
	[ "$names" = "$(jq -r 'keys_unsorted - ["schema", "time", "cores",
	    "threads", "holders", "hidden"] | .[]' line)" ]
}

# bats test_tags=slow
@test "an unknown state is null; a thread whose process is gone has no name" {
	fake_answer b $STATUS 03000000
	fake_answer b $THREADS "$(u32 99)$(zeros 124)"
	npu-top --root=b -n 1 -i 1s | jq -e '.status == null and
	    .busy == 0 and .threads[0].thread == 99 and
	    .threads[0].command == null'
	npu-top --root=b -n 1 -i 1s --plain |
	    grep '	thread.99	known	1.0000 0 ?$'
	seen 'npu-top --root=b -n 1 -i 1s' >view
	grep -qE '^ +99 +0 100.0 %  [?]$' view
	# No thread has a job now.
	fake_answer b $THREADS "$(zeros 128)"
	seen 'npu-top --root=b -n 1 -i 1s' >view
	run -1 grep -q THREAD view
}

# bats test_tags=slow
@test "control characters in process names are printed as ? on a terminal" {
	fake_answer b $THREADS "$(u32 70)$(zeros 124)"
	fake_process b 70 $'a\033[2J\t\302\233x\377' /dev/aipu
	fake_process b 71 $'b\177' /dev/aipu
	npu-top --root=b -n 1 -i 1s |
	    jq -e '.holders[0].command | startswith("a\u001b[2J\t")'
	run --separate-stderr -0 npu-top --root=b -n 1 -i 1s --plain
	[[ $output == *$'	holder.70	known	a?[2J???x'* ]]
	echo "$output" | awk -F '\t' 'NF != 4 { exit 1 }'
	TERM=xterm script -qec 'npu-top --root=b -n 1 -i 1s' /dev/null \
	    </dev/null >seen
	grep -qa 'a?\[2J???x?' seen
	grep -qa ' 71  b?' seen
	run -1 grep -qa $'\033\[2J?\|\302\|\177' seen
}

# ---- The terminal

# seen COMMAND: runs COMMAND on a terminal of 80 columns and 24 lines, and
# prints what it writes, without carriage returns.  The status is COMMAND's.
seen() {
	local st=0
	SHELL=$BASH TERM=${TERM_IS-xterm} script -qec "$1" /dev/null \
	    </dev/null >raw || st=$?
	tr -d '\r' <raw
	return "$st"
}

# live COMMAND: as seen, for a COMMAND that calls shown.
live() {
	SHELL=$BASH TERM=xterm script -qefc "$1" /dev/null </dev/null >raw
	tr -d '\r' <raw
}

# shown TEXT [N]: waits until the terminal has received TEXT at least N times,
# by default once.
shown() {
	local i
	for ((i = 0; i < 1200; i++)); do
		[ "$(grep -aoF -e "$1" raw | wc -l)" -lt "${2-1}" ] || return 0
		sleep 0.05
	done
	echo "not shown: $1"
	return 1
}
export -f shown

# bats test_tags=slow
@test "on a terminal, the view is redrawn in place, and the last view stays" {
	fake_answer b $STATUS $BUSY
	fake_answer b $CORES "$(u32 0 0 5)"
	fake_process b 70 npu-run /dev/aipu
	zone 0 npu 50250
	seen 'npu-top --root=b -n 3 -i 1s' >view
	e=$'\033'
	# The view switches to the other screen once, and back once.  It is
	# drawn from the top four times, the first time before the first
	# reading.
	[ "$(grep -o "${e}\[?1049h" view | wc -l)" -eq 1 ]
	[ "$(grep -o "${e}\[?1049l" view | wc -l)" -eq 1 ]
	[ "$(grep -o "${e}\[?25h" view | wc -l)" -eq 1 ]
	[ "$(grep -o "${e}\[H${e}\[1mnpu-top" view | wc -l)" -eq 3 ]
	[[ $(cat view) == "${e}[?1049h${e}[?25l${e}[H${e}[2J${e}[Hnpu-top  /dev/aipu  wait for 1 s"* ]]
	# The last view stays, without control sequences except colours.
	sed -n "s/.*${e}\[?1049l//; t on; b; : on; p; n; b on" view >last
	sed "s/${e}\[[0-9;]*m//g" last >text
	run -1 grep -q "$e" text
	grep -q '^npu-top  [0-9:]*  /dev/aipu  driver 6.2.0  own [0-9.]* %$' text
	grep -qE '^busy +100\.0 % \[#{30}\] [0-9]+ to 100 % \([0-9]+ samples\)$' \
	    text
	# Beside each bar are the core's three readings.
	grep -qE '^core +0\.1 +100\.0 % \[#{30}\] @@@$' text
	grep -qE '^core +0\.0 +0\.0 % \[\.{30}\] ___$' text
	grep -qE '^past {16}@@@$' text
	grep -qx 'clock       1200 MHz' text
	grep -qx 'power       suspended' text
	grep -qx 'interrupts  0.0/s' text
	grep -qx 'heat        50.2 C, npu' text
	grep -qE '^ +70  npu-run$' text
	[ "$(awk 'length > 80' text | wc -l)" -eq 0 ]
}

# bats test_tags=slow
@test "the bar has the width of the terminal" {
	fake_answer b $STATUS $BUSY
	for c in 62:12 100:50 400:300; do
		seen "stty cols ${c%:*} rows 24
		    npu-top --root=b -n 1 -i 1s" >coloured
		sed $'s/\033\\[[0-9;?]*[a-zA-Z]//g' coloured >view
		grep -qE "^busy +100\\.0 % \[#{${c#*:}}\] [0-9]+ to 100 %" view
	done
}

# pressed [INTERVAL]: runs npu-top on a terminal whose keys are the bytes that a
# test writes to descriptor 9.  The file view has its output so far.  until_seen
# WORDS waits until view has WORDS.
pressed() {
	mkfifo keys
	# A job in the background, and its children, would ignore Ctrl-C.
	SHELL=$BASH TERM=xterm env --default-signal timeout 300 \
	    script -qefc \
	    "stty -a >before; npu-top --root=b -i ${1-200ms}; echo status \$?
	    stty -a >after" /dev/null <keys >view 3>&- &
	pid=$!
	exec 9>keys
}
until_seen() {
	for ((i = 0; i < 600; i++)); do
		! grep -qaF -e "$1" view || return 0
		sleep 0.1
	done
	return 1
}

# bats test_tags=slow
@test "q ends it, h shows help, and the terminal is restored" {
	pressed
	until_seen 'driver 6.2.0'
	until_seen 'h: help  q: end'
	printf h >&9
	until_seen 'q           end; so does Ctrl-C'
	: >view
	printf x >&9
	until_seen 'driver 6.2.0'
	printf q >&9
	exec 9>&-
	wait $pid
	[[ $(cat view) == *$'\033[?1049l'*'status 0'* ]]
	cmp before after
	# The last view does not mention keys.
	sed $'s/.*\033\\[?1049l//' view | tail -n 12 >last
	run -1 grep -q 'q: end' last
}

@test "q and Ctrl-C end it also before the first output" {
	pressed 1h
	until_seen 'wait for 3600 s'
	printf q >&9
	exec 9>&-
	wait $pid
	[[ $(cat view) == *'status 0'* ]]
	# The previous run's file view has the same text.
	rm keys view
	pressed 1h
	until_seen 'wait for 3600 s'
	printf '\003' >&9
	exec 9>&-
	# Ctrl-C also kills the shell that started npu-top.
	st=0
	wait $pid || st=$?
	[ $st -eq 130 ]
	[[ $(cat view) == *$'\033[?25h\033[?1049l'* ]]
}

# bats test_tags=slow
@test "keys work once the program comes to the foreground" {
	mkfifo keys
	SHELL=$BASH TERM=xterm timeout 300 script -qefc 'bash --norc -i' \
	    /dev/null <keys >view 3>&- &
	pid=$!
	exec 9>keys
	printf 'npu-top --root=b -i 200ms &\n' >&9
	until_seen 'driver 6.2.0'
	printf 'fg\n' >&9
	until_seen 'h: help  q: end'
	printf q >&9
	until_seen $'\033[?1049l'
	printf 'exit 7\n' >&9
	exec 9>&-
	st=0
	wait $pid || st=$?
	[ $st -eq 7 ]
}

# bats test_tags=slow
@test "the keys F2 and Home, which send Q and H after ESC, do nothing" {
	pressed
	until_seen 'driver 6.2.0'
	printf '\033OQ' >&9
	for _ in 1 2 3; do
		: >view
		until_seen 'driver 6.2.0'
	done
	printf '\033[H' >&9
	for _ in 1 2 3; do
		: >view
		until_seen 'driver 6.2.0'
	done
	printf Q >&9
	exec 9>&-
	wait $pid
	[[ $(cat view) == *'status 0'* ]]
	run -1 grep -q 'so does Ctrl-C' view
}

# bats test_tags=slow
@test "NO_COLOR: no colours; a dumb terminal: each view below the last" {
	NO_COLOR=1 seen 'npu-top --root=b -n 1 -i 100ms' >view
	grep -q $'\033\\[?1049h' view
	run -1 grep -qE $'\033\\[[0-9;]*m' view
	NO_COLOR='' seen 'npu-top --root=b -n 1 -i 100ms' >view
	grep -qE $'\033\\[1m' view
	NO_COLOR=1 seen 'npu-top --root=b -n 1 -i 100ms --color=always' >view
	grep -qE $'\033\\[1m' view
	seen 'npu-top --root=b -n 1 -i 100ms --color=never' >view
	run -1 grep -qE $'\033\\[[0-9;]*m' view
	npu-top --root=b -n 1 -i 100ms -F text --color=always |
	    grep -q $'^\033\\[1mnpu-top '
	run --separate-stderr -2 npu-top --root=b -n 1 --color=always -F json
	[[ $stderr == "npu-top: --color is for the view: "* ]]
	TERM_IS=dumb seen 'npu-top --root=b -n 2 -i 100ms' >view
	run -1 grep -q $'\033' view
	[ "$(grep -c '^npu-top  ' view)" -eq 2 ]
	[ "$(grep -c '^$' view)" -eq 3 ]	# one in each view, one between
}

# bats test_tags=slow
@test "on a terminal of unknown kind or size, it prints a simple view" {
	TERM_IS='' seen 'npu-top --root=b -n 1 -i 100ms' >view
	run -1 grep -q $'\033' view
	seen 'env -u TERM npu-top --root=b -n 1 -i 100ms' >view
	run -1 grep -q $'\033' view
	# If the size is unknown, it is taken as 80 columns and 24 lines.
	seen 'stty cols 30 rows 0; npu-top --root=b -n 1 -i 100ms' >view
	[[ $(cat view) == *$'\033[H'*"driver 6.2.0  own"* ]]
}

# bats test_tags=slow
@test "the view of an exception, of unknown values, and of hidden values" {
	d=b/sys/devices/platform/CIXH4000:00/power
	fake_answer b $STATUS 02000000
	rm $d/runtime_status
	for i in $(seq 200); do
		fake_process b $((1000 + i)) p /dev/aipu
	done
	# 100 of 400 ms, in one interval.  A file is replaced whole, and never
	# empty.
	echo 1334 >active
	echo 99065 >suspended
	echo active >status
	echo 1434 >later
	live "npu-top --root=b -i 100ms & pid=\$!; shown 'driver 6.2.0'
	    mv suspended $d/runtime_suspended_time
	    mv active $d/runtime_active_time; shown ' % of the time active'
	    mv status $d/runtime_status; shown 'power       active'
	    mv later $d/runtime_active_time
	    shown 'power       active, '; kill \$pid; wait \$pid
	    [ \$? -eq 143 ]" >view
	grep -qE '^.*exception   in ([0-9]+) of \1 samples' view
	grep -q 'power       -, [0-9.]* % of the time active' view
	grep -q 'power       active, [0-9.]* % of the time active' view
	grep -q '^.*power       -'$'\033' view
	seen 'npu-top --root=b -n 1 -i 1s' >view
	tail -n 3 view | grep -E '^and [0-9]+ more$'
	rm -r b/proc/1???
	echo 'open EACCES' >b/dev/aipu
	chmod 0600 b/dev/aipu
	seen 'npu-top --root=b -n 1 -i 1s' >view
	grep -q 'driver -  own' view
	grep -q '^busy        n/a (user .* may read /dev/aipu)$' view
	run -1 grep -q 'HAS IT OPEN\|nobody' view
}

# strace makes the call fail, also for root.
# bats test_tags=native,slow
@test "power and holders that a permission hides are marked as hidden" {
	fake_process b 70 npu-run /dev/aipu
	# hidden OPTION...: runs npu-top, whose power and holders cannot be
	# read.
	hidden() {
		strace -qq -o /dev/null -P b/proc/70/fd \
		    -P "$PWD/b/sys/devices/platform/CIXH4000:00/power/runtime_status" \
		    -P b/sys/devices/platform/CIXH4000:00/power/runtime_status \
		    -P b/sys/bus/platform/devices/CIXH4000:00/power/runtime_status \
		    -e inject=openat:error=EACCES \
		    npu-top --root=b -n 1 -i 100ms "$@"
	}
	hidden --plain >lines
	grep -q '	holders	hidden	' lines
	grep -q '	power_status	hidden	' lines
	export -f hidden
	seen 'hidden' >view
	grep -q '^nobody seen has it open ([0-9]* s ago)$' view
	grep -q '^n/a (' view
	grep -q '^power       n/a (' view
}

# bats test_tags=slow
@test "on a terminal, --json and --plain print lines instead of the view" {
	seen 'npu-top --root=b -n 1 -i 100ms --json' >line
	jq -e '.schema == "npu-top/1"' line
	seen 'npu-top --root=b -n 1 -i 100ms --plain' >line
	grep -q '	mhz	known	1200.000$' line
}

# bats test_tags=slow
@test "the view is cut to the size of the terminal, and follows changes" {
	seen 'stty cols 30 rows 3; npu-top --root=b -n 2 -i 200ms' >view
	# One drawing: two line ends, and at most 30 columns.
	tr -d '\n' <view | sed $'s/\033\\[H/\\n/g' | sed -n 4p >drawn
	[ "$(grep -o $'\033\\[K' drawn | wc -l)" -eq 3 ]
	sed $'s/\033\\[K/\\n/g; s/\033\\[[0-9;?]*[a-zA-Z]//g' drawn |
	    head -n 3 >cut
	[ "$(awk 'length > 30' cut | wc -l)" -eq 0 ]
	awk 'NR == 1 && length == 30 { n++ } END { exit n != 1 }' cut
	# The terminal gets wider while npu-top runs, long before the next
	# reading.
	e=$'\033'
	live "stty cols 30 rows 3; npu-top --root=b -i 1h & shown '${e}[H'
	    stty -F /dev/tty cols 70 rows 20; shown 'wait for 3600 s'
	    kill \$!; wait \$!; [ \$? -eq 143 ]" >view
	grep -q 'wait for 3600 s' view
}

# bats test_tags=slow
@test "a signal ends it, and the terminal is restored" {
	for s in INT TERM HUP QUIT; do
		live "stty -a >before; (shown 'driver 6'; kill -$s \$(cat pid)) &
		    sh -c 'echo \$\$ >pid; exec npu-top --root=b -i 200ms'
		    echo status \$?; stty -a >after" >view
		cmp before after
		n=$(kill -l $s)
		[[ $(cat view) == *$'\033[?25h\033[?1049l'*"status $((128 + n))"* ]]
	done
}

# bats test_tags=slow
@test "SIGHUP stays ignored if nohup ignored it" {
	live "trap '' HUP; npu-top --root=b -i 100ms & shown 'driver 6'
	    kill -HUP \$!; shown 'driver 6' 5; kill \$!; wait \$!
	    echo status \$?" >view
	[[ $(cat view) == *"status 143" ]]
}

# bats test_tags=native,slow
@test "writes to the terminal continue after EINTR; EIO is a write error" {
	# npu-top writes the switch to the other screen, three writes for each
	# view, the switch back, and the last view.
	# wrote ERROR:when=N: makes these writes fail.
	wrote() {
		seen "strace -qq -o /dev/null -P \$(tty) \
		    -e inject=write:error=$1 \
		    npu-top --root=b -n 1 -i 100ms 2>err; echo status \$?"
	}
	wrote EINTR:when=2+3 >view
	[[ $(cat view) == *"npu-top  "*"status 0" ]]
	wrote EIO:when=3 >view
	[[ $(cat view) == *"status 1" ]]
	grep -qx 'npu-top: write error: Input/output error' err
	# An error is ignored here: the terminal that would be restored is gone.
	wrote EIO:when=8 >view
	[[ $(cat view) == *"status 0" ]]
	[ ! -s err ]
}

# bats test_tags=slow
@test "Ctrl-Z restores the terminal, and SIGCONT shows the view again" {
	e=$'\033'
	live "set -m; npu-top --root=b -i 200ms & pid=\$!
	    shown 'driver 6'; kill -TSTP \$pid
	    until grep -q '^State:.T' /proc/\$pid/status; do sleep 0.05; done
	    echo is T
	    kill -CONT \$pid; shown '${e}[?1049h' 2; kill -TERM \$pid; wait \$pid
	    echo status \$?" >view
	[[ $(cat view) == *"${e}[?25h${e}[?1049l"*"is T"*"${e}[?1049h${e}[?25l"*"${e}[?25h${e}[?1049l"*"status 143"* ]]
}

# ---- Rules

@test "a signal ends it, and so does a closed pipe (status 141)" {
	npu-top --root=b -i 100ms >lines 3>&- &
	pid=$!
	has lines 1
	kill -TERM $pid
	st=0
	wait $pid || st=$?
	[ $st -eq 143 ]
	{
		st=0
		npu-top --root=b -i 100ms || st=$?
		echo $st >status
	} | head -n 2 >two
	[ "$(cat status)" -eq 141 ]
	[ "$(wc -l <two)" -eq 2 ]
}

@test "a full device is a write error, status 1" {
	st=0
	npu-top --root=b -i 100ms >/dev/full 2>err || st=$?
	[ $st -eq 1 ]
	[ "$(cat err)" = "npu-top: write error: No space left on device" ]
}

# bats test_tags=slow
@test "each output is preceded by a whole interval" {
	start=$(date +%s%N)
	npu-top --root=b -i 100ms -n 21 >lines
	took=$((($(date +%s%N) - start) / 1000000))
	echo "$took ms"
	[ $took -ge 2100 ]
	[ "$(wc -l <lines)" -eq 21 ]
}

# bats test_tags=slow
@test "wrong options, times and operands are usage errors" {
	for o in '-i none' '-i 99ms' '-i 0' '-n 0' '--json --plain' operand; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 npu-top $o
		[ "$output" = "" ]
		[[ $stderr == "npu-top: "* ]]
	done
	for t in 0 none 99ms 25d; do
		run --separate-stderr -2 npu-top -i $t
		[ "${stderr_lines[0]}" = "npu-top: --interval: '$t' is not a \
time such as 500ms, 10s or 2min, from 100ms to 24d" ]
	done
	run --separate-stderr -2 npu-top operand
	[[ $stderr == *"takes no operands"* ]]
}

# The device is /dev/null.  strace answers its QUERY_CAP as driver 6.x does, and
# answers all later requests with the same bytes.
# bats test_tags=native,slow
@test "all requests to the driver only read" {
	run --separate-stderr -3 npu-top --node=/dev/null
	[[ $stderr == *"none of the three capability numbers"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	cap=$(fake_cap 200 3 3 4)
	strace -f -o asked -P /dev/null -e trace=ioctl \
	    -e "inject=ioctl:retval=0:poke_exit=@arg3=$cap:when=2+" \
	    npu-top --json --node=/dev/null -n 2 -i 1s >lines
	jq -s -e 'length == 2 and all(.here and .busy == 1 and .samples > 0 and
	    (.cores | length) == 3 and (.threads | length) > 0)' lines
	# The number, direction and size of each request (kernel-driver 6).
	sed -n 's/.*ioctl([0-9]*, _IOC(\([^)]*\)).*/\1/p' asked | sort -u >kinds
	cat kinds
	cat >table <<-END
	_IOC_READ, 0x41, 0, 0x1a8
	_IOC_READ, 0x41, 0, 0xc8
	_IOC_READ, 0x41, 0x12, 0x8
	_IOC_READ, 0x41, 0x19, 0x80
	_IOC_READ, 0x41, 0xa, 0x4
	_IOC_READ|_IOC_WRITE, 0x41, 0x18, 0xc
	END
	diff table kinds
	run -1 grep -v '_IOC(\|^[0-9]* *+++ exited' asked
}

# bats test_tags=native,slow
@test "it writes only its output, and opens no file for writing" {
	kinds=%file,%network,%ipc,%process,write,pwrite64,writev,pwritev
	kinds+=,ftruncate,fchmod,fchown,kill,tgkill,ioctl,setpriority
	for where in '--root=b' '--node=/dev/null'; do
		strace -f -o calls -e "trace=$kinds" \
		    -e "inject=ioctl:retval=0:poke_exit=@arg3=$(fake_cap 200 3 3 4):when=2+" \
		    npu-top --json "$where" -n 2 -i 200ms >lines
		[ "$(wc -l <lines)" -eq 2 ]
		grep -q 'openat(.*interrupts' calls
		run -1 grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)' calls
		# All other calls only read.
		look='execve|access|faccessat2?|open|openat|newfstatat|stat'
		look+='|lstat|statx|readlink|readlinkat|ioctl|exit_group|getcwd'
		run -1 grep -vE \
		    "^[0-9]+ +($look)\(|^[0-9]+ +write\(1, |exited with 0" calls
	done
}

@test "--json: if the --root folder is missing, there is an error document" {
	run --separate-stderr -1 npu-top --root=nosuch --json
	[ "$(jq -r .error.message <<<"$output")" = \
	    "--root: nosuch: No such file or directory" ]
}

@test "a file that cannot be read is reported once, and the status is 1" {
	freq=b/sys/devices/platform/CIXH4000:00/devfreq/CIXH4000:00/cur_freq
	broken_file "$freq"
	run --separate-stderr -1 npu-top --root=b -n 2 -i 100ms --json
	[[ $stderr == "npu-top: b/sys/"*"/cur_freq: Input/output error" ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ "${#lines[@]}" -eq 2 ]
	jq -e '.here and .mhz == null' <<<"${lines[0]}"
	run -1 seen 'npu-top --root=b -n 1 -i 100ms'
	[[ $output == *'unread      b/sys/bus/'* ]]
}

# ---- Rows -----------------------------------------------------------------

# bats test_tags=slow
@test "--format=csv and tsv: a row for each core in each output" {
	fake_answer b $STATUS $BUSY
	fake_answer b $CORES "$(u32 0 0 5)"
	for f in csv tsv; do
		run --separate-stderr -0 npu-top --root=b -n 2 -i 1s \
		    --format=$f
		[ "$stderr" = "" ]
		[ "${#lines[@]}" -eq 7 ]
		/usr/bin/python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin, delimiter=sys.argv[1]))
assert [(r["cluster"], r["core"], float(r["core_busy"])) for r in rows] == [
    ("0", "0", 0), ("0", "1", 1), ("0", "2", 0)] * 2
assert len({r["time"] for r in rows}) == 2
for r in rows:
    assert r["node"] == "/dev/aipu" and r["here"] == "true"
    assert r["gone"] == "" and r["driver_version"] == "6.2.0"
    assert r["status"] == "busy" and float(r["busy"]) == 1
    assert float(r["mhz"]) == 1200 and r["power_status"] == "suspended"
' "$([ $f = csv ] && echo , || printf '\t')" <<<"$output"
	done
}

# bats test_tags=slow
@test "--format=csv: without cores in the driver, a row for each output" {
	fake_answer b $STATUS $IDLE
	run --separate-stderr -0 npu-top --root=b -n 2 -i 1s --format=csv
	[ "${#lines[@]}" -eq 3 ]
	[[ ${lines[0]} == time,cluster,core,core_busy,seconds,node,here,* ]]
	[[ ${lines[1]} == *Z,,,,1.*,/dev/aipu,true,,6.2.0,* ]]
}

# bats test_tags=slow
@test "--format=json and jsonl are --json, --format=plain is --plain" {
	fake_answer b $STATUS $BUSY
	for f in json jsonl; do
		npu-top --root=b -n 1 -i 1s --format=$f |
		    jq -e '.schema == "npu-top/1" and .busy == 1'
	done
	npu-top --root=b -n 1 -i 1s --format=plain | grep '	busy	known	1'
	npu-top --root=b -n 1 -i 1s --format=text | grep -v '^{'
	run --separate-stderr -2 npu-top --format=csv --plain
	[ "${stderr_lines[0]}" = "npu-top: --format=csv and --plain \
contradict each other" ]
}

# bats test_tags=slow
@test "-o: writes lines, not the view, to a file, and needs an end" {
	for f in --json --plain -Fcsv -Ftsv; do
		ln -sf f l
		run -0 npu-top --root=b -n 2 -i 100ms $f -o l
		[ "$output" = "" ]
		[ -L l ]
		npu-top --root=b -n 2 -i 100ms $f >want
		[ "$(wc -l <f)" -eq "$(wc -l <want)" ]
	done
	npu-top --root=b -n 1 -i 100ms --output=j
	jq -e '.schema == "npu-top/1"' j
	run --separate-stderr -2 npu-top --root=b -n 1 -F text -o g
	[ "${stderr_lines[0]}" = "npu-top: --output is for lines, not the view:\
 choose another --format" ]
	run --separate-stderr -2 npu-top --root=b -o g
	[ "${stderr_lines[0]}" = "npu-top: --output: 'g' appears when it is\
 whole, which needs --count" ]
	run --separate-stderr -1 npu-top --root=none -n 1
	[ "$stderr" = "npu-top: --root: none: No such file or directory" ]
	run --separate-stderr -2 npu-top --root= -n 1
	[ "${stderr_lines[0]}" = \
	    "npu-top: --root: an empty name; a file has a name" ]
	# This is an error before the device is opened, and on every machine.
	run -2 npu-top --root=none -o g
	[ ! -e g ]
	[ -z "$(find . -maxdepth 1 -name '.npu-*')" ]
	run --separate-stderr -1 npu-top --root=b -i 100ms -o /dev/full
	[ "$stderr" = \
	    "npu-top: /dev/full: write error: No space left on device" ]
}

@test "-o on a terminal: the file gets lines, the terminal gets nothing" {
	script -qec 'npu-top --root=b -n 1 -i 100ms -o j' /dev/null </dev/null \
	    >seen
	[ ! -s seen ]
	jq -e '.schema == "npu-top/1"' j
}

# bats test_tags=slow
@test "-v prints once what is watched; -qv prints nothing" {
	fake_answer b $CORES "$(u32 0 0 5)"
	run --separate-stderr -0 npu-top --root=b -v -n 1 -i 100ms
	[ "$stderr" = "npu-top: /dev/aipu: driver 6.2.0, 3 cores, no\
 temperature" ]
	zone 0 soc-thermal 44000
	run --separate-stderr -0 npu-top --root=b -v -n 2 -i 100ms
	[ "${#lines[@]}" -eq 2 ]
	[ "$stderr" = "npu-top: /dev/aipu: driver 6.2.0, 3 cores,\
 temperature of soc" ]
	run --separate-stderr -0 npu-top --root=b -qv -n 1 -i 100ms
	[ "$stderr" = "" ]
	# The note comes after the view.
	TERM=xterm script -qec 'npu-top --root=b --verbose -n 1 -i 100ms' \
	    /dev/null </dev/null >seen
	[[ $(tail -n 1 seen) == "npu-top: /dev/aipu: driver 6.2.0, "* ]]
}
