//! Legal games bred from real ones, as many as are wanted.
//!
//! A child follows one of its parents move by move. Where another parent has the same position, it
//! may go on with that one, so parents exchange their tails. At some point it leaves them all with
//! a move that is legal and nothing else, and follows the moves of its last parent as long as they
//! are legal: without that, the end of every parent would be the end of a dozen children, and no
//! position of an endgame would be of one game alone, as nearly all are in real archives.
//!
//! Tags are drawn from real games: White and his rating from one, Black and his from another,
//! event, site, date, round and time control from a third. The result is that of the last parent.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Write},
    thread,
};

use eco::{
    chess::{Chess, EnPassantMode, Position, PositionKey, SanPlus, UciMove},
    collection::{GameStart, KeptGame, KeptGameReader},
    pgn::{BlockOptions, Chunks},
    select::{GameResult, Selection},
};

/// Parents meet up to this ply.
const LAST_MEETING: usize = 40;

/// One meeting in this number changes the parent.
const MEETINGS_A_CHANGE: u64 = 4;

/// The first ply at which a child may leave its parent, and the most plies that may come between.
const LEAVING: (u64, u64) = (8, 24);

/// A small generator of numbers that look random: SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// A parent in a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    position: u64,
    parent: u32,
    ply: u32,
}

struct Parent {
    moves: Vec<UciMove>,
    result: GameResult,
    tags: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The parents.
pub(crate) struct Breeder {
    parents: Vec<Parent>,
    /// Sorted.
    visits: Vec<Visit>,
}

/// Children that are drawn one after another.
struct Litter<'b> {
    breeder: &'b Breeder,
    random: Random,
}

/// The number of children in a litter.
const LITTER: usize = 2000;

fn hash(position: &Chess) -> u64 {
    let mut hasher = DefaultHasher::new();
    PositionKey::from_position(position, EnPassantMode::Legal).hash(&mut hasher);
    hasher.finish()
}

impl Breeder {
    /// Breeds from the games of some PGN: those of standard chess from the initial position.
    pub(crate) fn new(pgn: &[u8]) -> Self {
        let mut reader = KeptGameReader::new(Selection::default());
        let mut breeder = Self { parents: Vec::new(), visits: Vec::new() };
        for block in Chunks::new(pgn, BlockOptions::default()).blocks() {
            let block = block.expect("the input can be read");
            block.games().filter_map(|game| reader.read(&game)).for_each(|game| breeder.add(&game));
        }
        breeder.visits.sort_unstable();
        breeder
    }

    fn add(&mut self, game: &KeptGame) {
        let moves: Vec<UciMove> = game.moves().collect();
        if game.start() != GameStart::Initial || moves.is_empty() {
            return;
        }
        let mut position = Chess::default();
        let parent = self.parents.len() as u32;
        for (ply, m) in (0..).zip(moves.iter().take(LAST_MEETING)) {
            self.visits.push(Visit { position: hash(&position), parent, ply });
            position.play_unchecked(m.to_move(&position).expect("it was played"));
        }
        let tags = game.tags().map(|(name, value)| (name.to_vec(), value.to_vec())).collect();
        self.parents.push(Parent { moves, result: game.result(), tags });
    }

    /// The number of parents.
    pub(crate) fn parents(&self) -> usize {
        self.parents.len()
    }

    /// Writes children as PGN: the same ones for a seed, on any number of threads.
    pub(crate) fn write_children(
        &self,
        games: usize,
        seed: u64,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let litters: Vec<usize> = (0..games.div_ceil(LITTER)).collect();
        for numbers in litters.chunks(threads) {
            let written = thread::scope(|scope| {
                let litter = |number: usize| {
                    let count = (games - number * LITTER).min(LITTER);
                    scope.spawn(move || self.litter(seed << 32 | number as u64, count))
                };
                let litters: Vec<_> = numbers.iter().map(|number| litter(*number)).collect();
                litters.into_iter().map(|litter| litter.join().expect("it panicked")).collect()
            });
            let written: Vec<io::Result<Vec<u8>>> = written;
            written.into_iter().try_for_each(|litter| out.write_all(&litter?))?;
        }
        out.flush()
    }

