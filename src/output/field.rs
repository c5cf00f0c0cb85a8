//! The fields of a row, and their values.

use std::{borrow::Cow, str::FromStr};

use super::{Column, Record, Value, Width, sanitize};
use crate::{chess::PositionKey, classify::GameError, opening::Opening};

/// A column of what `classify` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The file, or `-`.
    Source,
    /// The number of the game in its source, from 1.
    Game,
    /// Who played White.
    White,
    /// Who played Black.
    Black,
    /// The result, as the tag has it.
    Result,
    /// The date, as the tag has it.
    Date,
    /// The ECO code.
    Eco,
    /// The full name.
    Opening,
    /// The name up to the colon.
    Family,
    /// The name from there to the comma.
    Variation,
    /// The rest of the name.
    Subvariation,
    /// After how many plies the deciding position was reached.
    Ply,
    /// Whether it was reached by another move order than any line has.
    Transposed,
    /// The deciding position.
    Key,
    /// What is wrong with the game.
    Error,
    /// The ECO code by the order of the moves alone.
    MoveOrderEco,
    /// The name by the order of the moves alone.
    MoveOrderOpening,
    /// The last ply of the unbroken run of positions that are named or on the way along a line.
    BookExit,
    /// The master that gave the name.
    Master,
    /// Its version.
    MasterVersion,
}

impl Field {
    /// All fields, in the order of `--fields all`.
    pub const ALL: [Self; 20] = [
        Self::Source,
        Self::Game,
        Self::White,
        Self::Black,
        Self::Result,
        Self::Date,
        Self::Eco,
        Self::Opening,
        Self::Family,
        Self::Variation,
        Self::Subvariation,
        Self::Ply,
        Self::Transposed,
        Self::Key,
        Self::Error,
        Self::MoveOrderEco,
        Self::MoveOrderOpening,
        Self::BookExit,
        Self::Master,
        Self::MasterVersion,
    ];

    /// What programs get unless they ask for something else.
    pub const FOR_PROGRAMS: [Self; 11] = [
        Self::Source,
        Self::Game,
        Self::White,
        Self::Black,
        Self::Result,
        Self::Date,
        Self::Eco,
        Self::Opening,
        Self::Ply,
        Self::Transposed,
        Self::Error,
    ];

    /// What a table shows unless asked for something else: what fits on a terminal.
    pub const FOR_TABLES: [Self; 6] =
        [Self::Game, Self::White, Self::Black, Self::Result, Self::Eco, Self::Opening];

