/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution, which the mean of few numbers follows. */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

/*
 * Returns the t below which the part p of the distribution lies, 0 < p < 1.  df
 * > 0 are the degrees of freedom, which need not be an integer;
 * student_quantile(0.95, 4) is 2.132.  Returns INFINITY beyond 1e150, which is
 * possible only with df below 0.1, and NAN if no such t exists.
 */
double student_quantile(double p, double df);

#endif
