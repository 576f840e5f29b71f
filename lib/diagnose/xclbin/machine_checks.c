// SPDX-License-Identifier: Apache-2.0
/* machine_checks.c - checks a machine with an AMD NPU. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/shell.h"
#include "diagnose/xclbin/machine_impl.h"
#include "host/platform.h"

#define DRIVER "amdxdna"
#define LOG "sudo dmesg | xclbin-check --diagnose=-"
#define EMULATED "xdna-run --device=emu FILE.xclbin INSTS  # runs a file on " \
	"the emulated device"
#define RULE "echo 'SUBSYSTEM==\"accel\", GROUP=\"render\", MODE=\"0660\"' | " \
	"sudo tee /etc/udev/rules.d/70-accel.rules && sudo udevadm trigger " \
	"--subsystem-match=accel && sudo usermod -aG render \"$USER\"  # and " \
	"log in again"

/* libxrt locks its heap of this size (XRT's src/shim/buffer.cpp). */
enum { XRT_LOCKS = 64 << 20 };

static bool
driven(const struct npu_machine *m)
{
	return strcmp(m->driver, DRIVER) == 0;
}

/* ---- The device --------------------------------------------------------- */

/* Returns the number of columns; 0: unknown.  Prefers the driver's answer,
 * because the driver refuses contexts by that number. */
static unsigned
columns_of(const struct npu_machine *m)
{
	return m->answers.columns != 0 ? m->answers.columns :
	    m->kind != NULL ? m->kind->columns : 0;
}

enum { LACKS = 2 * HEALTH_TEXT };

/*
 * Writes what the files need but the NPU does not have, such as "; a.xclbin
 * needs 8 columns", or "".  The driver refuses a context with too many columns
 * (aie2_ctx.c, "Invalid num_col").  A stream contains the generation that it is
 * for, but the driver does not read it, and the firmware would run meaningless
 * instructions.
 */
static void
describe_lacks(const struct npu_machine *m, char to[LACKS])
{
	const struct xclbin_demands *d = m->demands;
	unsigned columns = columns_of(m);
	size_t n = 0;

	to[0] = '\0';
	if (columns > 0 && d->columns > columns)
		n = (size_t)snprintf(to, LACKS, "; %.120s needs %u columns",
		    d->file, d->columns);
	if (m->kind != NULL && d->stream != NULL &&
	    d->stream->generation != m->kind->generation)
		snprintf(to + n, LACKS - n, "; the stream %.120s is for %s "
		    "(generation %u), and this NPU has generation %u",
		    d->stream_name, txn_device(d->stream),
		    d->stream->generation, m->kind->generation);
}

static void
judge_unknown(const struct npu_machine *m, const char *lacks,
    struct health_check *c)
{
	char columns[40] = "";

	if (columns_of(m) > 0)
		snprintf(columns, sizeof(columns), ", %u columns",
		    columns_of(m));
	health_judge(c, *lacks != '\0' ? HEALTH_FAIL : HEALTH_WARN,
	    driven(m) ? "xclbin-check --version  # a newer npu-utils may know "
	    "it" : "uname -r  # a newer kernel may know it", "revision 0x%02x "
	    "of the NPU 1022:%04x is not in the table%s, at %s%s", m->revision,
	    m->id, columns, m->address, lacks);
}

static void
judge_known(const struct npu_machine *m, const char *lacks,
    struct health_check *c)
{
	char next[HEALTH_TEXT] = "";

	if (*lacks != '\0')
		snprintf(next, sizeof(next), "# build the design for %s",
		    m->kind->name);
	health_judge(c, *lacks != '\0' ? HEALTH_FAIL : HEALTH_OK, next,
	    "%s, %u columns, at %s%s", m->kind->name, columns_of(m),
	    m->address, lacks);
}

static void
check_device(const struct npu_machine *m, struct health_check *c)
{
	char lacks[LACKS];

	describe_lacks(m, lacks);
	if (m->kind == NULL)
		judge_unknown(m, lacks, c);
	else if (npu_has_user_queues(m))
		health_judge(c, HEALTH_FAIL, EMULATED, "%s, at %s: it has "
		    "user-mode queues, an interface that these programs do "
		    "not have",
		    m->kind->name, m->address);
	else
		judge_known(m, lacks, c);
}

