#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-info --doctor: its findings on boards with each kind of fault.
# bats file_tags=slow

load ../support/helper
load ../support/fakehost
load ../support/fakeboard

# no_board: makes npu-info find neither a node nor a library, on any machine.
no_board() {
	export LD_LIBRARY_PATH=
	NODE=--node=$BATS_TEST_TMPDIR/no-such-node
}

# commands: checks the next command of each plain line in $output.  A shell must
# be able to read it, and a board's system or this project must have its
# program.
commands() {
	local known=' apt cat dkms docker echo find free getconf git groupadd ls lsmod man modinfo
	    modprobe mokutil npu-bench npu-info npu-kmd npu-model poweroff sudo systemctl
	    uname usermod xz zstd dmesg chmod chgrp PIP_BREAK_SYSTEM_PACKAGES=1 '
	local next nexts word
	known=$(echo "$known" | tr -s '[:space:]' ' ')
	nexts=$(awk -F '\t' '$4 != "" { print $4 }' <<<"$output")
	[ -n "$nexts" ] || return 0
	while read -r next; do
		bash -n -c "$next" || { echo "not a command: $next"; return 1; }
		word=${next#sudo }
		word=${word%%[ ;]*}
		[[ $known == *" $word "* ]] || {
			echo "unknown program $word: $next"
			return 1
		}
	done <<<"$nexts"
}

# verdict CHECK: prints the verdict of CHECK from the plain lines in $output.
verdict() {
	echo "$output" | awk -F '\t' -v n="$1" '$1 == n { print $2 }'
}

@test "--doctor fails no check on a sound board of each generation" {
	for v in 5.11.0 6.0.1 6.1.0 6.2.0; do
		fake_board "b$v" "$v"
		run --separate-stderr -0 npu-info --doctor --plain --root="b$v"
		[ "$stderr" = "" ]
		echo "$output" | awk -F '\t' '
		    NF != 4 || ($2 == "ok" && $4 != "") { exit 1 }
		    $2 ~ /^(warn|FAIL)$/ && $4 == "" { exit 1 }'
		commands
		for c in device iommu kernel module bound node driver status \
		    log memory pages power packages library pair; do
			[ "$(verdict "$c")" = ok ]
		done
		[ "$(verdict start)" = skip ]
	done
	run --separate-stderr -0 npu-info --doctor --root=b6.2.0
	[ "${lines[0]}" = "This machine: a board with an NPU: Radxa Orion O6, driver 6.2.0, 3 cores" ]
	[[ $output == *$'\nok    device   CIXH4000:00, by ACPI\n'* ]]
	[[ $output == *$'\nwarn  clock    1200 MHz; the library sets 14260000.aipu, but here it is CIXH4000:00\n               next: ls /sys/class/devfreq  # '* ]]
}

@test "--doctor reports an unreadable file, not a missing file" {
	fake_board b 6.2.0
	broken_file b/proc/meminfo
	run --separate-stderr -1 npu-info --doctor --plain --root=b
	[ "$stderr" = "npu-info: b/proc/meminfo: Input/output error" ]
	[ "$(verdict memory)" = skip ]
	[ "$(verdict reading)" = FAIL ]
	[[ $output == *"could not read b/proc/meminfo: Input/output error: "* ]]
	# A check may have failed because of this, so the status is not 4.
	broken_file b/sys/bus/platform/devices/CIXH4000:00/modalias
	run --separate-stderr -1 npu-info --doctor --plain --root=b
	[ "$(verdict device)" = FAIL ]
	[ "$(echo "$output" | grep -c ^reading)" -eq 1 ]
	run --separate-stderr -1 npu-info --json --root=b
	jq -e '.unread | endswith("/proc/meminfo: Input/output error")' \
	    <<<"$output"
	# A file that does not exist is not an unreadable file.
	fake_board c 6.2.0
	rm c/proc/meminfo
	run --separate-stderr -0 npu-info --doctor --json --root=c
	[ "$stderr" = "" ]
	jq -e '.unread == null and all(.checks[]; .name != "reading")' \
	    <<<"$output"
}

# broken BOARD CHECK NEXT: verifies that CHECK fails, and that its next command
# matches the pattern NEXT.
broken() {
	run --separate-stderr -4 npu-info --doctor --plain --root="$1"
	[ "$(verdict "$2")" = FAIL ]
	grep -E "^$2	FAIL	.*	.*$3" <<<"$output"
	commands
}

@test "--doctor finds each fault of a board and prints the next command" {
	fake_board b 6.2.0
	cp -a b s
	rm -r s/sys/bus/platform
	broken s device firmware
	[ "$(verdict bound)" = skip ]
	cp -a b c
	rm -r c/sys/bus/acpi/devices/CIXH4010:*
	broken c cores 'npu-kmd ssdt add'
	cp -a b m
	rm -r m/sys/module
	broken m module 'modprobe armchina_npu '
	fake_board a 5.11.0
	rm -r a/sys/module
	broken a module 'modprobe aipu '
	cp -a b l
	echo coming >l/sys/module/armchina_npu/initstate
	broken l module dmesg
	cp -a b u
	rm u/sys/devices/platform/CIXH4000:00/driver
	broken u bound dmesg
	cp -a b n
	rm n/dev/aipu
	broken n node dmesg
	[ "$(verdict driver)" = skip ]
	cp -a b p
	echo 'open EACCES' >p/dev/aipu
	broken p node 'chgrp npu'
	cp -a b r
	chmod 444 r/dev/aipu
	broken r node 'chmod ug'
	cp -a b g
	echo 536870912 >g/sys/kernel/mm/transparent_hugepage/hpage_pmd_size
	broken g pages '4096'
	cp -a b d
	echo '0x80c84100 EIO' >d/dev/aipu
	broken d driver dmesg
	cp -a b y
	rm -r y/usr
	broken y library cix-noe-umd
	cp -a b k
	rm k/usr/share/cix/lib/libaipudrv.so
	broken k backend cix-npu-umd
	cp -a b o
	rm o/usr/share/cix/lib/*noe*
	fake_library o libnoe.so.0
	broken o pair 'install cix-noe-umd'
	cp -a b w
	echo error >w/sys/devices/platform/CIXH4000:00/power/runtime_status
	broken w power dmesg
}

# server BOARD: prints the line of the check of npu-serve's service.
server() {
	run --separate-stderr npu-info --doctor --plain --root="$1"
	[ "$stderr" = "" ]
	commands
	grep "^server	" <<<"$output"
}

@test "--doctor checks whether npu-serve's service may open the node" {
	fake_board b 6.2.0
	[ "$(server b)" = "server	skip	npu-serve.service is not installed	" ]
	mkdir -p b/usr/lib/systemd/system b/etc/systemd/system/sockets.target.wants
	cp "$TOP"/debian/npu-serve.{service,socket} b/usr/lib/systemd/system
	[[ $(server b) == "server	skip	npu-serve.socket is off; systemctl enable "*"	" ]]
	ln -s /usr/lib/systemd/system/npu-serve.socket \
	    b/etc/systemd/system/sockets.target.wants
	echo 'npu-users:x:77:' >b/etc/group
	[[ $(server b) == "server	FAIL	"*"the group npu is missing	sudo groupadd -r npu" ]]
	echo "npu:x:$(id -g):bob" >>b/etc/group
	chmod 660 b/dev/aipu
	[[ $(server b) == "server	ok	npu-serve.socket is on: "*"	" ]]
	chmod 600 b/dev/aipu
	[[ $(server b) == "server	FAIL	"*" may not open /dev/aipu	sudo chgrp npu /dev/aipu "* ]]
	chmod 606 b/dev/aipu
	[[ $(server b) == "server	ok	"* ]]
	chmod 660 b/dev/aipu
	sed -i "s/^npu:x:.*/npu:x:$(($(id -g) + 1)):/" b/etc/group
	[[ $(server b) == "server	FAIL	"* ]]
	# npu-serve runs already.
	mkdir -p b/proc/70/fd
	echo npu-serve >b/proc/70/comm
	ln -s /dev/aipu b/proc/70/fd/3
	[ "$(server b)" = "server	ok	npu-serve (70) has the NPU open	" ]
}

@test "--doctor only warns about faults that may be harmless" {
	fake_board b 6.2.0
	rm -r b/sys/bus/acpi/devices/CIXH4010:02
	sed -i 's/^0x8004410a .*/0x8004410a 02000000/' b/dev/aipu
	rm -r b/sys/devices/platform/CIXH4000:00/devfreq
	sed -i 's/8000000/262143/' b/proc/meminfo
	echo 33554432 >b/sys/kernel/mm/transparent_hugepage/hpage_pmd_size
	run --separate-stderr -0 npu-info --doctor --plain --root=b
	[ "$(verdict cores)" = warn ]
	[ "$(verdict status)" = warn ]
	[ "$(verdict clock)" = warn ]
	[ "$(verdict memory)" = warn ]
	[ "$(verdict pages)" = warn ]
	sed -i 's/262143/262144/' b/proc/meminfo
	run --separate-stderr -0 npu-info --doctor --plain --root=b
	[ "$(verdict memory)" = ok ]
	fake_board c 6.9.0
	run --separate-stderr -0 npu-info --doctor --plain --root=c
	[ "$(verdict pair)" = warn ]
}

@test "--doctor prints FAIL first, then warnings, and totals at the end" {
	fake_board b 6.2.0
	rm -r b/sys/module b/sys/bus/acpi/devices/CIXH4010:02
	rm b/var/log/dmesg
	run --separate-stderr -4 npu-info --doctor --root=b
	[ "$(echo "$output" | sed -nE 's/^(FAIL|warn|ok|skip) .*/\1/p' |
	    uniq | tr '\n' ' ')" = 'FAIL warn ok skip ' ]
	n() { grep -c "$1" <<<"$output"; }
	counts="$(n ^FAIL) failed, $(n ^warn) warnings, $(n ^ok) ok"
	last=${lines[-1]}
	# A check that depends on another check is only named; -v explains why.
	[[ $output == *$'\nskip  '*"bound"*" (-v says why)"* ]]
	run --separate-stderr -4 npu-info --doctor --plain --root=b
	[ "$last" = "$counts, $(n '	skip	') skipped" ]
	run --separate-stderr -4 npu-info -v --doctor --root=b
	[[ $output == *$'\nskip  bound    it needs a device and a module\n'* ]]
	# The next command of each check is on a separate line.
	[[ $output == *$'\nFAIL  module   no module aipu or armchina_npu is loaded\n               next: sudo modprobe '* ]]
}

@test "--doctor begins with the kind of the machine" {
	mkdir -p laptop/proc/sys/kernel
	echo 6.1.0 >laptop/proc/sys/kernel/osrelease
	run --separate-stderr -4 npu-info --doctor --root=laptop
	[[ ${lines[0]} == "This machine: no board: "*"; -d emu uses the emulator" ]]
	[ "$(echo "$output" | grep -c ^FAIL)" -eq 1 ]
	[ "${lines[2]}" = "               next: npu-info --doctor -d emu" ]
	[[ $output != *dkms* ]]
	run --separate-stderr -4 npu-info --doctor --plain --root=laptop
	[[ ${lines[0]} == "machine	no-board	no board: "*"	npu-info --doctor -d emu" ]]
	commands
	fake_board b 6.2.0
	rm -r b/dev/aipu b/sys/module
	run --separate-stderr -4 npu-info --doctor --root=b
	[ "${lines[0]}" = "This machine: a board, but no driver answers for its NPU: Radxa Orion O6" ]
	# Only the name of a board, or a file of the vendor, is left.
	mkdir -p laptop/sys/class/dmi/id
	echo 'Orion O6' >laptop/sys/class/dmi/id/product_name
	run --separate-stderr -4 npu-info --doctor --json --root=laptop
	jq -e '.machine.kind == "no-driver"' <<<"$output"
	rm -r laptop/sys
	fake_library laptop libnoe.so.0
	run --separate-stderr -4 npu-info --doctor --json --root=laptop
	jq -e '.machine.kind == "no-driver"' <<<"$output"
}

@test "--doctor fails an emulator in the place of the vendor's library" {
	no_board
	noe=$B/lib/npu-utils/noe
	for way in LD_LIBRARY_PATH=$noe NPU_LIBRARY=$noe/libnoe.so; do
		run --separate-stderr -4 env "$way" npu-info --doctor --plain
		[[ ${lines[0]} == "machine	no-board	"* ||
		    $output == *$'\nlibrary\tFAIL\t'*" is the emulator, "* ]]
	done
	run --separate-stderr -4 npu-info --doctor --plain "$NODE" \
	    -L "$noe/libnoe.so"
	[[ $output == *$'\nlibrary\tFAIL\t'"$noe/libnoe.so"*" is the emulator, \
in the place of the vendor's"$'\tunset LD_LIBRARY_PATH NPU_LIBRARY  # '* ]]
	[[ $output == *$'\nloader\tskip\t'* ]]
}

@test "--doctor uses colour on a terminal, or as --color requires" {
	fake_board b 6.2.0
	npu-info --doctor --root=b >plain
	run -1 grep -q $'\033' plain
	npu-info --doctor --root=b --color=always >coloured
	grep -q $'^\033\\[32mok  \033\\[m  device ' coloured
	sed $'s/\033\\[[0-9;]*m//g' coloured | cmp - plain
	# escapes STATUS VARIABLE=VALUE OPTION: checks that the output to a
	# terminal has escape sequences (STATUS 0) or none (STATUS 1).
	escapes() {
		TERM=xterm script -qec "$2 npu-info --doctor --root=b $3" \
		    /dev/null </dev/null >seen
		run "-$1" grep $'\033' seen
	}
	escapes 0 '' ''
	escapes 1 'NO_COLOR=1' ''
	escapes 0 'NO_COLOR=' ''
	escapes 1 'TERM=dumb' ''
	escapes 1 '' --color=never
	escapes 0 'NO_COLOR=1' --color=always
	run --separate-stderr -2 npu-info --doctor --color=blue
	for o in '--color=always' '--doctor --json --color=always'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 npu-info $o
		[[ $stderr == "npu-info: --color needs --doctor, "* ]]
	done
}

@test "--doctor --json prints one document and ends with status 4" {
	no_board
	run --separate-stderr -4 npu-info --doctor --json "$NODE"
	echo "$output" | jq -e '.schema == "npu-info/1" and
	    ([.checks[] | .verdict == "FAIL" and .name == "node"] | any) and
	    all(.checks[]; if .verdict == "ok" then .next == null
	    else .verdict == "skip" or .next != null end) and
	    (.counts | .FAIL >= 1 and (.ok + .warn + .FAIL + .skip) ==
	    $n) and .machine.kind == "no-driver"' \
	    --argjson n "$(echo "$output" | jq '.checks | length')"
}

@test "--doctor fails models that are damaged or for another NPU" {
	fake_board b 6.2.0
	mkcix --in s8:4:1:0 --out s8:4:1:0 >good.cix
	printf 'version https://git-lfs.github.com/spec/v1\n' >lfs.cix
	run --separate-stderr -0 npu-info --doctor --plain --root=b good.cix
	[ "$(verdict good.cix)" = ok ]
	run --separate-stderr -4 npu-info --doctor --plain --root=b good.cix \
	    lfs.cix nothere.cix
	[ "$(verdict good.cix)" = ok ]
	[[ $output == *"lfs.cix	FAIL	a git-LFS pointer"* ]]
	[ "$(verdict nothere.cix)" = FAIL ]
	# Another instruction set: word 2 of the partition, at 72 + 8.
	perl -pi -e 's/^(0x80c84100 \w{160})05/${1}04/' b/dev/aipu
	run --separate-stderr -4 npu-info --doctor --plain --root=b good.cix
	[[ $output == *"good.cix	FAIL	it is for instructions 5, but the NPU has 4"* ]]
	mkdir d
	cp good.cix d/b.cix
	cp lfs.cix d/a.cix
	fake_board n 6.2.0
	run --separate-stderr -4 npu-info --doctor --plain --root=n d
	[ "$(echo "$output" | grep "^d/" | cut -f 1,2 | tr '\t\n' ' ,')" = \
	    'd/a.cix FAIL,d/b.cix ok,' ]
	mkdir empty
	run --separate-stderr -4 npu-info --doctor --plain --root=n empty
	[[ $output == *"empty	FAIL	the folder has no file that ends in .cix"* ]]
	cix=$B/share/npu-utils/models/clip_txt.cix
	run --separate-stderr -4 npu-info --doctor --plain --root=b "$cix"
	[[ $output == *"$cix	FAIL	packed for the emulator (-d emu)"*"	man npu-utils  # get one for X2_1204MP3, or compile it for that"* ]]
}

# bats test_tags=native
@test "--doctor survives a library that crashes or never ends" {
	no_board
	echo 'void noe_x(void) {} __attribute__((constructor)) static void c(void) { __builtin_trap(); }' >c.c
	"${CC:-cc}" -shared -fPIC -o libnoe.so.0 c.c
	run --separate-stderr -4 npu-info --doctor --plain "$NODE" -L ./libnoe.so.0
	[[ $output == *"start	FAIL	the library crashed ("* ]]
	[ "$(verdict library)" = ok ]
	echo '#include <unistd.h>
	__attribute__((constructor)) static void c(void) { for (;;) pause(); }' >c.c
	"${CC:-cc}" -shared -fPIC -o libnoe.so.0 c.c
	run --separate-stderr -4 npu-info --doctor --plain "$NODE" -L ./libnoe.so.0
	[[ $output == *"start	FAIL	the library did not answer within 10 s	sudo npu-kmd reset  # "* ]]
}

# bats test_tags=native
@test "--doctor survives a library that hangs in the kernel" {
	no_board
	echo '#include <unistd.h>
	__attribute__((constructor)) static void c(void) { for (;;) pause(); }' >c.c
	"${CC:-cc}" -shared -fPIC -o libnoe.so.0 c.c
	# As if no signal ended the process.
	echo 'int kill(int pid, int sig) { (void)pid; (void)sig; return 0; }' >k.c
	"${CC:-cc}" -shared -fPIC -o kill.so k.c
	run --separate-stderr -4 timeout 120 env LD_PRELOAD="$PWD/kill.so" \
	    npu-info --doctor --plain "$NODE" -L ./libnoe.so.0
	[[ $output == *"start	FAIL	the library did not answer within 10 s and hangs in the kernel	sudo npu-kmd reset  # "* ]]
}

# verdicts BOARD CHECK VERDICT FINDING NEXT: runs --doctor, and checks the
# verdict of CHECK.  Its finding and next command must match the two patterns.
verdicts() {
	local want=0
	run --separate-stderr npu-info --doctor --plain --root="$1"
	[[ $output != *$'\tFAIL\t'* ]] || want=4
	[ "$status" -eq $want ]
	[ "$(verdict "$2")" = "$3" ]
	grep -E "^$2	" <<<"$output" >line
	cut -f 3 line | grep -E "$4"
	cut -f 4 line | grep -E "$5"
	commands
}

@test "--doctor checks that the running kernel has a driver module" {
	fake_board b 6.2.0
	m=lib/modules/7.0.12-cix
	cp -a b none
	rm -r none/$m/updates none/$m/modules.dep none/sys/module
	verdicts none kernel FAIL '/lib/modules/7.0.12-cix has neither' \
	    '^dkms status; sudo dkms autoinstall -k 7.0.12-cix$'
	cp -a none other
	fake_file other 6.6.89-cix aipu
	verdicts other kernel FAIL 'but there is one for 6.6.89-cix$' dkms
	rmdir none/$m/build
	verdicts none kernel FAIL . '^sudo apt install linux-headers-7.0.12-cix && '
	cp -a b loaded
	rm -r loaded/lib
	verdicts loaded kernel warn 'has neither' dkms
	cp -a b stale
	mkko sound 6.6.89-cix >stale/$m/updates/dkms/armchina_npu.ko
	verdicts stale kernel FAIL 'is for kernel 6.6.89-cix, but this is 7.0' \
	    'dkms autoinstall'
	# A module that modules.dep does not list, and a module that is built
	# into the kernel.
	cp -a b unlisted
	rm unlisted/$m/modules.dep
	verdicts unlisted kernel ok 'updates/dkms/armchina_npu.ko$' '^$'
	cp -a none builtin
	echo kernel/drivers/misc/armchina-npu/armchina_npu.ko \
	    >builtin/$m/modules.builtin
	verdicts builtin kernel ok 'built in$' '^$'
	rm -rf builtin/sys/module/*
	verdicts builtin module ok '^built into the kernel$' '^$'
	# A port of the driver has another name for the module.
	cp -a b port
	mv port/$m/updates/dkms/armchina_npu.ko \
	    port/$m/updates/dkms/armchina_npu_r2p0.ko
	sed -i 's,armchina_npu,&_r2p0,' port/$m/modules.dep
	mv port/sys/module/armchina_npu port/sys/module/armchina_npu_r2p0
	verdicts port kernel ok 'armchina_npu_r2p0.ko$' '^$'
	verdicts port module ok '^armchina_npu_r2p0, version' '^$'
	rm -r port/sys/module/armchina_npu_r2p0
	verdicts port module FAIL 'is loaded' 'modprobe armchina_npu_r2p0 '
}

@test "--doctor fails a module file that cannot be loaded or does nothing" {
	fake_board b 6.2.0
	ko=b/lib/modules/7.0.12-cix/updates/dkms/armchina_npu.ko
	verify="^npu-kmd verify ${ko#b}$"
	while IFS='|' read -r damage why; do
		mkko "$damage" 7.0.12-cix >"$ko"
		verdicts b kernel FAIL "$why" "$verify"
	done <<-'END'
	object|it has no section .gnu.linkonce.this_module
	no-init|it has no init_module
	no-vermagic|it has no vermagic
	no-license|its licence is not the GPL
	proprietary|its licence is not the GPL
	no-import|it uses dma-buf without importing DMA_BUF
	quoted-import|it uses dma-buf without importing DMA_BUF
	no-magic|not an ELF file
	section-far|section 1: .* bytes at 1048576 of
	END
	mkko no-dma-buf 7.0.12-cix >"$ko"
	verdicts b kernel ok . '^$'
}

@test "--doctor reads gzip modules, and prints the command for xz and zstd" {
	fake_board b 6.2.0
	m=b/lib/modules/7.0.12-cix
	rm $m/updates/dkms/armchina_npu.ko $m/modules.dep
	mkko no-init 7.0.12-cix | gzip >$m/updates/dkms/armchina_npu.ko.gz
	verdicts b kernel FAIL 'ko.gz: it has no init_module' 'npu-kmd verify'
	gzip -d <$m/updates/dkms/armchina_npu.ko.gz >whole
	head -c 50 whole | gzip >$m/short
	mv $m/short $m/updates/dkms/armchina_npu.ko.gz
	verdicts b kernel FAIL 'an ELF header has 64' 'npu-kmd verify'
	head -c 20 $m/updates/dkms/armchina_npu.ko.gz >$m/cut
	mv $m/cut $m/updates/dkms/armchina_npu.ko.gz
	verdicts b kernel FAIL 'ko.gz: ' 'npu-kmd verify'
	rm $m/updates/dkms/armchina_npu.ko.gz
	printf '\3757zXZ\0' >$m/updates/dkms/armchina_npu.ko.xz
	verdicts b kernel skip 'compressed with xz$' \
	    '^xz -dc /lib/.*ko.xz >aipu.ko; npu-kmd verify aipu.ko$'
	rm $m/updates/dkms/armchina_npu.ko.xz
	printf '\050\265\057\375' >$m/updates/dkms/armchina_npu.ko.zst
	verdicts b kernel skip 'compressed with zstd$' '^zstd -dc '
}

@test "--doctor fails a module that registered no driver" {
	fake_board b 6.2.0
	rm -r b/sys/module/armchina_npu/drivers
	# A bound driver is registered, even if this kernel does not show it.
	verdicts b module ok . '^$'
	rm b/sys/devices/platform/CIXH4000:00/driver
	verdicts b module FAIL 'registered no driver' \
	    '^npu-kmd verify /lib/modules/.*/armchina_npu.ko$'
}

@test "--doctor fails cores without TECs, on which the library crashes" {
	fake_board b 6.2.0
	fake_answer b 0x81a84100 "$(fake_cap 424 3 3 0)"
	verdicts b driver FAIL 'the cores have 0 TECs'
}

@test "--doctor explains each known message in the kernel's log" {
	fake_board b 6.2.0
	while IFS='|' read -r how line why next; do
		fake_log b "$line"
		verdicts b log "$how" "$why.*: '" "$next"
	done <<-'END'
	FAIL|armchina CIXH4000:00: unidentified hardware version number: 5|another generation of NPU|npu-kmd check
	FAIL|aipu: version magic '6.6.1' should be '7.0'|for another kernel|dkms autoinstall && sudo modprobe aipu$
	FAIL|aipu: disagrees about version of symbol module_layout|for another kernel|dkms autoinstall && sudo modprobe aipu$
	FAIL|module aipu uses symbol dma_buf_get from namespace DMA_BUF, but does not import it.|import of a namespace|npu-kmd verify "..modinfo -n aipu.
	FAIL|aipu: Unknown symbol x (err -2)|a function that the module needs|npu-kmd verify "..modinfo -n aipu.
	warn|aipu: no symbol version for module_layout|may only warn|npu-kmd verify "..modinfo -n aipu.
	FAIL|aipu: `x' invalid for parameter `force_dma32'|the value of a parameter|^modinfo -p aipu  #
	FAIL|aipu: `aaaaaaaa' too large for parameter `name'|too long for the module|^modinfo -p aipu  #
	FAIL|aipu: module tries to import module namespace: module:kvm|kept for other modules|npu-kmd verify "..modinfo -n aipu.
	FAIL|module aipu: unsupported RELA relocation: 311|cannot link|npu-kmd check
	FAIL|module aipu: overflow in relocation type 261 val ffff800010051c20|cannot link|npu-kmd check
	FAIL|aipu: module has no symbols (stripped?)|stripped|npu-kmd verify "..modinfo -n aipu.
	FAIL|aipu: No module found in object|not linked|npu-kmd verify "..modinfo -n aipu.
	FAIL|module aipu: .gnu.linkonce.this_module section size must match the kernel's built struct module size at run time|for another kernel|dkms autoinstall && sudo modprobe aipu$
	FAIL|failed to validate module [aipu] BTF: -22|types of the module|dkms autoinstall && sudo modprobe aipu$
	FAIL|armchina_npu: exports duplicate symbol aipu_x (owned by aipu)|another module has|lsmod
	FAIL|Module aipu is blacklisted|command line forbids|module_blacklist
	FAIL|LoadPin: kernel-module denied obj="/lib/modules/aipu.ko" pid=1|LoadPin takes modules|loadpin.enforce=0
	FAIL|aipu: Loading of unsigned module is rejected|signed modules only|sign the module
	FAIL|aipu: loading of module with unavailable key is rejected|not have the key|sudo mokutil --import /var/lib/dkms/mok.pub
	FAIL|aipu: loading of module with unsupported crypto is rejected|signatures of this kind|sig_hashalgo aipu  #
	FAIL|pc : aipu_mm_init+0x1c/0x200 [aipu]|the driver crashed|npu-kmd ssdt add
	FAIL|aipu 14260000.aipu: failed to get pd core0|power domain|npu-kmd ssdt add
	FAIL|aipu 14260000.aipu: aipu attach pd failed, ret: -19|power domain|npu-kmd ssdt add
	FAIL|aipu 14260000.aipu: check your dts: read cluster-partition failed|clusters|update the firmware
	FAIL|aipu 14260000.aipu: [init_core] soft reset failed|could not be reset|sudo poweroff
	FAIL|aipu 14260000.aipu: aipu real probe failed, ret: -22|could not start|dmesg
	FAIL|armchina CIXH4000:00: npu-kmd: core CRE0 has no device: no _HID in ACPI; see npu-kmd(8)|no device in the firmware|npu-kmd ssdt add
	FAIL|aipu 14260000.aipu: detect aipu version failed|gives no registers|update the firmware
	FAIL|aipu 14260000.aipu: get aipu IRQ number failed|gives no interrupt|update the firmware
	FAIL|aipu 14260000.aipu: PM runtime get sync failed!|could not be powered|SCMI
	warn|arm-smmu-v3 arm-smmu-v3.1.auto: \t0x0000001e00000010|probably the NPU's|modprobe armchina_npu force_dma32
	warn|arm-smmu-v3 arm-smmu-v3.1.auto: event: F_TRANSLATION client: CIXH4000:00 sid: 0x1e|of the NPU|modprobe armchina_npu force_dma32
	warn|aipu: create iova region failed (ret = -12)|window of addresses|modprobe armchina_npu force_dma32
	warn|aipu: iova space is not enough for phy memory|is full|modprobe armchina_npu force_dma32
	warn|aipu: dma_alloc_attrs failed: idx 0|got no memory|free -m
	warn|aipu: aipu devfreq init failed, ret: -2|clock cannot be set|SCMI
	warn|aipu: TEC Fault Error.|a job failed|npu-info --doctor
	warn|aipu: cluster fault global reset event.|a job failed|npu-info --doctor
	warn|aipu: pool error/timeout global reset event.|did not end|npu-info --doctor
	END
}

# The lines have the formats in kernel/module/ of Linux; the length of a name is
# limited by MODULE_NAME_LEN.
@test "--doctor: the next command for a log line has that line's module" {
	fake_board b 6.2.0
	long=$(printf '%063d' 0 | tr 0 a)
	while IFS='|' read -r line name; do
		fake_log b "$line"
		verdicts b log FAIL . "modprobe $name\$"
	done <<-END
	armchina_npu_r2p0: version magic 'a' should be 'b'|armchina_npu_r2p0
	my_npu: version magic 'a' should be 'b'|my_npu
	$long: version magic 'npu' should be 'b'|$long
	a$long: version magic 'npu' should be 'b'|armchina_npu
	failed to validate module [aipu] BTF: -22|aipu
	aipu;reboot: version magic 'a' should be 'b'|armchina_npu
	aipu \$(x): version magic 'a' should be 'b'|armchina_npu
	aipu version magic|armchina_npu
	: aipu version magic|armchina_npu
	END
}

@test "--doctor: the next command after an exception is npu-kmd reset" {
	fake_board b 6.2.0
	fake_answer b 0x8004410a "$(u32 2)"
	verdicts b status warn '^the NPU had an exception$' \
	    '^sudo npu-kmd reset  #'
}

@test "--doctor: a container without the device, on a board" {
	fake_board b 6.2.0
	rm -r b/dev b/lib b/var/log
	for f in .dockerenv run/.containerenv run/systemd/container; do
		rm -rf c
		cp -a b c
		mkdir -p c/run/systemd
		: >c/$f
		run --separate-stderr -4 npu-info --doctor --root=c
		[ "${lines[0]}" = "This machine: a container without the device, on a board with an NPU: Radxa Orion O6" ]
		[ "${lines[1]}" = "FAIL  node     the container was started without /dev/aipu" ]
		[ "${lines[2]}" = "               next: docker run --device=/dev/aipu IMAGE  # podman has the same option" ]
		verdicts c kernel skip 'ask on the board itself$' '^$'
		verdicts c log skip 'ask on the board itself$' '^$'
		verdicts c bound ok . '^$'
	done
	run --separate-stderr -4 npu-info --doctor --json --root=c
	jq -e '.machine.kind == "container"' <<<"$output"
	# A container with the node is a board; one elsewhere is not a board.
	fake_board d 6.2.0
	: >d/.dockerenv
	run --separate-stderr -0 npu-info --doctor --root=d
	[[ ${lines[0]} == 'This machine: a board with an NPU: '* ]]
	mkdir -p e/proc e/sys e/dev
	: >e/.dockerenv
	run --separate-stderr -4 npu-info --doctor --root=e
	[[ ${lines[0]} == 'This machine: no board: '* ]]
}

@test "--doctor knows the SMMU's storm of events, by its rate and its line" {
	local fix='^git clone https://github.com/ErcinDedeoglu/orangepi-6plus-cix-sky1-smmu-fix  #'
	fake_board b 6.2.0
	verdicts b smmu skip '/proc/interrupts$' '^$'
	# The first SMMU has the storm; the second is quiet, as on the board.
	fake_smmu b 1000 130100 0
	verdicts b smmu warn 'interrupts 130 times a second: .*freeze' "$fix"
	commands
	npu-info --json --root=b 2>/dev/null | jq -e '.facts |
	    .smmu_events == 130100 and .smmu_events_per_s == 130'
	fake_smmu b 1000 50000
	verdicts b smmu ok '^50000 events since the start, 49 a second$' '^$'
	# A log that the storm fills keeps the other lines of the NPU.
	local line='arm-smmu-v3 arm-smmu-v3.0.auto: event 0x07 received:'
	mapfile -t many < <(yes "$line" | head -600)
	fake_log b "${many[@]}" 'aipu: TEC Fault Error. 1'
	verdicts b smmu warn "freeze .*: '$line'$" "$fix"
	verdicts b log warn 'TEC Fault Error. 1' .
	fake_log b 'arm-smmu-v3 arm-smmu-v3.0.auto: event 0x10 received:' \
	    'usb: event 0x07'
	verdicts b smmu ok . '^$'
}

@test "--doctor reports the worst line of the log since the last probe" {
	fake_board b 6.2.0
	fake_log b 'aipu: TEC Fault Error.' \
	    'aipu: unidentified hardware version number: 5' \
	    'aipu: TEC Fault Error.'
	verdicts b log FAIL "number: 5', and more" npu-kmd
	fake_log b 'aipu: unidentified hardware version number: 5' \
	    'AIPU KMD (v6.2.0) probe start'
	verdicts b log ok '^4 lines of the NPU' '^$'
	# The message of a locked-down kernel does not name the module.  If our
	# module runs, the message is about another module.
	fake_log b 'Lockdown: modprobe: unsigned module loading is restricted'
	verdicts b log ok '^3 lines of the NPU' '^$'
	sed -i '/probe start/d' b/var/log/dmesg
	verdicts b log FAIL 'locked down .*modprobe: unsigned' 'sign the module'
	# The log is checked even if the rest of the board is missing.
	mkdir -p c/proc c/sys c/dev c/var/log
	cp b/var/log/dmesg c/var/log/
	verdicts c log FAIL 'locked down .*modprobe: unsigned' 'sign the module'
	# Lines of other devices are ignored, even if their text matches.
	fake_log b 'nvme: version magic' 'nvme0: soft reset failed' 'input: TEC Fault'
	verdicts b log ok '^2 lines of the NPU' '^$'
	# More problems than npu-info keeps.
	for i in {1..50}; do echo "aipu: TEC Fault Error. $i"; done >many
	mapfile -t many <many
	fake_log b "${many[@]}"
	verdicts b log warn 'TEC Fault Error. 1' .
	rm b/var/log/dmesg
	verdicts b log skip 'log is not here' dmesg
	echo 'open EPERM' >b/dev/kmsg
	verdicts b log skip '^only .*root.* may read /dev/kmsg$' \
	    '^sudo npu-info --doctor$'
}

@test "--doctor escapes control characters in the log and cuts long lines" {
	fake_board b 6.2.0
	fake_log b 'aipu: TEC Fault \033[31m\tred\r'
	verdicts b log warn "TEC Fault .x1b\[31m.x09red.x0d'$" .
	{
		printf 'aipu: TEC Fault '
		head -c 100000 /dev/zero | tr '\0' x
		echo
	} >>b/var/log/dmesg
	run --separate-stderr -0 npu-info --doctor --plain --root=b
	[ "$(echo "$output" | awk '{ if (length > n) n = length }
	    END { print n }')" -lt 1000 ]
	rm -f b/dev/kmsg
	mkfifo b/dev/kmsg
	rm b/var/log/dmesg
	timeout 60 npu-info --doctor --plain --root=b >/dev/null
}

@test "--doctor prints a command on one line, even if it has bad bytes" {
	fake_board b 6.2.0
	printf '7.0\t\033[2Jx\n' >b/proc/sys/kernel/osrelease
	run --separate-stderr -0 npu-info --doctor --plain --root=b
	[[ $output != *$'\033'* ]]
	echo "$output" | awk -F '\t' 'NF != 4 { exit 1 }'
	[[ $output == *'linux-headers-7.0??[2Jx && '* ]]
	run --separate-stderr -0 npu-info --doctor --root=b
	[[ $output != *[$'\033\t']* ]]
}

@test "--doctor also reads the records of /dev/kmsg" {
	fake_board b 6.2.0
	rm b/var/log/dmesg
	printf '%s\n' '6,339,5140900,-;AIPU KMD (v6.2.0) probe start' \
	    ' SUBSYSTEM=platform' ' DEVICE=+platform:aipu TEC Fault' \
	    '3,340,5140901,-;aipu: [init_core] soft reset failed' >b/dev/kmsg
	verdicts b log FAIL "reset: 'aipu: \[init_core\] soft reset failed'$" .
}

@test "--doctor fails packages that are not configured" {
	fake_board b 6.2.0
	fake_package b cix-npu-onnxruntime 1.1 half-configured
	fake_package b python3 3.13 half-configured
	verdicts b packages FAIL '^cix-npu-onnxruntime half-configured$' \
	    'dpkg --configure -a$'
	rm b/var/lib/dpkg/status
	fake_package b python3 3.13 half-configured
	verdicts b packages skip 'no package of the vendor' '^$'
	rm b/var/lib/dpkg/status
	verdicts b packages skip 'list of packages is not here' '^$'
	fake_package b cix-noe-umd 2.0.2 config-files
	verdicts b packages skip 'no package' '^$'
}

@test "--doctor: unusual packages of others do not hide the vendor's" {
	fake_board b 6.2.0
	rm b/var/lib/dpkg/status
	fake_package b cix-noe-umd 2.0.2
	fake_package b python3 "$(printf '%080d' 0)"
	fake_package b "lib$(printf '%080d' 0)" 1
	verdicts b packages ok '^cix-noe-umd 2\.0\.2$' '^$'
}

@test "--doctor distinguishes an unreadable and a missing package list" {
	fake_board b 6.2.0
	s=b/var/lib/dpkg/status
	rm $s
	fake_package b cix-noe-umd 1_2
	verdicts b packages skip \
	    "^the list of packages cannot be read: $s: line 3: a version" '^$'
	rm $s
	mkdir $s
	verdicts b packages skip "cannot be read: $s: " '^$'
	rm -r b/var/lib/dpkg
	echo x >b/var/lib/dpkg
	verdicts b packages skip '^dpkg.s list of packages is not' '^$'
}

@test "--doctor warns if the IOMMU passes through or is off" {
	fake_board b 6.2.0
	echo identity >b/sys/kernel/iommu_groups/9/type
	verdicts b iommu warn 'identity' "switch the SMMU on"
	echo 'root=UUID=secret quiet iommu.passthrough=1 x=iommu.pt iommu=pt' \
	    >b/proc/cmdline
	verdicts b iommu warn 'identity' \
	    '^cat /proc/cmdline  # start the kernel without iommu.passthrough=1 iommu=pt$'
	[[ $output != *secret* ]]
	echo DMA-FQ >b/sys/kernel/iommu_groups/9/type
	verdicts b iommu ok '^translating \(DMA-FQ\), group 9$' '^$'
	rm b/sys/devices/platform/CIXH4000:00/iommu_group
	verdicts b iommu warn 'no IOMMU' '# start the kernel without'
}

@test "--doctor warns about a library outside the loader's path" {
	fake_board b 5.11.0
	verdicts b loader warn 'other programs do not' \
	    '^echo /usr/share/cix/lib \| sudo tee /etc/ld.so.conf.d/cix.conf; sudo ldconfig$'
	mkdir -p b/etc/ld.so.conf.d
	echo /usr/share/cix/lib64 >b/etc/ld.so.conf.d/cix.conf
	verdicts b loader warn . ldconfig
	echo /usr/share/cix/lib >>b/etc/ld.so.conf.d/cix.conf
	verdicts b loader ok 'libnoe.so.0$' '^$'
	rm b/etc/ld.so.conf.d/cix.conf b/usr/share/cix/lib/libnoe.so*
	mkdir -p b/usr/lib/aarch64-linux-gnu
	: >b/usr/lib/aarch64-linux-gnu/libnoe.so.0
	verdicts b loader ok 'aarch64-linux-gnu/libnoe.so.0$' '^$'
}

@test "--doctor: the command for a closed node adds the user to a group" {
	[ "$(id -u)" -eq 0 ] || skip "only root can change the group of a file"
	fake_board b 5.11.0
	echo 'open EACCES' >b/dev/aipu
	chgrp video b/dev/aipu
	chmod 0660 b/dev/aipu
	verdicts b node FAIL '^only group video may read /dev/aipu$' \
	    '^sudo usermod -aG video "\$USER"  # and log in again$'
	chmod 0600 b/dev/aipu
	verdicts b node FAIL 'only user root' \
	    '^sudo groupadd -rf npu && sudo chgrp npu /dev/aipu && .*usermod -aG npu "\$USER"  # log in again'
}

@test "--doctor: with power control auto, the first inference is late" {
	fake_board b 6.2.0
	d=b/sys/devices/platform/CIXH4000:00/power
	verdicts b power ok 'control auto: the first inference .* is late' '^$'
	echo on >$d/control
	verdicts b power ok 'control on$' '^$'
}
