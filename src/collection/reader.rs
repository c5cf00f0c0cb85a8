//! Reads games as a collection keeps them, and plays their main lines.

use std::cell::OnceCell;

use super::kept_game::{SpareTexts, start_of};
use super::{Details, GameStart, KeptGame, KeptTags, kept_commands};
use crate::catalogue::Catalogue;
use crate::chess::{Board, CodedBoard, EnPassantMode, Fen, PackedSan};
use crate::classify::{Classifier, FollowedWalk, Header};
use crate::pgn::{CountedLine, Game, MainLine, MoveBuffer, Tag, Token};
use crate::select::{Content, GameInfo, GameResult, OpeningMoves, Selection, Selector, Traces};
use crate::simd::{self, Kernel, Simd};

/// The tags that come first in every export, in this order.
const ROSTER: [&[u8]; 7] = [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];

/// Reads games for a collection. A clone serves each thread.
#[derive(Debug, Clone)]
pub struct KeptGameReader<'c> {
    selector: Selector<'c>,
    classifier: Classifier<'c>,
    initial: CodedBoard,
    main_line: MainLineReader,
    spare: SpareTexts,
}

impl KeptGameReader<'static> {
    /// Reads the games that are selected. Their openings are named by the built-in catalogue.
    pub fn new(selection: Selection) -> Self {
        Self::with_classifier(selection, Classifier::new(Catalogue::builtin()))
    }
}

impl<'c> KeptGameReader<'c> {
    /// Reads the games that are selected. Their openings are named by `classifier`.
    pub fn with_classifier(selection: Selection, classifier: Classifier<'c>) -> Self {
        let selector = Selector::new(selection, classifier);
        Self {
            selector,
            classifier,
            initial: CodedBoard::default(),
            main_line: MainLineReader::default(),
            spare: SpareTexts::default(),
        }
    }

    /// Reads a game, if it is selected.
    pub fn read(&mut self, game: &Game<'_>) -> Option<KeptGame> {
        let info = GameInfo::read(game);
        let header = Header::read(info.tags());
        let (place, position) = start_of(&header);
        let has_standard_start = header.has_standard_start();
        let (classifier, classified) = (self.classifier, OnceCell::new());
        let classify =
            || classifier.verdict_of(game, &header, &mut CountedLine::new(info.main_line())).named;
        self.selector.select_named(&info, || *classified.get_or_init(&classify))?;

        let mut start = Start { board: None, walk: None };
        start.board = match (place, &position) {
            (GameStart::Unknown, _) => None,
            (_, Some(position)) => Some(Board::from_position(position).into()),
            (_, None) => Some(self.initial),
        };
        if classified.get().is_none() && has_standard_start {
            start.walk = Some(classifier.follow());
        }
        let rest = self.main_line.read(info.main_line(), &mut start);
        let named = match start.walk {
            Some(walk) => walk.named(),
            None => *classified.get_or_init(&classify),
        };
        // Without a result in the tags, the end of the moves may have one.
        let result = GameResult::of_game(info.tag("Result").as_deref(), || rest.end);
        let fen = position.as_ref().map(|p| Fen::from_position(p, EnPassantMode::Legal));
        let MainLineReader { codes, content, traces } = &mut self.main_line;
        let fingerprint = content.fingerprint(&info, result, fen.as_ref());
        let details = Details::read(&info, result, codes.len() + rest.count);
        let mut texts = self.spare.take();
        keep_tags(&info, &mut texts.tags);
        let book = named.map(|named| named.ply());
        let commands = kept_commands::pack(OpeningMoves::of_line(info.main_line(), book));
        if !commands.is_empty() {
            texts.tags.push(kept_commands::NAME, &commands);
        }
        texts.codes.clone_from(codes);
        texts.rest.clone_from(&rest.words);
        let opening = named.map(|named| named.opening().clone());
        let traces = Some(*traces);
        let home = Some(self.spare.clone());
        Some(KeptGame { fingerprint, texts, home, start: place, details, opening, traces })
    }
}

/// Keeps all tags of a game, those of the roster first.
fn keep_tags(info: &GameInfo<'_>, kept: &mut KeptTags) {
    let mut tags: Vec<Tag<'_>> = info.tags().collect();
    tags.sort_by_key(rank);
    kept.reset(tags.len(), tags.iter().map(|tag| tag.name.len() + tag.raw_value.len()).sum());
    tags.iter().for_each(|tag| kept.push(tag.name, &tag.value()));
}

/// The place of a tag in the roster; after all of it if it is none of them.
fn rank(tag: &Tag<'_>) -> usize {
    ROSTER.iter().position(|name| *name == tag.name).unwrap_or(ROSTER.len())
}

/// Plays main lines, in memory that serves one after the other.
#[derive(Debug, Clone, Default)]
struct MainLineReader {
    /// The codes of the moves that could be played.
    codes: Vec<u8>,
    /// What the moves contribute to the identity of the game.
    content: Content,
    /// Those of its positions.
    traces: Traces,
}

/// What is left of a main line besides the moves that could be played.
#[derive(Default)]
struct Rest<'a> {
    /// The other words, with a line end after each.
    words: Vec<u8>,
    /// Their number.
    count: usize,
    /// The result that ends the line.
    end: Option<&'a [u8]>,
}

