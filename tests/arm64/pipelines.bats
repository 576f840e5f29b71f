#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Pipelines of the programs give the same results on arm64 as on x86-64: the
# same output, the same messages and the same files.  The tests cover what the
# processors do differently: whether char is signed, kernels (NEON's, AVX's),
# the conversion of a float that no integer can represent, and the sign of NaN.
# Only floats that ONNX Runtime computed are compared with a tolerance, because
# its kernels round differently on each kind of processor.

load ../support/helper
load ../support/fakehost
load ../support/fakeboard
load ../support/drawn
load ../support/xdnajob

# NATIVE is the tree of this machine, which contains the arm64 tree.
NATIVE=${B%/arm64/run}
OTHERS=${PATH#"$B/bin:$B/tests/tools:"}

# here COMMAND...: runs it with the programs of this machine, to make inputs.
here() {
	PATH=$NATIVE/bin:$NATIVE/tests/tools:$OTHERS "$@"
}

# leg FOLDER TREE SCRIPT: runs the script in this folder with the programs of
# this tree, and leaves the files "out", "err" and "status" there.
leg() {
	local status=0
	mkdir "$1"
	(cd "$1" && PATH=$2/bin:$2/tests/tools:$OTHERS \
	    exec bash -euo pipefail -c "$3") \
	    </dev/null >"$1/out" 2>"$1/err" 3>&- || status=$?
	echo "$status" >"$1/status"
}

# both [STATUS] SCRIPT: runs the script in native/ with the programs of this
# machine, and in arm64/ with the arm64 programs.  Fails unless the script ends
# with STATUS, prints something, leaves no empty file, and leaves the same files
# in both folders.  The inputs are in the parent folder.
both() {
	local want=0
	[[ $1 != [0-9] ]] || { want=$1; shift; }
	rm -rf native arm64
	leg native "$NATIVE" "$1"
	leg arm64 "$B" "$1"
	diff -r native arm64 || {
		diff -a native/err arm64/err | head -n 20
		return 1
	}
	[ "$(cat arm64/status)" = "$want" ] || {
		echo "status $(cat arm64/status):"
		cat arm64/err
		return 1
	}
	[ -z "$(find arm64 -type f -empty ! -name err -print)" ]
}

# words BITS...: prints 32-bit words, given as hexadecimal numbers.
words() {
	perl -e 'print pack("L<*", map hex, @ARGV)' -- "$@"
}

# noise SEED BYTES: prints random bytes, which are the same each time.
noise() {
	perl -e 'my ($x, $n) = @ARGV;
	    for (1 .. $n) {
		$x = ($x * 1103515245 + 12345) & 0x7fffffff;
		print chr($x >> 16 & 255);
	    }' "$@"
}

# vectors SEED WIDTH NUMBER: prints raw floats between -1 and 1.
vectors() {
	noise "$1" $(($2 * $3 * 4)) |
	    perl -e 'local $/; print pack("f<*",
	    map { $_ / 2147483648 } unpack("l<*", <STDIN>))'
}

setup_file() {
	export NPU_DEVICE=emu
}

setup() {
	[ "$LEG" = arm64 ]
}

# ---- The two trees ---------------------------------------------------------

@test "programs are for arm64 and x86-64, and each is used in a test" {
	for f in "$B"/bin/*; do
		name=${f##*/}
		# e_machine of ELF: 183 is AArch64, 62 x86-64.
		[ "$(od -An -j18 -N2 -tu2 "$NATIVE/arm64/bin/$name")" -eq 183 ]
		[ "$(od -An -j18 -N2 -tu2 "$NATIVE/bin/$name")" -eq 62 ]
		grep -qF "/qemu-aarch64 " "$f"
		grep -qF " $NATIVE/arm64/bin/$name " "$f"
		# The name must be in a line of a script, not in a comment.
		grep -q "^	[^#]*\b$name " "$BATS_TEST_FILENAME" ||
			echo "$name"
	done >missing
	cat missing
	[ ! -s missing ]
	[ "$(ls "$B/bin")" = "$(ls "$NATIVE/bin")" ]
}

# ---- Pictures --------------------------------------------------------------

