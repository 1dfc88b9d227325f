//! A small picture made by formulas, AOV by AOV, with planted differences, and the report on it.

#![allow(dead_code)] // each test file uses its part

use std::collections::BTreeMap;

use glam::Vec3;
use scrutineer::compare::report::{Bias, Fault, Histogram, Metrics, NonFinite, Notice, RuleResult, Settings, Worst};
use scrutineer::compare::{AovReport, Kind, PictureReport, Plane, Planes, Report, Verdict};

/// One AOV of both pictures.
pub struct Layer {
    pub name: &'static str,
    pub kind: Kind,
    pub channels: &'static [&'static str],
    pub test: Plane,
    pub reference: Plane,
    /// Exact ids of test and reference.
    pub ids: Option<[Vec<u32>; 2]>,
    pub names: BTreeMap<u32, String>,
    /// The rule's limit of |t − r|, or of the share of pixels for ids.
    pub limit: f64,
}

/// A pair of pictures.
pub struct Scene {
    pub width: usize,
    pub height: usize,
    pub layers: Vec<Layer>,
    /// Image coordinates of the first pixel.
    pub origin: [i32; 2],
}

/// What a camera ray meets.
struct Hit {
    position: Vec3,
    normal: Vec3,
    depth: f32,
    albedo: Vec3,
    roughness: f32,
    id: u32,
}

/// The first bin of the histogram, 2⁻²⁰.
const LOWEST: f64 = 1.0 / 1_048_576.0;

/// An id that a float would round.
pub const LARGE_ID: u32 = 16_777_217;

fn trace(x: f32, y: f32) -> Option<Hit> {
    let direction = Vec3::new(x, -y, -1.6).normalize();
    let mut nearest: Option<Hit> = None;
    for i in 0..7 {
        let centre = Vec3::new(i as f32 * 1.1 - 3.3, 0.45 + 0.12 * (i % 3) as f32 - 0.9, -5.0 + 0.5 * (i % 2) as f32);
        let radius = 0.45 + 0.12 * (i % 3) as f32;
        let b = -direction.dot(centre);
        let root = b * b - (centre.length_squared() - radius * radius);
        let t = -b - root.max(0.0).sqrt();
        if root <= 0.0 || t <= 0.0 || nearest.as_ref().is_some_and(|hit| hit.depth <= t) {
            continue;
        }
        let position = direction * t;
        let hue = i as f32 * 0.9;
        let albedo = Vec3::new(hue.sin(), (hue + 2.1).sin(), (hue + 4.2).sin()) * 0.35 + 0.45;
        let id = if i == 3 { LARGE_ID } else { i + 2 };
        nearest = Some(Hit {
            position,
            normal: (position - centre) / radius,
            depth: t,
            albedo,
            roughness: 0.1 + i as f32 * 0.12,
            id,
        });
    }
    let ground = -0.9 / direction.y;
    if direction.y < -1e-3 && ground < 60.0 && nearest.as_ref().is_none_or(|hit| hit.depth > ground) {
        let position = direction * ground;
        let odd = (position.x.floor() + position.z.floor()).rem_euclid(2.0) == 1.0;
        let albedo = if odd { Vec3::splat(0.55) } else { Vec3::new(0.12, 0.13, 0.15) };
        nearest = Some(Hit { position, normal: Vec3::Y, depth: ground, albedo, roughness: 0.8, id: 1 });
    }
    nearest
}

fn shade(hit: Option<&Hit>, y: f32) -> [f32; 4] {
    let sun = Vec3::new(0.5, 0.75, 0.45).normalize();
    match hit {
        None => [0.25 + 0.3 * (y + 0.6), 0.45 + 0.2 * (y + 0.6), 0.9, 0.0],
        Some(hit) => {
            let half = (sun - hit.position.normalize()).normalize();
            let gloss = (1.0 - hit.roughness) * hit.normal.dot(half).max(0.0).powf(4.0 / hit.roughness.powi(2)) * 6.0;
            let light = hit.albedo * (0.15 + 1.1 * hit.normal.dot(sun).max(0.0)) + gloss;
            [light.x, light.y, light.z, 1.0]
        }
    }
}

fn plane(width: usize, height: usize, channels: usize, value: impl Fn(Option<&Hit>, f32) -> [f32; 4]) -> Plane {
    let mut plane = Plane::new(width, height, channels);
    for (i, pixel) in plane.values.chunks_mut(channels).enumerate() {
        let at = |k: usize| k as f32 + 0.5;
        let x = (at(i % width) - width as f32 / 2.0) / (height as f32 / 2.0);
        let y = (at(i / width) - height as f32 / 2.0) / (height as f32 / 2.0);
        pixel.copy_from_slice(&value(trace(x, y).as_ref(), y)[..channels]);
    }
    plane
}

