# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# npu-kmd ssdt add|remove|status - adds core ids that the firmware lacks, as a
# table that the kernel takes from the initrd
# (Documentation/admin-guide/acpi/initrd_table_override.rst): an uncompressed
# cpio archive in front of the initrd.
#
# This script does not touch initrds.  It installs a hook of initramfs-tools.
# Debian's own update-initramfs, which replaces an initrd completely or not at
# all, then adds the table to each initrd, also for later kernels.  A command
# that is killed at any point leaves a bootable machine.
# shellcheck source=driver/kmd/machine.sh
. "$KMD/machine.sh"

aml_name=kernel/firmware/acpi/npu-cores.aml

kmd_ssdt() {
	need_operands 1 'add, remove or status' "$@"
	set_root
	table=$R/etc/npu-kmd/npu-cores.cpio
	hook=$R/etc/initramfs-tools/hooks/npu-kmd
	case $1 in
	add) ssdt_add ;;
	remove) ssdt_remove ;;
	status) ssdt_status ;;
	*) usage "ssdt: '$1' is none of add, remove, status" ;;
	esac
}

# part FILE: prints the path of a part.  In the tree, parts are next to kmd/;
# installed, all files are in one folder.
part() {
	if [ -f "$KMD/$1" ]; then
		echo "$KMD/$1"
	else
		echo "$KMD/../ssdt/$1"
	fi
}

is_there() {
	below "$1"
	[ -e "$real" ]
}

# acpi_devices ID: prints how many devices with ID the firmware and its tables
# have.
acpi_devices() {
	n=0
	below "$R/sys/bus/acpi/devices"
	for d in "$real/$1":*; do
		below "$d"
		[ ! -e "$real" ] || n=$((n + 1))
	done
	echo $n
}

# core_nodes: prints how many of \_SB.NPU0.CRE0 to CRE2 the firmware has, with
# or without an id.
core_nodes() {
	n=0
	below "$R/sys/bus/acpi/devices"
	for d in "$real"/*; do
		readable "$d/path" || continue
		IFS= read -r node <"$real" || :
		case $node in
		'\_SB_.NPU0.CRE'[0-2]) n=$((n + 1)) ;;
		esac
	done
	echo $n
}

# ssdt_needed: checks whether the table would help; otherwise reports a verdict
# and ends with status 4.
ssdt_needed() {
	if [ "$(acpi_devices CIXH4000)" -eq 0 ]; then
		say_err 'ssdt: the firmware names no NPU (CIXH4000), and this' \
		    'table cannot; is ACPI on in the firmware?'
		return 4
	fi
	if [ "$(acpi_devices CIXH4010)" -ge 3 ]; then
		say_err 'ssdt: all three cores have their ids; nothing to add'
		return 4
	fi
	if [ "$(core_nodes)" -eq 0 ]; then
		say_err 'ssdt: the firmware has no devices CRE0 to CRE2 that' \
		    'could be given an id; it needs an update'
		return 4
	fi
	running_kernel
	config=$(captured=y; config_of "$k") ||
		fails "$config" "the configuration of $k"
	case $config in
	*'# CONFIG_ACPI_TABLE_UPGRADE is not set'*)
		say_err "ssdt: the kernel $k takes no tables from an initrd" \
		    '(CONFIG_ACPI_TABLE_UPGRADE)'
		return 4 ;;
	esac
}

ssdt_add() {
	if is_there "$table" && is_there "$hook"; then
		note "ssdt: $table is there already; nothing is written"
		return 0
	fi
	ssdt_needed || return
	command -v iasl >/dev/null ||
		die 'iasl: not found; install acpica-tools'
	within "$table"
	(umask 022 && mkdir -p "${table%/*}") ||
		die "${table%/*}: cannot be made; root may"
	tmp=$(mktemp -d "${table%/*}/new.XXXXXX") ||
		die "${table%/*}: cannot be written; root may"
	trap 'st=$?; rm -rf "$tmp"; ended $st' EXIT
	iasl -p "$tmp/t.aml" "$(part npu-cores.asl)" >"$tmp/log" 2>&1 ||
		die "iasl: $(grep -m 1 -i error "$tmp/log")"
	cpio_of "$tmp/t.aml" >"$tmp/t.cpio" ||
		die "$tmp: cannot be written; is there room?"
	# The table is written first: without it the hook does nothing.
	put_file 644 "$table" <"$tmp/t.cpio"
	below "$R/etc/initramfs-tools"
	if [ ! -d "$real" ]; then
		note "ssdt: no initramfs-tools here: have your boot loader" \
		    "read $table before the initrd"
		return 0
	fi
	put_file 755 "$hook" <"$(part hook)"
	running_kernel
	note "ssdt: now run: update-initramfs -u -k ${k:-all};" \
	    'then boot again'
}

ssdt_remove() {
	was=y
	is_there "$table" || is_there "$hook" || was=
	# The hook is removed first: without it the table does nothing.
	drop_file "$hook"
	[ ! -d "${table%/*}" ] || within "$table"
	rm -rf -- "${table%/*}"/new.??????
	drop_file "$table"
	if [ -n "$was" ]; then
		note 'ssdt: now run: update-initramfs -u -k all'
	else
		note 'ssdt: nothing of it is here'
	fi
}

ssdt_status() {
	text=$(
		echo "NPU devices (CIXH4000): $(acpi_devices CIXH4000)"
		echo "cores with an id (CIXH4010): $(acpi_devices CIXH4010)"
		for f in "$table" "$hook"; do
			there=no
			! is_there "$f" || there=yes
			echo "$f: $there"
		done
		below "$R/boot"
		for i in "$real"/initrd.img-*; do
			f=$R/boot/${i##*/}
			below "$i"
			[ -f "$real" ] || continue
			in_front "$f"
			echo "$f: $is"
		done
	) || exit
	put "$text"
}

