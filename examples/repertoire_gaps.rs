//! Prepares a small repertoire, and finds the opponent's moves that it does not answer.
//!
//! ```text
//! cargo run --example repertoire_gaps
//! ```

use eco::{
    chess::Color,
    pgn::TypedError,
    repertoire::{Book, BookRule, Frequencies, Gaps},
};

fn main() -> Result<(), TypedError> {
    let mut book = Book::new(Color::White, BookRule::default());
    book.prepare("1. d4 Nf6 2. c4 e6 3. Nc3")?;
    book.prepare("1. d4 d5 2. c4 e6 3. Nc3")?;
    book.prepare("1. d4 f5")?;
    // The same position as above, by another order of moves: one node, not two.
    book.prepare("1. c4 e6 2. d4 d5 3. Nc3 c5")?;
    let found = Gaps::of(&book, Frequencies::Own, 20);
    println!("{:.0} % of games stay in the book", 100.0 * found.coverage);
    for gap in &found.gaps {
        let line = gap.line.movetext(&book).unwrap_or_default();
        println!("{:.1} % of games meet {line}, which has no answer", 100.0 * gap.probability);
    }
    Ok(())
}
