# SPDX-License-Identifier: GPL-2.0-only
#
# Reads a package as dkms does: its dkms.conf, then the files of /etc/dkms that
# override it, in order.  Files that only dkms 3.1.6 and later read follow after
# LATER=1.  Prints nothing if the package does not build our modules, otherwise
# a line of five fields, separated by tabs:
#
#	NAME VERSION	of the package; ? if not known
#	AUTOINSTALL	yes, no, or may: whether dkms builds it by itself
#	WHY		the reason for AUTOINSTALL
#	MODULES		our modules that it builds, separated by blanks
#
#	KMD_MODULES	our modules, separated by blanks
#	KMD_DKMS	dkms's release, such as 3.0.10; "" if not known
#	KMD_FOLDER	NAME-VERSION, the package as dkms(8) names its folder
#	KMD_NO_AUTO	/etc/dkms/no-autoinstall, if that file exists
#
# shell.awk reads these files, which are shell scripts.
#
# The rules come from read_conf() and autoinstall() in dkms.in, releases 3.0.0
# to 3.2.2 (https://github.com/dell/dkms).

BEGIN {
	OURS_N = split(ENVIRON["KMD_MODULES"], OURS, " ")
	NO_AUTO = ENVIRON["KMD_NO_AUTO"]
	# no-autoinstall has an effect from 3.1.4 on.  AUTOINSTALL must be yes,
	# no or empty from 3.1.7 on; before, any value means yes.
	REL_NO_AUTO = number("3.1.4")
	REL_LATER = number("3.1.6")
	REL_WORDS = number("3.1.7")
	PACKAGE = VERSION = "?"
}

/MODULE_NAME/ { name_modules($0) }
/^[ \t]*PACKAGE_NAME=/ { PACKAGE = word($0) }
/^[ \t]*PACKAGE_VERSION=/ { VERSION = word($0) }
/^[ \t]*BUILT_MODULE_NAME(\[[0-9]+\])?=/ { BUILT[++BUILDS] = word($0) }

/^[ \t]*(export[ \t]+)?AUTOINSTALL(\[0\])?=/ {
	automatic(INSIDE ? "?" : value($0))
	next
}
# Another mention of the variable, or another script, may set it.
/AUTOINSTALL/ && !/(^|^[^"']*[ \t;])#.*AUTOINSTALL/ {
	automatic("?")
}
!IN_TEXT && sources($0) {
	automatic("?")
}

# name_modules(): finds our modules that are words of a line about module names,
# no matter what form the line has.
function name_modules(s,    part, i, k, n) {
	sub(/(^|[ \t])#.*/, "", s)
	gsub(/-/, "_", s)
	n = split(s, part, /[^A-Za-z0-9_]+/)
	for (i = 1; i <= n; i++)
		for (k = 1; k <= OURS_N; k++)
			if (part[i] == OURS[k])
				NAMED[OURS[k]] = 1
}

function automatic(v) {
	AUTO = v
	if (!LATER)
		AUTO_BEFORE = v
}

# number(): a release as one number: 3.1.6-1ubuntu2 is 3001006.
function number(release,    part) {
	split(release, part, /[^0-9]/)
	return part[1] * 1000000 + part[2] * 1000 + part[3]
}

# builds(): whether the release builds a package with this AUTOINSTALL by
# itself.
function builds(release, v) {
	if (NO_AUTO != "" && release >= REL_NO_AUTO)
		return "no"
	if (v == "")
		return "no"
	if (v == "?")
		return "may"
	if (release < REL_WORDS)
		return "yes"
	# Any word except yes and no is an error in the file; dkms then does not
	# build the package for any kernel.
	return tolower(v) == "yes" ? "yes" : "no"
}

# judge(): what the release does, if it is known.  Otherwise what the first and
# the last release agree on.
function judge(    release, first, last) {
	release = ENVIRON["KMD_DKMS"]
	if (release != "")
		return builds(number(release), \
		    number(release) < REL_LATER ? AUTO_BEFORE : AUTO)
	first = builds(0, AUTO_BEFORE)
	last = builds(REL_WORDS, AUTO)
	return first == last ? first : "may"
}

function why(    v, release) {
	release = ENVIRON["KMD_DKMS"]
	v = release != "" && number(release) < REL_LATER ? AUTO_BEFORE : AUTO
	if (NO_AUTO != "" && (release == "" || number(release) >= REL_NO_AUTO))
		return NO_AUTO
	if (AUTO != AUTO_BEFORE && release == "")
		return "a file that only dkms 3.1.6 and later read"
	return v == "" ? "AUTOINSTALL is empty or not set" : v == "?" ? \
	    "AUTOINSTALL is not known" : "AUTOINSTALL=\"" v "\""
}

function our_modules(    i, k, npu, v, list) {
	# dkms(8): a single module needs no name of its own.
	if (!BUILDS)
		BUILT[++BUILDS] = PACKAGE
	npu = ENVIRON["KMD_FOLDER"] ~ /(^|[^a-z])(aipu|npu)/
	for (k = 1; k <= BUILDS; k++) {
		v = BUILT[k]
		gsub(/-/, "_", v)
		NAMED[v == "?" && npu ? OURS[1] : v] = 1
	}
	for (i = 1; i <= OURS_N; i++)
		if (OURS[i] in NAMED)
			list = list (list == "" ? "" : " ") OURS[i]
	return list
}

END {
	modules = our_modules()
	if (modules != "")
		printf "%s\t%s\t%s\t%s\t%s\n", PACKAGE, VERSION, judge(),
		    why(), modules
}
