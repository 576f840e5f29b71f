# SPDX-License-Identifier: Apache-2.0
# npu-utils.  `make` sets up and builds, `make check` tests, `make demo` shows,
# `make help` lists the rest.  Everything made is under $B.  V=1 shows the commands.

# All processors, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

B = build
CC = cc
AR = ar
OBJCOPY = $(AR:%ar=%objcopy)
HOSTCC = cc
PREFIX = /usr/local
LIBDIR = lib
DESTDIR =

# A line for each file that is made; none with -s; V=1 shows the commands instead.
V =
ifeq ($V,)
.SILENT:
say = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),,@echo '  $1 $(@:$B/%=%)')
endif

CFLAGS = -O2 -g
CPPFLAGS =
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	   -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
# -ffp-contract=off: the quantisation formula is bit-exact on every machine.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -Ilib -Icmd/common -Icmd -fPIC \
	     -fvisibility=hidden \
	     -fno-semantic-interposition -ffp-contract=off -MMD -MP \
	     $(WARNINGS) $(HARDENING) $(CPPFLAGS) $(CFLAGS)
LDFLAGS =
# Of programs alone, not of shared libraries.
PROGRAM_LDFLAGS =
LDLIBS = -ljpeg -lpng -lz -lmd -lm -ldl -lpthread

# Hardening stands by itself, so that whoever gives CFLAGS keeps it: what this
# compiler knows (scripts/hardening), asked once in a build tree.  HARDENING=
# builds without.  FORTIFY is for optimised code that no sanitizer looks at, and at
# the level of CFLAGS or CPPFLAGS if these name one.
HARDENING = $(filter-out $(NO_FORTIFY),$(file <$(HARDENED)))
SANITIZED = $(findstring -fsanitize,$(CFLAGS))
OPTIMISED = $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS))))
NO_FORTIFY = $(if $(or $(SANITIZED),$(if $(OPTIMISED),,no), \
	$(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS))), \
	-U_FORTIFY% -D_FORTIFY%)
empty =
HARDENED = $B/hardening$(subst /,_,$(subst $(empty) ,_,-$(CC)))

# A program and a shared object.  The sanitizers' own names are left open.
LINK = $(CC) $(ALL_CFLAGS) $(if $(HARDENING),-pie $(HARD_LDFLAGS)) \
	  $(LDFLAGS) $(PROGRAM_LDFLAGS)
LINK_SO = $(CC) $(ALL_CFLAGS) -shared $(if $(HARDENING),$(HARD_LDFLAGS) \
	  $(if $(SANITIZED),,-Wl,-z,defs)) $(LDFLAGS)
HARD_LDFLAGS = -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack

VERSION := $(shell sed -n 's/^\#define NPU_VERSION "\(.*\)"/\1/p' lib/npu.h)

# A library that one program needs, and that a small board may spare.
have = $(shell echo '\#include <$1>' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && \
	 echo yes)
HAVE_MICROHTTPD := $(call have,microhttpd.h)

# A new program is a line here, cmd/NAME.c or cmd/NAME/NAME.c and what else is in
# that folder, man/NAME.1 and tests/cmd/NAME.bats.
CMDS = cix-pack \
       clip-classify \
       clip-embed \
       clip-tokenize \
       host-status \
       img-tensor \
       npu-bench \
       npu-dequant \
       npu-info \
       npu-quant \
       npu-ref \
       npu-run \
       $(if $(HAVE_MICROHTTPD),npu-serve) \
       npu-tensor \
       npu-top \
       vec-drift \
       vec-index \
       vec-nearest \
       xclbin-check \
       xclbin-info \
       xclbin-pack \
       xdna-run \
       yolo-decode \
       yolo-detect \
       yolo-draw
page = $(wildcard cmd/$1.c cmd/$1/$1.c)
CMDS_HERE := $(foreach c,$(CMDS),$(if $(call page,$c),$c))

# Programs that need more than libnpu.a.
LIBS_cix-pack = -ljansson
LIBS_npu-bench = -ljansson
LIBS_npu-serve = -lmicrohttpd -ljansson
LIBS_vec-drift = -ljansson
LIBS_vec-nearest = -ljansson
LIBS_xclbin-check = -lexpat
LIBS_xclbin-info = -lexpat -ljansson
LIBS_xclbin-pack = -ljansson -lexpat
LIBS_xdna-run = -ljansson -lexpat
LIBS_yolo-draw = -ljansson

