# SPDX-License-Identifier: Apache-2.0
# cix-pack: the file has the inputs and outputs that options, JSON or an ONNX
# model describe.
# bats file_tags=arm64

load ../support/helper

PATH=$B/tests/tools:$PATH

# word FILE OFFSET: prints the 32-bit number there.
word() {
	od -An -t u4 -j "$2" -N 4 "$1" | tr -d ' '
}

@test "descriptors are read back as given" {
	cix-pack -I image:s8:1x3x224x224:64.75:12 -I tokens:s32:1x77 \
	    -O embedding:s8:1,512:27.6738:60 -O raw:f16:84x8400 \
	    --name=clip -o m.cix
	run -0 cixcheck m.cix
	[ "${lines[0]}" = "model clip 1.0.0 builder=" ]
	[[ ${lines[1]} == "graph npu backend=1 npu=1 target=emulator "* ]]
	[ "${lines[2]}" = "tensor kind=0 id=0 size=150528 image s8\
 [1,3,224,224] scale=64.75 zero_point=12" ]
	[ "${lines[3]}" = "tensor kind=0 id=1 size=308 tokens s32 [1,77]\
 scale=1 zero_point=0" ]
	[ "${lines[4]}" = "tensor kind=1 id=0 size=512 embedding s8 [1,512]\
 scale=27.6738 zero_point=60" ]
	[ "${lines[5]}" = "tensor kind=1 id=1 size=1411200 raw f16\
 [84,8400]" ]
	[ "${#lines[@]}" -eq 6 ]
}

@test "the device word, ISA 15 with 1204, belongs to no real hardware" {
	cix-pack -I a:s8:1 -O b:s8:1 -o m.cix
	# 0x000f04b4 occurs once, and a device word of a Zhouyi ISA (1 to 6)
	# does not occur.
	[ "$(perl -0777 -ne 'print scalar(() = /\xb4\x04\x0f\0/g)' m.cix)" = 1 ]
	run -1 perl -0777 -ne 'exit(/\xb4\x04[\1-\6]\0/ ? 0 : 1)' m.cix
}

@test "the ONNX model is embedded byte for byte, and its file names the model" {
	# A field that ONNX does not define (15, with 70000 bytes) makes the
	# file long.
	head -c 70000 /dev/urandom >noise
	{
		mkonnx Relu f32:1 : f32:1
		printf '\172\360\242\004'
		cat noise
	} >net.v2.onnx
	n=$(wc -c <net.v2.onnx)
	cix-pack -I a:s8:1 -O b:s8:1 -o m.cix net.v2.onnx
	run -0 cixcheck m.cix
	[[ ${lines[0]} == "model net.v2 "* ]]
	[[ ${lines[1]} == *" twin=$n "* ]]
	# Reads e_shoff, then offset and size in the fifth section header.
	elf=$(perl -0777 -ne '/\x7fELF/ and print $-[0]' m.cix)
	at=$((elf + $(word m.cix $((elf + 32))) + 4 * 40))
	off=$((elf + $(word m.cix $((at + 16)))))
	[ "$(word m.cix $((at + 20)))" = "$n" ]
	dd if=m.cix bs=4096 skip="$off" count="$n" \
	    iflag=skip_bytes,count_bytes status=none | cmp - net.v2.onnx
}

@test "an ONNX model is read from standard input" {
	mkonnx Relu f32:1 : f32:1 >a.onnx
	cix-pack -I a:s8:1 -O b:s8:1 - <a.onnx >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[1]} == *" twin=$(wc -c <a.onnx) "* ]]
	# A file name that has only an extension, or none, is used unchanged as
	# the model's name.
	for f in .onnx plain; do
		cp a.onnx "$f"
		cix-pack -I a:s8:1 -O b:s8:1 "./$f" >m.cix
		run -0 cixcheck m.cix
		[[ ${lines[0]} == "model $f "* ]]
	done
	run --separate-stderr -1 cix-pack -J .
	[ "$stderr" = "cix-pack: .: Is a directory" ]
}

# tensors FILE: prints its inputs and outputs.
tensors() {
	cixcheck "$1" | grep '^tensor '
}

