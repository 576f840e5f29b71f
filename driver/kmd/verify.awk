# SPDX-License-Identifier: GPL-2.0-only
#
# The findings on a module before it is loaded: one line for each finding, or
# one JSON document.  Status 0, 4 if a finding is bad, 3 from fail() in elf.awk.
#
#	KMD_NAME	the file's name in messages
#	KMD_RELEASE	the kernel that will load it, as it calls itself
#	KMD_MAGIC	the rest of the kernel's vermagic, or "" if not known
#	KMD_SIGNATURE	the state and words of that finding, with a tab between
#	KMD_JSON	1: JSON

function note(check, state, words) {
	CHECK[++NOTES] = check
	STATE[NOTES] = state
	WORDS[NOTES] = words
	if (state == "bad")
		BAD = 1
}

function judge(check, good, right, wrong) {
	note(check, good ? "ok" : "bad", good ? right : wrong)
}

# ---- The module's own description -------------------------------------------

# read_info(): reads the KEY=VALUE texts in .modinfo into INFO[1] to
# INFO[INFOS].
function read_info(    i) {
	i = section(".modinfo", 0)
	if (!i)
		return
	if (SH_TYPE[i] == 8 || SH_SIZE[i] > 1048576)
		fail("the module's information: " dec(SH_SIZE[i]) \
		    " bytes, but at most 1048576 are read")
	texts(i)
	while (next_text())
		if (index(TEXT, "="))
			INFO[++INFOS] = TEXT
}

# values(): stores the values of a key in V[1] to V[n], and returns n.
function values(key,    i, n) {
	n = 0
	for (i = 1; i <= INFOS; i++)
		if (index(INFO[i], key "=") == 1)
			V[++n] = substr(INFO[i], length(key) + 2)
	return n
}

# missing(): why .modinfo does not have a key.  An object compiled as built-in
# code has its texts under another name (include/linux/module.h, __MODULE_INFO).
function missing(key,    i) {
	for (i = 1; i <= INFOS; i++)
		if (INFO[i] ~ "^[A-Za-z0-9_]+\\." key "=")
			return "none, but '" INFO[i] "': it was compiled as " \
			    "built-in code; see npu-kmd check"
	return "none"
}

# licence(): checks as the kernel's license_is_gpl_compatible().  Only modules
# with such a licence may use the functions of dma-buf.
function licence(    i, n, wrong) {
	n = values("license")
	wrong = n == 0
	for (i = n; i >= 1; i--)
		if (V[i] !~ /^(GPL|GPL v2|GPL and additional rights)$/ &&
		    V[i] !~ /^Dual (BSD|MIT|MPL)\/GPL$/)
			wrong = i
	judge("licence", !wrong, V[1], n == 0 ? missing("license") : \
	    "'" V[wrong] "' is not compatible with the GPL")
}

