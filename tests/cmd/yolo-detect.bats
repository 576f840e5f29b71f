#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# yolo-detect with a model that returns its input: three planes of 8 x 8 pixels,
# which are taken as 6 rows (a box, two classes) of 32 boxes.  A picture of 8 x
# 8 pixels therefore contains the boxes to be found, in 255ths; only decoding
# and rounding to f16 change them.

load ../support/helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    toy.onnx
	export TOY=$PWD/toy.cix
}

# scene "CX CY W H SCORE0 SCORE1"...: prints a picture with these boxes, in
# 255ths of a pixel.
scene() {
	perl -e '
		my @row = map { [(0) x 32] } 1 .. 6;
		for my $i (0 .. $#ARGV) {
			my @v = split " ", $ARGV[$i];
			$row[$_][$i] = $v[$_] for 0 .. 5;
		}
		my @plane = ([@{$row[0]}, @{$row[1]}], [@{$row[2]}, @{$row[3]}],
		    [@{$row[4]}, @{$row[5]}]);
		print "P6\n8 8\n255\n";
		for my $i (0 .. 63) {
			print pack "C3", map { $_->[$i] } @plane;
		}' -- "$@"
}

detect() {
	yolo-detect -q -d emu -m "$TOY" "$@"
}

# two: prints a picture with a box of 0.2 by 0.2 around 0.2, 0.2, of class 0,
# and a box of 0.2 by 0.4 around 0.4, 0.2, of class 1.  51 is a fifth of 255.
two() {
	scene "51 51 51 51 204 51" "102 51 51 102 51 255"
}

both='"detections":[{"class":"class1","id":1,"confidence":1,"box":[0.3,0,0.5,0.4]},{"class":"class0","id":0,"confidence":0.7998,"box":[0.1,0.1,0.3,0.3]}]'
size='"width":8,"height":8,"conf":0.25,"iou":0.7'

# bats test_tags=slow
@test "a note is printed if the model's input cannot hold the colours" {
	two >a.ppm
	cp "$TOY" good.cix
	run -0 --separate-stderr yolo-detect -d emu -m ./good.cix a.ppm
	[[ $stderr != *clipped* ]]
	cix-pack -o s8.cix -I image:s8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    "${TOY%.cix}.onnx"
	run -0 --separate-stderr yolo-detect -d emu -m ./s8.cix a.ppm
	[[ $stderr == *"yolo-detect: values from 0 to 1, but s8 [1,3,8,8] \
scale=255 zero_point=0 holds -0.502 to 0.498: what is beyond is clipped"* ]]
	cix-pack -o u8.cix -I image:u8:1x3x8x8:1:0 -O boxes:f16:1x6x32 \
	    "${TOY%.cix}.onnx"
	run -0 --separate-stderr yolo-detect -d emu -m ./u8.cix a.ppm a.ppm
	[ "$(grep -c shades <<<"$stderr")" -eq 1 ]
	[[ $stderr == *"yolo-detect: u8 [1,3,8,8] scale=1 zero_point=0: 256 \
shades become 2"* ]]
	run -0 --separate-stderr detect -m ./u8.cix a.ppm
	[ "$stderr" = "" ]
}

@test "yolo-detect prints objects as yolo-detect/1" {
	two >a.ppm
	run -0 --separate-stderr detect a.ppm
	[ "$output" = '{"schema":"yolo-detect/1","file":"a.ppm",'"$size,$both}" ]
	[ -z "$stderr" ]
}

# bats test_tags=slow
@test "yolo-detect prints the bytes of img-tensor, npu-run and yolo-decode" {
	two >a.ppm
	scene >none.ppm
	scene "128 128 200 200 130 0" >b.ppm
	for style in jsonl json tsv csv; do
		run -1 --separate-stderr detect -F $style -o one a.ppm none.ppm \
		    missing b.ppm
		run -1 img-tensor -q -m "$TOY" -o tensors a.ppm none.ppm missing \
		    b.ppm
		npu-run -q -d emu "$TOY" <tensors >answers
		run -1 yolo-decode -q -m "$TOY" -F $style --image=a.ppm \
		    --image=none.ppm --image=missing --image=b.ppm -o three \
		    answers
		cmp one three
	done
}

# bats test_tags=slow
@test "a stream, and a picture on stdin, give the bytes of the pipeline" {
	two >a.ppm
	scene "128 128 200 200 130 0" >b.ppm
	cat a.ppm b.ppm a.ppm >film
	for style in jsonl tsv coco; do
		detect --stream=ppm -F $style -o one film
		img-tensor -q -m "$TOY" --stream=ppm film >tensors
		npu-run -q -d emu "$TOY" <tensors >answers
		yolo-decode -q -m "$TOY" -F $style --stream=ppm --image=film \
		    <answers >three
		cmp one three
	done
	# Standard input has no name, both as a stream and as one picture.
	for style in jsonl tsv; do
		detect --stream=ppm -F $style <film >one
		npu-run -q -d emu "$TOY" <tensors >answers
		yolo-decode -q -m "$TOY" -F $style --stream=ppm --image=- \
		    answers <film >three
		cmp one three
	done
	[ "$(cut -f 1 <one | uniq)" = $'-#1\n-#2\n-#3' ]
	detect --stream=ppm <film >one
	run -0 jq -r '[.file, .frame] | @json' one
	[ "${lines[2]}" = '[null,3]' ]
	detect - <a.ppm >one
	img-tensor -q -m "$TOY" <a.ppm | npu-run -q -d emu "$TOY" >answers
	yolo-decode -q -m "$TOY" --image=- answers <a.ppm | cmp - one
}

