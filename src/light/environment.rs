//! An image of the sky: latitude-longitude, bilinear, importance sampled.

use std::f64::consts::{PI, TAU};

use glam::Vec3;
use rayon::prelude::*;

use super::irradiance::Irradiance;
use super::sphere_table::{Grid, SphereTable, azimuth, polar_angle};
use super::{LightError, luminance};
use crate::texture::FloatImage;

/// The widest importance table. Wider images put several texels into a cell: memory stays near 130 MB, and the density a
/// little coarser than the image.
const TABLE_COLUMNS: usize = 8192;

/// A sky image placed in the scene.
///
/// The image's centre looks along −Z turned by `rotation` toward +X, its top row is +Y, u grows toward +X from the
/// centre. Radiance is bilinear between texel centres; u wraps, v clamps at the poles. Negative texels count as 0.
#[derive(Clone, Debug)]
pub struct EnvironmentMap {
    width: usize,
    height: usize,
    texels: Vec<[f32; 3]>,
    /// Azimuth of u = 0, radians.
    left: f64,
    table: SphereTable,
    irradiance: Irradiance,
}

impl EnvironmentMap {
    /// Scales an image and prepares its sampling; linear in the number of texels. `rotation` in degrees.
    ///
    /// # Errors
    /// An image without texels or with a wrong number of them, a texel that is not finite (named), a bad scale or rotation.
    pub fn new(image: &FloatImage, rotation: f32, scale: f32) -> Result<Self, LightError> {
        let (width, height) = (image.width as usize, image.height as usize);
        let count = image.texels.len();
        if width == 0 || height == 0 || width.checked_mul(height) != Some(count) {
            return Err(LightError::ImageSize { width, height, texels: count });
        }
        super::check_quantity(Vec3::splat(scale), "a sky image's scale")?;
        if !rotation.is_finite() {
            return Err(LightError::Rotation(rotation));
        }
        let texels = scaled_texels(image, scale)?;
        let left = f64::from(rotation).to_radians() - PI;
        let grid = Grid {
            columns: width,
            // One strip more than rows: the first and the last are half as high, between a pole and its texel centres.
            strips: height + 1,
            block: width.div_ceil(TABLE_COLUMNS).max(height.div_ceil(TABLE_COLUMNS)),
            // Column i lies between the centres of texels i and i + 1.
            azimuth: left + 0.5 / width as f64 * TAU,
            theta_step: PI / height as f64,
            theta_offset: 0.5,
            theta_max: PI,
        };
        let size = (width, height);
        let (table, irradiance) = SphereTable::build(grid, |row, cells| fill_row(&texels, size, &grid, row, cells));
        Ok(Self { width, height, texels, left, table, irradiance: irradiance.finish() })
    }

    /// Radiance toward `wi` (unit).
    pub fn radiance(&self, wi: Vec3) -> Vec3 {
        let turns = (azimuth(wi) - self.left) / TAU;
        let x = (turns - turns.floor()) * self.width as f64 - 0.5;
        let y = (polar_angle(wi) / PI * self.height as f64 - 0.5).clamp(0.0, (self.height - 1) as f64);
        let (fx, fy) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        // x.floor() is −1 at least and width − 1 at most.
        let x0 = (x.floor() + self.width as f64) as usize % self.width;
        let (x1, y0) = ((x0 + 1) % self.width, y as usize);
        let y1 = (y0 + 1).min(self.height - 1);
        let texel = |x: usize, y: usize| Vec3::from(self.texels[y * self.width + x]);
        let top = texel(x0, y0).lerp(texel(x1, y0), fx);
        top.lerp(texel(x0, y1).lerp(texel(x1, y1), fx), fy)
    }

    /// A direction and its density by solid angle.
    pub fn sample(&self, u: [f64; 2]) -> (Vec3, f32) {
        let wi = self.table.sample(u);
        // By look-up, so that it equals what a ray in this direction gets even where rounding crosses a cell's edge.
        (wi, self.table.pdf(wi))
    }

    /// Density by solid angle with which [`Self::sample`] takes `wi`.
    pub fn pdf(&self, wi: Vec3) -> f32 {
        self.table.pdf(wi)
    }

    /// Its irradiance by normal, an estimate.
    pub fn irradiance(&self) -> &Irradiance {
        &self.irradiance
    }
}

