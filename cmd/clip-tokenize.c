// SPDX-License-Identifier: Apache-2.0
/* clip-tokenize - texts to the token ids that CLIP's text encoder reads. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cmd.h"
#include "lines.h"
#include "text/clean.h"
#include "untokenize.h"
#include "vocabulary.h"

enum {
	OPT_LENGTH = 256,
	OPT_OVERLONG,
	OPT_TRUNCATE,
	OPT_VOCAB,
	MOST_LENGTH = 1 << 20,
};

enum format { TENSOR, IDS, JSONL, COUNT };

static const struct option options[] = {
	CMD_COMMON,
	{ "count", no_argument, NULL, 'c' },
	{ "decode", no_argument, NULL, 'D' },
	{ "format", required_argument, NULL, 'F' },
	{ "length", required_argument, NULL, OPT_LENGTH },
	{ "null", no_argument, NULL, '0' },
	{ "output", required_argument, NULL, 'o' },
	{ "overlong", required_argument, NULL, OPT_OVERLONG },
	{ "quiet", no_argument, NULL, 'q' },
	{ "raw", no_argument, NULL, 'r' },
	{ "text", required_argument, NULL, 's' },
	{ "truncate", no_argument, NULL, OPT_TRUNCATE },
	{ "vocab", required_argument, NULL, OPT_VOCAB },
	{ NULL, 0, NULL, 0 },
};

static char *
vocabulary_in_force(void)
{
	const char *path = vocabulary_path(NULL);
	char *line;

	if (asprintf(&line, "vocabulary %s", path != NULL ? path :
	    "built in") < 0)
		cmd_die("out of memory");
	return line;
}

const struct program program = {
	.name = "clip-tokenize",
	.synopsis = "clip-tokenize [-0cDqr] [-F FORMAT] [-o FILE] [-s TEXT]... "
	    "[--truncate]\n       [--length=N] [--vocab=FILE] [FILE...]",
	.examples =
	    "  echo 'a photo of a cat' | clip-tokenize | npu-run clip_txt.cix\n"
	    "  clip-tokenize -F ids -s 'a photo of a cat'\n",
	.help =
	    "Turn texts, one a line, into rows of 77 token ids for CLIP's "
	    "text encoder.\n\n"
	    "  -0, --null            texts end with NUL, not with a newline\n"
	    "  -c, --count           only the number of ids of each text\n"
	    "  -D, --decode          ids or tensors back to texts\n"
	    "  -F, --format=FORMAT   i32 (labelled tensors, the default), ids,"
	    " jsonl\n"
	    "      --length=N        ids in a row (77)\n"
	    "  -o, --output=FILE     write to FILE\n"
	    "      --overlong=WHAT   error (the default) or truncate\n"
	    "  -q, --quiet           do not say what was cut off\n"
	    "  -r, --raw             rows without labels\n"
	    "  -s, --text=TEXT       a text, instead of files; may be "
	    "repeated\n"
	    "      --truncate        cut a text that has too many ids\n"
	    "      --vocab=FILE      the vocabulary, plain or gzip\n"
	    "  -h, --help            this help\n"
	    "  -V, --version         version and vocabulary\n",
	.options = options,
	.env = (const struct cmd_env[]) {
		{ "CLIP_VOCAB", "the vocabulary (else: the one built in)" },
		{ NULL, NULL },
	},
	.version = vocabulary_in_force,
};

/* What was asked for, and what it is done with. */
struct job {
	enum format format;
	bool raw, truncate, null, decode;
	size_t length;
	const char *vocab, *output;
	char **text;			/* of -s */
	size_t texts;
	struct npu_coder *coder;
	struct output out;
	struct json json;
	struct buf valid;
	int32_t *row;
	uint8_t label[NPU_LABEL_SIZE];
};

/* ---- One text ---------------------------------------------------------- */

/* Where a text is from: "stdin: line 3". */
struct place {
	const char *name, *unit;
	unsigned long long number;
};

