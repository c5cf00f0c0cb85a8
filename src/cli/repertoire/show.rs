//! `eco repertoire show`.

use clap::Args;
use eco::{
    catalogue::Catalogue,
    output::{
        Row, percent,
        repertoire::{MoveRow, notes_lines},
        sanitize,
    },
    pipeline::Workers,
    repertoire::{Book, NodeId},
    store::{Database, RepertoireInfo},
};

use super::position::PositionArgs;
use crate::cli::{
    args::Format,
    masters::own_catalogue,
    outcome::{Failure, Interruption, Outcome},
    progress::Progress,
    replace::Inputs,
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco repertoire show mine --db chess.db
  eco repertoire show mine 1. e4 c5 --db chess.db
  eco repertoire show mine 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -' --db chess.db
  eco repertoire show e4 c5 --db chess.db --format jsonl

NAME is optional if the database has only one repertoire. A * marks the moves of the book. Scores
are those of the repertoire's side, over all games with a result; the bar shows wins, draws and
losses. Performance follows Elo's curve, at most 800 points from the opponents' average rating.";

/// Show the moves of a position: how often they were played, how they scored, where they lead.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    rows: RowArgs,
}

pub(super) fn run(args: &ShowArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.position.database.db)?;
    let (info, key) = args.position.resolve(&database)?;
    let stored = own_catalogue(&database)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let workers = Workers::default();
    let book = database.book_at(&info.name, &key, &workers)?;
    let Some(id) = book.find(&key) else {
        let name = sanitize(info.name.as_bytes());
        return Err(Failure(format!("{name} does not have this position: {key}")));
    };
    let rows = MoveRow::all(&book, catalogue, id);
    if args.rows.format() != Format::Table {
        args.rows.write_named(MoveRow::columns(), [catalogue], rows)?;
        return Ok(Outcome::Done);
    }
    let opening = catalogue.get(&key).map(|line| line.opening.to_string());
    let heading = heading(&info, &book, id, opening.as_deref());
    let notes = notes_lines(&book, id);
    let notes = if notes.is_empty() { String::new() } else { format!("\n{}\n", notes.join("\n")) };
    write_page(args, &heading, rows, &notes).or_else(Interruption::outcome)
}

/// Writes a table with text above and below it.
fn write_page<'r>(
    args: &ShowArgs,
    above: &str,
    rows: impl IntoIterator<Item = MoveRow<'r>>,
    below: &str,
) -> Result<Outcome, Interruption> {
    let layout = args.rows.layout(MoveRow::columns());
    let rows = layout.rows(rows);
    let mut writer = args.rows.open(&layout, &Inputs::none())?;
    writer.write_text(above)?;
    writer.write(&rows, &Progress::hidden())?;
    writer.end_rows()?;
    writer.write_text(below)?;
    writer.finish()?;
    Ok(Outcome::Done)
}

fn heading(info: &RepertoireInfo, book: &Book, id: NodeId, opening: Option<&str>) -> String {
    let node = book.node(id);
    let turn = if book.is_own_turn(id) { "to move" } else { "waits for the opponent" };
    let mut text = format!("{}, {} {turn}", info.name, info.color);
    if let Some(opening) = opening {
        text += &format!(": {opening}");
    }
    let tally = node.tally();
    let mut lines = vec![text, node.key().to_string()];
    if tally.games > 0 {
        let score = tally.score().map(|score| format!(", score {}", percent(score)));
        lines.push(format!(
            "{} games, {} won, {} drawn, {} lost{}",
            tally.games,
            tally.wins,
            tally.draws,
            tally.losses,
            score.unwrap_or_default()
        ));
    }
    let lines: Vec<_> = lines.iter().map(|line| sanitize(line.as_bytes()).into_owned()).collect();
    lines.join("\n") + "\n\n"
}
