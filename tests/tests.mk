# SPDX-License-Identifier: Apache-2.0
# Tests: docs/testing.md.  A new test is a file: tests/cmd/NAME.bats,
# tests/unit/FOLDER/NAME.c (TAP), tests/tools/NAME.c (a program that bats files
# use), tests/fuzz/NAME.c.
#
#	make check		some minutes: native, tests that are not slow
#	LEVEL=ci make check	as .ci/run: sanitizers and arm64, too
#	LEVEL=full make check	everything
#	make check CHANGED=1	only what differs from the last commit touches
#	make check T=npu-run	only files of that name, with their slow tests
#	make fuzz		each target FUZZ_TIME seconds; T=cix: one target
#	make soak		FRAMES frames, SEED of their faults
#	make torture		fails each call of each program that can fail
#	make environment	each program in bad environments
#	make kills		kills each program that writes files, KILLS times
#	make coverage		what of lib/ and cmd/ the tests execute
#	make rates		is npu-bench --find-rate right: simulated
#	make gate		is npu-bench's gate right: an hour of a machine
#				that does nothing else

UNIT := $(patsubst %.c,$B/%,$(wildcard tests/unit/*/*.c))
ABI_SRC := $(wildcard tests/abi/*.c)
ABI = $(if $(ABI_SRC),$B/tests/abi/abi)

FRAMES = 100000
GATE_TIMES = 20
KILLS = 200
LEVEL ?= quick

.PHONY: check soak torture coverage gate rates environment kills
.PHONY: build-tests build-unit
check: setup-check
	@BUILD='$B' LEVEL='$(LEVEL)' T='$(T)' CHANGED='$(CHANGED)' tests/run

soak: setup
	+@$(MAKE) --no-print-directory build-tests
	@tests/long/soak '$B' '$(FRAMES)' '$(SEED)'

torture: setup-check
	+@$(MAKE) --no-print-directory tree-asan
	@tests/faults/torture '$B/asan' $(T)

coverage: setup-check
	+@$(MAKE) --no-print-directory tree-coverage
	@tests/coverage/run '$B' $(T)

environment: setup-check
	+@$(MAKE) --no-print-directory build-tests
	@tests/faults/environment '$B' $(T)

kills: setup-check
	+@$(MAKE) --no-print-directory build-tests
	@tests/faults/kills -n '$(KILLS)' '$B' $(T)

rates: setup
	+@$(MAKE) --no-print-directory $B/tests/tools/ratesim
	@$B/tests/tools/ratesim $(SEARCHES)

gate: setup
	+@$(MAKE) --no-print-directory build
	@GATE_TIMES='$(GATE_TIMES)' tests/long/gate $(abspath $B)

# ---- Build trees ------------------------------------------------------------

# One after the other: what set-up brings is an input of the build.
tree = +@$(MAKE) --no-print-directory B='$1' $2 setup && \
	$(MAKE) --no-print-directory B='$1' $2
# Lines, which reports name, but no variables: these take time to write.
STRICT = -g1 -Werror
# Code of tests is compiled once for each run or two, and gold links a test in two
# thirds of the time.
QUICKLY = TEST_CFLAGS='-O0 -U_FORTIFY_SOURCE' TEST_LDFLAGS=-fuse-ld=gold
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	   -fno-omit-frame-pointer

.PHONY: tree-native tree-asan tree-arm64 tree-coverage
tree-native:
	$(call tree,$B,CFLAGS='-O2 $(STRICT)' $(QUICKLY)) build-tests

# At level ci only unit tests and fuzz targets run there.
# clang's runtimes keep a log, gcc's UBSan does not.  A shared runtime leaves room
# before it for the injector of tests/faults.
tree-asan:
	$(call tree,$B/asan,CC=clang CFLAGS='-O1 $(STRICT) $(SANITIZE)' \
	    UNROLLED=-O1 $(QUICKLY) LDFLAGS="-shared-libsan \
		-Wl$(comma)-rpath$(comma)$$(clang -print-runtime-dir)") \
	    $(if $(filter ci,$(LEVEL)),build-unit,build-tests) build-fuzz

# Not optimised much, so that branches stay where the source has them.  What the
# build itself runs is not counted.
tree-coverage: export LLVM_PROFILE_FILE = /dev/null
tree-coverage:
	$(call tree,$B/coverage,CC=clang HARDENING= UNROLLED=-O1 \
	    TEST_LDFLAGS=-fuse-ld=gold \
	    CFLAGS='-O1 $(STRICT) -fprofile-instr-generate -fcoverage-mapping \
		-mllvm -runtime-counter-relocation \
		-Wno-unused-command-line-argument') build-tests

# tests/arm64/view makes programs of the cross build startable here.  libpng needs
# libz.so.1, which is not under usr: an rpath of the old kind applies to the
# libraries of a library, too.
ARM64 = aarch64-linux-gnu
ARM64_ROOT = $(CURDIR)/build/setup/arm64/root
ARM64_LIBS = $(ARM64_ROOT)/usr/lib/$(ARM64):$(ARM64_ROOT)/lib/$(ARM64)
tree-arm64:
	$(call tree,$B/arm64,NPU_ORT= RUN="$$(BUILD='$B' tests/arm64/qemu)" \
	    CC=$(ARM64)-gcc AR=$(ARM64)-ar $(QUICKLY) \
	    CFLAGS='-O2 $(STRICT) -isystem $(ARM64_ROOT)/usr/include \
		-isystem $(ARM64_ROOT)/usr/include/$(ARM64)' \
	    LDFLAGS='-L$(ARM64_ROOT)/usr/lib/$(ARM64) \
		-Wl$(comma)--disable-new-dtags \
		-Wl$(comma)-rpath$(comma)$(ARM64_LIBS) \
		-Wl$(comma)-rpath-link$(comma)$(ARM64_LIBS)') \
	    $(if $(filter ci,$(LEVEL)),build build-unit \
		$B/arm64/tests/tools/mkbench,build-tests build-fuzz)
	@BUILD='$B' MAKERS='$(MAKERS)' tests/arm64/view

build-tests: build build-unit $(ABI) $(TOOLS) $B/tests/tools/oddort.so \
    $B/tests/faults/inject.so
# Unit tests and what they need.
build-unit: $(UNIT) $(SHARED) $B/tests/tools/mkcix \
    $B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so

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

$(UNIT) $(filter-out %/noerun %/noelives %/zmqclient,$(TOOLS)): $B/%: $B/%.o $(LIBNPU)
	$(call say,LINK)
	$(LINK) $(TEST_LDFLAGS) -Wl,--as-needed $(WRAP) -o $@ \
	    $(filter %.o,$^) $(filter $B/cmd/%.a,$^) $(LIBNPU) -ljansson -lexpat \
	    $(LDLIBS)

# Tests that run a program's own code.
$(filter $B/tests/unit/npu-bench/%,$(UNIT)) $B/tests/unit/no-memory/bench \
    $(patsubst %,$B/tests/tools/%,benchrun benchmonitor mkbench ratesim): \
    $B/cmd/npu-bench.a $B/cmd/libcmd.a
$(filter $B/tests/unit/xclbin-info/%,$(UNIT)): $B/cmd/xclbin-info.a \
    $B/cmd/libcmd.a
$(filter $B/tests/unit/xdna-run/%,$(UNIT)): $B/cmd/xdna-run.a \
    $B/cmd/libcmd.a
$B/tests/tools/oddopts $(filter $B/tests/unit/cmd/%,$(UNIT)): $B/cmd/libcmd.a

# The emulator as a part of the test.
$B/tests/tools/emufork $B/tests/unit/emu/tensor_fit \
    $B/tests/unit/emu/name_order $B/tests/unit/no-memory/emu: $(EMU_OBJ)
$B/tests/unit/device/xdna_faults $B/tests/unit/device/xdna_order \
    $B/tests/unit/no-memory/xdna \
    $(filter $B/tests/unit/emu/xdna%,$(UNIT)): $(XDNA_EMU_OBJ)
$B/tests/unit/emu/state: $(patsubst %,$B/lib/emu/%.o,state tensors log shared)
$B/tests/unit/no-memory/noe3: $B/lib/emu/noe3/front.o $B/lib/emu/message.o

# It is loaded before a sanitizer, so it has none.  Nor FORTIFY, which puts
# functions of its own before those that are defined here, its own among them.
# -O2, also where coverage is counted: its dlsym() must jump to the real one.
INJECT_SRC := $(wildcard tests/faults/*.c)
$B/tests/faults/inject.so: $(INJECT_SRC) $(wildcard tests/faults/*.h) \
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
