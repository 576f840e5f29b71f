/* SPDX-License-Identifier: Apache-2.0 */
/* Where `make install` installs files. */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

/* Returns the PREFIX of this build, such as "/usr/local". */
const char *installed_prefix(void);

#endif
