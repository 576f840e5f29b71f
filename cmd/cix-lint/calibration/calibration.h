/* SPDX-License-Identifier: Apache-2.0 */
/* The check of the calibration data of one section [Optimizer]. */
#ifndef CIX_LINT_CALIBRATION_H
#define CIX_LINT_CALIBRATION_H

#include "cix-lint/config/shape_list.h"
#include "cix-lint/lint.h"
#include "dataset_class.h"
#include "samples.h"

/* An input, in the order of the configuration, or else of the model. */
struct calibrated_input {
	struct bytes name;
	const struct onnx_port *port;	/* NULL: a value within the model */
	const struct listed_shape *listed;	/* of input_shape, or NULL */
	size_t array;		/* the index in data of its numbers */
};

struct calibration {
	struct lint *l;
	const char *section;
	const struct ini_key *key;	/* calibration_data */
	const struct dataset_class *class;	/* NULL: not of numpy */
	struct calibrated_input *input;
	size_t n_inputs;
	struct samples data;
	size_t *array;		/* the arrays of data that inputs take */
	size_t n_arrays;
};

/* Adds a finding about the data.  Takes ownership of the texts, as
 * findings_add() does. */
void calibration_report(const struct calibration *c, enum rule rule,
    enum level level, char *where, char *message, char *fix);
/* Returns the value of a key of the section, or "". */
const char *calibration_value(const struct calibration *c, const char *key);

/* Checks the number of arrays, and sets the array of each input.  Returns false
 * if the inputs cannot be compared with arrays. */
bool check_arrays(struct calibration *c);
/* Checks the order of several arrays. */
void check_array_order(struct calibration *c);
/* Returns whether each array has the shape that its input takes. */
bool arrays_fit(const struct calibration *c);
/* Checks numbers of samples, and shapes. */
void check_array_shapes(struct calibration *c);
/* Checks the numbers in the arrays. */
void check_array_numbers(struct calibration *c);

#endif
