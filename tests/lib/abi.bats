# SPDX-License-Identifier: Apache-2.0
# What a program that is linked with libnpu.so.0 relies on: the names of the
# library and the sizes of the structures of npu.h must be as recorded in
# tests/data/libnpu-abi.txt.  Lines may be added there; if a line is removed or
# changed, the library needs another soname.
# bats file_tags=native

load ../support/helper

ABI=$TOP/tests/data/libnpu-abi.txt

setup() {
	for so in "$B"/lib/libnpu.so.*; do
		SO=$so
	done
}

# recorded KIND: prints the recorded lines of this kind.
recorded() {
	grep "^$1 " "$ABI"
}

# bats test_tags=slow
@test "the shared library has exactly the recorded names" {
	nm -D --defined-only "$SO" |
	    awk '$2 == "T" { print "function", $3 } $2 !~ /[TA]/' |
	    LC_ALL=C sort >have
	recorded function | diff - have
}

@test "the recorded functions are those declared in npu.h" {
	sed 's,/\*.*\*/,,' "$TOP/lib/npu.h" |
	    grep -oE '^[a-z].*[ *]npu_[a-z0-9_]+\(' |
	    sed 's/.*[ *]\(npu_[a-z0-9_]*\)($/function \1@@NPU_0/' |
	    LC_ALL=C sort >declared
	recorded function | diff - declared
}

@test "structures have the recorded sizes" {
	{
		printf '#include <npu.h>\n#include <stdio.h>\n'
		echo 'int main(void) {'
		sed -n 's/^struct \(npu_[a-z_]*\) {$/\1/p' "$TOP/lib/npu.h" |
		    while read -r s; do
			echo "printf(\"struct $s %zu %zu\\n\"," \
			    "sizeof(struct $s), _Alignof(struct $s));"
		done
		echo '}'
	} >sizes.c
	"${CC:-cc}" -I"$TOP/lib" -o sizes sizes.c
	./sizes | LC_ALL=C sort >have
	[ "$(wc -l <have)" -ge 8 ]
	recorded struct | diff - have
}

@test "codes and element types keep their numbers" {
	awk '/^enum npu_(code|dtype|device) \{/ { in_it = 1; next }
	    /^\};/ { in_it = 0 }
	    in_it && /^\tNPU_/ { sub(/[ ,].*/, "", $1); print $1 }' \
	    "$TOP/lib/npu.h" >names
	{
		printf '#include <npu.h>\n#include <stdio.h>\n'
		echo 'int main(void) {'
		while read -r name; do
			echo "printf(\"number $name %d\\n\", (int)$name);"
		done <names
		echo '}'
	} >numbers.c
	"${CC:-cc}" -I"$TOP/lib" -o numbers numbers.c
	./numbers | LC_ALL=C sort >have
	[ "$(wc -l <have)" -ge 30 ]
	recorded number | diff - have
}

# bats test_tags=slow
@test "a program that is linked with the shared library uses its soname" {
	[ "$(readelf -d "$SO" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')" = \
	    libnpu.so.0 ]
	ln -s "$SO" libnpu.so.0
	ln -s libnpu.so.0 libnpu.so
	"${CC:-cc}" -I"$TOP/lib" -o prog "$TOP/tests/tools/opencheck.c" -L. \
	    -lnpu
	mkcix --in s8:1x4:20:60 --out s8:1x2 --name=small >m.cix
	NPU_EMU_COMPUTE=none LD_LIBRARY_PATH=. NPU_LIBRARY=$B/lib/npu-utils/libnoe-emu.so \
	    run -0 ./prog -c m.cix
	[ "$output" = "ok $B/lib/npu-utils/libnoe-emu.so" ]
	run -127 ./prog
	[[ $output == *"libnpu.so.0: cannot open shared object file"* ]]
}
