// SPDX-License-Identifier: Apache-2.0
/* write_prediction.c - the report, as text or JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "cmd.h"
#include "predict.h"
#include "ratio.h"

enum { WIDEST_NAME = 40 };

/* Rules that foretell what is wrong from the file alone. */
static bool
is_about_bits(enum rule r)
{
	return r == RULE_EMBEDDING_COLLAPSE || r == RULE_MIXED_OUTPUT ||
	    r == RULE_CLIPPED_OUTPUT;
}

static const struct activation *
worst(const struct prediction *p, size_t i)
{
	return &p->net->activations.list[p->worst[i]];
}

/* The Concat's figures, if the activation loses most there. */
static const struct activation *
rounded_by(const struct prediction *p, const struct activation *a, bool shared)
{
	return shared ? &p->net->activations.list[a->concat] : a;
}

/* Returns a name as printable text, which the caller owns. */
static char *
printable(struct bytes name)
{
	char *s = cmd_text("%.*s", (int)name.n, (const char *)name.p);

	cmd_printable(s, strlen(s));
	return s;
}

/* ---- Text ---------------------------------------------------------------- */

static void
put_ratio(struct buf *b, double signal, double noise)
{
	double db = ratio_db(signal, noise);

	if (isinf(db))
		buf_printf(b, "  %8s", db > 0 ? "exact" : "-");
	else
		buf_printf(b, "  %5.1f dB", db);
}

static int
width_of_outputs(const struct prediction *p)
{
	size_t width = strlen("output");

	for (uint32_t i = 0; i < p->n_outputs; i++)
		if (strlen(p->output[i].name) > width)
			width = strlen(p->output[i].name);
	return width < WIDEST_NAME ? (int)width : WIDEST_NAME;
}

static void
put_lost(struct buf *b, const struct output_lost *o, int width)
{
	uint64_t most = 0, distinct = output_lost_distinct(o, &most);
	char *name = cmd_copy(o->name);

	cmd_printable(name, strlen(name));
	buf_printf(b, "%-*s", width, name);
	free(name);
	if (o->runs == 0 || isnan(o->cosine)) {
		buf_puts(b, o->runs == 0 ? "  not f32\n" : "  has NaN\n");
		return;
	}
	buf_printf(b, "  %6.4f  %6.4f", o->cosine / (double)o->runs,
	    o->least);
	put_ratio(b, o->signal, o->noise);
	if (most > 0)
		buf_printf(b, "  %8.2f %%  %" PRIu64 " of %" PRIu64,
		    100 * (double)o->saturated / (double)o->elements,
		    distinct, most);
	else
		buf_printf(b, "  %10s  -", "-");
	buf_puts(b, "\n");
}

static void
put_outputs(struct buf *b, const struct prediction *p)
{
	int width = width_of_outputs(p);

	buf_printf(b, "%-*s  cosine   least      SQNR   saturated  values\n",
	    width, "output");
	for (uint32_t i = 0; i < p->n_outputs; i++)
		put_lost(b, &p->output[i], width);
}

static void
put_worst(struct buf *b, const struct prediction *p)
{
	if (p->n_worst > 0)
		buf_puts(b, "\nWhat loses most, and the line for [Optimizer] "
		    "that lifts it:\n");
	for (size_t i = 0; i < p->n_worst; i++) {
		const struct activation *a = worst(p, i);
		bool shared;
		double ratio = activation_ratio(a, &shared);
		const struct activation *by = rounded_by(p, a, shared);
		char *name = printable(a->name), *other = printable(by->name);
		char *type = printable(a->node->type);
		char *line = lifting_line(p->net, a, shared);

		buf_printf(b, "%s (%s): %.1f dB, %u bits, %.6g..%.6g", name,
		    type, ratio, by->bits, (double)a->seen.low,
		    (double)a->seen.high);
		if (shared)
			buf_printf(b, ", with the scale of the Concat '%s', "
			    "%.6g..%.6g", other, (double)by->seen.low,
			    (double)by->seen.high);
		buf_printf(b, "\n    %s\n", line);
		free(name);
		free(other);
		free(type);
		free(line);
	}
}

static void
put_findings(struct buf *b, const struct prediction *p)
{
	const struct findings *f = &p->net->lint->findings;

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *one = &f->list[i];

		if (!is_about_bits(one->rule))
			continue;
		buf_printf(b, "\n%s%s%s [%s]\n",
		    one->where != NULL ? one->where : "",
		    one->where != NULL ? ": " : "", one->message,
		    rule_name(one->rule));
		if (one->fix != NULL)
			buf_printf(b, "    %s\n", one->fix);
	}
}

