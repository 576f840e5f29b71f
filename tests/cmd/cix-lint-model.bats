#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# cix-lint opens the model, reports files that are not an ONNX model, and checks
# the inputs, alone and against the configuration.

load ../support/helper

# onnx CASE...: writes CASE.onnx for each case of onnxgen.py.
onnx() {
	for c; do
		/usr/bin/python3 "$TOP/tests/tools/onnxgen.py" "$c" >"$c.onnx"
	done
}

# write NAME EXPRESSION: writes NAME.onnx from an expression with the functions
# of onnxgen.py.
write() {
	/usr/bin/python3 -c "import sys
sys.path.insert(0, '$TOP/tests/tools')
from onnxgen import *
sys.stdout.buffer.write($2)" >"$1.onnx"
}

# configure FILE [KEY=VALUE]...: writes a configuration with these keys in
# [Parser].
configure() {
	local file=$1
	shift
	cat >"$file" <<-E
	[Common]
	mode = build
	[Parser]
	model_type = ONNX
	model_name = m
	$(printf '%s\n' "$@")
	[Optimizer]
	calibration_data = c.npy
	dataset = numpydataset
	[GBuilder]
	target = X2_1204MP3
	outputs = m.cix
	E
}

# found FILE RULE: prints level, line, where and message of these findings.
found() {
	run cix-lint -F json "$1"
	jq -r --arg rule "$2" '.files[0].findings[] | select(.rule == $rule) |
	    "\(.level) \(.line) \(.where): \(.message)"' <<<"$output"
}

# fix FILE RULE: prints what to write instead.
fix() {
	run cix-lint -F json "$1"
	jq -r --arg rule "$2" '.files[0].findings[] | select(.rule == $rule) |
	    .fix' <<<"$output"
}

# finds FILE RULE LEVEL MESSAGE: this is the only finding about the file.
finds() {
	run cix-lint -q -F json "$1"
	[ "$(jq -c '.files[0].findings[] | [.rule, .level, .message]' \
	    <<<"$output")" = "[\"$2\",\"$3\",\"$4 (gate: parser)\"]" ]
}

@test "a model that cannot be read as ONNX is an error with the reason" {
	onnx cycle no-graph no-file
	no="not an ONNX model:"
	finds cycle.onnx not-onnx error "$no node 0 takes 'b', which node 1 makes: its nodes form a cycle, or are not in order"
	finds no-graph.onnx not-onnx error "$no no graph with an output is in it"
	finds no-file.onnx not-onnx error "$no the weights 'w' are in another file, whose name is missing"
	onnx good
	head -c 60 good.onnx >cut.onnx
	finds cut.onnx not-onnx error "a truncated ONNX model: its graph continues after the 60 bytes of the file; download it again"
	[ "$status" -eq 4 ]
}

@test "a file of another format is an error that names the format" {
	echo '<!doctype html>' >page.onnx
	finds page.onnx not-onnx error "a web page, not a model; fetch the file itself, not the page that shows it (16 bytes)"
	: >empty.onnx
	finds empty.onnx not-onnx error "the file is empty; fetch it again"
	printf 'version https://git-lfs.github.com/spec/v1\noid 1\n' >l.onnx
	finds l.onnx lfs-pointer error "a Git LFS pointer, not the model"
	[[ $output == *'git lfs pull'* ]]
}

@test "hostile ONNX files are refused, and the next file is checked" {
	onnx good nodes deep large negative long-value short-weights \
	    large-weights dimensions long-size
	for c in nodes deep large negative long-value short-weights \
	    large-weights dimensions long-size; do
		run -4 cix-lint $c.onnx good.onnx
		[[ ${lines[0]} == "$c.onnx: error: "*" [not-onnx]" ]]
	done
	run -0 cix-lint -q good.onnx
	[ "$output" = "" ]
}

@test "a large model is mapped: its weights take no memory" {
	onnx large-file
	truncate -s $((1 << 30)) large-file.onnx
	/usr/bin/python3 - <<-'P'
	import resource, subprocess
	subprocess.run(["cix-lint", "large-file.onnx"], check=True)
	# In KiB.
	used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
	assert used < 64 << 10, used
	P
}

