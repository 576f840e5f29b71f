/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's NOE C ABI: our own declarations of what libnoe.so 2.0.2 (library
 * 0.6.0) exports, for C and C++: noe_abi(3).  The names are the vendor's,
 * because a program written for the vendor's header must compile with this one.
 * Static assertions check that layouts have the offsets measured in noe-abi 2.
 * This file belongs to neither side of the ABI: lib/device calls it, lib/emu
 * implements it.
 */
#ifndef NOE_ABI_H
#define NOE_ABI_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Only C++ has the vendor's default values of arguments and fields (noe-abi
 * 3.3). */
#ifdef __cplusplus
#define NOE_DEFAULT(value) = value
#else
#define NOE_DEFAULT(value)
#endif

/* ---- Statuses (noe-abi 4): name, number ------------------------------- */

#define NOE_STATUSES(X) \
	X(SUCCESS, 0x0) \
	X(ERROR_NULL_PTR, 0x1) \
	X(ERROR_INVALID_CTX, 0x2) \
	X(ERROR_OPEN_DEV_FAIL, 0x3) \
	X(ERROR_DEV_ABNORMAL, 0x4) \
	X(ERROR_DEINIT_FAIL, 0x5) \
	X(ERROR_INVALID_CONFIG, 0x6) \
	X(ERROR_UNKNOWN_BIN, 0x7) \
	X(ERROR_GVERSION_UNSUPPORTED, 0x8) \
	X(ERROR_INVALID_GBIN, 0x9) \
	X(ERROR_TARGET_NOT_FOUND, 0xA) \
	X(ERROR_INVALID_GRAPH_ID, 0xB) \
	X(ERROR_OPEN_FILE_FAIL, 0xC) \
	X(ERROR_MAP_FILE_FAIL, 0xD) \
	X(ERROR_READ_FILE_FAIL, 0xE) \
	X(ERROR_WRITE_FILE_FAIL, 0xF) \
	X(ERROR_INVALID_JOB_ID, 0x10) \
	X(ERROR_JOB_EXCEPTION, 0x11) \
	X(ERROR_JOB_TIMEOUT, 0x12) \
	X(ERROR_OP_NOT_SUPPORTED, 0x13) \
	X(ERROR_INVALID_OP, 0x14) \
	X(ERROR_INVALID_SIZE, 0x15) \
	X(ERROR_BUF_ALLOC_FAIL, 0x16) \
	X(ERROR_BUF_FREE_FAIL, 0x17) \
	X(ERROR_INVALID_CORE_ID, 0x18) \
	X(ERROR_RESERVE_SRAM_FAIL, 0x19) \
	X(ERROR_INVALID_TENSOR_ID, 0x1A) \
	X(ERROR_INVALID_CLUSTER_ID, 0x1B) \
	X(ERROR_INVALID_PARTITION_ID, 0x1C) \
	X(ERROR_PRINTF_FAIL, 0x1D) \
	X(ERROR_INVALID_TENSOR_TYPE, 0x1E) \
	X(ERROR_INVALID_GM, 0x1F) \
	X(ERROR_INVALID_SEGMMU, 0x20) \
	X(ERROR_INVALID_QOS, 0x21) \
	X(ERROR_INVALID_TENSOR_CNT, 0x22) \
	X(ERROR_TIMEOUT, 0x23) \
	X(ERROR_NO_BATCH_QUEUE, 0x24) \
	X(ERROR_MARK_SHARED_TENSOR, 0x25) \
	X(ERROR_SET_SHARED_TENSOR, 0x26) \
	X(ERROR_DMABUF_SHARED_IO, 0x27) \
	X(ERROR_GET_SHAPE_FAILED, 0x28) \
	X(ERROR_SET_SHAPE_FAILED, 0x29) \
	X(ERROR_NOT_CONFIG_SHAPE, 0x30) \
	X(ERROR_UNMATCH_OUT_SHAPE, 0x31) \
	X(ERROR_ZERO_TENSOR_SIZE, 0x32) \
	X(ERROR_ALLOC_GRIP_ID, 0x33) \
	X(ERROR_ALLOC_GROUP_ID, 0x34) \
	X(ERROR_NOT_FOUND_IN_HASHTABLE, 0x35) \
	X(ERROR_INVALID_COREDUMP, 0x36) \
	X(ERROR_JOB_DISPATCH_FAIL, 0x37)

