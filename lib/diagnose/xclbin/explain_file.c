// SPDX-License-Identifier: Apache-2.0
/*
 * explain_file.c - messages about an xclbin, an instruction stream, or the
 * program that uses them.
 *
 * Sources: the messages of libxrt and xclbinutil 2.25.0, each seen with a file
 * that has one fault, or read in XRT 963c58ee; the messages of XRT's NPU part,
 * amd/xdna-driver 856409ca, src/shim; the issues named below.
 */
#include <errno.h>

#include "diagnose/xclbin/explain.h"

#define CHECK "xclbin-check FILE"
#define CALLS "xclbin-check FILE  # its line 'call' has the calls to make"
#define LFS CHECK "  # says what it is; git lfs pull gets the real file"
#define AGAIN CHECK "  # and build the file again"
#define NEEDS_PACKING "xclbin-pack --project=DIR.mlir.prj  # packs what the " \
	"build left, without Python"
#define STREAM CHECK " --insts=INSTS  # an instruction stream belongs to one " \
	"build of one file"
#define WRAPPER "the package has only the wrapper of this program, not the " \
	"program"
#define NO_LOAD "load_xclbin() fails on an NPU with every file, before it " \
	"reads the file"
#define BAD_OFFSET "an offset or a size in AIE_PARTITION lies outside it"
#define BAD_COUNT "a count in AIE_PARTITION is too great"
#define BAD_NUMBER "a number in EMBEDDED_METADATA is not one"
#define NO_ARGUMENT "the connections name an argument or a bank that is not " \
	"there"
#define NOT_XML "EMBEDDED_METADATA is not XML"
#define TOO_SHORT "the file is shorter than the header of an xclbin"
#define STATE_ERROR "the NPU did not complete the command"

