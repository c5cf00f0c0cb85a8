//! Flash cards of a repertoire for Anki: one for each position in which its own side is to move.
//!
//! Cards are written as text for Anki's importer ([`write_cards`]), or as a package with decks and
//! pictures ([`write_package`]). What stands on a card is the same in both.
//!
//! The text is CSV below lines that begin with `#` and say how to read it (Anki manual,
//! "Importing", "File headers"). Columns have no names there: Anki would match them with the names
//! of fields, which differ between languages. Without names, the first column goes to the first
//! field.
//!
//! A card is identified by its position, so that importing again updates cards instead of adding
//! them twice, and learning progress is kept. The deck is part of the identity: two repertoires may
//! answer a position differently.

use std::io::{self, Write};

use faces::{Faces, push, svg};

use crate::{output::format::write_csv_record, output::sanitize, repertoire::Extract};

#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod collection;
mod faces;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod package;

#[cfg(all(feature = "codecs", feature = "sqlite"))]
pub use package::{FormerCards, FormerCardsError, Package, write_package};

/// The number of cards of an extract.
pub fn count_cards(extract: &Extract<'_>) -> usize {
    Faces::all(extract).count()
}

/// Writes a card of a deck for each position of the extract in which its own side is to move and
/// has a move; no more than the limit, those of the positions nearest to the start.
///
/// # Errors
///
/// Those of `out`.
pub fn write_cards(
    extract: &Extract<'_>,
    deck: &str,
    limit: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let deck = sanitize(deck.as_bytes());
    writeln!(
        out,
        "#separator:Comma\n#html:true\n#notetype:Basic\n#deck:{deck}\n#guid column:1\n#tags column:4"
    )?;
    let mut row = Vec::new();
    for faces in Faces::all(extract).take(limit) {
        // Only a damaged file has a position that is impossible.
        let Some(hash) = faces.hash() else { continue };
        let guid = format!("eco-{deck}-{hash:016x}");
        let (front, back) = (front(&faces), faces.answer(0, &mut svg));
        write_csv_record([guid, front, back, faces.tags()].iter(), &mut row);
        out.write_all(&row)?;
        row.clear();
    }
    Ok(())
}

fn front(faces: &Faces<'_, '_>) -> String {
    let mut html = svg(&faces.diagram());
    push(&mut html, &faces.line());
    push(&mut html, &faces.question());
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        chess::Color,
        repertoire::{Book, BookRule, ExtractOptions, Note},
    };

    fn book() -> Book {
        let mut book = Book::new(Color::Black, BookRule::default());
        book.prepare("1. e4 c5 2. Nf3 d6").unwrap();
        book.prepare("1. e4 e5").unwrap();
        let e4 = book.moves(book.roots()[0])[0].to;
        let edge = &mut book.node_mut(e4).edges[0];
        (edge.played.games, edge.played.wins, edge.played.losses) = (3, 2, 1);
        let comment = "sharp, <b> & \"bold\" [%cal Gc7c5]".to_owned();
        let note = Note { source: "a".to_owned(), nags: vec![1], comment };
        edge.prepared.as_mut().unwrap().notes = vec![note];
        book
    }

    /// The cards, with their pictures.
    fn cards(book: &Book) -> String {
        let mut out = Vec::new();
        let extract = Extract::new(book, ExtractOptions::default(), Some(Catalogue::builtin()));
        write_cards(&extract, "my\nblack", usize::MAX, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn without_pictures(cards: &str) -> String {
        let mut parts = cards.split("<svg");
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, part| text + part.split_once("</svg>").unwrap().1)
    }

    #[test]
    fn a_limit_takes_the_first_cards() {
        let (mut out, book) = (Vec::new(), book());
        let extract = Extract::new(&book, ExtractOptions::default(), None);
        assert_eq!(count_cards(&extract), 2);
        write_cards(&extract, "d", 1, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("\neco-d-").count(), 1, "{text}");
    }

    #[test]
    fn a_position_is_a_card() {
        assert_eq!(
            without_pictures(&cards(&book())),
            "#separator:Comma\n#html:true\n#notetype:Basic\n#deck:my black\n#guid column:1\n\
             #tags column:4\n\
             eco-my black-823c9b50fd114196,\
             \"<div>1. <b>e4</b></div><div>King's Pawn Game. Black to move</div>\",\
             \"<div><b>1... c5!</b></div><div>sharp, &lt;b&gt; &amp; &quot;bold&quot;</div>\
             <div></div><div>3 games, 66.7%</div><div><b>1... e5</b></div>\",kings-pawn-game B00\n\
             eco-my black-bf29a6086ab02bd6,\
             \"<div>1. e4 c5 2. <b>Nf3</b></div><div>Sicilian Defense. Black to move</div>\",\
             <div><b>2... d6</b></div>,sicilian-defense B27\n"
        );
    }

    #[test]
    fn two_chapters_that_agree_are_heard_once() {
        let mut book = book();
        let e4 = book.moves(book.roots()[0])[0].to;
        let notes = &mut book.node_mut(e4).edges[0].prepared.as_mut().unwrap().notes;
        let mut other = notes[0].clone();
        other.source = "b".to_owned();
        notes.push(other);
        let cards = cards(&book);
        assert!(cards.contains("<b>1... c5!</b>"), "{cards}");
        assert_eq!(cards.matches("sharp").count(), 1, "{cards}");
    }

    #[test]
    fn no_comment_runs_or_plays_anything_in_anki() {
        let mut book = book();
        let e4 = book.moves(book.roots()[0])[0].to;
        let note = &mut book.node_mut(e4).edges[0].prepared.as_mut().unwrap().notes[0];
        note.comment = "[latex]\\input{x}[/latex] [sound:x.mp3] [$]y[/$]".to_owned();
        let cards = cards(&book);
        assert!(!cards.contains(['[', ']']), "{cards}");
        assert!(cards.contains("&#91;latex&#93;&#92;<span></span>input{x}&#91;/latex"), "{cards}");
    }

    #[test]
    fn diagrams_are_small_and_in_quotes() {
        let cards = cards(&book());
        let lines: Vec<&str> = cards.lines().collect();
        assert_eq!(lines.len(), 8, "a card is a line");
        assert!(lines[6].contains(",\"<svg xmlns=\"\"http://www.w3.org/2000/svg\"\""));
        assert_eq!(lines[6].matches("<svg ").count(), 2, "one in front, one with the arrow behind");
        assert_eq!(lines[7].matches("<svg ").count(), 1);
        for line in &lines[6..] {
            assert!(line.len() < 12_000 * line.matches("<svg ").count(), "{}", line.len());
        }
    }
}
