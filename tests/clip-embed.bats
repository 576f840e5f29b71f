#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-embed: with the demo models against the programs whose work it does, and
# with models that answer their input, so that a vector can be told by hand: a
# row of 4 ids, and the 2 x 2 pixels of a picture.

load helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	mkonnx Identity f32:1x4 : f32:1x4 >ids.onnx
	cix-pack -o ids.cix -I text:s32:1x4 -O v:f32:1x4 ids.onnx
	mkonnx Identity f32:1x3x2x2 : f32:1x3x2x2 >dots.onnx
	cix-pack -o dots.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 dots.onnx
	export IDS=$PWD/ids.cix DOTS=$PWD/dots.cix
}

embed() {
	clip-embed -q -d emu "$@"
}

# dots N: a picture of one gray.
dots() {
	printf 'P3 2 2 255'
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do printf ' %d' "$1"; done
}

# What CLIP makes of a gray of N 255ths, by openai/CLIP's mean and deviation,
# as 12 numbers and their length.
gray() {
	perl -e '
		@mean = (0.48145466, 0.4578275, 0.40821073);
		@dev = (0.26862954, 0.26130258, 0.27577711);
		for my $c (0 .. 2) {
			my $v = ($ARGV[0] / 255 - $mean[$c]) / $dev[$c];
			push @x, ($v) x 4;
			$sum += 4 * $v * $v;
		}
		printf "%.5f ", $_ / ($ARGV[1] eq "l2" ? sqrt $sum : 1) for @x;
		printf "%.4f\n", sqrt $sum' "$@"
}

# ---- The same as others --------------------------------------------------

@test "texts: the bytes of clip-tokenize, npu-run and npu-dequant" {
	printf 'a red circle\n\nÜber\xff den Wolken\nlast' >texts
	clip-tokenize texts | npu-run -q -d emu clip_txt.cix >answers
	npu-dequant -n answers >unit
	npu-dequant answers >long
	embed -t texts | cmp - unit
	embed -t <texts | cmp - unit
	embed -t --norm=none texts | cmp - long
	npu-dequant -n -r answers >plain
	embed -t -r texts | cmp - plain
	embed -t -F raw - <texts | cmp - plain
	npu-dequant -n -F text answers >words
	embed -t -F text texts | cmp - words
	mapfile -t t <texts
	embed -s "${t[0]}" -s "${t[1]}" -s "${t[2]}" -s "${t[3]}" | cmp - unit
	tr '\n' '\0' <texts >nuls
	embed -t -0 nuls | cmp - unit
}

@test "pictures: the bytes of img-tensor, npu-run and npu-dequant" {
	need_data images/photos
	files=("$DATA"/bus.jpg "$DATA"/CLIP.png)
	need_data images/exif/Landscape_6.jpg
	files+=("$DATA")
	for way in crop:clip stretch:hub-clip; do
		img-tensor --for="${way#*:}" -m clip_visual.cix "${files[@]}" |
		    npu-run -q -d emu clip_visual.cix >answers
		npu-dequant -n answers >unit
		for j in 1 4; do
			embed -j $j --fit="${way%:*}" "${files[@]}" |
			    cmp - unit
		done
	done
	img-tensor --fast --for=clip -m clip_visual.cix "${files[0]}" |
	    npu-run -q -d emu clip_visual.cix | npu-dequant >fast
	embed --norm=none --fast "${files[0]}" | cmp - fast
	run ! cmp -s fast unit
	img-tensor --for=clip -m clip_visual.cix "${files[0]}" |
	    npu-run -q -d emu clip_visual.cix | npu-dequant -n >one
	embed <"${files[0]}" | cmp - one
	embed - <"${files[0]}" | cmp - one
}

# ---- By hand --------------------------------------------------------------

# cat is 2368: reference, openai/CLIP.
@test "a text's vector, its length, and all that is recorded of it" {
	embed -m "$IDS" --norm=none -F text -s cat >v
	[ "$(cat v)" = '49406 2368 49407 0' ]
	embed -m "$IDS" -F jsonl -s cat >v
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
	embed -m "$IDS" -F jsonl --norm=none -s cat |
	    jq -e '.norm == "none" and .vector == [49406, 2368, 49407, 0]'
}

@test "a picture's vector, its length, and what was done to it" {
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
	run -0 embed -m "$DOTS" -F jsonl --fit=stretch --fast white.ppm
	jq -e '.preprocessing | startswith("stretch 2x2 bilinear rgb / 255") and
	    endswith(" fast")' <<<"$output"
}

@test "a vector is one whatever shape the model gives it" {
	dots 0 >a.ppm
	run -0 npu-tensor < <(embed -m "$DOTS" a.ppm)
	[ "$output" = '1.0  f32 [1,12]' ]
	mkonnx Identity f32:4 : f32:4 >flat.onnx
	cix-pack -o flat.cix -I text:s32:4 -O v:f32:4 flat.onnx
	run -0 npu-tensor < <(embed -m ./flat.cix -s cat)
	[ "$output" = '1.0  f32 [4]' ]
	mkonnx Identity f32:2x2 : f32:2x2 >square.onnx
	cix-pack -o square.cix -I text:s32:1x4 -O v:f32:2x2 square.onnx
	run -0 npu-tensor < <(embed -m ./square.cix -s cat)
	[ "$output" = '1.0  f32 [1,4]' ]
}

