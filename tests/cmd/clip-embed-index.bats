#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-embed --index: what is there already is not computed again.

load ../support/helper
load ../support/clipembed

# no_model ARG...: fails if the model is run once.
no_model() {
	NPU_EMU_FAULT='infer:*:exception' clip-embed -d emu "$@"
}

@test "an index gets what is new, and the model is run for nothing else" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[ -z "$output" ]
	[[ $stderr == *"clip-embed: ix: 2 new vectors, 0 known ones under new names, 0 there before, 2 now" ]]
	cp ix old
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix black.ppm \
	    white.ppm
	[ -z "$output" ]
	[[ $stderr == *": 0 new vectors, 0 known ones under new names, 2 there before, 2 now" ]]
	cmp ix old
	# Nor is a known one decoded: this limit would refuse it.
	run -0 no_model -m "$DOTS" --max-pixels=1 --index=ix black.ppm
	# The same picture by another name has the same vector.
	cp white.ppm paper.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix paper.ppm
	[[ $stderr == *": 0 new vectors, 1 known ones under new names, 0 there before, 3 now" ]]
	# What was there is there as it was, and its bytes come again.
	head -c "$(wc -c <old)" ix | cmp - old
	# Another picture by the same name replaces it.
	dots 99 >white.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[[ $stderr == *": 1 new vectors, 0 known ones under new names, 1 there before, 3 now" ]]
	run -0 --separate-stderr embed -m "$DOTS" --index=ix black.ppm
	[ -z "$stderr" ]
}

@test "a damaged vector that is met again is made anew, and takes its place" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	embed -m "$DOTS" --index=ix black.ppm white.ppm
	dots 9 >gray.ppm
	embed -m "$DOTS" -F npy gray.ppm >q.npy
	vec-nearest ix q.npy >want
	# A byte of the first vector, behind the header and the record's head.
	at=$(($(od -An -tu4 -j12 -N4 ix) + 64))
	printf '\177' | dd of=ix bs=1 seek=$at conv=notrunc status=none
	run -1 vec-nearest ix q.npy
	# Who meets another one leaves it as it is.
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix white.ppm
	run -1 vec-nearest ix q.npy
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[[ $stderr == *": 1 new vectors, 0 known ones under new names, 1 there before, 2 now" ]]
	vec-nearest ix q.npy | cmp - want
}

@test "an index of texts, and of pictures of every kind" {
	printf 'one\ntwo\none\n' >texts
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" --index=t texts
	[[ $stderr == *" new vectors, "*", 2 now" ]]
	run -0 --separate-stderr no_model -t -m "$IDS" --index=t texts
	[[ $stderr == *": 0 new vectors, 0 known ones under new names, 3 there before, 2 now" ]]
	run -0 --separate-stderr no_model -m "$IDS" --index=t -s two
	for i in 1 2; do printf 'P6\n2 2\n255\n%012d' $i; done >film
	run -0 clip-embed -d emu -m "$DOTS" --index=p --stream=ppm film
	run -0 --separate-stderr no_model -m "$DOTS" --index=p --stream=ppm film
	[[ $stderr == *" 2 there before, 2 now" ]]
	dots 7 >a.ppm
	run -0 clip-embed -d emu -m "$DOTS" --index=p <a.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=p <a.ppm
	[[ $stderr == *" 1 there before, 3 now" ]]
}

@test "the vectors of an index, and their names, are those that were made" {
	names=()
	for i in 1 77 150 255; do
		printf 'P3 2 2 255 %d 0 0 0 %d 0 9 9 9 0 0 200' "$i" "$i" \
		    >"$i.ppm"
		names+=("$i.ppm")
	done
	embed -m "$DOTS" --index=ix "${names[@]}"
	# The cosine of a vector with itself is exactly 1, of others less.
	for f in label npy jsonl; do
		embed -m "$DOTS" -F $f "${names[@]}" >v
		vec-nearest -n 1 ix v | cut -f 3,4 >found
		diff found <(printf '1\t%s\n' "${names[@]}")
	done
	embed -m "$DOTS" --norm=none --index=long "${names[@]}"
	vec-nearest -n 1 ix long | cut -f 1,4 |
	    diff - <(for n in "${names[@]}"; do printf '%s\t%s\n' "$n" "$n"
	done)
}

