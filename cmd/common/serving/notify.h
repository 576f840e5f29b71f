/* SPDX-License-Identifier: Apache-2.0 */
/* What the service manager wants to know (sd_notify(3)): a datagram to the
 * socket that NOTIFY_SOCKET names. */
#ifndef CMD_SERVING_NOTIFY_H
#define CMD_SERVING_NOTIFY_H

#include <stdint.h>

/* Sends "READY=1", "STOPPING=1" or the like; nothing where nobody asked. */
void notify(const char *message);

/* Nanoseconds between two signs of life, half of WATCHDOG_USEC; 0: none are
 * wanted. */
uint64_t notify_watchdog_ns(void);

#endif
