// SPDX-License-Identifier: Apache-2.0
/* Tests that EMBEDDED_METADATA is read as libxrt 2.25 reads it (xclbin(5)). */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/dpu_kernels.h"
#include "tap.h"

#define CORE(text) "<project><platform><device><core>" text \
	"</core></device></platform></project>"

static struct npu_err err;

static int
read_text(const char *xml, struct dpu_kernels *k)
{
	err.msg[0] = '\0';
	return dpu_kernels_read(k, (struct bytes){ (const uint8_t *)xml,
	    strlen(xml) }, &err);
}

static bool
is(const char *got, const char *want)
{
	return got != NULL && want != NULL ? strcmp(got, want) == 0 :
	    got == want;
}

/* Returns true if the text has n kernels, of which the last has this name. */
static bool
has(const char *xml, bool core, size_t n, const char *name)
{
	struct dpu_kernels k;
	bool good = read_text(xml, &k) == 0 && k.core == core && k.n == n &&
	    (n == 0 || is(k.kernel[n - 1].name, name));

	if (!good)
		diag("%s: %zu kernels, %s", err.msg, k.n, k.n > 0 ?
		    k.kernel[k.n - 1].name : "none");
	dpu_kernels_free(&k);
	return good;
}

/* ---- Elements and attributes ------------------------------------------- */

static void
attributes(void)
{
	struct dpu_kernels k;
	struct dpu_kernel *a;

	ok(read_text(CORE("<kernel language=\"c\" name=\"A\" type=\"dpu\">"
	    "<extended-data subtype=\"1\" functional=\"0\" "
	    "dpu_kernel_id=\"0x901\"/><arg type=\"char *\" name=\"x\" id=\"0\" "
	    "offset=\"0x14\" size=\"0x8\" hostSize=\"0x4\" "
	    "addressQualifier=\"1\"/><instance name=\"I\"/></kernel>"), &k) ==
	    0 && k.n == 1, "a kernel is read");
	a = k.kernel;
	ok(is(a->name, "A") && is(a->type, "dpu") && a->extended &&
	    is(a->id, "0x901") && is(a->functional, "0"),
	    "the kernel's attributes are read");
	ok(a->arguments == 1 && is(a->argument->name, "x") &&
	    is(a->argument->id, "0") && is(a->argument->offset, "0x14") &&
	    is(a->argument->size, "0x8") &&
	    is(a->argument->host_size, "0x4") &&
	    is(a->argument->qualifier, "1") && is(a->argument->type, "char *"),
	    "the attributes of the kernel's argument are read");
	ok(a->instances == 1 && is(a->instance[0], "I"),
	    "the kernel's instance is read");
	dpu_kernels_free(&k);
	ok(k.n == 0 && k.kernel == NULL,
	    "after dpu_kernels_free(), the list is empty");

	read_text(CORE("<kernel><extended-data/><arg/><instance/></kernel>"),
	    &k);
	a = k.kernel;
	ok(k.n == 1 && a->name == NULL && a->type == NULL && a->extended &&
	    a->id == NULL && a->functional == NULL &&
	    a->argument->name == NULL && a->argument->offset == NULL &&
	    a->argument->qualifier == NULL && a->instances == 1 &&
	    a->instance[0] == NULL, "missing attributes are NULL");
	dpu_kernels_free(&k);
	read_text(CORE("<kernel><extended-data dpu_kernel_id=\"1\"/>"
	    "<extended-data dpu_kernel_id=\"2\" functional=\"3\"/></kernel>"),
	    &k);
	ok(is(k.kernel->id, "1") && k.kernel->functional == NULL,
	    "of two extended-data elements, the first is used");
	dpu_kernels_free(&k);
}

static void
kinds(void)
{
	struct dpu_kernel k = { .type = NULL };

	ok(!dpu_kernel_counts(&k),
	    "a kernel with neither type nor extended-data does not count");
	k.extended = true;
	ok(dpu_kernel_counts(&k), "a kernel with extended-data counts");
	k = (struct dpu_kernel){ .type = (char *)(uintptr_t)"dpu" };
	ok(dpu_kernel_counts(&k), "a kernel with type=\"dpu\" counts");
	k.type = (char *)(uintptr_t)"DPU";
	ok(!dpu_kernel_counts(&k), "a kernel with type=\"DPU\" does not count");
	ok(!dpu_is_pointer(0) && dpu_is_pointer(1) && dpu_is_pointer(2) &&
	    !dpu_is_pointer(3) && !dpu_is_pointer(4),
	    "only GLOBAL and CONSTANT arguments are pointers");
}

