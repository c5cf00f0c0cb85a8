//! `eco fen from-pgn`.

use std::{borrow::Cow, ops::ControlFlow};

use clap::Args;
use eco::chess::{
    Chess, Color, EnPassantMode, Epd, Fen, Language, Move, MoveNumber, Position, SanPlus,
    read_typed,
};
use eco::classify::{Classifier, Step, Variations, replay_all};
use eco::output::{ColumnSet, ColumnType, Value, Width};
use eco::quoted::counted;
use eco::{catalogue::Catalogue, chess::epd::Operation, pgn::Game, pgn::decode_text};

use crate::cli::games::{GameBlock, GameInputs};
use crate::cli::outcome::{Interruption, Outcome, complain, refuse};
use crate::cli::{args, completion, completion::Choice, games, row_writer, rows, selection};
use crate::cli::{position::EN_PASSANT, row_writer::RowLayout, run::GamesRun};

const HELP: &str = "\
Examples:
  eco fen from-pgn games.pgn
  eco fen from-pgn games.pgn --ply 20 --format tsv
  eco fen from-pgn ~/chess --ply all --format jsonl
  eco fen from-pgn games.pgn --ply 5.O-O -f epd

Inputs are those of `eco classify`: PGN files, plain or compressed, folders, or - for standard
input. Without --format, the output is one FEN per line; if last positions are printed, a game
without a start position leaves an empty line. With --format, the output is rows of source, game,
white, black, ply, number and move (the last one), fen, arrows, marks and error. arrows and marks
are those of [%cal ...] and [%csl ...] in the comments after the move. A game with an error yields
its positions before the error, and games with errors are counted on standard error.

Exit codes: 0 success; 1 success, but an input could not be read to its end (or, with --strict, a
game had an error); 2 failure.";

/// Print positions of PGN games: the last one, the one at a ply, or all.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct FromPgnArgs {
    #[command(flatten)]
    input: args::InputArgs,

    #[command(flatten)]
    collections: args::CollectionArgs,

    /// The position at this ply, of games that reach it; after a move, of games that have it:
    /// 24.Rxd4, 24...Rd8, or 24. and 24... for any move of White and Black with that number; those
    /// after every half-move (all); or the first with the --structure and --material, or else the
    /// --position (found). 0 is the start position [default: the last position]
    #[arg(
        long,
        value_name = "N|MOVE|all|found",
        value_parser = read_which,
        default_value = "last",
        hide_default_value = true
    )]
    ply: Which,

    /// Play variations too, up to 64 levels deep; their positions that match are printed as well
    #[arg(long)]
    variations: bool,

    /// En passant squares to write
    #[arg(long, value_parser = completion::one_of(EN_PASSANT), value_name = "MODE")]
    #[arg(default_value = "always")]
    ep: EnPassantMode,

    #[command(flatten)]
    rows: rows::RowArgs<OtherText>,

    /// Exit with 1 if a game has an error
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    naming: args::NamingArgs,

    #[command(flatten)]
    run: args::RunArgs,

    #[command(flatten)]
    selection: selection::SelectionArgs,
}

/// What is printed, unless it is rows.
#[derive(Debug, Clone, Copy)]
struct OtherText;

impl rows::OtherFormat for OtherText {
    const CHOICES: &[Choice<Self>] =
        &[("epd", "EPD with players and last move (id), arrows and marks (c0)", Self)];
}

/// A position of a game, or why there is none, or no further one.
#[derive(Clone, Copy)]
struct PositionRow<'a> {
    source: &'a str,
    game: u64,
    /// The names of White and Black in its tags.
    players: &'a [String; 2],
    reached: Option<&'a Reached>,
    error: Option<&'a str>,
}

/// A position, and how it was reached.
struct Reached {
    ply: usize,
    depth: usize,
    /// The last move with its number; `None` at the start.
    last: Option<(MoveNumber, String)>,
    fen: Fen,
    /// As in `[%cal ...]`; empty if there are none.
    arrows: String,
    /// As in `[%csl ...]`; empty if there are none.
    marks: String,
}

fn players_of(game: &Game<'_>) -> [String; 2] {
    ["White", "Black"].map(|side| {
        let tags = game.tags().filter(|tag| tag.name == side.as_bytes());
        let mut names = tags.map(|tag| decode_text(&tag.value()).into_owned());
        names.find(|name| !name.is_empty()).unwrap_or_default()
    })
}

