#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-embed: with the demo models, its output is compared with the output of
# the programs whose work it does.  Other models return their input, which gives
# vectors that can be calculated by hand: a row of 4 ids, or the 2 x 2 pixels of
# a picture.  clip-embed-errors.bats tests errors, clip-embed-index.bats tests
# --index.

load ../support/helper
load ../support/clipembed

# ---- Compared with other programs ----------------------------------------

# bats test_tags=slow
@test "for texts, clip-embed equals clip-tokenize | npu-run | npu-dequant" {
	printf 'a red circle\n\nÜber\xff den Wolken\nlast' >texts
	clip-tokenize texts | npu-run -q -d emu clip_txt.cix >answers
	npu-dequant --normalise answers >unit
	npu-dequant answers >long
	embed --lines texts | cmp - unit
	embed --lines <texts | cmp - unit
	embed --lines --norm=none texts | cmp - long
	npu-dequant --normalise -r answers >plain
	embed --lines -r texts | cmp - plain
	embed --lines -F raw - <texts | cmp - plain
	npu-dequant --normalise -F text answers >words
	embed --lines -F text texts | cmp - words
	mapfile -t t <texts
	embed --text="${t[0]}" --text="${t[1]}" --text="${t[2]}" --text="${t[3]}" | cmp - unit
	tr '\n' '\0' <texts >nuls
	embed --lines -0 nuls | cmp - unit
}

# bats test_tags=slow
@test "for pictures, clip-embed equals img-tensor | npu-run | npu-dequant" {
	need_data images/photos
	files=("$DATA"/bus.jpg "$DATA"/CLIP.png)
	need_data images/exif/Landscape_6.jpg
	files+=("$DATA")
	for way in clip hub-clip openai-clip; do
		img-tensor --for=$way -m clip_visual.cix "${files[@]}" |
		    npu-run -q -d emu clip_visual.cix >answers
		npu-dequant --normalise answers >unit
		for j in 1 4; do
			embed -j $j --for=$way "${files[@]}" |
			    cmp - unit
		done
	done
	img-tensor --fast --for=clip -m clip_visual.cix "${files[0]}" |
	    npu-run -q -d emu clip_visual.cix | npu-dequant >fast
	embed --norm=none --fast "${files[0]}" | cmp - fast
	run -1 cmp -s fast unit
	img-tensor --for=clip -m clip_visual.cix "${files[0]}" |
	    npu-run -q -d emu clip_visual.cix | npu-dequant --normalise >one
	embed <"${files[0]}" | cmp - one
	embed - <"${files[0]}" | cmp - one
}

# ---- By hand --------------------------------------------------------------

# The id of cat is 2368: reference, openai/CLIP.
# bats test_tags=slow
@test "-F jsonl records a text's vector, its length and how it was made" {
	embed -m "$IDS" --norm=none -F text --text=cat >v
	[ "$(cat v)" = '49406 2368 49407 0' ]
	embed -m "$IDS" -F jsonl --text=cat >v
	[ "$(wc -l <v)" -eq 1 ]
	jq -e --arg sum "$(sha256sum <"$IDS" | cut -d' ' -f1)" '
	    keys_unsorted == ["schema","id","kind","model","model_sha256",
	    "preprocessing","norm","dim","length","vector"] and
	    .schema == "clip-embed/1" and .id == "cat" and .kind == "text" and
	    .model == "ids.cix" and .model_sha256 == $sum and
	    .preprocessing == "clip-tokenize 4" and .norm == "l2" and
	    .dim == 4 and (.length - 69911.4576 | fabs) < 0.01 and
	    (.vector | length) == 4 and
	    (.vector[1] - 2368 / 69911.4576 | fabs) < 1e-6 and
	    .vector[3] == 0' v
	embed -m "$IDS" -F jsonl --norm=none --text=cat |
	    jq -e '.norm == "none" and .vector == [49406, 2368, 49407, 0]'
}

# bats test_tags=slow
@test "-F jsonl records a picture's vector, its length and preprocessing" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	embed -m "$DOTS" -F jsonl black.ppm white.ppm |
	    jq -r '"\([.vector[], .length] | map(tostring) | join(" "))"' |
	    while read -r -a x; do
		printf '%.5f ' "${x[@]:0:12}"
		printf '%.4f\n' "${x[12]}"
	done >v
	{ gray 0 l2; gray 255 l2; } | diff v -
	embed -m "$DOTS" -F jsonl --norm=none white.ppm |
	    jq -r '.vector | map(tostring) | join(" ")' >v
	read -r -a x <v
	[ "$(printf '%.5f ' "${x[@]}")" = "$(gray 255 none | cut -d' ' -f-12) " ]
	run -0 embed -m "$DOTS" -F jsonl white.ppm
	jq -e '.kind == "image" and .id == "white.ppm" and .dim == 12 and
	    .preprocessing == "crop 2x2 bicubic rgb / 255 mean 0.48145467 0.4578275 0.40821072 std 0.26862955 0.2613026 0.2757771"' \
	    <<<"$output"
	run -0 embed -m "$DOTS" -F jsonl --for=hub-clip --fast white.ppm
	jq -e '.preprocessing | startswith("stretch 2x2 bilinear rgb / 255") and
	    endswith(" fast")' <<<"$output"
	run -0 embed -m "$DOTS" -F jsonl --for=openai-clip white.ppm
	jq -e '.preprocessing | startswith("crop 2x2 bicubic rgb / 255") and
	    endswith(" as stored")' <<<"$output"
}

