/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnpu - tensors, models and the NPU of the CIX Sky1 / CD8180.
 *
 * Public header; libnpu(3) explains it by example.  Source-compatible within
 * one major version.
 *
 * Promises common to all functions.  A function that can fail returns 0, or a
 * negative npu_code after writing one line for the user into *err: lower
 * case, no newline, saying what is wrong, where, and what to do next.  On
 * failure out-parameters are untouched and nothing stays open.  err may be
 * NULL.  Nothing here prints, exits or keeps mutable global state.  Closing
 * and freeing functions allow NULL.
 */
#ifndef NPU_H
#define NPU_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPU_VERSION "0.1.0"

#if !defined(__linux__) || !defined(__LP64__) || \
    __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "npu-utils runs on 64-bit little-endian Linux only"
#endif

/* ---- Errors ---------------------------------------------------------- */

enum npu_code {
	NPU_ESYSTEM = -1,	/* the operating system refused */
	NPU_EDEVICE = -2,	/* the vendor library or a job failed */
	NPU_EFORMAT = -3,	/* a file's bytes break its format */
	NPU_EUSAGE = -4,	/* sizes or types that do not fit together */
	NPU_ENODEV = -5,	/* no usable device, library or runtime */
	NPU_ETIMEOUT = -6,	/* the job did not end in time */
	NPU_ESTOPPED = -7,	/* npu_options.stop became non-zero */
};

struct npu_err {
	int code;		/* enum npu_code, 0 when unused */
	int detail;		/* NPU_EDEVICE: the vendor's status;
				   NPU_EFORMAT of a model: enum cix_check */
	char msg[1000];
};

/* ---- Element types --------------------------------------------------- */

/* The vendor's codes (noe_data_type_t); unknown codes are opaque bytes. */
enum npu_dtype {
	NPU_NONE = 0,
	NPU_BOOL = 1,
	NPU_U8 = 2,
	NPU_S8 = 3,
	NPU_U16 = 4,
	NPU_S16 = 5,
	NPU_U32 = 6,
	NPU_S32 = 7,
	NPU_U64 = 8,
	NPU_S64 = 9,
	NPU_F16 = 0xa,
	NPU_F32 = 0xb,
	NPU_F64 = 0xc,
	NPU_BF16 = 0xd,
	NPU_U4 = 0x12,		/* one a byte */
	NPU_S4 = 0x13,
	NPU_U12 = 0x14,		/* one in two bytes */
	NPU_S12 = 0x15,
	NPU_U4C = 0x20,		/* compact: two a byte */
	NPU_S4C = 0x21,
	NPU_U12C = 0x22,	/* compact: two in three bytes */
	NPU_S12C = 0x23,
};

/* "s8"; NULL for a code that is not above. */
const char *npu_dtype_name(uint32_t dtype);
/* The code of a name such as "s8", or -1. */
int npu_dtype_by_name(const char *name);
/* Bytes of one element; 0 if unknown or not a whole number. */
size_t npu_dtype_size(uint32_t dtype);
/* f16, bf16, f32, f64: taken as they are, never scaled. */
bool npu_dtype_is_float(uint32_t dtype);

/* ---- Tensors --------------------------------------------------------- */

#define NPU_MAX_DIMS 6
#define NPU_MAX_NAME 64		/* with the final NUL */
#define NPU_MAX_PAYLOAD (UINT64_C(1) << 40)

/*
 * What a tensor's bytes mean.  A stored integer q stands for the real number
 * (q + zero_point) / scale: this vendor adds and divides where most others
 * subtract and multiply (CIX model hub, NOE_Engine.py).
 */
struct npu_tensor {
	uint32_t dtype;			/* enum npu_dtype */
	uint32_t ndim;			/* 0: shape unknown, a flat vector */
	uint32_t dim[NPU_MAX_DIMS];	/* elements, outermost first, then 0 */
	float scale;			/* steps per unit, finite and > 0 */
	int32_t zero_point;		/* steps */
	uint64_t size;			/* bytes */
	char name[NPU_MAX_NAME];	/* "" when it has none */
};

/* Elements of t: size / element size; 0 for an opaque type. */
uint64_t npu_tensor_count(const struct npu_tensor *t);

/* "s8 [1,512] scale=27.6738 zero_point=60", always NUL-terminated. */
void npu_tensor_format(const struct npu_tensor *t, char *buf, size_t n);

/* ---- Quantisation ---------------------------------------------------- */

