//! `eco repertoire edit`: a prepared line, its rank, and what is said of its last move. And how a
//! change of what is prepared is written, or only listed.

use clap::Args;
use eco::chess::{Color, PositionKey, UciMove};
use eco::output::repertoire::{DifferenceRow, differences_text};
use eco::output::{Row, sanitize};
use eco::quoted::counted;
use eco::repertoire::{Book, BookRule, Preparation, PreparationChange, Remark};
use eco::store::{Database, RepertoireSettings};
use eco::{classify::Question, pgn::nag_glyph};

use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::{args, completion, position, rows};

const HELP: &str = "\
Examples:
  eco repertoire edit mine 1.e4 g6 2.d4 --comment 'solid' --db chess.db
  eco repertoire edit mine 1.e4 g6 --first --glyph interesting --db chess.db
  eco repertoire edit mine 1.e4 g6 2.d4 --cut --db chess.db
  eco repertoire edit mine --cut --source book.bin --db chess.db

LINE is moves, or a position (a FEN, a code or a name) and the moves from there. If the repertoire
lacks one of the moves, the line is added to the source `edit`, or to the one that --source names;
adding files does not replace it. The other options change the last move of LINE, in the first
chapter that has it. Adding a file again undoes changes to what came from it.

--first makes the move the first choice of its position. The other moves keep their order, and
chapters keep their moves; an export as PGN keeps the choice within its chapter.

--comment replaces the words of earlier comments; glyphs and commands such as arrows stay. A command
is added: '[%eco end]' marks the end of a line, which `gaps` then does not list. An empty comment
removes comments and commands.

--cut removes the move from all chapters and by all move orders, with what only it leads to. With
--source and without LINE it removes the whole source; `eco db list NAME` lists sources.";

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

    /// Make the last move the first choice of its position
    #[arg(long, requires = "line", conflicts_with = "cut")]
    first: bool,

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
    glyph: Option<Remark>,

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

/// The source of lines that are added here.
const SOURCE: &str = "edit";

pub(super) fn run(args: &EditArgs) -> Result<Outcome, Failure> {
    let line = line_of(args)?;
    let (path, name) = (&args.database.db, &args.name);
    let color = Database::open(path)?.repertoire(name)?.color;
    let change = |preparation: &mut Preparation| match &line {
        Some(line) if args.cut => line.cut(preparation).map(|()| Vec::new()),
        Some(line) => line.put(args, color, preparation),
        None => remove_source(args.source.as_deref().unwrap_or_default(), preparation),
    };
    let (mut done, mut now) = (Vec::new(), 0);
    let mut described = |preparation: &mut Preparation| {
        let old = preparation.clone();
        done = change(preparation)?;
        let books = [&old, preparation].map(|all| all.to_book(color));
        now = books[1].prepared_moves();
        let made = PreparationChange::between(&old, preparation, books.each_ref());
        let gone = made.moves_gone;
        done.extend((gone > 0).then(|| format!("{} removed", counted(gone, "move"))));
        done.extend(named_chapters(&made.chapters_changed));
        match args.dry_run {
            true => list_changes(books.each_ref(), &args.database.naming, args.quiet),
            false => Ok(()),
        }
    };
    if args.dry_run {
        described(&mut Database::open(path)?.preparation(name)?)?;
    } else {
        let settings = RepertoireSettings::default();
        Database::change_preparation(path, name, &settings, described)?;
    }
    if !args.quiet {
        let what = line.as_ref().map(|line| &line.text).or(args.source.as_ref());
        let what = format!("{name}: {}: {}", what.map_or("", |what| what), done.join(", "));
        let (path, what) = (path.display(), sanitize(what.as_bytes()));
        let has = if args.dry_run { "it would have" } else { "it has" };
        say(&format_args!("{path}: {what}; {has} {} now", counted(now, "move")));
    }
    Ok(Outcome::Done)
}

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
fn line_of(args: &EditArgs) -> Result<Option<TypedLine>, Failure> {
    match (&args.source, args.line.is_empty(), args.cut) {
        (Some(_), true, true) => Ok(None),
        (Some(_), false, true) => {
            let hint = "leave out LINE to remove the whole source";
            Err(Failure(format!("a line is removed from all sources; {hint}")))
        }
        (_, true, _) => Err(Failure("name a line, such as 1.d4 g6 2.Bf4".to_owned())),
        (_, false, _) => TypedLine::read(args).map(Some),
    }
}

