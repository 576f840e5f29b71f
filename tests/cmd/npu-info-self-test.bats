#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-info --doctor, check "answer": a model must give plausible results.  Also:
# whether a model can run on this device ("runs here").
# bats file_tags=slow

load ../support/helper
load ../support/fakeboard

# answer VERDICT FINDING: runs npu-info --doctor with ARGS.  Checks the verdict
# of its check "answer", and that its finding matches the pattern FINDING.
answer() {
	local want=0
	run --separate-stderr npu-info -q --doctor --plain "${ARGS[@]}"
	echo "$output"
	[[ $output != *$'\tFAIL\t'* ]] || want=4
	[ "$status" -eq $want ]
	[ "$(echo "$output" | awk -F '\t' '$1 == "answer" { print $2 }')" = \
	    "$1" ]
	grep '^answer	' <<<"$output" | cut -f 3 | grep -E "$2"
	if [ "$1" = FAIL ]; then
		echo "$output" | awk -F '\t' '
		    $1 == "answer" && $4 == "" { exit 1 }'
	elif [ "${ARGS[0]}" = -d ]; then	# a board may fail other checks
		[ "$status" -eq 0 ]
	fi
}

# odd MODEL...: sets ARGS to use oddnoe.so, a library that is not the emulator.
odd() {
	: >node
	ARGS=(--node=./node -L "$B/tests/tools/oddnoe.so" "$@")
}

@test "the demo text encoder separates meanings by a wide margin" {
	ARGS=(-d emu)
	answer ok 'clip_txt.cix: 8 of 8 sentences .* by 0\.[5-9][0-9] in cosine'
	[[ ${lines[0]} == "machine	emulator	the emulator, no hardware	" ]]
	[[ ${lines[1]} == "start	ok	version 0.6.0, target X2_1204MP3	" ]]
	[ "${#lines[@]}" -eq 3 ]
	ARGS=(-d emu clip_txt.cix)
	answer ok '8 of 8 sentences'
	[ "$(echo "$output" | cut -f 1,2 | tr '\t\n' ' ,')" = \
	    'machine emulator,start ok,clip_txt.cix ok,answer ok,' ]
}

# permuted N: sets NPU_TWIN to a copy of the demo's ONNX twin in which the rows
# of its two tables of words (509 and 521 rows of 48 floats) are rotated by N
# rows.  Each word then has the vector of another word.
permuted() {
	perl -0777 -ne '
	    for my $rows (509, 521) {
		my $n = $rows * 48 * 4;
		my $head = pack("C*", 0x4a, $n & 127 | 128,
		    $n >> 7 & 127 | 128, $n >> 14);
		my $at = index($_, $head);
		die "no table of $rows\n" if $at < 0;
		my $t = substr($_, $at + 4, $n);
		my $k = '"$1"' * 48 * 4;
		substr($_, $at + 4, $n) = substr($t, $k) . substr($t, 0, $k);
	    }
	    print' "$TOP/models/clip_txt.onnx" >words.onnx
	export NPU_TWIN=$PWD/words.onnx
}

@test "a text encoder that confuses words fails" {
	ARGS=(-d emu)
	permuted 0
	answer ok '8 of 8 sentences'
	for n in 1 2 3 100; do
		permuted "$n"
		answer FAIL 'clip_txt.cix: [0-6] of 8 sentences'
	done
}

@test "the same answer for all texts, zeros and a scale of NaN fail" {
	ARGS=(-d emu)
	NPU_EMU_COMPUTE=none answer FAIL ': 0 of 8 sentences'
	mkcix --in s32:77:1:0 --out s8:512:1:0 >zero.cix
	ARGS=(-d emu zero.cix)
	NPU_EMU_COMPUTE=none answer FAIL \
	    "zero.cix: 'a photo of a red circle': "
	mkcix --in s32:77:1:0 --out s32:77:1:0 >m.cix
	# The ONNX twin's results do not fit in this type.
	mkcix --in s32:77:1:0 --out s4:512:1:0 >four.cix
	ARGS=(-d emu four.cix)
	answer FAIL "four.cix: '.*': element 1 is -[0-9]+, but s4 goes from -8 to 7"
	odd m.cix
	export ODD_SIZE=308 ODD_TYPE=7
	ODD_SCALE=1 ODD_ZERO=0 answer FAIL 'm.cix: [0-6] of 8 sentences'
	ODD_SCALE=nan answer FAIL 'm.cix: .* scale nan'
}

