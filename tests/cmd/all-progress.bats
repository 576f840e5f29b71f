#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Progress (rule 32), in each program that may run for a long time.

load ../support/helper

setup() {
	printf 'P6 2 2 255\n............' >a.ppm
	export NPU_EMU_CORES=1
}

# slowly COMMAND...: runs COMMAND on a terminal, with 400 ms for each inference.
# The file "said" has what the terminal showed.
slowly() {
	NPU_EMU_INFER_MS=400 script -qec "$*" said </dev/null
}

# late FILE: makes the pipe "late", which has the bytes of FILE after 1.5 s.
late() {
	mkfifo late
	{ sleep 1.5; cat "$1"; } >late 3>&- &
}

# shows TEXT: checks that the terminal showed TEXT, a regular expression.
shows() {
	local st=0
	grep -qaE "$1" said || st=$?
	[ $st -eq 0 ] || cat -v said
	return $st
}

# bats test_tags=slow
@test "yolo-detect shows the progress in pictures, with the time left" {
	mkdir folder
	cp a.ppm folder/1.ppm
	cp a.ppm folder/2.ppm
	echo none >folder/text
	printf 'a.ppm\n\na.ppm\n' >list
	slowly yolo-detect -d emu -o out -R --files-from=list folder a.ppm
	shows '[1-4] of 5 pictures, [0-9.]+/(s|min), [0-9]+:[0-9]+ left'
	slowly yolo-detect -d emu -o out --progress=never a.ppm a.ppm a.ppm a.ppm
	run -1 shows ' pictures'
}

# bats test_tags=slow
@test "npu-model verify shows the megabytes that it has read" {
	[ -x "$B/bin/npu-model" ] || skip "built without libcurl"
	truncate -s 2G big.onnx
	slowly npu-model verify --progress=never big.onnx || [ $? -eq 4 ]
	run -1 shows ' MB'
	slowly npu-model verify big.onnx || [ $? -eq 4 ]
	shows '[0-9]+ MB, '
}

# bats test_tags=slow
@test "clip-classify and clip-embed show the progress in pictures" {
	slowly clip-classify -q -d emu -l x -o out a.ppm a.ppm a.ppm a.ppm a.ppm
	run -1 shows ' pictures'
	slowly clip-classify -d emu -l x -o out a.ppm a.ppm a.ppm a.ppm a.ppm
	shows '[1-5] of 5 pictures, '
	slowly clip-embed -d emu -o out a.ppm a.ppm a.ppm a.ppm a.ppm
	shows '[1-5] of 5 pictures, '
}

# bats test_tags=slow
@test "clip-embed shows the progress in texts, with the total for --text" {
	slowly clip-embed -d emu -o out --text=a --text=b --text=c --text=d --text=e
	shows '[1-5] of 5 texts, '
	printf 'a\nb\nc\nd\ne\n' >texts
	slowly clip-embed -d emu --lines -o out texts
	shows '[1-5] of 5 texts, [0-9.]+/(s|min)'
	slowly "cat texts | clip-embed -d emu --lines -o out"
	shows '[1-5] texts, [0-9.]+/(s|min) '
}

# bats test_tags=slow
@test "img-tensor shows the progress in pictures" {
	late a.ppm
	slowly img-tensor --for=clip -o out a.ppm late a.ppm a.ppm
	shows '[1-4] of 4 pictures, [0-9.]+/(s|min)'
	wait $!
}

# bats test_tags=slow
@test "npu-run shows the progress in frames" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	printf abcdefghijklmnopqrst >in
	slowly npu-run -d emu -j 1 -o out m.cix in
	shows '[1-5] of 5 frames, [0-9.]+/(s|min), [0-9]+:[0-9]+ left'
	slowly "npu-run -d emu -j 1 -o out m.cix <in"
	shows '[1-5] of 5 frames, '
	slowly "cat in | npu-run -d emu -j 1 -o out m.cix"
	shows '[1-5] frames, [0-9.]+/(s|min) '
	# Frames with labels, as an array, and from two files.
	npu-tensor -a -t s8 --shape=4 in >labelled
	npu-tensor -a -t s8 --shape=5,4 in | npu-tensor -F npy >batch.npy
	slowly npu-run -d emu -j 1 -o out m.cix labelled batch.npy
	shows '[1-9] of 10 frames, '
	slowly npu-run -d emu -j 1 -o out --input=batch.npy m.cix
	shows '[1-5] of 5 frames, '
}

# bats test_tags=slow
@test "vec-nearest shows the vectors compared; -v prints the total" {
	f32 1 0 0 1 1 1 | npu-tensor -a -t f32 --shape=2 >base
	f32 1 2 | npu-tensor -a -t f32 --shape=2 >query
	late query
	slowly vec-nearest -v -o out base late
	shows '[123] vectors compared, [0-9.]+/(s|min)'
	shows '^.*vec-nearest: 3 vectors compared'
	wait $!
	run -0 --separate-stderr vec-nearest base query
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "npu-bench prints how long it will take, and shows the runs done" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	slowly npu-bench -d emu --idle=none --runs=2 --min-time=1200ms -w 1 -o out m.cix
	shows 'npu-bench: 2 runs: at least 2 s'
	shows '[12] of 2 runs, [0-9.]+/(s|min)'
	# Within a run, the time left is counted down.
	shows '0 of 2 runs, 0:0[12] left'
	# The notes of the processes that measure are not behind the line.
	run -1 shows 'left \x1b\[Knpu-bench: '
	slowly npu-bench -d emu --idle=none --min-time=3s -w 1 -o out m.cix
	shows '0 of 1 run, 0:0[12] left'
	slowly npu-bench -q -d emu --idle=none --runs=2 --min-time=1200ms -w 1 -o out m.cix
	run -1 shows ' runs'
	run -0 --separate-stderr npu-bench -d emu --idle=none --runs=2 --min-iter=1 -w 1 \
	    -o out m.cix
	[[ $stderr != *" runs"* ]]
}

