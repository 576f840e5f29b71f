# SPDX-License-Identifier: Apache-2.0
# make fuzz, and how fuzz targets are linked.  For how to add a target, see
# docs/testing.md.

# Targets with code of npu-serve, npu-zmq or npu-model need the library that the
# program is built with.
FUZZ := $(filter-out $(if $(HAVE_MICROHTTPD),,%/serve_form %/serve_json) \
	$(if $(HAVE_ZMQ),,%/zmq_frame) \
	$(if $(HAVE_CURL),,%/modellisting %/modelrecord %/modeltable),\
	$(patsubst %.c,$B/%,$(wildcard tests/fuzz/*.c)))
FUZZ_TIME = 30

.PHONY: fuzz tree-fuzz build-fuzz
fuzz: setup-check
	+@$(MAKE) --no-print-directory tree-fuzz
	@B='$B/fuzz' tests/fuzz/run '$(FUZZ_TIME)' $(T)

# The number of inputs in a given time matters here, hence -O2.
tree-fuzz:
	$(call tree,$B/fuzz,CC=clang UNROLLED=-O2 \
	    CFLAGS='-O2 $(STRICT) $(SANITIZE) -fsanitize=fuzzer-no-link') \
	    build-fuzz

build-fuzz: build-makers $(FUZZ)

# Our main function runs each seed once; the tree of make fuzz has libFuzzer's.
FUZZER = $(findstring -fsanitize=fuzzer,$(CFLAGS))
FUZZ_MAIN = $(if $(FUZZER),,$B/tests/fuzz/main/seeds.o)
$(FUZZ): $B/%: $B/%.o $(LIBNPU) $(FUZZ_MAIN)
	$(call say,LINK)
	$(LINK) $(TEST_LDFLAGS) $(FUZZER) -o $@ \
	    $(filter %.o,$^) $(LIBS_FUZZ) $(LIBNPU) -ljansson -lexpat $(LDLIBS)

# libFuzzer traces each comparison.  Text is compared with tables byte by byte,
# and a wrong option with all options by edit distance: tracing these
# comparisons takes two thirds of the time and does not find new words.  The
# same holds for loops in the targets themselves.
QUIET = bpe index jpeg
ifneq ($(FUZZER),)
$B/lib/text/%.o $B/cmd/common/suggest.o $(QUIET:%=$B/tests/fuzz/%.o): \
    ALL_CFLAGS += -fno-sanitize-coverage=trace-cmp
endif

# Targets with code of programs, which may exit: tests/fuzz/dies.h.
DYING = benchoptions cixpack lines options ranges stream detokenize vectors \
    xclbinpack
$B/tests/fuzz/benchoptions: $B/cmd/npu-bench.a
$B/tests/fuzz/detokenize: $B/cmd/clip-tokenize.a
$B/tests/fuzz/cixpack: $B/cmd/cix-pack.a
$B/tests/fuzz/ranges: $B/cmd/npu-tensor.a
$B/tests/fuzz/xclbinpack: $B/cmd/xclbin-pack.a
$B/tests/fuzz/xclbinpack.o: ALL_CFLAGS += -Icmd/xclbin-pack
$(DYING:%=$B/tests/fuzz/%): $B/cmd/libcmd.a
$(DYING:%=$B/tests/fuzz/%): LIBS_FUZZ = $(filter $B/cmd/%.a,$^) $(LIBNPU) \
    -Wl,--wrap=exit

# Targets with large buffers: tests/fuzz/large.h.
LARGE = exif jpeg kmd machine png ppm record picture_stream vocab
$(LARGE:%=$B/tests/fuzz/%): LIBS_FUZZ = \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

# Code of programs that neither prints nor ends the program.
$B/tests/fuzz/benchbase: $B/cmd/npu-bench.a
$B/tests/fuzz/axlf: $B/cmd/xclbin-info.a $B/cmd/libcmd.a
$B/tests/fuzz/axlf $B/tests/fuzz/benchbase: \
    LIBS_FUZZ = $(filter $B/cmd/%.a,$^)

$B/tests/fuzz/serve_form $B/tests/fuzz/serve_json: $B/cmd/npu-serve.a \
    $B/cmd/libcmd.a
$B/tests/fuzz/serve_form $B/tests/fuzz/serve_json: \
    LIBS_FUZZ = $(filter $B/cmd/%.a,$^) -lmicrohttpd
CIX_LINT_FUZZ = $(patsubst %,$B/tests/fuzz/%,layered lintcfg lintmodel predicted \
    samples)
$(CIX_LINT_FUZZ): $B/cmd/cix-lint.a $B/cmd/libcmd.a
$(CIX_LINT_FUZZ): LIBS_FUZZ = $(filter $B/cmd/%.a,$^)
$B/tests/fuzz/zmq_frame: $B/cmd/npu-zmq.a $B/cmd/libcmd.a
$B/tests/fuzz/zmq_frame: LIBS_FUZZ = $(filter $B/cmd/%.a,$^)
NPU_MODEL_FUZZ = $(patsubst %,$B/tests/fuzz/%,modellisting modelrecord modeltable)
$(NPU_MODEL_FUZZ): $B/cmd/npu-model.a $B/cmd/libcmd.a
$(NPU_MODEL_FUZZ): LIBS_FUZZ = $(filter $B/cmd/%.a,$^)
