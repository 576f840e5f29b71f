#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A signal that arrives after the work is done, but before the output is
# written.  Each named file is then complete, with its old or its new content,
# and the program ends by the signal.  The signal comes just before a call that
# tests/faults/inject.h counts, so it comes at the same point in every run.
# bats file_tags=slow

load ../support/helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	mkonnx Identity f32:1x4 : f32:1x4 >ids.onnx
	cix-pack -o ids.cix -I text:s32:1x4 -O v:f32:1x4 ids.onnx
	mkonnx Identity f32:1x3x2x2 : f32:1x3x2x2 >dots.onnx
	cix-pack -o dots.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 dots.onnx
	mkonnx Identity f32:1x12 : f32:1x12 >row.onnx
	cix-pack -o row.cix -I text:s32:1x12 -O v:f32:1x12 row.onnx
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    toy.onnx
	export MODELS=$PWD
}

setup() {
	export NPU_DEVICE=emu
	printf 'cat\na dog\n' >texts
	printf 'P6 2 2 255\nabcdefghijkl' >a.ppm
}

# stopped CALL N COMMAND...: runs COMMAND, and sends SIGTERM to all its
# processes just before call number N of the function CALL.  With N = 0, sends
# no signal.  The file calls lists the calls.
stopped() {
	printf '\0\0\0\0\0\0\0\0' >count
	: >calls
	"$TOP/tests/faults/bin/killed" 0 env \
	    LD_PRELOAD="$B/tests/faults/inject.so" TORTURE_TREE="$B" \
	    TORTURE_COUNT=count TORTURE_LOG=calls TORTURE_ONLY="$1" \
	    TORTURE_KILL="$2" TORTURE_SIGNAL=15 \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
	    "${@:3}" 9>/dev/null
}

# near_end CALL K COMMAND...: runs COMMAND without a signal to count its calls
# of CALL.  Then runs it again as stopped does, and sends the signal K calls
# before the last.
near_end() {
	stopped "$1" 0 "${@:3}" || return
	put_old
	stopped "$1" $(($(wc -l <calls) - $2)) "${@:3}"
}

# put_old: gives each file of $files the content "old".
put_old() {
	local f
	for f in $files; do
		echo old >"$f"
	done
}

# old FILE...: checks that each FILE still has the content "old", and that no
# temporary file is left.
old() {
	local f
	for f; do
		[ "$(cat "$f")" = old ] || {
			echo "$f has new content: $(head -c 200 "$f")"
			return 1
		}
	done
	[ -z "$(find . -name '.npu-*')" ]
}

@test "yolo-detect: SIGTERM leaves whole pictures, lists and JSON" {
	detect() {
		stopped "$1" 1 yolo-detect -q -m "$MODELS/toy.cix" \
		    "${@:2}" a.ppm
	}
	mkdir drawn lists
	files='drawn/a.png lists/a.txt'
	put_old
	# yolo-detect chooses the random name of the temporary file after the
	# model's answer.
	run -143 detect getrandom --draw=drawn
	old drawn/a.png
	run -143 detect getrandom -F yolo -o lists
	old lists/a.txt
	# A file that is written before the signal is complete.
	run -143 detect fsync --draw=drawn
	[ "$(head -c 4 drawn/a.png | tail -c 3)" = PNG ]
	run -143 detect rename -o o
	jq -e .file o
}

@test "clip-embed: SIGTERM at the end leaves whole vectors and ids" {
	embed() {
		"${@:1:3}" clip-embed -q --lines -m "$MODELS/ids.cix" -o v \
		    "${@:4}" texts
	}
	files='v ids about'
	# clip-embed looks for output of the library (fflush) after it unloads
	# the model, and twice at the end.
	run -143 embed near_end fflush 2 -F npy
	old v
	run -143 embed near_end fflush 2 -F npy --write-ids=ids --about=about
	old v ids about
	# Complete files get their names: the ids are closed first.
	put_old
	run -143 embed stopped fsync 1 -F npy --write-ids=ids --about=about
	[ "$(wc -l <ids)" -eq 2 ]
	[ "$(stat -c %s v)" -eq $((128 + 2 * 16)) ]
	old about
	# A signal that comes when all is done has the same effect.
	run -143 embed near_end fflush 1 -F npy --write-ids=ids
	[ "$(stat -c %s v)" -eq $((128 + 2 * 16)) ]
	[ "$(wc -l <ids)" -eq 2 ]
}

@test "clip-embed ends by SIGPIPE without a reader, by SIGTERM with one" {
	# clip-embed writes the matrix at its end.  The reader leaves before
	# the first text arrives.
	mkfifo in out
	clip-embed -q --lines -m "$MODELS/ids.cix" -F npy <in >out 3>&- &
	pid=$!
	exec 8>in 7<out
	exec 7<&-
	cat texts >&8
	exec 8>&-
	status=0
	wait $pid || status=$?
	[ $status -eq 141 ]
	exec 8<>out
	# More output than a pipe holds.
	seq 80000 >many
	clip-embed -q --lines -m "$MODELS/ids.cix" -F npy many >out 3>&- 8>&- &
	pid=$!
	head -c 1 <&8 >first
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 143 ]
}

@test "clip-classify keeps the old file if SIGTERM cuts its JSON array" {
	files=o
	run -143 near_end fflush 2 clip-classify -q -F json -o o \
	    --text-model="$MODELS/row.cix" \
	    --image-model="$MODELS/dots.cix" -l cat a.ppm
	old o
}

@test "npu-bench keeps the old file if SIGTERM comes before the report" {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
	files=r
	mkdir root
	# npu-bench reads the temperature before it makes the report.
	run -143 near_end opendir 0 npu-bench -q --idle=none --root=root \
	    -w 0 --min-iter=3 --min-time=0s --json -o r m.cix
	old r
}
