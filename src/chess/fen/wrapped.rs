//! FENs in what people copy them with, and FENs without all fields.
//!
//! The reader of FEN knows nothing of this. So nothing is unwrapped in files, where a FEN is what
//! it is.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::fault::Forgiven;
use crate::subslice::range_in;

/// The beginnings of addresses, after their protocol.
const SITES: [&str; 3] = ["lichess", "www.chess.com/", "chess.com/"];

/// Takes a FEN out of a tag (`[FEN "..."]`), or of an address of lichess or chess.com, and puts
/// blanks for underscores between its fields. Returns the text without these, and what they were.
///
/// ```
/// use eco::chess::{Forgiven, fen::unwrap_fen};
///
/// let address = "https://lichess.org/analysis/standard/8/8/4k3/8/8/4K3/8/8_w_-_-_0_1";
/// let (fen, forgiven) = unwrap_fen(address);
/// assert_eq!(fen, "8/8/4k3/8/8/4K3/8/8 w - - 0 1");
/// assert_eq!(forgiven, [Forgiven::Address]);
/// ```
pub fn unwrap_fen(line: &str) -> (Cow<'_, str>, Vec<Forgiven>) {
    if let Some((fen, rest)) = in_tag(line.trim()) {
        return (format!("{fen}{rest}").into(), vec![Forgiven::Tag]);
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    if let Some(fen) = in_address(first) {
        let rest = &line[range_in(first.as_bytes(), line.as_bytes()).end..];
        return (format!("{fen}{}", rest.trim_end()).into(), vec![Forgiven::Address]);
    }
    if first.contains('/') && first.contains('_') {
        // Operations after the fields may have underscores of their own.
        let with_blanks = first.replace('_', " ");
        return (line.replacen(first, &with_blanks, 1).into(), vec![Forgiven::Underscores]);
    }
    (line.into(), Vec::new())
}

/// The value of a tag, and what follows the tag.
fn in_tag(text: &str) -> Option<(&str, &str)> {
    let name = text.get(..4).filter(|name| name.eq_ignore_ascii_case("[FEN"))?;
    let value = text[name.len()..].trim_start().strip_prefix('"')?;
    let (value, rest) = value.split_once('"').unwrap_or((value, ""));
    Some((value, rest.trim_start().strip_prefix(']').unwrap_or(rest)))
}

/// Whether text is the address of a page.
pub(crate) fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some() || SITES.iter().any(|site| text.starts_with(site))
}

/// The moves of an address (`/analysis/pgn/e4_e5`, `?pgn=`), or the name of an opening in it
/// (`/opening/Sicilian_Defense`).
pub(crate) fn address_words(text: &str) -> Option<String> {
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let path = path.split('#').next().unwrap_or_default();
    let moves = query.split('&').find_map(|pair| pair.strip_prefix("pgn="));
    if let Some(moves) = moves.or_else(|| path.split_once("/pgn/").map(|(_, moves)| moves)) {
        return Some(decoded(&moves.replace('+', " ")));
    }
    let is_opening = ["/opening/", "/openings/"].iter().any(|folder| path.contains(folder));
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    is_opening.then(|| decoded(last).replace('-', " "))
}