# bats test_tags=slow
@test "the output is a vector, whatever the shape of the model's output" {
	dots 0 >a.ppm
	embed -m "$DOTS" a.ppm >v
	run -0 npu-tensor <v
	[ "$output" = '1.0  f32 [1,12]' ]
	mkonnx Identity f32:4 : f32:4 >flat.onnx
	cix-pack -o flat.cix -I text:s32:4 -O v:f32:4 flat.onnx
	embed -m ./flat.cix --text=cat >v
	run -0 npu-tensor <v
	[ "$output" = '1.0  f32 [4]' ]
	mkonnx Identity f32:2x2 : f32:2x2 >square.onnx
	cix-pack -o square.cix -I text:s32:1x4 -O v:f32:2x2 square.onnx
	embed -m ./square.cix --text=cat >v
	run -0 npu-tensor <v
	[ "$output" = '1.0  f32 [1,4]' ]
}

# bats test_tags=slow
@test "another vocabulary than the built-in one is recorded" {
	same=$B/share/npu-utils/bpe_simple_vocab_16e6.txt
	CLIP_VOCAB=$same run -0 embed -m "$IDS" -F jsonl --text=cat
	[ "$(jq -r .preprocessing <<<"$output")" = 'clip-tokenize 4' ]
	need_data vocab/bpe_simple_vocab_16e6.txt.gz
	CLIP_VOCAB=$DATA run -0 embed -m "$IDS" -F jsonl --text=cat
	[ "$(jq -r .preprocessing <<<"$output")" = "clip-tokenize 4 vocabulary $(
	    zcat "$DATA" | sha256sum | cut -d' ' -f1)" ]
}

@test "lines of texts may end with CR LF" {
	printf 'cat\r\ndog\r\n' >crlf
	printf 'cat\ndog\n' | embed --lines -m "$IDS" -F jsonl >want
	embed --lines -m "$IDS" -F jsonl crlf | cmp - want
	[ "$(jq -c .id want | tr '\n' ' ')" = '"cat" "dog" ' ]
}

# bats test_tags=slow
@test "-F npy writes a matrix, and --write-ids the names of its rows" {
	dots 0 >'a b.ppm'
	dots 255 >white.ppm
	embed -m "$DOTS" -F npy -o m.npy --write-ids=ids 'a b.ppm' white.ppm
	[ "$(cat ids)" = $'a b.ppm\nwhite.ppm' ]
	npu-tensor m.npy | grep -F 'f32 [2,12]'
	embed -m "$DOTS" -r 'a b.ppm' white.ppm >rows
	tail -c 96 m.npy | cmp - rows
	# Without any vector the output is still an array, with 0 rows.
	embed -m "$DOTS" -F npy --files-from=/dev/null >none.npy
	grep -aqF "'shape': (0, 12)" none.npy
	embed --lines -m "$IDS" -F npy </dev/null >none.npy
	grep -aqF "'shape': (0, 4)" none.npy
	embed -m "$DOTS" -F npy 'a b.ppm' white.ppm | cmp - m.npy
	run -0 embed --lines -m "$IDS" -F label --write-ids=ids -o v <<<$'one\ntwo'
	[ "$(cat ids)" = $'one\ntwo' ]
}

# bats test_tags=slow
@test "--about writes how vectors were made, for formats that cannot" {
	dots 0 >a.ppm
	embed -m "$DOTS" --about=about -r -o v a.ppm a.ppm
	embed -m "$DOTS" -F jsonl a.ppm >j
	jq -e --slurpfile j j '.schema == "clip-embed-about/1" and
	    .vectors == 2 and ($j[0] | del(.id, .length, .vector, .schema)) ==
	    del(.schema, .vectors)' about
	mkonnx Identity f32:1x12 : f32:1x12 >ids12.onnx
	cix-pack -o ids12.cix -I text:s32:1x12 -O v:f32:1x12 ids12.onnx
	embed --text-model=./ids12.cix --image-model="$DOTS" -o v --about=- \
	    --norm=none --text=one --text=two a.ppm >about
	[ "$(jq -r '"\(.kind) \(.model) \(.vectors) \(.norm)"' about)" = \
	    $'text ids12.cix 2 none\nimage dots.cix 1 none' ]
	# An error of this file is reported before a long run, not after it.
	run -1 --separate-stderr embed -m "$DOTS" --about=none/about a.ppm
	[ -z "$output" ]
	[ "$stderr" = \
	    "clip-embed: none/about: No such file or directory" ]
}

