//! Changes of an existing repertoire: `eco repertoire merge`, and of what is prepared `cut`, `main`
//! and `note`.

use clap::Args;
use eco::chess::{Chess, EnPassantMode, Fen, Language, PositionKey, UciMove};
use eco::pgn::{nag_glyph, play_typed};
use eco::repertoire::{Preparation, Remark};
use eco::store::{Database, RepertoireSettings};
use eco::{output::sanitize, pipeline::Workers};

use super::args::NamedRepertoireArgs;
use crate::cli::outcome::{Failure, Outcome, say};

const MERGE_HELP: &str = "\
Examples:
  eco repertoire merge mine club --db chess.db

The moves of NAME come first, so its main moves stay the main moves. Games that both have are
counted once.";

/// Add the contents of one repertoire to another.
///
/// The games, players, prepared moves and notes of OTHER are added to NAME. OTHER is not changed.
#[derive(Debug, Args)]
#[command(after_long_help = MERGE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct MergeArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,

    /// The repertoire to add
    #[arg(value_name = "OTHER")]
    other: String,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn merge(args: &MergeArgs) -> Result<Outcome, Failure> {
    let (path, name) = (&args.repertoire.database.db, &args.repertoire.name);
    let counts = Database::merge_repertoires(path, name, &args.other, &Workers::default())?;
    if !args.quiet {
        let (path, games, moves) = (path.display(), counts.games, counts.prepared_moves);
        say(&format_args!("{path}: {name} has {games} games and {moves} prepared moves now"));
    }
    Ok(Outcome::Done)
}

/// A prepared move: the last one of a line.
#[derive(Debug, Args)]
struct LineArgs {
    /// The moves that lead to it, and the move itself, in quotes
    #[arg(value_name = "LINE")]
    line: String,

    /// The line begins in this position
    #[arg(long, value_name = "FEN")]
    from: Option<String>,
}

/// A move, and the position before it.
struct PreparedLine {
    before: PositionKey,
    uci: UciMove,
}

impl LineArgs {
    fn read(&self) -> Result<PreparedLine, Failure> {
        let start = match &self.from {
            None => Chess::default(),
            Some(text) => text.parse::<Fen>()?.to_position()?,
        };
        let key = |position: &Chess| PositionKey::from_position(position, EnPassantMode::Legal);
        let (mut before, mut after, mut last) = (key(&start), key(&start), None);
        play_typed(start, &self.line, Language::English, |m, position| {
            before = std::mem::replace(&mut after, key(position));
            last = Some(UciMove::from_move(m));
        })?;
        let missing = || Failure("expected a line with a move, such as '1. e4 c5'".to_owned());
        Ok(PreparedLine { before, uci: last.ok_or_else(missing)? })
    }

    fn expect_prepared(&self, is_prepared: bool) -> Result<(), Failure> {
        if is_prepared {
            return Ok(());
        }
        let line = sanitize(self.line.as_bytes()).into_owned();
        Err(Failure(format!("the last move of {line:?} is not prepared; nothing was written")))
    }
}

/// Changes what is prepared. `done` says what came of it, by the numbers of prepared moves before
/// and now.
fn change(
    repertoire: &NamedRepertoireArgs,
    quiet: bool,
    change: impl FnOnce(&mut Preparation) -> Result<(), Failure>,
    done: impl FnOnce(u64, u64) -> String,
) -> Result<Outcome, Failure> {
    let (path, name) = (&repertoire.database.db, &repertoire.name);
    let database = Database::open(path)?;
    let before = database.counts(&database.repertoire(name)?)?.prepared_moves;
    drop(database);
    let settings = RepertoireSettings::default();
    let now = Database::change_preparation(path, name, &settings, change)?.prepared_moves;
    if !quiet {
        let shown = sanitize(name.as_bytes());
        say(&format_args!("{}: {shown}: {}", path.display(), done(before, now)));
    }
    Ok(Outcome::Done)
}

/// How many moves there are, and are gone.
fn moves_left(before: u64, now: u64) -> String {
    let less = match before.saturating_sub(now) {
        0 => String::new(),
        less => format!(", {less} less"),
    };
    format!("it has {now} moves now{less}")
}

const CUT_HELP: &str = "\
Examples:
  eco repertoire cut mine '1. e4 c5 2. Nf3 d6' --db chess.db

The move is taken out of all chapters and all orders of moves, since it is one move of one position.
What follows it stays where another move leads there, in any chapter, to which it belongs then. If
its source is added again and still has the move, it is back: --source takes a whole source out.";

