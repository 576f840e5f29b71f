#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# cix-lint: the command line, the formats of findings, and exit statuses.

load ../support/helper

# A model, its calibration data, and a configuration that is sound.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || exit
	mkonnx Relu f32:1x3x8x8 : f32:1x3x8x8 >good.onnx
	perl -e 'print "\x93NUMPY\1\0v\0", pack("A117",
		"{\"descr\": \"<f4\", \"fortran_order\": False, " .
		"\"shape\": (4, 3, 8, 8), }") . "\n",
		pack "f<*", map { sin $_ } 1 .. 768' >good-calibration.npy
	cix-lint --write-cfg good.onnx |
	    sed 's/^calibration_data =$/& good-calibration.npy/' >good.cfg
}

setup() {
	cp "$BATS_FILE_TMPDIR"/good* .
}

# config KEY VALUE: writes bad.cfg, which is good.cfg with another value.
config() {
	sed "s/^$1 = .*/$1 = $2/" good.cfg >bad.cfg
}

@test "a sound configuration and a sound model have no findings" {
	for f in good.cfg good.onnx "good.cfg good.onnx"; do
		# shellcheck disable=SC2086 # words
		run -0 cix-lint --strict -q $f
		[ "$output" = "" ]
	done
	run -0 cix-lint - <good.cfg
	run -0 cix-lint - <good.onnx
	# Paths begin in the configuration's folder.
	mkdir folder
	mv good* folder
	run -0 cix-lint --strict -q folder/good.cfg
	[ "$output" = "" ]
}

@test "a finding has file, line, level, message and rule, and the fix below" {
	config target Z3
	line=$(grep -n ^target bad.cfg | cut -d: -f1)
	run -4 --separate-stderr cix-lint bad.cfg
	[ "$stderr" = "" ]
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} == "bad.cfg:$line: error: "*"Z3"*" [target]" ]]
	[[ ${lines[1]} == "    "*X2_1204MP3* ]]
	run -4 cix-lint -o out bad.cfg
	[ "$output" = "" ]
	[ "$(cat out)" = "$(cix-lint --format=text bad.cfg)" ]
}

@test "-F gcc prints a line with line and column for each finding" {
	config target Z3
	line=$(grep -n ^target bad.cfg | cut -d: -f1)
	run -4 --separate-stderr cix-lint -F gcc bad.cfg
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "bad.cfg:$line:1: error: "*"Z3"*"; "*X2_1204MP3*\
" [target]" ]]
	mkonnx Relu f32:Nx3 : f32:Nx3 >open.onnx
	run cix-lint -F gcc open.onnx
	[[ $output == "open.onnx:1:1: "*" [dynamic-shape]" ]]
}

@test "-F json has a document with the findings of each file" {
	config target Z3
	line=$(grep -n ^target bad.cfg | cut -d: -f1)
	run -4 --separate-stderr cix-lint -F json bad.cfg good.onnx
	[ "$stderr" = "" ]
	jq -e --argjson line "$line" '.schema == "cix-lint/1" and
	    [.files[] | [.file, .model]] == [["bad.cfg", "good.onnx"],
		["good.onnx", "good.onnx"]] and
	    .files[1].findings == [] and (.files[0].findings | length == 1) and
	    (.files[0].findings[0] | .rule == "target" and .level == "error" and
		.line == $line and (.message | contains("Z3")) and
		(.fix | contains("X2_1204MP3")) and has("where"))' <<<"$output"
}

