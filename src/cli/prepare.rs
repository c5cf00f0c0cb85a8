//! `eco prepare`.

use std::io::{IsTerminal, stdout};
use std::path::Path;

use clap::Args;
use eco::output::repertoire::{ProspectRow, ProspectSection, ProspectTable};
use eco::output::{TableOptions, percent, sanitize};
use eco::quoted::counted;
use eco::repertoire::{ProspectKind, Prospects};
use eco::report::{ProspectsPage, Topic};
use eco::{chess::Color, classify::Classifier, select::Player};

use super::args::{BreadthArgs, CollectionArgs, DatabaseArgs, Format, InputArgs, Readers, RunArgs};
use super::completion;
use super::games::{GameInputs, inputs_or};
use super::opponent::{self, OpponentRead};
use super::outcome::{Failure, Outcome, refuse, say};
use super::rows::{OtherFormat, RowArgs};
use super::{color::is_colored, output::stream_to, report::file_names, terminal::lines_of};
use super::{repertoire::OpenRepertoire, selection::ConditionArgs, settings::HOW_TO_NAME};

const HELP: &str = "\
Examples:
  eco prepare --against 'Fischer, Robert James' games.pgn --db chess.db --repertoire mine
  eco prepare --against 'Fischer, Robert James' games.pgn --db chess.db --repertoire mine -o x.html
  eco prepare --against 'Fischer, Robert James' games.pgn --db chess.db --repertoire mine -o x.pgn

What the opponent has played says what comes: you follow the book, --against is met with each of
his moves as often as he plays it in the position, whatever the order of moves. A game counts half
for every three years before his newest. Without --repertoire, the books are those of both colours.
The options of the selection limit his games; --player, or else `eco me`, says who you are, for the
games between you alone. `met` is a probability in percent; score and diff are his. Kinds of rows:

  gap     a path through the main moves of your book, to a move of his that it does not answer
  end     a path to the end of a line of your book
  known   a path on which his games run out, and your book does not
  chance  a position that you can reach, where he scored below what ratings and colour predict, with
          at least 10 rated games and a 95 % interval of diff (diff_low to diff_high) below 0; met
          is for the moves of your book that lead there most likely
  new     a move of his last year, of at least two games, in a position in which he had played other
          moves before; met is its share of all his games with the colour
  game    a game between you

The paths of a book together make 100 %. Rows of all kinds have the same columns. A table has a
section for each kind; a page (-o x.html) has diagrams of the most likely gaps; for a board, pgn (-o
x.pgn) has a game for each path, with your notes, the share of each of his moves, and his games.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Prepare for an opponent: likely paths, gaps, chances, new moves.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
#[command(override_usage = "eco prepare --against <NAME> [OPTIONS] [INPUT]...")]
pub(super) struct PrepareArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    collections: CollectionArgs,

    /// Your book [default: the only one, or that of each colour]
    #[arg(long, value_name = "NAME", add = completion::repertoires())]
    repertoire: Option<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    rows: RowArgs<Paper>,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    choice: ConditionArgs,
}

/// What is written in place of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paper {
    Page,
    Games,
}

impl OtherFormat for Paper {
    const CHOICES: &[completion::Choice<Self>] = &[
        ("html", "A page for a browser", Self::Page),
        ("pgn", "Games for a board: the paths through the book, with notes", Self::Games),
    ];
}

impl PrepareArgs {
    /// What is written in place of rows, as the format or the name of the file says.
    fn paper(&self) -> Option<Paper> {
        let rows = &self.rows;
        let ending = rows.output().filter(|_| rows.format.is_none()).and_then(Path::extension);
        rows.other().or_else(|| match ending?.to_str()?.to_ascii_lowercase().as_str() {
            "html" | "htm" | "xhtml" => Some(Paper::Page),
            "pgn" => Some(Paper::Games),
            _ => None,
        })
    }
}

