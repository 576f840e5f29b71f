# SPDX-License-Identifier: Apache-2.0
# make lint: runs three static analysers on the sources.
# The suppressions of each are listed with their reasons: in .clang-tidy, in
# tests/lint/cppcheck.supp, and below for gcc.
#
# A full run takes minutes.  There is a stamp for each file and analyser, and
# only changed files are checked again.  The versions are from Debian 12: gcc
# 12, clang-tidy 14, cppcheck 2.10; other versions have other findings.

# Without torn.c, whose faults are intended.
LINT_SRC := $(filter-out tests/tools/torn.c %_tables.c,$(sort $(foreach d,lib cmd \
	models tests/tools,$(wildcard $d/*.c $d/*/*.c $d/*/*/*.c))))
LINT_GCC = $(LINT_SRC:%.c=$B/lint/%.gcc)
LINT_TIDY = $(LINT_SRC:%.c=$B/lint/%.tidy)
LINT_FLAGS = -std=c11 -D_GNU_SOURCE -Ilib -Icmd/common -Icmd \
	-Imodels -Itests/unit -Itests $(LINT_KNOWN)
LINT_KNOWN = $(if $(filter lib/base/err.c,$<),,-include tests/lint/known.h)

.PHONY: lint lint-gcc lint-tidy lint-cppcheck
lint: setup-check
	+@$(MAKE) --no-print-directory -j $(shell nproc) -k B='$B' \
	    lint-cppcheck lint-gcc lint-tidy
	@echo 'lint: $(words $(LINT_SRC)) files, nothing found'

lint-gcc: $(LINT_GCC)
lint-tidy: $(LINT_TIDY)
lint-cppcheck: $B/lint/cppcheck.x86_64 $B/lint/cppcheck.aarch64

# gcc 12 loses track of pointers that are stored in a caller's struct, and
# reports leaks.  LeakSanitizer looks for leaks in every test, and in make
# torture.
$(foreach f,cmd/common/pictures/output_dir cmd/clip-classify/labels \
    cmd/npu-zmq/detector \
    lib/device/queue lib/emu/graph lib/image/jpeg lib/image/planes \
    lib/model/dpu_kernels \
    lib/store/map lib/text/mojibake tests/tools/mkpic tests/tools/noerun,\
	$(eval LINT_NOT_$f = -Wno-analyzer-malloc-leak \
	-Wno-analyzer-file-leak))

# Files with AArch64 instructions are checked for AArch64.
LINT_CC = gcc
LINT_TARGET =
$B/lint/%_neon.gcc: LINT_CC = aarch64-linux-gnu-gcc
$B/lint/%_neon.tidy: LINT_TARGET = --target=aarch64-linux-gnu \
	-march=armv8.2-a+dotprod -isystem /usr/aarch64-linux-gnu/include

$B/lint/%.gcc: %.c tests/lint/lint.mk tests/lint/known.h
	@mkdir -p $(@D)
	@$(LINT_CC) $(LINT_FLAGS) -O2 -fanalyzer $(LINT_NOT_$(basename $<)) \
	    -Werror -MMD -MF $@.d -MT $@ -c -o /dev/null $<
	@touch $@

# Like gcc's stamp, this depends on the headers.
$B/lint/%.tidy: %.c .clang-tidy $B/lint/%.gcc
	@clang-tidy --config-file=.clang-tidy --quiet \
	    --warnings-as-errors='*' $< -- $(LINT_FLAGS) \
	    $(LINT_TARGET) 2>$@.log || { cat $@.log; false; }
	@mv $@.log $@

# Macros that the compiler defines and cppcheck does not know.
LINT_DEFINES = -D__linux__ -D__LP64__ -D__SIZEOF_POINTER__=8 \
	-D__ORDER_LITTLE_ENDIAN__=1234 -D__BYTE_ORDER__=1234
LINT_HEADERS := $(wildcard lib/*.h lib/*/*.h lib/*/*/*.h \
	cmd/*/*.h cmd/*/*/*.h \
	tests/tools/*.h tests/tools/*/*.h)
LINT_SAYS = tests/lint/lint.mk tests/lint/cppcheck.supp tests/lint/cppcheck.cfg
# With -j, cppcheck's exit status ignores findings across several files.
# Therefore it must print nothing at all.
$B/lint/cppcheck.%: $(LINT_SRC) $(LINT_HEADERS) $(LINT_SAYS) | $B/lint/known.%
	@cppcheck -q -j $(shell nproc) --cppcheck-build-dir=$B/lint/known.$* \
	    --error-exitcode=1 --std=c11 --platform=unix64 \
	    --enable=warning,portability,performance \
	    --suppressions-list=tests/lint/cppcheck.supp \
	    --library=tests/lint/cppcheck.cfg -D__$*__=1 $(LINT_DEFINES) \
	    $(filter -D% -I%,$(LINT_FLAGS)) $(LINT_SRC) >$@.log 2>&1 && \
	    [ ! -s $@.log ] || { cat $@.log; false; }
	@mv $@.log $@

# cppcheck's cache of a file is valid only for the same options.
$B/lint/known.%: $(LINT_SAYS)
	@rm -rf $@
	@mkdir -p $@

-include $(wildcard $(LINT_GCC:%=%.d))
