# SPDX-License-Identifier: Apache-2.0
# What cix-lint finds in the text of a configuration.

load ../support/helper

# base: writes a configuration without mistakes, for a model that is absent.
base() {
	cat >a.cfg <<-'END'
	[Common]
	mode = build
	[Parser]
	model_type = onnx
	model_name = net
	input_model = net.onnx
	input = x
	input_shape = [1, 3, 8, 8]
	[Optimizer]
	dataset = NumpyDataset
	calibration_data = data.npy
	[GBuilder]
	target = X2_1204MP3
	outputs = net.cix
	END
}

# add SECTION LINE...: adds lines at the begin of a section.
add() {
	local line section=$1
	shift
	for line; do
		line=$line perl -pi -e \
		    "print(\"[$section]\\n\"), \$_ = \"\$ENV{line}\\n\" if /^\\[$section\\]/" \
		    a.cfg
	done
}

# lint FILE: prints the findings, and ignores that there are errors.
lint() {
	cix-lint -q "$@" || [ $? -eq 4 ]
}

# found [FILE [OPTION...]]: prints "RULE LEVEL LINE WHERE" for each finding about
# the configuration itself.
found() {
	lint -F gcc "${@:2}" "${1:-a.cfg}" | sed -En \
	    -e 's/^[^:]*:([0-9]+):1: ([a-z]+): ([^:]*): .* \[([a-z-]+)\]$/\4 \2 \1 \3/' \
	    -e '/^(section|key|missing|value|layer-ids|target) /p' \
	    -e '/^dataset .* dataset$/p'
}

# clean [FILE [OPTION...]]: checks that nothing is found.
clean() {
	local out
	out=$(found "$@")
	[ "$out" = '' ] || {
		echo "$out"
		return 1
	}
}

# accepted SECTION LINE...: each line alone gives no finding.
accepted() {
	local line
	for line in "${@:2}"; do
		base
		add "$1" "$line"
		clean || {
			echo "for $line"
			return 1
		}
	done
}

# refused SECTION FINDING LINE...: each line alone gives "RULE LEVEL".
refused() {
	local line
	for line in "${@:3}"; do
		base
		add "$1" "$line"
		found >out
		[ "$(awk '{ print $1, $2 }' out)" = "$2" ] || {
			echo "$line: $(cat out)"
			return 1
		}
	done
}

# fix: prints what cix-lint proposes for a.cfg, without the model's findings.
fix() {
	lint a.cfg --disable=not-onnx,calibration,external-data |
	    sed -n 's/^    //p'
}

@test "a configuration has the values that Python's configparser reads" {
	/usr/bin/python3 -c 'import configparser' || skip 'no python3'
	/usr/bin/python3 "$TOP/tests/tools/iniref.py" 2000
}

@test "an expression matches the names that Python's re.match() matches" {
	/usr/bin/python3 -c 'import re' || skip 'no python3'
	/usr/bin/python3 "$TOP/tests/tools/nameref.py" 10000
}

@test "what configparser refuses is an error that names the lines" {
	base
	clean
	add Parser 'model_name = other'
	[ "$(fix)" = 'remove line 4 or line 6' ]
	lint a.cfg | grep -q "a.cfg:6: error: 'model_name' is there \
twice in \[Parser\], on lines 4 and 6 (DuplicateOptionError) \[key\]"
	base
	printf '[Parser]\ninput = y\n' >>a.cfg
	lint a.cfg | grep -q '^a.cfg:15: error: .* 3 and 15 (Dup.*\[section\]$'
	base
	sed -i '1i key = before' a.cfg
	lint a.cfg | grep -q '^a.cfg:1: error: .*(Missing.* \[section\]$'
	base
	printf '\357\273\277' | cat - a.cfg >b.cfg
	lint b.cfg | grep -q '^b.cfg:1: error: .*byte order .*\[section\]$'
	[ "$(lint b.cfg | grep -c '^b.cfg.*\(section\|missing\)')" -eq 1 ]
	printf '# \351\n' >>a.cfg
	lint a.cfg | grep -q '^a.cfg:15: error: byte 0xe9 .*\[value\]$'
}

