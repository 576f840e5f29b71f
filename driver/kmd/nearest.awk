# SPDX-License-Identifier: GPL-2.0-only
#
# Finds, in the rows of options.sh, the name in field `at` that WORD, from the
# environment, probably means: a name that begins with WORD, or the nearest name
# within two edits, or one edit for fewer than 5 letters.  Exchanging two
# letters is one edit.

BEGIN {
	FS = ";"
	word = ENVIRON["WORD"]
	n = length(word)
	# A longer word is not near any name.
	if (n == 0 || n > 32)
		exit
	best = n < 5 ? 2 : 3
}

/^\t/ || $at == "" { next }

{
	d = index($at, word) == 1 ? 0 : distance(word, $at)
	if (d < best) {
		best = d
		near = $at
	}
}

END {
	if (near != "")
		print near
}

function least(a, b) { return a < b ? a : b }

function distance(a, b,    i, k, m, d, c) {
	m = length(b)
	for (i = 0; i <= n; i++)
		d[i, 0] = i
	for (k = 0; k <= m; k++)
		d[0, k] = k
	for (i = 1; i <= n; i++)
		for (k = 1; k <= m; k++) {
			c = substr(a, i, 1) != substr(b, k, 1)
			d[i, k] = least(d[i - 1, k - 1] + c, \
			    1 + least(d[i - 1, k], d[i, k - 1]))
			if (i > 1 && k > 1 && \
			    substr(a, i, 1) == substr(b, k - 1, 1) && \
			    substr(a, i - 1, 1) == substr(b, k, 1))
				d[i, k] = least(d[i, k], d[i - 2, k - 2] + 1)
		}
	return d[n, m]
}