@test "another vocabulary is recorded" {
	same=$B/share/npu-utils/bpe_simple_vocab_16e6.txt
	CLIP_VOCAB=$same run -0 embed -m "$IDS" -F jsonl -s cat
	[ "$(jq -r .preprocessing <<<"$output")" = 'clip-tokenize 4' ]
	need_data vocab/bpe_simple_vocab_16e6.txt.gz
	CLIP_VOCAB=$DATA run -0 embed -m "$IDS" -F jsonl -s cat
	[ "$(jq -r .preprocessing <<<"$output")" = "clip-tokenize 4 vocabulary $(
	    zcat "$DATA" | sha256sum | cut -d' ' -f1)" ]
}

@test "a matrix, and the names of its rows" {
	dots 0 >'a b.ppm'
	dots 255 >white.ppm
	embed -m "$DOTS" -F npy -o m.npy --ids=ids 'a b.ppm' white.ppm
	[ "$(cat ids)" = $'a b.ppm\nwhite.ppm' ]
	npu-tensor m.npy | grep -qF 'f32 [2,12]'
	embed -m "$DOTS" -r 'a b.ppm' white.ppm >rows
	tail -c 96 m.npy | cmp - rows
	embed -m "$DOTS" -F npy 'a b.ppm' white.ppm | cmp - m.npy
	run -0 embed -t -m "$IDS" -F label --ids=ids -o v <<<$'one\ntwo'
	[ "$(cat ids)" = $'one\ntwo' ]
	# Nothing makes no matrix.
	run -1 --separate-stderr embed -t -m "$IDS" -F npy -o none </dev/null
	[ ! -e none ]
}

@test "what they were made with, beside a format without a place for it" {
	dots 0 >a.ppm
	embed -m "$DOTS" --about=about -r -o v a.ppm a.ppm
	embed -m "$DOTS" -F jsonl a.ppm >j
	jq -e --slurpfile j j '.schema == "clip-embed-about/1" and
	    .vectors == 2 and ($j[0] | del(.id, .length, .vector, .schema)) ==
	    del(.schema, .vectors)' about
	mkonnx Identity f32:1x12 : f32:1x12 >ids12.onnx
	cix-pack -o ids12.cix -I text:s32:1x12 -O v:f32:1x12 ids12.onnx
	embed --text-model=./ids12.cix --image-model="$DOTS" -o v --about=- \
	    --norm=none -s one -s two a.ppm >about
	[ "$(jq -r '"\(.kind) \(.model) \(.vectors) \(.norm)"' about)" = \
	    $'text ids12.cix 2 none\nimage dots.cix 1 none' ]
	# That it cannot be written is no news for the end of a long run.
	run -1 --separate-stderr embed -m "$DOTS" --about=none/about a.ppm
	[ -z "$output" ]
	[ "$stderr" = \
	    "clip-embed: none/about: No such file or directory" ]
}

# ---- What goes wrong -------------------------------------------------------

@test "a bad picture keeps its place, is told, and the status is 1" {
	dots 255 >a.ppm
	printf 'P6\n8 8\n255\ncut' >cut.ppm
	run -1 --separate-stderr embed -m "$DOTS" -F text --ids=ids a.ppm \
	    cut.ppm missing a.ppm
	[ "${#lines[@]}" -eq 4 ]
	[ "${lines[0]}" = "${lines[3]}" ]
	[ "${lines[1]}" = 'nan nan nan nan nan nan nan nan nan nan nan nan' ]
	[ "${lines[2]}" = "${lines[1]}" ]
	[ "$(cat ids)" = $'a.ppm\ncut.ppm\nmissing\na.ppm' ]
	mapfile -t said <<<"$stderr"
	[ "${#said[@]}" -eq 2 ]
	[[ ${said[0]} == "clip-embed: cut.ppm: "* ]]
	[ "${said[1]}" = "clip-embed: missing: No such file or directory" ]
	run -1 --separate-stderr embed -m "$DOTS" -F jsonl a.ppm missing a.ppm
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[1]}" = '{"schema":"clip-embed/1","id":"missing","kind":"image","error":"No such file or directory"}' ]
	run -1 embed -m "$DOTS" -F npy -o m.npy a.ppm missing
	npu-tensor m.npy | grep -qF 'f32 [2,12]'
}

