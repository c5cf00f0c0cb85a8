//! `/eco/line`: a pasted text as a line.

use std::borrow::Cow;

use serde::Serialize;

use super::position::{NamedObject, PlayedObject};
use crate::chess::{Chess, FenFault, Language, MoveNumber, fen, read_fen, read_typed};
use crate::classify::Question;
use crate::pgn::{self, MainLine, Token, decode_text};
use crate::web::answer::{Answer, Fault};
use crate::web::line::{PlayedLine, PlayedMove, fen_of};
use crate::web::request::{Parameters, Request};

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
    line: PlayedLine,
    tags: Vec<(String, String)>,
    error: Option<String>,
}

/// The line that a text means: a FEN, with or without moves after it, a game, or moves.
pub(in crate::web) fn line(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    parameters.check_names(&[&["text", "fen", "lang"]])?;
    let start = parameters.get("fen").map(|_| PlayedLine::read(parameters)).transpose()?;
    let start = start.as_ref().map(PlayedLine::start);
    let languages = languages(parameters);
    let pasted = read(parameters.get("text").unwrap_or_default(), start, &languages)?;
    let path = NamedObject::all(&pasted.line, request.database.catalogue());
    Ok(Answer::json(&Reply {
        start: fen_of(pasted.line.start()),
        is_initial: pasted.line.is_initial(),
        moves: PlayedObject::all(&pasted.line),
        opening: path.last().copied(),
        path,
        tags: pasted.tags,
        error: pasted.error,
    }))
}

/// The languages that a browser names, of those whose letters are known.
fn languages(parameters: &Parameters) -> Vec<Language> {
    let codes = parameters.list("lang").unwrap_or_default();
    codes.into_iter().filter_map(|code| code.parse().ok()).collect()
}

/// Reads a text. Moves are played from `given`, if there is one, unless the text has a position.
fn read(text: &str, given: Option<&Chess>, preferred: &[Language]) -> Result<Pasted, Fault> {
    let text = text.trim().trim_start_matches('\u{feff}').trim_start();
    let text = &*without_address(text)?;
    if Question::looks_like_fen(text) {
        let (fen, moves) = fen::split_fen(text);
        let start = fault_of_fen(read_fen(fen.as_bytes()))?;
        let moves = MainLine::from_movetext(moves.as_bytes());
        let (line, error) = play_in_some_language(&start, &moves, preferred);
        return Ok(Pasted { line, tags: Vec::new(), error });
    }
    let game = pgn::games(text.as_bytes()).next();
    let game = game.unwrap_or_else(|| pgn::Game::from_bytes(text.as_bytes()));
    let mut iter = game.tags();
    let tags: Vec<(String, String)> = iter
        .by_ref()
        .map(|tag| (decode_text(tag.name).into_owned(), decode_text(&tag.value()).into_owned()))
        .collect();
    let fen = tags.iter().find(|(name, value)| name == "FEN" && !value.trim().is_empty());
    let set_up = fault_of_fen(fen.map(|(_, fen)| read_fen(fen.trim().as_bytes())).transpose())?;
    let given = given.filter(|_| tags.is_empty());
    let start = set_up.or_else(|| given.cloned()).unwrap_or_default();
    let (line, error) = play_in_some_language(&start, &iter.into_main_line(), preferred);
    if line.moves().is_empty() && tags.is_empty() && given.is_none() {
        let reason = error.unwrap_or_else(|| "neither a position nor moves".to_owned());
        return Err(Fault::parameter("text", reason));
    }
    let error = error.or_else(|| {
        let is_nothing = line.moves().is_empty() && tags.is_empty();
        is_nothing.then(|| "neither a position nor moves".to_owned())
    });
    Ok(Pasted { line, tags, error })
}

/// The text with the FEN of an address in place of the address.
fn without_address(text: &str) -> Result<Cow<'_, str>, Fault> {
    // A tag may come before moves, and is read with them.
    if text.starts_with('[') {
        return Ok(text.into());
    }
    let (plain, forgiven) = fen::unwrap_fen(text);
    if forgiven.is_empty() && text.split_whitespace().next().is_some_and(|w| w.contains("://")) {
        let reason = "this address has no position; copy the FEN or the PGN from its page";
        return Err(Fault::parameter("text", reason));
    }
    Ok(plain)
}

fn fault_of_fen<T>(read: Result<T, FenFault>) -> Result<T, Fault> {
    read.map_err(|fault| Fault::parameter("text", format_args!("FEN: {fault}")))
}

