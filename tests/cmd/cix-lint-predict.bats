#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# cix-lint --predict: what quantising loses.

load ../support/helper

# net NAME [SEED [OPSET [PREFIX]]]: writes a model, its samples and, in
# NAME.json, the cosines that numpy gives.
net() {
	/usr/bin/python3 -c 'import numpy' 2>/dev/null || skip "no numpy"
	/usr/bin/python3 "$TOP/tests/tools/predictnet.py" "$1" "${2:-1}" \
	    "${@:3}"
}

# predicted NAME [OPTION...]: predicts, as JSON in the file got.
predicted() {
	cix-lint -q -F json --predict="$1.npy" "${@:2}" "$1.onnx" >got
}

# same_cosines NAME: compares the file got with the cosines of numpy.  These
# models give some 0.9999 with 8 bits and 0.999 with 6.
same_cosines() {
	jq -e --slurpfile want "$1.json" '
	    [.outputs[] | (.cosine - $want[0][.name]) | fabs] |
	    length == ($want[0] | length) and all(. < 0.00001)' got
}

@test "a convolutional net has the cosines of the definition" {
	for seed in 1 2 3; do
		net classifier "$seed"
		predicted classifier
		same_cosines classifier
	done
	jq -e '.schema == "cix-lint-predict/1" and .runs == 3' got
}

@test "the cosines are the same with the operators of opset 9" {
	for name in classifier embedding; do
		net "$name" 4 9
		predicted "$name"
		same_cosines "$name"
	done
}

@test "scores that share a Concat with boxes are what loses most" {
	net detector
	predicted detector
	same_cosines detector
	jq -e '.worst[0] | .name == "scores" and .concat == "y" and
	    .sqnr_db < 1 and .own_sqnr_db > 40 and .line ==
	    "trigger_float_op = disable & <{^node\\.scores$}:float16_preferred> <{^node\\.y$}:float16_preferred>"' got
	jq -e '.worst | length <= 10 and all(.[1:][]; .sqnr_db > 30)' got
	jq -e '.findings[0].rule == "mixed-output"' got
}

@test "scores are named, not the Flatten between them and the Concat" {
	net flattened
	predicted flattened
	same_cosines flattened
	jq -e '.worst[0] | .name == "scores" and .concat == "y"' got
	jq -e '[.worst[].name] | index("scorelist") == null' got
}

@test "an embedding table with one large number has few distinct values" {
	net embedding
	predicted embedding
	same_cosines embedding
	jq -e '.outputs[] | select(.name == "rows") |
	    .distinct <= 3 and .possible == 256 and .elements == 324' got
}

@test "the text has a line for each output, and lines for [Optimizer]" {
	net classifier
	run -0 --separate-stderr cix-lint --predict=classifier.npy \
	    classifier.onnx
	[ -z "$stderr" ]
	[[ $output == *$'\ny       0.999'* ]]
	[[ $output == *$'\nc1 (Conv): '*' dB, 8 bits, '* ]]
	[[ $output == *$'\n    activation_bits = 8 & <{^node\\.c1$}:16>'* ]]
}

# config NAME KEY=VALUE...: writes NAME.cfg for NAME.onnx.
config() {
	{
		printf '[Common]\nmode = build\n[Parser]\nmodel_type = onnx\n'
		printf 'model_name = m\ninput_model = %s.onnx\n' "$1"
		printf '[Optimizer]\n'
		printf 'quantize_method_for_activation = per_tensor_asymmetric\n'
		printf 'quantize_method_for_weight = '
		printf 'per_channel_symmetric_restricted_range\n'
		printf '%s\n' "${@:2}"
		printf '[GBuilder]\ntarget = X2_1204MP3\n'
	} >"$1.cfg"
}

# ratio NAME: predicts with NAME.cfg, and prints the SQNR of the first output.
ratio() {
	cix-lint -q -F json --predict="$1.npy" "$1.cfg" >got
	jq '.outputs[0].sqnr_db // 999 | floor' got
}

@test "a configuration sets bits and methods" {
	net classifier
	config classifier
	base=$(ratio classifier)
	same_cosines classifier
	config classifier activation_bits=16 weight_bits=16
	[ "$(ratio classifier)" -gt $((base + 35)) ]
	config classifier activation_bits=4
	[ "$(ratio classifier)" -lt $((base - 15)) ]
	config classifier 'weight_bits = 8 & <[Convolution]:4>'
	[ "$(ratio classifier)" -lt $((base - 10)) ]
	config classifier trigger_float_op=float16_preferred
	[ "$(ratio classifier)" -eq 999 ]
}

@test "the line that --predict prints lifts the layer" {
	for prefix in node. '' 'n[o}d>e é/'; do
		net detector 1 13 "$prefix"
		config detector
		ratio detector
		jq -e '.worst[0].name == "scores"' got
		config detector "$(jq -r '.worst[0].line' got)"
		ratio detector
		jq -e '[.worst[].name] | index("scores") == null' got
	done
}

