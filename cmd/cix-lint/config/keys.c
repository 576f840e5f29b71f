// SPDX-License-Identifier: Apache-2.0
/*
 * keys.c - sections and keys of configurations.
 *
 * Sources: [Parser]: Compass_Unified_Parser, AIPUBuilder/Parser/univ_main.py
 * and univ_parser.py.  [Optimizer]: Compass_Optimizer,
 * AIPUBuilder/Optimizer/config/cfg_fields.py and plugins/.  [Common] and
 * [GBuilder]: configurations of the CIX AI model hub and of Radxa's pages, and
 * messages of the builder.  Facts restated; read in 2026.
 */
#include <string.h>

#include "keys.h"

#define ANY(name) { name, KEY_ANY, 0, NULL, NULL, NULL }
#define ANY_LAYERED(name) { name, KEY_ANY, KEY_LAYERED, NULL, NULL, NULL }
#define WORD(name, flags, words) { name, KEY_WORD, flags, words, NULL, NULL }
#define WORDS(name, words) \
	{ name, KEY_WORDS, KEY_ANY_CASE, words, NULL, NULL }
#define FORM(name, flags, form, noun) \
	{ name, KEY_FORM, flags, NULL, form, noun }
#define FORM_LIKE(name, flags, form, noun, words) \
	{ name, KEY_FORM, flags, words, form, noun }
#define BOOL(name, flags) WORD(name, (flags) | KEY_ANY_CASE, "True False")
#define COUNT(name, flags) \
	FORM(name, flags, "[0-9]+", "a whole number")
#define POSITIVE(name, flags) \
	FORM(name, flags, "0*[1-9][0-9]*", "a whole number above 0")
#define BITS(name, form, noun) \
	FORM(name, KEY_LAYERED, form, "a whole number from " noun)

#define R "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]+)?"
#define NUMBER(name) FORM(name, KEY_ANY_CASE, R, "a number")

static const struct key_type common[] = {
	WORD("mode", KEY_ANY_CASE, "build run"),
	ANY("dump_flags"), ANY("output_dir"), ANY("disabled_pass"),
	ANY("executor"), ANY("log_level"),
};

#define SIZES "[[]+[ \t\n]*([1-9][0-9]*([ \t\n]*,[ \t\n]*[1-9][0-9]*)*)?" \
	"[ \t\n]*[]]+"
#define TYPES "float32 float16 bfloat16 float64 int8 uint8 int16 uint16 " \
	"int32 uint32 int64 uint64 bool"

