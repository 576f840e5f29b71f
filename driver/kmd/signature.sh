# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# Decides whether a kernel accepts a module's signature: what enforces
# signatures, who signed, and whether the kernel knows the key.

# signature_of KERNEL HEADERS: sets KMD_SIGNATURE to the state and the words of
# the finding, with a tab between, for the module of open_module.
signature_of() {
	enforced "$1" "$2"
	# The x protects the newline, which the kernel compares as well.
	end=$(${KMD_CAT:-cat} <"$KMD_FILE" 2>/dev/null | tail -c 28 |
	    tr -d '\000'; echo x)
	if [ "$end" = '~Module signature appended~
x' ]; then
		judge_signer
	elif [ -n "$enforces" ]; then
		finding bad 'none, but the kernel takes signed modules only' \
		    "($enforces); sign it, as DKMS does with its key"
	else
		finding info 'none; a kernel under Secure Boot takes signed' \
		    'modules only'
	fi
}

judge_signer() {
	signer=$(PATH=$PATH:/usr/sbin:/sbin modinfo -F signer "$KMD_FILE" \
	    2>/dev/null | head -n 1 | tr -c '[:print:]\n' '?')
	by="by ${signer:-a key that modinfo does not name}"
	[ -n "$enforces" ] || { finding ok "$by"; return; }
	case $(key_of "$signer") in
	known) finding ok "$by" ;;
	unknown) finding bad "$by, but the kernel has no key of that name" \
	    "($enforces); sudo mokutil --import /var/lib/dkms/mok.pub, and" \
	    'boot again' ;;
	*) finding info "$by; root sees in /proc/keys whether the kernel has" \
	    "that key ($enforces)" ;;
	esac
}

# finding STATE WORD...: sets KMD_SIGNATURE.
finding() {
	KMD_SIGNATURE="$1	"
	shift
	KMD_SIGNATURE=$KMD_SIGNATURE$*
}

# key_of SIGNER: prints whether the kernel has a key of SIGNER: known, unknown,
# or hidden (only root can see keys).
key_of() {
	[ -n "$1" ] && readable "$R/proc/keys" || return 0
	SIGNER=$1 awk '
	# ID FLAGS USES TIMEOUT PERMISSIONS UID GID asymmetri SIGNER: ID: ...
	$8 == "asymmetri" {
		any = 1
		for (i = 1; i <= 8; i++)
			sub(/^[ \t]*[^ \t]+/, "")
		sub(/^ +/, "")
		# The signer is the text before ": ID: X509." .
		signer = ENVIRON["SIGNER"] ": "
		if (index($0, signer) == 1 &&
		    substr($0, length(signer) + 1) ~ /^[0-9a-f]+: X509[.]/)
			known = 1
	}
	END { print !any ? "hidden" : known ? "known" : "unknown" }' "$real"
}

# enforced KERNEL HEADERS: sets enforces to what makes KERNEL accept only signed
# modules; or to "".
enforced() {
	config=$(captured=y; config_of "$1") ||
		fails "$config" "the configuration of $1"
	built=
	! readable "${2:-/nowhere}/include/config/auto.conf" || built=$real
	# shellcheck disable=SC2086 # "" is no word
	enforces=$(printf '%s\n' "$config" |
	    awk -F = '/^CONFIG_MODULE_SIG_FORCE=y/ ||
		/^CONFIG_LOCK_DOWN_KERNEL_FORCE_[A-Z]*=y/ { is = $1 }
		END { print is }' ${built:+"$built"} -) ||
		no_help "the configuration of $1"
	# The state of the running machine, which predicts its next boot.
	running_kernel
	[ "$1" = "$k" ] || [ "$command" = dkms ] || return 0
	has "$R/sys/kernel/security/lockdown" '\[(integrity|confid.*)\]' ||
	    has "$R/sys/module/module/parameters/sig_enforce" '^Y' ||
	    started '^module[.]sig[_-]enforce(=([1YyTtEe]|[oO][nN]).*)?$' ||
	    locked_at_boot || return 0
	enforces=$has
}

# locked_at_boot: whether the command line enables lockdown.
# /sys/kernel/security/lockdown takes precedence; a kernel without lockdown
# ignores the command line.
locked_at_boot() {
	! readable "$R/sys/kernel/security/lockdown" &&
	    started '^lockdown=(integrity|confidentiality)$'
}

# started ERE: succeeds if a parameter of the kernel's command line, without its
# quotes, matches.  Parameters after -- are not the kernel's.  has is then the
# file's name.
started() {
	has=/proc/cmdline
	readable "$R$has" || return
	awk '{
		for (i = 1; i <= length($0) + 1; i++) {
			c = substr($0, i, 1)
			if (c == "\"")
				quoted = !quoted
			else if (c != "" && (c !~ /[ \t]/ || quoted))
				word = word c
			else if (word == "--")
				exit
			else {
				print word
				word = ""
			}
		}
	}' "$real" | grep -qE "$1"
}
