// SPDX-License-Identifier: GPL-2.0-only
/* A buffer exported through symbols that a namespace guards. */

#include <linux/dma-buf.h>
#include <linux/fcntl.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "stub.h"

static struct sg_table *
aipu_map_dma_buf(struct dma_buf_attachment *attach,
    enum dma_data_direction dir)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static void
aipu_unmap_dma_buf(struct dma_buf_attachment *attach, struct sg_table *sgt,
    enum dma_data_direction dir)
{
}

static void
aipu_dma_buf_release(struct dma_buf *buf)
{
}

static const struct dma_buf_ops aipu_dma_buf_ops = {
	.map_dma_buf = aipu_map_dma_buf,
	.unmap_dma_buf = aipu_unmap_dma_buf,
	.release = aipu_dma_buf_release,
};

/* Returns a file descriptor, or a negative errno. */
int
aipu_dma_buf_export(size_t bytes)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	struct dma_buf *buf;
	int fd;

	info.ops = &aipu_dma_buf_ops;
	info.size = bytes;
	info.flags = O_RDWR;
	buf = dma_buf_export(&info);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	fd = dma_buf_fd(buf, O_CLOEXEC);
	if (fd < 0)
		dma_buf_put(buf);
	return fd;
}

MODULE_IMPORT_NS(DMA_BUF);
