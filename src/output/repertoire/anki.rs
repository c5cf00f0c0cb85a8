//! Flash cards of a repertoire, as a text file that Anki imports: one card for each position in
//! which its own side is to move.
//!
//! The file is CSV below lines that begin with `#` and say how to read it (Anki manual,
//! "Importing", "File headers"). Columns have no names there: Anki would match them with the names
//! of fields, which differ between languages. Without names, the first column goes to the first
//! field.
//!
//! A card is identified by its position, so that importing again updates cards instead of adding
//! them twice, and learning progress is kept. The deck is part of the identity: two repertoires may
//! answer a position differently.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use crate::{
    catalogue::plain_letters,
    chess::{EnPassantMode, Fen, polyglot_hash},
    diagram::{Diagram, Mark, Theme},
    opening::Opening,
    output::{ColumnSet, CsvRows, Value, Width, percent, sanitize},
    pgn::nag_glyph,
    repertoire::{Extract, ExtractMove, NodeId, Note, Tally, without_commands},
};

/// How a card shows its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// As a diagram, seen from the side of the repertoire, with the last move marked.
    Svg,
    /// As a FEN.
    Fen,
}

/// The options of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cards<'c> {
    /// The deck that they belong to.
    pub deck: &'c str,
    /// How they show positions.
    pub picture: Picture,
    /// Cards are written of so many positions at most, those nearest to the start first.
    pub limit: usize,
}

/// The side of a square in pixels: a board fits on a phone.
const SQUARE: u32 = 36;

/// A card, its fields as HTML.
struct Card {
    guid: String,
    front: String,
    back: String,
    tags: String,
}

type CardColumns = ColumnSet<for<'r> fn(&'r Card) -> Value<'r>>;

/// The positions in which the own side is to move and has a move.
fn to_learn(extract: &Extract<'_>) -> impl Iterator<Item = NodeId> {
    let own = extract.positions().filter(|id| extract.book().is_own_turn(*id));
    own.filter(|id| !extract.moves(*id).is_empty())
}

/// The number of cards of an extract.
#[must_use]
pub fn count_cards(extract: &Extract<'_>) -> usize {
    to_learn(extract).count()
}

/// Writes a card for each position of the extract in which its own side is to move and has a move.
///
/// # Errors
///
/// Those of `out`.
pub fn write_cards(
    extract: &Extract<'_>,
    cards: &Cards<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let deck = sanitize(cards.deck.as_bytes());
    writeln!(
        out,
        "#separator:Comma\n#html:true\n#notetype:Basic\n#deck:{deck}\n#guid column:1\n#tags column:4"
    )?;
    let columns = Card::columns();
    let mut row = Vec::new();
    let positions = to_learn(extract).take(cards.limit);
    for card in positions.filter_map(|id| Card::new(extract, id, &deck, cards.picture)) {
        columns.write_row(&CsvRows, &card, &mut row);
        out.write_all(&row)?;
        row.clear();
    }
    Ok(())
}

impl Card {
    /// The card of a position; `None` if it is impossible.
    fn new(extract: &Extract<'_>, id: NodeId, deck: &str, picture: Picture) -> Option<Self> {
        let choices = extract.moves(id);
        Some(Self {
            guid: guid(extract, id, deck)?,
            front: front(extract, id, picture),
            back: back(extract, id, &choices),
            tags: tags(extract.opening(id)),
        })
    }

    fn columns() -> CardColumns {
        CardColumns::new()
            .with("guid", Width::Share(1), |card| Value::Text(card.guid.as_str().into()))
            .with("front", Width::Share(1), |card| Value::Text(card.front.as_str().into()))
            .with("back", Width::Share(1), |card| Value::Text(card.back.as_str().into()))
            .with("tags", Width::Share(1), |card| Value::Text(card.tags.as_str().into()))
    }
}

/// The identity of a card. Polyglot's hash never changes.
fn guid(extract: &Extract<'_>, id: NodeId, deck: &str) -> Option<String> {
    let position = extract.book().node(id).key.to_position().ok()?;
    Some(format!("eco-{deck}-{:016x}", polyglot_hash(&position, EnPassantMode::Legal)))
}

fn front(extract: &Extract<'_>, id: NodeId, picture: Picture) -> String {
    let key = &extract.book().node(id).key;
    let mut html = match picture {
        Picture::Svg => diagram(extract, id),
        Picture::Fen => format!("<div>{}</div>", Fen::from(key)),
    };
    let line = extract.movetext(id);
    match line.rsplit_once(' ') {
        Some((before, last)) => push(&mut html, &format!("{before} <b>{last}</b>")),
        None if !line.is_empty() => push(&mut html, &format!("<b>{line}</b>")),
        None => {}
    }
    let turn = key.turn().fold_wb("White to move", "Black to move");
    let name = extract.opening(id).map(|opening| format!("{}. ", escaped(opening.name())));
    push(&mut html, &format!("{}{turn}", name.unwrap_or_default()));
    html
}

fn diagram(extract: &Extract<'_>, id: NodeId) -> String {
    let mut diagram = Diagram::new(Fen::from(&extract.book().node(id).key));
    diagram.bottom = extract.color();
    if let Some((_, last)) = extract.shortest_lines().last(id) {
        diagram.marks = [last.from(), last.to()].map(|square| Mark { square, paint: None }).into();
    }
    diagram.to_svg(&Theme { square: SQUARE, ..Theme::default() }).replace('\n', "")
}

