#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The rules that all programs share, docs/rules.md, tested on each program.  The
# numbers in the test names are the numbers of the rules.

load ../support/helper

programs() {
	for p in "$B"/bin/*; do
		basename "$p"
	done
}

# each COMMAND...: runs COMMAND for every program, whose name is in p.  Prints
# the name of a program that fails.
each() {
	for p in $(programs); do
		"$@" || {
			echo "$p: failed: $*"
			return 1
		}
	done
}

help_is_data() {
	"$p" --help >out 2>err && [ ! -s err ] &&
		head -n 1 out | grep -qx 'Examples:' &&
		[ "$(grep -c "^  .*$p" out)" -ge 2 ] &&
		"$p" -h | cmp - out
}

# bats test_tags=slow
@test "--help begins with two examples, on stdout, status 0 (10, 14)" {
	each help_is_data
}

version_is_data() {
	"$p" --version >out 2>err && [ ! -s err ] &&
		[ "$(head -n 1 out)" = "$p (npu-utils) $want" ] &&
		grep -qx "libnpu $want" out
}

# bats test_tags=slow
@test "--version prints the program's name and version, and libnpu's (13)" {
	want=$(sed -n 's/^#define NPU_VERSION "\(.*\)"/\1/p' "$TOP/lib/npu.h")
	[ -n "$want" ]
	each version_is_data
}

full_device() {
	for o in --help --version; do
		st=0
		"$p" $o >/dev/full 2>err || st=$?
		[ $st -eq 1 ] && [ "$(cat err)" = \
		    "$p: write error: No space left on device" ] || return 1
		st=0
		"$p" $o >&- 2>err || st=$?
		[ $st -eq 1 ] && grep -q "^$p: write error: " err || return 1
	done
}

# bats test_tags=slow
@test "a full or closed stdout is a write error, also for --help (17, 21)" {
	each full_device
}

wrong_option() {
	st=0
	"$p" --no-such-option </dev/null >out 2>err || st=$?
	[ $st -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 2 ] &&
		grep -q "^$p: unknown option '--no-such-option'" err &&
		grep -qx "Try '$p --help' for more information." err
}

@test "for an unknown letter, the message suggests the other case (6)" {
	run --separate-stderr -2 yolo-detect -r folder
	want="unknown option '-r'; did you mean '-R' (--recursive)?"
	[ "${stderr_lines[0]}" = "yolo-detect: $want" ]
	run --separate-stderr -2 vec-nearest -E base
	want="unknown option '-E'; did you mean '-e' (--exit-status)?"
	[ "${stderr_lines[0]}" = "vec-nearest: $want" ]
	run --separate-stderr -2 npu-tensor -8
	[ "${stderr_lines[0]}" = "npu-tensor: unknown option '-8'" ]
}

@test "a message has the reason, even if the name is very long (23)" {
	name=$(printf '/d%.0s' $(seq 2040))
	for n in "$name" "$name$name$name"; do
		run --separate-stderr -1 npu-info "$n"
		[[ $stderr == "npu-info: /d/d/d"*": "[FN]* ]]
		[[ $stderr == *": No such file or directory" ||
		    $stderr == *": File name too long" ]]
	done
}

# bats test_tags=slow
@test "an unknown option prints one line and a hint, with status 2 (11)" {
	each wrong_option
}

abbreviation() {
	st=0
	"$p" --versio </dev/null >out 2>err || st=$?
	[ $st -eq 2 ] && grep -q "did you mean '--version'?" err
}

# bats test_tags=slow
@test "an abbreviated long option is refused; the full one is suggested (6)" {
	each abbreviation
}

short_has_long() {
	# In each line of --help, a long form follows the letter.
	"$p" --help | grep -E '^  -[a-zA-Z0-9]' >short &&
		! grep -vE '^  -[a-zA-Z0-9], --' short
}

# bats test_tags=slow
@test "every option has a long form (1)" {
	each short_has_long
}

letters() {
	"$p" --help |
	    sed -nE "s/^  -([a-zA-Z0-9]), (--[a-z0-9-]+).*/\1 \2 $p/p" >own &&
		[ -s own ] && cat own >>letters
}

