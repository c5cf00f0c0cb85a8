//! What fields show of a game besides its verdict, and how it is read.

use std::{borrow::Cow, cell::OnceCell};

use super::{Value, value::sanitize};
use crate::classify::{BookPath, Classified, Classifier};
use crate::pgn::{Game, Token};
use crate::select::{GameInfo, OpeningPhase};

/// What fields show of a game besides its verdict, read once, when the first of them shows it.
#[derive(Debug)]
pub struct GameDetails<'a> {
    game: &'a Game<'a>,
    classifier: &'a Classifier<'a>,
    book: OnceCell<BookPath<'a>>,
    tags: OnceCell<GameInfo<'a>>,
    phase: OnceCell<OpeningPhase>,
}

impl<'a> GameDetails<'a> {
    /// The details of a game, of which the classifier follows the moves.
    pub fn new(game: &'a Game<'a>, classifier: &'a Classifier<'a>) -> Self {
        let (book, tags, phase) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { game, classifier, book, tags, phase }
    }

    pub(super) fn book(&self) -> &BookPath<'a> {
        self.book.get_or_init(|| self.classifier.book_path(self.game))
    }

    pub(super) fn tags(&self) -> &GameInfo<'a> {
        self.tags.get_or_init(|| GameInfo::read(self.game))
    }

    /// What its comments say of its opening.
    pub(super) fn phase(&self, classified: &Classified<'_, '_>) -> &OpeningPhase {
        self.phase.get_or_init(|| {
            let Classified { header, main_line, verdict } = classified;
            let book = verdict.named.map(|named| named.ply());
            OpeningPhase::of_line(main_line.clone(), header, book)
        })
    }
}

/// The value of the tag with this name.
pub(super) fn tag<'r>(info: &GameInfo<'r>, name: &str) -> Value<'r> {
    match info.tag(name) {
        None => Value::None,
        Some(Cow::Borrowed(bytes)) => Value::Bytes(bytes),
        Some(Cow::Owned(bytes)) => Value::Text(sanitize(&bytes).into_owned().into()),
    }
}

/// The moves of the main line as they are written, and the result after them.
pub(super) fn moves<'r>(info: &GameInfo<'_>) -> Value<'r> {
    let mut words = Vec::new();
    for token in info.game().tags().into_main_line() {
        let (Token::Move(word) | Token::Result(word)) = token else { continue };
        // A piece may stand apart from its square.
        for part in word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
            words.extend_from_slice(part);
            words.push(b' ');
        }
    }
    words.pop();
    match words.is_empty() {
        true => Value::None,
        false => Value::Movetext(sanitize(&words).into_owned().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_the_main_line_as_it_is_written() {
        for (pgn, expected) in [
            (
                "[White \"a\"]\n\n1. e4! {best} e5 (1... c5 2. Nf3) 2.Nf3 $1 Nc6 1-0\n",
                "e4 e5 Nf3 Nc6 1-0",
            ),
            ("1. e4 e5 2. Ke9 junk", "e4 e5 Ke9 junk"),
            ("[White \"a\"]\n\n*\n", "*"),
            ("[White \"a\"]\n\n{no move}\n", ""),
        ] {
            let game = Game::from_bytes(pgn.as_bytes());
            let found = match super::moves(&GameInfo::read(&game)) {
                Value::Movetext(text) => text.into_owned(),
                _ => String::new(),
            };
            assert_eq!(found, expected, "{pgn}");
        }
    }
}