/* Further numbers in the vendor's header, above its NOE_STATUS_MAX.  2.0.2 was
 * never seen to return one of these. */
#define NOE_MORE_STATUSES(X) \
	X(ERROR_UNKNOWN_ERROR, 0x200) \
	X(ERROR_KEYBOARD_INTERRUPT, 0x300) \
	X(ERROR_SYSTEM_ERR, 0x301) \
	X(ERROR_OUT_OF_SPEC, 0x380) \
	X(ERROR_OUT_OF_AIFF_SPEC, 0x381) \
	X(ERROR_OUT_OF_TPC_SPEC, 0x382) \
	X(ERROR_OUT_OF_DMA_SPEC, 0x383) \
	X(ERROR_OUT_OF_MEM_RANGE, 0x400) \
	X(ERROR_OUT_OF_SRAM_RANGE, 0x401) \
	X(ERROR_OUT_OF_LSRAM0_RANGE, 0x402) \
	X(ERROR_OUT_OF_LSRAM1_RANGE, 0x403) \
	X(ERROR_OUT_OF_LSRAM_RANGE, 0x404) \
	X(ERROR_OUT_OF_GSRAM0_RANGE, 0x405) \
	X(ERROR_OUT_OF_GSRAM1_RANGE, 0x406) \
	X(ERROR_OUT_OF_GSRAM_RANGE, 0x407) \
	X(ERROR_ARITHMETIC_ERR, 0x480) \
	X(ERROR_FLOAT_POINT_ERR, 0x481) \
	X(ERROR_UNDERFLOW_ERR, 0x482) \
	X(ERROR_OVERFLOW_ERR, 0x483) \
	X(ERROR_NOT_A_NUMBER_ERR, 0x484) \
	X(ERROR_INFINITY_ERR, 0x485) \
	X(ERROR_STRING_LENGTH_ERR, 0x486) \
	X(ERROR_ZERO_DIVISION_ERR, 0x487)

typedef enum {
#define X(name, number) NOE_STATUS_##name = number,
	NOE_STATUSES(X)
	NOE_MORE_STATUSES(X)
#undef X
	NOE_STATUS_MAX = 0x38
} noe_status_t;

/* ---- Enumerations (noe-abi 2) ----------------------------------------- */

typedef enum {
	NOE_TENSOR_TYPE_INPUT = 0,
	NOE_TENSOR_TYPE_OUTPUT = 1,
	NOE_TENSOR_TYPE_INTER_DUMP = 2,
	NOE_TENSOR_TYPE_PRINTF = 3,
	NOE_TENSOR_TYPE_PROFILER = 4,
	NOE_TENSOR_TYPE_LAYER_COUNTER = 5,
	NOE_TENSOR_TYPE_ERROR_CODE = 6,
	NOE_TENSOR_TYPE_OUT_TENSOR_SHAPE = 7,
} tensor_type_t;

typedef enum {
	NOE_JOB_STATUS_NO_STATUS = 0,
	NOE_JOB_STATUS_DONE = 1,
	NOE_JOB_STATUS_EXCEPTION = 2,
	NOE_JOB_COREDUMP = 3,
} job_status_t;

typedef enum {
	NOE_DEV_IDLE = 0,
	NOE_DEV_BUSY = 1,
	NOE_DEV_EXCEPTION = 2,
} noe_device_status_t;

