//! `eco repertoire export`.

use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};
use std::{fs, time::UNIX_EPOCH};

use clap::{Args, ValueEnum};
use eco::output::repertoire::{
    FormerCards, Package, count_cards, to_sqlite, write_book_moves, write_cards, write_package,
};
use eco::quoted::counted;
use eco::repertoire::{
    ChapterLimits, Extract, ExtractOptions, MovesOf, PgnLayout, to_polyglot, write_epd, write_json,
};
use eco::{output::sanitize, pgn::games};

use super::{args::OneRepertoireArgs, open_repertoire::OpenRepertoire};
use crate::cli::outcome::{Failure, Outcome, refuse, say};
use crate::cli::{args, completion, output, replace};

const HELP: &str = "\
Examples:
  eco repertoire export mine --db chess.db -o mine.pgn
  eco repertoire export mine --db chess.db --chapters -o study.pgn
  eco repertoire export mine --db chess.db -o mine.bin
  eco repertoire export mine --db chess.db -o mine.apkg
  eco repertoire export mine --db chess.db --format apkg --stale-from mine.apkg -o mine.apkg
  eco repertoire export mine --db chess.db --format anki --depth 16 -o cards.csv
  eco repertoire export mine --db chess.db --format json > mine.json
  eco repertoire export mine --db chess.db -o moves.db

pgn: the chapters as they were added, in their order and with the tags that they came with, so that
`add` reads the same chapters again. With --chapters=none, with --depth, or without prepared
chapters: one game with variations, comments and glyphs. With --chapters, a lichess study: a chapter
for each opening, named as shortly as is clear (`Najdorf: English Attack`). Openings of many moves
are divided by variation, and the chapters of a few moves joined, until there are at most 64, of at
most 3,000 moves each.

polyglot: an opening book for chess programs. Weights are 2 for a win and 1 for a draw of the side
to move; where nothing was scored, 3, 2, 1 in the order of the moves. A move that always lost has 0
and is not played; a prepared move without games has 1.

epd: a line for each position with own moves: bm has the moves, id the opening, c0 to c9 comments;
hmvc and fmvn the counters of a FEN from which lines begin.

csv: a row for each move, with its counts, notes, and the position it leads to. In csv-safe, the
default for files named .csv, text that a spreadsheet would run as a formula has an apostrophe
before it.

In csv, apkg, anki and json, a line of more than 300 plies is cut to its last 300, after an
ellipsis.

apkg: a package for Anki, AnkiDroid and AnkiMobile. Each position with own moves is a card. The
front has diagram, line and opening; the back has the position after the answer with the arrows of
its comments, the answer, and the comments on it and on the opponent's last move. A chapter is a
subdeck of the repertoire's deck. A card is identified by its position, so a newer package updates
cards and keeps your progress, even if the repertoire or a chapter has a new name; cards stay in
their decks. Anki takes the newer text: the time of a package is that of the database. An import
cannot remove cards: with --stale-from, an earlier package, its cards that are no longer in the book
get the tag eco::stale, and those whose moves have changed get eco::changed. Two repertoires of one
side share the cards of positions that both have; --separate gives a repertoire cards of its own.

anki: the same cards as text that Anki imports, without chapters. The deck identifies a card too:
after the repertoire is renamed, give the old name with --deck.

apkg, anki: more than 2,000 cards are refused; --limit takes those nearest to the start, and 0 all;
--depth, --mine and --theirs make the book smaller.

sqlite: an SQLite file for queries: table move has a row for each move that is prepared, or was
played in a position that is prepared or that two games have, with the columns of csv; table game
has the games, which the column examples of move refers to.

json: one document with everything about each position and move. Chapters and sources are merged
into one book, which `add` reads as one source. pgn keeps chapters. Both keep the counters of a FEN
from which lines begin.

`add` reads pgn, and with --format also polyglot, epd and json.

Positions are in order of distance from the start, main lines first. The same repertoire always
gives the same file.";

/// Write a repertoire in a format that other programs read.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ExportArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    /// Output format [default: by the ending of FILE; pgn on standard output]
    #[arg(long, short, value_enum)]
    format: Option<Kind>,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Only moves of the side of the repertoire, as epd, apkg and anki always have them
    #[arg(long, value_parser = completion::one_of(WHOSE), value_name = "WHOSE")]
    only: Option<MovesOf>,

    /// The deck in Anki, for apkg and anki [default: the name of the repertoire]
    #[arg(long, value_name = "NAME")]
    deck: Option<String>,

    /// An earlier package: tag its cards that are no longer in the book, for apkg
    // A card beyond a limit has not left the book.
    #[arg(long, value_name = "FILE", conflicts_with = "limit")]
    stale_from: Option<PathBuf>,

    /// Share no card with another repertoire: the deck identifies cards too, for apkg
    #[arg(long)]
    separate: bool,

    /// Only positions up to this ply
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    #[command(flatten)]
    breadth: args::BreadthArgs,

    /// Other games for pgn than the chapters as they were added [without WHICH: study]
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "study")]
    chapters: Option<Chapters>,

    /// Write at most this many cards, those nearest to the start first; 0 for all; for apkg, anki
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Games with variations
    Pgn,
    /// An opening book for chess programs, .bin
    Polyglot,
    /// Positions with own moves
    Epd,
    /// One row per move
    Csv,
    /// The same, with text that a spreadsheet never runs as a formula
    CsvSafe,
    /// A package of flash cards for Anki, with pictures
    Apkg,
    /// Flash cards as text for Anki
    Anki,
    /// Everything in one document
    Json,
    /// Tables of all moves and games, for SQL
    Sqlite,
}

