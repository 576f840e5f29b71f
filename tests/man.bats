# SPDX-License-Identifier: Apache-2.0
# bats file_tags=native

load helper

# npu-kmd is not built: it is run from the tree.
setup() {
	PATH=$PATH:$TOP/driver
}

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
	for p in "$TOP"/man/*.[18]; do
		c=$(basename "${p%.*}")
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

@test "every option of a page is one of its program" {
	for p in "$TOP"/man/*.[18]; do
		c=$(basename "${p%.*}")
		grep '^\.It Fl ' "$p" | grep -oE -- ' -[a-z][a-z-]+' |
		    while read -r o; do
			# --name= is either taken or refused by its own name.
			! "$c" "-$o=" --help </dev/null 2>&1 |
			    grep -q 'unknown option' ||
				echo "$c: -$o is in its page alone"
		done
	done >bad
	cat bad
	[ ! -s bad ]
}

@test "libnpu(3) shows every function of npu.h" {
	sed 's,/\*.*\*/,,' "$TOP/lib/npu.h" |
	    grep -oE '^[a-z].*[ *]npu_[a-z0-9_]+\(' |
	    grep -oE 'npu_[a-z0-9_]+\($' | tr -d '(' | sort >declared
	sed -n 's/^\.Fn \(npu_[a-z0-9_]*\) ".*/\1/p' "$TOP/man/libnpu.3" |
	    sort >shown
	[ -s declared ]
	diff declared shown
}

@test "the programs in libnpu(3) compile and run" {
	awk -v dir=. -v name=page -f "$TOP/tests/examples.awk" \
	    "$TOP/man/libnpu.3"
	sh -e page.1.sh
	sh -e page.2.sh
	sh -e page.3.sh
	"${CC:-cc}" -Wall -Wextra -Werror -I "$TOP/lib" zeros.c \
	    -o zeros "$B/lib/libnpu.a" -lz -lmd -lm -ldl -lpthread
	NPU_LIBRARY=$B/lib/npu-utils/libnoe-emu.so \
	    ./zeros "$B/share/npu-utils/models/clip_txt.cix"
	run -1 ./zeros none.cix
	[ "$output" = "No such file or directory" ]
	"${CC:-cc}" -Wall -Wextra -Werror -I "$TOP/lib" stream.c \
	    -o stream "$B/lib/libnpu.a" -lz -lmd -lm -ldl -lpthread
	head -c 1540 /dev/zero >five
	NPU_LIBRARY=$B/lib/npu-utils/libnoe-emu.so \
	    ./stream "$B/share/npu-utils/models/clip_txt.cix" <five >got
	npu-run -q -d emu -r clip_txt.cix five >want
	cmp got want
	"${CC:-cc}" -Wall -Wextra -Werror -I "$TOP/lib" ids.c \
	    -o ids "$B/lib/libnpu.a" -lz -lmd -lm -ldl -lpthread
	[ "$(./ids 'A  Cat' | head -n 5 | tr '\n' ' ')" = \
	    "49406 320 2368 49407 0 " ]
}
