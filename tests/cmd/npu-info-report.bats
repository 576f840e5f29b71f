# SPDX-License-Identifier: Apache-2.0
# npu-info --report: all facts for a bug report, without private data.
# bats file_tags=slow

load ../support/helper
load ../support/fakeboard

# A report must never contain these strings.
USER_NAME=zaphod FULL_NAME='Zaphod Beeblebrox' HOST=heartofgold
SERIAL=QX7731PZ MAC=de:ad:be:ef:00:42 IP4=10.77.31.9 IP6=fd77:31::9
ID=0f1e2d3c4b5a69788796a5b4c3d2e1f0
UUID=4c4c4544-0044-4a10-8036-b7c04f503432
HOME_DIR=/home/zaphod/improbability
SECRETS=("$USER_NAME" beeblebrox "$HOST" "$SERIAL" "$MAC" "$IP4" "$IP6"
    "$ID" "$UUID" improbability betelgeuse)

# board DIR: makes a board, with driver 6.2.0, that has the secrets above.
board() {
	fake_board "$1" 6.2.0
	mkdir -p "$1/etc" "$1/var/lib/dpkg" "$1/sys/class/dmi/id"
	echo "$HOST" >"$1/proc/sys/kernel/hostname"
	echo "$HOST" >"$1/etc/hostname"
	echo "$ID" >"$1/etc/machine-id"
	printf '%s\n' root:x:0:0:root:/root:/bin/sh \
	    "$USER_NAME:x:1000:1000:$FULL_NAME,,,:/home/$USER_NAME:/bin/sh" \
	    >"$1/etc/passwd"
	echo "$SERIAL" >"$1/sys/class/dmi/id/board_serial"
	echo "$UUID" >"$1/sys/class/dmi/id/product_uuid"
	cat >"$1/var/lib/dpkg/status" <<-END
	Package: cix-noe-umd
	Status: install ok half-configured
	Version: 3.1.2-1

	Package: bash
	Status: install ok installed
	Version: 5.2
	END
	printf '%s\n' '6,1,5140900,-;armchina: AIPU KMD (v6.2.0) probe start' \
	    '6,2,6000000,-;input: a keyboard' >"$1/dev/kmsg"
}

# clean FILE: checks that FILE contains no secret.
clean() {
	local s status
	[ -s "$1" ]
	for s in "${SECRETS[@]}"; do
		status=0
		grep -inF -e "$s" "$1" || status=$?
		[ "$status" -eq 1 ] || {
			echo "status $status for '$s'"
			return 1
		}
	done
}

@test "--report contains facts, checks, models, log lines and packages" {
	board b
	mkcix --in s8:4:1:0 --out s8:4:1:0 >good.cix
	run --separate-stderr -0 npu-info --report --root=b good.cix
	[ "$stderr" = "" ]
	[[ ${lines[0]} =~ ^npu-report/1\ of\ npu-utils\ [0-9.]+,\ 20[0-9-]+T[0-9:]+Z$ ]]
	[[ $output == *"driver_version      6.2.0"* ]]
	[[ $output == *"node_mode           0644"* ]]
	[[ $output == *"ok    device   CIXH4000:00, by ACPI"* ]]
	[[ $output == *"ok    good.cix "* ]]
	[[ $output == *"good.cix: "*" bytes"*"input 0: "* ]]
	[[ $output == *"[    5.140900] armchina: AIPU KMD (v6.2.0) probe start"* ]]
	[[ $output != *keyboard* ]]
	[[ $output == *"cix-noe-umd 3.1.2-1: install ok half-configured"* ]]
	[[ $output != *bash* ]]
	echo "$output" >text
	clean text
}

