// SPDX-License-Identifier: Apache-2.0
/* Facts about a board, each with one changed file. */
#include "boardtree.h"
#include "diagnose/health/health.h"
#include "tap.h"
#include "tools/kogen/ko.h"

static const struct npu_options opt = { .node = "/dev/aipu" };
static struct health h;

#define RELEASE "7.0.12"
#define LONG "a-name-of-forty-bytes-that-is-repeated--"
#define LONG8 LONG LONG LONG LONG LONG LONG LONG LONG

static const struct {
	const char *what, *path, *text;	/* NULL: no file */
	enum health_id id;
	const char *want;		/* NULL: unknown */
} rows[] = {
	{ "a negative count is unknown",
	    "/sys/module/armchina_npu/refcnt", "-1\n",
	    HEALTH_MODULE_USERS, NULL },
	{ "an impossible size of pages is unknown",
	    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "12345\n",
	    HEALTH_PAGE_BYTES, NULL },
	{ "without a list of clocks, the frequencies are unknown",
	    DEVICE "/devfreq/npu/available_frequencies",
	    NULL, HEALTH_MHZ_AVAILABLE, NULL },
	{ "a list of clocks that is too long is cut",
	    DEVICE "/devfreq/npu/available_frequencies",
	    "123456000000000000 123456000000000000 123456000000000000 "
	    "123456000000000000 123456000000000000 123456000000000000 "
	    "123456000000000000 123456000000000000 123456000000000000 "
	    "123456000000000000 123456000000000000 123456000000000000 ",
	    HEALTH_MHZ_AVAILABLE, "123456000000 123456000000 123456000000 "
	    "123456000000 123456000000 123456000000 123456000000 "
	    "123456000000 123456000000 123456000000 123456000000 "
	    "123456000000" },
	{ "without a line for the device, interrupts are unknown",
	    "/proc/interrupts", "  CPU0\n",
	    HEALTH_INTERRUPTS, NULL },
	{ "only options about the IOMMU are kept",
	    "/proc/cmdline", "iommu=off quiet iommu=pt\n",
	    HEALTH_IOMMU_OPTIONS, "iommu=off iommu=pt" },
	{ "without a kernel release, the module's file is unknown",
	    "/proc/sys/kernel/osrelease", "\n",
	    HEALTH_MODULE_FILE, NULL },
	{ "for a kernel release .. the headers are unknown",
	    "/proc/sys/kernel/osrelease",
	    "..\n", HEALTH_KERNEL_HEADERS, NULL },
	{ "for a kernel release with '/' the headers are unknown",
	    "/proc/sys/kernel/osrelease",
	    "../../lib/modules/" RELEASE "\n", HEALTH_KERNEL_HEADERS, NULL },
	{ "a list with only other modules has no file", MODULES "/modules.dep",
	    "kernel/aipux.ko: a.ko\nkernel/bbbb.ko:\nkernel/aipu.kox:\n",
	    HEALTH_MODULE_FILE, NULL },
	{ "a list with a missing file has no file", MODULES "/modules.dep",
	    "gone/aipu.ko:\n", HEALTH_MODULE_FILE, NULL },
	{ "a built-in module without a folder is found",
	    MODULES "/modules.builtin", "aipu.ko\n",
	    HEALTH_MODULE_FILE, "built in" },
	{ "a built-in module with a compressed name is found",
	    MODULES "/modules.builtin",
	    "kernel/aipu.ko.gz\n", HEALTH_MODULE_FILE, "built in" },
	{ "a path that is too long is skipped", MODULES "/modules.builtin",
	    LONG8 LONG8 "/aipu.ko\n", HEALTH_MODULE_FILE, NULL },
	{ "a library in another folder is found",
	    "/usr/local/lib/libnoe.so.0", "",
	    HEALTH_LIBRARY, "/usr/local/lib/libnoe.so.0" },
	{ "the back end is the file beside the library",
	    "/usr/local/lib/libaipudrv.so", "", HEALTH_LIBRARY_BACKEND,
	    "/usr/share/cix/lib/libaipudrv.so" },
	{ "without a file beside the library, the back end is unknown",
	    "/usr/share/cix/lib/libaipudrv.so", NULL,
	    HEALTH_LIBRARY_BACKEND, NULL },
	{ "a folder in ld.so.conf is listed", "/etc/ld.so.conf",
	    "include x\n/usr/share/cix/lib\n", HEALTH_LIBRARY_LISTED, "yes" },
	{ "another folder in ld.so.conf is not enough",
	    "/etc/ld.so.conf", "/usr/share/cix\n",
	    HEALTH_LIBRARY_LISTED, "no" },
	{ "a log without errors has only its number of lines", "/var/log/dmesg",
	    "[    5.1] aipu: iova region is ready\n", HEALTH_KERNEL_LOG,
	    "1" },
};

