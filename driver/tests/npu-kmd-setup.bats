# SPDX-License-Identifier: Apache-2.0
# npu-kmd around the module: autoload, dkms, ssdt, installed files.  The
# machines are trees created here.  Shell and awk: one leg is enough.
# bats file_tags=native,slow

load ../../tests/support/helper
load fakekmd

kmd() {
	npu-kmd "$@" --root=m
}

# tree: prints all of m, for comparison.
tree() {
	find m -exec stat -c '%n %a %F' {} + | sort
	find m -type f -exec sha256sum {} + | sort
}

@test "autoload: on works for a tried module, off restores every byte" {
	machine
	tree >before
	run -0 kmd autoload status
	[ "$output" = "$K: off (not tried)" ]
	run --separate-stderr -0 kmd autoload on
	[ "$output" = "" ]
	[ "$stderr" = "npu-kmd: writes ./m/etc/npu-kmd/tried" ]
	sum=$(sha256sum <m/lib/modules/$K/updates/dkms/aipu.ko)
	[ "$(cat m/etc/npu-kmd/tried)" = \
	    "$K ${sum%% *} aipu updates/dkms/aipu.ko" ]
	run -0 kmd autoload status
	[ "$output" = "$K: on: aipu updates/dkms/aipu.ko" ]
	# Again: one line for each kernel; lines of other kernels are kept.
	echo "6.1.0 0 aipu extra/aipu.ko" >>m/etc/npu-kmd/tried
	kmd autoload on
	[ "$(wc -l <m/etc/npu-kmd/tried)" -eq 2 ]
	run -0 kmd autoload status
	[ "$output" = "6.1.0: off (gone): aipu extra/aipu.ko
$K: on: aipu updates/dkms/aipu.ko" ]
	run -0 kmd autoload off
	[ "$output" = "npu-kmd: removes ./m/etc/npu-kmd/tried" ]
	tree | diff before -
	run -0 kmd autoload off
	[ "$output" = "" ]
}

@test "autoload on: an untried module is refused, and nothing is written" {
	row() {
		run --separate-stderr -4 kmd autoload on
		[[ $stderr == "npu-kmd: autoload: "*"$1"* ]] || {
			echo "$stderr"
			false
		}
		[ ! -e m/etc/npu-kmd ]
		machine
	}
	machine
	: >m/proc/modules
	row 'load it once by hand (modprobe aipu)'
	echo 'aipu 131072 1 - Loading 0x0000000000000000 (OE)' >m/proc/modules
	row "aipu is loaded, but 'Loading': its start never ended"
	rm m/dev/aipu
	row 'there is no /dev/aipu'
	echo 6.18.9 >m/proc/sys/kernel/osrelease
	row 'not installed for 6.18.9'
	note 18
	row 'is not what is loaded; modprobe -r aipu'
	rm -r m/sys/module
	row 'the build id of the loaded aipu cannot be read'
	head -c 100 m/lib/modules/$K/modules.dep >m/lib/modules/$K/x
	: >m/lib/modules/$K/updates/dkms/aipu.ko
	row 'no module: 0 bytes'
	run -2 kmd autoload
	run -2 kmd autoload maybe
	run -1 npu-kmd autoload on --root=none
}

@test "autoload load: loads only the build that was tried, on its kernel" {
	machine
	mkdir bin
	printf '#!/bin/sh\necho "$@" >>%s\n' "$PWD/called" >bin/modprobe
	chmod +x bin/modprobe
	PATH=$PWD/bin:$PATH
	run -4 kmd autoload load
	[[ $output == *"not tried on $K, so not loaded" ]]
	kmd autoload on
	kmd autoload load
	[ "$(cat called)" = '-d ./m aipu' ]
	module -DBUILD_ID=0x22
	run -4 kmd autoload load
	[[ $output == *"another build than was tried"* ]]
	run -0 kmd autoload status
	[ "$output" = "$K: off (another build): aipu updates/dkms/aipu.ko" ]
	module
	# A module of another package, which modprobe prefers.
	mv m/lib/modules/$K/modules.dep dep
	echo updates/aipu.ko: >m/lib/modules/$K/modules.dep
	run -4 kmd autoload load
	[[ $output == *"modprobe would load another file than "* ]]
	run -0 kmd autoload status
	[[ $output == "$K: off (modprobe would load another file): "* ]]
	cp m/lib/modules/$K/updates/dkms/aipu.ko m/lib/modules/$K/updates
	run -0 kmd dkms
	[[ $output == *"updates/aipu.ko, good: not loaded at boot"* ]]
	mv dep m/lib/modules/$K/modules.dep
	echo 6.18.9 >m/proc/sys/kernel/osrelease
	run -4 kmd autoload load
	[ "$(wc -l <called)" -eq 1 ]
}

@test "autoload: a last line may lack its newline, an unread file is reported" {
	machine
	kmd autoload on
	cp m/etc/npu-kmd/tried ours
	# Another kernel's line, with the same file as ours.
	sum=$(sha256sum <m/lib/modules/$K/updates/dkms/aipu.ko)
	printf '6.1.0 %s aipu updates/dkms/aipu.ko' "${sum%% *}" \
	    >m/etc/npu-kmd/tried
	PATH=$PWD/bin:$PATH
	mkdir bin
	printf '#!/bin/sh\necho loaded\n' >bin/modprobe
	chmod +x bin/modprobe
	run -4 kmd autoload load
	[ "$output" = "npu-kmd: autoload: not tried on $K, so not loaded" ]
	run -0 kmd autoload status
	[ "$output" = "$K: off (not tried)
6.1.0: off (gone): aipu updates/dkms/aipu.ko" ]
	printf %s "$(cat ours)" >m/etc/npu-kmd/tried
	run -0 kmd autoload load
	[ "$output" = loaded ]
	run -0 kmd autoload status
	[ "$output" = "$K: on: aipu updates/dkms/aipu.ko" ]
	chmod 000 m/etc/npu-kmd/tried
	for what in on status load; do
		run -1 bound autoload $what --root=m
		[ "$output" = "npu-kmd: ./m/etc/npu-kmd/tried: cannot be \
read; root may" ]
	done
}

# bound ARGUMENT...: runs npu-kmd; root cannot read more than other users.
bound() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --bounding-set=-dac_override,-dac_read_search \
		    npu-kmd "$@"
	else
		npu-kmd "$@"
	fi
}

@test "a missing running kernel in an image is reported" {
	lacking
	kmd autoload on
	rm m/proc/sys/kernel/osrelease
	why='npu-kmd: autoload: proc/sys/kernel/osrelease of the tree names no '
	why="${why}kernel that runs"
	for what in on load; do
		run -4 kmd autoload $what
		[ "$output" = "$why" ]
	done
	run --separate-stderr -0 kmd autoload status
	[ "$output" = "$K: on: aipu updates/dkms/aipu.ko" ]
	[ "$stderr" = "$why" ]
	kmd autoload off
	run --separate-stderr -0 kmd autoload status
	[ "$output" = "" ]
	[ "$stderr" = "$why" ]
	run -0 kmd ssdt add
	[[ $output == *"run: update-initramfs -u -k all; then boot again" ]]
}

@test "autoload reports that the blacklist is missing" {
	machine
	rm m/etc/modprobe.d/npu-kmd.conf
	run --separate-stderr -4 kmd autoload status
	[[ $stderr == *"not on modprobe's blacklist: aipu armchina_npu "* ]]
	# A file in /usr/lib is enough, unless /etc has a file with the same
	# name.
	mkdir -p m/usr/lib/modprobe.d
	printf 'blacklist aipu\nblacklist armchina-npu\n%s' \
	    'blacklist armchina_npu_r2p0' >m/usr/lib/modprobe.d/x.conf
	kmd autoload status
	for hide in ': >' 'ln -sf /dev/null'; do
		eval "$hide m/etc/modprobe.d/x.conf"
		run -4 kmd autoload status
	done
}

@test "a link that leads out of the tree is not followed" {
	machine
	mkdir out
	ln -s ../../out m/etc/npu-kmd
	run -1 kmd autoload on
	[[ $output == *"a link that leads out of m"* ]]
	run -0 ls out
	[ "$output" = "" ]
	rm m/etc/npu-kmd
	mkdir m/etc/npu-kmd
	ln -s ../../../precious m/etc/npu-kmd/tried
	echo precious >precious
	kmd autoload on
	[ "$(cat precious)" = precious ]
	[ ! -h m/etc/npu-kmd/tried ]
	# No folder is created there either, even if the link leads nowhere.
	rm -r m/etc/npu-kmd
	mv m/etc away
	for to in "$PWD/out" "$PWD/nowhere"; do
		ln -sfn "$to" m/etc
		run -1 kmd autoload on
		[ "${lines[-1]}" = "npu-kmd: ./m/etc/npu-kmd: a link that \
leads out of m" ]
		run -0 ls out
		[ "$output" = "" ]
	done
	rm m/etc
	mv away m/etc
	lacking
	mv m/etc away
	ln -s "$PWD/out" m/etc
	run -1 kmd ssdt add
	[[ $output == *"a link that leads out of m" ]]
	run -0 ls out
	[ "$output" = "" ]
}

# Expected: path_resolution(7), with the root at r.
@test "each link of a path is followed below the root, a loop is an error" {
	mkdir -p r/a/b out
	ln -s /a r/abs
	ln -s ../../../a r/a/up
	ln -s /abs r/chain
	ln -s ./b/../b r/a/dots
	ln -s ../../out r/leaves
	ln -s / r/a/root
	ln -s /nowhere/x r/none
	ln -s 'a b' r/blank
	ln -s $'x\n' r/newline
	ln -s loop r/loop
	ln -s /one r/a/two
	ln -s a/two r/one
	while IFS='|' read -r path want; do
		for sh in dash 'busybox sh' bash; do
			command -v "${sh%% *}" >/dev/null || continue
			run $sh -c 'KMD=$0/driver/kmd R=./r
			    . "$KMD/common.sh"; . "$KMD/machine.sh"
			    below "./r/$1"; printf "%s" "$real"' "$TOP" "$path"
			[ "$output" = "$want" ] || {
				echo "$sh: $path: $output"
				return 1
			}
		done
	done <<-'END'
	a/b|./r/a/b
	a//b/./x|./r/a/b/x
	../../../a/b/../..|./r
	abs/b|./r/a/b
	a/up/b|./r/a/b
	chain/dots/x|./r/a/b/x
	leaves/x|./r/out/x
	a/root/../abs/b|./r/a/b
	none|./r/nowhere/x
	blank/x|./r/a b/x
	loop|npu-kmd: ./r/loop: a loop of symbolic links
	a/two/x|npu-kmd: ./r/a/two/x: a loop of symbolic links
	END
	# A newline at the end of a name is kept; paths that are not below are
	# not resolved.
	for path in newline abs/../../r/abs; do
		sh -c 'KMD=$0/driver/kmd R=./r; . "$KMD/common.sh"
		    . "$KMD/machine.sh"; below "$1"; printf "%s." "$real"' \
		    "$TOP" "./r/$path"
		echo
	done >got
	printf './r/x\n.\n./r/r/abs.\n' | diff - got
	[ "$(sh -c 'KMD=$0/driver/kmd R=./r; . "$KMD/common.sh"
	    . "$KMD/machine.sh"; below r/abs; echo "$real"' "$TOP")" = r/abs ]
}

# settled: creates a machine with all files that are read below a root.
settled() {
	lacking
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
	dkms_conf aipu-5.12.0 PACKAGE_NAME=aipu BUILT_MODULE_NAME=armchina-npu
	mkdir -p m/etc/dkms/framework.conf.d m/lib/modules/6.12.9 m/srv/dkms \
	    m/etc/initramfs-tools m/etc/dracut.conf.d m/var/lib
	mv m/usr/src m/srv/
	echo source_tree=/../../srv/src >m/etc/dkms/framework.conf
	echo dkms_tree=/srv/dkms >m/etc/dkms/framework.conf.d/a.conf
	mkdir -p m/srv/dkms/aipu/5.11.0
	ln -s /../srv/src/aipu-5.11.0 m/srv/dkms/aipu/5.11.0/source
	echo AUTOINSTALL=yes >m/etc/dkms/aipu-5.12.0.conf
	kmd autoload on
	kmd ssdt add
	echo armchina_npu >m/etc/initramfs-tools/modules
	echo 'force_drivers=aipu' >m/etc/dracut.conf.d/a.conf
	sed -i 's,^updates,../../../srv/updates,' m/lib/modules/$K/modules.dep
	mv m/lib/modules/$K/updates m/srv/
	sed -i 's, updates, ../../../srv/updates,' m/etc/npu-kmd/tried
	echo main >m/boot/initrd.img-a
	cat m/etc/npu-kmd/npu-cores.cpio >m/boot/initrd.img-b
}

# what_is_read: prints the verdicts on the machine m.
what_is_read() {
	local what
	for what in dkms 'dkms --json' 'autoload status' 'ssdt status' \
	    'ssdt add'; do
		kmd $what 2>&1 || echo "status $?"
	done
}

@test "all files below a root are read through links as well" {
	settled
	what_is_read >want
	# None of the verdicts is the same as on an empty machine.
	grep -q '^dkms aipu/.*builds itself' want
	grep -q "^$K: ../../../srv/updates/dkms/aipu.ko, good: " want
	grep -q 'UNTRIED (named in /etc/dracut.conf.d/a.conf)' want
	grep -q 'UNTRIED (named in /etc/initramfs-tools/modules)' want
	grep -qx "$K: on: aipu ../../../srv/updates/dkms/aipu.ko" want
	grep -q 'initrd.img-b: the table is in front of it' want
	for root in "${roots[@]}"; do
		hidden "$root"
		[ -z "$(find m ! -path 'm/hidden/*' -type f)" ]
		what_is_read | diff want -
		rm -r m
		settled
	done
}

@test "a loop of links below a root is reported, status 1" {
	machine
	mkdir -p m/usr/src/aipu-1 m/etc/dkms m/var/lib/dkms/aipu/1
	for f in lib/modules lib/modules/$K/modules.dep usr/src/aipu-1/dkms.conf \
	    etc/dkms/framework.conf etc/modprobe.d/npu-kmd.conf \
	    var/lib/dkms/aipu/1/source etc/initramfs-tools/modules \
	    boot/config-$K; do
		mkdir -p "m/${f%/*}"
		[ ! -e "m/$f" ] || mv "m/$f" kept
		ln -s "/$f" "m/$f"
		run --separate-stderr -1 kmd dkms
		[ "$output" = "" ]
		[[ $stderr == "npu-kmd: ./m/$f"*": a loop of symbolic links" ]]
		run --separate-stderr -1 kmd dkms --json
		[ "$(jq -r .error.message <<<"$output")" = "${stderr#npu-kmd: }" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		rm "m/$f"
		[ ! -e kept ] || mv kept "m/$f"
	done
	mkdir -p m/boot
	cp m/lib/modules/$K/updates/dkms/aipu.ko x.ko
	for f in boot/config-$K sys/kernel/security/lockdown; do
		mkdir -p "m/${f%/*}"
		ln -s "/$f" "m/$f"
		run --separate-stderr -1 kmd verify --json x.ko
		[ "$stderr" = "npu-kmd: ./m/$f: a loop of symbolic links" ]
		[ "$(jq -r .error.message <<<"$output")" = "${stderr#npu-kmd: }" ]
		rm "m/$f"
	done
}

# dkms_conf FOLDER LINE...: creates the package in m.
dkms_conf() {
	mkdir -p "m/usr/src/$1"
	f=m/usr/src/$1/dkms.conf
	shift
	printf '%s\n' "$@" >"$f"
}

@test "dkms: a machine without kernels is reported, status 1" {
	mkdir -p empty/lib/modules
	run --separate-stderr -1 npu-kmd dkms --root=empty
	[ "$output" = "" ]
	[[ $stderr == "npu-kmd: "*"empty/lib/modules: no kernel has modules there; "* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run --separate-stderr -1 npu-kmd dkms --json --root=empty
	[ "$output" = '{"schema":"npu-kmd-dkms/1","packages":[],"kernels":[],"good":null}' ]
}

@test "dkms predicts the next boot of each kernel" {
	machine
	mkdir -p m/lib/modules/7.2.6-arm64
	: >m/lib/modules/7.2.6-arm64/modules.dep
	run -0 kmd dkms
	[ "$output" = "$K: updates/dkms/aipu.ko, good: not loaded at boot \
(blacklisted in /etc/modprobe.d/npu-kmd.conf)
7.2.6-arm64: no module, and none would be made" ]
	dkms_conf aipu-5.11.0 'PACKAGE_NAME="aipu"' 'PACKAGE_VERSION=5.11.0' \
	    'BUILT_MODULE_NAME[0]="aipu" # ours' "AUTOINSTALL='yes'"
	dkms_conf other-1 PACKAGE_NAME=other BUILT_MODULE_NAME=other
	run -0 kmd dkms
	[ "${lines[0]}" = \
	    'dkms aipu/5.11.0: builds itself for each new kernel (AUTOINSTALL="yes")' ]
	[ "${lines[2]}" = "7.2.6-arm64: no module yet, dkms may make one: not \
loaded at boot (blacklisted in /etc/modprobe.d/npu-kmd.conf)" ]
	[ "${#lines[@]}" -eq 3 ]
	rm m/etc/modprobe.d/npu-kmd.conf
	run -4 kmd dkms
	[ "${lines[1]}" = "$K: updates/dkms/aipu.ko, good: LOADED AT BOOT, \
UNTRIED (on no blacklist)" ]
	[[ ${lines[2]} == *"dkms may make one: LOADED AT BOOT, UNTRIED"* ]]
	run -4 kmd dkms --json
	echo "$output" | jq -e '.schema == "npu-kmd-dkms/1" and (.good | not)
	    and .packages == [{ name: "aipu", version: "5.11.0",
		autoinstall: true }]
	    and .kernels[0] == { kernel: "6.12.107-arm64", module: "aipu",
		file: "updates/dkms/aipu.ko", verdict: "good",
		boot: "untried", why: "on no blacklist" }
	    and .kernels[1].file == null and (.kernels | length) == 2'
	# A value that only a shell can compute may be yes.
	dkms_conf aipu-5.11.0 'PACKAGE_NAME=aipu' 'PACKAGE_VERSION=$(x)' \
	    'BUILT_MODULE_NAME=aipu' 'AUTOINSTALL="$A"'
	run -4 kmd dkms
	[ "${lines[0]}" = 'dkms aipu/?: may build itself for each new kernel (AUTOINSTALL is not known)' ]
	[[ ${lines[2]} == *UNTRIED* ]]
	dkms_conf aipu-5.11.0 'PACKAGE_NAME=aipu' 'BUILT_MODULE_NAME=aipu'
	run -4 kmd dkms
	[[ ${lines[2]} == *"none would be made" ]]
	# The blacklist must have the name of the module that dkms builds.
	echo 'blacklist aipu' >m/etc/modprobe.d/a.conf
	dkms_conf aipu-5.11.0 'PACKAGE_NAME=x' AUTOINSTALL=yes \
	    BUILT_MODULE_NAME=armchina-npu
	run -4 kmd dkms --json
	echo "$output" | jq -e '.kernels[1].module == "armchina_npu" and
	    .kernels[1].boot == "untried"'
	# A foreign module is not ours because of a part of a path, or because
	# its name contains the letters; the package's own name is known.
	rm -r m/usr/src/aipu-5.11.0
	dkms_conf evdi-1.14 PACKAGE_NAME=evdi AUTOINSTALL=yes \
	    'BUILT_MODULE_NAME[0]="$PACKAGE_NAME"'
	dkms_conf input-remapper-1 PACKAGE_NAME=in AUTOINSTALL=yes \
	    'BUILT_MODULE_NAME[0]="$NAME"'
	mkdir npu-image
	mv m npu-image/
	run -0 npu-kmd dkms --root=npu-image/m
	mv npu-image/m .
	[[ ${lines[1]} == *"none would be made" ]]
	for name in '"${PACKAGE_NAME}-npu"' '$PACKAGE_NAME-npu'; do
		dkms_conf x-1 PACKAGE_NAME=armchina AUTOINSTALL=yes \
		    "BUILT_MODULE_NAME[0]=$name"
		run -4 kmd dkms --json
		echo "$output" | jq -e '.kernels[1].module == "armchina_npu"'
	done
	# An unknown name counts as ours if the folder has the word.
	mv m/usr/src/x-1 m/usr/src/cix-npu-1
	dkms_conf cix-npu-1 AUTOINSTALL=yes \
	    'BUILT_MODULE_NAME="${PACKAGE_NAME}_x"'
	run -0 kmd dkms
	[[ ${lines[2]} == *"dkms may make one: not loaded at boot"* ]]
	rm -r m/usr/src/cix-npu-1
	# Without a name, the module has the package's name.
	dkms_conf aipu-5.11.0 'PACKAGE_NAME="aipu"' AUTOINSTALL=yes
	run -0 kmd dkms
	[[ ${lines[2]} == *"dkms may make one: not loaded at boot"* ]]
}

@test "dkms: a tab or newline in the name of a kernel's folder is shown as ?" {
	mkdir -p m/lib/modules/6.12.$'\t'9$'\n'x/updates
	echo updates/aipu.ko: >"$(echo m/lib/modules/6*)/modules.dep"
	: >"$(echo m/lib/modules/6*)/updates/aipu.ko"
	run -4 kmd dkms
	[ "$output" = "6.12.?9?x: updates/aipu.ko, unreadable: LOADED AT BOOT, \
UNTRIED (on no blacklist)" ]
	run -4 kmd dkms --json
	echo "$output" | jq -e '.kernels == [{ kernel: "6.12.?9?x",
	    module: "aipu", file: "updates/aipu.ko", verdict: "unreadable",
	    boot: "untried", why: "on no blacklist" }]'
}

# The verdicts are the behaviour of dkms itself.  Debian's 3.0.10 builds with
# any value except an empty one; 3.1.7 and later accept yes, no and an empty
# value, in upper or lower case, and report any other value as an error in the
# file.
@test "dkms: AUTOINSTALL is judged as in each release of dkms" {
	for awk in mawk gawk original-awk 'busybox awk'; do
		command -v "${awk%% *}" >/dev/null || continue
		while IFS='|' read -r line unknown old new; do
			printf '%s\n' PACKAGE_NAME=aipu "${line//;/$'\n'}" >dkms.conf
			for release in :$unknown 3.0.10:$old 3.1.6-1:$old \
			    3.1.7:$new 3.2.2-2ubuntu1:$new 4.0:$new; do
				got=$(KMD_MODULES=aipu KMD_DKMS=${release%:*} \
				    $awk -f "$TOP/driver/kmd/shell.awk" \
				    -f "$TOP/driver/kmd/dkms-conf.awk" ./dkms.conf | cut -f 3)
				[ "$got" = "${release#*:}" ] || {
					echo "$line, $release: $got"
					return 1
				}
			done
		done <<-'END'
		AUTOINSTALL=yes|yes|yes|yes
		AUTOINSTALL="YES" # now|yes|yes|yes
		export AUTOINSTALL='yes'|yes|yes|yes
		AUTOINSTALL[0]=yes|yes|yes|yes
		AUTOINSTALL="no"|may|yes|no
		AUTOINSTALL=No|may|yes|no
		AUTOINSTALL="true"|may|yes|no
		AUTOINSTALL=y|may|yes|no
		AUTOINSTALL=0|may|yes|no
		AUTOINSTALL=""|no|no|no
		AUTOINSTALL=|no|no|no
		VERSION=1|no|no|no
		# AUTOINSTALL=yes|no|no|no
		AUTOINSTALL=yes;AUTOINSTALL=|no|no|no
		AUTOINSTALL=;AUTOINSTALL=yes|yes|yes|yes
		AUTOINSTALL=$x|may|may|may
		AUTOINSTALL=`x`|may|may|may
		[ -d /x ] && AUTOINSTALL=yes|may|may|may
		AUTOINSTALL=yes && x=y|may|may|may
		if true;then;  AUTOINSTALL=;fi|may|may|may
		if true;then;  X=y;fi;AUTOINSTALL=|no|no|no
		: ${AUTOINSTALL:=yes}|may|may|may
		. ./more|may|may|may
		[ -f x ] && . ./more|may|may|may
		[ -f x ] && source ./more|may|may|may
		if true; then . x; fi|may|may|may
		# one. two|no|no|no
		AUTOINSTALL=#no|may|yes|no
		AUTOINSTALL= # no|no|no|no
		AUTOINSTALL=yes;f() {;AUTOINSTALL=;}|may|may|may
		AUTOINSTALL=yes;false && {;AUTOINSTALL=;}|may|may|may
		AUTOINSTALL=yes;X="a;AUTOINSTALL=;b"|may|may|may
		case x in;x);AUTOINSTALL=;esac|may|may|may
		f() {;X=y;};AUTOINSTALL=|no|no|no
		[ ${#X} -gt 0 ] && AUTOINSTALL=yes|may|may|may
		case ${X##*-} in a) AUTOINSTALL=yes;; esac|may|may|may
		X=y # AUTOINSTALL=yes|no|no|no
		[ -d /x ] &&;AUTOINSTALL=yes|may|may|may
		[ -d /x ] \;&& AUTOINSTALL=yes|may|may|may
		[ -d /x ] &&\;AUTOINSTALL=yes|may|may|may
		AUTOINSTALL=yes;cat <<E;AUTOINSTALL=;E|may|may|may
		return 0;AUTOINSTALL=yes|may|may|may
		AUTOINSTALL=yes;CLEAN="make -C . clean"|yes|yes|yes
		AUTOINSTALL=yes;CLEAN="x; . y"|yes|yes|yes
		# a &&;AUTOINSTALL=yes|yes|yes|yes
		X="a b";Y='c;d';AUTOINSTALL=|no|no|no
		END
	done
}

# says STATUS LINE: dkms on m prints LINE for the kernel 6.12.9.
says() {
	run "-$1" kmd dkms
	[[ $output == *"
6.12.9: $2"* ]]
}

@test "dkms: no and true may build a module if the release is not known" {
	mkdir -p m/lib/modules/6.12.9
	for value in no true; do
		dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu PACKAGE_VERSION=5.11.0 \
		    "AUTOINSTALL=\"$value\""
		says 4 'no module yet, dkms may make one: LOADED AT BOOT, UNTRIED'
		[ "${lines[0]}" = "dkms aipu/5.11.0: may build itself for each \
new kernel (AUTOINSTALL=\"$value\")" ]
		run -4 kmd dkms --json
		echo "$output" | jq -e '.packages[0].autoinstall == null'
	done
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu 'AUTOINSTALL=""'
	says 0 'no module, and none would be made'
	[ "${lines[0]}" = 'dkms aipu/?: builds for no kernel by itself (AUTOINSTALL is empty or not set)' ]
	run -0 kmd dkms --json
	echo "$output" | jq -e '.packages[0].autoinstall == false'
}

@test "dkms: files in /etc/dkms override dkms.conf of the source" {
	mkdir -p m/lib/modules/6.12.9 m/lib/modules/6.12.10 m/etc/dkms
	for name in aipu aipu-5.11.0; do
		dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
		echo 'AUTOINSTALL=""' >m/etc/dkms/$name.conf
		says 0 'no module, and none would be made'
		dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu
		echo 'AUTOINSTALL=yes' >m/etc/dkms/$name.conf
		says 4 'no module yet, dkms may make one'
		rm m/etc/dkms/$name.conf
	done
	# For one kernel.
	for name in aipu-5.11.0-6.12.9 aipu-5.11.0-6.12.9-aarch64; do
		dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
		echo 'AUTOINSTALL=""' >m/etc/dkms/$name.conf
		says 4 'no module, and none would be made'
		[[ $output == *"6.12.10: no module yet, dkms may make one"* ]]
		rm m/etc/dkms/$name.conf
	done
	# Releases before 3.1.6 ignore these files, and releases before 3.1.4
	# ignore the last file.
	for name in aipu--6.12.9 aipu--6.12.9-aarch64; do
		echo 'AUTOINSTALL=""' >m/etc/dkms/$name.conf
		says 4 'no module yet, dkms may make one'
		rm m/etc/dkms/$name.conf
	done
	: >m/etc/dkms/no-autoinstall
	says 4 'no module yet, dkms may make one'
	[[ ${lines[0]} == *": may build itself for each new kernel (/etc/dkms/no-autoinstall)" ]]
	rm m/etc/dkms/no-autoinstall
	# Other packages, other folders.
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu
	for name in other aipu-5.11.1 aipu-5.11.0-6.12 framework; do
		echo AUTOINSTALL=yes >m/etc/dkms/$name.conf
	done
	says 0 'no module, and none would be made'
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
	mkdir -p m/srv m/etc/dkms/framework.conf.d
	mv m/usr/src m/srv/
	says 0 'no module, and none would be made'
	echo 'source_tree="/srv/src" # here' >m/etc/dkms/framework.conf.d/a.conf
	says 4 'no module yet, dkms may make one'
}

@test "dkms: sources may be behind links, and a version may have a dash" {
	mkdir -p m/lib/modules/6.12.9 m/etc/dkms m/opt m/var/lib/dkms/aipu/5-1
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
	# An absolute link begins at the root.
	mv m/usr/src/aipu-5.11.0 m/opt/source
	run -0 kmd dkms
	ln -s /opt/source m/usr/src/aipu-5.11.0
	says 4 'no module yet, dkms may make one'
	ln -sfn ../../opt/source m/usr/src/aipu-5.11.0
	says 4 'no module yet, dkms may make one'
	rm m/usr/src/aipu-5.11.0
	ln -s /opt/source m/var/lib/dkms/aipu/5-1/source
	says 4 'no module yet, dkms may make one'
	mv m/var/lib/dkms m/srv-dkms
	run -0 kmd dkms
	echo dkms_tree=/srv-dkms >m/etc/dkms/framework.conf
	says 4 'no module yet, dkms may make one'
	rm m/etc/dkms/framework.conf
	mv m/srv-dkms m/var/lib/dkms
	echo 'AUTOINSTALL=""' >m/etc/dkms/aipu.conf
	says 0 'no module, and none would be made'
	# The added source is used, not another source of that name.
	dkms_conf aipu-5-1 PACKAGE_NAME=aipu AUTOINSTALL=yes
	says 0 'no module, and none would be made'
	ln -sfn /usr/src/aipu-5-1 m/var/lib/dkms/aipu/5-1/source
	# The name comes from dkms's tree, or from dkms.conf.
	for package in other '"aipu"'; do
		dkms_conf aipu-5-1 "PACKAGE_NAME=$package" \
		    BUILT_MODULE_NAME=aipu AUTOINSTALL=yes
		says 0 'no module, and none would be made'
		rm -rf m/var
	done
	rm m/etc/dkms/aipu.conf
	echo 'AUTOINSTALL=""' >m/etc/dkms/aipu-5.conf
	says 4 'no module yet, dkms may make one'
	dkms_conf aipu-5-1 PACKAGE_NAME=other BUILT_MODULE_NAME=aipu \
	    AUTOINSTALL=yes
	says 0 'no module, and none would be made'
}

@test "dkms: framework.conf names the folder of sources" {
	mkdir -p m/lib/modules/6.12.9 m/etc/dkms m/srv
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
	mv m/usr/src m/srv/
	# Read as shells read them; the last is a comment.
	while IFS='|' read -r status line; do
		printf "$line" >m/etc/dkms/framework.conf
		echo "$line"
		run --separate-stderr -$status kmd dkms
		[ "$stderr" = "" ]
	done <<-'END'
	4|source_tree=/srv/src\n
	4|export source_tree=/srv/src
	4|source_tree="/srv/src"; verbose=1\n
	4|source_tree=/srv/src\r\n
	4|	source_tree='/srv/src'	# here\n
	0|# source_tree=/srv/src\n
	4|source_tree=$x\nsource_tree=/srv/src\n
	0|my_source_tree=/srv/src\nx=$source_tree\n
	0|verbose=1 # source_tree\n
	END
	mkdir -p 'm/srv/a b'
	mv m/srv/src/* 'm/srv/a b/'
	echo 'source_tree="/srv/a b"' >m/etc/dkms/framework.conf
	run --separate-stderr -4 kmd dkms
	[ "$stderr" = "" ]
}

@test "dkms: a folder of sources that needs a shell is reported, not guessed" {
	mkdir -p m/lib/modules/6.12.9 m/etc/dkms/framework.conf.d
	for f in framework.conf framework.conf.d/a.conf; do
		while IFS= read -r line; do
			printf "$line\n" >m/etc/dkms/$f
			run --separate-stderr -0 kmd dkms
			[ "$output" = "6.12.9: no module, and dkms may make \
one (source_tree of dkms is not known)" ] || {
				echo "$line: $output"
				return 1
			}
			[ "$stderr" = "npu-kmd: ./m/etc/dkms/$f: source_tree \
may be another folder than /usr/src; the value needs a shell" ]
		done <<-'END'
		source_tree=/srv/$(uname -r)
		source_tree="$HOME/src"
		source_tree=/srv/my src
		source_tree=src
		source_tree=
		declare source_tree=/srv/src
		source_tree[0]=/srv/src
		x=1; source_tree=/srv/src
		[ -d /srv/src ] && source_tree=/srv/src
		source_tree=/srv/src && x=1
		source_tree=/a; source_tree=/b
		if true; then\nsource_tree=/srv/src\nfi
		f() {\nsource_tree=/srv/src\n}
		: ${source_tree:=/srv/src}
		END
		rm m/etc/dkms/$f
	done
	# Another script may set both.
	printf 'source_tree=/srv/src\n. ./more\n' >m/etc/dkms/framework.conf
	run --separate-stderr -0 kmd dkms
	[[ $output == *"(source_tree of dkms is not known)" ]]
	[ "${#stderr_lines[@]}" -eq 2 ]
	echo 'dkms_tree=$x' >m/etc/dkms/framework.conf
	run --separate-stderr -0 kmd dkms --json
	echo "$output" | jq -e '.kernels[0].why == "dkms_tree of dkms is not known"'
	[[ $stderr == *": dkms_tree may be another folder than /var/lib/dkms; "* ]]
}

# Expected: autoinstall() and VER() in dkms.in.
@test "dkms: only the latest version of a package is built" {
	mkdir -p m/lib/modules/6.12.9
	for pair in '5.9.0 5.11.0' '5.11 5.11.0' '1.0rc1 1.0rc2' '9 10' \
	    '5-1 5-2' 'r99 r100'; do
		for version in $pair; do
			dkms_conf aipu-$version PACKAGE_NAME=aipu \
			    PACKAGE_VERSION=$version AUTOINSTALL=yes
		done
		says 4 'no module yet, dkms may make one'
		sort <<<"$output" >got
		diff - <(grep ^dkms got) < <(sort <<-END
		dkms aipu/${pair#* }: builds itself for each new kernel (AUTOINSTALL="yes")
		dkms aipu/${pair% *}: builds for no kernel by itself (dkms builds only the latest version, ${pair#* })
		END
		)
		# The latest version decides, even if it does not have such a
		# module.
		dkms_conf aipu-${pair#* } PACKAGE_NAME=aipu \
		    PACKAGE_VERSION=${pair#* }
		says 0 'no module, and none would be made'
		dkms_conf aipu-${pair#* } PACKAGE_NAME=aipu AUTOINSTALL=yes \
		    BUILT_MODULE_NAME=other
		says 0 'no module, and none would be made'
		rm -r m/usr/src
	done
	# Other packages do not matter, nor does a source that was not added.
	dkms_conf aipu-1 PACKAGE_NAME=aipu AUTOINSTALL=yes
	dkms_conf other-2 PACKAGE_NAME=other AUTOINSTALL=yes
	says 4 'no module yet, dkms may make one'
	dkms_conf aipu-2 PACKAGE_NAME=aipu
	says 0 'no module, and none would be made'
	mkdir -p m/var/lib/dkms/aipu/1 m/var/lib/dkms/aipu/3
	ln -s /usr/src/aipu-1 m/var/lib/dkms/aipu/1/source
	says 4 'no module yet, dkms may make one'
	# dkms skips a version without its source.
	ln -s /usr/src/aipu-3 m/var/lib/dkms/aipu/3/source
	says 4 'no module yet, dkms may make one'
	dkms_conf aipu-3 PACKAGE_NAME=aipu
	says 0 'no module, and none would be made'
}

@test "dkms: the blacklist does not affect modules that an initrd loads by name" {
	machine
	module
	run -0 kmd dkms
	mkdir -p m/etc/dracut.conf.d m/usr/share/initramfs-tools/modules.d
	while IFS='|' read -r status file line; do
		printf "$line\n" >m/$file
		echo "$file: $line"
		run -$status kmd dkms
		[ $status -eq 0 ] || [[ $output == *"UNTRIED (named in /$file)" ]]
		rm m/$file
	done <<-'END'
	4|etc/dracut.conf|force_drivers+=" aipu "
	4|etc/dracut.conf.d/npu.conf|force_drivers="ext4 aipu" # here
	4|etc/dracut.conf|force_drivers=aipu
	4|etc/dracut.conf|add_drivers+=" x "; force_drivers+=" aipu "
	4|etc/dracut.conf|force_drivers+=" x \\\\\n aipu "
	4|etc/dracut.conf|force_drivers+="\nx\naipu\n"
	4|etc/dracut.conf|force_drivers+=(x\naipu)
	0|etc/dracut.conf|#force_drivers+=" aipu "
	0|etc/dracut.conf|force_drivers+=" aipu2 my-aipu "
	0|etc/dracut.conf|force_drivers+=" x "\nadd_drivers=" aipu "
	0|etc/dracut.conf|force_drivers=" aipu "\nforce_drivers=""
	0|etc/dracut.conf|force_drivers=x aipu=y
	0|etc/dracut.conf|add_force_drivers+=" aipu "
	4|usr/share/initramfs-tools/modules.d/npu|aipu x=1
	0|usr/share/initramfs-tools/modules.d/npu|# aipu
	0|etc/mkinitcpio.conf|MODULES=(aipu)
	END
	# dkms builds a module for the next kernel.
	mkdir m/lib/modules/6.12.99
	dkms_conf aipu-5.11.0 PACKAGE_NAME=aipu AUTOINSTALL=yes
	echo 'force_drivers+=" aipu "' >m/etc/dracut.conf
	run -4 kmd dkms
	[[ $output == *"6.12.99: no module yet, dkms may make one: LOADED AT BOOT, \
UNTRIED (named in /etc/dracut.conf)"* ]]
}

@test "dkms: the installed release of dkms is determined" {
	mkdir bin
	printf '#!/bin/sh\necho dkms-3.0.10\n' >bin/dkms
	chmod +x bin/dkms
	PATH=$PWD/bin:$PATH run -0 sh -c 'KMD=$0/driver/kmd R= module_names=aipu
	    . "$KMD/common.sh"; . "$KMD/dkms.sh"; set_dkms; echo "$KMD_DKMS"' \
	    "$TOP"
	[ "$output" = 3.0.10 ]
}

@test "dkms: a bad module is reported as bad, a tried one as loaded" {
	machine
	module -DNO_INIT
	run -0 kmd dkms
	[[ $output == *"aipu.ko, bad: not loaded at boot"* ]]
	head -c 500 m/lib/modules/$K/updates/dkms/aipu.ko >x
	cp x m/lib/modules/$K/updates/dkms/aipu.ko
	run -0 kmd dkms
	[[ $output == *"aipu.ko, unreadable: not loaded"* ]]
	# A tool's warning concerns this module and does not end the program.
	{ gzip -c x && echo garbage; } >m/lib/modules/$K/updates/dkms/aipu.ko
	run -0 kmd dkms
	[[ $output == *"aipu.ko, unreadable: not loaded"* ]]
	module
	kmd autoload on
	run -0 kmd dkms
	[[ $output == *"good: loaded at boot (tried on this kernel)" ]]
	# The same holds for a module with blanks in its name.
	mv m/lib/modules/$K/updates/dkms "m/lib/modules/$K/updates/my  dkms"
	sed -i 's,updates/dkms,updates/my  dkms,' m/lib/modules/$K/modules.dep
	kmd autoload on
	run -0 kmd dkms
	[[ $output == *"good: loaded at boot (tried on this kernel)" ]]
	run -0 kmd autoload status
	[ "$output" = "$K: on: aipu updates/my  dkms/aipu.ko" ]
	mv "m/lib/modules/$K/updates/my  dkms" m/lib/modules/$K/updates/dkms
	module
	kmd autoload on
	module -DBUILD_ID=0x22
	run -0 kmd dkms
	[[ $output == *"good: not loaded at boot (blacklisted in "* ]]
	# The initrd loads it by name, which a blacklist does not prevent.
	mkdir -p m/etc/initramfs-tools
	echo aipu >m/etc/initramfs-tools/modules
	kmd autoload off
	run -4 kmd dkms
	[[ $output == *"UNTRIED (named in /etc/initramfs-tools/modules)" ]]
}

# board [MACRO]: prints the ids in the table of a board that lacks ids.
board() {
	iasl ${1:+-D "$1"} -p board.aml "$TOP/driver/tests/board.asl" >log
	for c in 0 1 2; do
		acpiexec -b "evaluate \\_SB.NPU0.CRE$c._HID" board.aml \
		    npu-cores.aml 2>&1 |
		    sed -n 's/.*\[String\].* = "\(.*\)"/\1/p; s/.*\(AE_.*\)/\1/p'
	done | tr '\n' ' '
}

@test "the table gives ids only to cores without an id" {
	iasl -p npu-cores.aml "$TOP/driver/ssdt/npu-cores.asl" >log
	grep -q '0 Errors, 0 Warnings, 0 Remarks' log
	[ "$(board)" = "CIXH4010 CIXH4010 CIXH4010 " ]
	[ "$(board CRE1_HID)" = "CIXH4010 CIXH4011 CIXH4010 " ]
	[ "$(board NO_CORES)" = "AE_NOT_FOUND AE_NOT_FOUND AE_NOT_FOUND " ]
}

# lacking: creates m, a board whose firmware lacks the ids, with
# initramfs-tools.
lacking() {
	machine
	mkdir -p m/etc/initramfs-tools/hooks m/boot \
	    m/sys/bus/acpi/devices/CIXH4000:00
	echo CONFIG_ACPI_TABLE_UPGRADE=y >m/boot/config-$K
	for c in 0 1 2; do
		mkdir -p m/sys/bus/acpi/devices/device:0$c
		echo "\\_SB_.NPU0.CRE$c" >m/sys/bus/acpi/devices/device:0$c/path
	done
}

@test "ssdt add writes the hook and the table; remove restores every byte" {
	lacking
	tree >before
	run --separate-stderr -0 kmd ssdt add
	[ "$output" = "" ]
	[ "$stderr" = "npu-kmd: writes ./m/etc/npu-kmd/npu-cores.cpio
npu-kmd: writes ./m/etc/initramfs-tools/hooks/npu-kmd
npu-kmd: ssdt: now run: update-initramfs -u -k $K; then boot again" ]
	cp m/etc/npu-kmd/npu-cores.cpio .
	[ "$(cpio -t --quiet <npu-cores.cpio)" = "kernel
kernel/firmware
kernel/firmware/acpi
kernel/firmware/acpi/npu-cores.aml" ]
	mkdir x
	(cd x && cpio -i --quiet -d <../npu-cores.cpio)
	cp x/kernel/firmware/acpi/npu-cores.aml .
	[ "$(board)" = "CIXH4010 CIXH4010 CIXH4010 " ]
	[ "$(($(wc -c <npu-cores.cpio) % 4))" -eq 0 ]
	[ "$(stat -c %a m/etc/initramfs-tools/hooks/npu-kmd)" = 755 ]
	run -0 kmd ssdt add
	[[ $output == *"is there already; nothing is written" ]]
	run --separate-stderr -0 kmd ssdt remove
	[[ $stderr == *"now run: update-initramfs -u -k all" ]]
	tree | diff before -
	run -0 kmd ssdt remove
	[[ $output == *"nothing of it is here" ]]
}

@test "-q silences what is written and what to do next, but not errors" {
	machine
	run -0 kmd -q autoload on
	[ "$output" = "" ]
	run -0 kmd autoload off --quiet
	[ "$output" = "" ]
	[ ! -e m/etc/npu-kmd/tried ]
	lacking
	run -0 kmd ssdt add -q
	[ "$output" = "" ]
	run -0 kmd ssdt -q add
	[ "$output" = "" ]
	run -0 kmd ssdt remove -q
	[ "$output" = "" ]
	run -0 kmd ssdt remove -q
	[ "$output" = "" ]
	rm -r m/lib/modules
	run -4 kmd -q autoload on
	[[ $output == "npu-kmd: autoload: "* ]]
}

@test "the hook passes the table to initramfs-tools if the table exists" {
	lacking
	kmd ssdt add
	# Its paths are absolute, so it is run with other paths.
	sed "s,/etc/npu-kmd,$PWD/m/etc/npu-kmd,
	    s,/usr/share/initramfs-tools,$PWD," \
	    m/etc/initramfs-tools/hooks/npu-kmd >hook
	echo 'prepend_earlyinitramfs() { cat "$1" >>early; }' >hook-functions
	sh hook prereqs
	[ ! -e early ]
	sh hook
	cmp early m/etc/npu-kmd/npu-cores.cpio
	# An older kernel still gets its initrd.
	: >hook-functions
	run -0 sh hook
	[[ $output == "W: npu-kmd: "* ]]
	rm m/etc/npu-kmd/npu-cores.cpio
	sh hook
	# status recognises the table in front of an initrd.
	echo main >m/boot/initrd.img-a
	cat early m/boot/initrd.img-a >m/boot/initrd.img-b
	kmd ssdt remove
	kmd ssdt add
	kmd ssdt status >out
	grep -qx './m/boot/initrd.img-a: without the table' out
	grep -qx './m/boot/initrd.img-b: the table is in front of it' out
	grep -qx 'cores with an id (CIXH4010): 0' out
	echo >>m/etc/npu-kmd/npu-cores.cpio
	kmd ssdt status >out
	grep -qx './m/boot/initrd.img-b: another build of the table is in it' out
	kmd ssdt remove
	kmd ssdt status >out
	grep -qx './m/boot/initrd.img-b: the table is in it, still' out
}

@test "ssdt status: an unreadable initrd is reported" {
	lacking
	echo main >m/boot/initrd.img-a
	chmod 000 m/boot/initrd.img-a
	run -1 bound ssdt status --root=m
	[ "$output" = \
	    "npu-kmd: ./m/boot/initrd.img-a: cannot be read; root may" ]
}

@test "ssdt add writes nothing if the table would not help" {
	row() {
		tree >before
		run --separate-stderr -4 kmd ssdt add
		[[ $stderr == "npu-kmd: ssdt: "*"$1"* ]]
		tree | diff before -
		lacking
	}
	lacking
	rm -r m/sys/bus/acpi/devices/CIXH4000:00
	row 'names no NPU (CIXH4000)'
	rm -r m/sys/bus/acpi/devices/device:*
	row 'has no devices CRE0 to CRE2'
	mkdir m/sys/bus/acpi/devices/CIXH4010:0{0,1,2}
	row 'all three cores have their ids'
	echo '# CONFIG_ACPI_TABLE_UPGRADE is not set' >m/boot/config-$K
	gzip -c <m/boot/config-$K >m/proc/config.gz
	row 'takes no tables from an initrd'
	echo '# CONFIG_ACPI_TABLE_UPGRADE is not set' | gzip -c >m/proc/config.gz
	rm m/boot/config-$K
	row 'takes no tables from an initrd'
	mkdir bin
	for t in sh awk sed cat wc tr head readlink uname grep; do
		ln -s "$(command -v "$t")" bin/
	done
	PATH=$TOP/driver:$PWD/bin run -1 kmd ssdt add
	[ "$output" = \
	    "npu-kmd: iasl: not found; install acpica-tools" ]
	# With another tool for initrds, only the table is written.
	rm -r m/etc/initramfs-tools
	run -0 kmd ssdt add
	[[ $output == *"have your boot loader read ./m/etc/npu-kmd/"* ]]
}

@test "ssdt add killed at any point leaves only harmless and removable files" {
	lacking
	tree >before
	# A command that kills its caller at its n-th use.
	mkdir bin
	for t in mktemp iasl mv chmod mkdir; do
		real=$(command -v $t)
		cat >bin/$t <<-END
		#!/bin/sh
		n=\$((\$(cat $PWD/count) - 1))
		echo \$n >$PWD/count
		[ \$n -ne 0 ] || { kill -9 -\$(cat $PWD/group); exit 1; }
		exec $real "\$@"
		END
		chmod +x bin/$t
	done
	left=0
	for n in $(seq 20); do
		echo $n >count
		# Its own process group is killed, as by a power failure.
		PATH=$PWD/bin:$PATH setsid sh -c 'echo $$ >group
		    npu-kmd ssdt add --root=m' 2>/dev/null || :
		[ "$(cat count)" -eq 0 ] || break
		# The hook never exists without the table.
		[ ! -e m/etc/initramfs-tools/hooks/npu-kmd ] ||
			[ -e m/etc/npu-kmd/npu-cores.cpio ]
		if [ -e m/etc/npu-kmd/npu-cores.cpio ]; then
			cpio -t --quiet <m/etc/npu-kmd/npu-cores.cpio >/dev/null
			left=$((left + 1))
		fi
		npu-kmd ssdt remove --root=m 2>/dev/null
		tree | diff before -
	done
	# It was killed at each step, and then it succeeded.
	[ "$n" -ge 8 ]
	[ "$n" -lt 20 ]
	[ "$left" -ge 1 ]
	[ -e m/etc/initramfs-tools/hooks/npu-kmd ]
}

@test "installed, udev's rule runs npu-kmd there, and uninstall removes all files" {
	mkdir -p dest/etc/modprobe.d
	echo mine >dest/etc/modprobe.d/mine.conf
	# All users can use it, no matter what the umask is.
	(umask 077
	 make -C "$TOP/driver" -s install DESTDIR="$PWD/dest" PREFIX=/opt/npu)
	run -0 find dest -type d ! -perm -055
	[ "$output" = "" ]
	grep -q 'RUN+="/opt/npu/bin/npu-kmd autoload load"' \
	    dest/etc/udev/rules.d/60-npu-kmd.rules
	grep -q 'KERNEL=="aipu", GROUP="npu", MODE="0660"' \
	    dest/etc/udev/rules.d/60-npu-kmd.rules
	grep -qx 'g npu -' dest/etc/sysusers.d/npu-kmd.conf
	# All files that installed scripts need exist: ssdt, dkms, verify.
	rm -rf m && lacking
	run -0 dest/opt/npu/bin/npu-kmd ssdt add --root=m
	run -0 dest/opt/npu/bin/npu-kmd dkms --root=m
	make -C "$TOP/driver" -s uninstall DESTDIR="$PWD/dest" PREFIX=/opt/npu
	[ "$(find dest ! -type d)" = dest/etc/modprobe.d/mine.conf ]
}

# `make uninstall` of the whole tree does the same.
@test "uninstalling without /etc keeps npu-kmd if a udev rule calls it" {
	here() {
		PREFIX=/opt/npu SYSCONFDIR=/etc DESTDIR=$PWD/dest VERSION=1 \
		    ETC=$1 "$TOP/driver/install.sh" "$2"
	}
	here yes install
	run --separate-stderr -0 here no uninstall
	[ "$stderr" = "kept: /opt/npu/bin/npu-kmd, which \
$PWD/dest/etc/udev/rules.d/60-npu-kmd.rules calls; make -C driver uninstall \
removes both" ]
	dest/opt/npu/bin/npu-kmd --version
	[ -e dest/opt/npu/share/npu-kmd/version ]
	# A rule for another installation.
	sed -i 's,/opt/npu,/usr,' dest/etc/udev/rules.d/60-npu-kmd.rules
	run --separate-stderr -0 here no uninstall
	[ "$stderr" = "" ]
	[ ! -e dest/opt/npu/bin/npu-kmd ]
}

@test "a folder in a file's place is not filled, and a link not followed" {
	machine
	mkdir -p m/etc/npu-kmd/tried
	run -1 kmd autoload on
	[ "${lines[-1]}" = "npu-kmd: ./m/etc/npu-kmd/tried: a folder is in \
its place" ]
	rmdir m/etc/npu-kmd/tried
	rm -r m
	lacking
	mkdir -p m/etc/npu-kmd/npu-cores.cpio
	run -1 kmd ssdt add
	[[ $output == *"npu-cores.cpio: a folder is in its place" ]]
	rmdir m/etc/npu-kmd/npu-cores.cpio
	here() {
		make -C "$TOP/driver" -s install DESTDIR="$PWD/dest" PREFIX=/opt
	}
	echo mine >mine
	for f in opt/share/npu-kmd/version opt/bin/npu-kmd \
	    opt/share/fish/vendor_completions.d/npu-kmd.fish \
	    etc/udev/rules.d/60-npu-kmd.rules; do
		rm -f "dest/$f"
		mkdir -p "dest/$f"
		run -2 here
		[[ $output == *"dest/$f': Is a directory"* ]]
		# It is still a folder, and empty.
		rmdir "dest/$f"
		ln -s "$PWD/mine" "dest/$f"
		here
		[ ! -h "dest/$f" ]
		[ "$(cat mine)" = mine ]
	done
}

@test "install refuses a PREFIX that udev cannot run, and accepts others" {
	for p in '/opt/a,b' '/opt/a&b' '/opt/my npu' $'/opt/a\tb' '/opt/a"b' \
	    "/opt/a'b" '/opt/a\b' '/opt/a%b' '/opt/a$b' $'/opt/a\nb' opt; do
		for what in install uninstall list; do
			run -2 env PREFIX="$p" SYSCONFDIR=/etc VERSION=1 \
			    DESTDIR="$PWD/dest" "$TOP/driver/install.sh" $what
			[[ ${lines[0]} == "install.sh: PREFIX=${p%%$'\n'*}"* ]]
			[[ $output == *"udev"* ]]
			[ ! -e dest ]
		done
	done
	here() {
		env PREFIX='/opt/[a]*#' SYSCONFDIR='/my etc' VERSION=1 \
		    DESTDIR="$PWD/de st" "$TOP/driver/install.sh" "$1"
	}
	here install
	here list | sort >want
	(cd 'de st' && find . ! -type d | sed 's/^\.//' | sort) | diff want -
	grep -qF 'RUN+="/opt/[a]*#/bin/npu-kmd autoload load"' \
	    'de st/my etc/udev/rules.d/60-npu-kmd.rules'
	here uninstall
	run -0 find 'de st' ! -type d -o -name npu-kmd
	[ "$output" = "" ]
	run -2 here other
}

@test "ssdt add succeeds if it cannot report success, and fails if it cannot write" {
	lacking
	tree >before
	run -1 bash -c 'ulimit -f 0; npu-kmd ssdt add --root=m 2>&1 | cat
	    exit ${PIPESTATUS[0]}'
	[[ $output == *"npu-kmd: "* ]]
	npu-kmd ssdt remove --root=m 2>/dev/null
	tree | diff before -
	npu-kmd ssdt add --root=m 2>/dev/full
	[ -s m/etc/npu-kmd/npu-cores.cpio ]
}

@test "a newline in the name of a root is refused" {
	machine
	mv m $'a\nb'
	run -1 npu-kmd autoload on --root=$'a\nb'
	[ "$output" = "npu-kmd: --root=a?b: a newline in the name" ]
}
