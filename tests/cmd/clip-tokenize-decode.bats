#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-tokenize -D, which turns ids into texts.
# bats file_tags=arm64,slow

load ../support/helper
load ../support/captions

@test "-D prints the text of a tensor before the next tensor arrives" {
	printf 'cat\ndog\n' | clip-tokenize >t
	coproc T { clip-tokenize -D; }
	head -c 400 t >&"${T[1]}"
	read -t 20 -r line <&"${T[0]}"
	[ "$line" = cat ]
	tail -c +401 t >&"${T[1]}"
	read -t 20 -r line <&"${T[0]}"
	[ "$line" = dog ]
	pid=$T_PID
	eval "exec ${T[1]}>&-"
	wait "$pid"
}

@test "-D reads lines of ids and labelled tensors" {
	run -0 clip-tokenize -D <<<"$CAT"
	[ "$output" = "a photo of a cat" ]
	run -0 clip-tokenize -D <<<'320,2368'
	[ "$output" = "a cat" ]
	# "It's": its apostrophe and s do not end the word "it", so the ids
	# below 256 occur.
	printf 'a cat\n\nIt'\''s two\n' | clip-tokenize >t
	run -0 clip-tokenize -D t
	[ "$output" = "a cat"$'\n'$'\n'"it 's two" ]
}

@test "-D prints the texts before a bad id or a cut tensor, then fails" {
	printf '2368\n1 x\n' >in
	run --separate-stderr -1 clip-tokenize -D in
	[ "$output" = "cat" ]
	[ "$stderr" = "clip-tokenize: in: line 2: word 2, 'x', is not an id \
from 0 to 49407" ]
	printf '320,\303\251\033[mabcdefghijklmnopqrstuvwxyz 1' >in
	run --separate-stderr -1 clip-tokenize -D in
	[ "$stderr" = "clip-tokenize: in: line 1: word 2, \
'???[mabcdefghijklmnopqr'..., is not an id from 0 to 49407" ]
	run --separate-stderr -1 clip-tokenize -D <<<49408
	[ "$stderr" = "clip-tokenize: stdin: line 1: id 1 is 49408, and ids \
go from 0 to 49407" ]
	printf 'cat\ndog\n' | clip-tokenize | head -c 700 >in
	run --separate-stderr -1 clip-tokenize -D in
	[ "$output" = "cat" ]
	[ "$stderr" = "clip-tokenize: in: tensor 2: cut after 264 of 308 \
bytes" ]
	printf 'cat\n' | clip-tokenize | head -c 20 >in
	run --separate-stderr -1 clip-tokenize -D in
	[ "$stderr" = "clip-tokenize: in: tensor 1: cut within its label" ]
}

@test "-D accepts blanks, TABs and commas, and refuses other words" {
	printf '320,\t2368\r\n 320 ,2368 \n' >in
	run -0 clip-tokenize -D in
	[ "$output" = $'a cat\na cat' ]
	while IFS='|' read -r text want; do
		printf "$text" >in
		run --separate-stderr -1 clip-tokenize -D in
		[[ $stderr == "clip-tokenize: in: $want"* ]] || {
			echo "$text: $stderr"
			return 1
		}
	done <<-'END'
	N|line 1: word 1, 'N', is not an id
	NPUTENSX1234|line 1: word 1, 'NPUTENSX1234', is not an id
	320;1|line 1: word 1, '320;1', is not an id
	1234567890|line 1: word 1, '1234567890', is not an id
	12345678901234567890123|line 1: word 1, '12345678901234567890123', is
	123456789012345678901234|line 1: word 1, '12345678901234567890123'..., is
	\177 1|line 1: word 1, '?', is not an id
	END
	clip-tokenize --text=cat >row
	{ head -c 60 row; printf 1; tail -c +62 row; } >in
	run --separate-stderr -1 clip-tokenize -D in
	[[ $stderr == "clip-tokenize: in: tensor 1: label: "* ]]
	# A tensor of 2^27 bytes of ids.
	{ head -c 16 row; printf '\001\0\0\0\0\0\0\002'; tail -c +25 row |
	    head -c 24; printf '\0\0\0\010'; tail -c +53 row; } >in
	run --separate-stderr -1 clip-tokenize -D in
	[[ $stderr == *", expected ids: s32, at most 67108864 bytes" ]]
	head -c 100 row >in
	run --separate-stderr -1 torn in clip-tokenize -D -
	[ "$stderr" = "clip-tokenize: stdin: tensor 1: Input/output error" ]
}

@test "a line that a read error cuts off is not tokenized" {
	printf 'cat\ndo' >in
	run --separate-stderr -1 torn in clip-tokenize -F ids -
	[ "$output" = '49406 2368 49407' ]
	[ "$stderr" = "clip-tokenize: stdin: Input/output error" ]
}

@test "-D refuses a tensor that does not contain ids" {
	{
		printf 'NPUTENS1\003\0\0\0\001\0\0\0\002\0\0\0\0\0\0\0\0\0\0\0'
		printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\002\0\0\0'
		printf '\0\0\0\0\0\0\001\0\0\0\0\0ab'
	} >in
	run --separate-stderr -1 clip-tokenize -D in
	[ "$stderr" = "clip-tokenize: in: tensor 1: s8 [2] scale=1 \
zero_point=0, expected ids: s32, at most 67108864 bytes" ]
}
