// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank_groups.h"
#include "cmd.h"
#include "draft.h"
#include "diagnose/xclbin/xclbin.h"
#include "inputs.h"
#include "kernels_json.h"
#include "layout_check.h"
#include "list_bytes.h"
#include "lists_json.h"
#include "mirror.h"
#include "model/axlf_names.h"
#include "pack.h"
#include "partition_json.h"
#include "xclbin/load.h"

struct packing {
	const struct pack_options *o;
	struct draft c;
	struct inputs in;
	bool merged;		/* --add-kernel adds entries to the IP_LAYOUT of
				   the container of --input */
};

/* ---- Sections ---------------------------------------------------------- */

/* Gets the name of a section from the path of its file: the file's name without
 * its folder and extension. */
static void
section_name(const char *path, char name[16])
{
	const char *base = strrchr(path, '/') != NULL ?
	    strrchr(path, '/') + 1 : path;
	const char *dot = strrchr(base, '.');
	size_t n = dot != NULL && dot != base ? (size_t)(dot - base) :
	    strlen(base);

	snprintf(name, 16, "%.*s", (int)(n < 15 ? n : 15), base);
}

static void
read_json(struct packing *p, const struct section_spec *s, struct buf *data)
{
	json_t *root = inputs_json(&p->in, s->file);
	const struct list_form *form = list_form_of(s->kind);
	struct pdi_folder folder = { &p->in, s->file };
	const struct pdi_source pdis = { pdi_folder_load, &folder };
	struct npu_err err;
	int rc;

	if (form != NULL)
		rc = form->from_json(root, form->node, data, &err);
	else
		rc = partition_from_json(root, s->label, &pdis, data, &err);
	json_decref(root);
	if (rc < 0)
		cmd_die_err(cmd_input_name(s->file), &err);
}

static void
add_section(struct packing *p, const struct section_spec *s)
{
	struct buf data = { 0 };
	char name[16];

	if (s->json)
		read_json(p, s, &data);
	else
		inputs_load(&p->in, s->file, &data);
	cmd_check_buf(&data);
	if (data.n == 0) {
		cmd_note("%s: empty; no %s is added", cmd_input_name(s->file),
		    axlf_name(&axlf_kinds, s->kind));
		buf_free(&data);
		return;
	}
	cmd_detail("%s: %zu bytes from %s", axlf_name(&axlf_kinds, s->kind),
	    data.n, cmd_input_name(s->file));
	section_name(s->file, name);
	draft_add(&p->c, s->kind, name, s->label, &data);
}

/* Dies because the section does not exist.  If the file has a section of that
 * kind with a label, the message says so. */
static _Noreturn void
refuse_absent(const struct packing *p, const struct section_spec *s)
{
	const struct draft_section *other = draft_find(&p->c, s->kind);

	if (other == NULL)
		cmd_die("--remove-section: the file has no section %s",
		    section_spec_name(s));
	cmd_die("--remove-section: the file has no section %s without a label, "
	    "but one with the label '%s'", section_spec_name(s), other->label);
}

static void
remove_section(struct packing *p, const struct section_spec *s)
{
	struct draft_section *there = draft_find_label(&p->c, s->kind,
	    s->label);

	if (there == NULL)
		refuse_absent(p, s);
	draft_remove(&p->c, there);
}

/* Replaces the section with this label or, if it does not exist, the section
 * without a label.  If both do not exist, adds a section. */
static void
replace_section(struct packing *p, const struct section_spec *s)
{
	struct draft_section *there = draft_find_label(&p->c, s->kind,
	    s->label);

	if (there == NULL)
		there = draft_find_label(&p->c, s->kind, "");
	if (there != NULL)
		draft_remove(&p->c, there);
	add_section(p, s);
}

static void
add_new_section(struct packing *p, const struct section_spec *s)
{
	if (draft_find_label(&p->c, s->kind, s->label) != NULL)
		cmd_die("--add-section: %s already exists; "
		    "--add-replace-section replaces it", section_spec_name(s));
	add_section(p, s);
}

