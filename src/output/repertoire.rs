//! What is found out about repertoires: the columns and values of its sheets.

use super::{SheetColumn, Value, Width};
use crate::{
    catalogue::Catalogue,
    classify::{Classifier, NamedAt},
    opening::Opening,
    pgn::decode_text,
    repertoire::{
        Book, BookLine, Cost, Finding, Followed, Follower, Gap, NodeId, Novelty, PlayedGame,
        ShortestLines,
    },
};

const fn shown(name: &'static str, width: Width) -> SheetColumn {
    SheetColumn::shown(name, width)
}

const fn hidden(name: &'static str) -> SheetColumn {
    SheetColumn::hidden(name)
}

/// The columns of games and where they left a book.
pub const CHECK_COLUMNS: [SheetColumn; 15] = [
    hidden("source"),
    shown("game", Width::Number(5)),
    shown("white", Width::Share(3)),
    shown("black", Width::Share(3)),
    hidden("result"),
    hidden("date"),
    shown("status", Width::Fixed(10)),
    hidden("ply"),
    shown("move", Width::Fixed(10)),
    shown("book", Width::Share(3)),
    hidden("reentry"),
    hidden("eco"),
    shown("opening", Width::Share(4)),
    hidden("key"),
    hidden("detail"),
];

/// The columns of the positions in which a book was left, and what that cost.
pub const COST_COLUMNS: [SheetColumn; 14] = [
    shown("line", Width::LineShare(3)),
    shown("status", Width::Fixed(10)),
    shown("move", Width::Fixed(10)),
    shown("book", Width::Share(1)),
    shown("games", Width::Number(5)),
    hidden("wins"),
    hidden("draws"),
    hidden("losses"),
    hidden("score"),
    shown("cost", Width::Number(5)),
    hidden("eco"),
    hidden("opening"),
    hidden("ply"),
    hidden("key"),
];

/// The columns of gaps.
pub const GAP_COLUMNS: [SheetColumn; 9] = [
    shown("line", Width::LineShare(4)),
    hidden("move"),
    hidden("probability"),
    shown("one_in", Width::Number(6)),
    shown("games", Width::Number(6)),
    shown("score", Width::Number(6)),
    hidden("eco"),
    shown("opening", Width::Share(3)),
    hidden("key"),
];

/// The columns of what looks wrong with a book.
pub const FINDING_COLUMNS: [SheetColumn; 7] = [
    shown("kind", Width::Fixed(13)),
    shown("line", Width::LineShare(9)),
    shown("moves", Width::Share(3)),
    shown("detail", Width::Share(7)),
    hidden("eco"),
    hidden("opening"),
    hidden("key"),
];

/// The columns of novelties.
pub const NOVELTY_COLUMNS: [SheetColumn; 15] = [
    hidden("source"),
    shown("game", Width::Number(5)),
    shown("white", Width::Share(2)),
    shown("black", Width::Share(2)),
    hidden("result"),
    shown("date", Width::Fixed(10)),
    hidden("ply"),
    shown("move", Width::Fixed(10)),
    hidden("eco"),
    shown("opening", Width::Share(3)),
    shown("later", Width::Number(6)),
    hidden("first_white"),
    hidden("first_black"),
    hidden("first_date"),
    hidden("key"),
];

/// A game that was checked.
#[derive(Debug, Clone, Copy)]
pub struct CheckRecord<'a> {
    /// The name of its source, [sanitized](super::sanitize).
    pub source: &'a str,
    /// Its number in its source, from 1.
    pub number: u64,
    /// Its path through the book.
    pub followed: &'a Followed<'a>,
    /// Its opening.
    pub named: Option<NamedAt<'a>>,
}

/// A game that was looked at for novelties, and what was new in it.
#[derive(Debug, Clone, Copy)]
pub struct NoveltyRecord<'a> {
    /// The name of its source, [sanitized](super::sanitize).
    pub source: &'a str,
    /// Its number in its source, from 1.
    pub number: u64,
    /// The game.
    pub game: &'a PlayedGame,
    /// What was new, if anything was.
    pub novelty: Option<&'a Novelty>,
}

/// The lines of a book, with the names of their openings.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a> {
    /// The book.
    pub book: &'a Book,
    /// The ways to its positions.
    pub shortest: &'a ShortestLines,
    /// Where the names are from.
    pub catalogue: &'a Catalogue,
}

impl<'a> Lines<'a> {
    fn to(&self, id: NodeId) -> Option<BookLine> {
        self.shortest.book_line(id)
    }

    fn movetext(&self, line: &BookLine) -> Value<'static> {
        line.movetext(self.book).map_or(Value::None, |text| Value::Text(text.into()))
    }

    fn opening(&self, line: Option<&BookLine>) -> [Value<'a>; 2] {
        let classifier = Classifier::new(self.catalogue);
        opening_values(line.and_then(|line| line.opening(self.book, classifier)))
    }
}

fn tag(value: Option<&[u8]>) -> Value<'_> {
    value.map_or(Value::None, |bytes| Value::text(decode_text(bytes)))
}

fn number(value: usize) -> Value<'static> {
    Value::Number(value as u64)
}

/// Code and name.
fn opening_values(opening: Option<&Opening>) -> [Value<'_>; 2] {
    let eco = opening.map_or(Value::None, |opening| Value::text(opening.eco().as_str()));
    [eco, opening.map_or(Value::None, |opening| Value::text(opening.name()))]
}

