// SPDX-License-Identifier: Apache-2.0
/* Tests kernel modules made by mkko.  Each damage must be refused for its own
 * reason. */
#include <stdlib.h>
#include <string.h>

#include "model/kmodule.h"
#include "tap.h"
#include "tools/kogen/ko.h"

static struct bytes
make(const char *name, const char *release, struct buf *b)
{
	size_t i = 0;

	while (ko_name(i) != NULL && strcmp(ko_name(i), name) != 0)
		i++;
	if (ko_name(i) == NULL)
		exit(1);
	buf_clear(b);
	ko_make(i, release, b);
	return (struct bytes){ (uint8_t *)b->p, b->n };
}

static void
all_rows(void)
{
	struct npu_err err = { .msg = "" };
	struct buf b = { 0 };
	struct kmodule m;

	for (size_t i = 0; ko_name(i) != NULL; i++) {
		const char *says = ko_says(i);
		int rc = kmodule_parse(make(ko_name(i), "1", &b), &m, &err);

		if (!ok(says == NULL ? rc == 0 : rc == NPU_EFORMAT &&
		    strstr(err.msg, says) != NULL, "the module '%s' is read, "
		    "or is refused for its reason", ko_name(i)))
			diag("%d, %s", rc, err.msg);
	}
	buf_free(&b);
}

static struct kmodule
parse(const char *name, const char *release)
{
	struct kmodule m = { .vermagic = "none" };
	struct buf b = { 0 };

	kmodule_parse(make(name, release, &b), &m, NULL);
	buf_free(&b);
	return m;
}

static void
contents(void)
{
	struct kmodule m = parse("sound", "7.2.13");

	ok(strcmp(m.vermagic, "7.2.13 SMP preempt mod_unload") == 0 &&
	    strcmp(m.license, "GPL v2") == 0 &&
	    strcmp(m.imports, "DMA_BUF") == 0,
	    "vermagic, licence and imports are read from .modinfo");
	ok(m.starts && m.ends && m.wants_dma_buf,
	    "the symbols show init, exit and the use of dma-buf");
	ok(m.linked && !parse("object", "").linked,
	    "a module is linked, and an object file is not");
	ok(!parse("no-init", "").starts && parse("no-init", "").ends,
	    "a module without init_module does not start, but ends");
	ok(!parse("no-exit", "").ends && parse("no-exit", "").starts,
	    "a module without cleanup_module does not end, but starts");
	ok(!parse("no-dma-buf", "").wants_dma_buf,
	    "a module without the symbols of dma-buf does not want it");
	ok(parse("no-license", "").license[0] == '\0',
	    "a module without a licence has an empty licence");
	ok(strcmp(parse("quoted-import", "").imports, "\"DMA_BUF\"") == 0,
	    "quotation marks around an import are kept");
	ok(strcmp(parse("control", "").license, "GPL?[31m?") == 0,
	    "control characters in the licence become '?'");
	m = parse("twice", "7.2.13");
	ok(strcmp(m.license, "GPL v2") == 0 &&
	    strncmp(m.vermagic, "7.2.13 ", 7) == 0 &&
	    strcmp(m.imports, "DMA_BUF, OTHER?") == 0,
	    "the first licence and vermagic are used, and all imports listed");
	ok(parse("empty-section", "").vermagic[0] == '\0',
	    "an empty .modinfo section gives an empty vermagic");
}

/* Reads every prefix of a sound file; each read must stay inside the prefix. */
static void
cuts(void)
{
	struct buf b = { 0 };
	struct bytes all = make("sound", "1", &b);
	struct kmodule m;
	size_t taken = 0;

	for (size_t n = 0; n < all.n; n++) {
		uint8_t *copy = malloc(n > 0 ? n : 1);

		if (copy == NULL)
			exit(1);
		memcpy(copy, all.p, n);
		taken += kmodule_parse((struct bytes){ copy, n }, &m,
		    NULL) == 0;
		free(copy);
	}
	ok(taken == 0, "no prefix of a module is accepted as a module");
	buf_free(&b);
}

static void
compressions(void)
{
	static const uint8_t xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	static const uint8_t zst[] = { 0x28, 0xb5, 0x2f, 0xfd, 4 };
	static const uint8_t gz[] = { 0x1f, 0x8b, 8 };

	ok(strcmp(kmodule_compression((struct bytes){ xz, 6 }), "xz") == 0 &&
	    strcmp(kmodule_compression((struct bytes){ zst, 5 }), "zstd") ==
	    0 && strcmp(kmodule_compression((struct bytes){ gz, 3 }), "gzip")
	    == 0, "the magic numbers of xz, zstd and gzip are recognised");
	ok(kmodule_compression((struct bytes){ gz, 1 }) == NULL &&
	    kmodule_compression((struct bytes){ zst + 1, 4 }) == NULL,
	    "a cut or shifted magic number is not recognised");
}

int
main(void)
{
	all_rows();
	contents();
	cuts();
	compressions();
	return done();
}
