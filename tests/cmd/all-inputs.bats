#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Options that name an output file, where this file is also an input: the
# program refuses the option, and the input keeps its content.  Only filters of
# tensors may replace their input.
# bats file_tags=slow

load ../support/helper
load ../support/boxes
load ../support/clipembed
load ../support/xdnajob

setup() {
	export NPU_DEVICE=emu
}

# kept INPUT COMMAND...: runs COMMAND with the name of an output in place of @.
# Checks that the output cannot replace INPUT by its own name, by a symbolic
# link or by a hard link.
kept() {
	local input=$1 name
	shift
	cp "$input" before
	ln -s "$input" link
	ln "$input" other
	for name in "$input" link other; do
		run --separate-stderr -2 "${@//@/$name}"
		[ "$output" = "" ]
		[[ $stderr == *"'$name' is also an input; name another file for\
 the output"* ]] || {
			echo "$stderr" >&2
			return 1
		}
		cmp "$input" before
		[ "$(readlink link)" = "$input" ]
		[ -z "$(find . -name '.npu-*')" ]
	done
	rm link other before
}

# setup_job: makes a container, job.xclbin, a stream, job.txt, and raw, a file
# of 64 bytes.
setup_job() {
	xdna_container job
	xdna_stream 16 >job.txt
	head -c 64 /dev/zero >raw
}

@test "cix-lint -o does not replace the configuration or the model" {
	mkonnx Relu f32:Nx3 : f32:Nx3 >open.onnx
	printf '[Parser]\ninput_model = open.onnx\n' >build.cfg
	kept build.cfg cix-lint -o @ build.cfg
	kept open.onnx cix-lint -o @ build.cfg
	kept open.onnx cix-lint -o @ open.onnx
	kept open.onnx cix-lint --fix-shape=N=1 -o @ open.onnx
	mkonnx Relu f32:1x3 : f32:1x3 >fixed.onnx
	kept fixed.onnx cix-lint --write-cfg -o @ fixed.onnx
	echo 'KeyError: model_name' >log
	kept log cix-lint --diagnose=log -o @
}

@test "xclbin-check -o does not replace the container or the stream" {
	setup_job
	kept job.xclbin xclbin-check --machine=none -o @ job.xclbin
	kept job.xclbin xclbin-check --machine=none --json -o @ job.xclbin
	kept job.txt xclbin-check --machine=none --insts=job.txt -o @ job.xclbin
	echo stoul >log
	from_log() {
		xclbin-check --diagnose=- "$@" <log
	}
	kept log from_log -o @
}

@test "xclbin-info -o and -x do not replace the container" {
	setup_job
	kept job.xclbin xclbin-info -o @ job.xclbin
	from_stdin() {
		xclbin-info "$@" <job.xclbin
	}
	kept job.xclbin from_stdin -o @
	# The first section is not written either.
	kept job.xclbin xclbin-info -x MEM_TOPOLOGY:JSON:m -x IP_LAYOUT:RAW:@ \
	    job.xclbin
	[ ! -e m ]
	kept job.xclbin xclbin-info -x MEM_TOPOLOGY:JSON:m -o @ job.xclbin
	[ ! -e m ]
	# If the file is not a container, the JSON document with the error does
	# not replace it either.
	kept job.txt xclbin-info --json -o @ job.txt
	# The file of a PDI is named by the uuid, which may be the container's
	# name.
	cp job.xclbin 00000000-0000-0000-0000-000000000001.pdi
	run --separate-stderr -2 xclbin-info -x AIE_PARTITION:JSON:p \
	    00000000-0000-0000-0000-000000000001.pdi
	cmp job.xclbin 00000000-0000-0000-0000-000000000001.pdi
	[ ! -e p ]
}

@test "xclbin-pack -o --force replaces the input of -i, but no other input" {
	setup_job
	pack() {
		xclbin-pack -q --force "$@" \
		    --add-section MEM_TOPOLOGY:JSON:job_mem_topology.json \
		    --add-kernel job_kernels.json \
		    --add-section AIE_PARTITION:JSON:job_aie_partition.json
	}
	kept job_mem_topology.json pack -o @
	kept job_kernels.json pack -o @
	kept job_aie_partition.json pack -o @
	# A PDI that only the JSON document of the partition names.
	kept job.pdi pack -o @
	mkdir prj
	cp job_* job.pdi prj
	kept prj/job_kernels.json xclbin-pack --force --project=prj -o @
	ln prj/job.pdi pdi
	kept pdi xclbin-pack --force --project=prj -o @
	cp job.xclbin before
	xclbin-pack -q -i job.xclbin --remove-section IP_LAYOUT --force \
	    -o job.xclbin
	[ "$(stat -c %s job.xclbin)" -lt "$(stat -c %s before)" ]
	# The container is not replaced if another section takes its bytes.
	kept job.xclbin xclbin-pack -q --force -i job.xclbin \
	    --add-section PDI:RAW:job.xclbin -o @
}

