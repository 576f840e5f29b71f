# SPDX-License-Identifier: Apache-2.0
# How programs that read pictures take their inputs, tested on img-tensor:
# lists, directories, streams, bad pictures.  Most pictures have one pixel,
# whose value identifies the picture.
# bats file_tags=arm64,slow

load ../support/helper

# dot N: prints a picture of one pixel with value N.
dot() {
	echo "P2 1 1 255 $1"
}

# dots ARG...: prints one pixel of each output picture; "114" stands for a bad
# picture, which is replaced by the padding colour.
dots() {
	local st=0
	img-tensor -r -t u8 -s 255 --size=1 --fit=stretch "$@" >dots.out ||
		st=$?
	bytes dots.out | tr ' ' '\n' | awk 'NR % 3 == 1' | tr '\n' ' ' |
	    sed 's/ $//'
	return $st
}

@test "operands are read in order; '-' and no operands mean stdin" {
	dot 1 >a; dot 2 >b; dot 3 >c
	run -0 dots b a - <c
	[ "$output" = "2 1 3" ]
	run -0 dots <c
	[ "$output" = "3" ]
	run -0 dots -- a
	[ "$output" = "1" ]
	run --separate-stderr -2 dots - - </dev/null
	[[ $stderr == "img-tensor: stdin can be read only once; "* ]]
}

@test "an empty stdin is a bad picture" {
	run --separate-stderr -1 dots </dev/null
	[ "$output" = "114" ]
	[ "$stderr" = "img-tensor: stdin: empty" ]
}

# ---- Bad pictures ---------------------------------------------------------

