// SPDX-License-Identifier: Apache-2.0
/*
 * Facts about lib/base/err.c, for an analyser that sees one file at a time:
 * these functions return the code that is passed to them.  make lint includes
 * this header before every file except err.c; nothing else uses it.
 */
#ifndef TESTS_LINT_KNOWN_H
#define TESTS_LINT_KNOWN_H

#include "base/err.h"

#define npu_fail(err, code, ...) \
	(npu_fail(err, code, __VA_ARGS__), (code))
#define npu_fail_detail(err, code, detail, ...) \
	(npu_fail_detail(err, code, detail, __VA_ARGS__), (code))
#define npu_prefix(err, code, ...) \
	(npu_prefix(err, code, __VA_ARGS__), (code))

#endif
