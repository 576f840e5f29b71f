// SPDX-License-Identifier: Apache-2.0
/* Every status of the vendor's library is reported with name, number and advice
 * (lib/device). */
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
		    strlen(err.msg) > strlen(want) + 10, "a status is reported "
		    "with name, number and advice: %s", err.msg);
	}
	ok(strcmp(noe_status_name(NOE_STATUS_SUCCESS), "SUCCESS") == 0 &&
	    noe_status_name(NOE_STATUS_MAX) == NULL &&
	    noe_status_name((noe_status_t)0x3f0) == NULL,
	    "SUCCESS has a name, unassigned numbers do not");
	/* Programs act on these codes (noe-abi 1.6, 4.9). */
	ok(noe_refused(NULL, "x", NOE_STATUS_ERROR_TIMEOUT) == NPU_ETIMEOUT,
	    "status 0x23 becomes NPU_ETIMEOUT");
	ok(noe_refused(NULL, "x", NOE_STATUS_ERROR_OPEN_DEV_FAIL) ==
	    NPU_ENODEV, "status 0x3 becomes NPU_ENODEV, no device");
	ok(noe_refused(NULL, "x", NOE_STATUS_ERROR_DEV_ABNORMAL) ==
	    NPU_ENODEV, "status 0x4 becomes NPU_ENODEV, no usable device");
	ok(noe_refused(&err, "x", (noe_status_t)0x500) == NPU_EDEVICE &&
	    strstr(err.msg, "unknown status (0x500)") != NULL,
	    "a status that is not in the header is printed as a number");
	return done();
}
