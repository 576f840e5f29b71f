#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vec-drift with vectors in the plane, whose cosines are easy to calculate:
# (3,4) and (4,3) have the cosine 24/25, (1,0) and (3,4) have 3/5.

load ../support/helper
load ../support/fakehost

# vec A B: prints a vector as a line of JSON.
vec() {
	echo "{\"vector\":[$1,$2]}"
}

# same N: prints the same vector N times.
same() {
	vec 3 4 | perl -e 'print <STDIN> x shift' "$1"
}

# fields FILTER FILE: prints the fields of each object in one line.
fields() {
	jq -c "$1" "$2"
}

# timeless: removes the time from records.
timeless() {
	sed 's/"time":"[^"]*",//'
}

# has FILE N: waits until the file has N bytes or more.
has() {
	for _ in $(seq 600); do
		[ ! -e "$1" ] || [ "$(wc -c <"$1")" -lt "$2" ] || return 0
		sleep 0.1
	done
	return 1
}

# embed: turns lines of text into vectors.
embed() {
	clip-embed -q --lines
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- Comparison

@test "each vector gives an object with similarity, median, MAD and limit" {
	{ vec 1 0; vec 0 5; vec 6 8; vec 1 0; } >v
	vec-drift --warmup=2 --mads=1 --floor=0 --window=2 v >o
	[ "$(wc -l <o)" -eq 4 ]
	head -n 1 o | grep -xE '\{"schema":"vec-drift/1","time":'\
'"20[0-9-]{8}T[0-9:]{8}Z","number":1,"id":"1",'\
'"similarity":null,"median_cosine":null,"nearest":null,"usual":null,"window":0,"history":0,"median":null,'\
'"mad":null,"limit":null,"alarm":null}'
	# Vector 2: 90 degrees to vector 1.  Vector 3: cosines 0.6 and 0.8.
	# Vector 4: its window has vectors 2 and 3, with the cosines 0 and 0.6;
	# the history is 0 and 0.7, with the median 0.35 and the MAD 0.35.
	jq -e -s 'def near($x; $y): $x - $y | fabs < 1e-6;
	    near(.[1].similarity; 0) and .[1].median == null and
	    near(.[2].similarity; 0.7) and near(.[2].nearest; 0.8) and
	    .[2].window == 2 and .[2].history == 1 and .[2].median == 0 and
	    .[2].limit == null and
	    near(.[3].similarity; 0.3) and near(.[3].nearest; 0.6) and
	    .[3].window == 2 and near(.[3].median; 0.35) and
	    near(.[3].mad; 0.35) and near(.[3].limit; 0) and
	    all(.alarm == null)' o
}

# bats test_tags=slow
@test "-F csv and tsv write the values of the objects" {
	printf '{"id":"%s","vector":[%s]}\n' 'a,b' 3,4 c 3,4 d 4,-3 >in
	run -0 vec-drift --below=0.5 in
	jq -r '[.number, .id, .similarity, .median_cosine, .nearest, .usual,
	    .window, .history, .median, .mad, .limit, .alarm] | @csv' \
	    <<<"$output" | tr -d '"' >want
	run -0 vec-drift --below=0.5 -F csv in
	[ "${lines[0]}" = "time,number,id,similarity,median_cosine,nearest,\
usual,window,history,median,mad,limit,alarm,error" ]
	[[ ${lines[1]} == 20*Z,1,'"a,b",'* ]]
	[[ ${lines[3]} == *,below, ]]
	sed '1d; s/^[^,]*,//; s/,$//; s/"//g' <<<"$output" | diff want -
	run -0 vec-drift --below=0.5 -F tsv in
	[ "${#lines[@]}" -eq 3 ]
	[[ ${lines[0]} == 20*Z$'\t1\ta,b\t'* ]]
	sed 's/^[^\t]*\t//; s/\t$//; s/\t/,/g' <<<"$output" | diff want -
	# A vector that cannot be judged has its reason in the last field.
	printf '{"id":"%s","vector":[%s]}\n' a 3,4 b 0,0 >in
	run -1 --separate-stderr vec-drift -F tsv in
	[ "$(cut -f 3,13 <<<"${lines[1]}")" = "b	" ]
	[ "$(cut -f 14 <<<"${lines[1]}")" != "" ]
}

