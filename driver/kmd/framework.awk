# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the folder that the files of dkms_framework.conf(5) give a variable; or
# "?" and the name of the file, if the value needs a shell; or nothing.  The
# last value counts.  shell.awk reads the files.
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

# Any other mention, or another script, may set it.
$0 ~ NAMED && $0 !~ "(^|^[^\"']*[ \t;])#.*" VARIABLE || \
    !IN_TEXT && sources($0) {
	set("?")
}

function set(v) {
	FOLDER = v ~ /^\// ? v : "?" FILENAME
}

# folder(): the value of a line, which a ";" and other commands may follow.
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
