#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-serve: requests and command lines that it refuses, and its messages.

load ../support/helper
load ../support/serve

setup() {
	need_data images/photos/bus.jpg
	BUS=$DATA CAT=${DATA%/*}/rclip_cat.jpg
	WEBP=${DATA%/*/*}/pillow-odd/hopper.webp
	export BUS CAT WEBP
	TOKEN=correct-horse-battery-staple
}

# embed STATUS WORDS MEMBERS: /v1/embeddings answers an object with model clip
# and these members with STATUS, and an error that has WORDS.
embed() {
	is "$1" post /v1/embeddings "{\"model\":\"clip\",$3}"
	jq -e '(.error.message | type) == "string"' body >/dev/null
	says "$2"
}

# predict STATUS WORDS [WORD...]: the same for /predict, with words for curl.
predict() {
	local status=$1 words=$2
	shift 2
	is "$status" ask /predict "$@"
	says "$words"
}

# detect STATUS WORDS [WORD...]: the same for /v1/vision/detection.
detect() {
	local status=$1 words=$2
	shift 2
	is "$status" ask /v1/vision/detection "$@"
	jq -e '.success == false and (.error | type) == "string"' body \
	    >/dev/null
	says "$words"
}

# works: the server still answers, with the right vector.
works() {
	is 200 post /v1/embeddings '{"model":"clip","input":"a cat"}'
	answered | diff <(vectors --text='a cat') -
}

# png_of WIDTH HEIGHT: writes a PNG whose header has this size, with too little
# data.
png_of() {
	/usr/bin/python3 -c 'if True:
	    import struct, sys, zlib
	    def chunk(name, data):
	        return (struct.pack(">I", len(data)) + name + data +
	            struct.pack(">I", zlib.crc32(name + data)))
	    size = struct.pack(">II", int(sys.argv[1]), int(sys.argv[2]))
	    sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" +
	        chunk(b"IHDR", size + b"\x08\2\0\0\0") +
	        chunk(b"IDAT", zlib.compress(bytes(30000))) +
	        chunk(b"IEND", b""))' "$@"
}

# brand NAME: writes the first bytes of a picture of this brand (HEIF).
brand() {
	printf '\0\0\0\030ftyp%s\0\0\0\0mif1%s\0\0\0\010mdat' "$1" "$1"
}

# form [TAIL]: writes a form for /predict with the boundary bound.  TAIL
# replaces its end.
form() {
	printf -- '--bound\r\nContent-Disposition: form-data; name="text"\r\n'
	printf '\r\na cat\r\n--bound\r\nContent-Disposition: form-data; '
	printf 'name="entries"\r\n\r\n{"clip":{"textual":{"modelName":'
	printf '"clip"}}}\r\n%s' "${1---bound--}"
	[ $# -gt 0 ] || printf '\r\n'
}

# parts N: sets PARTS to words for curl that send a form of N parts to /predict.
parts() {
	PARTS=(-F "$TEXTUAL" -F text=a)
	for i in $(seq "$(($1 - 2))"); do
		PARTS+=(-F "part$i=x")
	done
}

# padded N: prints a body of N bytes that asks for a vector.
padded() {
	printf '%-*s' "$1" '{"model":"clip","input":"a cat"}'
}

# usage WORDS OPTION...: the options are a usage error whose message has WORDS.
usage() {
	local words=$1
	shift
	run -2 --separate-stderr timeout 60 npu-serve -d emu \
	    --listen=127.0.0.1:0 "$@"
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[0]} == "npu-serve: "*"$words"* ]]
	[ "${stderr_lines[1]}" = \
	    "Try 'npu-serve --help' for more information." ]
}

@test "missing, second, empty, damaged and unknown pictures are refused" {
	serve
	: >empty
	brand heic >p.heic
	brand mif1 >p.heif
	brand avif >p.avif
	echo text >p.txt
	head -c 20000 "$CAT" >cut.jpg
	for how in predict detect; do
		entries=()
		[ $how = detect ] || entries=(-F "$VISUAL")
		$how 400 image "${entries[@]}" -F other=x
		$how 400 image "${entries[@]}" -F "image=@$CAT" \
		    -F "image=@$CAT"
		$how 400 empty "${entries[@]}" -F image=@empty
		$how 400 WebP "${entries[@]}" -F "image=@$WEBP"
		$how 400 'a HEIC' "${entries[@]}" -F image=@p.heic
		$how 400 'a HEIF' "${entries[@]}" -F image=@p.heif
		$how 400 'an AVIF' "${entries[@]}" -F image=@p.avif
		$how 400 'JPEG' "${entries[@]}" -F image=@p.txt
		$how 400 '' "${entries[@]}" -F image=@cut.jpg
	done
	for f in "$WEBP" p.heic p.txt empty cut.jpg; do
		printf '{"model":"clip","modality":"image","input":["%s"]}' \
		    "$(base64 -w 0 "$f")" >in
		is 400 post /v1/embeddings @in
	done
	embed 400 base64 '"input":"data:image/jpeg;base64,####"'
	embed 400 '' '"input":"data:image/jpeg;base64,"'
	works
}

