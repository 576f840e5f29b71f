// SPDX-License-Identifier: Apache-2.0
/* Tests that saved documents of npu-bench are read, and that damaged ones are
 * refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npu-bench/gate/baseline.h"
#include "repeat.h"
#include "tap.h"

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HOST "\"host\":{\"board\":\"O6\",\"driver\":\"5.11.0\"," \
	"\"libnoe\":null,\"governor\":\"performance\"}"
#define MODELS "\"models\":[{\"path\":\"m.cix\",\"sha256\":\"" SHA "\"}]"
#define START "{\"schema\":\"npu-bench/1\"," HOST "," MODELS ","
#define RUNS(runs) START "\"runs\":[" runs "]}"
/* The first members of a run, up to the members that STAGES adds. */
#define WHO "\"model\":\"m.cix\",\"side\":null,\"scenario\":\"offline\","
#define WHICH "\"inflight\":3,\"config\":1,\"run\":2,\"process\":0,"
#define RUN(rest) "{" WHO WHICH rest "}"
#define STAGES(infer) "\"n\":662,\"throughput\":70.5,\"stages\":{" \
	"\"infer\":" infer "}"
#define GOOD RUNS(RUN(STAGES("{\"p50_ms\":14.25,\"p999_ucb_ms\":1e1}")))

static const struct bench_metrics metrics = { { { "infer", "p50" },
    { "infer", "p99.9_ucb" }, { "infer", "p99" }, { "e2e", "p50" },
    { "throughput", "" } }, 5 };

static int
read_text(const char *text, struct bench_points *p, struct npu_err *err)
{
	return baseline_read((struct bytes){ (const uint8_t *)text,
	    strlen(text) }, &metrics, p, err);
}

static void
sound(void)
{
	struct bench_points p = { 0 };
	const struct bench_point *r;
	struct npu_err err = { 0 };

	if (!ok(read_text(GOOD, &p, &err) == 0 && p.n == 1,
	    "a document is read"))
		diag("%s", err.msg);
	r = p.point;
	ok(strcmp(p.environment.board, "O6") == 0 &&
	    strcmp(p.environment.driver, "5.11.0") == 0 &&
	    *p.environment.library == '\0' &&
	    strcmp(p.environment.governor, "performance") == 0 &&
	    *p.environment.emulator == '\0',
	    "the machine is read, and null becomes an empty text");
	ok(strcmp(r->model, "m.cix") == 0 && strcmp(r->sha256, SHA) == 0 &&
	    r->scenario == OFFLINE && r->inflight == 3 && r->config == 1 &&
	    r->run == 2 && r->process == 0 && r->side == 0 && r->n == 662 &&
	    r->rate == 0 && r->per_query == 0,
	    "the fields of the run are read");
	ok(r->value[0] == 14.25 && r->value[1] == 10 && isnan(r->value[2]) &&
	    isnan(r->value[3]) && r->value[4] == 70.5,
	    "metrics are read, and are NAN if the document does not have them");
	baseline_free(&p);
}

static const struct {
	const char *what, *text;
	size_t n;
} others[] = {
	{ "unknown members are ignored", RUNS(RUN("\"x\":[{}],"
	    STAGES("{\"y\":\"\"}"))), 1 },
	{ "null is accepted for unknown values", RUNS(RUN("\"rate\":null,"
	    "\"per_query\":null,\"error\":null," STAGES("{\"p50_ms\":null}"))),
	    1 },
	{ "a stage that is null is accepted", RUNS(RUN(STAGES("null"))), 1 },
	{ "runs of two processes are read",
	    RUNS(RUN(STAGES("{}")) "," RUN(STAGES("{}"))), 2 },
	{ "a run of a process that failed is skipped",
	    RUNS("{\"error\":{\"message\":\"gone\"}},"
	    RUN(STAGES("{}"))), 1 },
	{ "a run with a rate and samples per query is read",
	    RUNS(RUN("\"rate\":12.5,"
	    "\"per_query\":8," STAGES("{}"))), 1 },
	{ "a run with an empty window and a throughput of 0 is read",
	    RUNS(RUN("\"n\":0,\"throughput\":0,"
	    "\"stages\":{}")), 1 },
	{ "a document of the emulator is read",
	    "{\"schema\":\"npu-bench/1\",\"host\":{\"board\":"
	    "null,\"driver\":null,\"libnoe\":null,\"governor\":null,"
	    "\"emulator\":true}," MODELS ",\"runs\":[" RUN(STAGES("{}")) "]}",
	    1 },
	{ "a document that does not know if it is of the emulator is read",
	    "{\"schema\":\"npu-bench/1\",\"host\":{"
	    "\"board\":null,\"driver\":null,\"libnoe\":null,\"governor\":"
	    "null,\"emulator\":null}," MODELS ",\"runs\":[" RUN(STAGES("{}"))
	    "]}", 1 },
	{ "a plan with even arrivals is read",
	    START "\"plan\":{\"steady\":true},\"runs\":["
	    RUN(STAGES("{}")) "]}", 1 },
	{ "a plan that is not an object is ignored",
	    START "\"plan\":[1],\"runs\":["
	    RUN(STAGES("{}")) "]}", 1 },
};

