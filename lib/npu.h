/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnpu - tensors, models and the NPU of the CIX Sky1 / CD8180.
 *
 * Public header; libnpu(3) explains it by example.  Source-compatible within
 * one major version.
 *
 * All functions keep these promises:
 *   A function that can fail returns 0, or a negative npu_code after writing
 *   one line for the user into *err: lower case, no newline, saying what is
 *   wrong, where, and what to do next.  err may be NULL.
 *   On failure, out-parameters are unchanged and nothing stays open.
 *   A function that can fail returns NPU_EUSAGE for NULL in place of an object,
 *   or of elements if their number is not 0.  Functions that close accept NULL.
 *   No function prints, exits or keeps mutable global state.
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
/* 10000 x major + 100 x minor + patch, for #if. */
#define NPU_VERSION_NUMBER 100

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
	NPU_ESTOPPED = -7	/* npu_options.stop became non-zero */
};

struct npu_err {
	int code;		/* enum npu_code, 0 when unused */
	int detail;		/* NPU_EDEVICE: the vendor's status; its meaning
				   with other codes is not promised */
	char msg[1000];
};

/* Returns the name of a code, such as "NPU_ENODEV"; "success" for 0, "unknown
 * code" for other numbers. */
const char *npu_strcode(int code);

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
	NPU_U4 = 0x12,		/* one per byte */
	NPU_S4 = 0x13,
	NPU_U12 = 0x14,		/* one in two bytes */
	NPU_S12 = 0x15,
	NPU_U4C = 0x20,		/* compact: two per byte */
	NPU_S4C = 0x21,
	NPU_U12C = 0x22,	/* compact: two in three bytes */
	NPU_S12C = 0x23
};

/* Returns the name of a code, such as "s8"; NULL for a code that is not listed
 * above. */
const char *npu_dtype_name(uint32_t dtype);
/* Returns the code of a name, or -1. */
int npu_dtype_by_name(const char *name);
/* Returns the bytes of one element; 0 for compact types and unknown codes. */
size_t npu_dtype_size(uint32_t dtype);
/* Returns true for f16, bf16, f32 and f64, which are converted but never
 * scaled. */
bool npu_dtype_is_float(uint32_t dtype);

/* ---- Tensors --------------------------------------------------------- */

#define NPU_MAX_DIMS 6
#define NPU_MAX_NAME 64		/* with the final NUL */
#define NPU_MAX_PAYLOAD (UINT64_C(1) << 40)

/*
 * The meaning of a tensor's bytes.  A stored integer q is the real number
 * (q + zero_point) / scale: this vendor adds and divides where most other
 * vendors subtract and multiply (CIX model hub, NOE_Engine.py).
 */
struct npu_tensor {
	uint32_t dtype;			/* enum npu_dtype */
	uint32_t ndim;			/* 0: shape unknown, a flat vector */
	uint32_t dim[NPU_MAX_DIMS];	/* elements, outermost first, then 0 */
	float scale;			/* steps per unit, finite and > 0 */
	int32_t zero_point;		/* steps */
	uint64_t size;			/* bytes */
	char name[NPU_MAX_NAME];	/* "": unnamed */
};

/* Returns the number of elements, which is size / element size; 0 for an opaque
 * type. */
uint64_t npu_tensor_count(const struct npu_tensor *t);

/*
 * Writes a text such as "s8 [1,512] scale=27.6738 zero_point=60" to the n bytes
 * at buf, cut to fit, with a final NUL.  If the shape is unknown, the number of
 * elements replaces it, or "?" if that is unknown also.
 */
void npu_tensor_format(const struct npu_tensor *t, char *buf, size_t n);

/* ---- Quantisation ---------------------------------------------------- */

struct npu_quant_stats {
	uint64_t clipped;	/* values outside the type's range */
	uint64_t nan;		/* NaN read as 0 (zero_nan only) */
};

/*
 * Quantises n floats at x into n elements of t->dtype at q, which must not
 * overlap x:
 *
 *	q[i] = clip(rint(double(x[i]) * double(scale) - zero_point))
 *
 * rint() rounds half to even, clip() limits to the type's range.  Float types
 * are converted without scale; a finite x beyond the type's largest number
 * becomes that number and counts as clipped.  Fails with NPU_EUSAGE for NaN,
 * and the message gives the index; with zero_nan, NaN is read as 0.  Counts are
 * added to *st, which may be NULL.
 */