# ---- Inputs and outputs ---------------------------------------------------

# bats test_tags=slow
@test "clip-embed reads pictures from folders, lists and streams" {
	mkdir -p tree/deep
	dots 9 >tree/z.ppm
	dots 8 >tree/deep/picture
	echo words >tree/words
	run -0 embed -m "$DOTS" -F jsonl -R tree
	[ "$(jq -r .id <<<"$output")" = $'tree/deep/picture\ntree/z.ppm' ]
	run -0 embed -m "$DOTS" -F jsonl --files-from=- <<<tree/z.ppm
	[ "$(jq -r .id <<<"$output")" = tree/z.ppm ]
	run -0 embed -m "$DOTS" -F jsonl -0 < <(printf 'tree/z.ppm\0')
	[ "$(jq -r .id <<<"$output")" = tree/z.ppm ]
	for i in 1 2; do printf 'P6\n2 2\n255\n%012d' $i; done >film
	run -0 embed -m "$DOTS" -F jsonl --stream=ppm film
	[ "$(jq -r .id <<<"$output")" = $'film: picture 1\nfilm: picture 2' ]
	{ head -c 23 film; printf 'P3\n2 2\n255\n'; seq 12; head -c 23 film; } >three
	run -0 --separate-stderr embed -q -m "$DOTS" -F jsonl --stream=ppm three
	[ "$(jq -r .id <<<"$output")" = "$(printf 'three: picture %d\n' 1 2 3)" ]
	run -0 embed -m "$DOTS" -F jsonl <tree/z.ppm
	[ "$(jq -r .id <<<"$output")" = stdin ]
}

# bats test_tags=slow
@test "-j does not change the order of the output" {
	names=()
	for i in $(seq 60); do
		dots "$i" >"$i.ppm"
		names+=("$i.ppm")
	done
	embed -j 1 -m "$DOTS" --norm=none -F jsonl "${names[@]}" >one
	embed -j 4 -m "$DOTS" --norm=none -F jsonl "${names[@]}" >four
	cmp one four
	embed -j 0 -m "$DOTS" --norm=none -F jsonl "${names[@]}" | cmp one -
	[ "$(jq -r .id one)" = "$(printf '%s\n' "${names[@]}")" ]
	# Each picture is brighter than the previous picture, by one step.
	jq -s -e '[.[].vector[0]] | . == sort and (unique | length) == 60' one
}

# exchange ARG...: writes each line of ./lines to clip-embed only after the line
# before was answered.  Returns 9 if an answer is missing or wrong, otherwise
# clip-embed's status.
exchange() {
	mkfifo in out
	# Opened for reading and writing: otherwise this shell would wait for
	# ever if clip-embed died.
	exec 7<>out 8<>in
	timeout 300 clip-embed -q -d emu -F jsonl "$@" <in >&7 3>&- 8>&- &
	while IFS= read -r line; do
		printf '%s\n' "$line" >&8
		read -r -t 60 answer <&7 || return 9
		[ "$(jq -r .id <<<"$answer")" = "$line" ] || return 9
	done <lines
	exec 8>&-
	wait $!
}

@test "a text is answered before the next text arrives" {
	printf 'one\ntwo\nthree\n' >lines
	exchange --lines -m "$IDS"
}

@test "a picture is answered before the next name arrives" {
	dots 1 >1.ppm
	dots 2 >2.ppm
	printf '1.ppm\n2.ppm\nmissing\n' >lines
	run -1 exchange -j 3 -m "$DOTS" --files-from=-
}

# bound: fails unless --times, in $stderr, names as the bound the stage for
# which the program waited longer.
bound() {
	[[ $stderr =~ " waited for it "([0-9.]+)", for the model "([0-9.]+)": bound by "(.*)$ ]]
	[ "${BASH_REMATCH[3]}" = "$(awk -v it="${BASH_REMATCH[1]}" \
	    -v model="${BASH_REMATCH[2]}" \
	    'BEGIN { print (it > model) ? "decoding" : "the model" }')" ]
}

