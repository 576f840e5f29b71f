# SPDX-License-Identifier: Apache-2.0
# Resizing, compared with Pillow on pictures of many sizes.
# bats file_tags=arm64

load ../support/helper

# bats test_tags=slow
@test "any picture is resized as Pillow does it, to the byte" {
	# Noise and sharp edges, from 1 x 1 to ribbons of 65,535 x 1, larger and
	# smaller, in all orientations, whole and in part, by three filters.
	"$TOP/tests/tools/resize.py" 800 1 >cases
	resizecheck <cases >out
	[ "$(cat out)" = "809 cases, 0 unlike" ]
}

# bats test_tags=slow
@test "without rounding between the passes, values differ by 1 at most" {
	"$TOP/tests/tools/resize.py" 300 2 >cases
	resizecheck float <cases >out
	[ "$(cat out)" = "309 cases, 0 unlike" ]
}
