# SPDX-License-Identifier: Apache-2.0
# npu-kmd verify: its findings on good, bad and damaged modules.  All modules
# are assembled here; only shell and awk are tested, so one leg is enough.
# bats file_tags=native,slow

load ../../tests/support/helper
load fakekmd

setup() {
	PATH=$TOP/driver:$PATH
	as=aarch64-linux-gnu-gcc
	[ "$(uname -m)" != aarch64 ] || as=gcc
}

# ko [-DNAME=VALUE...]: assembles x.ko.
ko() {
	"$as" -c "$@" -o x.ko "$TOP/driver/tests/ko/ko.S"
}

verify() {
	npu-kmd verify --kernel=6.12.107-arm64 "$@"
}

# field OFFSET TEMPLATE: prints that field of x.ko's ELF header, as perl unpacks
# it.
field() {
	perl -e 'local $/; $_ = <STDIN>; print unpack($ARGV[1],
	    substr($_, $ARGV[0], 8))' -- "$1" "$2" <x.ko
}

# poke FILE OFFSET PERL-TEMPLATE VALUE: overwrites FILE at OFFSET.
poke() {
	perl -e 'open(F, "+<", $ARGV[0]) or die; seek(F, $ARGV[1], 0);
	    print F pack($ARGV[2], $ARGV[3])' -- "$@"
}

@test "a good module gives one line for each finding, and status 0" {
	ko
	run --separate-stderr -0 verify x.ko
	[ "$stderr" = "" ]
	diff - <(echo "$output" | tr -s ' ') <<-'END'
	ok machine aarch64
	ok init_module defined
	ok cleanup_module defined
	ok initcall no section of that kind
	ok licence GPL v2
	ok import_ns DMA_BUF
	ok alias acpi*:CIXH4000:*
	ok vermagic 6.12.107-arm64 SMP preempt mod_unload modversions aarch64
	info symbols not compared with the kernel's: no Module.symvers; --kernel=FOLDER names headers that have it
	info signature none; a kernel under Secure Boot takes signed modules only
	info ioctls 424 bytes of capability, by the number of QUERY_CAP in the code
	info version 5.11.0, the one text of that form
	END
}

@test "--json prints the same findings, for any name of the file" {
	ko
	name=$(printf -- '-a "b"\n\\\303\244$(x)')
	cp x.ko "./$name"
	run --separate-stderr -0 verify --json -- "$name"
	[ "${#lines[@]}" -eq 1 ]
	echo "$output" | jq -e --arg name "$name" '
	    .schema == "npu-kmd-verify/1" and .file == $name and .good and
	    .kernel == "6.12.107-arm64" and .capability_bytes == [424] and
	    .version == "5.11.0" and (.findings | length) == 12 and
	    .findings[0] == { check: "machine", state: "ok",
		words: "aarch64" }'
	ko '-DLICENCE="license=\"x\""'
	run --separate-stderr -4 verify --json x.ko
	echo "$output" | jq -e '(.good | not) and (.findings[] |
	    select(.state == "bad") | .check == "licence" and
	    .words == "'\''\"x\"'\'' is not compatible with the GPL")'
}

