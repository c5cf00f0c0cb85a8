//! What a change of all that is prepared has taken away and brought.

use std::collections::HashSet;

use super::preparation::{Preparation, PreparedChapter, PreparedSource};
use crate::chess::{Color, PositionKey, UciMove};

/// What one preparation has, and another one has not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreparationChange {
    /// The number of moves that are in no chapter any more.
    pub moves_gone: usize,
    /// The number of moves that no chapter had.
    pub moves_come: usize,
    /// The chapters that are gone.
    pub chapters_gone: Vec<ChapterOfSource>,
    /// The chapters that are new.
    pub chapters_come: Vec<ChapterOfSource>,
}

/// A chapter by its names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChapterOfSource {
    /// The name of the source.
    pub source: String,
    /// The study that the chapter belongs to; empty if there is none.
    pub study: String,
    /// The name of the chapter.
    pub name: String,
}

impl PreparationChange {
    /// What is different in `after`.
    #[must_use]
    pub fn between(before: &Preparation, after: &Preparation) -> Self {
        let [moves_before, moves_after] = [before, after].map(moves);
        Self {
            moves_gone: moves_before.difference(&moves_after).count(),
            moves_come: moves_after.difference(&moves_before).count(),
            chapters_gone: only_in(before, after),
            chapters_come: only_in(after, before),
        }
    }
}

fn moves(preparation: &Preparation) -> HashSet<(PositionKey, UciMove)> {
    // The side does not matter for what is prepared.
    let book = preparation.to_book(Color::White);
    let moves = book.ids().flat_map(|id| {
        let edges = book.prepared_edges(id).into_iter();
        edges.map(move |(edge, _)| (id, edge.uci)).collect::<Vec<_>>()
    });
    moves.map(|(id, uci)| (book.node(id).key, uci)).collect()
}

/// The chapters that the first one has, and the second one has not.
fn only_in(first: &Preparation, second: &Preparation) -> Vec<ChapterOfSource> {
    let identity = |source: &PreparedSource, chapter: &PreparedChapter| {
        (source.name.clone(), chapter.identity.clone())
    };
    let known: HashSet<(String, String)> = chapters(second).map(|(s, c)| identity(s, c)).collect();
    let only = chapters(first).filter(|(s, c)| !known.contains(&identity(s, c)));
    only.map(|(source, chapter)| ChapterOfSource {
        source: source.name.clone(),
        study: chapter.study.clone(),
        name: chapter.name.clone(),
    })
    .collect()
}

fn chapters(
    preparation: &Preparation,
) -> impl Iterator<Item = (&PreparedSource, &PreparedChapter)> {
    let sources = preparation.sources().iter();
    sources.flat_map(|source| source.chapters.iter().map(move |chapter| (source, chapter)))
}
