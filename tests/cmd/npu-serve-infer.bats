#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-serve: the Open Inference Protocol, compared with npu-run, npu-quant and
# npu-dequant.

load ../support/helper
load ../support/serve

# tiny TYPE [SCALE ZERO]: writes a detector of 8 x 8 pixels.  Input and output
# have this type, and the output has the input's numbers.
tiny() {
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >tiny.onnx
	cix-pack -o tiny.cix -I "image:$1:1x3x8x8:${2:-1}:${3:-0}" \
	    -O "boxes:$1:1x6x32:${2:-1}:${3:-0}" tiny.onnx
	printf 'one\ntwo\n' >names
}

# from_json: writes the numbers of the file body as floats.
from_json() {
	jq '.outputs[].data[]' body |
	    perl -e 'print pack("f<*", <>)'
}

# numbers TYPE FILE: prints the elements of FILE with commas between them.  TYPE
# is a type of od.
numbers() {
	od -An -v -t "$1" "$2" | tr -s ' \n' , | sed 's/^,//; s/,$//'
}

# request MODEL JSON [FILE]: sends a request for an inference, with the bytes of
# FILE after the JSON.
request() {
	printf %s "$2" >in
	[ $# -lt 3 ] || cat "$3" >>in
	ask "/v2/models/$1/infer" --data-binary @in \
	    -H 'Content-Type: application/octet-stream' \
	    ${3:+-H "Inference-Header-Content-Length: ${#2}"}
}

# tensor NAME TYPE SHAPE MEMBER: prints an input of a request.
tensor() {
	printf '{"name":"%s","datatype":"%s","shape":[%s],%s}' "$@"
}

# behind N: prints the member which says that a tensor's N bytes follow the
# JSON.
behind() {
	printf '"parameters":{"binary_data_size":%d}' "$1"
}

# apart: splits the answer: its JSON goes to head.json, the bytes after it to
# bytes.
apart() {
	local n
	n=$(sed -n 's/^Inference-Header-Content-Length: //Ip' head | tr -d '\r')
	head -c "$n" body >head.json
	tail -c "+$((n + 1))" body >bytes
	[ "$(jq '.outputs[0].parameters.binary_data_size' head.json)" -eq \
	    "$(wc -c <bytes)" ]
}

# refused STATUS WORDS MODEL JSON [FILE]: the request gets STATUS, and an error
# with WORDS.
refused() {
	is "$1" request "${@:3}"
	grep -q '^{"error":".*"}$' body
	says "$2"
}

BYTES='"parameters":{"binary_data_output":true}'
REAL='"parameters":{"float":true}'

@test "infer: the paths of the server and of its models are answered" {
	serve
	is 200 ask /v2
	jq -c '[.name, .extensions]' body |
	    diff <(echo '["npu-serve",["binary_tensor_data"]]') -
	is 200 ask /v2/health/live
	[ "$(cat body)" = '{"live":true}' ]
	is 200 ask /v2/health/ready
	[ "$(cat body)" = '{"ready":true}' ]
	for name in clip_txt clip_visual yolov8n; do
		is 200 ask "/v2/models/$name"
		jq -c '[.name, .platform], (.inputs[], .outputs[] |
		    [.name, .datatype, .shape])' body
		is 200 ask "/v2/models/$name/ready"
		jq -c . body
	done >got
	# The inputs and outputs are the same as in npu-info.
	diff - got <<-'END'
		["clip_txt","cix"]
		["text","INT32",[1,77]]
		["embedding","INT8",[1,512]]
		{"name":"clip_txt","ready":true}
		["clip_visual","cix"]
		["image","INT8",[1,3,224,224]]
		["embedding","INT8",[1,512]]
		{"name":"clip_visual","ready":true}
		["yolov8n","cix"]
		["images","UINT8",[1,3,640,640]]
		["output0","FP16",[1,84,8400]]
		{"name":"yolov8n","ready":true}
	END
	is 200 ask /v2/models/clip_txt
	jq -r '.versions[]' body >version
	is 200 ask /v1/models
	jq -r '.data[] | select(.id == "clip_txt") | .fingerprint' body |
	    diff version -
}

@test "infer: JSON in and out has the same numbers as npu-run, and the id" {
	serve
	clip-tokenize -r --text='a red bus' >ids
	npu-run -q -d emu -r clip_txt.cix ids >want
	in=$(tensor text INT32 1,77 "\"data\":[$(numbers d4 ids)]")
	is 200 request clip_txt "{\"id\":\"mine\",\"inputs\":[$in]}"
	jq -c '[.model_name, .id, (.outputs[0] | .name, .datatype, .shape)]' \
	    body | diff - <(echo \
	    '["clip_txt","mine","embedding","INT8",[1,512]]')
	jq -c '.outputs[].data' body | diff <(echo "[$(numbers d1 want)]") -
	# Nested lists of the same shape are accepted.
	in=$(tensor text INT32 1,77 "\"data\":[[$(numbers d4 ids)]]")
	is 200 request clip_txt "{\"inputs\":[$in]}"
	jq -c '.outputs[].data' body | diff <(echo "[$(numbers d1 want)]") -
	[ "$(jq 'has("id")' body)" = false ]
}