@test "a picture with too many pixels is refused because of its header" {
	serve
	png_of 10000 10000 >p.png
	predict 400 pixels -F "$VISUAL" -F image=@p.png
	detect 400 pixels -F image=@p.png
	stop
	# bus.jpg has 810 x 1080 pixels, which are 874800.
	serve --max-pixels=874799
	detect 400 874799 -F "image=@$BUS"
	works
	stop
	serve --max-pixels=874800
	is 200 ask /v1/vision/detection -F "image=@$BUS"
}

@test "entries that are not JSON, not an object or not served are refused" {
	serve
	[[ $(ask /predict -F entries=x -F text=a) == 4?? ]]
	[[ $(ask /predict -F text=a) == 4?? ]]
	says entries
	[[ $(ask /predict -F 'entries=[]' -F text=a) == 4?? ]]
	[[ $(ask /predict -F 'entries={}' -F text=a) == 4?? ]]
	[[ $(ask /predict -F 'entries={"clip":3}' -F text=a) == 4?? ]]
	[[ $(ask /predict -F 'entries={"clip":{"textual":{}}}' \
	    -F text=a) == 4?? ]]
	predict 501 "'ocr'" -F "image=@$CAT" -F \
	    'entries={"ocr":{"detection":{"modelName":"PP-OCRv5_mobile"},
	    "recognition":{"modelName":"PP-OCRv5_mobile"}}}'
	predict 501 facial-recognition -F "image=@$CAT" -F \
	    'entries={"facial-recognition":{"detection":{"modelName":
	    "buffalo_l"},"recognition":{"modelName":"buffalo_l"}}}'
	predict 400 text -F "$TEXTUAL"
	predict 400 text -F "$TEXTUAL" -F text=a -F text=b
	predict 400 empty -F "$TEXTUAL" -F text=
	predict 400 image -F "$VISUAL" -F text=a
	works
}

@test "min_confidence must be a number from 0 to 1" {
	serve
	for bad in 2 nan inf -0.1 1.0001 half 0.5x 0x1; do
		detect 400 min_confidence -F "image=@$CAT" \
		    -F "min_confidence=$bad"
	done
	for good in 0 1 0.45; do
		is 200 ask /v1/vision/detection -F "image=@$CAT" \
		    -F "min_confidence=$good"
	done
	# An empty min_confidence is ignored, as DeepStack ignores it.
	is 200 ask /v1/vision/detection -F "image=@$CAT" -F min_confidence=
	jq -c .predictions body >empty
	is 200 ask /v1/vision/detection -F "image=@$CAT"
	jq -c .predictions body | diff empty -
	# A refusal is counted, and is not a picture without objects.
	[ "$(metric failed_detections_total)" -eq 8 ]
}

@test "openai: unusable texts, lists, ids and options are refused" {
	serve
	long=$(printf 'cat %.0s' {1..100})
	embed 400 empty '"input":""'
	embed 400 empty '"input":["a",""]'
	embed 400 empty '"input":[]'
	embed 400 input '"user":"me"'
	embed 400 '' '"input":null'
	embed 400 '' '"input":{"text":"a"}'
	embed 400 '' '"input":["a",3]'
	embed 400 77 "\"input\":\"$long\""
	embed 400 49406 '"input":[1,2,3]'
	embed 400 'another vocabulary' '"input":[[49406,320,49407],[9906]]'
	embed 400 49407 '"input":[49406,320]'
	embed 400 '' '"input":[49406,50000,49407]'
	embed 400 '' '"input":[49406,-1,49407]'
	embed 400 '' '"input":[49406,320.5,49407]'
	embed 400 77 "\"input\":[49406,$(printf '320,%.0s' {1..76})49407]"
	embed 400 512 '"input":"a","dimensions":256'
	embed 400 512 '"input":"a","dimensions":513'
	embed 400 encoding_format '"input":"a","encoding_format":"hex"'
	embed 400 modality '"input":"a","modality":"audio"'
	for body in '{"input":"a"}' '{"model":3,"input":"a"}'; do
		is 400 post /v1/embeddings "$body"
		says model
	done
	is 400 post /v1/embeddings '{"model":"clip_visual","input":"a"}'
	is 400 post /v1/embeddings '{"model":"clip_txt","input":
	    "data:image/png;base64,AAAA"}'
	works
}