/* data_type: the codes of enum npu_dtype in npu.h. */
typedef enum {
	NOE_DATA_TYPE_NONE = 0,
	NOE_DATA_TYPE_BOOL = 1,
	NOE_DATA_TYPE_U8 = 2,
	NOE_DATA_TYPE_S8 = 3,
	NOE_DATA_TYPE_U16 = 4,
	NOE_DATA_TYPE_S16 = 5,
	NOE_DATA_TYPE_U32 = 6,
	NOE_DATA_TYPE_S32 = 7,
	NOE_DATA_TYPE_U64 = 8,
	NOE_DATA_TYPE_S64 = 9,
	NOE_DATA_TYPE_F16 = 0xa,
	NOE_DATA_TYPE_F32 = 0xb,
	NOE_DATA_TYPE_F64 = 0xc,
	NOE_DATA_TYPE_BF16 = 0xd,
	NOE_DATA_TYPE_ALIGNED_U4 = 0x12,
	NOE_DATA_TYPE_ALIGNED_S4 = 0x13,
	NOE_DATA_TYPE_ALIGNED_U12 = 0x14,
	NOE_DATA_TYPE_ALIGNED_S12 = 0x15,
	NOE_DATA_TYPE_COMPACT_U4 = 0x20,
	NOE_DATA_TYPE_COMPACT_S4 = 0x21,
	NOE_DATA_TYPE_COMPACT_U12 = 0x22,
	NOE_DATA_TYPE_COMPACT_S12 = 0x23,
} noe_data_type_t;

typedef enum {
	NOE_DEVICE_CPU = 0,
	NOE_DEVICE_NPU = 1,
	NOE_DEVICE_GPU = 2,
#ifdef NOE_ABI_DEVICES		/* the vendor's names, which other code also
				   uses */
	cpu = 0,
	npu = 1,
	gpu = 2,
#endif
} device_type_t;

typedef enum {
	NOE_IOCTL_SET_PROFILE = 255,
	NOE_IOCTL_GET_NOEBIN_BUILDVERSION = 256,
	NOE_IOCTL_GET_DS_NUM = 257,
	NOE_IOCTL_GET_DS_DIM_NUM = 258,
	NOE_IOCTL_GET_DS_INFO = 259,
	NOE_IOCTL_SET_DS_INFO = 260,
	NOE_IOCTL_ALLOC_SHARE_BUF = 261,
	NOE_IOCTL_FREE_SHARE_BUF = 262,
	NOE_IOCTL_ALLOC_DMABUF = 263,
	NOE_IOCTL_FREE_DMABUF = 264,
	NOE_IOCTL_GET_DMABUF_INFO = 265,
	NOE_IOCTL_WRITE_DMABUF = 266,
	NOE_IOCTL_READ_DMABUF = 267,
	NOE_IOCTL_ATTACH_DMABUF = 268,
	NOE_IOCTL_DETACH_DMABUF = 269,
	NOE_IOCTL_GET_VERSION = 270,
	NOE_IOCTL_ABORT_CMDPOOL = 271,
	NOE_IOCTL_ENABLE_TICKCOUNTER = 272,
	NOE_IOCTL_DISABLE_TICKCOUNTER = 273,
} ioctl_cmd_t;

/* Bits of noe_config_global() and noe_config_job(). */
typedef uint64_t env_type_t;

typedef enum {
	NOE_JOB_CONFIG_TYPE_DUMP_TEXT = 0x1,
	NOE_JOB_CONFIG_TYPE_DUMP_WEIGHT = 0x2,
	NOE_JOB_CONFIG_TYPE_DUMP_RODATA = 0x4,
	NOE_JOB_CONFIG_TYPE_DUMP_DESCRIPTOR = 0x8,
	NOE_JOB_CONFIG_TYPE_DUMP_INPUT = 0x10,
	NOE_JOB_CONFIG_TYPE_DUMP_OUTPUT = 0x20,
	NOE_JOB_CONFIG_TYPE_DUMP_REUSE = 0x40,
	NOE_JOB_CONFIG_TYPE_DUMP_TCB_CHAIN = 0x80,
	NOE_JOB_CONFIG_TYPE_DUMP_EMULATION = 0x100,
	NOE_JOB_CONFIG_TYPE_DUMP_PROFILE = 0x200,
	NOE_CONFIG_TYPE_SIMULATION = 0x400,
	NOE_CONFIG_TYPE_HW = 0x800,
	NOE_GLOBAL_CONFIG_TYPE_DISABLE_VER_CHECK = 0x1000,
	NOE_GLOBAL_CONFIG_TYPE_ENABLE_VER_CHECK = 0x2000,
} noe_config_type_t;

