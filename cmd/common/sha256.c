// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>

#include <sha2.h>

#include "sha256.h"

void
sha256_digest(const void *p, size_t n, uint8_t sha256[32])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	SHA256Update(&ctx, p, n);
	SHA256Final(sha256, &ctx);
}
