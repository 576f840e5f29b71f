#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# cix-lint --fix-shape and --write-cfg, which write a model or a configuration.

load ../support/helper

setup_file() {
	/usr/bin/python3 "$TOP/tests/tools/onnxfix.py" make \
	    "$BATS_FILE_TMPDIR/open.onnx"
}

setup() {
	cp "$BATS_FILE_TMPDIR/open.onnx" .
}

# onnxfix ARGUMENT...: the second implementation.
onnxfix() {
	/usr/bin/python3 "$TOP/tests/tools/onnxfix.py" "$@"
}

# ---- --fix-shape -----------------------------------------------------------

@test "--fix-shape changes only the dimensions, and lengths around them" {
	onnxfix fix open.onnx batch=2 length=300 >want
	run -0 --separate-stderr cix-lint --fix-shape=batch=2 \
	    --fix-shape length=300 -o new.onnx open.onnx
	[ "$stderr" = "cix-lint: open.onnx: still open: u:0, u:2" ]
	[ "$output" = "" ]
	cmp new.onnx want
	onnxfix same open.onnx new.onnx
	cix-lint -q --fix-shape batch=2 length=300 -o - open.onnx | cmp - want
	cix-lint -q --fix-shape batch=2 -o - length=300 - <open.onnx |
	    cmp - want
}

@test "--fix-shape of a place fixes all dimensions with the same name" {
	onnxfix fix open.onnx batch=70000 >want
	cix-lint -q --fix-shape x:0=70000 -o new.onnx open.onnx
	cmp new.onnx want
	cix-lint -q --fix-shape z:0=70000 -o new.onnx open.onnx
	cmp new.onnx want
}

