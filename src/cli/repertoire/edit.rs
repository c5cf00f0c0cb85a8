//! `eco repertoire cut`, `main` and `note`: changes of what is prepared.

use clap::Args;
use eco::{
    chess::{Chess, EnPassantMode, Fen, Language, PositionKey, UciMove},
    output::sanitize,
    pgn::{nag_glyph, play_typed},
    repertoire::{Preparation, Remark},
    store::{Database, RepertoireCounts, RepertoireSettings},
};

use super::args::NamedRepertoireArgs;
use crate::cli::outcome::{Failure, Outcome, say};

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

    fn not_prepared(&self) -> Failure {
        let line = sanitize(self.line.as_bytes()).into_owned();
        Failure(format!("the last move of {line:?} is not prepared; nothing was written"))
    }
}

/// Changes what is prepared in an existing repertoire.
fn change(
    repertoire: &NamedRepertoireArgs,
    quiet: bool,
    change: impl FnOnce(&mut Preparation) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let (path, name) = (&repertoire.database.db, &repertoire.name);
    let before = prepared_moves(&Database::open(path)?, name)?;
    let settings = RepertoireSettings::default();
    let RepertoireCounts { prepared_moves, .. } =
        Database::change_preparation(path, name, &settings, change)?;
    if !quiet {
        let shown = sanitize(name.as_bytes());
        let cut = match before.saturating_sub(prepared_moves) {
            0 => String::new(),
            1 => ", 1 less".to_owned(),
            less => format!(", {less} less"),
        };
        say(&format_args!("{}: {shown}: it has {prepared_moves} moves now{cut}", path.display()));
    }
    Ok(Outcome::Done)
}

fn prepared_moves(database: &Database, name: &str) -> Result<u64, Failure> {
    Ok(database.counts(&database.repertoire(name)?)?.prepared_moves)
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
        return change(&args.repertoire, args.quiet, |preparation| {
            let names: Vec<String> =
                preparation.sources().iter().map(|known| format!("{:?}", known.name)).collect();
            match preparation.remove(source) {
                true => Ok(()),
                false => {
                    let known = names.join(", ");
                    Err(Failure(format!("there is no source {source:?}; there is {known}")))
                }
            }
        });
    }
    let line = args.line.clone().unwrap_or_default();
    let line = LineArgs { line, from: args.from.clone() };
    let PreparedLine { before, uci } = line.read()?;
    change(&args.repertoire, args.quiet, |preparation| {
        if preparation.cut(&before, uci) { Ok(()) } else { Err(line.not_prepared()) }
    })
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
    change(&args.repertoire, args.quiet, |preparation| match preparation.make_main(&before, uci) {
        true => Ok(()),
        false => Err(args.line.not_prepared()),
    })
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
    let (path, name) = (&args.repertoire.database.db, &args.repertoire.name);
    Database::open(path)?.repertoire(name)?;
    let settings = RepertoireSettings::default();
    let change = |preparation: &mut Preparation| {
        let mut remarks = remarks.iter().flatten();
        match remarks.all(|remark| preparation.remark(&before, uci, remark)) {
            true => Ok(()),
            false => Err(args.line.not_prepared()),
        }
    };
    Database::change_preparation(path, name, &settings, change)?;
    if !args.quiet {
        let done: Vec<String> = remarks.iter().flatten().map(done).collect();
        let (path, shown) = (path.display(), sanitize(name.as_bytes()));
        let line = sanitize(args.line.line.as_bytes()).into_owned();
        say(&format_args!("{path}: {shown}: {line}: {}", done.join(", ")));
    }
    Ok(Outcome::Done)
}

/// What was done, in words.
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
