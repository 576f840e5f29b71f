// SPDX-License-Identifier: Apache-2.0
/* hello - does nothing: the minimum time for starting a C program. */
#include <stdio.h>

int
main(void)
{
	puts("hello, world");
	return 0;
}
