// SPDX-License-Identifier: Apache-2.0
/*
 * Tests which check each message belongs to.  For files, the checks come from
 * the test data: the messages were found with files that have one fault each.
 * For machines, the driver's authors explain the messages in public issues.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/health/health.h"
#include "diagnose/xclbin/explain.h"
#include "tap.h"

enum { TEXT = 1024 };

static const char *const checks[] = { "file", "sections", "partition", "pdi",
    "metadata", "layout", "kernel", "memory", "call", "insts", "device",
    "driver", "node", "limits", "firmware", "interface", "power", "iommu",
    "container", NULL };

#define DMESG "[ 2497.518269] amdxdna 0000:c5:00.1: [drm] *ERROR* "
#define SMI "[xrt-smi] ERROR: "
#define WHAT "  what():  "
#define IOCTL "DRM_IOCTL_AMDXDNA_"

static const struct {
	const char *text, *check;
} machine[] = {
	/* (amd/xdna-driver 903) */
	{ SMI "mmap(addr=0x7f2dd0000000, len=67108864, prot=3, flags=8209, "
	    "offset=4294967296) failed (err=-11): Resource temporarily "
	    "unavailable", "limits" },
	{ "mmap(addr=.., len=67108864, prot=3, flags=8209, ..) failed "
	    "(err=-11): Resource temporarily unavailable", "limits" },
	{ "failed to allocate BO", "limits" },
	{ "Lock limit exceeded", "limits" },
	{ IOCTL "CREATE_BO IOCTL failed (err=-12): Cannot allocate memory",
	    "limits" },
	/* (fastflow/fastflow 58, noamsto/nix-amd-ai 79) */
	{ "[ERROR]  Failed to load model: " IOCTL "CREATE_HWCTX IOCTL failed "
	    "(err=-22): Invalid argument", "partition" },
	{ WHAT IOCTL "CREATE_CTX IOCTL failed (err=22): Invalid argument",
	    "partition" },
	/* (Xilinx/mlir-aie 2333, amd/IRON 3) */
	{ WHAT IOCTL "CREATE_CTX IOCTL failed (err=28): No space left on "
	    "device", "partition" },
	{ IOCTL "CREATE_CTX .. (err=28): No space left on device",
	    "partition" },
	{ WHAT IOCTL "CREATE_HWCTX IOCTL failed (err=-28): No space left on "
	    "device", "partition" },
	{ IOCTL "CREATE_HWCTX: ENOSPC", "partition" },
	{ IOCTL "CREATE_HWCTX IOCTL failed (err=-110): Connection timed out",
	    "driver" },
	{ IOCTL "CREATE_HWCTX IOCTL failed (err=-13): Permission denied",
	    "node" },
	{ IOCTL "CREATE_HWCTX IOCTL failed (err=-95): Operation not supported",
	    "interface" },
	/* (amd/xdna-driver 1066) */
	{ DMESG "aie2_hwctx_init: Map host buffer failed, ret -22", "call" },
	{ "[Tue Feb 10 10:42:10 2026] amdxdna 0000:c4:00.1: [drm] *ERROR* "
	    "aie2_send_mgmt_msg_wait: command opcode 0x106 failed, status "
	    "0x4000003", "firmware" },
	{ DMESG "amdxdna_drm_create_hwctx_ioctl: Init hwctx failed, ret -22",
	    "driver" },
	/* (amd/xdna-driver 307) */
	{ SMI IOCTL "SET_STATE IOCTL failed (err=13): Permission denied",
	    "power" },
	{ IOCTL "SET_STATE .. (err=13): Permission denied", "power" },
	{ IOCTL "SET_STATE IOCTL failed (err=-95): Operation not supported",
	    "power" },
	/* (amd/xdna-driver 118) */
	{ "[xbutil] ERROR: " IOCTL "GET_INFO IOCTL failed (err=95): Operation "
	    "not supported", "interface" },
	{ IOCTL "GET_INFO .. (err=95)", "interface" },
	{ IOCTL "GET_ARRAY IOCTL failed (err=-22): Invalid argument",
	    "interface" },
	{ IOCTL "GET_INFO IOCTL failed (err=-13): Permission denied",
	    "interface" },
	{ IOCTL "WAIT_CMD IOCTL failed (err=-22): Invalid argument",
	    "interface" },
	{ "[ERROR] amdxdna version 0.0 is incompatible", "interface" },
	/* (amd/xdna-driver 299, 704, 1028, 62) */
	{ "nov 04 13:18:03 mat5-test kernel: amdxdna 0000:05:00.1: aie2_init: "
	    "Enable PASID failed, ret -19", "iommu" },
	{ DMESG "amdxdna_drm_open: SVA bind device failed, ret -19", "iommu" },
	{ DMESG "amdxdna_drm_open: SVA bind device failed, ret -95", "iommu" },
	{ DMESG "amdxdna_drm_open: SVA bind device failed, ret -28", "iommu" },
	/* (1bit-MONSTER/1bit-MONSTER 1920) */
	{ "not ready after FLR", "device" },
	{ "amdxdna 0000:c6:00.1: not ready 65535ms after FLR; giving up",
	    "device" },
	{ DMESG "aie2_hw_resume: Start hardware failed -22", "device" },
	/* (amd/xdna-driver 282, 421, 389, 1074, 1257) */
	{ "amdxdna 0000:64:00.1: Direct firmware load for "
	    "amdnpu/17f0_10/npu.sbin failed with error -2", "firmware" },
	{ DMESG "aie2_init: failed to request_firmware "
	    "amdnpu/17f0_10/npu.sbin, ret -2", "firmware" },
	{ "loading /lib/firmware/amdnpu/1502_00/npu.sbin failed with error "
	    "-22", "firmware" },
	{ DMESG "aie2_check_protocol: Incompatible firmware protocol major 7 "
	    "minor 3", "firmware" },
	{ DMESG "aie2_hw_start: firmware is not alive", "firmware" },
	{ DMESG "aie2_get_mgmt_chann_info: Invalid mbox magic 0x30ec000",
	    "firmware" },
	{ DMESG "aie2_smu_exec: smu cmd 4 failed, 0xff", "firmware" },
	{ DMESG "aie2_smu_init: Access power failed, ret -22", "firmware" },
	{ DMESG "aie2_smu_fini: Power off failed, ret -22", "firmware" },
	{ "[ERROR] NPU firmware version on /dev/accel/accel0 is incompatible. "
	    "Please update NPU firmware!", "firmware" },
	{ "Error: " IOCTL "CONFIG_HWCTX IOCTL failed (err=62): Timer expired",
	    "firmware" },
	{ DMESG "aie2_init: start npu failed, ret -22", "driver" },
	{ DMESG "amdxdna_probe: Hardware init failed, ret -22", "driver" },
	{ "amdxdna 0000:c6:00.1: probe with driver amdxdna failed with error "
	    "-22", "driver" },
	/* (amd/xdna-driver 50, 923, 1670; modprobe(8)) */
	{ "Error:  No such device with index '0'", "driver" },
	{ "There are no the XDNA NPU devices found.", "driver" },
	{ "amdxdna 0000:c2:00.1: amdxdna_gem_create_cma_object: Heap BO is "
	    "not supported on CMA platform", "driver" },
	{ "genirq: Flags mismatch irq 95. 00200000 (xdna_mailbox) vs. 00200000 "
	    "(xdna_mailbox)", "driver" },
	{ "[drm] *ERROR* Set hclock to 1600 failed, ret -110", "power" },
	{ "modprobe: FATAL: Module amdxdna not found in directory "
	    "/lib/modules/6.1.0-32-amd64", "driver" },
	{ "modprobe: ERROR: could not insert 'amdxdna': Key was rejected by "
	    "service", "driver" },
	/* (Xilinx/mlir-aie 2294, 1751) */
	{ IOCTL "EXEC_CMD IOCTL failed (err=5): Input/output error", "insts" },
	{ WHAT "qds_device::wait() unexpected command state", "insts" },
	{ "kernel returned ERT_CMD_STATE_TIMEOUT", "insts" },
	/* (AMDResearch/Riallto's users in xdna-driver 282; FastFlowLM 400) */
	{ "docker: Error response from daemon: error gathering device "
	    "information while adding custom device \"/dev/accel/accel0\": no "
	    "such file or directory.", "node" },
	{ "Open /dev/accel/accel0 failed (err=-13): Permission denied",
	    "node" },
	{ "PermissionError: [Errno 13] Permission denied: "
	    "'/dev/accel/accel0'", "node" },
	{ "ls: cannot access '/dev/accel/accel0': No such file or directory",
	    "node" },
	/* The other messages that the reference lists for files. */
	{ "device: Invalid xclbin", "file" },
	{ "xclbin: section header array exceeds buffer", "sections" },
	{ "info.start_columns offset/size out of bounds", "partition" },
	{ "string offset out of bounds", "partition" },
	{ "PDI image size exceeds maximum", "pdi" },
	{ "<unspecified file>(3): unexpected end of data", "metadata" },
	{ "conversion of data to type \"j\" failed", "metadata" },
	{ "kernel register map exceeed", "metadata" },
	{ "RuntimeError: No such kernel 'layernorm_512_nosqrt'", "kernel" },
	{ "bitset::set", "memory" },
	{ "Memory tag 'DDR' not found", "memory" },
	{ "ImportError: No module named 'pyxrt'", "call" },
	/* Messages of glibc's loader, and of Python when it loads a library. */
	{ "./vadd: error while loading shared libraries: libxrt_coreutil.so.2: "
	    "cannot open shared object file: No such file or directory",
	    "call" },
	{ "ImportError: libxrt++.so.2: cannot open shared object file: No such "
	    "file or directory", "call" },
	/* (XRT, xclbin_parser.cpp, validate_pointer_offset) */
	{ WHAT "info.start_columns size overflow: Invalid argument",
	    "partition" },
	{ "AIE_PARTITION dpu_kernel_ids size overflow: Invalid argument",
	    "partition" },
	/* (xdna-driver, shim/buffer.cpp; mmap(2)) */
	{ WHAT "mmap_range(len=4096) failed (err=-12): Cannot allocate "
	    "memory", "limits" },
	{ "mmap_range(len=4096) failed (err=-11): Resource temporarily "
	    "unavailable", "limits" },
	{ "mmap_range(len=0) failed", "pdi" },
	{ WHAT "stoul", "metadata" },
	{ "ValueError: stoul", "metadata" },
	/* (Linux, aie2_ctx.c, aie2_pci.c) */
	{ DMESG "aie2_hwctx_col_list: Invalid num_col 9", "partition" },
	{ DMESG "aie2_hwctx_col_list: Start 1 end 0 width 1", "partition" },
	{ DMESG "aie2_hwctx_init: Create col list failed, ret -22",
	    "partition" },
	{ DMESG "aie2_hwctx_col_list: Number of tiles is zero", "partition" },
	{ DMESG "aie2_hwctx_init: The client dev heap object not exist",
	    "call" },
	{ DMESG "aie2_check_protocol: Firmware minor version smaller than "
	    "supported", "firmware" },
	/* (Linux, drivers/pci/pci.c) */
	{ "[  101.2] amdxdna 0000:c6:00.1: Unable to change power state from "
	    "D3cold to D0, device inaccessible", "device" },
	{ "Unable to change power state from D3hot to D0, device inaccessible",
	    "device" },
	/* (amd/IRON 43, amd/xdna-driver 181, 1645) */
	{ "amdxdna 0000:c5:00.1: AMD-Vi: Event logged [IO_PAGE_FAULT "
	    "domain=0x0001 address=0x7f5f245a0000 flags=0x0007]", "iommu" },
	{ "AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x001a "
	    "address=0xfffc8000 flags=0x0050]", "iommu" },
	/* Messages of xdna-run. */
	{ "xdna-run: insts.bin: the stream uses buffer 2 of a kernel with 2; "
	    "it belongs to another build", "insts" },
	{ "xdna-run: insts.bin: the stream is for npu1, and this device is "
	    "npu4 or newer; build the design for this device", "insts" },
	{ "xdna-run: insts.bin: the stream is for npu1, which has 5 columns, "
	    "and the partition needs 8", "insts" },
	{ "xdna-run: /dev/accel/accel0: the container needs 8 columns, the "
	    "device has 5; see xclbin-check", "partition" },
	{ "xdna-run: /dev/accel/accel0: CREATE_HWCTX: No space left on device "
	    "(ENOSPC): other programs hold the columns; end them",
	    "partition" },
	{ "xdna-run: /dev/accel/accel0: mmap: Resource temporarily unavailable "
	    "(EAGAIN): memory may not be locked", "limits" },
	{ "xdna-run: a.xclbin: frame 3: the command ended in state 8 "
	    "(TIMEOUT): the array waits", "insts" },
	{ "AttributeError: module 'typing' has no attribute '_ClassVar'",
	    "call" },
};

