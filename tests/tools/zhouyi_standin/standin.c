// SPDX-License-Identifier: Apache-2.0
/*
 * Stands in for the vendor's ONNX Runtime, in front of the one that STANDIN_ORT
 * names: exports the provider zhouyi and appends what it is asked for to
 * STANDIN_LOG.  Everything runs on the processor.  The entry that forbids this
 * is hidden from the runtime unless STANDIN_FALL is set.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FROM_ARRAY = 8, ENTRY = 130, SLOTS = 160 };

struct base {
	void *const *(*api)(uint32_t version);
	const char *(*version)(void);
};

typedef void *from_array(const void *env, const void *model, size_t n,
    const void *options, void **session);
typedef void *add_entry(void *options, const char *key, const char *value);

void *OrtSessionOptionsAppendExecutionProvider_Zhouyi(void *options);
const struct base *OrtGetApiBase(void);

static const struct base *real;
static void *slots[SLOTS];
static from_array *real_from_array;
static add_entry *real_add_entry;
static char context[4096];

static void
note(const char *fmt, ...)
{
	FILE *f = fopen(getenv("STANDIN_LOG"), "a");
	va_list ap;

	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
}

static void *
record_entry(void *options, const char *key, const char *value)
{
	if (strncmp(key, "ep.", 3) != 0 && strstr(key, "fallback") == NULL)
		return real_add_entry(options, key, value);
	note("%s=%s\n", key, value);
	if (strcmp(key, "ep.context_file_path") == 0)
		snprintf(context, sizeof(context), "%s", value);
	if (strstr(key, "fallback") == NULL || getenv("STANDIN_FALL") == NULL)
		return NULL;
	return real_add_entry(options, key, value);
}

/* The "compiled" model is the model itself. */
static void *
record_session(const void *env, const void *model, size_t n,
    const void *options, void **session)
{
	FILE *f;

	if (context[0] != '\0' && (f = fopen(context, "wx")) != NULL) {
		fwrite(model, 1, n, f);
		fclose(f);
	}
	context[0] = '\0';
	return real_from_array(env, model, n, options, session);
}

static void *const *
api(uint32_t version)
{
	void *const *table = real->api(version);

	if (table == NULL)
		return NULL;
	memcpy(slots, table, sizeof(slots));
	*(void **)&real_from_array = slots[FROM_ARRAY];
	*(void **)&real_add_entry = slots[ENTRY];
	*(from_array **)&slots[FROM_ARRAY] = record_session;
	*(add_entry **)&slots[ENTRY] = record_entry;
	return slots;
}

static const char *
version(void)
{
	return real->version();
}

const struct base *
OrtGetApiBase(void)
{
	static const struct base own = { api, version };
	void *so = dlopen(getenv("STANDIN_ORT"), RTLD_NOW | RTLD_LOCAL);
	const struct base *(*get)(void);

	if (so == NULL)
		return NULL;
	*(void **)&get = dlsym(so, "OrtGetApiBase");
	real = get();
	return &own;
}

void *
OrtSessionOptionsAppendExecutionProvider_Zhouyi(void *options)
{
	const char *operators = getenv("OPERATOR_PATH");
	const char *folder = getenv("INTERMIDIATE_PATH");
	char path[4200];
	struct stat st;
	FILE *f;

	(void)options;
	snprintf(path, sizeof(path), "%ssub", folder);
	if (mkdir(path, 0700) == 0)
		strcat(path, "/file");
	if ((f = fopen(path, "w")) != NULL)
		fclose(f);
	note("append OPERATOR_PATH=%s INTERMIDIATE_PATH=%s written=%d\n",
	    operators != NULL ? operators : "", folder,
	    stat(path, &st) == 0);
	return NULL;
}
