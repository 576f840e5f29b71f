# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the values of variables in a shell script without running it.  A value
# that needs more of a shell than PACKAGE_NAME is "?".
#
#	INSIDE		whether the line may not be run: it is in a condition, a
#			function, a group or a text, or after the script's end
#	IN_TEXT		whether it is in a text of several lines
#	PACKAGE		set by the program: the value of PACKAGE_NAME

FNR == 1 {
	WORDS = BRACES = PARENS = 0
	QUOTE = ""
}

{
	sub(/\r$/, "")
	INSIDE = WORDS || BRACES || PARENS || GOES_ON || QUOTE != ""
	IN_TEXT = QUOTE != ""
	GOES_ON = goes_on($0)
	look($0)
}

# sources(): whether a line runs another script.
function sources(s) {
	gsub(/"[^"]*"|'[^']*'/, "", s)
	sub(/(^|[ \t;])#.*/, "", s)
	return s ~ /(^|[;&|({]|then|do|else)[ \t]*([.]|source)[ \t]/
}

# goes_on(): whether it is unknown if the next line is run, because it follows a
# condition, a text or the end of the script.
function goes_on(s) {
	sub(/(^|[ \t;])#.*/, "", s)
	if (s ~ /<</ || s ~ /^[ \t]*(return|exit)([ \t;]|$)/)
		WORDS++
	return s ~ /(&&|[|]|\\)[ \t]*$/
}

# look(): counts what a line leaves open.  It is unknown if the lines inside are
# run.  WORDS: conditions and loops; BRACES: functions and groups; PARENS.
# QUOTE is the quote of a text that continues.
function look(s,    c, i) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (QUOTE != "") {
			if (c == "\\" && QUOTE == "\"")
				i++
			else if (c == QUOTE)
				QUOTE = ""
		} else if (c == "\\") {
			i++
		} else if (c == "\"" || c == "'") {
			QUOTE = c
		} else if (c == "#" && (i == 1 ||
		    substr(s, i - 1, 1) ~ /[ \t;]/)) {
			return
		} else if (c == "{") {
			BRACES++
		} else if (c == "}") {
			BRACES -= BRACES > 0
		} else if (c == "(") {
			PARENS++
		} else if (c == ")") {
			PARENS -= PARENS > 0
		} else if (c ~ /[a-z]/ && (i == 1 ||
		    substr(s, i - 1, 1) ~ /[ \t;&|({]/)) {
			i += keyword(substr(s, i)) - 1
		}
	}
}

# keyword(): counts a word of the shell that begins or ends a condition or a
# loop, and returns its length; returns 1 for other words.
function keyword(s) {
	if (match(s, /^(if|case|for|while|until|select)([ \t([]|$)/)) {
		WORDS++
		return 2
	}
	if (match(s, /^(fi|esac|done)([ \t;&|)}]|$)/)) {
		WORDS -= WORDS > 0
		return 2
	}
	return 1
}

function named(s, re, len) {
	while (match(s, re))
		s = substr(s, 1, RSTART - 1) PACKAGE substr(s, RSTART + len)
	return s
}

# value(): the value that NAME=value gives a variable, which may be "".
function value(s) {
	sub(/^[^=]*=/, "", s)
	if (!sub(/^[ \t]+#.*/, "", s))
		sub(/[ \t]+(#.*)?$/, "", s)
	if (s ~ /^"[^"]*"$/ || s ~ /^'[^']*'$/)
		s = substr(s, 2, length(s) - 2)
	else if (s ~ /[ \t;&|()<>]/)
		return "?"
	s = named(s, "[$][{]PACKAGE_NAME[}]", 15)
	s = named(s, "[$]PACKAGE_NAME([^A-Za-z0-9_]|$)", 13)
	return s ~ /[$`"'\\?\t]/ ? "?" : s
}

# word(): does the same for a variable that must not be empty.
function word(s) {
	s = value(s)
	return s == "" ? "?" : s
}
