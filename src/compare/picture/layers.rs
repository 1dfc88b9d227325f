//! Channel names → AOVs.
//!
//! `layer.C` belongs to `layer`; bare R, G, B, A (or Y) are the `beauty`, bare Z is `Z`, any other bare name is a layer of
//! one channel. Where parts or views are the layers, their names stand in for the missing prefix. So the same pixels have
//! the same AOVs however a program arranged them.

use std::collections::BTreeMap;

use super::{Channel, Layer, Sample};
use crate::compare::kind::Kind;
use crate::film::{Rect, TABLE};

/// What the names of a part are grouped by.
pub(super) struct Part {
    pub name: Option<String>,
    pub view: Option<String>,
    pub channels: Vec<(String, Sample)>,
    pub window: Rect,
}

/// Part names that mean "the picture itself".
const MAIN: [&str; 7] = ["", "beauty", "rgba", "main", "combined", "rgb", "default"];

/// The AOVs of a file, in the order of our table, then by name.
pub(super) fn group(parts: &[Part]) -> Vec<Layer> {
    let mut layers: BTreeMap<String, Vec<(Channel, Rect)>> = BTreeMap::new();
    let views = parts.iter().filter_map(|part| part.view.as_deref()).collect::<std::collections::BTreeSet<_>>().len();
    for (part_index, part) in parts.iter().enumerate() {
        let prefix = prefix(part, parts.len() > 1, views > 1);
        for (index, (full, sample)) in part.channels.iter().enumerate() {
            let (layer, name) = split(full, part, prefix.as_deref());
            let taken = |layer: &str| {
                layers.get(layer).is_some_and(|channels| channels.iter().any(|(channel, _)| channel.name == name))
            };
            // Two parts of one layer name and channel: the later ones are numbered, none is lost.
            let layer = (0..)
                .map(|copy| if copy == 0 { layer.clone() } else { format!("{layer}#{}", copy + 1) })
                .find(|layer| !taken(layer))
                .unwrap_or_default();
            let channel = Channel { name, sample: *sample, part: part_index, index };
            layers.entry(layer).or_default().push((channel, part.window));
        }
    }
    let mut layers: Vec<Layer> = layers.into_iter().flat_map(|(name, channels)| by_type(name, channels)).collect();
    layers.sort_by_cached_key(|layer| (place(&layer.name), layer.name.clone()));
    layers
}

/// The layer that a part's (and view's) name stands for; `None` where the part is the picture itself.
fn prefix(part: &Part, several: bool, views: bool) -> Option<String> {
    let view = part.view.as_deref().filter(|_| views);
    let name = part.name.as_deref().filter(|_| several).unwrap_or_default();
    let name = match part.view.as_deref() {
        Some(view) => name.strip_suffix(view).map_or(name, |rest| rest.trim_end_matches(['.', '_', ' '])),
        None => name,
    };
    let name = Some(name).filter(|name| !MAIN.contains(&name.to_ascii_lowercase().as_str()));
    match (view, name) {
        (Some(view), Some(name)) => Some(format!("{view}.{name}")),
        (Some(view), None) => Some(format!("{view}.beauty")),
        (None, name) => name.map(str::to_owned),
    }
}

/// The layer and the channel's name within it.
fn split(full: &str, part: &Part, prefix: Option<&str>) -> (String, String) {
    let (layer, channel) = match full.rsplit_once('.') {
        Some((layer, channel)) if !layer.is_empty() && !channel.is_empty() => (layer, channel),
        _ => return bare(full, part, prefix),
    };
    if let Some(matte) = matte(layer) {
        return (matte.to_owned(), format!("{}.{channel}", &layer[matte.len()..]));
    }
    let within = prefix.filter(|prefix| layer != *prefix && !layer.starts_with(&format!("{prefix}.")));
    let named_by_part = |prefix: &str| prefix.ends_with(&format!(".{layer}"));
    match within {
        // A part that only collects layers names nothing; a view does.
        Some(prefix) if part.view.is_some() && !named_by_part(prefix) => {
            let view = prefix.split('.').next().unwrap_or(prefix);
            (format!("{view}.{layer}"), channel.to_owned())
        }
        Some(prefix) if named_by_part(prefix) => (prefix.to_owned(), channel.to_owned()),
        _ => (layer.to_owned(), channel.to_owned()),
    }
}

