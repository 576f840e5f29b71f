# SPDX-License-Identifier: Apache-2.0
# Helpers that make, from our own files, trees like the kernel driver's, a
# compiler that behaves like a kernel of a given release, and a machine with a
# module.
# shellcheck shell=bash

FIXTURES=$TOP/driver/tests/fixtures
PATH=$TOP/driver:$PATH

# tree KIND: creates a tree of that kind in the folder t.
tree() {
	rm -rf t
	cp -r "$FIXTURES/tree" t
	case $1 in
	orangepi-5.11.0) ;;
	sixpatch) six_patches ;;
	sky1-linux)
		sed -i 's,^\tbool abort,\t/* late */\n&,' \
		    t/armchina-npu/aipu_job_manager.c ;;
	upstream-4.0) upstream ;;
	upstream-4.1 | upstream-4.2)
		upstream
		newer_ioctls
		mkdir t/armchina-npu/zhouyi
		echo '#include "v3_2.h"' >t/armchina-npu/zhouyi/v3_2.c
		[ "$1" = upstream-4.1 ] || echo '/* ZHOUYI_V3_2_0 */' \
		    >>t/armchina-npu/include/armchina_aipu.h ;;
	cix-6.x) newer_ioctls ;;
	*) return 1 ;;
	esac
}

# upstream: the cores are nodes of ACPI, not devices.
upstream() {
	sed -i 's/= bus_find_device_by_fwnode(.*/= acpi_bind_one(/' \
	    t/armchina-npu/sky1/sky1.c
}

newer_ioctls() {
	sed -i -e 's/__u64 base.32./__u64 base[4]/' \
	    -e 's/^\t__u64 bytes;/&\n\t__u64 more[3];/' \
	    -e 's/^\t__u32 more.7.;/&\n\t__u64 last;/' \
	    t/armchina-npu/include/armchina_aipu.h
}

# six_patches: makes the manual changes that the public guide describes.
six_patches() {
	sed -i -e 's/EXTRA_CFLAGS/ccflags-y/; s,\$(SRC_DIR)/,,' \
	    -e 's/\$(PWD)/$(src)/g' \
	    -e '/^ifneq/,/^endif/d' t/Makefile
	sed -i 's/(DMA_BUF)/("DMA_BUF")/' t/armchina-npu/aipu_dma_buf.c
	sed -i -e 's/^static int \(fixture_remove(\)/static void \1/' \
	    -e 's/return fixture_put(/fixture_put(/' \
	    -e 's/^static int fixture_devfreq_init/#ifdef'\
' CONFIG_ENABLE_DEVFREQ\n&/' \
	    -e 's/^int fixture_put/#endif\n&/' t/armchina-npu/sky1/sky1.c
	printf '%s\n' 'static const char __modinfo_import_ns[]' \
	    '	__attribute__((used))' '	= "import_ns=DMA_BUF";' \
	    >>t/armchina-npu/sky1/sky1.c
	sed -i -e 's/^static int fixture_reserved.*/&\n{/' \
	    -e 's/^int fixture_add/#endif\n&/' t/armchina-npu/aipu_mm.c
	awk '/^\{/ && was == "{" {
		print "#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)"
		print "\treturn 0;\n}\n#else"
		was = ""
		next
	    }
	    { print; was = $0 }' t/armchina-npu/aipu_mm.c >mm
	mv mm t/armchina-npu/aipu_mm.c
}

# The kinds of trees that adapt supports.
# shellcheck disable=SC2034 # the tests read it
kinds='orangepi-5.11.0 sixpatch sky1-linux upstream-4.0 upstream-4.2'

# for_kernel RELEASE FILES [FLAG...]: whether each t/FILE compiles for RELEASE,
# as kbuild compiles it for mainline.  With -c -o, a single FILE is compiled to
# an object.
for_kernel() {
	local files='' major=${1%%.*} minor=${1#*.} f h
	for f in $2; do
		[ ! -f "t/armchina-npu/$f" ] || f=t/armchina-npu/$f
		files="$files $f"
	done
	shift 2
	[ $# -gt 0 ] || set -- -fsyntax-only
	mkdir -p include/linux
	# shellcheck disable=SC2086 # words
	for h in $(sed -n 's/^#include <\(.*\)>/\1/p' $files | sort -u); do
		echo '#include "kernel.h"' >"include/$h"
	done
	# shellcheck disable=SC2086 # words
	"${CC:-cc}" -std=gnu11 -Werror=implicit -Wall -Werror \
	    -Wno-unused-function -I include -I "$FIXTURES" \
	    "-DLINUX_VERSION_CODE=((($major) << 16) + (($minor) << 8))" \
	    "$@" $files
}

# sums FOLDER: prints the checksums of all files in FOLDER.
sums() {
	(cd "$1" && find . -type f -exec sha256sum {} + | sort -k 2)
}

# rows RELEASE: prints the rows that check lists for t, such as "1 2 8".
rows() {
	local st=0
	npu-kmd check t --kernel="$1" --json >json || st=$?
	jq -r '[.needed[].id] | unique | join(" ")' json
	[ $st -eq "$(jq 'if .needed == [] then 0 else 4 end' json)" ]
}

# ---- A machine ----------------------------------------------------------------

K=6.12.107-arm64
as=aarch64-linux-gnu-gcc
[ "$(uname -m)" != aarch64 ] || as=gcc

# shellcheck disable=SC2120 # other files give them
# module [-DNAME...]: creates the module for $K in m, where dkms puts it.
module() {
	at=m/lib/modules/$K
	mkdir -p $at/updates/dkms
	"$as" -c "$@" -o $at/updates/dkms/aipu.ko \
	    "$TOP/driver/tests/ko/ko.S"
	printf 'kernel/a/b-c.ko.xz:\nupdates/dkms/aipu.ko: kernel/a/b-c.ko.xz\n' \
	    >$at/modules.dep
}

# note BYTE: sets the build id of the loaded module.
note() {
	mkdir -p m/sys/module/aipu/notes
	perl -e 'print pack("V3", 4, 20, 3), "GNU\0", chr($ARGV[0]) x 20' \
	    -- "$1" >m/sys/module/aipu/notes/.note.gnu.build-id
}

# machine: creates m, with our files installed and the module loaded.
machine() {
	rm -rf m
	make -C "$TOP/driver" -s install DESTDIR="$PWD/m" PREFIX=/usr
	mkdir -p m/proc/sys/kernel m/dev
	echo $K >m/proc/sys/kernel/osrelease
	printf 'aipu 131072 0 - Live 0x0000000000000000 (OE)\n' \
	    >m/proc/modules
	: >m/dev/aipu
	module
	note 17
}

# hidden FROM: replaces every file and every top-level folder of m by a link:
# FROM, which leads to the root, followed by the new path of the file or folder.
hidden() {
	local i=0 f
	mkdir -p m/hidden/files
	find m -type f ! -path 'm/hidden/*' >files
	while IFS= read -r f; do
		i=$((i + 1))
		mv "$f" m/hidden/files/$i
		ln -s "$1/hidden/files/$i" "$f"
	done <files
	for f in m/*; do
		[ "$f" != m/hidden ] || continue
		mv "$f" m/hidden/
		ln -s "$1/hidden/${f#m/}" "$f"
	done
}

# Two ways to name the root: a path that begins with /, and more ".." than there
# are folders.
# shellcheck disable=SC2034 # the tests read it
roots=('' ../../../../../../../../../../../../..)
