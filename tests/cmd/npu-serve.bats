#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-serve: its answers, compared with the output of the other programs.

load ../support/helper
load ../support/serve

setup() {
	need_data images/photos/bus.jpg
	BUS=$DATA CAT=${DATA%/*}/rclip_cat.jpg
	UPRIGHT=${DATA%/*/*}/exif/Landscape_6.jpg
	export BUS CAT UPRIGHT
}

# data_url FILE TYPE: prints the data: URL of a picture.
data_url() {
	printf 'data:image/%s;base64,' "$2"
	base64 -w 0 "$1"
}

# predicted: prints the predictions of the file body.
predicted() {
	jq -c '.predictions[] |
	    [.confidence, .label, .x_min, .y_min, .x_max, .y_max]' body
}

# names: prints the names of the models, as /v1/models lists them.
names() {
	is 200 ask /v1/models
	jq -r '.data[].id' body
}

# fingerprint NAME: prints a model's fingerprint, as /v1/models lists it.
fingerprint() {
	is 200 ask /v1/models
	jq -r --arg name "$1" '.data[] | select(.id == $name) | .fingerprint' \
	    body
}

@test "stdout has only the server's address; SIGTERM ends it with status 0" {
	serve
	[[ $URL =~ ^http://127\.0\.0\.1:[1-9][0-9]*$ ]]
	is 200 ask /healthz
	is 200 ask /readyz
	is 200 ask /health
	stop
	[ "$status" -eq 0 ]
	[ "$(cat url)" = "$URL" ]
}

@test "--listen: IPv6 addresses and unix sockets work" {
	if [ -s /proc/net/if_inet6 ]; then
		serve --listen='[::1]:0'
		[[ $URL =~ ^http://\[::1\]:[1-9][0-9]*$ ]]
		is 200 ask /healthz
		stop
	fi
	serve --listen=unix:sock
	URL=http://localhost
	is 200 ask /healthz --unix-socket sock
	is 200 ask /v1/embeddings \
	    --unix-socket sock -H 'Content-Type: application/json' \
	    -d '{"model":"clip","input":"a cat"}'
	answered | diff <(vectors --text='a cat') -
	stop
	[ "$status" -eq 0 ]
}

@test "--alias: each model and each alias has a name; clip comes first" {
	serve --alias=mine=clip --alias=words=text --alias=again=clip_visual
	names >list
	[ "$(head -n 1 list)" = clip ]
	sort list | diff <(sort <<-END
		clip
		clip_txt
		clip_visual
		ViT-B-32__openai
		mine
		words
		again
	END
	) -
	jq -c '.data[] | [.id, .object, .architecture.input_modalities]' \
	    body | sort | diff <(sort <<-END
		["clip","model",["text","image"]]
		["clip_txt","model",["text"]]
		["clip_visual","model",["image"]]
		["ViT-B-32__openai","model",["text","image"]]
		["mine","model",["text","image"]]
		["words","model",["text"]]
		["again","model",["image"]]
	END
	) -
	[ "$(jq -r .object body)" = list ]
	is 200 ask /api/tags
	jq -r '.models[].name' body | sort | diff <(sort list) -
	[ "$(jq -r '.models[0].name' body)" = clip ]
	is 200 ask /v1/vision/custom/list -X POST
	[ "$(jq -c '[.success, .models]' body)" = '[true,["yolov8n"]]' ]
	is 200 ask /info
	[ "$(jq -c '[.model_id, .max_input_length, .max_client_batch_size]' \
	    body)" = '["clip",77,2048]' ]
	is 200 post /v1/embeddings '{"model":"words","input":"a cat"}'
	[ "$(jq -r .model body)" = words ]
	answered | diff <(vectors --text='a cat') -
}

@test "the status paths of all APIs are answered" {
	serve
	is 200 ask /ping
	[ "$(cat body)" = pong ]
	is 200 ask /
	is 200 ask /v1/server/status/ping
	[ "$(jq .success body)" = true ]
	is 200 ask /api/version
	[ "$(jq -r .version body)" = \
	    "$(npu-serve -V | grep -o 'libnpu [0-9.]*' | cut -d' ' -f2)" ]
	is 200 ask '/props?model=clip'
	[ "$(jq -c '[.modalities.vision, .media_marker,
	    .default_generation_settings.n_ctx]' body)" = \
	    '[true,"<__media__>",77]' ]
	is 200 ask '/props?model=clip_txt'
	[ "$(jq .modalities.vision body)" = false ]
}

@test "openai: a text or a list gives clip-embed's vectors, in their order" {
	serve
	is 200 post /v1/embeddings '{"model":"clip","input":"a red bus"}'
	answered | diff <(vectors --text='a red bus') -
	[ "$(jq -c '[.object, .model, (.data | length), .data[0].object,
	    .data[0].index]' body)" = '["list","clip",1,"embedding",0]' ]
	# The text's five ids are a, red, bus, the start and the end.
	[ "$(jq -c .usage body)" = '{"prompt_tokens":5,"total_tokens":5}' ]
	is 200 post /v1/embeddings '{"model":"clip_txt","input":["a cat",
	    "a dog","caf\u00e9 &amp; bar","a cat"],"user":"me"}'
	answered | diff <(vectors --text='a cat' --text='a dog' \
	    --text='café &amp; bar' --text='a cat') -
	[ "$(jq -c '[.data[].index]' body)" = '[0,1,2,3]' ]
}

@test "openai: ids of clip-tokenize give the same vectors as their texts" {
	serve
	a=$(clip-tokenize -F ids --text='a photo of a cat' | tr ' ' ,)
	b=$(clip-tokenize -F ids --text='two dogs' | tr ' ' ,)
	is 200 post /v1/embeddings "{\"model\":\"clip\",\"input\":[$a]}"
	answered | diff <(vectors --text='a photo of a cat') -
	[ "$(jq '.data | length' body)" -eq 1 ]
	[ "$(jq .usage.prompt_tokens body)" -eq \
	    "$(clip-tokenize --lengths --text='a photo of a cat')" ]
	is 200 post /v1/embeddings "{\"model\":\"clip\",\"input\":[[$b],[$a]]}"
	answered | diff <(vectors --text='two dogs' \
	    --text='a photo of a cat') -
}

@test "openai: base64 encodes the same floats, little-endian" {
	serve
	is 200 post /v1/embeddings '{"model":"clip","input":["a cat","b"],
	    "encoding_format":"base64"}'
	jq -r '.data[].embedding' body | while read -r v; do
		base64 -d <<<"$v"
	done >got
	clip-embed -q -d emu -r --text='a cat' --text=b | cmp - got
	is 200 post /v1/embeddings '{"model":"clip","input":"a cat",
	    "encoding_format":"float","dimensions":512}'
	answered | diff <(vectors --text='a cat') -
}

