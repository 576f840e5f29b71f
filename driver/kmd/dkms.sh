# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd dkms [--json] - predicts the next boot of each kernel: is there a
# module, is it good, would dkms make one, would it be loaded untried?
# shellcheck source=driver/kmd/machine.sh
. "$KMD/machine.sh"
# shellcheck source=driver/kmd/verify.sh
. "$KMD/verify.sh"

kmd_dkms() {
	[ $# -eq 0 ] || usage "dkms: one operand too many: '$1'"
	set_root
	packages=$(dkms_packages) || exit
	# Oldest first, as far as names show.
	found=$(for k in "$MODULES"/*; do
		[ ! -d "$k" ] || look_at "${k##*/}"
	done) || exit
	words=$(dkms_words "$opt_json") || no_help
	[ -z "$words" ] || put "$words"
	[ -n "$found" ] || die "$MODULES: no kernel has modules there; in a" \
	    "container, or for another machine, name its folder by --root=DIR"
	case "
$found" in
	*'	untried	'*) return 4 ;;
	esac
}

# dkms_packages: NAME VERSION AUTOINSTALL MODULES, by tabs, a line for each
# whose dkms.conf names one of our modules.  It is a shell script, which is not
# run: a value that needs more of a shell than PACKAGE_NAME is "?".
dkms_packages() {
	for f in "$R"/usr/src/*/dkms.conf; do
		[ -f "$f" ] || continue
		awk -v names="$module_names" '
		function named(s, re, len) {
			while (match(s, re))
				s = substr(s, 1, RSTART - 1) package \
				    substr(s, RSTART + len)
			return s
		}
		function value(s) {
			sub(/^[^=]*=/, "", s)
			sub(/[ \t]*(#.*)?$/, "", s)
			if (s ~ /^".*"$/ || s ~ /^'\''.*'\''$/)
				s = substr(s, 2, length(s) - 2)
			s = named(s, "[$][{]PACKAGE_NAME[}]", 15)
			s = named(s, "[$]PACKAGE_NAME([^A-Za-z0-9_]|$)", 13)
			return s ~ /[$`"?\t]/ || s == "" ? "?" : s
		}
		BEGIN {
			n = split(names, name, " ")
			package = version = "?"
			auto = "no"
		}
		/^[ \t]*PACKAGE_NAME=/ { package = value($0) }
		/^[ \t]*PACKAGE_VERSION=/ { version = value($0) }
		# dkms(8): only the first letter of its value counts, y.
		/^[ \t]*AUTOINSTALL=/ {
			auto = value($0)
			if (auto != "?")
				auto = auto ~ /^[Yy]/ ? "yes" : "no"
		}
		/^[ \t]*BUILT_MODULE_NAME(\[[0-9]+\])?=/ {
			built[++builds] = value($0)
		}
		END {
			# dkms(8): one module may go without a name of its own.
			if (!builds)
				built[++builds] = package
			# The name that dkms gives its folder: NAME-VERSION.
			folder = FILENAME
			sub(/\/dkms[.]conf$/, "", folder)
			sub(/.*\//, "", folder)
			npu = folder ~ /(^|[^a-z])(aipu|npu)/
			for (k = 1; k <= builds; k++) {
				v = built[k]
				gsub(/-/, "_", v)
				if (v == "?" && npu)
					v = name[1]
				for (i = 1; i <= n; i++)
					if (v == name[i])
						ours = ours " " v
			}
			if (ours != "")
				printf "%s\t%s\t%s\t%s\n", package, version, \
				    auto, substr(ours, 2)
		}' "$f" || die "$f: cannot be read"
	done
}

# look_at KERNEL: a line for each module that it has, or would get: KERNEL NAME
# FILE VERDICT BOOT WHY, by tabs.
look_at() {
	any=
	for n in $module_names; do
		module_file "$1" "$n"
		[ -n "$file" ] || continue
		any=y
		verify_module "$MODULES/$1/$file" "$1" '' 1 >/dev/null
		case $? in
		0) verdict=good ;;
		4) verdict=bad ;;
		3) verdict=unreadable ;;
		*) no_help "$MODULES/$1/$file" ;;
		esac
		at_boot "$1" "$n" "$file"
		printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$n" "$file" \
		    "$verdict" "$boot" "$why"
	done
	[ -z "$any" ] || return 0
	# None yet, but dkms makes one at boot and udev loads it at once.
	made=$(printf '%s\n' "$packages" | awk -F '\t' '$3 ~ /yes|[?]/ {
		print $4 }') || no_help
	for n in $made; do
		at_boot "$1" "$n" none
		printf '%s\t%s\tnone\tnone\t%s\t%s\n' "$1" "$n" "$boot" "$why"
	done
	[ -n "$made" ] || printf '%s\tnone\tnone\tnone\tno\tno module\n' "$1"
}

# at_boot KERNEL NAME FILE: sets boot to no, tried or untried, and why.
at_boot() {
	boot=no
	forces "$2"
	blacklisted "$2" || :
	if [ -n "$forced" ]; then
		boot=untried why="named in $forced"
	elif [ -z "$black" ]; then
		boot=untried why='on no blacklist'
		return
	else
		why="blacklisted in $black"
	fi
	[ -f "$MODULES/$1/$3" ] || return 0
	[ -r "$R/etc/npu-kmd/tried" ] || return 0
	sum=$(sha256sum <"$MODULES/$1/$3") || no_help "$MODULES/$1/$3"
	# Its name may hold blanks: it is the rest after three fields.
	is=$(AT=$3 awk -v k="$1" -v s="${sum%% *}" '{
		at = $0
		sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", at)
	    }
	    $1 == k && $2 == s && at == ENVIRON["AT"] { f = 1 }
	    END { print (f ? "tried" : "no") }' "$R/etc/npu-kmd/tried")
	case $is in
	tried) boot=tried why='tried on this kernel' ;;
	no) ;;
	*) no_help "$R/etc/npu-kmd/tried" ;;
	esac
}

# forces NAME: forced is the file that has the initrd load it by name, whatever
# any blacklist says; or "".  systemd-modules-load heeds the blacklist.
forces() {
	forced=
	f=$R/etc/initramfs-tools/modules
	[ -r "$f" ] && [ -f "$f" ] || return 0
	is=$(awk -v n="$1" '{ gsub(/-/, "_", $1) }
	    $1 == n { f = 1 } END { print (f ? "forced" : "no") }' "$f")
	case $is in
	forced) forced=${f#"$R"} ;;
	no) ;;
	*) no_help "$f" ;;
	esac
}

# dkms_words JSON: $packages and $found as text, or as JSON.
dkms_words() {
	{ printf '%s\n--\n%s\n' "$packages" "$found"; } |
	    KMD_JSON=$1 awk -F '\t' -f "$KMD/json.awk" -f "$KMD/dkms.awk"
}
