#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# bats file_tags=arm64

load ../support/helper

# q has the bytes abcdefgh; q.t has two labelled frames of s8 [2,2] from q.
setup() {
	printf 'abcdefgh' >q
	npu-tensor --add -t s8 --shape=2,2 -s 27.5 -z 60 q >q.t
}

# by_hand: prints the label of frame 1 that npu-tensor(5) describes, worked out
# by hand: the scale 27.5 is 0x41dc0000.
by_hand() {
	printf 'NPUTENS1\003\0\0\0\002\0\0\0\002\0\0\0\002\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\334\101\074\0\0\0'
	printf '\004\0\0\0\0\0\0\0\0\0\001\0\0\0\0\0'
}

@test "--add puts a label before each frame, with the documented bytes" {
	{
		by_hand
		printf 'abcd'
		by_hand
		printf 'efgh'
	} | cmp q.t -
}

@test "a stream is described in one line for each tensor" {
	run --separate-stderr -0 npu-tensor q.t
	[ "${lines[0]}" = "1.0  s8 [2,2] scale=27.5 zero_point=60" ]
	[ "${lines[1]}" = "2.0  s8 [2,2] scale=27.5 zero_point=60" ]
	[ "${#lines[@]}" -eq 2 ]
	[ "$stderr" = "" ]
}

