//! `stepscope serve`: the built page over HTTP, on the loopback interface only.
