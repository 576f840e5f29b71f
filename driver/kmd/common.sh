# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# Shared by the commands of npu-kmd: messages, options, kernel versions, JSON.
# KMD is the folder of this file.  SC2034: other files read these variables.

# shellcheck source=driver/kmd/options.sh
. "$KMD/options.sh" || exit 1

# say_err MESSAGE: prints one line on stderr, also if a name contains control
# characters.  Uses only the shell, because it also reports that programs cannot
# be started.
say_err() {
	plain "$*"
	said=$plain
	# Without stderr the work is still done.
	printf 'npu-kmd: %s\n' "$said" >&2 || :
}

# plain TEXT: sets plain to TEXT with "?" for each control character.
plain() {
	plain=$1
	while :; do
		case $plain in
		*[[:cntrl:]]*)
			plain="${plain%%[[:cntrl:]]*}?${plain#*[[:cntrl:]]}" ;;
		*) break ;;
		esac
	done
}

# note MESSAGE: prints a message that -q silences.
note() {
	[ -n "${opt_quiet:-}" ] || say_err "$*"
}

# detail MESSAGE: prints a message that -v asks for.
detail() {
	[ -z "${opt_verbose:-}" ] || note "$*"
}

captured=

# die SUBJECT: REASON; what to do next: reports an error and ends.
die() {
	say_err "$*"
	pass_on
}

# pass_on: ends with status 1.  If captured is set, also prints the message on
# stdout, for fails().
pass_on() {
	[ -z "$captured" ] || printf '\001%s' "$said"
	exit 1
}

# fails OUTPUT [SUBJECT]: ends after a $(captured=y; ...) that failed.  The
# message in OUTPUT becomes the message of this shell.  Without a message:
# no_help SUBJECT.
fails() {
	mark=$(printf '\001')
	case $1 in
	*"$mark"*) said=${1##*"$mark"}; pass_on ;;
	esac
	shift
	no_help "$@"
}

# A failed read gives no verdict.
no_help='a program that reads it failed; is there memory, and room for'
no_help="$no_help processes?"

# no_help [SUBJECT]: reports that a program failed, and ends.
no_help() {
	die "${1:+$1: }$no_help"
}

# finds ERE FILE: whether a line matches.  Ends if this cannot be determined.
finds() {
	grep -qE "$1" "$2"
	case $? in
	0) ;;
	1) return 1 ;;
	*) no_help "${tree:+$tree: }$2" ;;
	esac
}

usage() {
	used_wrongly=y
	say_err "$*"
	echo "Try 'npu-kmd --help' for more information." >&2
	exit 2
}

# put TEXT: prints data on stdout.  Uses cat, which reports why a write failed.
put() {
	has_put=y
	reason='Bad file descriptor'
	if (: 3>&1) 2>/dev/null &&
	    { reason=$(printf '%s\n' "$1" | cat 2>&1 >&3); } 3>&1; then
		return
	fi
	die "write error: ${reason##*: }"
}

# begin_output OPERAND...: from now on, standard output goes to the file of -o,
# which appears at the end.
begin_output() {
	output=$(readlink -f -- "$opt_output") ||
		die "--output=$opt_output: its folder does not exist"
	for operand; do
		[ "$output" != "$(readlink -f -- "$operand")" ] ||
			usage "--output: '$opt_output' is also read"
	done
	[ ! -d "$output" ] || die "--output=$opt_output: is a folder"
	if [ -e "$output" ] && [ ! -f "$output" ]; then
		{ command exec >"$output"; } 2>/dev/null ||
			die "--output=$opt_output: cannot be written"
		return
	fi
	output_new=$(mktemp -- "${output%/*}/.npu-kmd.XXXXXX" 2>/dev/null) ||
		die "--output=$opt_output: cannot be written"
	exec >"$output_new"
}

# end_output STATUS: renames the file if it has the result of the command, or
# the document of a failure; else removes it.
end_output() {
	case $1$opt_json$has_put in
	[045] | [045]1 | [045]y | [045]1y | 11) ;;
	*) rm -f -- "$output_new"; return ;;
	esac
	{ chmod '=rw' "$output_new" && sync -- "$output_new" &&
	    mv -f -- "$output_new" "$output"; } 2>/dev/null && return
	rm -f -- "$output_new"
	say_err "--output=$opt_output: cannot be written; is there room?"
	exit 1
}

