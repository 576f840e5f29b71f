#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernels-run.sh FOLDER TREE COMMAND... - runs COMMAND in FOLDER/root, which
# kernels-setup.sh created, with TREE as /tree, its working directory.
#
# Only chroot needs root, and root in a user namespace is sufficient.  The
# mounts are in a namespace of their own and disappear with it.
set -eu

[ $# -ge 3 ] || {
	echo "usage: kernels-run.sh FOLDER TREE COMMAND..." >&2
	exit 2
}
root=$(cd "$1" && pwd)/root tree=$(cd "$2" && pwd)
shift 2
user=
[ "$(id -u)" -eq 0 ] || user=-r
# shellcheck disable=SC2016 # the inner shell's
exec unshare $user -m sh -eu -c '
root=$1 tree=$2
shift 2
mount --bind "$tree" "$root/tree"
mount --rbind /dev "$root/dev"
exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin LC_ALL=C HOME=/ \
    sh -c '\''cd /tree && exec "$@"'\'' sh "$@"
' sh "$root" "$tree" "$@"