int npu_quantise(const struct npu_tensor *t, const float *x, size_t n,
    void *q, bool zero_nan, struct npu_quant_stats *st, struct npu_err *err);

/*
 * Dequantises n elements of t->dtype at q into n floats at x:
 *
 *	x[i] = (float(q[i]) + float(zero_point)) / float(scale)
 *
 * Each step is rounded to float32.  Float types are converted without scale.
 * Elements of 4 and 12 bits are stored extended to one or two bytes.  Fails
 * with NPU_EUSAGE for a compact type, and for an element outside its type's
 * range.
 */
int npu_dequantise(const struct npu_tensor *t, const void *q, size_t n,
    float *x, struct npu_err *err);

/*
 * Divides the n floats at x by their Euclidean norm, which is summed in double.
 * Fails with NPU_EUSAGE if the norm is zero or not finite; x is then unchanged.
 */
int npu_l2_normalise(float *x, size_t n, struct npu_err *err);

/* ---- The label: npu-tensor(5) ---------------------------------------- */

#define NPU_LABEL_SIZE 64
#define NPU_LABEL_MAGIC "NPUTENS1"

struct npu_label {
	struct npu_tensor tensor;	/* name is not stored */
	uint16_t index;			/* index of this tensor in its frame */
	uint16_t count;			/* tensors per frame, >= 1 */
};

/* Writes *l as 64 bytes.  A scale of 0 ("not quantised") is written as 1.
 * Fails with NPU_EUSAGE for a label that npu_label_decode() would refuse. */
int npu_label_encode(const struct npu_label *l, uint8_t out[NPU_LABEL_SIZE],
    struct npu_err *err);
/* Reads a label from 64 bytes.  Fails with NPU_EFORMAT for any byte that
 * npu-tensor(5) does not allow. */
int npu_label_decode(const uint8_t in[NPU_LABEL_SIZE], struct npu_label *l,
    struct npu_err *err);

/* ---- Text as CLIP reads it ------------------------------------------- */

#define NPU_CLIP_LENGTH 77	/* ids in a row of CLIP */
#define NPU_CLIP_START 49406
#define NPU_CLIP_END 49407
#define NPU_TEXT_MAX (64 << 20)	/* bytes of one text */

/* CLIP's vocabulary.  It is constant, so threads may share it. */
struct npu_bpe;
/* The working memory of one thread: buffers, and words seen before. */
struct npu_tokenizer;

/*
 * Reads a vocabulary from the n bytes of the file bpe_simple_vocab_16e6.txt,
 * plain or gzip.  The bytes may be freed afterwards.  Fails with NPU_EFORMAT,
 * naming the line.
 */
int npu_bpe_open(struct npu_bpe **bpe, const void *file, size_t n,
    struct npu_err *err);
/* Close the tokenizers that use the vocabulary first. */
void npu_bpe_close(struct npu_bpe *bpe);

/* Returns CLIP's own vocabulary, compiled into this library.  Do not close
 * it. */
const struct npu_bpe *npu_bpe_clip(void);

/* Returns the SHA-256 of the vocabulary's text, after gunzip, in
 * hexadecimal. */
const char *npu_bpe_sha256(const struct npu_bpe *bpe);

/*
 * Writes the token of an id as in the vocabulary's file, such as "cat</w>": a
 * string in UTF-8 of less than NPU_TOKEN_SIZE bytes.  Fails with NPU_EUSAGE for
 * an id outside the vocabulary.
 */
#define NPU_TOKEN_SIZE 520
int npu_token(const struct npu_bpe *bpe, int32_t id,
    char token[NPU_TOKEN_SIZE], struct npu_err *err);

/* Fails with NPU_EUSAGE if the vocabulary is NULL. */
int npu_tokenizer_open(struct npu_tokenizer **tokenizer,
    const struct npu_bpe *bpe, struct npu_err *err);
void npu_tokenizer_close(struct npu_tokenizer *tokenizer);

/* Sets whether npu_encode() reads "<|startoftext|>" and "<|endoftext|>" in a
 * text as single tokens, as CLIP does (the default), or as plain characters. */
void npu_tokenizer_special(struct npu_tokenizer *tokenizer, bool special);

/* Returns the number of bytes before the first byte that is not valid UTF-8; n
 * if all n bytes of text are valid. */
size_t npu_utf8_valid(const char *text, size_t n);