@test "img-tensor gives the same bytes on arm64 for 100 kinds of pictures" {
	mkdir pics
	here mkpic pics
	here mkpic --list | grep -v ^big >kinds
	sed -n 's/	sound$//p' kinds | sed 's,^,../pics/,' >sound
	sed '/	sound$/d; s/	.*//' kinds | sed 's,^,../pics/,' >damaged
	[ "$(wc -l <sound)" -ge 100 ]
	[ "$(wc -l <damaged)" -ge 60 ]
	# Enlarged, reduced, wide, cropped, with borders; all types that a model
	# has.
	both '
	all="-q -r --files-from=../sound"
	img-tensor $all --for=clip --size=37 -o clip
	img-tensor $all --for=clip --size=19 -t s8 -s 64.75 -z 12 -o clip.s8
	img-tensor $all --for=hub-clip --size=41 -t f16 -o hub-clip
	img-tensor $all --for=yolo --size=33x20 -t u8 -s 255 -o yolo.u8
	img-tensor $all --for=yolo --size=20x33 -t bf16 --layout=hwc -o yolo
	img-tensor $all --for=hub-yolo --size=32 -t s16 -s 3000 -o hub-yolo
	img-tensor $all --for=imagenet --size=30x40 -t u16 -s 9000 -z -30000 \
	    -j 2 -o imagenet
	img-tensor $all --size=5x9 --fit=stretch --filter=box -t s32 -s 1e9 -o box
	img-tensor $all --size=99x3 --fit=stretch --filter=bilinear -o wide
	img-tensor $all --fast --for=yolo --size=2 -o small
	ls'
	cat damaged sound >all
	both 1 '
	img-tensor -r --for=openai-clip --size=23 --on-error=skip \
	    --files-from=../all'
	[ "$(wc -l <arm64/err)" -ge 60 ]
	# Rows with a prime number of pixels, of every shade; and streams.
	"$NATIVE/tools/draw-scenes" -F ppm >scene.ppm
	{
		printf 'P6\n1009 57\n255\n'
		noise 3 $((3 * 1009 * 57))
	} >noise.ppm
	{
		printf 'P5\n523 211\n65535\n'
		noise 4 $((2 * 523 * 211))
	} >gray.pgm
	{
		cat scene.ppm noise.ppm
		printf 'P6\n3 5\n255\n'
		noise 5 45
	} >film
	both '
	img-tensor --for=clip ../noise.ppm ../gray.pgm ../scene.ppm -F npy -o a.npy
	img-tensor --for=yolo ../noise.ppm -t u8 -s 255 -o b
	img-tensor --size=1009x57 --fit=stretch -t u8 -s 255 ../noise.ppm -o same
	img-tensor --size=500x900 --fit=crop --filter=bilinear --order=bgr \
	    --layout=hwc -t f16 ../gray.pgm ../noise.ppm -o c
	img-tensor --stream=ppm --for=clip --size=101 -j 2 ../film |
	    tee film | npu-tensor -F jsonl
	img-tensor --for=clip --explain -F json'
}

# ---- Texts -----------------------------------------------------------------

@test "clip-tokenize gives the same ids and texts on arm64 for any bytes" {
	jq -j '(.bytes_b64 // (.text | @base64)) + "\n"' \
	    "$TOP/tests/data/clip-clean.jsonl" |
	    perl -MMIME::Base64 -ne 'print decode_base64($_), "\0"' >texts
	jq -j '.text + "\u0000"' "$TOP/tests/data/clip-text.jsonl" >>texts
	# Every byte; then those from 0x80 on, before and after other bytes.
	perl -e 'print map(chr, 1 .. 255), "\0";
	    for my $a (0x80 .. 0xff) {
		print chr($a), chr, "x", chr, chr($a), " " for 0x7e .. 0xc2;
		print "\0";
	    }' >>texts
	both '
	all="-0 -q --truncate ../texts"
	clip-tokenize $all -o rows
	clip-tokenize $all -F jsonl -j 2 -o lines
	clip-tokenize $all --special=text -F tokens -o tokens
	clip-tokenize -0 --show-clean ../texts >clean
	clip-tokenize -0 --length=4000 -F ids ../texts >ids
	tr "\n" "\0" <ids | clip-tokenize -0 -D >back
	ls'
	both 1 'clip-tokenize -0 --invalid=error --lengths ../texts'
	[ -s arm64/err ]
}

# ---- References ------------------------------------------------------------

