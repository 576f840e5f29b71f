/* SPDX-License-Identifier: Apache-2.0 */
/* What a file is that was given instead of another. */
#ifndef MODEL_FOREIGN_H
#define MODEL_FOREIGN_H

#include "base/bytes.h"

/* A page of the web, such as a server's answer that a file is not there. */
bool foreign_is_web_page(struct bytes f);

/* What Git leaves where the file itself is kept by Git LFS and not fetched. */
bool foreign_is_lfs_pointer(struct bytes f);

/* "a Git LFS pointer (git lfs pull)" and such; NULL: unknown. */
const char *foreign_name(struct bytes f);

#endif
