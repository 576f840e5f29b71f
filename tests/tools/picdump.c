// SPDX-License-Identifier: Apache-2.0
/*
 * picdump - prints lib/image's results for pictures.
 *
 *	picdump FILE...		prints for each FILE: its name, a tab, "WxH
 *				SHA-256" of the upright picture or "refused:
 *				why"
 *	picdump -p FILE		writes the upright picture as a PPM
 *	picdump -m N FILE	reads the stored picture by rows, at 1/N (1, 2,
 *				4, 8) of its size; prints as above, a tab, and
 *				the peak memory of this process in KiB
 *	picdump -c FILE...	reads the picture with other numbers of bytes
 *				and rows at a time, which must give the same
 *				picture; then prints for each FILE: its name, a
 *				tab, how many bytes may be missing at its end, a
 *				tab, how many truncated files give another
 *				picture
 */
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "image/picture.h"

static int64_t
read_fd(void *arg, void *p, size_t n, struct npu_err *err)
{
	ssize_t got = read(*(int *)arg, p, n);

	return got >= 0 ? got : npu_fail(err, NPU_ESYSTEM, "%s",
	    strerror(errno));
}

static int
open_file(const char *name, struct npu_err *err)
{
	int fd = open(name, O_RDONLY);

	return fd >= 0 ? fd : npu_fail(err, NPU_ESYSTEM, "%s",
	    strerror(errno));
}

static int
load(const char *name, struct image *m, struct npu_err *err)
{
	int fd = open_file(name, err), rc;

	if (fd < 0)
		return fd;
	rc = picture_read((struct picture_source){ read_fd, &fd },
	    PICTURE_MAX_PIXELS, m, err);
	close(fd);
	return rc;
}

static int
refused(const char *name, const struct npu_err *err)
{
	printf("%s\trefused: %s\n", name, err->msg);
	return 0;
}

static int
show(const char *name)
{
	char sum[SHA256_DIGEST_STRING_LENGTH];
	struct image m;
	struct npu_err err = { 0 };

	if (load(name, &m, &err) < 0)
		return refused(name, &err);
	SHA256Data(m.rgb, (size_t)m.width * m.height * 3, sum);
	printf("%s\t%ux%u %s\n", name, m.width, m.height, sum);
	free(m.rgb);
	return 0;
}

static int
write_ppm(const char *name)
{
	struct image m;
	struct npu_err err = { 0 };

	if (load(name, &m, &err) < 0)
		return !refused(name, &err);
	printf("P6\n%u %u\n255\n", m.width, m.height);
	fwrite(m.rgb, 3, (size_t)m.width * m.height, stdout);
	free(m.rgb);
	return 0;
}

/* ---- By rows ----------------------------------------------------------- */

static void
digest_rows(SHA2_CTX *sum, const uint8_t *rows, size_t pixels)
{
	uint8_t rgb[3 * 1024];
	size_t n = 0;

	for (size_t i = 0; i < pixels; i++) {
		memcpy(rgb + n, rows + 4 * i, 3);
		n += 3;
		if (n == sizeof(rgb) || i + 1 == pixels) {
			SHA256Update(sum, rgb, n);
			n = 0;
		}
	}
}

static int
digest(struct picture *p, char *hex, struct npu_err *err)
{
	size_t width = picture_info(p)->width;
	uint8_t *rows = malloc(width * 4 * 16);
	SHA2_CTX sum;
	int n;

	SHA256Init(&sum);
	while ((n = picture_rows(p, rows, 16, err)) > 0)
		digest_rows(&sum, rows, (size_t)n * width);
	SHA256End(&sum, hex);
	free(rows);
	return n;
}

static int
measure(unsigned shrink, const char *name)
{
	char sum[SHA256_DIGEST_STRING_LENGTH];
	struct picture *p = NULL;
	struct npu_err err = { 0 };
	struct rusage r;
	int fd = open_file(name, &err);

	if (fd < 0 || picture_open(&p, (struct picture_source){ read_fd, &fd },
	    PICTURE_MAX_PIXELS, &err) < 0 ||
	    (shrink > 1 && picture_shrink(p, shrink, &err) < 0) ||
	    digest(p, sum, &err) < 0)
		printf("%s\trefused: %s", name, err.msg);
	else
		printf("%s\t%ux%u %s", name, picture_info(p)->width,
		    picture_info(p)->height, sum);
	getrusage(RUSAGE_SELF, &r);
	printf("\t%ld\n", r.ru_maxrss);
	picture_close(p);
	if (fd >= 0)
		close(fd);
	return 0;
}

