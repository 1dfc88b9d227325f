//! Near misses: the second half of every «unknown name» message.

/// The allowed name that `name` most likely meant, if one is near enough to be worth saying.
pub fn near_miss<'a>(name: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = name.to_lowercase();
    allowed
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `unknown parameter "Hu"; did you mean "Hue"? Allowed: "Hue", "Saturation"`.
pub fn unknown<'a>(kind: &str, name: &str, allowed: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let guess = match near_miss(name, allowed.clone()) {
        Some(candidate) => format!("; did you mean \"{candidate}\"?"),
        None => ";".to_owned(),
    };
    let list = list(allowed);
    match list.is_empty() {
        true => format!("unknown {kind} \"{name}\"; none is allowed here"),
        false => format!("unknown {kind} \"{name}\"{guess} allowed: {list}"),
    }
}

/// `"Hue", "Saturation"`.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_suggested_and_a_far_one_is_not() {
        assert_eq!(near_miss("BlendSmothness", ["BlendShuffle", "BlendSmoothness"]), Some("BlendSmoothness"));
        assert_eq!(near_miss("zzz", ["BlendShuffle"]), None);
    }
}
