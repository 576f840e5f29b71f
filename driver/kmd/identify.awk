# SPDX-License-Identifier: GPL-2.0-only
#
# identify.awk TREES - the row of kmd/trees that fits, its three lines joined by
# "|"; nothing if none does.  In the environment, SIZES: those of sizes.awk;
# HERE: " FILE FILE ", which of the files of features are in this tree.

# A line of FILE, or two, as feature in kmd/trees.
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
