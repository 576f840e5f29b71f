# SPDX-License-Identifier: Apache-2.0
# The scenes of the demo detector, the scoring of its results, and the detector
# itself (models/).
# bats file_tags=slow

load ../support/helper

MODELS=$B/share/npu-utils/models

draw() { "$B/tools/draw-scenes" "$@"; }
score() { "$B/tools/score-boxes" "$@"; }

# ---- Drawing ------------------------------------------------------------

@test "draw-scenes draws the same scenes for a seed, others for another seed" {
	draw -n 2 -S 5 >a
	draw -n 2 -S 5 >b
	draw -n 2 -S 6 >c
	cmp a b
	run -1 cmp -s a c
	[ "$(wc -c <a)" -eq $((2 * (64 + 3 * 640 * 640))) ]
}

@test "a scene does not depend on the scenes before it" {
	draw -n 3 -S 5 -r | tail -c $((3 * 640 * 640)) >a
	draw -i 2 -S 5 -r >b
	cmp a b
}

@test "training and evaluation have no scene in common" {
	for split in test train; do
		for i in $(seq 0 9); do
			draw -s $split -S 1 -i "$i" -F ppm | sha256sum
		done
	done >sums
	[ "$(sort -u sums | wc -l)" -eq 20 ]
}

@test "a scene is drawn with the same bytes on every machine" {
	draw -n 4 -S 9 -F ppm -t t >p
	[ "$(cat p t | sha256sum)" = \
	    "a31ba82625cff257998e972ab43c8bf0d56f9ebfef72a193a8bca8a88d43e508  -" ]
}

@test "the classes have the numbers of COCO" {
	draw --classes >classes
	diff - classes <<-'END'
	0 person
	5 bus
	8 boat
	9 traffic light
	11 stop sign
	25 umbrella
	54 donut
	74 clock
	END
}

@test "a scene has 1 to 8 objects of 4 to 60 percent, at least 70 % visible" {
	n=1000
	[ "${LEG:-native}" = native ] || n=150
	draw -n $n -F none -t truth
	jq -e -s --argjson n $n '
	    [.[].objects[]] as $all |
	    ($all | map([.box[2] - .box[0], .box[3] - .box[1]] | max /
	    640)) as $size |
	    length == $n and
	    ([.[].objects | length] | min == 1 and max == 8) and
	    ([$all[].id] | unique == [0, 5, 8, 9, 11, 25, 54, 74]) and
	    ($size | min > 0.0399 and min < 0.05 and max < 0.6001 and
	    max > 0.55) and
	    all($all[]; .hidden <= 0.3 and .box[0] >= 0 and .box[1] >= 0 and
	    .box[2] <= 640 and .box[3] <= 640) and
	    # Most scenes have overlap and clutter.
	    ([.[] | select(any(.objects[]; .hidden > 0))] | length) > $n / 2 and
	    ([.[].clutter] | min >= 1 and add / $n > 10)' truth
}

# One object on a plain background: all pixels of another colour belong to the
# object.
@test "the box encloses the drawn object" {
	draw --bare --objects=1 -n 24 -S 3 -F ppm -t truth >p.ppm
	jq -r '.objects[0].box | join(" ")' truth >boxes
	perl -e '
	    open(F, "<:raw", "p.ppm"); local $/; $d = <F>;
	    open(P, "<", "boxes"); @p = split(/\n/, <P>);
	    for $i (0 .. $#p) {
		@box = split(/ /, $p[$i]);
		$at = $i * (15 + 3 * 640 * 640) + 15;
		$ground = substr($d, $at, 3);
		next if $box[0] < 1 && $box[1] < 1;
		@is = (640, 640, 0, 0);
		for $y (0 .. 639) {
			$row = substr($d, $at + 1920 * $y, 1920);
			next if $row eq $ground x 640;
			for $x (0 .. 639) {
				next if substr($row, 3 * $x, 3) eq $ground;
				$is[0] = $x if $x < $is[0];
				$is[2] = $x + 1 if $x + 1 > $is[2];
			}
			$is[1] = $y if $y < $is[1];
			$is[3] = $y + 1;
		}
		for (0 .. 3) {
			die "scene $i: @is is not @box"
			    if abs($is[$_] - $box[$_]) > 1.01;
		}
		$n++;
	    }
	    die "only $n things" if $n < 20;'
}

