// SPDX-License-Identifier: GPL-2.0-only
/* The addresses the device may use, and a look into a private kernel struct. */

#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/iova.h>
#include <linux/version.h>
#include "stub.h"

/* The start of the struct in drivers/iommu/dma-iommu.c, up to 6.14. */
enum iommu_dma_cookie_type {
	IOMMU_DMA_IOVA_COOKIE,
	IOMMU_DMA_MSI_COOKIE,
};

struct iommu_dma_cookie {
	enum iommu_dma_cookie_type type;
	struct iova_domain iovad;
};

/* Takes, or returns, the top GiB of the first four, which is never used. */
static int aipu_mm_reserved_iova_for_never_map(
    struct aipu_memory_manager *mm, bool flag)
{
	struct iommu_domain *iommu_domain = mm->iommu_domain;
	struct iommu_dma_cookie *cookie = NULL;
	struct iova_domain *iovad = NULL;
	struct iova *iova;

	cookie = iommu_domain->iova_cookie;
	iovad = &cookie->iovad;
	iova = reserve_iova(iovad, 0xc0000000UL >> PAGE_SHIFT,
	    0xffffffffUL >> PAGE_SHIFT);
	if (iova && !flag)
		__free_iova(iovad, iova);
	return iova ? 0 : -ENOMEM;
}

/* 35 bits, or 32 if nothing could be reserved. */
static u64 aipu_mm_add_iova_region(struct aipu_memory_manager *mm)
{
	mm->dev->bus_dma_limit = 0x800000000;
	mm->dma_mask = 35;

	if (aipu_mm_reserved_iova_for_never_map(mm, IOVA_ALLOC)) {
		mm->dma_mask = 32;
		mm->dev->bus_dma_limit = 0xc0000000;
		goto FINISH;
	}
	mm->reserved = true;

FINISH:
	return mm->dev->bus_dma_limit;
}

int
aipu_mm_init(struct aipu_memory_manager *mm)
{
	u64 limit = 0;

	mm->dma_mask = 32;
	mm->iommu_domain = iommu_get_domain_for_dev(mm->dev);
	if (mm->iommu_domain)
		limit = aipu_mm_add_iova_region(mm);
	dev_info(mm->dev, "%u bits, limit 0x%llx\n", mm->dma_mask, limit);
	return dma_set_mask_and_coherent(mm->dev,
	    DMA_BIT_MASK(mm->dma_mask));
}

void
aipu_mm_exit(struct aipu_memory_manager *mm)
{
	if (mm->reserved)
		aipu_mm_reserved_iova_for_never_map(mm, IOVA_FREE);
}