# bats test_tags=slow
@test "the letters of all programs are in the table of docs/rules.md (5)" {
	each letters
	# A row has a letter, a long name and the meaning of both.
	awk '
	NR == FNR && /^\| -. \| / {
		if ($2 in has || $4 in has)
			print "twice in the table: " $2 " " $4
		has[$2]; has[$4]
		one[substr($2, 2) " " $4]
	}
	NR == FNR && /^\| [a-z-]+ \| -. \| --/ {
		exempt[substr($4, 2) " " $6 " " $2]
	}
	NR == FNR { next }
	$1 " " $2 in one { used[$1 " " $2]; next }
	$0 in exempt { used[$0]; next }
	{ print "not in the table: " $0 }
	END {
		for (row in one)
			if (!(row in used))
				print "in the table, but not in a program: " row
		for (row in exempt)
			if (!(row in used))
				print "exempt, but not in a program: " row
	}' "$TOP/docs/rules.md" letters >bad
	cat bad
	[ ! -s bad ]
}

everywhere() {
	for o in '-h, --help' '-V, --version' '-q, --quiet' '-v, --verbose' \
	    '-o, --output=FILE'; do
		"$p" --help | grep -- "^  $o  " || {
			echo "$p lacks $o"
			return 1
		}
	done
}

# bats test_tags=slow
@test "every program has -h, -V, -q, -v and -o (5)" {
	each everywhere
}

names() {
	# Name, letter or "-", "flag" or "argument", program.
	"$p" --help | sed '/^Examples:/,/^$/d' |
	    sed -nE "s/^  (-.|  )[, ] (--[a-z0-9-]+)([^ ]*).*/\2 @\1@\3@ $p/p" |
	    sed -E 's/@  @/- @/; s/@(-.)@/\1 @/
		s/@(\[.*)?@/flag/; s/@.*@/argument/' >>names
}

# bats test_tags=slow
@test "a long name has the same letter and form in all programs (5)" {
	each names
	grep -qx -- '--rescale - flag yolo-draw' names
	grep -qx -- '--times - flag npu-run' names
	grep -qx -- '--count -n argument npu-top' names
	# The table of letters has the exception for --warmup.
	awk '
	NR == FNR && /^\| -. \| / { letter[$4] = $2; next }
	NR == FNR && /^\| --/ {
		if ($2 in letter || $2 in long)
			print "twice in the tables: " $2
		long[$2]; next
	}
	NR == FNR { next }
	{
		if ($1 in letter && $2 != letter[$1] &&
		    $1 " " $4 != "--warmup vec-drift")
			print $4 ": " $1 " without " letter[$1]
		n[$1]++
		# The other exception of the rules.
		if ($1 " " $4 == "--mirror npu-model")
			next
		if (($1 in form) && form[$1] != $3)
			print $4 ": " $1 ": " $3 "; elsewhere " form[$1]
		form[$1] = $3
	}
	END {
		for (name in n)
			if (n[name] > 1 && !(name in letter) &&
			    !(name in long) && name != "--completion")
				print "not in the table: " name
		for (name in long)
			if (n[name] < 2)
				print "not in two programs: " name
	}' "$TOP/docs/rules.md" names >bad
	cat bad
	[ ! -s bad ]
}

# old PROGRAM OLD NEW [WORD]: WORD, which is OLD by default, must be a usage
# error with the message "OLD: use NEW".  For a letter, the message also has its
# present meaning from the table of docs/rules.md.
old() {
	want="$1: $2: use $3"
	case $2 in
	-?) want="$want, as $2 means $(awk -v letter="$2" \
	    '$2 == letter { print $4 }' "$TOP/docs/rules.md") in every program" ;;
	esac
	st=0
	"$1" "${4-$2}" </dev/null >out 2>err || st=$?
	[ $st -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 2 ] &&
	    { [ "$(head -n 1 err)" = "$want" ] ||
		{ [ "${2#--}" != "$2" ] &&
		    grep -q "^$want, as $2 means " err; }; } &&
	    grep -qx "Try '$1 --help' for more information." err || {
		echo "$1 ${4-$2}: $(head -n 1 err)"
		return 1
	}
}

moved() {
	cat <<-'END'
	cix-pack --json --spec
	cix-pack -n --name
	clip-classify --fit --for
	clip-classify --top --count
	clip-embed --fit --for
	clip-embed --ids --write-ids
	clip-embed --stats --times
	clip-embed -s --text
	clip-embed -t --lines
	clip-tokenize --count --lengths
	clip-tokenize -c --lengths
	clip-tokenize -s --text
	host-status -l --levels
	npu-bench --null --null-device
	npu-bench -R --runs
	npu-bench -n --min-iter
	npu-bench -t --min-time
	npu-dequant -n --normalise
	npu-run --stats --times
	npu-run -i --input
	npu-tensor -i --tensor
	vec-drift -w --window
	vec-nearest --top --count
	yolo-decode --layout --first
	yolo-decode --max --count
	yolo-detect --layout --first
	yolo-detect --max --count
	yolo-detect --stats --times
	yolo-draw --scale --rescale
	yolo-draw --text --text-size
	END
}

