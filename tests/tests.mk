# SPDX-License-Identifier: Apache-2.0
# Tests.  A new one is a file: tests/cmd/NAME.bats, tests/unit/FOLDER/NAME.c
# (TAP), tests/tools/NAME.c (a program that bats files use), tests/fuzz/NAME.c.
#
#	make check		minutes: this build, its tests that are not slow
#	make check CHANGED=1	only the tests that a change touches
#	LEVEL=full make check	everything: what .ci/run runs
#	make test		this build only, slow tests too; T=npu-run for
#				one file
#	make fuzz		FUZZ_TIME seconds a target
#	make fuzz-long		until each target has done 10 million inputs or
#				an hour of the processor; goes on where it was
#	make soak		FRAMES frames, SEED of their faults
#	make soak-day		as many as a board does in a day
#	make torture		each call of each program that can fail, failed
#	make coverage		what of lib/ and cmd/ the tests execute: T=npu-run
#				for one file, TORTURE=all failures of each case
#				or N drawn ones, not one for each place
#	make recording		the session in README, typed and recorded anew
#	make environment	each program in bad environments
#	make kills		each that writes files killed, KILLS times
#	make gate		whether npu-bench's gate is right, live: for an
#				hour, on a machine that does nothing else

UNIT := $(patsubst %.c,$B/%,$(wildcard tests/unit/*/*.c))
TOOLS := $(patsubst %.c,$B/%,$(wildcard tests/tools/*.c))
FUZZ := $(patsubst %.c,$B/%,$(wildcard tests/fuzz/*.c))
ABI_SRC := $(wildcard tests/abi/*.c)
ABI = $(if $(ABI_SRC),$B/tests/abi/abi)

FUZZ_TIME = 30
FRAMES = 100000
GATE_TIMES = 20
KILLS = 200
TORTURE = places
LEVEL ?= quick
LEGS_quick = native
LEGS_full = arm64 asan native clang fuzz
LEGS = $(or $(LEGS_$(LEVEL)),$(error LEVEL=$(LEVEL): quick or full))

.PHONY: check test fuzz fuzz-long soak soak-day
.PHONY: torture coverage recording gate
.PHONY: environment kills build-tests build-unit build-makers build-fuzz
check: setup-check
	@BUILD='$B' T='$(T)' LEVEL='$(LEVEL)' CHANGED='$(CHANGED)' \
	    tests/run $(LEGS)

test: all
	@BUILD='$B' T='$(T)' LEVEL=full tests/run native

fuzz: setup-check
	@BUILD='$B' LEVEL=full FUZZ_TIME=$(FUZZ_TIME) T='$(T)' tests/run fuzz

fuzz-long: setup-check
	@BUILD='$B' tests/run --build fuzz
	@tests/fuzz/campaign '$B/fuzz' $(T)

soak: setup
	+@$(MAKE) --no-print-directory build-tests
	@tests/long/soak '$B' '$(FRAMES)' '$(SEED)'

# FRAMES only if it was given: tests/long/soak-day knows how many a day has.
soak-day: setup
	+@$(MAKE) --no-print-directory build-tests
	@tests/long/soak-day '$B' $(if $(filter file,$(origin FRAMES)),'',\
	    '$(FRAMES)') '$(SEED)'

torture: setup-check
	@BUILD='$B' tests/run --build asan
	@tests/torture/run '$B/asan' $(T)

coverage: setup-check
	@T='$(T)' tests/coverage/run '$B' '$(TORTURE)'

environment: setup-check
	+@$(MAKE) --no-print-directory build-tests
	@tests/environment/run '$B' $(T)

kills: setup-check
	+@$(MAKE) --no-print-directory build-tests
	@tests/environment/kills -n '$(KILLS)' '$B' $(T)

gate: setup
	+@$(MAKE) --no-print-directory build
	@GATE_TIMES='$(GATE_TIMES)' tests/long/gate $(abspath $B)

recording: setup
	+@$(MAKE) --no-print-directory build
	@tests/long/recording -w '$B'

build-tests: build build-unit $(TOOLS) $B/tests/tools/oddort.so \
    $B/tests/tools/farort.so $B/host/farort-server $B/tests/torture/inject.so
# Those that make files for tests, and do nothing else.
MAKERS = mkcix mkko mkonnx mkpic
build-makers: $(MAKERS:%=$B/tests/tools/%)
# What unit tests and the rows of the ABI need.
build-unit: $(UNIT) $(ABI) $(SHARED) $B/tests/tools/mkcix \
    $B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so
build-fuzz: build-makers $(FUZZ)

# Headers that tests in several folders share.  TEST_CFLAGS and TEST_LDFLAGS are
# for tests alone, not for what they test.
TEST_CFLAGS =
TEST_LDFLAGS =
$B/tests/%.o: ALL_CFLAGS += -Itests/unit -Itests $(TEST_CFLAGS)

# Their allocations are made to fail: tests/unit/no-memory/nomem.h.
$B/tests/unit/no-memory/%: WRAP = $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc \
    realloc aligned_alloc strdup strndup mmap mremap fstat flock ftruncate \
    read write pwrite fsync renameat2 link getrandom open opendir readdir \
    asprintf getgrgid_r getpwuid_r pthread_create inflateInit_ inflateInit2_)
comma = ,

$(UNIT) $(filter-out %/noerun %/noelives,$(TOOLS)): $B/%: $B/%.o $(LIBNPU)
	$(LINK) $(TEST_LDFLAGS) -Wl,--as-needed $(WRAP) -o $@ \
	    $(filter %.o,$^) $(filter $B/cmd/%.a,$^) $(LIBNPU) -ljansson $(LDLIBS)

# Those that run what is a program's own.
$(filter $B/tests/unit/npu-bench/%,$(UNIT)) $B/tests/unit/no-memory/bench \
    $(patsubst %,$B/tests/tools/%,benchrun benchmonitor mkbench): \
    $B/cmd/npu-bench.a $B/cmd/libcmd.a
$B/tests/tools/oddopts $(filter $B/tests/unit/cmd/%,$(UNIT)): $B/cmd/libcmd.a

# The rest of mkcix: models, sound and damaged.
CIXGEN = $(patsubst %.c,$B/%.o,$(wildcard tests/tools/cixgen/*.c))
$B/tests/tools/mkcix $B/tests/unit/model/cix_mutate \
    $B/tests/unit/model/cix_parts: $(CIXGEN)

# The emulator as a part of the test.
$B/tests/tools/emufork $B/tests/unit/emu/tensor_fit \
    $B/tests/unit/no-memory/emu: $(EMU_OBJ)
$B/tests/unit/emu/state: $(patsubst %,$B/lib/emu/%.o,state tensors log)
$B/tests/unit/no-memory/noe3: $B/lib/emu/noe3/front.o $B/lib/emu/message.o

# The rest of mkko: kernel modules, sound and damaged.
$B/tests/tools/mkko $B/tests/unit/model/kmodule \
    $B/tests/unit/diagnose/board_facts: $B/tests/tools/kogen/ko.o

# Pictures that mkpic draws, sound and damaged.
$B/tests/tools/mkpic: $(patsubst %.c,$B/%.o,$(wildcard tests/tools/picgen/*.c))

# The rest of soak: what became of each frame.
$B/tests/tools/soak: $(patsubst %.c,$B/%.o,$(wildcard tests/tools/soaking/*.c))

# A libnoe.so that does what the vendor's and the emulator's never do.
$B/tests/tools/oddmore.so: ODD = -DODD_MORE
$B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so: \
    tests/tools/oddnoe/oddnoe.c lib/noe_abi.h | $(HARDENED)
	@mkdir -p $(@D)
	$(LINK_SO) $(ODD) -fvisibility=default -o $@ $<

# An ONNX Runtime that fails where the real one never does.
$B/tests/tools/oddort.so: tests/tools/oddort/oddort.c | $(HARDENED)
	@mkdir -p $(@D)
	$(LINK_SO) -fvisibility=default -o $@ $< -ldl

# One that has a program of this machine do the work, and that program.
$B/tests/tools/farort.so: tests/tools/farort/farort.c \
    tests/tools/farort/message.h lib/emu/ort_api.h | $(HARDENED)
	@mkdir -p $(@D)
	$(LINK_SO) -fvisibility=default -o $@ $< -lpthread

$B/host/farort-server: tests/tools/farort/server.c \
    tests/tools/farort/message.h lib/emu/ort_api.h
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -D_GNU_SOURCE -O2 -Ilib $(WARNINGS) -o $@ $< \
	    -ldl -lpthread

# It is loaded before a sanitizer is, so it has none.  Nor FORTIFY, which puts
# functions of its own before those that are defined here, its own among them.
# -O2: its dlsym() is to jump to the real one, in the coverage leg, too, where
# RTLD_NEXT of end.c is to be what is defined here.
INJECT_SRC := $(wildcard tests/torture/*.c)
$B/tests/torture/inject.so: $(INJECT_SRC) $(wildcard tests/torture/*.h) \
    | $(HARDENED)
	@mkdir -p $(@D)
	$(CC) $(filter-out -fsanitize% -fno-sanitize% --coverage -U_FORTIFY% \
	    -D_FORTIFY%,$(ALL_CFLAGS)) \
	    -O2 -fno-omit-frame-pointer -fvisibility=default -shared -o $@ \
	    $(INJECT_SRC) -ldl

# The rows of the ABI run on any libnoe.so, so its runner uses nothing of ours.
$B/tests/abi/abi: $(ABI_SRC:%.c=$B/%.o)
	$(LINK) -o $@ $^ $(LDLIBS)

$(FUZZ): $B/%: $B/%.o $(LIBNPU)
	$(LINK) -fsanitize=fuzzer -o $@ \
	    $(filter %.o,$^) $(LIBS_FUZZ) $(LIBNPU) -ljansson $(LDLIBS)

# Text is compared with tables, byte by byte, and a wrong option with all that
# there are, by the edits between: libFuzzer's look at each of these comparisons
# is two thirds of the time, and shows it no word.  Nor do loops of targets.
QUIET = bpe index jpeg
ifneq ($(findstring fuzzer,$(CFLAGS)),)
$B/lib/text/%.o $B/cmd/common/suggest.o $(QUIET:%=$B/tests/fuzz/%.o): \
    ALL_CFLAGS += -fno-sanitize-coverage=trace-cmp
endif

# Those of programs' own code, which ends them: tests/fuzz/dies.h.
DYING = benchoptions cixpack lines options ranges stream detokenize vectors
$B/tests/fuzz/benchoptions: $(patsubst %,$B/cmd/npu-bench/%.o,bench options \
    options_check sides gate/baseline gate/gate measure/monitor \
    measure/stage_stats measure/sweep)
$B/tests/fuzz/detokenize: $B/cmd/clip-tokenize.a
$(DYING:%=$B/tests/fuzz/%): $B/cmd/libcmd.a
$(DYING:%=$B/tests/fuzz/%): LIBS_FUZZ = $(filter $B/cmd/%.a,$^) $(LIBNPU) \
    -Wl,--wrap=exit

# Those that take large buffers: tests/fuzz/large.h.
LARGE = exif jpeg kmd machine png ppm record picture_stream vocab
$(LARGE:%=$B/tests/fuzz/%): LIBS_FUZZ = \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

# A part of npu-bench that neither prints nor ends the program.
$B/tests/fuzz/benchbase: $B/cmd/npu-bench/gate/baseline.o $B/cmd/npu-bench/bench.o

# Programs of the vendor's API: our declarations, -lnoe, and nothing else.
$B/tests/tools/noerun $B/tests/tools/noelives: %: %.o $(PLUGDIR)/noe/libnoe.so
	$(LINK) -o $@ $< -L$(PLUGDIR)/noe -lnoe -lpthread