struct npu_quant_stats {
	uint64_t clipped;	/* values that met an end of the type's range */
	uint64_t nan;		/* NaN replaced by 0 (zero_nan only) */
};

/*
 * q[i] = clip(rint(double(x[i]) * double(scale) - zero_point)) for i < n, to
 * the type's range, half to even; float types convert without scale or clip
 * (a finite x beyond f16's range becomes its largest number and counts as
 * clipped).  q has n elements of t->dtype and must not overlap x.  NaN fails
 * with NPU_EUSAGE naming the index, unless zero_nan, which reads it as 0.
 * *st (may be NULL) is added to, never cleared.
 */
int npu_quantise(const struct npu_tensor *t, const float *x, size_t n,
    void *q, bool zero_nan, struct npu_quant_stats *st, struct npu_err *err);

/*
 * x[i] = (float(q[i]) + float(zero_point)) / float(scale), for i < n, each
 * step rounded to float32; float types convert.  bool, 4 and 12 bit types one
 * to a byte or two are stored sign-extended.  Fails with NPU_EUSAGE for a type
 * without a whole number of bytes, and for an element beyond its type's range.
 */
int npu_dequantise(const struct npu_tensor *t, const void *q, size_t n,
    float *x, struct npu_err *err);

/*
 * x /= |x| (Euclidean norm, summed in double).  A zero or non-finite norm
 * fails with NPU_EUSAGE and leaves x as it was.
 */
int npu_l2_normalise(float *x, size_t n, struct npu_err *err);

/* ---- The label: npu-tensor(5) ---------------------------------------- */

#define NPU_LABEL_SIZE 64
#define NPU_LABEL_MAGIC "NPUTENS1"

struct npu_label {
	struct npu_tensor tensor;	/* name is not stored */
	uint16_t index;			/* of this tensor within its frame */
	uint16_t count;			/* tensors per frame, >= 1 */
};

/*
 * The 64 bytes of *l.  A scale of 0 ("not quantised") is written as 1.
 * Fails with NPU_EUSAGE for what npu_label_decode() would refuse.
 */
int npu_label_encode(const struct npu_label *l, uint8_t out[NPU_LABEL_SIZE],
    struct npu_err *err);
/* Refuses, with NPU_EFORMAT, every byte that npu-tensor(5) does not allow. */
int npu_label_decode(const uint8_t in[NPU_LABEL_SIZE], struct npu_label *l,
    struct npu_err *err);

/* ---- Text as CLIP reads it ------------------------------------------- */

#define NPU_CLIP_LENGTH 77	/* ids in a row of CLIP */
#define NPU_CLIP_START 49406
#define NPU_CLIP_END 49407
#define NPU_TEXT_MAX (64 << 20)	/* bytes of one text */

/* CLIP's vocabulary.  It never changes, so any threads may share it. */
struct npu_bpe;
/* One thread's working memory over a vocabulary: buffers, words seen before. */
struct npu_tokenizer;

/*
 * Read a vocabulary from the n bytes of bpe_simple_vocab_16e6.txt, plain or
 * gzip; they are not needed afterwards.  NPU_EFORMAT names the line.
 */
int npu_bpe_open(struct npu_bpe **bpe, const void *file, size_t n,
    struct npu_err *err);
/* After the last tokenizer over it is closed. */
void npu_bpe_close(struct npu_bpe *bpe);

/* CLIP's own vocabulary, made into a table when this library was built.  It
 * is constant and not to be closed. */
const struct npu_bpe *npu_bpe_clip(void);

/* SHA-256 of the vocabulary's text (after gunzip), in hexadecimal digits. */
const char *npu_bpe_sha256(const struct npu_bpe *bpe);

/*
 * The token of an id as the vocabulary's file writes it, such as "cat</w>":
 * a string in UTF-8 of less than NPU_TOKEN_SIZE bytes.  NPU_EUSAGE for an id
 * that is none.
 */
#define NPU_TOKEN_SIZE 520
int npu_token(const struct npu_bpe *bpe, int32_t id,
    char token[NPU_TOKEN_SIZE], struct npu_err *err);

int npu_tokenizer_open(struct npu_tokenizer **tokenizer,
    const struct npu_bpe *bpe, struct npu_err *err);
void npu_tokenizer_close(struct npu_tokenizer *tokenizer);