@test "files with weights are looked for beside the model" {
	mkdir m
	onnx external
	mv external.onnx m
	truncate -s 48 m/w.bin
	finds m/external.onnx external-data error "the file with 1 of the model's weights is absent"
	# v has 8 floats, and begins at 0.
	truncate -s 8 m/u.bin
	truncate -s 31 m/w.bin
	finds m/external.onnx external-data error "the file with weights has 31 bytes, and the weights 'v' end at byte 32"
	printf 'version https://git-lfs.github' >m/w.bin
	finds m/external.onnx external-data error "a Git LFS pointer, not the weights"
	truncate -s 32 m/w.bin
	run -0 cix-lint -q m/external.onnx
	[ "$output" = "" ]
}

@test "a configuration's model is also looked for in its folder" {
	mkdir d
	onnx good
	mv good.onnx d
	touch d/c.npy
	configure d/m.cfg input_model=good.onnx input=x
	run cix-lint -F json d/m.cfg
	[ "$(jq -r '.files[0].model' <<<"$output")" = d/good.onnx ]
	(cd d && [ "$(found m.cfg not-onnx)" = "" ])
	configure d/m.cfg input_model=god.onnx
	[ "$(found d/m.cfg not-onnx)" = \
	    "error 6 null: god.onnx: No such file or directory (gate: parser)" ]
	configure d/m.cfg input_model=.
	[ "$(found d/m.cfg not-onnx)" = \
	    "error 6 null: .: a folder, not a file (gate: parser)" ]
}

@test "without model and calibration data, the configuration is checked alone" {
	configure m.cfg input_model=good.onnx
	[[ $(found m.cfg not-onnx) == "warning 6 "*"only the configuration is checked"* ]]
}

@test "a model of another framework is not checked" {
	configure m.cfg model_type=tflite input_model=m.tflite
	sed -i '/ONNX/d' m.cfg
	printf '\034\0\0\0TFL3' >m.tflite
	[ "$(found m.cfg not-onnx)" = \
	    "note 6 null: m.tflite: only ONNX models are read here; this model is not checked" ]
	mv m.tflite m.onnx
	configure m.cfg input_model=m.onnx
	[[ $(fix m.cfg not-onnx) == "write model_type = tflite" ]]
}

@test "open sizes are an error, and an open batch alone is a warning" {
	write inner 'model(graph(inputs=[port("x", (1, 4, None, "W"))]))'
	[ "$(found inner.onnx dynamic-shape)" = \
	    "error null x: 2 sizes of [1,4,?,W] are open, and the compiler needs fixed sizes (gate: parser)" ]
	[ "$(fix inner.onnx dynamic-shape)" = \
	    "run cix-lint --fix-shape=x:2=SIZE --fix-shape=W=SIZE -o OUT.onnx inner.onnx" ]
	write batch 'model(graph(inputs=[port("x", ("the batch", 4))]))'
	[ "$(found batch.onnx dynamic-shape)" = \
	    "warning null x: the batch is open in [the batch,4] (gate: parser)" ]
	[ "$(fix batch.onnx dynamic-shape)" = \
	    "run cix-lint '--fix-shape=the batch=1' -o OUT.onnx batch.onnx" ]
	write first 'model(graph(inputs=[port("x", (None, 4))]))'
	[ "$(found first.onnx dynamic-shape)" = \
	    "warning null x: the batch is open in [?,4] (gate: parser)" ]
	write all 'model(graph(inputs=[port("x", ("N",))]))'
	[[ $(found all.onnx dynamic-shape) == "error null x: 1 size of [N] is open"* ]]
	# The command mends the model.
	cix-lint --fix-shape='the batch=1' -o fixed.onnx batch.onnx
	run -0 cix-lint -q fixed.onnx
	[ "$output" = "" ]
}

