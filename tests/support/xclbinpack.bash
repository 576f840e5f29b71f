# SPDX-License-Identifier: Apache-2.0
# Inputs for xclbin-pack, of every kind that its rules distinguish, and the
# results of xclbinutil for them.
# shellcheck shell=bash

# pack_inputs: writes the inputs to the working directory.
pack_inputs() {
	# Types that can and that cannot be part of a group, unused banks, both
	# sizes.
	cat >memories.json <<-'END'
	{"mem_topology": {"m_count": "5", "m_mem_data": [
	 {"m_type": "MEM_DRAM", "m_used": "0", "m_sizeKB": "0x10000",
	  "m_tag": "HOST", "m_base_address": "0x4000000"},
	 {"m_type": "MEM_BRAM", "m_used": 1, "m_size": "0xc000",
	  "m_tag": "SRAM", "m_base_address": 67108864},
	 {"m_type": "MEM_STREAMING_CONNECTION", "m_used": "0",
	  "m_tag": "a/b\"\\\u0001", "m_base_address": "0x4"},
	 {"m_type": "MEM_HBM", "m_used": "1", "m_sizeKB": 4, "m_tag": "é",
	  "m_base_address": "8"},
	 {"m_type": "MEM_DDR4", "m_used": 0, "m_tag": "last",
	  "m_base_address": "0xffffffffffffffff"}]}}
	END
	# Names that are escaped in XML and in the mirror; types with blanks;
	# two instances.
	cat >kernels.json <<-'END'
	{"ps-kernels": {"kernels": [
	 {"name": "A<&>\"'/", "type": "dpu", "extended-data":
	  {"functional": "PrePost", "dpu_kernel_id": "0x101", "subtype": "DPU",
	   "more": "\t'"},
	  "arguments": [
	   {"name": "op/", "address-qualifier": "SCALAR", "type": "uint64_t",
	    "offset": "0x00"},
	   {"memory-connection": "SRAM", "type": "char  *", "name": "instr",
	    "offset": 8, "address-qualifier": "GLOBAL"},
	   {"name": "n", "address-qualifier": "CONSTANT", "type": "int",
	    "offset": "010"},
	   {"name": "b", "address-qualifier": "STREAM", "type": " u int16_t",
	    "offset": "0x14", "memory-connection": "HOST"},
	   {"name": "c", "address-qualifier": "LOCAL", "type": "float",
	    "offset": "0x1c", "memory-connection": "1,4"}],
	  "instances": [{"name": "x"}, {"name": "y/\\"}]},
	 {"name": " ", "extended-data": {"dpu_kernel_id": 257},
	  "instances": [{"name": "of a PS"}]},
	 {"name": "none"},
	 {"name": "B", "extended-data": {"subtype": "1", "functional": "0",
	   "dpu_kernel_id": "2305"},
	  "arguments": [
	   {"name": "bo", "address-qualifier": "GLOBAL", "type": "void*",
	    "offset": "0x14", "memory-connection": "é", "use-id": 0}],
	  "instances": [{"name": "z"}]}]}}
	END
	cat >more.kernels.json <<-'END'
	{"ps-kernels": {"kernels": [
	 {"name": "C", "extended-data": {"subtype": 1, "functional": "DPU",
	   "dpu_kernel_id": "0x102"}, "arguments": [],
	  "instances": [{"name": "w"}]}]}}
	END
	# Two PDIs of different lengths, groups of all kinds, an empty list.
	printf 'one' >one.pdi
	printf 'the second' >two.pdi
	cat >partition.json <<-'END'
	{"aie_partition": {"name": "unused", "operations_per_cycle": 2048,
	 "inference_fingerprint": "18446744073709551615",
	 "pre_post_fingerprint": "12345", "kernel_commit_id": "0123456789",
	 "partition": {"column_width": "3", "start_columns": ["0", 1, 4]},
	 "PDIs": [
	  {"uuid": "6b1f9d52-3c7e-4a10-9f86-2d04c5b7e831",
	   "file_name": "./one.pdi", "cdo_groups": [
	   {"name": "first one", "type": "primary", "pdi_id": "0x01",
	    "dpu_kernel_ids": ["0x101", 258, "0x901"],
	    "pre_cdo_groups": ["0xC1"]},
	   {"pdi_id": 2, "pre_cdo_groups": []},
	   {"name": "", "type": "PRE_POST", "pdi_id": "0xffffffffffffffff"}]},
	  {"uuid": "0xAb7", "file_name": "two.pdi", "cdo_groups": [
	   {"name": "n", "type": "LITE", "pdi_id": "3",
	    "dpu_kernel_ids": ["0x0"]}]}]}}
	END
	cat >layout.json <<-'END'
	{"ip_layout": {"m_count": 6, "m_ip_data": [
	 {"m_type": "IP_KERNEL", "m_int_enable": "1", "m_interrupt_id": "3",
	  "m_ip_control": "AP_CTRL_CHAIN", "m_base_address": "0x10000",
	  "m_name": "k:a"},
	 {"m_type": "IP_MEM_HBM", "m_index": "3", "m_pc_index": 2,
	  "m_base_address": "not_used", "m_name": "HBM"},
	 {"m_type": "IP_PS_KERNEL", "m_subtype": "DPU", "m_functional": "1",
	  "m_kernel_id": "0x901", "m_base_address": "not_used",
	  "m_name": "p:a"},
	 {"m_type": "IP_PS_KERNEL", "m_subtype": "PS", "m_functional":
	  "PrePost", "m_kernel_id": 34, "m_base_address": "not_used",
	  "m_name": "p:b"},
	 {"m_type": "IP_PS_KERNEL", "m_base_address": 4096, "m_name": "p:c"},
	 {"m_type": "IP_DNASC", "properties": "0x33", "m_base_address":
	  "not_used", "m_name": "d/x"}]}}
	END
	# Connections out of order, an argument twice, banks that cannot be
	# grouped.
	cat >connections.json <<-'END'
	{"connectivity": {"m_count": "7", "m_connection": [
	 {"arg_index": "3", "m_ip_layout_index": "1", "mem_data_index": "3"},
	 {"arg_index": 5, "m_ip_layout_index": "0", "mem_data_index": 1},
	 {"arg_index": "1", "m_ip_layout_index": "1", "mem_data_index": "3"},
	 {"arg_index": "4", "m_ip_layout_index": "0", "mem_data_index": "3"},
	 {"arg_index": "2", "m_ip_layout_index": "0", "mem_data_index": "0"},
	 {"arg_index": "9", "m_ip_layout_index": "0", "mem_data_index": "2"},
	 {"arg_index": "0", "m_ip_layout_index": "0", "mem_data_index": "3"}]}}
	END
	printf '{"build_metadata":{"dsa":{"e":""},"a/":[1,null,true,[],{}]},"x":0}' \
	    >build.json
	printf 'bytes' >a.name.longer.than.it.may.be
	printf '<xml/>' >.hidden
}

