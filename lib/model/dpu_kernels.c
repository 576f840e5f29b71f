// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/dpu_kernels.h"

/* The path to the kernels. */
static const char *const path[] = { "project", "platform", "device", "core" };
enum { PATH = sizeof(path) / sizeof(*path) };

struct reader {
	XML_Parser parser;
	struct dpu_kernels *k;
	unsigned depth;		/* of the open element */
	unsigned matched;	/* open elements that are on the path */
	bool passed[PATH];	/* the first element of the name has begun */
	bool in_kernel;
	bool no_memory;
	bool declares;		/* the document type has declarations */
	char encoding[40];	/* an unknown encoding, or "" */
};

/* ---- Memory ------------------------------------------------------------ */

static void *
stop(struct reader *r)
{
	r->no_memory = true;
	XML_StopParser(r->parser, XML_FALSE);
	return NULL;
}

/* Makes room for one more item at the end of a list of n items. */
static void *
grown(struct reader *r, void *list, size_t n, size_t size)
{
	/* The list grows where n is a power of two. */
	if ((n & (n - 1)) != 0)
		return list;
	if ((list = reallocarray(list, n == 0 ? 1 : 2 * n, size)) == NULL)
		return stop(r);
	return list;
}

/* Returns a copy of the attribute, or NULL. */
static char *
attribute(struct reader *r, const char **attributes, const char *name)
{
	char *copy;

	for (; *attributes != NULL; attributes += 2)
		if (strcmp(*attributes, name) == 0) {
			copy = strdup(attributes[1]);
			return copy != NULL ? copy : stop(r);
		}
	return NULL;
}

/* ---- Elements ---------------------------------------------------------- */

static void
add_kernel(struct reader *r, const char **attributes)
{
	struct dpu_kernels *k = r->k;
	struct dpu_kernel *list = grown(r, k->kernel, k->n, sizeof(*list));

	if (list == NULL)
		return;
	k->kernel = list;
	k->kernel[k->n++] = (struct dpu_kernel){
	    .name = attribute(r, attributes, "name"),
	    .type = attribute(r, attributes, "type") };
	r->in_kernel = true;
}

static void
add_argument(struct reader *r, struct dpu_kernel *k, const char **attributes)
{
	struct dpu_argument *list = grown(r, k->argument, k->arguments,
	    sizeof(*list));

	if (list == NULL)
		return;
	k->argument = list;
	k->argument[k->arguments++] = (struct dpu_argument){
	    .name = attribute(r, attributes, "name"),
	    .id = attribute(r, attributes, "id"),
	    .offset = attribute(r, attributes, "offset"),
	    .size = attribute(r, attributes, "size"),
	    .host_size = attribute(r, attributes, "hostSize"),
	    .qualifier = attribute(r, attributes, "addressQualifier"),
	    .type = attribute(r, attributes, "type") };
}

static void
add_instance(struct reader *r, struct dpu_kernel *k, const char **attributes)
{
	char **list = grown(r, k->instance, k->instances, sizeof(*list));

	if (list == NULL)
		return;
	k->instance = list;
	k->instance[k->instances++] = attribute(r, attributes, "name");
}

/* Adds a child of the last kernel. */
static void
add_part(struct reader *r, const char *name, const char **attributes)
{
	struct dpu_kernel *k = &r->k->kernel[r->k->n - 1];

	if (strcmp(name, "arg") == 0) {
		add_argument(r, k, attributes);
	} else if (strcmp(name, "instance") == 0) {
		add_instance(r, k, attributes);
	} else if (strcmp(name, "extended-data") == 0 && !k->extended) {
		k->extended = true;
		k->id = attribute(r, attributes, "dpu_kernel_id");
		k->functional = attribute(r, attributes, "functional");
	}
}

/* Follows the path: at each level, only the first element of the name. */
static void
follow(struct reader *r, const char *name)
{
	if (r->depth != r->matched || r->passed[r->depth] ||
	    strcmp(name, path[r->depth]) != 0)
		return;
	r->passed[r->depth] = true;
	r->matched++;
	r->k->core = r->matched == PATH;
}

static void
begin(void *arg, const char *name, const char **attributes)
{
	struct reader *r = arg;

	if (r->depth < PATH)
		follow(r, name);
	else if (r->matched == PATH && r->depth == PATH &&
	    strcmp(name, "kernel") == 0)
		add_kernel(r, attributes);
	else if (r->in_kernel && r->depth == PATH + 1)
		add_part(r, name, attributes);
	r->depth++;
}

static void
end(void *arg, const char *name)
{
	struct reader *r = arg;

	(void)name;
	r->depth--;
	if (r->matched > r->depth)
		r->matched = r->depth;
	if (r->depth == PATH)
		r->in_kernel = false;
}

