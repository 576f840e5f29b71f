// SPDX-License-Identifier: Apache-2.0
/* clip-tokenize - convert texts to the token ids of CLIP's text encoder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clip/vocabulary.h"
#include "detokenize.h"
#include "dimensions.h"
#include "formats.h"
#include "lines.h"
#include "progress.h"
#include "tensors/tensor_options.h"
#include "text_pool.h"
#include "thread.h"

enum {
	OPT_CLEAN = 256,
	OPT_INVALID,
	OPT_LENGTH,
	OPT_LENGTHS,
	OPT_OVERLONG,
	OPT_SPECIAL,
	OPT_TEXT,
	OPT_TRUNCATE,
	OPT_VOCAB,
	MOST_LENGTH = 1 << 20,
};

/* The argument of --vocab.  A global variable, because --version prints the
 * vocabulary and runs while options are still being parsed. */
static const char *vocab_option;

static const char *const formats[] = { "i32", "ids", "jsonl", "tokens", NULL };
static const char *const overlongs[] = { "error", "truncate", "skip", NULL };
static const char *const invalids[] = { "replace", "error", NULL };
static const char *const specials[] = { "token", "text", NULL };

static const struct opt options[] = {
	FLAG('0', "null", "texts end with NUL, not with a newline"),
	FLAG('D', "decode", "convert ids or tensors back to texts"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "i32 (labelled tensors, the default), ids, jsonl, tokens"),
	ONE_OF(OPT_INVALID, "invalid", "=WHAT", invalids,
	    "for text that is not UTF-8: replace (the default) or error"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads (1); 0: as many as processors"),
	TAKES(OPT_LENGTH, "length", "=N", COMPLETE_NONE, "ids in a row (77)"),
	FLAG(OPT_LENGTHS, "lengths", "print only how many ids each text has"),
	TAKES('m', "model", "=MODEL[:WHICH]", COMPLETE_MODEL,
	    "take the length of a row from the model's input"),
	CMD_DIM_OPTION,
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	ONE_OF(OPT_OVERLONG, "overlong", "=WHAT", overlongs,
	    "for too many ids: error (the default), truncate, skip"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet",
	    "no progress, no notes about texts cut off or left out"),
	FLAG('r', "raw", "rows without labels"),
	TAKES(OPT_TEXT, "text", "=TEXT", COMPLETE_NONE,
	    "read TEXT instead of files; may be repeated"),
	FLAG(OPT_CLEAN, "show-clean", "print the cleaned texts, not ids"),
	ONE_OF(OPT_SPECIAL, "special", "[=WHAT]", specials,
	    "read <|endoftext|> in a text as token (the default) or text"),
	FLAG(OPT_TRUNCATE, "truncate", "--overlong=truncate"),
	TAKES(OPT_VOCAB, "vocab", "=FILE", COMPLETE_FILE,
	    "the vocabulary, plain or gzip; --version shows it"),
	FLAG('v', "verbose", "print how many texts were read"),
	CMD_COMMON,
	{ 0 },
};

/* Returns "vocabulary built in, sha256 27ad...", owned by the caller; a --vocab
 * before --version is used. */
static char *
describe_vocabulary(void)
{
	const char *path = vocabulary_path(vocab_option);
	const struct npu_bpe *bpe;
	struct npu_err err;
	struct buf b = { 0 };

	buf_printf(&b, "vocabulary %s, ", path != NULL ? path : "built in");
	if (vocabulary_read(path, &bpe, &err) < 0) {
		buf_printf(&b, "unusable: %s", err.msg);
	} else {
		buf_printf(&b, "sha256 %s", npu_bpe_sha256(bpe));
		vocabulary_close(bpe);
	}
	buf_add(&b, "", 1);
	if (b.failed)
		cmd_die("out of memory");
	cmd_printable(b.p, b.n - 1);
	return b.p;
}

static const struct moved moved[] = {
	{ "-c", "--lengths", "--conf" },
	{ "--count", "--lengths", "'at most so many'" },
	{ "-s", "--text", "--scale" },
	{ 0 },
};

const struct program program = {
	.name = "clip-tokenize",
	.synopsis = "clip-tokenize [-0Dqrv] [-F FORMAT | --lengths] [-j N] "
	    "[-o FILE]\n       [--text=TEXT]... [--overlong=WHAT] "
	    "[--length=N | -m MODEL]\n       [--vocab=FILE] [FILE...]",
	.examples =
	    "  echo 'a photo of a cat' | clip-tokenize | npu-run clip_txt.cix\n"
	    "  clip-tokenize -F ids --text='a photo of a cat'\n",
	.help =
	"Converts texts, one in each line, to rows of 77 token ids for\n"
	"CLIP's text encoder.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = (const struct cmd_env[]) {
		{ "CLIP_VOCAB", "the vocabulary (default: built in)" },
		CMD_MODEL_ENV,
		{ NULL, NULL },
	},
	.version = describe_vocabulary,
};

