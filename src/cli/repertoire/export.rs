//! `eco repertoire export`.

use std::{
    io::{self, IsTerminal, Write, stdout},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use eco::{
    catalogue::Catalogue,
    output::{
        repertoire::{Cards, Picture, count_cards, write_book_moves, write_cards},
        sanitize,
    },
    repertoire::{
        ChapterLimits, Extract, ExtractOptions, MovesOf, PgnLayout, to_polyglot, write_epd,
        write_json,
    },
    store::{Database, RepertoireInfo},
};

use super::{args::BookRuleArgs, resolve_name};
use crate::cli::{
    args::{CsvArgs, DatabaseArgs},
    masters::own_catalogue,
    outcome::{Failure, Outcome},
    output::{stream_file, stream_out},
    replace::Inputs,
};

const HELP: &str = "\
Examples:
  eco repertoire export mine --db chess.db --format pgn -o mine.pgn
  eco repertoire export mine --db chess.db --format pgn --chapters -o study.pgn
  eco repertoire export mine --db chess.db --format polyglot -o mine.bin
  eco repertoire export mine --db chess.db --format anki --max-ply 16 -o cards.csv
  eco repertoire export mine --db chess.db --format json > mine.json

pgn: the chapters as they were added, with their names, order, and move numbers, so that `add` reads
the same chapters again. With --whole, with --max-ply, or without prepared chapters: one game with
variations, comments and glyphs. With --chapters, games that fit a lichess study: at most 64, of at
most 3,000 moves each. Blanks and line ends in comments are one blank.

polyglot: an opening book for chess programs. Weights are 2 for a win and 1 for a draw of the side
to move; where nothing was scored, 3, 2, 1 in the order of the moves. A move that always lost has 0
and is not played; a prepared move without games has 1.

epd: a line for each position with own moves: bm has the moves, id the opening, c0 to c9 comments.

csv: a row for each move, with its counts, notes, and the position it leads to. In a file named
.csv, text that a spreadsheet would run as a formula has an apostrophe before it (--csv-safe).

In csv, anki and json, a line of more than 300 plies is its last 300 plies after an ellipsis.

anki: a card for each position with own moves; its front is a diagram (or a FEN) and a line that
leads there. The file can be imported in Anki as it is; importing a newer one updates the cards and
keeps the learning progress, as long as the repertoire is not renamed. More than 2,000 cards are
refused: --limit takes those nearest to the start, --max-ply, --mine and --theirs make the book
smaller, and --yes writes them all.

json: one document with everything about each position and move.

`add` reads pgn, and with --format also polyglot, epd and json.

Positions are in order of distance from the start, main lines first. The same repertoire always
gives the same file.";

/// Write a repertoire in a format that other programs read.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ExportArgs {
    /// The repertoire; optional if the database has only one
    #[arg(value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Output format
    #[arg(long, short, value_enum)]
    format: Kind,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Whose moves to write [default: all; epd and anki always have own moves only]
    #[arg(long, value_enum, value_name = "WHOSE")]
    moves: Option<Whose>,

    /// How a card shows its position, for anki [default: svg]
    #[arg(long, value_enum)]
    diagram: Option<PictureKind>,

    /// Only positions up to this ply
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,

    #[command(flatten)]
    book_rule: BookRuleArgs,

    /// Cut the merged book into games that fit a lichess study, for pgn
    #[arg(long)]
    chapters: bool,

    /// Merge the chapters of a prepared repertoire into one game, for pgn
    #[arg(long, conflicts_with = "chapters")]
    whole: bool,

    /// Write at most this many cards, those nearest to the start first, for anki
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Write the cards, however many they are, for anki
    #[arg(long, conflicts_with = "limit")]
    yes: bool,

    #[command(flatten)]
    csv: CsvArgs,
}

/// The format of an export.
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
    /// Flash cards
    Anki,
    /// Everything in one document
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    /// Moves of the side of the repertoire
    Own,
    /// Moves of both sides
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PictureKind {
    Svg,
    Fen,
}

