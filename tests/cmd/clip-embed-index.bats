#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-embed --index: vectors that are already in the index are not computed
# again.
# bats file_tags=slow

load ../support/helper
load ../support/clipembed

# no_model ARG...: runs clip-embed, and fails if the model runs at all.
no_model() {
	NPU_EMU_FAULT='infer:*:exception' clip-embed -d emu "$@"
}

@test "--index runs the model only for pictures not yet in the index" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[ -z "$output" ]
	[[ $stderr == *"clip-embed: ix: 2 vectors added, 0 renamed, 0 unchanged; 2 in the index" ]]
	cp ix old
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix black.ppm \
	    white.ppm
	[ -z "$output" ]
	[[ $stderr == *": 0 vectors added, 0 renamed, 2 unchanged; 2 in the index" ]]
	cmp ix old
	# A known picture is not even decoded: this limit would refuse it.
	run -0 no_model -m "$DOTS" --max-pixels=1 --index=ix black.ppm
	# The same picture with another name gets the same vector, without an
	# inference.
	cp white.ppm paper.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix paper.ppm
	[[ $stderr == *": 1 vector added, 0 renamed, 0 unchanged; 3 in the index" ]]
	# The old records have not changed by a byte.
	head -c "$(wc -c <old)" ix | cmp - old
	# A different picture with a known name replaces the old one.
	dots 99 >white.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[[ $stderr == *": 1 vector added, 0 renamed, 1 unchanged; 3 in the index" ]]
	run -0 --separate-stderr embed -m "$DOTS" --index=ix black.ppm
	[ -z "$stderr" ]
}

@test "a damaged vector is replaced when its picture is embedded again" {
	dots 0 >black.ppm
	dots 255 >white.ppm
	embed -m "$DOTS" --index=ix black.ppm white.ppm
	dots 9 >gray.ppm
	embed -m "$DOTS" -F npy gray.ppm >q.npy
	vec-nearest ix q.npy >want
	# Change a byte of the first vector, after the file's header and the
	# record's header.
	at=$(($(od -An -tu4 -j12 -N4 ix) + 64))
	printf '\177' | dd of=ix bs=1 seek=$at conv=notrunc status=none
	run -1 vec-nearest ix q.npy
	# A run that does not need the damaged vector does not change it.
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix white.ppm
	run -1 vec-nearest ix q.npy
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix \
	    black.ppm white.ppm
	[[ $stderr == *": 1 vector added, 0 renamed, 1 unchanged; 2 in the index" ]]
	vec-nearest ix q.npy | cmp - want
}

@test "an index without vectors accepts vectors of texts or of pictures" {
	echo hello >text
	run -1 embed -m "$DOTS" --index=new <text
	[ -s new ]
	run -0 embed --lines -m "$IDS" --index=new text
	run -0 vec-index new
	[ "$output" = "text     hello" ]
	dots 7 >a.ppm
	run --separate-stderr -1 embed -m "$DOTS" --index=new a.ppm
	[[ $stderr == *": it holds vectors of texts, not of pictures: "* ]]
}

@test "--index works for texts, and for pictures from every source" {
	printf 'one\ntwo\none\n' >texts
	run -0 --separate-stderr clip-embed -d emu --lines -m "$IDS" --index=t texts
	[[ $stderr == *" added, "*"; 2 in the index" ]]
	run -0 --separate-stderr no_model --lines -m "$IDS" --index=t texts
	[[ $stderr == *": 0 vectors added, 0 renamed, 3 unchanged; 2 in the index" ]]
	run -0 --separate-stderr no_model -m "$IDS" --index=t --text=two
	for i in 1 2; do printf 'P6\n2 2\n255\n%012d' $i; done >film
	run -0 clip-embed -d emu -m "$DOTS" --index=p --stream=ppm film
	run -0 --separate-stderr no_model -m "$DOTS" --index=p --stream=ppm film
	[[ $stderr == *" 2 unchanged; 2 in the index" ]]
	dots 7 >a.ppm
	run -0 clip-embed -d emu -m "$DOTS" --index=p <a.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=p <a.ppm
	[[ $stderr == *" 1 unchanged; 3 in the index" ]]
}

