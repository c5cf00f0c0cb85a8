//! Counts the openings of an archive, on all cores.
//!
//! ```text
//! cargo run --release --example count_openings -- data/games/famous.pgn
//! ```
//!
//! Needs the feature `parallel` to use more than one core.

use std::{cmp::Reverse, collections::HashMap, error::Error, fs::File, io};

use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    opening::Opening,
    pipeline::{Options, classify_pgn},
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: count_openings FILE")?;
    let classifier = Classifier::new(Catalogue::builtin());
    // Openings are borrowed from the catalogue, so they outlive the games that have them.
    let mut counts: HashMap<&Opening, u64> = HashMap::new();
    let games = classify_pgn(
        classifier,
        File::open(path)?,
        &Options::default(),
        |games| {
            let named = games.filter_map(|(_, classified)| classified.verdict.named);
            named.map(|named| named.opening()).collect::<Vec<_>>()
        },
        |block| {
            for opening in block {
                *counts.entry(opening).or_default() += 1;
            }
            Ok::<(), io::Error>(())
        },
    )?;
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(opening, count)| (Reverse(*count), opening.eco(), opening.name()));
    for (opening, count) in counts {
        println!("{count}\t{}\t{}", opening.code(), opening.name());
    }
    println!("{games}\tgames");
    Ok(())
}