static const struct key_type parser[] = {
	WORD("model_type", KEY_ANY_CASE,
	    "onnx tensorflow tf tflite torch pytorch"),
	ANY("model_name"),
	WORD("model_domain", KEY_ANY_CASE, "image_classification "
	    "object_detection keyword_spotting speech_recognition "
	    "image_segmentation"),
	WORD("detection_postprocess", KEY_ANY_CASE, "SSD SSD_RESNET YOLO2 "
	    "YOLO3_TINY YOLO3_FULL CAFFE_FASTERRCNN FASTERRCNN MASKRCNN yolo"),
	ANY("input_model"), ANY("input"), ANY("output"), ANY("output_dir"),
	FORM("input_shape", 0, SIZES "([ \t\n]*,?[ \t\n]*" SIZES ")*[ \t\n]*,?",
	    "a list of fixed sizes for each input, such as [1,3,224,224]"),
	WORDS("input_dtype", TYPES),
	ANY("input_layout"), ANY("input_data_format"),
	WORDS("preprocess_type", "RESIZE RGB2BGR BGR2RGB RGB2GRAY BGR2GRAY"),
	ANY("preprocess_params"),
	NUMBER("iou_threshold"), NUMBER("obj_threshold"),
	NUMBER("score_threshold"), POSITIVE("max_box_num", 0),
	POSITIVE("image_width", 0), POSITIVE("image_height", 0),
	POSITIVE("class_num", 0), ANY("anchors"),
	WORD("box_format", KEY_ANY_CASE, "xy yx"),
	WORD("ssd_activation", KEY_ANY_CASE, "softmax sigmoid"),
	WORD("proposal_normalized", KEY_ANY_CASE | KEY_LENIENT,
	    "true false 1 0"),
	BOOL("force_float_ir", KEY_LENIENT),
	BOOL("force_cpu_parse", KEY_LENIENT),
	BOOL("compat_quantized_model", KEY_LENIENT),
	BOOL("use_onnxsim", KEY_LENIENT),
	POSITIVE("loop_max_count", KEY_LENIENT),
	ANY("dynamic_axes"), ANY("similarity_input_npy"),
	ANY("caffe_prototxt"),
	/* Not documented. */
	ANY("anchor_tensor_name"), ANY("batch_size"), ANY("box_iou_threshold"),
	ANY("box_max_box_num"), ANY("box_score_threshold"),
	ANY("ds_compat"), ANY("ds_mode"), ANY("feature_map"),
	ANY("firstbox_scale"), ANY("gamut_bits"), ANY("gamut_conversion"),
	ANY("gamut_format"), ANY("gamut_preprocess"), ANY("grid_compensate"),
	ANY("input_dimensions"), ANY("input_names"), ANY("input_npy"),
	ANY("input_shapes"), ANY("nms_threshold"), ANY("output_names"),
	ANY("rgb_shape"), ANY("rpn_iou_threshold"), ANY("rpn_max_box_num"),
	ANY("rpn_score_threshold"), ANY("variance"),
};

#define DATASETS "NumpyDataset NumpyZippedDataset NumpyMultiInputDataset " \
	"NumpyMIMONCHWDataset NumpyMultiInputWithoutBatchDimDataset " \
	"NumpyMultiInputDatasetllm NumpyNCHW2NHWCDataset " \
	"NumpyNHWC2NCHWDataset NumpyWithDimDataset NUMPYNHWCRGB2BGR " \
	"NumpyNHWCRGB2NCBGRHWDataset TensorFromNumpyMultiInputDataset " \
	"GeneralDictDataset RandomDataset OpTestNumpyZippedDataset " \
	"CocoDataset CocokpDataset VOCNCHWDataset VOCNHWCDataset " \
	"FasterrcnnVocDataset widerfaceDataset SphereFaceLFWDataset " \
	"MpiiDataset MTCNNDataset tusimpleDataset BaseLibriSpeechDataset " \
	"LibriSpeechDataset LibriSpeechNCHWDataset RNNTLibriSpeechDataset " \
	"AiShellDataset IWSLTDataset LLama2Dataset " \
	"StableDiffusionUNetDataset BevFormerDataset BevFormerStaticDataset " \
	"cgtdnnDataset"

#define METRICS "TopKMetric mAPMetric CosDistanceMetric " \
	"EachCosDistanceMetric FlattenCosDistanceMetric " \
	"CosDistancewseqlenMetric OpTestCosDistanceMetric RMSEMetric " \
	"MaxAbsErrorMetric MaxAbsErrorwseqlenMetric psnrMetric " \
	"mIoUMetric mIoUMetricBase mIoUNCHWMetric mIoUafterargmaxMetric " \
	"mIoUDilation8Metric mIoUpointnetMetric mIoUwithresizeMetric " \
	"SSDmAPMetric MobileDetSSDmAPMetric YOLOVOCmAPMetric " \
	"YOLOV1tinyVOCmAPMetric YOLOV3TfmAPMetric YOLOV4OnnxmAPMetric " \
	"YOLOV4torchmAPMetric YOLOV4tflitemAPMetric YOLOV5onnxmAPMetric " \
	"YOLOV5tflitemAPMetric YOLOV5cocomAPMetric YOLOV8onnxmAPMetric " \
	"YOLOXcocomAPMetric retinanetmAP RetinenateOnnxmAPMetric " \
	"efficientdetmAP DetrmAPMetric FcosmAPMetric CenterNetMetric " \
	"FasterRcnnCaffemAPMetric FasterRcnnTFmAPMetric " \
	"FasterRcnnTorchmAPMetric MaskRcnnCOCOmAPMetric " \
	"MaskRcnnTorchmAPMetric WERMetric IWSLTBLEUMetric " \
	"IWSLTBLEU2gramMetric KeywordSpottingMetric ROCMetric " \
	"SphereFaceMetric CenterFaceMetric WiderFaceMetric faceboxMetric " \
	"RetinafaceboxMetric lightfaceMetric PCKhMetric cocokpMetric " \
	"OcrMetric F1scoreMetric LMHeadMetric LanenetMetric delta1Metric " \
	"BEVFormerMetric IMDBMetric"

