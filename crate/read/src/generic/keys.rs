//! The argument keys that identify events of JAX and TensorFlow.

crate::chrome::keys::keys! {
    STEP_NUMBER = "step_num";
    HLO_OP = "hlo_op";
    LONG_NAME = "long_name";
    EAGER = "is_eager";
    CORRELATION = "correlation_id";
    MEMCPY_DETAILS = "memcpy_details";
}
