#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0

load ../support/helper
load ../support/fakeboard

# no_board: makes npu-info find neither a node nor a library, on any machine.
no_board() {
	export LD_LIBRARY_PATH=
	NODE=--node=$BATS_TEST_TMPDIR/no-such-node
}

@test "without a device, one line on stderr, no output, and status 3" {
	no_board
	run --separate-stderr -3 npu-info "$NODE"
	[ "$output" = "" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "npu-info: no NPU: "*"does not exist and no vendor library"* ]]
	[[ $stderr == *"libnoe.so.0"*"/usr/share/cix/lib/libnoe.so"* ]]
}

@test "without a device, --json prints a complete document; status 3" {
	no_board
	run --separate-stderr -3 npu-info --json "$NODE"
	echo "$output" | jq -e '.schema == "npu-info/1" and .devices == [] and
	    .error.status == 3'
}

@test "a node without a library: the message names the package to install" {
	no_board
	: >node
	run --separate-stderr -3 npu-info --node="$PWD/node"
	[[ $stderr == *"node is there but no vendor library"*"cix-noe-umd"* ]]
}

@test "-d emu and NPU_DEVICE=emu describe the emulator" {
	run --separate-stderr -0 npu-info -d emu
	[[ $output == *"emulator"* ]]
	[[ $output == *"target     X2_1204MP3"* ]]
	[[ $output == *"cores      3 in 1 cluster, 1 partition"* ]]
	run --separate-stderr -0 npu-info -d emu --json
	echo "$output" | jq -e '.devices[0] | .emulator and .cores == 3 and
	    .driver_version == "5.11.0" and .library_version == "0.6.0" and
	    .node == null'
	NPU_DEVICE=emu run --separate-stderr -0 npu-info
}

@test "a packed model is described as made by cix-pack, not by a compiler" {
	cix-pack -o m.cix "$TOP/models/clip_txt.onnx" \
	    -I text:s32:1x77 -O embedding:f32:1x512
	run --separate-stderr -0 npu-info m.cix
	[[ $output == *"for the emulator (-d emu), packed by cix-pack"* ]]
	[[ $output != *demonstration* && $output != *"0.0.0"* ]]
	run --separate-stderr -0 npu-info --json m.cix
	jq -e '.models[0].subgraphs[0] | .target == "emulator" and
	    .build == null' <<<"$output"
}

@test "-d npu refuses the emulator from --library and from NPU_LIBRARY" {
	emu=$B/lib/npu-utils/libnoe-emu.so
	run --separate-stderr -3 npu-info -d npu -L "$emu"
	[[ $stderr == *"is the emulator, which -d npu forbids"* ]]
	NPU_LIBRARY=$emu run --separate-stderr -3 npu-info -d npu
	[[ $stderr == *"named by NPU_LIBRARY"*"which -d npu forbids"* ]]
}

@test "-d npu refuses the emulator on the loader's path" {
	LD_LIBRARY_PATH=$B/lib/npu-utils/noe run --separate-stderr -3 \
	    npu-info -d npu
	[[ $stderr == *"is the emulator, found where the vendor's"* ]]
}

@test "the message about an invalid or missing library names the library" {
	run --separate-stderr -3 npu-info -L ./none.so
	[[ $stderr == "npu-info: the library named by --library cannot be used: "* ]]
	[[ $stderr == *"none.so"* ]]
	echo text >text.so
	run --separate-stderr -3 npu-info -L ./text.so
	[ "${#stderr_lines[@]}" -eq 1 ]
}

# bats test_tags=slow
@test "a model is described without a device and without a library" {
	no_board
	mkcix --in s32:77:1:0 --out s8:512:27.6738:60 >m.cix
	run --separate-stderr -0 npu-info "$NODE" m.cix
	[ "$stderr" = "" ]
	[[ $output == "m.cix: "* ]]
	[[ $output == *"for X2_1204"* ]]
	[[ $output == *"(q + 60) / 27.67"* ]]
	run --separate-stderr -0 npu-info "$NODE" --json m.cix
	echo "$output" | jq -e '.models[0] |
	    .inputs[0].type == "s32" and .inputs[0].bytes == 308 and
	    .outputs[0].type == "s8" and .outputs[0].bytes == 512 and
	    .outputs[0].zero_point == 60 and .outputs[0].scale == 27.6738 and
	    .subgraphs[0].target == "X2_1204"'
}

@test "the operand - reads a model from stdin" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	run --separate-stderr -0 npu-info - <m.cix
	[[ $output == "stdin: "* ]]
}

