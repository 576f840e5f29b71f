#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Programs that take a model take an ONNX file as well.

load ../support/helper

# onnx CASE...: writes CASE.onnx for each case of onnxruns.py.
onnx() {
	for c; do
		/usr/bin/python3 "$TOP/tests/tools/onnxruns.py" "$c" >"$c.onnx"
	done
}

# python: runs the program on stdin with numpy.
python() {
	/usr/bin/python3 -c 'import io, sys, numpy as np
def arrays(path):
	b = io.BytesIO(open(path, "rb").read())
	while b.tell() < len(b.getbuffer()):
		yield np.load(b)
'"$1"
}

@test "an f32 model runs without a twin, a container or a note" {
	onnx double
	python 'np.save("x", np.float32([[1, -2, 0.5, 3e38]]))'
	run -0 --separate-stderr npu-run -F npy -o y.npy double.onnx x.npy
	[ -z "$stderr" ]
	python 'y, = arrays("y.npy"); assert y.dtype == np.float32
assert (y == np.float32([[2, -4, 1, np.inf]])).all()'
}

@test "inputs and outputs have the types of the model; bytes pass unchanged" {
	onnx types
	python 'from numpy import *
for i, t in enumerate([bool_, uint8, int8, uint16, int16, uint32, int32,
        uint64, int64, float16, float32, float64]):
    a = array([0, 1, 2, 100, 126, 3], dtype=t).reshape(2, 3)
    if t not in (bool_, float16, float32, float64):
        a[0, 0], a[0, 1] = iinfo(t).min, iinfo(t).max
    open("in", "ab" if i else "wb").write(a.tobytes())'
	npu-run -r types.onnx in | cmp - in
	[ "$(npu-run types.onnx in | npu-tensor -F jsonl | jq -r .type |
	    paste -sd' ')" = "bool u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64" ]
}

# A row of ids and the results that numpy gives.
ids() {
	onnx ids
	python 't = np.arange(40, dtype=np.float32).reshape(10, 4)
ids = np.array([[7, 0, 9]])
np.save("s64", ids); np.save("s32", ids.astype(np.int32))
np.save("two", np.concatenate([ids, ids + [1, 2, 0] - [2, 0, 3]]).astype("i4"))
np.save("mean", t[ids].mean(axis=1)); np.save("rows", t[ids])'
	cat mean.npy rows.npy >want
}

@test "s64 inputs take s64 and s32, as labels, .npy and a batch of .npy" {
	ids
	npu-run --dim=length=3 -F npy ids.onnx s64.npy | cmp - want
	npu-run --dim length=3 -F npy ids.onnx s32.npy | cmp - want
	npu-tensor -a s32.npy | npu-run --dim length=3 -F npy ids.onnx |
	    cmp - want
	npu-tensor -a s64.npy | npu-run --dim length=3 -F npy ids.onnx |
	    cmp - want
	npu-run --dim length=3 --input=ids=s32.npy -F npy ids.onnx | cmp - want
	npu-run --dim length=3 -F npy -o two.out ids.onnx two.npy
	head -c "$(stat -c %s want)" two.out | cmp - want
	python 'm = list(arrays("two.out"))[2]
t = np.arange(40, dtype=np.float32).reshape(10, 4)
assert (m == t[[6, 2, 6]].mean(axis=0)).all(), m'
}

@test "s32 with a scale, or of another shape, does not pass as s64" {
	ids
	head -c 12 /dev/zero | npu-tensor -a -s 2 -t s32 --shape=1,3 >scaled
	run -1 npu-run --dim length=3 ids.onnx scaled
	[[ $output == *"wrong scale of input 0"* ]]
	head -c 16 /dev/zero | npu-tensor -a -t s32 --shape=1,4 >long
	run -1 npu-run --dim length=3 ids.onnx long
	[[ $output == *"wrong size of input 0"* ]]
}

@test "--dim fixes any number of open sizes, by name or by place" {
	ids
	npu-run --dim length=3 --dim batch=2 -F npy -o out ids.onnx two.npy
	python 'm, r = arrays("out")
assert m.shape == (2, 4) and r.shape == (2, 3, 4)'
	onnx unnamed
	python 'a = np.arange(10, dtype=np.float32).reshape(1, 5, 2)
b = np.arange(6, dtype=np.float32).reshape(3, 1, 2)
np.save("a", a); np.save("b", b); np.save("c", a + b)'
	npu-run --dim a:1=5 --dim b:0:0=3 -F npy --input=0=a.npy \
	    --input=1=b.npy unnamed.onnx | cmp - c.npy
}

@test "--dim of a place gives its size to all dimensions with that name" {
	onnx shared
	for place in a:0 b:0 c:0; do
		npu-run --dim $place=3 --dim n=2 --dry-run shared.onnx >out
		[ "$(grep -cF '[3,2]' out)" = 3 ]
	done
	npu-run --dim n=2 --dry-run shared.onnx >out
	[ "$(grep -cF '[1,2]' out)" = 3 ]
}

