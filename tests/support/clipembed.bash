# SPDX-License-Identifier: Apache-2.0
# Models for the tests of clip-embed whose output is their input: a row of 4
# ids, or the 2 x 2 pixels of a picture.
# shellcheck shell=bash

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	mkonnx Identity f32:1x4 : f32:1x4 >ids.onnx
	cix-pack -o ids.cix -I text:s32:1x4 -O v:f32:1x4 ids.onnx
	mkonnx Identity f32:1x3x2x2 : f32:1x3x2x2 >dots.onnx
	cix-pack -o dots.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 dots.onnx
	export IDS=$PWD/ids.cix DOTS=$PWD/dots.cix
}

embed() {
	clip-embed -q -d emu "$@"
}

# dots N: writes a picture whose pixels all have the gray N.
dots() {
	printf 'P3 2 2 255'
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do printf ' %d' "$1"; done
}

# gray N [NORM]: prints a gray of N 255ths, preprocessed with the mean and
# deviation of openai/CLIP, as 12 numbers and their length.  With NORM l2, the
# numbers are divided by this length.
gray() {
	perl -e '
		@mean = (0.48145466, 0.4578275, 0.40821073);
		@dev = (0.26862954, 0.26130258, 0.27577711);
		for my $c (0 .. 2) {
			my $v = ($ARGV[0] / 255 - $mean[$c]) / $dev[$c];
			push @x, ($v) x 4;
			$sum += 4 * $v * $v;
		}
		printf "%.5f ", $_ / ($ARGV[1] eq "l2" ? sqrt $sum : 1) for @x;
		printf "%.4f\n", sqrt $sum' "$@"
}