/* Stops at <!DOCTYPE name [ declarations ]>: entities within entities overrun
 * the stack of libexpat before 2.7, and a default value is copied for each
 * element. */
static void
document_type(void *arg, const char *name, const char *system,
    const char *public, int declares)
{
	struct reader *r = arg;

	(void)name;
	(void)system;
	(void)public;
	if (!declares)
		return;
	r->declares = true;
	XML_StopParser(r->parser, XML_FALSE);
}

/* Handles an encoding that libexpat does not know. */
static int
unknown_encoding(void *arg, const XML_Char *name, XML_Encoding *unused)
{
	struct reader *r = arg;

	(void)unused;
	snprintf(r->encoding, sizeof(r->encoding), "%s", name);
	return XML_STATUS_ERROR;
}

/* ---- A document -------------------------------------------------------- */

static int
refuse(const struct reader *r, struct npu_err *err)
{
	unsigned long line = XML_GetCurrentLineNumber(r->parser);
	unsigned long column = XML_GetCurrentColumnNumber(r->parser) + 1;

	if (r->encoding[0] != '\0')
		return npu_fail(err, NPU_EFORMAT, "line %lu, column %lu: the "
		    "encoding '%s' is not UTF-8, UTF-16, ISO-8859-1 or "
		    "US-ASCII", line, column, r->encoding);
	return npu_fail(err, NPU_EFORMAT, "line %lu, column %lu: %s", line,
	    column, r->declares ? "a document type with declarations, which "
	    "are not read" : XML_ErrorString(XML_GetErrorCode(r->parser)));
}

static int
parse(struct reader *r, struct bytes xml, struct npu_err *err)
{
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, begin, end);
	XML_SetStartDoctypeDeclHandler(r->parser, document_type);
	XML_SetUnknownEncodingHandler(r->parser, unknown_encoding, r);
	if (XML_Parse(r->parser, (const char *)xml.p, (int)xml.n, 1) ==
	    XML_STATUS_OK)
		return 0;
	if (r->no_memory || XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return refuse(r, err);
}

int
dpu_kernels_read(struct dpu_kernels *k, struct bytes xml,
    struct npu_err *err)
{
	struct reader r = { .k = k };
	int rc;

	*k = (struct dpu_kernels){ .n = 0 };
	if (xml.n > 0)
		xml.n = strnlen((const char *)xml.p, xml.n);
	if (xml.n > DPU_KERNELS_BYTES)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes of XML are more "
		    "than the %d that are read", xml.n, DPU_KERNELS_BYTES);
	if ((r.parser = XML_ParserCreate(NULL)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = parse(&r, xml, err);
	XML_ParserFree(r.parser);
	return rc;
}

static void
free_argument(struct dpu_argument *a)
{
	free(a->name);
	free(a->id);
	free(a->offset);
	free(a->size);
	free(a->host_size);
	free(a->qualifier);
	free(a->type);
}

static void
free_kernel(struct dpu_kernel *k)
{
	for (size_t i = 0; i < k->arguments; i++)
		free_argument(&k->argument[i]);
	for (size_t i = 0; i < k->instances; i++)
		free(k->instance[i]);
	free(k->argument);
	free(k->instance);
	free(k->name);
	free(k->type);
	free(k->id);
	free(k->functional);
}

void
dpu_kernels_free(struct dpu_kernels *k)
{
	for (size_t i = 0; i < k->n; i++)
		free_kernel(&k->kernel[i]);
	free(k->kernel);
	*k = (struct dpu_kernels){ .n = 0 };
}

bool
dpu_kernel_counts(const struct dpu_kernel *k)
{
	return k->extended || (k->type != NULL && strcmp(k->type, "dpu") == 0);
}

bool
dpu_is_pointer(uint64_t qualifier)
{
	return qualifier == 1 || qualifier == 2;
}

bool
dpu_qualifier(const char *text, uint64_t *qualifier)
{
	if (text == NULL || *text == '\0' || text[strspn(text,
	    "0123456789")] != '\0')
		return false;
	errno = 0;
	*qualifier = strtoull(text, NULL, 10);
	return errno != ERANGE;
}

bool
dpu_number(const char *text, uint64_t *number, bool *junk)
{
	char *end;
	uint64_t v;

	if (junk != NULL)
		*junk = false;
	if (*text == '\0') {
		*number = 0;
		return true;
	}
	errno = 0;
	v = strtoull(text, &end, 0);
	if (end == text || errno == ERANGE)
		return false;
	if (junk != NULL)
		*junk = *end != '\0';
	*number = v;
	return true;
}