@test "--runs limits the samples, and --evaluate takes others" {
	net classifier
	predicted classifier --runs=2
	jq -e '.calibration_runs == 2 and .runs == 2 and
	    (.outputs[0].cosines | length) == 2' got
	cp classifier.npy other.npy
	net classifier 2
	cp classifier.json keep.json
	predicted classifier --evaluate=other.npy --runs=1
	jq -e '.calibration_runs == 1 and .runs == 1' got
	run -2 cix-lint --progress=never classifier.onnx
	[[ $output == *"--progress is for --predict"* ]]
	run -2 cix-lint --evaluate=other.npy classifier.onnx
	[[ $output == *"--evaluate is for --predict"* ]]
}

@test "the collapse of an embedding table is reported" {
	need_data hub/lint/embedding-collapse.onnx
	cd "${DATA%/*}"
	cix-lint -q -F json --predict=calib_ids.npy embedding-collapse.onnx \
	    >"$BATS_TEST_TMPDIR/got"
	jq -e '.findings[0] | .rule == "embedding-collapse" and
	    (.message | contains("17 of 512"))' "$BATS_TEST_TMPDIR/got"
}

@test "data that does not fit the model is refused" {
	net classifier
	net embedding
	run -1 --separate-stderr cix-lint --predict=embedding.npy \
	    classifier.onnx
	[[ $stderr == *": input 'x' takes ["*"], and the data has "*",9]; "* ]]
	run -1 --separate-stderr cix-lint --predict=absent.npy classifier.onnx
	[[ $stderr == "cix-lint: absent.npy: "* ]]
	run -1 --separate-stderr cix-lint --predict=classifier.npy absent.onnx
	[[ $stderr == "cix-lint: absent.onnx: "* ]]
}

@test "with -F json, a failure is a document with an error" {
	net classifier
	run -1 --separate-stderr cix-lint -F json --predict=absent.npy \
	    classifier.onnx
	jq -e '.schema == "cix-lint-predict/1" and .error.status == 1' \
	    <<<"$output"
	[[ $stderr == "cix-lint: absent.npy: "* ]]
	run -3 --separate-stderr env NPU_ORT=/nowhere cix-lint -F json \
	    --predict=classifier.npy classifier.onnx
	jq -e '.error.status == 3' <<<"$output"
}

# changed NAME: changes NAME.onnx with the library onnx, as the program on stdin
# says; m is the model, and value(name, shape, type) makes an output.
changed() {
	/usr/bin/python3 -c 'import sys, numpy as np, onnx
from onnx import helper
def value(name, shape, kind=onnx.TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)
m = onnx.load(sys.argv[1])
'"$(cat)" "$1.onnx"
}

@test "weights in another file are found beside the model" {
	mkdir sub
	cd sub
	net classifier
	changed classifier <<<'
onnx.save(m, "classifier.onnx", save_as_external_data=True, size_threshold=0,
          location="w.bin")'
	[ "$(stat -c %s w.bin)" -gt 1000 ]
	config classifier
	cd ..
	cix-lint -q -F json --predict=sub/classifier.npy sub/classifier.cfg >got
	same_cosines sub/classifier
	rm sub/w.bin
	run -1 --separate-stderr cix-lint --predict=sub/classifier.npy \
	    sub/classifier.onnx
	[[ $stderr == "cix-lint: sub/classifier.onnx: "*"w.bin"* ]]
}

@test "weights in Constant nodes are rounded as initializers are" {
	net classifier
	changed classifier <<<'
made = [helper.make_node("Constant", [], [w.name], value=w)
        for w in m.graph.initializer]
del m.graph.initializer[:]
nodes = made + list(m.graph.node)
del m.graph.node[:]
m.graph.node.extend(nodes)
onnx.save(m, "classifier.onnx")'
	predicted classifier
	same_cosines classifier
}

@test "open sizes are as in the data, and a batch takes several samples" {
	net classifier
	changed classifier <<<'
d = m.graph.input[0].type.tensor_type.shape.dim
d[0].dim_param, d[2].dim_param, d[3].dim_param = "N", "H", "W"
onnx.save(m, "classifier.onnx")'
	predicted classifier
	same_cosines classifier
	net classifier
	changed classifier <<<'
m.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 3
m.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 3
onnx.save(m, "classifier.onnx")'
	predicted classifier
	jq -e '.runs == 1 and (.outputs[0] | .elements == 30 and
	    .cosine > 0.999)' got
}