    /// Its name, in headers and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Game => "game",
            Self::White => "white",
            Self::Black => "black",
            Self::Result => "result",
            Self::Date => "date",
            Self::Eco => "eco",
            Self::Opening => "opening",
            Self::Family => "family",
            Self::Variation => "variation",
            Self::Subvariation => "subvariation",
            Self::Ply => "ply",
            Self::Transposed => "transposed",
            Self::Key => "key",
            Self::Error => "error",
            Self::MoveOrderEco => "move_order_eco",
            Self::MoveOrderOpening => "move_order_opening",
            Self::BookExit => "book_exit",
            Self::Master => "master",
            Self::MasterVersion => "master_version",
        }
    }

    /// Whether its value tells of the whole way of a game, and needs [`Record::trace`].
    #[must_use]
    pub fn needs_trace(self) -> bool {
        matches!(self, Self::MoveOrderEco | Self::MoveOrderOpening | Self::BookExit)
    }

    /// The columns of these fields.
    #[must_use]
    pub fn columns(fields: &[Self]) -> Vec<Column> {
        fields.iter().map(|field| field.column()).collect()
    }

    pub(super) fn column(self) -> Column {
        let width = match self {
            Self::Game => Width::Number(6),
            Self::Ply => Width::Number(3),
            Self::BookExit => Width::Number(9),
            Self::MoveOrderEco => Width::Fixed(14),
            Self::MasterVersion => Width::Fixed(14),
            Self::Result => Width::Fixed(7),
            Self::Date | Self::Transposed => Width::Fixed(10),
            Self::Eco => Width::Fixed(5),
            Self::White | Self::Black | Self::Source | Self::Master => Width::Share(3),
            _ => Width::Share(5),
        };
        let absent = if matches!(self, Self::Ply | Self::BookExit) { "0" } else { "" };
        Column { name: self.name(), width, absent }
    }

    /// Its value for a game.
    #[must_use]
    #[inline(always)]
    pub fn value<'a>(self, record: &Record<'a>) -> Value<'a> {
        match self.told(record) {
            Told::Nothing => Value::None,
            Told::Number(number) => Value::Number(number),
            Told::Bool(is_so) => Value::Bool(is_so),
            Told::Bytes(bytes) => Value::Bytes(bytes),
            Told::Key(key) => Value::Text(key.to_string().into()),
            Told::Error(error) => {
                Value::Text(sanitize(error.to_string().as_bytes()).into_owned().into())
            }
        }
    }

    /// What its value is made of.
    #[inline(always)]
    pub(super) fn told<'a>(self, record: &Record<'a>) -> Told<'a> {
        let header = &record.game.header;
        let verdict = &record.game.verdict;
        let tag =
            |bytes: &'a Option<Cow<'_, [u8]>>| bytes.as_deref().map_or(Told::Nothing, Told::Bytes);
        let named = verdict.named.as_ref();
        let by_moves = || record.trace.and_then(|trace| trace.by_moves.as_ref());
        match self {
            Self::Source => Told::text(record.source),
            Self::Game => Told::Number(record.number),
            Self::White => tag(&header.white),
            Self::Black => tag(&header.black),
            Self::Result => tag(&header.result),
            Self::Date => tag(&header.date),
            Self::Eco => named.map_or(Told::Nothing, |n| Told::code(n.opening())),
            Self::Opening => named.map_or(Told::Nothing, |n| Told::text(n.opening().name())),
            Self::Family | Self::Variation | Self::Subvariation => {
                named.map_or(Told::Nothing, |n| Told::text(self.part(n.opening())))
            }
            Self::Ply => named.map_or(Told::Nothing, |n| Told::Number(n.ply() as u64)),
            Self::Transposed => named.map_or(Told::Nothing, |n| Told::Bool(n.is_transposed())),
            Self::Key => named.map_or(Told::Nothing, |n| Told::Key(n.key())),
            Self::Error => verdict.error.as_ref().map_or(Told::Nothing, Told::Error),
            Self::MoveOrderEco => by_moves().map_or(Told::Nothing, |n| Told::code(n.opening())),
            Self::MoveOrderOpening => {
                by_moves().map_or(Told::Nothing, |n| Told::text(n.opening().name()))
            }
            Self::BookExit => {
                record.trace.map_or(Told::Nothing, |trace| Told::Number(trace.book_exit as u64))
            }
            Self::Master => named.map_or(Told::Nothing, |n| Told::text(&n.master().name)),
            Self::MasterVersion => named.map_or(Told::Nothing, |n| Told::text(&n.master().version)),
        }
    }

    // Kept apart, so that all other fields cost no more than they must.
    #[inline(never)]
    fn part(self, opening: &Opening) -> &str {
        match self {
            Self::Family => opening.family(),
            Self::Variation => opening.variation(),
            _ => opening.subvariation(),
        }
    }
}

/// What is known of a game for a field, before it is put into words.
#[derive(Debug, Clone, Copy)]
pub(super) enum Told<'a> {
    Nothing,
    Number(u64),
    Bool(bool),
    Bytes(&'a [u8]),
    Key(&'a PositionKey),
    Error(&'a GameError),
}

impl<'a> Told<'a> {
    fn text(text: &'a str) -> Self {
        Self::Bytes(text.as_bytes())
    }

    fn code(opening: &'a Opening) -> Self {
        Self::Bytes(opening.eco().as_bytes())
    }
}

/// There is no such field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseFieldError {
    /// No field has that name.
    #[error("no field {0:?}; there are {names}, and \"all\"", names = all_names())]
    Unknown(String),
    /// A field was named twice.
    #[error("field {0:?} is named twice")]
    Twice(&'static str),
}

fn all_names() -> String {
    Field::ALL.map(Field::name).join(", ")
}

impl FromStr for Field {
    type Err = ParseFieldError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|field| field.name() == name);
        found.ok_or_else(|| ParseFieldError::Unknown(name.to_owned()))
    }
}

/// Reads a list of field names separated by commas; `all` stands for all of them.
///
/// # Errors
///
/// If a name is unknown, or stands there twice.
pub fn parse_fields(list: &str) -> Result<Vec<Field>, ParseFieldError> {
    let mut fields = Vec::new();
    for name in list.split(',').map(str::trim) {
        if name == "all" {
            fields.extend(Field::ALL);
        } else {
            fields.push(name.parse()?);
        }
    }
    for (index, field) in fields.iter().enumerate() {
        if fields[..index].contains(field) {
            return Err(ParseFieldError::Twice(field.name()));
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_fields_are_read() {
        assert_eq!(parse_fields("eco, game"), Ok(vec![Field::Eco, Field::Game]));
        assert_eq!(parse_fields("all").map(|f| f.len()), Ok(Field::ALL.len()));
        assert!(parse_fields("eco,foo").unwrap_err().to_string().starts_with("no field \"foo\""));
        assert_eq!(parse_fields("eco,all"), Err(ParseFieldError::Twice("eco")));
        assert!(parse_fields("").is_err());
    }
}
