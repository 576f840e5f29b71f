#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The twin of a model on libnoe-emu.so: where it is found, and how its numbers
# are converted.
# bats file_tags=slow

load ../support/helper
load ../support/emumodel

# ---- The twin ---------------------------------------------------------------

# times N: prints a matrix that multiplies four floats by N.
times() {
	f32 "$1" 0 0 0 0 "$1" 0 0 0 0 "$1" 0 0 0 0 "$1"
}

@test "weights in other files are read from the folder of the twin" {
	mkdir m cwd
	mkonnx MatMul f32:1x4 f32:4x4@w.bin : f32:1x4 >m/m.onnx
	model >m/m.cix
	times 2 >m/w.bin
	times 100 >cwd/w.bin
	f32 1 2 3 4 >in
	for d in m cwd .; do
		(cd $d && noe "$OLDPWD/m/m.cix") <in >out
		[ "$(floats out)" = "2 4 6 8" ]
	done
	ln -s ../m/m.onnx cwd/n.onnx		# beside its name, as ONNX has it
	NPU_TWIN=cwd/n.onnx noe m/m.cix <in >out
	[ "$(floats out)" = "100 200 300 400" ]
	rm m/w.bin
	cd cwd
	run --separate-stderr -9 noe ../m/m.cix <../in
	one_line 0x9 "m/m.onnx: ONNX Runtime: "
	# For a pipe, no folder is known in which to look for the files.
	mkfifo p
	cat ../m/m.onnx >p &
	NPU_TWIN=p run --separate-stderr -9 noe ../m/m.cix <../in
	one_line 0x9 "p: its weights are in other files, which are found beside a regular file"
	wait $!
}

@test "weights missing in a packed twin are not read from the folder" {
	mkonnx MatMul f32:1x4 f32:4x4@w.bin : f32:1x4 >x.onnx
	times 100 >w.bin
	f32 1 2 3 4 >in
	# cix-pack does not write such a model, so it replaces a twin that is at
	# least as long.
	four Identity >room.onnx
	head -c "$(($(wc -c <x.onnx) / 2 * 2))" /dev/zero | tr '\0' '\010' \
	    >>room.onnx
	model room.onnx >m.cix
	perl -0777 -pe 'BEGIN { local $/; open F, "x.onnx"; $x = <F>;
	    open F, "room.onnx"; $room = <F> }
	    s/\Q$room\E/$x . "\010" x (length($room) - length $x)/e' -i m.cix
	run --separate-stderr -9 noe m.cix <in
	one_line 0x9 "its twin in the file: its weights are in other files, and none are beside a twin in a model; pack it as one file: cix-pack(1)"
	[ "$output" = "" ]
	# If the twin is given as a file, its weights are found.
	NPU_TWIN=x.onnx noe m.cix <in >out
	[ "$(floats out)" = "100 200 300 400" ]
}

# From the last place to the first: each new twin has priority over the earlier
# ones.
@test "the twin is searched in the order of the manual page" {
	mkdir -p hub/cfg hub/model
	model >hub/m.cix
	f32 4 -9 0.25 -1 >in

	four Neg >hub/model/any.onnx
	noe hub/m.cix <in >out
	[ "$(floats out)" = "-4 9 -0.25 1" ]

	four Identity >hub/model/named.onnx
	printf '[Parser]\ninput_model = ./model/named.onnx\n' >hub/cfg/a.cfg
	noe hub/m.cix <in >out
	[ "$(floats out)" = "4 -9 0.25 -1" ]

	four Abs >hub/m.onnx
	noe hub/m.cix <in >out
	[ "$(floats out)" = "4 9 0.25 1" ]

	four Relu >relu.onnx
	model relu.onnx >hub/m.cix
	noe hub/m.cix <in >out
	[ "$(floats out)" = "4 0 0.25 0" ]

	four Sign >sign.onnx
	NPU_TWIN=x=nowhere.onnx:m=sign.onnx noe hub/m.cix <in >out
	[ "$(floats out)" = "1 -1 1 -1" ]
	NPU_TWIN=sign.onnx noe hub/m.cix <in >out
	[ "$(floats out)" = "1 -1 1 -1" ]
	# Pairs for other models do not affect this model.
	NPU_TWIN=x=sign.onnx noe hub/m.cix <in >out
	[ "$(floats out)" = "4 0 0.25 0" ]
}