@test "each fault is found, and no other" {
	while IFS='|' read -r flag check words; do
		ko "$flag"
		run --separate-stderr -4 verify x.ko
		[ "$stderr" = "" ]
		bad=$(echo "$output" | sed -n 's/^bad  *//p' | tr -s ' ')
		[ "$bad" = "$check $words" ] || {
			echo "$flag: $bad"
			false
		}
	done <<-'END'
	-DNO_INIT|init_module|not defined: it would load and do nothing; see npu-kmd check
	-DNO_EXIT|cleanup_module|not defined: it could not be unloaded
	-DLICENCE="license=Proprietary"|licence|'Proprietary' is not compatible with the GPL
	-DLICENCE="license=GPL v3"|licence|'GPL v3' is not compatible with the GPL
	-DLICENCE="license="|licence|'' is not compatible with the GPL
	-DLICENCE="author=A"|licence|none
	-DLICENCE="sky1.license=GPL v2"|licence|none, but 'sky1.license=GPL v2': it was compiled as built-in code; see npu-kmd check
	-DNS="aipu_dma_buf.import_ns=DMA_BUF"|import_ns|none, but 'aipu_dma_buf.import_ns=DMA_BUF': it was compiled as built-in code; see npu-kmd check; DMA_BUF is needed
	-DNS2="import_ns=\"DMA_BUF\""|import_ns|DMA_BUF and "DMA_BUF": 2 of them, but one is right
	-DNS2="import_ns=DMA_BUF"|import_ns|DMA_BUF and DMA_BUF: 2 of them, but one is right
	-DNS="import_ns=\"DMA_BUF\""|import_ns|"DMA_BUF": with quotes it is another name; the macro takes a bare word before 6.13, see npu-kmd check
	-DNS="import_ns=DMA_BUF_EXTRA"|import_ns|DMA_BUF_EXTRA, but DMA_BUF is needed
	-DALIAS="alias=acpi*:CIXH5000:*"|alias|1 of them, but neither acpi*:CIXH4000 nor of:N*T*Carmchina,zhouyi
	-DALIAS="alias=of:N*T*Cother,zhouyi"|alias|1 of them, but neither acpi*:CIXH4000 nor of:N*T*Carmchina,zhouyi
	-DALIAS="a=b"|alias|none, neither acpi*:CIXH4000 nor of:N*T*Carmchina,zhouyi
	-DVERMAGIC="a=b"|vermagic|none
	-DVERMAGIC="vermagic=6.12.95-arm64 SMP aarch64"|vermagic|built for 6.12.95-arm64, but the kernel is 6.12.107-arm64; build it for that one
	-DVERMAGIC="vermagic=6.12.107-arm64x SMP aarch64"|vermagic|built for 6.12.107-arm64x, but the kernel is 6.12.107-arm64; build it for that one
	END
	# The licences that linux/module.h lists, and a device-tree board.
	for l in GPL 'GPL and additional rights' 'Dual BSD/GPL' \
	    'Dual MIT/GPL' 'Dual MPL/GPL'; do
		ko "-DLICENCE=\"license=$l\""
		verify x.ko
	done
	ko '-DALIAS="alias=of:N*T*Carmchina,zhouyi-v3C*"'
	run -0 verify x.ko
}

@test "built-in code is recognised by its initcall" {
	ko -DBUILTIN
	run -4 verify x.ko
	[ "$(echo "$output" | grep -c '^bad ')" -eq 3 ]
	[[ $output == *"initcall        section "*" belongs to built-in code"* ]]
	[[ $output == *"init_module     not defined"* ]]
}

@test "a module for another machine is reported, and its code is not read" {
	ko
	poke x.ko 18 v 62
	run -4 verify x.ko
	[[ $output == *"machine         of ELF machine 62, but aarch64 (183)"* ]]
	[[ $output == *"ioctls          unknown: "* ]]
	if [ "$(uname -m)" = x86_64 ]; then
		printf 'a: .section .gnu.linkonce.this_module\n' |
		    cc -c -x assembler - -o x86.ko
		run -4 verify x86.ko
		[[ $output == *"of ELF machine 62, but"* ]]
	fi
}

@test "the ioctls are recognised by the number of QUERY_CAP" {
	while read -r flags; do
		# shellcheck disable=SC2086
		ko $flags
		verify --json x.ko | jq -c .capability_bytes
	done >got <<-'END'
	-DSIZE=0x8000+200
	-DSIZE=0x8000+192
	-DAPART
	-DAPART -DSIZE=0x8000+200
	-DTURNED
	-DSTALE
	-DSIZE=0x8000+201
	-DSIZE=424
	END
	[ "$(tr '\n' ' ' <got)" = '[200] [192] [424] [200] [424] [] [] [] ' ]
	ko -DVERSION='"5.11"'
	verify --json x.ko | jq -e '.version == null'
	ko -DVERSION2='"6.2.0"'
	verify x.ko | grep '^info *version *unknown: '
	ko -DVERSION2='"5.11.0"'
	verify --json x.ko | jq -e '.version == "5.11.0"'
}

