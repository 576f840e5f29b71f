// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "draw_options.h"
#include "options.h"

void
draw_parse_option(struct draw_options *o, int opt, const char *help)
{
	static const char *const formats[] = { "tensor", "ppm", "none",
	    NULL };

	switch (opt) {
	case 'n': o->count = number("--count", optarg, 0, 1 << 30); break;
	case 'S': o->seed = number("--seed", optarg, 0, UINT32_MAX); break;
	case 'i': o->first = number("--first", optarg, 0, 1 << 30); break;
	case 'F': o->format = choice("--format", optarg, formats); break;
	case 'r': o->raw = true; break;
	case 't': o->truth = open_file(optarg, "w"); break;
	case 'h': fputs(help, stdout); finish();
	default: exit(2);
	}
}

void
write_tensor(const struct npu_label *label, const void *bytes, bool raw)
{
	uint8_t head[NPU_LABEL_SIZE];
	struct npu_err err;

	if (!raw) {
		if (npu_label_encode(label, head, &err) < 0)
			die(1, "%s", err.msg);
		write_stdout(head, sizeof(head));
	}
	write_stdout(bytes, label->tensor.size);
}

void
write_ppm(const struct canvas *c)
{
	char head[40];

	snprintf(head, sizeof(head), "P6\n%d %d\n255\n", c->side, c->side);
	write_stdout(head, strlen(head));
	write_stdout(c->rgb, (size_t)3 * c->side * c->side);
}

void
truth_end_line(FILE *f)
{
	fputc('\n', f);
	if (fflush(f) != 0)
		die(1, "truth: %s", strerror(errno));
}

void
truth_close(FILE *f)
{
	if (f != NULL && fclose(f) != 0)
		die(1, "truth: %s", strerror(errno));
}