@test "openai: an input is a picture if it is a data: URL or by modality" {
	serve
	mkpic gray.jpg >gray.jpg
	b=$(base64 -w 0 "$CAT")
	printf '{"model":"clip","input":["%s","a cat","%s"]}' \
	    "$(data_url "$CAT" jpeg)" "$(data_url gray.jpg jpeg)" >in
	is 200 post /v1/embeddings @in
	{
		vectors "$CAT"
		vectors --text='a cat'
		vectors gray.jpg
	} >want
	answered | diff want -
	printf '{"model":"clip_visual","modality":"image","input":"%s"}' \
	    "$b" >in
	is 200 post /v1/embeddings @in
	answered | diff <(vectors "$CAT") -
	is 200 post /v1/embeddings '{"model":"clip","modality":"text",
	    "input":"data:image/png;base64,AAAA"}'
	answered | diff <(vectors --text=data:image/png\;base64,AAAA) -
}

@test "an answer has the fingerprint of its model, as in the list of models" {
	serve --alias=mine=clip
	for name in clip clip_txt clip_visual; do
		fingerprint $name
	done >prints
	grep -cxE 'sha256:[0-9a-f]{64}' prints | grep -x 3
	[ "$(sort -u prints | wc -l)" -eq 3 ]
	[ "$(fingerprint mine)" = "$(fingerprint clip)" ]
	for name in clip clip_txt; do
		is 200 post /v1/embeddings \
		    "{\"model\":\"$name\",\"input\":\"x\"}"
		jq -r .fingerprint body
	done | diff <(head -n 2 prints) -
	stop
	# The vocabulary changes the fingerprints of texts, and not the
	# fingerprint of pictures.
	sed '1s/$/ edited/' "$B/share/npu-utils/bpe_simple_vocab_16e6.txt" >v
	CLIP_VOCAB=v serve
	for name in clip clip_txt clip_visual; do
		fingerprint $name
	done >edited
	[ "$(comm -12 <(sort prints) <(sort edited))" = \
	    "$(tail -n 1 prints)" ]
}