enum { NOE_JOB_CONFIG_TYPE_DUMP_ALL = 0x3ff };	/* our addition */

typedef enum {
	NOE_JOB_PART0 = 0,
	NOE_JOB_PART1 = 1,
	NOE_JOB_PART2 = 2,
	NOE_JOB_PART3 = 3,
} noe_job_part_t;

typedef enum {
	NOE_JOB_QOS_SLOW = 0,
	NOE_JOB_QOS_HIGH = 1,
} noe_job_qos_t;

typedef enum {
	NOE_MEM_REGION_DEFAULT = 0,
	NOE_MEM_REGION_SRAM = 1,
	NOE_MEM_REGION_DTCM = 2,
} noe_mem_region_t;

/* shared_case_type: the buffer is the library's, a dma-buf of the NPU's driver,
 * a buffer from another allocator, or a dma-buf of another driver. */
typedef enum {
	NOE_SHARE_BUF_IN_ONE_PROCESS = 0,
	NOE_SHARE_BUF_DMABUF = 1,
	NOE_SHARE_BUF_CUSTOMED = 2,
	NOE_SHARE_BUF_ATTACH_DMABUF = 3,
} noe_share_case_type_t;

/* ---- Structures (noe-abi 2) ------------------------------------------- */

/* The layout in 2.x; 3.x has another layout.  Only lib/emu reads it. */
typedef struct context_handler {
	uint32_t handle;
} context_handler_t;

typedef struct {
	uint32_t id;
	uint32_t size;			/* bytes */
	float scale;			/* steps per unit */
	int32_t zero_point;		/* steps */
	noe_data_type_t data_type;
} tensor_desc_t;

typedef struct noe_dynshape_num {
	uint64_t graph_id;
	uint32_t *ds_num;
} noe_dynshape_num_t;

typedef struct noe_dynshape_dim_num {
	uint64_t graph_id;
	uint32_t ds_idx;
	bool max_threshhold;
	uint32_t *ds_dim_num;
} noe_dynshape_dim_num_t;

typedef struct noe_dynshape_info {
	uint64_t graph_id;
	uint32_t ds_idx;
	bool max_threshhold;
	uint32_t *ds_data;
} noe_dynshape_info_t;

typedef struct noe_dynshape_item {
	uint32_t ds_idx;
	uint32_t *ds_data;
} noe_dynshape_item_t;

typedef struct noe_dynshape_param {
	uint32_t input_shape_cnt;
	noe_dynshape_item_t *shape_items;
} noe_dynshape_param_t;

/* The structures in the unions, as the vendor declares them. */
#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnested-anon-types"
#endif

/*
 * misc bits: partition_id 0-3, dbg_dispatch 4, dbg_core_id 5-7, qos_level
 * 8-11, fm_mem_region 12-15, wt_mem_region 16-19.  All zero is normal.
 */
typedef struct job_config_npu {
	union {
		uint32_t misc NOE_DEFAULT(0);
		__extension__ struct {
			uint8_t partition_id : 4;
			uint8_t dbg_dispatch : 1;
			uint8_t dbg_core_id : 3;
			uint8_t qos_level : 4;
			uint8_t fm_mem_region : 4;
			uint8_t wt_mem_region : 4;
		};
	};
	int32_t *fm_idxes;
	int32_t fm_idxes_cnt;
	noe_dynshape_param_t *dynshape;
} job_config_npu_t;

