//! What programs write of a move in the comments after it: its evaluation, and the clock.
//!
//! A command is `[%NAME VALUE]` in a comment, as in `1. e4 { [%eval 0.17] [%clk 0:03:00] } e5`.
//! These are read, all others are left alone:
//!
//! * `[%eval 0.17]`, in pawns from White's side, perhaps with a depth after a comma, which is not
//!   kept; `[%eval #3]` and `[%eval #-3]` are mates, which count as [`Commands::MATE`] for whoever
//!   mates;
//! * `[%clk 1:02:03.4]`, what the clock shows after the move: hours, minutes and seconds, or fewer
//!   of them. Fractions are cut off;
//! * `[%emt 0:00:05]`, the time that the move took, written in the same way.
//!
//! A value that is written otherwise says nothing. Of several commands with one name, the first
//! that can be read counts. Comments before the first move, in variations, or without an end belong
//! to no move of the main line.

use memchr::memchr;

use super::{MainLine, Token, date::two_digits};
use crate::subslice::range_in;

/// What the comments after a move say of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Commands {
    /// The evaluation after the move, in centipawns from White's side.
    pub eval: Option<i32>,
    /// The seconds left on the clock of the side that moved.
    pub clock: Option<u32>,
    /// The seconds that the move took.
    pub elapsed: Option<u32>,
}

impl Commands {
    /// The evaluation of a mate in centipawns. No other is greater.
    pub const MATE: i32 = 10_000;

    /// The comment that says it: `{ [%eval 0.17] [%clk 0:03:00] }`.
    pub(crate) fn to_comment(self) -> String {
        let eval = self.eval.map(|eval| {
            let (sign, size) = (if eval < 0 { "-" } else { "" }, eval.unsigned_abs());
            format!("[%eval {sign}{}.{:02}] ", size / 100, size % 100)
        });
        let time = |name, seconds: Option<u32>| {
            let time = seconds.map(|s| (s / 3600, s / 60 % 60, s % 60));
            time.map(|(hours, m, s)| format!("[%{name} {hours}:{m:02}:{s:02}] "))
        };
        let all = [eval, time("clk", self.clock), time("emt", self.elapsed)];
        format!("{{ {}}}", all.into_iter().flatten().collect::<String>())
    }

    /// Reads the commands in a comment.
    fn read(&mut self, comment: &[u8]) {
        let mut rest = comment;
        // They are so close that a search of many bytes at once takes longer.
        while let [first, after @ ..] = rest {
            rest = after;
            let Some(command) = rest.strip_prefix(b"%").filter(|_| *first == b'[') else {
                continue;
            };
            if let Some(after) = self.note_common(command) {
                rest = after;
                continue;
            }
            let is_end = |byte: &u8| matches!(byte, b'[' | b']');
            let Some(end) = command.iter().position(is_end) else { return };
            if command[end] == b']' {
                self.note(&command[..end]);
            }
            rest = &command[end..];
        }
    }

    /// Notes a command that begins here as most are written, and returns what stands after it. All
    /// others are left to [`note`](Self::note), with which a comment takes 750 instructions instead
    /// of 290.
    fn note_common<'a>(&mut self, command: &'a [u8]) -> Option<&'a [u8]> {
        match command {
            [b'e', b'v', b'a', b'l', b' ', value @ ..] => {
                let (eval, rest) = read_common_eval(value)?;
                self.eval = self.eval.or(Some(eval));
                Some(rest)
            }
            [b'c', b'l', b'k', b' ', h, b':', m1, m2, b':', s1, s2, rest @ ..] => {
                let ([b']', rest @ ..] | [b'.', b'0'..=b'9', b']', rest @ ..]) = rest else {
                    return None;
                };
                let [hours, minutes, seconds] =
                    [two_digits(b'0', *h)?, two_digits(*m1, *m2)?, two_digits(*s1, *s2)?];
                self.clock = self.clock.or(Some(3600 * hours + 60 * minutes + seconds));
                Some(rest)
            }
            _ => None,
        }
    }

    fn note(&mut self, command: &[u8]) {
        let name_end = command.iter().position(u8::is_ascii_whitespace).unwrap_or(command.len());
        let (name, value) = command.split_at(name_end);
        let value = value.trim_ascii();
        match name {
            b"eval" => self.eval = self.eval.or_else(|| read_eval(value)),
            b"clk" => self.clock = self.clock.or_else(|| read_seconds(value)),
            b"emt" => self.elapsed = self.elapsed.or_else(|| read_seconds(value)),
            _ => {}
        }
    }
}

