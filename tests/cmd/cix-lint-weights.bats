#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2140 # long texts are joined from two lines
# What cix-lint says about quantising, from the weights alone.  The models are
# written by tests/tools/quantnets.py; its comments and the arithmetic beside
# each test say what must come out.

load ../support/helper

# net CASE: writes the model to CASE.onnx.
net() {
	/usr/bin/python3 "$TOP/tests/tools/quantnets.py" "$1" "$1"
}

# found CASE: prints level, rule and tensor of each finding of the rules of this
# file.
found() {
	net "$1"
	cix-lint -F json "$1.onnx" >json || :
	jq -r '.files[].findings[] | select(.rule == ("embedding-collapse",
	    "mixed-output", "clipped-output")) |
	    "\(.level) \(.rule) \(.where)"' json
}

# has TEXT: a message or a fix of the last report has this text.
has() {
	[[ $(jq -r '.files[].findings[] | .message, .fix' json) == *"$1"* ]]
}

# with LINE CASE: writes CASE.cfg, with this line in [Optimizer], and prints
# what is found with it.
with() {
	net "$2"
	printf '%s\n' '[Common]' 'mode = build' '[Parser]' 'model_type = onnx' \
	    "model_name = $2" "input_model = $2.onnx" '[Optimizer]' "$1" \
	    '[GBuilder]' 'target = X2_1204MP3' "outputs = $2.cix" >"$2.cfg"
	cix-lint -F json "$2.cfg" >json || :
	jq -r '.files[].findings[] | select(.rule == ("embedding-collapse",
	    "mixed-output")) | "\(.level) \(.rule)"' json
}

# ---- Tables ------------------------------------------------------------------

@test "a table whose rows become equal is found" {
	# 64 rows between -1 and 1, and 10000: a step of 39 leaves the row with
	# the large number, and one other.
	[ "$(found table)" = "warning embedding-collapse t" ]
	has "2 of 64 rows of the table stay different with 8 bits"
}

@test "the fixture leaves 17 of 512 rows" {
	[ -d "$NPU_TEST_DATA/hub/lint" ] || skip "no test data"
	run -0 cix-lint "$NPU_TEST_DATA/hub/lint/embedding-collapse.onnx"
	[[ $output == *": T: 17 of 512 rows of the table stay different"* ]]
}

@test "a table is read from each place where ONNX can have it" {
	for c in typed-table half-table outside-table; do
		[ "$(found $c)" = "warning embedding-collapse t" ]
		has "2 of 64 rows"
	done
}

@test "a table whose data is absent is not counted" {
	net outside-table
	rm outside-table.bin
	run cix-lint outside-table.onnx
	[[ $output != *embedding-collapse* ]]
}

@test "a FIFO, or a file outside of the folder, is not opened for a table" {
	net outside-table
	mkdir m
	mv outside-table.onnx m
	run -4 cix-lint m/outside-table.onnx
	[[ $output != *embedding-collapse* ]]
	mkfifo m/outside-table.bin
	run -4 timeout 60 cix-lint m/outside-table.onnx
	[[ $output == *"[external-data]"* ]]
	[[ $output != *embedding-collapse* ]]
	rm m/outside-table.bin
	mkdir x
	mv outside-table.bin x/side-tab.bin
	sed -i 's,outside-table\.bin,../x/side-tab.bin,' m/outside-table.onnx
	run -4 cix-lint m/outside-table.onnx
	[[ $output == *"outside of the model's folder"* ]]
	[[ $output != *embedding-collapse* ]]
}

@test "tables that keep their rows are not findings" {
	# One has rows of a few steps; one has equal rows from the start; one is
	# not looked up by rows; one has NaN.
	for c in even-table equal-rows columns nan-table; do
		[ "$(found $c)" = "" ]
	done
}

@test "more bits, or float, keep the rows" {
	# 10000 / 65535 is 0.15: the rows differ.
	[ "$(with 'weight_bits = 8' table)" = "warning embedding-collapse" ]
	[ "$(with 'weight_bits = 16' table)" = "" ]
	[ "$(with 'activation_bits = 8 & <[Gather]:16>' table)" = "" ]
	[ "$(with 'trigger_float_op = disable & <{^n$}:float16_preferred>' \
	    table)" = "" ]
	[ "$(with 'activation_bits = 8 & <[Conv]:16>' table)" = \
	    "warning embedding-collapse" ]
}

