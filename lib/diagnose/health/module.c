// SPDX-License-Identifier: Apache-2.0
/* Finds and reads the driver's module for the running kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/gunzip.h"
#include "diagnose/health/impl.h"
#include "host/host.h"
#include "host/platform.h"
#include "host/scan.h"
#include "host/sys.h"
#include "model/kmodule.h"

enum { LIST_SIZE = 16 << 20, PATHS = 512 };

static const char *const names[] = { "aipu", "armchina_npu", "armchina-npu",
    "armchina_npu_r2p0" };
static const char *const ends[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };
static const char *const roots[] = { "/lib/modules", "/usr/lib/modules" };
/* Used by DKMS, packages, manual installation, and kernels that contain the
 * driver (kernel-driver 1). */
static const char *const folders[] = { "updates/dkms", "updates", "extra",
    "kernel/drivers/misc/armchina-npu", "kernel/drivers/misc" };

#define N(a) (sizeof(a) / sizeof(*(a)))

/* ---- Finding the file -------------------------------------------------- */

static bool
is_ours(struct bytes file)
{
	for (size_t i = 0; i < N(names); i++)
		for (size_t k = 0; k < N(ends); k++) {
			size_t n = strlen(names[i]);

			if (file.n == n + strlen(ends[k]) &&
			    bytes_start(file, names[i]) &&
			    memcmp(file.p + n, ends[k], file.n - n) == 0)
				return true;
		}
	return false;
}

/* Returns whether a line of modules.dep or modules.builtin begins with the
 * driver's path; cuts *line to that path. */
static bool
is_our_line(struct bytes *line)
{
	const uint8_t *end = memchr(line->p, ':', line->n), *slash;

	if (end != NULL)
		line->n = (size_t)(end - line->p);
	slash = memrchr(line->p, '/', line->n);
	return is_ours(slash == NULL ? *line : (struct bytes){ slash + 1,
	    line->n - (size_t)(slash + 1 - line->p) });
}

/* Finds the driver's path in one of the kernel's lists; "" if it is not
 * listed. */
static void
find_in_list(const struct health_reader *r, const char *list, char file[PATHS])
{
	char *text;
	struct npu_err err;
	struct bytes b, line;
	int n = host_load_file(r->root, list, LIST_SIZE, &text, &err);

	file[0] = '\0';
	if (n < 0)
		host_note(r->trouble, &err);
	b = (struct bytes){ (uint8_t *)text, n > 0 ? (size_t)n : 0 };
	while (file[0] == '\0' && scan_line(&b, &line))
		if (is_our_line(&line) && line.n < PATHS)
			snprintf(file, PATHS, "%.*s", (int)line.n,
			    (const char *)line.p);
	free(text);
}

/* Looks in the module folders, even if the lists do not have the file. */
static bool
find_in_folders(const struct health_reader *r, const char *folder,
    char path[PATHS])
{
	for (size_t i = 0; i < N(folders); i++)
		for (size_t k = 0; k < N(names) * N(ends); k++) {
			snprintf(path, PATHS, "%s/%s/%s%s", folder, folders[i],
			    names[k / N(ends)], ends[k % N(ends)]);
			if (host_exists(r->root, path, r->trouble))
				return true;
		}
	return false;
}

/* Finds the folder of a release's modules; returns false if it does not
 * exist. */
static bool
find_folder(const struct health_reader *r, const char *release,
    char folder[PATHS])
{
	/* The release must be a single component of a path. */
	if (*release == '\0' || *release == '.' ||
	    strchr(release, '/') != NULL)
		return false;
	for (size_t i = 0; i < N(roots); i++) {
		snprintf(folder, PATHS, "%s/%.100s", roots[i], release);
		if (host_exists(r->root, folder, r->trouble))
			return true;
	}
	return false;
}

/* Finds the module's path, or "built in"; returns false if there is neither. */
static bool
find_file(const struct health_reader *r, const char *folder, char path[PATHS])
{
	char list[PATHS], file[PATHS];

	snprintf(list, sizeof(list), "%.200s/modules.dep", folder);
	find_in_list(r, list, file);
	if (file[0] != '\0') {
		snprintf(path, PATHS, "%s%.200s%s%.250s", "", *file == '/' ?
		    "" : folder, *file == '/' ? "" : "/", file);
		if (host_exists(r->root, path, r->trouble))
			return true;
	}
	if (find_in_folders(r, folder, path))
		return true;
	snprintf(list, sizeof(list), "%.200s/modules.builtin", folder);
	find_in_list(r, list, file);
	snprintf(path, PATHS, "built in");
	return file[0] != '\0';
}

/* ---- Reading the file -------------------------------------------------- */

static bool
imports(const struct kmodule *m, const char *name)
{
	const char *s = m->imports;
	size_t n = strlen(name);

	for (; (s = strstr(s, name)) != NULL; s += n)
		if ((s == m->imports || s[-1] == ' ') &&
		    (s[n] == ',' || s[n] == '\0'))
			return true;
	return false;
}