/// The values of [`CHECK_COLUMNS`].
#[must_use]
pub fn check_values<'a>(follower: &Follower<'_>, record: &CheckRecord<'a>) -> Vec<Value<'a>> {
    let followed = record.followed;
    let header = &followed.header;
    let departure = follower.departure(followed);
    let left = departure.as_ref();
    let path = followed.path.as_ref();
    let detail = match path {
        Ok(path) => Value::told(path.error.as_ref()),
        Err(unmatched) => Value::told(Some(unmatched)),
    };
    let [eco, opening] = opening_values(record.named.map(|named| named.opening()));
    vec![
        Value::text(record.source),
        Value::Number(record.number),
        tag(header.white.as_deref()),
        tag(header.black.as_deref()),
        Value::text(followed.result.as_str()),
        Value::told(followed.date()),
        Value::text(follower.status(followed).as_str()),
        path.map_or(Value::None, |path| number(path.ply)),
        Value::told(left.map(|left| &left.played)),
        left.map_or(Value::None, |left| Value::text(left.book.join(", "))),
        left.and_then(|left| left.reentry).map_or(Value::None, number),
        eco,
        opening,
        Value::told(left.map(|left| &follower.book().node(left.from).key)),
        detail,
    ]
}

/// The values of [`COST_COLUMNS`].
#[must_use]
pub fn cost_values<'a>(lines: &Lines<'a>, cost: &Cost) -> Vec<Value<'a>> {
    let node = lines.book.node(cost.from);
    let way = lines.to(cost.from);
    let left = way.clone().map(|mut line| {
        line.moves.push(cost.uci);
        line
    });
    let [eco, opening] = lines.opening(way.as_ref());
    let book = node.san(lines.book.moves(cost.from).iter().map(|edge| edge.uci));
    let tally = &cost.tally;
    vec![
        way.as_ref().map_or(Value::None, |line| lines.movetext(line)),
        Value::text(cost.status.as_str()),
        Value::told(left.and_then(|line| line.last_move(lines.book))),
        Value::text(book.join(", ")),
        Value::Number(tally.games.into()),
        Value::Number(tally.wins.into()),
        Value::Number(tally.draws.into()),
        Value::Number(tally.losses.into()),
        Value::share(tally.score()),
        Value::Decimal { value: cost.points, places: 2 },
        eco,
        opening,
        way.map_or(Value::None, |line| number(line.moves.len())),
        Value::text(node.key.to_string()),
    ]
}

/// The values of [`GAP_COLUMNS`].
#[must_use]
pub fn gap_values<'a>(lines: &Lines<'a>, gap: &Gap) -> Vec<Value<'a>> {
    let [eco, opening] = lines.opening(Some(&gap.line));
    vec![
        lines.movetext(&gap.line),
        Value::told(gap.line.last_move(lines.book)),
        Value::Decimal { value: gap.probability, places: 6 },
        Value::Decimal { value: gap.one_in(), places: 0 },
        Value::Number(gap.tally.games.into()),
        Value::share(gap.tally.score()),
        eco,
        opening,
        Value::text(gap.key.to_string()),
    ]
}

/// The values of [`FINDING_COLUMNS`].
#[must_use]
pub fn finding_values<'a>(lines: &Lines<'a>, finding: &'a Finding) -> Vec<Value<'a>> {
    let way = lines.to(finding.position);
    let [eco, opening] = lines.opening(way.as_ref());
    vec![
        Value::text(finding.kind.as_str()),
        way.map_or(Value::None, |line| lines.movetext(&line)),
        Value::text(finding.moves.join(", ")),
        Value::text(&finding.detail),
        eco,
        opening,
        Value::text(lines.book.node(finding.position).key.to_string()),
    ]
}

/// The values of [`NOVELTY_COLUMNS`].
#[must_use]
pub fn novelty_values<'a>(catalogue: &'a Catalogue, record: &NoveltyRecord<'a>) -> Vec<Value<'a>> {
    let NoveltyRecord { game, novelty, .. } = record;
    let first = novelty.and_then(|novelty| novelty.first.as_deref());
    let classifier = Classifier::new(catalogue);
    let named = game.start.is_none().then(|| classifier.classify_movetext(game.moves.as_bytes()));
    let named = named.and_then(|verdict| verdict.named);
    let [eco, opening] = opening_values(named.map(|named| named.opening()));
    vec![
        Value::text(record.source),
        Value::Number(record.number),
        Value::text(&game.white),
        Value::text(&game.black),
        Value::text(game.result.as_str()),
        Value::told(game.date),
        novelty.map_or(Value::None, |novelty| number(novelty.ply)),
        Value::told(novelty.map(|novelty| &novelty.played)),
        eco,
        opening,
        novelty.map_or(Value::None, |novelty| Value::Number(novelty.followers.into())),
        first.map_or(Value::None, |game| Value::text(&game.white)),
        first.map_or(Value::None, |game| Value::text(&game.black)),
        Value::told(first.and_then(|game| game.date)),
        Value::told(novelty.map(|novelty| &novelty.key)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Reader, Rows, Sheet, TableRows};

    #[test]
    fn every_sheet_fits_on_a_terminal() {
        for all in
            [&CHECK_COLUMNS[..], &COST_COLUMNS, &GAP_COLUMNS, &FINDING_COLUMNS, &NOVELTY_COLUMNS]
        {
            let sheet = Sheet::new(all, Reader::Person);
            let table = TableRows::new(sheet.columns(), 80);
            let values = vec![Value::Text("x".repeat(90).into()); sheet.columns().len()];
            let mut out = Vec::new();
            table.write_row(sheet.columns(), &values, &mut out);
            let row = String::from_utf8(out).unwrap();
            assert!(row.trim_end().chars().count() <= 80, "{row}");
        }
    }
}
