# SPDX-License-Identifier: Apache-2.0
# What npu-kmd does around the module: autoload, dkms, what is installed.
# The machines are trees made here.  Shell and awk, so one leg is enough.
# bats file_tags=native

load helper

K=6.12.107-arm64

setup() {
	PATH=$TOP/driver:$PATH
	as=aarch64-linux-gnu-gcc
	[ "$(uname -m)" != aarch64 ] || as=gcc
}

# module [-DNAME...]: m's module for $K, as dkms puts it.
module() {
	at=m/lib/modules/$K
	mkdir -p $at/updates/dkms
	"$as" -c "$@" -o $at/updates/dkms/aipu.ko \
	    "$TOP/driver/tests/ko/ko.S"
	printf 'kernel/a/b-c.ko.xz:\nupdates/dkms/aipu.ko: kernel/a/b-c.ko.xz\n' \
	    >$at/modules.dep
}

# note BYTE: the build id that is loaded.
note() {
	mkdir -p m/sys/module/aipu/notes
	perl -e 'print pack("V3", 4, 20, 3), "GNU\0", chr($ARGV[0]) x 20' \
	    -- "$1" >m/sys/module/aipu/notes/.note.gnu.build-id
}

# machine: m, with our files, and the module loaded.
machine() {
	rm -rf m
	make -C "$TOP/driver" -s install DESTDIR="$PWD/m" PREFIX=/usr
	mkdir -p m/proc/sys/kernel m/dev
	echo $K >m/proc/sys/kernel/osrelease
	printf 'aipu 131072 0 - Live 0x0000000000000000 (OE)\n' \
	    >m/proc/modules
	: >m/dev/aipu
	module
	note 17
}

kmd() {
	npu-kmd "$@" --root=m
}

# tree: all of m, to be compared.
tree() {
	find m -exec stat -c '%n %a %F' {} + | sort
	find m -type f -exec sha256sum {} + | sort
}

