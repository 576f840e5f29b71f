#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The output formats of yolo-decode: JSON lines, csv, tsv, COCO and YOLO.
# bats file_tags=arm64,slow

load ../support/helper
load ../support/boxes

@test "the JSON output has exactly the members of yolo-detect/1" {
	one 5 >t
	ppm 160 160 >p.ppm
	run -0 yolo-decode --size=160 --image=p.ppm t
	[ "$output" = '{"schema":"yolo-detect/1","file":"p.ppm","width":160,"height":160,"conf":0.25,"iou":0.7,"detections":[{"class":"bus","id":5,"confidence":0.875,"box":[10,20,30,60]}]}' ]
	# One document: an object for one picture, an array for several.
	yolo-decode --size=160 --image=p.ppm -F json t | jq -ce . >one
	[ "$(cat one)" = "$output" ]
	cat t t | yolo-decode --size=160 --image=p.ppm --image=p.ppm -F json |
	    jq -ce . >two
	[ "$(cat two)" = "[$output,$output]" ]
	run -0 yolo-decode --size=160 --image=p.ppm -c .9 --no-nms -F json t
	[ "$(jq -c '[.conf, .iou, .detections]' <<<"$output")" = \
	    '[0.9,null,[]]' ]
}

@test "coordinates are rounded to hundredths, halves away from zero" {
	one 5 >t
	run -0 yolo-decode --size=160 --image-size=70 -F tsv t
	[ "$output" = "-#1	bus	5	0.875	4.38	8.75	13.13	26.25" ]
}