/*
 * How npu_encode() reads "<|startoftext|>" and "<|endoftext|>" within a text:
 * as single tokens, as CLIP does (true, at first), or like any other characters
 * (false).
 */
void npu_tokenizer_special(struct npu_tokenizer *tokenizer, bool special);

/* Bytes of text, at most n, that are valid UTF-8 from its beginning: n if all
 * of it is. */
size_t npu_utf8_valid(const char *text, size_t n);

/*
 * The text that CLIP's tokenizer cuts into words: repaired as ftfy 6.3.1 does,
 * HTML references replaced, white space folded, lower case.  *bytes bytes of
 * UTF-8 at *clean, without a NUL, which belong to the tokenizer and last until
 * its next call.  Input and errors as for npu_encode().
 */
int npu_clean(struct npu_tokenizer *tokenizer, const char *text, size_t n,
    const char **clean, size_t *bytes, struct npu_err *err);

/*
 * The ids of a text of n bytes, NPU_CLIP_START and NPU_CLIP_END included, as
 * many as there are: *ids of them at *id, which belongs to the tokenizer and
 * lasts until its next call.  Bytes that are not UTF-8 are read as U+FFFD.
 * Fails with NPU_EUSAGE for more than NPU_TEXT_MAX bytes.
 */
int npu_encode(struct npu_tokenizer *tokenizer, const char *text, size_t n,
    const int32_t **id, size_t *ids, struct npu_err *err);

/*
 * A text encoder's input: the n ids in a row of length >= 2, padded with 0.
 * True if they were too many; then the last of the row is NPU_CLIP_END.
 */
bool npu_clip_row(const int32_t *id, size_t n, int32_t *row, size_t length);

/*
 * The text of n ids, or of such a row, in UTF-8: the words as CLIP read them,
 * one space between.  *bytes bytes at *text, without a NUL, which belong to
 * the tokenizer and last until its next call.  Fails with NPU_EUSAGE for an id
 * outside the vocabulary.
 */
int npu_decode(struct npu_tokenizer *tokenizer, const int32_t *id, size_t n,
    const char **text, size_t *bytes, struct npu_err *err);

/* ---- A model on a device --------------------------------------------- */

#define NPU_DEFAULT_NODE "/dev/aipu"

enum npu_device {
	NPU_DEVICE_AUTO = 0,	/* the NPU, or the emulator on a machine that
				   has neither a device node nor a library */
	NPU_DEVICE_NPU,		/* never the emulator */
	NPU_DEVICE_EMU,		/* only the emulator */
};

struct npu_options {
	const char *library;	/* path of libnoe.so; NULL: the search of
				   npu-utils(7) */
	const char *emulator;	/* path of libnoe-emu.so; NULL: as the dynamic
				   loader finds it */
	const char *node;	/* device node looked for; NULL:
				   NPU_DEFAULT_NODE */
	enum npu_device device;
	int32_t timeout_ms;	/* of one inference; < 0 waits; 0: 10 s */
	bool reuse_job;		/* keep jobs (one, or as many as a queue is
				   deep); falls back by itself to a fresh one
				   each time when the driver hangs */
	/* Polled at least every 100 ms while waiting; NULL: never stopped. */
	const volatile sig_atomic_t *stop;
	/* Told in one line what the user may want to know, such as that the
	 * emulator stands in for the NPU; NULL: not told. */
	void (*note)(void *arg, const char *line);
	void *note_arg;
};

struct npu;			/* a model loaded on a device */

/*
 * Load the .cix file at path model.  opt may be NULL.  The file is validated
 * whole before the vendor library sees it, that same open file is what the
 * library reads, and one that was written to in between is refused.  Free with
 * npu_close() before exit(): the vendor library aborts a process that exits
 * with a model loaded.  The vendor library prints to file descriptor 1; move
 * data elsewhere first (libnpu(3)).
 *
 * No other thread may be in a function of this part, of any model, while one
 * is in npu_open() or npu_close(): what the vendor's library does then is not
 * known, and libnpu has no lock.
 */
int npu_open(struct npu **npu, const char *model,
    const struct npu_options *opt, struct npu_err *err);
void npu_close(struct npu *npu);

uint32_t npu_inputs(const struct npu *npu);
uint32_t npu_outputs(const struct npu *npu);
/*
 * Input or output i, in model order; valid until npu_close().  Type, size,
 * scale and zero point are the library's; name and shape the file's, where it
 * has them and they agree with the size.
 */
