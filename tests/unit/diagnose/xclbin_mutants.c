// SPDX-License-Identifier: Apache-2.0
/*
 * xclbin_mutants [NUMBER FILE...] - makes NUMBER mutants of each container and
 * checks them in one process, with a valid instruction stream.  Without
 * arguments: 1000 mutants of a container that is made here and that does not
 * run.
 */
#include <stdio.h>

#include "base/file.h"
#include "diagnose/xclbin/xclbin.h"
#include "mutants.h"
#include "tools/axlfgen/axlf.h"
#include "tools/txngen/txn_rows.h"

static struct xclbin_stream stream;

/* Returns true if the mutant runs.  Each check must have an answer. */
static bool
runs(struct bytes mutant)
{
	struct health_check checks[XCLBIN_CHECKS + 1];
	struct npu_err err;

	if (xclbin_check_with(mutant, "main.xclbin", &stream, checks, &err) <
	    0) {
		ok(false, "%s", err.msg);
		return false;
	}
	for (int i = 0; i < XCLBIN_CHECKS + 1; i++)
		if (checks[i].name == NULL || checks[i].finding[0] == '\0' ||
		    (checks[i].verdict == HEALTH_OK && checks[i].next[0] !=
		    '\0'))
			ok(false, "check %d: '%s'; next: '%s'", i,
			    checks[i].finding, checks[i].next);
	return xclbin_runs(checks, XCLBIN_CHECKS);
}

static void
mutants_of(const char *name, struct buf *b, size_t number, size_t least)
{
	mutants(name, (struct bytes){ (uint8_t *)b->p, b->n }, number, least,
	    runs);
	buf_free(b);
}

int
main(int argc, char *argv[])
{
	size_t number = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	struct buf b = { 0 }, txn = { 0 };
	struct npu_err err;

	txn_row_make(0, false, &txn);
	if (!ok(txn_read(&stream.txn, (struct bytes){ (uint8_t *)txn.p,
	    txn.n }, &err) == 0, "the instruction stream is valid"))
		return done();
	for (int i = 2; i < argc; i++) {
		b = (struct buf){ 0 };
		if (ok(file_load(argv[i], 1 << 24, &b, &err) == 0, "%s",
		    argv[i]))
			mutants_of(argv[i], &b, number, number / 10);
	}
	if (argc < 3) {
		axlfgen_named("sound", &b);
		mutants_of("sound", &b, number, 0);
	}
	txn_free(&stream.txn);
	buf_free(&txn);
	return done();
}
