# SPDX-License-Identifier: Apache-2.0
# Runs npu-bench on a model of the emulator, for the tests of its programs,
# processes and files.
# shellcheck shell=bash

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# bench OPTION...: runs npu-bench as fast as possible.  report OPTION...: does
# the same, and writes its JSON to r.json.
bench() {
	npu-bench -q --idle=none -w 0 "$@"
}
report() {
	bench --json -o r.json "$@" </dev/null
}
# is FILTER: jq's FILTER is true for the document r.json.
is() {
	jq -e "$1" r.json >/dev/null || {
		echo "not true: $1"
		jq -c 'del(.runs[].stages)' r.json
		return 1
	}
}

# until_so COMMAND...: waits until COMMAND succeeds.  Fails after 60 s or more.
until_so() {
	local _
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "not true after 60 s: $*" >&2
	return 1
}

# in_window COMMAND OPTION...: runs npu-bench -w 0 with the OPTIONs, and runs
# COMMAND while the window of npu-bench is open.  Returns npu-bench's status.
# Each inference writes a line to the emulator's log, which is a pipe here.
# 4000 lines are more than a pipe holds (64 KiB), and the window cannot end
# before COMMAND has run and the lines are read.
in_window() {
	local command=$1 line='' pid status=0
	shift
	mkfifo log
	NPU_EMU_LOG=$PWD/log NPU_EMU_FAULT='infer:*:delay=0' npu-bench -q \
	    --idle=none -w 0 --min-iter=4000 "$@" >text 2>err 3>&- &
	pid=$!
	exec 5<log
	# The first inference is the cold inference.
	while [[ $line != "fault infer 2 "* ]]; do
		read -r line <&5 || break
	done
	$command "$pid"
	cat <&5 >/dev/null
	exec 5<&-
	rm log
	wait "$pid" || status=$?
	return "$status"
}

# before_run N COMMAND OPTION...: runs npu-bench --input=in -v with the OPTIONs
# on m.cix, and runs COMMAND before run N starts.  Writes the output to out and
# prints it; returns npu-bench's status.  The library is oddnoe, which writes
# its input, "90000", over the temperature of the machine.  Each later run
# therefore waits until this function cools the machine.
before_run() {
	local n=$1 command=$2 line
	shift 2
	local temp=host/sys/class/thermal/thermal_zone0/temp
	fake_host host
	: >node
	[ -e in ] || echo 90000 >in
	ODD_SIZE=6 ODD_INPUT=$temp NPU_DEVICE=npu npu-bench -v --idle=none -w 0 \
	    --min-iter=3 -L "$B/tests/tools/oddnoe.so" --node=./node \
	    --root=host --cool-to=55C --cooldown=1h --input=in "$@" m.cix \
	    2>&1 >out | while read -r line; do
		[[ $line != *"run $n: "* ]] || $command
		if [[ $line == *": run "[2-9]*": "* ]]; then
			echo 40000 >cool
			mv cool $temp
		fi
		echo "$line"
	done
	return "${PIPESTATUS[0]}"
}
