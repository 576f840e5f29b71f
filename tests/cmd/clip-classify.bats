#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# clip-classify, with models that return their input: the vector of a text is
# its row of 12 ids, the vector of a picture is its 2 x 2 pixels as CLIP
# normalises them.  The expected cosines and probabilities can therefore be
# computed from the definition.

load ../support/helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	mkonnx Identity f32:1x12 : f32:1x12 >ids.onnx
	cix-pack -o ids.cix -I text:s32:1x12 -O v:f32:1x12 ids.onnx
	mkonnx Identity f32:1x3x2x2 : f32:1x3x2x2 >dots.onnx
	cix-pack -o dots.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 dots.onnx
	export IDS=$PWD/ids.cix DOTS=$PWD/dots.cix
}

classify() {
	clip-classify -q -d emu --text-model="$IDS" --image-model="$DOTS" "$@"
}

pixels='255 0 0 200 0 0 9 90 90 255 255 200'

picture() {
	printf 'P3 2 2 255 %s' "$pixels" >a.ppm
}

# told SCALE TEMPLATE,... LABEL...: prints the label, probability and cosine of
# each label, best first, computed from the definition with the ids that
# clip-tokenize prints.
told() {
	local scale=$1 templates=$2 t l ids
	shift 2
	for l; do
		IFS=,
		for t in $templates; do
			ids=$(clip-tokenize -F ids --text="${t//\{\}/$l}")
			printf '%s\t%s\n' "$l" "$ids"
		done
		unset IFS
	done | perl -e '
		($scale, @v) = @ARGV;
		@mean = (0.48145466, 0.4578275, 0.40821073);
		@dev = (0.26862954, 0.26130258, 0.27577711);
		for my $c (0 .. 2) {
			push @x, ($v[3 * $_ + $c] / 255 - $mean[$c]) / $dev[$c]
			    for 0 .. 3;
		}
		sub unit {
			my $s = 0;
			$s += $_ * $_ for @_;
			map { $_ / sqrt $s } @_;
		}
		@x = unit(@x);
		while (<STDIN>) {
			chomp;
			my ($name, $ids) = split /\t/;
			my @id = split / /, $ids;
			push @id, 0 while @id < 12;
			@id = unit(@id);
			push @names, $name if !$sum{$name};
			$sum{$name}[$_] += $id[$_] for 0 .. 11;
		}
		for my $n (@names) {
			my @w = unit(@{$sum{$n}});
			$cos{$n} += $w[$_] * $x[$_] for 0 .. 11;
			$all += exp($scale * $cos{$n});
		}
		printf "%s %.5f %.5f\n", $_, exp($scale * $cos{$_}) / $all,
		    $cos{$_} for sort { $cos{$b} <=> $cos{$a} } @names' \
	    "$scale" $pixels
}

# as_told: reads TSV from stdin and prints it in the form of told().
as_told() {
	perl -ne 'chomp; my (undef, $l, $p, $c) = split /\t/;
	    printf "%s %.5f %.5f\n", $l, $p, $c'
}

# bats test_tags=slow
@test "cosines are right, and probabilities are the softmax of 100 * cosine" {
	picture
	labels=(-l cat -l dog -l car -l bus)
	told 100 'a photo of a {}' cat dog car bus >want
	[ "$(wc -l <want)" -eq 4 ]
	cat want
	# Make sure that the expected numbers are not all 0 or 1.
	awk '$(NF - 1) > 0.05 && $(NF - 1) < 0.95' want | grep .
	classify -F tsv "${labels[@]}" a.ppm | as_told | diff want -
	told 10 'a photo of a {}' cat dog car bus >want
	classify -F tsv --logit-scale=10 "${labels[@]}" a.ppm | as_told |
	    diff want -
}

# bats test_tags=slow
@test "the vectors of several templates are averaged and normalised again" {
	picture
	told 100 'a {},many {} {}' cat dog bus >want
	classify -F tsv --template='a {}' --template='many {} {}' -l cat \
	    -l dog -l bus a.ppm | as_told | diff want -
	told 100 'a {}' cat dog bus >one
	run -1 diff want one
}

