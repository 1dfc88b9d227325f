//! The command line: a subcommand a file, each with its arguments and its `run`.

pub mod families;
pub mod probe;

use clap::{Parser, Subcommand};

/// Offline path-traced reference renderer for documented game-world materials.
#[derive(Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Probe(probe::Args),
    Families(families::Args),
}

impl Cli {
    /// Runs the subcommand; the exit code.
    pub fn run(&self) -> anyhow::Result<u8> {
        match &self.command {
            Command::Probe(args) => probe::run(args),
            Command::Families(args) => families::run(args),
        }
    }
}
