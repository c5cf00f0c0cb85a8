//! `eco repertoire edit`: a prepared line, its rank, and what is said of its last move. And how a
//! change of what is prepared is written, or only listed.

use clap::Args;
use eco::chess::{Chess, Move};
use eco::output::repertoire::{DifferenceRow, differences_text};
use eco::output::sanitize;
use eco::pgn::nag_glyph;
use eco::quoted::counted;
use eco::repertoire::{Book, EditKind, LineEdit, LineEditError, Preparation, PreparationChange};
use eco::store::{Database, RepertoireSettings};

use crate::cli::outcome::{Failure, Outcome, refuse, say};
use crate::cli::{args, clock, completion, position, rows};

const HELP: &str = "\
Examples:
  eco repertoire edit mine 1.e4 g6 2.d4 --comment 'solid' --db chess.db
  eco repertoire edit mine 1.e4 g6 --main --glyph interesting --db chess.db
  eco repertoire edit mine 1.e4 e5 2.Qh5 --mistake --comment 'Too early.' --db chess.db
  eco repertoire edit mine 1.e4 g6 2.d4 --cut --db chess.db
  eco repertoire edit mine --cut --source book.bin --db chess.db

LINE is moves, or a position (a FEN, a code or a name) and the moves from there. If the repertoire
lacks one of the moves, the line is added to the source `edit`, or to the one that --source names;
adding files does not replace it. The other options change the last move of LINE, in the first
chapter that has it. When a file is added again, they are done again: where the file says something
new of the move, your edit stays, and eco says so.

--main makes the move the first choice of its position. The other moves keep their order, and
chapters keep their moves; an export as PGN keeps the choice within its chapter.

--comment replaces the words of earlier comments; glyphs and commands such as arrows stay. A command
is added: '[%eco end]' marks the end of a line, which `gaps` then does not list. An empty comment
removes comments and commands.

--cut removes the move from all chapters and by all move orders, with what only it leads to. With
--source and without LINE it removes the whole source; `eco db list NAME` lists sources.

`eco repertoire undo` takes the last change back.";

/// Add a prepared line, comment on it, make it the first choice, or remove it.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct EditArgs {
    /// The repertoire
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    name: String,

    #[command(flatten)]
    database: args::DatabaseArgs,

    /// Moves, or a position and the moves from there
    #[arg(value_name = "LINE", required_unless_present = "source")]
    line: Vec<String>,

    /// Make the last move the main one of its position
    #[arg(long, requires = "line", conflicts_with = "cut")]
    main: bool,

    /// Mark the last move as a mistake (?)
    #[arg(long, requires = "line", conflicts_with_all = ["cut", "main", "glyph"])]
    mistake: bool,

    /// Remove the last move, with what only it leads to; or the whole source
    #[arg(long, conflicts_with_all = ["comment", "glyph"])]
    cut: bool,

    /// Comment on the last move; '' removes its comments
    #[arg(long, value_name = "TEXT", requires = "line")]
    comment: Option<String>,

    /// Judge the last move: good, mistake, brilliant, blunder, interesting, dubious; another sign,
    /// such as +=, or its number; none removes its glyphs
    #[arg(long, value_name = "WORD", value_parser = parse_glyph, allow_hyphen_values = true)]
    #[arg(requires = "line")]
    glyph: Option<EditKind>,

    /// The source that a new line is added to [default: edit]; with --cut, the source to remove
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,

    /// Write nothing; list the moves, comments and glyphs that would be removed and added
    #[arg(long)]
    dry_run: bool,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &EditArgs) -> Result<Outcome, Failure> {
    let line = line_of(args)?;
    let (path, name) = (&args.database.db, &args.name);
    let color = Database::open(path)?.repertoire(name)?.color;
    let shown =
        if line.is_some() { args.line.join(" ") } else { args.source.clone().unwrap_or_default() };
    let change = |preparation: &mut Preparation| match &line {
        Some(line) => args.line_edit().apply(&line.0, &line.1, color, preparation).map_err(
            |error| match error {
                LineEditError::NotPrepared => {
                    Failure(format!("{}: {error}; nothing was written", sanitize(shown.as_bytes())))
                }
                error => error.into(),
            },
        ),
        None => remove_source(args.source.as_deref().unwrap_or_default(), preparation),
    };
    let (mut done, mut now) = (String::new(), 0);
    let mut described = |preparation: &mut Preparation| {
        let old = preparation.clone();
        let mut parts = change(preparation)?;
        let books = [&old, preparation].map(|all| all.to_book(color));
        now = books[1].prepared_moves();
        let made = PreparationChange::between(&old, preparation, books.each_ref());
        let gone = made.moves_gone;
        parts.extend((gone > 0).then(|| format!("{} removed", counted(gone, "move"))));
        parts.extend(named_chapters(&made.chapters_changed));
        done = format!("{shown}: {}", parts.join(", "));
        if args.dry_run {
            list_changes(books.each_ref(), &args.database.naming, args.quiet)?;
        }
        Ok::<_, Failure>(done.clone())
    };
    if args.dry_run {
        described(&mut Database::open(path)?.preparation(name)?)?;
    } else {
        let settings = RepertoireSettings::default();
        Database::change_preparation(path, name, &settings, clock::now(), described)?;
    }
    if !args.quiet {
        let (path, done) = (path.display(), format!("{name}: {done}"));
        let done = sanitize(done.as_bytes());
        let has = if args.dry_run { "it would have" } else { "it has" };
        say(&format_args!("{path}: {done}; {has} {} now", counted(now, "move")));
    }
    Ok(Outcome::Done)
}