@test "names, types and shapes are taken from the ONNX model" {
	mkonnx Add f32:1x4 i64:2x2 f16:4 : f32:1x4 u8:2x2 >m.onnx
	cix-pack -o m.cix m.onnx
	cat >want <<-'END'
	tensor kind=0 id=0 size=16 in0 f32 [1,4] scale=1 zero_point=0
	tensor kind=0 id=1 size=32 in1 s64 [2,2] scale=1 zero_point=0
	tensor kind=0 id=2 size=8 in2 f16 [4] scale=1 zero_point=0
	tensor kind=1 id=0 size=16 out0 f32 [1,4] scale=1 zero_point=0
	tensor kind=1 id=1 size=4 out1 u8 [2,2] scale=1 zero_point=0
	END
	tensors m.cix |
	    sed 's/ f\(16\|32\) \(\[.*\]\)$/& scale=1 zero_point=0/' | diff - want
	# The model can be run.
	mkonnx Neg f32:1x2 : f32:1x2 | cix-pack -o n.cix -
	got=$(printf '\0\0\200\077\0\0\0\300' | npu-run -q -d emu -r n.cix |
	    od -An -t f4 | tr -s ' ')
	[ "$got" = " -1 2" ]
}

@test "-I and -O change tensors of the ONNX model, by name or all in order" {
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 f32:1x4 >m.onnx
	cix-pack -I in1:u8:4:255 -O out0:f16:2x2 -o m.cix m.onnx
	run -0 tensors m.cix
	[[ ${lines[0]} == *" size=16 in0 f32 [1,4]"* ]]
	[[ ${lines[1]} == *" size=4 in1 u8 [4] scale=255 zero_point=0" ]]
	[[ ${lines[2]} == *" size=8 out0 f16 [2,2]"* ]]
	[[ ${lines[3]} == *" size=16 out1 f32 [1,4]"* ]]
	cix-pack -I a:s8:4 -I b:s8:4 -o m.cix m.onnx
	run -0 tensors m.cix
	[[ ${lines[0]} == *" a s8 [4]"* && ${lines[1]} == *" b s8 [4]"* ]]
	echo '{"inputs": [{"name": "in0", "type": "s8", "shape": [2, 2]}],
	    "outputs": []}' >m.json
	cix-pack -J m.json -o m.cix m.onnx
	run -0 tensors m.cix
	[[ ${lines[0]} == *" in0 s8 [2,2]"* && ${lines[1]} == *" in1 f32 "* ]]
}

# bats test_tags=slow
@test "descriptors that do not match the ONNX model are refused" {
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 >two.onnx
	mkonnx Relu f32:Nx4 : f32:Nx4 >open.onnx
	while IFS='|' read -r file options words; do
		# shellcheck disable=SC2086
		run --separate-stderr -1 cix-pack $options -o m.cix $file.onnx
		[ "$stderr" = "cix-pack: $file.onnx: $words" ] || {
			echo "$options: $stderr"
			return 1
		}
		[ ! -e m.cix ]
	done <<-'END'
	two|-I a:u8:1x4|the model has no input 'a'; its inputs are: 'in0', 'in1'
	two|-I a:u8:4 -I b:u8:5|input 1, 'in1', is 1x4 in the file, which does not fit the 5 elements given
	two|-I in0:u8:4 -I in0:u8:4|input 'in0' is given as number 1, but is number 0 of the model; its inputs are: 'in0', 'in1'
	two|-I in1:u8:4 -I in0:u8:4|input 'in1' is given as number 0, but is number 1 of the model; its inputs are: 'in0', 'in1'
	two|-I a:u8:4 -I b:u8:4 -I c:u8:4|3 inputs are given, but the model has 2; its inputs are: 'in0', 'in1'
	two|-O out0:u8:1 -O c:u8:4|2 outputs are given, but the model has 1; its output is: 'out0'
	two|-O out0:u8:1|output 0, 'out0', is 1x4 in the file, which does not fit the 1 element given
	open||input 0, 'in0', is ?x4, and an NPU needs a fixed shape; give it one, as -I in0:f32:1x4
	open|-I in0:f32:2x4|output 0, 'out0', is ?x4, and an NPU needs a fixed shape; give it one, as -O out0:f32:1x4
	open|-I in0:f32:6|input 0, 'in0', is ?x4 in the file, which does not fit the 6 elements given
	END
	# Three rows of four elements.
	cix-pack -I in0:f32:3x4 -O out0:f32:3x4 -o m.cix open.onnx
	got=$(tensors m.cix | grep -c '\[3,4\]')
	[ "$got" -eq 2 ]
	mkonnx Relu f32:1x1x1x1x1x1x4 : f32:4 >deep.onnx
	run --separate-stderr -1 cix-pack deep.onnx
	[ "$stderr" = "cix-pack: deep.onnx: input 0, 'in0', has 7 dimensions,\
 and a model's tensor has at most 6; give it one, as -I in0:f32:SHAPE" ]
	cix-pack -I in0:f32:4 -o m.cix deep.onnx
	mkonnx Relu f32:65536x65536x1024 : f32:4 >large.onnx
	run --separate-stderr -1 cix-pack large.onnx
	[ "$stderr" = "cix-pack: large.onnx: input 0, 'in0', is\
 65536x65536x1024: too large" ]
}