@test "seven of eight correct sentences are a warning with a next command" {
	# Four pairs of vectors with 64 numbers.  The last vector is nearer to
	# the first pair (cosine 0.8) than to its own partner (0.6).
	for i in 0 0 1 1 2 2 3; do
		perl -e 'print "\0" x $ARGV[0], "\144", "\0" x (63 - $ARGV[0])' $i
	done >answers
	perl -e 'print "\120\0\0\074", "\0" x 60' >>answers
	mkcix --in s32:77:1:0 --out s8:64:1:0 >m.cix
	odd m.cix
	export ODD_SIZE=308 ODD_TYPE=7 ODD_SCALE=1 ODD_ZERO=0
	export ODD_OUT_SIZE=64 ODD_OUT_TYPE=3 ODD_ANSWERS=$PWD/answers
	answer warn 'm.cix: 7 of 8 sentences'
	[[ $output == *"	npu-bench --ref="*"  # FILE: "* ]]
	# If an inference fails, the check fails.
	ODD_INFER=0x14 answer FAIL "m.cix: 'a photo of a red circle': .*INVALID_OP"
	ODD_LOAD=0x9 answer FAIL 'm.cix: '
}

@test "a model that is not a text encoder is run twice with numbers" {
	while read -r model; do
		# shellcheck disable=SC2086 # words
		mkcix $model >m.cix
		ARGS=(-d emu m.cix)
		answer ok 'm.cix: the same answer twice'
	done <<-END
	--in=s32:77 --in=s32:77 --out=s8:512
	--in=s16:77 --out=s8:512
	--in=s32:76 --out=s8:512
	--in=s32:77 --out=s8:63
	--in=s32:77 --out=s8:4097
	--in=s32:77 --out=s8:512 --out=s8:512
	--in=f32:77 --out=s8:512
	END
	# All values of the answer are zero.
	mkcix sound-type-compact >m.cix
	ARGS=(-d emu m.cix)
	answer FAIL 'm.cix: all of the answer is one value'
}

@test "another model must give the same answer twice, and not a constant" {
	ARGS=(-d emu clip_visual.cix)
	answer ok 'clip_visual.cix: the same answer twice, in [0-9.]+ ms'
	NPU_EMU_COMPUTE=none answer FAIL 'all of the answer is one value'
	mkcix --in s8:4:20:60 --out s8:4:20:60 >m.cix
	odd m.cix
	answer ok 'm.cix: the same answer twice'
	ODD_OUTPUTS=2 answer ok 'm.cix: the same answer twice'
	ODD_OTHER=2 answer FAIL 'm.cix: one input, two answers'
	ARGS=(-d emu clip_visual.cix)
	NPU_EMU_FAULT=infer:2:exception answer FAIL 'clip_visual.cix: .*EXCEPTION'
	ARGS=(--node=./node -L "$B/tests/tools/oddnoe.so" m.cix)
	ODD_INFER=0x14 answer FAIL 'm.cix: .*ERROR_INVALID_OP'
}

@test "the reason for a failed answer is in the finding, not a line above" {
	printf '0123456789' >noise
	mkcix --in f32:4 --out f32:4 >n.cix
	ARGS=(-d emu n.cix)
	NPU_TWIN=$PWD/noise answer FAIL '^n.cix: load_graph: ERROR_INVALID_GBIN \(0x9\): .*/noise: plain text, not a model'
	[[ $output != *"line above"* ]]
	[ "$stderr" = "" ]
	# The kernel's log has no messages of the emulator.
	[[ $output == *"	man libnoe-emu" && $output != *dmesg* ]]
	ARGS=(-d emu clip_visual.cix)
	NPU_EMU_FAULT=infer:2:exception answer FAIL 'EXCEPTION'
	[[ $output != *"sudo dmesg"* ]]
}

@test "without a model for this device, the check is skipped with advice" {
	odd
	answer skip 'no model that runs here was given or found'
	[[ $output == *"	npu-model get clip_txt  # then npu-info --doctor "* ]]
	ARGS=(--node=./none)
	export LD_LIBRARY_PATH=
	run --separate-stderr -4 npu-info -q --doctor --plain "${ARGS[@]}"
	[[ $output == *"answer	skip	the library does not start	" ]]
}

# bats test_tags=native
@test "a model on standard input is checked, but reported as not run" {
	ARGS=(-d emu -)
	answer skip 'on standard input is not run' \
	    <"$B/share/npu-utils/models/clip_txt.cix"
	[[ $output == *$'\n-\tok\t'* ]]
}

