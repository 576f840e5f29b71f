# SPDX-License-Identifier: GPL-2.0-only
#
# Reads ELF64 little-endian relocatable files (gABI, chapter 4).  od reads the
# file, and only the necessary parts, because a module with debug information
# has megabytes.
#
#	KMD_FILE	the file
#	KMD_CAT		the command to unpack it (xz -dc); "": not packed
#	KMD_SIZE	its bytes, unpacked
#
# Offsets are doubles here, exact below 2^53.  Larger offsets are far beyond the
# end of any file, and are compared before anything is added to them.  Malicious
# bytes end in fail(): one line on stdout, status 3.  If a program does not read
# its input to the end, the status is 1.

function fail(words) {
	print words
	FAILED = 3
	exit 3
}

function not_read() {
	FAILED = 1
	exit 1
}

# dec(): a number with all digits; awks print large numbers differently.
function dec(n) {
	return sprintf("%.0f", n)
}

# from_file(): a shell command with the file as its standard input.  The name
# stays in the environment, where it needs no quotes.
function from_file(command) {
	if (ENVIRON["KMD_CAT"] == "")
		return command " <\"$KMD_FILE\""
	return ENVIRON["KMD_CAT"] " <\"$KMD_FILE\" 2>/dev/null | " command
}

function od(format, off, len) {
	return from_file("od -An -v -t" format " -j " dec(off) " -N " dec(len))
}

# inside(): whether the file has all of the len bytes at off.
function inside(off, len) {
	return off <= SIZE && len <= SIZE - off
}

function need(what, off, len) {
	if (!inside(off, len))
		fail(what ": " dec(len) " bytes at " dec(off) \
		    " run past the end of the file (" dec(SIZE) ")")
}

# read_words(): reads len bytes at off into W[0], W[1], ..., 32 bits each.
function read_words(what, off, len,    command, i, n) {
	need(what, off, len)
	command = od("u4", off, len)
	n = 0
	while ((command | getline) > 0)
		for (i = 1; i <= NF; i++)
			W[n++] = $i + 0
	close(command)
	if (n < int(len / 4))
		not_read()
}

function u64(i) {
	return W[i + 1] * 4294967296 + W[i]
}

# hex(): reads len bytes at off into into[0], into[1], ..., 16 bytes each, as od
# prints them: " 69 6e 69 74".
function hex(what, into, off, len,    command, n) {
	need(what, off, len)
	command = od("x1", off, len)
	n = 0
	while ((command | getline) > 0)
		into[n++] = $0
	close(command)
	if (n != int((len + 15) / 16))
		not_read()
}

# strings(): reads a string table, and checks that its last string has an end.
function strings(what, into, section,    len, last) {
	len = SH_SIZE[section]
	if (SH_TYPE[section] != 3)
		fail(what ": section " section " is no string table")
	if (len > LIMIT)
		fail(what ": " dec(len) " bytes, but at most " LIMIT \
		    " are read")
	hex(what, into, SH_OFF[section], len)
	last = substr(into[int((len - 1) / 16)], (len - 1) % 16 * 3 + 1, 3)
	if (len == 0 || last != " 00")
		fail(what ": its last byte is not 0")
}

# peek(): the 32 bytes at position i of a string table.
function peek(table, i,    k) {
	k = int(i / 16)
	return substr(table[k] table[k + 1] table[k + 2], i % 16 * 3 + 1, 96)
}

# as_hex(): text in the form of peek(); with_end: followed by a 0.
function as_hex(text, with_end,    i, out) {
	if (!(1 in ORD_READY)) {
		for (i = 32; i < 127; i++)
			ORD[sprintf("%c", i)] = i
		ORD_READY[1] = 1
	}
	out = ""
	for (i = 1; i <= length(text); i++)
		out = out sprintf(" %02x", ORD[substr(text, i, 1)])
	return out (with_end ? " 00" : "")
}

# open_elf(): reads the header and every section header into SH_TYPE, SH_FLAGS,
# SH_OFF, SH_SIZE, SH_LINK and SH_HEAD (the first bytes of the name).  Checks
# that the file has the bytes of every section.
function open_elf(    i) {
	SIZE = ENVIRON["KMD_SIZE"] + 0
	# The limit for each table, and for code: about twenty times their size
	# in the vendor's module.
	LIMIT = 4194304
	if (SIZE < 64)
		fail("no module: " dec(SIZE) \
		    " bytes, but an ELF header has 64")
	read_words("the ELF header", 0, 64)
	if (W[0] != 1179403647)		# 7f 45 4c 46
		fail("not a kernel module: no ELF header")
	# ELFCLASS64, ELFDATA2LSB, EV_CURRENT
	if (W[1] % 16777216 != 65794)
		fail("no module: no ELF64, little-endian")
	if (W[4] % 65536 != 1)
		fail("no module: an ELF file of type " W[4] % 65536 \
		    ", but a module is relocatable (1)")
	MACHINE = int(W[4] / 65536)
	open_sections(u64(10), W[14], W[15])
}

