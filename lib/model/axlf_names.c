// SPDX-License-Identifier: Apache-2.0
/*
 * Names from XRT 963c58ee (Apache-2.0): the enumerations in
 * src/runtime_src/core/include/xrt/detail/xclbin.h, spelled as in
 * src/runtime_src/tools/xclbinutil.
 */
#include <string.h>

#include "model/axlf_names.h"

static const char *const kinds[] = {
	"BITSTREAM", "CLEARING_BITSTREAM", "EMBEDDED_METADATA", "FIRMWARE",
	"DEBUG_DATA", "SCHED_FIRMWARE", "MEM_TOPOLOGY", "CONNECTIVITY",
	"IP_LAYOUT", "DEBUG_IP_LAYOUT", "DESIGN_CHECK_POINT",
	"CLOCK_FREQ_TOPOLOGY", "MCS", "BMC", "BUILD_METADATA",
	"KEYVALUE_METADATA", "USER_METADATA", "DNA_CERTIFICATE", "PDI",
	"BITSTREAM_PARTIAL_PDI", "PARTITION_METADATA", "EMULATION_DATA",
	"SYSTEM_METADATA", "SOFT_KERNEL", "ASK_FLASH", "AIE_METADATA",
	"GROUP_TOPOLOGY", "GROUP_CONNECTIVITY", "SMARTNIC", "AIE_RESOURCES",
	"OVERLAY", "VENDER_METADATA", "AIE_PARTITION", "IP_METADATA",
	"AIE_RESOURCES_BIN", "AIE_TRACE_METADATA", "DTBO",
};

static const char *const memories[] = {
	"MEM_DDR3", "MEM_DDR4", "MEM_DRAM", "MEM_STREAMING",
	"MEM_PREALLOCATED_GLOB", "MEM_ARE", "MEM_HBM", "MEM_BRAM", "MEM_URAM",
	"MEM_STREAMING_CONNECTION", "MEM_HOST", "MEM_PS_KERNEL",
};

static const char *const ips[] = {
	"IP_MB", "IP_KERNEL", "IP_DNASC", "IP_DDR4_CONTROLLER", "IP_MEM_DDR4",
	"IP_MEM_HBM", "IP_MEM_HBM_ECC", "IP_PS_KERNEL",
};

static const char *const controls[] = {
	"AP_CTRL_HS", "AP_CTRL_CHAIN", "AP_CTRL_NONE", "AP_CTRL_ME",
	"ACCEL_ADAPTER", "FAST_ADAPTER",
};

static const char *const groups[] = { "UNKNOWN", "PRIMARY", "LITE",
    "PRE_POST" };
static const char *const subtypes[] = { "PS", "DPU" };
static const char *const functionals[] = { "DPU", "PrePost" };
static const char *const qualifiers[] = { "SCALAR", "GLOBAL", "CONSTANT",
    "LOCAL", "STREAM" };

#define NAMES(of) { of, sizeof(of) / sizeof(*(of)) }
const struct axlf_names axlf_kinds = NAMES(kinds);
const struct axlf_names axlf_memories = NAMES(memories);
const struct axlf_names axlf_ips = NAMES(ips);
const struct axlf_names axlf_controls = NAMES(controls);
const struct axlf_names axlf_groups = NAMES(groups);
const struct axlf_names axlf_subtypes = NAMES(subtypes);
const struct axlf_names axlf_functionals = NAMES(functionals);
const struct axlf_names axlf_qualifiers = NAMES(qualifiers);

const char *
axlf_name(const struct axlf_names *of, uint32_t number)
{
	return number < of->n ? of->name[number] : NULL;
}

int
axlf_number(const struct axlf_names *of, const char *name)
{
	for (uint32_t i = 0; i < of->n; i++)
		if (strcmp(of->name[i], name) == 0)
			return (int)i;
	return -1;
}
