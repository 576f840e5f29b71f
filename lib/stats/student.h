/* SPDX-License-Identifier: Apache-2.0 */
/* Student's distribution of t, which a mean of few numbers follows. */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

/*
 * The t below which lies the part p, 0 < p < 1, of the distribution of df > 0
 * degrees of freedom, which need not be whole; student_quantile(0.95, 4) is
 * 2.132.  INFINITY beyond 1e150, which df below 0.1 reach; NAN: there is none.
 */
double student_quantile(double p, double df);

#endif
