//! Tab-separated values: one line a row, no quoting. No value contains a tab or a line end.
//!
//! Most rows are written by a fast form, into room that is reserved at once. It assumes that a row
//! fits into [`ROOM`] bytes; most do. It saves 3 % of the instructions of the whole program: 99.5
//! million instead of 102.7 million for `eco classify -j1 --format tsv` on 5,867 games played over
//! the board (x86-64, callgrind, 2026-11).

use std::mem::ManuallyDrop;

use super::Value;
use super::column::{Column, ColumnSet, ColumnValue, Entry};
use crate::swar::{digits, is_printable};

/// Rows are rarely longer.
const ROOM: usize = 240;

pub(super) fn write_header<'n>(names: impl Iterator<Item = &'n str>, out: &mut Vec<u8>) {
    out.extend_from_slice(names.collect::<Vec<_>>().join("\t").as_bytes());
    out.push(b'\n');
}

#[inline]
pub(super) fn write_row<R, F: ColumnValue<R>>(columns: &ColumnSet<F>, row: &R, out: &mut Vec<u8>) {
    if write_short_row(columns, row, out).is_none() {
        write_cells(columns.cells(row), out);
    }
}

/// Writes a row value by value.
#[inline(never)]
pub(super) fn write_cells<'r>(
    cells: impl Iterator<Item = (&'r Column, Value<'r>)>,
    out: &mut Vec<u8>,
) {
    for (index, (column, value)) in cells.enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        value.write_text(column.absent, out);
    }
    out.push(b'\n');
}

/// Writes a row as [`write_cells`] does; `None`, and no change, if it is too long.
#[inline]
fn write_short_row<F, R>(columns: &ColumnSet<F>, row: &R, out: &mut Vec<u8>) -> Option<()>
where
    F: ColumnValue<R>,
{
    let start = out.len();
    out.resize(start + ROOM, 0);
    let length = fill_row(columns, row, &mut out[start..]);
    out.truncate(start + length.unwrap_or_default());
    length.map(drop)
}

/// Writes a row to the beginning of `room`, and returns its length.
#[inline(always)]
fn fill_row<F, R>(columns: &ColumnSet<F>, row: &R, room: &mut [u8]) -> Option<usize>
where
    F: ColumnValue<R>,
{
    let size = room.len();
    let mut rest = &mut *room;
    for entry in &columns.entries {
        rest = fill_cell(entry, row, rest)?;
    }
    let length = size - rest.len();
    *room.get_mut(length.checked_sub(1)?)? = b'\n';
    Some(length)
}

// A cell is written with a tab after it. What is returned is the room after the tab.

#[inline(always)]
fn fill_cell<'r, F, R>(entry: &Entry<F>, row: &R, room: &'r mut [u8]) -> Option<&'r mut [u8]>
where
    F: ColumnValue<R>,
{
    // The first four have nothing to drop, and are not asked for it.
    let value = ManuallyDrop::new(entry.value.value(row));
    let text = match *value {
        Value::Bytes(bytes) => bytes,
        Value::None => entry.column.absent.as_bytes(),
        Value::Bool(true) => b"true",
        Value::Bool(false) => b"false",
        Value::Number(number) => return fill_number(number, room),
        _ => return fill_text(&ManuallyDrop::into_inner(value), room),
    };
    let end = text.len();
    if end >= room.len() {
        return None;
    }
    if !is_printable(text) {
        return fill_text(&Value::Bytes(text), room);
    }
    room[..end].copy_from_slice(text);
    room[end] = b'\t';
    Some(&mut room[end + 1..])
}

#[inline(always)]
fn fill_number(number: u64, room: &mut [u8]) -> Option<&mut [u8]> {
    let Some((digits, count)) = digits(number) else {
        return fill_text(&Value::Number(number), room);
    };
    *room.first_chunk_mut()? = digits;
    *room.get_mut(count)? = b'\t';
    room.get_mut(count + 1..)
}

#[inline(never)]
fn fill_text<'r>(value: &Value<'_>, room: &'r mut [u8]) -> Option<&'r mut [u8]> {
    let text = value.to_text("");
    let (destination, rest) = room.split_at_mut_checked(text.len() + 1)?;
    let (tab, destination) = destination.split_last_mut()?;
    destination.copy_from_slice(text.as_bytes());
    *tab = b'\t';
    Some(rest)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::{
        catalogue::Catalogue,
        classify::{Classified, Classifier, Header},
        output::{Field, GameDetails, GameRow},
        pgn::Game,
    };

    fn file_bytes() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            any::<Vec<u8>>(),
            any::<String>().prop_map(String::into_bytes),
            "[ -~]{0,30}".prop_map(String::into_bytes),
            // Some rows are longer than the room.
            "[ -~]{0,120}".prop_map(String::into_bytes),
        ]
    }

    proptest! {
        #[test]
        fn a_row_is_that_of_the_plain_form(
            tags in [file_bytes(), file_bytes(), file_bytes(), file_bytes()],
            moves in prop_oneof![Just("1. e4 c5 2. Nf3 a6 *"), Just("1. d4 Ke1"), Just("")],
            number in prop_oneof![any::<u64>(), 0..1_000_u64],
        ) {
            let classifier = Classifier::new(Catalogue::builtin());
            let [white, black, result, date] = tags.map(|tag| Some(Cow::Owned(tag)));
            let header = Header { white, black, result, date, ..Header::default() };
            let pgn = Game::from_bytes(moves.as_bytes());
            let game = Classified { header, ..classifier.classify(&pgn) };
            let details = GameDetails::new(&pgn, &classifier);
            let row = GameRow { source: "a.pgn", number, offset: 0, game: &game, details: Some(&details) };
            let single = Field::ALL.iter().map(std::slice::from_ref);
            for fields in single.chain([Field::ALL, Field::FOR_PROGRAMS]) {
                let columns = Field::columns(fields);
                let (mut fast, mut plain) = (b"above\n".to_vec(), b"above\n".to_vec());
                write_cells(columns.cells(&row), &mut plain);
                match write_short_row(&columns, &row, &mut fast) {
                    Some(()) => prop_assert_eq!(fast, plain),
                    None => {
                        prop_assert_eq!(fast, b"above\n");
                        prop_assert!(plain.len() + 8 > ROOM, "a row that is not long");
                    }
                }
            }
        }
    }
}
