//! Light against display values: the light goes through a stated view first.

use glam::Vec3;

use super::limits::Exposure;
use crate::film::view::View;

/// Display values, and the light that they may show.
pub type ShownLight = ([f32; 3], [f32; 3]);

/// A view at an exposure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Toner {
    pub view: View,
    /// What light is multiplied by.
    pub scale: f32,
}

/// Stops that `auto` searches, either way.
const RANGE: f64 = 16.0;

impl Toner {
    /// The view at `exposure`; `auto` needs `pixels`: display values and the light they may show.
    pub fn new(view: View, exposure: Exposure, pixels: &[ShownLight]) -> Self {
        match exposure {
            Exposure::Stops(stops) => Self { view, scale: stops.exp2() as f32 },
            Exposure::Auto => Self { view, scale: solve(view, pixels).exp2() as f32 },
        }
    }

    /// Stops.
    pub fn exposure(&self) -> f64 {
        f64::from(self.scale).log2()
    }

    /// Makes interleaved light display values. `colour` tells where red, green and blue stand among the channels; one place
    /// thrice for grey. Other channels stay.
    pub fn apply(&self, values: &mut [f32], channels: usize, colour: [usize; 3]) {
        for pixel in values.chunks_exact_mut(channels) {
            let shown = self.show(Vec3::from_array(colour.map(|place| pixel[place])));
            colour.iter().zip(shown.to_array()).for_each(|(place, value)| pixel[*place] = value);
        }
    }

    fn show(&self, light: Vec3) -> Vec3 {
        self.view.apply(light * self.scale)
    }
}

/// The exposure, in stops, under which the view of the light is nearest to the display values (least squares): the best of
/// half stops, then golden-section search about it. 0 where there is nothing to tell by.
fn solve(view: View, pixels: &[ShownLight]) -> f64 {
    let finite = |(shown, light): &&ShownLight| shown.iter().chain(light).all(|v| v.is_finite());
    let pixels: Vec<_> = pixels.iter().filter(finite).collect();
    let error = |stops: f64| -> f64 {
        let toner = Toner { view, scale: stops.exp2() as f32 };
        let one = |(shown, light): &ShownLight| {
            f64::from((toner.show(Vec3::from_array(*light)) - Vec3::from_array(*shown)).length_squared())
        };
        pixels.iter().map(|pair| one(pair)).sum()
    };
    if pixels.iter().all(|(_, light)| light.iter().all(|v| *v <= 0.0)) {
        return 0.0;
    }
    let steps = (RANGE * 2.0) as i32;
    let coarse = (-steps..=steps).map(|step| f64::from(step) / 2.0).map(|stops| (error(stops), stops));
    let Some((_, best)) = coarse.min_by(|a, b| a.0.total_cmp(&b.0)) else { return 0.0 };
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (best - 0.5, best + 0.5);
    for _ in 0..32 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if error(a) < error(b) {
            high = b;
        } else {
            low = a;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_finds_the_exposure_of_a_picture() {
        for view in [View::Srgb, View::Agx] {
            for stops in [-3.3, 0.0, 5.25] {
                let light = |i: i32| [0.001 * i as f32, 0.0005 * i as f32, 0.02];
                let toner = Toner { view, scale: f64::exp2(stops) as f32 };
                let pixels: Vec<_> =
                    (0..200).map(|i| (toner.show(Vec3::from_array(light(i))).to_array(), light(i))).collect();
                let found = Toner::new(view, Exposure::Auto, &pixels).exposure();
                assert!((found - stops).abs() < 1e-3, "{view:?} {stops}: {found}");
            }
        }
    }

    #[test]
    fn black_light_has_no_exposure() {
        assert_eq!(Toner::new(View::Srgb, Exposure::Auto, &[([0.5; 3], [0.0; 3])]).exposure(), 0.0);
    }

    #[test]
    fn alpha_stays_and_grey_is_shown_once() {
        let toner = Toner { view: View::Srgb, scale: 2.0 };
        let mut pixel = [0.25, 0.25, 0.25, 0.25];
        toner.apply(&mut pixel, 4, [0, 1, 2]);
        assert!((pixel[0] - 0.735_357).abs() < 1e-5 && pixel[3] == 0.25, "{pixel:?}");
        let mut grey = [0.25];
        toner.apply(&mut grey, 1, [0, 0, 0]);
        assert!((grey[0] - 0.735_357).abs() < 1e-5, "{grey:?}");
    }
}
