#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# lib/model infers the shapes of the values in ONNX files.

load ../support/helper

# need_onnx: skips a test if the library onnx is missing.
need_onnx() {
	/usr/bin/python3 -c 'import onnx' 2>/dev/null ||
		skip "no library onnx (Debian: python3-onnx)"
}

@test "shapes in real files agree with the library onnx" {
	need_data .
	need_onnx
	find "$DATA" "$TOP/models" -name '*.onnx' -size +0 ! -name lfs.onnx |
	    LC_ALL=C sort >files
	[ "$(wc -l <files)" -gt 10 ]
	for c in clip-text clip-visual calculated resized; do
		/usr/bin/python3 "$TOP/tests/tools/onnxnets.py" $c >$c.onnx
		echo $c.onnx >>files
	done
	xargs /usr/bin/python3 "$TOP/tests/tools/onnxshapes.py" \
	    "$B/tests/tools/onnxshapes" <files >out
	cat out
	while read -r _ good of all; do
		[ "$of" = of ]
		[ "$good" = "$all" ]
	done <out
	[ "$(wc -l <out)" -eq "$(wc -l <files)" ]
}

# bats test_tags=slow
@test "shapes agree with the results of the library onnx's examples" {
	need_onnx
	/usr/bin/python3 "$TOP/tests/tools/onnxcases.py" \
	    "$B/tests/tools/onnxshapes" >out 2>errors
	cat out
	# Operators with several outputs, or whose size depends on data, are
	# partly unknown.
	[ "$(awk '$1 == "equal" { print $2 }' out)" -gt 800 ]
	run -1 grep -c '^different' out
}
