# SPDX-License-Identifier: Apache-2.0
# Models and programs for the tests of libnoe-emu.so.
# shellcheck shell=bash

EMU=$B/lib/npu-utils

# noe PROGRAM...: runs a program of the vendor's API on the emulator, as on a
# board.
noe() {
	LD_LIBRARY_PATH=$EMU/noe "$B/tests/tools/noerun" "$@"
}

mkcix() {
	"$B/tests/tools/mkcix" "$@"
}

mkonnx() {
	"$B/tests/tools/mkonnx" "$@"
}

# four OP: writes an ONNX twin whose operator OP has four floats.
four() {
	mkonnx "$1" f32:1x4 : f32:1x4
}

# pack SPEC... : SPEC... [ONNX]: writes a model with these inputs and outputs,
# each TYPE:SHAPE:SCALE:ZERO, without a test program in the model.
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

# model [ONNX]: writes a model of four floats.
model() {
	pack f32:4 : f32:4 "$@"
}

# said: prints the lines of $stderr, without the lines of ONNX Runtime, which
# does not know the processor that qemu imitates.
said() {
	mapfile -t said < <(grep -v '^onnxruntime ' <<<"$stderr")
	printf '%s\n' "${said[@]}"
}

# Threads can be counted only where qemu does not add threads of its own.
WATCH=(-w)
# shellcheck disable=SC2034 # used by files that load this
[ "${LEG-}" != arm64 ] || WATCH=()

# one_line STATUS TEXT: noerun failed to load a model with STATUS.  Its stderr
# is one line of the emulator, with TEXT in it, then one line of noerun.
one_line() {
	said
	[ "${#said[@]}" -eq 2 ]
	[[ ${said[0]} == "libnoe-emu: "*"$2"* ]]
	[[ ${said[1]} == "noerun: load_graph: $1 "* ]]
}
