// SPDX-License-Identifier: Apache-2.0
#include "large_number.h"

void
large_number(struct buf *t, double n)
{
	static const char units[] = "kMGTPE";
	int unit = -1;

	while (n >= 999.5 && unit < 5) {
		n /= 1000;
		unit++;
	}
	if (unit < 0)
		buf_printf(t, "%.3g", n);
	else
		buf_printf(t, "%.*f %c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n,
		    units[unit]);
}
