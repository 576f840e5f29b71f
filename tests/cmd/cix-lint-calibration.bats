#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# cix-lint compares the calibration data with the model and the configuration.

load ../support/helper

gen() {
	/usr/bin/python3 "$TOP/tests/tools/calibgen.py" "$@"
}

# configure DATASET DATA [KEY=VALUE]...: writes m.cfg for m.onnx, with these
# keys in [Optimizer].
configure() {
	cat >m.cfg <<-E
	[Common]
	mode = build
	[Parser]
	model_type = ONNX
	model_name = m
	input_model = m.onnx
	${PARSER:-}
	[Optimizer]
	dataset = $1
	calibration_data = $2
	$(shift 2; printf '%s\n' "$@")
	[GBuilder]
	target = X2_1204MP3
	outputs = m.cix
	E
}

# found: prints the findings about calibration data in m.cfg, with what to
# write on a second line.
found() {
	run cix-lint -F json m.cfg
	jq -r '.files[0].findings[] | select(.rule | IN("calibration",
	    "dataset", "input-order", "lfs-pointer")) |
	    "\(.level) \(.line) \(.rule) \(.where // "-"): \(.message)\n \(
	    .fix)"' <<<"$output"
}

# finds TEXT...: these lines are what found prints, without what to write.
finds() {
	local got
	got=$(found | grep -v '^ ') || :
	[ "$got" = "$(printf '%s\n' "$@")" ] || {
		echo "$got"
		return 1
	}
}

@test "data that fits the input gives no finding" {
	gen model picture >m.onnx
	for type in '<f4' '>f4' '<f8' '<f2'; do
		gen npy "$type" 4,3,8,8 ramp >c.npy
		configure NumpyDataset c.npy
		[ "$(found)" = "" ]
		PARSER=$'input = x\ninput_shape = [1, 3, 8, 8]' configure numpydataset c.npy
		[ "$(found)" = "" ]
	done
	gen model table >m.onnx
	for type in '<i4' '<i8' '<f4'; do
		gen npy "$type" 4,16 ids >c.npy
		configure numpydataset c.npy
		[ "$(found)" = "" ]
	done
}

@test "the file is looked for in the configuration's folder" {
	mkdir d
	gen model picture >d/m.onnx
	gen npy '<f4' 4,3,8,8 ramp >d/c.npy
	configure numpydataset c.npy
	mv m.cfg d
	run -0 cix-lint -q d/m.cfg
	[ "$output" = "" ]
	rm d/c.npy
	run -4 cix-lint -q d/m.cfg
	[[ $output == *"'c.npy': No such file or directory [calibration]"* ]]
}

@test "a shape that differs is an error with the array to save" {
	local shape fix
	gen model picture >m.onnx
	configure numpydataset c.npy
	while IFS='|' read -r shape fix; do
		gen npy '<f4' "$shape" ramp >c.npy
		finds "error 10 calibration x: the array has the shape [$shape], and the input takes [N,3,8,8]"
		[ "$(found | tail -n 1)" = " $fix" ]
	done <<-E
	4,3,8,7|save samples as [N,3,8,8], where N is their number
	4,8,8,3|save array.transpose(0, 3, 1, 2), or write dataset = numpynhwc2nchwdataset
	4,1,3,8,8|save array.squeeze(1): the compiler adds the axis of the batch
	3,8,8|save array[None], with an axis of samples in front
	4,192|save array.reshape(-1, 3, 8, 8), if the numbers are in this order
	E
}

@test "a class that moves the channels takes the other order of axes" {
	gen model picture >m.onnx
	gen npy '<f4' 4,8,8,3 ramp >c.npy
	for class in numpynhwc2nchwdataset numpynhwcrgb2ncbgrhwdataset; do
		configure $class c.npy
		[ "$(found)" = "" ]
	done
	gen npy '<f4' 4,3,8,8 ramp >c.npy
	finds "error 10 calibration x: the array has the shape [4,3,8,8], and the input takes [N,3,8,8] after numpynhwcrgb2ncbgrhwdataset has moved the channels"
}

