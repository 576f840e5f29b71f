# SPDX-License-Identifier: Apache-2.0
# A copy of this checkout and its build is installed into an empty folder, and
# then moved away.  All programs in these tests run from the installation.
# bats file_tags=native,slow

load ../support/helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	mkdir checkout
	(cd "$TOP" && tar -cf - --exclude=./build --exclude=./.git .) |
	    tar -xf - -C checkout
	# Hard links to the downloads, which are not fetched again.
	mkdir checkout/build
	cp -al "$TOP/build/setup" checkout/build/setup
	(cd "$B" && cp -a bin cmd gen lib share tools lib-all.a libnpu.o \
	    hardening* "$BATS_FILE_TMPDIR/checkout/build")
	# The build is for the default prefix; the installation uses another
	# prefix.  Descriptor 3 is closed: it belongs to bats, and a parallel
	# make would keep it.
	make_there -j 2 CFLAGS=-O0 >log 2>&1 3>&- || {
		cat log >&2
		return 1
	}
	echo 'a photo of a red circle' >text
	pipeline "$PWD/checkout/build/bin" >before
	(umask 077 && make_there install DESTDIR="$PWD/dest" PREFIX=/opt/npu \
	    CFLAGS=-O0 >log 2>&1 3>&-)
	mkdir elsewhere
	mv checkout elsewhere/
}

make_there() {
	env -u MAKEFLAGS -u B make -C checkout --no-print-directory -s "$@"
}

# pipeline BIN: runs the pipeline of npu-utils(7), with only BIN added to PATH.
pipeline() {
	env -i PATH="$1:/usr/bin:/bin" bash -o pipefail -c \
	    'clip-tokenize | npu-run -q clip_txt.cix | npu-dequant' <text
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	AT=$PWD/dest/opt/npu
}

@test "make install installs exactly what list-installed prints" {
	(cd elsewhere/checkout && make -s list-installed) |
	    sed 's,^,./opt/npu/,' | sort >want
	(cd dest && find . ! -type d) | sort >have
	diff want have
	[ "$(wc -l <want)" -gt 30 ]
	for f in bin/npu-run lib/libnpu.a lib/libnpu.so include/npu.h \
	    lib/pkgconfig/npu.pc \
	    include/noe_abi.h share/man/man3/noe_abi.3 \
	    lib/npu-utils/libnoe-emu.so lib/npu-utils/noe/libnoe.so \
	    lib/npu-utils/libxdna-emu.so \
	    lib/npu-utils/noe3/libnoe.so.3.1.0 \
	    lib/npu-utils/noe/libnoe.so.0 \
	    lib/npu-utils/noe3/libaipudrv.so lib/npu-utils/noe3/libnoe.so.3 \
	    lib/npu-utils/libonnxruntime.so.1 \
	    share/npu-utils/python/libnoe.py \
	    share/npu-utils/python-npu/npu.py share/man/man3/npu.py.3 \
	    share/npu-utils/models/clip_txt.cix \
	    share/npu-utils/models/clip_visual.cix \
	    share/npu-utils/models/yolov8n.cix \
	    share/doc/npu-utils/NOTICE \
	    share/doc/npu-utils/LICENSES/MIT-onnxruntime.txt \
	    share/doc/npu-utils/LICENSES/MIT-CLIP.txt \
	    share/man/man1/npu-run.1 \
	    bin/npu-kmd share/npu-kmd/verify.sh share/npu-kmd/npu-cores.asl \
	    share/bash-completion/completions/npu-run \
	    share/zsh/site-functions/_npu-run \
	    share/fish/vendor_completions.d/npu-run.fish; do
		[ -s "$AT/$f" ] || { echo "missing: $f"; false; }
	done
}

@test "npu-kmd is installed and works, and the machine is not changed" {
	run --separate-stderr -0 "$AT/bin/npu-kmd" --version
	[ "$output" = "npu-kmd (npu-utils) $(
	    "$AT/bin/npu-run" --version | sed 's/.* //; q')" ]
	run --separate-stderr -0 "$AT/bin/npu-kmd" --help
	# No blacklist, udev rule or group: driver/ installs those separately.
	run -1 grep -rlE 'blacklist|SUBSYSTEM==' dest/opt/npu/share/npu-kmd \
	    --include='*.conf' --include='*.rules'
	[ "$(ls dest)" = opt ]
}

@test "the umask of the installing user does not restrict the files" {
	run -0 find dest -type d ! -perm 755
	[ "$output" = "" ]
	run -0 find dest/opt/npu/bin -type f ! -perm 755
	[ "$output" = "" ]
	run -0 find dest ! -path '*/bin/*' -type f ! -perm 644
	[ "$output" = "" ]
}