/* ---- By bytes ---------------------------------------------------------- */

/* Returns a limited number of bytes at a time. */
struct drops {
	struct bytes b;
	size_t each;
};

static int64_t
read_drop(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct drops *d = arg;
	size_t k = d->each < d->b.n ? d->each : d->b.n;

	(void)err;
	if (k > n)
		k = n;
	memcpy(p, d->b.p, k);
	d->b.p += k;
	d->b.n -= k;
	return (int64_t)k;
}

/*
 * Returns the stored rows of the picture, read most at a time; NULL if refused.
 */
static uint8_t *
all_rows(struct picture_source s, unsigned most, size_t *size,
    struct npu_err *err)
{
	const struct picture_info *info;
	struct picture *p = NULL;
	uint8_t *rows;
	size_t stride, y = 0;
	int n;

	if (picture_open(&p, s, PICTURE_MAX_PIXELS, err) < 0)
		return NULL;
	info = picture_info(p);
	stride = (size_t)info->width * 4;
	*size = info->height * stride;
	rows = malloc(*size + most * stride);
	while ((n = picture_rows(p, rows + y * stride, most, err)) > 0)
		y += (size_t)n;
	for (size_t i = 3; i < *size; i += 4)
		rows[i] = 0;
	if (n < 0 || y != info->height) {
		free(rows);
		rows = NULL;
	}
	picture_close(p);
	return rows;
}

enum what { REFUSED, SAME, OTHER };

static enum what
compare(struct picture_source s, unsigned most, const uint8_t *want,
    size_t size)
{
	struct npu_err err = { 0 };
	size_t n = 0;
	uint8_t *got = all_rows(s, most, &n, &err);
	enum what what = OTHER;

	if (got == NULL && err.msg[0] == '\0')
		abort();
	if (got == NULL)
		what = REFUSED;
	else if (n == size && memcmp(got, want, n) == 0)
		what = SAME;
	free(got);
	return what;
}

static bool
is_same_by(struct bytes all, size_t each, unsigned most, const uint8_t *want,
    size_t size)
{
	struct drops d = { all, each };

	return compare((struct picture_source){ read_drop, &d }, most, want,
	    size) == SAME;
}

/* Copies each truncated file: AddressSanitizer must see a read past its end. */
static void
cut(const char *name, struct bytes all, const uint8_t *want, size_t size)
{
	size_t least = all.n, step, others = 0;
	enum what what;

	for (size_t n = all.n; n > 0; n -= step) {
		uint8_t *copy = malloc(n);
		struct bytes b = { copy, n };

		memcpy(copy, all.p, n);
		what = compare(source_bytes(&b), 16, want, size);
		if (what == SAME)
			least = n;
		others += what == OTHER;
		free(copy);
		step = n > 5000 && n + 100 < all.n ? n / 100 : 1;
	}
	printf("%s\t%zu\t%zu\n", name, all.n - least, others);
}

static void
check(const char *name, struct bytes all)
{
	struct npu_err err = { 0 };
	struct bytes b = all;
	size_t size = 0;
	uint8_t *want = all_rows(source_bytes(&b), 16, &size, &err);

	if (want == NULL)
		printf("%s\trefused: %s\n", name, err.msg);
	else if (!is_same_by(all, 1, 1, want, size) ||
	    !is_same_by(all, 7, 3, want, size) ||
	    !is_same_by(all, 4096, 1000, want, size))
		printf("%s\tdiffers\n", name);
	else
		cut(name, all, want, size);
	free(want);
}

static int
check_file(const char *name)
{
	struct npu_err err = { 0 };
	struct buf b = { 0 };
	int fd = open_file(name, &err);

	if (fd < 0 || file_read(fd, 1 << 28, &b, &err) < 0)
		refused(name, &err);
	else
		check(name, (struct bytes){ (uint8_t *)b.p, b.n });
	if (fd >= 0)
		close(fd);
	buf_free(&b);
	return 0;
}

int
main(int argc, char **argv)
{
	bool c = argc > 2 && strcmp(argv[1], "-c") == 0;

	if (argc == 3 && strcmp(argv[1], "-p") == 0)
		return write_ppm(argv[2]);
	if (argc == 4 && strcmp(argv[1], "-m") == 0)
		return measure((unsigned)atoi(argv[2]), argv[3]);
	for (int i = c ? 2 : 1; i < argc; i++)
		if ((c ? check_file : show)(argv[i]) != 0)
			return 1;
	return 0;
}
