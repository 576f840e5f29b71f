// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

const char *const bench_scenarios[SCENARIOS + 1] = {
	[SINGLE_STREAM] = "single-stream", [MULTI_STREAM] = "multi-stream",
	[OFFLINE] = "offline", [SERVER] = "server",
};