@test "vec-drift reads JSON lines, labelled tensors and .npy" {
	f32 1 0 3 4 >raw
	printf '%s\n' '{"id":"a","vector":[1,0]}' '{"id":"b","vector":[3,4]}' \
	    >lines
	npu-tensor -a -t f32 --shape=2 raw >label
	npu-tensor -a -t f32 --shape=2,2 -F npy raw >npy
	printf 'a\nb\n' >names
	printf 'a\0b\0' >zeros
	vec-drift lines | timeless >want
	[ "$(fields .id want | tr '\n' ' ')" = '"a" "b" ' ]
	vec-drift --ids=names label | timeless | diff want -
	vec-drift --ids=zeros -0 - <npy | timeless | diff want -
	vec-drift -o out lines
	timeless <out | diff want -
	vec-drift npy | fields .id /dev/stdin | tail -n 1 | grep -x '"2"'
	run --separate-stderr -0 vec-drift </dev/null
	[ "$output$stderr" = "" ]
	# Several vectors in one tensor, from a pipe.
	npu-tensor -a -t f32 --shape=2,2 raw | cat | vec-drift | timeless |
	    sed 's/"id":"1"/"id":"a"/; s/"id":"2"/"id":"b"/' | diff want -
}

# bats test_tags=slow
@test "an object is written as soon as its vector arrives" {
	mkfifo in
	vec-drift <in >out 3>&- &
	pid=$!
	exec 5>in
	n=0
	for _ in 1 2 3; do
		vec 1 0 >&5
		has out $((n + 1))
		n=$(wc -c <out)
	done
	[ "$(wc -l <out)" -eq 3 ]
	exec 5>&-
	wait $pid
}

# ---- Alarms

@test "--below applies from the second vector on, and -e exits with 4" {
	{ vec 1 0; vec 3 4; } >v
	run -0 vec-drift --below=0.6001 v
	[ "$(fields '.limit, .alarm' - <<<"$output" | xargs)" = \
	    'null null 0.6001 below' ]
	run -4 vec-drift -e --below=0.6001 v
	run -0 vec-drift -e --below=0.5999 v
	[ "$(fields '.alarm, .limit' - <<<"$output" | tail -n 2 |
	    tr '\n' ' ')" = 'null 0.5999 ' ]
}

# bats test_tags=slow
@test "a vector far below its history is an alarm, after --warmup vectors" {
	# 21 vectors give 20 similarities, the default of --warmup.
	for n in 20 21; do
		{ same $n; vec 4 3; } >v$n
	done
	run -0 vec-drift -e v20
	run -4 vec-drift -e v21
	[ "$(fields '.alarm' - <<<"$output" | sort | uniq -c | xargs)" = \
	    '1 history 21 null' ]
	run -0 vec-drift -e --mads=none v21
	[ "$(fields .limit - <<<"$output" | uniq)" = null ]
	# --floor: the similarity 0.96 is 0.04 below the median.
	run -0 vec-drift -e --floor=0.041 v21
	run -4 vec-drift -e --floor=0.039 v21
	run -4 vec-drift -e --warmup=19 v20
}

@test "after a constant history, a small difference is not an alarm" {
	{ same 30; vec 3.1 4; } >v
	run -0 vec-drift -e v
	run -4 vec-drift -e --floor=0 v
}

