//! Placement files.