@test "--on-error=skip leaves it out, and =fail ends there" {
	dots 255 >a.ppm
	dots 0 >b.ppm
	for f in text jsonl; do
		run -1 --separate-stderr embed -m "$DOTS" -F $f \
		    --on-error=skip a.ppm missing b.ppm
		[ "${#lines[@]}" -eq 2 ]
		[[ $output != *[nN]a[nN]* && $output != *missing* ]]
		[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	done
	run -1 embed -m "$DOTS" -F text --ids=ids --on-error=skip a.ppm \
	    missing b.ppm
	[ "$(cat ids)" = $'a.ppm\nb.ppm' ]
	run -1 --separate-stderr embed -m "$DOTS" -F text --on-error=fail \
	    a.ppm missing b.ppm
	[ "${#lines[@]}" -eq 1 ]
	[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	run -1 embed -m "$DOTS" -o v --on-error=fail a.ppm missing
	[ ! -e v ]
}

@test "a text that is too long, as --overlong says" {
	printf 'cat\na cat sat\ndog\n' >texts
	run -1 --separate-stderr embed -t -m "$IDS" --norm=none -F text texts
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[1]}" = 'nan nan nan nan' ]
	[ "${lines[2]}" = '49406 1929 49407 0' ]
	[[ $stderr == "clip-embed: texts: line 2: 5 tokens, limit 4 "*"sat" ]]
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" --norm=none \
	    -F text --truncate texts
	[ "${lines[1]}" = '49406 320 2368 49407' ]
	[[ $stderr == *"texts: line 2: 5 tokens, cut to 4; dropped: sat" ]]
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" -F jsonl \
	    --overlong=skip texts
	[ "$(jq -r .id <<<"$output")" = $'cat\ndog' ]
	[[ $stderr == *"line 2: 5 tokens, left out for the limit of 4"* ]]
}

@test "a failed inference is that of its input alone" {
	printf 'one\ntwo\nthree\n' >texts
	NPU_EMU_FAULT=infer:2:exception run -1 --separate-stderr embed -t \
	    -m "$IDS" -F jsonl texts
	[ "$(jq -c 'has("vector")' <<<"$output")" = $'true\nfalse\ntrue' ]
	[[ $stderr == "clip-embed: texts: line 2: "* ]]
}

@test "a device that goes away ends it" {
	printf 'one\ntwo\nthree\n' >texts
	NPU_EMU_INFER_MS=300 NPU_EMU_FAULT=infer:2:nodevice \
	    run -3 --separate-stderr embed -t \
	    -m "$IDS" -F jsonl texts
	[[ $output != *two* && $output != *error* ]]
	[ "$(grep -c '^clip-embed: ' <<<"$stderr")" -eq 1 ]
	# With none before it, of which the library could be asked.
	NPU_EMU_FAULT=infer:1:nodevice run -3 --separate-stderr embed -t \
	    -m "$IDS" -F jsonl texts
	[ "$output" = "" ]
	[[ $stderr == *": the device is gone, "* ]]
}

@test "the pictures before a bad line of a list are not lost" {
	dots 9 >a.ppm
	bad_lists a.ppm a.ppm a.ppm a.ppm a.ppm
	for list in long nul; do
		run -1 --separate-stderr embed -m "$DOTS" -F jsonl \
		    --files-from=$list
		[ "$(jq -r .id <<<"$output" | grep -c a.ppm)" -eq 5 ]
		[[ $stderr == "clip-embed: $list: line 6: "* ]]
		! embed -m "$DOTS" -F jsonl --files-from=$list >out 2>said
		[ "$(cat out)" = "$output" ]
	done
}

@test "a vector without a direction is an error, and none with --norm=none" {
	mkonnx Sub f32:1x3x2x2 f32:1x3x2x2 : f32:1x3x2x2 >two.onnx
	mkonnx Relu f32:1x3x2x2 : f32:1x3x2x2 >relu.onnx
	cix-pack -o relu.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 relu.onnx
	dots 0 >black.ppm
	run -1 --separate-stderr embed -m ./relu.cix -F jsonl black.ppm
	[ "$(jq -r .error <<<"$output")" = \
	    "the vector is zero and has no direction" ]
	run -0 embed -m ./relu.cix --norm=none -F text black.ppm
	[ "$output" = '0 0 0 0 0 0 0 0 0 0 0 0' ]
}

# The logarithm of what is below 0, which a black picture is to CLIP.
@test "a vector that is not finite is an error with every --norm" {
	mkonnx Log f32:1x3x2x2 : f32:1x3x2x2 >log.onnx
	cix-pack -o log.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 log.onnx
	dots 0 >black.ppm
	for norm in l2 none; do
		run -1 --separate-stderr embed -m ./log.cix --norm=$norm \
		    -F jsonl black.ppm
		[ "$(jq -r .error <<<"$output")" = \
		    "the vector has an element that is no finite number" ]
	done
}

@test "a model whose input cannot hold the colours is told of" {
	mkonnx Identity f32:1x3x2x2 : f32:1x3x2x2 >same.onnx
	cix-pack -o same.cix -I image:u8:1x3x2x2:255:0 -O v:f32:1x3x2x2 \
	    same.onnx
	dots 255 >a.ppm
	note='values from -1.79 to 2.15, but u8 [1,3,2,2] scale=255 '
	note+='zero_point=0 holds 0 to 1: what is beyond is clipped'
	run -0 --separate-stderr clip-embed -d emu -m ./same.cix -F jsonl a.ppm
	[[ $stderr == *"clip-embed: $note"* ]]
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" -F jsonl a.ppm
	[[ $stderr != *clipped* ]]
}

@test "spaces of different width are refused before anything is done" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed --text-model="$IDS" \
	    --image-model="$DOTS" -s cat a.ppm
	[ -z "$output" ]
	[ "$stderr" = "clip-embed: $IDS gives vectors of 4 numbers and $DOTS of 12: they are of different spaces and cannot be compared" ]
}