@test "infer: bytes in and out are npu-run's bytes, in the model's types" {
	need_data images/photos/bus.jpg
	serve
	img-tensor -q -r -m yolov8n.cix "$DATA" >pixels
	npu-run -q -d emu -r yolov8n.cix pixels >want
	in=$(tensor images UINT8 1,3,640,640 "$(behind 1228800)")
	is 200 request yolov8n "{\"inputs\":[$in],$BYTES}" pixels
	grep -qi '^content-type: application/octet-stream' head
	apart
	cmp want bytes
	jq -c '.outputs[0] | [.name, .datatype, .shape, has("data")]' \
	    head.json | diff <(echo '["output0","FP16",[1,84,8400],false]') -
	# Bytes in and JSON out, then JSON in and bytes out.
	clip-tokenize -r --text='a red bus' >ids
	npu-run -q -d emu -r clip_txt.cix ids >want
	in=$(tensor text INT32 1,77 "$(behind 308)")
	is 200 request clip_txt "{\"inputs\":[$in]}" ids
	jq -c '.outputs[].data' body | diff <(echo "[$(numbers d1 want)]") -
	in=$(tensor text INT32 1,77 "\"data\":[$(numbers d4 ids)]")
	is 200 request clip_txt "{\"inputs\":[$in],$BYTES}"
	apart
	cmp want bytes
}

@test "infer: float converts numbers as npu-quant and npu-dequant do" {
	need_data images/photos/bus.jpg
	serve
	img-tensor -q -m clip_visual.cix "$DATA" | npu-dequant -r >floats
	# Numbers between two steps, and outside the range of the type.
	f32 0.01 -0.007 1000 -1000 | dd of=floats conv=notrunc status=none
	npu-quant -q -m clip_visual.cix floats |
	    npu-run -q -d emu clip_visual.cix | npu-dequant -r >want
	in=$(tensor image FP32 1,3,224,224 "$(behind 602112)")
	parameters='"parameters":{"float":true,"binary_data_output":true}'
	is 200 request clip_visual "{\"inputs\":[$in],$parameters}" floats
	apart
	cmp want bytes
	jq -c '.outputs[0] | [.datatype, .shape]' head.json |
	    diff <(echo '["FP32",[1,512]]') -
	# JSON has the same numbers with all their digits.
	is 200 request clip_visual "{\"inputs\":[$in],$REAL}" floats
	from_json | cmp want -
	jq -c '.outputs[0] | [.datatype, .shape]' body |
	    diff <(echo '["FP32",[1,512]]') -
}

@test "infer: JSON numbers are converted to and from FP16" {
	tiny f16
	serve -m detect=tiny.cix --names=names
	mapfile -t list < <(seq -32 0.3 25.3)
	f32 "${list[@]}" | npu-quant -q -r -t f16 >want
	in=$(tensor image FP16 1,3,8,8 "\"data\":[$(IFS=,; echo "${list[*]}")]")
	is 200 request tiny "{\"inputs\":[$in],$BYTES}"
	apart
	cmp want bytes
	is 200 request tiny "{\"inputs\":[$in]}"
	from_json | cmp <(npu-dequant -q -r -t f16 <want) -
	jq -c '.outputs[0] | [.datatype, .shape]' body |
	    diff <(echo '["FP16",[1,6,32]]') -
	in=$(tensor image FP16 1,3,8,8 "$(behind 384)")
	is 200 request tiny "{\"inputs\":[$in],$BYTES}" want
	apart
	cmp want bytes
}

@test "infer: outputs can be selected, each as JSON or as bytes" {
	serve
	clip-tokenize -r --text='a red bus' >ids
	npu-run -q -d emu -r clip_txt.cix ids >want
	in="\"inputs\":[$(tensor text INT32 1,77 "$(behind 308)")]"
	for out in '"outputs":[]' '"outputs":[{"name":"embedding"}]'; do
		is 200 request clip_txt "{$in,$out}" ids
		jq -c '.outputs[].data' body |
		    diff <(echo "[$(numbers d1 want)]") -
	done
	out='{"name":"embedding","parameters":{"binary_data":true}}'
	is 200 request clip_txt "{$in,\"outputs\":[$out]}" ids
	apart
	cmp want bytes
	# The parameters of an output have priority over the parameters of the
	# request.
	is 200 request clip_txt \
	    "{$in,\"outputs\":[{\"name\":\"embedding\"}],$BYTES}" ids
	apart
	cmp want bytes
	out='{"name":"embedding","parameters":{"binary_data":false}}'
	is 200 request clip_txt "{$in,\"outputs\":[$out],$BYTES}" ids
	jq -c '.outputs[].data' body | diff <(echo "[$(numbers d1 want)]") -
	for out in '{"name":"none"}' '{"name":"embedding"},{"name":"none"}' \
	    '{"name":"embedding"},{"name":"embedding"}' '{}' '"embedding"'; do
		refused 400 "'embedding'" clip_txt "{$in,\"outputs\":[$out]}" ids
	done
	refused 400 outputs clip_txt "{$in,\"outputs\":{}}" ids
}