@test "csv has a header, and quotes fields with commas, quotes and newlines" {
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

@test "tsv escapes file names with tabs, newlines and control characters" {
	one 0 >t
	name=$'a\tb\nc\\d\033\xc2\x9b.ppm'
	ppm 160 160 >"$name"
	run -0 yolo-decode --size=160 -F tsv --image="$name" t
	[ "$output" = 'a\tb\nc\\d\x1b\xc2\x9b.ppm	person	0	0.875	10	20	30	60' ]
	yolo-decode --size=160 --image="$name" t |
	    jq -e --arg n "$name" '.file == $n'
}

@test "-F coco writes what pycocotools reads" {
	one 11 >t		# stop sign: 13 in COCO
	ppm 160 160 >COCO_val2014_000000000139.ppm
	run -0 yolo-decode --size=160 -F coco \
	    --image=COCO_val2014_000000000139.ppm t
	[ "$(jq -c . <<<"$output")" = '[{"image_id":139,"category_id":13,"bbox":[10,20,20,40],"score":0.875}]' ]
	# A list of ids names pictures with or without their folders.
	mkdir d
	ppm 160 160 >'d/x y.ppm'
	printf '7 x y.ppm\n8\tother.ppm\n' >ids
	run -0 yolo-decode --size=160 -F coco --image-ids=ids \
	    --image='d/x y.ppm' t
	[ "$(jq -c '.[0].image_id' <<<"$output")" = 7 ]
	# Classes that are not from COCO are counted from 1.
	two >u
	run -0 decode --first=classes -F coco u
	[ "$(jq -c '[.[].category_id]' <<<"$output")" = '[1,1]' ]
	# If nothing is found, the output is an empty array.
	run -0 decode -c 1 -F coco t
	[ "$output" = "[]" ]
}

@test "-F coco refuses a picture without an id or with the id of another" {
	one 11 >t
	ppm 160 160 >x.ppm
	ppm 160 160 >2.ppm
	cat t t >tt
	run --separate-stderr -1 yolo-decode --size=160 -F coco --image=x.ppm \
	    --image=2.ppm tt
	[ "$stderr" = "yolo-decode: x.ppm: has no number in its name to be its id for coco; say it with --image-ids" ]
	[ "$(jq -c '[.[].image_id]' <<<"$output")" = '[2]' ]
	# Two pictures must not have the same id: a reader would take them for
	# one picture.
	mkdir d
	cp 2.ppm d/2.ppm
	run --separate-stderr -1 yolo-decode --size=160 -F coco --image=2.ppm \
	    --image=d/2.ppm tt
	[ "$stderr" = "yolo-decode: d/2.ppm: its id for coco is 2, which another picture has; --image-ids distinguishes them" ]
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

@test "-F coco writes an object with error after a failure, not an array" {
	one 11 >t
	ppm 160 160 >2.ppm
	printf 'zwei 2.ppm\n' >ids
	# coco MESSAGE ARGUMENT...: checks that the same document is printed,
	# and written to a file that contained an older document.
	coco() {
		echo '[]' >o
		run --separate-stderr -1 yolo-decode --size=160 -F coco -o o \
		    "${@:2}"
		[ "$output" = "" ]
		run --separate-stderr -1 yolo-decode --size=160 -F coco "${@:2}"
		[ "$(jq -c . <<<"$output")" = \
'{"error":{"message":"'"$1"'","status":1}}' ]
		cmp o - <<<"$output"
	}
	coco 'ids: line 1 is not a number and a file name' --image-ids=ids \
	    --image=2.ppm t
	coco 'missing: No such file or directory' --image-ids=missing \
	    --image=2.ppm t
	coco '3.ppm: No such file or directory' --image=3.ppm t
	coco '3.ppm: no tensor for this picture' -c 1 --image=2.ppm --image=3.ppm t
	head -c 9999 t >cut
	run --separate-stderr -1 yolo-decode --size=160 -F coco \
	    --image-size=160 cut
	[ "$(jq -c '[keys, .error.status]' <<<"$output")" = '[["error"],1]' ]
	# If another picture has results, the output is still a list.
	run --separate-stderr -1 yolo-decode --size=160 -F coco --image=2.ppm \
	    --image=3.ppm t
	[ "$(jq -c '[.[].image_id]' <<<"$output")" = '[2]' ]
	# An output must not replace an input, and wrong usage replaces no file.
	run --separate-stderr -2 yolo-decode --size=160 -F coco \
	    --image-ids=ids -o ids --image=2.ppm t
	[ "$(cat ids)" = 'zwei 2.ppm' ]
}

@test "-F yolo writes one file for each picture and refuses equal names" {
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
	[ -f out/none.txt ]
	[ ! -s out/none.txt ]
	run --separate-stderr -1 yolo-decode --size=160 -F yolo -o out2 \
	    --image=a/p.ppm --image=b/p.ppm tt
	[ "$stderr" = "yolo-decode: b/p.ppm: a/p.ppm already has that name in out2; --mirror keeps the folders of names" ]
	run -0 yolo-decode --size=160 -F yolo -o out2 --mirror \
	    --image=a/p.ppm --image="$PWD/b//./p.ppm" tt
	cmp out2/a/p.txt "out2$PWD/b/p.txt"
	cp a/p.ppm a/p.jpg
	run --separate-stderr -1 yolo-decode --size=160 -F yolo -o out4 \
	    --image=a/p.ppm --image=a/p.jpg tt
	[[ $stderr == *"a/p.jpg: a/p.ppm already has that name in out4; --whole-names "* ]]
	run -0 yolo-decode --size=160 -F yolo -o out5 --whole-names --mirror \
	    --image=a/p.ppm --image=a/p.jpg tt
	[ "$(ls out5/a)" = "p.jpg.txt
p.ppm.txt" ]
	run --separate-stderr -1 yolo-decode --size=160 -F yolo -o out6 \
	    --image=a/p.ppm --image=a/p.ppm tt
	[ "$stderr" = "yolo-decode: a/p.ppm: it is named twice: out6/p.txt was made before" ]
	# Nothing is written outside the output folder, nor below something that
	# is not a folder.
	run --separate-stderr -1 yolo-decode --size=160 -F yolo -o out7 \
	    --mirror --image=a/../b/p.ppm t
	[ "$stderr" = "yolo-decode: a/../b/p.ppm: its name gives no name for a file in out7" ]
	touch out7/a
	run --separate-stderr -1 yolo-decode --size=160 -F yolo -o out7 \
	    --mirror --image=a/p.ppm t
	[ "$stderr" = "yolo-decode: a/p.ppm: out7/a: Not a directory" ]
	run --separate-stderr -2 decode --mirror --image=a/p.ppm t
	[[ $stderr == "yolo-decode: --mirror is about a folder of output"* ]]
	run --separate-stderr -1 decode -F yolo -o out3 --image='' t
	[ "$stderr" = "yolo-decode: : its name gives no name for a file in out3" ]
	[ -z "$(ls out3)" ]
	for name in nowhere/. nowhere/..; do
		run --separate-stderr -1 decode -F yolo -o out3 --image=$name t
		[ "$stderr" = "yolo-decode: $name: its name gives no name for a file in out3" ]
	done
	[ -z "$(ls -A out3)" ]
	run --separate-stderr -1 decode -F yolo -o out3 --image=a t
	[ "$stderr" = "yolo-decode: a: is a directory; -R takes the pictures in it" ]
	[ -z "$(ls out3)" ]
	run -0 decode -F yolo -o frames tt
	[ "$(ls frames)" = "000001.txt
000002.txt" ]
	# An output does not replace an input.
	mkdir in
	cp none.ppm in/stdin
	ln -s stdin in/000001.txt
	run -0 yolo-decode --size=160 -F yolo -o films --stream=ppm \
	    --image=a/p.ppm --image=none.ppm tt
	[ "$(ls films)" = "none-000001.txt
p-000001.txt" ]
}
