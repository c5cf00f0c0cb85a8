//! `eco completions` and `eco man`: what shells and `man` want to know of the command line. The door
//! to `clap_mangen`.

use clap::CommandFactory;

use super::{
    Failure, Outcome,
    args::{Cli, CompletionsArgs, ManArgs},
    output::print,
};

pub(super) fn completions(args: &CompletionsArgs) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "eco", &mut script);
    print(&script)?;
    Ok(Outcome::Done)
}

pub(super) fn man(args: &ManArgs) -> Result<Outcome, Failure> {
    match &args.output {
        Some(folder) => {
            let failed = |error| Failure(format!("{}: {error}", folder.display()));
            clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            print(&page)?;
        }
    }
    Ok(Outcome::Done)
}
