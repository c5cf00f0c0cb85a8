//! `eco fen from-pgn`.

use std::{ops::ControlFlow, sync::Arc};

use clap::Args;
use eco::{
    chess::{Chess, EnPassantMode, Fen},
    classify::replay,
    output::{ColumnSet, Layout, Value, Width},
    pgn::{Block, Chunk, Game},
    pipeline,
};

use super::en_passant::EnPassant;
use crate::cli::{
    args::{InputArgs, RunArgs},
    games::{feed_all, find_sources, inputs, options, total_size},
    outcome::{Interruption, Outcome, complain},
    progress::Progress,
    replace::Inputs,
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco fen from-pgn games.pgn
  eco fen from-pgn games.pgn --ply 20 --format tsv
  eco fen from-pgn ~/chess --each --format jsonl

Inputs are those of `eco classify`: PGN files, plain or compressed, folders, or - for standard
input. Without --format the output is one FEN per line; with it, rows of source, game, ply, fen
and error. A game with an error yields its positions
before the error, and games with errors are counted on standard error.

Exit codes: 0 success; 1 success, but an input could not be read to its end (or, with --strict, a
game had an error); 2 failure.";

/// Print positions of PGN games: the last one, the one at a ply, or all.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct FromPgnArgs {
    #[command(flatten)]
    input: InputArgs,

    /// The position at this ply, of games that reach it; 0 is the start position
    #[arg(long, value_name = "N", conflicts_with = "each")]
    ply: Option<usize>,

    /// The positions after every half-move
    #[arg(long)]
    each: bool,

    /// En passant squares to write
    #[arg(long, value_enum, default_value_t = EnPassant::Always, value_name = "MODE")]
    ep: EnPassant,

    #[command(flatten)]
    rows: RowArgs,

    /// Exit with 1 if a game has an error
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    run: RunArgs,
}

/// A position of a game, or why there is none, or no further one.
struct PositionRow<'a> {
    source: &'a str,
    game: u64,
    position: Option<(usize, &'a Fen)>,
    error: Option<&'a str>,
}

type PositionValue = for<'r> fn(&'r PositionRow<'_>) -> Value<'r>;

impl PositionRow<'_> {
    fn columns() -> ColumnSet<PositionValue> {
        ColumnSet::<PositionValue>::new()
            .with("source", Width::PathShare(2), |row| Value::Text(row.source.into()))
            .with("game", Width::Number, |row| row.game.into())
            .with("ply", Width::Number, |row| row.position.map(|(ply, _)| ply).into())
            .with("fen", Width::Share(6), |row| Value::optional(row.position.map(|(_, fen)| fen)))
            .with("error", Width::Share(3), |row| {
                row.error.map_or(Value::None, |error| Value::Bytes(error.as_bytes()))
            })
    }
}

/// The positions of a game to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Last,
    Ply(usize),
    Each,
}

/// The result for a block of games, or for all blocks.
#[derive(Default)]
struct Done {
    text: Vec<u8>,
    games: u64,
    errors: u64,
    /// Games that end before the requested ply.
    short: u64,
}

/// What workers need for each game.
struct Work {
    wanted: Wanted,
    mode: EnPassantMode,
    layout: Option<Layout<PositionValue>>,
}

pub(super) fn run(args: &FromPgnArgs) -> Result<Outcome, Interruption> {
    let inputs = inputs(&args.input.inputs, "fen from-pgn")?;
    let wanted = match (args.ply, args.each) {
        (Some(ply), _) => Wanted::Ply(ply),
        (None, true) => Wanted::Each,
        (None, false) => Wanted::Last,
    };
    let format = args.rows.named_format();
    let layout = format.map(|format| format.layout(PositionRow::columns()));
    let work = Work { wanted, mode: args.ep.into(), layout };
    let options = options(&args.run);
    let (sources, errors) = find_sources(&inputs)?;
    let progress = Progress::new(total_size(&sources), args.rows.results(), &args.run);
    errors.iter().for_each(|error| progress.complain(error));

    let mut writer = match &work.layout {
        Some(layout) => args.rows.open(layout, &Inputs::of(&sources))?,
        None => args.rows.open_for_text(&Inputs::of(&sources))?,
    };
    let mut total = Done::default();
    let written = pipeline::run(
        &options.workers,
        |push| feed_all(&sources, options.blocks, push, &progress),
        |(source, chunk): (Arc<str>, Chunk)| work.block(&source, &chunk.into_block()),
        |done: Done| {
            total.games += done.games;
            total.errors += done.errors;
            total.short += done.short;
            progress.update(total.games);
            writer.write(&done.text, &progress)
        },
    );
    progress.finish(total.games);
    written.and_then(|()| writer.finish())?;
    tell(&total, wanted, args.run.quiet);
    let is_whole = progress.complaints() == 0 && !(args.strict && total.errors > 0);
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}

fn tell(total: &Done, wanted: Wanted, is_quiet: bool) {
    let Done { games, errors, short, .. } = total;
    if *errors > 0 && !is_quiet {
        complain(&format_args!("{errors} of {games} games have an error; --format tsv names them"));
    }
    if let (Wanted::Ply(ply), true) = (wanted, *short > 0 && !is_quiet) {
        complain(&format_args!("{short} of {games} games end before ply {ply}"));
    }
}

impl Work {
    fn block(&self, source: &str, block: &Block) -> Done {
        let mut done = Done::default();
        for game in block.games() {
            self.game(source, &game, &mut done);
        }
        done
    }

    fn game(&self, source: &str, game: &Game<'_>, done: &mut Done) {
        // The error belongs to the last row, so each row is held back until the next.
        let mut held: Option<(usize, Fen)> = None;
        let text = &mut done.text;
        let replayed = replay(game, |ply, position: &Chess| {
            let is_wanted = match self.wanted {
                Wanted::Last => false,
                Wanted::Each => ply > 0,
                Wanted::Ply(wanted) => ply == wanted,
            };
            if is_wanted {
                if let Some((ply, fen)) =
                    held.replace((ply, Fen::from_position(position, self.mode)))
                {
                    self.write(source, game, Some((ply, &fen)), None, text);
                }
                if self.wanted != Wanted::Each {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if let (Wanted::Last, Some(last)) = (self.wanted, &replayed.last) {
            held = Some((replayed.plies, Fen::from_position(last, self.mode)));
        }
        let error = replayed.error.map(|error| error.to_string());
        if held.is_some() || error.is_some() {
            let held = held.as_ref().map(|(ply, fen)| (*ply, fen));
            self.write(source, game, held, error.as_deref(), text);
        }
        done.games += 1;
        done.errors += u64::from(error.is_some());
        done.short += u64::from(held.is_none() && matches!(self.wanted, Wanted::Ply(_)));
    }

    fn write(
        &self,
        source: &str,
        game: &Game<'_>,
        position: Option<(usize, &Fen)>,
        error: Option<&str>,
        text: &mut Vec<u8>,
    ) {
        let Some(layout) = &self.layout else {
            if let Some((_, fen)) = position {
                text.extend_from_slice(format!("{fen}\n").as_bytes());
            }
            return;
        };
        layout.write(&PositionRow { source, game: game.number(), position, error }, text);
    }
}
