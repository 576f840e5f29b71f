// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cmd.h"
#include "endpoint.h"

const struct address_form endpoint_form = {
	.option = "--endpoint",
	.usual = ENDPOINT_DEFAULT,
	.examples = "tcp://127.0.0.1:5555, tcp://[::1]:5555, port 0 for any, "
	    "or ipc:///run/npu-zmq/detector",
	.ip = "tcp://",
	.local = "ipc://",
	.shown = "tcp://",
	.stars = true,
};

void
endpoint_check(const char *endpoint)
{
	if (endpoint != NULL && strncmp(endpoint, "ipc://", 6) == 0 &&
	    (endpoint[6] == '@' || endpoint[6] == '*'))
		cmd_usage("--endpoint: '%s' is not the path of a file",
		    endpoint);
}
