# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the rows of options.sh, first the commands, then an empty line and the
# options.  -v what=help prints the options for --help; bash, zsh, fish: the
# completion of each shell.

BEGIN { FS = ";"; part = 1 }
$0 == "" { part = 2; next }
/^\t/ {
	if (part == 1)
		chelp[nc] = more(chelp[nc])
	else
		says[no] = more(says[no])
	next
}
part == 1 {
	nc++
	cname[nc] = $1; cop[nc] = $2; cfrom[nc] = $3; chelp[nc] = $4
}
part == 2 {
	no++
	letter[no] = $1; name[no] = $2; value[no] = $3; from[no] = $4
	only[no] = $5; says[no] = $6
}
END {
	if (what == "help") help()
	if (what == "bash") bash()
	if (what == "zsh") zsh()
	if (what == "fish") fish()
}

# more(): the help so far, and this line.
function more(said) { return (said == "" ? "" : said " ") substr($0, 2) }

# ---- --help -----------------------------------------------------------------

# row(): prints head, and text beside it from column 24, in lines of 80 columns.
function row(head, text,    n, i, word, column) {
	if (length(head) > 23) {
		print head
		head = ""
	}
	printf "%-24s", head
	column = 24
	n = split(text, word, " ")
	for (i = 1; i <= n; i++) {
		if (i > 1 && column + 1 + length(word[i]) >= 80) {
			printf "\n%24s", ""
			column = 24
		} else if (i > 1) {
			printf " "
			column++
		}
		printf "%s", word[i]
		column += length(word[i])
	}
	printf "\n"
}

function explained(i,    who) {
	who = only[i]
	gsub(/ /, ", ", who)
	return who == "" ? says[i] : who ": " says[i]
}

function help(    i) {
	for (i = 1; i <= nc; i++)
		row("  " cname[i] (cop[i] == "" ? "" : " " cop[i]), chelp[i])
	printf "\n"
	for (i = 1; i <= no; i++)
		row((letter[i] == "" ? "      " : "  -" letter[i] ", ") "--" \
		    name[i] (value[i] == "" ? "" : "=" value[i]), explained(i))
}

# ---- Shells -----------------------------------------------------------------

# The words of a row, separated by bars; a file or folder has no words.
function is_words(f) { return f != "" && f != "file" && f != "folder" }
function bars(s) { gsub(/ /, "|", s); return s }

# quoted(): text in quotes; a quote in it becomes q.
function quoted(text, q,    s, i, c) {
	s = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		s = s (c == "'" ? q : c)
	}
	return "'" s "'"
}

# slashed(): text with a backslash before each character that is in set.
function slashed(text, set,    s, i, c) {
	s = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		s = s (index(set, c) ? "\\" : "") c
	}
	return s
}

# ---- bash: names of files are left to readline ------------------------------

function offer(f) {
	if (f == "folder") return "kind=dirnames"
	if (f == "file") return "kind=default"
	return f == "" ? ":" : "words='" f "'"
}

function bash(    i) {
	print "# SPDX-License-Identifier: GPL-2.0-only"
	print "# Completes npu-kmd in bash; made by: npu-kmd --completion=bash"
	print ""
	print "_npu_kmd() {"
	print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} head= words= kind= w"
	print "\tlocal command= option= only="
	print "\tfor w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do"
	print "\t\tcase $only$option$w in"
	print "\t\t--) only=y ;;"
	for (i = 1; i <= no; i++)
		if (value[i] != "")
			print "\t\t" (letter[i] == "" ? "" : "-" letter[i] \
			    " | -[!-]*" letter[i] " | ") "--" name[i] \
			    ") option=" name[i] " ;;"
	print "\t\t*=) ;;"
	print "\t\t-*) ;;"
	print "\t\t*)"
	print "\t\t\t[[ $option || $command ]] || command=$w"
	print "\t\t\toption= ;;"
	print "\t\tesac"
	print "\tdone"
	print "\t# One word where = does not cut them."
	print "\tif [[ ! $only && $cur == --*=* ]]; then"
	print "\t\toption=${cur%%=*} option=${option#--} head=${cur%%=*}="
	print "\tfi"
	print "\tcur=${cur#\"$head\"}"
	print "\t[[ $cur != = ]] || cur="
	print "\tcase $option in"
	for (i = 1; i <= no; i++)
		if (value[i] != "")
			print "\t" name[i] ") " offer(from[i]) " ;;"
	print "\t*)"
	print "\t\tif [[ ! $only && $cur == -* ]]; then"
	for (i = 1; i <= no; i++)
		print "\t\t\t" (only[i] == "" ? "" : \
		    "[[ $command && $command != @(" bars(only[i]) \
		    ") ]] ||\n\t\t\t\t") "words+=' --" \
		    name[i] (value[i] == "" ? "" : "=") "'"
	print "\t\telse"
	print "\t\t\tcase $command in"
	printf "\t\t\t'') words='"
	for (i = 1; i <= nc; i++)
		printf "%s%s", (i == 1 ? "" : " "), cname[i]
	print "' ;;"
	for (i = 1; i <= nc; i++)
		print "\t\t\t" cname[i] ") " offer(cfrom[i]) " ;;"
	print "\t\t\tesac"
	print "\t\tfi ;;"
	print "\tesac"
	print "\tCOMPREPLY=()"
	print "\tfor w in $words; do"
	print "\t\t[[ $w != \"$cur\"* ]] || COMPREPLY+=(\"$head$w\")"
	print "\tdone"
	print "\t[[ ! $kind ]] || compopt -o $kind"
	print "\t[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace"
	print "}"
	print "complete -F _npu_kmd npu-kmd"
}

