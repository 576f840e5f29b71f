# SPDX-License-Identifier: GPL-2.0-only
#
# Compares the symbols that a module takes from the kernel with the symbols that
# the kernel exports: Module.symvers of its headers (KMD_SYMVERS; "" if there
# are no headers).  Reports what the module loader would refuse:
# resolve_symbol(), check_version() and verify_namespace_is_imported() in
# kernel/module/.  The last only warns if KMD_NS_WARNS is 1.

# name_at(): the text at byte i of a table of hex(); most: its maximum length.
function name_at(table, i, most,    k, c, out) {
	if (!(1 in CHARS_READY)) {
		for (k = 33; k < 127; k++)
			CHARS[sprintf(" %02x", k)] = sprintf("%c", k)
		CHARS_READY[1] = 1
	}
	out = ""
	for (k = i; k < i + most; k++) {
		c = substr(table[int(k / 16)], k % 16 * 3 + 1, 3)
		if (c == " 00" || c == "")
			break
		out = out (c in CHARS ? CHARS[c] : "?")
	}
	return out
}

# taken(): sets TAKEN[1] to TAKEN[n] to the names of undefined symbols, and
# returns n.  Weak symbols may stay undefined.  defined() has read and checked
# both tables.
function taken(    i, t, n, info) {
	for (t = 1; SH_TYPE[t] != 2; t++)
		;
	read_words("the symbols", SH_OFF[t], SH_SIZE[t])
	for (i = 1; i < int(SH_SIZE[t] / 24); i++) {
		info = W[i * 6 + 1]
		# A global symbol without a section.
		if (int(info / 16) % 16 == 1 && info < 65536)
			TAKEN[++n] = name_at(SYMNAMES, W[i * 6], 512)
	}
	return n + 0
}

function unhex(s,    i, n) {
	s = tolower(substr(s, 3))
	for (i = 1; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return n
}

# exports(): reads CRC TAB NAME TAB ... TAB NAMESPACE in Module.symvers into
# EXPORT[NAME] and SPACE[NAME].  A kernel has some 30,000 symbols.
function exports(file,    line, field, n, is) {
	while ((is = (getline line <file)) > 0 && n++ < 1000000) {
		sub(/\r$/, "", line)
		if (split(line, field, "\t") > 2) {
			EXPORT[field[2]] = unhex(field[1])
			SPACE[field[2]] = field[5]
			if (EXPORT[field[2]] != 0)
				VERSIONED = 1
		}
	}
	close(file)
	if (is)
		fail(file ": " (is < 0 ? "cannot be read" : \
		    "more than 1000000 lines"))
}

# collect(): adds NAME to a list, which shows at most four names.
function collect(list, count, name) {
	return count > 4 ? list : list (count > 1 ? ", " : "") name
}

function of_list(list, count) {
	return list (count > 4 ? " and " count - 4 " more" : "")
}

function judge_symbols(    i, n, count, list) {
	n = taken()
	for (i = 1; i <= n; i++)
		if (!(TAKEN[i] in EXPORT))
			list = collect(list, ++count, TAKEN[i])
	judge("symbols", !count, n " of the kernel, which exports them all",
	    "the kernel does not export " of_list(list, count) "; build it " \
	    "with the headers of that kernel")
}

# imports(): whether the module may take symbols of a namespace.  The namespace
# module:NAME,... is for the modules with these names; NAME* covers all names
# that begin with NAME.
function imports(space,    i, n, part, own) {
	if (space == "")
		return 1
	if (space !~ /^module:/) {
		n = values("import_ns")
		for (i = 1; i <= n; i++)
			if (V[i] == space)
				return 1
		return 0
	}
	values("name")
	own = V[1]
	n = split(substr(space, 8), part, ",")
	for (i = 1; i <= n; i++)
		if (part[i] == own || (sub(/[*]$/, "", part[i]) &&
		    substr(own, 1, length(part[i])) == part[i]))
			return 1
	return 0
}

function judge_namespaces(    i, n, count, list, wrong) {
	n = taken()
	for (i = 1; i <= n; i++)
		if (!imports(SPACE[TAKEN[i]])) {
			list = collect(list, ++count, TAKEN[i])
			wrong = SPACE[TAKEN[i]]
		}
	if (count)
		note("namespaces", ENVIRON["KMD_NS_WARNS"] ? "info" : "bad", \
		    of_list(list, count) ": of the namespace " wrong \
		    ", which this module does not import" \
		    (ENVIRON["KMD_NS_WARNS"] ? "; this kernel only warns " \
		    "of it" : ""))
}

# other_crc(): records a symbol whose CRC differs from the kernel's.
function other_crc(name, crc) {
	if (name in EXPORT && EXPORT[name] != crc)
		OTHERS = collect(OTHERS, ++OTHER_N, name)
}

# old_versions(): __versions has 8 bytes of CRC and 56 of name for each symbol
# (struct modversion_info).
function old_versions(s,    i, n, crc) {
	n = int(SH_SIZE[s] / 64)
	read_words("the versions", SH_OFF[s], n * 64)
	for (i = 0; i < n; i++)
		crc[i] = W[i * 16]
	hex("the versions", CRC_NAMES, SH_OFF[s], n * 64)
	for (i = 0; i < n; i++)
		other_crc(name_at(CRC_NAMES, i * 64 + 8, 56), crc[i])
	return n
}

# new_versions(): CONFIG_EXTENDED_MODVERSIONS has 4 bytes of CRC for each
# symbol, and names that end with NUL.
function new_versions(s, names,    i, n, crc) {
	n = int(SH_SIZE[s] / 4)
	read_words("the versions", SH_OFF[s], n * 4)
	for (i = 0; i < n; i++)
		crc[i] = W[i]
	texts(names)
	for (i = 0; next_text(); i++)
		if (i < n)
			other_crc(TEXT, crc[i])
	return n
}

function judge_versions(    s, names, n) {
	s = section("__version_ext_crcs", 0)
	names = section("__version_ext_names", 0)
	if (s && names && SH_SIZE[s] <= LIMIT)
		n = new_versions(s, names)
	else if ((s = section("__versions", 0)) && SH_SIZE[s] <= LIMIT)
		n = old_versions(s)
	judge("versions", n && !OTHER_N, n " symbols have the kernel's CRCs",
	    n ? "another CRC in the kernel: " of_list(OTHERS, OTHER_N) \
	    "; build it with the headers of that kernel" : "it has no CRCs " \
	    "of symbols, but the kernel asks for them (CONFIG_MODVERSIONS)")
}

function symbols() {
	if (ENVIRON["KMD_SYMVERS"] == "") {
		note("symbols", "info", "not compared with the kernel's: " \
		    "no Module.symvers; --kernel=FOLDER names headers that " \
		    "have it")
		return
	}
	exports(ENVIRON["KMD_SYMVERS"])
	judge_symbols()
	judge_namespaces()
	if (VERSIONED)
		judge_versions()
}
