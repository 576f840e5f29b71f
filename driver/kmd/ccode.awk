# SPDX-License-Identifier: GPL-2.0-only
#
# Finds the code in a line of C, and the context of the line.  Call c_line(s)
# for each line in turn: it returns the line without comments, and sets
#	C_DEPTH, C_COND[1..C_DEPTH]	the #if branches around it
#	C_FUNC, C_START			its function, and its first line
#	C_TOP				whether C_FUNC began outside any #if
#	C_LAST				the function's last line, at "}"

# c_plain(): returns s without comments.  Strings are kept whole, as their
# contents cannot begin a comment.
function c_plain(s,    out, t) {
	out = ""
	while (s != "") {
		if (C_COMMENT) {
			if (!(t = index(s, "*/")))
				return out
			s = substr(s, t + 2)
			C_COMMENT = 0
			out = out " "
		}
		if (!match(s, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//))
			return out s
		t = substr(s, RSTART, RLENGTH)
		out = out substr(s, 1, RSTART - 1)
		s = substr(s, RSTART + RLENGTH)
		if (t == "//")
			return out
		if (t == "/*")
			C_COMMENT = 1
		else
			out = out t
	}
	return out
}

function c_conditions(s) {
	if (s ~ /^[ \t]*#[ \t]*if/)
		C_COND[++C_DEPTH] = s
	else if (C_DEPTH && s ~ /^[ \t]*#[ \t]*el/)
		C_COND[C_DEPTH] = (s ~ /#[ \t]*elif/ ? s : "#else") \
		    " of " C_COND[C_DEPTH]
	else if (C_DEPTH && s ~ /^[ \t]*#[ \t]*endif/)
		C_DEPTH--
}

# c_under(): whether the condition of a branch around this line matches the ERE.
function c_under(ere,    i) {
	for (i = 1; i <= C_DEPTH; i++)
		if (C_COND[i] ~ ere)
			return 1
	return 0
}

function c_line(s,    p, n) {
	sub(/\r$/, "", s)
	p = c_plain(s)
	c_conditions(p)
	# A definition starts in the first column and is not a declaration.
	if (p ~ /^[A-Za-z_][A-Za-z0-9_ \t*]*[ \t*][A-Za-z0-9_]+\(/ &&
	    p !~ /;[ \t]*$/ && p !~ /=/) {
		n = p
		sub(/\(.*/, "", n)
		sub(/.*[ \t*]/, "", n)
		C_FUNC = n
		C_START = NR
		C_TOP = C_DEPTH == 0
	}
	C_LAST = 0
	if (p ~ /^}/) {
		C_LAST = C_FUNC != ""
		C_WAS = C_FUNC
		C_FUNC = ""
	}
	return p
}
