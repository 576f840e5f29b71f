# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
#
# npu-kmd autoload on|off|status|load - whether the boot loads the module.
#
# The blacklist in modprobe.d keeps it from being loaded because the device is
# there.  What has been tried is in /etc/npu-kmd/tried, a line a kernel:
# KERNEL SHA256 NAME FILE; udev's rule runs `autoload load`, which loads that
# file and no other.  So a new kernel, or a new build, is untried again.
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

# not_yet WORDS: a verdict, not a failure.
not_yet() {
	say_err "autoload: $*"
	exit 4
}

# loaded_module: the name of the one that is loaded, by /proc/modules: name,
# size, users, by whom, state.
loaded_module() {
	for n in $module_names; do
		state=$(awk -v n="$n" '$1 == n { print $5 }' \
		    "$R/proc/modules" 2>/dev/null)
		case $state in
		'') ;;
		Live) echo "$n"; return 0 ;;
		*) not_yet "$n is loaded, but '$state': its start never" \
		    "ended; boot again, and see the kernel's log" ;;
		esac
	done
	not_yet "none of $module_names is loaded; load it once by hand" \
	    "(modprobe aipu), use it, then come again"
}

autoload_on() {
	name=$(loaded_module) || exit
	[ -c "$R/dev/aipu" ] || [ -n "$R" ] && [ -e "$R/dev/aipu" ] ||
		not_yet "$name is loaded, but there is no /dev/aipu: it did" \
		    "not take the device; see the kernel's log"
	k=$(running_kernel)
	file=$(module_file "$k" "$name")
	[ -n "$file" ] || not_yet "$name is loaded, but not installed for" \
	    "$k; put it below $MODULES/$k, run depmod"
	same_build "$name" "$MODULES/$k/$file"
	sum=$(sum_of "$MODULES/$k/$file") || exit
	others=$(awk -v k="$k" '$1 != k' "$tried" 2>/dev/null)
	{
		[ -z "$others" ] || printf '%s\n' "$others"
		printf '%s %s %s %s\n' "$k" "$sum" "$name" "$file"
	} | put_file 644 "$tried" || exit
	say_blacklist
}

# same_build NAME FILE: that FILE is what is loaded, not a later build: their
# build ids are the same.
same_build() {
	id=$R/sys/module/$1/notes/.note.gnu.build-id
	[ -r "$id" ] ||
		not_yet "the build id of the loaded $1 cannot be read" \
		    "(/sys/module/$1/notes); root may"
	ours=$(od -An -v -tx1 <"$id" | tr -d ' \n')
	KMD_SECTION=.note.gnu.build-id
	export KMD_SECTION
	theirs=$(open_module "$2" && awk -f "$KMD/elf.awk" \
	    -f "$KMD/section.awk") || not_yet "$2: $theirs"
	[ "$ours" = "$theirs" ] ||
		not_yet "$2 is not what is loaded; modprobe -r $1," \
		    "modprobe $1, use it, then come again"
}

sum_of() {
	sum=$(sha256sum <"$1") || die "$1: cannot be read"
	echo "${sum%% *}"
}

say_blacklist() {
	missing=
	for n in $module_names; do
		blacklisted "$n" >/dev/null || missing="$missing $n"
	done
	[ -n "$missing" ] || return 0
	say_err "autoload: not on modprobe's blacklist:$missing; an untried" \
	    "one is loaded at boot; make -C driver install adds it"
	return 4
}

autoload_status() {
	k=$(running_kernel)
	lines=$(
		[ -f "$tried" ] && while read -r of sum name file; do
			if [ ! -f "$MODULES/$of/$file" ]; then
				state='off (gone)'
			elif [ "$(module_file "$of" "$name")" != "$file" ]; then
			state='off (modprobe would load another file)'
		elif [ "$(sum_of "$MODULES/$of/$file")" = "$sum" ]
			then
				state=on
			else
				state='off (another build)'
			fi
			printf '%s: %s: %s %s\n' "$of" "$state" "$name" "$file"
		done <"$tried"
	)
	case "
$lines" in
	*"
$k: "*) ;;
	*) lines="$k: off (not tried)${lines:+
}$lines" ;;
	esac
	put "$lines"
	say_blacklist
}

# By udev, for the device; what it says is in the journal.
autoload_load() {
	# udev gives what it runs no PATH.
	PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
	export PATH
	k=$(running_kernel)
	line=$(awk -v k="$k" '$1 == k { print; exit }' "$tried" 2>/dev/null)
	[ -n "$line" ] || not_yet "not tried on $k, so not loaded"
	read -r _ sum name file <<-END
	$line
	END
	[ "$(sum_of "$MODULES/$k/$file")" = "$sum" ] ||
		not_yet "$file is another build than was tried, so not loaded"
	# modprobe is told a name: another package's file may go before it.
	[ "$(module_file "$k" "$name")" = "$file" ] ||
		not_yet "modprobe would load another file than $file," \
		    "so not loaded"
	exec modprobe ${R:+-d "$R"} "$name"
}
