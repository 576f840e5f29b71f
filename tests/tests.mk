# SPDX-License-Identifier: Apache-2.0
# Tests: see docs/testing.md.  A new test is a file: tests/cmd/NAME.bats,
# tests/unit/FOLDER/NAME.c (TAP), tests/tools/NAME.c (a program that bats files
# use) or tests/fuzz/NAME.c.
#
#	make check		some minutes: native tree, no slow tests
#	LEVEL=ci make check	as .ci/run: also sanitizers and arm64
#	LEVEL=full make check	everything
#	make check CHANGED=1	only tests for what differs from the last commit
#	make check T=npu-run	only files with this name, with their slow tests
#	make fuzz		each target, FUZZ_TIME seconds; T=cix: one
#	make soak		FRAMES frames; faults are drawn from SEED
#	make torture		lets each call of each program fail
#	make environment	runs each program in bad environments
#	make kills		kills each writing program KILLS times
#	make coverage		reports which code of lib/ and cmd/ is tested
#	make rates		tests npu-bench --find-rate on simulated queues
#	make gate		tests npu-bench's verdicts; takes an hour on
#				an idle machine

# Code of npu-model is tested where it is built.
UNIT := $(filter-out $(if $(HAVE_CURL),,%/npu-model/%),\
	$(patsubst %.c,$B/%,$(wildcard tests/unit/*/*.c)))
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

# First set-up, then the build, because set-up fetches inputs of the build.
tree = +@$(MAKE) --no-print-directory B='$1' $2 setup && \
	$(MAKE) --no-print-directory B='$1' $2
# With line numbers, which reports need, but without variables, which take time.
STRICT = -g1 -Werror
# The code of tests is compiled for one or two runs only, without optimisation.
# gold links a test in two thirds of the time.
QUICKLY = TEST_CFLAGS='-O0 -U_FORTIFY_SOURCE' TEST_LDFLAGS=-fuse-ld=gold
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	   -fno-omit-frame-pointer

.PHONY: tree-native tree-asan tree-arm64 tree-coverage
tree-native:
	$(call tree,$B,CFLAGS='-O2 $(STRICT)' $(QUICKLY)) build-tests

# At level ci, only unit tests and fuzz targets run in this tree.
# clang's runtimes write a log, gcc's UBSan does not.  With a shared runtime,
# the injector of tests/faults can be loaded before it.
tree-asan:
	$(call tree,$B/asan,CC=clang CFLAGS='-O1 $(STRICT) $(SANITIZE)' \
	    UNROLLED=-O1 $(QUICKLY) LDFLAGS="-shared-libsan \
		-Wl$(comma)-rpath$(comma)$$(clang -print-runtime-dir)") \
	    $(if $(filter ci,$(LEVEL)),build-unit,build-tests) build-fuzz

# Optimised only a little, to keep the branches where the source has them.
# Programs that the build itself runs are not counted.
tree-coverage: export LLVM_PROFILE_FILE = /dev/null
tree-coverage:
	$(call tree,$B/coverage,CC=clang HARDENING= UNROLLED=-O1 \
	    TEST_LDFLAGS=-fuse-ld=gold \
	    CFLAGS='-O1 $(STRICT) -fprofile-instr-generate -fcoverage-mapping \
		-mllvm -runtime-counter-relocation \
		-Wno-unused-command-line-argument') build-tests

# tests/arm64/view makes the programs of the cross build startable on this
# machine.  libpng needs libz.so.1, which is not under usr.  An rpath of the old
# kind also applies to the libraries of a library.
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
    $B/tests/tools/zhouyi_standin.so \
    $B/tests/faults/inject.so
# Unit tests and the programs that they need.
build-unit: $(UNIT) $(SHARED) $B/tests/tools/mkcix \
    $B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so

# The folders of headers that several tests share.  TEST_CFLAGS and TEST_LDFLAGS
# apply to tests only, not to the tested code.
TEST_CFLAGS =
TEST_LDFLAGS =
$B/tests/%.o: ALL_CFLAGS += -Itests/unit -Itests $(TEST_CFLAGS)

# The tests in no-memory let these calls fail: tests/unit/no-memory/nomem.h.
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
$(filter $B/tests/unit/npu-model/%,$(UNIT)): $B/cmd/npu-model.a \
    $B/cmd/libcmd.a
$B/tests/tools/inidump $B/tests/tools/namematch: $B/cmd/cix-lint.a \
    $B/cmd/libcmd.a
$B/tests/tools/samplesdump: $B/cmd/cix-lint.a $B/cmd/libcmd.a
$B/tests/tools/oddopts $(filter $B/tests/unit/cmd/%,$(UNIT)): $B/cmd/libcmd.a

# Tests that are linked with the emulator.
$B/tests/tools/emufork $B/tests/unit/emu/tensor_fit \
    $B/tests/unit/emu/name_order $B/tests/unit/emu/placement \
    $B/tests/unit/no-memory/emu: $(EMU_OBJ)
$B/tests/unit/device/xdna_faults $B/tests/unit/device/xdna_order \
    $B/tests/unit/no-memory/xdna \
    $(filter $B/tests/unit/emu/xdna%,$(UNIT)): $(XDNA_EMU_OBJ)
$B/tests/unit/emu/state: $(patsubst %,$B/lib/emu/%.o,state tensors log shared)
$B/tests/unit/no-memory/noe3: $B/lib/emu/noe3/front.o $B/lib/emu/message.o

# The injector is loaded before a sanitizer, so it is built without one.  It is
# also built without FORTIFY, whose inline functions would take the place of the
# functions that the injector defines, some of which are FORTIFY's own.
# -O2, also if coverage is counted: its dlsym() must jump to the real one.
INJECT_SRC := $(wildcard tests/faults/*.c)
$B/tests/faults/inject.so: $(INJECT_SRC) $(wildcard tests/faults/*.h) \
    | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,CC)
	$(CC) $(filter-out -fsanitize% -fno-sanitize% --coverage -U_FORTIFY% \
	    -D_FORTIFY%,$(ALL_CFLAGS)) \
	    -O2 -fno-omit-frame-pointer -fvisibility=default -shared -o $@ \
	    $(INJECT_SRC) -ldl

# The rows of the ABI run on any libnoe.so, so their runner uses none of our
# code.
$B/tests/abi/abi: $(ABI_SRC:%.c=$B/%.o)
	$(call say,LINK)
	$(LINK) -o $@ $^ $(LDLIBS)
