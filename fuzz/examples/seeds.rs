//! Fills `corpus/` with seeds for every target, made from `data/` and `tests/data/` of the
//! repository:
//!
//! ```text
//! cargo run --manifest-path fuzz/Cargo.toml --example seeds
//! ```

use std::{error::Error, fs, path::Path};

use eco::{
    catalogue::Catalogue,
    chess::{Chess, Color, Position},
    master::{MasterFormat, MasterInfo},
    pgn::games,
    repertoire::{Book, BookRule, Extract, ExtractOptions, to_polyglot, write_epd, write_json},
};

/// Openings in the formats that are read and not written.
const ECOMAST: &str = "A00\tPolish Opening\n1. b4\nB20\tSicilian Defence\n1. e4 c5\n";

fn main() -> Result<(), Box<dyn Error>> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| fs::read(repository.join(name));
    for name in ["club", "famous", "white-lines"] {
        let pgn = read(&format!("data/games/{name}.pgn"))?;
        for game in games(&pgn) {
            let name = format!("{name}-{}", game.number());
            seed("pgn", &name, game.bytes())?;
            seed("tag", &name, game.bytes())?;
            seed("study", &name, &[b"0", game.bytes()].concat())?;
        }
    }
    let fens = String::from_utf8(read("tests/data/fens.tsv")?)?;
    for (number, row) in fens.lines().filter(|row| !row.starts_with('#')).enumerate() {
        let fen = row.split('\t').next().unwrap_or_default();
        seed("fen", &number.to_string(), fen.as_bytes())?;
    }
    lines()?;
    masters()?;
    books(&read("data/games/white-lines.pgn")?)?;
    seed("database", "valid", b"")?;
    for at in 0..64_u8 {
        seed("database", &format!("header-{at}"), &[0, 0, at, 0, 255])?;
    }
    Ok(())
}

/// Writes a seed for a target.
fn seed(target: &str, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

/// Lines of the catalogue, as choices among legal moves and as text.
fn lines() -> std::io::Result<()> {
    let catalogue = Catalogue::builtin();
    for (number, line) in catalogue.lines().iter().enumerate().step_by(40) {
        let mut position = Chess::default();
        let mut choices = vec![0];
        for m in catalogue.moves(line).unwrap_or_default() {
            let legal = position.legal_moves();
            let choice = legal.iter().position(|known| *known == m).unwrap_or(0);
            choices.extend([number as u8 % 192, choice as u8]);
            position.play_unchecked(m);
        }
        seed("classify", &number.to_string(), &choices)?;
        let text = catalogue.movetext(line).unwrap_or_default();
        seed("typed", &number.to_string(), &[b"\0\0", text.as_bytes()].concat())?;
    }
    Ok(())
}

/// A few openings in every format.
fn masters() -> Result<(), Box<dyn Error>> {
    let formats = [
        (MasterFormat::Tsv, "tsv"),
        (MasterFormat::Pgn, "pgn"),
        (MasterFormat::Scid, "scid"),
        (MasterFormat::Json, "json"),
        (MasterFormat::Epd, "epd"),
    ];
    for count in [1, 4, 20] {
        let mut master = Catalogue::builtin().to_one_master(&MasterInfo::default());
        master.lines = master.lines.into_iter().step_by(170).take(count).collect();
        for (format, name) in formats {
            let mut out = Vec::new();
            format.write(std::slice::from_ref(&master), &mut out)?;
            seed("master", &format!("{name}-{count}"), &out)?;
        }
    }
    seed("master", "ecomast", ECOMAST.as_bytes())?;
    Ok(())
}

/// A book in every format.
fn books(pgn: &[u8]) -> std::io::Result<()> {
    let mut book = Book::new(Color::White, BookRule::default());
    for game in games(pgn) {
        book.add_chapter(&game);
    }
    for max_ply in [2, 5, 40] {
        let options = ExtractOptions { max_ply: Some(max_ply), ..ExtractOptions::default() };
        let extract = Extract::new(&book, options, Some(Catalogue::builtin()));
        let (mut json, mut epd) = (Vec::new(), Vec::new());
        write_json(&extract, &mut json)?;
        write_epd(&extract, &mut epd)?;
        seed("book", &format!("json-{max_ply}"), &json)?;
        seed("book", &format!("epd-{max_ply}"), &epd)?;
        seed("book", &format!("polyglot-{max_ply}"), &to_polyglot(&extract))?;
    }
    Ok(())
}
