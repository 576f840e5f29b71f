#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# How npu-run ends: which files it leaves, and what it does with few
# descriptors, a full device, a reader that leaves early, and signals.
# bats file_tags=slow

load ../support/helper
load ../support/xormodel

# in_infer: waits until the first inference has begun.
in_infer() {
	for _ in $(seq 1200); do
		! grep -qs '^fault infer' log || return 0
		sleep 0.05
	done
	return 1
}

# cut_off FILE...: writes the first FILE to npu-run through a pipe.  While the
# inference of this FILE runs, sends SIGTERM; only then writes the other FILEs,
# and closes the pipe.  Checks that npu-run ended by SIGTERM and wrote nothing.
cut_off() {
	rm -f pipe log
	mkfifo pipe
	NPU_EMU_LOG=log NPU_EMU_FAULT=infer:1:delay=3600000 \
	    npu-run -j 1 -r m.cix <pipe >out 2>said 3>&- &
	pid=$!
	exec 8>pipe
	cat "$1" >&8
	in_infer
	kill -TERM $pid
	sleep 0.2
	shift
	for f; do
		cat "$f" >&8 2>/dev/null || :
		sleep 0.1
	done
	exec 8>&-
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
	[ ! -s out ] && [ ! -s said ]
}

@test "whole or partial frames that arrive after SIGTERM are not run" {
	trap '' PIPE
	printf abcd >raw
	label raw s8 1,4 20 60 >labelled
	printf ab >half
	head -c 30 labelled >part
	cut_off raw
	cut_off raw half
	cut_off raw raw raw raw
	cut_off labelled part
	cut_off labelled labelled part
	# The same while npu-run waits for the first bytes of an input, which
	# show the input's format.
	mkfifo in
	exec 9<>in
	npu-run -r --input=0=in m.cix 3>&- 9>&- &
	pid=$!
	loaded $pid
	sleep 0.3
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
	exec 9>&-
	# The same for a named pipe that gets a writer only after the signal.
	rm log
	NPU_EMU_LOG=log NPU_EMU_FAULT=infer:1:delay=3600000 \
	    npu-run -j 1 -r m.cix raw in >out 2>said 3>&- &
	pid=$!
	in_infer
	kill -TERM $pid
	sleep 0.2
	exec 9<>in
	cat raw >&9
	status=0
	wait $pid || status=$?
	exec 9>&-
	[ $status -eq 143 ]
	[ ! -s out ] && [ ! -s said ]
}

@test "-o leaves the old file after a failure, unless -k continues" {
	printf abcd >in
	npu-run -o out m.cix in
	[ "$(stat -c %s out)" -eq 68 ]
	echo old >out
	NPU_EMU_FAULT=infer:1:exception run -1 npu-run -o out m.cix in
	[ "$(cat out)" = old ]
	[ "$(ls -A | tr '\n' ' ')" = "in m.cix out " ]
	# With -k, the file lacks the frame that failed.  After a failure that
	# also stops -k, npu-run leaves no file.
	printf abcdefgh >two
	NPU_EMU_FAULT=infer:1:exception run -1 npu-run -k -r -o out m.cix two
	[ "$(stat -c %s out)" -eq 4 ]
	NPU_EMU_FAULT=infer:1:exception run -1 npu-run -k -o out m.cix in
	[ ! -s out ]
	rm out
	run -1 npu-run -k -o out m.cix in none
	[ ! -e out ]
	npu-run --help | grep -A 1 -- '--output' | grep -- ' -k'
}

@test "-o with any name of descriptor 1 writes to stdout" {
	printf abcd >in
	for o in - /dev/stdout /dev/fd/1 /proc/self/fd/1; do
		npu-run -r -o "$o" m.cix in | cat >out
		[ "$(cat out)" = 4761 ]
	done
}

@test "-o with a name that cannot be a file fails before reading input" {
	run --separate-stderr -1 npu-run -o '' m.cix in
	[ "$stderr" = "npu-run: '': No such file or directory" ]
	long=$(printf '%0256d' 0)
	run --separate-stderr -1 npu-run -o "$long" m.cix in
	[ "$stderr" = "npu-run: $long: File name too long" ]
	run --separate-stderr -1 npu-run -o . m.cix in
	[ "$stderr" = "npu-run: .: Is a directory" ]
}

