//! Radiance HDR pictures (Greg Ward, *Radiance File Formats*, "Picture file format"; *Real Pixels*, Graphics Gems II).
//!
//! Own code, because ready-made readers stop at what real files have: flat scanlines, comments, `EXPOSURE` lines, other
//! signatures than `#?RADIANCE`, and the seven unusual orientations.

use super::FloatImage;
use super::error::{Fault, damaged};
use super::guard::check_expansion;

const KIND: &str = "Radiance HDR";
/// No header is longer; a file of other contents has no blank line to find.
const LONGEST_HEADER: usize = 1 << 20;
/// Run-length coded scanlines have at least and at most these lengths.
const RUN_LENGTHS: std::ops::RangeInclusive<usize> = 8..=0x7fff;

/// Whether `bytes` begin as a Radiance picture does.
pub(super) fn is_radiance(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#?")
}

/// The picture's radiance in W/(sr m²): stored values over all `EXPOSURE` and `COLORCORR` lines, as the format defines.
///
/// # Errors
///
/// Headers without a resolution line, XYZE colours, scanlines that are damaged or cut off.
pub(super) fn read(bytes: &[u8]) -> Result<FloatImage, Fault> {
    let (header, mut data) = header(bytes)?;
    let Orientation { width, height, .. } = header.orientation;
    let mut image = FloatImage { width, height, texels: vec![[0.0, 0.0, 0.0, 1.0]; width as usize * height as usize] };
    let (lines, length) = header.orientation.lines();
    let mut line = vec![[0; 4]; length];
    for index in 0..lines {
        data = scanline(data, &mut line).map_err(|what| damaged(KIND, format!("scanline {index}: {what}")))?;
        for (along, rgbe) in line.iter().enumerate() {
            let [r, g, b] = decoded(*rgbe, header.exposure);
            image.texels[header.orientation.texel(index, along)] = [r, g, b, 1.0];
        }
    }
    Ok(image)
}

/// Width and height, from the header alone.
pub(super) fn size(bytes: &[u8]) -> Result<[u32; 2], Fault> {
    let (header, _) = header(bytes)?;
    Ok([header.orientation.width, header.orientation.height])
}

struct Header {
    orientation: Orientation,
    /// What R, G and B were multiplied by.
    exposure: [f32; 3],
}

/// In which order the file stores texels.
#[derive(Clone, Copy)]
struct Orientation {
    width: u32,
    height: u32,
    /// Scanlines are columns.
    columns: bool,
    /// `+Y`: rows run upward.
    upward: bool,
    /// `-X`: columns run to the left.
    leftward: bool,
}

impl Orientation {
    /// How many scanlines there are, and how long each is.
    fn lines(&self) -> (usize, usize) {
        match self.columns {
            true => (self.width as usize, self.height as usize),
            false => (self.height as usize, self.width as usize),
        }
    }

    /// Index, rows downward from the top left, of texel `along` of scanline `line`.
    fn texel(&self, line: usize, along: usize) -> usize {
        let (width, height) = (self.width as usize, self.height as usize);
        let (x, y) = if self.columns { (line, along) } else { (along, line) };
        let x = if self.leftward { width - 1 - x } else { x };
        let y = if self.upward { height - 1 - y } else { y };
        y * width + x
    }
}

/// The header, and the scanlines' bytes.
fn header(bytes: &[u8]) -> Result<(Header, &[u8]), Fault> {
    let mut exposure = [1.0; 3];
    let mut rest = bytes;
    loop {
        let line = next_line(bytes, &mut rest)?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            variable(name.trim(), value.trim(), &mut exposure)?;
        }
    }
    let line = next_line(bytes, &mut rest)?;
    let orientation = orientation(line).ok_or_else(|| {
        damaged(KIND, format!("resolution line \"{line}\"; allowed: ±Y and ±X, like \"-Y 512 +X 1024\""))
    })?;
    check_expansion(KIND, [orientation.width, orientation.height], 4, rest.len())?;
    Ok((Header { orientation, exposure }, rest))
}

/// Cuts one line of text off `rest`, which lies in `bytes`.
fn next_line<'a>(bytes: &'a [u8], rest: &mut &'a [u8]) -> Result<&'a str, Fault> {
    let end = rest.iter().take(LONGEST_HEADER).position(|byte| *byte == b'\n');
    let end = end.filter(|_| bytes.len() - rest.len() < LONGEST_HEADER);
    let end = end.ok_or_else(|| damaged(KIND, "the header has no end (a blank line, then the resolution)"))?;
    let line = &rest[..end];
    *rest = &rest[end + 1..];
    // Comments may be in any encoding; what is not UTF-8 cannot be a variable that counts.
    Ok(std::str::from_utf8(line).unwrap_or("#").trim_end_matches('\r'))
}

