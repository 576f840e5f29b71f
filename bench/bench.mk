# SPDX-License-Identifier: Apache-2.0
# make bench: our speed as a ratio to a peer's, measured in the same run.

BENCH = $(patsubst bench/%.c,$B/bench/%,$(wildcard bench/*.c))

# Programs whose library loads ten others and more: the time of loading is not
# ours, so the peer of such a program does nothing but load the same libraries.
HELLOS = $(patsubst %,$B/bench/hello-%,$(filter npu-model npu-serve npu-zmq,\
    $(CMDS)))

.PHONY: bench build-bench
build-bench: build build-makers $(BENCH) $(HELLOS)
bench: setup
	+@$(MAKE) --no-print-directory build-bench
	bench/run $(abspath $B)

$(BENCH): $B/%: $B/%.o $(LIBNPU)
	$(call say,LINK)
	$(LINK) -Wl,--as-needed -o $@ $< $(LIBNPU) \
	    $(LDLIBS)

$(HELLOS): $B/bench/hello-%: $B/bench/hello.o
	$(call say,LINK)
	$(LINK) -Wl,--no-as-needed -o $@ $< $(LIBS_$*)
