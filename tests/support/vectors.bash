# SPDX-License-Identifier: Apache-2.0
# Vectors by hand, labelled and as lines, for the tests of vec-nearest.
# shellcheck shell=bash

# label SHAPE NUMBER...: a labelled f32 tensor.
label() {
	shape=$1
	shift
	f32 "$@" | npu-tensor --add -t f32 --shape="$shape"
}

# json ID NUMBER,...: a line.
json() {
	printf '{"id":"%s","vector":[%s]}\n' "$1" "$2"
}

# three: (-3, 4), (6, 8) and (4, 3); against (3, 4) 0.28, 1 and 0.96.
three() {
	label 3,2 -3 4 6 8 4 3
}

# shellcheck disable=SC2034 # used by files that load this
ANSWER='1	1	1	2
1	2	0.96	3
1	3	0.28	1'

hash() {
	printf "%02d" "$1" | sha256sum | head -c "${2:-64}"
}

# by KIND MODEL ID NUMBER,...: a line that names its model.
by() {
	printf '{"id":"%s","kind":"%s","model_sha256":"%s","vector":[%s]}\n' \
	    "$3" "$1" "$(hash "$2")" "$4"
}