# bats test_tags=slow
@test "after a bad model, the other models are described; status 1" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 >good.cix
	printf 'version https://git-lfs.github.com/spec/v1\n' >lfs.cix
	run --separate-stderr -1 npu-info lfs.cix good.cix nothere.cix
	[[ $output == "good.cix: "* ]]
	[[ ${stderr_lines[0]} == "npu-info: lfs.cix: a git-LFS pointer"* ]]
	[[ ${stderr_lines[1]} == "npu-info: nothere.cix: no such model"* ]]
	run --separate-stderr -1 npu-info --json lfs.cix good.cix
	echo "$output" | jq -e '.models[0].error.check == "lfs-pointer" and
	    .models[1].path == "good.cix"'
	# Two files that cannot be read: each is reported.
	broken_file a.cix
	broken_file b.cix
	run --separate-stderr -1 npu-info a.cix good.cix b.cix
	[[ $output == "good.cix: "* ]]
	[ "$stderr" = "npu-info: a.cix: Input/output error
npu-info: b.cix: Input/output error" ]
	run --separate-stderr -1 npu-info --json a.cix good.cix b.cix
	echo "$output" | jq -e '[.models[].error.message] ==
	    ["Input/output error", null, "Input/output error"]'
}

@test "a file that is too large for a model is not read; status 1" {
	truncate -s 5G large.cix
	run --separate-stderr -1 npu-info --json large.cix
	[ "$stderr" = "npu-info: large.cix: 5368709120 bytes, more than 4294967296, \
which is the limit here" ]
	echo "$output" | jq -e '.models[0].error | .check == null and
	    (.message | startswith("5368709120 bytes, more than "))'
}

@test "a subgraph without a name is described by its number" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 |
	    perl -0777 -pe 's/\x03\0\0\0npu\0/\0\0\0\0\0pu\0/ or die' >m.cix
	run --separate-stderr -0 npu-info m.cix
	[[ $output == *$'\n  subgraph 0: for X2_1204, built by '* ]]
}

@test "a file name with quotes or invalid UTF-8 gives valid JSON" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	name=$(printf 'a"\377\n.cix')
	cp m.cix "$name"
	run --separate-stderr -0 npu-info --json "$name"
	echo "$output" | jq -e '.models[0].path == "a\"ÿ\n.cix"'
}

# bats test_tags=slow
@test "models are searched in the user's folder after NPU_MODEL_PATH" {
	own=$PWD/.local/share/npu-utils/models
	mkdir -p "$own" a data/npu-utils/models
	cp "$B/share/npu-utils/models/clip_txt.cix" "$own/x.cix"
	export HOME=$PWD
	# An unset, an empty and a relative XDG_DATA_HOME mean ~/.local/share.
	for data in -u XDG_DATA_HOME= XDG_DATA_HOME=data; do
		[ "$data" != -u ] || data=-uXDG_DATA_HOME
		run -0 env "$data" npu-info x.cix
		[[ ${lines[0]} == "$own/x.cix: "* ]]
	done
	run --separate-stderr -1 env -u XDG_DATA_HOME NPU_MODEL_PATH=a \
	    npu-info y.cix
	[[ $stderr == *" in the working directory, a, $own, nor among "* ]]
	XDG_DATA_HOME=$PWD/data run --separate-stderr -1 npu-info x.cix
	[[ $stderr == *", $PWD/data/npu-utils/models, nor among "* ]]
	cp "$own/x.cix" a/
	run -0 env -u XDG_DATA_HOME NPU_MODEL_PATH=a npu-info x.cix
	[[ ${lines[0]} == "a/x.cix: "* ]]
	# Without a home there is nothing to search, and nothing to name.
	run --separate-stderr -1 env -u HOME -u XDG_DATA_HOME npu-info x.cix
	[[ $stderr == *" in the working directory, nor among "* ]]
}

@test "models are searched in the working directory, then NPU_MODEL_PATH" {
	mkdir a b
	mkcix --in s8:4:1:0 --out s8:4:1:0 >b/x.cix
	NPU_MODEL_PATH=a:b run --separate-stderr -0 npu-info x.cix
	[[ $output == "b/x.cix: "* ]]
	NPU_MODEL_PATH=:a::b run --separate-stderr -0 npu-info x.cix
	[[ $output == "b/x.cix: "* ]]
	NPU_MODEL_PATH=a:b: run --separate-stderr -1 npu-info y.cix
	[[ $stderr == *"no such model in the working directory, a, b, nor "* ]]
	# The message gives the reason, unless the file does not exist.
	ln -s y.cix a/y.cix
	NPU_MODEL_PATH=a:b run --separate-stderr -1 npu-info y.cix
	[[ $stderr == *"in the working directory, a (Too many levels of \
symbolic links), b, nor "* ]]
	ln -s z.cix z.cix
	NPU_MODEL_PATH=b run --separate-stderr -1 npu-info z.cix
	[ "$stderr" = "npu-info: z.cix: Too many levels of symbolic links" ]
	cp b/x.cix x.cix
	NPU_MODEL_PATH=a:b run --separate-stderr -0 npu-info x.cix
	[[ $output == "x.cix: "* ]]
}