/// Reads `-1.25]` or the like, with one or two digits before and after the point.
fn read_common_eval(value: &[u8]) -> Option<(i32, &[u8])> {
    let (sign, number) = value.strip_prefix(b"-").map_or((1, value), |number| (-1, number));
    let (tens, number) = match number {
        [_, b'.', ..] => (b'0', number),
        [tens, number @ ..] => (*tens, number),
        [] => return None,
    };
    let (ones, tenths, hundredths, rest) = match number {
        [ones, b'.', tenths, b']', rest @ ..] => (ones, tenths, &b'0', rest),
        [ones, b'.', tenths, hundredths, b']', rest @ ..] => (ones, tenths, hundredths, rest),
        _ => return None,
    };
    let pawns = two_digits(tens, *ones)?;
    let eval = 100 * pawns + two_digits(*tenths, *hundredths)?;
    Some((sign * eval as i32, rest))
}

fn read_eval(value: &[u8]) -> Option<i32> {
    let end = value.iter().position(|byte| *byte == b',').unwrap_or(value.len());
    let value = value[..end].trim_ascii();
    let (is_mate, number) = value.strip_prefix(b"#").map_or((false, value), |moves| (true, moves));
    let (sign, number) = match number {
        [b'-', number @ ..] => (-1, number),
        [b'+', number @ ..] => (1, number),
        number => (1, number),
    };
    let hundredths = read_hundredths(number)?;
    Some(sign * if is_mate { Commands::MATE } else { hundredths })
}

/// A number with decimals in hundredths, rounded, up to that of a mate.
fn read_hundredths(number: &[u8]) -> Option<i32> {
    let dot = number.iter().position(|byte| *byte == b'.').unwrap_or(number.len());
    let (whole, decimals) = (&number[..dot], number.get(dot + 1..).unwrap_or_default());
    let has_digits = !(whole.is_empty() && decimals.is_empty());
    if !(has_digits && whole.iter().chain(decimals).all(u8::is_ascii_digit)) {
        return None;
    }
    let digit = |byte: &u8| i32::from(byte - b'0');
    let decimal = |at: usize| decimals.get(at).map_or(0, digit);
    let whole = whole.iter().fold(0, |sum, byte| (10 * sum + digit(byte)).min(Commands::MATE));
    let rounded = i32::from(decimal(2) >= 5);
    Some((100 * whole + 10 * decimal(0) + decimal(1) + rounded).min(Commands::MATE))
}

fn read_seconds(value: &[u8]) -> Option<u32> {
    let (mut sum, mut part, mut colons) = (0_u32, None::<u32>, 0);
    for (at, byte) in value.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                let tens = part.unwrap_or(0).checked_mul(10)?;
                part = Some(tens.checked_add(u32::from(byte - b'0'))?);
            }
            b':' if colons < 2 => {
                sum = sum.checked_add(part.take()?)?.checked_mul(60)?;
                colons += 1;
            }
            b'.' if value.get(at + 1).is_some_and(u8::is_ascii_digit) => break,
            _ => return None,
        }
    }
    sum.checked_add(part?)
}

/// What stands after a move of a main line, up to the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aside<'a> {
    /// One comment, as nearly always: its text.
    Comment(&'a [u8]),
    /// Anything.
    Any(&'a [u8]),
}

impl<'a> From<&'a [u8]> for Aside<'a> {
    #[inline(always)]
    fn from(comment: &'a [u8]) -> Self {
        Self::Comment(comment)
    }
}

impl Aside<'_> {
    /// What its comments say of the move.
    pub(crate) fn commands(self) -> Commands {
        let mut commands = Commands::default();
        match self {
            Self::Comment(comment) => commands.read(comment),
            Self::Any(text) => read_comments(text, &mut commands),
        }
        commands
    }
}