@test "the only symbolic links are the names of libnpu.so" {
	(cd dest/opt/npu/lib && find ../../.. -type l -printf '%f %l\n') |
	    sort >links
	[ "$(cat links)" = "libnpu.so libnpu.so.0
libnpu.so.0 $(cd dest/opt/npu/lib && ls libnpu.so.0.*)" ]
}

@test "clip-tokenize, npu-run and npu-dequant work without the checkout" {
	[ ! -e checkout ]
	pipeline "$AT/bin" >after
	cmp before after
	# A label and 512 floats.
	[ "$(wc -c <after)" -eq $((64 + 512 * 4)) ]
	[ "$(dd if=after bs=8 count=1 2>/dev/null)" = NPUTENS1 ]
}

@test "shell completions equal the output of the installed programs" {
	for c in "$AT"/bin/*; do
		c=${c##*/}
		"$AT/bin/$c" --completion=bash |
		    cmp - "$AT/share/bash-completion/completions/$c"
		"$AT/bin/$c" --completion=zsh |
		    cmp - "$AT/share/zsh/site-functions/_$c"
		"$AT/bin/$c" --completion=fish |
		    cmp - "$AT/share/fish/vendor_completions.d/$c.fish"
	done
}

@test "the installed tree can be moved again" {
	mv dest/opt/npu dest/opt/moved
	pipeline "$PWD/dest/opt/moved/bin" >after
	mv dest/opt/moved dest/opt/npu
	cmp before after
}

@test "a C program can be built with npu.pc and runs a model" {
	cat >prog.c <<-'END'
	#include <npu.h>
	#include <stdio.h>
	#include <stdlib.h>

	int
	main(int argc, char *argv[])
	{
		struct npu_options opt = { .emulator = argv[argc - 1],
		    .device = NPU_DEVICE_EMU };
		struct npu_err err;
		struct npu *npu;
		void *in, *out;
		int rc;

		if (npu_open(&npu, argv[1], &opt, &err) < 0) {
			fprintf(stderr, "%s\n", err.msg);
			return 1;
		}
		in = calloc(1, npu_input_size(npu));
		out = calloc(1, npu_output_size(npu));
		rc = npu_run(npu, in, out, &err);
		if (rc < 0)
			fprintf(stderr, "%s\n", err.msg);
		printf("%d %d\n", (int)npu_input_size(npu),
		    (int)npu_output_size(npu));
		free(in);
		free(out);
		npu_close(npu);
		return rc < 0;
	}
	END
	export PKG_CONFIG_PATH=$AT/lib/pkgconfig
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -Wall -Werror -o prog prog.c $(pkg-config --cflags --libs npu)
	LD_LIBRARY_PATH=$AT/lib run --separate-stderr -0 ./prog \
	    "$AT/share/npu-utils/models/clip_txt.cix" \
	    "$(pkg-config --variable=pluginsdir npu)/libnoe-emu.so"
	# 77 ids of four bytes; 512 elements of one byte.
	[ "$output" = "308 512" ]
	# The same with the static archive, as libnpu(3) shows.
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -Wall -Werror -o prog prog.c $(pkg-config --cflags --libs \
	    --static npu | sed s/-lnpu/-l:libnpu.a/)
	run --separate-stderr -0 ./prog "$AT/share/npu-utils/models/clip_txt.cix" \
	    "$AT/lib/npu-utils/libnoe-emu.so"
	[ "$output" = "308 512" ]
	[ "$(pkg-config --modversion npu)" = \
	    "$("$AT/bin/npu-run" --version | sed 's/.* //; q')" ]
}

@test "a Python program finds libnpu and the emulator of its tree" {
	cat >prog.py <<-'END'
	import npu
	import sys
	with npu.Model(sys.argv[1]) as m:
	    print(m.library, [len(x) for x in m.run(bytes(308))])
	END
	python_in() {
		env -i PYTHONPATH="$1/share/npu-utils/python-npu" \
		    /usr/bin/python3 -B -S prog.py \
		    "$1/share/npu-utils/models/clip_txt.cix"
	}
	run --separate-stderr -0 python_in "$AT"
	[ "$output" = "$AT/lib/npu-utils/libnoe-emu.so [512]" ]
	# Also after the tree was moved, and with LIBDIR.
	cp -a "$AT" moved
	lib=lib/$(/usr/bin/python3 -c \
	    'import sys; print(sys.implementation._multiarch)')
	mkdir "moved/$lib"
	mv moved/lib/libnpu.so* "moved/$lib"
	run --separate-stderr -0 python_in "$PWD/moved"
	[ "$output" = "$PWD/moved/lib/npu-utils/libnoe-emu.so [512]" ]
	rm -r moved
}

