//! Cameras of a glTF file (glTF 2.0, section 3.10): they look along their local −Z, +Y up.

use std::sync::Arc;

use glam::DAffine3;

use super::error::{Checked, Fault};
use super::json;

/// A camera at its node.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraDef {
    /// The camera's own name, else its node's.
    pub name: Arc<str>,
    pub lens: Lens,
    /// Camera to scene frame, with whatever scale its parents have: scale has no part in what a camera sees.
    pub transform: DAffine3,
}

/// A projection as authored. Distances in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    Perspective {
        /// Vertical field of view, radians, in 0..π.
        yfov: f64,
        /// Width over height; `None`: the output's.
        aspect: Option<f64>,
        znear: f64,
        /// `None`: infinite.
        zfar: Option<f64>,
    },
    Orthographic {
        /// Half the width and half the height, metres, positive.
        xmag: f64,
        ymag: f64,
        znear: f64,
        zfar: f64,
    },
}

pub(super) fn read(camera: &json::Camera, index: usize) -> Checked<Lens> {
    let at = format!("/cameras/{index}");
    let missing = |kind: &str| Fault::new(&at, format!("a camera of type \"{kind}\" needs the member \"{kind}\""));
    match camera.kind.as_str() {
        "perspective" => perspective(camera.perspective.as_ref().ok_or_else(|| missing("perspective"))?, &at),
        "orthographic" => orthographic(camera.orthographic.as_ref().ok_or_else(|| missing("orthographic"))?, &at),
        other => {
            let message = format!("camera type \"{other}\" is unknown; allowed: \"perspective\", \"orthographic\"");
            Err(Fault::new(format!("{at}/type"), message))
        }
    }
}

fn perspective(lens: &json::Perspective, at: &str) -> Checked<Lens> {
    if !(lens.yfov > 0.0 && lens.yfov < std::f64::consts::PI) {
        let message = format!("{} rad is no field of view; allowed: more than 0, less than π", lens.yfov);
        return Err(Fault::new(format!("{at}/perspective/yfov"), message));
    }
    if let Some(aspect) = lens.aspect_ratio.filter(|aspect| *aspect <= 0.0) {
        let message = format!("{aspect} is no aspect ratio; allowed: more than 0");
        return Err(Fault::new(format!("{at}/perspective/aspectRatio"), message));
    }
    Ok(Lens::Perspective { yfov: lens.yfov, aspect: lens.aspect_ratio, znear: lens.znear, zfar: lens.zfar })
}

/// Negative magnifications, which mirror, are as common as forbidden: their size counts.
fn orthographic(lens: &json::Orthographic, at: &str) -> Checked<Lens> {
    let (xmag, ymag) = (lens.xmag.abs(), lens.ymag.abs());
    for (member, mag) in [("xmag", xmag), ("ymag", ymag)] {
        if mag == 0.0 {
            return Err(Fault::new(format!("{at}/orthographic/{member}"), "0 is no extent; allowed: more than 0"));
        }
    }
    Ok(Lens::Orthographic { xmag, ymag, znear: lens.znear, zfar: lens.zfar })
}