pub(super) fn run(args: &ExportArgs) -> Result<Outcome, Failure> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    check(args, output)?;
    let database = Database::open(&args.database.db)?;
    let name: Vec<String> = args.name.iter().cloned().collect();
    let (info, unknown) = resolve_name::named_first(&database, &name)?;
    if let [unknown] = unknown {
        // There is only one repertoire, and it has another name.
        database.repertoire(unknown)?;
    }
    let stored = own_catalogue(&database)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let book = database.book_by(&info.name, args.book_rule.rule(info.rule))?;
    let extract = Extract::new(&book, part(args), Some(catalogue));
    if extract.is_empty() {
        let name = sanitize(info.name.as_bytes());
        return Err(Failure(format!("{name}: has no such moves; nothing was written")));
    }
    check_cards(args, &extract)?;
    let bytes = match args.format {
        Kind::Pgn => Some(pgn(args, &database, &extract, &info)?.into_bytes()),
        Kind::Polyglot => Some(to_polyglot(&extract)),
        _ => None,
    };
    let write = |mut out: &mut dyn Write| match &bytes {
        Some(bytes) => out.write_all(bytes),
        None => write_text(args, &extract, &info, &mut out),
    };
    match output {
        Some(path) => stream_file(path, &Inputs::none(), write),
        None => stream_out(write),
    }?;
    Ok(Outcome::Done)
}

/// Refuses arguments that exclude each other, before anything is read.
fn check(args: &ExportArgs, output: Option<&Path>) -> Result<(), Failure> {
    let has_own_only = matches!(args.format, Kind::Epd | Kind::Anki);
    let fault = match args.moves {
        _ if args.chapters && args.format != Kind::Pgn => "--chapters is for pgn",
        _ if args.whole && args.format != Kind::Pgn => "--whole is for pgn",
        _ if args.limit.is_some() && args.format != Kind::Anki => "--limit is for anki",
        _ if args.yes && args.format != Kind::Anki => "--yes is for anki",
        _ if args.diagram.is_some() && args.format != Kind::Anki => "--diagram is for anki",
        Some(Whose::All) if has_own_only => "epd and anki have own moves only",
        Some(Whose::Own) if args.format == Kind::Pgn => "pgn has the moves of both sides",
        _ if args.format == Kind::Polyglot && output.is_none() && stdout().is_terminal() => {
            "a Polyglot book is binary; name a file with --output"
        }
        _ => return Ok(()),
    };
    Err(Failure(fault.to_owned()))
}

/// The most cards that are written unasked. A diagram takes some 20 KB, and nobody learns more.
const MOST_CARDS: usize = 2000;

/// Refuses more cards than somebody can want.
fn check_cards(args: &ExportArgs, extract: &Extract<'_>) -> Result<(), Failure> {
    if args.format != Kind::Anki || args.yes || args.limit.is_some() {
        return Ok(());
    }
    let cards = count_cards(extract);
    if cards <= MOST_CARDS {
        return Ok(());
    }
    let remedy = "--limit N takes those nearest to the start, --max-ply, --mine and --theirs make \
                  the book smaller, and --yes writes all";
    Err(Failure(format!("{cards} cards; nothing was written: {remedy}")))
}

fn part(args: &ExportArgs) -> ExtractOptions {
    let moves = match args.moves {
        Some(Whose::Own) => MovesOf::Own,
        _ if matches!(args.format, Kind::Epd | Kind::Anki) => MovesOf::Own,
        _ => MovesOf::Both,
    };
    ExtractOptions { moves, max_ply: args.max_ply }
}

fn pgn(
    args: &ExportArgs,
    database: &Database,
    extract: &Extract<'_>,
    info: &RepertoireInfo,
) -> Result<String, Failure> {
    if !args.chapters && !args.whole && args.max_ply.is_none() {
        let preparation = database.preparation(&info.name)?;
        let mut names = preparation.chapters().map(|chapter| chapter.name.is_empty()).peekable();
        // Of what older files have, no chapters are known.
        if names.peek().is_some() && !names.any(|is_unknown| is_unknown) {
            return Ok(preparation.to_pgn(&info.name));
        }
    }
    let layout = if args.chapters {
        PgnLayout::Chapters(ChapterLimits::default())
    } else {
        PgnLayout::Whole
    };
    Ok(extract.to_pgn(&info.name, layout)?)
}

fn write_text(
    args: &ExportArgs,
    extract: &Extract<'_>,
    info: &RepertoireInfo,
    out: &mut impl Write,
) -> io::Result<()> {
    match args.format {
        Kind::Epd => write_epd(extract, out),
        Kind::Csv => write_book_moves(extract, args.csv.format(args.output.as_deref()), out),
        Kind::Anki => {
            let picture = match args.diagram {
                Some(PictureKind::Fen) => Picture::Fen,
                _ => Picture::Svg,
            };
            let limit = args.limit.unwrap_or(usize::MAX);
            write_cards(extract, &Cards { deck: &info.name, picture, limit }, out)
        }
        Kind::Json => write_json(extract, out),
        Kind::Pgn | Kind::Polyglot => Ok(()),
    }
}
