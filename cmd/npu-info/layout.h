/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NPU_INFO_LAYOUT_H
#define NPU_INFO_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns "NCHW" or "NHWC" for an input of four dimensions; NULL: unknown.
 * Files do not state the layout.  A picture has three colours: the dimension
 * that is 3 shows the layout, unless both are 3.
 */
static inline const char *
picture_layout(bool second_is_3, bool last_is_3)
{
	return second_is_3 == last_is_3 ? NULL : second_is_3 ? "NCHW" : "NHWC";
}

#endif