@test "configurations of the hub and of users give no error" {
	cat >yolov8l.cfg <<-'END'
	[Common]
	mode = build

	[Parser]
	model_type = ONNX
	model_name = yolov8_l
	detection_postprocess =
	model_domain = OBJECT_DETECTION
	input_data_format = NCHW
	input_model = ./yolov8l-sim.onnx
	input = images
	input_shape = [1, 3, 640, 640]
	output_dir = ./

	[Optimizer]
	dataset = numpydataset
	calibration_data = datasets/calib_data_tmp.npy
	calibration_batch_size = 1
	output_dir = ./
	dump_dir = ./
	quantize_method_for_activation = per_tensor_asymmetric
	quantize_method_for_weight = per_channel_symmetric_restricted_range
	save_statistic_info = True
	trigger_float_op = disable & <[(258, 272)]:float16_preferred!>
	weight_bits = 8& <[(273,274)]:16>
	activation_bits = 8& <[(273,274)]:16>
	bias_bits = 32& <[(273,274)]:48>

	[GBuilder]
	target = X2_1204MP3
	outputs = yolov8_l.cix
	tiling = fps
	profile = True
	END
	[ "$(found yolov8l.cfg)" = 'layer-ids warning 24 trigger_float_op
layer-ids warning 25 weight_bits
layer-ids warning 26 activation_bits
layer-ids warning 27 bias_bits' ]
	sed -e 's/^detection_post.*/detection_postprocess = yolo/' \
	    -e '/_bits/d' -e 's/(258, 272)/(167, 182)/' yolov8l.cfg >yolov8s.cfg
	[ "$(found yolov8s.cfg)" = 'layer-ids warning 24 trigger_float_op' ]
	cat >vdsr.cfg <<-'END'
	[Common]
	mode = build

	[Parser]
	model_type = onnx
	model_name = vdsr
	input_model = ./vdsr-sim.onnx
	input = input.1
	input_shape = [1,1,256,256]
	output_dir = ./out

	[Optimizer]
	metric_batch_size = 1
	dataset = numpydataset
	calibration_data = ./datasets/calib_data_tmp.npy
	calibration_batch_size = 1
	calibration_strategy_for_activation = extrema & <[Convolution]:mean>
	quantize_method_for_weight = per_channel_symmetric_full_range
	quantize_method_for_activation = per_tensor_asymmetric
	activation_bits = 8
	weight_bits = 8
	bias_bits = 32
	cast_dtypes_for_lib = True
	output_dir = ./out
	save_statistic_info=False

	[GBuilder]
	outputs=vdsr.cix
	target=X2_1204MP3
	tiling= fps
	END
	clean vdsr.cfg
	sed -i -e '/cast_dtypes/a opt_config = cfg/opt_template.json' \
	    -e "/\[Optimizer/a trigger_float_op = disable & \
<{.*Gather.*}:float16_preferred!> <{.*embeddings.*}:float16_preferred!>" vdsr.cfg
	clean vdsr.cfg
	# The examples of the parser and of the optimizer.
	sed -n '/^\[Par/,/^$/{ s/Parser/Common/; p; }' vdsr.cfg >old.cfg
	clean old.cfg
	sed 's/^\[Optimizer\]/[AutoQuantizationTool]/' vdsr.cfg >older.cfg
	sed -i '/^\[Auto/a quantize_method = SYMMETRIC\
ops_per_channel = DepthwiseConv\nquant_precision = int8' older.cfg
	clean older.cfg
	sed 's/^\[Optimizer\]/[Optimizer_1]/' vdsr.cfg >several.cfg
	clean several.cfg
	printf '[Common]\ngraph = a.txt\nbin = a.bin\nmodel_name = a
dataset = numpynhwcrgb2ncbgrhwdataset\ncalibration_data = c.npy
metric = TopKMetric(1),TopKMetric(5)\ndata = d.npy\nlabel = l.npy
dataloader_workers=0\nlut_items_in_bits = 8\n' >optimizer.cfg
	clean optimizer.cfg
}

@test "comments behind values are warnings, as in the guide's example" {
	cat >clip.cfg <<-'END'
	[Parser]
	model_name = clip
	model_type = onnx
	input_model = model/clip_text_model_vitb32.onnx
	input = TEXT
	input_shape = [1, 77]      # Static shape: batch=1, sequence_length=77

	[Optimizer]
	weight_bits = 8             # INT8 weights
	activation_bits = 8         ; INT8 activations
	dataset = numpydataset
	calibration_data = datasets/text_cal.npy
	quantize_method_for_activation = per_tensor_asymmetric

	[GBuilder]
	target = X2_1204MP3         # Zhouyi Z3 target (3 cores, 4 TECs each)
	outputs = clip_txt.cix
	END
	[ "$(found clip.cfg)" = 'value warning 6 input_shape
value warning 9 weight_bits
value warning 10 activation_bits
value warning 16 target' ]
	sed -i -E -e 's/ +[#;].*//' clip.cfg
	clean clip.cfg
}

@test "an unknown section gets the closest spelling" {
	for name in parser Parsr Optimiser GBulder; do
		base
		printf '[%s]\n' "$name" >>a.cfg
		lint a.cfg | grep -q "^a.cfg:15: error: no section is \
called \[$name\] \[section\]$"
		fix | grep -qE '^write \[(Parser|Optimizer|GBuilder)\]$'
	done
	base
	printf '[Whatever]\nanything = 1\n[Runtime]\nanything = 2\n' >>a.cfg
	fix | grep -q '^the sections are \[Common\]'
	[ "$(lint a.cfg | grep -c '\[section\]$')" -eq 1 ]
}

@test "an unknown key gets the closest spelling, or the section that has it" {
	local section line want
	while IFS='|' read -r section line want; do
		base
		add "$section" "$line"
		[ "$(found | sed -E 's/ [0-9]+//')" = "key error ${line%% =*}" ]
		[ "$(fix)" = "$want" ]
	done <<-'END'
	GBuilder|output_dir = ./|remove the line, or move it to [Parser] or [Optimizer]
	GBuilder|output = a.cix|write 'outputs = a.cix', or move the line to [Parser]
	GBuilder|tilling = fps|write 'tiling = fps'
	Parser|model_path = a.onnx|write 'input_model = a.onnx'
	Parser|modle_domain = b|write 'model_domain = b'
	Parser|target = X2_1204|remove the line, or move it to [GBuilder]
	Parser|weight_bits = 8|remove the line, or move it to [Optimizer]
	Optimizer|calibration_dta = a.npy|write 'calibration_data = a.npy'
	Optimizer|calibration_shuffle = True|write 'calibration_shuffe = True'
	Optimizer|input_shape = [1]|remove the line, or move it to [Parser]
	Common|model_domain = x|remove the line, or move it to [Parser]
	Common|zzzzzz = 1|remove the line
	END
	base
	printf '[DEFAULT]\noutput_dir = x\n' >>a.cfg
	[ "$(found)" = 'key error 16 output_dir' ]
}

@test "required keys that are absent or empty are errors" {
	for key in model_type model_name input_model; do
		base
		sed -i "/^$key /d" a.cfg
		[ "$(found)" = "missing error 3 $key" ]
		add Parser "$key ="
		[ "$(found)" = "missing error 4 $key" ]
	done
	base
	sed -i '/^model_name/d' a.cfg
	[ "$(fix)" = 'model_name = net' ]
	sed -i '/^\[Parser/,/^input_shape/d' a.cfg
	[ "$(found)" = 'missing error 1 [Parser]' ]
	: >a.cfg
	[ "$(found)" = 'missing error 1 [Parser]' ]
	base
	sed -i '/^target/d; /^dataset/d' a.cfg
	[ "$(found)" = 'missing warning 9 dataset
missing warning 11 target' ]
	base
	add Optimizer 'metric = TopKMetric' 'data = a.npy'
	[ "$(found)" = 'missing error 9 label' ]
	base
	sed -i -e 's/^model_type.*/model_type = pytorch/' -e '/^input_shape/d' a.cfg
	[ "$(found)" = 'missing error 3 input_shape' ]
}

@test "values of the parser" {
	accepted Parser 'model_domain = OBJECT_DETECTION' 'model_domain =' \
	    'detection_postprocess =' 'detection_postprocess = yolo' \
	    'detection_postprocess = yolo3_tiny' 'iou_threshold = .5' \
	    'input_dtype = float32, INT32' 'preprocess_type = resize,RGB2BGR' \
	    'preprocess_params = {bilinear,[1,4,4,3]},{}' 'max_box_num = 300' \
	    'force_float_ir = true' 'input_layout = NCHW,None' \
	    'dynamic_axes = [],[0:batch]' 'box_format = xy'
	refused Parser 'value error' 'model_domain = detection' \
	    'detection_postprocess = yolo9' 'iou_threshold = half' \
	    'input_dtype = float23' 'preprocess_type = RGB2RGB' \
	    'max_box_num = 0' 'image_width = -1'
	refused Parser 'value warning' 'force_float_ir = yes' \
	    'loop_max_count = 0'
	base
	for type in onnx ONNX tensorflow tf tflite torch PyTorch; do
		sed -i "s/^model_type.*/model_type = $type/" a.cfg
		clean
	done
	sed -i 's/^model_type.*/model_type = caffe/' a.cfg
	[ "$(found)" = 'value error 4 model_type' ]
	[ "$(fix)" = 'convert the model to ONNX' ]
	for mode in BUILD run; do
		base
		sed -i "s/^mode .*/mode = $mode/" a.cfg
		clean
	done
	sed -i 's/^mode .*/mode = compile/' a.cfg
	[ "$(fix)" = 'write build or run' ]
}

@test "input_shape is a list of fixed sizes for each input" {
	base
	for shape in '[1,77]' '[1, 3,224 ,224],[1,77]' '[[1,3,8,8]]' '[]' \
	    '[1],' '[1] [2]'; do
		sed -i "s/^input_shape.*/input_shape = $shape/" a.cfg
		clean
	done
	for shape in 1,3,224,224 '[1,3,224' '[0,3]' '[-1,3]' '[batch,3]' \
	    '[1,3]x' '[1.5]' '[,1]'; do
		sed -i "s/^input_shape.*/input_shape = $shape/" a.cfg
		lint a.cfg | grep -q '^a.cfg:8: error: .*\[value\]'
	done
}

@test "values of the optimizer" {
	accepted Optimizer 'weight_bits = 4' 'weight_bits = 16' 'bias_bits = 48' \
	    'activation_bits = 8' 'weight_bits =' 'quant_type = W8A8' \
	    'quantize_method_for_weight = per_block_asymmetric' \
	    'calibration_strategy_for_weight = in_ir' \
	    'calibration_strategy_for_activation = 3std' \
	    'calibration_strategy_for_activation = kld' \
	    'calibration_strategy_for_activation = 10kld' \
	    'calibration_strategy_for_activation = 1.5aciq_laplace' \
	    'calibration_strategy_for_activation = [0.1]percentile' \
	    'calibration_strategy_for_activation = 0.999percentile' \
	    'calibration_strategy_for_weight = weighted_scale_param[0.1, 1,2.,3]' \
	    'global_calibration = none' 'global_calibration = easy_quant' \
	    'global_calibration = adaround[10, 10, 32, 0.01]' \
	    'global_calibration = EASY_QUANT & adaquant_zy[1]' \
	    'global_calibration = svd_quant[1][Convolution,MatMul]' \
	    'trigger_float_op = disable' 'trigger_float_op = float16_preferred!' \
	    'trigger_float_op = bfloat16_act_int_wht' \
	    'trigger_float_op = float32_act_fp8e4m3fn_wht!' \
	    'mixed_precision_auto_search = 0,0.,L' 'modify_batch_dim = False' \
	    'trim_infinity_before_statistic = clip(-inf, inf)' \
	    'enable_pass_tune_op_softmax = [1,8][0]' 'dump = true' \
	    'min_compatible_zhouyi_target = X2' 'running_statistic_momentum = 0.9' \
	    'unify_scales_for_concat_threshold = 1.05' 'histc_bins = 2048' \
	    'set_qinvariant_for_start_nodes = 1, 2'
	refused Optimizer 'value error' 'weight_bits = 3' 'weight_bits = 17' \
	    'weight_bits = 8.0' 'weight_bits = eight' 'activation_bits = 4' \
	    'bias_bits = 15' 'bias_bits = 49' 'lut_items_in_bits = 7' \
	    'quantize_method_for_activation = per_channel_asymmetric' \
	    'quantize_method_for_activation = per_block_asymmetric' \
	    'quantize_method_for_weight = per_tensor' 'quant_type = w3a3' \
	    'calibration_strategy_for_weight = std' \
	    'calibration_strategy_for_weight = -1kld' \
	    'calibration_strategy_for_weight = maximum' \
	    'calibration_strategy_for_weight = weighted_scale_param[1,2]' \
	    'global_calibration = adaround[]' 'global_calibration = adarund' \
	    'trigger_float_op = float16' 'trigger_float_op = float64_preferred' \
	    'trigger_float_op = float16_preferred!!' \
	    'mixed_precision_auto_search = 0,0.,X' 'histc_bins = 0' \
	    'calibration_batch_size = 0' 'save_statistic_info = yes' \
	    'enable_pass_tune_op_softmax = 1' \
	    'min_compatible_zhouyi_target = Y9' 'metric_batch_size = 1.5'
	base
	add Optimizer 'quantize_method_for_activation = per_tensor_asymetric'
	[ "$(fix)" = 'write per_tensor_asymmetric' ]
	base
	add Optimizer 'trigger_float_op = disable & <[Softmax]:float16_prefered!>' \
	    'calibration_strategy_for_weight = extrem' \
	    'global_calibration = easyquant'
	[ "$(fix)" = 'write easy_quant
write extrema
write float16_preferred' ]
}

@test "datasets and metrics are known in any case" {
	for name in numpydataset NUMPYMULTIINPUTDATASET NumpyNHWCRGB2BGR; do
		base
		sed -i "s/^dataset.*/dataset = $name/" a.cfg
		[ "$(found | grep -v "^dataset .* input")" = '' ]
	done
	sed -i 's/^dataset.*/dataset = NumpyDatset/' a.cfg
	[ "$(found)" = 'dataset error 10 dataset' ]
	[ "$(fix)" = 'write NumpyDataset' ]
	for metric in topkmetric TopK 'TopKMetric(1),TopKMetric(5)' 'mAP' \
	    'mIoUMetric( 21 ), psnr' 'CosDistanceMetric()'; do
		base
		add Optimizer "metric = $metric" 'data = a' 'label = b'
		clean
	done
	for metric in TopZMetric 'TopKMetric(1' 'TopKMetric,,' 'mAP mAP'; do
		base
		add Optimizer "metric = $metric" 'data = a' 'label = b'
		[ "$(found)" = 'value error 12 metric' ]
	done
}

@test "a value may differ between layers" {
	accepted Optimizer 'weight_bits = 8 & <[Convolution, MatMul]:16>' \
	    'weight_bits = 8&<{.*head.*}:16><[Softmax]:8>' \
	    'trigger_float_op = disable & <{/model[.]22/.*}:float16_preferred!>' \
	    'cast_dtypes_for_lib = False & <[Softmax]:True>' \
	    'weight_bits = 8 &
  <[Softmax]:16>'
	refused Optimizer 'layer-ids warning' 'weight_bits = 8& <[(1,2)]:16>' \
	    'trigger_float_op = disable & <[(1,2),(4,4)]:float16_preferred!>' \
	    'bias_bits = 32 & <[Softmax]:32> <[(3, 4)]:48> <[(5,6)]:47>' \
	    'calibration_strategy_for_activation = mean&<[(0,9)]:extrema>' \
	    'weight_bits = 8 & <[3]:16>' 'weight_bits = 8 & <[3, 4]:16>' \
	    'global_calibration = easy_quant[1][(3,4)]'
	refused Optimizer 'value error' 'weight_bits = 8 <[Softmax]:16>' \
	    'weight_bits = 8 &' 'weight_bits = & <[Softmax]:16>' \
	    'weight_bits = 8 & [Softmax]:16' 'weight_bits = 8 & <[Softmax]:17>' \
	    'weight_bits = 8 & <[Softmax]>' 'weight_bits = 8 & <[Softmax]:>' \
	    'weight_bits = 8 & <[Softmax:16>' 'weight_bits = 8 & <[]:16>' \
	    'weight_bits = 8 & <Softmax:16>' 'weight_bits = 8 & <[Softmax]:16' \
	    'weight_bits = 8 & <{a:b}:16>' 'weight_bits = 8 & <{a<b}:16>' \
	    'weight_bits = 8 & <[(1,2]:16>' 'weight_bits = 8 & <[1,(2,3)]:16>' \
	    'weight_bits = 7.5 & <[Softmax]:16>' \
	    'trigger_float_op = disable & <[Softmax]:float16>'
}

@test "targets are names of this NPU" {
	for target in X2_1204 X2_1204MP3 npu; do
		base
		sed -i "s/^target.*/target = $target/" a.cfg
		clean
	done
	for target in Z3_1204 Z3 Z1_0701 Z2_1104 X1_1204 X3_1304MP2 x2_1204mp3 \
	    X2_1204MP2 cpu; do
		sed -i "s/^target.*/target = $target/" a.cfg
		[ "$(found)" = 'target error 13 target' ]
		fix | grep -q 'X2_1204MP3 .*X2_1204 '
		clean a.cfg --target=X2_1204
	done
	base
	found a.cfg --target=Z3_1204 | grep -q '^target error [0-9]* --target$'
}

@test "selectors must hit the nodes of the model" {
	need_data hub/lint/good.onnx
	cp "$DATA" net.onnx
	accepted Optimizer 'weight_bits = 8 & <[Convolution]:16>' \
	    'weight_bits = 8 & <[convolution, activation, relu]:16>' \
	    'weight_bits = 8 & <{co}:16> <{^relu$}:16> <{.*[nl]{1}}:16>' \
	    'weight_bits = 8 & <{(conv|pool)\w*?}:16>' \
	    'weight_bits = 8 & <{(?=conv)}:16>' 'weight_bits = 8 & <[Region]:16>'
	refused Optimizer 'value warning' 'weight_bits = 8 & <[Conv]:16>' \
	    'weight_bits = 8 & <[Softmax]:16>' 'weight_bits = 8 & <{onv}:16>' \
	    'weight_bits = 8 & <[Convolutoin]:16>' \
	    'weight_bits = 8 & <{/model/.*}:16>' 'weight_bits = 8 & <{conv\d}:16>'
	base
	add Optimizer 'weight_bits = 8 & <[Conv]:16>'
	fix | grep -qx 'write Convolution'
	base
	add Optimizer 'weight_bits = 8 & <{onv}:16>'
	fix | grep -q '^write {\.\*onv}'
}

@test "comments turn rules off for the file" {
	base
	sed -i 's/^target.*/target = Z3/' a.cfg
	add Optimizer 'weight_bits = 99'
	[ "$(found | awk '{ print $1 }')" = 'value
target' ]
	for comment in '# cix-lint: off value, target' '#cix-lint:off target value' \
	    ' ; cix-lint:  off  value,target'; do
		(echo "$comment"; cat a.cfg) >b.cfg
		clean b.cfg
		(cat a.cfg; echo "$comment") >b.cfg
		clean b.cfg
	done
	echo '# cix-lint: off valu' >>a.cfg
	cix-lint a.cfg >out || true
	grep -A1 "^a.cfg:16: note: no rule is called 'valu' \[value\]$" out |
	    grep -qx '    # cix-lint: off value'
	[ "$(found | wc -l)" -eq 2 ]
	echo '# cix-lint: off value' >>a.cfg
	cix-lint a.cfg >out || true
	run -1 grep '\[value\]' out
	[ "$(found | wc -l)" -eq 1 ]
}

@test "an indented key is reported, because it continues a value" {
	base
	sed -i 's/^model_name/  model_name/' a.cfg
	found >out
	grep -qx 'key error 4 model_name' out
	grep -qx 'missing error 3 model_name' out
	[ "$(wc -l <out)" -eq 2 ]
}

@test "a value that begins on a later line is an error, and is then read" {
	base
	sed -i -e 's/^model_type = /model_type =\n\n  /' \
	    -e 's/^input_shape = /input_shape = \n\t/' a.cfg
	[ "$(found a.cfg)" = "value error 4 model_type
value error 10 input_shape" ]
	run -4 cix-lint -q a.cfg
	[[ $output == *"begin the value on line 10, after the name"* ]]
}

@test "hostile configurations are read, or refused with a message" {
	seq -f '[s%g]' 100000 >many.cfg
	run -4 cix-lint -q many.cfg
	[ "$(grep -c 'no section is called' <<<"$output")" -eq 100 ]
	grep -q 'many.cfg: error: 99900 more sections and keys are not known' \
	    <<<"$output"
	base
	printf '[Optimizer_2]\nnothing' >>a.cfg
	lint a.cfg | grep -q "^a.cfg:16: error: 'nothing' has no '='"
	printf '[Parser]\nx = a\0b\n' >nul.cfg
	run --separate-stderr -1 cix-lint nul.cfg
	[[ $stderr == 'cix-lint: nul.cfg: line 2 has a NUL byte: '* ]]
	head -c 17000000 /dev/zero | tr '\0' '\n' >long.cfg
	run --separate-stderr -1 cix-lint long.cfg
	[[ $stderr == 'cix-lint: long.cfg: the file has 17000000 bytes; '* ]]
	seq 300000 >bad.cfg
	run -4 cix-lint -q bad.cfg
	{
		echo '[Optimizer]'
		printf 'weight_bits = 8 &'
		seq -f ' <[Softmax]:%g>' 100 5099
	} >selectors.cfg
	run -4 cix-lint -q selectors.cfg
	seq 200000 | sed 's/.*/weight_bits = 8/; 1i [Optimizer]' >twice.cfg
	run -4 cix-lint -q twice.cfg
	[ "$(grep -c DuplicateOption <<<"$output")" -eq 50 ]
}

@test "each fixture of a configuration gives exactly its rules" {
	need_data hub/lint/expected.json
	local dir=${DATA%/*} case
	for case in good target-z3 gbuilder-output-dir no-model-name model-path \
	    quant-method layer-ids; do
		cix-lint -q -F json "$dir/$case.cfg" >got || true
		/usr/bin/python3 - "$DATA" "$case" <<-'END'
		import json, sys
		want = json.load(open(sys.argv[1]))[sys.argv[2]]
		got = json.load(open('got'))['files'][0]['findings']
		pairs = lambda f: sorted((x['rule'], x['level']) for x in f)
		assert pairs(got) == pairs(want), (sys.argv[2], got)
		END
	done
}

@test "a single % is an error, as in configparser" {
	cp "$NPU_TEST_DATA/hub/lint/good.onnx" "$NPU_TEST_DATA/hub/lint/calib.npy" . ||
		skip "no test data"
	for v in './100%' './%d' './%(absent)s' './%(mode'; do
		sed "11s|=.*|= $v|" \
		    "$NPU_TEST_DATA/hub/lint/good.cfg" >a.cfg
		run -4 cix-lint a.cfg
		[[ $output == *"a.cfg:11: error: output_dir: configparser takes "* ]]
		run -1 /usr/bin/python3 -c 'import configparser
c = configparser.ConfigParser()
c.read("a.cfg")
c["Parser"]["output_dir"]'
	done
	for v in './100%%' './%(Model_Name)s/'; do
		sed "11s|=.*|= $v|" \
		    "$NPU_TEST_DATA/hub/lint/good.cfg" >a.cfg
		run -0 cix-lint a.cfg
	done
}

@test "--target is checked for a model alone" {
	[ -d "$NPU_TEST_DATA/hub/lint" ] || skip "no test data"
	run -4 cix-lint --target=Z3_1204 "$NPU_TEST_DATA/hub/lint/good.onnx"
	[[ $output == *": error: --target: Z3_1204 is another NPU's target"* ]]
	run -0 cix-lint --target=X2_1204 "$NPU_TEST_DATA/hub/lint/good.onnx"
}