@test "output to a full device is a write error" {
	run -1 bash -c 'npu-info -d emu >/dev/full'
	[[ $output == "npu-info: write error: No space left on device" ]]
}

@test "--help lists every environment variable of the manual page" {
	# --help also shows the values of the variables.
	npu-info --help >help
	sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh EXIT/s/^\.It Ev //p' \
	    "$TOP/man/npu-info.1" | tr -s ' ,' '\n' >page
	[ "$(wc -l <page)" -ge 7 ]
	[ "$(sed -n 's/^  \([A-Z_]*\) (.*/\1/p' help | sort)" = \
	    "$(sort page)" ]
}

@test "a wrong device, option or variable is reported" {
	run --separate-stderr -2 npu-info -d gpu
	[[ ${stderr_lines[0]} == "npu-info: --device: 'gpu' is not auto, npu or emu" ]]
	run --separate-stderr -2 npu-info --jsn
	[[ ${stderr_lines[0]} == *"did you mean '--json'?"* ]]
	NPU_NOE_DEVICE=x run --separate-stderr -1 npu-info -d emu
	[[ $stderr == *"NPU_NOE_DEVICE: 'x' is not a whole number"* ]]
}

@test "the formula for real values has the model's scale and zero point" {
	mkcix --in=s8:4:2:-3 --out=f32:4 sound >m.cix
	run -0 npu-info m.cix
	[[ ${lines[2]} == *"input 0: "*", 4 bytes, x = (q - 3) / 2" ]]
	[[ ${lines[3]} == *"output 0: "*", 16 bytes, x = q" ]]
	run -0 npu-info --json m.cix
	[ "$(jq -r '.models[0].inputs[0].formula' <<<"$output")" = \
	    "x = (q - 3) / 2" ]
}

# bats test_tags=slow
@test "--version shows the libnoe that would be used" {
	run --separate-stderr -0 npu-info --version
	[[ ${lines[2]} == "libnoe "* ]]
	emu=$B/lib/npu-utils/libnoe-emu.so
	NPU_LIBRARY=$emu run --separate-stderr -0 npu-info --version
	[[ $output == *"libnoe "*"/libnoe-emu.so (the emulator)"* ]]
	run --separate-stderr -0 npu-run -L "$emu" --version
	[[ $output == *"/libnoe-emu.so (the emulator)"* ]]
	# Without -L, --version shows the library that would be used.
	for p in npu-run clip-embed; do
		NPU_DEVICE=emu run --separate-stderr -0 "$p" -V
		[[ ${lines[2]} == "libnoe "*"/lib/npu-utils/libnoe-emu.so (the emulator)" ]]
		NPU_DEVICE=npu run --separate-stderr -0 "$p" -d emu -V
		[[ ${lines[2]} == "libnoe "*"/lib/npu-utils/libnoe-emu.so (the emulator)" ]]
	done
	NPU_DEVICE=gpu run --separate-stderr -2 npu-run -V
	[[ $stderr == *"NPU_DEVICE: "*"'gpu'"* ]]
}

# fact NAME: prints a fact of the JSON document in $output, "null" if unknown.
fact() {
	echo "$output" | jq -r ".facts.$1"
}

# bats test_tags=slow
@test "--root: facts of a board with driver 5.11, library 2.0, device tree" {
	fake_board b 5.11.0
	run --separate-stderr -0 npu-info --json --root=b
	[ "$stderr" = "" ]
	echo "$output" | jq -e '.schema == "npu-info/1" and .hidden == {} and
	    .devices == [{node: "/dev/aipu", emulator: false,
	    emulator_version: null, target: null, partitions: 1, clusters: 1,
	    cores: 3, driver_version: "5.11.0",
	    library: "/usr/share/cix/lib/libnoe.so.0",
	    library_version: null}]'
	echo "$output" | jq -e '.facts |
	    .capability_bytes == 424 and .driver_version == "5.11.0" and
	    .module == "aipu" and .module_version == "5.11.0" and
	    .module_state == "live" and .module_users == 2 and
	    .cores_enabled == 3 and .tecs == 12 and .isa == 5 and
	    .on_chip_bytes == 4194304 and .status == "idle" and
	    .kernel == "6.6.89-cix" and .interrupts == 42 and
	    .library_generation == 2 and .library_backend == null and
	    .pair == "fits"'
	echo "$output" | jq -e '.facts |
	    .described_by == "device tree" and .core_devices == null and
	    .platform_device == "14260000.aipu" and
	    .bound_driver == "armchina" and
	    .board == "OrangePi 6 Plus (xunlong,orangepi-6-plus)"'
}

