# SPDX-License-Identifier: Apache-2.0
# The drawn pictures, the demo models, and the demo itself (models/).
# bats file_tags=slow

load ../support/helper

MODELS=$B/share/npu-utils/models


draw() { "$B/tools/draw-shapes" "$@"; }
score() { "$B/tools/score" "$@"; }

# vectors WIDTH NUMBER...: prints labelled f32 vectors of WIDTH numbers.
vectors() {
	local width=$1
	shift
	while [ $# -gt 0 ]; do
		perl -e 'print "NPUTENS1", pack("L<2 L<6 f< l< Q< S<2 L<", 11,
		    1, $ARGV[0], 0, 0, 0, 0, 0, 1, 0, 4 * $ARGV[0], 0, 1, 0)' \
		    "$width"
		f32 "${@:1:width}"
		shift "$width"
	done
}

# truth CLASS:HELD_OUT...: prints the beginning of draw-shapes' lines.
truth() {
	for t; do
		echo "{\"class\":${t%:*},\"held_out\":${t#*:},\"picture\":0}"
	done
}

# ---- Drawing ------------------------------------------------------------

@test "the same seed gives the same pictures, another seed gives others" {
	draw -n 3 -S 5 >a
	draw -n 3 -S 5 >b
	draw -n 3 -S 6 >c
	cmp a b
	run -1 cmp -s a c
	[ "$(wc -c <a)" -eq $((3 * (64 + 3 * 224 * 224))) ]
}

@test "a picture does not depend on the pictures before it" {
	draw -n 3 -S 5 -r | tail -c $((3 * 224 * 224)) >a
	draw -i 2 -S 5 -r >b
	cmp a b
}

@test "two splits never share a picture" {
	for split in all train heldout; do
		for i in $(seq 0 14); do
			draw -s $split -S 1 -i "$i" -F ppm | sha256sum
		done
	done >sums
	[ "$(sort -u sums | wc -l)" -eq 45 ]
}

@test "at least a fifth of the 48 combinations is held out" {
	draw --classes -s all >names
	draw --classes -s train >seen
	draw --classes -s heldout >unseen
	[ "$(wc -l <names)" -eq 48 ]
	[ "$(wc -l <unseen)" -ge 10 ]
	[ "$(sort seen unseen)" = "$(sort -u names)" ]
	# Each colour and each shape occurs in training.
	[ "$(cut -d' ' -f1 seen | sort -u | wc -l)" -eq 8 ]
	[ "$(cut -d' ' -f2 seen | sort -u | wc -l)" -eq 6 ]
}

@test "training neither draws nor names a held-out combination" {
	draw --classes -s heldout >unseen
	draw -s train -n 800 -F none -t truth
	jq -r .caption truth | sort -u >drawn
	run -1 grep -qxFf unseen drawn
	[ "$(wc -l <drawn)" -eq 36 ]
	[ "$(jq .held_out truth | sort -u)" = false ]
	for k in $(seq 0 9); do
		[ "$(draw --captions="$k" -s train | wc -l)" -eq 36 ]
	done
	draw --captions=2 -s train >said		# "red ring" alone
	run -1 grep -qxFf unseen said
}

@test "the splits "all" and "heldout" draw what their names promise" {
	draw -s heldout -n 300 -F none -t truth
	[ "$(jq .held_out truth | sort -u)" = true ]
	draw -n 1000 -F none -t truth
	[ "$(jq .class truth | sort -u | wc -l)" -eq 48 ]
	# The truth agrees with the lists for every picture.
	draw --classes >names
	draw --classes -s heldout >unseen
	jq -r '"\(.class) \(.held_out) \(.caption)"' truth | sort -u |
	    while read -r class held name; do
		[ "$(sed -n "$((class + 1))p" names)" = "$name" ]
		if grep -qxF "$name" unseen; then
			[ "$held" = true ]
		else
			[ "$held" = false ]
		fi
	done
}

@test "two caption templates are held out; the script uses the others" {
	[ "$(draw --templates | grep -c ' heldout ')" -eq 2 ]
	[ "$(draw --templates | grep -c ' train ')" -eq 8 ]
	# All ten are different, and each names a colour and a shape.
	[ "$(draw --templates | cut -d' ' -f3- | sort -u | wc -l)" -eq 10 ]
	[ "$(draw --templates | grep red | grep -c circle)" -eq 10 ]
	[ "$(draw --captions=0 | sed -n 7p)" = 'a photo of an orange circle' ]
}