/* ---- Options ----------------------------------------------------------- */

struct clip_tokenize_options {
	struct tokenize_options tokenize;	/* limit.length 0: not given */
	bool raw, null, decode;
	/* An option of this kind was given: that chooses a format; that
	 * --decode excludes; that --show-clean excludes. */
	bool has_format, for_texts, for_ids;
	unsigned threads;
	const char *output, *model;
	char **text;			/* from --text; array owned */
	size_t n_texts;
	char *const *operands;		/* NULL last */
	int files;			/* number of operands */
};

/* Returns the number of ids that an input takes; arg is MODEL or MODEL:in0.
 * Dies if the input does not take rows of ids. */
static size_t
input_row_length(const char *arg)
{
	uint16_t n;
	int chosen;
	struct npu_tensor *all = tensors_of_model(arg, false, &n, &chosen),
	    t = *all;
	uint64_t row = t.ndim > 0 ? t.dim[t.ndim - 1] :
	    npu_tensor_count(&t);
	char what[120];

	free(all);
	if (n > 1)
		cmd_usage("--model: %s has %u inputs; name one, as in %s:in0",
		    arg, n, arg);
	npu_tensor_format(&t, what, sizeof(what));
	if ((t.dtype != NPU_S32 && t.dtype != NPU_S64) || row < 2 ||
	    row > MOST_LENGTH)
		cmd_die("%s: takes %s, not rows of 2 to %d ids, s32 or s64",
		    arg, what, MOST_LENGTH);
	return (size_t)row;
}

/* True if the option applies only to reading texts and writing ids. */
static bool
is_for_texts(int option)
{
	return (option < 256 && strchr("Fmr", option)) ||
	    (option >= OPT_CLEAN && option != OPT_VOCAB);
}

/* True if the option applies only to ids, so --show-clean excludes it. */
static bool
is_for_ids(int option)
{
	return option == OPT_LENGTH || option == 'm' ||
	    option == OPT_OVERLONG || option == OPT_SPECIAL ||
	    option == OPT_TRUNCATE;
}

static void
note_kind(struct clip_tokenize_options *o, int opt)
{
	bool format = opt == 'F' || opt == OPT_LENGTHS || opt == OPT_CLEAN;

	if (format && o->has_format)
		cmd_usage("give only one of --format, --lengths and "
		    "--show-clean");
	o->has_format |= format;
	o->for_texts |= is_for_texts(opt);
	o->for_ids |= is_for_ids(opt);
}

static void
parse_option(struct clip_tokenize_options *o, int opt)
{
	struct tokenize_options *h = &o->tokenize;

	if (cmd_dim_option(opt, optarg) || progress_option(opt, optarg))
		return;
	note_kind(o, opt);
	switch (opt) {
	case '0': o->null = true; break;
	case 'D': o->decode = true; break;
	case 'F': h->format = (enum tokenize_format)
	    cmd_choice("--format", optarg, formats); break;
	case 'j': o->threads = thread_count(optarg); break;
	case 'm': o->model = optarg; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case 'r': o->raw = true; break;
	case OPT_TEXT: o->text[o->n_texts++] = optarg; break;
	case OPT_CLEAN: h->format = CLEAN; break;
	case OPT_INVALID:
		h->strict = cmd_choice("--invalid", optarg, invalids) == 1;
		break;
	case OPT_LENGTH:
		h->limit.length = (size_t)cmd_int("--length", optarg, 2,
		    MOST_LENGTH);
		break;
	case OPT_LENGTHS: h->format = COUNT; break;
	case OPT_OVERLONG: h->limit.overlong = (enum overlong)
	    cmd_choice("--overlong", optarg, overlongs); break;
	case OPT_SPECIAL:
		h->plain = optarg != NULL &&
		    cmd_choice("--special", optarg, specials) == 1;
		break;
	case OPT_TRUNCATE: h->limit.overlong = TRUNCATE; break;
	case OPT_VOCAB: vocab_option = optarg; break;
	}
}

