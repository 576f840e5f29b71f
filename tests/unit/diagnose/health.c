// SPDX-License-Identifier: Apache-2.0
/* Tests checks of facts that a tree of files cannot provide. */
#include <errno.h>
#include <string.h>

#include "diagnose/health/impl.h"
#include "tap.h"

static const struct health_check *
find(const struct health_check *c, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(c[i].name, name) == 0)
			return &c[i];
	return NULL;
}

static void
pages(uint64_t bytes, enum health_verdict want)
{
	struct health_check checks[HEALTH_CHECKS];
	const struct health_check *c;
	struct health h = { .trace = true };
	size_t n;

	if (bytes != 0)
		h.fact[HEALTH_PAGE_BYTES] = (struct health_fact){
		    .state = HEALTH_KNOWN, .number = bytes };
	n = health_run_checks(&h, checks);
	c = find(checks, n, "pages");
	ok(c != NULL && c->verdict == want &&
	    (want == HEALTH_OK || want == HEALTH_SKIP) ==
	    (c->next[0] == '\0'), "pages of %llu bytes have the verdict %s",
	    (unsigned long long)bytes, health_verdict_name(want));
}

/* Without any facts, no check is ok, and each failed check has a next step. */
static void
nothing(void)
{
	struct health_check checks[HEALTH_CHECKS];
	struct health h = { .trace = false };
	size_t n = health_run_checks(&h, checks);

	ok(n > 0 && n < HEALTH_CHECKS,
	    "the array has space for one more check");
	for (size_t i = 0; i < n; i++)
		ok(checks[i].verdict != HEALTH_OK &&
		    (checks[i].next[0] != '\0' ||
		    checks[i].verdict == HEALTH_SKIP) &&
		    checks[i].finding[0] != '\0',
		    "without facts, check %s has a finding and is not ok",
		    checks[i].name);
}

