//! Groups of arguments that several commands share, as they are typed. Nothing here touches a file.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::{io, io::Write, thread::available_parallelism};

use clap::Args;
use eco::chess::{Color, Language};
pub(super) use eco::output::Format;
use eco::pgn::{Compression, Encoder, Frames};
use eco::repertoire::{Book, BookRule, Breadth};
use eco::{pgn::source::Part, select::SameGame};

use super::completion::{Choice, collections, languages, one_of};
use super::home;
use super::outcome::{Failure, refuse, say};

/// The games to read.
#[derive(Debug, Args)]
pub(super) struct InputArgs {
    /// Files, folders, position databases, or - for standard input [default: piped input, or else
    /// the database if games are only read]
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
}

/// Which games of position databases are read.
#[derive(Debug, Args)]
pub(super) struct CollectionArgs {
    /// Read only this collection of inputs that are position databases; may be repeated [default:
    /// all collections]
    #[arg(long, value_name = "NAME", add = collections())]
    pub(super) collection: Vec<String>,
}

/// The games to read, of which inputs and which part.
#[derive(Debug, Args)]
pub(super) struct GamesArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    #[command(flatten)]
    pub(super) collections: CollectionArgs,

    /// Read the games that begin in this part of a file; `eco split` lists parts
    #[arg(long, value_name = "OFFSET:LENGTH", value_parser = parse_range)]
    pub(super) range: Option<Part>,

    #[command(flatten)]
    pub(super) database: DatabaseArgs,
}

/// Reads a number of bytes above 0, such as 64m.
pub(super) fn parse_size(text: &str) -> Result<NonZeroU64, &'static str> {
    let unit = match text.as_bytes() {
        [.., b'k' | b'K'] => 1 << 10,
        [.., b'm' | b'M'] => 1 << 20,
        [.., b'g' | b'G'] => 1 << 30,
        _ => 1,
    };
    let digits = if unit > 1 { &text[..text.len() - 1] } else { text };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.and_then(NonZeroU64::new).ok_or("expected a number of bytes, such as 100000000 or 64m")
}

fn parse_range(text: &str) -> Result<Part, &'static str> {
    let range = text.split_once(':').and_then(|(offset, length)| {
        Some(Part { offset: offset.parse().ok()?, length: length.parse().ok()? })
    });
    range.ok_or("expected two numbers of bytes, such as 0:1000000")
}

/// The position database that a command works on.
#[derive(Debug, Args)]
pub(super) struct DatabaseArgs {
    /// The database [default: eco.db of your data folder]. ECO_DB in the environment names another
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env = true)]
    #[arg(default_value_os_t = home::database(), hide_default_value = true)]
    pub(super) db: PathBuf,

    #[command(flatten)]
    pub(super) naming: NamingArgs,
}

impl DatabaseArgs {
    /// Whether the command line itself names it, not the environment or a default.
    pub(super) fn is_named(&self) -> bool {
        let of_environment = std::env::var_os("ECO_DB").is_some_and(|db| self.db == Path::new(&db));
        !of_environment && !home::is_database(&self.db)
    }

    /// The file, for a command that adds to it. If it is that of the home and new, its folder is
    /// made.
    pub(super) fn to_extend(&self) -> Result<&Path, Failure> {
        if home::prepare(&self.db)? {
            let db = self.db.display();
            say(&format_args!("{db} is new; commands use it unless --db names another file"));
        }
        Ok(&self.db)
    }
}

/// The played moves that are in the book, for each side.
#[derive(Debug, Default, Args)]
pub(super) struct BreadthArgs {
    /// Own moves in the book, if none are prepared: top:1, share:20%, min-games:3, or several with
    /// commas; no-dubious takes prepared moves with ?! for mistakes [default: as it was built]
    #[arg(long, value_name = "BREADTH")]
    mine: Option<Breadth>,

    /// The opponent's moves in the book, likewise
    #[arg(long, value_name = "BREADTH")]
    theirs: Option<Breadth>,
}

impl BreadthArgs {
    /// The rule, for a repertoire that was built by another.
    pub(super) fn rule(&self, built: BookRule) -> BookRule {
        BookRule {
            mine: self.mine.unwrap_or(built.mine),
            theirs: self.theirs.unwrap_or(built.theirs),
        }
    }

    /// The rule that is asked for, if one is.
    pub(super) fn asked(&self, built: BookRule) -> Option<BookRule> {
        (self.mine.is_some() || self.theirs.is_some()).then(|| self.rule(built))
    }

