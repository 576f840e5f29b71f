// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "kernel.h"
#include "suggest.h"

/* Entries of IP_LAYOUT: libxrt runs no more. */
enum { MOST_ENTRIES = 128 };

/* Arguments before the buffers. */
enum { OPCODE, INSTR, NINSTR, FIRST_BUFFER };

enum { ADDRESS = 8 };		/* bytes */

/* ---- Which kernel ------------------------------------------------------ */

static uint32_t
entries(const struct xclbin *x)
{
	return x->ips.n < MOST_ENTRIES ? x->ips.n : MOST_ENTRIES;
}

/* Whether IP_LAYOUT has an entry for the kernel; instance NULL: any. */
static bool
has_entry(const struct xclbin *x, const struct dpu_kernel *k,
    const char *instance)
{
	for (uint32_t i = 0; i < entries(x); i++) {
		struct axlf_ip ip = axlf_ip(&x->ips, i);

		if (axlf_ip_is_of(&ip, k->name) && (instance == NULL ||
		    strcmp(strchr(ip.name, ':') + 1, instance) == 0))
			return true;
	}
	return false;
}

static bool
can_run(const struct xclbin *x, const struct dpu_kernel *k)
{
	return dpu_kernel_counts(k) && has_entry(x, k, NULL);
}

/* "the container has 'A', 'B'" */
static char *
list_kernels(const struct xclbin *x)
{
	struct buf b = { 0 };
	const char *comma = "";

	buf_puts(&b, "the container has");
	for (size_t i = 0; i < x->kernels.n && b.n < 400; i++)
		if (can_run(x, &x->kernels.kernel[i])) {
			buf_printf(&b, "%s '%.60s'", comma,
			    x->kernels.kernel[i].name);
			comma = ",";
		}
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	return b.p;
}

static const struct dpu_kernel *
only_kernel(const struct xclbin *x, const char *file)
{
	const struct dpu_kernel *found = NULL, *k = x->kernels.kernel;

	for (size_t i = 0; i < x->kernels.n; i++, k++) {
		if (!can_run(x, k))
			continue;
		if (found != NULL && strcmp(found->name, k->name) != 0)
			cmd_usage("%s: %s: name one with --kernel", file,
			    list_kernels(x));
		found = found == NULL ? k : found;
	}
	if (found == NULL)
		cmd_die("%s: no kernel has an entry in IP_LAYOUT among the "
		    "first %d", file, MOST_ENTRIES);
	return found;
}

static _Noreturn void
unknown_kernel(const struct xclbin *x, const char *which, size_t n)
{
	struct suggestion s;

	suggest_begin(&s, which, n);
	for (size_t i = 0; i < x->kernels.n; i++)
		if (can_run(x, &x->kernels.kernel[i]))
			suggest_try(&s, x->kernels.kernel[i].name);
	if (s.best != NULL)
		cmd_usage("--kernel: no kernel is called '%.*s'; did you mean "
		    "'%s'?", (int)n, which, s.best);
	cmd_usage("--kernel: no kernel is called '%.*s'; %s", (int)n, which,
	    list_kernels(x));
}

static _Noreturn void
unknown_instance(const struct xclbin *x, const struct dpu_kernel *k,
    const char *instance)
{
	struct buf b = { 0 };

	for (uint32_t i = 0; i < entries(x); i++) {
		struct axlf_ip ip = axlf_ip(&x->ips, i);

		if (axlf_ip_is_of(&ip, k->name))
			buf_printf(&b, "%s '%s'", b.n > 0 ? "," : "",
			    strchr(ip.name, ':') + 1);
	}
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	cmd_usage("--kernel: kernel '%s' has no instance '%s'; it has%s",
	    k->name, instance, b.p);
}

static const struct dpu_kernel *
named_kernel(const struct xclbin *x, const char *which)
{
	const char *colon = strchr(which, ':');
	size_t n = colon != NULL ? (size_t)(colon - which) : strlen(which);

	for (size_t i = 0; i < x->kernels.n; i++) {
		const struct dpu_kernel *k = &x->kernels.kernel[i];

		if (k->name == NULL || strlen(k->name) != n ||
		    memcmp(k->name, which, n) != 0 || !can_run(x, k))
			continue;
		if (colon != NULL && !has_entry(x, k, colon + 1))
			unknown_instance(x, k, colon + 1);
		return k;
	}
	unknown_kernel(x, which, n);
}

