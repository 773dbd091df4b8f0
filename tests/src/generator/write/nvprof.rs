//! The device's activities as `nvprof --print-gpu-trace --csv` prints them.

use super::Style;
use crate::generator::simulate::{Event, Kind};

#[derive(Debug, Default)]
pub(super) struct Nvprof {
    text: String,
}

impl Style for Nvprof {
    fn head(&mut self) {
        self.text.push_str(
            "==2910249== NVPROF is profiling process 2910249, command: python train.py\n\
             ==2910249== Profiling application: python train.py\n\
             ==2910249== Profiling result:\n\
             \"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\
             \"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\",\"Throughput\",\"SrcMemType\",\
             \"DstMemType\",\"Device\",\"Context\",\"Stream\",\"Name\",\"Correlation_ID\"\n\
             us,us,,,,,,,,B,B,B,GB/s,,,,,,,\n",
        );
    }

    fn event(&mut self, event: &Event) {
        let (what, stream, name, correlation) = match &event.kind {
            Kind::Kernel { id, correlation, stream, .. } => {
                let blocks = 8 << (id % 12);
                (format!("{blocks},1,1,256,1,1,40,400,0,,,,"), *stream, event.name.as_str(), *correlation)
            }
            Kind::Memcpy { correlation, bytes, .. } => {
                (format!(",,,,,,,,,{bytes},1.0,\"Pageable\",\"Device\""), 7, "[CUDA memcpy HtoD]", *correlation)
            }
            Kind::Memset { correlation, bytes, .. } => {
                (format!(",,,,,,,,,{bytes},1.0,\"Device\","), 7, "[CUDA memset]", *correlation)
            }
            _ => return,
        };
        let times = [event.start, event.length].map(|time| format!("{}.{:03}", time / 1000, time % 1000)).join(",");
        self.text.push_str(&format!(
            "{times},{what},\"NVIDIA A100-SXM4-80GB (0)\",\"1\",\"{stream}\",\"{name}\",{correlation}\n"
        ));
    }

    fn tail(&mut self) {}

    fn pending(&self) -> usize {
        self.text.len()
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text).into_bytes()
    }
}