# ---- zsh --------------------------------------------------------------------

function zsh_action(f) {
	if (f == "folder") return "_files -/"
	if (f == "file") return "_files"
	return f == "" ? " " : "(" f ")"
}

function zsh_option(i,    form, text) {
	text = "[" slashed(explained(i), "[]\\:") "]"
	form = "--" name[i] (value[i] == "" ? "" : "=")
	if (value[i] != "")
		text = text ":" value[i] ":" zsh_action(from[i])
	if (letter[i] != "")
		return "'(-" letter[i] " " form ")'{-" letter[i] \
		    (value[i] == "" ? "" : "+") "," form "}" \
		    quoted(text, "'\\''")
	return quoted(form text, "'\\''")
}

function zsh(    i) {
	print "#compdef npu-kmd"
	print "# SPDX-License-Identifier: GPL-2.0-only"
	print "# Completes npu-kmd in zsh; made by: npu-kmd --completion=zsh"
	print ""
	print "_npu_kmd() {"
	print "\tlocal -a known specs"
	print "\tlocal command w"
	print "\tknown=("
	for (i = 1; i <= nc; i++)
		print "\t    " quoted(cname[i] ":" chelp[i], "'\\''")
	print "\t)"
	print "\tfor w in ${words[2,CURRENT-1]}; do"
	print "\t\t[[ -z $command && -n ${(M)known:#$w:*} ]] && command=$w"
	print "\tdone"
	print "\tspecs=("
	for (i = 1; i <= no; i++)
		if (only[i] == "")
			print "\t    " zsh_option(i)
	print "\t)"
	for (i = 1; i <= no; i++)
		if (only[i] != "")
			print "\t[[ -n $command && $command != (" \
			    bars(only[i]) ") ]] ||\n\t    specs+=(" \
			    zsh_option(i) ")"
	print "\tcase $command in"
	print "\t'') specs+=('1:command:{_describe command known}') ;;"
	for (i = 1; i <= nc; i++)
		if (cfrom[i] != "")
			print "\t" cname[i] ") specs+=('1: : ' '2:" \
			    slashed(cop[i], ":") ":" zsh_action(cfrom[i]) \
			    "') ;;"
	print "\t*) specs+=('1: : ') ;;"
	print "\tesac"
	print "\t_arguments -S $specs"
	print "}"
	print ""
	print "# The first where it lies in fpath; the second for source."
	print "if [[ $service == npu-kmd && $funcstack[1] == _npu-kmd ]]; then"
	print "\t_npu_kmd \"$@\""
	print "else"
	print "\tcompdef _npu_kmd npu-kmd"
	print "fi"
}

# ---- fish -------------------------------------------------------------------

function fish_argument(f) {
	if (f == "folder") return " -xa '(__fish_complete_directories)'"
	if (f == "file") return " -rF"
	return " -x" (f == "" ? "" : "a '" f "'")
}

function fish(    i, all) {
	print "# SPDX-License-Identifier: GPL-2.0-only"
	print "# Completes npu-kmd in fish; made by: npu-kmd --completion=fish"
	print ""
	print "complete -c npu-kmd -f"
	for (i = 1; i <= nc; i++)
		all = all " " cname[i]
	for (i = 1; i <= nc; i++) {
		print "complete -c npu-kmd -n " \
		    "'not __fish_seen_subcommand_from" all "' -a " \
		    cname[i] " -d " quoted(slashed(chelp[i], "\\"), "\\'")
		if (cfrom[i] != "")
			print "complete -c npu-kmd -n " \
			    "'__fish_seen_subcommand_from " cname[i] "'" \
			    (is_words(cfrom[i]) ? " -a '" cfrom[i] "'" : \
			    cfrom[i] == "file" ? " -F" : \
			    " -a '(__fish_complete_directories)'")
	}
	for (i = 1; i <= no; i++)
		print "complete -c npu-kmd" \
		    (only[i] == "" ? "" : " -n 'not " \
		    "__fish_seen_subcommand_from" all "; or " \
		    "__fish_seen_subcommand_from " only[i] "'") \
		    (letter[i] == "" ? "" : " -s " letter[i]) " -l " name[i] \
		    (value[i] == "" ? "" : fish_argument(from[i])) \
		    " -d " quoted(slashed(explained(i), "\\"), "\\'")
}
