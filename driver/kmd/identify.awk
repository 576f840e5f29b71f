# SPDX-License-Identifier: GPL-2.0-only
#
# identify.awk TREES - prints the row of kmd/trees that fits, with its three
# lines joined by "|", or nothing.  In the environment, SIZES is the output of
# sizes.awk, and HERE, " FILE FILE ", lists which files of features this tree
# has.

# has(): whether a line of the file, or two lines, match; see feature in
# kmd/trees.
function has(file, ere,    line, was, got, found) {
	while (!found && (got = (getline line <file)) > 0) {
		found = line ~ ere || (was " ## " line) ~ ere
		was = line
	}
	close(file)
	if (got < 0) {
		failed = 1
		exit
	}
	return found
}

function fits(want,    n, w, f, i) {
	n = split(want, w, " ")
	split(ENVIRON["SIZES"], f, " ")
	for (i = 1; i <= n; i++)
		if (w[i] != "*" && w[i] != f[i])
			return 0
	return 1
}

function all(want,    n, w, i, not) {
	n = split(want, w, " ")
	for (i = 1; i <= n; i++) {
		not = sub(/^!/, "", w[i])
		if ((w[i] in features) == not)
			return 0
	}
	return 1
}

/^feature / && index(ENVIRON["HERE"], " " $3 " ") {
	ere = $0
	sub(/^[^ ]* [^ ]* [^ ]* /, "", ere)
	if (has($3, ere))
		features[$2]
}

/^tree\|/ && tree == "" {
	split($0, field, "|")
	lines = fits(field[5]) && all(field[6]) ? 3 : 0
}

lines {
	sub(/^\t/, "")
	tree = tree (tree == "" ? "" : "|") $0
	lines--
}

END {
	if (failed)
		exit 2
	if (tree != "")
		print tree
}
