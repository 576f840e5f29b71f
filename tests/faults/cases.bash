# SPDX-License-Identifier: Apache-2.0
# Shared by the three scripts torture, environment and kills: reads the cases,
# makes the fixtures, and compares files.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # variables of the runners
#
# A case is a line "PROGRAM/NAME [OPTION]... -- ARGUMENTS", quoted as for a
# shell; $F is the folder of fixtures:
#
#	in=FILE		standard input (/dev/null)
#	out=FILE,...	files that the program shall write
#	has=FILE,...	fixtures that the program changes; each run has a copy
#	sees=FILTER	how stdout and files are compared: exact, or by a
#			function see_FILTER below
#	ends=STATUS	of the good run (0; 1 if NAME is "refuses")
#	whole=CHECK	a failed run may leave a file that whole_CHECK below
#			accepts as whole, for example with fewer records, or
#			with a gray picture
#	verdict=WORD	a failed run may end with 4 if WORD is in its stdout
#	env=NAME=VALUE	one more variable in the environment; TORTURE_ALSO=
#			where libraries make too many calls
#	not=calls	torture skips the case: no call counts, or a failed run
#			keeps what it has written

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
me=${0##*/}

# begin B: makes a folder to work in, and the fixtures.
begin() {
	local v
	B=$(cd "$1" && pwd)
	work=$(mktemp -d "$B/faults.XXXXXX")
	chmod 755 "$work"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	export B LC_ALL=C NPU_DEVICE=emu
	PATH=$here/bin:$B/bin:$B/tests/tools:$B/tools:$here/../../driver:$PATH
	for v in "${!NPU_@}" "${!CLIP_@}" "${!UMD_@}" "${!ORT_@}"; do
		[ "$v" = NPU_DEVICE ] || unset "$v"
	done
	export F=$work/f
	mkdir "$F"
	(cd "$F" && "${FIXTURES:-$here/fixtures}") >"$work/fixtures" 2>&1 || {
		echo "$me: the fixtures could not be made:" >&2
		cat "$work/fixtures" >&2
		exit 1
	}
	fixtures=$F
}

# each_case PATTERN DO...: calls DO for each case that matches PATTERN, after
# read_case has set its variables; $first is set for the first case of each
# program.  If $CASES is set, it names another list of cases.
each_case() {
	local pattern=$1 options was=
	shift
	while read -r name options <&3; do
		case $name in
		'' | '#'*) continue ;;
		esac
		first=
		[[ $was == *" ${name%%/*} "* ]] || first=y
		was="$was ${name%%/*} "
		# shellcheck disable=SC2254 # a pattern
		case $name in
		$pattern) ;;
		*) continue ;;
		esac
		read_case "$options"
		"$@"
	done 3<"${CASES:-$here/cases}"
}

read_case() {
	local word
	program=${name%%/*}
	in=/dev/null out='' has='' sees=exact whole=no env=() ends=0
	verdict='' not=''
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
		not=*) not=${word#*=} ;;
		--) ;;
		*) echo "$me: $name: $word: no such option" >&2
			exit 2 ;;
		esac
	done
}

# noise WORDS: prints random bytes for shuf --random-source.  The same words
# give the same bytes.
noise() {
	perl -e '$s = ($s * 31 + ord) % 2**32 for split //, "@ARGV";
	    srand $s;
	    1 while print chr rand 256' -- "$@" 2>/dev/null
}

# drawn: prints all lines of stdin, or $draw lines at random.
drawn() {
	if [ "$draw" -eq 0 ]; then
		cat
	else
		shuf -n "$draw" --random-source=<(noise "$seed" "$name")
	fi
}

# ---- Comparison -------------------------------------------------------------

see_exact() {
	cat
}

# Compares only the words, because numbers differ from run to run.
see_words() {
	sed -E 's/[<-]?[0-9][0-9.]*(e[-+]?[0-9]+)?/N/g; s/ +/ /g'
}

# Compares all but the times of records.
see_undated() {
	LC_ALL=C sed -E 's/"time":"[0-9TZ:.-]+"/"time":"-"/'
}

# Compares all but the names of files, in findings or in a configuration.
see_unnamed() {
	sed -E 's/^.*: warning: //; s/ -o OUT\.onnx .*//
		/input_model|model_name|outputs|calibration|NAME/d'
}

# Only tests that it is a whole document.
see_json() {
	jq -e 'keys' 2>&1
}

# For npu-bench: also compares the model, the library and the target.  A fact
# about the machine that npu-bench could not find out is null.
see_bench() {
	jq -e 'keys, .models, (.host, .runs[] | [.model, .checksum, .library,
	    .libnoe, .driver, .target])' 2>&1
}

# Compares only the first word of each line.
see_heads() {
	sed -E 's/^ *([^ ]*).*/\1/'
}

# Compares only a gate's verdict, because a report may say that a version is
# unknown.
see_verdict() {
	grep -oE '^verdict: .*|<testcase name="[^"]*"|<failure|<skipped|\(null\)' || :
}

see_rows() {
	wc -l
}

# ---- Checks for whole files -------------------------------------------------

# whole_CHECK FILE: succeeds if FILE, which a failed run left, is whole.
whole_no() {
	return 1
}

whole_json() {
	jq . "$1" >/dev/null 2>&1
}

