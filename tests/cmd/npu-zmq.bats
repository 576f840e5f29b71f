#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-zmq: its answers, compared with the output of yolo-decode for the same
# tensor; clients that leave, send wrong messages or too much; a device that
# fails.

load ../support/helper
load ../support/serve
load ../support/zmq

setup() {
	[ -x "$B/bin/npu-zmq" ] || skip "npu-zmq is not built"
	need_data images/photos/bus.jpg
	BUS=$DATA CAT=${DATA%/*}/rclip_cat.jpg
	export NPU_DEVICE=emu
}

# tensor FILE [WORD...]: writes to FILE the frame of the picture $PICTURE, by
# default bus.jpg.
tensor() {
	local out=$1
	shift
	img-tensor -q -r --for=yolo --size=640 -o "$out" "$@" "${PICTURE:-$BUS}"
}

bytes_tensor() {
	tensor "$@" -t u8 -s 255
}

# want FILE [WORD...]: prints yolo-decode's objects for the tensor in FILE, in
# the format of boxes().
want() {
	local file=$1
	shift
	npu-run -q yolov8n.cix <"$file" | yolo-decode -q -F jsonl -n 20 \
	    --image-size=640x640 -c 0.4 "$@" | jq -c '.detections[] |
	    [.class, .confidence, .box[]]'
}

# close_to FILE: the file rows, from a reply, has the objects in FILE.  FILE is
# from yolo-decode, which rounds numbers and has names instead of classes.
close_to() {
	python3 - "$1" "$B/share/npu-utils/coco.names" <<-'END'
		import json, struct, sys
		want = [json.loads(line) for line in open(sys.argv[1])]
		n = struct.unpack("<120f", open("rows", "rb").read())
		rows = [n[i:i + 6] for i in range(0, 120, 6)]
		for r, w in zip(rows, want):
		    x = [640 * v for v in (r[3], r[2], r[5], r[4])]
		    assert abs(r[1] - w[1]) < 1e-5, (r, w)
		    assert max(abs(a - b) for a, b in zip(x, w[2:])) < 0.006
		for r in rows[len(want):]:
		    assert r == (0,) * 6, r
		classes = {}
		for r, w in zip(rows, want):
		    assert classes.setdefault(r[0], w[0]) == w[0]
		assert len(want) > 5 and len(set(classes.values())) > 3
	END
}

# refused WORDS: the file reply has an error with WORDS.  It has two parts,
# which a client cannot take for objects.
refused() {
	[ "$(wc -l <reply)" -eq 2 ]
	[ "$(tail -n 1 reply)" = '0 bytes' ]
	head -n 1 reply | jq -e --arg words "$1" '(.error | contains($words))
	    and .dtype == "error: " + .error and .shape == [0]'
}

# works: a good frame is answered with its objects.
works() {
	found bus
	cmp rows right
}

# good: makes the frame bus, and its rows in the file right.
good() {
	bytes_tensor bus
	found bus
	cp rows right
}

@test "stdout has only the server's address; SIGTERM ends it with status 0" {
	serve_zmq
	[[ $URL =~ ^tcp://127\.0\.0\.1:[1-9][0-9]*$ ]]
	run -0 npu-zmq --health --endpoint="$URL"
	[ -z "$output" ]
	run -0 npu-zmq --health=ready --endpoint="$URL"
	[ -z "$output" ]
	[ "$(health | jq -c '[.schema, .ready, .reason, .model]')" = \
	    '["npu-zmq/1",true,null,"yolov8n.cix"]' ]
	stop
	[ "$status" -eq 0 ]
	[ "$(cat url)" = "$URL" ]
	run --separate-stderr -1 npu-zmq --health --endpoint="$URL"
	[ "$stderr" = \
	    "npu-zmq: $URL: no server answers: Connection refused" ]
}

@test "a frame is answered with the objects of yolo-decode, best first" {
	serve_zmq
	good
	want bus >objects
	close_to objects
	boxes rows | cut -d, -f2 | sort -c -r -g
	# The same picture in the other types and layouts.
	tensor float -t f32
	found float float32
	cmp rows right
	bytes_tensor bytes --layout=hwc
	found bytes uint8 1,640,640,3
	cmp rows right
	tensor float --layout=hwc -t f32
	found float float32 1,640,640,3
	cmp rows right
	[ "$(count frames)" -eq 4 ]
}

@test "--order=bgr and --input-dtype=float_denorm change the accepted frames" {
	serve_zmq --order=bgr --input-dtype=float_denorm
	bytes_tensor rgb
	want rgb >objects
	for layout in chw,1,3,640,640 hwc,1,640,640,3; do
		bytes_tensor frame --order=bgr --layout="${layout%%,*}"
		found frame uint8 "${layout#*,}"
		close_to objects
		tensor frame --order=bgr --layout="${layout%%,*}" -t f32 \
		    --divisor=1
		found frame float32 "${layout#*,}"
		close_to objects
	done
	# If red and blue are exchanged, other objects are found.
	found rgb
	run -1 close_to objects
}

@test "-c, --iou, --only and --names select objects; at most 20 rows" {
	bytes_tensor bus
	serve_zmq -c 0.45 --iou=0.3 --only=bus,0
	found bus
	want bus -c 0.45 --iou=0.3 --classes=bus,0 | wc -l >n
	[ "$(boxes rows | wc -l)" -eq "$(cat n)" ]
	[ "$(boxes rows | cut -d, -f1 | sort -u | tr -d '\n')" = '[0[5' ]
	stop
	seq -f 'thing %g' 80 >names
	serve_zmq -c 0.1 --names=names --only='thing 6'
	found bus
	[ "$(boxes rows | cut -d, -f1 | sort -u)" = '[5' ]
	stop
	# At most 20 rows are returned.
	serve_zmq -c 0.05
	found bus
	[ "$(boxes rows | wc -l)" -eq 20 ]
	stop
	serve_zmq -c 1
	found bus
	head -c 480 /dev/zero | cmp - rows
}

@test "only the model's name and its aliases exist; uploads are refused" {
	yes='{"model_available":true,"model_loaded":true}'
	no='{"model_available":false,"model_loaded":false}'
	serve_zmq --alias=yolo.onnx --alias=other
	for name in yolov8n.cix yolo.onnx other; do
		[ "$(say "{\"model_request\":true,\"model_name\":\"$name\"}")" \
		    = "$yes" ]
	done
	for name in yolov8n '' yolov8n.cix2 /x/yolov8n.cix "$(printf 'n%.0s' \
	    {1..300})" 'yolov8n.cix\u0000'; do
		run -0 say "{\"model_request\":true,\"model_name\":\"$name\"}"
		[ "$output" = "$no" ] || [[ $output == '{"error":'* ]]
	done
	head -c 3000000 /dev/zero >model
	run -0 say '{"model_data":true,"model_name":"yolov8n.cix"}' @model
	[ "$output" = '{"model_saved":false,"model_loaded":false}' ]
	run -0 say '{"model_data":true}'
	[ "$output" = '{"model_saved":false,"model_loaded":false}' ]
	[ "$(say '{"model_request":true}' | jq -r .error)" = \
	    'model_name is missing, not a string' ]
	good
}

@test "a client that reconnects gets only the answers to its new requests" {
	bytes_tensor bus
	PICTURE=$CAT bytes_tensor cat
	serve_zmq
	good
	found cat
	cp rows cat.right
	run -1 cmp -s right cat.right
	stop
	# The client reconnects as Frigate does, or with the same identity.
	for who in '-n 1' '-i me'; do
		NPU_EMU_FAULT=infer:1:delay=3000 serve_zmq -T none \
		    --in-flight=1
		run -4 zmqclient $who -t 200 "$URL" "$(header uint8 \
		    1,3,640,640)" @bus
		run -0 zmqclient $who "$URL" \
		    '{"model_request":true,"model_name":"yolov8n.cix"}'
		[[ $output == '{"model_available":true,'* ]]
		run -0 zmqclient $who -o rows "$URL" "$(header uint8 \
		    1,3,640,640)" @cat
		cmp rows cat.right
		works
		[ "$(count lost)" -eq 1 ]
		stop
	done
}

@test "each message of a DEALER is answered, between other clients' answers" {
	serve_zmq --max-waiting=20
	good
	timeout 100 zmqclient -d -n 8 -o many "$URL" '' \
	    "$(header uint8 1,3,640,640)" @bus >all 3>&- &
	dealer=$!
	PICTURE=$CAT bytes_tensor cat
	found cat
	cp rows cat.right
	pids=()
	for i in 1 2 3 4; do
		for f in bus cat; do
			zmqclient -o $f.$i "$URL" "$(header uint8 \
			    1,3,640,640)" @$f >/dev/null 3>&- &
			pids+=($!)
		done
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
	wait $dealer
	for i in 1 2 3 4; do
		cmp bus.$i right
		cmp cat.$i cat.right
	done
	cmp many right
	[ "$(grep -c '480 bytes' all)" -eq 8 ]
}

@test "a wrong message is answered with an error, and the server continues" {
	serve_zmq
	good
	chw=1,3,640,640
	wrong() {
		local words=$1
		shift
		say "$@" >reply
		refused "$words"
	}
	wrong '2 parts, not 1' "$(header uint8 $chw)"
	wrong '2 parts, not 100' "$(header uint8 $chw)" @bus {1..98}
	wrong 'the header is empty' '' @bus
	wrong 'not JSON' '{' @bus
	wrong 'not JSON' "$(header uint8 $chw) x" @bus
	wrong 'a list, not an object' '[]' @bus
	wrong 'a number, not an object' 3 @bus
	wrong duplicate '{"dtype":"uint8","dtype":"uint8"}' @bus
	wrong 'nested deeper' "{\"x\":$(printf '[%.0s' {1..40})" @bus
	wrong '1024 values' "{\"x\":[$(printf '1,%.0s' {1..1100})1]}" @bus
	wrong 'not JSON' "{\"shape\":[1e999,3,640,640]}" @bus
	wrong 'not JSON' \
	    "{\"shape\":[99999999999999999999999,3,640,640]}" @bus
	wrong 'is missing, not a list' '{"dtype":"uint8"}' @bus
	wrong '3 numbers, not 4' "$(header uint8 3,640,640)" @bus
	wrong 'a number is not a whole' "$(header uint8 1,3.0,640,640)" @bus
	wrong 'is not from 1' "$(header uint8 1,3,-640,-640)" @bus
	wrong 'is not from 1' "$(header uint8 1,3,0,640)" @bus
	wrong 'is not from 1' "$(header uint8 1,3,4294967936,640)" @bus
	wrong '[1,3,320,320], and the model takes [1,3,640,640] or '`
	    `'[1,640,640,3]' "$(header uint8 1,3,320,320)" @bus
	wrong 'and the model takes' "$(header uint8 2,3,640,320)" @bus
	wrong 'and the model takes' "$(header uint8 1,640,3,640)" @bus
	wrong 'neither uint8 nor float32' "$(header int8 $chw)" @bus
	wrong 'neither uint8 nor float32' "$(header '' $chw)" @bus
	wrong 'is missing, not a string' '{"shape":[1,3,640,640]}' @bus
	wrong '0 bytes, and its shape and dtype say 1228800' \
	    "$(header uint8 $chw)" ''
	wrong 'dtype say 4915200' "$(header float32 $chw)" @bus
	head -c 1228799 bus >short
	wrong '1228799 bytes' "$(header uint8 $chw)" @short
	wrong '1228801 bytes' "$(header uint8 $chw)" \
	    "@$(cat bus <(echo -n x) >long; echo long)"
	head -c 70000 /dev/zero | tr '\0' ' ' >blank
	wrong 'has 70000 bytes' @blank @bus
	works
	# A single part that is not a frame is answered with a single part, the
	# error.
	for bad in '' '{' 3 '{"model_request":true,"model_name":3}'; do
		[ "$(say "$bad" | jq -r '.error | length > 0')" = true ]
	done
	[ "$(count failed)" -eq 33 ]
	# Nobody can be answered: the empty part is missing, or the envelope
	# does not end.
	for parts in 'a b' "$(printf '%s ' {1..30})"; do
		# shellcheck disable=SC2086 # parts
		run -4 zmqclient -d -t 100 "$URL" $parts
	done
	run -4 zmqclient -d -t 100 "$URL" {1..30} '' \
	    "$(header uint8 $chw)" @bus
	[ "$(count lost)" -eq 3 ]
	[ "$(count failed)" -eq 33 ]
	works
}

@test "float frames: NaN, infinity and numbers out of range are refused" {
	serve_zmq
	good
	tensor real -t f32
	# with INDEX NUMBER: sends the frame real with another number at INDEX.
	with() {
		cp real bad
		f32 "$2" | dd of=bad bs=4 seek="$1" conv=notrunc status=none
		frame bad float32 >reply
	}
	with 7 nan
	refused 'number 7 of the frame is NaN'
	with 1228799 inf
	refused 'number 1228799 of the frame is inf'
	with 3 -0.001
	refused 'number 3 of the frame is -0.001'
	with 3 2
	refused '--input-dtype=float_denorm takes 0 to 255'
	with 3 1
	[ "$(tail -n 1 reply)" = '480 bytes' ]
	stop
	serve_zmq --input-dtype=float_denorm
	frame real float32 >reply
	refused '--input-dtype=float takes these'
	with 3 256
	refused 'is 256, and not from 0 to 255'
	# Black is valid in both ranges.
	head -c 4915200 /dev/zero >black
	found black float32
}

@test "--max-waiting: one frame more than may wait is refused" {
	bytes_tensor bus
	NPU_EMU_FAULT=infer:1:delay=20000 serve_zmq -T none --in-flight=1 \
	    --max-waiting=2
	pids=()
	for i in 1 2 3; do
		zmqclient -o rows.$i "$URL" "$(header uint8 1,3,640,640)" \
		    @bus >/dev/null 3>&- &
		pids+=($!)
		becomes 1 count in_flight
		becomes $((i - 1)) count waiting
	done
	frame bus >reply
	refused '2 frames wait, and no more may'
	[[ $(say '{"model_request":true,"model_name":"yolov8n.cix"}') == \
	    *true* ]]
	for pid in "${pids[@]}"; do wait "$pid"; done
	cmp rows.1 rows.2
	cmp rows.1 rows.3
	[ "$(count failed)" -eq 1 ]
}

@test "--time-wait: a frame that does not begin in time gets an error" {
	bytes_tensor bus
	NPU_EMU_FAULT=infer:1:delay=4000 serve_zmq -T none --in-flight=1 \
	    --time-wait=200ms
	zmqclient -o right "$URL" "$(header uint8 1,3,640,640)" @bus \
	    >/dev/null 3>&- &
	first=$!
	becomes 1 count in_flight
	frame bus >reply
	refused 'busy with other frames for 200 ms'
	wait $first
	works
}

@test "--max-message: a part that is too large ends only its connection" {
	serve_zmq --max-message=4915200
	good
	head -c 4915200 /dev/zero >model
	[[ $(say '{"model_data":true}' @model) == '{"model_saved":'* ]]
	echo x >>model
	run -4 zmqclient -t 300 "$URL" '{"model_data":true}' @model
	works
	stop
	run --separate-stderr -2 timeout 60 npu-zmq \
	    --endpoint=tcp://127.0.0.1:0 --max-message=4915199
	[[ $stderr == *"up to 4915200 bytes"* ]]
}

@test "a failed inference is answered with an error, not with zero objects" {
	NPU_EMU_FAULT=infer:2:exception serve_zmq
	good
	frame bus >reply
	refused exception
	works
	[ "$(health | jq -c '[.frames, .failed, .device_resets]')" = '[2,1,0]' ]
	grep '^{' log | jq -c 'select(.request == "frame") |
	    [.status, (.objects > 0), (.error | type)]' | diff - <(cat <<-'END'
		["ok",true,"null"]
		["failed",false,"string"]
		["ok",true,"null"]
	END
	)
}

@test "after an inference that does not end, the model is loaded again" {
	NPU_EMU_FAULT=infer:2:timeout serve_zmq -T 5s
	good
	frame bus >reply
	refused ''
	for _ in $(seq 200); do
		frame bus >reply
		[ "$(tail -n 1 reply)" != '480 bytes' ] || break
		refused 'it is loaded again in'
		sleep 0.05
	done
	cmp rows right
	[ "$(count device_resets)" -eq 1 ]
	grep -q 'yolov8n.cix: it is loaded again$' log
}

@test "a device that is gone: requests get the reason, --health=ready fails" {
	NPU_EMU_FAULT=infer:2:nodevice serve_zmq
	good
	frame bus >reply
	refused 'the device is gone'
	frame bus >reply
	refused 'yolov8n.cix: the device is gone'
	run -0 npu-zmq --health --endpoint="$URL"
	run --separate-stderr -1 npu-zmq --health=ready --json --endpoint="$URL"
	[[ $stderr == "npu-zmq: $URL: yolov8n.cix: "* ]]
	jq -e '.ready == false and .failed == 2' <<<"$output"
	[[ $(say '{"model_request":true,"model_name":"yolov8n.cix"}') == \
	    '{"model_available":true,"model_loaded":true}' ]]
	stop
	[ "$status" -eq 0 ]
}

@test "SIGTERM: accepted frames are answered, then it ends with status 0" {
	bytes_tensor bus
	NPU_EMU_FAULT=infer:1:delay=1500 serve_zmq -T none --in-flight=1
	pids=()
	for i in 1 2; do
		zmqclient -o rows.$i "$URL" "$(header uint8 1,3,640,640)" \
		    @bus >/dev/null 3>&- &
		pids+=($!)
		becomes 1 count in_flight
	done
	becomes 1 count waiting
	kill -HUP "$PID"
	stop
	[ "$status" -eq 0 ]
	for pid in "${pids[@]}"; do wait "$pid"; done
	want bus >objects
	for i in 1 2; do
		cp rows.$i rows
		close_to objects
	done
}

@test "--drain and a second SIGTERM end the wait; clients get an error" {
	bytes_tensor bus
	for how in --drain=100ms --drain=none; do
		NPU_EMU_FAULT=infer:1:delay=500000 serve_zmq -T none $how
		say "$(header uint8 1,3,640,640)" @bus >reply 3>&- &
		asker=$!
		becomes 1 count in_flight
		if [ $how = --drain=none ]; then
			kill -TERM "$PID"
			sleep 0.3
			kill -0 "$PID"
		fi
		stop
		[ "$status" -eq 0 ]
		wait $asker
		refused 'the server is ending'
	done
}

@test "ipc: the umask limits who can connect; only a dead socket is replaced" {
	umask 077
	serve_zmq --endpoint="ipc://$PWD/sock"
	[ "$URL" = "ipc://$PWD/sock" ]
	[ "$(stat -c %a sock)" = 700 ]
	good
	run -0 npu-zmq --health=ready --endpoint="$URL"
	# A running server keeps its socket.
	run --separate-stderr -1 timeout 60 npu-zmq --endpoint="$URL"
	[[ $stderr == *"$URL: Address already in use; another server"* ]]
	works
	# The socket of a killed server is replaced, and is removed at the end.
	kill -KILL "$PID"
	wait "$PID" || :
	[ -S sock ]
	serve_zmq --endpoint="ipc://$PWD/sock"
	works
	stop
	[ ! -e sock ]
	grep '^{' log | jq -e '.client | test("^localhost:0:0:[1-9][0-9]*$")' ||
		[ "$(id -u)" -ne 0 ]
	# Files and links are not changed.
	echo text >sock
	run -1 timeout 60 npu-zmq --endpoint="ipc://$PWD/sock"
	[ "$(cat sock)" = text ]
	ln -s target link
	run -1 timeout 60 npu-zmq --endpoint="ipc://$PWD/link"
	[ -L link ]
	[ ! -e target ]
}

@test "it accepts a socket that is passed on, as systemd does" {
	: >url
	/usr/bin/python3 "$TOP/tests/tools/serving.py" handed npu-zmq -d emu \
	    >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
	good
	stop
	[ "$status" -eq 0 ]
}

@test "other machines can connect only with --any-address" {
	for any in tcp://0.0.0.0:0 'tcp://*:*'; do
		run --separate-stderr -2 timeout 60 npu-zmq --endpoint="$any"
		[[ $stderr == *'--any-address allows that'* ]]
		serve_zmq --endpoint="$any" --any-address
		[[ $URL =~ ^tcp://0\.0\.0\.0:[1-9][0-9]*$ ]]
		run -0 npu-zmq --health --endpoint="tcp://*:${URL##*:}"
		stop
	done
	[ -s /proc/net/if_inet6 ] || return 0
	serve_zmq --endpoint='tcp://[::1]:0'
	run -0 npu-zmq --health --endpoint="$URL"
}

@test "the log has the documented members; -q turns it off; -o is a file" {
	serve_zmq -o out.log
	good
	say '{"model_request":true,"model_name":"x"}'
	stop
	jq -c '[.request, .status, .bytes > 0, .objects > 0, .client]' out.log |
	    diff - <(cat <<-'END'
		["frame","ok",true,true,"127.0.0.1"]
		["model","refused",true,false,"127.0.0.1"]
	END
	)
	jq -c keys out.log | sort -u | diff - <(echo '["bytes","client","error",
	    "infer_ms","objects","request","status","time","total_ms",
	    "wait_ms"]' | jq -c .)
	jq -s -e '.[0] | .infer_ms > 0 and .total_ms >= .infer_ms' out.log
	serve_zmq -q
	works
	stop
	[ ! -s log ]
}

@test "a usage error prints a line with the option, and a hint; status 2" {
	usage() {
		local words=$1
		shift
		run --separate-stderr -2 timeout 60 npu-zmq \
		    --endpoint=tcp://127.0.0.1:0 "$@"
		[ -z "$output" ]
		[[ ${stderr_lines[0]} == "npu-zmq: "*"$words"* ]]
		[ "${#stderr_lines[@]}" -eq 2 ]
	}
	for bad in 127.0.0.1:5555 tcp://localhost:5555 tcp://127.0.0.1 \
	    tcp://127.0.0.1:70000 udp://127.0.0.1:1 ipc:// ipc://@name \
	    'ipc://*' tcp:// ''; do
		usage --endpoint --endpoint="$bad"
	done
	usage --order --order=grb
	usage --input-dtype --input-dtype=int
	usage --conf -c 2
	usage --iou --iou=nan
	usage --only --only=dragon
	usage --max-waiting --max-waiting=0
	usage --max-message --max-message=x
	usage --in-flight --in-flight=65
	usage --time-wait --time-wait=10x
	usage --drain --drain=x
	usage --timeout -T 0
	usage --alias --alias=
	usage --json --json
	usage --health --health=maybe
	usage --output -o ''
	usage --quiet -q -o file
	usage --alias --health --alias=x
	usage "'operand'" operand
}

@test "a wrong or missing model is status 1, a missing device status 3" {
	run --separate-stderr -1 timeout 60 npu-zmq -m clip_txt.cix \
	    --endpoint=tcp://127.0.0.1:0
	[[ $stderr == *clip_txt* ]]
	[ -z "$output" ]
	run --separate-stderr -1 timeout 60 npu-zmq -m none.cix \
	    --endpoint=tcp://127.0.0.1:0
	[[ $stderr == *none.cix* ]]
	run --separate-stderr -3 env NPU_EMU_FAULT='init:*:nodevice' \
	    timeout 60 npu-zmq --endpoint=tcp://127.0.0.1:0
	[ -z "$output" ]
	[[ $stderr == "npu-zmq: "* ]]
}

@test "--endpoint names a folder: the message says so" {
	run --separate-stderr -1 timeout 60 npu-zmq --endpoint="ipc://$PWD"
	[[ $stderr == "npu-zmq: ipc://"*" not a socket"*"--endpoint"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}
