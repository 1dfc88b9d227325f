//! Which AOVs a render writes: names as typed → ids.

use super::aov::{Aov, Pixel, TABLE};
use crate::suggest;

/// One AOV of a film: a row of the table, or a light group of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AovId {
    /// Index into [`TABLE`].
    Row(u16),
    /// Index into the film's light groups.
    LightGroup(u16),
}

impl AovId {
    /// The table row called `name`.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().position(|row| row.name == name).map(|index| Self::Row(index as u16))
    }

    /// The row of the table; `None` for a light group.
    pub fn row(self) -> Option<&'static Aov> {
        match self {
            Self::Row(index) => TABLE.get(usize::from(index)),
            Self::LightGroup(_) => None,
        }
    }

    /// The AOV's name: the layer in one file, the middle of the name among many files.
    pub fn name(self, light_groups: &[String]) -> String {
        match self {
            Self::Row(index) => TABLE[usize::from(index)].name.to_owned(),
            Self::LightGroup(index) => format!("light_{}", light_groups[usize::from(index)]),
        }
    }

    /// Channel names in the file.
    pub fn channels(self, light_groups: &[String]) -> Vec<String> {
        match self.row() {
            Some(row) => row.channels.iter().map(|channel| (*channel).to_owned()).collect(),
            None => ["R", "G", "B"].iter().map(|c| format!("{}.{c}", self.name(light_groups))).collect(),
        }
    }

    /// How the values may be stored.
    pub fn pixel(self) -> Pixel {
        self.row().map_or(Pixel::Colour, |row| row.pixel)
    }
}

/// A set of AOVs in the order of the table, light groups last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Vec<AovId>);

impl Selection {
    /// What is written when nothing is asked for.
    pub fn default_set() -> Self {
        Self(rows().filter(|id| id.row().is_some_and(|row| row.default)).collect())
    }

    /// Names as typed. Besides the table's: `light_NAME` for a group of the scene, `light_*` for all of them, `default`
    /// and `all`. An empty list is the default set. The error names what is allowed and suggests a near miss.
    pub fn parse(names: &[String], light_groups: &[String]) -> Result<Self, String> {
        for group in light_groups {
            check_group_name(group)?;
        }
        if names.is_empty() {
            return Ok(Self::default_set());
        }
        let mut ids = Vec::new();
        for name in names {
            ids.extend(parse_one(name.trim(), light_groups)?);
        }
        ids.sort_unstable();
        ids.dedup();
        Ok(Self(ids))
    }

    /// The AOVs, in the order of the table.
    pub fn ids(&self) -> &[AovId] {
        &self.0
    }

    /// The same as a list to put into [`super::FilmSettings`].
    pub fn into_ids(self) -> Vec<AovId> {
        self.0
    }
}

fn rows() -> impl Iterator<Item = AovId> {
    (0..TABLE.len() as u16).map(AovId::Row)
}

fn groups(light_groups: &[String]) -> impl Iterator<Item = AovId> {
    (0..light_groups.len() as u16).map(AovId::LightGroup)
}

fn parse_one(name: &str, light_groups: &[String]) -> Result<Vec<AovId>, String> {
    match name {
        "default" => return Ok(Selection::default_set().0),
        "all" => return Ok(rows().chain(groups(light_groups)).collect()),
        "light_*" => return Ok(groups(light_groups).collect()),
        _ => {}
    }
    let known = rows().chain(groups(light_groups)).find(|id| id.name(light_groups) == name);
    known.map(|id| vec![id]).ok_or_else(|| {
        let groups: Vec<String> = groups(light_groups).map(|id| id.name(light_groups)).collect();
        let sets = ["all", "default", "light_*"];
        let allowed = TABLE.iter().map(|row| row.name).chain(groups.iter().map(String::as_str)).chain(sets);
        suggest::unknown("AOV", name, allowed)
    })
}

/// A group's name becomes a layer's name: a dot would split it, and the format holds 255 bytes with the channel.
fn check_group_name(group: &str) -> Result<(), String> {
    let illegal = |c: char| c == '.' || c == '/' || c == '\\' || c.is_control();
    match group {
        "" => Err("a light group's name is empty".to_owned()),
        _ if group.len() > 200 => Err(format!("the light group's name \"{group}\" is longer than 200 bytes")),
        "*" => Err("a light group must not be called \"*\": \"light_*\" means all groups".to_owned()),
        _ if group.contains(illegal) => Err(format!(
            "the light group's name {group:?} must hold no '.', slash or control character: it names a layer of the EXR"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(names: &[&str], groups: &[&str]) -> Result<Selection, String> {
        let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        Selection::parse(&owned(names), &owned(groups))
    }

    #[test]
    fn nothing_is_the_default_set_and_all_is_everything() {
        let default = parse(&[], &["sun"]).unwrap();
        assert_eq!(default, Selection::default_set());
        assert!(default.ids().iter().all(|id| id.row().unwrap().default));
        assert_eq!(parse(&["all"], &["sun", "sky"]).unwrap().ids().len(), TABLE.len() + 2);
    }

    #[test]
    fn order_and_repetition_of_the_names_do_not_matter() {
        let one = parse(&["Z", "beauty", "light_sky"], &["sun", "sky"]).unwrap();
        let other = parse(&["light_sky", "beauty", "Z", "beauty"], &["sun", "sky"]).unwrap();
        assert_eq!(one, other);
        assert_eq!(one.ids()[2], AovId::LightGroup(1));
        assert_eq!(one.ids()[2].channels(&["sun".into(), "sky".into()]), ["light_sky.R", "light_sky.G", "light_sky.B"]);
    }

    #[test]
    fn a_near_miss_is_suggested_and_the_allowed_names_are_listed() {
        let message = parse(&["albdo"], &["headlights"]).unwrap_err();
        assert!(message.contains("did you mean \"albedo\""), "{message}");
        assert!(message.contains("\"light_headlights\"") && message.contains("\"RT1\""), "{message}");
        assert!(parse(&["light_headlight"], &["headlights"]).unwrap_err().contains("\"light_headlights\"?"));
    }

    #[test]
    fn a_group_that_cannot_name_a_layer_is_refused() {
        for bad in ["", "a.b", "a/b", "line\nbreak", "*"] {
            assert!(parse(&["beauty"], &[bad]).is_err(), "{bad:?}");
        }
        assert!(parse(&["beauty"], &["Straße 7"]).is_ok());
    }
}
