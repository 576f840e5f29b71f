#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-bench and its worker processes: how many there are, what they receive,
# what they leave behind, and how npu-bench ends after a signal, or after the
# death of a worker.
# bats file_tags=slow

load ../support/helper
load ../support/fakehost
load ../support/runbench

# pids NAME: prints the processes that have the model NAME on their command
# line.
pids() {
	grep -slE "$PWD/[${1:0:1}]${1:1}" /proc/[0-9]*/cmdline | cut -d/ -f3
}
with() {
	pids "$1" | wc -l
}
# at LINE N: the file log has at least N lines that begin with LINE.
at() {
	[ "$(grep -cs "^$1 " log)" -ge "$2" ]
}

# none NAME: no process has NAME on its command line.
none() {
	[ "$(with "$1")" -eq 0 ]
}
# gone NAME: waits until no process has NAME on its command line.
gone() {
	until_so none "$1"
}

# ends_with STATUS: waits for the process $pid, which must end with STATUS.
ends_with() {
	local st=0
	timeout 300 tail -s 0.1 --pid="$pid" -f /dev/null || kill -KILL "$pid"
	wait "$pid" || st=$?
	[ "$st" -eq "$1" ] || {
		echo "status $st"
		return 1
	}
}

# start VARIABLE=VALUE OPTION...: starts npu-bench on sig.cix in the background,
# as $pid.  Each inference of its processes adds a line to the file log.
start() {
	cp m.cix sig.cix
	env NPU_EMU_LOG="$PWD/log" NPU_EMU_FAULT='infer:*:delay=0' "$1" \
	    npu-bench -q --idle=none -w 0 "${@:2}" "$PWD/sig.cix" \
	    >text 2>err 3>&- &
	pid=$!
}

# begin N OPTION...: calls start, then waits until each of the N processes has
# begun to measure.  They measure for a quarter of an hour at least.
begin() {
	start NPU_EMU_INFER_MS=50 --min-time=20min --max-iter=20000 "${@:2}"
	# Inference 1 is the cold inference.
	until_so at 'fault infer 2' "$1"
}

@test "SIGTERM ends all processes; no file is left behind or replaced" {
	# Documents of an earlier run are not replaced.
	echo earlier | tee report >samples
	begin 3 -P 3 -o report --save=kept --samples=samples
	kill -TERM "$pid"
	ends_with 143
	gone sig.cix
	[ "$(ls -A | tr '\n' ' ')" = \
	    "err log m.cix report samples sig.cix text " ]
	[ ! -s text ]
	[ "$(sort -u report samples)" = earlier ]
}

@test "SIGINT and SIGHUP end it; a worker that does not react is killed" {
	cp m.cix sig.cix
	for s in INT:130 HUP:129; do
		rm -f log
		NPU_EMU_INFER_MS=5 NPU_EMU_LOG=$PWD/log \
		    NPU_EMU_FAULT='infer:*:delay=0' run -"${s#*:}" \
		    timeout 300 perl -e '
		    $SIG{INT} = $SIG{HUP} = "DEFAULT";
		    my ($sig, @cmd) = @ARGV;
		    my $pid = fork;
		    if (!$pid) { exec @cmd or die }
		    until (-s "log") { select(undef, undef, undef, 0.1) }
		    kill $sig, $pid; waitpid $pid, 0;
		    exit(($? & 127) + 128)' "${s%:*}" npu-bench -q \
		    --idle=none -w 0 --min-time=20min "$PWD/sig.cix"
		gone sig.cix
	done
	# The worker would take an hour to open the device.
	start NPU_EMU_INIT_MS=3600000
	until_so opened
	kill -TERM "$pid"
	ends_with 143
	gone sig.cix
}
# opened: a worker has loaded the emulator, with which it opens the device.
opened() {
	local p
	for p in $(pids sig.cix); do
		! grep -qs libnoe-emu "/proc/$p/maps" || return 0
	done
	return 1
}

@test "SIGTERM ends npu-bench during an inference that does not end" {
	start NPU_EMU_INFER_MS=3600000 --min-iter=2 -T none
	until_so at 'fault infer 1' 1
	kill -TERM "$pid"
	ends_with 143
	gone sig.cix
	[ ! -s text ]
	[ ! -s err ]
}

