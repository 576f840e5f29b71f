# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# The commands and options of npu-kmd, for reading them, for --help and for the
# completion of shells.  A row a line, ';' between fields; a line that begins
# with a tab goes on with the help of the row before it.  COMPLETES is folder,
# file or the words themselves.

# NAME;OPERAND;COMPLETES;HELP
kmd_commands='check;TREE;folder;
	which tree it is, what a kernel needs changed in it
adapt;TREE;folder;change it in place to build on all of them
verify;FILE.ko;file;whether a module that was built can be loaded
dkms;;;what the first boot with a dkms module would do
autoload;on|off|status;on off status;whether the module is loaded at boot
ssdt;add|remove|status;add remove status;
	core device ids that the firmware lacks'

# LETTER;NAME;VALUE;COMPLETES;COMMANDS;HELP; without VALUE it takes none,
# without COMMANDS all do.
kmd_options=';kernel;VERSION;folder;check verify;
	for this kernel, or the one whose headers are in this folder
	(the running one)
;undo;;;adapt;put back, byte for byte, what adapt changed
;root;DIR;folder;dkms autoload ssdt;the machine under DIR (/)
;json;;;check verify dkms;one JSON document
;completion;SHELL;bash zsh fish;;
	write what completes this command line in bash, zsh or fish
h;help;;;;this text
V;version;;;;the version'

# option_row NAME: o_value and o_commands of --NAME; fails if there is none.
option_row() {
	while IFS=';' read -r _ o_name o_value _ o_commands _; do
		[ "$o_name" != "$1" ] || return 0
	done <<-END
	$kmd_options
	END
	return 1
}

# is_command NAME
is_command() {
	while IFS=';' read -r c_name _; do
		[ "$c_name" != "$1" ] || return 0
	done <<-END
	$kmd_commands
	END
	return 1
}

# nearest NAME: the option that it begins, to be suggested.
nearest() {
	while IFS=';' read -r _ o_name _; do
		case $o_name in
		"$1"*) echo "; did you mean '--$o_name'?"; return ;;
		esac
	done <<-END
	$kmd_options
	END
}

# from_rows WHAT: help, bash, zsh or fish, made of the rows.
from_rows() {
	printf '%s\n' "$kmd_commands" '' "$kmd_options" |
	    awk -v what="$1" -f "$KMD/options.awk"
}
