//! (integrator)