@test "texts and pictures in one run, texts first" {
	dots 255 >a.ppm
	mkonnx Identity f32:1x12 : f32:1x12 >ids12.onnx
	cix-pack -o ids12.cix -I text:s32:1x12 -O v:f32:1x12 ids12.onnx
	run -0 embed --text-model=./ids12.cix --image-model="$DOTS" -F jsonl \
	    a.ppm -s cat
	[ "$(jq -r '"\(.kind) \(.id)"' <<<"$output")" = \
	    $'text cat\nimage a.ppm' ]
	run -2 --separate-stderr embed -m "$DOTS" -s cat a.ppm
	[[ $stderr == *"say --text-model and --image-model"* ]]
}

@test "models that are no encoder are refused" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed -m "$IDS" a.ppm
	[ "$stderr" = "clip-embed: $IDS: takes s32 [1,4] scale=1 zero_point=0, and not one picture of three channels" ]
	mkonnx Identity f32:1x4 : f32:1x4 >four.onnx
	cix-pack -o four.cix -I text:f32:1x4 -O v:f32:1x4 four.onnx
	run -1 --separate-stderr embed -m ./four.cix -s cat
	[[ $stderr == "clip-embed: ./four.cix: takes f32 [1,4], and not a row "* ]]
	run -1 --separate-stderr embed -m "$DOTS" -s cat
	[ "$stderr" = "clip-embed: $DOTS: takes f32 [1,3,2,2], and not a row of 2 to 1048576 ids, s32" ]
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 >two.onnx
	cix-pack -o two.cix -I a:f32:1x4 -I b:f32:1x4 -O v:f32:1x4 two.onnx
	run -1 --separate-stderr embed -m ./two.cix -s cat
	[[ $stderr == "clip-embed: ./two.cix: 2 inputs; "* ]]
	while read -r in out words; do
		cat >m.json <<-END
		{"inputs": [{"name": "a", "type": "s32", $in}],
		 "outputs": [{"name": "b", $out}]}
		END
		cix-pack -J m.json >m.cix
		run -1 --separate-stderr embed -m ./m.cix -s cat
		[[ $stderr == "clip-embed: ./m.cix: $words"* ]] || {
			echo "$in $out: $stderr"
			return 1
		}
	done <<-'END'
	"shape":[1,4] "type":"u4c","bytes":4 gives u4c
	"shape":[1,4] "type":"f32","shape":[70000] gives f32 [70000], and not a vector of 1 to 65536 numbers
	"shape":[2,4] "type":"f32","shape":[4] takes s32 [2,4] scale=1 zero_point=0, and not a row of 2
	"shape":[1,1] "type":"f32","shape":[4] takes s32 [1,1] scale=1 zero_point=0, and not a row of 2
	"shape":[2000000] "type":"f32","shape":[4] takes s32 [2000000] scale=1 zero_point=0, and not a row of 2
	"bytes":4 "type":"f32","shape":[4] takes s32 [1] scale=1 zero_point=0, and not a row of 2
	END
	mkcix --in s32:1 --out f32:4 sound-table-empty >m.cix
	run -1 --separate-stderr embed -m ./m.cix -s cat
	[[ $stderr == "clip-embed: ./m.cix: takes s32 "*", and not a row of 2 "* ]]
	cix-pack -I a:s32:1x4 -O b:f32:4 -O c:f32:4 >m.cix
	run -1 --separate-stderr embed -m ./m.cix -s cat
	[ "$stderr" = "clip-embed: ./m.cix: 2 outputs; an encoder of CLIP's \
kind has one" ]
	cix-pack -I a:s64:1x3x2x2 -O b:f32:12 >m.cix
	run -1 --separate-stderr embed -m ./m.cix a.ppm
	[[ $stderr == "clip-embed: ./m.cix: pixels become elements of 8, "* ]]
	# A detector takes pictures, too.
	run -1 --separate-stderr embed -m yolov8n.cix a.ppm
	[ -z "$output" ]
	[[ $stderr == "clip-embed: "*"/yolov8n.cix: gives "*" [1,84,8400]"*", and not a vector of 1 to 65536 numbers" ]]
	run -1 --separate-stderr embed -m ./none.cix -s cat
	[[ $stderr == "clip-embed: ./none.cix: "* ]]
}