@test "--kernel takes a version, a series, or a folder of headers; default: running" {
	ko
	npu-kmd verify --kernel=6.12 x.ko
	run -4 npu-kmd verify --kernel=6.1 x.ko
	run -4 npu-kmd verify --kernel=6.12.107 x.ko
	run -4 npu-kmd verify x.ko
	[[ $output == *"but the kernel is $(uname -r); "* ]]
	mkdir -p h/include/config
	echo 6.12.107-arm64 >h/include/config/kernel.release
	# The configuration of these headers is not known.
	npu-kmd verify --kernel=h x.ko
	printf 'CONFIG_%s=y\n' ARM64 SMP PREEMPT_BUILD MODULE_UNLOAD \
	    MODVERSIONS >h/include/config/auto.conf
	npu-kmd verify --kernel=h x.ko
	sed -i /PREEMPT/d h/include/config/auto.conf
	run -4 npu-kmd verify --kernel=h x.ko
	[[ $output == *"'SMP preempt mod_unload modversions aarch64', but that \
of the kernel is 'SMP mod_unload modversions aarch64'"* ]]
	echo CONFIG_PREEMPT_RT=y >>h/include/config/auto.conf
	run -4 npu-kmd verify --kernel=h x.ko
	[[ $output == *"is 'SMP preempt_rt mod_unload "* ]]
}

# symvers LINE...: creates headers of a kernel that exports these symbols; LINE
# is CRC and name.
symvers() {
	mkdir -p h/include/config
	echo 6.12.107-arm64 >h/include/config/kernel.release
	printf '%s\t%s\tvmlinux\tEXPORT_SYMBOL_GPL\t\n' "$@" >h/Module.symvers
}

# bad CHECK WORDS: verify finds this and nothing else.
bad() {
	run --separate-stderr -4 npu-kmd verify --kernel=h x.ko
	[ "$stderr" = "" ]
	[ "$(echo "$output" | sed -n 's/^bad *//p' | tr -s ' ')" = "$*" ]
}

