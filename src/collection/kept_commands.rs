//! The evaluations and clocks that a collection keeps: those that say how the opening of a game
//! went. All of a game would take more than its moves.
//!
//! The opening ends with the position that names it when the game is added, so with another
//! catalogue, which may name a later one or an earlier one, they may say less.
//!
//! Of each move there is a number, which has how many plies it comes after the last one and what
//! there is; then the evaluation, and how much the clock differs from the one before it of this
//! side, and the time that the move took.

use super::segment::{ByteReader, DamagedSegment, push_number};
use crate::pgn::Commands;

/// The name that they have among the tags. No PGN file has a tag of this name.
pub(super) const NAME: &[u8] = b"%";

const HAS_EVAL: u64 = 1;
const HAS_CLOCK: u64 = 2;
const HAS_ELAPSED: u64 = 4;
const FLAGS: u32 = 3;

/// What is kept of moves, by their plies; nothing if nothing is said of them.
pub(super) fn pack(moves: impl Iterator<Item = (usize, Commands)>) -> Vec<u8> {
    let (mut packed, mut before) = (Vec::new(), Before::default());
    for (ply, commands) in moves.filter(|(_, commands)| *commands != Commands::default()) {
        before.push(ply, commands, &mut packed);
    }
    packed
}

/// The plies, and what is kept of their moves; up to damage.
pub(super) fn unpack(packed: &[u8]) -> impl Iterator<Item = (usize, Commands)> {
    let (mut reader, mut before) = (ByteReader::new(packed), Before::default());
    std::iter::from_fn(move || before.read(&mut reader).ok())
}

/// What the next number differs from.
#[derive(Default)]
struct Before {
    ply: usize,
    /// By side. A game begins with the same time for both, so that before the second is the first.
    clocks: [Option<i64>; 2],
}

impl Before {
    fn clock(&mut self, ply: usize) -> &mut i64 {
        let other = self.clocks[(ply + 1) % 2];
        self.clocks[ply % 2].get_or_insert(other.unwrap_or(0))
    }

    fn push(&mut self, ply: usize, commands: Commands, packed: &mut Vec<u8>) {
        let Commands { eval, clock, elapsed } = commands;
        let flag = |is_there, flag| if is_there { flag } else { 0 };
        let flags = flag(eval.is_some(), HAS_EVAL)
            | flag(clock.is_some(), HAS_CLOCK)
            | flag(elapsed.is_some(), HAS_ELAPSED);
        push_number(packed, ((ply - self.ply) as u64) << FLAGS | flags);
        self.ply = ply;
        if let Some(eval) = eval {
            push_signed(packed, eval.into());
        }
        if let Some(clock) = clock.map(i64::from) {
            push_signed(packed, clock - std::mem::replace(self.clock(ply), clock));
        }
        if let Some(elapsed) = elapsed {
            push_number(packed, elapsed.into());
        }
    }

    fn read(&mut self, reader: &mut ByteReader<'_>) -> Result<(usize, Commands), DamagedSegment> {
        const TOO_GREAT: DamagedSegment = DamagedSegment::new("no evaluation or clock is as great");
        let (number, mut commands) = (reader.number()?, Commands::default());
        self.ply = self.ply.saturating_add((number >> FLAGS) as usize);
        if number & HAS_EVAL != 0 {
            commands.eval = Some(read_signed(reader)?.try_into().map_err(|_| TOO_GREAT)?);
        }
        if number & HAS_CLOCK != 0 {
            let (more, clock) = (read_signed(reader)?, self.clock(self.ply));
            *clock = clock.checked_add(more).ok_or(TOO_GREAT)?;
            commands.clock = Some((*clock).try_into().map_err(|_| TOO_GREAT)?);
        }
        if number & HAS_ELAPSED != 0 {
            commands.elapsed = Some(reader.number()?.try_into().map_err(|_| TOO_GREAT)?);
        }
        Ok((self.ply, commands))
    }
}

/// Small numbers take few bytes, whatever their sign.
fn push_signed(packed: &mut Vec<u8>, number: i64) {
    push_number(packed, (number << 1 ^ number >> 63) as u64);
}

