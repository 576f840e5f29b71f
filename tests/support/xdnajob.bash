# SPDX-License-Identifier: Apache-2.0
# A container and an instruction stream that fit together.
# shellcheck shell=bash

# xdna_container NAME: writes NAME.xclbin and the files that it is packed from.
# It has the kernel MLIR_AIE with five buffers, and a partition of one column.
xdna_container() {
	local i buffers=
	for i in 0 1 2 3 4; do
		buffers+=", {\"name\": \"bo$i\", \"address-qualifier\":
		    \"GLOBAL\", \"type\": \"void*\", \"memory-connection\":
		    \"HOST\", \"offset\": \"$((20 + 8 * i))\"}"
	done
	cat >"$1_mem_topology.json" <<-'END'
	{"mem_topology": {"m_mem_data": [{"m_type": "MEM_DRAM", "m_used": 1,
	 "m_sizeKB": "0x10000", "m_tag": "HOST", "m_base_address": "0x4000000"}]}}
	END
	cat >"$1_kernels.json" <<-END
	{"ps-kernels": {"kernels": [{"name": "MLIR_AIE", "type": "dpu",
	 "extended-data": {"subtype": "DPU", "functional": "DPU",
	  "dpu_kernel_id": "0x901"}, "arguments": [
	 {"name": "opcode", "address-qualifier": "SCALAR", "type": "uint64_t",
	  "offset": "0x00"},
	 {"name": "instr", "address-qualifier": "GLOBAL", "type": "char *",
	  "offset": "0x08", "memory-connection": "HOST"},
	 {"name": "ninstr", "address-qualifier": "SCALAR", "type": "uint32_t",
	  "offset": "0x10"}$buffers],
	 "instances": [{"name": "MLIRAIE"}]}]}}
	END
	cat >"$1_aie_partition.json" <<-END
	{"aie_partition": {"partition": {"column_width": 1,
	 "start_columns": [0]}, "PDIs": [{"uuid": "0x1", "file_name": "$1.pdi",
	 "cdo_groups": [{"name": "DPU", "type": "PRIMARY", "pdi_id": "0x01",
	  "dpu_kernel_ids": ["0x901"]}]}]}}
	END
	# The marks that the firmware looks for.  This PDI is not a program.
	{
		printf '\xdd\0\0\0\x44\x33\x22\x11\x88\x77\x66\x55\xcc\xbb\xaa\x99'
		head -c 24 /dev/zero
		printf '\x93\x80\xca\x14\0\0\0\0\0\0\0\0\0\0\0\0IDPP'
		head -c 100 /dev/zero
		printf aie_image
		head -c 100 /dev/zero
	} >"$1.pdi"
	xclbin-pack -q --force \
	    --add-section "MEM_TOPOLOGY:JSON:$1_mem_topology.json" \
	    --add-kernel "$1_kernels.json" --key-value USER:npu-utils.twin:copy \
	    --add-section "AIE_PARTITION:JSON:$1_aie_partition.json" \
	    -o "$1.xclbin"
}

# xdna_stream WORDS [GENERATION]: prints, as text, a stream of version 0.1 that
# moves WORDS words from buffer 0 to the array, and as many from the array to
# buffer 1.
xdna_stream() {
	local arg descriptor queue
	printf '%08x\n' $((0x06000100 | ${2:-3} << 16)) 0x105 7 272
	for arg in 0 1; do
		descriptor=$((0x1d000 + 32 * (1 - arg)))
		queue=$((arg == 0 ? 0x1d214 : 0x1d204))
		# Set the descriptor, patch its address, put it into the queue.
		printf '%08x\n' 1 0 $descriptor 48 "$1" 0 0 0 0 0 0 0x2000000 \
		    0x81 48 0 0 0 0 $((descriptor + 4)) 0 $arg 0 0 0 \
		    0 0 $queue 0 $((0x80000000 | 1 - arg)) 24
	done
	# Wait until the output is complete.
	printf '%08x\n' 0x80 16 0 0x10100
}
