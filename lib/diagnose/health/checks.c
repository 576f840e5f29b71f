// SPDX-License-Identifier: Apache-2.0
/* Runs all checks of the facts, in order. */
#include "diagnose/health/impl.h"

static size_t
run(const struct health *h, const struct health_checker *checker, size_t n,
    struct health_check *checks)
{
	for (size_t i = 0; i < n; i++) {
		checks[i] = (struct health_check){ .name = checker[i].name };
		checker[i].check(h, &checks[i]);
	}
	return n;
}

size_t
health_run_checks(const struct health *h,
    struct health_check checks[HEALTH_CHECKS])
{
	size_t n = run(h, health_board, HEALTH_BOARD_CHECKS, checks);

	n += run(h, health_driver, HEALTH_DRIVER_CHECKS, checks + n);
	n += run(h, health_system, HEALTH_SYSTEM_CHECKS, checks + n);
	n += run(h, health_libraries, HEALTH_LIBRARY_CHECKS, checks + n);
	n += run(h, health_server, HEALTH_SERVER_CHECKS, checks + n);
	if (h->machine == HEALTH_NO_BOARD)
		health_excuse_missing_board(checks, n);
	if (h->machine == HEALTH_CONTAINER)
		health_excuse_container(checks, n);
	return n;
}
