//! What a category of Kineto's says about an event. METRICS section 1: it decides, in any case of letters.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::trace::{Class, NameId, TraceBuilder};

/// What a category is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// All its events are of this class.
    Class(Class),
    /// MTIA's device events: the name says more.
    MtiaDevice,
}

/// A category that occurred.
#[derive(Clone, Copy, Debug)]
pub(super) struct Category {
    /// Its number in the trace.
    pub(super) number: u16,
    /// What it is.
    pub(super) kind: Kind,
}

impl Category {
    /// The class of an event of that name.
    #[inline]
    pub(super) fn class(self, name: &[u8]) -> Class {
        match self.kind {
            Kind::Class(class) => class,
            Kind::MtiaDevice if name.starts_with(b"dma_") => Class::Memcpy,
            Kind::MtiaDevice if name.starts_with(b"event_") => Class::DeviceMarker,
            Kind::MtiaDevice => Class::Kernel,
        }
    }
}

/// The categories that occurred so far, by their name's handle. The last one is the likeliest.
#[derive(Default)]
pub(super) struct Categories {
    known: HashMap<NameId, Category, FxBuildHasher>,
    last: Option<(Vec<u8>, Category)>,
}

impl Categories {
    #[inline]
    pub(super) fn get(&mut self, builder: &mut TraceBuilder, text: &[u8]) -> Category {
        if let Some((last, category)) = &self.last
            && *last == text
        {
            return *category;
        }
        self.find(builder, text)
    }

    fn find(&mut self, builder: &mut TraceBuilder, text: &[u8]) -> Category {
        let name = builder.intern(text);
        let new = || Category { number: builder.category(text), kind: kind(text) };
        let category = *self.known.entry(name).or_insert_with(new);
        let last = self.last.get_or_insert_with(|| (Vec::new(), category));
        text.clone_into(&mut last.0);
        last.1 = category;
        category
    }
}

/// What Kineto's reader makes of the categories of a trace.
///
/// An export says of a slice what it is only where its category does not.
#[derive(Debug)]
pub(crate) struct CategoryClasses(Vec<Kind>);

impl CategoryClasses {
    /// Of the categories in a trace's order, by their texts.
    pub(crate) fn of<'a>(categories: impl Iterator<Item = &'a str>) -> Self {
        Self(categories.map(|category| kind(category.as_bytes())).collect())
    }

    /// The class of a slice by its category's number, or by none, and its name.
    pub(crate) fn class(&self, category: Option<usize>, name: &str) -> Class {
        let kind = category.and_then(|category| self.0.get(category)).copied().unwrap_or(Kind::Class(Class::Other));
        Category { number: 0, kind }.class(name.as_bytes())
    }
}

fn kind(category: &[u8]) -> Kind {
    let category = category.to_ascii_lowercase();
    Kind::Class(match &category[..] {
        b"cpu_op" | b"operator" => Class::Operator,
        b"user_annotation" => Class::Annotation,
        // Paddle's, in our own export of its traces.
        b"dataloader"
        | b"profilestep"
        | b"userdefined"
        | b"pythonuserdefined"
        | b"operatorinner"
        | b"forward"
        | b"backward"
        | b"optimization"
        | b"dygraphkernellaunch"
        | b"statickernellaunch" => Class::Annotation,
        b"pythonop" | b"communication" => Class::Operator,
        b"python_function" => Class::PythonFrame,
        b"kernel" | b"hpu_op" => Class::Kernel,
        b"gpu_memcpy" | b"memcpy" => Class::Memcpy,
        b"gpu_memset" | b"memset" => Class::Memset,
        b"gpu_user_annotation" => Class::DeviceAnnotation,
        b"cuda_sync" | b"xpu_sync" => Class::Synchronization,
        b"cuda_event" => Class::DeviceMarker,
        b"overhead" => Class::Overhead,
        b"trace" => Class::ProfilerSpan,
        // What our exports of MindSpore's traces hold, which are read back here.
        b"hccl" => Class::Kernel,
        b"collective_part" => Class::DeviceAnnotation,
        b"npu_event" => Class::DeviceMarker,
        b"step_trace" => Class::Annotation,
        b"overlap_analysis" => Class::ProfilerSpan,
        b"mtia_ccp_events" => return Kind::MtiaDevice,
        // cuda, mtia, xpu, glow, privateuse1; and plain `Runtime` of PyTorch 1.8.
        category if category.ends_with(b"runtime") || category.ends_with(b"_driver") => Class::RuntimeCall,
        _ => Class::Other,
    })
}
