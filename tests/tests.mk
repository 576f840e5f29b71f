# SPDX-License-Identifier: Apache-2.0
# Tests.  A new one is a file: tests/cmd/NAME.bats, tests/unit/FOLDER/NAME.c
# (TAP), tests/tools/NAME.c (a program that bats files use), tests/fuzz/NAME.c.
#
#	make check		minutes: this build, its tests that are not slow
#	make check CHANGED=1	only the tests that a change touches
#	LEVEL=full make check	everything: as .ci/run does
#	make test		this build only, slow tests too; T=npu-run for
#				one file
#	make fuzz		FUZZ_TIME seconds a target
#	make fuzz-long		until each target has done 10 million inputs or
#				an hour of the processor; resumes where it was
#	make soak		FRAMES frames, SEED of their faults
#	make soak-day		as many as a board does in a day
#	make torture		each call of each program that can fail, failed
#	make coverage		code of lib/ and cmd/ that tests run: T=npu-run
#				for one file, TORTURE=all failures of each case
#				or N drawn ones, not one for each place
#	make recording		the session in README, typed and recorded again
#	make environment	each program in bad environments
#	make kills		each that writes files killed, KILLS times
#	make rates		is npu-bench --find-rate right: simulated
#	make gate		a live check of npu-bench's gate: for an
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
.PHONY: torture coverage recording gate rates
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

# FRAMES only if it was given: tests/long/soak-day knows the number of a day.
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

rates: setup
	+@$(MAKE) --no-print-directory $B/tests/tools/ratesim
	@$B/tests/tools/ratesim $(SEARCHES)

gate: setup
	+@$(MAKE) --no-print-directory build
	@GATE_TIMES='$(GATE_TIMES)' tests/long/gate $(abspath $B)

recording: setup
	+@$(MAKE) --no-print-directory build
	@tests/long/recording -w '$B'

build-tests: build build-unit $(TOOLS) $B/tests/tools/oddort.so \
    $B/tests/tools/farort.so $B/host/farort-server $B/tests/torture/inject.so
# Tools that only make files for tests.
MAKERS = mkcix mkko mkonnx mkpic
build-makers: $(MAKERS:%=$B/tests/tools/%)
# Needed by unit tests and the rows of the ABI.
build-unit: $(UNIT) $(ABI) $(SHARED) $B/tests/tools/mkcix \
    $B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so
build-fuzz: build-makers $(FUZZ)

# Headers that tests in several folders share.  TEST_CFLAGS and TEST_LDFLAGS are
# for tests alone, not for the tested code.
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
	$(call say,LINK)
	$(LINK) $(TEST_LDFLAGS) -Wl,--as-needed $(WRAP) -o $@ \
	    $(filter %.o,$^) $(filter $B/cmd/%.a,$^) $(LIBNPU) -ljansson $(LDLIBS)

# Tests that run a program's own code.
$(filter $B/tests/unit/npu-bench/%,$(UNIT)) $B/tests/unit/no-memory/bench \
    $(patsubst %,$B/tests/tools/%,benchrun benchmonitor mkbench ratesim): \
    $B/cmd/npu-bench.a $B/cmd/libcmd.a
$B/tests/tools/oddopts $(filter $B/tests/unit/cmd/%,$(UNIT)): $B/cmd/libcmd.a

