/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_SHA256_H
#define CMD_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* Computes the SHA-256 of n bytes. */
void sha256_digest(const void *p, size_t n, uint8_t sha256[32]);

#endif