@test "a JSON file gives the same model as options" {
	cat >m.json <<-'END'
	{"name": "clip", "inputs": [
	  {"name": "image", "type": "s8", "shape": [1, 3, 224, 224],
	   "scale": 64.75, "zero_point": 12}],
	 "outputs": [{"name": "embedding", "type": "s8", "shape": [1, 512],
	   "scale": 27.6738, "zero_point": 60}]}
	END
	cix-pack -J m.json >a.cix
	cix-pack -I image:s8:1x3x224x224:64.75:12 \
	    -O embedding:s8:1x512:27.6738:60 --name=clip >b.cix
	cmp a.cix b.cix
	for order in '-J - --name=other' '--name=other -J -'; do
		# shellcheck disable=SC2086
		cix-pack $order <m.json >c.cix
		run -0 cixcheck c.cix
		[[ ${lines[0]} == "model other "* ]]
	done
}

@test "a scalar has no dimension; a scale of 0 means no scale" {
	echo '{"inputs": [{"type": "s16", "shape": []}], "outputs":
	    [{"type": "s16", "shape": [], "bytes": 6, "scale": 0}]}' >m.json
	cix-pack -J m.json >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[2]} == "tensor kind=0 id=0 size=2 input0 s16 "* ]]
	[[ ${lines[3]} == "tensor kind=1 id=0 size=6 output0 s16 "* ]]
	cix-pack -I a:s8:1:0 -I b:s8:1 -I c:s8:1 -I d:s8:4 -O e:s8:5 >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[5]} == "tensor kind=0 id=3 size=4 d s8 "* ]]
}

@test "the output of npu-info --json packs the same model again" {
	cix-pack -I x:u8:1x4:255 -I :u16:7 -O y:f32:2,2 -O z:bf16:3 \
	    --name=again >a.cix
	npu-info --json a.cix >a.json
	cix-pack --spec=a.json --output=b.cix
	cmp a.cix b.cix
}

@test "a type of half bytes needs its size in bytes, in JSON" {
	echo '{"inputs": [{"type": "u4c", "bytes": 50}],
	    "outputs": [{"type": "s12c", "bytes": 3, "shape": null}]}' >m.json
	cix-pack -J m.json >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[2]} == "tensor kind=0 id=0 size=50 input0 u4c "* ]]
	[[ ${lines[3]} == "tensor kind=1 id=0 size=3 output0 s12c "* ]]
	run --separate-stderr -2 cix-pack -I a:u4c:50 -O b:s8:1
	[[ $stderr == "cix-pack: --model-input: elements of type u4c are\
 not whole bytes;"* ]]
}

@test "a tensor's name may contain colons" {
	cix-pack -I serving:0:s8:3 -O s8:s8:s8:4 -o m.cix
	run -0 cixcheck m.cix
	[[ ${lines[2]} == *" serving:0 s8 [3] "* ]]
	[[ ${lines[3]} == *" s8:s8 s8 [4] "* ]]
}

