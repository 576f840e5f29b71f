#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# yolo-decode: takes output tensors of a detector and prints objects.
# bats file_tags=arm64

load ../support/helper
load ../support/boxes

@test "a box is suppressed if the IoU is above the threshold, not equal to it" {
	two >t
	run -0 decode --first=classes --iou=0.5 -F tsv t
	[ "$output" = "-#1	class0	0	0.75	10	0	40	10
-#1	class0	0	0.5	0	0	30	10" ]
	run -0 decode --first=classes --iou=0.4999 -F tsv t
	[ "$output" = "-#1	class0	0	0.75	10	0	40	10" ]
	run -0 decode --first=classes --no-nms -F tsv t
	[ "${#lines[@]}" -eq 2 ]
}

@test "a picture's size is read from its header, and is the upright size" {
	one 5 >t
	ppm 320 160 >wide.ppm
	# 160 by 80 in the middle of the input: y is 40 lower, and the scale is
	# 1/2.
	run -0 yolo-decode --image=wide.ppm -F tsv t --size=160
	[ "$output" = "wide.ppm	bus	5	0.875	20	0	60	40" ]
	run -0 yolo-decode --image=wide.ppm --fit=stretch -F tsv t --size=160
	[ "$output" = "wide.ppm	bus	5	0.875	20	20	60	60" ]
	need_data images/exif/Landscape_6.jpg
	run -0 yolo-decode --image="$DATA" --size=160 -F jsonl t
	[[ $output == *'"width":1800,"height":1200,'* ]]
}

# bats test_tags=slow
@test "--classes takes names and numbers; a message suggests the nearest name" {
	one 5 >t
	run -0 decode -F tsv --classes=person,5 t
	[ "${#lines[@]}" -eq 1 ]
	run -0 decode -F tsv --classes='traffic light,bus' t
	[ "${#lines[@]}" -eq 1 ]
	run -0 decode -F tsv --classes=person,6 t
	[ "$output" = "" ]
	run --separate-stderr -2 decode --classes=persn t
	[ "${stderr_lines[0]}" = "yolo-decode: --classes: no class is called 'persn'; did you mean 'person'?" ]
	# Swapped letters, also in short names; a capital; a name's second word.
	# Without a similar name, the first names are listed.
	while read -r word name; do
		run --separate-stderr -2 decode --classes="$word" t
		[[ ${stderr_lines[0]} == *"'$word'; did you mean '$name'?" ]]
	done <<-END
		dgo dog
		brid bird
		bsu bus
		persno person
		TV tv
		PERSON person
		light traffic light
		phone cell phone
	END
	for word in sofa p xyz odg1 ght; do
		run --separate-stderr -2 decode --classes=$word t
		[[ ${stderr_lines[0]} == *"; they are person, bicycle, ..." ]]
	done
	for word in 1-2 1x 1234567890 "$(printf 'a%.0s' $(seq 50))"; do
		run --separate-stderr -2 decode --classes="$word" t
		[[ ${stderr_lines[0]} == *"'$word'; they are person, "* ]]
	done
	run --separate-stderr -2 decode --classes=80 t
	[ "${stderr_lines[0]}" = "yolo-decode: --classes: 80 is not a class from 0 to 79" ]
	run --separate-stderr -2 decode --classes=person, t
	[[ ${stderr_lines[0]} == *"no class is called ''"* ]]
}

# bats test_tags=slow
@test "--names reads class names from a file, one for each class" {
	two >t
	echo bird >names
	run -0 decode --names=names -F tsv t
	[[ $output == *"	bird	0	0.75	"* ]]
	printf 'names:\n  0: bird\n' >data.yaml
	run -0 decode --names=data.yaml --classes=bird -F tsv t
	[ "${#lines[@]}" -eq 2 ]
	printf 'bird\ncat\n' >names
	run --separate-stderr -1 decode --names=names t
	[ "$stderr" = "yolo-decode: t: frame 1: 5 x 2 is not 4 + 2 classes for each box, and there are 2 names" ]
	run --separate-stderr -1 decode --names=names --first=classes t
	[ "$stderr" = "yolo-decode: t: frame 1: the model has 1 classes, but there are 2 names" ]
	# One name, two names, and names that are not similar to any.
	long=$(printf 'b%.0s' $(seq 50))
	while IFS='|' read -r names word want; do
		printf "$names\n" >names
		run --separate-stderr -2 decode --names=names --classes="$word" t
		[ "${stderr_lines[0]}" = "yolo-decode: --classes: no class is \
called '$word'; they are $want" ]
	done <<-END
	bird|sofa|bird
	bird\\ncat|sofa|bird, cat
	bird\\ncat\\ndog|sofa|bird, cat, ...
	$long|sofa|$long
	[[|{{|[[
	@@|\`\`|@@
	END
	printf 'bird\n\ncat\n' >names
	run --separate-stderr -1 decode --names=names t
	[ "$stderr" = "yolo-decode: names: line 2: a name is empty" ]
}

@test "the axis of boxes follows from the shape, the names, or --first" {
	# 5 x 8: neither number is a quarter of the other.
	perl -e 'print pack("f<*", map { $_ % 8 < 4 && $_ < 32 ? $_ + 1 :
	    ($_ + 1) / 40 } 0 .. 39)' |
	    npu-tensor --add -t f32 --shape=5,8 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: which axis of 5 x 8 is 4 + classes does not show; say which is first with --first=classes or --first=boxes" ]
	printf 'a\nb\nc\nd\n' >four
	decode --names=four --count=0 t >got
	decode --first=boxes --count=0 t | sed 's/class0/a/; s/class1/b/
	    s/class2/c/g; s/class3/d/g' | cmp - got
	decode --first=classes t >/dev/null
	run -1 decode --first=classes --names=four t
	# (boxes, 4 + n) needs no option.
	perl -e 'print pack("f<*", (20, 40, 20, 40, 0, .875) x 30)' |
	    npu-tensor --add -t f32 --shape=30,6 |
	    decode -F tsv >got
	[ "$(cat got)" = "-#1	class1	1	0.875	10	20	30	60" ]
}

@test "8 bits for both pixels and scores get a warning with the reason" {
	f32 15 25 5 5 30 30 10 10 .5 .75 | npu-tensor --add -t f32 \
	    --shape=5,2 >t
	npu-quant -t u8 -s 0.4 t >u8
	run --separate-stderr -0 decode --first=classes u8
	[[ $stderr == "yolo-decode: u8: frame 1: 8 bits with one scale for pixels and scores: numbers are 2.5 apart, so scores from 0 to 1 vanish and nothing will be found;"* ]]
	npu-quant -q -t s8 -s 127 t >s8
	run --separate-stderr -0 decode --first=classes -q s8
	[[ $stderr == *"no number is above 1, so boxes, which are in pixels, end there"* ]]
	[[ $stderr == *"if they are parts of the input, say --coordinates=parts, else"* ]]
	f32 .5 .4 .3 .2 .875 | npu-tensor --add -t f32 --shape=5,1 |
	    npu-quant -q -t u8 -s 255 >u8
	run --separate-stderr -0 decode -q --first=classes \
	    --coordinates=parts -F tsv u8
	[ "$stderr" = "" ]
	[ -n "$output" ]
	# S16 with 51.5 steps per unit, as the vendor uses: usable, but coarse.
	npu-quant -t s16 -s 51.5 t >s16
	run --separate-stderr -0 decode --first=classes s16
	[[ $stderr == *"s16: frame 1: one scale holds pixels and scores, so these are 0.01942 apart" ]]
	[[ $output == *'"confidence":0.75728'* ]]
	run --separate-stderr -0 decode --first=classes -q s16
	[ "$stderr" = "" ]
}

@test "boxes with NaN or infinite numbers are not reported, but counted" {
	f32 15 nan 5 5 30 30 10 10 .5 .75 | npu-tensor --add -t f32 \
	    --shape=5,2 >t
	run --separate-stderr -0 decode --first=classes -F tsv t
	[ "$output" = "-#1	class0	0	0.5	0	0	30	10" ]
	[ "$stderr" = "yolo-decode: t: frame 1: NaN or infinite numbers passed over: 1" ]
}

@test "a bad picture gets a record with an error and does not shift others" {
	one 5 >t
	cat t t t t >tttt
	ppm 160 160 >1.ppm
	echo no picture >2.ppm
	ppm 320 320 >4.ppm
	run --separate-stderr -1 yolo-decode --size=160 --image=1.ppm \
	    --image=2.ppm --image=3.ppm --image=4.ppm tttt
	[ "${#lines[@]}" -eq 4 ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[0]} == "yolo-decode: 2.ppm: "* ]]
	[ "${stderr_lines[1]}" = \
	    "yolo-decode: 3.ppm: No such file or directory" ]
	jq -es '[.[].file] == ["1.ppm", "2.ppm", "3.ppm", "4.ppm"] and
	    .[0].detections[0].box == [10, 20, 30, 60] and
	    .[3].detections[0].box == [20, 40, 60, 120] and
	    .[2] == { schema: "yolo-detect/1", file: "3.ppm", width: null,
	    height: null, conf: 0.25, iou: 0.7,
	    error: { message: "No such file or directory" }, detections: [] }' \
	    <<<"$output"
}

# bats test_tags=slow
@test "different numbers of frames and pictures are an error" {
	one 5 >t
	cat t t >tt
	ppm 160 160 >p.ppm
	run --separate-stderr -1 yolo-decode --size=160 --image=p.ppm tt
	[ "$stderr" = "yolo-decode: tt: frame 2 has no picture; pictures named: 1" ]
	[ "${#lines[@]}" -eq 1 ]
	run --separate-stderr -1 yolo-decode --size=160 -F json --image=p.ppm \
	    --image=p.ppm --image=p.ppm tt
	[ "$stderr" = "yolo-decode: tt: ends after frame 2, but pictures were named: 3" ]
	jq -e 'length == 3 and .[2].error.message == "no tensor for this picture"' \
	    <<<"$output"
	# After a cut stream, the output is still one document.
	head -c 100000 tt >cut
	run --separate-stderr -1 yolo-decode --size=160 -F json --image=p.ppm \
	    --image=p.ppm --image=p.ppm cut
	[ "$stderr" = "yolo-decode: cut: frame 2, tensor 0: ends after 11672 of 88200 bytes" ]
	jq -e 'length == 3 and (.[0] | has("error") | not) and
	    (.[1:] | all(.error.message | startswith("frame 2, tensor 0:")))' \
	    <<<"$output"
}

@test "a message gives the frame's number within the file that it names" {
	one 5 >t
	cat t t >tt
	head -c 100 t >cut
	cat t cut >tcut
	run --separate-stderr -1 yolo-decode --size=160 -F tsv \
	    --image-size=160 tt tcut
	[ "$stderr" = "yolo-decode: tcut: frame 2, tensor 0: ends after 36 of \
88200 bytes" ]
	set -- --image=x --image=x --image=x --image=x
	run --separate-stderr -1 yolo-decode --size=160 -F tsv \
	    --image-size=160 "$@" tt t
	[ "$stderr" = "yolo-decode: all files: they end after frame 3, but \
pictures were named: 4" ]
}

@test "--shape may omit leading dimensions of 1" {
	one 5 >t
	npu-tensor -F npy t >t.npy
	decode -F tsv t >want
	for shape in 84,525 1,84,525; do
		decode -F tsv --shape=$shape t.npy | cmp - want
		decode -F tsv --shape=$shape t | cmp - want
	done
	run --separate-stderr -1 decode -F tsv --shape=525,84 t.npy
	[[ $stderr == *"the tensor is f16 [1,84,525], but the command line \
says f16 [525,84]" ]]
}

# bats test_tags=slow
@test "JSON: a failure without a picture is reported in a last object" {
	one 5 >t
	head -c 100 t >cut
	ppm 160 160 >p.ppm
	run --separate-stderr -1 yolo-decode --size=160 -F json \
	    --image-size=160 t cut
	jq -e 'length == 2 and (.[0] | has("error") | not) and
	    .[1].file == null and .[1].error == { status: 1, message:
	    "cut: frame 1, tensor 0: ends after 36 of 88200 bytes" }' \
	    <<<"$output"
	for more in "t|t: frame 1 has no picture; pictures named: 2" \
	    "cut|cut: frame 1, tensor 0: ends after 36 of 88200 bytes"; do
		run --separate-stderr -1 yolo-decode --size=160 -F json \
		    --image=p.ppm --image=p.ppm t t "${more%|*}"
		jq -e --arg m "${more#*|}" 'length == 3 and
		    (.[:2] | all(has("error") | not)) and .[2].error ==
		    { status: 1, message: $m }' <<<"$output"
	done
	# With one picture the document is one object, and has no room for a
	# second object.
	run --separate-stderr -1 yolo-decode --size=160 -F json \
	    --image=p.ppm t t
	jq -e '.file == "p.ppm" and (has("error") | not)' <<<"$output"
}

@test "a frame with another number of classes ends the run; JSON stays valid" {
	one 5 >t
	two >u
	cat t u t >tut
	ppm 160 160 >p.ppm
	run --separate-stderr -1 yolo-decode --size=160 -F json --image=p.ppm \
	    --first=classes --image=p.ppm --image=p.ppm tut
	[ "$stderr" = "yolo-decode: tut: frame 2: 1 classes, but those before had 80" ]
	jq -e 'length == 3 and (.[0].detections | length == 1) and
	    (.[1:] | all(.error.message | startswith("frame 2: 1 classes,")))' \
	    <<<"$output"
}

# bats test_tags=slow
@test "several files of tensors are read, and pictures from a list" {
	one 5 >t
	one 0 >u
	ppm 160 160 >p.ppm
	printf 'p.ppm\np.ppm\n' >list
	run -0 yolo-decode --size=160 -F tsv --files-from=list t u
	[ "$output" = "p.ppm	bus	5	0.875	10	20	30	60
p.ppm	person	0	0.875	10	20	30	60" ]
	printf 'p.ppm\0p.ppm\0' | yolo-decode --size=160 -F tsv -0 t u >got
	[ "$(cat got)" = "$output" ]
	# Options that can give several pictures make an array, even of one
	# element.
	mkdir d
	cp p.ppm d
	: >none
	for how in -R --stream=ppm --files-from=none; do
		image=p.ppm
		[ $how != -R ] || image=d
		yolo-decode --size=160 -F json $how --image=$image t |
		    jq -e 'length == 1 and .[0].detections[0].id == 5'
	done
	yolo-decode --size=160 -F json --image=p.ppm t |
	    jq -e '.detections[0].id == 5'
	run --separate-stderr -2 yolo-decode --size=160 -0 <list
	[ "${stderr_lines[0]}" = "yolo-decode: stdin has the tensors, so the pictures must be named by file" ]
}

# bats test_tags=slow
@test "raw bytes with --type and --shape, .npy, and labels without shape work" {
	two >t
	decode --first=classes t >want
	npu-tensor -r t >raw
	decode --first=classes -t f16 --shape=5,2 raw | cmp - want
	npu-tensor -F npy t >npy
	decode --first=classes npy | cmp - want
	npu-tensor --add -t f16 raw >flat
	decode --first=classes --shape=5,2 flat | cmp - want
	run --separate-stderr -1 decode flat
	[ "$stderr" = "yolo-decode: flat: frame 1: its shape is not known; say it with --shape=84,8400 or --model" ]
	run -1 decode raw
	run -1 decode --shape=5,3 --first=classes flat
	run --separate-stderr -1 decode --size=160 -t f32 --shape=5,70000000 raw
	[ "$stderr" = "yolo-decode: raw: frame 1: 1400000000 bytes, more than \
the limit of 1073741824" ]
	run --separate-stderr -1 decode --first=classes -t f32 npy
	[[ $stderr == "yolo-decode: npy: frame 1: "*" says f32"* ]]
}

@test "one stream may mix types, shapes and scales" {
	two >t
	npu-dequant t >f32
	npu-tensor -r t | npu-tensor -a -t f16 --shape=5,2 >flat
	npu-dequant t | npu-quant -t s16 -s 200 >s200
	npu-dequant t | npu-quant -t s16 -s 400 >s400
	npu-dequant t | npu-quant -t s16 -s 400 -z 9 >z9
	answer 1,5,3 15 25 5 5 5 5 30 30 10 10 10 10 .5 .75 0 >three
	npu-tensor -r t | npu-tensor -a -t f16 --shape=1,5,2 >deep
	cat t t f32 f32 flat deep s200 s200 s400 z9 z9 three t >all
	run -0 --separate-stderr decode --first=classes -F tsv --no-nms all
	[ "${#lines[@]}" -eq 26 ]
	[ "$(cut -f 4 <<<"$output" | sort | uniq -c | tr -s ' \n' ' ')" = \
	    " 13 0.5 13 0.75 " ]
	# A scale as fine as this one gets no warning.
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "a tensor that is not the output of a detector is refused" {
	f32 $(seq 24) | npu-tensor --add -t f32 --shape=2,3,4 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: its 3 dimensions are not two, 4 + classes and boxes; this is not an output of a YOLOv8" ]
	f32 1 2 3 4 | npu-tensor --add -t f32 --shape=4,1 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: 4 x 1 is not an output of a YOLOv8, 4 + classes numbers for each of many boxes" ]
	run -1 decode --first=classes t
	# The output of a classifier is refused; a single box needs --first.
	f32 20 40 20 40 0 .875 | npu-tensor --add -t f32 --shape=1,6 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: 1 x 6 is not an output of a YOLOv8, 4 + classes numbers for each of many boxes, unless --first=boxes says that boxes are so few" ]
	[ "$output" = "" ]
	run -1 decode --first=classes t
	run -0 decode --first=boxes -F tsv t
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	f32 20 40 20 40 0 .875 | npu-tensor --add -t f32 --shape=6,1 >t
	run --separate-stderr -1 decode t
	[[ $stderr == *" --first=classes says that boxes are so few" ]]
	run -0 decode --first=classes -F tsv t
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	two >t
	npu-tensor -r t | npu-tensor --add -t s32 --shape=5,1 >s32
	run --separate-stderr -1 decode --first=classes s32
	[[ $stderr == *"elements of type s32 cannot be decoded, but f16,"* ]]
	two >t
	npu-tensor --zip -F label t t >frames
	run --separate-stderr -1 decode frames
	[ "$stderr" = "yolo-decode: frames: frame 1: 2 tensors a frame; choose one with npu-tensor --tensor" ]
	npu-tensor --tensor=1 -F label frames | decode --first=classes >got
	decode --first=classes t | cmp - got
}

# five: prints boxes of 85 numbers, one with class 1: the 5 + 80 of a YOLOX,
# which are taken as 4 + 81.
five() {
	perl -e 'my @r = ((0) x 85) x 400; @r[0 .. 5] = (20, 40, 20, 40, 0, .875);
	    print pack("f<*", @r)' | npu-tensor --add -t f32 --shape=1,400,85
}

# bats test_tags=slow
# refused LIKE FILE [OPTION]...: checks that the tensor is refused with a
# message that contains LIKE.
refused() {
	run --separate-stderr -1 yolo-decode -q -F tsv --first=classes \
	    --image-size=64x64 "${@:3}" "$DATA/$2.npy"
	[ "${#stderr_lines[@]}" -eq 1 ] && [ "$output" = "" ] &&
	    [[ $stderr == "yolo-decode: $DATA/$2.npy: "*"$1"* ]]
}

@test "pose, segmentation and OBB heads and logits are refused by name" {
	need_data reports
	seq 80 >coco
	seq 15 >fifteen
	echo person >one
	refused 'pose head' pose
	refused 'pose head (4 + 1 + 3 x 17)' pose --names=one
	refused 'segmentation head' seg
	refused 'segmentation head (4 + 80 + 32)' seg --names=coco
	refused 'OBB head' obb
	refused 'OBB head' obb --names=fifteen
	refused 'before the sigmoid' logits
	refused 'before the sigmoid' logits --names=coco
}

@test "coordinates from 0 to 1 are decoded with --coordinates=parts" {
	need_data reports
	refused '--coordinates=parts' norm
	run --separate-stderr -0 yolo-decode -F tsv --first=classes \
	    --coordinates=parts --image-size=64x64 "$DATA/norm.npy"
	[ "$output" = "-#1	bus	5	0.9	25.6	22.4	38.4	41.6" ]
	[ "$stderr" = "" ]
}

@test "a pose head in parts is refused with and without --coordinates=parts" {
	need_data reports
	# Divides all numbers of a picture by 64, except scores and
	# visibilities.
	tail -c 18816 "$DATA/pose.npy" | perl -e 'local $/; my $i = 0;
	    print pack("f<*", map { my $n = int($i++ / 84);
	    $n < 4 || ($n > 4 && ($n - 4) % 3) ? $_ / 64 : $_ }
	    unpack("f<*", <>))' >all
	npu-tensor --add -t f32 --shape=1,56,84 all >pose
	for option in --coordinates=parts --conf=0.3; do
		run --separate-stderr -1 yolo-decode -q -F tsv \
		    --image-size=64x64 "$option" --first=classes pose
		[ "$output" = "" ] && [ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "yolo-decode: pose: frame 1: "*"a pose head"* ]]
	done
}

@test "an end-to-end head is refused even if the input's size is unknown" {
	for order in '.9, 16' '40, .9'; do
		perl -e 'print pack("f<*", 10, 10, 30, 40, @ARGV,
		    (0) x (299 * 6))' ${order/,/} |
		    npu-tensor --add -t f32 --shape=1,300,6 >e2e
		run --separate-stderr -1 yolo-decode -q -F tsv \
		    --image-size=64x64 e2e
		[[ $stderr == "yolo-decode: e2e: frame 1: "*"end-to-end head"* ]]
		run --separate-stderr -1 decode -q e2e
		[[ $stderr == *"end-to-end head"* ]]
	done
	[[ $stderr == *"(corners, class, score)"* ]]
	# This tensor of a detector lacks only the size.
	answer 1,5,2 15 25 5 5 30 30 10 10 .5 .75 >two
	run --separate-stderr -2 yolo-decode --first=classes \
	    --image-size=64x64 two
	[[ $stderr == *"give --size=WxH or --model"* ]]
}

@test "the output of an end-to-end head is refused" {
	# Corners, score, class; the other rows of 300 are 0.
	for class in 0 1 16; do
		perl -e 'print pack("f<*", 10, 10, 30, 40, .9, $ARGV[0], 5, 5,
		    20, 20, .5, 0, (0) x (298 * 6))' $class |
		    npu-tensor --add -t f32 --shape=1,300,6 >e2e
		run --separate-stderr -1 decode -q e2e
		[[ $stderr == "yolo-decode: e2e: frame 1: "*"end-to-end head"* ]]
	done
	seq 80 >coco
	run --separate-stderr -1 decode -q --names=coco e2e
	[[ $stderr == *"end-to-end head (corners, score, class) is not decoded here" ]]
	# The scores may be in any order, and the boxes may be the last axis.
	perl -e 'print pack("f<*", 10, 10, 30, 40, .5, 0, 5, 5, 20, 20, .9, 1,
	    (0) x (298 * 6))' | npu-tensor --add -t f32 --shape=1,300,6 >e2e
	run -1 decode -q e2e
	perl -e 'print pack("f<*", map { my $i = $_; map { $_->[$i] }
	    [10, 10, 30, 40, .5, 0], [5, 5, 20, 20, .9, 1],
	    ([(0) x 6]) x 298 } 0 .. 5)' |
	    npu-tensor --add -t f32 --shape=1,6,300 >e2e
	run --separate-stderr -1 decode -q e2e
	[[ $stderr == *"end-to-end head (corners"* ]]
	# A YOLOv8 with two classes, boxes first, near the middle of the input.
	perl -e 'print pack("f<*", 50, 50, 30, 40, .5, 0, 50, 9, 20, 20, .9, 0,
	    (0) x (298 * 6))' | npu-tensor --add -t f32 --shape=1,300,6 >two
	decode -q -F tsv two >got
	[ "$(wc -l <got)" -eq 2 ]
}

@test "5 + 80 numbers per box get a warning that they are not from a YOLOv8" {
	five >t
	cat t t >tt
	run --separate-stderr -0 decode -q -F tsv tt
	[ "$stderr" = "yolo-decode: tt: frame 1: 85 numbers a box are taken as 4 + 81 classes; a YOLOv5 or YOLOX has 5 + 80, which is not decoded here; if there are 81 classes, --names=FILE with their names says so" ]
	[ "${lines[0]}" = "-#1	class1	1	0.875	10	20	30	60" ]
	# 81 names give no warning; 80 names do not match this tensor.
	seq 81 >names
	run --separate-stderr -0 decode --names=names -F tsv t
	[ "$stderr" = "" ]
	[ "$output" = "-#1	2	1	0.875	10	20	30	60" ]
	seq 80 >names
	run --separate-stderr -1 decode --names=names t
	[ "$stderr" = "yolo-decode: t: frame 1: 400 x 85 is not 4 + 80 classes for each box, and there are 80 names; if it is 5 + classes, as YOLOv5 and YOLOX have, it is not decoded here, nor is an OBB head, 4 + classes + angle" ]
	run --separate-stderr -1 decode --names=names --first=boxes t
	[ "$stderr" = "yolo-decode: t: frame 1: the model has 81 classes, but there are 80 names; if it is 5 + classes, as YOLOv5 and YOLOX have, it is not decoded here, nor is an OBB head, 4 + classes + angle" ]
	one 5 >t
	run --separate-stderr -0 decode t
	[ "$stderr" = "" ]
}

@test "the input's size is given with --size or follows from the boxes" {
	one 5 >t			# 525 boxes: 20^2 + 10^2 + 5^2
	run -0 yolo-decode --image-size=320x160 --fit=stretch -F tsv t
	[ "$output" = "-#1	bus	5	0.875	20	20	60	60" ]
	two >t
	run --separate-stderr -2 yolo-decode --image-size=64 --first=classes t
	[ "${stderr_lines[0]}" = "yolo-decode: t: frame 1: 2 boxes do not determine the size of the model's input; give --size=WxH or --model" ]
}

@test "-e exits with 4 if nothing was found, with 1 if something failed" {
	one 5 >t
	ppm 160 160 >p.ppm
	run -0 decode -e t
	run -4 decode -e -c .9 t
	[[ $output == *'"detections":[]}' ]]
	run -1 yolo-decode --size=160 -e -c .9 --image=p.ppm --image=q.ppm t
}

@test "--count limits the objects; a note appears if the default omits some" {
	two >t
	run --separate-stderr -0 decode --first=classes --count=1 -F tsv t
	[ "$output" = "-#1	class0	0	0.75	10	0	40	10" ]
	[ "$stderr" = "" ]
	# 400 boxes side by side, of which the default keeps 300.
	perl -e 'print pack("f<*", map { ($_ / 8, 32, .1, 9, .5) } 0 .. 399)' |
	    npu-tensor --add -t f32 --shape=400,5 >many
	run --separate-stderr -0 decode -F tsv many
	[ "${#lines[@]}" -eq 300 ]
	[ "$stderr" = "yolo-decode: many: frame 1: more than 300 objects; --count=0 gives all" ]
	run -0 decode -F tsv --count=0 many
	[ "${#lines[@]}" -eq 400 ]
}

# bats test_tags=slow
@test "only the best 30000 candidates are examined" {
	perl -e 'print pack("f<*", map { (32, 32, 9, 9, .5 + $_ / 100000) }
	    0 .. 30009)' | npu-tensor --add -t f32 --shape=30010,5 >many
	run --separate-stderr -0 decode -F tsv --no-nms --count=0 many
	[ "${#lines[@]}" -eq 30000 ]
	[[ $stderr == *"candidates beyond the best 30000 left out: 10; raise --conf" ]]
	[[ ${lines[0]} == *"	0.80009	"* ]]
	[[ ${lines[29999]} == *"	0.5001	"* ]]
}

@test "-v prints how many boxes were candidates, dropped and kept" {
	answer 1,5,3 15 25 200 5 5 5 30 30 4 10 10 4 .5 .75 .9 >t
	run --separate-stderr -0 decode --first=classes --iou=.4 -v t
	[ "$stderr" = "yolo-decode: t: frame 1: candidates: 3, without area in the picture: 1, objects: 1" ]
	run --separate-stderr -0 decode --first=classes --iou=.4 -qv t
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "options that conflict are a usage error" {
	two >t
	run -2 yolo-decode t
	run -2 decode --conf=1.5 t
	run -2 decode --iou=-1 t
	run -2 decode --count=30001 t
	run -2 decode -F xml t
	run -2 decode -F yolo t
	run -2 decode --conf-column t
	run -2 decode --image-ids=x t
	run -2 decode --no-nms --agnostic t
	run -2 decode --no-nms --iou=0.5 t
	run -2 decode --first=rows t
	run -2 decode --fit=crop t
	run -2 decode -R t
	run -2 decode --size=0x5 t
	for o in '-t f16' --shape=5,2 '-s 2' '-z 1'; do
		run -2 --separate-stderr decode -m none.cix $o t
		[[ $stderr == *"--model has type, shape, scale and zero"* ]]
	done
	run -2 --separate-stderr decode -F yolo -o - t
	[[ $stderr == *"say in which folder with --output"* ]]
	run -2 decode --stream=ppm t
	: >list
	for o in '--files-from=-' -0; do
		run -2 --separate-stderr yolo-decode --size=160 $o - <t
		[[ $stderr == *"stdin has the tensors"* ]]
		run -2 yolo-decode --size=160 $o <t
	done
	run -2 yolo-decode --size=160 --image=- <t
	decode --first=classes --image=- <t >got
	run -1 decode --first=classes --files-from=list t
}

# bats test_tags=slow
@test "a bad line of a list does not lose the results of the lines before" {
	two >t
	cat t t t t t >five
	ppm 160 160 >p.ppm
	bad_lists p.ppm p.ppm p.ppm p.ppm p.ppm
	for list in long nul; do
		for f in json jsonl; do
			run -1 --separate-stderr yolo-decode --size=160 \
			    --first=classes -F $f --files-from=$list five
			[ "$(jq -s 'flatten | map(select(.file)) |
			    length' <<<"$output")" -eq 5 ]
			[[ $stderr == *"yolo-decode: $list: line 6: "* ]]
			records=$output
			run -1 bash -c "yolo-decode --size=160 --first=classes \
			    -F $f --files-from=$list five >out"
			[ "$(cat out)" = "$records" ]
		done
	done
}
