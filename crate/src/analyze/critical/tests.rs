//! Critical paths and replays of small traces.
