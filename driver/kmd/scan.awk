# SPDX-License-Identifier: GPL-2.0-only
#
# scan.awk (with ccode.awk) -v role=make|soc|dma|mm|irq FILE - finds the
# constructs that kernels have changed.  Prints a line for each:
#
#	ROW STATE KIND LINE [NUMBER...]		separated by tabs; -v prefix=
#						is printed before each
#
# ROW is 1 to 8 (kmd/changes), P for the check of the core devices, I for the
# parameter iova32.  STATE is todo (as in the vendor's source), done (needs no
# change any more), or odd (neither: KIND is what was expected).

function found(row, state, kind, line, more) {
	print prefix row "\t" state "\t" kind "\t" line \
	    (more == "" ? "" : "\t" more)
}

{ code = role == "make" ? $0 : c_line($0) }

role == "make" {
	sub(/#.*/, "", code)
	if (code ~ /^[ \t]*EXTRA_CFLAGS[ \t]*[:+]?=/)
		found(1, "todo", "flags", NR)
	else if (code ~ /^[ \t]*ccflags-y[ \t]*[:+]?=/)
		found(1, "done", "flags", NR)
	if (code ~ /-I\$\(PWD\)\//)
		found(1, "todo", "pwd", NR)
	if (code ~ /^[ \t]*SRC_DIR[ \t]*:?=/) {
		dir = code
		sub(/^[^=]*=[ \t]*/, "", dir)
		sub(/[ \t]*$/, "", dir)
	}
	if (code ~ /\$\(SRC_DIR\)\/[^ ]*\.o/)
		found(2, dir == "." ? "todo" : "odd", dir == "." ? \
		    "objects" : "SRC_DIR := .", NR)
	else if (code ~ /(^|[ \t=])armchina-npu\/[^ ]*\.o/)
		found(2, "done", "objects", NR)
	if (code ~ /\$\(NPU_KMD_DEVFREQ\)/)
		found(8, "done", "flag", NR)
	else if (code ~ /-DCONFIG_ENABLE_DEVFREQ/ && code !~ /^NPU_KMD_/)
		found(8, continued || code !~ /^[ \t]*[A-Za-z_-]+[ \t]*\+=/ ? \
		    "odd" : "todo", continued ? "a line of its own" : "flag",
		    NR)
	continued = code ~ /\\$/
}

# 3: remove(), and its entry in the driver's structure.
role == "soc" && code ~ \
    /^static (int|void) [a-z0-9_]+\(struct platform_device \*[a-z_]+\)/ {
	split(code, word, " ")
	returns[C_FUNC] = returns[C_FUNC] word[2]
}
role == "soc" && code ~ /^static struct platform_driver / {
	driver = NR
	driver_top = C_DEPTH == 0
}
role == "soc" && code ~ /^[ \t]*\.remove[ \t]*=/ {
	name = code
	sub(/^[^=]*=[ \t]*/, "", name)
	sub(/[ \t]*,?[ \t]*$/, "", name)
	removes++
	remove_line = NR
	remove_name = name
}

# 5: the value of pm_runtime_put().
role == "soc" && code ~ /npu_kmd_put\(/ && code !~ /^static/ {
	found(5, "done", "value", NR)
}
role == "soc" && code ~ /(=|return|[(!,])[ \t]*pm_runtime_put[ \t]*\(/ {
	if (code ~ /^[ \t]*[a-z_]+ = pm_runtime_put\(.*\);[ \t]*$/ && C_TOP)
		found(5, "todo", "value", NR, C_START)
	else if (code ~ /^[ \t]*[a-z_]+ = pm_runtime_put\(.*\);[ \t]*$/ && put)
		found(5, "todo", "value", NR, C_START)
	else
		found(5, "odd", "ret = pm_runtime_put(...);", NR)
	put = 1
}

# 8: devfreq, from the first of its functions to the last.
role == "soc" && C_FUNC ~ /devfreq|^remove_debugfs_dir$/ && C_START == NR &&
!c_under("CONFIG_ENABLE_DEVFREQ") {
	if (!first)
		first = NR
	if (last && other)
		found(8, "odd", "devfreq's functions together", NR)
}
role == "soc" && C_START == NR && first &&
C_FUNC !~ /devfreq|^remove_debugfs_dir$/ { other = 1 }
role == "soc" && C_LAST && C_WAS ~ /devfreq|^remove_debugfs_dir$/ && first &&
!c_under("CONFIG_ENABLE_DEVFREQ") { last = NR }
role == "soc" && code ~ /scmi_device_[a-z_]+\(/ {
	if (c_under("CONFIG_ENABLE_DEVFREQ"))
		found(8, "done", "helpers", NR)
	else
		helpers = helpers ? helpers : NR
}

# P: the devices of the cores.
role == "soc" && C_FUNC ~ /_probe$/ && C_START == NR {
	probe = NR
	probe_top = C_TOP
}
role == "soc" && C_FUNC ~ /_probe$/ &&
code ~ /^[ \t]+[a-z0-9_]+_priv_init\(&[a-z_]+->dev\);/ { init = NR }
role == "soc" && C_FUNC ~ /_probe$/ && code ~ /npu_kmd_cores\(&/ { cores = NR }
role == "soc" && C_FUNC ~ /_probe$/ && code ~ /bus_find_device_by_fwnode\(/ {
	lookup = 1
}
role == "soc" && C_FUNC ~ /_probe$/ && code ~ /pd_core\[i\] = / { bind = 1 }
role == "soc" && code ~ /CIX_NPU_PD_NUM/ { count = 1 }

# 4: the namespace, by macro or written by hand.
(role == "dma" || role == "soc") && code ~ /^MODULE_IMPORT_NS\(.*\);/ {
	form = code ~ /\("/ ? "string" : "bare"
	if (forms == "")
		ns_line = NR
	forms = forms form
}
role == "soc" && code ~ /^static const char __modinfo_import_ns\[\]/ {
	raw = NR
	raw_off = c_under("^# *if 0")
}
role == "soc" && raw && !raw_end && code ~ /;[ \t]*$/ { raw_end = NR }

# 6: the private cookie, and the reservation in it.
role == "mm" && code ~ /^struct iommu_dma_cookie \{/ { in_cookie = NR }
role == "mm" && in_cookie &&
code ~ /^[ \t]+enum iommu_dma_cookie_type[ \t]+type;/ {
	found(6, c_under("KERNEL_VERSION\\(6, 15, 0\\)") ? "done" : "todo",
	    "layout", NR)
}
role == "mm" && code ~ /^}/ { in_cookie = 0 }
role == "mm" && code ~ /= npu_kmd_cookie\(/ { found(6, "done", "use", NR) }
role == "mm" && C_FUNC != "npu_kmd_cookie" && code ~ /->iova_cookie/ {
	# If each branch of a guard has a body, the second seems to be outside.
	name = C_FUNC == "" ? C_WAS : C_FUNC
	if (C_TOP && code ~ /^\t+cookie = [a-z_]+->iova_cookie;[ \t]*$/ &&
	    name ~ /reserved_iova_for_never_map$/ && before ~ /[;{}][ \t]*$/)
		found(6, "todo", "use", NR, C_START)
	else
		found(6, "odd", "cookie = iommu_domain->iova_cookie;", NR)
}
role == "mm" && C_FUNC ~ /reserved_iova_for_never_map$/ &&
code ~ /^#if .*>= KERNEL_VERSION\(6, 4, 0\)/ { found(6, "todo", "skip", NR) }

# I: the code that chooses addresses.
role == "mm" && code ~ /^\tif \(npu_kmd_iova32\) \{/ { iova32 = NR }
role == "mm" && C_TOP && code ~ \
    /^\tif \([a-z_]*reserved_iova_for_never_map\(mm, IOVA_ALLOC\)\) \{/ {
	choose = NR
	choose_start = C_START
	choose_in = C_FUNC
}
role == "mm" && choose && C_FUNC == choose_in && code ~ /^FINISH:/ {
	finish = NR
}

# 7: a flag for threads that do not exist.
role == "irq" && code ~ /request_irq\(/ { request = NR }
role == "irq" && code ~ /IRQF_ONESHOT/ {
	found(7, request && code ~ /IRQF_ONESHOT \| / ? "todo" : "odd",
	    request && code ~ /IRQF_ONESHOT \| / ? "flag" : \
	    "IRQF_ONESHOT | in request_irq()", NR)
	oneshot = 1
}

code !~ /^[ \t]*$/ { before = code }

END {
	if (role == "soc") {
		form = returns[remove_name]
		if (removes != 1 || !driver || !driver_top)
			found(3, "odd", "one platform_driver with one .remove",
			    remove_line + 0)
		else if (remove_name == "npu_kmd_remove" ||
		    form == "voidint" || form == "intvoid")
			found(3, "done", "remove", remove_line)
		else if (form == "int" || form == "void")
			found(3, "todo", form, remove_line, driver)
		else
			found(3, "odd", "int " remove_name "()", remove_line)
		if (helpers)
			found(8, first && last ? "todo" : "odd",
			    first && last ? "helpers" : "devfreq's functions",
			    helpers, first "\t" last)
		if (cores)
			found("P", "done", "cores", cores)
		else if (bind)
			found("P", init && probe_top && count ? "todo" : "odd",
			    init && probe_top && count ? (lookup ? \
			    "devices" : "nodes") : "a call of priv_init()",
			    init + 0, probe)
		if (raw)
			found(4, raw_off ? "done" : raw_end ? "todo" : "odd",
			    "raw", raw, raw_end)
	}
	if ((role == "dma" || role == "soc") && forms != "") {
		if (forms == "stringbare" || forms == "barestring")
			found(4, "done", "macro", ns_line)
		else if (forms == "bare" || forms == "string")
			found(4, "todo", forms, ns_line)
		else
			found(4, "odd", "one MODULE_IMPORT_NS()", ns_line)
	}
	if (role == "mm" && iova32)
		found("I", "done", "iova32", iova32)
	else if (role == "mm" && choose)
		found("I", finish ? "todo" : "odd",
		    finish ? "iova32" : "a label FINISH", choose, choose_start)
	if (role == "irq" && request && !oneshot)
		found(7, "done", "flag", request)
}
