# SPDX-License-Identifier: Apache-2.0
# cix-lint --diagnose: the messages in a log of the compiler.

load ../support/helper

# known LINE...: checks that each line alone, between others, is explained.
known() {
	local line
	for line; do
		printf '[I] start\n%s\n[I] end\n' "$line" >log
		run --separate-stderr -0 cix-lint --diagnose=log
		[ "${lines[0]}" = "2: $line" ]
		[[ ${lines[1]} == "    cause: "?* ]]
		[[ ${lines[2]} == "    fix: "?* ]]
		[ "${#lines[@]}" -eq 3 ]
		[ "$stderr" = '' ]
	done
}

@test "--diagnose explains each known message, whatever is around it" {
	known "KeyError: 'model_name'" \
	    '[E] GBuilder: Unknown option output_dir' \
	    'CUDA error: no kernel image is available for execution' \
	    '[E] Unsupport node type: Convolution, layer 3' \
	    '[E] Unsupport node type: Where' \
	    'ld.lld: error: duplicate symbol: tpc_softmax' \
	    'duplicate TPC symbols' \
	    'libaipu_simulator_x2.so: cannot open shared object file' \
	    'simulator library not found' \
	    '[Parser]: Model path in cfg is incorrect, please check!' \
	    '[Parser]: Onnx version is too low, needs updating!' \
	    '[Parser]: Framework mxnet is not supported!' \
	    '[Parser]: Got no output names for graph main' \
	    '[Parser]: Graph(main) is not connected!' \
	    '[Parser]: Graph(main) is not DAG!' \
	    '[Parser]: input_shapes must be provided in config file for torch' \
	    "Require the 'quantize_method_for_weight' field must be in ['a']" \
	    '[W] soms_scheduler not found!' \
	    'noe_load_graph failed: 0x2' \
	    "configparser.DuplicateOptionError: While reading from 'a.cfg'"
}

@test "--diagnose says what to change" {
	echo "KeyError: 'model_name'" >log
	run -0 cix-lint --diagnose=log
	[ "$output" = "1: KeyError: 'model_name'
    cause: the configuration lacks a required key
    fix: add to [Parser]: model_name = NAME" ]
	echo '[E] Unsupport node type: Convolution' |
	    cix-lint --diagnose=- >out
	grep -qF 'X2_1204MP3, or X2_1204' out
}

@test "--diagnose explains a message once, at its first line" {
	printf 'a\nUnknown option output_dir\nUNKNOWN OPTION OUTPUT_DIR\n' >log
	printf "KeyError: 'model_name'" >>log
	run -0 cix-lint --diagnose=log
	[ "$(grep -c '^[0-9]' <<<"$output")" -eq 2 ]
	[ "${lines[0]}" = '2: Unknown option output_dir' ]
	[ "${lines[3]}" = "4: KeyError: 'model_name'" ]
}

@test "--diagnose writes JSON" {
	printf 'a\n [E] Unknown option output_dir\n\377 KeyError model_name\n' \
	    >log
	run -0 --separate-stderr cix-lint -F json --diagnose=log
	[ "$stderr" = '' ]
	jq -e '.schema == "cix-lint-log/1" and
	    (.messages | map(.line) == [2, 3]) and
	    .messages[0].text == "[E] Unknown option output_dir" and
	    (.messages[0].cause | startswith("[GBuilder]")) and
	    all(.messages[]; .fix != "")' <<<"$output"
	echo nothing | cix-lint -q -F json --diagnose=- >out || [ $? -eq 5 ]
	jq -e '.messages == []' out
	run -1 --separate-stderr cix-lint -F json --diagnose=absent
	jq -e '.schema == "cix-lint-log/1" and .error.status == 1' <<<"$output"
	run -2 cix-lint -F gcc --diagnose=log
}

@test "--diagnose exits with 5 if it knows no message" {
	for text in '' 'all is well\n' 'KeyError: x\n\0'; do
		# shellcheck disable=SC2059
		printf "$text" >log
		run --separate-stderr -5 cix-lint --diagnose=log
		[ "$output" = '' ]
		[ "$stderr" = 'cix-lint: log: no message that cix-lint knows' ]
		run --separate-stderr -5 cix-lint -q --diagnose=- <log
		[ "$output$stderr" = '' ]
	done
	run --separate-stderr -1 cix-lint --diagnose=absent
	[ "$output" = '' ]
	[[ $stderr == 'cix-lint: absent: '* ]]
}

@test "--diagnose finds messages in long lines and among control characters" {
	{
		head -c 300000 /dev/zero | tr '\0' x
		printf '\nx\n\033[31mUnknown option output_dir\033[0m\r\n'
		head -c 65536 /dev/zero | tr '\0' y
		printf "KeyError 'model_name' "
		head -c 100000 /dev/zero | tr '\0' z
	} >log
	run -0 cix-lint --diagnose=log
	[ "${lines[0]}" = '3: ?[31mUnknown option output_dir?[0m' ]
	[[ ${lines[3]} == "4: KeyError 'model_name' zzz"*... ]]
	[ "${#lines[3]}" -lt 300 ]
}
