//! Metrics against NumPy, which reads the same files with OpenEXR's own library.

use std::process::Command;

use serde_json::Value;

use crate::scenes::render;
use crate::{Desk, aov, diff_files};

/// A Python with numpy and OpenEXR, or `None` with a message.
fn python() -> Option<String> {
    let python = std::env::var("SCRUTINEER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let asked = Command::new(&python).args(["-c", "import numpy, OpenEXR"]).output();
    if asked.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    let no_skip = std::env::var_os("SCRUTINEER_NO_SKIP").is_some_and(|value| value == "1");
    assert!(!no_skip, "{python} lacks numpy or OpenEXR and SCRUTINEER_NO_SKIP=1");
    println!("skipped: {python} lacks numpy or OpenEXR (SCRUTINEER_PYTHON names another)");
    None
}

#[test]
fn metrics_agree_with_numpy() {
    let Some(python) = python() else { return };
    let desk = Desk::empty();
    let (test, reference) = (desk.put("t.exr", &render(1)), desk.put("r.exr", &render(2)));
    let mut turned = render(2);
    turned.map("N.Y", |v| 0.9 * v + 0.01);
    let turned = desk.put("n.exr", &turned);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/diff_metrics.py");
    let ask = |test: &std::path::Path, layer: &str| -> Value {
        let output = Command::new(&python).arg(script).args([test, &reference]).arg(layer).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let check = |what: &str, ours: f64, theirs: &Value| {
        let theirs = theirs[what].as_f64().unwrap();
        assert!((ours - theirs).abs() <= 1e-9 * theirs.abs().max(1e-3), "{what}: {ours}, NumPy {theirs}");
    };
    let report = diff_files(&test, &reference, Default::default());
    let (metrics, numpy) = (&aov(&report, "beauty").metrics, ask(&test, ""));
    check("mae", metrics.mae, &numpy);
    check("rmse", metrics.rmse, &numpy);
    check("relative_mse", metrics.relative_mse, &numpy);
    check("psnr", metrics.psnr.unwrap(), &numpy);
    check("max", metrics.max, &numpy);
    check("bias", metrics.bias, &numpy);
    let report = diff_files(&turned, &reference, Default::default());
    let (angle, numpy) = (aov(&report, "N").metrics.angle.unwrap(), ask(&turned, "N."));
    check("angle_mean", angle.mean, &numpy);
    check("angle_max", angle.max, &numpy);
}