static void
check_options(const struct clip_tokenize_options *o)
{
	if (o->tokenize.format == CLEAN && o->for_ids)
		cmd_usage("--show-clean makes no ids; leave --length, "
		    "--model, --overlong, --special and --truncate out");
	cmd_check_dims(o->model);
	if (o->model != NULL && o->tokenize.limit.length != 0)
		cmd_usage("--model sets the length; leave --length out");
	if (o->n_texts > 0 && o->operands[0] != NULL)
		cmd_usage("give texts with --text or in files, not both");
	if (o->raw && o->tokenize.format != TENSOR)
		cmd_usage("--raw is for --format=i32: text has no label "
		    "to leave out");
	if (o->decode && o->for_texts)
		cmd_usage("--decode reads ids and writes texts; of the "
		    "other options it takes --jobs, --null, --output, "
		    "--quiet, --verbose and --vocab");
}

/* Refuses a second reader of stdin: each reader would get only the bytes that
 * the other had not read. */
static void
check_stdin(const struct clip_tokenize_options *o)
{
	bool texts = o->n_texts == 0 && o->operands[0] == NULL;

	for (int i = 0; o->operands[i] != NULL; i++) {
		texts |= cmd_is_dash(o->operands[i]);
		cmd_name_input(o->operands[i]);
	}
	if (texts + cmd_is_dash(vocabulary_path(vocab_option)) +
	    cmd_is_dash(o->model) > 1)
		cmd_usage("stdin can be only one of the texts, the vocabulary "
		    "and the model; name a file for the others");
}

static void
read_options(struct clip_tokenize_options *o, int argc, char *argv[])
{
	struct tokenize_options *h = &o->tokenize;
	int opt;

	o->text = cmd_alloc((size_t)argc * sizeof(*o->text));
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->operands = argv + optind;
	o->files = argc - optind;
	check_options(o);
	check_stdin(o);
	if (h->limit.length == 0)
		h->limit.length = o->model != NULL ?
		    input_row_length(o->model) : NPU_CLIP_LENGTH;
	h->delimiter = o->null ? '\0' : '\n';
	if (h->format == COUNT)
		h->limit.length = SIZE_MAX;
	h->limit.quiet = cmd_quiet;
	if (h->format == TENSOR && !o->raw)
		tokenize_label(h);
}

/* ---- Texts ------------------------------------------------------------- */

struct clip_tokenize {
	const struct clip_tokenize_options *o;
	struct tokenize_options tokenize;	/* shared by all tokenizers */
	struct output out;
	struct tokenizer *tokenizer;	/* one for each thread; owned */
	struct detokenizer *detokenizer;	/* the same; for --decode */
	void **worker;			/* pointers into one of the two
					   arrays; array owned */
	struct text_pool *pool;
};

static void
add_texts(struct clip_tokenize *t)
{
	for (size_t i = 0; i < t->o->n_texts; i++)
		text_pool_add(t->pool, &(struct text_record){ .name = "--text",
		    .unit = "text", .number = i + 1, .p = t->o->text[i],
		    .n = strlen(t->o->text[i]) });
	text_pool_flush(t->pool);
}

static void
add_lines(struct clip_tokenize *t, struct lines *l)
{
	struct text_record r = { .name = l->name, .unit = lines_unit(l) };
	char *p;

	while (lines_next_text(l, &p, &r.n)) {
		r.p = p;
		r.number = l->number;
		text_pool_add(t->pool, &r);
	}
}

