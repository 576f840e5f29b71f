// SPDX-License-Identifier: Apache-2.0
/* Finds the lines of the kernel's log about the NPU, and what they mean. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/health/impl.h"
#include "diagnose/vendor.h"
#include "host/host.h"
#include "host/kernlog.h"

_Static_assert((int)HOST_LOG_LINE <= (int)HEALTH_TEXT, "a line is a text");

/* The driver prints this line when it is loaded.  Earlier lines no longer
 * count. */
#define STARTS "probe start"

/* This line names no module.  After a start of the driver it concerns another
 * module. */
#define LOCKED_DOWN "unsigned module loading is restricted"

/* '@' stands for the module's name, '%' for the name in the line. */
#define VERIFY "npu-kmd verify \"$(modinfo -n %)\""
#define REBUILD "sudo dkms autoinstall && sudo modprobe %"
#define RELINK "npu-kmd check npu_driver/driver  # and build it with the " \
	"headers of this kernel"
#define OPTIONS "modinfo -p %  # and correct the options in /etc/modprobe.d"
#define WINDOW "sudo modprobe -r @; sudo modprobe @ force_dma32=1  # or " \
	"iova32=1, whichever modinfo -p @ has"
#define SIGN "mokutil --sb-state  # sign the module, or switch secure boot off"
#define TRY "npu-info --doctor clip_txt.cix"

/*
 * The meaning of lines: the first row whose needle is in the line applies.
 * Sources: the messages of drivers 5.11.0 to 6.2 (kernel-driver 3, 4, 7 and 8);
 * messages that npu-kmd adds (npu-kmd(8)); the kernel's own messages, from its
 * module loader (kernel/module/; parse_args() in kernel/params.c;
 * apply_relocate_add() in arch/arm64/kernel/module.c), from lockdown and from
 * SMMUv3.
 */
static const struct {
	const char *needle, *also;	/* both must match; also may be NULL */
	enum health_verdict verdict;
	const char *finding, *next;
} rows[] = {
	{ "unidentified hardware version", NULL, HEALTH_FAIL,
	    "the driver was built for another generation of NPU",
	    "npu-kmd check npu_driver/driver  # and build it for V3" },
	{ "version magic", NULL, HEALTH_FAIL,
	    "the module was built for another kernel",
	    REBUILD },
	{ "disagrees about version of symbol", NULL, HEALTH_FAIL,
	    "the module was built for another kernel",
	    REBUILD },
	{ "does not import it", NULL, HEALTH_FAIL,
	    "the module lacks the import of a namespace", VERIFY },
	{ "Unknown symbol", NULL, HEALTH_FAIL,
	    "the kernel lacks a function that the module needs",
	    VERIFY },
	/* check_version() in kernel/module/version.c warns once and
	 * continues. */
	{ "no symbol version for", NULL, HEALTH_WARN,
	    "the module has no version of a symbol, of which this kernel may "
	    "only warn", VERIFY },
	{ "' invalid for parameter `", NULL, HEALTH_FAIL,
	    "the module does not take the value of a parameter", OPTIONS },
	{ "' too large for parameter `", NULL, HEALTH_FAIL,
	    "the value of a parameter is too long for the module", OPTIONS },
	{ "tries to import module namespace", NULL, HEALTH_FAIL,
	    "the module imports a namespace that is kept for other modules",
	    VERIFY },
	{ "unsupported RELA relocation", NULL, HEALTH_FAIL,
	    "the kernel cannot link the code of the module", RELINK },
	{ "overflow in relocation type", NULL, HEALTH_FAIL,
	    "the kernel cannot link the code of the module", RELINK },
	{ "module has no symbols", NULL, HEALTH_FAIL,
	    "the symbols were stripped from the module", VERIFY },
	{ "No module found in object", NULL, HEALTH_FAIL,
	    "the file is an object that was not linked into a module",
	    VERIFY },
	{ "section size must match", NULL, HEALTH_FAIL,
	    "the module was built for another kernel",
	    REBUILD },
	{ "failed to validate module", "BTF", HEALTH_FAIL,
	    "the types of the module (BTF) are another kernel's",
	    REBUILD },
	{ "exports duplicate symbol", NULL, HEALTH_FAIL,
	    "the module exports what the kernel or another module has",
	    "lsmod | grep -iE 'aipu|armchina'  # unload the other one" },
	{ "Module ", "is blacklisted", HEALTH_FAIL,
	    "the kernel's command line forbids the module",
	    "cat /proc/cmdline  # take it out of module_blacklist=" },
	{ "LoadPin: kernel-module", "denied", HEALTH_FAIL,
	    "LoadPin takes modules only from the disk of the first one",
	    "cat /sys/kernel/security/loadpin/*  # or boot with "
	    "loadpin.enforce=0" },
	{ "unsigned module is rejected", NULL, HEALTH_FAIL,
	    "secure boot takes signed modules only", SIGN },
	{ LOCKED_DOWN, NULL, HEALTH_FAIL,
	    "the kernel is locked down (secure boot) and refused a module "
	    "that is not signed", SIGN },
	{ "with unavailable key is rejected", NULL, HEALTH_FAIL,
	    "the kernel does not have the key that signed the module",
	    "sudo mokutil --import /var/lib/dkms/mok.pub  # boot again, and "
	    "enrol it there" },
	{ "with unsupported crypto is rejected", NULL, HEALTH_FAIL,
	    "the kernel cannot check signatures of this kind",
	    "modinfo -F sig_hashalgo %  # sign it with a hash that the kernel "
	    "has, such as sha512" },
	{ "pc : ", "aipu", HEALTH_FAIL, "the driver crashed",
	    HEALTH_NEXT_CORES },
	{ "failed to get pd", NULL, HEALTH_FAIL,
	    "a power domain of the NPU's cores is missing", HEALTH_NEXT_CORES },
	{ "attach pd failed", NULL, HEALTH_FAIL,
	    "a power domain of the NPU's cores is missing", HEALTH_NEXT_CORES },
	{ "read cluster-partition failed", NULL, HEALTH_FAIL,
	    "the firmware does not describe the clusters",
	    HEALTH_NEXT_FIRMWARE },
	{ "soft reset failed", NULL, HEALTH_FAIL,
	    "the NPU could not be reset",
	    "sudo poweroff  # and switch the board on again" },
	{ "npu-kmd: ", NULL, HEALTH_FAIL,
	    "a core of the NPU has no device in the firmware",
	    HEALTH_NEXT_CORES },
	{ "detect aipu version failed", NULL, HEALTH_FAIL,
	    "the firmware gives no registers, or they cannot be mapped",
	    HEALTH_NEXT_FIRMWARE },
	{ "get aipu IRQ number failed", NULL, HEALTH_FAIL,
	    "the firmware gives no interrupt", HEALTH_NEXT_FIRMWARE },
	{ "PM runtime get sync failed", NULL, HEALTH_FAIL,
	    "a core of the NPU could not be powered",
	    HEALTH_NEXT_MENU "switch on ACPI SCMI" },
	{ "real probe failed", NULL, HEALTH_FAIL,
	    "the driver could not start", HEALTH_LOG },
	{ "0x0000001e000000", NULL, HEALTH_WARN,
	    "the IOMMU stopped an access, which is probably the NPU's",
	    WINDOW },
	{ "F_TRANSLATION", NULL, HEALTH_WARN,
	    "the IOMMU stopped an access of the NPU", WINDOW },
	{ "iova region", "fail", HEALTH_WARN,
	    "the driver got no window of addresses", WINDOW },
	{ "iova space is not enough", NULL, HEALTH_WARN,
	    "the driver's window of addresses is full", WINDOW },
	{ "dma_alloc_attrs failed", NULL, HEALTH_WARN,
	    "the driver got no memory", "free -m  # or take a smaller model" },
	{ "devfreq init failed", NULL, HEALTH_WARN,
	    "the clock cannot be set",
	    HEALTH_NEXT_MENU "switch on ACPI SCMI" },
	{ "TEC Fault", NULL, HEALTH_WARN, "a job failed on the NPU", TRY },
	{ "fault global reset", NULL, HEALTH_WARN, "a job failed on the NPU",
	    TRY },
	{ "error/timeout global reset", NULL, HEALTH_WARN,
	    "a job did not end on the NPU", TRY },
};