@test "of several configurations, only one that makes this model is used" {
	mkdir -p cfg model
	model >clip_txt.cix
	four Neg >model/visual.onnx
	four Abs >model/text.onnx
	printf 'input_model=model/visual.onnx\noutputs = clip_visual.cix\n' \
	    >cfg/a.cfg
	# The path is relative to the configuration; with quotes, a comment and
	# a CR.
	printf 'input_model = "../model/text.onnx" # x\r\noutputs=out/clip_txt.cix\r\n' \
	    >cfg/b.cfg
	printf 'input_model=model/visual.onnx\noutputs=other.cix\n' >cfg/c.cfg
	f32 1 -2 3 -4 >in
	noe clip_txt.cix <in >out
	[ "$(floats out)" = "1 2 3 4" ]
	rm cfg/b.cfg cfg/c.cfg
	four Relu >model/more.onnx
	printf 'input_model=model/more.onnx\noutputs=other.cix\n' >cfg/c.cfg
	run --separate-stderr -12 noe clip_txt.cix <in
	one_line 0xc "several named by cfg/*.cfg"
}

@test "brackets in a folder's name are not treated as a pattern" {
	mkdir -p 'v[1]/model' v1/model
	model >'v[1]/m.cix'
	four Abs >v1/model/m.onnx
	f32 1 -2 3 -4 >in
	run --separate-stderr -12 noe 'v[1]/m.cix' <in
	one_line 0xc "none named by cfg/*.cfg there, no model/*.onnx"
	four Neg >'v[1]/model/m.onnx'
	noe 'v[1]/m.cix' <in >out
	[ "$(floats out)" = "-1 2 -3 4" ]
}

