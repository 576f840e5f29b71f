# SPDX-License-Identifier: Apache-2.0
# img-tensor: pictures to tensors.

load helper

# colours: red, green / blue, white, as PPM.
colours() {
	echo 'P3 2 2 255 255 0 0 0 255 0 0 0 255 255 255 255'
}

@test "CHW has planes in the order of --order, HWC pixels" {
	colours >c.ppm
	by_hand="--size=2 --fit=stretch -t u8 -s 255 -r"
	# shellcheck disable=SC2086 # words
	{
		img-tensor $by_hand c.ppm >rgb
		img-tensor $by_hand --order=bgr c.ppm >bgr
		img-tensor $by_hand --layout=hwc c.ppm >hwc
		img-tensor $by_hand --layout=hwc --order=bgr c.ppm >hwcbgr
	}
	[ "$(bytes rgb)" = "255 0 0 255 0 255 0 255 0 0 255 255" ]
	[ "$(bytes bgr)" = "0 0 255 255 0 255 0 255 255 0 0 255" ]
	[ "$(bytes hwc)" = "255 0 0 0 255 0 0 0 255 255 255 255" ]
	[ "$(bytes hwcbgr)" = "0 0 255 0 255 0 255 0 0 255 255 255" ]
}
