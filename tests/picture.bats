# SPDX-License-Identifier: Apache-2.0
# Pictures are decoded to the bytes that Pillow decodes them to.

load helper

# Where we and Pillow differ, and why.  What is damaged Pillow shows as far as
# it goes.
accepted() {
	cat <<-'END'
	jpeg-crash/7997b6b229f25315d33f5c7085e37500.jpg	damaged: data is missing
	jpeg-crash/b55977028a3a574336966b6536640fc9.jpg	damaged: data is missing
	jpeg-crash/dc-predictor-overflow.jpg	damaged: data is missing
	jpeg-crash/subtract-with-overflow.jpg	damaged: a bad code in scan 6
	pillow-odd/exif_imagemagick_orientation.png	EXIF as text
	pillow-odd/hopper_bad_exif.jpg	damaged: a bad code in row 152
	pillow-odd/i_trns.png	16-bit gray: Pillow clips it, we take the upper byte
	png-bugfixes/F-exif-chunk-early.png	eXIf
	png-bugfixes/invalid_palette_index.png	damaged
	png-bugfixes/x_interlaced_chck.png	damaged: a wrong CRC of IDAT
	pngsuite/xcsn0g01.png	damaged: a wrong CRC of IDAT
	END
	for f in basi0g16 basn0g16 g03n0g16 g04n0g16 g05n0g16 g07n0g16 \
	    g10n0g16 g25n0g16 oi1n0g16 oi2n0g16 oi4n0g16 oi9n0g16 tbwn0g16; do
		printf 'pngsuite/%s.png\t16-bit gray\n' $f
	done
}

@test "every picture of the test data is decoded as Pillow does, or refused" {
	need_data images
	cd "$DATA"
	find . -type f | sed 's,^\./,,' | sort >"$BATS_TEST_TMPDIR/names"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -ge 332 ]
	xargs picdump <"$BATS_TEST_TMPDIR/names" >"$BATS_TEST_TMPDIR/ours"
	xargs "$TOP/tests/tools/pillow.py" <"$BATS_TEST_TMPDIR/names" \
	    >"$BATS_TEST_TMPDIR/theirs"
	cd "$BATS_TEST_TMPDIR"
	sed 's/refused: .*/refused/' ours | diff - theirs |
	    sed -n 's/^< \([^	]*\)	.*/\1/p' >differ
	accepted | cut -f 1 | LC_ALL=C sort >accepted
	diff differ accepted
}
