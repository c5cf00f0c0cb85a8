//! `/masters/pgn/{id}`: a game over the board.

use crate::{
    chess::{MoveNumber, Position},
    collection::GameId,
    web::{
        answer::Answer, asked_line::AskedLine, fault::Fault, kept_line::kept_line, opened::Opened,
    },
};

/// The tags that are written, with what stands for a missing one; without that, it is left out.
const TAGS: [(&str, Option<&[u8]>); 9] = [
    ("Event", Some(b"?")),
    ("Site", Some(b"?")),
    ("Date", Some(b"????.??.??")),
    ("Round", Some(b"?")),
    ("White", Some(b"?")),
    ("Black", Some(b"?")),
    ("Result", Some(b"*")),
    ("WhiteElo", None),
    ("BlackElo", None),
];

/// A game as PGN: nine tags, and the moves on one line.
pub(in crate::web) fn masters_pgn(id: &str, opened: &Opened) -> Result<Answer, Fault> {
    // The reference says nothing of a game that it does not have.
    let unknown = || Fault::not_found("");
    let id: GameId = id.parse().map_err(|_| unknown())?;
    let (_, game) = opened.game(id)?.ok_or_else(unknown)?;
    let mut text = Vec::new();
    for (name, missing) in TAGS {
        if let Some(value) = game.tag(name).or(missing) {
            write_tag(name, value, &mut text);
        }
    }
    text.push(b'\n');
    if let Some(line) = kept_line(&game) {
        write_moves(&line, &mut text);
    }
    text.extend_from_slice(game.result().as_str().as_bytes());
    text.push(b'\n');
    Ok(Answer::pgn(text))
}

fn write_tag(name: &str, value: &[u8], text: &mut Vec<u8>) {
    text.extend_from_slice(format!("[{name} \"").as_bytes());
    for byte in value {
        if matches!(byte, b'"' | b'\\') {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text.extend_from_slice(b"\"]\n");
}

fn write_moves(line: &AskedLine, text: &mut Vec<u8>) {
    let mut before = line.start();
    for (ply, played) in line.moves().iter().enumerate() {
        if ply == 0 || before.turn().is_white() {
            text.extend_from_slice(format!("{} ", MoveNumber::next_in(before)).as_bytes());
        }
        text.extend_from_slice(format!("{} ", played.san).as_bytes());
        before = &played.after;
    }
}
