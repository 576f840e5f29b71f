# SPDX-License-Identifier: Apache-2.0
# Functions that start npu-zmq for a test, and send requests to it.  Load
# support/serve first: its came_up, stop and teardown are used here.
# shellcheck shell=bash
# shellcheck disable=SC2034 # tests use the variables

# serve_zmq OPTION...: starts a server on a free port in the background.  URL is
# its address, PID its process, and the file log has its stderr.  Frames wait as
# long as a slow machine needs, unless an option says otherwise.
serve_zmq() {
	rm -f url
	: >url
	npu-zmq -d emu --endpoint=tcp://127.0.0.1:0 --time-wait=none "$@" \
	    >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
}

# say PART...: sends one message as a REQ client, and prints the reply.
say() {
	timeout 100 zmqclient "$URL" "$@"
}

# header DTYPE DIM,DIM,DIM,DIM: prints the first part of a request.
header() {
	printf '{"shape":[%s],"dtype":"%s","model_type":"yologeneric"}' "$2" "$1"
}

# frame FILE [DTYPE [DIMS]]: sends the numbers of FILE, and prints the reply.
# The rows of objects go to the file rows.
frame() {
	rm -f rows
	timeout 100 zmqclient -o rows "$URL" \
	    "$(header "${2:-uint8}" "${3:-1,3,640,640}")" "@$1"
}

# found FILE [WORD...]: calls frame, whose reply must have rows of objects.
found() {
	frame "$@" >reply
	printf '{"shape":[20,6],"dtype":"float32"}\n480 bytes\n' |
	    diff - reply
}

# boxes FILE: prints the rows of a reply as JSON, in pixels, up to the first row
# of zeros.
boxes() {
	perl -e 'local $/; my @n = unpack("f<120", <STDIN>);
	    while (my @r = splice @n, 0, 6) {
		last unless $r[1] > 0;
		printf "[%d,%.3f,%.1f,%.1f,%.1f,%.1f]\n", $r[0], $r[1],
		    map { 640 * $_ } @r[3, 2, 5, 4];
	    }' <"$1"
}

# health: prints the server's counters as JSON.
health() {
	npu-zmq --health --json --endpoint="$URL"
}

# count NAME: prints the counter NAME.
count() {
	health | jq ".$1"
}