@test "input_shape does not mend open sizes, but its sizes are in the command" {
	touch c.npy
	write m 'model(graph(inputs=[port("x", ("N", 4, "W"))]))'
	configure m.cfg input_model=m.onnx input=x 'input_shape=[2, 4, 9]'
	[[ $(found m.cfg dynamic-shape) == "error 6 x: 2 sizes "* ]]
	[ "$(fix m.cfg dynamic-shape)" = \
	    "run cix-lint --fix-shape=N=2 --fix-shape=W=9 -o OUT.onnx m.onnx" ]
	[ "$(found m.cfg input-shape)" = "" ]
}

@test "names and shapes of inputs must be as in the model" {
	touch c.npy
	write m 'model(graph(inputs=[port("x"), port("mask", (1, 7))]))'
	configure m.cfg input_model=m.onnx input=x,mask \
	    'input_shape=[1, 4], [1, 7]'
	[ "$(found m.cfg input-shape)" = "" ]
	configure m.cfg input_model=m.onnx input=x,maks \
	    'input_shape=[1,4],[1,7]'
	[ "$(found m.cfg input-shape)" = \
	    "error 7 input: the model does not have 'maks' (gate: parser)" ]
	[ "$(fix m.cfg input-shape)" = "write 'mask'" ]
	configure m.cfg input_model=m.onnx input=x,mask 'input_shape=[1,4]'
	[ "$(found m.cfg input-shape)" = \
	    "error 8 input_shape: 1 shape for 2 names in input (gate: parser)" ]
	configure m.cfg input_model=m.onnx input=mask,x \
	    'input_shape=[1,4],[1,7]'
	found m.cfg input-shape >out
	diff out - <<-'E'
	error 8 mask: the configuration says [1,4], and the model [1,7] (gate: parser)
	error 8 x: the configuration says [1,7], and the model [1,4] (gate: parser)
	E
	configure m.cfg input_model=m.onnx input=x 'input_shape=[1,4]'
	[[ $(found m.cfg input-shape) == "warning 7 mask: "* ]]
	# The parser also takes names of nodes and of their values.
	configure m.cfg input_model=m.onnx input=n 'input_shape=[1,4]'
	[ "$(found m.cfg input-shape)" = "" ]
}

@test "input_shape that is not a list of shapes is an error" {
	touch c.npy
	onnx good
	for shape in '1,4' '[1,4' '[1,0]' '[1,-1]' '[1,x]' '[1,4]]' '[[1,4]' \
	    '[1,99999999999999999999]' '[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]'
	do
		configure m.cfg input_model=good.onnx input=x \
		    "input_shape=$shape"
		[[ $(found m.cfg input-shape) == \
		    "error 8 input_shape: '$shape': "* ]]
	done
	configure m.cfg input_model=good.onnx input=x 'input_shape=[[1,4]]'
	[ "$(found m.cfg input-shape)" = "" ]
}

@test "output names a node or a value of the model" {
	touch c.npy
	onnx good
	configure m.cfg input_model=good.onnx input=x output=y,n
	[ "$(found m.cfg value)" = "" ]
	configure m.cfg input_model=good.onnx input=x output=z
	[ "$(found m.cfg value)" = \
	    "error 8 output: the model does not have 'z' (gate: parser)" ]
}

@test "inputs of 64-bit integers, and weights among the inputs, are warnings" {
	write m 'model(graph(inputs=[port("x", kind=S64), port("w")]))'
	found m.onnx int64-input >out
	found m.onnx weights-as-inputs >>out
	diff out - <<-'E'
	warning null x: the input is s64, and the compiled model takes s32 (gate: parser)
	warning null w: 1 tensor of weights is among the inputs: they can change, and are not folded (gate: provider)
	E
}

@test "damaged functions, which are not read, do not matter" {
	write m 'model(more=data(25, b"\x0a\x7f"))'
	run -0 cix-lint -q m.onnx
	[ "$output" = "" ]
}

@test "an input without a shape is a warning" {
	write m 'model(graph(inputs=[data(1, "x") + data(2, data(1, number(1, F32)))]))'
	[[ $(found m.onnx dynamic-shape) == "warning null x: "* ]]
}