    /// Refuses a breadth where no book is asked for.
    pub(super) fn refuse_without(&self, option: &str) -> Result<(), Failure> {
        match self.asked(BookRule::USUAL) {
            Some(_) => refuse(format!("--mine and --theirs go with {option}")),
            None => Ok(()),
        }
    }

    /// Says that a breadth changes nothing, where prepared moves are the book.
    pub(super) fn check_effect(&self, book: &Book) {
        let chooses = |breadth: &Breadth| {
            *breadth != Breadth { no_dubious: breadth.no_dubious, ..Breadth::default() }
        };
        if book.has_prepared() && self.mine.iter().chain(&self.theirs).any(chooses) {
            let book = "the book of this repertoire is what was prepared";
            say(&format_args!("--mine and --theirs choose among played moves; {book}"));
        }
    }
}

/// The name of what a position database keeps.
pub(super) fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a name without control characters");
    }
    Ok(text.trim().to_owned())
}

/// When two games are the same.
#[derive(Debug, Args)]
pub(super) struct SameGameArgs {
    /// When two games are the same, so that only the first is kept: strict, if all that identifies
    /// them is the same, including site and round; moves, if players, date, start position and
    /// moves are. Applies to later runs too [default: strict]
    #[arg(long, value_parser = one_of(SAME_GAME), value_name = "RULE", hide_possible_values = true)]
    pub(super) same_game: Option<SameGame>,
}

const SAME_GAME: &[Choice<SameGame>] =
    &[("strict", "", SameGame::Strict), ("moves", "", SameGame::Moves)];

/// The catalogue that names openings.
#[derive(Debug, Args)]
pub(super) struct NamingArgs {
    /// Take opening names from this file or database. A file of openings is in a format that `eco
    /// ingest` reads, a database has masters [default: ECO_CATALOGUE in the environment, else the
    /// built-in openings]
    #[arg(long, value_name = "FILE", env = "ECO_CATALOGUE", hide_env = true)]
    pub(super) catalogue: Option<PathBuf>,

    /// Language of openings and moves, such as de
    ///
    /// Tables, pages and messages have the names and piece letters of ECO_LANG in the environment,
    /// or of `eco config lang`. In data and games, names are English unless this option is given;
    /// moves are always. An unknown language lists them all; names stay English in those without
    /// names of openings, which have piece letters only.
    #[arg(long, value_name = "LANGUAGE", add = languages())]
    pub(super) lang: Option<Language>,
}

/// Who reads what a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Of tables, pages and messages.
    People,
    /// Of data: names are English unless the command line says otherwise, so that data from any
    /// computer can be joined.
    Programs,
}

impl From<Format> for Readers {
    fn from(format: Format) -> Self {
        if format == Format::Table { Self::People } else { Self::Programs }
    }
}

/// How games are processed.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Threads that work on games [default: one per core]. Reading, and packing output as frames,
    /// use additional threads
    #[arg(long, short = 'j', value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,

    /// Print only errors on standard error. Omits progress, counts and notes
    #[arg(long, short)]
    pub(super) quiet: bool,

    /// Bytes to read at a time; for tests
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(super) block_size: Option<NonZeroUsize>,
}

/// How compressed games are written.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct Packing {
    /// Compression level: gz and bz2 1 to 9, xz 0 to 6, zst 1 to 9
    #[arg(long, value_name = "N")]
    pub(super) level: Option<u32>,

    /// Write .zst files as frames that can be unpacked in parallel: always, never, or auto, for
    /// more than 64 MiB of games
    #[arg(long, value_parser = one_of(FRAMES), value_name = "WHEN", num_args = 0..=1)]
    #[arg(require_equals = true, default_value = "auto", default_missing_value = "always")]
    #[arg(hide_possible_values = true)]
    frames: Frames,

    /// All cores unless a number is given.
    #[arg(skip)]
    threads: Option<NonZeroUsize>,
}

const FRAMES: &[Choice<Frames>] =
    &[("auto", "", Frames::Long), ("always", "", Frames::Always), ("never", "", Frames::Never)];

impl Packing {
    /// With the threads of a run.
    pub(super) fn for_run(self, run: &RunArgs) -> Self {
        Self { threads: run.threads, ..self }
    }

    /// Whether frames are wanted of every output.
    pub(super) fn wants_frames(self) -> bool {
        self.frames == Frames::Always
    }

    pub(super) fn encoder<W: Write>(
        self,
        compression: Compression,
        out: W,
    ) -> io::Result<Encoder<W>> {
        let cores = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(cores);
        Encoder::framed(compression, self.level, self.frames, threads, out)
    }
}

/// The sides.
pub(super) const SIDES: &[Choice<Color>] =
    &[("white", "", Color::White), ("black", "", Color::Black)];
