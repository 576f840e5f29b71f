// SPDX-License-Identifier: Apache-2.0
/* abi.c - compares xdna_abi.h with the kernel's own header if the compiler has
 * it: every number, size and offset that is used here.  It contains no code. */
#include "xdna_abi.h"

#if __has_include(<drm/amdxdna_accel.h>)
#include <drm/drm.h>
#include <drm/amdxdna_accel.h>

#define NUMBER(ours, theirs) \
	static_assert((uint64_t)(ours) == (uint64_t)(theirs), #theirs)
#define SIZE(ours, theirs) \
	static_assert(sizeof(struct ours) == sizeof(struct theirs), #theirs)
#define MEMBER(ours, mine, theirs, member) \
	static_assert(offsetof(struct ours, mine) == \
	    offsetof(struct theirs, member) && \
	    sizeof(((struct ours *)0)->mine) == \
	    sizeof(((struct theirs *)0)->member), #theirs "." #member)

/* ---- Calls ------------------------------------------------------------- */

NUMBER(XDNA_VERSION, DRM_IOCTL_VERSION);
NUMBER(XDNA_GEM_CLOSE, DRM_IOCTL_GEM_CLOSE);
NUMBER(XDNA_TIMELINE_WAIT, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT);
NUMBER(XDNA_CREATE_HWCTX, DRM_IOCTL_AMDXDNA_CREATE_HWCTX);
NUMBER(XDNA_DESTROY_HWCTX, DRM_IOCTL_AMDXDNA_DESTROY_HWCTX);
NUMBER(XDNA_CONFIG_HWCTX, DRM_IOCTL_AMDXDNA_CONFIG_HWCTX);
NUMBER(XDNA_CREATE_BO, DRM_IOCTL_AMDXDNA_CREATE_BO);
NUMBER(XDNA_GET_BO_INFO, DRM_IOCTL_AMDXDNA_GET_BO_INFO);
NUMBER(XDNA_SYNC_BO, DRM_IOCTL_AMDXDNA_SYNC_BO);
NUMBER(XDNA_EXEC_CMD, DRM_IOCTL_AMDXDNA_EXEC_CMD);
NUMBER(XDNA_GET_INFO, DRM_IOCTL_AMDXDNA_GET_INFO);
#ifdef DRM_IOCTL_AMDXDNA_WAIT_CMD
NUMBER(XDNA_WAIT_CMD, DRM_IOCTL_AMDXDNA_WAIT_CMD);
SIZE(xdna_wait_cmd, amdxdna_drm_wait_cmd);
MEMBER(xdna_wait_cmd, timeout_ms, amdxdna_drm_wait_cmd, timeout);
MEMBER(xdna_wait_cmd, sequence, amdxdna_drm_wait_cmd, seq);
#endif

/* ---- Numbers ----------------------------------------------------------- */

/* Some headers have another name for type 1. */
NUMBER(XDNA_BO_SHMEM, AMDXDNA_BO_DEV_HEAP - 1);
NUMBER(XDNA_BO_HEAP, AMDXDNA_BO_DEV_HEAP);
NUMBER(XDNA_BO_DEV, AMDXDNA_BO_DEV);
NUMBER(XDNA_BO_CMD, AMDXDNA_BO_CMD);
NUMBER(XDNA_NOWHERE, AMDXDNA_INVALID_ADDR);
NUMBER(XDNA_TO_DEVICE, SYNC_DIRECT_TO_DEVICE);
NUMBER(XDNA_FROM_DEVICE, SYNC_DIRECT_FROM_DEVICE);
NUMBER(XDNA_INFO_AIE, DRM_AMDXDNA_QUERY_AIE_METADATA);
NUMBER(XDNA_INFO_POWER, DRM_AMDXDNA_GET_POWER_MODE);
NUMBER(XDNA_WAIT_FOR_SUBMIT, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT);
NUMBER(0, DRM_AMDXDNA_HWCTX_CONFIG_CU);
NUMBER(0, AMDXDNA_CMD_SUBMIT_EXEC_BUF);

/* ---- Structures -------------------------------------------------------- */

SIZE(xdna_version, drm_version);
MEMBER(xdna_version, major, drm_version, version_major);
MEMBER(xdna_version, minor, drm_version, version_minor);
MEMBER(xdna_version, patch, drm_version, version_patchlevel);
MEMBER(xdna_version, name_n, drm_version, name_len);
MEMBER(xdna_version, name, drm_version, name);
MEMBER(xdna_version, date_n, drm_version, date_len);
MEMBER(xdna_version, date, drm_version, date);
MEMBER(xdna_version, description_n, drm_version, desc_len);
MEMBER(xdna_version, description, drm_version, desc);

SIZE(xdna_gem_close, drm_gem_close);
MEMBER(xdna_gem_close, handle, drm_gem_close, handle);

SIZE(xdna_timeline_wait, drm_syncobj_timeline_wait);
MEMBER(xdna_timeline_wait, handles, drm_syncobj_timeline_wait, handles);
MEMBER(xdna_timeline_wait, points, drm_syncobj_timeline_wait, points);
MEMBER(xdna_timeline_wait, deadline_ns, drm_syncobj_timeline_wait,
    timeout_nsec);
MEMBER(xdna_timeline_wait, n, drm_syncobj_timeline_wait, count_handles);
MEMBER(xdna_timeline_wait, flags, drm_syncobj_timeline_wait, flags);
MEMBER(xdna_timeline_wait, first, drm_syncobj_timeline_wait, first_signaled);
MEMBER(xdna_timeline_wait, hint, drm_syncobj_timeline_wait, deadline_nsec);

SIZE(xdna_create_bo, amdxdna_drm_create_bo);
MEMBER(xdna_create_bo, flags, amdxdna_drm_create_bo, flags);
MEMBER(xdna_create_bo, vaddr, amdxdna_drm_create_bo, vaddr);
MEMBER(xdna_create_bo, size, amdxdna_drm_create_bo, size);
MEMBER(xdna_create_bo, type, amdxdna_drm_create_bo, type);
MEMBER(xdna_create_bo, handle, amdxdna_drm_create_bo, handle);

SIZE(xdna_get_bo_info, amdxdna_drm_get_bo_info);
MEMBER(xdna_get_bo_info, ext, amdxdna_drm_get_bo_info, ext);
MEMBER(xdna_get_bo_info, ext_flags, amdxdna_drm_get_bo_info, ext_flags);
MEMBER(xdna_get_bo_info, handle, amdxdna_drm_get_bo_info, handle);
MEMBER(xdna_get_bo_info, pad, amdxdna_drm_get_bo_info, pad);
MEMBER(xdna_get_bo_info, map_offset, amdxdna_drm_get_bo_info, map_offset);
MEMBER(xdna_get_bo_info, vaddr, amdxdna_drm_get_bo_info, vaddr);
MEMBER(xdna_get_bo_info, xdna_addr, amdxdna_drm_get_bo_info, xdna_addr);

SIZE(xdna_sync_bo, amdxdna_drm_sync_bo);
MEMBER(xdna_sync_bo, handle, amdxdna_drm_sync_bo, handle);
MEMBER(xdna_sync_bo, direction, amdxdna_drm_sync_bo, direction);
MEMBER(xdna_sync_bo, offset, amdxdna_drm_sync_bo, offset);
MEMBER(xdna_sync_bo, size, amdxdna_drm_sync_bo, size);

SIZE(xdna_get_info, amdxdna_drm_get_info);
MEMBER(xdna_get_info, param, amdxdna_drm_get_info, param);
MEMBER(xdna_get_info, size, amdxdna_drm_get_info, buffer_size);
MEMBER(xdna_get_info, buffer, amdxdna_drm_get_info, buffer);

SIZE(xdna_rows, amdxdna_drm_query_aie_tile_metadata);
MEMBER(xdna_rows, count, amdxdna_drm_query_aie_tile_metadata, row_count);
MEMBER(xdna_rows, start, amdxdna_drm_query_aie_tile_metadata, row_start);
MEMBER(xdna_rows, dma_channels, amdxdna_drm_query_aie_tile_metadata,
    dma_channel_count);
MEMBER(xdna_rows, locks, amdxdna_drm_query_aie_tile_metadata, lock_count);
MEMBER(xdna_rows, events, amdxdna_drm_query_aie_tile_metadata,
    event_reg_count);

SIZE(xdna_aie, amdxdna_drm_query_aie_metadata);
MEMBER(xdna_aie, column_size, amdxdna_drm_query_aie_metadata, col_size);
MEMBER(xdna_aie, columns, amdxdna_drm_query_aie_metadata, cols);
MEMBER(xdna_aie, rows, amdxdna_drm_query_aie_metadata, rows);
MEMBER(xdna_aie, major, amdxdna_drm_query_aie_metadata, version.major);
MEMBER(xdna_aie, minor, amdxdna_drm_query_aie_metadata, version.minor);
MEMBER(xdna_aie, core, amdxdna_drm_query_aie_metadata, core);
MEMBER(xdna_aie, memory, amdxdna_drm_query_aie_metadata, mem);
MEMBER(xdna_aie, shim, amdxdna_drm_query_aie_metadata, shim);

SIZE(xdna_power, amdxdna_drm_get_power_mode);
MEMBER(xdna_power, mode, amdxdna_drm_get_power_mode, power_mode);

SIZE(xdna_qos, amdxdna_qos_info);
MEMBER(xdna_qos, gops, amdxdna_qos_info, gops);
MEMBER(xdna_qos, fps, amdxdna_qos_info, fps);
MEMBER(xdna_qos, bandwidth, amdxdna_qos_info, dma_bandwidth);
MEMBER(xdna_qos, latency, amdxdna_qos_info, latency);
MEMBER(xdna_qos, frame_time, amdxdna_qos_info, frame_exec_time);
MEMBER(xdna_qos, priority, amdxdna_qos_info, priority);

SIZE(xdna_create_hwctx, amdxdna_drm_create_hwctx);
MEMBER(xdna_create_hwctx, ext, amdxdna_drm_create_hwctx, ext);
MEMBER(xdna_create_hwctx, ext_flags, amdxdna_drm_create_hwctx, ext_flags);
MEMBER(xdna_create_hwctx, qos, amdxdna_drm_create_hwctx, qos_p);
MEMBER(xdna_create_hwctx, umq_bo, amdxdna_drm_create_hwctx, umq_bo);
MEMBER(xdna_create_hwctx, log_buf_bo, amdxdna_drm_create_hwctx, log_buf_bo);
MEMBER(xdna_create_hwctx, operations, amdxdna_drm_create_hwctx, max_opc);
MEMBER(xdna_create_hwctx, tiles, amdxdna_drm_create_hwctx, num_tiles);
MEMBER(xdna_create_hwctx, memory, amdxdna_drm_create_hwctx, mem_size);
MEMBER(xdna_create_hwctx, doorbell, amdxdna_drm_create_hwctx, umq_doorbell);
MEMBER(xdna_create_hwctx, handle, amdxdna_drm_create_hwctx, handle);
MEMBER(xdna_create_hwctx, syncobj, amdxdna_drm_create_hwctx, syncobj_handle);

SIZE(xdna_destroy_hwctx, amdxdna_drm_destroy_hwctx);
MEMBER(xdna_destroy_hwctx, handle, amdxdna_drm_destroy_hwctx, handle);
MEMBER(xdna_destroy_hwctx, pad, amdxdna_drm_destroy_hwctx, pad);

SIZE(xdna_config_hwctx, amdxdna_drm_config_hwctx);
MEMBER(xdna_config_hwctx, handle, amdxdna_drm_config_hwctx, handle);
MEMBER(xdna_config_hwctx, type, amdxdna_drm_config_hwctx, param_type);
MEMBER(xdna_config_hwctx, value, amdxdna_drm_config_hwctx, param_val);
MEMBER(xdna_config_hwctx, size, amdxdna_drm_config_hwctx, param_val_size);
MEMBER(xdna_config_hwctx, pad, amdxdna_drm_config_hwctx, pad);

/* A list of one unit. */
NUMBER(sizeof(struct xdna_cus), sizeof(struct amdxdna_hwctx_param_config_cu) +
    sizeof(struct amdxdna_cu_config));
MEMBER(xdna_cus, n, amdxdna_hwctx_param_config_cu, num_cus);
MEMBER(xdna_cus, pad, amdxdna_hwctx_param_config_cu, pad);
NUMBER(offsetof(struct xdna_cus, bo),
    offsetof(struct amdxdna_hwctx_param_config_cu, cu_configs) +
    offsetof(struct amdxdna_cu_config, cu_bo));
NUMBER(offsetof(struct xdna_cus, function),
    offsetof(struct amdxdna_hwctx_param_config_cu, cu_configs) +
    offsetof(struct amdxdna_cu_config, cu_func));

SIZE(xdna_exec_cmd, amdxdna_drm_exec_cmd);
MEMBER(xdna_exec_cmd, ext, amdxdna_drm_exec_cmd, ext);
MEMBER(xdna_exec_cmd, ext_flags, amdxdna_drm_exec_cmd, ext_flags);
MEMBER(xdna_exec_cmd, hwctx, amdxdna_drm_exec_cmd, hwctx);
MEMBER(xdna_exec_cmd, type, amdxdna_drm_exec_cmd, type);
MEMBER(xdna_exec_cmd, command, amdxdna_drm_exec_cmd, cmd_handles);
MEMBER(xdna_exec_cmd, arguments, amdxdna_drm_exec_cmd, args);
MEMBER(xdna_exec_cmd, commands, amdxdna_drm_exec_cmd, cmd_count);
MEMBER(xdna_exec_cmd, n, amdxdna_drm_exec_cmd, arg_count);
MEMBER(xdna_exec_cmd, sequence, amdxdna_drm_exec_cmd, seq);

#endif
