#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-info describes ONNX models, and refuses bad ones.

load ../support/helper

# onnx CASE...: writes CASE.onnx for each case of onnxgen.py.
onnx() {
	for c; do
		/usr/bin/python3 "$TOP/tests/tools/onnxgen.py" "$c" >"$c.onnx"
	done
}

# json FILE FILTER: prints what the filter makes of the model's object.
json() {
	npu-info --json "$1" | jq -c ".models[0] | $2"
}

@test "text of an ONNX model: versions, tensors, nodes, weights" {
	onnx good
	npu-info good.onnx >out
	diff out - <<-'E'
	good.onnx: 110 bytes, ONNX, IR version 8, opset 13, made by onnxgen
	  input 0: x f32 [1,4], 16 bytes
	  output 0: y f32 [1,4], 16 bytes
	  1 node: 1 Add
	  operations: 0 multiply-accumulates
	  weights: 1 tensor, 16 bytes
	E
}

@test "open sizes have their names, or nothing; a picture has its layout" {
	onnx open unknown-size
	run -0 npu-info open.onnx
	[[ $output == *"input 0: x f32 [batch,3,?,?], NCHW"$'\n'* ]]
	[[ $output == *"output 0: y f32 [batch,7,2,2,2,2,2]"$'\n'* ]]
	json open.onnx '.inputs[0] | .shape, .layout, .bytes' >out
	printf '%s\n' '["batch",3,null,null]' '"NCHW"' null | diff out -
	[ "$(json open.onnx '.outputs[0].shape | length')" = 7 ]
	[ "$(json unknown-size.onnx '.inputs[0].shape')" = '[null,4]' ]
}

@test "inputs that are weights, as in old files, are left out" {
	onnx old
	[ "$(json old.onnx '[.inputs[].name]')" = '["x"]' ]
}

@test "inputs that are not tensors of our types have the names of ONNX" {
	onnx string sequence
	[ "$(json string.onnx '.inputs[1].type')" = '"string"' ]
	[ "$(json sequence.onnx '.inputs[1] | .type, .shape')" = \
	    '"sequence"'$'\n'null ]
}

@test "nodes and weights in branches count; those in functions do not" {
	onnx loop domain
	[ "$(json loop.onnx '.nodes, .weights')" = $'3\n2' ]
	json loop.onnx '[.operators[] | {domain, type, nodes}]' >out
	echo '[{"domain":"","type":"Add","nodes":2},{"domain":"","type":"If","nodes":1}]' |
	    diff out -
	json domain.onnx '.operators, .opsets, .functions' >out
	diff out - <<-'E'
	[{"domain":"com.example","type":"Fancy","nodes":1,"macs":null,"macs_unknown":1}]
	[{"domain":"","version":13},{"domain":"com.example","version":1}]
	1
	E
}

@test "files with weights are named once, with their bytes" {
	onnx external
	[ "$(json external.onnx '.files, .file_bytes, .weight_bytes')" = \
	    $'["u.bin","w.bin"]\n56\n56' ]
	run -0 npu-info external.onnx
	[[ $output == *"56 of these bytes are in other files: u.bin, w.bin" ]]
}

@test "weights as numbers or strings are counted as raw weights are" {
	onnx typed
	# 4 numbers of f32, 3 of s64, and the strings ab and c.
	[ "$(json typed.onnx '.weights, .weight_bytes')" = $'3\n43' ]
}

@test "weights with a size of 0 are empty, whatever their other sizes" {
	onnx empty
	[ "$(json empty.onnx '.weights, .weight_bytes')" = $'2\n16' ]
}

@test "names and metadata cannot control a terminal or break a row" {
	onnx odd-names metadata
	run -0 npu-info odd-names.onnx
	[[ $output == *'input 0: x?"1",?[1m f32 [1,4]'* ]]
	[ "$(json odd-names.onnx '.inputs[0].name')" = \
	    '"x\t\"1\",\u001b[1m"' ]
	npu-info -F csv odd-names.onnx >out
	/usr/bin/python3 - >rows <<-'E'
	import csv
	for row in csv.reader(open("out", newline="")):
	    print(len(row), repr(row[4]))
	E
	diff rows - <<-'E'
	10 'name'
	10 'x\t"1",\x1b[1m'
	10 'y'
	E
	npu-info -F tsv odd-names.onnx | awk -F '\t' 'NF != 10 { exit 1 }'
	npu-info --plain metadata.onnx | grep '^metadata' >out
	printf 'metadata\tmetadata.onnx\ta\t1?2\nmetadata\tmetadata.onnx\tb\t\n' |
	    diff out -
	[ "$(json metadata.onnx '.metadata[0].value')" = '"1\t2"' ]
}

