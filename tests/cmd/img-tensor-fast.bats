# SPDX-License-Identifier: Apache-2.0
# img-tensor --fast, on JPEGs that are large enough for it.
# bats file_tags=arm64

load ../support/helper

# fast FIT FILTER WxH FILE...: the name of each picture, and the mean and the
# largest difference of its tensor from Pillow's.
fast() {
	img-tensor --fast -r -t u8 -s 255 --layout=hwc --fit="$1" \
	    --filter="$2" --size="$3" "${@:4}" >got
	"$TOP/tests/tools/fast.py" "$1" "$2" "$3" got "${@:4}"
}

# near MEAN LARGEST: all differences read are within these, and none is 0: a
# tensor that is Pillow's to the byte was not made in the fast way.
near() {
	tee -a differences | awk -v mean="$1" -v most="$2" '
	    { n++ } $2 <= 0 || $2 > mean || $3 > most { print; bad = 1 }
	    END { exit bad || n == 0 }'
}

# The goal is 0.1 for the letterbox of a photograph of 12 megapixels, a quarter
# of it padding; in small pictures with more colour less averages out.  Decoded
# at half its size instead, each of them is off by more, most by 1 on average.
# bats test_tags=slow
@test "--fast: 4:2:0 at a half is near Pillow, in any orientation and size" {
	"$TOP/tests/tools/fast.py" draw
	rm other.jpg large.jpg
	fast letterbox bilinear 64x64 ./*.jpg | near 0.2 1
	fast stretch bilinear 63x41 ./*.jpg | near 0.2 1
	fast crop bilinear 62x45 ./*.jpg | near 0.2 1
	[ "$(wc -l <differences)" -eq 39 ]
}

# bats test_tags=slow
@test "--fast: 4:4:4 at a half, and a quarter and an eighth, are near Pillow" {
	"$TOP/tests/tools/fast.py" draw
	fast letterbox bilinear 64x64 other.jpg large.jpg | near 0.3 2
	fast letterbox bilinear 32x32 large.jpg | near 0.3 2
}

# bats test_tags=slow
@test "--fast: box uses the planes, too, and bicubic does not" {
	"$TOP/tests/tools/fast.py" draw
	fast stretch box 63x41 size*.jpg turned*.jpg | near 0.2 1
	fast stretch bicubic 33x32 size400x384.jpg | near 0.3 2
}

# bats test_tags=slow
@test "--fast: small pictures, and large inputs, are Pillow's to the byte" {
	"$TOP/tests/tools/fast.py" draw
	fast stretch bilinear 70x66 turned1.jpg size400x384.jpg >out
	[ "$(cut -d ' ' -f 2- out | sort -u)" = "0.0000 0" ]
}

# same FILE: status and messages are the same without --fast and with it.
same() {
	set -- --size=64 --filter=bilinear -r -o out --on-error=fail "$1"
	run --separate-stderr img-tensor --fit=letterbox "$@"
	want="$status $stderr"
	run --separate-stderr img-tensor --fast --fit=letterbox "$@"
	[ "$status $stderr" = "$want" ]
}

# bats test_tags=slow
@test "--fast: a damaged picture is refused with the same line" {
	"$TOP/tests/tools/fast.py" draw
	for f in turned1 turned6 progressive; do
		n=$(wc -c <$f.jpg)
		for cut in $((n / 3)) $((n - 2500)) $((n - 2)); do
			head -c $cut $f.jpg >bad.jpg
			same bad.jpg
			[ "$status" -eq 1 ]
		done
		# Corrupted bytes, and some that are missing.
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