@test "the last --dim of a dimension counts; a name comes before a place" {
	onnx shared
	for sizes in "n=3 n=2" "a:1=3 a:1=2" "n=2 a:1=3" "a:1=3 n=2"; do
		read -r first last <<<"$sizes"
		npu-run --dim "$first" --dim "$last" --dry-run shared.onnx >out
		[ "$(grep -cF '[1,2]' out)" = 3 ]
	done
}

@test "an open size that is not the first is refused; --dim mends that" {
	onnx ids unnamed
	run -1 npu-run ids.onnx /dev/null
	[ "$output" = "npu-run: ids.onnx: input 'ids': the size of dimension \
1 is not fixed; fix it with --dim length=SIZE" ]
	run -1 npu-run unnamed.onnx /dev/null
	[[ $output == *"fix it with --dim a:1=SIZE" ]]
	for c in npu-dequant npu-quant clip-tokenize; do
		run -1 $c -m ids.onnx /dev/null
		[[ $output == *"fix it with --dim length=SIZE" ]]
	done
}

@test "--dim of an unknown name, without a size, or of a .cix is refused" {
	onnx ids
	run -1 npu-run --dim length=3 --dim width=4 ids.onnx /dev/null
	[[ $output == *"--dim width: no dimension of the model has this "* ]]
	for bad in length =3 length= length=0 length=x; do
		run -2 npu-run --dim "$bad" ids.onnx /dev/null
	done
	run -1 npu-run --dim n=3 clip_txt.cix /dev/null
	[[ $output == *"--dim is for ONNX models"* ]]
	run -1 npu-dequant -m clip_txt.cix --dim n=3 /dev/null
	[[ $output == *"--dim is for ONNX models"* ]]
	run -2 npu-dequant -t s8 --dim n=3 /dev/null
}

@test "an output without a shape gets the shape that follows from the nodes" {
	onnx shapeless
	python 'np.save("x", np.arange(6, dtype="f4").reshape(1, 2, 3))'
	[ "$(npu-run shapeless.onnx x.npy | npu-tensor -F jsonl |
	    jq -c .shape)" = '[1,6]' ]
	[ "$(npu-run --dry-run --dim n=4 shapeless.onnx | grep output)" = \
	    "output 0 y: f32 [4,6], 96 bytes" ]
}

@test "an output whose size depends on the values is refused" {
	onnx dependent
	run -1 npu-run dependent.onnx /dev/null
	[[ $output == *"'y': the size of dimension 1 is not known before "* ]]
	python 'np.save("x", np.float32([[0, 1, 2], [3, 0, 0]]))'
	npu-run --dim found=3 -F npy -o y dependent.onnx x.npy
	python 'y, = arrays("y")
assert (y == [[0, 0, 1], [1, 2, 0]]).all()'
	run -1 npu-run --dim found=4 dependent.onnx x.npy
	[[ $output == *"frame 1"* ]]
}

@test "more dimensions than a label has, and long names, still run" {
	onnx flat flat-open long-names
	python 'x = np.arange(8, dtype="f4"); np.save("x", x)
(-x).tofile("want"); x[:4].tofile("ab")
(x[:2] - x[2:4]).tofile("difference")'
	npu-run -r flat.onnx x.npy | cmp - want
	npu-run -r long-names.onnx ab | cmp - difference
	run -1 npu-run --dim k=1 flat-open.onnx x.npy
	[[ $output == *"leaves 2 dimensions open"* ]]
}

@test "types that are not numbers are refused" {
	onnx text
	run -1 npu-run text.onnx /dev/null
	[[ $output == *"input 's' is a string, and only tensors of numbers"* ]]
}

@test "bad files are refused by each program that takes a model" {
	for c in cycle deep dimensions few-values no-graph; do
		/usr/bin/python3 "$TOP/tests/tools/onnxgen.py" "$c" \
		    >"$c.onnx"
	done
	onnx double
	head -c 60 double.onnx >cut.onnx
	for f in *.onnx; do
		[ "$f" != double.onnx ] || continue
		want=$(npu-info "$f" 2>&1) || true
		for c in npu-run npu-bench "npu-dequant -m" "img-tensor -m" \
		    "clip-embed --text=x -m" "yolo-detect -m"; do
			run $c "$f" </dev/null
			[ "$status" -eq 1 ]
			[[ $output == *"${want#npu-info: }"* ]]
		done
	done
	[ "$(echo *.onnx | wc -w)" -ge 3 ]
}

@test "-d npu refuses an ONNX model; a vendor's library does not run it" {
	onnx double
	python 'np.save("x", np.ones((1, 4), "f4"))'
	run -1 npu-run -d npu double.onnx x.npy
	[[ $output == *"runs on the processor, and -d npu demands the NPU"* ]]
	perl -pe 's/noe_emu_version/noe_EMU_version/g' \
	    "$B/lib/npu-utils/libnoe-emu.so" >libnoe.so
	NPU_LIBRARY=$PWD/libnoe.so npu-run -r double.onnx x.npy >y
	NPU_DEVICE=emu npu-run -r double.onnx x.npy | cmp - y
	run -1 npu-run -L "$PWD/libnoe.so" double.onnx x.npy
	[[ $output == *"which $PWD/libnoe.so is not: leave --library out" ]]
	npu-run -r -L "$B/lib/npu-utils/libnoe-emu.so" double.onnx x.npy |
	    cmp - y
}