# bats test_tags=slow
@test "a real model finds the same in photos, also turned, as the pipeline" {
	need_data models/yolov8n-640-qdq-int8.onnx
	cix-pack -o yolo.cix -I images:u8:1x3x640x640:255:0 \
	    -O output0:f16:1x84x8400 "$DATA"
	need_data images/photos
	files=("$DATA"/*.jpg "$DATA"/*.png)
	need_data images/exif
	files+=("$DATA"/*.jpg)
	[ "${#files[@]}" -ge 13 ]
	yolo-detect -q -d emu -T none -j 2 -m ./yolo.cix "${files[@]}" >one
	img-tensor -q -m ./yolo.cix "${files[@]}" |
	    npu-run -q -d emu -T none ./yolo.cix >answers
	yolo-decode -q -m ./yolo.cix "${files[@]/#/--image=}" <answers >three
	cmp one three
	[ "$(wc -l <one)" -eq "${#files[@]}" ]
	grep -q '"class":"bus"' one
}

# bats test_tags=slow
@test "a bad picture does not shift, stop or hide the others" {
	two >a.ppm
	printf 'P6\n8 8\n255\ncut' >cut.ppm
	echo no picture >text
	cp a.ppm b.ppm
	run -1 --separate-stderr detect a.ppm cut.ppm text missing . b.ppm
	[ "${#lines[@]}" -eq 6 ]
	[[ ${lines[0]} == *'"file":"a.ppm",'*"$both}" ]]
	[[ ${lines[5]} == *'"file":"b.ppm",'*"$both}" ]]
	for i in 1 2 3 4; do
		jq -e '.error.message and .detections == []' <<<"${lines[i]}"
	done
	mapfile -t said <<<"$stderr"
	[ "${#said[@]}" -eq 4 ]
	[[ ${said[0]} == "yolo-detect: cut.ppm: "* ]]
	[[ ${said[2]} == "yolo-detect: missing: No such file or directory"* ]]
}

# bats test_tags=slow
@test "-j keeps the order of the names, for any number of decoders" {
	names=()
	for i in $(seq 40); do
		scene "51 51 51 51 $((60 + i)) 0" >"$i.ppm"
		names+=("$i.ppm")
	done
	detect -j 1 "${names[@]}" >one
	detect -j 4 "${names[@]}" >four
	cmp one four
	# -j 0 takes as many threads as there are processors.
	detect -j 0 "${names[@]}" | cmp one -
	run -0 jq -r .file one
	[ "$output" = "$(printf '%s\n' "${names[@]}")" ]
}

# bats test_tags=slow
@test "pictures are read from stdin, lists and folders" {
	two >a.ppm
	run -0 detect <a.ppm
	[[ $output == *'"file":null,'*"$both}" ]]
	run -0 detect - <a.ppm
	[[ $output == *'"file":null,'*"$both}" ]]
	mkdir -p tree/deep
	cp a.ppm tree/z.ppm
	cp a.ppm tree/deep/picture
	echo words >tree/words
	run -0 detect -R tree
	[ "$(jq -r .file <<<"$output")" = $'tree/deep/picture\ntree/z.ppm' ]
	run -0 detect --files-from=- < <(printf 'a.ppm\ntree/z.ppm\n')
	[ "${#lines[@]}" -eq 2 ]
	run -0 detect -0 < <(printf 'a.ppm\0tree/z.ppm\0')
	[ "${#lines[@]}" -eq 2 ]
}

# bats test_tags=slow
@test "--stream writes each picture's results before the next picture arrives" {
	two >a.ppm
	scene >b.ppm
	run -0 detect --stream=ppm < <(cat a.ppm b.ppm a.ppm)
	[ "$(jq -r '"\(.file) \(.frame)"' <<<"$output")" = \
	    $'null 1\nnull 2\nnull 3' ]
	[[ ${lines[2]} == *"$both}" ]]
	mkfifo in out
	# Open both pipes for reading and writing: then the test does not block
	# if the program ends early.
	exec 7<>out 8<>in
	timeout 300 yolo-detect -q -d emu -m "$TOY" --stream=ppm in >&7 \
	    3>&- 8>&- &
	cat a.ppm >&8
	read -r -t 60 line <&7
	[[ $line == *'"file":"in","frame":1,'* ]]
	cat b.ppm >&8
	read -r -t 60 line <&7
	[[ $line == *'"file":"in","frame":2,'* ]]
	exec 8>&-
	wait $!
}

# bats test_tags=slow
@test "--drop=old keeps the newest frame, the last frame, and errors" {
	two >a.ppm
	scene "51 51 51 51 255 0" >last.ppm
	for i in $(seq 300); do cat a.ppm; done >film
	cat last.ppm >>film
	# Frames arrive while the first frame is run.
	NPU_EMU_FAULT=infer:1:delay=3000 run -0 --separate-stderr \
	    yolo-detect -d emu -m "$TOY" --stream=ppm --drop=old film
	n=${#lines[@]}
	[ "$n" -ge 1 ]
	[ "$n" -lt 301 ]
	[[ ${lines[n - 1]} == *'"file":"film","frame":301,'*'"confidence":1,'* ]]
	[[ $stderr == *"yolo-detect: $((301 - n)) pictures dropped"* ]]
	run -0 --separate-stderr yolo-detect -d emu -m "$TOY" --stream=ppm \
	    --drop=old last.ppm
	[ "$stderr" = "" ]
	# An error in the middle is not dropped.
	for i in $(seq 40); do cat a.ppm; done >film
	NPU_EMU_FAULT=infer:1:delay=3000 run -1 --separate-stderr detect \
	    --stream=ppm --drop=old film none none film
	[ "$(grep -c '^yolo-detect: none: No such file' <<<"$stderr")" -eq 2 ]
	[ "$(grep -c '"file":"none",.*"message":"No such' <<<"$output")" -eq 2 ]
	[ ${#lines[@]} -lt 82 ]
	# An error does not replace a waiting picture, because it is not a newer
	# picture.  b.ppm waits while a.ppm is run, or has replaced a.ppm.
	cp a.ppm b.ppm
	for i in $(seq 5); do
		NPU_EMU_INFER_MS=100 run -1 --separate-stderr detect \
		    --stream=ppm --drop=old a.ppm b.ppm none last.ppm
		[[ ${lines[-3]} == *'"file":"b.ppm",'*'"confidence":1,'* ]]
		[[ ${lines[-2]} == *'"file":"none",'*'"message":"No such'* ]]
		[[ ${lines[-1]} == *'"file":"last.ppm",'*'"confidence":1,'* ]]
	done
	for i in $(seq 10); do
		run -1 --separate-stderr yolo-detect -d emu -m "$TOY" \
		    --stream=ppm --drop=old a.ppm none a.ppm
		[ ${#lines[@]} -eq 3 ]
		[[ ${lines[1]} == *'"file":"none",'* ]]
		[[ $stderr != *dropped* ]]
	done
	# An error at the end is not dropped.
	head -c 50 a.ppm >cut
	cat a.ppm cut >film
	run -1 --separate-stderr torn film yolo-detect -q -d emu -m "$TOY" \
	    --stream=ppm --drop=old -
	[[ $stderr == "yolo-detect: stdin: picture 2: Input/output error" ]]
	[[ ${lines[-1]} == *'"frame":2,'*'"message":"Input/output error"'* ]]
	run -2 --separate-stderr detect --drop=old a.ppm
	[[ $stderr == *"--drop needs --stream"* ]]
	run -2 detect --stream=ppm --drop=new film
}

# bats test_tags=slow
@test "a device that is gone ends the run, a failed inference does not" {
	two >a.ppm
	# Pictures in flight then have no results.
	for fault in status:3 infer:1 infer:3+ create:1 create:3+; do
		NPU_EMU_FAULT=$fault:nodevice run -3 --separate-stderr detect \
		    a.ppm a.ppm a.ppm a.ppm a.ppm
		n=${fault#*:}
		[ ${#lines[@]} -lt "${n%+}" ]
		[ "$(grep -c '^yolo-detect: ' <<<"$stderr")" -eq 1 ]
		[[ $stderr == *": the device is gone, "* ]]
	done
	# A csv file appears only when it is complete; a JSON document appears
	# and contains the reason.
	for f in csv json; do
		NPU_EMU_FAULT=infer:2:nodevice run -3 detect -F $f -o lost.$f \
		    a.ppm a.ppm a.ppm
	done
	[ ! -e lost.csv ]
	jq -e '.[-1].error.status == 3' lost.json
	NPU_EMU_NOISE=1 NPU_EMU_FAULT=status:1+:abnormal run -3 \
	    --separate-stderr detect a.ppm
	[[ $stderr == "yolo-detect: the library says: "*"query job status [fail]"*$'\n'"yolo-detect: "*": the device is gone, "* ]]
	for fault in status:2:abnormal infer:2:abnormal infer:2:schedule \
	    create:2:grid infer:2:exception; do
		NPU_EMU_FAULT=$fault run -1 --separate-stderr detect \
		    a.ppm a.ppm a.ppm
		[ "$(jq -r .error.message <<<"$output" | grep -vc null)" -eq 1 ]
		[ ${#lines[@]} -eq 3 ]
	done
}

# bats test_tags=slow
@test "a bad line of a list does not lose the pictures of the lines before" {
	two >a.ppm
	for i in 1 2 3 4 5; do cp a.ppm $i.ppm; done
	bad_lists 1.ppm 2.ppm 3.ppm 4.ppm 5.ppm
	for list in long nul; do
		for f in jsonl:5 json:1 coco:1 tsv:10 csv:11; do
			run -1 --separate-stderr detect -F ${f%:*} \
			    --files-from=$list
			[[ $stderr == "yolo-detect: $list: line 6: "* ]]
			case $f in
			json:1) [ "$(jq length <<<"$output")" -eq 6 ] ;;
			coco:1) [ "$(jq length <<<"$output")" -eq 10 ] ;;
			*) [ ${#lines[@]} -eq ${f#*:} ] ;;
			esac
			records=$output
			run -1 bash -c "yolo-detect -q -d emu -m '$TOY' \
			    -F ${f%:*} --files-from=$list >out"
			[ "$(cat out)" = "$records" ]
		done
		# A file that appears only when it is complete does not appear;
		# with one file for each picture, the first files exist.
		run -1 detect -F jsonl -o whole --files-from=$list
		[ ! -e whole ]
		run -1 detect -F yolo -o labels --files-from=$list
		[ -s labels/5.txt ]
		# With no picture before the bad line, the output is empty.
		sed -i 1,5d $list
		run -1 --separate-stderr detect -F jsonl --files-from=$list
		[ "$output" = "" ]
	done
	# After a write error nothing more is written.
	run -1 --separate-stderr bash -c \
	    'yolo-detect -q -d emu -m "$TOY" -F json a.ppm >/dev/full'
	[ "$stderr" = "yolo-detect: write error: No space left on device" ]
}

# bats test_tags=slow
@test "-F json: an error that ends the run is reported in a last object" {
	two >a.ppm
	why() {
		jq -c 'if type == "array" then .[-1] else . end |
		    [.schema, .file, .detections, .error.status,
		    .error.message]'
	}
	run -1 --separate-stderr detect -F json -m nosuch a.ppm
	[[ $(why <<<"$output") == \
'["yolo-detect/1",null,[],1,"nosuch: no such model in '* ]]
	run -3 --separate-stderr yolo-detect -q -m "$TOY" -d npu --node=none \
	    -F json a.ppm a.ppm
	[ "$(jq length <<<"$output")" -eq 1 ]
	[[ $(why <<<"$output") == \
'["yolo-detect/1",null,[],3,'*'none does not exist'* ]]
	# The document of an earlier run is replaced.
	echo '[]' >o
	run -1 --separate-stderr detect -F json -o o --names=missing a.ppm
	[ "$(why <o)" = \
'["yolo-detect/1",null,[],1,"missing: No such file or directory"]' ]
	# Wrong usage does not replace it.
	run -2 --separate-stderr detect -F json -o o --classes=nothing a.ppm
	[ "$output" = "" ]
	[ "$(jq .error.status o)" -eq 1 ]
}

@test "-F json: a drawing that cannot be written is an error of its picture" {
	two >a.ppm
	two >b.ppm
	mkdir o
	for option in --draw=o --crop=o; do
		ln -sf a.ppm o/a.png
		ln -sf a.ppm o/a.1.class1.png
		run -1 --separate-stderr detect -F json "$option" a.ppm
		[[ $(jq -c '[.error.status, .error.message,
		    (.detections | length)]' <<<"$output") == \
'[1,"a.ppm: o/a.'*' is a link, which is not followed; '*'",2]' ]]
		run -1 --separate-stderr detect -F json "$option" a.ppm b.ppm
		[ "$(jq -c '[.[].error.status]' <<<"$output")" = '[1,null]' ]
	done
	run -1 --separate-stderr detect -F yolo -o o --draw=o a.ppm
	[ -s o/a.txt ]
}

# bats test_tags=slow
@test "-F coco: after a failure, the document is an error and not a list" {
	two >1.ppm
	for i in 2 3 4; do cp 1.ppm $i.ppm; done
	run -3 --separate-stderr yolo-detect -q -m "$TOY" -d npu --node=none \
	    -F coco 1.ppm
	[ "$(jq -c '[keys, .error.status]' <<<"$output")" = '[["error"],3]' ]
	# lost OPTION...: runs four pictures; the device is gone at the fourth.
	lost() {
		NPU_EMU_FAULT=infer:4:nodevice run -3 --separate-stderr detect \
		    -F coco "$@" 1.ppm 2.ppm 3.ppm 4.ppm
	}
	echo '[]' >o
	lost -o o
	[ "$output" = '' ]
	[ "$(jq -c '[keys, .error.status]' o)" = '[["error"],3]' ]
	# A list of results that is already printed stays a list.
	lost
	[ "$(jq -c '[.[].image_id][:2]' <<<"$output")" = '[1,1]' ]
}

# bats test_tags=slow
@test "on SIGTERM the results so far are in the output" {
	for i in 1 2 3 4 5; do two >$i.ppm; done
	mkfifo list
	exec 8<>list
	for f in jsonl coco; do
		yolo-detect -q -d emu -m "$TOY" -F $f --files-from=list \
		    >out 3>&- 8>&- &
		pid=$!
		printf '%s\n' 1.ppm 2.ppm 3.ppm 4.ppm 5.ppm >&8
		for _ in $(seq 600); do
			[ "$(grep -o '0.79980*' out | wc -l)" -lt 5 ] || break
			sleep 0.1
		done
		kill -TERM $pid
		status=0
		wait $pid || status=$?
		[ $status -eq 143 ]
		[ "$(grep -o '0.79980*' out | wc -l)" -eq 5 ]
	done
	exec 8>&-
}

# bats test_tags=slow
@test "objects are selected by --conf, --classes and --count" {
	two >a.ppm
	run -0 detect --conf=0.9 a.ppm
	[ "$(jq '.detections | length' <<<"$output")" -eq 1 ]
	run -0 detect --classes=class0 a.ppm
	[ "$(jq -c '[.detections[].id]' <<<"$output")" = '[0]' ]
	run -0 detect --classes=1 --count=1 a.ppm
	[ "$(jq -c '[.detections[].id]' <<<"$output")" = '[1]' ]
	printf 'cat\ndog\n' >names
	run -0 detect --names=names a.ppm
	[ "$(jq -r '.detections[].class' <<<"$output")" = $'dog\ncat' ]
	run -2 --separate-stderr detect --names=names --classes=dig a.ppm
	[[ $stderr == *"did you mean 'dog'"* ]]
	printf 'cat\n' >names
	run -1 --separate-stderr detect --names=names a.ppm
}

@test "a terminal gets a table, and refuses a picture" {
	two >a.ppm
	run -0 script -qec "yolo-detect -q -d emu -m $TOY a.ppm" /dev/null
	[ "${lines[0]%$'\r'}" = $'a.ppm\tclass1\t1\t1\t0.3\t0\t0.5\t0.4' ]
	SHELL=$BASH run -0 script -qec "set -o pipefail
	    yolo-detect -q -d emu -m $TOY a.ppm | cat" /dev/null
	[[ ${lines[0]} == '{"schema"'* ]]
	run -2 script -qec "yolo-detect -d emu -m $TOY --draw=- a.ppm" /dev/null
	[[ ${lines[0]} == "yolo-detect: --draw: stdout is a terminal; "* ]]
}

# bats test_tags=slow
@test "-e exits with 4 if nothing was found, with 1 if a picture failed" {
	two >a.ppm
	scene >none.ppm
	run -4 detect -e none.ppm
	[ "$(jq -c .detections <<<"$output")" = '[]' ]
	run -0 detect -e none.ppm a.ppm
	run -0 detect none.ppm
	run -1 detect -e none.ppm missing
}

# bats test_tags=slow
@test "boxes are in pixels of the picture, not of the fitted input" {
	# A picture twice as wide as high, in one colour: red 51, green 51, blue
	# 255.
	printf 'P6\n16 8\n255\n' >wide.ppm
	perl -e 'print "33\377" x 128' >>wide.ppm
	# All 32 boxes are 0.2 0.2 0.2 0.2 of the input, which is half as wide.
	run -0 detect --fit=stretch wide.ppm
	[ "$(jq -c '[.detections[].box]' <<<"$output")" = '[[0.2,0.1,0.6,0.3]]' ]
	# With letterbox, the uppermost two rows of the input are gray.  All
	# these boxes are in them, outside the picture.
	run -0 detect wide.ppm
	[ "$(jq -c .detections <<<"$output")" = '[]' ]
}

# png_size FILE: prints the width and height from the first chunk of a PNG, as
# big-endian bytes.
png_size() {
	head -c 4 "$1" | grep -q PNG || return
	od -An -t u1 -j 16 -N 8 "$1" | tr -s ' ' | sed 's/^ //'
}

# bats test_tags=slow
@test "--crop refuses two pictures with the same name for their crops" {
	two >a.ppm
	scene "128 128 64 64 230 0" >one.ppm
	mkdir sub
	cp a.ppm sub/a.ppm
	cp one.ppm a.pnm
	run -1 --separate-stderr detect --crop=mixed a.pnm a.ppm
	[ "$(ls mixed)" = a.1.class0.png ]
	[[ $stderr == *"a.ppm: a.pnm already has that name in mixed; --whole-names"* ]]
	# One message, not a message for each of its two objects.
	[ "$(grep -c 'has that name' <<<"$stderr")" -eq 1 ]
	run -0 detect --crop=apart --whole-names --mirror a.pnm a.ppm sub/a.ppm
	[ "$(cd apart && find . -type f | LC_ALL=C sort | paste -sd ' ')" = \
	    "./a.pnm.1.class0.png ./a.ppm.1.class1.png ./a.ppm.2.class0.png \
./sub/a.ppm.1.class1.png ./sub/a.ppm.2.class0.png" ]
	run -2 --separate-stderr detect --draw=- --mirror a.ppm
	[[ $stderr == *"--mirror is about a folder of output"* ]]
}

# bats test_tags=slow
@test "--draw writes pictures with boxes, --crop writes the objects" {
	two >a.ppm
	run -0 detect --draw=drawn --crop=crops a.ppm
	[[ $output == *"$both}" ]]
	[ "$(ls drawn)" = a.png ]
	[ "$(ls crops)" = $'a.1.class1.png\na.2.class0.png' ]
	[ "$(png_size drawn/a.png)" = '0 0 0 8 0 0 0 8' ]
	[ "$(png_size crops/a.1.class1.png)" = '0 0 0 1 0 0 0 1' ]
	detect --draw=- a.ppm a.ppm >both.ppm
	run -0 detect --stream=ppm both.ppm
	[ "${#lines[@]}" -eq 2 ]
	run -0 detect --stream=ppm --draw=film both.ppm
	[ "$(ls film)" = $'both-000001.png\nboth-000002.png' ]
	run -0 detect --stream=ppm --draw=film <both.ppm
	[ "$(ls film | tail -n 1)" = stdin-000002.png ]
	# A picture on another file system than the folder.
	run -0 detect --draw=linked /proc/self/fd/9 9<a.ppm
	[ "$(ls linked)" = 9.png ]
	# Labels have the same names as drawings.
	detect --stream=ppm --draw=pairs -F yolo -o pairs <both.ppm
	detect --draw=pairs -F yolo -o pairs <a.ppm
	[ "$(cd pairs && echo *)" = "stdin-000001.png stdin-000001.txt \
stdin-000002.png stdin-000002.txt stdin.png stdin.txt" ]
	img-tensor -q -m "$TOY" <a.ppm | npu-run -q -d emu "$TOY" >answers
	yolo-decode -q -m "$TOY" --image=- -F yolo -o alone answers <a.ppm
	cmp alone/stdin.txt pairs/stdin.txt
	cp a.ppm stdin.ppm
	run -1 --separate-stderr detect -F yolo -o clash stdin.ppm - <a.ppm
	[ "$stderr" = "yolo-detect: stdin: stdin.ppm already has that name in \
clash; --whole-names keeps the endings of names" ]
	run -1 --separate-stderr detect --draw=drawn a.ppm ./a.ppm
	[[ $stderr == *"yolo-detect: ./a.ppm: it is named twice: drawn/a.png \
was made before"* ]]
	run -0 detect --draw=- -o found a.ppm
	[[ $(cat found) == *"$both}" ]]
	run -2 --separate-stderr detect --draw=- -o - a.ppm
	[[ $stderr == *"--draw and --output cannot both be standard output"* ]]
	# Class names are made safe for file names.
	{ echo '[/aZ09{@`é'; printf 'x%.0s' $(seq 99); echo; } >names
	run -0 detect --fast -T 10min --crop=named --names=names a.ppm
	[ "$(ls named)" = "a.1.$(printf 'x%.0s' $(seq 63)).png
a.2.__aZ09_____.png" ]
	run -1 --separate-stderr detect --draw=drawn missing.ppm
	[ "$stderr" = "yolo-detect: missing.ppm: No such file or directory" ]
	head -c 100 a.ppm >cut.ppm
	run -1 --separate-stderr detect --draw=drawn cut.ppm
	[[ $stderr == "yolo-detect: cut.ppm: "* ]]
	for format in csv coco yolo; do
		run -2 --separate-stderr detect --draw=- -F $format a.ppm
		[[ $stderr == *"--format needs records, and --draw=-"* ]]
	done
}

@test "a failed inference is reported for its picture only" {
	two >a.ppm
	cp a.ppm b.ppm
	cp a.ppm c.ppm
	NPU_EMU_FAULT=infer:2:exception run -1 --separate-stderr yolo-detect -q -d emu \
	    -m "$TOY" a.ppm b.ppm c.ppm
	[ "${#lines[@]}" -eq 3 ]
	[[ ${lines[0]} == *"$both}" ]]
	jq -e .error <<<"${lines[1]}"
	[[ ${lines[2]} == *"$both}" ]]
}

# bats test_tags=slow
@test "an inference that exceeds -T does not fail later inferences" {
	for i in 1 2 3 4 5; do two >$i.ppm; done
	NPU_EMU_FAULT=infer:2:timeout run -1 --separate-stderr detect -T 2s {1..5}.ppm
	[[ $stderr == "yolo-detect: 2.ppm: no result after 2 s: "* ]]
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	run -0 jq -c '[.file, (.detections | length)]' <<<"$output"
	[ "$output" = '["1.ppm",2]
["2.ppm",0]
["3.ppm",2]
["4.ppm",2]
["5.ppm",2]' ]
}

# bats test_tags=slow
@test "if each inference exceeds -T, no picture has results" {
	for i in 1 2 3 4; do two >$i.ppm; done
	NPU_EMU_CORES=1 NPU_EMU_INFER_MS=3600000 run -1 --separate-stderr \
	    detect -T 100ms {1..4}.ppm
	[ "$(grep -c ': no result after 0.1 s: ' <<<"$stderr")" -ge 3 ]
	run -0 jq -c '.detections | length' <<<"$output"
	[ "$output" = $'0\n0\n0\n0' ]
}

# most_jobs: prints the highest number of jobs at the same time.
most_jobs() {
	awk '$1 == "made" && $2 == "job" { print $6 }' log
}

# bats test_tags=slow
@test "3 inferences are in flight, but only 1 with --stream --drop=old" {
	for i in $(seq 20); do two >$i.ppm; done
	cat {1..20}.ppm >film
	export NPU_EMU_INFER_MS=20 NPU_EMU_LOG=$PWD/log
	detect -j 2 {1..20}.ppm >/dev/null
	[ "$(most_jobs)" -eq 3 ]
	rm log
	detect --stream=ppm film >/dev/null
	[ "$(most_jobs)" -eq 3 ]
	rm log
	detect --stream=ppm --drop=old film >/dev/null
	[ "$(most_jobs)" -eq 1 ]
}

# bats test_tags=slow
@test "models that are not detectors are refused before a picture is read" {
	mkonnx Identity f32:1x4 : f32:1x4 >four.onnx
	cix-pack -o four.cix -I a:f32:1x4 -O b:f32:1x4 four.onnx
	two >a.ppm
	run -1 --separate-stderr yolo-detect -q -d emu -m ./four.cix a.ppm
	[ -z "$output" ]
	[ "$stderr" = "yolo-detect: ./four.cix: takes f32 [1,4], and not one picture of three channels" ]
	cix-pack -I a:u8:1x3x8x8:255:0 -I b:u8:4 -O c:f16:1x6x32 >two.cix
	run -1 --separate-stderr yolo-detect -q -d emu -m ./two.cix missing.ppm
	[ "$stderr" = "yolo-detect: ./two.cix: has 2 inputs, and a picture is one" ]
	# A container may lack the table of tensors (noe-abi 7).
	mkcix --in=u8:1x3x8x8:255 --out=f16:1x6x32 sound-table-empty >bare.cix
	run -1 --separate-stderr yolo-detect -q -d emu -m ./bare.cix missing.ppm
	[[ $stderr == "yolo-detect: ./bare.cix: does not state the shape of its input, u8 [192] "* ]]
	mkcix --in=u8:1x3x640x640:255 --out=f16:1x6x32 sound-table-empty \
	    >bare.cix
	run -1 --separate-stderr yolo-detect -q -d emu -m ./bare.cix missing.ppm
	[[ $stderr == "yolo-detect: ./bare.cix: does not state the shape of its output; "* ]]
	# A classifier and an embedder also take pictures; no picture is read.
	for type in s8 f16; do
		cix-pack -o one.cix -I image:u8:1x3x8x8:255:0 \
		    -O scores:$type:1x192 "${TOY%.cix}.onnx"
		run -1 --separate-stderr yolo-detect -e -d emu -m ./one.cix \
		    missing.ppm
		[ "$output" = "" ]
		[ "$stderr" = "yolo-detect: ./one.cix: 1 x 192 is not an \
output of a YOLOv8, 4 + classes numbers for each of many boxes, unless --first=boxes \
says that boxes are so few" ]
	done
	# With --first=boxes, the output is one box of 188 classes.
	scene 51 51 51 51 204 >one.ppm
	run -0 --separate-stderr yolo-detect -q -d emu -m ./one.cix \
	    --first=boxes -F tsv one.ppm
	[ "$output" = "one.ppm	class0	0	0.7998	0.1	0.1	0.3	0.3" ]
	cix-pack -o s64.cix -I a:s64:1x3x8x8 -O b:f16:1x6x32
	run -1 --separate-stderr yolo-detect -q -d emu -m ./s64.cix a.ppm
	[[ $stderr == "yolo-detect: ./s64.cix: pixels become elements of 8, "* ]]
}

# five [KEY=VALUE]: writes five.cix, a model with three boxes of 85 numbers,
# whose twin has this metadata.
five() {
	mkonnx Identity f32:1x3x5x17 : f32:1x3x5x17 ${1:+"@$1"} >five.onnx
	cix-pack -o five.cix -I image:u8:1x3x5x17:255:0 -O boxes:f16:1x3x85 \
	    five.onnx
}

# bats test_tags=slow
@test "5 + 80 numbers per box get a warning that they are not from a YOLOv8" {
	scene >a.ppm
	five
	run -0 --separate-stderr yolo-detect -q -d emu -m ./five.cix \
	    --first=boxes a.ppm
	[ "$stderr" = "yolo-detect: ./five.cix: 85 numbers a box are taken as \
4 + 81 classes; a YOLOv5 or YOLOX has 5 + 80, which is not decoded here; if \
there are 81 classes, --names=FILE with their names says so" ]
	seq 81 >names
	run -0 --separate-stderr yolo-detect -q -d emu -m ./five.cix \
	    --names=names a.ppm
	[ "$stderr" = "" ]
	# The twin names the classes of the training.
	five "names=[$(seq -s "," -f "'%g'" 80)]"
	run -1 --separate-stderr yolo-detect -q -d emu -m ./five.cix missing.ppm
	[ "$output" = "" ]
	[ "$stderr" = "yolo-detect: ./five.cix: 3 x 85 is not 4 + 80 classes \
for each box, and there are 80 names; if it is 5 + classes, as YOLOv5 and \
YOLOX have, it is not decoded here, nor is an OBB head, 4 + classes + angle" ]
}

@test "--times works without pictures and with two" {
	two >a.ppm
	mkdir none
	run -0 --separate-stderr detect --times -R none
	[[ $stderr == "yolo-detect: 0 pictures in "*"infer 0.000 rest 0.000" ]]
	run -0 --separate-stderr detect --times a.ppm a.ppm
	[[ $stderr =~ ^"yolo-detect: 2 pictures in "[0-9.]+" ms, 0 failed, 4 objects; mean ms prepare "[0-9.]+" infer "[0-9.]+" rest "[0-9.]+$ ]]
}

# bats test_tags=slow
@test "a full disk and a closed output are errors" {
	two >a.ppm
	run -1 --separate-stderr bash -c 'yolo-detect -q -d emu -m "$TOY" \
	    a.ppm >/dev/full'
	[ "$stderr" = "yolo-detect: write error: No space left on device" ]
	run -1 --separate-stderr bash -c 'yolo-detect -q -d emu -m "$TOY" \
	    a.ppm >&-'
}

# asleep PID: waits until all threads of the process have been asleep ten times
# in a row.
asleep() {
	local n=0
	for _ in $(seq 1200); do
		n=$((n + 1))
		[ "$(cat "/proc/$1"/task/*/stat 2>/dev/null |
		    sed 's/.*) \(.\) .*/\1/' | sort -u)" = S ] || n=0
		[ $n -lt 10 ] || return 0
		sleep 0.05
	done
	return 1
}

