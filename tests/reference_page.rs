//! `docs/families.md` is what the registry says.

use std::path::Path;

use scrutineer::cli::families;

#[test]
fn the_committed_page_is_that_of_the_registry() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/families.md");
    let committed = std::fs::read_to_string(&path).expect("docs/families.md is committed").replace("\r\n", "\n");
    let regenerate = "run `cargo run --release -- families --markdown > docs/families.md`";
    for (number, (old, new)) in committed.lines().zip(families::reference().lines()).enumerate() {
        assert_eq!(old, new, "docs/families.md:{}: {regenerate}", number + 1);
    }
    assert!(committed == families::reference(), "{regenerate}");
}
