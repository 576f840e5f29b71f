// SPDX-License-Identifier: Apache-2.0
/* Every vendor status is reported as name, number and advice (lib/device). */
#include <string.h>

#include "device/noe.h"
#include "tap.h"

static const struct {
	noe_status_t st;
	const char *name;
} statuses[] = {
#define X(name, number) { NOE_STATUS_##name, #name },
	NOE_STATUSES(X)
	NOE_MORE_STATUSES(X)
#undef X
};

int
main(void)
{
	struct npu_err err;
	char want[80];
	int rc;

	for (size_t i = 1; i < sizeof(statuses) / sizeof(*statuses); i++) {
		rc = noe_refused(&err, "call", statuses[i].st);
		snprintf(want, sizeof(want), "call: %s (0x%X): ",
		    statuses[i].name, (unsigned)statuses[i].st);
		ok(rc < 0 && rc == err.code &&
		    err.detail == (int)statuses[i].st &&
		    strncmp(err.msg, want, strlen(want)) == 0 &&
		    strlen(err.msg) > strlen(want) + 10, "%s", err.msg);
	}
	ok(strcmp(noe_status_name(NOE_STATUS_SUCCESS), "SUCCESS") == 0 &&
	    noe_status_name(NOE_STATUS_MAX) == NULL &&
	    noe_status_name((noe_status_t)0x3f0) == NULL,
	    "success has a name, numbers of nothing have none");
	/* (noe-abi 1.6, 4.9): programs act on these. */
	ok(noe_refused(NULL, "x", NOE_STATUS_ERROR_TIMEOUT) == NPU_ETIMEOUT,
	    "0x23 is a timeout");
	ok(noe_refused(NULL, "x", NOE_STATUS_ERROR_OPEN_DEV_FAIL) ==
	    NPU_ENODEV, "0x3 means no device");
	ok(noe_refused(NULL, "x", NOE_STATUS_ERROR_DEV_ABNORMAL) ==
	    NPU_ENODEV, "0x4 means no usable device");
	ok(noe_refused(&err, "x", (noe_status_t)0x500) == NPU_EDEVICE &&
	    strstr(err.msg, "unknown status (0x500)") != NULL,
	    "a number the header does not list is printed as it is");
	return done();
}
