#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# yolo-decode -m: what it takes from a model and from its twin, the ONNX file.
# bats file_tags=arm64

load ../support/helper
load ../support/boxes

# model [KEY=VALUE]: writes yolo.cix with 2 classes and an input of 160.  Its
# twin has the metadata, and is also written as twin.onnx.
model() {
	mkonnx Identity f32:1x3x160x160 : f32:1x6x525 ${1:+"@$1"} >twin.onnx
	cix-pack -o yolo.cix -I images:u8:1x3x160x160:255:0 \
	    -O output0:f16:1x6x525 twin.onnx
}

# small: prints the box of one(), but in class 1 of 2.
small() {
	perl -e 'my @r = ((0) x 525) x 6;
	    @r[10, 535, 1060, 1585, 2635] = (20, 40, 20, 40, .875);
	    print pack("f<*", @r)' | npu-tensor --add -t f32 --shape=6,525 |
	    npu-quant -t f16 | npu-tensor -r
}

# bats test_tags=slow
@test "-m takes type and size from the model, and names from its twin" {
	model "names={0: 'cat', 1: 'dog'}"
	small >raw
	run -0 yolo-decode -m yolo.cix --image-size=320 -F tsv raw
	[ "$output" = "-#1	dog	1	0.875	20	40	60	120" ]
	run -0 yolo-decode -m yolo.cix:out0 --image-size=320 --classes=dog \
	    -F tsv raw
	[ "$output" = "-#1	dog	1	0.875	20	40	60	120" ]
	printf 'bird\nfish\n' >names
	run -0 yolo-decode -m yolo.cix --image-size=160 --names=names \
	    -F tsv raw
	[ "$output" = "-#1	fish	1	0.875	10	20	30	60" ]
	run -2 yolo-decode -m yolo.cix --size=320 --image-size=160 raw
	run -2 yolo-decode -m yolo.cix --size=160x320 --image-size=160 raw
	run -2 yolo-decode -m yolo.cix --size=320x160 --image-size=160 raw
	run -0 yolo-decode -m yolo.cix --size=160 --image-size=160 -F tsv raw
	[ "$output" = "-#1	dog	1	0.875	10	20	30	60" ]
	# NPU_TWIN has precedence over the twin in the model.
	mkonnx Identity f32:1 : f32:1 "@names=['a', 'b']" >other.onnx
	NPU_TWIN=other.onnx run -0 yolo-decode -m yolo.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "-#1	b	1	0.875	10	20	30	60" ]
}

# bats test_tags=slow
@test "-m takes models with other inputs, without a shape, and without a twin" {
	small >raw
	want='-#1	class1	1	0.875	10	20	30	60'
	# If no input is a picture, the model does not give the size.  A second
	# input does no harm.
	cix-pack -o m.cix -I a:f32:4 -O output0:f16:1x6x525
	run -0 yolo-decode -m m.cix --size=160 --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	cix-pack -o m.cix -I a:u8:1x3x160x160 -I b:f32:4 -O o:f16:1x6x525
	run -0 yolo-decode -m m.cix --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	# One of two outputs is chosen; a frame must then have only this output.
	cix-pack -o m.cix -I a:u8:1x3x160x160 -O o:f16:1x6x525 -O p:f16:1x6x525
	run -0 yolo-decode -m m.cix:p --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	cat raw raw >two
	run --separate-stderr -1 yolo-decode -m m.cix --image-size=160 two
	[ "$stderr" = "yolo-decode: two: frame 1: 2 tensors a frame; choose \
one with npu-tensor --tensor" ]
	# A model from the vendor may lack the shape of its outputs.
	mkcix --in u8:76800:255 --out f16:3150 sound-table-empty >m.cix
	npu-tensor -a -t f16 --shape=1,6,525 raw >labelled
	run -0 yolo-decode -m m.cix --size=160 --image-size=160 -F tsv labelled
	[ "$output" = "$want" ]
	# The ONNX file is beside the model, as in the model hub.
	mkcix --in u8:1x3x160x160:255 --out f16:1x6x525 >hub.cix
	run --separate-stderr -0 yolo-decode -m hub.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "$want" ]
	[ "$stderr" = "" ]
	mkonnx Identity f32:1 : f32:1 "@names=['a', 'b']" >hub.onnx
	run -0 yolo-decode -m hub.cix --image-size=160 -F tsv raw
	[ "$output" = '-#1	b	1	0.875	10	20	30	60' ]
	# The folder's name is not used as a pattern, which would match v1.
	mkdir -p 'v[1]/model' v1/model
	cp hub.cix 'v[1]'
	mv hub.onnx v1/model
	run -0 yolo-decode -m 'v[1]/hub.cix' --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	mv v1/model/hub.onnx 'v[1]/model'
	run -0 yolo-decode -m 'v[1]/hub.cix' --image-size=160 -F tsv raw
	[ "$output" = '-#1	b	1	0.875	10	20	30	60' ]
	mkfifo hub.onnx
	run --separate-stderr -0 yolo-decode -m hub.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "$want" ]
	[[ $stderr == *"its twin $PWD/hub.onnx: not a regular file; name "* ]]
	rm hub.onnx
	NPU_TWIN=missing run --separate-stderr -0 yolo-decode -m hub.cix \
	    --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	[[ $stderr == *"NPU_TWIN=missing: no such file"* ]]
	NPU_TWIN=. run --separate-stderr -0 yolo-decode -m hub.cix \
	    --image-size=160 -F tsv raw
	[ "$output" = "$want" ]
	[[ $stderr == *": .: cannot be read: Is a directory"* ]]
}
# bats test_tags=slow
@test "a twin without names is used; bad names give a note, extra names fail" {
	small >raw
	model
	run --separate-stderr -0 yolo-decode -m yolo.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	[ "$stderr" = "" ]
	model "names={0: 'cat'"
	run --separate-stderr -0 yolo-decode -m yolo.cix --image-size=160 \
	    -F tsv raw
	[ "$output" = "-#1	class1	1	0.875	10	20	30	60" ]
	[ "$stderr" = "yolo-decode: yolo.cix: class names are not the model's: the twin in yolo.cix: its class names: neither a comma nor '}' after name 1; name them with --names" ]
	model "names=['cat', 'dog', 'cow']"
	run --separate-stderr -1 yolo-decode -m yolo.cix --image-size=160 raw
	[ "$stderr" = "yolo-decode: yolo.cix: 6 x 525 is not 4 + 3 classes for each box, and there are 3 names; the output of an end-to-end head (corners, score, class) is not decoded here" ]
	echo 'no onnx' >other.onnx
	NPU_TWIN=other.onnx run --separate-stderr -0 yolo-decode -m yolo.cix \
	    --image-size=160 -F tsv raw
	[[ $stderr == *"other.onnx: not an ONNX file: no field of protobuf begins at byte 0 of 8; name them with --names" ]]
}
