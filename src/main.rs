//! The `scrutineer` binary: parse, run, error → exit code.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("scrutineer: {error:#}");
            ExitCode::from(2)
        }
    }
}
