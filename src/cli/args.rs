//! Groups of arguments that several commands share, as they are typed, and the position that a
//! command is about. Nothing here touches a file.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::{borrow::Cow, io, io::Write, thread::available_parallelism};

use clap::Args;
use eco::chess::{Color, fen::complete_fen, fen::unwrap_fen};
pub(super) use eco::output::Format;
use eco::pgn::{Compression, Encoder, Frames};
use eco::{classify::Question, opening::EcoCode, pgn::source::Part, select::SameGame};

use super::completion::{Choice, one_of};
use super::outcome::Failure;

/// The games to read.
#[derive(Debug, Args)]
pub(super) struct InputArgs {
    /// Files, folders, position databases, or - for standard input (the default when it is not a
    /// terminal)
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
}

/// Which games of position databases are read.
#[derive(Debug, Args)]
pub(super) struct CollectionArgs {
    /// Of inputs that are position databases, read the games of this collection; may be repeated
    /// [default: all collections]
    #[arg(long, value_name = "NAME")]
    pub(super) collection: Vec<String>,
}

/// The part of an input to read.
#[derive(Debug, Args)]
pub(super) struct PartArgs {
    /// Read the games that begin in this part of a file; `eco split` lists parts
    #[arg(long, value_name = "OFFSET:LENGTH", value_parser = parse_range)]
    pub(super) range: Option<Part>,
}

/// The games to read, of which inputs and which part.
#[derive(Debug, Args)]
pub(super) struct GamesArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    #[command(flatten)]
    pub(super) collections: CollectionArgs,

    #[command(flatten)]
    pub(super) part: PartArgs,
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
    /// The position database
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    pub(super) db: PathBuf,
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
    /// Which games are the same, so that only the first is kept: strict, if all that identifies
    /// them is the same, site and round included; moves, if players, date, start position and moves
    /// are. Stays for later runs [default: strict]
    #[arg(long, value_parser = one_of(SAME_GAME), value_name = "RULE", hide_possible_values = true)]
    pub(super) same_game: Option<SameGame>,
}

const SAME_GAME: &[Choice<SameGame>] =
    &[("strict", "", SameGame::Strict), ("moves", "", SameGame::Moves)];

/// The catalogue that names openings.
#[derive(Debug, Args)]
pub(super) struct NamingArgs {
    /// Name openings by the catalogue of this position database, made by `eco ingest` [default: the
    /// built-in catalogue]
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    pub(super) db: Option<PathBuf>,
}

/// How games are processed.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Threads that work on games [default: one per core]. Reading, and packing what is written as
    /// frames, take threads besides
    #[arg(long, short = 'j', value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,

    /// Print only errors on standard error. No progress, counts and notes
    #[arg(long, short)]
    pub(super) quiet: bool,

    /// Show no progress on standard error
    #[arg(long)]
    pub(super) no_progress: bool,

    /// Bytes to read at a time; for tests
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(super) block_size: Option<NonZeroUsize>,
}

/// How compressed games are written.
#[derive(Debug, Args)]
pub(super) struct PackingArgs {
    /// Compression level: gz and bz2 1 to 9, xz 0 to 6, zst 1 to 9
    #[arg(long, value_name = "N")]
    pub(super) level: Option<u32>,

    /// Write .zst files as frames that can be unpacked side by side: always, never, or auto, if the
    /// games are more than 64 MiB
    #[arg(long, value_parser = one_of(FRAMES), value_name = "WHEN", num_args = 0..=1)]
    #[arg(require_equals = true, default_value = "auto", default_missing_value = "always")]
    #[arg(hide_possible_values = true)]
    frames: Frames,
}

const FRAMES: &[Choice<Frames>] =
    &[("auto", "", Frames::Long), ("always", "", Frames::Always), ("never", "", Frames::Never)];

/// How compressed games are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packing {
    pub(super) level: Option<u32>,
    frames: Frames,
    threads: NonZeroUsize,
}

impl PackingArgs {
    pub(super) fn packing(&self, run: &RunArgs) -> Packing {
        Packing { frames: self.frames, ..Packing::new(self.level, run.threads) }
    }

    /// Whether frames are wanted of every output.
    pub(super) fn wants_frames(&self) -> bool {
        self.frames == Frames::Always
    }
}

impl Packing {
    /// Of this level, and as frames if there is much.
    pub(super) fn new(level: Option<u32>, threads: Option<NonZeroUsize>) -> Self {
        let cores = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self { level, frames: Frames::default(), threads: threads.unwrap_or_else(cores) }
    }

    pub(super) fn encoder<W: Write>(
        self,
        compression: Compression,
        out: W,
    ) -> io::Result<Encoder<W>> {
        Encoder::framed(compression, self.level, self.frames, self.threads, out)
    }
}

/// The sides.
pub(super) const SIDES: &[Choice<Color>] =
    &[("white", "", Color::White), ("black", "", Color::Black)];

/// Whether csv is for spreadsheets.
#[derive(Debug, Default, Args)]
pub(super) struct CsvArgs {
    /// Put an apostrophe before csv text that a spreadsheet would run as a formula; auto: in files
    /// named .csv
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = one_of(CSV_SAFE), default_value = "auto", default_missing_value = "always")]
    csv_safe: WhenSafe,
}

/// `None` is for files named .csv. Under this name clap takes it for a value, not for an option.
type WhenSafe = Option<bool>;

const CSV_SAFE: &[Choice<WhenSafe>] =
    &[("auto", "", None), ("always", "", Some(true)), ("never", "", Some(false))];

impl CsvArgs {
    /// The format of csv in this file, or on standard output.
    pub(super) fn format(&self, file: Option<&Path>) -> Format {
        let ends =
            |file: &Path| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
        let is_safe = self.csv_safe.unwrap_or_else(|| file.is_some_and(ends));
        if is_safe { Format::SafeCsv } else { Format::Csv }
    }
}

/// The initial position, as engines call it.
pub(super) const START: &str = "startpos";
pub(super) const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN of the initial position for `startpos`, as UCI calls it, and the FEN in what it was
/// copied with, with all fields, as `eco fen` reads them. Other text stays as it is.
pub(super) fn unnamed(text: &str) -> Cow<'_, str> {
    if text.trim() == START {
        return INITIAL_FEN.into();
    }
    let (fen, _) = unwrap_fen(text);
    if Question::looks_like_fen(&fen) {
        complete_fen(&fen).0.into_owned().into()
    } else {
        text.into()
    }
}

/// Reads a FEN, `startpos`, or moves from the initial position. Words are rather the name of an
/// opening.
pub(super) fn read_question(text: &str) -> Result<Question, Failure> {
    let text = &*unnamed(text);
    if Question::looks_like_fen(text) {
        return Ok(text.parse()?);
    }
    read_moves(text).map_err(Failure)
}

/// Reads moves from the initial position. A code or a name is refused with a hint at `eco search`.
pub(super) fn read_moves(text: &str) -> Result<Question, String> {
    Question::from_typed(text).map_err(|error| match text.trim().parse::<EcoCode>() {
        Ok(code) => format!("{code} is a code; `eco search {code}` lists its openings"),
        Err(_) if is_name(text) => format!("{error}; `eco search` finds openings by name"),
        Err(_) => error.to_string(),
    })
}

/// Whether the first word is neither a move nor a number: the only moves without a digit are
/// castling, which has hyphens, and captures by files (`dc`).
fn is_name(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.len() > 2 && first.chars().all(char::is_alphabetic)
}