/* ---- The driver --------------------------------------------------------- */

/* Returns whether the kernel's release is known, and older than the driver. */
static bool
is_old(const char *release)
{
	unsigned major, minor;

	return sscanf(release, "%u.%u", &major, &minor) == 2 &&
	    (major < 6 || (major == 6 && minor < 14));
}

/* Suggests the command that takes the device from another driver.  The names
 * may come from a copy of another person's machine, so they are quoted. */
static void
suggest_unbind(const struct npu_machine *m, char next[HEALTH_TEXT])
{
	char address[SYS_NAME + 2], driver[SYS_NAME + 2];

	if (shell_word(address, sizeof(address), m->address) &&
	    shell_word(driver, sizeof(driver), m->driver))
		snprintf(next, HEALTH_TEXT, "echo %s | sudo tee /sys/bus/pci/"
		    "drivers/%s/unbind && sudo modprobe " DRIVER, address,
		    driver);
	else
		snprintf(next, HEALTH_TEXT, "ls -l /sys/bus/pci/devices");
}

static void
check_driver(const struct npu_machine *m, struct health_check *c)
{
	char next[HEALTH_TEXT];

	suggest_unbind(m, next);
	if (driven(m))
		health_judge(c, HEALTH_OK, "", DRIVER "%s%s, Linux %s",
		    m->module_version[0] != '\0' ? " " : "", m->module_version,
		    m->kernel[0] != '\0' ? m->kernel : "of unknown release");
	else if (m->driver[0] != '\0')
		health_judge(c, HEALTH_FAIL, next, "%s has taken the device, "
		    "not " DRIVER, m->driver);
	else if (m->module)
		health_judge(c, HEALTH_FAIL, LOG, DRIVER " is loaded, but has "
		    "not taken the device: its start failed");
	else if (is_old(m->kernel))
		health_judge(c, HEALTH_FAIL, "sudo modprobe " DRIVER "  # if "
		    "it is not found: start Linux 6.14 or newer", DRIVER " is "
		    "not loaded; Linux %s is older than 6.14, which was the "
		    "first to have it", m->kernel);
	else
		health_judge(c, HEALTH_FAIL, "sudo modprobe " DRIVER, DRIVER
		    " is not loaded");
}

/* ---- The node ----------------------------------------------------------- */

/* Suggests the command that starts a container with the node. */
static void
suggest_container(const struct npu_machine *m, char next[HEALTH_TEXT])
{
	bool podman = strcmp(m->container, "/run/.containerenv") == 0;

	snprintf(next, HEALTH_TEXT, "%s run --device %s --ulimit memlock=-1 "
	    "IMAGE", podman ? "podman" : "docker", m->node);
}

static void
judge_missing(const struct npu_machine *m, struct health_check *c)
{
	char next[HEALTH_TEXT];

	if (m->container != NULL) {
		suggest_container(m, next);
		health_judge(c, HEALTH_FAIL, next, "%s is not in this "
		    "container", m->node);
	} else {
		health_judge(c, HEALTH_FAIL, "sudo udevadm trigger "
		    "--subsystem-match=accel", "%s is not there, although the "
		    "driver has made it", m->node);
	}
}

/* Suggests joining the node's group, whose users may open the node.  If the
 * node's group is root, suggests the group render. */
static void
judge_closed(const struct npu_machine *m, struct health_check *c)
{
	char who[80], next[HEALTH_TEXT] = RULE;

	host_read_readers(m->root, m->node, who, sizeof(who));
	if (strncmp(who, "group ", 6) == 0)
		snprintf(next, sizeof(next), "sudo usermod -aG %s \"$USER\"  "
		    "# and log in again", who + 6);
	health_judge(c, HEALTH_FAIL, next, "you may not open %s; only %s may",
	    m->node, who[0] != '\0' ? who : "others");
}

