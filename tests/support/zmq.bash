# SPDX-License-Identifier: Apache-2.0
# npu-zmq for a test, and what asks it.  After support/serve, whose came_up,
# stop and teardown these use.
# shellcheck shell=bash
# shellcheck disable=SC2034 # tests use what it leaves

# serve_zmq OPTION...: a server on a free port, in the background.  Its address
# is URL, its process PID, what it says on stderr the file log.
serve_zmq() {
	rm -f url
	: >url
	npu-zmq -d emu --endpoint=tcp://127.0.0.1:0 "$@" >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
}

# say PART...: what a REQ client with one message gets.
say() {
	timeout 100 zmqclient "$URL" "$@"
}

# header DTYPE DIM,DIM,DIM,DIM
header() {
	printf '{"shape":[%s],"dtype":"%s","model_type":"yologeneric"}' "$2" "$1"
}

# frame FILE [DTYPE [DIMS]]: what the server finds; the rows are the file rows.
frame() {
	rm -f rows
	timeout 100 zmqclient -o rows "$URL" \
	    "$(header "${2:-uint8}" "${3:-1,3,640,640}")" "@$1"
}

# found FILE [WORD...]: frame FILE, and it is answered with objects.
found() {
	frame "$@" >reply
	printf '{"shape":[20,6],"dtype":"float32"}\n480 bytes\n' |
	    diff - reply
}

# boxes FILE: rows of a reply as JSON, up to the first of zeros; pixels.
boxes() {
	perl -e 'local $/; my @n = unpack("f<120", <STDIN>);
	    while (my @r = splice @n, 0, 6) {
		last unless $r[1] > 0;
		printf "[%d,%.3f,%.1f,%.1f,%.1f,%.1f]\n", $r[0], $r[1],
		    map { 640 * $_ } @r[3, 2, 5, 4];
	    }' <"$1"
}

# health: the server's counters.
health() {
	npu-zmq --health --json --endpoint="$URL"
}

# count NAME: one counter.
count() {
	health | jq ".$1"
}