@test "data that fits the model or input_shape has the right shape" {
	gen model picture >m.onnx
	gen npy '<f4' 4,3,8,8 ramp >c.npy
	PARSER=$'input = x\ninput_shape = [1, 3, 16, 16]' configure numpydataset c.npy
	[ "$(found)" = "" ]
	gen npy '<f4' 4,3,16,16 ramp >c.npy
	[ "$(found)" = "" ]
	gen npy '<f4' 4,3,16,8 ramp >c.npy
	finds "error 11 calibration x: the array has the shape [4,3,16,8], and the input takes [N,3,16,16]"
}

@test "an empty array is an error, and few samples are a note" {
	gen model picture >m.onnx
	configure numpydataset c.npy
	gen npy '<f4' 0,3,8,8 ramp >c.npy
	finds 'error 10 calibration x: the array is empty: it has 0 samples'
	gen npy '<f4' 1,3,8,8 ramp >c.npy
	finds 'note 10 calibration -: 1 sample: the ranges of activations are found with these alone'
}

@test "NaN, infinity, one number and whole numbers to 255 are warnings" {
	gen model picture >m.onnx
	configure numpydataset c.npy
	gen npy '<f4' 4,3,8,8 nan >c.npy
	finds 'warning 10 calibration x: 1 of 768 numbers is NaN, first in sample 1'
	gen npy '<f4' 4,3,8,8 infinite >c.npy
	finds 'warning 10 calibration x: 1 of 768 numbers is infinite, or too large for float32'
	configure numpydataset c.npy 'trim_infinity_before_statistic = clip(-9,9)'
	[ "$(found)" = "" ]
	configure numpydataset c.npy
	gen npy '<f4' 4,3,8,8 0 >c.npy
	finds 'warning 10 calibration x: all 768 numbers are 0'
	for type in '<f4' '|u1'; do
		gen npy "$type" 4,3,8,8 bytes >c.npy
		finds 'warning 10 calibration x: the numbers are from 0 to 255, all whole, as in pictures that are not normalised; models usually take 0 to 1, or numbers around 0'
	done
	gen npy '<f4' 4,3,8,8 resized >c.npy
	[[ $(found) == 'warning 10 calibration x: the numbers are from 0 to 254.9'* ]]
}

@test "a model that normalises its input takes numbers from 0 to 255" {
	gen npy '<f4' 4,3,8,8 bytes >c.npy
	configure numpydataset c.npy
	for model in scaled small-weights; do
		gen model $model >m.onnx
		[ "$(found)" = "" ]
	done
}

@test "ids that a table does not have are an error" {
	gen model table >m.onnx
	configure numpydataset c.npy
	gen npy '<i4' 4,16 511 >c.npy
	[[ $(found) == 'warning 10 calibration ids: all 64 numbers are 511'* ]]
	gen npy '<i4' 33,16 ids >c.npy
	[ "$(found)" = "" ]
	gen npy '<f4' 4,16 ramp >c.npy
	[[ $(found) == *'numbers are not whole, and the input is s32'* ]]
	gen npy '<i4' 4,16 from-449 >c.npy
	finds "error 10 calibration ids: the numbers are from 449 to 512, and the table 'T' has 512 rows"
}

@test "several inputs need a class for several, and an array each" {
	gen model sorted >m.onnx
	gen npz a:'<f4':4,8:ramp b:'<f4':4,8:ramp >c.npz
	configure numpydataset c.npz
	[[ $(found) == 'error 9 dataset dataset: numpydataset has the data of one input, and the model has 2'$'\n'*numpymultiinputdataset* ]]
	for class in numpymultiinputdataset NumpyZippedDataset; do
		configure $class c.npz
		[[ $(found) != *error* && $(found) != *warning* ]]
	done
	gen npz a:'<f4':4,8:ramp >c.npz
	finds "error 10 calibration -: 'c.npz' has 1 array, and the model takes 2 inputs"
	gen npz alpha:'<f4':4,8:ramp zeta:'<f4':3,8:ramp >c.npz
	finds 'note 10 input-order -: the data is for the inputs in the order alpha, zeta, and the parser may change this order; sorted by name it is alpha, zeta' \
	    "error 10 calibration zeta: 3 samples of this input, and 4 of 'alpha'"
	gen npy '<f4' 4,8 ramp >c.npy
	configure numpymultiinputdataset c.npy
	finds "error 9 dataset dataset: numpymultiinputdataset reads a .npz, and 'c.npy' is a .npy"
}