#define METHODS "per_tensor_symmetric_restricted_range " \
	"per_tensor_symmetric_full_range per_tensor_asymmetric " \
	"per_channel_symmetric_restricted_range " \
	"per_channel_symmetric_full_range"
#define STRATEGY "extrema|mean|in_ir|[0-9]+std|[0-9]*kld|" \
	"([0-9.]*|[[][0-9.]+[]])(aciq_laplace|aciq_gauss|percentile)|" \
	"weighted_scale_param[[]" R "(," R "){3}[]]"
#define STRATEGIES "a strategy: extrema, mean, in_ir, Nstd, kld, Nkld, " \
	"aciq_laplace, aciq_gauss or percentile, the last three with a " \
	"number before them or without, or weighted_scale_param[a,b,c,d]"
#define STRATEGY_WORDS "extrema mean in_ir kld 3std 10kld aciq_laplace " \
	"aciq_gauss percentile 0.99percentile weighted_scale_param[0,0,0,0]"
#define GLOBAL_METHOD "(svd_quant|easy_quant|mvn_correction|adaround|" \
	"adaquant_zy|smooth_quant_zy|awq_zy|gptq_zy)([[]" R "(," R ")*[]]" \
	"([[][]0-9a-z_(),[]*[]]|[{].*[}])?)?"
#define FLOAT_OP "(disable|(float16|bfloat16|float32)(_preferred|_act_int_wht" \
	"|_act_fp8e4m3fn_wht|_act_fp4e2m1fn_wht))!?"
#define FLOAT_OPS "a form of float operation: disable, float16_preferred, " \
	"bfloat16_preferred, float32_preferred, or one of them with " \
	"_act_int_wht, _act_fp8e4m3fn_wht or _act_fp4e2m1fn_wht in place of " \
	"_preferred; a '!' may follow"
#define FLOAT_WORDS "disable float16_preferred bfloat16_preferred " \
	"float32_preferred float16_act_int_wht bfloat16_act_int_wht " \
	"float32_act_int_wht float16_act_fp8e4m3fn_wht " \
	"float16_act_fp4e2m1fn_wht bfloat16_act_fp8e4m3fn_wht " \
	"bfloat16_act_fp4e2m1fn_wht float32_act_fp8e4m3fn_wht " \
	"float32_act_fp4e2m1fn_wht"
#define TUNE(name) FORM(name, KEY_LAYERED, "([[]" R "(," R ")*[]])+", \
	"of the form [0][0]")

