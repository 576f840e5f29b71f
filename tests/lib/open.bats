# SPDX-License-Identifier: Apache-2.0
# npu_open() and npu_model_open() as called by a C program: which library is
# found, what the messages say, and which mistakes are refused.

load ../support/helper

PATH=$B/tests/tools:$PATH

setup() {
	EMU=$B/lib/npu-utils/libnoe-emu.so
	export NPU_EMU_COMPUTE=none
	mkcix --in s8:1x4:20:60 --out s8:1x2 --name=small >m.cix
}

# bats test_tags=native,slow
@test "the emulator that is installed below PREFIX is found" {
	# All objects of lib-all.a are linked, except the object that contains
	# PREFIX.
	"${CC:-cc}" -I"$TOP/lib" -DPREFIX="\"$PWD/at\"" -o opens \
	    "$TOP/tests/tools/opencheck.c" "$TOP/lib/base/installed.c" \
	    "$B/lib-all.a" -lz -lmd -lm -ldl -lpthread
	run -1 ./opens -d 2 m.cix
	[ "$output" = "NPU_ENODEV: m.cix: the emulator cannot be loaded: neither \
$PWD/at/lib/npu-utils/libnoe-emu.so nor a libnoe-emu.so where the loader looks: \
name it by NPU_LIBRARY or npu_options.emulator" ]
	# An emulator on the loader's path is the second choice.
	mkdir v
	cp "$EMU" v/libnoe-emu.so
	LD_LIBRARY_PATH=$PWD/v run -0 ./opens -d 2 m.cix
	[ "$output" = "ok $PWD/v/libnoe-emu.so" ]
	mkdir -p at/lib/npu-utils
	cp "$EMU" at/lib/npu-utils
	LD_LIBRARY_PATH=$PWD/v run -0 ./opens -d 2 m.cix
	[ "$output" = "ok $PWD/at/lib/npu-utils/libnoe-emu.so" ]
	# Named files have priority, in this order: the library, NPU_LIBRARY,
	# the emulator.
	run -0 ./opens -d 2 -e "$EMU" m.cix
	[ "$output" = "ok $EMU" ]
	NPU_LIBRARY=$EMU run -0 ./opens -d 2 -e /none m.cix
	[ "$output" = "ok $EMU" ]
	NPU_LIBRARY=/none run -0 ./opens -d 2 -e /none -L "$EMU" m.cix
	[ "$output" = "ok $EMU" ]
	# An emulator that exists but cannot be used is not skipped.
	echo text >at/lib/npu-utils/libnoe-emu.so
	LD_LIBRARY_PATH=$PWD/v run -1 ./opens -d 2 m.cix
	[[ $output == *"$PWD/at/lib/npu-utils/libnoe-emu.so: file too short" ]]
}

# bats test_tags=native,slow
@test "the emulator that is installed with libnpu.so is found, also elsewhere" {
	mkdir -p at/lib/any-linux-gnu at/lib/npu-utils
	cp "$B"/lib/libnpu.so.0.* at/lib/libnpu.so.0
	ln -s libnpu.so.0 at/lib/libnpu.so
	cp "$EMU" at/lib/npu-utils
	"${CC:-cc}" -I"$TOP/lib" -o opens "$TOP/tests/tools/opencheck.c" \
	    -Lat/lib -lnpu
	LD_LIBRARY_PATH=at/lib run -0 ./opens -d 2 m.cix
	[ "$output" = "ok $PWD/at/lib/npu-utils/libnoe-emu.so" ]
	# Through a link, and with LIBDIR=lib/any-linux-gnu.
	mkdir links
	ln -s "$PWD/at/lib/any-linux-gnu/libnpu.so.0" links
	mv at/lib/libnpu.so.0 at/lib/any-linux-gnu
	LD_LIBRARY_PATH=links run -0 ./opens -d 2 m.cix
	[ "$output" = "ok $PWD/at/lib/npu-utils/libnoe-emu.so" ]
	# A named emulator has priority.
	LD_LIBRARY_PATH=links run -0 ./opens -d 2 -e "$EMU" m.cix
	[ "$output" = "ok $EMU" ]
	# Without it, PREFIX is named.
	rm at/lib/npu-utils/libnoe-emu.so
	LD_LIBRARY_PATH=links run -1 ./opens -d 2 m.cix
	[[ $output == *": neither "*/lib/npu-utils/libnoe-emu.so" nor a \
libnoe-emu.so where the loader looks: "* ]]
}

# bats test_tags=slow
@test "a message begins with the model's path" {
	for o in '-d 2' -m; do
		# shellcheck disable=SC2086 # words
		run -1 opencheck $o none.cix
		[ "$output" = "NPU_ESYSTEM: none.cix: No such file or directory \
in the working directory, and no other is searched" ]
		# shellcheck disable=SC2086
		run -1 opencheck $o ./none.cix
		[ "$output" = "NPU_ESYSTEM: ./none.cix: No such file or directory" ]
		# shellcheck disable=SC2086
		run -1 opencheck $o /
		[ "$output" = "NPU_EFORMAT: /: is a directory, not a model" ]
		# shellcheck disable=SC2086
		run -1 opencheck $o
		[ "$output" = "NPU_EUSAGE: the path of the model is NULL" ]
	done
	run -1 opencheck -L ./none.so m.cix
	[[ $output == "NPU_ENODEV: m.cix: the library named by \
npu_options.library cannot be used: ./none.so: "* ]]
}