# bats test_tags=slow
@test "--times prints the time spent in decoding and waiting" {
	dots 255 >a.ppm
	run -0 --separate-stderr embed --times -m "$DOTS" -F text a.ppm a.ppm
	[[ $stderr =~ ^"clip-embed: 2 vectors in "[0-9.]+" s, "[0-9.]+"/s; 0 failed, 0 left out; mean ms decoding "[0-9.]+", waited for it "[0-9.]+", for the model "[0-9.]+": bound by " ]]
	NPU_EMU_INFER_MS=300 run -0 --separate-stderr embed --times -m "$DOTS" \
	    -F text a.ppm a.ppm a.ppm a.ppm
	bound
	mkfifo in
	{ sleep 2; cat a.ppm; } >in 3>&- &
	run -0 --separate-stderr embed --times -m "$DOTS" -F text in
	bound
	wait $!
	# Without vectors all means are 0.
	run -0 --separate-stderr embed --times -m "$IDS" --lines -F text - </dev/null
	[[ $stderr =~ ^"clip-embed: 0 vectors in "[0-9.]+" s, 0.0/s; 0 failed, 0 left out; mean ms decoding 0.000, waited for it 0.000, for the model 0.000: bound by the model"$ ]]
}

# tests/unit/cmd/progress.c tests that progress appears after a second and at
# most four times a second.
# bats test_tags=slow
@test "progress appears only on a terminal, and not with -q" {
	for _ in $(seq 4); do echo cat; done >texts
	export NPU_EMU_INFER_MS=400 NPU_EMU_CORES=1
	script -qec "clip-embed -d emu --lines -m $IDS -o v texts" said </dev/null
	grep -qa '[1-4] texts, [0-9.]*/' said
	script -qec "clip-embed -q -d emu --lines -m $IDS -o v texts" said </dev/null
	run -1 grep -a ' texts, ' said
	run -0 --separate-stderr clip-embed -d emu --lines -m "$IDS" -F text texts
	[[ $stderr != *" texts, "* ]]
}

@test "a terminal gets JSON lines, but -r is refused there" {
	script -qec "clip-embed -q -d emu -m $IDS --text=cat" said </dev/null
	grep -qa '"schema":"clip-embed/1","id":"cat"' said
	script -qec "clip-embed -q -d emu -r -m $IDS --text=cat; echo st=\$?" said \
	    </dev/null
	grep -qa 'stdout is a terminal' said
	grep -qa 'st=2' said
	# Names that end with NUL are not read from a terminal either.
	for args in '-0' '-0 a.ppm' '' --lines; do
		run -2 timeout 60 script -qec "clip-embed -q -d emu $args" \
		    /dev/null
		[[ $output == *" is a terminal; "* ]]
	done
}

# bats test_tags=slow
@test "a full disk, a closed stdout and a missing device are errors" {
	run -1 --separate-stderr bash -c 'clip-embed -q -d emu -m "$IDS" \
	    --text=cat >/dev/full'
	[ "$stderr" = "clip-embed: write error: No space left on device" ]
	run -1 --separate-stderr bash -c 'clip-embed -q -d emu -m "$IDS" \
	    --text=cat >&-'
	run -3 --separate-stderr clip-embed -q -d npu --node=/nowhere \
	    -m "$IDS" --text=cat
}

# terminated ARGS...: runs clip-embed until it waits for the pipe "in", then
# sends SIGTERM.  Two simulated faults, delays of 1 ms, write a line to "log"
# when the model is loaded and when it is unloaded.
terminated() {
	local pid status=0
	rm -f log
	NPU_EMU_LOG=$PWD/log NPU_EMU_FAULT=graph:1:delay=1,unload:1:delay=1 \
	    clip-embed -q -d emu -o v "$@" 3>&- 8>&- &
	pid=$!
	for _ in $(seq 1200); do
		! grep -qs 'fault graph' log || break
		sleep 0.05
	done
	sleep 0.5
	kill -TERM $pid
	wait $pid || status=$?
	[ $status -eq 143 ]
}

# On a slow machine, the 2 s limit after SIGTERM can be over before the model is
# unloaded: one of five attempts must unload it.
# bats test_tags=slow
@test "SIGTERM ends clip-embed while it waits, and no file is left" {
	mkfifo in
	exec 8<>in
	for args in "-m $IDS --lines in" "-m $DOTS --files-from=in"; do
		for _ in 1 2 3 4 5; do
			# shellcheck disable=SC2086 # words
			terminated $args
			! grep -q 'fault unload' log || break
		done
		[ "$(cat log)" = "fault graph 1 0 delay=1
fault unload 1 0 delay=1" ]
		rm log
		[ "$(ls -A)" = in ]
	done
	exec 8>&-
}

# bats test_tags=slow
@test "if a text is given as a file name, the message suggests --text" {
	for t in '' --lines; do
		# shellcheck disable=SC2086 # an option or none
		run --separate-stderr -1 clip-embed -q $t 'a red circle'
		[ "$stderr" = "clip-embed: a red circle: \
No such file or directory; use --text to give a text" ]
	done
}