# bats test_tags=slow
@test "--root: facts of boards with drivers 6.x, library 3.x and ACPI" {
	for v in 6.0.1 6.1.1-2 6.2.0; do
		fake_board "b$v" "$v"
		run --separate-stderr -0 npu-info --json --root="b$v"
		echo "$output" | jq -e --arg v "$v" '.facts |
		    .capability_bytes == 200 and .driver_version == $v and
		    .module == "armchina_npu" and .cores == 3 and
		    .described_by == "ACPI" and .core_devices == 3 and
		    .platform_device == "CIXH4000:00" and
		    .library == "/usr/share/cix/lib/libnoe.so.3.1.0" and
		    .library_generation == 3 and .pair == "fits" and
		    .library_backend == "/usr/share/cix/lib/libaipudrv.so"'
	done
}

# bats test_tags=slow
@test "clock, power and IOMMU are found even if the clock has another name" {
	fake_board b 6.2.0
	mv b/sys/devices/platform/CIXH4000:00/devfreq/CIXH4000:00 \
	    b/sys/devices/platform/CIXH4000:00/devfreq/another
	run --separate-stderr -0 npu-info --json --root=b
	echo "$output" | jq -e '.facts | .devfreq == "another" and
	    .governor == "userspace" and .mhz == 1200 and
	    .mhz_available == "400 600 800 1200" and
	    .iommu_group == "9" and .iommu_type == "DMA" and
	    .power_control == "auto" and .power_status == "suspended" and
	    .power_active_ms == 1234 and .power_suspended_ms == 98765'
}

# bats test_tags=slow
@test "a driver and a library of different generations are a mismatch" {
	fake_board old 5.11.0
	fake_library old libnoe.so.3.1.0
	rm old/usr/share/cix/lib/libnoe.so.0
	run --separate-stderr -0 npu-info --json --root=old
	[ "$(fact pair)" = mismatch ]
	[[ $(fact pair_reason) == *"cix-noe-umd 2.0.x, or a driver 6.x"* ]]
	fake_board new 6.2.0
	rm new/usr/share/cix/lib/libnoe.so.3.1.0
	fake_library new libnoe.so.0
	run --separate-stderr -0 npu-info --json --root=new
	[ "$(fact pair)" = mismatch ]
	[[ $(fact pair_reason) == *"query capability [fail]"* ]]
}

# bats test_tags=slow
@test "an untested pair, or a library without a version, is not judged" {
	fake_board b 6.9.0
	run --separate-stderr -0 npu-info --json --root=b
	[ "$(fact pair)" = null ]
	fake_board c 6.2.0
	rm c/usr/share/cix/lib/libnoe.so.3.1.0
	run --separate-stderr -0 npu-info --json --root=c
	[ "$(fact library)" = /usr/share/cix/lib/libnoe.so ]
	[ "$(fact library_generation)" = null ]
	[ "$(fact pair)" = null ]
}

# bats test_tags=slow
@test "a value hidden by permissions is n/a, with the user who may read it" {
	fake_board b 5.11.0
	echo 'open EACCES' >b/dev/aipu
	chmod 0600 b/dev/aipu
	run --separate-stderr -3 npu-info --root=b
	[[ $stderr == "npu-info: no NPU that answers: "*"Permission denied" ]]
	[[ $output == *"cores               n/a (user "*" may read /dev/aipu)"* ]]
	[[ $output == *"module              aipu"* ]]
	[[ $output != *"target "* ]]
	run --separate-stderr -3 npu-info --json --root=b
	echo "$output" | jq -e '.devices == [] and .error.status == 3 and
	    .facts.cores == null and .facts.driver_version == null and
	    (.hidden.cores | endswith(" may read /dev/aipu")) and
	    .hidden.module == null and .facts.module == "aipu"'
	run --separate-stderr -3 npu-info --plain --root=b
	[[ $output == *"cores	hidden	user "*" may read /dev/aipu"* ]]
	[[ $output == *"module	known	aipu"* ]]
	[[ $output == *"library_lacks	unknown	"* ]]
}

# bats test_tags=slow
@test "--root of an incomplete tree prints the facts that it contains" {
	fake_board b 6.2.0
	rm -r b/dev b/sys/module
	run --separate-stderr -3 npu-info --root=b
	[ "$stderr" = "npu-info: no NPU that answers: b/dev/aipu: No such file or directory" ]
	[[ $output == *"node                unknown"* ]]
	[[ $output == *"platform_device     CIXH4000:00"* ]]
	rm -r b/sys
	run --separate-stderr -3 npu-info --root=b
	[ "$output" = "" ]
	run --separate-stderr -3 npu-info --json --root=b
	echo "$output" | jq -e '.facts.platform_device == null and
	    .facts.kernel == "7.0.12-cix"'
}

