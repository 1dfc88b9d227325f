//! The command line: one file a subcommand, its arguments and its `run`.

pub mod diff;
pub mod families;
pub mod inspect;
pub mod probe;
pub mod progress;
pub mod render;

use clap::{Parser, Subcommand};

/// Exit codes (SCENE.md).
pub mod exit {
    pub const DONE: u8 = 0;
    /// `diff` found a difference.
    pub const DIFFERENT: u8 = 1;
    /// Bad input or usage.
    pub const BAD_INPUT: u8 = 2;
    /// Stopped early; what was rendered is written.
    pub const STOPPED: u8 = 3;
}

/// Path-traced ground truth of game-world materials.
///
/// Scrutineer renders reference pictures of glTF geometry with documented game materials on the CPU, writes every
/// G-buffer channel as an EXR AOV, and says how noisy each pixel is.
#[derive(Parser)]
#[command(name = "scrutineer", version, max_term_width = 110, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 a difference was found; 2 bad input or usage; 3 stopped early, what was \
                          rendered is written.";

#[derive(Subcommand)]
enum Command {
    /// Render a scene to an EXR with its AOVs
    Render(Box<render::Args>),
    /// Measure a picture, or a folder of them, against the reference
    Diff(Box<diff::Args>),
    /// Evaluate materials at explicit points, or along a pixel's ray
    Probe(probe::Args),
    /// Show what is in a file: glTF, DDS, EXR, shader container or scene
    Inspect(inspect::Args),
    /// List the material families, their parameters and textures
    Families(families::Args),
}

impl Cli {
    /// Runs the subcommand; the exit code, or an error whose message is for the user.
    pub fn run(&self) -> anyhow::Result<u8> {
        match &self.command {
            Command::Render(args) => args.run(),
            Command::Diff(args) => args.run(),
            Command::Probe(args) => probe::run(args),
            Command::Inspect(args) => inspect::run(args),
            Command::Families(args) => families::run(args),
        }
    }
}
