# SPDX-License-Identifier: Apache-2.0
# The completion of a program in bash: a function for complete -F, which needs
# nothing but bash 4.4.  All it knows of the program is one case statement.
#
# A template (completion.c): PROGRAM stands for the program's name with _ for
# -, @PROGRAM@ for the name itself.  Each line "#: NAME" begins a part, up to
# the next or to a line "#:"; the C code writes what differs between programs
# between the parts.
#
# SC1007: "from= words=()" assigns the empty string.  SC2053: the pattern of a
# file name is meant.
# shellcheck disable=SC1007,SC2053
#: begin

# What completes the argument of option $1, operand 1 or those after it (2),
# or the names of options: sets from, words, and optional where it may be
# left out.  Fails where there is no argument.
_PROGRAM_what() {
	from= words=() optional=
	case $1 in
#: end
	*) return 1 ;;
	esac
}

# plain: what the word $1 means once its quotes are gone.  Nothing in it is
# run or replaced.
_PROGRAM_plain() {
	local rest=$1 quote= c
	plain=
	while [[ $rest ]]; do
		c=${rest:0:1} rest=${rest:1}
		case $quote$c in
		\' | \") quote=$c ;;
		\'\' | \"\") quote= ;;
		\"\\)
			[[ $rest == [\$\`\"\\]* ]] || plain+=$c
			plain+=${rest:0:1} rest=${rest:1} ;;
		\\) plain+=${rest:0:1} rest=${rest:1} ;;
		*) plain+=$c ;;
		esac
	done
}

# raw: the words up to the cursor.  COMP_WORDS are cut at = and :, too; what
# stands together in the line is one.
_PROGRAM_words() {
	local line=${COMP_LINE:0:COMP_POINT} rest word i
	raw=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		rest=${line#"${line%%[![:space:]]*}"}
		[[ $rest == "$word"* ]] || word=$rest
		if [[ $i -eq 0 || $rest != "$line" ]]; then
			raw+=("$word")
		else
			raw[-1]+=$word
		fi
		line=${rest#"$word"}
	done
}

# One word before the cursor: sets opt if it is an option that needs the
# next word, or counts an operand.
_PROGRAM_past() {
	local rest=${1:1}
	if [[ $opt ]]; then
		opt=
	elif [[ $only_operands || $1 != -?* ]]; then
		operands=$((operands + 1))
	elif [[ $1 == -- ]]; then
		only_operands=1
	elif [[ $1 == --* ]]; then
		[[ $1 == *=* ]] || ! _PROGRAM_what "$1" || [[ $optional ]] ||
			opt=$1
	else
		while [[ $rest ]] && ! _PROGRAM_what "-${rest:0:1}"; do
			rest=${rest:1}
		done
		[[ ${#rest} -ne 1 || $optional ]] || opt=-$rest
	fi
}

# Of the word $cur at the cursor: what it is, in from; arg, the part that is
# completed, and head, what is before that.
_PROGRAM_present() {
	local rest
	head= arg=$cur
	if [[ $opt ]]; then
		_PROGRAM_what "$opt"
	elif [[ $only_operands || $cur != -* ]]; then
		_PROGRAM_what $((operands > 0 ? 2 : 1))
	elif [[ $cur == --*=* ]]; then
		head=${cur%%=*}= arg=${cur#*=}
		_PROGRAM_what "${cur%%=*}"
	elif [[ $cur == - || $cur == --* ]]; then
		_PROGRAM_what names
	else
		rest=${cur:1} head=-
		while [[ $rest ]] && ! _PROGRAM_what "-${rest:0:1}"; do
			head+=${rest:0:1} rest=${rest:1}
		done
		head+=${rest:0:1} arg=${rest:1}
		# Complete as it is: its argument may be the next word.
		[[ $arg ]] || from=given
	fi
}

# Adds the names that begin with $arg, folders, and those that are like one
# of the patterns, to found.
_PROGRAM_names() {
	local base=$arg name pattern
	[[ $base != '~'/* ]] || base=$HOME${base:1}
	for name in "$base"*; do
		if [[ -d $name ]]; then
			found+=("$head$arg${name:${#base}}/")
			continue
		fi
		[[ -e $name || -L $name ]] || continue
		for pattern; do
			[[ ${name,,} != $pattern ]] ||
				found+=("$head$arg${name:${#base}}")
		done
	done
}

# Adds the models in the folders where they are looked for.
_PROGRAM_models() {
	local rest=${NPU_MODEL_PATH-}: own name
	own=$(readlink -f -- "$(type -P "$1")")
	[[ ${XDG_DATA_HOME-} == /* ]] || rest+=${HOME-}/.local/share
	[[ ${XDG_DATA_HOME-} != /* ]] || rest+=$XDG_DATA_HOME
	rest+=/npu-utils/models:${own%/*/*}/share/npu-utils/models:
	while [[ $rest ]]; do
		for name in "${rest%%:*}/$arg"*.{cix,onnx}; do
			[[ ! -f $name ]] || found+=("$head${name##*/}")
		done
		rest=${rest#*:}
	done
}

_PROGRAM() {
	local raw plain cur opt= only_operands= operands=0
	local from= words=() optional= head arg found=() word i cut=0
	local redirect='^[0-9]*[<>][<>&|]*' target=
	_PROGRAM_words
	for word in "${raw[@]:1:${#raw[@]}-2}"; do
		if [[ $target ]]; then
			target=
		elif [[ $word =~ $redirect ]]; then
			[[ $word != "${BASH_REMATCH[0]}" ]] || target=1
		else
			_PROGRAM_plain "$word"
			_PROGRAM_past "$plain"
		fi
	done
	_PROGRAM_plain "${raw[-1]}"
	cur=$plain
	if [[ $target || ${raw[-1]} =~ $redirect ]]; then
		head=${BASH_REMATCH[0]-} from=file
		[[ ! $target ]] || head=
		arg=${cur:${#head}}
	else
		_PROGRAM_present
	fi

	case $from in
	given) found=("$cur") ;;
	file) _PROGRAM_names '*' ;;
	folder) _PROGRAM_names ;;
	picture) _PROGRAM_names '*.jpg' '*.jpeg' '*.png' '*.ppm' ;;
	model)
		_PROGRAM_names '*.cix' '*.onnx'
		[[ $arg == */* ]] || _PROGRAM_models "$1" ;;
	esac
	# A picture or model may have any name.
	[[ $from != @(picture|model) || ${#found[@]} -gt 0 ]] || _PROGRAM_names '*'
	for word in "${words[@]}"; do
		[[ $word != "$arg"* ]] || found+=("$head$word")
	done

	# What readline completes is $2, the end of the word; quotes aside, the
	# same number of characters goes from each that was found.
	if [[ ${raw[-1]} == *"$2" ]]; then
		_PROGRAM_plain "${raw[-1]%"$2"}"
		cut=${#plain}
	fi
	case $from in
	file | folder | picture | model)
		compopt -o filenames 2>/dev/null
		# Where it has the whole name, readline ends folders itself.
		[[ $cut -ne ${#head} ]] || found=("${found[@]%/}") ;;
	esac
	COMPREPLY=()
	for word in "${found[@]}"; do
		COMPREPLY+=("${word:cut}")
	done
	[[ ${found[0]-} != *[=/] ]] || compopt -o nospace 2>/dev/null
}
complete -F _PROGRAM @PROGRAM@
