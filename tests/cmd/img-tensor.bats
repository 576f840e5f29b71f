# SPDX-License-Identifier: Apache-2.0
# img-tensor: how a picture becomes a tensor.  tests/cmd/img-tensor-inputs.bats
# tests how it takes its inputs.
# bats file_tags=arm64

load ../support/helper

# colours: prints a picture with red and green above blue and white.
colours() {
	echo 'P3 2 2 255 255 0 0 0 255 0 0 0 255 255 255 255'
}

# gray W H VALUE...: prints a gray picture.
gray() {
	echo "P2 $1 $2 255" "${@:3}"
}

# plain ARG...: runs img-tensor with only these options, and stores values as
# they are.
plain() {
	img-tensor -r -t u8 -s 255 "$@"
}

# shorts FILE, halves FILE: print 16-bit values as numbers, as hexadecimal
# digits.
shorts() {
	od -An -v -t d2 "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}
halves() {
	od -An -v -t x2 "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

# ---- Layout ---------------------------------------------------------------

@test "CHW writes planes in the order of --order, HWC writes pixels" {
	colours >c.ppm
	plain --size=2 --fit=stretch c.ppm >rgb
	plain --size=2 --fit=stretch --order=bgr c.ppm >bgr
	plain --size=2 --fit=stretch --layout=hwc c.ppm >hwc
	plain --size=2 --fit=stretch --layout=hwc --order=bgr c.ppm >hwcbgr
	[ "$(bytes rgb)" = "255 0 0 255 0 255 0 255 0 0 255 255" ]
	[ "$(bytes bgr)" = "0 0 255 255 0 255 0 255 255 0 0 255" ]
	[ "$(bytes hwc)" = "255 0 0 0 255 0 0 0 255 255 255 255" ]
	[ "$(bytes hwcbgr)" = "0 0 255 0 255 0 255 0 0 255 255 255" ]
}

# bats test_tags=slow
@test "every type arranges the planes of a large picture in the same order" {
	# 40 columns fill whole registers and leave a rest.  The left half is
	# red, the right half blue; the lower row is half as bright as the upper
	# row.
	{
		echo 'P3 40 2 255'
		for v in 255 128; do
			for _ in $(seq 20); do echo "$v 0 0"; done
			for _ in $(seq 20); do echo "0 0 $v"; done
		done
	} >c.ppm
	# 16 bits: the red plane with row 0 and row 1, then green, then blue.
	want=$(perl -e 'sub r { ($_[0]) x 20, ($_[1]) x 20 }
	    print join " ", r(1000, 0), r(502, 0), r(0, 0), r(0, 0),
		r(0, 1000), r(0, 502)')
	for t in u16 s16; do
		img-tensor -r -t $t -s 1000 --size=40x2 --fit=stretch c.ppm >q
		[ "$(shorts q)" = "$want" ]
	done
	img-tensor -r -t u8 -s 200 --size=40x2 --fit=stretch c.ppm >q
	[ "$(bytes q)" = "$(echo "$want" |
	    sed 's/1000/200/g; s/502/100/g')" ]
	img-tensor -r --size=40x2 --fit=stretch c.ppm >q
	[ "$(floats q)" = "$(echo "$want" |
	    sed 's/1000/1/g; s/502/0.5019608/g')" ]
	img-tensor -r --size=40x2 --fit=stretch -t f16 c.ppm >q
	[ "$(halves q)" = "$(echo "$want" |
	    sed 's/\<0\>/0000/g; s/1000/3c00/g; s/502/3804/g')" ]
}

# ---- Values ---------------------------------------------------------------

# A black, a gray and a white pixel.
three="--size=3x1 --fit=stretch"

# bats test_tags=slow
@test "x = (v / divisor - mean) / std, then rounded, clipped and stored" {
	gray 3 1 0 128 255 >g.pgm
	# shellcheck disable=SC2086 # words
	{
		plain $three g.pgm >u8
		# x = -1, 0.0039, 1: -105, rint(0.39 - 5) = -5, 95
		img-tensor -r $three --mean=0.5 --std=0.5 -t s8 -s 100 -z 5 \
		    g.pgm >s8
		# x = -2, 0.0078, 2 with 100 steps per unit: clipped at both
		# ends
		img-tensor -r $three --mean=0.5 --std=0.25 -t s8 -s 100 \
		    g.pgm >clipped
		# 255 * 0.5 = 127.5 and 1 * 0.5 = 0.5: halves are rounded to
		# even
		img-tensor -r $three -t u8 -s 127.5 g.pgm >even
		# TensorFlow's recipe: no division, a mean for each channel
		img-tensor -r $three --divisor=1 \
		    --mean=123.5,116.75,103.25 g.pgm >tf
		img-tensor -r $three -t f16 g.pgm >f16
		img-tensor -r $three -t u16 -s 1000 g.pgm >u16
	}
	[ "$(bytes u8)" = "0 128 255 0 128 255 0 128 255" ]
	[ "$(od -An -t d1 -N 3 s8 | tr -s ' ')" = " -105 -5 95" ]
	[ "$(od -An -t d1 -N 3 clipped | tr -s ' ')" = " -128 1 127" ]
	[ "$(bytes even | cut -d ' ' -f 1-3)" = "0 64 128" ]
	[ "$(floats tf)" = "-123.5 4.5 131.5 -116.75 11.25 138.25 \
-103.25 24.75 151.75" ]
	[ "$(halves f16 | cut -d ' ' -f 1-3)" = "0000 3804 3c00" ]
	[ "$(shorts u16 | cut -d ' ' -f 1-3)" = "0 502 1000" ]
}

@test "--mean gives red, green, blue, also with --order=bgr" {
	gray 1 1 255 >g.pgm
	img-tensor -r --size=1 --fit=stretch --mean=0,0.5,1 g.pgm >rgb
	img-tensor -r --size=1 --fit=stretch --mean=0,0.5,1 --order=bgr g.pgm \
	    >bgr
	[ "$(floats rgb)" = "1 0.5 0" ]
	[ "$(floats bgr)" = "0 0.5 1" ]
}

# ---- Fit ------------------------------------------------------------------

# wide: prints the pixels 10 20 30 40 above 50 60 70 80.
wide() {
	gray 4 2 10 20 30 40 50 60 70 80
}

# red FILE N: prints the first N bytes of FILE, which belong to the red plane.
red() {
	bytes "$1" | cut -d ' ' -f "1-$2"
}

@test "letterbox scales to the longer side, and pads above and below" {
	wide >w.pgm
	plain --size=4 --fit=letterbox --pad=1,2,3 w.pgm >q
	[ "$(bytes q)" = "1 1 1 1 10 20 30 40 50 60 70 80 1 1 1 1 \
2 2 2 2 10 20 30 40 50 60 70 80 2 2 2 2 \
3 3 3 3 10 20 30 40 50 60 70 80 3 3 3 3" ]
	# 2 x 4 in 5 x 4: three columns are padding, and one is on the left.
	gray 2 4 1 2 3 4 5 6 7 8 >t.pgm
	plain --size=5x4 --fit=letterbox t.pgm >q
	[ "$(red q 10)" = "114 1 2 114 114 114 3 4 114 114" ]
}

@test "crop scales to the shorter side, and keeps the middle" {
	wide >w.pgm
	plain --size=2 --fit=crop w.pgm >q
	[ "$(red q 4)" = "20 30 60 70" ]
	# 5 - 2 leaves 1.5 at each end, which is rounded to 2, the even number,
	# as in torchvision.
	gray 5 2 1 2 3 4 5 6 7 8 9 10 >five.pgm
	plain --size=2 --fit=crop five.pgm >q
	[ "$(red q 4)" = "3 4 8 9" ]
}

@test "--shorter cuts the input out of a larger picture" {
	gray 4 4 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 >s.pgm
	plain --size=2 --fit=crop --shorter=4 s.pgm >q
	[ "$(red q 4)" = "6 7 10 11" ]
	run --separate-stderr -2 plain --size=5 --fit=crop --shorter=4 s.pgm
	[[ $stderr == "img-tensor: 5 x 5 cannot be cut out of "*"of 4"* ]]
}

@test "stretch scales each side separately, with the chosen filter" {
	wide >w.pgm
	# Box: the mean of each two pixels, 15 and 35 ...
	plain --size=2x2 --fit=stretch --filter=box w.pgm >q
	[ "$(red q 4)" = "15 35 55 75" ]
	# Bilinear over twice the width: 3/8 3/8 1/8 of 10 20 30, divided by
	# 7/8.
	plain --size=2x2 --fit=stretch --filter=bilinear w.pgm >q
	[ "$(red q 2)" = "17 33" ]
}

# ---- Compared with Pillow -------------------------------------------------

# bats test_tags=slow
@test "sound pictures of each kind give the bytes of Pillow's recipes" {
	mkdir all
	mkpic all
	# tests/cmd/img-tensor-formats.bats lists where sound pictures differ
	# from Pillow.
	mkpic --list | grep 'sound$' | cut -f 1 |
	    grep -E 'exif-[1-8].jpg|^(4..|gray|cmyk|progressive|1x99|99x1)\.jpg|^(g8|p4|rgb8|rgba8|i-rgba8|1x999|999x1)\.png' |
	    sed 's,^,all/,' >names
	[ "$(wc -l <names)" -ge 20 ]
	for w in clip yolo; do
		# shellcheck disable=SC2046 # words
		"$TOP/tests/tools/recipe.py" $w $(cat names) >theirs
		plain --for=$w --mean=0 --std=1 --layout=hwc --files-from=names >q
		cmp q theirs
	done
}

# bits WIDTH HEIGHT: prints a PBM.
bits() {
	printf 'P4\n%s %s\n' "$1" "$2"
	perl -e 'print substr(join("\n", 1 .. 99999), 0, $ARGV[0])' $(($1 / 8 * $2))
}

# bats test_tags=slow
@test "openai-clip: pictures in their own modes give the bytes of Pillow" {
	mkdir all
	mkpic all
	mkpic --list | grep -v '^big' | sed -n 's/	sound$//p' |
	    sed 's,^,all/,' >names
	# One bit per pixel, in sizes for which the result depends on how Pillow
	# adds up steps.
	bits 640 448 >a.pbm
	bits 896 1921 >b.pbm
	printf '%s.pbm\n' a b >>names
	# 17 is the height of most pictures, which are then not resized.
	for side in 224 37 17; do
		# shellcheck disable=SC2046 # words
		"$TOP/tests/tools/recipe.py" openai-clip=$side \
		    $(cat names) >theirs
		plain --for=openai-clip --size=$side --mean=0 --std=1 \
		    --layout=hwc --files-from=names >q
		cmp q theirs
	done
	# Pillow reads gray of 16 bits as an integer; --for=clip takes its upper
	# byte.
	printf 'P5\n1 1\n65535\n\377\377' >wide.pgm
	run -1 --separate-stderr img-tensor --for=openai-clip wide.pgm
	[ "$stderr" = "img-tensor: wide.pgm: gray of more than 8 bits: \
--for=openai-clip does not take it; use --for=clip" ]
}

# bats test_tags=slow
@test "the golden pictures give the bytes of Pillow" {
	need_data golden/index.json
	# Without basn0g16: Pillow saturates 16-bit gray to white.
	jq -r '.items[] | select(.key | endswith("basn0g16") | not) |
	    [.image, .clip_upright_u8, .letterbox_pil_u8] | join(" ")' "$DATA" \
	    >items
	[ "$(wc -l <items)" -eq 11 ]
	while read -r image clip letterbox; do
		f=$NPU_TEST_DATA/$image
		plain --for=clip --mean=0 --std=1 --layout=hwc "$f" |
		    sha256sum | grep -q "^$clip " || echo "$image: clip"
		plain --for=yolo --layout=hwc "$f" |
		    sha256sum | grep -q "^$letterbox " || echo "$image: yolo"
	done <items >bad
	cat bad
	[ ! -s bad ]
}

@test "--for=clip gives the floats of torchvision, to the bit" {
	need_data golden/index.json
	# The pictures for which openai's order of steps and ours give the same
	# pixels.
	jq -r '.items[] | select(.same) |
	    [.image, .clip_openai_f32_sha256] | join(" ")' "$DATA" >items
	[ "$(wc -l <items)" -ge 5 ]
	while read -r image sum; do
		img-tensor -r --for=clip "$NPU_TEST_DATA/$image" | sha256sum |
		    grep -q "^$sum " || echo "$image"
	done <items >bad
	cat bad
	[ ! -s bad ]
}

# bats test_tags=slow
@test "--for=openai-clip gives all floats of openai/CLIP, to the bit" {
	need_data golden/index.json
	# Without basn0g16, which is refused, as tested above.
	jq -r '.items[] | select(.key | endswith("basn0g16") | not) |
	    [.image, .clip_openai_f32_sha256] | join(" ")' "$DATA" >items
	[ "$(wc -l <items)" -eq 11 ]
	while read -r image sum; do
		img-tensor -r --for=openai-clip "$NPU_TEST_DATA/$image" |
		    sha256sum | grep -q "^$sum " || echo "$image"
	done <items >bad
	cat bad
	[ ! -s bad ]
}

# ---- Output ---------------------------------------------------------------

@test "tensors are written with labels, as .npy, or without labels" {
	colours >c.ppm
	img-tensor --for=yolo --size=4x2 c.ppm c.ppm >label
	run -0 npu-tensor label
	[ "${lines[0]}" = "1.0  f32 [1,3,2,4]" ]
	[ "${lines[1]}" = "2.0  f32 [1,3,2,4]" ]
	img-tensor --for=yolo --size=4x2 --layout=hwc -t u8 -s 255 -F npy c.ppm \
	    >a.npy
	run -0 npu-tensor a.npy
	[ "$output" = "1.0  u8 [1,2,4,3] scale=1 zero_point=0" ]
	plain --for=yolo --size=4x2 --layout=hwc c.ppm | cmp - <(tail -c 24 a.npy)
	img-tensor --for=yolo --size=4x2 -F raw c.ppm | cmp - <(tail -c 96 label)
}

@test "-o creates the file only when it is complete" {
	colours >c.ppm
	img-tensor --for=yolo --size=2 -r -o q c.ppm
	[ "$(wc -c <q)" -eq 48 ]
	run -1 img-tensor --for=yolo --size=2 --on-error=fail -o none c.ppm no
	[ ! -e none ]
}

# ---- The model ------------------------------------------------------------

# The vendor's descriptor of CLIP's input: s8, 64.75 steps per unit, zero point
# 12.  A red value of 0 becomes (0 - 0.48145466) / 0.26862954 * 64.75 - 12 =
# -128.05, and a blue value of 255 becomes (1 - 0.40821073) / 0.27577711 * 64.75
# - 12 = 126.95.
# bats test_tags=slow
@test "a ramp from black to white fills CLIP's input from -128 to 127" {
	perl -e 'print "P5\n224 224\n255\n", (pack "C*", map {
	    int(255 * $_ / 223 + 0.5) } 0 .. 223) x 224' >gray.pgm
	perl -e 'local $/; $_ = <STDIN>; s/^P5/P6/; /255\n/g;
	    print substr($_, 0, pos); print $_ x 3 for
	    split //, substr($_, pos)' <gray.pgm >ramp.ppm
	img-tensor --for=clip -t s8 -s 64.75 -z 12 -r ramp.ppm >q
	perl -e '
		@mean = (0.48145466, 0.4578275, 0.40821073);
		@dev = (0.26862954, 0.26130258, 0.27577711);
		for my $c (0 .. 2) {
			push @q, (map { sprintf "%.0f", (int(255 * $_ / 223 +
			    0.5) / 255 - $mean[$c]) / $dev[$c] * 64.75 - 12
			    } 0 .. 223) x 224;
		}
		print pack "c*", @q' >want
	cmp q want
	perl -e 'local $/; @q = sort { $a <=> $b } unpack "c*", <STDIN>;
		print "$q[0] $q[-1]\n"' <q >ends
	[ "$(cat ends)" = '-128 127' ]
	img-tensor -q -m clip_visual.cix -r ramp.ppm | cmp - q
	clip-embed -q -d emu -T none --norm=none ramp.ppm >v
	npu-run -q -d emu -T none clip_visual.cix <q | npu-dequant | cmp - v
}

@test "-m takes type, scale, zero point, size and layout from the model" {
	mkcix --in=s8:1x3x4x6:64.75:12 >clip.cix
	mkcix --in=u8:1x4x6x3:255 >yolo.cix
	mkcix --in=s8:1x3x8x8:53.6:14 >imagenet.cix
	gray 6 4 $(seq 24) >g.pgm
	img-tensor -m clip.cix g.pgm 2>note >q
	run -0 npu-tensor q
	[ "$output" = "1.0  s8 [1,3,4,6] scale=64.75 zero_point=12" ]
	[ "$(cat note)" = "img-tensor: clip.cix expects -1.79 to 2.15, so pictures \
are prepared as for --for=clip" ]
	img-tensor -q -m yolo.cix g.pgm 2>note >q
	[ ! -s note ]
	run -0 npu-tensor q
	[ "$output" = "1.0  u8 [1,4,6,3] scale=255 zero_point=0" ]
	[ "$(tail -c 72 q | od -An -v -t u1 -N 6 | tr -s ' ')" = \
	    " 1 1 1 2 2 2" ]
	img-tensor -m imagenet.cix --explain 2>/dev/null >explained
	grep -qx 'for      imagenet, chosen by the model.s range' explained
}

@test "a model whose input range does not match a preset needs --for" {
	mkcix --in=f32:1x3x4x6 >float.cix
	mkcix --in=s8:1x3x4x6:10 >odd.cix
	gray 1 1 9 >g.pgm
	run --separate-stderr -2 img-tensor -m float.cix g.pgm
	[[ $stderr == "img-tensor: float.cix takes f32 [1,3,4,6], which does \
not say how pictures become numbers; give --for=clip, yolo or imagenet, or "* ]]
	run --separate-stderr -2 img-tensor -m odd.cix g.pgm
	[[ $stderr == "img-tensor: odd.cix takes s8 [1,3,4,6] scale=10 \
zero_point=0, from -12.8 to 12.7, which no preset makes; say "* ]]
	img-tensor -m float.cix --for=clip g.pgm >q 2>note
	[ ! -s note ]
	run -0 npu-tensor q
	[ "$output" = "1.0  f32 [1,3,4,6]" ]
	img-tensor -m odd.cix --fit=stretch g.pgm | npu-tensor
}

# bats test_tags=slow
@test "a model without an input for a picture of three channels is refused" {
	gray 1 1 9 >g.pgm
	for shape in 1x1x8x8 2x3x8x8 3x8x8 192; do
		mkcix --in=u8:$shape:255 >m.cix
		run --separate-stderr -1 img-tensor -m m.cix g.pgm
		[[ $stderr == "img-tensor: m.cix"*takes* ||
		    $stderr == *"shape of its input"* ]]
	done
	mkcix --in=u8:1x3x8x8:255 --in=u8:1x3x4x4:255 >two.cix
	run --separate-stderr -2 img-tensor -m two.cix g.pgm
	[[ $stderr == *": two.cix has 2 inputs; name one, as in two.cix:in0"* ]]
	img-tensor -q -m two.cix:in1 g.pgm >q
	run -0 npu-tensor q
	[[ $output == *"u8 [1,3,4,4]"* ]]
	# The message does not ask for --for, which would not help.
	mkcix --in=s32:1x77 >text.cix
	run --separate-stderr -1 img-tensor -m text.cix g.pgm
	[ "$stderr" = "img-tensor: text.cix: takes s32 [1,77] scale=1 \
zero_point=0, and not one picture of three channels" ]
	mkcix --in=s64:1x3x8x8 >m.cix
	run --separate-stderr -1 img-tensor -m m.cix --for=yolo g.pgm
	[[ $stderr == "img-tensor: m.cix: pixels become elements of 8, 16 or "* ]]
}

# ---- Explanations, notes and refusals -------------------------------------

@test "--explain shows the recipe with all of its numbers" {
	mkcix --in=s8:1x3x224x224:64.75:12 >clip.cix
	cat >want <<-'END'
	for      clip
	picture  turned upright as EXIF says, RGB, transparency dropped
	size     224 x 224
	fit      crop: the shorter side becomes 224, then the middle is taken
	filter   bicubic, to the byte as Pillow 9.4 resizes
	order    red, green, blue
	layout   CHW: plane after plane
	value    x = (v / 255 - mean) / std, in 32-bit floats
	stored   q = clip(rint(x * 64.75 - 12)), halves to even
	red      mean 0.48145467, std 0.26862955: x from -1.7922626 to 1.9303361, q from -128 to 113
	green    mean 0.4578275, std 0.2613026: x from -1.7520971 to 2.0748837, q from -125 to 122
	blue     mean 0.40821072, std 0.2757771: x from -1.4802198 to 2.145897, q from -108 to 127
	tensor   s8 [1,3,224,224] scale=64.75 zero_point=12, 150528 bytes
	END
	img-tensor -m clip.cix --for=clip --explain | diff want -
	cat >want <<-'END'
	for      the options
	picture  turned upright as EXIF says, RGB, transparency dropped
	size     6 x 4
	fit      letterbox: the longer side fits, in the middle of 1 2 3
	filter   box, to the byte as Pillow 9.4 resizes
	order    blue, green, red
	layout   HWC: pixel after pixel
	value    x = (v / 1 - mean) / std, in 32-bit floats
	stored   x as f32
	red      mean 5, std 2: x from -2.5 to 125
	green    mean 5, std 2: x from -2.5 to 125
	blue     mean 5, std 2: x from -2.5 to 125
	tensor   f32 [1,4,6,3], 288 bytes
	END
	img-tensor --size=6x4 --fit=letterbox --pad=1,2,3 --filter=box \
	    --order=bgr --layout=hwc --divisor=1 --mean=5 --std=2 --explain |
	    diff want -
}

@test "--explain shows what --fast changes" {
	img-tensor --for=yolo --explain >plain
	img-tensor --for=yolo --explain --fast >fast
	run -1 diff plain fast
	[ "$(grep -c '^[<>]' <<<"$output")" -eq 3 ]
	[[ $output == *"> fast     large JPEGs are decoded at a fraction of \
their size"* ]]
	[[ $output == *"> filter   bilinear, as Pillow 9.4 resizes"* ]]
	run -0 told .fast --for=yolo
	[ "$output" = false ]
	run -0 told .fast --for=yolo --fast
	[ "$output" = true ]
}

# told FILTER ARG...: prints members of the JSON recipe.
told() {
	img-tensor --explain -F json "${@:2}" | jq -c "$1"
}

# bats test_tags=slow
@test "an integer type without --scale gets a note" {
	note='img-tensor: u8 without --scale: 256 shades become 2'
	gray 1 1 255 >g.pgm
	run --separate-stderr -0 img-tensor --for=yolo -t u8 -o q g.pgm
	[ "$stderr" = "$note" ]
	run --separate-stderr -0 img-tensor --for=yolo -t u8 --explain
	[ "$stderr" = "$note" ]
	for o in '-q -t u8' '-t u8 -s 1' '-t u8 --divisor=1' '-t f16' ''; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -0 img-tensor --for=yolo $o -o q g.pgm
		[ "$stderr" = "" ]
	done
}

# bats test_tags=slow
@test "a model's scale that leaves few shades gets the same note" {
	gray 1 1 255 >g.pgm
	mkcix --in=u8:1x3x8x8:1:0 >one.cix
	mkcix --in=u8:1x3x8x8:63:0 >fewer.cix
	mkcix --in=u8:1x3x8x8:64:0 >enough.cix
	while read -r model shades; do
		run --separate-stderr -0 img-tensor --for=yolo -m $model \
		    -o q g.pgm
		[[ $stderr == "img-tensor: u8 [1,3,8,8] scale="*" \
zero_point=0: 256 shades become $shades" ]]
		run --separate-stderr -0 img-tensor -q --for=yolo -m $model \
		    -o q g.pgm
		[ "$stderr" = "" ]
	done <<-'END'
	one.cix 2
	fewer.cix 64
	END
	run --separate-stderr -0 img-tensor --for=yolo -m enough.cix -o q g.pgm
	[[ $stderr != *shades* ]]
}

# bats test_tags=slow
@test "values beyond the range of the type get a note" {
	gray 1 1 255 >g.pgm
	ln -s "$B"/share/npu-utils/models/{clip_visual,yolov8n}.cix .
	# clip gives -1.7923 to 2.1459, imagenet -2.1179 to 2.64.
	while IFS='|' read -r args values; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -0 img-tensor $args -o q g.pgm
		# shellcheck disable=SC2154 # run's
		[ "$stderr" = "img-tensor: values from $values: what is beyond \
is clipped" ] || {
			echo "$args: $stderr"
			false
		}
	done <<-'END'
	--for=clip -t u8 -s 255|-1.79 to 2.15, but u8 [1,3,224,224] scale=255 zero_point=0 holds 0 to 1
	--for=clip -t u8 -s 64.75|-1.79 to 2.15, but u8 [1,3,224,224] scale=64.75 zero_point=0 holds 0 to 3.94
	--for=yolo -t u8 -s 260|0 to 1, but u8 [1,3,640,640] scale=260 zero_point=0 holds 0 to 0.981
	--for=yolo -t s8 -s 255 --divisor=1|0 to 255, but s8 [1,3,640,640] scale=255 zero_point=0 holds -0.502 to 0.498
	--for=yolo -t s8 --divisor=1|0 to 255, but s8 [1,3,640,640] scale=1 zero_point=0 holds -128 to 127
	--for=clip -m yolov8n.cix|-1.79 to 2.15, but u8 [1,3,640,640] scale=255 zero_point=0 holds 0 to 1
	--for=imagenet -m clip_visual.cix|-2.12 to 2.64, but s8 [1,3,224,224] scale=64.75 zero_point=12 holds -1.79 to 2.15
	END
	run --separate-stderr -0 img-tensor -q --for=clip -t u8 -s 255 -o q g.pgm
	[ "$stderr" = "" ]
	# Only the note on the shades that remain is printed.
	run --separate-stderr -0 img-tensor --for=clip -t u8 -o q g.pgm
	[ "$stderr" = "img-tensor: u8 without --scale: 256 shades become 5" ]
}

# bats test_tags=slow
@test "values that exceed the type's range by at most one step get no note" {
	gray 1 1 255 >g.pgm
	ln -s "$B"/share/npu-utils/models/{clip_visual,yolov8n}.cix .
	mkcix --in=s8:1x3x8x8:53.6:14 >imagenet.cix
	# 255.08 is the scale of the vendor's yolov8s.
	while read -r args; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -0 img-tensor $args -o q g.pgm
		[ "$stderr" = "" ] || {
			echo "$args: $stderr"
			false
		}
	done <<-'END'
	-m clip_visual.cix --for=clip
	-m clip_visual.cix --for=hub-clip
	-m clip_visual.cix --for=yolo
	-m yolov8n.cix --for=yolo
	-m yolov8n.cix --for=hub-yolo
	-m imagenet.cix --for=imagenet
	--for=yolo -t u8 -s 255.08
	--for=yolo -t s8 -s 255 -z 128
	--for=yolo -t s8 -s 127
	--for=yolo -t u16 -s 65540
	--for=yolo -t u32 -s 4294967295
	--for=clip -t u8 -s 64.75 -z -116
	--for=clip -t f16
	--for=yolo -t f16 --divisor=1e-6
	END
	for m in clip_visual yolov8n imagenet; do
		run --separate-stderr -0 img-tensor -m $m.cix -o q g.pgm
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "img-tensor: $m.cix expects "*"for --for="* ]]
	done
}

