# SPDX-License-Identifier: Apache-2.0
# Runs a case once and judges the run: for tests/torture/run and
# tests/environment.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # variables of the runner
#
# A case is a line "PROGRAM/NAME [OPTION]... -- ARGUMENTS", as the shell reads
# them; $F is the folder of fixtures:
#
#	in=FILE		standard input (/dev/null)
#	out=FILE,...	files that it is to write
#	has=FILE,...	fixtures, of which each run has a copy to change
#	sees=FILTER	what is compared of stdout and files: exact, or a
#			function see_FILTER below
#	ends=STATUS	of the good run (0; 1 if NAME is "refuses")
#	whole=CHECK	a failed run may leave what whole_CHECK below takes for
#			whole, such as fewer records, or a gray picture
#	verdict=WORD	a failed run may end in 4 if its stdout has this word
#	env=NAME=VALUE	once more in the environment; TORTURE_ALSO= where
#			libraries make too many calls

read_case() {
	local word
	program=${name%%/*}
	in=/dev/null out='' has='' sees=exact whole=no env=() ends=0
	verdict=
	[ "${name#*/}" != refuses ] || ends=1
	arguments=${1#*-- }
	[ "$1" != -- ] || arguments=
	for word in ${1%%-- *}; do
		case $word in
		in=*) in=$(eval "echo ${word#*=}") ;;
		out=*) out=${word#*=} out=${out//,/ } ;;
		has=*) has=${word#*=} has=${has//,/ } ;;
		sees=*) sees=${word#*=} ;;
		ends=*) ends=${word#*=} ;;
		whole=*) whole=${word#*=} ;;
		verdict=*) verdict=${word#*=} ;;
		env=*) env+=("${word#*=}") ;;
		--) ;;
		*) echo "torture: $name: $word: no such option" >&2
			exit 2 ;;
		esac
	done
}

# noise WORDS: bytes for shuf --random-source, the same for the same words.
noise() {
	perl -e '$s = ($s * 31 + ord) % 2**32 for split //, "@ARGV";
	    srand $s;
	    1 while print chr rand 256' -- "$@" 2>/dev/null
}

# ---- Comparison -------------------------------------------------------------

see_exact() {
	cat
}

# Numbers differ from run to run: only the words are compared.
see_words() {
	sed -E 's/[<-]?[0-9][0-9.]*(e[-+]?[0-9]+)?/N/g; s/ +/ /g'
}

# All but when a record was made.
see_undated() {
	LC_ALL=C sed -E 's/"time":"[0-9TZ:.-]+"/"time":"-"/'
}

# Only that it is a whole document.
see_json() {
	jq -e 'keys' 2>&1
}

# For npu-bench, also what was measured, and with which library.  What it could
# not learn of the machine is null.
see_bench() {
	jq -e 'keys, .models, (.host, .runs[] | [.model, .checksum, .library,
	    .libnoe, .driver, .target])' 2>&1
}

# The lines present, by their first word.
see_heads() {
	sed -E 's/^ *([^ ]*).*/\1/'
}

# A gate's verdict; a report may have a version that is not known.
see_verdict() {
	grep -oE '^verdict: .*|<testcase name="[^"]*"|<failure|<skipped|\(null\)' || :
}

# ---- Checks for whole files -------------------------------------------------

# whole_CHECK FILE: of a run that failed.
whole_no() {
	return 1
}

whole_json() {
	jq . "$1" >/dev/null 2>&1
}

# JUnit's XML says what failed.
whole_junit() {
	tail -n 1 "$1" | grep -q '^</testsuites>$'
}

# A state of vec-drift is one that it can continue from.
whole_state() {
	cp "$1" "$dir.state" &&
	    vec-drift --state="$dir.state" "$F/query" >/dev/null 2>&1
}

