// SPDX-License-Identifier: Apache-2.0
/*
 * picdump - what lib/image makes of pictures.
 *
 *	picdump FILE...		a line each: FILE, a tab, "WxH SHA-256" of the
 *				upright picture, or "refused: why"
 *	picdump -p FILE		the upright picture as a PPM
 */
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "image/picture.h"

static int64_t
read_fd(void *arg, void *p, size_t n, struct npu_err *err)
{
	ssize_t got = read(*(int *)arg, p, n);

	return got >= 0 ? got : npu_fail(err, NPU_ESYSTEM, "%s",
	    strerror(errno));
}

static int
load(const char *name, struct image *m, struct npu_err *err)
{
	int fd = open(name, O_RDONLY), rc;

	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	rc = picture_read((struct source){ read_fd, &fd },
	    PICTURE_MAX_PIXELS, m, err);
	close(fd);
	return rc;
}

static void
show(const char *name)
{
	char sum[SHA256_DIGEST_STRING_LENGTH];
	struct image m;
	struct npu_err err = { 0 };

	if (load(name, &m, &err) < 0) {
		printf("%s\trefused: %s\n", name, err.msg);
		return;
	}
	SHA256Data(m.rgb, (size_t)m.width * m.height * 3, sum);
	printf("%s\t%ux%u %s\n", name, m.width, m.height, sum);
	free(m.rgb);
}

static int
write_ppm(const char *name)
{
	struct image m;
	struct npu_err err = { 0 };

	if (load(name, &m, &err) < 0) {
		fprintf(stderr, "picdump: %s: %s\n", name, err.msg);
		return 1;
	}
	printf("P6\n%u %u\n255\n", m.width, m.height);
	fwrite(m.rgb, 3, (size_t)m.width * m.height, stdout);
	free(m.rgb);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "-p") == 0)
		return write_ppm(argv[2]);
	for (int i = 1; i < argc; i++)
		show(argv[i]);
	return 0;
}
