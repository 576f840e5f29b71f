// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "kernel.h"
#include "model/dpu_arguments.h"
#include "model/xclbin_units.h"
#include "suggest.h"

enum { FIRST_BUFFER = 3 };	/* after the arguments of enum dpu_role */

enum { ADDRESS = 8 };		/* bytes of an address */

/* ---- The kernel -------------------------------------------------------- */

/* Returns true if the part after ':' of the unit's name is the instance. */
static bool
is_instance(const struct xclbin *x, const struct xclbin_unit *u,
    const char *instance)
{
	struct axlf_ip ip = axlf_ip(&x->ips, u->entry);

	return strcmp(strchr(ip.name, ':') + 1, instance) == 0;
}

/* Returns true if the i-th unit is the first unit of its kernel. */
static bool
is_first(const struct xclbin_units *u, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (u->unit[k].kernel == u->unit[i].kernel)
			return false;
	return true;
}

/* Returns "the container has 'A', 'B'"; the caller does not free it, because
 * the program ends. */
static char *
list_kernels(const struct xclbin_units *u)
{
	struct buf b = { 0 };

	buf_puts(&b, "the container has");
	for (size_t i = 0; i < u->n && b.n < 400; i++)
		if (is_first(u, i))
			buf_printf(&b, "%s '%.60s'", i > 0 ? "," : "",
			    u->unit[i].kernel->name);
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	return b.p;
}

static const struct dpu_kernel *
only_kernel(const struct xclbin_units *u, const char *file)
{
	for (size_t i = 1; i < u->n; i++)
		if (is_first(u, i))
			cmd_usage("%s: %s: name one with --kernel", file,
			    list_kernels(u));
	return u->unit[0].kernel;
}

static _Noreturn void
refuse_unknown_kernel(const struct xclbin_units *u, const char *which, size_t n)
{
	struct suggestion s;

	suggest_begin(&s, which, n);
	for (size_t i = 0; i < u->n; i++)
		suggest_try(&s, u->unit[i].kernel->name);
	if (s.best != NULL)
		cmd_usage("--kernel: no kernel is called '%.*s'; did you mean "
		    "'%s'?", (int)n, which, s.best);
	cmd_usage("--kernel: no kernel is called '%.*s'; %s", (int)n, which,
	    list_kernels(u));
}

static _Noreturn void
refuse_unknown_instance(const struct xclbin *x, const struct xclbin_units *u,
    const struct dpu_kernel *k, const char *instance)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < u->n; i++) {
		struct axlf_ip ip = axlf_ip(&x->ips, u->unit[i].entry);

		if (u->unit[i].kernel == k)
			buf_printf(&b, "%s '%s'", b.n > 0 ? "," : "",
			    strchr(ip.name, ':') + 1);
	}
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	cmd_usage("--kernel: kernel '%s' has no instance '%s'; it has%s",
	    k->name, instance, b.p);
}

static const struct dpu_kernel *
named_kernel(const struct xclbin *x, const struct xclbin_units *u,
    const char *which)
{
	const char *colon = strchr(which, ':');
	size_t n = colon != NULL ? (size_t)(colon - which) : strlen(which);
	const struct dpu_kernel *found = NULL;

	for (size_t i = 0; i < u->n; i++) {
		const struct dpu_kernel *k = u->unit[i].kernel;

		if (strlen(k->name) != n || memcmp(k->name, which, n) != 0)
			continue;
		if (colon == NULL || is_instance(x, &u->unit[i], colon + 1))
			return k;
		found = k;
	}
	if (found != NULL)
		refuse_unknown_instance(x, u, found, colon + 1);
	refuse_unknown_kernel(u, which, n);
}

/* ---- Its arguments ----------------------------------------------------- */

static bool
is_pointer(const struct dpu_merged *m)
{
	return dpu_argument_is_pointer(m->first) && m->size >= ADDRESS;
}

/* Returns true if the i-th argument has the right role and kind. */
static bool
argument_fits(const struct dpu_merged *m, size_t i)
{
	if (i >= FIRST_BUFFER)
		return is_pointer(m) && i < FIRST_BUFFER + XDNA_BUFFERS;
	return dpu_argument_role(m->first) == (enum dpu_role)i &&
	    is_pointer(m) == (i == DPU_INSTR);
}

/* Dies because the kernel's arguments are not of the supported form; the
 * message lists the arguments. */
