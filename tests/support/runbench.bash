# SPDX-License-Identifier: Apache-2.0
# npu-bench on a model of the emulator, for the tests of its programs, processes
# and files.
# shellcheck shell=bash

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# bench OPTION...: as quick as possible; report is its JSON.
bench() {
	npu-bench -q --idle=none -w 0 "$@"
}
report() {
	bench --json -o r.json "$@" </dev/null
}
# is FILTER: of the report.
is() {
	jq -e "$1" r.json >/dev/null || {
		echo "not so: $1"
		jq -c 'del(.runs[].stages)' r.json
		return 1
	}
}

# until_so COMMAND...: waits until it succeeds; fails after 60 s and more.
until_so() {
	local _
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "not so after 60 s: $*" >&2
	return 1
}

# in_window COMMAND OPTION...: npu-bench -w 0 with the OPTIONs, and COMMAND while
# its window is open; its status.  Each inference writes a line of the emulator's
# log, which is a pipe here.  4000 lines are more than a pipe holds (64 KiB), so the
# window does not end before COMMAND has run and the lines are read.
in_window() {
	local command=$1 line='' pid status=0
	shift
	mkfifo log
	NPU_EMU_LOG=$PWD/log NPU_EMU_FAULT='infer:*:delay=0' npu-bench -q \
	    --idle=none -w 0 --min-iter=4000 "$@" >text 2>err 3>&- &
	pid=$!
	exec 5<log
	# The first is the cold one.
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

# before_run N COMMAND OPTION...: npu-bench --input=in -v with the OPTIONs on
# m.cix, and COMMAND before its run N starts; its output; its status.  The library
# is oddnoe, which writes its input, "90000", over the temperature of the machine:
# so after each run the next waits until it is cooled here.
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
