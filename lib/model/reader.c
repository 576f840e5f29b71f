// SPDX-License-Identifier: Apache-2.0
#include "model/reader.h"

bool
reader_refuses(struct model_reader *r, enum cix_check check, bool broken)
{
	if (!CIX_BROKEN(check, broken))
		return false;
	if (!r->lenient)
		return true;
	if (cix_check_kind(check) == CIX_LATE) {
		if (r->g->deferred == CIX_SOUND)
			r->g->deferred = (int)check;
		return false;
	}
	return cix_check_kind(check) != CIX_OURS;
}
