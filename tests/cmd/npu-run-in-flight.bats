#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-run -j: several inferences in flight, on the emulator.  mkcix's models
# make each output byte the input's exclusive-or'ed with 0x55; perl makes the
# output that is expected.
# bats file_tags=slow

load ../support/helper

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# frames N: N frames of 4 bytes, each with its number; xored: what becomes of
# stdin.
frames() {
	perl -e 'print pack("(N)*", map { $_ * 2654435761 % 2 ** 32 } 1 .. $ARGV[0])' "$1"
}

xored() {
	perl -0777 -pe 'binmode STDIN; $_ ^= "\x55" x length'
}

# large: a model whose frame is 2 MiB, more than a pipe holds, and one frame.
large() {
	mkcix --in u8:2097152 --out u8:2097152 --op=xor >large.cix
	perl -e 'print pack("(N)*", 1 .. 524288)' >frame
}

@test "-j: the same bytes at any depth, from every form of input" {
	frames 50 >raw
	xored <raw >want
	npu-tensor --add -t s8 --shape=1,4 -s 20 -z 60 raw >labelled
	for i in $(seq 1 4 197); do
		tail -c +"$i" raw | head -c 4 |
		    npu-tensor --add -t s8 --shape=1,4 -F npy >>npy
	done
	npu-run -j 1 m.cix raw >label.want
	npu-tensor -r label.want | cmp - want
	for j in 1 2 3 8 64; do
		for f in raw labelled npy; do
			npu-run -j "$j" -r m.cix "$f" >got
			cmp got want
			npu-run -j "$j" m.cix <"$f" | cmp - label.want
		done
		head -c 80 raw >a
		tail -c +81 raw >b
		npu-run "-j$j" -r m.cix a b | cmp - want
	done
}

@test "-j: several inputs from a file each, and several outputs" {
	mkcix --in s8:2 --in u8:3 --out s8:2 --out u8:3 --op=xor >two.cix
	perl -e 'print map { chr($_ * 7 % 256) } 1 .. 60' >a
	perl -e 'print map { chr($_ * 11 % 256) } 1 .. 90' >b
	perl -e 'local $/; open A, "a"; open B, "b"; $a = <A>; $b = <B>;
	    print substr($a, $_ * 2, 2), substr($b, $_ * 3, 3) for 0 .. 29' >ab
	xored <ab >want
	for j in 1 2 3 8; do
		npu-run -j "$j" -r --input=0=a --input=1=b two.cix >got
		cmp got want
		npu-run -j "$j" -r two.cix ab | cmp - want
		npu-run -j "$j" two.cix <ab | npu-tensor -r | cmp - want
	done
}

@test "-j: order is kept, whichever ends first" {
	frames 30 >in
	xored <in >want
	export NPU_EMU_CORES=8 NPU_EMU_INFER_MS=2
	NPU_EMU_FAULT=infer:1:delay=80,infer:4:delay=50
	for n in 7 8 13 20 29; do
		NPU_EMU_FAULT+=,infer:$n:delay=$((n * 3))
	done
	export NPU_EMU_FAULT
	for j in 1 2 3 8; do
		npu-run -j "$j" -r m.cix in >got
		cmp got want
	done
}

# without FRAME...: stdin without those frames.
without() {
	perl -e '$/ = \4; my %no = map { $_ => 1 } @ARGV; @ARGV = ();
	    while (<STDIN>) { print unless $no{$.} }' "$@"
}

@test "-j: a frame that fails is missing and named with -k, whatever fails" {
	frames 12 >in
	xored <in | without 3 5 12 >want
	export NPU_EMU_INFER_MS=5
	# No job is made for frame 5, so frame 12 is the 11th that runs.
	export NPU_EMU_FAULT=infer:3:exception,create:5:grid,infer:11:schedule
	for j in 1 2 3 8; do
		run --separate-stderr -1 bash -c \
		    "npu-run -j $j -k -r m.cix in >got"
		cmp got want
		[ "${#stderr_lines[@]}" -eq 3 ]
		[[ ${stderr_lines[0]} == *": frame 3: job: "*"(0x11)"* ]]
		[[ ${stderr_lines[1]} == *": frame 5: "*"(0x33)"* ]]
		[[ ${stderr_lines[2]} == *": frame 12: "*"(0x37)"* ]]
	done
}