    fn litter(&self, seed: u64, count: usize) -> io::Result<Vec<u8>> {
        let mut litter = Litter { breeder: self, random: Random::new(seed) };
        let mut pgn = Vec::new();
        (0..count).try_for_each(|_| litter.write_child(&mut pgn))?;
        Ok(pgn)
    }

    /// Any of the parents that are in this position.
    fn change(
        &self,
        random: &mut Random,
        (parent, at): (u32, usize),
        position: &Chess,
    ) -> (u32, usize) {
        let position = hash(position);
        let first = self.visits.partition_point(|visit| visit.position < position);
        let end = self.visits.partition_point(|visit| visit.position <= position);
        if first == end {
            return (parent, at);
        }
        let visit = self.visits[first + random.below(end - first)];
        (visit.parent, visit.ply as usize)
    }
}

impl Litter<'_> {
    /// Writes a child as PGN.
    fn write_child(&mut self, out: &mut impl Write) -> io::Result<()> {
        let (moves, last) = self.moves();
        let result = self.breeder.parents[last as usize].result;
        self.write_tags(result, out)?;
        let mut line = String::new();
        for (ply, san) in moves.iter().enumerate() {
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            let word = format!("{number}{san} ");
            if line.len() + word.len() > 80 {
                writeln!(out, "{}", line.trim_end())?;
                line.clear();
            }
            line += &word;
        }
        writeln!(out, "{line}{}\n", result.as_str())
    }

    /// The moves of a child, and its last parent.
    fn moves(&mut self) -> (Vec<SanPlus>, u32) {
        let mut parent = self.random.below(self.breeder.parents.len()) as u32;
        let mut at = 0;
        let leaves_at = LEAVING.0 + self.random.next() % LEAVING.1;
        let mut position = Chess::default();
        let mut moves = Vec::new();
        while at < self.breeder.parents[parent as usize].moves.len() {
            let ply = moves.len();
            if ply < leaves_at as usize && self.random.next().is_multiple_of(MEETINGS_A_CHANGE) {
                (parent, at) = self.breeder.change(&mut self.random, (parent, at), &position);
            }
            let own = self.breeder.parents[parent as usize].moves[at].to_move(&position);
            let m = match own.filter(|_| ply != leaves_at as usize) {
                Some(m) => m,
                None => {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    legal[self.random.below(legal.len())]
                }
            };
            moves.push(SanPlus::from_move_and_play_unchecked(&mut position, m));
            at += 1;
        }
        (moves, parent)
    }

    fn write_tags(&mut self, result: GameResult, out: &mut impl Write) -> io::Result<()> {
        let mut parent = || self.random.below(self.breeder.parents.len());
        let (white, black, event) = (parent(), parent(), parent());
        let id = self.random.next();
        let of_white = |name: &[u8]| name.starts_with(b"White");
        let of_black = |name: &[u8]| name.starts_with(b"Black");
        for (name, value) in &self.breeder.parents[event].tags {
            match &name[..] {
                b"ECO" | b"Opening" | b"FEN" | b"SetUp" => {}
                b"Result" => write_tag(out, name, result.as_str().as_bytes())?,
                // The address of a game is that of no other.
                _ if value.starts_with(b"https://lichess.org/") => {
                    let link = format!("https://lichess.org/{:08x}", id as u32);
                    write_tag(out, name, link.as_bytes())?;
                }
                name if of_white(name) || of_black(name) => {}
                name => write_tag(out, name, value)?,
            }
        }
        for (name, value) in
            self.breeder.parents[white].tags.iter().filter(|(name, _)| of_white(name))
        {
            write_tag(out, name, value)?;
        }
        for (name, value) in
            self.breeder.parents[black].tags.iter().filter(|(name, _)| of_black(name))
        {
            write_tag(out, name, value)?;
        }
        writeln!(out)
    }
}

fn write_tag(out: &mut impl Write, name: &[u8], value: &[u8]) -> io::Result<()> {
    out.write_all(b"[")?;
    out.write_all(name)?;
    out.write_all(b" \"")?;
    for byte in value {
        if matches!(byte, b'"' | b'\\') {
            out.write_all(b"\\")?;
        }
        out.write_all(&[*byte])?;
    }
    out.write_all(b"\"]\n")
}
