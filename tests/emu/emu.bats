# SPDX-License-Identifier: Apache-2.0
# libnoe-emu.so: its exports, settings and messages.  emu-twin.bats tests the
# twin; tests/abi tests the answer to each call.

load ../support/helper
load ../support/emumodel

# Native only: in a build that counts coverage, clang exports additional names.
# bats test_tags=native
@test "the emulator exports what 2.0.2 exports, and two names of its own" {
	nm -D --defined-only "$EMU/libnoe-emu.so" | awk '{ print $3 }' |
	    sort >names
	# noe-abi 3.1 lists 31 names with noe_ and 5 others.
	[ "$(grep -c '^noe_' names)" -eq 33 ]
	[ "$(grep -v '^noe_' names | tr '\n' ' ')" = \
	    "aipu_debugger_free aipu_debugger_get_core_info aipu_debugger_get_job_info aipu_debugger_malloc aipu_printf " ]
	[ "$(grep noe_emu names | tr '\n' ' ')" = \
	    "noe_emu_load_onnx noe_emu_version " ]
	cmp "$EMU/libnoe-emu.so" "$EMU/noe/libnoe.so"
}

# bats test_tags=native,slow
@test "tests/abi has at least one row for every call, and 120 in total" {
	"$B/tests/abi/abi" -l . . >rows
	[ "$(wc -l <rows)" -ge 120 ]
	nm -D --defined-only "$EMU/libnoe-emu.so" | awk '{ print $3 }' |
	    grep -v noe_emu_ | sed 's/^noe_//' | while read -r call; do
		grep -q "^$call: " rows || echo "$call"
	done >none
	cat none
	[ ! -s none ]
}

@test "a program that uses the vendor's API runs unchanged" {
	mkcix --in=s8:4 --out=s8:4 --op=xor >m.cix
	printf '\000\125\252\377' >in
	noe "${WATCH[@]}" m.cix <in >out 2>err
	[ "$(bytes out)" = "85 0 255 170" ]	# ^ 0x55
	[ ! -s err ]
}

# ---- What the emulator leaves alone -----------------------------------------

# bats test_tags=native,slow
@test "the emulator makes no files or sockets and leaves no thread" {
	model >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	mkdir home tmp
	HOME=$PWD/home TMPDIR=$PWD/tmp LD_LIBRARY_PATH=$EMU/noe \
	    strace -f -o trace "$B/tests/tools/noerun" -w m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
	run -0 find home tmp -mindepth 1
	[ "$output" = "" ]
	run -1 grep -E '(socket|connect|sendto)\(' trace
	run -1 grep -E 'O_CREAT|mkdir' trace
}

# bats test_tags=native
@test "the emulator disables ONNX Runtime's telemetry before it loads it" {
	# Our own runtime prints the variable that it sees when it is loaded.
	cat >spy.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	void *OrtGetApiBase(void);
	void *OrtGetApiBase(void) { return 0; }
	__attribute__((constructor)) static void look(void)
	{
		const char *s = getenv("ORT_DISABLE_TELEMETRY");
		fprintf(stderr, "spy: %s\n", s ? s : "(unset)");
	}
	END
	cc -shared -fPIC -o spy.so spy.c
	model >m.cix
	four Neg >m.onnx
	NPU_ORT=$PWD/spy.so run --separate-stderr -3 noe m.cix </dev/null
	[ "${stderr_lines[0]}" = "spy: 1" ]
}

# aborted LINE FILE: fails unless noe aborts with this line for a damaged file.
aborted() {
	run --separate-stderr -134 noe "$2" </dev/null
	[[ ${stderr_lines[0]} == "libnoe-emu: noe_load_graph: $2: "*"; the vendor's library $1, see libnoe-emu(7)" ]]
}

@test "for a damaged file, the message says if the vendor's library crashes" {
	mkcix file-cut-half >half.cix
	aborted 'reads past its end, and may crash or answer anything' half.cix
	: >empty.cix
	aborted 'crashes here' empty.cix
}

# ---- Time and faults --------------------------------------------------------

# 6000 products of 2048 x 2048 take many minutes: a program that waits for the
# end would hang.
# bats test_tags=slow
@test "a timeout interrupts a computation that is running" {
	pack f32:4194304 : f32:4194304 >m.cix
	mkonnx Loop:6000 f32:2048x2048 : f32:2048x2048 >m.onnx
	head -c 16777216 /dev/zero >in
	LD_LIBRARY_PATH=$EMU/noe run --separate-stderr -35 timeout 300 \
	    "$B/tests/tools/noerun" "${WATCH[@]}" -t 50 m.cix <in
}

# logged LINE: waits until the emulator's log contains this line.
logged() {
	for _ in $(seq 1200); do
		! grep -qsx "$1" log || return 0
		sleep 0.05
	done
	cat log
	return 1
}