const struct npu_tensor *npu_input(const struct npu *npu, uint32_t i);
const struct npu_tensor *npu_output(const struct npu *npu, uint32_t i);
/* Bytes of all inputs, or all outputs, back to back in model order. */
uint64_t npu_input_size(const struct npu *npu);
uint64_t npu_output_size(const struct npu *npu);

/*
 * One inference, blocking: reads npu_input_size() bytes at in, writes
 * npu_output_size() bytes at out.  One thread at a time, and always the thread
 * that called npu_open(): completion belongs to the submitting thread.  After
 * NPU_ETIMEOUT the job is given one more second, and another at each later
 * call; while it still runs, they answer NPU_EDEVICE.  NPU_ENODEV: the device
 * is gone, and later calls would fail, too.
 */
int npu_run(struct npu *npu, const void *in, void *out, struct npu_err *err);

/* Makes a job and cleans it again, without running it: is there room? */
int npu_probe(struct npu *npu, struct npu_err *err);

/* Nanoseconds that the stages of the last npu_run() or npu_queue_get() took;
 * infer is submit to done, in a queue less the time that it waited behind
 * others; create and clean are 0 for a reused job. */
struct npu_times {
	uint64_t create, load, infer, get, clean;
};
const struct npu_times *npu_last_times(const struct npu *npu);

/* Nanoseconds that npu_open() waited for the library: to open the device, and
 * to load the model. */
struct npu_startup {
	uint64_t init, load;
};
const struct npu_startup *npu_startup_times(const struct npu *npu);

/* ---- Several in flight ----------------------------------------------- */

#define NPU_QUEUE_MAX 64

/*
 * A queue of inferences: up to depth of them in flight (0: 3), so that making
 * and loading the next overlaps the one that runs.  All of it in the thread
 * that called npu_open().  One queue at a time on a model, and no npu_run()
 * while it is open: they fail with NPU_EUSAGE.  Close it before npu_close().
 */
struct npu_queue;
int npu_queue_open(struct npu_queue **queue, struct npu *npu, unsigned depth,
    struct npu_err *err);

/*
 * Start one, with a copy of npu_input_size() bytes at in.  Does not wait for
 * others.  What happens to it is told by the npu_queue_get() that answers it;
 * this fails only with NPU_EUSAGE when the queue is full or another thread's,
 * and with NPU_ESTOPPED (below), and then nothing was put.
 */
int npu_queue_put(struct npu_queue *queue, const void *in,
    struct npu_err *err);

/* As many were put and not got as it is deep; how many. */
bool npu_queue_full(const struct npu_queue *queue);
unsigned npu_queue_length(const struct npu_queue *queue);

/* The oldest has ended, well or badly: npu_queue_get() will not wait. */
bool npu_queue_ready(struct npu_queue *queue);
/*
 * The same, asleep until it has ended, but no longer than ms, nor than 100: to
 * be asked again.  The wait ends early, too, when another ends.  Only
 * npu_queue_get() gives one up that takes too long.
 */
bool npu_queue_wait(struct npu_queue *queue, int32_t ms);

/*
 * The result of the oldest, waiting for it: npu_output_size() bytes at out.
 * A failure is that frame's alone, and the queue goes on, but for three.
 * NPU_ENODEV: the device is gone, every later get fails alike.  NPU_ESTOPPED:
 * npu_options.stop is set; the frame stays in the queue, and can be got when
 * stop is 0 again.  NPU_EUSAGE: nothing is in the queue, or another thread
 * opened it.
 *
 * npu_options.timeout_ms counts from when a frame could run: from its put or,
 * if that is later, from the end of the frame before it as npu_queue_get() or
 * npu_queue_ready() saw it, or from the moment that one was given up.  One
 * that has ended when it is looked at is no timeout, however late that is.
 * A frame that was given up may still run.  Should it end, the time of the
 * next counts from then; while as many as the queue is deep still run, each
 * new frame gives them one more second, and then fails with NPU_EDEVICE.
 */
int npu_queue_get(struct npu_queue *queue, void *out, struct npu_err *err);

/* What is in flight, or was given up and still runs, is given one second to
 * end, and its results are lost. */
void npu_queue_close(struct npu_queue *queue);

/* ---- The library ----------------------------------------------------- */

/* Path of the library in use, and whether it is the emulator. */
const char *npu_library(const struct npu *npu);
bool npu_is_emulator(const struct npu *npu);

#ifdef __cplusplus
}
#endif
#endif
