//! `positions`: the positions of games that are in columns.

use std::{collections::HashMap, ops::ControlFlow, sync::Arc};

use arrow_array::{
    Array, ArrayRef, RecordBatch, StringArray, StructArray,
    builder::{BooleanBuilder, Int32Builder, Int64Builder, StringBuilder},
    cast::AsArray,
};
use arrow_schema::{DataType, Field, Schema};
use eco::{
    chess::{Chess, EnPassantMode, Move, SanPlus, UciMove, polyglot_hash},
    classify::{Variations, replay_all},
    pgn::Game,
    select::{GameInfo, GameResult},
};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::{
    arrow::{Batch, read_arrays},
    errors::ArgumentError,
    position::read_position,
};

/// The positions of games, up to a ply, with the move that was played in each.
///
/// `games` is a record batch (anything with `__arrow_c_array__`) with a column `moves`, of
/// movetext, and maybe `result`, `fen` and `variant`, the tags of these names, all of them text. A
/// game of another variant, or whose FEN is no position, has no row.
///
/// The rows: `game`, the number of the game in the batch, from 0; `ply`, the half-moves before the
/// position; `key`, its hash (see `position_hash`); `uci` and `san`, the move, null in the last
/// position; `last_visit`, whether the game does not come back to the position; `from_position`,
/// whether the game begins elsewhere than in the initial position; `result`, null if it is not
/// known.
///
/// >>> import eco_openings as eco, pyarrow as pa
/// >>> games = pa.record_batch({"moves": ["1. e4 e5 1-0"]})
/// >>> found = pa.record_batch(eco.positions(games))
/// >>> found["san"].to_pylist(), found["result"].to_pylist()
/// (['e4', 'e5', None], ['1-0', '1-0', '1-0'])
/// >>> found["key"][0].as_py() == eco.position_hash("startpos")
/// True
#[pyfunction]
#[pyo3(signature = (games, *, depth = 50))]
pub(crate) fn positions(py: Python<'_>, games: &Bound<'_, PyAny>, depth: usize) -> PyResult<Batch> {
    let mut rows = Rows { depth, ..Rows::default() };
    read_arrays(games, |array| {
        let Some(games) = array.as_struct_opt() else {
            let found = array.data_type();
            return Err(PyTypeError::new_err(format!("expected a record batch, not {found}")));
        };
        let columns = Columns::read(games)?;
        py.detach(|| (0..games.len()).for_each(|game| rows.add_game(game, &columns)));
        Ok(())
    })?;
    Ok(Batch(rows.finish()))
}

/// The hash of a position in columns of `positions`: Polyglot's, as a signed number, with the en
/// passant square only if a legal capture exists. It is the same in all releases.
///
/// >>> import eco_openings as eco
/// >>> hex(eco.position_hash("startpos"))
/// '0x463b96181691fc9c'
#[pyfunction]
pub(crate) fn position_hash(position: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(hash(&read_position(position)?))
}

fn hash(position: &Chess) -> i64 {
    polyglot_hash(position, EnPassantMode::Legal).cast_signed()
}

/// The columns of games.
struct Columns<'a> {
    moves: &'a StringArray,
    tags: [(&'static str, Option<&'a StringArray>); 3],
}

impl<'a> Columns<'a> {
    fn read(games: &'a StructArray) -> PyResult<Self> {
        let column = |name: &str| match games.column_by_name(name) {
            None => Ok(None),
            // No value has a type.
            Some(column) if *column.data_type() == DataType::Null && name != "moves" => Ok(None),
            Some(column) => match column.as_string_opt::<i32>() {
                Some(texts) => Ok(Some(texts)),
                None => {
                    let found = column.data_type();
                    Err(PyTypeError::new_err(format!("column {name} is {found}, not text")))
                }
            },
        };
        let moves = column("moves")?;
        let moves = moves.ok_or_else(|| ArgumentError::new_err("there is no column moves"))?;
        let tags = [
            ("Result", column("result")?),
            ("FEN", column("fen")?),
            ("Variant", column("variant")?),
        ];
        Ok(Self { moves, tags })
    }

