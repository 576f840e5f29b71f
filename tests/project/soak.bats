# SPDX-License-Identifier: Apache-2.0
# A short form of `make soak`, with fixed seeds: npu-run runs frames, some of
# which fail, and tests/tools/soak.c accounts for each frame.  The last part
# tests that this account itself detects faults.
# bats file_tags=slow

load ../support/helper

# The timeout of a frame is 10 s: on a busy machine, no frame is late.
FAIL=infer:1/10:delay=1,status:1/50:timeout,infer:1/40:exception
FAIL+=,infer:1/100:coredump,infer:1/60:schedule
FAIL+=,create:1/40:nomem,create:1/100:grid
ODD=infer:1/60:abnormal
GONE=load:1/900:nodevice,infer:1/900:nodevice,status:1/900:nodevice
GONE+=,get:1/900:nodevice,clean:1/900:nodevice,create:1/900:nodevice

setup() {
	export NPU_EMU_INFER_MS=0.02 NPU_EMU_NOISE=1
	mkcix --in=u8:1024 --out=u8:1024 --op=xor >m.cix
}

# soaks FAULTS OPTION...: runs soak and prints its output in one line.
soaks() {
	rm -f log
	NPU_EMU_FAULT=$1 soak -T 10000 "${@:2}" m.cix log >said || return
	cat said
}

@test "each of 2,000 frames is correct or reported, and no job is left" {
	flat=()
	# Without sanitizers and qemu only: their allocators need more memory.
	[ "${LEG-native}" != native ] || flat=(-m 256)
	# Two frames are late.  They end before the last slow frame ends,
	# because closing waits for only a second.  ODD is not used: if a query
	# failed early, such a job would be left.
	slow=infer:500:delay=15000,infer:700:delay=15000,infer:1500:delay=8000
	soaks "$FAIL,$slow" -n 2000 "${flat[@]}"
	# Each kind of fault has occurred.
	for kind in late exception coredump schedule nomem grid; do
		grep -qE "[ ,]$kind [0-9]+/[1-9]" said
	done
	# Some jobs could not be created for lack of memory and were tried
	# again: soak calculates how many jobs this makes.
	grep -qE '; 20[0-9]* jobs, 0 left, [1-8] at most; ' said
}

@test "soak accounts for frames with 1 or 64 in flight, and with reused jobs" {
	soaks "$FAIL,$ODD" -n 500 -j 1
	grep -qE ', abnormal [1-9]' said
	soaks "$FAIL,infer:1/4:delay=1,infer:1/4:abnormal" -n 1000 -j 2
	soaks "$FAIL,$ODD" -n 1000 -j 64
	NPU_EMU_CORES=1 soaks "$FAIL,$ODD" -n 500
	soaks "$FAIL,$ODD,create:1/4:nomem" -n 1000 -r
	# Only a few jobs are created for this number of frames.
	awk '{ for (i = 1; i < NF; i++) if ($(i + 1) == "jobs,") n = $i }
	    END { exit n == 0 || n > 250 }' said
}

@test "three jobs that never end are reported, and only these are left" {
	soaks "$FAIL,$ODD,infer:100:timeout,infer:101:timeout,infer:300:timeout" \
	    -n 500
	# The query about them may also fail, and is then reported instead.
	grep -qE 'late [1-3]/3' said
	grep -qE ' jobs, 3 left, ' said
}

@test "soak accounts for frames when the device goes away at any time" {
	for seed in 1 2 3 4 5; do
		export NPU_EMU_SEED=$seed
		soaks "$FAIL,$ODD,$GONE" -n 1000
		grep -q 'nodevice [0-9]*/1' said
		soaks "$GONE" -n 1000 -s
		grep -q 'nodevice [0-9]*/1' said
	done
}

@test "a model opened 20 times leaves no job, and the memory does not grow" {
	flat=()
	[ "${LEG-native}" != native ] || flat=(-m 256)
	EMU=$B/lib/npu-utils/libnoe-emu.so soaks "$FAIL,$ODD" \
	    -n 2000 -R 100 "${flat[@]}"
	grep -qE '; opened 20 times; 20[0-9]* jobs, 0 left, ' said
}

# ---- The account itself ---------------------------------------------------

# spoil: writes a modified npu-run.  OUTS and ERRS are perl code that it applies
# to its output frames and message lines; AFTER is shell code that runs at the
# end.
spoil() {
	mkdir -p spoilt
	cat >spoilt/npu-run <<-'END'
	#!/bin/bash
	"$B/bin/npu-run" "$@" 2> >(perl -ne "\$| = 1; $ERRS" >&2) |
	    perl -e '$| = 1; $/ = \1024; while (<STDIN>) { eval $ENV{OUTS}; die if $@ }'
	st=${PIPESTATUS[0]}
	eval "$AFTER"
	exit "$st"
	END
	chmod +x spoilt/npu-run
	PATH=$PWD/spoilt:$PATH
	export OUTS='print' ERRS='print' AFTER=''
}

# notices TEXT: fails unless soak reports this fault.
notices() {
	echo "$OUTS; $ERRS; $AFTER"
	rm -f log
	NPU_EMU_FAULT=${NOTICED-$FAIL,$ODD} run --separate-stderr -1 \
	    soak -n 600 m.cix log
	echo "$stderr"
	grep -q "^soak: $1" <<<"$stderr"
}

