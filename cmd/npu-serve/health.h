/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a server that runs whether it lives, or can work (--health). */
#ifndef NPU_SERVE_HEALTH_H
#define NPU_SERVE_HEALTH_H

#include <stdbool.h>

/* Asks at the address of --listen for /healthz, or for /readyz.  Returns 1,
 * after a message, if the status is not 200; dies where no answer comes within
 * some seconds. */
int health_ask(const char *address, bool ready);

#endif
