//! The rows of `lookup`: what is asked, and the answer.

use super::{
    ColumnSet, ColumnType, Row, Value, Width,
    lookup::{alias_text, aliases},
    opening::{code, name},
};
use crate::{
    catalogue::{Catalogue, Line},
    classify::{Continuation, Lookup, NamedAt},
    opening::Opening,
};

/// The row of a question.
#[derive(Debug, Clone, Copy)]
pub struct LookupRow<'a> {
    /// The question, as it was typed.
    pub input: &'a str,
    /// The answer, and the catalogue that gave it, or why there is none.
    pub answer: Result<(&'a Catalogue, &'a Lookup<'a>), &'a str>,
}

type LookupColumns = ColumnSet<for<'r> fn(&'r LookupRow<'_>) -> Value<'r>>;

impl<'a> LookupRow<'a> {
    fn lookup(&self) -> Option<&'a Lookup<'a>> {
        self.answer.ok().map(|(_, answer)| answer)
    }

    fn named(&self) -> Option<&'a NamedAt<'a>> {
        self.lookup()?.named.as_ref()
    }

    fn opening(&self) -> Option<&'a Opening> {
        self.named().map(NamedAt::opening)
    }

    /// The moves of the line that gives the name.
    fn line(&self) -> Option<String> {
        let (catalogue, answer) = self.answer.ok()?;
        catalogue.movetext(answer.named?.line())
    }

    /// A text for each of the things that an answer has.
    fn list<T>(&self, things: impl Fn(&'a Lookup<'a>) -> T) -> Value<'static>
    where
        T: IntoIterator<Item = String>,
    {
        self.lookup().map_or(Value::None, |answer| Value::list(things(answer), "; "))
    }
}

impl Row for LookupRow<'_> {
    type Columns = LookupColumns;

    fn columns() -> LookupColumns {
        LookupColumns::new()
            .with("input", Width::Share(4), |row| Value::text(row.input))
            .with("key", Width::Share(4), |row| Value::optional(row.lookup().map(|a| a.key)))
            .with("eco", Width::AtMost(5), |row| code(row.opening()))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(5), |row| name(row.opening()))
            .with("ply", Width::Number, |row| row.named().map(NamedAt::ply).into())
            .of(ColumnType::UInt16)
            .with("transposed", Width::AtMost(10), |row| {
                row.named().map(NamedAt::is_transposed).into()
            })
            .of(ColumnType::Bool)
            .with("master", Width::Share(1), |row| {
                row.named().map_or(Value::None, |named| Value::text(&named.master().name))
            })
            .of(ColumnType::Name)
            .with("master_version", Width::Share(1), |row| {
                row.named().map_or(Value::None, |named| Value::text(&named.master().version))
            })
            .of(ColumnType::Name)
            .with("line", Width::LineShare(3), |row| Value::optional(row.line()))
            .with("trail", Width::Share(3), |row| {
                row.list(|answer| answer.trail.iter().map(|named| named.opening().to_string()))
            })
            .of(ColumnType::List)
            .with("others", Width::Share(3), |row| {
                row.list(|answer| answer.others.iter().map(|line: &&Line| line.opening.to_string()))
            })
            .of(ColumnType::List)
            .with("aliases", Width::Share(3), |row| {
                row.list(|answer| aliases(answer).map(alias_text))
            })
            .of(ColumnType::List)
            .with("next", Width::Share(3), |row| {
                row.list(|answer| answer.next.iter().map(|next| next.played.san.to_string()))
            })
            .of(ColumnType::List)
            .with("next_openings", Width::Share(3), |row| {
                row.list(|answer| {
                    answer.next.iter().map(|next: &Continuation<'_>| next.line.opening.to_string())
                })
            })
            .of(ColumnType::List)
            .with("error", Width::Share(2), |row| row.answer.err().map_or(Value::None, Value::text))
    }
}
