// SPDX-License-Identifier: Apache-2.0
/* Tests damaged index files.  Readers and writers refuse each, and the message
 * says where the damage is and what it is. */
#include <inttypes.h>

#include "base/buf.h"
#include "index_file.h"
#include "store/layout.h"
#include "tap.h"

/* A sound file: a header of 192 bytes, then a, b and again a. */
enum { A = 192, B = A + 128, A2 = B + 128, END = A2 + 128, DIM = 2 };

static const struct {
	const char *what;
	size_t at, n;		/* offset, and number of bytes */
	const char *bytes;
	bool mended;		/* the checksums are computed again */
	const char *says;
} damages[] = {
	{ "another magic", 0, 1, "X", false, "not an index: it does not begin "
	    "with NPUINDEX" },
	{ "a version that is too high", 8, 1, "\3", false,
	    "version 3 of the format; this program reads 1 to 2" },
	{ "version 0", 8, 1, "\0", false, "version 0 of the format" },
	{ "a header without room for its texts", 12, 1, "\200", false,
	    "header: texts of 5 and 4 bytes in 128 bytes" },
	{ "a header that exceeds the file", 32, 3, "\0\1\0", false,
	    "header: texts of 5 and 256 bytes in 192 bytes" },
	{ "a model that is too long", 28, 3, "\1\0\1", false,
	    "header: texts of 65537 and 4 bytes in 192 bytes" },
	{ "a preprocessing that is too long", 32, 3, "\1\0\1", false,
	    "header: texts of 5 and 65537 bytes in 192 bytes" },
	{ "texts that are too long", 28, 4, "\xff\xff\xff\xff", false,
	    "header: texts of 4294967295 and 4 bytes in 192 bytes" },
	{ "a wrong checksum of the header", 96, 1, "\0", false,
	    "header: checksum 527eebd9f37bb1ae, not 527eebd9f37bb100 as at "
	    "offset 96" },
	{ "a changed bit in the hash", 64, 1, "\1", false, "header: checksum" },
	{ "a changed bit in the preprocessing", 136, 1, "q", false,
	    "header: checksum" },
	{ "vectors of 0 numbers", 16, 1, "\0", true,
	    "header: 0 numbers a vector; 1 to 1048576 are possible" },
	{ "vectors of too many numbers", 16, 4, "\1\0\20\0", true,
	    "header: 1048577 numbers a vector" },
	{ "an unknown norm", 20, 1, "\2", true, "header: norm 2 and kind 2; "
	    "at most 1 and 2 are known" },
	{ "an unknown kind", 24, 1, "\3", true, "header: norm 1 and kind 3" },
	{ "non-zero reserved bytes",
	    60, 1, "\1", true, "header: something is in the "
	    "bytes that are reserved" },
	{ "non-zero unused bytes",
	    127, 1, "\1", true, "header: something is in the "
	    "bytes that are reserved" },
	{ "a record without its magic", A, 1, "W", false, "record at 192: its "
	    "header is damaged: checksum " },
	{ "a record with a longer name",
	    B + 4, 1, "\2", false, "record at 320: its "
	    "header is damaged" },
	{ "a record with a name that exceeds the file", A2 + 7, 1, "\1", false,
	    "record at 448: its header is damaged" },
	{ "a record with a path that exceeds the file",
	    A2 + 14, 1, "\100", false,
	    "record at 448: its header is damaged" },
	{ "a record with a name that is too long", A2 + 4, 4, "\1\0\1\0", true,
	    "record at 448: a name of 65537 bytes; the limit is 65536" },
	{ "a record with a changed hash",
	    A + 16, 1, "\0", false, "record at 192: its "
	    "header is damaged" },
	{ "a record that replaces an odd offset",
	    A2 + 8, 1, "\xc1", true, "record at 448: "
	    "it replaces one at 193, where none can be" },
	{ "a record that replaces itself",
	    A2 + 8, 2, "\xc0\1", true, "record at 448: it "
	    "replaces one at 448, where none can be" },
	{ "a record that replaces a later record",
	    B + 8, 2, "\xc0\1", true, "record at 320: "
	    "it replaces one at 448, where none can be" },
	{ "a record that replaces the header",
	    A2 + 8, 1, "\100", true, "record at 448: "
	    "it replaces one at 64, where no such is" },
	{ "a record that replaces an offset after the second record",
	    A2 + 8, 2, "\200\1", true,
	    "record at 448: it replaces one at 384, where no such is" },
	{ "a record that replaces an offset inside a record",
	    A2 + 8, 2, "\0\1", true, "record at "
	    "448: it replaces one at 256, where no such is" },
	{ "a changed number in the second record",
	    B + 64, 1, "\1", false, "record at 320: "
	    "its 128 bytes have another checksum than " },
	{ "a changed letter in the second record",
	    B + 72, 1, "c", false, "record at 320: its "
	    "128 bytes have another checksum than " },
	{ "a changed byte behind a name",
	    B + 127, 1, "\1", false, "record at 320: its "
	    "128 bytes have another checksum than " },
};

/* Computes the checksums again, as an attacker would. */
static void
mend(uint8_t *p, size_t n)
{
	struct layout_header h;
	struct layout_head r;

	memcpy(&h, p, sizeof(h));
	h.checksum = 0;
	memcpy(p, &h, sizeof(h));
	h.checksum = layout_checksum(p, h.size);
	memcpy(p, &h, sizeof(h));
	for (size_t at = A; at < n; at += 128) {
		memcpy(&r, p + at, sizeof(r));
		r.body_checksum = layout_checksum(p + at + 64, 64);
		r.head_checksum = layout_head_checksum(&r, at);
		memcpy(p + at, &r, sizeof(r));
	}
}

