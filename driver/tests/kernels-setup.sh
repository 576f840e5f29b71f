#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels-setup.sh FOLDER [KERNEL...] - prepares FOLDER for building modules for
# Debian's arm64 kernels, on a machine with any kernel.
#
#	FOLDER/root	a Debian root with make and a cross compiler, and in
#			its usr/src the headers of every kernel
#	FOLDER/kernels	their names, oldest first
#	FOLDER/apt	apt's state: lists and downloads
#
# Each KERNEL is a name as in linux-headers-KERNEL.  Without names, the oldest
# available kernel and the newest of each series from 6.1 on are used.  apt and
# dpkg of this machine stay unchanged: no architecture, source or package is
# added.  Existing files are not downloaded again; a second run does not use the
# network.
#
#	MIRROR=URL	where to download (default: this machine's mirror)
#	SUITES="..."	which suites
set -eu

# trixie's gcc is the oldest in these suites that supports the options of 6.12's
# and later headers (-fmin-function-alignment).  Kernels come from all suites.
tools_from=trixie
: "${SUITES:=bookworm bookworm-backports trixie trixie-backports}"
tools='base-files dash coreutils sed grep mawk findutils diffutils perl-base
bc make kmod gcc-aarch64-linux-gnu binutils-aarch64-linux-gnu pahole libelf1t64
libssl3t64 zlib1g'
keys=/usr/share/keyrings/debian-archive-keyring.gpg

# shellcheck source=/dev/null
. "$(dirname "$0")/kernels-lib.sh"

die() {
	echo "kernels-setup: $*" >&2
	exit 1
}

# run COMMAND...: prints the command, then runs it.
run() {
	echo "kernels-setup: $*" >&2
	"$@" </dev/null >&2
}

# ---- apt with a state of its own -------------------------------------------

# mirror: prints the mirror that this machine uses, from either format of its
# sources.
mirror() {
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
	    /etc/apt/sources.list.d/*.sources 2>/dev/null |
	    sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] *\)\{0,1\}//p' |
	    tr ' ' '\n' | grep -m 1 '^https\{0,1\}://.*/debian/\{0,1\}$' ||
		echo http://deb.debian.org/debian
}

apt_files() {
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/none"
	: >>"$apt/status"
	from=${MIRROR:-$(mirror)}
	for s in $SUITES; do
		echo "deb [signed-by=$keys] $from $s main"
	done >"$apt/sources.list"
	cat >"$apt/conf" <<-END
	Dir::State "$apt";
	Dir::State::status "$apt/status";
	Dir::Cache "$apt/cache";
	Dir::Etc::sourcelist "$apt/sources.list";
	Dir::Etc::sourceparts "$apt/none";
	Dir::Etc::preferencesparts "$apt/none";
	APT::Architecture "amd64";
	APT::Architectures { "amd64"; "arm64"; };
	APT::Install-Recommends "false";
	APT::Sandbox::User "$(id -un)";
	APT::Get::Assume-Yes "true";
	Acquire::Languages "none";
	Acquire::Retries "3";
	END
	export APT_CONFIG="$apt/conf"
}

# lists: downloads the lists once, and again if the sources have changed.
lists() {
	cmp -s "$apt/sources.list" "$apt/listed" && return 0
	[ -e $keys ] || die "$keys: not found; install debian-archive-keyring"
	# shellcheck disable=SC2015 # both must succeed
	run apt-get -q update && [ -n "$(offered)" ] ||
		die "apt-get could not update from ${MIRROR:-$(mirror)};" \
		    "MIRROR=URL names another mirror"
	cp "$apt/sources.list" "$apt/listed"
}

# offered: prints the available kernels, oldest first: 6.1.0-50-arm64,
# 7.3.4+deb13-arm64.
offered() {
	apt-cache pkgnames linux-headers- | sed 's/^linux-headers-//' |
	    grep -E '^[0-9]+\.[0-9]+\.[0-9][-+.0-9a-z]*-arm64$' |
	    grep -Ev -e '-(rt|cloud|16k)-arm64$' | sort -V
}

# ---- The chroot -------------------------------------------------------------

# unpack DEB...: unpacks over existing files.  Older packages still contain /lib
# and /bin, which are links in the root.
unpack() {
	for d; do
		dpkg-deb --fsys-tarfile "$d" | tar -x -C "$root" \
		    --keep-directory-symlink --no-same-owner ||
			die "${d##*/}: cannot be unpacked"
	done
}

# make_root: packages are not configured, because a compiler works without that.
make_root() {
	[ ! -e "$to/root.done" ] || return 0
	lists
	mkdir -p "$root"
	# shellcheck disable=SC2086 # words, on purpose
	run apt-get -q -t $tools_from --download-only install $tools ||
		die "apt-get could not fetch the compiler"
	unpack "$apt"/cache/archives/base-files_*.deb
	unpack "$apt"/cache/archives/*.deb
	rm -f "$apt"/cache/archives/*.deb
	ln -sf mawk "$root/usr/bin/awk"
	mkdir -p "$root/tree" "$root/dev" "$root/tmp"
	: >"$to/root.done"
}

# needs KERNEL: prints the packages with its headers, in apt's notation.  Its
# tools run here, so they have this machine's architecture.
needs() {
	echo "linux-headers-$1:arm64"
	apt-cache show "linux-headers-$1:arm64" | sed -n 's/^Depends: //p' |
	    head -n 1 | tr ',' '\n' | sed -n \
	    -e 's/^ *\(linux-headers-[^ ]*-common\).*/\1:all/p' \
	    -e 's/^ *\(linux-kbuild-[^ ]*\).*/\1:amd64/p'
}

add_kernel() {
	[ ! -e "$to/done/$1" ] || return 0
	lists
	rm -rf "$apt/debs"
	mkdir -p "$apt/debs" "$to/done"
	names=$(needs "$1")
	[ "$(echo "$names" | wc -l)" -eq 3 ] ||
		die "$1: no such kernel on the mirror; it has:" \
		    "$(offered | tr '\n' ' ')"
	# shellcheck disable=SC2086 # words, on purpose
	(cd "$apt/debs" && run apt-get -q download $names) ||
		die "$1: apt-get could not fetch its headers"
	unpack "$apt"/debs/*.deb
	rm -rf "$apt/debs"
	: >"$to/done/$1"
}

# ---- ------------------------------------------------------------------------

[ $# -ge 1 ] || {
	echo "usage: kernels-setup.sh FOLDER [KERNEL...]" >&2
	exit 2
}
mkdir -p "$1"
to=$(cd "$1" && pwd)
shift
apt=$to/apt root=$to/root
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] ||
	die "the cross compiler is for Debian on amd64"
apt_files
make_root
if [ $# -eq 0 ] && [ ! -s "$to/kernels" ]; then
	lists
	offered | choose >"$to/kernels.new"
	[ -s "$to/kernels.new" ] || die "the mirror has no arm64 kernel"
	mv "$to/kernels.new" "$to/kernels"
fi
if [ $# -gt 0 ]; then
	printf '%s\n' "$@" | sort -V >"$to/kernels"
fi
while read -r k; do
	add_kernel "$k"
done <"$to/kernels"
