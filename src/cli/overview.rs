//! What `eco` prints by itself, the page `eco help selection`, and what is left out of `-h`.

use clap::{Arg, Args, Command};

use super::selection::SelectionArgs;

const HEAD: &str = "\
eco names chess openings and answers questions about games.

  eco lookup e4 c5 Nf3 d6                      name a position
  eco stats games.pgn --player 'Lind, Vera'    what was played and scored
  eco serve games.pgn --open                   explore games in the browser

";

const FOOT: &str = "
INPUT: PGN (also .gz, .bz2, .xz, .zst, .zip), folder, database, or - for
standard input. Choose games: --player 'Lind, Vera' --since 2024 --opening
najdorf (eco help selection). Also: split, man, completions.
Help: eco COMMAND -h
";

/// The groups of commands, each with what it does.
const GROUPS: [(&str, &[(&str, &str)]); 5] = [
    (
        "Games",
        &[
            ("classify", "name every opening"),
            ("tag", "write names into PGN"),
            ("filter", "copy selected games"),
            ("stats", "openings, scores"),
            ("report", "a page with pictures"),
            ("novelties", "first new moves"),
        ],
    ),
    (
        "Openings",
        &[
            ("lookup", "name a position"),
            ("search", "find by name"),
            ("ingest", "add your own names"),
            ("catalogue", "whose names there are"),
        ],
    ),
    (
        "Positions",
        &[
            ("explore", "moves and scores"),
            ("serve", "the same in a browser"),
            ("fen", "check, play and draw"),
        ],
    ),
    (
        "Repertoire",
        &[
            ("repertoire", "build, edit, compare"),
            ("train", "learn it by heart"),
            ("prepare", "for one opponent"),
            ("week", "what to do now"),
        ],
    ),
    (
        "Database",
        &[
            ("index", "keep games"),
            ("collection", "list, export, remove"),
            ("db", "list, rename, remove"),
            ("me", "remember your names"),
            ("config", "show the settings"),
        ],
    ),
];

/// The overview of these commands.
pub(super) fn overview(commands: impl Iterator<Item = String>) -> String {
    let commands: Vec<String> = commands.collect();
    let mut text = HEAD.to_owned();
    for (group, entries) in GROUPS {
        let there = entries.iter().filter(|(name, _)| commands.iter().any(|other| other == name));
        for (row, pair) in there.collect::<Vec<_>>().chunks(2).enumerate() {
            let mut line = format!("{:<12}", if row == 0 { group } else { "" });
            for (name, about) in pair {
                line += &format!("{name:<12}{about:<22}");
            }
            text += line.trim_end();
            text.push('\n');
        }
    }
    text + FOOT
}

/// The line about the selection in `-h`.
pub(super) const CHOOSE: &str = "\
Choose games: --player 'Lind, Vera' --since 2024 --opening najdorf (eco help selection).
See --help for details and examples.";

const SELECTION: &str = "Selection";

/// Whether an option says which games are meant.
pub(super) fn is_of_selection(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(SELECTION)
}

/// The page about them.
pub(super) fn selection_page(width: usize) -> String {
    let about = "These options choose games, in every command that reads games.\n\n\
                 An option that is repeated means any of its values; different options must all fit.";
    let command = SelectionArgs::augment_args(Command::new("selection"))
        .about(about)
        .disable_help_flag(true)
        .help_template("{about}\n\n{all-args}\n")
        .term_width(width);
    command.mut_args(|arg| arg.help_heading("Conditions")).render_long_help().to_string()
}

/// An option as `-h` has it: with the first sentence about it, and not at all if it is one of the
/// selection, which has a page of its own.
pub(super) fn shortened(arg: Arg) -> Arg {
    let is_of_selection = is_of_selection(&arg);
    let arg = arg.hide_short_help(is_of_selection);
    let Some(help) = arg.get_help().filter(|_| arg.get_long_help().is_none()) else { return arg };
    let help = help.to_string();
    let end = help.find(". ").into_iter().chain(help.find("; ")).min();
    match end {
        Some(end) => arg.help(help[..end].to_owned()).long_help(help),
        None => arg,
    }
}
