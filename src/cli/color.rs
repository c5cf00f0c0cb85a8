//! `--color`, which every command takes.
//!
//! It is read before all other arguments, so that their errors are colored as asked for, and since
//! `--color white` and `--color black` mean a side wherever a command takes one: those are left for
//! the command.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, stream::RawStream};
use clap::ColorChoice;
use eco::{diagram::TextStyle, quoted::Quoted};

/// Takes `--color auto|always|never` out of the arguments and does as it says, or else as the
/// setting of the user does.
///
/// # Errors
///
/// If there is another value, and it is no side.
pub(super) fn take_choice(
    args: impl IntoIterator<Item = OsString>,
    setting: Option<String>,
) -> Result<(ColorChoice, Vec<OsString>), String> {
    let is_in_environment =
        ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"].iter().any(|name| env::var_os(name).is_some());
    let setting = setting.filter(|_| !is_in_environment).and_then(|word| word.parse().ok());
    let mut choice = setting.unwrap_or(ColorChoice::Auto);
    let mut rest = Vec::new();
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        if arg == "--" {
            rest.push(arg);
            rest.extend(args);
            break;
        }
        let Some(value) = value_of(&arg) else {
            rest.push(arg);
            continue;
        };
        let value = value.map(OsStr::to_owned).or_else(|| args.peek().cloned());
        let word = value.as_deref().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let Some(word) = word.filter(|word| !["white", "black"].contains(&&**word)) else {
            rest.push(arg);
            continue;
        };
        choice = word.parse().map_err(|_| {
            let hint = "expected auto, always or never; or a side, white or black, for games";
            format!("--color {}: {hint}", Quoted(value.unwrap_or_default().display()))
        })?;
        if value_of(&arg) == Some(None) {
            args.next();
        }
    }
    write_global(choice);
    Ok((choice, rest))
}

/// Lets streams be colored so.
fn write_global(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// The value in `--color=VALUE`; `Some(None)` for `--color`, whose value comes next.
fn value_of(arg: &OsStr) -> Option<Option<&OsStr>> {
    let rest =
        ["--color", "--colour"].into_iter().find_map(|name| arg.to_str()?.strip_prefix(name))?;
    match rest.strip_prefix('=') {
        Some(value) => Some(Some(OsStr::new(value))),
        None => rest.is_empty().then_some(None),
    }
}

/// Whether to color what is written to a stream: as `--color` says, or NO_COLOR, CLICOLOR,
/// CLICOLOR_FORCE and the terminal.
pub(super) fn is_colored(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// How boards are drawn on standard output.
pub(super) fn board_style() -> TextStyle {
    let out = stdout();
    let is_colored = out.is_terminal() && is_colored(&out);
    if is_colored { TextStyle::Coloured } else { TextStyle::Ascii }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(args: &[&str]) -> Option<(ColorChoice, Vec<String>)> {
        let (choice, rest) = take_choice(args.iter().map(OsString::from), None).ok()?;
        write_global(ColorChoice::Auto);
        Some((choice, rest.into_iter().map(|arg| arg.into_string().unwrap()).collect()))
    }

    #[test]
    fn the_choice_is_taken_and_sides_are_left() {
        let rest = |words: &str| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for (args, choice, left) in [
            ("classify a.pgn", ColorChoice::Auto, "classify a.pgn"),
            ("--color never classify", ColorChoice::Never, "classify"),
            ("classify --colour=always a", ColorChoice::Always, "classify a"),
            ("build --color white --color never", ColorChoice::Never, "build --color white"),
            ("build --colour=black", ColorChoice::Auto, "build --colour=black"),
            ("build --color White --color NEVER", ColorChoice::Never, "build --color White"),
            ("a -- --color never", ColorChoice::Auto, "a -- --color never"),
            ("a --color", ColorChoice::Auto, "a --color"),
            ("a --colors never", ColorChoice::Auto, "a --colors never"),
        ] {
            assert_eq!(
                taken(&rest(args).iter().map(String::as_str).collect::<Vec<_>>()),
                Some((choice, rest(left))),
                "{args}"
            );
        }
        assert_eq!(taken(&["a", "--color", "blue"]), None);
    }
}
