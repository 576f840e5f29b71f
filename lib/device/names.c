// SPDX-License-Identifier: Apache-2.0
#include "device/names.h"

static void
name(const char **to, const char *given)
{
	if (given != NULL)
		*to = given;
}

struct npu_names
option_names(const struct npu_options *opt)
{
	struct npu_names n = {
		.library = "npu_options.library",
		.emulator = "npu_options.emulator",
		.device_npu = "NPU_DEVICE_NPU",
		.device_emu = "NPU_DEVICE_EMU",
		.dims = "npu_options.dims",
		.threads = "npu_options.threads",
		.provider = "npu_options.provider",
	};

	if (opt == NULL || opt->names == NULL)
		return n;
	name(&n.library, opt->names->library);
	name(&n.emulator, opt->names->emulator);
	name(&n.device_npu, opt->names->device_npu);
	name(&n.device_emu, opt->names->device_emu);
	name(&n.dims, opt->names->dims);
	name(&n.threads, opt->names->threads);
	name(&n.provider, opt->names->provider);
	return n;
}
