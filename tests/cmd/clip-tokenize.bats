#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
#
# Where the expected ids come from, if no other source is named: openai/CLIP's
# README and notebook have "a photo of a cat" and similar texts.  Others are
# calculated from the vocabulary file: the token in line n (from 1) has the id
# 510 + n.  For the characters '!'  to '~', the id is the code minus 33, plus
# 256 at the end of a word.
# bats file_tags=arm64

load ../support/helper
load ../support/captions

@test "a caption becomes one labelled tensor of 77 ids" {
	echo 'a photo of a cat' | clip-tokenize >t
	[ "$(wc -c <t)" -eq $((64 + 308)) ]
	# The label: s32, 2 dimensions (1 and 77), scale 1, zero point 0, 308
	# bytes, tensor 0 of 1.
	head -c 64 t | cmp - <(printf '%b' 'NPUTENS1\07\0\0\0\02\0\0\0' \
	    '\01\0\0\0\0115\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' \
	    '\0\0\0200\077\0\0\0\0\064\01\0\0\0\0\0\0' \
	    '\0\0\01\0\0\0\0\0')
	tail -c 308 t >r
	[ "$(rows r)" = "$CAT$(printf ' 0%.0s' {1..70})" ]
}

@test "-r omits the label" {
	clip-tokenize --text='a photo of a cat' >t
	clip-tokenize -r --text='a photo of a cat' | cmp - <(tail -c 308 t)
}

@test "-F ids and -F jsonl print the same ids" {
	run --separate-stderr -0 clip-tokenize -F ids --text='a photo of a cat'
	[ "$output" = "$CAT" ]
	run --separate-stderr -0 clip-tokenize -F jsonl --text='A photo  of a "cat'
	[ "$output" = '{"text":"A photo  of a \"cat","ids":[49406,320,1125,'\
'539,320,257,2368,49407],"n":8,"truncated":false}' ]
}

# parts FILE: splits lines of JSON, each with a text, or with its bytes if the
# text is not UTF-8.  If the text contains no NUL, writes the line to 0.jsonl,
# and the text and a NUL to 0.in.  Otherwise writes the line to line.jsonl, and
# the text and a newline to line.in.
parts() {
	paste <(jq -r '.bytes_b64 // (.text | @base64)' "$1") "$1" |
	    perl -MMIME::Base64 -ne '
		BEGIN {
			for (0, "line") {
				open $in{$_}, ">", "$_.in";
				open $json{$_}, ">", "$_.jsonl";
			}
		}
		my ($text, $line) = split /\t/, $_, 2;
		$text = decode_base64($text);
		my $as = $text =~ /\0/ ? "line" : 0;
		next if $as && $text =~ /\n/;
		print { $in{$as} } $text, $as ? "\n" : "\0";
		print { $json{$as} } $line;'
}

# bats test_tags=slow
@test "each of the data set's 300 lines has the reference's ids" {
	need_data clip-tokens-dev.jsonl
	parts "$DATA"
	[ "$(cat 0.jsonl line.jsonl | wc -l)" -eq 300 ]
	for how in '0 -0' line; do
		# shellcheck disable=SC2086
		set -- $how
		jq -r '.t77 | join(" ")' "$1.jsonl" >want
		clip-tokenize $2 -r --truncate -q "$1.in" >r
		rows r | diff want -
		jq -r '[49406] + .ids + [49407] | join(" ")' "$1.jsonl" >want
		clip-tokenize $2 -F ids --length=9999 "$1.in" | diff want -
		jq -c '.truncated' "$1.jsonl" >want
		clip-tokenize $2 -F jsonl --truncate -q -j 2 "$1.in" |
		    jq -c .truncated | diff want -
	done
}

