#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make demo: embeds texts and pictures and detects objects, with the programs
# that a board uses; then packs, repairs and runs a container for an AMD NPU.
# Every command is shown, then run.
# usage: demo.sh BUILD [OPTIONS]
# OPTIONS are for the programs that run models (-q); under qemu, add -T none.
set -eu

b=$1
mkdir -p "$b/demo"
. "$(dirname "$0")/demo_env.sh"
attention=$(cd "$(dirname "$0")/attention" && pwd)
bin=${PATH%%:*}
quiet=${2:--q}
cd "$b/demo"

# Names of the pictures; two of these pairs of colour and shape (red circle,
# pink square) never occurred in training.
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

Five drawings of these shapes, among clutter, and the two names that fit each
drawing best: label, probability, cosine of the vectors of label and picture.
This project trained these small models on its own drawings.

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

The vectors of the captions and of the drawings, in one space.

END
show cat captions
show "clip-embed $quiet --lines captions >captions.npt"
show "clip-embed $quiet --files-from=files >pictures.npt"
show npu-tensor pictures.npt

cat <<END

The cosine of every drawing with every caption, rounded; * marks the nearest.

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

A drawn scene, and the objects that a detector finds: class, confidence, box.

END
draw-scenes -i 1330 -F ppm >scene.ppm
show "yolo-detect $quiet -F tsv scene.ppm"
show "yolo-detect $quiet scene.ppm >found.json"
show 'yolo-draw -q -o detected.png <found.json'

cat <<END

Attention on an AMD XDNA NPU.  mlir-aie's compiler stopped after writing these
files; the commands below pack them by hand, as a guide shows.

END
cp "$attention"/* .
# A PDI with the marks that bootgen sets, but without a program: the emulated
# device computes with npu-ref's kernel.
{
	printf '\335\0\0\0\104\063\042\021\210\167\146\125\314\273\252\231'
	head -c 24 /dev/zero
	printf '\223\200\312\024'
	head -c 12 /dev/zero
	printf IDPP
	head -c 100 /dev/zero
	printf aie_image
	head -c 5703 /dev/zero
} >main.pdi
show 'ls insts.txt main*'
show 'xclbin-pack -q --add-section PDI:RAW:main.pdi \
    --add-section AIE_PARTITION:JSON:main_aie_partition.json \
    --add-section IP_LAYOUT:JSON:main_ip_layout.json \
    --add-section MEM_TOPOLOGY:JSON:main_mem_topology.json \
    --force --output attention_int32.xclbin'
show 'xclbin-check -q --machine=none attention_int32.xclbin || true'

cat <<END

The next command is the one that xclbin-check printed.

END
rm -f attention_int32-fixed.xclbin
show "$(xclbin-check --machine=none --plain attention_int32.xclbin |
    sed -n 's/.*	metadata	FAIL	[^	]*	//p')"
show 'xclbin-check -q --machine=none attention_int32-fixed.xclbin'
show 'xdna-run --dry-run attention_int32-fixed.xclbin insts.txt'

cat <<END

Q, K and V, each of 64 x 64 numbers (from a generator with the seed 42), on an
emulated device; and the difference between the result and the definition.

END
# The generator of Park and Miller: numbers from -64 to 63, as bytes.
printf %b "$(awk 'BEGIN {
	s = 42
	for (i = 0; i < 3 * 64 * 64; i++) {
		s = s * 16807 % 2147483647
		printf "\\0%o", (int(s / 2147483647 * 128) + 192) % 256
	}
}')" >qkv
show 'xdna-run -q -d emu --twin=attention --shape=s8:64,64 \
    attention_int32-fixed.xclbin insts.txt <qkv >answer'
show 'npu-ref attention-exact qkv >exact'
show 'npu-dequant --diff=exact answer'

cat <<END

Open $b/demo/detected.png to see the boxes.

What to type next, here:

    make eval SEED=7        # 2,000 such drawings and 2,000 such scenes
    sudo make install
    PATH=$bin:\$PATH
    cd $b/demo
    npu-info clip_txt.cix clip_visual.cix
    clip-classify -l 'a red circle' -l 'a red ring' red-circle.ppm
    yolo-detect your.jpg    # this detector knows only drawn objects

On a board with the CIX Sky1, the same commands use the vendor's CLIP, whose
.cix files are in the CIX model hub; npu-info shows what the board has:

    npu-info
    export NPU_MODEL_PATH=/where/you/put/the/models
    clip-classify -l bus -l tram -l 'fire engine' bus.jpg
    yolo-detect bus.jpg
END
