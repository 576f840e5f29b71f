/* SPDX-License-Identifier: Apache-2.0 */
/* What the APIs of embeddings have in common: inputs from JSON, and vectors. */
#ifndef NPU_SERVE_EMBED_H
#define NPU_SERVE_EMBED_H

#include "base/json.h"
#include "serving/json_in.h"
#include "request.h"

enum modality { BY_INPUT, TEXT_ONLY, IMAGE_ONLY };

/* Parses the body into r->document; 0 or an HTTP status. */
unsigned embed_open(struct request *r, struct npu_err *err);

/* Finds the model that the member "model" names; where it may be left out, the
 * first of vectors is meant. */
unsigned embed_model(struct request *r, bool optional, struct npu_err *err);
/* The same for a name, NULL: the first. */
unsigned embed_model_called(struct request *r, const char *name,
    struct npu_err *err);

/*
 * Makes r->item from a value: a text, or a picture as a data: URL; a list of
 * ids; a list of these.  With IMAGE_ONLY a string may be a picture's base64
 * without the head of a URL.
 */
unsigned embed_input(struct request *r, const struct json_in *input,
    enum modality modality, struct npu_err *err);

/* Makes r->item[i] from a string alone, a text or a picture; for an API that
 * has its inputs in another form, after embed_items(). */
unsigned embed_items(struct request *r, size_t n, struct npu_err *err);
unsigned embed_string(struct request *r, size_t i, struct bytes text,
    enum modality modality, struct npu_err *err);

/* Room for a vector of the request's model; NULL with *err. */
float *embed_room(const struct request *r, struct npu_err *err);
/* Writes x as a list of numbers, as clip-embed does. */
void embed_write(struct json *j, const float *x, size_t n);
/* Writes all vectors, each by write(), which ends with i; 0 or a negative
 * npu_code. */
int embed_write_all(struct request *r, struct json *j,
    void (*write)(struct request *r, struct json *j, size_t i,
    const float *x), struct npu_err *err);
/* write: the list of numbers alone. */
void embed_write_plain(struct request *r, struct json *j, size_t i,
    const float *x);
/* Writes a list of the models of vectors, each by write(). */
void embed_write_models(const struct request *r, struct json *j,
    void (*write)(struct json *j, const struct model_name *m));
/* Ids of all texts. */
size_t embed_tokens(const struct request *r);

#endif
