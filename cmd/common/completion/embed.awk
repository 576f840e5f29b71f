# SPDX-License-Identifier: Apache-2.0
# The parts of templates (program.bash) as constants of C: completion_SHELL_PART.

function end_part() {
	if (part)
		print ";"
	part = 0
}

BEGIN {
	print "#include \"completion/templates.h\""
}

FNR == 1 {
	end_part()
	shell = FILENAME
	sub(/.*\./, "", shell)
}

/^#:/ {
	end_part()
	if (NF > 1) {
		printf "\nconst char completion_%s_%s[] =\n", shell, $2
		part = 1
	}
	next
}

part {
	gsub(/[\\"]/, "\\\\&")
	print "\"" $0 "\\n\""
}

END {
	end_part()
}