@test "a file that cannot be read gives status 1, and others are checked" {
	config target Z3
	run -1 --separate-stderr cix-lint absent.cfg bad.cfg absent.onnx
	[ "$stderr" = "cix-lint: absent.cfg: No such file or directory
cix-lint: absent.onnx: No such file or directory" ]
	[[ ${lines[0]} == "bad.cfg:"*" [target]" ]]
	run -1 --separate-stderr cix-lint -F json . bad.cfg
	jq -e '.files[0].findings == null and .files[0].error.status == 1 and
	    (.files[1].findings | length == 1)' <<<"$output"
	head -c 17000000 /dev/zero | tr '\0' '\n' >large.cfg
	run -1 cix-lint large.cfg
	[[ $output == "cix-lint: large.cfg: "*17000000* ]]
}

@test "the status is 4 for an error, and with --strict for a warning" {
	config model_name "good # cix-lint: off none"
	config activation_bits '8 \& <[(1,2)]:16>'
	run -0 --separate-stderr cix-lint bad.cfg
	[[ $output == *": warning: "*"[layer-ids]"* ]]
	run -4 cix-lint --strict bad.cfg
	run -0 cix-lint --strict --disable=layer-ids bad.cfg
	[ "$output" = "" ]
	{
		echo '# cix-lint: off layer-ids'
		cat bad.cfg
	} >off.cfg
	run -0 cix-lint --strict off.cfg
	[ "$output" = "" ]
}

@test "-q leaves out notes and keeps warnings and errors" {
	need_data hub/lint/two-inputs.cfg
	cd "$NPU_TEST_DATA/hub/lint"
	for f in *.cfg; do
		cix-lint "$f" | awk '/^[^ ]/ { keep = !/: note: / } keep' \
		    >"$BATS_TEST_TMPDIR/want" || [ $? -eq 4 ]
		{ cix-lint -q "$f" || [ $? -eq 4 ]; } |
		    cmp - "$BATS_TEST_TMPDIR/want"
	done
}

@test "--disable takes rules with commas, and suggests the nearest name" {
	config target Z3
	sed -i 's/^model_name/#/' bad.cfg
	run -4 cix-lint bad.cfg
	[[ $output == *"[missing]"* ]]
	[[ $output == *"[target]"* ]]
	run -0 cix-lint --disable=target,missing bad.cfg
	run -0 cix-lint --disable=target --disable missing bad.cfg
	run -2 cix-lint --disable=targets bad.cfg
	[ "${lines[0]}" = "cix-lint: --disable: no rule is called 'targets'; \
did you mean 'target'?" ]
	run -2 cix-lint --disable=target, bad.cfg
	run -2 cix-lint --gate=compiler bad.cfg
	[ "${lines[0]}" = "cix-lint: --gate: 'compiler' is not parser, kernel \
or provider" ]
}

@test "--list-rules lists each rule, and the page describes each" {
	run -0 --separate-stderr cix-lint --list-rules
	[ "${#lines[@]}" -eq 25 ]
	for l in "${lines[@]}"; do
		grep -qx "\.It Cm ${l%% *}" "$TOP/man/cix-lint.1" || {
			echo "not in the page: $l"
			false
		}
	done
	cix-lint --list-rules | sort -c
	cix-lint --list-rules -o out
	cix-lint --list-rules | cmp - out
}

@test "options that would have no effect are refused" {
	while read -r words; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr cix-lint $words
		[ "$output" = "" ]
		[[ ${stderr_lines[0]} == "cix-lint: "* ]]
	done <<-'END'
	--list-rules good.cfg
	--list-rules --strict
	--write-cfg --disable=target good.onnx
	--write-cfg -F json good.onnx
	--write-cfg --gate=kernel good.onnx
	--write-cfg --target=X2_1204 good.onnx
	--write-cfg --list-rules
	--fix-shape=N=1 -o o -F gcc good.onnx
	--diagnose=- good.onnx
	--diagnose=good.cfg -F gcc
	--runs=3 good.cfg
	--predict=good-calibration.npy -F gcc good.cfg
	--predict=good-calibration.npy --strict good.cfg
	--predict=good-calibration.npy --write-cfg good.cfg
	-F yaml good.cfg
	-o good.cfg good.cfg
	- -
	END
}

# The examples of the page, in a folder with the files that they name.
@test "the examples of cix-lint(1) run" {
	cp good.cfg build.cfg
	cp good.onnx model.onnx
	cp good-calibration.npy calibration.npy
	mkonnx Relu f32:Nx3x8x8 : f32:Nx3x8x8 >open.onnx
	echo "KeyError: 'model_name'" >compiler.log
	sed 's/^\.Bd -literal -compact/.Bd -literal/' "$TOP/man/cix-lint.1" \
	    >cix-lint.1
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    cix-lint.1
	n=0
	for script in ./page.*.sh; do
		sh -e "$script" || {
			cat "$script"
			false
		}
		n=$((n + 1))
	done
	[ "$n" -ge 5 ]
}