const WHOSE: &[completion::Choice<MovesOf>] = &[("own", "", MovesOf::Own)];

/// How the book is made into games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Chapters {
    /// Chapters of a lichess study, by openings
    Study,
    /// One game
    None,
}

impl Kind {
    fn has_own_moves_only(self) -> bool {
        matches!(self, Self::Epd) || self.has_cards()
    }

    fn has_cards(self) -> bool {
        matches!(self, Self::Apkg | Self::Anki)
    }
}

/// The formats of files whose names have these endings.
const ENDINGS: &[(&str, Kind)] = &[
    ("pgn", Kind::Pgn),
    ("bin", Kind::Polyglot),
    ("epd", Kind::Epd),
    ("csv", Kind::CsvSafe),
    ("apkg", Kind::Apkg),
    ("json", Kind::Json),
    ("sqlite", Kind::Sqlite),
    ("db", Kind::Sqlite),
];

impl ExportArgs {
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    fn kind(&self) -> Kind {
        self.format.or_else(|| kind_of(self.file()?)).unwrap_or(Kind::Pgn)
    }
}

/// The format of a file with this name.
fn kind_of(path: &Path) -> Option<Kind> {
    let ending = path.extension()?;
    let found = ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known));
    found.map(|(_, kind)| *kind)
}

pub(super) fn run(args: &ExportArgs) -> Result<Outcome, Failure> {
    let output = args.file();
    check(args, output)?;
    let (database, info) = args.repertoire.find()?;
    let book = match args.kind() {
        Kind::Sqlite => database.whole_book(&info.name)?,
        _ => database.book_by(&info.name, args.breadth.rule(info.rule))?,
    };
    args.breadth.check_effect(&book);
    let catalogue = args.repertoire.database.naming.catalogue()?;
    let opened = OpenRepertoire { database, info, book, catalogue };
    let extract = Extract::new(&opened.book, part(args), Some(opened.catalogue));
    if extract.is_empty() {
        let name = sanitize(opened.info.name.as_bytes());
        return refuse(format!("{name}: has no such moves; nothing was written"));
    }
    check_cards(args, &extract)?;
    let deck = args.deck.as_deref().unwrap_or(&opened.info.name);
    let bytes = match args.kind() {
        Kind::Pgn => pgn(args, &opened, &extract)?.into_bytes(),
        Kind::Polyglot => to_polyglot(&extract),
        Kind::Sqlite => sqlite(&opened, &extract)?,
        Kind::Apkg => package(args, &opened, &extract, deck)?,
        Kind::Epd | Kind::Csv | Kind::CsvSafe | Kind::Anki | Kind::Json => Vec::new(),
    };
    let write = |mut out: &mut dyn Write| match args.kind() {
        Kind::Epd => write_epd(&extract, &mut out),
        Kind::Csv => write_book_moves(&extract, args::Format::Csv, &mut out),
        Kind::CsvSafe => write_book_moves(&extract, args::Format::SafeCsv, &mut out),
        Kind::Anki => write_cards(&extract, deck, limit(args), &mut out),
        Kind::Json => write_json(&extract, &mut out),
        Kind::Apkg | Kind::Pgn | Kind::Polyglot | Kind::Sqlite => out.write_all(&bytes),
    };
    output::stream_to(output, &replace::Inputs::none(), write)?;
    if !args.quiet {
        let written = written(args, &extract, &bytes);
        say(&match output {
            Some(path) => format!("{}: {written}", path.display()),
            None => written,
        });
    }
    Ok(Outcome::Done)
}

/// What was written, in words; `bytes` are those of a format that is made as a whole.
fn written(args: &ExportArgs, extract: &Extract<'_>, bytes: &[u8]) -> String {
    let (count, noun) = match args.kind() {
        Kind::Apkg | Kind::Anki => (count_cards(extract).min(limit(args)), "card"),
        Kind::Csv | Kind::CsvSafe | Kind::Sqlite => (extract.move_count(), "move"),
        Kind::Epd => (count_cards(extract), "position"),
        Kind::Json => (extract.position_count(), "position"),
        Kind::Pgn => (games(bytes).count(), "game"),
        Kind::Polyglot => (bytes.len() / POLYGLOT_ENTRY, "move"),
    };
    counted(count, noun)
}

