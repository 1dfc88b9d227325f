//! The `scrutineer` command: parse, run, error → exit code.

use std::process::ExitCode;

use clap::Parser;
use scrutineer::cli::{Cli, exit};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; a failing stream cannot be reported anywhere.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { exit::BAD_INPUT } else { exit::DONE });
        }
    };
    match cli.run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}