/*
 * Makes the text that CLIP's tokenizer splits into words: repaired as by ftfy
 * 6.3.1, HTML references replaced, white space folded, in lower case.  *clean
 * points to *bytes bytes of UTF-8, without a NUL, which belong to the tokenizer
 * and are valid until its next call.  Input and errors are as for npu_encode().
 */
int npu_clean(struct npu_tokenizer *tokenizer, const char *text, size_t n,
    const char **clean, size_t *bytes, struct npu_err *err);

/*
 * Encodes a text of n bytes as ids, including NPU_CLIP_START and NPU_CLIP_END,
 * never cut short.  *id points to *ids ids, which belong to the tokenizer and
 * are valid until its next call.  Bytes that are not UTF-8 are read as U+FFFD.
 * Fails with NPU_EUSAGE for more than NPU_TEXT_MAX bytes.
 */
int npu_encode(struct npu_tokenizer *tokenizer, const char *text, size_t n,
    const int32_t **id, size_t *ids, struct npu_err *err);

/* Makes a text encoder's input: n ids in a row of length >= 2, padded with 0.
 * Returns true if the ids do not fit; the row then ends with NPU_CLIP_END. */
bool npu_clip_row(const int32_t *id, size_t n, int32_t *row, size_t length);

/*
 * Makes the text of n ids, or of a row from npu_clip_row(): the words as CLIP
 * read them, separated by one space.  *text points to *bytes bytes of UTF-8,
 * without a NUL, which belong to the tokenizer and are valid until its next
 * call.  Fails with NPU_EUSAGE for an id outside the vocabulary.
 */
int npu_decode(struct npu_tokenizer *tokenizer, const int32_t *id, size_t n,
    const char **text, size_t *bytes, struct npu_err *err);

/* ---- What a model file describes ------------------------------------- */

/* The description of a .cix file, or of an ONNX file without open sizes other
 * than first dimensions, which are 1.  Reading it needs neither a device nor a
 * vendor's library.  It is constant, so threads may share it. */
struct npu_model;

/*
 * Reads the file at path, with all the checks of npu_open().  No folders are
 * searched.  Messages begin with the path.  Fails with NPU_EFORMAT if the file
 * is not a valid model, with NPU_EUSAGE if path is NULL or empty.
 */
int npu_model_open(struct npu_model **model, const char *path,
    struct npu_err *err);
void npu_model_close(struct npu_model *model);

/*
 * Return the model's own name; its target, such as "X2_1204"; and the version
 * of the compiler that made it, such as "5.0.9".  A model for "emulator" does
 * not run on an NPU, and its compiler is "".  All are valid until
 * npu_model_close().
 */
const char *npu_model_name(const struct npu_model *model);
const char *npu_model_target(const struct npu_model *model);
const char *npu_model_compiler(const struct npu_model *model);

uint32_t npu_model_inputs(const struct npu_model *model);
uint32_t npu_model_outputs(const struct npu_model *model);
/*
 * Return input or output i, in model order, valid until npu_model_close(); NULL
 * if i is too large.  All members are as in the file: npu_input() and
 * npu_output() return the library's values.
 */
const struct npu_tensor *npu_model_input(const struct npu_model *model,
    uint32_t i);
const struct npu_tensor *npu_model_output(const struct npu_model *model,
    uint32_t i);

/* ---- A model on a device --------------------------------------------- */

#define NPU_DEFAULT_NODE "/dev/aipu"

enum npu_device {
	NPU_DEVICE_AUTO = 0,	/* the NPU; the emulator on a machine with
				   neither a device node nor a library */
	NPU_DEVICE_NPU,		/* never the emulator */
	NPU_DEVICE_EMU		/* only the emulator */
};

enum npu_provider {
	NPU_PROVIDER_CPU = 0,
	NPU_PROVIDER_ZHOUYI
};

/* The names of options in messages, for a program with names of its own, such
 * as "--library".  NULL: the names of this header. */
struct npu_names {
	const char *library;	/* npu_options.library */
	const char *emulator;	/* npu_options.emulator */
	const char *device_npu;	/* NPU_DEVICE_NPU */
	const char *device_emu;	/* NPU_DEVICE_EMU */
	const char *dims;	/* npu_options.dims */
	const char *threads;	/* npu_options.threads */
	const char *provider;	/* npu_options.provider */
};

/* The size of a dimension that an ONNX model leaves open.  name: the name of
 * the dimension in the file, or "INPUT:AXIS". */
struct npu_dim {
	const char *name;
	uint32_t size;
};

