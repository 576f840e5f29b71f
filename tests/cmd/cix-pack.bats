# SPDX-License-Identifier: Apache-2.0
# cix-pack: what is asked for is what the file says.

load ../support/helper

PATH=$B/tests/tools:$PATH

# word FILE OFFSET: the 32-bit number there.
word() {
	od -An -t u4 -j "$2" -N 4 "$1" | tr -d ' '
}

@test "descriptors come back as they were given" {
	cix-pack -I image:s8:1x3x224x224:64.75:12 -I tokens:s32:1x77 \
	    -O embedding:s8:1,512:27.6738:60 -O raw:f16:84x8400 \
	    -n clip -o m.cix
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

@test "the device word is one that no hardware has: ISA 15, 1204" {
	cix-pack -I a:s8:1 -O b:s8:1 -o m.cix
	# The last word of 0x000f04b4, and that of no Zhouyi ISA.
	[ "$(perl -0777 -ne 'print scalar(() = /\xb4\x04\x0f\0/g)' m.cix)" = 1 ]
	run perl -0777 -ne 'exit(/\xb4\x04[\1-\6]\0/ ? 0 : 1)' m.cix
	[ "$status" -eq 1 ]
}

@test "the ONNX model is inside, byte for byte, and names the model" {
	head -c 70000 /dev/urandom >noise
	printf '\010\010' | cat - noise >net.v2.onnx
	cix-pack -I a:s8:1 -O b:s8:1 -o m.cix net.v2.onnx
	run -0 cixcheck m.cix
	[[ ${lines[0]} == "model net.v2 "* ]]
	[[ ${lines[1]} == *" twin=70002 "* ]]
	# e_shoff, then the fifth section header's offset and size.
	elf=$(perl -0777 -ne '/\x7fELF/ and print $-[0]' m.cix)
	at=$((elf + $(word m.cix $((elf + 32))) + 4 * 40))
	off=$((elf + $(word m.cix $((at + 16)))))
	[ "$(word m.cix $((at + 20)))" = 70002 ]
	dd if=m.cix bs=4096 skip="$off" count=70002 iflag=skip_bytes,count_bytes \
	    status=none | cmp - net.v2.onnx
}

@test "an ONNX model on standard input" {
	head -c 100 /dev/zero | tr '\0' '\010' >a.onnx
	cix-pack -I a:s8:1 -O b:s8:1 - <a.onnx >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[1]} == *" twin=100 "* ]]
	# A name that is an ending alone is the model's name all the same.
	for f in .onnx plain; do
		cp a.onnx "$f"
		cix-pack -I a:s8:1 -O b:s8:1 "./$f" >m.cix
		run -0 cixcheck m.cix
		[[ ${lines[0]} == "model $f "* ]]
	done
	run --separate-stderr -1 cix-pack -J .
	[ "$stderr" = "cix-pack: .: Is a directory" ]
}

@test "JSON says the same as options" {
	cat >m.json <<-'END'
	{"name": "clip", "inputs": [
	  {"name": "image", "type": "s8", "shape": [1, 3, 224, 224],
	   "scale": 64.75, "zero_point": 12}],
	 "outputs": [{"name": "embedding", "type": "s8", "shape": [1, 512],
	   "scale": 27.6738, "zero_point": 60}]}
	END
	cix-pack -J m.json >a.cix
	cix-pack -I image:s8:1x3x224x224:64.75:12 \
	    -O embedding:s8:1x512:27.6738:60 -n clip >b.cix
	cmp a.cix b.cix
	for order in '-J - -n other' '-n other -J -'; do
		# shellcheck disable=SC2086
		cix-pack $order <m.json >c.cix
		run -0 cixcheck c.cix
		[[ ${lines[0]} == "model other "* ]]
	done
}

@test "a scalar has no dimension; a scale of 0 means none" {
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

@test "what npu-info --json writes packs the same model again" {
	cix-pack -I x:u8:1x4:255 -I :u16:7 -O y:f32:2,2 -O z:bf16:3 \
	    -n again >a.cix
	npu-info --json a.cix >a.json
	cix-pack --json=a.json --output=b.cix
	cmp a.cix b.cix
}

@test "a type of half bytes is described by its bytes, in JSON" {
	echo '{"inputs": [{"type": "u4c", "bytes": 50}],
	    "outputs": [{"type": "s12c", "bytes": 3, "shape": null}]}' >m.json
	cix-pack -J m.json >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[2]} == "tensor kind=0 id=0 size=50 input0 u4c "* ]]
	[[ ${lines[3]} == "tensor kind=1 id=0 size=3 output0 s12c "* ]]
	run --separate-stderr -2 cix-pack -I a:u4c:50 -O b:s8:1
	[[ $stderr == "cix-pack: --model-input: u4c has no whole number of\
 bytes;"* ]]
}

