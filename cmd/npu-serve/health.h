/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a server that runs whether it lives, or can work (--health). */
#ifndef NPU_SERVE_HEALTH_H
#define NPU_SERVE_HEALTH_H

#include <stdbool.h>

/* Asks at the address of --listen for /healthz, or for /readyz; 1 if the answer
 * is another than 200, or none comes within some seconds, which is said. */
int health_ask(const char *address, bool ready);

#endif