static const struct key_type optimizer[] = {
	ANY("graph"), ANY("bin"), ANY("model_name"), ANY("out_ir_name"),
	ANY("output_dir"), ANY("qconfig"), ANY("opt_config"),
	ANY("statistic_file"), BOOL("dump", 0), ANY("dump_dir"),
	WORD("dataset", KEY_ANY_CASE | KEY_IS_DATASET, DATASETS),
	{ "metric", KEY_METRIC, KEY_ANY_CASE, METRICS, NULL, NULL },
	ANY("data"), ANY("label"), ANY("calibration_data"),
	POSITIVE("calibration_batch_size", 0),
	POSITIVE("metric_batch_size", 0), BOOL("calibration_shuffe", 0),
	COUNT("data_batch_dim", 0), COUNT("label_batch_dim", 0),
	BOOL("without_batch_dim", 0), COUNT("dataloader_workers", 0),
	FORM("modify_batch_dim", KEY_ANY_CASE, "[0-9]+|false",
	    "False or a whole number"),
	BOOL("skip_optimization", 0), BOOL("eval_original_model", 0),
	BOOL("eval_optimized_model", 0), BOOL("save_statistic_info", 0),
	BOOL("ignore_missing_statistic", KEY_LAYERED),
	FORM_LIKE("calibration_strategy_for_weight", KEY_LAYERED, STRATEGY,
	    STRATEGIES, STRATEGY_WORDS),
	FORM_LIKE("calibration_strategy_for_activation", KEY_LAYERED, STRATEGY,
	    STRATEGIES, STRATEGY_WORDS),
	FORM_LIKE("global_calibration", KEY_ANY_CASE,
	    "none|" GLOBAL_METHOD "(&" GLOBAL_METHOD ")*", "none, or a "
	    "method with parameters: svd_quant, easy_quant, mvn_correction, "
	    "adaround[10,10,32,0.01], adaquant_zy, smooth_quant_zy, awq_zy or "
	    "gptq_zy", "none svd_quant easy_quant mvn_correction "
	    "adaround[10,10,32,0.01] adaquant_zy smooth_quant_zy awq_zy "
	    "gptq_zy"),
	FORM("running_statistic_momentum", KEY_LAYERED, R, "a number"),
	POSITIVE("histc_bins", KEY_LAYERED),
	FORM("trim_infinity_before_statistic", KEY_LAYERED,
	    "(clip|second)[(](" R "|-inf),(" R "|inf)[)]",
	    "of the form clip(-inf,inf) or second(-1,1)"),
	WORD("quantize_method_for_weight", KEY_LAYERED, METHODS
	    " per_channel_asymmetric per_block_symmetric_restricted_range "
	    "per_block_symmetric_full_range per_block_asymmetric"),
	WORD("quantize_method_for_activation", KEY_LAYERED, METHODS),
	POSITIVE("weight_block_size", KEY_LAYERED),
	BITS("weight_bits", "[4-9]|1[0-6]", "4 to 16"),
	BITS("activation_bits", "[89]|1[0-6]", "8 to 16"),
	BITS("bias_bits", "1[6-9]|[23][0-9]|4[0-8]", "16 to 48"),
	BITS("bias_effective_bits", "1[6-9]|[23][0-9]|4[0-8]", "16 to 48"),
	BITS("lut_items_in_bits", "[89]|1[0-6]", "8 to 16"),
	BITS("multiplier_bits", "[2-9]|1[0-5]", "2 to 15"),
	BOOL("bias_effective_bits_auto_adaption", KEY_LAYERED),
	WORD("quant_type", KEY_LAYERED | KEY_ANY_CASE, "disable w8a8 w16a16 "
	    "w4 w8 w4afp16 w8afp16 w4abfp16 w8abfp16 wfp4 wfp4afp16 "
	    "wfp4abfp16 wfp4afp32 w4afp8e5m2 w4afp8e4m3 wfp4afp8e5m2 "
	    "wfp4afp8e4m3 wfp8afp8 wfp8e5m2afp8e5m2 wfp8e4m3afp8e4m3 fp16 "
	    "bf16 bfp16"),
	FORM("mixed_precision_auto_search", KEY_ANY_CASE,
	    "[0-9]+,-?[0-9]+[.]?[0-9]*,[gl]", "batches, threshold and G or L, "
	    "such as 0,0.,L"),
	FORM_LIKE("trigger_float_op", KEY_LAYERED, FLOAT_OP, FLOAT_OPS,
	    FLOAT_WORDS),
	FORM("min_compatible_zhouyi_target", KEY_ANY_CASE,
	    "(z[123]|x[12]|x3[ps]?)(_.*)?", "a family of targets: Z1, Z2, Z3, "
	    "X1, X2, X3, X3P or X3S"),
	BOOL("unify_shifts_for_aiff", KEY_LAYERED),
	BOOL("perf_mode_for_lib", KEY_LAYERED),
	BOOL("cast_dtypes_for_lib", KEY_LAYERED),
	BOOL("optimize_wdc_for_x2", KEY_LAYERED),
	BOOL("with_winograd", KEY_LAYERED), COUNT("remain_shift", KEY_LAYERED),
	BOOL("force_dtype_int", KEY_LAYERED),
	BOOL("force_shift_positive", KEY_LAYERED),
	BOOL("enable_pass_merge_matmul_mul", 0),
	BOOL("enable_pass_convert_resize_to_convolution", KEY_LAYERED),
	BOOL("enable_pass_decompose_nonmonotonic_activations", KEY_LAYERED),
	TUNE("enable_pass_tune_op_complicated_activations"),
	TUNE("enable_pass_tune_op_softmax"),
	BOOL("enable_pass_deeply_set_unquantifiable", KEY_LAYERED),
	BOOL("enable_pass_split_qkv_fc_in_transformer", 0),
	BOOL("enable_pass_detect_inf_mask_nodes", 0),
	BOOL("enable_pass_scaled_dot_product_attention", 0),
	BOOL("unify_scales_for_concat", 0),
	NUMBER("unify_scales_for_concat_threshold"),
	POSITIVE("unify_scales_for_concat_max_depth", 0),
	BOOL("unify_scales_for_kvc_concat", KEY_LAYERED),
	ANY_LAYERED("unify_scales_for_multi_inputs_operators"),
	BOOL("resize_degrade_to_nearest", KEY_LAYERED),
	FORM("set_qinvariant_for_start_nodes", 0, "[0-9]+(,[0-9]+)*,?",
	    "a list of layer ids"),
	FORM("export_parallel_batch", KEY_ANY_CASE, "[0-9]+|false",
	    "False or a whole number"),
	BOOL("enable_ds", KEY_LAYERED),
	ANY_LAYERED("ds_output_shape_constant"),
	ANY_LAYERED("ds_parameter_constant"),
	ANY("fake_quant_scopes_for_debug"),
	ANY("fake_quant_operators_for_debug"),
	BOOL("compat_quantized_model_simplify_dequantize_quantize", 0),
	/* Not documented. */
	ANY("quant_ir_name"), ANY_LAYERED("activation_block_size"),
	ANY("activation_perchannel_min_elements"),
	BOOL("compat_quantized_model", 0),
	ANY("compat_quantized_model_eliminate_cast"),
	ANY("compat_quantized_model_force_weight_asym"),
	ANY("compat_quantized_model_int8_to_uint8"),
	ANY("compat_quantized_model_left_shift_bits"),
	ANY("compat_quantized_model_ops"),
	ANY("compat_quantized_model_strategy"),
	ANY("compat_quantized_model_unify_shifts_mode"),
	ANY("featuremap_splits_concat_blk"), ANY("featuremap_splits_item_x"),
	ANY("featuremap_splits_item_y"), ANY("featuremap_splits_overlap_rate"),
	ANY("featuremap_splits_sram_size"), ANY("featuremap_tiling_param"),
	ANY("record_debug_acc_info"),
	ANY_LAYERED("regularize_activation_perchannel_scales"),
	ANY("similarity_data_num"), ANY("write_similarity_to_ir"),
};

