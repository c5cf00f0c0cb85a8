//! What `eco` prints by itself, the page `eco help selection`, and what is left out of `-h`.

use clap::{Arg, Args, Command};
use eco::select::Selection;

use super::selection::SelectionArgs;

/// The overview of the commands.
pub(super) const OVERVIEW: &str = "\
eco names chess openings and answers questions about games.

  eco lookup e4 c5 Nf3 d6                      name a position
  eco stats games.pgn --player 'Lind, Vera'    openings and their scores
  eco serve games.pgn --open                   explore games in the browser

Games       classify    name every opening    tag         write names into PGN
            filter      copy selected games   stats       openings, scores
            report      a page with pictures  novelties   first new moves
Openings    lookup      name a position       search      find by name
            ingest      add your own names
Positions   explore     moves and scores      serve       the same in a browser
            fen         check, play and draw
Repertoire  repertoire  build, edit, compare  train       learn it by heart
            prepare     for one opponent      week        what to do now
Database    index       keep games            db          list, rename, remove
            me          remember your names   config      show the settings

INPUT: PGN (also .gz, .bz2, .xz, .zst, .zip), folder, database, or - for
standard input. Choose games: --player 'Lind, Vera' --since 2024 --opening
najdorf (eco help selection). Also: split, man, completions.
Help: eco COMMAND -h
";

/// The line about the selection in `-h`.
pub(super) const CHOOSE: &str = "\
Choose games: --player me --since 2024 --opening najdorf (eco help selection).
See --help for details and examples.";

/// Where options stand that several commands share: after those of the command itself.
const SHARED: [(&str, &[&str]); 3] = [
    ("Input", &["collection", "range", "unique", "db", "catalogue"]),
    ("Output", &["format", "output", "limit", "no_header", "width", "no_pager"]),
    ("Run", &["threads", "quiet", "block_size"]),
];

/// Those that `--help` has, but not `-h`.
const RARE: [&str; 7] =
    ["collection", "range", "level", "frames", "no_header", "width", "no_pager"];

/// Whether an option says which games are meant.
pub(super) fn is_of_selection(arg: &Arg) -> bool {
    let is_condition = |name| Selection::CONDITIONS.contains(&name);
    arg.get_help_heading() == Some("Selection") && arg.get_long().is_some_and(is_condition)
}

/// The page about them.
pub(super) fn selection_page(width: usize) -> String {
    let about = "These options select games, in every command that reads games.\n\n\
                 A repeated option means any of its values; different options must all fit.";
    let command = SelectionArgs::augment_args(Command::new("selection"))
        .about(about)
        .disable_help_flag(true)
        .help_template("{about}\n\n{all-args}\n")
        .term_width(width);
    command.mut_args(|arg| arg.help_heading("Conditions")).render_long_help().to_string()
}

/// An option as `-h` has it: with the first sentence about it, and not at all if it is rare, or one
/// of the selection, which has a page of its own.
pub(super) fn shortened(arg: Arg) -> Arg {
    let is_of_selection = is_of_selection(&arg);
    let is_rare = RARE.contains(&arg.get_id().as_str());
    let is_hidden = is_of_selection || is_rare || arg.is_hide_short_help_set();
    let arg = arg.hide_short_help(is_hidden);
    let shared = SHARED.iter().find(|(_, ids)| ids.contains(&arg.get_id().as_str()));
    let arg = match (shared, arg.get_help_heading()) {
        _ if is_of_selection || arg.is_positional() => arg,
        (Some((heading, _)), _) => arg.help_heading(*heading),
        // A heading lasts for what is declared after it.
        (None, Some("Selection")) => arg.help_heading(None::<&str>),
        _ => arg,
    };
    let Some(help) = arg.get_help().filter(|_| arg.get_long_help().is_none()) else { return arg };
    let help = help.to_string();
    match first_sentence(&help) {
        Some(short) => arg.help(short.to_owned()).long_help(help),
        None => arg,
    }
}

/// Text whose paragraphs are a line each, so that they are wrapped where the terminal ends. Lines
/// that are indented stay.
pub(super) fn in_paragraphs(text: &str) -> String {
    let is_running = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut joined = String::with_capacity(text.len());
    let mut last = "";
    for line in text.lines() {
        if !joined.is_empty() {
            joined.push(if is_running(last) && is_running(line) { ' ' } else { '\n' });
        }
        joined.push_str(line);
        last = line;
    }
    joined
}

/// The first sentence of several.
fn first_sentence(help: &str) -> Option<&str> {
    let ends = [". ", "; "].into_iter().flat_map(|end| help.match_indices(end)).map(|(at, _)| at);
    let count = |text: &str, wanted: [char; 2]| text.matches(wanted).count();
    let is_whole = |text: &str| count(text, ['[', '(']) == count(text, [']', ')']);
    ends.map(|at| &help[..at]).filter(|text| is_whole(text)).min_by_key(|text| text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_a_line_each() {
        let text = "Examples:\n  eco a\n  eco b\n\nOne\ntwo.\n\nThree.";
        assert_eq!(in_paragraphs(text), "Examples:\n  eco a\n  eco b\n\nOne two.\n\nThree.");
    }

    #[test]
    fn the_first_sentence_ends_outside_of_brackets() {
        for (help, first) in [
            ("One thing", None),
            ("One thing. Another", Some("One thing")),
            ("One thing [default: a; b]. Another", Some("One thing [default: a; b]")),
            ("One (a. b) thing [default: a; b]", None),
        ] {
            assert_eq!(first_sentence(help), first, "{help}");
        }
    }
}