@test "xdna-run -o does not replace the container or the stream" {
	setup_job
	kept job.xclbin xdna-run --dry-run -o @ job.xclbin job.txt
	for f in job.xclbin job.txt; do
		copied() {
			xdna-run -q -r "$@" job.xclbin job.txt <raw
		}
		kept $f copied -o @
	done
}

@test "npu-run, npu-info and npu-bench -o do not replace the model" {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
	printf abcd >raw
	kept m.cix npu-run -q -o @ m.cix raw
	kept m.cix npu-info --json -o @ m.cix
	kept m.cix npu-bench -q --idle=none -w 0 --min-iter=3 -o @ m.cix
	NPU_MODEL_PATH=$PWD kept m.cix npu-run -q -o @ m.cix raw
	/usr/bin/python3 "$TOP/tests/tools/onnxruns.py" double >double.onnx
	cp double.onnx same.onnx
	kept same.onnx npu-run -q --fill=ramp -o @ --ref=same.onnx double.onnx
}

@test "cix-pack -o does not replace the ONNX model or the specification" {
	mkonnx Identity f32:4 : f32:4 >id.onnx
	kept id.onnx cix-pack -I x:f32:4 -O y:f32:4 -o @ id.onnx
	echo '{"inputs": [{"name": "x", "type": "f32", "shape": [4]}],
	    "outputs": [{"name": "y", "type": "f32", "shape": [4]}]}' >io.json
	kept io.json cix-pack --spec=io.json -o @ id.onnx
}

@test "programs that read pictures do not replace an input by -o" {
	dots 7 >p.ppm
	kept p.ppm img-tensor -q --for=clip --size=2x2 -o @ p.ppm
	kept p.ppm img-tensor -q --for=clip --size=2x2 -j 2 -o @ p.ppm p.ppm
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    toy.onnx
	cp p.ppm pic
	kept pic yolo-detect -q -m ./toy.cix -F json -o @ pic
	kept toy.cix yolo-detect -q -m ./toy.cix -F json -o @ p.ppm
	echo '{"schema":"yolo-detect/1","file":"p.ppm","width":2,"height":2,"detections":[]}' >record
	draw() {
		yolo-draw -F png "$@" p.ppm <record
	}
	kept p.ppm draw -o @
	kept record draw -o @
}

@test "programs that read texts or vectors do not replace an input by -o" {
	echo 'a bus' >text
	kept text clip-tokenize -q -o @ text
	kept text embed -m "$IDS" -r --lines -o @ text
	f32 1 0 0 1 >floats
	npu-tensor -a -t f32 --shape=2,2 floats >vectors
	kept vectors vec-nearest -o @ vectors vectors
	kept vectors vec-drift -o @ vectors
	one 5 >boxes
	kept boxes yolo-decode --size=160 --image-size=70 -F json -o @ boxes
}

@test "filters of tensors replace their input by -o, but not the reference" {
	f32 1 0 0 1 >floats
	npu-tensor -a -t f32 --shape=2,2 floats >vectors
	npu-quant -q -t s8 -s 4 -o q vectors
	npu-dequant -q -o back q
	cp vectors x
	npu-quant -q -t s8 -s 4 -o x x
	cmp x q
	npu-dequant -q -o x x
	cmp x back
	npu-dequant -q -o x <x
	cp floats x
	npu-tensor -a -t f32 --shape=2,2 -o x x
	cmp x vectors
	printf abcd >raw
	cp raw x
	npu-ref --row=1 -o y layernorm raw
	npu-ref --row=1 -o x layernorm x
	cmp x y
	kept back npu-dequant --diff=back -o @ vectors
}

@test "-o replaces the output of an earlier run, and may name a device" {
	setup_job
	xclbin-check --machine=none -o out job.xclbin
	xclbin-check --machine=none -o out job.xclbin
	xclbin-check --machine=none -o /dev/null job.xclbin
	xclbin-check --machine=none -o /dev/stdout job.xclbin | cmp - out
	run -4 xclbin-check --machine=none -o /dev/null /dev/null
	# If -o is given twice, the last counts.
	cp job.xclbin before
	xclbin-check --machine=none -o job.xclbin -o out job.xclbin
	cmp job.xclbin before
}
