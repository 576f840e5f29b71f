# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the folder that the files of dkms_framework.conf(5) assign to a
# variable.  If the value needs a shell, prints "?" and the file's name instead;
# without an assignment, nothing.  The last assignment is used.  shell.awk reads
# the files.
#
#	KMD_VARIABLE	its name

BEGIN {
	VARIABLE = ENVIRON["KMD_VARIABLE"]
	NAMED = "(^|[^A-Za-z0-9_$])" VARIABLE "([^A-Za-z0-9_]|$)"
	PACKAGE = "?"
}

$0 ~ "^[ \t]*(export[ \t]+)?" VARIABLE "=" {
	set(INSIDE ? "?" : folder($0))
	next
}

# Another mention of the variable, or another script, may set it.
$0 ~ NAMED && $0 !~ "(^|^[^\"']*[ \t;])#.*" VARIABLE || \
    !IN_TEXT && sources($0) {
	set("?")
}

function set(v) {
	FOLDER = v ~ /^\// ? v : "?" FILENAME
}

# folder(): the value in a line; a ";" and other commands may follow it.
function folder(s,    rest) {
	if (match(s, /^[^=]*=("[^"]*"|'[^']*'|[^ \t;&|()<>"'#]*)[ \t]*;/)) {
		rest = substr(s, RLENGTH + 1)
		s = substr(s, 1, RLENGTH - 1)
		if (rest ~ NAMED || sources(rest))
			return "?"
	}
	return value(s)
}

END {
	print FOLDER
}
