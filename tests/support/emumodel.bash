# SPDX-License-Identifier: Apache-2.0
# Models and programs for the tests of libnoe-emu.so.
# shellcheck shell=bash

EMU=$B/lib/npu-utils

# Run a program of the vendor's API on the emulator, as on a board.
noe() {
	LD_LIBRARY_PATH=$EMU/noe "$B/tests/tools/noerun" "$@"
}

mkcix() {
	"$B/tests/tools/mkcix" "$@"
}

mkonnx() {
	"$B/tests/tools/mkonnx" "$@"
}

# four OP: a twin of four floats.
four() {
	mkonnx "$1" f32:1x4 : f32:1x4
}

# pack SPEC... : SPEC... [ONNX]: a model of these inputs and outputs, as
# TYPE:SHAPE:SCALE:ZERO, without a test program in it.
pack() {
	local o=-I args=()
	for spec; do
		case $spec in
		:) o=-O ;;
		*.onnx) args+=("$spec") ;;
		*) args+=("$o" ":$spec") ;;
		esac
	done
	cix-pack "${args[@]}"
}

# model [ONNX]: a model of four floats.
model() {
	pack f32:4 : f32:4 "$@"
}

# said: the lines of $stderr without those of ONNX Runtime itself, which does
# not know the processor that qemu is.
said() {
	mapfile -t said < <(grep -v '^onnxruntime ' <<<"$stderr")
	printf '%s\n' "${said[@]}"
}

# Threads can only be counted where qemu does not have some of its own.
WATCH=(-w)
# shellcheck disable=SC2034 # used by files that load this
[ "${LEG-}" != arm64 ] || WATCH=()

# one_line STATUS TEXT: noerun's output for a load: a line of the emulator's
# with TEXT in it, then its own.
one_line() {
	said
	[ "${#said[@]}" -eq 2 ]
	[[ ${said[0]} == "libnoe-emu: "*"$2"* ]]
	[[ ${said[1]} == "noerun: load_graph: $1 "* ]]
}
