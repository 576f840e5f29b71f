# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# npu-kmd dkms [--json] - predicts the next boot of each kernel: does it have a
# module, is the module good, would dkms build one, would it be loaded untried?
# shellcheck source=driver/kmd/verify.sh
. "$KMD/verify.sh"

kmd_dkms() {
	[ $# -eq 0 ] || usage "dkms: one operand too many: '$1'"
	set_root
	set_dkms
	packages=$(captured=y; dkms_packages '') || fails "$packages"
	# Oldest first, as far as names show.
	found=$(captured=y; for k in "$MODULES"/*; do
		below "$k"
		[ ! -d "$real" ] || look_at "${k##*/}"
	done) || fails "$found"
	words=$(dkms_words "$opt_json") || no_help
	[ -z "$words" ] || put "$words"
	[ -n "$found" ] || die "$MODULES: no kernel has modules there; in a" \
	    "container, or for another machine, name its folder by --root=DIR"
	case "
$found" in
	*'	untried	'*) return 4 ;;
	esac
}

# set_dkms: sets the variables for dkms-conf.awk; arch, the machine for which
# modules are built; and sources and tree, the folders of dkms's sources and of
# its results.
set_dkms() {
	KMD_MODULES=$module_names
	KMD_DKMS=
	KMD_NO_AUTO=
	below "$R/etc/dkms/no-autoinstall"
	[ ! -f "$real" ] ||
		KMD_NO_AUTO=/etc/dkms/no-autoinstall
	arch=aarch64
	if [ -z "$R" ]; then
		arch=$(uname -m) || no_help 'the machine'
		# dkms may not be in the PATH of a user.
		KMD_DKMS=$(PATH=$PATH:/usr/sbin:/sbin dkms --version \
		    2>/dev/null | awk -F '[- ]' '/^dkms-[0-9]/ { print $2 }')
	fi
	export KMD_MODULES KMD_DKMS KMD_NO_AUTO
	unsure=
	framework source_tree /usr/src
	sources=$folder
	framework dkms_tree /var/lib/dkms
	tree=$folder
}

# framework VARIABLE FOLDER: sets folder to the folder that the files of
# dkms_framework.conf(5) give VARIABLE; FOLDER by default.  If the value needs a
# shell, reports this and sets unsure.
framework() {
	variable=$1 folder=$2
	set --
	below "$R/etc/dkms/framework.conf.d"
	for f in "$R"/etc/dkms/framework.conf "$real"/*.conf; do
		below "$f"
		[ ! -f "$real" ] || set -- "$@" "$real"
	done
	[ $# -gt 0 ] || return 0
	is=$(KMD_VARIABLE=$variable awk -f "$KMD/shell.awk" \
	    -f "$KMD/framework.awk" "$@") ||
		die "$R/etc/dkms: cannot be read"
	case $is in
	/*) folder=$is ;;
	'?'*)
		unsure=${unsure:-$variable of dkms is not known}
		say_err "${is#?}: $variable may be another folder than" \
		    "$folder; the value needs a shell" ;;
	esac
}

# dkms_packages KERNEL: prints a line of dkms-conf.awk for each package that
# builds one of our modules, as dkms reads it for KERNEL; "" means any kernel.
dkms_packages() {
	all=$(all_packages "$1") || fails "$all"
	printf '%s\n' "$all" | awk -f "$KMD/latest.awk" || no_help
}

# all_packages KERNEL: prints the lines for latest.awk.  Packages that were
# added to dkms come first, no matter from which folder.
all_packages() {
	added=/ is_added=1
	below "$R$tree"
	for folder in "$real"/*; do
		below "$folder"
		for version in "$real"/*; do
			added_package "$1"
		done
	done
	is_added=0
	below "$R$sources"
	for folder in "$real"/*; do
		package=${folder##*/}
		case $added in
		*"/$package/"*) continue ;;
		esac
		below "$folder/dkms.conf"
		conf=$real
		module_of
		dkms_package "$1" || die "$conf: cannot be read"
	done
}