fn read_signed(reader: &mut ByteReader<'_>) -> Result<i64, DamagedSegment> {
    let number = reader.number()?;
    Ok((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::Catalogue;
    use crate::classify::Classifier;
    use crate::collection::KeptGameReader;
    use crate::pgn::Game;
    use crate::select::{OpeningPhase, Selection};

    const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 \
                         d4 Qc7 Nbd2 cxd4 cxd4 Nc6 Nb3 a5 Be3 a4 Nbd2 Bd7 Rc1 Qb8 Nf1 Rc8";

    /// What the comments of a game say of its opening.
    fn phase(pgn: &[u8]) -> OpeningPhase {
        let game = Game::from_bytes(pgn);
        let named = Classifier::new(Catalogue::builtin()).classify(&game).verdict.named;
        OpeningPhase::of_game(&game, named.map(|named| named.ply()))
    }

    /// What is kept of a game, and the game as it is written again.
    fn keep_game(pgn: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut reader = KeptGameReader::new(Selection::default());
        let kept = reader.read(&Game::from_bytes(pgn)).unwrap();
        (kept.texts.tags.commands().to_vec(), kept.to_pgn())
    }

    #[test]
    fn a_game_takes_few_bytes() {
        let comment = |ply: usize| {
            let (pawns, seconds) = (ply * 7 % 90, 600 - ply * 5);
            format!("{{ [%eval -0.{pawns:02}] [%clk 0:{:02}:{:02}] }}", seconds / 60, seconds % 60)
        };
        let moves = (1..).zip(MOVES.split_whitespace());
        let moves: Vec<_> = moves.map(|(ply, san)| format!("{san} {}", comment(ply))).collect();
        let pgn = format!("[TimeControl \"600\"]\n\n{} *\n", moves.join(" "));
        let (packed, written) = keep_game(pgn.as_bytes());
        assert_eq!(phase(&written), phase(pgn.as_bytes()));
        assert!(phase(&written).eval_15.is_some(), "{}", written.escape_ascii());
        assert!(packed.len() <= 20, "{packed:?}");
        assert_eq!(unpack(&packed).map(|(ply, _)| ply).collect::<Vec<_>>(), [1, 2, 24, 25, 29, 30]);
        assert_eq!(keep_game(b"1. e4 {x [%csl Ge4]} c5 {} 2. Nf3 *").0, b"");
    }

    #[test]
    fn comments_stand_after_their_moves() {
        let pgn =
            "1. f3 e5 {[%clk 9] [%eval -1]} 2. g4 $4 {x} {[%clk 8]} Qh4# {[%clk 7] [%emt 2]} 0-1";
        let written = keep_game(pgn.as_bytes()).1;
        let expected = "1. f3 e5 { [%clk 0:00:09] } 2. g4 { [%clk 0:00:08] } 2... Qh4#\n\
                        { [%clk 0:00:07] } 0-1\n";
        assert!(written.ends_with(expected.as_bytes()), "{}", written.escape_ascii());
    }

    /// A game of some of the moves, one of which may be broken, with comments after them.
    fn commented() -> impl Strategy<Value = String> {
        let time = || prop_oneof![0..5_u32, 0..99_999_u32, Just(u32::MAX)];
        let command = prop_oneof![
            4 => time().prop_map(|time| format!("[%clk {time}]")),
            3 => time().prop_map(|time| format!("[%emt {time}]")),
            3 => (-20_000..20_000).prop_map(|eval| format!("[%eval {}.{}]", eval / 10, eval % 10)),
            1 => prop::sample::select(vec!["[%eval #-3]", "[%clk x]", "", "good"])
                .prop_map(str::to_owned),
        ];
        let comment = prop_oneof![
            8 => prop::collection::vec(command, 1..3).prop_map(|all| format!("{{{}}}", all.join(" "))),
            1 => prop::sample::select(vec!["", "$1", "(Nf3 {[%clk 1]})"]).prop_map(str::to_owned),
        ];
        const TAGS: [&str; 4] = [
            "[TimeControl \"60+2\"]\n",
            "[TimeControl \"-\"]\n",
            "[Variant \"Atomic\"]\n",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"]\n",
        ];
        let has_each = prop::sample::select(vec!["clk", "emt", "x"]);
        let moves = prop::collection::vec(comment, 0..36);
        let broken = prop::option::weighted(0.3, 0..36_usize);
        (prop::sample::select(&TAGS[..]), moves, has_each, broken).prop_map(
            |(tags, comments, each, broken)| {
                let moves = comments.iter().zip(MOVES.split_whitespace()).enumerate();
                let moves = moves.map(|(at, (comment, san))| {
                    let san = if broken == Some(at) { "Ka1" } else { san };
                    format!("{san} {comment} {{[%{each} {at}]}} ")
                });
                format!("{tags}\n{} 1-0\n", moves.collect::<String>())
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 1000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_kept_says_the_same_of_the_opening(pgn in commented()) {
            let (packed, written) = keep_game(pgn.as_bytes());
            prop_assert_eq!(phase(&written), phase(pgn.as_bytes()), "{}", written.escape_ascii());
            prop_assert_eq!(keep_game(&written), (packed, written.clone()));
        }

        #[test]
        fn any_bytes_are_unpacked(packed in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert!(unpack(&packed).count() <= packed.len());
        }
    }
}
