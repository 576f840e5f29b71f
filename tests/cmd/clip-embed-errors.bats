#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-embed's errors: bad pictures, texts, models and options.
# bats file_tags=slow

load ../support/helper
load ../support/clipembed

@test "a bad picture keeps its place and is reported; the status is 1" {
	dots 255 >a.ppm
	printf 'P6\n8 8\n255\ncut' >cut.ppm
	run -1 --separate-stderr embed -m "$DOTS" -F text --write-ids=ids a.ppm \
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
	npu-tensor m.npy | grep -F 'f32 [2,12]'
}

@test "--on-error=skip omits a bad picture, =fail stops at it" {
	dots 255 >a.ppm
	dots 0 >b.ppm
	for f in text jsonl; do
		run -1 --separate-stderr embed -m "$DOTS" -F $f \
		    --on-error=skip a.ppm missing b.ppm
		[ "${#lines[@]}" -eq 2 ]
		[[ $output != *[nN]a[nN]* && $output != *missing* ]]
		[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	done
	run -1 embed -m "$DOTS" -F text --write-ids=ids --on-error=skip a.ppm \
	    missing b.ppm
	[ "$(cat ids)" = $'a.ppm\nb.ppm' ]
	run -1 --separate-stderr embed -m "$DOTS" -F text --on-error=fail \
	    a.ppm missing b.ppm
	[ "${#lines[@]}" -eq 1 ]
	[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	run -1 embed -m "$DOTS" -o v --on-error=fail a.ppm missing
	[ ! -e v ]
}

@test "--overlong decides what happens to a text that is too long" {
	printf 'cat\na cat sat\ndog\n' >texts
	run -1 --separate-stderr embed --lines -m "$IDS" --norm=none -F text texts
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[1]}" = 'nan nan nan nan' ]
	[ "${lines[2]}" = '49406 1929 49407 0' ]
	[[ $stderr == "clip-embed: texts: line 2: 5 tokens, limit 4 "*"sat" ]]
	run -0 --separate-stderr clip-embed -d emu --lines -m "$IDS" --norm=none \
	    -F text --truncate texts
	[ "${lines[1]}" = '49406 320 2368 49407' ]
	[[ $stderr == *"texts: line 2: 5 tokens, cut to 4; dropped: sat" ]]
	run -0 --separate-stderr clip-embed -d emu --lines -m "$IDS" -F jsonl \
	    --overlong=skip texts
	[ "$(jq -r .id <<<"$output")" = $'cat\ndog' ]
	[[ $stderr == *"line 2: 5 tokens, left out for the limit of 4"* ]]
}

@test "a failed inference affects only its own input" {
	printf 'one\ntwo\nthree\n' >texts
	NPU_EMU_FAULT=infer:2:exception run -1 --separate-stderr embed --lines \
	    -m "$IDS" -F jsonl texts
	[ "$(jq -c 'has("vector")' <<<"$output")" = $'true\nfalse\ntrue' ]
	[[ $stderr == "clip-embed: texts: line 2: "* ]]
}

@test "the library's messages are printed before the error they explain" {
	printf 'one\ntwo\nthree\n' >texts
	export NPU_EMU_NOISE=1 NPU_EMU_INFER_MS=100
	NPU_EMU_FAULT=infer:2:schedule run -1 --separate-stderr embed --lines \
	    -m "$IDS" -F jsonl texts
	[[ $stderr == "clip-embed: the library says: "*"could not be scheduled"*$'\n'"clip-embed: texts: line 2: "* ]]
	[ "$(grep -c 'library says' <<<"$stderr")" -eq 1 ]
	# The library printed its message when the second inference was
	# submitted, before the first had failed.
	NPU_EMU_FAULT=infer:1:exception,infer:2:schedule run -1 \
	    --separate-stderr embed --lines -m "$IDS" -F jsonl texts
	sed 's/ \(the library says\|[^ ]* line .\): .*/ \1/' <<<"$stderr" >said
	diff said - <<-'END'
	clip-embed: the library says
	clip-embed: texts: line 1
	clip-embed: the library says
	clip-embed: texts: line 2
	END
	# The order is the same if the device is gone.
	NPU_EMU_FAULT=status:1+:abnormal run -3 --separate-stderr embed --lines \
	    -m "$IDS" -F jsonl texts
	[[ $stderr == "clip-embed: the library says: "*"query job status [fail]"*$'\n'"clip-embed: "*": the device is gone, "* ]]
}

@test "clip-embed ends when the device goes away" {
	printf 'one\ntwo\nthree\n' >texts
	NPU_EMU_INFER_MS=300 NPU_EMU_FAULT=infer:2:nodevice \
	    run -3 --separate-stderr embed --lines \
	    -m "$IDS" -F jsonl texts
	[[ $output != *two* && $output != *error* ]]
	[ "$(grep -c '^clip-embed: ' <<<"$stderr")" -eq 1 ]
	# The first inference fails, so the library cannot be asked about an
	# earlier one.
	NPU_EMU_FAULT=infer:1:nodevice run -3 --separate-stderr embed --lines \
	    -m "$IDS" -F jsonl texts
	[ "$output" = "" ]
	[[ $stderr == *": the device is gone, "* ]]
}

@test "a bad line in --files-from loses no vector of earlier pictures" {
	dots 9 >a.ppm
	bad_lists a.ppm a.ppm a.ppm a.ppm a.ppm
	for list in long nul; do
		run -1 --separate-stderr embed -m "$DOTS" -F jsonl \
		    --files-from=$list
		[ "$(jq -r .id <<<"$output" | grep -c a.ppm)" -eq 5 ]
		[[ $stderr == "clip-embed: $list: line 6: "* ]]
		status=0
		embed -m "$DOTS" -F jsonl --files-from=$list >out 2>said ||
			status=$?
		[ $status -eq 1 ]
		[ "$(cat out)" = "$output" ]
	done
}

@test "a zero vector is an error, but not with --norm=none" {
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

# CLIP's normalisation turns black into negative numbers, which have no
# logarithm.
@test "a vector with NaN or infinity is an error with every --norm" {
	mkonnx Log f32:1x3x2x2 : f32:1x3x2x2 >log.onnx
	cix-pack -o log.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 log.onnx
	dots 0 >black.ppm
	for norm in l2 none; do
		run -1 --separate-stderr embed -m ./log.cix --norm=$norm \
		    -F jsonl black.ppm
		[ "$(jq -r .error <<<"$output")" = \
		    "the vector contains NaN or infinity" ]
	done
}

@test "a note is printed if the model's input cannot hold the colours" {
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
	cix-pack -o s8.cix -I image:s8:1x3x2x2:1:0 -O v:f32:1x3x2x2 same.onnx
	run -0 --separate-stderr clip-embed -d emu -m ./s8.cix -F jsonl a.ppm
	[[ $stderr == *"clip-embed: s8 [1,3,2,2] scale=1 zero_point=0: 256 \
shades become 5"* ]]
}

@test "models with vectors of different widths are refused at the start" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed --text-model="$IDS" \
	    --image-model="$DOTS" --text=cat a.ppm
	[ -z "$output" ]
	[ "$stderr" = "clip-embed: $IDS gives vectors of 4 numbers and $DOTS of 12: they belong to different spaces and cannot be compared" ]
}

@test "one run can embed texts and pictures; texts come first" {
	dots 255 >a.ppm
	mkonnx Identity f32:1x12 : f32:1x12 >ids12.onnx
	cix-pack -o ids12.cix -I text:s32:1x12 -O v:f32:1x12 ids12.onnx
	run -0 embed --text-model=./ids12.cix --image-model="$DOTS" -F jsonl \
	    a.ppm --text=cat
	[ "$(jq -r '"\(.kind) \(.id)"' <<<"$output")" = \
	    $'text cat\nimage a.ppm' ]
	run -2 --separate-stderr embed -m "$DOTS" --text=cat a.ppm
	[[ $stderr == *"give --text-model and --image-model "* ]]
}

@test "models that are not encoders are refused" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed -m "$IDS" a.ppm
	[ "$stderr" = "clip-embed: $IDS: takes s32 [1,4] scale=1 zero_point=0, and not one picture of three channels" ]
	mkonnx Identity f32:1x4 : f32:1x4 >four.onnx
	cix-pack -o four.cix -I text:f32:1x4 -O v:f32:1x4 four.onnx
	run -1 --separate-stderr embed -m ./four.cix --text=cat
	[[ $stderr == "clip-embed: ./four.cix: takes f32 [1,4], and not a row "* ]]
	run -1 --separate-stderr embed -m "$DOTS" --text=cat
	[ "$stderr" = "clip-embed: $DOTS: takes f32 [1,3,2,2], and not a row of 2 to 1048576 ids, s32 or s64" ]
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 >two.onnx
	cix-pack -o two.cix -I a:f32:1x4 -I b:f32:1x4 -O v:f32:1x4 two.onnx
	run -1 --separate-stderr embed -m ./two.cix --text=cat
	[[ $stderr == "clip-embed: ./two.cix: 2 inputs; "* ]]
	while read -r in out words; do
		cat >m.json <<-END
		{"inputs": [{"name": "a", "type": "s32", $in}],
		 "outputs": [{"name": "b", $out}]}
		END
		cix-pack -J m.json >m.cix
		run -1 --separate-stderr embed -m ./m.cix --text=cat
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
	mkcix --in=u8:12:255 --out f32:4 sound-table-empty >m.cix
	run -1 --separate-stderr embed -m ./m.cix a.ppm
	[[ $stderr == "clip-embed: ./m.cix: does not state the shape of its input, u8 [12] "* ]]
	mkcix --in s32:1 --out f32:4 sound-table-empty >m.cix
	run -1 --separate-stderr embed -m ./m.cix --text=cat
	[[ $stderr == "clip-embed: ./m.cix: takes s32 "*", and not a row of 2 "* ]]
	cix-pack -I a:s32:1x4 -O b:f32:4 -O c:f32:4 >m.cix
	run -1 --separate-stderr embed -m ./m.cix --text=cat
	[ "$stderr" = "clip-embed: ./m.cix: 2 outputs; an encoder of CLIP's \
kind has one" ]
	cix-pack -I a:s64:1x3x2x2 -O b:f32:12 >m.cix
	run -1 --separate-stderr embed -m ./m.cix a.ppm
	[[ $stderr == "clip-embed: ./m.cix: pixels become elements of 8, "* ]]
	# A detector also takes pictures, but its output is not a vector.
	run -1 --separate-stderr embed -m yolov8n.cix a.ppm
	[ -z "$output" ]
	[[ $stderr == "clip-embed: "*"/yolov8n.cix: gives "*" [1,84,8400]"*", and not a vector of 1 to 65536 numbers" ]]
	run -1 --separate-stderr embed -m ./none.cix --text=cat
	[[ $stderr == "clip-embed: ./none.cix: "* ]]
}

