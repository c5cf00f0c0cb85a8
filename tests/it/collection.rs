//! Kept games, against games played on `shakmaty` positions.

use std::{convert::Infallible, path::PathBuf};

use eco::{
    chess::{Chess, Position, UciMove, read_fen, read_move},
    collection::{GameStart, KeptGame, KeptGameReader},
    executor::Executor,
    pgn::{BlockOptions, Chunk, Chunks, Game, Token},
    pipeline::Workers,
    select::{GameInfo, Selection},
};

use crate::real_games::{games_folder, unpacked};

/// All files of games that are at hand: those of the project, and the real ones.
pub fn all_files() -> Vec<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/games");
    let folders = [Some(own), games_folder(), games_folder().map(|folder| folder.join("odd"))];
    let files = folders.into_iter().flatten().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.to_str().unwrap().contains(".pgn")).collect()
}

/// The main line as the rules of chess have it, and the words after it.
fn play(game: &Game<'_>, start: GameStart) -> (Vec<UciMove>, usize) {
    let info = GameInfo::read(game);
    let mut position = match start {
        GameStart::Initial => Some(Chess::default()),
        GameStart::SetUp => read_fen(info.tag("FEN").unwrap().trim_ascii()).ok(),
        GameStart::Unknown => None,
    };
    let (mut moves, mut rest) = (Vec::new(), 0);
    for token in game.tags().into_main_line() {
        let Token::Move(word) = token else { continue };
        match position.as_ref().and_then(|position| read_move(position, word).ok()) {
            Some(m) => {
                moves.push(UciMove::from_move(m));
                position.as_mut().unwrap().play_unchecked(m);
            }
            None => {
                position = None;
                rest += 1;
            }
        }
    }
    (moves, rest)
}

fn check(game: &Game<'_>, reader: &mut KeptGameReader<'_>) -> (usize, bool) {
    let kept = reader.read(game).unwrap();
    let (moves, rest) = play(game, kept.start());
    let name = || String::from_utf8_lossy(game.bytes()).into_owned();
    assert_eq!(kept.moves().collect::<Vec<_>>(), moves, "{}", name());
    assert_eq!(kept.plies(), moves.len() + rest, "{}", name());

    // What is exported says and means the same.
    let pgn = kept.to_pgn();
    let again: KeptGame = reader.read(&Game::from_bytes(&pgn)).unwrap();
    assert_eq!(again.moves().collect::<Vec<_>>(), moves, "{}", name());
    if kept.tags().next().is_some() {
        assert!(again.tags().eq(kept.tags()), "{}", name());
    }
    assert_eq!((again.plies(), again.result()), (kept.plies(), kept.result()), "{}", name());
    assert_eq!(again.opening(), kept.opening(), "{}", name());
    assert!(pgn.split(|byte| *byte == b'\n').all(|line| line.len() < 80 || line[0] == b'['));
    (moves.len(), again.fingerprint() == kept.fingerprint())
}

#[test]
fn real_games_are_kept_as_they_were_played_and_exported_again() {
    let (mut games, mut plies, mut known) = (0, 0, 0);
    for path in all_files() {
        let pgn = unpacked(&path);
        let reader = KeptGameReader::new(Selection::default());
        let done: Result<(), Infallible> = Workers::default().run(
            |push| {
                for chunk in Chunks::new(&pgn[..], BlockOptions::default()) {
                    push(chunk.unwrap())?;
                }
                Ok(())
            },
            |chunk: Chunk| {
                let mut reader = reader.clone();
                let block = chunk.into_block();
                block.games().map(|game| check(&game, &mut reader)).collect::<Vec<_>>()
            },
            |checked| {
                games += checked.len();
                plies += checked.iter().map(|(plies, _)| plies).sum::<usize>();
                known += checked.iter().filter(|(_, known)| *known).count();
                Ok(())
            },
        );
        let Ok(()) = done;
    }
    assert!(games > 50, "{games} games");
    println!("{games} games, {plies} plies, {known} with the same fingerprint when exported");
    // The rest spell moves in other ways than standard SAN.
    assert!(known * 100 > games * 95, "{known} of {games}");
}
