// SPDX-License-Identifier: Apache-2.0
/* precision.c - the bits of each node. */
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "cix-lint/config/layer_name.h"
#include "cmd.h"
#include "precision.h"

static const char section[] = "Optimizer";

static void
read_key(struct layered *v, const struct ini *ini, const char *key)
{
	const char *text = ini != NULL ? ini_value(ini, section, key) : NULL;

	layered_parse(v, text != NULL ? text : "");
}

void
precision_read(struct precision *p, const struct ini *ini)
{
	read_key(&p->activation_bits, ini, "activation_bits");
	read_key(&p->weight_bits, ini, "weight_bits");
	read_key(&p->float_op, ini, "trigger_float_op");
}

void
precision_free(struct precision *p)
{
	layered_free(&p->activation_bits);
	layered_free(&p->weight_bits);
	layered_free(&p->float_op);
}

static bool
is_float(const struct precision *p, const struct onnx_node *n)
{
	const char *v = layered_value(&p->float_op, n->type,
	    layer_name(n), NULL);

	return v != NULL && *v != '\0' && strcasecmp(v, "disable") != 0;
}

static unsigned
bits_of(const struct precision *p, const struct layered *v,
    const struct onnx_node *n)
{
	const char *text = layered_value(v, n->type, layer_name(n), NULL);
	int64_t bits;

	if (is_float(p, n))
		return 0;
	return text != NULL && num_int(text, 1, 32, &bits, NULL) == 0 ?
	    (unsigned)bits : 8;
}

unsigned
precision_activation_bits(const struct precision *p, const struct onnx_node *n)
{
	return bits_of(p, &p->activation_bits, n);
}

unsigned
precision_weight_bits(const struct precision *p, const struct onnx_node *n)
{
	return bits_of(p, &p->weight_bits, n);
}

char *
precision_pattern(struct bytes name)
{
	char *pattern = cmd_alloc(2 * name.n + 3), *p = pattern;

	*p++ = '^';
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] != '\0' &&
		    strchr("\\^$.*+?()[]{}|", name.p[i]) != NULL)
			*p++ = '\\';
		*p++ = (char)name.p[i];
	}
	*p++ = '$';
	return pattern;
}

static bool
has_ids(const struct layered *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->selector[i].kind == SELECT_IDS)
			return true;
	return false;
}

bool
precision_has_ids(const struct precision *p)
{
	return has_ids(&p->activation_bits) || has_ids(&p->weight_bits) ||
	    has_ids(&p->float_op);
}
