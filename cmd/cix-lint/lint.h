/* SPDX-License-Identifier: Apache-2.0 */
/* The check of one file, a configuration or a model. */
#ifndef CIX_LINT_LINT_H
#define CIX_LINT_LINT_H

#include "findings.h"
#include "ini.h"
#include "model/onnx_model.h"
#include "model_bytes.h"

/* The three stages that may refuse an operator (--gate). */
enum { GATE_PARSER = 1, GATE_KERNEL = 2, GATE_PROVIDER = 4 };

struct lint_options {
	unsigned gates;		/* of these, an operator that is refused is an
				   error */
	const char *target;	/* NULL: as the configuration says */
	bool off[RULE_N];	/* --disable */
};

struct lint {
	const struct lint_options *o;
	const char *path;	/* as the user named it */
	struct findings findings;
	bool configured;	/* path is a configuration, and ini has it */
	struct ini ini;
	/* The model; NULL: not named.  A path in a configuration is tried as it
	 * is, and then in the configuration's folder. */
	char *model_path;
	unsigned model_line;	/* of input_model; 0: path is the model */
	bool has_model;		/* bytes and model are valid */
	struct model_bytes bytes;
	struct onnx_model model;
};

/* Each check adds findings to l->findings.  They run in this order. */
void check_target_option(struct lint *l);	/* --target */
void check_config(struct lint *l);	/* sections, keys and values */
void check_model_file(struct lint *l);	/* opens the model: has_model */
/* The others run only with has_model. */
void check_inputs(struct lint *l);	/* shapes, names, order */
void check_operators(struct lint *l);	/* opset, gates, single nodes */
void check_selectors(struct lint *l);	/* <[Op]:v> and <{regex}:v> */
void check_weights(struct lint *l);	/* what 8 bits will do */
void check_calibration(struct lint *l);

/* Checks l->path.  Fails if it cannot be read.  Free with lint_free(), also
 * after a failure. */
int lint_file(struct lint *l, struct npu_err *err);
void lint_free(struct lint *l);

/*
 * Returns the path of a file that a configuration names, for the caller to
 * free: as written if that exists, or else below the configuration's folder if
 * that exists, or else as written.
 */
char *lint_path(const struct lint *l, const char *name);

#endif
