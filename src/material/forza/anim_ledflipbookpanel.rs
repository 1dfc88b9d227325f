//! `anim_ledflipbookpanel`: a festival screen of LEDs that plays the frames of a flipbook, X·Y frames a texture.
//!
//! Documentation 000, "anim_ledflipbookpanel"; g(d) from 001, "Emissive":
//!
//! ```text
//! M     = MaskTexture(uv1·MaskUVTiling).r                    (signed: negative between the dots)
//! frame = fmod(FramesPerSecond·TimeDilationAmount·cb2[9].x + OffsetMultiplier·trunc(uv0.x), X·Y)
//! col   = trunc(fmod(frame, X)),   row = trunc(frame/X)
//! uvF   = (frac(uv0.x)/(NumVariations·X) + col/X, frac(uv0.y)/Y + row/Y)
//! c     = FlipbookTexture(uvF).rgb·Brightness·M;   RT0.rgb = c·F(1);   RT1.xyz = c·g(d)
//! RT0.w = 0;   RT1.w = lerp(RoughnessBoard, RoughnessLED, M);   RT2 = vertex normal
//! ```
//!
//! Permutation: `_Standard`. Open and decided: see [`FAMILY`]'s decisions.

use glam::{Vec2, Vec4Swizzles};

use crate::gbuffer::GBuffer;
use crate::material::bind::Binder;
use crate::material::ops::math::{frac, lerp};
use crate::material::ops::{emissive, occlusion, view};
use crate::material::registry::{Family, Permutations};
use crate::material::{Context, Material, Point, Slot};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "anim_ledflipbookpanel",
    summary: "an emissive LED screen that plays a flipbook by game time",
    source: "000 Rock and animated-prop shaders, anim_ledflipbookpanel",
    permutations: Permutations::Names(&["_Standard"]),
    inputs: &["position", "normal", "uv0", "uv1"],
    world: &["camera", "time", "ao_minimum", "ao_into_albedo"],
    decisions: &[
        "fmod and trunc go toward zero, so that a negative panel number can give a negative frame, as in the program.",
        "XFrames and YFrames below 1 are refused: the program would divide by zero.",
        "Nothing is clamped: colour and emission may be negative, roughness may leave 0..1.",
        "u's integer part is the panel number; NumVariations shrinks u only.",
    ],
    bind,
};

struct AnimLedFlipbookPanel {
    /// Default (1, 1).
    mask_uv_tiling: Vec2,
    /// Default 30.
    frames_per_second: f32,
    /// Default 1.
    time_dilation_amount: f32,
    /// Default 0: frames between one panel and the next.
    offset_multiplier: f32,
    /// X, default 1; whole, at least 1.
    x_frames: f32,
    /// Y, default 1; whole, at least 1.
    y_frames: f32,
    /// Default 1.
    num_variations: f32,
    /// Default 1.
    brightness: f32,
    /// Default 1.
    roughness_board: f32,
    /// Default 1.
    roughness_led: f32,
    flipbook: Slot,
    mask: Slot,
}

fn bind(b: &mut Binder) -> Box<dyn Material> {
    b.permutation();
    Box::new(AnimLedFlipbookPanel {
        mask_uv_tiling: b.vec2("MaskUVTiling", [1.0, 1.0]),
        frames_per_second: b.number("FramesPerSecond", 30.0),
        time_dilation_amount: b.number("TimeDilationAmount", 1.0),
        offset_multiplier: b.number("OffsetMultiplier", 0.0),
        x_frames: frames(b, "XFrames"),
        y_frames: frames(b, "YFrames"),
        num_variations: b.number("NumVariations", 1.0),
        brightness: b.number("Brightness", 1.0),
        roughness_board: b.number("RoughnessBoard", 1.0),
        roughness_led: b.number("RoughnessLED", 1.0),
        flipbook: b.texture("FlipbookTexture", [1.0; 4]),
        mask: b.texture("MaskTexture", [1.0, 0.0, 0.0, 1.0]),
    })
}