/* Lines about other things, or that nobody can explain. */
static const char *const unknown[] = { "", " ", "hello", "Segmentation fault",
    "No space left on device", "Operation not supported", "Permission denied",
    "err=-22", "(err=28): No space left on device", "xstoul", "stouls",
    "std::stoul", "use stoul instead", "stoul: a function", "the stoul",
    "nvme 0000:01:00.0: Unable to change power state from D3cold to D0, device "
    "inaccessible", "ahci 0000:28:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT "
    "domain=0x0035 address=0x7fffff00000 flags=0x0000]",
    "libxml2.so.2: cannot open shared object file",
    "Invalid xclbins", "an invalid xclbin", "CUDA error: out of memory",
    "[    1.850525] amdxdna 0000:c8:00.1: enabling device (0000 -> 0002)",
    "[drm] Initialized amdxdna_accel_driver 0.6.0 for 0000:c5:00.1 on minor 0",
    "ERT_CMD_STATE_COMPLETED", "Memory tag 'DDR' was found",
    "No module named 'numpy'", "\033[31m\033[0m", "\033[", "\033" };

static const struct explanation *
of(const char *s)
{
	return explain((struct bytes){ (const uint8_t *)s, strlen(s) });
}

static bool
is(const char *text, const char *check)
{
	const struct explanation *e = of(text);

	return e != NULL ? strcmp(e->check, check) == 0 : *check == '\0';
}

