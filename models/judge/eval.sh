#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make eval: evaluates the demonstration models with our own programs only.
# usage: eval.sh BUILD SEED [COUNT [GOAL HELD_OUT_GOAL]]
#
# Draws COUNT pictures that training never saw, of all 48 classes; a quarter of
# the classes is held out from training.  Finds the nearest of the 48 captions
# for each picture, with a caption template that was used in training and with
# both held-out templates.  The exit status is 4 if any result is below the
# goals.
set -eu

b=$1 seed=$2 count=${3:-2000} goal=${4:-95} held_goal=${5:-85}
dir=$b/eval/$seed
. "$(dirname "$0")/../demo_env.sh"

mkdir -p "$dir"
echo "drawing and embedding $count pictures, seed $seed ..."
# No pipe for all: the shell reports only a failure of the last program.
draw-shapes -n "$count" -S "$seed" -t "$dir/truth.jsonl" |
    npu-run -q clip_visual.cix >"$dir/pictures.s8"
npu-dequant --normalise <"$dir/pictures.s8" >"$dir/pictures.npt"
status=0
for template in 0 8 9; do
	draw-shapes --captions=$template >"$dir/captions"
	clip-tokenize <"$dir/captions" >"$dir/tokens"
	npu-run -q clip_txt.cix <"$dir/tokens" >"$dir/captions.s8"
	npu-dequant --normalise <"$dir/captions.s8" >"$dir/captions.npt"
	draw-shapes --templates | sed -n "s/^$template \([a-z]*\) /\1 template: /p"
	score -t "$dir/truth.jsonl" --goal="$goal" --held-out-goal="$held_goal" \
	    "$dir/captions.npt" <"$dir/pictures.npt" || status=$?
done
rm -f "$dir/pictures.s8"
exit $status