# bats test_tags=slow
@test "one odd vector is one alarm, without alarms for later vectors" {
	{ same 40; vec 4 3; same 60; } >v
	vec-drift v >o
	[ "$(fields 'select(.alarm) | .number' o)" = 41 ]
	# Vector 42 has 19 cosines of 1 and one of 0.96.
	[ "$(fields '[.similarity, .median_cosine] |
	    map(. * 1e6 | round)' o | sed -n 42p)" = '[998000,1000000]' ]
	# If the odd cosine is 0 instead of 0.96, the mean of the later vectors
	# is below the limit of 0.99, but their median is not; this also holds
	# with nine odd vectors among twenty.
	{ same 40; for _ in $(seq 9); do vec -4 3; vec 3 4; done; same 60; } >v
	vec-drift v >o
	[ "$(fields 'select(.alarm) | .number' o | xargs)" = \
	    '41 43 45 47 49 51 53 55 57' ]
	# --below gives the same alarms.
	vec-drift --mads=none --below=0.99 v | fields 'select(.alarm)' - |
	    wc -l | grep -x 9
}

# burst WINDOW ODD: prints the numbers of the alarms for 60 equal vectors, ODD
# odd vectors, and 60 vectors equal to the first.
burst() {
	{ same 60; vec -4 3 | perl -e 'print <STDIN> x shift' "$2"
	    same 60; } >v
	vec-drift --window="$1" v | fields 'select(.alarm) | .number' - | xargs
}

# bats test_tags=slow
@test "a burst of odd vectors causes no alarm for vectors after it" {
	for n in 2 9 10 11 15 20 21 40; do
		# Alarms continue until more than half of the window is odd.
		[ "$(burst 20 $n)" = "$(seq 61 $((60 + (n < 11 ? n : 11))) |
		    xargs)" ]
		[ "$(burst 1 $n)" = 61 ]
		[ "$(burst 2 $n)" = "61 62" ]
	done
	[ "$(burst 2 1)" = 61 ]
	# The results are the same if the input is split among several runs.
	burst 20 30
	vec-drift v | fields 'del(.number, .id, .time)' - >want
	split -l 7 v part
	for p in part*; do
		vec-drift --state=s $p
	done | fields 'del(.number, .id, .time)' - | diff want -
	# A second burst is an alarm again.
	{ cat v; vec -4 3; } | vec-drift | tail -n 1 | fields .alarm - |
	    grep -x '"history"'
}

# drift_table [N]: prints the table of tests/tools/drift.py.
drift_table() {
	/usr/bin/python3 "$TOP/tests/tools/drift.py" "$@"
}

# turns N: prints (0,1) and (-4,3) alternately, N times.
turns() {
	{ vec 0 1; vec -4 3; } | perl -e 'print((<STDIN>) x shift)' "$1"
}

# Odd vectors lower the limit, but this does not make an odd vector usual.
# bats test_tags=slow
@test "a burst of two alternating vectors causes no alarm after it" {
	{ vec 1 0 | perl -e 'print <STDIN> x 200'; turns 50
	    vec 1 0 | perl -e 'print <STDIN> x 60'; } >v
	for n in 1 2 3 5 20; do
		vec-drift --window=$n v |
		    fields 'select(.alarm) | .number' - >alarms
		[ "$(head -n 1 alarms)" = 201 ]
		[ "$(tail -n 1 alarms)" -le 300 ]
	done
	# The results are the same if the input is split among several runs.
	vec-drift v | fields 'del(.number, .id, .time)' - >want
	split -l 17 v part
	for p in part*; do
		vec-drift --state=s $p
	done | fields 'del(.number, .id, .time)' - | diff want -
}

# bats test_tags=slow
@test "bursts in seeded series give the same alarms as a reference" {
	[ "$(drift_table --bursts 144)" = "144 series" ]
}

@test "with --window=1, one return after a lasting change is not an alarm" {
	{ same 200; vec -4 3 | perl -e 'print <STDIN> x 200'; same 1
	    vec -4 3; } >v
	vec-drift --window=1 v | fields 'select(.alarm) | .number' - >alarms
	[ "$(cat alarms)" = 201 ]
}

# bats test_tags=slow
@test "a lasting change becomes the new baseline" {
	{ same 60; for _ in $(seq 60); do vec 4 3; done; } >v
	vec-drift v >o
	# Alarms continue until most of the window, 11 of 20, is like the new
	# vectors.
	[ "$(fields 'select(.alarm) | .number' o | xargs)" = \
	    "$(seq 61 71 | xargs)" ]
	# Vectors with an alarm also count: before vector 81 there are 80
	# vectors and 79 similarities.
	[ "$(fields '[.window,.history]' o | sed -n 81p)" = '[20,79]' ]
}

# Each row of the table is calculated from two series.
# bats test_tags=slow
@test "events in seeded series are found, without false alarms" {
	drift_table 40 >table
	cat table
	# The columns: series, event, alarms a day outside the event, found,
	# delay, alarms during the event.  The row of burst30 in the seasonal
	# series is left out, because the season has moved on after 30 vectors.
	grep -v '^seasonal *burst30' table | awk 'NR > 2 && !/^states/ {
	    print $1, $2, $3, $4, $5, $6 }' | sort >rows
	diff rows - <<-'END'
	noisy burst10 0.0 100% 0 10.0
	noisy burst30 0.0 100% 0 11.0
	noisy drift 0.0 0% - 0.0
	noisy none 0.0 - - -
	noisy outlier 0.0 100% 0 1.0
	noisy step 0.0 100% 0 11.0
	seasonal burst10 0.0 100% 0 10.0
	seasonal drift 0.0 0% - 0.0
	seasonal none 0.0 - - -
	seasonal outlier 0.0 100% 0 1.0
	seasonal step 0.0 100% 0 11.0
	steady burst10 0.0 100% 0 10.0
	steady burst30 0.0 100% 0 11.0
	steady drift 0.0 0% - 0.0
	steady none 0.0 - - -
	steady outlier 0.0 100% 0 1.0
	steady step 0.0 100% 0 11.0
	END
	# A state that 3 vectors in 10 have is not an event; a state that 1
	# vector in 10 has is an event each time it occurs.
	awk '$2 == "30%" && $4 > 50 || $2 == "10%" && $4 < 144 { bad = 1 }
	    END { exit bad }' table
}

