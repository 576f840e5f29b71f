# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
#
# npu-kmd reset [--yes] - makes an NPU answer again that hangs.
#
# The steps are in the order of what they destroy.  Before each step the command
# prints whose work is lost, and after each step it asks whether the NPU
# answers.  npu-info asks: it runs a model, if there is one.
#
# NPU_KMD_FAKE, for tests: a program that takes the steps in place of this
# machine, as "kill SIGNAL PID", "request NODE NUMBER", "write TEXT FILE" and
# "modprobe ARGUMENT...".
# shellcheck source=driver/kmd/machine.sh
. "$KMD/machine.sh"

fake=${NPU_KMD_FAKE:-}

# Drivers of the newest generation have these two ioctls (kernel-driver 6).
requests='0x411f 0x411e'

kmd_reset() {
	need_operands 0 '' "$@"
	set_root
	[ -z "$opt_yes" ] || [ -z "$R" ] || [ -n "$fake" ] ||
		usage 'reset: --yes is for this machine, not for --root'
	[ -z "$opt_yes" ] || [ -n "$fake" ] || [ "$(id -u)" = 0 ] ||
		die 'reset: only root may do this: sudo npu-kmd reset --yes'
	command -v npu-info >/dev/null ||
		die 'npu-info: not found, and it asks whether the NPU' \
		    'answers; install npu-utils'
	below "$R/dev/aipu"
	node=$real
	[ -e "$node" ] ||
		die "$R/dev/aipu: not there, so there is nothing to reset;" \
		    "'npu-info --doctor' says why"
	list_holders
	if [ -n "$holders" ]; then
		put "/dev/aipu is open in $(name_holders)"
	else
		put "/dev/aipu is not open in any process$(seen)"
	fi
	! answered || return 0
	find_device
	for stage in jobs requests device module; do
		"lost_$stage" || continue
		put "$stage: $lost"
		[ -n "$opt_yes" ] || continue
		"reset_$stage"
		! answered || return 0
	done
	if [ -n "$opt_yes" ]; then
		say_err 'reset: the NPU still does not answer; switch the' \
		    'board off and on'
	else
		say_err 'reset: nothing was done; --yes takes these steps,' \
		    'one by one, until the NPU answers'
	fi
	return 4
}

# ---- Who has the device open -------------------------------------------------

