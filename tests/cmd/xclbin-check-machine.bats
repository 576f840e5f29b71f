#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# xclbin-check: the checks of a machine, on imitations of /proc, /sys and /dev.
# tests/unit/diagnose/machine.c tests a node that can be opened.

load ../support/helper
load ../support/fakelaptop

# shown STATUS: runs the checks on ./m, which must end with this status, and
# writes the lines to the file "shown", as NAME VERDICT FINDING NEXT.
shown() {
	local st=0
	xclbin-check --plain --root=m >out || st=$?
	[ "$st" -eq "$1" ] || { echo "status $st"; cat out; return 1; }
	[ "$(cut -f 1 out | sort -u)" = machine ]
	cut -f 2- out >shown
	[ "$(cut -f 1 shown | tr '\n' ' ')" = "device driver node limits \
firmware interface power iommu container " ]
}

# has NAME VERDICT [TEXT]: checks that the line of this check has the verdict
# and contains the text.
has() {
	grep -P "^$1\t$2\t" shown | grep -qF -- "${3:-}" || {
		echo "no $1 $2 '${3:-}' in:"
		cat shown
		return 1
	}
}

# only NAME...: checks that these checks, and no others, fail or warn.
only() {
	[ "$(awk -F '\t' '$2 == "FAIL" || $2 == "warn" { print $1 }' shown |
	    xargs)" = "$*" ] || { cat shown; return 1; }
}

@test "a sound laptop passes each check that can be answered from files" {
	fake_npu m
	shown 0
	only
	has device ok 'npu4 (Strix), 8 columns, at 0000:c4:00.1'
	has driver ok 'amdxdna, Linux 6.17.4-amd64'
	has node ok '/dev/accel/accel0 is there'
	has limits ok '8192000 KiB'
	has firmware ok 'version 1.5.5.391'
	has interface skip
	has power ok suspended
	has iommu ok 'group 28, of type DMA-FQ, with PASIDs of 16 bits'
	has container ok
	fake_limits m unlimited
	shown 0
	has limits ok 'without limit'
	run -0 xclbin-check --root=m
	[ "${lines[0]}" = "machine: ready" ]
	[[ ${lines[1]} == "ok    device    npu4 (Strix), "* ]]
	run -0 xclbin-check -q --root=m
	[ "$output" = "machine: ready" ]
}

# /sys has the same files for an NPU in both kernels; only the type of the
# IOMMU's group and the release differ.
@test "the checks read the files of Linux 6.14 and of 7.2" {
	while read -r release type; do
		rm -rf m
		fake_npu m 0x1502 0x00
		echo "$release" >m/proc/sys/kernel/osrelease
		echo "$type" >m/sys/kernel/iommu_groups/28/type
		echo 'iommu=pt amd_iommu=force_isolation' >m/proc/cmdline
		shown 0
		only
		has device ok '5 columns'
		has driver ok "Linux $release"
		has firmware ok 'version 1.5.5.391'
		has power ok suspended
		has iommu ok "group 28, of type $type, with PASIDs of 16 bits"
		has limits ok '8192000 KiB may be locked'
		has container ok 'not in a container'
	done <<-'END'
	6.14.0-29-generic identity
	7.2.13-amd64 DMA-FQ
	END
}

@test "an IOMMU without PASIDs for the NPU is a warning" {
	fake_npu m
	features=m/sys/devices/virtual/iommu/ivhd0/amd-iommu/features
	# First without GT (bit 4), then without PPR (bit 1).
	for word in 246577efa2254aea:10 246577efa2254af8; do
		echo $word >"$features"
		shown 0
		only iommu
		has iommu warn 'this IOMMU has no PASIDs'
	done
	rm "$features"
	shown 0
	has iommu ok $'group 28, of type DMA-FQ\t'
	echo 'quiet amd_iommu=force_isolation' >m/proc/cmdline
	shown 0
	only iommu
	has iommu warn 'kernel without amd_iommu=force_isolation'
}

# bats test_tags=slow
@test "each known NPU is named, and npu3 or newer fails" {
	while read -r id revision verdict status name; do
		rm -rf m
		fake_npu m "$id" "$revision"
		shown "$status"
		has device "$verdict" "$name"
	done <<-'END'
	0x1502 0x00 ok 0 npu1 (Phoenix, Hawk Point), 5 columns
	0x17f0 0x00 ok 0 npu2, 8 columns
	0x17f0 0x11 ok 0 npu5 (Strix Halo), 8 columns
	0x17f0 0x20 ok 0 npu6 (Krackan), 8 columns
	0x17f1 0x00 FAIL 4 npu3 or newer
	0x1b0c 0x10 FAIL 4 npu3 or newer
	END
	only device
	has device FAIL $'do not have\txdna-run --device=emu '
}

