//! `eco config` and `eco me`: the settings of the user, shown and changed.

use std::fs;

use clap::{Args, builder::PossibleValuesParser};

use super::outcome::{Failure, Outcome, complain, say};
use super::output::{print, write_file};
use super::settings::{self, HOW_TO_NAME, SETTINGS, Setting};

const CONFIG_HELP: &str = "\
Examples:
  eco config
  eco config width 100
  eco config width ''

The settings are in a TOML file, whose path is shown with them. Environment variables and options
override them. An empty VALUE removes a setting. While the file has an error, other commands name its
line and end.";

/// Show the settings, or change one.
#[derive(Debug, Args)]
#[command(after_long_help = CONFIG_HELP, after_help = "See --help for details and examples.")]
pub(super) struct ConfigArgs {
    /// The setting [default: all]
    #[arg(value_name = "KEY")]
    #[arg(value_parser = PossibleValuesParser::new(SETTINGS.map(|(key, ..)| key)))]
    key: Option<String>,

    /// Its new value
    #[arg(value_name = "VALUE")]
    value: Option<String>,
}

pub(super) fn run(args: &ConfigArgs) -> Result<Outcome, Failure> {
    match (&args.key, &args.value) {
        (Some(key), Some(value)) => {
            let values = if value.is_empty() { Vec::new() } else { vec![value.clone()] };
            set(key, &values)?;
        }
        (Some(key), None) => print(lines(&settings::all(key)).as_bytes())?,
        (None, _) => {
            say(&settings::file().display());
            if let Err(Failure(fault)) = settings::read() {
                complain(&fault);
            }
            let row = |(key, about, _): Setting| match settings::all(key) {
                values if values.is_empty() => format!("{key:<10} (not set: {about})"),
                values => format!("{key:<10} {}", values.join("; ")),
            };
            print(lines(&SETTINGS.map(row)).as_bytes())?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes a setting.
fn set(key: &str, values: &[String]) -> Result<(), Failure> {
    let (text, path) = (settings::changed(key, values)?, settings::file());
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    write_file(&path, text.as_bytes())
}

/// Texts that a user has typed, each in a line.
fn lines(texts: &[String]) -> String {
    texts.iter().flat_map(|text| [text, "\n"]).collect()
}

const ME_HELP: &str = "\
Examples:
  eco me 'Lind, Vera' veralind
  eco me
  eco me veralind --remove

Give the names that you have on all sites. --player me and --against me then stand for all of them,
and `eco stats --weaknesses`, `eco report` and `eco repertoire build` of a new repertoire take your
games, unless --player names somebody, or everybody.";

/// Remember your names as a player, or show them.
#[derive(Debug, Args)]
#[command(after_long_help = ME_HELP, after_help = "See --help for details and examples.")]
pub(super) struct MeArgs {
    /// Your names
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Forget these names, or all
    #[arg(long)]
    remove: bool,
}

pub(super) fn me(args: &MeArgs) -> Result<Outcome, Failure> {
    let mut names = settings::all("me");
    if args.remove {
        names.retain(|name| !args.names.is_empty() && !args.names.contains(name));
    } else {
        for name in &args.names {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    if args.remove || !args.names.is_empty() {
        set("me", &names)?;
    } else if names.is_empty() {
        say(&format_args!("there are no names yet; {HOW_TO_NAME}"));
    }
    print(lines(&names).as_bytes())?;
    Ok(Outcome::Done)
}
