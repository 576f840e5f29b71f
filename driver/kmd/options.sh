# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# The commands and options of npu-kmd, for the parser, for --help and for the
# completion of shells.  Each line is a row, with ';' between fields; a line
# that begins with a tab continues the help of the row before it.  COMPLETES is
# folder, file or the words themselves.

# NAME;OPERAND;COMPLETES;HELP
kmd_commands='check;TREE;folder;
	which tree it is, what a kernel needs changed in it
adapt;TREE;folder;change it in place to build on all of them
verify;FILE.ko;file;whether a module that was built can be loaded
dkms;;;what the first boot with a dkms module would do
autoload;on|off|status;on off status;whether the module is loaded at boot
ssdt;add|remove|status;add remove status;
	core device ids that the firmware lacks
reset;;;makes an NPU that hangs answer again'

# LETTER;NAME;VALUE;COMPLETES;COMMANDS;HELP; an option without VALUE takes no
# value; an option without COMMANDS is for all commands.
kmd_options=';kernel;VERSION;folder;check verify;
	for this kernel, or the one whose headers are in this folder
	(the running one)
;undo;;;adapt;put back, byte for byte, what adapt changed
;root;DIR;folder;verify dkms autoload ssdt reset;
	the machine under DIR (/)
F;format;FORMAT;text json;check verify dkms;text (default), or one JSON document
;json;;;check verify dkms;the same as -F json
;completion;SHELL;bash zsh fish;;
	write what completes this command line in bash, zsh or fish
o;output;FILE;file;;write to FILE
q;quiet;;;;no notes
v;verbose;;;;print what is read
;yes;;;reset;take the steps (without, only print them)
h;help;;;;this text
V;version;;;;the version'

# option_row NAME: sets o_value and o_commands of --NAME; fails for an unknown
# option.
option_row() {
	while IFS=';' read -r _ o_name o_value _ o_commands _; do
		[ "$o_name" != "$1" ] || return 0
	done <<-END
	$kmd_options
	END
	return 1
}

# letter_row LETTER: sets o_name and o_value of -LETTER; fails for an unknown
# letter.
letter_row() {
	while IFS=';' read -r o_letter o_name o_value _; do
		[ "$o_letter" != "$1" ] || return 0
	done <<-END
	$kmd_options
	END
	return 1
}

# is_command NAME: succeeds if NAME is a command.
is_command() {
	while IFS=';' read -r c_name _; do
		[ "$c_name" != "$1" ] || return 0
	done <<-END
	$kmd_commands
	END
	return 1
}

# nearest WORD FIELD DASHES ROWS: prints a suggestion of the word that was
# probably meant; nothing if awk cannot be run.
nearest() {
	near=$(printf '%s\n' "$4" | WORD=$1 awk -v at="$2" \
	    -f "$KMD/nearest.awk" 2>/dev/null) || near=
	[ -z "$near" ] || echo "; did you mean '$3$near'?"
}

# from_rows WHAT: prints help, bash, zsh or fish, made from the rows.
from_rows() {
	printf '%s\n' "$kmd_commands" '' "$kmd_options" |
	    awk -v what="$1" -f "$KMD/options.awk"
}