@test "llama, ollama and tei: unusable texts are refused" {
	serve
	is 400 post /embeddings '{"content":""}'
	is 400 post /embeddings '{"content":[]}'
	is 400 post /embeddings '{"model":"clip"}'
	is 400 post /embeddings '{"content":[{"prompt_string":"<__media__>",
	    "multimodal_data":["AAAA"]}]}'
	is 400 post /api/embed '{"model":"clip","input":""}'
	is 400 post /api/embeddings '{"model":"clip","prompt":["a"]}'
	is 400 post /api/embeddings '{"model":"clip"}'
	[[ $(post /embed '{"inputs":""}') =~ ^4(00|22)$ ]]
	[[ $(post /embed '{"inputs":[]}') =~ ^4(00|22)$ ]]
	[[ $(post /embed '{}') =~ ^4(00|22)$ ]]
	[[ $(post /embed '{"inputs":"a","normalize":3}') =~ ^4(00|22)$ ]]
	works
}

@test "--max-items: a request with one item more is refused with 413" {
	serve --max-items=3
	is 200 post /v1/embeddings '{"model":"clip","input":["a","b","c"]}'
	answered | diff <(vectors --text=a --text=b --text=c) -
	four='["a","b","c","d"]'
	embed 413 3 "\"input\":$four"
	is 413 post /embeddings "{\"content\":$four}"
	is 413 post /api/embed "{\"model\":\"clip\",\"input\":$four}"
	is 413 post /embed "{\"inputs\":$four}"
	stop
	serve
	list=$(printf ',"a"%.0s' {1..2049})
	embed 413 2048 "\"input\":[${list#,}]"
}

@test "bad JSON is refused: duplicate keys, deep nesting, NUL, not an object" {
	serve
	nested() {
		printf '"x":'
		printf '[%.0s' $(seq "$1")
		printf ']%.0s' $(seq "$1")
	}
	embed 400 duplicate '"input":"a","input":"b"'
	embed 400 NUL '"input":"a\u0000b"'
	# The object is the first of 32 levels that are allowed.
	embed 400 nested "\"input\":\"a\",$(nested 32)"
	is 200 post /v1/embeddings \
	    "{\"model\":\"clip\",\"input\":\"a\",$(nested 31)}"
	for bad in '' '{' '[]' '"a"' '{"model":"clip","input":"a"} {}' \
	    "{'model':'clip'}" '{"model":"clip","input":NaN}'; do
		is 400 post /v1/embeddings "$bad"
		is 400 post /embeddings "$bad"
		is 400 post /api/embed "$bad"
		[[ $(post /embed "$bad") =~ ^4(00|22)$ ]]
	done
	printf '{"model":"clip","input":"a\377b"}' >in
	is 400 post /v1/embeddings @in
	printf '{"model":"clip","input":"a\0b"}' >in
	is 400 post /v1/embeddings @in
	works
}

@test "a body that is not a form, or a damaged form, is refused" {
	serve
	multi='Content-Type: multipart/form-data; boundary=bound'
	form >in
	is 200 ask /predict -H "$multi" --data-binary @in
	jq -r .clip body | diff <(vectors --text='a cat') -
	predict 400 multipart/form-data -H 'Content-Type: text/plain' -d a
	predict 400 form -H 'Content-Type: application/json' -d '{}'
	predict 400 multipart/form-data -d text=a
	predict 400 boundary -H 'Content-Type: multipart/form-data' -d a
	detect 400 multipart/form-data -H 'Content-Type: text/plain' -d a
	for end in '' --bou --bound; do
		form "$end" >in
		predict 400 boundary -H "$multi" --data-binary @in
	done
	head -c 100 in >cut
	predict 400 '' -H "$multi" --data-binary @cut
	is 400 ask /v1/embeddings -H "$multi" --data-binary @in
	works
}