@test "img-tensor and clip-tokenize give the golden bytes and ids on arm64" {
	need_data golden/index.json
	# Left out: basn0g16, whose 16-bit gray Pillow saturates to white.
	jq -r '.items[] | select(.key | endswith("basn0g16") | not) |
	    [.image, .clip_upright_u8, .letterbox_pil_u8,
	    .clip_openai_f32_sha256] | join(" ")' "$DATA" >items
	[ "$(wc -l <items)" -eq 11 ]
	cut -d' ' -f1 items | sed "s,^,$NPU_TEST_DATA/," >names
	both '
	all="-r --files-from=../names"
	bytes="-t u8 -s 255 --layout=hwc"
	img-tensor $all --for=clip --mean=0 --std=1 $bytes >clip
	img-tensor $all --for=yolo $bytes >letterbox
	img-tensor $all --for=openai-clip >floats
	ls'
	for f in clip letterbox floats; do
		perl -MDigest::SHA=sha256_hex -e 'local $/; my $d = <STDIN>;
		    my $n = length($d) / 11;
		    print sha256_hex(substr($d, $_ * $n, $n)), "\n"
			for 0 .. 10' <arm64/$f >$f.sums
	done
	paste -d' ' clip.sums letterbox.sums floats.sums |
	    diff - <(cut -d' ' -f2- items)
	need_data clip-tokens-dev.jsonl
	jq -c 'select((.text // "\u0000") | explode | index(0) | not)' \
	    "$DATA" >some
	[ "$(wc -l <some)" -ge 200 ]
	jq -j '.text + "\u0000"' some >texts
	both '
	clip-tokenize -0 -r --truncate -q ../texts | od -An -v -t d4 -w308 |
	    tr -s " " | sed "s/^ //"'
	jq -r '.t77 | join(" ")' some | diff - arm64/out
}

# ---- Numbers ---------------------------------------------------------------

# edges: prints raw floats for which a conversion can go wrong; their number is
# odd.
edges() {
	# NaNs, infinities, zeros, subnormals.
	words 7fc00000 ffc00000 7f800001 ffffffff 7f800000 ff800000 0 80000000 \
	    1 80000001 7fffff 807fffff 800000 80800000 7f7fffff ff7fffff
	# Around 2^31, 2^32, 2^63, 2^64 and their negatives; 2^53.
	words 4effffff 4f000000 4f000001 cf000000 cf000001 4f7fffff 4f800000 \
	    5effffff 5f000000 5f000001 df000000 df000001 5f7fffff 5f800000 \
	    5a000000
	# f16: the largest number and beyond, half of the smallest number, ties,
	# subnormals.
	words 477fe000 477fefff 477ff000 c77ff000 33000000 33000001 b3000001 \
	    33800000 33c00000 387fc000 387fe000 387ff000 3f801000 3f803000
	# bf16: ties, and numbers up to infinity.
	words 3f808000 3f818000 3f808001 7f7f7fff 7f7f8000
	# Halves, and numbers at the limits of the types of 4 to 16 bits.
	perl -e 'print pack("f<*", map { $_ + 0.5 } -40 .. 40);
	    for my $bits (4, 7, 8, 11, 12, 15, 16) {
		print pack("f<*", map { ($_, -$_) }
		    map { 2 ** $bits + $_ } -1.5, -1, -0.5, 0, 0.5);
	    }'
	vectors 6 1 600
}

@test "npu-quant and npu-dequant give the same bytes on arm64 for each type" {
	{ edges; noise 7 4000; } >x
	noise 8 6008 >q
	cat >types <<-'END'
	bool
	u4 -s 3 -z -2
	s4 -s 3 -z 2
	u8 -s 27.673828 -z 60
	s8 -s 27.673828 -z 60
	u12 -s 255 -z -100
	s12 -s 255 -z 100
	u16 -s 0.00392157 -z -128
	s16 -s 64.75 -z 12
	u32
	s32
	s32 -s 3e9 -z 2147483647
	u64
	s64
	s64 -s 1e-3 -z -2147483648
	f16
	bf16
	f32
	f64
	END
	both '
	while read -r t as; do
		npu-quant -t $t $as --nan=zero ../x >"$t $as"
		npu-dequant "$t $as" >"$t $as.x"
		case $t in
		bool | ?4 | ?12) ;;	# not all bytes are numbers of these
		*) npu-dequant -t $t $as -r ../q >"$t $as.q" ;;
		esac
	done <../types
	ls'
	# Values outside the range of a type were counted.
	grep -q clipped arm64/err
	grep -q NaN arm64/err
}

