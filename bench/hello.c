// SPDX-License-Identifier: Apache-2.0
/* hello - the minimum cost of starting a C program. */
#include <stdio.h>

int
main(void)
{
	puts("hello, world");
	return 0;
}