/// Take out a prepared move, with what only it leads to.
#[derive(Debug, Args)]
#[command(after_long_help = CUT_HELP, after_help = "See --help for details and examples.")]
pub(super) struct CutArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,

    /// The moves that lead to the move, and the move itself, in quotes
    #[arg(value_name = "LINE", required_unless_present = "source")]
    line: Option<String>,

    /// The line begins in this position
    #[arg(long, value_name = "FEN", conflicts_with = "source")]
    from: Option<String>,

    /// Take out all that came from this source, as `chapters` names it
    #[arg(long, value_name = "SOURCE", conflicts_with = "line")]
    source: Option<String>,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn cut(args: &CutArgs) -> Result<Outcome, Failure> {
    if let Some(source) = &args.source {
        let remove = |preparation: &mut Preparation| match preparation.remove(source) {
            true => Ok(()),
            false => Err(no_source(source, preparation)),
        };
        return change(&args.repertoire, args.quiet, remove, moves_left);
    }
    let line = args.line.clone().unwrap_or_default();
    let line = LineArgs { line, from: args.from.clone() };
    let PreparedLine { before, uci } = line.read()?;
    let cut = |preparation: &mut Preparation| line.expect_prepared(preparation.cut(&before, uci));
    change(&args.repertoire, args.quiet, cut, moves_left)
}

fn no_source(name: &str, preparation: &Preparation) -> Failure {
    let known = preparation.sources().iter().map(|known| format!("{:?}", known.name));
    let known = known.collect::<Vec<_>>().join(", ");
    Failure(format!("there is no source {name:?}; there is {known}"))
}

const MAIN_HELP: &str = "\
Examples:
  eco repertoire main mine '1. e4 e5' --db chess.db

The other moves of the position keep their order, and chapters their moves: a move of a later
chapter comes before those of the first one. PGN has no order between chapters, so an export keeps
the choice within its chapter. The order in a source that is added again is that of the source.";

/// Make a prepared move the first choice in its position.
#[derive(Debug, Args)]
#[command(after_long_help = MAIN_HELP, after_help = "See --help for details and examples.")]
pub(super) struct MainArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,

    #[command(flatten)]
    line: LineArgs,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn main(args: &MainArgs) -> Result<Outcome, Failure> {
    let PreparedLine { before, uci } = args.line.read()?;
    let make_main = |preparation: &mut Preparation| {
        args.line.expect_prepared(preparation.make_main(&before, uci))
    };
    change(&args.repertoire, args.quiet, make_main, moves_left)
}

const NOTE_HELP: &str = "\
Examples:
  eco repertoire note mine '1. e4 c5' 'sharp' --db chess.db
  eco repertoire note mine '1. e4 c5' --glyph '!' --db chess.db
  eco repertoire note mine '1. e4 c5' 'sharp, but sound' --replace --db chess.db

A comment is added to those that the move has; with --replace it takes their place, and glyphs and
commands such as arrows stay. A glyph that judges, from ! to ?!, takes the place of another one.
--remove takes all notes on the move away first. Notes belong to the first chapter that
has the move, and go when its source is added again.";

/// Comment on a prepared move.
#[derive(Debug, Args)]
#[command(after_long_help = NOTE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct NoteArgs {
    #[command(flatten)]
    repertoire: NamedRepertoireArgs,

    #[command(flatten)]
    line: LineArgs,

    /// The comment
    #[arg(value_name = "TEXT", required_unless_present_any = ["glyph", "remove"])]
    text: Option<String>,

    /// A glyph: ! ? !! ?? !? ?!, another sign, or its number
    #[arg(long, value_name = "GLYPH", value_parser = parse_glyph, allow_hyphen_values = true)]
    glyph: Option<u8>,

    /// Put the comment in the place of those that the move has
    #[arg(long, requires = "text", conflicts_with = "remove")]
    replace: bool,

    /// Remove the notes that the move has
    #[arg(long)]
    remove: bool,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn note(args: &NoteArgs) -> Result<Outcome, Failure> {
    if args.text.as_ref().is_some_and(|text| text.trim().is_empty()) {
        let hint = "--remove takes the notes on the move away";
        return Err(Failure(format!("the comment is empty; nothing was written: {hint}")));
    }
    let PreparedLine { before, uci } = args.line.read()?;
    let comment = |text| match args.replace {
        true => Remark::NewComment(text),
        false => Remark::Comment(text),
    };
    let remarks = [
        args.remove.then_some(Remark::Nothing),
        args.glyph.map(Remark::Glyph),
        args.text.clone().map(comment),
    ];
    let remark = |preparation: &mut Preparation| {
        let mut remarks = remarks.iter().flatten();
        args.line.expect_prepared(remarks.all(|remark| preparation.remark(&before, uci, remark)))
    };
    change(&args.repertoire, args.quiet, remark, |_, _| {
        let done: Vec<String> = remarks.iter().flatten().map(done).collect();
        format!("{}: {}", sanitize(args.line.line.as_bytes()), done.join(", "))
    })
}

fn done(remark: &Remark) -> String {
    match remark {
        Remark::Comment(_) => "comment added".to_owned(),
        Remark::NewComment(_) => "comment replaced".to_owned(),
        Remark::Glyph(nag) => format!("glyph {} set", nag_glyph(*nag)),
        Remark::Nothing => "notes removed".to_owned(),
    }
}

/// A glyph as a sign or as a number.
fn parse_glyph(text: &str) -> Result<u8, &'static str> {
    let number = text.strip_prefix('$').unwrap_or(text).parse().ok().filter(|nag| *nag > 0);
    let of_sign = || (1..=u8::MAX).find(|nag| nag_glyph(*nag) == text);
    number.or_else(of_sign).ok_or("expected a glyph such as !, ?!, += or 14")
}
