# SPDX-License-Identifier: Apache-2.0
# npu-utils.  `make` sets up and builds, `make check` tests, `make demo` shows
# the programs at work, `make help` lists all targets.  All output is under $B.
# V=1 shows the commands.

# Use all processors, unless the user gives -j.
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

# make prints a line for each file that it makes.  -s prints none, V=1 prints
# the commands instead.
V =
ifeq ($V,)
.SILENT:
say = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),,@echo '  $1 $(@:$B/%=%)')
endif

CFLAGS = -O2 -g
CPPFLAGS =
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	   -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
# -ffp-contract=off makes the quantisation formula bit-exact on every machine.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -Ilib -Icmd/common -Icmd -fPIC \
	     -fvisibility=hidden \
	     -fno-semantic-interposition -ffp-contract=off -MMD -MP \
	     $(WARNINGS) $(HARDENING) $(CPPFLAGS) $(CFLAGS)
LDFLAGS =
# For programs, not for shared libraries.
PROGRAM_LDFLAGS =
LDLIBS = -ljpeg -lpng -lz -lmd -lm -ldl -lpthread

# Hardening has a variable of its own; therefore user-defined CFLAGS do not
# remove it.  scripts/hardening lists the flags that this compiler accepts, once
# for each build tree.  HARDENING= builds without hardening.  FORTIFY applies
# only to optimised code without sanitizers.  If CFLAGS or CPPFLAGS name its
# level, that level applies.
HARDENING = $(filter-out $(NO_FORTIFY),$(file <$(HARDENED)))
SANITIZED = $(findstring -fsanitize,$(CFLAGS))
OPTIMISED = $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS))))
NO_FORTIFY = $(if $(or $(SANITIZED),$(if $(OPTIMISED),,no), \
	$(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS))), \
	-U_FORTIFY% -D_FORTIFY%)
empty =
HARDENED = $B/hardening$(subst /,_,$(subst $(empty) ,_,-$(CC)))

# How to link a program and a shared object.  The sanitizers' symbols stay
# undefined.
LINK = $(CC) $(ALL_CFLAGS) $(if $(HARDENING),-pie $(HARD_LDFLAGS)) \
	  $(LDFLAGS) $(PROGRAM_LDFLAGS)
LINK_SO = $(CC) $(ALL_CFLAGS) -shared $(if $(HARDENING),$(HARD_LDFLAGS) \
	  $(if $(SANITIZED),,-Wl,-z,defs)) $(LDFLAGS)
HARD_LDFLAGS = -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack

VERSION := $(shell sed -n 's/^\#define NPU_VERSION "\(.*\)"/\1/p' lib/npu.h)

# Checks for a library that one program needs and that a small board may lack.
have = $(shell echo '\#include <$1>' | $(CC) $(CPPFLAGS) $(CFLAGS) -E - \
	 >/dev/null 2>&1 && echo yes)
HAVE_MICROHTTPD := $(call have,microhttpd.h)
HAVE_ZMQ := $(call have,zmq.h)
HAVE_CURL := $(call have,curl/curl.h)

# For a new program, add a line here, cmd/NAME.c or a folder cmd/NAME with
# NAME.c, man/NAME.1 and tests/cmd/NAME.bats.
CMDS = cix-lint \
       cix-pack \
       clip-classify \
       clip-embed \
       clip-tokenize \
       host-status \
       img-tensor \
       npu-bench \
       npu-dequant \
       npu-info \
       $(if $(HAVE_CURL),npu-model) \
       npu-quant \
       npu-ref \
       npu-run \
       $(if $(HAVE_MICROHTTPD),npu-serve) \
       npu-tensor \
       npu-top \
       $(if $(HAVE_ZMQ),npu-zmq) \
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
LIBS_npu-model = -lcurl -ljansson
LIBS_npu-serve = -lmicrohttpd -ljansson
LIBS_npu-zmq = -lzmq -ljansson
LIBS_vec-drift = -ljansson
LIBS_vec-nearest = -ljansson
LIBS_xclbin-check = -lexpat
LIBS_xclbin-info = -lexpat -ljansson
LIBS_xclbin-pack = -ljansson -lexpat
LIBS_xdna-run = -ljansson -lexpat
LIBS_yolo-draw = -ljansson