@test "two at once fill one index" {
	for i in $(seq 60); do dots "$i" >"$i.ppm"; done
	export NPU_EMU_INFER_MS=2
	seq -f %g.ppm 1 40 | embed -m "$DOTS" --index=ix --files-from=- &
	seq -f %g.ppm 21 60 | embed -m "$DOTS" --index=ix --files-from=-
	wait $!
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix \
	    --files-from=<(seq -f %g.ppm 1 60)
	[[ $stderr == *" 60 there before, 60 now" ]]
}

@test "what failed is not in the index" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed -m "$DOTS" --index=ix a.ppm missing
	[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix a.ppm
	[[ $stderr == *" 1 there before, 1 now" ]]
	dots 254 >b.ppm
	NPU_EMU_FAULT=infer:1:exception run -1 embed -m "$DOTS" --index=ix \
	    b.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix b.ppm
	[[ $stderr == *": 1 new vectors, "*" 2 now" ]]
	# A name that an index cannot keep.
	mkonnx Identity f32:1x70000 : f32:1x70000 >long.onnx
	cix-pack -o long.cix -I text:s32:1x65536 -O v:f32:1x65536
	printf 'a%.0s' $(seq 66000) >long
	run -1 --separate-stderr embed -t -m "$IDS" --truncate --index=tx \
	    long
	[[ $stderr == "clip-embed: long: line 1: "*" bytes"* ]]
	run -0 --separate-stderr clip-embed -d emu -t -m "$IDS" --index=tx \
	    </dev/null
	[[ $stderr == *" 0 now" ]]
}

@test "more bad pictures than may wait behind one that the model has" {
	dots 255 >a.ppm
	# shellcheck disable=SC2046
	NPU_EMU_INFER_MS=1500 run -1 --separate-stderr embed -v -T 20s \
	    -m "$DOTS" -F text a.ppm $(printf 'none%d ' $(seq 100)) a.ppm
	[ "${#lines[@]}" -eq 102 ]
	[ "${lines[0]}" = "${lines[101]}" ]
	[ "${#stderr_lines[@]}" -eq 100 ]
	[ "${stderr_lines[99]}" = \
	    "clip-embed: none100: No such file or directory" ]
}

@test "what a signal has cut is no text" {
	mkfifo in
	exec 8<>in
	clip-embed -q -d emu -m "$IDS" -t -F text in >out 3>&- 8>&- &
	pid=$!
	printf 'cat\nca' >&8
	for _ in $(seq 300); do
		[ ! -s out ] || break
		sleep 0.1
	done
	sleep 0.2
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 143 ]
	[ "$(wc -l <out)" -eq 1 ]
	printf 'cat\nca' >texts
	run --separate-stderr -1 torn texts clip-embed -q -d emu -m "$IDS" -t \
	    -F text -
	[ "${#lines[@]}" -eq 1 ]
	[ "$stderr" = "clip-embed: stdin: Input/output error" ]
}

@test "an alarm of others breaks off no open and no read" {
	printf 'P6 2 2 255\nabcdefghijkl' >a.ppm
	embed -m "$DOTS" -F text a.ppm >one
	mkfifo in
	for args in "-m $IDS -t" "-m $DOTS --stream=ppm"; do
		# shellcheck disable=SC2086 # words
		clip-embed -q -d emu -F text $args in >out 3>&- &
		pid=$!
		loaded $pid
		sleep 0.5
		kill -ALRM $pid		# in open()
		sleep 0.3
		exec 8<>in
		# What is written before it has opened the pipe is lost.
		for _ in $(seq 600); do
			! find "/proc/$pid/fd" -lname "$PWD/in" | grep -q . ||
				break
			sleep 0.05
		done
		sleep 0.3
		kill -ALRM $pid		# in read()
		sleep 0.3
		case $args in
		*-t) echo cat ;;
		*) cat a.ppm ;;
		esac >&8
		exec 8>&-
		wait $pid
		case $args in
		*-t) embed -m "$IDS" -F text -s cat | cmp - out ;;
		*) cmp one out ;;
		esac
	done
}

@test "as many that cannot be read as may wait behind one that runs" {
	# 64 wait at most; a row of 4 ids has no room for 5 words.
	{ echo cat; yes 'a b c d e' | head -n 70; echo cat; } >texts
	NPU_EMU_INFER_MS=700 run -1 --separate-stderr embed -T 20s -m "$IDS" \
	    -t -F text texts
	[ "${#lines[@]}" -eq 72 ]
	[ "${lines[0]}" = "${lines[71]}" ]
	[ "$(printf '%s\n' "${lines[@]:1:70}" | sort -u)" = "nan nan nan nan" ]
	[ "${#stderr_lines[@]}" -eq 70 ]
	[[ ${stderr_lines[69]} == "clip-embed: texts: line 71: "* ]]
}

@test "SIGTERM ends the wait for those that were given up" {
	yes cat | head -n 60 >texts
	# Three are in flight, and each is given up at once; then a fourth
	# waits a second for their room.
	export NPU_EMU_INFER_MS=60000
	clip-embed -q -d emu -T 200ms -t -m "$IDS" -o out texts \
	    2>said 3>&- &
	pid=$!
	for _ in $(seq 300); do
		[ ! -e said ] || [ "$(wc -l <said)" -lt 3 ] || break
		sleep 0.1
	done
	sleep 0.3
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
	[ ! -e out ]
}

@test "an index of another model, preprocessing or norm is refused" {
	dots 255 >a.ppm
	embed -m "$DOTS" --index=ix a.ppm
	cp ix old
	run -1 --separate-stderr embed -m "$DOTS" --index=ix --fit=stretch a.ppm
	[[ $stderr == "clip-embed: ix: "*"crop 2x2 bicubic"*"stretch 2x2 bilinear"* ]]
	mkonnx Relu f32:1x3x2x2 : f32:1x3x2x2 >relu.onnx
	cix-pack -o relu.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 relu.onnx
	run -1 --separate-stderr embed -m ./relu.cix --index=ix a.ppm
	[[ $stderr == *"$(sha256sum <"$DOTS" | cut -d' ' -f1)"* ]]
	[[ $stderr == *"$(sha256sum <relu.cix | cut -d' ' -f1)"* ]]
	run -1 --separate-stderr embed -m "$DOTS" --index=ix --norm=none a.ppm
	[[ $stderr == "clip-embed: ix: "*l2*none* ]]
	run -1 embed -m "$IDS" --index=ix -s cat
	run -1 embed -m "$DOTS" --index=a.ppm a.ppm
	cmp ix old
	# What others made is not compared with it.
	embed -m "$IDS" --index=texts -s cat
	h=$(perl -e 'print "ab" x 32')
	printf '{"kind":"text","model_sha256":"%s","vector":[1,0,0,0]}\n' "$h" \
	    >query
	run -1 --separate-stderr vec-nearest texts query
	[[ $stderr == "vec-nearest: texts: vector 1 (cat): a text's vector by \
model $(sha256sum <"$IDS" | cut -d' ' -f1), but query has them by model $h"* ]]
	for args in '-F raw' '-o v' '--ids=i' '--about=i' '-s cat'; do
		# shellcheck disable=SC2086 # words
		run -2 embed --index=ix $args a.ppm
	done
}