# A whole JUnit document reports the failure.
whole_junit() {
	tail -n 1 "$1" | grep -q '^</testsuites>$'
}

# vec-drift can continue from a whole state.
whole_state() {
	cp "$1" "$dir.state" &&
	    vec-drift --state="$dir.state" "$F/query" >/dev/null 2>&1
}

# A whole report lists the failures, and has its last line.
whole_report() {
	local end
	end=$(tail -n 1 "$1") && [ -n "$end" ] &&
	    [ "$end" = "$(tail -n 1 "$good/${1##*/}")" ]
}

# A whole report of npu-info lists at its end what npu-info could not read.
whole_unread() {
	tail -n 3 "$1" | grep -q '^== Not read$'
}

# All records are present, and some may be marked as bad.
whole_size() {
	[ "$(stat -c %s "$1")" -eq "$(stat -c %s "$good/${1##*/}")" ]
}

# The index has its old records, and only such new ones as a good run adds.
whole_index() {
	local is had='' new
	is=$(index_names "$1") || return
	new=$(index_names "$good/${1##*/}") || return
	[ ! -e "$F/${1##*/}" ] || had=$(index_names "$F/${1##*/}") || return
	# Prints lines that are in only one of two sorted lists.
	[ -z "$(comm -23 <(echo "$had") <(echo "$is"))" ] &&
	    [ -z "$(comm -13 <(echo "$new") <(echo "$is"))" ]
}

# Prints the names in an index, which may be empty.
index_names() {
	local id
	for id in 'a bus' 'a photo of a bus'; do
		vec-nearest -F jsonl -n 0 --id="$id" "$1" >"$dir.matches" \
		    2>"$dir.why" || continue
		# The vector itself is not among its matches.
		{ echo "$id"; jq -r '.matches[].id' "$dir.matches"; } | sort
		return
	done
	grep -q ": no vector is called '" "$dir.why"
}

# npu-kmd adapt --undo restores the tree.
whole_tree() {
	rm -rf "$dir.tree"
	cp -r "$1" "$dir.tree" &&
	    npu-kmd adapt --undo "$dir.tree" >/dev/null 2>&1 &&
	    diff -r "$dir.tree" "$fixtures/tree" >/dev/null
}

# npu-kmd can remove everything that it wrote to the machine.
whole_machine() {
	local c
	rm -rf "$dir.m"
	cp -r "$1" "$dir.m" &&
	    npu-kmd autoload off --root="$dir.m" 2>/dev/null &&
	    npu-kmd ssdt remove --root="$dir.m" 2>/dev/null &&
	    diff -r "$dir.m" "$fixtures/m" >/dev/null
}

# own_line ARGUMENT...: prints the name of the file with the program's own
# command line, whose last word is this name.  Slashes are added to the name
# until the command line is a whole number of f32, wherever the program lies
# ($path, if it is run by its path).  The size of this file is reported as 0.
own_line() {
	local file=/proc/self/cmdline n
	n=$(printf '%s\0' "${path:-$program}" "$@" "$file" | wc -c)
	while [ $((n++ % 4)) -ne 0 ]; do
		file=/$file
	done
	echo "$file"
}

# ---- Before and after a run --------------------------------------------------

# put_cases_files: puts a copy of each of the case's files into $dir.
put_cases_files() {
	local f
	rm -rf "$dir" "$dir".*
	mkdir "$dir"
	for f in $has; do
		cp -r "$fixtures/$f" "$dir/"
	done
}

# Succeeds if both files are the same, or if neither exists.
same() {
	local seen=$work/seen.$BASHPID
	[ -e "$1" ] || [ -e "$2" ] || return 0
	cmp -s "$1" "$2" && return
	[ "$sees" != exact ] && [ -f "$1" ] && [ -f "$2" ] &&
		"see_$sees" <"$1" >"$seen.1" && "see_$sees" <"$2" >"$seen.2" &&
		cmp -s "$seen.1" "$seen.2"
}

# same_named FILE: succeeds if FILE is the same as after the good run.
same_named() {
	if [ -d "$good/$1" ]; then
		diff -r -x '.npu-*' "$good/$1" "$dir/$1" >/dev/null 2>&1
	else
		same "$good/$1" "$dir/$1"
	fi
}

# as_before FILE: succeeds if FILE is the same as before the run.
as_before() {
	if [ -e "$fixtures/$1" ] && [[ " $has " == *" $1 "* ]]; then
		diff -r "$fixtures/$1" "$dir/$1" >/dev/null 2>&1
	else
		[ ! -e "$dir/$1" ]
	fi
}

# half FILE: if FILE is neither new nor old, prints what is wrong with it.
half() {
	local f
	! same_named "$1" && ! as_before "$1" && [ -e "$dir/$1" ] || {
		[ -e "$dir/$1" ] || [[ " $has " != *" $1 "* ]] ||
			echo "$1 was lost"
		return 0
	}
	! "whole_$whole" "$dir/$1" || return 0
	[ -d "$dir/$1" ] && [ "$whole" = no ] || {
		echo "$1 is incomplete"
		return
	}
	for f in "$dir/$1"/* "$dir/$1"/.[!.]*; do
		[ ! -e "$f" ] || same "$good/$1/${f##*/}" "$f" ||
			echo "$1/${f##*/} is incomplete"
	done
}
