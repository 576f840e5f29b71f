/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks paths that come from outside: from the table of models, a listing of a
 * hub, or the record of a folder.  A path that passes stays within the folder
 * that it is relative to, can be printed, and is not a record or a part.
 */
#ifndef NPU_MODEL_RELATIVE_H
#define NPU_MODEL_RELATIVE_H

#include <stddef.h>

enum {
	RELATIVE_LONGEST = 1024,	/* bytes in a path */
	RELATIVE_NAME_LONGEST = 200,	/* bytes in a part; a file system's 255,
					   less the ending of a part file */
};

/*
 * Returns why path[0..n) is refused, such as "has a part '..'", or NULL if it
 * may be used.  A path is a file's; a folder's has one '/' more at its end,
 * which the caller removes.
 */
const char *relative_fault(const char *path, size_t n);

#endif
