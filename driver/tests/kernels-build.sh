#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels-build.sh FOLDER TREE KERNEL [MAKE-ARGUMENT...] - build the module in
# TREE for one of the kernels of FOLDER (kernels-setup.sh), in the way of dkms:
# from the module's own folder, by the kernel's Makefile.
#
# Only chroot needs root, and a user namespace will do.  The mounts are in a
# namespace of their own and end with it.
set -eu

[ $# -ge 3 ] || {
	echo "usage: kernels-build.sh FOLDER TREE KERNEL [ARGUMENT...]" >&2
	exit 2
}
root=$(cd "$1" && pwd)/root tree=$(cd "$2" && pwd) kernel=$3
shift 3
headers=/usr/src/linux-headers-$kernel
[ -d "$root$headers" ] || {
	echo "kernels-build: $kernel: no headers in $root/usr/src" >&2
	exit 1
}
user=
[ "$(id -u)" -eq 0 ] || user=-r
# shellcheck disable=SC2016 # the inner shell's
exec unshare $user -m sh -eu -c '
root=$1 tree=$2 headers=$3
shift 3
mount --bind "$tree" "$root/tree"
mount --rbind /dev "$root/dev"
exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin:/bin:/sbin \
    LC_ALL=C HOME=/ sh -c '\''
	headers=$1
	shift
	cd /tree
	exec make -C "$headers" M=/tree ARCH=arm64 \
	    CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc "$@"
'\'' sh "$headers" "$@"
' sh "$root" "$tree" "$headers" "$@"
