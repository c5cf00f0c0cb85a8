//! The moves of a position, in their order, and the notes about them: `repertoire tree --depth 1`.

use std::cmp::Reverse;

use super::contents::ContentsOptions;
use crate::chess::{PositionKey, play_as_san};
use crate::output::scores::{Scores, with_ratings, with_results};
use crate::output::value::{BAR_WIDTH, code, english_name, name, opening_at, score_bar};
use crate::output::{ColumnType, RowColumns, Value, Width, sanitize};
use crate::repertoire::{Book, BookLine, Edge, NodeId, Note, ShortestLines, Tally};
use crate::{catalogue::Catalogue, classify::Classifier, opening::Opening, pgn::nag_glyph};

/// The row of a move of a position.
#[derive(Debug, Clone)]
pub struct MoveRow<'a> {
    edge: &'a Edge,
    san: String,
    is_book: bool,
    is_mistake: bool,
    /// The share of the games that have the position. One that comes back to it and plays two moves
    /// there is one game.
    share: Option<f64>,
    leads_to: PositionKey,
    opening: Option<&'a Opening>,
}

impl<'a> MoveRow<'a> {
    /// The rows of the moves of a position: in the order of the book those of the book and mistakes
    /// first, then the others by the number of their games.
    pub fn all(
        book: &'a Book,
        catalogue: &'a Catalogue,
        id: NodeId,
        options: ContentsOptions<'_>,
    ) -> Vec<Self> {
        let node = book.node(id);
        let Ok(position) = node.key.to_position() else { return Vec::new() };
        let mut others: Vec<&Edge> =
            node.edges.iter().filter(|edge| !book.shows_move(id, edge)).collect();
        others.sort_by_key(|edge| (Reverse(edge.played.games), edge.uci));
        let all = node.tally.games;
        let mut moves = book.shown_moves(id);
        moves.extend(others);
        options.sort(id, &mut moves);
        let row = |edge: &'a Edge| {
            let m = edge.uci.to_move(&position)?;
            let san = play_as_san(&mut position.clone(), m).to_string();
            let share = (all > 0).then(|| f64::from(edge.played.games) / f64::from(all));
            let leads_to = book.node(edge.to).key;
            let (is_book, is_mistake) = (book.has_move(id, edge), book.is_mistake(id, edge));
            let opening = opening_at(catalogue, &leads_to);
            Some(Self { edge, san, is_book, is_mistake, share, leads_to, opening })
        };
        moves.into_iter().filter_map(row).collect()
    }
}

/// The numbers of the latest games.
pub(super) fn examples(tally: &Tally) -> String {
    let numbers: Vec<String> = tally.examples().map(|number| number.to_string()).collect();
    numbers.join(" ")
}

// Humans get rounded figures and a bar for the score.
impl MoveRow<'_> {
    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        let columns = RowColumns::<Self>::new()
            .for_humans("", Width::AtMost(1), |row| {
                Value::text(match (row.is_book, row.is_mistake) {
                    (true, _) => "*",
                    (false, true) => "?",
                    (false, false) => "",
                })
            })
            .with_moves("move", Width::AtMost(7), |row| Value::text(&row.san))
            .for_machines("uci", ColumnType::Text, |row| Value::Display(&row.edge.uci))
            .for_machines("book", ColumnType::Bool, |row| row.is_book.into())
            .for_machines("prepared", ColumnType::Bool, |row| row.edge.prepared.is_some().into())
            .for_machines("mistake", ColumnType::Bool, |row| row.is_mistake.into());
        let columns = with_results!(columns, Players, |row| Scores::from(&*row.edge.played))
            .for_humans("", Width::AtMost(BAR_WIDTH), |row| {
                Value::text(score_bar(Scores::from(&*row.edge.played).results))
            })
            .with("share", Width::Percent, |row| Value::share(row.share));
        with_ratings!(columns, |row| Scores::from(&*row.edge.played))
            .for_machines("examples", ColumnType::Text, |row| {
                Value::text(examples(&row.edge.played))
            })
            .for_machines("notes", ColumnType::Text, |row| {
                Value::text(notes_text(row.edge.notes()))
            })
            .with_name("eco", 3, |row| code(row.opening))
            .with("opening", Width::NameShare(1), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .for_machines("leads_to", ColumnType::Text, |row| Value::Display(&row.leads_to))
    }
}

/// The glyphs and comments of notes, on one line.
pub(super) fn notes_text(notes: &[Note]) -> String {
    let mut parts = Vec::new();
    for note in notes {
        parts.extend(note.nags.iter().map(|nag| nag_glyph(*nag).into_owned()));
        parts.extend((!note.comment.is_empty()).then(|| note.comment.clone()));
    }
    parts.join(" ")
}

/// The notes about a position, and then those about its moves, one line each.
pub fn notes_lines(book: &Book, id: NodeId, moves: &[MoveRow<'_>]) -> Vec<String> {
    let of_position = book.node(id).notes.iter().map(|note| line("", note));
    let of_moves = moves.iter().flat_map(|MoveRow { edge, san, .. }| {
        edge.notes().iter().map(move |note| line(&format!("{san}: "), note))
    });
    of_position.chain(of_moves).collect()
}

fn line(prefix: &str, note: &Note) -> String {
    let text = notes_text(std::slice::from_ref(note));
    sanitize(format!("{prefix}{text} ({})", note.source).as_bytes()).into_owned()
}

/// A position of a book, with the shortest line that leads there and the opening that names it.
#[derive(Debug, Clone)]
pub(super) struct ReachedPosition<'a> {
    pub(super) book: &'a Book,
    pub(super) id: NodeId,
    pub(super) line: Option<BookLine>,
    pub(super) opening: Option<&'a Opening>,
}

impl<'a> ReachedPosition<'a> {
    /// Finds the lines to positions of a book.
    pub(super) fn finder(
        book: &'a Book,
        catalogue: &'a Catalogue,
    ) -> impl Fn(NodeId) -> ReachedPosition<'a> {
        let (lines, classifier) = (ShortestLines::of(book), Classifier::new(catalogue));
        move |id| {
            let line = lines.line(id);
            let opening = line.as_ref().and_then(|line| line.opening(book, classifier));
            Self { book, id, line, opening }
        }
    }

    pub(super) fn line(&self) -> Value<'static> {
        let line = self.line.as_ref();
        Value::optional_text(line.and_then(|line| line.position_text(self.book)))
    }

    pub(super) fn key(&self) -> Value<'_> {
        Value::Display(&self.book.node(self.id).key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::Color, repertoire::BookRule};

    #[test]
    fn a_game_that_repeats_a_position_has_one_share_of_it() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. Nf3").unwrap();
        book.prepare("1. e4").unwrap();
        let root = book.roots()[0];
        // One game: 1. Nf3 Nf6 2. Ng1 Ng8 3. e4. Another: 1. e4.
        let node = book.node_mut(root);
        *node.tally = Tally::of_results(2, [0; 3]);
        for (edge, games) in node.edges.iter_mut().zip([1, 2]) {
            *edge.played = Tally::of_results(games, [0; 3]);
        }
        let shares = MoveRow::all(&book, Catalogue::builtin(), root, ContentsOptions::default());
        let shares: Vec<_> = shares.iter().map(|m| (m.san.as_str(), m.share.unwrap())).collect();
        assert_eq!(shares, [("Nf3", 0.5), ("e4", 1.0)]);
    }
}
