// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "frame_job.h"

void
job_free(struct frame_job *job)
{
	if (job == NULL)
		return;
	free(job->in);
	free(job->out);
	free(job);
}

void
jobs_add(struct frame_jobs *l, struct frame_job *job)
{
	job->next = NULL;
	if (l->last != NULL)
		l->last->next = job;
	else
		l->first = job;
	l->last = job;
	l->n++;
}

struct frame_job *
jobs_take(struct frame_jobs *l)
{
	struct frame_job *job = l->first;

	if (job == NULL)
		return NULL;
	l->first = job->next;
	if (l->first == NULL)
		l->last = NULL;
	l->n--;
	return job;
}

bool
jobs_remove(struct frame_jobs *l, const struct frame_job *job)
{
	struct frame_jobs all = *l;
	struct frame_job *next;
	bool found = false;

	*l = (struct frame_jobs){ 0 };
	while ((next = jobs_take(&all)) != NULL)
		if (next == job)
			found = true;
		else
			jobs_add(l, next);
	return found;
}