@test "halves, norms and differences are equal on arm64 to the last digit" {
	perl -e 'print pack("S<*", 0 .. 65535)' >halves
	edges >x
	perl -e 'print pack("d<*", 1e300, -1e300, 2 ** 63, 1e-300, 0.1, 1 / 3,
	    -2 ** 31 - 0.5, 9007199254740993, 3.4028236e38, 65519.99)' >doubles
	both '
	for t in f16 bf16; do
		npu-dequant -t $t -r ../halves >$t
		npu-quant -t $t --nan=zero -r $t >$t.back
		npu-dequant -t $t --shape=256,256 -F npy ../halves >$t.npy
	done
	npu-dequant -t f16 -F text ../halves >f16.text
	npu-dequant -t f32 -F jsonl ../x >x.jsonl
	npu-dequant -t f32 -F text ../x >x.text
	npu-tensor -a -t f64 ../doubles | tee doubles | npu-dequant -F text
	npu-quant -t s32 doubles >doubles.s32
	npu-quant -t f16 doubles >doubles.f16
	npu-tensor -a -t f64 -F npy ../doubles | npu-quant -t s64 -r >doubles.s64'
	# Each f16 except NaN is converted back to itself.
	perl -e '
	    my @in = unpack("S<*", `cat halves`);
	    my @out = unpack("S<*", `cat arm64/f16.back`);
	    for (0 .. 65535) {
		my $nan = ($in[$_] & 0x7fff) > 0x7c00;
		die "$in[$_] is $out[$_]" if $out[$_] != ($nan ? 0 : $in[$_]);
	    }'
	# Norms, differences and tolerances.
	vectors 9 33 61 >v
	{ head -c 4000 v; vectors 10 1 1013; } >w
	both 4 '
	npu-tensor -a -t f32 --shape=61,33 ../v >v
	npu-tensor -a -t f32 --shape=61,33 ../w >w
	npu-dequant --norm=l2 v >l2
	npu-dequant --norm=all -F npy v >all.npy
	npu-quant -t s8 -s 100 v | npu-dequant --norm=l2 -F text --stats
	npu-quant -t s8 -s 100 v | npu-dequant --diff=v
	npu-dequant --diff=w -F jsonl v
	npu-dequant --diff=w \
	    --tol=max:0.01,rms:0.1,cos:0.999,sqnr:40,corr:0.999,mae:0.1 v'
}

@test "each kernel of npu-ref gives the same bits on arm64, also for NaN" {
	# Rows of random bits, and rows of numbers.
	noise 11 24576 >any
	vectors 12 512 24 | here npu-tensor -a -t f32 --shape=24,512 |
	    here npu-quant -t bf16 -r >numbers
	both '
	for k in layernorm layernorm-exact; do
		npu-ref $k ../any >$k.any
		npu-ref --row=4 -r $k ../any >$k.short
		npu-ref $k ../numbers >$k.numbers
	done
	for k in attention attention-exact attention-guide attention-lut8 \
	    attention-shift4 attention-int8; do
		npu-ref $k ../any ../numbers >$k
	done
	ls'
	[ "$(wc -c <arm64/attention)" -eq $((4 * (64 + 4096))) ]
}

# The mean of both infinities is NaN, whose sign depends on the processor.
@test "--stats of npu-quant, npu-dequant is the same on arm64 for infinity" {
	words 7f800000 ff800000 3f800000 >x
	both '
	npu-dequant -t f32 --stats -F text ../x
	npu-quant -t s8 --stats ../x'
}

@test "npu-tensor writes and reads equal npy, npz, safetensors on arm64" {
	"$TOP/tests/tools/archives.py"
	noise 11 2310 >q
	both '
	npu-tensor -a -t s16 --shape=3,5,7 -s 12.5 -z -9 ../q >label
	npu-tensor label -F jsonl
	npu-tensor -v -F npy label >a.npy
	npu-tensor -a a.npy >again
	npu-tensor -f 1 -F label label >one
	npu-tensor -F npz --tensor-names="caf$(printf "\303\251")" -o a.npz one
	npu-tensor -F safetensors --tensor-names="$(printf "\303\251")" -o a.st one
	npu-tensor -F jsonl a.npz a.st
	npu-tensor --layout=hwc --swap label >hwc
	npu-tensor --zip label hwc | npu-tensor --tensor=1 -r >r
	npu-tensor -F jsonl ../npz* ../safetensors* | sed -n 1,40p
	npu-tensor -r ../npz-deflated ../safetensors >archives
	for f in ../bad/npz-size-* ../bad/st-[2dhs]*; do
		npu-tensor -F label "$f" || echo $?
	done >bad'
}

# ---- Vectors ---------------------------------------------------------------

