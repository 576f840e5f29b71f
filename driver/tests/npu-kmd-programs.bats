# SPDX-License-Identifier: Apache-2.0
# npu-kmd when a program that it uses fails, for example without memory, or
# without room for another process.  Shell: one leg is enough.
# bats file_tags=native,slow

load ../../tests/support/helper
load fakekmd

# Commands that fail silently at the call at which count is 0: with the status
# of a command that cannot be started, if a file could also make it fail.
setup() {
	mkdir bin
	for c in awk sed sort grep tr head wc cat sha256sum od tail uname \
	    mktemp mkdir chmod sync mv rm iasl xz; do
		fails=2
		[ $c != xz ] || fails=127
		cat >bin/$c <<-END
		#!/bin/sh
		exec 9>"\$COUNT.lock"
		flock 9
		read -r n <"\$COUNT"
		echo \$((n - 1)) >"\$COUNT"
		[ \$n -ne 1 ] || exit $fails
		exec 9>&- $(command -v $c) "\$@"
		END
		chmod +x bin/$c
	done
	export COUNT=$PWD/count
	tree orangepi-5.11.0
	mv t whole
}

# attempt N ARGUMENT...: runs npu-kmd for a copy of whole, with a failing Nth
# call.
operand=t
attempt() {
	rm -rf t
	cp -a whole t
	echo "$1" >count
	st=0
	PATH=$PWD/bin:$PATH npu-kmd "${@:2}" $operand >out 2>err || st=$?
	read -r left <count
}

# each_call ARGUMENT...: makes one random call of every $step calls fail.  The
# answer must be the good answer, or missing.  Files that cannot be removed at
# the end are removed by the next call.
step=7
each_call() {
	attempt 0 "$@"
	calls=$((-left)) good=$st
	echo "$*: $calls calls, status $good"
	[ $calls -ge 1 ]
	mv out good
	rm -rf good.t
	mv t good.t
	for n in $(seq $((RANDOM % step + 1)) $step $calls); do
		attempt $n "$@"
		if [ $st -eq $good ] && cmp -s out good &&
		    diff -r -x .npu-kmd.new -x 'new.??????' t good.t \
			>/dev/null; then
			continue
		fi
		[ $st -eq 1 ] && grep -q '^npu-kmd: ' err || {
			echo "$*: call $n: status $st"
			cat err
			return 1
		}
		case "$1 ${2-}" in
		'adapt '*) still_there ;;
		'autoload '*) diff -rq t good.t || as_it_was ;;
		'ssdt add')
			npu-kmd ssdt remove $operand 2>/dev/null
			as_it_was ;;
		*) as_it_was ;;
		esac
	done
}

# as_it_was: except a folder for a file that was not written.
as_it_was() {
	rmdir t/etc/npu-kmd 2>/dev/null || :
	diff -r t whole
}

# still_there: the original still exists, or can be restored.
still_there() {
	npu-kmd adapt --undo t >/dev/null
	diff -r t "${original:-whole}"
}

@test "check: a failed program is reported, SEED=N for other calls" {
	RANDOM=${SEED:-1}
	each_call check --kernel=6.12
	each_call check --kernel=6.12 --json
}

@test "adapt: a failed program is reported, SEED=N for other calls" {
	RANDOM=${SEED:-1}
	each_call adapt
}

@test "a failed grep does not count as a grep without matches" {
	find bin -type f ! -name grep ! -name sed -delete
	step=1
	# Carriage returns, which adapt refuses.
	sed -i 's/$/\r/' whole/armchina-npu/sky1/sky1.c
	each_call adapt
	[ "$good" -eq 1 ]
	tree orangepi-5.11.0
	rm -rf whole
	mv t whole
	# The helpers of CIX's kernel, which make row 8 unnecessary.
	mkdir -p whole/headers/include/{config,linux}
	echo 6.6.89-cix >whole/headers/include/config/kernel.release
	echo CONFIG_ARCH_CIX=y >whole/headers/.config
	: >whole/headers/include/config/auto.conf
	echo 'include /usr/src/none/Makefile' >whole/headers/Makefile
	echo scmi_device_opp_table_parse \
	    >whole/headers/include/linux/scmi_protocol.h
	each_call check --kernel=t/headers
	[ "$good" -eq 0 ]
}

@test "adapt --undo: a failed program is reported, and nothing is lost" {
	RANDOM=${SEED:-1}
	cp -a whole original
	original=$PWD/original
	npu-kmd adapt whole
	each_call adapt --undo
}

# machine_is HOW: creates whole, and its operand: tried or new, with our kernel
# and an older kernel whose module is packed.
machine_is() {
	machine
	mkdir -p m/lib/modules/6.1.0 m/usr/src/aipu-5.11.0
	"$as" -c -o aipu.ko "$TOP/driver/tests/ko/ko.S"
	xz -c aipu.ko >m/lib/modules/6.1.0/aipu.ko.xz
	echo 'aipu.ko.xz:' >m/lib/modules/6.1.0/modules.dep
	printf 'PACKAGE_NAME=aipu\nPACKAGE_VERSION=5.11.0\nAUTOINSTALL=yes\n' \
	    >m/usr/src/aipu-5.11.0/dkms.conf
	[ "$1" != tried ] || npu-kmd autoload on --root=m
	rm -rf whole
	mv m whole
	operand=--root=t
}