# runs BODY: sets ARGS to use a library whose jobs run BODY.
runs() {
	cat >c.c <<-'END'
	#include <stdint.h>
	#include <unistd.h>
	#define OK(f, ...) int f(__VA_ARGS__); int f(__VA_ARGS__) { return 0; }
	typedef struct { uint32_t id, size; float scale; int32_t zero, type; } d;
	int noe_init_context(void **c), noe_job_infer_async(void);
	int noe_get_tensor_count(void *c, uint64_t g, int t, uint32_t *n);
	int noe_get_tensor_descriptor(void *c, uint64_t g, int t, uint32_t i, d *p);
	int noe_create_job(void *c, uint64_t g, uint64_t *j, void *f);
	int noe_load_graph(void *c, char *f, uint64_t *g, void *o);
	int noe_init_context(void **c) { *c = &noe_init_context; return 0; }
	int noe_load_graph(void *c, char *f, uint64_t *g, void *o) { *g = 1ull << 32; return 0; }
	int noe_get_tensor_count(void *c, uint64_t g, int t, uint32_t *n) { *n = 1; return 0; }
	int noe_get_tensor_descriptor(void *c, uint64_t g, int t, uint32_t i, d *p) { *p = (d){ i, 4, 20, 60, 3 }; return 0; }
	int noe_create_job(void *c, uint64_t g, uint64_t *j, void *f) { *j = g + 1; return 0; }
	int noe_job_infer_async(void) { BODY }
	OK(noe_deinit_context, void) OK(noe_unload_graph, void) OK(noe_clean_job, void)
	OK(noe_load_tensor, void) OK(noe_get_tensor, void) OK(noe_get_job_status, void)
	END
	"${CC:-cc}" -shared -fPIC "-DBODY=$1" -o libnoe.so.0 c.c
	mkcix --in s8:4:20:60 --out s8:4:20:60 >m.cix
	: >node
	ARGS=(--node=./node -L ./libnoe.so.0 m.cix)
}

@test "npu-info survives a library that crashes while it runs a job" {
	runs '__builtin_trap();'
	answer FAIL '^m.cix: the library crashed \('
	# npu-info also reports missing functions and what does not work without
	# them.
	[[ $output == *"functions	warn	it lacks noe_ioctl, noe_get_target, noe_get_partition_count"*"npu-info reports no target"* ]]
}

@test "npu-info survives a library that hangs while it runs a job" {
	runs 'for (;;) pause();'
	answer FAIL '^m.cix: the library did not answer within 60 s'
	grep -E '^answer	.*	sudo npu-kmd reset  #' <<<"$output"
}

@test "an inference without a result after 10 s fails" {
	mkcix --in s8:4:20:60 --out s8:4:20:60 >m.cix
	odd m.cix
	ODD_STATUS=0x23 answer FAIL 'm.cix: no result after 10 s'
	grep -E '^answer	.*	sudo npu-kmd reset  #' <<<"$output"
}

@test "runs_here is printed as text, JSON and fields; null without a device" {
	fake_board b 6.2.0
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	run --separate-stderr -0 npu-info --root=b m.cix
	[ "${lines[-1]}" = "  runs here: yes" ]
	run --separate-stderr -0 npu-info --plain --root=b m.cix
	[ "${lines[-1]}" = "here	m.cix	yes	" ]
	run --separate-stderr -0 npu-info --json --root=b m.cix
	echo "$output" | jq -e '.models[0] | .runs_here == true and
	    .runs_here_reason == null'
	perl -pi -e 's/^(0x80c84100 \w{160})05/${1}04/' b/dev/aipu
	run --separate-stderr -0 npu-info --root=b m.cix
	[ "${lines[-1]}" = \
	    "  runs here: no: it is for instructions 5, but the NPU has 4" ]
	run --separate-stderr -0 npu-info -q --json --root=b clip_txt.cix
	echo "$output" | jq -e '.models[0] | .runs_here == false and
	    (.runs_here_reason | startswith("packed for the emulator"))'
	run --separate-stderr -0 npu-info --node=./none m.cix
	[[ $output != *"runs here"* ]]
	run --separate-stderr -0 npu-info --json --node=./none m.cix
	echo "$output" | jq -e '.models[0] | .runs_here == null and
	    .runs_here_reason == "./none: No such file or directory"'
	run --separate-stderr -0 npu-info -d emu -q clip_txt.cix
	[ "${lines[-1]}" = "  runs here: yes" ]
}
