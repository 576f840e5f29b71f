# SPDX-License-Identifier: Apache-2.0
# npu.py, as a Python program uses it.  Most cases run without numpy: -S hides
# the packages of Debian.
# bats file_tags=native

load ../support/helper

export PYTHONPATH=$B/share/npu-utils/python-npu
# -X dev and -W error find leaks and uses that later versions of Python refuse.
case_of() {
	/usr/bin/python3 -X dev -W error -B "$@"
}

setup() {
	CASES=$TOP/tests/tools/npupy.py
	mkcix --in=s8:1x4:20:60 --out=s8:1x4:20:60 --op=xor >m.cix
}

# plain CASE [ARGUMENT]...: runs a case without numpy; it prints nothing.
plain() {
	run --separate-stderr -0 case_of -S "$CASES" "$@"
	[ "$output" = "" ]
	[ "$stderr" = "" ]
}

@test "the module has the structures, functions and codes of npu.h" {
	abi=$TOP/tests/data/libnpu-abi.txt
	for c in sizes functions codes; do
		case_of -S "$CASES" "$c" >have
		[ -s have ]
		sort have | uniq -d >twice
		[ ! -s twice ]
		run -1 grep -vxFf "$abi" have
	done
}

@test "a model is described without a device" {
	mkcix --in s8:1x4:20:60 --in s32:77 --out f16:1x6x32 --name=many >many.cix
	NPU_LIBRARY=/none run -0 case_of -S "$CASES" describe many.cix
	[ "$output" = "many X2_1204 '0.0.0'
input0 s8 (1, 4) 20.0 60 4
input1 s32 (77,) 1.0 0 308
output0 f16 (1, 6, 32) 1.0 0 384" ]
}

@test "run() and map() take bytes and arrays without numpy" {
	plain run m.cix
	mkcix --in=s8:1x4 --in=u16:2 --out=s8:1x4 --out=u16:2 --op=xor >two.cix
	plain several two.cix
}

@test "with numpy, arrays go in and come out" {
	run --separate-stderr -0 case_of "$CASES" with_numpy m.cix
	[ "$output$stderr" = "" ]
}

@test "floats are quantised and dequantised as the formula says" {
	plain numbers
}

@test "texts are tokenised, also by several threads" {
	plain text
}

@test "a wrong argument is an exception, never a crash" {
	plain wrong m.cix
}

@test "an exception has the code, its name, the status and the message" {
	NPU_EMU_FAULT=infer:1:timeout run -0 case_of -S "$CASES" errors m.cix
	[ "${lines[0]}" = "-1 NPU_ESYSTEM 0 none.cix: No such file or directory \
in the working directory, and no other is searched" ]
	[[ ${lines[1]} == "NPU_ENODEV m.cix: the library named by library= \
cannot be used: ./none.so: "* ]]
	[ "${lines[2]}" = "NPU_ETIMEOUT 0x23" ]
}

@test "map() that is not finished does not disturb run()" {
	plain streams m.cix
}

@test "threads open, run and close models at the same time" {
	plain threads m.cix
}

@test "Ctrl-C interrupts a run, during which other threads work" {
	NPU_EMU_INFER_MS=600000 run -0 timeout 100 /usr/bin/python3 -S \
	    "$CASES" interrupt m.cix
	[ "$output" = "interrupted after 20" ]
}

@test "an exception of a signal's handler leaves no lock behind" {
	plain interrupted m.cix
}

@test "the handler of a signal closes and runs models at any time" {
	plain handler m.cix
}

@test "a tokenizer can be used until the process ends" {
	plain late "$NPU_TEST_DATA/vocab/bpe_simple_vocab_16e6.txt.gz"
}

# The emulator reports a model that is loaded at exit, as the vendor's library
# aborts the process.
@test "models are closed at the end of the process, and not by a child" {
	plain leave m.cix
	plain fork m.cix
}

@test "a library that is missing is an ImportError with its name" {
	cp "$TOP/lib/npu.py" .
	PYTHONPATH=. run -1 case_of -S -c 'import npu'
	[[ ${lines[-1]} == "ImportError: libnpu.so.0, of npu-utils, cannot be \
used: "*"libnpu.so.0: cannot open shared object file"* ]]
	LD_LIBRARY_PATH=$B/lib PYTHONPATH=. run -0 case_of -S -c \
	    'import npu; print(npu.version())'
	[ "$output" = "$(npu-run --version | sed 's/.* //; q')" ]
}

# libnoe.py of the emulator would hide the module of the vendor's wheel.
@test "the module's folder contains nothing else" {
	[ "$(ls "$PYTHONPATH")" = npu.py ]
}

@test "the programs of npu.py(3) run" {
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/npu.py.3"
	sh -e page.1.sh
	sh -e page.2.sh
	model=$B/share/npu-utils/models/clip_txt.cix
	run --separate-stderr -0 case_of -S texts.py "$model" 'a red circle' \
	    'a red circle' 'a green square'
	[ "${lines[0]}" = "(1, 512)" ]
	[ "${lines[1]}" = "1.00 a red circle" ]
	[[ ${lines[2]} =~ ^-?0\.[0-9]{2}" a green square"$ ]]
	run --separate-stderr -1 case_of -S texts.py none.cix x
	[[ $stderr == "none.cix: "*" (NPU_ESYSTEM)" ]]
	run --separate-stderr -0 case_of text.py "$model" 'a red circle'
	[ "$output" = "int8 (1, 512) float32" ]
}