static const struct key_type gbuilder[] = {
	{ "target", KEY_TARGET, 0, "X2_1204 X2_1204MP3", NULL, NULL },
	ANY("outputs"), ANY("inputs"), ANY("simulator"),
	WORD("tiling", KEY_ANY_CASE, "fps footprint"),
	BOOL("profile", 0),
};

#define TABLE(name) { name, sizeof(name) / sizeof(*(name)) }

static const struct {
	const struct key_type *key;
	size_t n;
} sections[SECTION_N] = {
	[SECTION_COMMON] = TABLE(common),
	[SECTION_PARSER] = TABLE(parser),
	[SECTION_OPTIMIZER] = TABLE(optimizer),
	[SECTION_GBUILDER] = TABLE(gbuilder),
	[SECTION_RUNTIME] = { NULL, 0 },
};

static const struct {
	enum section section;
	const char *name, *meant;
} mistakes[] = {
	{ SECTION_PARSER, "model_path", "input_model" },
	{ SECTION_PARSER, "model", "input_model" },
	{ SECTION_PARSER, "model_file", "input_model" },
	{ SECTION_PARSER, "onnx_model", "input_model" },
	{ SECTION_PARSER, "outputs", "output" },
	{ SECTION_PARSER, "inputs", "input" },
	{ SECTION_PARSER, "name", "model_name" },
	{ SECTION_OPTIMIZER, "batch_size", "calibration_batch_size" },
	{ SECTION_OPTIMIZER, "calibration_dataset", "calibration_data" },
	{ SECTION_OPTIMIZER, "calibration_shuffle", "calibration_shuffe" },
	{ SECTION_OPTIMIZER, "quant_method_for_weight",
	    "quantize_method_for_weight" },
	{ SECTION_OPTIMIZER, "quant_method_for_activation",
	    "quantize_method_for_activation" },
	{ SECTION_GBUILDER, "output", "outputs" },
	{ SECTION_GBUILDER, "input", "inputs" },
};

