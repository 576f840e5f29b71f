/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses that --endpoint takes. */
#ifndef NPU_ZMQ_ENDPOINT_H
#define NPU_ZMQ_ENDPOINT_H

#include "serving/listen.h"

#define ENDPOINT_DEFAULT "tcp://127.0.0.1:5555"

extern const struct address_form endpoint_form;

/* Refuses what libzmq has and this program does not: names without a file.
 * NULL is allowed. */
void endpoint_check(const char *endpoint);

#endif
