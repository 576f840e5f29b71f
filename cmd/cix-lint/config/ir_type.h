/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of Compass's intermediate form, which <[TYPE]:value> names, and the
 * ONNX operators that become them. */
#ifndef CIX_LINT_IR_TYPE_H
#define CIX_LINT_IR_TYPE_H

#include <stdbool.h>

#include "base/bytes.h"

/* Returns whether the parser makes this type from the ONNX operator.  Types are
 * compared in any case, as Compass compares them. */
bool ir_type_covers(struct bytes type, struct bytes onnx);
/* Returns whether the parser may make this type from it, perhaps together with
 * other operators. */
bool ir_type_may_cover(struct bytes type, struct bytes onnx);

/* Returns whether the type exists.  If not, sets *instead to the type that was
 * probably meant, or to NULL. */
bool ir_type_known(struct bytes type, const char **instead);

#endif
