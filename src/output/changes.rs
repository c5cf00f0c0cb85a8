//! What `eco tag` changes: kinds of changes with an example, or game by game.

use super::{Column, Rows, Value, Width, sanitize};
use crate::{
    classify::NamedAt,
    pgn::Game,
    tag::{ChangeKind, Changes, Outcome, Plan},
};

const fn text(name: &'static str, width: Width) -> Column {
    Column { name, width, absent: "" }
}

/// The columns of the kinds of changes.
pub const CHANGE_COLUMNS: [Column; 8] = [
    text("change", Width::Fixed(14)),
    text("games", Width::Number(8)),
    text("source", Width::Share(2)),
    text("game", Width::Number(6)),
    text("white", Width::Share(2)),
    text("black", Width::Share(2)),
    text("opening_before", Width::Share(3)),
    text("opening_after", Width::Share(3)),
];

/// The columns of the changes game by game.
pub const GAME_CHANGE_COLUMNS: [Column; 9] = [
    text("source", Width::Share(2)),
    text("game", Width::Number(6)),
    text("white", Width::Share(2)),
    text("black", Width::Share(2)),
    text("change", Width::Fixed(14)),
    text("eco_before", Width::Fixed(10)),
    text("eco_after", Width::Fixed(9)),
    text("opening_before", Width::Share(3)),
    text("opening_after", Width::Share(3)),
];

fn shown(bytes: Option<&[u8]>) -> Value<'_> {
    bytes.map_or(Value::None, |bytes| Value::Text(sanitize(bytes)))
}

/// Writes a row for each kind of change, the most frequent first.
pub fn write_changes(changes: &Changes, rows: &dyn Rows, out: &mut Vec<u8>) {
    for count in changes.kinds() {
        let kind = count.kind.map_or_else(|| "others".to_owned(), |kind| kind.to_string());
        let example = &count.example;
        let values = [
            Value::Text(kind.into()),
            Value::Number(count.games),
            Value::Text(sanitize(example.source.as_bytes())),
            Value::Number(example.number),
            Value::text(example.white.as_str()),
            Value::text(example.black.as_str()),
            Value::text(example.before.as_str()),
            Value::text(example.after.as_str()),
        ];
        rows.write_row(&CHANGE_COLUMNS, &values, out);
    }
}

/// Writes the row of a game, if it is changed, or cannot be.
pub fn write_game_change(
    source: &str,
    game: &Game<'_>,
    plan: &Plan<'_, '_>,
    rows: &dyn Rows,
    out: &mut Vec<u8>,
) {
    let change = match plan.outcome {
        Outcome::Changed(_) => ChangeKind::of(plan).map(|kind| kind.to_string()),
        Outcome::NoTags => Some("left: no tags".to_owned()),
        Outcome::Damaged => Some("left: damaged".to_owned()),
        Outcome::Correct | Outcome::NoOpening | Outcome::Excluded => None,
    };
    let Some(change) = change else { return };
    let after = plan.named().map(NamedAt::opening);
    let values = [
        Value::Text(source.into()),
        Value::Number(game.number()),
        shown(plan.header.white.as_deref()),
        shown(plan.header.black.as_deref()),
        Value::Text(change.into()),
        shown(plan.eco.as_deref()),
        after.map_or(Value::None, |opening| Value::text(opening.eco().base())),
        shown(plan.opening.as_deref()),
        after.map_or(Value::None, |opening| Value::text(opening.name())),
    ];
    rows.write_row(&GAME_CHANGE_COLUMNS, &values, out);
}