# bats test_tags=slow
@test "JSON has one object for each picture, with the best label first" {
	picture
	cp a.ppm b.ppm
	run -0 --separate-stderr classify -l cat -l bus a.ppm b.ppm
	[ "${#lines[@]}" -eq 2 ]
	[ -z "$stderr" ]
	jq -e 'keys_unsorted == ["schema","file","labels"] and
	    .schema == "clip-classify/1" and .file == "a.ppm" and
	    (.labels | length) == 2 and (.labels[0] | keys_unsorted) ==
	    ["label","probability","cosine"] and
	    ([.labels[].probability] | add - 1 | fabs) < 1e-6 and
	    .labels[0].cosine > .labels[1].cosine' <<<"${lines[0]}"
	classify -F json -l cat -l bus a.ppm b.ppm >j
	[ "$(jq -c '.[]' j)" = "$output" ]
	classify -F tsv -l cat -l bus a.ppm b.ppm >t
	classify -j 0 -F tsv -l cat -l bus a.ppm b.ppm | cmp t -
	[ "$(jq -r '.[] | .file as $f | .labels[] |
	    "\($f) \(.label)"' j)" = "$(cut -f1,2 t | tr '\t' ' ')" ]
	run -0 classify -l cat <a.ppm
	jq -e '.file == null and .labels[0].probability == 1' <<<"$output"
	printf 'P6\n2 2\n255\n%012dP6\n2 2\n255\n%012d' 1 2 >film
	run -0 classify -l cat --stream=ppm film
	[ "$(jq -c '[.file, .frame]' <<<"$output")" = \
	    $'["film",1]\n["film",2]' ]
	run -0 classify -l cat --stream=ppm -F tsv film
	[ "$(cut -f1 <<<"$output")" = $'film#1\nfilm#2' ]
}

# bats test_tags=slow
@test "a --labels file may have lines that end with CR LF, and a BOM" {
	picture
	printf 'dog\n\na b\n' >labels
	printf 'dog\r\n\r\na b\r\n' >crlf
	run -0 classify --labels=labels -n 0 a.ppm
	[ "$(jq -c '[.labels[].label] | sort' <<<"$output")" = '["a b","dog"]' ]
	want=$output
	run -0 classify --labels=crlf -n 0 a.ppm
	[ "$output" = "$want" ]
	# Windows editors begin a file with a UTF-8 byte order mark.
	printf '\357\273\277dog\r\n\r\na b\r\n' >marked
	run -0 classify --labels=marked -n 0 a.ppm
	[ "$output" = "$want" ]
	printf 'dog\n\357\273\277a\n' >inside
	run -0 classify --labels=inside -n 0 a.ppm
	[ "$(jq -c '[.labels[].label] | sort' <<<"$output")" = \
	    $'["dog","\357\273\277a"]' ]
	printf '\357\273a\n' >short
	run -0 classify --labels=short a.ppm
	# Only one CR belongs to the end of the line.
	printf 'dog\r\r\n' >crlf
	run -0 classify --labels=crlf a.ppm
	[ "$(jq -c '[.labels[].label]' <<<"$output")" = '["dog\r"]' ]
}

# bats test_tags=slow
@test "labels with the same cosine keep the order in which they were given" {
	picture
	printf 'Dog\n\nCAT\ndog\n' >labels
	run -0 classify -l cat --labels=labels -F tsv a.ppm
	[ "${#lines[@]}" -eq 4 ]
	run -0 cut -f2 <<<"$output"
	[ "$output" = $'cat\nCAT\nDog\ndog' ] ||
		[ "$output" = $'Dog\ndog\ncat\nCAT' ]
	run -0 classify --labels=labels -l cat -F tsv a.ppm
	run -0 cut -f2 <<<"$output"
	[ "$output" = $'CAT\ncat\nDog\ndog' ] ||
		[ "$output" = $'Dog\ndog\nCAT\ncat' ]
	# Four equal labels: each has the probability 0.25.
	run -0 classify -l a -l a -l a -l a a.ppm
	[ "$(jq -c '[.labels[].probability]' <<<"$output")" = \
	    '[0.25,0.25,0.25,0.25]' ]
}

# bats test_tags=slow
@test "-n limits the labels, --min drops bad ones, -e exits 4 without one" {
	picture
	l=(-l cat -l dog -l bus -l car -l bike -l plane)
	run -0 classify -F tsv "${l[@]}" a.ppm
	[ "${#lines[@]}" -eq 5 ]
	first=${lines[0]}
	run -0 classify -F tsv -n 0 "${l[@]}" a.ppm
	[ "${#lines[@]}" -eq 6 ]
	run -0 classify -F tsv -n 1 "${l[@]}" a.ppm
	# Probabilities are computed over all labels, not only over the printed
	# ones.
	[ "$output" = "$first" ]
	p=$(cut -f3 <<<"$first")
	run -0 classify -F tsv -e --min="$p" "${l[@]}" a.ppm
	[ "$output" = "$first" ]
	run -4 classify -F tsv -e --min=1 "${l[@]}" a.ppm
	[ -z "$output" ]
	run -4 classify -e --min=1 "${l[@]}" a.ppm
	[ "$output" = '{"schema":"clip-classify/1","file":"a.ppm","labels":[]}' ]
	run -0 classify --min=1 "${l[@]}" a.ppm
}

# bats test_tags=slow
@test "neither --logit-scale=0 nor --logit-scale=1e6 overflows" {
	picture
	for scale in 0 1e6; do
		run -0 classify --logit-scale=$scale -l cat -l bus a.ppm
		jq -e '([.labels[].probability] | add - 1 | fabs) < 1e-6' \
		    <<<"$output"
	done
	run -0 classify --logit-scale=0 -l cat -l bus a.ppm
	jq -e '[.labels[].probability] == [0.5, 0.5]' <<<"$output"
}

# bats test_tags=slow
@test "a bad picture keeps its place in the output" {
	picture
	run -1 --separate-stderr classify -F tsv -n 1 -l cat a.ppm missing a.ppm
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[0]}" = "${lines[2]}" ]
	[ "${lines[1]}" = $'missing\t\tnan\tnan' ]
	[ "$stderr" = "clip-classify: missing: No such file or directory" ]
	run -1 --separate-stderr classify -l cat a.ppm missing
	[ "${lines[1]}" = '{"schema":"clip-classify/1","file":"missing","error":{"message":"No such file or directory"},"labels":[]}' ]
	run -1 classify -e --min=1 -l cat -l dog missing
	# A picture whose vector has no direction is as bad as a damaged
	# picture.
	mkonnx Relu f32:1x3x2x2 : f32:1x3x2x2 >relu.onnx
	cix-pack -o relu.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 relu.onnx
	printf 'P3 2 2 255 0 0 0 0 0 0 0 0 0 0 0 0' >black.ppm
	run -1 --separate-stderr clip-classify -q -d emu --text-model="$IDS" \
	    --image-model=./relu.cix -F tsv -l cat black.ppm
	[ "$output" = $'black.ppm\t\tnan\tnan' ]
	[ "$stderr" = \
	    "clip-classify: black.ppm: the vector is zero and has no direction" ]
}

