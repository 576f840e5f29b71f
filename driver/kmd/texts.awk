# SPDX-License-Identifier: GPL-2.0-only
#
# The texts that edit.awk inserts into the vendor's files.  Each begins with
# "npu-kmd", which identifies it; the number is a row of kmd/changes.

function text(what, remover) {
	if (what == "devfreq")
		return "#ifdef CONFIG_ENABLE_DEVFREQ /* npu-kmd 8 */\n"
	if (what == "raw")
		return "#if 0 /* npu-kmd 4: MODULE_IMPORT_NS() says it */\n"
	if (what == "remove int")
		return text_remove("\treturn " remover "(p_dev);\n", remover)
	if (what == "remove void")
		return text_remove("\t" remover "(p_dev);\n\treturn 0;\n",
		    remover)
	if (what == "put")
		return text_put()
	if (what == "devices" || what == "nodes")
		return text_cores(what == "devices")
	if (what == "cookie")
		return text_cookie()
	if (what == "iova32")
		return text_iova32()
	print "texts.awk: no text " what >"/dev/stderr"
	failed = 1
	return ""
}

function from(release) {
	sub(/\./, ", ", release)
	return "#if LINUX_VERSION_CODE >= KERNEL_VERSION(" release ", 0)\n"
}

function text_makefile() {
	return "# npu-kmd 8: devfreq needs functions that only CIX's " \
	    "kernels declare\n" \
	    "NPU_KMD_DEVFREQ := $(if $(CONFIG_ARCH_CIX),$(if $(shell " \
	    "grep -s scmi_device_opp_table_parse " \
	    "$(srctree)/include/linux/scmi_protocol.h)," \
	    "-DCONFIG_ENABLE_DEVFREQ))\n"
}

function text_remove(body, remover) {
	return "/* npu-kmd 3: remove() returns nothing since 6.11 */\n" \
	    "#include <linux/version.h>\n" from("6.11") \
	    "static void npu_kmd_remove(struct platform_device *p_dev)\n" \
	    "{\n\t" remover "(p_dev);\n}\n#else\n" \
	    "static int npu_kmd_remove(struct platform_device *p_dev)\n" \
	    "{\n" body "}\n#endif\n\n"
}

function text_namespace(name) {
	return "/* npu-kmd 4: a string since 6.13 */\n" \
	    "#include <linux/version.h>\n" from("6.13") \
	    "MODULE_IMPORT_NS(\"" name "\");\n#else\n" \
	    "MODULE_IMPORT_NS(" name ");\n#endif"
}

function text_put() {
	return "/* npu-kmd 5: pm_runtime_put() returns nothing since 7.0 */\n" \
	    "static int npu_kmd_put(struct device *dev)\n{\n" \
	    "\tpm_runtime_put(dev);\n\treturn 0;\n}\n\n"
}

function text_layout(s) {
	return "/* npu-kmd 6: the first member is gone since 6.15 */\n" \
	    "#include <linux/version.h>\n" \
	    "#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)\n" s "\n#endif"
}

function text_cookie() {
	return "/*\n * npu-kmd 6: the cookie of a domain that gives out " \
	    "addresses; others (identity)\n * have none.  How to tell " \
	    "changed with the layout, in 6.15.\n */\n" from("6.15") \
	    "static struct iommu_dma_cookie *npu_kmd_cookie(struct " \
	    "iommu_domain *domain)\n{\n" \
	    "\tif (!domain || domain->cookie_type != " \
	    "IOMMU_COOKIE_DMA_IOVA)\n\t\treturn NULL;\n" \
	    "\treturn domain->iova_cookie;\n}\n#else\n" \
	    "/* A kernel that has it earlier is an error here. */\n" \
	    "enum { IOMMU_COOKIE_DMA_IOVA };\n" \
	    "static struct iommu_dma_cookie *npu_kmd_cookie(struct " \
	    "iommu_domain *domain)\n{\n" \
	    "\tif (!domain || !(domain->type & __IOMMU_DOMAIN_DMA_API))\n" \
	    "\t\treturn NULL;\n" \
	    "\treturn domain->iova_cookie;\n}\n#endif\n\n"
}

function text_use(indent, domain) {
	return indent "/* npu-kmd 6: it may have none, or another */\n" \
	    indent "cookie = npu_kmd_cookie(" domain ");\n" \
	    indent "if (!cookie)\n" indent "\treturn -ENODEV;"
}

function text_irq() {
	return "/* npu-kmd 7: no thread, so no IRQF_ONESHOT (7.0 warns) */"
}

function text_iova32() {
	return "/* npu-kmd: what it does if it cannot reserve */\n" \
	    "#include <linux/moduleparam.h>\n" \
	    "static bool npu_kmd_iova32;\n" \
	    "module_param_named(iova32, npu_kmd_iova32, bool, 0444);\n" \
	    "MODULE_PARM_DESC(iova32, \"32-bit DMA addresses, below 3 GiB\");" \
	    "\n\n"
}

function text_choose() {
	return "\tif (npu_kmd_iova32) {\n" \
	    "\t\tdev_info(mm->dev, \"npu-kmd: iova32: 32-bit addresses, " \
	    "below 3 GiB\\n\");\n" \
	    "\t\tmm->dma_mask = 32;\n" \
	    "\t\tmm->dev->bus_dma_limit = 0xc0000000;\n" \
	    "\t\tgoto FINISH;\n\t}\n"
}

function text_call(device) {
	return "\tif (npu_kmd_cores(" device ", CIX_NPU_PD_NUM))\n" \
	    "\t\treturn -ENODEV;\n\n"
}

# Without a device for a core, the driver would use a null pointer.
function text_cores(devices) {
	return "/* npu-kmd: firmware may lack cores, or the _HID that makes " \
	    "them devices */\n" \
	    "static int npu_kmd_cores(struct device *dev, int want)\n{\n" \
	    "#ifdef CONFIG_ACPI\n" \
	    "\tstruct fwnode_handle *child;\n" \
	    (devices ? "\tstruct device *core;\n" : "") \
	    "\tconst char *name;\n\tint have = 0;\n\n" \
	    "\tif (!has_acpi_companion(dev))\n\t\treturn 0;\n" \
	    "\tfwnode_for_each_child_node(dev->fwnode, child) {\n" \
	    "\t\tif (!is_acpi_device_node(child))\n\t\t\tcontinue;\n" \
	    "\t\tname = acpi_device_bid(to_acpi_device_node(child));\n" \
	    "\t\tif (have == want || strncmp(name, \"CRE\", 3))\n" \
	    "\t\t\tcontinue;\n" (devices ? text_lookup() : "") \
	    "\t\thave++;\n\t}\n" \
	    "\tif (have < want) {\n" \
	    "\t\tdev_err(dev, \"npu-kmd: ACPI has %d cores, not %d; see " \
	    "npu-kmd(8)\\n\",\n\t\t\thave, want);\n" \
	    "\t\treturn -ENODEV;\n\t}\n#endif\n\treturn 0;\n}\n\n"
}

function text_lookup() {
	return "\t\tcore = bus_find_device_by_fwnode(&platform_bus_type, " \
	    "child);\n" \
	    "\t\tif (!core) {\n" \
	    "\t\t\tdev_err(dev, \"npu-kmd: core %s has no device: no _HID " \
	    "in ACPI; see npu-kmd(8)\\n\",\n\t\t\t\tname);\n" \
	    "\t\t\tfwnode_handle_put(child);\n" \
	    "\t\t\treturn -ENODEV;\n\t\t}\n\t\tput_device(core);\n"
}
