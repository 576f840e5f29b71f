// SPDX-License-Identifier: Apache-2.0
/* gates.c - what is common to the checks of the gates. */
#include <inttypes.h>

#include "cmd.h"
#include "gates.h"
#include "model/names.h"

enum level
gate_level(const struct gates *g, unsigned gate, enum level level)
{
	return g->l->o->gates & gate ? LEVEL_ERROR : level;
}

char *
node_label(const struct onnx_node *n)
{
	char shown[80];

	names_copy(shown, sizeof(shown), n->name.n > 0 || n->n_out == 0 ?
	    n->name : n->out[0]);
	return cmd_copy(shown);
}

char *
in_nodes(uint64_t n)
{
	return n == 1 ? cmd_copy("") : cmd_text(" in %" PRIu64 " nodes", n);
}