@test "--fix-shape of a place fixes a dimension without a name" {
	cix-lint -q --fix-shape u:0=1 u:2=5 v:2=5 -o new.onnx open.onnx
	[ "$(npu-info new.onnx | grep -E ' [uv] ')" = \
	    "  input 2: u f32 [1,3,5], 60 bytes
  output 1: v f32 [?,3,5]" ]
	onnxfix same open.onnx new.onnx
}

@test "ONNX Runtime gives equal results for a model of --fix-shape" {
	perl -e 'print pack "f<*", map { $_ - 11 } 1 .. 2 * 6 + 12' >in
	run -0 --separate-stderr cix-lint \
	    --fix-shape batch=2 length=3 u:0=1 u:2=4 -o new.onnx open.onnx
	[ "$stderr" = "" ]
	npu-run --dim batch=2 --dim length=3 --dim u:0=1 --dim u:2=4 \
	    open.onnx in >want
	[ -s want ]
	npu-run new.onnx in | cmp - want
}

# tiny HEX...: prints a model with these dimensions of its value a, f32, which
# is input and output.
tiny() {
	perl -e 'sub field { chr(shift) . chr(length $_[0]) . $_[0] }
		my $shape = join "", map { pack "H*", $_ } @ARGV;
		my $a = field(0x0a, "a") . field(0x12, field(0x0a,
		    "\x08\x01" . field(0x12, $shape)));
		print "\x08\x08", field(0x3a, field(0x5a, $a) .
		    field(0x62, field(0x0a, "a")))' "$@"
}

@test "--fix-shape keeps what is around a size, and long forms of lengths" {
	# A dimension with field 15, a name, a denotation, the name again and
	# the size -1; one of size -1; an empty one, with a length of two bytes.
	tiny 0a16780112014e1a016412014e08ffffffffffffffffff01 \
	    0a0b08ffffffffffffffffff01 0a8000 >a.onnx
	cix-lint --fix-shape a:0=5 a:1=6 a:2=7 -o b.onnx a.onnx
	tiny 0a07780108051a0164 0a020806 0a020807 >want
	cmp b.onnx want
	# Nothing changes.
	cix-lint --fix-shape a:0=5 -o c.onnx b.onnx
	cmp c.onnx b.onnx
}

@test "--fix-shape refuses a dimension that the model does not have" {
	run -2 --separate-stderr cix-lint --fix-shape=width=3 -o new open.onnx
	[ "$output" = "" ]
	[ "${stderr_lines[0]}" = "cix-lint: open.onnx: --fix-shape width: the \
model has no such dimension; open are: batch, length, u:0, u:2" ]
	for bad in x:2 :0 x: x:-1 sum:0 weight:0; do
		run -2 cix-lint --fix-shape="$bad=3" -o new open.onnx
	done
	[ ! -e new ]
	tiny 0a020805 >a.onnx
	run -2 cix-lint --fix-shape=N=3 -o new a.onnx
	[ "${lines[0]}" = "cix-lint: a.onnx: --fix-shape N: all dimensions of \
the model are fixed" ]
}

@test "--fix-shape refuses a second size for a dimension" {
	run -2 cix-lint --fix-shape u:1=4 -o new open.onnx
	[ "${lines[0]}" = "cix-lint: open.onnx: --fix-shape u:1=4: this \
dimension is fixed in the model, to 3" ]
	for two in "batch=1 batch=2" "batch=1 x:0=2" "u:0=1 u:0=2"; do
		# shellcheck disable=SC2086 # two words
		run -2 cix-lint --fix-shape $two -o new open.onnx
		[[ ${lines[0]} == *"another --fix-shape has chosen 1 for "* ]]
	done
	[ ! -e new ]
}

@test "--fix-shape needs a size, -o and one model" {
	for bad in N N= =3 N=0 N=-1 N=3x N=4294967296; do
		run -2 cix-lint --fix-shape="$bad" -o new open.onnx
	done
	run -2 cix-lint --fix-shape=batch=1 open.onnx
	[ "${lines[0]}" = "cix-lint: --fix-shape needs -o, the file for the \
new model" ]
	run -2 cix-lint --fix-shape=batch=1 -o new
	run -2 cix-lint --fix-shape=batch=1 -o new open.onnx open.onnx
	[ ! -e new ]
	# An operand with '=' is a file if there is such a file.
	cp open.onnx length=3
	run -2 cix-lint --fix-shape=batch=1 -o new open.onnx length=3
	cix-lint -q --fix-shape=batch=1 -o new length=3
	onnxfix fix open.onnx batch=1 | cmp - new
}

@test "--fix-shape refuses to replace its model or the model's weights" {
	ln open.onnx linked
	run -2 cix-lint --fix-shape=batch=1 -o linked open.onnx
	cmp linked "$BATS_FILE_TMPDIR/open.onnx"
	mkdir folder
	mkonnx Add f32:Nx4 f32:1x4@w.bin : f32:Nx4 >folder/ext.onnx
	echo kept >folder/w.bin
	run -2 cix-lint --fix-shape=in0:0=1 -o folder/w.bin folder/ext.onnx
	[ "$(cat folder/w.bin)" = kept ]
}

@test "--fix-shape notes weights in other files, unless they stay beside" {
	mkdir folder
	mkonnx Add f32:Nx4 f32:1x4@w.bin : f32:Nx4 >folder/ext.onnx
	run -0 cix-lint --fix-shape=in0:0=1 -o new.onnx folder/ext.onnx
	[ "$output" = "cix-lint: folder/ext.onnx: has weights in other files, \
such as 'w.bin': copy them to the folder of the new model" ]
	run -0 cix-lint --fix-shape=in0:0=1 -o folder/new.onnx folder/ext.onnx
	[ "$output" = "" ]
	cmp new.onnx folder/new.onnx
}

@test "--fix-shape refuses what is not a whole model, and leaves no file" {
	head -c 300 open.onnx >cut.onnx
	: >empty.onnx
	for f in cut.onnx empty.onnx . absent.onnx; do
		run -1 --separate-stderr cix-lint --fix-shape=batch=1 -o new "$f"
		[[ $stderr == "cix-lint: $f: "* ]]
	done
	echo '[Parser]' >a.cfg
	run -1 --separate-stderr cix-lint --fix-shape=batch=1 -o new a.cfg
	[ "$stderr" = "cix-lint: a.cfg: not an ONNX model; 'cix-lint a.cfg' says what is wrong, and a configuration names its model" ]
	run -1 cix-lint -q --fix-shape=batch=1 -o /dev/full open.onnx
	[[ $output == *"No space left on device"* ]]
	echo old >new
	run -1 cix-lint --fix-shape=batch=1 -o new cut.onnx
	[ "$(cat new)" = old ]
	[ "$(find . -name '*new*' | wc -l)" -eq 1 ]
}

# ---- --write-cfg -----------------------------------------------------------

# value KEY: prints the value of a key of out.
value() {
	sed -n "s/^$1 = //p" out
}

@test "--write-cfg has the name, the input, the shape and the dataset class" {
	mkonnx Relu f32:1x3x8x8 : f32:1x3x8x8 >good.onnx
	run -0 --separate-stderr cix-lint --write-cfg -o out good.onnx
	[ "$output$stderr" = "" ]
	[ "$(grep -v -e '^#' -e '^$' out)" = "[Common]
mode = build
[Parser]
model_type = ONNX
model_name = good
model_domain = IMAGE_CLASSIFICATION
input_model = good.onnx
input = in0
input_shape = [1, 3, 8, 8]
output_dir = ./
[Optimizer]
dataset = numpydataset
calibration_data =
calibration_batch_size = 1
output_dir = ./
quantize_method_for_activation = per_tensor_asymmetric
quantize_method_for_weight = per_channel_symmetric_restricted_range
weight_bits = 8
activation_bits = 8
bias_bits = 32
[GBuilder]
target = X2_1204MP3
outputs = good.cix
tiling = fps" ]
	[ "$(wc -L <out)" -le 80 ]
	grep -q '^# array: float32 of shape (SAMPLES, 3, 8, 8)$' out
	cix-lint --write-cfg good.onnx | cmp - out
	# The data is still to come: a note.
	run -0 cix-lint --strict out
	[[ $output == "out:"*": note: calibration_data: without "* ]]
}

@test "--write-cfg of several inputs has a class and a comment for them" {
	mkonnx Add f32:4x8 i64:4x8 : f32:4x8 >two.onnx
	cix-lint --write-cfg two.onnx >out
	[ "$(value input)" = in0,in1 ]
	[ "$(value input_shape)" = "[4, 8],[4, 8]" ]
	[ "$(value dataset)" = numpymultiinputdataset ]
	grep -q '^# Write its name .* two-calibration.npz$' out
	cix-lint -q out
	[ "$(value calibration_batch_size)" = 4 ]
	grep -qx "# input1, 'in1': int32 of shape (SAMPLES, 8)" out
}

@test "--write-cfg sorts several inputs by name, as the parser may do" {
	need_data hub/lint/two-inputs.onnx
	cp "$DATA" "${DATA%/*}/calib2.npz" .
	cix-lint --write-cfg two-inputs.onnx >out
	[ "$(value input)" = alpha,zeta ]
	grep -q "^# input0, 'alpha': " out
	sed -i 's/^calibration_data =$/& calib2.npz/' out
	run -0 cix-lint --strict -q out
	[ "$output" = "" ]
	# The shapes belong to the names.
	mkonnx Gather f32:9x4 i64:5 : f32:5x4 >gather.onnx
	cix-lint --write-cfg gather.onnx >out
	[ "$(value input_shape)" = "[9, 4],[5]" ]
	# Names of the same length in the bytes of the model.
	sed 's/in0/zz0/g' gather.onnx >swapped.onnx
	cix-lint --write-cfg swapped.onnx >out
	[ "$(value input)" = in1,zz0 ]
	[ "$(value input_shape)" = "[5],[9, 4]" ]
}

@test "--write-cfg says that 64-bit integers become 32, and is clean" {
	mkonnx Gather f32:4x2@w.bin i64:1x3 : f32:1x3x2 >ids.onnx
	head -c 32 /dev/zero >w.bin
	run -0 --separate-stderr cix-lint --write-cfg -o out ids.onnx
	[ "$stderr" = "" ]
	grep -q '^# array: int32 of shape (SAMPLES, 3)$' out
	grep -qx '# cix-lint: off int64-input' out
	run -0 cix-lint -q out
	[ "$output" = "" ]
	mkonnx Gather f32:4x2@w.bin i32:1x3 : f32:1x3x2 >ids.onnx
	cix-lint --write-cfg ids.onnx >out
	run -1 grep int64-input out
}

@test "--write-cfg refuses an open dimension and names --fix-shape" {
	run -1 --separate-stderr cix-lint --write-cfg open.onnx
	[ "$output" = "" ]
	[[ $stderr == "cix-lint: open.onnx: x: "*" open"*"; run cix-lint \
--fix-shape=batch=1 --fix-shape=length="*" -o OUT.onnx open.onnx" ]]
	cix-lint --fix-shape batch=1 length=4 u:0=1 u:2=5 -o new.onnx open.onnx
	cix-lint --write-cfg new.onnx >out
	[ "$(value input_shape)" = "[1, 3, 5],[1, 4],[1, 4]" ]
}

@test "--write-cfg leaves out names that a configuration cannot have" {
	/usr/bin/python3 "$TOP/tests/tools/onnxgen.py" odd-names >'odd name.onnx'
	run -0 --separate-stderr cix-lint --write-cfg 'odd name.onnx'
	printf '%s\n' "$output" >out
	[ "$(value input)" = "" ]
	grep -q '^input_shape = ' out
	[ "$(value model_name)" = odd_name ]
	[ "$(value input_model)" = "odd name.onnx" ]
	[ "$(grep -c '^\[' out)" -eq 4 ]
	run -1 grep '[^ -~]' out
	cp 'odd name.onnx' $'new\nline.onnx'
	run -1 cix-lint --write-cfg $'new\nline.onnx'
	[[ $output == *"a configuration cannot have this name"* ]]
	run -2 cix-lint --write-cfg - <'odd name.onnx'
	# A folder that cannot be written, and letters that can.
	mkdir $'new\nfolder'
	name=$'new\nfolder/模型,1.onnx'
	mkonnx Relu f32:1x3 : f32:1x3 >"$name"
	run -0 --separate-stderr cix-lint --write-cfg -o out "$name"
	[[ $stderr == *": run the compiler in the folder of the model" ]]
	[ "$(value input_model)" = 模型,1.onnx ]
	mv out $'new\nfolder/build.cfg'
	run -0 cix-lint --strict -q $'new\nfolder/build.cfg'
	[ "$output" = "" ]
}

@test "--write-cfg takes one model, and says what else a file is" {
	run -2 cix-lint --write-cfg
	run -2 cix-lint --write-cfg open.onnx open.onnx
	mkonnx Relu f32:1x3 : f32:1x3 >good.onnx
	run -2 cix-lint --write-cfg -o good.onnx good.onnx
	printf '[Common]\nmode = build\n' >a.cfg
	run -1 cix-lint --write-cfg a.cfg
	[ "$output" = "cix-lint: a.cfg: is a configuration; --write-cfg takes \
a model" ]
	head -c 300 open.onnx >cut.onnx
	run -1 --separate-stderr cix-lint --write-cfg -o new cut.onnx
	[[ $stderr == "cix-lint: cut.onnx: "*"download it again"* ]]
	[ ! -e new ]
	run -1 cix-lint --write-cfg absent.onnx
}

# clean NAME DATA: writes NAME.cfg for NAME.onnx of the test data, and checks it
# with this calibration data.
clean() {
	need_data "hub/lint/$1.onnx"
	cp "$DATA" .
	run -0 cix-lint --write-cfg -o "$1.cfg" "$1.onnx"
	[ "$output" = "" ]
	run -0 cix-lint --strict -q "$1.cfg"
	[ "$output" = "" ]
	cp "${DATA%/*}/$2" .
	sed -i "s/^calibration_data =$/& $2/" "$1.cfg"
	run -0 cix-lint --strict "$1.cfg"
	[ "$output" = "" ]
	cp "$1.cfg" out
}

@test "--write-cfg names layers that 8 bits would spoil" {
	clean good calib.npy
	grep -qx '#   activation_bits = 8 & <{^relu$}:16>' out
	clean mixed-output calib.npy
	[ "$(value activation_bits)" = '8 & <{^join$}:16>' ]
	[ "$(value weight_bits)" = 8 ]
	clean embedding-collapse calib_ids.npy
	[ "$(value activation_bits)" = '8 & <{^embed$}:16>' ]
	[ "$(value weight_bits)" = '8 & <{^embed$}:16>' ]
}

# table NAME LARGEST: writes table.onnx, where the node NAME takes rows of a
# table with small numbers and one large number.
table() {
	/usr/bin/python3 -c 'import sys, numpy as np
for name, kind in ("float", float), ("int", int), ("bool", bool), \
        ("object", object), ("str", str):
    setattr(np, name, kind)
import onnx
from onnx import helper, numpy_helper, TensorProto as T
rows = np.arange(256, dtype=np.float32).reshape(64, 4)
rows[0, 0] = float(sys.argv[2])
onnx.save(helper.make_model(helper.make_graph(
    [helper.make_node("Gather", ["rows", "ids"], ["y"], name=sys.argv[1])],
    "g", [helper.make_tensor_value_info("ids", T.INT32, [1, 8])],
    [helper.make_tensor_value_info("y", T.FLOAT, [1, 8, 4])],
    [numpy_helper.from_array(rows, "rows")]),
    opset_imports=[helper.make_opsetid("", 13)], ir_version=7),
    "table.onnx")' "$@"
}

@test "--write-cfg gives a layer floats if 16 bits are too few" {
	table embed 20000
	cix-lint --write-cfg table.onnx >out
	[ "$(value weight_bits)" = '8 & <{^embed$}:16>' ]
	[ "$(value trigger_float_op)" = "" ]
	table embed 1e9
	cix-lint --write-cfg table.onnx >out
	[ "$(value weight_bits)" = 8 ]
	[ "$(value trigger_float_op)" = \
	    'disable & <{^embed$}:float16_preferred>' ]
}

@test "--write-cfg names layers as the parser spells them" {
	while IFS='|' read -r name want; do
		table "$name" 20000
		cix-lint --write-cfg table.onnx >out
		[ "$(value weight_bits)" = "8 & <{^$want\$}:16>" ]
		cix-lint --disable=calibration --strict -q out
	done <<-'END'
	/a.1/b:c}>&%,#|/a\.1/b.c______
	größe]d|gr__e_d
	|y
	::|..
	END
	table $'a\nb' 20000
	cix-lint --write-cfg table.onnx >out
	[ "$(value weight_bits)" = '8 & <{^a_b$}:16>' ]
}

