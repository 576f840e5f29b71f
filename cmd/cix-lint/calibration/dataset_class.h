/* SPDX-License-Identifier: Apache-2.0 */
/* How the classes of [Optimizer] dataset read calibration data
 * (Compass_Optimizer: AIPUBuilder/Optimizer/plugins). */
#ifndef CIX_LINT_DATASET_CLASS_H
#define CIX_LINT_DATASET_CLASS_H

#include <stdbool.h>

enum dataset_file {
	DATASET_ARRAY,		/* one array, in a .npy */
	DATASET_ARRAYS,		/* an array for each input, in a .npz */
	DATASET_OBJECTS,	/* Python objects, in a .npy */
};

/* How a sample becomes an input. */
enum dataset_layout {
	LAYOUT_AS_IT_IS,
	LAYOUT_CHW_TO_HWC,
	LAYOUT_HWC_TO_CHW,
	LAYOUT_ONE_SAMPLE,	/* the array is one sample, without an axis of
				   samples */
	LAYOUT_UNKNOWN,
};

struct dataset_class {
	const char *name;	/* in lower case */
	enum dataset_file file;
	enum dataset_layout layout;
	bool shapes;		/* arrays whose names begin with "shape" are
				   for the class itself */
};

/* Returns the class with this name, in upper or lower case; NULL: the name is
 * unknown, or the class reads a folder, or a file of another format. */
const struct dataset_class *dataset_class_find(const char *name);

#endif