static void
each(struct packing *p, const struct section_specs *all,
    void (*fn)(struct packing *p, const struct section_spec *s))
{
	for (size_t i = 0; i < all->n; i++)
		fn(p, &all->spec[i]);
}

/* ---- Kernels ----------------------------------------------------------- */

static struct bytes
bytes_of(const struct packing *p, uint32_t kind)
{
	const struct draft_section *s = draft_find(&p->c, kind);

	return s != NULL ? section_bytes(s) : (struct bytes){ NULL, 0 };
}

/* Returns the options that remove the kernels' sections of the container of
 * --input; owned by the caller. */
static char *
options_to_remove(const struct packing *p)
{
	static const uint32_t kinds[] = { AXLF_EMBEDDED_METADATA,
	    AXLF_IP_LAYOUT, AXLF_CONNECTIVITY };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct draft_section *s = draft_find(&p->c, kinds[i]);

		if (s != NULL && !s->made)
			buf_printf(&b, " --remove-section=%s",
			    axlf_name(&axlf_kinds, kinds[i]));
	}
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	return b.p;
}

static void
refuse_kernels_beside(const struct packing *p, uint32_t kind)
{
	const struct draft_section *s = draft_find(&p->c, kind);

	if (s == NULL)
		return;
	if (s->made)
		cmd_die("--add-kernel: adds %s, which another option also "
		    "adds; leave one of the two options out",
		    axlf_name(&axlf_kinds, kind));
	cmd_die("--add-kernel: %s already exists, and kernels are not merged; "
	    "add%s", axlf_name(&axlf_kinds, kind),
	    options_to_remove(p));
}

/* Replaces the bytes of the first section of the kind, or adds a section
 * without a name.  Takes over the bytes of *data; does nothing if it is
 * empty. */
static void
put_section(struct packing *p, uint32_t kind, struct buf *data)
{
	struct draft_section *s = draft_find(&p->c, kind);

	cmd_check_buf(data);
	if (data->n == 0)
		return;
	if (s == NULL) {
		draft_add(&p->c, kind, "", "", data);
		return;
	}
	buf_free(&s->data);
	s->data = *data;
	s->made = true;
	*data = (struct buf){ 0 };
}

/* Sets m_used of each memory in MEM_TOPOLOGY that has a connection. */
static void
mark_used(struct packing *p, const struct buf *connected)
{
	struct draft_section *s = draft_find(&p->c, AXLF_MEM_TOPOLOGY);

	cmd_check_buf(connected);
	for (size_t i = 0; i < connected->n; i++)
		if (connected->p[i] != 0)
			s->data.p[MEMORIES_HEAD + 40 * i + 1] = 1;
}

static void
add_kernels(struct packing *p)
{
	const struct draft_section *layout = draft_find(&p->c, AXLF_IP_LAYOUT);
	struct kernel_sections k;
	struct npu_err err;
	const char *path = NULL;

	refuse_kernels_beside(p, AXLF_EMBEDDED_METADATA);
	refuse_kernels_beside(p, AXLF_CONNECTIVITY);
	p->merged = layout != NULL && !layout->made;
	kernels_begin(&k, bytes_of(p, AXLF_IP_LAYOUT),
	    bytes_of(p, AXLF_MEM_TOPOLOGY));
	for (size_t i = 0; i < p->o->n_kernels; i++) {
		json_t *root;
		int rc;

		path = p->o->kernels[i];
		root = inputs_json(&p->in, path);
		rc = kernels_add(&k, root, &err);
		json_decref(root);
		if (rc < 0)
			cmd_die_err(cmd_input_name(path), &err);
	}
	if (kernels_end(&k, &err) < 0)
		cmd_die_err(cmd_input_name(path), &err);
	put_section(p, AXLF_EMBEDDED_METADATA, &k.xml);
	put_section(p, AXLF_IP_LAYOUT, &k.ips);
	put_section(p, AXLF_CONNECTIVITY, &k.connections);
	mark_used(p, &k.connected);
	kernels_free(&k);
}

/* ---- Groups of memories ------------------------------------------------ */