fn layer(name: &'static str, kind: Kind, channels: &'static [&'static str], plane: Plane, limit: f64) -> Layer {
    Layer { name, kind, channels, test: plane.clone(), reference: plane, ids: None, names: BTreeMap::new(), limit }
}

impl Scene {
    /// Eight AOVs, test and reference alike.
    pub fn new(width: usize, height: usize) -> Self {
        let make = |channels, value: &dyn Fn(Option<&Hit>, f32) -> [f32; 4]| plane(width, height, channels, value);
        let vector = |v: Vec3| [v.x, v.y, v.z, 0.0];
        let beauty = make(4, &shade);
        let albedo = make(3, &|hit, _| hit.map_or([0.0; 4], |hit| vector(hit.albedo)));
        let normal = make(3, &|hit, _| hit.map_or([0.0; 4], |hit| vector(hit.normal)));
        let position = make(3, &|hit, _| hit.map_or([0.0; 4], |hit| vector(hit.position)));
        let depth = make(1, &|hit, _| [hit.map_or(f32::INFINITY, |hit| hit.depth), 0.0, 0.0, 0.0]);
        let roughness = make(1, &|hit, _| [hit.map_or(0.0, |hit| hit.roughness), 0.0, 0.0, 0.0]);
        let diffuse = make(3, &|hit, y| shade(hit, y).map(|v| v * 0.8));
        let ids = make(1, &|hit, _| [f32::from_bits(hit.map_or(0, |hit| hit.id)), 0.0, 0.0, 0.0]);
        let exact: Vec<u32> = ids.values.iter().map(|value| value.to_bits()).collect();
        let rounded = Plane { values: exact.iter().map(|id| *id as f32).collect(), ..ids };
        let mut instance = layer("instance", Kind::Id, &["V"], rounded, 0.0);
        instance.ids = Some([exact.clone(), exact]);
        instance.names =
            [(1, "ground".to_owned()), (2, "ball <b>one</b>".to_owned()), (LARGE_ID, "the large id".to_owned())].into();
        let layers = vec![
            layer("beauty", Kind::Lighting, &["R", "G", "B", "A"], beauty, 0.02),
            layer("albedo", Kind::Colour, &["R", "G", "B"], albedo, 0.004),
            layer("roughness", Kind::Scalar, &["V"], roughness, 0.004),
            layer("N", Kind::Normal, &["X", "Y", "Z"], normal, 1.0),
            layer("P", Kind::Position, &["X", "Y", "Z"], position, 1e-3),
            layer("Z", Kind::Depth, &["Z"], depth, 1e-3),
            layer("direct_diffuse", Kind::Lighting, &["R", "G", "B"], diffuse, 0.02),
            instance,
        ];
        Self { width, height, layers, origin: [0, 0] }
    }

    pub fn layer(&mut self, name: &str) -> &mut Layer {
        self.layers.iter_mut().find(|layer| layer.name == name).unwrap()
    }

    /// Applies `change` to the test's pixels of a rectangle (x, y, width, height).
    pub fn change(&mut self, name: &str, [x, y, w, h]: [usize; 4], change: impl Fn(&mut [f32])) {
        let plane = &mut self.layer(name).test;
        for (px, py) in (y..y + h).flat_map(|py| (x..x + w).map(move |px| (px, py))) {
            let start = (py * plane.width + px) * plane.channels;
            change(&mut plane.values[start..][..plane.channels]);
        }
    }

    pub fn set(&mut self, name: &str, x: usize, y: usize, channel: usize, value: f32) {
        self.change(name, [x, y, 1, 1], |pixel| pixel[channel] = value);
    }

    /// Adds noise of a deterministic kind to test and reference.
    pub fn noise(&mut self, name: &str, size: f32) {
        let hash = |i: usize, seed: u32| {
            let h = (i as u32 ^ seed).wrapping_mul(0x9e37_79b9);
            ((h ^ (h >> 15)).wrapping_mul(0x85eb_ca6b) >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let layer = self.layer(name);
        layer.test.values.iter_mut().enumerate().for_each(|(i, v)| *v *= 1.0 + size * hash(i, 77));
        layer.reference.values.iter_mut().enumerate().for_each(|(i, v)| *v *= 1.0 + size * hash(i, 1234));
    }

    /// The report on the pair, measured plainly.
    pub fn report(&self, name: &str) -> PictureReport {
        let aovs: Vec<AovReport> = self.layers.iter().map(|layer| self.judge(layer)).collect();
        let faults: Vec<Fault> = aovs.iter().filter_map(fault).collect();
        let [x, y] = self.origin;
        let size = [self.width as u32, self.height as u32];
        let mut report = PictureReport {
            name: name.to_owned(),
            test: format!("test/{name}"),
            reference: format!("reference/{name}"),
            window: [x, y, self.width as i32, self.height as i32],
            test_size: size,
            reference_size: size,
            aovs,
            faults,
            ..PictureReport::default()
        };
        report.judge();
        report
    }

    fn judge(&self, layer: &Layer) -> AovReport {
        let channels = layer.channels.len();
        let errors = errors(layer);
        let (mut metrics, non_finite) = measure(layer, &errors, self.width, self.origin);
        let mut order: Vec<usize> = (0..errors.len()).filter(|i| errors[*i].1 > 0.0).collect();
        order.sort_by(|a, b| errors[*b].1.total_cmp(&errors[*a].1));
        let worst = order.iter().take(10).map(|pixel| self.worst(layer, &errors, *pixel, channels)).collect();
        let measured = if layer.kind == Kind::Id {
            metrics.differing as f64 / metrics.pixels as f64
        } else {
            errors.iter().map(|e| e.1).fold(0.0, f64::max)
        };
        let passed = measured <= layer.limit;
        let rule = match layer.kind {
            Kind::Id => "exact",
            Kind::Normal => "angle",
            _ => "hard",
        };
        let detail =
            format!("{} of {} pixels differ; the largest error is {measured:.4}", metrics.differing, metrics.pixels);
        if layer.kind == Kind::Id {
            metrics.ids_differing = Some(metrics.differing);
        }
        let verdict = match (passed && non_finite.unequal() == 0, metrics.differing) {
            (true, 0) => Verdict::Equal,
            (true, _) => Verdict::WithinLimits,
            (false, _) => Verdict::Different,
        };
        AovReport {
            name: layer.name.to_owned(),
            reference_name: layer.name.to_owned(),
            kind: layer.kind,
            channels: layer.channels.iter().map(|name| (*name).to_owned()).collect(),
            window: [self.origin[0], self.origin[1], self.width as i32, self.height as i32],
            verdict,
            rules: vec![RuleResult { rule, region: None, measured, limit: layer.limit, passed, detail }],
            bias: bias(layer),
            histogram: histogram(layer),
            metrics,
            non_finite,
            worst,
            noise: None,
            diagnosis: Vec::new(),
        }
    }

    fn worst(&self, layer: &Layer, errors: &[(usize, f64)], pixel: usize, channels: usize) -> Worst {
        let (channel, error) = errors[pixel];
        let at = pixel * channels + channel;
        let value = |which: usize, plane: &Plane| {
            layer.ids.as_ref().map_or(f64::from(plane.values[at]), |ids| f64::from(ids[which][at]))
        };
        Worst {
            x: (pixel % self.width) as i32 + self.origin[0],
            y: (pixel / self.width) as i32 + self.origin[1],
            channel: layer.channels[channel].to_owned(),
            test: value(0, &layer.test),
            reference: value(1, &layer.reference),
            error,
            instance: Some("ball <b>one</b>".to_owned()),
            material: Some("paint".to_owned()),
            object: None,
        }
    }
}

fn fault(aov: &AovReport) -> Option<Fault> {
    let count = aov.non_finite.unequal();
    let text = format!("{count} value is NaN in one picture only");
    (count > 0).then(|| Fault { code: "nan", aov: Some(aov.name.clone()), text, count, first: aov.non_finite.first })
}

/// Per pixel: the channel of the largest error, and the error.
fn errors(layer: &Layer) -> Vec<(usize, f64)> {
    let channels = layer.channels.len();
    let pairs = layer.test.values.chunks(channels).zip(layer.reference.values.chunks(channels));
    let error = |(i, (t, r)): (usize, (&[f32], &[f32]))| {
        if let Some([a, b]) = &layer.ids {
            return (0, f64::from(u8::from(a[i] != b[i])));
        }
        if layer.kind == Kind::Normal {
            let angle = |a: &[f32], b: &[f32]| Vec3::from_slice(a).angle_between(Vec3::from_slice(b)).to_degrees();
            return (0, if t == r { 0.0 } else { f64::from(angle(t, r)) });
        }
        let each = t.iter().zip(r).map(|(t, r)| f64::from((t - r).abs())).enumerate().filter(|(_, e)| e.is_finite());
        each.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best })
    };
    pairs.enumerate().map(error).collect()
}

fn measure(layer: &Layer, errors: &[(usize, f64)], width: usize, origin: [i32; 2]) -> (Metrics, NonFinite) {
    let mut non_finite = NonFinite::default();
    let (mut squares, mut sum, mut signed, mut means, mut n) = (0.0, 0.0, 0.0, [0.0; 2], 0.0);
    for (i, (t, r)) in layer.test.values.iter().zip(&layer.reference.values).enumerate() {
        if t.is_finite() && r.is_finite() {
            let d = f64::from(*t) - f64::from(*r);
            (squares, sum, signed, n) = (squares + d * d, sum + d.abs(), signed + d, n + 1.0);
            means = [means[0] + f64::from(*t), means[1] + f64::from(*r)];
        } else if t == r {
            non_finite.equal += 1;
        } else {
            non_finite.nan_in_test += 1;
            let pixel = i / layer.channels.len();
            non_finite.first.get_or_insert([(pixel % width) as i32 + origin[0], (pixel / width) as i32 + origin[1]]);
        }
    }
    let max = errors.iter().map(|e| e.1).fold(0.0, f64::max);
    let metrics = Metrics {
        pixels: errors.len() as u64,
        differing: errors.iter().filter(|e| e.1 > 0.0).count() as u64,
        mae: sum / n,
        rmse: (squares / n).sqrt(),
        relative_mse: squares / n,
        psnr: (squares > 0.0).then(|| -10.0 * (squares / n).log10()),
        max,
        bias: signed / n,
        test_mean: means[0] / n,
        reference_mean: means[1] / n,
        ..Metrics::default()
    };
    (metrics, non_finite)
}

fn bias(layer: &Layer) -> Vec<Bias> {
    let channels = layer.channels.len();
    let one = |k: usize| {
        let pairs = layer.test.values.iter().zip(&layer.reference.values).skip(k).step_by(channels);
        let (n, sum) = pairs.fold((0.0, 0.0), |(n, sum), (t, r)| {
            if t.is_finite() && r.is_finite() { (n + 1.0, sum + f64::from(t - r)) } else { (n, sum) }
        });
        let mean = sum / n;
        Bias {
            channel: layer.channels[k].to_owned(),
            mean,
            interval: [mean * 0.9 - 1e-6, mean * 1.1 + 1e-6],
            relative: Some(mean),
        }
    };
    if layer.kind == Kind::Lighting { (0..channels).map(one).collect() } else { Vec::new() }
}

fn histogram(layer: &Layer) -> Histogram {
    let mut histogram = Histogram { lowest: LOWEST, ratio: 2.0, negative: vec![0; 24], zero: 0, positive: vec![0; 24] };
    for (t, r) in layer.test.values.iter().zip(&layer.reference.values) {
        let d = f64::from(*t) - f64::from(*r);
        if d == 0.0 || !d.is_finite() {
            histogram.zero += 1;
            continue;
        }
        let bin = (d.abs() / LOWEST).log2().floor().clamp(0.0, 23.0) as usize;
        let side = if d < 0.0 { &mut histogram.negative } else { &mut histogram.positive };
        side[bin] += 1;
    }
    histogram
}

impl Scene {
    fn of(&self, aov: &AovReport) -> Result<&Layer, String> {
        self.layers.iter().find(|layer| layer.name == aov.name).ok_or_else(|| format!("no {}", aov.name))
    }
}

impl Planes for Scene {
    fn test(&self, aov: &AovReport) -> Result<Plane, String> {
        self.of(aov).map(|layer| layer.test.clone())
    }

    fn reference(&self, aov: &AovReport) -> Result<Plane, String> {
        self.of(aov).map(|layer| layer.reference.clone())
    }

    fn ids(&self, aov: &AovReport) -> Result<Option<[Vec<u32>; 2]>, String> {
        self.of(aov).map(|layer| layer.ids.clone())
    }

    fn names(&self, aov: &AovReport) -> BTreeMap<u32, String> {
        self.of(aov).map(|layer| layer.names.clone()).unwrap_or_default()
    }

    fn flip(&self, aov: &AovReport) -> Result<Option<Plane>, String> {
        let layer = self.of(aov)?;
        if layer.kind != Kind::Lighting || aov.verdict == Verdict::Equal {
            return Ok(None);
        }
        let values = errors(layer).into_iter().map(|(_, e)| (e as f32).min(1.0)).collect();
        Ok(Some(Plane { width: self.width, height: self.height, channels: 1, values }))
    }
}

/// A report of these pictures.
pub fn report(pictures: Vec<PictureReport>) -> Report {
    let settings = Settings {
        test: "renders/new & shiny".to_owned(),
        reference: "renders/reference".to_owned(),
        family_wise_error: 0.01,
        ..Settings::default()
    };
    let mut report = Report {
        schema: 1,
        version: "0.1.0".to_owned(),
        verdict: Verdict::Equal,
        settings,
        pictures,
        missing: Vec::new(),
        extra: Vec::new(),
    };
    report.judge();
    report
}

/// A notice.
pub fn notice(text: &str) -> Notice {
    Notice { code: "same_seed", aov: None, text: text.to_owned() }
}