function import_ns(    i, n, all) {
	n = values("import_ns")
	all = ""
	for (i = 1; i <= n; i++)
		all = all (i > 1 ? " and " : "") V[i]
	if (n == 0)
		all = missing("import_ns") "; DMA_BUF is needed"
	else if (n > 1)
		all = all ": " n " of them, but one is right"
	else if (all ~ /"/)
		all = all ": with quotes it is another name; the macro " \
		    "takes a bare word before 6.13, see npu-kmd check"
	else if (all != "DMA_BUF")
		all = all ", but DMA_BUF is needed"
	judge("import_ns", n == 1 && V[1] == "DMA_BUF", "DMA_BUF", all)
}

# alias(): looks for the boards' devices: CIXH4000 with ACPI, armchina,zhouyi*
# with a device tree.
function alias(    i, n, found) {
	n = values("alias")
	found = ""
	for (i = n; i >= 1; i--)
		if (V[i] ~ /^acpi\*?:CIXH4000:/)
			found = V[i]
	for (i = n; i >= 1 && found == ""; i--)
		if (V[i] ~ /^of:N\*T\*Carmchina,zhouyi/)
			found = V[i]
	judge("alias", found != "", found, (n ? n " of them, but" : "none,") \
	    " neither acpi*:CIXH4000 nor of:N*T*Carmchina,zhouyi")
}

function vermagic(    n, release, rest, want, magic) {
	n = values("vermagic")
	if (n != 1) {
		note("vermagic", "bad", n ? n " of them" : missing("vermagic"))
		return
	}
	want = ENVIRON["KMD_RELEASE"]
	magic = ENVIRON["KMD_MAGIC"]
	release = rest = V[1]
	sub(/ .*/, "", release)
	sub(/^[^ ]* */, "", rest)
	sub(/ *$/, "", rest)
	# 6.12, from the command line, matches any release of that series.
	if (want ~ /^[0-9]+\.[0-9]+$/ &&
	    index(release, want) == 1 &&
	    substr(release, length(want) + 1) ~ /^[-.+]/)
		want = release
	if (release != want)
		note("vermagic", "bad", "built for " release ", but the " \
		    "kernel is " want "; build it for that one")
	else if (magic != "" && magic != rest)
		note("vermagic", "bad", "'" rest "', but that of the kernel " \
		    "is '" magic "'")
	else
		note("vermagic", "ok", V[1])
}

# ---- The ioctls that it answers ---------------------------------------------

# scan_code(): looks for the number of QUERY_CAP, which contains the size of its
# answer.  The compiler uses the number as an operand: movz and movk, in any
# order, of one register (Arm ARM, C6.2).
function scan_code(i,    n, k, w, op, hw, r, lo, hi) {
	read_words("section " i, SH_OFF[i], SH_SIZE[i])
	n = int(SH_SIZE[i] / 4)
	for (k = 0; k < n; k++) {
		w = W[k]
		op = int(w / 8388608)
		# 32 bits: movz 0xa5, movk 0xe5; 64 bits: 0x1a5, 0x1e5.
		if (op != 165 && op != 229 && op != 421 && op != 485)
			continue
		r = w % 32
		hw = int(w / 2097152) % 4
		if (op == 165 || op == 421)
			lo[r] = hi[r] = 0
		if (hw == 0)
			lo[r] = int(w / 32) % 65536
		else if (hw == 1)
			hi[r] = int(w / 32) % 65536
		# _IOR('A', 0, 192), 200 and 424 bytes.
		if (lo[r] == 16640 && (hi[r] == 32960 || hi[r] == 32968 ||
		    hi[r] == 33192))
			SEEN[hi[r] - 32768] = 1
	}
}

# scan_texts(): looks for a text of the form 5.11.0, which GET_DRIVER_VERSION
# copies out.  It is used only if there is exactly one.
function scan_texts(i) {
	texts(i)
	while (next_text())
		if (length(TEXT) < 16 &&
		    TEXT ~ /^[0-9]+\.[0-9]+\.[0-9]+$/) {
			if (VERSION != "" && VERSION != TEXT)
				VERSIONS = 2
			VERSION = TEXT
		}
}

function generation(    i, g, n, of, left) {
	left = LIMIT / 2
	for (i = 1; i < NSECTIONS; i++) {
		# PROGBITS; ALLOC, and EXECINSTR or MERGE and STRINGS.
		if (SH_TYPE[i] != 1 || SH_SIZE[i] > left)
			continue
		if (int(SH_FLAGS[i] / 2) % 4 == 3 && MACHINE == 183)
			scan_code(i)
		else if (int(SH_FLAGS[i] / 2) % 2 == 1 &&
		    int(SH_FLAGS[i] / 16) % 4 == 3)
			scan_texts(i)
		else
			continue
		left -= SH_SIZE[i]
	}
	if (VERSIONS)
		VERSION = ""
	# A fixed order, which is the same in every awk.
	of = ""
	n = split("192 424 200", g)
	for (i = 1; i <= n; i++)
		if (g[i] in SEEN)
			GENERATIONS = GENERATIONS \
			    (GENERATIONS == "" ? "" : ",") g[i]
	of = GENERATIONS
	gsub(/,/, " and ", of)
	note("ioctls", "info", of == "" ? "unknown: no number of QUERY_CAP " \
	    "is an operand in the code" : of " bytes of capability, by the " \
	    "number of QUERY_CAP in the code")
	note("version", "info", VERSION == "" ? "unknown: not one text has " \
	    "the form of a version" : VERSION ", the one text of that form")
}

# ---- Findings ---------------------------------------------------------------

function look(    i, rela, init) {
	open_elf()
	if (!section(".gnu.linkonce.this_module", 0))
		fail("no module: no section .gnu.linkonce.this_module; is " \
		    "it an object that was not linked into a .ko?")
	FIND["init_module"] = as_hex("init_module", 1)
	FIND["cleanup_module"] = as_hex("cleanup_module", 1)
	defined()
	read_info()
	judge("machine", MACHINE == 183, "aarch64", "of ELF machine " \
	    MACHINE ", but aarch64 (183) is needed")
	judge("init_module", "init_module" in FOUND, "defined",
	    "not defined: it would load and do nothing; see npu-kmd check")
	judge("cleanup_module", "cleanup_module" in FOUND, "defined",
	    "not defined: it could not be unloaded")
	init = section(".initcall", 1)
	rela = section(".rela.initcall", 1)
	judge("initcall", !init && !rela, "no section of that kind",
	    "section " (init ? init : rela) " belongs to built-in code; " \
	    "see npu-kmd check")
	licence()
	import_ns()
	alias()
	vermagic()
	symbols()
	signature()
	generation()
}

function signature(    part) {
	split(ENVIRON["KMD_SIGNATURE"], part, "\t")
	note("signature", part[1], part[2])
}

function print_text(    i) {
	for (i = 1; i <= NOTES; i++)
		printf "%-4s  %-14s  %s\n", STATE[i], CHECK[i], WORDS[i]
}

function print_json(    i) {
	printf "{\"schema\":\"npu-kmd-verify/1\",\"file\":%s,\"kernel\":%s,",
	    json_str(ENVIRON["KMD_NAME"]), json_str(ENVIRON["KMD_RELEASE"])
	printf "\"good\":%s,\"capability_bytes\":[%s],\"version\":%s,",
	    (BAD ? "false" : "true"), GENERATIONS,
	    (VERSION == "" ? "null" : json_str(VERSION))
	printf "\"findings\":["
	for (i = 1; i <= NOTES; i++)
		printf "%s{\"check\":\"%s\",\"state\":\"%s\",\"words\":%s}",
		    (i > 1 ? "," : ""), CHECK[i], STATE[i], json_str(WORDS[i])
	printf "]}\n"
}

BEGIN {
	if (!("KMD_FILE" in ENVIRON))
		exit
	BAD = 0
	look()
	if (ENVIRON["KMD_JSON"] == 1)
		print_json()
	else
		print_text()
	exit BAD ? 4 : 0
}
