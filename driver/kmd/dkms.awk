# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the findings of dkms.sh as text or, with KMD_JSON, as JSON.  Input:
# packages, a line --, kernels.

BEGIN {
	JSON = ENVIRON["KMD_JSON"] == 1
	if (JSON)
		printf "{\"schema\":\"npu-kmd-dkms/1\",\"packages\":["
	GOOD = 1
	COMMA = ""
}

$0 == "--" {
	KERNELS = 1
	COMMA = ""
	if (JSON)
		printf "],\"kernels\":["
	next
}

$0 == "" {
	next
}

!KERNELS && JSON {
	printf "%s{\"name\":%s,\"version\":%s,\"autoinstall\":%s}", COMMA,
	    json_str($1), json_str($2), \
	    ($3 == "may" ? "null" : $3 == "yes" ? "true" : "false")
	COMMA = ","
	next
}

!KERNELS {
	print "dkms " $1 "/" $2 ": " ($3 == "yes" ? \
	    "builds itself for each new kernel" : $3 == "no" ? \
	    "builds for no kernel by itself" : \
	    "may build itself for each new kernel") " (" $4 ")"
	next
}

{
	if ($5 == "untried")
		GOOD = 0
	ANY = 1
}

JSON {
	printf "%s{\"kernel\":%s,\"module\":%s,\"file\":%s,\"verdict\":%s,",
	    COMMA, json_str($1), ($2 == "none" ? "null" : json_str($2)),
	    ($3 == "none" ? "null" : json_str($3)),
	    ($4 == "none" ? "null" : json_str($4))
	printf "\"boot\":\"%s\",\"why\":%s}", $5, json_str($6)
	COMMA = ","
	next
}

$2 == "none" {
	print $1 ": no module, and " ($6 == "no module" ? \
	    "none would be made" : "dkms may make one (" $6 ")")
	next
}

{
	print $1 ": " ($3 == "none" ? "no module yet, dkms may make one" : \
	    $3 ", " $4 ) ": " ($5 == "no" ? "not loaded at boot" : \
	    $5 == "tried" ? "loaded at boot" : "LOADED AT BOOT, UNTRIED") \
	    " (" $6 ")"
}

END {
	if (JSON)
		printf "],\"good\":%s}\n", (!ANY ? "null" : GOOD ? "true" : \
		    "false")
}
