//! What a learner types.

use std::io::{self, BufRead, Read};

use eco::{
    chess::{Chess, Language, UciMove},
    pgn::{TypedError, play_typed},
};

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A move that can be played.
    Move(UciMove),
    /// The answer is to be shown.
    Show,
    /// What may be typed is to be listed.
    Help,
    /// The session is to end.
    Stop,
    /// Nothing that can be taken, and why.
    Unclear(String),
}

/// No answer is longer, in bytes.
const MAX_ANSWER: u64 = 1000;

/// What may be typed.
pub(super) const HINT: &str =
    "type a move, ? to be shown the answer, help for these words, or q to stop";

/// Whether a line ends the session.
pub(super) fn is_stop(line: &str) -> bool {
    matches!(line, "q" | "quit" | "exit")
}

/// A line of the input without its end; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.take(MAX_ANSWER).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
}

/// What a line means in a position.
pub(super) fn read(line: &str, position: &Chess, language: Language) -> Typed {
    match line {
        "" => return Typed::Unclear(HINT.to_owned()),
        "?" => return Typed::Show,
        "help" | "h" => return Typed::Help,
        line if is_stop(line) => return Typed::Stop,
        _ => {}
    }
    let mut moves = Vec::new();
    match play_typed(position.clone(), line, language, |m, _| moves.push(UciMove::from_move(m))) {
        // There is hardly more than one word, so its column says nothing.
        Err(TypedError::Move { word, fault, .. }) => Typed::Unclear(format!("{word}: {fault}")),
        Err(error) => Typed::Unclear(error.to_string()),
        Ok(_) => match moves[..] {
            [uci] => Typed::Move(uci),
            [] => Typed::Unclear(HINT.to_owned()),
            _ => Typed::Unclear(format!("these are {} moves; type one", moves.len())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_people_type_moves() {
        let start = Chess::default();
        let uci = |text: &str| Typed::Move(text.parse().unwrap());
        for (line, language, expected) in [
            ("Nf3", "en", uci("g1f3")),
            ("1. Ng1-f3!", "en", uci("g1f3")),
            ("g1f3", "en", uci("g1f3")),
            ("Sf3", "de", uci("g1f3")),
            ("?", "en", Typed::Show),
            ("q", "en", Typed::Stop),
            ("help", "en", Typed::Help),
            ("", "en", Typed::Unclear(HINT.to_owned())),
            ("1.", "en", Typed::Unclear(HINT.to_owned())),
            ("e4 e5", "en", Typed::Unclear("these are 2 moves; type one".to_owned())),
        ] {
            assert_eq!(read(line, &start, language.parse().unwrap()), expected, "{line:?}");
        }
        let Typed::Unclear(why) = read("Bc4", &start, Language::English) else { panic!() };
        assert!(why.contains("the white pawn on e2 is in the way"), "{why}");
    }

    #[test]
    fn lines_end_however_they_do() {
        let mut input = &b"e4\r\nd4\n\xff\nc4"[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["e4", "d4", "\u{fffd}", "c4"]);
        let mut endless = io::repeat(b'x').take(10_000_000);
        let mut endless = io::BufReader::new(&mut endless);
        let long = read_line(&mut endless).unwrap().unwrap();
        assert_eq!(long.len() as u64, MAX_ANSWER);
    }
}
