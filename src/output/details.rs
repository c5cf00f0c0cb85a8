//! What fields show of a game besides its verdict, and how it is read.

use std::borrow::Cow;

use super::{Value, value::sanitize};
use crate::classify::{BookPath, Classified, Classifier};
use crate::pgn::{Game, Token};
use crate::select::{GameInfo, OpeningPhase};

/// What fields show of a game besides its verdict.
#[derive(Debug, Clone, Default)]
pub struct GameDetails<'a> {
    pub(super) book: Option<BookPath<'a>>,
    pub(super) tags: Option<GameInfo<'a>>,
    /// What its comments say of its opening.
    pub(super) phase: Option<OpeningPhase>,
}

/// Reads [details](GameDetails) of games: those that some [fields](super::Field::details) show.
#[derive(Debug, Clone, Default)]
pub struct DetailReader {
    pub(super) book: bool,
    pub(super) tags: bool,
    pub(super) phase: bool,
}

impl DetailReader {
    /// Reads the details of a game; `None` if the fields show none.
    pub fn read<'a>(
        &self,
        game: &Game<'a>,
        classifier: &Classifier<'a>,
        classified: &Classified<'_, '_>,
    ) -> Option<GameDetails<'a>> {
        if !(self.book || self.tags || self.phase) {
            return None;
        }
        let Classified { header, main_line, verdict } = classified;
        let phase = || {
            let book = verdict.named.map(|named| named.ply());
            OpeningPhase::of_line(main_line.clone(), header, book)
        };
        Some(GameDetails {
            book: self.book.then(|| classifier.book_path(game)),
            tags: self.tags.then(|| GameInfo::read(game)),
            phase: self.phase.then(phase),
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