@test "sizes are 10 to 80 percent, and three quarters stay visible" {
	draw -n 1000 -F none -t truth
	jq -e -s '
	    (map(.size) | min) >= 0.0999 and (map(.size) | max) <= 0.8001 and
	    (map(.size) | min) < 0.12 and (map(.size) | max) > 0.78 and
	    (map(.hidden) | max) <= 0.25 and
	    (map(.clutter) | min) >= 3 and
	    # Most pictures, nine of ten, have some overlap.
	    (map(select(.hidden > 0)) | length) > 900 and
	    all(.[]; .box[0] >= 0 and .box[1] >= 0 and .box[2] <= 224 and
	    .box[3] <= 224 and
	    ((([.box[2] - .box[0], .box[3] - .box[1]] | max) / 224) - .size |
	    fabs) < 0.002)' truth
}

@test "the pixel to which the truth points has the colour that it names" {
	draw -n 40 -S 3 -F ppm -t truth >p.ppm
	jq -r '"\(.point[0]) \(.point[1]) \(.noise) \(.rgb | join(" "))"' \
	    truth >points
	perl -e '
	    open(F, "<:raw", "p.ppm"); local $/; $d = <F>;
	    open(P, "<", "points"); @p = split(/\n/, <P>);
	    for $i (0 .. $#p) {
		($x, $y, $noise, @rgb) = split(/ /, $p[$i]);
		next if $x < 0;
		$at = $i * (15 + 3 * 224 * 224);
		die "no PPM" if substr($d, $at, 15) ne "P6\n224 224\n255\n";
		@v = unpack("C3", substr($d, $at + 15 +
		    3 * ($y * 224 + $x), 3));
		for (0 .. 2) {
			die "picture $i: @v is not @rgb +- $noise"
			    if abs($v[$_] - $rgb[$_]) > $noise;
		}
		$n++;
	    }
	    die "only $n points" if $n < 30;'
}

# Source of CLIP's mean and deviation: openai/CLIP, clip.py.
@test "the tensor is the normalised and quantised picture" {
	draw -S 4 -F ppm | tail -c +16 >rgb
	draw -S 4 -r >q
	perl -e '
	    @mean = (0.48145466, 0.4578275, 0.40821073);
	    @dev = (0.26862954, 0.26130258, 0.27577711);
	    open(F, "<:raw", "rgb"); local $/; @v = unpack("C*", <F>);
	    open(F, "<:raw", "q"); @q = unpack("c*", <F>);
	    for $i (0 .. 224 * 224 - 1) {
		for $c (0 .. 2) {
			$x = ($v[3 * $i + $c] / 255 - $mean[$c]) / $dev[$c];
			$x = $x * 64.75 - 12;
			die "pixel $i channel $c: $q[$c * 224 * 224 + $i] ",
			    "for $x" if abs($q[$c * 224 * 224 + $i] - $x) >
			    0.5001;
		}
	    }'
}

@test "the tensor's label fits the input of clip_visual" {
	draw >tensor
	npu-tensor tensor | grep -F 's8 [1,3,224,224] scale=64.75 zero_point=12'
}

@test "draw-shapes refuses invalid arguments" {
	run --separate-stderr -2 draw -n x
	[[ $stderr == "draw-shapes: --count: 'x' is not a whole number"* ]]
	run --separate-stderr -2 draw -c 'red dog'
	[[ $stderr == "draw-shapes: --class: 'red dog' is not a class"* ]]
	run --separate-stderr -2 draw -s test
	run --separate-stderr -2 draw picture
	run --separate-stderr -1 draw -t none/truth
	[[ $stderr == "draw-shapes: none/truth: No such file or directory" ]]
}

# ---- Scoring ------------------------------------------------------------

@test "score prints a table of cosines and marks the nearest" {
	vectors 2 1 0 0 2 >captions
	vectors 2 3 0 3 4 >pictures
	printf 'east\nnorth\n' >columns
	printf 'one\ntwo\n' >rows
	run -0 score -R rows -C columns captions <pictures
	[ "${lines[0]}" = '         east   north ' ]
	[ "${lines[1]}" = 'one     1.000*  0.000 ' ]
	[ "${lines[2]}" = 'two     0.600   0.800*' ]
}