@test "--plain: a line for the model, and one for each tensor and list entry" {
	onnx good
	npu-info --plain good.onnx >out
	tr '|' '\t' <<-'E' | diff out -
	onnx|good.onnx|110|8|onnxgen||1|1|16|0|0|0
	tensor|good.onnx|0|input|0|x|f32|1,4|16|||-
	tensor|good.onnx|0|output|0|y|f32|1,4|16|||-
	opset|good.onnx||13
	operator|good.onnx||Add|1|0|0
	E
}

# refuses CASE REASON: the file is refused with this reason, in one line, and
# other files are still described.
refuses() {
	run --separate-stderr -1 npu-info "$1.onnx" good.onnx
	[ "$stderr" = "npu-info: $1.onnx: $2" ]
	[[ $output == "good.onnx: "* ]]
}

@test "a bad ONNX model is refused with the place, the value and the limit" {
	onnx good nodes cycle nothing no-output twice long-value long-weights \
	    long-operator long-input long-size large negative large-weights \
	    negative-weights short-weights no-weights few-values deep no-graph \
	    dimensions no-file
	no="not an ONNX model:"
	many="not a usable ONNX model:"
	refuses nodes "$many it has more than 262144 nodes"
	refuses cycle "$no node 0 takes 'b', which node 1 makes: its nodes form a cycle, or are not in order"
	refuses nothing "$no node 0 takes 'v', which nothing makes"
	refuses no-output "$no the graph's output 'y' is a value that nothing makes"
	refuses twice "$no nodes 0 and 1 both make 'y'"
	# The byte is where the long name begins in the file.
	for c in value weights operator input size; do
		at=$(grep -obaE '(v|O|N){1000}' "long-$c.onnx" |
		    awk -F : 'NR == 1 { print $1 }')
		refuses long-$c "$many the name at byte $at has 1048576 bytes, and the limit is 4096"
	done
	refuses large "$no size 0 of input 'x' is 4611686018427387904, and must be between 0 and 4294967295"
	refuses negative "$no size 0 of input 'x' is -5, and must be between 0 and 4294967295"
	refuses large-weights "$no the weights 'w' have more elements than memory has room for"
	refuses negative-weights "$no the weights 'w' have a size of -1"
	refuses short-weights "$no the weights 'w' have 15 bytes, and their sizes and type need 16"
	refuses no-weights "$no the weights 'w' have 0 values, and their sizes need 4"
	refuses few-values "$no the weights 'w' have 3 values, and their sizes need 4"
	refuses deep "not an ONNX file: messages are nested more than 100 deep"
	refuses dimensions "$many input 'x' has 17 dimensions, and the limit is 16"
	refuses no-file "$no the weights 'w' are in another file, whose name is missing"
	refuses no-graph "$no no graph with an output is in it"
	head -c 60 good.onnx >cut.onnx
	refuses cut "a truncated ONNX model: its graph continues after the 60 bytes of the file; download it again"
}

@test "a large ONNX model is mapped: its weights take no memory" {
	/usr/bin/python3 "$TOP/tests/tools/onnxgen.py" large-file >large.onnx
	truncate -s $((1 << 30)) large.onnx
	/usr/bin/python3 - <<-'E'
	import resource, subprocess
	out = subprocess.run(["npu-info", "large.onnx"], check=True,
	                     capture_output=True, text=True).stdout
	assert "weights: 1 tensor, 1073741" in out, out
	# In KiB.
	used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
	assert used < 100 << 10, used
	E
}

@test "standard input is read as a file is" {
	onnx good
	npu-info --json - <good.onnx | jq '.models[0].path = "good.onnx"' >a
	npu-info --json good.onnx | jq . | diff a -
	cat good.onnx | npu-info --json - | jq '.models[0].path = "good.onnx"' |
	    diff a -
}

@test "descriptions of real files agree with the library onnx" {
	need_data .
	/usr/bin/python3 -c 'import onnx' 2>/dev/null ||
		skip "no library onnx (Debian: python3-onnx)"
	find "$DATA" -name '*.onnx' -size +0 ! -name lfs.onnx |
	    LC_ALL=C sort >files
	[ "$(wc -l <files)" -gt 10 ]
	xargs /usr/bin/python3 "$TOP/tests/tools/onnxref.py" <files |
	    jq -cS . >expected
	xargs npu-info -F jsonl <files | jq -cS 'del(.schema, .path, .format,
	    .bytes, .functions, .files, .file_bytes, .macs, .macs_unknown,
	    .operators[].macs, .operators[].macs_unknown) |
	    (.inputs[], .outputs[]) |= {name, type, shape}' >found
	diff expected found
}