@test "--report shortens a long log and a long list of packages" {
	board b
	rm b/dev/kmsg
	echo 'aipu: without a moment' >b/var/log/dmesg
	npu-info --report --root=b | grep -x 'aipu: without a moment'
	npu-info --report --json --root=b | jq -e '.log.lines == [
	    { seconds: null, text: "aipu: without a moment" }]'
	# Of 300 lines, the report has the first 128 and the last 128.
	seq -f '[    1.000000] aipu: line %g' 300 >b/var/log/dmesg
	npu-info --report --root=b >text
	grep -A1 -x '\[    1.000000\] aipu: line 128' text | tail -n 1 |
	    grep -x '\.\.\. 44 lines were left out \.\.\.'
	grep -A1 'left out' text | grep -x '\[    1.000000\] aipu: line 173'
	[ "$(grep -c ' aipu: line ' text)" -eq 256 ]
	echo '[    1.000000] usb: of no account' >b/var/log/dmesg
	npu-info --report --root=b | grep -x 'no line mentions the NPU'
	for i in $(seq 70); do
		fake_package b "npu-$i" 1.0
	done
	npu-info --report --root=b | grep -x 'and [0-9]* more'
	# A deleted working directory has no name that could be private.
	mkdir gone
	(cd gone && rmdir ../gone && npu-info --report --root="$OLDPWD/b") |
	    grep -x 'no line mentions the NPU'
}

@test "--report --json prints one JSON document" {
	board b
	mkcix --in s8:4:1:0 --out s8:4:1:0 >good.cix
	run --separate-stderr -0 npu-info --report --json --root=b good.cix
	echo "$output" | jq -e '.schema == "npu-report/1" and
	    (.date | test("^20..-..-..T..:..:..Z$")) and
	    .facts.driver_version == "6.2.0" and .hidden == {} and
	    ([.checks[].name] | index("device") == 0) and
	    .models[0].path == "good.cix" and
	    .log.lines == [{seconds: 5.1409,
	    text: "armchina: AIPU KMD (v6.2.0) probe start"}] and
	    .packages == [{name: "cix-noe-umd", version: "3.1.2-1",
	    want: "install", flag: "ok", state: "half-configured"}]'
	echo "$output" >text
	clean text
}

@test "--report distinguishes unreadable and missing files" {
	board b
	echo 'open EPERM' >b/dev/kmsg
	rm b/var/lib/dpkg/status
	echo 'open EACCES' >b/dev/aipu
	chmod 0600 b/dev/aipu
	run --separate-stderr -0 npu-info --report --root=b
	[[ $output == *"n/a (user root (CAP_SYSLOG) may read /dev/kmsg)"* ]]
	[[ $output == *"cores               n/a (user "*" may read /dev/aipu)"* ]]
	[[ $output == *"no NPU that answers: "*"Permission denied"* ]]
	[[ $output == *"unknown ((folder)/status: No such file or directory)"* ]]
	run --separate-stderr -0 npu-info --report --json --root=b
	echo "$output" | jq -e '.packages == null and .log.lines == [] and
	    .log.hidden == "user root (CAP_SYSLOG) may read /dev/kmsg" and
	    (.hidden.cores | endswith(" may read /dev/aipu")) and
	    .error.status == 3'
	# A machine without any file also gets a report.
	mkdir empty
	run --separate-stderr -0 npu-info --report --root=empty
	[[ $output == *"board               unknown"* ]]
	[[ $output == *"FAIL  device"* ]]
}

# places: prints lines "FILE FACT": text from FILE becomes the value of FACT.
places() {
	local d=b/sys/devices/platform/CIXH4000:00
	cat <<-END
	b/sys/class/dmi/id/product_name board
	b/sys/class/dmi/id/bios_version firmware
	b/proc/sys/kernel/osrelease kernel
	b/sys/module/armchina_npu/version module_version
	b/sys/module/armchina_npu/srcversion module_srcversion
	b/sys/module/armchina_npu/initstate module_state
	b/sys/kernel/iommu_groups/9/type iommu_type
	$d/devfreq/CIXH4000:00/governor governor
	$d/power/control power_control
	$d/power/runtime_status power_status
	END
}

@test "--report hides secrets in the files of the machine" {
	board b
	all="$USER_NAME $HOST $SERIAL $MAC $IP4 $IP6 $ID $UUID $HOME_DIR/x"
	places >places
	head -n 4 places >first
	while read -r file name; do
		cp "$file" saved 2>/dev/null || echo 1 >saved
		for s in $all; do
			echo "of $s." >"$file"
			# Without --report, npu-info must show the secret.
			# Otherwise, this test would prove nothing.
			npu-info --json --root=b >plain
			jq -re ".facts.$name" plain | grep -F "$s"
			npu-info --report --root=b >text
			npu-info --report --json --root=b >json
			clean text
			clean json
			jq -re ".facts.$name" json | grep -E \
			    'of \((user|host|serial|address|id|folder)\)'
		done
		cp saved "$file"
	done <first
	# Then all files, with all secrets at once.
	while read -r file name; do
		echo "$all" >"$file"
	done <places
	npu-info --report --root=b >text
	npu-info --report --json --root=b >json
	clean text
	clean json
}