@test "output above the file size limit is a write error; no file is left" {
	printf abcd >in
	run -1 bash -c '(ulimit -f 0; npu-run -r -o out m.cix in) 2>&1 | cat
	    exit "${PIPESTATUS[0]}"'
	[ "$output" = "npu-run: out: write error: File too large" ]
	[ "$(ls -A | tr '\n' ' ')" = "in m.cix " ]
	# npu-run keeps the library's output in memory, so the limit does not
	# end npu-run.
	export NPU_EMU_NOISE=1 NPU_EMU_FAULT=infer:1:exception
	run -1 bash -c '(ulimit -f 0; npu-run -v -r m.cix in) 2>&1 | cat
	    exit "${PIPESTATUS[0]}"'
	[[ $output == *"(0x11)"* ]]
}

@test "16 file descriptors are enough for a run" {
	printf abcd >in
	run -0 bash -c 'ulimit -n 16; npu-run -r m.cix in'
	[ "$output" = 4761 ]
}

@test "with too few file descriptors, a run works or reports an error" {
	printf abcd >in
	for n in 6 7 8; do
		run --separate-stderr bash -c "ulimit -n $n; npu-run -r m.cix in"
		[ "$status" -eq 0 ] ||
			[[ $status == [13] && $stderr == "npu-run: "* ]]
	done
}

@test "the library's output is not on stdout; a failure prints it on stderr" {
	printf 'abcdefghijkl' >in
	npu-run -r m.cix in | perl -ne 'BEGIN { $/ = \4 }
	    print unless $. == 2' >want
	export NPU_EMU_NOISE=1 NPU_EMU_FAULT=infer:2:schedule
	run -1 bash -c 'npu-run -k -r m.cix in 2>err >got'
	cmp want got
	grep -q '^npu-run: the library says: .*could not be scheduled' err
}

@test "binary output to a terminal is refused" {
	printf abcd >in
	run -2 script -qec "npu-run m.cix in" /dev/null
	[[ $output == *"output is binary and stdout is a terminal"* ]]
}

@test "a full or closed stdout is a write error with status 1" {
	printf abcd >in
	run -1 bash -c 'npu-run m.cix in >/dev/full'
	[ "$output" = "npu-run: write error: No space left on device" ]
	run -1 bash -c 'npu-run m.cix in >&-'
	[[ $output == "npu-run: write error: "* ]]
}

@test "a reader that leaves ends npu-run by SIGPIPE, with the model unloaded" {
	head -c 4000000 /dev/zero >in
	begin=$(date +%s%3N)
	export NPU_EMU_UNLOAD_MS=600
	run -0 bash -c 'npu-run -r m.cix in | head -c 4 >/dev/null
	    echo "${PIPESTATUS[0]}"'
	[ "$output" = 141 ]
	[ $(($(date +%s%3N) - begin)) -ge 600 ]
	run -1 bash -c 'trap "" PIPE
	    npu-run -r m.cix in | head -c 4 >/dev/null
	    exit "${PIPESTATUS[0]}"'
	[ "$output" = "npu-run: write error: Broken pipe" ]
}

# ends_by SIGNAL STATUS WORDS COMMAND...: runs COMMAND until WORDS are in its
# stderr or in the emulator's log, and all its threads sleep in ten checks in a
# row.  Then sends SIGNAL, and checks STATUS.  Checks also that COMMAND took at
# least LEAST seconds to end: the emulator needs 0.6 s to unload the model.
ends_by() {
	export NPU_EMU_UNLOAD_MS=600 NPU_EMU_LOG=log
	rm -f log
	LEAST=${LEAST-0.6} perl -MTime::HiRes=time,sleep -e '
	    my ($sig, $words, @cmd) = @ARGV;
	    $SIG{$sig} = "DEFAULT";
	    my $pid = fork;
	    if (!$pid) { open STDERR, ">", "said"; exec @cmd or die }
	    $SIG{ALRM} = sub { kill "KILL", $pid; die "no end in 300 s" };
	    alarm 300;
	    sleep 0.05 while system "grep", "-qsF", "--", $words, "said", "log";
	    for (my $n = 0; $n < 10; $n++) {
		sleep 0.02;
		for (glob "/proc/$pid/task/*/stat") {
		    open my $f, "<", $_ or next;
		    $n = -1 if <$f> !~ /.*\) S/;
		}
	    }
	    my $t = time; kill $sig, $pid;
	    waitpid $pid, 0;
	    $t = time - $t;
	    printf "%d %.2f\n", ($? & 127) + 128, $t;
	    exit($t < $ENV{LEAST});' "$1" "$3" "${@:4}" >ended
	[ "$(cut -d' ' -f1 ended)" -eq "$2" ]
}

