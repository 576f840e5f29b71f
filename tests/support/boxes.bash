# SPDX-License-Identifier: Apache-2.0
# Outputs of a detector, made by hand: a few boxes, or one box of one of 80
# classes.
# shellcheck shell=bash

# answer SHAPE NUMBER...: writes a labelled f16 tensor.
answer() {
	shape=$1
	shift
	f32 "$@" | npu-tensor --add -t f32 --shape="$shape" |
	    npu-quant -t f16
}

# two: writes two boxes of class 0, [0,30] x [0,10] and [10,40] x [0,10]. Their
# IoU is exactly 1/2.  The better box comes last.
two() {
	answer 1,5,2 15 25 5 5 30 30 10 10 .5 .75
}

# one CLASS: writes one box of class CLASS, of 80 classes: [10,30] x [20,60] in
# an input of 160, which has 525 boxes.  The score of the box is .875.
one() {
	perl -e 'my ($class) = @ARGV; my @r = ((0) x 525) x 84;
	    @r[10, 535, 1060, 1585] = (20, 40, 20, 40);
	    $r[(4 + $class) * 525 + 10] = .875; print pack("f<*", @r)' "$1" |
	    npu-tensor --add -t f32 --shape=1,84,525 | npu-quant -t f16
}

# decode OPTION...: runs yolo-decode for an input and pictures of 160 x 160.
decode() {
	yolo-decode --size=160 --image-size=160 "$@"
}

# ppm WIDTH HEIGHT: writes a black picture.
ppm() {
	printf 'P6 %d %d 255\n' "$1" "$2"
	head -c $(($1 * $2 * 3)) /dev/zero
}
