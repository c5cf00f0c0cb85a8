//! Names the opening of the moves on the command line.
//!
//! ```text
//! cargo run --example name_game -- 1. g3 f5 2. d4
//! ```
//!
//! Needs no feature of the crate.

use eco::{catalogue::Catalogue, classify::Classifier};

fn main() {
    let movetext = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let classifier = Classifier::new(Catalogue::builtin());
    let verdict = classifier.classify_movetext(movetext.as_bytes());
    match verdict.named {
        Some(named) => {
            let opening = named.opening();
            let how = if named.is_transposed() { "by transposition" } else { "by its line" };
            println!("{opening} (ply {}, {how})", named.ply());
        }
        None => println!("no opening"),
    }
    if let Some(error) = verdict.error {
        println!("the moves were read up to: {error}");
    }
}
