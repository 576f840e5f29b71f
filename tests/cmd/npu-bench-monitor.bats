# SPDX-License-Identifier: Apache-2.0
# How npu-bench watches the machine while it measures.  The machine is a folder
# of files that change meanwhile.  The expected numbers are calculated from
# these files by hand.
# bats file_tags=slow

load ../support/helper
load ../support/fakehost
load ../support/runbench

Z=sys/class/thermal/thermal_zone0/temp
P=sys/class/hwmon/hwmon1/power1_input

# watch: runs benchmonitor on the machine in ./m with the commands on stdin.
# The output goes to ./seen.
watch() {
	benchmonitor m >seen
}

# seen NAME: prints the value of NAME in ./seen.
seen() {
	sed -n "s/^$1 //p" seen
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	fake_host m
}

# ---- The fingerprint

@test "the machine's identity: board, firmware, processors, kernel, governor" {
	mkdir -p m/proc/device-tree m/sys/class/dmi/id
	printf 'Radxa Orion O6\0' >m/proc/device-tree/model
	printf 'E\033[2Jvil' >m/sys/class/dmi/id/bios_vendor
	echo aarch64 >m/proc/sys/kernel/arch
	echo 6.6.89-cix >m/proc/sys/kernel/osrelease
	printf 'CPU implementer : 0x41\nCPU part : 0xd81\n' >m/proc/cpuinfo
	seq -f 'cpu%g 1 1 1 1' 1 11 >>m/proc/stat
	fake_policy m 0 performance 1
	fake_policy m 4 performance 1
	fake_zone m 3 npu-thermal 51500
	watch <<<host
	cat >want <<-'END'
	board Radxa Orion O6
	firmware E?[2Jvil
	cpu Cortex-A720
	machine aarch64
	kernel 6.6.89-cix
	governor performance
	cpus 12
	hottest 51.5 nan
	END
	diff want seen
	fake_policy m 6 schedutil 1
	fake_policy m 8 performance 1
	watch <<<host
	[ "$(seen governor)" = "mixed: performance, schedutil" ]
	for i in 1 2 3 4; do
		fake_policy m $i a_governor_with_a_long_name_$i 1
	done
	watch <<<host
	[ "$(seen governor | tr -d '\n' | wc -c)" -eq 63 ]
}

@test "unknown values are empty, 0 or nan" {
	rm -r m/sys m/proc/stat
	watch <<<host
	printf '%s \n' board firmware cpu machine kernel governor >want
	printf '%s\n' 'cpus 0' 'hottest nan nan' >>want
	diff want seen
	fake_chip m 0 nvme 1 30000 Composite
	fake_chip m 0 nvme 2 31000
	watch <<<host
	[ "$(seen hottest)" = '31 nan' ]
}

@test "the real machine has a kernel, processors and an architecture" {
	benchmonitor '' <<<host >seen
	[ "$(seen kernel)" = "$(uname -r)" ]
	[ "$(seen cpus)" -ge 1 ]
	[ "$(seen machine)" != "" ]
}

# ---- Temperatures and frequencies

@test "temperatures and frequencies: first, last, minimum, mean, maximum" {
	fake_policy m 0 schedutil 1800000
	fake_devfreq m CIXH4000:00 userspace 1200000000
	watch <<-END
	begin
	write $Z 50000
	tick
	write $Z 40500
	write sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq 900000
	tick
	write $Z 47250
	end
	END
	# (44.25 + 50 + 40.5 + 47.25) / 4 and (1800 + 1800 + 900 + 900) / 4
	[ "$(seen temp)" = "soc 44.25 47.25 40.5 45.5 50" ]
	[ "$(seen freq)" = "policy0 1800 900 900 1350 1800
npu 1200 1200 1200 1200 1200" ]
}

@test "a sensor may fail for a time; hwmon chips are read without zones" {
	fake_zone m 1 gpu-thermal 30000
	watch <<-END
	begin
	write sys/class/thermal/thermal_zone1/temp x
	tick
	write sys/class/thermal/thermal_zone1/temp 32000
	end
	END
	[ "$(seen temp)" = "soc 44.25 44.25 44.25 44.25 44.25
gpu 30 32 30 31 32" ]
	rm -r m/sys/class/thermal
	fake_chip m 0 nvme 1 30000 $'Comp\033osite'
	printf '%s\n' begin end | watch
	[ "$(seen temp)" = "nvme/Comp?osite 30 30 30 30 30" ]
}

@test "at most 32 sensors are read" {
	for i in $(seq 40); do
		fake_zone m "$i" "z$i-thermal" 1000
	done
	printf '%s\n' begin end | watch
	[ "$(seen temp | wc -l)" -eq 32 ]
}

# ---- W-HOT, W-GOV

@test "W-HOT: a temperature rises more than 10 K above its first reading" {
	watch <<-END
	begin
	write $Z 54250
	tick
	write $Z 34250
	end
	END
	[ "$(seen warnings)" = "" ]
	watch <<-END
	write $Z 44250
	begin
	write $Z 54251
	tick
	write $Z 44250
	end
	END
	[ "$(seen warnings)" = "W-HOT" ]
	# The rise from 34.25 does not count: only the first reading is
	# compared.
	watch <<-END
	write $Z 44250
	begin
	write $Z 34250
	tick
	write $Z 44250
	end
	END
	[ "$(seen warnings)" = "" ]
}

# drop GOVERNOR FROM TO: a processor's frequency drops for one reading.
drop() {
	fake_policy m 4 "$1" "$2"
	f=sys/devices/system/cpu/cpufreq/policy4/scaling_cur_freq
	printf '%s\n' begin "write $f $3" tick "write $f $2" end | watch
}

@test "W-HOT: a frequency drops, unless its governor follows the load" {
	drop performance 2000000 1900000
	[ "$(seen warnings)" = "" ]
	drop performance 2000000 1899000
	[ "$(seen warnings)" = "W-HOT" ]
	drop performance 2000000 2600000
	[ "$(seen warnings)" = "" ]
	drop userspace 2000000 1000000
	[ "$(seen warnings)" = "W-GOV W-HOT" ]
	for g in schedutil ondemand conservative powersave; do
		drop $g 2000000 1000000
		[ "$(seen warnings)" = "W-GOV" ]
	done
}

@test "W-HOT: the NPU's frequency drops" {
	fake_devfreq m 14260000.aipu userspace 1200000000
	watch <<-END
	begin
	write sys/class/devfreq/14260000.aipu/cur_freq 800000000
	end
	END
	[ "$(seen warnings)" = "W-HOT" ]
	[ "$(seen freq)" = "npu 1200 800 800 1000 1200" ]
}

@test "missing frequencies and empty governors are left out" {
	fake_policy m 0 performance 1800000
	fake_policy m 4 schedutil 900000
	rm m/sys/devices/system/cpu/cpufreq/policy4/scaling_cur_freq
	: >m/sys/devices/system/cpu/cpufreq/policy4/scaling_governor
	fake_policy m 6 performance 900000
	rm m/sys/devices/system/cpu/cpufreq/policy6/scaling_cur_freq
	printf '%s\n' begin end | watch
	[ "$(seen freq)" = "policy0 1800 1800 1800 1800 1800" ]
	fake_policy m 8 '' 900000
	watch <<<host
	[ "$(seen governor)" = performance ]
}

@test "W-GOV: a processor's governor is not performance" {
	fake_devfreq m gpu userspace 1
	printf '%s\n' begin end | watch
	[ "$(seen warnings)" = "" ]
	fake_policy m 0 performance 1
	printf '%s\n' begin end | watch
	[ "$(seen warnings)" = "" ]
	fake_policy m 1 schedutil 1
	printf '%s\n' begin end | watch
	[ "$(seen warnings)" = "W-GOV" ]
}

# ---- Processors

# Two processors, before and after 2000 more ticks.  They are busy in 700 of
# these ticks: 400 user, 200 system, 100 irq.
BEFORE='cpu  14 0 10 970 6 0 0 0 0 0|cpu0 1 1 1 1|cpu1 1 1 1 1'
AFTER='cpu  414 0 210 2270 6 100 0 0 0 0|cpu0 1 1 1 1|cpu1 1 1 1 1'

# took PID TICKS: prints the command that gives a process TICKS of processor
# time, a third in system mode.
took() {
	echo "write proc/$1/stat 7 (a b) S 1 1 1 0 -1 0 1 0 2 0 \
$(($2 - $2 / 3)) $(($2 / 3)) 99 99 20 0"
}

@test "the processors' busy share, in total and by other processes" {
	fake_process m self benchmonitor 0
	fake_process m 7101 npu-bench 0
	fake_process m 7102 npu-bench 0
	watch <<-END
	write proc/stat $BEFORE
	$(took self 100)
	$(took 7101 1000)
	begin 7101 7102
	write proc/stat $AFTER
	$(took self 110)
	$(took 7101 1300)
	$(took 7102 40)
	tick
	remove proc/7102/stat
	end
	END
	# In total, 700 of 2000.  By others, (600 - 10 - 300 - 40) of the 1000
	# of one processor.  Process 7102 ends before the last reading: its
	# ticks at the reading in between count.
	[ "$(seen busy)" = 0.35 ]
	[ "$(seen others)" = 0.25 ]
	[ "$(seen warnings)" = "W-BUSY" ]
}

@test "W-BUSY: other processes use more than 5 % of a processor" {
	fake_process m 7101 npu-bench 0
	for t in 550:0.05: 549:0.051:W-BUSY 700:0:; do
		IFS=: read -r took want code <<<"$t"
		watch <<-END
		write proc/stat $BEFORE
		$(took 7101 0)
		begin 7101
		write proc/stat $AFTER
		$(took 7101 "$took")
		end
		END
		[ "$(seen others)" = "$want" ]
		[ "$(seen warnings)" = "$code" ]
	done
}

@test "W-BUSY: another process has the device open; its name is reported" {
	fake_process m 7101 npu-bench 0 /dev/aipu
	fake_process m 7102 $'ev\033il' 0 /dev/aipu
	printf '%s\n' 'node /dev/aipu' 'begin 7101' end | watch
	[ "$(seen holder)" = "ev?il (7102)" ]
	[ "$(seen warnings)" = "W-BUSY" ]
	printf '%s\n' 'node /dev/aipu' 'begin 7101 7102' end | watch
	[ "$(seen holder)" = "" ]
	[ "$(seen warnings)" = "" ]
	# A process that has the device open is named, if it is there at the
	# beginning or comes later.
	printf '%s\n' 'node /dev/aipu' 'begin 7101' 'remove proc/7102/fd/3' \
	    end | watch
	[ "$(seen holder)" = "ev?il (7102)" ]
	fake_process m x7103 late 0 /dev/aipu
	printf '%s\n' 'node /dev/aipu' 'begin 7101 7102' \
	    'move proc/x7103 proc/7103' end | watch
	[ "$(seen holder)" = "late (7103)" ]
}

@test "without ticks or processors, busy is unknown, without a warning" {
	printf '%s\n' begin end | watch
	[ "$(seen busy)" = nan ]
	[ "$(seen others)" = nan ]
	rm m/proc/stat
	printf '%s\n' begin end | watch
	[ "$(seen busy)" = nan ]
	printf '%s\n' begin "write proc/stat $AFTER" end | watch
	[ "$(seen busy)" = nan ]
	[ "$(seen idle_busy)" = nan ]
	[ "$(seen warnings)" = "" ]
}

@test "load and power of the idle machine are measured before the runs" {
	fake_power m 1 ina226 1 3000000
	printf '%s\n' 'idle 10000' begin end | watch &
	until_so grep -qs idle seen
	# The monitor has read the first numbers.  It reads the last numbers
	# after 10 s, which is enough time to change them.
	sleep 1
	echo "$AFTER" | tr '|' '\n' >new
	mv new m/proc/stat
	wait $!
	[ "$(seen idle_busy)" = 0.35 ]
	[ "$(seen idle_watts)" = 3 ]
	# The monitor watched for that long.
	awk '$1 == "idle" { t = $2 } $1 == "begin" { d = $2 - t }
	    END { print d; exit !(d >= 10) }' seen
}

# ---- Power

# trapezoid WATTS...: prints the least and the most joules, and the least and
# the greatest mean watts, that these readings allow.  Each reading was taken
# between its two timestamps in ./seen.
trapezoid() {
	awk -v w="$*" 'BEGIN { split(w, p) }
	    $1 ~ /^(begin|tick|end)$/ { from[++n] = $2 }
	    $1 == "done" { to[n] = $2 }
	    END {
		for (i = 2; i <= n; i++) {
			mean = (p[i] + p[i - 1]) / 2
			least += (from[i] - to[i - 1]) * mean
			most += (to[i] - from[i - 1]) * mean
		}
		print least, most, least / (to[n] - from[1]), \
		    most / (from[n] - to[1])
	    }' seen
}

# within LEAST V MOST: V is between LEAST and MOST.
within() {
	awk -v l="$1" -v v="$2" -v m="$3" 'BEGIN { print l, v, m
	    exit !(l - 1e-6 <= v && v <= m + 1e-6) }'
}

@test "energy: the trapezoids between the readings of a sensor are added" {
	fake_power m 1 ina226 1 2000000 VDD
	watch <<-END
	begin
	sleep 400
	write $P 6000000
	tick
	sleep 200
	write $P 1000000
	tick
	sleep 300
	end
	END
	# 400 ms of 4 W, 200 ms of 3.5 W and 300 ms of 1 W are 2.6 J.
	read -r jl jm wl wm < <(trapezoid 2 6 1 1)
	within "$jl" "$(seen joules)" "$jm"
	within "$wl" "$(seen watts)" "$wm"
	within 2.6 "$(seen joules)" 26
	[ "$(seen power)" = ina226/VDD ]
	[ "$(seen no_power)" = "" ]
	# The idle machine was not watched before.
	[ "$(seen idle_watts)" = nan ]
}

@test "without a power sensor, the energy is unknown, and a reason is given" {
	printf '%s\n' begin end | watch
	[ "$(seen joules)" = nan ]
	[ "$(seen power)" = "" ]
	[ "$(seen no_power)" = "no power sensor in /sys/class/hwmon or \
/sys/class/power_supply" ]
	fake_supply m tcpm-source-psy-1-0022 type=USB online=1 \
	    voltage_now=20000000 current_now=3250000
	printf '%s\n' begin end | watch
	[[ $(seen no_power) == "no power sensor in "* ]]
}

@test "several power sensors may overlap: none is used until --power names it" {
	fake_power m 1 ina226 1 9000000 board
	fake_power m 2 ina226 1 2000000 npu
	fake_power m 3 ina226 1 1000000 npu
	printf '%s\n' begin end | watch
	[ "$(seen joules)" = nan ]
	[ "$(seen no_power)" = "3 sensors, and one may be part of another \
(--power=LIST): ina226/board, ina226/npu, ina226/npu" ]
	printf '%s\n' 'power ina226/board' begin 'sleep 100' end | watch
	within 9 "$(seen watts)" 9
	[ "$(seen power)" = ina226/board ]
	printf '%s\n' 'power x,ina226/npu' begin 'sleep 100' end | watch
	within 3 "$(seen watts)" 3
	[ "$(seen power)" = "ina226/npu, ina226/npu" ]
	printf '%s\n' 'power nonesuch' begin end | watch
	[ "$(seen no_power)" = "no power sensor is called nonesuch" ]
}

@test "power supplies are added up, and are not used if a chip measures" {
	fake_supply m dc type=Mains online=1 power_now=12000000
	fake_supply m bat type=Battery status=Discharging \
	    voltage_now=10000000 current_now=300000
	printf '%s\n' begin 'sleep 100' end | watch
	within 15 "$(seen watts)" 15
	[ "$(seen power)" = "bat, dc" ]
	fake_power m 1 ina226 1 14000000
	printf '%s\n' begin 'sleep 100' end | watch
	within 14 "$(seen watts)" 14
	[ "$(seen power)" = ina226 ]
	printf '%s\n' 'power dc,ina226' begin 'sleep 100' end | watch
	within 26 "$(seen watts)" 26
}

@test "if a sensor once does not answer, the energy is unknown" {
	fake_power m 1 ina226 1 2000000
	watch <<-END
	begin
	sleep 50
	write $P x
	tick
	write $P 2000000
	end
	END
	[ "$(seen joules)" = nan ]
	[ "$(seen watts)" = nan ]
	[ "$(seen power)" = "" ]
	[ "$(seen no_power)" = "did not always answer: ina226" ]
	# Another window is not affected.
	printf '%s\n' begin "write $P x" end "write $P 2000000" begin \
	    'sleep 50' end | watch
	within 2 "$(seen watts | tail -n 1)" 2
}

# ---- The monitor itself

@test "the monitor measures its own processor time" {
	for i in $(seq 40); do
		fake_zone m "$i" "z$i-thermal" 1000
	done
	printf '%s\n' begin 'sleep 500' tick end | watch
	awk -v c="$(seen watch_cores)" 'BEGIN { print c; exit !(c > 0 && c <= 1) }'
}

# ---- In npu-bench

# report OPTION...: measures 60 inferences of 20 ms, and writes ./r.json.
report() {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
	NPU_DEVICE=emu NPU_EMU_INFER_MS=20 npu-bench -q -w 0 --min-iter=60 --root=m \
	    --json -o r.json "$@" m.cix
}

# is FILTER: jq's FILTER is true for the report.
is() {
	jq -e "$1" r.json >/dev/null || {
		echo "not true: $1"
		jq -c 'del(.runs[].stages)' r.json
		return 1
	}
}

@test "npu-bench: the report describes the machine and its energy" {
	mkdir -p m/proc/device-tree
	printf 'Radxa Orion O6\0' >m/proc/device-tree/model
	fake_policy m 0 schedutil 1800000
	fake_power m 1 ina226 1 5000000 VDD
	report --idle=300ms
	is '.host.board == "Radxa Orion O6" and .host.governor == "schedutil"'
	is '.runs[0].warnings | index("W-GOV") and (index("W-HOT") | not)'
	is '.runs[0].temps[0].name == "soc" and .runs[0].freqs[0].max_mhz == 1800'
	# 5 W from before the first inference until after the last, and
	# 5 W when idle.
	is '.runs[0] | .energy.sensors == "ina226/VDD" and
	    .energy.gross_j >= 5 * .wall_ms / 1000 and
	    (.energy.net_j | fabs) < 1e-6 and
	    (.energy.gross_j_per_inference * .throughput - 5 | fabs) < 1e-6'
	fake_power m 2 ina226 1 2000000 NPU
	report --idle=none
	is '.runs[0].energy == null and
	    (.runs[0].energy_reason | startswith("2 sensors, "))'
	report --idle=none --power=ina226/NPU
	is '.runs[0].energy | .mean_w > 1.999 and .mean_w < 2.001 and
	    .idle_w == null and .net_j == null'
}

@test "npu-bench: a machine that gets hotter during a run causes W-HOT" {
	fake_policy m 0 performance 1800000
	# The temperature begins at -90 degrees and rises by 12 K a second, with
	# 5 K of noise.  The window takes at least 3 s.  The file is replaced
	# whole, since a sensor is never empty.
	begin=$(date +%s%3N)
	fake_zone m 0 soc-thermal -90000
	while c=$((12 * ($(date +%s%3N) - begin) - 90000)) && [ $c -lt 290000 ]
	do
		echo $((c + RANDOM % 5000)) >m/next
		mv m/next m/sys/class/thermal/thermal_zone0/temp
		sleep 0.05
	done 3>&- &
	pid=$!
	report --idle=none --min-iter=150
	kill $pid || :
	is '.runs[0].warnings | index("W-HOT") and (index("W-GOV") | not)'
	is '.runs[0].temps[0] | .max_c > .first_c + 10 and .last_c > .first_c'
	# Temperatures are read at the beginning and the end of the window, and
	# twice a second in between.
	is '.runs[0].temps[0] |
	    (.mean_c - (.first_c + .last_c) / 2 | fabs) > 1e-6'
}

@test "npu-bench: another process that has the device open causes W-BUSY" {
	# A real process cannot have this number.
	fake_process m 4194305 other 0 /dev/aipu
	report --idle=none
	is '.runs[0].holder == "other (4194305)"'
	is '.runs[0].warnings | index("W-BUSY")'
	report --idle=none --node=/dev/another
	is '.runs[0].holder == null and
	    (.runs[0].warnings | index("W-BUSY") | not)'
}