/// Reads the comments outside of variations.
fn read_comments(text: &[u8], commands: &mut Commands) {
    let mut line = MainLine::new(text, false);
    while let Some(byte) = line.rest.first() {
        let before = line.rest;
        match byte {
            b'{' if !line.skip_past(b'}') => return,
            b'{' => line.is_line_start = false,
            b';' => line.skip_line(),
            // What nearly all gaps are made of besides.
            b' ' | b'.' | b'0'..=b'9' => {
                line.pass(1);
                line.is_line_start = false;
                continue;
            }
            _ => {
                // Whatever else a main line skips, variations above all.
                let _ = line.advance();
                continue;
            }
        }
        commands.read(&before[1..before.len() - line.rest.len()]);
    }
}

/// As much room is taken at once: for what stands after fifteen moves of both sides.
const ROOM: usize = 30;

impl<'a> MainLine<'a> {
    /// What stands after each of the first moves, at most this number; nothing if the line has no
    /// command at all.
    ///
    /// The moves are found as the line finds them; where all have comments, together.
    pub(crate) fn asides(mut self, most: usize) -> Vec<Aside<'a>> {
        let has_commands = memchr(b'[', self.rest).is_some();
        let mut is_after_move = has_commands && matches!(self.next(), Some(Token::Move(_)));
        let mut asides = Vec::with_capacity(if is_after_move { most.min(ROOM) } else { 0 });
        while is_after_move && asides.len() < most {
            let found = asides.len();
            self.read_comments(&mut asides, most);
            if asides.len() == found {
                let rest = self.rest;
                let next = self.next();
                is_after_move = matches!(next, Some(Token::Move(_)));
                let end = match next {
                    Some(Token::Move(word) | Token::Result(word)) => range_in(word, rest).start,
                    Some(Token::OpenComment | Token::OpenVariation) | None => rest.len(),
                };
                asides.push(Aside::Any(&rest[..end]));
            }
        }
        asides
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::pgn::{Item, Movetext};

    const MATE: i32 = Commands::MATE;

    fn of_comment(comment: &[u8]) -> Commands {
        let mut commands = Commands::default();
        commands.read(comment);
        commands
    }

    fn all(movetext: &[u8]) -> Vec<Commands> {
        up_to(movetext, usize::MAX)
    }

    fn up_to(movetext: &[u8], most: usize) -> Vec<Commands> {
        let asides = MainLine::from_movetext(movetext).asides(most);
        asides.into_iter().map(Aside::commands).collect()
    }

    /// Without what is done for common commands.
    fn read_plainly(commands: &mut Commands, comment: &[u8]) {
        for part in comment.split(|byte| *byte == b'[').skip(1) {
            if let Some(end) = part.iter().position(|byte| *byte == b']')
                && let Some(command) = part[..end].strip_prefix(b"%")
            {
                commands.note(command);
            }
        }
    }

