# SPDX-License-Identifier: Apache-2.0
# Both generations of the library, used by our programs: the emulator as 2.x,
# and as 3.x with its back end, without a back end, and with another back end.

load ../support/helper

setup() {
	EMU=$B/lib/npu-utils
	TWO=$EMU/libnoe-emu.so THREE=$EMU/noe3/libnoe.so.3.1.0
	mkcix --in=s8:4 --out=s8:4 --op=xor >m.cix
	printf '\000\125\252\377' >in
	: >node
	unset AIPU_LIB_PATH
}

# alone: copies 3.x into a folder without its back end.
alone() {
	mkdir alone
	cp "$THREE" alone/
	ALONE=alone/libnoe.so.3.1.0
}

# disguise LIBRARY FILE: copies the emulator so that it looks like the vendor's
# library.  The replaced name has the same length, so no offset in the file
# changes.
disguise() {
	mkdir -p "$(dirname "$2")"
	perl -pe 's/noe_emu_version/noe_EMU_version/g' "$1" >"$2"
}

# bats test_tags=slow
@test "npu-run: 2.x and 3.x give the same bytes" {
	for lib in "$TWO" "$THREE"; do
		npu-run -q -r -L "$lib" m.cix in >out
		[ "$(bytes out)" = "85 0 255 170" ]	# ^ 0x55
	done
	head -c 4000 /dev/urandom >many
	npu-run -q -r -j 3 -L "$TWO" m.cix many >two
	npu-run -q -r -j 3 -L "$THREE" m.cix many >three
	cmp two three
	[ "$(wc -c <three)" -eq 4000 ]
}

# bats test_tags=slow
@test "npu-info reports the version, driver and cores of each generation" {
	run --separate-stderr -0 npu-info -d emu -L "$TWO" --json
	echo "$output" | jq -e '.devices[0] | .emulator and .cores == 3 and
	    .library_version == "0.6.0" and .driver_version == "5.11.0"'
	run --separate-stderr -0 npu-info -d emu -L "$THREE" --json
	echo "$output" | jq -e '.devices[0] | .emulator and .cores == 3 and
	    .library_version == "3.1.0" and .driver_version == "6.2.0" and
	    .target == "X2_1204MP3"'
	run --separate-stderr -0 npu-info -L "$THREE" --version
	[[ $output == *"/noe3/libnoe.so.3.1.0 (the emulator)"* ]]
	# The emulator is not mistaken for the vendor's library.
	run --separate-stderr -3 npu-info -L "$THREE"
	[[ $stderr == *"is the emulator, which -d npu forbids"* ]]
}

# bats test_tags=slow
@test "npu-bench names the library of each generation" {
	run --separate-stderr -0 npu-bench -L "$TWO" --version
	[[ $output == *"libnoe "*"/libnoe-emu.so (the emulator)"* ]]
	run --separate-stderr -0 npu-bench -L "$THREE" --version
	[[ $output == *"/noe3/libnoe.so.3.1.0 (the emulator)"* ]]
	run --separate-stderr -0 npu-bench -q --min-iter=5 --json -L "$THREE" m.cix
	echo "$output" | jq -e '.host.libnoe | tostring |
	    test("3.1.0")'
}

@test "3.x needs the device number, which NPU_NOE_DEVICE sets" {
	NPU_EMU_DEVICE=7 NPU_NOE_DEVICE=7 npu-run -q -r -L "$THREE" m.cix \
	    in >out
	[ "$(bytes out)" = "85 0 255 170" ]
	NPU_NOE_DEVICE=7 run --separate-stderr -1 npu-run -q -r -L "$THREE" \
	    m.cix in
	[[ ${stderr_lines[0]} == "libnoe-emu: noe_init_context: device 7, but the NPU is 1 here"* ]]
	[[ ${stderr_lines[1]} == "npu-run: m.cix: init_context: ERROR_INVALID_CONFIG (0x6): the library does not take the device number 7, which NPU_NOE_DEVICE names: "* ]]
	# 2.x ignores the number.
	NPU_NOE_DEVICE=7 npu-run -q -r -L "$TWO" m.cix in >out
	[ "$(bytes out)" = "85 0 255 170" ]
	NPU_EMU_DEVICE=x run --separate-stderr -1 npu-run -q -r -L "$THREE" \
	    m.cix in
	[[ ${stderr_lines[0]} == "libnoe-emu: NPU_EMU_DEVICE=x: "* ]]
}

