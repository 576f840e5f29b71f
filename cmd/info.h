/* SPDX-License-Identifier: Apache-2.0 */
/* npu-info's view of a model file. */
#ifndef CMD_INFO_H
#define CMD_INFO_H

#include "base/json.h"

/*
 * Describes the model that name means: as one element of the array open in j,
 * or as text added to t when j is NULL.  False, after a warning, if it cannot
 * be read or is no sound model.
 */
bool info_model(struct buf *t, struct json *j, const char *name);

#endif