@test "--report hides secrets in names of devices and in driver versions" {
	board b
	d=b/sys/devices/platform/CIXH4000:00
	mv "$d/devfreq/CIXH4000:00" "$d/devfreq/$USER_NAME-clock"
	rm "$d/driver"
	mkdir -p "b/$HOST"
	ln -s "../../../../$HOST" "$d/driver"
	echo "acpi:CIXH4000:$MAC" >"$d/modalias"
	# The version that the driver reports, in 16 bytes.
	sed -i "s/^0x80084112 .*/0x80084112 $(printf '%s\0' "$USER_NAME" |
	    od -An -v -t x1 | tr -d ' \n')/" b/dev/aipu
	npu-info --json --root=b >plain
	[ "$(jq -r '.facts.devfreq' plain)" = "$USER_NAME-clock" ]
	[ "$(jq -r '.facts.bound_driver' plain)" = "$HOST" ]
	[ "$(jq -r '.facts.driver_version' plain)" = "$USER_NAME" ]
	npu-info --report --root=b >text
	npu-info --report --json --root=b >json
	clean text
	clean json
	jq -e '.facts | .devfreq == "(user)-clock" and
	    .bound_driver == "(host)" and .driver_version == "(user)"' json
}

@test "--report hides secrets in log lines and packages" {
	board b
	{
		for s in "${SECRETS[@]}" "$HOME_DIR/lib.so" "$USER_NAME@mail.example"; do
			echo "6,9,9,-;aipu: for $s, ok"
			echo "6,9,9,-;aipu: \\x0a$s\\x0a"
		done
		echo '6,9,9,-;aipu: serial number: QX7731PZ-9'
	} | grep -v 'betelgeuse\|for improb\|x0aimprob' >b/dev/kmsg
	cat >b/var/lib/dpkg/status <<-END
	Package: cix-$USER_NAME
	Status: install ok installed
	Version: 1.0+$HOST

	Package: cix-b
	Status: install ok installed
	Version: $IP4
	END
	npu-info --report --root=b >text
	npu-info --report --json --root=b >json
	clean text
	clean json
	[ "$(jq '.log.lines | length' json)" -ge 20 ]
	[ "$(grep -c 'aipu: for (' text)" -ge 9 ]
	[ "$(jq -r '.packages[0].name' json)" = 'cix-(user)' ]
	[ "$(jq -r '.packages[0].version' json)" = '1.0+(host)' ]
}

@test "--report hides variants of host names, user names, serial numbers" {
	board b
	echo "$HOST.milliways.example" >b/proc/sys/kernel/hostname
	echo 'nobody' >b/etc/hostname
	printf '%s  \n' "$SERIAL" >b/sys/class/dmi/id/board_serial
	mkdir -p b/sys/devices/soc0
	echo VOGON42 >b/sys/devices/soc0/serial_number
	echo "ford:x:1001:1001:Tricia Zax:/home/ford:/bin/sh" >>b/etc/passwd
	SECRETS=("$HOST" milliways "$SERIAL" vogon42 zax tricia)
	for s in "$HOST" "$HOST.lan" other.milliways.example "$SERIAL" \
	    VOGON42 Zax Tricia; do
		echo "6,9,9,-;aipu: for $s"
	done >b/dev/kmsg
	npu-info --report --root=b >text
	clean text
	[ "$(grep -c 'aipu: for ' text)" -eq 7 ]
}

@test "--report names models and folders without their paths" {
	board b
	mkdir -p "improbability drive/betelgeuse" betelgeuse sub
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	cp m.cix "improbability drive/betelgeuse/one.cix"
	cp m.cix "betelgeuse/$USER_NAME.cix"
	cp m.cix sub/three.cix
	echo text >betelgeuse/bad.cix
	for form in '' --json; do
		st=0
		NPU_MODEL_PATH=$PWD/sub npu-info --report $form --root=b \
		    "improbability drive/betelgeuse/one.cix" betelgeuse \
		    "$PWD/betelgeuse/bad.cix" three.cix \
		    /home/zaphod/none.cix >out 2>err || st=$?
		# Two of the files, bad.cix and none.cix, cannot be read.
		[ $st -eq 1 ]
		clean out
		grep -qF '(folder)/one.cix' out
		grep -qF '(folder)/(user).cix' out
		grep -qF '(folder)/three.cix' out
		grep -qF '(folder)/none.cix' out
		run -1 grep -F "$PWD" out
	done
	jq -e '.models | length == 6' out
}