/* ---- Other numbers ----------------------------------------------------- */

/* Returns true if the digits at s are a number and not part of a name, as in
 * aie2. */
static bool
is_number(const char *text, const char *s)
{
	const char *end = s + strspn(s, "0123456789");

	return isdigit((unsigned char)*s) && (s == text ||
	    (!isalnum((unsigned char)s[-1]) && s[-1] != '_')) &&
	    !isalpha((unsigned char)*end) && *end != '_';
}

/* Copies text to 'to' and changes the digits of number nth, or of all numbers
 * if nth is -1.  Returns false if the text has fewer numbers. */
static bool
change(char to[TEXT], const char *text, int nth)
{
	bool changed = false;
	int n = 0;

	snprintf(to, TEXT, "%s", text);
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (!is_number(text, text + i))
			continue;
		for (; isdigit((unsigned char)text[i]); i++)
			if (nth < 0 || n == nth) {
				to[i] = (char)('0' + (text[i] - '0' + 1) % 10);
				changed = true;
			}
		n++;
		i--;
	}
	return changed;
}

/* Checks that the text, also with other numbers, belongs to the check. */
static void
try(const char *text, const char *check)
{
	char other[TEXT];

	if (!ok(is(text, check), "check %s explains: %s", check, text))
		diag("%s", of(text) != NULL ? of(text)->check : "not known");
	for (int n = 0; change(other, text, n); n++)
		ok(is(other, check), "check %s explains the message with "
		    "another number: %s", check, other);
	if (change(other, text, -1))
		ok(is(other, check), "check %s explains the message with other "
		    "numbers: %s", check, other);
}