static void
write_text(struct buf *b, const struct prediction *p)
{
	char *path = cmd_copy(cmd_input_name(p->net->lint->path));

	cmd_printable(path, strlen(path));
	buf_printf(b, "%s: ranges from %" PRIu64 " run%s, losses in %" PRIu64
	    "; an estimate, not the compiler\n", path, p->runs,
	    num_plural(p->runs), p->evaluated);
	free(path);
	put_outputs(b, p);
	put_worst(b, p);
	put_findings(b, p);
}

/* ---- JSON ---------------------------------------------------------------- */

static void
put_json_cosines(struct json *j, const struct output_lost *o)
{
	double c;

	cmd_check_buf(&o->cosines);
	json_key(j, "cosines");
	json_array(j);
	for (size_t at = 0; at < o->cosines.n; at += sizeof(c)) {
		memcpy(&c, o->cosines.p + at, sizeof(c));
		json_double(j, c);
	}
	json_end_array(j);
}

static void
put_json_output(struct json *j, const struct output_lost *o)
{
	uint64_t most = 0, distinct = output_lost_distinct(o, &most);

	json_object(j);
	json_member_str(j, "name", o->name);
	json_member_double(j, "cosine", o->runs > 0 ?
	    o->cosine / (double)o->runs : NAN);
	json_member_double(j, "least_cosine", o->runs > 0 ? o->least : NAN);
	json_member_double(j, "sqnr_db", o->runs > 0 ?
	    ratio_db(o->signal, o->noise) : NAN);
	json_member_double(j, "saturated", most > 0 ?
	    (double)o->saturated / (double)o->elements : NAN);
	json_member_count(j, "distinct", distinct);
	json_member_count(j, "possible", most);
	json_member_uint(j, "elements", o->elements);
	put_json_cosines(j, o);
	json_end_object(j);
}

static void
put_json_name(struct json *j, const char *key, struct bytes name)
{
	json_key(j, key);
	if (name.n > 0)
		json_strn(j, (const char *)name.p, name.n);
	else
		json_null(j);
}

static void
put_json_worst(struct json *j, const struct prediction *p,
    const struct activation *a)
{
	bool shared;
	double ratio = activation_ratio(a, &shared);
	const struct activation *by = rounded_by(p, a, shared);
	char *line = lifting_line(p->net, a, shared);

	json_object(j);
	put_json_name(j, "name", a->name);
	put_json_name(j, "node", a->node->name);
	put_json_name(j, "operator", a->node->type);
	json_member_double(j, "sqnr_db", ratio);
	json_member_double(j, "own_sqnr_db", ratio_db(a->signal, a->noise));
	json_member_uint(j, "bits", by->bits);
	json_member_double(j, "min", (double)a->seen.low);
	json_member_double(j, "max", (double)a->seen.high);
	put_json_name(j, "concat", shared ? by->name : (struct bytes){ 0 });
	json_member_str(j, "line", line);
	json_end_object(j);
	free(line);
}

static void
put_json_findings(struct json *j, const struct findings *f)
{
	json_key(j, "findings");
	json_array(j);
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *one = &f->list[i];

		if (!is_about_bits(one->rule))
			continue;
		json_object(j);
		json_member_str(j, "rule", rule_name(one->rule));
		json_key(j, "where"), json_str(j, one->where);
		json_member_str(j, "message", one->message);
		json_key(j, "fix"), json_str(j, one->fix);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
write_json(struct json *j, const struct prediction *p)
{
	const struct lint *l = p->net->lint;

	json_object(j);
	json_member_str(j, "schema", PREDICT_SCHEMA);
	json_key(j, "file"), json_str(j, cmd_input_name(l->path));
	json_key(j, "model"), json_str(j, l->model_path);
	json_member_uint(j, "calibration_runs", p->runs);
	json_member_uint(j, "runs", p->evaluated);
	json_key(j, "outputs");
	json_array(j);
	for (uint32_t i = 0; i < p->n_outputs; i++)
		put_json_output(j, &p->output[i]);
	json_end_array(j);
	json_key(j, "worst");
	json_array(j);
	for (size_t i = 0; i < p->n_worst; i++)
		put_json_worst(j, p, worst(p, i));
	json_end_array(j);
	put_json_findings(j, &l->findings);
	json_end_object(j);
	buf_puts(&j->out, "\n");
}

void
write_prediction(const struct prediction *p)
{
	struct json j = { .pretty = true };

	if (p->options->json)
		write_json(&j, p);
	else
		write_text(&j.out, p);
	cmd_write_document(p->options->output, &j.out);
}