@test "a name may hold colons" {
	cix-pack -I serving:0:s8:3 -O s8:s8:s8:4 -o m.cix
	run -0 cixcheck m.cix
	[[ ${lines[2]} == *" serving:0 s8 [3] "* ]]
	[[ ${lines[3]} == *" s8:s8 s8 [4] "* ]]
}

@test "wrong descriptors are usage errors, and no file is made" {
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

@test "a name that could not be read back is refused" {
	run --separate-stderr -2 cix-pack -I $'a\033b:s8:1' -O b:s8:1 -o m.cix
	[[ $stderr == "cix-pack: input 0: its name is another's too, or has\
 bytes that are not printable UTF-8"* ]]
	[ ! -e m.cix ]
}

@test "a model needs inputs and outputs" {
	run --separate-stderr -2 cix-pack -I a:s8:1
	[ "${stderr_lines[0]}" = "cix-pack: no output is named; -I and -O, or\
 -J, name them" ]
	run --separate-stderr -2 cix-pack
	[[ $stderr == "cix-pack: no input is named;"* ]]
	run --separate-stderr -2 cix-pack -I a:s8:1 -O b:s8:1 1.onnx 2.onnx
	[[ $stderr == "cix-pack: one ONNX model, not 2"* ]]
}

@test "JSON that is none, or says too little, is an error that says where" {
	while IFS='|' read -r text words; do
		echo "$text" >m.json
		run --separate-stderr cix-pack -J m.json -o m.cix
		[ "$status" -eq 1 ]
		[[ $stderr == "cix-pack: m.json: $words"* ]] || {
			echo "$text: $stderr"
			return 1
		}
		[ ! -e m.cix ]
	done <<-'END'
	{"inputs": [}|line 1: unexpected token
	[]|the model is not an object
	{}|no "inputs"
	{"inputs": 3}|"inputs" is of the wrong type
	{"models": []}|0 models; one is needed
	{"inputs": [1]}|input 0: not an object
	{"inputs": [{"name": "a"}]}|input 0: no "type"
	{"inputs": [{"type": "i8"}]}|input 0: 'i8' is not an element type
	{"inputs": [{"type": "s8"}]}|input 0: neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "shape": ["1"]}]}|input 0: "shape" is not
	{"inputs": [{"type": "s8", "shape": [0]}]}|input 0: dimension 0
	{"inputs": [{"type": "s8", "shape": [3000000000]}]}|input 0: dimension 3000000000
	{"inputs": [{"type": "s8", "bytes": 0}]}|input 0: neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "bytes": -1}]}|input 0: neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "shape": [], "bytes": 0}]}|input 0: neither "shape" nor "bytes"
	{"inputs": [{"type": "s8", "shape": [1], "scale": -1}]}|input 0: scale -1 is not from 0
	{"inputs": [{"type": "s8", "shape": [1], "scale": 1e39}]}|input 0: scale 1e+39 is not from 0
	{"inputs": [{"type": "s8", "shape": [1], "zero_point": -3000000000}]}|input 0: zero point -3000000000
	{"inputs": [{"type": "s8", "shape": [1], "scale": "1"}]}|input 0: "scale" is of the wrong type
	{"inputs": [{"type": "s8", "shape": [1], "zero_point": 3000000000}]}|input 0: zero point 3000000000
	END
}

@test "what is no ONNX model is named" {
	printf 'version https://git-lfs.github.com/spec/v1\n' >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: a git-LFS pointer, not the model"* ]]
	: >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: the file is empty"* ]]
	mkcix sound >a.onnx
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 a.onnx -o m.cix
	[[ $stderr == "cix-pack: a.onnx: a .cix model already"* ]]
	run --separate-stderr -1 cix-pack -I a:s8:1 -O b:s8:1 none.onnx
	[ "$stderr" = "cix-pack: none.onnx: No such file or directory" ]
	[ ! -e m.cix ]
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
