/* SPDX-License-Identifier: Apache-2.0 */
/* Where `make install` puts things. */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

/* The PREFIX that this was built with, such as "/usr/local". */
const char *installed_prefix(void);

#endif
