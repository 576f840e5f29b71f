# SPDX-License-Identifier: Apache-2.0
# Compares the resizing of pictures of many sizes with Pillow.
# bats file_tags=arm64

load ../support/helper

# bats test_tags=slow
@test "any picture is resized to the same bytes as by Pillow" {
	# Noise and sharp edges, from 1 x 1 to strips of 65,535 x 1, enlarged
	# and reduced, in all orientations, whole and in part, with three
	# filters.
	"$TOP/tests/tools/resize.py" 800 1 >cases
	resizecheck <cases >out
	[ "$(cat out)" = "809 cases, 0 unlike" ]
}

# bats test_tags=slow
@test "without rounding between passes, box and bilinear differ by 1 at most" {
	"$TOP/tests/tools/resize.py" 300 2 >cases
	resizecheck float <cases >out
	[ "$(cat out)" = "309 cases, 0 unlike" ]
}
