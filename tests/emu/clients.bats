# SPDX-License-Identifier: Apache-2.0
# Programs that use the emulator in other ways than our programs: linked with
# it, with its names made global, or from Python.
# bats file_tags=native

load ../support/helper
load ../support/emumodel

setup() {
	TWO=$EMU/noe/libnoe.so THREE=$EMU/noe3/libnoe.so.3.1.0
}

# client NAME OPTION... <SOURCE: compiles a program that uses the vendor's API.
client() {
	cat >"$1.c"
	"${CC:-cc}" -I"$TOP/lib" -o "$1" "$1.c" "${@:2}" -pthread -ldl
}

@test "the emulator has each file name that the vendor's packages have" {
	for name in libnoe.so libnoe.so.0 libnoe.so.0.6.0; do
		cmp "$EMU/libnoe-emu.so" "$EMU/noe/$name"
	done
	for name in libnoe.so libnoe.so.3 libnoe.so.3.1.0; do
		cmp "$THREE" "$EMU/noe3/$name"
	done
}

# Opens a context of either generation; 2.x ignores the second argument.
context='#include <stdint.h>
	#include <stdio.h>
	typedef int opens(void **ctx, uint32_t device);
	static int context(opens *open)
	{
		void *ctx;
		return printf("%d\n", open(&ctx, 1)) < 0;
	}'

# bats test_tags=slow
@test "a program that is linked with the library opens a context" {
	for so in "$TWO" "$THREE"; do
		client linked "$so" <<-END
		$context
		opens noe_init_context;
		int main(void) { return context(noe_init_context); }
		END
		LD_LIBRARY_PATH=${so%/*} run --separate-stderr -0 ./linked
		[ "$output" = 0 ]
		[ "$stderr" = "" ]
	done
}

# bats test_tags=slow
@test "a program that makes the library's names global opens a context" {
	client global <<-END
	#include <dlfcn.h>
	$context
	int main(int argc, char *argv[])
	{
		void *so = dlopen(argv[argc - 1], RTLD_NOW | RTLD_GLOBAL);
		return context((opens *)dlsym(so, "noe_init_context"));
	}
	END
	for so in "$TWO" "$THREE"; do
		LD_LIBRARY_PATH=${so%/*} run --separate-stderr -0 ./global \
		    "$so"
		[ "$output" = 0 ]
		[ "$stderr" = "" ]
	done
}

# python: runs outside the folder of the module, and leaves no cache there.
python() {
	PYTHONPATH=$B/share/npu-utils/python /usr/bin/python3 -B -W error -
}

@test "a Python program that uses the vendor's wheel runs" {
	mkcix --in=s8:4:2:3 --in=s32:2 --out=s8:4:20:60 --op=xor >m.cix
	python <<-'END' >out
	from libnoe import *
	npu = NPU()
	assert npu.noe_init_context() == 0
	ret, graph = npu.noe_load_graph("m.cix")
	assert (ret, graph) == (0, 1 << 32)
	assert npu.noe_get_tensor_count(graph, NOE_TENSOR_TYPE_INPUT) == (0, 2)
	d = npu.noe_get_tensor_descriptor(graph, NOE_TENSOR_TYPE_INPUT, 0)
	assert d.data_type == noe_data_type_t.NOE_DATA_TYPE_S8
	print(d.id, d.size, d.scale, d.zero_point)
	d = npu.noe_get_tensor_descriptor(graph, NOE_TENSOR_TYPE_OUTPUT, 0)
	print(d.id, d.size, d.scale, d.zero_point)
	config = noe_create_job_cfg_t()
	for i in range(2):
	    ret, job = npu.noe_create_job(graph, config)
	    assert (ret, job) == (0, graph + 1)
	    assert npu.noe_load_tensor(job, 0, bytes([0, 85, 170, 255])) == 0
	    assert npu.noe_load_tensor(job, 1, bytes(8)) == 0
	    assert npu.noe_job_infer_sync(job, -1) == 0
	    ret, data = npu.noe_get_tensor(job, NOE_TENSOR_TYPE_OUTPUT, 0)
	    print(ret, *data)
	    assert npu.noe_clean_job(job) == 0
	assert npu.noe_unload_graph(graph) == 0
	assert npu.noe_unload_graph(graph) == 0xb
	assert npu.noe_deinit_context() == 0
	END
	# Each byte is XORed with 0x55.
	printf '%s\n' '0 4 2.0 3' '0 4 20.0 60' '0 85 0 255 170' \
	    '0 85 0 255 170' >want
	diff want out
}

# bats test_tags=slow
@test "the Python module reports errors, and reads nothing past its end" {
	mkcix --in=s8:4 --out=s8:4 --op=xor >m.cix
	printf '\0\125\252\377' >in
	python <<-'END' >out
	from libnoe import *
	npu = NPU()
	npu.noe_init_context()
	graph = npu.noe_load_graph("m.cix")[1]
	ret, job = npu.noe_create_job(graph)
	for data in (b"abc", b"abcde"):
	    try:
	        npu.noe_load_tensor(job, 0, data)
	    except ValueError as e:
	        print(e)
	try:
	    npu.noe_get_tensor_descriptor(graph, NOE_TENSOR_TYPE_INPUT, 1)
	except RuntimeError as e:
	    print(e)
	print(npu.noe_load_tensor_from_file(job, 0, "in"))
	config = noe_create_job_cfg_t()
	config.qos_level = 2
	print("%#x" % npu.noe_create_job(graph, config)[0])
	npu.noe_deinit_context()
	END
	printf '%s\n' 'input 0: 3 bytes, not 4' 'input 0: 5 bytes, not 4' \
	    'noe_get_tensor_descriptor: status 0x1a' 0 0x21 >want
	diff want out
	# The same with another library, and with 3.x.
	for so in "$TWO" "$THREE"; do
		LD_LIBRARY_PATH=${so%/*} NPU_LIBRARY=$so python <<-'END'
		from libnoe import *
		npu = NPU()
		assert npu.noe_init_context() == 0
		assert npu.noe_deinit_context() == 0
		END
	done
}
