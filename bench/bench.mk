# SPDX-License-Identifier: Apache-2.0
# make bench: our speed as a ratio to a peer's, measured in the same run.

BENCH = $(patsubst bench/%.c,$B/bench/%,$(wildcard bench/*.c))

.PHONY: bench build-bench
build-bench: build build-makers $(BENCH)
bench: setup
	+@$(MAKE) --no-print-directory build-bench
	bench/run $(abspath $B)

$(BENCH): $B/%: $B/%.o $(LIBNPU)
	$(call say,LINK)
	$(LINK) -Wl,--as-needed -o $@ $< $(LIBNPU) \
	    $(LDLIBS)
