#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A real detector on a real picture, through cix-pack, npu-tensor, npu-run and
# the emulator: the result must equal, byte for byte, what ONNX Runtime gives
# when it is called directly.

load ../support/helper

# bats test_tags=slow
@test "YOLOv8n on bus.jpg, u8 in and f16 out, equals ONNX Runtime" {
	need_data models/yolov8n-640-qdq-int8.onnx
	model=$DATA
	need_data golden/photos__bus.letterbox_pil_u8.npy.gz
	gzip -dc "$DATA" | npu-tensor -r >hwc
	[ "$(stat -c %s hwc)" -eq $((640 * 640 * 3)) ]
	# Rows of pixels become planes of colours.
	perl -e 'local $/; $_ = <STDIN>; for my $c (0 .. 2) {
	    my $p = ""; my $i = $c;
	    while ($i < length) { $p .= substr($_, $i, 1); $i += 3 }
	    print $p }' <hwc >chw
	cix-pack -o yolo.cix -I images:u8:1x3x640x640:255:0 \
	    -O output0:f16:1x84x8400 "$model"
	npu-tensor --add -t u8 --shape=1,3,640,640 -s 255 -z 0 chw |
	    npu-run -d emu -T none yolo.cix >out
	run -0 npu-tensor out
	[[ $output == *"f16 [1,84,8400]"* ]]
	npu-tensor -r out >got
	ortrun "$(readlink -f "$B/lib/npu-utils/libonnxruntime.so.1")" \
	    "$model" 255 <chw >want
	[ "$(stat -c %s want)" -eq $((84 * 8400 * 2)) ]
	cmp want got
}

# guide_objects <JSON: fails unless the detections contain the four objects of
# the public guide to the board (visorcraft/orange-pi-6-plus-npu), each by a
# detection of its own with the same class, an IoU of at least 0.9 and a score
# within 0.15; and unless no other detection is above 0.5.
guide_objects() {
	jq -e '
	def area: (.[2] - .[0]) * (.[3] - .[1]);
	def side($a; $b; $k):
	    [0, ([$a[$k + 2], $b[$k + 2]] | min) - ([$a[$k], $b[$k]] | max)] |
	    max;
	def iou($a; $b):
	    (side($a; $b; 0) * side($a; $b; 1)) as $both |
	    $both / (($a | area) + ($b | area) - $both);
	[["person", 0.88, [219, 405, 344, 857]],
	    ["person", 0.88, [50, 395, 243, 911]],
	    ["bus", 0.84, [26, 229, 803, 743]],
	    ["person", 0.80, [667, 380, 810, 876]]] as $guide |
	.detections as $found |
	[$guide[] as [$class, $score, $box] | [$found | to_entries[] |
	    select(.value.class == $class and
	    iou(.value.box; $box) >= 0.9 and
	    (.value.confidence - $score | fabs) <= 0.15) | .key]] as $match |
	($match | map(length) == [1, 1, 1, 1]) and
	($match | flatten | unique | length) == 4 and
	([$found | to_entries[] | select(.value.confidence > 0.5) | .key] -
	    ($match | flatten) == [])'
}

# bats test_tags=slow
@test "YOLOv8n finds the guide's four objects on bus.jpg" {
	need_data models/yolov8n-640-qdq-int8.onnx
	model=$DATA
	need_data images/photos/bus.jpg
	cix-pack -o yolo.cix -I images:u8:1x3x640x640:255:0 \
	    -O output0:f16:1x84x8400 "$model"
	img-tensor -m yolo.cix "$DATA" | npu-run -q -d emu -T none yolo.cix >out
	yolo-decode -m yolo.cix --image="$DATA" out >found
	guide_objects <found
	# The class names come from the twin; without it, programs use COCO's,
	# which are the same.
	yolo-decode --image="$DATA" out | cmp - found
	# If the picture is stretched and blue comes first, as in the vendor's
	# hub, the model also finds the objects, with a higher confidence for
	# the person cut off by the left edge.
	img-tensor -m yolo.cix --for=hub-yolo "$DATA" |
	    npu-run -q -d emu -T none yolo.cix |
	    yolo-decode -m yolo.cix --fit=stretch --image="$DATA" >hub
	jq -e '[.detections[] | select(.confidence > 0.7).class] | sort ==
	    ["bus", "person", "person", "person"]' <hub
	run -1 guide_objects <<<'{"detections":[]}'
}