# bats test_tags=slow
@test "invalid descriptors are usage errors, and no file is made" {
	while IFS='|' read -r in out words; do
		run --separate-stderr -2 cix-pack -I "$in" -O "$out" -o m.cix
		[[ $stderr == "cix-pack: $words"* ]] || {
			echo "$in $out: $stderr"
			return 1
		}
		[ "$output" = "" ]
		[ "$(find . -name 'm.cix' -o -name '.npu-*')" = "" ]
	done <<-'END'
	image|a:s8:1|--model-input: 'image' is not NAME:TYPE:SHAPE
	a:s9:1|a:s8:1|--model-input: 'a:s9:1' is not NAME:TYPE:SHAPE
	a:s8|a:s8:1|--model-input: 'a:s8' has no SHAPE
	a:s8:1x0|a:s8:1|--model-input: dimension '0' is not a whole number
	a:s8:1x|a:s8:1|--model-input: dimension '' is not a whole number
	a:s8:1x1x1x1x1x1x1|a:s8:1|--model-input: more than 6 dimensions
	a:s8:1|b:s8:1:nan|--model-output: scale 'nan' is not a number
	a:s8:1|b:s8:1:-1|--model-output: scale '-1' is not a number
	a:s8:1|b:s8:1:1e39|--model-output: scale '1e39' is not a number
	a:s8:1|b:s8:1:1e-60|--model-output: scale 1e-60 is not from 0
	a:s8:1|b:s8:1:1:x|--model-output: zero point 'x' is not a whole
	a:s8:1|b:s8:1:1:0:0|--model-output: 'b:s8:1:1:0:0' has more than 5
	a:f64:65536x65536|b:s8:1|input 0: 34359738368 bytes; from 1 to
	a:s8:2147483647x2147483647x9|b:s8:1|input 0: 4611686014132420609 bytes
	2345678901234567890123456789012345678901234567890123456789012345:s8:1|b:s8:1|--model-input: the name '2345678901234567890123456789012345678901234567890123456789012345' is longer than 63 bytes
	a:s8:1|a:s8:2|input 0: its name is another's too
	END
}

@test "a name with bytes that are not printable is refused" {
	run --separate-stderr -2 cix-pack -I $'a\033b:s8:1' -O b:s8:1 -o m.cix
	[[ $stderr == "cix-pack: input 0: its name is another's too, or has\
 bytes that are not printable UTF-8"* ]]
	[ ! -e m.cix ]
}

@test "a model needs inputs and outputs" {
	run --separate-stderr -2 cix-pack -I a:s8:1
	[ "${stderr_lines[0]}" = "cix-pack: no output is given; use --model-input\
 and --model-output, --spec or an ONNX model" ]
	run --separate-stderr -2 cix-pack
	[[ $stderr == "cix-pack: no input is given;"* ]]
	run --separate-stderr -2 cix-pack -I a:s8:1 -O b:s8:1 1.onnx 2.onnx
	[[ $stderr == "cix-pack: takes one ONNX model, not 2"* ]]
}

# bats test_tags=slow
@test "invalid or incomplete JSON is an error with its position" {
	while IFS='|' read -r text words; do
		echo "$text" >m.json
		run --separate-stderr -1 cix-pack -J m.json -o m.cix
		[[ $stderr == "cix-pack: m.json: $words"* ]] || {
			echo "$text: $stderr"
			return 1
		}
		[ ! -e m.cix ]
	done <<-'END'
	{"inputs": [}|not JSON as npu-info --json writes it: line 1: unexpected token
	{"name": "a\u0000b"}|not JSON as npu-info --json writes it: line 1: a NUL (\u0000) in a string
	[]|the model is not an object
	{}|no "inputs"
	{"inputs": 3}|"inputs" has the wrong type
	{"models": []}|0 models; one is needed
	{"inputs": [1]}|input 0: not an object
	{"inputs": [{"name": "a"}]}|input 0: no "type"
	{"inputs": [{"type": "i8"}]}|input 0: 'i8' is not an element type
	{"inputs": [{"type": "s8"}]}|input 0: has neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "shape": ["1"]}]}|input 0: "shape" is not
	{"inputs": [{"type": "s8", "shape": [0]}]}|input 0: dimension 0
	{"inputs": [{"type": "s8", "shape": [3000000000]}]}|input 0: dimension 3000000000
	{"inputs": [{"type": "s8", "bytes": 0}]}|input 0: has neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "bytes": -1}]}|input 0: has neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "shape": [], "bytes": 0}]}|input 0: has neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "shape": [1], "scale": -1}]}|input 0: scale -1 is not from 0
	{"inputs": [{"type": "s8", "shape": [1], "scale": 1e39}]}|input 0: scale 1e+39 is not from 0
	{"inputs": [{"type": "s8", "shape": [1], "zero_point": -3000000000}]}|input 0: zero point -3000000000
	{"inputs": [{"type": "s8", "shape": [1], "scale": "1"}]}|input 0: "scale" has the wrong type
	{"inputs": [{"type": "s8", "shape": [1], "zero_point": 3000000000}]}|input 0: zero point 3000000000
	END
}