# in_front INITRD: sets is to whether the table is in front of INITRD.
in_front() {
	below "$table"
	ours=$real
	below "$1"
	[ -r "$real" ] || die "$1: cannot be read; root may"
	if [ -e "$ours" ]; then
		size=$(wc -c <"$ours") && ours=$(od -An -v -tx1 <"$ours") ||
			no_help "$table"
		front=$(od -An -v -tx1 -N "$((size))" <"$real") || no_help "$1"
		is='the table is in front of it'
		[ "$front" != "$ours" ] || return 0
	fi
	# grep counts, because it must read all of the output of head.
	names=$(
		{
			{
				head -c 1048576 "$real" || echo '(head)' >&3
			} | grep -c "$aml_name"
		} 3>&1
	)
	case $names in
	0) is='without the table' ;;
	*[!0-9]* | '') no_help "$1" ;;
	*) is='another build of the table is in it'
	# As long as update-initramfs has not run after remove.
	is_there "$table" || is='the table is in it, still' ;;
	esac
}

# ---- cpio, "newc" (Documentation/driver-api/early-userspace/
# buffer-format.rst) ---------------------------------------------------------

# zeros N: prints N NUL bytes.
zeros() {
	z=$1
	while [ "$z" -gt 0 ]; do
		printf '\000' || return
		z=$((z - 1))
	done
}

# entry INODE MODE LINKS BYTES NAME: prints its header, and the name padded to a
# multiple of 4.  Owner, time and devices are 0, because the same table must
# give the same bytes.
entry() {
	len=$((${#5} + 1))
	printf '070701%08x%08x%08x%08x%08x%08x%08x' \
	    "$1" "$2" 0 0 "$3" 0 "$4" &&
	    printf '%08x%08x%08x%08x%08x%08x%s' 0 0 0 0 $len 0 "$5" &&
	    zeros $((1 + (4 - (110 + len) % 4) % 4))
}

# cpio_of AML: prints an archive with only this file, at the path where the
# kernel looks for it.
cpio_of() {
	bytes=$(wc -c <"$1") || return
	ino=1
	for d in kernel kernel/firmware kernel/firmware/acpi; do
		entry $ino $((0040755)) 2 0 $d || return
		ino=$((ino + 1))
	done
	entry $ino $((0100644)) 1 "$bytes" "$aml_name" &&
	    cat "$1" &&
	    zeros $(((4 - bytes % 4) % 4)) &&
	    entry 0 0 1 0 'TRAILER!!!'
}
