# SPDX-License-Identifier: Apache-2.0
# Splits the runnable examples of a document into files DIR/NAME.N.sh.  For a
# README, also writes DIR/NAME.N.out, the output that the README shows.
#
#	awk -v dir=DIR -v name=NAME -f examples.awk PAGE.1|README.md
#
# In a manual page, the examples are the ".Bd -literal" blocks of the section
# EXAMPLES (those with -compact need a board).  In Markdown, they are the fenced
# "console" blocks: "$ " begins a command, "> " continues the command, and the
# remaining lines are its output.

function finish() {
	if (script != "")
		close(script)
	if (out != "")
		close(out)
	script = out = ""
}

function begin() {
	n++
	script = dir "/" name "." n ".sh"
	printf "" >script
}

# ---- mdoc

/^\.Sh / { examples = ($2 == "EXAMPLES") }
examples && /^\.Bd -literal$/ { begin(); inside = "mdoc"; next }
inside == "mdoc" && /^\.Ed/ { finish(); inside = ""; next }
inside == "mdoc" {
	gsub(/\\&/, "")
	gsub(/\\-/, "-")
	gsub(/\\e/, "\\")
	print >script
}

# ---- Markdown

/^```console$/ { begin(); out = dir "/" name "." n ".out"
	printf "" >out; inside = "md"; next }
inside == "md" && /^```$/ { finish(); inside = ""; next }
inside == "md" && /^[$>] / { print substr($0, 3) >script; next }
inside == "md" { print >out }