@test "wrong usage" {
	dots 255 >a.ppm
	for args in '-t -s x' '-t -R' '-t --files-from=l' '-t --stream=ppm' \
	    '-m m --image-model=n a.ppm' '-m m -s x -0' '-m m -s x -R' \
	    '-m m -s x --stream=ppm' '-m m -s x --files-from=l' '--norm=l1' \
	    '--on-error=keep' '--fit=letterbox' '--overlong=cut' '-F f64' \
	    '-j 0' '-t - -' '--text-model=m a.ppm' '-s x --image-model=m' \
	    '--ids=- a.ppm' '--about=- a.ppm' '--ids=/dev/stdout a.ppm' \
	    '-o v --ids=v a.ppm' "-o v --about=$PWD/v a.ppm" \
	    '--ids=./v --about=v a.ppm' '--truncate a.ppm' \
	    '--overlong=skip a.ppm' '--fast -s x' '--fit=crop -t' \
	    '--max-pixels=9 -s x' '--index= a.ppm' '--index=- a.ppm' '-m m --text-model=n -s x' \
	    '-F jsonl --ids=i a.ppm'; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr embed $args </dev/null
		[ -z "$output" ]
	done
	[ ! -e v ]
	embed -m "$DOTS" -o /dev/null --ids=/dev/null --about=/dev/null a.ppm
	# The same name in other folders is another file, in none an error.
	mkdir d
	embed -m "$DOTS" -o v --ids=d/v a.ppm
	shm=/dev/shm/clip-embed.$$
	mkdir $shm
	embed -m "$DOTS" -o v --ids=$shm/v a.ppm
	rm -r $shm
	for o in '-o v --ids=none/v' '-o none/v --ids=v'; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr embed -m "$DOTS" $o a.ppm
		[ "$stderr" = "clip-embed: none/v: No such file or directory" ]
	done
}

@test "larger pictures than --max-pixels are refused by their header" {
	printf 'P6\n3000 3000\n255\n' >large.ppm
	run -1 --separate-stderr embed -m "$DOTS" -F jsonl \
	    --max-pixels=1000000 large.ppm
	[ "$stderr" = "clip-embed: large.ppm: PPM: 3000 x 3000 pixels are more than the limit of 1000000" ]
}

@test "names with newlines need -0" {
	name=$'two\nlines.ppm'
	dots 255 >"$name"
	run -1 --separate-stderr embed -m "$DOTS" --ids=ids -o v "$name"
	[[ $stderr == *"with -0 they end with NUL" ]]
	[ ! -e ids ] && [ ! -e v ]
	printf '%s\0' "$name" a | embed -0 -m "$DOTS" --ids=ids -o v ||
		[ $? -eq 1 ]
	printf '%s\0' "$name" a | cmp - ids
}

@test "a file of texts that cannot be read keeps none of the others back" {
	printf '1\n' >one
	printf '2\n' >two
	cat one two >both
	embed -t -m "$IDS" both >want
	for bad in missing .; do
		why='No such file or directory'
		[ $bad = missing ] || why='Is a directory'
		run -1 --separate-stderr embed -t -m "$IDS" -o got one $bad two
		[ "$stderr" = "clip-embed: $bad: $why" ]
		cmp got want
		run -1 --separate-stderr embed -t -m "$IDS" --on-error=fail \
		    -F jsonl one $bad two
		[ "$stderr" = "clip-embed: $bad: $why" ]
		[ "$(wc -l <<<"$output")" -eq 1 ]
	done
}

# ---- An index ---------------------------------------------------------------

# no_model ARG...: fails if the model is run once.
no_model() {
	NPU_EMU_FAULT='infer:*:exception' clip-embed -d emu "$@"
}

@test "an index gets what is new, and the model is run for nothing else" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[ -z "$output" ]
	[[ $stderr == *"clip-embed: ix: 2 new vectors, 0 known ones under new names, 0 there before, 2 now" ]]
	cp ix old
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix black.ppm \
	    white.ppm
	[ -z "$output" ]
	[[ $stderr == *": 0 new vectors, 0 known ones under new names, 2 there before, 2 now" ]]
	cmp ix old
	# Nor is a known one decoded: this limit would refuse it.
	run -0 no_model -m "$DOTS" --max-pixels=1 --index=ix black.ppm
	# The same picture by another name has the same vector.
	cp white.ppm paper.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix paper.ppm
	[[ $stderr == *": 0 new vectors, 1 known ones under new names, 0 there before, 3 now" ]]
	# What was there is there as it was, and its bytes come again.
	head -c "$(wc -c <old)" ix | cmp - old
	# Another picture by the same name replaces it.
	dots 99 >white.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[[ $stderr == *": 1 new vectors, 0 known ones under new names, 1 there before, 3 now" ]]
	run -0 --separate-stderr embed -m "$DOTS" --index=ix black.ppm
	[ -z "$stderr" ]
}

@test "a damaged vector that is met again is made anew, and takes its place" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	embed -m "$DOTS" --index=ix black.ppm white.ppm
	dots 9 >gray.ppm
	embed -m "$DOTS" -F npy gray.ppm >q.npy
	vec-nearest ix q.npy >want
	# A byte of the first vector, behind the header and the record's head.
	at=$(($(od -An -tu4 -j12 -N4 ix) + 64))
	printf '\177' | dd of=ix bs=1 seek=$at conv=notrunc status=none
	run -1 vec-nearest ix q.npy
	# Who meets another one leaves it as it is.
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix white.ppm
	run -1 vec-nearest ix q.npy
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[[ $stderr == *": 1 new vectors, 0 known ones under new names, 1 there before, 2 now" ]]
	vec-nearest ix q.npy | cmp - want
}

