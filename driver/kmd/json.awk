# SPDX-License-Identifier: GPL-2.0-only
#
# json_str(s): s as a JSON string, for awks that only handle bytes (LC_ALL=C).
# Each byte that is not UTF-8 becomes U+FFFD.

function json_tables(    i) {
	for (i = 1; i < 256; i++)
		JSON_ORD[sprintf("%c", i)] = i
	JSON_READY = 1
}

# json_utf8(): the length of the UTF-8 sequence at s[i], or 0 (RFC 3629, 4).
function json_utf8(s, i,    a, b, n, k, c) {
	a = JSON_ORD[substr(s, i, 1)]
	b = JSON_ORD[substr(s, i + 1, 1)] + 0
	n = a < 194 || a > 244 ? 0 : a < 224 ? 2 : a < 240 ? 3 : 4
	if (a == 224 && b < 160 || a == 237 && b > 159 ||
	    a == 240 && b < 144 || a == 244 && b > 143)
		return 0
	for (k = 1; k < n; k++) {
		c = JSON_ORD[substr(s, i + k, 1)] + 0
		if (c < 128 || c > 191)
			return 0
	}
	return n
}

function json_str(s,    i, c, n, o, out) {
	if (!JSON_READY)
		json_tables()
	out = "\""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		o = JSON_ORD[c]
		if (c == "\"" || c == "\\")
			out = out "\\" c
		else if (o < 32 || o == 127)
			out = out sprintf("\\u%04x", o)
		else if (o < 128)
			out = out c
		else if ((n = json_utf8(s, i)) > 0) {
			out = out substr(s, i, n)
			i += n - 1
		} else
			out = out "\357\277\275"
	}
	return out "\""
}

# Used by the shell: prints only this variable.
BEGIN {
	if ("JSON_STRING" in ENVIRON) {
		printf "%s", json_str(ENVIRON["JSON_STRING"])
		exit
	}
}
