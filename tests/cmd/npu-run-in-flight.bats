#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-run -j: several inferences in flight, on the emulator.  The models that
# mkcix makes XOR each byte of the input with 0x55; perl calculates the expected
# output.
# bats file_tags=slow

load ../support/helper

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# frames N: prints N frames of 4 bytes, all different.
# xored: prints the output that the model gives for stdin.
frames() {
	perl -e 'print pack("(N)*", map { $_ * 2654435761 % 2 ** 32 } 1 .. $ARGV[0])' "$1"
}

xored() {
	perl -0777 -pe 'binmode STDIN; $_ ^= "\x55" x length'
}

# large: makes a model whose frame is 2 MiB, more than a pipe holds, and a file
# with one frame.
large() {
	mkcix --in u8:2097152 --out u8:2097152 --op=xor >large.cix
	perl -e 'print pack("(N)*", 1 .. 524288)' >frame
}

@test "the output is the same for each -j and for each input format" {
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

@test "-j works with several outputs, and several inputs from a file each" {
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

@test "-j keeps the order of the frames, even if later frames end first" {
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

# without FRAME...: copies stdin, except the frames with these numbers.
without() {
	perl -e '$/ = \4; my %no = map { $_ => 1 } @ARGV; @ARGV = ();
	    while (<STDIN>) { print unless $no{$.} }' "$@"
}

@test "-j -k leaves out and reports each failed frame, for any failure" {
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

@test "-j runs fewer inferences at a time if the device's memory is too small" {
	frames 7 >in
	xored <in >want
	# Frames 2 and 3 are in flight when the fourth job cannot be created.
	NPU_EMU_FAULT=create:4:nomem,infer:1:delay=50,infer:2-3:delay=5000 \
	    run --separate-stderr -0 bash -c "npu-run -j 3 -r m.cix in >got"
	cmp got want
	[[ $stderr =~ ^npu-run:\ the\ device\ has\ memory\ for\ [12]\ inferences?\ at\ a\ time,\ not\ 3$ ]]
	# If the device is gone, the library also reports a lack of memory.
	NPU_EMU_INFER_MS=200 NPU_EMU_FAULT=create:4:nodevice \
	    run --separate-stderr -3 bash -c \
	    "npu-run -j 3 -r m.cix in >got"
	[[ $stderr == *"the device is gone"* && $stderr != *"has memory"* ]]
}

@test "-j without -k writes only the frames before the failure" {
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

@test "-j: after the timeout of one frame, -k continues with the others" {
	frames 9 >in
	xored <in | without 4 >want
	export NPU_EMU_FAULT=infer:4:timeout
	run --separate-stderr -1 bash -c 'npu-run -k -T 700ms -r m.cix in >got'
	cmp got want
	[[ $stderr == "npu-run: m.cix: frame 4: no result after 0.7 s: "* ]]
}

@test "-j writes all frames before a bad input, then fails" {
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
	# If a frame before the bad input fails, this failure is reported.
	NPU_EMU_FAULT=infer:8:exception run -1 bash -c \
	    'npu-run -j 8 -r m.cix <cut >got'
	[[ $output == "npu-run: m.cix: frame 8: "* ]]
}

@test "-j writes the frames before an error even to a slow reader" {
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

@test "-j prints the library's message about a failed frame once" {
	frames 9 >in
	export NPU_EMU_NOISE=1 NPU_EMU_INFER_MS=5
	NPU_EMU_FAULT=infer:6:schedule run --separate-stderr -1 bash -c \
	    'npu-run -j 8 -k -r m.cix in >got'
	[[ $stderr == *"npu-run: the library says: "*"could not be scheduled"* ]]
	[ "$(grep -c 'could not be scheduled' <<<"$stderr")" -eq 1 ]
}

@test "-j writes each result without waiting for the next frame" {
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
			    sysread $out, $got, 4 - length $a or die "EOF";
			    $a .= $got;
			}
			die "wrong output" if ($a ^ $q) ne "\x55" x 4;
		    }
		    close $in; waitpid $pid, 0; exit $?' \
		    npu-run -j "$j" -r m.cix
	done
}

@test "-j joins input that arrives in pieces into frames" {
	frames 6 >in
	xored <in >want
	perl -e '$| = 1; $/ = \3; while (<>) { print;
	    select undef, undef, undef, 0.05 }' in |
	    npu-run -r m.cix >got
	cmp got want
}

@test "-j reads further frames while an inference runs" {
	large
	export NPU_EMU_INFER_MS=3600000
	# npu-run reads three frames, the last two during the first inference.
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

@test "-j reads only a limited number of frames if nobody reads the output" {
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
		    # Until npu-run reads nothing, and all its threads sleep
		    # in ten checks in a row.
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
		    # Then read the output: nothing is missing.
		    my $got = "";
		    while (length $got < $frames * length $frame) {
			sysread $out, $got, 1 << 20, length $got or die "EOF";
		    }
		    die "wrong output" if ($got ^ $frame x $frames) ne
			"\x55" x length $got;
		    kill "TERM", $pid; waitpid $pid, 0;
		    die "status $?" if $? != 15;' \
		    npu-run -j "$j" -r large.cix >taken
		# npu-run holds j + 2 results and two input frames, and each of
		# the two pipes (1 MiB) holds half a frame.
		awk -v j="$j" '$1 < j + 2 || $1 > j + 5.2 { print; exit 1 }' taken
	done
}

@test "-j writes all results to a slow reader" {
	mkcix --in u8:300000 --out u8:300000 --op=xor >m.cix
	perl -e 'print map { chr($_ % 251) } 1 .. 6000000' >in
	xored <in >want
	export NPU_EMU_INFER_MS=30 NPU_EMU_CORES=1
	npu-run --times=json -r m.cix in 2>stats | (sleep 5; cat) >got
	cmp got want
	jq -e '.frames == 20 and .wall_ms > 4000 and
	    .infer_mean_ms >= 30' stats
}

# tests/unit/device/queue.c tests that overlapping inferences have separate
# times.
@test "-j: --times reports the time of each stage; -j 1 counts no time twice" {
	frames 20 >in
	export NPU_EMU_INFER_MS=50 NPU_EMU_CREATE_MS=30 NPU_EMU_CORES=1
	npu-run -j 1 --times=json -o out m.cix in 2>one
	npu-run -j 3 --times=json -o out m.cix in 2>three
	for f in one three; do
		jq -e '.infer_mean_ms >= 45 and .create_mean_ms >= 30' $f
	done
	# With -j 1, the stages follow each other, so no time counts twice.
	jq -e '20 * (.infer_mean_ms + .create_mean_ms) <= .wall_ms' one
}

@test "-j with --reuse-job gives the same output" {
	frames 12 >in
	xored <in >want
	export NPU_EMU_INFER_MS=100
	for j in 1 3 8; do
		npu-run -j "$j" --reuse-job -r m.cix in >got
		cmp got want
	done
}

# ends_by SIGNAL STATUS COMMAND...: runs COMMAND until the first inference has
# begun, and all its threads sleep in ten checks in a row.  Then sends SIGNAL,
# and checks STATUS.  npu-run abandons a library call that does not return
# within 2 s; here, it must unload the model and close the device.  If this
# machine takes longer than 2 s, the test runs COMMAND again.
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

@test "npu-run -j 8 cleans up after a signal, also with an idle reader" {
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

@test "a reader that leaves midway, or a full file, ends npu-run -j" {
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

@test "-j accepts 1 to 64, and --dry-run ignores it" {
	frames 3 >in
	for j in 0 65 -1 x ''; do
		run --separate-stderr -2 npu-run -j "$j" m.cix in
		[[ $stderr == "npu-run: --jobs: "* ]]
	done
	npu-run --dry-run -j 8 m.cix >eight
	npu-run --dry-run m.cix | cmp - eight
}
