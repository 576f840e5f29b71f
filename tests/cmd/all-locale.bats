#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# libnpu and the emulator in a program that has set a locale with another
# decimal mark.  The programs of this project never set a locale.

load ../support/helper

setup() {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 >m.cix
	export LOCPATH=$PWD
	localedef -i de_DE -f UTF-8 ./de_DE.UTF-8
	EMU=$B/lib/npu-utils/libnoe-emu.so
}

# bats test_tags=slow
@test "numbers have the format of the C locale in every locale" {
	export NPU_EMU_INFER_MS=2.5 NPU_EMU_LOG=$PWD/log
	export NPU_EMU_FAULT=infer:1:delay=1.5
	LC_ALL=C inlocale "$EMU" m.cix >want
	mv log want.log
	LC_ALL=de_DE.UTF-8 inlocale "$EMU" m.cix >got
	diff - got <<-'END'
	0,5
	s8 [1,512] scale=27.6738 zero_point=60
	label: scale is -1.5, but must be a number above 0
	after 2.5 s: label: scale is -1.5, but must be a number above 0
	0.25
	1234.5
	1234.56789
	5/2
	'2,5' is not a number from 0 to 9.5
	abc
	END
	[ "$(head -n 1 want)" = 0.5 ]
	sed -i 1d want got
	diff want got
	grep -q 'delay=1\.5$' log
	diff want.log log
}