@test "an index contains the same vectors and names as other formats" {
	names=()
	for i in 1 77 150 255; do
		printf 'P3 2 2 255 %d 0 0 0 %d 0 9 9 9 0 0 200' "$i" "$i" \
		    >"$i.ppm"
		names+=("$i.ppm")
	done
	embed -m "$DOTS" --index=ix "${names[@]}"
	# Only the cosine of a vector with itself is exactly 1.
	for f in label npy jsonl; do
		embed -m "$DOTS" -F $f "${names[@]}" >v
		vec-nearest -n 1 ix v | cut -f 3,4 >found
		diff found <(printf '1\t%s\n' "${names[@]}")
	done
	embed -m "$DOTS" --norm=none --index=long "${names[@]}"
	vec-nearest -n 1 ix long | cut -f 1,4 |
	    diff - <(for n in "${names[@]}"; do printf '%s\t%s\n' "$n" "$n"
	done)
}

@test "two processes can add to one index at the same time" {
	for i in $(seq 60); do dots "$i" >"$i.ppm"; done
	export NPU_EMU_INFER_MS=2
	seq -f %g.ppm 1 40 | embed -m "$DOTS" --index=ix --files-from=- &
	seq -f %g.ppm 21 60 | embed -m "$DOTS" --index=ix --files-from=-
	wait $!
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix \
	    --files-from=<(seq -f %g.ppm 1 60)
	[[ $stderr == *" 60 unchanged; 60 in the index" ]]
}

@test "inputs that failed are not added to the index" {
	dots 255 >a.ppm
	run -1 --separate-stderr embed -m "$DOTS" --index=ix a.ppm missing
	[ "$stderr" = "clip-embed: missing: No such file or directory" ]
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix a.ppm
	[[ $stderr == *" 1 unchanged; 1 in the index" ]]
	dots 254 >b.ppm
	NPU_EMU_FAULT=infer:1:exception run -1 embed -m "$DOTS" --index=ix \
	    b.ppm
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index=ix b.ppm
	[[ $stderr == *": 1 vector added, "*" 2 in the index" ]]
	# This name is too long for an index.
	mkonnx Identity f32:1x70000 : f32:1x70000 >long.onnx
	cix-pack -o long.cix -I text:s32:1x65536 -O v:f32:1x65536
	printf 'a%.0s' $(seq 66000) >long
	run -1 --separate-stderr embed --lines -m "$IDS" --truncate --index=tx \
	    long
	[[ $stderr == "clip-embed: long: line 1: "*" bytes"* ]]
	run -0 --separate-stderr clip-embed -d emu --lines -m "$IDS" --index=tx \
	    </dev/null
	[[ $stderr == *"; 0 in the index" ]]
}

@test "100 bad pictures can wait behind a running inference" {
	dots 255 >a.ppm
	# shellcheck disable=SC2046
	NPU_EMU_INFER_MS=1500 run -1 --separate-stderr embed -v -T none \
	    -m "$DOTS" -F text a.ppm $(printf 'none%d ' $(seq 100)) a.ppm
	[ "${#lines[@]}" -eq 102 ]
	[ "${lines[0]}" = "${lines[101]}" ]
	[ "${#stderr_lines[@]}" -eq 100 ]
	[ "${stderr_lines[99]}" = \
	    "clip-embed: none100: No such file or directory" ]
}

@test "a line that a signal or an I/O error cuts off is not embedded" {
	mkfifo in
	exec 8<>in
	clip-embed -q -d emu -m "$IDS" --lines -F text in >out 3>&- 8>&- &
	pid=$!
	printf 'cat\nca' >&8
	for _ in $(seq 600); do
		[ ! -s out ] || break
		sleep 0.1
	done
	sleep 0.2
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 143 ]
	[ "$(wc -l <out)" -eq 1 ]
	printf 'cat\nca' >texts
	run --separate-stderr -1 torn texts clip-embed -q -d emu -m "$IDS" --lines \
	    -F text -
	[ "${#lines[@]}" -eq 1 ]
	[ "$stderr" = "clip-embed: stdin: Input/output error" ]
}

@test "a SIGALRM from outside interrupts neither open() nor read()" {
	printf 'P6 2 2 255\nabcdefghijkl' >a.ppm
	embed -m "$DOTS" -F text a.ppm >one
	mkfifo in
	for args in "-m $IDS --lines" "-m $DOTS --stream=ppm"; do
		# shellcheck disable=SC2086 # words
		clip-embed -q -d emu -F text $args in >out 3>&- &
		pid=$!
		loaded $pid
		sleep 0.5
		kill -ALRM $pid		# in open()
		sleep 0.3
		exec 8<>in
		# Wait until clip-embed has opened the pipe; earlier data would
		# be lost.
		for _ in $(seq 1200); do
			! find "/proc/$pid/fd" -lname "$PWD/in" | grep -q . ||
				break
			sleep 0.05
		done
		sleep 0.3
		kill -ALRM $pid		# in read()
		sleep 0.3
		case $args in
		*--lines) echo cat ;;
		*) cat a.ppm ;;
		esac >&8
		exec 8>&-
		wait $pid
		case $args in
		*--lines) embed -m "$IDS" -F text --text=cat | cmp - out ;;
		*) cmp one out ;;
		esac
	done
}