# bats test_tags=slow
@test "difficult texts are cleaned as by ftfy and CLIP" {
	parts "$TOP/tests/data/clip-clean.jsonl"
	[ "$(cat 0.jsonl line.jsonl | wc -l)" -eq 593 ]
	for how in '0 -0' line; do
		# shellcheck disable=SC2086
		set -- $how
		jq -j '.clean + "\n"' "$1.jsonl" >want
		# Cleaned texts contain neither a newline nor a NUL.
		clip-tokenize $2 --show-clean "$1.in" | tr '\0' '\n' >got
		cmp want got
		jq -r '.ids | join(" ")' "$1.jsonl" >want
		clip-tokenize $2 -F ids --length=9999 "$1.in" >ids
		diff want ids
		# Decoding the ids gives the same text, except for blanks
		# and for U+0345: the regex module matches it neither as a
		# letter nor as anything else, and it is in no word.
		clip-tokenize -D ids | tr -d ' ' |
		    diff - <(tr -d ' ' <got | sed 's/\xcd\x85//g')
	done
}

# bats test_tags=slow
@test "a chain of &amp; is decoded up to the limit in the manual page" {
	chain() {
		printf '%s&' "$1"
		seq "$2" | sed 's/.*/amp;/' | tr -d '\n'
	}
	# ftfy 6.3.1 and openai/CLIP give an accent and "&", for any number of
	# repetitions.
	run -0 clip-tokenize --show-clean --text="$(chain é 103)"
	[ "$output" = 'é&' ]
	run -0 clip-tokenize --show-clean --text="$(chain é 5000)"
	[ "$output" = 'é&' ]
	clip-tokenize --show-clean --text="$(chain é 7000)" >got
	grep -qx 'é&\(amp;\)*' got
	[ "$(wc -c <got)" -gt 4 ]
	run -0 clip-tokenize --show-clean --text="$(chain e 5000)"
	[ "$output" = 'e&' ]
}

@test "600 tricky lines have the reference's ids and words" {
	ref=$TOP/tests/data/clip-text.jsonl
	[ "$(wc -l <"$ref")" -eq 600 ]
	jq -j '.text + "\u0000"' "$ref" >texts
	jq -r '.ids | join(" ")' "$ref" >want
	clip-tokenize -0 -F ids --length=9999 texts >got
	diff want got
	# Decoding gives the cleaned words again, for each text.
	jq -j '.words + "\u0000"' "$ref" >want
	tr '\n' '\0' <got | clip-tokenize -0 -D | cmp - want
	clip-tokenize -0 --length=2000 texts | clip-tokenize -0 -D | cmp - want
}

# bats test_tags=slow
@test "every code point is cleaned and split as by the reference" {
	# The sum is the output of: tests/data/clip-text.py points | sha256sum
	sum=$("$B/tests/tools/textdump" | sha256sum)
	[ "${sum%% *}" = \
dcf2516d96206d34923a2ed5c6010847aba424a4fc96981f41b5848b3cf5811d ]
}

# bats test_tags=slow
@test "an overlong text is an error that names the line and both lengths" {
	{ echo cat; echo; words 75; echo 'a dog'; } >in
	sed -i '3{N;s/\n//}' in
	for f in ids jsonl tokens; do
		run --separate-stderr -1 clip-tokenize -F $f in
		[ "${#lines[@]}" -eq 2 ]
		[ "$stderr" = "clip-tokenize: in: line 3: 79 tokens, limit 77 \
(75 of text); shorten it, or see --overlong; over it: a dog" ]
	done
	run --separate-stderr -1 clip-tokenize -F ids in
	[ "$output" = "49406 2368 49407"$'\n'"49406 49407" ]
	status=0
	clip-tokenize <in >t 2>/dev/null || status=$?
	[ $status -eq 1 ]
	[ "$(wc -c <t)" -eq $((2 * 372)) ]
	run --separate-stderr -1 clip-tokenize -o out in
	[ ! -e out ]
}

