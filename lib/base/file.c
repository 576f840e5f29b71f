// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"

#define STEP ((size_t)1 << 16)

int
file_read(int fd, size_t limit, struct buf *b, struct npu_err *err)
{
	size_t start = b->n;
	struct stat st;
	ssize_t n;
	void *at;

	/* Only a hint: the file may grow, or shrink, while it is read. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if ((uint64_t)st.st_size > limit)
			return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes, "
			    "and %zu is the limit here",
			    (uint64_t)st.st_size, limit);
		buf_reserve(b, (size_t)st.st_size + STEP);
	}
	for (;;) {
		if ((at = buf_reserve(b, STEP)) == NULL)
			return npu_fail(err, NPU_ESYSTEM, "out of memory after "
			    "%zu bytes", b->n - start);
		n = read(fd, at, b->cap - b->n);
		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return npu_fail(err, NPU_ESYSTEM, "%s",
			    strerror(errno));
		b->n += (size_t)n;
		if (b->n - start > limit)
			return npu_fail(err, NPU_EFORMAT, "more than %zu "
			    "bytes, which is the limit here", limit);
	}
}