@test "vec-nearest and vec-drift give equal numbers on arm64 for each width" {
	# Widths near the lengths of registers; vectors with a length far from
	# 1.
	for w in 1 7 16 33 512; do
		vectors $w $w 150 |
		    here npu-tensor -a -t f32 --shape=150,$w -F npy >base.$w
		vectors 77 $w 10 | perl -e 'local $/; print pack("f<*",
		    map { $_ * 1e15 } unpack("f<*", <STDIN>))' |
		    here npu-tensor -a -t f32 --shape=10,$w >query.$w
	done
	both '
	for w in 1 7 16 33 512; do
		vec-nearest ../base.$w ../query.$w >near.$w
		vec-nearest --matrix -F npy ../base.$w ../query.$w >$w.npy
	done
	vec-nearest -n 3 -F jsonl --min-score=0.01 ../base.33 <../query.33'
	# Lines, with names in UTF-8 and numbers in all notations.
	perl -e '$x = 1; for my $i (1 .. 120) {
	    print qq({"id":"\303\244\342\202\254\360\237\214\215 $i",);
	    print qq("vector":[);
	    print join(",", map { $x = $x * 69069 + 1 & 0xffffffff;
		($x >> 7) % 3 == 0 ? sprintf("%.9g", $x / 2 ** 32 - 0.5) :
		($x >> 7) % 3 == 1 ? sprintf("%de-%d", $x >> 8, $x % 30) :
		sprintf("%.17g", 1 / ($x + 1)) } 1 .. 12), "]}\n" }' >lines
	sed -n '5p;70p' lines >two
	both '
	vec-nearest -n 4 ../lines ../two
	vec-nearest -F json --plus=../two --minus=../two ../lines ../two
	vec-nearest --id="$(printf "\303\244\342\202\254\360\237\214\215 9")" \
	    ../lines
	vec-drift --warmup=5 --window=7 --mads=2 --floor=0 --state=state ../lines |
	    sed "s/\"time\":\"[^\"]*\",//"
	vec-drift --warmup=5 --window=7 --below=0.9 --state=state ../two |
	    sed "s/\"time\":\"[^\"]*\",//"'
	grep -q '"alarm":"' arm64/out
}

# ---- The emulator ----------------------------------------------------------

@test "cix-pack, npu-info, npu-run give the same bytes on arm64 for each type" {
	# Floats of the twin that are NaN or too large become integers of the
	# model: a quotient, and the model's inputs themselves.
	edges | head -c 3200 >x
	both '
	f=f32:1x100
	mkonnx Div $f $f : $f $f $f $f $f $f $f $f >out.onnx
	cix-pack -I a:f32:100 -I b:f32:100 -O o0:f16:100 -O o1:s8:100:31.5:-7 \
	    -O o2:u8:100:31.5:-7 -O o3:s16:100:1e-4 -O o4:u16:100:3:9 \
	    -O o5:s32:100 -O o6:u32:100:1e3 -O o7:f32:100 -o out.cix out.onnx
	npu-run -q -T none ./out.cix ../x | tee out | npu-dequant -F text
	f=f32:1x8
	mkonnx Sum $f $f $f $f $f $f $f : $f $f $f $f $f $f $f >in.onnx
	cix-pack -I i0:s8:8:31.5:-7 -I i1:u8:8:31.5:-7 -I i2:s16:8:1e-4 \
	    -I i3:u16:8:3:9 -I i4:s32:8 -I i5:u32:8:1e3 -I i6:f32:8 \
	    -O sum:f32:8 -O o1:f32:8 -O o2:f32:8 -O o3:f32:8 -O o4:f32:8 \
	    -O o5:f32:8 -O o6:f16:8 -o in.cix in.onnx
	npu-run -q -T none --float --fill=random:3 ./in.cix | tee in | npu-tensor
	npu-info --json *.cix
	npu-info -F csv in.cix
	npu-info -d emu | grep -v ^library'
	# Models that are odd or damaged.
	mkdir m
	here mkcix --all=m
	both 1 '
	npu-info -q -F tsv ../m/*.cix >tsv || [ $? -eq 1 ]
	npu-info --json ../m/*.cix'
	[ "$(wc -l <arm64/err)" -ge 100 ]
}

# A text's vector is its ids, a picture's vector is its pixels: no kernel of
# ONNX Runtime computes anything.
@test "clip-embed, clip-classify, vec-index give the same bytes on arm64" {
	printf 'a dog\nun caf\303\251\n\377\200 x\n' >texts
	here mkpic p6.ppm >a.ppm
	here mkpic rgb16.png >"$(printf 'caf\303\251.png')"
	here mkpic progressive.jpg >c.jpg
	both '
	mkonnx Identity f32:1x12 : f32:1x12 >ids.onnx
	cix-pack -o ids.cix -I text:s32:1x12 -O v:f32:1x12 ids.onnx
	mkonnx Identity f32:1x3x2x2 : f32:1x3x2x2 >dots.onnx
	cix-pack -o dots.cix -I image:f32:1x3x2x2 -O v:f32:1x3x2x2 dots.onnx
	clip-embed -q -T none -m ./ids.cix --lines -F jsonl --norm=none ../texts
	clip-embed -q -T none -m ./dots.cix --index=ix ../*.ppm ../*.png ../*.jpg
	clip-classify -q -T none --text-model=./ids.cix --image-model=./dots.cix \
	    -n 0 -F json -l dog -l "$(printf "\303\266l")" ../*.png
	vec-index -F jsonl ix
	vec-index --export=csv ix
	vec-index --export=npy -o ix.npy ix
	vec-nearest --matrix ix ix.npy
	vec-index --check ix
	cp ix copy
	vec-index -q --compact copy'
}

# The results of the kernels of x86-64 and arm64 differ by 0.00003 steps of the
# models' s8 output.  No number here is within 0.0002 of a half, therefore all
# are rounded to the same value.
# bats test_tags=slow
@test "the demo models' vectors are the same in a pipeline on arm64" {
	for name in 'red circle' 'green star' 'pink square'; do
		"$NATIVE/tools/draw-shapes" -S 11 -c "$name" -F ppm \
		    >"${name/ /-}.ppm"
	done
	printf 'a photo of a %s\n' 'red circle' 'green star' 'blue ring' >captions
	both '
	clip-embed -q -T none --index=drawings ../*.ppm
	clip-tokenize ../captions | npu-run -q -T none clip_txt.cix >q
	npu-dequant --norm=l2 q >captions
	vec-nearest -n 3 drawings captions'
	# For the first two captions, the nearest picture shows what the caption
	# names.
	awk -F '\t' '$2 == 1 { print $4 }' arm64/out | head -n 2 | sed 's,.*/,,' |
	    diff - <(printf '%s\n' red-circle.ppm green-star.ppm)
}

