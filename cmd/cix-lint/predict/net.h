/* SPDX-License-Identifier: Apache-2.0 */
/* The model whose quantised form is predicted. */
#ifndef CIX_LINT_PREDICT_NET_H
#define CIX_LINT_PREDICT_NET_H

#include "activations.h"
#include "cix-lint/lint.h"
#include "cix-lint/model/other_files.h"
#include "settings.h"

struct net {
	const struct lint *lint;	/* with the file, and its ports */
	struct onnx_graph graph;
	struct value_types types;
	struct activations activations;
	struct settings settings;
	struct other_files files;
	int64_t opset;		/* of ai.onnx */
	int32_t timeout_ms;	/* of one run, as in npu_options */
};

#endif
