// SPDX-License-Identifier: Apache-2.0
/*
 * device.c - describes this machine's device, from its library or its driver.
 */
#include <string.h>

#include "base/err.h"
#include "child_process.h"
#include "device.h"
#include "device/info.h"
#include "host/host.h"
#include "info.h"
#include "json_error.h"

static const char *
or_unknown(const char *s)
{
	return *s != '\0' ? s : "unknown";
}

static void
text_device(struct buf *t, const struct device_info *d, const char *node)
{
	if (d->emulator)
		buf_printf(t, "device     emulator %s, no hardware\n",
		    d->emulator_version);
	else
		buf_printf(t, "device     %s\n", node);
	buf_printf(t, "target     %s\n", or_unknown(d->target));
	buf_printf(t, "cores      %u in %u cluster%s, %u partition%s\n",
	    d->cores, d->clusters, d->clusters == 1 ? "" : "s", d->partitions,
	    d->partitions == 1 ? "" : "s");
	buf_printf(t, "driver     %s\n", or_unknown(d->driver_version));
	buf_printf(t, "library    %s, version %s\n", or_unknown(d->library),
	    or_unknown(d->library_version));
	buf_printf(t, "npu-utils  %s\n", NPU_VERSION);
}

static void
json_device(struct json *j, const struct device_info *d, const char *node)
{
	json_object(j);
	json_key(j, "node");
	json_str(j, d->emulator ? NULL : node);
	json_key(j, "emulator");
	json_bool(j, d->emulator);
	json_member_str(j, "emulator_version", d->emulator_version);
	json_member_str(j, "target", d->target);
	json_member_count(j, "partitions", d->partitions);
	json_member_count(j, "clusters", d->clusters);
	json_member_count(j, "cores", d->cores);
	json_member_str(j, "driver_version", d->driver_version);
	json_member_str(j, "library", d->library);
	json_member_str(j, "library_version", d->library_version);
	json_end_object(j);
}

/* Describes the device from the driver and the files of another tree; does not
 * run its library. */
static int
from_facts(const struct health *h, struct device_info *d,
    struct npu_err *err)
{
	const struct health_fact *f = h->fact;

	if (h->driver.code != 0)
		return npu_fail(err, NPU_ENODEV, "no NPU that answers: %s",
		    h->driver.msg);
	*d = (struct device_info){
		.partitions = (uint32_t)f[HEALTH_PARTITIONS].number,
		.clusters = (uint32_t)f[HEALTH_CLUSTERS].number,
		.cores = (uint32_t)f[HEALTH_CORES].number,
	};
	snprintf(d->driver_version, sizeof(d->driver_version), "%.16s",
	    f[HEALTH_DRIVER_VERSION].text);
	if (f[HEALTH_LIBRARY].state == HEALTH_KNOWN)
		snprintf(d->library, sizeof(d->library), "%.255s",
		    f[HEALTH_LIBRARY].text);
	return 0;
}

static void
plain_device(struct buf *t, const struct device_info *d)
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{ "emulator_version", d->emulator_version },
		{ "target", d->target },
		{ "library_version", d->library_version },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		buf_printf(t, "%s\t%s\t%s\n", rows[i].name,
		    rows[i].value[0] != '\0' ? "known" : "unknown",
		    rows[i].value);
}

/* Describes the device found, or why none was found. */
static void
show_device(const struct info_form *f, struct device_info *d,
    const char *node, const struct npu_err *err)
{
	struct json *j = f->json;

	if (j != NULL) {
		json_key(j, "devices");
		json_array(j);
		if (err == NULL)
			json_device(j, d, node);
		json_end_array(j);
		if (err != NULL)
			json_error(j, err->msg, cmd_status(err));
		return;
	}
	if (err != NULL)
		return;
	cmd_printable(d->target, strlen(d->target));
	cmd_printable(d->driver_version, strlen(d->driver_version));
	cmd_printable(d->library_version, strlen(d->library_version));
	if (f->plain)
		plain_device(f->text, d);
	else
		text_device(f->text, d, node);
}

int
info_device(const struct info_form *f, const char *root)
{
	const char *node = cmd_device.node != NULL ? cmd_device.node :
	    NPU_DEFAULT_NODE;
	struct info_library l = { .found = false };
	struct health h;
	bool facts;
	int rc;

	/* npu-info never falls back (architecture, The device). */
	if (cmd_device.device == NPU_DEVICE_AUTO)
		cmd_device.device = NPU_DEVICE_NPU;
	facts = cmd_device.device == NPU_DEVICE_NPU;
	cmd_claim_stdout();
	if (*root == '\0')
		info_ask_library(&l, NULL);
	if (facts) {
		health_read(&h, root, &cmd_device, l.found ? &l.what : NULL);
		host_note(f->unread, &h.trouble);
	}
	rc = facts && *root != '\0' ? from_facts(&h, &l.device, &l.err) :
	    l.err.code;
	cmd_show_library_output(rc == 0);
	show_device(f, &l.device, node, rc < 0 ? &l.err : NULL);
	info_facts(f, facts ? &h : NULL);
	if (rc == 0)
		return EXIT_DONE;
	cmd_warn("%s", l.err.msg);
	return cmd_status(&l.err);
}