@test "an index of texts, and of pictures of every kind" {
	printf 'one\ntwo\none\n' >texts
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" --index=t texts
	[[ $stderr == *" new vectors, "*", 2 now" ]]
	run -0 --separate-stderr no_model -t -m "$IDS" --index=t texts
	[[ $stderr == *": 0 new vectors, 0 known ones under new names, 3 there before, 2 now" ]]
	run -0 --separate-stderr no_model -m "$IDS" --index=t -s two
	for i in 1 2; do printf 'P6\n2 2\n255\n%012d' $i; done >film
	run -0 clip-embed -d emu -m "$DOTS" --index=p --stream=ppm film
	run -0 --separate-stderr no_model -m "$DOTS" --index=p --stream=ppm film
	[[ $stderr == *" 2 there before, 2 now" ]]
	dots 7 >a.ppm
	run -0 clip-embed -d emu -m "$DOTS" --index=p <a.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=p <a.ppm
	[[ $stderr == *" 1 there before, 3 now" ]]
}

@test "the vectors of an index, and their names, are those that were made" {
	names=()
	for i in 1 77 150 255; do
		printf 'P3 2 2 255 %d 0 0 0 %d 0 9 9 9 0 0 200' "$i" "$i" \
		    >"$i.ppm"
		names+=("$i.ppm")
	done
	embed -m "$DOTS" --index=ix "${names[@]}"
	# The cosine of a vector with itself is exactly 1, of others less.
	for f in label npy jsonl; do
		embed -m "$DOTS" -F $f "${names[@]}" >v
		vec-nearest -n 1 ix v | cut -f 3,4 >found
		diff found <(printf '1\t%s\n' "${names[@]}")
	done
	embed -m "$DOTS" --norm=none --index=long "${names[@]}"
	vec-nearest -n 1 ix long | cut -f 1,4 |
	    diff - <(for n in "${names[@]}"; do printf '%s\t%s\n' "$n" "$n"
	done)
}

@test "two at once fill one index" {
	for i in $(seq 60); do dots "$i" >"$i.ppm"; done
	export NPU_EMU_INFER_MS=2
	seq -f %g.ppm 1 40 | embed -m "$DOTS" --index=ix --files-from=- &
	seq -f %g.ppm 21 60 | embed -m "$DOTS" --index=ix --files-from=-
	wait $!
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix \
	    --files-from=<(seq -f %g.ppm 1 60)
	[[ $stderr == *" 60 there before, 60 now" ]]
}

@test "what failed is not in the index" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed -m "$DOTS" --index=ix a.ppm missing
	[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix a.ppm
	[[ $stderr == *" 1 there before, 1 now" ]]
	dots 254 >b.ppm
	NPU_EMU_FAULT=infer:1:exception run -1 embed -m "$DOTS" --index=ix \
	    b.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix b.ppm
	[[ $stderr == *": 1 new vectors, "*" 2 now" ]]
	# A name that an index cannot keep.
	mkonnx Identity f32:1x70000 : f32:1x70000 >long.onnx
	cix-pack -o long.cix -I text:s32:1x65536 -O v:f32:1x65536
	printf 'a%.0s' $(seq 66000) >long
	run -1 --separate-stderr embed -t -m "$IDS" --truncate --index=tx \
	    long
	[[ $stderr == "clip-embed: long: line 1: "*" bytes"* ]]
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" --index=tx \
	    </dev/null
	[[ $stderr == *" 0 now" ]]
}

@test "more bad pictures than may wait behind one that the model has" {
	dots 255 >a.ppm
	# shellcheck disable=SC2046
	NPU_EMU_INFER_MS=1500 run -1 --separate-stderr embed -v -T 20s \
	    -m "$DOTS" -F text a.ppm $(printf 'none%d ' $(seq 100)) a.ppm
	[ "${#lines[@]}" -eq 102 ]
	[ "${lines[0]}" = "${lines[101]}" ]
	[ "${#stderr_lines[@]}" -eq 100 ]
	[ "${stderr_lines[99]}" = \
	    "clip-embed: none100: No such file or directory" ]
}

@test "what a signal has cut is no text" {
	mkfifo in
	exec 8<>in
	clip-embed -q -d emu -m "$IDS" -t -F text in >out 3>&- 8>&- &
	pid=$!
	printf 'cat\nca' >&8
	for _ in $(seq 300); do
		[ ! -s out ] || break
		sleep 0.1
	done
	sleep 0.2
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 143 ]
	[ "$(wc -l <out)" -eq 1 ]
	printf 'cat\nca' >texts
	run --separate-stderr -1 torn texts clip-embed -q -d emu -m "$IDS" -t \
	    -F text -
	[ "${#lines[@]}" -eq 1 ]
	[ "$stderr" = "clip-embed: stdin: Input/output error" ]
}

