#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Answers of a detector in, objects out.

load helper

# answer SHAPE NUMBER...: a labelled f16 tensor.
answer() {
	shape=$1
	shift
	f32 "$@" | npu-tensor --add -t f32 --shape="$shape" |
	    npu-quant -t f16
}

# Two boxes of class 0, [0,30] x [0,10] and [10,40] x [0,10], so that their
# IoU is exactly 1/2, the better one last.
two() {
	answer 1,5,2 15 25 5 5 30 30 10 10 .5 .75
}

# One box of class CLASS of 80, [10,30] x [20,60] in an input of 160, which has
# 525 boxes; its score is .875.
one() {
	perl -e 'my ($class) = @ARGV; my @r = ((0) x 525) x 84;
	    @r[10, 535, 1060, 1585] = (20, 40, 20, 40);
	    $r[(4 + $class) * 525 + 10] = .875; print pack("f<*", @r)' "$1" |
	    npu-tensor --add -t f32 --shape=1,84,525 | npu-quant -t f16
}

# decode OPTION...: of an input of 160 x 160 and pictures as large.
decode() {
	yolo-decode --size=160 --image-size=160 "$@"
}

# ppm WIDTH HEIGHT
ppm() {
	printf 'P6 %d %d 255\n' "$1" "$2"
	head -c $(($1 * $2 * 3)) /dev/zero
}