static void
all_rows(void)
{
	char full[2 * PATH_MAX], before[4096];
	bool right;
	FILE *f;
	size_t n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(full, sizeof(full), "%s%s", board, rows[i].path);
		f = fopen(full, "rb");
		n = f != NULL ? fread(before, 1, sizeof(before), f) : 0;
		if (f != NULL)
			fclose(f);
		board_put(rows[i].path, rows[i].text);
		health_read(&h, board, &opt, NULL);
		right = rows[i].want == NULL ?
		    h.fact[rows[i].id].state == HEALTH_UNKNOWN :
		    strcmp(h.fact[rows[i].id].text, rows[i].want) == 0;
		if (!ok(right, "%s", rows[i].what))
			diag("%s", h.fact[rows[i].id].text);
		board_bytes(rows[i].path, f != NULL ? before : NULL, n);
	}
}

/* Options that do not fit are left out as a whole. */
static void
many_options(void)
{
	char text[2000] = "";

	for (int i = 0; i < 40; i++)
		strcat(text, "iommu.passthrough=1 ");
	board_put("/proc/cmdline", text);
	health_read(&h, board, &opt, NULL);
	text[strlen(h.fact[HEALTH_IOMMU_OPTIONS].text)] = '\0';
	ok(strlen(text) > 200 && strcmp(text,
	    h.fact[HEALTH_IOMMU_OPTIONS].text) == 0,
	    "of too many options, the first are kept");
}

/* Names and versions that do not fit are left out as a whole. */
static void
many_packages(void)
{
	static char text[8000];
	const char *all = h.fact[HEALTH_PACKAGES].text;

	for (int i = 0; i < 20; i++)
		sprintf(text + strlen(text), "Package: cix-%02d\nStatus: "
		    "install ok installed\nVersion: " LONG "\n\n", i);
	board_put("/var/lib/dpkg/status", text);
	health_read(&h, board, &opt, NULL);
	ok(strncmp(all, "cix-00 " LONG ", cix-01 ", 56) == 0 &&
	    strcmp(all + strlen(all) - 40, LONG) == 0,
	    "of too many packages, the first are kept");
}

/* ---- The module's file ------------------------------------------------ */

static void
put_module(const char *path, const char *name)
{
	struct buf b = { 0 };
	size_t i = 0;

	while (ko_name(i) != NULL && strcmp(ko_name(i), name) != 0)
		i++;
	ko_make(i, RELEASE, &b);
	board_bytes(path, b.p, b.n);
	buf_free(&b);
}

static void
module(const char *what, const char *list, enum health_id id,
    const char *want)
{
	board_put(MODULES "/modules.dep", list);
	health_read(&h, board, &opt, NULL);
	if (!ok(strcmp(h.fact[id].text, want) == 0, "%s", what))
		diag("%s", h.fact[id].text);
}

static void
modules(void)
{
	put_module(MODULES "/extra/aipu.ko", "sound");
	module("an absolute path of a module is used",
	    MODULES "/extra/aipu.ko:\n",
	    HEALTH_MODULE_FILE, MODULES "/extra/aipu.ko");
	module("a path relative to the folder of modules is used",
	    "extra/aipu.ko: x.ko\n",
	    HEALTH_MODULE_FILE, MODULES "/extra/aipu.ko");
	module("the kernel release of the module is read", "extra/aipu.ko:\n",
	    HEALTH_MODULE_FOR, RELEASE);
	board_put("/lib/modules/6.6.88/extra/other.ko", "");
	put_module("/lib/modules/6.6.89/extra/aipu.ko", "sound");
	put_module("/lib/modules/6.6.90/extra/aipu.ko", "sound");
	module("other kernels that have the module are listed",
	    "", HEALTH_MODULE_OTHERS,
	    strstr(h.fact[HEALTH_MODULE_OTHERS].text, "90, ") == NULL ?
	    "6.6.89, 6.6.90" : "6.6.90, 6.6.89");
	for (int i = 0; i < 9; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "/lib/modules/%d-" LONG
		    "/extra/aipu.ko", i);
		put_module(path, "sound");
	}
	health_read(&h, board, &opt, NULL);
	ok(strlen(h.fact[HEALTH_MODULE_OTHERS].text) < HEALTH_TEXT - 1,
	    "of too many other kernels, the first are listed");
}

#define SOUND "license=GPL v2\0import_ns=DMA_BUF"

/* Checks the fault that is found in a module with another licence and import;
 * "" means no fault. */