fn scaled_texels(image: &FloatImage, scale: f32) -> Result<Vec<[f32; 3]>, LightError> {
    let scaled = |texel: &[f32; 4]| [0, 1, 2].map(|c| texel[c] * scale);
    let is_bad = |texel: &[f32; 4]| scaled(texel).iter().any(|v| !v.is_finite());
    match image.texels.par_iter().position_first(is_bad) {
        Some(i) => Err(LightError::ImageTexel { x: i % image.width as usize, y: i / image.width as usize }),
        None => Ok(image.texels.par_iter().map(|texel| scaled(texel).map(|v| v.max(0.0))).collect()),
    }
}

/// Mean luminance of the bilinear patches in each cell of a row: a patch's mean is that of its four corners.
fn fill_row(texels: &[[f32; 3]], (width, height): (usize, usize), grid: &Grid, row: usize, cells: &mut [f32]) {
    let at = |x: usize, y: usize| luminance(Vec3::from(texels[y * width + x % width]));
    let strips = grid.strips_of(row);
    for (column, cell) in cells.iter_mut().enumerate() {
        let columns = grid.columns_of(column);
        let patches = (strips.len() * columns.len()) as f32;
        let mut sum = 0.0;
        for strip in strips.clone() {
            let (above, below) = (strip.saturating_sub(1), strip.min(height - 1));
            for x in columns.clone() {
                sum += at(x, above) + at(x + 1, above) + at(x, below) + at(x + 1, below);
            }
        }
        *cell = 0.25 * sum / patches;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::sphere_table::direction;

    fn image(width: u32, height: u32, f: impl Fn(u32, u32) -> f32) -> FloatImage {
        let texels = (0..width * height).map(|i| [f(i % width, i / width); 3]).map(|[r, g, b]| [r, g, b, 1.0]);
        FloatImage { width, height, texels: texels.collect() }
    }

    #[test]
    fn texel_centres_show_their_texels() {
        let map = EnvironmentMap::new(&image(8, 4, |x, y| (x + 10 * y) as f32), 0.0, 2.0).unwrap();
        for y in 0..4 {
            for x in 0..8 {
                let phi = ((x as f64 + 0.5) / 8.0 - 0.5) * TAU;
                let theta = (f64::from(y) + 0.5) / 4.0 * PI;
                let seen = map.radiance(direction(phi, theta).as_vec3()).x;
                assert!((seen - 2.0 * (x + 10 * y) as f32).abs() < 1e-3, "{x} {y}: {seen}");
            }
        }
    }

    #[test]
    fn density_is_never_zero_where_one_texel_shines() {
        let map =
            EnvironmentMap::new(&image(16, 8, |x, y| if (x, y) == (15, 0) { 1e6 } else { 0.0 }), 30.0, 1.0).unwrap();
        for i in 0..4000 {
            let wi = direction(f64::from(i) * 2.4, (1.0 - (f64::from(i) + 0.5) / 2000.0).acos()).as_vec3();
            assert!(map.radiance(wi).x == 0.0 || map.pdf(wi) > 1e-3, "{wi}");
        }
    }

    #[test]
    fn images_of_one_texel_and_of_blocks_are_proper_densities() {
        // 3 × 9000 makes blocks of two texels, the last narrower than the others.
        for (width, height) in [(1, 1), (3, 9000), (5, 2)] {
            let map = EnvironmentMap::new(&image(width, height, |x, y| 1.0 + (x + y) as f32), 0.0, 1.0).unwrap();
            let n = 40_000;
            let densities = (0..n).map(|i| {
                let z = 1.0 - (f64::from(i) + 0.5) / f64::from(n) * 2.0;
                f64::from(map.pdf(direction(f64::from(i) * 2.399_963, z.acos()).as_vec3()))
            });
            let integral = densities.sum::<f64>() * 4.0 * PI / f64::from(n);
            assert!((integral - 1.0).abs() < 0.01, "{width} x {height}: {integral}");
        }
    }

    #[test]
    fn bad_images_are_refused() {
        let good = image(4, 2, |_, _| 1.0);
        assert!(EnvironmentMap::new(&FloatImage { width: 5, ..good.clone() }, 0.0, 1.0).is_err());
        assert!(EnvironmentMap::new(&good, 0.0, -1.0).is_err());
        let mut bad = good;
        bad.texels[6][1] = f32::INFINITY;
        assert_eq!(EnvironmentMap::new(&bad, 0.0, 1.0).unwrap_err(), LightError::ImageTexel { x: 2, y: 1 });
    }
}