@test "immich: /predict returns clip-embed's vector, as a string" {
	serve
	is 200 ask /predict -F "$TEXTUAL" -F text='a  photo of a cat'
	jq -r .clip body | diff <(vectors --text='a photo of a cat') -
	is 200 ask /predict -F "$VISUAL" -F "image=@$CAT;filename=blob"
	jq -r .clip body | diff <(vectors "$CAT") -
	[ "$(jq -c '[.imageWidth, .imageHeight]' body)" = "$(yolo-detect -q \
	    -d emu "$CAT" | jq -c '[.width, .height]')" ]
	# EXIF turns this picture.  The vector and the size belong to the
	# upright picture.
	is 200 ask /predict -F "$VISUAL" -F "image=@$UPRIGHT"
	jq -r .clip body | diff <(vectors "$UPRIGHT") -
	[ "$(jq -c '[.imageWidth, .imageHeight]' body)" = "$(yolo-detect -q \
	    -d emu "$UPRIGHT" | jq -c '[.width, .height]')" ]
}

@test "immich: a text with too many ids is cut off" {
	serve
	long=$(printf 'cat %.0s' {1..100})
	is 200 ask /predict -F "$TEXTUAL" -F "text=$long"
	jq -r .clip body | diff <(vectors --truncate --text="$long") -
}

@test "deepstack: yolo-detect's objects, in whole pixels, best first" {
	serve
	is 200 ask /v1/vision/detection -F "image=@$BUS" -F api_key=
	predicted | diff <(objects -c 0.4 -n 20 "$BUS") -
	[ "$(jq .success body)" = true ]
	jq '.predictions[].confidence' body | sort -c -r -g
	is 200 ask /v1/vision/custom/yolov8n -F "image=@$BUS"
	predicted | diff <(objects -c 0.4 -n 20 "$BUS") -
	is 200 ask /v1/vision/detection -F "image=@$UPRIGHT" \
	    -F min_confidence=0.3
	predicted | diff <(objects -c 0.3 -n 20 "$UPRIGHT") -
	# No object is above 1.
	is 200 ask /v1/vision/detection -F "image=@$BUS" -F min_confidence=1
	[ "$(jq -c .predictions body)" = '[]' ]
	# At most 20 objects are returned, since Frigate fails with more.
	is 200 ask /v1/vision/detection -F "image=@$BUS" -F min_confidence=0.1
	predicted | diff <(objects -c 0.1 -n 20 "$BUS") -
	[ "$(jq '.predictions | length' body)" -eq 20 ]
}

