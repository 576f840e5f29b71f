// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "token_row.h"

enum { SHOWN = 200 };		/* bytes of a dropped text in a message */

/* ---- The text of ids that are left out --------------------------------- */

/*
 * True for a character that must not reach a terminal but may survive cleaning:
 * a control, or one that changes the direction of writing.
 */
static bool
unsafe_on_terminal(uint32_t c)
{
	return utf8_is_control(c) || c == 0x61c ||
	    c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069);
}

/* Adds the beginning of a text: whole characters that may be displayed. */
static void
show(const char *text, size_t n, char shown[SHOWN + 4])
{
	size_t at = 0, i = 0, len;
	uint32_t c = 0;

	/* The text comes from npu_decode(), so it is UTF-8. */
	for (; i < n; i += len) {
		len = utf8_decode(text + i, n - i, &c);
		if (i + len > SHOWN)
			break;
		if (unsafe_on_terminal(c))
			shown[at++] = '?';
		for (size_t k = 0; k < len && !unsafe_on_terminal(c); k++)
			shown[at++] = text[i + k];
	}
	strcpy(shown + at, i < n ? "..." : "");
}

/*
 * Adds the text of the ids that are left out.  A token has at least one byte,
 * so SHOWN tokens are enough.  Invalidates ids->id.
 */
static bool
show_left_out(const struct token_ids *ids, struct npu_tokenizer *t,
    const struct token_limit *limit, char shown[SHOWN + 4],
    struct npu_err *err)
{
	/* The last id of a row is the end token. */
	size_t from = limit->overlong == SKIP ? 1 : limit->length - 1;
	size_t left = ids->n - from < SHOWN ? ids->n - from : SHOWN + 1, n;
	int32_t some[SHOWN + 2];
	const char *text;

	/* npu_decode() leaves out a start token only at the beginning. */
	some[0] = NPU_CLIP_START;
	memcpy(some + 1, ids->id + from, left * sizeof(*some));
	if (npu_decode(t, some, left + 1, &text, &n, err) < 0)
		return false;
	show(text, n, shown);
	return true;
}

bool
token_ids_note(const struct token_ids *ids, struct npu_tokenizer *t,
    const struct token_limit *limit, const struct text_record *r,
    struct buf *notes, struct npu_err *err)
{
	char shown[SHOWN + 4];

	if (ids->kept == ids->n || limit->quiet)
		return true;
	if (!show_left_out(ids, t, limit, shown, err))
		return false;
	buf_printf(notes, "%s: %s %llu: %zu tokens, %s %zu; dropped: %s",
	    r->name, r->unit, (unsigned long long)r->number, ids->n,
	    ids->kept == 0 ? "left out for the limit of" : "cut to",
	    limit->length, shown);
	buf_add(notes, "", 1);
	return true;
}

/* ---- Ids ---------------------------------------------------------------- */

static bool
refuse(const struct token_ids *ids, struct npu_tokenizer *t,
    const struct token_limit *limit, struct npu_err *err)
{
	char shown[SHOWN + 4];

	if (show_left_out(ids, t, limit, shown, err))
		npu_fail(err, NPU_EUSAGE, "%zu tokens, limit %zu (%zu of "
		    "text); shorten it%s; over it: %s", ids->n, limit->length,
		    limit->length - 2, limit->no_choice ? "" :
		    ", or see --overlong", shown);
	return false;
}

bool
token_ids_read(struct npu_tokenizer *t, const struct token_limit *limit,
    const struct text_record *r, struct token_ids *ids, struct npu_err *err)
{
	if (npu_encode(t, r->p, r->n, &ids->id, &ids->n, err) < 0)
		return false;
	ids->kept = ids->n;
	if (ids->n <= limit->length)
		return true;
	ids->kept = limit->overlong == TRUNCATE ? limit->length : 0;
	return limit->overlong != REFUSE || refuse(ids, t, limit, err);
}

void
token_ids_add_row(const struct token_ids *ids, const struct token_limit *limit,
    struct buf *out)
{
	size_t row = limit->length * sizeof(*ids->id);
	char *p = buf_reserve(out, row);

	if (p == NULL)
		return;
	/* Labels and rows are multiples of 4 bytes: the row is aligned. */
	npu_clip_row(ids->id, ids->n, (int32_t *)(void *)p, limit->length);
	out->n += row;
}