impl Reached {
    /// The line of an EPD.
    fn epd(&self, players: &[String; 2]) -> String {
        let mut epd = Epd::new(self.fen.clone());
        let mut set = |opcode: &str, text: String| {
            // An operation holds any text but control characters, which names may have.
            let text: String = text.chars().filter(|c| !c.is_control()).collect();
            if let Ok(operation) = Operation::quoted(opcode, &text) {
                epd.set(operation);
            }
        };
        let names = players.join(" - ");
        match &self.last {
            Some((number, m)) => set("id", format!("{names}, {number}{m}")),
            None => set("id", names),
        }
        let list = |kind: &str, list: &str| match list {
            "" => String::new(),
            list => format!("[%{kind} {list}]"),
        };
        let drawn = list("cal", &self.arrows) + &list("csl", &self.marks);
        if !drawn.is_empty() {
            set("c0", drawn);
        }
        format!("{epd}\n")
    }
}

type PositionValue = for<'r> fn(&'r PositionRow<'_>) -> Value<'r>;

impl PositionRow<'_> {
    fn last(&self) -> Option<&(MoveNumber, String)> {
        self.reached?.last.as_ref()
    }

    fn columns(with_depth: bool) -> ColumnSet<PositionValue> {
        let columns = ColumnSet::<PositionValue>::new()
            .with("source", Width::PathShare(2), |row| Value::Text(row.source.into()))
            .with("game", Width::Number, |row| row.game.into())
            .with("white", Width::Share(2), |row| Value::text(&row.players[0]))
            .with("black", Width::Share(2), |row| Value::text(&row.players[1]))
            .with("ply", Width::Number, |row| row.reached.map(|reached| reached.ply).into())
            .with("number", Width::Number, |row| Value::optional(row.last().map(|last| last.0)))
            .of(ColumnType::Text)
            .with("move", Width::Number, |row| {
                row.last().map_or(Value::None, |last| Value::text(last.1.as_str()))
            })
            .of(ColumnType::Text);
        let columns = if with_depth {
            columns
                .with("depth", Width::Number, |row| row.reached.map(|reached| reached.depth).into())
        } else {
            columns
        };
        columns
            .with("fen", Width::Share(6), |row| {
                Value::optional(row.reached.map(|reached| &reached.fen))
            })
            .for_machines("arrows", ColumnType::List, |row| {
                row.reached.map_or(Value::None, |reached| items(&reached.arrows))
            })
            .for_machines("marks", ColumnType::List, |row| {
                row.reached.map_or(Value::None, |reached| items(&reached.marks))
            })
            .with("error", Width::Share(3), |row| {
                row.error.map_or(Value::None, |error| Value::Bytes(error.as_bytes()))
            })
    }
}

/// The items of a list with commas, in rows.
fn items(list: &str) -> Value<'_> {
    Value::list(list.split(',').filter(|item| !item.is_empty()), ",")
}

/// The positions of a game to print.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Which {
    Last,
    Ply(usize),
    After(After),
    Each,
    /// The first that has what the selection asks of positions.
    Found,
}

fn read_which(text: &str) -> Result<Which, &'static str> {
    let expected = "expected a number of plies, a move such as 24.Rxd4 or 24...Rd8, all, or found";
    match text {
        "last" => Ok(Which::Last),
        "all" => Ok(Which::Each),
        "found" => Ok(Which::Found),
        text if text.contains('.') => After::read(text).map(Which::After).ok_or(expected),
        text => text.parse().map(Which::Ply).map_err(|_| expected),
    }
}

/// A move by its number, its side, and what it is if that is named.
#[derive(Debug, Clone, PartialEq, Eq)]
struct After {
    number: u32,
    color: Color,
    word: String,
}

impl After {
    /// `None` if the text has no number before a point.
    fn read(text: &str) -> Option<Self> {
        let (number, rest) = text.trim().split_once('.')?;
        let word = rest.trim_start_matches('.');
        let color = Color::from_white(rest.len() == word.len());
        let (number, word) = (number.parse().ok()?, word.trim().to_owned());
        Some(Self { number, color, word })
    }

