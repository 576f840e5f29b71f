# SPDX-License-Identifier: GPL-2.0-only
#
# A package as dkms reads it: its dkms.conf, then the files of /etc/dkms that
# override it, in order.  Those that only dkms 3.1.6 and later reads follow
# LATER=1.  Prints nothing where the package makes none of our modules, else a
# line of five fields, by tabs:
#
#	NAME VERSION	of the package; ? where it is not known
#	AUTOINSTALL	yes, no, or may: whether dkms builds it by itself
#	WHY		what AUTOINSTALL rests on
#	MODULES		our modules that it makes, by blanks
#
#	KMD_MODULES	our modules, by blanks
#	KMD_DKMS	dkms's release, such as 3.0.10; "" where it is not known
#	KMD_FOLDER	NAME-VERSION, the package as dkms(8) names its folder
#	KMD_NO_AUTO	/etc/dkms/no-autoinstall, if that file is there
#
# shell.awk reads these files, which are shell scripts.
#
# The rules come from read_conf() and autoinstall() in dkms.in, releases 3.0.0
# to 3.2.2 (https://github.com/dell/dkms).

BEGIN {
	OURS_N = split(ENVIRON["KMD_MODULES"], OURS, " ")
	NO_AUTO = ENVIRON["KMD_NO_AUTO"]
	# no-autoinstall counts from 3.1.4 on.  AUTOINSTALL must be yes, no or
	# empty from 3.1.7 on; before, any value is a yes.
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
# Any other mention, or another script, may set it.
/AUTOINSTALL/ && !/(^|^[^"']*[ \t;])#.*AUTOINSTALL/ {
	automatic("?")
}
!IN_TEXT && sources($0) {
	automatic("?")
}

# name_modules(): our modules that a line about names of modules has as words,
# whatever its form is.
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

# number(): a release as one number, 3.1.6-1ubuntu2 as 3001006.
function number(release,    part) {
	split(release, part, /[^0-9]/)
	return part[1] * 1000000 + part[2] * 1000 + part[3]
}

# builds(): whether the release builds a package of that AUTOINSTALL by itself.
function builds(release, v) {
	if (NO_AUTO != "" && release >= REL_NO_AUTO)
		return "no"
	if (v == "")
		return "no"
	if (v == "?")
		return "may"
	if (release < REL_WORDS)
		return "yes"
	# Another word than yes or no is an error of the file, which dkms then
	# builds for no kernel.
	return tolower(v) == "yes" ? "yes" : "no"
}

# The release is known: what it does.  Else: what the first and the last
# release agree on.
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
	# dkms(8): one module may go without a name of its own.
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
