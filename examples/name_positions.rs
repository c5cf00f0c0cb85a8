//! Names positions: a FEN on each line of standard input.
//!
//! ```text
//! cargo run --example name_positions < positions.fen
//! ```
//!
//! Needs no feature of the crate.

use std::io::{self, BufRead};

use eco::{catalogue::Catalogue, chess::read_fen, classify::Classifier};

fn main() -> io::Result<()> {
    let classifier = Classifier::new(Catalogue::builtin());
    for line in io::stdin().lock().lines() {
        let fen = line?;
        match read_fen(fen.as_bytes()) {
            Err(fault) => println!("{fen}\t{fault}"),
            Ok(position) => match classifier.classify_position(&position) {
                Some(named) => {
                    println!("{fen}\t{}\t{}", named.opening().code(), named.opening().name());
                }
                None => println!("{fen}\t-\tno name"),
            },
        }
    }
    Ok(())
}
