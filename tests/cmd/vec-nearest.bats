#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vec-nearest reads vectors and prints their nearest neighbours.  The expected
# cosines are calculated by hand from (3, 4, 5) and similar triples, or by
# Python (tests/tools/vectors.py).
# bats file_tags=arm64

load ../support/helper
load ../support/vectors

@test "vec-nearest prints cosines, best first, for vectors of any length" {
	three >base
	label 2 3 4 >query
	run -0 vec-nearest base query
	[ "$output" = "$ANSWER" ]
	run -0 vec-nearest -n 2 base <query
	[ "$output" = "$(head -n 2 <<<"$ANSWER")" ]
	run -0 vec-nearest --count=0 base - <query
	[ "$output" = "$ANSWER" ]
}

# bats test_tags=slow
@test "labelled tensors, .npy, lines and pipes give the same answer" {
	three >base
	label 1,2 3 4 >query
	npu-tensor -F npy base >base.npy
	npu-tensor -F npy query >query.npy
	for b in base base.npy; do
		for q in query query.npy; do
			run -0 vec-nearest $b $q
			[ "$output" = "$ANSWER" ]
			run -0 bash -c "cat $q | vec-nearest $b"
			[ "$output" = "$ANSWER" ]
			run -0 bash -c "cat $b | vec-nearest - $q"
			[ "$output" = "$ANSWER" ]
		done
	done
	{ json 1 -3,4; json 2 6,8; echo; json 3 4,3; } >lines
	json 1 3,4 >line
	run -0 vec-nearest lines line
	[ "$output" = "$ANSWER" ]
	run -0 bash -c 'cat line | vec-nearest lines'
	[ "$output" = "$ANSWER" ]
	run -0 bash -c 'cat lines | vec-nearest - line'
	[ "$output" = "$ANSWER" ]
	# One tensor for each vector, and two arrays in one file.
	{ label 2 -3 4; label 1,2 6 8; label 2 4 3; } >frames
	run -0 vec-nearest frames query
	[ "$output" = "$ANSWER" ]
	cat query.npy query.npy >twice
	run -0 vec-nearest -n 1 base.npy twice
	[ "$output" = "1	1	1	2
2	1	1	2" ]
	run -0 bash -c 'cat twice | vec-nearest -n 1 base.npy'
	[ "$output" = "1	1	1	2
2	1	1	2" ]
}

@test "an .npy file whose floats are not aligned is read" {
	three >base
	label 2 3 4 >query
	# Version 1.0, written by hand: 10 bytes and a header of 59 bytes, so
	# the floats begin at an odd offset.
	head="{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}"
	{ printf '\223NUMPY\001\0\073\0%s \n' "$head"
	f32 -3 4 6 8 4 3; } >odd
	[ "${#head}" -eq 57 ]
	run -0 vec-nearest odd query
	[ "$output" = "$ANSWER" ]
}

# bats test_tags=slow
@test "equal scores are ordered by the bytes of the name, then by place" {
	{ json b 2,0; json B 1,0; json ba 4,0; json '' 8,0; json a 0,1
	json B 3,0; } >base
	json q 1,0 >query
	run -0 vec-nearest -F jsonl base query
	[ "$(jq -rc '[.matches[] | .id]' <<<"$output")" = \
	    '["","B","B","b","ba","a"]' ]
	run -0 vec-nearest -n 2 -F jsonl base query
	[ "$(jq -rc '[.matches[] | .id]' <<<"$output")" = '["","B"]' ]
	# The order of the base does not matter.
	tac base >back
	run -0 vec-nearest -n 3 -F jsonl back query
	[ "$(jq -rc '[.matches[] | .id]' <<<"$output")" = '["","B","B"]' ]
}

# bats test_tags=slow
@test "--ids and --query-ids read the names of vectors" {
	three >base
	label 2 3 4 >query
	printf 'x\ny y\nz' >ids
	echo 'a dog' >qids
	run -0 vec-nearest --ids=ids --query-ids=qids base query
	[ "$output" = "a dog	1	1	y y
a dog	2	0.96	z
a dog	3	0.28	x" ]
	echo '{"id":"q","vector":[2,3,4]}' >own
	run --separate-stderr -2 vec-nearest --query-ids=qids base own
	[ "${stderr_lines[0]}" = \
	    "vec-nearest: --query-ids: own names its vectors itself" ]
	# Each pass over the base uses the names.
	run -0 vec-nearest -n 1 --ids=ids --id=z --id='y y' base
	[ "$output" = "z	1	0.96	y y
y y	1	0.96	z" ]
	printf 'x\ny\n' >ids
	run --separate-stderr -1 vec-nearest --ids=ids base query
	[ "$stderr" = "vec-nearest: base: ids has 2 names, and there is a \
vector 3" ]
	printf 'x\ny\nz\nw\n' >ids
	run --separate-stderr -1 vec-nearest --ids=ids base query
	[ "$stderr" = "vec-nearest: base: ids has more names than the 3 \
vectors" ]
	json a 1,2 >lines
	run --separate-stderr -2 vec-nearest --ids=ids lines query
	[[ $stderr == "vec-nearest: --ids: lines names its vectors itself"* ]]
}

# bats test_tags=slow
@test "control characters in names are escaped, but not with -0" {
	three >base
	label 2 3 4 >query
	printf 'x\ty\0new\nline\0\\\033\0' >ids
	run -0 vec-nearest -0 --ids=ids base query
	vec-nearest -0 --ids=ids base query >out
	# With -0, records end with NUL and contain the names unchanged.
	printf '1\t1\t1\tnew\nline\0001\t2\t0.96\t\\\033\0001\t3\t0.28\tx\ty\0' |
	    cmp - out
	{ printf '{"id":"x\\ty","vector":[1,1]}\n'
	printf '{"id":"new\\nline","vector":[1,2]}\n'
	printf '{"id":"\\\\\\u001b\\u009b","vector":[1,3]}\n'; } >lines
	label 2 1 3 >query
	run -0 vec-nearest lines query
	[ "$(cut -f 4 <<<"$output")" = '\\\x1b\xc2\x9b
new\nline
x\ty' ]
}

@test "-F csv prints a header and quotes names, for a matrix as well" {
	three >base
	printf 'x,1\ny\nz\n' >names
	{ json 'a \"dog\"' 3,4; json b 4,3; } >queries
	run -0 vec-nearest -n 1 -F csv --ids=names base queries
	[ "$output" = 'query,rank,score,id
"a ""dog""",1,1,y
b,1,1,z' ]
	run -0 vec-nearest --matrix -F csv --ids=names base queries
	[ "$output" = ',"x,1",y,z
"a ""dog""",0.28,1,0.96
b,0,0.96,1' ]
	run -0 vec-nearest -F csv base /dev/null
	[ "$output" = query,rank,score,id ]
	json 'a\u0000b' 3,4 >nul
	run -1 --separate-stderr vec-nearest -F csv base nul
	[[ $stderr == *": CSV cannot hold the NUL in it; --format=jsonl can" ]]
}

@test "-F jsonl prints an object for each query, -F json one document" {
	three >base
	{ json 'a \"dog\"' 3,4; json b 4,3; } >queries
	run -0 vec-nearest -n 1 -F jsonl base queries
	[ "$output" = '{"schema":"vec-nearest/1","query":"a \"dog\"","matches":[{"rank":1,"id":"2","score":1}]}
{"schema":"vec-nearest/1","query":"b","matches":[{"rank":1,"id":"3","score":1}]}' ]
	run -0 vec-nearest -n 1 -F json base queries
	[ "$(jq -c '[.schema, (.queries[] | [.query, .matches[0].id])]' \
	    <<<"$output")" = '["vec-nearest/1",["a \"dog\"","2"],["b","3"]]' ]
}

# bats test_tags=slow
@test ""invalid_utf8" of a name is copied to the output" {
	printf '%s\n' '{"id":"\u00e9","vector":[1,0],"invalid_utf8":true}' \
	    '{"id":"\u00e9","vector":[0,1]}' >base
	printf '%s\n' '{"id":"\u00e8","vector":[1,1],"invalid_utf8":true}' \
	    '{"id":"\u00e8","vector":[1,0]}' >queries
	run -0 vec-nearest -F jsonl base queries
	[ "$(jq -c '[.query,.invalid_utf8],
	    (.matches[] | [.id,.score > 0,.invalid_utf8])' <<<"$output")" = \
	    '["è",true]
["é",true,true]
["é",true,null]
["è",null]
["é",true,true]
["é",false,null]' ]
	run -0 vec-nearest -F json base queries
	[ "$(jq -c '[.invalid_utf8],(.queries[] | [.invalid_utf8],
	    (.matches[] | [.invalid_utf8]))' <<<"$output" | xargs)" = \
	    '[null] [true] [true] [null] [null] [true] [null]' ]
	# A query without an answer also has it.
	echo '{"id":"\u00e9","error":"cut","invalid_utf8":true}' >bad
	run -1 --separate-stderr vec-nearest -k -F jsonl base bad
	[ "$(jq -c '[.query,.invalid_utf8]' <<<"$output")" = '["é",true]' ]
}

# bats test_tags=slow
@test "--min-score drops matches, and -e exits with 4 if none is left" {
	three >base
	json q 3,4 >query
	run -0 vec-nearest --min-score=0.96 base query
	[ "$output" = "q	1	1	2
q	2	0.96	3" ]
	run -0 vec-nearest -e --min-score=1 base query
	[ "$output" = "q	1	1	2" ]
	json q 4,-3 >query
	run -0 vec-nearest --min-score=0.5 base query
	[ "$output" = "" ]
	run -4 vec-nearest -e --min-score=0.5 base query
	[ "$output" = "" ]
	run -0 vec-nearest -F jsonl --min-score=0.5 base query
	[ "$output" = '{"schema":"vec-nearest/1","query":"q","matches":[]}' ]
	run -0 vec-nearest --min-score=-1 base query
	[ "${#lines[@]}" -eq 3 ]
	run -2 vec-nearest --min-score=1.1 base query
}

# bats test_tags=slow
@test "--id takes a query from the base itself" {
	{ json a 1,0; json b 0,1; json c 1,1; } >base
	run -0 vec-nearest --id=b --id=a base
	[ "$output" = "b	1	0.7071067811865475	c
b	2	0	a
a	1	0.7071067811865475	c
a	2	0	b" ]
	# The vector is left out.  Its copies stay, and a matrix has it.
	run -4 vec-nearest -e --min-score=0.9 --id=a base
	[ "$output" = "" ]
	{ cat base; json copy 2,0; } >copies
	run -0 vec-nearest -n 1 --id=a copies
	[ "$output" = "a	1	1	copy" ]
	run -0 vec-nearest --matrix --id=a base
	[ "${lines[1]}" = "a	1	0	0.7071067811865475" ]
	run --separate-stderr -1 vec-nearest --id=d base
	[ "$stderr" = "vec-nearest: base: no vector is called 'd'" ]
	run -2 vec-nearest --id=a base base
	run -2 vec-nearest --id=a --query-ids=names base
	{ json a 1,0; echo '{"id":"b"}'; } >bad
	run --separate-stderr -1 vec-nearest --id=c bad
	[ "$stderr" = "vec-nearest: bad: line 2: vector: missing" ]
	# More queries than share a pass over the base.
	# shellcheck disable=SC2046
	run -0 vec-nearest -n 1 $(printf -- '--id=a %.0s' $(seq 70)) base
	[ "$(uniq -c <<<"$output" | tr -s ' \t' ' ')" = \
	    " 70 a 1 0.7071067811865475 c" ]
}

# bats test_tags=slow
@test "--matrix prints all cosines as a table, labelled tensors or .npy" {
	{ json a 3,4; json b 4,3; } >base
	{ json x 3,4; json y -3,-4; json z 0,2; } >queries
	run -0 vec-nearest --matrix base queries
	[ "$output" = "	a	b
x	1	0.96
y	-1	-0.96
z	0.8	0.6" ]
	vec-nearest --matrix -F label base queries >m
	run -0 npu-tensor m
	[ "$output" = "1.0  f32 [1,2]
2.0  f32 [1,2]
3.0  f32 [1,2]" ]
	npu-tensor --raw m >m.raw
	[ "$(floats m.raw)" = "1 0.96 -1 -0.96 0.8 0.6" ]
	vec-nearest --matrix -F npy base queries >m.npy
	run -0 npu-tensor m.npy
	[ "$output" = "1.0  f32 [3,2]" ]
	npu-tensor --raw m.npy | cmp - m.raw
	for o in '-F json' '-n 3' --min-score=0 -e -0; do
		# shellcheck disable=SC2086 # words
		run -2 vec-nearest --matrix $o base queries
	done
	run -2 vec-nearest -F npy base queries
	# If there are more queries than share a pass, the columns are still
	# named only once.
	for i in $(seq 40); do json q$i 3,4; done >many
	run -0 vec-nearest --matrix base many
	[ "${#lines[@]}" -eq 41 ]
	[ "${lines[0]}" = "	a	b" ]
	[ "${lines[40]}" = "q40	1	0.96" ]
	{ cat many; json z 0,0; } >bad
	run --separate-stderr -1 vec-nearest -k --matrix base bad
	[ "${lines[41]}" = "z	nan	nan" ]
	[ "$stderr" = "vec-nearest: bad: vector 41 (z): it is zero and has no \
direction" ]
	# Bad vectors of the base are reported only in the first pass.
	{ cat base; json c 0,0; } >zero
	run --separate-stderr -1 vec-nearest -k --matrix zero many
	[ "$stderr" = "vec-nearest: zero: vector 3 (c): it is zero and has no \
direction" ]
}

# bats test_tags=slow
@test "vectors of another width are refused with both widths" {
	three >base
	json q 1,2,3 >query
	run --separate-stderr -1 vec-nearest base query
	[ "$stderr" = "vec-nearest: base: vectors of 2 numbers cannot be \
compared with vectors of query, which have 3" ]
	{ json a 1,2; json b 1,2,3; } >mixed
	json q 1,2 >query
	run --separate-stderr -1 vec-nearest mixed query
	[ "$stderr" = "vec-nearest: mixed: vector 2 (b) has 3 numbers, those \
before it have 2" ]
	{ label 2 1 2; label 3 1 2 3; } >frames
	run --separate-stderr -1 vec-nearest frames query
	[ "$stderr" = "vec-nearest: frames: frame 2: vectors of 3 numbers, \
those before have 2" ]
	run --separate-stderr -1 bash -c 'cat frames | vec-nearest base'
	[ "$stderr" = "vec-nearest: stdin: frame 2: vectors of 3 numbers, \
those before have 2" ]
	[ "$output" = "1	1	0.894427190999916	2
1	2	0.8944271909999159	3
1	3	0.4472135954999579	1" ] ||
	    [ "$(cut -f 4 <<<"$output" | tr -d '\n')" = 231 ]
}

# bats test_tags=slow
@test "vectors of one kind from two models are refused with both hashes" {
	{ by image 1 a.jpg 1,0; by image 1 b.jpg 0,1; } >base
	by image 2 c.jpg 1,0 >query
	run --separate-stderr -1 vec-nearest base query
	[ "$stderr" = "vec-nearest: base: vector 1 (a.jpg): a picture's vector \
of model $(hash 1 12), but query has vectors of model $(hash 2 12); their \
cosine has no meaning" ]
	by image 1 c.jpg 1,0 >query
	run -0 vec-nearest -n 1 base query
	[ "$output" = "c.jpg	1	1	a.jpg" ]
	# A text's model may differ from the pictures' model: it is the other
	# half of CLIP.
	by text 2 'a bus' 0,1 >query
	run -0 vec-nearest -n 1 base query
	[ "$output" = "a bus	1	1	b.jpg" ]
	by text 3 'a dog' 0,1 >>query
	run --separate-stderr -1 vec-nearest -n 1 base query
	[[ $stderr == "vec-nearest: query: vector 2 (a dog): a text's vector of \
model $(hash 3 12), but query has vectors of model $(hash 2 12); "* ]]
	# The first query is answered, although both arrived together.
	[ "$output" = "a bus	1	1	b.jpg" ]
	by image 2 c.jpg 1,0 >>base
	json q 1,0 >query
	run --separate-stderr -1 vec-nearest base query
	[[ $stderr == "vec-nearest: base: vector 3 (c.jpg): "* ]]
}

# bats test_tags=slow
@test "a vector without a direction is an error, but -k skips it" {
	{ json a 1,0; json zero 0,0; json b 1,1; json nan 1,null
	json inf 1,1e39; } >base
	json q 1,0 >query
	run --separate-stderr -1 vec-nearest base query
	[ "$output" = "" ]
	[ "$stderr" = "vec-nearest: base: vector 2 (zero): it is zero and has \
no direction (-k skips such vectors)" ]
	run --separate-stderr -1 vec-nearest -k base query
	[ "$output" = "q	1	1	a
q	2	0.7071067811865475	b" ]
	[ "$stderr" = "vec-nearest: base: vector 2 (zero): it is zero and has \
no direction
vec-nearest: base: vector 4 (nan): contains NaN or infinity
vec-nearest: base: vector 5 (inf): contains NaN or infinity" ]
	sed 2d base >not-finite
	json a 1,0 >one
	for files in 'not-finite one' 'one not-finite'; do
		run --separate-stderr -1 vec-nearest $files
		[ "$stderr" = "vec-nearest: not-finite: vector 3 (nan): \
contains NaN or infinity (-k skips such vectors)" ]
	done
	run --separate-stderr -1 vec-nearest -k --matrix base query
	[ "${lines[1]}" = "q	1	nan	0.7071067811865475	nan	nan" ]
	{ json q 1,0; json none 0,0; json r 1,0; } >queries
	sed -n '1p;3p' base >good
	run --separate-stderr -1 vec-nearest -n 1 good queries
	[ "$output" = "q	1	1	a" ]
	[ "$stderr" = "vec-nearest: queries: vector 2 (none): it is zero and \
has no direction (-k skips such vectors)" ]
	run --separate-stderr -1 vec-nearest -n 1 -k -F jsonl good queries
	[ "$(jq -c '[.query, .error, (.matches | length)]' <<<"$output")" = \
'["q",null,1]
["none","it is zero and has no direction",0]
["r",null,1]' ]
	# A vector that clip-embed could not make is treated in the same way.
	printf '{"id":"x.jpg","error":"cut short"}\n' >failed
	cat failed good >base
	run --separate-stderr -1 vec-nearest base query
	[ "$stderr" = "vec-nearest: base: vector 1 (x.jpg): cut short \
(-k skips such vectors)" ]
	run --separate-stderr -1 vec-nearest -n 1 -k base query
	[ "$output" = "q	1	1	a" ]
	run --separate-stderr -1 vec-nearest -n 1 good failed
	[ "$stderr" = "vec-nearest: failed: vector 1 (x.jpg): cut short \
(-k skips such vectors)" ]
	run --separate-stderr -1 vec-nearest -k -F jsonl good failed
	[ "$(jq -c '[.query, .error, .matches]' <<<"$output")" = \
	    '["x.jpg","cut short",[]]' ]
}

# npy ROWS NUMBER...: writes an .npy array with rows of two numbers.
npy() {
	local rows=$1
	shift
	printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f4', \
'fortran_order': False, 'shape': ($rows, 2), }"
	f32 "$@"
}

# bats test_tags=slow
@test "an .npy array without rows contains no vectors" {
	npy 0 >none.npy
	npy 1 1 0 >one.npy
	for words in 'none.npy one.npy' 'one.npy none.npy' \
	    'none.npy none.npy'; do
		# shellcheck disable=SC2086 # two files
		run -0 --separate-stderr vec-nearest $words
		[ "$output$stderr" = "" ]
	done
	run -0 vec-nearest none.npy - <one.npy
	[ "$output" = "" ]
	run -0 vec-nearest one.npy - <none.npy
	[ "$output" = "" ]
	cat none.npy one.npy none.npy >three.npy
	run -0 vec-nearest one.npy - <three.npy
	[ "$output" = "1	1	1	1" ]
	run -0 vec-drift none.npy
	[ "$output" = "" ]
	run -0 bash -c 'cat none.npy one.npy none.npy | vec-drift'
	[ "${#lines[@]}" -eq 1 ]
	# An array with rows but without columns is an error.
	npy 1 >wide
	sed -i 's/(1, 2)/(1, 0)/' wide
	run -1 --separate-stderr vec-nearest one.npy wide
	[[ $stderr == *": npy: dimension 1 is 0, so the array is empty" ]]
}

@test "an empty base or a file without queries gives no matches" {
	three >base
	json q 1,0 >query
	: >empty
	run -0 vec-nearest empty query
	[ "$output" = "" ]
	run -4 vec-nearest -e empty query
	run -0 vec-nearest base empty
	[ "$output" = "" ]
	run -4 vec-nearest -e base empty
	run -0 vec-nearest -F json base empty
	[ "$(jq -c . <<<"$output")" = '{"schema":"vec-nearest/1","queries":[]}' ]
	run -0 vec-nearest -F jsonl empty query
	[ "$output" = '{"schema":"vec-nearest/1","query":"q","matches":[]}' ]
	vec-nearest --matrix -F npy empty query >out
	[ ! -s out ]
}

# bats test_tags=slow
@test "vectors of an unknown model are compared with all, in each format" {
	command -v python3 >/dev/null || skip 'no python3'
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/vec-index.5"
	sed '/^if command/,$d; s/2, n, dim, 0, 0,/2, n, dim, 1, 1,/' \
	    page.1.sh >write.sh
	sh write.sh
	/usr/bin/python3 writer.py >unknown.index
	run -0 vec-index -F json unknown.index
	[ "$(jq -c '[.kind, .model_sha256]' <<<"$output")" = '["text",null]' ]
	vec-index --export=jsonl unknown.index >null
	[ "$(jq -c .model_sha256 null | sort -u)" = null ]
	jq -c 'del(.model_sha256)' null >absent
	jq -c ".model_sha256 = \"$(printf '%064d' 0)\"" null >zeros
	by text 1 known 0.6,0.8 >known
	for form in unknown.index null absent zeros; do
		vec-nearest -n 1 $form known >got
		[ "$(cut -f 4 got)" = north ]
	done
	for form in null absent zeros; do
		cat $form known | vec-drift >/dev/null
		cat known $form | vec-drift >/dev/null
	done
}

# bats test_tags=slow
@test "vec-nearest reads an index with replaced records, or a cut one" {
	command -v python3 >/dev/null || skip 'no python3'
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/vec-index.5"
	sed '/^if command/,$d' page.1.sh >write.sh
	sh write.sh
	/usr/bin/python3 writer.py >winds.index
	json NNE 0.4,0.9 >query
	run -0 vec-nearest winds.index query
	[ "$(cut -f 4 <<<"$output")" = "north
east" ]
	run -0 bash -c 'cat winds.index | vec-nearest -n 1 - query'
	[ "$(cut -f 4 <<<"$output")" = "north" ]
	run -0 vec-nearest --id=east winds.index
	[ "$(cut -f 1,2,4 <<<"$output")" = "east	1	north" ]
	sed -i 's/^sys.stdout.*/out += record(len(out), b"east", (-1, 0), \
replaces=128)\n&/' writer.py
	/usr/bin/python3 writer.py >replaced.index
	run -0 vec-nearest --id=east replaced.index
	[ "$output" = "east	1	0	north" ]
	head -c 300 replaced.index >cut.index
	run -0 vec-nearest cut.index query
	[ "$(cut -f 1,2,4 <<<"$output")" = "NNE	1	east" ]
	# The only vector does not match itself.
	run -4 vec-nearest -e --id=east cut.index
	[ "$output" = "" ]
	label 3 1 0 0 >wide
	run --separate-stderr -1 vec-nearest winds.index wide
	[ "$stderr" = "vec-nearest: winds.index: vectors of 2 numbers \
cannot be compared with vectors of wide, which have 3" ]
	run -0 vec-nearest --matrix winds.index query
	[ "${lines[0]}" = "	east	north" ]
	run --separate-stderr -1 vec-nearest -k -F jsonl winds.index \
	    <(echo '{"id":"x","error":"none"}')
	echo '{"id":"x","error":"none"}' >failed
	run --separate-stderr -1 vec-nearest -k -F jsonl winds.index failed
	[ "$(jq -c .matches <<<"$output")" = '[]' ]
	run --separate-stderr -2 vec-nearest --ids=names winds.index query
	[[ $stderr == *"--ids: winds.index names its vectors itself"* ]]
	# A query that has a kind, but no model.
	echo '{"kind":"text","vector":[1,0]}' >kind
	run -0 vec-nearest -n 1 winds.index kind
	{ head -c 200 winds.index; printf X; tail -c +202 winds.index; } >bad
	run --separate-stderr -1 vec-nearest bad query
	[[ $stderr == "vec-nearest: bad: record at 128: its 128 bytes have \
another checksum than "* ]]
}

@test "a query is answered before the next query arrives" {
	{ json a 1,0; json b 0,1; } >base
	mkfifo in
	vec-nearest -n 1 base <in | cat >out &
	pid=$!
	exec 5>in
	for q in '5,1 a' '1,5 b'; do
		json q "${q% *}" >&5
		for _ in $(seq 1200); do
			! tail -n 1 out | grep -q "${q#* }\$" || break
			sleep .05
		done
		[ "$(tail -n 1 out | cut -f 4)" = "${q#* }" ]
	done
	exec 5>&-
	wait $pid
	[ "$(wc -l <out)" -eq 2 ]
}

# bats test_tags=slow
@test "frames with equal labels are all numbered; a cut one is an error" {
	label 2 3 4 >query
	for _ in $(seq 34); do three; done >frames
	label 2 1 0 >>frames
	run -0 vec-nearest --matrix frames query
	[ "${lines[0]}" = "$(printf '\t%s' $(seq 103))" ]
	[ "${lines[1]}" = "1$(printf '\t0.28\t1\t0.96%.0s' $(seq 34))	0.6" ]
	{ label 2 3 4; label 2 4 3; label 2 1 0; } >frames
	for n in 1 71; do
		head -c $((216 - n)) frames >cut
		run --separate-stderr -1 vec-nearest cut query
		case $n in
		1) what='payload ends after 7 of 8' ;;
		71) what='label ends after 1 of 64' ;;
		esac
		[ "$stderr" = "vec-nearest: cut: frame 3: the $what bytes" ]
	done
}

# bats test_tags=slow
@test "a failure still gives a whole document, with answers and reason" {
	label 2 3 4 >base
	{ label 2 3 4; label 2 0 0; } >query
	why='query: vector 2: it is zero and has no direction'
	why+=' (-k skips such vectors)'
	run --separate-stderr -1 vec-nearest -F json base query
	[ "$(jq -c '[.schema, .queries[].query, .error.message]' \
	    <<<"$output")" = "[\"vec-nearest/1\",\"1\",\"$why\"]" ]
	[ "$stderr" = "vec-nearest: $why" ]
	run --separate-stderr -1 vec-nearest -F json missing base
	[ "$(jq -c '[.queries, .error.message]' <<<"$output")" = \
	    '[[],"missing: No such file or directory"]' ]
	echo earlier >out
	run -1 vec-nearest -F json -o out missing base
	[ "$(jq -c '[.queries, .error.status]' out)" = '[[],1]' ]
	run -1 vec-nearest -F jsonl -o none missing base
	[ ! -e none ]
}

# bats test_tags=slow
@test "a query does not wait for an empty or partial line after it" {
	{ json a 1,0; json b 0,1; } >base
	mkfifo in
	vec-nearest -n 1 base <in | cat >out &
	pid=$!
	exec 5>in
	n=
	for part in '' '\n' ' \n\n' '{"vec'; do
		printf '%s\n%b' "$(json "q$n" 5,1)" "$part" >part
		cat part >&5	# in one piece
		n=x$n
		for _ in $(seq 1200); do
			[ ! -e out ] || [ "$(wc -l <out)" -lt ${#n} ] || break
			sleep .05
		done
		[ "$(wc -l <out)" -eq ${#n} ]
	done
	echo 'tor":[1,0]}' >&5
	exec 5>&-
	wait $pid
	[ "$(cut -f 1 out | tail -n 1)" = 8 ]
}

# bats test_tags=slow
@test "results equal exact sums, for each width and number of queries" {
	/usr/bin/python3 "$TOP/tests/tools/vectors.py" make
	for d in 1 7 16 33 512; do
		vec-nearest -n 5 base.$d.npy queries.$d.npy >out.$d
		[ "$(wc -l <out.$d)" -eq 350 ]
		/usr/bin/python3 "$TOP/tests/tools/vectors.py" check $d
		# Passing only the last query gives the same digits.
		tail -n 1 out.$d | cut -f 2- >last
		vec-nearest -n 5 base.$d.npy last.$d.npy | tail -n 1 |
		    cut -f 2- | cmp - last
	done
}

# If the queries are in a file, vec-nearest computes while it is still finding
# the records.  If the queries come from a pipe, it finds all records first, as
# it always did before: see search.h.
# bats test_tags=slow
@test "an index gives the same answers from one pass as from two" {
	command -v python3 >/dev/null || skip 'no python3'
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/vec-index.5"
	sed '/^if command/,$d' page.1.sh >write.sh
	sh write.sh
	mkdir -p some
	/usr/bin/python3 "$TOP/tests/tools/indexes.py" writer.py 1 40 some
	refused=0 answered=0
	for i in $(seq 0 39); do
		for how in -n1 -n0 --min-score=0.99 '-k -n2'; do
			one=0 two=0
			vec-nearest $how some/$i some/$i.json \
			    >one 2>one.says || one=$?
			cat some/$i.json | vec-nearest $how some/$i \
			    >two 2>two.says || two=$?
			[ $one -eq $two ]
			cmp one two
			# Error messages name the file from which the queries
			# came.
			cmp one.says two.says
			refused=$((refused + (one != 0)))
			[ ! -s one ] || answered=$((answered + 1))
		done
	done
	[ $refused -gt 20 ]
	[ $answered -gt 30 ]
	# The many replaced vectors are so near that they would displace all
	# other results.
	cat >>writer.py <<-'EOF'
		place, out = len(header(2)), header(2)
		out += record(place, b"a", (1, 0))
		for i in range(60):
		    place, out = len(out), out + record(len(out), b"a",
		        (1 if i < 59 else -1, 0), replaces=place)
		out += record(len(out), b"b", (0, 1))
		open("often", "wb").write(out)
	EOF
	/usr/bin/python3 writer.py >winds.index
	json q 1,0 >query
	run -0 vec-nearest -n 1 often query
	[ "$output" = "q	1	0	b" ]
}

# The directions, of length 1: q = (0.6, 0.8), p = (0.6, -0.8), m = (0, 1).
@test "--plus and --minus add vectors of length 1 to each query" {
	{ json x 5,0; json y 0,2; json z -1,0; } >base
	json q 3,4 >q
	json p 30,-40 >p
	json m 0,0.5 >m
	# q + p = (1.2, 0)
	run -0 vec-nearest -F jsonl --plus=p base q
	jq -e '.matches | map(.id) == ["x", "y", "z"] and
	    (.[0].score - 1 | fabs) < 1e-7 and (.[1].score | fabs) < 1e-7 and
	    (.[2].score + 1 | fabs) < 1e-7' <<<"$output"
	# q - m = (0.6, -0.2), whose length is sqrt(0.4).
	run -0 vec-nearest --minus=m base q
	/usr/bin/python3 -c '
import sys
got = {f[3]: float(f[2]) for f in (l.split("\t") for l in sys.stdin.read().splitlines())}
r = 0.4 ** 0.5
for name, want in ("x", 0.6 / r), ("y", -0.2 / r), ("z", -0.6 / r):
    assert abs(got[name] - want) < 1e-7, (name, got[name], want)' <<<"$output"
	# q + p + p - m = (1.8, -1.8), from files and from a pipe.
	want=0.70710678
	run -0 vec-nearest --plus=p --plus=p --minus=m --count=1 base q
	[[ $output == "q	1	$want"*"	x" ]]
	cat p p >two
	run -0 bash -c 'vec-nearest --plus=two --minus=- --count=1 base q <m'
	[[ $output == "q	1	$want"*"	x" ]]
	# The same for a query by name: x + p + p = (1 + 1.2, -1.6), and its
	# cosine with x is 2.2 / sqrt(7.4).
	run -0 vec-nearest --plus=two --count=1 --id=x base
	[[ $output == "x	1	0.80873"*"	x" ]]
}

# bats test_tags=slow
@test "--plus and --minus refuse vectors that cannot be added" {
	{ json x 5,0; json y 0,2; } >base
	json q 3,4 >q
	json zero 0,0 >zero
	run --separate-stderr -1 vec-nearest --plus=zero base q
	[ "$stderr" = "vec-nearest: zero: vector 1 (zero): it has no direction" ]
	json wide 1,2,3 >wide
	run --separate-stderr -1 vec-nearest --plus=wide base q
	[[ $stderr == *"q: vectors of 2 numbers cannot be added to vectors of wide, which have 3" ]]
	run --separate-stderr -1 vec-nearest --plus=q --minus=wide base q
	[[ $stderr == *"wide: vectors of 3 numbers cannot be added to vectors of q, which have 2" ]]
	run --separate-stderr -1 vec-nearest --minus=q base q
	why='after --plus and --minus it is zero and has no direction'
	[ "$stderr" = "vec-nearest: q: vector 1 (q): $why (-k skips such \
vectors)" ]
	run --separate-stderr -1 vec-nearest -k -F jsonl --minus=q base q
	[ "$(jq -r .error <<<"$output")" = "$why" ]
	run --separate-stderr -1 vec-nearest --minus=q base zero
	[[ $stderr == *"zero: vector 1 (zero): it is zero and has no direction"* ]]
	: >none
	run --separate-stderr -1 vec-nearest --plus=none base q
	[ "$stderr" = "vec-nearest: none: contains no vectors" ]
	by text 1 a 3,4 >a
	by text 2 b 3,4 >b
	run --separate-stderr -1 vec-nearest --plus=b base a
	[[ $stderr == *"their cosine has no meaning"* ]]
	run --separate-stderr -2 vec-nearest --plus=- base - <q
}

@test "-v prints how many vectors were compared, and -q prints nothing" {
	three >base
	json q 1,0 >query
	run --separate-stderr -0 vec-nearest -v base query
	[ "$stderr" = "vec-nearest: 3 vectors compared" ]
	run --separate-stderr -0 vec-nearest -qv base query
	[ "$stderr" = "" ]
}