@test "an alarm of others breaks off no open and no read" {
	printf 'P6 2 2 255\nabcdefghijkl' >a.ppm
	embed -m "$DOTS" -F text a.ppm >one
	mkfifo in
	for args in "-m $IDS -t" "-m $DOTS --stream=ppm"; do
		# shellcheck disable=SC2086 # words
		clip-embed -q -d emu -F text $args in >out 3>&- &
		pid=$!
		loaded $pid
		sleep 0.5
		kill -ALRM $pid		# in open()
		sleep 0.3
		exec 8<>in
		sleep 0.3
		kill -ALRM $pid		# in read()
		sleep 0.3
		case $args in
		*-t) echo cat ;;
		*) cat a.ppm ;;
		esac >&8
		exec 8>&-
		wait $pid
		case $args in
		*-t) embed -m "$IDS" -F text -s cat | cmp - out ;;
		*) cmp one out ;;
		esac
	done
}

@test "as many that cannot be read as may wait behind one that runs" {
	# 64 wait at most; a row of 4 ids has no room for 5 words.
	{ echo cat; yes 'a b c d e' | head -n 70; echo cat; } >texts
	NPU_EMU_INFER_MS=700 run -1 --separate-stderr embed -T 20s -m "$IDS" \
	    -t -F text texts
	[ "${#lines[@]}" -eq 72 ]
	[ "${lines[0]}" = "${lines[71]}" ]
	[ "$(printf '%s\n' "${lines[@]:1:70}" | sort -u)" = "nan nan nan nan" ]
	[ "${#stderr_lines[@]}" -eq 70 ]
	[[ ${stderr_lines[69]} == "clip-embed: texts: line 71: "* ]]
}

@test "SIGTERM ends the wait for those that were given up" {
	yes cat | head -n 60 >texts
	# Three are in flight, and each is given up at once; then a fourth
	# waits a second for their room.
	export NPU_EMU_INFER_MS=60000
	clip-embed -q -d emu -T 200ms -t -m "$IDS" -o out texts \
	    2>said 3>&- &
	pid=$!
	for _ in $(seq 300); do
		[ ! -e said ] || [ "$(wc -l <said)" -lt 3 ] || break
		sleep 0.1
	done
	sleep 0.3
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
	[ ! -e out ]
}

@test "an index of another model, preprocessing or norm is refused" {
	dots 255 >a.ppm
	embed -m "$DOTS" --index=ix a.ppm
	cp ix old
	run -1 --separate-stderr embed -m "$DOTS" --index=ix --fit=stretch a.ppm
	[[ $stderr == "clip-embed: ix: "*"crop 2x2 bicubic"*"stretch 2x2 bilinear"* ]]
	mkonnx Relu f32:1x3x2x2 : f32:1x3x2x2 >relu.onnx
	cix-pack -o relu.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 relu.onnx
	run -1 --separate-stderr embed -m ./relu.cix --index=ix a.ppm
	[[ $stderr == *"$(sha256sum <"$DOTS" | cut -d' ' -f1)"* ]]
	[[ $stderr == *"$(sha256sum <relu.cix | cut -d' ' -f1)"* ]]
	run -1 --separate-stderr embed -m "$DOTS" --index=ix --norm=none a.ppm
	[[ $stderr == "clip-embed: ix: "*l2*none* ]]
	run -1 embed -m "$IDS" --index=ix -s cat
	run -1 embed -m "$DOTS" --index=a.ppm a.ppm
	cmp ix old
	# What others made is not compared with it.
	embed -m "$IDS" --index=texts -s cat
	h=$(perl -e 'print "ab" x 32')
	printf '{"kind":"text","model_sha256":"%s","vector":[1,0,0,0]}\n' "$h" \
	    >query
	run -1 --separate-stderr vec-nearest texts query
	[[ $stderr == "vec-nearest: texts: vector 1 (cat): a text's vector by \
model $(sha256sum <"$IDS" | cut -d' ' -f1), but query has them by model $h"* ]]
	for args in '-F raw' '-o v' '--ids=i' '--about=i' '-s cat'; do
		# shellcheck disable=SC2086 # words
		run -2 embed --index=ix $args a.ppm
	done
}

# ---- In and out -----------------------------------------------------------

