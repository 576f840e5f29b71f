/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a server that runs whether it lives, or can work (--health). */
#ifndef NPU_ZMQ_HEALTH_H
#define NPU_ZMQ_HEALTH_H

#include <stdbool.h>

/* Asks at the endpoint, and with json prints the answer.  Returns 1, after a
 * message, if the server cannot work and ready is asked; dies where no answer
 * comes within some seconds. */
int health_ask(const char *endpoint, bool ready, bool json);

#endif
