// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include "base/mapped_file.h"

/* The page tables of a window of this size in small pages fit in a second-level
 * cache; windows of 1 to 8 MiB are equally fast. */
#define WINDOW ((size_t)2 << 20)

/* Touching a page also maps the pages around it that are in memory, up to this
 * size (fault_around_bytes, mm/memory.c). */
#define AROUND ((size_t)1 << 16)

void
mapped_file_begin(struct mapped_file *w, const void *p, size_t n)
{
	*w = (struct mapped_file){ .p = p, .n = n,
	    .page = (size_t)sysconf(_SC_PAGESIZE) };
}

/* Maps pages.  MADV_POPULATE_READ does the same, but visits each page a second
 * time. */
static void
touch(struct mapped_file *w, size_t end)
{
	const size_t step = w->page > AROUND ? w->page : AROUND;

	for (; w->mapped < end; w->mapped += step)
		(void)*(const volatile uint8_t *)(w->p + w->mapped);
	w->mapped = end;
}

/* Unmaps pages.  A failure does no harm. */
static void
give_back(struct mapped_file *w, size_t end)
{
	end -= end % w->page;
	if (w->keep || end <= w->dropped)
		return;
	madvise((void *)(w->p + w->dropped), end - w->dropped, MADV_DONTNEED);
	w->dropped = end;
}

void
mapped_file_move(struct mapped_file *w, size_t at, size_t n)
{
	size_t end, left;

	if (at >= w->n)
		return;
	end = n < w->n - at ? at + n : w->n;
	left = WINDOW - end % WINDOW;
	give_back(w, at);
	touch(w, left < w->n - end ? end + left : w->n);
}

void
mapped_file_rewind(struct mapped_file *w)
{
	w->keep = true;
	if (w->dropped > 0)
		w->dropped = w->mapped = 0;
}
