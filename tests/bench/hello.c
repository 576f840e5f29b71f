// SPDX-License-Identifier: Apache-2.0
/* hello - what a C program costs to start, at the least. */
#include <stdio.h>

int
main(void)
{
	puts("hello, world");
	return 0;
}
