//! The meaning of an event's category, in Kineto's words, which exports use. METRICS section 1: it decides, in any case
//! of letters.

use super::slices::Class;

/// The meaning of a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CategoryKind {
    /// All its events are of this class.
    Class(Class),
    /// MTIA's device events: the class depends on the name.
    MtiaDevice,
}

impl CategoryKind {
    /// The kind of a category with that text.
    #[must_use]
    pub fn of(category: &[u8]) -> Self {
        let category = category.to_ascii_lowercase();
        Self::Class(match &category[..] {
            b"cpu_op" | b"operator" => Class::Operator,
            b"user_annotation" => Class::Annotation,
            b"python_function" => Class::PythonFrame,
            b"kernel" | b"hpu_op" => Class::Kernel,
            b"gpu_memcpy" | b"memcpy" => Class::Memcpy,
            b"gpu_memset" | b"memset" => Class::Memset,
            b"gpu_user_annotation" => Class::DeviceAnnotation,
            b"cuda_sync" | b"xpu_sync" => Class::Synchronization,
            b"cuda_event" => Class::DeviceMarker,
            b"overhead" => Class::Overhead,
            // The ranges of CUPTI's range profiler, which divide the whole span evenly.
            b"trace" | b"cuda_profiler_range" => Class::ProfilerSpan,
            b"mtia_ccp_events" => return Self::MtiaDevice,
            // cuda, mtia, xpu, glow, privateuse1; and plain `Runtime` of PyTorch 1.8.
            category if category.ends_with(b"runtime") || category.ends_with(b"_driver") => Class::RuntimeCall,
            _ => Class::Other,
        })
    }

    /// The class of an event with that name.
    #[must_use]
    #[inline]
    pub fn class(self, name: &[u8]) -> Class {
        match self {
            Self::Class(class) => class,
            Self::MtiaDevice if name.starts_with(b"dma_") => Class::Memcpy,
            Self::MtiaDevice if name.starts_with(b"event_") => Class::DeviceMarker,
            Self::MtiaDevice => Class::Kernel,
        }
    }
}
