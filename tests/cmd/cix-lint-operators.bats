#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# cix-lint checks the operators of a model by gate: parser, kernel, provider.

load ../support/helper

# write NAME EXPRESSION: writes NAME.onnx from an expression with the functions
# of onnxgen.py and of the following lines.
write() {
	/usr/bin/python3 - "$TOP/tests/tools" "$2" >"$1.onnx" <<-'E'
	import sys
	sys.path.insert(0, sys.argv[1])
	from onnxgen import *

	def nodes(*rows, inputs=None, tensors=None, opset=13, more=b""):
	    """A model whose rows are: type, inputs, output, attributes."""
	    return model(graph([node(t, i.split(","), o.split(","), *rest)
	                        for t, i, o, *rest in rows],
	                       tensors, inputs), opset, more)

	def chain(types, domain=""):
	    """A model with a node of each type, one after the other."""
	    n, rows = len(types), []
	    for i, t in enumerate(types):
	        domain, _, name = t.rpartition(":")
	        rows.append((name, "x" if i == 0 else "v%d" % i,
	                     "y" if i == n - 1 else "v%d" % (i + 1), b"",
	                     domain))
	    return nodes(*rows, more=data(8, data(1, "com.microsoft") +
	                                  number(2, 1)))

	def table(path):
	    return [line.split("\t")[0].strip() for line in open(path)
	            if not line.startswith("#")]

	def scalar(name, raw=bytes(4), kind=F32):
	    return weights(name, (), raw, kind)

	def shape_of(name, *sizes):
	    return weights(name, (len(sizes),), b"".join(
	        s.to_bytes(8, "little", signed=True) for s in sizes), S64)

	sys.stdout.buffer.write(eval(sys.argv[2]))
	E
}

# found RULE ARGUMENT...: prints level, where and message of these findings.
found() {
	local rule=$1
	shift
	run cix-lint -F json "$@"
	jq -r --arg rule "$rule" '.files[0].findings[] | select(.rule == $rule) |
	    "\(.level) \(.where): \(.message)"' <<<"$output"
}

# fix RULE FILE: prints what to write instead.
fix() {
	run cix-lint -F json "$2"
	jq -r --arg rule "$1" '.files[0].findings[] | select(.rule == $rule) |
	    .fix' <<<"$output"
}

@test "the parser's and the provider's tables equal the test data" {
	need_data hub/lint/tables
	tables=$NPU_TEST_DATA/hub/lint/tables
	write parser "chain(table('$tables/ops-parser.tsv'))"
	[ "$(found op-parser parser.onnx)" = "" ]
	write provider "chain(table('$tables/ops-provider-x2.tsv'))"
	found op-provider --gate=provider provider.onnx >out
	run ! grep 'does not take' out
	# HardSwish, QLinearConv and QLinearMul.
	[ "$(found op-parser provider.onnx | grep -c ' no class for ')" = 3 ]
	found op-provider --gate=provider parser.onnx >out
	grep -q "'Acos' (gate" out
}

@test "an operator without a class is an error, once, with its first node" {
	write m 'nodes(("RNN", "x", "a"), ("Scan", "a", "b"), ("RNN", "b", "y"))'
	found op-parser m.onnx >out
	diff out - <<-'E'
	error n: the parser has no class for 'RNN' in 2 nodes (gate: parser)
	error n: the parser has no class for 'Scan' (gate: parser)
	E
	run -4 cix-lint m.onnx
}

@test "the fix for an unknown operator says what to use" {
	for op in HardSwish:HardSigmoid SplitToSequence:Split \
	    Softmaks:Softmax RandomNormal:remove STFT:before Unheard:cut; do
		write m "nodes(('${op%:*}', 'x', 'y'))"
		[[ $(fix op-parser m.onnx) == *"${op#*:}"* ]]
	done
}

@test "operators of other domains, and functions of the file, are unknown" {
	write m 'chain(["com.microsoft:Gelu"])'
	[ "$(found op-parser m.onnx)" = \
	    "error n: the parser has no class for 'Gelu' of the domain 'com.microsoft' (gate: parser)" ]
	[[ $(fix op-parser m.onnx) == *"the 'Gelu' of ai.onnx" ]]
	custom='data(8, data(1, "com.example") + number(2, 1))'
	write m "nodes(('Relu', 'x', 'y', b'', 'com.example'), more=$custom)"
	[ "$(found op-parser m.onnx)" = \
	    "error n: the parser has no class for 'Relu' of the domain 'com.example' (gate: parser)" ]
	write m "nodes(('F', 'x', 'y', b'', 'com.example'), more=$custom +
	    data(25, data(1, 'F') + data(10, 'com.example')))"
	[ "$(found op-parser m.onnx)" = \
	    "error n: the parser does not read 'F', a function that the file defines (gate: parser)" ]
	write m 'nodes(("Relu", "x", "y", b"", "ai.onnx"))'
	[ "$(found op-parser m.onnx)" = "" ]
}

@test "operators in branches are found" {
	write m 'nodes(("If", "x", "y", data(5, data(6, graph([
	    node("Det", ("x",), ("z",))])))))'
	[ "$(found op-parser m.onnx)" = \
	    "error null: the parser has no class for 'Det' (gate: parser)" ]
}

@test "a version that no table has is a warning, and a wrong one an error" {
	write m 'nodes(("Cast", "x", "a"), ("Relu", "a", "y"), opset=24)'
	[ "$(found opset m.onnx)" = \
	    "warning null: version 24 of the operators is newer than 23, the newest in the parser's tables, which then takes older attributes: Cast 19 (gate: parser)" ]
	for opset in 1 9 13 20 23; do
		write m "nodes(('Relu', 'x', 'y'), opset=$opset)"
		[ "$(found opset m.onnx)" = "" ]
	done
	write m 'nodes(("Relu", "x", "y"), opset=0)'
	[[ $(found opset m.onnx) == "error null: version 0 "* ]]
	write m 'number(1, 8) + data(7, graph())'
	[[ $(found opset m.onnx) == "warning null: the file does not state "* ]]
	write m 'nodes(("QGemm", "x", "y", b"", "com.microsoft"))'
	[[ $(found opset m.onnx) == "error null: "*"domain 'com.microsoft'"* ]]
	write m 'nodes(("Relu", "x", "y"), opset=12)'
	[[ $(found opset --gate=provider m.onnx) == "warning null: version 12 "* ]]
}

# bert NAME: writes a model with the attention mask that exporters of BERT
# write.
bert() {
	write "$1" 'nodes(
	    ("Unsqueeze", "mask,axes", "m1"), ("Cast", "m1", "m2"),
	    ("Sub", "one,m2", "m3"), ("Mul", "m3,w", "m4"),
	    ("MatMul", "x,x", "s1"), ("Add", "s1,m4", "s2"),
	    ("Softmax", "s2", "y"),
	    inputs=[port("x"), port("mask", (1, 4), S64)],
	    tensors=[scalar("one"), weights(), shape_of("axes", 1, 2)])'
}

@test "Sub, Equal and Where of masks are warnings, or errors with the gate" {
	bert m
	[ "$(found op-kernel m.onnx)" = \
	    "warning n: the kernel library may not have 'Sub', as masks use it (gate: kernel)" ]
	run -0 cix-lint --disable=int64-input m.onnx
	run -4 cix-lint --gate=kernel m.onnx
	[[ $output == *"error: n: the kernel library "* ]]
	write m 'nodes(("Equal", "x,zero", "e"), ("Where", "e,w,x", "a"),
	    ("Where", "e,w,a", "y"), tensors=[scalar("zero"), weights()])'
	found op-kernel m.onnx >out
	diff out - <<-'E'
	warning n: the kernel library may not have 'Equal', as masks use it (gate: kernel)
	warning n: the kernel library may not have 'Where', as masks use it in 2 nodes (gate: kernel)
	E
}

@test "Sub of pictures and boxes, and Where of shapes, are not masks" {
	# A mean, the distance of boxes, 1 - score, and the shape of Expand.
	write m 'nodes(("Sub", "x,w", "a"), ("Conv", "a,k", "b"),
	    ("Sub", "b,a", "c"), ("Sub", "w,c", "d"),
	    ("Shape", "x", "s"), ("Equal", "s,minus", "e"),
	    ("Where", "e,s,minus", "f"), ("Expand", "d,f", "g"),
	    ("Softmax", "g", "y"),
	    tensors=[weights(), weights("k", (1, 1, 1, 1), bytes(4)),
	             shape_of("minus", -1)])'
	[ "$(found op-kernel m.onnx)" = "" ]
}

@test "what the provider does not take is a note, or an error with the gate" {
	write m 'nodes(("Conv", "x,w", "a"), ("Sin", "a", "b"),
	    ("Sin", "b", "c"), ("Exp", "c", "y"))'
	[ "$(found op-provider m.onnx)" = \
	    "note null: ONNX Runtime's provider leaves Exp, Sin to the processor (gate: provider)" ]
	found op-provider --gate=provider m.onnx >out
	diff out - <<-'E'
	error n: the provider does not take 'Exp' (gate: provider)
	error n: the provider does not take 'Sin' in 2 nodes (gate: provider)
	E
	# Shapes are folded.
	write m 'nodes(("Shape", "x", "s"), ("Sin", "s", "t"),
	    ("Identity", "x", "i"), ("Expand", "i,t", "y"))'
	[ "$(found op-provider m.onnx)" = "" ]
}

@test "the provider's types count with its gate" {
	write m 'nodes(("Conv", "x,w", "a"), ("Relu", "a", "b"),
	    ("Abs", "b", "c"), ("Sigmoid", "c", "d"), ("Softmax", "d", "y"))'
	found op-provider --gate=provider m.onnx >out
	diff out - <<-'E'
	error n: the provider takes 'Abs' only for s8, u8, s16, u16 (gate: provider)
	error n: the provider takes 'Sigmoid' only for numbers that are quantised on both sides (gate: provider)
	note n: the provider's limit for 'Relu': signed only (gate: provider)
	E
	[ "$(found op-provider m.onnx)" = "" ]
	write m 'nodes(("QuantizeLinear", "x,s,z", "q"),
	    ("DequantizeLinear", "q,s,z", "d"), ("Sigmoid", "d", "t"),
	    ("QuantizeLinear", "t,s,z", "r"), ("Abs", "r", "y"),
	    tensors=[scalar("s"), scalar("z", bytes(1), S8)])'
	found op-provider --gate=provider m.onnx >out
	run ! grep error out
	mode='data(5, data(1, "mode") + data(4, "linear") + number(20, 3))'
	write m "nodes(('Resize', 'x', 'a'), ('Resize', 'a', 'y', $mode))"
	[[ $(found op-provider --gate=provider m.onnx) == \
	    "error n: the provider takes 'Resize' only for s8, u8, s16, u16 (gate: provider)"* ]]
}

@test "a 0 in the shape of Reshape is a warning, unless allowzero is set" {
	write m 'nodes(("Reshape", "x,s", "y"), tensors=[shape_of("s", 0, -1)])'
	[ "$(found reshape-zero m.onnx)" = \
	    "warning n: the shape of Reshape has a 0, which copies a size of the input (gate: provider)" ]
	[[ $(found reshape-zero --gate=provider m.onnx) == error* ]]
	allow='data(5, data(1, "allowzero") + number(3, 1) + number(20, 2))'
	write m "nodes(('Reshape', 'x,s', 'y', $allow),
	    tensors=[shape_of('s', 0, -1)])"
	[ "$(found reshape-zero m.onnx)" = "" ]
	write m 'nodes(("Reshape", "x,s", "y"), tensors=[shape_of("s", 4, -1)])'
	[ "$(found reshape-zero m.onnx)" = "" ]
	# The shape is in a Constant.
	write m 'nodes(("Constant", "", "s", data(5, data(1, "value") + data(5,
	    shape_of("", 0, 4)) + number(20, 4))), ("Reshape", "x,s", "y"))'
	[[ $(found reshape-zero m.onnx) == "warning n: "* ]]
}

@test "BatchNormalization needs a Conv or a product before it" {
	for t in Conv Gemm ConvTranspose MatMul; do
		write m "nodes(('$t', 'x,w', 'a'),
		    ('BatchNormalization', 'a,w,w,w,w', 'y'))"
		[ "$(found batchnorm-alone m.onnx)" = "" ]
	done
	# A bias, and quantisers.
	write m 'nodes(("MatMul", "x,w", "a"), ("Add", "w,a", "b"),
	    ("QuantizeLinear", "b,w", "c"), ("DequantizeLinear", "c,w", "d"),
	    ("BatchNormalization", "d,w,w,w,w", "y"))'
	[ "$(found batchnorm-alone m.onnx)" = "" ]
	write m 'nodes(("BatchNormalization", "x,w,w,w,w", "a"),
	    ("Relu", "a", "b"), ("BatchNormalization", "b,w,w,w,w", "y"))'
	[ "$(found batchnorm-alone m.onnx)" = \
	    "warning n: BatchNormalization has no Conv or Gemm before it that could take in its factors in 2 nodes (gate: provider)" ]
}

@test "models of the test data have no error" {
	need_data hub/models
	find "$NPU_TEST_DATA" -name '*.onnx' -size +0 ! -path '*/lint/*' |
	    LC_ALL=C sort >files
	[ "$(wc -l <files)" -gt 8 ]
	xargs cix-lint <files >out
	run ! grep ': error:' out
	run ! grep 'op-parser\|op-kernel\|opset\|batchnorm' out
}

@test "the fixtures of operators have exactly their findings" {
	need_data hub/lint
	cd "$NPU_TEST_DATA/hub/lint"
	run -4 cix-lint -q op-unknown.cfg
	[[ $output == "op-unknown.cfg:8: error: coin: "*" [op-parser]"* ]]
	run -0 cix-lint -q reshape-zero.cfg
	[[ $output == "reshape-zero.cfg:8: warning: flat: "*" [reshape-zero]"* ]]
	run -4 cix-lint -q dynamic.cfg
	[[ $output == "dynamic.cfg:8: error: x: "*" [dynamic-shape]"* ]]
	run -4 cix-lint -q shape-differs.cfg
	[[ $output == "shape-differs.cfg:10: error: x: "*" [input-shape]"* ]]
	run -4 cix-lint -q lfs-pointer.cfg
	[[ $output == "lfs-pointer.cfg:8: error: lfs.onnx: "*" [lfs-pointer]"* ]]
}
