#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0

load ../support/helper
load ../support/drawn

# ---- Pixels ---------------------------------------------------------------

@test "a line is centred on the edge of its box" {
	plain 12 9 >p.ppm
	record p.ppm 12 9 person 0 0.9 3,3,9,7 >p.json
	run -0 bash -c '
	    yolo-draw --no-labels --line=2 -F ppm <p.json >out.ppm'
	[ "$output" = "" ]
	art <out.ppm >got
	diff - got <<-END
	............
	............
	..aaaaaaaa..
	..aaaaaaaa..
	..aa....aa..
	..aa....aa..
	..aaaaaaaa..
	..aaaaaaaa..
	............
	END
}

@test "a line stays inside the picture, and a box is cut at the border" {
	plain 8 6 >p.ppm
	record p.ppm 8 6 a 0 1 -1e300,-3,1e300,99 b 1 1 4,2,4,2 \
	    c 2 1 8,0,9,9 >p.json
	yolo-draw -q --no-labels --line=1 -F ppm <p.json | art >got
	diff - got <<-END
	aaaaaaaa
	a......a
	a...b..a
	a......a
	a......a
	aaaaaaaa
	END
	run --separate-stderr -0 yolo-draw -F ppm -o /dev/null <p.json
	[ "$stderr" = "yolo-draw: p.ppm: 1 of 3 boxes outside of the picture" ]
}

@test "the first detection is drawn over the later detections" {
	plain 6 4 >p.ppm
	record p.ppm 6 4 a 0 1 0,0,4,4 b 1 1 2,0,6,4 >p.json
	yolo-draw --no-labels --line=1 -F ppm <p.json | art >got
	diff - got <<-END
	aaaabb
	a.ba.b
	a.ba.b
	aaaabb
	END
}

@test "a class has one colour in all pictures, and classes differ in colour" {
	plain 6 4 >p.ppm
	plain 8 8 >q.ppm
	{
		record p.ppm 6 4 x 5 1 0,0,6,4
		record q.ppm 8 8 y 5 1 0,0,8,8
		record q.ppm 8 8 y 6 1 0,0,8,8
	} >p.json
	# A header of 11 bytes, then the pixel at the upper left.
	yolo-draw --no-labels --line=1 -F ppm <p.json >all.ppm
	at=11 n=0
	for pixels in 24 64 64; do
		n=$((n + 1))
		tail -c +$((at + 1)) all.ppm | head -c 3 >c$n
		at=$((at + pixels * 3 + 11))
	done
	cmp c1 c2
	run -1 cmp -s c2 c3
}

# bats test_tags=slow
@test "a label is above its box, or inside if there is no room above" {
	# "ab 0.50": 7 letters of 8 by 16, and a margin of 2 on both sides
	while read -r box x1 y1 x2 y2; do
		plain 200 100 0 >p.ppm
		record p.ppm 200 100 ab 0 0.5 "$box" |
		    yolo-draw --line=1 -o p.png
		run -0 python 'print(*rgb("p.png").getbbox())'
		[ "$output" = "$x1 $y1 $x2 $y2" ]
	done <<-END
	50,40,90,80 50 24 110 80
	50,16,90,80 50 0 110 80
	50,15,90,80 50 15 110 80
	170,40,190,80 140 24 200 80
	-5,40,9,80 0 24 60 80
	END
}

# bats test_tags=slow
@test "labels grow with the size of the picture, and with --text-size" {
	plain 1920 1080 0 >p.ppm
	# 3000 / 600: a line of 5, which is 2 and 3 on both sides; letters at
	# scale 2.
	record p.ppm 1920 1080 ab 0 0.5 500,500,700,700 >p.json
	yolo-draw -o p.png <p.json
	run -0 python 'print(*rgb("p.png").getbbox())'
	[ "$output" = "498 466 702 702" ]
	yolo-draw --text-size=5 --line=1 -o p.png <p.json
	run -0 python 'print(*rgb("p.png").getbbox())'
	[ "$output" = "500 420 800 700" ]
}

@test "--conf omits detections with a lower confidence" {
	plain 6 3 >p.ppm
	record p.ppm 6 3 a 0 0.75 0,0,1,1 a 0 0.5 2,0,3,1 a 0 0.25 4,0,5,1 \
	    >p.json
	yolo-draw --conf=0.5 --no-labels -F ppm <p.json | art >got
	diff - got <<-END
	a.a...
	......
	......
	END
}

@test "--fill colours the inside of a box by this percentage" {
	plain 4 4 >p.ppm
	record p.ppm 4 4 a 0 0.75 0,0,4,4 >p.json
	yolo-draw --fill=100 --no-labels --line=1 -F ppm <p.json | art >got
	diff - got <<-END
	aaaa
	aaaa
	aaaa
	aaaa
	END
	yolo-draw --fill=0.1 --no-labels --line=1 -F ppm <p.json | art >got
	[ "$(sed -n 2p got)" = a..a ]
}