# bats test_tags=slow,native
@test "the table in the manual page is the output of the program" {
	drift_table >table
	sed -n '/^  *vec-drift  *CUSUM$/,/^[.]Ed/p' "$TOP/man/vec-drift.1" |
	    sed '$d' | diff - table
}

# ---- Bad vectors

@test "a failed vector keeps its place and does not change the history" {
	{ vec 1 0; vec 0 0; echo '{"vector":[1,null]}'
	    echo '{"id":"x.jpg","error":"no picture"}'; vec 3 4; } >v
	run --separate-stderr -1 vec-drift -e --below=0.99 v
	[ "$(fields '[.number,.id,.error,.window]' - <<<"$output")" = \
	    '[1,"1",null,0]
[2,"2","has no direction: its length is 0 or not finite",null]
[3,"3","has no direction: its length is 0 or not finite",null]
[4,"x.jpg","no picture",null]
[5,"5",null,1]' ]
	[ "$stderr" = "vec-drift: v: not every vector could be judged: see \
\"error\" in the records" ]
}

@test ""invalid_utf8" of a name is copied to the output" {
	{ echo '{"id":"\u00e9","vector":[1,0],"invalid_utf8":true}'
	    echo '{"id":"\u00e9","vector":[1,0],"invalid_utf8":false}'
	    echo '{"id":"\u00e9","error":"cut","invalid_utf8":true}'
	    vec 1 0; } >v
	run --separate-stderr -1 vec-drift v
	[ "$(fields '[.number,.id,.invalid_utf8]' - <<<"$output")" = \
	    '[1,"é",true]
[2,"é",null]
[3,"é",true]
[4,"4",null]' ]
}

@test "if the input is damaged, earlier results are written" {
	{ vec 1 0; vec 3 4; echo '{"vector":[1'; } >v
	run --separate-stderr -1 vec-drift --state=s v
	[ "${#lines[@]}" -eq 2 ]
	[[ $stderr == "vec-drift: v: line 3: "* ]]
	vec 3 4 >v
	run -0 vec-drift --state=s v
	[ "$(fields .window - <<<"$output")" = 2 ]
}

@test "a vector with another number of elements is refused" {
	{ vec 1 0; echo '{"vector":[1,2,3]}'; } >v
	run --separate-stderr -1 vec-drift v
	[ "${#lines[@]}" -eq 1 ]
	[[ $stderr == "vec-drift: v: "*3*2* ]]
}

# ---- State

@test "with --state, several runs give the same results as one run" {
	perl -e 'srand(7); printf "{\"vector\":[%f,%f]}\n", 1 + rand, rand
	    for 1 .. 60' >v
	vec-drift --window=7 --history=15 --warmup=5 v | fields 'del(.number, .id, .time)' - \
	    >want
	split -l 13 v part
	for p in part*; do
		vec-drift --window=7 --history=15 --warmup=5 --state=s $p
	done | fields 'del(.number, .id, .time)' - >got
	diff want got
	[ "$(find . -name '.npu*')" = "" ]
}

@test "a state file that an earlier version wrote is read" {
	# The head (2 elements, 1 vector, 1 similarity, 0), no model, the vector
	# (0.6, 0.8), the similarity 0.5.
	perl -e 'print "NPUDRFT1", pack("V4", 2, 1, 1, 0), "\0" x 32,
	    pack("f<2 d<", 0.6, 0.8, 0.5)' >s
	perl -e 'print pack("H*", $ARGV[0])' "$(sha256sum <s | cut -c 1-64)" \
	    >sum
	cat sum >>s
	vec 4 3 | vec-drift --state=s | fields '[.window, .history, .median,
	    (.similarity * 100 | round)]' - | grep -Fx '[1,1,0.5,96]'
}

@test "of a longer state, only the last vectors are kept" {
	same 30 | vec-drift --state=s >/dev/null
	vec 4 3 | vec-drift --window=5 --history=10 --warmup=1 --state=s >o
	[ "$(fields '[.window,.history]' o)" = '[5,10]' ]
	vec 4 3 | vec-drift --state=s >o
	[ "$(fields '[.window,.history]' o)" = '[5,10]' ]
}

@test "an empty file is a new state, and the file keeps its mode" {
	: >s
	chmod 640 s
	vec 1 0 | vec-drift --state=s >o
	[ "$(fields .window o)" = 0 ]
	[ "$(stat -c %a s)" = 640 ]
	# 56 bytes of head, two floats and the checksum.
	[ "$(wc -c <s)" -eq $((56 + 8 + 32)) ]
}

# bats test_tags=slow
@test "if vec-drift is killed, the state is the old one or the new one" {
	mkfifo in
	perl -e 'printf "{\"vector\":[%d,1]}\n", $_ for 1 .. 20000' >v
	n=0
	for wait in 3 0 7 1 12 5 20 2; do
		: >out
		vec-drift --state=s <in >out 3>&- &
		pid=$!
		# Send one vector at a time: each is then saved to the file.
		perl -e '$| = 1; while (<>) { print; select(undef, undef,
		    undef, 0.001) }' v 2>/dev/null >in 3>&- &
		feeder=$!
		has out 1
		sleep 0.0$wait
		kill -9 $pid $feeder
		st=0
		wait $pid 2>/dev/null || st=$?
		[ $st -eq 137 ]
		wait $feeder 2>/dev/null || :
		vec-drift --state=s </dev/null
		n=$((n + 1))
	done
	[ $n -eq 8 ]
	vec 1 1 | vec-drift --state=s >o
	[ "$(fields .window o)" -ge 1 ]
}

