# SPDX-License-Identifier: Apache-2.0
# Pictures of one gray, records of their objects, and views of pictures with
# drawn boxes.
# shellcheck shell=bash

# plain WIDTH HEIGHT [VALUE]: writes a PPM whose pixels all have the gray VALUE,
# by default 9.
plain() {
	printf 'P6\n%d %d\n255\n' "$1" "$2"
	head -c $(($1 * $2 * 3)) /dev/zero | tr '\0' "\\$(printf %o "${3:-9}")"
}

# record FILE WIDTH HEIGHT [CLASS ID CONFIDENCE BOX]...: writes a line of
# yolo-detect.
record() {
	printf '{"schema":"yolo-detect/1","file":"%s","width":%d,"height":%d,' \
	    "$1" "$2" "$3"
	printf '"detections":['
	shift 3
	while [ $# -gt 0 ]; do
		printf '{"class":"%s","id":%d,"confidence":%s,"box":[%s]}' \
		    "$1" "$2" "$3" "$4"
		shift 4
		[ $# -eq 0 ] || printf ,
	done
	printf ']}\n'
}

# art: prints the PPM on stdin as letters: '.' for the default gray of plain,
# and for each other colour a letter, in the order of their first pixels.
art() {
	perl -e 'local $/; $_ = <STDIN>; s/^P6\s(\d+)\s(\d+)\s255\s//s or die;
	    ($w, $n) = ($1, ord "a");
	    for $p (unpack "(a3)*") {
		$c{$p} //= $p eq "\t\t\t" ? "." : chr $n++;
		print $c{$p}, ++$i % $w ? "" : "\n";
	    }'
}

# python CODE ARGUMENT...: runs CODE with the modules of Pillow and a function
# rgb.
python() {
	/usr/bin/python3 -c "from PIL import Image, ImageChops, ImageOps
import sys
a = sys.argv[1:]
def rgb(name): return Image.open(name).convert('RGB')
$1" "${@:2}"
}

# no_parts: no temporary files of our programs were left behind.
no_parts() {
	[ -z "$(find . -name '.npu-*')" ]
}
