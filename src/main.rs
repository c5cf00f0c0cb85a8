//! The command line of eco.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