@test "xclbin-info gives equal bytes on arm64 for sound, odd, damaged files" {
	mkdir m
	here mkaxlf m
	rm m/crowd m/pairs
	both 1 '
	for n in sound two twice; do
		xclbin-info --json ../m/$n >$n.json
		mkdir $n
		xclbin-info -x AIE_PARTITION:JSON:$n/p -x MEM_TOPOLOGY:JSON:$n/m \
		    -x IP_LAYOUT:JSON:$n/i -x CONNECTIVITY:JSON:$n/c \
		    -x KEYVALUE_METADATA:JSON:$n/k -x EMBEDDED_METADATA:RAW:$n/x \
		    ../m/$n
	done
	xclbin-info ../m/*'
	[ "$(wc -l <arm64/err)" -ge 12 ]
}

@test "a container is packed, checked and run on arm64 as on x86-64" {
	noise 13 12288 >in
	export -f xdna_container xdna_stream
	both '
	export SOURCE_DATE_EPOCH=1800000000
	xdna_container job
	xclbin-pack -q -i job.xclbin --key-value USER:a:b -o more.xclbin
	xdna_stream 3072 >job.txt
	xclbin-check --machine=none --json --insts=job.txt job.xclbin
	xclbin-check --diagnose="load_axlf: Operation not supported"
	xdna-run --dry-run job.xclbin job.txt
	for t in copy layernorm; do
		xdna-run -q -d emu --twin=$t job.xclbin job.txt <../in >$t
	done'
}

@test "cix-lint gives the same findings, model and configuration on arm64" {
	mkonnx Relu f32:Nx3x8x8 : f32:Nx3x8x8 >open.onnx
	both '
	cix-lint -q --fix-shape=N=1 -o fixed.onnx ../open.onnx
	cix-lint --write-cfg fixed.onnx >build.cfg
	cix-lint build.cfg || echo "status $?"
	sed "s/^target = .*/target = Z3/; s/8$/9/" build.cfg >bad.cfg
	cix-lint -F json bad.cfg ../open.onnx || echo "status $?"
	echo "KeyError: model_name" | cix-lint --diagnose=- || echo "status $?"'
}

# ---- Detectors -------------------------------------------------------------