# bats test_tags=slow
@test "pictures come from stdin or a list, and a terminal gets a table" {
	picture
	run -0 classify -v --fast -T 10min -F tsv -l cat <a.ppm
	[ "$output" = $'-\tcat\t1\t'"$(cut -f 4 <<<"$output")" ]
	for l in - list; do
		echo a.ppm >list
		run -0 classify -F tsv -l cat --files-from=$l <list
		[[ $output == $'a.ppm\tcat\t1\t'* ]]
	done
	run -0 script -qec "clip-classify -q -d emu --text-model=$IDS \
	    --image-model=$DOTS -l cat a.ppm" /dev/null
	[[ $output == $'a.ppm\tcat\t1\t'* ]]
}

# bats test_tags=slow
@test "300 labels work; a label whose vector is zero is refused" {
	picture
	seq 300 >labels
	run -0 classify -F tsv -n 0 --labels=labels a.ppm
	[ "${#lines[@]}" -eq 300 ]
	[ "$(cut -f 2 <<<"$output" | sort -n)" = "$(seq 300)" ]
	mkonnx Neg f32:1x12 : f32:1x12 >neg.onnx
	cix-pack -o neg.cix -I text:s32:1x12 -O v:u8:1x12 neg.onnx
	run -1 --separate-stderr clip-classify -q -d emu \
	    --text-model=./neg.cix --image-model="$DOTS" -l cat a.ppm
	[ "$stderr" = \
	    "clip-classify: label 'cat': the vector is zero and has no direction" ]
	# The message cuts a long label, between two characters.
	long=$(printf 'a%.0s' {1..59})
	run -1 --separate-stderr clip-classify -q -d emu \
	    --text-model=./neg.cix --image-model="$DOTS" -l "${long}éa" a.ppm
	[[ $stderr == "clip-classify: label '$long...': "* ]]
	seq 1048577 >labels
	run -1 --separate-stderr classify --labels=labels a.ppm
	[ "$stderr" = \
	    "clip-classify: labels: line 1048577: more than 1048576 labels" ]
	sed -i '$d' labels
	run -1 --separate-stderr classify --labels=labels -l cat a.ppm
	[ "$stderr" = "clip-classify: --label: more than 1048576 labels" ]
}

