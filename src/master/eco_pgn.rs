//! ECO masters as PGN, such as the `eco.pgn` of pgn-extract: games with the tags ECO, Opening,
//! Variation and SubVariation, whose main line is the line of the opening.
//!
//! The full name is made of the parts, `Opening: Variation, SubVariation`. An opening without a
//! code has no ECO tag, or one that is `?`. With a FEN tag, the game names the position after its
//! moves, and the opening has no line.

use std::io::{self, Write};

use super::MasterLine;
use super::reading::{Collector, LineCounter, LineError, LineReason};
use crate::chess::{Chess, MoveNumber, Position, PositionKey, read_fen, read_move};
use crate::opening::Opening;
use crate::pgn::{Game, MainLine, Token, decode_text, games, is_standard_chess};

const EXPECTED: &str = "the tag Opening, perhaps ECO, and moves";

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    let mut lines = LineCounter::new(bytes);
    for game in games(bytes) {
        collector.add(lines.of(game.bytes()), read_game(&game));
    }
}

fn read_game(game: &Game<'_>) -> Result<MasterLine, LineReason> {
    let mut tags = game.tags();
    let mut values = [const { String::new() }; 6];
    for tag in tags.by_ref() {
        if let Some(fault) = tag.fault {
            return Err(LineReason::Tag { name: decode_text(tag.name).into_owned(), fault });
        }
        let names: [&[u8]; 6] =
            [b"ECO", b"Opening", b"Variation", b"SubVariation", b"FEN", b"Variant"];
        if let Some(which) = names.iter().position(|name| *name == tag.name) {
            values[which] = decode_text(&tag.value()).trim().to_owned();
        }
    }
    let [eco, family, variation, subvariation, fen, variant] = values;
    if !is_standard_chess(variant.as_bytes()) {
        return Err(LineReason::Variant(variant));
    }
    let missing = |what| Err(LineReason::Missing { what, expected: EXPECTED });
    let name = Opening::full_name(&family, &variation, &subvariation);
    if name.is_empty() {
        return missing("Opening tag");
    }
    let opening = MasterLine::named(if eco == "?" { "" } else { &eco }, &name)?;
    let start = if fen.is_empty() { Chess::default() } else { read_fen(fen.as_bytes())? };
    let words = words(tags.into_main_line())?;
    match (start == Chess::default(), words.is_empty()) {
        (true, false) => Ok(MasterLine { movetext: Some(words.join(" ")), ..opening }),
        (_, true) if fen.is_empty() => missing("moves"),
        _ => Ok(MasterLine { key: Some(key_after(start, words)?), ..opening }),
    }
}

fn words(main_line: MainLine<'_>) -> Result<Vec<String>, LineError> {
    let mut words = Vec::new();
    for token in main_line {
        match token {
            Token::Move(word) => words.push(decode_text(word).into_owned()),
            Token::Result(_) => break,
            Token::OpenComment | Token::OpenVariation => return Err(LineError::Open),
        }
    }
    Ok(words)
}

/// The key of the position after the moves.
fn key_after(mut position: Chess, words: Vec<String>) -> Result<PositionKey, LineError> {
    for word in words {
        let number = MoveNumber::next_in(&position);
        match read_move(&position, word.as_bytes()) {
            Ok(m) => position.play_unchecked(m),
            Err(fault) => return Err(LineError::bad_move(number, word.as_bytes(), fault)),
        }
    }
    Ok(PositionKey::from(&position))
}

/// Writes a game for each line.
pub(super) fn write(lines: &[&MasterLine], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        let opening = line.opening();
        let [family, variation, subvariation] = opening.lossless_parts();
        let key = line.key.filter(|_| line.movetext.is_none()).map(|key| format!("{key} 0 1"));
        for (name, value) in [
            ("ECO", opening.code()),
            ("Opening", family),
            ("Variation", variation),
            ("SubVariation", subvariation),
            ("SetUp", if key.is_some() { "1" } else { "" }),
            ("FEN", key.as_deref().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                writeln!(out, "[{name} \"{value}\"]")?;
            }
        }
        let moves = line.movetext.as_deref().map(|moves| format!("{moves} ")).unwrap_or_default();
        writeln!(out, "\n{moves}*\n")?;
    }
    Ok(())
}