pub(super) fn run(args: &PrepareArgs) -> Result<Outcome, Failure> {
    let paper = args.paper();
    if paper == Some(Paper::Page) && args.rows.output().is_none() && stdout().is_terminal() {
        return refuse("a page is for a browser; name a file with -o x.html");
    }
    let readers = match paper {
        Some(Paper::Page) => Readers::People,
        Some(Paper::Games) => Readers::Programs,
        None => args.rows.readers(),
    };
    let (name, as_built) = (args.repertoire.as_deref(), BreadthArgs::default());
    let books = OpenRepertoire::named_or_each(&args.database, name, &as_built, readers)?;
    let paths = inputs_or(&args.input.inputs, &args.database.db, "prepare")?;
    let inputs = GameInputs::find(&paths, &args.collections.collection)?;
    let classifier = Classifier::new(books[0].catalogue);
    let read = opponent::read(
        inputs,
        &args.choice.against,
        args.choice.selection()?,
        classifier,
        &args.run,
    )?;
    if read.complaints > 0 && read.opponent.games().is_empty() {
        return Ok(Outcome::Incomplete);
    }
    let found = books.iter().map(|opened| Prospects::of(&opened.book, &read.opponent)).collect();
    let preparation = Preparation { args, books: &books, read: &read, found };
    match paper {
        Some(Paper::Games) => preparation.write_games(classifier)?,
        Some(Paper::Page) => preparation.write_page(file_names(&paths))?,
        None if args.rows.format() == Format::Table => preparation.write_tables()?,
        None => preparation.write_rows()?,
    }
    Ok(if read.complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
}

/// What was found of an opponent.
struct Preparation<'p> {
    args: &'p PrepareArgs,
    books: &'p [OpenRepertoire],
    read: &'p OpponentRead,
    /// That against each of the books.
    found: Vec<Prospects<'p>>,
}

