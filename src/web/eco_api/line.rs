//! `/eco/line`: what somebody pasted, as a line.

use serde::Serialize;

use super::objects::{NamedObject, PlayedObject};
use crate::{
    chess::{Chess, FenFault, Language, MoveNumber, fen::split_fen, read_fen, read_typed},
    classify::Question,
    pgn::{Game, MainLine, Token, decode_text, games},
    web::{
        answer::Answer,
        asked_line::{AskedLine, fen_of},
        fault::Fault,
        opened::Opened,
        parameters::Parameters,
    },
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    start: String,
    is_initial: bool,
    moves: Vec<PlayedObject<'a>>,
    path: Vec<NamedObject<'a>>,
    opening: Option<NamedObject<'a>>,
    tags: Vec<(String, String)>,
    error: Option<String>,
}

/// A text that was read as a line.
struct Pasted {
    line: AskedLine,
    tags: Vec<(String, String)>,
    error: Option<String>,
}

/// The line that a text means: a FEN, with or without moves after it, a game, or moves.
pub(in crate::web) fn line(parameters: &Parameters, opened: &Opened) -> Result<Answer, Fault> {
    parameters.check_names(&[&["text"]])?;
    let pasted = read(parameters.get("text").unwrap_or_default())?;
    let path = NamedObject::all(&pasted.line.names(opened.catalogue()));
    Ok(Answer::json(&Reply {
        start: fen_of(pasted.line.start()),
        is_initial: pasted.line.is_initial(),
        moves: PlayedObject::all(pasted.line.moves()),
        opening: path.last().copied(),
        path,
        tags: pasted.tags,
        error: pasted.error,
    }))
}

fn read(text: &str) -> Result<Pasted, Fault> {
    let text = text.trim().trim_start_matches('\u{feff}').trim_start();
    let (start, tags, moves) = if Question::looks_like_fen(text) {
        let (fen, moves) = split_fen(text);
        (
            fault_of_fen(read_fen(fen.as_bytes()))?,
            Vec::new(),
            MainLine::from_movetext(moves.as_bytes()),
        )
    } else {
        let game = games(text.as_bytes()).next();
        let game = game.unwrap_or_else(|| Game::from_bytes(text.as_bytes()));
        let mut tags = game.tags();
        let read: Vec<(String, String)> = tags
            .by_ref()
            .map(|tag| (decode_text(tag.name).into_owned(), decode_text(&tag.value()).into_owned()))
            .collect();
        let fen = read.iter().find(|(name, value)| name == "FEN" && !value.trim().is_empty());
        let start = fen.map(|(_, fen)| read_fen(fen.trim().as_bytes())).transpose();
        (fault_of_fen(start)?.unwrap_or_default(), read, tags.into_main_line())
    };
    let has_start = start != Chess::default() || !tags.is_empty();
    let mut pasted = Pasted { line: AskedLine::new(start), tags, error: None };
    pasted.error = play(&mut pasted.line, moves).err();
    if pasted.line.moves().is_empty() && !has_start && !Question::looks_like_fen(text) {
        let reason = pasted.error.unwrap_or_else(|| "neither a position nor moves".to_owned());
        return Err(Fault::parameter("text", reason));
    }
    Ok(pasted)
}

fn fault_of_fen<T>(read: Result<T, FenFault>) -> Result<T, Fault> {
    read.map_err(|fault| Fault::parameter("text", format_args!("FEN: {fault}")))
}

/// Plays moves up to the first that cannot be played.
fn play(line: &mut AskedLine, moves: MainLine<'_>) -> Result<(), String> {
    for token in moves {
        let word = match token {
            Token::Move(word) => decode_text(word),
            Token::Result(_) => return Ok(()),
            Token::OpenComment => return Err("a comment is never closed".to_owned()),
            Token::OpenVariation => return Err("a variation is never closed".to_owned()),
        };
        let number = MoveNumber::next_in(line.end());
        let m = read_typed(line.end(), &word, Language::English)
            .map_err(|fault| format!("move {number} {word}: {fault}"))?;
        if !line.play(m) {
            return Err(format!("only the first {} moves are shown", line.moves().len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_what_it_looks_like() {
        let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        for (text, is_initial, moves, tags, error) in [
            ("1. e4 c5 2. Nf3", true, "e4 c5 Nf3", 0, None),
            ("e2e4 c7c5 g1f3 *", true, "e4 c5 Nf3", 0, None),
            ("\u{feff}1. e4 {best} (1. d4) c5", true, "e4 c5", 0, None),
            (sicilian, false, "", 0, None),
            (&format!("{sicilian} Nf3 d6"), false, "Nf3 d6", 0, None),
            (&format!("[FEN \"{sicilian}\"]\n\n2. Nf3 *"), false, "Nf3", 1, None),
            (
                "[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n\n[White \"C\"]\n\n1. d4",
                true,
                "e4",
                2,
                None,
            ),
            ("[White \"A\"]\n\n*", true, "", 1, None),
            ("1. e4 e5 2. Ke3", true, "e4 e5", 0, Some("move 2. Ke3: ")),
            ("1. e4 {never", true, "e4", 0, Some("a comment is never closed")),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, "", 0, None),
        ] {
            let pasted = read(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            let sans: Vec<&str> = pasted.line.moves().iter().map(|m| m.san.as_str()).collect();
            assert_eq!(sans.join(" "), moves, "{text}");
            assert_eq!((pasted.line.is_initial(), pasted.tags.len()), (is_initial, tags), "{text}");
            let found = pasted.error.as_deref().unwrap_or_default();
            assert!(found.starts_with(error.unwrap_or_default()), "{text}: {found}");
            assert_eq!(found.is_empty(), error.is_none(), "{text}: {found}");
        }
        for text in ["", "hello", "1. Ke2", "8/8/8/8/8/8/8/8 w - - 0 1", "[FEN \"x\"]\n\n1. e4"] {
            assert_eq!(read(text).map(|_| ()).unwrap_err().status, 400, "{text:?}");
        }
        let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(400);
        let long = read(&dance).unwrap();
        assert_eq!(long.error.as_deref(), Some("only the first 1200 moves are shown"));
    }
}