# pack_project: writes the files that aiecc leaves to the working directory.
pack_project() {
	pack_inputs
	mv memories.json main_mem_topology.json
	mv more.kernels.json main_kernels.json
	mv partition.json main_aie_partition.json
	rm kernels.json
}

# pack_cases: prints NAME|TIME|SHA-256|OPTIONS.  OPTIONS are words without
# blanks; ~ in a word stands for a blank.  xclbinutil 2.25.0 of Debian
# (1:2.25.0-4+b1) wrote a file with this SHA-256 at TIME, in seconds since 1970,
# with these options and --key-value
# SYS:XclbinUUID:00112233445566778899aabbccddeeff.  It wrote each file under the
# name NAME.xclbin, one case after the other.
pack_cases() {
	cat <<-'END'
	kernels|1795839824|b0aa049dc846875eb2c2e86ecff4cfaab390e97c35f5e30c016ba1399b1a69da|--add-section MEM_TOPOLOGY:JSON:memories.json --add-kernel kernels.json
	two-kernel-files|1795839826|2bf20c8a52f174b81a560f301311f24d53c6c5246fdc1ae1d2d06f5c53ec3bcf|--add-section MEM_TOPOLOGY:JSON:memories.json --add-kernel kernels.json --add-kernel more.kernels.json
	kernels-behind-a-layout|1795839828|1a4f2ff850ae7438638536ff25b5bd86d32a169725633cd8f53fc4a2db0e1606|--add-section MEM_TOPOLOGY:JSON:memories.json --add-section IP_LAYOUT:JSON:layout.json --add-kernel kernels.json
	no-groups|1795839830|d26612c1b3e7b37797d0785490ad97d523f8b277c464f9b30ff89113a7f5b822|--add-section MEM_TOPOLOGY:JSON:memories.json --add-kernel kernels.json --skip-bank-grouping
	all|1795839832|fe0b72e79fac2da0376b58f6184753a0e395f228b78ead25585188376154f583|--add-section AIE_PARTITION:JSON:partition.json --add-replace-section MEM_TOPOLOGY:JSON:memories.json --add-kernel kernels.json --key-value USER:k:v
	label|1795839835|404f5b07dcfc1785c326e66d65499f13544ae0ef0ec0bd7a49cba5383fa6d81d|--add-section AIE_PARTITION[a~/"é]:JSON:partition.json
	two-partitions|1795839837|3fb879f5c8c0cb7a375acadf70b74e7fae774cb7bc91b469b91077b3efd4d744|--add-section AIE_PARTITION:JSON:partition.json --add-section AIE_PARTITION[b]:JSON:partition.json
	layout|1795839840|534730cf1c94674cce66ce4af30dfcde4a916c2ea2b9d45963d10ec6408f9c15|--add-section IP_LAYOUT:JSON:layout.json
	connections|1795839843|e36c6d18a825d16e2b51f7dfa44db66da9c70c7fb7ceea3f905d0dee865a5605|--add-section CONNECTIVITY:JSON:connections.json --add-section MEM_TOPOLOGY:JSON:memories.json
	memories|1795839845|d87a72c59ac8cca567cf274758fd08617eedc9d70c5819b0c7fed96df78afab2|--add-section MEM_TOPOLOGY:JSON:memories.json
	raw|1795839848|790e9b2ea39442f8d1dfc4d387888a7c1c81adaf1438da53e213f26ee314b909|--add-section BITSTREAM:RAW:a.name.longer.than.it.may.be --add-section EMBEDDED_METADATA:RAW:.hidden --add-section USER_METADATA:RAW:one.pdi --add-section SYSTEM_METADATA:RAW:two.pdi
	keys|1795839850|5cb5cb4bd3ccf3bc33262d5d77dc871565f9a6555e3c155065301325a526df54|--key-value user:a/b:1:2:3 --key-value USER:q"é\x: --key-value USER::~ --key-value USER:a/b:again
	build|1795839852|cbce54b13c55e45c21d4880260948fd11c7f955ddb5a7ca15ea6efab72bce92d|--add-section BUILD_METADATA:RAW:build.json --add-section PDI:RAW:one.pdi
	removed|1795839824|d0d5e617acf670ab80f04040e97f9ca48fb800c725a276eba914e5eaa813a1d1|--input kernels.xclbin --remove-section IP_LAYOUT --remove-section GROUP_TOPOLOGY --add-section IP_LAYOUT:JSON:layout.json
	added-again|1795839824|370183998b81966ae7558d7a5e9648def52a7b999a7b38242c188e49f474bb86|--input kernels.xclbin --add-replace-section MEM_TOPOLOGY:JSON:memories.json --remove-section CONNECTIVITY
	grouped-anew|1795839824|c1fe144547e7e4a21cd85027ac4c0e7f82a86c58fa563e2d49c9d978b7af1810|--input kernels.xclbin --remove-section GROUP_TOPOLOGY --remove-section GROUP_CONNECTIVITY --remove-section CONNECTIVITY --add-section CONNECTIVITY:JSON:connections.json
	other-kernels|1795839832|4c94ddf3689c9732eaff28f149be71e3c4b0c39e19a42d0dddd1c80fb0ccddd6|--input all.xclbin --remove-section EMBEDDED_METADATA --remove-section CONNECTIVITY --remove-section IP_LAYOUT --add-kernel more.kernels.json
	other-label|1795839835|d66f68377e645ad2d8db4e75f7b98cdc2e75071352a805536495e4f4b01c76bd|--input label.xclbin --remove-section AIE_PARTITION[a~/"é] --add-section AIE_PARTITION:JSON:partition.json
	label-instead|1795839832|61423c775622ac349b360f4b6556ad0e028bc5f54c3968d0cded1a73d817d9ce|--input all.xclbin --add-replace-section AIE_PARTITION[x]:JSON:partition.json
	other-keys|1795839850|44f1c54f0511d65067a7d64083b568d103be491635e7bad1ba81bfbb1b9b1947|--input keys.xclbin --key-value USER:a/b:new --key-value USER:n:m
	END
}

# pack_words OPTIONS: sets the array words to the words of OPTIONS.
pack_words() {
	read -r -a words <<<"$1"
	words=("${words[@]//\~/ }")
}