typedef struct job_config {
	job_config_npu_t *conf_j_npu;
} job_config_t;

typedef struct graph_config_npu {
	union {
		uint32_t misc NOE_DEFAULT(0);
		__extension__ struct {
			uint8_t wt_mem_region : 4;
		};
	};
	int32_t *wt_idxes;
	int32_t wt_idxes_cnt;
	const char *extra_weight_path;
} graph_config_npu_t;

typedef struct graph_config {
	graph_config_npu_t *conf_g_npu;
} graph_config_t;

#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic pop
#endif

typedef struct noe_driver_version {
	char umd_version[16];
	char kmd_version[16];
} noe_driver_version_t;

typedef struct noe_cix_buildversion {
	uint64_t graph_id;
	uint32_t noe_cix_buildversion;
} noe_cix_buildversion_t;

typedef struct {
	bool poll_in_commit_thread;
	bool enable_tec_done_irq;
} noe_global_config_hw_t;

typedef struct {
	const char *data_dir;
} job_config_simulation_t;

typedef struct {
	const char *simulator;
	const char *log_file_path;
	const char *npu_arch_desc;
	const char *plugin_name;
	const char *json_filename;
	uint32_t log_level;
	uint32_t gm_size;
	bool verbose;
	bool enable_avx;
	bool enable_calloc;
	bool en_eval;
	bool en_l2d;
	bool en_fast_perf;
	uint32_t freq_mhz;
	uint32_t ddr_latency_rd;
	uint32_t ddr_latency_wr;
	uint32_t ddr_bw;
	float ddr_bw_ratio;
	const char *perf_report;
} noe_global_config_simulation_t;

typedef struct job_config_dump {
	const char *dump_dir;
	const char *prefix;
	const char *output_prefix;
	const char *misc_prefix;
} job_config_dump_t;

typedef struct shared_tensor_info_npu {
	tensor_type_t type;
	uint32_t tensor_idx;
	uint64_t id;
	uint64_t pa;
	int dmabuf_fd;
	uint32_t offset_in_dmabuf;
	int shared_case_type;
} shared_tensor_info_npu_t;

typedef struct shared_tensor_info {
	shared_tensor_info_npu_t *st_npu;
} shared_tensor_info_t;

/* Arguments of noe_ioctl() for dma-buf requests and share buffers. */
typedef struct noe_dmabuf_op {
	int dmabuf_fd;
	uint32_t offset_in_dmabuf;
	uint32_t size;			/* bytes */
	char *data;
} noe_dmabuf_op_t;

typedef struct noe_share_buf {
	uint64_t pa;			/* out */
	uint64_t va;			/* out */
	uint32_t size;			/* bytes */
	uint32_t mem_type;		/* noe_mem_region_t */
} noe_share_buf_t;

typedef struct noe_dma_buf_req {
	int fd;
	uint64_t bytes;
} noe_dma_buf_req_t;

typedef struct noe_dma_buf_desc {
	int fd;
	uint64_t pa;
	uint64_t bytes;
} noe_dma_buf_desc_t;

/* Never invoked by 2.0.2 (noe-abi 1.5). */
typedef int (*job_callback_func_t)(uint64_t job_id, job_status_t state);