# bats test_tags=slow
@test "--root of a missing folder or a file is an error with status 1" {
	: >file
	for how in --report --report=r.txt --doctor --plain good.cix; do
		run --separate-stderr -1 npu-info $how --root=$'no\nwhere'
		[ "$output" = "" ]
		[[ $stderr == 'npu-info: --root: no?where: No such file'* ]]
		run --separate-stderr -1 npu-info $how --root=file
		[ "$output" = "" ]
		[ "$stderr" = 'npu-info: --root: file: Not a directory' ]
	done
	[ "$(cat r.txt)" = "No report: the folder of --root cannot be read" ]
	for how in --report --doctor good.cix --json; do
		run --separate-stderr -1 npu-info --json $how --root=file
		jq -e '(.schema | test("^npu-(info|report)/1$")) and
		    (keys == ["error", "npu_utils", "schema"]) and
		    .error == { message: "--root: file: Not a directory",
		    status: 1 }' <<<"$output"
		[ "$stderr" = 'npu-info: --root: file: Not a directory' ]
	done
	run --separate-stderr -1 npu-info --json --report=r.json --root=file
	[ "$output" = "" ]
	jq -e '.schema == "npu-report/1" and .error.status == 1' r.json
}

@test "--root of a folder without permission is an error with status 1" {
	mkdir -m 0 closed
	# Root may enter the folder, unless root lacks these capabilities.
	as=()
	[ "$(id -u)" -ne 0 ] || as=(setpriv
	    "--bounding-set=-dac_override,-dac_read_search")
	run --separate-stderr -1 "${as[@]}" npu-info --plain --root=closed
	[ "$output" = "" ]
	[ "$stderr" = 'npu-info: --root: closed: Permission denied' ]
}

# bats test_tags=slow
@test "a driver without a valid capability counts as no device: status 3" {
	fake_board b 5.11.0
	echo '0x80084112 352e31312e3000' >b/dev/aipu
	run --separate-stderr -3 npu-info --root=b
	[[ $stderr == *"the driver knows none of the three capability numbers"* ]]
	echo '0x81a84100 ff' >b/dev/aipu
	run --separate-stderr -3 npu-info --root=b
	[[ $stderr == *"the driver has 255 partitions, but 1 to 8 are known" ]]
	echo '0x81a84100 fg' >b/dev/aipu
	run --separate-stderr -3 npu-info --root=b
	[[ $stderr == *"b/dev/aipu: line 1: the answer to 0x81a84100"* ]]
}

# bats test_tags=slow
@test "--root: control characters are replaced, invalid numbers are null" {
	fake_board b 5.11.0
	printf 'a\tb\033[31m\n' >b/sys/module/aipu/version
	run --separate-stderr -0 npu-info --plain --root=b
	[[ $output == *"module_version	known	a?b?[31m"* ]]
	echo 'not a number' >b/sys/module/aipu/refcnt
	echo '400000000 x' >b/sys/devices/platform/14260000.aipu/devfreq/14260000.aipu/available_frequencies
	run --separate-stderr -0 npu-info --json --root=b
	[ "$(fact module_users)" = null ]
	[ "$(fact mhz_available)" = null ]
}

# bats test_tags=slow
@test "--plain prints three fields per line, with the same facts as --json" {
	fake_board b 6.2.0
	run --separate-stderr -0 npu-info --plain --root=b
	echo "$output" | awk -F '\t' 'NF != 3 { exit 1 }'
	plain=$(echo "$output" | tail -n +4 | cut -f 1)
	run --separate-stderr -0 npu-info --json --root=b
	[ "$plain" = "$(echo "$output" | jq -r '.facts | keys_unsorted[]')" ]
	run --separate-stderr -0 npu-info --plain -d emu
	[[ ${lines[1]} == "target	known	X2_1204MP3" ]]
	[ "${#lines[@]}" -eq 3 ]
}

@test "--json: no facts of the emulator, few facts without an NPU" {
	run --separate-stderr -0 npu-info --json -d emu
	echo "$output" | jq -e '.facts == null'
	no_board
	run --separate-stderr -3 npu-info --json "$NODE"
	echo "$output" | jq -e '.facts | .node == null and .cores == null and
	    .kernel != null'
}

@test "a node without a library: facts are printed, the status is 3" {
	no_board
	: >node
	run --separate-stderr -3 npu-info --node="$PWD/node"
	[[ $output == *"node                $PWD/node"* ]]
	[[ $output == *"cores               unknown"* ]]
}