# added_package KERNEL: the package of $folder and $version, if dkms has a
# source for it.
added_package() {
	below "$version"
	[ -e "$real/source" ] || [ -h "$real/source" ] || return 0
	below "$real/source/dkms.conf"
	conf=$real name=${folder##*/}
	package=$name-${version##*/}
	added=$added$package/
	dkms_package "$1" || die "$conf: cannot be read"
}

# module_of: sets name to the part of $package, NAME-VERSION, that dkms uses as
# the module's name: according to $conf, or the part before the last dash.
module_of() {
	name=
	[ ! -f "$conf" ] || name=$(awk '/^[ \t]*PACKAGE_NAME=/ {
		sub(/^[^=]*=/, "")
		gsub(/["'\'' \t\r]/, "")
		name = $0
	    }
	    END { print name }' "$conf") || die "$conf: cannot be read"
	case $package in
	"$name"-*) ;;
	*) name=${package%-*} ;;
	esac
}

# dkms_package KERNEL: reads $conf, for $package, and the files that override
# it.
dkms_package() {
	[ -f "$conf" ] || return 0
	set -- "$1" "$conf"
	for f in "$name" "$package" \
	    ${1:+"$package-$1" "$package-$1-$arch"}; do
		below "$R/etc/dkms/$f.conf"
		[ ! -f "$real" ] || set -- "$@" "$real"
	done
	set -- "$@" LATER=1
	for f in ${1:+"$name--$1" "$name--$1-$arch"}; do
		below "$R/etc/dkms/$f.conf"
		[ ! -f "$real" ] || set -- "$@" "$real"
	done
	shift
	line=$(KMD_FOLDER=$package awk -f "$KMD/shell.awk" \
	    -f "$KMD/dkms-conf.awk" "$@") || return
	plain "$name"
	line="$is_added	$plain	${package#"$name"-}	$line"
	printf '%s\n' "$line"
}

# look_at KERNEL: prints a line for each module that KERNEL has, or would get:
# KERNEL NAME FILE VERDICT BOOT WHY, separated by tabs.
look_at() {
	any=
	for n in $module_names; do
		module_file "$1" "$n"
		[ -n "$file" ] || continue
		any=y
		headers_of "$1"
		module_at "$1" "$file"
		findings=$(verify_module "$real" "$1" "$kernel_dir" 1)
		case $? in
		0) verdict=good ;;
		4) verdict=bad ;;
		3) verdict=unreadable ;;
		*) fails "$findings" "$MODULES/$1/$file" ;;
		esac
		at_boot "$1" "$n" "$file"
		found_line "$1" "$n" "$file" "$verdict" "$boot" "$why"
	done
	[ -z "$any" ] || return 0
	# No module yet, but dkms builds one at boot and udev loads it at once.
	made=$(dkms_packages "$1") || fails "$made"
	made=$(printf '%s\n' "$made" | awk -F '\t' '$3 ~ /yes|may/ {
		print $5 }') || no_help
	for n in $made; do
		at_boot "$1" "$n" none
		found_line "$1" "$n" none none "$boot" "$why"
	done
	[ -n "$made" ] || found_line "$1" none none none no \
	    "${unsure:-no module}"
}

# found_line FIELD...: prints the fields as a line, separated by tabs.
found_line() {
	line=
	for field; do
		plain "$field"
		line="$line${line:+	}$plain"
	done
	printf '%s\n' "$line"
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
	module_at "$1" "$3"
	[ -f "$real" ] || return 0
	sum=$(sha256sum <"$real") || no_help "$real"
	readable "$R/etc/npu-kmd/tried" || return 0
	# Its name may contain blanks: the name is all after three fields.
	is=$(AT=$3 awk -v k="$1" -v s="${sum%% *}" '{
		at = $0
		sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", at)
	    }
	    $1 == k && $2 == s && at == ENVIRON["AT"] { f = 1 }
	    END { print (f ? "tried" : "no") }' "$real")
	case $is in
	tried) boot=tried why='tried on this kernel' ;;
	no) ;;
	*) no_help "$R/etc/npu-kmd/tried" ;;
	esac
}

# forces NAME: sets forced to the file that makes the initrd load NAME even if
# it is blacklisted; or to "".  systemd-modules-load and mkinitcpio obey the
# blacklist.
forces() {
	forced=
	lists_module "$1" '' /etc/initramfs-tools/modules
	listed_in "$1" '' /usr/share/initramfs-tools/modules.d ''
	# dracut.conf(5).
	lists_module "$1" force_drivers /etc/dracut.conf
	listed_in "$1" force_drivers /etc/dracut.conf.d .conf
	listed_in "$1" force_drivers /usr/lib/dracut/dracut.conf.d .conf
}

# listed_in NAME VARIABLE FOLDER ENDING: calls lists_module for each file in
# FOLDER whose name has that ENDING.
listed_in() {
	below "$R$3"
	for f in "$real"/*"$4"; do
		lists_module "$1" "$2" "$3/${f##*/}"
	done
}

# lists_module NAME VARIABLE FILE: sets forced to FILE if a line in FILE begins
# with NAME or, if VARIABLE is not empty, assigns to VARIABLE, or appends to it,
# a list that contains NAME.  The list may extend over several lines.
lists_module() {
	[ -z "$forced" ] && readable "$R$3" || return 0
	is=$(awk -v n="$1" -v variable="$2" '
	function look(s,    k, i, word) {
		k = split(s, word, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= k; i++)
			if (word[i] == n)
				f = 1
	}
	# take(): reads a list that continues with s, up to the mark that ends
	# it.
	function take(s,    i) {
		i = index(s, until)
		look(i ? substr(s, 1, i - 1) : s)
		if (i)
			until = ""
	}
	{
		sub(/(^|[ \t])#.*/, "")
		gsub(/-/, "_")
	    }
	    variable == "" { if ($1 == n) f = 1; next }
	    until != "" { take($0); next }
	    match($0, "(^|[ \t;])" variable "[+]?=") {
		if (substr($0, RSTART + RLENGTH - 2, 1) != "+")
			f = 0
		s = substr($0, RSTART + RLENGTH)
		until = substr(s, 1, 1)
		if (until ~ /["'\''(]/) {
			if (until == "(")
				until = ")"
			take(substr(s, 2))
		} else {
			until = ""
			sub(/[ \t;].*/, "", s)
			look(s)
		}
	    }
	    END { print (f ? "forced" : "no") }' "$real")
	case $is in
	forced) forced=$3 ;;
	no) ;;
	*) no_help "$R$3" ;;
	esac
}

# dkms_words JSON: prints $packages and $found as text or as JSON.
dkms_words() {
	{ printf '%s\n--\n%s\n' "$packages" "$found"; } |
	    KMD_JSON=$1 awk -F '\t' -f "$KMD/json.awk" -f "$KMD/dkms.awk"
}