@test "--report leaves out the folders of the library and of the node" {
	mkdir -p "betelgeuse $USER_NAME"
	at="betelgeuse $USER_NAME"
	perl -pe 's/noe_emu_version/noe_EMU_version/g' \
	    "$B/lib/npu-utils/libnoe-emu.so" >"$at/libnoe.so.0"
	: >"$at/node"
	export USER=$USER_NAME HOME="$PWD/$at"
	npu-info --json --node="$at/node" -L "$at/libnoe.so.0" >plain
	grep -qF betelgeuse plain
	for form in '' --json; do
		npu-info --report $form --node="$at/node" \
		    -L "$at/libnoe.so.0" >out 2>err
		clean out
		grep -qF '(folder)/libnoe.so.0' out
		grep -qF '0.6.0' out
		NPU_LIBRARY=$PWD/$at/none.so npu-info --report $form \
		    --node="$at/node" >out 2>err
		clean out
		grep -qF '(folder)/none.so' out
	done
}

@test "--report=FILE writes the file completely or not at all" {
	board b
	npu-info --report=r.txt --root=b >out
	[ ! -s out ]
	grep -q '^== Packages' r.txt
	echo old >old.txt
	run --separate-stderr -1 npu-info --report=none/r.txt --root=b
	[[ $stderr == "npu-info: none/r.txt: "*"No such file or directory"* ]]
	# With a limit of one block, the old file stays.
	run -1 bash -c 'trap "" XFSZ; ulimit -f 1
	    exec npu-info --report=old.txt --root=b'
	[[ $output == *"File too large"* ]]
	[ "$(cat old.txt)" = old ]
	[ "$(find . -name '.*' -type f)" = "" ]
	run -1 bash -c 'npu-info --report --root=b >/dev/full'
	[[ $output == *"write error: No space left on device" ]]
	npu-info --report=- --root=b | grep '^== Packages'
}

@test "--report=FILE replaces an old report even if --root cannot be read" {
	echo old >r
	for option in --report=r '--report -o r'; do
		# shellcheck disable=SC2086 # two words
		run --separate-stderr -1 npu-info $option --root=/nope
		[ "$output" = "" ]
		[ "$stderr" = "npu-info: --root: /nope: No such file or \
directory" ]
		[ "$(cat r)" = "No report: the folder of --root cannot be read" ]
	done
	run --separate-stderr -1 npu-info --report --root=/nope
	[ "$output" = "" ]
	# Without --report, the file keeps its content.
	run --separate-stderr -1 npu-info -o r --root=/nope
	[[ $(cat r) == "No report"* ]]
}

@test "--report refuses options that conflict with it" {
	run --separate-stderr -2 npu-info --report --doctor
	[[ ${stderr_lines[0]} == "npu-info: --report has the checks, "*"leave out --doctor" ]]
	run --separate-stderr -2 npu-info --report --plain
	run --separate-stderr -2 npu-info --report -d emu
	run --separate-stderr -2 npu-info --report=
	[[ ${stderr_lines[0]} == "npu-info: --report=: a file has a name; "* ]]
}

@test "--report lists unreadable files at the end, with status 1" {
	board b
	broken_file b/proc/meminfo
	run --separate-stderr -1 npu-info --report --root=b
	[ "${lines[-2]}" = "== Not read" ]
	[ "${lines[-1]}" = "(folder)/meminfo: Input/output error" ]
	[ "$stderr" = "npu-info: b/proc/meminfo: Input/output error" ]
	run --separate-stderr -1 npu-info --report --json --root=b
	jq -e '.unread | test("meminfo: Input/output error$")' <<<"$output"
	echo "$output" >j
	clean j
}

@test "--report writes nothing if a source of private names is unreadable" {
	board b
	broken_file b/etc/machine-id
	run --separate-stderr -1 npu-info --report=r --root=b
	[ "$stderr" = "npu-info: b/etc/machine-id: Input/output error: \
what is private cannot be known" ]
	[ ! -e r ]
}
