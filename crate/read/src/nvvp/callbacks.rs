//! Functions by CUPTI's callback ids.
//!
//! nvprof records a called function by CUPTI's id (documented: `CUpti_runtime_api_trace_cbid` and
//! `CUpti_driver_api_trace_cbid`, to which versions only add). These are the functions that training programs call.
//! Variants for per-thread default streams have the same names.

/// The name of a function of the CUDA runtime.
pub(super) fn runtime(id: i64) -> Option<&'static str> {
    find(&RUNTIME, id)
}

/// The name of a function of the driver.
pub(super) fn driver(id: i64) -> Option<&'static str> {
    find(&DRIVER, id)
}

fn find(functions: &[(u16, &'static str)], id: i64) -> Option<&'static str> {
    let found = functions.binary_search_by_key(&id, |(id, _)| i64::from(*id)).ok()?;
    Some(functions[found].1)
}

/// Functions of the CUDA runtime.
#[rustfmt::skip]
const RUNTIME: [(u16, &str); 138] = [
    (1, "cudaDriverGetVersion"), (2, "cudaRuntimeGetVersion"), (3, "cudaGetDeviceCount"),
    (4, "cudaGetDeviceProperties"), (8, "cudaConfigureCall"), (9, "cudaSetupArgument"), (10, "cudaGetLastError"),
    (11, "cudaPeekAtLastError"), (13, "cudaLaunch"), (14, "cudaFuncSetCacheConfig"), (15, "cudaFuncGetAttributes"),
    (16, "cudaSetDevice"), (17, "cudaGetDevice"), (19, "cudaSetDeviceFlags"), (20, "cudaMalloc"),
    (21, "cudaMallocPitch"), (22, "cudaFree"), (23, "cudaMallocArray"), (24, "cudaFreeArray"),
    (25, "cudaMallocHost"), (26, "cudaFreeHost"), (27, "cudaHostAlloc"), (28, "cudaHostGetDevicePointer"),
    (30, "cudaMemGetInfo"), (31, "cudaMemcpy"), (32, "cudaMemcpy2D"), (39, "cudaMemcpyToSymbol"),
    (40, "cudaMemcpyFromSymbol"), (41, "cudaMemcpyAsync"), (44, "cudaMemcpy2DAsync"),
    (47, "cudaMemcpyToSymbolAsync"), (48, "cudaMemcpyFromSymbolAsync"), (49, "cudaMemset"), (50, "cudaMemset2D"),
    (51, "cudaMemsetAsync"), (52, "cudaMemset2DAsync"), (53, "cudaGetSymbolAddress"), (54, "cudaGetSymbolSize"),
    (126, "cudaThreadSynchronize"), (129, "cudaStreamCreate"), (130, "cudaStreamDestroy"),
    (131, "cudaStreamSynchronize"), (132, "cudaStreamQuery"), (133, "cudaEventCreate"),
    (134, "cudaEventCreateWithFlags"), (135, "cudaEventRecord"), (136, "cudaEventDestroy"),
    (137, "cudaEventSynchronize"), (138, "cudaEventQuery"), (139, "cudaEventElapsedTime"), (144, "cudaMemcpy3D"),
    (145, "cudaMemcpy3DAsync"), (147, "cudaStreamWaitEvent"), (151, "cudaPointerGetAttributes"),
    (152, "cudaHostRegister"), (153, "cudaHostUnregister"), (154, "cudaDeviceCanAccessPeer"),
    (155, "cudaDeviceEnablePeerAccess"), (160, "cudaMemcpyPeer"), (161, "cudaMemcpyPeerAsync"),
    (164, "cudaDeviceReset"), (165, "cudaDeviceSynchronize"), (166, "cudaDeviceGetLimit"),
    (167, "cudaDeviceSetLimit"), (171, "cudaProfilerStart"), (172, "cudaProfilerStop"),
    (174, "cudaDeviceGetPCIBusId"), (178, "cudaIpcGetMemHandle"), (179, "cudaIpcOpenMemHandle"),
    (182, "cudaFuncSetSharedMemConfig"), (197, "cudaStreamAddCallback"), (198, "cudaStreamCreateWithFlags"),
    (200, "cudaDeviceGetAttribute"), (201, "cudaStreamDestroy"), (202, "cudaStreamCreateWithPriority"),
    (203, "cudaStreamGetPriority"), (205, "cudaDeviceGetStreamPriorityRange"), (206, "cudaMallocManaged"),
    (207, "cudaOccupancyMaxActiveBlocksPerMultiprocessor"), (210, "cudaOccupancyMaxActiveBlocksPerMultiprocessor"),
    (211, "cudaLaunchKernel"), (212, "cudaGetDeviceFlags"), (213, "cudaLaunch"), (214, "cudaLaunchKernel"),
    (215, "cudaMemcpy"), (216, "cudaMemcpy2D"), (223, "cudaMemcpyToSymbol"), (224, "cudaMemcpyFromSymbol"),
    (225, "cudaMemcpyAsync"), (228, "cudaMemcpy2DAsync"), (231, "cudaMemcpyToSymbolAsync"),
    (232, "cudaMemcpyFromSymbolAsync"), (233, "cudaMemset"), (234, "cudaMemset2D"), (235, "cudaMemsetAsync"),
    (236, "cudaMemset2DAsync"), (237, "cudaStreamGetPriority"), (239, "cudaStreamSynchronize"),
    (240, "cudaStreamQuery"), (242, "cudaEventRecord"), (245, "cudaMemcpy3D"), (246, "cudaMemcpy3DAsync"),
    (247, "cudaStreamWaitEvent"), (248, "cudaStreamAddCallback"),
    (251, "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"), (252, "cudaMemPrefetchAsync"),
    (253, "cudaMemPrefetchAsync"), (254, "cudaMemAdvise"), (269, "cudaLaunchCooperativeKernel"),
    (270, "cudaLaunchCooperativeKernel"), (273, "cudaFuncSetAttribute"), (284, "cudaLaunchHostFunc"),
    (285, "cudaLaunchHostFunc"), (286, "cudaGraphCreate"), (310, "cudaGraphInstantiate"), (311, "cudaGraphLaunch"),
    (312, "cudaGraphLaunch"), (313, "cudaGraphExecDestroy"), (314, "cudaGraphDestroy"),
    (315, "cudaStreamBeginCapture"), (316, "cudaStreamBeginCapture"), (317, "cudaStreamIsCapturing"),
    (318, "cudaStreamIsCapturing"), (319, "cudaStreamEndCapture"), (320, "cudaStreamEndCapture"),
    (324, "cudaStreamGetCaptureInfo"), (325, "cudaStreamGetCaptureInfo"),
    (327, "cudaThreadExchangeStreamCaptureMode"), (370, "cudaEventRecordWithFlags"),
    (371, "cudaEventRecordWithFlags"), (373, "cudaMallocAsync"), (374, "cudaMallocAsync"), (375, "cudaFreeAsync"),
    (376, "cudaFreeAsync"), (377, "cudaMemPoolTrimTo"), (430, "cudaLaunchKernelExC"), (431, "cudaLaunchKernelExC"),
    (443, "cudaGraphInstantiate"),
];

/// Functions of the driver.
#[rustfmt::skip]
const DRIVER: [(u16, &str); 176] = [
    (1, "cuInit"), (2, "cuDriverGetVersion"), (3, "cuDeviceGet"), (4, "cuDeviceGetCount"), (5, "cuDeviceGetName"),
    (7, "cuDeviceTotalMem"), (8, "cuDeviceGetProperties"), (9, "cuDeviceGetAttribute"), (10, "cuCtxCreate"),
    (11, "cuCtxDestroy"), (14, "cuCtxPushCurrent"), (15, "cuCtxPopCurrent"), (16, "cuCtxGetDevice"),
    (17, "cuCtxSynchronize"), (18, "cuModuleLoad"), (19, "cuModuleLoadData"), (20, "cuModuleLoadDataEx"),
    (21, "cuModuleLoadFatBinary"), (22, "cuModuleUnload"), (23, "cuModuleGetFunction"), (24, "cuModuleGetGlobal"),
    (27, "cuMemGetInfo"), (29, "cuMemAlloc"), (31, "cuMemAllocPitch"), (33, "cuMemFree"), (37, "cuMemAllocHost"),
    (38, "cuMemFreeHost"), (39, "cuMemHostAlloc"), (43, "cuMemcpyHtoD"), (45, "cuMemcpyDtoH"), (47, "cuMemcpyDtoD"),
    (56, "cuMemcpy2D"), (57, "cuMemcpy2DUnaligned"), (58, "cuMemcpy3D"), (60, "cuMemcpyHtoDAsync"),
    (62, "cuMemcpyDtoHAsync"), (64, "cuMemcpyDtoDAsync"), (68, "cuMemcpy2DAsync"), (69, "cuMemcpy3DAsync"),
    (71, "cuMemsetD8"), (73, "cuMemsetD16"), (75, "cuMemsetD32"), (77, "cuMemsetD2D8"), (83, "cuFuncSetBlockShape"),
    (84, "cuFuncSetSharedSize"), (85, "cuFuncGetAttribute"), (86, "cuFuncSetCacheConfig"), (110, "cuParamSetSize"),
    (111, "cuParamSeti"), (113, "cuParamSetv"), (115, "cuLaunch"), (116, "cuLaunchGrid"), (117, "cuLaunchGridAsync"),
    (118, "cuEventCreate"), (119, "cuEventRecord"), (120, "cuEventQuery"), (121, "cuEventSynchronize"),
    (122, "cuEventDestroy"), (123, "cuEventElapsedTime"), (124, "cuStreamCreate"), (125, "cuStreamQuery"),
    (126, "cuStreamSynchronize"), (127, "cuStreamDestroy"), (216, "cuMemsetD8Async"), (218, "cuMemsetD16Async"),
    (220, "cuMemsetD32Async"), (235, "cuCtxCreate_v2"), (241, "cuModuleGetGlobal_v2"), (242, "cuMemGetInfo_v2"),
    (243, "cuMemAlloc_v2"), (244, "cuMemAllocPitch_v2"), (245, "cuMemFree_v2"), (248, "cuMemcpy_v2"),
    (249, "cuMemsetD8_v2"), (250, "cuMemsetD16_v2"), (251, "cuMemsetD32_v2"), (252, "cuMemsetD2D8_v2"),
    (259, "cuDeviceTotalMem_v2"), (271, "cuMemHostAlloc_v2"), (276, "cuMemcpyHtoD_v2"),
    (277, "cuMemcpyHtoDAsync_v2"), (278, "cuMemcpyDtoH_v2"), (279, "cuMemcpyDtoHAsync_v2"), (280, "cuMemcpyDtoD_v2"),
    (281, "cuMemcpyDtoDAsync_v2"), (287, "cuMemcpy2D_v2"), (288, "cuMemcpy2DUnaligned_v2"),
    (289, "cuMemcpy2DAsync_v2"), (290, "cuMemcpy3D_v2"), (291, "cuMemcpy3DAsync_v2"), (294, "cuMemAllocHost_v2"),
    (295, "cuStreamWaitEvent"), (301, "cuMemHostRegister"), (302, "cuMemHostUnregister"), (303, "cuCtxSetCurrent"),
    (304, "cuCtxGetCurrent"), (305, "cuMemcpy"), (306, "cuMemcpyAsync"), (307, "cuLaunchKernel"),
    (308, "cuProfilerStart"), (309, "cuProfilerStop"), (310, "cuPointerGetAttribute"), (318, "cuMemcpyPeer"),
    (319, "cuMemcpyPeerAsync"), (322, "cuCtxDestroy_v2"), (323, "cuCtxPushCurrent_v2"), (324, "cuCtxPopCurrent_v2"),
    (325, "cuEventDestroy_v2"), (326, "cuStreamDestroy_v2"), (332, "cuDeviceGetPCIBusId"),
    (346, "cuStreamAddCallback"), (362, "cuLinkCreate"), (363, "cuLinkAddData"), (365, "cuLinkComplete"),
    (367, "cuStreamCreateWithPriority"), (371, "cuMemAllocManaged"),
    (374, "cuOccupancyMaxActiveBlocksPerMultiprocessor"), (379, "cuMemHostRegister_v2"), (381, "cuLinkCreate_v2"),
    (382, "cuLinkAddData_v2"), (386, "cuDevicePrimaryCtxRetain"), (387, "cuDevicePrimaryCtxRelease"),
    (392, "cuDevicePrimaryCtxGetState"), (397, "cuMemcpyHtoD_v2"), (398, "cuMemcpyDtoH_v2"),
    (399, "cuMemcpyDtoD_v2"), (405, "cuMemcpy2D_v2"), (406, "cuMemcpy2DUnaligned_v2"), (407, "cuMemcpy3D_v2"),
    (408, "cuMemcpy"), (409, "cuMemcpyPeer"), (411, "cuMemsetD8_v2"), (412, "cuMemsetD16_v2"),
    (413, "cuMemsetD32_v2"), (414, "cuMemsetD2D8_v2"), (418, "cuMemcpyAsync"), (421, "cuMemcpyHtoDAsync_v2"),
    (422, "cuMemcpyDtoHAsync_v2"), (423, "cuMemcpyDtoDAsync_v2"), (424, "cuMemcpy2DAsync_v2"),
    (425, "cuMemcpy3DAsync_v2"), (426, "cuMemcpyPeerAsync"), (428, "cuMemsetD8Async"), (429, "cuMemsetD16Async"),
    (430, "cuMemsetD32Async"), (436, "cuStreamWaitEvent"), (437, "cuStreamAddCallback"), (439, "cuStreamQuery"),
    (440, "cuStreamSynchronize"), (441, "cuEventRecord"), (442, "cuLaunchKernel"), (467, "cuMemPrefetchAsync"),
    (468, "cuMemPrefetchAsync"), (477, "cuLaunchCooperativeKernel"), (478, "cuLaunchCooperativeKernel"),
    (481, "cuFuncSetAttribute"), (482, "cuDeviceGetUuid"), (513, "cuGraphInstantiate"), (514, "cuGraphLaunch"),
    (515, "cuGraphLaunch"), (527, "cuLaunchHostFunc"), (528, "cuLaunchHostFunc"),
    (544, "cuDevicePrimaryCtxRelease_v2"), (578, "cuGraphInstantiate_v2"), (598, "cuMemAllocAsync"),
    (599, "cuMemAllocAsync"), (600, "cuMemFreeAsync"), (601, "cuMemFreeAsync"), (645, "cuCtxCreate_v3"),
    (647, "cuDeviceGetUuid_v2"), (652, "cuLaunchKernelEx"), (653, "cuLaunchKernelEx"),
    (716, "cuMemPrefetchAsync_v2"), (717, "cuMemPrefetchAsync_v2"), (757, "cuCtxCreate_v4"),
    (780, "cuEventElapsedTime_v2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rise() {
        assert!(RUNTIME.is_sorted_by_key(|(id, _)| *id) && DRIVER.is_sorted_by_key(|(id, _)| *id));
        assert_eq!((runtime(211), driver(307)), (Some("cudaLaunchKernel"), Some("cuLaunchKernel")));
        assert_eq!((runtime(0), runtime(-1), driver(60_000)), (None, None, None));
    }
}
