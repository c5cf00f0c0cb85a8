//! Any bytes as a file: its frames, unpacked side by side, hold what the stream holds; and where it
//! can be read to its end, so do its parts.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, LazyLock, atomic::AtomicU64},
};

use eco::pgn::{
    BlockOptions, Buffers, Chunk, Chunks,
    parts::{Listing, PartSize, open_part, split},
    source::{ReadAt, Source, Stream},
};

use super::scratch;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch("frames").join("file"));

pub fn check_bytes(bytes: &[u8]) {
    fs::write(&*FILE, bytes).expect("the temporary folder can be written");
    let Some(expected) = read(true) else { return };
    assert_eq!(read(false).as_ref(), Some(&expected));
    if expected.error.is_some() {
        return;
    }
    let file: Arc<dyn ReadAt> = Arc::new(bytes.to_vec());
    let size = PartSize::Bytes(1 + bytes.len() as u64 / 5);
    let found = split(&*file, bytes.len() as u64, size, Listing::Blocks);
    let mut games = Vec::new();
    for part in found.expect("bytes in memory can be read").parts {
        if bytes.starts_with(b"PK\x03\x04") {
            return;
        }
        let stream = open_part(&file, bytes.len() as u64, part, String::new(), &Arc::default());
        games.extend(games_of(stream.expect("parts that were listed can be read")).0);
    }
    assert_eq!(games, expected.games);
}

/// What a file holds.
#[derive(Debug, PartialEq)]
struct Held {
    /// The bytes of each game.
    games: Vec<Vec<u8>>,
    error: Option<String>,
}

const OPTIONS: BlockOptions = BlockOptions { block_size: 1000, max_game: 8 << 20 };

fn read(as_stream: bool) -> Option<Held> {
    let mut streams = Source::File(FILE.clone()).open(&Arc::new(AtomicU64::new(0))).ok()?;
    let stream = streams.next_stream()?;
    let (games, error) = if as_stream {
        let Stream { reader, position, .. } = stream;
        let (games, error) = blocks(Chunks::new(reader, OPTIONS));
        (games, error.map(|error| position.broken(error).to_string()))
    } else {
        games_of(stream)
    };
    Some(Held { games, error })
}

fn games_of(stream: Stream<'_>) -> (Vec<Vec<u8>>, Option<String>) {
    let (chunks, position) = stream.into_chunks(OPTIONS, &Buffers::default());
    let (games, error) = blocks(chunks);
    (games, error.map(|error| position.broken(error).to_string()))
}

fn blocks(
    chunks: impl Iterator<Item = std::io::Result<Chunk>>,
) -> (Vec<Vec<u8>>, Option<std::io::Error>) {
    let (mut games, mut error) = (Vec::new(), None);
    for chunk in chunks {
        match chunk {
            Ok(chunk) => {
                let block = chunk.into_block();
                games.extend(block.games().map(|game| game.bytes().to_vec()));
            }
            Err(broken) => error = Some(broken),
        }
    }
    (games, error)
}
