#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-run --ref=MODEL.onnx: a compiled model beside its original.

load ../support/helper

# onnx CASE...: writes CASE.onnx for each case of onnxruns.py.
onnx() {
	for c; do
		/usr/bin/python3 "$TOP/tests/tools/onnxruns.py" "$c" >"$c.onnx"
	done
}

python() {
	/usr/bin/python3 -c 'import json, numpy as np
# The figures of a and its reference r, by their definitions.
def figures(a, r):
	a, r = a.astype(float).ravel(), r.astype(float).ravel()
	d = a - r
	return {"max": abs(d).max(), "max_at": int(abs(d).argmax()),
	    "rms": np.sqrt((d ** 2).mean()), "mae": abs(d).mean(),
	    "cos": a @ r / np.sqrt((a @ a) * (r @ r)),
	    "corr": np.corrcoef(a, r)[0, 1],
	    "sqnr_db": 10 * np.log10((r @ r) / (d @ d))}
def check(got, want):
	for k in want:
		assert abs(got[k] - want[k]) <= 1e-9 * max(1, abs(want[k])), (
		    k, got[k], want[k])
'"$1"
}

# The model y = 2 x, and a compiled model of it that clips at 127 / 4.
twice() {
	onnx double
	cix-pack -I x:s8:1x4:4:0 -O y:s8:1x4:4:0 -o double.cix double.onnx
	python 'np.int8([[1, 2, 3, 127], [-128, 5, 60, 0]]).tofile("x")'
}

@test "the figures are as defined" {
	twice
	npu-run -d emu -F json --ref=double.onnx double.cix x >report
	python 'q = np.int8([[1, 2, 3, 127], [-128, 5, 60, 0]]).astype(float)
r = 2 * q / 4
a = np.clip(2 * q, -128, 127) / 4
got = json.load(open("report"))
assert got["schema"] == "npu-run-ref/1" and got["frames"] == 2
out, = got["outputs"]
want = figures(a, r)
assert out["worst_frame"] == want["max_at"] // 4 + 1
want["max_at"] %= 4
check(out, want)
assert out["elements"] == 8 and not out["exact"]
assert out["largest_same"] == 2 and out["objects_same"] is None'
}

@test "a classifier with 8-bit tensors: the figures equal numpy's" {
	need_data hub/models/mobilenetv2-dynint8.onnx
	onnx=$DATA
	need_data images/photos/dog.jpg
	cix-pack -I input:s8:1x3x224x224:53.5:-14 -O output:s8:1x1000:7:-20 \
	    -o m.cix "$onnx"
	img-tensor -q -m m.cix --for=imagenet "$DATA" \
	    "$NPU_TEST_DATA/images/photos/bus.jpg" >q
	npu-run -d emu -F json --ref="$onnx" m.cix q >report
	# The same two models, each by itself.
	npu-run -d emu -r m.cix q >a
	npu-tensor -r q >bytes
	python 'q = np.fromfile("bytes", "i1").astype("f4")
((q + np.float32(-14)) / np.float32(53.5)).tofile("x")'
	npu-run -r "$onnx" x >r
	python 'a = np.fromfile("a", "i1").astype("f4")
a = ((a + np.float32(-20)) / np.float32(7)).reshape(2, 1000)
r = np.fromfile("r", "f4").reshape(2, 1000)
got = json.load(open("report"))
out, = got["outputs"]
want = figures(a, r)
assert out["worst_frame"] == want["max_at"] // 1000 + 1
want["max_at"] %= 1000
check(out, want)
assert out["largest_same"] == (a.argmax(1) == r.argmax(1)).sum()'
}

@test "--tol gives status 4 for each frame that is beyond; without it 0" {
	twice
	run -0 --separate-stderr npu-run -q -d emu --ref=double.onnx double.cix x
	[[ $output == "output 0 y: max "*"; worst in frame 2; same largest "* ]]
	[ -z "$stderr" ]
	run -4 --separate-stderr npu-run -d emu --tol=max:31.75 \
	    --ref=double.onnx double.cix x
	[[ $stderr == *"frame 2, output 0: max 32 at 0,"*"beyond tolerance"* ]]
	[[ $stderr != *"frame 1,"* ]]
	[[ $stderr == *"1 of 2 frames are beyond the tolerance"* ]]
	run -0 npu-run -d emu --tol=max:32 --ref=double.onnx double.cix x
	run -4 npu-run -d emu --tol=cos:0.9999 --ref=double.onnx double.cix x
}

@test "--output writes the results as without --ref" {
	twice
	npu-run -d emu double.cix x >want
	npu-run -d emu -o got --ref=double.onnx double.cix x >report
	cmp got want
	npu-run -d emu -j 1 -F raw -o raw --ref=double.onnx double.cix x |
	    cmp - report
	npu-tensor -r want | cmp - raw
}