# bats test_tags=slow
@test "SIGTERM ends yolo-detect while it waits for a picture" {
	mkfifo in
	exec 8<>in
	yolo-detect -q -d emu -m "$TOY" in 3>&- 8>&- &
	pid=$!
	loaded $pid
	asleep $pid
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 143 ]
}

# ended ARGUMENT...: checks that SIGTERM ends yolo-detect while it waits.  If
# more is set, these files are written to the pipe after the signal.
ended() {
	yolo-detect -q -d emu -m "$TOY" "$@" 3>&- 8>&- &
	pid=$!
	asleep $pid
	kill -TERM $pid
	[ -z "${more-}" ] || cat $more >&8
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
}

# bats test_tags=slow
@test "SIGTERM ends a wait for a writer, a name or a frame" {
	mkfifo in
	two >a.ppm
	ended --files-from=in
	ended --stream=ppm in
	exec 8<>in
	ended --files-from=in
	ended --stream=ppm in
	ended --stream=ppm --drop=old in
	# Frames that arrive after the signal, while the model runs and is
	# unloaded, do not prolong the run.
	export NPU_EMU_INFER_MS=3600000 NPU_EMU_UNLOAD_MS=500
	cat a.ppm >&8
	more='a.ppm a.ppm' ended --stream=ppm --drop=old in
	# While the first picture is run, an error is waiting, and the last
	# picture, which is already read, must wait for the error to be taken.
	ended --stream=ppm --drop=old a.ppm none a.ppm
	exec 8>&-
}