@test "a .npz for a class of one array is an error" {
	gen model picture >m.onnx
	gen npz x:'<f4':4,3,8,8:ramp >c.npz
	configure numpydataset c.npz
	finds "error 9 dataset dataset: numpydataset reads a .npy, and 'c.npz' is a .npz"
	configure numpymultiinputdataset c.npz
	[ "$(found)" = "" ]
}

@test "inputs that are not in the order of their names are a warning" {
	gen model pair >m.onnx
	gen npz input0:'<f4':4,8:ramp input1:'<f4':4,8:ramp >c.npz
	configure numpymultiinputdataset c.npz
	order='warning 10 input-order -: the data is for the inputs in the order zeta, alpha, and the parser may sort them by name: alpha, zeta'
	finds "$order"
	[[ $(found) == *'save the arrays in that order' ]]
	# The names of the arrays say which input each is for.
	gen npz zeta:'<f4':4,8:ramp alpha:'<f4':4,8:ramp >c.npz
	finds "$order"
	gen npz alpha:'<f4':4,8:ramp zeta:'<f4':4,8:ramp >c.npz
	[[ $(found) == 'note 10 input-order'* ]]
	# The shapes say it, also.
	gen model different >m.onnx
	gen npz input0:'<f4':4,8:ramp input1:'<f4':4,4:ramp >c.npz
	[[ $(found) == 'note 10 input-order'* ]]
	gen npz input0:'<f4':4,9:ramp input1:'<f4':4,4:ramp >c.npz
	[[ $(found) == *"error 10 calibration zeta: the array 'input0' has the shape [4,9], and the input takes [N,4]"* ]]
	# The key input has another order.
	gen model pair >m.onnx
	gen npz input0:'<f4':4,8:ramp input1:'<f4':4,8:ramp >c.npz
	PARSER='input = alpha,zeta' configure numpymultiinputdataset c.npz
	[[ $(found) == 'note 10 input-order'* ]]
}

@test "without data the ranges come from zeros, unless they are known" {
	gen model picture >m.onnx
	configure '' ''
	finds 'note 10 calibration calibration_data: without calibration data, the compiler finds the ranges of activations with inputs of zeros'
	sed -i '/^calibration_data/d' m.cfg
	finds 'warning 8 calibration calibration_data: without calibration data, the compiler finds the ranges of activations with inputs of zeros'
	for key in 'statistic_file = s.npy' 'skip_optimization = True' \
	    'calibration_strategy_for_activation = in_ir'; do
		configure '' '' "$key"
		[ "$(found)" = "" ]
	done
}

@test "data that is missing or of another format is an error" {
	gen model picture >m.onnx
	configure numpydataset c.npy
	finds "error 10 calibration -: 'c.npy': No such file or directory"
	: >c.npy
	finds "error 10 calibration -: 'c.npy': neither a .npy nor a .npz"
	printf '\223NUMPY\1\0v\0{' >c.npy
	finds "error 10 calibration -: 'c.npy': npy: the file has 11 bytes, and a header at least 12; is it cut?"
	printf 'version https://git-lfs.github.com/spec/v1\noid 1\n' >c.npy
	finds "error 10 lfs-pointer -: 'c.npy' is a Git LFS pointer, not the data"
	printf '\200\4]\224.' >c.npy
	finds "error 10 calibration -: 'c.npy': a pickle, not a .npy or .npz"
	configure numpydataset .
	finds "error 10 calibration -: '.': not a regular file"
	# Data of a class for folders only has to be there.
	configure CocoDataset .
	[ "$(found)" = "" ]
	configure CocoDataset none
	finds "error 10 calibration -: 'none': No such file or directory"
}

