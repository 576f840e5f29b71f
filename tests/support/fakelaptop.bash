# SPDX-License-Identifier: Apache-2.0
# A fake laptop with an AMD NPU: a folder with the files of dev, lib, proc and
# sys, as xclbin-check --root reads them.
# shellcheck shell=bash

# fake_pci DIR ADDRESS VENDOR DEVICE REVISION: adds a device to the PCI bus.
fake_pci() {
	local d=$1/sys/devices/pci0000:00/$2
	mkdir -p "$d" "$1/sys/bus/pci/devices"
	ln -s "../../../devices/pci0000:00/$2" "$1/sys/bus/pci/devices/$2"
	echo "$3" >"$d/vendor"
	echo "$4" >"$d/device"
	echo "$5" >"$d/revision"
}

# fake_limits DIR BYTES: sets the limit of locked memory.
fake_limits() {
	mkdir -p "$1/proc/self"
	printf '%-26s%-21s%-21s%-10s\n' \
	    Limit 'Soft Limit' 'Hard Limit' Units \
	    'Max open files' 1024 1048576 files \
	    'Max locked memory' "$2" unlimited bytes \
	    'Max address space' unlimited unlimited bytes \
	    >"$1/proc/self/limits"
}

# fake_npu DIR [DEVICE REVISION]: makes a laptop without faults, with a Strix
# NPU or another device.  Sets NPU to the folder of the device.
fake_npu() {
	local id=${2:-0x17f0} revision=${3:-0x10}
	fake_pci "$1" 0000:00:01.0 0x1022 0x14ee 0x00
	fake_pci "$1" 0000:c3:00.0 0x1002 0x150e 0xd1
	fake_pci "$1" 0000:c4:00.1 0x1022 "$id" "$revision"
	NPU=$1/sys/devices/pci0000:00/0000:c4:00.1
	mkdir -p "$NPU/accel/accel0" "$NPU/power" "$1/dev/accel" \
	    "$1/sys/bus/pci/drivers/amdxdna" "$1/sys/module/amdxdna" \
	    "$1/sys/kernel/iommu_groups/28" "$1/proc/sys/kernel"
	ln -s ../../../bus/pci/drivers/amdxdna "$NPU/driver"
	ln -s ../../../kernel/iommu_groups/28 "$NPU/iommu_group"
	mkdir -p "$1/sys/devices/virtual/iommu/ivhd0/amd-iommu"
	ln -s ../../virtual/iommu/ivhd0 "$NPU/iommu"
	# Kernel logs show the features "PPR NX GT [5] IA ..." for this number.
	echo 246577efa2254afa:10 \
	    >"$1/sys/devices/virtual/iommu/ivhd0/amd-iommu/features"
	echo DMA-FQ >"$1/sys/kernel/iommu_groups/28/type"
	echo 1.5.5.391 >"$NPU/fw_version"
	echo suspended >"$NPU/power/runtime_status"
	: >"$1/dev/accel/accel0"
	echo 6.17.4-amd64 >"$1/proc/sys/kernel/osrelease"
	echo 'root=/dev/nvme0n1p2 ro quiet' >"$1/proc/cmdline"
	fake_limits "$1" 8388608000
}

# fake_firmware DIR NAME: adds a firmware file that the driver loads, named
# NAME.
fake_firmware() {
	mkdir -p "$1/lib/firmware/amdnpu/17f0_10"
	: >"$1/lib/firmware/amdnpu/17f0_10/$2"
}
