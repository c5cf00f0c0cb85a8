//! Reads games as a collection keeps them.

use std::cell::LazyCell;

use super::kept_game::{Details, GameParts, GameStart, KeptGame, KeptTags, start_of};
use crate::{
    catalogue::Catalogue,
    chess::{Board, CodedBoard, EnPassantMode, Fen},
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
    initial: CodedBoard,
    content: Content,
    /// Those of the moves of the last game.
    codes: Vec<u8>,
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
        let (initial, content) = (CodedBoard::default(), Content::default());
        Self { selector, classifier, initial, content, codes: Vec::new() }
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
            (_, Some(position)) => Some(Board::from_position(position).into()),
            (_, None) => Some(self.initial),
        };
        let moves = self.read_moves(&info, board);
        // Without a result in the tags, the end of the moves may have one.
        let result = GameResult::of_game(info.tag("Result").as_deref(), || moves.end);
        let fen = position.as_ref().map(|p| Fen::from_position(p, EnPassantMode::Legal));
        let fingerprint = self.content.fingerprint(&info, result, fen.as_ref());
        let details = Details::read(&info, result, moves.plies);
        let tags = kept_tags(&info);
        // As long as it is, which memory of other games' moves is not.
        let codes = self.codes.as_slice().to_vec();
        let parts = GameParts { fingerprint, tags, codes, rest: moves.rest, result, opening };
        Some(KeptGame::new(parts, start, details))
    }

    /// Reads the main line, and plays it on a board as far as that can be done.
    fn read_moves<'a>(
        &mut self,
        info: &GameInfo<'a>,
        mut board: Option<CodedBoard>,
    ) -> Moves<'a> {
        let mut moves = Moves::default();
        self.codes.clear();
        for token in info.main_line() {
            match token {
                Token::Move(word) => {
                    self.content.add_move(word);
                    let code = board.as_mut().and_then(|board| board.play_to_code(word).ok()?);
                    match code {
                        Some(code) => self.codes.push(code),
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
        moves.plies += self.codes.len();
        moves
    }
}

impl Clone for KeptGameReader<'_> {
    fn clone(&self) -> Self {
        let Self { selector, classifier, initial, .. } = self;
        let (classifier, initial) = (*classifier, *initial);
        let (selector, content) = (selector.clone(), Content::default());
        Self { selector, classifier, initial, content, codes: Vec::new() }
    }
}

/// The main line of a game, but for the codes of its moves.
#[derive(Default)]
struct Moves<'a> {
    plies: usize,
    rest: Vec<u8>,
    end: Option<&'a [u8]>,
}

impl Moves<'_> {
    /// Adds a word that is not played. A piece may stand apart from its square, on another line.
    fn add_word(&mut self, word: &[u8]) {
        let parts = word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty());
        self.plies += 1;
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
    let rank = |tag: &Tag<'_>| {
        let place = ROSTER.iter().position(|name| *name == tag.name);
        place.unwrap_or(ROSTER.len())
    };
    let mut tags: Vec<(usize, Tag<'_>)> = info.tags().map(|tag| (rank(&tag), tag)).collect();
    // They nearly always come in this order.
    if !tags.is_sorted_by_key(|(rank, _)| *rank) {
        tags.sort_by_key(|(rank, _)| *rank);
    }
    let size = |(_, tag): &(usize, Tag<'_>)| tag.name.len() + tag.raw_value.len();
    let mut kept = KeptTags::with_capacity(tags.len(), tags.iter().map(size).sum());
    for (_, tag) in tags {
        kept.push(tag.name, &tag.value());
    }
    kept
}