@test "the twin of a model passed as /proc/self/fd/N is found" {
	model >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	exec 7<m.cix
	noe /proc/self/fd/7 <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "without a twin, the message names the places and the remedy" {
	model >m.cix
	run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "/m.onnx, none named by cfg/*.cfg there, no model/*.onnx; set NPU_TWIN=FILE.onnx"
}

@test "a pipe as a twin or a configuration is not waited for" {
	mkdir cfg model
	model >m.cix
	mkfifo m.onnx
	run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "its twin $PWD/m.onnx: not a regular file"
	rm m.onnx
	mkfifo cfg/a.cfg
	four Neg >model/x.onnx
	f32 1 2 3 4 >in
	noe m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "an NPU_TWIN that does not exist is an error and is not skipped" {
	model >m.cix
	four Neg >m.onnx
	NPU_TWIN=gone.onnx run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "NPU_TWIN=gone.onnx: no such file"
	NPU_TWIN=m=gone.onnx run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "gone.onnx: cannot be opened: No such file or directory"
}

@test "a twin that is not an ONNX file is refused with its name" {
	model >m.cix
	head -c 300 /dev/zero | tr '\0' x >m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: plain text, not a model; is this the right file? (300 bytes)"
	head -c 300 /dev/zero >m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: nothing but zero bytes, as an interrupted download"
	printf '\010' >>m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: not an ONNX file: no field of protobuf begins at byte 0 of 301"
	printf '\34\0\0\0TFL3' >m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: a TensorFlow Lite model, not yet a .cix; "
	echo 'version https://git-lfs.github.com/spec/v1' >m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: a git-LFS pointer, not the model it stands for; run 'git lfs pull'"
}

@test "inputs are matched to the twin's inputs by name, in any order" {
	cix-pack -q -I in1:f32:1x4 -I in0:f32:1x4 -O out0:f32:1x4 -o m.cix
	mkonnx Sub f32:1x4 f32:1x4 : f32:1x4 >m.onnx
	f32 10 20 30 40 1 2 3 4 >in
	noe m.cix <in >out
	[ "$(floats out)" = "-9 -18 -27 -36" ]
	# Other names are matched to the remaining inputs of the twin.
	cix-pack -q -I x:f32:1x4 -I in0:f32:1x4 -O y:f32:1x4 -o m.cix
	noe m.cix <in >out
	[ "$(floats out)" = "-9 -18 -27 -36" ]
	cix-pack -q -I x:f32:1x4 -I w:f32:1x4 -O y:f32:1x4 -o m.cix
	noe m.cix <in >out
	[ "$(floats out)" = "9 18 27 36" ]
}

@test "a twin that does not fit the descriptors is refused" {
	model >m.cix
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 >m.onnx
	run --separate-stderr -34 noe m.cix </dev/null
	one_line 0x22 "has 2 inputs and 1 outputs, but the model 1 and 1"
	mkonnx Neg f32:1x5 : f32:1x5 >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "input 0 does not fit its twin $PWD/m.onnx: 4 elements, but 5 in the twin's 'in0'"
	mkonnx Neg f32:NxM : f32:NxM >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "leaves 2 dimensions open, and the NPU needs them fixed"
	mkonnx Neg f32:Nx3 : f32:Nx3 >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "4 elements do not make whole rows of the 3"
	# ONNX Runtime reports no dimensions for a scalar, and also if the shape
	# is missing.
	mkonnx Neg f32: : f32: >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "input 0 does not fit its twin $PWD/m.onnx: 4 elements, but 1 in the twin's 'in0'"
	need_data reports/noshape.onnx
	cp "$DATA" m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "the twin's 'x' has no shape in the file; onnx.shape_inference gives it one"
	mkcix --in=s4c:8 --out=f32:4 >m.cix
	mkonnx Neg f32:1x4 : f32:1x4 >m.onnx
	NPU_TWIN=m.onnx run --separate-stderr -19 noe m.cix </dev/null
	one_line 0x13 "the emulator does not compute with data type 0x21"
}

@test "one open dimension, such as a batch, follows from the descriptor" {
	model >m.cix
	mkonnx Neg f32:Nx4 : f32:Nx4 >m.onnx
	f32 1 2 3 4 >in
	noe m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "if the twin's output has another size, the job ends in an exception" {
	model >m.cix
	mkonnx NonZero f32:1x4 : i64:NxM >m.onnx	# a row and a column each
	f32 1 2 3 4 >in
	run --separate-stderr -17 noe m.cix <in
	said
	[[ ${said[0]} == *"output 0: the twin gave 8 elements, and the model has 4; the job ends in an exception" ]]
	[[ ${said[1]} == "noerun: job_infer_sync: 0x11 "* ]]
}

@test "without ONNX Runtime, the message names the places and the remedy" {
	model >m.cix
	four Neg >m.onnx
	NPU_ORT=gone.so run --separate-stderr -3 noe m.cix </dev/null
	one_line 0x3 "ONNX Runtime cannot be loaded from NPU_ORT (gone.so: "
	NPU_ORT=libc.so.6 run --separate-stderr -3 noe m.cix </dev/null
	one_line 0x3 "(libc.so.6: not ONNX Runtime)"
	# No runtime beside the emulator, and none in the system.
	mkdir alone
	cp "$EMU/noe/libnoe.so" alone
	LD_LIBRARY_PATH=$PWD/alone run --separate-stderr -3 \
	    "$B/tests/tools/noerun" m.cix </dev/null
	one_line 0x3 "set NPU_ORT to a libonnxruntime.so of 1.17 to 1.30"
}

# ---- Between bytes and numbers ----------------------------------------------

@test "the emulator dequantises, (q + zero) / scale, runs and quantises" {
	# x = (q + 3) / 2; out = clip(rint(-x * 4 - 1)) to s8
	pack s8:5:2:3 : s8:5:4:1 >m.cix
	mkonnx Neg f32:1x5 : f32:1x5 >m.onnx
	printf '\376\377\000\144\234' >in	# -2 -1 0 100 -100
	noe m.cix <in >out
	# x = 0.5 1 1.5 51.5 -48.5; -4x - 1 = -3 -5 -7 -207 193
	[ "$(od -An -v -t d1 out | tr -s ' ')" = " -3 -5 -7 -128 127" ]
}

@test "token ids reach an int64 twin exactly" {
	pack s32:3 : s32:3 >m.cix
	mkonnx Identity i64:1x3 : i64:1x3 >m.onnx
	# 49407; 2^24 + 1, which float32 cannot represent; and -1.
	printf '\377\300\000\000\001\000\000\001\377\377\377\377' >in
	noe m.cix <in >out
	cmp in out
	mkonnx Identity i32:1x3 : i32:1x3 >m.onnx
	noe m.cix <in >out
	cmp in out
}

@test "integers are clipped to the range of a narrower twin" {
	pack s32:3 : s32:3 >m.cix
	mkonnx Identity i8:1x3 : i8:1x3 >m.onnx
	printf '\377\300\000\000\001\000\000\001\377\377\377\377' >in
	noe m.cix <in >out
	[ "$(od -An -v -t d4 out | tr -s ' ')" = " 127 127 -1" ]
}

@test "unscaled bytes and floats of the same type are not changed" {
	pack u8:4 : u8:4 >m.cix
	mkonnx Identity u8:1x4 : u8:1x4 >m.onnx
	printf '\000\001\200\377' >in
	noe m.cix <in >out
	cmp in out
	# A NaN with a payload, minus zero, a subnormal number, minus infinity.
	model >m.cix
	four Identity >m.onnx
	printf '\001\000\300\177\000\000\000\200\001\000\000\000\000\000\200\377' \
	    >in
	noe m.cix <in >out
	cmp in out
}

@test "a scale of 0 means that nothing is scaled" {
	mkcix --in=s8:4:0 --out=f32:4 >m.cix
	mkonnx Neg f32:1x4 : f32:1x4 >n.onnx
	printf '\001\002\003\375' >in	# 1 2 3 -3
	NPU_TWIN=n.onnx noe m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 3" ]
}

@test "a float output becomes f16, to the nearest, ties to even" {
	pack f32:4 : f16:4 >m.cix
	four Identity >m.onnx
	# 1; 1 + 2^-11 (a tie); 1 + 3 * 2^-11 (a tie); 65504.
	f32 1 1.00048828125 1.00146484375 65504 >in
	noe m.cix <in >out
	[ "$(od -An -v -t x2 out | tr -s ' ')" = " 3c00 3c00 3c02 7bff" ]
}

@test "NaN becomes 0 in an integer output" {
	pack f32:4 : s8:4 >m.cix
	four Sqrt >m.onnx
	f32 4 -1 9 -4 >in
	noe m.cix <in >out
	[ "$(bytes out)" = "2 0 3 0" ]
}

@test "several inputs and outputs keep their order" {
	pack f32:2 s32:2 : f32:2 s32:2 >m.cix
	mkonnx Add f32:1x2 f32:1x2 : f32:1x2 i32:1x2 >m.onnx
	{ f32 1.5 -2; printf '\002\000\000\000\005\000\000\000'; } >in
	noe m.cix <in >out
	head -c 8 out >first
	[ "$(floats first)" = "3.5 3" ]		# the sum
	[ "$(tail -c 8 out | bytes /dev/stdin)" = "2 0 0 0 5 0 0 0" ]
}