const char *
section_name(enum section s)
{
	static const char *const names[SECTION_N] = {
		[SECTION_COMMON] = "Common",
		[SECTION_PARSER] = "Parser",
		[SECTION_OPTIMIZER] = "Optimizer",
		[SECTION_GBUILDER] = "GBuilder",
		[SECTION_RUNTIME] = "Runtime",
	};

	return names[s];
}

/* Returns whether the name is base, or base with "_" and a number. */
static bool
is_numbered(const char *name, const char *base)
{
	size_t n = strlen(base), digits;

	if (strncmp(name, base, n) != 0)
		return false;
	if (name[n] == '\0')
		return true;
	digits = strspn(name + n + 1, "0123456789");
	return name[n] == '_' && digits > 0 && name[n + 1 + digits] == '\0';
}

enum section
section_by_name(const char *name)
{
	if (is_numbered(name, "Optimizer") ||
	    is_numbered(name, "AutoQuantizationTool"))
		return SECTION_OPTIMIZER;
	for (enum section s = 0; s < SECTION_N; s++)
		if (strcmp(name, section_name(s)) == 0)
			return s;
	return SECTION_N;
}

const struct key_type *
key_at(enum section s, size_t i)
{
	return i < sections[s].n ? &sections[s].key[i] : NULL;
}

const struct key_type *
key_by_name(enum section s, const char *name)
{
	for (size_t i = 0; i < sections[s].n; i++)
		if (strcmp(sections[s].key[i].name, name) == 0)
			return &sections[s].key[i];
	return NULL;
}

const char *
key_meant(enum section s, const char *name)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++)
		if (mistakes[i].section == s &&
		    strcmp(mistakes[i].name, name) == 0)
			return mistakes[i].meant;
	return NULL;
}

bool
key_is_old(const char *section, const char *name)
{
	/* From configurations for Z1, which users published in 2020. */
	static const char *const old[] = { "quantize_method",
	    "ops_per_channel", "reverse_rgb", "calibration_label",
	    "label_id_offset", "preprocess_mode", "quant_precision" };

	if (!is_numbered(section, "AutoQuantizationTool"))
		return false;
	for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++)
		if (strcmp(name, old[i]) == 0)
			return true;
	return false;
}

size_t
next_word(const char **words, const char **word)
{
	size_t n;

	*words += strspn(*words, " ");
	n = strcspn(*words, " ");
	*word = *words;
	*words += n;
	return n;
}
