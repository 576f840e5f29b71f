# SPDX-License-Identifier: Apache-2.0
# A fake machine: a folder with the files of proc and sys.
# shellcheck shell=bash

# fake_host DIR: makes the machine mybox.  Its only processor was busy for 24 of
# 1000 ticks since the start, which is 2.4 % of the time.
fake_host() {
	mkdir -p "$1/proc/sys/kernel" "$1/proc/1" "$1/sys/class/thermal" \
	    "$1/sys/class/hwmon"
	echo mybox >"$1/proc/sys/kernel/hostname"
	printf 'cpu  14 0 10 970 6 0 0 0 0 0\ncpu0 14 0 10 970 6 0 0 0 0 0\n' \
	    >"$1/proc/stat"
	printf '%s\n' 'MemTotal:  1000 kB' 'MemFree:  1 kB' \
	    'MemAvailable:  745 kB' >"$1/proc/meminfo"
	echo '0.46 0.50 0.61 2/345 6789' >"$1/proc/loadavg"
	echo '/dev/nvme0n1p2 / ext4 rw 0 0' >"$1/proc/1/mounts"
	fake_zone "$1" 0 soc-thermal 44250
}

# fake_zone DIR NUMBER TYPE THOUSANDTHS: sets a thermal zone's name and
# temperature.
fake_zone() {
	mkdir -p "$1/sys/class/thermal/thermal_zone$2"
	echo "$3" >"$1/sys/class/thermal/thermal_zone$2/type"
	echo "$4" >"$1/sys/class/thermal/thermal_zone$2/temp"
}

# fake_chip DIR NUMBER NAME SENSOR THOUSANDTHS [LABEL]: sets a hwmon
# temperature.
fake_chip() {
	mkdir -p "$1/sys/class/hwmon/hwmon$2"
	echo "$3" >"$1/sys/class/hwmon/hwmon$2/name"
	echo "$5" >"$1/sys/class/hwmon/hwmon$2/temp$4_input"
	[ $# -lt 6 ] || echo "$6" >"$1/sys/class/hwmon/hwmon$2/temp$4_label"
}

# fake_smmu DIR SECONDS COUNT...: makes a machine that was started SECONDS ago,
# with an SMMU for each COUNT of interrupts of its event queue.
fake_smmu() {
	local irq=13 count
	mkdir -p "$1/proc"
	echo "$2.50 9.00" >"$1/proc/uptime"
	echo '           CPU0       CPU1' >"$1/proc/interrupts"
	for count in "${@:3}"; do
		echo " $irq: $count 0 GICv3 107 Edge arm-smmu-v3-evtq"
		echo " $((irq + 1)): 9999 0 GICv3 110 Edge arm-smmu-v3-gerror"
		irq=$((irq + 4))
	done >>"$1/proc/interrupts"
}

# fake_state DIR CPU_PERMILLE RAM_PERMILLE LOAD CELSIUS: changes a fake_host's
# processor use, memory use, load and temperature.
fake_state() {
	echo "cpu  $2 0 0 $((1000 - $2)) 0 0 0 0 0 0" >"$1/proc/stat"
	printf '%s\n' 'MemTotal:  1000 kB' \
	    "MemAvailable:  $((1000 - $3)) kB" >"$1/proc/meminfo"
	echo "$4 0.50 0.61 2/345 6789" >"$1/proc/loadavg"
	fake_zone "$1" 0 soc-thermal "${5}000"
}

# fake_power DIR CHIP NAME SENSOR MICROWATTS [LABEL]: sets a hwmon power sensor.
fake_power() {
	mkdir -p "$1/sys/class/hwmon/hwmon$2"
	echo "$3" >"$1/sys/class/hwmon/hwmon$2/name"
	echo "$5" >"$1/sys/class/hwmon/hwmon$2/power$4_input"
	[ $# -lt 6 ] || echo "$6" >"$1/sys/class/hwmon/hwmon$2/power$4_label"
}

# fake_supply DIR NAME FILE=VALUE...: sets the files of a power supply.
fake_supply() {
	mkdir -p "$1/sys/class/power_supply/$2"
	for s in "${@:3}"; do
		echo "${s#*=}" >"$1/sys/class/power_supply/$2/${s%%=*}"
	done
}

# fake_policy DIR NUMBER GOVERNOR KHZ: sets a processor's governor and
# frequency.
fake_policy() {
	mkdir -p "$1/sys/devices/system/cpu/cpufreq/policy$2"
	echo "$3" >"$1/sys/devices/system/cpu/cpufreq/policy$2/scaling_governor"
	echo "$4" >"$1/sys/devices/system/cpu/cpufreq/policy$2/scaling_cur_freq"
}

# fake_devfreq DIR NAME GOVERNOR HZ: sets a device's governor and frequency.
fake_devfreq() {
	mkdir -p "$1/sys/class/devfreq/$2"
	echo "$3" >"$1/sys/class/devfreq/$2/governor"
	echo "$4" >"$1/sys/class/devfreq/$2/cur_freq"
}

# fake_process DIR PID NAME TICKS [FILE]: adds a process that ran for TICKS in
# user mode and has FILE open.
fake_process() {
	mkdir -p "$1/proc/$2/fd"
	echo "$3" >"$1/proc/$2/comm"
	echo "$2 ($3) S 1 1 1 0 -1 0 1 0 2 0 $4 0 0 0 20 0 1 0 5" \
	    >"$1/proc/$2/stat"
	ln -sfn /dev/null "$1/proc/$2/fd/0"
	[ $# -lt 5 ] || ln -sfn "$5" "$1/proc/$2/fd/3"
}
