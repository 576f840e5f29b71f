#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make demo: text and pictures become embeddings, and pictures detections,
# through the programs that a board uses.  Every command is shown, then run.
# usage: demo.sh BUILD [OPTIONS]
# OPTIONS are for the programs that run models (-q); under qemu it needs -T none.
set -eu

b=$1
mkdir -p "$b/demo"
. "$(dirname "$0")/demo_env.sh"
bin=${PATH%%:*}
quiet=${2:--q}
cd "$b/demo"

# Names of the pictures; two colour and shape pairs of them (red circle, pink
# square) never occurred in training.
cat >names <<'END'
red circle
green star
blue ring
yellow cross
pink square
END
sed 's/^/a photo of a /' names >captions

show() {
	printf '$ %s\n' "$*"
	sh -ec "$*"
}

cat <<END

Five drawings of these things, among clutter, and which of the five names fits
each best: label, probability, cosine of its vector with that of the picture.
The models are small ones that this project trained on its own drawings.

END
while read -r name; do
	file=$(echo "$name" | tr ' ' -).ppm
	draw-shapes -S 11 -c "$name" -F ppm >"$file"
	echo "$file"
done <names >files
echo "(drawn by draw-shapes into $b/demo)"
show cat names
show "clip-classify $quiet -n 2 -F tsv --labels=names --files-from=files"

cat <<END

The vectors themselves, of the captions and of the drawings, in one space.

END
show cat captions
show "clip-embed $quiet --lines captions >captions.npt"
show "clip-embed $quiet --files-from=files >pictures.npt"
show npu-tensor pictures.npt

cat <<END

Every drawing's cosine with every caption; here rounded, * marks the nearest.

END
show 'vec-nearest --matrix --ids=names --query-ids=names captions.npt pictures.npt >cosines.tsv'
awk -F '\t' '
	NR == 1 {
		printf "%-12s", ""
		for (i = 2; i <= NF; i++)
			printf " %13s", $i " "
		print ""
		next
	}
	{
		for (i = best = 2; i <= NF; i++)
			if ($i + 0 > $best + 0)
				best = i
		printf "%-12s", $1
		for (i = 2; i <= NF; i++)
			printf " %12.3f%s", $i, i == best ? "*" : " "
		print ""
	}' cosines.tsv

cat <<END

A drawn scene, and what a detector finds in it: class, confidence, box.

END
draw-scenes -i 1330 -F ppm >scene.ppm
show "yolo-detect $quiet -F tsv scene.ppm"
show "yolo-detect $quiet scene.ppm >found.json"
show 'yolo-draw -q -o detected.png <found.json'

cat <<END

Open $b/demo/detected.png to see the boxes.

What to type next, here:

    make eval SEED=7        # 2,000 such drawings and 2,000 such scenes
    sudo make install
    PATH=$bin:\$PATH
    cd $b/demo
    npu-info clip_txt.cix clip_visual.cix
    clip-classify -l 'a red circle' -l 'a red ring' red-circle.ppm
    yolo-detect your.jpg    # this detector knows drawn things alone

On a board with the CIX Sky1 the same commands take the vendor's CLIP, whose
.cix files are in the CIX model hub; npu-info shows what the board has:

    npu-info
    export NPU_MODEL_PATH=/where/you/put/the/models
    clip-classify -l bus -l tram -l 'fire engine' bus.jpg
    yolo-detect bus.jpg
END
