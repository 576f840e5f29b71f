# SPDX-License-Identifier: Apache-2.0
# lib/host: the names of a machine, its clocks and its power, and the processes
# that have a file open.  The files have the formats that Linux documents in
# Documentation/ABI of its source and in proc(5).
# bats file_tags=slow

load ../support/helper
load ../support/fakehost

# said NAME [ARGUMENT...]: prints the values of NAME that hostdump prints for
# the machine in ./m, one on each line.  hostdump gets the ARGUMENTs.
said() {
	hostdump m "${@:2}" >said || echo "hostdump: status $?"
	sed -n "s/^$1 //p" said
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	fake_host m
}

# ---- Names

@test "board and firmware come from the device tree" {
	mkdir -p m/proc/device-tree/chosen
	printf 'Radxa Orion O6\0' >m/proc/device-tree/model
	printf 'radxa,orion-o6\0cix,sky1\0' >m/proc/device-tree/compatible
	[ "$(said board)" = "Radxa Orion O6 (radxa,orion-o6)" ]
	rm m/proc/device-tree/model
	[ "$(said board)" = "radxa,orion-o6" ]
	[ "$(said firmware)" = "" ]
	printf '2025.01-armbian\0' >m/proc/device-tree/chosen/u-boot,version
	[ "$(said firmware)" = "U-Boot 2025.01-armbian" ]
}