# asleep PID: waits until all threads of the process were asleep ten times in a
# row.
asleep() {
	local n=0
	for _ in $(seq 1200); do
		n=$((n + 1))
		[ "$(cat "/proc/$1"/task/*/stat 2>/dev/null |
		    sed 's/.*) \(.\) .*/\1/' | sort -u)" = S ] || n=0
		[ $n -lt 10 ] || return 0
		sleep 0.05
	done
	return 1
}

# bats test_tags=slow
@test "NPU_EMU_INFER_MS is spent in each inference, without busy-waiting" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	start=$(date +%s%N)
	NPU_EMU_INFER_MS=40 noe -n 10 m.cix <<<abcd >out
	took=$((($(date +%s%N) - start) / 1000000))
	[ "$took" -ge 400 ]
	NPU_EMU_LOG=log NPU_EMU_FAULT=infer:1:delay=3600000 \
	    LD_LIBRARY_PATH=$EMU/noe "$B/tests/tools/noerun" m.cix \
	    <<<abcd >out 3>&- &
	pid=$!
	logged 'fault infer 1 1 delay=3.6e+06'
	asleep $pid
	kill $pid
}

# ms NAME=VALUE COMMAND...: prints the duration of the command.
ms() {
	local start
	start=$(date +%s%N)
	env "$1" LD_LIBRARY_PATH="$EMU/noe" "${@:2}" <<<abcd >out
	echo $((($(date +%s%N) - start) / 1000000))
}

# bats test_tags=slow
@test "as many jobs run at the same time as there are cores" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	export NPU_EMU_INFER_MS=1000
	# One job runs before the threads start; then 4 jobs of 1 s each.
	one=$(ms NPU_EMU_CORES=1 "$B/tests/tools/noerun" -j 4 m.cix)
	four=$(ms NPU_EMU_CORES=4 "$B/tests/tools/noerun" -j 4 m.cix)
	echo "$one ms on one core, $four ms on four"
	[ "$one" -ge 5000 ]
	[ "$four" -ge 2000 ]
	# Three of the four jobs take an hour, and the last one ends: its output
	# is the second that is requested.
	NPU_EMU_INFER_MS=1 NPU_EMU_CORES=4 NPU_EMU_LOG=log \
	    NPU_EMU_FAULT=infer:2-4:delay=3600000,get:2:delay=0 \
	    LD_LIBRARY_PATH=$EMU/noe "$B/tests/tools/noerun" -j 4 m.cix \
	    <<<abcd >out 3>&- &
	pid=$!
	logged 'fault get 2 5 delay=0'
	kill $pid
}

# bats test_tags=slow
@test "each call takes the time that its variable sets" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	for k in GRAPH CREATE LOAD GET CLEAN UNLOAD INIT DEINIT; do
		start=$(date +%s%N)
		env "NPU_EMU_${k}_MS=120.5" LD_LIBRARY_PATH="$EMU/noe" \
		    "$B/tests/tools/noerun" m.cix <<<abcd >out
		took=$((($(date +%s%N) - start) / 1000000))
		[ "$took" -ge 120 ]
	done
}

# bats test_tags=slow
@test "NPU_EMU_FAULT lets the Nth call of a function fail" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	export NPU_EMU_FAULT
	NPU_EMU_FAULT=infer:3:exception
	noe -n 2 m.cix <<<abcd >out
	run --separate-stderr -17 noe -n 3 m.cix <<<abcd
	NPU_EMU_FAULT=infer:2+:timeout
	run --separate-stderr -35 noe -n 2 -t 50 m.cix <<<abcd
	NPU_EMU_FAULT=create:2:nomem
	run --separate-stderr -22 noe -n 2 m.cix <<<abcd
	NPU_EMU_FAULT=graph:1:nomem
	run --separate-stderr -22 noe m.cix <<<abcd
	NPU_EMU_FAULT=init:1:nodevice
	run --separate-stderr -3 noe m.cix <<<abcd
	# The device stays gone: the next submission is refused.
	NPU_EMU_FAULT=load:2:nodevice
	run --separate-stderr -55 noe -n 9 m.cix <<<abcd
	[[ ${stderr_lines[0]} == *"the device is gone from here on" ]]
	NPU_EMU_FAULT=create:1:delay=1,infer:2-3:coredump
	run --separate-stderr -17 noe -n 9 m.cix <<<abcd
}

# met SEED RULES: prints which of 4000 inferences failed, one number a line.
met() {
	NPU_EMU_COMPUTE=copy NPU_EMU_SEED=$1 NPU_EMU_FAULT=$2 npu-run -d emu \
	    -k -r m.cix zeros 2>said >out || [ $? -eq 1 ]
	sed -n 's/.*: frame \([0-9]*\): .*/\1/p' said
}

