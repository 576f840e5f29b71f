# SPDX-License-Identifier: Apache-2.0
# Pictures are decoded to the bytes that Pillow decodes them to, or refused
# with one line.
# bats file_tags=arm64,slow

load ../support/helper

pillow() {
	"$TOP/tests/tools/pillow.py" "$@"
}

# Where we and Pillow differ in the test data, and why.  Pillow shows a damaged
# picture as far as it goes.
accepted() {
	cat <<-'END'
	jpeg-crash/7997b6b229f25315d33f5c7085e37500.jpg	data is missing
	jpeg-crash/b55977028a3a574336966b6536640fc9.jpg	data is missing
	jpeg-crash/dc-predictor-overflow.jpg	data is missing
	jpeg-crash/subtract-with-overflow.jpg	a bad code in scan 6
	pillow-odd/hopper_bad_exif.jpg	a bad code in row 152: all stripes
	png-bugfixes/invalid_palette_index.png	an index not in the palette
	png-bugfixes/x_interlaced_chck.png	a wrong CRC of IDAT
	pngsuite/xcsn0g01.png	a wrong CRC of IDAT
	END
	# 16-bit gray: Pillow clips it to 255, we take the upper byte.
	echo pillow-odd/i_trns.png
	for f in basi0g16 basn0g16 g03n0g16 g04n0g16 g05n0g16 g07n0g16 \
	    g10n0g16 g25n0g16 oi1n0g16 oi2n0g16 oi4n0g16 oi9n0g16 tbwn0g16; do
		echo pngsuite/$f.png
	done
}

@test "every picture of the test data is decoded as Pillow does, or refused" {
	need_data images
	cd "$DATA"
	find . -type f | sed 's,^\./,,' | sort >"$BATS_TEST_TMPDIR/names"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -ge 332 ]
	xargs picdump <"$BATS_TEST_TMPDIR/names" >"$BATS_TEST_TMPDIR/ours" \
	    2>"$BATS_TEST_TMPDIR/words"
	xargs "$TOP/tests/tools/pillow.py" <"$BATS_TEST_TMPDIR/names" \
	    >"$BATS_TEST_TMPDIR/theirs"
	cd "$BATS_TEST_TMPDIR"
	[ ! -s words ]
	sed 's/refused: .*/refused/' ours >shown
	run -1 diff shown theirs
	sed -n 's/^< \([^	]*\)	.*/\1/p' <<<"$output" >differ
	accepted | cut -f 1 | sort >accepted
	diff differ accepted
	# Those that Pillow decodes and we do not are damaged; no other is.
	[ "$(grep -c 'refused: ' ours)" -eq \
	    $(($(grep -c 'refused$' theirs) + $(accepted | grep -c '	'))) ]
}

@test "16-bit gray is its upper byte" {
	need_data images/pngsuite/basn0g16.png
	picdump -p "$DATA" >m.ppm
	# Pillow has the 16 bits as an integer.
	/usr/bin/python3 -c '
import sys
from PIL import Image
for v in Image.open(sys.argv[1]).getdata():
    print(v >> 8, v >> 8, v >> 8)' "$DATA" >want
	tail -c 3072 m.ppm | od -An -v -t u1 -w3 | tr -s " " |
	    sed "s/^ //" | diff - want
}

@test "the golden pictures have the digests of their index" {
	need_data golden/index.json
	jq -r '.items[] | select(.key != "pngsuite__basn0g16") |
	    "\(.image) \(.decoded_rgb_sha256)"' "$DATA" >items
	[ "$(wc -l <items)" -ge 11 ]
	while read -r image sum; do
		# The digest is of the picture as stored.
		picdump -m 1 "$NPU_TEST_DATA/$image" >got
		cut -f 2 got | grep " $sum$" || {
			echo "$image: $(cat got)"
			return 1
		}
	done <items
}

@test "every kind of picture that mkpic makes is decoded as Pillow does" {
	mkdir all
	mkpic all
	cd all
	mkpic --list | grep -v '^big' | sed -n 's/	sound$//p' >../names
	[ "$(wc -l <../names)" -ge 100 ]
	xargs picdump <../names >../ours
	xargs "$TOP/tests/tools/pillow.py" <../names >../theirs
	diff ../ours ../theirs
}

@test "each damaged picture is refused with its line, and no other is printed" {
	mkdir all
	mkpic all
	cd all
	mkpic --list | grep -v '	sound$' | sed 's/	/	refused: /' >../want
	[ "$(wc -l <../want)" -ge 60 ]
	cut -f 1 ../want | xargs picdump >../got 2>../words
	diff ../got ../want
	[ ! -s ../words ]
}

# Half a minute under qemu, and nothing in it depends on the processor.
# bats test_tags=native
@test "a picture that is cut anywhere is refused, however it is read" {
	mkdir all
	mkpic all
	cd all
	mkpic --list | grep -v '^big' | sed -n 's/	sound$//p' |
	    xargs picdump -c >../got
	# Data behind the picture may be missing: 2 to 11 bytes.  That the last
	# number of a text format lacks its last digits cannot be noticed.
	grep -v '	0	0$' ../got | diff - <(cat <<-'END'
	trailer.jpg	8	0
	trailer.png	11	0
	p1.pbm	1	0
	p2.pgm	1	2
	p2-7.pgm	5	0
	p3.ppm	3	1
	p3-1000.ppm	1	2
	p6-trailer.ppm	11	0
	END
	)
}

@test "a JPEG is shrunk as Pillow's draft() does it" {
	mkdir all
	mkpic all
	cd all
	# Pillow takes the factor from the size, so 1/8 of 33 x 17.
	for f in 420.jpg gray.jpg progressive.jpg ycck.jpg 411.jpg; do
		for n in 2 4 8; do
			picdump -m $n $f | cut -f 1,2
			pillow -$n $f >&3
		done
	done >../ours 3>../theirs
	diff ../ours ../theirs
	# Another format stays as it is.
	picdump -m 8 rgb8.png | grep '	33x17 '
}

# bats test_tags=native
@test "12 million pixels take 8 MiB, a progressive JPEG its coefficients" {
	for f in big.jpg big.png big-progressive.jpg; do
		mkpic $f >$f
		for n in 1 8; do
			picdump -m $n $f
		done
	done | tee got
	awk -F '	' '$1 !~ /progressive/ && $3 > 8192 { exit 1 }' got
	# 4000 x 3000 x 1.5 of 2 bytes are 35,157 KiB.
	awk -F '	' '/progressive/ && $3 > 35157 + 8192 { exit 1 }' got
}

# bats test_tags=native
@test "a header alone takes no memory, whatever it says" {
	for f in vast.jpg many-pixels.jpg vast.png tall.png many-pixels.png \
	    wide.ppm many-pixels.ppm wraps.ppm; do
		mkpic $f >$f
		picdump -m 1 $f
	done | tee got
	[ "$(grep -c refused got)" -eq 8 ]
	awk -F '	' '$3 > 8192 { exit 1 }' got
	mkpic vast-row.png >vast-row.png
	picdump -m 1 vast-row.png | tee got
	# Three rows of 1,000,000 pixels of 8 bytes, at most.
	awk -F '	' '$3 > 8192 + 23438 { exit 1 }' got
}