fn back(extract: &Extract<'_>, id: NodeId, choices: &[ExtractMove<'_>]) -> String {
    let number = extract.number(id).map(|number| format!("{number} ")).unwrap_or_default();
    let mut html = String::new();
    for choice in choices {
        let notes = choice.edge.prepared.as_ref().map_or(&[][..], |prepared| &prepared.notes);
        let glyphs = Note::shown_nags(notes).into_iter().map(nag_glyph);
        let glyphs: String = glyphs.collect();
        push(&mut html, &format!("<b>{number}{}{}</b>", choice.san, escaped(&glyphs)));
        push_comments(&mut html, notes);
        push(&mut html, &played(&choice.edge.played));
    }
    push_comments(&mut html, &extract.book().node(id).notes);
    html
}

fn push_comments(html: &mut String, notes: &[Note]) {
    for comment in Note::all_comments(notes) {
        push(html, &escaped(without_commands(comment).trim()));
    }
}

fn played(tally: &Tally) -> String {
    let games = match tally.games {
        0 => return String::new(),
        1 => "1 game".to_owned(),
        games => format!("{games} games"),
    };
    match tally.score() {
        Some(score) => format!("{games}, {}", percent(score)),
        None => games,
    }
}

/// Adds a line of HTML, unless it is empty.
fn push(html: &mut String, line: &str) {
    if !line.is_empty() {
        write!(html, "<div>{line}</div>").expect("a string takes every text");
    }
}

fn escaped(text: &str) -> String {
    let text = sanitize(text.as_bytes());
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Anki takes `[latex]` for a program to run, and `[sound:x]` for a file to play.
    text.replace('"', "&quot;").replace('[', "&#91;").replace(']', "&#93;")
}

/// The family of the opening and its code as tags of Anki, which have no spaces.
fn tags(opening: Option<&Opening>) -> String {
    opening.map_or_else(String::new, |opening| {
        format!("{} {}", slug(opening.family()), opening.eco().as_str())
    })
}

/// A name in lower case ASCII letters and digits, with hyphens between words: `kings-pawn-game`.
fn slug(name: &str) -> String {
    let plain = plain_letters(name).to_lowercase().replace(['\'', '`'], "");
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        chess::Color,
        repertoire::{Book, BookRule, ExtractOptions},
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

    fn cards(book: &Book, picture: Picture) -> String {
        let mut out = Vec::new();
        let extract = Extract::new(book, ExtractOptions::default(), Some(Catalogue::builtin()));
        let all = Cards { deck: "my\nblack", picture, limit: usize::MAX };
        write_cards(&extract, &all, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_limit_takes_the_first_cards() {
        let (mut out, book) = (Vec::new(), book());
        let extract = Extract::new(&book, ExtractOptions::default(), None);
        assert_eq!(count_cards(&extract), 2);
        let first = Cards { deck: "d", picture: Picture::Fen, limit: 1 };
        write_cards(&extract, &first, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("\neco-d-").count(), 1, "{text}");
    }

    #[test]
    fn a_position_is_a_card() {
        assert_eq!(
            cards(&book(), Picture::Fen),
            "#separator:Comma\n#html:true\n#notetype:Basic\n#deck:my black\n#guid column:1\n\
             #tags column:4\n\
             eco-my black-823c9b50fd114196,\
             <div>rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1</div>\
             <div>1. <b>e4</b></div><div>King's Pawn Game. Black to move</div>,\
             \"<div><b>1... c5!</b></div><div>sharp, &lt;b&gt; &amp; &quot;bold&quot;</div>\
             <div>3 games, 66.7%</div><div><b>1... e5</b></div>\",kings-pawn-game B00\n\
             eco-my black-bf29a6086ab02bd6,\
             <div>rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1</div>\
             <div>1. e4 c5 2. <b>Nf3</b></div><div>Sicilian Defense. Black to move</div>,\
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
        let cards = cards(&book, Picture::Fen);
        assert!(cards.contains("<b>1... c5!</b>"), "{cards}");
        assert_eq!(cards.matches("sharp").count(), 1, "{cards}");
    }

    #[test]
    fn no_comment_runs_or_plays_anything_in_anki() {
        let mut book = book();
        let e4 = book.moves(book.roots()[0])[0].to;
        let note = &mut book.node_mut(e4).edges[0].prepared.as_mut().unwrap().notes[0];
        note.comment = "[latex]\\input{x}[/latex] [sound:x.mp3] [$]y[/$]".to_owned();
        let cards = cards(&book, Picture::Fen);
        assert!(!cards.contains(['[', ']']), "{cards}");
        assert!(cards.contains("&#91;latex&#93;\\input{x}&#91;/latex&#93;"), "{cards}");
    }

    #[test]
    fn diagrams_are_small_and_in_quotes() {
        let cards = cards(&book(), Picture::Svg);
        let lines: Vec<&str> = cards.lines().collect();
        assert_eq!(lines.len(), 8, "a card is a line");
        assert!(lines[6].contains(",\"<svg xmlns=\"\"http://www.w3.org/2000/svg\"\""));
        assert!(lines.iter().all(|line| line.len() < 16_000), "{}", lines[6].len());
    }
}