# bats test_tags=slow
@test "the progress line is removed before a message or a record" {
	echo none >bad.ppm
	run -1 slowly yolo-detect -d emu -o out a.ppm a.ppm a.ppm a.ppm bad.ppm
	shows $'pictures, .*\r\033\\[Kyolo-detect: bad.ppm: '
	slowly yolo-detect -d emu -F tsv a.ppm a.ppm a.ppm a.ppm a.ppm
	# The line is never followed by anything except its removal.
	run -1 grep -aE $'left \033\\[K[^\r]' said
}

# bats test_tags=slow
@test "progress is shown only on a terminal; --progress=maybe is refused" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	printf abcdefgh >in
	export NPU_EMU_INFER_MS=600
	run -0 --separate-stderr npu-run -d emu -j 1 -r -o out m.cix in
	[ "$stderr" = "" ]
	run -2 --separate-stderr npu-run --progress=maybe m.cix in
	[[ ${stderr_lines[0]} == *"--progress: 'maybe'"* ]]
}

# tests/unit/cmd/progress.c tests that a line comes every ten seconds.
# bats test_tags=slow
@test "--progress=always prints lines to a log, unless -q is given" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	printf abcdefghijkl >in
	NPU_EMU_INFER_MS=5500 run -0 --separate-stderr npu-run -d emu -j 1 -r \
	    --progress=always -o out m.cix in
	[[ ${stderr_lines[0]} =~ ^"npu-run: "[123]" of 3 frames, "[0-9.]+"/min"(", 0:"[0-9]+" left")?$ ]]
	NPU_EMU_INFER_MS=5500 run -0 --separate-stderr npu-run -d emu -j 1 -r \
	    -q --progress=always -o out m.cix in
	[ "$stderr" = "" ]
}

# held COMMAND...: runs COMMAND on a terminal; nobody reads its output for 1.5 s.
held() {
	slowly "$* | { sleep 1.5; cat >out; }"
}

# bats test_tags=slow
@test "filters show how much of their files they have read" {
	head -c 6000000 /dev/zero | tr '\0' a >bytes
	npu-tensor --add -t u8 --shape=1000 bytes >labelled
	npu-tensor --add -t f32 --shape=100 bytes >vectors
	fold -w 60 bytes >texts
	head -c 6000000 /dev/zero >zeros
	for command in 'npu-dequant bytes -t u8 --shape=1000' \
	    'npu-dequant -F text labelled' 'npu-quant -t s8 bytes' \
	    'npu-tensor -r labelled' \
	    'npu-ref attention zeros' 'clip-tokenize --truncate texts' \
	    'vec-drift vectors'; do
		held "$command"
		shows '[0-9]+ of 6[0-9]{3} kB, [0-9.]+/s, [0-9]+:[0-9]+ left'
		held "$command --progress=never"
		run -1 shows ' kB'
	done
	held "npu-dequant -F text <labelled"
	shows '[0-9]+ of 6[0-9]{3} kB, '
	held "npu-tensor -r labelled labelled"
	shows '[0-9]+ of 12[0-9]{3} kB, '
	# The size of a pipe is not known.
	held "cat labelled | npu-tensor -r"
	run -1 shows ' kB'
}

# bats test_tags=slow
@test "of the programs of a pipeline, one shows its progress" {
	head -c 6000000 /dev/zero >a
	head -c 9000000 /dev/zero >b
	held "{ npu-dequant -r -t u8 a & npu-dequant -r -t u8 b; wait; }"
	a=0 b=0
	shows '[0-9]+ of 6000 kB, ' || a=1
	shows '[0-9]+ of 9000 kB, ' || b=1
	[ $((a + b)) -eq 1 ]
}

# bats test_tags=slow
@test "yolo-draw and yolo-decode show the progress in pictures" {
	cp a.ppm b.ppm
	yolo-detect -q -d emu -F jsonl -o found a.ppm b.ppm
	late found
	slowly yolo-draw --detections=late -F ppm -o out a.ppm b.ppm
	shows '[12] of 2 pictures, '
	wait $!
	head -c 1411200 /dev/zero >y
	{ sleep 1.5; cat y y; } >late 3>&- &
	slowly "yolo-decode -m yolov8n.cix -o out --image=a.ppm --image=b.ppm late"
	shows '[12] of 2 pictures, '
	wait $!
}

# bats test_tags=slow
@test "vec-index shows the progress in vectors" {
	seq 500 | clip-embed -q --lines --index=texts.index -d emu
	held "vec-index --export=jsonl texts.index"
	shows '[0-9]+ of 500 vectors, '
	held "vec-index --export=jsonl -q texts.index"
	run -1 shows ' vectors'
}
