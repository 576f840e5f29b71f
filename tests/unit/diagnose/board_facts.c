// SPDX-License-Identifier: Apache-2.0
/* Facts of a board, each with one file of it changed. */
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
	const char *what, *path, *text;	/* NULL: absent */
	enum health_id id;
	const char *want;		/* NULL: unknown */
} rows[] = {
	{ "a count below 0", "/sys/module/armchina_npu/refcnt", "-1\n",
	    HEALTH_MODULE_USERS, NULL },
	{ "pages of no size that there is",
	    "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "12345\n",
	    HEALTH_PAGE_BYTES, NULL },
	{ "no list of clocks", DEVICE "/devfreq/npu/available_frequencies",
	    NULL, HEALTH_MHZ_AVAILABLE, NULL },
	{ "clocks beyond the room",
	    DEVICE "/devfreq/npu/available_frequencies",
	    "123456000000000000 123456000000000000 123456000000000000 "
	    "123456000000000000 123456000000000000 123456000000000000 "
	    "123456000000000000 123456000000000000 123456000000000000 "
	    "123456000000000000 123456000000000000 123456000000000000 ",
	    HEALTH_MHZ_AVAILABLE, "123456000000 123456000000 123456000000 "
	    "123456000000 123456000000 123456000000 123456000000 "
	    "123456000000 123456000000 123456000000 123456000000 "
	    "123456000000" },
	{ "interrupts of nobody", "/proc/interrupts", "  CPU0\n",
	    HEALTH_INTERRUPTS, NULL },
	{ "words of the kernel", "/proc/cmdline", "iommu=off quiet iommu=pt\n",
	    HEALTH_IOMMU_OPTIONS, "iommu=off iommu=pt" },
	{ "a kernel without a name", "/proc/sys/kernel/osrelease", "\n",
	    HEALTH_MODULE_FILE, NULL },
	{ "a kernel that begins with a dot", "/proc/sys/kernel/osrelease",
	    "..\n", HEALTH_KERNEL_HEADERS, NULL },
	{ "a kernel with a slash", "/proc/sys/kernel/osrelease",
	    "../../lib/modules/" RELEASE "\n", HEALTH_KERNEL_HEADERS, NULL },
	{ "a list with another module", MODULES "/modules.dep",
	    "kernel/aipux.ko: a.ko\nkernel/bbbb.ko:\nkernel/aipu.kox:\n",
	    HEALTH_MODULE_FILE, NULL },
	{ "a list of a path of none", MODULES "/modules.dep",
	    "gone/aipu.ko:\n", HEALTH_MODULE_FILE, NULL },
	{ "a name alone", MODULES "/modules.builtin", "aipu.ko\n",
	    HEALTH_MODULE_FILE, "built in" },
	{ "a module in a packed file", MODULES "/modules.builtin",
	    "kernel/aipu.ko.gz\n", HEALTH_MODULE_FILE, "built in" },
	{ "a list of a path longer than any", MODULES "/modules.builtin",
	    LONG8 LONG8 "/aipu.ko\n", HEALTH_MODULE_FILE, NULL },
	{ "a library that lies elsewhere", "/usr/local/lib/libnoe.so.0", "",
	    HEALTH_LIBRARY, "/usr/local/lib/libnoe.so.0" },
	{ "a back end that lies elsewhere, too",
	    "/usr/local/lib/libaipudrv.so", "", HEALTH_LIBRARY_BACKEND,
	    "/usr/share/cix/lib/libaipudrv.so" },
	{ "no back end beside it", "/usr/share/cix/lib/libaipudrv.so", NULL,
	    HEALTH_LIBRARY_BACKEND, NULL },
	{ "a folder that the loader is given", "/etc/ld.so.conf",
	    "include x\n/usr/share/cix/lib\n", HEALTH_LIBRARY_LISTED, "yes" },
	{ "another folder", "/etc/ld.so.conf", "/usr/share/cix\n",
	    HEALTH_LIBRARY_LISTED, "no" },
	{ "no word of what failed", "/var/log/dmesg",
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

/* Words that do not fit are left out as a whole. */
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
	    h.fact[HEALTH_IOMMU_OPTIONS].text) == 0, "many options");
}

/* Names and versions that do not fit are left out too. */
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
	    strcmp(all + strlen(all) - 40, LONG) == 0, "many packages");
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
	module("a path of its own", MODULES "/extra/aipu.ko:\n",
	    HEALTH_MODULE_FILE, MODULES "/extra/aipu.ko");
	module("a path from the folder", "extra/aipu.ko: x.ko\n",
	    HEALTH_MODULE_FILE, MODULES "/extra/aipu.ko");
	module("what it was built for", "extra/aipu.ko:\n",
	    HEALTH_MODULE_FOR, RELEASE);
	board_put("/lib/modules/6.6.88/extra/other.ko", "");
	put_module("/lib/modules/6.6.89/extra/aipu.ko", "sound");
	put_module("/lib/modules/6.6.90/extra/aipu.ko", "sound");
	module("other kernels", "", HEALTH_MODULE_OTHERS,
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
	    "more than there is room for");
}

#define SOUND "license=GPL v2\0import_ns=DMA_BUF"

/* A module with another licence and import: the fault that is found; "":
 * none. */
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
	    (h.fact[HEALTH_MODULE_FAULT].text[0] == '\0'), "%s %s", other,
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
	driver("no version", BOARD_IDLE, HEALTH_DRIVER_VERSION, NULL);
	driver("no status", BOARD_VERSION, HEALTH_STATUS, NULL);
	driver("a status of no name", BOARD_VERSION "0x8004410a 03000000\n",
	    HEALTH_STATUS, NULL);
	driver("a version of other characters",
	    "0x80084112 367f0a2e00\n", HEALTH_DRIVER_VERSION, "6??.");
	board_put("/dev/aipu", "open EPERM\n");
	health_read(&h, board, &opt, NULL);
	ok(h.fact[HEALTH_STATUS].state == HEALTH_HIDDEN, "open EPERM");
	board_put("/dev/aipu", "open EIO\n");
	health_read(&h, board, &opt, NULL);
	ok(h.fact[HEALTH_STATUS].state == HEALTH_UNKNOWN, "open EIO");
}

/* ---- This machine ------------------------------------------------------- */

static void
named(const char *library, const char *want)
{
	struct npu_options o = { .library = library, .node = "/none" };

	health_read(&h, "", &o, NULL);
	ok(strcmp(h.fact[HEALTH_LIBRARY_GENERATION].text, want) == 0,
	    "the generation of %s", library);
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
	    strlen(path) >= HEALTH_TEXT, "a back end that is named");
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