@test "SIGTERM leaves the state file and no temporary file" {
	mkfifo in
	vec-drift --state=s <in >out 3>&- &
	pid=$!
	exec 5>in
	same 3 >&5
	# 56 + 3 * 8 + 2 * 8 + 32 bytes.
	has s 128
	kill $pid
	st=0
	wait $pid || st=$?
	exec 5>&-
	[ $st -eq 143 ]
	[ "$(wc -c <s)" -eq 128 ]
	[ "$(find . -name '.npu*')" = "" ]
}

@test "a second process on a state is refused, before and after a save" {
	mkfifo in
	vec-drift --state=s <in >out 3>&- &
	pid=$!
	exec 5>in
	# 56 bytes of head, 8 for a vector, 8 for a similarity, 32.
	for size in 96 112; do
		vec 1 0 >&5
		has s $size
		run --separate-stderr -1 vec-drift --state=s </dev/null
		[ "$stderr" = "vec-drift: s: another process uses it" ]
	done
	exec 5>&-
	wait $pid
	vec-drift --state=s </dev/null
}

# A run that fails or is killed discards the file of -o.  The state must then
# not contain the vectors whose alarms were never reported.
# bats test_tags=slow
@test "a vector whose alarm was not reported is not in the state" {
	same 30 | vec-drift --state=s >/dev/null
	cp s was
	vec 4 3 >odd
	{ vec 4 3; echo '{"vector":[1'; } >cut
	run --separate-stderr -1 vec-drift -e --state=s -o out cut
	[[ $stderr == "vec-drift: cut: line 2: "* ]]
	[ ! -e out ]
	cmp s was
	mkfifo in
	vec-drift -e --state=s -o out <in 3>&- &
	pid=$!
	exec 5>in
	cat odd >&5
	for _ in $(seq 600); do
		[ -z "$(find . -name '.npu*' -size +0)" ] || break
		sleep 0.1
	done
	kill $pid
	st=0
	wait $pid || st=$?
	exec 5>&-
	[ $st -eq 143 ]
	[ ! -e out ]
	cmp s was
	run -4 vec-drift -e --state=s -o out odd
	[ "$(fields .alarm out)" = '"history"' ]
	[ "$(wc -c <s)" -gt "$(wc -c <was)" ]
	[ "$(find . -name '.npu*')" = "" ]
}

