// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver without a device that makes the vendor's kernel calls, in each form
 * that some kernel no longer accepts.  Bodies are our own; names and calls are
 * those for which npu-kmd looks.
 */

#include <linux/acpi.h>
#include <linux/devfreq.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pm_domain.h>
#include <linux/pm_opp.h>
#include <linux/pm_runtime.h>
#include <linux/scmi_protocol.h>
#include "stub.h"

#define CORES 3

static int CIX_NPU_PD_NUM = CORES;
static struct device *pd_core[CORES];
static struct stub stub;

/* These call functions of CIX's kernels only, and are always compiled. */
static int sky1_npu_devfreq_target(struct device *dev,
    unsigned long *freq, u32 flags)
{
	struct dev_pm_opp *opp = devfreq_recommended_opp(dev, freq, flags);

	if (IS_ERR(opp))
		return PTR_ERR(opp);
	dev_pm_opp_put(opp);
	dev_dbg(dev, "from %lu\n", scmi_device_get_freq(stub.opp_pmdomain));
	return scmi_device_set_freq(stub.opp_pmdomain, *freq);
}

static int sky1_npu_devfreq_init(struct device *dev)
{
	static struct devfreq_dev_profile profile = {
		.target = sky1_npu_devfreq_target,
		.polling_ms = 100,
	};

	stub.opp_pmdomain = dev_pm_domain_attach_by_name(dev, "perf");
	if (IS_ERR_OR_NULL(stub.opp_pmdomain))
		return -EFAULT;
	if (scmi_device_opp_table_parse(stub.opp_pmdomain))
		return -EINVAL;
	return PTR_ERR_OR_ZERO(devm_devfreq_add_device(dev, &profile,
	    DEVFREQ_GOV_USERSPACE, NULL));
}

static int sky1_npu_devfreq_remove(struct device *dev)
{
	dev_pm_opp_remove_table(dev);
	dev_pm_domain_detach(stub.opp_pmdomain, true);
	return 0;
}

int sky1_npu_pm_runtime_put(struct device *dev)
{
	int ret = 0;

	ret = pm_runtime_put(dev);
	if (ret < 0)
		dev_err(dev, "not put: %d\n", ret);

	return ret;
}

static void
stub_priv_init(struct device *dev)
{
	stub.cores = 0;
	device_property_read_u32(dev, "core_mask", &stub.core_mask);
	if (stub.core_mask == 1)
		CIX_NPU_PD_NUM = 1;
}

/* Power and clock, then the rest. */
static int
start(struct platform_device *p_dev)
{
	struct device *dev = &p_dev->dev;
	int ret;

	pm_runtime_get_noresume(dev);
	pm_runtime_set_active(dev);
	pm_runtime_enable(dev);
	stub.irq = platform_get_irq_optional(p_dev, 0);
	ret = armchina_aipu_probe(p_dev, &stub);
	if (ret) {
		pm_runtime_put(dev);
		pm_runtime_disable(dev);
		return ret;
	}
	sky1_npu_pm_runtime_put(dev);
	return 0;
}

/* A core without a _HID is not a device: its pointer here is NULL. */
static int sky1_npu_probe(struct platform_device *p_dev)
{
	struct fwnode_handle *child;
	int i = 0;

	stub_priv_init(&p_dev->dev);
	fwnode_for_each_child_node(p_dev->dev.fwnode, child) {
		if (is_acpi_data_node(child))
			continue;
		if (i == CIX_NPU_PD_NUM)
			break;
		pd_core[i] = bus_find_device_by_fwnode(&platform_bus_type,
		    child);
		pm_runtime_enable(pd_core[i]);
		i++;
	}
	stub.cores = i;
#ifdef CONFIG_ENABLE_DEVFREQ
	if (sky1_npu_devfreq_init(&p_dev->dev))
		return -EFAULT;
#endif
	return start(p_dev);
}

static int sky1_npu_remove(struct platform_device *p_dev)
{
#ifdef CONFIG_ENABLE_DEVFREQ
	sky1_npu_devfreq_remove(&p_dev->dev);
#endif
	armchina_aipu_remove(&stub);
	pm_runtime_disable(&p_dev->dev);

	return 0;
}

static int sky1_npu_runtime_suspend(struct device *dev)
{
	int i, ret;

	for (i = 0; i < stub.cores; i++) {
		ret = pm_runtime_put(pd_core[i]);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int sky1_npu_runtime_resume(struct device *dev)
{
	int i, ret;

	for (i = 0; i < stub.cores; i++) {
		ret = pm_runtime_get_sync(pd_core[i]);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static const struct dev_pm_ops sky1_npu_pm_ops = {
	SET_RUNTIME_PM_OPS(sky1_npu_runtime_suspend, sky1_npu_runtime_resume,
	    NULL)
};

static const struct acpi_device_id aipu_acpi_match[] = {
	{ "CIXH4000", 0 },
	{ }
};
MODULE_DEVICE_TABLE(acpi, aipu_acpi_match);

static struct platform_driver aipu_platform_driver = {
	.probe = sky1_npu_probe,
	.remove = sky1_npu_remove,
	.driver = {
		.name = "armchina",
		.pm = &sky1_npu_pm_ops,
		.acpi_match_table = ACPI_PTR(aipu_acpi_match),
	},
};

module_platform_driver(aipu_platform_driver);
MODULE_DESCRIPTION("npu-utils: what kernels have changed");
MODULE_LICENSE("GPL v2");
