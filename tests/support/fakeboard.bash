# SPDX-License-Identifier: Apache-2.0
# A fake board: a folder with the files of dev, lib, proc, sys, usr and var, as
# npu-info --root reads them.
# shellcheck shell=bash

# u32 NUMBER...: prints little-endian words as hexadecimal digits, without a
# newline.
u32() {
	perl -e 'print unpack("H*", pack("V*", @ARGV))' -- "$@"
}

# zeros BYTES: prints BYTES zero bytes as hexadecimal digits, without a newline.
zeros() {
	printf "%0$((2 * $1))d" 0
}

# fake_partition CORES ENABLED TECS: prints the 128 bytes of a partition with
# one cluster (struct aipu_partition_cap): id, arch, version, config, the
# address of the registers, the number of clusters, then 8 clusters of three
# words.
fake_partition() {
	u32 0 0 5 0
	u32 $((0x14260000)) 0 1 "$1" "$2" "$3"
	zeros 88
}

# fake_cap BYTES CORES ENABLED TECS: prints a struct aipu_cap of 424, 200 or 192
# bytes, with one partition and two 2 MiB memories on the chip.
fake_cap() {
	case $1 in
	424) u32 1 4; zeros 256; u32 1 0 0 0 0 ;;
	200) u32 1 4; zeros 32; u32 1 0 0 0 0 ;;
	192) u32 1 1; zeros 32; u32 0 0 0 ;;
	*) echo "fake_cap: $1: not 424, 200 or 192 bytes" >&2; return 1 ;;
	esac
	u32 $((2 << 20)) $((2 << 20)) 0
	fake_partition "$2" "$3" "$4"
}

# fake_node DIR KMD BYTES [CORES]: writes the answers of an idle device node.
fake_node() {
	local request cap status version
	request=$(printf '0x%08x' $((0x80004100 | $3 << 16)))
	cap=$(fake_cap "$3" "${4:-3}" "${4:-3}" 4) || return
	status=$(u32 0) || return
	version=$(printf '%s\0' "$2" | od -An -v -t x1 | tr -d ' \n')
	mkdir -p "$1/dev"
	{
		echo "# driver $2"
		echo "$request $cap"
		echo "0x8004410a $status"
		echo "0x80084112 $version"
	} >"$1/dev/aipu"
}

# fake_answer DIR REQUEST ANSWER: replaces the node's answer, atomically.
# REQUEST is a request for capabilities, status, version, cores or threads
# (kernel-driver 6).
fake_answer() {
	case $2 in
	0x8[01][0-9a-f][0-9a-f]4100 | 0x8004410a | 0x80084112) ;;
	0xc00c4118 | 0x80804119) ;;
	*) echo "fake_answer: $2: no such request" >&2; return 1 ;;
	esac
	[ -n "$3" ] || { echo "fake_answer: $2: no answer" >&2; return 1; }
	{
		grep -v "^$2 " "$1/dev/aipu" || return
		echo "$2 $3"
	} >"$1/aipu.new"
	mv "$1/aipu.new" "$1/dev/aipu"
}

# fake_process DIR PID COMMAND [FILE...]: adds a process that has these files
# open.
fake_process() {
	local fd=0 file
	mkdir -p "$1/proc/$2/fd"
	echo "$3" >"$1/proc/$2/comm"
	printf 'Name:\t%s\nTgid:\t%d\n' "$3" "$2" >"$1/proc/$2/status"
	for file in "${@:4}"; do
		ln -s "$file" "$1/proc/$2/fd/$((fd++))"
	done
}

# fake_module DIR NAME VERSION: adds a loaded kernel module.
fake_module() {
	mkdir -p "$1/sys/module/$2"
	echo "$3" >"$1/sys/module/$2/version"
	echo live >"$1/sys/module/$2/initstate"
	echo 5A1F02E7C1D14B9E3A77210 >"$1/sys/module/$2/srcversion"
	echo 2 >"$1/sys/module/$2/refcnt"
	mkdir -p "$1/sys/module/$2/drivers"
	ln -sf ../../../bus/platform/drivers/armchina \
	    "$1/sys/module/$2/drivers/platform:armchina"
}

# fake_file DIR RELEASE MODULE [DAMAGE]: adds the file of the module for kernel
# RELEASE, as DKMS installs it, and the kernel's headers.
fake_file() {
	mkdir -p "$1/lib/modules/$2/updates/dkms" "$1/lib/modules/$2/build"
	mkko "${4:-sound}" "$2" >"$1/lib/modules/$2/updates/dkms/$3.ko"
	echo "updates/dkms/$3.ko:" >"$1/lib/modules/$2/modules.dep"
}

# fake_package DIR NAME VERSION [STATE]: adds a package to dpkg's list.
fake_package() {
	mkdir -p "$1/var/lib/dpkg"
	cat >>"$1/var/lib/dpkg/status" <<-END
	Package: $2
	Status: install ok ${4:-installed}
	Version: $3

	END
}

