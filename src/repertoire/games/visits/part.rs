//! A part of all visits, and what is counted in its positions.

use std::ops::Range;

use super::games::Games;
use crate::repertoire::games::tally::Tally;

/// The visits whose memory is asked for at once: they are never moved.
const BLOCK: usize = 512;

/// Visits to positions whose hashes begin with the same bits.
#[derive(Debug, Default)]
pub(super) struct Part {
    blocks: Vec<Vec<Visit>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) hash: u64,
    pub(super) game: u32,
    pub(super) ply: u16,
    /// The code of the move that the game plays there, if it plays one.
    pub(super) code: Option<u8>,
}

/// What is counted in the positions of a part.
#[derive(Debug, Default)]
pub(super) struct CountedPart {
    pub(super) positions: Vec<Counted>,
    pub(super) moves: Vec<CountedMove>,
}

/// What is counted in a position.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) ply: u32,
    pub(super) tally: Tally,
    /// Its moves among those of the part.
    pub(super) moves: Range<usize>,
}

/// A move that was played in a position.
#[derive(Debug)]
pub(super) struct CountedMove {
    pub(super) code: u8,
    pub(super) tally: Tally,
    /// A visit to the next position.
    pub(super) next: usize,
}

/// The visits to one position: the first and the last of them, and their number.
struct Group {
    hash: u64,
    first: u32,
    last: u32,
    /// Whether there are several, or it is the start of a game.
    may_count: bool,
}

/// No visit, in a list of visits that refer to the next one.
const NONE: u32 = u32::MAX;

impl Part {
    pub(super) fn push(&mut self, visit: Visit) {
        match self.blocks.last_mut().filter(|block| block.len() < BLOCK) {
            Some(block) => block.push(visit),
            None => {
                let mut block = Vec::with_capacity(BLOCK);
                block.push(visit);
                self.blocks.push(block);
            }
        }
    }

    /// Counts the positions that several games have, and those that games begin with. `place` is
    /// called with the number of a position and each visit to it. `None` if there are too many.
    pub(super) fn count(
        self,
        games: &Games,
        mut place: impl FnMut(usize, usize),
    ) -> Option<CountedPart> {
        let visits: Vec<Visit> = self.blocks.into_iter().flatten().collect();
        let (groups, next) = groups(&visits)?;
        let mut counted = CountedPart::default();
        for group in groups.iter().filter(|group| group.may_count) {
            let follow = |at: &u32| Some(next[*at as usize]).filter(|next| *next != NONE);
            let group = std::iter::successors(Some(group.first), follow);
            let group = group.map(|at| visits[at as usize]);
            let number = counted.positions.len();
            counted.add(group, games, |visit| place(number, visit));
        }
        Some(counted)
    }
}

/// The visits by their hashes, in their order; and by visit, the next one of its group.
fn groups(visits: &[Visit]) -> Option<(Vec<Group>, Vec<u32>)> {
    let slots = (visits.len() * 2).next_power_of_two();
    u32::try_from(slots).ok()?;
    let mut table = vec![NONE; slots];
    let mut groups: Vec<Group> = Vec::with_capacity(visits.len());
    let mut next = vec![NONE; visits.len()];
    for (number, visit) in (0..).zip(visits) {
        let mut slot = visit.hash as usize & (slots - 1);
        loop {
            let found = table[slot];
            if found == NONE {
                table[slot] = groups.len() as u32;
                let may_count = visit.ply == 0;
                groups.push(Group { hash: visit.hash, first: number, last: number, may_count });
                break;
            }
            let group = &mut groups[found as usize];
            if group.hash == visit.hash {
                next[group.last as usize] = number;
                (group.last, group.may_count) = (number, true);
                break;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }
    Some((groups, next))
}

impl CountedPart {
    /// Counts the visits to a position, which come game by game, unless it is one of a single game
    /// that does not begin there.
    fn add(
        &mut self,
        visits: impl Iterator<Item = Visit> + Clone,
        games: &Games,
        mut place: impl FnMut(usize),
    ) {
        let (mut tally, mut ply) = (Tally::default(), u16::MAX);
        let from = self.moves.len();
        let mut before = None;
        // The moves that this game has played here.
        let mut played: Vec<u8> = Vec::new();
        for visit in visits.clone() {
            let game = visit.game as usize;
            let facts = games.facts(game);
            if before != Some(game) {
                tally.add(facts);
                played.clear();
            }
            before = Some(game);
            ply = ply.min(visit.ply);
            let Some(code) = visit.code.filter(|code| !played.contains(code)) else { continue };
            played.push(code);
            let known = self.moves[from..].iter_mut().find(|counted| counted.code == code);
            match known {
                Some(counted) => counted.tally.add(facts),
                None => {
                    let mut tally = Tally::default();
                    tally.add(facts);
                    let next = games.visit(visit.game, visit.ply) + 1;
                    self.moves.push(CountedMove { code, tally, next });
                }
            }
        }
        if tally.games < 2 && ply > 0 {
            self.moves.truncate(from);
            return;
        }
        self.positions.push(Counted { ply: ply.into(), tally, moves: from..self.moves.len() });
        for visit in visits {
            place(games.visit(visit.game, visit.ply));
        }
    }
}