# A new library module is a file in one of these folders.
LIB_DIRS = base tensor model device device/xdna diagnose diagnose/health \
	   diagnose/xclbin store text text/data \
	   image image/data image/kernels vision host stats ref
LIB_SRC := $(sort $(wildcard $(LIB_DIRS:%=lib/%/*.c)))
EMU_SRC := $(sort $(wildcard lib/emu/*.c))
XDNA_EMU_SRC := $(sort $(wildcard lib/emu/xdna/*.c))
CMD_SHARED := $(sort $(wildcard cmd/common/*.c cmd/common/*/*.c))
# The rest of a program that has a folder.
parts = $(filter-out cmd/$1/$1.c,$(sort $(wildcard cmd/$1/*.c cmd/$1/*/*.c)))

LIB_OBJ = $(LIB_SRC:%.c=$B/%.o) $B/gen/vocab_tables.o
EMU_OBJ = $(EMU_SRC:%.c=$B/%.o)
XDNA_EMU_OBJ = $(XDNA_EMU_SRC:%.c=$B/%.o)
CMD_SHARED_OBJ = $(CMD_SHARED:%.c=$B/%.o)

# For our own programs, which use what npu.h does not show, and as installed.
LIBNPU = $B/lib-all.a
LIBNPU_PUBLIC = $B/lib/libnpu.a
LIBNPU_SO = $B/lib/libnpu.so.$(VERSION)
# The build tree has the shape of an installed one, so that programs find their
# data in the same way in both: bin, lib/npu-utils, share/npu-utils.
PLUGDIR = $B/lib/npu-utils
EMU = $(PLUGDIR)/libnoe-emu.so
XDNA_EMU = $(PLUGDIR)/libxdna-emu.so
NOE3 = $(PLUGDIR)/noe3
PYTHON = $B/share/npu-utils/python/libnoe.py
BINS = $(CMDS_HERE:%=$B/bin/%)
SHARED = $(if $(EMU_SRC),$(EMU) $(PLUGDIR)/noe/libnoe.so \
	 $(NOE3)/libnoe.so.3.1.0 $(NOE3)/libaipudrv.so) \
	 $(if $(XDNA_EMU_SRC),$(XDNA_EMU))
# The other names of the vendor's packages, which have copies there, too.
NOE_NAMES = $(if $(EMU_SRC),$(PLUGDIR)/noe/libnoe.so.0 \
	    $(PLUGDIR)/noe/libnoe.so.0.6.0 $(NOE3)/libnoe.so $(NOE3)/libnoe.so.3)

.PHONY: all build completions list-linked help clean distclean
all: setup
	+@$(MAKE) --no-print-directory build
	+@! $(RUN) $B/bin/npu-info -V >/dev/null 2>&1 || \
	    $(MAKE) --no-print-directory completions
build: $(LIBNPU_PUBLIC) $(LIBNPU_SO) $(BINS) $(SHARED) $(NOE_NAMES) $(PYTHON)
	$(if $(HAVE_MICROHTTPD),,@echo 'npu-serve: not built: libmicrohttpd-dev \
	    is not here')
# For tests/project/hardening.bats.
list-linked:
	@printf '%s\n' $(BINS) $(MODEL_TOOLS) $(LIBNPU_SO) $(SHARED) \
	    $(NOE_NAMES)

include scripts/tables/tables.mk cmd/common/completion/completion.mk

$(HARDENED): scripts/hardening
	@mkdir -p $(@D)
	@scripts/hardening $(CC) >$@.new
	@mv $@.new $@

# Built anew when what we ask for changes, not when the compiler does.  Folders are
# made once, not by each of a thousand objects.
.SECONDEXPANSION:
$B/%.o: %.c scripts/hardening | $(HARDENED) $$(@D)/
	$(call say,CC)
	$(CC) $(ALL_CFLAGS) $(CFLAGS_$*) -c -o $@ $<
$B/%/:
	@mkdir -p $@

# Their loops are written to be vectorised or unrolled, which gcc 12 does not do
# at -O2.
UNROLLED = -O3
$(foreach f,image/kernels/pass image/kernels/pass_float \
	image/kernels/pass_neon image/kernels/pass_vnni image/ycc store/checksum \
	store/checksum_avx2 tensor/quant tensor/vec vision/convert_avx2 \
	vision/convert_neon vision/convert_vbmi vision/nms vision/scan,\
	$(eval CFLAGS_lib/$f = $(UNROLLED)))
# Its products are exact, so that a fused addition rounds no differently.
$(foreach f,cosine cosine_avx2,\
	$(eval CFLAGS_lib/tensor/$f = $(UNROLLED) -ffp-contract=fast))

# The one place that knows PREFIX: where installed data is, when it is not
# beside the program.
$B/lib/base/installed.o: ALL_CFLAGS += -DPREFIX='"$(PREFIX)"'

# What npu.h declares is visible, for libnpu.so.
$(LIB_OBJ): ALL_CFLAGS += -include lib/exported.h

$(LIBNPU): $(LIB_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

# One object with no global names but npu_*, so that none of ours can be taken
# for one of the user's or of another library's (jansson has a json_object()).
# CLIP's vocabulary is beside it, for those who call npu_bpe_clip().
# Pictures are not in npu.h, so that its users need no libjpeg and libpng;
# the rest is for programs that come with it.
PRIVATE = $B/gen/vocab_tables.o $B/lib/image/%.o $B/lib/vision/%.o \
	  $B/lib/store/%.o $B/lib/host/%.o $B/lib/stats/%.o \
	  $B/lib/diagnose/%.o $B/lib/ref/%.o $B/lib/device/xdna/%.o \
	  $B/lib/model/kmodule.o \
	  $B/lib/model/txn%.o $B/lib/model/axlf%.o \
	  $B/lib/model/dpu%.o $B/lib/model/xclbin%.o
$B/libnpu.o: $(filter-out $(PRIVATE),$(LIB_OBJ))
	$(CC) -r -nostdlib -o $@.new $^
	$(OBJCOPY) --wildcard --keep-global-symbol='npu_*' $@.new $@
	rm -f $@.new

$(LIBNPU_PUBLIC): $B/libnpu.o $B/gen/vocab_tables.o
	@mkdir -p $(@D)
	$(call say,AR)
	rm -f $@
	$(AR) rcs $@ $^

# The number of its soname changes when tests/data/libnpu-abi.txt loses a name, or
# a structure there gets another size.
$(LIBNPU_SO): $B/libnpu.o $B/gen/vocab_tables.o lib/libnpu.map
	@mkdir -p $(@D)
	$(LINK_SO) -Wl,-soname,libnpu.so.0 -Wl,--version-script=lib/libnpu.map \
	    -Wl,--as-needed -o $@ $(filter %.o,$^) -lz -lmd -lm -ldl -lpthread

# An archive too, so that a program links only what it uses.
$B/cmd/libcmd.a: $(CMD_SHARED_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

# A program: its page, the rest of its folder (an archive, which tests use, too),
# what programs share, libnpu.
define program
$B/bin/$1: $(patsubst %.c,$B/%.o,$(call page,$1)) \
    $(if $(call parts,$1),$B/cmd/$1.a) $B/cmd/libcmd.a $(LIBNPU)
	@mkdir -p $$(@D)
	$$(call say,LINK)
	$$(LINK) -Wl,--as-needed -o $$@ $$^ $$(LIBS_$1) \
	    $$(LDLIBS)
$(if $(call parts,$1),$(archive))
endef
define archive
$B/cmd/$1.a: $(patsubst %.c,$B/%.o,$(call parts,$1))
	rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach c,$(CMDS_HERE),$(eval $(call program,$c)))

# What shells complete: each program writes its own.  A cross build names what
# runs its programs, RUN='qemu-aarch64 -L ROOT', or where there are ready ones,
# COMPLETIONS=DIR, which are the same for all machines.
RUN =
COMPLETIONS = $B/share
COMPLETE_BASH = $(CMDS_HERE:%=$B/share/bash-completion/completions/%)
COMPLETE_ZSH = $(CMDS_HERE:%=$B/share/zsh/site-functions/_%)
COMPLETE_FISH = $(CMDS_HERE:%=$B/share/fish/vendor_completions.d/%.fish)
ifeq ($(COMPLETIONS),$B/share)
completions: $(COMPLETE_BASH) $(COMPLETE_ZSH) $(COMPLETE_FISH)
endif

COMPLETE = @mkdir -p $(@D) && $(RUN) $< --completion=$1 >$@.new && \
	   mv $@.new $@ || { rm -f $@.new; echo '$<: does not run here; say \
	   RUN= or COMPLETIONS= (Makefile)' >&2; exit 1; }
$(COMPLETE_BASH): $B/share/bash-completion/completions/%: $B/bin/%
	$(call COMPLETE,bash)
$(COMPLETE_ZSH): $B/share/zsh/site-functions/_%: $B/bin/%
	$(call COMPLETE,zsh)
$(COMPLETE_FISH): $B/share/fish/vendor_completions.d/%.fish: $B/bin/%
	$(call COMPLETE,fish)

# The emulator: another libnoe.so, so it exports the vendor's names only.
$(EMU): $(EMU_OBJ) $(LIBNPU)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -Wl,-soname,libnoe.so -Wl,-z,nodelete \
	    -Wl,--exclude-libs,ALL -o $@ $(EMU_OBJ) $(LIBNPU) $(LDLIBS)

# The emulated AMD XDNA device, which exports one name: xdna_emulated.
$(XDNA_EMU): $(XDNA_EMU_OBJ) $(LIBNPU)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,--as-needed \
	    -o $@ $(XDNA_EMU_OBJ) $(LIBNPU) $(LDLIBS)

# The same under the vendor's names, for LD_LIBRARY_PATH.
$(PLUGDIR)/noe/libnoe.so: $(EMU)
$(filter $(PLUGDIR)/noe/%,$(NOE_NAMES)): $(PLUGDIR)/noe/libnoe.so
$(filter $(NOE3)/%,$(NOE_NAMES)): $(NOE3)/libnoe.so.3.1.0
$(PLUGDIR)/noe/libnoe.so $(NOE_NAMES):
	@mkdir -p $(@D)
	cp $< $@

# The module of the vendor's wheel.
$(PYTHON): lib/emu/libnoe.py
	@mkdir -p $(@D)
	cp $< $@

# Library 3.x: a front end, and the emulator as the back end that it loads.  Both
# have functions of the same names, and the back end calls its own: -Bsymbolic.
NOE3_LINK = $(LINK_SO) -Wl,-soname,$(@F) -Wl,-Bsymbolic \
	    -Wl,-z,nodelete -Wl,--exclude-libs,ALL -o $@ $(filter %.o,$^)
$(NOE3)/libaipudrv.so: $(EMU_OBJ) $B/lib/emu/noe3/back.o $(LIBNPU)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(NOE3_LINK) $(LIBNPU) $(LDLIBS)

$(NOE3)/libnoe.so.3.1.0: $B/lib/emu/noe3/front.o $B/lib/emu/message.o
	@mkdir -p $(@D)
	$(call say,LINK)
	$(NOE3_LINK) -ldl -lpthread

help:
	@echo 'make            set up, then build all of it under $B (CC=clang, V=1)'
	@echo 'make demo       show what it does'
	@echo 'make check      set up, build and test, in minutes (LEVEL=ci, LEVEL=full)'
	@echo '                T=npu-run: only files of that name; CHANGED=1: what a change touches'
	@echo 'make lint       read the sources with -fanalyzer, clang-tidy, cppcheck'
	@echo 'make fuzz       fuzz every parser (FUZZ_TIME=30: seconds each; T=cix: one)'
	@echo 'make soak       100,000 inferences, of which some are to fail (SEED=n)'
	@echo 'make torture    fail each call that can fail (T=npu-run/*: some cases)'
	@echo 'make coverage   what the tests execute'
	@echo 'make environment  each program in bad environments'
	@echo 'make kills      kill each program that writes files (KILLS=200)'
	@echo 'make tables     write the tables of lib/text and lib/image again'
	@echo 'make eval       how well the demo models do (SEED=n)'
	@echo 'make bench      what we cost over bare library calls'
	@echo 'make gate       is npu-bench right about what is slower (an hour)'
	@echo 'make completions  for bash, zsh and fish, below $B/share'
	@echo 'make install    into PREFIX=/usr/local, under DESTDIR='
	@echo 'make uninstall  removes exactly that'
	@echo 'make deb        Debian packages, in $B/deb'
	@echo 'make deb-check  install them in a new Debian 12, as root, and purge'
	@echo 'make deb-twice  build them again elsewhere: the same bytes?'
	@echo 'make clean      removes $B, but not what was fetched'
	@echo 'make distclean  removes that too'

clean:
	@# Not build/setup: what was fetched need not be fetched again.
	rm -rf $(filter-out $B/setup,$(wildcard $B/*))
distclean:
	rm -rf $B build

include $(wildcard scripts/scripts.mk models/models.mk bench/bench.mk \
    tests/tools/tools.mk tests/fuzz/fuzz.mk tests/tests.mk tests/lint/lint.mk)
-include $(shell find $(foreach d,bench cmd lib models tests,$B/$d) -name '*.d' \
    2>/dev/null)
# Objects that only a pattern rule names are kept all the same.
.SECONDARY:
