# SPDX-License-Identifier: Apache-2.0
# One test program's TAP: shows failures and counts.  Variables:
# status (the program's), strict (a skip is a failure), leg, file, took, out
# (writes OUT.sum, the counts; OUT.bad, the failures; OUT.names, all tests run).

function fail(text) {
	failed++
	show(leg " " file ": " text)
}

function show(text) {
	print text
	print text >(out ".bad")
}

/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned = 1; next }
/^(not )?ok / {
	ran++
	name = $0
	sub(/^(not )?ok [0-9]* *(- )?/, "", name)
	sub(/ *# *[Ss][Kk][Ii][Pp].*/, "", name)
	if (leg == "fuzz") sub(/:.*/, "", name)
	print leg, file, name >(out ".names")
}
/^ok .*# *[Ss][Kk][Ii][Pp]/ {
	if (strict) fail("must not skip: " $0)
	else skipped++
	showing = strict
	next
}
# Shows how often a fuzz target ran.
/^ok / { passed++; showing = 0; if (leg == "fuzz") print substr($0, 8); next }
/^not ok / { showing = 1; fail($0); next }
showing && /^#/ { show("    " $0) }

END {
	if (!planned || plan != ran)
		fail(ran + 0 " of " (planned ? plan : "an unknown number of") \
		    " tests ran")
	if (status != 0 && failed == 0)
		fail("exit status " status)
	if (ran + failed > 0)
		printf("%-6s %-28s %4d passed, %d failed, %d skipped, %d s\n",
		    leg, file, passed, failed, skipped, took)
	print passed + 0, failed + 0, skipped + 0 >(out ".sum")
}