/// A count of frames: truncated, at least 1.
fn frames(b: &mut Binder, name: &'static str) -> f32 {
    let typed = b.number(name, 1.0);
    let count = typed.trunc();
    if count < 1.0 {
        b.refuse(name, format!("expected at least 1, found {typed}: the program would divide by its whole part"));
    }
    count.max(1.0)
}

impl AnimLedFlipbookPanel {
    /// uvF at game time `time`.
    fn flipbook_uv(&self, uv0: Vec2, time: f32) -> Vec2 {
        let (x, y) = (self.x_frames, self.y_frames);
        // `%` is fmod: the result has the dividend's sign.
        let played = self.frames_per_second * self.time_dilation_amount * time;
        let frame = (played + self.offset_multiplier * uv0.x.trunc()) % (x * y);
        let (col, row) = ((frame % x).trunc(), (frame / x).trunc());
        Vec2::new(frac(uv0.x) / (self.num_variations * x) + col / x, frac(uv0.y) / y + row / y)
    }
}

impl Material for AnimLedFlipbookPanel {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let uv_f = self.flipbook_uv(point.uv[0], context.world.time);
        let flipbook = self.flipbook.sample(uv_f, point, context);
        let m = self.mask.sample(point.uv[1] * self.mask_uv_tiling, point, context).x;
        let c = flipbook.xyz() * self.brightness * m;
        GBuffer {
            roughness: lerp(self.roughness_board, self.roughness_led, m),
            emission: c,
            emission_seed: c * emissive::g(view::distance(point, context)),
            ..GBuffer::new(c * occlusion::albedo_factor(context.world, 1.0), point.normal)
        }
    }

    fn may_emit(&self) -> bool {
        self.brightness != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::bind::{Input, NoTextures, bind as bind_family};
    use crate::scene::world::World;
    use glam::Vec4;

    fn panel() -> AnimLedFlipbookPanel {
        AnimLedFlipbookPanel {
            mask_uv_tiling: Vec2::ONE,
            frames_per_second: 30.0,
            time_dilation_amount: 1.0,
            offset_multiplier: 0.0,
            x_frames: 4.0,
            y_frames: 2.0,
            num_variations: 1.0,
            brightness: 10.0,
            roughness_board: 0.9,
            roughness_led: 0.1,
            flipbook: Slot::constant("FlipbookTexture", Vec4::ONE),
            mask: Slot::constant("MaskTexture", Vec4::new(-0.5, 0.0, 0.0, 1.0)),
        }
    }

    #[test]
    fn frames_run_along_the_rows_and_start_again() {
        let at = |frame: f32| panel().flipbook_uv(Vec2::new(0.5, 0.5), (frame + 0.5) / 30.0);
        assert_eq!(at(0.0), Vec2::new(0.125, 0.25));
        assert_eq!(at(3.0), Vec2::new(0.875, 0.25));
        assert_eq!(at(4.0), Vec2::new(0.125, 0.75));
        assert_eq!(at(8.0), at(0.0));
    }

    #[test]
    fn a_negative_panel_number_gives_a_negative_frame_as_the_program_does() {
        let panel = AnimLedFlipbookPanel { offset_multiplier: 1.0, ..panel() };
        // trunc(−5.25) = −5, fmod(−5, 8) = −5: col = −1, row = −1; frac(−5.25) = 0.75.
        assert_eq!(panel.flipbook_uv(Vec2::new(-5.25, 0.0), 0.0), Vec2::new(0.75 / 4.0 - 0.25, -0.5));
    }

    #[test]
    fn a_negative_mask_gives_negative_light_and_extrapolates_roughness() {
        let g = panel().evaluate(&Point::default(), &Context::new(&World::default()));
        assert_eq!(g.emission.x, -5.0);
        assert!((g.roughness - 1.3).abs() < 1e-6);
    }

    #[test]
    fn less_than_one_frame_is_refused_by_name() {
        let mut input = Input { permutation: Some("_Standard".to_owned()), ..Input::default() };
        input.parameters.insert("YFrames".to_owned(), 0.9.into());
        let faults = bind_family(&FAMILY, &input, &mut NoTextures).err().expect("0.9 frames are refused");
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].key, "parameters.YFrames");
    }
}