fn in_address(text: &str) -> Option<String> {
    if !is_address(text) {
        return None;
    }
    let text = text.split('#').next().unwrap_or_default();
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    if let Some(fen) = query.split('&').find_map(|pair| pair.strip_prefix("fen=")) {
        return Some(decoded(&fen.replace('+', " ")).replace('_', " "));
    }
    // Slashes part the ranks from each other, and the first from the rest of the path.
    let path = decoded(path);
    let ranks: Vec<&str> = path.rsplitn(9, '/').take(8).collect();
    let is_fen = ranks.len() == 8 && ranks.last().is_some_and(|rank| !rank.is_empty());
    let ranks: Vec<&str> = ranks.into_iter().rev().collect();
    is_fen.then(|| ranks.join("/").replace('_', " "))
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Adds the fields that a FEN of one to three fields lacks: White to move, no castling rights, no
/// en passant square. Returns what was missing. Any other text stays as it is.
///
/// People copy no more of a FEN than they see. In files of games a missing field is a fault.
///
/// ```
/// use eco::chess::{Forgiven, fen::complete_fen};
///
/// let (fen, forgiven) = complete_fen("8/8/4k3/8/8/4K3/8/8 b");
/// assert_eq!(fen, "8/8/4k3/8/8/4K3/8/8 b - -");
/// assert_eq!(forgiven, [Forgiven::NoCastling, Forgiven::NoEnPassant]);
/// ```
pub fn complete_fen(line: &str) -> (Cow<'_, str>, Vec<Forgiven>) {
    const MISSING: [(&str, Forgiven); 3] =
        [(" w", Forgiven::NoSide), (" -", Forgiven::NoCastling), (" -", Forgiven::NoEnPassant)];
    let count = line.split_whitespace().count();
    let is_short = (1..=3).contains(&count) && line.contains('/') && !line.contains(';');
    if !is_short {
        return (line.into(), Vec::new());
    }
    let (fields, forgiven): (Vec<&str>, Vec<Forgiven>) =
        MISSING[count - 1..].iter().copied().unzip();
    (format!("{}{}", line.trim_end(), fields.concat()).into(), forgiven)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";

    #[test]
    fn a_fen_is_taken_out_of_what_it_was_copied_with() {
        let under = FEN.replace(' ', "_");
        let percent = FEN.replace(' ', "%20").replace('/', "%2F");
        for (text, forgiven) in [
            (format!("[FEN \"{FEN}\"]"), Forgiven::Tag),
            (format!(" [Fen  \"{FEN}\" ] "), Forgiven::Tag),
            (format!("https://lichess.org/analysis/standard/{under}"), Forgiven::Address),
            (format!("https://lichess.org/editor/{under}?color=black"), Forgiven::Address),
            (format!("lichess.org/analysis/{under}#0"), Forgiven::Address),
            (format!("https://lichess.org/analysis/{percent}"), Forgiven::Address),
            (
                format!(
                    "https://www.chess.com/analysis?fen={}&flip=false",
                    percent.replace("%20", "+")
                ),
                Forgiven::Address,
            ),
            (format!("https://www.chess.com/dynboard?board=wood&fen={percent}"), Forgiven::Address),
            (under.clone(), Forgiven::Underscores),
        ] {
            let (fen, what) = unwrap_fen(&text);
            assert_eq!(fen, FEN, "{text}");
            assert_eq!(what, [forgiven], "{text}");
        }
        let (fen, _) = unwrap_fen("[FEN \"8/8 w - -\"] e4");
        assert_eq!(fen, "8/8 w - - e4");
        let (fen, _) = unwrap_fen("https://lichess.org/analysis/8/8/8/8/8/8/8/8_w_-_- e4 e5");
        assert_eq!(fen, "8/8/8/8/8/8/8/8 w - - e4 e5");
        let epd = "8/8/8/8/8/8/8/8_w_-_- id \"a_b\";";
        assert_eq!(unwrap_fen(epd).0, "8/8/8/8/8/8/8/8 w - - id \"a_b\";");
    }

    #[test]
    fn anything_else_stays_as_it_is() {
        for text in
            [FEN, "", "startpos", "https://lichess.org/abcdefgh", "[Event \"x\"]", "[FE", "é/é"]
        {
            assert_eq!(unwrap_fen(text), (text.into(), Vec::new()));
        }
        for text in [FEN, "", "startpos", "8/8 w - -", "8/8 w id;"] {
            assert_eq!(complete_fen(text), (text.into(), Vec::new()));
        }
    }

    #[test]
    fn missing_fields_are_added_and_named() {
        use Forgiven::{NoCastling, NoEnPassant, NoSide};
        for (text, full, missing) in [
            ("8/8", "8/8 w - -", &[NoSide, NoCastling, NoEnPassant][..]),
            ("8/8 b ", "8/8 b - -", &[NoCastling, NoEnPassant]),
            ("8/8 b KQ", "8/8 b KQ -", &[NoEnPassant]),
        ] {
            let (fen, forgiven) = complete_fen(text);
            assert_eq!((&*fen, &forgiven[..]), (full, missing));
        }
    }
}
