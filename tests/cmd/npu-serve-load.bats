#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-serve with many clients, with slow clients, and with clients that leave;
# with a device that fails; and at its end.

load ../support/helper
load ../support/serve

HOUR=3600000	# ms

# client COMMAND...: runs a command of serving.py.
client() {
	timeout "${LONG:-120}" /usr/bin/python3 "$TOP/tests/tools/serving.py" \
	    "$@"
}

# text FILE WORDS: sends a request for the vector of a text, in the background.
# FILE.status gets the status, FILE the answer, and ASKED the process.
text() {
	timeout 120 curl -sS -o "$1" -D "$1.head" -w '%{http_code}\n' \
	    -H 'Content-Type: application/json' \
	    -d "{\"model\":\"clip\",\"input\":\"$2\"}" \
	    "$URL/v1/embeddings" >"$1.status" 3>&- &
	ASKED+=($!)
}

# all_asked: waits for all requests of text().
all_asked() {
	for pid in "${ASKED[@]}"; do
		wait "$pid" || :
	done
	ASKED=()
}

# right FILE WORDS: the answer in FILE is the vector of the text WORDS.
right() {
	[ "$(cat "$1.status")" = 200 ]
	grep -oE '\[-?[0-9][^][]*\]' "$1" | diff - <(vectors --text="$2")
}

# one WORDS: a single request gets the right vector.
one() {
	is 200 post /v1/embeddings "{\"model\":\"clip\",\"input\":\"$1\"}"
	answered | diff - <(vectors --text="$1")
}

# refused: prints curl's status: 7 if the connection is refused, 28 if no server
# accepts the connection.  Even a busy server answers in less than 5 seconds.
refused() {
	local status=0
	curl -s -m 5 -o /dev/null "$URL/healthz" || status=$?
	echo "$status"
}

# child: prints the process that $PID runs.
child() {
	cat "/proc/$PID/task/$PID/children"
}