@test "outputs are compared by name, in any order" {
	onnx ids
	cp ids.onnx i.onnx
	cix-pack -I ids:s32:1x3 -O rows:f32:1x3x4 -O mean:f32:1x4 -o i.cix
	python 'np.int32([[7, 0, 9]]).tofile("x")'
	npu-run -d emu -F json --ref=ids.onnx --dim length=3 i.cix x >report
	[ "$(jq -c '.outputs[] | [.name, .ref_name, .exact]' report)" = \
	    $'["rows","rows",true]\n["mean","mean",true]' ]
}

@test "token ids of s32 go to an original with s64, exactly" {
	onnx ids
	cix-pack -I ids:s32:2x3 -O mean:f32:2x4 -O rows:f32:2x3x4 -o i.cix ids.onnx
	python 'np.int32([[7, 0, 9], [1, 1, 2]]).tofile("x")'
	npu-run -d emu --ref=ids.onnx --dim=length=3 --dim=batch=2 i.cix x >out
	[ "$(grep -c 'max 0 at 0' out)" = 2 ]
}

@test "a detector's objects are compared, and differ where boxes are lost" {
	need_data images/photos/bus.jpg
	original=$TOP/models/yolov8n.onnx
	img-tensor -q -m yolov8n.cix "$DATA" >x
	run -0 --separate-stderr npu-run -d emu --ref="$original" yolov8n.cix x
	[[ $output == *"; same objects in 1 of 1 frame" ]]
	# Scores of 8 bits that share one scale with the boxes are lost.
	cix-pack -I images:u8:1x3x640x640:255 -O output0:u8:1x84x8400:0.3 \
	    -o lost.cix "$original"
	img-tensor -q -m lost.cix "$DATA" >x
	run -0 --separate-stderr npu-run -d emu --ref="$original" lost.cix x
	[[ $output == *"; same objects in 0 of 1 frame" ]]
}

@test "another model as the original is refused" {
	twice
	onnx unnamed flat
	run -1 npu-run -d emu --ref=unnamed.onnx --dim a:1=2 double.cix x
	[[ $output == *"unnamed.onnx: 2 inputs, and double.cix has 1"* ]]
	run -1 npu-run -d emu --ref=flat.onnx double.cix x
	[[ $output == *"flat.onnx: input 0 ('x') has 8 elements, and 4 in "* ]]
	run -1 npu-run -d emu --ref=double.onnx double.cix /dev/null
	[[ $output == *"nothing to compare: no frame was read"* ]]
	head -c 30 double.onnx >cut.onnx
	run -1 npu-run -d emu --ref=cut.onnx double.cix x
	[[ $output == "npu-run: cut.onnx: "* ]]
}

@test "formats: text and json are the report, others need --output" {
	twice
	run -2 npu-run -d emu -F npy --ref=double.onnx double.cix x
	[[ $output == *"only --output=FILE writes them"* ]]
	npu-run -d emu >expected double.cix x
	run -2 npu-run -d emu -F json --ref=expected double.cix x
	run -2 npu-run -d emu -F json double.cix x
	run -2 npu-run -d emu -F npy --dry-run double.cix
}

@test "a frame that fails is left out of the comparison with -k" {
	twice
	head -c 4 /dev/zero | cat x - x >five
	NPU_EMU_FAULT=infer:5:exception run --separate-stderr npu-run -d emu \
	    -k -j 1 -F json --ref=double.onnx double.cix five
	[ "$status" -eq 1 ]
	[ "$(jq .frames <<<"$output")" = 4 ]
	[ "$(jq '.outputs[0].max' <<<"$output")" = 32 ]
	head -c 4 /dev/zero >one
	NPU_EMU_FAULT=infer:1:exception run --separate-stderr -1 npu-run \
	    -d emu -k -o none -F json --ref=double.onnx double.cix one
	[ "$(jq .frames <<<"$output")" = 0 ]
	[[ $stderr != *"nothing to compare"* ]]
	[ -f none ] && [ ! -s none ]
}

@test "-F json: a failure before the report is a document with the error" {
	twice
	mkcix --in s8:3:1:0 --out s8:3:1:0 >other.cix
	: >empty
	for args in 'none.cix x' 'other.cix x' 'double.cix empty'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -1 npu-run -q -d emu -F json \
		    --ref=double.onnx $args
		[ "$(jq -c '[.schema, .error.status]' <<<"$output")" = \
		    '["npu-run-ref/1",1]' ]
	done
	NPU_EMU_FAULT=infer:2:exception run --separate-stderr -1 npu-run -q \
	    -d emu -j 1 -F json --ref=double.onnx double.cix x
	jq -e '.error.message | contains("EXCEPTION")' <<<"$output"
}

@test "two ONNX models are compared" {
	twice
	python 'np.float32([[1, 2, 3, 4]]).tofile("f")'
	run -0 npu-run --ref=double.onnx double.onnx f
	[[ $output == *"max 0 at 0, rms 0, cos 1, sqnr inf dB"* ]]
}