@test "70 unusable texts can wait behind a running inference" {
	# At most 64 wait; a row of 4 ids has no room for 5 words.
	{ echo cat; seq 70 | sed 's/.*/a b c d e/'; echo cat; } >texts
	NPU_EMU_INFER_MS=700 run -1 --separate-stderr embed -T none -m "$IDS" \
	    --lines -F text texts
	[ "${#lines[@]}" -eq 72 ]
	[ "${lines[0]}" = "${lines[71]}" ]
	[ "$(printf '%s\n' "${lines[@]:1:70}" | sort -u)" = "nan nan nan nan" ]
	[ "${#stderr_lines[@]}" -eq 70 ]
	[[ ${stderr_lines[69]} == "clip-embed: texts: line 71: "* ]]
}

@test "SIGTERM ends the wait for inferences that timed out" {
	seq 60 | sed 's/.*/cat/' >texts
	# Three inferences are in flight and time out; a fourth then waits for a
	# second until one may start.
	export NPU_EMU_INFER_MS=3600000
	clip-embed -q -d emu -T 200ms --lines -m "$IDS" -o out texts \
	    2>said 3>&- &
	pid=$!
	for _ in $(seq 600); do
		[ ! -e said ] || [ "$(wc -l <said)" -lt 3 ] || break
		sleep 0.1
	done
	sleep 0.3
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
	[ ! -e out ]
}

@test "an index with another model, preprocessing or norm is refused" {
	dots 255 >a.ppm
	embed -m "$DOTS" --index=ix a.ppm
	cp ix old
	run -1 --separate-stderr embed -m "$DOTS" --index=ix --for=hub-clip a.ppm
	[[ $stderr == "clip-embed: ix: "*"crop 2x2 bicubic"*"stretch 2x2 bilinear"* ]]
	mkonnx Relu f32:1x3x2x2 : f32:1x3x2x2 >relu.onnx
	cix-pack -o relu.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 relu.onnx
	run -1 --separate-stderr embed -m ./relu.cix --index=ix a.ppm
	[ "$stderr" = "clip-embed: ix: its vectors are by model \
$(basename "$DOTS") ($(sha256sum <"$DOTS" | cut -c 1-12)), these by relu.cix \
($(sha256sum <relu.cix | cut -c 1-12)): an index has vectors of one; name \
another" ]
	run -1 --separate-stderr embed -m "$DOTS" --index=ix --norm=none a.ppm
	[[ $stderr == "clip-embed: ix: "*l2*none* ]]
	cix-pack -o words.cix -I text:s32:1x4 -O v:f32:1x12
	run -1 --separate-stderr embed -m ./words.cix --index=ix --text=cat
	[ "$stderr" = "clip-embed: ix: it holds vectors of pictures, not of \
texts: an index holds one kind; name another, and vec-nearest compares the two" ]
	run -1 embed -m "$IDS" --index=ix --text=cat
	run -1 embed -m "$DOTS" --index=a.ppm a.ppm
	cmp ix old
	# vec-nearest does not compare vectors of two models.
	embed -m "$IDS" --index=texts --text=cat
	h=$(perl -e 'print "ab" x 32')
	printf '{"kind":"text","model_sha256":"%s","vector":[1,0,0,0]}\n' "$h" \
	    >query
	run -1 --separate-stderr vec-nearest texts query
	[[ $stderr == "vec-nearest: texts: vector 1 (cat): a text's vector of \
model $(sha256sum <"$IDS" | cut -c 1-12), but query has vectors of model \
${h:0:12}; "* ]]
	for args in '-F raw' '-o v' '--write-ids=i' '--about=i' '--text=cat'; do
		# shellcheck disable=SC2086 # words
		run -2 embed --index=ix $args a.ppm
	done
}

# names FILE: prints the names in an index, one in each line.
names() {
	embed -m "$DOTS" --norm=none -F npy any.ppm >q.npy || return
	vec-nearest -n 0 "$1" q.npy | cut -f 4 | sort
}

