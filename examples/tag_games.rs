//! Writes the opening into the tags of every game, from standard input to standard output. Every
//! other byte stays as it is.
//!
//! ```text
//! cargo run --example tag_games < data/games/famous.pgn > tagged.pgn
//! ```
//!
//! Needs no feature of the crate.

use std::io;

use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    pipeline::{self, tag_pgn},
    tag::{TagOptions, Tagger},
};

fn main() -> io::Result<()> {
    let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), TagOptions::default());
    let changes =
        tag_pgn(&tagger, io::stdin().lock(), io::stdout().lock(), &pipeline::Options::default())?;
    eprintln!("{} of {} games changed", changes.changed, changes.games);
    Ok(())
}
