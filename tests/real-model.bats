#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A real detector on a real picture: through cix-pack, npu-tensor, npu-run and
# the emulator, byte for byte what ONNX Runtime gives when called directly.

load helper

# Two minutes under qemu; demo-models.bats has an inference there.
# bats test_tags=no-arm64
@test "YOLOv8n, u8 in and f16 out, on bus.jpg" {
	need_data models/yolov8n-640-qdq-int8.onnx
	model=$DATA
	need_data golden/photos__bus.letterbox_pil_u8.npy.gz
	gzip -dc "$DATA" | npu-tensor -r >hwc
	[ "$(stat -c %s hwc)" -eq $((640 * 640 * 3)) ]
	# rows of pixels to planes of colours
	perl -e 'local $/; $_ = <STDIN>; for my $c (0 .. 2) {
	    my $p = ""; my $i = $c;
	    while ($i < length) { $p .= substr($_, $i, 1); $i += 3 }
	    print $p }' <hwc >chw
	cix-pack -o yolo.cix -I images:u8:1x3x640x640:255:0 \
	    -O output0:f16:1x84x8400 "$model"
	npu-tensor --add -t u8 --shape=1,3,640,640 -s 255 -z 0 chw |
	    npu-run -d emu -T 5min yolo.cix >out
	run -0 npu-tensor out
	[[ $output == *"f16 [1,84,8400]"* ]]
	npu-tensor -r out >got
	ortrun "$(readlink -f "$B/lib/npu-utils/libonnxruntime.so.1")" \
	    "$model" 255 <chw >want
	[ "$(stat -c %s want)" -eq $((84 * 8400 * 2)) ]
	cmp want got
}