static void
check_node(const struct npu_machine *m, struct health_check *c)
{
	char next[HEALTH_TEXT];
	int refused = m->answers.refused;

	if (!driven(m)) {
		health_judge(c, HEALTH_SKIP, "", "it needs the driver");
	} else if (m->node[0] == '\0') {
		health_judge(c, HEALTH_FAIL, LOG, "the driver has made no "
		    "node");
	} else if (!m->node_exists) {
		judge_missing(m, c);
	} else if (refused == EPERM && m->container != NULL) {
		suggest_container(m, next);
		health_judge(c, HEALTH_FAIL, next, "this container may not "
		    "open %s", m->node);
	} else if (refused == EACCES || refused == EPERM) {
		judge_closed(m, c);
	} else if (refused != 0) {
		health_judge(c, HEALTH_FAIL, LOG, "%s cannot be opened: %s",
		    m->node, strerror(refused));
	} else {
		health_judge(c, HEALTH_OK, "", m->copy ? "%s is there" :
		    "%s may be opened", m->node);
	}
}

/* ---- What the owner is asked for ---------------------------------------- */

static void
check_limits(const struct npu_machine *m, struct health_check *c)
{
	const char *next = m->container != NULL ?
	    "docker run --ulimit memlock=-1 IMAGE" :
	    "echo '* - memlock unlimited' | sudo tee "
	    "/etc/security/limits.d/70-memlock.conf  # and log in again";

	if (!m->locked_known)
		health_judge(c, HEALTH_SKIP, "", "how much memory may be "
		    "locked is unknown");
	else if (m->locked == UINT64_MAX)
		health_judge(c, HEALTH_OK, "", "memory may be locked without "
		    "limit");
	else if (m->locked < XRT_LOCKS)
		health_judge(c, HEALTH_WARN, next, "%" PRIu64 " KiB may be "
		    "locked; XRT locks %d KiB, xdna-run locks none",
		    m->locked / 1024, XRT_LOCKS / 1024);
	else
		health_judge(c, HEALTH_OK, "", "%" PRIu64 " KiB may be locked",
		    m->locked / 1024);
}

static void
check_firmware(const struct npu_machine *m, struct health_check *c)
{
	char next[HEALTH_TEXT];

	snprintf(next, sizeof(next), "ls /lib/firmware/amdnpu/%04x_%02x  # "
	    "install the newest linux-firmware, then: sudo modprobe -r "
	    DRIVER "; sudo modprobe " DRIVER, m->id, m->revision);
	if (m->firmware[0] != '\0')
		health_judge(c, HEALTH_OK, "", "version %s", m->firmware);
	else if (driven(m))
		health_judge(c, HEALTH_SKIP, "", "this driver does not say "
		    "which version runs");
	else if (!m->firmware_file)
		health_judge(c, HEALTH_WARN, next, "amdnpu/%04x_%02x/npu.sbin "
		    "is not in /lib/firmware", m->id, m->revision);
	else
		health_judge(c, HEALTH_OK, "", "amdnpu/%04x_%02x/npu.sbin is "
		    "in /lib/firmware", m->id, m->revision);
}

static void
check_interface(const struct npu_machine *m, struct health_check *c)
{
	const struct npu_answers *a = &m->answers;

	if (a->name[0] != '\0')
		health_judge(c, strncmp(a->name, DRIVER, strlen(DRIVER)) == 0 ?
		    HEALTH_OK : HEALTH_WARN, "", "%s %" PRId32 ".%" PRId32
		    ".%" PRId32, a->name, a->version[0], a->version[1],
		    a->version[2]);
	else
		health_judge(c, HEALTH_SKIP, "", a->asked ? "the driver did "
		    "not say its version" : m->copy ? "the version is not in "
		    "a file: leave out --root" : "it needs the node");
}

static void
check_power(const struct npu_machine *m, struct health_check *c)
{
	static const char *const modes[] = { "default", "low", "medium",
	    "high", "turbo" };
	int mode = m->answers.mode;
	const char *name = mode < 0 ? "" : (size_t)mode < sizeof(modes) /
	    sizeof(*modes) ? modes[mode] : "unknown";

	if (strcmp(m->runtime, "error") == 0)
		health_judge(c, HEALTH_WARN, LOG, "the NPU could not be woken "
		    "or put to sleep");
	else if (mode < 0 && m->runtime[0] == '\0')
		health_judge(c, HEALTH_SKIP, "", "the mode is unknown");
	else
		health_judge(c, HEALTH_OK, "", "%s%s%s%s", mode < 0 ? "" :
		    "mode ", name, mode < 0 || m->runtime[0] == '\0' ? "" :
		    ", ", m->runtime);
}

