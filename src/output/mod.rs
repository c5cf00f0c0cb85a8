//! Rows about games, openings and repertoires for people and programs: tables, tsv, csv, jsonl; and
//! the texts and objects of `classify --explain`, `lookup`, `fen check` and `fen move`.
//!
//! A [`ColumnSet`] holds the columns of rows of one kind ([`RowColumns`] those of the rows here), a
//! [`Format`] lays them out, a [`Table`] fits them to a terminal. Text from files is decoded and
//! [sanitized](sanitize()) here, once: control characters become spaces, so no tag can break a row
//! or control a terminal. What the rows are about is found out elsewhere; nothing is classified
//! here.

mod column;
#[cfg(feature = "arrow")]
pub mod columns;
mod explain;
mod explored;
mod fen;
mod field;
mod files;
mod format;
mod json;
mod lookup;
pub mod repertoire;
mod scores;
mod stats;
mod table;
mod tsv;
mod value;

pub use column::{ColumnSet, ColumnType, ColumnValue, RowColumns, Width};
pub use explain::{explanation_json, explanation_text};
pub use explored::{ExploredGame, ExploredMove, GameList};
pub use fen::{fen_move_fault_json, fen_move_json, fen_reading_json};
pub use field::{Field, FieldValue, GameDetails, GameRow, ParseFieldError, parse_fields};
#[cfg(feature = "codecs")]
pub use files::PartRow;
pub use files::{ChangeRow, GameChangeRow};
pub use format::{Format, Layout};
pub use json::to_json;
pub use lookup::{LookupRow, lookup_json, lookup_text};
#[cfg(feature = "web")]
pub(crate) use scores::{Scores, in_percent};
pub use stats::{StatsValue, finding_columns, stats_columns};
pub use table::{Table, TableOptions};
pub(crate) use value::decimal;
pub use value::{Value, percent, sanitize};
