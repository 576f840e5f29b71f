# SPDX-License-Identifier: Apache-2.0
# Counts the results in the TAP of one test file, and prints its failures.
# Variables: status (exit status of the program that wrote the TAP), strict (1:
# a skipped test counts as failed), tree, file, took (seconds), out (prefix of
# the files to write: out.sum has the numbers of passed, failed and skipped
# tests, out.bad the failures, out.names all tests).

function fail(text) {
	failed++
	show(tree " " file ": " text)
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
	sub(/ *# *([Ss][Kk][Ii][Pp]|timeout).*/, "", name)
	if (file ~ /^tests\/fuzz/) sub(/:.*/, "", name)
	print tree, file, name >(out ".names")
}
/^ok .*# *[Ss][Kk][Ii][Pp]/ {
	if (strict) fail("must not skip: " $0)
	else skipped++
	showing = strict
	next
}
/^ok / { passed++; showing = 0; next }
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
		    tree, file, passed, failed, skipped, took)
	print passed + 0, failed + 0, skipped + 0 >(out ".sum")
}