@test "soak notices a lost, wrong, duplicated or misplaced frame" {
	spoil
	NPU_EMU_FAULT=$FAIL soak -n 600 m.cix log
	OUTS='print unless $. == 100' notices 'frame 1[0-9][0-9]: lost'
	OUTS='substr($_, 900, 1) ^= "\1" if $. == 100; print' \
	    notices 'frame 1[0-9][0-9]: a wrong result'
	OUTS='print; print if $. == 100' \
	    notices 'frame 1[0-9][0-9]: its result came after frame 1'
	OUTS='if ($. == 100) { $h = $_ } else { print; print $h if $. == 101 }' \
	    notices 'frame 1[0-9][0-9]: its result came after frame 1'
	OUTS='print $. == 100 ? "x" x 1024 : $_' \
	    notices 'a result after frame 1[0-9][0-9] does not belong to a frame'
	AFTER='printf x' notices 'it ended within a frame'
}

@test "soak notices a message that is lost, invented or for another frame" {
	spoil
	at='/: frame / && ++$n == 5'
	ERRS="print unless $at" notices 'frame [0-9]*: lost'
	# The first exception belongs to a frame whose successor is correct.
	ERRS='s/frame \K(\d+)/$1 + 1/e if /0x11/ && ++$n == 1; print' \
	    notices 'frame [0-9]*: a result, and reported as failed'
	ERRS="print; print if $at" \
	    notices 'frame [0-9]* was reported after frame'
	ERRS="s/0x[0-9a-f]+/0x33/i if /0x11/; print" \
	    notices 'frame [0-9]*: reported as failed (grid), which it did not'
	ERRS="print; print \"what?\\n\" if $at" notices 'npu-run says: what?'
	# Here the emulator's log is wrong: according to it, the frame
	# succeeded.
	AFTER='sed -i "0,/ exception/{/ exception/d}" log' \
	    notices 'frame [0-9]*: reported as failed (exception), which it'
	AFTER='st=0' notices 'npu-run ended with wait status 0x0'
}

@test "soak notices frames that continue after the device is gone" {
	spoil
	# The frames in flight also fail when the device goes away.
	NOTICED=infer:300:nodevice
	NPU_EMU_FAULT=$NOTICED soak -n 600 m.cix log
	ERRS='print; s/frame \K(\d+)/$1 + 9/e && print' \
	    notices 'frame 30[0-9]: after the end'
	AFTER='st=1' notices 'npu-run ended with wait status 0x100'
	AFTER='st=0' notices 'npu-run ended with wait status 0x0'
}

@test "soak notices jobs and graphs that are left, and growing memory" {
	spoil
	AFTER='sed -i "s/^\(made job .*\) 0 /\1 1 /" log' \
	    notices 'jobs: 1 of 6[0-9]* were never cleaned'
	AFTER='sed -i "s/^made job [0-9]*/made job 699/" log' \
	    notices '699 jobs for 600 frames and [0-9]* waits'
	AFTER='sed -i "s/^\(made job .*\) .*/\1 9/" log' \
	    notices '9 jobs at a time'
	AFTER='sed -i "s/^made graph 1 1 0/made graph 1 0 1/" log' \
	    notices 'contexts: 1 of 1 closed; graphs: 0 of 1 unloaded'
	AFTER='sed -i /^made/d log' notices 'contexts: 0 of 0 closed'
	cat >spoilt/npu-run <<-'END'
	#!/bin/bash
	exec perl -e 'open my $p, "-|", @ARGV;
	    while (read $p, my $f, 1024) { syswrite STDOUT, $f;
		push @more, eval $ENV{MORE} if ++$n % 10 == 0 }
	    close $p; exit $? >> 8' "$B/bin/npu-run" "$@"
	END
	keeps() {
		rm -f log
		NPU_EMU_FAULT=$FAIL MORE=$1 run --separate-stderr -1 \
		    soak -n 2000 -m 2048 m.cix log
		[[ $stderr == *"soak: $2"* ]]
	}
	rm log
	NPU_EMU_FAULT=$FAIL MORE=1 soak -n 2000 -m 2048 m.cix log
	keeps '"x" x 100000' 'memory grew from '
	keeps 'do { open my $d, "<", "/dev/null"; $d }' 'descriptors: '
}

@test "soak notices memory that grows each time a model is opened" {
	export EMU=$B/lib/npu-utils/libnoe-emu.so
	mkdir spoilt
	cat >spoilt/queuepipe <<-'END'
	#!/bin/bash
	exec perl -e 'open my $p, "-|", @ARGV;
	    while (read $p, my $f, 1024) { syswrite STDOUT, $f;
		push @more, eval $ENV{MORE} if ++$n % 100 == 0 }
	    close $p; system $ENV{AFTER}; exit $? >> 8' \
		"$B/tests/tools/queuepipe" "$@"
	END
	chmod +x spoilt/queuepipe
	PATH=$PWD/spoilt:$PATH
	export MORE=1 AFTER=true
	grows() {
		rm -f log
		run --separate-stderr -1 soak -n 2000 -R 100 -m 1024 m.cix log
		echo "$stderr"
		[[ $stderr == *"soak: $1"* ]]
	}
	soak -n 2000 -R 100 -m 1024 m.cix log
	MORE='"x" x 200000' grows 'memory grew from '
	MORE='do { open my $d, "<", "/dev/null"; $d }' grows 'descriptors: '
	AFTER='sed -i "s/^made context 20 20/made context 19 19/" log' \
	    grows 'contexts: 19 of 19 closed'
}
