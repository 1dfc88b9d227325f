//! Names with `*`.

/// Whether `name` is `pattern`, in which each `*` stands for any characters, also none.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, mut rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(head) else { return false };
    while let Some((part, next)) = rest.split_once('*') {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
        rest = next;
    }
    name.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, expected) in [
            ("beauty", "beauty", true),
            ("beauty", "beauty_stderr", false),
            ("*", "", true),
            ("light_*", "light_sun", true),
            ("light_*", "highlight_sun", false),
            ("*_stderr", "beauty_stderr", true),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false),
            ("*ü*", "Prüfung", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
