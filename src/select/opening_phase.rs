//! What the comments of a game say of its opening: for whom the position was good, and what time it
//! took.
//!
//! The opening ends with the last named position. So that games of different openings can be
//! compared, the same is read after fifteen moves of both sides.
//!
//! Nothing is guessed: a move without a clock has none, even if the move before it does, and a game
//! that ends before ply 30 says nothing of that ply.

use super::tag_value::read_increment;
use crate::classify::Header;
use crate::pgn::{Aside, Commands, Game, MainLine};

/// What the comments of a game say of its opening. Where there are two values, they are those of
/// White and Black. Times are in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpeningPhase {
    /// The [evaluation](Commands::eval) of the last named position.
    pub eval_book: Option<i32>,
    /// That after ply 30.
    pub eval_15: Option<i32>,
    /// What each clock shows at the last named position.
    pub clock_book: [Option<u32>; 2],
    /// What each clock shows after ply 30.
    pub clock_15: [Option<u32>; 2],
    /// The time that each side spent up to the last named position: the sum of what its moves took,
    /// if each says so. Otherwise it is what its clock lost since its first move, which many sites
    /// do not time, with the increments that it gained.
    pub time_book: [Option<u32>; 2],
}

/// Fifteen moves of both sides.
const FIFTEEN_MOVES: usize = 30;

impl OpeningPhase {
    /// Reads the comments of a game whose last named position is that after the ply `book`.
    pub fn of_game(game: &Game<'_>, book: Option<usize>) -> Self {
        let mut header = Header::default();
        let line = game.tags().visit(&mut header);
        Self::of_line(line, &header, book)
    }

    /// Reads the comments of a main line whose last named position is that after the ply `book`.
    pub(crate) fn of_line(line: MainLine<'_>, header: &Header<'_>, book: Option<usize>) -> Self {
        Self::read(line, header, [book.unwrap_or(0), FIFTEEN_MOVES])
    }

    /// As [`of_line`](Self::of_line), up to the last named position alone.
    pub(crate) fn of_book(line: MainLine<'_>, header: &Header<'_>, book: Option<usize>) -> Self {
        Self::read(line, header, [book.unwrap_or(0), 0])
    }

    /// Reads what is said up to these plies; nothing up to 0, or one that is not there.
    fn read(line: MainLine<'_>, header: &Header<'_>, ends: [usize; 2]) -> Self {
        let said = Said(line.asides(ends[0].max(ends[1])));
        if said.0.is_empty() {
            return Self::default();
        }
        let ends = ends.map(|ply| if ply > said.0.len() { 0 } else { ply });
        let both = ends.map(|ply| said.last_of_sides(ply));
        let [eval_book, eval_15] = [0, 1].map(|end| both[end][(ends[end] + 1) % 2].eval);
        let [mut clock_book, mut clock_15] = both.map(|sides| sides.map(|said| said.clock));
        let increment = header.time_control.as_deref().and_then(read_increment);
        let mut time_book = [0, 1].map(|side| {
            let moves = (ends[0] + 1 - side) / 2;
            said.time_of(side, moves, clock_book[side], increment)
        });
        if begins_with_black(header.fen.as_deref()) {
            for sides in [&mut time_book, &mut clock_book, &mut clock_15] {
                sides.reverse();
            }
        }
        Self { eval_book, eval_15, clock_book, clock_15, time_book }
    }
}

/// What stands after the moves of a main line. The side that begins is the first one.
struct Said<'a>(Vec<Aside<'a>>);

