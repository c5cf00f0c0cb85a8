//! The rows of what was found out about a repertoire: gaps, faults, novelties, and how it differs
//! from another.

use super::moves::{ReachedPosition, notes_text};
use crate::chess::{PositionKey, play_as_san};
use crate::output::value::{code, english_name, name, opening_at};
use crate::output::{ColumnSet, ColumnType, RowColumns, Value, Width};
use crate::quoted::{counted, counts};
use crate::repertoire::{
    Book, DiffSide, Difference, Edge, Finding, Gap, Novelty, OtherBook, ReferenceGame,
    ShortestLines,
};
use crate::{catalogue::Catalogue, classify::Classifier, collection::KeptGame, opening::Opening};

/// The row of a finding.
#[derive(Debug, Clone)]
pub struct FindingRow<'a> {
    finding: &'a Finding,
    at: ReachedPosition<'a>,
}

impl<'a> FindingRow<'a> {
    /// The rows of findings in a book, with the lines to their positions.
    pub fn all(book: &'a Book, catalogue: &'a Catalogue, findings: &'a [Finding]) -> Vec<Self> {
        let reached = ReachedPosition::finder(book, catalogue);
        let row = |finding: &'a Finding| Self { finding, at: reached(finding.position) };
        findings.iter().map(row).collect()
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with_name("kind", 13, |row| Value::Display(&row.finding.kind))
            .with("line", Width::LineShare(9), |row| row.at.line())
            .with_moves("moves", Width::Share(3), |row| Value::list(&row.finding.moves, ", "))
            .of(ColumnType::List)
            .with("detail", Width::Share(7), |row| Value::text(&row.finding.detail))
            .with("games", Width::Number, |row| {
                row.at.book.node(row.finding.position).tally().games.into()
            })
            .for_machines("eco", ColumnType::Name, |row| code(row.at.opening))
            .for_machines("opening", ColumnType::Name, |row| name(row.at.opening))
            .opening_en(|row| english_name(row.at.opening))
            .for_machines("key", ColumnType::Text, |row| row.at.key())
    }
}

/// The row of a gap.
#[derive(Debug, Clone, Copy)]
pub struct GapRow<'a> {
    book: &'a Book,
    gap: &'a Gap,
    opening: Option<&'a Opening>,
}

impl<'a> GapRow<'a> {
    /// The rows of gaps of a book, with the openings of their lines.
    pub fn all(
        book: &'a Book,
        catalogue: &'a Catalogue,
        gaps: impl IntoIterator<Item = &'a Gap>,
    ) -> Vec<Self> {
        let classifier = Classifier::new(catalogue);
        let row = |gap: &'a Gap| Self { book, gap, opening: gap.line.opening(book, classifier) };
        gaps.into_iter().map(row).collect()
    }

    /// The probability that a game comes to the gap.
    pub fn probability(&self) -> f64 {
        self.gap.probability
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with("line", Width::LineShare(4), |row| {
                Value::optional_text(row.gap.line.position_text(row.book))
            })
            .for_machines("move", ColumnType::Text, |row| {
                Value::optional(row.gap.line.last_move(row.book))
            })
            .with("met", Width::Percent, |row| Value::share(Some(row.gap.probability)))
            .with("games", Width::Number, |row| row.gap.tally.games.into())
            .with("score", Width::Score, |row| Value::score(row.gap.tally.score()))
            .for_machines("eco", ColumnType::Name, |row| code(row.opening))
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .for_machines("key", ColumnType::Text, |row| Value::Display(&row.gap.key))
    }
}

/// The row of a game that was compared with the reference.
#[derive(Debug, Clone, Copy)]
pub struct NoveltyRow<'a> {
    /// The name of the source, [sanitized](crate::output::sanitize()).
    pub source: &'a str,
    /// The number of the game in its source.
    pub number: u64,
    /// The game.
    pub game: &'a KeptGame,
    /// Its novelty, if it has one.
    pub novelty: Option<&'a Novelty>,
    /// Its opening.
    pub opening: Option<&'a Opening>,
}

type NoveltyColumns = ColumnSet<for<'r> fn(&'r NoveltyRow<'_>) -> Value<'r>>;

