//! Any bytes as PGN: the games, their tags and their moves are the same however the bytes arrive,
//! and no byte is lost.

use super::{Facts, replayed, verdicts};
use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    pgn::{Block, BlockOptions, Chunks, Game, Item, Movetext, PushReader, Token, games},
};

pub fn check_bytes(bytes: &[u8]) {
    let found: Vec<Game<'_>> = games(bytes).collect();
    for (index, game) in found.iter().enumerate() {
        let end = found.get(index + 1).map_or(bytes.len(), Game::start);
        assert_eq!(game.number(), index as u64 + 1);
        assert_eq!(game.bytes(), &bytes[game.start()..end]);
        check_game(game);
    }
    let expected: Vec<Seen> = found.iter().map(|game| Seen::of(game, 0)).collect();
    // The sizes follow from the bytes, so that a seed is a plain file.
    let small = 1 + bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>() % 100;
    for block_size in [small, 256 * 1024] {
        let options = BlockOptions { block_size, ..BlockOptions::default() };
        check_readers(bytes, options, &expected);
    }
    check_cut(bytes, BlockOptions { block_size: small, max_game: 40 }, &expected);
}

/// What is known of a game in a stream.
#[derive(Debug, PartialEq)]
struct Seen {
    number: u64,
    start: usize,
    length: usize,
    is_cut: bool,
    verdict: Facts,
    tags: usize,
}

impl Seen {
    fn of(game: &Game<'_>, offset: usize) -> Self {
        Self {
            number: game.number(),
            start: offset + game.start(),
            length: game.bytes().len(),
            is_cut: game.is_cut(),
            verdict: Facts::of(&Classifier::new(Catalogue::builtin()).classify(game).verdict),
            tags: game.tags().count(),
        }
    }
}

/// The games and the bytes of blocks, one after the other.
#[derive(Debug, Default, PartialEq)]
struct Stream {
    games: Vec<Seen>,
    bytes: Vec<u8>,
}

impl Stream {
    fn add(&mut self, block: &Block) {
        assert_eq!(block.games().count(), block.game_count());
        self.games.extend(block.games().map(|game| Seen::of(&game, self.bytes.len())));
        self.bytes.extend_from_slice(block.bytes());
    }

    fn of(blocks: impl Iterator<Item = Block>) -> Self {
        let mut stream = Self::default();
        blocks.for_each(|block| stream.add(&block));
        stream
    }

    fn pushed(bytes: &[u8], options: BlockOptions, size: usize) -> Self {
        let mut stream = Self::default();
        let mut reader = PushReader::new(options);
        for part in bytes.chunks(size) {
            if let Some(block) = reader.push(part) {
                stream.add(&block);
            }
        }
        stream.add(&reader.finish());
        stream
    }
}

/// Every reader, however the bytes are cut.
fn streams(bytes: &[u8], options: BlockOptions) -> [Stream; 4] {
    [
        Stream::of(
            Chunks::new(bytes, options).blocks().map(|block| block.expect("memory can be read")),
        ),
        Stream::of(Chunks::new(bytes, options).map(|chunk| chunk.expect("as above").into_block())),
        Stream::pushed(bytes, options, options.block_size),
        Stream::pushed(bytes, options, 1),
    ]
}

fn check_readers(bytes: &[u8], options: BlockOptions, expected: &[Seen]) {
    for stream in streams(bytes, options) {
        assert!(stream.bytes == bytes, "bytes are lost");
        assert_eq!(stream.games, expected);
    }
}

/// Games that are cut are cut alike, and those after them begin where they would otherwise.
fn check_cut(bytes: &[u8], options: BlockOptions, whole: &[Seen]) {
    let [first, others @ ..] = streams(bytes, options);
    assert!(first.bytes == bytes, "bytes are lost");
    assert!(first.games.iter().map(|game| game.start).eq(whole.iter().map(|game| game.start)));
    for other in others {
        assert_eq!(other, first);
    }
}

fn check_game(game: &Game<'_>) {
    let alone = Game::from_bytes(game.bytes());
    assert!(alone.tags().eq(game.tags()));
    let main_line: Vec<Token<'_>> = game.tags().into_main_line().collect();
    assert_eq!(main_line_of(game.tags().into_movetext()), main_line);
    let [_, exhaustive] = verdicts(Catalogue::builtin(), game);
    let (eco, ply, error) = replayed(Catalogue::builtin(), game);
    assert_eq!(exhaustive.error, error);
    if eco.is_empty() {
        assert_eq!(exhaustive.named, "");
    } else {
        assert!(exhaustive.named.starts_with(&format!("{eco} ")), "{exhaustive:?} {eco} {ply}");
        assert!(exhaustive.named.contains(&format!(" {ply} ")), "{exhaustive:?} {eco} {ply}");
    }
}

/// The items outside of variations.
fn main_line_of(movetext: Movetext<'_>) -> Vec<Token<'_>> {
    let mut depth = 0;
    let mut tokens = Vec::new();
    for item in movetext {
        match item {
            Item::Open => depth += 1,
            Item::Close => depth -= 1,
            Item::OpenComment => tokens.push(Token::OpenComment),
            Item::OpenVariation => tokens.push(Token::OpenVariation),
            Item::Move(word) if depth == 0 => tokens.push(Token::Move(word)),
            Item::Result(result) if depth == 0 => tokens.push(Token::Result(result)),
            _ => {}
        }
    }
    tokens
}