    /// The commands in the comments outside of variations.
    fn commands_in(items: &[Item<'_>]) -> Commands {
        let (mut commands, mut depth) = (Commands::default(), 0_usize);
        for item in items {
            match item {
                Item::Open => depth += 1,
                Item::Close => depth -= 1,
                Item::Comment(comment) if depth == 0 => read_plainly(&mut commands, comment),
                _ => {}
            }
        }
        commands
    }

    /// The definition: all items, divided by the moves of the main line.
    fn all_plainly(movetext: &[u8]) -> Vec<Commands> {
        let (mut depth, mut moves) = (0, vec![Vec::new()]);
        for item in Movetext::from_bytes(movetext) {
            match item {
                Item::Move(_) if depth == 0 => moves.push(Vec::new()),
                Item::Open => depth += 1,
                Item::Close => depth -= 1,
                _ => {}
            }
            moves.last_mut().unwrap().push(item);
        }
        moves.iter().skip(1).map(|items| commands_in(items)).collect()
    }

    #[test]
    fn evaluations_are_centipawns_from_whites_side() {
        for (value, eval) in [
            ("0.17", Some(17)),
            ("-1.5", Some(-150)),
            ("+0.3", Some(30)),
            ("0.17,18", Some(17)),
            (" 12 , 30 ", Some(1200)),
            (".5", Some(50)),
            ("-0.0", Some(0)),
            ("0.005", Some(1)),
            ("#3", Some(MATE)),
            ("#-3", Some(-MATE)),
            ("#-0", Some(-MATE)),
            ("#3,20", Some(MATE)),
            ("153.2", Some(MATE)),
            ("-99999999999999999999", Some(-MATE)),
            ("#", None),
            ("#x", None),
            ("#--1", None),
            ("", None),
            ("inf", None),
            ("nan", None),
            ("1e3", None),
            ("0x1", None),
            ("1.2.3", None),
            ("½", None),
        ] {
            let comment = format!("[%eval {value}]");
            assert_eq!(of_comment(comment.as_bytes()).eval, eval, "{comment}");
        }
    }

    #[test]
    fn clocks_are_whole_seconds() {
        for (value, seconds) in [
            ("0:03:00", Some(180)),
            ("1:02:03.4", Some(3723)),
            ("0:00:00.99", Some(0)),
            ("335:59:59", Some(1_209_599)),
            ("1:30", Some(90)),
            ("59", Some(59)),
            ("00:00:5", Some(5)),
            ("0:00:05.", None),
            ("0:00:05.x", None),
            ("-0:00:05", None),
            ("+5", None),
            ("1:2:3:4", None),
            ("0::5", None),
            ("", None),
            ("99999999:00:00", None),
            ("99999999999", None),
        ] {
            let comment = format!("[%clk {value}] [%emt {value}]");
            let Commands { clock, elapsed, .. } = of_comment(comment.as_bytes());
            assert_eq!([clock, elapsed], [seconds; 2], "{comment}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (eval, clock, elapsed, comment) in [
            (Some(-5), Some(3723), None, "{ [%eval -0.05] [%clk 1:02:03] }"),
            (Some(MATE), None, Some(u32::MAX), "{ [%eval 100.00] [%emt 1193046:28:15] }"),
        ] {
            let commands = Commands { eval, clock, elapsed };
            assert_eq!(commands.to_comment(), comment);
            assert_eq!(of_comment(comment.as_bytes()), commands);
        }
    }

    #[test]
    fn the_first_command_of_a_name_that_can_be_read_counts() {
        for (comment, eval, clock) in [
            (&b" [%eval 0.3] [%clk 0:01:00] "[..], Some(30), Some(60)),
            (b"[%clk 0:01:00][%eval 0.3][%clk 0:02:00][%eval 0.4]", Some(30), Some(60)),
            (b"[%eval ?][%eval\t0.4]", Some(40), None),
            (b"[%csl Gd4][%cal Ge2e4] good \xe9 [%eval\n0.3] [%foo]", Some(30), None),
            (b"[%eval [%clk 0:01:00]", None, Some(60)),
            (b"[ %eval 0.3] [%%eval 0.3] [%evaluation 1] [%EVAL 1] eval 0.3", None, None),
            (b"[%eval 0.3", None, None),
            (b"[%eval0.3] [%] [] [", None, None),
            (b"[%clk 0:0\xe9:00]", None, None),
        ] {
            let commands = of_comment(comment);
            let text = String::from_utf8_lossy(comment);
            assert_eq!((commands.eval, commands.clock), (eval, clock), "{text}");
        }
    }

    #[test]
    fn commands_belong_to_the_move_before_them() {
        for (movetext, evals) in [
            ("1. e4 {[%eval 0.1]} e5 {[%eval 0.2]} 1-0", &[Some(10), Some(20)][..]),
            ("{[%eval 9]} 1. e4 e5 {[%eval 0.2]}", &[None, Some(20)]),
            ("1. e4 {book} {[%eval 0.1]} (1. d4 {[%eval 9]}) e5", &[Some(10), None]),
            ("1. e4 (1. d4 {[%eval 9]} (1. c4)) {[%eval 0.1]} e5", &[Some(10), None]),
            ("1. e4! $1 {[%eval 0.1]} 1... ;[%eval 9] [%eval 8]\n e5", &[Some(10), None]),
            ("1. e4 ;[%eval 0.1]\n1... e5", &[Some(10), None]),
            ("1. e4 [%eval 9] e5 {[%eval 0.2]", &[None, None]),
            ("1. e4 (1. d4 {[%eval 9]} e5", &[None]),
            ("1. e4 {[%eval 0.1]} 1-0 {[%eval 9]} e5", &[Some(10)]),
            ("1. e4 {[%eval 0.1]} 2. N f3 {[%eval 0.2]}", &[Some(10), Some(20)]),
            ("1. e4 {no command} e5", &[]),
            ("{[%eval 0.1]}", &[]),
            ("{[%eval 0.1]} *", &[]),
        ] {
            let found: Vec<_> = all(movetext.as_bytes()).iter().map(|c| c.eval).collect();
            assert_eq!(found, evals, "{movetext}");
        }
    }

    #[test]
    fn long_comments_take_time_in_proportion() {
        let start = Instant::now();
        for (unit, count) in [
            ("[%", 500_000),
            ("[%eval ", 150_000),
            ("[%clk 0:00:01]", 100_000),
            ("x", 1_000_000),
            ("]", 1_000_000),
            ("(", 1_000_000),
        ] {
            let movetext = format!("1. e4 {{{}}} e5 ({{{}", unit.repeat(count), unit.repeat(count));
            let commands = all(movetext.as_bytes());
            assert!(commands.len() <= 2, "{unit}");
            if unit.contains("clk") {
                assert_eq!(commands[0].clock, Some(1));
            }
        }
        let digits = format!("1. e4 {{[%eval {0}.{0}] [%clk {0}:00]}}", "1".repeat(1_000_000));
        let expected = Commands { eval: Some(MATE), ..Commands::default() };
        assert_eq!(all(digits.as_bytes()), [expected]);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    const FRAGMENTS: [&str; 46] = [
        "e4 ",
        "Nf3+ ",
        "N f3 ",
        "♘ f3",
        "O-O",
        "1. ",
        "1... ",
        "2",
        "e4(",
        "(",
        ")",
        "{",
        "}",
        ";",
        "%",
        "\n",
        "\u{feff}",
        "$14 ",
        "!",
        "=",
        "ep",
        "[",
        "]",
        "[%",
        "1-0",
        "*",
        "1/2",
        "½-½",
        "{[%eval 0.3]}",
        "{ [%eval #-2] [%clk 0:00:07] }",
        "[%clk 0:00:08]",
        "{[%emt 5]}",
        "[%eval ",
        "[%clk ",
        "-",
        ".",
        "12",
        "0:01:",
        "3.25]",
        "-0.5]",
        "1:02:03.4]",
        " ",
        "{x}",
        "--",
        ",",
        "[x]",
    ];

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_said_of_a_move_is_what_all_items_say(
            fragments in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..40),
            broken in any::<prop::sample::Index>(),
        ) {
            // With a command, so that the line is looked at.
            let mut movetext = (fragments.concat() + " [").into_bytes();
            for _ in 0..2 {
                let text = String::from_utf8_lossy(&movetext);
                let expected = all_plainly(&movetext);
                prop_assert_eq!(all(&movetext), &expected[..], "{:?}", text);
                for most in (0..15).step_by(3) {
                    let some = &expected[..most.min(expected.len())];
                    prop_assert_eq!(up_to(&movetext, most), some, "{} of {:?}", most, text);
                }
                movetext.remove(broken.index(movetext.len()));
                movetext.push(b'[');
            }
        }

        #[test]
        fn moves_with_comments_are_passed_together(
            odd in prop::collection::vec((0..40_usize, prop::sample::select(&FRAGMENTS[..])), 0..4),
            most in 0..2 * ROOM,
        ) {
            let mut movetext = String::from("1. e4 ");
            for ply in 1..40 {
                let dots = if ply % 2 == 1 { "..." } else { "." };
                let san = ["Nf3", "e5", "O-O", "Bb5+", "exd8=Q"][ply % 5];
                movetext += &format!("{{ [%eval 0.{ply:02}] }} {}{dots} {san} ", ply / 2 + 1);
                odd.iter().filter(|(at, _)| *at == ply).for_each(|(_, odd)| movetext += odd);
            }
            let expected = all_plainly(movetext.as_bytes());
            let some = &expected[..most.min(expected.len())];
            prop_assert_eq!(up_to(movetext.as_bytes(), most), some, "{}", movetext);
        }

        #[test]
        fn so_it_is_of_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let movetext = [&bytes[..], b" ["].concat();
            prop_assert_eq!(all(&movetext), all_plainly(&movetext));
        }
    }
}
