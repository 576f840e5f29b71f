// SPDX-License-Identifier: Apache-2.0
/* What a file is, by its bytes and its name. */
#include "cmd.h"
#include "model/cix.h"
#include "npu-model/content.h"
#include "tap.h"

const struct program program = { .name = "content" };

#define SUM "0123456789abcdef0123456789abcdef" \
    "0123456789abcdef0123456789abcdef"
#define POINTER "version https://git-lfs.github.com/spec/v1\n"

static const struct {
	const char *name, *text;
	enum content_kind kind;
} row[] = {
	{ "m.cix", "", CONTENT_EMPTY },
	{ "labels.txt", "", CONTENT_EMPTY },
	{ "m.cix", POINTER "oid sha256:" SUM "\nsize 12\n", CONTENT_POINTER },
	{ "m.txt", POINTER "oid sha256:" SUM "\nsize 12\n", CONTENT_POINTER },
	{ "m.cix", POINTER, CONTENT_POINTER },
	{ "m.cix", "<!DOCTYPE html><html>", CONTENT_WEB_PAGE },
	{ "m.txt", "\n <HTML>", CONTENT_WEB_PAGE },
	{ "m.html", "<html>", CONTENT_OTHER },
	{ "m.cix", "{\"Code\":404,\"Message\":\"no\"}", CONTENT_JSON_ERROR },
	{ "m.json", " {\"error\":\"Entry not found\"}", CONTENT_JSON_ERROR },
	{ "m.json", "{\"Success\":false}", CONTENT_JSON_ERROR },
	{ "m.json", "{\"Code\":200,\"error\":null}", CONTENT_OTHER },
	{ "m.json", "{\"words\":1}", CONTENT_OTHER },
	{ "m.json", "{", CONTENT_OTHER },
	{ "m.cix", "\x1f\x8b\x08", CONTENT_GZIP },
	{ "m.txt.gz", "\x1f\x8b\x08", CONTENT_OTHER },
	{ "m.cix", "not a model", CONTENT_DAMAGED },
	{ "M.CIX", "not a model", CONTENT_DAMAGED },
	{ "m.onnx", "not a model", CONTENT_DAMAGED },
	{ "m.onnx", "\x08\x08\x12\x05" "ab", CONTENT_DAMAGED },
	{ "m.onnx", "\x08\x08\x12\x02" "ab", CONTENT_ONNX },
	{ "labels.txt", "cat\ndog\n", CONTENT_OTHER },
	{ ".cix", "cat\n", CONTENT_OTHER },
};

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const void *)s, strlen(s) };
}

static void
test_pointer(void)
{
	struct sum sum = { "" };
	uint64_t size = 0;

	ok(content_pointer(text(POINTER "oid sha256:" SUM "\nsize 4096\n"),
	    &sum, &size) && size == 4096 && strcmp(sum.text, SUM) == 0,
	    "a pointer has a sum and a size");
	ok(!content_pointer(text(POINTER "oid sha256:12\nsize 1\n"), &sum,
	    &size), "a pointer with a short sum is refused");
	ok(!content_pointer(text(POINTER "oid sha256:" SUM "\nsize 1x\n"),
	    &sum, &size), "a pointer with a wrong size is refused");
	ok(!content_pointer(text(POINTER "oid sha256:" SUM
	    "\nsize 9999999999999999\n"), &sum, &size),
	    "a pointer with a size of 16 digits is refused");
}

static void
test_models(void)
{
	struct npu_tensor t = { .dtype = NPU_S8, .size = 4, .ndim = 1,
	    .dim = { 4 }, .scale = 1 };
	struct cix_pack pack = { .name = "m", .inputs = &t, .outputs = &t,
	    .n_inputs = 1, .n_outputs = 1,
	    .device = CIX_ISA_EMULATOR << 16 | 1204 };
	struct buf b = { 0 };
	struct content c;

	ok(cix_write(&pack, &b, NULL) == 0, "a .cix is made");
	content_look(&c, "m.cix", (struct bytes){ (void *)b.p, b.n }, NULL);
	if (!ok(c.kind == CONTENT_CIX && content_is_good(&c) &&
	    strcmp(c.target, "emulator") == 0 && c.why[0] == '\0',
	    "a sound .cix is good, and has its target"))
		diag("%s, %s, %s", content_kind_name(c.kind), c.target, c.why);
	content_look(&c, "m.cix", (struct bytes){ (void *)b.p, b.n - 1 }, NULL);
	ok(c.kind == CONTENT_DAMAGED && !content_is_good(&c) &&
	    strncmp(c.why, "not a sound .cix: ", 18) == 0,
	    "a .cix without its last byte is damaged");
	buf_free(&b);
}

int
main(void)
{
	struct content c;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		content_look(&c, row[i].name, text(row[i].text), NULL);
		ok(c.kind == row[i].kind &&
		    content_is_good(&c) == (c.why[0] == '\0'),
		    "%s of %zu bytes is %s", row[i].name, strlen(row[i].text),
		    content_kind_name(row[i].kind));
	}
	test_pointer();
	test_models();
	return done();
}
