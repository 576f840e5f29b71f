# SPDX-License-Identifier: Apache-2.0
# The note about the origin of results: one line, printed once in a pipeline.

load ../support/helper

DEMO=$B/share/npu-utils/models/clip_txt.cix

setup() {
	clip-tokenize -q --text=bus >bus
}

# bats test_tags=slow
@test "the note about the emulator and the demo model is one line" {
	run --separate-stderr -0 npu-run clip_txt.cix bus
	[ "$stderr" = "npu-run: emulator, demo model clip_txt.cix" ]
	run --separate-stderr -0 clip-embed --text=bus
	[ "$stderr" = "clip-embed: emulator, demo model clip_txt.cix" ]
	printf 'P3 1 1 255 10 200 30' >p.ppm
	run --separate-stderr -0 yolo-detect p.ppm
	[ "$stderr" = "yolo-detect: emulator, demo model yolov8n.cix" ]
	run --separate-stderr -0 npu-bench --idle=none --runs=1 --min-iter=5 \
	    --warmup=0 clip_txt.cix
	[ "$(grep -c . <<<"$stderr")" -ge 1 ]
	[ "$(grep -c 'emulator, demo model clip_txt.cix' <<<"$stderr")" -eq 1 ]
	[ "$(grep -cE 'emulator|demo' <<<"$stderr")" -eq 1 ]
}

# bats test_tags=slow
@test "the note leaves out what the user has asked for" {
	run --separate-stderr -0 npu-run --device=emu clip_txt.cix bus
	[ "$stderr" = "npu-run: demo model clip_txt.cix" ]
	NPU_DEVICE=emu run --separate-stderr -0 npu-run clip_txt.cix bus
	[ "$stderr" = "npu-run: demo model clip_txt.cix" ]
	run --separate-stderr -0 npu-run "$DEMO" bus
	[ "$stderr" = "npu-run: no NPU here: using the emulator (-d emu asks \
for it without this line, -d npu forbids it)" ]
	run --separate-stderr -0 npu-run --device=emu "$DEMO" bus
	[ "$stderr" = "" ]
	run --separate-stderr -0 npu-run --quiet clip_txt.cix bus
	[ "$stderr" = "" ]
}

# While the first program waits for its input, the others in its pipeline print
# no note.
@test "only one program of a pipeline prints the note" {
	mkfifo first
	npu-run --raw clip_txt.cix first >one 2>said &
	first=$!
	exec 9>first
	loaded $first
	for _ in $(seq 1200); do
		[ ! -s said ] || break
		sleep 0.05
	done
	npu-run --raw clip_txt.cix bus >two 2>>said
	# A program with another stderr, or in another process group, is not
	# part of this pipeline.
	npu-run --raw clip_txt.cix bus >three 2>elsewhere
	(set -m; npu-run --raw clip_txt.cix bus >four 2>>said & wait $!)
	cat bus >&9
	exec 9>&-
	wait $first
	cmp one two
	cmp one three
	cmp one four
	[ "$(cat elsewhere)" = "npu-run: emulator, demo model clip_txt.cix" ]
	[ "$(grep -c '^npu-run: emulator, demo model clip_txt.cix$' said)" -eq 2 ]
	[ "$(wc -l <said)" -eq 2 ]
	# The first program has ended, so this is another pipeline.
	npu-run --raw clip_txt.cix bus 2>>said >five
	[ "$(wc -l <said)" -eq 3 ]
}

# bats test_tags=slow
@test "a pipeline of a shell with job control prints one note" {
	cat >pipeline <<-'END'
	set -m
	rm -f end
	{ cat bus; until [ -e end ]; do sleep 0.05; done; } |
	    npu-run clip_txt.cix | {
		npu-run clip_txt.cix bus | npu-run clip_txt.cix bus >two
		st=$?
		>end
		cat >one
		exit $st
	}
	[ "${PIPESTATUS[*]}" = '0 0 0' ]
	END
	for _ in 1 2 3; do
		run --separate-stderr -0 bash pipeline
		[ "$stderr" = "npu-run: emulator, demo model clip_txt.cix" ]
		cmp one two
	done
}

# The programs use a socket and make no file.  Where sockets are not possible,
# every program prints the note.
# bats test_tags=native,slow
@test "without sockets, each program prints the note" {
	run --separate-stderr -0 strace -f -qq -o trace -e trace=bind,socket \
	    -e inject=bind:error=EACCES npu-run clip_txt.cix bus
	[ "$stderr" = "npu-run: emulator, demo model clip_txt.cix" ]
	grep -q 'sun_path=@' trace
	run --separate-stderr -0 strace -f -qq -o trace -e trace=bind,socket \
	    -e inject=socket:error=EPERM npu-run clip_txt.cix bus
	[ "$stderr" = "npu-run: emulator, demo model clip_txt.cix" ]
}