static _Noreturn void
refuse_form(const struct dpu_kernel *k, const struct dpu_arguments *a,
    const char *file)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < a->numbered && b.n < 300; i++)
		buf_printf(&b, "%s%.40s%s", i > 0 ? ", " : "",
		    a->item[i].first->name, is_pointer(&a->item[i]) ? "*" :
		    "");
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	cmd_die("%s: kernel '%s' takes (%s); only kernels that take (opcode, "
	    "instr*, ninstr), and then up to %d buffers, can be run", file,
	    k->name, b.p, XDNA_BUFFERS);
}

/* Returns the end of the register map, which each command contains as a whole.
 * A partial word at its end may not fit into a command, and is left out. */
static uint32_t
map_end(const struct dpu_arguments *a)
{
	uint64_t end = 0;

	for (size_t i = 0; i < a->n; i++)
		if (dpu_merged_end(&a->item[i]) > end)
			end = dpu_merged_end(&a->item[i]);
	return end < XDNA_REGISTERS ? (uint32_t)end : XDNA_REGISTERS;
}

/* Returns the registers of an argument, cut off at the end of the map. */
static struct xdna_register
registers_of(const struct dpu_merged *m, uint32_t map)
{
	uint64_t at = m->offset < map ? m->offset : map;
	uint64_t room = map - at;

	return (struct xdna_register){ (uint32_t)at,
	    (uint32_t)(m->size < room ? m->size : room) };
}

static void
set_registers(const struct dpu_kernel *k, const char *file,
    struct xdna_job *job)
{
	struct dpu_arguments a;
	size_t n;

	if (dpu_arguments_merge(&a, k) < 0)
		cmd_die("out of memory");
	n = a.numbered;
	for (size_t i = 0; i < n; i++)
		if (!argument_fits(&a.item[i], i))
			refuse_form(k, &a, file);
	if (n < FIRST_BUFFER)
		refuse_form(k, &a, file);
	job->registers = map_end(&a);
	job->opcode = registers_of(&a.item[DPU_OPCODE], job->registers);
	job->instr = registers_of(&a.item[DPU_INSTR], job->registers);
	job->ninstr = registers_of(&a.item[DPU_NINSTR], job->registers);
	job->buffers = (unsigned)(n - FIRST_BUFFER);
	for (unsigned i = 0; i < job->buffers; i++)
		job->buffer[i].address = registers_of(&a.item[FIRST_BUFFER + i],
		    job->registers);
	dpu_arguments_free(&a);
}

/* ---- Its PDI ----------------------------------------------------------- */

/* Returns the number in an attribute; 0 if it is missing.  The check of the
 * metadata has made sure that it is a number. */
static uint64_t
attribute_number(const char *text)
{
	uint64_t n = 0;

	if (text != NULL)
		dpu_number(text, &n, NULL);
	return n;
}

static bool
has_kernel(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    uint64_t id)
{
	struct axlf_group group;
	uint64_t n;

	for (uint32_t g = 0; axlf_group(p, pdi, g, &group); g++)
		for (uint32_t i = 0; axlf_number_of(p, &group.kernels, i, &n);
		    i++)
			if (n == id)
				return true;
	return false;
}

static void
set_image(const struct axlf_partition *p, const struct dpu_kernel *k,
    const char *file, struct xdna_job *job)
{
	uint64_t id = attribute_number(k->id);
	uint64_t functional = attribute_number(k->functional);
	struct axlf_pdi pdi;

	if (functional > UINT8_MAX)
		cmd_die("%s: kernel '%s': functional is %" PRIu64 ", more than "
		    "%d", file, k->name, functional, UINT8_MAX);
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		if (has_kernel(p, &pdi, id) &&
		    axlf_image(p, &pdi, &job->pdi)) {
			job->function = (uint8_t)functional;
			job->columns = p->columns;
			job->operations = p->operations;
			return;
		}
	cmd_die("%s: kernel '%s': no PDI has its id 0x%" PRIx64, file, k->name,
	    id);
}

const char *
kernel_choose(const struct xclbin *x, const char *file, const char *which,
    struct xdna_job *job)
{
	const struct dpu_kernel *k;
	struct xclbin_units units;

	if (xclbin_find_units(&units, x) < 0)
		cmd_die("out of memory");
	k = which != NULL ? named_kernel(x, &units, which) :
	    only_kernel(&units, file);
	set_registers(k, file, job);
	set_image(&x->partition, k, file, job);
	return k->name;
}