struct npu_options {
	const char *library;	/* path of libnoe.so; NULL: NPU_LIBRARY, or else
				   the search of npu-utils(7) */
	const char *emulator;	/* path of libnoe-emu.so if NPU_LIBRARY is not
				   set; NULL: the file in npu-utils beside
				   libnpu.so or one folder up, or else in
				   PREFIX/lib/npu-utils, for the PREFIX that
				   libnpu was built with, or else as the dynamic
				   loader finds it */
	const char *node;	/* path of the device node; NULL:
				   NPU_DEFAULT_NODE */
	enum npu_device device;
	int32_t timeout_ms;	/* of one inference; 0: 10 s; < 0: none */
	bool reuse_job;		/* run jobs again: one, or as many as the depth
				   of a queue; if the driver hangs on that, each
				   inference gets a fresh job from then on */
	/* Stops a wait when it becomes non-zero; read at least every 100 ms.
	 * NULL: waits cannot be stopped. */
	const volatile sig_atomic_t *stop;
	/* Called with a line that the user may want to read, for example that
	 * the emulator replaces the NPU; NULL: such lines are dropped. */
	void (*note)(void *arg, const char *line);
	void *note_arg;
	const struct npu_names *names;	/* read by npu_open() only; may be
					   NULL */
	/* Of ONNX models only: sizes of open dimensions, and threads of ONNX
	 * Runtime in each inference (0: 1).  Read by npu_open() only. */
	const struct npu_dim *dims;
	size_t n_dims;
	uint32_t threads;
	/* Of ONNX models only: whether ONNX Runtime computes on the processor,
	 * or on the NPU, by the vendor's provider zhouyi. */
	enum npu_provider provider;
	bool fallback;		/* nodes that zhouyi does not take run on the
				   processor */
	const char *cache;	/* of zhouyi: the compiled model, made if it
				   does not exist; NULL: none */
};

struct npu;			/* a model loaded on a device */

/*
 * Loads the .cix file or ONNX file at path model.  An ONNX model runs on the
 * processor, in the emulator, even if NPU_LIBRARY names a vendor's library; its
 * open sizes must be in opt, except for first dimensions, which are 1.  No
 * folders are searched.  opt may be NULL.  Messages begin with the path.  Fails
 * with NPU_EUSAGE if model is NULL, if the name of a file is empty, or if the
 * device is not in enum npu_device.
 *
 * The whole file is validated before the vendor library reads it, through the
 * same open file; a file that was written to in the meantime is refused.
 *
 * Call npu_close() before exit(): the vendor library aborts a process that
 * exits with a model loaded.  The vendor library also prints to file descriptor
 * 1, so move your data to another descriptor first (libnpu(3)).
 *
 * While one thread is in npu_open() or npu_close(), no other thread may be in
 * any function below, for any model: libnpu has no lock, and the vendor
 * library's behaviour is then unknown.
 */
int npu_open(struct npu **npu, const char *model,
    const struct npu_options *opt, struct npu_err *err);
/* Closes the model.  While a queue is open on the model, the model stays open
 * for it, and npu_queue_close() closes both. */
void npu_close(struct npu *npu);

uint32_t npu_inputs(const struct npu *npu);
uint32_t npu_outputs(const struct npu *npu);
/*
 * Return input or output i, in model order, valid until npu_close(); NULL if i
 * is too large.  Type, size, scale and zero point come from the library; name
 * and shape come from the file if it has them and they agree with type and
 * size.
 */
const struct npu_tensor *npu_input(const struct npu *npu, uint32_t i);
const struct npu_tensor *npu_output(const struct npu *npu, uint32_t i);
/* Return the bytes of all inputs, or of all outputs, one after the other in
 * model order. */
uint64_t npu_input_size(const struct npu *npu);
uint64_t npu_output_size(const struct npu *npu);

/*
 * Runs one inference and waits for it: reads npu_input_size() bytes at in,
 * writes npu_output_size() bytes at out.  Fails with NPU_EUSAGE if either is
 * NULL, or in any thread but the thread that called npu_open(): the vendor
 * library reports a job's end to the thread that submitted it.
 *
 * After NPU_ETIMEOUT the job gets one more second to end, and another second at
 * each later call, which fails with NPU_EDEVICE while the job still runs.
 * NPU_ENODEV: the device is gone, and later calls will also fail.
 */
int npu_run(struct npu *npu, const void *in, void *out, struct npu_err *err);

