# SPDX-License-Identifier: GPL-2.0-only
#
# check-json.awk (with json.awk) - prints check's findings as one document.  The
# first line has a tree or none, its id, name, KMD and libraries and the kernel
# as JSON strings, the sizes, whether the tree is adapted, why adapt refuses it,
# and whether the kernel's changes are known.  A line for each site follows.

NR == 1 {
	split($7, size, " ")
	out = "{\"schema\":\"npu-kmd-check/1\",\"tree\":"
	if ($1 == "")
		out = out "null"
	else
		out = out "{\"id\":" $2 ",\"name\":" $3 ",\"kmd\":" $4 \
		    ",\"libraries\":" $5 ",\"adapted\":" \
		    ($8 == "" ? "false" : $8) ",\"refused\":" \
		    ($9 == "\"\"" ? "null" : $9) "}"
	out = out ",\"ioctl\":{\"capability\":" size[1] ",\"buffer\":" \
	    size[2] ",\"job\":" size[3] "},\"kernel\":" $6 \
	    ",\"kernel_known\":" $10 ",\"needed\":["
	next
}
$0 == "" { next }
{
	if ($1 "|" $5 != key) {
		out = out (key == "" ? "" : "]},") "{\"id\":" $1 \
		    ",\"since\":" ($2 == "never" ? "null" : json_str($2)) \
		    ",\"reason\":" json_str($5) ",\"places\":["
		key = $1 "|" $5
	} else
		out = out ","
	out = out "{\"file\":" json_str($3) ",\"line\":" $4 "}"
}
END { print out (key == "" ? "" : "]}") "]}" }
