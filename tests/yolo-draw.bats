#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0

load helper

# plain WIDTH HEIGHT [VALUE]: a PPM of one gray.
plain() {
	printf 'P6\n%d %d\n255\n' "$1" "$2"
	head -c $(($1 * $2 * 3)) /dev/zero | tr '\0' "\\$(printf %o "${3:-9}")"
}

# record FILE WIDTH HEIGHT [CLASS ID CONFIDENCE BOX]...
record() {
	printf '{"schema":"yolo-detect/1","file":"%s","width":%d,"height":%d,' \
	    "$1" "$2" "$3"
	printf '"detections":['
	shift 3
	while [ $# -gt 0 ]; do
		printf '{"class":"%s","id":%d,"confidence":%s,"box":[%s]}' \
		    "$1" "$2" "$3" "$4"
		shift 4
		[ $# -eq 0 ] || printf ,
	done
	printf ']}\n'
}

# art: a PPM on stdin as letters, '.' for the gray of plain, a letter for each
# other colour in the order in which they come.
art() {
	perl -e 'local $/; $_ = <STDIN>; s/^P6\s(\d+)\s(\d+)\s255\s//s or die;
	    ($w, $n) = ($1, ord "a");
	    for $p (unpack "(a3)*") {
		$c{$p} //= $p eq "\t\t\t" ? "." : chr $n++;
		print $c{$p}, ++$i % $w ? "" : "\n";
	    }'
}

# python CODE ARGUMENT...: Pillow's view.
python() {
	/usr/bin/python3 -c "from PIL import Image, ImageChops, ImageOps
import sys
a = sys.argv[1:]
def rgb(name): return Image.open(name).convert('RGB')
$1" "${@:2}"
}

# no_parts: nothing was left behind.
no_parts() {
	[ -z "$(find . -name '.npu-*')" ]
}

# ---- Pixels ---------------------------------------------------------------

@test "a line has its middle on the edge of the box" {
	plain 12 9 >p.ppm
	record p.ppm 12 9 person 0 0.9 3,3,9,7 >p.json
	run -0 --keep-empty-lines bash -c '
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

@test "a line stays on the picture, a box is cut there" {
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
	[ "$stderr" = "yolo-draw: p.ppm: 1 of 3 boxes are outside of the picture" ]
}

@test "the first detection is drawn last" {
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

@test "a class has the same colour in every picture, another class another" {
	plain 6 4 >p.ppm
	plain 8 8 >q.ppm
	{
		record p.ppm 6 4 x 5 1 0,0,6,4
		record q.ppm 8 8 y 5 1 0,0,8,8
		record q.ppm 8 8 y 6 1 0,0,8,8
	} >p.json
	# A header of 11 bytes, and the pixel at the upper left
	yolo-draw --no-labels --line=1 -F ppm <p.json >all.ppm
	at=11 n=0
	for pixels in 24 64 64; do
		n=$((n + 1))
		tail -c +$((at + 1)) all.ppm | head -c 3 >c$n
		at=$((at + pixels * 3 + 11))
	done
	cmp c1 c2
	run ! cmp -s c2 c3
}

@test "a label is above the box, inside where there is no room" {
	# "ab 0.50": 7 letters of 8 by 16, and 2 free on both sides
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

@test "labels grow with the picture, and as they are told" {
	plain 1920 1080 0 >p.ppm
	# 3000 / 600: a line of 5, 2 and 3 on both sides; so letters of 2
	record p.ppm 1920 1080 ab 0 0.5 500,500,700,700 >p.json
	yolo-draw -o p.png <p.json
	run -0 python 'print(*rgb("p.png").getbbox())'
	[ "$output" = "498 466 702 702" ]
	yolo-draw --text=5 --line=1 -o p.png <p.json
	run -0 python 'print(*rgb("p.png").getbbox())'
	[ "$output" = "500 420 800 700" ]
}

@test "only detections of the confidence asked for" {
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

@test "the inside is coloured by so many percent" {
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

@test "PNG, JPEG and PPM as Pillow reads them" {
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

@test "without detections the picture is as it was" {
	need_data images/photos/dog.jpg
	record "$DATA" 768 576 >p.json
	yolo-draw -o out.png <p.json
	python 'assert rgb("out.png").tobytes() == rgb(a[0]).tobytes()' "$DATA"
}

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

@test "the format is told by the name, or by --format" {
	plain 4 4 >p.ppm
	record p.ppm 4 4 >p.json
	yolo-draw <p.json >out
	[ "$(python 'print(Image.open("out").format)')" = PNG ]
	yolo-draw -F jpeg -o out.png <p.json
	[ "$(python 'print(Image.open("out.png").format)')" = JPEG ]
	run --separate-stderr -2 yolo-draw -o out.gif p.ppm <p.json
	[ "${stderr_lines[0]}" = "yolo-draw: --output: 'out.gif' does not end \
with .png, .jpg, .jpeg or .ppm; --format says what it is" ]
	run --separate-stderr -2 yolo-draw -F gif <p.json
	[ "${stderr_lines[0]}" = "yolo-draw: --format: 'gif' is not png, jpeg or ppm" ]
	run --separate-stderr -2 yolo-draw --quality=5 -o out.png <p.json
	[[ ${stderr_lines[0]} == "yolo-draw: --quality is of JPEG"* ]]
	[ ! -e out.gif ]
	no_parts
}

@test "what a JPEG cannot hold is refused before anything is written" {
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

@test "an operand is the picture, whatever the JSON names" {
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
	[ "$stderr" = "yolo-draw: stdin: record 1 names no picture; give it: \
yolo-draw PICTURE" ]
	run --separate-stderr -1 yolo-draw < <(record - 4 4)
	[[ $stderr == *"record 1 names no picture"* ]]
	run --separate-stderr -2 yolo-draw - <p.json
	[[ ${stderr_lines[0]} == *"cannot both be standard input"* ]]
}

@test "a picture of another size is another picture, unless --scale" {
	plain 8 6 >p.ppm
	record p.ppm 16 18 a 0 1 4,6,16,18 >p.json
	run --separate-stderr -1 yolo-draw -o out.ppm <p.json
	[ "$stderr" = "yolo-draw: p.ppm: 8x6 pixels, but record 1 is of a \
picture of 16x18; --scale if it is the same in another size" ]
	[ ! -e out.ppm ]
	record p.ppm 8 7 a 0 1 1,1,2,2 >q.json
	run --separate-stderr -1 yolo-draw -o out.ppm <q.json
	[[ $stderr == *"of a picture of 8x7; --scale if"* ]]
	yolo-draw --scale --no-labels --line=1 -o out.ppm <p.json
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

@test "pictures in a row go to one stream, but not as PNG" {
	plain 4 4 1 >p.ppm
	plain 4 3 2 >q.ppm
	{ record p.ppm 4 4; record q.ppm 4 3; } >p.json
	yolo-draw -F ppm <p.json >out.ppm
	{ plain 4 4 1; plain 4 3 2; } | cmp - out.ppm
	yolo-draw -F jpeg <p.json >out.jpg
	[ "$(LC_ALL=C grep -caoP '\xff\xd8\xff' out.jpg)" -ge 1 ]
	run --separate-stderr -1 yolo-draw -o out.png <p.json
	[[ $stderr == "yolo-draw: stdin: record 2: a PNG takes one picture; "* ]]
	[ ! -e out.png ]
	no_parts
	run --separate-stderr -2 yolo-draw p.ppm q.ppm <p.json
	[[ ${stderr_lines[0]} == "yolo-draw: 2 pictures: --output-dir takes"* ]]
}

# frames FILE NUMBER...: records of 4x4 pictures of a stream.
frames() {
	for n in "${@:2}"; do
		record "$1" 4 4 a 0 1 0,0,1,1 | sed "s/\"width/\"frame\":$n,&/"
	done
}

@test "pictures of a stream are drawn by their number" {
	for n in 1 2 3 4 5; do
		plain 4 4 $n
	done >v.ppm
	frames v.ppm 1 3 4 >p.json
	yolo-draw --stream=ppm --no-labels <p.json >out.ppm
	[ "$(wc -c <out.ppm)" -eq $((3 * 59)) ]
	# The first pixel is drawn, the last is gray.
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

@test "records of a stream are drawn on no single picture" {
	plain 4 4 1 >v.ppm
	plain 4 4 2 >>v.ppm
	frames v.ppm 1 2 >p.json
	run --separate-stderr -1 yolo-draw -o out.png <p.json
	[ "${stderr_lines[0]}" = "yolo-draw: v.ppm: record 1 is of picture 1 \
of a stream; --stream=mjpeg or ppm reads it" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ ! -e out.png ]
	# Who names the pictures has cut them out.
	yolo-draw -F ppm --no-labels v.ppm v.ppm <p.json >out.ppm
	[ "$(wc -c <out.ppm)" -eq $((2 * 59)) ]
}

@test "the records of one stream behind those of another" {
	for n in 1 2 3; do plain 4 4 $n; done >v.ppm
	for n in 4 5 6; do plain 4 4 $n; done >w.ppm
	{ frames v.ppm 1 2; frames w.ppm 3; frames v.ppm 3; } >p.json
	yolo-draw --stream=ppm --no-labels <p.json >out.ppm
	run -0 bash -c 'for n in 1 2 3 4; do
	    head -c $((n * 59)) out.ppm | tail -c 1 | od -An -t u1; done'
	[ "$(tr -d ' \n' <<<"$output")" = 1263 ]
}

@test "a stream without a name is standard input" {
	for n in 1 2 3; do plain 4 4 $n; done >v.ppm
	frames v.ppm 1 3 | sed 's/"v.ppm"/null/' >p.json
	yolo-draw --stream=ppm --detections=p.json --no-labels <v.ppm >out.ppm
	yolo-draw --stream=ppm --no-labels v.ppm <p.json | cmp - out.ppm
	[ "$(wc -c <out.ppm)" -eq $((2 * 59)) ]
	yolo-draw --stream=ppm --detections=p.json --output-dir=out <v.ppm
	[ "$(echo out/*)" = "out/stdin-000001.png out/stdin-000003.png" ]
	run --separate-stderr -1 yolo-draw --stream=ppm <p.json
	[ "$stderr" = "yolo-draw: stdin: record 1 names no picture; give it: \
yolo-draw PICTURE" ]
}

@test "JPEGs of a stream become a stream of JPEGs" {
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

@test "a stream without the picture, and records out of order" {
	plain 4 4 >v.ppm
	run --separate-stderr -1 yolo-draw --stream=ppm -o out.ppm \
	    < <(frames v.ppm 1 1 2)
	[ "${stderr_lines[0]}" = "yolo-draw: v.ppm: picture 1: has gone by; \
records of a stream have its order" ]
	[ "${stderr_lines[1]}" = "yolo-draw: v.ppm: picture 2: the stream has \
only 1" ]
	[ "$(wc -c <out.ppm)" -eq 59 ]
	run --separate-stderr -1 yolo-draw --stream=ppm < <(record v.ppm 4 4)
	[[ $stderr == "yolo-draw: v.ppm: record 1 is of no stream"* ]]
	run --separate-stderr -1 yolo-draw --stream=ppm < <(frames no.ppm 1)
	[ "$stderr" = "yolo-draw: no.ppm: picture 1: No such file or directory" ]
	run --separate-stderr -2 yolo-draw --stream=ppm v.ppm v.ppm </dev/null
	run --separate-stderr -2 yolo-draw --stream=avi v.ppm </dev/null
}

# ---- Many -----------------------------------------------------------------

@test "a folder takes pictures under their names" {
	mkdir in
	plain 4 4 1 >in/a.x.ppm
	plain 4 3 2 >in/b
	plain 4 4 3 >in/.c
	for f in a.x.ppm b .c; do
		record in/$f 4 "$([ $f = b ] && echo 3 || echo 4)"
	done >p.json
	yolo-draw --output-dir=out <p.json
	[ "$(find out -type f | sort | tr '\n' ' ')" = \
	    "out/.c.png out/a.x.png out/b.png " ]
	[ "$(python 'print(rgb("out/b.png").size, rgb("out/.c.png").getpixel((0, 0)))')" \
	    = "(4, 3) (3, 3, 3)" ]
	yolo-draw --output-dir=out -F jpeg <p.json
	[ "$(find out -name '*.jpg' | wc -l)" -eq 3 ]
	# Again: files of an earlier run are replaced.
	yolo-draw --output-dir=out --fill=100 in/b in/b 2>err <<-END || :
	$(record x 4 3 a 0 1 0,0,4,3)
	END
	[ "$(python 'print(rgb("out/b.png").getpixel((1, 1)))')" != "(2, 2, 2)" ]
}

@test "an array of records is as good as lines" {
	plain 4 4 1 >p.ppm
	plain 4 3 2 >q.ppm
	{ printf '['; record p.ppm 4 4; printf ','; record q.ppm 4 3
	    printf ']'; } >p.json
	yolo-draw --output-dir=out <p.json
	[ "$(ls out)" = "p.png
q.png" ]
}

@test "bad pictures are named and do not stop the others" {
	plain 4 4 1 >p.ppm
	plain 4 4 2 >q.ppm
	echo no picture >bad.jpg
	{
		record bad.jpg 4 4
		record none.jpg 4 4
		printf '{"schema":"yolo-detect/1","file":"cut.jpg",%s}\n' \
		    '"width":null,"height":null,"error":{"message":"it is cut"}'
		record p.ppm 4 4
		record q.ppm 5 4
	} >p.json
	run --separate-stderr -1 yolo-draw --output-dir=out <p.json
	[ "${#stderr_lines[@]}" -eq 4 ]
	[[ ${stderr_lines[0]} == "yolo-draw: bad.jpg: "* ]]
	[ "${stderr_lines[1]}" = "yolo-draw: none.jpg: No such file or directory" ]
	[ "${stderr_lines[2]}" = "yolo-draw: stdin: record 3: cut.jpg: nothing \
to draw: it is cut" ]
	[[ ${stderr_lines[3]} == "yolo-draw: q.ppm: 4x4 pixels, but record 5"* ]]
	[ "$(ls out)" = p.png ]
	printf '{"schema":"yolo-detect/1","file":null,%s}\n' \
	    '"width":null,"height":null,"error":{"message":"it is cut"}' >p.json
	run --separate-stderr -1 yolo-draw --output-dir=out <p.json
	[ "$stderr" = "yolo-draw: stdin: record 1: nothing to draw: it is cut" ]
}

@test "two pictures never make one file, and none replaces its neighbour" {
	mkdir in in/sub
	plain 4 4 1 >in/a.ppm
	plain 4 4 2 >in/sub/a.ppm
	echo mine >in/a.png
	{ record in/a.ppm 4 4; record in/sub/a.ppm 4 4; } >p.json
	run --separate-stderr -1 yolo-draw --output-dir=out <p.json
	[ "$stderr" = "yolo-draw: in/sub/a.ppm: out/a.png was made of another \
picture of the same name" ]
	[ "$(python 'print(rgb("out/a.png").getpixel((0, 0)))')" = "(1, 1, 1)" ]
	run --separate-stderr -1 yolo-draw --output-dir=in/sub/.. in/a.ppm \
	    < <(record x 4 4)
	[ "$stderr" = "yolo-draw: in/a.ppm: in/sub/../a.png is there already, \
beside the picture itself; another folder is safe" ]
	[ "$(cat in/a.png)" = mine ]
	# But beside it there may be one of another name.
	(cd in/sub && yolo-draw --output-dir=. a.ppm < <(record x 4 4))
	[ -e in/sub/a.png ]
	# Not even itself.
	(cd in && run -1 yolo-draw -F ppm --output-dir=. a.ppm < <(record x 4 4))
	plain 4 4 1 | cmp - in/a.ppm
}

@test "no name leads out of the folder" {
	mkdir in out
	plain 4 4 1 >in/a.ppm
	cd in
	record ../in/a.ppm 4 4 | yolo-draw --output-dir=../out
	[ -e ../out/a.png ]
	for name in .. . ../ in/ ''; do
		run --separate-stderr -1 yolo-draw --output-dir=../out \
		    < <(record "$name" 4 4)
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
	cd ..
	[ "$(find in out -type f | sort | tr '\n' ' ')" = "in/a.ppm out/a.png " ]
	name=$(printf 'n%.0s' $(seq 253))
	cp in/a.ppm "$name"
	run --separate-stderr -1 yolo-draw --output-dir=out < <(record "$name" 4 4)
	[[ $stderr == *": its name is too long for a file in out" ]]
	run --separate-stderr -1 yolo-draw --output-dir=in/a.ppm \
	    < <(record in/a.ppm 4 4)
	[ "$stderr" = "yolo-draw: in/a.ppm: Not a directory" ]
	ln -s nowhere link
	for dir in link none/out; do
		run --separate-stderr -1 yolo-draw --output-dir=$dir \
		    < <(record in/a.ppm 4 4)
		[ "$stderr" = "yolo-draw: $dir: No such file or directory" ]
	done
	run --separate-stderr -2 yolo-draw --output-dir=out -o x.png in/a.ppm
}

@test "records and pictures must be as many" {
	plain 4 4 1 >p.ppm
	plain 4 4 2 >q.ppm
	record x 4 4 >one.json
	cat one.json one.json one.json >three.json
	run --separate-stderr -1 yolo-draw --output-dir=out p.ppm q.ppm <one.json
	[ "$stderr" = "yolo-draw: q.ppm: stdin has no record for it" ]
	run --separate-stderr -1 yolo-draw --output-dir=out p.ppm q.ppm <three.json
	[ "$stderr" = "yolo-draw: stdin: record 3: there is no picture for it, \
only 2" ]
	run --separate-stderr -1 yolo-draw -o out.png </dev/null
	[[ $stderr == "yolo-draw: stdin: no detections; "* ]]
	[ ! -e out.png ]
	no_parts
}

# ---- Trouble --------------------------------------------------------------

@test "damaged JSON is refused with its place; what was before is drawn" {
	plain 4 4 1 >p.ppm
	{
		record p.ppm 4 4
		record p.ppm 4 4 a 0 1 0,0,4,4 b 1 0.5 1,2,x,4
	} >p.json
	run --separate-stderr -1 yolo-draw --detections=p.json -o out.ppm -F ppm
	[ ! -e out.ppm ]
	[[ $stderr == "yolo-draw: p.json: record 2: byte "* ]]
	sed -i 's/,x,/,[0],/' p.json
	st=0
	yolo-draw --detections=p.json -F ppm >out.ppm 2>err || st=$?
	[ "$st $(cat err)" = \
	    "1 yolo-draw: p.json: record 2: detections[1].box[2]: not a number" ]
	plain 4 4 1 | cmp - out.ppm
	record p.ppm 4 4 >p.json
	yolo-draw --detections=- -F ppm -o - <p.json | cmp - out.ppm
	run --separate-stderr -2 yolo-draw --detections=- - <p.json
	run --separate-stderr -1 yolo-draw p.ppm <p.ppm
	[[ $stderr == "yolo-draw: stdin: 'P' at byte 0, where a record of \
detections should begin"* ]]
	run --separate-stderr -1 yolo-draw --detections=none.json
	[ "$stderr" = "yolo-draw: none.json: No such file or directory" ]
}

@test "a picture is drawn as soon as its record is there" {
	plain 4 4 1 >p.ppm
	mkfifo json
	yolo-draw -F ppm --detections=json | cat >out.ppm &
	exec 5>json
	record p.ppm 4 4 >&5
	for _ in $(seq 300); do
		[ ! -s out.ppm ] || break
		sleep 0.1
	done
	[ "$(wc -c <out.ppm)" -eq 59 ]
	exec 5>&-
	wait $!
}

@test "a terminal gets no picture, and is not waited for" {
	plain 4 4 1 >p.ppm
	record p.ppm 4 4 >p.json
	run -2 script -qec "yolo-draw <p.json" /dev/null </dev/null
	[[ $output == *"stdout is a terminal"* ]]
	run -2 timeout 20 script -qec "yolo-draw >out" /dev/null
	[[ $output == *"detections are read from stdin, which is a terminal; \
pipe yolo-detect into it, or say --detections=FILE"* ]]
}

@test "a write error: one line, status 1, no half file" {
	plain 400 400 1 >p.ppm
	record p.ppm 400 400 a 0 1 0,0,99,99 >p.json
	for f in png jpeg ppm; do
		run --separate-stderr -1 bash -c \
		    "yolo-draw -F $f <p.json >/dev/full"
		[ "$stderr" = \
		    "yolo-draw: write error: No space left on device" ]
		run --separate-stderr -1 bash -c "yolo-draw -F $f <p.json >&-"
		[ "$stderr" = "yolo-draw: write error: Bad file descriptor" ]
	done
	for where in '-o out.ppm' '--output-dir=. -F ppm'; do
		mkdir -p sub
		run --separate-stderr -1 bash -c "cd sub; ulimit -f 9
		    yolo-draw $where ../p.ppm <../p.json"
		[[ $stderr == "yolo-draw: "*": write error: File too large" ]]
		[ -z "$(find sub -type f)" ]
	done
}

# In JSON the name is that of another picture, which may be there.
@test "a name that JSON cannot hold is taken for no other" {
	plain 8 6 >$'\xe9.ppm'
	plain 8 6 >é.ppm
	plain 8 6 >p.ppm
	record '\u00e9.ppm' 8 6 a 0 1 0,0,9,9 |
	    sed 's/}$/,"invalid_utf8":true}/' >bad.json
	run --separate-stderr -1 yolo-draw -F ppm <bad.json
	[ "$output" = "" ]
	[ "$stderr" = "yolo-draw: stdin: record 1: the name of its picture is \
not UTF-8, which JSON cannot hold; give the picture as an operand" ]
	# The others are drawn.
	record p.ppm 8 6 a 0 1 0,0,9,9 >good.json
	cat bad.json good.json >both.json
	run --separate-stderr -1 yolo-draw --output-dir=out <both.json
	[ "$(ls out)" = p.png ]
	run --separate-stderr -0 yolo-draw -o out.png $'\xe9.ppm' <bad.json
	[ "$stderr" = "" ]
	# One that failed has its own reason.
	echo '{"schema":"yolo-detect/1","file":"\u00e9.ppm","error":
	    {"message":"damaged"},"invalid_utf8":true}' >failed.json
	run --separate-stderr -1 yolo-draw <failed.json
	[[ $stderr == *": nothing to draw: damaged" ]]
}

# bats test_tags=native
@test "and yolo-detect says so of its pictures" {
	plain 8 6 >$'\xe9.ppm'
	plain 8 6 >é.ppm
	yolo-detect -q $'\xe9.ppm' >found.json
	run --separate-stderr -1 yolo-draw -o out.png <found.json
	[[ $stderr == *"is not UTF-8"* ]]
	[ ! -e out.png ]
}

@test "a reader that goes ends it silently" {
	plain 4000 4000 1 >p.ppm
	record p.ppm 4000 4000 >p.json
	run --separate-stderr -141 bash -c 'set -o pipefail
	    yolo-draw -F ppm <p.json | head -c 5 >/dev/null'
	[ "$stderr" = "" ]
}