fn variable(name: &str, value: &str, exposure: &mut [f32; 3]) -> Result<(), Fault> {
    let count = match name {
        "EXPOSURE" => 1,
        "COLORCORR" => 3,
        "FORMAT" if value != "32-bit_rle_rgbe" => {
            return Err(Fault::Unsupported { what: format!("FORMAT={value}"), allowed: "32-bit_rle_rgbe" });
        }
        _ => return Ok(()),
    };
    let numbers: Option<Vec<f32>> = value.split_whitespace().map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() == count && numbers.iter().all(|n| n.is_finite() && *n > 0.0));
    let numbers = numbers.ok_or_else(|| damaged(KIND, format!("{name}={value}; allowed: {count} positive numbers")))?;
    for (channel, factor) in exposure.iter_mut().enumerate() {
        *factor *= numbers[channel % count];
    }
    Ok(())
}

fn orientation(line: &str) -> Option<Orientation> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [major, major_size, minor, minor_size] = words[..] else { return None };
    let sizes = [major_size.parse().ok()?, minor_size.parse().ok()?];
    let columns = major.ends_with('X');
    let (x, y) = if columns { (major, minor) } else { (minor, major) };
    let [width, height] = if columns { sizes } else { [sizes[1], sizes[0]] };
    let leftward = match x {
        "+X" => false,
        "-X" => true,
        _ => return None,
    };
    let upward = match y {
        "+Y" => true,
        "-Y" => false,
        _ => return None,
    };
    Some(Orientation { width, height, columns, upward, leftward })
}

/// Reads one scanline off `data`: run-length coded by component, or texel by texel with old-style repeats.
fn scanline<'a>(data: &'a [u8], line: &mut [[u8; 4]]) -> Result<&'a [u8], String> {
    match data {
        [2, 2, high, low, rest @ ..] if *high < 0x80 && RUN_LENGTHS.contains(&line.len()) => {
            let length = usize::from(*high) << 8 | usize::from(*low);
            match length == line.len() {
                true => components(rest, line),
                false => Err(format!("it has {length} texels instead of {}", line.len())),
            }
        }
        _ => flat(data, line),
    }
}

const CUT_OFF: &str = "the file ends";

fn components<'a>(mut data: &'a [u8], line: &mut [[u8; 4]]) -> Result<&'a [u8], String> {
    for component in 0..4 {
        let mut x = 0;
        while x < line.len() {
            let (count, rest) = data.split_first().ok_or(CUT_OFF)?;
            let (run, count) = if *count > 128 { (true, *count - 128) } else { (false, *count) };
            let count = usize::from(count);
            let stored = rest.get(..if run { 1 } else { count }).ok_or(CUT_OFF)?;
            let texels = line.get_mut(x..x + count).filter(|_| count > 0).ok_or("a run of the wrong length")?;
            for (texel, value) in texels.iter_mut().zip(stored.iter().cycle()) {
                texel[component] = *value;
            }
            x += count;
            data = &rest[stored.len()..];
        }
    }
    Ok(data)
}

fn flat<'a>(mut data: &'a [u8], line: &mut [[u8; 4]]) -> Result<&'a [u8], String> {
    let (mut x, mut shift) = (0, 0);
    while x < line.len() {
        let (texel, rest) = data.split_first_chunk::<4>().ok_or(CUT_OFF)?;
        data = rest;
        let [1, 1, 1, count] = *texel else {
            line[x] = *texel;
            (x, shift) = (x + 1, 0);
            continue;
        };
        // repeats in a row are the digits, lowest first, of a longer count
        let count = usize::from(count).checked_shl(shift).filter(|count| *count <= line.len() - x);
        let (count, previous) = count.zip(x.checked_sub(1)).ok_or("a repeat of the wrong length")?;
        let previous = line[previous];
        line[x..x + count].fill(previous);
        (x, shift) = (x + count, shift + 8);
        if shift > 24 {
            return Err("a repeat of the wrong length".to_owned());
        }
    }
    Ok(data)
}

/// mantissa · 2^(exponent − 136); exponent 0 is black.
fn decoded([r, g, b, exponent]: [u8; 4], exposure: [f32; 3]) -> [f32; 3] {
    if exponent == 0 {
        return [0.0; 3];
    }
    // in f64: 2⁻¹³⁵ is no normal f32
    let scale = f64::exp2(f64::from(exponent) - 136.0);
    let value = |mantissa: u8, channel: usize| (f64::from(mantissa) * scale / f64::from(exposure[channel])) as f32;
    [value(r, 0), value(g, 1), value(b, 2)]
}
