/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STUB_H
#define STUB_H

#include <linux/device.h>
#include <linux/iommu.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>

/* The vendor's flags, as used in reserve and in free. */
#define IOVA_ALLOC true
#define IOVA_FREE false

struct aipu_memory_manager {
	struct device *dev;
	struct iommu_domain *iommu_domain;	/* may be NULL */
	u32 dma_mask;				/* bits */
	bool reserved;
};

struct stub {
	struct aipu_memory_manager mm;
	struct miscdevice misc;
	struct device *opp_pmdomain;		/* for devfreq */
	int irq;
	u32 core_mask;		/* from the firmware */
	u32 cores;
};

int sky1_npu_pm_runtime_put(struct device *dev);
int armchina_aipu_probe(struct platform_device *p_dev, struct stub *stub);
void armchina_aipu_remove(struct stub *stub);

int aipu_irq_init(struct stub *stub);
void aipu_irq_exit(struct stub *stub);

int aipu_mm_init(struct aipu_memory_manager *mm);
void aipu_mm_exit(struct aipu_memory_manager *mm);

int aipu_dma_buf_export(size_t bytes);

#endif