# The rest of mkcix: models, sound and damaged.
CIXGEN = $(patsubst %.c,$B/%.o,$(wildcard tests/tools/cixgen/*.c))
$B/tests/tools/mkcix $B/tests/unit/model/cix_mutate \
    $B/tests/unit/model/cix_parts: $(CIXGEN)

# The emulator as a part of the test.
$B/tests/tools/emufork $B/tests/unit/emu/tensor_fit \
    $B/tests/unit/no-memory/emu: $(EMU_OBJ)
$B/tests/unit/emu/state: $(patsubst %,$B/lib/emu/%.o,state tensors log shared)
$B/tests/unit/no-memory/noe3: $B/lib/emu/noe3/front.o $B/lib/emu/message.o

# The rest of mkko: kernel modules, sound and damaged.
$B/tests/tools/mkko $B/tests/unit/model/kmodule \
    $B/tests/unit/diagnose/board_facts: $B/tests/tools/kogen/ko.o

# Pictures that mkpic draws, sound and damaged.
$B/tests/tools/mkpic: $(patsubst %.c,$B/%.o,$(wildcard tests/tools/picgen/*.c))

# The rest of soak: the outcome of each frame.
$B/tests/tools/soak: $(patsubst %.c,$B/%.o,$(wildcard tests/tools/soaking/*.c))

# A libnoe.so that behaves as the vendor's and the emulator's never do.
$B/tests/tools/oddmore.so: ODD = -DODD_MORE
$B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so: \
    tests/tools/oddnoe/oddnoe.c lib/noe_abi.h | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) $(ODD) -fvisibility=default -o $@ $<

# An ONNX Runtime that fails where the real one never does.
$B/tests/tools/oddort.so: tests/tools/oddort/oddort.c | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -fvisibility=default -o $@ $< -ldl

# One that delegates to a program of this machine, and that program.
$B/tests/tools/farort.so: tests/tools/farort/farort.c \
    tests/tools/farort/message.h lib/emu/ort_api.h | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -fvisibility=default -o $@ $< -lpthread

$B/host/farort-server: tests/tools/farort/server.c \
    tests/tools/farort/message.h lib/emu/ort_api.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(HOSTCC) -std=c11 -D_GNU_SOURCE -O2 -Ilib $(WARNINGS) -o $@ $< \
	    -ldl -lpthread

# It is loaded before a sanitizer, so it has none.  Nor FORTIFY, which puts
# functions of its own before those that are defined here, its own among them.
# -O2: its dlsym() must jump to the real one, in the coverage leg, too, where
# RTLD_NEXT of end.c must be the one defined here.
INJECT_SRC := $(wildcard tests/torture/*.c)
$B/tests/torture/inject.so: $(INJECT_SRC) $(wildcard tests/torture/*.h) \
    | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,CC)
	$(CC) $(filter-out -fsanitize% -fno-sanitize% --coverage -U_FORTIFY% \
	    -D_FORTIFY%,$(ALL_CFLAGS)) \
	    -O2 -fno-omit-frame-pointer -fvisibility=default -shared -o $@ \
	    $(INJECT_SRC) -ldl

# The rows of the ABI run on any libnoe.so, so its runner uses no code of ours.
$B/tests/abi/abi: $(ABI_SRC:%.c=$B/%.o)
	$(call say,LINK)
	$(LINK) -o $@ $^ $(LDLIBS)

$(FUZZ): $B/%: $B/%.o $(LIBNPU)
	$(call say,LINK)
	$(LINK) -fsanitize=fuzzer -o $@ \
	    $(filter %.o,$^) $(LIBS_FUZZ) $(LIBNPU) -ljansson $(LDLIBS)

# Text is compared with tables, byte by byte, and a wrong option with all
# options, by edit distance: libFuzzer's trace of each of these comparisons
# takes two thirds of the time, and teaches no word.  Nor do loops of targets.
QUIET = bpe index jpeg
ifneq ($(findstring fuzzer,$(CFLAGS)),)
$B/lib/text/%.o $B/cmd/common/suggest.o $(QUIET:%=$B/tests/fuzz/%.o): \
    ALL_CFLAGS += -fno-sanitize-coverage=trace-cmp
endif

# Targets with programs' own code, which may exit: tests/fuzz/dies.h.
DYING = benchoptions cixpack lines options ranges stream detokenize vectors
$B/tests/fuzz/benchoptions: $B/cmd/npu-bench.a
$B/tests/fuzz/detokenize: $B/cmd/clip-tokenize.a
$B/tests/fuzz/cixpack: $B/cmd/cix-pack.a
$(DYING:%=$B/tests/fuzz/%): $B/cmd/libcmd.a
$(DYING:%=$B/tests/fuzz/%): LIBS_FUZZ = $(filter $B/cmd/%.a,$^) $(LIBNPU) \
    -Wl,--wrap=exit

# Targets with large buffers: tests/fuzz/large.h.
LARGE = exif jpeg kmd machine png ppm record picture_stream vocab
$(LARGE:%=$B/tests/fuzz/%): LIBS_FUZZ = \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

# A part of npu-bench that neither prints nor ends the program.
$B/tests/fuzz/benchbase: $B/cmd/npu-bench.a
$B/tests/fuzz/benchbase: LIBS_FUZZ = $(filter $B/cmd/%.a,$^)

# Programs of the vendor's API: our declarations, -lnoe, and nothing else.
$B/tests/tools/noerun $B/tests/tools/noelives: %: %.o $(PLUGDIR)/noe/libnoe.so
	$(call say,LINK)
	$(LINK) -o $@ $< -L$(PLUGDIR)/noe -lnoe -lpthread