@test "a label whose templates' vectors cancel each other is refused" {
	picture
	mkcix --in s32:77:1:0 --out s8:64:1:0 >text.cix
	# Without a twin: oddnoe.so runs this model, not the emulator.
	cix-pack -o image.cix -I image:f32:1x3x2x2 -O v:f32:1x64 </dev/null
	# 1 and -1, each with 63 zeros.
	perl -e 'print "\1", "\0" x 63, "\377", "\0" x 63' >answers
	: >node
	export ODD_SIZE=308 ODD_TYPE=7 ODD_SCALE=1 ODD_ZERO=0
	export ODD_OUT_SIZE=64 ODD_OUT_TYPE=3 ODD_ANSWERS=$PWD/answers
	run -1 --separate-stderr clip-classify -q --node=./node \
	    -L "$B/tests/tools/oddnoe.so" --text-model=text.cix \
	    --image-model=image.cix -l cat --template='a {}' \
	    --template='no {}' a.ppm
	[ "$stderr" = "clip-classify: label 'cat': the vectors of its \
sentences cancel each other" ]
	[ -z "$output" ]
}

# bats test_tags=slow
@test "a label that is too long, or no label, is an error before any picture" {
	picture
	run -1 --separate-stderr classify -l cat \
	    -l 'one two three four five six seven eight nine ten' a.ppm
	[ -z "$output" ]
	[[ $stderr == "clip-classify: label 'one two three "*"limit 12"* ]]
	[[ $stderr == *"; shorten it; over it: "* ]]
	printf '\n\n' >labels
	run -1 --separate-stderr classify --labels=labels a.ppm
	[ "$stderr" = "clip-classify: labels: empty: it has no labels" ]
	printf 'cat\ndo\0g\n' >labels
	run -1 --separate-stderr classify --labels=labels a.ppm
	[ "$stderr" = "clip-classify: labels: line 2: a NUL in a label" ]
	run -2 classify a.ppm
	run -2 --separate-stderr classify --template=photo -l cat a.ppm
	[[ $stderr == *"'photo' has no {} for the label"* ]]
	for p in - '' -0; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr classify --labels=- $p <<<cat
		[[ $stderr == *"only one of the labels and the pictures"* ]]
	done
	run -1 classify --labels=none a.ppm
	# Vectors of different widths cannot be compared.
	mkonnx Identity f32:1x4 : f32:1x4 >four.onnx
	cix-pack -o four.cix -I text:s32:1x4 -O v:f32:1x4 four.onnx
	run -1 --separate-stderr clip-classify -q -d emu \
	    --text-model=./four.cix --image-model="$DOTS" -l cat a.ppm
	[[ $stderr == *"they belong to different spaces and cannot be compared" ]]
}

