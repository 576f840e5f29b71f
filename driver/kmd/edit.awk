# SPDX-License-Identifier: GPL-2.0-only
#
# edit.awk SITES FILE - prints FILE with each todo site of scan.awk changed.
# SITES is the output of scan.awk for FILE; texts.awk has the texts to insert.
# END_NEWLINE=0 in the environment means that FILE does not end with a newline.
# Exit status 3: a line differs from its site; the output is then unusable.

FNR == 1 { file++ }

# The sites: the change to make in each line.
file == 1 {
	split($0, f, "\t")
	if (f[2] != "todo")
		next
	job = f[1] " " f[3]
	at(f[4], job)
	if (job == "8 helpers") {
		before(f[5], "devfreq")
		after_line[f[6]] = "#endif /* CONFIG_ENABLE_DEVFREQ */\n"
	} else if (job == "4 raw") {
		before(f[4], "raw")
		after_line[f[5]] = "#endif\n"
	} else if (f[1] == "3")
		before(f[5], "remove " f[3])
	else if (job == "5 value" && !put++)
		before(f[5], "put")
	else if (f[1] == "P")
		before(f[5], f[3])
	else if (job == "6 use")
		before(f[5], "cookie")
	else if (job == "I iova32")
		before(f[5], "iova32")
	next
}

function at(line, job) { jobs[line] = jobs[line] job "\n" }
function before(line, what) { texts[line] = texts[line] what "\n" }

function must(done, line, what) {
	if (!done) {
		print line ": " what >"/dev/stderr"
		failed = 1
	}
}

# change(): processes one line; the result may be several lines.
function change(job, s, line,    t) {
	t = s
	if (job == "1 flags")
		must(sub(/EXTRA_CFLAGS/, "ccflags-y", s), line, "EXTRA_CFLAGS")
	else if (job == "1 pwd")
		must(gsub(/-I\$\(PWD\)\//, "-I$(src)/", s), line, "-I$(PWD)/")
	else if (job == "2 objects")
		must(gsub(/\$\(SRC_DIR\)\//, "", s), line, "$(SRC_DIR)/")
	else if (job == "8 flag") {
		must(sub(/-DCONFIG_ENABLE_DEVFREQ/, "$(NPU_KMD_DEVFREQ)", s),
		    line, "-DCONFIG_ENABLE_DEVFREQ")
		s = text_makefile() s
	} else if (job == "3 int" || job == "3 void") {
		must(sub(/=[ \t]*[a-z0-9_]+/, "= npu_kmd_remove", s), line,
		    ".remove =")
	} else if (job == "5 value")
		must(sub(/= pm_runtime_put\(/, "= npu_kmd_put(", s), line,
		    "= pm_runtime_put(")
	else if (job == "4 bare" || job == "4 string") {
		must(match(s, /\("?[A-Z_]+"?\)/), line, "MODULE_IMPORT_NS()")
		t = substr(s, RSTART + 1, RLENGTH - 2)
		gsub(/"/, "", t)
		s = text_namespace(t)
	} else if (job == "6 layout")
		s = text_layout(s)
	else if (job == "6 use") {
		must(match(s, /[a-z_]+->iova_cookie;/), line, "->iova_cookie;")
		t = substr(s, RSTART, RLENGTH)
		sub(/->.*/, "", t)
		match(s, /^\t*/)
		s = text_use(substr(s, 1, RLENGTH), t)
	} else if (job == "6 skip")
		s = "#if 0 /* npu-kmd 6: the reservation stays */"
	else if (job == "7 flag") {
		must(sub(/IRQF_ONESHOT \| /, "", s), line, "IRQF_ONESHOT |")
		match(s, /^[ \t]*/)
		s = substr(s, 1, RLENGTH) text_irq() "\n" s
	} else if (job == "I iova32")
		s = text_choose() s
	else if (job ~ /^P /) {
		must(match(s, /&[a-z_]+->dev/), line, "&p_dev->dev")
		s = text_call(substr(s, RSTART, RLENGTH)) s
	}
	return s
}

function name_of_remove(s) {
	sub(/^[^=]*=[ \t]*/, "", s)
	sub(/[ \t]*,?[ \t]*$/, "", s)
	return s
}

# The lines are kept, because a text may need a name from a later line.
{ source[FNR] = $0 }
/^[ \t]*\.remove[ \t]*=/ { remover = name_of_remove($0) }

END {
	for (i = 1; i <= FNR; i++) {
		n = split(texts[i], list, "\n")
		for (k = 1; k < n; k++)
			printf "%s", text(list[k], remover)
		s = source[i]
		n = split(jobs[i], list, "\n")
		for (k = 1; k < n; k++)
			if (list[k] != "8 helpers" && list[k] != "4 raw")
				s = change(list[k], s, i)
		printf "%s", s
		if (i in after_line)
			printf "\n%s", substr(after_line[i], 1,
			    length(after_line[i]) - 1)
		if (i < FNR || ENVIRON["END_NEWLINE"] != "0")
			printf "\n"
	}
	if (failed)
		exit 3
}