# open_sections(): at, sizes (bytes of a header, number of headers) and names
# are as in the ELF header.
function open_sections(at, sizes, names,    i, j) {
	if (int(sizes / 65536) != 64)
		fail("section headers of " int(sizes / 65536) \
		    " bytes, but they have 64")
	# 0 means either no section or at least 65,280, which the kernel refuses
	# (elf_validity_check() in kernel/module/main.c).
	NSECTIONS = names % 65536
	if (NSECTIONS == 0 || NSECTIONS >= 65280)
		fail("section count " NSECTIONS ", but a module has 1 to 65279")
	read_words("the section headers", at, NSECTIONS * 64)
	for (i = 0; i < NSECTIONS; i++) {
		j = i * 16
		SH_NAME[i] = W[j]
		SH_TYPE[i] = W[j + 1]
		SH_FLAGS[i] = W[j + 2]
		SH_OFF[i] = u64(j + 6)
		SH_SIZE[i] = u64(j + 8)
		SH_LINK[i] = W[j + 10]
	}
	# SHT_NULL and SHT_NOBITS have no bytes.
	for (i = 1; i < NSECTIONS; i++)
		if (SH_TYPE[i] != 0 && SH_TYPE[i] != 8)
			need("section " i, SH_OFF[i], SH_SIZE[i])
	name_sections(int(names / 65536))
}

function name_sections(table,    i) {
	if (table == 0 || table >= NSECTIONS)
		fail("section names are in section " table ", but there are " \
		    NSECTIONS)
	strings("the section names", NAMES, table)
	for (i = 1; i < NSECTIONS; i++) {
		if (SH_NAME[i] >= SH_SIZE[table])
			fail("section " i ": its name is at " SH_NAME[i] \
			    " of " dec(SH_SIZE[table]) " bytes")
		SH_HEAD[i] = peek(NAMES, SH_NAME[i])
	}
}

# section(): the section with the name, or 0.  prefix: the section whose name
# begins with it.
function section(name, prefix,    i, h) {
	h = as_hex(name, !prefix)
	for (i = 1; i < NSECTIONS; i++)
		if (index(SH_HEAD[i], h) == 1)
			return i
	return 0
}

# texts(): prepares section i for next_text().
function texts(i) {
	TEXTS = from_file("tail -c +" dec(SH_OFF[i] + 1)) " | head -c " \
	    dec(SH_SIZE[i]) " | tr '\\001-\\037\\177-\\377' '?'" \
	    " | tr '\\000' '\\n'"
	TEXTS_LEFT = SH_SIZE[i]
}

# next_text(): sets TEXT to the next text; there may be a million, so it reads
# one at a time.  Returns 0 after the last.  Bytes that are not printable become
# a question mark.
function next_text() {
	if ((TEXTS | getline TEXT) > 0) {
		TEXTS_LEFT -= length(TEXT) + 1
		return 1
	}
	close(TEXTS)
	# The last text may lack its NUL.
	if (TEXTS_LEFT != 0 && TEXTS_LEFT != -1)
		not_read()
	return 0
}

# defined(): finds which of the names, FIND[name] = as_hex(name, 1), are symbols
# that the file defines, and sets FOUND.  Fails without a symbol table.
function defined(    i, n, t, st, size) {
	t = 0
	for (i = 1; i < NSECTIONS; i++)
		if (SH_TYPE[i] == 2) {
			if (t)
				fail("two symbol tables, sections " t \
				    " and " i)
			t = i
		}
	if (!t)
		fail("no module: it has no symbol table")
	st = SH_LINK[t]
	if (st == 0 || st >= NSECTIONS)
		fail("symbol names are in section " st ", but there are " \
		    NSECTIONS)
	if (SH_SIZE[t] > LIMIT)
		fail("the symbols: " dec(SH_SIZE[t]) " bytes, but at most " \
		    LIMIT " are read")
	strings("the symbol names", SYMNAMES, st)
	size = SH_SIZE[st]
	read_words("the symbols", SH_OFF[t], SH_SIZE[t])
	n = int(SH_SIZE[t] / 24)
	for (i = 1; i < n; i++) {
		if (W[i * 6] >= size)
			fail("symbol " i ": its name is at " W[i * 6] " of " \
			    dec(size) " bytes")
		if (int(W[i * 6 + 1] / 65536) != 0)
			look_up(peek(SYMNAMES, W[i * 6]))
	}
}

function look_up(name,    f) {
	for (f in FIND)
		if (index(name, FIND[f]) == 1)
			FOUND[f] = 1
}
