#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-serve with clients of other projects, or with clients that use the same
# libraries: the answers are compared with the output of the other programs.

load ../support/helper
load ../support/serve

setup() {
	need_data images/photos/bus.jpg
	BUS=$DATA CAT=${DATA%/*}/rclip_cat.jpg
	export BUS CAT
}

need_node() {
	type -P node >/dev/null || skip "no node"
}

# in_node COMMAND...: runs a command of clients.js.
in_node() {
	timeout 120 node "$TOP/tests/tools/clients.js" "$@"
}

need_requests() {
	/usr/bin/python3 -c 'import requests' || skip "no python3-requests"
}

# requests COMMAND...: runs a command of clients.py.
requests() {
	timeout 120 /usr/bin/python3 "$TOP/tests/tools/clients.py" "$@"
}

# need_openai: unpacks OpenAI's client for Node, which set-up downloaded, to
# package.
need_openai() {
	need_node
	[ -e "$TOP/build/setup/openai-7.57.0.tgz" ] ||
	    skip "no openai (scripts/setup check)"
	tar -xzf "$TOP/build/setup/openai-7.57.0.tgz" \
	    --wildcards 'package/*.js' package/package.json
}

# held: sends a request for a vector in the background.
held() {
	curl -sS -o /dev/null -H 'Content-Type: application/json' \
	    -d '{"model":"clip","input":"held"}' "$URL/v1/embeddings" 3>&- &
}

@test "openai for Node: a text, a list, both encodings, the list of models" {
	need_openai
	serve
	in_node openai "$URL" package vectors >got
	diff - got <<-END
		float clip 0,1,2,3 4 4
		base64 clip 0,1,2,3 4 4
		$(curl -sS "$URL/v1/models" | jq -r '[.data[].id] | join(",")')
	END
	clip-embed -q -d emu -r --text='a cat' --text='two dogs' \
	    --text='café & bar' --text='a cat' --text='two dogs' >want
	cmp want vectors.float
	cmp want vectors.base64
}

@test "openai for Node: each error becomes an exception of its own class" {
	need_openai
	token=correct-horse-battery-staple
	echo "$token" >token
	serve --token-file=token
	ask_for() { in_node errors "$URL" package "$@"; }
	[ "$(ask_for clip 'a cat' "$token")" = 'no error' ]
	[ "$(ask_for bert 'a cat' "$token")" = \
	    'NotFoundError 404 invalid_request_error model_not_found' ]
	[ "$(ask_for clip '' "$token")" = \
	    'BadRequestError 400 invalid_request_error null' ]
	[ "$(ask_for clip 'a cat' wrong)" = \
	    'AuthenticationError 401 invalid_request_error invalid_api_key' ]
}

@test "openai for Node: after 429 it tries twice more, a second apart" {
	need_openai
	# The first inference does not end while the test runs.
	NPU_EMU_FAULT=infer:1:delay=3600000 \
	    serve -T none --in-flight=1 --max-waiting=1
	held
	becomes 1 metric in_flight
	held
	becomes 1 metric waiting
	[ "$(in_node errors "$URL" package clip 'a cat' none)" = \
	    "RateLimitError 429 requests rate_limit_exceeded"$'\n'waited ]
	[ "$(grep -c '"status":429' log)" -eq 3 ]
}

@test "immich's forms from Node: vectors are strings; errors are not 2xx" {
	need_node
	serve
	in_node immich "$URL" "$CAT" 'a photo of a cat' >got
	size=$(yolo-detect -q -d emu "$CAT" | jq -r '"\(.width) \(.height)"')
	diff - got <<-END
		true pong
		clip $(vectors --text='a photo of a cat')
		$size $(vectors "$CAT")
		false 501 string
		false 404 string
		false 400 string
		false 400 string
	END
}

@test "immich: after an error, the address of another server is used" {
	need_node
	serve -q -m text=
	in_node ranks "$URL" 'a cat' >got
	[ "$(cat got)" = 'no address' ]
	first=$URL other=$PID
	serve
	in_node ranks "$first" "$URL" 'a cat' >got
	kill "$other"
	[ "$(cat got)" = "1 $(vectors --text='a cat')" ]
}

@test "frigate's detector: with --only, all rows have labels that it knows" {
	need_requests
	known=(person car motorcycle bus)
	serve --only="$(IFS=,; echo "${known[*]}"),truck"
	requests frigate "$URL" "$BUS" "${known[@]}" >got
	objects -c 0.4 -n 20 "$BUS" \
	    --classes="$(IFS=,; echo "${known[*]}"),truck" |
	    sed 's/"truck"/"car"/' | diff - got
	[ -s got ]
	stop
	# Without --only, the detector stops at a label that it does not know.
	serve
	requests frigate "$URL" "$BUS" "${known[@]}" >few
	[ "$(wc -l <few)" -lt "$(wc -l <got)" ]
}

@test "frigate's semantic search: texts and pictures in one request" {
	need_requests
	serve
	requests search "$URL" clip "$CAT" 'a red car' 'a cat' >got
	{
		echo True 77 True True
		vectors --text='a red car' --text='a cat'
		vectors "$CAT"
	} | diff - got
	run ! requests search "$URL" clip_txt "$CAT" 'a red car'
	[[ $output == *"False 77 False True"*"400 Client Error"* ]]
}

@test "home assistant's detector gets its objects, and errors in its form" {
	need_requests
	token=correct-horse-battery-staple
	serve
	requests home "$URL" '' "$BUS" 0.3 0.45:yolov8n 2 0.3:none | diff - <(
		objects -c 0.3 -n 20 "$BUS"
		objects -c 0.45 -n 20 "$BUS"
		echo '[400,false,"str"]'
		echo '[404,false,"str"]'
	)
	requests home "$URL" '' "$0" 0.3 | diff <(echo '[400,false,"str"]') -
	requests around "$URL" | diff - <(cat <<-'END'
		[200,true,["yolov8n"]]
		[200,true]
		[400,false]
	END
	)
	stop
	echo "$token" >token
	serve --token-file=token
	requests home "$URL" "$token" "$BUS" 0.3 |
	    diff <(objects -c 0.3 -n 20 "$BUS") -
	requests home "$URL" '' "$BUS" 0.3 | diff <(echo '[401,false,"str"]') -
	requests home "$URL" wrong "$BUS" 0.3 |
	    diff <(echo '[401,false,"str"]') -
}

@test "wrk: 16 connections that stay open get the same answer each time" {
	type -P wrk >/dev/null || skip "no wrk"
	serve
	is 200 post /v1/embeddings '{"model":"clip","input":"a cat"}'
	answered | diff <(vectors --text='a cat') -
	# One second is enough if the machine is not very busy.
	for seconds in 1 10 100; do
		ANSWER=body timeout 200 wrk -t1 -c16 -d"$seconds" \
		    --timeout=120 -s "$TOP/tests/tools/clients.lua" \
		    "$URL/v1/embeddings" >got
		! grep -qx $'answers\t0' got || continue
		break
	done
	grep -qx $'answers\t[1-9][0-9]*' got
	grep -qx $'wrong\t0' got
}