@test "--explain -F json is one document" {
	run -1 --separate-stderr img-tensor -m nosuch --explain -F json
	[ "$(jq -c '[.schema, .error.status]' <<<"$output")" = \
	    '["img-tensor/1",1]' ]
	img-tensor --for=imagenet -t u8 -s 50 -z -3 --explain -F json >j
	[ "$(jq -c '[.schema, .for, .guessed, .width, .height, .fit, .shorter,
	    .filter, .order, .layout, .divisor, .mean[1], .std[2], .pad, .type,
	    .scale, .zero_point, .shape]' j)" = '["img-tensor/1","imagenet",'\
'false,224,224,"crop",256,"bilinear","rgb","chw",255,0.456,0.225,'\
'[114,114,114],"u8",50,-3,[1,3,224,224]]' ]
}

# bats test_tags=slow
@test "presets set a recipe, and single options change it" {
	what='[.width, .fit, .shorter, .filter, .order, .divisor, .mean[0]]'
	run -0 told "$what" --for=hub-clip
	[ "$output" = '[224,"stretch",null,"bilinear","rgb",255,0.48145467]' ]
	run -0 told "$what" --for=hub-yolo
	[ "$output" = '[640,"stretch",null,"bilinear","bgr",255,0]' ]
	run -0 told "$what" --for=yolo
	[ "$output" = '[640,"letterbox",null,"bilinear","rgb",255,0]' ]
	for crop in clip openai-clip; do
		run -0 told .shorter --for=$crop
		[ "$output" = 224 ]
	done
	run -0 told "$what" --for=imagenet --size=299
	[ "$output" = '[299,"crop",341,"bilinear","rgb",255,0.485]' ]
	run -0 told "$what" --for=imagenet --shorter=224
	[ "$output" = '[224,"crop",224,"bilinear","rgb",255,0.485]' ]
	run -0 told "$what" --for=imagenet --fit=stretch --order=bgr
	[ "$output" = '[224,"stretch",null,"bilinear","bgr",255,0.485]' ]
	run -0 told .height --for=yolo --size=320x192
	[ "$output" = 192 ]
	run -0 told .for --fit=crop --size=8x4
	[ "$output" = null ]
	run -0 told .shorter --fit=crop --size=8x4
	[ "$output" = null ]
	run -0 img-tensor --fit=crop --size=8x4 --explain
	[[ $output == *"fit      crop: scaled to cover the input, then the \
middle is taken"* ]]
}

