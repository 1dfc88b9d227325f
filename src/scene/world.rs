//! `[world]`: the run-time globals that every family may read (PROBE.md).

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// The run-time globals, with the defaults of PROBE.md. Vectors in the game frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// The main camera's position: `d` and `V` use it on every bounce.
    pub camera: Vec3,
    /// cb2\[9\].x, seconds.
    pub time: f32,
    /// cb2\[128\].x; MAD cb2\[18\].y.
    pub alpha_reference: f32,
    pub dither: Dither,
    pub frame_index: i64,
    pub dither_temporal: bool,
    /// cb7\[3\].xyz; (1, 1, 1) = dry.
    pub weather: Vec3,
    /// cb2\[43\].x, cb2\[44\].x: lower bounds of the AO input.
    pub ao_minimum: Vec2,
    /// K: albedo factor 1 + K(ao − 1).
    pub ao_into_albedo: f32,
    /// cb2\[92\].x, .w.
    pub ao_curve: Vec2,
    /// t23: MAD emission is divided by it; > 0.
    pub exposure: f32,
    pub graffiti_state: i64,
    /// Fog fraction of the glass pass, 0..1.
    pub fog: f32,
    pub retro_distance_fade: f32,
    /// World X and Z subtracted before uber_road's world-planar uv.
    pub road_uv_origin: Vec2,
    /// Authored emission → radiance; the renderer only.
    pub emission_scale: f32,
    /// How far a decal's receiver may lie below it, metres; the renderer only.
    pub decal_reach: f32,
    pub decal_composite: DecalComposite,
    /// cb7\[34\].xy.
    pub terrain_normal_fade: Vec2,
}

/// `[world] dither`: false, true or "expected".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dither {
    /// The documented comparison without dither.
    #[default]
    Off,
    /// The documented screen dither (camera rays; its expected value elsewhere).
    Screen,
    /// The expected value of the dither for all rays.
    Expected,
}

/// How deferred decals reach the G-buffer (families/world-glass-decals.md, last section).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecalComposite {
    #[default]
    Over,
    Albedo,
    None,
}

impl Default for World {
    fn default() -> Self {
        Self {
            camera: Vec3::ZERO,
            time: 0.0,
            alpha_reference: 0.5,
            dither: Dither::Off,
            frame_index: 0,
            dither_temporal: false,
            weather: Vec3::ONE,
            ao_minimum: Vec2::ZERO,
            ao_into_albedo: 0.0,
            ao_curve: Vec2::ONE,
            exposure: 1.0,
            graffiti_state: 0,
            fog: 0.0,
            retro_distance_fade: 1.0,
            road_uv_origin: Vec2::ZERO,
            emission_scale: 1.0,
            decal_reach: 0.06,
            decal_composite: DecalComposite::Over,
            terrain_normal_fade: Vec2::ZERO,
        }
    }
}