@test "verify: a failed program is reported, without a verdict" {
	RANDOM=${SEED:-1}
	machine_is new
	mkdir -p whole/headers/include/config
	echo $K >whole/headers/include/config/kernel.release
	printf 'CONFIG_%s=y\n' ARM64 SMP MODULE_UNLOAD \
	    >whole/headers/include/config/auto.conf
	operand=t/lib/modules/6.1.0/aipu.ko.xz step=3
	each_call verify --kernel=t/headers
	operand=t/lib/modules/$K/updates/dkms/aipu.ko
	each_call verify --kernel=$K --json
	[ "$good" -eq 0 ]
}

@test "dkms: a failed program is reported, without a verdict" {
	RANDOM=${SEED:-1}
	machine_is tried
	each_call dkms
	each_call dkms --json
	[ "$good" -eq 0 ]
}

@test "autoload: a failed program is reported, and nothing is lost" {
	RANDOM=${SEED:-1} step=4
	machine_is new
	printf '#!/bin/sh\necho "$0 $*"\n' >bin/modprobe
	chmod +x bin/modprobe
	each_call autoload on
	[ "$good" -eq 0 ]
	# Modules tried on other kernels must not be lost either.
	machine_is tried
	echo '6.1.0 0 aipu aipu.ko.xz' >>whole/etc/npu-kmd/tried
	for what in on status load; do
		each_call autoload $what
		[ "$good" -eq 0 ]
	done
	each_call autoload off
}

@test "ssdt: a failed program is reported, and the table is not written" {
	machine
	mkdir -p m/etc/initramfs-tools/hooks m/boot \
	    m/sys/bus/acpi/devices/{CIXH4000:00,device:00}
	echo '\_SB_.NPU0.CRE0' >m/sys/bus/acpi/devices/device:00/path
	echo CONFIG_ACPI_TABLE_UPGRADE=y >m/boot/config-$K
	operand=--root=t step=1
	for is in in_front other without; do
		rm -rf whole
		cp -a m whole
		case $is in
		in_front)
			npu-kmd ssdt add --root=whole
			cat whole/etc/npu-kmd/npu-cores.cpio m/dev/aipu \
			    >whole/boot/initrd.img-$K
			cp whole/boot/initrd.img-$K . ;;
		other) cp initrd.img-$K whole/boot/ ;;
		without) echo main >whole/boot/initrd.img-$K ;;
		esac
		each_call ssdt status
		[ "$good" -eq 0 ]
	done
	each_call ssdt add
	[ "$good" -eq 0 ]
}

# lacking PROGRAM: creates a folder with all other programs, as a PATH.
lacking() {
	rm -rf path
	mkdir path
	for c in npu-kmd dash busybox awk sed sort grep tr head wc cat sha256sum \
	    od tail uname mktemp mkdir chmod sync mv rm rmdir xz readlink; do
		[ $c = "$1" ] || ln -s "$(command -v $c)" path/
	done
	printf '#!/bin/sh\n' >path/modprobe
	chmod +x path/modprobe
	rm -f "path/$1"
}

@test "a missing program is reported, by dash and busybox, status 1" {
	machine_is tried
	for row in 'dkms awk sha256sum wc od tr head tail' \
	    'status awk sha256sum' 'load awk sha256sum modprobe' \
	    'on awk sha256sum wc od tr mktemp chmod sync mv cat'; do
		read -r what all <<<"$row"
		for c in readlink $all; do
			lacking $c
			sh=dash args="autoload $what"
			[ $what != dkms ] || args=dkms
			[ $((${#c} % 2)) -eq 0 ] || sh='busybox sh'
			rm -rf t
			cp -a whole t
			# shellcheck disable=SC2086 # words
			run --separate-stderr -1 env PATH="$PWD/path" $sh \
			    path/npu-kmd $args --root=t
			[[ $stderr == *"npu-kmd: "* ]]
			[ "$output" = "" ]
			as_it_was
		done
	done
}

@test "a shell that cannot start a process does not report wrong usage" {
	# Only root can run a user who may not start processes.
	setpriv --reuid=61234 --regid=61234 --clear-groups \
	    test -r "$TOP/driver/npu-kmd" 2>/dev/null || return 0
	for sh in dash 'busybox sh'; do
		for n in 1 2 3; do
			# shellcheck disable=SC2016,SC2086 # words; its own $
			run -1 bash -c 'ulimit -u "$1"; shift
			    exec setpriv --reuid=61234 --regid=61234 \
				--clear-groups "$@"' bash $n $sh \
			    "$TOP/driver/npu-kmd" --help
			[[ $output == *"npu-kmd: a pro"*" failed; is there"* ||
			    $output == *"npu-kmd: a process could not be"* ]]
		done
	done
}

@test "a manifest without a newline at its end is read to its end" {
	# Removes the newline of the last line.
	npu-kmd adapt whole >/dev/null
	tree orangepi-5.11.0
	mv t before
	cp -a whole t
	perl -pi -e 'chomp if eof' t/.npu-kmd.manifest
	npu-kmd adapt --undo t
	diff -r t before
}

@test "a closed stderr does not change the answer" {
	st=0
	npu-kmd check --kernel=6.12 whole >out 2>&- || st=$?
	[ $st -eq 4 ]
	st=0
	npu-kmd check --kernel=6.12 whole >want || st=$?
	[ $st -eq 4 ]
	cmp out want
}