# ---- Formats --------------------------------------------------------------

# bats test_tags=slow
@test "PNG, JPEG and PPM files have the pixels and tables of Pillow's" {
	need_data images/photos/dog.jpg
	record "$DATA" 768 576 dog 16 0.9 100,200,400,500 >p.json
	for f in png ppm jpg jpeg PNG; do
		yolo-draw -o out.$f <p.json
	done
	cmp out.png out.PNG
	cmp out.jpg out.jpeg
	python '
i = Image.open("out.png")
assert (i.format, i.mode, i.size) == ("PNG", "RGB", (768, 576))
assert i.tobytes() == rgb("out.ppm").tobytes()
j = Image.open("out.jpg")
assert (j.format, j.size) == ("JPEG", (768, 576))
assert [l[1:3] for l in j.layer] == [(1, 1)] * 3	# 4:4:4
i.save("pillow.jpg", quality=90, subsampling=0)
assert j.quantization == Image.open("pillow.jpg").quantization
assert j.tobytes() == Image.open("pillow.jpg").tobytes()'
	yolo-draw -F jpeg --quality=40 <p.json >out.jpg
	python '
rgb("out.png").save("pillow.jpg", quality=40)
assert Image.open("out.jpg").quantization == \
    Image.open("pillow.jpg").quantization'
}

@test "without detections the pixels of the picture are unchanged" {
	need_data images/photos/dog.jpg
	record "$DATA" 768 576 >p.json
	yolo-draw -o out.png <p.json
	python 'assert rgb("out.png").tobytes() == rgb(a[0]).tobytes()' "$DATA"
}