impl<'a> NoveltyRow<'a> {
    /// The first game of the reference that has the novelty.
    fn first(&self) -> Option<&'a ReferenceGame> {
        self.novelty?.first.as_deref()
    }

    /// The columns.
    pub fn columns() -> NoveltyColumns {
        NoveltyColumns::new()
            .for_machines("source", ColumnType::Name, |row| Value::text(row.source))
            .laid_out(Width::PathShare(2))
            .with("game", Width::Number, |row| row.number.into())
            .with("white", Width::Share(2), |row| Value::text(row.game.known_tag("White")))
            .with("black", Width::Share(2), |row| Value::text(row.game.known_tag("Black")))
            .for_machines("result", ColumnType::Name, |row| Value::text(row.game.result().as_str()))
            .with("date", Width::Date, |row| Value::optional(row.game.details().date))
            .for_machines("ply", ColumnType::UInt16, |row| {
                row.novelty.map(|novelty| novelty.ply).into()
            })
            .with_moves("move", Width::AtMost(10), |row| {
                Value::optional(row.novelty.map(|novelty| &novelty.played))
            })
            .for_machines("eco", ColumnType::Name, |row| code(row.opening))
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .with("later", Width::Number, |row| row.novelty.map(|novelty| novelty.followers).into())
            .for_machines("first_white", ColumnType::Text, |row| {
                row.first().map_or(Value::None, |game| Value::text(&game.white))
            })
            .for_machines("first_black", ColumnType::Text, |row| {
                row.first().map_or(Value::None, |game| Value::text(&game.black))
            })
            .for_machines("first_date", ColumnType::Date, |row| {
                Value::optional(row.first().and_then(|game| game.date))
            })
            .for_machines("key", ColumnType::Text, |row| {
                Value::optional(row.novelty.map(|novelty| &novelty.key))
            })
    }
}

/// The row of what only one of two books has.
#[derive(Debug, Clone)]
pub struct DifferenceRow<'a> {
    difference: &'a Difference,
    is_own: bool,
    /// The move; empty if the row is about the position.
    san: String,
    /// What the book says of it.
    notes: String,
    /// The line to the position.
    line: String,
    key: PositionKey,
    opening: Option<&'a Opening>,
}

impl<'a> DifferenceRow<'a> {
    /// The rows of the differences of two books.
    pub fn all(
        first: &Book,
        second: &Book,
        catalogue: &'a Catalogue,
        differences: &'a [Difference],
    ) -> Vec<Self> {
        let first = (first, ShortestLines::of(first));
        let second = (second, ShortestLines::of(second));
        let row = |difference: &'a Difference| {
            let (book, lines) = match difference.side {
                DiffSide::First => &first,
                DiffSide::Second => &second,
            };
            Self::new(book, lines, catalogue, difference)
        };
        differences.iter().filter_map(row).collect()
    }

    /// `None` if the move cannot be played.
    fn new(
        book: &Book,
        lines: &ShortestLines,
        catalogue: &'a Catalogue,
        difference: &'a Difference,
    ) -> Option<Self> {
        let node = book.node(difference.node);
        let key = node.key;
        let (san, notes) = match difference.uci {
            None => (String::new(), notes_text(&node.notes)),
            Some(uci) => {
                let mut position = key.to_position().ok()?;
                let m = uci.to_move(&position)?;
                let notes = notes_text(node.edge(uci).map_or(&[], Edge::notes));
                (play_as_san(&mut position, m).to_string(), notes)
            }
        };
        Some(Self {
            difference,
            is_own: book.is_own_turn(difference.node),
            san,
            notes,
            line: lines.movetext(book, difference.node).unwrap_or_default(),
            key,
            opening: opening_at(catalogue, &key),
        })
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with_name("only_in", 7, |row| Value::text(row.difference.side.name()))
            .with("own", Width::AtMost(5), |row| row.is_own.into())
            .of(ColumnType::Bool)
            .with_moves("move", Width::AtMost(7), |row| Value::text(&row.san))
            .with("games", Width::Number, |row| row.difference.played.games.into())
            .with_name("the_other", 14, |row| Value::text(row.difference.other.name()))
            .with("notes", Width::Share(2), |row| Value::text(&row.notes))
            .with("line", Width::LineShare(3), |row| Value::Text(row.line.as_str().into()))
            .with("opening", Width::NameShare(2), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .with("key", Width::Share(1), |row| Value::Display(&row.key))
    }
}

/// The numbers of differences, in words.
pub fn differences_text(differences: &[Difference]) -> String {
    let count = |side| {
        let of_side = differences.iter().filter(|found| found.side == side);
        of_side.filter(|found| found.other.lacks_move()).count()
    };
    let [first, second] = [DiffSide::First, DiffSide::Second].map(count);
    let is_preferred = |found: &&Difference| {
        found.other == OtherBook::PrefersOther && found.side == DiffSide::First
    };
    let preferred = differences.iter().filter(is_preferred).count();
    // What both say differently has a row of each.
    let says = |found: &&Difference| match found.other {
        OtherBook::SaysOther => found.side == DiffSide::First,
        OtherBook::SaysNothing => true,
        _ => false,
    };
    let said = differences.iter().filter(says).count();
    format!(
        "{} only in the first, {second} only in the second{}",
        counted(first, "move"),
        counts(", ", [(preferred, "other first choices"), (said, "other comments or glyphs")])
    )
}
