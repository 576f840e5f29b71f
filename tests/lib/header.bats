# SPDX-License-Identifier: Apache-2.0
# lib/npu.h as its users' compilers read it, C and C++, with nothing before it,
# and libnpu.a as a C++ program links it.
# bats file_tags=native

load ../support/helper

# What others have in their flags, so that the header is nobody's warning.
STRICT='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

# reads COMPILER LANGUAGE STANDARD FILE FLAG...
reads() {
	compiler=$1 language=$2 standard=$3 file=$4
	shift 4
	# shellcheck disable=SC2086 # words
	"$compiler" -x "$language" "-std=$standard" $STRICT "$@" -I"$TOP/lib" \
	    -fsyntax-only "$file"
}

# everywhere FILE: by each compiler, as C and as C++ of each standard.
everywhere() {
	for standard in c11 c17; do
		reads gcc c $standard "$1" -Wstrict-prototypes
		reads clang c $standard "$1" -Wstrict-prototypes
	done
	for standard in c++11 c++17 c++20; do
		reads g++ c++ $standard "$1" -Wold-style-cast
		reads clang++ c++ $standard "$1" -Wold-style-cast
	done
}

@test "npu.h needs no other header before it, and may come twice" {
	echo '#include "npu.h"' >once.c
	everywhere once.c
	printf '#include "npu.h"\n#include "npu.h"\n' >twice.c
	everywhere twice.c
}

# The macros are read only where they are used.
@test "what npu.h defines can be used in both" {
	cat >uses.c <<-'END'
	#include "npu.h"

	uint64_t most(uint64_t n);
	int64_t numbers(void);

	uint64_t
	most(uint64_t n)
	{
		return n < NPU_MAX_PAYLOAD ? n : NPU_MAX_PAYLOAD;
	}

	int64_t
	numbers(void)
	{
		const char *texts[] = { NPU_VERSION, NPU_LABEL_MAGIC,
		    NPU_DEFAULT_NODE };
		struct npu_label label;
		uint8_t bytes[NPU_LABEL_SIZE];
		char token[NPU_TOKEN_SIZE];

		(void)label, (void)texts, (void)bytes, (void)token;
		return NPU_MAX_DIMS + NPU_MAX_NAME + NPU_CLIP_LENGTH +
		    NPU_CLIP_START + NPU_CLIP_END + NPU_TEXT_MAX +
		    NPU_QUEUE_MAX + NPU_ESTOPPED + NPU_S12C;
	}
	END
	# All of them: a new one is to be named here.
	sed -n 's/^#define \(NPU_[A-Z0-9_]*\) .*/\1/p' "$TOP/lib/npu.h" >macros
	[ "$(wc -l <macros)" -gt 10 ]
	while read -r macro; do
		grep -qw "$macro" uses.c || { echo "not used: $macro"; false; }
	done <macros
	everywhere uses.c
}

@test "a C++ program links with libnpu.a" {
	cat >prog.cc <<-'END'
	#include <npu.h>

	#include <cstdio>
	#include <vector>

	int
	main()
	{
		const char text[] = "a photo of a cat";
		const int32_t *id;
		size_t n;
		npu_tokenizer *tokenizer;
		npu_err err;

		if (npu_tokenizer_open(&tokenizer, npu_bpe_clip(), &err) < 0 ||
		    npu_encode(tokenizer, text, sizeof(text) - 1, &id, &n,
		    &err) < 0) {
			std::puts(err.msg);
			return 1;
		}
		for (int32_t one : std::vector<int32_t>(id, id + n))
			std::printf("%d ", one);
		std::puts("");
		npu_tokenizer_close(tokenizer);
		return 0;
	}
	END
	libs=$(sed -n 's/.*Libs: .* -lnpu//p' "$TOP/.ci/install")
	# In that tree the library counts what is executed, with gcc's counters.
	case $B in
	*/coverage) libs="$libs $(gcc -print-file-name=libgcov.a)" ;;
	esac
	for compiler in g++ clang++; do
		# shellcheck disable=SC2086 # words
		"$compiler" -std=c++17 $STRICT -I"$TOP/lib" -o prog prog.cc \
		    -L"$B/lib" -lnpu $libs
		run -0 ./prog
		# What CLIP's own tokenizer makes of it.
		[ "$output" = "49406 320 1125 539 320 2368 49407 " ]
	done
}
