#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-serve: while it answers requests, each call that can fail is made to fail
# once.
# bats file_tags=slow,native

load ../support/helper
load ../support/serve

setup() {
	need_data images/photos/bus.jpg
	BUS=$DATA
	export TORTURE_TREE=$B TORTURE_ALSO=libjansson TORTURE_COUNT=$PWD/count
	export TORTURE_LOG=$PWD/calls
	serve
	is 200 ask /v1/vision/detection -F "image=@$BUS"
	mv body boxes
	stop
	vectors --text='a cat' >vector
}

# injected FAIL: starts a server whose call number FAIL fails; with 0, no call
# fails.
injected() {
	head -c 8 /dev/zero >count
	TORTURE_FAIL=$1 LD_PRELOAD=$B/tests/faults/inject.so serve
}

counted() {
	od -An -tu8 count | tr -d ' '
}

# answer PATH...: sends a request and prints its HTTP status, or 000 if the
# connection was closed.
answer() {
	ask "$@" 2>/dev/null || :
}

# vector, boxes: send a request of this kind.  right vector, right boxes: its
# answer is right.
vector() {
	answer /api/embed -d '{"model":"clip:latest","input":["a cat"]}'
}

boxes() {
	answer /v1/vision/custom/yolov8n -F "image=@$BUS"
}

right() {
	case $1 in
	vector) answered | cmp -s vector - ;;
	boxes) [ "$(jq -c .predictions body)" = \
	    "$(jq -c .predictions boxes)" ] ;;
	esac
}

@test "each failed call is an error of one request, and the server continues" {
	injected 0
	from=$(counted)
	[ "$(vector)$(boxes)" = 200200 ]
	to=$(counted)
	stop
	[ $((to - from)) -gt 50 ]
	for n in $(seq $((from + 1)) "$to"); do
		injected "$n"
		for what in vector boxes; do
			got=$($what)
			echo "$(tail -n 1 calls): $what $got $(head -c 90 body)"
			case $got in
			200) right $what ;;
			000 | 503) ;;
			*) return 1 ;;
			esac
		done
		# The server may have to load a model again.
		for what in vector boxes; do
			becomes 200 $what
			right $what
		done
		stop
		[ "$status" -eq 0 ]
	done
}