@test "infer: missing or unknown inputs, wrong types and sizes are refused" {
	serve
	clip-tokenize -r --text='a red bus' >ids
	good=$(tensor text INT32 1,77 "\"data\":[$(numbers d4 ids)]")
	try() { refused 400 "$1" clip_txt "{\"inputs\":[$2]}" "${@:3}"; }
	refused 404 "'none'" none "{\"inputs\":[$good]}"
	refused 404 "two models" clip "{\"inputs\":[$good]}"
	refused 400 inputs clip_txt '{}'
	refused 400 inputs clip_txt '{"inputs":{}}'
	refused 400 '' clip_txt '[]'
	refused 400 '' clip_txt '{"inputs":'
	try 'one tensor' ''
	try 'one tensor' "$good,$good"
	try "'text'" "$(tensor none INT32 1,77 '"data":[1]')"
	try "'text'" '{"datatype":"INT32","shape":[1,77],"data":[1]}'
	try INT32 "$(tensor text INT64 1,77 '"data":[1]')"
	try INT32 "$(tensor text FP32 1,77 '"data":[1]')"
	try INT32 '{"name":"text","shape":[1,77],"data":[1]}'
	try shape '{"name":"text","datatype":"INT32","data":[1]}'
	try shape "$(tensor text INT32 1,-77 '"data":[1]')"
	try shape "$(tensor text INT32 1,77.5 '"data":[1]')"
	try 'data' "$(tensor text INT32 1,77 '"more":1')"
	# The message has both sizes.
	try '78 elements, and the model'\''s input has 77' \
	    "$(tensor text INT32 1,78 '"data":[1]')"
	try '3 elements, and the model'\''s input 77' \
	    "$(tensor text INT32 1,77 '"data":[1,2,3]')"
	try 'more than the 77' \
	    "$(tensor text INT32 1,77 "\"data\":[1,$(numbers d4 ids)]")"
	head -c 304 ids >short
	try '304 bytes, and the model'\''s input 308' \
	    "$(tensor text INT32 1,77 "$(behind 304)")" short
	try '308 bytes behind' "$(tensor text INT32 1,77 "$(behind 304)")" ids
	try 'no input has binary_data_size' "$good" ids
	is 400 ask /v2/models/clip_txt/infer -d "{\"inputs\":[$good]}" \
	    -H 'Inference-Header-Content-Length: 999999'
	says 999999
	for v in 2147483648 -2147483649 1.5 true null '"1"'; do
		try 'data 76' "$(tensor text INT32 1,77 \
		    "\"data\":[$(numbers d4 <(head -c 304 ids)),$v]")"
	done
	is 200 request clip_txt "{\"inputs\":[$good]}"
}

@test "infer: a NaN, and numbers outside the type's range, are refused" {
	tiny s8 4 1
	serve -m detect=tiny.cix --names=names
	f32 $(seq 0 191) | tee floats >nan
	perl -e 'print pack "f<", "nan"' |
	    dd of=nan bs=4 seek=5 conv=notrunc status=none
	in="\"inputs\":[$(tensor image FP32 1,3,8,8 "$(behind 768)")]"
	refused 400 5 tiny "{$in,$REAL}" nan
	says NaN
	is 200 request tiny "{$in,$REAL}" floats
	for v in NaN null 1e999 '"1"'; do
		in=$(tensor image FP32 1,3,8,8 \
		    "\"data\":[$v,$(seq -s, 1 191)]")
		refused 400 '' tiny "{\"inputs\":[$in],$REAL}"
	done
	# Without float, FP32 is not the input's type.
	in=$(tensor image FP32 1,3,8,8 "$(behind 768)")
	refused 400 INT8 tiny "{\"inputs\":[$in]}" floats
	for v in 128 -129; do
		in=$(tensor image INT8 1,3,8,8 \
		    "\"data\":[$v,$(seq -s, 1 127),$(seq -s, 0 63)]")
		refused 400 '-128 to 127' tiny "{\"inputs\":[$in]}"
	done
}