static void
try_writer(const char *what, const char *says)
{
	const struct index_header h = index_example();
	struct npu_err err = { 0 };
	struct index *ix;
	int rc = index_open(&ix, index_path, &h, &err);

	if (rc == 0)
		index_close(ix, NULL);
	/* A writer does not read vectors, and looks up names instead of
	 * offsets. */
	if (strstr(says, "another checksum") != NULL ||
	    strstr(says, "no such is") != NULL)
		return;
	if (!ok(rc == NPU_EFORMAT && strstr(err.msg, says) != NULL,
	    "a writer refuses an index with %s", what))
		diag("%d: %s", rc, err.msg);
}

/* Tests the last record, which a power failure may damage. */
static void
last(const struct buf *sound)
{
	const struct index_header h = index_example();
	struct buf b = { 0 };
	struct index *ix;

	buf_add(&b, sound->p, sound->n);
	b.p[A2 + 64]++;
	index_write(b.p, b.n);
	ok(strcmp(index_shown(), "a=1,2 b=3,4") == 0,
	    "a last record with a wrong checksum is ignored: %s",
	    index_shown());
	if (index_open(&ix, index_path, &h, NULL) < 0)
		exit(1);
	ok(index_count(ix) == 2 && index_put(ix, "c", 4, 5, 6) == 0,
	    "a writer adds a record after the last sound record");
	index_close(ix, NULL);
	ok(strcmp(index_shown(), "a=1,2 b=3,4 c=5,6") == 0,
	    "the added record takes the place of the damaged record: %s",
	    index_shown());
	b.p[A2 + 64]--;
	for (size_t n = 0; n < A; n++) {
		index_write(b.p, n);
		if (strncmp(index_shown(), "header: ", 8) != 0 &&
		    strncmp(index_shown(), "not an index", 12) != 0)
			ok(false, "the first %zu bytes of a header are "
			    "refused: %s", n, index_shown());
	}
	ok(true, "every prefix of the header is refused");
	buf_free(&b);
}

/* Tests three records with one name, of which the last claims to replace the
 * first. */
static void
twice(void)
{
	const struct index_header h = index_example();
	struct index *ix;
	struct buf b;

	unlink(index_path);
	if (index_open(&ix, index_path, &h, NULL) < 0)
		exit(1);
	for (int i = 1; i <= 3; i++)
		index_put(ix, "a", i, (float)i, 0);
	index_close(ix, NULL);
	b = index_bytes();
	memcpy(b.p + A2 + 8, "\xc0\0", 2);
	mend((void *)b.p, b.n);
	index_write(b.p, b.n);
	ok(strstr(index_shown(), "record at 448: it replaces one at 192, where "
	    "no such is") != NULL, "a record that replaces a record already "
	    "replaced is refused: %s", index_shown());
	buf_free(&b);
}

/* Computes the checksum word by word, as vec-index(5) shows it in Python. */
static uint64_t
defined(const uint8_t *p, size_t n)
{
	const uint64_t by = UINT64_C(0x9e3779b97f4a7c15);
	uint32_t sum[16] = { 0 }, sums[16] = { 0 }, w;
	uint64_t h = n;

	for (size_t i = 0; i < n / sizeof(w); i++) {
		memcpy(&w, p + i * sizeof(w), sizeof(w));
		sum[i % 16] += w;
		sums[i % 16] += sum[i % 16];
	}
	for (int k = 0; k < 16; k++)
		h = (h * by + sum[k]) * by + sums[k];
	return h;
}

static void
checksums(void)
{
	static uint8_t bytes[64 * 70 + 3];
	uint32_t state = 1;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(bytes); i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(state >> 24);
	}
	while (n <= 64 * 70 && layout_checksum(bytes + 3, n) ==
	    defined(bytes + 3, n))
		n += 64;
	if (!ok(n > 64 * 70, "the checksum is the checksum of vec-index(5)"))
		diag("of %zu bytes: %016" PRIx64 ", not %016" PRIx64, n,
		    layout_checksum(bytes + 3, n), defined(bytes + 3, n));
}

int
main(void)
{
	const struct index_header h = index_example();
	struct buf sound, b = { 0 };
	struct index *ix;

	index_place();
	if (index_open(&ix, index_path, &h, NULL) < 0)
		return 1;
	index_put(ix, "a", 1, 1, 2);
	index_put(ix, "b", 2, 3, 4);
	index_put(ix, "a", 3, 5, 6);
	index_close(ix, NULL);
	sound = index_bytes();
	ok(sound.n == END && strcmp(index_shown(), "b=3,4 a=5,6") == 0,
	    "a sound index is read");
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		buf_clear(&b);
		buf_add(&b, sound.p, sound.n);
		memcpy(b.p + damages[i].at, damages[i].bytes, damages[i].n);
		if (damages[i].mended)
			mend((void *)b.p, b.n);
		index_write(b.p, b.n);
		if (!ok(strstr(index_shown(), damages[i].says) != NULL,
		    "a reader refuses an index with %s", damages[i].what))
			diag("%s", index_shown());
		try_writer(damages[i].what, damages[i].says);
	}
	last(&sound);
	twice();
	checksums();
	buf_free(&b);
	buf_free(&sound);
	return done();
}