@test "75 tokens of text fit, 76 do not" {
	words 75 | clip-tokenize -F ids >got
	[ "$(wc -w <got)" -eq 77 ]
	words 76 >in
	run -1 clip-tokenize -F ids in
	run -0 --separate-stderr clip-tokenize -F ids --length=78 in
	[ "$(wc -w <<<"$output")" -eq 78 ]
}

# bats test_tags=slow
@test "-m takes the length from the model" {
	for n in 2 77 248; do
		cix-pack -I text:s32:1x$n -O b:s8:1 -o m.cix
		clip-tokenize --length=$n --truncate --text='a dog' >want
		clip-tokenize -m m.cix --truncate --text='a dog' | cmp - want
	done
	echo 'a photo of a cat' | clip-tokenize -m clip_txt.cix >t
	[ "$(wc -c <t)" -eq 372 ]
	cix-pack -I image:s8:1x3 -I text:s32:1x5 -O b:s8:1 -o m.cix
	run -2 clip-tokenize -m m.cix --text='a dog'
	[ "${lines[0]}" = "clip-tokenize: --model: m.cix has 2 inputs; name \
one, as in m.cix:in0" ]
	clip-tokenize -r -m m.cix:text --text='a dog' >r
	[ "$(od -An -v -t d4 -w20 r | tr -s ' ')" = " 49406 320 1929 49407 0" ]
	run -1 clip-tokenize -m m.cix:in0 --text='a dog'
	[ "$output" = "clip-tokenize: m.cix:in0: takes s8 [1,3] scale=1 \
zero_point=0, not rows of 2 to 1048576 ids, s32 or s64" ]
	for shape in 1 2000000; do
		cix-pack -I text:s32:$shape -O b:s8:1 -o m.cix
		run -1 clip-tokenize -m m.cix --text='a dog'
		[[ $output == *", not rows of 2 to 1048576 ids, s32 or s64" ]]
	done
	# The vendor's compiler sometimes omits shapes.
	mkcix --in s32:5 --out s8:1 sound-table-empty >m.cix
	got=$(clip-tokenize -r -m m.cix --text='a dog' | wc -c)
	[ "$got" -eq 20 ]
	run -1 clip-tokenize -m missing.cix --text='a dog'
	[[ $output == "clip-tokenize: missing.cix: no such model"* ]]
}

# bats test_tags=slow
@test "--truncate keeps the end token and reports what was dropped" {
	{ words 75; echo 'dog bird'; } >in
	cut="clip-tokenize: in: line 1: 79 tokens, cut to 77; dropped: dog bird"
	for how in --truncate --overlong=truncate; do
		run --separate-stderr -0 clip-tokenize -F ids $how in
		[ "$output" = "49406$(printf ' 2368%.0s' {1..75}) 49407" ]
		[ "$stderr" = "$cut" ]
	done
	run --separate-stderr -0 clip-tokenize -F tokens --truncate in
	[ "$output" = "<|startoftext|>$(printf ' cat</w>%.0s' {1..75}) \
<|endoftext|>" ]
	[ "$stderr" = "$cut" ]
	clip-tokenize -r --truncate in >r 2>err
	[ "$(rows r)" = "49406$(printf ' 2368%.0s' {1..75}) 49407" ]
	[ "$(cat err)" = "$cut" ]
	run --separate-stderr -0 clip-tokenize -q -F jsonl --truncate in
	[ "$stderr" = "" ]
	jq -e '.n == 79 and .truncated and (.ids | length) == 77 and
	    .ids[76] == 49407' <<<"$output"
}