/*
 * Finds the module's name in a line of the module loader: "NAME: ...", "module
 * NAME: ...", "module NAME uses ...", "failed to validate module [NAME] ...".
 * Sets name to "" if the line has no module.  The name goes into a command, so
 * it must not contain characters that are special to a shell.
 */
static void
find_module(const char *line, char name[HEALTH_MODULE_NAME])
{
	static const char *const before[] = { "module ",
		"failed to validate module [" };
	const char *ends = ":";
	size_t n;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (strncmp(line, before[i], strlen(before[i])) == 0) {
			line += strlen(before[i]);
			ends = ": ]";
			break;
		}
	n = strspn(line, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (n >= HEALTH_MODULE_NAME || strcspn(line + n, ends) != 0 ||
	    line[n] == '\0')
		n = 0;
	snprintf(name, HEALTH_MODULE_NAME, "%.*s", (int)n, line);
}

static void
judge(struct health_log *l, const char *message)
{
	struct health_trouble *t;

	if (strstr(message, STARTS) != NULL) {
		l->n_troubles = 0;
		l->started = true;
	}
	if (l->started && strstr(message, LOCKED_DOWN) != NULL)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (l->n_troubles == HEALTH_TROUBLES ||
		    strstr(message, rows[i].needle) == NULL ||
		    (rows[i].also != NULL &&
		    strstr(message, rows[i].also) == NULL))
			continue;
		t = &l->trouble[l->n_troubles++];
		t->verdict = rows[i].verdict;
		t->finding = rows[i].finding;
		t->next = rows[i].next;
		t->module[0] = '\0';
		if (strchr(t->next, '%') != NULL)
			find_module(message, t->module);
		snprintf(t->line, sizeof(t->line), "%s", message);
		return;
	}
}

void
health_read_log(const struct health_reader *r)
{
	struct host_kernlog *log = malloc(sizeof(*log));
	struct health_fact *f = &r->h->fact[HEALTH_KERNEL_LOG];
	struct npu_err err;
	int rc;

	if (log == NULL) {
		host_note_error(r->trouble, r->root, "/dev/kmsg", ENOMEM);
		return;
	}
	rc = host_read_kernlog(r->root, vendor_log_words, log, &err);
	if (rc < 0)
		host_note(r->trouble, &err);
	for (size_t i = 0; rc == 0 && i < log->n; i++)
		judge(&r->h->log, log->line[i].text);
	if (rc == 0) {
		health_set_number(r->h, HEALTH_KERNEL_LOG, log->n +
		    log->left_out);
	} else if (log->hidden[0] != '\0') {
		f->state = HEALTH_HIDDEN;
		snprintf(f->text, sizeof(f->text), "%s", log->hidden);
	}
	free(log);
}