# bats test_tags=slow
@test "one SIGTERM ends a wait for --names or --image-ids" {
	mkfifo in
	two >a.ppm
	for args in --names=in '-F coco --image-ids=in'; do
		for way in closed open; do
			[ $way = closed ] || exec 8<>in
			# shellcheck disable=SC2086 # words
			yolo-detect -q -d emu -m "$TOY" $args a.ppm \
			    3>&- 8>&- 2>said &
			pid=$!
			asleep $pid
			kill -TERM $pid
			status=0
			wait $pid || status=$?
			exec 8>&-
			[ $status -eq 143 ]
			[ ! -s said ]
		done
	done
}

# bats test_tags=slow
@test "a SIGALRM from another process has no effect" {
	# A picture that is larger than a pipe's buffer.
	printf 'P6 700 700 255\n' >a.ppm
	head -c 1470000 /dev/zero >>a.ppm
	detect --draw=- a.ppm >want.ppm
	mkfifo out
	yolo-detect -q -d emu -m "$TOY" --draw=- a.ppm >out 3>&- &
	pid=$!
	exec 7<out
	# Wait until signal 14, SIGALRM, is caught.
	for _ in $(seq 1200); do
		! grep -q '^SigCgt:.*[2367abef]...$' /proc/$pid/status || break
		sleep 0.05
	done
	for _ in $(seq 20); do
		kill -ALRM $pid
		sleep 0.05
	done
	cmp - want.ppm <&7
	exec 7<&-
	wait $pid
}

