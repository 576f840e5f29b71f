# SPDX-License-Identifier: Apache-2.0
# lib/npu.h and lib/noe_abi.h are compiled as users do it, in C and C++, as the
# first header.  A C++ program is linked with libnpu.a, and programs that use
# the vendor's header are compiled.
# bats file_tags=native

load ../support/helper

# Flags that users may have: the header must not cause a warning for anybody.
STRICT='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

# reads COMPILER LANGUAGE STANDARD FILE FLAG...: compiles FILE with these and
# the strict flags.
reads() {
	compiler=$1 language=$2 standard=$3 file=$4
	shift 4
	# shellcheck disable=SC2086 # words
	"$compiler" -x "$language" "-std=$standard" $STRICT "$@" -I"$TOP/lib" \
	    -fsyntax-only "$file"
}

# as_c FILE STANDARD...: compiles FILE with each C compiler.  In C89, clang
# warns of each use of stdbool.h.
as_c() {
	file=$1
	shift
	for standard; do
		reads gcc c "$standard" "$file" -Wstrict-prototypes
		reads clang c "$standard" "$file" -Wstrict-prototypes \
		    -Wno-c99-extensions
	done
}

as_cxx() {
	file=$1
	shift
	for standard; do
		reads g++ c++ "$standard" "$file" -Wold-style-cast
		reads clang++ c++ "$standard" "$file" -Wold-style-cast
	done
}

# everywhere FILE: compiles FILE in each language in which npu.h can be used.
everywhere() {
	as_c "$1" c89 c99 c11 c17
	as_cxx "$1" c++98 c++11 c++17 c++20
}

# bats test_tags=slow
@test "npu.h can be included first, and twice" {
	echo '#include "npu.h"' >once.c
	everywhere once.c
	printf '#include "npu.h"\n#include "npu.h"\n' >twice.c
	everywhere twice.c
	run -1 grep -q pragma "$TOP/lib/npu.h"
}

# bats test_tags=slow
@test "noe_abi.h can be included first and twice, from C11 and C++11 on" {
	printf '#include "noe_abi.h"\n#include "noe_abi.h"\n' >twice.c
	as_c twice.c c11 c17
	as_cxx twice.c c++11 c++17 c++20
}

# Macros are compiled only if they are used.
# bats test_tags=slow
@test "everything in npu.h can be used in C and in C++" {
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
		    NPU_QUEUE_MAX + NPU_ESTOPPED + NPU_S12C +
		    NPU_VERSION_NUMBER;
	}
	END
	# All macros: a new macro must be used above.
	sed -n 's/^#define \(NPU_[A-Z0-9_]*\) .*/\1/p' "$TOP/lib/npu.h" >macros
	[ "$(wc -l <macros)" -gt 10 ]
	while read -r macro; do
		grep -qw "$macro" uses.c || { echo "not used: $macro"; false; }
	done <macros
	everywhere uses.c
}

# bats test_tags=slow
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
	libs=$(sed -n 's/.*Libs.private://p' "$TOP/scripts/install")
	for compiler in g++ clang++; do
		# shellcheck disable=SC2086 # words
		"$compiler" -std=c++17 $STRICT -I"$TOP/lib" -o prog prog.cc \
		    -L"$B/lib" -lnpu $libs
		run -0 ./prog
		# The ids that CLIP's own tokenizer gives.
		[ "$output" = "49406 320 1125 539 320 2368 49407 " ]
	done
}

# The vendor's header, written as noe_abi(3) shows.
vendors_header() {
	printf '#define NOE_ABI_DEVICES\n#include <noe_abi.h>\n' \
	    >cix_noe_standard_api.h
}

# client COMPILER SOURCE FLAG...: links it with -lnoe and runs it on a model.
client() {
	"$@" -Wall -Wextra -Wno-missing-field-initializers -Werror -I. \
	    -I"$TOP/lib" -o client -L"$B/lib/npu-utils/noe" -lnoe
	mkcix --in=s8:4 --out=s8:4 --op=xor >m.cix
	LD_LIBRARY_PATH=$B/lib/npu-utils/noe run --separate-stderr -0 ./client
	[ "$output" = "85 0 -1 -86" ]		# ^ 0x55
	[ "$stderr" = "" ]
}

@test "a C program with the vendor's header compiles, links and runs" {
	vendors_header
	cat >client.c <<-'END'
	#include <cix_noe_standard_api.h>
	#include <stdio.h>
	int main(void)
	{
		int8_t v[4] = { 0, 0x55, -86, -1 };
		context_handler_t *ctx;
		noe_driver_version_t version;
		job_config_npu_t npu_config = { { 0 } };
		job_config_t config = { &npu_config };
		job_status_t status;
		uint64_t graph, job;
		if (noe_init_context(&ctx) || noe_load_graph(ctx, "m.cix",
		    &graph, NULL) || noe_create_job(ctx, graph, &job, &config) ||
		    noe_ioctl(ctx, npu, NOE_IOCTL_GET_VERSION, &version) ||
		    noe_load_tensor(ctx, job, 0, v) ||
		    noe_job_infer_async(ctx, job, NULL) ||
		    noe_get_job_status(ctx, job, &status, -1) ||
		    noe_get_tensor(ctx, job, NOE_TENSOR_TYPE_OUTPUT, 0, v) ||
		    noe_unload_graph(ctx, graph) || noe_deinit_context(ctx))
			return 1;
		printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);
		return status != NOE_JOB_STATUS_DONE;
	}
	END
	client gcc -std=c11 client.c
	client clang -std=c17 client.c
}

# bats test_tags=slow
@test "a C++ program gets the vendor's default arguments and values" {
	vendors_header
	cat >client.cc <<-'END'
	#include <cix_noe_standard_api.h>
	#include <cstdio>
	int main()
	{
		int8_t v[4] = { 0, 0x55, -86, -1 };
		context_handler_t *ctx;
		job_config_npu_t npu_config;
		graph_config_npu_t graph_config;
		job_config_t config = { &npu_config };
		job_status_t status;
		uint64_t graph, job;
		if (npu_config.misc != 0 || graph_config.misc != 0)
			return 2;
		if (noe_init_context(&ctx) ||
		    noe_load_graph(ctx, "m.cix", &graph) ||
		    noe_create_job(ctx, graph, &job, &config) ||
		    noe_ioctl(ctx, npu, NOE_IOCTL_ENABLE_TICKCOUNTER) ||
		    noe_load_tensor(ctx, job, 0, v) ||
		    noe_job_infer_async(ctx, job) ||
		    noe_get_job_status(ctx, job, &status) ||
		    noe_get_tensor(ctx, job, NOE_TENSOR_TYPE_OUTPUT, 0, v) ||
		    noe_unload_graph(ctx, graph) || noe_deinit_context(ctx))
			return 1;
		std::printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);
	}
	END
	client g++ -std=c++11 client.cc
	client clang++ -std=c++17 client.cc
}