# bats test_tags=slow
@test "for a renamed option, the message has the new name (5)" {
	moved >rows
	while read -r p was now; do
		old "$p" "$was" "$now"
		"$p" --help | grep -E -- "^  (-., |    )$now([ =[]|$)"
		case $was in
		--*) old "$p" "$was" "$now" "$was=5" ;;
		*) old "$p" "$was" "$now" "${was}5" ;;
		esac
	done <rows
	# Also in a group of letters.
	old npu-bench -R --runs -qR5
	old clip-embed -t --lines -qrt
	old npu-run -i --input -qri0=a
}

# bats test_tags=slow
@test "the test above covers every renamed option of the programs (5)" {
	moved | sort >told
	for f in "$TOP"/cmd/*.c "$TOP"/cmd/*/*.c; do
		p=$(sed -n 's/^	\.name = "\(.*\)",/\1/p' "$f")
		sed -n '/^static const struct moved moved/,/^};/s/^	{ "\(.*\)", "\(.*\)",.*/\1 \2/p' "$f" |
		    sed "s/^/$p /"
	done | sort | diff told -
}

# Nothing would be left in stdin for the second reader.
# bats test_tags=slow
@test "stdin that is named twice is refused (12)" {
	mkcix --in=s32:1 >m.cix
	printf 1234 | npu-tensor --add --type=f32 --shape=1 >one.npt
	printf 'a\nb\n' >two
	while IFS='|' read -r command input; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 $command <"$input"
		[ "${stderr_lines[0]}" = "${command%% *}: stdin can be read\
 only once; name files for the rest" ] || {
			echo "$command: $stderr"
			false
		}
	done <<-'END'
	vec-drift --ids=-|one.npt
	npu-dequant --diff=-|one.npt
	npu-tensor --zip - -|one.npt
	npu-tensor - -|one.npt
	npu-quant -t s8 - -|one.npt
	yolo-detect --names=-|two
	yolo-decode --image-size=8x8 --names=-|two
	npu-info - -|m.cix
	cix-lint - -|m.cix
	xclbin-check --machine=none --insts=- -|m.cix
	xclbin-info - -|m.cix
	xclbin-pack -i - --add-kernel=-|m.cix
	xdna-run - insts.bin|m.cix
	xdna-run --dry-run - -|m.cix
	END
}

no_files() {
	mkdir -p home tmp work
	(cd work && HOME=$PWD/../home TMPDIR=$PWD/../tmp "$p" --help) \
	    >/dev/null && [ -z "$(find home tmp work -type f)" ]
}

# bats test_tags=slow
@test "a program writes no file that was not named (38)" {
	each no_files
}

little_stack() {
	for kib in $sizes; do
		st=0
		(ulimit -s $kib; exec "$p" --help) >out 2>err || st=$?
		[ $st -eq 1 ] && [ ! -s out ] && [ "$(cat err)" = \
		    "$p: the limit of the stack is $kib KiB, and 256 are\
 needed; see 'ulimit -s'" ] || return 1
	done
	case ${LEG-native} in
	asan | coverage) ;;
	*) (ulimit -s 256; exec "$p" --help) >out ;;
	esac
}

# A program that is built for coverage needs more stack.
# bats test_tags=slow
@test "a stack limit that is too low is reported" {
	if [ "${LEG-native}" = coverage ]; then
		p=npu-info sizes=255
		little_stack
	else
		sizes='64 128 255'
		each little_stack
	fi
}

@test "a program that a library aborts leaves no partial file" {
	mkfifo in
	exec 8<>in
	npu-dequant -q -r -t s8 -s 1 -o o <in 3>&- 8>&- &
	pid=$!
	printf x >&8
	for _ in $(seq 1200); do
		[ -z "$(find . -name '.npu-*')" ] || break
		sleep 0.05
	done
	[ -n "$(find . -name '.npu-*')" ]
	kill -ABRT $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
	[ $status -eq 134 ]
	[ "$(ls -A)" = in ]
}