# fake_log DIR [LINE...]: writes the kernel's log of a driver that started
# without an error, then further lines.
fake_log() {
	local line
	mkdir -p "$1/var/log"
	{
		echo '[    0.000000] Booting Linux on physical CPU 0x0'
		echo '[    5.140900] AIPU KMD (v6.2.0) probe start'
		echo '[    5.151234] aipu: AIPU detected: zhouyi-v3'
		for line in "${@:2}"; do
			printf '[    6.000001] %b\n' "$line"
		done
	} >"$1/var/log/dmesg"
}

# fake_device DIR NAME MODALIAS: adds a platform device with all its files:
# IOMMU group 9, a clock with four levels at 1200 MHz, runtime PM.
fake_device() {
	local d=$1/sys/devices/platform/$2
	mkdir -p "$d/power" "$d/devfreq/$2" "$1/sys/bus/platform/devices" \
	    "$1/sys/bus/platform/drivers/armchina" \
	    "$1/sys/kernel/iommu_groups/9"
	ln -s "../../../devices/platform/$2" "$1/sys/bus/platform/devices/$2"
	ln -s ../../../bus/platform/drivers/armchina "$d/driver"
	ln -s ../../../kernel/iommu_groups/9 "$d/iommu_group"
	echo DMA >"$1/sys/kernel/iommu_groups/9/type"
	echo "$3" >"$d/modalias"
	echo auto >"$d/power/control"
	echo suspended >"$d/power/runtime_status"
	echo 1234 >"$d/power/runtime_active_time"
	echo 98765 >"$d/power/runtime_suspended_time"
	echo userspace >"$d/devfreq/$2/governor"
	echo 1200000000 >"$d/devfreq/$2/cur_freq"
	echo '400000000 600000000 800000000 1200000000 ' \
	    >"$d/devfreq/$2/available_frequencies"
}

# fake_acpi DIR [CORES]: adds the device and its cores in ACPI (kernel-driver
# 4).
fake_acpi() {
	local i
	mkdir -p "$1/sys/class/dmi/id" \
	    "$1/sys/bus/acpi/devices/CIXH4000:00"
	for ((i = 0; i < ${2:-3}; i++)); do
		mkdir -p "$1/sys/bus/acpi/devices/CIXH4010:0$i"
	done
	echo Radxa >"$1/sys/class/dmi/id/sys_vendor"
	echo 'Orion O6' >"$1/sys/class/dmi/id/product_name"
	fake_device "$1" CIXH4000:00 acpi:CIXH4000:
}

# fake_tree DIR: adds the device in a device tree.
fake_tree() {
	mkdir -p "$1/proc/device-tree"
	printf 'OrangePi 6 Plus\0' >"$1/proc/device-tree/model"
	printf 'xunlong,orangepi-6-plus\0cix,sky1\0' \
	    >"$1/proc/device-tree/compatible"
	fake_device "$1" 14260000.aipu \
	    'of:NaipuT(null)Carmchina,zhouyi-v3'
}

# fake_system DIR KERNEL: adds files that every Linux has, and the driver's
# interrupts.
fake_system() {
	local thp=$1/sys/kernel/mm/transparent_hugepage
	mkdir -p "$1/proc/sys/kernel" "$thp"
	echo "$2" >"$1/proc/sys/kernel/osrelease"
	echo 2097152 >"$thp/hpage_pmd_size"
	printf 'MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\n' \
	    >"$1/proc/meminfo"
	cat >"$1/proc/interrupts" <<-END
	           CPU0       CPU1
	 11:       1000       2000     GICv3  27 Level     arch_timer
	 77:         40          2     GICv3 391 Level     aipu
	IPI0:         7          8       Rescheduling interrupts
	END
}

# fake_library DIR NAME...: adds empty files to the vendor's folder.
fake_library() {
	local name
	mkdir -p "$1/usr/share/cix/lib"
	for name in "${@:2}"; do
		: >"$1/usr/share/cix/lib/$name"
	done
}

# fake_board DIR KMD: makes a board with this version of the driver, and with
# the library that belongs to the driver (kernel-driver 7).
fake_board() {
	fake_log "$1"
	case $2 in
	5.11.0)
		fake_system "$1" 6.6.89-cix
		fake_tree "$1"
		fake_node "$1" "$2" 424
		fake_module "$1" aipu "$2"
		fake_file "$1" 6.6.89-cix aipu
		fake_package "$1" cix-noe-umd 2.0.2
		fake_library "$1" libnoe.so libnoe.so.0
		;;
	6.*)
		fake_system "$1" 7.0.12-cix
		fake_acpi "$1"
		fake_node "$1" "$2" 200
		fake_module "$1" armchina_npu "$2"
		fake_file "$1" 7.0.12-cix armchina_npu
		fake_package "$1" cix-noe-umd 3.1.2
		fake_package "$1" cix-npu-umd 3.2.0
		fake_library "$1" libnoe.so libnoe.so.3.1.0 libaipudrv.so
		;;
	*) echo "fake_board: $2: no such driver" >&2; return 1 ;;
	esac
}
