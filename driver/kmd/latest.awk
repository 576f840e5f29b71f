# SPDX-License-Identifier: GPL-2.0-only
#
# If dkms has several versions of a package, it builds only the latest by itself
# (autoinstall() in dkms.in): the others become AUTOINSTALL no.  A source that
# was not added to dkms does not keep dkms from building an added one.
#
# Input: ADDED NAME VERSION, separated by tabs, before each line of
# dkms-conf.awk, which may be empty.  Output: these lines.

BEGIN { FS = "\t" }

$2 != "" {
	ADDED[++N] = $1
	NAME[N] = $2
	VERSION[N] = $3
	KEY[N] = key($3)
	LINE[N] = $4 == "" ? "" : $4 FS $5 FS $6 FS $7 FS $8
}

# key(): does the same as VER() in dkms.in: numbers get at least three digits,
# which makes them comparable as text.
function key(s,    out, part) {
	while (s != "") {
		match(s, /^([0-9]+|[^0-9]+)/)
		part = substr(s, 1, RLENGTH)
		s = substr(s, RLENGTH + 1)
		while (part ~ /^[0-9]/ && length(part) < 3)
			part = "0" part
		out = out part
	}
	return out
}

# later(): the latest version that keeps dkms from building version i.
function later(i,    j, best) {
	best = i
	for (j = 1; j <= N; j++)
		if (NAME[j] == NAME[i] && ADDED[j] >= ADDED[i] &&
		    (KEY[j] "") > (KEY[best] ""))
			best = j
	return best
}

END {
	for (i = 1; i <= N; i++) {
		if (LINE[i] == "")
			continue
		k = later(i)
		split(LINE[i], part, FS)
		if (k != i && part[3] != "no") {
			part[3] = "no"
			part[4] = "dkms builds only the latest version, " \
			    VERSION[k]
		}
		print part[1] FS part[2] FS part[3] FS part[4] FS part[5]
	}
}
