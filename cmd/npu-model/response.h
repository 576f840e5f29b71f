/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the head of an answer. */
#ifndef NPU_MODEL_RESPONSE_H
#define NPU_MODEL_RESPONSE_H

#include <curl/curl.h>

#include "transfer.h"

/* Fills *r from the last answer, but keeps r->linked if it is set. */
void response_read(struct response *r, CURL *curl);

#endif
