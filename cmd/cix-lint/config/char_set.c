// SPDX-License-Identifier: Apache-2.0
#include "char_set.h"

void
char_set_add(struct char_set *s, unsigned first, unsigned last)
{
	for (unsigned c = first; c <= last && c < 128; c++)
		s->bit[c / 64] |= UINT64_C(1) << c % 64;
}

bool
char_set_has(const struct char_set *s, unsigned char c)
{
	return c < 128 && (s->bit[c / 64] >> c % 64 & 1) != 0;
}

void
char_set_invert(struct char_set *s)
{
	s->bit[0] = ~s->bit[0];
	s->bit[1] = ~s->bit[1];
}

void
char_set_union(struct char_set *s, struct char_set other)
{
	s->bit[0] |= other.bit[0];
	s->bit[1] |= other.bit[1];
}

bool
char_set_class(struct char_set *s, char letter)
{
	*s = (struct char_set){ { 0 } };
	switch (letter | 0x20) {
	case 'd':
		char_set_add(s, '0', '9');
		break;
	case 'w':
		char_set_add(s, '0', '9');
		char_set_add(s, 'A', 'Z');
		char_set_add(s, 'a', 'z');
		char_set_add(s, '_', '_');
		break;
	case 's':
		char_set_add(s, '\t', '\r');
		char_set_add(s, ' ', ' ');
		char_set_add(s, 0x1c, 0x1f);
		break;
	default:
		return false;
	}
	if ((letter & 0x20) == 0)
		char_set_invert(s);
	return true;
}
