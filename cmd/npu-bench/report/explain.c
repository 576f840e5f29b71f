// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "report.h"

static const struct stage_text once[] = {
	{ "init", "opening the device, once a process; its library is found "
	    "and linked before that" },
	{ "load", "loading the model, once a process" },
	{ "first", "the first inference of a process, which is cold: all of "
	    "it; none of the samples" },
};

static const struct stage_text statistics[] = {
	{ "mean", "the sum of the samples over their number n" },
	{ "sd", "the standard deviation, over n - 1" },
	{ "min, max", "the shortest and the longest" },
	{ "pN", "the sample at place ceil(N / 100 * n) in their order, which "
	    "was observed; not shown of fewer than the needed n" },
	{ "needs n", "the least number of samples of which pN has an upper "
	    "bound" },
	{ "ucb", "the upper bound of pN: with a confidence of 99 % it is not "
	    "more, whatever the distribution (as LoadGen stops early)" },
	{ "95%", "order statistics between which pN lies with a confidence of "
	    "95 %" },
	{ "throughput", "samples over the length of the window, from the "
	    "first begin to the last end" },
	{ "1 / mean", "what the mean of e2e would make of one at a time" },
	{ "together", "what all processes completed, over the time in which "
	    "all of them measured" },
	{ "cores", "processor time of the process over the window" },
	{ "system", "how busy all processors were, whoever it was" },
	{ "spread", "how far the runs lie apart; a row of a table has the "
	    "medians over the runs" },
	{ "energy", "the mean power of the sensors over the throughput" },
	{ "<0.002", "less than 50 times the cost of reading the clock, which "
	    "is not shown as a duration" },
};

/* The name and the text beside it, in lines of one column. */
static void
explain(struct buf *out, const char *name, const char *text)
{
	enum { INDENT = 12, WIDEST = 79 };
	size_t column = INDENT, len;

	buf_printf(out, "%-*s", INDENT, name);
	for (bool first = true; *text != '\0'; first = false) {
		len = strcspn(text, " ");
		if (!first && column + 1 + len > WIDEST) {
			buf_printf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!first) {
			buf_puts(out, " ");
			column++;
		}
		buf_add(out, text, len);
		column += len;
		text += len + (text[len] == ' ');
	}
	buf_puts(out, "\n");
}

void
bench_explain(struct buf *out)
{
	buf_puts(out, "\n");
	for (size_t i = 0; i < sizeof(once) / sizeof(*once); i++)
		explain(out, once[i].name, once[i].text);
	for (int i = 0; i < STAGES; i++)
		explain(out, stage_texts[i].name, stage_texts[i].text);
	buf_puts(out, "Each stage has its own distribution: percentiles are "
	    "never added up.\n\n");
	for (size_t i = 0; i < sizeof(statistics) / sizeof(*statistics); i++)
		explain(out, statistics[i].name, statistics[i].text);
	buf_puts(out, "\n");
	for (int i = 0; i < WARNINGS; i++)
		explain(out, warning_texts[i].code, warning_texts[i].text);
}
