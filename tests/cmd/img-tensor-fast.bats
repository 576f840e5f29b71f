# SPDX-License-Identifier: Apache-2.0
# img-tensor --fast with JPEGs that are large enough to be decoded smaller.
# bats file_tags=arm64

load ../support/helper

# fast FIT FILTER WxH FILE...: prints for each picture its name, and the mean
# and the largest difference between its tensor and Pillow's.
fast() {
	img-tensor --fast -r -t u8 -s 255 --layout=hwc --fit="$1" \
	    --filter="$2" --size="$3" "${@:4}" >got
	"$TOP/tests/tools/fast.py" "$1" "$2" "$3" got "${@:4}"
}

# near MEAN LARGEST: succeeds if all differences on stdin are within these
# limits and no mean is 0: if a tensor is equal to Pillow's, --fast was not
# used.
near() {
	tee -a differences | awk -v mean="$1" -v most="$2" '
	    { n++ } $2 <= 0 || $2 > mean || $3 > most { print; bad = 1 }
	    END { exit bad || n == 0 }'
}

# The goal is 0.1 for the letterbox of a photograph of 12 megapixels, a quarter
# of which is padding.  Small pictures with more colour average out less.  If
# the pictures were decoded at half size, each would differ by more, most by 1
# on average.
# bats test_tags=slow
@test "--fast: resized 4:2:0 planes are near Pillow, in all orientations" {
	"$TOP/tests/tools/fast.py" draw
	rm other.jpg large.jpg
	fast letterbox bilinear 64x64 ./*.jpg | near 0.2 1
	fast stretch bilinear 63x41 ./*.jpg | near 0.2 1
	fast crop bilinear 62x45 ./*.jpg | near 0.2 1
	[ "$(wc -l <differences)" -eq 39 ]
}

# bats test_tags=slow
@test "--fast: 4:4:4 at 1/2, and a JPEG at 1/4 and 1/8, are near Pillow" {
	"$TOP/tests/tools/fast.py" draw
	fast letterbox bilinear 64x64 other.jpg large.jpg | near 0.3 2
	fast letterbox bilinear 32x32 large.jpg | near 0.3 2
}

# bats test_tags=slow
@test "--fast: box works on 4:2:0 planes, bicubic on RGB; both near Pillow" {
	"$TOP/tests/tools/fast.py" draw
	fast stretch box 63x41 size*.jpg turned*.jpg | near 0.2 1
	fast stretch bicubic 33x32 size400x384.jpg | near 0.3 2
}

# bats test_tags=slow
@test "--fast: small pictures and large inputs give the bytes of Pillow" {
	"$TOP/tests/tools/fast.py" draw
	fast stretch bilinear 70x66 turned1.jpg size400x384.jpg >out
	[ "$(cut -d ' ' -f 2- out | sort -u)" = "0.0000 0" ]
}

# same FILE: checks that status and messages are the same with and without
# --fast.
same() {
	set -- --size=64 --filter=bilinear -r -o out --on-error=fail "$1"
	run --separate-stderr img-tensor --fit=letterbox "$@"
	want="$status $stderr"
	run --separate-stderr img-tensor --fast --fit=letterbox "$@"
	[ "$status $stderr" = "$want" ]
}

# bats test_tags=slow
@test "--fast: a damaged picture is refused with the same message" {
	"$TOP/tests/tools/fast.py" draw
	for f in turned1 turned6 progressive; do
		n=$(wc -c <$f.jpg)
		for cut in $((n / 3)) $((n - 2500)) $((n - 2)); do
			head -c $cut $f.jpg >bad.jpg
			same bad.jpg
			[ "$status" -eq 1 ]
		done
		# Corrupted bytes, of which some are also missing.
		for at in $((n / 2)) $((n - 9000)); do
			{
				head -c $at $f.jpg
				head -c 300 /dev/zero | tr '\0' '\125'
				tail -c +$((at + 601)) $f.jpg
			} >bad.jpg
			same bad.jpg
			[ "$status" -eq 1 ]
		done
	done
}