impl Said<'_> {
    /// What is said of a ply; nothing of 0, or one that is not there.
    fn of_ply(&self, ply: usize) -> Commands {
        let aside = ply.checked_sub(1).and_then(|place| self.0.get(place));
        aside.map_or(Commands::default(), |aside| aside.commands())
    }

    /// What is said of the last move of either side, up to a ply.
    fn last_of_sides(&self, ply: usize) -> [Commands; 2] {
        let (last, before) = (self.of_ply(ply), self.of_ply(ply.saturating_sub(1)));
        if ply % 2 == 1 { [last, before] } else { [before, last] }
    }

    /// The time that a side spent on its first moves, after which its clock shows this.
    fn time_of(
        &self,
        side: usize,
        moves: usize,
        clock: Option<u32>,
        increment: Option<u32>,
    ) -> Option<u32> {
        let later_moves = moves.checked_sub(1)?;
        let nth = |nth: usize| self.of_ply(1 + side + 2 * nth);
        let first = nth(0);
        let add = |sum: u32, number| sum.checked_add(nth(number).elapsed?);
        let timed = first.elapsed.and_then(|first| (1..moves).try_fold(first, add));
        let by_clock = || {
            let gained = increment?.saturating_mul(later_moves as u32);
            Some(first.clock?.saturating_add(gained).saturating_sub(clock?))
        };
        timed.or_else(by_clock)
    }
}

/// The moves of a main line whose comments say all of its [opening](OpeningPhase), by their plies,
/// with what they say of it, and no more.
pub(crate) struct OpeningMoves<'a> {
    asides: Vec<Aside<'a>>,
    /// The plies at which it ends: that of the last named position, or 0 if there is none, and 30.
    ends: [usize; 2],
    last: usize,
    /// Of either side, whether each of its moves said what it took.
    is_timed: [bool; 2],
}

impl<'a> OpeningMoves<'a> {
    /// Those of a line whose last named position is that after the ply `book`.
    pub(crate) fn of_line(line: MainLine<'a>, book: Option<usize>) -> Self {
        let ends = [book.unwrap_or(0), FIFTEEN_MOVES];
        let asides = line.asides(ends[0].max(ends[1]));
        Self { asides, ends, last: 0, is_timed: [true; 2] }
    }

    /// The next ply whose comments count: the first of either side, and the last up to both ends;
    /// or any of the opening, if the moves say what they took.
    fn next_ply(&self) -> Option<usize> {
        let next = self.last + 1;
        if next <= self.ends[0] && self.is_timed.contains(&true) {
            return Some(next);
        }
        let end = self.ends.into_iter().filter(|end| *end >= next).min()?;
        Some(next.max(end - 1))
    }
}

impl Iterator for OpeningMoves<'_> {
    type Item = (usize, Commands);

    fn next(&mut self) -> Option<(usize, Commands)> {
        let ply = self.next_ply()?;
        let mut commands = self.asides.get(ply - 1)?.commands();
        self.last = ply;
        let is_timed = &mut self.is_timed[ply % 2];
        *is_timed &= ply <= self.ends[0] && commands.elapsed.is_some();
        commands.elapsed = commands.elapsed.filter(|_| *is_timed);
        let is_end = |ply: usize| self.ends.contains(&ply);
        commands.eval = commands.eval.filter(|_| is_end(ply));
        let has_clock = ply <= 2 || is_end(ply) || is_end(ply + 1);
        commands.clock = commands.clock.filter(|_| has_clock);
        Some((ply, commands))
    }
}