# A report says what failed, to its end.
whole_report() {
	local end
	end=$(tail -n 1 "$1") && [ -n "$end" ] &&
	    [ "$end" = "$(tail -n 1 "$good/${1##*/}")" ]
}

# A report of npu-info's says at its end what could not be read.
whole_told() {
	tail -n 3 "$1" | grep -q '^== Not read$'
}

# Each record is there, and some are marked as bad.
whole_size() {
	[ "$(stat -c %s "$1")" -eq "$(stat -c %s "$good/${1##*/}")" ]
}

# An index has what it had, and nothing that a good run does not add.
whole_index() {
	local is had='' new
	is=$(index_names "$1") || return
	new=$(index_names "$good/${1##*/}") || return
	[ ! -e "$F/${1##*/}" ] || had=$(index_names "$F/${1##*/}") || return
	# Lines in only one of two sorted lists.
	[ -z "$(comm -23 <(echo "$had") <(echo "$is"))" ] &&
	    [ -z "$(comm -13 <(echo "$new") <(echo "$is"))" ]
}

# The names in an index.
index_names() {
	vec-nearest -F jsonl -n 0 --id='a bus' "$1" |
	    jq -r '[.matches[].id] | sort | .[]'
}

# own_line ARGUMENT...: the file of the program's own command line, of which it
# is the last word: by so many slashes that this is whole f32, wherever the
# program ($path, if it is run by that) is.  The file's size says 0.
own_line() {
	local file=/proc/self/cmdline n
	n=$(printf '%s\0' "${path:-$program}" "$@" "$file" | wc -c)
	while [ $((n++ % 4)) -ne 0 ]; do
		file=/$file
	done
	echo "$file"
}

# ---- A run ------------------------------------------------------------------

# The program, with $failure, in $dir; $status, and $dir.out, .err, .log, .emu.
run_once() {
	local f fail=0 fault=
	case $failure in
	count)
		for f in init graph create load infer status get clean unload \
		    deinit; do
			fault="$fault,$f:*:delay=0"
		done
		fault=${fault#,} ;;
	*:*) fault=$failure ;;
	0) ;;
	*) fail=$failure$after ;;
	esac
	rm -rf "$dir" "$dir".*
	mkdir "$dir"
	for f in $has; do
		cp -r "$F/$f" "$dir/"
	done
	printf '\0\0\0\0\0\0\0\0' >"$dir.count"
	: >"$dir.log"
	eval "set -- $arguments"
	status=0
	# The shell says on stderr when a program is killed.
	{ (
		cd "$dir" || exit
		unset B
		[ -z "$fault" ] ||
			export NPU_EMU_FAULT="$fault" NPU_EMU_LOG="$dir.emu"
		export "${env[@]}" TORTURE_COUNT="$dir.count"
		export TORTURE_LOG="$dir.log" TORTURE_FAIL="$fail"
		exec timeout -k 1 "$limit" env LD_PRELOAD="$injector" \
		    "$program" "$@" <"$in" >"$dir.out" 2>"$dir.err"
	) || status=$?; } 2>/dev/null
}

# Two files, or none.
same() {
	local seen=$work/seen.$BASHPID
	[ -e "$1" ] || [ -e "$2" ] || return 0
	cmp -s "$1" "$2" && return
	[ "$sees" != exact ] && [ -f "$1" ] && [ -f "$2" ] &&
		"see_$sees" <"$1" >"$seen.1" && "see_$sees" <"$2" >"$seen.2" &&
		cmp -s "$seen.1" "$seen.2"
}

same_stdout() {
	same "$good.out" "$dir.out"
}

same_files() {
	local f
	for f in $out $has; do
		[ -d "$good/$f" ] && diff -rq "$good/$f" "$dir/$f" >/dev/null ||
			same "$good/$f" "$dir/$f" || return
	done
}

# ---- Judging it -------------------------------------------------------------

# Faults that show without a comparison.
judge_signs() {
	local f
	case $status in
	[0-5]) ;;
	99) grep -m 1 -oE '(ERROR: |runtime error: ).{1,60}' "$dir.err" ||
		echo 'a sanitizer' ;;
	124 | 137) echo "no end within $limit s" ;;
	*) echo "status $status" ;;
	esac
	for f in "$dir"/* "$dir"/.[!.]*; do
		case " $out $has " in
		*" ${f##*/} "*) ;;
		*) [ ! -e "$f" ] || echo "left behind: ${f##*/}" ;;
		esac
	done
}

# Values that a library need not report are left out if it does not.
untold() {
	local call
	read -r _ call _ < <(tail -n 1 "$dir.log")
	case $call in
	noe_ioctl | noe_get_target | noe_get_partition_count) ;;
	noe_get_cluster_count | noe_get_core_count) ;;
	*) false ;;
	esac
}

judge_success() {
	[ "$good_status" -eq 0 ] || echo 'success of what ought to fail'
	! untold || return 0
	same_stdout || echo 'status 0 and another stdout'
	same_files || echo 'status 0 and another file'
}

judge_failure() {
	local f
	[ "$status" -ne 4 ] || [ -z "$verdict" ] ||
		! grep -q "$verdict" "$dir.out" || return 0
	# The verdict of the good run is no failure, and needs no message.
	[ "$status" -ne "$good_status" ] || [ "$status" -lt 4 ] ||
		! same_stdout || ! same_files || return 0
	grep -q "^$program: ." "$dir.err" || echo "status $status, no message"
	[ "$status" -eq "$good_status" ] || case $status in
	2) echo 'taken for wrong usage' ;;
	4) echo 'taken for a verdict' ;;
	esac
	for f in $out $has; do
		judge_part "$f"
	done
}

# Whether FILE is incomplete; for a folder, each file in it.
judge_part() {
	local f
	if [ -d "$dir/$1" ]; then
		for f in "$dir/$1"/* "$dir/$1"/.[!.]*; do
			[ ! -e "$f" ] || same "$good/$1/${f##*/}" "$f" ||
				echo "in $1: half of ${f##*/}"
		done
	elif [ -e "$dir/$1" ]; then
		same "$good/$1" "$dir/$1" || cmp -s "$F/$1" "$dir/$1" ||
			"whole_$whole" "$dir/$1" || echo "half of $1"
	elif [[ " $has " == *" $1 "* ]]; then
		echo "$1 was lost"
	fi
}

# The place of the failed call, in readable form.
site() {
	local call at module
	[[ $failure != *:* ]] || return 0
	read -r _ call at < <(tail -n 1 "$dir.log")
	[ -n "${at:-}" ] || return 0
	module=${at%+*}
	for module in "$B"/{bin,lib/npu-utils,tests/tools}/"$module"; do
		[ ! -f "$module" ] || break
	done
	[ ! -f "$module" ] || at=$(addr2line -p -i -f -s -e "$module" \
	    "${at#*+}" 2>/dev/null | tr -s '\n ' '  ')
	echo "$call at ${at% }"
}

judge() {
	local what
	{
		judge_signs
		case $status in
		0) judge_success ;;
		[1-5]) judge_failure ;;
		esac
	} >"$dir.signs"
	[ -s "$dir.signs" ] || return 0
	while read -r what; do
		echo "$name $failure: $what; $(site)"
	done <"$dir.signs" >>"${dir}_found"
}
