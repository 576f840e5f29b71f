# SPDX-License-Identifier: Apache-2.0
# The parts of each test file that run in a leg: reads names of files, writes
# "POOL LEG FILE FILTER" for each part of a file that has tests to run.  FILTER
# is for bats' --filter-tags.  Variables: leg; out (tags that keep a test out);
# slow (1: those tagged slow, too, as of a file with " slow" after its name);
# left (the file to which the number left out as slow is added).
#
# A test is in the pool that its tags name, "waits" or "alone", else in "work".

function has(tags, tag) {
	return index(" " tags " ", " " tag " ")
}

# words(LIST): "a, b" as "a b".
function words(list) {
	gsub(/[ \t,]+/, " ", list)
	return list
}

# Counts one test of these tags.
function count(tags,    i) {
	all++
	for (i = 1; i <= outs; i++)
		if (has(tags, banned[i]))
			return
	if (!with_slow && has(tags, "slow")) {
		skipped++
		return
	}
	n[has(tags, "alone") ? 1 : has(tags, "waits") ? 2 : 3]++
}

function read_bats(file,    line, of_file, of_test) {
	while ((getline line <file) > 0) {
		if (sub(/^# bats file_tags=/, "", line)) {
			of_file = words(line)
		} else if (sub(/^# bats test_tags=/, "", line)) {
			of_test = words(line)
		} else if (line ~ /^[ \t]*@test[ \t]/) {
			count(of_file " " of_test)
			of_test = ""
		}
	}
	close(file)
}

# A C file is one test; its tags are in a line " * Tags: slow" of its head.
function read_c(file,    line, tags, row) {
	while (row++ < 30 && (getline line <file) > 0)
		if (sub(/^ \* Tags: /, "", line))
			tags = words(line)
	close(file)
	count(tags)
}

function part(pool, tags) {
	print pool, leg, $1, (with_slow ? "" : "!slow,") bans tags
}

BEGIN {
	outs = split(out, banned)
	for (i = 1; i <= outs; i++)
		bans = bans "!" banned[i] ","
}

{
	n[1] = n[2] = n[3] = all = 0
	with_slow = slow || $2 == "slow"
	if ($1 ~ /\.bats$/)
		read_bats($1)
	else
		read_c($1)
	if (n[1])
		part("alone", "alone")
	if (n[2])
		part("waits", "waits,!alone")
	# Nothing that looks like a test: bats reports what is wrong with it.
	if (n[3] || !all)
		part("work", "!waits,!alone")
}

END { print skipped + 0 >>left }