/* ---- The test data ------------------------------------------------------ */

/* Opens a table of the test data.  Returns NULL without test data. */
static FILE *
table(const char *name)
{
	const char *data = getenv("NPU_TEST_DATA");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/xdna/%s", data != NULL ? data : "",
	    name);
	if ((f = fopen(path, "r")) == NULL)
		ok(true, "%s # SKIP no test data", name);
	return f;
}

static void
messages(void)
{
	char line[TEXT], *check;
	FILE *f = table("explain.tsv");
	int n = 0;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if ((check = strchr(line, '\t')) == NULL || n++ == 0)
			continue;
		*check++ = '\0';
		try(line, check);
	}
	if (f != NULL) {
		ok(n > 16, "explain.tsv has more than 16 rows");
		fclose(f);
	}
}

/* Messages of libxrt for files with a fault, in the form STEP: MESSAGE.  One
 * message stands for several faults; explain.tsv lists it under metadata. */
static void
verdicts(void)
{
	static const char *const steps[] = { "device: ", "hw_context: ",
	    "kernel: " };
	char line[TEXT], several[] = "metadata", *check, *text;
	FILE *f = table("verdicts.tsv");
	int n = 0;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		check = line;
		strsep(&check, "\t");
		strsep(&check, "\t");
		text = check;
		strsep(&text, "\t");
		for (int i = 0; text != NULL && i < 3; i++) {
			if (strncmp(text, steps[i], strlen(steps[i])) != 0)
				continue;
			if (strstr(text, "No valid DPU kernel") != NULL)
				check = several;
			try(text + strlen(steps[i]), check);
			try(text, check);
			n++;
		}
	}
	if (f != NULL) {
		ok(n > 25, "verdicts.tsv has more than 25 messages");
		fclose(f);
	}
}