static void
arrangements(void)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct bench_points p = { 0 };
		struct npu_err err = { 0 };

		if (!ok(read_text(others[i].text, &p, &err) == 0 &&
		    p.n == others[i].n, "%s", others[i].what))
			diag("%s", err.msg);
		baseline_free(&p);
	}
}

#define R0 "runs[0]"
#define NOT_JSON "no document of npu-bench --save or --json: "

static const struct {
	const char *text, *says;
} damaged[] = {
	{ "", NOT_JSON "byte 0: " },
	{ "x", NOT_JSON "byte 1: " },
	{ "7", NOT_JSON "byte 1: " },
	{ "\x1f\x8b", NOT_JSON "byte 1: " },
	{ "[]", "no \"schema\": not of npu-bench" },
	{ "{}", "no \"schema\": not of npu-bench" },
	{ "{\"schema\":null}", "schema: not a string" },
	{ "{\"schema\":\"npu-bench/2\"}",
	    "schema: 'npu-bench/2', where npu-bench/1 is understood" },
	{ "{\"schema\":\"npu-bench/1\",\"schema\":\"npu-bench/1\"}",
	    "duplicate object key" },
	{ "{\"schema\":\"npu-bench/1\",\"error\":{}}",
	    "error: not null: a failed run cannot be a baseline" },
	{ "{\"schema\":\"npu-bench/1\"}", "host: missing" },
	{ "{\"schema\":\"npu-bench/1\",\"host\":[]}", "host: not an object" },
	{ "{\"schema\":\"npu-bench/1\",\"host\":{}}", "host.board: missing" },
	{ "{\"schema\":\"npu-bench/1\",\"host\":{\"board\":7}}",
	    "host.board: not a string" },
	{ "{\"schema\":\"npu-bench/1\",\"host\":{\"board\":null,\"driver\":"
	    "\"01234567890123456789012345678901\"}}",
	    "host.driver: 32 bytes, at most 31 are known" },
	{ "{\"schema\":\"npu-bench/1\",\"host\":{\"board\":null,\"driver\":"
	    "null,\"libnoe\":null,\"governor\":null,\"emulator\":1}}",
	    "host.emulator: not true or false" },
	{ "{\"schema\":\"npu-bench/1\",\"host\":{\"board\":null,\"driver\":"
	    "null,\"libnoe\":null,\"governor\":null,\"cpu\":7}}",
	    "host.cpu: not a string" },
	{ "{\"schema\":\"npu-bench/1\"," HOST ",\"plan\":{\"steady\":1}}",
	    "plan.steady: not true or false" },
	{ "{\"schema\":\"npu-bench/1\"," HOST "}", "models: missing" },
	{ "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":{}}",
	    "models: not an array" },
	{ "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":[]}",
	    "models: 0 elements, not from 1 to 64" },
	{ "{\"schema\":\"npu-bench/1\"," HOST "," MODELS "}", "runs: missing" },
	{ RUNS(""), "runs: 0 elements, not from 1 to 4096" },
	{ RUNS("7"), R0 ": not an object" },
	{ RUNS("{}"), R0 ".model: missing" },
	{ RUNS("{\"model\":null}"), R0 ".model: not a string" },
	{ RUNS("{\"model\":\"n.cix\"}"),
	    R0 ".model: 'n.cix' is not among the models" },
	{ "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":[7,{\"path\":"
	    "\"m.cix\"}],\"runs\":[{\"model\":\"m.cix\"}]}",
	    "models[1].sha256: missing" },
	{ "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":[{\"path\":"
	    "\"m.cix\",\"sha256\":\"12g\"}],\"runs\":[{\"model\":\"m.cix\"}]}",
	    "models[0].sha256: '12g' is not 64 hexadecimal digits" },
	{ "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":[{\"path\":"
	    "\"m.cix\",\"sha256\":\"" SHA "0\"}],\"runs\":[{\"model\":"
	    "\"m.cix\"}]}", "models[0].sha256: 65 bytes, at most 64" },
	{ RUNS("{\"model\":\"m.cix\"}"), R0 ".side: missing" },
	{ RUNS("{\"model\":\"m.cix\",\"side\":\"A\"}"),
	    R0 ".side: not null: A against B is not a baseline" },
	{ RUNS("{\"model\":\"m.cix\",\"side\":null}"),
	    R0 ".scenario: missing" },
	{ RUNS("{\"model\":\"m.cix\",\"side\":null,\"scenario\":\"fast\"}"),
	    R0 ".scenario: 'fast' is not single-stream" },
	{ RUNS("{" WHO "\"inflight\":0}"),
	    R0 ".inflight: 0 is not from 1 to 65536" },
	{ RUNS("{" WHO "\"inflight\":1.0}"),
	    R0 ".inflight: not a whole number" },
	{ RUNS("{" WHO "\"inflight\":99999999999999999999}"),
	    "too big integer" },
	{ RUNS("{" WHO "\"inflight\":1,\"config\":-1}"),
	    R0 ".config: -1 is not from 0 to 4096" },
	{ RUNS("{" WHO "\"inflight\":1,\"config\":0,\"run\":4097}"),
	    R0 ".run: 4097 is not from 0 to 4096" },
	{ RUNS("{" WHO "\"inflight\":1,\"config\":0,\"run\":0}"),
	    R0 ".process: missing" },
	{ RUNS(RUN("\"rate\":-1")), R0 ".rate: -1 is not from 0 to 1e+09" },
	{ RUNS(RUN("\"rate\":\"1\"")), R0 ".rate: not a number" },
	{ RUNS(RUN("\"per_query\":1e7")), R0 ".per_query: 1e+07 is not from" },
	{ RUNS(RUN("\"x\":0")), R0 ".n: missing" },
	{ RUNS(RUN("\"n\":-1")), R0 ".n: -1 is not from 0" },
	{ RUNS(RUN("\"n\":1")), R0 ".stages: missing" },
	{ RUNS(RUN("\"n\":1,\"stages\":[]")), R0 ".stages: not an object" },
	{ RUNS(RUN(STAGES("7"))), R0 ".stages.infer: not an object" },
	{ RUNS(RUN(STAGES("{\"p50_ms\":\"1\"}"))),
	    R0 ".stages.infer.p50_ms: not a number" },
	{ RUNS(RUN(STAGES("{\"p50_ms\":-0.5}"))),
	    R0 ".stages.infer.p50_ms: -0.5 is not from 0 to 1e+12" },
	{ RUNS(RUN(STAGES("{\"p999_ucb_ms\":1e13}"))),
	    R0 ".stages.infer.p999_ucb_ms: 1e+13 is not from" },
	{ RUNS(RUN(STAGES("{\"p50_ms\":1e999}"))), "real number overflow" },
	{ RUNS(RUN(STAGES("{\"p50_ms\":NaN}"))), "byte " },
	{ RUNS(RUN(STAGES("{\"p50_ms\":Infinity}"))), "byte " },
	{ RUNS(RUN("\"n\":1,\"stages\":{},\"throughput\":1e13")),
	    R0 ".throughput: 1e+13 is not from" },
	{ RUNS(RUN(STAGES("{}")) ",[]"), "runs[1]: not an object" },
	{ START "\"runs\":[" RUN(STAGES("{}")), "byte " },
	{ GOOD "x", "byte " },
	{ "{\"schema\":\"\\u0000\"}", "a NUL (\\u0000) in a string" },
	{ "{\"schema\":\"\xff\"}", "byte " },
};

static void
damages(void)
{
	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		struct bench_points p = { .n = 77 };
		struct npu_err err = { 0 };
		int rc = read_text(damaged[i].text, &p, &err);

		if (!ok(rc == NPU_EFORMAT && p.n == 77 &&
		    strstr(err.msg, damaged[i].says) != NULL,
		    "a damaged document is refused: %s",
		    damaged[i].says))
			diag("%s", err.msg);
	}
}

/* Tests that every prefix of a sound document is refused. */
static void
cut(void)
{
	struct bench_points p = { 0 };
	size_t n, whole = strlen(GOOD);

	for (n = 0; n < whole; n++)
		if (baseline_read((struct bytes){ (const uint8_t *)GOOD, n },
		    &metrics, &p, NULL) != NPU_EFORMAT)
			break;
	ok(n == whole, "a document is refused wherever it is cut: %zu of %zu "
	    "prefixes", n, whole);
}

static void
too_much(const char *what, const char *piece, size_t times, const char *says)
{
	struct bench_points p = { 0 };
	struct npu_err err = { 0 };
	struct buf b = { 0 };

	buf_repeat(&b, piece, times);
	if (!ok(baseline_read((struct bytes){ (uint8_t *)b.p, b.n }, &metrics,
	    &p, &err) == NPU_EFORMAT && strstr(err.msg, says) != NULL, "%s",
	    what))
		diag("%s", err.msg);
	buf_free(&b);
}

/* Reads a document whose model has a path of n bytes.  A path of the maximum
 * length is kept whole, and a longer path is refused. */
static void
paths(size_t n, bool fits)
{
	struct bench_points p = { 0 };
	struct npu_err err = { 0 };
	char *path = calloc(1, n + 1);
	struct buf b = { 0 };
	int rc;

	memset(path, 'd', n);
	buf_printf(&b, "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":["
	    "{\"path\":\"%s\",\"sha256\":\"" SHA "\"}],\"runs\":[{"
	    "\"model\":\"%s\",\"side\":null,\"scenario\":\"offline\","
	    WHICH STAGES("{}") "}]}", path, path);
	rc = read_text(b.p, &p, &err);
	if (!ok(fits ? rc == 0 && strcmp(p.point[0].model, path) == 0 :
	    rc == NPU_EFORMAT && strcmp(err.msg, R0 ".model: 4096 bytes, at "
	    "most 4095 are known") == 0,
	    "a path of %zu bytes is read whole or refused", n))
		diag("%s", err.msg);
	baseline_free(&p);
	buf_free(&b);
	free(path);
}

/* Tests a document with more models than npu-bench can save. */
static void
too_many(void)
{
	struct bench_points p = { 0 };
	struct npu_err err = { 0 };
	struct buf b = { 0 };

	buf_puts(&b, "{\"schema\":\"npu-bench/1\"," HOST ",\"models\":[");
	for (int i = 0; i < 65; i++)
		buf_puts(&b, i > 0 ? ",{}" : "{}");
	buf_puts(&b, "]}");
	if (!ok(baseline_read((struct bytes){ (uint8_t *)b.p, b.n }, &metrics,
	    &p, &err) == NPU_EFORMAT && strcmp(err.msg,
	    "models: 65 elements, not from 1 to 64") == 0,
	    "a document with 65 models is refused"))
		diag("%s", err.msg);
	buf_free(&b);
}

int
main(void)
{
	paths(256, true);
	paths(4095, true);
	paths(4096, false);
	sound();
	arrangements();
	damages();
	cut();
	too_many();
	too_much("a document of 32 MiB and one byte is refused",
	    " ", BASELINE_BYTES + 1,
	    "33554433 bytes, at most 33554432 are read");
	too_much("a document with 400001 arrays is refused",
	    "[", BASELINE_NESTED + 1,
	    "400001 arrays and objects, at most 400000 are read");
	too_much("a document with 2000001 values is refused",
	    "1,", BASELINE_VALUES + 1,
	    "2000001 values, at most 2000000 are read");
	too_much("a document with 5000 nested arrays is refused",
	    "[", 5000, "maximum parsing depth");
	return done();
}
