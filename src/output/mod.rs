//! Rows about games, openings and repertoires for people and programs: tables, tsv, csv, jsonl; and
//! the texts and objects of `classify --explain`, `lookup`, `fen check` and `fen move`.
//!
//! A [`ColumnSet`] holds the columns of rows of one kind ([`Row`] those of the rows here), a
//! [`Format`] lays them out, a [`Table`] fits them to a terminal. Text from files is decoded and
//! [sanitized](sanitize()) here, once: control characters become spaces, so no tag can break a row
//! or control a terminal. What the rows are about is found out elsewhere; nothing is classified
//! here.

mod changes;
mod column;
mod column_set;
#[cfg(feature = "arrow")]
pub mod columns;
mod csv;
mod explain;
#[cfg(feature = "collection")]
mod explored;
mod fen;
mod field;
mod json;
mod jsonl;
mod layout;
mod lookup;
mod lookup_row;
mod opening;
#[cfg(feature = "codecs")]
mod part;
#[cfg(feature = "repertoire")]
pub mod repertoire;
mod row;
mod rows;
mod sanitize;
#[cfg(any(feature = "collection", feature = "repertoire"))]
mod score_bar;
#[cfg(all(feature = "repertoire", feature = "collection", feature = "sqlite"))]
mod sqlite;
mod stats;
mod step_object;
mod summary;
mod table;
mod table_rows;
mod tsv;
mod value;

pub use changes::{ChangeRow, GameChangeRow};
pub(crate) use column::{Audience, Cell, Column};
pub use column::{ColumnType, Width};
pub use column_set::{ColumnSet, ColumnValue};
pub(crate) use csv::{CsvRows, SafeCsvRows};
pub use explain::{ExplanationFormat, write_explanation};
#[cfg(feature = "collection")]
pub use explored::{ExploredGame, ExploredMove, GameList};
pub use fen::{fen_move_fault_json, fen_move_json, fen_reading_json};
pub use field::{Field, FieldValue, GameRow, ParseFieldError, RowTags, parse_fields};
pub use json::to_json;
pub(crate) use jsonl::JsonRows;
pub use layout::{Format, Layout};
pub use lookup::{lookup_json, lookup_text};
pub use lookup_row::LookupRow;
#[cfg(feature = "codecs")]
pub use part::PartRow;
pub use row::Row;
pub(crate) use rows::Rows;
pub use sanitize::sanitize;
pub use stats::{finding_columns, stats_columns};
pub use summary::SummaryRow;
pub use table::{Table, TableOptions};
pub(crate) use table_rows::TableRows;
pub(crate) use tsv::TsvRows;
pub use value::{Value, percent};
