# SPDX-License-Identifier: GPL-2.0-only
#
# verify-edit.awk BEFORE AFTER OLD NEW - checks that NEW is OLD with its sites
# changed and nothing else.  BEFORE and AFTER are scan.awk's output for OLD and
# NEW.  Otherwise prints "LINE: what is wrong" and exits with 3.

FNR == 1 { file++ }

function wrong(line, what) {
	print line ": " what
	failed = 1
	exit 3
}

file <= 2 {
	split($0, f, "\t")
	if (file == 2 && f[2] != "done")
		wrong(f[4], "still to be changed: " f[3])
	if (file == 1 && f[2] == "todo")
		site[f[4]] = 1
	# After these two changes, a scan finds nothing.
	if (f[3] != "pwd" && f[3] != "skip")
		count[f[1]] += file == 1 ? 1 : -1
	next
}
file == 3 { old[++olds] = $0; next }
# NEW must have every other line of OLD, in the same order.
{
	while (at < olds && (at + 1) in site)
		at++
	if (at < olds && $0 == old[at + 1])
		at++
}
END {
	if (failed)
		exit 3
	for (row in count)
		if (count[row] > 0)
			wrong(1, "row " row ": " count[row] " changes missing")
	while (at < olds && (at + 1) in site)
		at++
	if (at < olds)
		wrong(at + 1, "a line was lost")
}