@test "a vector whose result stdout did not take is not in the state" {
	mkfifo in out
	perl -e 'print pack("f<2", 3, 4) x 10' >raw
	npu-tensor -a -t f32 --shape=10,2 raw >t
	first=$(($(wc -c <t) - 9 * 8))
	vec-drift --state=s <in >out 3>&- &
	pid=$!
	exec 5>in 6<out
	head -c "$first" t >&5
	read -r _ <&6
	# The other vectors arrive together; their objects are written at the
	# end, when nobody reads any more.
	kill -STOP $pid
	exec 6<&-
	tail -c +$((first + 1)) t >&5
	exec 5>&-
	kill -CONT $pid
	st=0
	wait $pid || st=$?
	[ $st -eq 141 ]
	vec 3 4 | vec-drift --state=s >o
	[ "$(fields .window o)" -le 1 ]
}

# bats test_tags=slow
@test "the output must not be the state file" {
	same 3 | vec-drift --state=s >/dev/null
	cp s was
	for o in s ./s "$PWD/s"; do
		run --separate-stderr -2 vec-drift --state=s -o "$o" </dev/null
		[[ $stderr == "vec-drift: --output: '$o' is the file of --state"* ]]
		cmp s was
	done
	# A hard link is allowed: it becomes another file when either is
	# replaced.
	ln s other
	vec 3 4 | vec-drift --state=s -o other
	[ "$(fields .window other)" = 3 ]
	vec 3 4 | vec-drift --state=s -o - >o
	[ "$(fields .window o)" = 4 ]
}

@test "a state that is foreign, damaged or for other vectors is refused" {
	echo 'not a state, and longer than its magic' >foreign
	cp foreign was
	run --separate-stderr -1 vec-drift --state=foreign </dev/null
	[ "$stderr" = "vec-drift: foreign: not a state of vec-drift: \
it does not begin with NPUDRFT1" ]
	cmp foreign was
	same 3 | vec-drift --state=s >/dev/null
	cp s good
	printf x | dd of=s bs=1 seek=70 conv=notrunc 2>/dev/null
	run --separate-stderr -1 vec-drift --state=s </dev/null
	[[ $stderr == "vec-drift: s: is damaged: "* ]]
	head -c 100 good >s
	run --separate-stderr -1 vec-drift --state=s </dev/null
	[ "$stderr" = \
	    "vec-drift: s: truncated or too long: 100 bytes, not 128" ]
	cp good s
	echo '{"vector":[1,2,3]}' >three
	run --separate-stderr -1 vec-drift --state=s three
	[ "$stderr" = "vec-drift: s: vector 1 of three has 3 elements, \
and those before it 2" ]
	cmp s good
}