@test "an IoU of exactly the threshold suppresses nothing, one above does" {
	two >t
	run -0 decode --layout=classes --iou=0.5 -F tsv t
	[ "$output" = "-#1	class0	0	0.75	10	0	40	10
-#1	class0	0	0.5	0	0	30	10" ]
	run -0 decode --layout=classes --iou=0.4999 -F tsv t
	[ "$output" = "-#1	class0	0	0.75	10	0	40	10" ]
	run -0 decode --layout=classes --no-nms -F tsv t
	[ "${#lines[@]}" -eq 2 ]
}

@test "a picture's size is that of its header, upright" {
	one 5 >t
	ppm 320 160 >wide.ppm
	# 160 by 80 in the middle: y is 40 lower, and all is half as large.
	run -0 yolo-decode --image=wide.ppm -F tsv t --size=160
	[ "$output" = "wide.ppm	bus	5	0.875	20	0	60	40" ]
	run -0 yolo-decode --image=wide.ppm --fit=stretch -F tsv t --size=160
	[ "$output" = "wide.ppm	bus	5	0.875	20	20	60	60" ]
	need_data images/exif/Landscape_6.jpg
	run -0 yolo-decode --image="$DATA" --size=160 -F jsonl t
	[[ $output == *'"width":1800,"height":1200,'* ]]
}

@test "the schema, to the letter" {
	one 5 >t
	ppm 160 160 >p.ppm
	run -0 yolo-decode --size=160 --image=p.ppm t
	[ "$output" = '{"schema":"yolo-detect/1","file":"p.ppm","width":160,"height":160,"conf":0.25,"iou":0.7,"detections":[{"class":"bus","id":5,"confidence":0.875,"box":[10,20,30,60]}]}' ]
	# one document: an object for one picture, an array for several
	yolo-decode --size=160 --image=p.ppm -F json t | jq -ce . >one
	[ "$(cat one)" = "$output" ]
	cat t t | yolo-decode --size=160 --image=p.ppm --image=p.ppm -F json |
	    jq -ce . >two
	[ "$(cat two)" = "[$output,$output]" ]
	run -0 yolo-decode --size=160 --image=p.ppm -c .9 --no-nms -F json t
	[ "$(jq -c '[.conf, .iou, .detections]' <<<"$output")" = \
	    '[0.9,null,[]]' ]
}

@test "coordinates are hundredths, halves away from zero" {
	one 5 >t
	run -0 yolo-decode --size=160 --image-size=70 -F tsv t
	[ "$output" = "-#1	bus	5	0.875	4.38	8.75	13.13	26.25" ]
}

@test "csv has a head, and quotes where they must be" {
	one 9 >t
	ppm 160 160 >'a,"b"
c.ppm'
	run -0 yolo-decode --size=160 -F csv --image='a,"b"
c.ppm' t
	[ "$output" = 'file,class,id,confidence,x1,y1,x2,y2
"a,""b""
c.ppm",traffic light,9,0.875,10,20,30,60' ]
	for name in 'q"q' $'n\nn' 'c,c'; do
		ppm 160 160 >"$name"
		yolo-decode --size=160 -F csv --image="$name" t |
		    perl -0ne 'exit !/\n"(q""q|n\nn|c,c)",traffic/'
	done
	run -0 decode -F csv /dev/null
	[ "$output" = "file,class,id,confidence,x1,y1,x2,y2" ]
}

@test "tsv keeps to its columns whatever a file is called" {
	one 0 >t
	name=$'a\tb\nc\\d\033\xc2\x9b.ppm'
	ppm 160 160 >"$name"
	run -0 yolo-decode --size=160 -F tsv --image="$name" t
	[ "$output" = 'a\tb\nc\\d\x1b\xc2\x9b.ppm	person	0	0.875	10	20	30	60' ]
	yolo-decode --size=160 --image="$name" t |
	    jq -e --arg n "$name" '.file == $n'
}

@test "coco: what pycocotools reads" {
	one 11 >t		# stop sign: 13 in COCO
	ppm 160 160 >COCO_val2014_000000000139.ppm
	run -0 yolo-decode --size=160 -F coco \
	    --image=COCO_val2014_000000000139.ppm t
	[ "$(jq -c . <<<"$output")" = '[{"image_id":139,"category_id":13,"bbox":[10,20,20,40],"score":0.875}]' ]
	# a list, by full name or without folders
	mkdir d
	ppm 160 160 >'d/x y.ppm'
	printf '7 x y.ppm\n8\tother.ppm\n' >ids
	run -0 yolo-decode --size=160 -F coco --image-ids=ids \
	    --image='d/x y.ppm' t
	[ "$(jq -c '.[0].image_id' <<<"$output")" = 7 ]
	# other classes than COCO's are counted from 1
	two >u
	run -0 decode --layout=classes -F coco u
	[ "$(jq -c '[.[].category_id]' <<<"$output")" = '[1,1]' ]
	# nothing found is an empty array
	run -0 decode -c 1 -F coco t
	[ "$output" = "[]" ]
}

@test "coco: a picture without an id is an error of its own" {
	one 11 >t
	ppm 160 160 >x.ppm
	ppm 160 160 >2.ppm
	cat t t >tt
	run --separate-stderr -1 yolo-decode --size=160 -F coco --image=x.ppm \
	    --image=2.ppm tt
	[ "$stderr" = "yolo-decode: x.ppm: has no number in its name to be its id for coco; say it with --image-ids" ]
	[ "$(jq -c '[.[].image_id]' <<<"$output")" = '[2]' ]
	# Nor may two have one: who reads it would take them for one picture.
	mkdir d
	cp 2.ppm d/2.ppm
	run --separate-stderr -1 yolo-decode --size=160 -F coco --image=2.ppm \
	    --image=d/2.ppm tt
	[ "$stderr" = "yolo-decode: d/2.ppm: its id for coco is 2, which another picture has; --image-ids tells them apart" ]
	[ "$(jq -c '[.[].image_id]' <<<"$output")" = '[2]' ]
	printf '1 2.ppm\n3 d/2.ppm\n' >ids
	run -0 yolo-decode --size=160 -F coco --image-ids=ids --image=2.ppm \
	    --image=d/2.ppm tt
	[ "$(jq -c '[.[].image_id]' <<<"$output")" = '[1,3]' ]
	cat 2.ppm 2.ppm >film
	cat tt tt >tttt
	run --separate-stderr -1 yolo-decode --size=160 -F coco --stream=ppm \
	    --image=film --image=film tttt
	[ "${stderr_lines[1]}" = "yolo-decode: film: its id for coco is 2, which another picture has" ]
	printf '1 x.ppm\nzwei 2.ppm\n' >ids
	run --separate-stderr -1 yolo-decode --size=160 -F coco \
	    --image-ids=ids --image=x.ppm t
	[ "$stderr" = "yolo-decode: ids: line 2 is not a number and a file name" ]
	printf '1 x.ppm\n2 x.ppm\n' >ids
	run --separate-stderr -1 yolo-decode --size=160 -F coco \
	    --image-ids=ids --image=x.ppm t
	[ "$stderr" = "yolo-decode: ids: 'x.ppm' is there twice" ]
	printf '1 x.ppm\n' >ids
	run --separate-stderr -1 yolo-decode --size=160 -F coco \
	    --image-ids=ids --image=2.ppm t
	[ "$stderr" = "yolo-decode: 2.ppm: is not in the file of --image-ids" ]
	run --separate-stderr -1 yolo-decode --size=160 -F coco --image=- t \
	    <x.ppm
	[ "$stderr" = "yolo-decode: a picture without a name has no id for coco" ]
	run --separate-stderr -1 yolo-decode --size=160 -F coco --stream=ppm \
	    --image=film --image=- tttt <film
	[ "${stderr_lines[1]}" = "yolo-decode: stdin: its id for coco is 2, which another picture has" ]
}

@test "yolo: a file a picture, and none is replaced by another's" {
	one 5 >t
	mkdir a b
	ppm 160 160 >a/p.ppm
	ppm 160 160 >b/p.ppm
	ppm 160 160 >none.ppm
	cat t t >tt
	run -0 yolo-decode --size=160 -F yolo -o out --image=a/p.ppm t
	[ "$(cat out/p.txt)" = "5 0.125 0.25 0.125 0.25" ]
	run -0 yolo-decode --size=160 -F yolo --conf-column -o out \
	    --image=a/p.ppm t
	[ "$(cat out/p.txt)" = "5 0.125 0.25 0.125 0.25 0.875" ]
	run -0 yolo-decode --size=160 -F yolo -c .9 -o out --image=none.ppm t
	[ -f out/none.txt ] && [ ! -s out/none.txt ]
	run --separate-stderr -1 yolo-decode --size=160 -F yolo -o out2 \
	    --image=a/p.ppm --image=b/p.ppm tt
	[ "$stderr" = "yolo-decode: b/p.ppm: out2/p.txt was made of another picture of the same name" ]
	run --separate-stderr -1 decode -F yolo -o out3 --image='' t
	[ "$stderr" = "yolo-decode: : no name for a file in out3 can be made of it" ]
	[ -z "$(ls out3)" ]
	for name in nowhere/. nowhere/..; do
		run --separate-stderr -1 decode -F yolo -o out3 --image=$name t
		[ "$stderr" = "yolo-decode: $name: no name for a file in out3 can be made of it" ]
	done
	[ -z "$(ls -A out3)" ]
	run --separate-stderr -1 decode -F yolo -o out3 --image=a t
	[ "$stderr" = "yolo-decode: a: is a directory; --recursive takes the pictures in it" ]
	[ -z "$(ls out3)" ]
	run -0 decode -F yolo -o frames tt
	[ "$(ls frames)" = "000001.txt
000002.txt" ]
	# No input is replaced by what is made of it.
	mkdir in
	cp none.ppm in/stdin
	ln -s stdin in/000001.txt
	run -0 yolo-decode --size=160 -F yolo -o films --stream=ppm \
	    --image=a/p.ppm --image=none.ppm tt
	[ "$(ls films)" = "none-000001.txt
p-000001.txt" ]
}

@test "classes by name and number; the nearest name is suggested" {
	one 5 >t
	[ "$(decode -F tsv --classes=person,5 t | wc -l)" -eq 1 ]
	[ "$(decode -F tsv --classes='traffic light,bus' t | wc -l)" -eq 1 ]
	[ "$(decode -F tsv --classes=person,6 t | wc -l)" -eq 0 ]
	run --separate-stderr -2 decode --classes=persn t
	[ "${stderr_lines[0]}" = "yolo-decode: --classes: no class is called 'persn'; did you mean 'person'?" ]
	# Letters that changed places, in short names too; a capital; a name's
	# second word; and nothing where nothing is near.
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

@test "names from a file, as many as there are classes" {
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
	run --separate-stderr -1 decode --names=names --layout=classes t
	[ "$stderr" = "yolo-decode: t: frame 1: the model has 1 classes, but there are 2 names" ]
	# Of one name, of two, and of names that are near to nothing.
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

@test "which axis is which: from the shape, the names, or --layout" {
	# 5 x 8: neither is a quarter of the other
	f32 $(seq 40) | npu-tensor --add -t f32 --shape=5,8 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: which axis of 5 x 8 is 4 + classes does not show; say which is first with --layout=classes or --layout=boxes" ]
	printf 'a\nb\nc\nd\n' >four
	decode --names=four --max=0 t >got
	decode --layout=boxes --max=0 t | sed 's/class0/a/; s/class1/b/
	    s/class2/c/g; s/class3/d/g' | cmp - got
	decode --layout=classes t >/dev/null
	run -1 decode --layout=classes --names=four t
	# (boxes, 4 + n) without anything said
	perl -e 'print pack("f<*", (20, 40, 20, 40, 0, .875) x 30)' |
	    npu-tensor --add -t f32 --shape=30,6 |
	    decode -F tsv >got
	[ "$(cat got)" = "-#1	class1	1	0.875	10	20	30	60" ]
}

@test "8 bits for pixels and scores get a warning that says why" {
	f32 15 25 5 5 30 30 10 10 .5 .75 | npu-tensor --add -t f32 \
	    --shape=5,2 >t
	npu-quant -t u8 -s 0.4 t >u8
	run --separate-stderr -0 decode --layout=classes u8
	[[ $stderr == "yolo-decode: u8: frame 1: 8 bits with one scale for pixels and scores: numbers are 2.5 apart, so scores from 0 to 1 vanish and nothing will be found;"* ]]
	npu-quant -q -t s8 -s 127 t >s8
	run --separate-stderr -0 decode --layout=classes -q s8
	[[ $stderr == *"no number is above 1, so boxes, which are in pixels, end there"* ]]
	# S16 with 51.5 steps a unit, as the vendor's: usable, but coarse
	npu-quant -t s16 -s 51.5 t >s16
	run --separate-stderr -0 decode --layout=classes s16
	[[ $stderr == *"s16: frame 1: one scale holds pixels and scores, so these are 0.01942 apart" ]]
	[[ $output == *'"confidence":0.75728'* ]]
	run --separate-stderr -0 decode --layout=classes -q s16
	[ "$stderr" = "" ]
}

@test "NaN and infinity never win; they are counted" {
	f32 15 nan 5 5 30 30 10 10 .5 .75 | npu-tensor --add -t f32 \
	    --shape=5,2 >t
	run --separate-stderr -0 decode --layout=classes -F tsv t
	[ "$output" = "-#1	class0	0	0.5	0	0	30	10" ]
	[ "$stderr" = "yolo-decode: t: frame 1: NaN or infinite numbers passed over: 1" ]
}

@test "a bad picture has its record, and shifts no other" {
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

@test "as many frames as pictures, or both numbers" {
	one 5 >t
	cat t t >tt
	ppm 160 160 >p.ppm
	run --separate-stderr -1 yolo-decode --size=160 --image=p.ppm tt
	[ "$stderr" = "yolo-decode: tt: frame 2 has no picture; pictures named: 1" ]
	[ "${#lines[@]}" -eq 1 ]
	run --separate-stderr -1 yolo-decode --size=160 -F json --image=p.ppm \
	    --image=p.ppm --image=p.ppm tt
	[ "$stderr" = "yolo-decode: tt: ends after frame 2, but pictures were named: 3" ]
	jq -e 'length == 3 and .[2].error.message == "no tensor for it"' \
	    <<<"$output"
	# a cut stream: the document stays one
	head -c 100000 tt >cut
	run --separate-stderr -1 yolo-decode --size=160 -F json --image=p.ppm \
	    --image=p.ppm --image=p.ppm cut
	[ "$stderr" = "yolo-decode: cut: frame 2, tensor 0: ends after 11672 of 88200 bytes" ]
	jq -e 'length == 3 and (.[0] | has("error") | not) and
	    (.[1:] | all(.error.message | startswith("frame 2, tensor 0:")))' \
	    <<<"$output"
}

@test "a frame of another kind ends it, and the document is one" {
	one 5 >t
	two >u
	cat t u t >tut
	ppm 160 160 >p.ppm
	run --separate-stderr -1 yolo-decode --size=160 -F json --image=p.ppm \
	    --layout=classes --image=p.ppm --image=p.ppm tut
	[ "$stderr" = "yolo-decode: tut: frame 2: 1 classes, but those before had 80" ]
	jq -e 'length == 3 and (.[0].detections | length == 1) and
	    (.[1:] | all(.error.message | startswith("frame 2: 1 classes,")))' \
	    <<<"$output"
}

@test "several files of tensors, and pictures from a list" {
	one 5 >t
	one 0 >u
	ppm 160 160 >p.ppm
	printf 'p.ppm\np.ppm\n' >list
	run -0 yolo-decode --size=160 -F tsv --files-from=list t u
	[ "$output" = "p.ppm	bus	5	0.875	10	20	30	60
p.ppm	person	0	0.875	10	20	30	60" ]
	printf 'p.ppm\0p.ppm\0' | yolo-decode --size=160 -F tsv -0 t u >got
	[ "$(cat got)" = "$output" ]
	# What may be several is an array, also of one.
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

@test "raw bytes by hand, .npy, and labels without a shape" {
	two >t
	decode --layout=classes t >want
	npu-tensor -r t >raw
	decode --layout=classes -t f16 --shape=5,2 raw | cmp - want
	npu-tensor -F npy t >npy
	decode --layout=classes npy | cmp - want
	npu-tensor --add -t f16 raw >flat
	decode --layout=classes --shape=5,2 flat | cmp - want
	run --separate-stderr -1 decode flat
	[ "$stderr" = "yolo-decode: flat: frame 1: its shape is not known; say it with --shape=84,8400 or --model" ]
	run -1 decode raw
	run -1 decode --shape=5,3 --layout=classes flat
	run --separate-stderr -1 decode --size=160 -t f32 --shape=5,70000000 raw
	[ "$stderr" = "yolo-decode: raw: frame 1: 1400000000 bytes, more than \
the limit of 1073741824" ]
	run --separate-stderr -1 decode --layout=classes -t f32 npy
	[[ $stderr == "yolo-decode: npy: frame 1: "*" says f32"* ]]
}

@test "frames of several types, shapes and scales in one stream" {
	two >t
	npu-dequant t >f32
	npu-tensor -r t | npu-tensor -a -t f16 --shape=5,2 >flat
	npu-dequant t | npu-quant -t s16 -s 200 >s200
	npu-dequant t | npu-quant -t s16 -s 400 >s400
	npu-dequant t | npu-quant -t s16 -s 400 -z 9 >z9
	answer 1,5,3 15 25 5 5 5 5 30 30 10 10 10 10 .5 .75 0 >three
	npu-tensor -r t | npu-tensor -a -t f16 --shape=1,5,2 >deep
	cat t t f32 f32 flat deep s200 s200 s400 z9 z9 three t >all
	run -0 --separate-stderr decode --layout=classes -F tsv --no-nms all
	[ "${#lines[@]}" -eq 26 ]
	[ "$(cut -f 4 <<<"$output" | sort | uniq -c | tr -s ' \n' ' ')" = \
	    " 13 0.5 13 0.75 " ]
	# A scale that fine needs no warning.
	[ "$stderr" = "" ]
}

@test "what is no answer of a detector is told" {
	f32 $(seq 24) | npu-tensor --add -t f32 --shape=2,3,4 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: its 3 dimensions are not two, 4 + classes and boxes; this is no output of a YOLOv8" ]
	f32 1 2 3 4 | npu-tensor --add -t f32 --shape=4,1 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: 4 x 1 is no output of a YOLOv8, 4 + classes numbers for each of many boxes" ]
	run -1 decode --layout=classes t
	# A classifier's; and what is one box must be said.
	f32 20 40 20 40 0 .875 | npu-tensor --add -t f32 --shape=1,6 >t
	run --separate-stderr -1 decode t
	[ "$stderr" = "yolo-decode: t: frame 1: 1 x 6 is no output of a YOLOv8, 4 + classes numbers for each of many boxes, unless --layout=boxes says that boxes are so few" ]
	[ "$output" = "" ]
	run -1 decode --layout=classes t
	run -0 decode --layout=boxes -F tsv t
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	f32 20 40 20 40 0 .875 | npu-tensor --add -t f32 --shape=6,1 >t
	run --separate-stderr -1 decode t
	[[ $stderr == *" --layout=classes says that boxes are so few" ]]
	run -0 decode --layout=classes -F tsv t
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	two >t
	npu-tensor -r t | npu-tensor --add -t s32 --shape=5,1 >s32
	run --separate-stderr -1 decode --layout=classes s32
	[[ $stderr == *"elements of type s32 cannot be decoded, but f16,"* ]]
	two >t
	npu-tensor --zip -F label t t >frames
	run --separate-stderr -1 decode frames
	[ "$stderr" = "yolo-decode: frames: frame 1: 2 tensors a frame; choose one with npu-tensor -i" ]
	npu-tensor -i 1 -F label frames | decode --layout=classes >got
	decode --layout=classes t | cmp - got
}

# Boxes of 85 numbers with one of class 1, a YOLOX's 5 + 80 taken as 4 + 81.
five() {
	perl -e 'my @r = ((0) x 85) x 400; @r[0 .. 5] = (20, 40, 20, 40, 0, .875);
	    print pack("f<*", @r)' | npu-tensor --add -t f32 --shape=1,400,85
}

@test "what has 5 + 80 numbers a box is told to be no YOLOv8" {
	five >t
	cat t t >tt
	run --separate-stderr -0 decode -q -F tsv tt
	[ "$stderr" = "yolo-decode: tt: frame 1: 85 numbers a box are taken as 4 + 81 classes; a YOLOv5 or YOLOX has 5 + 80, which is not decoded here; if there are 81 classes, --names=FILE with their names says so" ]
	[ "${lines[0]}" = "-#1	class1	1	0.875	10	20	30	60" ]
	# Who has 81 classes says it, and 80 are not those of this tensor.
	seq 81 >names
	run --separate-stderr -0 decode --names=names -F tsv t
	[ "$stderr" = "" ]
	[ "$output" = "-#1	2	1	0.875	10	20	30	60" ]
	seq 80 >names
	run --separate-stderr -1 decode --names=names t
	[ "$stderr" = "yolo-decode: t: frame 1: 400 x 85 is not 4 + 80 classes for each box, and there are 80 names; if it is 5 + classes, as YOLOv5 and YOLOX have, it is not decoded here" ]
	run --separate-stderr -1 decode --names=names --layout=boxes t
	[ "$stderr" = "yolo-decode: t: frame 1: the model has 81 classes, but there are 80 names; if it is 5 + classes, as YOLOv5 and YOLOX have, it is not decoded here" ]
	one 5 >t
	run --separate-stderr -0 decode t
	[ "$stderr" = "" ]
}

@test "the input's size: said, or from the number of boxes" {
	one 5 >t			# 525 boxes: 20^2 + 10^2 + 5^2
	run -0 yolo-decode --image-size=320x160 --fit=stretch -F tsv t
	[ "$output" = "-#1	bus	5	0.875	20	20	60	60" ]
	two >t
	run --separate-stderr -2 yolo-decode --image-size=64 --layout=classes t
	[ "${stderr_lines[0]}" = "yolo-decode: t: frame 1: 2 boxes do not tell the size of the model's input; say it with --size=WxH or --model" ]
}

@test "-e: status 4 when nothing was found, 1 when something failed" {
	one 5 >t
	ppm 160 160 >p.ppm
	run -0 decode -e t
	run -4 decode -e -c .9 t
	[[ $output == *'"detections":[]}' ]]
	run -1 yolo-decode --size=160 -e -c .9 --image=p.ppm --image=q.ppm t
}

@test "--max and what it leaves out" {
	two >t
	run --separate-stderr -0 decode --layout=classes --max=1 -F tsv t
	[ "$output" = "-#1	class0	0	0.75	10	0	40	10" ]
	[ "$stderr" = "" ]
	# 400 boxes side by side, 300 unless said
	perl -e 'print pack("f<*", map { ($_ / 8, 32, .1, 9, .5) } 0 .. 399)' |
	    npu-tensor --add -t f32 --shape=400,5 >many
	run --separate-stderr -0 decode -F tsv many
	[ "${#lines[@]}" -eq 300 ]
	[ "$stderr" = "yolo-decode: many: frame 1: more than 300 objects; --max=0 gives all" ]
	[ "$(decode -F tsv --max=0 many | wc -l)" -eq 400 ]
}

@test "no more than 30000 candidates are looked at" {
	perl -e 'print pack("f<*", map { (32, 32, 9, 9, .5 + $_ / 100000) }
	    0 .. 30009)' | npu-tensor --add -t f32 --shape=30010,5 >many
	run --separate-stderr -0 decode -F tsv --no-nms --max=0 many
	[ "${#lines[@]}" -eq 30000 ]
	[[ $stderr == *"candidates beyond the best 30000 left out: 10; raise --conf" ]]
	[[ ${lines[0]} == *"	0.80009	"* ]]
	[[ ${lines[29999]} == *"	0.5001	"* ]]
}

@test "-v says what became of the boxes" {
	answer 1,5,3 15 25 200 5 5 5 30 30 4 10 10 4 .5 .75 .9 >t
	run --separate-stderr -0 decode --layout=classes --iou=.4 -v t
	[ "$stderr" = "yolo-decode: t: frame 1: candidates: 3, of them without area in the picture: 1, objects: 1" ]
}

@test "what does not go together is a usage error" {
	two >t
	run -2 yolo-decode t
	run -2 decode --conf=1.5 t
	run -2 decode --iou=-1 t
	run -2 decode --max=30001 t
	run -2 decode -F xml t
	run -2 decode -F yolo t
	run -2 decode --conf-column t
	run -2 decode --image-ids=x t
	run -2 decode --no-nms --agnostic t
	run -2 decode --no-nms --iou=0.5 t
	run -2 decode --layout=rows t
	run -2 decode --fit=crop t
	run -2 decode -R t
	run -2 decode --size=0x5 t
	for o in '-t f16' --shape=5,2 '-s 2' '-z 1'; do
		run -2 --separate-stderr decode -m none.cix $o t
		[[ $stderr == *"--model says type, shape, scale and zero"* ]]
	done
	run -2 --separate-stderr decode -F yolo -o - t
	[[ $stderr == *"say in which folder with -o"* ]]
	run -2 decode --stream=ppm t
	: >list
	for o in '--files-from=-' -0; do
		run -2 --separate-stderr yolo-decode --size=160 $o - <t
		[[ $stderr == *"stdin has the tensors"* ]]
		run -2 yolo-decode --size=160 $o <t
	done
	run -2 yolo-decode --size=160 --image=- <t
	decode --layout=classes --image=- <t >got
	decode --layout=classes --files-from=list t >got 2>said || :
}

@test "what was found is there before a bad line of a list" {
	two >t
	cat t t t t t >five
	ppm 160 160 >p.ppm
	bad_lists p.ppm p.ppm p.ppm p.ppm p.ppm
	for list in long nul; do
		for f in json jsonl; do
			run -1 --separate-stderr yolo-decode --size=160 \
			    --layout=classes -F $f --files-from=$list five
			[ "$(jq -s 'flatten | length' <<<"$output")" -eq 5 ]
			[[ $stderr == *"yolo-decode: $list: line 6: "* ]]
			! yolo-decode --size=160 --layout=classes -F $f \
			    --files-from=$list five >out 2>said
			[ "$(cat out)" = "$output" ]
		done
	done
}

# model [KEY=VALUE]: 2 classes, an input of 160, in yolo.cix; its twin has the
# metadata, and is twin.onnx too.
model() {
	mkonnx Identity f32:1x3x160x160 : f32:1x6x525 ${1:+"@$1"} >twin.onnx
	cix-pack -o yolo.cix -I images:u8:1x3x160x160:255:0 \
	    -O output0:f16:1x6x525 twin.onnx
}

# A box as one() has it, of class 1 of 2.
small() {
	perl -e 'my @r = ((0) x 525) x 6;
	    @r[10, 535, 1060, 1585, 2635] = (20, 40, 20, 40, .875);
	    print pack("f<*", @r)' | npu-tensor --add -t f32 --shape=6,525 |
	    npu-quant -t f16 | npu-tensor -r
}

@test "type, size and names of the model, its twin's" {
	model "names={0: 'cat', 1: 'dog'}"
	small >raw
	run -0 yolo-decode -m yolo.cix --image-size=320 -F tsv raw
	[ "$output" = "-#1	dog	1	0.875	20	40	60	120" ]
	run -0 yolo-decode -m yolo.cix:out0 --image-size=320 --classes=dog \
	    -F tsv raw
	[ "$output" = "-#1	dog	1	0.875	20	40	60	120" ]
	printf 'bird\nfish\n' >names
	run -0 yolo-decode -m yolo.cix --image-size=160 --names=names \
	    -F tsv raw
	[ "$output" = "-#1	fish	1	0.875	10	20	30	60" ]
	run -2 yolo-decode -m yolo.cix --size=320 --image-size=160 raw
	run -2 yolo-decode -m yolo.cix --size=160x320 --image-size=160 raw
	run -2 yolo-decode -m yolo.cix --size=320x160 --image-size=160 raw
	run -0 yolo-decode -m yolo.cix --size=160 --image-size=160 -F tsv raw
	[ "$output" = "-#1	dog	1	0.875	10	20	30	60" ]
	# NPU_TWIN is asked before the model
	mkonnx Identity f32:1 : f32:1 "@names=['a', 'b']" >other.onnx
	NPU_TWIN=other.onnx run -0 yolo-decode -m yolo.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "-#1	b	1	0.875	10	20	30	60" ]
}

@test "a model of another input, without a shape, without a twin" {
	small >raw
	want='-#1	class1	1	0.875	10	20	30	60'
	# An input that is no picture, or two: they do not tell the size.
	cix-pack -o m.cix -I a:f32:4 -O output0:f16:1x6x525
	run -0 yolo-decode -m m.cix --size=160 --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	cix-pack -o m.cix -I a:u8:1x3x160x160 -I b:f32:4 -O o:f16:1x6x525
	run -0 yolo-decode -m m.cix --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	# Two outputs: one is chosen; and the first frame has both.
	cix-pack -o m.cix -I a:u8:1x3x160x160 -O o:f16:1x6x525 -O p:f16:1x6x525
	run -0 yolo-decode -m m.cix:p --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	cat raw raw >two
	run --separate-stderr -1 yolo-decode -m m.cix --image-size=160 two
	[ "$stderr" = "yolo-decode: two: frame 1: 2 tensors a frame; choose \
one with npu-tensor -i" ]
	# A model of the vendor's need not have a shape.
	mkcix --in u8:76800:255 --out f16:3150 sound-table-empty >m.cix
	npu-tensor -a -t f16 --shape=1,6,525 raw >labelled
	run -0 yolo-decode -m m.cix --size=160 --image-size=160 -F tsv labelled
	[ "$output" = "$want" ]
	# The ONNX file beside the model, as the model hub has them.
	mkcix --in u8:1x3x160x160:255 --out f16:1x6x525 >hub.cix
	run --separate-stderr -0 yolo-decode -m hub.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "$want" ]
	[ "$stderr" = "" ]
	mkonnx Identity f32:1 : f32:1 "@names=['a', 'b']" >hub.onnx
	run -0 yolo-decode -m hub.cix --image-size=160 -F tsv raw
	[ "$output" = '-#1	b	1	0.875	10	20	30	60' ]
	# The folder's name is no pattern, which another's would fit.
	mkdir -p 'v[1]/model' v1/model
	cp hub.cix 'v[1]'
	mv hub.onnx v1/model
	run -0 yolo-decode -m 'v[1]/hub.cix' --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	mv v1/model/hub.onnx 'v[1]/model'
	run -0 yolo-decode -m 'v[1]/hub.cix' --image-size=160 -F tsv raw
	[ "$output" = '-#1	b	1	0.875	10	20	30	60' ]
	mkfifo hub.onnx
	run --separate-stderr -0 yolo-decode -m hub.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "$want" ]
	[[ $stderr == *"its twin $PWD/hub.onnx: not a regular file; name "* ]]
	rm hub.onnx
	NPU_TWIN=missing run --separate-stderr -0 yolo-decode -m hub.cix \
	    --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	[[ $stderr == *"NPU_TWIN=missing: there is no such file"* ]]
	NPU_TWIN=. run --separate-stderr -0 yolo-decode -m hub.cix \
	    --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	[[ $stderr == *": .: cannot be read: Is a directory"* ]]
}
@test "a twin without names, with broken ones, with too many" {
	small >raw
	model
	run --separate-stderr -0 yolo-decode -m yolo.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	[ "$stderr" = "" ]
	model "names={0: 'cat'"
	run --separate-stderr -0 yolo-decode -m yolo.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	[ "$stderr" = "yolo-decode: yolo.cix: class names are not the model's: the twin in yolo.cix: its class names: neither a comma nor '}' after name 1; name them with --names" ]
	model "names=['cat', 'dog', 'cow']"
	run --separate-stderr -1 yolo-decode -m yolo.cix --image-size=160 raw
	[ "$stderr" = "yolo-decode: yolo.cix: 6 x 525 is not 4 + 3 classes for each box, and there are 3 names" ]
	echo 'no onnx' >other.onnx
	NPU_TWIN=other.onnx run --separate-stderr -0 yolo-decode -m yolo.cix \
	    --image-size=160 -F tsv raw
	[[ $stderr == *"other.onnx: no ONNX file: no field of protobuf at byte 0 of 8; name them with --names" ]]
}
