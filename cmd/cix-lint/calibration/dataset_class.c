// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <strings.h>

#include "dataset_class.h"

/* The other classes read folders or files of data sets, such as COCO. */
static const struct dataset_class classes[] = {
	{ "generaldictdataset", DATASET_OBJECTS, LAYOUT_UNKNOWN, false },
	{ "numpydataset", DATASET_ARRAY, LAYOUT_AS_IT_IS, false },
	{ "numpymimonchwdataset", DATASET_ARRAYS, LAYOUT_HWC_TO_CHW, false },
	{ "numpymultiinputdataset", DATASET_ARRAYS, LAYOUT_AS_IT_IS, false },
	{ "numpymultiinputdatasetllm", DATASET_OBJECTS, LAYOUT_UNKNOWN, false },
	{ "numpymultiinputwithoutbatchdimdataset", DATASET_ARRAYS,
	    LAYOUT_ONE_SAMPLE, true },
	{ "numpynchw2nhwcdataset", DATASET_ARRAY, LAYOUT_CHW_TO_HWC, false },
	{ "numpynhwc2nchwdataset", DATASET_ARRAY, LAYOUT_HWC_TO_CHW, false },
	{ "numpynhwcrgb2bgr", DATASET_ARRAY, LAYOUT_AS_IT_IS, false },
	{ "numpynhwcrgb2ncbgrhwdataset", DATASET_ARRAY, LAYOUT_HWC_TO_CHW,
	    false },
	{ "numpywithdimdataset", DATASET_ARRAY, LAYOUT_AS_IT_IS, false },
	{ "numpyzippeddataset", DATASET_ARRAYS, LAYOUT_AS_IT_IS, true },
	{ "tensorfromnumpymultiinputdataset", DATASET_ARRAYS,
	    LAYOUT_AS_IT_IS, false },
};

const struct dataset_class *
dataset_class_find(const char *name)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strcasecmp(classes[i].name, name) == 0)
			return &classes[i];
	return NULL;
}