# bats test_tags=slow
@test "1/N lets one call in N fail, at random but repeatably" {
	mkcix --in=u8:1 --out=u8:1 >m.cix
	head -c 4000 /dev/zero >zeros
	met 1 infer:1/10:exception >a
	met 1 infer:1/10:exception | cmp a
	# The expected number is 400.  The limits are five standard deviations
	# away: sqrt(4000 * 0.1 * 0.9) = 19.
	n=$(wc -l <a)
	echo "$n of 4000"
	[ "$n" -ge 305 ]
	[ "$n" -le 495 ]
	# Another seed or another rule gives independent draws: about 40 of the
	# 400 are the same, with a standard deviation of sqrt(40 * 0.9) = 6.
	met 2 infer:1/10:exception >b
	met 1 infer:1/3:delay=0,infer:1/10:exception >c
	for f in b c; do
		same=$(sort a | comm -12 - <(sort $f) | wc -l)
		echo "$same the same in $f"
		[ "$(wc -l <$f)" -ge 305 ]
		[ "$same" -ge 10 ]
		[ "$same" -le 70 ]
	done
	# The numbers of the calls have no pattern: each tenth of the calls has
	# about the same number of failures.
	awk '{ n[int(($1 - 1) / 400)]++ }
	    END { for (i = 0; i < 10; i++) if (n[i] < 10 || n[i] > 70) exit 1 }' a
	met 1 infer:1/1:exception | wc -l >all
	[ "$(cat all)" -eq 4000 ]
}

@test "NPU_EMU_LOG records each fault that a call met, and when" {
	mkcix --in=u8:1 --out=u8:1 >m.cix
	head -c 12 /dev/zero >zeros
	NPU_EMU_LOG=log NPU_EMU_FAULT=create:2:nomem,infer:3:exception,infer:4-5:delay=1.5,infer:5:delay=1,infer:5:coredump,get:2:delay=0 \
	    run -1 npu-run -d emu -j 1 -k -r -o out m.cix zeros
	grep ^fault log >got
	# One frame after the other: the second frame got no job.
	diff got - <<-'END'
	fault create 2 1 nomem
	fault get 2 2 delay=0
	fault infer 3 3 exception
	fault infer 4 4 delay=1.5
	fault infer 5 5 delay=2.5
	fault infer 5 5 coredump
	END
}

# bats test_tags=slow
@test "NPU_EMU_LOG counts objects that were made, ended and left" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	made() {
		rm -f log
		NPU_EMU_LOG=log noe "$@" m.cix <<<abcd >out
		tr '\n' ' ' <log
	}
	[ "$(made -n 3)" = \
	    "made context 1 1 0 1 made graph 1 1 0 1 made job 3 3 0 1 " ]
	[ "$(made -l j -n 3)" = \
	    "made context 1 1 0 1 made graph 1 1 0 1 made job 3 0 3 3 " ]
	[ "$(made -l jg -n 3)" = \
	    "made context 1 1 0 1 made graph 1 0 1 1 made job 3 0 3 3 " ]
	[ "$(made -l c)" = \
	    "made context 1 0 1 1 made graph 1 1 0 1 made job 1 1 0 1 " ]
	# One job first; then four threads with five jobs each, up to four at
	# once.
	[[ $(made -j 4 -n 5) == *"made job 21 21 0 "[1234]" " ]]
	# New lines are appended to an existing log.
	NPU_EMU_LOG=log noe m.cix <<<abcd >out
	[ "$(wc -l <log)" -eq 6 ]
	# A job that was registered although its creation failed late (noe-abi
	# 4.7).
	rm log
	NPU_EMU_LOG=log NPU_EMU_FAULT=create:2:nomem \
	    run -1 npu-run -d emu -j 1 -k -r -o out m.cix <<<abcdefghijk
	grep -qx 'made job 3 3 0 [123]' log
}