# truths N: writes inputs to the folder t, and the other programs' results for
# them.
truths() {
	mkdir t
	client inputs t "$1"
	clip-embed -q -d emu -F jsonl --lines t/texts >t/texts.jsonl
	clip-embed -q -d emu -F jsonl t/*.ppm >t/pictures.jsonl
	yolo-detect -q -d emu -c 0.1 -n 20 t/*.ppm >t/boxes.jsonl
}

# inferences: prints how many inferences began, according to the emulator's log
# of delay faults.
inferences() {
	grep -c '^fault infer' emu
}

descriptors() {
	local all
	all=(/proc/"$PID"/fd/*)
	echo "${#all[@]}"
}

# no_more_than N: prints yes if at most N descriptors are open.  The connection
# of the last request is closed a moment after its answer.
no_more_than() {
	[ "$(descriptors)" -gt "$1" ] || echo yes
}

DELAYS=infer:1/3:delay=20,infer:1/7:delay=60,get:1/9:delay=5

# mixed CLIENTS INPUTS: clients send all their inputs, and check the answers.
mixed() {
	truths $(($1 * $2))
	NPU_EMU_FAULT=$DELAYS serve -c 0.1 --max-waiting=1000
	run -0 client mix "$URL" t "$1" "$2"
	echo "$output"
	[ "$output" = "$(($1 * $2)) right of $(($1 * $2))" ]
}

@test "clients get their own answers: 12 clients, 8 inputs each, all routes" {
	mixed 12 8
}

# bats test_tags=slow
@test "clients get their own answers: 32 clients, 64 inputs each, all routes" {
	LONG=1200 mixed 32 64
}

@test "one request with 1000 texts gets 1000 vectors in their order" {
	for i in $(seq 1000); do echo "number $i"; done >texts
	jq -R . texts | jq -s '{model: "clip", input: .}' >in
	serve --max-waiting=1
	is 200 post /v1/embeddings @in
	answered | cmp - <(vectors --lines texts)
	[ "$(jq -c '[.data[].index] == [range(1000)]' body)" = true ]
	[ "$(metric 'items_total{role="text"}')" -eq 1000 ]
	[ "$(metric waiting)" -eq 0 ]
}

@test "--max-waiting: requests that fit are answered; one more gets 429" {
	NPU_EMU_FAULT=infer:1:delay=20000 \
	    serve -T none --in-flight=1 --max-waiting=3
	text a first
	becomes 1 metric in_flight
	for i in 1 2 3; do
		text "$i" "number $i"
		becomes "$i" metric waiting
	done
	is 429 post /v1/embeddings '{"model":"clip","input":"more"}'
	grep -iE '^retry-after: [1-9][0-9]*' head
	jq -e .error.message body
	is 429 ask /predict -F "$TEXTUAL" -F text=more
	is 429 post /embed '{"inputs":"more"}'
	is 429 post /api/embed '{"model":"clip","input":"more"}'
	# Requests without an inference are answered.
	is 200 ask /v1/models
	is 200 ask /readyz
	all_asked
	right a first
	for i in 1 2 3; do
		right "$i" "number $i"
	done
	one more
}

@test "--time-wait: a request that does not begin in time gets 503" {
	NPU_EMU_FAULT=infer:1:delay=10000 \
	    serve -T none --in-flight=1 --time-wait=300ms
	text a first
	becomes 1 metric in_flight
	is 503 post /v1/embeddings '{"model":"clip","input":"second"}'
	jq -e .error.message body
	[ "$(metric waiting)" -eq 0 ]
	all_asked
	right a first
	one second
}

@test "the models take turns on the NPU: a text need not wait for 30 pictures" {
	need_data images/photos/bus.jpg
	NPU_EMU_LOG=emu NPU_EMU_FAULT="infer:1-6:delay=3000,infer:*:delay=1" \
	    serve --in-flight=1
	b=$(base64 -w 0 "${DATA%/*}/rclip_cat.jpg")
	list=$(printf ",\"$b\"%.0s" {1..30})
	printf '{"model":"clip","modality":"image","input":[%s]}' \
	    "${list#,}" >in
	timeout 120 curl -sS -o pictures -H 'Content-Type: application/json' \
	    --data-binary @in "$URL/v1/embeddings" >/dev/null 3>&- &
	pictures=$!
	becomes 1 metric in_flight
	becomes 29 metric waiting
	one text
	[ "$(metric 'items_total{role="image"}')" -lt 30 ]
	wait $pictures
	grep -oE '\[-?[0-9][^][]*\]' pictures | sort -u |
	    diff - <(vectors "${DATA%/*}/rclip_cat.jpg")
	[ "$(jq '.data | length' pictures)" -eq 30 ]
}

@test "the waiting requests of a client that leaves are dropped" {
	NPU_EMU_LOG=emu NPU_EMU_FAULT="infer:*:delay=1,infer:1:delay=15000" \
	    serve -T none --in-flight=1 --max-waiting=3
	text a first
	becomes 1 metric in_flight
	kept=${ASKED[0]} ASKED=()
	for i in 1 2 3; do
		text "$i" "number $i"
	done
	becomes 3 metric waiting
	kill "${ASKED[@]}"
	becomes 0 metric waiting
	text b second
	becomes 1 metric waiting
	ASKED+=("$kept")
	all_asked
	right a first
	right b second
	[ "$(inferences)" -eq 2 ]
	becomes 3 grep -c '"status":499' log
}

@test "--time-head and --time-body: a slow stream of bytes is ended" {
	serve --time-head=1s --time-body=1s
	run -0 client dribble "$URL" head
	[ "$output" = "closed after bytes" ]
	run -0 client dribble "$URL" body
	[ "$output" = "closed after bytes" ]
	one still
}

@test "--time-idle, and --time-head of a unix socket, end silent connections" {
	serve --time-idle=1s --time-head=none
	run -0 client silent "$URL"
	[ "$output" = "closed []" ]
	stop
	serve --listen=unix:sock --time-head=1s --time-idle=none
	run -0 client silent "$PWD/sock"
	[ "$output" = "closed []" ]
}

@test "--max-connections: a slow client is closed to make room for others" {
	serve --max-connections=4
	run -0 client crowd "$URL" 6
	[ "$output" = "4 slow, status 200 , then 3" ]
	stop
	# Clients that have sent a whole request keep their places.
	NPU_EMU_INFER_MS=8000 serve --max-connections=3
	run -0 client full "$URL" 3
	[ "$output" = "[] 3 [[200], [200], [200]]" ]
}

@test "--max-per-address: each client address has its own limit" {
	serve --max-per-address=4
	run -0 client crowd "$URL" 6
	[ "$output" = "4 slow, status 200 , then 3" ]
	stop
	NPU_EMU_INFER_MS=8000 serve --max-per-address=2
	run -0 client full "$URL" 2
	[ "$output" = "[] 2 [[200], [200]]" ]
	run -0 client full "$URL" 2 127.0.0.2
	[ "$output" = "[200] 2 [[200], [200]]" ]
}

@test "SIGTERM: accepted requests are answered, new ones refused, status 0" {
	NPU_EMU_FAULT=infer:1:delay=10000 serve -T none --in-flight=1
	text a first
	becomes 1 metric in_flight
	text b second
	becomes 1 metric waiting
	kill -HUP "$PID"
	is 200 ask /healthz
	stop
	[ "$status" -eq 0 ]
	all_asked
	right a first
	right b second
	run ! curl -s "$URL/healthz"
	run -1 grep -v '^{' log
}

@test "SIGINT ends the server with status 0" {
	: >url
	env --default-signal=INT npu-serve -q -d emu --listen=127.0.0.1:0 \
	    >url 3>&- &
	PID=$!
	came_up
	kill -INT "$PID"
	status=0
	wait "$PID" || status=$?
	[ "$status" -eq 0 ]
}

@test "a second SIGTERM, or --drain, ends the wait: requests get 503" {
	NPU_EMU_FAULT=infer:1:delay=$HOUR serve -T none --time-wait=none \
	    --in-flight=1 --drain=none
	text a first
	becomes 1 metric in_flight
	text b second
	becomes 1 metric waiting
	kill -TERM "$PID"
	# Two signals at once could count as one signal.
	becomes 7 refused
	kill -0 "$PID"
	stop
	[ "$status" -eq 0 ]
	all_asked
	[ "$(cat a.status b.status | tr '\n' ' ')" = "503 503 " ]
	NPU_EMU_FAULT=infer:1:delay=$HOUR serve -T none --drain=300ms
	text a first
	becomes 1 metric in_flight
	stop
	[ "$status" -eq 0 ]
	all_asked
	[ "$(cat a.status)" = 503 ]
	jq -e .error.message a
}

@test "after an inference that does not end (503), the model is loaded again" {
	need_data images/photos/rclip_cat.jpg
	# Three models were loaded at the start.  The fourth load, of the same
	# model again, is slow.
	NPU_EMU_FAULT=infer:2:timeout,graph:4:delay=8000 serve -T 2s
	one before
	is 503 post /v1/embeddings '{"model":"clip","input":"lost"}'
	jq -e .error.message body
	is 503 ask /readyz
	jq -e '.reason | contains("clip_txt")' body
	is 200 ask /healthz
	# Another role continues.
	is 200 ask /predict -F "image=@$DATA" -F \
	    'entries={"clip":{"visual":{"modelName":"clip"}}}'
	jq -r .clip body | diff - <(vectors "$DATA")
	becomes 200 ask /readyz
	one lost
	[ "$(metric device_resets_total)" -eq 1 ]
	[ "$(grep -c '"status":503' log)" -ge 2 ]
}

@test "if the device is gone, all requests get 503" {
	NPU_EMU_FAULT=infer:2:nodevice serve
	one before
	for i in 1 2 3; do
		is 503 post /embeddings "{\"content\":\"$i\"}"
	done
	is 503 ask /readyz
	jq -e '.reason | length > 0' body
	is 200 ask /healthz
	stop
	[ "$status" -eq 0 ]
}

# faulty REQUESTS: under random faults, each request gets the right answer or an
# error.  The number of descriptors does not grow.
faulty() {
	truths 64
	NPU_EMU_FAULT=infer:1/9:exception,infer:1/60:timeout,$DELAYS \
	    serve -c 0.1 -T 300ms --max-waiting=1000
	client mix "$URL" t 1 2 || :
	local before
	before=$(descriptors)
	run -0 client faults "$URL" t "$1"
	echo "$output"
	[ "$output" = "right errors 0 wrong $1" ]
	becomes 200 ask /readyz
	[ "$(metric waiting)" -eq 0 ]
	[ "$(metric in_flight)" -eq 0 ]
	becomes 1 metric connections
	becomes yes no_more_than "$before"
	stop
	[ "$status" -eq 0 ]
}

@test "random faults of the device: 300 requests get right answers or errors" {
	faulty 300
}

# bats test_tags=slow
@test "random faults of the device: 10000 requests get answers or errors" {
	LONG=1700 faulty 10000
}

# hurt REQUESTS: each damaged request is refused or its connection closed, and
# the server continues.
hurt() {
	# A good request in single bytes must also arrive within these times.
	serve --time-head=6s --time-body=6s --time-idle=6s
	one 'a cat'
	local before
	before=$(descriptors)
	run client damaged "$URL" "$1" "${SEED:-1}"
	echo "$output"
	[ "${lines[0]}" = "$1 damaged" ]
	diff <(echo "${lines[1]}") <(vectors --text='a cat')
	becomes 1 metric connections
	becomes yes no_more_than "$before"
	stop
	[ "$status" -eq 0 ]
}

@test "300 damaged requests are refused or closed, and the server continues" {
	hurt 300
}

# bats test_tags=slow
@test "10000 damaged requests are refused or closed, and the server continues" {
	LONG=1700 hurt 10000
}

@test "it accepts a socket that is passed on (LISTEN_FDS)" {
	: >url
	/usr/bin/python3 "$TOP/tests/tools/serving.py" handed npu-serve -d emu \
	    >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
	[[ $URL =~ ^http://127\.0\.0\.1:[1-9][0-9]*$ ]]
	one handed
	stop
	[ "$status" -eq 0 ]
}

@test "connections to a socket of systemd are kept for the next server" {
	: >url
	NPU_EMU_FAULT=infer:1:delay=$HOUR /usr/bin/python3 \
	    "$TOP/tests/tools/serving.py" again npu-serve -d emu -T none \
	    --drain=none >url 2>log 3>&- &
	PID=$!
	came_up
	URL=$(cat url)
	text a first
	becomes 1 metric in_flight
	kill -TERM "$(child)"
	becomes 28 refused
	text b second
	kill -TERM "$(child)"
	all_asked
	[ "$(cat a.status)" = 503 ]
	right b second
	kill -TERM "$(child)"
	wait "$PID"
	PID=
}

@test "/metrics has the format of Prometheus, and counts requests" {
	serve
	one first
	is 404 ask /none
	is 400 ask /v1/vision/detection -F other=x
	is 200 ask /metrics
	if command -v promtool >/dev/null; then
		promtool check metrics <body
	fi
	# Each line is a comment or NAME{LABELS} NUMBER, and each name has a
	# type.
	awk '
	    /^# HELP npu_serve_[a-z_]+ ./ { next }
	    /^# TYPE npu_serve_[a-z_]+ (counter|gauge|histogram)$/ {
		type[$3] = $4
		next
	    }
	    { name = $0; sub(/\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\}/, "", name) }
	    name ~ /^npu_serve_[a-z_]+ [-0-9.e+]+$/ {
		sub(/ .*/, "", name)
		if (!(name in type))
			sub(/_(bucket|sum|count)$/, "", name)
		if (name in type)
			next
	    }
	    { print "bad: " $0; bad = 1 }
	    END { exit bad }' body
	grep -x 'npu_serve_requests_total{.*v1/embeddings.*200.*} 1' body
	grep -x 'npu_serve_requests_total{.*404.*} 1' body
	grep -x 'npu_serve_failed_detections_total 1' body
	grep -x 'npu_serve_items_total{role="text"} 1' body
}
