/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of OrtApi that we call: position in the table, name, result and
 * arguments, as in onnxruntime_c_api.h.  Objects of the runtime are void *.  A
 * result of void * is an OrtStatus *, which is NULL on success.
 */
#ifndef EMU_ORT_API_H
#define EMU_ORT_API_H

#include <stddef.h>
#include <stdint.h>

#define ORT_API_VERSION 11	/* in every release since 2022 */

typedef void ort_logger(void *arg, int severity, const char *category,
    const char *id, const char *place, const char *message);

#define ORT_FUNCTIONS(X) \
	X(2, GetErrorMessage, const char *, (const void *status)) \
	X(4, CreateEnvWithCustomLogger, void *, (ort_logger *log, void *arg, \
	    int level, const char *id, void **env)) \
	X(7, CreateSession, void *, (const void *env, const char *file, \
	    const void *options, void **session)) \
	X(8, CreateSessionFromArray, void *, (const void *env, \
	    const void *model, size_t n, const void *options, void **session)) \
	X(9, Run, void *, (void *session, const void *options, \
	    const char *const *in_names, const void *const *in, size_t n_in, \
	    const char *const *out_names, size_t n_out, void **out)) \
	X(10, CreateSessionOptions, void *, (void **options)) \
	X(22, SetSessionLogSeverityLevel, void *, (void *options, int level)) \
	X(23, SetSessionGraphOptimizationLevel, void *, \
	    (void *options, int level)) \
	X(24, SetIntraOpNumThreads, void *, (void *options, int n)) \
	X(25, SetInterOpNumThreads, void *, (void *options, int n)) \
	X(30, SessionGetInputCount, void *, (const void *session, size_t *n)) \
	X(31, SessionGetOutputCount, void *, \
	    (const void *session, size_t *n)) \
	X(33, SessionGetInputTypeInfo, void *, \
	    (const void *session, size_t i, void **info)) \
	X(34, SessionGetOutputTypeInfo, void *, \
	    (const void *session, size_t i, void **info)) \
	X(36, SessionGetInputName, void *, \
	    (const void *session, size_t i, void *allocator, char **name)) \
	X(37, SessionGetOutputName, void *, \
	    (const void *session, size_t i, void *allocator, char **name)) \
	X(39, CreateRunOptions, void *, (void **options)) \
	X(46, RunOptionsSetTerminate, void *, (void *options)) \
	X(49, CreateTensorWithDataAsOrtValue, void *, (const void *memory, \
	    void *p, size_t bytes, const int64_t *dim, size_t ndim, int type, \
	    void **value)) \
	X(51, GetTensorMutableData, void *, (void *value, void **p)) \
	X(55, CastTypeInfoToTensorInfo, void *, \
	    (const void *info, const void **tensor_info)) \
	X(60, GetTensorElementType, void *, (const void *info, int *type)) \
	X(61, GetDimensionsCount, void *, (const void *info, size_t *n)) \
	X(62, GetDimensions, void *, \
	    (const void *info, int64_t *dim, size_t n)) \
	X(64, GetTensorShapeElementCount, void *, \
	    (const void *info, size_t *n)) \
	X(65, GetTensorTypeAndShape, void *, \
	    (const void *value, void **info)) \
	X(69, CreateCpuMemoryInfo, void *, \
	    (int allocator, int type, void **memory)) \
	X(76, AllocatorFree, void *, (void *allocator, void *p)) \
	X(78, GetAllocatorWithDefaultOptions, void *, (void **allocator)) \
	X(93, ReleaseStatus, void, (void *status)) \
	X(95, ReleaseSession, void, (void *session)) \
	X(96, ReleaseValue, void, (void *value)) \
	X(97, ReleaseRunOptions, void, (void *options)) \
	X(98, ReleaseTypeInfo, void, (void *info)) \
	X(99, ReleaseTensorTypeAndShapeInfo, void, (void *info)) \
	X(100, ReleaseSessionOptions, void, (void *options)) \
	X(130, AddSessionConfigEntry, void *, \
	    (void *options, const char *key, const char *value))

struct ort_api {
#define X(slot, name, result, arguments) result (*name) arguments;
	ORT_FUNCTIONS(X)
#undef X
};

#endif
