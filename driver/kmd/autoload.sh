# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd autoload on|off|status|load - decides whether the boot loads the
# module.
#
# The blacklist in modprobe.d keeps the module from being loaded just because
# the device exists.  /etc/npu-kmd/tried lists the tried modules, one line for
# each kernel: KERNEL SHA256 NAME FILE.  udev's rule runs `autoload load`, which
# loads this file and no other.  Therefore a new kernel or a new build counts as
# untried.
# shellcheck source=driver/kmd/machine.sh
. "$KMD/machine.sh"
# shellcheck source=driver/kmd/verify.sh
. "$KMD/verify.sh"

kmd_autoload() {
	need_operands 1 'on, off or status' "$@"
	set_root
	tried=$R/etc/npu-kmd/tried
	case $1 in
	on) autoload_on ;;
	off) drop_file "$tried" ;;
	status) autoload_status ;;
	load) autoload_load ;;
	*) usage "autoload: '$1' is none of on, off, status" ;;
	esac
}

# not_yet MESSAGE: reports a verdict (status 4), which is not a failure.
not_yet() {
	say_err "autoload: $*"
	exit 4
}

# loaded_module: sets name from /proc/modules, whose fields are name, size,
# number of users, their names, state.
loaded_module() {
	for n in $module_names; do
		state=
		! readable "$R/proc/modules" ||
			state=$(awk -v n="$n" '$1 == n { print $5 }' \
			    "$real") || no_help "$R/proc/modules"
		case $state in
		'') ;;
		Live) name=$n; return 0 ;;
		*) not_yet "$n is loaded, but '$state': its start never" \
		    "ended; boot again, and see the kernel's log" ;;
		esac
	done
	not_yet "none of $module_names is loaded; load it once by hand" \
	    "(modprobe aipu), use it, then come again"
}

# need_kernel: calls running_kernel and ends if there is no running kernel, as
# in an image that is not booted.
no_kernel='proc/sys/kernel/osrelease of the tree names no kernel that runs'
need_kernel() {
	running_kernel
	[ -n "$k" ] || not_yet "$no_kernel"
}

autoload_on() {
	loaded_module
	below "$R/dev/aipu"
	[ -c "$real" ] || [ -n "$R" ] && [ -e "$real" ] ||
		not_yet "$name is loaded, but there is no /dev/aipu: it did" \
		    "not take the device; see the kernel's log"
	need_kernel
	module_file "$k" "$name"
	[ -n "$file" ] || not_yet "$name is loaded, but not installed for" \
	    "$k; put it below $MODULES/$k, run depmod"
	module_at "$k" "$file"
	same_build "$name" "$real"
	module_at "$k" "$file"
	sum_of "$real"
	others=
	need_tried
	[ ! -f "$list" ] || others=$(awk -v k="$k" '$1 != k' "$list") ||
		no_help "$tried"
	{
		[ -z "$others" ] || printf '%s\n' "$others"
		printf '%s %s %s %s\n' "$k" "$sum" "$name" "$file"
	} | put_file 644 "$tried" || exit
	say_blacklist
}

# need_tried: sets list to the file to read for $tried.  Ends if the list cannot
# be read: then it is unknown whether a module was tried.
need_tried() {
	below "$tried"
	list=$real
	[ ! -f "$list" ] || [ -r "$list" ] ||
		die "$tried: cannot be read; root may"
}

# same_build NAME FILE: succeeds if the loaded module is FILE and not another
# build: their build ids are equal.
same_build() {
	below "$R/sys/module/$1/notes/.note.gnu.build-id"
	id=$real
	[ -r "$id" ] ||
		not_yet "the build id of the loaded $1 cannot be read" \
		    "(/sys/module/$1/notes); root may"
	{
		size=$(wc -c <"$id") && ours=$(od -An -v -tx1 <"$id")
	} 2>/dev/null || no_help "$id"
	ours=$(printf '%s' "$ours" | tr -d ' \n')
	[ ${#ours} -eq $((2 * size)) ] || no_help "$id"
	KMD_SECTION=.note.gnu.build-id
	export KMD_SECTION
	theirs=$(open_module "$2" && awk -f "$KMD/elf.awk" \
	    -f "$KMD/section.awk")
	case $? in
	0) ;;
	3) not_yet "$2: $theirs" ;;
	*) no_help "$2" ;;
	esac
	[ "$ours" = "$theirs" ] ||
		not_yet "$2 is not what is loaded; modprobe -r $1," \
		    "modprobe $1, use it, then come again"
}

# sum_of FILE: sets sum to its SHA-256.
sum_of() {
	sum=$(sha256sum <"$1") || die "$1: cannot be read"
	sum=${sum%% *}
}

say_blacklist() {
	missing=
	for n in $module_names; do
		blacklisted "$n" || missing="$missing $n"
	done
	[ -n "$missing" ] || return 0
	say_err "autoload: not on modprobe's blacklist:$missing; an untried" \
	    "one is loaded at boot; make -C driver install adds it"
	return 4
}

# state_of KERNEL SHA256 NAME FILE: sets state.
state_of() {
	state='off (gone)'
	module_at "$1" "$4"
	[ -f "$real" ] || return 0
	state='off (modprobe would load another file)'
	module_file "$1" "$3"
	[ "$file" = "$4" ] || return 0
	state='off (another build)'
	module_at "$1" "$4"
	sum_of "$real"
	[ "$sum" != "$2" ] || state=on
}

autoload_status() {
	running_kernel
	need_tried
	lines=
	[ ! -f "$list" ] || lines=$(
		while read -r of want name at || [ -n "$of" ]; do
			state_of "$of" "$want" "$name" "$at"
			printf '%s: %s: %s %s\n' "$of" "$state" "$name" "$at"
		done <"$list"
	) || exit
	case ${k:+y}"
$lines" in
	y*"
$k: "*) ;;
	y*) lines="$k: off (not tried)${lines:+
}$lines" ;;
	*) say_err "autoload: $no_kernel" ;;
	esac
	[ -z "$lines" ] || put "$lines"
	say_blacklist
}

# udev runs this for the device; its messages go to the journal.
autoload_load() {
	# udev runs programs without PATH.
	PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
	export PATH
	need_kernel
	need_tried
	at=
	# The last line may lack its newline.
	[ ! -f "$list" ] || while read -r of want name at || [ -n "$of" ]; do
		[ "$of" != "$k" ] || break
		at=
	done <"$list"
	[ -n "$at" ] || not_yet "not tried on $k, so not loaded"
	module_at "$k" "$at"
	sum_of "$real"
	[ "$sum" = "$want" ] ||
		not_yet "$at is another build than was tried, so not loaded"
	# modprobe takes a name, and a file of another package may take
	# precedence.
	module_file "$k" "$name"
	[ "$file" = "$at" ] ||
		not_yet "modprobe would load another file than $at," \
		    "so not loaded"
	modprobe ${R:+-d "$R"} "$name"
	st=$?
	[ $st -lt 126 ] || die "$name: modprobe cannot be run, so not loaded"
	return $st
}
