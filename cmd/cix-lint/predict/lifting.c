// SPDX-License-Identifier: Apache-2.0
/* lifting.c - the configuration line that gives a layer more bits. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "cix-lint/writing/layer_selector.h"
#include "cmd.h"
#include "predict.h"

enum {
	MORE_BITS = 16,
	ENOUGH_STEPS = 256,	/* for the numbers of one activation */
};

/* A key, its value without selectors, and the value that lifts a layer. */
struct lift {
	const char *key, *plain, *value;
};

static const struct lift to_16_bits = { "activation_bits", "8", "16" };
static const struct lift to_float = { "trigger_float_op", "disable",
    "float16_preferred" };

/* Adds the value that the configuration has now. */
static void
put_present(struct buf *b, const struct net *net, const struct lift *lift)
{
	const struct lint *l = net->lint;
	const char *v = l->configured ? ini_value(&l->ini, "Optimizer",
	    lift->key) : NULL;

	if (v == NULL || *v == '\0')
		v = lift->plain;
	buf_printf(b, "%s = %s%s", lift->key, v, strchr(v, '<') != NULL ?
	    " " : " & ");
}

/* Returns whether 16 bits leave enough steps for the activation. */
static bool
has_enough_steps(const struct activation *a, const struct activation *by)
{
	double own = (double)a->seen.high - (double)a->seen.low;
	double all = (double)by->seen.high - (double)by->seen.low;

	return by->bits < MORE_BITS &&
	    ldexp(1, MORE_BITS) * own >= ENOUGH_STEPS * all;
}

char *
lifting_line(const struct net *net, const struct activation *a, bool shared)
{
	const struct activation *by = shared ?
	    &net->activations.list[a->concat] : a;
	const struct lift *lift = has_enough_steps(a, by) ? &to_16_bits :
	    &to_float;
	struct buf b = { 0 };

	put_present(&b, net, lift);
	layer_selector_put(&b, a->node, lift->value);
	if (shared) {
		buf_puts(&b, " ");
		layer_selector_put(&b, by->node, lift->value);
	}
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	cmd_printable(b.p, b.n - 1);
	return b.p;
}