@test "the tensor is the picture in planes, as yolov8n expects it" {
	draw -S 4 -F ppm | tail -c +16 >rgb
	draw -S 4 -r >q
	perl -e '
	    open(F, "<:raw", "rgb"); local $/; $v = <F>;
	    open(G, "<:raw", "q"); $q = <G>;
	    for $c (0 .. 2) {
		$plane .= join "", map { substr($v, 3 * $_ + $c, 1) }
		    0 .. 640 * 640 - 1;
	    }
	    die "other bytes" if $plane ne $q;'
	draw | npu-tensor | grep -F 'u8 [1,3,640,640] scale=255'
}

@test "draw-scenes refuses invalid options and operands" {
	run --separate-stderr -2 draw -n x
	[[ $stderr == "draw-scenes: --count: 'x' is not a whole number"* ]]
	run --separate-stderr -2 draw --side=650
	[[ $stderr == "draw-scenes: --side: '650' is not a whole number"* ]]
	run --separate-stderr -2 draw --side=100
	[[ $stderr == "draw-scenes: --side: 100 is not a multiple of 32" ]]
	run --separate-stderr -2 draw --least=100 --most=90
	run --separate-stderr -2 draw --objects=9
	run --separate-stderr -2 draw -s heldout
	run --separate-stderr -2 draw picture
	run --separate-stderr -1 draw -t none/truth
	[[ $stderr == "draw-scenes: none/truth: No such file or directory" ]]
}

# ---- Scoring ------------------------------------------------------------

# box NAME ID X0 Y0 X1 Y1 [CONFIDENCE]: prints an object.
box() {
	printf '{"class":"%s","id":%d,"box":[%s,%s,%s,%s]' "${@:1:6}"
	printf '%s}' "${7:+,\"confidence\":$7}"
}

# line KEY BOX...: prints the line of one picture.
line() {
	local IFS=,
	echo "{\"$1\":[${*:2}]}"
}

# Four buses and one clock.  For the buses, .9 is right (precision 1 at recall
# 1/4), .7 finds the same bus again, .6 is right (2/3 at 1/2); two buses are not
# found.  Of the 101 recalls, 26 have precision 1, 25 have 2/3 and 50 have 0:
# 42.67 / 101.  The clock's IoU is exactly 1/2.
@test "score-boxes prints the average precision of a case computed by hand" {
	{
		line objects "$(box bus 5 0 0 10 10)" \
		    "$(box bus 5 100 0 110 10)" "$(box clock 74 0 0 10 10)"
		line objects "$(box bus 5 0 0 10 10)" "$(box bus 5 50 50 60 60)"
	} >truth
	{
		line detections "$(box bus 5 0 0 10 10 0.9)" \
		    "$(box bus 5 0 0 10 10 0.7)" \
		    "$(box clock 74 0 0 10 5 0.3)"
		line detections "$(box bus 5 0 0 10 10 0.6)"
	} >found
	run -0 score -t truth <found
	[ "${lines[0]}" = "  bus                       42.24 % of n = 4" ]
	[ "${lines[1]}" = "  clock                    100.00 % of n = 1" ]
	[ "${lines[2]}" = "  mAP50                     71.12 % of n = 5 \
in 2 pictures" ]
	run -0 score -t truth -g 71.1 <found
	[[ ${lines[2]} == *"(goal 71.1 %: met)" ]]
	run -4 score -t truth -g 71.2 <found
	[[ ${lines[2]} == *"(goal 71.2 %: MISSED)" ]]
}

@test "a wrong class, an IoU below 1/2 or a wrong picture does not match" {
	{
		line objects "$(box bus 5 0 0 10 10)"
		line objects "$(box bus 5 0 0 10 10)"
	} >truth
	{
		line detections "$(box boat 8 0 0 10 10 1)" \
		    "$(box bus 5 0 0 10 4.99 1)"
		line detections
	} >found
	run -0 score -t truth <found
	[ "${lines[0]}" = "  bus                        0.00 % of n = 2" ]
	line detections "$(box bus 5 0 0 10 10 1)" >found
	line detections >>found
	# Recall 1/2 at precision 1: 51 of 101 recalls.
	run -0 score -t truth <found
	[ "${lines[0]}" = "  bus                       50.50 % of n = 2" ]
}

