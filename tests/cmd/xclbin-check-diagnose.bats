#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# xclbin-check --diagnose: takes error messages, and prints for each the name of
# the check, the cause and the next step.  tests/unit/diagnose/explain.c tests
# all messages.

load ../support/helper

@test "--diagnose names the check for each message of libxrt and its tools" {
	need_data xdna/explain.tsv
	tail -n +2 "$DATA" | cut -f 1 | xclbin-check --diagnose=- >out
	tail -n +2 "$DATA" | cut -f 2 >want
	[ "$(wc -l <want)" -gt 15 ]
	sed 's/: .*//' out | diff want -
	[ "$(grep -c '^[a-z]*: .*; next: .' out)" -eq "$(wc -l <want)" ]
}

@test "--diagnose recognises a message with other numbers in it" {
	message='amdxdna 0000:c4:00.1: aie2_init: Enable PASID failed, ret -95'
	run -0 xclbin-check --diagnose="[   99.123456] $message"
	[[ $output == 'iommu: '*'; next: '* ]]
	message='mmap(addr=0x7f00, len=4096, prot=1, flags=1) failed (err=-12)'
	run -0 xclbin-check --diagnose="  what():  $message"
	[[ $output == 'limits: '*'; next: '* ]]
}

@test "--diagnose explains the known lines of a log, in order" {
	log='[    1.0] usb 1-1: new device
[    2.0] amdxdna 0000:c5:00.1: aie2_init: Enable PASID failed, ret -19
[    3.0] eth0: link up
amdxdna 0000:c5:00.1: probe with driver amdxdna failed with error -19
'
	run -0 --separate-stderr xclbin-check --diagnose=- <<<"$log"
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} == 'iommu: '* && ${lines[1]} == 'driver: '* ]]
	[ "$stderr" = "" ]
	xclbin-check --diagnose=- <<<"$log" >stdin
	xclbin-check --diagnose="$log" >argument
	printf %s "$log" | xclbin-check --diagnose=- >pipe
	sed 's/$/\r/' <<<"$log" | xclbin-check --diagnose=- >dos
	for how in argument pipe dos; do
		cmp stdin $how
	done
}

@test "--diagnose explains the error messages of xdna-run" {
	need_data xdna/oracle/pair.xclbin
	insts=$NPU_TEST_DATA/xdna/insts
	: >node
	while read -r check words; do
		# shellcheck disable=SC2086 # words
		run ! --separate-stderr xdna-run $words </dev/null
		run -0 xclbin-check --diagnose="$stderr"
		[[ $output == "$check: "* ]] || { echo "$stderr"; false; }
	done <<-END
	insts --dry-run --kernel=SCALE $DATA $insts/two-in.insts
	insts --dry-run --kernel=SCALE $DATA $insts/warn-unknown-op.insts
	kernel --dry-run --kernel=NONE $DATA $insts/ln.insts
	node --kernel=SCALE --node=/dev/null $DATA $insts/ln.insts
	call --kernel=SCALE -d emu $DATA $insts/ln.insts
	END
}

@test "--diagnose ignores NULs, and accepts lines of up to 1 MiB" {
	{
		head -c 10000 /dev/zero
		echo 'amdxdna 0000:c5:00.1: aie2_init: Enable PASID failed'
		head -c 1048576 /dev/zero
		echo
	} >log
	run -0 xclbin-check --diagnose=- <log
	[[ $output == 'iommu: '* ]]
	run -1 --separate-stderr xclbin-check --diagnose=- \
	    < <(head -c 1048577 /dev/zero)
	[[ $stderr == "xclbin-check: stdin: line 1: longer than 1048576 bytes"* ]]
}

@test "--diagnose exits with 5 for a text that it does not know" {
	for text in 'Segmentation fault' '' $'\xff\x01' \
	    'No space left on device'; do
		run -5 --separate-stderr xclbin-check --diagnose="$text"
		[ "$output" = "" ]
		[[ $stderr == "xclbin-check: --diagnose: "* ]]
	done
	run -5 xclbin-check --diagnose=- </dev/null
	run -5 xclbin-check -q --diagnose=- < <(head -c 100000 /dev/zero)
}

@test "--diagnose writes to --output, and TABs between fields with --plain" {
	run -0 xclbin-check --diagnose=stoul -o written
	[ "$output" = "" ]
	[[ $(<written) == 'metadata: '* ]]
	run -0 xclbin-check --plain --diagnose=stoul
	[ "$(tr -cd '\t' <<<"$output" | wc -c)" -eq 2 ]
	[[ $output == metadata$'\t'*$'\t'xclbin-check* ]]
}

@test "--diagnose with a file or an option of checks is a usage error" {
	for words in main.xclbin --json --color=always --machine=none \
	    --root=. --insts=x; do
		run -2 xclbin-check --diagnose=stoul "$words"
	done
}