static void
many(void)
{
	struct buf b = { 0 };
	struct dpu_kernels k;

	buf_puts(&b, "<project><platform><device><core>");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "<kernel name=\"%d\"/>", i);
	buf_puts(&b, "<kernel name=\"last\">");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "<arg name=\"%d\"/><instance name=\"%d\"/>", i,
		    -i);
	buf_puts(&b, "</kernel></core></device></platform></project>");
	buf_add(&b, "", 1);
	read_text(b.p, &k);
	ok(k.n == 1001 && is(k.kernel[0].name, "0") &&
	    is(k.kernel[999].name, "999") &&
	    k.kernel[1000].arguments == 1000 &&
	    is(k.kernel[1000].argument[513].name, "513") &&
	    is(k.kernel[1000].instance[999], "-999"),
	    "1000 kernels, arguments and instances are read");
	dpu_kernels_free(&k);
	buf_free(&b);
}

/* ---- Where kernels are ------------------------------------------------- */

static void
places(void)
{
	struct dpu_kernels k;

	ok(has("<project/>", false, 0, NULL),
	    "a project without a core has no kernels");
	ok(has(CORE(""), true, 0, NULL), "a core without kernels is found");
	ok(has(CORE("<kernel name=\"A\"/><kernel name=\"B\"/>"), true, 2, "B"),
	    "both kernels of the core are read");
	ok(has("<project><kernel name=\"A\"/><platform><kernel name=\"B\"/>"
	    "<device><kernel name=\"C\"/></device></platform></project>",
	    false, 0, NULL), "kernels above the core are ignored");
	ok(has(CORE("<x><kernel name=\"A\"/></x><kernel name=\"B\"/>"), true,
	    1, "B"), "kernels below another element of the core are ignored");
	ok(has("<other><platform><device><core><kernel name=\"A\"/></core>"
	    "</device></platform></other>", false, 0, NULL),
	    "kernels below another root element are ignored");
	ok(has("<project><core><kernel/></core><device><core/></device>"
	    "</project>", false, 0, NULL),
	    "a core that is not in a platform's device is ignored");
	ok(has("<project><platform><device><core><kernel name=\"A\"/></core>"
	    "<core><kernel name=\"B\"/></core></device><device><core>"
	    "<kernel name=\"C\"/></core></device></platform><platform><device>"
	    "<core><kernel name=\"D\"/></core></device></platform></project>",
	    true, 1, "A"), "only the first core of the first device is read");
	ok(has("<project><platform/><platform><device><core>"
	    "<kernel name=\"A\"/></core></device></platform></project>",
	    false, 0, NULL),
	    "if the first platform has no core, the second is not read");

	read_text(CORE("<kernel name=\"A\"><x><arg name=\"no\"/>"
	    "<instance/></x><kernel name=\"no\"><arg/></kernel>"
	    "<arg name=\"a\"><arg name=\"no\"/></arg></kernel><arg/>"), &k);
	ok(k.n == 1 && k.kernel->arguments == 1 &&
	    is(k.kernel->argument->name, "a") && k.kernel->instances == 0,
	    "only a kernel's own children are its arguments and instances");
	dpu_kernels_free(&k);
}

/* ---- Documents --------------------------------------------------------- */

static void
documents(void)
{
	struct dpu_kernels k;
	static const char nul[] = CORE("<kernel name=\"A\"/>") "\0<junk";

	ok(has("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- c -->"
	    CORE("<kernel name=\"&lt;&amp;&#x41;&quot;&apos;&gt;\"/>"), true,
	    1, "<&A\"'>"),
	    "predefined entities and character references are replaced");
	ok(dpu_kernels_read(&k, (struct bytes){ (const uint8_t *)nul,
	    sizeof(nul) - 1 }, NULL) == 0 && k.n == 1,
	    "the document ends at the first NUL");
	dpu_kernels_free(&k);
	ok(dpu_kernels_read(&k, (struct bytes){ NULL, 0 }, &err) ==
	    NPU_EFORMAT && strcmp(err.msg, "line 1, column 1: no element "
	    "found") == 0, "an empty section is refused");
	dpu_kernels_free(&k);
	ok(read_text("<project><platform><device><core>\n"
	    "<kernel name=\"A\"><arg name=\"a\"/>\n  <", &k) == NPU_EFORMAT &&
	    strcmp(err.msg, "line 3, column 3: unclosed token") == 0 &&
	    k.n == 1 && is(k.kernel->argument->name, "a"),
	    "kernels and arguments before an error are kept");
	dpu_kernels_free(&k);
	ok(read_text("<?xml version=\"1.0\" encoding=\"foo-8\"?><a/>", &k) ==
	    NPU_EFORMAT && strcmp(err.msg, "line 1, column 31: the encoding "
	    "'foo-8' is not UTF-8, UTF-16, ISO-8859-1 or US-ASCII") == 0,
	    "an unknown encoding is refused, and the message names it");
	dpu_kernels_free(&k);
	ok(has("<?xml version=\"1.0\" encoding=\"us-ascii\"?>"
	    CORE("<kernel name=\"A\"/>"), true, 1, "A"),
	    "a document in a known encoding is read");
	ok(read_text("<a b=\"1\" b=\"2\"/>", &k) == NPU_EFORMAT,
	    "an attribute that occurs twice is refused");
	dpu_kernels_free(&k);
	ok(read_text("<a b=\"&x;\"/>", &k) == NPU_EFORMAT &&
	    strstr(err.msg, "undefined entity") != NULL,
	    "an undefined entity is refused");
	dpu_kernels_free(&k);
}

