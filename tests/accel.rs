//! Promises of `geometry::accel`: all backends hit the same things, nothing leaks, and every hit can be visited.

mod accel {
    pub mod scenes;

    mod agreement;
    mod edges;
    mod embree;
    mod offsets;
    mod order;
    mod packets;
}
