//! The file's frame: head, style, script, the report as JSON, and the blocks of pixels behind them.
//!
//! Text from files (names!) goes into the file in two places, both escaped here: the title and the JSON. The script puts
//! it on the page as text nodes only. The policy in the head lets nothing run but this script, by its hash, and nothing
//! be loaded.

use std::collections::BTreeMap;
use std::io::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::compare::Report;

const BODY: &str = include_str!("web/page.html");
const STYLE: &str = include_str!("web/page.css");
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("web/data.js"),
    include_str!("web/decode.js"),
    include_str!("web/colour.js"),
    include_str!("web/paint.js"),
    include_str!("web/stage.js"),
    include_str!("web/pointer.js"),
    include_str!("web/panel.js"),
    include_str!("web/list.js"),
    include_str!("web/keys.js"),
    include_str!("web/main.js"),
    "})();\n",
);

/// What follows the last block.
pub const TAIL: &str = "</body>\n</html>\n";

/// Everything before the blocks: the page works from here on, while pixels still arrive.
pub fn head(report: &Report, json: &str) -> String {
    // Browsers hash what they parsed, and parsing makes every line end a line feed.
    let [style, script, body] = [STYLE, SCRIPT, BODY].map(|text| text.replace("\r\n", "\n"));
    let title =
        escaped(&format!("{}: {} against {}", report.verdict.word(), report.settings.test, report.settings.reference));
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{style}</style>\n</head>\n<body>\n{body}\
         <script type=\"application/json\" id=\"report\">{json}</script>\n<script>{script}</script>\n"
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// One AOV's pixels: a data block, which browsers neither run nor render.
pub fn write_block(out: &mut impl Write, id: &str, text: &str) -> std::io::Result<()> {
    writeln!(out, "<script type=\"application/octet-stream\" id=\"{id}\">{text}</script>")
}

/// The report as `--json` has it, with what the page knows beside it, safe inside a script element.
pub fn report_json(report: &Report, pages: &BTreeMap<String, Value>, says: &str) -> String {
    let mut value = serde_json::to_value(report).unwrap_or_default();
    value["page"] = json!({ "says": says });
    let empty = json!({ "thumbs": [], "aovs": [] });
    for picture in value["pictures"].as_array_mut().into_iter().flatten() {
        let page = picture["name"].as_str().and_then(|name| pages.get(name)).unwrap_or(&empty);
        for (index, aov) in picture["aovs"].as_array_mut().into_iter().flatten().enumerate() {
            let known = page["aovs"].get(index).cloned();
            aov["page"] = known.unwrap_or_else(|| super::stored::without_pixels("they were not taken in"));
        }
        picture["page"] = json!({ "thumbs": page["thumbs"] });
    }
    // "<" occurs in JSON only inside strings. Without it nothing can end the element or begin a comment.
    value.to_string().replace('<', "\\u003c")
}

/// Text as element content or attribute value.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
    }

    #[test]
    fn the_sources_cannot_end_their_own_elements() {
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }

    #[test]
    fn nothing_refers_to_the_network() {
        for text in [BODY, STYLE, SCRIPT] {
            let urls: Vec<&str> =
                text.split("http").skip(1).filter(|rest| rest.starts_with("://") || rest.starts_with("s://")).collect();
            // The name of the SVG language is no address that is fetched.
            assert!(urls.iter().all(|rest| rest.starts_with("://www.w3.org/2000/svg")), "{urls:?}");
        }
    }
}