@test "-o refuses a file name with the extension of a picture" {
	for name in out.png a.b/OUT.JPG x.jpeg x.ppm; do
		run --separate-stderr -2 yolo-detect -o "$name" p.ppm
		[ "${stderr_lines[0]}" = "yolo-detect: --output: '$name' is the \
name of a picture, but --output is for records; use --draw=FOLDER for \
pictures" ]
		[ ! -e "$name" ]
	done
}

@test "the record of an operand '' has an empty file name" {
	run -1 --separate-stderr detect ''
	[ "$(jq -c .file <<<"$output")" = '""' ]
	[ "$stderr" = "yolo-detect: '': No such file or directory" ]
}

# ---- Reading and writing the same folders ---------------------------------

# bats test_tags=slow
@test "-R skips the folders into which this run writes" {
	mkdir p
	for i in 1 2 3; do two >p/z$i.ppm; done
	for i in 1 2 3; do
		detect -R --crop=p/crops --draw=p/boxes p >out$i
		find p | sort >tree$i
	done
	[ "$(wc -l <out1)" -eq 3 ]
	[ "$(wc -l <tree1)" -eq 15 ]
	cmp out1 out2
	cmp out1 out3
	cmp tree1 tree3
	# Another name for the same folder.
	ln -s p/boxes drawings
	detect -R --crop="$PWD/p/./crops" --draw=drawings p | cmp - out1
	# Only these folders are skipped: a folder with an equal name elsewhere
	# is read, and a run without --draw and --crop also reads drawings and
	# crops.
	mkdir -p p/sub/boxes
	two >p/sub/boxes/a.ppm
	run -0 detect -R --draw=p/boxes --crop=p/crops p
	[ "${#lines[@]}" -eq 4 ]
	run -0 detect -R p
	[ "${#lines[@]}" -eq 16 ]
	# The folder of -F yolo is also skipped if it contains pictures.
	mkdir p/sub/labels
	two >p/sub/labels/b.ppm
	detect -R -F yolo -o p/sub/labels p/sub
	[ "$(ls p/sub/labels)" = $'a.txt\nb.ppm' ]
}

