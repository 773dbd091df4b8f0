//! A program's side of NVTX, and CUPTI and the driver, without a GPU: for tests of the injection library.
//!
//! Written from the interfaces' documentation. A shared object that uses NVTX has its own tables: copies of this library
//! under several names are as many of them.
#![cfg(unix)]
#![allow(unsafe_code, reason = "interfaces of C, and those that others implement")]

pub mod cupti;
pub mod nvtx;
mod sizes;