@test "SIGTERM ends npu-bench while it waits for room on the NPU" {
	# The first status query of job 2 fails, and the job never ends.  The
	# program gets SIGTERM while it waits for this job.
	cat >c.c <<-'END'
	#include <signal.h>
	#include <stdint.h>
	#include <unistd.h>
	#define OK(f) int f(void); int f(void) { return 0; }
	typedef struct { uint32_t id, size; float scale; int32_t zero, type; } d;
	int noe_init_context(void **c), noe_load_graph(void *c, char *f, uint64_t *g, void *o);
	int noe_get_tensor_count(void *c, uint64_t g, int t, uint32_t *n);
	int noe_get_tensor_descriptor(void *c, uint64_t g, int t, uint32_t i, d *p);
	int noe_create_job(void *c, uint64_t g, uint64_t *j, void *f);
	int noe_get_job_status(void *c, uint64_t j, int *s, int32_t ms);
	int noe_init_context(void **c) { *c = &noe_init_context; return 0; }
	int noe_load_graph(void *c, char *f, uint64_t *g, void *o) { *g = 1ull << 32; return 0; }
	int noe_get_tensor_count(void *c, uint64_t g, int t, uint32_t *n) { *n = 1; return 0; }
	int noe_get_tensor_descriptor(void *c, uint64_t g, int t, uint32_t i, d *p) { *p = (d){ i, 4, 20, 60, 3 }; return 0; }
	int noe_create_job(void *c, uint64_t g, uint64_t *j, void *f) { static int n; *j = g + ++n; return 0; }
	int noe_get_job_status(void *c, uint64_t j, int *s, int32_t ms) {
		static int asked;
		*s = 1;
		if ((uint32_t)j == 1)
			return 0;
		if (++asked == 4)
			kill(getppid(), SIGTERM);
		return asked == 1 ? 4 : 0x23;
	}
	OK(noe_deinit_context) OK(noe_unload_graph) OK(noe_clean_job)
	OK(noe_load_tensor) OK(noe_get_tensor) OK(noe_job_infer_async)
	END
	"${CC:-cc}" -shared -fPIC -o libnoe.so.0 c.c
	mkcix --in s8:4:20:60 --out s8:4:20:60 >m.cix
	: >node
	run -143 env NPU_DEVICE=npu npu-bench -q --idle=none -w 0 --min-iter=3 \
	    -T 2min --node=./node -L ./libnoe.so.0 m.cix
	[ "$output" = "" ]
}

@test "if npu-bench is killed, its workers end" {
	begin 2 -P 2
	kill -KILL "$pid"
	ends_with 137
	gone sig.cix
}

@test "a worker that is killed is reported with its signal, status 1" {
	begin 1 --json
	for child in $(pids sig.cix); do
		[ "$child" = "$pid" ] || kill -KILL "$child"
	done
	ends_with 1
	grep -qE 'sig.cix: its process ended with signal 9 ' err
	jq -e '.error.status == 1' text
}

@test "a worker that does not end after its run is killed, status 1" {
	NPU_EMU_UNLOAD_MS=3600000 run --separate-stderr -1 timeout 300 \
	    npu-bench -q --idle=none -w 0 --min-iter=3 m.cix
	[ "$stderr" = "npu-bench: m.cix: its process ended with signal 9 (Killed), when it had measured" ]
}

@test "a model file that changes while it is measured is a failure" {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=copy >other.cix
	cp m.cix sig.cix
	changed() {
		mv other.cix sig.cix
	}
	run -1 in_window changed --json sig.cix
	grep -q 'sig.cix: was changed while it was measured' err
	jq -e '.error.status == 1 and .runs[0].n == 4000 and
	    .models[0].sha256 == null' text
	# A model file that is removed is also a failure.
	cp m.cix sig.cix
	changed() {
		rm sig.cix
	}
	run -1 in_window changed --json sig.cix
	grep -q 'sig.cix: was changed while it was measured' err
}