# bats test_tags=slow
@test "a folder stands for its models, sorted by name" {
	mkdir d empty
	mkcix --in s8:4:1:0 --out s8:4:1:0 >d/b.cix
	cp d/b.cix d/a.cix
	cp d/b.cix d/.hidden.cix
	cp d/b.cix d/other.txt
	run --separate-stderr -0 npu-info --json d
	[ "$(echo "$output" | jq -c '[.models[].path]')" = \
	    '["d/a.cix","d/b.cix"]' ]
	echo junk >d/aa.cix
	run --separate-stderr -1 npu-info d/
	[[ $output == "d/a.cix: "*$'\n'"d/b.cix: "* ]]
	[[ $stderr == "npu-info: d/aa.cix: "* ]]
	# Opening a pipe without a writer would block.
	rm d/aa.cix
	mkfifo d/aa.cix
	run --separate-stderr -1 timeout 60 npu-info d
	[[ $output == "d/a.cix: "*$'\n'"d/b.cix: "* ]]
	[ "$stderr" = "npu-info: d/aa.cix: it is not a file" ]
	# A folder, or a link to a missing file, is not a model even if its name
	# ends in .cix.
	rm d/aa.cix
	mkdir d/c.cix
	ln -s nowhere d/d.cix
	: >d/cix
	run --separate-stderr -1 npu-info d
	[[ $output == "d/a.cix: "*$'\n'"d/b.cix: "* ]]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ "${stderr_lines[0]}" = "npu-info: d/c.cix: Is a directory" ]
	[ "${stderr_lines[1]}" = "npu-info: d/d.cix: No such file or directory" ]
	run --separate-stderr -1 npu-info --json empty
	[ "$stderr" = "npu-info: empty: the folder has no file that ends in .cix" ]
	echo "$output" | jq -e '.models[0].path == "empty" and
	    .models[0].error.check == null'
}

@test "an endless device such as /dev/zero is refused as a model" {
	for model in /dev/zero -; do
		run --separate-stderr -1 timeout 60 npu-info $model </dev/zero
		[[ $stderr == "npu-info: "*": is a device, not a model" ]]
	done
	for p in npu-quant npu-dequant clip-embed yolo-detect \
	    "yolo-decode --image-size=8x8"; do
		# shellcheck disable=SC2086 # an option, too
		run --separate-stderr -1 timeout 60 $p -m /dev/zero <<<a
		[ "$stderr" = "${p%% *}: /dev/zero: is a device, not a model" ]
	done
	# A pipe ends, so it is accepted.
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	run --separate-stderr -0 npu-dequant -m <(cat m.cix) -F text <<<abc
	[ "$output" = "97 98 99 10" ]
}

# strace makes openat() fail, because root may read every folder.
# bats test_tags=native
@test "a folder that may not be read is reported" {
	mkdir d
	run --separate-stderr -1 strace -qq -o /dev/null -P d \
	    -e inject=openat:error=EACCES npu-info d
	[ "${stderr_lines[-1]}" = "npu-info: d: Permission denied" ]
}

@test "--plain describes each model and each tensor in a line of fields" {
	mkcix --in s8:4:2:-3 --out=f32:4 sound >m.cix
	run --separate-stderr -0 npu-info --plain m.cix
	[[ ${lines[0]} == "model	m.cix	0	"*"	X2_1204"*"	"*"	"* ]]
	[[ ${lines[1]} == "tensor	m.cix	0	input	0	"*"	s8	"*"	4	2	-3	-" ]]
	[[ ${lines[2]} == "tensor	m.cix	0	output	0	"*"	f32	"*"	16	1	0	-" ]]
	[ "$(awk -F '\t' '{ print NF }' <<<"$output" | sort -u |
	    tr '\n' ' ')" = "12 7 " ]
}

# bats test_tags=slow
@test "unusual but valid models are described as text, JSON and fields" {
	while IFS=';' read -r name text json plain; do
		mkcix $name >m.cix
		npu-info m.cix | grep -E "$text"
		npu-info --json m.cix | jq -e ".models[0] | $json"
		npu-info --plain m.cix | tr '\t' '|' | grep -E "$plain"
	done <<-'END'
	--in=s8:2x3;input 0: .* s8 \[2, ?3\] ;.inputs[0].shape == [2, 3];[|]s8[|]2,3[|]6[|]
	--name=;^m.cix: [0-9]+ bytes$;.name == null;^model[|]m.cix[|]0[|]
	sound-builder;, built by AIPUBuilder version: 6.1;.builder != null;^model
	sound-dynamic;, dynamic shapes$;.subgraphs[0].dynamic_shape;^model
	sound-kinds;^  segmmu 0: u8 ;.subgraphs[0].others | length == 8;^tensor[|]m.cix[|]0[|]out-shape[|]0[|][|]u8
	sound-type-unknown; 0x63 ;.inputs[0].type == "0x63";[|]0x63[|]
	sound-second-for-cpu;^  subgraph 1: more, 11 bytes, not for the NPU$;.subgraphs[1].npu == false;^model[|]m.cix[|]1[|][0-9]+[|][|][|]$
	END
	mkcix --isa=9 >m.cix
	npu-info -d emu --plain m.cix | grep '^here	m.cix	no	.'
}