# For a new library module, add a file to one of these folders.
LIB_DIRS = base tensor model model/shapes device device/xdna diagnose \
	   diagnose/health diagnose/xclbin store text text/data \
	   image image/data image/kernels vision host stats ref
LIB_SRC := $(sort $(wildcard $(LIB_DIRS:%=lib/%/*.c)))
EMU_SRC := $(sort $(wildcard lib/emu/*.c))
XDNA_EMU_SRC := $(sort $(wildcard lib/emu/xdna/*.c))
CMD_SHARED := $(sort $(wildcard cmd/common/*.c cmd/common/*/*.c))
# The other source files of a program that has a folder.
parts = $(filter-out cmd/$1/$1.c,$(sort $(wildcard cmd/$1/*.c cmd/$1/*/*.c)))

LIB_OBJ = $(LIB_SRC:%.c=$B/%.o) $B/gen/vocab_tables.o
EMU_OBJ = $(EMU_SRC:%.c=$B/%.o)
XDNA_EMU_OBJ = $(XDNA_EMU_SRC:%.c=$B/%.o)
CMD_SHARED_OBJ = $(CMD_SHARED:%.c=$B/%.o)

# The library for our own programs, which use more than npu.h declares; and the
# library as it is installed.
LIBNPU = $B/lib-all.a
LIBNPU_PUBLIC = $B/lib/libnpu.a
LIBNPU_SO = $B/lib/libnpu.so.$(VERSION)
# The build tree has the same layout as an installation: bin, lib/npu-utils,
# share/npu-utils.  Therefore programs find their data in the same way in both.
PLUGDIR = $B/lib/npu-utils
EMU = $(PLUGDIR)/libnoe-emu.so
XDNA_EMU = $(PLUGDIR)/libxdna-emu.so
NOE3 = $(PLUGDIR)/noe3
PYTHON = $B/share/npu-utils/python/libnoe.py \
	 $B/share/npu-utils/python-npu/npu.py
MODEL_TABLE = $(if $(HAVE_CURL),$B/share/npu-utils/models.tsv)
BINS = $(CMDS_HERE:%=$B/bin/%)
SHARED = $(if $(EMU_SRC),$(EMU) $(PLUGDIR)/noe/libnoe.so \
	 $(NOE3)/libnoe.so.3.1.0 $(NOE3)/libaipudrv.so) \
	 $(if $(XDNA_EMU_SRC),$(XDNA_EMU))
# The other file names of the vendor's packages, which contain copies as well.
NOE_NAMES = $(if $(EMU_SRC),$(PLUGDIR)/noe/libnoe.so.0 \
	    $(PLUGDIR)/noe/libnoe.so.0.6.0 $(NOE3)/libnoe.so $(NOE3)/libnoe.so.3)

.PHONY: all build completions list-linked help clean distclean
all: setup
	+@$(MAKE) --no-print-directory build
	+@! $(RUN) $B/bin/npu-info -V >/dev/null 2>&1 || \
	    $(MAKE) --no-print-directory completions
build: $(LIBNPU_PUBLIC) $(LIBNPU_SO) $B/lib/libnpu.so.0 $(BINS) $(SHARED) $(NOE_NAMES) $(PYTHON) \
    $(MODEL_TABLE)
	$(if $(HAVE_MICROHTTPD),,@echo 'npu-serve: not built: libmicrohttpd-dev \
	    is not here')
	$(if $(HAVE_ZMQ),,@echo 'npu-zmq: not built: libzmq3-dev is not here')
	$(if $(HAVE_CURL),,@echo 'npu-model: not built: libcurl4-openssl-dev \
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

# Objects are rebuilt if the flags in scripts/hardening change, not if the
# compiler changes.  Each folder is made once, not for each of a thousand
# objects.
.SECONDEXPANSION:
$B/%.o: %.c scripts/hardening | $(HARDENED) $$(@D)/
	$(call say,CC)
	$(CC) $(ALL_CFLAGS) $(CFLAGS_$*) -c -o $@ $<
$B/%/:
	@mkdir -p $@

# The loops of these files must be vectorised or unrolled, which gcc 12 does not
# do at -O2.
UNROLLED = -O3
$(foreach f,image/kernels/pass image/kernels/pass_float \
	image/kernels/pass_neon image/kernels/pass_vnni image/ycc store/checksum \
	store/checksum_avx2 tensor/quant tensor/vec vision/convert_avx2 \
	vision/convert_neon vision/convert_vbmi vision/nms vision/scan,\
	$(eval CFLAGS_lib/$f = $(UNROLLED)))
# The products in these files are exact; therefore a fused addition rounds in
# the same way.
$(foreach f,cosine cosine_avx2,\
	$(eval CFLAGS_lib/tensor/$f = $(UNROLLED) -ffp-contract=fast))

# Only this file uses PREFIX, to find installed data that is not beside the
# program.
$B/lib/base/installed.o: ALL_CFLAGS += -DPREFIX='"$(PREFIX)"'

# Functions that npu.h declares are visible, for libnpu.so.
$(LIB_OBJ): ALL_CFLAGS += -include lib/exported.h

$(LIBNPU): $(LIB_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

# One object whose only global names are npu_*.  Other names of ours could
# collide with names in the user's program or in another library (jansson has a
# json_object()).  CLIP's vocabulary is a separate object for users who call
# npu_bpe_clip().  npu.h does not cover pictures; therefore its users do not
# need libjpeg and libpng.  The other private objects are for our own programs.
PRIVATE = $B/gen/vocab_tables.o $B/lib/image/%.o $B/lib/vision/%.o \
	  $B/lib/store/%.o $B/lib/host/%.o $B/lib/stats/%.o \
	  $B/lib/diagnose/%.o $B/lib/ref/%.o $B/lib/device/xdna/%.o \
	  $B/lib/model/kmodule.o  \
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

# The number in the soname changes if tests/data/libnpu-abi.txt loses a name, or
# if a structure listed there changes its size.
$(LIBNPU_SO): $B/libnpu.o $B/gen/vocab_tables.o lib/libnpu.map
	@mkdir -p $(@D)
	$(LINK_SO) -Wl,-soname,libnpu.so.0 -Wl,--version-script=lib/libnpu.map \
	    -Wl,--as-needed -o $@ $(filter %.o,$^) -lz -lmd -lm -ldl -lpthread

$B/lib/libnpu.so.0: $(LIBNPU_SO)
	ln -sf $(<F) $@

# This is an archive; therefore a program links only the objects that it uses.
$B/cmd/libcmd.a: $(CMD_SHARED_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

# A program consists of its main file, the other files of its folder (an
# archive, which tests use as well), the code that programs share, and libnpu.
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

# Completion scripts for shells.  Each program writes its own scripts.  For a
# cross build, RUN='qemu-aarch64 -L ROOT' names the command that runs its
# programs, or COMPLETIONS=DIR names a folder with existing scripts, which are
# the same for all machines.
RUN =
COMPLETIONS = $B/share
COMPLETE_BASH = $(CMDS_HERE:%=$B/share/bash-completion/completions/%)
COMPLETE_ZSH = $(CMDS_HERE:%=$B/share/zsh/site-functions/_%)
COMPLETE_FISH = $(CMDS_HERE:%=$B/share/fish/vendor_completions.d/%.fish)
ifeq ($(COMPLETIONS),$B/share)
completions: $(COMPLETE_BASH) $(COMPLETE_ZSH) $(COMPLETE_FISH)
endif

# npu-model's scripts have the names of the models.
$(filter %npu-model %npu-model.fish,$(COMPLETE_BASH) $(COMPLETE_ZSH) \
    $(COMPLETE_FISH)): $(MODEL_TABLE)

COMPLETE = @mkdir -p $(@D) && $(RUN) $< --completion=$1 >$@.new && \
	   mv $@.new $@ || { rm -f $@.new; echo '$<: does not run here; say \
	   RUN= or COMPLETIONS= (Makefile)' >&2; exit 1; }
$(COMPLETE_BASH): $B/share/bash-completion/completions/%: $B/bin/%
	$(call COMPLETE,bash)
$(COMPLETE_ZSH): $B/share/zsh/site-functions/_%: $B/bin/%
	$(call COMPLETE,zsh)
$(COMPLETE_FISH): $B/share/fish/vendor_completions.d/%.fish: $B/bin/%
	$(call COMPLETE,fish)

# The emulator is a libnoe.so, and exports only the vendor's names.
$(EMU): $(EMU_OBJ) $(LIBNPU)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -Wl,-soname,libnoe.so -Wl,-z,nodelete \
	    -Wl,--exclude-libs,ALL -o $@ $(EMU_OBJ) $(LIBNPU) $(LDLIBS)

# The emulated AMD XDNA device exports only the name xdna_emulated.
$(XDNA_EMU): $(XDNA_EMU_OBJ) $(LIBNPU)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,--as-needed \
	    -o $@ $(XDNA_EMU_OBJ) $(LIBNPU) $(LDLIBS)

# Copies under the vendor's names, for LD_LIBRARY_PATH.
$(PLUGDIR)/noe/libnoe.so: $(EMU)
$(filter $(PLUGDIR)/noe/%,$(NOE_NAMES)): $(PLUGDIR)/noe/libnoe.so
$(filter $(NOE3)/%,$(NOE_NAMES)): $(NOE3)/libnoe.so.3.1.0
$(PLUGDIR)/noe/libnoe.so $(NOE_NAMES):
	@mkdir -p $(@D)
	cp $< $@

# The Python module of the vendor's wheel; and the module for libnpu, which finds
# the library by its soname.  The second has a folder of its own: users who name
# that folder in PYTHONPATH keep the wheel's module.
$B/share/npu-utils/python/libnoe.py: lib/emu/libnoe.py
$B/share/npu-utils/python-npu/npu.py: lib/npu.py
$(PYTHON):
	@mkdir -p $(@D)
	cp $< $@

# The models that npu-model knows.
$B/share/npu-utils/models.tsv: cmd/npu-model/models.tsv
	@mkdir -p $(@D)
	cp $< $@

# Library 3.x is a front end that loads a back end; here, the emulator is the
# back end.  Both have functions with the same names.  -Bsymbolic makes the back
# end call its own functions.
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
	@echo 'make            set up, then build everything under $B (CC=clang, V=1)'
	@echo 'make demo       show the programs at work'
	@echo 'make check      set up, build and test, in minutes (LEVEL=ci, LEVEL=full)'
	@echo '                T=npu-run: only files of that name; CHANGED=1: only changes'
	@echo 'make lint       check the sources with -fanalyzer, clang-tidy, cppcheck'
	@echo 'make fuzz       fuzz every parser (FUZZ_TIME=30: seconds each; T=cix: one)'
	@echo 'make soak       100,000 inferences, some fail on purpose (SEED=n)'
	@echo 'make torture    make each call fail that can fail (T=npu-run/*: some cases)'
	@echo 'make coverage   count the lines and branches that the tests execute'
	@echo 'make environment  run each program in bad environments'
	@echo 'make kills      kill each program that writes files (KILLS=200)'
	@echo 'make tables     write the tables of lib/text and lib/image again'
	@echo 'make eval       evaluate the demo models (SEED=n)'
	@echo 'make bench      compare our speed with other software'
	@echo 'make gate       test the verdicts of npu-bench (an hour)'
	@echo 'make completions  write scripts for bash, zsh and fish below $B/share'
	@echo 'make install    install into PREFIX=/usr/local, under DESTDIR='
	@echo 'make uninstall  remove exactly the installed files'
	@echo 'make deb        build Debian packages in $B/deb'
	@echo 'make deb-check  install them in a new Debian 12, as root, and purge'
	@echo 'make deb-twice  build them again elsewhere, and compare the bytes'
	@echo 'make clean      remove $B, but keep the fetched files'
	@echo 'make distclean  remove the fetched files as well'

clean:
	@# Keep build/setup: the fetched files need not be fetched again.
	rm -rf $(filter-out $B/setup,$(wildcard $B/*))
distclean:
	rm -rf $B build

include $(wildcard scripts/scripts.mk models/models.mk bench/bench.mk \
    tests/tools/tools.mk tests/fuzz/fuzz.mk tests/tests.mk tests/lint/lint.mk)
-include $(shell find $(foreach d,bench cmd lib models tests,$B/$d) -name '*.d' \
    2>/dev/null)
# Keep objects that only a pattern rule names.
.SECONDARY:
