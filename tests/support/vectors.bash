# SPDX-License-Identifier: Apache-2.0
# Vectors made by hand, as labelled tensors and as lines, for the tests of
# vec-nearest.
# shellcheck shell=bash

# label SHAPE NUMBER...: writes a labelled f32 tensor.
label() {
	shape=$1
	shift
	f32 "$@" | npu-tensor --add -t f32 --shape="$shape"
}

# json ID NUMBER,...: prints a vector as a line of JSON.
json() {
	printf '{"id":"%s","vector":[%s]}\n' "$1" "$2"
}

# three: writes the vectors (-3, 4), (6, 8) and (4, 3).  Their similarities to
# (3, 4) are 0.28, 1 and 0.96.
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

# by KIND MODEL ID NUMBER,...: prints a line of JSON that names the vector's
# model.
by() {
	printf '{"id":"%s","kind":"%s","model_sha256":"%s","vector":[%s]}\n' \
	    "$3" "$1" "$(hash "$2")" "$4"
}
