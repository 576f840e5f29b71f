// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "emu/provider.h"

#define ENTRY "OrtSessionOptionsAppendExecutionProvider_Zhouyi"
#define OPERATORS "/usr/share/cix/lib/onnxruntime/operator"

/* The folder for the compiler's files.  The provider reads its name once, so
 * all sessions of the process share it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static unsigned sessions;

/* ---- The folder --------------------------------------------------------- */

static int
choose_folder(struct npu_err *err)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp == NULL || tmp[0] != '/')
		tmp = "/tmp";
	/* The provider may join folder and name without a slash. */
	snprintf(folder, sizeof(folder) - 1, "%s/npu-provider-XXXXXX", tmp);
	if (mkdtemp(folder) != NULL) {
		strcat(folder, "/");
		return 0;
	}
	npu_fail(err, NPU_ESYSTEM, "%s, for the compiler's files: %s", folder,
	    strerror(errno));
	folder[0] = '\0';
	return NPU_ESYSTEM;
}

/* Makes the folder, or makes it again. */
static int
hold_folder(struct npu_err *err)
{
	int rc = 0;

	pthread_mutex_lock(&lock);
	if (folder[0] == '\0')
		rc = choose_folder(err);
	else if (sessions == 0 && mkdir(folder, 0700) < 0)
		rc = npu_fail(err, NPU_ESYSTEM, "%s, for the compiler's files: "
		    "%s", folder, strerror(errno));
	if (rc == 0) {
		sessions++;
		setenv("INTERMIDIATE_PATH", folder, 1);
		if (access(OPERATORS, F_OK) == 0)
			setenv("OPERATOR_PATH", OPERATORS, 0);
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

static int
remove_entry(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	remove(path);
	return 0;
}

void
provider_remove(void)
{
	pthread_mutex_lock(&lock);
	if (--sessions == 0)
		nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	pthread_mutex_unlock(&lock);
}

/* ---- The cache ---------------------------------------------------------- */

/* The provider writes the cache under this name, because its own name must
 * belong to a complete file. */
static void
name_part(const struct noe_emu_onnx *model, char part[PATH_MAX])
{
	snprintf(part, PATH_MAX, "%.4080s.part", model->cache);
}

static bool
is_older(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec != b->st_mtim.tv_sec ?
	    a->st_mtim.tv_sec < b->st_mtim.tv_sec :
	    a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

int
provider_find_cache(const struct noe_emu_onnx *model, const char **file,
    struct npu_err *err)
{
	struct stat cache, own;

	*file = NULL;
	if (model->cache == NULL ||
	    (stat(model->cache, &cache) < 0 && errno == ENOENT))
		return 0;
	if (stat(model->cache, &cache) < 0 || stat(model->file, &own) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s: %s", model->cache,
		    strerror(errno));
	if (is_older(&cache, &own))
		return npu_fail(err, NPU_EUSAGE, "%s is older than the model; "
		    "remove it, and it is made again", model->cache);
	*file = model->cache;
	return 0;
}

int
provider_keep_cache(const struct noe_emu_onnx *model, struct npu_err *err)
{
	char part[PATH_MAX];

	name_part(model, part);
	if (rename(part, model->cache) == 0)
		return 0;
	return npu_fail(err, NPU_ESYSTEM, "%s: %s", model->cache,
	    errno == ENOENT ? "the provider wrote no cache" :
	    strerror(errno));
}

/* ---- Options of the session --------------------------------------------- */

static int
add_entry(const struct ort_runtime *r, void *options, const char *key,
    const char *value, struct npu_err *err)
{
	void *st = r->api.AddSessionConfigEntry(options, key, value);

	return st == NULL ? 0 : ort_fail(r, st, err);
}

/* Asks for a cache in one file.  An old part would be an error. */
static int
add_cache(const struct ort_runtime *r, void *options,
    const struct noe_emu_onnx *model, struct npu_err *err)
{
	char part[PATH_MAX];
	int rc;

	name_part(model, part);
	unlink(part);
	if ((rc = add_entry(r, options, "ep.context_enable", "1", err)) < 0 ||
	    (rc = add_entry(r, options, "ep.context_file_path", part,
	    err)) < 0)
		return rc;
	return add_entry(r, options, "ep.context_embed_mode", "1", err);
}

static int
add_options(const struct ort_runtime *r, void *options,
    const struct noe_emu_onnx *model, bool cached, struct npu_err *err)
{
	int rc;

	if (!model->fallback && (rc = add_entry(r, options,
	    "session.disable_cpu_ep_fallback", "1", err)) < 0)
		return rc;
	if (model->cache == NULL || cached)
		return 0;
	return add_cache(r, options, model, err);
}

int
provider_add(const struct ort_runtime *r, void *options,
    const struct noe_emu_onnx *model, bool cached, struct npu_err *err)
{
	void *(*append)(void *options);
	void *st;
	int rc;

	*(void **)&append = dlsym(r->so, ENTRY);
	if (append == NULL)
		return npu_fail(err, NPU_ENODEV, "this ONNX Runtime does not "
		    "have the provider zhouyi: install the vendor's package "
		    "cix-npu-onnxruntime, and set NPU_ORT to the "
		    "libonnxruntime.so in /usr/share/cix/lib/onnxruntime");
	if ((rc = hold_folder(err)) < 0)
		return rc;
	if ((rc = add_options(r, options, model, cached, err)) == 0 &&
	    (st = append(options)) != NULL)
		rc = ort_fail(r, st, err);
	if (rc < 0)
		provider_remove();
	return rc;
}
