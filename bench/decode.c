// SPDX-License-Identifier: Apache-2.0
/* decode FILE - decodes a JPEG and ends, to measure the memory for decoding. */
#include "decode.h"

int
main(int argc, char *argv[])
{
	uint8_t *p;
	size_t n;

	if (argc != 2)
		return 2;
	p = decode_read(argv[1], &n);
	decode_alone(p, n);
	free(p);
	return 0;
}
