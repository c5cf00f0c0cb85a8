//! Reads games as a collection keeps them.

use std::cell::LazyCell;

use super::kept_game::{GameParts, GameStart, KeptGame, KeptTags, start_of};
use crate::{
    catalogue::Catalogue,
    chess::{Board, EnPassantMode, Fen},
    classify::{Classifier, Header},
    pgn::{Game, Tag, Token},
    select::{Content, GameInfo, GameResult, Selection, Selector},
};

/// The tags that come first in every export, in this order.
const ROSTER: [&[u8]; 7] = [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];

/// Reads games for a collection. A clone serves each thread.
#[derive(Debug)]
pub struct KeptGameReader<'c> {
    selector: Selector<'c>,
    classifier: Classifier<'c>,
    content: Content,
}

impl KeptGameReader<'static> {
    /// Reads the games that are selected. Their openings are named by the built-in catalogue.
    #[must_use]
    pub fn new(selection: Selection) -> Self {
        Self::with_classifier(selection, Classifier::new(Catalogue::builtin()))
    }
}

impl<'c> KeptGameReader<'c> {
    /// The same, with openings as `classifier` names them.
    #[must_use]
    pub fn with_classifier(selection: Selection, classifier: Classifier<'c>) -> Self {
        let selector = Selector::new(selection, classifier);
        Self { selector, classifier, content: Content::default() }
    }

    /// Reads a game, if it is selected.
    pub fn read(&mut self, game: &Game<'_>) -> Option<KeptGame> {
        let info = GameInfo::read(game);
        let header = Header::read(info.tags());
        let (start, position) = start_of(&header);
        let classifier = self.classifier;
        let named = LazyCell::new(|| {
            classifier.classify_read(game, header, info.main_line()).verdict.named
        });
        self.selector.select_named(&info, || *named)?;
        let opening = named.map(|named| named.opening().clone());

        let board = match (start, &position) {
            (GameStart::Unknown, _) => None,
            (_, Some(position)) => Some(Board::from_position(position)),
            (_, None) => Some(Board::default()),
        };
        let moves = self.read_moves(&info, board);
        // Without a result in the tags, the end of the moves may have one.
        let result = GameResult::of_game(info.tag("Result").as_deref(), || moves.end);
        let fen = position.as_ref().map(|p| Fen::from_position(p, EnPassantMode::Legal));
        let fingerprint = self.content.fingerprint(&info, result, fen.as_ref());
        let tags = kept_tags(&info);
        let Moves { codes, rest, .. } = moves;
        Some(KeptGame::new(GameParts { fingerprint, tags, codes, rest, result, opening }, start))
    }

    /// Reads the main line, and plays it on a board as far as that can be done.
    fn read_moves<'a>(&mut self, info: &GameInfo<'a>, mut board: Option<Board>) -> Moves<'a> {
        let mut moves = Moves::default();
        for token in info.main_line() {
            match token {
                Token::Move(word) => {
                    self.content.add_move(word);
                    let code = board.as_mut().and_then(|board| board.play_to_code(word).ok()?);
                    match code {
                        Some(code) => moves.codes.push(code),
                        None => {
                            board = None;
                            moves.add_word(word);
                        }
                    }
                }
                Token::Result(result) => moves.end = Some(result),
                Token::OpenComment | Token::OpenVariation => {}
            }
        }
        moves
    }
}

impl Clone for KeptGameReader<'_> {
    fn clone(&self) -> Self {
        let (selector, classifier) = (self.selector.clone(), self.classifier);
        Self { selector, classifier, content: Content::default() }
    }
}

/// The main line of a game.
#[derive(Default)]
struct Moves<'a> {
    codes: Vec<u8>,
    rest: Vec<u8>,
    end: Option<&'a [u8]>,
}

impl Moves<'_> {
    /// Adds a word that is not played. A piece may stand apart from its square, on another line.
    fn add_word(&mut self, word: &[u8]) {
        let parts = word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty());
        for (n, part) in parts.enumerate() {
            if n > 0 {
                self.rest.push(b' ');
            }
            self.rest.extend_from_slice(part);
        }
        self.rest.push(b'\n');
    }
}

/// All tags of a game, those of the roster first.
fn kept_tags(info: &GameInfo<'_>) -> KeptTags {
    let mut kept = KeptTags::default();
    let rank = |tag: &Tag<'_>| ROSTER.iter().position(|name| *name == tag.name);
    for place in 0..ROSTER.len() {
        for tag in info.tags().filter(|tag| rank(tag) == Some(place)) {
            kept.push(tag.name, &tag.value());
        }
    }
    for tag in info.tags().filter(|tag| rank(tag).is_none()) {
        kept.push(tag.name, &tag.value());
    }
    kept
}
