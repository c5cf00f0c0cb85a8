//! `eco completions` and `eco man`: the command line described to shells and to `man`. The only
//! file that uses `clap_mangen`.

use std::path::PathBuf;

use clap::{Args, Command, builder::PossibleValuesParser};
use clap_complete::env::Shells;

use super::{
    outcome::{Failure, Outcome},
    output::print,
};

/// Print completions for a shell.
///
/// The script asks `eco` itself for what fits: commands, options and their values, files, and the
/// repertoires of a database.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  eco completions bash > eco.bash\n  eco completions zsh > _eco"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

/// Print the manual page, or write the pages of all subcommands.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  eco man > eco.1\n  eco man --output .")]
pub(super) struct ManArgs {
    /// Write the pages of all subcommands to this folder: eco-classify.1 and so on
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<Outcome, Failure> {
    let shells = Shells::builtins();
    let shell =
        shells.completer(&args.shell.to_ascii_lowercase()).expect("the arguments name one of them");
    let mut script = Vec::new();
    shell.write_registration("COMPLETE", "eco", "eco", "eco", &mut script)?;
    print(&script)?;
    Ok(Outcome::Done)
}

pub(super) fn man(args: &ManArgs, program: Command) -> Result<Outcome, Failure> {
    match &args.output {
        Some(folder) => {
            let failed = |error| Failure(format!("{}: {error}", folder.display()));
            clap_mangen::generate_to(program, folder).map_err(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            print(&page)?;
        }
    }
    Ok(Outcome::Done)
}
