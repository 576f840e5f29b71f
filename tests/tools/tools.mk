# SPDX-License-Identifier: Apache-2.0
# Programs that tests use, made from several files or with special settings.

# The client of npu-zmq needs the library that npu-zmq is built with.
TOOLS := $(filter-out $(if $(HAVE_ZMQ),,%/zmqclient),\
	$(patsubst %.c,$B/%,$(wildcard tests/tools/*.c)))

.PHONY: build-makers
# Tools that only make files for tests.
MAKERS = mkaxlf mkcix mkko mkonnx mkpic mktxn
build-makers: $(MAKERS:%=$B/tests/tools/%)

# The other files of mkcix: models, sound and damaged.
CIXGEN = $(patsubst %.c,$B/%.o,$(wildcard tests/tools/cixgen/*.c))
$B/tests/tools/mkcix $B/tests/unit/model/cix_mutate \
    $B/tests/unit/model/cix_parts: $(CIXGEN)

# The other files of mkko: kernel modules, sound and damaged.
$B/tests/tools/mkko $B/tests/unit/model/kmodule \
    $B/tests/unit/diagnose/board_facts: $B/tests/tools/kogen/ko.o

# The other files of mkaxlf: containers, sound and damaged.
AXLFGEN = $(patsubst %.c,$B/%.o,$(wildcard tests/tools/axlfgen/*.c))
$B/tests/tools/mkaxlf $B/tests/unit/model/axlf \
    $B/tests/unit/xclbin-info/mutants \
    $B/tests/unit/diagnose/xclbin_mutants: $(AXLFGEN)

# The pictures that mkpic draws, sound and damaged.
$B/tests/tools/mkpic: $(patsubst %.c,$B/%.o,$(wildcard tests/tools/picgen/*.c))

# The other files of mktxn: instruction streams, sound and damaged.
$B/tests/tools/mktxn $B/tests/unit/model/txn \
    $B/tests/unit/diagnose/xclbin_mutants \
    $(patsubst %.c,$B/%,$(wildcard tests/unit/*/xdna*.c)): \
    $(patsubst %.c,$B/%.o,$(wildcard tests/tools/txngen/*.c))

# The other files of soak: what happened to each frame, and resources.
$B/tests/tools/soak: $(patsubst %.c,$B/%.o,$(wildcard tests/tools/soaking/*.c))

# A libnoe.so that does what the vendor's library and the emulator never do.
$B/tests/tools/oddmore.so: ODD = -DODD_MORE
$B/tests/tools/oddnoe.so $B/tests/tools/oddmore.so: \
    tests/tools/oddnoe/oddnoe.c lib/noe_abi.h | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) $(ODD) -fvisibility=default -o $@ $<

# An ONNX Runtime with failures that the real one never has.
$B/tests/tools/oddort.so: tests/tools/oddort/oddort.c | $(HARDENED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -fvisibility=default -o $@ $< -ldl

# Stands in for the vendor's ONNX Runtime, with its provider.
$B/tests/tools/zhouyi_standin.so: tests/tools/zhouyi_standin/standin.c | \
    $(HARDENED)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK_SO) -fvisibility=default -o $@ $< -ldl

$B/tests/tools/zmqclient: %: %.o
	$(call say,LINK)
	$(LINK) $(TEST_LDFLAGS) -o $@ $< -lzmq

# Programs for the vendor's API: our declarations, -lnoe, and nothing else.
$B/tests/tools/noerun $B/tests/tools/noelives: %: %.o $(PLUGDIR)/noe/libnoe.so
	$(call say,LINK)
	$(LINK) -o $@ $< -L$(PLUGDIR)/noe -lnoe -lpthread