@test "outputs of other types, or with infinities or NaN, are not rounded" {
	net classifier
	changed classifier <<<'
for op, source, to in ("Relu", "y", "r"), ("Reciprocal", "r", "inf"), (
        "Log", "y", "nan"):
    m.graph.node.append(helper.make_node(op, [source], [to]))
m.graph.node.append(helper.make_node("ArgMax", ["y"], ["best"], axis=1))
m.graph.output.extend([value("best", [1, 1], onnx.TensorProto.INT64),
                       value("inf", [1, 10]), value("nan", [1, 10])])
onnx.save(m, "classifier.onnx")'
	run -0 --separate-stderr cix-lint -F json --predict=classifier.npy \
	    classifier.onnx
	[ "$stderr" = "cix-lint: 1 value that is not finite stays float; the\
 first is 'inf'" ]
	jq -e '.outputs | .[0].cosine > 0.9 and .[1].elements == 0 and
	    .[2].saturated == null and all(.[1:][]; .cosine == null)' \
	    <<<"$output"
	run -0 cix-lint -q --predict=classifier.npy classifier.onnx
	[[ $output == *$'\nbest    not f32\n'*$'\nnan     has NaN\n'* ]]
}

@test "NaN and infinities in the data are noted, with their sample" {
	net classifier
	/usr/bin/python3 -c '
import numpy
a = numpy.load("classifier.npy")
a[1].flat[3] = numpy.nan
a[2].flat[:2] = numpy.inf
numpy.save("classifier.npy", a)'
	run -0 --separate-stderr cix-lint --predict=classifier.npy \
	    classifier.onnx
	[[ $stderr == "cix-lint: classifier.npy: input 0: 3 of "*" numbers are NaN or infinite, first in sample 1: leave these samples out"* ]]
}

@test "a configuration that asks for another strategy gets a note" {
	net classifier
	config classifier dataset=NumpyNHWC2NCHWDataset \
	    calibration_strategy_for_activation=mean \
	    'activation_bits = 8 & <[(1,2)]:16>'
	run -0 --separate-stderr cix-lint --predict=classifier.npy \
	    classifier.cfg
	[[ $stderr == *"calibration_strategy_for_activation = mean is not"* ]]
	[[ $stderr == *"dataset NumpyNHWC2NCHWDataset changes the order"* ]]
	[[ $stderr == *"layer ids"*"not followed"* ]]
	run -0 --separate-stderr cix-lint -q --predict=classifier.npy \
	    classifier.cfg
	[ -z "$stderr" ]
}

# bats test_tags=slow
@test "the two files whose quantisers are wrong are called so" {
	need_data hub/models
	/usr/bin/python3 -c 'import numpy as np
np.save("small", np.zeros((1, 3, 224, 224), "f4"))
np.save("large", np.zeros((1, 3, 640, 640), "f4"))'
	cix-lint -q -F json --predict=small.npy \
	    "$DATA/mobilenetv2-collapsed-qdq.onnx" | jq -e '
	    .findings[0].rule == "clipped-output"'
	cix-lint -q -F json --predict=large.npy \
	    "$DATA/yolo11n-pose-oneoutput-int8.onnx" >got
	jq -e '.findings[0].rule == "mixed-output"' got
	# Quantised weights are not activations.
	jq -e 'all(.worst[].name; test("weight") | not)' got
}

@test "data of another shape is refused" {
	/usr/bin/python3 -c 'import numpy' 2>/dev/null || skip "no numpy"
	mkonnx Relu f32:1x3x8x9 : f32:1x3x8x9 >m.onnx
	for shape in 4,8,9,3 4,3,9,8 3,8,9 216,4; do
		/usr/bin/python3 -c 'import numpy, sys; numpy.save("d.npy",
		    numpy.ones(eval(sys.argv[1]), "f"))' "$shape"
		run -1 --separate-stderr cix-lint --predict=d.npy m.onnx
		[ "$stderr" = "cix-lint: m.onnx: input 'in0' takes [1,3,8,9], and the data has the shape [$shape]; its first axis is the samples" ]
	done
	for shape in 4,3,8,9 4,1,3,8,9; do
		/usr/bin/python3 -c 'import numpy, sys; numpy.save("d.npy",
		    numpy.ones(eval(sys.argv[1]), "f"))' "$shape"
		run -0 cix-lint -q --predict=d.npy m.onnx
	done
}

@test "-T limits an inference" {
	/usr/bin/python3 -c 'import numpy' 2>/dev/null || skip "no numpy"
	mkonnx Relu f32:1x4 : f32:1x4 >m.onnx
	/usr/bin/python3 -c 'import numpy; numpy.save("d.npy",
	    numpy.ones((2, 4), "f"))'
	run -1 env NPU_EMU_INFER_MS=60000 cix-lint -q -T 300ms \
	    --predict=d.npy m.onnx
	[[ $output == *"m.onnx: sample 0: no result after 0.3 s: "* ]]
	run -2 cix-lint -T 1s m.onnx
	[ "${lines[0]}" = "cix-lint: --timeout is for --predict" ]
}
