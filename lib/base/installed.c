// SPDX-License-Identifier: Apache-2.0
#include "base/installed.h"

#ifndef PREFIX
#define PREFIX "/usr/local"
#endif

const char *
installed_prefix(void)
{
	return PREFIX;
}