@test "board and firmware come from DMI; placeholder values are ignored" {
	mkdir -p m/sys/class/dmi/id
	cd m/sys/class/dmi/id
	echo 'Micro Computer (HK) Tech Limited' >sys_vendor
	echo MS-R1 >product_name
	echo BR1HN >board_name
	echo 'American Megatrends' >bios_vendor
	echo 1.07 >bios_version
	cd "$BATS_TEST_TMPDIR"
	[ "$(said board)" = 'Micro Computer (HK) Tech Limited MS-R1 (BR1HN)' ]
	[ "$(said firmware)" = 'American Megatrends 1.07' ]
	echo MS-R1 >m/sys/class/dmi/id/board_name
	[ "$(said board)" = 'Micro Computer (HK) Tech Limited MS-R1' ]
	echo 'To Be Filled By O.E.M.' >m/sys/class/dmi/id/sys_vendor
	echo 'Default string' >m/sys/class/dmi/id/product_name
	[ "$(said board)" = MS-R1 ]
	rm m/sys/class/dmi/id/*
	[ "$(said board)" = '' ]
	[ "$(said firmware)" = '' ]
}

# cpus IMPLEMENTER PART...: prints lines of /proc/cpuinfo, with a processor for
# each PART.
cpus() {
	for p in "${@:2}"; do
		printf 'processor\t: %d\nBogoMIPS\t: 2000.00\n' $((n++))
		printf 'CPU implementer\t: %s\nCPU architecture: 8\n' "$1"
		printf 'CPU part\t: %s\nCPU revision\t: 1\n\n' "$p"
	done
}

@test "processors are named by implementer and part, or by model name" {
	a=0xd81 b=0xd80
	cpus 0x41 $b $b $a $a $b $b $a $a $a $a $a $a >m/proc/cpuinfo
	[ "$(said cpu)" = "4 Cortex-A520, 8 Cortex-A720" ]
	cpus 0x41 $a $a >m/proc/cpuinfo
	[ "$(said cpu)" = "Cortex-A720" ]
	{
		cpus 0x61 0x022
		cpus 0x41 0xd99 0xd99
	} >m/proc/cpuinfo
	[ "$(said cpu)" = "1 0x61/0x022, 2 0x41/0xd99" ]
	printf 'model\t\t: 17\nmodel name\t: AMD EPYC\nmodel name\t: b\n' \
	    >m/proc/cpuinfo
	[ "$(said cpu)" = "AMD EPYC" ]
	{
		echo 'model name : ARMv8 Processor rev 1 (v8l)'
		cpus 0x41 0xd0c
	} >m/proc/cpuinfo
	[ "$(said cpu)" = "Neoverse-N1" ]
	rm m/proc/cpuinfo
	[ "$(said cpu)" = "" ]
}

@test "invalid fields of /proc/cpuinfo are ignored" {
	for l in 'CPU part : 0x' 'CPU part : d81' 'CPU part : 0xd81 ' \
	    'CPU part : 0x123456789' 'CPU part : 0x-1' 'CPU part 0xd81' \
	    'CPU part' 'CPU partner : 0xd81' 'CPU part :' 'model namely : x'
	do
		printf 'CPU implementer : 0x41\n%s\n' "$l" >m/proc/cpuinfo
		[ "$(said cpu)" = "" ]
	done
	# A processor whose implementer is invalid does not get the implementer
	# of another processor.
	printf 'CPU implementer : 0x%s\nCPU part : 0xd81\n' 41 zz \
	    >m/proc/cpuinfo
	[ "$(said cpu)" = "1 Cortex-A720, 1 0x00/0xd81" ]
	# Nine kinds, but at most eight are distinguished.
	cpus 0x41 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 >m/proc/cpuinfo
	[[ $(said cpu) == "1 0x41/0x001, "*", 1 0x41/0x008" ]]
	printf 'model name : %s\n' "$(printf '%0300d' 0)" >m/proc/cpuinfo
	[ "$(said cpu)" = "$(printf '%0255d' 0)" ]
}

# ---- Frequencies

@test "clocks of processors are sorted by number, clocks of devices by name" {
	fake_policy m 10 schedutil 1800000
	fake_policy m 4 performance 2600000
	fake_devfreq m CIXH4000:00 userspace 1200000000
	fake_devfreq m 15000000.gpu simple_ondemand 72000500
	[ "$(said clock)" = "policy4 2600 performance
policy10 1800 schedutil" ]
	[ "$(said device)" = "15000000.gpu 72.0005 simple_ondemand
npu 1200 userspace" ]
	rm -r m/sys/class/devfreq/CIXH4000:00
	fake_devfreq m 14260000.aipu userspace 400000000
	fake_devfreq m 15000000.gpu simple_ondemand 72000500
	[ "$(said device)" = "npu 400 userspace
15000000.gpu 72.0005 simple_ondemand" ]
}

@test "without policies, clocks are listed by CPU; a bad clock is nan" {
	[ "$(said clock)" = "" ]
	d=m/sys/devices/system/cpu
	mkdir -p $d/cpu0/cpufreq $d/cpu1/cpufreq $d/cpu2
	echo 1000000 >$d/cpu0/cpufreq/scaling_cur_freq
	echo ondemand >$d/cpu1/cpufreq/scaling_governor
	echo '<unknown>' >$d/cpu1/cpufreq/scaling_cur_freq
	said clock >clocks
	printf '%s\n' 'cpu0 1000 ' 'cpu1 nan ondemand' | diff - clocks
	fake_policy m 0 performance -5
	[ "$(said clock)" = "policy0 nan performance" ]
}

# ---- Power

@test "each power sensor is listed; invalid values are left out" {
	fake_power m 1 ina226 1 12500000
	fake_power m 2 ina226 1 500000
	fake_power m 0 scmi_sensors 2 1 NPU
	fake_chip m 0 scmi_sensors 1 40000
	[ "$(said power)" = "scmi_sensors/NPU 1e-06
ina226 12.5
ina226 0.5" ]
	# Negative; more than a machine uses; not a number.
	fake_power m 0 scmi_sensors 2 -1
	fake_power m 1 ina226 1 100000000001
	fake_power m 2 ina226 1 ''
	[ "$(said power)" = "" ]
}

@test "power supplies are listed if they feed the machine and are measured" {
	fake_supply m dc type=Mains online=1 power_now=12500000
	fake_supply m usb type=USB online=1 voltage_now=5000000 \
	    current_now=1500000
	fake_supply m off type=Mains online=0 power_now=1
	fake_supply m bat type=Battery status=Discharging \
	    current_now=-2000000 voltage_now=11100000
	fake_supply m full type=Battery status=Full power_now=7
	fake_supply m charged type=Battery status=Charging power_now=7000000
	fake_supply m mouse type=Battery scope=Device status=Discharging \
	    power_now=5
	fake_supply m half type=Mains online=1 voltage_now=5000000
	fake_supply m bad type=Mains online=1 power_now=x
	# volts x amperes: 7.5 and 22.2
	[ "$(said supply)" = "bat 22.2
dc 12.5
usb 7.5" ]
	# Linux shows the same supply also as a chip of hwmon.
	fake_power m 3 dc 1 12500000
	mkdir m/sys/class/hwmon/hwmon3/device
	echo Mains >m/sys/class/hwmon/hwmon3/device/type
	[ "$(said power)" = "" ]
}

@test "the power that a USB contract allows is not listed as measured" {
	for s in tcpm-source-psy-1-0022 ucsi-source-psy-USBC000:001; do
		fake_supply m $s type=USB online=1 voltage_now=20000000 \
		    current_now=3250000
	done
	[ "$(said supply)" = "" ]
	fake_supply m my-tcpm-source-psy- type=USB online=1 \
	    voltage_now=20000000 current_now=3250000
	[ "$(said supply)" = "my-tcpm-source-psy- 65" ]
}

# ---- Who has a file open

@test "hostdump lists the other processes that have a file open" {
	fake_process m 7101 npu-bench 0 /dev/aipu
	fake_process m 7102 'a (b) c' 0 /dev/aipu
	fake_process m 7103 sh 0 /dev/aipu2
	fake_process m 7104 sh 0 /dev/aip
	[ "$(said holder /dev/aipu 7101)" = "a (b) c (7102)" ]
	[ "$(said holder /dev/aipu 7102)" = "npu-bench (7101)" ]
	[ "$(said holder /dev/aipu 7101 7102)" = "" ]
	rm m/proc/7102/comm
	[ "$(said holder /dev/aipu 7101)" = "? (7102)" ]
	[ "$(said holder /dev/null 7101 7102 7103)" = "sh (7104)" ]
}

@test "hostdump finds a process that has a file open in the real /proc" {
	touch held
	sleep 3600 9<held 3>&- &
	pid=$!
	# The process is bash until it has executed sleep.
	for _ in $(seq 600); do
		hostdump '' "$PWD/held" >dump
		! grep -q "^holder sleep ($pid)$" dump || break
		sleep 0.1
	done
	kill $pid
	grep "^holder sleep ($pid)$" dump
}