# bats test_tags=slow
@test "options that conflict are refused, with advice" {
	mkcix --in=u8:1x3x4x6:255 >m.cix
	mkcix --in=u8:72:255 sound-table-empty >bare.cix
	mkcix --in=u8:1x3x4x6:200 >end.cix
	echo '{"inputs": [{"type": "u4c", "bytes": 96}],
	    "outputs": [{"type": "s8", "bytes": 1}]}' >half.json
	cix-pack -J half.json -o half.cix
	gray 6 4 $(seq 24) >g.pgm
	# Repeating what the model states is allowed, as is adding what it does
	# not state.
	img-tensor -q -m m.cix --size=6x4 --layout=chw g.pgm >want
	run -0 npu-tensor want
	[ "$output" = "1.0  u8 [1,3,4,6] scale=255 zero_point=0" ]
	img-tensor -q -r -m bare.cix --for=yolo --size=6x4 g.pgm >got
	npu-tensor -r want | cmp - got
	while IFS='|' read -r args want; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 img-tensor $args </dev/null
		[ "$output" = "" ]
		# shellcheck disable=SC2154 # run's
		[[ ${stderr_lines[0]} == "img-tensor: $want"* ]] || {
			echo "$args: $stderr"
			false
		}
	done <<-'END'
	--size=4|say what the tensors are for: --model=MODEL, --for=clip,
	--for=clip --size=10x|--size: '10x' is not WIDTHxHEIGHT, nor one number
	--fit=crop|say the size of the tensors with --size=WxH
	--for=resnet|--for: 'resnet' is not clip, yolo, imagenet, hub-clip,
	--for=yolo --fit=pad|--fit: 'pad' is not crop, stretch or letterbox
	--for=yolo --filter=nearest|--filter: 'nearest' is not box, bilinear or
	--for=yolo --order=gbr|--order: 'gbr' is not rgb or bgr
	--for=yolo --layout=nchw|--layout: 'nchw' is not chw or hwc
	--for=yolo --mean=1,2|--mean: '1,2' is not one number, nor three
	--for=yolo --mean=1,2,3,4|--mean: '1,2,3,4' is not one number, nor
	--for=yolo --mean=1,2,3,4,5|--mean: '1,2,3,4,5' is not one number, nor
	--for=yolo -z 3|f32 is never scaled
	-m m.cix -s 2|--model says type, scale and zero point; leave
	-m m.cix -z 2|--model says type, scale and zero point; leave
	-q -m m.cix --size=6x5|--size: m.cix takes u8 [1,3,4,6]
	-q -m m.cix --size=5x4|--size: m.cix takes u8 [1,3,4,6]
	-q -m bare.cix --for=yolo|bare.cix does not state the shape of its
	-q -m bare.cix --for=yolo --size=9|bare.cix does not state the shape of
	-m half.cix|half.cix takes u4c
	-m end.cix|end.cix takes u8 [1,3,4,6] scale=200 zero_point=0, from 0 to
	--for=yolo --stream=ppm --files-from=x|a stream is a file or stdin; leave
	--for=yolo --std=0|--std:
	--for=yolo --pad=256|--pad:
	--for=yolo --pad=1.5|--pad: '1.5' is not whole numbers
	--for=yolo --size=0x4|--size:
	--for=yolo --size=4x|--size:
	--for=yolo --shorter=900|--shorter is for --fit=crop
	--for=yolo -t u7|--type: 'u7' is not one of
	--for=yolo -s 3|f32 is never scaled
	--for=yolo -t s64 -s 1|pixels become elements of 8, 16 or 32 bits
	-m m.cix -t u8|--model says type, scale and zero point; leave
	-q -m m.cix --size=6|--size: m.cix takes u8 [1,3,4,6]
	-q -m m.cix --layout=hwc|--layout: m.cix takes u8 [1,3,4,6]
	--for=yolo -F json|--format: text and json are for --explain
	--for=yolo --explain -F npy|--explain writes text or json
	--for=yolo --explain x.jpg|--explain reads no pictures; leave 'x.jpg'
	--for=yolo --explain -j 2|--explain reads no pictures; leave --jobs out
	--for=yolo -R --explain|--explain reads no pictures; leave --recursive
	--for=yolo --explain -0|--explain reads no pictures; leave --null out
	--for=yolo --explain --files-from=x|--explain reads no pictures; leave
	--for=yolo --explain --stream=ppm|--explain reads no pictures; leave
	--for=yolo --explain --max-pixels=9|--explain reads no pictures; leave
	--for=yolo --explain --on-error=skip|--explain reads no pictures; leave
	--for=yolo --on-error=stop|--on-error: 'stop' is not keep, skip or
	--for=yolo --stream=avi|--stream: 'avi' is not mjpeg or ppm
	--for=yolo --stream=ppm -R|a stream is a file or stdin; leave
	--for=yolo -j 257|--jobs:
	END
}

@test "-v prints each picture's size before and after scaling, -q does not" {
	gray 4 2 1 2 3 4 5 6 7 8 >p.pgm
	gray 1 1 9 >one.pgm
	# A crop scales the shorter side to the size of the input.
	run --separate-stderr -0 img-tensor -v --size=8 --fit=crop -o t \
	    p.pgm one.pgm
	[ "$stderr" = "img-tensor: p.pgm: 4x2 pixels, scaled to 16x8 for 8x8
img-tensor: one.pgm: 1x1 pixels, scaled to 8x8 for 8x8" ]
	run --separate-stderr -0 img-tensor -qv --size=8 --fit=crop -o t \
	    p.pgm
	[ "$stderr" = "" ]
}
