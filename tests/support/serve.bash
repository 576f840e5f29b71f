# SPDX-License-Identifier: Apache-2.0
# A server for a test, and what asks it.
# shellcheck shell=bash

# serve OPTION...: a server on a free port, in the background.  Its address is
# URL, its process PID, what it says on stderr the file log.
serve() {
	rm -f url
	: >url
	npu-serve -d emu --listen=127.0.0.1:0 "$@" >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
}

# came_up: waits for the address of the server PID.
came_up() {
	for _ in $(seq 1200); do
		[ ! -s url ] || return 0
		kill -0 "$PID" 2>/dev/null || break
		sleep 0.05
	done
	cat log >&2
	return 1
}

# stop: ends the server as its owner does; leaves its status in status.
# shellcheck disable=SC2034 # tests use it
stop() {
	kill -TERM "$PID"
	timeout 60 tail -f --pid="$PID" /dev/null
	status=0
	wait "$PID" || status=$?
	PID=
}

teardown() {
	if [ -n "${PID:-}" ]; then
		kill -KILL "$PID" 2>/dev/null || :
		wait "$PID" 2>/dev/null || :
	fi
}

# ask PATH [WORD...]: what curl gets with these words.  Prints the status; the
# head of the answer is the file head, its body the file body.
ask() {
	local path=$1
	shift
	: >body
	timeout 60 curl -sS -g -o body -D head -w '%{http_code}\n' "$@" \
	    "$URL$path"
}

# post PATH JSON: the same for a body of JSON; @FILE is a file.
post() {
	ask "$1" -H 'Content-Type: application/json' --data-binary "$2"
}

# is STATUS COMMAND...: the command prints that status.
is() {
	local want=$1 got
	shift
	got=$("$@")
	[ "$got" = "$want" ] || {
		echo "$*: $got, not $want: $(head -c 300 body)" >&2
		return 1
	}
}

# says WORDS: the body of the answer has them.
says() {
	grep -qF -- "$1" body || {
		echo "no '$1' in: $(head -c 300 body)" >&2
		return 1
	}
}

# vectors [WORD...]: what clip-embed writes with these words, a vector a line,
# to the last digit.
vectors() {
	clip-embed -q -d emu -F jsonl "$@" | grep -o '"vector":\[[^]]*\]' |
	    cut -d: -f2
}

# answered: the vectors of a body, a line each, as they are written there.
answered() {
	grep -oE '\[-?[0-9][^][]*\]' body
}

# objects [WORD...]: the predictions that yolo-detect's boxes amount to.
objects() {
	yolo-detect -q -d emu -F jsonl "$@" | jq -c '.detections[] |
	    [.confidence, .class, (.box[] | round)]'
}

# metric NAME: its value in /metrics.
metric() {
	timeout 60 curl -sS "$URL/metrics" | awk -v name="npu_serve_$1" \
	    '$1 == name { print $2 }'
}

# becomes VALUE COMMAND...: waits until it prints the value.
becomes() {
	local want=$1
	shift
	for _ in $(seq 1200); do
		[ "$("$@")" != "$want" ] || return 0
		sleep 0.05
	done
	echo "$*: $("$@"), not $want" >&2
	return 1
}

# The forms that Immich sends.
# shellcheck disable=SC2034 # tests use them
TEXTUAL='entries={"clip":{"textual":{"modelName":"ViT-B-32__openai",
"options":{"language":"en"}}}}'
# shellcheck disable=SC2034
VISUAL='entries={"clip":{"visual":{"modelName":"ViT-B-32__openai"}}}'
