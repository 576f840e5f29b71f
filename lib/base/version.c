// SPDX-License-Identifier: Apache-2.0
#include "npu.h"

const char *
npu_version(void)
{
	return NPU_VERSION;
}