@test "an NPU of unknown revision is a warning, and its driver is checked" {
	fake_npu m 0x17f0 0x30
	shown 0
	has device warn 'revision 0x30 of the NPU 1022:17f0 is not in the table'
	has driver ok
	only device
	rm -r "$NPU/driver" "$NPU/accel" "$NPU/fw_version" m/dev/accel
	shown 4
	has device warn $'0000:c4:00.1\tuname -r  # a newer kernel may know it'
	has driver FAIL 'has not taken the device'
	run -4 xclbin-check --root=m
	[ "${lines[0]}" = "machine: not ready" ]
}

@test "without an AMD NPU all checks are skipped" {
	fake_pci m 0000:00:01.0 0x1022 0x14ee 0x00
	# The same device number from another vendor.
	fake_pci m 0000:01:00.0 0x8086 0x17f0 0x10
	shown 0
	[ "$(cut -f 2 shown | sort -u)" = skip ]
	run -0 xclbin-check --root=m
	[ "${lines[0]}" = "machine: no AMD NPU" ]
	[[ ${lines[2]} == *"next: xdna-run --device=emu "* ]]
	[ "$(grep -c next: <<<"$output")" -eq 1 ]
	rm -r m
	mkdir m
	shown 0
	[ "$(cut -f 2 shown | sort -u)" = skip ]
}

@test "a missing, failed or other driver fails, with the command to repair it" {
	fake_npu m
	rm -r "$NPU/driver" "$NPU/accel" "$NPU/fw_version" m/dev/accel \
	    m/sys/module/amdxdna
	shown 4
	has driver FAIL $'is not loaded\tsudo modprobe amdxdna'
	has node skip
	has firmware warn 'amdnpu/17f0_10/npu.sbin is not in /lib/firmware'
	only driver firmware
	for name in npu.sbin npu.sbin.zst npu_7.sbin.xz; do
		rm -rf m/lib
		fake_firmware m $name
		shown 4
		only driver
	done
	echo 6.12.48 >m/proc/sys/kernel/osrelease
	shown 4
	has driver FAIL 'Linux 6.12.48 is older than 6.14'
	mkdir m/sys/module/amdxdna
	shown 4
	has driver FAIL $'has not taken the device: its start failed\tsudo dmesg'
	ln -s ../../../bus/pci/drivers/vfio-pci "$NPU/driver"
	shown 4
	has driver FAIL 'vfio-pci has taken the device'
	has driver FAIL 'echo 0000:c4:00.1 | sudo tee /sys/bus/pci/drivers/vfio'
	only driver
}

@test "a missing node fails; in a container, the advice is --device" {
	fake_npu m
	rm m/dev/accel/accel0
	shown 4
	has node FAIL 'sudo udevadm trigger'
	only node
	: >m/.dockerenv
	shown 4
	has node FAIL $'container\tdocker run --device /dev/accel/accel0 '
	has container warn 'without /dev/accel/accel0'
	only node container
	rm m/.dockerenv
	mkdir m/run
	: >m/run/.containerenv
	shown 4
	has node FAIL $'container\tpodman run --device /dev/accel/accel0 '
	: >m/dev/accel/accel0
	shown 0
	has container ok '/run/.containerenv'
	rm -r "$NPU/accel"
	shown 4
	has node FAIL 'the driver has made no node'
	mkdir -p "$NPU/accel/accel3"
	shown 4
	has node FAIL /dev/accel/accel3
}

@test "problems of limits, iommu and power are warnings, and the status is 0" {
	fake_npu m
	fake_limits m 8388608
	shown 0
	has limits warn '8192 KiB may be locked; XRT locks 65536 KiB'
	fake_limits m 67108863
	shown 0
	only limits
	fake_limits m 67108864
	shown 0
	only
	rm m/proc/self/limits "$NPU/iommu_group"
	echo error >"$NPU/power/runtime_status"
	shown 0
	has limits skip
	has iommu warn 'systemctl reboot --firmware-setup'
	has power warn
	only power iommu
	echo 'quiet amd_iommu=off secret=1' >m/proc/cmdline
	shown 0
	has iommu warn 'without amd_iommu=off'
	run ! grep secret shown
}

@test "the name of another driver is quoted in the command" {
	fake_npu m
	rm "$NPU/driver"
	ln -s '../drivers/a;b' "$NPU/driver"
	shown 4
	has driver FAIL "tee /sys/bus/pci/drivers/'a;b'/unbind &&"
}