@test "-R refuses an output folder that is itself an operand" {
	mkdir p
	two >p/a.ppm
	run -1 --separate-stderr detect -R --draw=p p
	[ "$stderr" = "yolo-detect: p: is a folder that this run writes into; \
choose another one for its files, such as one inside it" ]
	[ "$(ls p)" = a.ppm ]
}

# bats test_tags=slow
@test "-R refuses to create outputs among the pictures that it reads" {
	mkdir -p p/below out other
	two >p/a.ppm
	two >p/below/b.ppm
	ln -s ../p out/p
	sum=$(find . | sort)
	for option in '--draw=.' '--crop=.' '-F yolo -o .' '--draw=out' \
	    '--draw=other/..' "--draw=$PWD/p/.."; do
		# Twice: the first run must not leave anything that the second
		# run would find.
		for _ in 1 2; do
			# shellcheck disable=SC2086 # two words
			run -1 --separate-stderr detect -R --mirror $option p
			what='pictures that --recursive reads; choose'
			[ "$(grep -c "would be among the $what another \
folder\$" <<<"$stderr")" -eq 2 ]
			[ "$(find . | sort)" = "$sum" ]
		done
	done
	# Files beside the pictures' folder are allowed.
	run -0 detect -R --mirror --draw=other p
	run -0 detect -R --draw=. p
	[ "$(ls other/p other/p/below)" = $'other/p:\na.png\nbelow\n
other/p/below:\nb.png' ]
	[ "$(ls p ./*.png)" = $'./a.png\n./b.png\n\np:\na.ppm\nbelow' ]
}

# bats test_tags=slow
@test "-R skips the files that this run writes" {
	mkdir p
	two >p/a.ppm
	two >p/b.ppm
	detect -R --draw=- p >once
	for _ in 1 2; do
		detect -R --draw=- p >p/all.ppm
		cmp p/all.ppm once
	done
	rm p/all.ppm
	# A picture that -o names is neither skipped nor replaced.
	cp p/a.ppm p/records
	ln -s p/records link
	for o in p/records link; do
		run -2 --separate-stderr detect -R -o $o p
		[[ $stderr == *"'$o' is also an input; "* ]]
		cmp p/a.ppm p/records
	done
}

@test "two outputs that are the same file are refused under any name" {
	two >a.ppm
	two >b.ppm
	mkdir out
	for case in draw:a.png crop:a.1.class1.png; do
		option=--${case%:*}=out file=out/${case#*:}
		ln -sf "$file" rec
		echo kept >"$file"
		run -2 --separate-stderr detect -o rec "$option" a.ppm
		[ "${stderr_lines[0]}" = "yolo-detect: 'rec' and '$file' are \
one file, and both are outputs; name another file or folder for one" ]
		[ "$(cat "$file")" = kept ]
		run -2 --separate-stderr bash -c "yolo-detect -q -d emu \
		    -m '$TOY' $option a.ppm >$file"
		[ "${stderr_lines[0]}" = "yolo-detect: '$file' is also \
standard output; name another file or folder for one" ]
	done
	[ "$(find . -name '.npu-*')" = "" ]
	# Records in the folder of the drawings have another file name.
	run -0 detect -o out/records --draw=out a.ppm b.ppm
	[ "$(wc -l <out/records)" -eq 2 ]
}

# bats test_tags=slow
@test "-R skips a picture that is also standard output" {
	mkdir p
	two >p/a.ppm
	cp p/a.ppm p/b.ppm
	run -0 bash -c "yolo-detect -q -d emu -m '$TOY' -R -F tsv p >>p/b.ppm"
	run ! grep -a 'b\.ppm' p/b.ppm
	grep -qa '^p/a\.ppm' p/b.ppm
}

@test "-R skips a link to a file in the output folder" {
	mkdir -p p out
	two >p/a.ppm
	ln -s ../out/a.png p/b.png
	ln -s ../out/deep/p/a.png p/c.png
	two >other.ppm
	ln -s ../other.ppm p/d.ppm
	for i in 1 2; do
		detect -R --draw=out p >found$i
		detect -R --mirror --draw=out/deep p >deep$i
	done
	[ "$(jq -r .file found1)" = $'p/a.ppm\np/d.ppm' ]
	cmp found1 found2
	# A run that writes to another folder reads the file to which b.png
	# points.
	[ "$(jq -r .file deep2)" = $'p/a.ppm\np/b.png\np/d.ppm' ]
}

@test "-R: each of two runs refuses to write a drawing beside its picture" {
	mkdir -p ph/sub
	two >ph/a.ppm
	two >ph/sub/b.ppm
	for i in 1 2; do
		run -1 --separate-stderr detect -R --draw=ph ph/a.ppm ph/sub
		[ "$stderr" = "yolo-detect: ph/a.ppm: ph/a.png would be beside \
the picture itself; with --recursive, choose another folder" ]
		echo "$output" >found$i
		[ "$(cd ph && echo *)" = 'a.ppm b.png sub' ]
	done
	cmp found1 found2
	run -0 detect --draw=ph ph/a.ppm
}

@test "a link in an output folder is not followed" {
	mkdir p o
	two >p/a.ppm
	two >p/g.ppm
	cp p/a.ppm kept
	ln -s ../p/a.ppm o/g.png
	ln -s ../p/a.ppm o/g.txt
	ln -s ../p/a.ppm o/g.1.class1.png
	for option in --draw=o '-F yolo -o o' --crop=o; do
		# shellcheck disable=SC2086 # two words
		run -1 --separate-stderr detect -R $option p
		[[ $stderr == "yolo-detect: p/g.ppm: o/g."*" is a link, which \
is not followed; remove it, or choose another folder" ]]
		cmp p/a.ppm kept
	done
}
