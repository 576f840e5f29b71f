// SPDX-License-Identifier: GPL-2.0-only
/* The device node, and the order in which the other parts start and stop. */

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "armchina_aipu.h"
#include "stub.h"

static long
query_cap(struct stub *stub, void __user *to)
{
	struct aipu_cap cap = { .cores = stub->cores };

	return copy_to_user(to, &cap, sizeof(cap)) ? -EFAULT : 0;
}

static long
aipu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct stub *stub = container_of(file->private_data, struct stub,
	    misc);

	switch (cmd) {
	case AIPU_IOCTL_QUERY_CAP:
		return query_cap(stub, (void __user *)arg);
	case _IO('A', 1):
		return aipu_dma_buf_export(PAGE_SIZE);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations aipu_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = aipu_ioctl,
};

int
armchina_aipu_probe(struct platform_device *p_dev, struct stub *stub)
{
	int ret;

	stub->mm.dev = &p_dev->dev;
	ret = aipu_mm_init(&stub->mm);
	if (ret)
		return ret;
	ret = aipu_irq_init(stub);
	if (ret)
		goto no_irq;
	stub->misc.minor = MISC_DYNAMIC_MINOR;
	stub->misc.name = "aipu";
	stub->misc.fops = &aipu_fops;
	ret = misc_register(&stub->misc);
	if (ret)
		goto no_node;
	dev_info(&p_dev->dev, "stub %s, %u cores\n", KMD_VERSION,
	    stub->cores);
	return 0;
no_node:
	aipu_irq_exit(stub);
no_irq:
	aipu_mm_exit(&stub->mm);
	return ret;
}

void
armchina_aipu_remove(struct stub *stub)
{
	misc_deregister(&stub->misc);
	aipu_irq_exit(stub);
	aipu_mm_exit(&stub->mm);
}
