//! Fills `corpus/` with seeds for every target, made from `data/` and `tests/data/` of the
//! repository:
//!
//! ```text
//! cargo run --manifest-path fuzz/Cargo.toml --example seeds
//! ```

use std::{error::Error, fs, io::Write, num::NonZeroUsize, path::Path};

use eco::{
    catalogue::Catalogue,
    chess::{Chess, Color, Position},
    master::{MasterFormat, MasterInfo},
    pgn::{Compression, Encoder, Frames, games},
    repertoire::{Book, BookRule, Extract, ExtractOptions, to_polyglot, write_epd, write_json},
};

/// Openings in the formats that are read and not written.
const ECOMAST: &str = "A00\tPolish Opening\n1. b4\nB20\tSicilian Defence\n1. e4 c5\n";

/// Parameters of requests to the explorer over HTTP.
const QUERIES: [&str; 6] = [
    "play=e2e4,e7e5,g1f3&moves=5&topGames=2&recentGames=1&history=true",
    "fen=r3k2r/8/8/8/8/8/8/R3K2R+w+KQkq+-+0+1&play=e1h1,e8a8&since=1956&until=2020-3",
    "speeds=blitz,rapid&ratings=0,1600,2500&modes=rated&player=Tal&color=white",
    "player=Tal%2C+Mihail&color=black&result=win&eco=B,C00-C19&opening=french&rating=2400..\
     &rating-of=opponent&event=open&site=riga&tag=Round%3D1&min-plies=20&from-position&position=e4&not=rated",
    "text=1.+e4+c5+{x}+2.+Nf3&name=a&limit=3&search=najdorf&collection=games&min-games=2",
    "/eco/pgn/%zz?x=%ff&&=&+=%00",
];

/// Bodies of requests to train, and moves that answer what is asked.
const BODIES: [&str; 3] = [
    "begin\ne2e4\ng1f3\nf1b5\ne1g1\nc2c3\nd2d4",
    "{\"do\":\"begin\",\"new\":10,\"line\":false}\ne2e4\na2a3\na2a3\n{\"do\":\"answer\",\"question\":1,\"uci\":null}",
    "{\"do\":\"begin\",\"new\":0,\"line\":true}\n{\"do\":\"answer\",\"question\":2}\n{}\n[",
];

fn main() -> Result<(), Box<dyn Error>> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| fs::read(repository.join(name));
    for name in ["club", "famous", "white-lines"] {
        let pgn = read(&format!("data/games/{name}.pgn"))?;
        for game in games(&pgn) {
            let name = format!("{name}-{}", game.number());
            seed("pgn", &name, game.bytes())?;
            seed("tag", &name, game.bytes())?;
            seed("kept", &name, game.bytes())?;
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
    for (number, query) in QUERIES.iter().enumerate() {
        for route in 0..12_u8 {
            seed("web", &format!("{route}-{number}"), &[&[route], query.as_bytes()].concat())?;
        }
    }
    for (number, bodies) in BODIES.iter().enumerate() {
        seed("train", &number.to_string(), bodies.as_bytes())?;
    }
    frames(&read("data/games/club.pgn")?)?;
    seed("collection", "valid", b"")?;
    seed("database", "valid", b"")?;
    for at in 0..64_u8 {
        seed("database", &format!("header-{at}"), &[0, 0, at, 0, 255])?;
        for target in ["collection", "join"] {
            seed(target, &format!("blob-{at}"), &[0, at, 7, 0, 255])?;
        }
        seed("image", &format!("byte-{at}"), &[0, at, 7, 0, 255])?;
    }
    Ok(())
}

/// Files of frames: as `pzstd` writes them, one after the other, and one that is cut off.
fn frames(pgn: &[u8]) -> Result<(), Box<dyn Error>> {
    let pgn = &pgn[..pgn.len().min(4000)];
    let pack = |text: &[u8], frames| -> std::io::Result<Vec<u8>> {
        let mut encoder =
            Encoder::framed(Compression::Zstd, None, frames, NonZeroUsize::MIN, Vec::new())?;
        encoder.write_all(text)?;
        encoder.finish()
    };
    for (name, kind) in [("pzstd", Frames::Always), ("zstd", Frames::Never)] {
        let mut file = Vec::new();
        for part in pgn.chunks(700) {
            file.extend(pack(part, kind)?);
        }
        seed("frames", name, &file)?;
        seed("frames", &format!("{name}-cut"), &file[..file.len() - 50])?;
    }
    seed("frames", "plain", pgn)?;
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
        seed("names", &number.to_string(), line.opening.name().as_bytes())?;
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
        // Some openings have no code.
        master.lines.iter_mut().skip(1).step_by(2).for_each(|line| line.eco = None);
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