# bats test_tags=slow
@test "an invalid setting is reported, and no context is opened" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	wrong() {
		env "$1" LD_LIBRARY_PATH="$EMU/noe" \
		    "$B/tests/tools/noerun" m.cix
	}
	while read -r knob what; do
		run --separate-stderr -6 wrong "$knob" <<<abcd
		echo "$stderr"
		[[ ${stderr_lines[0]} == "libnoe-emu: "*"$what"* ]]
		[[ ${stderr_lines[-1]} == "noerun: init_context: 0x6 "* ]]
	done <<-'END'
	NPU_EMU_NOISY=1 no such knob
	NPU_EMU_NOISE=yes not 0 or 1
	NPU_EMU_INFER_MS=fast not a number of milliseconds
	NPU_EMU_INFER_MS=-1 not a number of milliseconds
	NPU_EMU_CORES=0 from 1 to 16
	NPU_EMU_COMPUTE=some not twin, none, copy or fill
	NPU_EMU_FAULT=xyz a fault is CALL:WHICH:FAULT
	NPU_EMU_FAULT= a fault is CALL:WHICH:FAULT
	NPU_EMU_FAULT=run:1:timeout no such call
	NPU_EMU_FAULT=infer:0:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:1/0:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:1/:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:1/-3:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:2/3:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:x:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:3-x:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:5-3:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:timeout a fault is CALL:WHICH:FAULT
	NPU_EMU_FAULT=xyz,infer:1:timeout a fault is CALL:WHICH:FAULT
	NPU_EMU_A_NAME_THAT_IS_LONGER_THAN_THAT_OF_ANY_KNOB_THERE_MAY_EVER_BE=1 no such knob
	NPU_EMU_FAULT=infer:1/3+:timeout which call is N, N+, N-M or *
	NPU_EMU_LOG=/dev/null/log Not a directory
	NPU_EMU_LOG= No such file or directory
	NPU_EMU_SEED=-1 from 0 to 4294967295
	NPU_EMU_SEED=4294967296 from 0 to 4294967295
	NPU_EMU_SEED=x not a whole number
	NPU_EMU_FAULT=infer:1:broken no such fault
	NPU_EMU_FAULT=load:1:timeout this call cannot meet this fault
	NPU_EMU_FAULT=infer:1:delay=x not a number of milliseconds
	END
}

@test "64 faults are accepted, but not 65" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	NPU_EMU_FAULT=$(printf 'infer:9:delay=1,%.0s' {1..64}) noe m.cix \
	    <<<abcd >out
	NPU_EMU_FAULT=$(printf 'infer:9:delay=1,%.0s' {1..65}) \
	    run --separate-stderr -6 noe m.cix <<<abcd
	[[ ${stderr_lines[0]} == *": more than 64 faults; "* ]]
}

@test "NPU_EMU_COMPUTE can skip the computation, copy, or fill" {
	pack s8:2 : s8:4 >m.cix
	printf 'ab' >in
	NPU_EMU_COMPUTE=none noe m.cix <in >out
	[ "$(bytes out)" = "0 0 0 0" ]
	NPU_EMU_COMPUTE=copy noe m.cix <in >out
	[ "$(cat out)" = abab ]
	NPU_EMU_COMPUTE=fill noe m.cix <in >out
	[ "$(bytes out)" = "0 1 2 3" ]
}

@test "stdout stays empty, unless NPU_EMU_NOISE=1 imitates the vendor" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	export NPU_EMU_FAULT=infer:1:exception
	run --separate-stderr -17 noe m.cix <<<abcd
	[ "$output" = "" ]
	NPU_EMU_NOISE=1 run --separate-stderr -17 noe m.cix <<<abcd
	[[ ${lines[0]} == "[UMD ERR] "*"<tid:"*">: "* ]]
	NPU_EMU_NOISE=0 run --separate-stderr -17 noe m.cix <<<abcd
	[ "$output" = "" ]
}

# bats test_tags=slow
@test "eight threads with a job each get their own results" {
	pack f32:4 : f32:4 >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	noe "${WATCH[@]}" -j 8 -n 50 m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
	NPU_EMU_CORES=2 NPU_EMU_INFER_MS=0.2 noe "${WATCH[@]}" -j 8 -n 20 m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

# bats test_tags=slow
@test "a thread may open the device while another closes it" {
	mkcix sound >m.cix
	NPU_EMU_INFER_MS=0.05 LD_LIBRARY_PATH=$EMU/noe timeout 120 \
	    "$B/tests/tools/noelives" m.cix 2000
}

# bats test_tags=native,slow
@test "ThreadSanitizer reports nothing when eight threads use the emulator" {
	make -C "$TOP" -s B="$PWD/tsan" CFLAGS='-O1 -g -fsanitize=thread' \
	    LIB_DIRS='base tensor model' \
	    VOCAB="$B/share/npu-utils/bpe_simple_vocab_16e6.txt" \
	    "$PWD/tsan/tests/tools/noerun"
	pack f32:4 : f32:4 >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	export NPU_ORT=${NPU_ORT:-$EMU/libonnxruntime.so.1} TSAN_OPTIONS=exitcode=66
	export LD_LIBRARY_PATH=$PWD/tsan/lib/npu-utils/noe
	tsan/tests/tools/noerun -j 8 -n 30 m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
	NPU_EMU_INFER_MS=0.2 NPU_EMU_CREATE_MS=0.1 NPU_EMU_CORES=2 \
	    NPU_EMU_COMPUTE=copy tsan/tests/tools/noerun -j 8 -n 30 m.cix \
	    <in >out
	cmp in out
	NPU_EMU_FAULT=infer:5+:timeout run --separate-stderr -35 \
	    tsan/tests/tools/noerun -t 30 -n 30 m.cix <in
}