@test "--write-cfg joins the selectors of several layers" {
	/usr/bin/python3 -c 'import numpy as np
for name, kind in ("float", float), ("int", int), ("bool", bool), \
        ("object", object), ("str", str):
    setattr(np, name, kind)
import onnx
from onnx import helper, numpy_helper, TensorProto as T
rows = np.arange(256, dtype=np.float32).reshape(64, 4)
rows[0, 0] = 20000
onnx.save(helper.make_model(helper.make_graph(
    [helper.make_node("Gather", ["rows", "ids"], ["a"], name="first"),
     helper.make_node("Gather", ["rows", "ids"], ["b"], name="second"),
     helper.make_node("Add", ["a", "b"], ["y"])],
    "g", [helper.make_tensor_value_info("ids", T.INT32, [1, 8])],
    [helper.make_tensor_value_info("y", T.FLOAT, [1, 8, 4])],
    [numpy_helper.from_array(rows, "rows")]),
    opset_imports=[helper.make_opsetid("", 13)], ir_version=7),
    "two.onnx")'
	cix-lint --write-cfg two.onnx >out
	[ "$(value weight_bits)" = '8 & <{^first$}:16> <{^second$}:16>' ]
	cix-lint --disable=calibration --strict -q out
}

@test "--write-cfg notes what no configuration can mend" {
	need_data hub/models/yolo11n-pose-oneoutput-int8.onnx
	run -0 --separate-stderr cix-lint --write-cfg -o out "$DATA"
	[ "$stderr" = "cix-lint: $DATA: the configuration cannot mend all: run \
cix-lint on it, which prints 1 more finding" ]
	[ "$(value model_domain)" = OBJECT_DETECTION ]
	run -0 --separate-stderr cix-lint -q --write-cfg -o out "$DATA"
	[ "$stderr" = "" ]
}
