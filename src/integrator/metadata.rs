//! What a picture's header says of its making.

use std::time::Duration;

use serde_json::json;

use super::{Integrator, Job};
use crate::film::metadata::{CameraMatrices, IdNames, Metadata};
use crate::scene::Scene;

/// The header of a rendered picture. `elapsed` counts from the program's start.
pub fn describe(scene: &Scene, job: &Job, elapsed: Duration) -> Metadata {
    let integrator = match job.integrator {
        Integrator::Path => "path",
        Integrator::Naive => "naive",
        Integrator::Gbuffer => "gbuffer",
    };
    let view = job.eye.world_to_camera();
    let projection = job.eye.world_to_ndc().map(|ndc| (ndc * view.inverse()).as_mat4());
    let settings = json!({
        "resolution": job.resolution, "window": job.window, "camera": scene.cameras[job.camera].name, "cull": job.cull,
        "world": format!("{:?}", scene.world),
    });
    Metadata {
        scene_hash: format!("{:016x}", scene.hash),
        seed: job.seed,
        samples: job.samples,
        filter: if job.integrator == Integrator::Gbuffer { "none" } else { job.filter.kind().name() }.to_owned(),
        integrator: integrator.to_owned(),
        backend: scene.accel.name().to_owned(),
        max_depth: job.max_depth,
        settings: settings.to_string(),
        camera: Some(CameraMatrices { view: view.as_mat4(), projection }),
        ids: IdNames {
            instances: scene.instance_names(),
            objects: scene.names.objects.clone(),
            meshes: scene.names.meshes.clone(),
            materials: scene.names.materials.clone(),
        },
        host: host(),
        wall_seconds: elapsed.as_secs_f64(),
        ..Metadata::default()
    }
}

/// The machine's name, as its environment tells it.
fn host() -> String {
    let names = ["HOSTNAME", "COMPUTERNAME", "HOST"];
    names.iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default()
}
