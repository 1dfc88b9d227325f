//! Makes the scenes under `scenes/`: `cargo run --release --example generate-scenes`.
//!
//! The results are committed, so that a fresh clone renders at once; this is how they came to be.

mod chart;
mod cornell;
mod decals;
mod glass;
mod glb;
mod paddock;
mod paint;
mod shapes;
mod spheres;

use std::path::Path;

type Made = Result<(), Box<dyn std::error::Error>>;

fn main() -> Made {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for (name, make) in [
        ("cornell", cornell::make as fn(&Path) -> Made),
        ("spheres", spheres::make),
        ("paddock", paddock::make),
        ("chart", chart::make),
        ("decals", decals::make),
        ("glass", glass::make),
    ] {
        let folder = scenes.join(name);
        std::fs::create_dir_all(&folder)?;
        make(&folder)?;
        println!("made scenes/{name}");
    }
    Ok(())
}
