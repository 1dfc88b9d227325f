//! What is wrong with a scene: file, line, key, message; all of it at once.

use std::fmt;
use std::path::PathBuf;

/// One mistake and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub file: PathBuf,
    /// Counted from 1; unknown for binary files and where only a key is known.
    pub line: Option<usize>,
    /// Dotted key path, or empty.
    pub key: String,
    pub message: String,
}

/// Everything that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SceneError {
    pub mistakes: Vec<Mistake>,
}

impl SceneError {
    /// An error of a whole file.
    pub fn of_file(file: impl Into<PathBuf>, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { mistakes: vec![Mistake { file: file.into(), line: None, key: String::new(), message }] }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lines: Vec<String> = self.mistakes.iter().map(Mistake::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for SceneError {}