@test "a form with more than 16 parts, or with a long name, is refused" {
	serve
	parts 16
	is 200 ask /predict "${PARTS[@]}"
	parts 17
	predict 400 16 "${PARTS[@]}"
	name=$(printf 'n%.0s' {1..1000})
	predict 400 name -F "$TEXTUAL" -F text=a -F "$name=x"
	works
}

@test "compressed bodies, wrong methods and unknown paths are refused" {
	serve
	echo '{"model":"clip","input":"a"}' | gzip >in
	[[ $(post /v1/embeddings @in -H 'Content-Encoding: gzip') == 4?? ]]
	is 415 ask /v1/embeddings -H 'Content-Encoding: gzip' \
	    -H 'Content-Type: application/json' --data-binary @in
	says gzip
	is 415 ask /predict -H 'Content-Encoding: deflate' -F "$TEXTUAL" \
	    -F text=a
	for path in /v1/embeddings /predict /v1/vision/detection /embeddings \
	    /api/embed /api/embeddings /embed /v1/vision/custom/yolov8n \
	    /v1/vision/custom/list; do
		is 405 ask $path
		grep -qi '^allow: POST' head
	done
	for path in /v1/models /ping /props /api/tags /api/version /info \
	    /healthz /readyz /health /metrics /v1/server/status/ping; do
		is 405 ask $path -X POST -d ''
		grep -qi '^allow: GET' head
		is 405 ask $path -X DELETE
	done
	for path in /none /v1 /v1/ /predict/ /v1/vision/face \
	    /v1/vision/custom/ /../etc/passwd /v1/embeddings/..; do
		is 404 ask $path --path-as-is
		is 404 ask $path --path-as-is -X POST -d '{}'
		# The server did not look for a model.
		[ "$(jq -c '.error | [.type, .param, .code]' body)" = \
		    '["invalid_request_error",null,null]' ]
	done
	works
}

@test "--max-body: one byte more is refused, with a length and chunked" {
	serve --max-body=1000
	chunked='Transfer-Encoding: chunked'
	padded 1000 >in
	padded 1001 >more
	for how in 'X-Nothing: 1' "$chunked"; do
		is 200 ask /v1/embeddings -H "$how" --data-binary @in \
		    -H 'Content-Type: application/json'
		answered | diff <(vectors --text='a cat') -
		is 413 ask /v1/embeddings -H "$how" --data-binary @more \
		    -H 'Content-Type: application/json'
		says 1000
	done
	predict 413 1000 -F "$TEXTUAL" -F "text=$(tr ' ' x <more)"
	detect 413 1000 -F "image=@$CAT"
	detect 413 1000 -F "image=@$CAT" -H "$chunked"
	[ "$(metric failed_detections_total)" -eq 2 ]
	works
}

@test "--token-file: each API accepts the token, and refuses wrong ones" {
	printf '%s\nsecond line\n' "$TOKEN" >token
	serve --token-file=token
	json=(-H 'Content-Type: application/json'
	    -d '{"model":"clip","input":"a cat"}')
	for way in 'Authorization: Bearer' 'x-api-key:'; do
		is 200 ask /v1/embeddings -H "$way $TOKEN" "${json[@]}"
		answered | diff <(vectors --text='a cat') -
		is 200 ask /predict -H "$way $TOKEN" -F "$TEXTUAL" -F text=a
		is 200 ask /v1/models -H "$way $TOKEN"
		is 200 ask /metrics -H "$way $TOKEN"
		for wrong in "${TOKEN}x" "${TOKEN%?}" "x$TOKEN" \
		    "${TOKEN%?}x" x "second line"; do
			is 401 ask /v1/embeddings -H "$way $wrong" \
			    "${json[@]}"
			jq -e .error.message body
		done
	done
	is 200 ask /v1/vision/detection -F "image=@$CAT" -F "api_key=$TOKEN"
	is 200 ask /v1/vision/detection -F "api_key=$TOKEN" -F "image=@$CAT"
	for wrong in '' "${TOKEN}x" "${TOKEN%?}"; do
		detect 401 '' -F "image=@$CAT" -F "api_key=$wrong"
	done
	detect 401 '' -F "image=@$CAT"
	predict 401 token -F "$TEXTUAL" -F text=a
	is 401 ask /v1/embeddings "${json[@]}"
	is 401 ask /v1/embeddings -H "Authorization: Basic $TOKEN" \
	    "${json[@]}"
	for path in /v1/models /props /info /api/tags /metrics; do
		is 401 ask $path
	done
	for path in /embeddings /api/embed /api/embeddings /embed; do
		is 401 post $path '{"model":"clip","input":"a"}'
		jq -e .error body
	done
	is 401 ask /v1/vision/custom/list -X POST
	for path in / /ping /health /healthz /readyz /api/version \
	    /v1/server/status/ping; do
		is 200 ask $path
	done
}