/// The bytes of a move in a Polyglot book.
const POLYGLOT_ENTRY: usize = 16;

/// Refuses arguments that exclude each other, before anything is read.
fn check(args: &ExportArgs, output: Option<&Path>) -> Result<(), Failure> {
    let (has_cards, is_package) = (args.kind().has_cards(), args.kind() == Kind::Apkg);
    let is_binary = is_package || matches!(args.kind(), Kind::Polyglot | Kind::Sqlite);
    let is_unnamed = args.format.is_none() && output.is_some_and(|path| kind_of(path).is_none());
    let fault = match args.only {
        _ if is_unnamed => "the ending of the file names no format; name one with --format",
        _ if args.chapters.is_some() && args.kind() != Kind::Pgn => "--chapters is for pgn",
        _ if args.limit.is_some() && !has_cards => "--limit is for apkg and anki",
        _ if args.deck.is_some() && !has_cards => "--deck is for apkg and anki",
        _ if args.stale_from.is_some() && !is_package => "--stale-from is for apkg",
        _ if args.separate && !is_package => "--separate is for apkg",
        Some(_) if args.kind() == Kind::Pgn => "pgn has the moves of both sides",
        _ if is_binary && output.is_none() && stdout().is_terminal() => {
            "this format is binary; name a file with --output"
        }
        _ => return Ok(()),
    };
    refuse(fault)
}

/// The most cards that are written without `--yes`. A diagram takes some 20 KB.
const MOST_CARDS: usize = 2000;

/// Refuses more cards than can be learned.
fn check_cards(args: &ExportArgs, extract: &Extract<'_>) -> Result<(), Failure> {
    if !args.kind().has_cards() || args.limit.is_some() {
        return Ok(());
    }
    let cards = count_cards(extract);
    if cards <= MOST_CARDS {
        return Ok(());
    }
    let remedy = "--limit N takes those nearest to the start, and 0 all; --depth, --mine and \
                  --theirs make the book smaller";
    refuse(format!("{cards} cards; nothing was written: {remedy}"))
}

fn part(args: &ExportArgs) -> ExtractOptions {
    let default = if args.kind().has_own_moves_only() { MovesOf::Own } else { MovesOf::Both };
    // What is read back has them; in the other formats they would be book moves.
    let mistakes = matches!(args.kind(), Kind::Pgn | Kind::Json);
    ExtractOptions { moves: args.only.unwrap_or(default), max_ply: args.depth, mistakes }
}

fn pgn(
    args: &ExportArgs,
    opened: &OpenRepertoire,
    extract: &Extract<'_>,
) -> Result<String, Failure> {
    let name = &opened.info.name;
    if args.chapters.is_none() && args.depth.is_none() {
        let preparation = opened.database.preparation(name)?;
        let mut names = preparation.chapters().map(|chapter| chapter.name.is_empty()).peekable();
        // What a library user has prepared may have no chapters.
        if names.peek().is_some() && !names.any(|is_unknown| is_unknown) {
            return Ok(preparation.to_pgn(name));
        }
    }
    let layout = match args.chapters {
        Some(Chapters::Study) => PgnLayout::Chapters(ChapterLimits::default()),
        Some(Chapters::None) | None => PgnLayout::Whole,
    };
    Ok(extract.to_pgn(name, layout)?)
}

fn sqlite(opened: &OpenRepertoire, extract: &Extract<'_>) -> Result<Vec<u8>, Failure> {
    let mut games = Vec::new();
    if let Some(kept) = opened.database.games_of(&opened.info)? {
        opened.database.kept_games(&kept, &mut |game| games.push(game))?;
    }
    to_sqlite(extract, games).map_err(|error| Failure(error.to_string()))
}

/// The most cards.
fn limit(args: &ExportArgs) -> usize {
    args.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX)
}

/// A package with its chapters, the cards of an earlier one, and the time of the database.
fn package(
    args: &ExportArgs,
    opened: &OpenRepertoire,
    extract: &Extract<'_>,
    deck: &str,
) -> Result<Vec<u8>, Failure> {
    let preparation = opened.database.preparation(&opened.info.name)?;
    let open = |path: &PathBuf| {
        let name = path.display();
        FormerCards::open(path).map_err(|error| Failure(format!("{name}: {error}")))
    };
    let mut former = args.stale_from.as_ref().map(open).transpose()?;
    let changed =
        fs::metadata(&args.repertoire.database.db).and_then(|metadata| metadata.modified());
    // Where files have no time, the text that Anki has stays until it is imported by hand.
    let since = changed.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let package = Package {
        deck,
        identity: args.separate.then_some(deck),
        preparation: &preparation,
        modified: since.map_or(0, |since| since.as_secs() as i64),
        limit: limit(args),
    };
    let mut bytes = Vec::new();
    write_package(extract, &package, former.as_mut(), &mut bytes)?;
    Ok(bytes)
}
