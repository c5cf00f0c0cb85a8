//! `--follows`: the games that go through the book of a repertoire up to a ply.

use std::path::Path;

use clap::Args;
use eco::repertoire::{Book, Follower};
use eco::select::{Player, Selection, Selector};
use eco::{classify::Classifier, store::Database};

use crate::cli::{args::BreadthArgs, completion, outcome::Failure};

/// The book that games have to follow.
#[derive(Debug, Args)]
pub(super) struct FollowsArgs {
    /// Only games that follow this repertoire of --db up to this ply, by any move order: white:8.
    /// The games are those of its players, or of --player
    #[arg(long, value_name = "NAME:PLY", value_parser = parse_book)]
    #[arg(add = completion::repertoires())]
    follows: Option<(String, usize)>,

    #[command(flatten)]
    breadth: BreadthArgs,
}

fn parse_book(text: &str) -> Result<(String, usize), &'static str> {
    let parts = text.rsplit_once(':').filter(|(name, _)| !name.is_empty());
    let parts = parts.and_then(|(name, ply)| Some((name.to_owned(), ply.parse().ok()?)));
    parts.ok_or("expected the name of a repertoire and a number of plies, such as white:8")
}

/// A book, the ply up to which games follow it, and whose games.
pub(super) struct FollowedBook {
    book: Book,
    pub(super) ply: usize,
    selection: Selection,
}

impl FollowsArgs {
    pub(super) fn is_asked_for(&self) -> bool {
        self.follows.is_some()
    }

    /// Opens the book that is asked for, for the games of those who are asked for.
    pub(super) fn open(
        &self,
        db: &Path,
        players: &[Player],
    ) -> Result<Option<FollowedBook>, Failure> {
        let Some((name, ply)) = &self.follows else {
            return self.breadth.refuse_without("--follows").map(|()| None);
        };
        let database = Database::open(db)?;
        let info = database.repertoire(name)?;
        let book = database.book_by(name, self.breadth.rule(info.rule))?;
        self.breadth.check_effect(&book);
        let mut selection = info.own_games(&Selection::default());
        if !players.is_empty() {
            selection.players = players.to_vec();
        }
        Ok(Some(FollowedBook { book, ply: *ply, selection }))
    }
}

impl FollowedBook {
    /// What follows games through the book.
    pub(super) fn follower<'b>(&'b self, classifier: Classifier<'b>) -> Follower<'b> {
        Follower::new(&self.book, Selector::new(self.selection.clone(), classifier))
    }
}