@test "the same pictures from another working directory add nothing" {
	mkdir -p many/deep
	dots 1 >many/a.ppm
	dots 2 >many/deep/b.ppm
	dots 3 >any.ppm
	ln -s many/deep link
	ln -s a.ppm many/alias.ppm
	embed -m "$DOTS" --index=ix -R many
	# A link has a path of its own, so it is a third entry.
	run -0 names ix
	[ "$output" = "many/a.ppm
many/alias.ppm
many/deep/b.ppm" ]
	cp ix old
	cd many
	run -0 --separate-stderr no_model -m "$DOTS" --index=../ix a.ppm \
	    deep/../alias.ppm "$PWD/a.ppm" ../link/b.ppm
	[[ $stderr == *": 0 vectors added, 0 renamed, 4 unchanged; 3 in the index" ]]
	cd ..
	cmp ix old
	# The same name in another folder is another picture.
	mkdir other
	dots 4 >other/a.ppm
	cd other
	embed -m "$DOTS" --index=../ix a.ppm
	cd ..
	got=$(names ix | grep -c 'a\.ppm$')
	[ "$got" -eq 2 ]
	# A text has no path, and neither has stdin.
	embed -m "$IDS" --index=texts --text=a
	mkdir texts.d
	cd texts.d
	run -0 --separate-stderr no_model -m "$IDS" --index=../texts --text=a
	[[ $stderr == *" 1 unchanged; 1 in the index" ]]
}

@test "a renamed picture is renamed in the index; a copy is added" {
	dots 1 >a.ppm
	dots 2 >b.ppm
	dots 3 >any.ppm
	embed -m "$DOTS" --index=ix a.ppm b.ppm
	mkdir sub
	mv a.ppm sub/c.ppm
	cp b.ppm copy.ppm
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix sub/c.ppm \
	    b.ppm copy.ppm
	[[ $stderr == *": 1 vector added, 1 renamed, 1 unchanged; 3 in the index" ]]
	run -0 names ix
	[ "$output" = "b.ppm
copy.ppm
sub/c.ppm" ]
	mv sub dir
	run -0 --separate-stderr no_model -m "$DOTS" --index=ix -R dir
	[[ $stderr == *", 1 renamed, 0 unchanged; 3 in the index" ]]
	run -0 names ix
	[ "$output" = "b.ppm
copy.ppm
dir/c.ppm" ]
}

@test "an index of version 1 is read, and the next run upgrades it" {
	command -v python3 >/dev/null || skip 'no python3'
	printf 'P6 2 2 255\n%012d' 1 >a.ppm
	cp a.ppm any.ppm
	embed -m "$DOTS" --index=ix a.ppm
	# Write an index of version 1, in which names had no paths.
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/vec-index.5"
	sed '/^if command/,$d' page.1.sh >write.sh
	sh write.sh
	sed -i '/^out = /,$d' writer.py
	cat >>writer.py <<-'EOF'
		b = open("ix", "rb").read()
		n, dim = struct.unpack("<II", b[12:20])
		head = bytearray(b[:n])
		head[8] = 1
		head[96:104] = bytes(8)
		head[96:104] = struct.pack("<Q", checksum(head))
		x = struct.unpack("<%df" % dim, b[n + 64:n + 64 + 4 * dim])
		open("old", "wb").write(head + record(n, b"a.ppm", x, b[n + 16:n + 48]))
	EOF
	/usr/bin/python3 writer.py
	[ "$(od -An -tu4 -j8 -N4 old | tr -d ' ')" = 1 ]
	run -0 names old
	[ "$output" = a.ppm ]
	cp old again
	mkdir sub
	cd sub
	run -0 --separate-stderr no_model -m "$DOTS" --index=../old ../a.ppm
	[[ $stderr == *", 1 renamed, 0 unchanged; 1 in the index" ]]
	cd ..
	[ "$(od -An -tu4 -j8 -N4 old | tr -d ' ')" = 2 ]
	run -0 names old
	[ "$output" = ../a.ppm ]
	run -0 --separate-stderr no_model -m "$DOTS" --index=old a.ppm
	[[ $stderr == *" 1 unchanged; 1 in the index" ]]
	run -0 --separate-stderr no_model -m "$DOTS" --index=again a.ppm
	[[ $stderr == *", 1 renamed, 0 unchanged; 1 in the index" ]]
	run -0 names again
	[ "$output" = a.ppm ]
}

@test "an empty file is an empty index" {
	dots 1 >a.ppm
	ix=$(mktemp ./ix.XXXXXX)
	run -0 --separate-stderr clip-embed -d emu -m "$DOTS" --index="$ix" \
	    a.ppm
	[[ $stderr == *": 1 vector added, "*" 1 in the index" ]]
	[ "$(stat -c %a "$ix")" = 600 ]
}