/// Plays moves with English letters, or else with those of another language: the first of
/// `preferred` in which all can be played, or any, if all such languages mean the same moves.
/// Returns the line, in English up to the first move that cannot be played, and why it ends.
fn play_in_some_language(
    start: &Chess,
    moves: &MainLine<'_>,
    preferred: &[Language],
) -> (PlayedLine, Option<String>) {
    let played = |language| {
        let mut line = PlayedLine::new(start.clone());
        let ended = play(&mut line, moves.clone(), language);
        (line, ended.err())
    };
    let whole = |language: &Language| {
        let (line, error) = played(*language);
        error.is_none().then_some(line)
    };
    let english = played(Language::English);
    if english.1.is_none() {
        return english;
    }
    let other = preferred.iter().find_map(whole).or_else(|| {
        let mut lines = Language::ALL.iter().filter_map(whole);
        let first = lines.next()?;
        let ucis = |line: &PlayedLine| line.moves().iter().map(PlayedMove::uci).collect::<Vec<_>>();
        lines.all(|line| ucis(&line) == ucis(&first)).then_some(first)
    });
    other.map_or(english, |line| (line, None))
}

/// Plays moves up to the first that cannot be played.
fn play(line: &mut PlayedLine, moves: MainLine<'_>, language: Language) -> Result<(), String> {
    for token in moves {
        let word = match token {
            Token::Move(word) => decode_text(word),
            Token::Result(_) => return Ok(()),
            Token::OpenComment => return Err("a comment is never closed".to_owned()),
            Token::OpenVariation => return Err("a variation is never closed".to_owned()),
        };
        let number = MoveNumber::next_in(line.end());
        let m = read_typed(line.end(), &word, language)
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
        let under = sicilian.replace(' ', "_");
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
            (&format!("https://lichess.org/analysis/{under}"), false, "", 0, None),
            (&format!("lichess.org/editor/{under}?color=white Nf3"), false, "Nf3", 0, None),
            (&under, false, "", 0, None),
            ("1. e4 e5 2. Cf3", true, "e4 e5 Nf3", 0, None),
            ("[White \"A\"]\n\n1. Sf3 Sf6", true, "Nf3 Nf6", 1, None),
            // Of the bishop in Czech, of the knight in German.
            ("1. e4 e5 2. Ke2 d6 3. Sf3", true, "e4 e5 Ke2 d6 Nf3", 0, None),
            ("1. d4 d5 2. Sc3 e6 3. e3 e5 4. Se2", true, "d4 d5", 0, Some("move 2. Sc3: ")),
        ] {
            let pasted = read(text, None, &[]).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            let sans: Vec<&str> = pasted.line.moves().iter().map(|m| m.san.as_str()).collect();
            assert_eq!(sans.join(" "), moves, "{text}");
            assert_eq!((pasted.line.is_initial(), pasted.tags.len()), (is_initial, tags), "{text}");
            let found = pasted.error.as_deref().unwrap_or_default();
            assert!(found.starts_with(error.unwrap_or_default()), "{text}: {found}");
            assert_eq!(found.is_empty(), error.is_none(), "{text}: {found}");
        }
        for text in [
            "",
            "hello",
            "1. Ke2",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "[FEN \"x\"]\n\n1. e4",
            "https://lichess.org/abc",
        ] {
            assert_eq!(read(text, None, &[]).map(|_| ()).unwrap_err().status, 400, "{text:?}");
        }
        let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(400);
        let long = read(&dance, None, &[]).unwrap();
        assert_eq!(long.error.as_deref(), Some("only the first 1200 moves are shown"));
    }

    #[test]
    fn moves_go_on_from_a_position_in_the_language_of_the_reader() {
        use Language::{Czech, German, Spanish};
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let open = "4k3/8/8/8/8/3B4/8/1N2K3 w - - 0 1";
        for (fen, text, preferred, wanted) in [
            (e4, "Cf3", &[][..], Ok("Nf3")),
            (e4, "Nf3 Nc6", &[German], Ok("Nf3 Nc6")),
            (open, "Sa3", &[], Ok("Na3")),
            ("4k3/8/8/8/8/8/2B5/1N2K3 w - - 0 1", "Sd2", &[], Ok("Nd2")),
            ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "Sd2", &[], Err("move 1. Sd2: ")),
            ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "Sd2", &[Czech], Ok("Bd2")),
            ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "Sd2", &[Spanish, German], Ok("Nd2")),
            (e4, "Qh9", &[], Err("move 2. Qh9: ")),
            (e4, "{}", &[], Err("neither a position nor moves")),
        ] {
            let start = read_fen(fen.as_bytes()).unwrap();
            let pasted = read(text, Some(&start), preferred).unwrap();
            let sans: Vec<&str> = pasted.line.moves().iter().map(|m| m.san.as_str()).collect();
            match (wanted, pasted.error) {
                (Ok(wanted), None) => assert_eq!(sans.join(" "), wanted, "{text}"),
                (Err(wanted), Some(error)) => {
                    assert!(error.starts_with(wanted), "{text}: {error}");
                }
                (_, error) => panic!("{text} in {fen}: {sans:?}, {error:?}"),
            }
        }
    }
}