@test "-c, -n, --iou, --only and --names select objects as yolo-detect does" {
	serve -c 0.2 -n 3
	is 200 ask /v1/vision/detection -F "image=@$BUS"
	predicted | diff <(objects -c 0.2 -n 3 "$BUS") -
	is 200 ask /v1/vision/detection -F "image=@$BUS" -F min_confidence=0.46
	predicted | diff <(objects -c 0.46 -n 3 "$BUS") -
	stop
	serve -n 0 --only=bus,0 --iou=0.1 -c 0.1
	is 200 ask /v1/vision/detection -F "image=@$BUS"
	predicted >got
	objects -c 0.1 -n 0 --iou=0.1 --classes=bus,0 "$BUS" | diff - got
	[ "$(cut -d, -f2 got | sort -u | tr -d '\n')" = '"bus""person"' ]
	stop
	seq -f 'thing %g' 80 >names
	serve --names=names
	is 200 ask /v1/vision/detection -F "image=@$BUS"
	predicted | diff <(objects -c 0.4 --names=names -n 20 "$BUS") -
}

@test "llama: texts, objects and pictures, with or without a model's name" {
	serve
	is 200 post /embeddings '{"content":"a cat"}'
	answered | diff <(vectors --text='a cat') -
	printf '{"model":"clip","content":["b",{"prompt_string":"a red car"},
	    {"prompt_string":"<__media__>\\n","multimodal_data":["%s"]}]}' \
	    "$(base64 -w 0 "$CAT")" >in
	is 200 post /embeddings @in
	{
		vectors --text=b --text='a red car'
		vectors "$CAT"
	} >want
	answered | diff want -
	[ "$(jq -c '[.[].index]' body)" = '[0,1,2]' ]
}

@test "ollama: one or more texts; a model's name may end in :latest" {
	serve
	is 200 post /api/embed '{"model":"clip:latest","input":["a","b c"]}'
	answered | diff <(vectors --text=a --text='b c') -
	[ "$(jq '.embeddings | length' body)" -eq 2 ]
	is 200 post /api/embed '{"model":"clip_txt","input":"a"}'
	answered | diff <(vectors --text=a) -
	is 200 post /api/embeddings '{"model":"clip","prompt":"a"}'
	jq -c '.embedding | length' body | grep -x 512
	answered | diff <(vectors --text=a) -
	long=$(printf 'cat %.0s' {1..100})
	is 200 post /api/embed "{\"model\":\"clip\",\"input\":\"$long\"}"
	answered | diff <(vectors --truncate --text="$long") -
	is 400 post /api/embed "{\"model\":\"clip\",\"input\":\"$long\",
	    \"truncate\":false}"
}

@test "tei: normalize and truncate work; a long text without truncate is 413" {
	serve
	is 200 post /embed '{"inputs":"a cat"}'
	answered | diff <(vectors --text='a cat') -
	is 200 post /embed '{"inputs":["a","b"],"normalize":false}'
	answered | diff <(vectors --norm=none --text=a --text=b) -
	[ "$(jq -c 'map(length)' body)" = '[512,512]' ]
	long=$(printf 'cat %.0s' {1..100})
	is 413 post /embed "{\"inputs\":\"$long\"}"
	is 200 post /embed "{\"inputs\":\"$long\",\"truncate\":true}"
	answered | diff <(vectors --truncate --text="$long") -
}

@test "-m ROLE= removes a model: a note says so, and its requests are refused" {
	serve -m text= -m detect=
	[ "$(grep -c "^npu-serve: text: " log)" -eq 1 ]
	[ "$(grep -c "^npu-serve: detect: " log)" -eq 1 ]
	run -1 grep -q '^npu-serve: .*image' log
	names >list
	grep -x clip_visual list
	run -1 grep -x clip_txt list
	is 404 post /v1/embeddings '{"model":"clip_txt","input":"a"}'
	is 501 ask /v1/vision/detection -F "image=@$CAT"
	[ "$(jq .success body)" = false ]
	is 200 ask /v1/vision/custom/list -X POST
	[ "$(jq -c .models body)" = '[]' ]
	[[ $(ask /predict -F "$TEXTUAL" -F text=a) =~ ^(501|404)$ ]]
	stop
	serve -m text= -m image=
	[[ $(post /v1/embeddings '{"model":"clip","input":"a"}') =~ \
	    ^(501|404)$ ]]
	is 501 post /embeddings '{"content":"a"}'
	is 200 ask /v1/vision/detection -F "image=@$CAT"
	predicted | diff <(objects -c 0.4 -n 20 "$CAT") -
	stop
	serve -q -m text=
	[ ! -s log ]
}