@test "picture options are refused if only texts are given" {
	for o in --recursive --stream=ppm --null; do
		run --separate-stderr -2 embed -F jsonl --text=a $o </dev/null
		[ "$output" = "" ]
		[ "${stderr_lines[0]}" = "clip-embed: ${o%=*} is for \
pictures; name a picture" ]
	done
	# Messages show an empty name as two quotes; in JSON it is an empty
	# string.
	run --separate-stderr -1 embed -F jsonl ''
	[ "$(jq -c .id <<<"$output")" = '""' ]
}

@test "wrong usage is refused with status 2" {
	dots 255 >a.ppm
	for args in '--lines --text=x' '--lines -R' '--lines --files-from=l' '--lines --stream=ppm' \
	    '-m m --image-model=n a.ppm' '-m m --text=x -0' '-m m --text=x -R' \
	    '-m m --text=x --stream=ppm' '-m m --text=x --files-from=l' '--norm=l1' \
	    '--on-error=keep' '--for=yolo' '--overlong=cut' '-F f64' \
	    '-j 257' '--lines - -' '--text-model=m a.ppm' '--text=x --image-model=m' \
	    '--write-ids=- a.ppm' '--about=- a.ppm' '--write-ids=/dev/stdout a.ppm' \
	    '-o v --write-ids=v a.ppm' "-o v --about=$PWD/v a.ppm" \
	    '--write-ids=./v --about=v a.ppm' '--truncate a.ppm' \
	    '--overlong=skip a.ppm' '--fast --text=x' '--for=clip --lines' \
	    '--max-pixels=9 --text=x' '--index= a.ppm' '--index=- a.ppm' '-m m --text-model=n --text=x' \
	    '-F jsonl --write-ids=i a.ppm'; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr embed $args </dev/null
		[ -z "$output" ]
	done
	[ ! -e v ]
	embed -m "$DOTS" -o /dev/null --write-ids=/dev/null --about=/dev/null a.ppm
	# The same name in another folder is another file; a folder that does
	# not exist is an error.
	mkdir d
	embed -m "$DOTS" -o v --write-ids=d/v a.ppm
	shm=/dev/shm/clip-embed.$$
	mkdir $shm
	embed -m "$DOTS" -o v --write-ids=$shm/v a.ppm
	rm -r $shm
	for o in '-o v --write-ids=none/v' '-o none/v --write-ids=v'; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr embed -m "$DOTS" $o a.ppm
		[ "$stderr" = "clip-embed: none/v: No such file or directory" ]
	done
}

