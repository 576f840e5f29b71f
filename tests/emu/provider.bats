#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# --provider=zhouyi, with a stand-in for the vendor's ONNX Runtime, which
# records what it is asked for: tests/tools/zhouyi_standin.

load ../support/helper

setup() {
	export STANDIN_ORT=$B/lib/npu-utils/libonnxruntime.so.1 STANDIN_LOG=log
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	unset OPERATOR_PATH INTERMIDIATE_PATH
	mkdir tmp
	/usr/bin/python3 "$TOP/tests/tools/onnxruns.py" double >m.onnx
	/usr/bin/python3 -c 'import numpy as np
x = np.float32([1, 2, 3, 4]); x.tofile("x"); (2 * x).tofile("y")'
}

# zhouyi ARGUMENT...: npu-run with the provider, in the stand-in.
zhouyi() {
	NPU_ORT=$B/tests/tools/zhouyi_standin.so npu-run --provider=zhouyi "$@"
}

@test "the provider computes; compiling is announced; its files are removed" {
	run -0 --separate-stderr zhouyi -r -o out m.onnx x
	cmp out y
	[ "$stderr" = "npu-run: m.onnx: compiling it for the NPU takes about \
14 s; --cache=FILE keeps the result" ]
	grep -qx 'session.disable_cpu_ep_fallback=1' log
	grep -q "INTERMIDIATE_PATH=$TMPDIR/npu-provider-....../ written=1" log
	[ -z "$(ls -A tmp)" ]
	[ "$(ls)" = "$(printf '%s\n' log m.onnx out tmp x y)" ]
	run ! grep -q ep.context log
}

@test "-d npu allows the provider; -j and frames are as on the processor" {
	cat x x x x >four
	cat y y y y >want
	zhouyi -q -d npu -j 4 -r m.onnx four | cmp - want
	grep -c append log | grep -qx 1
}

@test "OPERATOR_PATH of the user stays" {
	OPERATOR_PATH=/mine zhouyi -q -r m.onnx x >/dev/null
	grep -q 'append OPERATOR_PATH=/mine ' log
}

@test "--cache is made once, whole, and used until the model is newer" {
	zhouyi -q -r --cache=c.onnx m.onnx x | cmp - y
	grep -qx 'ep.context_enable=1' log
	grep -qx 'ep.context_file_path=c.onnx.part' log
	grep -qx 'ep.context_embed_mode=1' log
	cmp c.onnx m.onnx
	[ ! -e c.onnx.part ]
	rm log
	run -0 --separate-stderr zhouyi -r --cache=c.onnx -o out m.onnx x
	[ -z "$stderr" ]
	cmp out y
	run ! grep -q ep.context log
	touch -d '1 hour ago' c.onnx
	run -1 zhouyi --cache=c.onnx m.onnx x
	[[ $output == *"c.onnx is older than the model; remove it"* ]]
	# A part that an earlier process left is no error.
	rm c.onnx
	touch c.onnx.part
	zhouyi -q -r --cache=c.onnx m.onnx x | cmp - y
	run -1 zhouyi --cache=none/c.onnx m.onnx x
	[[ $output == *"none/c.onnx: the provider wrote no cache"* ]]
}

@test "nodes on the processor are an error; --fallback counts them" {
	STANDIN_FALL=1 run -1 zhouyi m.onnx x
	[[ $output == *"fallback to CPU EP has been explicitly disabled"* ]]
	[ -z "$(ls -A tmp)" ]
	STANDIN_FALL=1 run -0 --separate-stderr zhouyi -r -o out --fallback \
	    m.onnx x
	[[ $stderr == *"nodes on the processor: all 1"* ]]
	cmp out y
	run ! grep -q 'fallback=1' <(tail -n 1 log)
}

@test "a runtime without the provider is status 3, with what to install" {
	run -3 npu-run --provider=zhouyi m.onnx x
	[[ $output == *"cix-npu-onnxruntime"*"NPU_ORT"* ]]
	[ -z "$(ls -A tmp)" ]
}

@test "never with a .cix model in the process; options without effect" {
	cix-pack -I x:s8:1x4:4:0 -O y:s8:1x4:4:0 -o m.cix m.onnx
	run -1 zhouyi m.cix x
	[[ $output == *"--provider is for ONNX models"* ]]
	run -2 zhouyi --ref=m.onnx m.cix x
	[[ $output == *"cannot be in one process with a .cix model"* ]]
	run -2 npu-run --cache=c m.onnx x
	run -2 npu-run --fallback m.onnx x
	[ ! -e log ]
}

@test "npu-bench measures with the provider" {
	NPU_ORT=$B/tests/tools/zhouyi_standin.so npu-bench -q --idle=none \
	    --min-iter=5 --min-time=0 -w 0 --provider=zhouyi m.onnx >out
	grep -q append log
	[ -z "$(ls -A tmp)" ]
}