static void
fault(const char other[sizeof(SOUND)], const char *want)
{
	struct buf b = { 0 };
	char *at;

	ko_make(0, RELEASE, &b);
	at = memmem(b.p, b.n, SOUND, sizeof(SOUND));
	if (at != NULL)
		memcpy(at, other, sizeof(SOUND));
	board_bytes(MODULES "/extra/aipu.ko", b.p, b.n);
	buf_free(&b);
	health_read(&h, board, &opt, NULL);
	if (!ok(at != NULL && strncmp(h.fact[HEALTH_MODULE_FAULT].text, want,
	    strlen(want)) == 0 && (*want == '\0') ==
	    (h.fact[HEALTH_MODULE_FAULT].text[0] == '\0'),
	    "a module with %s %s has the expected fault", other,
	    other + strlen(other) + 1))
		diag("%s", h.fact[HEALTH_MODULE_FAULT].text);
}

static void
faults(void)
{
	const char *import = "it uses dma-buf without importing DMA_BUF";

	board_put(MODULES "/modules.dep", "extra/aipu.ko:\n");
	fault(SOUND, "");
	fault("license=Dual X\0import_ns=DMA_BUF", "");
	fault("license=BSD v2\0import_ns=DMA_BUF", "its licence is not");
	fault("license=GPL v2\0import_ns=XMA_BUF", import);
	fault("license=GPL\0import_ns=XX DMA_BUF", "");
	fault("license=GPL\0import_ns=DMA_BUF, X", "");
	fault("license=GPL\0import_ns=XXXDMA_BUF", import);
	fault("license=GPL\0import_ns=DMA_BUFXXX", import);
}

/* ---- The driver --------------------------------------------------------- */

static void
driver(const char *what, const char *node, enum health_id id,
    const char *want)
{
	board_node(node);
	health_read(&h, board, &opt, NULL);
	ok(want == NULL ? h.fact[id].state == HEALTH_UNKNOWN :
	    strcmp(h.fact[id].text, want) == 0, "%s", what);
}

static void
drivers(void)
{
	driver("a driver without a version is unknown",
	    BOARD_IDLE, HEALTH_DRIVER_VERSION, NULL);
	driver("a driver without a status is unknown",
	    BOARD_VERSION, HEALTH_STATUS, NULL);
	driver("a status without a name is unknown",
	    BOARD_VERSION "0x8004410a 03000000\n", HEALTH_STATUS, NULL);
	driver("unprintable characters of a version become ?",
	    "0x80084112 367f0a2e00\n", HEALTH_DRIVER_VERSION, "6??.");
	board_put("/dev/aipu", "open EPERM\n");
	health_read(&h, board, &opt, NULL);
	ok(h.fact[HEALTH_STATUS].state == HEALTH_HIDDEN,
	    "a node that fails with EPERM is hidden");
	board_put("/dev/aipu", "open EIO\n");
	health_read(&h, board, &opt, NULL);
	ok(h.fact[HEALTH_STATUS].state == HEALTH_UNKNOWN,
	    "a node that fails with EIO is unknown");
}

/* ---- This machine ------------------------------------------------------- */

static void
named(const char *library, const char *want)
{
	struct npu_options o = { .library = library, .node = "/none" };

	health_read(&h, "", &o, NULL);
	ok(strcmp(h.fact[HEALTH_LIBRARY_GENERATION].text, want) == 0,
	    "the generation of %s is read from its name", library);
}

static void
generations(void)
{
	char path[PATH_MAX + 40];

	named("libnoe.so.0", "2");
	named("/x/libnoe.so.3.1.0", "3");
	named("libnoe.so.4", "4");
	named("libnoe.so", "");
	named("libnoe.so.", "");
	named("libnoe.so.x", "");
	named("libnoe.so.100", "");
	named("libnoe.so.3-1", "");
	snprintf(path, sizeof(path), "%s/dev/aipu", board);
	setenv("AIPU_LIB_PATH", path, 1);
	named("libnoe.so.3", "3");
	ok(strcmp(h.fact[HEALTH_LIBRARY_BACKEND].text, path) == 0 ||
	    strlen(path) >= HEALTH_TEXT,
	    "the back end named by AIPU_LIB_PATH is used");
	setenv("AIPU_LIB_PATH", "", 1);
	named("libnoe.so.3", "3");
	setenv("AIPU_LIB_PATH", "/none", 1);
	named("libnoe.so.3", "3");
}

int
main(void)
{
	if (!board_open())
		return 1;
	board_make();
	all_rows();
	many_options();
	many_packages();
	modules();
	faults();
	drivers();
	generations();
	board_remove();
	return done();
}
