# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Selects the kernels to build for, and finds in a build of the stub which rows
# of kmd/changes are wrong.  Rows 1 to 5 and 8 are read from the output of
# kbuild and the compiler (gcc 14 and make -k), 6 and 7 from the objects, which
# are compiled even if others fail.

# choose: from stdin, oldest first, prints the first kernel and the last of each
# series from 6.1 on.
choose() {
	awk -F . '
	$1 < 6 || $1 == 6 && $2 + 0 < 1 { next }
	!first { first = $0; print }
	{ series = $1 "." $2 }
	last != "" && series != was && last != first { print last }
	{ last = $0; was = series }
	END { if (last != "" && last != first) print last }'
}

# seen_in_log ROWS: reads a build's log from stdin and prints which of ROWS went
# wrong, one number a line.
seen_in_log() {
	awk -v rows=" $* " '
	function wrong(n) { if (index(rows, " " n " ")) bad[n] = 1 }
	/fatal error: stub\.h: No such file/ { wrong(1) }
	# "CC [M]" is a module, "CC" alone a part of the kernel.
	/^ *CC +[^ []*armchina-npu\// { wrong(2) }
	/error: .*int \(\*\)\(struct platform_device \*\)/ { wrong(3) }
	/aipu_dma_buf\.c:.*error: / { wrong(4) }
	/error: void value not ignored/ { wrong(5) }
	/error: implicit declaration of function .scmi_device_/ { wrong(8) }
	END {
		for (n = 1; n <= 8; n++)
			if (n in bad)
				print n
	}'
}

# iovad_at: reads a struct from stdin as pahole prints it, and prints the offset
# of the IOVA domain.
iovad_at() {
	awk '
	/struct iova_domain +iovad/ {
		sub(/.*\/\*/, "")
		print $1
		exit
	}'
}

# irq_flags: reads a function from stdin as objdump prints it, and prints the
# flags that it passes to request_threaded_irq(): its fourth argument, in w3 or
# x3.
irq_flags() {
	awk '
	function number(s,    i, n) {
		sub(/^#/, "", s)
		if (s !~ /^0x/)
			return s + 0
		for (i = 3; i <= length(s); i++)
			n = n * 16 + index("0123456789abcdef",
			    substr(s, i, 1)) - 1
		return n
	}
	{ sub(/[ \t]*\/\/.*/, ""); n = split($0, w, /[ \t,]+/) }
	w[n - 2] == "mov" && w[n - 1] ~ /^[wx]3$/ { low = number(w[n]) }
	# movk w3, #0x4, lsl #16
	w[n - 4] == "movk" && w[n - 3] ~ /^[wx]3$/ && w[n] == "#16" {
		high = number(w[n - 2]) % 65536
	}
	/request_threaded_irq/ { print high * 65536 + low; exit }'
}