/* Reads a file of texts or ids.  Output is flushed only when the next read
 * would block: results of a slow input appear at once, and a file does not need
 * a write() for each line. */
static void
add_input(struct clip_tokenize *t, const char *path)
{
	struct lines l;

	if (cmd_looks_like_text(path))
		cmd_die("%s: %s; use --text to give a text", path,
		    strerror(ENOENT));
	lines_open(&l, cmd_open_input(path), cmd_input_name(path),
	    t->o->null ? '\0' : '\n', NPU_TEXT_MAX);
	l.pause = text_pool_flush;
	l.arg = t->pool;
	if (t->o->decode && detokenize_labelled(&l))
		detokenize_tensors(&l, t->pool);
	else
		add_lines(t, &l);
	text_pool_flush(t->pool);
	lines_close(&l);
}

/* ---- Threads ----------------------------------------------------------- */

static void
open_workers(struct clip_tokenize *t)
{
	size_t n = t->o->threads;

	t->worker = cmd_alloc(n * sizeof(*t->worker));
	t->tokenizer = cmd_alloc(n * sizeof(*t->tokenizer));
	t->detokenizer = cmd_alloc(n * sizeof(*t->detokenizer));
	for (size_t i = 0; i < n; i++) {
		tokenizer_open(&t->tokenizer[i], &t->tokenize);
		t->worker[i] = &t->tokenizer[i];
		if (!t->o->decode)
			continue;
		t->worker[i] = &t->detokenizer[i];
		t->detokenizer[i].tokenizer = t->tokenizer[i].tokenizer;
		t->detokenizer[i].delimiter = t->tokenize.delimiter;
	}
	t->pool = text_pool_open(&t->out, &(struct text_pool_spec){
	    .work = t->o->decode ? detokenize : tokenize, .worker = t->worker,
	    .threads = t->o->threads,
	    .records = tokenize_records(&t->tokenize) });
}

static void
close_workers(struct clip_tokenize *t)
{
	text_pool_close(t->pool);
	t->pool = NULL;
	for (size_t i = 0; i < t->o->threads; i++) {
		detokenizer_free(&t->detokenizer[i]);
		tokenizer_close(&t->tokenizer[i]);
	}
	free(t->detokenizer);
	free(t->tokenizer);
	free(t->worker);
}

/* ---- Main -------------------------------------------------------------- */

/* Called at exit: if the program ends early, keeps the results that were
 * written before. */
static void
end_early(void *arg)
{
	struct clip_tokenize *t = arg;

	text_pool_close(t->pool);
	cmd_abandon_output(&t->out);
}

static void
run(struct clip_tokenize *t)
{
	char *const *operands = t->o->operands;

	if (t->o->n_texts == 0 && operands[0] == NULL && isatty(STDIN_FILENO))
		cmd_usage("%s are read from stdin, which is a terminal; "
		    "redirect it (< file)%s", t->o->decode ? "ids" : "texts",
		    t->o->decode ? " or name a file" :
		    ", name a file, or give --text=TEXT");
	cmd_open_output(&t->out, t->o->output, !t->o->decode &&
	    t->tokenize.format == TENSOR);
	cmd_on_exit(end_early, t);
	t->tokenize.bpe = vocabulary_open(vocab_option);
	open_workers(t);
	if (t->o->n_texts == 0)
		progress_begin_files(operands, t->o->files);
	if (t->o->n_texts > 0)
		add_texts(t);
	else if (operands[0] == NULL)
		add_input(t, NULL);
	else
		for (int i = 0; operands[i] != NULL; i++)
			add_input(t, operands[i]);
	progress_end();
	cmd_close_output(&t->out);
	text_pool_detail(t->pool, !t->o->decode && t->tokenize.format != CLEAN);
	close_workers(t);
	vocabulary_close(t->tokenize.bpe);
}

int
main(int argc, char *argv[])
{
	struct clip_tokenize_options o = { .threads = 1 };
	struct clip_tokenize t = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	t.tokenize = o.tokenize;
	run(&t);
	free(o.text);
	cmd_exit(EXIT_DONE);
}