# bats test_tags=slow
@test "pictures are drawn and written upright" {
	need_data images/exif
	for f in "$DATA"/*; do
		size=$(python 'print(*ImageOps.exif_transpose(Image.open(a[0])).size)' "$f")
		# shellcheck disable=SC2086 # two numbers
		record "$f" $size a 0 1 0,0,20,10 >p.json
		yolo-draw -o out.png --no-labels --line=1 <p.json
		python '
i = ImageOps.exif_transpose(Image.open(a[0])).convert("RGB")
o = rgb("out.png")
assert o.size == i.size
assert "exif" not in Image.open("out.png").info
assert ImageChops.difference(i, o).getbbox() == (0, 0, 20, 10)' "$f"
	done
}

# bats test_tags=slow
@test "the format follows from the file name, or from --format" {
	plain 4 4 >p.ppm
	record p.ppm 4 4 >p.json
	yolo-draw <p.json >out
	[ "$(python 'print(Image.open("out").format)')" = PNG ]
	yolo-draw -F jpeg -o out.png <p.json
	[ "$(python 'print(Image.open("out.png").format)')" = JPEG ]
	run --separate-stderr -0 yolo-draw -F ppm -o out.png <p.json
	[ "$stderr" = "yolo-draw: out.png: written as ppm, as --format says" ]
	run --separate-stderr -0 yolo-draw -q -F ppm -o out.png <p.json
	[ "$stderr" = "" ]
	for o in "-F jpeg -o out.jpg" "-F ppm -o out.x"; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -0 yolo-draw $o <p.json
		[ "$stderr" = "" ]
	done
	run --separate-stderr -2 yolo-draw -o out.gif p.ppm <p.json
	[ "${stderr_lines[0]}" = "yolo-draw: --output: 'out.gif' does not end \
with .png, .jpg, .jpeg or .ppm; give --format" ]
	run --separate-stderr -2 yolo-draw -F gif <p.json
	[ "${stderr_lines[0]}" = "yolo-draw: --format: 'gif' is not png, jpeg or ppm" ]
	run --separate-stderr -2 yolo-draw --quality=5 -o out.png <p.json
	[[ ${stderr_lines[0]} == "yolo-draw: --quality needs --format=jpeg"* ]]
	[ ! -e out.gif ]
	no_parts
}

@test "a picture too large for JPEG is refused before anything is written" {
	plain 65501 1 >p.ppm
	record p.ppm 65501 1 >p.json
	run --separate-stderr -1 yolo-draw -o out.jpg <p.json
	[ "$stderr" = "yolo-draw: p.ppm: 65501x1 pixels: a JPEG has at most \
65500 a side; PNG and PPM hold more" ]
	[ ! -e out.jpg ]
	yolo-draw -o out.png <p.json
	no_parts
}

# ---- Which picture --------------------------------------------------------

@test "an operand is drawn on even if the record names another file" {
	plain 4 4 >p.ppm
	record no/such.jpg 4 4 a 0 1 0,0,4,4 >p.json
	yolo-draw p.ppm --no-labels <p.json >out.png
	yolo-draw --detections=p.json --no-labels - <p.ppm | cmp - out.png
	sed 's,"no/such.jpg",null,' p.json | yolo-draw --no-labels p.ppm |
	    cmp - out.png
	run --separate-stderr -1 yolo-draw <p.json
	[ "$stderr" = "yolo-draw: no/such.jpg: No such file or directory" ]
	run --separate-stderr -1 bash -c \
	    'sed "s,.no/such.jpg.,null," p.json | yolo-draw'
	[ "$stderr" = "yolo-draw: stdin: record 1 names no picture; give the \
picture as an operand" ]
	run --separate-stderr -1 yolo-draw < <(record - 4 4)
	[[ $stderr == *"record 1 names no picture"* ]]
	run --separate-stderr -2 yolo-draw - <p.json
	[[ ${stderr_lines[0]} == *"cannot both be standard input"* ]]
}

@test "a picture of another size is refused, unless --rescale is given" {
	plain 8 6 >p.ppm
	record p.ppm 16 18 a 0 1 4,6,16,18 >p.json
	run --separate-stderr -1 yolo-draw -o out.ppm <p.json
	[ "$stderr" = "yolo-draw: p.ppm: 8x6 pixels, but record 1 belongs to a \
picture of 16x18; use --rescale if it is the same picture in another size" ]
	[ ! -e out.ppm ]
	record p.ppm 8 7 a 0 1 1,1,2,2 >q.json
	run --separate-stderr -1 yolo-draw -o out.ppm <q.json
	[[ $stderr == *"belongs to a picture of 8x7; use --rescale if"* ]]
	yolo-draw --rescale --no-labels --line=1 -o out.ppm <p.json
	art <out.ppm >got
	diff - got <<-END
	........
	........
	..aaaaaa
	..a....a
	..a....a
	..aaaaaa
	END
}

@test "a picture larger than --max-pixels is refused" {
	plain 4 4 >p.ppm
	record p.ppm 4 4 >p.json
	yolo-draw --max-pixels=16 <p.json >out.png
	run --separate-stderr -1 yolo-draw --max-pixels=15 <p.json
	[[ $stderr == "yolo-draw: p.ppm: "*15* ]]
}

# bats test_tags=slow
@test "several pictures make one stream, but not with PNG" {
	plain 4 4 1 >p.ppm
	plain 4 3 2 >q.ppm
	{ record p.ppm 4 4; record q.ppm 4 3; } >p.json
	yolo-draw -F ppm <p.json >out.ppm
	{ plain 4 4 1; plain 4 3 2; } | cmp - out.ppm
	yolo-draw -F jpeg <p.json >out.jpg
	[ "$(LC_ALL=C grep -caoP '\xff\xd8\xff' out.jpg)" -ge 1 ]
	run --separate-stderr -1 yolo-draw -o out.png <p.json
	[[ $stderr == "yolo-draw: stdin: record 2: a PNG file holds one picture; "* ]]
	[ ! -e out.png ]
	no_parts
	run --separate-stderr -2 yolo-draw p.ppm q.ppm <p.json
	[[ ${stderr_lines[0]} == "yolo-draw: 2 pictures need --output-dir, or "* ]]
}

# frames FILE NUMBER...: prints records of 4x4 pictures in a stream.
frames() {
	for n in "${@:2}"; do
		record "$1" 4 4 a 0 1 0,0,1,1 | sed "s/\"width/\"frame\":$n,&/"
	done
}

# bats test_tags=slow
@test "--stream draws on the pictures with the frame numbers of the records" {
	for n in 1 2 3 4 5; do
		plain 4 4 $n
	done >v.ppm
	frames v.ppm 1 3 4 >p.json
	yolo-draw --stream=ppm -o out.mjpeg <p.json
	[ "$(python 'print(Image.open("out.mjpeg").format)')" = JPEG ]
	yolo-draw --stream=ppm --no-labels <p.json >out.ppm
	[ "$(wc -c <out.ppm)" -eq $((3 * 59)) ]
	# The first pixel is drawn on, the last pixel is gray.
	run -0 bash -c 'for n in 1 2 3; do
	    head -c $((n * 59)) out.ppm | tail -c 1 | od -An -t u1; done'
	[ "$(tr -d ' \n' <<<"$output")" = 134 ]
	yolo-draw --stream=ppm --no-labels --detections=p.json - <v.ppm |
	    cmp - out.ppm
	yolo-draw --stream=ppm --no-labels -o out.x v.ppm \
	    < <(frames '' 1 3 4)
	cmp out.x out.ppm
	yolo-draw --stream=ppm --output-dir=out <p.json
	[ "$(echo out/*)" = \
	    "out/v-000001.png out/v-000003.png out/v-000004.png" ]
	[ "$(python 'print(rgb("out/v-000003.png").getpixel((3, 3)))')" = \
	    "(3, 3, 3)" ]
}

@test "records of a stream need --stream or one operand for each record" {
	plain 4 4 1 >v.ppm
	plain 4 4 2 >>v.ppm
	frames v.ppm 1 2 >p.json
	run --separate-stderr -1 yolo-draw -o out.png <p.json
	[ "${stderr_lines[0]}" = "yolo-draw: v.ppm: record 1 belongs to picture 1 \
of a stream; --stream=mjpeg or ppm reads it" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ ! -e out.png ]
	# Operands are taken as pictures that were extracted from the stream.
	yolo-draw -F ppm --no-labels v.ppm v.ppm <p.json >out.ppm
	[ "$(wc -c <out.ppm)" -eq $((2 * 59)) ]
}

# bats test_tags=slow
@test "--stream draws records of one stream after records of another" {
	for n in 1 2 3; do plain 4 4 $n; done >v.ppm
	for n in 4 5 6; do plain 4 4 $n; done >w.ppm
	{ frames v.ppm 1 2; frames w.ppm 3; frames v.ppm 3; } >p.json
	yolo-draw --stream=ppm --no-labels <p.json >out.ppm
	run -0 bash -c 'for n in 1 2 3 4; do
	    head -c $((n * 59)) out.ppm | tail -c 1 | od -An -t u1; done'
	[ "$(tr -d ' \n' <<<"$output")" = 1263 ]
}

@test "records of a stream without a name are drawn on standard input" {
	for n in 1 2 3; do plain 4 4 $n; done >v.ppm
	frames v.ppm 1 3 | sed 's/"v.ppm"/null/' >p.json
	yolo-draw --stream=ppm --detections=p.json --no-labels <v.ppm >out.ppm
	yolo-draw --stream=ppm --no-labels v.ppm <p.json | cmp - out.ppm
	[ "$(wc -c <out.ppm)" -eq $((2 * 59)) ]
	yolo-draw --stream=ppm --detections=p.json --output-dir=out <v.ppm
	[ "$(echo out/*)" = "out/stdin-000001.png out/stdin-000003.png" ]
	run --separate-stderr -1 yolo-draw --stream=ppm <p.json
	[ "$stderr" = "yolo-draw: stdin: record 1 names no picture; give the \
picture as an operand" ]
}

# bats test_tags=slow
@test "--stream=mjpeg writes a stream of JPEGs" {
	for n in 1 2 3; do
		plain 4 4 ${n}0 | python '
rgb(sys.stdin.buffer).save(sys.stdout.buffer, "JPEG")'
	done >v.mjpeg
	frames v.mjpeg 2 3 | sed 's/"detections.*/"detections":[]}/' >p.json
	yolo-draw --stream=mjpeg <p.json >out.mjpeg
	frames out.mjpeg 1 2 | yolo-draw --stream=mjpeg --output-dir=out
	run -0 python 'for f in a: print(rgb(f).getpixel((3, 3))[0])' out/*
	[ "$output" = "20
30" ]
}

# bats test_tags=slow
@test "records out of order, or after the end of the stream, are errors" {
	plain 4 4 >v.ppm
	run --separate-stderr -1 yolo-draw --stream=ppm -o out.ppm \
	    < <(frames v.ppm 1 1 2)
	[ "${stderr_lines[0]}" = "yolo-draw: v.ppm: picture 1: was read before; \
records must be in the order of the stream" ]
	[ "${stderr_lines[1]}" = "yolo-draw: v.ppm: picture 2: the stream has \
only 1" ]
	[ "$(wc -c <out.ppm)" -eq 59 ]
	run --separate-stderr -1 yolo-draw --stream=ppm < <(record v.ppm 4 4)
	[[ $stderr == "yolo-draw: v.ppm: record 1 does not belong to a stream"* ]]
	run --separate-stderr -1 yolo-draw --stream=ppm < <(frames no.ppm 1)
	[ "$stderr" = "yolo-draw: no.ppm: picture 1: No such file or directory" ]
	run --separate-stderr -2 yolo-draw --stream=ppm v.ppm v.ppm </dev/null
	run --separate-stderr -2 yolo-draw --stream=avi v.ppm </dev/null
}

@test "-v prints the number of boxes drawn on each picture, -q does not" {
	plain 12 9 >p.ppm
	record p.ppm 12 9 a 0 0.9 3,3,9,7 b 0 0.9 20,20,30,30 \
	    c 0 0.1 3,3,9,7 >p.json
	run --separate-stderr -0 yolo-draw -v -c 0.5 -o o.png <p.json
	[ "$stderr" = "yolo-draw: p.ppm: 1 of 2 boxes outside of the\
 picture
yolo-draw: p.ppm: boxes drawn: 1 of 3" ]
	run --separate-stderr -0 yolo-draw -qv -o o.png <p.json
	[ "$stderr" = "" ]
}