@test "an empty model name is an error; an empty NPU_DEVICE is ignored" {
	run --separate-stderr -1 npu-info ''
	[ "$stderr" = "npu-info: '': the name of a model is empty" ]
	mkcix sound >m.cix
	run --separate-stderr -0 npu-info -q m.cix
	run --separate-stderr -0 npu-info -v m.cix
	# An empty variable counts as unset.
	NPU_DEVICE='' run --separate-stderr -0 npu-info m.cix
}

# bats test_tags=slow
@test "--root of a board without a library reports it as unknown" {
	fake_board b 5.11.0
	rm -r b/usr
	run --separate-stderr -0 npu-info --root=b
	[[ $output == *"library    unknown, version unknown"* ]]
}

# bats test_tags=slow
@test "--json with --plain, or --root with a device or library, is refused" {
	run --separate-stderr -2 npu-info --json --plain
	[[ ${lines[0]-} == "" && $stderr == *"contradict each other"* ]]
	fake_board b 5.11.0
	run --separate-stderr -2 npu-info --root=b -d emu
	[[ $stderr == *"--root looks at files alone"* ]]
	run --separate-stderr -2 npu-info --root=b -L ./libnoe.so
	[[ $stderr == *"--root looks at files alone"* ]]
	NPU_DEVICE=emu NPU_LIBRARY=./none.so run -0 npu-info --root=b
}

# library CODE: compiles ./libnoe.so.0, which runs the C code CODE when it is
# opened.
library() {
	echo "#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>
	__attribute__((constructor)) static void c(void) { $1 }" >c.c
	"${CC:-cc}" -shared -fPIC -o libnoe.so.0 c.c
}

# bats test_tags=native,slow
@test "a library that crashes, exits or hangs: other facts, and status 3" {
	no_board
	: >node
	while IFS='|' read -r code why; do
		library "$code"
		run --separate-stderr -3 npu-info --node="$PWD/node" \
		    -L ./libnoe.so.0
		[ "$stderr" = "npu-info: $why" ]
		[[ $output == *"node                $PWD/node"* ]]
		run --separate-stderr -3 npu-info --json --node="$PWD/node" \
		    -L ./libnoe.so.0
		echo "$output" | jq -e --arg why "$why" '.devices == [] and
		    .error.message == $why and .facts.node != null and
		    .facts.library == "./libnoe.so.0"'
	done <<-'END'
	__builtin_trap();|the library crashed (Illegal instruction)
	abort();|the library crashed (Aborted)
	exit(0);|the library ended the process (status 0)
	for (;;) pause();|the library did not answer within 10 s
	END
	# The library's output before its end is printed.
	library 'puts("good bye"); exit(3);'
	run --separate-stderr -3 npu-info --node="$PWD/node" -L ./libnoe.so.0
	[ "${stderr_lines[0]}" = "npu-info: the library says: good bye" ]
	[ "${stderr_lines[1]}" = \
	    "npu-info: the library ended the process (status 3)" ]
}

@test "a picture's layout is printed where the shape makes it clear" {
	mkcix --in u8:1x3x8x6 --in u8:1x8x6x3 --in u8:1x3x8x3 --in u8:1x8x6x4 \
	    --in u8:3x8x6 --out u8:1x3x8x6 >m.cix
	run -0 npu-info m.cix
	[ "$(grep -c ': .*, NCHW, [0-9]* bytes' <<<"$output")" -eq 1 ]
	[ "$(grep -c 'NCHW\|NHWC' <<<"$output")" -eq 2 ]
	npu-info --plain m.cix | awk -F '\t' '$1 == "tensor" { print $NF }' |
	    xargs >got
	[ "$(cat got)" = "NCHW NHWC - - - -" ]
	npu-info --json m.cix | jq -e '[.models[0].inputs[].layout] ==
	    ["NCHW", "NHWC", null, null, null] and
	    .models[0].outputs[0].layout == null'
}

# bats test_tags=slow
@test "the fact holders lists the processes that have the node open" {
	fake_board b 6.2.0
	npu-info --json --root=b | jq -e '.facts.holders == "nobody"'
	fake_process b 70 npu-run /dev/null /dev/aipu
	fake_process b 9 late /dev/aipu
	fake_process b 80 other /dev/null
	npu-info --root=b | grep '^holders  *late (9), npu-run (70)$'
	npu-info --plain --root=b |
	    grep $'^holders\tknown\tlate (9), npu-run (70)$'
	rm b/dev/aipu
	run --separate-stderr -3 npu-info --json --root=b
	[ "$(fact holders)" = null ]
}