/* ---- Its arguments ----------------------------------------------------- */

/* The number of an attribute, which the check of metadata has read. */
static uint64_t
number(const char *text)
{
	uint64_t n = 0;

	if (text != NULL)
		dpu_number(text, &n, NULL);
	return n;
}

/* The argument with that id; NULL: the kernel has not so many. */
static const struct dpu_argument *
argument(const struct dpu_kernel *k, uint64_t id)
{
	for (size_t i = 0; i < k->arguments; i++) {
		const struct dpu_argument *a = &k->argument[i];

		if (a->id != NULL && *a->id != '\0' && number(a->id) == id)
			return a;
	}
	return NULL;
}

static bool
is_pointer(const struct dpu_argument *a)
{
	return dpu_is_pointer(strtoul(a->qualifier, NULL, 10)) &&
	    number(a->size) >= ADDRESS;
}

/* Whether an argument is what the i-th must be. */
static bool
fits(const struct dpu_argument *a, unsigned i)
{
	static const char *const names[FIRST_BUFFER][3] = {
		[OPCODE] = { "opcode" },
		[INSTR] = { "instr", "instruct" },
		[NINSTR] = { "ninstr", "nistruct", "ninstruct" },
	};

	if (i >= FIRST_BUFFER)
		return is_pointer(a);
	if (is_pointer(a) != (i == INSTR))
		return false;
	for (size_t n = 0; n < 3 && names[i][n] != NULL; n++)
		if (strcmp(a->name, names[i][n]) == 0)
			return true;
	return false;
}

/* Refuses a kernel of another form: the message lists its arguments. */
static _Noreturn void
refuse_form(const struct dpu_kernel *k, const char *file)
{
	struct buf b = { 0 };
	const struct dpu_argument *a;

	for (uint64_t i = 0; (a = argument(k, i)) != NULL && b.n < 300; i++)
		buf_printf(&b, "%s%.40s%s", i > 0 ? ", " : "", a->name,
		    is_pointer(a) ? "*" : "");
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	cmd_die("%s: kernel '%s' takes (%s); only kernels that take (opcode, "
	    "instr*, ninstr), and then up to %d buffers, can be run", file,
	    k->name, b.p, XDNA_BUFFERS);
}

/* Cannot wrap: the check of metadata has bounded where registers end. */
static struct xdna_register
place(const struct dpu_argument *a)
{
	return (struct xdna_register){ (uint32_t)number(a->offset),
	    (uint32_t)number(a->size) };
}

/* The end of the register map: it is always handed over whole. */
static uint32_t
map_end(const struct dpu_kernel *k)
{
	uint32_t end = 0;

	for (size_t i = 0; i < k->arguments; i++) {
		struct xdna_register r = place(&k->argument[i]);

		if (r.at + r.size > end)
			end = r.at + r.size;
	}
	return end;
}

static void
set_registers(const struct dpu_kernel *k, const char *file,
    struct xdna_job *job)
{
	const struct dpu_argument *a;
	unsigned i;

	for (i = 0; (a = argument(k, i)) != NULL; i++) {
		if (!fits(a, i) || i == FIRST_BUFFER + XDNA_BUFFERS)
			refuse_form(k, file);
		switch (i) {
		case OPCODE: job->opcode = place(a); break;
		case INSTR: job->instr = place(a); break;
		case NINSTR: job->ninstr = place(a); break;
		default:
			job->buffer[i - FIRST_BUFFER].address = place(a);
		}
	}
	if (i < FIRST_BUFFER)
		refuse_form(k, file);
	job->buffers = i - FIRST_BUFFER;
	job->registers = map_end(k);
}

/* ---- Its PDI ----------------------------------------------------------- */

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
	uint64_t id = number(k->id), functional = number(k->functional);
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
	const struct dpu_kernel *k = which != NULL ? named_kernel(x, which) :
	    only_kernel(x, file);

	set_registers(k, file, job);
	set_image(&x->partition, k, file, job);
	return k->name;
}