# option --NAME[=VALUE]: sets opt_NAME.
option() {
	name=${1%%=*}
	name=${name#--}
	option_row "$name" ||
		usage "unknown option '--$name'$(nearest "$name" 2 -- \
		    "$kmd_options")"
	case ${o_value:+y}$1 in
	y*=) usage "option '--$name' needs a value" ;;
	y*=*) eval "opt_$name=\${1#*=}" ;;
	y*) usage "option '--$name' needs a value" ;;
	*=*) usage "option '--$name' takes no value" ;;
	*) eval "opt_$name=1" ;;
	esac
	given="$given$name "
}

kmd_version() {
	if [ -f "$KMD/version" ]; then
		cat "$KMD/version"
	else
		sed -n 's/^#define NPU_VERSION "\(.*\)"/\1/p' \
		    "$KMD/../../lib/npu.h"
	fi
}

# need_operands N WHAT "$@": ends unless there are N operands.
need_operands() {
	want=$1 what=$2
	shift 2
	[ $# -ge "$want" ] || usage "$command: $what is missing"
	[ $# -le "$want" ] || {
		shift "$want"
		usage "$command: one operand too many: '$1'"
	}
}

# version_code TEXT: sets kernel_code, to 6012 for "6.12.107-arm64" and 7003 for
# "7.3-rc7".  Fails if TEXT does not begin with a version.
version_code() {
	kernel_code=$(printf '%s\n' "$1" | awk -F '[.+~-]' '
	    NR == 1 && /^[0-9]+\.[0-9]+([.+~-]|$)/ && $1 < 1000 && $2 < 1000 {
		code = $1 * 1000 + $2
	    }
	    END { print (code == "" ? "none" : code) }') || no_help "$1"
	[ "$kernel_code" != none ]
}

# kernel_of VERSION|FOLDER|"": sets kernel (the name that it gives itself),
# kernel_code (version_code) and kernel_dir (the folder of headers, or "").  A
# value without a slash that looks like a version is a version, even if a folder
# of that name exists.
kernel_of() {
	kernel=$1 kernel_dir=''
	[ -n "$kernel" ] || kernel=$(uname -r) || no_help 'the running kernel'
	case $kernel in
	*/*) ;;
	*) ! version_code "$kernel" || return 0 ;;
	esac
	[ -n "$1" ] || die "the running kernel, $kernel: not a version;" \
	    "name one by --kernel=6.12"
	[ -d "$1" ] || die "--kernel=$1: neither a kernel's version (6.12)" \
	    "nor a folder of its headers"
	kernel_dir=$1
	kernel=$(headers_release "$1") || no_help "$1"
	version_code "$kernel" ||
		die "$1: no version in include/generated/utsrelease.h," \
		    "include/config/kernel.release or Makefile;" \
		    "is this a folder of kernel headers?"
}

# headers_release FOLDER: sets release to the release of the kernel that was, or
# would be, built there, from the first of three files that has it.
headers_release() {
	release=
	for f in include/generated/utsrelease.h \
	    include/config/kernel.release Makefile; do
		f=$1/$f
		[ -z "$release" ] && [ -f "$f" ] && [ -r "$f" ] || continue
		case $f in
		*.h) release=$(sed -n \
		    's/^#define UTS_RELEASE "\([^"]*\)".*/\1/p' "$f") ;;
		*.release) release=$(cat "$f") ;;
		*) release=$(awk '$2 == "=" && !($1 in v) { v[$1] = $3 }
		    "VERSION" in v && "PATCHLEVEL" in v {
			print v["VERSION"] "." v["PATCHLEVEL"]
			exit
		    }' "$f") ;;
		esac || return
	done
	printf '%s\n' "${release%%
*}"
}

# json_str TEXT: prints TEXT as a JSON string.
json_str() {
	JSON_STRING=$1 awk -f "$KMD/json.awk"
}