@test "the log has the documented members, and no text, name or token" {
	echo "$TOKEN" >token
	cp "$CAT" hidden-name.jpg
	serve --token-file=token
	local auth="Authorization: Bearer $TOKEN"
	json=(-H 'Content-Type: application/json' -H "$auth")
	is 200 ask /v1/embeddings "${json[@]}" \
	    -d '{"model":"clip","input":["hidden text","b"]}'
	is 404 ask /v1/embeddings "${json[@]}" \
	    -d '{"model":"hidden-model","input":"hidden text"}'
	long=$(printf 'hidden %.0s' {1..100})
	is 400 ask /v1/embeddings "${json[@]}" \
	    -d "{\"model\":\"clip\",\"input\":\"$long\"}"
	is 200 ask /v1/vision/detection -F image=@hidden-name.jpg \
	    -F "api_key=$TOKEN"
	is 401 ask /v1/vision/detection -F image=@hidden-name.jpg \
	    -F api_key=hidden-key
	is 404 ask /v1/vision/custom/hidden-model -F image=@hidden-name.jpg \
	    -F "api_key=$TOKEN"
	is 404 ask '/hidden-path?key=hidden' -H "$auth"
	is 404 ask '/props?model=hidden' -H "$auth"
	stop
	run -1 grep -e hidden -e "$TOKEN" log
	grep '^{' log >lines
	jq -c '[.route, .status, .items]' lines | diff - <(cat <<-'END'
		["/v1/embeddings",200,2]
		["/v1/embeddings",404,0]
		["/v1/embeddings",400,1]
		["/v1/vision/detection",200,1]
		["/v1/vision/detection",401,0]
		["/v1/vision/custom/*",404,0]
		[null,404,0]
		["/props",404,0]
	END
	)
	jq -c 'keys' lines | sort -u | diff - <(echo '["answer_bytes",
	    "bytes","client","infer_ms","items","route","status","time",
	    "total_ms","wait_ms"]' | jq -c .)
	jq -s -e '.[0] | .bytes == 44 and .answer_bytes > 1000 and
	    (.client | startswith("127.0.0.1")) and .infer_ms >= 0 and
	    .wait_ms <= .total_ms' lines
	serve -q
	works
	stop
	[ ! -s log ]
}

@test "-o appends the log to a file, which may be truncated meanwhile" {
	echo before >out.log
	serve -o out.log
	works
	becomes 2 grep -c '' out.log
	[ "$(head -n 1 out.log)" = before ]
	[ "$(tail -n 1 out.log | jq .status)" -eq 200 ]
	: >out.log
	works
	becomes 1 grep -c '' out.log
	jq -e .route out.log
	[ ! -s log ]
}

@test "-o: a log that cannot be written is one warning, and - is stderr" {
	serve -o /dev/full
	works
	works
	becomes 1 grep -c 'the log: No space left on device' log
	stop
	[ "$status" -eq 0 ]
	[ "$(grep -c 'the log' log)" = 1 ]
	serve -o -
	works
	becomes 1 grep -c '"status":200' log
}

@test "--origin: only these web pages may read answers" {
	serve
	is 200 ask /v1/models -H 'Origin: https://photos.example'
	run -1 grep -i '^access-control' head
	stop
	serve --origin=https://photos.example
	is 200 ask /v1/models -H 'Origin: https://photos.example'
	grep -i '^access-control-allow-origin: https://photos.example' head
	[[ $(ask /v1/embeddings -X OPTIONS -H 'Origin: https://photos.example' \
	    -H 'Access-Control-Request-Method: POST') == 20? ]]
	grep -i '^access-control-allow-origin: https://photos.example' head
	is 404 ask /none -H 'Origin: https://other.example'
	run -1 grep -i 'other.example' head
}

