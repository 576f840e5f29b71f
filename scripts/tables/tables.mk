# SPDX-License-Identifier: Apache-2.0
# Programs that write tables of lib/text and lib/image.  The tables are in git,
# beside their data, except CLIP's vocabulary: it is too large, and each build
# makes it.
#
#	make tables		write the tables again after a program here or
#				the data changed

TABLES = $(patsubst %,lib/text/data/%_tables.c,unicode nfc characters entities \
	 mojibake) lib/image/data/font_tables.c
NEW_TABLES = $(patsubst %,$B/gen/%,$(notdir $(TABLES)))

UNICODE_DATA = /usr/share/unicode
W3C_ENTITIES = /usr/share/xml/w3c-sgml-lib/schema/dtd/REC-xml-entity-names-20100401

# The arguments of each program.
ARGS_unicode = $(UNICODE_DATA) lib/text/data/ftfy-characters.txt
ARGS_nfc = $(UNICODE_DATA)
ARGS_characters = $(ARGS_unicode)
ARGS_entities = $(W3C_ENTITIES) $(UNICODE_DATA)
ARGS_mojibake = lib/text/data $(UNICODE_DATA)
ARGS_font = lib/image/data/font.txt

# The library's code for vocabularies also reads CLIP's vocabulary here.
VOCAB = $B/share/npu-utils/bpe_simple_vocab_16e6.txt
ARGS_vocab = $(VOCAB)
SRC_vocab = lib/text/vocab.c lib/text/word_table.c lib/text/merge.c \
	    lib/base/err.c
LIBS_vocab = -lmd

$(VOCAB):
	@echo "$@ is missing: run 'make', or 'make CLIP_VOCAB=FILE'" >&2
	@false

.SECONDEXPANSION:
$B/gen/%: scripts/tables/%.c $$(SRC_$$*) $(wildcard scripts/tables/*.h \
    lib/text/*.h lib/image/*.h lib/base/*.h)
	@mkdir -p $(@D)
	$(call say,CC)
	$(HOSTCC) -std=c11 -O1 -D_GNU_SOURCE -Ilib $(WARNINGS) -o $@ $< \
	    $(SRC_$*) $(LIBS_$*)

# Always made, as make does not know which files the programs read.
.PHONY: tables new-tables $(NEW_TABLES)
tables: new-tables
	$(foreach t,$(TABLES),cp $B/gen/$(notdir $t) $t &&) :
new-tables: $(NEW_TABLES)

$B/gen/vocab_tables.c: $(VOCAB)
$(NEW_TABLES) $B/gen/vocab_tables.c: $B/gen/%_tables.c: $B/gen/%
	$(call say,GEN)
	$B/gen/$* $(ARGS_$*) >$@.new
	mv $@.new $@

$B/gen/vocab_tables.o: $B/gen/vocab_tables.c scripts/hardening | $(HARDENED)
	$(call say,CC)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<
