/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises files of other kinds that were passed by mistake. */
#ifndef MODEL_FOREIGN_H
#define MODEL_FOREIGN_H

#include "base/bytes.h"

/* Returns whether f is a web page, such as a server's answer that a file was
 * not found. */
bool foreign_is_web_page(struct bytes f);

/* Returns whether f is a pointer that Git leaves in place of a file which Git
 * LFS has not fetched. */
bool foreign_is_lfs_pointer(struct bytes f);

/* Returns a text such as "a Git LFS pointer (git lfs pull)", or NULL if
 * unknown. */
const char *foreign_name(struct bytes f);

#endif
