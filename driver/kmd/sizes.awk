# SPDX-License-Identifier: GPL-2.0-only
#
# sizes.awk (with ccode.awk) armchina_aipu.h - prints "CAP BUF JOB", the sizes
# in bytes of aipu_cap, aipu_buf_request and aipu_job_desc, as a 64-bit compiler
# lays them out; 0 for a structure that is missing or not understood.  The sizes
# are part of the ioctl numbers, so they show which libraries fit.

function up(n, to) { return int((n + to - 1) / to) * to }

# add(): adds a member with n elements of bytes bytes, aligned to to bytes.
function add(bytes, to, n) {
	if (!bytes || !to || n < 1 || n > 4096) {
		bad[depth] = 1
		return
	}
	size[depth] = up(size[depth], to) + bytes * n
	if (to > align[depth])
		align[depth] = to
}

function open_struct(s) {
	depth++
	name[depth] = s
	size[depth] = 0
	align[depth] = 1
	bad[depth] = 0
}

function close_struct(member, n,    b, a) {
	b = bad[depth] ? 0 : up(size[depth], align[depth])
	a = align[depth]
	total[name[depth]] = b
	aligns[name[depth]] = a
	depth--
	if (depth && member)
		add(b, a, n)
}

# count(): the number of elements: 8 for "NAME[8];", 1 for "NAME;", and 0 for
# anything else.
function count(s) {
	if (s ~ /^[a-z0-9_]+;$/)
		return 1
	if (s !~ /^[a-z0-9_]+\[[0-9]+\];$/)
		return 0
	gsub(/^[^[]*\[|\];$/, "", s)
	return s + 0
}

{
	s = c_line($0)
	n = split(s, w, " ")
	if (!n)
		next
}
in_enum {
	if (s ~ /}/) {
		in_enum = 0
		if (depth)
			add(4, 4, count(w[n]))
	}
	next
}
w[1] == "enum" && s ~ /\{/ { in_enum = s !~ /}/; next }
w[1] == "struct" && w[n] == "{" && depth < 8 { open_struct(w[2]); next }
w[1] ~ /^}/ && depth {
	close_struct(w[1] == "}" && n == 2, n == 2 ? count(w[2]) : 1)
	next
}
!depth { next }
w[1] ~ /^__[us]8$/ && n == 2 { add(1, 1, count(w[2])); next }
w[1] ~ /^__[us]16$/ && n == 2 { add(2, 2, count(w[2])); next }
w[1] ~ /^__[us]32$/ && n == 2 { add(4, 4, count(w[2])); next }
w[1] ~ /^__[us]64$/ && n == 2 { add(8, 8, count(w[2])); next }
w[1] == "enum" && n == 3 { add(4, 4, count(w[3])); next }
w[1] == "struct" && n == 3 {
	add(total[w[2]], aligns[w[2]], count(w[3]))
	next
}
{ bad[depth] = 1 }

END {
	print total["aipu_cap"] + 0, total["aipu_buf_request"] + 0, \
	    total["aipu_job_desc"] + 0
}