    /// Whether it is this move, whose word may be in a language.
    fn is(&self, before: &Chess, m: Move, lang: Language) -> bool {
        before.fullmoves().get() == self.number
            && before.turn() == self.color
            && (self.word.is_empty() || read_typed(before, &self.word, lang) == Ok(m))
    }
}

/// The rows of a block of games, and the counts of it or of all blocks.
#[derive(Default)]
struct Done {
    rows: row_writer::RowBuffer,
    games: u64,
    errors: u64,
    /// Games without the requested position.
    short: u64,
    /// Variations with a move that cannot be played.
    broken: u64,
    /// Variations that are nested too deep to be played.
    too_deep: u64,
}

/// What workers need for each game.
struct Work<'a> {
    args: &'a FromPgnArgs,
    variations: Variations,
    layout: Option<RowLayout<PositionValue>>,
    /// The language of the moves in rows, and of the one that was typed.
    lang: Language,
    typed_lang: Language,
}

pub(super) fn run(args: &FromPgnArgs) -> Result<Outcome, Interruption> {
    let paths = games::inputs(&args.input.inputs, "fen from-pgn")?;
    let variations = if args.variations { Variations::Played } else { Variations::Skipped };
    let rows = &args.rows;
    let columns = || rows.layout(PositionRow::columns(args.variations), []);
    let is_text = rows.other().is_some() || rows.named_format().is_none();
    let layout = (!is_text).then(columns);
    let [lang, typed_lang] =
        [rows.readers(), args::Readers::People].map(|readers| args.naming.language(readers));
    let work = Work { args, variations, layout, lang, typed_lang };
    let selection = args.selection.selection()?;
    if args.ply == Which::Found && !selection.asks_for_positions() {
        return refuse("--ply found goes with --structure, --material or --position");
    }
    let catalogue = match selection.asks_for_opening() {
        true => args.naming.catalogue()?,
        false => Catalogue::builtin(),
    };
    let people = args.selection.conditions.people();
    let selected = selection::SelectedGames::new(selection, people, Classifier::new(catalogue))?;
    let inputs = GameInputs::find(&paths, &args.collections.collection)?;
    let run = GamesRun::new(inputs, selected, rows.results(), &args.run).of_selected();
    run.inputs.find_several(&run.selected, &run.options)?;
    let mut writer = match &work.layout {
        Some(layout) => rows.open(layout, &run.inputs.files())?,
        None => rows.open_for_text(&run.inputs.files(), "epd")?,
    };
    let mut total = Done::default();
    let selected = &run.selected;
    let written = run.each_rows(
        &mut writer,
        |block| {
            let mut done = work.block(block, selected);
            let rows = std::mem::take(&mut done.rows).finish();
            (done, rows)
        },
        |done| {
            total.games += done.games;
            total.errors += done.errors;
            total.short += done.short;
            total.broken += done.broken;
            total.too_deep += done.too_deep;
            run.progress.update(total.games);
        },
    );
    run.end(total.games, written)?;
    if rows.output().is_none() || !run.is_unread(total.games) {
        writer.finish()?;
    }
    if !args.run.quiet && !run.has_enough() {
        report(&total, &args.ply);
    }
    let is_whole = run.progress.complaints() == 0 && !(args.strict && total.errors > 0);
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}

fn report(total: &Done, which: &Which) {
    let Done { games, errors, short, broken, too_deep, .. } = total;
    let of_games = |count: u64| format!("{count} of {}", counted(*games, "game"));
    let variations = |count: u64| counted(count, "variation");
    let say = |count: u64, of: &dyn Fn(u64) -> String, [one, many]: [&str; 2], what: &str| {
        if count > 0 {
            let verb = if count == 1 { one } else { many };
            complain(&format_args!("{} {verb} {what}", of(count)));
        }
    };
    say(*errors, &of_games, ["has", "have"], "an error; --format tsv names them");
    match which {
        Which::Ply(ply) => say(*short, &of_games, ["ends", "end"], &format!("before ply {ply}")),
        Which::After(_) => say(*short, &of_games, ["lacks", "lack"], "the move"),
        Which::Last | Which::Each | Which::Found => {}
    }
    say(*broken, &variations, ["has", "have"], "a move that cannot be played");
    say(*too_deep, &variations, ["is", "are"], "nested more than 64 deep, and skipped");
}

