//! glTF's own material model, seen through the same `GBuffer`.