@test "-j: fewer than asked for where the device has memory for fewer" {
	frames 7 >in
	xored <in >want
	# The second and the third are in flight by then.
	NPU_EMU_FAULT=create:4:nomem,infer:1:delay=50,infer:2-3:delay=5000 \
	    run --separate-stderr -0 bash -c "npu-run -j 3 -r m.cix in >got"
	cmp got want
	[[ $stderr =~ ^npu-run:\ the\ device\ has\ memory\ for\ [12]\ inferences?\ at\ a\ time,\ not\ 3$ ]]
	# The library says of a device that is gone that it has no memory.
	NPU_EMU_INFER_MS=200 NPU_EMU_FAULT=create:4:nodevice \
	    run --separate-stderr -3 bash -c \
	    "npu-run -j 3 -r m.cix in >got"
	[[ $stderr == *"the device is gone"* && $stderr != *"has memory"* ]]
}

@test "-j: without -k only the frames before the failure are written" {
	frames 12 >in
	xored <in | head -c 24 >want
	export NPU_EMU_INFER_MS=5
	for f in infer:7:exception create:7:grid infer:7:schedule; do
		for j in 1 2 3 8; do
			NPU_EMU_FAULT=$f run --separate-stderr -1 bash -c \
			    "npu-run -j $j -r m.cix in >got"
			cmp got want
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == "npu-run: m.cix: frame 7: "* ]]
		done
	done
}

@test "-j: -T is one frame's, and the others go on" {
	frames 9 >in
	xored <in | without 4 >want
	export NPU_EMU_FAULT=infer:4:timeout
	run --separate-stderr -1 bash -c 'npu-run -k -T 700ms -r m.cix in >got'
	cmp got want
	[[ $stderr == "npu-run: m.cix: frame 4: no result after 0.7 s: "* ]]
}

@test "-j: bad input fails after all frames before it were written" {
	frames 9 >in
	xored <in | head -c 32 >want
	head -c 34 in >cut
	export NPU_EMU_INFER_MS=20
	for j in 1 3 8; do
		run -1 bash -c "npu-run -j $j -r m.cix <cut >got"
		[ "$output" = "npu-run: stdin: 34 bytes, not a whole number of frames of 4 bytes; frame 9 has 2" ]
		cmp got want
		head -c 32 in >whole
		run -1 bash -c "npu-run -j $j -r m.cix whole gone >got"
		[ "$output" = "npu-run: gone: No such file or directory" ]
		cmp got want
		run -1 bash -c "npu-run -j $j -r m.cix whole . >got"
		[ "$output" = "npu-run: .: Is a directory" ]
		cmp got want
	done
	# A frame that fails before the bad input is what is reported.
	NPU_EMU_FAULT=infer:8:exception run -1 bash -c \
	    'npu-run -j 8 -r m.cix <cut >got'
	[[ $output == "npu-run: m.cix: frame 8: "* ]]
}

@test "-j: the frames before an error are written to a slow reader, too" {
	large
	cat frame frame frame frame >in
	head -c 6300000 in >cut
	cat frame frame frame | xored >want
	run -1 bash -c 'npu-run -r large.cix <cut | (sleep 2; cat >got)
	    exit "${PIPESTATUS[0]}"'
	[[ $output == *"; frame 4 has 8544" ]]
	cmp got want
	NPU_EMU_FAULT=infer:4:exception run -1 bash -c \
	    'npu-run -r large.cix <in | (sleep 2; cat >got)
	    exit "${PIPESTATUS[0]}"'
	[[ $output == "npu-run: large.cix: frame 4: "* ]]
	cmp got want
}

@test "-j: the library's messages are printed with the frame they are about" {
	frames 9 >in
	export NPU_EMU_NOISE=1 NPU_EMU_INFER_MS=5
	NPU_EMU_FAULT=infer:6:schedule run --separate-stderr -1 bash -c \
	    'npu-run -j 8 -k -r m.cix in >got'
	[[ $stderr == *"npu-run: the library says: "*"could not be scheduled"* ]]
	[ "$(grep -c 'could not be scheduled' <<<"$stderr")" -eq 1 ]
}