# ---- Outputs that join large and small numbers -------------------------------

@test "boxes and scores in one output are found" {
	[ "$(found mixed)" = "warning mixed-output y" ]
	# 640 / 255
	has "numbers from 0 to 1: with a step of about 2.51, all of them become 0"
	has "trigger_float_op = disable & <{^join\$}:float16_preferred>"
}

@test "the name in the fix is escaped, or left out if the node has none" {
	found odd-name
	has 'disable & <{^a/b\.c\[0\]$}:float16_preferred>'
	found no-name
	has "give the model two outputs, of large and of small numbers"
}

@test "a Concat behind others is found" {
	[ "$(found nested)" = "warning mixed-output y" ]
}

@test "outputs with numbers of one size are not findings" {
	# Scores and a Tanh; boxes alone; boxes up to 2, with a step of 0.008;
	# boxes that Clip keeps between -2 and 2.
	for c in scores boxes small-boxes clipped-boxes; do
		[ "$(found $c)" = "" ]
	done
}

@test "the quantiser in the file decides" {
	[ "$(found quantised)" = "warning mixed-output y" ]
	has "with a step of 2.5, all of them become 0"
	has "quantise again with two outputs"
	# A step of 0.01 leaves 101 values.
	[ "$(found fine)" = "" ]
}

@test "bits and float of the configuration decide" {
	[ "$(with 'activation_bits = 8' mixed)" = "warning mixed-output" ]
	# 640 / 4095 leaves 7 values; 640 / 65535 leaves 103.
	[ "$(with 'activation_bits = 12' mixed)" = "warning mixed-output" ]
	has "they have 7 values"
	[ "$(with 'activation_bits = 16' mixed)" = "" ]
	[ "$(with 'activation_bits = 8 & <{^join$}:16>' mixed)" = "" ]
	[ "$(with 'trigger_float_op = disable & <{join}:float16_preferred!>' \
	    mixed)" = "" ]
	# Ids number the compiler's layers: it is not known which they are.
	[ "$(with 'trigger_float_op = disable & <[(3, 5)]:float16_preferred>' \
	    mixed)" = "note mixed-output" ]
}

@test "a detector that finds nothing is named" {
	[ -d "$NPU_TEST_DATA/hub/models" ] || skip "no test data"
	run -0 cix-lint \
	    "$NPU_TEST_DATA/hub/models/yolo11n-pose-oneoutput-int8.onnx"
	[[ $output == *": output0: "*"with a step of 2.71, all of them become "\
"0 [mixed-output]"* ]]
}

# ---- Outputs that are cut off ------------------------------------------------

@test "a classifier whose quantiser cannot tell classes apart is found" {
	# 1 / (1 + 999 exp(-5.425)) is 0.185.
	[ "$(found classifier)" = "warning clipped-output y" ]
	has "from -1.383 to 4.042: with 1000 classes, softmax then gives the best "\
"class at most 0.19"
	[ "$(found wide-classifier)" = "" ]
	# 512 numbers are features, not classes.
	[ "$(found features)" = "" ]
}

@test "the badly calibrated classifier is named" {
	[ -d "$NPU_TEST_DATA/hub/models" ] || skip "no test data"
	run -0 cix-lint \
	    "$NPU_TEST_DATA/hub/models/mobilenetv2-collapsed-qdq.onnx"
	[[ $output == *": class_logits: "*" to 4.042: "*"[clipped-output]"* ]]
}

@test "a quantiser that is narrower than an earlier one is found" {
	[ "$(found wider-before)" = "warning clipped-output y" ]
	has "an earlier quantiser of these numbers goes from -25.6 to 25.4"
	[ "$(found wider-after)" = "" ]
}

@test "scores that cannot reach 1 are found" {
	[ "$(found sigmoid)" = "warning clipped-output y" ]
	has "from 0 to 0.3: the operator before it gives numbers up to 1"
	[ "$(found whole-sigmoid)" = "" ]
}
