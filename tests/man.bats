# SPDX-License-Identifier: Apache-2.0
# bats file_tags=native

load helper

@test "every program has a manual page and tests" {
	for c in "$B"/bin/*; do
		c=$(basename "$c")
		[ -f "$TOP/man/$c.1" ] || { echo "no man/$c.1"; false; }
		[ -f "$TOP/tests/$c.bats" ] || { echo "no tests/$c.bats"; false; }
	done
}

@test "mandoc finds nothing wrong with any page" {
	for p in "$TOP"/man/*.[1-9]; do
		mandoc -T lint -W warning "$p"
	done
}

@test "every page has EXIT STATUS and EXAMPLES" {
	for p in "$TOP"/man/*.[1-9]; do
		for s in 'EXIT STATUS' EXAMPLES; do
			grep -qx "\.Sh $s" "$p" || { echo "$p: no $s"; false; }
		done
	done
}

@test "every option of a program's --help is in its page" {
	for p in "$TOP"/man/*.1; do
		c=$(basename "$p" .1)
		"$c" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u |
		    while read -r o; do
			# mdoc writes --name as: Fl n , -name
			sed 's/\\-/-/g' "$p" |
			    grep -qE -- "^\.It Fl (.* )?-${o#--}( |$)" ||
				echo "$c: $o is not in its page"
		done
	done >bad
	cat bad
	[ ! -s bad ]
}