impl Preparation<'_> {
    /// The paths as games for a board.
    fn write_games(&self, classifier: Classifier<'_>) -> Result<(), Failure> {
        let (opponent, me) = (self.args.choice.opponent(), self.args.choice.me());
        let player = me.first().map_or("?", String::as_str);
        let most = self.args.rows.most();
        let games =
            self.found.iter().map(|found| found.to_pgn(&opponent, player, classifier, most));
        let games: Vec<String> = games.filter(|games| !games.is_empty()).collect();
        if games.is_empty() {
            let why = self.tables().swap_remove(0).lead;
            return refuse(format!("{why}; nothing was written"));
        }
        self.write(&games.join("\n"))
    }

    fn write_page(&self, sources: Vec<String>) -> Result<(), Failure> {
        let mut topic = Topic::default();
        topic.title = format!("Preparation against {}", self.args.choice.opponent());
        topic.sources = sources;
        let (tables, most) = (self.tables(), self.args.rows.most());
        self.write(&ProspectsPage { topic, tables, most }.to_html())
    }

    /// Writes text to the file that is named, or to standard output.
    fn write(&self, text: &str) -> Result<(), Failure> {
        let path = self.args.rows.output();
        stream_to(path, &self.read.files, |out| out.write_all(text.as_bytes()))
    }

    fn write_rows(&self) -> Result<(), Failure> {
        let tables = self.tables();
        if !self.args.run.quiet {
            let empty = tables.iter().filter(|table| table.rows.is_empty());
            empty.for_each(|table| say(&format_args!("{}: {}", table.title, table.lead)));
        }
        let rows = tables.into_iter().flat_map(|table| table.rows);
        let catalogues = [self.books[0].catalogue];
        self.args.rows.write_named(ProspectRow::columns(), catalogues, rows).map(drop)
    }

    /// The tables one below the other, each with its heading.
    fn write_tables(&self) -> Result<(), Failure> {
        let rows = &self.args.rows;
        let (width, most) = (rows.width(), rows.most_listed());
        let is_colored = rows.output().is_none() && is_colored(&stdout());
        let options = TableOptions { width, has_header: !rows.no_header, is_colored };
        let text = |table: &ProspectTable<'_>| {
            let heading = [&table.title, &table.lead].map(|text| sanitize(text.as_bytes()));
            let heading = heading.iter().filter(|text| !text.is_empty());
            let mut lines: Vec<String> = heading.flat_map(|text| lines_of(text, width)).collect();
            if !table.rows.is_empty() {
                lines.push(String::new());
                lines.push(table.text(options, most).trim_end().to_owned());
            }
            let more = table.rows.len().saturating_sub(most);
            lines.extend((more > 0).then(|| format!("... and {more} more (--limit)")));
            lines.join("\n") + "\n"
        };
        let texts: Vec<String> = self.tables().iter().map(text).collect();
        rows.write_text(&texts.join("\n"))
    }

    fn tables(&self) -> Vec<ProspectTable<'_>> {
        let mut tables = Vec::new();
        for (opened, found) in self.books.iter().zip(&self.found) {
            let rows = ProspectRow::all(found, opened.catalogue);
            let name = &opened.info.name;
            for (section, title, lead) in [
                (ProspectSection::Paths, format!("Paths through {name}"), self.paths(found)),
                (ProspectSection::Chances, format!("Chances in {name}"), self.chances(found)),
                (ProspectSection::NewMoves, format!("New against {name}"), self.new_moves(found)),
            ] {
                let rows = rows.iter().filter(|row| row.is_of(section)).cloned().collect();
                tables.push(ProspectTable { section, title, lead, rows });
            }
        }
        tables.push(self.games());
        tables
    }

    /// What is to be said of the paths: the games that they are from, and how likely each kind is.
    fn paths(&self, found: &Prospects<'_>) -> String {
        let (games, x) = (&found.games, self.args.choice.opponent());
        let color = if found.book.color() == Color::White { "Black" } else { "White" };
        if games.games == 0 {
            let hint = "read more games, or drop conditions";
            return format!("none: there is no game of {x} as {color}; {hint}");
        }
        let mut text = format!("{} of {x} as {color}", counted(games.games, "game"));
        if let Some((first, last)) = games.first.zip(games.last) {
            text += &format!(", {first}");
            text += &if first < last { format!(" to {last}") } else { String::new() };
        }
        if let Some(score) = games.score() {
            text += &format!(", score {}", percent(score));
        }
        let share = |kind| {
            let of_kind = found.all.iter().filter(|found| found.kind == kind);
            format!("{kind} {}", percent(of_kind.fold(0.0, |sum, found| sum + found.probability)))
        };
        let kinds = [ProspectKind::Gap, ProspectKind::End, ProspectKind::Known].map(share);
        format!("{text}; {}", kinds.join(", "))
    }

    fn chances(&self, found: &Prospects<'_>) -> String {
        let x = self.args.choice.opponent();
        if found.all.iter().any(|found| found.kind == ProspectKind::Chance) {
            return format!("you can get there, and {x} scored less than ratings predict");
        }
        format!(
            "none: no position that you can reach has 10 rated games in which {x} clearly scored \
             less than ratings predict; more games may show some"
        )
    }

    fn new_moves(&self, found: &Prospects<'_>) -> String {
        let (x, newest) = (self.args.choice.opponent(), self.read.opponent.newest());
        let Some(newest) = newest else {
            return format!("none: no game of {x} has a date, which says what is new");
        };
        if found.all.iter().any(|found| found.kind == ProspectKind::New) {
            return format!("{x} began to play this in the year up to {newest}");
        }
        format!(
            "none: in the year up to {newest}, {x} played no other move twice in a position that \
             earlier games have; more games, older or newer, may show some"
        )
    }

    fn games(&self) -> ProspectTable<'_> {
        let me = self.args.choice.me();
        let players: Vec<Player> = me.iter().map(|name| Player::asked(name)).collect();
        let games = self.read.opponent.against(&players);
        let lead = match (games.is_empty(), me.is_empty()) {
            (false, _) => String::new(),
            (_, true) => format!("none: it is not known who you are; {HOW_TO_NAME}, or --player"),
            _ => {
                let (me, x) = (me.join(" and "), self.args.choice.opponent());
                format!("none: no game of {me} against {x}; --player names another spelling")
            }
        };
        let (section, title) = (ProspectSection::Games, "Games between you".to_owned());
        let rows = games.into_iter().map(ProspectRow::of_game).collect();
        ProspectTable { section, title, lead, rows }
    }
}