# bats test_tags=slow
@test "without NPU_NOE_DEVICE, the numbers 1, 0, 2 and 3 are tried" {
	for n in 1 0 2 3; do
		NPU_EMU_DEVICE=$n npu-run -q -r -L "$THREE" m.cix in >out
		[ "$(bytes out)" = "85 0 255 170" ]
		NPU_EMU_DEVICE=$n npu-info -d emu -L "$THREE" >info
		grep X2_1204MP3 info
	done
	NPU_EMU_DEVICE=4 run --separate-stderr -1 npu-run -q -r -L "$THREE" \
	    m.cix in
	[ "$output" = "" ]
	[[ ${stderr_lines[-1]} == "npu-run: m.cix: init_context: ERROR_INVALID_CONFIG (0x6): the library takes none of the device numbers 1, 0, 2 and 3: NPU_NOE_DEVICE names another" ]]
	# If a device cannot be opened, no other number is tried.
	NPU_EMU_FAULT=init:1:nodevice run --separate-stderr -3 npu-run -q -r \
	    -L "$THREE" m.cix in
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "without its back end, 3.x fails with status 3 and names the package" {
	alone
	run --separate-stderr -3 npu-run -q -r -L "$ALONE" m.cix in
	[ "$output" = "" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[0]} == "libnoe-emu: the back end of libnoe.so.3.1.0 cannot be loaded: libaipudrv.so: "*"it is looked for in LD_LIBRARY_PATH, or named by AIPU_LIB_PATH" ]]
	[[ ${stderr_lines[1]} == "npu-run: m.cix: init_context: ERROR_OPEN_DEV_FAIL (0x3): "*"alone/libaipudrv.so cannot be read, and the library can do nothing without: install cix-npu-umd "* ]]
	run --separate-stderr -3 npu-info -d emu -L "$ALONE"
	[[ ${stderr_lines[1]} == *"/libaipudrv.so cannot be read, "* ]]
}

@test "AIPU_LIB_PATH names the back end, and no other is loaded" {
	alone
	AIPU_LIB_PATH=$EMU/noe3/libaipudrv.so npu-run -q -r -L "$ALONE" \
	    m.cix in >out
	[ "$(bytes out)" = "85 0 255 170" ]
	AIPU_LIB_PATH=$PWD/none.so run --separate-stderr -3 npu-run -q -r \
	    -L "$THREE" m.cix in
	[[ ${stderr_lines[0]} == "libnoe-emu: AIPU_LIB_PATH=$PWD/none.so: "* ]]
	[[ ${stderr_lines[1]} == *": $PWD/none.so cannot be read, "* ]]
	# Neither is a back end: a library of another kind, and the front end
	# itself.
	for other in "$TWO" "$THREE"; do
		AIPU_LIB_PATH=$other run --separate-stderr -3 npu-run -q -r \
		    -L "$ALONE" m.cix in
		[[ $stderr == *"libnoe-emu: the back end has no aipudrv_emu_init: it is not the emulator's"* ]]
	done
}

@test "a back end that does not load is not reported as a missing driver" {
	alone
	echo text >alone/libaipudrv.so
	run --separate-stderr -3 npu-run -q -r -L "$ALONE" m.cix in
	[[ ${stderr_lines[-1]} == "npu-run: m.cix: init_context: ERROR_OPEN_DEV_FAIL (0x3): "*"alone/libaipudrv.so does not load ("*"alone/libaipudrv.so: "*"), and the library can do nothing without: "* ]]
}

