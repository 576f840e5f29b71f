#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-info counts the multiply-accumulates of ONNX models.

load ../support/helper

# net CASE...: writes CASE.onnx for each case of onnxnets.py.
net() {
	for c; do
		/usr/bin/python3 "$TOP/tests/tools/onnxnets.py" "$c" >"$c.onnx"
	done
}

# macs FILE: prints the number, and how many nodes are not counted.
macs() {
	npu-info --plain "$1" |
	    awk -F '\t' '$1 == "onnx" { print ($11 == "" ? "-" : $11), $12 }'
}

@test "each operator that multiplies is counted as calculated by hand" {
	/usr/bin/python3 "$TOP/tests/tools/onnxnets.py" --list >cases
	[ "$(wc -l <cases)" -gt 25 ]
	while read -r c n; do
		net "$c"
		echo "$c: $(macs "$c.onnx")" >>found
		echo "$c: $n 0" >>expected
	done <cases
	diff expected found
}

# Each of 12 layers has 12 w^2 weights for t tokens of w elements, and two
# products of (t,w) and (w,t); the last token is projected to 512 elements.
@test "CLIP ViT-B/32: the text tower has 2.98 G, the visual tower 4.41 G" {
	net clip-text clip-visual
	text=$((12 * (12 * 512 * 512 * 77 + 2 * 77 * 77 * 512) + 512 * 512))
	patches=$((49 * 768 * 3 * 32 * 32))
	visual=$((12 * (12 * 768 * 768 * 50 + 2 * 50 * 50 * 768) + 768 * 512))
	[ "$(macs clip-text.onnx)" = "$text 0" ]
	[ "$(macs clip-visual.onnx)" = "$((patches + visual)) 0" ]
	run -0 npu-info clip-visual.onnx
	[[ $output == *"
  operations: 4.41 G multiply-accumulates (MatMul 4.29 G, Conv 116 M)
"* ]]
	run -0 npu-info clip-text.onnx
	[[ $output == *"
  operations: 2.98 G multiply-accumulates (MatMul 2.98 G)
"* ]]
}

@test "sizes are found that the graph calculates, or the file states" {
	net calculated resized stated
	[ "$(macs calculated.onnx)" = "$((3 * 5 * 4)) 0" ]
	[ "$(macs resized.onnx)" = "$((2 * 6 * 9 * 3)) 0" ]
	[ "$(macs stated.onnx)" = "$((2 * 5 * 4)) 1" ]
	run -0 npu-info stated.onnx
	[[ $output == *"
  operations: 40 multiply-accumulates (MatMul 40); 1 node unknown
"* ]]
}

@test "a count is unknown with an open size, in a branch, or if it overflows" {
	net open foreign branch einsum overflow overflowing-sum
	for c in open einsum overflow; do
		[ "$(macs $c.onnx)" = "- 1" ]
	done
	[ "$(macs foreign.onnx)" = "- 2" ]
	[ "$(macs branch.onnx)" = "- 2" ]
	[ "$(macs overflowing-sum.onnx)" = "9223372036854775808 1" ]
	run -0 npu-info foreign.onnx
	[[ $output == *$'\n'"  operations: 2 nodes unknown"$'\n'* ]]
}

@test "functions, and what is for training, are not read" {
	net training
	[ "$(macs training.onnx)" = "40 0" ]
}

@test "JSON and plain lines have the counts, in all and by operator" {
	net stated conv
	npu-info --json stated.onnx |
	    jq -c '.models[0] | .macs, .macs_unknown, .operators' >out
	diff out - <<-'E'
	40
	1
	[{"domain":"","type":"MatMul","nodes":1,"macs":40,"macs_unknown":0},{"domain":"com.example","type":"Fancy","nodes":1,"macs":null,"macs_unknown":1}]
	E
	npu-info --plain stated.onnx | grep '^operator' >out
	tr '|' '\t' <<-'E' | diff out -
	operator|stated.onnx||MatMul|1|40|0
	operator|stated.onnx|com.example|Fancy|1||1
	E
	net softmax
	[ "$(npu-info --json softmax.onnx | jq -c '.models[0].macs')" = 0 ]
	run -0 npu-info softmax.onnx
	[[ $output == *$'\n'"  operations: 0 multiply-accumulates"$'\n'* ]]
}

@test "a chain of as many nodes as are allowed is described" {
	net chain
	run -0 timeout 120 npu-info chain.onnx
	[[ $output == *$'\n'"  operations: 0 multiply-accumulates"$'\n'* ]]
}

# Published: MobileNetV2 300 M (its paper), YOLOv8n 8.7 GFLOPs (its authors).
@test "real models have about the published multiply-accumulates" {
	need_data .
	read -r n unknown <<<"$(macs \
	    "$DATA/hub/models/mobilenetv2-collapsed-qdq.onnx")"
	[ "$unknown" = 0 ]
	[ "$n" -gt 295000000 ]
	[ "$n" -lt 305000000 ]
	read -r n unknown <<<"$(macs "$DATA/models/yolov8n-640-qdq-int8.onnx")"
	[ "$unknown" = 0 ]
	[ "$n" -gt 4300000000 ]
	[ "$n" -lt 4400000000 ]
}