@test "folders, lists and streams" {
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

@test "-j keeps the order" {
	names=()
	for i in $(seq 60); do
		dots "$i" >"$i.ppm"
		names+=("$i.ppm")
	done
	embed -j 1 -m "$DOTS" --norm=none -F jsonl "${names[@]}" >one
	embed -j 4 -m "$DOTS" --norm=none -F jsonl "${names[@]}" >four
	cmp one four
	[ "$(jq -r .id one)" = "$(printf '%s\n' "${names[@]}")" ]
	# Brighter by one each.
	jq -s -e '[.[].vector[0]] | . == sort and (unique | length) == 60' one
}

# exchange ARG...: each line of ./lines is answered before the next is given.
exchange() {
	mkfifo in out
	# Opened for both, so that nothing waits for ever if it should die.
	exec 7<>out 8<>in
	timeout 60 clip-embed -q -d emu -F jsonl "$@" <in >&7 3>&- 8>&- &
	while IFS= read -r line; do
		printf '%s\n' "$line" >&8
		read -r -t 60 answer <&7
		[ "$(jq -r .id <<<"$answer")" = "$line" ]
	done <lines
	exec 8>&-
	wait $!
}

@test "a text is answered before the next is waited for" {
	printf 'one\ntwo\nthree\n' >lines
	exchange -t -m "$IDS"
}

@test "a picture is answered before the next is waited for" {
	dots 1 >1.ppm
	dots 2 >2.ppm
	printf '1.ppm\n2.ppm\nmissing\n' >lines
	run -0 exchange -j 3 -m "$DOTS" --files-from=- || [ "$status" -eq 1 ]
}

@test "--stats says what was waited for" {
	dots 255 >a.ppm
	run -0 --separate-stderr embed --stats -m "$DOTS" -F text a.ppm a.ppm
	[[ $stderr =~ ^"clip-embed: 2 vectors in "[0-9.]+" s, "[0-9.]+"/s; 0 failed, 0 left out; mean ms decoding "[0-9.]+", waited for it "[0-9.]+", for the model "[0-9.]+": bound by " ]]
	NPU_EMU_INFER_MS=300 run -0 --separate-stderr embed --stats -m "$DOTS" \
	    -F text a.ppm a.ppm a.ppm a.ppm
	[[ $stderr == *": bound by the model" ]]
	mkfifo in
	{ sleep 2; cat a.ppm; } >in 3>&- &
	run -0 --separate-stderr embed --stats -m "$DOTS" -F text in
	[[ $stderr == *": bound by decoding" ]]
	wait
	# Of none there is no mean.
	run -0 --separate-stderr embed --stats -m "$IDS" -t -F text - </dev/null
	[[ $stderr =~ ^"clip-embed: 0 vectors in "[0-9.]+" s, 0.0/s; 0 failed, 0 left out; mean ms decoding 0.000, waited for it 0.000, for the model 0.000: bound by the model"$ ]]
}

@test "progress is said four times a second at most" {
	# The first when a second is over; the others come all at once.
	mkfifo slow
	{ echo cat; sleep 1.5; yes cat | head -n 400; } >slow 3>&- &
	begin=$SECONDS
	script -qec "clip-embed -d emu -t -m $IDS -o v slow" said </dev/null
	most=$((4 * (SECONDS - begin + 1)))
	n=$(grep -ao ' vectors, ' said | wc -l)
	[ "$n" -ge 1 ]
	[ "$n" -le "$most" ]
	wait
}

@test "progress on a terminal alone, after a second, and not with -q" {
	for _ in $(seq 4); do echo cat; done >texts
	export NPU_EMU_INFER_MS=400 NPU_EMU_CORES=1
	script -qec "clip-embed -d emu -t -m $IDS -o v texts" said </dev/null
	grep -qa '[34] vectors, [0-9.]*/s' said
	script -qec "clip-embed -q -d emu -t -m $IDS -o v texts" said </dev/null
	run ! grep -qa ' vectors, ' said
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" -F text texts
	[[ $stderr != *" vectors, "* ]]
}

@test "JSON lines on a terminal, and nothing binary" {
	script -qec "clip-embed -q -d emu -m $IDS -s cat" said </dev/null
	grep -qa '"schema":"clip-embed/1","id":"cat"' said
	script -qec "clip-embed -q -d emu -r -m $IDS -s cat; echo st=\$?" said \
	    </dev/null
	grep -qa 'stdout is a terminal' said
	grep -qa 'st=2' said
	# Nor does it wait for somebody to type NULs.
	for args in '-0' '-0 a.ppm' '' '-t'; do
		run -2 timeout 20 script -qec "clip-embed -q -d emu $args" \
		    /dev/null
		[[ $output == *" is a terminal; "* ]]
	done
}

@test "a full disk, a closed output, no device" {
	run -1 --separate-stderr bash -c 'clip-embed -q -d emu -m "$IDS" \
	    -s cat >/dev/full'
	[ "$stderr" = "clip-embed: write error: No space left on device" ]
	run -1 --separate-stderr bash -c 'clip-embed -q -d emu -m "$IDS" \
	    -s cat >&-'
	run -3 --separate-stderr clip-embed -q -d npu --node=/nowhere \
	    -m "$IDS" -s cat
}

# After 2 s it would end by itself, and the model would stay loaded; that it is
# unloaded is seen by a delay that the call meets.
@test "SIGTERM ends it at once while it waits, and no file is left" {
	mkfifo in
	exec 8<>in
	export NPU_EMU_LOG=$PWD/log NPU_EMU_FAULT=unload:1:delay=1
	for args in "-m $IDS -t in" "-m $DOTS --files-from=in"; do
		# shellcheck disable=SC2086 # words
		clip-embed -q -d emu -o v $args 3>&- 8>&- &
		pid=$!
		loaded $pid
		sleep 0.5
		kill -TERM $pid
		status=0
		wait $pid || status=$?
		[ $status -eq 143 ]
		[ "$(cat log)" = "fault unload 1 0 delay=1" ]
		rm log
		[ "$(ls -A)" = in ]
	done
	exec 8>&-
}

@test "a text where a file's name belongs: the message says -s" {
	for t in '' -t; do
		# shellcheck disable=SC2086 # an option or none
		run --separate-stderr -1 clip-embed -q $t 'a red circle'
		[ "$stderr" = "clip-embed: a red circle: \
No such file or directory; -s says a text itself" ]
	done
}
