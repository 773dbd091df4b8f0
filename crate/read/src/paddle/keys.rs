//! The keys of events and of their arguments that only Paddle has.

crate::chrome::keys::keys! {
    START_TIME = "start_time";
    END_TIME = "end_time";

    INPUT_SHAPES = "input_shapes";
    INPUT_TYPES = "input_dtypes";
    CALL_STACK = "callstack";

    CORRELATION = "correlation id";
    DEVICE = "device";
    STREAM = "stream";
    BYTES = "bytes";
    GRID = "grid";
    BLOCK = "block";
    REGISTERS = "registers per thread";
    SHARED_MEMORY = "shared memory";
    BLOCKS_PER_SM = "blocks per SM";
    WARPS_PER_SM = "warps per SM";
    OCCUPANCY = "theoretical achieved occupancy %";

    PLACE = "place";
    ADDRESS = "addr";
    INCREASE = "increase_bytes";
    ALLOCATED = "current_allocated";
    RESERVED = "current_reserved";
    PEAK_ALLOCATED = "peak_allocated";
    PEAK_RESERVED = "peak_reserved";
}
