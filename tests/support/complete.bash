#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# complete.bash FOLDER - prints what the completion functions of bash offer for
# the lines on stdin, in the format of complete.zsh.  The functions are called
# from this script, without a terminal or bash-completion. ^ in a line is the
# cursor; without ^, the cursor is at the end.  Words are cut as readline cuts
# them.  Quotes have no meaning here.

set -u

# words LINE: sets COMP_WORDS and COMP_CWORD for LINE.
words() {
	local line=$1 blank=1 i c
	COMP_WORDS=()
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		case $c in
		' ') blank=1 ;;
		[=:\<\>])
			COMP_WORDS+=("$c") blank=1 ;;
		*)
			[[ ! $blank ]] || COMP_WORDS+=('')
			COMP_WORDS[-1]+=$c blank= ;;
		esac
		[[ $i -ne $((COMP_POINT - 1)) ]] ||
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	done
	# The cursor is at a word that is still empty.
	[[ ${line:COMP_POINT-1:1} != ' ' ]] || {
		COMP_CWORD=$((COMP_CWORD + 1))
		COMP_WORDS=("${COMP_WORDS[@]:0:COMP_CWORD}" ''
		    "${COMP_WORDS[@]:COMP_CWORD}")
	}
}

while IFS= read -r line; do
	echo "$line>"
	before=${line%%^*}
	name=${line%% *} COMP_LINE=${line/^/} COMP_POINT=${#before}
	words "$COMP_LINE"
	# shellcheck source=/dev/null
	. "$1/bash-completion/completions/$name" || exit
	part=${before##*[ =:<>]}
	COMPREPLY=()
	"_${name//-/_}" "$name" "$part" "${COMP_WORDS[COMP_CWORD - 1]}" \
	    2>/dev/null
	[[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
done
