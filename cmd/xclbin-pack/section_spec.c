// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lists_json.h"
#include "model/axlf.h"
#include "model/axlf_names.h"
#include "section_spec.h"

/* ---- Forms ------------------------------------------------------------- */

static bool
takes_json(uint32_t kind)
{
	return kind == AXLF_AIE_PARTITION || list_form_of(kind) != NULL;
}

/* KEYVALUE_METADATA can be given in both forms, because xclbin-info writes both
 * forms. */
static bool
takes_raw(uint32_t kind)
{
	return !takes_json(kind) || kind == AXLF_KEYVALUE_METADATA;
}

/* ---- Options ----------------------------------------------------------- */

/* Parses arg[0..n): "AIE_PARTITION" or "AIE_PARTITION[label]". */
static void
parse_kind(struct section_spec *s, const char *option, const char *arg,
    size_t n)
{
	const char *open = memchr(arg, '[', n);
	size_t kind_n = open != NULL ? (size_t)(open - arg) : n;
	char *kind = cmd_text("%.*s", (int)kind_n, arg);
	int number = axlf_number(&axlf_kinds, kind);

	if (kind_n == 0)
		cmd_usage("%s: '%s' names no kind of section before the ':'",
		    option, arg);
	if (number < 0)
		cmd_usage("%s: '%s' is not a kind of section, such as "
		    "AIE_PARTITION", option, kind);
	s->kind = (uint32_t)number;
	if (open != NULL && arg[n - 1] != ']')
		cmd_usage("%s: '%s' has a '[' without a ']' after the label",
		    option, arg);
	if (open != NULL && s->kind != AXLF_AIE_PARTITION)
		cmd_usage("%s: only AIE_PARTITION has a label, not %s",
		    option, kind);
	s->label = open != NULL ?
	    cmd_text("%.*s", (int)(n - kind_n - 2), open + 1) : cmd_copy("");
	free(kind);
}

struct section_spec
section_spec_parse_kind(const char *option, const char *arg)
{
	struct section_spec s = { .json = false };

	parse_kind(&s, option, arg, strlen(arg));
	return s;
}

struct section_spec
section_spec_parse(const char *option, const char *arg)
{
	struct section_spec s = { .json = false };
	size_t n = strcspn(arg, "[:");
	const char *form;

	if (arg[n] == '[')
		n += strcspn(arg + n, "]") + (strchr(arg + n, ']') != NULL);
	form = arg + n;
	if (strncasecmp(form, ":JSON:", 6) == 0)
		s.json = true;
	else if (strncasecmp(form, ":RAW:", 5) != 0)
		cmd_usage("%s: '%s' is not KIND:JSON:FILE or KIND:RAW:FILE, "
		    "such as AIE_PARTITION:JSON:partition.json", option, arg);
	s.file = cmd_named(option, form + (s.json ? 6 : 5));
	parse_kind(&s, option, arg, n);
	if (s.json ? !takes_json(s.kind) : !takes_raw(s.kind))
		cmd_usage("%s: a section %s is made from %s, as %s:%s:%s",
		    option, axlf_name(&axlf_kinds, s.kind), s.json ?
		    "its bytes" : "JSON", axlf_name(&axlf_kinds, s.kind),
		    s.json ? "RAW" : "JSON", s.file);
	return s;
}

void
section_spec_free(struct section_spec *s)
{
	free(s->label);
}

char *
section_spec_name(const struct section_spec *s)
{
	const char *kind = axlf_name(&axlf_kinds, s->kind);

	return *s->label != '\0' ? cmd_text("%s[%s]", kind, s->label) :
	    cmd_copy(kind);
}