# Both detections overlap both objects.  The first detection takes the object
# that it overlaps most, and the second takes the other object: both are right.
# A higher precision at a later recall raises the precisions before it.
@test "each detection takes the free object that it overlaps most" {
	line objects "$(box cup 41 0 0 10 10)" "$(box cup 41 4 0 14 10)" >truth
	line detections "$(box cup 41 1 0 11 10 0.9)" \
	    "$(box cup 41 3 0 13 10 0.8)" >found
	run -0 score -t truth <found
	[ "${lines[0]}" = "  cup                      100.00 % of n = 2" ]
	# Wrong, right, right: precision 1/2 at recall 1/2, but 2/3 at recall 1,
	# which raises the first to 2/3.
	line detections "$(box cup 41 50 0 51 10 0.95)" \
	    "$(box cup 41 1 0 11 10 0.9)" "$(box cup 41 3 0 13 10 0.8)" >found
	run -0 score -t truth <found
	[ "${lines[0]}" = "  cup                       66.67 % of n = 2" ]
}

@test "score-boxes refuses invalid lines and missing pictures" {
	line objects "$(box bus 5 0 0 10 10)" >truth
	for bad in '' '{' '{}' '[]' '{"detections":{}}' \
	    '{"error":"no picture"}' \
	    '{"detections":[{"class":"bus","id":-1,"box":[0,0,1,1]}]}' \
	    '{"detections":[{"class":"bus","id":1000,"box":[0,0,1,1]}]}' \
	    '{"detections":[{"class":"bus","id":5,"box":[0,0,1]}]}' \
	    '{"detections":[{"class":"bus","id":5,"box":[2,0,1,1]}]}' \
	    '{"detections":[{"id":5,"box":[0,0,1,1]}]}'; do
		run --separate-stderr -1 score -t truth <<<"$bad"
		[[ $stderr == "score-boxes: stdin: line 1: "* ]]
	done
	run --separate-stderr -1 score -t truth </dev/null
	[ "$stderr" = "score-boxes: detections in 0 pictures, truth of 1" ]
	run --separate-stderr -1 score -t none </dev/null
	run --separate-stderr -2 score </dev/null
}

# ---- The model ----------------------------------------------------------

@test "the detector has the SHA-256 that detector.log states" {
	cd "$TOP/models"
	sha256sum -c --quiet models.sum
	grep -q ' yolov8n.onnx$' models.sum
	grep -q "^sha256 $(sed -n 's/ .*yolov8n.onnx$//p' models.sum)$" \
	    detector.log
}

@test "the detector's file has at most 1.5 MB" {
	[ "$(wc -c <"$MODELS/yolov8n.cix")" -le 1500000 ]
}

@test "the detector has the input and output tensors of YOLOv8n" {
	npu-info --json "$MODELS/yolov8n.cix" >j
	jq -e '.models[0] | (.inputs | length) == 1 and
	    (.outputs | length) == 1 and
	    (.inputs[0] | .type == "u8" and .shape == [1, 3, 640, 640] and
	    .scale == 255 and .zero_point == 0) and
	    (.outputs[0] | .type == "f16" and .shape == [1, 84, 8400] and
	    .scale == 1 and .zero_point == 0)' j
}

# Rows 4 to 83 are the classes 0 to 79.
@test "the detector's scores are 0 for classes that are never drawn" {
	draw -S 5 | npu-run -q -r -T none -d emu yolov8n.cix >out
	perl -e '
	    open(F, "<:raw", "out"); local $/; $d = <F>;
	    die length($d) if length($d) != 2 * 84 * 8400;
	    $known{$_} = 1 for 0, 5, 8, 9, 11, 25, 54, 74;
	    for $k (0 .. 79) {
		$row = substr($d, 2 * 8400 * (4 + $k), 2 * 8400);
		$zero = $row =~ /^\0*$/;
		die "class $k" if $zero == exists($known{$k});
	    }'
}

@test "npu-utils(7) names the classes of the detector and their numbers" {
	# Remove the overstrikes that make letters bold.
	text=$(mandoc -T ascii "$TOP/man/npu-utils.7" | sed 's/.\x08//g' |
	    tr -s ' \n' ' ')
	draw --classes >classes
	[ "$(wc -l <classes)" -eq 8 ]
	while read -r id name; do
		[[ $text == *" $name ($id)"* ]]
	done <classes
}

@test "our programs find objects in scenes that were not used in training" {
	case ${LEG:-native} in
	native) n=200 ;;
	arm64) n=2 ;;
	*) n=40 ;;
	esac
	"$TOP/models/judge/eval_detector.sh" "$B" 77 "$n" 90
}

@test "the evaluation fails if the result is below its goal" {
	NPU_EMU_COMPUTE=none run -4 "$TOP/models/judge/eval_detector.sh" "$B" 78 8 1
	[[ ${lines[-1]} == *" 0.00 % of n = 43 in 8 pictures  (goal 1 %: MISSED)" ]]
}