fn bare(full: &str, part: &Part, prefix: Option<&str>) -> (String, String) {
    let has = |names: &[&str]| names.iter().all(|name| part.channels.iter().any(|(channel, _)| channel == name));
    let colour = ["R", "G", "B", "A", "r", "g", "b", "a"].contains(&full) || (full == "Y" && !has(&["X", "Y"]));
    let vector = ["X", "Y", "Z", "W"].contains(&full) && has(&["X", "Y", "Z"]);
    let has_colour = has(&["R", "G", "B"]);
    match prefix {
        // Depth that stands beside colour is a layer of its own.
        Some(prefix) if full == "Z" && has_colour => (format!("{prefix}.Z"), full.to_owned()),
        Some(prefix) => (prefix.to_owned(), full.to_owned()),
        None if colour => ("beauty".to_owned(), full.to_owned()),
        None if vector => ("XYZ".to_owned(), full.to_owned()),
        None if ["U", "V"].contains(&full) && has(&["U", "V"]) => ("UV".to_owned(), full.to_owned()),
        None if full == "Z" => ("Z".to_owned(), full.to_owned()),
        None => (full.to_owned(), "V".to_owned()),
    }
}

/// `crypto_object` of `crypto_object00`: the numbered layers of one Cryptomatte are one AOV.
fn matte(layer: &str) -> Option<&str> {
    let stem = layer.len().checked_sub(2).and_then(|length| layer.get(..length))?;
    let numbered = layer[stem.len()..].bytes().all(|byte| byte.is_ascii_digit());
    let last = stem.rsplit('.').next().unwrap_or(stem);
    (numbered && last.to_ascii_lowercase().starts_with("crypto")).then_some(stem)
}

/// Ids among floats become layers of their own, so that they stay integers.
fn by_type(name: String, channels: Vec<(Channel, Rect)>) -> Vec<Layer> {
    let (uint, float): (Vec<_>, Vec<_>) = channels.into_iter().partition(|(channel, _)| channel.sample == Sample::Uint);
    if uint.is_empty() || float.is_empty() {
        return vec![layer(name, if uint.is_empty() { float } else { uint })];
    }
    let single =
        |(channel, window): (Channel, Rect)| layer(format!("{name}.{}", channel.name), vec![(channel, window)]);
    let mut layers: Vec<Layer> = uint.into_iter().map(single).collect();
    layers.push(layer(name, float));
    layers
}

fn layer(name: String, mut channels: Vec<(Channel, Rect)>) -> Layer {
    channels.sort_by_cached_key(|(channel, _)| rank(&channel.name));
    let names: Vec<&str> = channels.iter().map(|(channel, _)| channel.name.as_str()).collect();
    let uint = channels.iter().all(|(channel, _)| channel.sample == Sample::Uint);
    let kind = Kind::of(&name, &names, uint);
    let window =
        channels.iter().map(|(_, window)| *window).reduce(common).unwrap_or(Rect { x: 0, y: 0, width: 0, height: 0 });
    Layer { name, channels: channels.into_iter().map(|(channel, _)| channel).collect(), window, kind }
}

/// What two windows share; of size 0 where they share nothing.
pub fn common(a: Rect, b: Rect) -> Rect {
    let right = |r: Rect| i64::from(r.x) + i64::from(r.width);
    let bottom = |r: Rect| i64::from(r.y) + i64::from(r.height);
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let width = (right(a).min(right(b)) - i64::from(x)).max(0) as u32;
    let height = (bottom(a).min(bottom(b)) - i64::from(y)).max(0) as u32;
    Rect { x, y, width, height }
}