@test "yolo-decode, yolo-draw, yolo-detect give the same results on arm64" {
	# 84 rows for 525 boxes: their centres and sides, and 80 scores, of
	# which a few are high, and some are equal.
	perl -e 'my $x = 1; sub r { $x = ($x * 1103515245 + 12345) & 0x7fffffff;
	    ($x >> 8) / 2 ** 23 }
	    print pack("f<*", map { 160 * r() } 1 .. 1050),
		pack("f<*", map { 2 + 60 * r() } 1 .. 1050),
		pack("f<*", map { my $s = r() ** 40;
		    $s > 0.6 ? int(8 * $s) / 8 : $s } 1 .. 80 * 525)' |
	    here npu-tensor -a -t f32 --shape=1,84,525 >f32
	for t in f16 bf16; do here npu-quant -t $t f32 >$t; done
	for t in s8 u8 s16 u16; do here npu-quant -q -t $t -s 1.5 f32 >$t; done
	both '
	all="--size=160 --image-size=1921x1083"
	for t in f32 f16 bf16 s8 u8 s16 u16; do
		yolo-decode $all ../$t >$t
	done
	for f in tsv csv json coco; do
		yolo-decode $all -F $f --iou=0.3 ../f16
	done
	npu-tensor -r ../s16 | yolo-decode $all -t s16 --shape=84,525 -s 1.5 -F tsv
	yolo-decode $all -n 0 --no-nms --fit=stretch -F tsv ../bf16 >all'
	[ "$(wc -l <arm64/all)" -ge 400 ]
	# Pictures with boxes.
	"$NATIVE/tools/draw-scenes" -F ppm >scene.ppm
	record ../scene.ppm 640 640 bus 5 0.9292 65.19,470.84,129.06,514.16 \
	    "$(printf 'caf\303\251 \360\237\214\215')" 8 0.9 -3,10.5,333.3,1e9 \
	    dog 16 0.25 300.5,20,301.49,21.51 >r.json
	both '
	for f in ppm png jpeg; do
		yolo-draw -F $f -o scene.$f <../r.json
	done
	yolo-draw --fill=30 --line=3 --text-size=2 --quality=71 -F jpeg \
	    --detections=../r.json | tee thick.jpeg | img-tensor --for=yolo \
	    -t u8 -s 255 -F npy -o thick.npy
	ls'
	# A model that returns its input: the picture has three planes of 8 x 8,
	# the output 6 rows of 32 boxes (tests/cmd/yolo-detect.bats).
	name=$(printf 'caf\303\251.ppm')
	perl -e 'my @v = ([51, 51, 51, 51, 204, 51], [102, 51, 51, 102, 51, 255],
	    [128, 130, 201, 203, 180, 129]);
	    my @row = map { my $k = $_;
		[map { $_ < 3 ? $v[$_][$k] : 0 } 0 .. 31] } 0 .. 5;
	    print "P6\n8 8\n255\n";
	    for my $p (0 .. 63) {
		print pack("C3", map { $row[2 * $_ + ($p >= 32)][$p % 32] }
		    0 .. 2);
	    }' >"$name"
	both '
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 toy.onnx
	yolo-detect -q -T none -m ./toy.cix -F json --draw=drawn --crop=cut \
	    -c 0.1 ../caf*.ppm'
	[ -n "$(ls arm64/drawn)" ]
	[ -n "$(ls arm64/cut)" ]
}

# ONNX Runtime computes the floats of an answer.  These may differ in the last
# bits, a box by less than a pixel, and a confidence in its last digit.
# bats test_tags=slow
@test "the demo detector finds the same on arm64, and draws it equally" {
	"$NATIVE/tools/draw-scenes" -i 1330 -F ppm >scene.ppm
	both '
	img-tensor -q -m yolov8n.cix ../scene.ppm | tee in | npu-tensor'
	mv arm64/in in
	leg x86 "$NATIVE" 'npu-run -q -T none yolov8n.cix ../in'
	leg arm "$B" 'npu-run -q -T none yolov8n.cix ../in'
	# Four of the 84 rows are in pixels, up to 640, in f16 with steps of
	# 1/2.
	here npu-dequant --diff=x86/out --tol=max:1,rms:0.005,cos:0.999999 \
	    arm/out
	both '
	for answer in x86 arm; do
		yolo-decode -q -m yolov8n.cix --image=../scene.ppm \
		    ../$answer/out | tee $answer
	done
	yolo-draw -o boxes.png <arm'
	jq -e -s '(.[0].detections | length) == 8 and
	    ([.[].detections | map(.class)] | .[0] == .[1]) and
	    ([.[].detections | map(.box + [.confidence * 500]) | flatten] |
	    transpose | all(.[0] - .[1] | fabs <= 1))' arm64/out
}

# ---- A server --------------------------------------------------------------

@test "npu-serve gives the same vectors on arm64" {
	here mkpic 420.jpg >a.jpg
	# On arm64, the model file differs, and therefore its fingerprint.
	both '
	npu-serve -q -T none --time-wait=none --listen=127.0.0.1:0 \
	    -m detect= >url &
	server=$!
	until [ -s url ]; do sleep 0.1; done
	url=$(cat url)
	rm url
	curl -sS "$url/v1/models" | jq -c "[.data[].id]"
	for form in float base64; do
		curl -sS "$url/v1/embeddings" -d "{\"model\":\"clip\",
		    \"input\":[\"a photo of a bus\",\"a red star\"],
		    \"encoding_format\":\"$form\"}" | jq -c .data
	done
	visual="{\"clip\":{\"visual\":{\"modelName\":\"clip\"}}}"
	curl -sS -F "entries=$visual" -F "image=@../a.jpg" "$url/predict"
	curl -sS "$url/embed" -d "{\"inputs\":\"\"}"
	kill $server
	wait $server'
}