@test "a bad picture becomes a gray tensor in its place, and the status is 1" {
	dot 1 >a; dot 2 >b
	echo text >bad
	run --separate-stderr -1 dots a bad no b
	[ "$output" = "1 114 114 2" ]
	[ "${stderr_lines[0]}" = "img-tensor: bad: not a JPEG, PNG or PPM \
picture" ]
	[ "${stderr_lines[1]}" = "img-tensor: no: No such file or directory" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	# -q silences notes, not failures.
	run --separate-stderr -1 dots -q --pad=7 a bad b
	[ "$output" = "1 7 2" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "--on-error=skip omits a bad picture, --on-error=fail stops there" {
	dot 1 >a; dot 2 >b
	run --separate-stderr -1 dots --on-error=skip a no b
	[ "$output" = "1 2" ]
	run --separate-stderr -1 dots --on-error=fail a no b
	[ "$output" = "1" ]
	[ "$stderr" = "img-tensor: no: No such file or directory" ]
}

@test "a picture cut in the middle gives a gray tensor, not some of its rows" {
	# 2 of 3 rows are present.
	echo 'P2 1 3 255 9 9' >short
	dot 1 >a
	run --separate-stderr -1 dots a short a
	[ "$output" = "1 114 1" ]
	[[ $stderr == "img-tensor: short: PPM: row "*" cut off: "* ]]
}

@test "every damaged picture is refused, and its neighbours are read" {
	dot 1 >a
	mkdir all
	mkpic all
	mkpic --list | grep -v 'sound$' | cut -f 1 | grep -v '^big' >names
	n=0
	while read -r name; do
		run --separate-stderr -1 dots a "all/$name" a </dev/null
		[ "$output" = "1 114 1" ]
		[[ $stderr == "img-tensor: all/$name: "* ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
		n=$((n + 1))
	done <names
	[ "$n" -ge 40 ]
}

# Some scanners write such data; Pillow and browsers show the picture.
@test "data after the last row of a JPEG gives a note, not a failure" {
	mkpic left-over.jpg >scan.jpg
	mkpic 420.jpg >whole.jpg
	for how in "" --fast --jobs=2; do
		want=$(dots $how whole.jpg)
		run --separate-stderr -0 dots $how scan.jpg
		[ "$output" = "$want" ]
		[ "$stderr" = "img-tensor: scan.jpg: JPEG: data is left over \
after the last row; all rows are there" ]
	done
	run --separate-stderr -0 dots --quiet scan.jpg
	[ "$stderr" = "" ]
	# yolo-draw prints the same note for a picture that it draws on.
	printf '{"schema":"yolo-detect/1","file":"scan.jpg",%s}\n' \
	    '"width":33,"height":17,"detections":[]' >none
	run --separate-stderr -0 yolo-draw -o drawn.png <none
	[ "$stderr" = "yolo-draw: scan.jpg: JPEG: data is left over \
after the last row; all rows are there" ]
}

@test "--max-pixels is checked before memory is allocated" {
	echo 'P5 100000 100000 255' >large
	run --separate-stderr -1 dots large
	[[ $stderr == *": PPM: 100000 x 100000 pixels are more than the limit \
of 178956970; --max-pixels=10000000000 reads it" ]]
	echo 'P2 2 2 255 9 9 9 9' >four
	run --separate-stderr -1 dots --max-pixels=3 four
	[[ $stderr == *": 2 x 2 pixels are more than the limit of 3; --max-pixels=4 reads it" ]]
	run -0 dots --max-pixels=4 four
	[ "$output" = 9 ]
}

# bats test_tags=slow
@test "a picture of 108 megapixels, such as phones take, is read" {
	need_data reports/mp108.png
	run -0 dots "$DATA"
	[ -n "$output" ]
}

# ---- Lists and directories ------------------------------------------------

@test "--files-from and -0 read lists of names" {
	dot 1 >a; dot 2 >"b c"; dot 3 >"$(printf 'd\ne')"
	got=$(printf 'a\n\nb c\n' | dots --files-from=-)
	[ "$got" = "1 2" ]
	got=$(printf 'a\0d\ne\0b c' | dots -0)
	[ "$got" = "1 3 2" ]
	printf 'a\0b c\0' >list
	run -0 dots -0 --files-from=list a
	[ "$output" = "1 1 2" ]
	run --separate-stderr -1 dots --files-from=no
	[ "$stderr" = "img-tensor: no: No such file or directory" ]
	# CR and LF end a line, unless a file exists whose name ends with CR.
	printf '\357\273\277a\r\n\r\nb c\r\n' >crlf
	run -0 dots --files-from=crlf
	[ "$output" = "1 2" ]
	printf 'none\r\n' >absent
	run --separate-stderr -1 dots --files-from=absent
	[ "$stderr" = "img-tensor: none: No such file or directory" ]
	run --separate-stderr -1 dots $'a\r'
	[ "$stderr" = "img-tensor: a?: No such file or directory" ]
	run --separate-stderr -1 dots -0 < <(printf 'a\r\0')
	dot 7 >$'a\r'
	dot 8 >$'b c\r'
	run -0 dots --files-from=crlf
	[ "$output" = "7 8" ]
	# find -print0 without our -0: the list is refused, not just its first
	# name read.
	run --separate-stderr -1 dots --files-from=- < <(printf 'a\nb c\0a\n')
	[ "$output" = 1 ]
	[ "$stderr" = "img-tensor: stdin: line 2: a NUL in a name; --null \
reads names that end with one" ]
	run --separate-stderr -1 dots ''
	[ "$stderr" = "img-tensor: '': No such file or directory" ]
}

@test "-R reads the pictures below a directory, in the order of their names" {
	mkdir -p d/z d/.hidden d/empty
	dot 4 >d/b; dot 5 >d/a; dot 6 >d/z/y; dot 7 >d/.dot; dot 8 >d/.hidden/x
	dot 9 >elsewhere
	echo text >d/notes.txt
	: >d/nothing
	ln -s ../elsewhere d/link
	ln -s . d/loop
	ln -s nowhere d/dangling
	mkfifo d/pipe
	run -0 dots -R d
	[ "$output" = "5 4 9 6" ]
	run -0 dots -R elsewhere d/z
	[ "$output" = "9 6" ]
	got=$(echo d | dots -R --files-from=-)
	[ "$got" = "5 4 9 6" ]
	run --separate-stderr -1 dots d
	[ "$stderr" = "img-tensor: d: is a directory; -R takes the \
pictures in it" ]
}

# ---- Streams --------------------------------------------------------------

# bare W H VALUE: prints a raw gray picture.
bare() {
	printf 'P5 %d %d 255\n' "$1" "$2"
	head -c $(($1 * $2)) /dev/zero | tr '\0' "\\$(printf '%o' "$3")"
}

# Under qemu, qemu itself runs out of descriptors.
# bats test_tags=native
@test "-R reports Too many open files if a directory cannot be opened" {
	mkdir d
	dot 4 >d/a
	# The limit of 4 leaves 0 to 2 and the output, and none for a directory.
	run --separate-stderr -1 bash -c 'exec 3>&- 4>&- 5>&- 6>&-
	    ulimit -n 4
	    img-tensor -q --for=clip -r --size=1 -R -o out d'
	[[ $stderr == *"img-tensor: d: Too many open files"* ]]
}

@test "-R reports a name that is too long, and reads the other directory" {
	mkdir -p d/z deep
	dot 4 >d/a; dot 5 >d/z/b
	ln -s ../pipe d/link
	mkfifo pipe
	# Deeper than the longest path allows.
	long=$(printf '%0250d' 0)
	/usr/bin/python3 -c '
import os, sys
os.chdir("deep")
for i in range(17):
    os.mkdir(sys.argv[1])
    os.chdir(sys.argv[1])
open("x", "w").close()' "$long"
	run --separate-stderr -1 dots --on-error=skip -R deep d
	[ "$output" = "4 5" ]
	[[ $stderr == "img-tensor: deep/"*": File name too long" ]]
}

@test "--stream reports a read error after whole pictures; a huge limit works" {
	{ bare 1 1 1; bare 1 1 2; printf 'P5 1 1 '; } >film
	run --separate-stderr -1 torn film img-tensor -q -r -t u8 -s 255 \
	    --size=1 --fit=stretch --on-error=skip --stream=ppm -
	[[ $stderr == *": picture 3: Input/output error" ]]
	{ bare 1 1 1; bare 1 1 2; } >film
	run -0 dots --max-pixels=1000000000000 --stream=ppm film
	[ "$output" = "1 2" ]
}
@test "--stream=ppm reads raw pictures that follow each other" {
	{ bare 3 2 7; bare 1 1 8; printf 'P6 1 1 255\n\011\011\011'; } >s
	run -0 dots --stream=ppm s
	[ "$output" = "7 8 9" ]
	run -0 dots --stream=ppm <s
	[ "$output" = "7 8 9" ]
	run -0 dots --stream=ppm </dev/null
	[ "$output" = "" ]
}

@test "--stream=ppm finds the next picture after damaged data" {
	{ bare 3 2 7; echo rubbish; bare 1 1 8; bare 2 2 9; } >s
	truncate -s -1 s
	run --separate-stderr -1 dots --stream=ppm s
	[ "$output" = "7 114 8 114" ]
	[ "${stderr_lines[0]}" = "img-tensor: s: picture 2: no PPM in 8 \
bytes" ]
	[[ ${stderr_lines[1]} == "img-tensor: s: picture 4: PPM: "*"cut off"* ]]
	# A size above the limit is refused without waiting for that many bytes.
	{ printf 'P5 99999 99999 255\n'; bare 1 1 8; } >s
	run --separate-stderr -1 dots --stream=ppm s
	[ "$output" = "114 8" ]
}

@test "--stream=ppm reads plain pictures, alone and among raw ones" {
	dot 1 >s
	run -0 dots --stream=ppm s
	[ "$output" = 1 ]
	{ bare 3 2 7; dot 5; bare 1 1 8; } >s
	run --separate-stderr -0 dots --stream=ppm s
	[ "$output" = "7 5 8" ]
	[ "$stderr" = "" ]
	# The last value of a plain picture is followed by no newline, or by
	# two; bits are without spaces between them.
	{ printf 'P3 1 1 255 4 4 4'; dot 5; echo; bare 1 1 8; echo
	    printf 'P1 2 2\n11\n1 1'; printf 'P2 1 1 255 6 '; } >s
	run --separate-stderr -0 dots --stream=ppm s
	[ "$output" = "4 5 8 0 6" ]
	[ "$stderr" = "" ]
	# A plain picture of 18 bytes per pixel is within the limits.
	{ echo 'P3 40 40 65535'; seq 4800 | sed 's/.*/65535/'; dot 5; } >s
	run -0 dots --max-pixels=1600 --stream=ppm s
	[ "$output" = "255 5" ]
}

@test "--stream=ppm: a broken plain picture counts once, and the next is read" {
	{ echo 'P3 1 2 255 1 1 1 2 2'; bare 1 1 8
	    echo 'P2 1 2 255 1 x'; bare 1 1 9; echo 'P2 1 1 255'; } >s
	run --separate-stderr -1 dots --stream=ppm s
	[ "$output" = "114 8 114 9 114" ]
	[ "${#stderr_lines[@]}" -eq 3 ]
	[[ ${stderr_lines[0]} == "img-tensor: s: picture 1: PPM: row 2 of 2: \
cut off"* ]]
	[[ ${stderr_lines[1]} == "img-tensor: s: picture 3: PPM: row 2 of 2: \
byte 0x78 where a number is expected" ]]
	[[ ${stderr_lines[2]} == "img-tensor: s: picture 5: PPM: "*"cut off"* ]]
}

@test "--stream=ppm always reports cut pictures and foreign data" {
	# The second picture lacks a byte, and takes the first letter of the
	# third.
	bare 1 2 6 >half
	truncate -s -1 half
	{ bare 1 1 7; cat half; bare 1 1 8; bare 1 1 9; } >s
	run --separate-stderr -1 dots -q --stream=ppm s
	[[ $output == "7 "*" 114 9" ]]
	[ "$stderr" = "img-tensor: s: picture 3: no PPM in 11 bytes" ]
	mkpic 1x1.png >png
	{ bare 1 1 7; cat png; bare 1 1 8; } >s
	run --separate-stderr -1 dots -q --stream=ppm s
	[ "$output" = "7 114 8" ]
	[ "$stderr" = "img-tensor: s: picture 2: no PPM in $(wc -c <png) bytes" ]
	{ bare 1 1 7; echo end; } >s
	run --separate-stderr -1 dots -q --stream=ppm s
	[ "$output" = "7 114" ]
}

@test "a stream that contains no picture counts as one bad picture" {
	echo '<title>404</title>' >page
	bare 1 1 8 >s
	run --separate-stderr -1 dots -q --stream=mjpeg page
	[ "$output" = 114 ]
	[ "$stderr" = "img-tensor: page: no JPEG in its 19 bytes" ]
	run --separate-stderr -1 dots --stream=ppm - s <page
	[ "$output" = "114 8" ]
	[ "$stderr" = "img-tensor: stdin: picture 1: no PPM in 19 bytes" ]
	run --separate-stderr -1 dots --stream=ppm <<<' '
	[ "$output" = 114 ]
	[ "$stderr" = "img-tensor: stdin: no PPM in its 2 bytes" ]
}

# jpeg: prints a gray JPEG whose pixels are 128.
jpeg() {
	mkpic gray.jpg
}

@test "--stream=mjpeg reads JPEGs with or without HTTP headers between them" {
	mkpic exif-6.jpg >a; mkpic restart.jpg >b; mkpic progressive.jpg >c
	dots a b c >apart
	got=$(cat a b c | dots --stream=mjpeg)
	[ "$got" = "$(cat apart)" ]
	{
		for f in a b c; do
			printf -- '--frame\r\nContent-Type: image/jpeg\r\n\r\n'
			cat $f
			printf '\r\n'
		done
	} >http
	run -0 dots --stream=mjpeg http
	[ "$output" = "$(cat apart)" ]
}

@test "--stream=mjpeg: a broken picture counts once, and the next is read" {
	mkpic restart.jpg >b
	good=$(dots b)
	{ head -c 400 b; cat b; tail -c 300 b; cat b; head -c 500 b; } >s
	run --separate-stderr -1 dots --stream=mjpeg s
	[ "$output" = "114 $good $good 114" ]
	[[ ${stderr_lines[0]} == "img-tensor: s: picture 1: JPEG: "* ]]
	[[ ${stderr_lines[1]} == "img-tensor: s: picture 4: JPEG: "* ]]
}

@test "--stream=mjpeg: a wrong segment length does not hide the next pictures" {
	mkpic restart.jpg >b
	good=$(dots b)
	# The length of DRI then leads to 0xff 0x00, which does not begin a
	# segment.
	at=$(LC_ALL=C grep -obUaP '\xff\xdd\x00\x04' b | cut -d : -f 1)
	to=$(LC_ALL=C grep -obUaP '\xff\x00' b | tail -n 1 | cut -d : -f 1)
	n=$(($(wc -c <b) + to - at - 2))
	{
		head -c $((at + 2)) b
		# shellcheck disable=SC2059 # a byte each
		printf "\\x$(printf %x $((n >> 8)))\\x$(printf %x $((n & 255)))"
		tail -c +$((at + 5)) b
	} >wrong
	run --separate-stderr -1 dots --stream=mjpeg <(cat wrong b b)
	[ "$output" = "114 $good $good" ]
}

@test "each tensor of a stream is written as it arrives" {
	mkfifo in out
	timeout 60 img-tensor -r -t u8 -s 255 --size=1 --fit=stretch \
	    --stream=ppm <in >out &
	# bats uses descriptors 3 and 4 itself.
	exec 8>in 9<out
	for n in 5 6; do
		bare 1 1 $n >&8
		[ "$(head -c 3 <&9 | od -An -t u1 | tr -s ' ')" = " $n $n $n" ]
	done
	exec 8>&- 9<&-
	wait $!
}

@test "a bad line of a list does not lose the pictures of the lines before" {
	for i in 1 2 3 4 5 6; do dot $i >$i; done
	bad_lists 1 2 3 4 5 6
	for list in long nul; do
		for j in 1 4; do
			run --separate-stderr -1 dots -j $j --files-from=$list
			[ "$output" = "1 2 3 4 5 6" ]
			[[ $stderr == "img-tensor: $list: line 7: "* ]]
			status=0
			img-tensor -r -t u8 -s 255 --size=1 --fit=stretch -j $j \
			    --files-from=$list >got 2>said || status=$?
			[ $status -eq 1 ]
			cmp got dots.out
		done
	done
}

# ---- Threads --------------------------------------------------------------

@test "-j: any number of threads gives the same bytes and messages" {
	for i in $(seq 1 60); do dot $((i * 4)) >"p$i"; done
	echo text >p17
	for i in $(seq 1 60); do echo "p$i"; done >names
	run --separate-stderr -1 dots --files-from=names
	one=$output words=$stderr
	for j in 2 5; do
		run --separate-stderr -1 dots -j $j --files-from=names
		[ "$output" = "$one" ]
		[ "$stderr" = "$words" ]
	done
	for i in $(seq 1 60); do bare 9 9 $i; done >s
	run -0 dots -j 3 --stream=ppm s
	[ "$output" = "$(seq -s ' ' 60)" ]
}