/*
 * Extended features of AMD's IOMMU that Linux requires for PASIDs
 * (drivers/iommu/amd/amd_iommu.h, amd_iommu_gt_ppr_supported), and the number
 * of bits in a PASID, from the field that has one less.
 */
#define IOMMU_PASID (UINT64_C(1) << 1 | UINT64_C(1) << 4)
#define IOMMU_BITS(features) ((unsigned)((features) >> 32 & 0x1f) + 1)

static void
judge_pasid(const struct npu_machine *m, struct health_check *c)
{
	const char *type = m->iommu_type[0] != '\0' ? m->iommu_type : "unknown";
	char bits[40] = "";

	if (m->iommu_features != 0)
		snprintf(bits, sizeof(bits), ", with PASIDs of %u bits",
		    IOMMU_BITS(m->iommu_features));
	if (m->isolated)
		health_judge(c, HEALTH_WARN, "cat /proc/cmdline  # start the "
		    "kernel without amd_iommu=force_isolation", "group %s, of "
		    "type %s: with force_isolation the driver gets no PASID",
		    m->iommu_group, type);
	else if (m->iommu_features != 0 && (m->iommu_features & IOMMU_PASID) !=
	    IOMMU_PASID)
		health_judge(c, HEALTH_WARN, LOG, "group %s, of type %s: this "
		    "IOMMU has no PASIDs, which the driver needs",
		    m->iommu_group, type);
	else
		health_judge(c, HEALTH_OK, "", "group %s, of type %s%s",
		    m->iommu_group, type, bits);
}

static void
check_iommu(const struct npu_machine *m, struct health_check *c)
{
	char next[HEALTH_TEXT] = "systemctl reboot --firmware-setup  # switch "
	    "the IOMMU on";

	if (m->iommu_option[0] != '\0')
		snprintf(next, sizeof(next), "cat /proc/cmdline  # start the "
		    "kernel without %.60s", m->iommu_option);
	if (m->iommu_group[0] == '\0')
		health_judge(c, HEALTH_WARN, next, "without an IOMMU in "
		    "front of the NPU the driver has no PASID");
	else
		judge_pasid(m, c);
}

static void
check_container(const struct npu_machine *m, struct health_check *c)
{
	char next[HEALTH_TEXT];

	if (m->container == NULL) {
		health_judge(c, HEALTH_OK, "", "not in a container");
	} else if (m->node[0] != '\0' && !m->node_exists) {
		suggest_container(m, next);
		health_judge(c, HEALTH_WARN, next, "a container (%s) without "
		    "%s", m->container, m->node);
	} else {
		health_judge(c, HEALTH_OK, "", "a container (%s)",
		    m->container);
	}
}

/* ---- All ---------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*check)(const struct npu_machine *m, struct health_check *c);
} checkers[XCLBIN_MACHINE_CHECKS] = {
	{ "device", check_device }, { "driver", check_driver },
	{ "node", check_node }, { "limits", check_limits },
	{ "firmware", check_firmware }, { "interface", check_interface },
	{ "power", check_power }, { "iommu", check_iommu },
	{ "container", check_container },
};

void
npu_machine_judge(const struct npu_machine *m,
    struct health_check checks[XCLBIN_MACHINE_CHECKS])
{
	for (int i = 0; i < XCLBIN_MACHINE_CHECKS; i++) {
		checks[i] = (struct health_check){ .name = checkers[i].name };
		if (!m->found)
			health_judge(&checks[i], HEALTH_SKIP, i == 0 ?
			    EMULATED : "", "this machine has no AMD NPU");
		else if (i > 0 && npu_has_user_queues(m))
			health_judge(&checks[i], HEALTH_SKIP, "", "it needs an "
			    "NPU of another generation");
		else
			checkers[i].check(m, &checks[i]);
	}
}