@test "-j: an answer comes before the next question is asked" {
	export NPU_EMU_INFER_MS=20
	for j in 1 3 8; do
		perl -MIPC::Open2 -e '
		    alarm 300;
		    my $pid = open2(my $out, my $in, @ARGV);
		    for (1 .. 6) {
			my $q = pack "N", $_ * 40503;
			syswrite $in, $q;
			my ($a, $got) = ("", "");
			while (length $a < 4) {
			    sysread $out, $got, 4 - length $a or die "end";
			    $a .= $got;
			}
			die "wrong" if ($a ^ $q) ne "\x55" x 4;
		    }
		    close $in; waitpid $pid, 0; exit $?' \
		    npu-run -j "$j" -r m.cix
	done
}

@test "-j: input that comes in pieces is put together" {
	frames 6 >in
	xored <in >want
	perl -e '$| = 1; $/ = \3; while (<>) { print;
	    select undef, undef, undef, 0.05 }' in |
	    npu-run -r m.cix >got
	cmp got want
}

@test "-j: reading goes on while one runs" {
	large
	export NPU_EMU_INFER_MS=3600000
	# Three frames are taken, the last two while the first runs.
	cat frame frame frame >three
	perl -MIPC::Open2 -e '
	    alarm 300;
	    open my $f, "<", "three"; local $/; my $frames = <$f>;
	    my $pid = open2(my $out, my $in, @ARGV);
	    my $at = 0;
	    $at += syswrite $in, $frames, length($frames) - $at, $at
		while $at < length $frames;
	    kill "TERM", $pid; waitpid $pid, 0;
	    die "status $?" if $? != 15;' npu-run -T none -r large.cix
}

@test "-j: nobody reads: it takes what it has room for, and no more" {
	large
	for j in 1 3; do
		perl -MIPC::Open2 -MFcntl -e '
		    alarm 300;
		    open my $f, "<", "frame"; local $/; my $frame = <$f>;
		    my $most = 40 * length $frame;
		    my $pid = open2(my $out, my $in, @ARGV);
		    $SIG{PIPE} = "IGNORE";
		    fcntl $in, F_SETFL, O_NONBLOCK | fcntl $in, F_GETFL, 0;
		    my ($at, $w) = (0, "");
		    # Until nothing is taken and all its threads sleep at ten
		    # looks in a row.
		    for (my $n = 0; $n < 10 && $at <= $most; ) {
			vec($w, fileno $in, 1) = 1;
			if (!select undef, $w, undef, 0.1) {
			    $n++;
			    for (glob "/proc/$pid/task/*/stat") {
				open my $f, "<", $_ or next;
				$n = 0 if readline($f) !~ /.*\) S/;
			    }
			    next;
			}
			$n = 0;
			$at += syswrite($in, $frame,
			    length($frame) - $at % length $frame,
			    $at % length $frame) // 0;
		    }
		    printf "%.1f\n", $at / length $frame;
		    my $frames = int($at / length $frame);
		    # Then it can be read, and nothing is missing.
		    my $got = "";
		    while (length $got < $frames * length $frame) {
			sysread $out, $got, 1 << 20, length $got or die "end";
		    }
		    die "wrong" if ($got ^ $frame x $frames) ne
			"\x55" x length $got;
		    kill "TERM", $pid; waitpid $pid, 0;
		    die "status $?" if $? != 15;' \
		    npu-run -j "$j" -r large.cix >taken
		# Results: as many as are in flight, and two more; frames: two;
		# half of one in each pipe.
		awk -v j="$j" '$1 < j + 2 || $1 > j + 5.2 { print; exit 1 }' taken
	done
}

@test "-j: a slow reader gets it all" {
	mkcix --in u8:300000 --out u8:300000 --op=xor >m.cix
	perl -e 'print map { chr($_ % 251) } 1 .. 6000000' >in
	xored <in >want
	export NPU_EMU_INFER_MS=30 NPU_EMU_CORES=1
	npu-run --times=json -r m.cix in 2>stats | (sleep 5; cat) >got
	cmp got want
	jq -e '.frames == 20 and .wall_ms > 4000 and
	    .infer_mean_ms >= 30' stats
}