# bats test_tags=slow
@test "labels are read only after all options have been checked" {
	picture
	run -0 classify --labels=missing --help
	for args in '--labels=- --labels=- a.ppm' '--labels=-' \
	    '--labels=- -' '--labels=- --no-such a.ppm'; do
		# shellcheck disable=SC2086 # words
		{ run -2 classify $args; cat >rest; } <<<cat
		[ "$(cat rest)" = cat ]
	done
	printf 'cat\n\n' >labels
	run -0 classify -F tsv -n 0 --logit-scale=0 -l dog --labels=labels \
	    -l bus --labels=- a.ppm <<<car
	[ "$(cut -f2 <<<"$output" | sort | tr '\n' ' ')" = 'bus car cat dog ' ]
}

# The third result that the program gets belongs to the second picture; after it
# the device is gone.  The other pictures became ready while the first one ran,
# so a further job is in flight, and asking for its status fails.
# bats test_tags=slow
@test "-F json prints one valid document even if the device goes away" {
	picture
	export NPU_EMU_CORES=1 NPU_EMU_INFER_MS=300
	NPU_EMU_FAULT=get:3:nodevice run -3 --separate-stderr classify \
	    -F json -l cat a.ppm a.ppm a.ppm a.ppm
	jq -e 'length == 3 and .[1].labels[0].label == "cat" and
	    .[2].error.status == 3 and
	    (.[2].error.message | contains("the device is gone"))' <<<"$output"
	[[ $stderr == *"the device is gone"* ]]
	# With -o, the file has the same content; after a write error, nothing
	# follows.
	NPU_EMU_FAULT=get:3:nodevice run -3 --separate-stderr classify \
	    -F json -o out -l cat a.ppm a.ppm a.ppm a.ppm
	[ "$(jq length out)" -eq 3 ]
	NPU_EMU_FAULT='' run -1 --separate-stderr classify -F json -o out \
	    --text-model=nosuch -l cat a.ppm
	jq -e '. == [{ schema: "clip-classify/1", file: null, labels: [],
	    error: .[0].error }] and .[0].error.status == 1 and
	    (.[0].error.message | startswith("nosuch: no such model"))' out
	run -1 --separate-stderr bash -c 'clip-classify -q -d emu -F json \
	    --text-model="$IDS" --image-model="$DOTS" -l cat a.ppm >/dev/full'
	[ "$stderr" = "clip-classify: write error: No space left on device" ]
}

@test "names with a TAB or a backslash are escaped in TSV" {
	picture
	name=$'a\tb\\.ppm'
	cp a.ppm "$name"
	run -0 classify -F tsv -l $'c\td' "$name"
	[[ $output == 'a\tb\\.ppm'$'\t''c\td'$'\t'1$'\t'* ]]
}

# bats test_tags=slow
@test "the demo models recognise a blue ring among 48 labels" {
	"$B/tools/draw-shapes" -S 11 -c 'blue ring' -F ppm >p.ppm
	for c in red orange yellow green cyan blue purple pink; do
		for s in circle square triangle star cross ring; do
			echo "$c $s"
		done
	done >labels
	run -0 clip-classify -q -d emu --labels=labels -n 1 -F tsv p.ppm
	[[ $output == p.ppm$'\t'"blue ring"$'\t'* ]]
	run -0 clip-classify -q -d emu --labels=labels -n 1 -F tsv \
	    --template='a photo of a {}' --template='a drawing of one {}' p.ppm
	[[ $output == p.ppm$'\t'"blue ring"$'\t'* ]]
}

