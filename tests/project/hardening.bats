# SPDX-License-Identifier: Apache-2.0
# The effects of compiler and linker options, read from the binaries: every
# program and every shared object of a default build.  A build with sanitizers
# is different: it has no FORTIFY, but an rpath.
# bats file_tags=native,slow

load ../support/helper

setup() {
	# arm64: look at the programs that the scripts for qemu call.
	TREE=${B%/run}
}

# linked: prints the files that the build reports as linked.
linked() {
	env -u MAKEFLAGS make -C "$TOP" -s --no-print-directory B="$TREE" \
	    list-linked
}

# faults FILE: prints the missing protections, one in each line.
faults() {
	readelf -hWld "$1" >elf
	nm -D --undefined-only "$1" | sed 's/.* //; s/@.*//' >imports
	grep -q '^ *Type: *DYN ' elf || echo not-pie
	grep -q '^ *GNU_RELRO ' elf || echo no-relro
	grep -qE '\(FLAGS_1\).* NOW( |$)' elf || echo lazy
	grep -qE '^ *GNU_STACK .* RW +0x' elf || echo executable-stack
	grep -E '\((RPATH|RUNPATH)\)' elf >rpaths || [ $? -eq 1 ]
	# The cross build has an rpath, because its libraries are not installed.
	[ "$LEG" != arm64 ] || sed -i "\\,\[$TOP/build/setup/arm64/,d" rpaths
	[ ! -s rpaths ] || echo rpath
	! grep -qE '\(TEXTREL\)|\(FLAGS\).*TEXTREL' elf || echo textrel
	grep -qx __stack_chk_fail imports || echo no-stack-protector
	# The compiler always replaces these two functions.  It replaces others
	# only if it knows something about their destination.
	! grep -qxE 'printf|fprintf' imports || echo not-fortified
	! grep -qxE 'v?f?printf|v?s?n?printf|(mem|str).?cpy|read|realpath' \
	    imports || grep -qE '^__.*[^k]_chk$' imports || echo not-fortified
}

@test "the build lists exactly the files that it linked" {
	linked | sort >want
	[ "$(wc -l <want)" -gt 20 ]
	find "$TREE/bin" "$TREE/tools" "$TREE/lib" -type f | while read -r f; do
		case $f in
		# Not ours: Microsoft's file, as it was fetched.
		*/libonnxruntime.so.1) continue ;;
		*.a | *.o) continue ;;
		esac
		[ "$(head -c 4 "$f" | tail -c 3)" != ELF ] || echo "$f"
	done | sort >have
	diff want have
}

@test "every program and shared object is hardened" {
	linked >list
	[ -s list ]
	while read -r f; do
		faults "$f" | sed "s,^,$f: ,"
	done <list >bad
	cat bad
	[ ! -s bad ]
}

@test "each missing protection is detected" {
	cat >prog.c <<-'END'
	#include <stdio.h>
	#include <string.h>

	int
	main(int argc, char *argv[])
	{
		char s[80];

		(void)argc;
		strcpy(s, argv[0]);
		return printf("%s\n", s) < 0;
	}
	END
	echo '__asm__(".text\n.quad puts\n");' >text.c
	good="-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIC -pie
	    -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack"
	while read -r want more; do
		# shellcheck disable=SC2086 # words
		"$CC" $good -o prog prog.c $more 2>log || { cat log; false; }
		echo "$want: $(faults prog | sort -u | tr '\n' ' ')"
		[ "$(faults prog | sort -u | tr '\n' ' ')" = "$want " ] ||
			[ "$want" = none ]
		[ "$want" != none ] || [ "$(faults prog)" = "" ]
	done <<-'END'
	none
	not-pie -no-pie
	no-relro -Wl,-z,norelro
	lazy -Wl,-z,lazy
	executable-stack -Wl,-z,execstack
	rpath -Wl,-rpath,/x
	rpath -Wl,-rpath,/x,--disable-new-dtags
	textrel text.c -shared -Wl,-z,notext
	no-stack-protector -fno-stack-protector
	not-fortified -U_FORTIFY_SOURCE
	END
}

# x86-64: indirect branches may only go to marked places, and returns use a
# shadow stack.  AArch64: BTI and PAC do the same.
@test "every object is marked for branch protection" {
	find "$TREE/lib" "$TREE/cmd" "$TREE/gen" "$TREE/libnpu.o" -name '*.o' |
	    sort >objects
	[ "$(wc -l <objects)" -gt 200 ]
	while read -r f; do
		readelf -n "$f" >notes
		grep -qE 'Properties: .*(IBT, SHSTK|BTI, PAC)' notes || echo "$f"
	done <objects >bad
	cat bad
	[ ! -s bad ]
}

@test "libnpu.a can be linked into a shared object" {
	"$CC" -shared -Wl,-z,text -Wl,--whole-archive "$TREE/lib/libnpu.a" \
	    -Wl,--no-whole-archive -o all.so
	readelf -d all.so >dynamic
	run -1 grep TEXTREL dynamic
}

# compile VARIABLE...: stores the command that compiles one object with these
# variables of make.
compile() {
	rm -rf b
	env -u MAKEFLAGS make -C "$TOP" --no-print-directory B="$PWD/b" "$@" \
	    V=1 "$PWD/b/lib/base/err.o" >command 2>log || { cat log; return 1; }
	[ ! -s log ] || { cat log; return 1; }
}

# has FLAG..., lacks FLAG...: fails unless the stored command has, or lacks,
# these flags.
has() {
	for f; do
		grep -qE -- " $f( |$)" command || { cat command; return 1; }
	done
}

lacks() {
	for f; do
		! grep -qE -- " $f( |$)" command || { cat command; return 1; }
	done
}

# bats test_tags=native
@test "CFLAGS do not remove hardening, but HARDENING= does" {
	stack='-fstack-protector-strong -fstack-clash-protection'
	fortify='-D_FORTIFY_SOURCE=[23]'
	# shellcheck disable=SC2086 # words
	{
		compile
		has $stack $fortify
		compile CFLAGS='-O3 -Werror'
		has -O3 $stack $fortify
		compile CC=clang CFLAGS='-O2 -Werror'
		has -fstack-protector-strong $fortify
		compile HARDENING= CFLAGS='-O2 -Werror'
		lacks $stack $fortify
	}
}

# bats test_tags=native
@test "FORTIFY is off without optimisation, with sanitizers, or if user-set" {
	compile CFLAGS='-O0 -Werror'
	has -fstack-protector-strong
	lacks '-D_FORTIFY_SOURCE.*'
	compile CFLAGS='-O2 -Werror -O0'
	lacks '-D_FORTIFY_SOURCE.*'
	compile CFLAGS='-g -Werror'
	lacks '-D_FORTIFY_SOURCE.*'
	compile CFLAGS='-O1 -Werror -fsanitize=address'
	lacks '-D_FORTIFY_SOURCE.*'
	compile CPPFLAGS=-D_FORTIFY_SOURCE=1 CFLAGS='-O2 -Werror'
	has -D_FORTIFY_SOURCE=1
	lacks '-D_FORTIFY_SOURCE=[23]'
	compile CFLAGS='-O2 -Werror -Wp,-D_FORTIFY_SOURCE=2'
	has -Wp,-D_FORTIFY_SOURCE=2
	lacks '-D_FORTIFY_SOURCE=[23]'
}
