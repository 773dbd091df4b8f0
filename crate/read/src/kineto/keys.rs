//! The keys of events and of their arguments that only Kineto has.

crate::chrome::keys::keys! {
    EXTERNAL_ID = "External id";
    SEQUENCE_NUMBER = "Sequence number";
    FORWARD_THREAD = "Fwd thread id";
    INPUT_DIMS = "Input Dims";
    INPUT_TYPE = "Input type";
    CALL_STACK = "Call stack";
    CONCRETE_INPUTS = "Concrete Inputs";

    CORRELATION = "correlation";
    DEVICE = "device";
    STREAM = "stream";
    BYTES = "bytes";
    GRID = "grid";
    BLOCK = "block";
    REGISTERS = "registers per thread";
    SHARED_MEMORY = "shared memory";
    BLOCKS_PER_SM = "blocks per SM";
    WARPS_PER_SM = "warps per SM";
    OCCUPANCY = "est. achieved occupancy %";
    GRAPH_ID = "graph id";

    COLLECTIVE_NAME = "Collective name";
    INPUT_ELEMENTS = "In msg nelems";
    OUTPUT_ELEMENTS = "Out msg nelems";
    GROUP_SIZE = "Group size";
    DTYPE = "dtype";
    GROUP_NAME = "Process Group Name";
    GROUP_DESCRIPTION = "Process Group Description";
    GROUP_RANKS = "Process Group Ranks";
    SEQUENCE = "Seq";
    SOURCE_RANK = "Src Rank";
    DESTINATION_RANK = "Dst Rank";

    ADDRESS = "Addr";
    MEMORY_BYTES = "Bytes";
    TOTAL_ALLOCATED = "Total Allocated";
    TOTAL_RESERVED = "Total Reserved";
    DEVICE_TYPE = "Device Type";
    DEVICE_ID = "Device Id";
    POOL = "Pool";

    AWAITED_STREAM = "wait_on_stream";
    AWAITED_RECORD = "wait_on_cuda_event_record_corr_id";

    // Only in this tool's exports.
    CLASS = "stepscope class";
    COMMUNICATION = "stepscope communication";
    STEP = "stepscope step";
    GRAPH = "graph";
    WARM_UP = "warm_up";
    SAMPLES = "samples";
    PARTIAL = "partial";
}
