// SPDX-License-Identifier: Apache-2.0
#include "address.h"

const struct address_form listen_form = {
	.option = "--listen",
	.usual = LISTEN_DEFAULT,
	.examples = "127.0.0.1:8091, [::1]:8091, port 0 for any, or "
	    "unix:/run/npu-serve.sock",
	.ip = "",
	.local = "unix:",
	.shown = "http://",
};
