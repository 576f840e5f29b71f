// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "change.h"
#include "progress.h"

static uint64_t
file_size(const char *path, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		cmd_die("%s: %s", cmd_visible_name(path), strerror(errno));
	return S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 1;
}

/* With -v, prints what the index contains. */
static void
detail(const char *path, const struct index_map *map)
{
	const struct index_header *h;
	uint64_t n;

	if (map == NULL) {
		cmd_detail("%s: no vectors", path);
		return;
	}
	h = index_map_header(map);
	n = index_rows(map);
	cmd_detail("%s: %" PRIu64 " vector%s of %" PRIu32 " number%s, kind %s, "
	    "norm %s", path, n, n == 1 ? "" : "s", h->dim,
	    h->dim == 1 ? "" : "s", index_kind_name(h->kind),
	    index_norm_name(h->norm));
}

int
change_map(const char *path, struct index_map **map, struct npu_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int rc = 0;

	*map = NULL;
	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (file_size(path, fd) > 0)
		rc = index_map_fd(map, fd, err);
	close(fd);
	if (rc == 0)
		detail(path, *map);
	return rc;
}

/* ---- Rewriting --------------------------------------------------------- */

struct rewriting {
	const char *path;
	bool prune, keep_going;
	struct output out;
	struct buf record;
	uint64_t at;			/* offset of the next record */
	uint64_t kept, gone, damaged;
};

static void
write_out(struct rewriting *w)
{
	cmd_check_buf(&w->record);
	cmd_write(&w->out, w->record.p, w->record.n);
	w->at += w->record.n;
	buf_clear(&w->record);
}

static void
keep_row(struct rewriting *w, const struct index_map *map, uint64_t i)
{
	struct index_row row;
	struct npu_err err;

	if (index_row(map, i, &row, &err) < 0) {
		if (!w->keep_going)
			cmd_die("%s: %s (-k leaves such vectors out)", w->path,
			    err.msg);
		cmd_warn("%s: %s", w->path, err.msg);
		w->damaged++;
	} else if (w->prune && index_row_gone(&row)) {
		w->gone++;
	} else {
		index_put_row(&w->record, index_map_header(map)->dim, w->at,
		    &row);
		write_out(w);
		w->kept++;
	}
}

static void
write_rows(struct rewriting *w, const struct index_map *map)
{
	struct npu_err err;

	if (index_put_header(&w->record, index_map_header(map), &err) < 0)
		cmd_die_err(w->path, &err);
	write_out(w);
	progress_begin("vectors", index_rows(map));
	for (uint64_t i = 0; i < index_rows(map); i++) {
		keep_row(w, map, i);
		progress_update(i + 1);
	}
	progress_end();
}

/* Prints how many vectors were kept and left out.  Only --prune checks whether
 * the files still exist. */
static void
note_rewritten(const struct rewriting *w, uint64_t size)
{
	struct buf left = { 0 };

	if (w->damaged > 0)
		buf_printf(&left, "%" PRIu64 " damaged%s", w->damaged,
		    w->prune ? " and " : "");
	if (w->prune)
		buf_printf(&left, "%" PRIu64 " of files that are gone",
		    w->gone);
	if (left.n > 0)
		buf_puts(&left, " left out, ");
	cmd_check_buf(&left);
	cmd_note("%s: %" PRIu64 " vector%s, %.*s%" PRIu64 " bytes less",
	    w->path, w->kept, num_plural(w->kept), (int)left.n,
	    left.n > 0 ? left.p : "", size > w->at ? size - w->at : 0);
	buf_free(&left);
}

bool
change_rewrite(const char *path, bool prune, bool keep_going)
{
	struct rewriting w = { .path = path, .prune = prune,
	    .keep_going = keep_going };
	struct index_map *map;
	struct npu_err err;
	uint64_t size;
	int fd;

	if ((fd = index_lock(path, &err)) < 0)
		cmd_die_err(path, &err);
	if ((size = file_size(path, fd)) == 0) {
		detail(path, NULL);
		close(fd);
		return true;
	}
	if (index_map_locked(&map, fd, &err) < 0)
		cmd_die_err(path, &err);
	detail(path, map);
	if (index_tail(map) > 0)
		cmd_note("%s: %" PRIu64 " bytes after the last whole record "
		    "left out", path, index_tail(map));
	cmd_open_output(&w.out, path, false);
	write_rows(&w, map);
	cmd_close_output(&w.out);
	index_unmap(map);
	close(fd);
	buf_free(&w.record);
	note_rewritten(&w, size);
	return w.damaged == 0;
}

/* ---- Merging ----------------------------------------------------------- */

void
change_merge(const char *path, const char *other)
{
	struct index_map *map;
	struct index_row row;
	struct npu_err err;
	struct index *ix;
	uint64_t before;

	if (change_map(other, &map, &err) < 0)
		cmd_die_err(other, &err);
	if (map == NULL) {
		cmd_note("%s: empty; nothing to merge", other);
		return;
	}
	if (index_open(&ix, path, index_map_header(map), &err) < 0)
		cmd_die("%s: to merge %s: %s", path, other, err.msg);
	before = index_count(ix);
	progress_begin("vectors", index_rows(map));
	for (uint64_t i = 0; i < index_rows(map); i++) {
		if (index_row(map, i, &row, &err) < 0)
			cmd_die_err(other, &err);
		if (!index_known(ix, &row) && index_add(ix, &row, &err) < 0)
			cmd_die_err(path, &err);
		progress_update(i + 1);
	}
	progress_end();
	cmd_note("%s: added %" PRIu64 " of %" PRIu64 " vector%s of %s", path,
	    index_count(ix) - before, index_rows(map),
	    num_plural(index_rows(map)), other);
	if (index_close(ix, &err) < 0)
		cmd_die_err(path, &err);
	index_unmap(map);
}