@test "--model replaces a model, which then has the name of its file" {
	cp "$B/share/npu-utils/models/clip_txt.cix" words.cix
	cp "$B/share/npu-utils/models/yolov8n.cix" things.cix
	serve -m text=words.cix --model=detect=things.cix
	names | sort | diff <(printf '%s\n' clip words clip_visual | sort) -
	is 200 post /v1/embeddings '{"model":"words","input":"a"}'
	answered | diff <(vectors --text=a) -
	is 404 ask /v1/vision/custom/yolov8n -F "image=@$CAT"
	is 200 ask /v1/vision/custom/things -F "image=@$CAT"
	# Immich's name exists only if both models have the names of the hub.
	is 404 ask /predict -F "$TEXTUAL" -F text=a
}

@test "--api: only the APIs in the list are answered, and the server's status" {
	serve --api=tei,openai
	is 200 ask /v1/models
	is 200 post /embed '{"inputs":"a"}'
	for path in /predict /embeddings /api/embed /v1/vision/detection; do
		is 404 ask $path -d '{}'
	done
	for path in /ping /props /api/tags /v1/server/status/ping; do
		is 404 ask $path
	done
	for path in /healthz /readyz /metrics /health; do
		is 200 ask $path
	done
	stop
	serve --api=immich,deepstack
	is 200 ask /ping
	is 404 ask /v1/models
	is 404 post /embed '{"inputs":"a"}'
}

@test "an unknown model is refused by every API, in the API's own form" {
	serve
	is 404 post /v1/embeddings '{"model":"bert","input":"a"}'
	jq -e '.error | .message | contains("'\''bert'\'' is not")' body
	[ "$(jq -c '.error | keys' body)" = \
	    '["code","message","param","type"]' ]
	is 404 post /embeddings '{"model":"bert","content":"a"}'
	[ "$(jq -c .error.code body)" = 404 ]
	jq -e '.error.message | contains("bert")' body
	is 404 post /api/embed '{"model":"bert","input":"a"}'
	jq -e '.error | contains("bert")' body
	is 404 post /api/embeddings '{"model":"bert","prompt":"a"}'
	jq -e '.error | contains("bert")' body
	is 404 ask '/props?model=bert'
	says bert
	is 404 ask /predict -F text=a -F \
	    'entries={"clip":{"textual":{"modelName":"bert"}}}'
	says bert
	is 404 ask /v1/vision/custom/bert -F "image=@$CAT"
	jq -e '.success == false and (.error | contains("bert"))' body
	# A detector makes no vectors, and a pair of text and image models finds
	# no objects.
	is 404 post /v1/embeddings '{"model":"yolov8n","input":"a"}'
	is 404 ask /v1/vision/custom/clip -F "image=@$CAT"
	is 413 post /embed "{\"inputs\":\"$(printf 'cat %.0s' {1..100})\"}"
	jq -e '(.error | type) == "string" and
	    (.error_type | type) == "string"' body
}

@test "--alias: Immich's name can be added; an alias of no model is refused" {
	cp "$B/share/npu-utils/models/clip_txt.cix" words.cix
	serve -m text=words.cix --alias=ViT-B-32__openai=clip
	is 200 ask /predict -F "$TEXTUAL" -F text=a
	jq -r .clip body | diff <(vectors --text=a) -
	stop
	run -2 --separate-stderr npu-serve -d emu --listen=127.0.0.1:0 \
	    --alias=a=bert
	[ -z "$output" ]
	[[ $stderr == "npu-serve: --alias: "*bert* ]]
	run -2 npu-serve -d emu --listen=127.0.0.1:0 -m detect= \
	    --alias=a=detect
}