# bats test_tags=slow
@test "vectors of another model than the state's are refused" {
	a=$(printf '0%.0s' {1..63})1 b=$(printf '0%.0s' {1..63})2
	line() {
		echo "{\"schema\":\"clip-embed/1\",\"model_sha256\":\"$1\",\
\"vector\":[1,2]}"
	}
	{ line "$a"; vec 1 2; } | vec-drift --state=s >/dev/null
	line "$a" | vec-drift --state=s >/dev/null
	cp s good
	line "$b" >other
	run --separate-stderr -1 vec-drift --state=s other
	[ "$output" = "" ]
	[ "$stderr" = "vec-drift: s: vector 1 of other belongs to model \
000000000000..., those before it to 000000000000..." ]
	cmp s good
	{ line "$a"; line "$b"; } >both
	for state in "" --state=t --state=s; do
		cp good s
		run --separate-stderr -1 vec-drift $state both
		[ "${#lines[@]}" -eq 1 ]
		[ "$stderr" = "vec-drift: both: vector 2 belongs to model \
000000000000..., those before it to 000000000000..." ]
	done
	line "$a" >one
	run --separate-stderr -1 bash -c "cat one - | vec-drift" <other
	[ "${#lines[@]}" -eq 1 ]
}

# bats test_tags=slow
@test "folders, pipes, devices and stdout are refused as a state" {
	mkdir dir
	mkfifo pipe
	run --separate-stderr -1 vec-drift --state=dir </dev/null
	[ "$stderr" = "vec-drift: dir: Is a directory" ]
	run --separate-stderr -1 timeout 60 vec-drift --state=pipe </dev/null
	[ "$stderr" = "vec-drift: pipe: is not a regular file" ]
	run --separate-stderr -1 vec-drift --state=/dev/null </dev/null
	[ "$stderr" = "vec-drift: /dev/null: is not a regular file" ]
	run --separate-stderr -1 vec-drift --state=/dev/stdout </dev/null
	run -1 bash -c 'vec-drift --state=/dev/stdout </dev/null 2>&1 >s'
	[ "$output" = "vec-drift: /dev/stdout: cannot be replaced as a \
whole; name a file" ]
	[ -f s ]
	[ ! -s s ]
	run --separate-stderr -1 vec-drift --state=no/such </dev/null
	[ "$stderr" = "vec-drift: no/such: No such file or directory" ]
	run --separate-stderr -2 vec-drift --state=- </dev/null
}

# ---- A machine described as text

# busy N LEVEL: prints N lines about a machine that is described by files and is
# LEVEL/1000 busy.
busy() {
	fake_state m "$2" 255 0.46 44
	host-status --root=m --sample=none --disks=/ --levels -i 100ms -n "$1"
}

# bats test_tags=slow
@test "in a pipe with host-status, a rise from 2 % to 95 % is an alarm" {
	fake_host m
	{ busy 25 24; busy 1 950; } | embed | vec-drift >o
	[ "$(wc -l <o)" -eq 26 ]
	[ "$(fields .alarm o | head -n 25 | uniq)" = null ]
	[ "$(fields .alarm o | tail -n 1)" = '"history"' ]
}

# bats test_tags=slow
@test "in a pipe with host-status, normal noise causes no alarm" {
	fake_host m
	for cpu in 24 31 8 19 102 27 44 15 33 61; do
		fake_state m $cpu $((250 + cpu / 5)) 0.$((cpu % 60 + 10)) \
		    $((40 + cpu % 9))
		host-status --root=m --sample=none --disks=/ --levels
		host-status --root=m --sample=none --disks=/ --levels
		host-status --root=m --sample=none --disks=/ --levels
	done >lines
	[ "$(sort -u lines | wc -l)" -eq 1 ]
	embed <lines | vec-drift -e >o
	[ "$(wc -l <o)" -eq 30 ]
}

