// SPDX-License-Identifier: Apache-2.0
/* settings.c - reads methods and bits from a configuration. */
#include "base/num.h"
#include "cix-lint/config/layer_name.h"
#include "cmd.h"
#include "settings.h"

static const char section[] = "Optimizer";
static const struct method tensor_asymmetric = { PER_TENSOR, true, true };
static const struct method channel_restricted = { PER_CHANNEL, false, false };

static void
read_key(struct layered *v, const struct ini *ini, const char *key,
    const char *absent)
{
	const char *text = ini != NULL ? ini_value(ini, section, key) : NULL;

	layered_parse(v, text != NULL ? text : absent);
}

void
settings_read(struct settings *s, const struct ini *ini)
{
	const char *block = ini != NULL ? ini_value(ini, section,
	    "weight_block_size") : NULL;
	int64_t n;

	precision_read(&s->precision, ini);
	read_key(&s->activation_method, ini, "quantize_method_for_activation",
	    ini != NULL ? "per_tensor_symmetric_full_range" : "");
	read_key(&s->weight_method, ini, "quantize_method_for_weight",
	    ini != NULL ? "per_tensor_symmetric_restricted_range" : "");
	s->block = block != NULL && num_int(block, 1, INT32_MAX, &n,
	    NULL) == 0 ? (size_t)n : 256;
}

void
settings_free(struct settings *s)
{
	precision_free(&s->precision);
	layered_free(&s->activation_method);
	layered_free(&s->weight_method);
}

/* More bits than these change nothing that a float shows. */
static unsigned
usable(unsigned bits)
{
	if (bits > ROUNDING_MOST_BITS)
		return 0;
	return bits == 1 ? 2 : bits;
}

unsigned
settings_activation_bits(const struct settings *s, const struct onnx_node *n)
{
	return usable(precision_activation_bits(&s->precision, n));
}

unsigned
settings_weight_bits(const struct settings *s, const struct onnx_node *n)
{
	return usable(precision_weight_bits(&s->precision, n));
}

static struct method
method_of(const struct layered *v, const struct onnx_node *n,
    struct method absent)
{
	const char *name = layered_value(v, n->type, layer_name(n), NULL);
	struct method m;

	return name != NULL && method_parse(&m, name) ? m : absent;
}

struct method
settings_activation_method(const struct settings *s, const struct onnx_node *n)
{
	return method_of(&s->activation_method, n, tensor_asymmetric);
}

struct method
settings_weight_method(const struct settings *s, const struct onnx_node *n)
{
	return method_of(&s->weight_method, n, channel_restricted);
}