const struct explain_row explain_file[] = {
	/* The call, or the program. */
	{ "load_axlf", 0, { "call", NO_LOAD, CALLS } },
	{ "load_xclbin", EOPNOTSUPP, { "call", NO_LOAD, CALLS } },
	/* (amd/xdna-driver, README.md: Run examples) */
	{ "libxrt*.so*: cannot open shared object", 0, { "call", "XRT's "
	    "libraries are not installed, or not where the loader looks",
	    "source /opt/xilinx/xrt/setup.sh  # if XRT is there; xdna-run "
	    "needs no XRT" } },
	{ "No module named 'pyxrt'", 0, { "call",
	    "Python lacks the binding of XRT", "xdna-run FILE.xclbin INSTS"
	    "  # needs neither XRT nor Python" } },
	{ "No module named 'aie'", 0, { "call",
	    "mlir-aie is not installed for this Python", NEEDS_PACKING } },
	{ "No module named 'aie.*'", 0, { "call",
	    "mlir-aie is not installed whole for this Python",
	    NEEDS_PACKING } },
	{ "no attribute '_ClassVar'", 0, { "call",
	    "a package that mlir-aie uses is too old for this Python",
	    NEEDS_PACKING } },
	{ "unwrapped/xclbinutil: No such file", 0, { "call", WRAPPER,
	    "xclbin-pack --help  # packs, and xclbin-info shows and "
	    "extracts" } },
	{ "unwrapped/xclbinutil: not found", 0, { "call", WRAPPER,
	    "xclbin-pack --help  # packs, and xclbin-info shows and "
	    "extracts" } },
	{ "xclbinutil: command not found", 0, { "call",
	    "xclbinutil is not installed", "xclbin-pack --help  # packs, and "
	    "xclbin-info shows and extracts" } },
	{ "bin/unwrapped/*: No such file", 0, { "call", WRAPPER,
	    CHECK "  # and xdna-run need no XRT" } },

	/* The file. */
	{ "Invalid xclbin", 0, { "file", "the file does not begin as an "
	    "xclbin does", LFS } },
	{ "buffer too small to contain header", 0, { "file", TOO_SHORT, LFS } },
	{ "m_length does not match buffer size", 0, { "file", "the length in "
	    "the header is not the file's: it was cut, or changed on its way",
	    CHECK "  # and copy the file again" } },
	{ "unreasonable m_numSections", 0, { "sections",
	    "the header has no sections, or more than 10000", AGAIN } },
	{ "section header array exceeds buffer", 0, { "sections",
	    "the table of sections runs past the end of the file", AGAIN } },
	{ "section header out of range", 0, { "sections",
	    "a section runs past the end of the file", AGAIN } },

	/* AIE_PARTITION. */
	{ "AIE_PARTITION*offset/size out of bounds", 0, { "partition",
	    BAD_OFFSET, AGAIN } },
	{ "offset/size out of bounds (offset=*, size=*, section_size=*)", 0, {
	    "partition", BAD_OFFSET, AGAIN } },
	{ "aie_pdi offset/size", 0, { "partition", BAD_OFFSET, AGAIN } },
	{ "cdo_groups offset/size", 0, { "partition", BAD_OFFSET, AGAIN } },
	{ "info.start_columns offset/size", 0, { "partition", BAD_OFFSET,
	    AGAIN } },
	{ "info.start_columns size overflow", 0, { "partition", BAD_COUNT,
	    AGAIN } },
	{ "aie_pdi size overflow", 0, { "partition", BAD_COUNT, AGAIN } },
	{ "cdo_groups size overflow", 0, { "partition", BAD_COUNT, AGAIN } },
	{ "dpu_kernel_ids size overflow", 0, { "partition", BAD_COUNT,
	    AGAIN } },
	{ "section too small for header", 0, { "partition",
	    "AIE_PARTITION is shorter than its header", AGAIN } },
	{ "string offset out of bounds", 0, { "partition",
	    "a name lies outside of AIE_PARTITION", AGAIN } },
	/* (shim, buffer.cpp: memory without a file, mmap(2)) */
	{ "mmap_range(len=*) failed", EINVAL, { "pdi", "libxrt wanted memory "
	    "of 0 bytes: a PDI has no bytes", AGAIN } },
	{ "mmap_range(len=*) failed", 0, { "pdi", "libxrt got no memory: a PDI "
	    "has no bytes if len is 0, else memory is short", CHECK
	    "  # and free -m; ulimit -v" } },
	{ "mmap_range(len=*) failed", ENOMEM, { "limits", "libxrt got no "
	    "memory: it is short, or a limit of this process is too low",
	    "free -m; ulimit -v" } },
	{ "mmap_range(len=*) failed", EAGAIN, { "limits", "too much memory is "
	    "locked already", "ulimit -l  # raise memlock in "
	    "/etc/security/limits.d" } },
	{ "PDI image size exceeds maximum", 0, { "pdi",
	    "a PDI has more than 128 MiB", AGAIN } },

	/* EMBEDDED_METADATA. */
	{ "No valid DPU kernel found in xclbin", 0, { "metadata", "the file "
	    "has no kernel whose metadata, instance and PDI fit together",
	    CHECK "  # says which is at fault" } },
	{ "<unspecified file>(*): *expected", 0, { "metadata", NOT_XML,
	    AGAIN } },
	{ "<unspecified file>(*): *unexpected", 0, { "metadata", NOT_XML,
	    AGAIN } },
	{ "^stoul$", 0, { "metadata", BAD_NUMBER, CHECK } },
	{ ": stoul$", 0, { "metadata", BAD_NUMBER, CHECK } },
	{ "conversion of data to type", 0, { "metadata", BAD_NUMBER, CHECK } },
	{ "mismatched argument index", 0, { "metadata", "the arguments of a "
	    "kernel are not numbered 0, 1, 2 and so on", CHECK } },
	{ "No such node (*)", 0, { "metadata", "EMBEDDED_METADATA lacks an "
	    "element or an attribute", CHECK } },
	/* The spelling of "exceed" varies. */
	{ "register map excee*", 0, { "metadata", "the arguments of a kernel "
	    "need more than 4088 bytes", CHECK } },

	/* IP_LAYOUT, kernels, CONNECTIVITY. */
	{ "vector::reserve", 0, { "layout",
	    "the number of entries in IP_LAYOUT is negative, or too great",
	    AGAIN } },
	{ "No such kernel '", 0, { "kernel", "the file has no kernel of this "
	    "name, which need not be the C function's",
	    "xclbin-info FILE  # lists the names" } },
	{ "CU name (*) not found", 0, { "kernel",
	    "the kernel's id is in no group of a PDI", CHECK } },
	{ "PDI for kernel ID * not found", 0, { "kernel",
	    "the kernel's id is in no group of a PDI", CHECK } },
	{ "not compliant with IP_LAYOUT section", 0, { "kernel",
	    "the ids in IP_LAYOUT and in AIE_PARTITION differ, or are written "
	    "in another way", "xclbin-pack --help  # compares numbers, not "
	    "their text" } },
	{ "vector::_M_range_check", 0, { "memory", NO_ARGUMENT, CHECK } },
	{ "bitset::set", 0, { "memory", NO_ARGUMENT, CHECK } },
	{ "Invalid kernel argument index", 0, { "memory",
	    "CONNECTIVITY names an argument that no kernel has", CHECK } },
	{ "Memory tag '*' not found", 0, { "memory", "no bank of MEM_TOPOLOGY "
	    "has the tag that a kernel's argument names",
	    "xclbin-info FILE  # lists the tags" } },

	/* Commands.  mlir-aie issues 1751 and 2294, xdna-driver 51. */
	{ "ERT_CMD_STATE_ERROR", 0, { "insts", STATE_ERROR, STREAM } },
	{ "ERT_CMD_STATE_ABORT", 0, { "insts", "the command was stopped: the "
	    "stream waits for what does not come, or the firmware does not "
	    "fit the driver", STREAM } },
	{ "ERT_CMD_STATE_TIMEOUT", 0, { "insts",
	    "the stream waits for what does not come", STREAM } },
	{ "unexpected command state", 0, { "insts", STATE_ERROR, STREAM } },
	{ "completed with unexpected state", 0, { "insts", STATE_ERROR,
	    STREAM } },
	{ "AMDXDNA_EXEC_CMD", EIO, { "insts", "the NPU could not run the "
	    "command: the file is for another NPU, or the stream for another "
	    "file", STREAM } },
	{ "AMDXDNA_EXEC_CMD", ETIME, { "insts",
	    "the stream waits for what does not come", STREAM } },
	{ "AMDXDNA_WAIT_CMD", ETIME, { "insts",
	    "the stream waits for what does not come", STREAM } },
	{ "TDR timeout detected", 0, { "insts",
	    "the stream waits for what does not come", STREAM } },
	{ "Device isn't making progress", 0, { "insts",
	    "the stream waits for what does not come", STREAM } },
};

const size_t explain_file_rows = sizeof(explain_file) / sizeof(*explain_file);