@test "with LIBDIR, npu.pc still finds the library and the header" {
	(cd elsewhere/checkout && env -u MAKEFLAGS -u B make -s install \
	    CFLAGS=-O0 DESTDIR="$BATS_FILE_TMPDIR/deep" PREFIX=/usr \
	    LIBDIR=lib/any-linux-gnu >log 2>&1 3>&-)
	export PKG_CONFIG_PATH=$PWD/deep/usr/lib/any-linux-gnu/pkgconfig
	echo '#include <npu.h>
	int main(void) { return npu_bpe_clip() == NULL; }' >deep.c
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -o deep.out deep.c $(pkg-config --cflags --libs npu)
	LD_LIBRARY_PATH=deep/usr/lib/any-linux-gnu ./deep.out
	[ ! -e deep/usr/lib/libnpu.a ]
	rm -r deep
}

@test "LIBDIR can be written in several ways, but must be below PREFIX" {
	cd elsewhere/checkout
	libdir() {
		env -u MAKEFLAGS -u B make -s list-installed PREFIX=/usr \
		    LIBDIR="$1"
	}
	libdir lib/any >"$BATS_TEST_TMPDIR/want"
	grep -qx lib/any/pkgconfig/npu.pc "$BATS_TEST_TMPDIR/want"
	for l in ./lib/any lib//any/ ././lib/./any/. /usr/lib/any \
	    /usr//lib/any//; do
		libdir "$l" | diff "$BATS_TEST_TMPDIR/want" -
	done
	for l in /lib /usr2/lib . ./ / lib/../lib64 .. 'my lib'; do
		run -2 libdir "$l"
		[[ $output == "install: LIBDIR=$l: not a folder below PREFIX=\
/usr; "* ]]
	done
	# If LIBDIR is given, npu.pc finds the library there.
	for l in /opt/lib/any/ ./lib/any; do
		rm -rf "$BATS_TEST_TMPDIR/to"
		env -u MAKEFLAGS -u B make -s install CFLAGS=-O0 PREFIX=/opt \
		    DESTDIR="$BATS_TEST_TMPDIR/to" LIBDIR="$l" >log 2>&1 3>&-
		lib=$(PKG_CONFIG_PATH=$BATS_TEST_TMPDIR/to/opt/lib/any/pkgconfig \
		    pkg-config --libs-only-L npu)
		[ -e "$(echo "${lib#-L}" | tr -d ' ')/libnpu.a" ]
	done
}

@test "a folder in a file's place is not filled, and a link not followed" {
	to=$BATS_TEST_TMPDIR/to
	echo mine >"$BATS_TEST_TMPDIR/mine"
	again() {
		(cd elsewhere/checkout && env -u MAKEFLAGS -u B make -s install \
		    CFLAGS=-O0 PREFIX=/opt DESTDIR="$to" 2>&1 3>&-)
	}
	for f in lib/pkgconfig/npu.pc bin/npu-run; do
		rm -f "$to/opt/$f"
		mkdir -p "$to/opt/$f"
		run -2 again
		[[ $output == *"/opt/$f': Is a directory"* ]]
		# The folder is still there, and empty.
		rmdir "$to/opt/$f"
		ln -s "$BATS_TEST_TMPDIR/mine" "$to/opt/$f"
		again
		[ ! -h "$to/opt/$f" ]
		[ "$(cat "$BATS_TEST_TMPDIR/mine")" = mine ]
	done
}

@test "COMPLETIONS= installs completions if the programs cannot run" {
	mv elsewhere/checkout .
	touch checkout/build/bin/npu-run
	run -2 make_there completions RUN=false
	[[ $output == *"build/bin/npu-run: does not run here; say RUN= or "* ]]
	make_there install DESTDIR="$PWD/cross" PREFIX=/usr CFLAGS=-O0 \
	    RUN=false COMPLETIONS="$AT/share" >log 2>&1 3>&-
	mv checkout elsewhere/
	diff -r cross/usr/share/fish "$AT/share/fish"
	diff -r cross/usr/share/zsh "$AT/share/zsh"
	diff -r cross/usr/share/bash-completion "$AT/share/bash-completion"
}

@test "make uninstall removes what was installed, and only that" {
	mv elsewhere/checkout .
	echo mine >"$AT/bin/mine"
	echo mine >"$AT/lib/npu-utils/mine"
	make_there uninstall DESTDIR="$PWD/dest" PREFIX=/opt/npu
	[ "$(find dest ! -type d | sort)" = "dest/opt/npu/bin/mine
dest/opt/npu/lib/npu-utils/mine" ]
	rm "$AT/bin/mine" "$AT/lib/npu-utils/mine"
	make_there uninstall DESTDIR="$PWD/dest" PREFIX=/opt/npu
	# Our own folders are removed also; bin, lib and so on may be shared.
	run -0 find dest -name '*npu-utils*' -o ! -type d
	[ "$output" = "" ]
}
