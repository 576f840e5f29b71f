#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The expected numbers follow from the files that a test writes (fakehost.bash)
# and from the definitions of the manual page.  How full the disk of a folder is
# comes from stat(1).

load ../support/helper
load ../support/fakehost

# status OPTION...: describes the machine in ./m, since its start.
status() {
	host-status --root=m --sample=none "$@"
}

# full: prints how full this folder's disk is, in percent with one decimal.
full() {
	stat -f -c '%b %f %a' . |
	    awk '{ printf("%.1f", 100 * ($1 - $2) / ($1 - $2 + $3)) }'
}

# has FILE: waits until FILE is not empty.
has() {
	for _ in $(seq 600); do
		[ ! -s "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# ended PID: sends SIGTERM to PID, which must end by that signal.
ended() {
	local st=0
	kill -TERM "$1"
	wait "$1" || st=$?
	[ $st -eq 143 ]
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	fake_host m
}

@test "a line has host, cpu, ram, load, temps and disks, as in the guide" {
	for _ in 1 2 3 4 5; do		# others may write to it
		disk=$(full)
		run --separate-stderr -0 status
		[ "$disk" != "$(full)" ] || break
	done
	[ "$stderr" = "" ]
	[ "$output" = "host mybox cpu 2.4% ram 25.5% load 0.46 \
temps [soc 44°C] disks [/ $disk%]" ]
}

# bats test_tags=slow
@test "-F jsonl: the same values as numbers" {
	before=$(date +%s)
	status -F jsonl >j
	after=$(date +%s)
	[ "$(wc -l <j)" -eq 1 ]
	jq -e --argjson disk "$(full)" '
	    keys_unsorted == ["schema", "time", "host", "cpu_percent",
	    "ram_percent", "load", "temps", "disks", "smmu_events_per_s"] and
	    .smmu_events_per_s == null and
	    .schema == "host-status/1" and .host == "mybox" and
	    .cpu_percent == 2.4 and .ram_percent == 25.5 and .load == 0.46 and
	    .temps == [{ name: "soc", celsius: 44.25 }] and
	    .disks[0].mount == "/" and (.disks | length) == 1 and
	    (.disks[0].percent - $disk | fabs) < 1' j
	jq -e --argjson a "$before" --argjson b "$after" \
	    '.time | fromdate | . >= $a and . <= $b' j
	# 0.35 is slightly less in binary, but multiplied by 10 it is 3.5.
	echo 'cpu  7 0 0 1993' >m/proc/stat
	got=$(status | grep -o 'cpu [0-9.]*')
	[ "$got" = 'cpu 0.3' ]
	got=$(status -F jsonl | jq .cpu_percent)
	[ "$got" = 0.3 ]
}

@test "a storm of SMMU events is in the line, and its note appears once" {
	local note="host-status: the SMMU's event queue interrupts 130 times a \
second, and boards with this freeze after hours; 'npu-info --doctor' says \
what to do"
	fake_smmu m 1000 130000 65			# 130 a second
	run --separate-stderr -0 status --disks=none -i 100ms -n 2
	[ "$stderr" = "$note" ]
	[[ ${lines[0]} == *' disks [] smmu 130/s' ]]
	[[ ${lines[1]} == *' disks [] smmu 130/s' ]]
	run --separate-stderr -0 status -q --levels --disks=none
	[ "$stderr" = "" ]
	[[ $output == *' disks [] smmu red' ]]
	[ "$(status -q -F jsonl | jq .smmu_events_per_s)" = 130 ]
	fake_smmu m 1000 50000				# below 50 a second
	run --separate-stderr -0 status --disks=none
	[ "$stderr" = "" ]
	[[ $output == *' disks []' ]]
	[ "$(status -F jsonl | jq .smmu_events_per_s)" = 50 ]
}

@test "the rate of SMMU events is that between two lines, if it is known" {
	fake_smmu m 1000 10
	status -i 200ms -F jsonl >j 2>err 3>&- &
	pid=$!
	has j
	# host-status sees both files change at the same time.
	kill -STOP $pid
	fake_smmu m 1010 2010				# 2000 in 10 s
	kill -CONT $pid
	for _ in $(seq 600); do
		! grep -q 'per_s":200}' j || break
		sleep 0.1
	done
	ended $pid
	jq -s -e '.[0].smmu_events_per_s == 0 and
	    ([.[].smmu_events_per_s] | index(200)) > 0' j
	[[ $(cat err) == *'interrupts 200 times a second'* ]]
}

@test "--levels: each value is a colour, which changes at its limits" {
	fake_state m 599 599 0.69 59
	run -0 status --levels --disks=none
	[ "$output" = "host mybox cpu green ram green \
load green temps [soc green] disks []" ]
	fake_state m 600 800 1.00 60
	run -0 status --levels --disks=none
	[ "$output" = "host mybox cpu yellow ram orange \
load orange temps [soc yellow] disks []" ]
	fake_state m 900 899 2.00 90
	run -0 status --levels --disks=none
	[ "$output" = "host mybox cpu red ram orange \
load red temps [soc red] disks []" ]
	# 12 processors have enough capacity for a load of 8.3.
	seq -f 'cpu%g 1 1 1 1' 0 11 >>m/proc/stat
	echo '8.30 8 8 1/2 3' >m/proc/loadavg
	run -0 status --levels
	[[ $output == *" load green "* ]]
	echo '8.40 8 8 1/2 3' >m/proc/loadavg
	run -0 status --levels
	[[ $output == *" load yellow "* ]]
	run --separate-stderr -2 status --levels -F jsonl
	[[ $stderr == "host-status: --levels is for text; "* ]]
}

# ---- Temperatures and disks

# bats test_tags=slow
@test "temperatures: zones in numeric order; the hottest of equal names" {
	fake_zone m 10 npu-thermal 51500
	fake_zone m 2 gpu_thermal 39999
	fake_zone m 3 soc-thermal 45600
	fake_zone m 4 dead 300001
	fake_zone m 5 frozen -100001
	fake_zone m 6 mute ''
	fake_chip m 0 nvme 1 30000 Composite
	run -0 status
	[[ $output == *" temps [soc 46°C, gpu 40°C, npu 52°C] "* ]]
	# 51.5 is half way between two integers, and is rounded to the even one.
	fake_zone m 10 npu-thermal 50500
	run -0 status
	[[ $output == *" npu 50°C] "* ]]
	# A value that is rounded to 0 has no minus sign.
	for t in -500:0 -49:0 -501:-1 -1499:-1; do
		fake_zone z 0 soc-thermal "${t%:*}"
		# The machine z has no other values: status 1.
		run -1 host-status --root=z --sample=none --disks=none
		[[ $output == *" temps [soc ${t#*:}°C] "* ]]
	done
	fake_zone m 11 isp-thermal 10000
	run -0 status
	[[ $output == *" npu 50°C] "* ]]
	run -0 status --most=2
	[[ $output == *" temps [soc 46°C, gpu 40°C] "* ]]
	run -0 status --temps=npu,none
	[[ $output == *" temps [npu 50°C] "* ]]
	run -0 status --temps=nvme/Composite
	[[ $output == *" temps [nvme/Composite 30°C] "* ]]
	run -0 status --temps=none
	[[ $output == *" temps [] "* ]]
}

@test "temperatures: without zones, chips; without sensors, an empty list" {
	rm -r m/sys/class/thermal
	fake_chip m 1 k10temp 1 40000 Tctl
	fake_chip m 1 k10temp 2 41000
	fake_chip m 0 nvme 1 30000 'Package id 0'
	run -0 status
	[[ $output == *" temps [nvme/Package_id_0 30°C, \
k10temp/Tctl 40°C, k10temp 41°C] "* ]]
	rm -r m/sys
	run --separate-stderr -0 status --disks=none
	[[ $output == *" temps [] disks []" ]]
	[ "$stderr" = "" ]
	status -F jsonl | jq -e '.temps == []'
}

@test "disks: only mounted folders, one for each source, in sorted order" {
	mkdir -p m/home 'm/mnt/my disk' m/srv m/net/disk m/etc
	touch m/etc/hosts
	cat >m/proc/1/mounts <<-'END'
	proc /proc proc rw 0 0
	/dev/b /srv xfs rw 0 0
	/dev/a / ext4 rw 0 0
	/dev/a /home ext4 rw 0 0
	/dev/c /mnt/my\040disk vfat rw 0 0
	/dev/d /etc/hosts ext4 rw 0 0
	/dev/e /gone ext4 rw 0 0
	server:/x /net nfs4 rw 0 0
	/dev/f /net/disk ext4 rw 0 0
	END
	p='[0-9.]*%'
	status | grep "disks \[/ $p, /mnt/my_disk $p, /srv $p\]$"
	status --most=1 | grep "disks \[/ $p\]$"
	status --disks=/srv,/net,/home | grep "disks \[/srv $p\]$"
	status -F jsonl | jq -e '[.disks[].mount] ==
	    ["/", "/mnt/my disk", "/srv"]'
	# Without the mounts of process 1, our own mounts are used.
	echo '/dev/b /srv xfs rw 0 0' >m/proc/mounts
	rm m/proc/1/mounts
	status | grep "disks \[/srv $p\]$"
}

# bats test_tags=native
@test "a file system that may hang is not accessed" {
	mkdir -p m/net/disk
	printf '%s\n' '/dev/a / ext4 rw 0 0' 'server:/x /net nfs rw 0 0' \
	    '/dev/f /net/disk ext4 rw 0 0' >m/proc/1/mounts
	strace -f -o trace host-status --root=m --sample=none
	grep -q '/proc/1/mounts' trace
	run -1 grep 'm/net' trace
}

@test "a line with many sensors and disks has at most CLIP's 77 tokens" {
	fake_zone m 1 cpu-b0-thermal 44000
	fake_zone m 2 npu-thermal 44000
	mkdir -p m/boot/efi m/home
	printf '%s\n' '/dev/a / ext4 rw 0 0' '/dev/b /boot/efi vfat rw 0 0' \
	    '/dev/c /home ext4 rw 0 0' >m/proc/1/mounts
	echo orangepi6plus >m/proc/sys/kernel/hostname
	status >line
	[ "$(grep -o , line | wc -l)" -eq 4 ]
	clip-tokenize <line >ids
}

# ---- Unreadable files

@test "a value that cannot be read is ?, reported once, status 1" {
	rm m/proc/meminfo m/proc/1/mounts
	echo x >m/proc/loadavg
	: >m/proc/sys/kernel/hostname
	run --separate-stderr -1 status -i 100ms -n 3
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[2]}" = \
	    "host ? cpu 2.4% ram ? load ? temps [soc 44°C] disks [?]" ]
	[ "$stderr" = "host-status: m/proc/sys/kernel/hostname: is empty
host-status: m/proc/meminfo: No such file or directory
host-status: m/proc/loadavg: does not begin with a load
host-status: m/proc/mounts: No such file or directory" ]
	run --separate-stderr -1 status -F jsonl
	jq -e '.host == null and .ram_percent == null and .load == null and
	    .disks == null and .cpu_percent == 2.4' <<<"$output"
}

@test "a percentage is ? if no processor time has passed" {
	echo 'cpu  0 0 0 0' >m/proc/stat
	run --separate-stderr -1 status --disks=none
	[ "${output%% ram*}" = 'host mybox cpu ?' ]
	[ "$stderr" = 'host-status: m/proc/stat: no time has passed since the last sample' ]
}

@test "--root: a missing or empty folder is status 1, an empty name status 2" {
	run --separate-stderr -1 host-status --root=nowhere
	[ "$output" = "" ]
	[ "$stderr" = "host-status: --root: nowhere: No such file or directory" ]
	run --separate-stderr -2 host-status --root=
	[ "${stderr_lines[0]}" = \
	    "host-status: --root: an empty name; a file has a name" ]
	mkdir nothing
	run --separate-stderr -1 host-status --root=nothing
	[ "$output" = "host ? cpu ? ram ? load ? temps [] disks [?]" ]
	[[ $stderr == "host-status: nothing/proc/stat: No such file"* ]]
}

@test "pipes, devices and endless files are refused; odd bytes are replaced" {
	rm m/proc/stat m/proc/loadavg
	mkfifo m/proc/stat
	ln -s /dev/zero m/proc/loadavg
	printf 'a\033[2J b\xff\xc2\x85\xc3\xa9]\nsecond' \
	    >m/proc/sys/kernel/hostname
	{
		seq 750000 | sed 's/.*/MemFree: 1 kB/'
		echo 'MemTotal: 9 kB'
	} >m/proc/meminfo
	seq 200000 | sed 's,.*,/dev/x /x ext4 rw 0 0,' >>m/proc/1/mounts
	run --separate-stderr -1 timeout 60 host-status --root=m --sample=none
	[ "${output%% disks*}" = \
	    $'host a_[2J_b__\xc3\xa9] cpu ? ram ? load ? temps [soc 44°C]' ]
	[[ $stderr == *"m/proc/stat: Invalid argument"* ]]
	[[ $stderr == *"m/proc/loadavg: Invalid argument"* ]]
	[[ $stderr == *"m/proc/meminfo: has no MemTotal"* ]]
}

@test "a table of mounts with too many lines is an error, not cut off" {
	mkdir -p m/net/disk
	{
		echo '/dev/a / ext4 rw 0 0'
		echo '/dev/f /net/disk ext4 rw 0 0'
		seq 6000 | sed 's,.*,/dev/& /gone/& ext4 rw 0 0,'
	} >m/proc/1/mounts
	status | grep 'disks \[/ [0-9.]*%, /net/disk [0-9.]*%\]$'
	echo 'server:/x /net nfs rw 0 0' >>m/proc/1/mounts
	status | grep 'disks \[/ [0-9.]*%\]$'
	seq 150000 | sed 's,.*,/dev/x /x ext4 rw 0 0,' >>m/proc/1/mounts
	run --separate-stderr -1 status -i 100ms -n 2
	[[ $output == *"disks [?]"*"disks [?]" ]]
	[ "$stderr" = "host-status: m/proc/1/mounts: has 156003 lines, \
more than 131072" ]
}

# ---- Time

@test "cpu is the sample's share, then the share since the previous line" {
	host-status --root=m --sample=100ms -i 100ms >lines 3>&- &
	pid=$!
	# No time has passed yet: since the start, 2.4 %.
	has lines
	# 95 of 100 ticks are busy since then.
	echo 'cpu  109 0 10 975 6 0 0 0' >new
	mv new m/proc/stat
	for _ in $(seq 600); do
		! grep -q 'cpu 10.8%' lines || break
		sleep 0.1
	done
	ended $pid
	[ "$(grep -c 'cpu 95.0%' lines)" -eq 1 ]
	head -n 1 lines | grep -q 'cpu 2.4%'
	# 119 of 1100 since the start, if again no time passes.
	run -1 grep -vE 'cpu (2.4|95.0|10.8)%' lines
}

@test "on the real machine, the line has the real host name and values" {
	run --separate-stderr -0 host-status --sample=100ms
	[ "$stderr" = "" ]
	n='[0-9]+\.[0-9]'
	[[ $output =~ ^host\ [^\ ]+\ cpu\ $n%\ ram\ $n%\ load\ ${n}[0-9]\ temps ]]
	[[ $output =~ ^host\ $(uname -n)\  ]]
}

@test "each line is written at once, to a pipe and to a file" {
	host-status --root=m --sample=none -i 1min >file 3>&- &
	pid=$!
	has file
	ended $pid
	[ "$(wc -l <file)" -eq 1 ]
	mkfifo pipe
	host-status --root=m --sample=none -i 1min >pipe 3>&- &
	pid=$!
	IFS= read -r line <pipe
	[[ $line == "host mybox cpu 2.4%"* ]]
	ended $pid
}

# 20 intervals of 100 ms.  tests/unit/cmd/ticker.c tests that intervals do not
# drift, and that missed lines are not made up for.
# bats test_tags=slow
@test "an interval passes between two lines" {
	start=$(date +%s%N)
	status -i 100ms -n 21 >lines
	took=$((($(date +%s%N) - start) / 1000000))
	echo "$took ms"
	[ $took -ge 2000 ]
	[ "$(wc -l <lines)" -eq 21 ]
}

# ---- Rules

@test "a signal ends it, and so does a closed pipe (status 141)" {
	host-status --root=m --sample=none -i 1min >lines 3>&- &
	pid=$!
	has lines		# it has begun
	ended $pid
	{
		st=0
		host-status --root=m --sample=none -i 100ms || st=$?
		echo $st >status
	} | head -n 2 >two
	[ "$(cat status)" -eq 141 ]
	[ "$(wc -l <two)" -eq 2 ]
}

@test "a full device is a write error, status 1" {
	st=0
	status -i 100ms >/dev/full 2>err || st=$?
	[ $st -eq 1 ]
	[ "$(cat err)" = \
	    "host-status: write error: No space left on device" ]
}

@test "-v prints once which sensors and disks are shown; -q nothing" {
	fake_zone m 1 gpu-thermal 40000
	fake_zone m 2 npu-thermal 50000
	run --separate-stderr -0 status -v --most=2 -n 2 -i 100ms
	[ "${#lines[@]}" -eq 2 ]
	[ "$stderr" = "host-status: sensors: soc, gpu; left out: npu
host-status: disks: /" ]
	run --separate-stderr -0 status -v --temps=fan --disks=none
	[ "$stderr" = "host-status: sensors: none; left out: soc, gpu, npu" ]
	run --separate-stderr -0 status -v --quiet
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "wrong options, times and operands are usage errors" {
	for o in '-i none' '-i 99ms' '-i 0' '-n 0' '-n 2' '--sample=5ms' \
	    '--most=65' '-F xml' 'operand'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 host-status $o
		[ "$output" = "" ]
		[[ $stderr == "host-status: "* ]]
	done
	[[ $stderr == *"takes no operands"* ]]
	run --separate-stderr -2 host-status -n 2
	[[ $stderr == "host-status: --count=2 needs --interval"* ]]
	for t in 0 none 99ms; do
		run --separate-stderr -2 host-status -i $t
		[ "${stderr_lines[0]}" = "host-status: --interval: '$t' is not \
a time such as 500ms, 10s or 2min, from 100ms to 24d" ]
	done
}

@test "a sensor that cannot be read is reported once, and the status is 1" {
	fake_zone m 1 npu-thermal 50000
	broken_file m/sys/class/thermal/thermal_zone1/temp
	run --separate-stderr -1 status --disks=none -n 2 -i 100ms
	[ "$stderr" = "host-status: \
m/sys/class/thermal/thermal_zone1/temp: Input/output error" ]
	[ "${#lines[@]}" -eq 2 ]
	[ "${lines[1]}" = "host mybox cpu 2.4% ram 25.5% load 0.46 \
temps [soc 44°C] disks []" ]
	# A sensor that is missing is not a failure.
	rm m/sys/class/thermal/thermal_zone1/temp
	run --separate-stderr -0 status --disks=none
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "-o: a file gets all lines when complete, also through a link" {
	ln -s f l
	run -0 status -o l -n 2 -i 100ms --disks=none
	[ "$output" = "" ]
	[ -L l ]
	[ "$(wc -l <f)" -eq 2 ]
	status --disks=none | diff - <(head -n 1 f)
	status --disks=none --output=- | diff - <(head -n 1 f)
	run --separate-stderr -2 status -o g -i 100ms
	[ "${stderr_lines[0]}" = "host-status: --output: 'g' is written only\
 at the end; with --interval, give --count" ]
	run --separate-stderr -1 status -o none/g
	[[ $stderr == "host-status: none/g: No such file or directory" ]]
	[ ! -e g ]
	[ -z "$(find . -name '.npu-*')" ]
	run --separate-stderr -1 status -i 100ms -o /dev/full
	[ "$stderr" = "host-status: /dev/full: write error: No space left on device" ]
}