@test "--max-pixels refuses a larger picture after reading its header" {
	printf 'P6\n3000 3000\n255\n' >large.ppm
	run -1 --separate-stderr embed -m "$DOTS" -F jsonl \
	    --max-pixels=1000000 large.ppm
	[ "$stderr" = "clip-embed: large.ppm: PPM: 3000 x 3000 pixels are more than the limit of 1000000; --max-pixels=9000000 reads it" ]
}

@test "names with newlines can only be written with -0" {
	name=$'two\nlines.ppm'
	dots 255 >"$name"
	run -1 --separate-stderr embed -m "$DOTS" --write-ids=ids -o v "$name"
	[[ $stderr == *"use -0, which ends ids with NUL" ]]
	[ ! -e ids ]
	[ ! -e v ]
	printf '%s\0' "$name" a >list
	run -1 embed -0 -m "$DOTS" --write-ids=ids -o v <list
	cmp list ids
}

@test "after a file of texts that cannot be read, later files are read" {
	printf '1\n' >one
	printf '2\n' >two
	cat one two >both
	embed --lines -m "$IDS" both >want
	for bad in missing .; do
		why='No such file or directory'
		[ $bad = missing ] || why='Is a directory'
		run -1 --separate-stderr embed --lines -m "$IDS" -o got one $bad two
		[ "$stderr" = "clip-embed: $bad: $why" ]
		cmp got want
		run -1 --separate-stderr embed --lines -m "$IDS" --on-error=fail \
		    -F jsonl one $bad two
		[ "$stderr" = "clip-embed: $bad: $why" ]
		[ "$(wc -l <<<"$output")" -eq 1 ]
	done
}