# bats test_tags=slow
@test "invalid contents of files are ignored, and not printed" {
	fake_npu m
	head -c 1000 /dev/zero | tr '\0' x >"$NPU/fw_version"
	printf 'Max locked memory  99999999999999999999 1 bytes\n' \
	    >m/proc/self/limits
	printf '\033[31m\n' >"$NPU/power/runtime_status"
	rm "$NPU/iommu_group"
	ln -s / "$NPU/iommu_group"
	shown 0
	has limits skip
	has iommu warn
	run ! grep -q $'\033' shown
	rm "$NPU/vendor"
	mkfifo "$NPU/vendor"
	shown 0
	[ "$(cut -f 2 shown | sort -u)" = skip ]
}

@test "the machine's checks are printed after the files in each format" {
	need_data xdna/oracle/layernorm.xclbin
	fake_npu m
	cp "$DATA" main.xclbin
	run -0 xclbin-check --root=m main.xclbin
	[ "${lines[0]}" = "main.xclbin: runs" ]
	[[ $output == *$'\nmachine: ready\nok    device '* ]]
	rm m/dev/accel/accel0
	run -4 xclbin-check --json --root=m main.xclbin
	[ "$(jq -c '[.schema, .files[0].verdict, (.machine | length),
	    .machine[2].verdict]' <<<"$output")" = \
	    '["xclbin-check/1","runs",9,"FAIL"]' ]
	run -0 xclbin-check --json --machine=none main.xclbin
	[ "$(jq -c .machine <<<"$output")" = '[]' ]
	run -4 xclbin-check --plain --root=m main.xclbin
	[ "$(cut -f 1 <<<"$output" | uniq | xargs)" = "main.xclbin machine" ]
}

# container COLUMNS FILE: writes a file of the test data with this number of
# columns.
container() {
	cat "$NPU_TEST_DATA/xdna/oracle/attention.xclbin" >"$2"
	# The partition begins at 824; its number of columns is at offset 32 in
	# it.
	printf "\\x0$1" | dd of="$2" bs=1 seek=856 conv=notrunc 2>dd
}

@test "the check device fails if a file needs more columns than the NPU has" {
	need_data xdna/oracle/attention.xclbin
	for n in 1 5 6 8; do
		container $n c$n.xclbin
	done
	fake_npu m 0x1502 0x00
	run -0 xclbin-check --root=m c1.xclbin c5.xclbin
	[[ $output == *$'\nmachine: ready\n'* ]]
	run -4 xclbin-check --root=m c6.xclbin c8.xclbin c5.xclbin
	[ "$(grep -c '^c[0-9].xclbin: runs$' <<<"$output")" -eq 3 ]
	[[ $output == *$'\nmachine: not ready\nFAIL  device    npu1 (Phoenix, '* ]]
	[[ $output == *" 5 columns, at 0000:c4:00.1; c8.xclbin needs 8 \
columns"$'\n'* ]]
	[[ $output == *"next: # build the design for npu1 (Phoenix"* ]]
	run -4 xclbin-check --json --root=m c8.xclbin
	[ "$(jq -c '[.files[0].verdict, (.machine[] |
	    select(.verdict == "FAIL").name)]' <<<"$output")" = \
	    '["runs","device"]' ]
	run -0 xclbin-check --machine=none c8.xclbin
	rm -r m
	fake_npu m
	run -0 xclbin-check --root=m c8.xclbin
	# A partition that is too wide for any NPU fails the file, not the
	# machine.
	container 9 c9.xclbin
	run -4 xclbin-check --plain --root=m c9.xclbin
	grep -q $'^machine\tdevice\tok' <<<"$output"
	grep -q $'^c9.xclbin\tpartition\tFAIL' <<<"$output"
}

@test "the check device fails for a stream of another NPU generation" {
	need_data xdna/insts/npu2.insts
	container 1 one.xclbin
	while read -r id revision stream status text; do
		rm -rf m
		fake_npu m "$id" "$revision"
		run -"$status" xclbin-check --root=m \
		    --insts="${DATA%/*}/$stream.insts" one.xclbin
		[ "${lines[0]}" = "one.xclbin: runs" ]
		[[ $output == *"$text"* ]]
	done <<-'END'
	0x1502 0x00 ln 0 machine: ready
	0x1502 0x00 npu2 4 .insts is for npu4 and newer (generation 4), and this NPU has generation 3
	0x17f0 0x11 npu2 0 machine: ready
	0x17f0 0x11 ln 4 .insts is for npu1 (generation 3), and this NPU has generation 4
	END
}

@test "--root with a folder that does not exist is an error with status 1" {
	run -1 --separate-stderr xclbin-check --root=none
	[ "$stderr" = \
	    "xclbin-check: --root: none: No such file or directory" ]
	run -1 --separate-stderr xclbin-check --json --root=none
	[ "$(jq .error.status <<<"$output")" = 1 ]
	run -2 xclbin-check --machine=none
	run -2 xclbin-check --machine=none --root=. x
}