# bats test_tags=slow
@test "messages use the names of npu.h, not a program's options" {
	: >node
	run -1 opencheck -L "$EMU" -d 1 m.cix
	[[ $output == *"(named by npu_options.library) is the emulator, which \
NPU_DEVICE_NPU forbids: use NPU_DEVICE_EMU, or name the vendor's libnoe.so" ]]
	run -1 opencheck -L "$B/tests/tools/oddnoe.so" -d 2 m.cix
	[[ $output == *" is not the emulator, which NPU_DEVICE_EMU demands"* ]]
	run -1 opencheck -L "$B/tests/tools/oddnoe.so" -n ./none m.cix
	[[ $output == *"or use NPU_DEVICE_EMU for the emulator" ]]
	LD_LIBRARY_PATH=$B/lib/npu-utils/noe run -1 opencheck -n ./node m.cix
	[[ $output == *"there is a device node (NPU_DEVICE_EMU asks for the \
emulator): "*"name the vendor's with npu_options.library" ]]
	LD_LIBRARY_PATH=$B/lib/npu-utils/noe run -1 opencheck -d 1 m.cix
	[[ $output == *"and NPU_DEVICE_NPU forbids it: "* ]]
	run -0 opencheck -n ./none -e "$EMU" m.cix
	[ "${lines[0]}" = "note: no NPU here: using the emulator \
(NPU_DEVICE_EMU asks for it without this line, NPU_DEVICE_NPU forbids it)" ]
	run -1 opencheck -n ./node m.cix
	[[ $output == *"name libnoe.so with npu_options.library, or use \
NPU_DEVICE_EMU (tried "* ]]
	ODD_TYPE=3 run -1 opencheck -n ./node -L "$B/tests/tools/oddnoe.so" \
	    "$B/share/npu-utils/models/clip_txt.cix"
	[[ $output == *": packed for the emulator (NPU_DEVICE_EMU), \
which no NPU can run: "* ]]
}

@test "an empty name is refused with a clear message" {
	for o in -d2 -m; do
		run -1 opencheck $o ''
		[ "$output" = "NPU_EUSAGE: '': an empty name; a file has a name" ]
	done
	while read -r o name; do
		run -1 opencheck "$o" '' m.cix
		[ "$output" = "NPU_EUSAGE: m.cix: npu_options.$name: an empty \
name; a file has a name" ]
	done <<-END
		-L library
		-e emulator
		-n node
	END
}

@test "a number that is not in enum npu_device is refused" {
	for d in 77 3 -1; do
		run -1 opencheck -d "$d" -L "$EMU" m.cix
		[ "$output" = "NPU_EUSAGE: m.cix: npu_options.device is $d, \
which is none of enum npu_device" ]
	done
}

@test "a size of a dimension without a name or a number is refused" {
	/usr/bin/python3 "$TOP/tests/tools/onnxruns.py" shared >shared.onnx
	run -0 opencheck -d 2 -e "$EMU" -s n=2 shared.onnx
	for size in "" =2 n=0; do
		run -1 opencheck -d 2 -e "$EMU" -s "$size" shared.onnx
		[ "$output" = "NPU_EUSAGE: shared.onnx: npu_options.dims: \
number 0 has no name or no size" ]
	done
}

@test "a model that is closed before its queue stays open until then" {
	run -0 opencheck -c -L "$EMU" m.cix
	[ "$output" = "ok $EMU" ]
}

@test "a model is described without a device or a library" {
	export NPU_LIBRARY=/none
	mkcix --in s8:1x4:20:60 --in s32:77 --out f16:1x6x32 --name=many >many.cix
	run -0 opencheck -m many.cix
	[ "${lines[0]}" = "many for X2_1204, compiler '0.0.0'" ]
	[ "${lines[1]}" = \
	    "input 0 input0: s8 [1,4] scale=20 zero_point=60, 4 bytes" ]
	[ "${lines[2]}" = "input 1 input1: s32 [77] scale=1 zero_point=0, 308 bytes" ]
	[ "${lines[3]}" = "output 0 output0: f16 [1,6,32], 384 bytes" ]
	[ "${#lines[@]}" -eq 4 ]
	run -0 opencheck -m "$B/share/npu-utils/models/clip_txt.cix"
	[[ ${lines[0]} == *" for emulator, compiler ''" ]]
	# The note compilermsg: file_version, then build_version (noe-abi 8.1).
	/usr/bin/python3 - many.cix <<-'END' >built.cix
	import sys
	b = bytearray(open(sys.argv[1], "rb").read())
	at = b.index(b"compilermsg\0") + 12 + 4
	b[at:at + 4] = (6 | 1 << 8 | 3119 << 16).to_bytes(4, "little")
	sys.stdout.buffer.write(b)
	END
	run -0 opencheck -m built.cix
	[ "${lines[0]}" = "many for X2_1204, compiler '6.1.3119'" ]
	/usr/bin/python3 "$TOP/tests/tools/onnxruns.py" shared >shared.onnx
	run -1 opencheck -m shared.onnx
	[ "$output" = "NPU_EUSAGE: shared.onnx: input 'a': the size of \
dimension 1 is not fixed; fix it with cix-lint --fix-shape n=SIZE" ]
	cix-lint -q --fix-shape n=2 -o fixed.onnx shared.onnx
	run -0 opencheck -m fixed.onnx
	[ "$output" = "runs for emulator, compiler ''
input 0 a: f32 [1,2], 8 bytes
input 1 b: f32 [1,2], 8 bytes
output 0 c: f32 [1,2], 8 bytes" ]
	head -c 1000 many.cix >cut.cix
	run -1 opencheck -m cut.cix
	[[ $output == "NPU_EFORMAT: cut.cix: "* ]]
}
