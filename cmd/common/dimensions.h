/* SPDX-License-Identifier: Apache-2.0 */
/* Option --dim: sizes of dimensions that an ONNX model leaves open. */
#ifndef CMD_DIMENSIONS_H
#define CMD_DIMENSIONS_H

#include "cmd.h"
#include "model/onnx_container.h"

enum { OPT_DIM = 1010 };
#define CMD_DIM_OPTION \
	TAKES(OPT_DIM, "dim", "=NAME=N", COMPLETE_NONE, \
	    "size of an open dimension of an ONNX model")

/* True if c was the option. */
bool cmd_dim_option(int c, const char *arg);
/* The sizes that were given. */
const struct chosen_sizes *cmd_dims(void);

/* Dies if sizes were given without a model. */
void cmd_check_dims(const char *model);

/* Reads the model at path ("-" is stdin) and describes it, as model_parse()
 * does, with the sizes that were given.  Dies with the path.  Free *m with
 * cix_free(). */
void cmd_describe_model(const char *path, struct cix_model *m);

#endif
