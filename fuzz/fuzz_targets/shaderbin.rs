//! Any bytes as `.shaderbin` and `.materialbin`: an error, or a file that is described and written back as it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use scrutineer::shaderbin::describe::{Description, MaterialDescription};
use scrutineer::shaderbin::{Bundle, Material, ReadError, Shaderbin};

fuzz_target!(|bytes: &[u8]| {
    let Ok(bundle) = Bundle::read(bytes).inspect_err(|error| inside(error, bytes)) else { return };
    assert_eq!(bundle.to_bytes().expect("what was read can be written"), bytes);
    for blob in &bundle.blobs {
        if let Some(Err(error)) = blob.nested() {
            inside(&error, bytes);
        }
    }
    match Shaderbin::from_bundle(bundle.clone()) {
        Ok(shader) => {
            let description = Description::new(&shader, "environment");
            serde_json::to_vec(&description).expect("a description is JSON");
            let _ = description.to_string();
            if let Ok(choice) = shader.choose(None, &[]) {
                let _ = choice.to_string();
            }
        }
        Err(error) => inside(&error, bytes),
    }
    match Material::from_bundle(bundle) {
        Ok(material) => drop(MaterialDescription::new(&material).to_string()),
        Err(error) => inside(&error, bytes),
    }
});

/// Errors point into the file.
fn inside(error: &ReadError, bytes: &[u8]) {
    assert!(error.offset <= bytes.len(), "{error} in {} bytes", bytes.len());
}