@test "-F csv and tsv describe each tensor in a row" {
	printf abcd | npu-tensor --add -t s8 --shape=2,2 -s 0.5 -z -3 >'a,b'
	head -c 24 /dev/zero | npu-tensor --add -t f32 --shape=6 >c
	run -0 npu-tensor -F csv 'a,b' c
	[ "$output" = 'file,frame,tensor,name,type,shape,bytes,scale,zero_point
"a,b",1,0,,s8,2x2,4,0.5,-3
c,2,0,,f32,6,24,1,0' ]
	run -0 npu-tensor -F tsv c
	[ "$output" = 'c	1	0		f32	6	24	1	0' ]
}

@test "-F jsonl describes each tensor in a JSON line" {
	npu-tensor -F jsonl <q.t >j
	[ "$(wc -l <j)" -eq 2 ]
	want='["npu-tensor/1",2,0,1,"s8",3,[2,2],4,4,27.5,60]'
	[ "$(sed -n 2p j | jq -c '[.schema, .frame, .tensor, .tensors, .type,
	    .code, .shape, .elements, .bytes, .scale, .zero_point]')" = \
	    "$want" ]
}

@test "--raw removes the labels and prints the bytes" {
	npu-tensor -r q.t | cmp - q
}

# bats test_tags=slow
@test "raw bytes without --shape become one flat tensor, also from a pipe" {
	npu-tensor -a -t s16 q >file
	# shellcheck disable=SC2002
	cat q | npu-tensor -a -t s16 >pipe
	cmp file pipe
	run -0 npu-tensor file
	[ "$output" = "1.0  s16 [4] scale=1 zero_point=0" ]
	# shellcheck disable=SC2002
	cat q | npu-tensor -a -t s16 -F text | diff - <(echo "$output")
	# An input that is as long as the pieces in which it is read.
	head -c 65536 /dev/zero | npu-tensor -a -t s8 | tail -c +65 >zeros
	[ "$(wc -c <zeros)" -eq 65536 ]
	printf abc >odd
	# shellcheck disable=SC2002
	run --separate-stderr -1 bash -c 'cat odd | npu-tensor -a -t s16'
	[ "$output" = "" ]
	[ "$stderr" = "npu-tensor: stdin: label: 3 bytes, not a whole \
number of s16" ]
}

# bats test_tags=slow
@test "a read error is reported, and not taken for the end of the input" {
	why="npu-tensor: stdin: Input/output error"
	# After a frame, within a frame, and where the end determines the size.
	for how in "--shape=8" "--shape=4,4" ""; do
		# shellcheck disable=SC2086
		run --separate-stderr -1 torn q npu-tensor -r -a -t s8 $how -
		[ "$stderr" = "$why" ]
		[ "${how:-none}" != --shape=8 ] || [ "$output" = abcdefgh ]
	done
	: >nothing
	run --separate-stderr -1 torn nothing npu-tensor -
	[ "$stderr" = "$why" ]
	run --separate-stderr -1 npu-tensor ''
	[ "$stderr" = "npu-tensor: '': No such file or directory" ]
}

@test "conversion to .npy and back loses only the scale, with a note" {
	run --separate-stderr -0 npu-tensor -F npy -o q.npy q.t
	[ "$stderr" = \
	    "npu-tensor: scale 27.5 and zero point 60 are not kept in .npy" ]
	npu-tensor -a -s 27.5 -z 60 q.npy | cmp - q.t
	f32 1 2 | npu-tensor -a -t f32 | npu-tensor -F npy >f.npy
	for o in -s2 -z3; do
		run --separate-stderr -1 npu-tensor -a $o f.npy
		[ "$output" = "" ]
		[[ $stderr == "npu-tensor: f.npy: f32 is never scaled; "* ]]
	done
	run --separate-stderr -0 npu-tensor -q -F npy -o q.npy q.t
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "arrays that numpy wrote are read, and written with the same bytes" {
	n=0
	while read -r type shape hex; do
		[ "$type" != "#" ] || continue
		perl -e 'print pack("H*", $ARGV[0])' "$hex" >n.npy
		npu-tensor n.npy >said
		[[ $(cat said) == "1.0  $type $shape"* ]] || { cat said; false; }
		# numpy pads its header to leave room for a larger shape.
		npu-tensor -F npy n.npy | tr -s ' ' >ours
		tr -s ' ' <n.npy | cmp - ours
		n=$((n + 1))
	done <"$TOP/tests/data/npy.txt"
	[ "$n" -eq 24 ]
}

@test "a .npy is recognised by its bytes; big-endian is refused" {
	{
		printf '\223NUMPY\001\0\166\0%s' \
		    "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"
		printf '%60s\n\0\0\001\0\002\0' ''
	} >n.npy
	run -0 npu-tensor n.npy
	[ "$output" = "1.0  s16 [3] scale=1 zero_point=0" ]
	sed 's/<i2/>i2/' n.npy >big.npy
	run --separate-stderr -1 npu-tensor big.npy
	[[ $stderr == *"big.npy: frame 1: npy: the array is big-endian"* ]]
	# For a row or a column, Fortran order makes no difference.
	sed 's/False/True /' n.npy >fortran.npy
	run -0 npu-tensor fortran.npy
	[ "$output" = "1.0  s16 [3] scale=1 zero_point=0" ]
	[ "$(npu-tensor -r fortran.npy | xxd -p)" = 000001000200 ]
	sed -i 's/(3,), /(2,2),/' fortran.npy
	run --separate-stderr -1 npu-tensor fortran.npy
	[[ $stderr == *"Fortran order"* ]]
}

@test "-f selects frames of a stream, and of several files as one stream" {
	npu-tensor -f 2 q.t | npu-tensor -r | cmp - <(printf efgh)
	run -0 npu-tensor -r --frames=2-3 q.t q.t
	[ "$output" = efghabcd ]
	run -0 npu-tensor -r --frames=3- q.t q.t
	[ "$output" = abcdefgh ]
	npu-tensor -f 1- q.t | cmp - q.t
	run -0 npu-tensor -r --frames=2-9 q.t
	[ "$output" = efgh ]
	run --separate-stderr -1 npu-tensor --frames=3 q.t
	[ "$stderr" = "npu-tensor: q.t: no frame 3: the last is frame 2" ]
	[ "$output" = "" ]
}

# bats test_tags=slow
@test "input after the last selected frame is not read" {
	mkfifo in
	exec 8<>in
	cat q.t >&8
	run -0 timeout 60 npu-tensor -r -f 2 in 8>&-
	[ "$output" = efgh ]
	cat q.t q.t >&8
	run -0 timeout 60 npu-tensor -r --frames=2-4 in 8>&-
	[ "$output" = efghabcdefgh ]
	exec 8>&-
	# The rest of the file is not checked, and the next file is not opened.
	{ cat q.t; echo garbage; } >more
	run -0 npu-tensor -r -f 1-2 more none
	[ "$output" = abcdefgh ]
	run -1 --separate-stderr npu-tensor -r -f 3 more
	[[ $stderr == "npu-tensor: more: frame 3: "* ]]
	npu-tensor --zip -o pair.t q.t q.t
	head -c 68 pair.t >half
	head -c 204 pair.t >cut
	run -0 npu-tensor --tensor=0 -f 1 -r cut
	[ "$output" = abcd ]
	run -1 --separate-stderr npu-tensor --tensor=0 -f 1 half
	[[ $stderr == *"frame 1 ends after 1 of 2 tensors" ]]
}

@test "the output so far is written if the next file cannot be opened" {
	run -1 --separate-stderr bash -c 'npu-tensor -F label q.t none >o'
	[ "$stderr" = "npu-tensor: none: No such file or directory" ]
	cmp o q.t
	run -1 bash -c 'npu-tensor q.t none >o'
	[ "$(wc -l <o)" -eq 2 ]
	run -1 npu-tensor -F label -o new q.t none
	[ ! -e new ]
}

@test "--zip makes frames of several tensors; --tensor selects tensors" {
	printf '\001\0\002\0' | npu-tensor -a -t u16 --shape=1 >h.t
	npu-tensor --zip q.t h.t >z.t
	run -0 npu-tensor z.t
	[ "${lines[0]}" = "1.0  s8 [2,2] scale=27.5 zero_point=60" ]
	[ "${lines[1]}" = "1.1  u16 [1] scale=1 zero_point=0" ]
	[ "${lines[3]}" = "2.1  u16 [1] scale=1 zero_point=0" ]
	npu-tensor --tensor=0 z.t | cmp - q.t
	npu-tensor --tensor=1 z.t | cmp - h.t
	npu-tensor --tensor=0,1 z.t | cmp - z.t
	run --separate-stderr -1 npu-tensor --tensor=2 z.t
	[[ $stderr == *"z.t: frame 1 has 2 tensors, numbered from 0: it lacks tensor 2" ]]
}

@test "--zip refuses streams with different numbers of frames" {
	npu-tensor -f 1 q.t >one.t
	run --separate-stderr -1 npu-tensor --zip -o out q.t one.t
	[ "$stderr" = "npu-tensor: q.t: has more frames than one.t" ]
	[ ! -e out ]
}

# bats test_tags=slow
@test "--zip takes frames of several tensors; an error names the file" {
	npu-tensor --zip q.t q.t >two.t
	npu-tensor --zip two.t q.t | npu-tensor >said
	[ "$(cut -d ' ' -f 1 said | tr '\n' ' ')" = "1.0 1.1 1.2 2.0 2.1 2.2 " ]
	# Files that are cut within a frame, between two tensors of a frame, and
	# within a label.
	head -c 134 two.t >within
	run --separate-stderr -1 npu-tensor --zip within q.t
	[ "$stderr" = "npu-tensor: within: frame 1, tensor 1: ends after 2 of \
4 bytes" ]
	head -c 68 two.t >within
	run --separate-stderr -1 npu-tensor --zip within q.t
	[ "$stderr" = "npu-tensor: within: frame 1 ends after 1 of 2 tensors" ]
	head -c 30 q.t >label
	run --separate-stderr -1 npu-tensor --zip q.t label
	[ "$stderr" = "npu-tensor: label: frame 1: the label ends after 30 of \
64 bytes" ]
	# 65535 + 65535 tensors are more than a label can count.
	{ head -c 58 q.t; printf '\377\377'; tail -c +61 q.t; } >many
	run --separate-stderr -1 npu-tensor --zip many many
	[ "$stderr" = "npu-tensor: 131070 tensors a frame; at most 65535 are \
possible" ]
	run --separate-stderr -1 bash -c 'npu-tensor --zip -a -t s8 \
	    <(printf ab) <(printf cd)'
	[[ $stderr == *": --zip needs --shape for raw bytes from a pipe" ]]
	[ "$output" = "" ]
}

# bats test_tags=slow
@test "labels that contradict each other within a frame are refused" {
	npu-tensor --zip q.t q.t >two.t
	# The second label is for tensor 1 of 3, instead of tensor 1 of 2.
	{ head -c 126 two.t; printf '\003'; tail -c +128 two.t; } >bad
	run --separate-stderr -1 npu-tensor -r bad
	[ "$output" = "" ]
	[ "$stderr" = "npu-tensor: bad: frame 1: the label says tensor 1 of 3, \
but tensor 1 of the same count as before is due" ]
	tail -c +69 two.t >bad
	run --separate-stderr -1 npu-tensor -r bad
	[ "$stderr" = "npu-tensor: bad: frame 1: the label says tensor 1 of 2, \
but tensor 0 is due" ]
	# A frame that -f leaves out is nevertheless checked.
	head -c 67 q.t >cut
	run --separate-stderr -1 npu-tensor -f 2- cut
	[ "$stderr" = "npu-tensor: cut: frame 1, tensor 0: ends after 3 of 4 \
bytes" ]
	npu-tensor -f 2- q.t >second
	npu-tensor -r second | cmp - <(printf efgh)
	npu-tensor --tensor=1 --tensor=0 two.t | cmp - two.t
}

# bats test_tags=slow
@test "after a .npy, only another complete .npy may follow" {
	npu-tensor -f 1 -F npy -q q.t >one.npy
	h=$(($(wc -c <one.npy) - 4))
	while IFS='|' read -r bytes words; do
		words=${words/AT/$((h + 4))}
		{ cat one.npy; printf %b "$bytes"; } >bad.npy
		run --separate-stderr -1 npu-tensor -r bad.npy
		[ "$output" = abcd ]
		[ "$stderr" = "npu-tensor: bad.npy: frame 2: $words" ] || {
			echo "$bytes: $stderr"
			return 1
		}
	done <<-'END'
	\0223NUMPY|the npy header ends after 6 of 12 bytes
	NUMPYNUMPYNUMPY|no npy header where one must be, at byte AT
	\0223NUMPY\011\0\0\0\0\0|npy: version 9.0; 1.0, 2.0 and 3.0 are known
	\0223NUMPY\01\0\0166\0\0\0|the npy header ends after 12 of 128 bytes
	\0223NUMPY\01\0\0166\0\0\0abc|the npy header ends after 3 of 116 bytes
	\0223NUMPY\01\0\02\0{}|npy: the header lacks descr, fortran_order or shape
	END
	run --separate-stderr -1 npu-tensor -a -t s8 one.npy
	[ "$stderr" = "npu-tensor: one.npy: says its type and \
shape itself; leave --type and --shape out" ]
	run --separate-stderr -1 npu-tensor -a --shape=4 one.npy
	[[ $stderr == *"leave --type and --shape out" ]]
}

@test "a note lists once what .npy cannot keep; floats need no note" {
	npu-tensor -a -t s8 --shape=4 -z 3 q >zero.t
	run --separate-stderr -0 npu-tensor -F npy -o out zero.t
	[ "$stderr" = \
	    "npu-tensor: scale 1 and zero point 3 are not kept in .npy" ]
	npu-tensor -a -t f16 --shape=4 q >f16.t
	# A scale of 2, which conversions of floats ignore.
	{ head -c 43 f16.t; printf '\100'; tail -c +45 f16.t; } >scaled.t
	run --separate-stderr -0 npu-tensor -F npy -o out scaled.t
	[ "$stderr" = "" ]
}

@test "a compact type is copied, but cannot be written as .npy" {
	printf 'abc' | npu-tensor -a -t s12c --shape=2 >c.t
	run -0 npu-tensor c.t
	[ "$output" = "1.0  s12c [2] scale=1 zero_point=0 (3 bytes)" ]
	run -0 npu-tensor -r c.t
	[ "$output" = abc ]
	run --separate-stderr -1 npu-tensor -F npy -o x c.t
	[[ $stderr == *"s12c cannot be .npy"* ]]
}

# ---- Damaged input --------------------------------------------------------

@test "a cut stream: whole frames are written, then an error with both sizes" {
	head -c 100 q.t >short
	run --separate-stderr -1 npu-tensor -r short
	[ "$output" = abcd ]
	[ "$stderr" = "npu-tensor: short: frame 2: the label ends after 32 of 64 \
bytes" ]
	head -c 134 q.t >short
	run --separate-stderr -1 npu-tensor -r short
	[ "$output" = abcd ]
	[ "$stderr" = "npu-tensor: short: frame 2, tensor 0: ends after 2 of 4 \
bytes" ]
	run --separate-stderr -1 npu-tensor -r -o out short
	[ ! -e out ]
}

@test "a frame that lacks a tensor is an error" {
	npu-tensor --zip q.t q.t >z.t
	head -c 68 z.t >half
	run --separate-stderr -1 npu-tensor half
	[ "$stderr" = "npu-tensor: half: frame 1 ends after 1 of 2 tensors" ]
	tail -c +69 z.t >second
	run --separate-stderr -1 npu-tensor second
	[[ $stderr == *"the label says tensor 1 of 2, but tensor 0 is due" ]]
}

# bats test_tags=slow
@test "frames are numbered across files, but no frame spans two files" {
	n=$(npu-tensor q.t | wc -l)
	npu-tensor q.t q.t | tail -n 1 | grep "^q.t: $((2 * n)).0 "
	npu-tensor --zip q.t q.t >z.t
	head -c 68 z.t >half
	tail -c +69 z.t >second
	run --separate-stderr -1 npu-tensor half second
	[ "$stderr" = "npu-tensor: half: frame 1 ends after 1 of 2 tensors" ]
	printf ab >two
	run --separate-stderr -1 npu-tensor -a -t s8 --shape=4 two two
	[[ $stderr == "npu-tensor: two: 2 bytes, not a whole number of "* ]]
}

@test "a stream that continues without labels is refused" {
	{ cat q.t; seq 100; } >mixed
	run --separate-stderr -1 npu-tensor mixed
	[[ $stderr == *"mixed: frame 3: no label where one must be, at byte \
136;"* ]]
}

@test "an incomplete raw frame is an error" {
	printf 'abcde' >five
	run --separate-stderr -1 npu-tensor -a -t s8 --shape=4 -F raw five
	[ "$output" = abcd ]
	[ "$stderr" = "npu-tensor: five: 5 bytes, not a whole number of \
frames of 4 bytes; frame 2 has 1" ]
	run --separate-stderr -1 npu-tensor -a -t s16 -o out five
	[[ $stderr == *"five: label: 5 bytes, not a whole number of s16" ]]
}

@test "a label with a size of 2^40 bytes does not make it allocate memory" {
	{
		printf 'NPUTENS1\002\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
		printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0'
		printf '\0\0\0\0\0\001\0\0\0\0\001\0\0\0\0\0abc'
	} >huge
	(
		# The shadow memory of the sanitizers needs more.
		[ "${LEG:-native}" != native ] || ulimit -v 100000
		npu-tensor -r -o out huge 2>err && exit 9
		[ $? -eq 1 ]
	)
	[ "$(cat err)" = "npu-tensor: huge: frame 1, tensor 0: ends after 3 \
of 1099511627776 bytes" ]
}

# bats test_tags=slow
@test "every field of a label is checked" {
	# Offset and new byte: version, dims, unused dim, scale, bytes, index,
	# reserved.
	for damage in 7:62 12:07 20:00 24:01 43:ff 48:05 56:01 60:01; do
		cp q.t bad
		printf '%b' "\\x${damage#*:}" | dd of=bad bs=1 \
		    seek="${damage%:*}" conv=notrunc 2>/dev/null
		run --separate-stderr -1 npu-tensor bad
		[[ $stderr == "npu-tensor: bad: "* ]]
		[ "$output" = "" ]
	done
}

@test "input that is not a stream is refused with advice" {
	run --separate-stderr -1 npu-tensor q
	[ "$stderr" = "npu-tensor: q: neither a labelled stream nor .npy; \
--add with --type says what the bytes are" ]
	run --separate-stderr -1 npu-tensor -a -t s8 q.t
	[[ $stderr == *"q.t: is labelled already; --raw takes labels off" ]]
}

@test "empty input gives no frames and no error" {
	run --separate-stderr -0 npu-tensor -r /dev/null
	[ "$output$stderr" = "" ]
	run --separate-stderr -0 npu-tensor -a -t s8 <&- </dev/null
	[ "$output$stderr" = "" ]
}

# ---- Rules for all programs -----------------------------------------------

# bats test_tags=slow
@test "a usage error prints one line and a hint, with status 2" {
	run --separate-stderr -2 npu-tensor --fram=2 q.t
	[ "${stderr_lines[0]}" = \
	    "npu-tensor: unknown option '--fram'; did you mean '--frames'?" ]
	[ "${stderr_lines[1]}" = \
	    "Try 'npu-tensor --help' for more information." ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ "$output" = "" ]
	npu-tensor -F npy q.t >q.npy
	for bad in "-z 1" "--shape=8" "-t s8" "--zip -f 2 q.t q.t" \
	    "--zip -f -2 q.t q.t" "--zip -f 1-1 q.t q.t" "--zip --tensor=0 q.t q.t" \
	    "-a -t u8 --shape=1048576,1048577" "-t s9 -a" "-f 0" "-f 3-2" "-f 2x" "-F xml" "--tensor=-1" "-s 0 -a" \
	    "-s nan -a" "-z 1.5 -a" "--shape=2,0 -a" "--shape=1,2,3,4,5,6,7 -a" \
	    "-s 2" "-x" "--raw=1" "-t" "-a" "-a -t f32 -s 2" "--zip q.t" \
	    "-a -t u8 --shape=4294967295,4294967295"; do
		# shellcheck disable=SC2086
		run --separate-stderr -2 npu-tensor $bad <q
		[ "$output" = "" ]
		[ "${#stderr_lines[@]}" -eq 2 ]
	done
}

@test "options end at --, and - is standard input" {
	cp q.t ./-x
	run -0 npu-tensor -r -- -x
	[ "$output" = abcdefgh ]
	run -0 npu-tensor -r - <q.t
	[ "$output" = abcdefgh ]
	run -0 npu-tensor -rf2 q.t
	[ "$output" = efgh ]
}

@test "help and version go to stdout; help begins with two examples" {
	run --separate-stderr -0 npu-tensor --help
	[ "${lines[0]}" = "Examples:" ]
	[[ ${lines[1]} == "  npu-tensor "* && ${lines[2]} == "  npu-tensor "* ]]
	[ "$stderr" = "" ]
	run --separate-stderr -0 npu-tensor -V
	[[ ${lines[0]} == "npu-tensor (npu-utils) "[0-9]* ]]
}

@test "a full device is a write error, for data, text and help" {
	for args in "-r q.t" "q.t" "--help" "-o /dev/full q.t"; do
		# shellcheck disable=SC2016
		run -1 bash -c 'npu-tensor $1 2>&1 >/dev/full' - "$args"
		[[ $output == *"write error: No space left on device" ]]
	done
}

# bats test_tags=slow
@test "a closed stdout is an error, and no file gets its descriptor" {
	run -1 bash -c 'npu-tensor -r q.t 2>&1 >&-'
	[ "$output" = "npu-tensor: write error: Bad file descriptor" ]
	run -1 bash -c 'npu-tensor 2>&1 <&-'
	[ "$output" = "npu-tensor: stdin: Bad file descriptor" ]
	npu-tensor -r -o out q.t >&- 2>&-
	cmp out q
}

@test "a reader that leaves ends npu-tensor by SIGPIPE, without a message" {
	head -c 4000000 /dev/zero >zeros
	# shellcheck disable=SC2016
	run --separate-stderr -0 bash -c '
	    npu-tensor -a -t s8 --shape=4 -F raw zeros | head -c 1 >/dev/null
	    echo "${PIPESTATUS[0]}"'
	[ "$output" = 141 ]
	[ "$stderr" = "" ]
}

@test "an output file is replaced completely or not touched" {
	echo old >out
	head -c 70 q.t >short
	run -1 npu-tensor -r -o out short
	[ "$(cat out)" = old ]
	[ "$(find . -name '.npu-*')" = "" ]
}

@test "-o writes to pipes and descriptors, and makes files in /dev/shm" {
	mkfifo pipe
	npu-tensor -r -o pipe q.t &
	cmp - q <pipe
	wait $!
	[ -p pipe ]
	npu-tensor -r -o /proc/self/fd/1 q.t | cmp - q
	npu-tensor -r -o /proc/self/fd/7 q.t 7>seven
	cmp seven q
	shm=/dev/shm/npu-tensor.$$.${BATS_TEST_NUMBER}
	npu-tensor -r -o $shm q.t
	cmp $shm q
	rm $shm
	# A signal that the parent ignores stays ignored.
	(trap '' HUP; npu-tensor -r -o out q.t)
	cmp out q
}

# ends_by SIGNAL STATUS: sends SIGNAL to npu-tensor while it writes a file, and
# checks STATUS.  No file may be left.
ends_by() {
	rm -f fifo
	mkfifo fifo
	# Without a core file.  SIGQUIT may be ignored in background processes.
	(ulimit -c 0 && exec perl -e '$SIG{QUIT} = "DEFAULT"; exec @ARGV' \
	    npu-tensor -r -o out fifo) &
	pid=$!
	exec 7>fifo
	head -c 66 q.t >&7
	for _ in $(seq 1200); do
		[ -z "$(find . -name '.npu-*')" ] || break
		sleep 0.05
	done
	[ -n "$(find . -name '.npu-*')" ]
	kill "-$1" "$pid"
	status=0
	wait "$pid" || status=$?
	exec 7>&-
	[ "$status" -eq "$2" ]
	[ ! -e out ]
	[ "$(find . -name '.npu-*')" = "" ]
}

# bats test_tags=slow
@test "SIGTERM and SIGQUIT leave no partial file" {
	ends_by TERM 143
	ends_by QUIT 131
}

@test "names with a newline, a quote or bad UTF-8 are safe in text and JSON" {
	name=$'a\nb\377"c.t'
	cp q.t "$name"
	npu-tensor "$name" q.t >text
	[ "$(wc -l <text)" -eq 4 ]
	npu-tensor -F jsonl "$name" q.t | jq -e . >/dev/null
}

# U+009B means the same as ESC [, and U+00A0 is not a control character.
@test "control characters beyond ASCII do not reach a terminal" {
	name=$'a\xc2\x9b31m\xc2\x80\xc2\x9f\xc2\xa0\xc3\x9b\xc2'
	run --separate-stderr -1 npu-tensor "$name"
	[ "$stderr" = $'npu-tensor: a??31m????\xc2\xa0\xc3\x9b\xc2: '"No such \
file or directory" ]
	cp q.t "$name"
	npu-tensor "$name" q.t >text
	grep -qF 'a??31m????' text
	npu-tensor -F jsonl "$name" q.t >lines
	grep -qF 'a\u009b31m\u0080\u009f' lines
	jq -r .file lines | grep -F $'a\xc2\x9b31m'
}

@test "binary output to a terminal is refused, unless -o - is given" {
	command -v script >/dev/null || skip "no script(1)"
	run -2 script -qec 'npu-tensor -r q.t' /dev/null
	[[ $output == *"stdout is a terminal"* ]]
	run -0 script -qec 'npu-tensor -r -o - q.t' /dev/null
	[[ $output == *abcdefgh* ]]
	run -2 script -qec 'npu-tensor' /dev/null </dev/null
	[[ $output == *"input is a terminal"* ]]
}

# Each command reads 256 MiB: slow, and the same on every machine.
# bats test_tags=native,slow
@test "an endless input without a shape is refused after 256 MiB" {
	for command in 'npu-tensor -a -t u8' 'npu-tensor -a -t u8 -F npy' \
	    'npu-quant -t s8' 'npu-dequant --normalise -t u8' \
	    'npu-dequant -t s16 -F npy'; do
		run --separate-stderr -1 timeout 300 bash -c "ulimit -v 4000000
		    exec $command /dev/zero | wc -c; exit \${PIPESTATUS[0]}"
		[ "$output" = 0 ]
		[[ $stderr == *"/dev/zero: "*"more than 268435456 bytes, all \
of one tensor: --shape cuts them into several" ]]
	done
	# A pipe that ends one byte after the limit is also refused.
	head -c 268435457 /dev/zero >more
	# shellcheck disable=SC2002
	run --separate-stderr -1 bash -c 'cat more | npu-tensor -a -t u8'
	[[ $stderr == *"stdin: more than 268435456 bytes, "* ]]
	rm more
	# Input that is converted in pieces has no limit.
	head -c 300M /dev/zero | npu-dequant -r -t u8 | wc -c >n
	[ "$(cat n)" = 1258291200 ]
}

# picture SHAPE TYPE FORMAT: prints a labelled tensor with the numbers 0, 1, 2,
# ..., as numpy's arange makes them.  FORMAT is the TYPE in Python's struct.
picture() {
	/usr/bin/python3 -c 'import struct, sys
n = 1
for d in sys.argv[1].split(","):
    n *= int(d)
sys.stdout.buffer.write(struct.pack("<%d%s" % (n, sys.argv[2]), *range(n)))' \
	    "$1" "$3" | npu-tensor --add -t "$2" --shape="$1"
}

# bats test_tags=slow
@test "--layout and --swap change the order of a picture's numbers" {
	# [2,2,3] is y x c: element (y, x, c) is 6 y + 3 x + c.
	picture 2,2,3 u8 B >hwc
	npu-tensor --layout=chw hwc >chw
	npu-tensor chw | grep 'u8 \[3,2,2\]'
	npu-tensor -r chw >x
	[ "$(bytes x)" = "0 3 6 9 1 4 7 10 2 5 8 11" ]
	npu-tensor --layout=hwc chw | cmp - hwc
	npu-tensor --swap --raw hwc >x
	[ "$(bytes x)" = "2 1 0 5 4 3 8 7 6 11 10 9" ]
	npu-tensor --swap --raw chw >x
	[ "$(bytes x)" = "2 5 8 11 1 4 7 10 0 3 6 9" ]
	npu-tensor --layout=chw --swap --raw hwc | cmp - x
	cp x x3
	# Two pictures of one row and two columns, of 16 bits.
	picture 2,1,2,3 u16 H >two
	npu-tensor --layout=chw two >t
	npu-tensor t | grep 'u16 \[2,3,1,2\]'
	npu-tensor -r t | od -An -v -w24 -tu2 | xargs >x
	[ "$(cat x)" = "0 3 1 4 2 5 6 9 7 10 8 11" ]
	cat two two | npu-tensor --layout=chw | npu-tensor --layout=hwc |
	    cmp - <(cat two two)
	npu-tensor --layout=chw -F npy two | npu-tensor | grep '\[2,3,1,2\]'
	for f in npz safetensors; do
		npu-tensor --layout=chw --swap --tensor-names=a,b -F $f \
		    -o t.$f hwc two
		npu-tensor t.$f | grep '^2.0 .*\[2,3,1,2\].*=b$'
		npu-tensor --frames=1 -r t.$f | cmp - x3
	done
}

# bats test_tags=slow
@test "--layout and --swap refuse tensors that they cannot reorder" {
	picture 3,2,2 u8 B >chw
	run --separate-stderr -1 npu-tensor --layout=chw chw
	[ "$output" = "" ]
	[ "$stderr" = "npu-tensor: chw: [3,2,2] is in that order already" ]
	picture 3,2,3 u8 B >both
	run --separate-stderr -1 npu-tensor --swap both
	[[ $stderr == *"[3,2,3] are the channels is not clear" ]]
	picture 2,2,1 u8 B >grey
	run --separate-stderr -1 npu-tensor --layout=chw --swap grey
	[[ $stderr == *"[2,2,1] has 1 channel; three can be swapped" ]]
	picture 12 u8 B >flat
	run --separate-stderr -1 npu-tensor --layout=chw flat
	[[ $stderr == *"flat: has 1 dimension; a picture has three"* ]]
	run --separate-stderr -2 npu-tensor --swap -F text chw
	[ "${stderr_lines[0]}" = "npu-tensor: --layout and --swap write \
tensors: --format=label, npy, raw, npz or safetensors" ]
}

@test "a message counts the frames within the file that it names" {
	printf abcdefghijkl | npu-tensor -a -t u8 --shape=1,3,2,2 >chw
	head -c 70 chw >c
	cat chw c >chwcut
	run --separate-stderr -1 npu-tensor chw chwcut
	[[ ${lines[1]} == "chwcut: 2.0 "* ]]
	[ "$stderr" = "npu-tensor: chwcut: frame 2, tensor 0: ends after 6 of \
12 bytes" ]
}

# bats test_tags=slow
@test "-v reports what was read from each file, unless -q is given" {
	f32 1 2 >f
	npu-tensor -a -t f32 -F npy f >f.npy
	: >none
	run --separate-stderr -0 npu-tensor -v q.t f.npy none
	[ "${#lines[@]}" -eq 3 ]
	[ "$stderr" = "npu-tensor: q.t: labelled, 2 tensors, the first\
 s8 [2,2] scale=27.5 zero_point=60
npu-tensor: f.npy: .npy, 1 tensor: f32 [2]
npu-tensor: none: no tensors" ]
	run --separate-stderr -0 npu-tensor --verbose -a -t s16 -F text q
	[ "$stderr" = "npu-tensor: q: raw bytes, 1 tensor: s16 [4] scale=1\
 zero_point=0" ]
	run --separate-stderr -0 npu-tensor -v --zip q.t q.t
	[ "${#stderr_lines[@]}" -eq 2 ]
	run --separate-stderr -0 npu-tensor -qv q.t
	[ "$stderr" = "" ]
}