@test "the back end is found on the loader's path, or beside 3.x" {
	alone
	LD_LIBRARY_PATH=$EMU/noe3 npu-run -q -r -L "$ALONE" m.cix in >out
	[ "$(bytes out)" = "85 0 255 170" ]
	# A back end on the path has priority over one beside 3.x; but one that
	# does not load is skipped.
	echo text >alone/libaipudrv.so
	LD_LIBRARY_PATH=$EMU/noe3 npu-run -q -r -L "$ALONE" m.cix in >out
	[ "$(bytes out)" = "85 0 255 170" ]
	mkdir bad
	echo text >bad/libaipudrv.so
	LD_LIBRARY_PATH=$PWD/bad npu-run -q -r -L "$THREE" m.cix in >out
	[ "$(bytes out)" = "85 0 255 170" ]
	# An empty name is treated as not set.
	AIPU_LIB_PATH='' npu-run -q -r -L "$THREE" m.cix in >out
	[ "$(bytes out)" = "85 0 255 170" ]
}

@test "a fault in the back end is reported by the front end" {
	NPU_EMU_FAULT=infer:1:exception run --separate-stderr -1 npu-run -q \
	    -r -L "$THREE" m.cix in
	[[ $stderr == *"ERROR_JOB_EXCEPTION (0x11)"* ]]
	NPU_EMU_FAULT=init:1:nodevice run --separate-stderr -3 npu-run -q \
	    -r -L "$THREE" m.cix in
	[[ $stderr == *"the library cannot open /dev/aipu"* ]]
}

# verdict NAME: prints the verdict of a check in $output.
verdict() {
	echo "$output" | awk -F '\t' -v n="$1" '$1 == n { print $2 }'
}

# doctor STATUS LIBRARY: runs npu-info --doctor, which must end with STATUS.
doctor() {
	run --separate-stderr "-$1" npu-info --doctor --plain --node=./node -L "$2"
}

# fact NAME: prints a fact from the JSON document in $output.
fact() {
	echo "$output" | jq -r ".facts.$1"
}

# bats test_tags=slow
@test "npu-info and --doctor recognise a vendor's library 2.x" {
	disguise "$TWO" two/libnoe.so.0
	run --separate-stderr -0 npu-info --json --node=./node \
	    -L two/libnoe.so.0
	[ "$(fact library_generation)" = 2 ]
	[ "$(fact library_backend)" = null ]
	echo "$output" | jq -e '.devices[0] | .emulator == false and
	    .library_version == "0.6.0"'
	doctor 4 two/libnoe.so.0
	[ "$(verdict library)" = ok ]
	[[ $output == *"start	ok	"*"version 0.6.0"*"X2_1204MP3"* ]]
}

# bats test_tags=slow
@test "npu-info and --doctor recognise a vendor's library 3.x" {
	disguise "$THREE" three/libnoe.so.3.1.0
	cp "$EMU/noe3/libaipudrv.so" three/
	run --separate-stderr -0 npu-info --json --node=./node \
	    -L ./three/libnoe.so.3.1.0
	[ "$(fact library_generation)" = 3 ]
	[ "$(fact library_backend)" = "$(fact library |
	    sed 's,libnoe.so.3.1.0,libaipudrv.so,')" ]
	echo "$output" | jq -e '.devices[0] | .emulator == false and
	    .library_version == "3.1.0"'
	doctor 4 three/libnoe.so.3.1.0
	[ "$(verdict library)" = ok ]
	[ "$(verdict backend)" = ok ]
	[[ $output == *"start	ok	"*"version 3.1.0"*"X2_1204MP3"* ]]
	# The file's name does not matter, only its functions.
	cp three/libnoe.so.3.1.0 three/libnoe.so
	run --separate-stderr -0 npu-info --json --node=./node \
	    -L ./three/libnoe.so
	[ "$(fact library_generation)" = 3 ]
}