/* Returns why the kernel would refuse the module, or why the module would
 * silently do nothing (kernel-driver 3).  Returns NULL for a sound module. */
static const char *
fault_of(const struct kmodule *m)
{
	if (!m->linked)
		return "it has no section .gnu.linkonce.this_module, and no "
		    "kernel takes it: an object that was not linked into a "
		    "module";
	if (!m->starts)
		return "it has no init_module and would do nothing: it was "
		    "built without -DMODULE";
	if (m->vermagic[0] == '\0')
		return "it has no vermagic, and no kernel takes it";
	if (strncmp(m->license, "GPL", 3) != 0 &&
	    strncmp(m->license, "Dual ", 5) != 0)
		return "its licence is not the GPL, and the kernel refuses it "
		    "the functions it needs";
	if (m->wants_dma_buf && !imports(m, "DMA_BUF"))
		return "it uses dma-buf without importing DMA_BUF, and the "
		    "kernel refuses it";
	return NULL;
}

static void
describe(const struct health_reader *r, struct bytes b)
{
	struct npu_err err = { .msg = "" };
	struct kmodule m;
	char text[HEALTH_TEXT];

	if (kmodule_parse(b, &m, &err) < 0) {
		snprintf(text, sizeof(text), "%.200s", err.msg);
		health_set_text(r->h, HEALTH_MODULE_FAULT, text);
		return;
	}
	if (fault_of(&m) != NULL)
		health_set_text(r->h, HEALTH_MODULE_FAULT, fault_of(&m));
	m.vermagic[strcspn(m.vermagic, " ")] = '\0';
	health_set_text(r->h, HEALTH_MODULE_FOR, m.vermagic);
}

/* Unpacks gzip with zlib; files packed with xz or zstd are not read. */
static void
unpack(const struct health_reader *r, struct bytes b)
{
	const char *packing = kmodule_compression(b);
	struct npu_err err = { .msg = "" };
	char text[HEALTH_TEXT];
	struct buf out = { 0 };

	if (packing == NULL) {
		describe(r, b);
		return;
	}
	health_set_text(r->h, HEALTH_MODULE_PACKED, packing);
	if (!is_gzip(b))
		return;
	if (gunzip(b, KMODULE_LARGEST, &out, &err) == 0) {
		describe(r, (struct bytes){ (uint8_t *)out.p, out.n });
	} else {
		snprintf(text, sizeof(text), "%.200s", err.msg);
		health_set_text(r->h, HEALTH_MODULE_FAULT, text);
	}
	buf_free(&out);
}

static void
read_file(const struct health_reader *r, const char *path)
{
	struct npu_err err = { .msg = "" };
	char *text;
	int n = host_load_file(r->root, path, KMODULE_LARGEST, &text, &err);

	if (n >= 0)
		unpack(r, (struct bytes){ (uint8_t *)text, (size_t)n });
	else if (err.detail == EACCES || err.detail == EPERM)
		health_set_hidden(r, HEALTH_MODULE_FOR, path);
	else
		host_note(r->trouble, &err);
	free(text);
}

/* Lists the other kernels that the driver was built for. */
static void
read_others(const struct health_reader *r, const char *release)
{
	char folder[PATHS], path[PATHS], text[HEALTH_TEXT] = "";
	struct sys_names found;
	size_t at = 0;

	for (size_t k = 0; k < N(roots) && at == 0; k++) {
		sys_list_names(r->root, roots[k], &found, r->trouble);
		for (size_t i = 0; i < found.n; i++) {
			snprintf(folder, sizeof(folder), "%s/%s", roots[k],
			    found.v[i]);
			if (strcmp(found.v[i], release) != 0 &&
			    at + SYS_NAME + 2 < sizeof(text) &&
			    find_in_folders(r, folder, path))
				at += (size_t)sprintf(text + at, "%s%s",
				    at > 0 ? ", " : "", found.v[i]);
		}
	}
	health_set_text(r->h, HEALTH_MODULE_OTHERS, text);
}

void
health_read_module_file(const struct health_reader *r)
{
	const char *release = r->h->fact[HEALTH_KERNEL].text;
	char folder[PATHS], path[PATHS];

	if (r->h->fact[HEALTH_KERNEL].state != HEALTH_KNOWN)
		return;
	read_others(r, release);
	if (!find_folder(r, release, folder))
		return;
	snprintf(path, sizeof(path), "%.400s/build", folder);
	if (host_exists(r->root, path, r->trouble))
		health_set_text(r->h, HEALTH_KERNEL_HEADERS, path);
	if (!find_file(r, folder, path))
		return;
	health_set_text(r->h, HEALTH_MODULE_FILE, path);
	if (*path == '/')
		read_file(r, path);
}