# Each inference's own time, though they overlap: tests/unit/device/queue.c.
@test "-j: --times has the times of the stages, which add up for -j 1" {
	frames 20 >in
	export NPU_EMU_INFER_MS=50 NPU_EMU_CREATE_MS=30 NPU_EMU_CORES=1
	npu-run -j 1 --times=json -o out m.cix in 2>one
	npu-run -j 3 --times=json -o out m.cix in 2>three
	for f in one three; do
		jq -e '.infer_mean_ms >= 45 and .create_mean_ms >= 30' $f
	done
	# One after the other: no moment counts twice.
	jq -e '20 * (.infer_mean_ms + .create_mean_ms) <= .wall_ms' one
}

@test "-j: --reuse-job keeps a job for each in flight, and gives the same" {
	frames 12 >in
	xored <in >want
	export NPU_EMU_INFER_MS=100
	for j in 1 3 8; do
		npu-run -j "$j" --reuse-job -r m.cix in >got
		cmp got want
	done
}

# ends_by SIGNAL STATUS COMMAND...: sends SIGNAL when the first inference has
# begun and all its threads sleep at ten looks in a row.  A call of the library
# that does not return is abandoned after 2 s; here none may be: it unloads the
# model and closes the device.  Where this machine takes longer, it runs again.
ends_by() {
	export NPU_EMU_LOG=log
	NPU_EMU_FAULT=${NPU_EMU_FAULT-infer:1:delay=0},unload:1:delay=0,deinit:1:delay=0 \
	    perl -MTime::HiRes=sleep -e '
	    my ($sig, $want, @cmd) = @ARGV;
	    $SIG{INT} = "DEFAULT";
	    alarm 500;
	    for (1 .. 20) {
		unlink "log";
		my $pid = fork;
		if (!$pid) { exec @cmd or die }
		sleep 0.05 while system "grep", "-qs", "fault infer", "log";
		for (my $n = 0; $n < 10; $n++) {
		    sleep 0.02;
		    for (glob "/proc/$pid/task/*/stat") {
			open my $f, "<", $_ or next;
			$n = -1 if <$f> !~ /.*\) S/;
		    }
		}
		kill $sig, $pid;
		waitpid $pid, 0;
		exit 1 if ($? & 127) + 128 != $want;
		my $log = do { local (@ARGV, $/) = "log"; <> };
		exit 0 if $log =~ /fault unload.*fault deinit/s;
	    }
	    exit 1' "$@"
}

@test "-j: signals with many in flight, and while nobody reads" {
	frames 20 >in
	# Inferences in flight are given a second to end.
	NPU_EMU_FAULT='infer:*:delay=3600000' ends_by INT 130 npu-run -j 8 \
	    -T none -o out m.cix in
	[ ! -e out ]
	large
	cat frame frame frame frame frame frame frame frame >in
	mkfifo pipe
	exec 5<>pipe		# a reader that does not read
	ends_by TERM 143 sh -c 'exec npu-run -r large.cix in >pipe'
	ends_by INT 130 sh -c 'exec npu-run -r large.cix frame frame >pipe'
	exec 5<&-
}

@test "-j: a reader that leaves, and a device that is full, after a while" {
	large
	cat frame frame frame frame frame frame >in
	run -0 bash -c 'npu-run -j 8 -r large.cix in | head -c 3000000 >/dev/null
	    echo "${PIPESTATUS[0]}"'
	[ "$output" = 141 ]
	run -1 bash -c 'trap "" PIPE
	    npu-run -r large.cix in | head -c 3000000 >/dev/null
	    exit "${PIPESTATUS[0]}"'
	[ "$output" = "npu-run: write error: Broken pipe" ]
	run -1 bash -c '(ulimit -f 3000; npu-run -r -o out large.cix in) 2>&1 |
	    cat; exit "${PIPESTATUS[0]}"'
	[ "$output" = "npu-run: out: write error: File too large" ]
	[ ! -e out ]
}

@test "-j: from 1 to 64, with --dry-run too" {
	frames 3 >in
	for j in 0 65 -1 x ''; do
		run --separate-stderr -2 npu-run -j "$j" m.cix in
		[[ $stderr == "npu-run: --jobs: "* ]]
	done
	npu-run --dry-run -j 8 m.cix >eight
	npu-run --dry-run m.cix | cmp - eight
}