@test "NPU_TWIN does not replace an ONNX model" {
	onnx double flat
	python 'np.save("x", np.ones((1, 4), "f4"))'
	npu-run -r double.onnx x.npy >y
	NPU_TWIN=$PWD/flat.onnx npu-run -r double.onnx x.npy | cmp - y
}

@test "weights in other files are found beside the name of the model" {
	mkdir models link
	cd models
	/usr/bin/python3 - <<-'E'
	import numpy as np, onnx
	from onnx import TensorProto as T, helper as h, numpy_helper as n
	m = h.make_model(h.make_graph([h.make_node("Add", ["x", "w"], ["y"])],
	    "g", [h.make_tensor_value_info("x", T.FLOAT, [1024])],
	    [h.make_tensor_value_info("y", T.FLOAT, [1024])],
	    [n.from_array(np.arange(1024, dtype="f4"), "w")]),
	    opset_imports=[h.make_opsetid("", 13)])
	m.ir_version = 7
	onnx.save(m, "m.onnx", save_as_external_data=True, location="m.data")
	np.zeros(1024, "f4").tofile("x")
	np.arange(1024, dtype="f4").tofile("y")
	E
	cd ..
	npu-run -r models/m.onnx models/x | cmp - models/y
	ln -s ../models/m.onnx link/m.onnx
	cp models/m.data link
	npu-run -r link/m.onnx models/x | cmp - models/y
	rm models/m.data link/m.data
	run -1 npu-run models/m.onnx models/x
	[[ $output == *"m.data"* ]]
}

@test "-j, -T, --threads, --times and a queue work as with a .cix" {
	onnx double
	python 'np.arange(400, dtype="f4").tofile("x")
(2 * np.arange(400, dtype="f4")).tofile("y")'
	for j in 1 3 64; do
		npu-run -r -j "$j" double.onnx x | cmp - y
	done
	npu-run -r --threads=4 double.onnx x | cmp - y
	run -2 npu-run --threads=0 double.onnx x
	run -1 npu-run --threads=2 clip_txt.cix x
	[[ $output == *"--threads is for ONNX models"* ]]
	NPU_EMU_INFER_MS=60000 run -1 npu-run -T 50ms double.onnx x
	[[ $output == *"frame 1: no result after 0.05 s"* ]]
}

# The demonstration models, as ONNX and as .cix with 8 bits.
demo() {
	ONNX=$TOP/models
}

@test "a picture's tensor goes through an ONNX model and back to floats" {
	demo
	need_data images/photos/bus.jpg
	img-tensor --for=clip -m "$ONNX/clip_visual.onnx" "$DATA" | tee x |
	    npu-run "$ONNX/clip_visual.onnx" | npu-dequant -r --norm=l2 >a
	[ "$(npu-tensor -F jsonl x | jq -r .type)" = f32 ]
	img-tensor -m clip_visual.cix "$DATA" | npu-run clip_visual.cix |
	    npu-dequant -r --norm=l2 >b
	python 'a, b = np.fromfile("a", "f4"), np.fromfile("b", "f4")
assert a.size == b.size and a @ b > 0.98, a @ b'
}

@test "yolo-detect, yolo-decode and clip-embed take an ONNX model" {
	demo
	need_data images/photos/bus.jpg
	yolo-detect "$DATA" | jq -r '.detections[].class' | sort >want
	yolo-detect -m "$ONNX/yolov8n.onnx" "$DATA" |
	    jq -r '.detections[].class' | sort | diff want -
	img-tensor --for=yolo -m "$ONNX/yolov8n.onnx" "$DATA" |
	    npu-run "$ONNX/yolov8n.onnx" |
	    yolo-decode -m "$ONNX/yolov8n.onnx" --image="$DATA" |
	    jq -r '.detections[].class' | sort | diff want -
	clip-embed -m "$ONNX/clip_txt.onnx" --text='a bus' -F npy >a.npy
	clip-embed --text='a bus' -F npy >b.npy
	python 'a, b = np.load("a.npy").ravel(), np.load("b.npy").ravel()
assert a @ b > 0.98, a @ b'
	echo 'a bus' | clip-tokenize -m "$ONNX/clip_txt.onnx" >ids
	[ "$(npu-tensor -F jsonl ids | jq -c .shape)" = '[1,77]' ]
}

@test "npu-bench measures an ONNX model" {
	onnx double
	npu-bench --json --min-iter=5 --min-time=0 -w 0 --idle=none double.onnx |
	    jq -e '.models[0] // . | tostring | contains("double.onnx")'
	onnx ids
	head -c 24 /dev/zero >in
	npu-bench --min-iter=5 --min-time=0 -w 0 --idle=none --dim length=3 --input=in \
	    ids.onnx >out
	grep -q '^ids.onnx, single-stream' out
}