#define NOE_AT(type, field, offset) \
	static_assert(offsetof(type, field) == (offset), #type "." #field)
#define NOE_SIZE(type, size, align) \
	static_assert(sizeof(type) == (size) && alignof(type) == (align), \
	    #type)

NOE_SIZE(context_handler_t, 4, 4);
NOE_SIZE(tensor_desc_t, 20, 4);
NOE_AT(tensor_desc_t, size, 4);
NOE_AT(tensor_desc_t, scale, 8);
NOE_AT(tensor_desc_t, zero_point, 12);
NOE_AT(tensor_desc_t, data_type, 16);
NOE_SIZE(job_config_npu_t, 32, 8);
NOE_AT(job_config_npu_t, fm_idxes, 8);
NOE_AT(job_config_npu_t, fm_idxes_cnt, 16);
NOE_AT(job_config_npu_t, dynshape, 24);
NOE_SIZE(job_config_t, 8, 8);
NOE_SIZE(graph_config_npu_t, 32, 8);
NOE_AT(graph_config_npu_t, wt_idxes, 8);
NOE_AT(graph_config_npu_t, wt_idxes_cnt, 16);
NOE_AT(graph_config_npu_t, extra_weight_path, 24);
NOE_SIZE(graph_config_t, 8, 8);
NOE_SIZE(noe_driver_version_t, 32, 1);
NOE_AT(noe_driver_version_t, kmd_version, 16);
NOE_SIZE(noe_cix_buildversion_t, 16, 8);
NOE_AT(noe_cix_buildversion_t, noe_cix_buildversion, 8);
NOE_SIZE(noe_global_config_hw_t, 2, 1);
NOE_SIZE(job_config_dump_t, 32, 8);
NOE_SIZE(noe_global_config_simulation_t, 88, 8);
NOE_AT(noe_global_config_simulation_t, freq_mhz, 56);
NOE_AT(noe_global_config_simulation_t, perf_report, 80);
NOE_SIZE(noe_dmabuf_op_t, 24, 8);
NOE_SIZE(noe_share_buf_t, 24, 8);
NOE_SIZE(noe_dma_buf_req_t, 16, 8);
NOE_SIZE(noe_dma_buf_desc_t, 24, 8);
NOE_SIZE(shared_tensor_info_npu_t, 40, 8);
NOE_AT(shared_tensor_info_npu_t, id, 8);
NOE_AT(shared_tensor_info_npu_t, pa, 16);
NOE_AT(shared_tensor_info_npu_t, dmabuf_fd, 24);
NOE_AT(shared_tensor_info_npu_t, shared_case_type, 32);
NOE_SIZE(noe_dynshape_num_t, 16, 8);
NOE_SIZE(noe_dynshape_dim_num_t, 24, 8);
NOE_AT(noe_dynshape_dim_num_t, ds_dim_num, 16);
NOE_SIZE(noe_dynshape_info_t, 24, 8);
NOE_AT(noe_dynshape_info_t, ds_data, 16);
NOE_SIZE(noe_dynshape_item_t, 16, 8);
NOE_SIZE(noe_dynshape_param_t, 16, 8);
NOE_SIZE(noe_status_t, 4, 4);

/* ---- Functions (noe-abi 3.1) ------------------------------------------ */

#ifdef __cplusplus
extern "C" {
#endif

/* The prototype in 2.x.  3.x has a second argument (noe-abi 10), which
 * lib/device always passes: on both of our architectures 2.x ignores it. */
noe_status_t noe_init_context(context_handler_t **ctx);
noe_status_t noe_deinit_context(const context_handler_t *ctx);
noe_status_t noe_get_error_message(const context_handler_t *ctx,
    noe_status_t status, const char **msg);
noe_status_t noe_config_global(const context_handler_t *ctx, uint64_t types,
    void *config);
noe_status_t noe_load_graph(const context_handler_t *ctx, const char *file,
    uint64_t *id, graph_config_t *config NOE_DEFAULT(nullptr));
noe_status_t noe_load_graph_helper(const context_handler_t *ctx,
    const char *graph, uint32_t size, uint64_t *id,
    graph_config_t *config NOE_DEFAULT(nullptr));
noe_status_t noe_unload_graph(const context_handler_t *ctx, uint64_t graph);
noe_status_t noe_create_job(const context_handler_t *ctx, uint64_t graph,
    uint64_t *job, job_config_t *config NOE_DEFAULT(nullptr));
noe_status_t noe_clean_job(const context_handler_t *ctx, uint64_t job);
noe_status_t noe_job_infer_sync(const context_handler_t *ctx, uint64_t job,
    int32_t timeout_ms);
noe_status_t noe_job_infer_async(const context_handler_t *ctx, uint64_t job,
    job_callback_func_t callback NOE_DEFAULT(nullptr));
noe_status_t noe_get_job_status(const context_handler_t *ctx, uint64_t job,
    job_status_t *status, int32_t timeout_ms NOE_DEFAULT(0));
noe_status_t noe_load_tensor(const context_handler_t *ctx, uint64_t job,
    uint32_t tensor, const void *data);
noe_status_t noe_get_tensor(const context_handler_t *ctx, uint64_t job,
    tensor_type_t type, uint32_t tensor, void *data);
noe_status_t noe_get_tensor_count(const context_handler_t *ctx,
    uint64_t graph, tensor_type_t type, uint32_t *count);
noe_status_t noe_get_tensor_descriptor(const context_handler_t *ctx,
    uint64_t graph, tensor_type_t type, uint32_t tensor, tensor_desc_t *desc);
noe_status_t noe_get_partition_count(const context_handler_t *ctx,
    uint32_t *count);
noe_status_t noe_get_cluster_count(const context_handler_t *ctx,
    uint32_t partition, uint32_t *count);
noe_status_t noe_get_core_count(const context_handler_t *ctx,
    uint32_t partition, uint32_t cluster, uint32_t *count);
noe_status_t noe_get_target(const context_handler_t *ctx, char *target);
noe_status_t noe_config_job(const context_handler_t *ctx, uint64_t job,
    uint64_t types, void *config);
noe_status_t noe_specify_iobuf(const context_handler_t *ctx, uint64_t job,
    shared_tensor_info_t *info);
noe_status_t noe_ioctl(context_handler_t *ctx, device_type_t device,
    ioctl_cmd_t cmd, void *arg NOE_DEFAULT(nullptr));
noe_status_t noe_set_freq(int index);
noe_status_t noe_debugger_bind_job(const context_handler_t *ctx, uint32_t id,
    uint64_t job);
noe_status_t noe_debugger_run_job(const context_handler_t *ctx, uint64_t job);
noe_status_t noe_create_batch_queue(const context_handler_t *ctx,
    uint64_t graph, uint32_t *queue);
noe_status_t noe_clean_batch_queue(const context_handler_t *ctx,
    uint64_t graph, uint32_t queue);
noe_status_t noe_config_batch_dump(const context_handler_t *ctx,
    uint64_t graph, uint32_t queue, uint64_t types, job_config_dump_t *config);
noe_status_t noe_add_batch(const context_handler_t *ctx, uint64_t graph,
    uint32_t queue, char *inputs[], char *outputs[]);
noe_status_t noe_finish_batch(const context_handler_t *ctx, uint64_t graph,
    uint32_t queue, job_config_t *config);

/* Exported only by our emulator; -d npu recognises the emulator by this name
 * (architecture, The device). */
const char *noe_emu_version(void);

/* An ONNX model for the emulator. */
struct noe_emu_onnx {
	const char *file;	/* its path */
	const void *container;	/* a container for the emulator with the
				   inputs and outputs of the model */
	size_t size;		/* bytes of the container */
	uint32_t threads;	/* of ONNX Runtime in each run; 0: 1 */
	uint32_t zhouyi;	/* 1: on the NPU, by ONNX Runtime's provider */
	uint32_t fallback;	/* 1: nodes that the provider does not take run
				   on the processor */
	const char *cache;	/* with zhouyi: the compiled model, which is
				   made if it does not exist; NULL: none */
};

/* Exported only by our emulator: loads an ONNX model as a graph.  The statuses
 * are those of noe_load_graph(). */
noe_status_t noe_emu_load_onnx(const context_handler_t *ctx,
    const struct noe_emu_onnx *model, uint64_t *id);

#ifdef __cplusplus
}
#endif

#endif
