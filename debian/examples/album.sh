#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# album.sh FOLDER TEXT - prints the pictures below FOLDER that fit TEXT best.
#
# FOLDER/.album stores the vectors of pictures; a later run embeds only new
# pictures.
set -eu

[ $# -eq 2 ] && [ -d "$1" ] || {
	echo 'usage: album.sh FOLDER TEXT' >&2
	exit 2
}
clip-embed -q -R --index="$1/.album" "$1"
clip-embed -q --text="$2" | vec-nearest -n 5 "$1/.album" | cut -f 3,4
