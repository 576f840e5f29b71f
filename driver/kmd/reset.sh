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
# machine, as "kill SIGNAL PID", "request NODE NUMBER", "write TEXT FILE",
# "modprobe ARGUMENT..." and "sleep SECONDS".
# shellcheck source=driver/kmd/machine.sh
. "$KMD/machine.sh"

fake=${NPU_KMD_FAKE:-}
limit=120		# seconds for a question or a step
child='' asked=''

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
	trap 'status=$?; clean_up; ended "$status"' EXIT
	asked=$(mktemp) || die 'no temporary file; is there room?'
	list_holders
	if [ -n "$holders" ]; then
		put "/dev/aipu is open in $(names_of "$holders")"
	else
		put "/dev/aipu is not open in any process$(seen)"
	fi
	! answered || return 0
	find_device
	steps=
	for stage in jobs requests device module; do
		"lost_$stage" || continue
		steps=y
		put "$stage: $lost"
		[ -n "$opt_yes" ] || continue
		"reset_$stage"
		! answered || return 0
	done
	if [ -z "$steps" ]; then
		say_err 'reset: no step is possible here; switch the board' \
		    'off and on'
	elif [ -n "$opt_yes" ]; then
		say_err 'reset: the NPU still does not answer; switch the' \
		    'board off and on'
	else
		say_err 'reset: nothing was done; --yes takes these steps,' \
		    'one by one, until the NPU answers'
	fi
	return 4
}

# limited COMMAND...: runs a command for at most $limit seconds.  Status 124: it
# did not end.  If it hangs in the kernel, no signal ends it, and it is left
# behind.
limited() {
	"$@" &
	child=$!
	left=$((limit * 10))
	while kill -0 "$child" 2>/dev/null; do
		[ $left -ne 0 ] || kill -KILL "$child" 2>/dev/null
		# It needs a moment to end.
		if [ $left -lt -10 ]; then
			child=
			return 124
		fi
		sleep 0.1
		left=$((left - 1))
	done
	wait "$child"
	set -- $?
	child=
	[ $left -ge 0 ] || return 124
	return "$1"
}

# clean_up: at the end, also after Ctrl-C, which does not reach a background
# process.
clean_up() {
	[ -z "$child" ] || kill "$child" 2>/dev/null
	[ -z "$asked" ] || rm -f -- "$asked"
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

# names_of PIDS: prints "npu-run (71), npu-serve (80)".
names_of() {
	names=
	for pid in $1; do
		name='?'
		[ ! -r "$R/proc/$pid/comm" ] ||
			IFS= read -r name <"$R/proc/$pid/comm" || :
		names="$names${names:+, }$name ($pid)"
	done
	plain "$names"
	printf '%s' "$plain"
}

# ---- Whether the NPU answers -------------------------------------------------

# ask ARGUMENT...: runs npu-info, which prints into the file $asked.
ask() {
	limited npu-info --device=npu "$@" ${R:+"--root=$R"} >"$asked" \
	    2>/dev/null
}

# answered: asks, and prints the answer.
answered() {
	ask --doctor --plain
	[ $? -ne 124 ] || echo "answer	FAIL	no answer in $limit s" >"$asked"
	[ -s "$asked" ] || die 'reset: npu-info --doctor prints nothing; try it'
	answer=$(awk -F '\t' '
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
		if (verdict["node"] == "FAIL" && finding["node"] ~ /^only /) {
			print "closed\t" finding["node"]
			exit
		}
		if (verdict["node"] == "FAIL") no(finding["node"])
		if (verdict["driver"] == "FAIL") no(finding["driver"])
		if (verdict["answer"] == "FAIL") no(finding["answer"])
		if (verdict["status"] == "warn") no(finding["status"])
		if (verdict["status"] != "ok") no("its driver says nothing")
		if (finding["status"] == "busy") {
			print "busy"
			exit
		}
		print "yes\tthe NPU is " finding["status"] \
		    "; no model was run, because " finding["answer"]
	    }' "$asked") || no_help npu-info
	case $answer in
	closed*) die "reset: whether the NPU answers is unknown:" \
	    "${answer#*	}; try sudo npu-kmd reset" ;;
	busy) works ;;
	*)
		put "${answer#*	}"
		[ "${answer%%	*}" = yes ] ;;
	esac
}

# works: whether a busy NPU finishes jobs, and thus causes interrupts.
works() {
	count_interrupts
	before=$count
	act sleep 3
	count_interrupts
	if [ -n "$before" ] && [ "${count:-0}" -gt "$before" ]; then
		put "the NPU answers: it is busy and finishes jobs"
		return
	fi
	put "the NPU does not answer: its driver says busy, no job ended in 3\
 s, and no model was run"
	return 1
}

# count_interrupts: sets count; "" if it is unknown.
count_interrupts() {
	count=
	ask --plain || return
	count=$(awk -F '\t' '$1 == "interrupts" && $2 == "known" { print $3 }' \
	    "$asked") || no_help npu-info
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
	write) printf '%s' "$2" 2>/dev/null >"$3" ;;
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

# hangs STEP: reports a step that did not end, and ends the command.
hangs() {
	failed "$1: no end in $limit s; boot again"
	exit 4
}

# whole STEP...: takes a step that must not end in the middle, where the device
# would be without its driver.
whole() {
	trap '' HUP INT TERM
	"$@"
	catch_signals
}

# The driver ends a job only for the thread that submitted it, or when the file
# is closed (kernel-driver 6): the process must end.
lost_jobs() {
	# Some have ended during the question.
	list_holders
	named=$holders
	lost="ends $(names_of "$named"), which lose their work"
	[ -n "$named" ]
}

reset_jobs() {
	for signal in TERM KILL; do
		for pid in $named; do
			act kill $signal "$pid"
		done
		left=50
		while [ -n "$named" ] && [ $left -gt 0 ]; do
			[ $left -eq 50 ] || sleep 0.1
			keep_holders
			left=$((left - 1))
		done
	done
	[ -z "$named" ] || {
		failed "$(names_of "$named") did not end; the next steps" \
		    'would crash the driver: boot again'
		exit 4
	}
}

# keep_holders: removes from named the processes that do not have the device
# open any more.
keep_holders() {
	list_holders
	# shellcheck disable=SC2086 # numbers
	set -- $named
	named=
	for pid; do
		case " $holders " in
		*" $pid "*) named="$named${named:+ }$pid" ;;
		esac
	done
}

lost_requests() {
	lost='resets the NPU by requests to the driver; all jobs are lost'
	ask --plain && grep -q '^capability_bytes	known	200$' "$asked"
}

reset_requests() {
	[ -n "$fake" ] || command -v perl >/dev/null || {
		failed 'perl: not found, so no request was made'
		return
	}
	for number in $requests; do
		limited act request "$node" "$number"
		case $? in
		0) ;;
		124) hangs "the request $number" ;;
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
		failed "$(names_of "$holders") opened /dev/aipu meanwhile;" \
		    'end it, or stop the service that starts it, and run' \
		    'this command again'
		exit 4
	}
}

reset_device() {
	need_closed
	whole rebind
}

rebind() {
	for file in unbind bind; do
		limited act write "$device" "$bound/$file"
		case $? in
		0) ;;
		124) hangs "$bound/$file" ;;
		*) failed "$bound/$file: $device was refused; see the" \
		    "kernel's log" ;;
		esac
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
	whole reload
}

reload() {
	limited act modprobe -r "$module" && limited act modprobe "$module"
	case $? in
	0) ;;
	124) hangs modprobe ;;
	*) failed "$module: modprobe failed; see the kernel's log" ;;
	esac
}