/// Whether a FEN, which may be that of no position, has Black to move.
pub(crate) fn begins_with_black(fen: Option<&[u8]>) -> bool {
    let fields = fen.unwrap_or_default().split(u8::is_ascii_whitespace);
    fields.filter(|field| !field.is_empty()).nth(1) == Some(b"b")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tags: &str, moves: &str, book: usize) -> OpeningPhase {
        let pgn = format!("{tags}\n\n{moves} *\n");
        OpeningPhase::of_game(&Game::from_bytes(pgn.as_bytes()), Some(book))
    }

    /// Knights that go to and fro, each move with the comment that is made for its ply.
    fn shuffle(plies: usize, comment: impl Fn(usize) -> String) -> String {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle();
        let with_comment = |(ply, san): (usize, &str)| format!("{san} {{{}}} ", comment(ply));
        (1..=plies).zip(moves).map(with_comment).collect()
    }

    const RAPID: &str = "[TimeControl \"600+2\"]";

    /// Each move takes its ply in seconds, but for the first of a side, which is not timed.
    fn timed(ply: usize) -> String {
        let spent: usize = (2 - ply % 2..=ply).step_by(2).skip(1).sum();
        let left = 600 + 2 * ((ply - 1) / 2) - spent;
        format!("[%eval {}.{ply:02}] [%clk 0:{:02}:{:02}]", ply / 10, left / 60, left % 60)
    }

    #[test]
    fn the_opening_is_read_at_both_of_its_ends() {
        let (plies_to_29, plies_to_30) =
            ((3..=29).step_by(2).sum::<u32>(), (4..=30).step_by(2).sum::<u32>());
        let expected = OpeningPhase {
            eval_book: Some(5),
            eval_15: Some(330),
            clock_book: [Some(600 + 4 - 8), Some(600 + 2 - 4)],
            clock_15: [Some(628 - plies_to_29), Some(628 - plies_to_30)],
            time_book: [Some(8), Some(4)],
        };
        assert_eq!(read(RAPID, &shuffle(40, timed), 5), expected);
        assert_eq!(read(RAPID, &shuffle(30, timed), 5), expected);
        let short = OpeningPhase { eval_15: None, clock_15: [None; 2], ..expected };
        assert_eq!(read(RAPID, &shuffle(29, timed), 5), short);
        let unnamed = OpeningPhase {
            eval_15: Some(330),
            clock_15: expected.clock_15,
            ..OpeningPhase::default()
        };
        assert_eq!(read(RAPID, &shuffle(30, timed), 0), unnamed);
        let late = read(RAPID, &shuffle(40, timed), 35);
        assert_eq!((late.eval_book, late.clock_15), (Some(335), expected.clock_15));
    }

    #[test]
    fn black_may_begin() {
        let fen = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"]";
        let moves = "1... Nf6 {[%emt 1]} 2. Nf3 {[%emt 10]} Ng8 {[%emt 2]}";
        assert_eq!(read(fen, moves, 3).time_book, [Some(10), Some(3)]);
        assert_eq!(read(fen, moves, 1).time_book, [None, Some(1)]);
        assert_eq!(read("[FEN \"8/8 w\"]", moves, 1).time_book, [Some(1), None]);
    }

    #[test]
    fn time_is_known_only_if_nothing_is_missing() {
        let clocks = "1. Nf3 {[%clk 60]} Nf6 {[%clk 0:00:59.9]} 2. Ng1 {[%clk 50]} Ng8 {[%clk 62]}";
        let with = |time_control: &str| format!("[TimeControl \"{time_control}\"]");
        for (tags, moves, time) in [
            (&*with("60"), clocks, [Some(10), Some(0)]),
            (&with("60+5"), clocks, [Some(15), Some(2)]),
            (&with("40/60+5:30"), clocks, [Some(15), Some(2)]),
            (&with("1/86400"), clocks, [None; 2]),
            (&with("-"), clocks, [None; 2]),
            (&with("60+99999999999"), clocks, [None; 2]),
            (&with("60+4294967295"), clocks, [Some(u32::MAX - 50), Some(u32::MAX - 62)]),
            ("", clocks, [None; 2]),
            (&with("60"), &clocks.replace("60]", "x]"), [None, Some(0)]),
            (&with("60"), &clocks.replace("62]", "x]"), [Some(10), None]),
            (&with("60"), &clocks.replace("50]", "50] [%emt 9]"), [Some(10), Some(0)]),
            (&with("60"), &clocks.replace("0]", "0] [%emt 9]"), [Some(18), Some(0)]),
            ("", "1. Nf3 {[%emt 4294967295]} Nf6 2. Ng1 {[%emt 1]} Ng8", [None; 2]),
            (&with("60"), "1. Nf3 (1. d4 {[%clk 60]}) Nf6 2. Ng1 {[%clk 50]} Ng8", [None; 2]),
        ] {
            assert_eq!(read(tags, moves, 4).time_book, time, "{tags} {moves}");
        }
    }

    #[test]
    fn games_without_commands_say_nothing() {
        let none = OpeningPhase::default();
        for moves in
            ["", "1. Nf3 Nf6", "1. Nf3 {good} Nf6 {[diagram]}", "{[%clk 1]}", "1. Nf3 {[%clk 1"]
        {
            assert_eq!(read(RAPID, moves, 2), none, "{moves}");
        }
        assert_eq!(read(RAPID, &shuffle(40, |_| "[%clk ?]".to_owned()), 4), none);
    }
}
