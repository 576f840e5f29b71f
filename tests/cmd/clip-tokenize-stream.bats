#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-tokenize on streams: threads, order, latency and memory.
# bats file_tags=arm64,slow

load ../support/helper
load ../support/captions

@test "the output and the messages are the same for every -j" {
	# Batches of several sizes: many short texts, empty texts, some of 90
	# kB, and some that are too long.
	{
		for i in $(seq 2000); do
			echo "a photo of the $i"
		done
		seq 300 | tr -d 0-9
		for i in 1 2 3; do
			words 30000
			echo
			seq 100 | tr '\n' ' '
			echo "$i"
		done
		printf 'the\377 \0 last'
	} >in
	for o in '' '-F ids' '-F jsonl' '-F tokens' -0 --length=5; do
		for how in truncate skip; do
			set -- clip-tokenize $o --overlong=$how in
			"$@" >want 2>said
			for j in 2 3 16; do
				"$@" -j $j 2>err | cmp - want
				diff said err
			done
		done
	done
	for o in '--lengths --truncate' --show-clean '--special=text --truncate'; do
		# shellcheck disable=SC2086
		clip-tokenize $o in >want 2>said
		# shellcheck disable=SC2086
		clip-tokenize $o -j 0 in 2>err | cmp - want
		diff said err
	done
	clip-tokenize -F ids --length=99999 in >ids
	clip-tokenize -D ids >want
	clip-tokenize -D -j 4 ids | cmp - want
	clip-tokenize --length=300 --overlong=skip -q in |
	    clip-tokenize -D -j 4 >got
	grep -vE '^(cat|1 2 3) ' want >short
	[ "$(head -n 2300 short)" = "$(head -n 2300 got)" ]
}

@test "with each -j, the first failing text decides the error and the output" {
	{
		seq 3000 | sed 's/.*/cat/'
		words 200
		echo
		seq 3000 | sed 's/.*/dog/'
		printf 'x\377\n'
	} >in
	for j in 1 2 7; do
		run --separate-stderr -1 clip-tokenize -F ids -j $j \
		    --invalid=error in
		[ "${#lines[@]}" -eq 3000 ]
		[ "${lines[2999]}" = "49406 2368 49407" ]
		[[ $stderr == "clip-tokenize: in: line 3001: 202 tokens"* ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
		status=0
		clip-tokenize -F ids -j $j --truncate --invalid=error in \
		    >got 2>err || status=$?
		[ $status -eq 1 ]
		[ "$(wc -l <got)" -eq 6001 ]
		[ "$(cut -c -32 err | tr '\n' ' ')" = \
"clip-tokenize: in: line 3001: 20 clip-tokenize: in: line 6002: no " ]
	done
	# An error of an input is reported after the results of earlier texts.
	for j in 1 5; do
		run --separate-stderr -1 clip-tokenize -F ids -q --truncate \
		    -j $j in missing
		[ "${#lines[@]}" -eq 6002 ]
		[ "$stderr" = \
		    "clip-tokenize: missing: No such file or directory" ]
		run --separate-stderr -1 clip-tokenize -F ids -q --truncate \
		    -j $j in .
		[ "${#lines[@]}" -eq 6002 ]
		[ "$stderr" = "clip-tokenize: .: Is a directory" ]
	done
}

@test "a result is written before the next line arrives, for every -j" {
	for j in 1 3; do
		coproc T { clip-tokenize -j $j -F ids; }
		for _ in 1 2; do
			printf 'cat\ndo' >&"${T[1]}"
			read -t 20 -r line <&"${T[0]}"
			[ "$line" = "49406 2368 49407" ]
			printf 'g\n' >&"${T[1]}"
			read -t 20 -r line <&"${T[0]}"
			[ "$line" = "49406 1929 49407" ]
		done
		pid=$T_PID
		eval "exec ${T[1]}>&-"
		wait "$pid"
	done
}

@test "lines of 10 MB, of letters or of words, are tokenized completely" {
	head -c 10000000 /dev/zero | tr '\0' a >letters
	seq 1250000 | sed 's/.*/a photo/' | tr '\n' ' ' >words
	# "aaaaaaaa" is the longest token of a's, so the text is split into
	# eights, except at its end.
	run --separate-stderr -0 timeout 250 clip-tokenize --lengths letters
	[ "$output" -gt 1250000 ]
	[ "$output" -lt 1250010 ]
	run --separate-stderr -0 timeout 250 clip-tokenize --lengths words
	[ "$output" -eq 2500002 ]
}

# Not with sanitizers or qemu, which need memory of their own.
# bats test_tags=native
@test "500000 lines are tokenized with 60 MB of address space" {
	seq 500000 | sed 's/.*/a photo of a cat/' >long
	(ulimit -v 60000 && clip-tokenize <long | tail -c 308 >last)
	[ "$(rows last)" = "$CAT$(printf ' 0%.0s' {1..70})" ]
}

# peak FILE OPTION...: prints the peak memory, in KiB, of a run that reads the
# file through a pipe.
peak() {
	f=$1
	shift
	rm -f pipe
	mkfifo pipe
	clip-tokenize "$@" <pipe >/dev/null &
	exec 8>pipe
	cat "$f" >&8
	awk '/^VmHWM/ { print $2 }' "/proc/$!/status"
	exec 8>&-
	wait $!
}

# bats test_tags=native
@test "memory does not grow with the length of the stream, for every -j" {
	# 3 and 30 MB, both more than the pipe can hold, with lines of 300 kB.
	for n in 30 300; do
		for _ in $(seq $n); do
			seq 4706 | sed 's/.*/a photo of a cat/'
			seq 2000 | tr '\n' ' '
			echo
		done >in$n
	done
	[ "$(wc -c <in300)" -gt 26000000 ]
	for o in -j1 -j3; do
		short=$(peak in30 $o --truncate -q)
		long=$(peak in300 $o --truncate -q)
		[ "$long" -lt $((short + 2048)) ] || {
			echo "$o: $short and $long KiB"
			false
		}
	done
}

@test "a line after a line of a megabyte is read from the right offset" {
	# This tests offsets in the buffer.  Its size is twice the needed size,
	# and it shrinks between the second and the third line.
	for n in 150000 1040000 100000; do
		printf 'as many as %d: ' $n
		perl -e 'print substr("a photo of a cat " x 70000, 0, $ARGV[0])' \
		    $((n - 23))
		echo
	done | sed 's/:  */: /' >texts
	for i in 1 2 3; do
		sed -n ${i}p texts >one
		clip-tokenize -q --truncate one
	done >want
	[ "$(wc -c <want)" -eq $((3 * 372)) ]
	clip-tokenize -q -j 1 --truncate texts | cmp - want
}

@test "64 MiB of pending output, and lines of every length, are handled" {
	# More than the 64 MiB that may wait to be written.
	for _ in 1 2 3 4 5 6 7 8; do
		head -c 9000000 /dev/zero | tr '\0' ' '
		echo
	done >blanks
	run -0 clip-tokenize --show-clean -j 8 blanks
	[ "$output" = "" ]
	# A buffer that grew for one line is used for the lines after it.
	for n in 970000 1100000 2100000; do
		head -c $n /dev/zero | tr '\0' ' '
		echo cat
		seq 30000 | sed 's/.*/dog/'
	done >lines
	got=$(clip-tokenize --show-clean lines | uniq -c | tr -s ' \n' ' ')
	[ "$got" = " 1 cat 30000 dog 1 cat 30000 dog 1 cat 30000 dog " ]
}