/* Facts, and the verdict that a check gives. */
static void
facts(void)
{
	static const struct {
		const char *check;
		enum health_verdict want;
		const char *says;
		struct {
			enum health_id id;
			const char *text;
		} fact[4];
	} rows[] = {
		{ "kernel", HEALTH_OK, "7.0: /x/aipu.ko.gz",
		    { { HEALTH_KERNEL, "7.0" },
		    { HEALTH_MODULE_FILE, "/x/aipu.ko.gz" },
		    { HEALTH_MODULE_PACKED, "gzip" },
		    { HEALTH_MODULE_FOR, "7.0" } } },
		{ "kernel", HEALTH_SKIP, "/x/aipu.ko could not be read: "
		    "unknown", { { HEALTH_KERNEL, "7.0" },
		    { HEALTH_MODULE_FILE, "/x/aipu.ko" } } },
		{ "kernel", HEALTH_OK, "7.0: built in",
		    { { HEALTH_KERNEL, "7.0" },
		    { HEALTH_MODULE_FILE, "built in" } } },
		{ "module", HEALTH_FAIL, "aipu is loaded but registered no",
		    { { HEALTH_MODULE, "aipu" } } },
		{ "module", HEALTH_FAIL, "aipu is loaded but registered no",
		    { { HEALTH_MODULE, "aipu" },
		    { HEALTH_MODULE_FILE, "/x/aipu.ko" } } },
		{ "module", HEALTH_OK, "aipu, version unknown",
		    { { HEALTH_MODULE, "aipu" },
		    { HEALTH_MODULE_DRIVERS, "platform:armchina" } } },
		{ "node", HEALTH_OK, "/dev/aipu, mode unknown",
		    { { HEALTH_NODE, "/dev/aipu" } } },
		{ "loader", HEALTH_WARN, "npu-utils find the library",
		    { { HEALTH_LIBRARY, "libnoe.so" },
		    { HEALTH_LIBRARY_LISTED, "no" } } },
		{ "pair", HEALTH_FAIL, "they differ",
		    { { HEALTH_PAIR, "mismatch" },
		    { HEALTH_PAIR_REASON, "they differ" } } },
		{ "functions", HEALTH_WARN, "counts no cores",
		    { { HEALTH_LIBRARY_LACKS, "noe_ioctl, noe_get_target, "
		    "noe_get_partition_count, noe_get_cluster_count, "
		    "noe_get_core_count" } } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct health_check checks[HEALTH_CHECKS];
		struct health h = { .trace = true };
		const struct health_check *c;
		size_t n;

		for (int k = 0; k < 4 && rows[i].fact[k].text != NULL; k++) {
			struct health_fact *f = &h.fact[rows[i].fact[k].id];

			f->state = HEALTH_KNOWN;
			snprintf(f->text, sizeof(f->text), "%s",
			    rows[i].fact[k].text);
		}
		n = health_run_checks(&h, checks);
		c = find(checks, n, rows[i].check);
		if (!ok(c != NULL && c->verdict == rows[i].want &&
		    strstr(c->finding, rows[i].says) != NULL,
		    "check %s has the finding: %s",
		    rows[i].check, rows[i].says) && c != NULL)
			diag("%s: %s", health_verdict_name(c->verdict),
			    c->finding);
	}
}

/* The next step is cut at the end of its buffer. */
static void
long_name(void)
{
	struct health_check checks[HEALTH_CHECKS];
	const struct health_check *c;
	struct health h = { .trace = true };
	struct health_fact *f = &h.fact[HEALTH_MODULE];
	size_t n;

	f->state = HEALTH_KNOWN;
	memset(f->text, 'm', sizeof(f->text) - 1);
	h.log.n_troubles = 1;
	h.log.trouble[0] = (struct health_trouble){
		.verdict = HEALTH_WARN, .finding = "much", .next = "@@@@@@@",
	};
	n = health_run_checks(&h, checks);
	c = find(checks, n, "log");
	ok(c != NULL && strlen(c->next) == HEALTH_TEXT - 1,
	    "a next step with a very long name is cut");
}

/* A failed query of the driver is a fact, unless this process is the reason. */
static void
driver_trouble(void)
{
	static const struct {
		struct npu_err err;
		bool trouble;
	} rows[] = {
		{ { NPU_ENODEV, ENOMEM, "/dev/aipu: x" }, true },
		{ { NPU_ENODEV, EMFILE, "/dev/aipu: x" }, true },
		{ { NPU_ENODEV, ENFILE, "/dev/aipu: x" }, true },
		{ { NPU_ENODEV, EIO, "/dev/aipu: x" }, false },
		{ { NPU_ENODEV, EIO, "/tree/dev/aipu: x" }, true },
		{ { NPU_ENODEV, ENOENT, "/tree/dev/aipu: x" }, false },
		{ { NPU_EDEVICE, EIO, "QUERY_CAP: x" }, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct npu_err t = { .code = 0 };

		health_note_driver(&t, &rows[i].err);
		ok((t.code != 0) == rows[i].trouble, "error %s of %s is %s",
		    strerror(rows[i].err.detail), rows[i].err.msg,
		    rows[i].trouble ? "noted as trouble" : "an answer");
	}
}

/* No file is read for a release that is not a file name. */
static void
no_release(void)
{
	struct npu_err trouble = { .code = 0 };
	struct health h = { .trace = true };
	const struct health_reader p = { .h = &h, .trouble = &trouble,
	    .root = "/none", .node = "/dev/aipu" };

	h.fact[HEALTH_KERNEL].state = HEALTH_KNOWN;
	health_read_module_file(&p);
	ok(h.fact[HEALTH_MODULE_FILE].state == HEALTH_UNKNOWN,
	    "without a valid release, the module's file is unknown");
}

int
main(void)
{
	pages(4096, HEALTH_OK);
	pages(65536, HEALTH_FAIL);
	pages(16384, HEALTH_WARN);
	pages(0, HEALTH_SKIP);
	nothing();
	facts();
	long_name();
	driver_trouble();
	no_release();
	return done();
}
