/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All checks of a model file, one row each.  The texts of the checks are only
 * here.  When a file is refused, err->detail is the row's number, and the
 * message contains the text of this row only.  tests/tools/mkcix.c makes a
 * damaged file for each row.
 *
 * kind is what a check protects, and who may leave it out:
 *   FORMAT  the bytes cannot be understood, or library 2.0.2 crashes or
 *           refuses while loading (noe-abi 4.10)
 *   LATE    2.0.2 loads the file and crashes in noe_create_job()
 *   OURS    2.0.2 does not check; trusting the bytes would harm us or
 *           the user
 *   LIMIT   the same, but nobody may leave it out: it limits our own work
 */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/err.h"

#define CIX_CHECKS(X) \
	/* Files that are not containers, by format. */ \
	X(EMPTY, FORMAT, "empty", \
	    "the file is empty; fetch it again") \
	X(LFS_POINTER, FORMAT, "lfs-pointer", \
	    "a git-LFS pointer, not the model it stands for; run " \
	    "'git lfs pull' in the repository it came from") \
	X(WEB_PAGE, FORMAT, "web-page", \
	    "a web page, not a model; fetch the file itself, not the page " \
	    "that shows it") \
	X(BARE_ELF, FORMAT, "bare-elf", \
	    "a bare graph ELF without its .cix container; give the .cix " \
	    "file that the compiler writes around it") \
	X(OTHER_ELF, FORMAT, "other-elf", \
	    "a program, library or module, not a model; is this the right " \
	    "file?") \
	X(AIPU_BIN, FORMAT, "aipu-bin", \
	    "the old \"AIPU BIN\" format of earlier Zhouyi NPUs; compile " \
	    "the model again for X2_1204") \
	X(ZEROS, FORMAT, "zeros", \
	    "nothing but zero bytes, as an interrupted download leaves; " \
	    "fetch it again") \
	X(PLAIN_TEXT, FORMAT, "plain-text", \
	    "plain text, not a model; is this the right file?") \
	X(ONNX, FORMAT, "onnx", \
	    "an ONNX model, not yet a .cix; CixBuilder compiles it for the " \
	    "NPU, cix-pack wraps it for the emulator") \
	X(TFLITE, FORMAT, "tflite", \
	    "a TensorFlow Lite model, not yet a .cix; CixBuilder compiles " \
	    "it for the NPU") \
	X(ZIP, FORMAT, "zip", \
	    "a zip archive, as PyTorch saves models, not yet a .cix; export " \
	    "the model as ONNX, which CixBuilder compiles") \
	X(HDF5, FORMAT, "hdf5", \
	    "an HDF5 file, as Keras saves models, not yet a .cix; export " \
	    "the model as ONNX, which CixBuilder compiles") \
	X(GGUF, FORMAT, "gguf", \
	    "a GGUF model, for llama.cpp, not yet a .cix; CixBuilder " \
	    "compiles the ONNX model that it was made from") \
	X(GGML, FORMAT, "ggml", \
	    "a GGML model, for llama.cpp before GGUF, not yet a .cix; " \
	    "CixBuilder compiles the ONNX model that it was made from") \
	X(ORT, FORMAT, "ort", \
	    "a model in ONNX Runtime's ORT format, not yet a .cix; " \
	    "CixBuilder compiles the ONNX model that it was made from") \
	X(TORCH, FORMAT, "torch", \
	    "a file of PyTorch's torch.save(), not yet a .cix; export the " \
	    "model as ONNX, which CixBuilder compiles") \
	X(SAFETENSORS, FORMAT, "safetensors", \
	    "weights without a graph, in safetensors, not yet a .cix; " \
	    "export the model as ONNX, which CixBuilder compiles") \
	X(XCLBIN, FORMAT, "xclbin", \
	    "an xclbin, for AMD's NPUs and FPGAs, not a .cix; xclbin-info " \
	    "shows what is in it") \
	X(NPY, FORMAT, "npy", \
	    "a .npy array, not a model; npu-run takes it as input, after " \
	    "the model, and npu-tensor shows it") \
	X(RKNN, FORMAT, "rknn", \
	    "an RKNN model, for Rockchip's NPUs, not a .cix; CixBuilder " \
	    "compiles the ONNX model that it was made from") \
	X(SHORT, FORMAT, "short", \
	    "too short to be a model; fetch it again") \
	/* The FlatBuffers container: noe-abi 7. */ \
	X(FB_ROOT, FORMAT, "fb-root", \
	    "not a .cix model: bad offset in the first 4 bytes") \
	X(FB_OFFSET, FORMAT, "fb-offset", \
	    "cut short, or damaged: an offset leads outside the file; " \
	    "fetch it again") \
	X(FB_VTABLE, FORMAT, "fb-vtable", \
	    "damaged container: a table has no sound vtable") \
	X(FB_FIELD, FORMAT, "fb-field", \
	    "damaged container: a field lies outside its table") \
	X(FB_VECTOR, FORMAT, "fb-vector", \
	    "cut short, or damaged: a list runs past the end of the file; " \
	    "fetch it again") \
	X(FB_STRING, FORMAT, "fb-string", \
	    "cut short, or damaged: a string runs past the end of the file; " \
	    "fetch it again") \
	X(FB_REQUIRED, FORMAT, "fb-required", \
	    "damaged container: a required field is missing") \
	X(NO_SUBGRAPH, FORMAT, "no-subgraph", \
	    "the container holds no subgraph") \
	X(MANY_SUBGRAPHS, LIMIT, "many-subgraphs", \
	    "the container holds too many subgraphs") \
	X(OVERLAP, LIMIT, "overlap", \
	    "the subgraphs together are larger than the file") \
	/* The first subgraph, which the library loads. */ \
	X(GRAPH_EMPTY, FORMAT, "graph-empty", \
	    "the first subgraph has no bytes") \
	X(GRAPH_AIPU_BIN, FORMAT, "graph-aipu-bin", \
	    "the first subgraph is an \"AIPU BIN\" graph of earlier Zhouyi " \
	    "NPUs; compile the model again for X2_1204") \
	X(NOT_NPU, FORMAT, "not-npu", \
	    "the first subgraph is not for the NPU; the library runs that " \
	    "one only, so compile the model for the NPU as a whole") \
	/* The graph ELF: noe-abi 8. */ \
	X(ELF_SHORT, FORMAT, "elf-short", \
	    "the graph is shorter than an ELF header; fetch the file again") \
	X(ELF_CLASS, FORMAT, "elf-class", \
	    "the graph is not a 32-bit little-endian ELF") \
	X(ELF_TYPE, FORMAT, "elf-type", \
	    "the graph's ELF type is not 2") \
	X(ELF_MACHINE, FORMAT, "elf-machine", \
	    "the graph's ELF machine is not 0x29a, the Zhouyi NPU") \
	X(ELF_VERSION, FORMAT, "elf-version", \
	    "the graph's ELF version is not 1") \
	X(ELF_ENTRY, FORMAT, "elf-entry", \
	    "the graph's section headers are not 40 bytes each") \
	X(ELF_HEADERS, FORMAT, "elf-headers", \
	    "the graph is cut short: its section headers run past its end") \
	X(ELF_SECTION, FORMAT, "elf-section", \
	    "the graph is cut short: a section runs past its end") \
	X(ELF_STRINGS, FORMAT, "elf-strings", \
	    "the graph has no table of section names") \
	X(ELF_NAME, FORMAT, "elf-name", \
	    "a section's name lies outside the table of section names") \
	X(NO_TEXT, FORMAT, "no-text", \
	    "the graph has no .text section") \
	X(TEXT_EMPTY, LATE, "text-empty", \
	    "the graph's .text section has no bytes") \
	X(NO_NOTES, FORMAT, "no-notes", \
	    "the graph has no .note.aipu section") \
	X(NOTE_CUT, FORMAT, "note-cut", \
	    "a note runs past the end of .note.aipu") \
	X(NO_FMLIST, FORMAT, "no-fmlist", \
	    "the graph has no fmlist note") \
	X(NO_SUBGRAPHS, FORMAT, "no-subgraphs", \
	    "the graph has no subgraphs note") \
	X(NO_COMPILERMSG, FORMAT, "no-compilermsg", \
	    "the graph has no compilermsg note") \
	X(NO_RODATA, LATE, "no-rodata", \
	    "the graph has no rodata note") \
	X(COMPILERMSG_CUT, FORMAT, "compilermsg-cut", \
	    "the compilermsg note is shorter than 48 bytes") \
	X(FMLIST_CUT, FORMAT, "fmlist-cut", \
	    "the fmlist note ends before what it counts") \
	X(FMLIST_NONE, FORMAT, "fmlist-none", \
	    "the fmlist note counts no list") \
	X(STACK_SIZE, FORMAT, "stack-size", \
	    "a feature-map list has stack size 0") \
	X(STACK_ALIGN, FORMAT, "stack-align", \
	    "a feature-map list has stack alignment 0") \
	X(NO_REUSE, FORMAT, "no-reuse", \
	    "a feature-map list has no reuse section") \
	X(SECTION_EMPTY, LATE, "section-empty", \
	    "a reuse section has size 0") \
	X(STATIC_RANGE, FORMAT, "static-range", \
	    "a static section lies outside the weight note") \
	X(SLOT, LATE, "slot", \
	    "an address slot lies outside the rodata and desc notes") \
	X(REMAP_CUT, FORMAT, "remap-cut", \
	    "the remap note ends before what it counts") \
	X(SUBGRAPHS_CUT, FORMAT, "subgraphs-cut", \
	    "the subgraphs note ends before what it counts") \
	X(SUBGRAPHS_NONE, OURS, "subgraphs-none", \
	    "the subgraphs note counts no entry") \
	X(PRIVATE_DATA, LATE, "private-data", \
	    "an entry of the subgraphs note has private data size 0") \
	/* The tensors. */ \
	X(MANY_TENSORS, LIMIT, "many-tensors", \
	    "the graph has too many tensors") \
	X(TENSOR_RANGE, OURS, "tensor-range", \
	    "a tensor runs past the end of its section") \
	X(TENSOR_EMPTY, OURS, "tensor-empty", \
	    "a tensor has no bytes") \
	X(TENSOR_ELEMENTS, OURS, "tensor-elements", \
	    "a tensor is not a whole number of elements") \
	X(TENSOR_SCALE, OURS, "tensor-scale", \
	    "a tensor's scale is negative or not a finite number")

enum cix_check {
	CIX_SOUND = 0,
#define X(id, kind, name, text) CIX_BAD_##id,
	CIX_CHECKS(X)
#undef X
	CIX_BAD_END
};

enum cix_check_kind { CIX_FORMAT, CIX_LATE, CIX_OURS, CIX_LIMIT };

/* Returns a name such as "elf-type", or NULL if check is not a check's
 * number. */
const char *cix_check_name(int check);
/* Returns the text that all messages of this check contain, and no others. */
const char *cix_check_text(int check);
enum cix_check_kind cix_check_kind(int check);

/* Fails with the check's text.  fmt: the values found and the limits exceeded,
 * or "". */
int cix_refuse(struct npu_err *err, enum cix_check check, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

/* Every check uses this macro.  A test build can leave out a check and prove
 * that a test notices this (tests/long/leave-out-checks). */
#ifdef CIX_TEST
extern int cix_skip;		/* enum cix_check */
#define CIX_BROKEN(check, broken) ((broken) && cix_skip != (int)(check))
#else
#define CIX_BROKEN(check, broken) (broken)
#endif

#endif
