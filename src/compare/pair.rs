//! Which AOVs and channels of two pictures belong together, and what has no partner.

use super::kind::Kind;
use super::limits::Limits;
use super::picture::{Layer, Picture, layers::common};
use super::report::{Fault, Notice};
use crate::film::Rect;
use crate::suggest;

/// An AOV of the test and its partner.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Indices among the layers.
    pub test: usize,
    pub reference: usize,
    pub name: String,
    pub reference_name: String,
    pub kind: Kind,
    /// What both have, image coordinates.
    pub window: Rect,
    /// Names of the compared channels, and their places in the test's and the reference's layer.
    pub channels: Vec<(String, usize, usize)>,
}

/// All that the headers tell about two pictures.
#[derive(Default)]
pub struct Matching {
    pub pairs: Vec<Pair>,
    pub faults: Vec<Fault>,
    pub notices: Vec<Notice>,
}

/// Finds partners by name, through the limits' `map`; what is ignored takes no part.
pub fn matching(test: &Picture, reference: &Picture, limits: &Limits) -> Matching {
    let mut found = Matching::default();
    found.frames(test, reference);
    found.layers(test, reference, limits);
    found.windows(test, reference);
    found
}

/// `X,Y WxH`.
pub fn words(rect: Rect) -> String {
    format!("{}×{} at ({}, {})", rect.width, rect.height, rect.x, rect.y)
}

impl Matching {
    fn fault(&mut self, code: &'static str, aov: Option<&str>, count: usize, text: String) {
        self.faults.push(Fault { code, aov: aov.map(str::to_owned), text, count: count as u64, first: None });
    }

    fn notice(&mut self, code: &'static str, aov: Option<&str>, text: String) {
        self.notices.push(Notice { code, aov: aov.map(str::to_owned), text });
    }

    fn frames(&mut self, test: &Picture, reference: &Picture) {
        let (t, r) = (test.display(), reference.display());
        if (t.width, t.height) != (r.width, r.height) {
            let text = format!("the test is {}×{} pixels, the reference {}×{}", t.width, t.height, r.width, r.height);
            self.fault("size", None, 1, text);
        }
    }

    fn layers(&mut self, test: &Picture, reference: &Picture, limits: &Limits) {
        let in_test = |name: &str| limits.map.get(name).map_or(name, String::as_str).to_owned();
        let mut missing: Vec<usize> = Vec::new();
        let mut free: Vec<usize> = (0..test.layers().len()).collect();
        for (index, layer) in reference.layers().iter().enumerate() {
            let wanted = in_test(&layer.name);
            match free.iter().position(|free| test.layers()[*free].name == wanted) {
                Some(_) if limits.ignores(&layer.name) => free.retain(|free| test.layers()[*free].name != wanted),
                Some(place) => {
                    let partner = free.remove(place);
                    self.pair(test, reference, partner, index);
                }
                None if limits.ignores(&layer.name) => {}
                None => missing.push(index),
            }
        }
        free.retain(|index| !limits.ignores(&test.layers()[*index].name));
        let unknown = limits.map.keys().filter(|name| reference.layers().iter().all(|layer| layer.name != **name));
        for name in unknown {
            let message = suggest::unknown("AOV", name, reference.layers().iter().map(|layer| layer.name.as_str()));
            self.notice("map_unused", None, format!("the map names what the reference does not have: {message}"));
        }
        if !test.is_layered() || !reference.is_layered() {
            return self.single(test, reference, &missing, &free);
        }
        self.renamed(test, reference, &mut missing, &mut free);
        for index in missing {
            let name = &reference.layers()[index].name;
            let text = format!("the test has no AOV \"{name}\"");
            self.fault("missing_aov", Some(name), 1, text);
        }
        for index in free {
            let name = &test.layers()[index].name;
            let text = format!("the reference has no AOV \"{name}\"");
            self.fault("extra_aov", Some(name), 1, text);
        }
    }

    /// A format of one layer cannot hold the others: that is said once, and is no fault.
    fn single(&mut self, test: &Picture, reference: &Picture, missing: &[usize], free: &[usize]) {
        let left = missing.iter().map(|index| reference.layers()[*index].name.as_str());
        let left: Vec<&str> = left.chain(free.iter().map(|index| test.layers()[*index].name.as_str())).collect();
        if self.pairs.is_empty() {
            self.fault("missing_aov", Some("beauty"), 1, "only one of the pictures has a beauty".to_owned());
        } else if !left.is_empty() {
            let text = format!("a picture of one layer is compared with the beauty; {} other AOVs are not", left.len());
            self.notice("one_layer", None, text);
        }
    }