@test "other machines can connect only with --token-file or --no-token" {
	echo "$TOKEN" >token
	for address in 0.0.0.0:0 '[::]:0'; do
		[ -s /proc/net/if_inet6 ] || [ "$address" = 0.0.0.0:0 ] ||
		    continue
		usage 'can be reached from other machines' --listen="$address"
		for how in --no-token --token-file=token; do
			serve --listen="$address" $how
			[[ $(cat url) =~ ^http://.*:[1-9][0-9]*$ ]]
			URL=http://127.0.0.1:${URL##*:}
			is 200 ask /healthz
			stop
		done
	done
}

@test "a usage error prints a line with the option, and a hint; status 2" {
	usage --listen --listen=x
	usage --listen --listen=127.0.0.1
	usage --listen --listen=127.0.0.1:70000
	usage --listen --listen=localhost.example:80
	usage unix --listen=unix:
	usage --model -m video=x
	usage --model -m text
	usage --alias --alias=a
	usage --alias --alias==clip
	usage --alias --alias=a=none
	usage --api --api=
	usage --api --api=openai,none
	for bad in '' foo null photos.example https:// //photos.example \
	    https://photos.example/ https://photos.example/path \
	    https://a@photos.example https://photos.example: \
	    https://photos.example:70000 https://photos.example:0x50 \
	    'https://a b' https://a,https://b 1http://a 'https://[::1' '**'; do
		usage --origin --origin="$bad"
	done
	# Good origins are accepted: the error is about the operand.
	for good in '*' http://localhost:3000 'http://[::1]:8080' \
	    https://photos.example moz-extension://a1b2; do
		usage "'operand'" --origin="$good" operand
	done
	usage --max-items --max-items=0
	usage --max-items --max-items=12x
	usage --max-body --max-body=x
	usage --max-pixels --max-pixels=-1
	usage --max-waiting --max-waiting=-1
	usage --max-connections --max-connections=0
	usage --max-per-address --max-per-address=x
	usage --in-flight --in-flight=0
	usage --in-flight --in-flight=65
	usage --jobs -j 1000
	usage --conf -c 2
	usage --conf -c nan
	usage --iou --iou=-1
	usage --count -n -1
	for option in head body wait idle; do
		usage --time-$option --time-$option=10x
		usage --time-$option --time-$option=-1s
	done
	usage --drain --drain=x
	usage --timeout -T 0
	usage --only --only=dragon
	usage --only --only=80
	usage "'operand'" operand
	usage --time-heads --time-heads=1s
	echo "$TOKEN" >token
	usage --no-token --no-token --token-file=token
	usage --output -o ''
	usage --quiet -q -o file
	usage --device --health --device=emu
	usage --token-file --health --token-file=token
}

@test "a file that cannot be used is status 1, with the name of the file" {
	: >empty
	for bad in --token-file=none --names=none -mtext=none.cix \
	    --token-file=empty -mdetect=empty --listen=unix:none/sock \
	    --output=none/log; do
		run -1 --separate-stderr timeout 60 npu-serve -d emu \
		    --listen=127.0.0.1:0 $bad
		[ -z "$output" ]
		[[ ${stderr_lines[-1]} == "npu-serve: "* ]]
		[[ $stderr == *none* || $stderr == *empty* ]]
	done
	# These models belong to other roles.
	run -1 --separate-stderr timeout 60 npu-serve -d emu \
	    --listen=127.0.0.1:0 -m detect=clip_txt.cix
	[[ $stderr == "npu-serve: "*clip_txt* ]]
	run -1 --separate-stderr timeout 60 npu-serve -d emu \
	    --listen=127.0.0.1:0 -m text=yolov8n.cix
	# Another server has the address.
	serve
	run -1 --separate-stderr timeout 60 npu-serve -d emu \
	    --listen="${URL#http://}"
	[ -z "$output" ]
	[[ $stderr == "npu-serve: "*"${URL#http://}: "*"another server"*"port" ]]
	works
	# A file that is not a socket has the name.
	run -1 --separate-stderr timeout 60 npu-serve -d emu \
	    --listen=unix:empty
	[[ $stderr == "npu-serve: "*"unix:empty: a file"*" not a socket"* ]]
}

@test "without a device, the status is 3" {
	run -3 --separate-stderr timeout 60 npu-serve -d npu \
	    --node="$PWD/none" -L "$PWD/libnoe.so" --listen=127.0.0.1:0
	[ -z "$output" ]
	run -3 --separate-stderr env NPU_EMU_FAULT='init:*:nodevice' \
	    timeout 60 npu-serve -d emu --listen=127.0.0.1:0
	[ -z "$output" ]
	[[ $stderr == "npu-serve: "* ]]
}
