#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make eval: evaluates the demonstration detector with our own programs only.
# usage: eval_detector.sh BUILD SEED [COUNT [GOAL]]
#
# Draws COUNT scenes that training never saw, and detects the objects in them: 1
# to 8 objects of 4 to 60 % of the side, among clutter, which may overlap.  The
# exit status is 4 if the mean average precision at IoU 0.5, over objects of all
# sizes, is below GOAL percent.
set -eu

b=$1 seed=$2 count=${3:-2000} goal=${4:-90}
dir=$b/eval/$seed
. "$(dirname "$0")/../demo_env.sh"

mkdir -p "$dir"
echo "drawing $count scenes and detecting what is in them, seed $seed ..."
# Precision is averaged over all recalls; therefore detections with a low
# confidence count.  If a program fails, score-boxes reports missing pictures.
# Under qemu, an inference may take longer than the usual limit.
draw-scenes -n "$count" -S "$seed" -F ppm -t "$dir/scenes.jsonl" |
    img-tensor -q -m yolov8n.cix --stream=ppm - |
    npu-run -q -T none yolov8n.cix |
    yolo-decode -q -m yolov8n.cix --image-size=640x640 --conf=0.01 -F jsonl \
	>"$dir/detections.jsonl"
score-boxes --truth="$dir/scenes.jsonl" --goal="$goal" \
    <"$dir/detections.jsonl"
