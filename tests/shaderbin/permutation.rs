//! Choosing a permutation: each rule of the page with the smallest shader that shows it.

use scrutineer::shaderbin::permutation::{Choice, Near, choose};
use scrutineer::shaderbin::value::Value;
use scrutineer::shaderbin::vars::Variants;
use scrutineer::shaderbin::{Bundle, Shaderbin, Tag};

use super::builder::{Parts, parameter, record, sample, variants};

const ON: Option<bool> = Some(true);
const OFF: Option<bool> = Some(false);

fn three() -> Variants {
    variants(
        &["Blend2", "Lightmap", "Fixed"],
        &[("_Standard", "001"), ("_Standard_B", "101"), ("_Standard_B_L", "111")],
    )
}

#[test]
fn the_one_variant_whose_states_are_the_switches_is_chosen() {
    let all = three();
    let choice = choose(&all, &[ON, OFF, ON]);
    assert_eq!((choice.permutation, &choice.matches[..]), (Some("_Standard_B"), &["_Standard_B"][..]));
    assert!(choice.near.is_empty() && choice.problem().is_none());
}

#[test]
fn two_is_either() {
    let all = variants(&["Blend2", "Lightmap"], &[("_Standard", "0-"), ("_B", "10"), ("_B_L", "11")]);
    assert_eq!(choose(&all, &[OFF, ON]).permutation, Some("_Standard"));
    assert_eq!(choose(&all, &[OFF, OFF]).permutation, Some("_Standard"));
}

#[test]
fn an_absent_switch_matches_any_state() {
    let all = three();
    let choice = choose(&all, &[ON, None, None]);
    assert_eq!((choice.permutation, &choice.matches[..]), (None, &["_Standard_B", "_Standard_B_L"][..]));
    assert_eq!(choice.undecided, ["Lightmap"]);
    let message = choice.problem().unwrap();
    assert!(message.contains("_Standard_B, _Standard_B_L") && message.ends_with("set Lightmap"), "{message}");
    assert_eq!(choose(&all, &[None, ON, None]).permutation, Some("_Standard_B_L"));
}

#[test]
fn a_switch_with_one_state_everywhere_is_ignored() {
    let all = three();
    // Fixed is on in every variant; the material's off does not matter.
    let choice = choose(&all, &[OFF, OFF, OFF]);
    assert_eq!((choice.permutation, &choice.ignored_switches[..]), (Some("_Standard"), &["Fixed"][..]));
}

#[test]
fn without_a_match_the_nearest_and_what_decides_are_named() {
    let all = three();
    let choice = choose(&all, &[OFF, ON, ON]);
    assert_eq!(choice.permutation, None);
    assert!(choice.matches.is_empty());
    let near = |name, differs: &[&'static str]| Near { name, differs: differs.to_vec() };
    assert_eq!(
        choice.near,
        [
            near("_Standard", &["Lightmap"]),
            near("_Standard_B_L", &["Blend2"]),
            near("_Standard_B", &["Blend2", "Lightmap"])
        ]
    );
    let message = choice.problem().unwrap();
    assert!(message.contains("_Standard differs in Lightmap; _Standard_B_L differs in Blend2"), "{message}");
}

#[test]
fn at_most_five_near_variants() {
    let all: Vec<(String, String)> = (1..8).map(|index| (format!("_{index}"), format!("{index:03b}0"))).collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(name, states)| (name.as_str(), states.as_str())).collect();
    let all = variants(&["A", "B", "C", "D"], &[&all[..], &[("_8", "1111")]].concat());
    let choice = choose(&all, &[OFF, OFF, OFF, OFF]);
    let names: Vec<&str> = choice.near.iter().map(|near| near.name).collect();
    assert_eq!(names, ["_1", "_2", "_4", "_3", "_5"]);
}

#[test]
fn no_variants_and_equal_variants_have_their_own_messages() {
    let none = variants(&["A"], &[]);
    assert_eq!(choose(&none, &[ON]).problem().unwrap(), "the shader has no compiled variant");
    let equal = variants(&["A"], &[("_1", "1"), ("_2", "1")]);
    assert!(choose(&equal, &[OFF]).problem().unwrap().contains("they differ in no switch"));
}