@test "each line of host-status goes through the whole pipe at once" {
	fake_host m
	mkfifo lines
	embed <lines 3>&- | vec-drift >o 3>&- &
	drift=$!
	host-status --root=m --sample=none -i 10min >lines 3>&- &
	pid=$!
	has o 1
	kill $pid
	[ "$(wc -l <o)" -eq 1 ]
	st=0
	wait $pid || st=$?
	[ $st -eq 143 ]
	wait $drift
}

# bats test_tags=slow
@test "the id of an alarm is its text, also while the pipe stays open" {
	mkfifo lines
	clip-embed -q --lines -F jsonl <lines 3>&- | vec-drift --below=0.999 3>&- |
	    jq --unbuffered -r 'select(.alarm) | .id' >o 3>&- &
	exec 5>lines
	printf 'all green\ncpu red\n' >&5
	has o 8
	exec 5>&-
	wait $!
	[ "$(cat o)" = "cpu red" ]
}

# ---- Rules

@test "vec-drift ends if its reader closes, or if the disk is full" {
	same 5 >v
	st=0
	vec-drift v >/dev/full 2>err || st=$?
	[ $st -eq 1 ]
	[ "$(cat err)" = "vec-drift: write error: No space left on device" ]
	mkfifo in
	{
		st=0
		vec-drift <in || st=$?
		echo $st >status
	} 3>&- | { head -n 1 >one; exec <&-; : >left; } &
	exec 5>in
	vec 1 0 >&5
	until [ -e left ]; do sleep 0.05; done
	vec 1 0 >&5
	exec 5>&-
	wait $!
	[ "$(cat status)" -eq 141 ]
}

@test "a file that is truncated while it is read is reported" {
	vec 3 4 >base
	same 20000 >all
	mkfifo out
	for c in 'vec-drift v' 'vec-nearest -F jsonl base v'; do
		cp all v
		$c >out 2>err &
		pid=$!
		exec 5<out
		read -r _ <&5
		truncate -s 4096 v	# the rest waits for us
		cat <&5 >/dev/null
		exec 5<&-
		rc=0
		wait $pid || rc=$?
		[ $rc -eq 1 ]
		[ "$(cat err)" = "${c%% *}: a file was cut while it was read" ]
	done
}

# bats test_tags=slow
@test "wrong usage is refused with status 2" {
	for o in '--window=0' '--window=10001' '--below=2' '--mads=-1' '--floor=x' \
	    '--warmup=101' '--history=5 --warmup=6' '-0' 'a b' '--exec=x'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 vec-drift $o
		[ "$output" = "" ]
		[[ $stderr == "vec-drift: "* ]]
	done
}

@test "the default of --warmup is lowered to --history" {
	perl -e 'srand(7); printf "{\"vector\":[%f,%f]}\n", 1 + rand, rand
	    for 1 .. 20' >v
	vec-drift --window=3 --history=5 v >got
	vec-drift --window=3 --history=5 --warmup=5 v | timeless |
	    diff <(timeless <got) -
	[ "$(jq -s '[.[] | select(.limit != null)] | length' got)" -gt 5 ]
}

@test "-v prints what was read, and -q prints nothing" {
	same 3 >v
	run --separate-stderr -0 vec-drift -v v
	[ "${#lines[@]}" -eq 3 ]
	[ "$stderr" = "vec-drift: v: 3 vectors of 2 numbers, lines of JSON" ]
	run --separate-stderr -0 vec-drift -v <<<'{"vector":[1]}'
	[ "$stderr" = "vec-drift: stdin: 1 vector of 1 number, lines of JSON" ]
	run --separate-stderr -0 vec-drift --verbose </dev/null
	[ "$stderr" = "vec-drift: stdin: no vectors" ]
	run --separate-stderr -0 vec-drift -v --quiet v
	[ "$stderr" = "" ]
}
