// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <sha2.h>

#include "base/err.h"
#include "cmd.h"
#include "sum.h"

enum { CHUNK = 1 << 18 };

int
sum_file(struct sum *sum, int fd, void (*watch)(size_t n),
    struct npu_err *err)
{
	uint8_t *p = cmd_alloc(CHUNK), digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX ctx;
	ssize_t n;

	SHA256Init(&ctx);
	while ((n = read(fd, p, CHUNK)) != 0) {
		if (n < 0 && errno == EINTR && cmd_stop == 0)
			continue;
		if (n < 0)
			break;
		SHA256Update(&ctx, p, (size_t)n);
		if (watch != NULL)
			watch((size_t)n);
	}
	free(p);
	if (n < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	SHA256Final(digest, &ctx);
	sum_digits(sum, digest);
	return 0;
}