@test "SIGTERM ends npu-bench while it watches the idle machine" {
	npu-bench --idle=1h m.cix 3>&- &
	pid=$!
	# npu-bench handles signals from just before it watches.
	handles() {
		local caught
		caught=$(sed -n 's/^SigCgt:\t//p' "/proc/$pid/status")
		[ $((0x$caught >> 14 & 1)) -eq 1 ]
	}
	until_so handles
	kill -TERM $pid
	ends_with 143
}

@test "a user cannot set NPU_BENCH_MEMBER, which gives a worker its memory" {
	# memory_of_another: finds the memory of process 1 of configuration 1,
	# while it measures: 20 of its inferences take as long as 640 of
	# configuration 0.
	memory_of_another() {
		for f in "/proc/$pid/fd"/*; do
			[[ $(readlink "$f") != /memfd:samples* ||
			    $(od -An -t u4 -N 12 "$f" | tr -s ' ') != \
			    ' 1 0 1' ]] || return 0
		done
		return 1
	}
	export NPU_EMU_CORES=16
	begin 2 -P 2 -j 32,1 --min-time=0 --min-iter=2000
	until_so memory_of_another
	cat "$f" >of_another
	kill -TERM "$pid"
	ends_with 143
	size=$(stat -c %s of_another)
	head -c 100 of_another >short
	head -c $((size - 1)) of_another >cut
	head -c "$size" /dev/zero >other
	# told VALUE OPTION...: NPU_BENCH_MEMBER=VALUE is refused.
	told() {
		NPU_BENCH_MEMBER=$1 run --separate-stderr -1 bench "${@:2}" \
		    m.cix
		[ "$stderr" = "npu-bench: NPU_BENCH_MEMBER is not for users" ]
	}
	told x
	told 99,98,97
	for f in short cut other of_another; do
		told 5,1,1 5<>$f
	done
	told 5,1,1 -j 1,2 5<>of_another
	told 5,1,1 5<of_another
	told 5,1,1 5>>of_another
}

# bats test_tags=native
@test "each run is a new process, with its own memory addresses" {
	# The address of the C library, as the loader prints it.
	LD_DEBUG=files LD_DEBUG_OUTPUT=loader bench --min-iter=3 --runs=3 m.cix >/dev/null
	for f in loader.*; do
		grep -A2 'file=libc.so.6.*generating' "$f" |
		    grep -o 'base: 0x[0-9a-f]*' | head -n 1
	done | sort -u >bases
	# The program and its three workers have different addresses.
	[ "$(find . -name "loader.*" | wc -l)" -eq 4 ]
	[ "$(wc -l <bases)" -eq 4 ]
}

@test "a full or closed stdout is a write error; a closed pipe is status 141" {
	run -1 bash -c 'npu-bench -q --idle=none -w 0 --min-iter=3 m.cix >/dev/full'
	[ "$output" = "npu-bench: write error: No space left on device" ]
	run -1 bash -c 'npu-bench -q --idle=none -w 0 --min-iter=3 m.cix >&-'
	[[ $output == "npu-bench: write error: "* ]]
	# The reader leaves early.
	run -0 bash -c 'npu-bench -q --idle=none -w 0 --min-iter=60000 -o report \
	    --samples=- m.cix | head -c 4 >/dev/null; echo "${PIPESTATUS[0]}"'
	[ "$output" = 141 ]
}

@test "16 file descriptors are enough, and --samples=- writes to stdout" {
	run -0 bash -c 'ulimit -n 16; npu-bench -q --idle=none -w 0 --min-iter=3 m.cix'
	bench --min-iter=3 -o report --samples=- m.cix >s.csv
	[ "$(wc -l <s.csv)" -eq 4 ]
	grep -q ^infer report
}

@test "an output that cannot be written is reported before measuring" {
	for o in -o --save= --samples=; do
		NPU_EMU_LOG=log run --separate-stderr -1 bench --min-iter=3 \
		    $o/none/file m.cix
		[[ $stderr == "npu-bench: /none/file: "* ]]
		# No process has opened the device.
		[ ! -e log ]
	done
}