impl Work<'_> {
    fn block(&self, block: &GameBlock<'_>, selected: &selection::SelectedGames<'_>) -> Done {
        let GameBlock { source, block, .. } = block;
        let rows = self.layout.as_ref().map(|layout| layout.buffer(0));
        let mut done = Done { rows: rows.unwrap_or_default(), ..Done::default() };
        let mut selected = selected.in_block(block);
        for game in block.games() {
            let mut found = None;
            if let Some(selected) = &mut selected {
                let Some(matched) = selected.select(&game) else { continue };
                found = matched.ply;
            }
            self.game(source, &game, found, &mut done);
        }
        done
    }

    /// Prints the positions of a game, in which what was asked for was found at a ply.
    fn game(&self, source: &str, game: &Game<'_>, found: Option<usize>, done: &mut Done) {
        let players = &players_of(game);
        let row = PositionRow { source, game: game.number(), players, reached: None, error: None };
        // The error belongs to the last row, so each row is held back until the next.
        let mut held: Option<Reached> = None;
        let rows = &mut done.rows;
        let replayed = replay_all(game, self.variations, |step| {
            if self.wants(step, found) {
                let reached = self.reached(step);
                match &mut held {
                    Some(last) if self.args.ply == Which::Last => *last = reached,
                    held => {
                        if let Some(before) = held.replace(reached) {
                            self.write(&PositionRow { reached: Some(&before), ..row }, rows);
                        }
                    }
                }
                let is_one =
                    matches!(self.args.ply, Which::Ply(_) | Which::After(_) | Which::Found);
                if is_one && self.variations == Variations::Skipped {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        let error = replayed.error.map(|error| error.to_string());
        if held.is_some() || error.is_some() {
            let (reached, error) = (held.as_ref(), error.as_deref());
            self.write(&PositionRow { reached, error, ..row }, rows);
        }
        done.games += 1;
        done.errors += u64::from(error.is_some());
        done.short += u64::from(held.is_none());
        done.broken += replayed.broken_variations as u64;
        done.too_deep += replayed.skipped_variations as u64;
    }

    /// Whether the position of a step is printed.
    fn wants(&self, step: &Step<'_>, found: Option<usize>) -> bool {
        match &self.args.ply {
            Which::Found => step.depth == 0 && found == Some(step.ply),
            Which::Last => step.depth == 0,
            Which::Each => step.ply > 0,
            Which::Ply(ply) => step.ply == *ply,
            Which::After(after) => {
                step.last.is_some_and(|(before, m)| after.is(before, m, self.typed_lang))
            }
        }
    }

    fn reached(&self, step: &Step<'_>) -> Reached {
        let comments: Vec<_> = step.comments.iter().map(|text| decode_text(text)).collect();
        let last = step.last.map(|(before, m)| {
            let san = SanPlus::from_move(before.clone(), m).to_string();
            (MoveNumber::next_in(before), self.lang.translated(&san))
        });
        Reached {
            ply: step.ply,
            depth: step.depth,
            last,
            fen: Fen::from_position(step.position, self.args.ep),
            arrows: drawn(&comments, "[%cal "),
            marks: drawn(&comments, "[%csl "),
        }
    }

    fn write(&self, row: &PositionRow<'_>, rows: &mut row_writer::RowBuffer) {
        match (&self.layout, row.reached) {
            (Some(layout), _) => layout.write(row, rows),
            (None, Some(reached)) if self.args.rows.other().is_some() => {
                rows.text().extend(reached.epd(row.players).bytes());
            }
            (None, Some(reached)) => {
                rows.text().extend_from_slice(format!("{}\n", reached.fen).as_bytes());
            }
            // The last positions line up with the games.
            (None, None) if self.args.ply == Which::Last => rows.text().push(b'\n'),
            (None, None) => {}
        }
    }
}

/// The arrows or the squares in comments, as they are written there.
fn drawn(comments: &[Cow<'_, str>], command: &str) -> String {
    let lists = comments.iter().flat_map(|comment| comment.split(command).skip(1));
    let lists = lists.map(|rest| rest.split(']').next().unwrap_or_default().replace(' ', ""));
    lists.filter(|list| !list.is_empty()).collect::<Vec<_>>().join(",")
}