#[test]
fn the_json_object_has_the_keys_of_the_contract() {
    let all = three();
    let json = |choice: Choice| serde_json::to_string(&choice).unwrap();
    assert_eq!(
        json(choose(&all, &[ON, ON, ON])),
        r#"{"permutation":"_Standard_B_L","matches":["_Standard_B_L"],"ignored_switches":["Fixed"],"near":[]}"#
    );
    let none = json(choose(&all, &[OFF, ON, ON]));
    assert!(none.starts_with(r#"{"permutation":null,"matches":[],"ignored_switches":["Fixed"],"near":[{"name":"_Standard","differs":["Lightmap"]}"#));
}

fn choice_of(parts: &Parts) -> Option<String> {
    let shader = Shaderbin::read(&parts.bytes()).unwrap();
    let variants = shader.variants().unwrap();
    let values = shader.switch_values(&variants.switches, &shader.merged([]));
    choose(variants, &values).permutation.map(str::to_owned)
}

#[test]
fn switches_come_from_the_defaults_where_1_is_on_and_others_are_off() {
    let mut parts = sample();
    // UseLightmap has no default: it matches any state, so on is ambiguous and off is not.
    assert_eq!(choice_of(&parts), None);
    parts.defaults[4].value = Value::Int(0);
    assert_eq!(choice_of(&parts).as_deref(), Some("_Standard"));
    parts.defaults[4].value = Value::Int(2);
    assert_eq!(choice_of(&parts).as_deref(), Some("_Standard"));
    // Only type 4 is a switch.
    parts.defaults[4].value = Value::Bool(0);
    assert_eq!(choice_of(&parts), None);
}

#[test]
fn a_switch_whose_hash_is_no_key_joins_by_its_name() {
    let mut parts = sample();
    parts.defaults[4].value = Value::Int(0);
    parts.variants.switches[0].hash = 12345;
    assert_eq!(choice_of(&parts).as_deref(), Some("_Standard"));
    parts.variants.switches[0].name = "Renamed".to_owned();
    assert_eq!(choice_of(&parts), None);
}

#[test]
fn later_links_of_the_chain_win() {
    let mut parts = sample();
    parts.parameters.push(parameter("UseLightmap"));
    parts.defaults.push(record("UseLightmap", Value::Int(0)));
    let shader = Shaderbin::read(&parts.bytes()).unwrap();
    let variants = shader.variants().unwrap();
    let choice = |chain: &[&[scrutineer::shaderbin::record::Record]]| {
        let merged = shader.merged(chain.iter().copied());
        choose(variants, &shader.switch_values(&variants.switches, &merged)).permutation
    };
    let set = |name, value| [record(name, Value::Int(value))];
    assert_eq!(choice(&[]), Some("_Standard_B"));
    assert_eq!(choice(&[&set("UseLightmap", 1)]), Some("_Standard_B_L"));
    assert_eq!(choice(&[&set("UseLightmap", 1), &set("UseLightmap", 0)]), Some("_Standard_B"));
    assert_eq!(choice(&[&set("Blend2", 0), &set("UseLightmap", 0)]), Some("_Standard"));
}

#[test]
fn vars_that_are_not_understood_stay_bytes_and_choose_nothing() {
    let mut bundle = sample().bundle();
    let vars = bundle.blobs.iter_mut().find(|blob| blob.tag == Tag::VARS).unwrap();
    vars.data.extend(b"\x0bWinterRoads");
    let bytes = bundle.to_bytes().unwrap();
    let shader = Shaderbin::read(&bytes).unwrap();
    let error = shader.variants().unwrap_err();
    assert!(error.message.contains("no permutation can be chosen") && error.offset > 0, "{error}");
    assert_eq!(shader.bundle.to_bytes().unwrap(), bytes);
    let without = Bundle { blobs: Vec::new(), ..bundle };
    assert!(Shaderbin::from_bundle(without).unwrap().variants().unwrap_err().message.contains("no VARS"));
}