/* ---- Lines -------------------------------------------------------------- */

/* Text before, after and within a message. */
static void
surroundings(void)
{
	char text[3 * EXPLAIN_LINE];

	ok(is("\033[1;31mERROR:\033[0m No such \033[1mkernel\033[0m 'X'\r",
	    "kernel"), "colours in a message are ignored");
	ok(is("\t\tstoul\r", "metadata"), "TABs around a message are ignored");
	ok(is("No such node\t(project)", "metadata"), "a TAB in a message "
	    "counts as a blank");
	ok(is(IOCTL "CREATE_HWCTX IOCTL failed (err=-28): Auf dem Geraet ist "
	    "kein Speicherplatz mehr verfuegbar", "partition"),
	    "an errno without its English text is enough");
	ok(explain((struct bytes){ (const uint8_t *)"a\0Invalid xclbin\0\xff",
	    18 }) != NULL,
	    "bytes that are not text, before and after a message, are ignored");
	ok(explain((struct bytes){ (const uint8_t *)"\0stoul\0", 7 }) != NULL,
	    "NULs around a message are ignored");
	ok(is("  stoul \t", "metadata"), "blanks around a whole message are "
	    "ignored");
	ok(is("No  such\t node   (project)", "metadata"), "several blanks in a "
	    "message count as one");
	memset(text, 0, sizeof(text));
	memcpy(text + sizeof(text) - 5, "stoul", 5);
	ok(explain((struct bytes){ (const uint8_t *)text, sizeof(text) }) !=
	    NULL, "a message behind more NULs than the buffer holds is found");
	ok(explain((struct bytes){ NULL, 0 }) == NULL,
	    "an empty text has no explanation");
	memset(text, 'x', sizeof(text));
	memcpy(text + EXPLAIN_LINE - 13, " bitset::set", 12);
	text[EXPLAIN_LINE - 1] = '\0';
	ok(is(text, "memory"), "a message at the end of the buffer is found");
	text[EXPLAIN_LINE - 1] = 'x';
	text[EXPLAIN_LINE] = '\0';
	ok(is(text, "memory"), "a message before the end of the buffer is "
	    "found in a longer line");
	memmove(text + EXPLAIN_LINE - 12, text + EXPLAIN_LINE - 13, 12);
	text[EXPLAIN_LINE - 13] = 'x';
	ok(is(text, ""), "a message beyond the end of the buffer is not found");
}

/* ---- Rows ---------------------------------------------------------------- */

static bool
is_check(const char *name)
{
	for (size_t i = 0; checks[i] != NULL; i++)
		if (strcmp(checks[i], name) == 0)
			return true;
	return false;
}

/* Makes a message for the row: its parts, with 7 in between, and its errno. */
static void
sample(const struct explain_row *r, char text[TEXT])
{
	size_t n = 0;

	for (const char *s = r->pattern; *s != '\0'; s++)
		if (*s != '^' && *s != '$')
			text[n++] = *s == '*' ? '7' : *s;
	text[n] = '\0';
	if (r->error != 0)
		snprintf(text + n, TEXT - n, " (err=-%d)", r->error);
}

static void
rows(const struct explain_row *row, size_t n)
{
	char text[TEXT];

	for (size_t i = 0; i < n; i++) {
		const struct explanation *e = &row[i].is;

		sample(&row[i], text);
		ok(of(text) == e,
		    "the message '%s' is explained by its own row", text);
		ok(is_check(e->check) && *e->cause != '\0' &&
		    strpbrk(e->cause, ";\n") == NULL, "a row has a known check "
		    "and a cause without ';' and line ends: %s", e->cause);
		ok(*e->next != '\0' && strchr(e->next, '\n') == NULL &&
		    strlen(e->next) < HEALTH_TEXT,
		    "a row has a next step that fits into a line: %s", e->next);
	}
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(machine) / sizeof(*machine); i++)
		try(machine[i].text, machine[i].check);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		ok(is(unknown[i], ""), "a line about other things has no "
		    "explanation: line %zu", i);
	messages();
	verdicts();
	surroundings();
	rows(explain_file, explain_file_rows);
	rows(explain_machine, explain_machine_rows);
	rows(explain_run, explain_run_rows);
	return done();
}
