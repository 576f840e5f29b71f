// SPDX-License-Identifier: Apache-2.0
/* opset.c - checks the versions of the operators that the model uses. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "gates.h"
#include "model/names.h"
#include "operators.h"

enum { PROVIDER_OLDEST = 13, MOST_LISTED = 4 };

static void
add(struct gates *g, enum level level, char *message, const char *fix)
{
	findings_add(&g->l->findings, RULE_OPSET, level, 0, NULL, message,
	    cmd_copy(fix));
}

/* Adds the operators of the model for which the parser has older attributes. */
static void
put_older(struct buf *b, const struct onnx_model *m)
{
	const struct parser_operator *known;
	unsigned n = 0;

	for (size_t i = 0; i < m->n_ops && n < MOST_LISTED; i++) {
		known = parser_operator_find(m->op[i].domain, m->op[i].type);
		if (known == NULL || known->newest == 0 ||
		    !onnx_is_standard(m->op[i].domain))
			continue;
		buf_printf(b, "%s%s %u", n == 0 ? ": " : ", ", known->name,
		    known->newest);
		n++;
	}
}

static void
report_newer(struct gates *g, int64_t version)
{
	struct buf b = { 0 };

	put_older(&b, &g->l->model);
	add(g, LEVEL_WARNING, cmd_text("version %" PRId64 " of the operators "
	    "is newer than %d, the newest in the parser's tables, which then "
	    "takes older attributes%.*s (gate: parser)", version,
	    PARSER_NEWEST, (int)b.n, b.p), "export the model with "
	    "opset_version 13 to 20");
	buf_free(&b);
}

static void
check_version(struct gates *g, int64_t version)
{
	if (version <= 0)
		add(g, LEVEL_ERROR, cmd_text("version %" PRId64 " of the "
		    "operators does not exist (gate: parser)", version),
		    "export the model with opset_version 13 to 20");
	else if (version > PARSER_NEWEST)
		report_newer(g, version);
	else if (version < PROVIDER_OLDEST &&
	    g->l->o->gates & GATE_PROVIDER)
		add(g, LEVEL_WARNING, cmd_text("version %" PRId64 " of the "
		    "operators is older than %d, from which on the provider "
		    "takes them (gate: provider)", version, PROVIDER_OLDEST),
		    "export the model with opset_version 13 to 20");
}

/* Returns the version of a domain, or NULL.  The last one counts. */
static const struct onnx_opset *
find_version(const struct onnx_model *m, struct bytes domain)
{
	for (size_t i = m->n_opsets; i-- > 0;)
		if (onnx_is_standard(domain) ?
		    onnx_is_standard(m->opset[i].domain) :
		    bytes_compare(m->opset[i].domain, domain) == 0)
			return &m->opset[i];
	return NULL;
}

/* Reports a domain of operators for which the model has no version. */
static bool
check_domain(struct gates *g, const struct onnx_operator *op)
{
	char domain[80];

	if (find_version(&g->l->model, op->domain) != NULL)
		return true;
	names_copy(domain, sizeof(domain), op->domain);
	if (onnx_is_standard(op->domain))
		add(g, LEVEL_WARNING, cmd_copy("the file does not state the "
		    "version of its operators, and the parser takes the "
		    "newest that it knows (gate: parser)"),
		    "export the model with opset_version 13 to 20");
	else
		add(g, LEVEL_ERROR, cmd_text("the file does not state the "
		    "version of the domain '%s', which its nodes use (gate: "
		    "parser)", domain), "add the domain to opset_import");
	return false;
}

/* One domain without a version is enough to report. */
void
check_opset(struct gates *g)
{
	const struct onnx_model *m = &g->l->model;
	const struct onnx_opset *o = find_version(m, (struct bytes){ 0 });

	if (o != NULL)
		check_version(g, o->version);
	for (size_t i = 0; i < m->n_ops; i++)
		if (!check_domain(g, &m->op[i]))
			return;
}
