// SPDX-License-Identifier: Apache-2.0
#include "calibration.h"

void
calibration_report(const struct calibration *c, enum rule rule,
    enum level level, char *where, char *message, char *fix)
{
	const struct ini_key *key = c->key;

	if (rule == RULE_DATASET)
		key = ini_find(&c->l->ini, c->section, "dataset");
	findings_add(&c->l->findings, rule, level, key->line, where, message,
	    fix);
}

const char *
calibration_value(const struct calibration *c, const char *key)
{
	const char *value = ini_value(&c->l->ini, c->section, key);

	return value != NULL ? value : "";
}