static void
too_long(void)
{
	size_t n = DPU_KERNELS_BYTES + 1;
	struct dpu_kernels k;
	uint8_t *p = malloc(n);

	if (p == NULL)
		exit(1);
	memset(p, ' ', n);
	memcpy(p, "<project/>", 10);
	ok(dpu_kernels_read(&k, (struct bytes){ p, n }, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "16777217 bytes of XML are more than the 16777216 "
	    "that are read") == 0,
	    "a document one byte longer than the limit is refused");
	dpu_kernels_free(&k);
	ok(dpu_kernels_read(&k, (struct bytes){ p, n - 1 }, NULL) == 0,
	    "a document of the maximum length is read");
	dpu_kernels_free(&k);
	free(p);
}

/* ---- Hostile documents ------------------------------------------------- */

static void
hostile(void)
{
	static const char *const declared[] = {
		/* Expands to a thousand "lol", as in "billion laughs". */
		"<!DOCTYPE p [<!ENTITY a \"lol\"><!ENTITY b "
		"\"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c "
		"\"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d "
		"\"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">]><p a=\"&d;\"/>",
		"<!DOCTYPE p [<!ENTITY % a \"x\"> %a;]><p/>",
		"<!DOCTYPE p [<!ENTITY a SYSTEM \"/etc/passwd\">]><p>&a;</p>",
		"<!DOCTYPE p [<!ATTLIST arg name CDATA \"long\">]><p/>",
	};
	struct dpu_kernels k;

	for (size_t i = 0; i < sizeof(declared) / sizeof(*declared); i++) {
		ok(read_text(declared[i], &k) == NPU_EFORMAT &&
		    strstr(err.msg, "a document type with declarations") !=
		    NULL, "a document type with declarations is refused: %.40s",
		    declared[i]);
		dpu_kernels_free(&k);
	}
	ok(has("<!DOCTYPE project SYSTEM \"/etc/passwd\">"
	    CORE("<kernel name=\"A\"/>"), true, 1, "A"),
	    "a document type without declarations is ignored");
}

/* Nests elements as deeply as 1 MiB of text allows. */
static void
deep(void)
{
	size_t n = 1 << 20;
	char *p = malloc(n + 1);
	struct dpu_kernels k;

	if (p == NULL)
		exit(1);
	for (size_t i = 0; i < n; i++)
		p[i] = "<a>"[i % 3];
	p[n - n % 3] = '\0';
	ok(read_text(p, &k) == NPU_EFORMAT,
	    "349,525 nested elements are refused without a crash");
	dpu_kernels_free(&k);
	free(p);
}

/* ---- Numbers ----------------------------------------------------------- */

static void
numbers(void)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t number;
		bool junk;
	} rows[] = {
		/* Expected values: strtoul() with base 0, C11 7.22.1.4. */
		{ "0", true, 0, false }, { "0x901", true, 0x901, false },
		{ "2305", true, 2305, false }, { "010", true, 8, false },
		{ "0X1f", true, 31, false }, { "", true, 0, false },
		{ "12x", true, 12, true }, { "0x", true, 0, true },
		{ "09", true, 0, true }, { " 7", true, 7, false },
		{ "7 ", true, 7, true }, { "-1", true, UINT64_MAX, false },
		{ "x", false, 0, false }, { " ", false, 0, false },
		{ "-", false, 0, false },
		{ "18446744073709551615", true, UINT64_MAX, false },
		{ "18446744073709551616", false, 0, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t v = 77;
		bool junk = false;
		bool good = dpu_number(rows[i].text, &v, &junk);

		ok(good == rows[i].good && (!good || (v == rows[i].number &&
		    junk == rows[i].junk)) && dpu_number(rows[i].text, &v,
		    NULL) == good, "the number '%s' is read as strtoul() reads "
		    "it", rows[i].text);
	}
}

int
main(void)
{
	attributes();
	kinds();
	many();
	places();
	documents();
	too_long();
	hostile();
	deep();
	numbers();
	return done();
}
