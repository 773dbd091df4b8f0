//! `stepscope export`.