/// Where a main line begins.
struct Start<'c> {
    /// The board; `None` if no move can be played.
    board: Option<CodedBoard>,
    /// The walk that finds the opening, if it is not known otherwise.
    walk: Option<FollowedWalk<'c>>,
}

impl MainLineReader {
    /// Plays a main line as far as that can be done, and reads its other words.
    fn read<'a>(&mut self, mut line: MainLine<'a>, start: &mut Start<'_>) -> Rest<'a> {
        self.codes.clear();
        self.traces = Traces::default();
        start.board.iter().for_each(|board| self.traces.add(board.board()));
        let mut rest = Rest::default();
        loop {
            simd::run(PlayAhead { reader: self, line: &mut line, start });
            match line.next() {
                Some(Token::Move(word)) => {
                    self.content.add_move(word);
                    if !self.play(word, start) {
                        self.end(start);
                        rest.add(word);
                    }
                }
                Some(Token::Result(result)) => rest.end = Some(result),
                Some(Token::OpenComment | Token::OpenVariation) => {}
                None => {
                    self.end(start);
                    return rest;
                }
            }
        }
    }

    /// Plays no more moves.
    fn end(&mut self, start: &mut Start<'_>) {
        start.board.take().iter().for_each(|last| self.traces.end(last.board()));
    }

    /// Plays a move, if that can be done.
    fn play(&mut self, word: &[u8], start: &mut Start<'_>) -> bool {
        let Start { board: Some(board), walk } = start else { return false };
        let Ok(Some(code)) = board.play_to_code(word) else { return false };
        self.codes.push(code);
        self.traces.add(board.board());
        if let Some(walk) = walk {
            walk.follow(PackedSan::new(word), board.board());
        }
        true
    }
}

/// Plays moves that are written as programs write them, several at a time. It is a fast form of
/// [`play`](MainLineReader::play): what it leaves is the next token of the line.
struct PlayAhead<'p, 'a, 'c> {
    reader: &'p mut MainLineReader,
    line: &'p mut MainLine<'a>,
    start: &'p mut Start<'c>,
}

impl Kernel for PlayAhead<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { reader, line, start } = self;
        let Start { board: Some(board), walk } = start else { return };
        let mut buffer = MoveBuffer::new();
        loop {
            let (ahead, taken) = line.peek_moves(simd, &mut buffer, MoveBuffer::CAPACITY);
            let mut played = 0;
            for san in ahead {
                let Some(code) = board.play_packed_to_code(*san) else { break };
                reader.codes.push(code);
                reader.traces.add(board.board());
                reader.content.add_packed_move(*san);
                if let Some(walk) = walk {
                    walk.follow(*san, board.board());
                }
                played += 1;
            }
            if played > 0 && played == ahead.len() {
                *line = line.after(taken);
                continue;
            }
            let (_, taken) = line.peek_again(simd, &mut buffer, played);
            *line = line.after(taken);
            return;
        }
    }
}

impl Rest<'_> {
    /// Adds a word that is not played. A piece may stand apart from its square, on another line.
    fn add(&mut self, word: &[u8]) {
        let parts = word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty());
        for (n, part) in parts.enumerate() {
            if n > 0 {
                self.words.push(b' ');
            }
            self.words.extend_from_slice(part);
        }
        self.words.push(b'\n');
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{pgn::games, select::Fingerprint};

    /// Openings are found while the moves are read; here they are found apart.
    fn check(pgn: &[u8]) {
        let classifier = Classifier::new(Catalogue::builtin());
        let mut reader = KeptGameReader::new(Selection::default());
        for game in games(pgn) {
            let kept = reader.read(&game).expect("all games are selected");
            let named = classifier.classify(&game).verdict.named;
            let text = String::from_utf8_lossy(game.bytes());
            assert_eq!(kept.fingerprint(), Fingerprint::of_game(&game), "{text}");
            assert_eq!(kept.opening(), named.map(|named| named.opening()), "{text}");
            let mut played = kept.clone();
            played.traces = None;
            assert_eq!(kept.traces(), played.traces(), "{text}");
        }
    }

    #[test]
    fn openings_are_found_on_the_way() {
        let famous = include_bytes!("../../data/games/famous.pgn");
        check(famous);
        for odd in [
            "1. e4 e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a6 4. Bxc6 dxc6 5. O-O f6",
            "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 Ke7 5. e4 illegal 6. Nf3",
            "1. e4+ c5++ 2. Nf3! d6 (2... Nc6 3. d4) 3. d4 {x} cxd4 4. Nxd4 Nf6 5. Nc3 a6",
            "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Nf3 Nc6",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 c5",
            "[Variant \"Atomic\"]\n\n1. e4 e5",
            "[FEN \"nonsense\"]\n\n1. e4 e5",
            "1. e4 e5 {open",
            "1. h4 a5 2. h5 g5 3. hxg6 a4 4. b4 axb3 5. gxh7 bxa2 6. hxg8=Q axb1=N 7. Qxh8 1-0",
            "*",
        ] {
            check(format!("[Event \"?\"]\n{odd}\n").as_bytes());
        }
    }

    proptest! {
        #[test]
        fn so_they_are_in_damaged_games(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        ) {
            let mut pgn = include_bytes!("../../data/games/famous.pgn")[..4096].to_vec();
            for (at, byte) in changes {
                let at = at.index(pgn.len());
                pgn[at] = byte;
            }
            check(&pgn);
        }
    }
}
