//! Tab-separated values: one line a row, no quoting; no value holds a tab or a line end.
//!
//! Rows of games are what programs read by the million, so they have a way of their own: cell after cell
//! into room that is there already, and no [`Value`] between.

use std::fmt::Display;

use super::{Column, Field, Record, Rows, Value, field::Told, sanitize, write_values};
use crate::swar::{copy_printable, digits};

/// Tab-separated values.
#[derive(Debug, Clone, Copy)]
pub struct TsvRows;

/// Rows of games are hardly ever longer.
const ROOM: usize = 240;

fn write<T>(
    cells: impl Iterator<Item = T>,
    out: &mut Vec<u8>,
    write_cell: impl Fn(T, &mut Vec<u8>),
) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        write_cell(cell, out);
    }
    out.push(b'\n');
}

impl Rows for TsvRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        write(columns.iter(), out, |column, out| out.extend_from_slice(column.name.as_bytes()));
    }

    fn write_row(&self, columns: &[Column], values: &[Value<'_>], out: &mut Vec<u8>) {
        let cells = columns.iter().zip(values);
        write(cells, out, |(column, value), out| value.write_text(column, out));
    }

    fn write_game(
        &self,
        columns: &[Column],
        fields: &[Field],
        record: &Record<'_>,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        out.resize(start + ROOM, 0);
        let length = fill_row(columns, fields, record, &mut out[start..]);
        out.truncate(start + length.unwrap_or_default());
        if length.is_none() {
            write_values(self, columns, fields, record, out);
        }
    }
}

/// Writes a row where there is room for it, and says how long it is.
#[inline(always)]
fn fill_row(
    columns: &[Column],
    fields: &[Field],
    record: &Record<'_>,
    room: &mut [u8],
) -> Option<usize> {
    let size = room.len();
    let mut rest = &mut *room;
    for (column, field) in columns.iter().zip(fields) {
        rest = fill_cell(field.told(record), column, rest)?;
    }
    let length = size - rest.len();
    *room.get_mut(length.checked_sub(1)?)? = b'\n';
    Some(length)
}

// Cells are written with the tab behind them, and give the room behind that.

#[inline(always)]
fn fill_cell<'r>(told: Told<'_>, column: &Column, room: &'r mut [u8]) -> Option<&'r mut [u8]> {
    let text = match told {
        Told::Bytes(bytes) => bytes,
        Told::Nothing => column.absent.as_bytes(),
        Told::Bool(true) => b"true",
        Told::Bool(false) => b"false",
        Told::Number(number) => return fill_number(number, room),
        Told::Key(key) => return fill_worded(key, room),
        Told::Error(error) => return fill_worded(error, room),
    };
    let (tab, place) = room.get_mut(..=text.len())?.split_last_mut()?;
    if !copy_printable(text, place) {
        return fill_sanitized(text, room);
    }
    *tab = b'\t';
    room.get_mut(text.len() + 1..)
}

#[inline(always)]
fn fill_number(number: u64, room: &mut [u8]) -> Option<&mut [u8]> {
    let Some((digits, count)) = digits(number) else { return fill_worded(&number, room) };
    *room.first_chunk_mut()? = digits;
    *room.get_mut(count)? = b'\t';
    room.get_mut(count + 1..)
}

#[inline(never)]
fn fill_worded<'r>(value: &dyn Display, room: &'r mut [u8]) -> Option<&'r mut [u8]> {
    fill_sanitized(value.to_string().as_bytes(), room)
}

#[inline(never)]
fn fill_sanitized<'r>(bytes: &[u8], room: &'r mut [u8]) -> Option<&'r mut [u8]> {
    let text = sanitize(bytes);
    let (place, rest) = room.split_at_mut_checked(text.len() + 1)?;
    let (tab, place) = place.split_last_mut()?;
    place.copy_from_slice(text.as_bytes());
    *tab = b'\t';
    Some(rest)
}