@test "score counts correct pictures and exits with 4 below a goal" {
	vectors 2 1 0 0 1 >captions
	vectors 2 9 1 8 1 1 9 9 1 >pictures	# 0 0 1 0
	truth 0:false 0:false 1:true 1:true >t
	run -0 score -t t captions <pictures
	[[ ${lines[0]} == *' 75.00 % of n = 4' ]]
	[[ ${lines[1]} == *' 50.00 % of n = 2' ]]
	run -0 score -t t -g 75 -H 50 captions <pictures
	run -4 score -t t -g 76 -H 50 captions <pictures
	[[ $output == *'(goal 76 %: MISSED)'*'(goal 50 %: met)'* ]]
	run -4 score -t t -g 75 -H 51 captions <pictures
	# Without held-out pictures nothing was proved, so the goal is not met.
	truth 0:false 0:false 1:false 1:false >t
	run -4 score -t t -H 50 captions <pictures
}

@test "score refuses inputs that do not fit together" {
	vectors 2 1 0 0 1 >captions
	vectors 3 1 0 0 >wide
	run --separate-stderr -1 score captions <wide
	[ "$stderr" = 'score: pictures have 3 numbers, captions 2' ]
	vectors 2 1 0 >whole
	head -c 70 whole >part
	run --separate-stderr -1 score captions <part
	[ "$stderr" = 'score: stdin: the stream ends within vector 0' ]
	run --separate-stderr -1 score captions </dev/null
	[ "$stderr" = 'score: stdin: no vector' ]
	draw >tensor
	run --separate-stderr -1 score captions <tensor
	[[ $stderr == 'score: stdin: not a vector'* ]]
	vectors 2 1 0 >p
	for t in '' "$(truth 2:false)" "$(truth 0:false 0:false)" '{}'; do
		printf '%s' "${t:+$t
}" >t
		run --separate-stderr -1 score -t t captions <p
		[[ $stderr == "score: t: "* ]]
	done
}
# ---- The models ---------------------------------------------------------

@test "the models have the checksums in models.sum" {
	cd "$TOP/models"
	sha256sum -c --quiet models.sum
	grep -q ' clip_txt.onnx$' models.sum
	grep -q ' clip_visual.onnx$' models.sum
}

@test "both models together have at most 1.5 MB" {
	cat "$MODELS/clip_txt.cix" "$MODELS/clip_visual.cix" >both
	[ "$(wc -c <both)" -le 1500000 ]
}

@test "the models have the inputs and outputs of the model hub's CLIP" {
	npu-info --json "$MODELS/clip_txt.cix" "$MODELS/clip_visual.cix" >j
	jq -e '.models[0] | (.inputs | length) == 1 and
	    (.outputs | length) == 1 and
	    (.inputs[0] | .type == "s32" and .shape == [1, 77] and
	    .scale == 1 and .zero_point == 0) and
	    (.outputs[0] | .type == "s8" and .bytes == 512)' j
	jq -e '.models[1] | (.inputs | length) == 1 and
	    (.outputs | length) == 1 and
	    (.inputs[0] | .type == "s8" and .shape == [1, 3, 224, 224] and
	    .scale == 64.75 and .zero_point == 12) and
	    (.outputs[0] | .type == "s8" and .bytes == 512)' j
}

@test "the text encoder accepts any token ids" {
	perl -e 'srand(1); for (1 .. 20) {
	    print pack("l<77", map { int(rand(49408)) } 1 .. 77) }
	    print pack("l<77", (49407) x 77), pack("l<77", (0) x 77);
	    print pack("l<77", (-1) x 77), pack("l<77", (2147483647) x 77)' \
	    >ids
	npu-run -q -d emu clip_txt.cix <ids >q
	npu-dequant --normalise <q | npu-tensor >list
	[ "$(wc -l <list)" -eq 24 ]
}

@test "unimportant words in a caption change its vector only a little" {
	cat >captions <<-'END'
	a red circle
	Well, my grandmother bought a red circle in Paris yesterday!
	a blue star
	END
	clip-tokenize <captions | npu-run -q -d emu clip_txt.cix |
	    npu-dequant --normalise >captions.f32
	cp captions.f32 again
	run -0 score captions.f32 <again
	# Row 2: nearer to caption 1 than to caption 3, apart from the marks.
	read -r _ near _ far <<<"${lines[2]}"
	perl -e 'exit !($ARGV[0] > 0.8 && $ARGV[1] < 0.6)' "$near" "$far"
}

