//! URIs of buffers and images: data URIs and relative file names (glTF 2.0, section 3.6.1.1; RFC 3986, RFC 2397).

use std::path::{Path, PathBuf};

/// What a URI names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Data(Vec<u8>),
    /// A file, existing or not.
    File(PathBuf),
}

/// Decodes `uri` relative to the folder `base`.
///
/// Lenient where exporters are: raw spaces and non-ASCII characters, base64 without padding, and names that exist on disk
/// only as they stand (a file really named `a%20b.bin`) or with `\` for `/`. Other schemes than `data:` are refused.
pub(super) fn open(uri: &str, base: &Path) -> Result<Target, String> {
    if let Some(data) = strip_scheme(uri, "data:") {
        return decode_data(data).map(Target::Data);
    }
    if let Some(scheme) = scheme(uri) {
        return Err(format!("\"{scheme}:\" URIs are not read: allowed are data URIs and paths relative to the file"));
    }
    let decoded = String::from_utf8(percent_decode(uri)).map_err(|_| format!("\"{uri}\" does not decode to UTF-8"))?;
    if decoded.is_empty() || decoded.contains('\0') {
        return Err(format!("\"{}\" names no file", uri.escape_debug()));
    }
    let path = base.join(&decoded);
    let alternatives = [base.join(uri), base.join(decoded.replace('\\', "/"))];
    match path.exists() {
        true => Ok(Target::File(path)),
        false => Ok(Target::File(alternatives.into_iter().find(|path| path.exists()).unwrap_or(path))),
    }
}

/// Reads a whole file; only regular ones, so that a device or a pipe cannot stall the load.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if !metadata.is_file() {
        return Err(format!("{}: not a regular file", path.display()));
    }
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn strip_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    uri.get(..scheme.len()).filter(|head| head.eq_ignore_ascii_case(scheme)).map(|_| &uri[scheme.len()..])
}

/// The scheme of an absolute URI. One letter is a Windows drive, not a scheme.
fn scheme(uri: &str) -> Option<&str> {
    let (head, _) = uri.split_once(':')?;
    let letters = head.len() > 1 && head.starts_with(|c: char| c.is_ascii_alphabetic());
    (letters && head.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))).then_some(head)
}

/// `%XX` → byte; a `%` without two hex digits stands for itself.
fn percent_decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
            }
            (byte, _, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

fn hex(byte: Option<&u8>) -> Option<u8> {
    char::from(*byte?).to_digit(16).map(|digit| digit as u8)
}

/// The part after `data:`: `[<media type>][;base64],<data>`.
fn decode_data(rest: &str) -> Result<Vec<u8>, String> {
    let (head, data) = rest.split_once(',').ok_or("a data URI needs a comma before its data")?;
    let base64 = head.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    match base64 {
        true => decode_base64(&percent_decode(data)),
        false => Ok(percent_decode(data)),
    }
}

/// RFC 4648 base64, both alphabets, padding optional, white space skipped.
fn decode_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let trimmed = text.len() - text.iter().rev().take_while(|byte| **byte == b'=').count();
    let mut out = Vec::with_capacity(trimmed / 4 * 3 + 3);
    let (mut bits, mut held) = (0u32, 0u32);
    for (position, byte) in text[..trimmed].iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
        let digit = base64_digit(*byte).ok_or_else(|| {
            format!("a data URI's base64 has the byte '{}' at {position}", char::from(*byte).escape_default())
        })?;
        bits = bits << 6 | digit;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    match held {
        6 => Err("a data URI's base64 ends in the middle of a byte".to_owned()),
        _ => Ok(out),
    }
}

fn base64_digit(byte: u8) -> Option<u32> {
    let digit = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(uri: &str) -> Result<Vec<u8>, String> {
        match open(uri, Path::new(""))? {
            Target::Data(bytes) => Ok(bytes),
            Target::File(path) => panic!("{} is not data", path.display()),
        }
    }

    #[test]
    fn base64_decodes_with_and_without_padding() {
        assert_eq!(data("data:application/octet-stream;base64,AAEC/w==").unwrap(), [0, 1, 2, 255]);
        assert_eq!(data("data:;base64,AAEC/w").unwrap(), [0, 1, 2, 255]);
        assert_eq!(data("DATA:;base64,AAEC_w%3D%3D").unwrap(), [0, 1, 2, 255]);
        assert_eq!(data("data:;base64,").unwrap(), [0u8; 0]);
        assert!(data("data:;base64,A").unwrap_err().contains("middle of a byte"));
        assert!(data("data:;base64,AA!A").unwrap_err().contains("'!' at 2"));
        assert!(data("data:nothing").unwrap_err().contains("comma"));
    }

    #[test]
    fn data_without_base64_is_percent_encoded() {
        assert_eq!(data("data:text/plain,a%20b%zz").unwrap(), b"a b%zz");
    }

    #[test]
    fn paths_are_decoded_and_schemes_refused() {
        let file = |uri| open(uri, Path::new("base")).unwrap();
        assert_eq!(file("my%20tex.dds"), Target::File("base/my tex.dds".into()));
        assert_eq!(file("my tex.dds"), Target::File("base/my tex.dds".into()));
        assert_eq!(file("../%C3%BC.bin"), Target::File("base/../ü.bin".into()));
        assert!(open("https://example.com/a.bin", Path::new("")).unwrap_err().contains("\"https:\""));
        assert!(open("%FF.bin", Path::new("")).unwrap_err().contains("UTF-8"));
    }
}