# bats test_tags=slow
@test "a file that is not an ONNX model is refused by name" {
	printf 'version https://git-lfs.github.com/spec/v1\n' >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: a git-LFS pointer, not the model"* ]]
	: >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: the file is empty"* ]]
	printf '\100\0\0\0\0\0\0\0{"' >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: weights without a graph, in safe"* ]]
	mkcix sound >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: a .cix model already"* ]]
	for noise in "$(seq 500 | sed 's/.*/#%/')" $'\010\010' $'\072\002\010\010'; do
		printf '%s' "$noise" >a.onnx
		run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx \
		    -o m.cix
		[ "$stderr" = "cix-pack: a.onnx: not an ONNX model: no graph\
 with an output is in it" ] || [[ $stderr == *": plain text,"* ]]
	done
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 none.onnx
	[ "$stderr" = "cix-pack: none.onnx: No such file or directory" ]
	[ ! -e m.cix ]
}

@test "a truncated ONNX model is reported as truncated" {
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 >whole.onnx
	cix-pack -o m.cix whole.onnx
	n=$(($(wc -c <whole.onnx) - 20))
	head -c $n whole.onnx >cut.onnx
	run --separate-stderr -1 cix-pack -o n.cix cut.onnx
	[ "$stderr" = "cix-pack: cut.onnx: a truncated ONNX model: its \
graph continues after the $n bytes of the file; download it again" ]
	[ ! -e n.cix ]
}

@test "tensors named twice, and options without effect, are refused" {
	while IFS='|' read -r args says; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 cix-pack $args -o m.cix
		[ "${stderr_lines[0]}" = "cix-pack: $says" ]
	done <<-'END'
		-I x:f32:2:3:4 -O y:s8:2|--model-input: 'x': f32 is never scaled; leave SCALE and ZERO out
		-I x:s8:2 -O y:f16:2:1:4|--model-output: 'y': f16 is never scaled; leave SCALE and ZERO out
		-I x:s8:2 -I x:s8:2 -O y:s8:2|--model-input: 'x' is given twice
		-I x:s8:2 -O y:s8:2 -O y:s8:2|--model-output: 'y' is given twice
	END
	# An input and an output may have the same name, and names may be empty.
	cix-pack -I x:s8:2 -O x:f32:2:1:0 -o m.cix
	cix-pack -I :s8:2 -I :s8:2 -O x:s8:2 -o m.cix
	echo '{"inputs": [{"type": "s8", "bytes": 12, "shape": [4]}],
	    "outputs": [{"type": "s16", "bytes": 8, "shape": [4]}]}' >m.json
	run --separate-stderr -1 cix-pack -J m.json -o m.cix
	[ "$stderr" = "cix-pack: m.json: input 0: \"bytes\" is 12, but type \
and shape make 4" ]
	sed 's/12/4/' m.json | cix-pack -J - -o m.cix
}

@test "an ONNX model with weights in other files is refused" {
	mkonnx Add f32:1x4 f32:1x4@w.bin : f32:1x4 >a.onnx
	for from in a.onnx -; do
		run --separate-stderr -1 cix-pack -I a:f32:4 -O b:f32:4 \
		    -o m.cix $from <a.onnx
		[ "$stderr" = "cix-pack: ${from/#-/stdin}: its weights are in\
 other files, which would not be in the model; save it as one file\
 (onnx.save), then pack that" ]
		[ ! -e m.cix ]
	done
}

@test "the same arguments make the same bytes" {
	cix-pack -I a:s8:5 -O b:s8:6 >1.cix
	cix-pack -I a:s8:5 -O b:s8:6 >2.cix
	cmp 1.cix 2.cix
}

@test "a full disk is an error" {
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 -o /dev/full
	[ "$stderr" = "cix-pack: /dev/full: write error: No space left on\
 device" ]
}

@test "-v prints each input and output with its source, -q does not" {
	mkonnx Relu f32:1x4 : f32:1x4 >net.onnx
	cix-pack -v -I image:u8:1x3x4x4:255 -O out:s8:1x2:2:3 -o m.cix 2>err
	printf 'cix-pack: %s\n' \
	    "input 0 'image', of --model-input: u8 [1,3,4,4] scale=255\
 zero_point=0" \
	    "output 0 'out', of --model-output: s8 [1,2] scale=2\
 zero_point=3" | diff - err
	npu-info --json m.cix >m.json
	cix-pack --verbose -J m.json -o again.cix 2>err
	[ "$(grep -c ', of m.json: ' err)" -eq 2 ]
	cix-pack -v -o net.cix net.onnx 2>err
	[ "$(grep -c "put 0 '.*', of net.onnx: f32 \[1,4\]$" err)" -eq 2 ]
	cix-pack -qv -o net.cix net.onnx 2>err
	[ ! -s err ]
}