    /// AOVs without partners that are each other's partners under another name: compared, and a fault each.
    fn renamed(&mut self, test: &Picture, reference: &Picture, missing: &mut Vec<usize>, free: &mut Vec<usize>) {
        let alike = |a: &Layer, b: &Layer| a.channels.len() == b.channels.len() && a.is_uint() == b.is_uint();
        let sole = missing.len() == 1 && free.len() == 1;
        missing.retain(|index| {
            let layer = &reference.layers()[*index];
            let candidates = free.iter().map(|free| &test.layers()[*free]).filter(|other| alike(layer, other));
            let names: Vec<&str> = candidates.map(|other| other.name.as_str()).collect();
            let near = suggest::near_miss(&layer.name, names.iter().copied());
            let Some(name) = near.or(names.first().copied().filter(|_| sole)) else { return true };
            let place = free.iter().position(|free| test.layers()[*free].name == name).unwrap_or_default();
            let partner = free.remove(place);
            let text = format!(
                "the test has no AOV \"{old}\" but an extra \"{name}\" like it, which is compared in its place; if that is \
                 right, say --map {old}={name}",
                old = layer.name
            );
            self.fault("renamed_aov", Some(&layer.name), 1, text);
            self.pair(test, reference, partner, *index);
            false
        });
    }

    fn pair(&mut self, test: &Picture, reference: &Picture, t: usize, r: usize) {
        let (test_layer, reference_layer) = (&test.layers()[t], &reference.layers()[r]);
        let layered = test.is_layered() && reference.is_layered();
        let channels = self.channels(test_layer, reference_layer, layered);
        let types =
            |(_, t, r): &&(String, usize, usize)| test_layer.channels[*t].sample != reference_layer.channels[*r].sample;
        let differing = channels.iter().filter(types);
        if let Some((name, at, from)) = differing.clone().next().filter(|_| layered) {
            let (to, from) = (test_layer.channels[*at].sample.name(), reference_layer.channels[*from].sample.name());
            let text = format!("{}.{name} is stored as {to}, in the reference as {from}", reference_layer.name);
            self.fault("channel_type", Some(&reference_layer.name), differing.count(), text);
        }
        self.pairs.push(Pair {
            test: t,
            reference: r,
            name: test_layer.name.clone(),
            reference_name: reference_layer.name.clone(),
            kind: reference_layer.kind,
            window: common(test_layer.window, reference_layer.window),
            channels,
        });
    }

    fn channels(&mut self, test: &Layer, reference: &Layer, layered: bool) -> Vec<(String, usize, usize)> {
        let place = |name: &str| test.channels.iter().position(|channel| channel.name == name);
        let mut pairs: Vec<(String, usize, usize)> = Vec::new();
        let mut missing = Vec::new();
        for (r, channel) in reference.channels.iter().enumerate() {
            match place(&channel.name).or_else(|| grey(test, &channel.name, layered)) {
                Some(t) => pairs.push((channel.name.clone(), t, r)),
                None => missing.push(r),
            }
        }
        let used: Vec<usize> = pairs.iter().map(|(_, t, _)| *t).collect();
        let extra: Vec<usize> = (0..test.channels.len()).filter(|t| !used.contains(t)).collect();
        let aov = Some(reference.name.as_str());
        if !missing.is_empty() && missing.len() == extra.len() {
            for (r, t) in missing.into_iter().zip(extra) {
                let (old, new) = (&reference.channels[r].name, &test.channels[t].name);
                let text =
                    format!("{}: the channel {old} is called {new} in the test; they are compared", reference.name);
                self.fault("renamed_channel", aov, 1, text);
                pairs.push((old.clone(), t, r));
            }
            pairs.sort_by_key(|(_, _, r)| *r);
            return pairs;
        }
        let names = |layer: &Layer, places: &[usize]| -> String {
            places.iter().map(|place| layer.channels[*place].name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if !layered {
            // Formats without alpha are no fault of their program.
            let left = [names(reference, &missing), names(test, &extra)].concat();
            if !left.is_empty() {
                self.notice("channels", aov, format!("one picture has no channel {left}: it is not compared"));
            }
            return pairs;
        }
        if !missing.is_empty() {
            let text = format!("{}: the test lacks the channel {}", reference.name, names(reference, &missing));
            self.fault("missing_channel", aov, missing.len(), text);
        }
        if !extra.is_empty() {
            let text = format!("{}: the reference lacks the channel {}", reference.name, names(test, &extra));
            self.fault("extra_channel", aov, extra.len(), text);
        }
        pairs
    }

    fn windows(&mut self, test: &Picture, reference: &Picture) {
        let differing = |pair: &&Pair| test.layers()[pair.test].window != reference.layers()[pair.reference].window;
        let Some(first) = self.pairs.iter().find(differing) else { return };
        let (t, r) = (test.layers()[first.test].window, reference.layers()[first.reference].window);
        let same_frame = test.display() == reference.display();
        let whole = |window: Rect, frame: Rect| window == frame;
        if !same_frame && whole(t, test.display()) && whole(r, reference.display()) && (t.x, t.y) == (r.x, r.y) {
            return; // the sizes say it all
        }
        let compared = match first.window.area() {
            0 => "they share no pixel".to_owned(),
            _ => format!("compared: {}", words(first.window)),
        };
        let text = format!("the test holds {}, the reference {}; {compared}", words(t), words(r));
        let count = self.pairs.iter().filter(differing).count();
        self.fault("data_window", None, count, text);
    }
}

/// A grey picture stands for red, green and blue.
fn grey(layer: &Layer, channel: &str, layered: bool) -> Option<usize> {
    let colour = ["R", "G", "B"].contains(&channel) && !layered;
    layer.channels.iter().position(|channel| channel.name == "Y").filter(|_| colour)
}