static void
remove_kind(struct packing *p, uint32_t kind)
{
	struct draft_section *s = draft_find(&p->c, kind);

	if (s != NULL)
		draft_remove(&p->c, s);
}

static void
add_groups(struct packing *p)
{
	struct bytes memories = bytes_of(p, AXLF_MEM_TOPOLOGY);
	struct buf topology = { 0 }, connectivity = { 0 };
	struct npu_err err;

	if (axlf_memory_list(memories).n == 0 ||
	    draft_find(&p->c, AXLF_GROUP_TOPOLOGY) != NULL ||
	    draft_find(&p->c, AXLF_GROUP_CONNECTIVITY) != NULL)
		return;
	if (bank_groups(bytes_of(p, AXLF_CONNECTIVITY), memories,
	    &connectivity, &err) < 0)
		cmd_die_err("GROUP_CONNECTIVITY", &err);
	put_section(p, AXLF_GROUP_CONNECTIVITY, &connectivity);
	buf_add(&topology, memories.p, memories.n);
	put_section(p, AXLF_GROUP_TOPOLOGY, &topology);
}

/* ---- Keys -------------------------------------------------------------- */

static void
set_keys(struct packing *p)
{
	struct buf data = { 0 };
	struct npu_err err;

	if (keys_set(bytes_of(p, AXLF_KEYVALUE_METADATA), p->o->key,
	    p->o->n_keys, &data, &err) < 0)
		cmd_die_err("KEYVALUE_METADATA", &err);
	put_section(p, AXLF_KEYVALUE_METADATA, &data);
}

/* ---- Packing ----------------------------------------------------------- */

static void
begin(struct packing *p)
{
	const char *path = p->o->input;
	struct buf file = { 0 };
	struct npu_err err;

	if (path == NULL) {
		draft_begin(&p->c);
		return;
	}
	if (xclbin_load(path, &file, &err) < 0 || draft_read(&p->c,
	    (struct bytes){ (uint8_t *)file.p, file.n }, &err) < 0)
		cmd_die_err(cmd_visible_name(cmd_input_name(path)), &err);
	/* As in xclbinutil, the output may replace this container. */
	cmd_may_replace_input(path);
	buf_free(&file);
}

void
pack(const struct pack_options *o, struct buf *file)
{
	struct packing p = { .o = o };
	struct buf mirror = { 0 };
	struct npu_err err;

	begin(&p);
	each(&p, &o->remove, remove_section);
	each(&p, &o->replace, replace_section);
	each(&p, &o->add, add_new_section);
	if (o->n_kernels > 0)
		add_kernels(&p);
	if (o->n_kernels > 0 && !o->skip_groups) {
		remove_kind(&p, AXLF_GROUP_TOPOLOGY);
		remove_kind(&p, AXLF_GROUP_CONNECTIVITY);
	}
	if (layout_check(&p.c, p.merged, &err) < 0)
		cmd_die_err(NULL, &err);
	if (!o->skip_groups)
		add_groups(&p);
	if (o->n_keys > 0)
		set_keys(&p);
	stamp_header(&o->stamp, o->input == NULL, &p.in, &p.c);
	mirror_write(&p.c, &mirror);
	draft_write(&p.c, &mirror, o->newline, file);
	buf_free(&mirror);
	draft_free(&p.c);
}

static void
note_fault(const struct health_check *c, const char *name)
{
	/* Advice that is not a command begins with "# ": leave that out. */
	const char *next = c->next + (strncmp(c->next, "# ", 2) == 0 ? 2 : 0);

	cmd_note("%s: cannot run on an NPU: %s: %s%s%s", name, c->name,
	    c->finding, *next != '\0' ? "; next: " : "", next);
}

void
pack_note_faults(const struct buf *file, const char *name)
{
	struct health_check checks[XCLBIN_CHECKS];
	struct npu_err err;

	if (xclbin_check((struct bytes){ (const uint8_t *)file->p, file->n },
	    name, checks, &err) < 0)
		cmd_die_err(NULL, &err);
	for (int i = 0; i < XCLBIN_CHECKS; i++)
		if (checks[i].verdict == HEALTH_FAIL)
			note_fault(&checks[i], name);
}
