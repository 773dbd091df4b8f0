//! Common parts of NVIDIA's profilers: CUPTI records in SQLite tables. This is not a reader.
//!
//! Nsight Systems and nvprof record through CUPTI and save its records (`CUpti_ActivityKernel…`, `…Memcpy`, `…API`)
//! as rows. They differ in names of tables, strings and ids of threads. Categories and names of copies are those of
//! PyTorch's profiler, which uses CUPTI, too: the same work has the same name.

mod activities;
mod names;
mod strings;
mod tables;

pub(super) use activities::{Categories, Correlations, Devices, HostSlice, Work, launch_config, span};
pub(super) use names::{copy_name, kind_by_name, memset_name, synchronization_name};
pub(super) use strings::{Codes, StringIds, codes};
pub(super) use tables::{Counting, FirstTables, Owners, Tables, WorkRow, first_tables};