@test "npu-zmq gives the same rows on arm64" {
	here mkpic 420.jpg >a.jpg
	here img-tensor -q -r --for=yolo --size=640 -t u8 -s 255 -o frame a.jpg
	cp "$NATIVE/tests/tools/zmqclient" .
	both '
	npu-zmq -q -T none --time-wait=none -c 0.01 \
	    --endpoint=tcp://127.0.0.1:0 >url &
	server=$!
	until [ -s url ]; do sleep 0.1; done
	url=$(cat url)
	rm url
	shape="{\"shape\":[1,3,640,640],\"dtype\":\"uint8\"}"
	../zmqclient -t 600000 -o ../rows.${PWD##*/} "$url" "$shape" @../frame
	../zmqclient "$url" "${shape/640/320}" @../frame
	../zmqclient "$url" "{\"model_data\":true}"
	npu-zmq --health=ready --json --endpoint="$url" | jq -c "[.frames,
	    .failed]"
	kill $server
	wait $server'
	perl -e 'my ($a, $b) = map { local $/; open my $f, "<", $_ or die;
	    [unpack "f<*", <$f>] } @ARGV;
	    @$a == 120 && @$b == 120 or die;
	    abs($$a[$_] - $$b[$_]) < 0.01 or die "$_" for 0 .. 119;
	    $$a[1] > 0 or die' rows.native rows.arm64
}

# ---- Machines and reports --------------------------------------------------

@test "npu-model gives the same lists and verdicts on arm64" {
	[ -x "$NATIVE/bin/npu-model" ] || skip "built without libcurl"
	cp "$NATIVE/share/npu-utils/models/clip_txt.cix" a.cix
	head -c 999 a.cix >cut.cix
	sha256sum a.cix >a.cix.sha256
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12\n' \
	    7 >yolov8n.cix
	both '
	export NPU_DEVICE=emu NPU_MODEL_PATH=${PWD%/*}
	npu-model list
	cd ..
	npu-model list --json yolo | jq -c ".models[] | [.name, .here]"
	npu-model path arcface || echo "status $?"
	npu-model verify --json a.cix cut.cix yolov8n.cix || echo "status $?"'
}

@test "npu-model fetches and checks the same file on arm64" {
	[ -x "$NATIVE/bin/npu-model" ] || skip "built without libcurl"
	mkdir hub
	cp "$NATIVE/share/npu-utils/models/clip_txt.cix" hub/a.cix
	both '
	get() { npu-model get -o models "$@" "file://${PWD%/*}/hub/a.cix" 2>&1; }
	NPU_DEVICE=emu
	export NPU_DEVICE
	get || echo "status $?"
	get --trust
	get --sha256="$(printf %064d 7)" --force || echo "status $?"
	npu-model verify models
	jq ".files[] | del(.date, .modified_ns)" models/.npu-model.json >record
	NPU_MODEL_PATH=models npu-model prune
	rm -r models'
}

@test "host-status, npu-top, npu-info, npu-bench report the same on arm64" {
	fake_host m
	fake_zone m 1 "$(printf 'caf\303\251')" -12345
	fake_zone m 2 "$(printf '\377\200x')" 2147483647
	fake_board b 6.2.0
	fake_answer b 0x8004410a "$(u32 1)"
	fake_answer b 0xc00c4118 "$(u32 0 0 5)"
	fake_answer b 0x80804119 "$(u32 71 0 70 71)$(zeros 112)"
	fake_process b 70 npu-run /dev/null /dev/aipu
	fake_board c 5.11.0
	both '
	host="host-status --root=../m --sample=none --disks=none"
	$host
	$host --levels --most=1
	host-status --root=../m --sample=none --disks=none -F jsonl |
	    sed "s/\"time\":\"[^\"]*\",//"
	npu-top --root=../b -n 1 -i 300ms | jq -c "[.driver_version, .status,
	    .busy, .mhz, .power_status, .cores, .threads, .holders, .hidden]"
	npu-top --root=../b --during sh -c "sleep .3; exit 7" 2>&1 |
	    sed "s/of [0-9.]* s (.*)/of S s/" || echo "status $?"
	for board in b c; do
		npu-info --json --root=../$board
		npu-info --plain --root=../$board
		npu-info --doctor --root=../$board
		npu-info --report --root=../$board | sed 1d
	done'
	# The reports of npu-bench, with the statistics of simulated runs.
	both '
	for c in ramp nan hostile sweep queries late sides; do
		mkbench $c json
		mkbench $c all
	done
	mkbench ramp csv
	npu-bench --help'
}