fn remove_source(name: &str, preparation: &mut Preparation) -> Result<Vec<String>, Failure> {
    if preparation.remove(name) {
        return Ok(Vec::new());
    }
    let known = preparation.sources().iter().map(|known| format!("'{}'", known.name));
    let known = known.collect::<Vec<_>>().join(", ");
    let text = format!("there is no source '{name}'; there is {known}");
    Err(Failure(sanitize(text.as_bytes()).into_owned()))
}

/// A line as it was typed, with its last move and the position before it.
struct TypedLine {
    text: String,
    question: Question,
    before: PositionKey,
    uci: UciMove,
}

impl TypedLine {
    fn read(args: &EditArgs) -> Result<Self, Failure> {
        let naming = &args.database.naming;
        let question = position::read(&args.line, || naming.catalogue())?;
        let missing = || Failure("the line has no move; type one such as 1.e4 c5".to_owned());
        let (before, m, _) = question.steps().last().ok_or_else(missing)?;
        let (before, uci) = (PositionKey::from(before), UciMove::from_move(m));
        Ok(Self { text: args.line.join(" "), question, before, uci })
    }

    fn cut(&self, preparation: &mut Preparation) -> Result<(), Failure> {
        if preparation.cut(&self.before, self.uci) {
            return Ok(());
        }
        let line = sanitize(self.text.as_bytes());
        Err(Failure(format!("the last move of '{line}' is not prepared; nothing was written")))
    }

    fn put(
        &self,
        args: &EditArgs,
        color: Color,
        preparation: &mut Preparation,
    ) -> Result<Vec<String>, Failure> {
        let mut book = Book::new(color, BookRule::default());
        book.prepare_from(self.question.start(), self.question.steps().map(|(_, m, _)| m));
        let new = preparation.put(args.source.as_deref().unwrap_or(SOURCE), book);
        let mut done = vec![format!("{} added", counted(new, "move"))];
        if args.first && preparation.make_main(&self.before, self.uci) {
            done.push("first choice".to_owned());
        }
        let comment = args.comment.as_ref().map(|text| Remark::Comment(text.trim().to_owned()));
        for remark in args.glyph.iter().chain(&comment) {
            preparation.remark(&self.before, self.uci, remark);
            done.push(match remark {
                Remark::Comment(text) if text.is_empty() => "comments removed".to_owned(),
                Remark::Comment(_) => "comment set".to_owned(),
                Remark::Glyph(nag) => format!("glyph {} set", nag_glyph(*nag)),
                Remark::NoGlyphs => "glyphs removed".to_owned(),
            });
        }
        Ok(done)
    }
}

/// The words for glyphs that judge a move; signs such as ! are awkward to type in a shell.
const GLYPHS: [&str; 6] = ["good", "mistake", "brilliant", "blunder", "interesting", "dubious"];

/// A glyph as a word, a sign or a number.
fn parse_glyph(text: &str) -> Result<Remark, &'static str> {
    if text == "none" {
        return Ok(Remark::NoGlyphs);
    }
    let of_word = || (1..).zip(GLYPHS).find(|(_, word)| *word == text).map(|(nag, _)| nag);
    let number = text.strip_prefix('$').unwrap_or(text).parse().ok().filter(|nag| *nag > 0);
    let of_sign = || (1..=u8::MAX).find(|nag| nag_glyph(*nag) == text);
    let nag = of_word().or(number).or_else(of_sign);
    nag.map(Remark::Glyph).ok_or(
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
    rows::RowArgs::default().write_named(DifferenceRow::columns(), [], rows)?;
    if !quiet {
        say(&format_args!("{}; nothing was written", differences_text(&differences)));
    }
    Ok(())
}