@test "the whole pipeline distinguishes pictures that were not trained" {
	case ${LEG:-native} in
	native) n=400 ;;
	arm64) n=30 ;;
	*) n=100 ;;
	esac
	"$TOP/models/judge/eval.sh" "$B" 77 "$n" 90 80
}

# as_documented PICTURE: fails unless the picture equals man/detected.png, which
# README shows.  x86-64 and arm64 produce the same pixels.  If ONNX Runtime
# rounds differently, an edge can move by a pixel, or a last digit can differ:
# one pixel in 500 may have another colour, which is less than any of the boxes
# with its label.
as_documented() {
	img-tensor -q -r -m yolov8n.cix "$TOP/man/detected.png" >shown
	img-tensor -q -r -m yolov8n.cix "$1" >drawn
	perl -e '
	    $n = 640 * 640;
	    for (@ARGV) {
		open(F, "<:raw", $_); local $/; push @p, scalar <F>;
		die "$_: no picture of 640 by 640" if length($p[-1]) != 3 * $n;
	    }
	    $d = $p[0] ^ $p[1];
	    for $i (0 .. $n - 1) {
		$k++ if substr($d, $i, 1) . substr($d, $n + $i, 1) .
		    substr($d, 2 * $n + $i, 1) ne "\0\0\0";
	    }
	    print $k + 0, " pixels differ\n";
	    exit($k > $n / 500);' shown drawn
}

@test "the demo prints correct captions, detections and attention" {
	"$TOP/models/demo.sh" "$B" '-q -T none' >out
	cat out
	for name in 'red circle' 'green star' 'blue ring' 'yellow cross' \
	    'pink square'; do
		grep -E "^$name +.*[0-9.]+\*" out
	done >table
	# The best match of row k is in column k.
	awk '{ for (i = 3; i <= NF; i++) if ($i ~ /\*$/) print NR, i - 2 }' \
	    table >winners
	[ "$(cat winners)" = "$(printf '%s\n' '1 1' '2 2' '3 3' '4 4' '5 5')" ]
	# clip-classify gives the same result, with the same cosines.
	for name in 'red circle' 'green star' 'blue ring' 'yellow cross' \
	    'pink square'; do
		file=${name/ /-}.ppm
		IFS=$'\t' read -r _ label probability cosine \
		    < <(grep -m 1 "^$file"$'\t' out)
		[ "$label" = "$name" ]
		[ "$probability" = 1 ]
		grep -q "^$name .* $(printf %.3f "$cosine")\*" table
	done
	grep -q 'NPU_MODEL_PATH' out
	# The container that cannot run is repaired with the suggested command.
	grep -x 'attention_int32.xclbin: does not run' out
	grep -x 'attention_int32-fixed.xclbin: runs' out
	grep 'sqnr .*, corr 1, mae ' out
	npu-ref -r attention "$B/demo/qkv" >answer
	npu-tensor -r "$B/demo/answer" | cmp - answer
	# The eight objects of the scene, no other, and a picture with the
	# boxes.
	"$B/tools/draw-scenes" -i 1330 -t truth >scene
	"$B/tools/score-boxes" -t truth -g 100 <"$B/demo/found.json"
	jq -e '.detections | length == 8' "$B/demo/found.json"
	head -c 8 "$B/demo/detected.png" | cmp - <(printf '\211PNG\r\n\032\n')
	as_documented "$B/demo/detected.png"
	jq 'del(.detections[1])' "$B/demo/found.json" >less
	(cd "$B/demo" && yolo-draw -q) <less >less.png
	run -1 as_documented less.png
	grep -F "Open $B/demo/detected.png" out
	# The commands that the demo suggests at its end can be run.
	sed -n 's/^    \(PATH=\|cd \|npu-info clip\|clip-classify .* red\)/\1/p' \
	    out >next
	[ "$(wc -l <next)" -eq 4 ]
	sed -i 's/^clip-classify/& -T none/' next
	NPU_DEVICE=emu sh -e next | grep -F '"label":"a red circle","prob'
}