# bats test_tags=slow
@test "--overlong=skip omits a text and reports which one" {
	{ echo cat; words 77 | sed 's/^cat/dog/'; echo; echo dog; } >in
	said="clip-tokenize: in: line 2: 79 tokens, left out for the limit of \
77; dropped: dog cat "
	run --separate-stderr -0 clip-tokenize -F ids --overlong=skip in
	[ "$output" = "49406 2368 49407"$'\n'"49406 1929 49407" ]
	# 200 bytes are 50 times "cat "; two of these are already in $said.
	[ "$stderr" = "$said$(printf 'cat %.0s' {1..48})..." ]
	for f in jsonl tokens i32; do
		clip-tokenize -F $f --overlong=skip in >skip 2>err
		[ "$(cat err)" = "$stderr" ]
		sed 2d in | clip-tokenize -F $f | cmp - skip
	done
	run --separate-stderr -0 clip-tokenize -q -F ids --overlong=skip in
	[ "${#lines[@]}" -eq 2 ]
	[ "$stderr" = "" ]
	got=$(clip-tokenize --lengths --overlong=skip in | wc -l)
	[ "$got" -eq 3 ]
}

# bats test_tags=slow
@test "a dropped text is printed in whole characters, without controls" {
	# The C1 controls DCS and CSI, and the right-to-left override.
	printf 'a b c\302\220d\342\200\256e f\n' >in
	run --separate-stderr -0 clip-tokenize --length=4 --truncate -F ids in
	[[ $stderr == "clip-tokenize: in: line 1: "*" tokens, cut to 4; \
dropped: c ? d ? e f" ]]
	# 66 characters of three bytes and a blank are 199 bytes; the limit is
	# 200, so no further character fits.
	{ printf 'a%.0s\n' 1; printf '\347\232\204%.0s' {1..100}; } |
	    tr '\n' ' ' >in
	run --separate-stderr -0 clip-tokenize --length=3 --truncate -F ids in
	dropped=${stderr##*dropped: }
	[ "$dropped" = "$(printf '\347\232\204%.0s' {1..66})..." ]
	# All characters that change the direction of writing; the next loop has
	# their neighbours.
	for c in 61c 200e 200f 202a 202e 2066 2069; do
		perl -CO -e 'print "a b c d".chr(hex $ARGV[0])."e"' $c >in
		run --separate-stderr -0 clip-tokenize --length=4 --truncate \
		    -F ids in
		[[ ${stderr##*dropped: } =~ ^'c d '?'?'' '?e$ ]]
	done
	for c in 2018 2030 206a 2070 20ac; do
		perl -CO -e 'print "a b c d".chr(hex $ARGV[0])."e"' $c >in
		run --separate-stderr -0 clip-tokenize --length=4 --truncate \
		    -F ids in
		[[ ${stderr##*dropped: } != *'?'* ]]
	done
}

@test "a row longer than a batch is written, and decoded to its text" {
	clip-tokenize --length=40000 --text='a cat' >row
	run -0 npu-tensor row
	[ "$output" = "1.0  s32 [1,40000] scale=1 zero_point=0" ]
	run -0 clip-tokenize -D row
	[ "$output" = "a cat" ]
	head -c 150000 row >cut
	run --separate-stderr -1 clip-tokenize -D cut
	[ "$stderr" = "clip-tokenize: cut: tensor 1: cut after 149936 of \
160000 bytes" ]
	# A tensor without a shape is one row.
	clip-tokenize -r --text='a cat' | npu-tensor -a -t s32 >flat
	run -0 clip-tokenize -D flat
	[ "$output" = "a cat" ]
}

@test "--lengths prints the number of tokens, without a limit" {
	{ echo; echo 'a photo of a cat'; words 200; } >in
	got=$(clip-tokenize --lengths <in | tr '\n' ' ')
	[ "$got" = "2 7 202 " ]
}

@test "an empty line gives a tensor, an empty input gives nothing" {
	printf '\n' | clip-tokenize >t
	[ "$(wc -c <t)" -eq 372 ]
	clip-tokenize </dev/null >t
	[ ! -s t ]
}

@test "a missing final newline, CRLF and outer blanks change nothing" {
	got=$(printf 'a photo of a cat' | clip-tokenize -F ids)
	[ "$got" = "$CAT" ]
	got=$(printf ' a photo\tof a cat \r\n' | clip-tokenize -F ids)
	[ "$got" = "$CAT" ]
	# With lines, CR LF ends a line, but only one CR is removed.
	got=$(printf 'a\r\nb\r\r\n\r\nc\r' | clip-tokenize -F jsonl |
	    jq -c .text | tr '\n' ' ')
	[ "$got" = '"a" "b\r" "" "c" ' ]
	got=$(printf 'a\r\0' | clip-tokenize -0 -F jsonl | jq -c .text)
	[ "$got" = '"a\r"' ]
}

@test "a NUL is dropped from a line; with -0, it ends a text" {
	# ftfy drops the NUL, and the text becomes catdog.
	printf 'cat\0dog\n' >in
	run --separate-stderr -0 clip-tokenize -F ids in
	[ "$output" = "49406 1481 1929 49407" ]
	run --separate-stderr -0 clip-tokenize -0 -F ids in
	[ "$output" = "49406 2368 49407"$'\n'"49406 1929 49407" ]
}

@test "bytes that are not UTF-8 become U+FFFD, one for each maximal part" {
	# Unicode 15, 3.9, table 3-8: F4 91, C0 AF and F0 80 do not begin a
	# character, so each byte is replaced.  E1 80 and F0 9F 98 begin one, so
	# each sequence is replaced as a whole.
	printf 'a\364\221b\300\257c\341\200d\360\237\230e\n' >in
	want=$(printf 'a\357\277\275\357\277\275b\357\277\275\357\277\275c')
	want+=$(printf '\357\277\275d\357\277\275e')
	got=$(clip-tokenize -F jsonl in | jq -r .text)
	[ "$got" = "$want" ]
	clip-tokenize -F ids --text="$want" >ids
	clip-tokenize -F ids in | cmp - ids
}

# bats test_tags=slow
@test "--invalid=error names the text, the byte and its offset" {
	printf 'cat\nna\303\257ve \303(dog\nx\377\n' >in
	for f in ids jsonl tokens i32; do
		clip-tokenize -F $f <<<cat >want
		run --separate-stderr -1 clip-tokenize -F $f --invalid=error in
		[ "$stderr" = "clip-tokenize: in: line 2: not UTF-8: byte \
0xc3 at offset 7" ]
		status=0
		clip-tokenize -F $f --invalid=error in >got 2>/dev/null ||
			status=$?
		[ $status -eq 1 ]
		cmp got want
	done
	tr '\n' '\0' <in >in0
	for o in '--lengths' '--show-clean' '-F ids -j 3'; do
		# shellcheck disable=SC2086
		run --separate-stderr -1 clip-tokenize -0 --invalid=error $o in0
		[ "$stderr" = "clip-tokenize: in0: text 2: not UTF-8: byte \
0xc3 at offset 7" ]
	done
	run --separate-stderr -1 clip-tokenize -F ids --invalid=error --text=cat \
	    --text=$'\360\237\230'
	[ "$output" = "49406 2368 49407" ]
	[ "$stderr" = "clip-tokenize: --text: text 2: not UTF-8: byte 0xf0 at \
offset 0" ]
	run --separate-stderr -0 clip-tokenize --invalid=error -F ids --text="é"
	clip-tokenize in >want
	clip-tokenize --invalid=replace in | cmp - want
}

@test "-F tokens prints the ids as the vocabulary's tokens" {
	run --separate-stderr -0 clip-tokenize -F tokens --text='A photo'
	[ "$output" = "<|startoftext|> a</w> photo</w> <|endoftext|>" ]
	ref=$TOP/tests/data/clip-text.jsonl
	# The tokens in order of their ids: bytes_to_unicode() of
	# simple_tokenizer.py, then the same with "</w>", then the merges, then
	# the two marks.
	awk 'function letter(c) {
		if (c >= 128)
			return sprintf("%c%c", 192 + int(c / 64), 128 + c % 64)
		return sprintf("%c", c)
	}
	BEGIN {
		for (c = 33; c < 256; c++)
			if (c < 127 || (c > 160 && c != 173))
				token[n++] = letter(c)
		for (i = 256; n < 256; i++)
			token[n++] = letter(i)
		for (i = 0; i < 256; i++)
			token[256 + i] = token[i] "</w>"
		token[49406] = "<|startoftext|>"
		token[49407] = "<|endoftext|>"
	}
	NR == FNR {
		if (FNR > 1 && FNR < 48896)
			token[510 + FNR] = $1 $2
		next
	}
	{
		for (i = 1; i <= NF; i++)
			printf "%s%s", token[$i], i < NF ? " " : "\n"
	}' "$VOCAB" <(jq -r '.ids | join(" ")' "$ref") >want
	[ "$(wc -l <want)" -eq 600 ]
	jq -j '.text + "\u0000"' "$ref" |
	    clip-tokenize -0 -F tokens --length=9999 | diff want -
}

@test "--show-clean prints a cleaned line for each line, without ids" {
	printf '  A Photo\tOF\r\n\n\303\211T\303\211\nend' >in
	clip-tokenize --show-clean in | cmp - <(printf \
	    'a photo of\n\n\303\251t\303\251\nend\n')
	# A newline is white space, as are U+00A0 and U+2028.
	printf 'a\nB\0c\302\240D\342\200\250e' |
	    clip-tokenize -0 --show-clean | cmp - <(printf 'a b\0c d e\0')
	seq 1000 | sed 's/.*/two  WORDS/' |
	    clip-tokenize --show-clean | sort | uniq -c | tr -s ' ' >got
	[ "$(cat got)" = " 1000 two words" ]
}

@test "marks in a text are tokens, but with --special=text they are text" {
	text='a<|endoftext|>B <|STARTOFTEXT|>'
	for o in '' --special --special=token; do
		# shellcheck disable=SC2086
		run --separate-stderr -0 clip-tokenize -F ids $o --text="$text"
		[ "$output" = "49406 320 49407 321 49406 49407" ]
	done
	run --separate-stderr -0 clip-tokenize -F tokens --special=text \
	    --text="$text"
	[[ $output != *"|>"*"|>"*"|>"* ]]
	# Runs of letters and of other characters give the same tokens with and
	# without blanks between them.
	clip-tokenize -F ids --text='a <| endoftext |> b <| startoftext |>' >want
	clip-tokenize -F ids --special=text --text="$text" | diff want -
	clip-tokenize -F ids --special=text --text="$text" | clip-tokenize -D |
	    grep -x 'a <| endoftext |> b <| startoftext |>'
}

@test "the ids of a text do not depend on the texts before it" {
	# ftfy turns U+201A into an apostrophe.  "&#x82" becomes U+201A only in
	# html.unescape(), which runs after ftfy; there it is not changed again.
	printf '\342\200\232\n&#x82\n' >texts
	got=$(head -n 1 texts | clip-tokenize -F ids)
	[ "$got" = "49406 262 49407" ]
	got=$(tail -n 1 texts | clip-tokenize --show-clean)
	[ "$got" = $'\342\200\232' ]
	while read -r text; do
		echo "$text" | clip-tokenize -F ids
	done <texts >each
	cat each each >want
	cat texts texts | clip-tokenize -j 1 -F ids | diff want -
	tac texts | cat - texts | clip-tokenize -j 1 -F ids |
	    diff <(tac each; cat each) -
}

# bats test_tags=slow
@test "--vocab has priority over CLIP_VOCAB; both accept plain and gzip" {
	v=$VOCAB
	gzip -c "$v" >v.gz
	sed 's/$/\r/' "$v" >crlf.txt
	for f in "$v" v.gz crlf.txt; do
		run -0 clip-tokenize --vocab="$f" -F ids --text='a photo of a cat'
		[ "$output" = "$CAT" ]
	done
	# The checksum is calculated over the content, after decompression.
	sum=$(sha256sum <"$v")
	run -0 clip-tokenize -V
	[ "${lines[2]}" = "vocabulary built in, sha256 ${sum%% *}" ]
	export CLIP_VOCAB=$PWD/v.gz
	run -0 clip-tokenize -V
	[ "${lines[2]}" = "vocabulary $PWD/v.gz, sha256 ${sum%% *}" ]
	sum=$(sha256sum <crlf.txt)
	run -0 clip-tokenize --vocab=crlf.txt -V
	[ "${lines[2]}" = "vocabulary crlf.txt, sha256 ${sum%% *}" ]
	run -0 clip-tokenize --vocab=nowhere -V
	[ "${lines[2]}" = \
	    "vocabulary nowhere, unusable: No such file or directory" ]
	run -0 clip-tokenize --vocab=$'no\nwhere\033[m' -V
	[ "${lines[2]}" = "vocabulary no?where?[m, unusable: No such file or \
directory" ]
	run -0 clip-tokenize --vocab=- -F ids --text=cat <v.gz
	[ "$output" = "49406 2368 49407" ]
	run --separate-stderr -1 clip-tokenize --vocab= -F ids --text=cat
	[ "$stderr" = "clip-tokenize: --vocab='': No such file or directory" ]
	CLIP_VOCAB='' run -0 clip-tokenize -F ids --text=cat
	CLIP_VOCAB=nowhere run -0 clip-tokenize --vocab=v.gz -F ids --text=cat
	CLIP_VOCAB=nowhere run --separate-stderr -1 clip-tokenize -F ids --text=cat
	[ "$stderr" = "clip-tokenize: nowhere: No such file or directory" ]
}

@test "OpenAI's own vocabulary file works" {
	need_data vocab/bpe_simple_vocab_16e6.txt.gz
	run -0 clip-tokenize --vocab="$DATA" -F ids --text='a photo of a cat'
	[ "$output" = "$CAT" ]
}

# bats test_tags=slow
@test "a cut or invalid vocabulary is refused with what was expected" {
	head -n 40000 "$VOCAB" >part
	run --separate-stderr -1 clip-tokenize --vocab=part -F ids --text=cat
	[ "$stderr" = "clip-tokenize: part: 39999 merges, expected 48894: the \
file is cut" ]
	run --separate-stderr -1 clip-tokenize --vocab=/dev/null -F ids --text=cat
	[[ $stderr == "clip-tokenize: /dev/null: line 1: expected"* ]]
	gzip -c part >whole.gz
	head -c 2000 whole.gz >part.gz
	run --separate-stderr -1 clip-tokenize --vocab=part.gz -F ids --text=cat
	[[ $stderr == "clip-tokenize: part.gz: gzip: damaged or cut"* ]]
	# Zip bombs: 100 MB of zeros, and one byte more than the limit.
	for n in 100000000 67108865; do
		head -c $n /dev/zero | gzip >bomb.gz
		run --separate-stderr -1 \
		    clip-tokenize --vocab=bomb.gz -F ids --text=cat
		[ "$stderr" = "clip-tokenize: bomb.gz: gzip: more than \
67108864 bytes inside" ]
	done
}

# bats test_tags=slow
@test "a line over the limit is an error after the results before it" {
	{ echo cat; head -c 70000000 /dev/zero | tr "\0" x; } >in
	run --separate-stderr -1 clip-tokenize -F ids in
	[ "$output" = "49406 2368 49407" ]
	[ "$stderr" = "clip-tokenize: in: line 2: longer than 67108864 bytes, \
the limit of one text" ]
}

@test "several files are read in order, and -o writes a file" {
	echo cat >a
	printf dog >b
	clip-tokenize -F ids -o out a b
	[ "$(cat out)" = "49406 2368 49407"$'\n'"49406 1929 49407" ]
	run --separate-stderr -1 clip-tokenize -F ids ''
	[ "$stderr" = "clip-tokenize: '': No such file or directory" ]
	run --separate-stderr -1 clip-tokenize -F ids -o out a missing
	[ "$stderr" = "clip-tokenize: missing: No such file or directory" ]
	[ "$(wc -l <out)" -eq 2 ]
	[ "$(echo "$PWD"/.npu-*)" = "$PWD/.npu-*" ]
}

# bats test_tags=slow
@test "wrong usage is refused with status 2" {
	for args in '-F png' '-r -F ids' '--lengths -F ids' '--length=1' '--length=x' \
	    '--overlong=drop' '-D --lengths' '-D --truncate' '--text=a file' '--trunc' \
	    '--invalid=ignore' '--invalid' '--special=no' '--special=' \
	    '-j -1' '-j 257' '-j' '--show-clean -F ids' '--lengths --show-clean' \
	    '-r --show-clean' '-D --show-clean' '-D --special' \
	    '--show-clean --length=5' '--overlong=skip --show-clean' \
	    '--show-clean --truncate' '--special=text --show-clean' \
	    '--length=77 -m clip_txt.cix' '--show-clean -m clip_txt.cix' \
	    '-D -m clip_txt.cix' '-m -' '-m - --vocab=- --text=x' \
	    '--vocab=- -' '--vocab=-' '-D --vocab=-' '--vocab=- a -' \
	    '-D --length=5' '-D --invalid=error' '-D --text=x' '-D -F ids'; do
		# shellcheck disable=SC2086
		run --separate-stderr -2 clip-tokenize $args </dev/null
		[ "$output" = "" ]
		[ "${stderr_lines[1]}" = \
		    "Try 'clip-tokenize --help' for more information." ]
	done
}

# bats test_tags=native
@test "binary output to a terminal and input from a terminal are refused" {
	run -2 script -qec "clip-tokenize --text=cat" /dev/null </dev/null
	[[ $output == *"stdout is a terminal"* ]]
	[[ $output != *NPUTENS1* ]]
	run -2 timeout 60 script -qec "clip-tokenize >out" /dev/null
	[[ $output == *"stdin, which is a terminal"* ]]
}

@test "a full disk is reported, with status 1" {
	run --separate-stderr -1 bash -c 'clip-tokenize --text=cat >/dev/full'
	[ "$stderr" = "clip-tokenize: write error: No space left on device" ]
}

@test "if a text is given as a file name, the message suggests --text" {
	run --separate-stderr -1 clip-tokenize 'a red circle'
	[ "$stderr" = "clip-tokenize: a red circle: \
No such file or directory; use --text to give a text" ]
	echo bus >'a red circle'
	run -0 clip-tokenize -F ids 'a red circle'
	[ "$output" = '49406 2840 49407' ]
	# A file cannot contain a file, so this is a wrong path, not a text.
	run --separate-stderr -1 clip-tokenize 'a red circle/bus'
	[ "$stderr" = "clip-tokenize: a red circle/bus: Not a directory" ]
}

# bats test_tags=slow
@test "-v prints how many texts there were, and how many were cut off" {
	long=$(printf 'cat %.0s' $(seq 80))
	printf '%s\n' a "$long" b >texts
	run --separate-stderr -0 clip-tokenize -v --truncate -o t texts
	[ "${stderr_lines[-1]}" = \
	    "clip-tokenize: 3 texts, 1 cut off or left out" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	run --separate-stderr -0 clip-tokenize -v --overlong=skip -o t texts
	[ "${stderr_lines[-1]}" = \
	    "clip-tokenize: 3 texts, 1 cut off or left out" ]
	run --separate-stderr -0 clip-tokenize --verbose -F ids --text=a
	[ "$stderr" = "clip-tokenize: 1 text, none cut off or left out" ]
	run --separate-stderr -0 clip-tokenize -vD <<<"$output"
	[ "$stderr" = "clip-tokenize: 1 text" ]
	run --separate-stderr -0 clip-tokenize -qv --truncate -o t texts
	[ "$stderr" = "" ]
}
