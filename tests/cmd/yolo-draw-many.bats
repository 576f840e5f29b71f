#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# yolo-draw with many pictures, and with pictures that cannot be drawn.
# bats file_tags=slow

load ../support/helper
load ../support/drawn

# ---- Many pictures --------------------------------------------------------

@test "--output-dir writes each picture under its name" {
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
	# A second run replaces the files of an earlier run.
	run -1 yolo-draw --output-dir=out --fill=100 in/b in/b <<-END
	$(record x 4 3 a 0 1 0,0,4,3)
	END
	[ "$(python 'print(rgb("out/b.png").getpixel((1, 1)))')" != "(2, 2, 2)" ]
}

@test "an array of records is read like lines of records" {
	plain 4 4 1 >p.ppm
	plain 4 3 2 >q.ppm
	{ printf '['; record p.ppm 4 4; printf ','; record q.ppm 4 3
	    printf ']'; } >p.json
	yolo-draw --output-dir=out <p.json
	[ "$(ls out)" = "p.png
q.png" ]
}

@test "bad pictures are reported by name, and the others are drawn" {
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

@test "pictures with one output name, and files beside a picture, are refused" {
	mkdir in in/sub
	plain 4 4 1 >in/a.ppm
	plain 4 4 2 >in/sub/a.ppm
	echo mine >in/a.png
	{ record in/a.ppm 4 4; record in/sub/a.ppm 4 4; } >p.json
	run --separate-stderr -1 yolo-draw --output-dir=out <p.json
	[ "$stderr" = "yolo-draw: in/sub/a.ppm: in/a.ppm already has that name in out; \
--mirror keeps the folders of names" ]
	run -0 yolo-draw --mirror --output-dir=both <p.json
	[ "$(python 'print(rgb("both/in/a.png").getpixel((0, 0)),
	    rgb("both/in/sub/a.png").getpixel((0, 0)))')" = \
	    "(1, 1, 1) (2, 2, 2)" ]
	# With --mirror, the output would be beside the picture.
	run --separate-stderr -1 yolo-draw --mirror --output-dir=. in/a.ppm \
	    < <(record x 4 4)
	[[ $stderr == *": ./in/a.png is there already, beside the picture "* ]]
	[ "$(python 'print(rgb("out/a.png").getpixel((0, 0)))')" = "(1, 1, 1)" ]
	run --separate-stderr -1 yolo-draw --output-dir=in/sub/.. in/a.ppm \
	    < <(record x 4 4)
	[ "$stderr" = "yolo-draw: in/a.ppm: in/sub/../a.png is there already, \
beside the picture itself; another folder is safe" ]
	[ "$(cat in/a.png)" = mine ]
	# A new file beside the picture is allowed.
	(cd in/sub && yolo-draw --output-dir=. a.ppm < <(record x 4 4))
	[ -e in/sub/a.png ]
	# A picture is not replaced by its own drawing.
	(cd in && run -1 yolo-draw -F ppm --output-dir=. a.ppm < <(record x 4 4))
	plain 4 4 1 | cmp - in/a.ppm
}

@test "a file name in a record cannot lead out of the output folder" {
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
	ln -s none/nowhere link
	for dir in link none/out; do
		run --separate-stderr -1 yolo-draw --output-dir=$dir \
		    < <(record in/a.ppm 4 4)
		[ "$stderr" = "yolo-draw: $dir: No such file or directory" ]
	done
	run --separate-stderr -2 yolo-draw --output-dir=out -o x.png in/a.ppm
}

@test "more or fewer records than pictures are an error" {
	plain 4 4 1 >p.ppm
	plain 4 4 2 >q.ppm
	record x 4 4 >one.json
	cat one.json one.json one.json >three.json
	run --separate-stderr -1 yolo-draw --output-dir=out p.ppm q.ppm <one.json
	[ "$stderr" = "yolo-draw: q.ppm: stdin has no record for it" ]
	run --separate-stderr -1 yolo-draw --output-dir=out p.ppm q.ppm <three.json
	[ "$stderr" = "yolo-draw: stdin: record 3 has no picture: pictures given: 2" ]
	run --separate-stderr -1 yolo-draw -o out.png </dev/null
	[[ $stderr == "yolo-draw: stdin: no detections; "* ]]
	[ ! -e out.png ]
	no_parts
}

@test "an empty array of records writes no picture" {
	echo '[]' | yolo-draw --output-dir=empty
	[ "$(ls empty)" = "" ]
	run --separate-stderr -1 yolo-draw -o out.png < <(echo '[]')
	[[ $stderr == "yolo-draw: stdin: no detections; "* ]]
	run --separate-stderr -1 yolo-draw --output-dir=empty </dev/null
	[[ $stderr == "yolo-draw: stdin: no detections; "* ]]
	plain 4 4 1 >p.ppm
	run --separate-stderr -1 yolo-draw --output-dir=empty p.ppm \
	    < <(echo '[]')
	[ "$stderr" = "yolo-draw: p.ppm: stdin has no record for it" ]
}

# ---- Errors ---------------------------------------------------------------

@test "damaged JSON is refused with its position; earlier records are drawn" {
	plain 4 4 1 >p.ppm
	{
		record p.ppm 4 4
		record p.ppm 4 4 a 0 1 0,0,4,4 b 1 0.5 1,2,x,4
	} >p.json
	run --separate-stderr -1 yolo-draw --detections=p.json -o out.ppm -F ppm
	[ ! -e out.ppm ]
	[[ $stderr == "yolo-draw: p.json: record 2: byte "* ]]
	record 'p\u0000.ppm' 4 4 >nul.json
	run --separate-stderr -1 yolo-draw --detections=nul.json -F ppm
	[[ $stderr == "yolo-draw: nul.json: record 1: byte "*": a NUL \
(\\u0000) in a string" ]]
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

@test "a picture is drawn as soon as its record arrives" {
	plain 4 4 1 >p.ppm
	mkfifo json
	yolo-draw -F ppm --detections=json | cat >out.ppm &
	exec 5>json
	record p.ppm 4 4 >&5
	for _ in $(seq 600); do
		[ ! -s out.ppm ] || break
		sleep 0.1
	done
	[ "$(wc -c <out.ppm)" -eq 59 ]
	exec 5>&-
	wait $!
}

@test "a terminal as stdout gets no picture, as stdin it is refused" {
	plain 4 4 1 >p.ppm
	record p.ppm 4 4 >p.json
	run -2 script -qec "yolo-draw <p.json" /dev/null </dev/null
	[[ $output == *"stdout is a terminal"* ]]
	run -2 timeout 60 script -qec "yolo-draw >out" /dev/null
	[[ $output == *"detections are read from stdin, which is a terminal; \
pipe yolo-detect into it, or give --detections=FILE"* ]]
}

@test "a write error gives one line, status 1, and no partial file" {
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

# The JSON contains the name of another picture, which may exist.
@test "a name that is not UTF-8 does not select another picture" {
	plain 8 6 >$'\xe9.ppm'
	plain 8 6 >é.ppm
	plain 8 6 >p.ppm
	record '\u00e9.ppm' 8 6 a 0 1 0,0,9,9 |
	    sed 's/}$/,"invalid_utf8":true}/' >bad.json
	run --separate-stderr -1 yolo-draw -F ppm <bad.json
	[ "$output" = "" ]
	[ "$stderr" = "yolo-draw: stdin: record 1: the name of its picture is \
not UTF-8, which JSON cannot hold; give the picture as an operand" ]
	# The other pictures are drawn.
	record p.ppm 8 6 a 0 1 0,0,9,9 >good.json
	cat bad.json good.json >both.json
	run --separate-stderr -1 yolo-draw --output-dir=out <both.json
	[ "$(ls out)" = p.png ]
	run --separate-stderr -0 yolo-draw -o out.png $'\xe9.ppm' <bad.json
	[ "$stderr" = "" ]
	# A record of a failure shows its own message.
	echo '{"schema":"yolo-detect/1","file":"\u00e9.ppm","error":
	    {"message":"damaged"},"invalid_utf8":true}' >failed.json
	run --separate-stderr -1 yolo-draw <failed.json
	[[ $stderr == *": nothing to draw: damaged" ]]
}

# bats test_tags=native
@test "yolo-detect marks a name that is not UTF-8 in its records" {
	plain 8 6 >$'\xe9.ppm'
	plain 8 6 >é.ppm
	yolo-detect -q $'\xe9.ppm' >found.json
	run --separate-stderr -1 yolo-draw -o out.png <found.json
	[[ $stderr == *"is not UTF-8"* ]]
	[ ! -e out.png ]
}

@test "yolo-draw ends without a message when its reader closes the pipe" {
	plain 4000 4000 1 >p.ppm
	record p.ppm 4000 4000 >p.json
	run --separate-stderr -141 bash -c 'set -o pipefail
	    yolo-draw -F ppm <p.json | head -c 5 >/dev/null'
	[ "$stderr" = "" ]
}
