//! `/eco/line`: a pasted text as a line.

use serde::Serialize;

use super::position::{NamedObject, PlayedObject};
use crate::catalogue::Catalogue;
use crate::chess::{Chess, Language, TypedFault};
use crate::classify::{Question, QuestionFault};
use crate::pgn::{self, MainLine, Token, TypedError, decode_text};
use crate::web::answer::{Answer, Fault};
use crate::web::line::{MAX_MOVES, fen_of, line_of};
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
    /// What was forgiven, chosen or corrected.
    notes: &'a [String],
    error: Option<String>,
}

/// A text that was read as a line.
struct Pasted {
    line: Question,
    tags: Vec<(String, String)>,
    error: Option<String>,
}

/// The line that a text means: a game, or a position as [`Question`] reads it.
pub(in crate::web) fn line(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    parameters.check_names(&[&["text", "fen", "lang"]])?;
    let start = parameters.get("fen").map(|_| line_of(parameters)).transpose()?;
    let start = start.as_ref().map(Question::start);
    let languages = languages(parameters);
    let catalogue = request.catalogue;
    let text = parameters.get("text").unwrap_or_default();
    let pasted = read(text, start, &languages, catalogue)?;
    let path = NamedObject::all(&pasted.line, catalogue);
    Ok(Answer::json(&Reply {
        start: fen_of(pasted.line.start()),
        is_initial: *pasted.line.start() == Chess::default(),
        moves: PlayedObject::all(&pasted.line),
        opening: path.last().copied(),
        path,
        tags: pasted.tags,
        notes: pasted.line.notes(),
        error: pasted.error,
    }))
}

/// English, and the languages that a browser names, of those whose letters are known.
fn languages(parameters: &Parameters) -> Vec<Language> {
    let codes = parameters.list("lang").unwrap_or_default();
    let named = codes.into_iter().filter_map(|code| code.parse().ok());
    [Language::English].into_iter().chain(named).collect()
}

/// Reads a text. Moves are played from `given`, if there is one, unless the text has a position.
fn read(
    text: &str,
    given: Option<&Chess>,
    languages: &[Language],
    catalogue: &Catalogue,
) -> Result<Pasted, Fault> {
    let text = text.trim().trim_start_matches('\u{feff}').trim_start();
    let game = pgn::games(text.as_bytes()).next();
    let game = game.unwrap_or_else(|| pgn::Game::from_bytes(text.as_bytes()));
    let mut iter = game.tags();
    let tags: Vec<(String, String)> = iter
        .by_ref()
        .map(|tag| (decode_text(tag.name).into_owned(), decode_text(&tag.value()).into_owned()))
        .collect();
    let begin = |text: &str| {
        let begun = Question::begin(text, languages, || Ok(catalogue));
        begun.map_err(|fault: QuestionFault| Fault::parameter("text", fault))
    };
    if !tags.is_empty() {
        let fen = tags.iter().find(|(name, value)| name == "FEN" && !value.trim().is_empty());
        let start = fen.map(|(_, fen)| begin(&format!("[FEN \"{fen}\"]"))).transpose()?;
        let mut line = start.map_or_else(Question::initial, |(start, _)| start);
        let ended =
            words(iter.into_main_line()).and_then(|words| play(&mut line, &words, languages));
        return Ok(Pasted::new(line, tags, ended));
    }
    if let Some(given) = given {
        let mut line = Question::from_position(given);
        let played = line.play(text, languages);
        let is_unread = matches!(
            &played,
            Err(TypedError::Move { fault: TypedFault::Unreadable(_), .. }) | Ok(())
        );
        if !line.moves().is_empty() || !is_unread {
            return Ok(Pasted::new(line, tags, played.map_err(in_words)));
        }
    }
    let (mut line, moves) = match (begin(text), given) {
        (Err(fault), Some(given)) => (Question::from_position(given), Err(fault.text)),
        (begun, _) => begun.map(|(line, moves)| (line, Ok(moves)))?,
    };
    let ended = moves.and_then(|moves| play(&mut line, &moves, languages));
    Ok(Pasted::new(line, tags, ended))
}

impl Pasted {
    fn new(mut line: Question, tags: Vec<(String, String)>, ended: Result<(), String>) -> Self {
        let is_cut = line.moves().len() > MAX_MOVES;
        line.cut_at(MAX_MOVES);
        let cut = || format!("only the first {MAX_MOVES} moves are shown");
        Self { line, tags, error: is_cut.then(cut).or(ended.err()) }
    }
}

fn play(line: &mut Question, moves: &str, languages: &[Language]) -> Result<(), String> {
    line.play(moves, languages).map_err(in_words)
}

/// What is wrong with a move, without its column: the page shows the moves before it.
fn in_words(error: TypedError) -> String {
    match error {
        TypedError::Move { number, word, fault, .. } => format!("move {number} {word}: {fault}"),
        other => other.to_string(),
    }
}

/// The words of a main line, without what stands between them in a file.
fn words(moves: MainLine<'_>) -> Result<String, String> {
    let mut text = String::new();
    for token in moves {
        match token {
            Token::Move(word) => text.extend([&*decode_text(word), " "]),
            Token::Result(_) => break,
            Token::OpenComment => return Err("a comment is never closed".to_owned()),
            Token::OpenVariation => return Err("a variation is never closed".to_owned()),
        }
    }
    Ok(text)
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
            ("1. e4 {never", true, "e4", 0, Some("comment never closed")),
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
            let pasted = read(text, None, &[], Catalogue::builtin())
                .unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            let sans: Vec<&str> = pasted.line.moves().iter().map(|m| m.san.as_str()).collect();
            assert_eq!(sans.join(" "), moves, "{text}");
            let starts_initially = *pasted.line.start() == Chess::default();
            assert_eq!((starts_initially, pasted.tags.len()), (is_initial, tags), "{text}");
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
            assert_eq!(
                read(text, None, &[], Catalogue::builtin()).map(|_| ()).unwrap_err().status,
                400,
                "{text:?}"
            );
        }
        let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(400);
        let long = read(&dance, None, &[], Catalogue::builtin()).unwrap();
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
            ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "Sd2", &[], Err("text: 'Sd2': not a FEN")),
            ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "Sd2", &[Czech], Ok("Bd2")),
            ("4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "Sd2", &[Spanish, German], Ok("Nd2")),
            (e4, "Qh9", &[], Err("move 2. Qh9: ")),
            (e4, "{}", &[], Err("text: no position and no moves")),
            (e4, "najdorf", &[], Ok("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6")),
            (e4, "najdrof", &[], Ok("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6")),
            (e4, "qzxv", &[], Err("text: 'qzxv': not a FEN")),
        ] {
            let start = crate::chess::read_fen(fen.as_bytes()).unwrap();
            let languages = [&[Language::English], preferred].concat();
            let pasted = read(text, Some(&start), &languages, Catalogue::builtin()).unwrap();
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