# bats test_tags=slow
@test "the cosines equal the dot products of clip-embed's vectors" {
	for c in 'red circle' 'green star'; do
		"$B/tools/draw-shapes" -S 11 -c "$c" -F ppm >"$c.ppm"
	done
	clip-embed -q -d emu -r --text='a photo of a red circle' \
	    --text='a photo of a green star' 'red circle.ppm' 'green star.ppm' >v
	perl -e 'local $/; @x = unpack "f<*", <STDIN>;
		for my $p (2, 3) {
			for my $t (0, 1) {
				my $dot = 0;
				$dot += $x[512 * $p + $_] * $x[512 * $t + $_]
				    for 0 .. 511;
				printf "%.6f\n", $dot;
			}
		}' <v >want
	clip-classify -q -d emu -l 'red circle' -l 'green star' \
	    'red circle.ppm' 'green star.ppm' |
	    jq -r '.labels | sort_by(.label) | reverse[].cosine' |
	    xargs printf '%.6f\n' | diff want -
}

# bats test_tags=slow
@test "a full disk is reported, and -o writes what stdout would get" {
	picture
	run -1 --separate-stderr bash -c 'clip-classify -q -d emu \
	    --text-model="$IDS" --image-model="$DOTS" -l cat a.ppm >/dev/full'
	[ "$stderr" = "clip-classify: write error: No space left on device" ]
	classify -o out -l cat a.ppm
	classify -l cat a.ppm | cmp - out
}

@test "a result is written before the name of the next picture arrives" {
	picture
	mkfifo list
	exec 8<>list
	clip-classify -q -d emu --text-model="$IDS" --image-model="$DOTS" \
	    -F tsv -l cat --files-from=list >out 3>&- 8>&- &
	pid=$!
	echo a.ppm >&8
	for _ in $(seq 600); do
		[ ! -s out ] || break
		sleep 0.1
	done
	cat out
	kill -KILL $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 137 ]
	[[ $(cat out) == a.ppm$'\t'cat$'\t'1$'\t'* ]]
}

# bats test_tags=slow
@test "a bad line in --files-from loses no result of earlier pictures" {
	picture
	bad_lists a.ppm a.ppm a.ppm a.ppm a.ppm
	for list in long nul; do
		run -1 --separate-stderr classify -F json -l cat \
		    --files-from=$list
		[ "$(jq length <<<"$output")" -eq 6 ]
		[[ $stderr == "clip-classify: $list: line 6: "* ]]
		status=0
		classify -F json -l cat --files-from=$list >out 2>said ||
			status=$?
		[ $status -eq 1 ]
		[ "$(cat out)" = "$output" ]
	done
}

# bats test_tags=slow
@test "-F csv has a header line, the numbers of TSV, and quotes if needed" {
	picture
	cp a.ppm 'b,"c'
	classify --format=csv --label=cat --label='a,b' a.ppm 'b,"c' >got
	classify --format=tsv --label=cat --label='a,b' a.ppm 'b,"c' >tsv
	{
		echo 'file,label,probability,cosine'
		sed 's/b,"c/"b,""c"/; s/a,b/"a,b"/; s/\t/,/g' tsv
	} | diff - got
	[ "$(wc -l <got)" -eq 5 ]
	run --separate-stderr -1 classify --format=csv --label=cat missing
	[ "${lines[1]}" = 'missing,,nan,nan' ]
	run -0 classify --format=csv --label=cat --recursive --files-from=/dev/null
	[ "$output" = 'file,label,probability,cosine' ]
	run -0 classify --format=tsv --label=cat --recursive --files-from=/dev/null
	[ "$output" = '' ]
}

@test "the note about the emulator is printed once for both models" {
	printf 'P3 1 1 255 10 200 30' >p.ppm
	run --separate-stderr -0 clip-classify -T none --node=./none -l bus p.ppm
	[[ $stderr =~ ^'clip-classify: emulator, demo model clip_'[a-z]*'.cix'$ ]]
}
