// SPDX-License-Identifier: Apache-2.0
/*
 * log_message.c - messages of the compiler and of the board.
 *
 * Sources: Compass_Unified_Parser, AIPUBuilder/Parser/univ_parser.py;
 * Compass_Optimizer, AIPUBuilder/Optimizer/config; and reports of users of the
 * CIX tools.  Facts restated; read in 2026.
 */
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "log_message.h"

#define IN_PARSER "the configuration lacks a required key"

/* A special message stands before a general one that contains it. */
const struct log_message log_messages[LOG_MESSAGES] = {
	{ "No option 'model_name'", IN_PARSER, "add to [Parser]: model_name = "
	    "NAME" },
	{ "No option 'model_type'", IN_PARSER, "add to [Parser]: model_type = "
	    "onnx" },
	{ "No option 'input_model'", IN_PARSER, "add to [Parser]: input_model "
	    "= FILE.onnx (model_path is not a key)" },
	{ "KeyError*model_name", IN_PARSER, "add to [Parser]: model_name = "
	    "NAME" },
	{ "KeyError*model_type", IN_PARSER, "add to [Parser]: model_type = "
	    "onnx" },
	{ "KeyError*input_model", IN_PARSER, "add to [Parser]: input_model = "
	    "FILE.onnx (model_path is not a key)" },
	{ "Unknown option*output_dir", "[GBuilder] has the key output_dir, "
	    "which belongs to [Parser] and [Optimizer]",
	    "remove output_dir from [GBuilder]" },
	{ "Unknown option", "[GBuilder] has a key that the builder does not "
	    "know", "correct its spelling, or remove it: cix-lint names the "
	    "keys" },
	{ "no kernel image is available", "this PyTorch has no code for the "
	    "graphics card of this machine", "install a PyTorch for the card, "
	    "or set CUDA_VISIBLE_DEVICES=\"\" to calculate on the processor" },
	{ "Unsupport node type: Convolution", "the target belongs to the Z3 "
	    "family; MatMul also becomes a Convolution", "write in "
	    "[GBuilder]: target = X2_1204MP3, or X2_1204" },
	{ "Unsupport node type", "the builder's kernel library has no kernel "
	    "for this operator (seen with Sub, Equal and Where of attention "
	    "masks, and with packages that lack most kernels)",
	    "install the vendor's operator package for X2, or remove the "
	    "operator from the model" },
	{ "duplicate*symbol", "several layers brought in the same TPC kernel",
	    "pass --allow-multiple-definition to the linker aipuold" },
	{ "multiple definition of", "several layers brought in the same TPC "
	    "kernel", "pass --allow-multiple-definition to the linker "
	    "aipuold" },
	{ "simulator*cannot open shared object", "the loader does not find the "
	    "simulator's libraries", "add the folder AIPUBuilder/simulator-lib "
	    "of the Python package to LD_LIBRARY_PATH" },
	{ "simulator*not found", "the loader does not find the simulator's "
	    "libraries", "add the folder AIPUBuilder/simulator-lib of the "
	    "Python package to LD_LIBRARY_PATH" },
	{ "Model path in cfg is incorrect", "input_model names no file, seen "
	    "from the folder in which the compiler runs", "correct "
	    "input_model in [Parser], or change to the folder" },
	{ "Meets invalid output directory", "output_dir is not a folder",
	    "make the folder that output_dir in [Parser] names" },
	{ "Onnx version is too low", "the Python package onnx beside the "
	    "compiler is older than 1.4", "install a newer one: pip install "
	    "'onnx>=1.4'" },
	{ "Framework*not supported", "model_type names a framework that the "
	    "parser does not read", "write in [Parser]: model_type = onnx" },
	{ "Unsupport model type", "model_type names a framework that the "
	    "parser does not read", "write in [Parser]: model_type = onnx" },
	{ "Caffe model parsing is no longer supported", "the parser does not "
	    "read Caffe models any more", "convert the model to ONNX" },
	{ "Got no output names for graph", "output in [Parser] names no "
	    "tensor of the model", "correct output, or leave it out" },
	{ "Graph*is not connected", "a part of the graph is not joined to the "
	    "rest", "name the outputs with output in [Parser], and simplify "
	    "the model with onnxsim" },
	{ "Graph*DAG", "the graph has a circle", "name the outputs "
	    "with output in [Parser], and simplify the model with onnxsim" },
	{ "input_shapes must be provided", "a torch model does not state the "
	    "shapes of its inputs", "add to [Parser]: input_shape = "
	    "[1,3,224,224]" },
	{ "Length of input_names should be equal to length of input_shapes",
	    "input and input_shape have different numbers of entries",
	    "write one list in input_shape for each name in input" },
	{ "Require the*field must be in", "a value in [Optimizer] is "
	    "misspelt", "take the spelling from cix-lint, which names the "
	    "closest one" },
	{ "Optimizer does not support the*cfg field", "[Optimizer] has a key "
	    "that the optimizer does not know, and ignores",
	    "correct its spelling: cix-lint names the closest one" },
	{ "please set 'dataset' field", "calibration_data is set and dataset "
	    "is not", "add to [Optimizer]: dataset = NumpyDataset, or "
	    "NumpyMultiInputDataset for several inputs" },
	{ "MissingSectionHeaderError", "a line of the configuration comes "
	    "before the first section, or the file has a byte order mark",
	    "begin the file with [Common]" },
	{ "DuplicateSectionError", "a section is there twice", "put the keys "
	    "of both under one section" },
	{ "DuplicateOptionError", "a key is there twice in a section",
	    "remove one of both lines" },
	{ "soms_scheduler not found", "a warning: the model runs on one core",
	    "nothing, if one core suffices" },
	{ "noe_load_graph*error", "the model was compiled by another release "
	    "than the runtime on the board", "install the runtime and the "
	    "compiler of one release" },
	{ "load_graph*fail", "the model was compiled by another release than "
	    "the runtime on the board", "install the runtime and the compiler "
	    "of one release" },
};

/* Returns the first place of a part of n bytes in p..end, in any case, or
 * NULL. */
static const char *
find_part(const char *p, const char *end, const char *part, size_t n)
{
	const char pair[] = { part[0], (char)(part[0] ^ 0x20) };

	for (; (size_t)(end - p) >= n; p++)
		if ((*p == pair[0] || *p == pair[1]) &&
		    strncasecmp(p, part, n) == 0)
			return p;
	return NULL;
}

static bool
contains(const char *p, const char *end, const char *text)
{
	size_t n;

	for (;; text += n + 1) {
		n = strcspn(text, "*");
		if ((p = find_part(p, end, text, n)) == NULL)
			return false;
		if (text[n] == '\0')
			return true;
		p += n;
	}
}

size_t
log_message_in(const char *line, size_t n)
{
	size_t i = 0;

	while (i < LOG_MESSAGES && !contains(line, line + n,
	    log_messages[i].text))
		i++;
	return i;
}