# list_holders: sets holders to the process ids.  ls finds them fast (-R: with
# the name of each folder); since the name of a file could imitate its lines,
# each one is checked.
list_holders() {
	holders=
	# shellcheck disable=SC2012 # each one is checked
	for pid in $(ls -lR "$R/proc"/[0-9]*/fd 2>/dev/null | awk '
	    /^\/?.*\/proc\/[0-9]+\/fd:$/ {
		sub(/\/fd:$/, "")
		sub(/.*\//, "")
		pid = $0
	    }
	    / -> \/dev\/aipu$/ && pid != "" { print pid; pid = "" }'); do
		! holds "$pid" || holders="$holders $pid"
	done
	holders=${holders# }
}

# holds PID: whether the process has the device open.
holds() {
	for fd in "$R/proc/$1/fd"/*; do
		[ "$(readlink -- "$fd")" != /dev/aipu ] || return 0
	done
	return 1
}

# seen: prints a remark if other users' processes could not be searched.
seen() {
	[ -n "$R" ] || [ "$(id -u)" = 0 ] || echo ' of yours'
}

# name_holders: prints "npu-run (71), npu-serve (80)".
name_holders() {
	names=
	for pid in $holders; do
		name='?'
		[ ! -r "$R/proc/$pid/comm" ] ||
			IFS= read -r name <"$R/proc/$pid/comm" || :
		names="$names${names:+, }$name ($pid)"
	done
	plain "$names"
	printf '%s' "$plain"
}

# ---- Whether the NPU answers -------------------------------------------------

# answered: asks, and prints the answer.
answered() {
	said_by=$(timeout 120 npu-info --doctor --plain \
	    ${R:+"--root=$R"} 2>/dev/null)
	[ $? -ne 124 ] || said_by='answer	FAIL	no answer in 120 s'
	answer=$(printf '%s\n' "$said_by" | awk -F '\t' '
	    { verdict[$1] = $2; finding[$1] = $3 }
	    function no(what) {
		print "no\tthe NPU does not answer: " what
		exit
	    }
	    END {
		if (verdict["answer"] == "ok") {
			print "yes\tthe NPU answers"
			exit
		}
		if (verdict["node"] == "FAIL") no(finding["node"])
		if (verdict["driver"] == "FAIL") no(finding["driver"])
		if (verdict["answer"] == "FAIL") no(finding["answer"])
		if (verdict["status"] == "warn") no(finding["status"])
		if (verdict["status"] != "ok") no("its driver says nothing")
		if (finding["status"] != "idle")
			no("its driver says " finding["status"] ", and no " \
			    "model was run")
		print "yes\tthe NPU is idle; no model was run, because " \
		    finding["answer"]
	    }') || no_help npu-info
	put "${answer#*	}"
	[ "${answer%%	*}" = yes ]
}

# ---- The steps ---------------------------------------------------------------

# act WORD...: takes a step, or has the test's program take it.
act() {
	if [ -n "$fake" ]; then
		"$fake" "$@"
		return
	fi
	case $1 in
	kill) kill "-$2" "$3" 2>/dev/null ;;
	request) request "$2" "$3" ;;
	write) printf '%s' "$2" >"$3" ;;
	*) "$@" ;;
	esac
}

# request NODE NUMBER: makes an ioctl without an argument.  2: the driver does
# not have it.
request() {
	# shellcheck disable=SC2016 # perl expands
	perl -e '
	    open(my $f, "+<", $ARGV[0]) or exit 1;
	    ioctl($f, hex $ARGV[1], 0) or exit($! == 25 ? 2 : 1)' "$1" "$2"
}

# failed STEP: reports a step that failed; the next one follows.
failed() {
	say_err "reset: $*"
}

# The driver ends a job only for the thread that submitted it, or when the file
# is closed (kernel-driver 6): the process must end.
lost_jobs() {
	lost="ends $(name_holders), which lose their work"
	[ -n "$holders" ]
}

reset_jobs() {
	for signal in TERM KILL; do
		for pid in $holders; do
			act kill $signal "$pid"
		done
		left=50
		while [ -n "$holders" ] && [ $left -gt 0 ]; do
			[ $left -eq 50 ] || sleep 0.1
			list_holders
			left=$((left - 1))
		done
	done
	[ -z "$holders" ] || {
		failed "$(name_holders) did not end; the next steps would" \
		    'crash the driver: boot again'
		exit 4
	}
}

lost_requests() {
	lost='resets the NPU by requests to the driver; all jobs are lost'
	npu-info --plain ${R:+"--root=$R"} 2>/dev/null |
		grep -q '^capability_bytes	known	200$'
}

reset_requests() {
	[ -n "$fake" ] || command -v perl >/dev/null || {
		failed 'perl: not found, so no request was made'
		return
	}
	for number in $requests; do
		act request "$node" "$number"
		case $? in
		0) ;;
		2) failed "the driver does not have the request $number" ;;
		*) failed "the driver refused the request $number" ;;
		esac
	done
}

# find_device: sets device, its name, and bound, the folder of its driver; ""
# if no driver is bound.
find_device() {
	device='' bound=''
	for d in "$R/sys/bus/platform/devices"/*; do
		has "$d/modalias" '^acpi:CIXH4000:|Carmchina,zhouyi' ||
			continue
		device=${d##*/}
		to=$(readlink -- "$d/driver") || continue
		bound=$R/sys/bus/platform/drivers/${to##*/}
	done
}

lost_device() {
	lost="unbinds $device from ${bound##*/} and binds it again; programs"
	lost="$lost that use the NPU fail"
	[ -n "$bound" ]
}

# need_closed: ends the command if the device is open: the driver would crash.
need_closed() {
	list_holders
	[ -z "$holders" ] || {
		failed "$(name_holders) opened /dev/aipu meanwhile; end it" \
		    'and run this command again'
		exit 4
	}
}

reset_device() {
	need_closed
	for file in unbind bind; do
		act write "$device" "$bound/$file" ||
			failed "$bound/$file: $device was refused"
	done
}

lost_module() {
	module=
	for n in $module_names; do
		! has "$R/proc/modules" "^$n " || module=$n
	done
	lost="unloads $module and loads it again; programs that use the NPU"
	lost="$lost fail"
	[ -n "$module" ]
}

reset_module() {
	need_closed
	if ! act modprobe -r "$module" || ! act modprobe "$module"; then
		failed "$module: modprobe failed; see the kernel's log"
	fi
}
