# SPDX-License-Identifier: Apache-2.0
# README shows a recorded session; it must equal what a terminal shows now.
# bats file_tags=native,slow

load ../support/helper

# recorded: prints the recorded block of README.
recorded() {
	awk '/^```console recorded$/ { inside = 1; next }
	    /^```$/ { inside = 0 }
	    inside' "$TOP/README.md"
}

# alike SHOWN SEEN: fails unless both have the same words in the same lines.
# Two differences are allowed: results of a model may differ by 0.01, because
# other processors round differently, and positions of boxes by one pixel.
# Whole numbers are counts and sizes, which are the same everywhere.
alike() {
	awk '
	function number(s) { return s ~ /^-?[0-9]+(\.[0-9]+)?$/ }
	function near(a, b, d) {
		if (!number(a) || !number(b) || a b !~ /\./)
			return 0
		d = a > b ? a - b : b - a
		return d <= (a > 2 ? 1 : 0.01)
	}
	function same(a, b) {
		return a "" == b "" || near(a, b)
	}
	FNR == NR { shown[++n] = $0; next }
	{
		m++
		words = split(shown[m], a, /[ \t]+/)
		bad = split($0, b, /[ \t]+/) != words
		for (i = 1; !bad && i <= words; i++)
			bad = !same(a[i], b[i])
		if (bad) {
			printf "line %d:\n-%s\n+%s\n", m, shown[m], $0
			wrong = 1
		}
	}
	END {
		if (m != n)
			printf "%d lines are shown, %d were seen\n", n, m
		exit wrong || m != n || n == 0
	}' "$1" "$2"
}

@test "README's recording equals what a terminal shows today" {
	recorded >shown
	TMPDIR=$PWD "$TOP/tests/long/recording" "$B" >seen
	alike shown seen
	# The recording contains the main programs.
	for word in npu-info clip-embed vec-nearest yolo-detect yolo-draw; do
		grep -qF -- "$word" shown
	done
}

@test "an outdated recording is detected" {
	recorded >shown
	alike shown shown
	for change in 's/red-circle/pink-square/' 's/ bytes/ byte/' '$d' \
	    's/s32/s8/' '1a more' \
	    's/\(bus\t5\t0\.9\)[0-9]*/\15/' 's/514\.[0-9]*/516/'; do
		sed "$change" shown >seen
		run -1 cmp -s shown seen
		run -1 alike shown seen
	done
	# Allowed differences.
	sed 's/514\.\([0-9]*\)/513.9\1/' shown >seen
	run -1 cmp -s shown seen
	alike shown seen
}
