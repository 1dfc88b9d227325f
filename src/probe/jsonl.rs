//! Points in, answers out: one JSON object a line.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::{Failure, Session};

/// A line that has no answer: no other key but `material`, null where the line does not tell it.
#[derive(Serialize)]
struct ErrorLine<'a> {
    material: Option<&'a str>,
    error: String,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Answers every line of `points`, in order; blank lines are skipped. Returns how many lines failed: each has its error
/// line in the output, with its number (from 1) and key. Errors are those of reading and writing alone.
pub fn run(session: &mut Session, mut points: impl BufRead, mut answers: impl Write) -> io::Result<usize> {
    let mut failures = 0;
    let (mut line, mut answer_line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        if points.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        // Editors on Windows begin files with a byte order mark.
        if number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        // Serialised as a whole: the writer would be called once a token.
        answer_line.clear();
        match session.line(&line) {
            Ok(answer) => serde_json::to_writer(&mut answer_line, &answer)?,
            Err(Failure { material, message }) => {
                failures += 1;
                let error = ErrorLine { material: material.as_deref(), error: format!("line {number}: {message}") };
                serde_json::to_writer(&mut answer_line, &error)?;
            }
        }
        answer_line.push(b'\n');
        answers.write_all(&answer_line)?;
    }
    answers.flush()?;
    Ok(failures)
}