/* Makes a job and frees it without running it, to learn whether the device has
 * room for one. */
int npu_probe(struct npu *npu, struct npu_err *err);

/*
 * Nanoseconds that the stages of the last npu_run() or npu_queue_get() took.
 * infer lasts from submission to end; in a queue, without the time behind other
 * jobs.  create and clean are 0 for a reused job.
 */
struct npu_times {
	uint64_t create, load, infer, get, clean;
};
const struct npu_times *npu_last_times(const struct npu *npu);

/* Nanoseconds that npu_open() spent in the vendor library: to open the device,
 * and to load the model. */
struct npu_startup {
	uint64_t init, load;
};
const struct npu_startup *npu_startup_times(const struct npu *npu);

/* ---- Several in flight ----------------------------------------------- */

#define NPU_QUEUE_MAX 64

/*
 * A queue keeps up to depth inferences in flight (0: 3): the next inference is
 * prepared while another one runs.  Use it only in the thread that called
 * npu_open().  A model has one queue at a time, and no npu_run() while the
 * queue is open.  Another thread, a second queue and npu_run() fail with
 * NPU_EUSAGE.
 */
struct npu_queue;
int npu_queue_open(struct npu_queue **queue, struct npu *npu, unsigned depth,
    struct npu_err *err);

/*
 * Starts an inference with a copy of npu_input_size() bytes at in, without
 * waiting for others.  A failure of the inference is returned by the
 * npu_queue_get() that returns its result.  This call fails only with
 * NPU_EUSAGE, if the queue is full, in is NULL or another thread opened the
 * model, and with NPU_ESTOPPED (see npu_queue_get()); then nothing was started.
 */
int npu_queue_put(struct npu_queue *queue, const void *in,
    struct npu_err *err);

/*
 * npu_queue_full() returns whether depth inferences, or as many as the device
 * has memory for, were put and not yet got; npu_queue_length() returns how
 * many.  If an inference does not fit because the device has memory for fewer
 * than depth, npu_options.note is called.  This inference, and any that are put
 * nevertheless, begin when others have been got.  Another program may have held
 * the memory, so one more inference is tried after 100 inferences; each time it
 * does not fit, after twice as many.
 */
bool npu_queue_full(const struct npu_queue *queue);
unsigned npu_queue_length(const struct npu_queue *queue);

/* Returns whether the oldest inference has ended, with or without success.  If
 * it has, npu_queue_get() will not wait. */
bool npu_queue_ready(struct npu_queue *queue);
/*
 * Does the same after sleeping until the oldest inference has ended, for at
 * most ms milliseconds and at most 100; call it again as needed.  The end of
 * another inference ends the sleep early.  Only npu_queue_get() applies the
 * timeout.
 */
bool npu_queue_wait(struct npu_queue *queue, int32_t ms);

/*
 * Waits for the oldest inference and writes its npu_output_size() bytes to out.
 * A failure concerns that inference only, and the queue continues, with three
 * exceptions:
 *   NPU_ENODEV    the device is gone; every later get fails likewise.
 *   NPU_ESTOPPED  npu_options.stop is set; the inference stays in the queue and
 *                 can be got when stop is 0 again.
 *   NPU_EUSAGE    the queue is empty, out is NULL, or another thread opened
 *                 the model.
 *
 * npu_options.timeout_ms counts from when an inference could run: from its put
 * or, if that is later, from the end of the inference before it, as seen by
 * npu_queue_get() or npu_queue_ready(), or from the time at which that one was
 * given up.  An inference that has ended when it is checked has not timed out,
 * however late the check is.
 *
 * An inference that was given up may still run.  If it ends later, the time of
 * the next inference counts from then.  While depth such inferences still run,
 * each put gives them one more second; if they run on, the new inference fails
 * with NPU_EDEVICE.
 */
int npu_queue_get(struct npu_queue *queue, void *out, struct npu_err *err);

/* Gives jobs that are in flight, or were given up and still run, one second to
 * end.  Their results are lost. */
void npu_queue_close(struct npu_queue *queue);

/* ---- The library ----------------------------------------------------- */

/* Returns NPU_VERSION of the library in use, which may differ from NPU_VERSION
 * in the header that the program was compiled with. */
const char *npu_version(void);

/* Return the path of the library in use, and whether it is the emulator. */
const char *npu_library(const struct npu *npu);
bool npu_is_emulator(const struct npu *npu);

#ifdef __cplusplus
}
#endif
#endif
