//! Large pictures stream: their memory is bands, not pictures.

/// Peak of the resident memory of a comparison of two pictures of 2048×2048 with 16 float channels: together 537 MB of
/// pixels. The bound is the program's own 30 MB or so and a few bands of 64 rows (8 MB each and picture, compressed,
/// decoded and sorted by AOV).
#[cfg(target_os = "linux")]
#[test]
fn peak_memory_is_a_fraction_of_the_pictures() {
    use std::process::{Command, Stdio};

    use crate::Desk;
    use crate::pictures::Pic;

    /// Kilobytes.
    const BOUND: u64 = 100_000;
    let desk = Desk::empty();
    let picture = |scale: f32| {
        let mut pic = Pic::new(2048, 2048);
        for channel in 0..16 {
            // Stretches of equal values: the files stay small.
            pic.float(&format!("l{}.{}", channel / 4, channel % 4), |x, y| {
                scale * ((x / 64 + y / 8 + channel) % 97) as f32
            });
        }
        pic
    };
    let (test, reference) = (desk.put("test.exr", &picture(1.0)), desk.put("reference.exr", &picture(1.0001)));
    let mut child = Command::new(env!("CARGO_BIN_EXE_scrutineer"))
        .arg("diff")
        .args([&test, &reference])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    println!("peak: {peak} kB");
    assert!(peak > 1000, "the peak was not seen");
    assert!(peak < BOUND, "{peak} kB");
}