/* Says what is dropped: at most 200 bytes, whole characters. */
static void
say_dropped(struct job *j, const struct place *at, const int32_t *id,
    size_t ids)
{
	size_t kept = j->length - 1, n, most = 200;
	const char *text;

	if (npu_decode(j->coder, id + kept, ids - kept, &text, &n, NULL) < 0)
		return;
	if (n <= most)
		most = n;
	else
		while (most > 0 && (text[most] & 0xc0) == 0x80)
			most--;
	cmd_note("%s: %s %llu: %zu tokens, cut to %zu; dropped: %.*s%s",
	    at->name, at->unit, at->number, ids, j->length, (int)most, text,
	    most < n ? "..." : "");
}

static _Noreturn void
refuse(const struct job *j, const struct place *at, size_t ids)
{
	cmd_die("%s: %s %llu: %zu tokens, limit %zu (%zu of text); shorten it, "
	    "or cut it with --truncate", at->name, at->unit, at->number, ids,
	    j->length, j->length - 2);
}

static void
write_numbers(struct job *j, const int32_t *id, size_t ids)
{
	char s[16];

	for (size_t i = 0; i < ids; i++) {
		int n = snprintf(s, sizeof(s), "%d%c", (int)id[i],
		    i + 1 < ids ? ' ' : '\n');

		cmd_write(&j->out, s, (size_t)n);
	}
}

static void
write_json(struct job *j, const char *text, size_t n, const int32_t *id,
    size_t kept, size_t ids)
{
	struct json *o = &j->json;

	if (!text_valid(text, n, &j->valid))
		cmd_die("out of memory");
	buf_clear(&o->out);
	o->comma = false;
	json_object(o);
	json_key(o, "text");
	json_strn(o, j->valid.p != NULL ? j->valid.p : "", j->valid.n);
	json_key(o, "ids");
	json_array(o);
	for (size_t i = 0; i < kept; i++)
		json_int(o, id[i]);
	json_end_array(o);
	json_key(o, "n");
	json_uint(o, ids);
	json_key(o, "truncated");
	json_bool(o, kept < ids);
	json_end_object(o);
	buf_puts(&o->out, "\n");
	if (o->out.failed)
		cmd_die("out of memory");
	cmd_write(&j->out, o->out.p, o->out.n);
}

static void
tokenize(struct job *j, const char *text, size_t n, const struct place *at)
{
	struct npu_err err;
	const int32_t *id;
	size_t ids, kept;

	if (npu_encode(j->coder, text, n, &id, &ids, &err) < 0)
		cmd_die("%s: %s %llu: %s", at->name, at->unit, at->number,
		    err.msg);
	if (j->format == COUNT) {
		write_numbers(j, (int32_t[]){ (int32_t)ids }, 1);
		return;
	}
	if (ids > j->length && !j->truncate)
		refuse(j, at, ids);
	kept = ids < j->length ? ids : j->length;
	npu_clip_row(id, ids, j->row, j->length);
	if (j->format == IDS)
		write_numbers(j, j->row, kept);
	if (j->format == JSONL)
		write_json(j, text, n, j->row, kept, ids);
	if (j->format == TENSOR && !j->raw)
		cmd_write(&j->out, j->label, sizeof(j->label));
	if (j->format == TENSOR)
		cmd_write(&j->out, j->row, j->length * sizeof(*j->row));
	if (kept < ids)
		say_dropped(j, at, id, ids);
}

/* ---- All of them ------------------------------------------------------- */

/* Records are flushed when the next would have to be waited for, so nothing is
 * ever held back, and a file costs no write() a line. */
static void
tokenize_input(struct job *j, struct lines *l)
{
	struct place at = { l->name, lines_unit(l), 0 };
	char *p;
	size_t n;

	while (lines_next(l, &p, &n)) {
		at.number = l->number;
		tokenize(j, p, n, &at);
		if (lines_waiting(l))
			cmd_mark_record(&j->out);
		else
			cmd_end_record(&j->out);
	}
}

static void
do_input(struct job *j, const char *path)
{
	char delimiter = j->null ? '\0' : '\n';
	struct lines l;

	lines_open(&l, cmd_open_input(path), cmd_input_name(path), delimiter,
	    NPU_TEXT_MAX);
	if (j->decode)
		untokenize(&l, j->coder, &j->out);
	else
		tokenize_input(j, &l);
	lines_close(&l);
}

