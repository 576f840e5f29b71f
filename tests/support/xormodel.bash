# SPDX-License-Identifier: Apache-2.0
# A model for the emulator that exclusive-ors its four bytes with 0x55.
# shellcheck shell=bash

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# label FILE TYPE SHAPE SCALE ZERO: prints the bytes of FILE with a label.
label() {
	npu-tensor --add -t "$2" --shape="$3" -s "$4" -z "$5" "$1"
}