/// R G B A, X Y Z W, U V before all others, which go by name; numbers by their value ("2" before "10").
fn rank(name: &str) -> (usize, u64, String) {
    let known = "RGBAXYZWUVrgba".find(name).filter(|_| name.len() == 1);
    let number = name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().unwrap_or(u64::MAX));
    // Cryptomatte channels "00.r": the number stands in front.
    let (head, tail) = name.split_once('.').unwrap_or(("", name));
    let tail = "rgba".find(tail).filter(|_| tail.len() == 1).map_or_else(|| tail.to_owned(), |place| place.to_string());
    (known.unwrap_or(usize::MAX), number.unwrap_or(u64::MAX), format!("{head}.{tail}"))
}

/// Place in our table; others come after it.
fn place(name: &str) -> usize {
    TABLE.iter().position(|row| row.name == name).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Rect = Rect { x: 0, y: 0, width: 4, height: 4 };

    fn part(name: Option<&str>, view: Option<&str>, channels: &[&str]) -> Part {
        let channels = channels.iter().map(|channel| match channel.strip_prefix('#') {
            Some(uint) => (uint.to_owned(), Sample::Uint),
            None => ((*channel).to_owned(), Sample::Float),
        });
        Part {
            name: name.map(str::to_owned),
            view: view.map(str::to_owned),
            channels: channels.collect(),
            window: WINDOW,
        }
    }

    fn named(parts: &[Part]) -> Vec<String> {
        let channels = |layer: &Layer| layer.channels.iter().map(|c| c.name.clone()).collect::<Vec<_>>().join(",");
        group(parts).iter().map(|layer| format!("{}:{}", layer.name, channels(layer))).collect()
    }

    #[test]
    fn one_part_of_ours() {
        let channels =
            ["A", "B", "G", "N.X", "N.Y", "N.Z", "R", "Z", "#instance.V", "crypto_object00.r", "crypto_object01.r"];
        let expected = ["beauty:R,G,B,A", "N:X,Y,Z", "Z:Z", "instance:V", "crypto_object:00.r,01.r"];
        assert_eq!(named(&[part(None, None, &channels)]), expected);
    }

    #[test]
    fn parts_are_layers_or_collect_them() {
        let parts = [part(Some("rgba"), None, &["A", "B", "G", "R"]), part(Some("albedo"), None, &["B", "G", "R"])];
        assert_eq!(named(&parts), ["beauty:R,G,B,A", "albedo:R,G,B"]);
        let parts = [part(Some("a"), None, &["R", "G", "B"]), part(Some("albedo"), None, &["albedo.R", "albedo.G"])];
        assert_eq!(named(&parts), ["albedo:R,G", "a:R,G,B"]);
        assert_eq!(named(&[part(Some("whatever"), None, &["R", "G", "B"])]), ["beauty:R,G,B"]);
    }

    #[test]
    fn views_stay_apart() {
        let parts = [
            part(Some("rgba.left"), Some("left"), &["R", "G", "B"]),
            part(Some("rgba.right"), Some("right"), &["R", "G", "B"]),
            part(Some("depth.left"), Some("left"), &["Z"]),
        ];
        assert_eq!(named(&parts), ["left.beauty:R,G,B", "left.depth:Z", "right.beauty:R,G,B"]);
    }

    #[test]
    fn numbers_are_sorted_by_value_and_xyz_is_no_luminance() {
        assert_eq!(named(&[part(None, None, &["a.1", "a.10", "a.2"])]), ["a:1,2,10"]);
        assert_eq!(named(&[part(None, None, &["X", "Y", "Z"])]), ["XYZ:X,Y,Z"]);
        assert_eq!(named(&[part(None, None, &["Y"])]), ["beauty:Y"]);
    }

    #[test]
    fn ids_among_floats_stay_integers_and_nothing_is_lost_to_a_name_used_twice() {
        assert_eq!(named(&[part(None, None, &["x.R", "#x.id"])]), ["x:R", "x.id:id"]);
        let twice = [part(None, None, &["R"]), part(None, None, &["R"])];
        assert_eq!(named(&twice), ["beauty:R", "beauty#2:R"]);
    }
}
