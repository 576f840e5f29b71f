# SPDX-License-Identifier: Apache-2.0
# Pictures are decoded to the same bytes as by Pillow, or refused with a message
# of one line.
# bats file_tags=arm64,slow

load ../support/helper

pillow() {
	"$TOP/tests/tools/pillow.py" "$@"
}

# accepted: the pictures of the test data where we and Pillow differ, and why.
# Pillow shows the readable part of a damaged picture.
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
	# 16-bit gray: Pillow clips values to 255, we take the upper byte.
	echo pillow-odd/i_trns.png
	for f in basi0g16 basn0g16 g03n0g16 g04n0g16 g05n0g16 g07n0g16 \
	    g10n0g16 g25n0g16 oi1n0g16 oi2n0g16 oi4n0g16 oi9n0g16 tbwn0g16; do
		echo pngsuite/$f.png
	done
}

@test "every picture of the test data is decoded as by Pillow, or refused" {
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
	# The pictures that only Pillow decodes are damaged; all others are
	# decoded.
	[ "$(grep -c 'refused: ' ours)" -eq \
	    $(($(grep -c 'refused$' theirs) + $(accepted | grep -c '	'))) ]
}

@test "16-bit gray becomes 8-bit gray by taking the upper byte" {
	need_data images/pngsuite/basn0g16.png
	picdump -p "$DATA" >m.ppm
	# In Pillow, a pixel is an integer of 16 bits.
	/usr/bin/python3 -c '
import sys
from PIL import Image
for v in Image.open(sys.argv[1]).getdata():
    print(v >> 8, v >> 8, v >> 8)' "$DATA" >want
	tail -c 3072 m.ppm | od -An -v -t u1 -w3 | tr -s " " |
	    sed "s/^ //" | diff - want
}

@test "the golden pictures decode to the SHA-256 digests of their index" {
	need_data golden/index.json
	jq -r '.items[] | select(.key != "pngsuite__basn0g16") |
	    "\(.image) \(.decoded_rgb_sha256)"' "$DATA" >items
	[ "$(wc -l <items)" -ge 11 ]
	while read -r image sum; do
		# The digest covers the stored picture, before it is turned
		# upright.
		picdump -m 1 "$NPU_TEST_DATA/$image" >got
		cut -f 2 got | grep " $sum$" || {
			echo "$image: $(cat got)"
			return 1
		}
	done <items
}

@test "every kind of picture that mkpic makes is decoded as by Pillow" {
	mkdir all
	mkpic all
	cd all
	mkpic --list | grep -v '^big' | sed -n 's/	sound$//p' >../names
	[ "$(wc -l <../names)" -ge 100 ]
	xargs picdump <../names >../ours
	xargs "$TOP/tests/tools/pillow.py" <../names >../theirs
	diff ../ours ../theirs
}

@test "each damaged picture is refused with the message that mkpic lists" {
	mkdir all
	mkpic all
	cd all
	mkpic --list | grep -v '	sound$' | sed 's/	/	refused: /' >../want
	[ "$(wc -l <../want)" -ge 60 ]
	cut -f 1 ../want | xargs picdump >../got 2>../words
	diff ../got ../want
	[ ! -s ../words ]
}

# Takes half a minute under qemu, and does not depend on the processor.
# bats test_tags=native
@test "a picture that is cut at any byte is refused, for any size of reads" {
	mkdir all
	mkpic all
	cd all
	mkpic --list | grep -v '^big' | sed -n 's/	sound$//p' |
	    xargs picdump -c >../got
	# Data after the picture may be missing: 2 to 11 bytes.  If the last
	# number of a text format lacks its last digits, this cannot be
	# detected.
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

@test "a JPEG is decoded at 1/2, 1/4 and 1/8 of its size as Pillow does it" {
	mkdir all
	mkpic all
	cd all
	# Pillow's draft() chooses the factor from the requested size, here 1/8
	# of 33 x 17.
	for f in 420.jpg gray.jpg progressive.jpg ycck.jpg 411.jpg; do
		for n in 2 4 8; do
			picdump -m $n $f | cut -f 1,2
			pillow -$n $f >&3
		done
	done >../ours 3>../theirs
	diff ../ours ../theirs
	# A picture in another format keeps its size.
	picdump -m 8 rgb8.png | grep '	33x17 '
}

# bats test_tags=native
@test "12 megapixels take 8 MiB, a progressive JPEG also its coefficients" {
	for f in big.jpg big.png big-progressive.jpg; do
		mkpic $f >$f
		for n in 1 8; do
			picdump -m $n $f
		done
	done | tee got
	awk -F '	' '$1 !~ /progressive/ && $3 > 8192 { exit 1 }' got
	# The coefficients: 4000 x 3000 x 1.5 of 2 bytes are 35,157 KiB.
	awk -F '	' '/progressive/ && $3 > 35157 + 8192 { exit 1 }' got
}

# bats test_tags=native
@test "a header alone does not make the decoder allocate what it states" {
	for f in vast.jpg many-pixels.jpg vast.png tall.png many-pixels.png \
	    wide.ppm many-pixels.ppm wraps.ppm; do
		mkpic $f >$f
		picdump -m 1 $f
	done | tee got
	[ "$(grep -c refused got)" -eq 8 ]
	awk -F '	' '$3 > 8192 { exit 1 }' got
	mkpic vast-row.png >vast-row.png
	picdump -m 1 vast-row.png | tee got
	# At most three rows of 1,000,000 pixels of 8 bytes.
	awk -F '	' '$3 > 8192 + 23438 { exit 1 }' got
}
