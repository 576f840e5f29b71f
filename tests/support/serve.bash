# SPDX-License-Identifier: Apache-2.0
# Functions that start npu-serve for a test, and send requests to it.
# shellcheck shell=bash

# serve OPTION...: starts a server on a free port in the background.  URL is its
# address, PID its process, and the file log has its stderr.
serve() {
	rm -f url
	: >url
	npu-serve -d emu --listen=127.0.0.1:0 "$@" >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
}

# came_up: waits until the server PID has printed its address.
came_up() {
	for _ in $(seq 1200); do
		[ ! -s url ] || return 0
		kill -0 "$PID" 2>/dev/null || break
		sleep 0.05
	done
	cat log >&2
	return 1
}

# stop: ends the server with SIGTERM, and sets status to its exit status.
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

# ask PATH [WORD...]: sends a request with curl and these words of its command
# line.  Prints the HTTP status.  Writes the head of the answer to the file
# head, and its body to the file body.
ask() {
	local path=$1
	shift
	: >body
	timeout 60 curl -sS -g -o body -D head -w '%{http_code}\n' "$@" \
	    "$URL$path"
}

# post PATH JSON: as ask, with a body of JSON; @FILE sends a file.
post() {
	ask "$1" -H 'Content-Type: application/json' --data-binary "$2"
}

# is STATUS COMMAND...: COMMAND prints STATUS.
is() {
	local want=$1 got
	shift
	got=$("$@")
	[ "$got" = "$want" ] || {
		echo "$*: $got, not $want: $(head -c 300 body)" >&2
		return 1
	}
}

# says WORDS: the body of the answer contains WORDS.
says() {
	grep -qF -- "$1" body || {
		echo "no '$1' in: $(head -c 300 body)" >&2
		return 1
	}
}

# vectors [WORD...]: prints the vectors that clip-embed writes with these words
# of its command line, one vector in each line, with all digits.
vectors() {
	clip-embed -q -d emu -F jsonl "$@" | grep -o '"vector":\[[^]]*\]' |
	    cut -d: -f2
}

# answered: prints the vectors of the file body, one in each line, unchanged.
answered() {
	grep -oE '\[-?[0-9][^][]*\]' body
}

# objects [WORD...]: runs yolo-detect, and prints its boxes as predictions.
objects() {
	yolo-detect -q -d emu -F jsonl "$@" | jq -c '.detections[] |
	    [.confidence, .class, (.box[] | round)]'
}

# metric NAME: prints the value of npu_serve_NAME in /metrics.
metric() {
	timeout 60 curl -sS "$URL/metrics" | awk -v name="npu_serve_$1" \
	    '$1 == name { print $2 }'
}

# becomes VALUE COMMAND...: waits until COMMAND prints VALUE.
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