@test "SIGINT, SIGTERM and SIGHUP end npu-run after it has cleaned up" {
	printf abcd >in
	export NPU_EMU_FAULT=infer:1:delay=3600000
	ends_by INT 130 'fault infer' npu-run -T none -o out m.cix in
	ends_by TERM 143 'fault infer' npu-run -T none -o out m.cix in
	ends_by HUP 129 'fault infer' npu-run -T none -o out m.cix in
	[ "$(ls -A | tr '\n' ' ')" = "ended in log m.cix said " ]
}

# After the first signal, npu-run has 2 s to end.  If this machine takes longer
# to send the second signal, npu-run ends by the first, and is started again.
@test "a second signal ends npu-run at once" {
	printf abcd >in
	export NPU_EMU_LOG=log NPU_EMU_FAULT=clean:1:delay=3600000
	perl -MTime::HiRes=sleep -e '
	    $SIG{INT} = "DEFAULT";
	    alarm 500;
	    for (1 .. 100) {
		unlink "log";
		my $pid = fork;
		if (!$pid) { exec @ARGV or die }
		sleep 0.02 while system "grep", "-qs", "fault clean", "log";
		kill "TERM", $pid;
		# Wait until SIGTERM is pending.
		sleep 0.02
		    while !system "grep", "-qs", "^ShdPnd:.*4...\$",
			"/proc/$pid/status";
		kill "INT", $pid;
		waitpid $pid, 0;
		exit 0 if ($? & 127) == 2;
		die $? if ($? & 127) != 15;
	    }
	    exit 1' npu-run -o out m.cix in
	[ "$(ls -A | tr '\n' ' ')" = "in log m.cix " ]
}

@test "SIGTERM ends npu-run while a timed-out inference blocks the next" {
	printf 'abcd%.0s' $(seq 1000) >in
	NPU_EMU_INFER_MS=3600000 ends_by TERM 143 'frame 1: no result' \
	    npu-run -qk -j 1 -T 100ms -o out m.cix in
	[ ! -e out ]
}

@test "SIGQUIT ends npu-run at once and leaves no partial file" {
	printf abcd >in
	ulimit -c 0
	NPU_EMU_FAULT=infer:1:delay=3600000 LEAST=0 ends_by QUIT 131 \
	    'fault infer' npu-run -T none -o out m.cix in
	[ "$(ls -A | tr '\n' ' ')" = "ended in log m.cix said " ]
}

@test "SIGTERM ends npu-run while it waits for input" {
	mkfifo pipe
	sleep 3600 >pipe 3>&- &
	NPU_EMU_FAULT=graph:1:delay=0 ends_by TERM 143 'fault graph' \
	    sh -c 'exec npu-run -r -o out m.cix <pipe'
	kill %1
}

@test "SIGINT ends npu-run while it waits for the writer of a named pipe" {
	mkfifo pipe
	export NPU_EMU_FAULT=graph:1:delay=0
	ends_by INT 130 'fault graph' npu-run -r -o out m.cix pipe
	ends_by INT 130 'fault graph' npu-run -r --input=pipe m.cix
}

@test "a signal ends npu-run even if a library call does not return" {
	printf abcd >in
	for call in graph create clean deinit; do
		NPU_EMU_FAULT=$call:1:delay=3600000 ends_by INT 130 \
		    "fault $call" npu-run -o out m.cix in
	done
	[ "$(ls -A | tr '\n' ' ')" = "ended in log m.cix said " ]
}

@test "SIGTERM ends npu-run while it closes the device, or in --dry-run" {
	printf abcd >in
	NPU_EMU_FAULT=deinit:1:delay=3600000 ends_by TERM 143 'fault deinit' \
	    npu-run -o out m.cix in
	[ ! -e out ]
	NPU_EMU_FAULT=graph:1:delay=3600000 ends_by TERM 143 'fault graph' \
	    npu-run --dry-run m.cix
}