impl EditArgs {
    /// What is done to the last move of the line.
    fn line_edit(&self) -> LineEdit {
        let edits = [
            self.cut.then_some(EditKind::Cut),
            self.main.then_some(EditKind::Main),
            self.glyph.clone(),
            self.mistake.then_some(EditKind::Glyph(MISTAKE)),
            self.comment.as_ref().map(|text| EditKind::Comment(text.trim().to_owned())),
        ];
        let edits = edits.into_iter().flatten().collect();
        LineEdit { edits, source: self.source.clone() }
    }
}

/// The glyph `?`.
const MISTAKE: u8 = 2;

/// The chapters that a change is in. They may be others than that of the line, since a move is the
/// same one in all orders of moves.
fn named_chapters(changed: &[String]) -> Option<String> {
    let names: Vec<String> = changed.iter().map(|name| format!("'{name}'")).collect();
    let listed = names[..names.len().min(3)].join(", ");
    match names.len() {
        0 => None,
        1..=3 => Some(format!("in {listed}")),
        more => Some(format!("in {listed} and {}", counted(more - 3, "more chapter"))),
    }
}

/// The line that is edited; none if a whole source is removed.
fn line_of(args: &EditArgs) -> Result<Option<(Chess, Vec<Move>)>, Failure> {
    match (&args.source, args.line.is_empty(), args.cut) {
        (Some(_), true, true) => Ok(None),
        (Some(_), false, true) => {
            let hint = "leave out LINE to remove the whole source";
            refuse(format!("a line is removed from all sources; {hint}"))
        }
        (_, true, _) => refuse("name a line, such as 1.d4 g6 2.Bf4"),
        (_, false, _) => {
            let line = position::read(&args.line, || args.database.naming.catalogue())?;
            if line.correction().is_some() {
                return refuse("a guess changes nothing; write the name");
            }
            Ok(Some((line.start().clone(), line.steps().map(|(_, m, _)| m).collect())))
        }
    }
}

fn remove_source(name: &str, preparation: &mut Preparation) -> Result<Vec<String>, Failure> {
    if preparation.remove(name) {
        return Ok(Vec::new());
    }
    let known = preparation.sources().iter().map(|known| format!("'{}'", known.name));
    let known = known.collect::<Vec<_>>().join(", ");
    let text = format!("there is no source '{name}'; there is {known}");
    refuse(sanitize(text.as_bytes()).into_owned())
}

/// The words for glyphs that judge a move; signs such as ! are awkward to type in a shell.
const GLYPHS: [&str; 6] = ["good", "mistake", "brilliant", "blunder", "interesting", "dubious"];

/// A glyph as a word, a sign or a number.
fn parse_glyph(text: &str) -> Result<EditKind, &'static str> {
    if text == "none" {
        return Ok(EditKind::NoGlyphs);
    }
    let of_word = || (1..).zip(GLYPHS).find(|(_, word)| *word == text).map(|(nag, _)| nag);
    let number = text.strip_prefix('$').unwrap_or(text).parse().ok().filter(|nag| *nag > 0);
    let of_sign = || (1..=u8::MAX).find(|nag| nag_glyph(*nag) == text);
    let nag = of_word().or(number).or_else(of_sign);
    nag.map(EditKind::Glyph).ok_or(
        "expected good, mistake, brilliant, blunder, interesting, dubious, a sign such as +=, a \
         number such as 14, or none",
    )
}

/// Lists what a change of what is prepared would take away and bring.
pub(super) fn list_changes(
    [before, after]: [&Book; 2],
    naming: &args::NamingArgs,
    quiet: bool,
) -> Result<(), Failure> {
    let catalogue = naming.catalogue()?;
    let differences = before.differences(after);
    let rows = DifferenceRow::all(before, after, catalogue, &differences);
    <rows::RowArgs>::default().write_named(DifferenceRow::columns(), [], rows)?;
    if !quiet {
        say(&format_args!("{}; nothing was written", differences_text(&differences)));
    }
    Ok(())
}
