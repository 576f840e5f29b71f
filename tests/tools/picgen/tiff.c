// SPDX-License-Identifier: Apache-2.0
#include "pic.h"

static void
put(struct buf *b, bool big, uint32_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		add_byte(b, v >> 8 * (big ? bytes - 1 - i : i));
}

static void
entry(struct buf *b, bool big, unsigned tag, unsigned type, uint32_t count)
{
	put(b, big, tag, 2);
	put(b, big, type, 2);
	put(b, big, count, 4);
}

void
add_tiff(struct buf *b, bool big, unsigned type, unsigned orientation)
{
	unsigned bytes = type == 1 ? 1 : type == 3 ? 2 : 4;

	buf_puts(b, big ? "MM" : "II");
	put(b, big, 42, 2);
	put(b, big, 8, 4);
	put(b, big, 3, 2);
	entry(b, big, 271, 2, 6);	/* Make, at 50 */
	put(b, big, 50, 4);
	entry(b, big, 274, type, 1);
	put(b, big, orientation, bytes);
	put(b, big, 0, 4 - bytes);
	entry(b, big, 296, 3, 1);	/* ResolutionUnit */
	put(b, big, 2, 2);
	put(b, big, 0, 2);
	put(b, big, 0, 4);		/* no further directory */
	buf_add(b, "drawn", 6);
}