static void
do_texts(struct job *j)
{
	struct place at = { "-s", "text", 0 };

	for (size_t i = 0; i < j->texts; i++) {
		at.number = i + 1;
		tokenize(j, j->text[i], strlen(j->text[i]), &at);
		cmd_end_record(&j->out);
	}
}

static void
make_label(struct job *j)
{
	struct npu_label l = { .count = 1, .tensor = {
	    .dtype = NPU_S32, .ndim = 2, .dim = { 1, (uint32_t)j->length },
	    .scale = 1, .size = j->length * sizeof(*j->row) } };
	struct npu_err err;

	if (npu_label_encode(&l, j->label, &err) < 0)
		cmd_die_err(NULL, &err);
	j->row = cmd_alloc(j->length * sizeof(*j->row));
}

/* Whatever a program dies of, the texts before are written. */
static struct output *unfinished;

static void
abandon(void)
{
	cmd_abandon_output(unfinished);
}

static void
run(struct job *j, char *const operands[])
{
	const struct npu_bpe *bpe;
	struct npu_err err;

	if (j->texts == 0 && operands[0] == NULL && isatty(STDIN_FILENO))
		cmd_usage("texts are read from stdin, which is a terminal; "
		    "redirect it (< file), name a file, or say -s TEXT");
	cmd_open_output(&j->out, j->output, !j->decode && j->format == TENSOR);
	unfinished = &j->out;
	cmd_at_exit = abandon;
	bpe = vocabulary_open(j->vocab);
	if (npu_coder_open(&j->coder, bpe, &err) < 0)
		cmd_die_err(NULL, &err);
	make_label(j);
	if (j->texts > 0)
		do_texts(j);
	else if (operands[0] == NULL)
		do_input(j, NULL);
	else
		for (int i = 0; operands[i] != NULL; i++)
			do_input(j, operands[i]);
	cmd_close_output(&j->out);
	npu_coder_close(j->coder);
	vocabulary_close(bpe);
	json_free(&j->json);
	buf_free(&j->valid);
	free(j->row);
	free(j->text);
}

/* ---- Options ----------------------------------------------------------- */

static enum format
format_by_name(const char *name)
{
	static const char *const names[] = { "i32", "ids", "jsonl" };

	for (int i = 0; i < 3; i++)
		if (strcmp(name, names[i]) == 0)
			return (enum format)i;
	cmd_usage("--format: '%s' is not i32, ids or jsonl", name);
}

static void
set_overlong(struct job *j, const char *what)
{
	j->truncate = strcmp(what, "truncate") == 0;
	if (!j->truncate && strcmp(what, "error") != 0)
		cmd_usage("--overlong: '%s' is not error or truncate", what);
}

static void
set(struct job *j, int option)
{
	switch (option) {
	case '0': j->null = true; break;
	case 'c': j->format = COUNT; break;
	case 'D': j->decode = true; break;
	case 'F': j->format = format_by_name(optarg); break;
	case 'o': j->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'r': j->raw = true; break;
	case 's': j->text[j->texts++] = optarg; break;
	case OPT_LENGTH:
		j->length = (size_t)cmd_int("--length", optarg, 2,
		    MOST_LENGTH);
		break;
	case OPT_OVERLONG: set_overlong(j, optarg); break;
	case OPT_TRUNCATE: j->truncate = true; break;
	case OPT_VOCAB: j->vocab = optarg; break;
	}
}

int
main(int argc, char *argv[])
{
	struct job j = { .length = NPU_CLIP_LENGTH };
	bool format = false;
	int c;

	cmd_start();
	j.text = cmd_alloc((size_t)argc * sizeof(*j.text));
	while ((c = cmd_option(argc, argv)) != -1) {
		if ((c == 'F' || c == 'c') && format)
			cmd_usage("more than one of -c and -F");
		format |= c == 'F' || c == 'c';
		set(&j, c);
	}
	if (j.texts > 0 && argv[optind] != NULL)
		cmd_usage("texts from -s and from files at once");
	if (j.raw && j.format != TENSOR)
		cmd_usage("-r is for -F i32: text has no label to leave out");
	if (j.decode && (format || j.raw || j.truncate || j.texts > 0))
		cmd_usage("-D reads ids and writes texts; it takes none of "
		    "-c -F -r -s --truncate");
	run(&j, argv + optind);
	cmd_exit(EXIT_DONE);
}