@test "autoload: on for what was tried, off again to the byte" {
	machine
	tree >before
	run -0 kmd autoload status
	[ "$output" = "$K: off (not tried)" ]
	run --separate-stderr -0 kmd autoload on
	[ "$output" = "" ]
	[ "$stderr" = "npu-kmd: writes ./m/etc/npu-kmd/tried" ]
	sum=$(sha256sum <m/lib/modules/$K/updates/dkms/aipu.ko)
	[ "$(cat m/etc/npu-kmd/tried)" = \
	    "$K ${sum%% *} aipu updates/dkms/aipu.ko" ]
	run -0 kmd autoload status
	[ "$output" = "$K: on: aipu updates/dkms/aipu.ko" ]
	# Again: one line a kernel, those of others stay.
	echo "6.1.0 0 aipu extra/aipu.ko" >>m/etc/npu-kmd/tried
	kmd autoload on
	[ "$(wc -l <m/etc/npu-kmd/tried)" -eq 2 ]
	run -0 kmd autoload status
	[ "$output" = "6.1.0: off (gone): aipu extra/aipu.ko
$K: on: aipu updates/dkms/aipu.ko" ]
	run -0 kmd autoload off
	[ "$output" = "npu-kmd: removes ./m/etc/npu-kmd/tried" ]
	tree | diff before -
	run -0 kmd autoload off
	[ "$output" = "" ]
}

@test "autoload on: what was not tried is refused, and nothing written" {
	row() {
		run --separate-stderr -4 kmd autoload on
		[[ $stderr == "npu-kmd: autoload: "*"$1"* ]] || {
			echo "$stderr"
			false
		}
		[ ! -e m/etc/npu-kmd ]
		machine
	}
	machine
	: >m/proc/modules
	row 'load it once by hand (modprobe aipu)'
	echo 'aipu 131072 1 - Loading 0x0000000000000000 (OE)' >m/proc/modules
	row "aipu is loaded, but 'Loading': its start never ended"
	rm m/dev/aipu
	row 'there is no /dev/aipu'
	echo 6.18.9 >m/proc/sys/kernel/osrelease
	row 'not installed for 6.18.9'
	note 18
	row 'is not what is loaded; modprobe -r aipu'
	rm -r m/sys/module
	row 'the build id of the loaded aipu cannot be read'
	head -c 100 m/lib/modules/$K/modules.dep >m/lib/modules/$K/x
	: >m/lib/modules/$K/updates/dkms/aipu.ko
	row 'no module: 0 bytes'
	run -2 kmd autoload
	run -2 kmd autoload maybe
	run -1 npu-kmd autoload on --root=none
}

@test "autoload load: the build that was tried, on its kernel, no other" {
	machine
	mkdir bin
	printf '#!/bin/sh\necho "$@" >>%s\n' "$PWD/called" >bin/modprobe
	chmod +x bin/modprobe
	PATH=$PWD/bin:$PATH
	run -4 kmd autoload load
	[[ $output == *"not tried on $K, so not loaded" ]]
	kmd autoload on
	kmd autoload load
	[ "$(cat called)" = '-d ./m aipu' ]
	module -DBUILD_ID=0x22
	run -4 kmd autoload load
	[[ $output == *"another build than was tried"* ]]
	run -0 kmd autoload status
	[ "$output" = "$K: off (another build): aipu updates/dkms/aipu.ko" ]
	module
	echo 6.18.9 >m/proc/sys/kernel/osrelease
	run -4 kmd autoload load
	[ "$(wc -l <called)" -eq 1 ]
}

@test "autoload says where the blacklist is missing" {
	machine
	rm m/etc/modprobe.d/npu-kmd.conf
	run --separate-stderr -4 kmd autoload status
	[[ $stderr == *"not on modprobe's blacklist: aipu armchina_npu "* ]]
	# One in /usr/lib will do, but not where /etc has its name.
	mkdir -p m/usr/lib/modprobe.d
	printf 'blacklist aipu\nblacklist armchina-npu\n%s' \
	    'blacklist armchina_npu_r2p0' >m/usr/lib/modprobe.d/x.conf
	kmd autoload status
	: >m/etc/modprobe.d/x.conf
	run -4 kmd autoload status
}

@test "a link in the tree that leads out of it is not followed" {
	machine
	mkdir out
	ln -s ../../out m/etc/npu-kmd
	run -1 kmd autoload on
	[[ $output == *"a link that leads out of m"* ]]
	[ -z "$(ls out)" ]
	rm m/etc/npu-kmd
	mkdir m/etc/npu-kmd
	ln -s ../../../precious m/etc/npu-kmd/tried
	echo precious >precious
	kmd autoload on
	[ "$(cat precious)" = precious ]
	[ ! -h m/etc/npu-kmd/tried ]
}

# dkms_conf FOLDER LINE...: in m.
dkms_conf() {
	mkdir -p "m/usr/src/$1"
	f=m/usr/src/$1/dkms.conf
	shift
	printf '%s\n' "$@" >"$f"
}

@test "dkms: what the next boot would do, for each kernel" {
	machine
	mkdir -p m/lib/modules/7.2.6-arm64
	: >m/lib/modules/7.2.6-arm64/modules.dep
	run -0 kmd dkms
	[ "$output" = "$K: updates/dkms/aipu.ko, good: not loaded at boot \
(blacklisted in /etc/modprobe.d/npu-kmd.conf)
7.2.6-arm64: no module, and none would be made" ]
	dkms_conf aipu-5.11.0 'PACKAGE_NAME="aipu"' 'PACKAGE_VERSION=5.11.0' \
	    'BUILT_MODULE_NAME[0]="aipu" # ours' "AUTOINSTALL='yes'"
	dkms_conf other-1 PACKAGE_NAME=other BUILT_MODULE_NAME=other
	run -0 kmd dkms
	[ "${lines[0]}" = \
	    'dkms aipu/5.11.0: builds itself for each new kernel' ]
	[ "${lines[2]}" = "7.2.6-arm64: no module yet, dkms makes one: not \
loaded at boot (blacklisted in /etc/modprobe.d/npu-kmd.conf)" ]
	[ "${#lines[@]}" -eq 3 ]
	rm m/etc/modprobe.d/npu-kmd.conf
	run -4 kmd dkms
	[ "${lines[1]}" = "$K: updates/dkms/aipu.ko, good: LOADED AT BOOT, \
UNTRIED (on no blacklist)" ]
	[[ ${lines[2]} == *"dkms makes one: LOADED AT BOOT, UNTRIED"* ]]
	run -4 kmd dkms --json
	echo "$output" | jq -e '.schema == "npu-kmd-dkms/1" and (.good | not)
	    and .packages == [{ name: "aipu", version: "5.11.0",
		autoinstall: true }]
	    and .kernels[0] == { kernel: "6.12.107-arm64", module: "aipu",
		file: "updates/dkms/aipu.ko", verdict: "good",
		boot: "untried", why: "on no blacklist" }
	    and .kernels[1].file == null and (.kernels | length) == 2'
	# A value that only a shell knows may be yes.
	dkms_conf aipu-5.11.0 'PACKAGE_NAME=aipu' 'PACKAGE_VERSION=$(x)' \
	    'BUILT_MODULE_NAME=aipu' 'AUTOINSTALL="$A"'
	run -4 kmd dkms
	[ "${lines[0]}" = 'dkms aipu/?: AUTOINSTALL is not known' ]
	[[ ${lines[2]} == *UNTRIED* ]]
	dkms_conf aipu-5.11.0 'PACKAGE_NAME=aipu' 'BUILT_MODULE_NAME=aipu'
	run -4 kmd dkms
	[[ ${lines[2]} == *"none would be made" ]]
}

@test "dkms: a bad module is said to be bad, a tried one to be loaded" {
	machine
	module -DNO_INIT
	run -0 kmd dkms
	[[ $output == *"aipu.ko, bad: not loaded at boot"* ]]
	head -c 500 m/lib/modules/$K/updates/dkms/aipu.ko >x
	cp x m/lib/modules/$K/updates/dkms/aipu.ko
	run -0 kmd dkms
	[[ $output == *"aipu.ko, unreadable: not loaded"* ]]
	module
	kmd autoload on
	run -0 kmd dkms
	[[ $output == *"good: loaded at boot (tried on this kernel)" ]]
	module -DBUILD_ID=0x22
	run -0 kmd dkms
	[[ $output == *"good: not loaded at boot (blacklisted in "* ]]
	# The initrd loads by name, which no blacklist keeps it from.
	mkdir -p m/etc/initramfs-tools
	echo aipu >m/etc/initramfs-tools/modules
	kmd autoload off
	run -4 kmd dkms
	[[ $output == *"UNTRIED (named in /etc/initramfs-tools/modules)" ]]
}

@test "installed: udev's rule runs it where it is, and all goes again" {
	mkdir -p dest/etc/modprobe.d
	echo mine >dest/etc/modprobe.d/mine.conf
	make -C "$TOP/driver" -s install DESTDIR="$PWD/dest" PREFIX=/opt/npu
	grep -q 'RUN+="/opt/npu/sbin/npu-kmd autoload load"' \
	    dest/etc/udev/rules.d/60-npu-kmd.rules
	grep -q 'KERNEL=="aipu", GROUP="npu", MODE="0660"' \
	    dest/etc/udev/rules.d/60-npu-kmd.rules
	grep -qx 'g npu -' dest/etc/sysusers.d/npu-kmd.conf
	# What installed scripts need is there.
	machine
	run -0 dest/opt/npu/sbin/npu-kmd dkms --root=m
	make -C "$TOP/driver" -s uninstall DESTDIR="$PWD/dest" PREFIX=/opt/npu
	[ "$(find dest ! -type d)" = dest/etc/modprobe.d/mine.conf ]
}
