# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the bytes of the section KMD_SECTION as hexadecimal digits; with
# elf.awk.

BEGIN {
	open_elf()
	i = section(ENVIRON["KMD_SECTION"], 0)
	if (!i || SH_TYPE[i] == 8 || SH_SIZE[i] > 4096)
		fail("no section " ENVIRON["KMD_SECTION"] ", or a large one")
	hex("the section", BYTES, SH_OFF[i], SH_SIZE[i])
	for (k = 0; k * 16 < SH_SIZE[i]; k++) {
		gsub(/ /, "", BYTES[k])
		printf "%s", BYTES[k]
	}
	print ""
}