# bats test_tags=slow
@test "npu-info and --doctor report a vendor's 3.x without a back end" {
	disguise "$THREE" alone/libnoe.so.3.1.0
	run --separate-stderr -3 npu-info --json --node=./node \
	    -L ./alone/libnoe.so.3.1.0
	[ "$(fact library_generation)" = 3 ]
	[ "$(fact library_backend)" = null ]
	[[ $stderr == *"/alone/libaipudrv.so cannot be read, "* ]]
	doctor 4 alone/libnoe.so.3.1.0
	[ "$(verdict backend)" = FAIL ]
	[[ $output == *"start	FAIL	"*"/libaipudrv.so cannot be read, "* ]]
}

# bats test_tags=native
@test "3.x reports the device's status for each context" {
	cat >c.c <<-'END'
	#include <dlfcn.h>
	#include <stdio.h>
	#include <unistd.h>
	#include "noe_abi.h"
	#define F(name) __typeof__(&noe_##name) name = \
	    (__typeof__(&noe_##name))dlsym(so, "noe_" #name)
	noe_status_t noe_get_device_status(const context_handler_t *,
	    noe_device_status_t *);
	int main(int argc, char *argv[])
	{
		void *so = dlopen(argv[argc - 1], RTLD_NOW);
		noe_status_t (*init)(context_handler_t **, unsigned) =
		    (noe_status_t (*)(context_handler_t **, unsigned))dlsym(so,
		    "noe_init_context");
		F(get_device_status); F(load_graph); F(create_job);
		F(load_tensor); F(job_infer_async); F(get_job_status);
		F(deinit_context);
		job_config_npu_t npu = { 0 };
		job_config_t config = { &npu };
		noe_device_status_t st = 9;
		context_handler_t *ctx;
		job_status_t js = 0;
		uint64_t g, j, k;

		printf("%d ", init(&ctx, 2) * 100 + init(&ctx, 1));
		printf("%d ", get_device_status(ctx, &st) * 100 + st);
		load_graph(ctx, "m.cix", &g, NULL);
		create_job(ctx, g, &j, &config);
		load_tensor(ctx, j, 0, "abcd");
		job_infer_async(ctx, j, NULL);
		get_job_status(ctx, j, &js, -1);
		printf("%d ", get_device_status(ctx, &st) * 100 + st);
		/* It has ended, and nobody was told yet. */
		job_infer_async(ctx, j, NULL);
		while (get_device_status(ctx, &st) == 0 && st == 1)
			usleep(10000);
		printf("%d ", get_device_status(ctx, &st) * 100 + st);
		/* One that takes an hour. */
		create_job(ctx, g, &k, &config);
		job_infer_async(ctx, k, NULL);
		printf("%d ", get_device_status(ctx, &st) * 100 + st);
		printf("%d ", get_device_status(NULL, &st));
		printf("%d ", get_device_status((void *)&g, &st));
		printf("%d ", get_device_status(ctx, NULL));
		load_tensor(ctx, j, 0, "abcd");
		printf("%d ", get_device_status(ctx, &st));
		deinit_context(ctx);
		printf("%d\n", get_device_status(ctx, &st));
	}
	END
	"${CC:-cc}" -I"$TOP/lib" -o c c.c -ldl
	# 0x6 and 0; idle, idle, idle, busy; NULL_PTR, INVALID_CTX, NULL_PTR;
	# device lost; context gone.
	NPU_EMU_INFER_MS=50 \
	    NPU_EMU_FAULT=load:2:nodevice,infer:3:delay=3600000 \
	    LD_LIBRARY_PATH=$EMU/noe3 \
	    run --separate-stderr -0 timeout 120 ./c "$THREE"
	[ "$output" = "600 0 0 0 1 1 2 1 4 2" ]
}

@test "3.x exports the functions of 2.x, and noe_get_device_status" {
	for lib in libnoe-emu.so noe3/libnoe.so.3.1.0; do
		nm -D --defined-only "$EMU/$lib" | awk '{ print $3 }' |
		    sort >"${lib##*/}"
	done
	[ "$(comm -3 libnoe-emu.so libnoe.so.3.1.0 | tr '\n' ' ')" = \
	    "noe_emu_load_onnx $(printf '\t')noe_get_device_status " ]
}