    /// A game as PGN; `None` if it has no moves.
    fn write(&self, game: usize, out: &mut String) -> Option<()> {
        out.clear();
        let moves = self.moves.is_valid(game).then(|| self.moves.value(game))?;
        for (name, values) in &self.tags {
            let Some(values) = values.filter(|values| values.is_valid(game)) else { continue };
            out.push('[');
            out.push_str(name);
            out.push_str(" \"");
            for sign in values.value(game).chars().filter(|sign| !sign.is_control()) {
                if matches!(sign, '"' | '\\') {
                    out.push('\\');
                }
                out.push(sign);
            }
            out.push_str("\"]\n");
        }
        out.push('\n');
        out.push_str(moves);
        Some(())
    }
}

/// Rows of positions.
#[derive(Default)]
struct Rows {
    depth: usize,
    game: Int32Builder,
    ply: Int32Builder,
    key: Int64Builder,
    uci: StringBuilder,
    san: StringBuilder,
    last_visit: BooleanBuilder,
    from_position: BooleanBuilder,
    result: StringBuilder,
    /// The game as PGN, in memory that serves all.
    text: String,
    /// The hashes of its positions.
    keys: Vec<i64>,
}

impl Rows {
    fn add_game(&mut self, game: usize, columns: &Columns<'_>) {
        let mut text = std::mem::take(&mut self.text);
        if columns.write(game, &mut text).is_some() {
            self.add(game, &Game::from_bytes(text.as_bytes()));
        }
        self.text = text;
    }

    fn add(&mut self, number: usize, game: &Game<'_>) {
        self.keys.clear();
        let mut is_set_up = false;
        let replay = replay_all(game, Variations::Skipped, |step| {
            if step.last.is_none() {
                is_set_up = *step.position != Chess::default();
            }
            if let Some((before, m)) = step.last {
                self.add_move(before, m);
            }
            match step.ply > self.depth {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if let Some(last) = replay.last.filter(|_| replay.plies <= self.depth) {
            self.keys.push(hash(&last));
            self.uci.append_null();
            self.san.append_null();
        }
        let result = GameInfo::read(game).result();
        self.finish_game(number, is_set_up, result);
    }

    fn add_move(&mut self, before: &Chess, m: Move) {
        self.keys.push(hash(before));
        self.uci.append_value(UciMove::from_move(m).to_string());
        let san = SanPlus::from_move(before.clone(), m);
        self.san.append_value(san.to_string());
    }

    /// Fills the columns that are known once the game is over.
    fn finish_game(&mut self, number: usize, is_set_up: bool, result: GameResult) {
        let last_visits: HashMap<i64, usize> =
            self.keys.iter().enumerate().map(|(ply, key)| (*key, ply)).collect();
        for (ply, key) in self.keys.iter().enumerate() {
            self.game.append_value(i32::try_from(number).unwrap_or(i32::MAX));
            self.ply.append_value(i32::try_from(ply).unwrap_or(i32::MAX));
            self.key.append_value(*key);
            self.last_visit.append_value(last_visits.get(key) == Some(&ply));
            self.from_position.append_value(is_set_up);
            match result {
                GameResult::Unknown => self.result.append_null(),
                known => self.result.append_value(known.as_str()),
            }
        }
    }

    fn finish(mut self) -> RecordBatch {
        let columns: [(&str, ArrayRef); 8] = [
            ("game", Arc::new(self.game.finish())),
            ("ply", Arc::new(self.ply.finish())),
            ("key", Arc::new(self.key.finish())),
            ("uci", Arc::new(self.uci.finish())),
            ("san", Arc::new(self.san.finish())),
            ("last_visit", Arc::new(self.last_visit.finish())),
            ("from_position", Arc::new(self.from_position.finish())),
            ("result", Arc::new(self.result.finish())),
        ];
        let field = |(name, array): &(&str, ArrayRef)| {
            let is_nullable = matches!(array.data_type(), DataType::Utf8);
            Field::new(*name, array.data_type().clone(), is_nullable)
        };
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        RecordBatch::try_new(Arc::new(schema), arrays)
            .expect("each column has a value for each row")
    }
}
