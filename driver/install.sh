#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# install.sh install|uninstall|list - all three use one list of installed files;
# see Makefile.  ETC=no leaves out the files that change the machine: blacklist,
# udev rule and group; `make install` of the whole tree sets it.
set -eu
# All users can read the folders as well.
umask 022

cd "$(dirname "$0")"
case ${ETC:-yes}$PREFIX in
no*) ;;
*[[:space:]\'\",\&\\\$%]* | yes[!/]*)
	printf 'install.sh: PREFIX=%s: udev could run nothing there; %s\n' \
	    "$PREFIX" 'it is a whole path without blanks, quotes or ,&\$%' >&2
	exit 2 ;;
esac
share=$PREFIX/share/npu-kmd
rule=${DESTDIR:-}${SYSCONFDIR:-/etc}/udev/rules.d/60-npu-kmd.rules

# MODE SOURCE TARGET, one line for each file.
list() {
	echo "755 npu-kmd $PREFIX/bin/npu-kmd"
	for f in kmd/* ssdt/*; do
		echo "644 $f $share/${f##*/}"
	done
	[ "${ETC:-yes}" = no ] || etc
	echo "644 - $share/version"
	echo "644 bash $PREFIX/share/bash-completion/completions/npu-kmd"
	echo "644 zsh $PREFIX/share/zsh/site-functions/_npu-kmd"
	echo "644 fish $PREFIX/share/fish/vendor_completions.d/npu-kmd.fish"
}

etc() {
	# Not below PREFIX: udev and modprobe would look there only in some
	# cases, and an initrd gets the blacklist in /etc.
	echo "644 etc/udev.rules $SYSCONFDIR/udev/rules.d/60-npu-kmd.rules"
	echo "644 etc/modprobe.conf $SYSCONFDIR/modprobe.d/npu-kmd.conf"
	echo "644 etc/sysusers.conf $SYSCONFDIR/sysusers.d/npu-kmd.conf"
}

put() {
	while read -r mode from at; do
		mkdir -p "$DESTDIR$(dirname "$at")"
		# A link in its place is not followed; a folder is refused.
		rm -f "$DESTDIR$at"
		case $from in
		-) echo "$VERSION" >"$DESTDIR$at" ;;
		bash | zsh | fish)
			./npu-kmd --completion="$from" >"$DESTDIR$at" ;;
		*) install -m "$mode" "$from" "$DESTDIR$at" ;;
		esac
		chmod "$mode" "$DESTDIR$at"
		# udev needs the full path of a program.
		case $from in
		etc/udev.rules)
			sed "s,@BIN@,$PREFIX/bin," "$from" >"$DESTDIR$at" ;;
		esac
	done
}

case ${1:-} in
list)
	list | cut -d ' ' -f 3- ;;
install)
	list | put ;;
uninstall)
	if [ "${ETC:-yes}" = no ] && grep -qsF "\"$PREFIX/bin/npu-kmd " "$rule"
	then
		# Without npu-kmd the rule would fail at each start of the
		# machine.
		echo "kept: $PREFIX/bin/npu-kmd, which $rule calls;" \
		    "make -C driver uninstall removes both" >&2
		exit
	fi
	list | while read -r _ _ at; do
		rm -f "$DESTDIR$at"
	done
	# The only folder that belongs to npu-kmd alone.
	rmdir "$DESTDIR$share" 2>/dev/null || : ;;
*)
	echo 'usage: install.sh install|uninstall|list' >&2
	exit 2 ;;
esac
