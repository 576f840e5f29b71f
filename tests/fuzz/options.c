// SPDX-License-Identifier: Apache-2.0
/*
 * Options that describe a tensor or a picture, one argument on each line: a
 * usage error, or a possible description.
 */
#include <math.h>

/* For choose_classes(): --classes is parsed only when the names are known. */
#include "../../cmd/common/detections/decode.c"

#include "tensors/diff.h"
#include "dies.h"
#include "pictures/preprocess_options.h"
#include "tensors/real_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { OPT_TOL = 500 };

static const struct opt options[] = {
	TENSOR_OPTIONS("type", "shape", "scale", "zero"),
	PREPROCESS_FOR_OPTION,
	PREPROCESS_OPTIONS,
	TAKES(DECODE_CLASSES, "classes", "=LIST", COMPLETE_NONE, "classes"),
	TAKES('c', "conf", "=N", COMPLETE_NONE, "confidence"),
	TAKES(DECODE_IOU, "iou", "=N", COMPLETE_NONE, "overlap"),
	TAKES('n', "count", "=N", COMPLETE_NONE, "most"),
	TAKES('F', "format", "=FORMAT", COMPLETE_NONE, "format"),
	TAKES(OPT_TOL, "tol", "=LIST", COMPLETE_NONE, "tolerance"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "options", .synopsis = "", .examples = "", .help = "",
	.options = options,
};

static void
check_recipe(const struct prep_recipe *r)
{
	if (r->width < 1 || r->height < 1 || !isfinite(r->divisor))
		abort();
	for (int i = 0; i < 3; i++)
		if (!isfinite(r->mean[i]) || !(r->deviation[i] > 0))
			abort();
}

static void
check_tensor(const struct npu_tensor *t)
{
	if (t->ndim > NPU_MAX_DIMS || t->size > NPU_MAX_PAYLOAD ||
	    !(t->scale > 0))
		abort();
	for (uint32_t i = 0; i < t->ndim; i++)
		if (t->dim[i] == 0)
			abort();
}

static void
take(void *text)
{
	static const uint8_t three[] = "['bus', 'car', 'a,b']";
	struct preprocess_options preprocess = { 0 };
	struct tolerance tolerance = { 0 };
	struct detection_decoder decoder;
	struct prep_recipe r;
	struct npu_tensor t;
	char *argv[DIES_WORDS + 2];
	int c, argc = dies_words(text, argv);

	decode_defaults(&decoder);
	optind = 0;		/* getopt_long() starts again */
	while ((c = cmd_option(argc, argv)) != -1) {
		if (c == OPT_TOL)
			tolerance_parse(&tolerance, optarg);
		else if (c == 'F')
			real_format_parse(optarg);
		else if (!preprocess_option(&preprocess, c, optarg))
			decode_option(&decoder, c, optarg);
	}
	for (; optind < argc; optind++)
		tensor_split_name(argv[optind]);
	classnames_literal(&decoder.names, (struct bytes){ three,
	    sizeof(three) - 1 }, NULL);
	choose_classes(&decoder);
	if (preprocess.tensor.has_type) {
		tensor_from_options(&preprocess.tensor, &t);
		check_tensor(&t);
	}
	preprocess_resolve(&preprocess, &r);
	check_recipe(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = dies_text(p, n);

	dies(take, text);
	free(text);
	return 0;
}