# bats test_tags=slow
@test "the fact model_path lists the folders in which models are searched" {
	NPU_DEVICE=npu NPU_MODEL_PATH=/srv/a:b run --separate-stderr -3 \
	    npu-info --json --node=./none
	[ "$(fact model_path)" = /srv/a:b ]
	# --root describes another machine, which has its own environment.
	fake_board b 6.2.0
	NPU_MODEL_PATH=/srv/a npu-info --json --root=b |
	    jq -e '.facts.model_path == null'
}

# ---- Tables ---------------------------------------------------------------

@test "--format=json and --format=plain equal --json and --plain" {
	mkcix --in s8:2x2 --in f32:1 --out s8:8 --op=xor >m.cix
	for f in json plain; do
		npu-info --$f m.cix >want
		npu-info --format=$f m.cix | cmp - want
	done
	npu-info m.cix >want
	npu-info --format=text m.cix | cmp - want
	npu-info --format=json --json m.cix | jq -e .schema
	run --separate-stderr -2 npu-info --format=csv --json m.cix
	[ "${stderr_lines[0]}" = "npu-info: --format=csv and --json \
contradict each other" ]
}

@test "--format=jsonl prints one line for each model, even for a bad model" {
	mkcix --in s8:2x2 --in f32:1 --out s8:8 --op=xor >m.cix
	run --separate-stderr -1 npu-info --format=jsonl m.cix none.cix m.cix
	[ "${#lines[@]}" -eq 3 ]
	jq -e '.schema == "npu-info/1" and .path == "none.cix" and
	    .error.message != null' <<<"${lines[1]}"
	[ "${lines[0]}" = "${lines[2]}" ]
	npu-info --json m.cix | jq -c '.models[0]' >want
	jq -c 'del(.schema)' <<<"${lines[0]}" | cmp - want
}

@test "--format=csv and --format=tsv print one row for each tensor" {
	mkcix --in s8:2x2 --in f32:1 --out s8:8 --op=xor >'a,b.cix'
	npu-info --format=csv a,b.cix >csv
	npu-info --format=tsv a,b.cix >tsv
	head=path,subgraph,kind,id,name,type,shape,bytes,scale,zero_point
	[ "$(head -n 1 csv)" = $head ]
	[ "$(head -n 1 tsv)" = "$(tr , '\t' <<<$head)" ]
	/usr/bin/python3 -c '
import csv, json, subprocess
m = json.loads(subprocess.check_output(
    ["npu-info", "--json", "a,b.cix"]))["models"][0]
g = m["subgraphs"][0]
want = [[m["path"], "0", t["kind"], str(t["id"]), t["name"] or "", t["type"],
         ",".join(map(str, t["shape"])), str(t["bytes"]),
         "%g" % t["scale"], str(t["zero_point"])]
        for t in g["inputs"] + g["outputs"] + g["others"]]
assert len(want) >= 3
for name, how in ("csv", {}), ("tsv", {"delimiter": "\t"}):
    rows = list(csv.reader(open(name), **how))[1:]
    for row in rows:
        row[8] = "%g" % float(row[8])
    assert sorted(rows) == sorted(want), (rows, want)'
	run --separate-stderr -1 npu-info --format=csv none.cix
	[ "$output" = $head ]
}

# bats test_tags=slow
@test "--format=jsonl, csv and tsv need models, without --doctor, --report" {
	for f in jsonl csv tsv; do
		for how in "" "--doctor m.cix" "--report m.cix"; do
			# shellcheck disable=SC2086
			run --separate-stderr -2 npu-info --format=$f $how
			[ "${stderr_lines[0]}" = "npu-info: --format=$f describes \
models: name one, without --doctor and --report" ]
		done
	done
}

# bats test_tags=slow
@test "-o writes each format to a file, and follows symbolic links" {
	cix-pack -I a:s8:1x2 -O b:s8:1x2 -o m.cix
	for f in -Ftext --plain --json -Fjsonl -Fcsv -Ftsv; do
		npu-info $f m.cix >want
		ln -sf f l
		run -0 npu-info $f -o l m.cix
		[ "$output" = "" ]
		[ -L l ]
		diff want f
	done
	npu-info -d emu --output=- >want
	npu-info -d emu --output=f
	diff want f
	fake_board b 6.2.0
	npu-info --doctor --root=b >want
	run -0 npu-info --doctor --root=b -o f
	diff want f
	npu-info --report --root=b -o r
	grep -q '^== Packages' r
	run --separate-stderr -2 npu-info --report=r -o f --root=b
	[ "${stderr_lines[0]}" = "npu-info: --report=r and --output name two\
 files for one report" ]
}

@test "without a device, -o writes a JSON file, but keeps an old text file" {
	no_board
	run --separate-stderr -3 npu-info "$NODE" --json -o j
	[ "$output" = "" ]
	jq -e '.error.status == 3' j
	echo old >t
	run --separate-stderr -3 npu-info "$NODE" -o t
	[ "$(cat t)" = old ]
}