@test "symbols that the kernel does not export are found" {
	symvers 0x00000000 dma_buf_export
	ko -DTAKES
	bad symbols 'the kernel does not export scmi_device_set_freq; build' \
	    'it with the headers of that kernel'
	symvers 0x00000000 dma_buf_export 0x00000000 scmi_device_set_freq
	run -0 npu-kmd verify --kernel=h x.ko
	[[ $output == *"ok    symbols "*"2 of the kernel, which exports them all"* ]]
	[[ $output != *"
ok    versions"* ]]
	: >h/Module.symvers
	bad symbols 'the kernel does not export dma_buf_export,' \
	    'scmi_device_set_freq; build it with the headers of that kernel'
}

@test "symbols of a namespace that is not imported are found" {
	# row NAMESPACE: sets the namespace of scmi_device_set_freq.
	row() {
		symvers 0x00000000 dma_buf_export
		printf '0x0\tscmi_device_set_freq\tvmlinux\tEXPORT_SYMBOL_GPL\t%s\n' \
		    "$1" >>h/Module.symvers
	}
	row ""
	: >h/include/config/auto.conf
	ko -DTAKES
	for ns in '' DMA_BUF module:aipu module:a,aipu,b 'module:a,ai*' \
	    'module:*'; do
		row "$ns"
		npu-kmd verify --kernel=h x.ko
	done
	for ns in SCMI DMA_BUF2 module:kvm module:aip module:aipu2 \
	    'module:aipu2*'; do
		row "$ns"
		bad namespaces "scmi_device_set_freq: of the namespace $ns," \
		    "which this module does not import"
	done
	echo CONFIG_MODULE_ALLOW_MISSING_NAMESPACE_IMPORTS=y \
	    >h/include/config/auto.conf
	run -0 npu-kmd verify --kernel=h x.ko
	[[ $output == *"info  namespaces "*"this kernel only warns of it"* ]]
}

@test "lines of Module.symvers that end in CR LF are read" {
	printf '0x00000000\t%s\tvmlinux\tEXPORT_SYMBOL_GPL\t%s\r\n' \
	    dma_buf_export DMA_BUF scmi_device_set_freq '' >crlf
	symvers 0x0 x
	mv crlf h/Module.symvers
	ko -DTAKES
	run -0 npu-kmd verify --kernel=h x.ko
	[[ $output == *"ok    symbols "*"2 of the kernel, which exports them all"* ]]
	[[ $output != *namespaces* ]]
}

@test "symbols with another CRC are found, in both forms of the section" {
	all=(0x1d0bcaa9 module_layout 0x1 scmi_device_set_freq)
	for form in CRC EXTENDED_CRC; do
		ko -DTAKES -D$form=0xf5a1b2c3
		symvers "${all[@]}" 0xf5a1b2c3 dma_buf_export
		run -0 npu-kmd verify --kernel=h x.ko
		[[ $output == *"versions"*"2 symbols have the kernel's CRCs"* ]]
		symvers "${all[@]}" 0xf5a1b2c4 dma_buf_export
		bad versions 'another CRC in the kernel: dma_buf_export;' \
		    'build it with the headers of that kernel'
		symvers 0x1d0bcaa8 "${all[@]:1}" 0xf5a1b2c3 dma_buf_export
		bad versions 'another CRC in the kernel: module_layout;' \
		    'build it with the headers of that kernel'
	done
	ko -DTAKES
	bad versions 'it has no CRCs of symbols, but the kernel asks for' \
	    'them (CONFIG_MODVERSIONS)'
}

# signed: appends a signature in the same form as the kernel's sign-file, with
# other bytes.  modinfo, which reads these bytes, is replaced.
signed() {
	ko
	printf '\0\0\2\0\0\0\0\0\0\0\0\0~Module signature appended~\n' >>x.ko
	mkdir -p bin
	printf '#!/bin/sh\necho DKMS module signing key\n' >bin/modinfo
	chmod +x bin/modinfo
	PATH=$PWD/bin:$PATH
}

# key NAME: creates root's view of the keys of the machine m; one key has the
# name NAME.
key() {
	printf '%s\n' '1b2c3d4e I--Q---     2 perm 1f3f0000     0 65534 keyring   _uid.0: empty' \
	    "0b6ecd84 I------     1 perm 1f030000     0     0 asymmetri $1: 3dd6c1: X509.rsa 0a7f []" \
	    >m/proc/keys
}

@test "a signature is judged as by a kernel that enforces signatures" {
	mkdir -p m/proc/sys/kernel m/lib/modules m/sys/kernel/security \
	    m/sys/module/module/parameters m/boot h/include/config
	echo 6.12.107-arm64 >m/proc/sys/kernel/osrelease
	signed
	ko
	none='none, but the kernel takes signed modules only'
	for by in /sys/kernel/security/lockdown:'none [integrity] x' \
	    /sys/kernel/security/lockdown:'none integrity [confidentiality]' \
	    /sys/module/module/parameters/sig_enforce:Y \
	    /proc/cmdline:'ro module.sig_enforce quiet' \
	    /proc/cmdline:'module.sig_enforce=1' \
	    /proc/cmdline:'module.sig-enforce=on' \
	    /proc/cmdline:'a=b module.sig_enforce=true c' \
	    /proc/cmdline:$'a\tmodule.sig_enforce=enable' \
	    /proc/cmdline:'module.sig_enforce="1"' \
	    /proc/cmdline:'"module.sig_enforce=1" c' \
	    /proc/cmdline:'quiet lockdown=integrity' \
	    /proc/cmdline:'lockdown=confidentiality quiet'; do
		npu-kmd verify --root=m x.ko
		echo "${by#*:}" >"m${by%%:*}"
		run -4 npu-kmd verify --root=m x.ko
		[[ $output == *"bad   signature "*"$none (${by%%:*}); sign it"* ]]
		# This machine does not show what another kernel enforces.
		npu-kmd verify --root=m --kernel=6.12 x.ko
		rm "m${by%%:*}"
	done
	echo 'ro module.sig_enforce=0 xmodule.sig_enforce=1 lockdown=integrity' \
	    'modulexsig_enforce=1 x="a module.sig_enforce=1" --' \
	    'module.sig_enforce=1' >m/proc/cmdline
	echo '[none] integrity' >m/sys/kernel/security/lockdown
	echo N >m/sys/module/module/parameters/sig_enforce
	npu-kmd verify --root=m x.ko
	symvers 0x00000000 x
	echo CONFIG_MODULE_SIG_FORCE=y >h/include/config/auto.conf
	bad signature "$none" '(CONFIG_MODULE_SIG_FORCE); sign it, as DKMS' \
	    'does with its key'
	echo CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY=y \
	    >h/include/config/auto.conf
	bad signature "$none" '(CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY);' \
	    'sign it, as DKMS does with its key'
	echo CONFIG_MODULE_SIG_FORCE=y >h/include/config/auto.conf
	mv h/include/config/auto.conf m/boot/config-6.12.107-arm64
	run -4 npu-kmd verify --root=m x.ko
	gzip -c <m/boot/config-6.12.107-arm64 >m/proc/config.gz
	mv m/boot/config-6.12.107-arm64 m/boot/config
	run -4 npu-kmd verify --root=m x.ko
	[[ $output == *"bad   signature "*"$none (CONFIG_MODULE_SIG_FORCE)"* ]]
	# This configuration belongs only to the running kernel.
	run -0 npu-kmd verify --root=m --kernel=6.12 x.ko
	echo damaged >m/proc/config.gz
	run -1 npu-kmd verify --root=m x.ko
	rm m/proc/config.gz
	npu-kmd verify --root=m x.ko
	mv m/boot/config m/boot/config-6.12.107-arm64
	signed
	perl -e 'truncate "x.ko", -1 + -s "x.ko"'
	run -4 npu-kmd verify --root=m x.ko
	[[ $output == *"bad   signature "*"$none (CONFIG_MODULE_SIG_FORCE)"* ]]
	signed
	run -0 npu-kmd verify --root=m x.ko
	[[ $output == *"info  signature       by DKMS module signing key; root"* ]]
	key 'Build time autogenerated kernel key'
	run -4 npu-kmd verify --root=m x.ko
	[[ $output == *"bad   signature       by DKMS module signing key, but \
the kernel has no key of that name (CONFIG_MODULE_SIG_FORCE); sudo mokutil "* ]]
	xz x.ko
	run -4 npu-kmd verify --root=m x.ko.xz
	# The key must match the whole name.
	for name in "Not a DKMS module signing key" "My: DKMS module signing key" \
	    "DKMS module signing key: a" "DKMS module signing key 2"; do
		key "$name"
		run -4 npu-kmd verify --root=m x.ko.xz
		[[ $output == *"the kernel has no key of that name"* ]]
	done
	key 'DKMS module signing key'
	run -0 npu-kmd verify --root=m x.ko.xz
	[[ $output == *"ok    signature       by DKMS module signing key"* ]]
	rm m/boot/* m/proc/sys/kernel/osrelease
	run -1 npu-kmd verify --root=m x.ko.xz
	[[ $output == "npu-kmd: --root=m: it names no kernel that runs; "* ]]
}

@test "a kernel's files below a root are read through links as well" {
	mkdir -p m/proc/sys/kernel m/lib/modules/$K m/boot m/usr/src
	echo $K >m/proc/sys/kernel/osrelease
	signed
	symvers 0x00000000 x
	mv h m/usr/src/headers
	ln -s /usr/src/headers m/lib/modules/$K/build
	printf 'CONFIG_%s=y\n' ARM64 SMP \
	    >m/usr/src/headers/include/config/auto.conf
	echo CONFIG_MODULE_SIG_FORCE=y >m/boot/config-$K
	key 'Build time autogenerated kernel key'
	ko -DTAKES
	printf '\0\0\2\0\0\0\0\0\0\0\0\0~Module signature appended~\n' >>x.ko
	npu-kmd verify --root=m x.ko >want || [ $? -eq 4 ]
	grep -q '^bad   vermagic .* is .SMP aarch64' want
	grep -q '^bad   symbols  .*does not export dma_buf_export' want
	grep -q '^bad   signature .*no key of that name' want
	cp -r m kept
	for root in "${roots[@]}"; do
		hidden "$root"
		run -4 npu-kmd verify --root=m x.ko
		echo "$output" | diff want -
		rm -r m
		cp -r kept m
	done
}

@test "packed modules are read by the tool that packed them" {
	ko -DNS2='"import_ns=X"'
	run -4 verify x.ko
	want=$output
	for tool in xz zstd gzip; do
		"$tool" -c <x.ko >x.ko.packed
		run --separate-stderr -4 verify x.ko.packed
		[ "$output" = "$want" ]
		[ "$stderr" = "" ]
		head -c 300 x.ko.packed >short
		run --separate-stderr -1 verify short
		[ "$stderr" = "npu-kmd: short: packed by $tool: damaged" ]
	done
	gzip -c <x.ko >x.ko.gz
	cp x.ko.gz more
	# gzip treats this as garbage after the end, and warns: status 2.
	echo garbage >>more
	run --separate-stderr -1 verify more
	[ "$stderr" = "npu-kmd: more: packed by gzip: damaged" ]
	mkdir bin
	for t in sh awk sed od wc tr head tail grep readlink uname; do
		ln -s "$(command -v "$t")" bin/
	done
	PATH=$TOP/driver:$PWD/bin run -1 verify x.ko.gz
	[ "$output" = \
	    "npu-kmd: x.ko.gz: packed by gzip, which is not installed" ]
	head -c 300000000 /dev/zero | gzip -1 >bomb
	run -1 verify bomb
	[ "$output" = "npu-kmd: bomb: packed by gzip: more than 268435456 \
bytes unpacked" ]
}

@test "a file that is not a module is refused, with the reason" {
	: >empty
	echo 'int x;' >text
	ln -s loop loop
	ln -s nowhere dangling
	mkdir folder
	mkfifo fifo
	ko -DOBJECT
	mv x.ko object
	ko
	cp x.ko elf32; poke elf32 4 C 1
	cp x.ko big; poke big 5 C 2
	cp x.ko exec; poke exec 16 v 2
	cp x.ko stripped
	"${as%gcc}strip" -s stripped
	while IFS='|' read -r f words; do
		run --separate-stderr -1 verify "$f"
		[ "$output" = "" ]
		[ "$stderr" = "npu-kmd: $f: $words" ] || {
			echo "$stderr"
			false
		}
	done <<-'END'
	empty|no module: 0 bytes, but an ELF header has 64
	text|no module: 7 bytes, but an ELF header has 64
	loop|a link that leads nowhere
	dangling|a link that leads nowhere
	none|No such file or directory
	folder|not a regular file
	fifo|not a regular file
	object|no module: no section .gnu.linkonce.this_module; is it an object that was not linked into a .ko?
	elf32|no module: no ELF64, little-endian
	big|no module: no ELF64, little-endian
	exec|no module: an ELF file of type 2, but a module is relocatable (1)
	stripped|no module: it has no symbol table
	END
	head -c 64 /dev/zero >zeros
	run -1 verify zeros
	[[ $output == *": not a kernel module: no ELF header" ]]
	run -2 npu-kmd verify
	run -2 npu-kmd verify a b
}

# sections: prints "INDEX OFFSET SIZE" of each section that has bytes, then the
# table's offset.
sections() {
	perl -e 'local $/; $_ = <STDIN>;
	    my ($at, $n) = (unpack("Q<", substr($_, 40, 8)),
		unpack("v", substr($_, 60, 2)));
	    for my $i (1 .. $n - 1) {
		my ($type) = unpack("V", substr($_, $at + 64 * $i + 4, 4));
		my ($o, $s) = unpack("Q<Q<", substr($_, $at + 64 * $i + 24, 16));
		print "$i $o $s\n" if $type != 0 && $type != 8 && $s;
	    }
	    print "$n $at ", 64 * $n, "\n"' <x.ko
}

@test "a file truncated at, or one byte off, a section's start or end is refused" {
	ko
	size=$(wc -c <x.ko)
	sections >list
	[ -s list ]
	while read -r _ off len; do
		for at in $off $((off + 1)) $((off + len - 1)) $((off + len)); do
			[ "$at" -lt "$size" ] || continue
			head -c "$at" x.ko >cut.ko
			st=0
			verify cut.ko >out 2>err || st=$?
			[ "$st" -eq 1 ] && [ ! -s out ] &&
			    [ "$(wc -l <err)" -eq 1 ] &&
			    grep -q '^npu-kmd: cut.ko: .* \(run past\|but an\)' \
				err || { echo "cut at $at: $st"; cat err; }
		done
	done <list >bad
	cat bad
	[ ! -s bad ]
}

@test "wrong headers are refused with the offset and the limit" {
	ko
	cp x.ko good
	at=$(field 40 'Q<') n=$(field 60 v) names=$(field 62 v)
	size=$(wc -c <x.ko)
	last=$((at + 64 * (n - 1)))
	row() {
		cp good x.ko
		poke x.ko "$1" "$2" "$3"
		run --separate-stderr -1 verify x.ko
		[ "$stderr" = "npu-kmd: x.ko: $4" ] || { echo "$stderr"; false; }
	}
	past="run past the end of the file ($size)"
	row 40 'Q<' "$size" "the section headers: $((n * 64)) bytes at $size $past"
	row 40 'Q<' $((size - 64)) \
	    "the section headers: $((n * 64)) bytes at $((size - 64)) $past"
	# Beyond the precision of a double: 2^64 - 64 is printed as 2^64.
	row 40 'Q<' -64 \
	    "the section headers: $((n * 64)) bytes at 18446744073709551616 $past"
	row 58 v 40 "section headers of 40 bytes, but they have 64"
	# 65,536 sections are stored as 0, with their number in section 0.
	row 60 v 0 "section count 0, but a module has 1 to 65279"
	row 60 v 65280 "section count 65280, but a module has 1 to 65279"
	row 60 v 65279 "the section headers: 4177856 bytes at $at $past"
	row 62 v 0 "section names are in section 0, but there are $n"
	row 62 v "$n" "section names are in section $n, but there are $n"
	row 62 v 65535 "section names are in section 65535, but there are $n"
	row 62 v 1 "the section names: section 1 is no string table"
	row "$last" V 100000 "section $((n - 1)): its name is at 100000 of \
$(sections | sed -n "s/^$names [0-9]* //p") bytes"
	cp good x.ko
	off=$(sections | sed -n 's/^1 \([0-9]*\) .*/\1/p')
	len=$(sections | sed -n 's/^1 [0-9]* //p')
	row $((at + 64 + 32)) 'Q<' 4294967296 \
	    "section 1: 4294967296 bytes at $off $past"
	row $((at + 64 + 28)) V 1 \
	    "section 1: $len bytes at $((off + 4294967296)) $past"
}

@test "wrong symbols and names are refused with the offset" {
	ko
	cp x.ko good
	at=$(field 40 'Q<')
	# Finds the tables of symbols and of their names by their types.
	eval "$(perl -e 'local $/; $_ = <STDIN>; my $at = $ARGV[0];
	    for my $i (1 .. unpack("v", substr($_, 60, 2)) - 1) {
		my ($t) = unpack("V", substr($_, $at + 64 * $i + 4, 4));
		my ($o, $s, $l) = unpack("Q<Q<V", substr($_,
		    $at + 64 * $i + 24, 20));
		print "sym=$i symoff=$o link=$l\n" if $t == 2;
		print "off$i=$o size$i=$s\n" if $t == 3;
	    }' -- "$at" <x.ko)"
	eval "stroff=\$off$link strsize=\$size$link"
	row() {
		run --separate-stderr -1 verify x.ko
		[ "$stderr" = "npu-kmd: x.ko: $1" ] || { echo "$stderr"; false; }
		cp good x.ko
	}
	poke x.ko $((stroff + strsize - 1)) C 65
	row 'the symbol names: its last byte is not 0'
	poke x.ko $((at + 64 * link + 32)) 'Q<' 0
	row 'the symbol names: its last byte is not 0'
	poke x.ko $((at + 64 * sym + 40)) V 1000
	row "symbol names are in section 1000, but there are $(field 60 v)"
	poke x.ko $((at + 64 * sym + 40)) V "$sym"
	row "the symbol names: section $sym is no string table"
	poke x.ko $((symoff + 24)) V $((strsize + 7))
	row "symbol 1: its name is at $((strsize + 7)) of $strsize bytes"
	poke x.ko $((at + 64 + 4)) V 2
	row "two symbol tables, sections 1 and $sym"
	ko -DLARGE=4194305
	cp x.ko good
	at=$(field 40 'Q<')
	poke x.ko $((at + 64 * link + 24)) 'Q<' 64
	poke x.ko $((at + 64 * link + 32)) 'Q<' 4194305
	row 'the symbol names: 4194305 bytes, but at most 4194304 are read'
	poke x.ko $((at + 64 * sym + 24)) 'Q<' 64
	poke x.ko $((at + 64 * sym + 32)) 'Q<' 4194305
	row 'the symbols: 4194305 bytes, but at most 4194304 are read'
	# A name that is the end of another name shares its bytes, but is not a
	# symbol.
	"${as%gcc}objcopy" --redefine-sym init_module=xinit_module good x.ko
	run -4 verify x.ko
	[[ $output == *"init_module     not defined"* ]]
	# Nor is a name that is undefined here, or longer.
	ko -DUNDEFINED
	run -4 verify x.ko
	[[ $output == *"init_module     not defined"* ]]
}

@test "65,000 sections are read fast, 65,536 are refused" {
	many() {
		awk -v n="$1" 'BEGIN {
			for (i = 0; i < n; i++)
				print ".section s" i
			print ".section .gnu.linkonce.this_module\nx:"
		}' | "$as" -c -x assembler - -o x.ko
	}
	many 65000
	# CPU seconds, which do not depend on other load.
	run -4 bash -c 'ulimit -t 20; exec npu-kmd verify x.ko'
	[[ $output == *"machine         aarch64"* ]]
	many 65536
	[ "$(field 60 v)" -eq 0 ]
	run -1 npu-kmd verify x.ko
	[ "$output" = \
	    "npu-kmd: x.ko: section count 0, but a module has 1 to 65279" ]
}

@test "two million texts need no more memory than one text" {
	{
		printf '#include "%s"\n' "$TOP/driver/tests/ko/ko.S"
		echo '.section .rodata.str1.1, "aMS", %progbits, 1'
		echo '.zero 2000000'
		echo '.asciz "not a version either"'
	} | "$as" -c -x assembler-with-cpp - -o x.ko
	# KiB; an element of an awk's array takes at least some 50 bytes.
	(ulimit -v 65536 && verify x.ko) >out
	grep -q '^info  version  *5.11.0, the one text' out
}

@test "every awk and every POSIX shell give the same results" {
	ko -DAPART -DNS2='"import_ns=\"DMA_BUF\""' -DTAKES -DCRC=0xf5a1b2c3
	symvers 0xffffffff module_layout 0xf5a1b2c3 dma_buf_export
	run -4 npu-kmd verify --kernel=h --json x.ko
	want=$output
	mkdir bin
	for awk in mawk gawk original-awk 'busybox awk'; do
		printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >bin/awk
		chmod +x bin/awk
		for sh in dash 'busybox sh'; do
			command -v "${awk%% *}" >/dev/null || continue
			PATH=$PWD/bin:$PATH run -4 $sh "$TOP/driver/npu-kmd" \
			    verify --kernel=h --json x.ko
			[ "$output" = "$want" ]
			echo "$awk, $sh"
		done
	done >ran
	[ "$(grep -c . ran)" -ge 4 ]
}

@test "random damage gives status 0, 1 or 4 soon, without messages of the shell" {
	symvers 0x1d0bcaa9 module_layout 0x1 dma_buf_export
	ko -DTAKES -DCRC=1
	cp x.ko x1.ko
	ko -DTAKES -DEXTENDED_CRC=1
	cp x.ko x0.ko
	i=0
	while [ $i -lt "${MUTATIONS:-150}" ]; do
		i=$((i + 1))
		# Depends only on the seed: 1 to 8 bytes, half in headers.
		perl -e 'local $/; $_ = <STDIN>; srand($ARGV[0]);
		    my $at = unpack("Q<", substr($_, 40, 8));
		    for my $k (0 .. int(rand(8))) {
			my $p = rand() < 0.5 ? int(rand(length)) :
			    rand() < 0.3 ? int(rand(64)) :
			    $at + int(rand(length() - $at));
			substr($_, $p, 1) = chr((0, 255, 128, 1,
			    int(rand(256)))[int(rand(5))]);
		    } print' -- "$i" <x$((i % 2)).ko >m.ko
		st=0
		timeout 60 npu-kmd verify --kernel=h m.ko >out 2>err || st=$?
		case $st in
		0 | 4) [ ! -s err ] && [ "$(wc -l <out)" -eq 13 ] ;;
		1) [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
			grep -q '^npu-kmd: m.ko: ' err ;;
		*) false ;;
		esac || { echo "seed $i: $st"; cat out err; return 1; }
	done
}
