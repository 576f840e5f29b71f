/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses that --listen takes. */
#ifndef NPU_SERVE_ADDRESS_H
#define NPU_SERVE_ADDRESS_H

#include "serving/listen.h"

#define LISTEN_DEFAULT "127.0.0.1:8091"

extern const struct address_form listen_form;

#endif