@test "pickled objects are an error that says how to save the data" {
	gen model picture >m.onnx
	configure numpydataset c.npy
	gen header "{'descr': '|O', 'fortran_order': False, 'shape': (), }" \
	    50 >c.npy
	finds "error 10 calibration -: 'c.npy': npy: pickled Python objects ('|O'), which are not read, because unpickling runs code from the file; save arrays of numbers, several with numpy.savez()"
	[[ $(found) == *'numpy.save('* ]]
	configure GeneralDictDataset c.npy
	finds "note 10 calibration -: 'c.npy' is not checked: generaldictdataset reads Python objects"
	gen model sorted >m.onnx
	configure numpymultiinputdataset c.npy
	[[ $(found) == *'numpy.savez('* ]]
}

@test "a FIFO as calibration data is refused, and does not block" {
	gen model picture >m.onnx
	mkfifo c.npy
	configure numpydataset c.npy
	finds "error 10 calibration -: 'c.npy': not a regular file"
}

@test "hostile headers are refused" {
	local shape says
	gen model picture >m.onnx
	configure numpydataset c.npy
	while IFS='|' read -r shape says; do
		gen header "{'descr': '<f4', 'fortran_order': False, 'shape': $shape, }" 64 >c.npy
		[[ $(found) == "error 10 calibration -: 'c.npy': npy: "*"$says"* ]]
	done <<-'E'
	(1152921504606846976,)|the array has more than 2^40 bytes
	(1152921504606846976, 1152921504606846976)|the array has more than 2^40 bytes
	(9223372036854775808,)|dimension 0 is not a number below 2^63
	(17,)|the array has 68 bytes, and the file 64 after the header; is it cut?
	(-1,)|dimension 0 is not a number
	3|shape is not a tuple
	E
	gen header "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }" 8 >c.npy
	[[ $(found) == *'the array has no simple type'* ]]
	gen npz x:'<f4':4,3,8,8:ramp >c.npy
	head -c 500 c.npy >cut.npy
	configure numpymultiinputdataset cut.npy
	finds "error 10 calibration -: 'cut.npy': npz: the archive has no directory at its end; is it cut?"
	# A byte of the data.
	configure numpymultiinputdataset c.npy
	printf '\377' | dd of=c.npy bs=1 seek=300 conv=notrunc status=none
	[[ $(found) == "error 10 calibration x: 'c.npy': damaged: the checksum is "* ]]
}

@test "files for an evaluation that are missing are warnings" {
	gen model picture >m.onnx
	gen npy '<f4' 4,3,8,8 ramp >c.npy
	configure numpydataset c.npy 'data = d.npy' 'label = c.npy'
	finds "warning 11 calibration data: 'd.npy': No such file or directory"
}

@test "each section of the optimizer is checked, also by its old name" {
	gen model picture >m.onnx
	configure numpydataset none
	sed -i 's/Optimizer/AutoQuantizationTool/' m.cfg
	finds "error 10 calibration -: 'none': No such file or directory"
	sed -i 's/AutoQuantizationTool/Optimizer_1/' m.cfg
	finds "error 10 calibration -: 'none': No such file or directory"
}

@test "the reader gives what numpy reads, and refuses what numpy refuses" {
	/usr/bin/python3 -c 'import numpy' || skip 'no python3-numpy'
	run -0 /usr/bin/python3 "$TOP/tests/tools/samplesref.py" \
	    "$B/tests/tools/samplesdump"
	[ "$output" = "" ]
}

@test "a number that a type cannot represent is refused, with its sample" {
	# Sample 8 begins with 128.
	gen npy '<i4' 9,16 ids >c.npy
	run -1 --separate-stderr samplesdump c.npy s8
	[ "$stderr" = "samplesdump: sample 8: number 0 is 128, which s8 cannot represent" ]
	gen npy '<f4' 2,4 ramp >c.npy
	run -0 samplesdump c.npy s8
}

@test "the fixtures have the rules of expected.json about calibration data" {
	need_data hub/lint/expected.json
	cd "$NPU_TEST_DATA/hub/lint"
	for f in *.cfg; do
		want=$(jq -c --arg f "${f%.cfg}" '[.[$f][] | select(.rule |
		    IN("calibration", "dataset", "input-order")) |
		    [.rule, .level]]' expected.json)
		run cix-lint -F json "$f"
		[ "$(jq -c '[.files[0].findings[] | select(.level != "note" and
		    (.rule | IN("calibration", "dataset", "input-order"))) |
		    [.rule, .level]]' <<<"$output")" = "$want" ]
	done
}
